"""The change test: every table of ``src/duramen/data`` matters, entry by entry."""
