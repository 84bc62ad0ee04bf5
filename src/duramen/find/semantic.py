"""The semantic tier: what the markup itself calls the main content."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from operator import itemgetter

from duramen.model import Candidate
from duramen.page import Page
from duramen.tables import row_words
from duramen.tree import Tree

_SKIP_WORDS = row_words("finding.toml", "skip-link")
_LEGACY_NAMES = ("main", "article")
_TOP = 600
"""A skip link is before this many shown characters."""
_RDFA_BODIES = frozenset({"articleBody", "schema:articleBody", "schema:text", "content:encoded"})
"""What publishing systems call the body in RDFa: schema.org's own name, and two generations of Drupal's."""


def find_semantic(page: Page) -> Iterator[Candidate]:
    """``articleBody``, the main landmark, the right one of several articles, the target of a skip link."""
    tree = page.tree
    mains, articles, bodies, jumps = _landmarks(tree)
    skipped_to = _skip_target(tree, jumps)
    legacy = _legacy(tree) if page.document_type.legacy else []
    if bodies:
        yield _outermost(page, bodies, "article-body", "marked as the article's body", 0.9)
    if articles:
        yield from _articles(page, articles)
    if mains:
        best = max(mains, key=tree.chars_in)
        yield Candidate("semantic", "main", f"<{tree.tag[best]}> as main landmark", (best,), confidence=0.7)
    if skipped_to > 0 and tree.chars_in(skipped_to):
        evidence = f"target of the skip link #{tree.ident[skipped_to]}"
        yield Candidate("semantic", "skip-link", evidence, (skipped_to,), confidence=0.5)
    if legacy:
        yield _outermost(page, legacy, "legacy-main", "div named main or article on a legacy page", 0.5)


def _landmarks(tree: Tree) -> tuple[list[int], list[int], list[int], list[int]]:
    """What is ``main`` or ``article`` by tag or role, what is marked as a body, and the first links inwards."""
    landmarks: dict[str, set[int]] = {"main": set(), "article": set()}
    for i in tree.tagged(landmarks.keys()):
        landmarks[tree.tag[i]].add(i)
    for i, role in tree.valued("role"):
        if role in landmarks:
            landmarks[role].add(i)
    marked = {i for i, props in tree.valued("itemprop") if "articleBody" in props}
    marked |= {i for i, names in tree.valued("property") if not _RDFA_BODIES.isdisjoint(names.split())}
    links, early = tree.valued("href"), bisect_left(tree.chars, _TOP)
    at_top = links[: bisect_left(links, early, key=itemgetter(0))]
    jumps = [i for i, href in at_top if href.startswith("#") and tree.tag[i] == "a"]
    return sorted(landmarks["main"]), sorted(landmarks["article"]), sorted(marked), jumps


def _skip_target(tree: Tree, jumps: list[int]) -> int:
    """What the first link at the top that says "skip to content" points at; -1 without one."""
    for i in jumps:
        if tree.text_in(i)[:40].lower().startswith(_SKIP_WORDS):
            target = tree.attr(i, "href")[1:]
            if target:
                return tree.identified(target)
    return -1


def _legacy(tree: Tree) -> list[int]:
    named = {i for name in ("id", "class") for i, value in tree.valued(name) if value in _LEGACY_NAMES}
    return sorted(i for i in named if tree.tag[i] == "div")


def _outermost(page: Page, nodes: list[int], rule_id: str, evidence: str, confidence: float) -> Candidate:
    outer = tuple(page.tree.speaking_outermost(nodes))
    return Candidate("semantic", rule_id, evidence, outer, confidence=confidence)


def _articles(page: Page, articles: list[int]) -> Iterator[Candidate]:
    """One article outweighs the rest on an article page; on a listing they are all content."""
    tree = page.tree
    best = max(articles, key=lambda i: tree.chars_in(i) - 2 * tree.links_in(i))
    yield Candidate("semantic", "article", "the <article> with the most unlinked text", (best,), confidence=0.75)
    outer = _outermost(page, articles, "articles", "all <article> elements", 0.5)
    if len(outer.nodes) > 1:
        yield outer
