"""The canvas: the Qt window that shows Workspaces, over the API client."""
