"""The command line: one more face of the runtime, over the API client."""
