"""Rule files: TOML to a validated :class:`~duramen.model.SiteRule`, or an error that says what to write; and back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, get_args
from urllib.parse import urlsplit

from duramen.errors import RuleError
from duramen.lazy_pattern import lazy_pattern
from duramen.model import TIERS, PageType, RuleCase, SiteRule
from duramen.selectors import SelectorSyntaxError, read_selector
from duramen.toml_copies import read_toml

_DOMAIN = lazy_pattern(r"(?!-)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*", re.I)
_ID = lazy_pattern(r"[a-z0-9][a-z0-9._-]*", re.I)
_PLAIN_HOST = lazy_pattern(r"https?://([a-z0-9.-]+)(?=[/?#]|\Z)")
"""A plain host name in a URL, without user or port."""
_LINE = 100
"""Longer lists are written with a line for each entry."""
METADATA = ("title", "author", "published")
TAGS = tuple("h2 h3 h4 h5 h6 p div span pre code blockquote figure figcaption ul ol li em strong hr".split())
"""The tags an element may be renamed to."""

_TABLES: Mapping[str, Mapping[str, str]] = {
    "": {
        "id": "text",
        "about": "text",
        "domains": "texts",
        "paths": "texts",
        "page_type": "text",
        "content": "table",
        "metadata": "table",
        "rename": "table",
        "thresholds": "table",
        "case": "tables",
    },
    "content": dict.fromkeys(("primary", "secondary", "fallback", "remove", "keep"), "texts"),
    "metadata": dict.fromkeys(METADATA, "texts"),
    "thresholds": {"words": "number", "paragraphs": "number", "link_density": "number", "quality": "number"},
    "case": {
        "name": "text",
        "url": "text",
        "page": "text",
        "html": "text",
        "contains": "texts",
        "lacks": "texts",
        "tier": "text",
        **dict.fromkeys(METADATA, "text"),
    },
}
_FORMS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "text": (lambda v: isinstance(v, str) and bool(v.strip()), '"some text"'),
    "texts": (lambda v: isinstance(v, list) and all(isinstance(t, str) and t.strip() for t in v), '["one", "two"]'),
    "number": (lambda v: isinstance(v, (int, float)) and not isinstance(v, bool) and v >= 0, "30"),
    "table": (lambda v: isinstance(v, dict), "[…] on a line of its own, its keys below it"),
    "tables": (lambda v: isinstance(v, list) and all(isinstance(t, dict) for t in v), "[[case]], its keys below it"),
}


class Draft:
    """A rule file while it is parsed: its text, to find line numbers, and its faults."""

    def __init__(self, text: str, source: str) -> None:
        self.lines, self.source = text.splitlines(), source
        self.faults: list[str] = []

    def fault(self, message: str, *marks: str) -> None:
        """Record a fault on the line of the last mark: a key or some text, each searched for after the previous one."""
        at, before = 0, ""
        for mark in marks:
            start = at + 1 if mark == before else at
            key = re.compile(rf"\s*[\"']?{re.escape(mark)}[\"']?\s*=")
            ways: tuple[Callable[[str], object], ...] = (key.match, lambda line, mark=mark: mark in line)  # type: ignore[misc]
            hits = (n for has in ways for n in range(start, len(self.lines)) if has(self.lines[n]))
            at, before = next(hits, at), mark
        self.faults.append(f"{self.source}:{at + 1}: {message}")


def read_rule(text: str, source: str) -> SiteRule:
    """Parse a rule; raises one :class:`~duramen.errors.RuleError` with all faults."""
    try:
        raw = read_toml(text)
    except ValueError as error:
        line = re.search(r"line (\d+)", str(error))
        at = line[1] if line else str(text.count("\n") + 1)
        raise RuleError(f"{source}:{at}: not TOML: {error}; {_toml_advice(text, int(at))}") from error
    draft = Draft(text, source)
    _check_keys(draft, raw)
    if not draft.faults:
        _check_values(draft, raw)
    if draft.faults:
        raise RuleError("\n".join(draft.faults))
    return _rule(raw, source)


def _toml_advice(text: str, at: int) -> str:
    lines = text.splitlines()
    line = lines[at - 1].strip() if 0 < at <= len(lines) else ""
    if "=" in line and line.partition("=")[2].strip()[:1] not in ('"', "'", "[", "{", "t", "f") and line[-1:].isalpha():
        return f'write text in quotes: {line.partition("=")[0].strip()} = "{line.partition("=")[2].strip()}"'
    if ":" in line and "=" not in line:
        return 'keys and values are separated by "=", not ":"'
    if line.count('"') % 2:
        return "close the quotes; write text that contains quotes in single quotes: 'a[rel=\"next\"]'"
    return 'a line is key = "value", key = ["one", "two"], [table], or a # comment'


def _check_keys(draft: Draft, raw: Mapping[str, Any]) -> None:
    """Check key names and value types, table by table."""
    for table, position, values in _tables(raw):
        known = _TABLES[table]
        for key, value in values.items():
            where = [f"[{table}]"] if table and not position else ["[[case]]"] * position
            if key not in known:
                from difflib import get_close_matches

                near = get_close_matches(key, known, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"available: {', '.join(known)}"
                draft.fault(f"unknown key {key!r}{f' in {table!r}' if table else ''}; {hint}", *where, key)
            elif not _FORMS[known[key]][0](value):
                form = _FORMS[known[key]][1]
                draft.fault(f"{key!r} must be {_article(known[key])}; write {key} = {form}", *where, key)


def _tables(raw: Mapping[str, Any]) -> Iterator[tuple[str, int, Mapping[str, Any]]]:
    yield "", 0, raw
    for name in ("content", "metadata", "thresholds"):
        if isinstance(raw.get(name), dict):
            yield name, 0, raw[name]
    cases = raw.get("case", ())
    for n, case in enumerate(cases if isinstance(cases, list) else ()):
        if isinstance(case, dict):
            yield "case", n + 1, case


def _article(kind: str) -> str:
    return {"texts": "a list of texts", "tables": "[[case]] tables"}.get(kind, f"a {kind}")


def _check_values(draft: Draft, raw: Mapping[str, Any]) -> None:
    for key, example in (
        ("id", 'id = "example"'),
        ("about", 'about = "How the site is built, and why these selectors."'),
        ("domains", 'domains = ["example.org"]'),
    ):
        if not raw.get(key):
            draft.fault(f"{key!r} is missing; write {example}")
    if raw.get("id") and not _ID.fullmatch(raw["id"]):
        draft.fault(f"id {raw['id']!r} may only contain letters, digits, dots and hyphens", "id")
    for domain in raw.get("domains", ()):
        _check_domain(draft, domain)
    for path in raw.get("paths", ()):
        if not path.startswith(("/", "*")):
            draft.fault(f'path {path!r} must begin with /; write paths = ["/{path}"]', "paths", path)
    if raw.get("page_type") not in (None, *get_args(PageType)):
        draft.fault(f"page_type must be one of {', '.join(get_args(PageType))}, not {raw['page_type']!r}", "page_type")
    if not raw.get("content", {}).get("primary"):
        draft.fault('no content selector; write primary = ["article .body"] below [content]', "[content]")
    for table in ("content", "metadata"):
        for key, selectors in raw.get(table, {}).items():
            for selector in selectors:
                _check_selector(draft, selector, f"[{table}]", key)
    for selector, tag in raw.get("rename", {}).items():
        _check_selector(draft, selector, "[rename]")
        if tag not in TAGS:
            draft.fault(f"{selector!r} cannot become {tag!r}; it may become {', '.join(TAGS)}", "[rename]", selector)
    cases = raw.get("case", ())
    if not cases:
        draft.fault("no case; write at least one [[case]] with name, url, html (or page) and contains")
    for n, case in enumerate(cases):
        _check_case(draft, case, ["[[case]]"] * (n + 1))


def _check_domain(draft: Draft, domain: str) -> None:
    if _DOMAIN.fullmatch(as_host(domain)):
        return
    host = host_in(domain if "//" in domain else f"//{domain}").removeprefix("*.")
    hint = f"write {host!r}" if _DOMAIN.fullmatch(host) else "write 'example.org'"
    draft.fault(f"{domain!r} is not a domain; {hint} (subdomains are included)", "domains", domain)


def _check_selector(draft: Draft, selector: str, *marks: str) -> None:
    try:
        read_selector(selector)
    except SelectorSyntaxError as error:
        first = selector.split('"')[0]
        advice = "write CSS, such as main article, #content or [data-testid='body']"
        draft.fault(f"{selector!r} is not a CSS selector ({error}); {advice}", *marks, first)


def _check_case(draft: Draft, case: Mapping[str, Any], marks: list[str]) -> None:
    name = case.get("name", "case without a name")
    if not case.get("name"):
        draft.fault('the case has no name; write name = "an article with a gallery"', *marks)
    if not case.get("url", "").startswith(("http://", "https://")):
        draft.fault(f'{name}: write url = "https://…", a URL that the rule matches', *marks)
    if bool(case.get("html")) == bool(case.get("page")):
        draft.fault(f"{name}: write either html = '''…''' or page = \"file.html\" (next to this file)", *marks)
    if not case.get("contains"):
        draft.fault(f'{name}: write contains = ["a sentence that must be in the result"]', *marks)
    if case.get("tier") not in (None, *TIERS):
        draft.fault(f"{name}: tier must be one of {', '.join(TIERS)}", *marks, "tier")


def as_host(name: str) -> str:
    """A host name normalized for comparison: lower-case, ASCII, without a trailing dot.

    >>> as_host("Bücher.Example.")
    'xn--bcher-kva.example'
    """
    name = name.lower().rstrip(".")
    if not name.isascii():
        try:
            return name.encode("idna").decode("ascii")
        except UnicodeError:
            return name
    return name


def host_in(url: str | None) -> str:
    """The host of a URL; empty if it has none.

    >>> host_in("https://WWW.Example.org:8080/x"), host_in("http://[broken"), host_in(None)
    ('www.example.org', '', '')
    """
    if url and (plain := _PLAIN_HOST.match(url)):
        return plain[1].rstrip(".")
    try:
        return as_host(urlsplit(url or "").hostname or "")
    except ValueError:
        return ""


def _rule(raw: Mapping[str, Any], source: str) -> SiteRule:
    content, limits = raw["content"], raw.get("thresholds", {})
    lists = {key: tuple(selectors) for key, selectors in content.items()}
    cases = tuple(
        RuleCase(
            case["name"],
            case["url"],
            tuple(case["contains"]),
            tuple(case.get("lacks", ())),
            {key: case[key] for key in (*METADATA, "tier") if key in case},
            case.get("html", ""),
            case.get("page", ""),
        )
        for case in raw["case"]
    )
    return SiteRule(
        raw["id"],
        tuple(map(as_host, raw["domains"])),
        **lists,
        paths=tuple(raw.get("paths", ())),
        page_type=raw.get("page_type"),
        metadata={key: tuple(selectors) for key, selectors in raw.get("metadata", {}).items()},
        rename=dict(raw.get("rename", {})),
        words=int(limits.get("words", 30)),
        paragraphs=int(limits["paragraphs"]) if "paragraphs" in limits else None,
        link_density=limits.get("link_density"),
        quality=limits.get("quality", 0.5),
        about=raw["about"],
        cases=cases,
        source=source,
    )


def write_rule(raw: Mapping[str, Any], comments: Sequence[str] = ()) -> str:
    """A rule as the text of its file. ``raw`` has the tables and keys of the file; :func:`read_rule` checks them.

    >>> print(write_rule({"id": "oak", "content": {"primary": ["main"]}, "case": [{"name": "A page"}]}, ["Drafted."]))
    # Drafted.
    id = "oak"
    <BLANKLINE>
    [content]
    primary = ["main"]
    <BLANKLINE>
    [[case]]
    name = "A page"
    <BLANKLINE>
    """
    lines = [f"# {' '.join(comment.split())}" for comment in comments]
    lines += [f"{_key(key)} = {toml_value(raw[key])}" for key in _ordered("", raw) if not _is_table(raw[key])]
    for name in (name for name in _ordered("", raw) if _is_table(raw[name])):
        tables = raw[name] if isinstance(raw[name], list) else [raw[name]]
        for table in tables:
            if not isinstance(table, Mapping):
                raise RuleError(f"{name!r} must be tables only")
            lines += ["", f"[[{_key(name)}]]" if isinstance(raw[name], list) else f"[{_key(name)}]"]
            lines += [f"{_key(key)} = {toml_value(table[key])}" for key in _ordered(name, table)]
    return "\n".join(lines) + "\n"


def _ordered(table: str, values: Mapping[str, Any]) -> list[str]:
    """The keys in the order of the documentation, unknown ones last."""
    known = _TABLES.get(table, {})
    return [*(key for key in known if key in values), *(key for key in values if key not in known)]


def _is_table(value: object) -> bool:
    return isinstance(value, Mapping) or (isinstance(value, list) and bool(value) and isinstance(value[0], Mapping))


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _string(name)


def toml_value(value: object) -> str:
    """A text, a number or a list of these as TOML."""
    if isinstance(value, (list, tuple)):
        values = [_scalar(one) for one in value]
        one_line = f"[{', '.join(values)}]"
        return one_line if len(one_line) <= _LINE else "\n".join(["[", *(f"  {one}," for one in values), "]"])
    return _scalar(value)


def _scalar(value: object) -> str:
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, (bool, int, float)):
        return json.dumps(value)
    raise RuleError(
        f"a rule cannot contain {type(value).__name__} values here; write texts, numbers and lists of these"
    )


def _string(text: str) -> str:
    if '"' in text and "'" not in text and text.isprintable():
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
