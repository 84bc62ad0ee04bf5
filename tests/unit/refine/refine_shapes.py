"""What the tests of the refine stage share: one call, HTML in, canonical HTML out."""

from __future__ import annotations

from duramen.dom import Element, fragment
from duramen.options import Output
from duramen.refine.standardize import standardize

BASE = "https://example.org/docs/page"

_MEANT = frozenset(
    "href src alt title width height align colspan rowspan data-math data-callout data-footnotes"
    " data-footnote-ref".split()
)


def canonical(html: str, base_url: str | None = BASE, output: Output | None = None) -> str:
    """The canonical form of a piece of HTML, without the attributes that the sanitizer takes off anyway."""
    root = fragment(html)
    standardize(root, base_url, output or Output())
    strip(root)
    return root.inner_html


def strip(root: Element) -> None:
    """Leave only attributes that mean something in canonical form."""
    for element in root.iter_elements():
        parent = element.parent
        in_pre = isinstance(parent, Element) and parent.tag == "pre"
        for name in list(element.attrs):
            if name in _MEANT or (name == "class" and in_pre):
                continue
            if name == "id" and (element.attr("id") or "").startswith("fn-"):
                continue
            del element.attrs[name]
