"""The inspector: a page beside what was kept of it, what was dropped, and why. ``static/`` is what a browser gets."""
