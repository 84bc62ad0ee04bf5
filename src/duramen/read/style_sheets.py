"""Style sheets (https://www.w3.org/TR/css-syntax-3/): their rules in order, each with what it depends on.

Only rules that set one of the wanted properties are kept. A sheet is read once from left to right: strings, comments,
escapes and brackets are respected, nothing else is looked at before it is needed.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Set
from itertools import zip_longest
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from duramen.lazy_pattern import lazy_pattern
from duramen.read.style_selectors import LONGEST_SELECTOR, alternatives, nested

_COMMENT = lazy_pattern(
    r"""("(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)*+'?|url\([^"')]*+\))|/\*(?:.*?\*/|.*)""", re.I | re.S
)
_SIGN = lazy_pattern(
    r"""[{};()\[\]]|"(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)*+'?|\\.|url\(\s*+(?!["'])[^)\\]*+\)""", re.I | re.S
)
_DECLARATION = lazy_pattern(
    r"""\s*+(-?-?(?:[\w-]|[^\x00-\x7f]|\\[0-9a-fA-F]{1,6}+[ \t\n\r\f]?+|\\[^\n0-9a-fA-F])++)\s*+:(.*)""", re.S
)
_IMPORTANT = lazy_pattern(r"!\s*+important\s*+\Z", re.I)
_ESCAPE = lazy_pattern(r"\\(?:([0-9a-fA-F]{1,6})[ \t\n\r\f]?|\n|(.))", re.S)
_HACK = lazy_pattern(r"\\[09]++/?\s*+\Z")
_AT = lazy_pattern(r"@([\w-]+)\s*(.*)", re.S)
_URL = lazy_pattern(r"""(?:url\(\s*)?(?:"([^"]*)"|'([^']*)'|([^"')]*))\s*\)?(.*)""", re.I | re.S)
_DATA_URL = lazy_pattern(r"\s*data:text/css([^,]*),(.*)", re.I | re.S)
_WANTED_BY_IMPORT = lazy_pattern(r"\s*(?:(layer)\b(?:\(([^()]*)\))?|supports(\((?:[^()]|\([^()]*\))*\)))", re.I)
_CUSTOM_NAME = lazy_pattern(r"--(?:[\w-]|[^\x00-\x7f])*")
_XHTML = "http://www.w3.org/1999/xhtml"
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_MOST_NESTED = 32
_MOST_IMPORTED = 20
"""Sheets that are imported from ``data:`` addresses; they may be in each other."""
_GROUPS = frozenset({"media", "supports", "container", "layer", "scope", "starting-style"})
"""At-rules that hold rules; what any other holds is left out."""

Declarations = tuple[tuple[str, str, bool], ...]
"""Name, value and whether it is important, in order."""


class Condition(NamedTuple):
    """What an at-rule demands."""

    kind: str
    text: str


class Rule(NamedTuple):
    """Declarations for what a selector finds."""

    selector: str
    declarations: Declarations
    conditions: tuple[Condition, ...]
    layer: tuple[str, ...] | None
    """The names of the layers it is in, from outside; ``None`` without one."""
    shadow: int
    """The template of the shadow tree whose sheet it is in; -1 for one of the page."""
    within: int = -1
    """The element outside of which it holds for nothing; -1 for none."""


class Keyframes(NamedTuple):
    """The steps of an animation."""

    name: str
    steps: tuple[tuple[str, Declarations], ...]


class Registered(NamedTuple):
    """What ``@property`` says of a variable."""

    syntax: str = "*"
    inherits: bool = True
    initial: str | None = None


class Sheet(NamedTuple):
    """What a page's sheets say."""

    rules: list[Rule]
    keyframes: dict[str, Keyframes]
    layers: list[tuple[str, ...]]
    """In the order of their first mention."""
    registered: dict[str, Registered]
    """The variables that ``@property`` describes."""
    is_whole: bool
    """Whether no other sheet is imported."""


class _Block(NamedTuple):
    kind: str
    """``style``, ``group``, ``keyframes``, ``step``, ``property`` or ``other``."""
    selector: str
    conditions: tuple[Condition, ...]
    layer: tuple[str, ...] | None
    declarations: list[tuple[str, str, bool]]
    limit: str = ""
    """Where the scope around it ends."""
    within: int = -1
    """The element around the sheet, for a scope that names no other."""


