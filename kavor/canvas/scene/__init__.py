"""The scene of one Workspace: items that follow the model."""
