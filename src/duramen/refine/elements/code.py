"""Code blocks: byte-exact text and a language out of every highlighter's own markup."""

from __future__ import annotations

from collections.abc import Iterator

from duramen.dom import Comment, Element, Text
from duramen.lazy_pattern import lazy_pattern
from duramen.refine.elements.highlighting import (
    GUTTER,
    LINE_TOKENS,
    NEVER_CODE,
    code_text,
    first_inside,
    is_decoration,
    line_numbers,
    shows_code,
)
from duramen.refine.elements.language import NO_LANGUAGE, known_language, language_of, named_language
from duramen.refine.elements.preformatted import is_set_text, keep_links
from duramen.refine.elements.survey import (
    Survey,
    blank,
    element_parent,
    element_sibling,
    near,
    replace,
    squeezed,
    tokens,
)
from duramen.refine.elements.vocabulary import ordered, words
from duramen.tables import load

_TITLES = lazy_pattern("|".join(load("units.toml")["listing-titles"]["classes"]))
_TITLE_ATTRIBUTES = ordered("code-title-attributes")
_HEADERS = words("code-header")

_FRAMES = frozenset(("div", "span", "figure", "code", "p", "font", "td", "tr", "tbody", "table", "center", "pre"))
"""What may be wrapped around a code block without saying anything."""
_CELLS = frozenset(("td", "tr", "tbody", "table"))
_CODE_CELLS = words("code-cell")
_NUMBERED_CELLS = words("code-numbered-cell")
_EDITOR_LINES = words("code-editor-line")
_DIFF_LINES = words("code-diff-line")
_LANGUAGE_LABELS = words("code-language-label")
_FORMULAS = words("math-code")

_PREFORMATTED = ("pre", "xmp", "listing")
_PROSE = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "img", "picture", "iframe", "video", "blockquote", "dl"))
"""A ``<pre>`` that holds one of these is no code block."""


def standardize_code(root: Element, survey: Survey) -> None:
    """Rewrite every code block as ``<pre><code class="language-…">`` holding nothing but text."""
    done: set[Element] = set()
    for editor in survey.roles["editor"]:
        if editor.tag not in ("textarea", "code") and editor not in done:
            done.update(editor.iter_elements())
            _rewrite_editor(root, editor)
    for diagram in survey.roles["mermaid"]:
        if diagram.tag in ("pre", "div", "figure") and next(diagram.iter_elements("pre"), None) is None:
            _rewrite_diagram(diagram)
    if "pre" in survey.tags or "xmp" in survey.tags or "listing" in survey.tags:
        _rewrite_blocks(root)
    if "code" in survey.tags:
        for code in list(root.iter_elements("code")):
            if code.parent is not None and _is_laid_out_in_lines(code):
                _rewrite(root, code)


def _rewrite_blocks(root: Element) -> None:
    blocks = list(root.iter_elements(_PREFORMATTED))
    for block in blocks:
        if _is_gutter(block):
            block.extract()
    inside = 0
    for block in blocks:
        if inside:
            # It went with the one around it, whose text has become code.
            inside -= 1
            continue
        if block.parent is None or _is_canonical(block) or not _FORMULAS.isdisjoint(tokens(block)):
            continue
        if any(element.tag == "pre" for element in near(block, 8)) and block.closest("pre") is not block:
            continue
        if next(block.iter_elements(_PROSE), None) is not None:
            block.tag = "div"
        elif is_set_text(block):
            keep_links(block)
        else:
            inside = sum(1 for _ in block.iter_elements(_PREFORMATTED))
            _rewrite(root, block)


def _is_canonical(block: Element) -> bool:
    children = block.children
    if len(children) != 1 or block.tag != "pre" or len(block.attrs):
        return False
    code = children[0]
    if not isinstance(code, Element) or code.tag != "code" or len(code) != 1 or not isinstance(code[0], Text):
        return False
    cls = code.attr("class")
    text = code[0].data
    return (
        _trimmed(text) == text
        # Where no language is named, an element around it may name it.
        and (cls is not None and cls.startswith("language-") and " " not in cls)
        and len(code.attrs) == 1
    )


