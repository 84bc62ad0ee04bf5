"""Formulas that a script or a server would draw: TeX between delimiters in text, and in addresses of pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote, unquote_plus

from duramen.dom import Element, Node, Text
from duramen.lazy_pattern import lazy_pattern
from duramen.refine.elements.vocabulary import ordered, pattern
from duramen.tree import Tree

_SCRIPTS = ordered("math-scripts")
_ADDRESSES = pattern("math-addresses", re.IGNORECASE)
_DOLLARS = lazy_pattern(r"""\[\s*+["']\$["']\s*+,\s*+["']\$["']|left["']?\s*+:\s*+["']\$["']""")
"""Settings of MathJax and KaTeX by which single dollars are delimiters, too."""
_MOST_SETTINGS = 20_000
"""Characters of a script in which settings are looked for."""
_MARKED = r"\\\(|\\\[|\$\$|\\begin\{((?:equation|align|gather|multline|eqnarray|alignat)\*?)\}"
_OPENING = lazy_pattern(_MARKED)
_OPENING_OR_DOLLAR = lazy_pattern(_MARKED + r"|(?<![\\$\w])\$(?![\s$])")
_CLOSING = {r"\(": r"\)", r"\[": r"\]", "$$": "$$", "$": "$"}
_LONGEST = 4000
"""Characters of a formula."""
_BREAK = "\0"
"""A line break among joined texts, in which this character cannot occur."""
_NOT_TYPESET = frozenset(("pre", "code", "kbd", "samp", "tt", "script", "style", "textarea", "math"))
_MARKS = (b"\\(", b"\\[", b"\\begin{")
_SETTINGS = lazy_pattern(r"\\(?:inline|dpi\s*\{\d+\}|bg_\w+|fn_\w+|tiny|small|large|Large|LARGE|huge)(?![a-zA-Z])\s*")
"""Commands of picture servers that are not TeX."""


def opening_delimiters(tree: Tree, draft: str | bytes) -> re.Pattern[str] | None:
    """What opens a formula in a page's text; None where there is none, or no script that typesets them."""
    sources = " ".join([source for _, source in tree.stated("script", ("src",))]).lower()
    if not any(name in sources for name in _SCRIPTS):
        return None
    written = draft if isinstance(draft, bytes) else draft.encode("utf-8", "surrogatepass")
    is_marked = b"$$" in written or any(mark in written for mark in _MARKS)
    if not (is_marked or b"$" in written):
        return None
    settings = [tree.only_text(i) for i in tree.tagged(frozenset({"script"}))]
    settings += [handler for _, handler in tree.stated("script", ("onload",))]
    if any(_DOLLARS.search(written[:_MOST_SETTINGS]) for written in settings):
        return _OPENING_OR_DOLLAR
    return _OPENING if is_marked else None


def standardize_tex(root: Element, opening: re.Pattern[str]) -> None:
    """Rewrite the formulas in texts as ``<span data-math>``."""
    skipped: set[Element] = set()
    for element in [root, *root.iter_elements()]:
        if element.parent in skipped or element.tag in _NOT_TYPESET or element.attr("data-math") is not None:
            skipped.add(element)
            continue
        for run in _runs(element):
            _rewrite(run, opening)


def _runs(element: Element) -> Iterator[list[Node]]:
    """Texts and line breaks that follow each other: some editors break the lines of a formula."""
    run: list[Node] = []
    for child in (*element.children, None):
        if isinstance(child, Text) or (isinstance(child, Element) and child.tag == "br"):
            run.append(child)
        elif run:
            if any(isinstance(node, Text) and ("\\" in node.data or "$" in node.data) for node in run):
                yield run
            run = []


def _rewrite(run: list[Node], opening: re.Pattern[str]) -> None:
    text = "".join(node.data if isinstance(node, Text) else _BREAK for node in run)
    made: list[Node] = []
    done = 0
    for start, stop, latex, display in _formulas(text, opening):
        made += _plain(text[done:start])
        made.append(formula(latex, display=display))
        done = stop
    if done:
        made += _plain(text[done:])
        run[0].insert_before(*made)
        for node in run:
            node.extract()


def _plain(text: str) -> Iterator[Node]:
    for number, line in enumerate(text.split(_BREAK)):
        if number:
            yield Element("br")
        if line:
            yield Text(line)


def _formulas(text: str, opening: re.Pattern[str]) -> Iterator[tuple[int, int, str, bool]]:
    """Where each formula begins and ends, its TeX, and whether it is a paragraph of its own."""
    at = 0
    while found := opening.search(text, at):
        closing = _CLOSING.get(found[0]) or rf"\end{{{found[1]}}}"
        end = text.find(closing, found.end(), found.end() + _LONGEST)
        at = found.end()
        latex = text[at:end].replace(_BREAK, "\n").strip() if end >= 0 else ""
        if not latex or (found[0] == "$" and not _is_inline(text, at, end)):
            continue
        at = end + len(closing)
        if found[1]:
            latex = text[found.start() : at].replace(_BREAK, "\n")
        yield found.start(), at, latex, found[0] not in (r"\(", "$")


def _is_inline(text: str, start: int, end: int) -> bool:
    """Whether text between two dollars is a formula, not what lies between two prices."""
    return not text[end - 1].isspace() and not text[end + 1 : end + 2].isdigit() and _BREAK not in text[start:end]


def formula(latex: str, *, display: bool) -> Element:
    """The canonical form of a formula."""
    return Element("span", {"data-math": "display" if display else "inline"}, [Text(latex)])


def tex_in_address(url: str) -> str:
    """The formula that a picture's address asks its server to draw; empty if it is no such picture.

    >>> tex_in_address("https://latex.codecogs.com/svg.image?%5Cfrac%7Ba%7D%7Bb%7D")
    '\\\\frac{a}{b}'
    """
    if not ("tex" in url or "math" in url or "chl=" in url):
        return ""
    found = _ADDRESSES.search(url[: 2 * _LONGEST])
    if not found:
        return ""
    written = next(group for group in found.groups() if group is not None)
    # A value of a query has plus signs for spaces; a whole query is TeX as it is.
    decode = unquote_plus if url[found.end() - len(written) - 1 : found.end() - len(written)] == "=" else unquote
    return _SETTINGS.sub("", decode(written).replace("&space;", " ")).strip()
