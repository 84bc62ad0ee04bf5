"""The last step before anything leaves: only what the policy names is written, from scratch.

The writer walks the draft once and writes tags and attributes that ``data/policy.toml`` allows, never a string of the
page that is not escaped. It follows the parser's own nesting rules while writing (no paragraph around a block, no link
in a link, every cell in a row), so that a browser reads back the tree that was written. Then the result is parsed
again and must come out unchanged twice: from the parser, and from the HTML library's own sanitizer, which knows nothing
of this one. What does not settle after a few rounds is written as plain paragraphs.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from duramen.dom import Element, Node, Text, fragment, sanitizer
from duramen.options import Output

__all__ = ["safe_text", "safe_url", "sanitize", "strip_invisible"]

_ROUNDS = 4

# What parsing does to a tree is not policy but the HTML standard; each set follows a rule of its tree construction.
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_VOID = frozenset({"br", "col", "hr", "img", "wbr"})
_CLOSES_P = frozenset(
    {
        *_HEADINGS,
        *("address", "article", "blockquote", "dd", "details", "div", "dl", "dt", "figcaption", "figure", "hr", "li"),
        *("ol", "p", "pre", "section", "summary", "table", "ul"),
    }
)
_BOUNDS_P = frozenset({"caption", "table", "td", "th"})
_BOUNDS_ITEM = (_CLOSES_P | _BOUNDS_P | frozenset({"tbody", "tfoot", "thead", "tr"})) - {"address", "div", "p"}
_KEPT_EMPTY = frozenset({"colgroup", "td", "th", "tr"})
_GROUPS = ("thead", "tbody", "tfoot")
_TABLE_PARTS: dict[str, frozenset[str]] = {
    "table": frozenset({"caption", "colgroup", *_GROUPS}),
    "colgroup": frozenset({"col"}),
    "tr": frozenset({"td", "th"}),
    **dict.fromkeys(_GROUPS, frozenset({"tr"})),
}
_ONLY_IN_TABLE = frozenset().union(*_TABLE_PARTS.values())
_FLOW = ""
_MISSING: dict[str, dict[str, tuple[str, ...]]] = {
    "table": {
        "tr": ("tbody",),
        "td": ("tbody", "tr"),
        "th": ("tbody", "tr"),
        "col": ("colgroup",),
        _FLOW: ("tbody", "tr", "td"),
    },
    "colgroup": {},
    "tr": {_FLOW: ("td",)},
    **{group: {"td": ("tr",), "th": ("tr",), _FLOW: ("tr", "td")} for group in _GROUPS},
}
_STRAY_BLOCKS = frozenset({"caption", "td", "th", "tr"})

# What holds inside an open element, as bits. A list item, an entry, a heading and a link end the one they stand in.
_ITEM, _ENTRY, _HEADING, _LINK, _IMPLIED, _TABLE, _PRE = (1 << bit for bit in range(7))
_AROUND = _ITEM | _ENTRY | _HEADING | _LINK


def _inside(tag: str) -> tuple[int, int]:
    """Which bits an element hands on from outside, and which it adds."""
    keeps = _HEADING | _LINK if tag in _BOUNDS_ITEM else _AROUND
    adds = {"li": _ITEM, "dd": _ENTRY, "dt": _ENTRY, "a": _LINK, "pre": _PRE}.get(tag, 0)
    return keeps, adds | (_HEADING if tag in _HEADINGS else 0) | (_TABLE if tag in _TABLE_PARTS else 0)


# Bidirectional overrides and isolates, tag characters, deprecated format characters and annotation marks hide or
# reorder what a person reads; a second variation selector in a row selects nothing and is a known place for hidden
# bytes. Joiners, directional marks and soft hyphens are part of ordinary text.
_SELECTOR = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_HIDDEN = "\u202a-\u202e\u2066-\u206f\ufff9-\ufffb\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
_CONTROL = "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"
_SPACING_CONTROL = "\x0b\x0c\x1c-\x1f\x85"
_SUSPECT = re.compile(f"[{_CONTROL}{_SPACING_CONTROL}{_HIDDEN}\ud800-\udfff]|[{_SELECTOR}]{{2}}")
_REMOVED = re.compile(f"[{_CONTROL}{_HIDDEN}]+")
_REPEATED_SELECTOR = re.compile(f"(?<=[{_SELECTOR}])[{_SELECTOR}]+")
_SPACED = re.compile(f"[{_SPACING_CONTROL}]")
_SURROGATE = re.compile("[\ud800-\udfff]")

_SCHEME = re.compile(r"([^/?#\\]*?):")
_HOST = re.compile(r"//[^\s/?#\\]")
_FOOTNOTE = re.compile(r"#fn-[1-9][0-9]{0,5}")
_UNSAFE_IN_URL = re.compile(r'[\s"<>`{}|^]')
_METADATA_URL_LIMIT = 2000

_Check = Callable[[str], str | None]
_Checks = tuple[tuple[str, _Check], ...]


def strip_invisible(text: str) -> tuple[str, int]:
    r"""Take out control and hidden characters; also says how many there were.

    Control characters that separate words become spaces and half surrogates U+FFFD; these are not counted.

    >>> strip_invisible("pay\u202eload\U000e0041")
    ('payload', 2)
    """
    if _SUSPECT.search(text) is None:
        return text, 0
    if _SURROGATE.search(text):
        # Two halves that belong together are one character, which may itself be a hidden one.
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    text = _SPACED.sub(" ", text)
    before = len(text)
    text = _REMOVED.sub("", text)
    text = _REPEATED_SELECTOR.sub("", text)
    return text, before - len(text)


def safe_text(value: str, limit: int) -> str:
    """A metadata string: plain text (not HTML, ``<`` may occur), white space folded, no longer than the limit.

    >>> safe_text("  a\\x00 <b>\\n c ", 5)
    'a <b>'
    """
    # Folding a string of megabytes for the sake of its first words is not worth it.
    value, _ = strip_invisible(value[: limit * 8 + 1000])
    return " ".join(value.split())[:limit].rstrip()


def safe_url(url: str) -> str | None:
    """A metadata address: absolute http or https without credentials, ready for an attribute; None for all others.

    >>> safe_url(" https://example.org/a b "), safe_url("javascript:alert(1)")
    ('https://example.org/a%20b', None)
    """
    address = _address(url, ("http", "https"), _METADATA_URL_LIMIT)
    if address is None or _SCHEME.match(address) is None:
        return None
    authority = re.split(r"[/?#]", address.partition("//")[2], maxsplit=1)[0]
    if "@" in authority or "\\" in address or _UNSAFE_IN_URL.search(authority):
        return None
    address = _UNSAFE_IN_URL.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), address)
    return address if len(address) <= _METADATA_URL_LIMIT else None


def sanitize(root: Element, output: Output) -> str:
    """The safe HTML of a draft: what stands inside the root. Parsing and sanitizing it again changes nothing."""
    policy = _policy(output.keep_classes, output.nofollow, output.links, output.images)
    html = _write(root, policy)
    for _ in range(_ROUNDS):
        visible, _ = strip_invisible(html)
        tree = fragment(visible)
        if html == visible == tree.inner_html == policy.second_opinion(tree):
            return html
        html = _write(tree, policy)
    return _plain(html)


def _plain(html: str) -> str:
    """The text alone, a paragraph for every run: the form that no parser reads in another way."""
    texts = (" ".join(text.split()) for text in fragment(strip_invisible(html)[0]).strings)
    return "".join(f"<p>{_escape(text)}</p>" for text in texts if text)


@dataclass(frozen=True, slots=True)
class _Policy:
    tags: dict[str, tuple[str, str | None, _Checks]]
    """By tag of the page: the tag to write, how its attributes must begin, and its attributes."""
    dropped: frozenset[str]
    fixed: dict[str, str]
    """Attributes written on every element of a tag, ready to be inserted."""
    depth: int
    second_opinion: Callable[[Element], str]


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(files("duramen").joinpath("data/policy.toml").read_text("utf-8"))


@cache
def _policy(keep_classes: bool, nofollow: bool, links: bool, images: bool) -> _Policy:
    data = _data()
    allowed = [tag for group in data["allow"] for tag in group["tags"]]
    dropped = {tag for group in data["drop"] for tag in group["tags"]}
    if not links:
        allowed.remove("a")
    if not images:
        allowed.remove("img")
        dropped.add("img")
    names: dict[str, dict[str, _Check]] = {tag: {} for tag in allowed}
    required: dict[str, str] = {}
    for rule in data["attribute"]:
        check = _check(rule, data)
        for tag in allowed if rule["on"] == ["*"] else [tag for tag in rule["on"] if tag in names]:
            names[tag][rule["name"]] = check
            if rule.get("required"):
                required[tag] = rule["name"]
    if keep_classes:
        kept = data["keep_classes"]
        for tag in allowed:
            names[tag]["class"] = _folded(_pattern(kept["class"]))
            names[tag]["id"] = _prefixed(_pattern(kept["id"]), kept["id_prefix"], names[tag].get("id"))
    tags: dict[str, tuple[str, str | None, _Checks]] = {}
    for tag, checks in names.items():
        first = required.get(tag)
        # A required attribute comes first, so that what was written tells whether it is there.
        order = sorted(checks, key=[first, *checks].index)
        tags[tag] = (tag, f' {first}="' if first else None, tuple((name, checks[name]) for name in order))
    for group in data["rename"]:
        tags |= dict.fromkeys(group["tags"], tags[group["to"]])
    fixed = {"a": f' rel="{data["nofollow"]["rel"]}"'} if nofollow and links else {}
    attributes = {tag: {*checks, *(["rel"] if tag in fixed else [])} for tag, checks in names.items()}
    return _Policy(
        tags=tags,
        dropped=frozenset(dropped),
        fixed=fixed,
        # A table refused at the limit would leave its cells without one, so a table may pass it by its own parts.
        depth=data["limits"]["depth"] - 4,
        second_opinion=sanitizer(allowed, attributes, data["schemes"]["link"]),
    )


def _check(rule: dict[str, Any], data: dict[str, Any]) -> _Check:
    if "pattern" in rule:
        return _pattern(rule["pattern"])
    limits, schemes = data["limits"], data["schemes"]
    kinds: dict[str, _Check] = {
        "link": lambda value: _link(value, schemes["link"], limits["url"]),
        "image": lambda value: _address(value, schemes["image"], limits["url"]),
        "text": lambda value: _words(value, limits["text"]) or None,
        "alt": lambda value: _words(value, limits["text"]),
    }
    return kinds[rule["kind"]]


def _pattern(pattern: str) -> _Check:
    matches = re.compile(pattern).fullmatch
    return lambda value: value if matches(value) else None


def _folded(check: _Check) -> _Check:
    return lambda value: check(" ".join(value.split()))


def _prefixed(check: _Check, prefix: str, own: _Check | None) -> _Check:
    def prefixed(value: str) -> str | None:
        if own is not None and own(value) is not None:
            return value
        value = strip_invisible(value)[0]
        return check(value if value.startswith(prefix) else prefix + value) if value else None

    return prefixed


def _words(value: str, limit: int) -> str:
    return strip_invisible(value)[0].strip()[:limit].rstrip()


def _link(value: str, schemes: list[str], limit: int) -> str | None:
    return value if _FOOTNOTE.fullmatch(value) else _address(value, schemes, limit)


def _address(value: str, schemes: list[str] | tuple[str, ...], limit: int) -> str | None:
    """An address read as browsers read it: trimmed, without line breaks; None if it is not of an allowed scheme."""
    value = strip_invisible(value)[0]
    value = value.strip().replace("\n", "").replace("\r", "").replace("\t", "").replace(" ", "%20")
    if value.startswith("//"):
        value = f"https:{value}"
    if not value or len(value) > limit or value[0] == "#":
        return None
    found = _SCHEME.match(value)
    if found is None:
        return None if value[0] in "/\\" and value[1:2] in ("/", "\\") else value
    scheme = found[1].lower()
    if scheme not in schemes:
        return None
    if scheme in ("http", "https") and _HOST.match(value, found.end()) is None:
        return None
    return value


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("\xa0", "&nbsp;").replace("<", "&lt;").replace(">", "&gt;")


@dataclass(frozen=True, slots=True)
class _Form:
    """How a tag is written and what it means for what stands inside."""

    start: str
    end: str
    keeps: int
    adds: int


@cache
def _form(tag: str) -> _Form:
    return _Form(f"<{tag}", f"</{tag}>", *_inside(tag))


class _Writer:
    """Writes elements and texts in such places that parsing gives back the same tree.

    An open element is a tuple: tag, attributes as written, place in ``parts``, bits, place of the paragraph around.
    """

    __slots__ = ("depth", "opened", "parts")

    def __init__(self, depth: int) -> None:
        self.parts: list[str] = []
        self.opened: list[tuple[str, str, int, int, int]] = [("", "", -1, 0, 0)]
        self.depth = depth

    def text(self, text: str) -> None:
        tag, _, at, bits, _ = self.opened[-1]
        if bits & _TABLE:
            if text.isspace() or self.settle(_FLOW) is None:
                return
        elif bits & _PRE and tag == "pre" and at == len(self.parts) - 1 and text[0] == "\n":
            # The parser skips one line break after this tag.
            self.parts.append("\n")
        self.parts.append(_escape(text))

    def open(self, tag: str, rest: str) -> None:
        """Open an element; one that may not stand here is replaced or left out."""
        if tag in _ONLY_IN_TABLE or self.opened[-1][3] & (_TABLE | _IMPLIED):
            settled = self.settle(tag)
            if settled is None:
                return
            if settled != tag:
                tag, rest = settled, ""
        if len(self.opened) > self.depth and tag not in _ONLY_IN_TABLE and tag not in _VOID:
            return
        parent, _, _, bits, paragraph = self.opened[-1]
        if bits & _AROUND:
            if (tag == "li" and bits & _ITEM) or (tag in ("dd", "dt") and bits & _ENTRY):
                # Its attributes are those of another tag.
                tag, rest = "div", ""
            elif (tag == "a" and bits & _LINK) or (tag in _HEADINGS and bits & _HEADING):
                return
        if tag in _CLOSES_P:
            if paragraph and self.opened[paragraph][0] == "p":
                self._widen(paragraph)
        elif tag in ("rt", "rp") and parent != "ruby":
            return
        if tag in _VOID:
            self.parts.append(f"<{tag}{rest}>")
        else:
            self._push(tag, rest, 0)

    def settle(self, tag: str) -> str | None:
        """Make room for an element where a table is open; None when there is no place for it."""
        flow = tag not in _ONLY_IN_TABLE
        while True:
            parent, _, _, bits, _ = self.opened[-1]
            parts = _TABLE_PARTS.get(parent)
            if not bits & _IMPLIED or (flow if parts is None else tag in parts):
                break
            self.close()
        if parts is None:
            return tag if flow else "div" if tag in _STRAY_BLOCKS else None
        if tag not in parts:
            missing = _MISSING[parent].get(_FLOW if flow else tag)
            if missing is None:
                return None
            for each in missing:
                self._push(each, "", _IMPLIED)
        return tag

    def close(self) -> None:
        tag, _, at, _, _ = self.opened.pop()
        if at == len(self.parts) - 1 and tag not in _KEPT_EMPTY:
            self.parts.pop()
        else:
            self.parts.append(_form(tag).end)

    def _push(self, tag: str, rest: str, implied: int) -> None:
        _, _, _, bits, paragraph = self.opened[-1]
        form = _form(tag)
        if tag == "p":
            paragraph = len(self.opened)
        elif tag in _BOUNDS_P:
            paragraph = 0
        self.opened.append((tag, rest, len(self.parts), bits & form.keeps | form.adds | implied, paragraph))
        self.parts.append(f"{form.start}{rest}>")

    def _widen(self, place: int) -> None:
        """A paragraph turns out to hold a block: it has been a division all along."""
        _, rest, at, bits, _ = self.opened[place]
        self.opened[place] = ("div", rest, at, bits, 0)
        self.parts[at] = f"<div{rest}>"


def _write(root: Element, policy: _Policy) -> str:
    writer = _Writer(policy.depth)
    tags, dropped, fixed = policy.tags, policy.dropped, policy.fixed
    parts, opened = writer.parts, writer.opened
    walk: list[tuple[Iterator[Node], int]] = [(iter(root.children), 1)]
    while walk:
        children, count = walk[-1]
        for node in children:
            if isinstance(node, Text):
                if text := node.data:
                    if opened[-1][3] & (_TABLE | _PRE):
                        writer.text(text)
                    else:
                        parts.append(_escape(text))
                continue
            if not isinstance(node, Element):
                continue
            rule = tags.get(node.tag)
            before = len(opened)
            if rule is None:
                if node.tag in dropped or node.tag.lower() in dropped:
                    continue
            else:
                tag, required, checks = rule
                rest = _attributes(node, checks) if node.attrs else ""
                if required is None or rest.startswith(required):
                    writer.open(tag, rest + fixed[tag] if tag in fixed else rest)
            walk.append((iter(node.children), before))
            break
        else:
            while len(opened) > count:
                writer.close()
            walk.pop()
    return "".join(parts)


def _attributes(element: Element, checks: _Checks) -> str:
    written = ""
    for name, check in checks:
        value = element.attr(name)
        if value is not None and (value := check(value)) is not None:
            escaped = _escape(value).replace('"', "&quot;")
            written += f' {name}="{escaped}"'
    return written
