"""Gestures: each one object, which starts, moves, and ends or is cancelled."""