class SheetReader:
    """Reads the sheets of one page."""

    def __init__(self, wanted: Set[str]) -> None:
        self.wanted = wanted
        self.rules: list[Rule] = []
        self.keyframes: dict[str, Keyframes] = {}
        self.layers: dict[tuple[str, ...], None] = {}
        self.registered: dict[str, Registered] = {}
        self.is_whole = True
        self._steps: list[tuple[str, Declarations]] = []
        self._imported = 0
        self._takes_imports = self._is_foreign = False
        self._shadow = self._owner = -1

    def sheet(self) -> Sheet:
        return Sheet(self.rules, self.keyframes, list(self.layers), self.registered, self.is_whole)

    def read(self, css: str, media: str = "", shadow: int = -1, owner: int = -1) -> None:
        """Add the rules of a sheet, of the page or of a shadow tree; ``owner`` is the element that it is in."""
        self._shadow, self._owner = shadow, owner
        self._read(css, media)

    def _read(self, css: str, media: str, around: _Block | None = None) -> None:
        """Add the rules of a sheet, maybe one that another imports."""
        conditions = (Condition("media", media.lower()),) if media.strip() else ()
        top = _Block("group", "", conditions, None, [])
        if around is not None:
            top = top._replace(conditions=(*around.conditions, *conditions), layer=around.layer)
        self._takes_imports, self._is_foreign = True, False
        blocks, brackets, start = [top], [], 0
        css = without_comments(css)
        for found in _SIGN.finditer(css):
            sign = found[0]
            if sign in ("(", "["):
                brackets.append(_CLOSING[sign])
            elif brackets:
                if sign == "{":
                    brackets.append("}")
                elif sign == brackets[-1]:
                    brackets.pop()
            elif sign == "{":
                prelude = css[start : found.start()]
                if _is_custom(prelude):
                    brackets.append("}")
                    continue
                blocks.append(self._opened(blocks[-1], prelude, len(blocks)))
                start = found.end()
            elif sign in (";", "}"):
                if len(blocks) == 1 and not css[start : found.start()].lstrip().startswith("@"):
                    continue  # part of the next selector, which is none with it
                self._item(blocks[-1], css[start : found.start()])
                start = found.end()
                if sign == "}" and len(blocks) > 1:
                    self._closed(blocks.pop())
        self._item(blocks[-1], css[start:])
        while blocks:
            self._closed(blocks.pop())

    def _opened(self, around: _Block, prelude: str, depth: int) -> _Block:
        prelude = prelude.replace("<!--", " ").replace("-->", " ").strip()
        if depth > _MOST_NESTED or around.kind == "other":
            return around._replace(kind="other", declarations=[])
        if around.kind == "keyframes":
            return around._replace(kind="step", selector=prelude.lower(), declarations=[])
        self._takes_imports = False
        if prelude.startswith("@"):
            return self._at_block(around, prelude)
        self._flush(around)
        selector = nested(around.selector, prelude) if around.selector and prelude else prelude
        if around.limit and selector:
            outside = f":not(:where({around.limit}, :where({around.limit}) *))"
            selector = ", ".join(f"{one}{outside}" for one in alternatives(selector))
        is_read = selector and len(selector) <= LONGEST_SELECTOR and not self._is_foreign
        kind = "style" if is_read else "other"
        return around._replace(kind=kind, selector=selector, declarations=[])

    def _at_block(self, around: _Block, prelude: str) -> _Block:
        found = _AT.match(prelude)
        name, rest = (unescaped(found[1]).lower(), found[2].strip()) if found else ("", "")
        if name.endswith("keyframes") and around.kind != "step":
            self._steps = []
            return around._replace(kind="keyframes", selector=unescaped(rest).strip("\"'"), declarations=[])
        if name == "property":
            return around._replace(kind="property", selector=unescaped(rest), declarations=[])
        if name not in _GROUPS or name == "starting-style":
            return around._replace(kind="other", declarations=[])
        self._flush(around)
        kind = "style" if around.kind == "style" else "group"
        if name == "layer":
            layer = (*(around.layer or ()), *(rest.split(".") if rest else (f"#{len(self.layers)}",)))
            self.layers.setdefault(layer)
            return around._replace(kind=kind, layer=layer, declarations=[])
        if name == "scope":
            root, _, limit = rest.partition(" to ")
            within = around.within if root.strip() else self._owner
            scope = f":where({_bare(root) or '*'})"
            return around._replace(kind="style", selector=scope, declarations=[], limit=_bare(limit), within=within)
        return around._replace(
            kind=kind, conditions=(*around.conditions, Condition(name, rest.lower())), declarations=[]
        )

    def _item(self, block: _Block, text: str) -> None:
        if block.kind == "other":
            return
        if "@" in text and text.lstrip().startswith("@"):
            self._statement(block, text.strip())
        elif block.kind == "property":
            name, _, value = (part.strip() for part in text.lower().partition(":"))
            known = self.registered.get(block.selector, Registered())
            if name == "initial-value":
                known = known._replace(initial=value)
            elif name == "inherits":
                known = known._replace(inherits=value != "false")
            elif name == "syntax":
                known = known._replace(syntax=value.strip("\"'"))
            self.registered[block.selector] = known
        elif block.kind in ("style", "step") and (found := declaration(text, self.wanted)):
            block.declarations.append(found)

    def _statement(self, block: _Block, text: str) -> None:
        found = _AT.match(text)
        name, rest = (found[1].lower(), found[2]) if found else ("", "")
        if name == "layer":
            for layer in rest.split(","):
                self.layers.setdefault((*(block.layer or ()), *layer.strip().split(".")))
        elif name == "namespace":
            self._is_foreign = rest[:1] in ("'", '"') or rest.startswith("url(")
            self._is_foreign = self._is_foreign and _XHTML not in rest
        elif name == "import" and self._takes_imports and (url := _URL.match(rest.strip())):
            css = data_sheet(url[1] or url[2] or url[3] or "")
            if css is None:
                self.is_whole = False
            elif self._imported < _MOST_IMPORTED:
                self._imported += 1
                media, imported = url[4], block
                while wanted := _WANTED_BY_IMPORT.match(media):
                    media = media[wanted.end() :]
                    if wanted[1]:
                        imported = self._at_block(imported, f"@layer {wanted[2] or ''}")
                    else:
                        condition = Condition("supports", wanted[3].lower())
                        imported = imported._replace(conditions=(*imported.conditions, condition))
                self._read(css, media, imported)

    def _flush(self, block: _Block) -> None:
        if block.kind == "style" and block.declarations:
            self.rules.append(
                Rule(
                    block.selector, tuple(block.declarations), block.conditions, block.layer, self._shadow, block.within
                )
            )
            block.declarations.clear()

    def _closed(self, block: _Block) -> None:
        self._flush(block)
        if block.kind == "step" and block.declarations:
            self._steps.append((block.selector, tuple(block.declarations)))
        elif block.kind == "keyframes":
            self.keyframes[block.selector] = Keyframes(block.selector, tuple(self._steps))


