"""Filter lists in EasyList syntax: which elements of a page their element-hiding rules name.

A list is loaded once in a process. Rules of one class or id, nearly all of a list, are found by set look-up. The others
are left out when a name they need does not stand in the page; what remains is searched for, within a budget.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

from duramen.errors import OptionError
from duramen.lazy_pattern import lazy_pattern
from duramen.model import Hidden
from duramen.rule_files import as_host, host_in
from duramen.selectors import SelectorSyntaxError
from duramen.tree import Tree

DEBIAN = (
    "/usr/share/chromium/extensions/ublock-origin/assets/thirdparties/easylist/easylist.txt",
    "/usr/share/webext/ublock-origin-firefox/assets/thirdparties/easylist/easylist.txt",
)
"""Where Debian's webext-ublock-origin-chromium and -firefox keep EasyList."""
WORK = 400_000
"""Nodes that a page's complex selectors may visit, all together (about 5 ms): a count, so that load changes nothing."""
NESTED = 20
"""A selector with ``:has()`` looks below every node: it counts as this many."""
SECONDS = 0.25
"""Whatever the count says, no more time than this is spent on complex selectors."""

_HIDING = lazy_pattern(r"^([^#]*)(#@?#)(?![@?$%])(.+)$")
_SIMPLE = lazy_pattern(r"[.#][A-Za-z_-][\w-]*|[A-Za-z][\w-]*")
_NO_HIDING = lazy_pattern(r"^@@\|\|([\w.-]+)\^\$(?:[^,]*,)*(elemhide|generichide|ehide|ghide)\b")
_PROCEDURAL = lazy_pattern(
    r":-abp-|:(?:has-text|contains|xpath|matches-|upward|style|remove|min-text-length|watch-attr|others|nth-ancestor)"
    r"|^\+js\(|^script:inject|^\^"
)
_NEGATION = lazy_pattern(r":not\([^()]*(?:\([^()]*\)[^()]*)*\)")
_NAME = lazy_pattern(r"([.#])([A-Za-z_-][\w-]*)")
_ATTRIBUTE = lazy_pattern(r"""\[([\w-]+)(?:([~|^$*]?=)["']?([^"'\]]*+)["']?\s*+([iIsS]?))?\]""")
_HOST = lazy_pattern(r"(?:https?:)?//([\w.-]+)(?=[/:?])")


class Needs(NamedTuple):
    """What a page must have for a selector to match anything."""

    classes: frozenset[str] = frozenset()
    idents: frozenset[str] = frozenset()
    attributes: frozenset[str] = frozenset()
    hosts: frozenset[str] = frozenset()
    pieces: tuple[tuple[str, str], ...] = ()
    """Attribute names, and text that must stand in their values."""


@lru_cache(maxsize=4096)
def needs_of(selector: str) -> Needs:
    """The names a selector asks for; nothing where it offers a choice or is written with escapes."""
    plain = _NEGATION.sub("", selector)
    if "," in _ATTRIBUTE.sub("", plain) or "\\" in plain or ":not(" in plain:
        return Needs()
    tests = [(name.lower(), sign, value, flag) for name, sign, value, flag in _ATTRIBUTE.findall(plain)]
    rest = _ATTRIBUTE.sub("", plain)
    names = _NAME.findall(rest)
    linked = [_HOST.match(value) for name, sign, value, _ in tests if name == "href" and sign in ("^=", "=")]
    # Many rules name a host, which is looked up; to search all links for each of them would take longer.
    pieces = tuple((name, value) for name, _, value, flag in tests if value and not flag and not _HOST.match(value))
    return Needs(
        frozenset(name for mark, name in names if mark == "."),
        frozenset(name for mark, name in names if mark == "#"),
        frozenset(name for name, *_ in tests),
        frozenset(host[1].lower() for host in linked if host),
        pieces,
    )


