"""Shells: a host process that owns the PTYs and outlives the runtime, and the client that speaks to it."""
