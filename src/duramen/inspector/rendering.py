"""The whole page as safe HTML with every block marked, for the inspector.

It has none of the page's attributes: no links, no images, no styles. It is written from the page's tree, and the
sanitizer runs last, as for all other output.
"""

from __future__ import annotations

from collections.abc import Sequence

from duramen.dom import escape, fragment
from duramen.options import Output
from duramen.page import Page
from duramen.refine.sanitize import sanitize
from duramen.tree import BLOCK_TAGS

_SHOWN = {
    **{tag: tag for tag in "p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre table caption thead tbody tfoot tr"
       " th td figure figcaption strong em b i code kbd samp sub sup del ins".split()},
    "a": "u",
}  # fmt: skip
"""Elements that keep the look of the page. A link is underlined, but has no target."""
_DEEPEST = 60


def render_page(page: Page, kept: Sequence[bool]) -> str:
    """Put every text node of a shown block in a ``span`` with the classes ``b<number>`` and ``kept`` or ``dropped``."""
    tree, blocks = page.tree, page.blocks
    most = len(kept)
    out: list[str] = []
    closing: list[tuple[int, str]] = []
    b = 0
    for i, tag in enumerate(tree.tag):
        while closing and closing[-1][0] <= i:
            out.append(closing.pop()[1])
        if tree.gap[i]:
            out.append(" ")
        if not tag:
            while b < most and blocks.last[b] < i:
                b += 1
            if b < most and blocks.first[b] <= i and tree.chars[i + 1] > tree.chars[i]:
                state = "kept" if kept[b] else "dropped"
                out.append(f'<span class="b{b} {state}">{escape(tree.text[i])}</span>')
            continue
        name = _SHOWN.get(tag) or ("div" if tag in BLOCK_TAGS else "br" if tag == "br" else "")
        if name == "br":
            out.append("<br>")
        elif name and len(closing) < _DEEPEST and tree.chars_in(i):
            out.append(f"<{name}>")
            closing.append((tree.end[i], f"</{name}>"))
    out.extend(end for _, end in reversed(closing))
    return sanitize(fragment("".join(out)), Output(keep_classes=True))