@dataclass(frozen=True)
class FilterList:
    """The element-hiding rules of one file."""

    name: str
    classes: frozenset[str] = field(repr=False)
    idents: frozenset[str] = field(repr=False)
    tags: frozenset[str] = field(repr=False)
    complex: tuple[str, ...] = field(repr=False)
    """Generic rules that are more than one name."""
    by_domain: Mapping[str, tuple[str, ...]] = field(repr=False)
    exceptions: Mapping[str, frozenset[str]] = field(repr=False)
    """Selectors that are not applied on a domain; those of ``""`` nowhere."""
    spared: Mapping[str, str] = field(repr=False)
    """Domains without generic rules (``generichide``) or without any (``elemhide``)."""
    ignored: int
    """Rules for the network, for scripts, or of more than CSS."""

    @cached_property
    def by_need(self) -> Mapping[tuple[str, str], list[int]]:
        """The complex rules, by number, under the rarest kind of thing that each needs."""
        table: dict[tuple[str, str], list[int]] = {}
        for n, selector in enumerate(self.complex):
            needs = needs_of(selector)
            kinds = (("host", needs.hosts), ("class", needs.classes), ("id", needs.idents), ("attr", needs.attributes))
            key = next(((kind, min(names)) for kind, names in kinds if names), ("", ""))
            table.setdefault(key, []).append(n)
        return table

    @cached_property
    def about(self) -> str:
        """How many rules of which kind there are."""
        simple = len(self.classes) + len(self.idents) + len(self.tags)
        return (
            f"{self.name}: {simple:,} simple and {len(self.complex):,} complex rules for all sites,"
            f" {sum(map(len, self.by_domain.values())):,} for some; {self.ignored:,} of other kinds left out"
        )


def parse_filter_list(lines: Iterable[str], name: str) -> FilterList:
    """Read a list, line by line; what is not an element-hiding rule is counted and left out."""
    generic: dict[str, None] = {}
    by_domain: dict[str, dict[str, None]] = {}
    exceptions: dict[str, set[str]] = {}
    spared: dict[str, str] = {}
    ignored = 0
    for line in lines:
        line = line.strip()
        if not line or (line[0] in "![" and not line.startswith("[$")):
            continue
        rule = _HIDING.match(line) if "#" in line else None
        if rule is None or _PROCEDURAL.search(rule[3]):
            if line.startswith("@@") and (found := _NO_HIDING.match(line)):
                spared[as_host(found[1])] = "all" if found[2] in ("elemhide", "ehide") else "generic"
            ignored += 1
            continue
        domains, sign, selector = rule.groups()
        wanted = [as_host(d) for d in map(str.strip, domains.split(",")) if d and not d.startswith("~")]
        unwanted = [as_host(d.strip()[1:]) for d in domains.split(",") if d.strip().startswith("~")]
        if sign == "#@#":
            for domain in wanted or [""]:
                exceptions.setdefault(domain, set()).add(selector)
            continue
        for domain in unwanted:
            exceptions.setdefault(domain, set()).add(selector)
        if wanted:
            for domain in wanted:
                by_domain.setdefault(domain, {})[selector] = None
        else:
            generic[selector] = None
    for selector in exceptions.get("", ()):
        generic.pop(selector, None)
    simple = [selector for selector in generic if _SIMPLE.fullmatch(selector)]
    return FilterList(
        name,
        frozenset(s[1:] for s in simple if s[0] == "."),
        frozenset(s[1:] for s in simple if s[0] == "#"),
        frozenset(s.lower() for s in simple if s[0] not in ".#"),
        tuple(selector for selector in generic if not _SIMPLE.fullmatch(selector)),
        {domain: tuple(selectors) for domain, selectors in by_domain.items()},
        {domain: frozenset(selectors) for domain, selectors in exceptions.items()},
        spared,
        ignored,
    )


@lru_cache(maxsize=16)
def load_filter_list(name: str) -> FilterList:
    """The list of a file, or Debian's EasyList."""
    path = Path(name)
    if name == "debian":
        path = next((p for p in map(Path, DEBIAN) if p.is_file()), Path(DEBIAN[0]))
        advice = "Debian's EasyList is in the package webext-ublock-origin-chromium; install it, or name a file"
    else:
        advice = "name a file in EasyList syntax, or 'debian'"
    try:
        with path.open(encoding="utf-8", errors="replace") as lines:
            return parse_filter_list(lines, path.name)
    except (OSError, ValueError) as error:  # a name may have characters that no path has
        why = error.strerror if isinstance(error, OSError) else error
        raise OptionError(f"filter list {name!r} cannot be read ({why}); {advice}") from error


def domains_of(host: str) -> Iterator[str]:
    """A host and what is above it, and the same under any ending, as rules write it.

    >>> list(domains_of("news.example.co.uk"))[:4]
    ['news.example.co.uk', 'news.example.co.*', 'news.example.*', 'example.co.uk']
    """
    while host:
        yield host
        labels = host.split(".")
        for cut in (1, 2):
            if len(labels) > cut:
                yield ".".join([*labels[:-cut], "*"])
        host = host.partition(".")[2]


