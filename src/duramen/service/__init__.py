"""The HTTP service: the engine and the inspector behind a small ASGI app."""
