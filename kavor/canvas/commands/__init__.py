"""What a person edits, as steps that can be undone. Every step goes through the runtime."""
