"""Alembic's scripts. Revisions are numbered 0001, 0002, …; each file's name begins with its number."""