def _is_gutter(block: Element) -> bool:
    """Whether a ``<pre>`` holds only the line numbers of another."""
    if not GUTTER.isdisjoint(own := tokens(block)) and "line-numbers" not in own:
        return squeezed(block.text).replace(" ", "").isdigit()
    if any(not GUTTER.isdisjoint(tokens(element)) for element in near(block, 3)):
        return True
    cell = next((element for element in near(block, 3) if element.tag == "td"), None)
    if cell is None or blank(block.text) or _NUMBERED_CELLS.isdisjoint(tokens(cell)):
        return False
    return not shows_code(block)


def _rewrite(root: Element, block: Element) -> None:
    if block.tag != "code" and not any(isinstance(child, Element) for child in block.children):
        text = block.text
    else:
        for number in line_numbers(block):
            number.extract()
        text = code_text(block)
    text = _trimmed(text)
    frame, path, before, after = _frame(root, block)
    language = language_of(block, path)
    if language == "diff":
        text = _signed(block, text)
    replace(frame, *before, *([_made(text, language)] if not blank(text) else []), *after)


def _signed(block: Element, text: str) -> str:
    """Expressive Code takes the signs of a diff off its lines and leaves them as classes."""
    lines = text.split("\n")
    marks = [names for line in block.iter_elements("div") if not _DIFF_LINES.isdisjoint(names := tokens(line))]
    if len(marks) != len(lines) or not any("ins" in names or "del" in names for names in marks):
        return text
    signs = ("+" if "ins" in names else "-" if "del" in names else " " for names in marks)
    return "\n".join(sign + line for sign, line in zip(signs, lines, strict=True))


def _made(text: str, language: str | None) -> Element:
    attributes = {"class": f"language-{language}"} if language else None
    return Element("pre", None, [Element("code", attributes, [Text(text)])])


def _trimmed(text: str) -> str:
    """The text without the blank lines at its end; white space that ends the last line of code stays."""
    bare = len(text.rstrip())
    newline = text.find("\n", bare)
    return text if newline < 0 else text[:newline]


# -- blocks drawn line by line ---------------------------------------------------------------------------------------


def _rewrite_editor(root: Element, editor: Element) -> None:
    if editor.parent is None:
        return
    names = tokens(editor)
    if "codemirror-line" in names:
        outer = element_parent(editor)
        if outer is None or outer is root:
            return
        editor = outer
    lines = list(_editor_lines(editor))
    if not lines:
        return
    text = "\n".join(lines)
    frame, path, before, after = _frame(root, editor)
    language = language_of(editor, path) or _label(editor)
    if language is None:
        language = next(
            (
                name
                for inner in first_inside(editor, 8)
                if (name := named_language(inner, trusted=False)) not in (None, *NO_LANGUAGE)
            ),
            None,
        )
    replace(frame, *before, _made(_trimmed(text), language), *after)


def _editor_lines(editor: Element) -> Iterator[str]:
    """The lines of an editor; it pads them with characters of its own, which are put back."""
    stack = [editor]
    while stack:
        element = stack.pop()
        names = tokens(element)
        if not GUTTER.isdisjoint(names) or element.tag in NEVER_CODE:
            continue
        if element is not editor and not _EDITOR_LINES.isdisjoint(names):
            # A newline inside a line is white space of the page's source.
            line = code_text(element).replace("\xa0", " ").replace("\u200b", "").strip("\n").replace("\n", " ")
            yield "" if blank(line) else line
            continue
        stack.extend(child for child in reversed(element.children) if isinstance(child, Element))


def _label(editor: Element) -> str | None:
    for element in editor.iter_elements("span"):
        if not _LANGUAGE_LABELS.isdisjoint(tokens(element)):
            return known_language(element.text)
    return None


def _rewrite_diagram(diagram: Element) -> None:
    if diagram.parent is None:
        return
    text = _trimmed(code_text(diagram)).strip("\n")
    replace(diagram, *([_made(text, "mermaid")] if not blank(text) else []))