@dataclass(frozen=True)
class _Names:
    """The names that stand in a page, each kind collected when first asked for."""

    tree: Tree

    @cached_property
    def classes(self) -> set[str]:
        return {word for names in set(self.tree.cls) if names for word in names.split()}

    @cached_property
    def idents(self) -> set[str]:
        return set(self.tree.ident)

    @cached_property
    def hosts(self) -> set[str]:
        links = {href for _, href in self.tree.valued("href")}
        return {host[1].lower() for href in links if (host := _HOST.match(f"{href}/"))}

    @cached_property
    def texts(self) -> dict[str, str | None]:
        """All values of each attribute that was asked for, as one text; None where no element has it."""
        return {}

    def text_of(self, attribute: str) -> str | None:
        if attribute not in self.texts:
            values = {value for _, value in self.tree.valued(attribute)}
            self.texts[attribute] = "\n".join(values) if values else None
        return self.texts[attribute]

    def hopeful(self, rules: FilterList) -> list[str]:
        """The complex rules of a list that may match something here, in the list's order."""
        names = {"host": self.hosts, "class": self.classes, "id": self.idents, "": {""}}
        found: list[int] = []
        for (kind, name), numbers in rules.by_need.items():
            if name in names[kind] if kind != "attr" else self.text_of(name) is not None:
                found += numbers
        return [rules.complex[n] for n in sorted(found) if self.has(needs_of(rules.complex[n]))]

    def has(self, needs: Needs) -> bool:
        return (
            needs.classes <= self.classes
            and needs.idents <= self.idents
            and needs.hosts <= self.hosts
            and all(self.text_of(name) is not None for name in needs.attributes)
            and all(piece in (self.text_of(name) or "") for name, piece in needs.pieces)
        )


def hide(tree: Tree, url: str | None, names: Iterable[str]) -> Hidden:
    """The elements that the rules of these lists hide."""
    hidden = Hidden({}, [], [])
    page = _Names(tree)
    for name in names:
        rules = load_filter_list(name)
        before = len(hidden.nodes)
        _hide_by_list(tree, page, url, rules, hidden)
        hidden.steps.append(f"filter list {rules.about}; {len(hidden.nodes) - before} elements found")
    return hidden


def _hide_by_list(tree: Tree, page: _Names, url: str | None, rules: FilterList, hidden: Hidden) -> None:
    domains = list(domains_of(host_in(url)))
    spared = {rules.spared[domain] for domain in domains if domain in rules.spared}
    if "all" in spared:
        return
    excepted = frozenset().union(*(rules.exceptions.get(domain, ()) for domain in domains))
    if not spared:
        _hide_simple(tree, page, rules, excepted, hidden)
    selectors = [s for domain in domains for s in rules.by_domain.get(domain, ()) if page.has(needs_of(s))]
    if not spared:
        selectors += page.hopeful(rules)
    _hide_complex(tree, rules.name, [s for s in selectors if s not in excepted], hidden)


def _hide_simple(tree: Tree, page: _Names, rules: FilterList, excepted: frozenset[str], hidden: Hidden) -> None:
    classes = {word for word in rules.classes & page.classes if f".{word}" not in excepted}
    idents = {name for name in rules.idents & page.idents if f"#{name}" not in excepted}
    tags = {tag for tag in rules.tags.intersection(tree.tag) if tag not in excepted}
    if not (classes or idents or tags):
        return
    for i, names in enumerate(tree.cls):
        if classes and names and not classes.isdisjoint(words := names.split()):
            hidden.nodes.setdefault(i, f"{rules.name}: ##.{next(word for word in words if word in classes)}")
        elif tree.ident[i] in idents:
            hidden.nodes.setdefault(i, f"{rules.name}: ###{tree.ident[i]}")
        elif tree.tag[i] in tags:
            hidden.nodes.setdefault(i, f"{rules.name}: ##{tree.tag[i]}")


def _hide_complex(tree: Tree, name: str, selectors: list[str], hidden: Hidden) -> None:
    left, started = WORK, time.process_time()
    for done, selector in enumerate(selectors):
        left -= len(tree) * (NESTED if ":has(" in selector else 1)
        if left < 0 or time.process_time() - started > SECONDS:
            hidden.limits.append(
                f"filter list {name}: {len(selectors) - done} of {len(selectors)} complex selectors that might match"
                " were left out: together they would take longer than their budget"
            )
            return
        try:
            found = tree.select(selector)
        except SelectorSyntaxError:
            continue
        for i in found:
            hidden.nodes.setdefault(i, f"{name}: ##{selector}")
