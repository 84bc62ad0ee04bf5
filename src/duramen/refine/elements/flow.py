"""The frame around the hard elements: paragraphs, headings, lists and figures, nothing empty, nothing meaningless.

One walk from the leaves up. After an element has been visited it is canonical: inline elements hold no blocks,
paragraphs hold no blocks, and whatever shows nothing is gone; so for a parent only its own children matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from duramen.dom import Element, Node, Text
from duramen.native import core
from duramen.refine.elements.inline import (
    BLOCKS,
    FLOW,
    INLINE,
    ITEMS,
    KNOWN,
    TABLE,
    VOID,
    holds_image,
    is_inline,
    most_informative,
    paragraphs,
    runs,
    shows,
    trim,
    trim_breaks,
)
from duramen.refine.elements.links import HEADINGS
from duramen.refine.elements.lists import adopt_orphans, repair_list
from duramen.refine.elements.survey import blank, element_parent, first_child, is_small, squeezed

child_kinds, inline_runs = core.child_kinds, core.inline_runs
RENAMED = {
    # Obsolete or page-level elements, by what they mean for the text.
    **dict.fromkeys(
        "center main header footer nav aside hgroup search form fieldset dialog body html noscript optgroup"
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
PUSHED = frozenset(("a", "strong", "em", "b", "i", "u", "s", "del", "ins", "mark", "small", "code"))
"""Inline elements that are written again inside the blocks they were wrapped around."""
RUN_HOLDERS = FLOW | HEADINGS | frozenset(("p", "li", "dd", "dt", "td", "th", "caption", "figcaption", "summary"))
_ORPHANS = frozenset(("li", "dt", "dd"))
_LINES = HEADINGS | frozenset(("p", "li", "dd", "dt", "td", "th", "caption"))
"""Elements that are in form when they hold inline content without line breaks."""
SINGLE = frozenset(("td", "th", "dt", "caption", "figcaption", "summary"))
"""Elements in which a lone paragraph means no more than its text."""
_TEXT, _ELEMENT, _BREAK, _BLOCK, _ORPHAN = (1 << bit for bit in range(5))
"""The kinds of children that decide what becomes of an element: shown text, inline elements, line breaks, blocks, and
items of lists among these."""
_VISIBLE = _TEXT | _ELEMENT | _BLOCK
_BUDGET = 300_000
"""Moved nodes after which wrappers stay: a page can nest them so that unwrapping each costs the square of its size."""


@cache
def _child_kinds() -> core.Lookup:
    """The kind of each tag for the compiled core; tags that it does not know are inline elements."""
    kinds = dict.fromkeys(BLOCKS, _BLOCK) | dict.fromkeys(_ORPHANS, _BLOCK | _ORPHAN) | {"br": _BREAK, "wbr": 0}
    return core.Lookup({tag: float(kind) for tag, kind in kinds.items()})


def standardize_flow(root: Element, *, keep_classes: bool) -> None:
    """Bring everything but the hard elements into canonical form."""
    _Flow(keep_classes).run(root, _renamed(root, keep_classes=keep_classes))


def _renamed(root: Element, *, keep_classes: bool) -> list[Element]:
    """Give obsolete elements their modern name and take off those that mean nothing, outermost first: what is left."""
    left: list[Element] = []
    for element in list(root.iter_elements()):
        tag = element.tag
        if tag == "span":
            if element.attr("data-math") is None and not (keep_classes and _is_labelled(element)):
                element.unwrap()
                continue
        elif tag == "div":
            if _holds_one_division(element) and not (keep_classes and _is_labelled(element)):
                element.unwrap()
                continue
        elif tag not in KNOWN:
            renamed = RENAMED.get(tag)
            if renamed is None and "-" in tag and _is_laid_out_as_block(element):
                renamed = "div"
            if renamed is None:
                element.unwrap()
                continue
            element.tag = renamed
        left.append(element)
    return left


def _holds_one_division(element: Element) -> bool:
    only = first_child(element)
    return isinstance(only, Element) and only.tag == "div" and only.next_sibling is None


def _is_labelled(element: Element) -> bool:
    return "class" in element.attrs or "id" in element.attrs


def _is_laid_out_as_block(element: Element) -> bool:
    """Whether a custom element is laid out as a block, as far as its neighbours show."""
    for child in element.children:
        if isinstance(child, Element) and (child.tag in BLOCKS or child.tag in RENAMED or "-" in child.tag):
            return True
    parent = element_parent(element)
    if parent is None or parent.tag not in FLOW:
        return False
    return not any(
        (isinstance(side, Text) and not blank(side.data)) or (isinstance(side, Element) and side.tag in INLINE)
        for side in (element.previous_sibling, element.next_sibling)
    )


class _Flow:
    """The visit of every element, children before parents."""

    __slots__ = ("budget", "keep_classes")

    def __init__(self, keep_classes: bool) -> None:
        self.keep_classes = keep_classes
        self.budget = _BUDGET

    def run(self, root: Element, elements: Sequence[Element]) -> None:
        tags = _child_kinds()
        for element in reversed(elements):
            tag = element.tag
            kinds = child_kinds(element, tags)
            if tag in INLINE:
                if tag == "a" or kinds & _BLOCK or not kinds & _VISIBLE:
                    self._inline(element, tag, kinds)
            elif tag in _LINES and kinds & _VISIBLE and not kinds & (_BLOCK | _BREAK):
                pass  # One line of text, as it should be.
            elif tag == "pre":
                if blank(element.text):
                    element.extract()
            elif tag not in VOID:
                self._block(element, tag, kinds)
        if child_kinds(root, tags) & _ORPHAN:
            adopt_orphans(root)
        self._wrap_runs(root)

    # -- inline ------------------------------------------------------------------------------------------------------

    def _inline(self, element: Element, tag: str, kinds: int) -> None:
        if kinds & _BLOCK:
            self._push_down(element, tag)
        elif not kinds & _VISIBLE:
            element.unwrap()  # The white space and breaks in it still part words.
        elif tag == "a" and kinds & _ELEMENT:
            for inner in list(element.iter_elements("a")):
                inner.unwrap()

    def _push_down(self, element: Element, tag: str) -> None:
        """Write an inline element again inside the blocks it holds; of a link only one copy, on its heading or text."""
        self.budget -= len(element)
        holders = [element, *element.iter_elements(RUN_HOLDERS)] if tag in PUSHED and self.budget > 0 else []
        if len(holders) > 200 and tag != "a":
            holders = []
        chosen: list[tuple[Element, list[Node]]] = []
        for holder in holders:
            for run in runs(holder.children):
                if tag == "a" and any(
                    isinstance(n, Element) and (n.tag == "a" or next(n.iter_elements("a"), None)) for n in run
                ):
                    continue
                chosen.append((holder, run))
            if tag == "a" and (holder.tag in HEADINGS and chosen and chosen[-1][0] is holder):
                chosen = chosen[-1:]
                break
        # Parsers take a name that begins with "=", but no element can be made with one.
        attributes = {name: value for name, value in element.attrs.items() if name[0] != "="}
        for _, run in most_informative(chosen) if tag == "a" else chosen:
            while not shows(run[0]):
                run.pop(0)
            while not shows(run[-1]):
                run.pop()
            if len(run) == 1 and isinstance(run[0], Element) and run[0].tag == tag:
                continue
            copy = Element(tag, attributes)
            run[0].insert_before(copy)
            copy.extend(run)
            self.budget -= len(run)
        element.unwrap()

    # -- blocks ------------------------------------------------------------------------------------------------------

    def _block(self, element: Element, tag: str, kinds: int) -> None:
        if not kinds & _VISIBLE:
            if tag not in ("td", "th", "colgroup"):
                self._remove(element)
        elif tag == "p":
            if kinds & _BLOCK:
                element.tag = "div"
                self._division(element, kinds)
            elif kinds & _BREAK:
                self._split(element)
        elif tag == "div":
            self._division(element, kinds)
        elif tag in HEADINGS:
            if kinds & _BLOCK:
                self._heading(element, kinds)
            elif kinds & _BREAK:
                trim_breaks(element)
        elif tag in ("ul", "ol", "dl"):
            repair_list(element)
        elif tag == "figure":
            self._figure(element, kinds)
        elif tag in ITEMS:
            self._item(element, tag, kinds)
        elif tag in FLOW:
            if kinds & _ORPHAN:
                adopt_orphans(element)
            self._wrap_runs(element)

    def _remove(self, element: Element) -> None:
        """Remove a block that shows nothing; it still parts the words around it."""
        parent = element_parent(element)
        if parent is not None and TABLE.isdisjoint((element.tag, parent.tag)):
            previous, following = element.previous_sibling, element.next_sibling
            if previous is not None and following is not None and is_inline(previous) and is_inline(following):
                element.insert_before(Element("br"))
                if parent.tag in FLOW:
                    element.insert_before(Element("br"))
        element.extract()

    def _division(self, element: Element, kinds: int) -> None:
        """A ``div`` of inline content is a paragraph; one of blocks is nothing."""
        parent = element.parent
        if not kinds & _BLOCK:
            if parent is not None and parent.tag in ITEMS and self._is_only(element, parent):
                self._unwrap(element)
                return
            element.tag = "p"
            if kinds & _BREAK:
                self._split(element)
            else:
                trim(element)
            return
        if parent is not None and parent.tag == "dl":
            self._unwrap(element)
            return
        if kinds & _ORPHAN:
            adopt_orphans(element)
        self._wrap_runs(element)
        self._unwrap(element)

    def _is_only(self, element: Element, parent: Element) -> bool:
        return is_small(parent, 8) and all(child is element or not shows(child) for child in parent.children)

    def _unwrap(self, element: Element) -> None:
        if self.keep_classes and _is_labelled(element):
            return
        self.budget -= len(element)
        if self.budget > 0:
            element.unwrap()

    def _split(self, element: Element) -> None:
        """Cut a paragraph where line breaks make an empty line."""
        pieces, between = paragraphs(element.children)
        if not pieces:
            self._remove(element)
            return
        for node in between:
            node.extract()
        for piece in pieces[:-1]:
            made = Element("p")
            element.insert_before(made)
            made.extend(piece)
            trim(made)
        trim(element)

    def _wrap_runs(self, element: Element) -> None:
        """Put inline content between blocks into paragraphs."""
        for run in inline_runs(element, _child_kinds(), _BLOCK):
            pieces, between = paragraphs(run)
            for piece in pieces:
                made = Element("p")
                piece[0].insert_before(made)
                made.extend(piece)
                trim(made)
            for node in between:
                node.extract()

    def _heading(self, element: Element, kinds: int) -> None:
        """A heading holds one line of text; with lists or tables in it, it is none."""
        if all(is_inline(child) or (isinstance(child, Element) and child.tag == "p") for child in element.children):
            for child in list(element.children):
                if isinstance(child, Element) and child.tag == "p":
                    if child.previous_sibling is not None:
                        child.insert_before(Text(" "))
                    child.unwrap()
            trim_breaks(element)
            return
        element.tag = "div"
        self._division(element, kinds)

    def _item(self, element: Element, tag: str, kinds: int) -> None:
        outer = element.parent.tag if element.parent is not None else ""
        if (tag == "summary" and outer != "details") or (tag == "figcaption" and not _in_figure(element)):
            element.tag = "div"
            self._division(element, kinds)
            return
        if kinds & _ORPHAN:
            adopt_orphans(element)
        if kinds & _BREAK:
            trim_breaks(element)
        if kinds & _BLOCK and tag in SINGLE:
            shown = [child for child in element.children if shows(child)]
            if len(shown) == 1 and isinstance(shown[0], Element) and shown[0].tag == "p":
                shown[0].unwrap()

    # -- figures -----------------------------------------------------------------------------------------------------

    def _figure(self, element: Element, kinds: int) -> None:
        """A figure shows a picture and may have one caption; anything else called so is a plain block."""
        has_figure = next(element.iter_elements("figure"), None) is not None
        if has_figure or not holds_image(element) or next(element.iter_elements("table"), None) is not None:
            captions = [c for c in element.iter_elements("figcaption") if _figure_around(c) is element]
            tables = list(element.iter_elements("table"))
            if len(captions) == len(tables) == 1 and next(tables[0].iter_elements("caption"), None) is None:
                captions[0].tag = "caption"
                tables[0].children[0].insert_before(captions.pop())
            for caption in captions:
                self._plain(caption)
            element.tag = "div"
            self._division(element, child_kinds(element, _child_kinds()) & _BLOCK | kinds & _BREAK)
            return
        for child in list(element.children):
            if isinstance(child, Element) and (child.tag == "br" or (child.tag == "p" and holds_image(child))):
                if child.tag == "br":
                    child.extract()
                else:
                    child.unwrap()
        self._caption(element)

    def _plain(self, caption: Element) -> None:
        caption.tag = "div"
        self._division(caption, child_kinds(caption, _child_kinds()) & _BLOCK | _BREAK)

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
            trim(made)


def _figure_around(element: Element) -> Element | None:
    parent = element_parent(element)
    while parent is not None and parent.tag != "figure":
        parent = element_parent(parent)
    return parent


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
        if is_inline(child) and not holds_image(child):
            run.append(child)
        elif run:
            yield run
            run = []
    if run:
        yield run
