"""The site-rule tier: what a person wrote down about one site."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from urllib.parse import urlsplit

from duramen.dom import SelectorSyntaxError
from duramen.errors import RuleError
from duramen.model import Candidate, SiteRule
from duramen.page import Page
from duramen.tables import load


@cache
def shipped_rules() -> Mapping[str, SiteRule]:
    """The rules that come with Duramen, by domain."""
    folder = resources.files("duramen") / "data" / "site_rules"
    table: dict[str, SiteRule] = {}
    for entry in sorted(folder.iterdir(), key=lambda e: e.name):
        if not entry.name.endswith(".toml"):
            continue
        raw = load(f"site_rules/{entry.name}")
        rule = SiteRule(
            raw["id"],
            tuple(raw["domains"]),
            tuple(raw["content"]),
            tuple(raw.get("remove", ())),
            tuple(raw.get("keep", ())),
            int(raw.get("min_words", 30)),
            entry.name,
        )
        for domain in rule.domains:
            if domain in table:
                raise RuleError(f"{entry.name}: {domain} has a rule already, in {table[domain].source}")
            table[domain] = rule
    return table


def rule_for(url: str | None) -> SiteRule | None:
    """The rule of a URL's host, or of the nearest parent domain that has one."""
    if not url:
        return None
    try:
        host = (urlsplit(url).hostname or "").lower()
    except ValueError:
        return None
    table = shipped_rules()
    while host:
        if host in table:
            return table[host]
        host = host.partition(".")[2]
    return None


def find_site_rule(page: Page) -> Iterator[Candidate]:
    """The first content selector of the site's rule that finds enough words."""
    rule = page.rule
    if rule is None:
        return
    for selector in rule.content:
        try:
            nodes = tuple(i for i in page.tree.select(selector) if page.tree.chars_in(i))
        except SelectorSyntaxError:
            continue
        if sum(map(page.tree.words_in, nodes)) >= rule.min_words:
            yield Candidate("site_rule", f"site-{rule.id}", f"{rule.source}: {selector}", nodes, confidence=0.95)
            return