def without_comments(css: str) -> str:
    """CSS without its comments; where one parts two names, a space does."""
    if "/*" not in css:
        return css

    def part(found: re.Match[str]) -> str:
        if found[1] is not None:
            return found[1]
        around = css[max(found.start() - 1, 0) : found.start()] + css[found.end() : found.end() + 1]
        return " " if len(around) == 2 and all(c.isalnum() or c in "-_" for c in around) else ""

    return _COMMENT.sub(part, css)


def declarations_in(style: str, wanted: Set[str]) -> Iterator[tuple[str, str, bool]]:
    """The declarations of a style attribute."""
    style = without_comments(style)
    start, brackets = 0, []
    for found in _SIGN.finditer(style):
        sign = found[0]
        if sign in _CLOSING:
            brackets.append(_CLOSING[sign])
        elif brackets:
            if sign == brackets[-1]:
                brackets.pop()
        elif sign == ";":
            if one := declaration(style[start : found.start()], wanted):
                yield one
            start = found.end()
    if one := declaration(style[start:], wanted):
        yield one


def declaration(text: str, wanted: Set[str]) -> tuple[str, str, bool] | None:
    """A declaration of a wanted property, or of one whose name begins with two hyphens."""
    found = _DECLARATION.match(text)
    if found is None:
        return None
    name, value = found[1], found[2]
    if "\\" in name:
        name = unescaped(name)
    is_custom = name.startswith("--")
    if not is_custom and (name := name.lower()) not in wanted:
        return None
    value = value.strip()
    is_important = False
    if "!" in value and (important := _IMPORTANT.search(value)):
        value, is_important = value[: important.start()].rstrip(), True
    if "\\" in value:
        if _HACK.search(value):
            return None  # for old browsers only
        value = unescaped(value)
    return name, " ".join((value if is_custom else lowered(value)).split()), is_important


def lowered(value: str) -> str:
    """A value in lower case, but for the names of variables, which have a case."""
    if "--" not in value:
        return value.lower()
    names = _CUSTOM_NAME.findall(value)
    rest = (part.lower() for part in _CUSTOM_NAME.split(value))
    return "".join(part for pair in zip_longest(rest, names, fillvalue="") for part in pair)


def unescaped(text: str) -> str:
    """A text with the characters that its escapes are for."""

    def character(found: re.Match[str]) -> str:
        if found[1] is None:
            return found[2] or ""
        code = int(found[1], 16)
        return chr(code) if 0 < code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else "\ufffd"

    return _ESCAPE.sub(character, text) if "\\" in text else text


def data_sheet(url: str) -> str | None:
    """The sheet in a ``data:`` address; ``None`` for any other address."""
    found = _DATA_URL.match(url)
    if found is None:
        return None
    body = unquote_to_bytes(found[2].replace("\n", ""))
    if found[1].strip().lower().endswith("base64"):
        try:
            body = base64.b64decode(body + b"==")
        except (binascii.Error, ValueError):
            return ""
    return body.decode("utf-8", "replace")


def _bare(prelude: str) -> str:
    """A selector without the brackets around it."""
    return prelude.strip().removeprefix("(").removesuffix(")").strip()


def _is_custom(prelude: str) -> bool:
    return "--" in prelude and prelude.lstrip().startswith("--") and ":" in prelude
