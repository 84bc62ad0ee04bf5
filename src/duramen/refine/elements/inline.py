"""Runs of inline content: what shows something, and where a paragraph ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from duramen.dom import Element, Node, Text
from duramen.refine.elements.links import HEADINGS
from duramen.refine.elements.survey import blank

INLINE = frozenset(
    "a strong em b i u s del ins mark small sub sup q cite abbr dfn kbd samp var code time span ruby rt rp bdi"
    " bdo".split()
)
VOID = frozenset(("br", "img", "hr", "wbr", "col"))
FLOW = frozenset(("div", "section", "article", "blockquote", "details", "address"))
ITEMS = frozenset(("li", "dd", "dt", "td", "th", "caption", "figcaption", "summary"))
TABLE = frozenset(("table", "thead", "tbody", "tfoot", "tr", "colgroup"))
BLOCKS = FLOW | ITEMS | TABLE | HEADINGS | frozenset(("p", "ul", "ol", "dl", "pre", "hr", "figure", "col"))
KNOWN = INLINE | VOID | BLOCKS


def is_inline(node: Node) -> bool:
    return not isinstance(node, Element) or node.tag not in BLOCKS


def shows(node: Node) -> bool:
    """Whether an inline node is more than white space and line breaks."""
    if isinstance(node, Text):
        return not blank(node.data)
    return isinstance(node, Element) and node.tag not in ("br", "wbr")


def holds_image(node: Node) -> bool:
    return isinstance(node, Element) and (node.tag == "img" or next(node.iter_elements("img"), None) is not None)


def runs(children: Sequence[Node]) -> Iterator[list[Node]]:
    """Maximal stretches of inline nodes that show something."""
    run: list[Node] = []
    for child in (*children, None):
        if child is not None and is_inline(child):
            run.append(child)
        elif run:
            if any(map(shows, run)):
                yield run
            run = []


def most_informative(chosen: list[tuple[Element, list[Node]]]) -> list[tuple[Element, list[Node]]]:
    """Of what a link is wrapped around, the part with most to read: words rather than a label or a picture."""
    words = [sum(len(node.text.split()) for node in run if isinstance(node, (Element, Text))) for _, run in chosen[:8]]
    best = next((k for k, count in enumerate(words) if count > 2), None)
    if best is None:
        best = next((k for k, count in enumerate(words) if count), 0)
    return chosen[best : best + 1]


def is_break(node: Node) -> bool:
    return isinstance(node, Element) and node.tag == "br"


def paragraphs(run: Sequence[Node]) -> tuple[list[list[Node]], list[Node]]:
    """A run cut where two or more line breaks follow each other, and what is between the pieces."""
    pieces: list[list[Node]] = []
    between: list[Node] = []
    piece: list[Node] = []
    breaks: list[Node] = []
    for node in run:
        if is_break(node) or ((breaks or not piece) and isinstance(node, Text) and blank(node.data)):
            breaks.append(node)
            continue
        if breaks:
            if piece and sum(map(is_break, breaks)) < 2:
                piece += breaks
            else:
                between += breaks
                if piece:
                    pieces.append(piece)
                    piece = []
            breaks = []
        piece.append(node)
    if piece:
        pieces.append(piece)
    between += breaks
    shown = [piece for piece in pieces if any(map(shows, piece))]
    if len(shown) < len(pieces):
        between += [node for piece in pieces if not any(map(shows, piece)) for node in piece]
    return shown, between


def trim(element: Element) -> None:
    """Take white space off both ends of a paragraph made here."""
    children = element.children
    for child in children:
        if not isinstance(child, Text) or _stripped(child, child.data.lstrip()):
            break
    for child in reversed(children):
        if not isinstance(child, Text) or _stripped(child, child.data.rstrip()):
            break


def _stripped(text: Text, bare: str) -> bool:
    """Give a text its bare form; whether anything is left of it."""
    if not bare:
        text.extract()
    elif len(bare) < len(text.data):
        text.data = bare
    return bool(bare)


def trim_breaks(element: Element) -> None:
    """Take line breaks off both ends of a block."""
    children = element.children
    for side in (children, children[::-1]):
        for child in side:
            if not is_break(child) and not (isinstance(child, Text) and blank(child.data)):
                break
            child.extract()
