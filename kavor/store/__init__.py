"""What is written down: one SQLite database, its schema, and the queries the runtime asks."""
