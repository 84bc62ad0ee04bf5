"""Sanitized canonical HTML written as plain text and as Markdown."""

from duramen.render.front_matter import front_matter
from duramen.render.markdown import render_markdown
from duramen.render.text import render_text

__all__ = ["front_matter", "render_markdown", "render_text"]
