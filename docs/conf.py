"""How Sphinx builds the documentation: ``scripts/docs``."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

from sphinx.application import Sphinx

from duramen.field_docs import HEADING

ROOT = Path(__file__).resolve().parents[1]

project = "Duramen"
project_copyright = "the Duramen contributors, MIT licence"
release = version = metadata.version("duramen")
extensions = ["myst_parser", "sphinx.ext.autodoc"]
nitpicky = True
# Two packages have a Record, each in its own section.
suppress_warnings = ["ref.python"]
# Types of the standard library, and annotations that autodoc cuts at their brackets.
nitpick_ignore_regex = [
    ("py:class", r"(collections\.abc|os|pathlib|pandas|polars)\..*|.*\[.*|duramen\.(batch|fetch)\.\w+\.\w+"),
    ("py:obj", r"typing\.Literal\[.*"),
]

myst_heading_anchors = 3
autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True

html_theme = "furo"
html_title = "Duramen"
html_show_sphinx = False
html_copy_source = False

ELSEWHERE = {
    "architecture": "ARCHITECTURE.md",
    "changelog": "CHANGELOG.md",
    "contributing": "CONTRIBUTING.md",
    "frameworks": "src/duramen/data/frameworks/README.md",
    "model-card": "src/duramen/data/model/README.md",
    "security-policy": "SECURITY.md",
}
"""Pages of the site whose source is elsewhere in the repository, where people look for it."""


def read(app: Sphinx, page: str, source: list[str]) -> None:
    """Insert the text of a page whose source is elsewhere, and point its links to the site's pages."""
    if page in ELSEWHERE:
        app.env.note_dependency(str(ROOT / ELSEWHERE[page]))
        source[0] = (ROOT / ELSEWHERE[page]).read_text(encoding="utf-8")
    for name, path in ELSEWHERE.items():
        source[0] = re.sub(rf"\]\((?:\.\./)*{re.escape(path)}(?=[)#])", f"]({name}.md", source[0])
    if page in ELSEWHERE:
        source[0] = source[0].replace("](docs/", "](")


def without_fields(app: Sphinx, what: str, name: str, value: object, options: object, lines: list[str]) -> None:
    """Leave out of a class's docstring what the page says below, field by field."""
    if HEADING in lines:
        del lines[lines.index(HEADING) :]


def setup(app: Sphinx) -> None:
    app.connect("source-read", read)
    app.connect("autodoc-process-docstring", without_fields)
