"""The rules of Kavor, pure: no I/O, no clock of its own, no database, no window."""
