"""The frame around the hard elements: paragraphs, headings, lists and figures, nothing empty, nothing meaningless.

One walk from the leaves up. After an element has been visited it is canonical: inline elements hold no blocks,
paragraphs hold no blocks, and whatever shows nothing is gone; so a parent only ever looks at its own children.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from duramen.dom import Element, Node, Text
from duramen.refine.elements.links import HEADINGS
from duramen.refine.elements.survey import blank, element_parent, replace, squeezed

_RENAMED = {
    # Obsolete or page-level elements, by what they mean for the text.
    **dict.fromkeys(
        "center main header footer nav aside hgroup search form fieldset dialog body html noscript optgroup figure-wrapper"
        " slot noframes".split(),
        "div",
    ),
    "tt": "code",
    "strike": "s",
    "acronym": "abbr",
    "dir": "ul",
    "menu": "ul",
    "legend": "p",
    "listing": "pre",
    "xmp": "pre",
}
_INLINE = frozenset(
    "a strong em b i u s del ins mark small sub sup q cite abbr dfn kbd samp var code time span ruby rt rp bdi bdo".split()
)
_VOID = frozenset(("br", "img", "hr", "wbr", "col"))
_FLOW = frozenset(("div", "section", "article", "blockquote", "details", "address"))
_ITEMS = frozenset(("li", "dd", "dt", "td", "th", "caption", "figcaption", "summary"))
_TABLE = frozenset(("table", "thead", "tbody", "tfoot", "tr", "colgroup"))
_BLOCKS = _FLOW | _ITEMS | _TABLE | HEADINGS | frozenset(("p", "ul", "ol", "dl", "pre", "hr", "figure", "col"))
_KNOWN = _INLINE | _VOID | _BLOCKS
_PUSHED = frozenset(("a", "strong", "em", "b", "i", "u", "s", "del", "ins", "mark", "small", "code"))
"""Inline elements that are written again inside the blocks they were wrapped around."""
_RUN_HOLDERS = _FLOW | HEADINGS | frozenset(("p", "li", "dd", "dt", "td", "th", "caption", "figcaption", "summary"))
_ORPHANS = frozenset(("li", "dt", "dd"))
_SINGLE = frozenset(("td", "th", "dt", "caption", "figcaption", "summary"))
"""Elements in which a lone paragraph says no more than its text."""
_BUDGET = 300_000
"""Moved nodes after which wrappers stay: a page can nest them so that unwrapping each costs the square of its size."""


def standardize_flow(root: Element, *, keep_classes: bool) -> None:
    """Bring everything but the hard elements into canonical form."""
    _rename(root, keep_classes=keep_classes)
    _Flow(keep_classes).run(root)


def _rename(root: Element, *, keep_classes: bool) -> None:
    """Give obsolete elements their modern name and take off those that mean nothing, outermost first."""
    for element in list(root.iter_elements()):
        tag = element.tag
        if tag == "span":
            if "data-math" not in element.attrs and not (keep_classes and _is_labelled(element)):
                element.unwrap()
        elif tag not in _KNOWN:
            renamed = _RENAMED.get(tag)
            if renamed is None and "-" in tag and _stands_as_block(element):
                renamed = "div"
            if renamed is None:
                element.unwrap()
            else:
                element.tag = renamed
        elif tag == "div" and len(element) == 1:
            only = element[0]
            if isinstance(only, Element) and only.tag == "div" and not (keep_classes and _is_labelled(element)):
                element.unwrap()


def _is_labelled(element: Element) -> bool:
    return "class" in element.attrs or "id" in element.attrs


def _stands_as_block(element: Element) -> bool:
    """Whether a custom element is laid out as a block, as far as can be told without its style."""
    for child in element.children:
        if isinstance(child, Element) and (child.tag in _BLOCKS or child.tag in _RENAMED or "-" in child.tag):
            return True
    parent = element_parent(element)
    if parent is None or parent.tag not in _FLOW:
        return False
    return not any(
        (isinstance(side, Text) and not blank(side.data)) or (isinstance(side, Element) and side.tag in _INLINE)
        for side in (element.previous_sibling, element.next_sibling)
    )


def _is_inline(node: Node) -> bool:
    return not isinstance(node, Element) or node.tag not in _BLOCKS


def _shows(node: Node) -> bool:
    """Whether an inline node is more than white space and line breaks."""
    if isinstance(node, Text):
        return not blank(node.data)
    return isinstance(node, Element) and node.tag not in ("br", "wbr")


def _holds_image(node: Node) -> bool:
    return isinstance(node, Element) and (node.tag == "img" or next(node.iter_elements("img"), None) is not None)


def _runs(children: Sequence[Node]) -> Iterator[list[Node]]:
    """Maximal stretches of inline nodes that show something."""
    run: list[Node] = []
    shows = False
    for child in children:
        if _is_inline(child):
            run.append(child)
            shows = shows or _shows(child)
        else:
            if shows:
                yield run
            run, shows = [], False
    if shows:
        yield run


def _is_break(node: Node) -> bool:
    return isinstance(node, Element) and node.tag == "br"


def _paragraphs(run: list[Node]) -> list[list[Node]]:
    """A run cut where two or more line breaks follow each other; breaks at the edges of a piece are left out."""
    pieces: list[list[Node]] = []
    piece: list[Node] = []
    breaks: list[Node] = []
    for node in run:
        if _is_break(node) or ((breaks or not piece) and isinstance(node, Text) and blank(node.data)):
            breaks.append(node)
        else:
            if piece and sum(map(_is_break, breaks)) < 2:
                piece += breaks
            elif piece:
                pieces.append(piece)
                piece = []
            breaks = []
            piece.append(node)
    if piece:
        pieces.append(piece)
    return [piece for piece in pieces if any(map(_shows, piece))]


def _trim(element: Element) -> None:
    """Take white space off both ends of a paragraph made here."""
    while len(element) and isinstance(first := element[0], Text):
        first.data = first.data.lstrip()
        if first.data:
            break
        first.extract()
    while len(element) and isinstance(last := element[-1], Text):
        last.data = last.data.rstrip()
        if last.data:
            break
        last.extract()


def _trim_breaks(element: Element) -> None:
    """Take line breaks off both ends of a block."""
    for at in (0, -1):
        while len(element):
            edge = element[at]
            if not _is_break(edge) and not (isinstance(edge, Text) and blank(edge.data)):
                break
            edge.extract()


class _Flow:
    """The visit of every element, children before parents."""

    __slots__ = ("budget", "keep_classes")

    def __init__(self, keep_classes: bool) -> None:
        self.keep_classes = keep_classes
        self.budget = _BUDGET

    def run(self, root: Element) -> None:
        for element in reversed(list(root.iter_elements())):
            tag = element.tag
            if tag in _INLINE:
                self._inline(element, tag)
            elif tag not in _VOID and tag != "pre":
                self._block(element, tag)
            elif tag == "pre" and blank(element.text):
                element.extract()
        self._orphans(root)
        self._wrap_runs(root)

    # -- inline ------------------------------------------------------------------------------------------------------

    def _inline(self, element: Element, tag: str) -> None:
        shows = False
        for child in element.children:
            if isinstance(child, Text):
                shows = shows or not blank(child.data)
            elif isinstance(child, Element):
                if child.tag in _BLOCKS:
                    self._push_down(element, tag)
                    return
                shows = shows or child.tag not in ("br", "wbr")
            else:
                child.extract()
        if not shows:
            element.unwrap()  # The white space and breaks in it still part words.
        elif tag == "a":
            for inner in list(element.iter_elements("a")):
                inner.unwrap()

    def _push_down(self, element: Element, tag: str) -> None:
        """Write an inline element again inside the blocks it holds; of a link only one copy, on its heading."""
        self.budget -= len(element)
        holders = [element, *element.iter_elements(_RUN_HOLDERS)] if tag in _PUSHED and self.budget > 0 else []
        if len(holders) > 200 and tag != "a":
            holders = []
        chosen: list[tuple[Element, list[Node]]] = []
        for holder in holders:
            for run in _runs(holder.children):
                if tag == "a" and any(
                    isinstance(n, Element) and (n.tag == "a" or next(n.iter_elements("a"), None)) for n in run
                ):
                    continue
                chosen.append((holder, run))
            if tag == "a" and (holder.tag in HEADINGS and chosen and chosen[-1][0] is holder):
                chosen = chosen[-1:]
                break
        attributes = dict(element.attrs.items())
        for _, run in chosen[:1] if tag == "a" else chosen:
            while not _shows(run[0]):
                run.pop(0)
            while not _shows(run[-1]):
                run.pop()
            if len(run) == 1 and isinstance(run[0], Element) and run[0].tag == tag:
                continue
            copy = Element(tag, attributes)
            run[0].insert_before(copy)
            copy.extend(run)
            self.budget -= len(run)
        element.unwrap()

    # -- blocks ------------------------------------------------------------------------------------------------------

    def _block(self, element: Element, tag: str) -> None:
        block = br = shows = orphan = False
        for child in element.children:
            if isinstance(child, Text):
                shows = shows or not blank(child.data)
            elif isinstance(child, Element):
                name = child.tag
                if name == "br":
                    br = True
                elif name in _BLOCKS:
                    block = shows = True
                    orphan = orphan or name in _ORPHANS
                elif name != "wbr":
                    shows = True
            else:
                child.extract()
        if not shows:
            if tag not in ("td", "th", "colgroup"):
                self._remove(element)
            return
        if tag == "p":
            if block:
                element.tag = "div"
                self._division(element, block=True, br=br, orphan=orphan)
            elif br:
                self._split(element)
        elif tag == "div":
            self._division(element, block=block, br=br, orphan=orphan)
        elif tag in HEADINGS:
            if block:
                self._heading(element, br=br, orphan=orphan)
            elif br:
                _trim_breaks(element)
        elif tag in ("ul", "ol"):
            self._list(element)
        elif tag == "dl":
            self._definitions(element)
        elif tag == "figure":
            self._figure(element, br=br)
        elif tag in _ITEMS:
            self._item(element, tag, block=block, br=br, orphan=orphan)
        elif tag in _FLOW:
            if orphan:
                self._orphans(element)
            self._wrap_runs(element)

    def _remove(self, element: Element) -> None:
        """Remove a block that shows nothing; it still parts the words around it."""
        previous, following = element.previous_sibling, element.next_sibling
        if (previous is not None and _is_inline(previous)) and (following is not None and _is_inline(following)):
            replace(element, Text("\n"))
        else:
            element.extract()

    def _division(self, element: Element, *, block: bool, br: bool, orphan: bool) -> None:
        """A ``div`` of inline content is a paragraph; one of blocks is nothing."""
        parent = element_parent(element)
        if not block:
            if parent is not None and parent.tag in _ITEMS and self._is_only(element, parent):
                self._unwrap(element)
                return
            element.tag = "p"
            if br:
                self._split(element)
            else:
                _trim(element)
            return
        if parent is not None and parent.tag == "dl":
            self._unwrap(element)
            return
        if orphan:
            self._orphans(element)
        self._wrap_runs(element)
        self._unwrap(element)

    def _is_only(self, element: Element, parent: Element) -> bool:
        return len(parent) < 8 and all(child is element or not _shows(child) for child in parent.children)

    def _unwrap(self, element: Element) -> None:
        if self.keep_classes and _is_labelled(element):
            return
        self.budget -= len(element)
        if self.budget > 0:
            element.unwrap()

    def _split(self, element: Element) -> None:
        """Cut a paragraph where line breaks stand for an empty line."""
        children = list(element.children)
        pieces = _paragraphs(children)
        if not pieces:
            self._remove(element)
            return
        kept = {node for piece in pieces for node in piece}
        for child in children:
            if child not in kept:
                child.extract()
        for piece in pieces[:-1]:
            made = Element("p")
            element.insert_before(made)
            made.extend(piece)
            _trim(made)
        _trim(element)

    def _wrap_runs(self, element: Element) -> None:
        """Put inline content that stands between blocks into paragraphs."""
        run: list[Node] = []
        for child in element.children:
            if _is_inline(child):
                run.append(child)
            elif run:
                self._wrap_run(run)
                run = []
        if run:
            self._wrap_run(run)

    def _wrap_run(self, run: list[Node]) -> None:
        pieces = _paragraphs(run)
        if not pieces:
            for node in run:
                if isinstance(node, Element):
                    node.extract()
            return
        kept = {node for piece in pieces for node in piece}
        for piece in pieces:
            made = Element("p")
            piece[0].insert_before(made)
            made.extend(piece)
            _trim(made)
        for node in run:
            if node not in kept and isinstance(node, Element):
                node.extract()

    def _heading(self, element: Element, *, br: bool, orphan: bool) -> None:
        """A heading holds one line of text; with lists or tables in it, it is none."""
        if all(_is_inline(child) or (isinstance(child, Element) and child.tag == "p") for child in element.children):
            for child in list(element.children):
                if isinstance(child, Element) and child.tag == "p":
                    if child.previous_sibling is not None:
                        child.insert_before(Text(" "))
                    child.unwrap()
            _trim_breaks(element)
            return
        element.tag = "div"
        self._division(element, block=True, br=br, orphan=orphan)

    def _item(self, element: Element, tag: str, *, block: bool, br: bool, orphan: bool) -> None:
        parent = element_parent(element)
        outer = parent.tag if parent is not None else ""
        if (tag == "summary" and outer != "details") or (tag == "figcaption" and not _in_figure(element)):
            element.tag = "div"
            self._division(element, block=block, br=br, orphan=orphan)
            return
        if orphan:
            self._orphans(element)
        if br:
            _trim_breaks(element)
        if block and tag in _SINGLE:
            shown = [child for child in element.children if _shows(child)]
            if len(shown) == 1 and isinstance(shown[0], Element) and shown[0].tag == "p":
                shown[0].unwrap()

    # -- lists -------------------------------------------------------------------------------------------------------

    def _list(self, element: Element) -> None:
        """Put whatever stands in a list but in no item into one; a list in a list belongs to the item before it."""
        item: Element | None = None
        loose: Element | None = None
        made: list[Element] = []
        for child in list(element.children):
            if isinstance(child, Element) and child.tag == "li":
                item, loose = child, None
            elif not _shows(child):
                if isinstance(child, Element):
                    child.extract()
            elif isinstance(child, Element) and child.tag in ("ul", "ol") and item is not None:
                item.append(child)
            else:
                if loose is None:
                    item = loose = Element("li")
                    made.append(loose)
                    child.insert_before(loose)
                loose.append(child)
        for item in made:
            self._orphans(item)

    def _definitions(self, element: Element) -> None:
        loose: Element | None = None
        made: list[Element] = []
        for child in list(element.children):
            if isinstance(child, Element) and child.tag in ("dt", "dd"):
                loose = None
            elif not _shows(child):
                if isinstance(child, Element):
                    child.extract()
            elif isinstance(child, Element) and child.tag == "dl" and loose is None:
                child.unwrap()
            else:
                if loose is None:
                    loose = Element("dd")
                    made.append(loose)
                    child.insert_before(loose)
                loose.append(child)
        for item in made:
            self._orphans(item)

    def _orphans(self, element: Element) -> None:
        """Give items that stand outside a list one of their own."""
        made: Element | None = None
        kind = ""
        for child in list(element.children):
            tag = child.tag if isinstance(child, Element) else ""
            wanted = "ul" if tag == "li" else "dl" if tag in ("dt", "dd") else ""
            if not wanted:
                if not (isinstance(child, Text) and blank(child.data)):
                    made = None
                continue
            if made is None or kind != wanted:
                made, kind = Element(wanted), wanted
                child.insert_before(made)
            made.append(child)

    # -- figures -----------------------------------------------------------------------------------------------------

    def _figure(self, element: Element, *, br: bool) -> None:
        """A figure shows a picture and may have one caption; anything else called so is a plain block."""
        has_figure = next(element.iter_elements("figure"), None) is not None
        if has_figure or not _holds_image(element) or next(element.iter_elements("table"), None) is not None:
            for caption in list(element.iter_elements("figcaption")):
                self._plain(caption)
            element.tag = "div"
            block = any(isinstance(child, Element) and child.tag in _BLOCKS for child in element.children)
            self._division(element, block=block, br=br, orphan=False)
            return
        for child in list(element.children):
            if isinstance(child, Element) and (child.tag == "br" or (child.tag == "p" and _holds_image(child))):
                if child.tag == "br":
                    child.extract()
                else:
                    child.unwrap()
        self._caption(element)

    def _plain(self, caption: Element) -> None:
        caption.tag = "div"
        block = any(isinstance(child, Element) and child.tag in _BLOCKS for child in caption.children)
        self._division(caption, block=block, br=True, orphan=False)

    def _caption(self, element: Element) -> None:
        """Text beside a picture becomes its caption unless there is one."""
        captions = [c for c in element.children if isinstance(c, Element) and c.tag == "figcaption"]
        for extra in captions[1:]:
            self._plain(extra)
        words = [
            run
            for run in _text_runs(element.children)
            if squeezed("".join(n.text if isinstance(n, Element) else getattr(n, "data", "") for n in run))
        ]
        for index, run in enumerate(words):
            made = Element("p" if captions or index else "figcaption")
            run[0].insert_before(made)
            made.extend(run)
            _trim(made)


def _in_figure(element: Element) -> bool:
    parent = element_parent(element)
    for _ in range(4):
        if parent is None:
            return False
        if parent.tag == "figure":
            return True
        parent = element_parent(parent)
    return False


def _text_runs(children: Sequence[Node]) -> Iterator[list[Node]]:
    """Stretches of inline nodes without a picture."""
    run: list[Node] = []
    for child in children:
        if _is_inline(child) and not _holds_image(child):
            run.append(child)
        elif run:
            yield run
            run = []
    if run:
        yield run
