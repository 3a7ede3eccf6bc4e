"""The composition root: where runtime, sessions and API are put together."""
