"""Kavor: a desktop canvas that gives a graph of coding agents a clock."""

__version__ = "0.1.0"
