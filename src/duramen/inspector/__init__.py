"""The inspector: shows which parts of a page were kept or dropped, and why. ``static/`` is served to browsers."""
