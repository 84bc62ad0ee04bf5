"""Templates that scripts would fill, or that a server did not."""

from __future__ import annotations

from collections.abc import Sequence

from duramen.lazy_pattern import lazy_pattern
from duramen.page import Page

_PLACE = lazy_pattern(r"\{\{[^{}]{1,120}\}\}|\$\{[^{}]{1,120}\}|\{%[^{}%]{1,120}%\}|<%[^<>%]{1,120}%>")
"""Where a value is to be put: Handlebars, Vue and Angular; template literals; Jinja and Liquid; ERB and JSP."""
_SHARE = 0.3
"""With such a share of places to be filled the text is a template; one that explains templates has fewer."""
_CODE = frozenset({"pre", "code"})


def unfilled(page: Page, kept: Sequence[int]) -> str:
    """Why these blocks are a template; empty if they are none."""
    tree, blocks = page.tree, page.blocks
    owners = ((b, blocks.owner[b]) for b in kept)
    texts = [blocks.text[b] for b, i in owners if not any(tree.tag[j] in _CODE for j in (i, *tree.ancestors(i)))]
    places = [place for text in texts for place in _PLACE.findall(text)]
    share = sum(map(len, places)) / max(1, sum(map(len, texts)))
    return f"{share:.0%} of the text are places to be filled ({places[0][:40]})" if share >= _SHARE else ""
