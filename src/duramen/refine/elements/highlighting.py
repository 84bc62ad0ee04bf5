"""What highlighters write: which of it is the text of the code, and which is beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, takewhile

from duramen.dom import Element, Node, Text
from duramen.refine.elements.survey import blank, near, tokens
from duramen.refine.elements.vocabulary import ordered, words

GUTTER = words("code-gutter")
TOOLS = words("code-tools")
_TOOL_PREFIXES = ordered("code-tool-prefixes")
NEVER_CODE = frozenset("button svg script style clipboard-copy input textarea template select noscript".split())
COLOURED = frozenset("span code a b i em strong u s font mark".split())
_LINE_TAGS = frozenset(("div", "p", "li", "tr"))
LINE_TOKENS = words("code-line")
_NOT_LINES = words("code-not-line")
_KEEPS_EMPTY_LINES = words("code-empty-line")


def code_text(block: Element) -> str:
    """The text of a code block: lines end where ``<br>``, a newline or a line element ends, and only once."""
    frames = (block, *near(block, 2), *first_inside(block, 4))
    keeps_empty_lines = any(not _KEEPS_EMPTY_LINES.isdisjoint(tokens(element)) for element in frames)
    if not keeps_empty_lines and _is_coloured_only(block):
        return block.text
    out: list[str] = []
    last = ""
    owed = False  # A line element has ended, its newline has not been seen yet.
    known: dict[str | None, tuple[bool, bool, bool]] = {}
    levels: list[tuple[Iterator[Node], bool, bool, int]] = [(iter(block.children), False, _has_lines(block), 0)]
    while levels:
        children, is_line, has_lines, start = levels[-1]
        node = next(children, None)
        if node is None:
            levels.pop()
            if is_line and (len(out) == start or last != "\n"):
                owed = True
            continue
        if isinstance(node, Element):
            tag = node.tag
            if tag == "br":
                owed = False
                out.append("\n")
                last = "\n"
                continue
            cls = node.attr("class")
            named = known.get(cls)
            if named is None:
                named = known[cls] = _marks(tokens(node))
            decorates, is_named_line, has_names = named
            if tag in NEVER_CODE or decorates:
                continue
            content = node.children
            block_line = tag in _LINE_TAGS
            line = block_line or is_named_line or (tag == "span" and "data-line" in node.attrs)
            if line and not block_line and not content and any(level[1] for level in levels):
                continue  # What is left of a line that was cut inside a token, as by VuePress: a line holds no lines.
            if line and (owed or (block_line and last not in ("", "\n"))):
                out.append("\n")
                last = "\n"
                owed = False
            only = content[0] if len(content) == 1 else None
            if not isinstance(only, Text) or line:
                # Nextra keeps an empty line open with one space.
                is_kept_open = isinstance(only, Text) and only.data == " "
                levels.append((iter(() if is_kept_open else content), line, _has_lines(node), len(out)))
                continue
            data = only.data
            # Since version 4 its lines have no name.
            if keeps_empty_lines and tag == "span" and not has_names and last == "\n" and data == " ":
                continue
        elif isinstance(node, Text):
            data = node.data
            if has_lines and data.isspace():
                continue
        else:
            continue
        if data:
            if owed:
                owed = False
                if data[0] != "\n":
                    out.append("\n")
            out.append(data)
            last = data[-1]
    return "".join(out)


def shows_code(block: Element) -> bool:
    """Whether anything in a block is code, and not beside it."""
    for text in block.descendants:
        if isinstance(text, Text) and not blank(text.data):
            inside = takewhile(lambda element: element is not block, text.ancestors)
            if not any(element.tag in NEVER_CODE or is_decoration(tokens(element)) for element in inside):
                return True
    return False


def line_numbers(block: Element) -> list[Element]:
    """The elements that only number a block's lines, whatever they are called: each begins its line, and they count."""
    numbers: list[Element] = []
    outside: Node | None = None
    bare = 0
    for element in block.iter_elements():
        parent = element.parent
        if parent is None or parent is block or len(element) != 1 or not element.text.strip().isdecimal():
            continue
        if not _begins(element):
            continue
        outside = outside or parent.parent
        if parent.parent is not outside or (numbers and int(element.text) != int(numbers[-1].text) + 1):
            return []
        numbers.append(element)
        bare += parent.text.strip() == element.text.strip()
    return numbers if 2 <= len(numbers) > 2 * bare else []


def _begins(element: Element) -> bool:
    """Whether nothing is shown before an element in its parent."""
    node = element.previous_sibling
    for _ in range(4):
        if node is None:
            return True
        if node.tag not in NEVER_CODE if isinstance(node, Element) else isinstance(node, Text) and node.data.strip():
            return False
        node = node.previous_sibling
    return False


def _is_coloured_only(block: Element) -> bool:
    """Whether the elements in a block only give its words a colour: none is a line, and none is beside the code."""
    known: set[str | None] = set()
    for element in block.iter_elements():
        if element.tag not in COLOURED or element.attr("data-line") is not None:
            return False
        cls = element.attr("class")
        if cls not in known:
            decorates, is_line, _ = _marks(tokens(element))
            if decorates or is_line:
                return False
            known.add(cls)
    return True


def _marks(names: list[str]) -> tuple[bool, bool, bool]:
    """Whether an element's names call it decoration and a line of code, and whether it has any."""
    return is_decoration(names), not LINE_TOKENS.isdisjoint(names) and _NOT_LINES.isdisjoint(names), bool(names)


def _has_lines(element: Element) -> bool:
    """Whether the lines are blocks, so that white space between them is only the page's own layout."""
    return any(isinstance(child, Element) and child.tag in _LINE_TAGS for child in element.children)


def is_decoration(names: Iterable[str]) -> bool:
    return any(name in GUTTER or name in TOOLS or name.startswith(_TOOL_PREFIXES) for name in names)


def first_inside(element: Element, count: int) -> Iterator[Element]:
    """An element and the first ones inside it."""
    yield element
    yield from islice(element.iter_elements(), count)
