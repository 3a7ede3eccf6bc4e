"""The runtime: the one writer. It decides what is due, keeps each target's line, and holds the sessions."""
