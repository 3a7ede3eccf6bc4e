"""Emulation: what a terminal's output looks like. A view, never the truth; in processes of its own."""
