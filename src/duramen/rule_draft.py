"""Drafts a site rule from one page, for a person to review and complete."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from duramen.errors import RuleError
from duramen.find.remembered import stable_selector
from duramen.flatten import parse_tree
from duramen.options import Options
from duramen.pipeline import run
from duramen.read.decode import decode
from duramen.result import Result
from duramen.rule_files import host_in, write_rule
from duramen.rule_set import only
from duramen.tree import Tree

_SNIPPETS = 3
_REMOVED = 12


PLACEHOLDER = "main article"


@dataclass(frozen=True, slots=True)
class RuleDraft:
    """A drafted rule file, with notes for its author."""

    id: str
    raw: dict[str, Any]
    """The tables and keys of the file; without a content selector, if none was found."""
    page: str
    """The file name of the page in the rule's case."""
    notes: tuple[str, ...]

    @property
    def text(self) -> str:
        """The file, with a selector to correct where none was found."""
        content = {**self.raw["content"], "primary": self.raw["content"]["primary"] or [PLACEHOLDER]}
        return write_rule({**self.raw, "content": content}, self.notes)


def draft_rule(html: bytes | str, url: str, options: Options | None = None) -> RuleDraft:
    """Draft a rule for the site of ``url`` from the result of the universal tiers on one page."""
    site = host_in(url).removeprefix("www.")
    if not site:
        raise RuleError(f"{url!r} has no host name, and a rule is for a site; use the page's URL, https://…")
    text = html if isinstance(html, str) else decode(html, None)[0]
    result = run(text, url, options or Options(), remembered=(), rules=only())
    tree = parse_tree(text)
    rule_id = re.sub(r"[^a-z0-9]+", "-", site.rpartition(".")[0] or site).strip("-") or "site"
    page = f"{rule_id}-1.html"
    notes = tuple(_notes(result))
    metadata = _metadata(tree, result)
    raw: dict[str, Any] = {
        "id": rule_id,
        "about": "How the site is built, and why these selectors.",
        "domains": [site],
        "content": {
            "primary": [result.trace.selector] if result.trace.selector else [],
            "remove": _removals(tree, result),
        },
        **({"metadata": metadata} if metadata else {}),
        "thresholds": {"words": least_words(len(result.text.split()))},
        "case": [draft_case(result, url, page)],
    }
    return RuleDraft(rule_id, raw, page, (f"Drafted from {url}; review every selector.", *notes))


def least_words(found: int) -> int:
    """The threshold of a rule whose selectors find so many words on one page: others may be shorter."""
    return min(max(30, found // 10), max(1, found // 2))


def draft_case(result: Result, url: str, page: str) -> dict[str, Any]:
    """The case of a page, as a rule file has it: what the result contains and lacks."""
    return {
        "name": " ".join((result.title or urlsplit(url).path or host_in(url)).split())[:60],
        "url": url,
        "page": page,
        "contains": snippets(result.text),
        "lacks": _left_out(result),
        **({"title": result.title} if result.title else {}),
    }


def _notes(result: Result) -> Iterator[str]:
    yield f"found by the {result.tier or 'no'} tier; the result is {result.quality.verdict}, {result.quality.score:.2f}"
    if not result.trace.selector:
        yield "no element with a stable name contains this content: write the selector yourself"
    yield from result.quality.reasons


def _removals(tree: Tree, result: Result) -> list[str]:
    """Selectors for what was removed from the element that contains the content."""
    roots = tree.select(result.trace.selector) if result.trace.selector else []
    inside = [i for root in roots for i in range(root, tree.end[root]) if tree.tag[i]]
    gone = {removal.place for removal in result.trace.removals if not removal.rescued}
    text = " ".join(result.text.split())
    found: dict[str, None] = {}
    skip_to = 0
    for i in inside:
        # Several elements may share a path; text that is still in the result was not removed.
        if i >= skip_to and tree.path(i) in gone and tree.text_in(i)[:60] not in text:
            selector = stable_selector(tree, i)
            if selector:
                found[selector] = None
            skip_to = tree.end[i]
    return list(found)[:_REMOVED]


def _metadata(tree: Tree, result: Result) -> dict[str, list[str]]:
    """Selectors of the title and the date, if elements of the page contain exactly these."""
    found: dict[str, str] = {}
    for i, tag in enumerate(tree.tag):
        if tag in ("h1", "h2") and "title" not in found and tree.text_in(i) == result.title:
            found["title"] = stable_selector(tree, i)
        elif tag == "time" and "published" not in found and tree.attr(i, "datetime"):
            found["published"] = stable_selector(tree, i)
    return {name: [selector] for name, selector in found.items() if selector}


def snippets(text: str) -> list[str]:
    """The beginnings of the first, the middle and the last long paragraph of a result."""
    long = [line.strip() for line in text.splitlines() if len(line.split()) >= 8]
    picked = long if len(long) <= _SNIPPETS else [long[0], long[len(long) // 2], long[-1]]
    return list(dict.fromkeys(" ".join(line.split()[:12]) for line in picked)) or ["a sentence of the page"]


def _left_out(result: Result) -> list[str]:
    text = " ".join(result.text.split())
    gone = (" ".join(removal.words.split()[:6]) for removal in result.trace.removals if not removal.rescued)
    unsaid = dict.fromkeys(words for words in gone if len(words.split()) >= 3 and words not in text)
    return list(unsaid)[:_SNIPPETS]