def _is_laid_out_in_lines(code: Element) -> bool:
    """Whether a ``<code>`` outside ``<pre>`` is laid out in lines."""
    parent = element_parent(code)
    if parent is None or parent.tag == "pre":
        return False
    if next(code.iter_elements(), None) is None and "\n" not in code.text:
        return False
    if any(element.tag in ("pre", "code") for element in near(code, 4)):
        return False
    lines = 0
    for element in code.iter_elements(("br", "div", "span", "p")):
        tag = element.tag
        lines += tag != "span" or not LINE_TOKENS.isdisjoint(tokens(element)) or "data-line" in element.attrs
        if lines > 1:
            break
    if lines > 1:
        return True
    return code.text.strip().count("\n") > 1 and language_of(code, []) is not None


# -- frame ----------------------------------------------------------------------------------------------


def _frame(root: Element, block: Element) -> tuple[Element, list[Element], list[Element], list[Element]]:
    """The outermost element that holds the block alone, those between, and the titles found before and after it."""
    current, frame = block, block
    path: list[Element] = []
    before: list[Element] = []
    after: list[Element] = []
    held = (0, 0, 0)
    in_code_cell = False
    for parent in near(block, 9):
        tag = parent.tag
        if parent is root or (tag not in _FRAMES and "-" not in tag):
            break
        if tag in _CELLS:
            in_code_cell = in_code_cell or not _CODE_CELLS.isdisjoint(tokens(parent))
            if not in_code_cell:
                break
        titles = _titles_around(current)
        if titles is None:
            break
        before += reversed(titles[0])
        after += titles[1]
        current = parent
        path.append(parent)
        if tag not in ("td", "tr", "tbody"):  # A table is left as a whole or not at all.
            frame, held = parent, (len(path), len(before), len(after))
    header = element_sibling(frame, before=True)
    if header is not None and not _HEADERS.isdisjoint(tokens(header)) and len(header.text) < 200:
        header.extract()
    return frame, path[: held[0]], before[: held[1]][::-1], after[: held[2]]


def _titles_around(block: Element) -> tuple[list[Element], list[Element]] | None:
    """Titles beside a block whose other siblings are all decoration; None when something else is there."""
    found: tuple[list[Element], list[Element]] = ([], [])
    for side, is_before in ((found[0], True), (found[1], False)):
        node = block.previous_sibling if is_before else block.next_sibling
        steps = 0
        while node is not None:
            steps += 1
            if steps > 12:
                return None
            if isinstance(node, Element):
                if not _is_beside_code(node):
                    title = _title(node)
                    if title is None:
                        return None
                    side.append(title)
            elif isinstance(node, Text):
                if not (blank(node.data) or known_language(node.data)):
                    return None
            elif not isinstance(node, Comment):
                return None
            node = node.previous_sibling if is_before else node.next_sibling
        if is_before:
            side.reverse()
    return found


def _is_beside_code(element: Element) -> bool:
    if element.tag in NEVER_CODE:
        return True
    names = tokens(element)
    if not GUTTER.isdisjoint(names):
        return True
    text = squeezed(element.text)
    if not text:
        return next(element.iter_elements(("img", "pre", "iframe", "video")), None) is None
    if len(text) > 60:
        return False
    if element.tag in ("div", "span") and known_language(text):
        return True
    return is_decoration(names) or (element.tag == "div" and _only_buttons(element, text))


def _only_buttons(element: Element, text: str) -> bool:
    """Whether all text of an element is on its buttons."""
    labels = [squeezed(button.text) for button in element.iter_elements("button")]
    return bool(labels) and len("".join(labels).replace(" ", "")) >= len(text.replace(" ", ""))


def _title(element: Element) -> Element | None:
    """The name of a file or listing written over its code, as a paragraph."""
    marked = (
        element.tag == "figcaption"
        or any(_TITLES.fullmatch(name) for inner in first_inside(element, 2) for name in tokens(inner))
        or any(name.startswith(_TITLE_ATTRIBUTES) for name in element.attrs)
    )
    text = squeezed(element.text)
    if not marked or not text or len(text) > 300:
        return None
    return Element("p", None, [Text(text)])
