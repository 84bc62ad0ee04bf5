"""The semantic tier: what the markup itself calls the main content."""

from __future__ import annotations

from collections.abc import Iterator

from duramen.model import Candidate
from duramen.page import Page

_SKIP_WORDS = ("skip to", "jump to", "zum inhalt", "aller au contenu", "saltar al", "vai al contenuto", "ir para o")
_LEGACY_NAMES = ("main", "article")
_RDFA_BODIES = frozenset({"articleBody", "schema:articleBody", "schema:text", "content:encoded"})
"""What publishing systems call the body in RDFa: schema.org's own name, and two generations of Drupal's."""


def find_semantic(page: Page) -> Iterator[Candidate]:
    """``articleBody``, the main landmark, the right one of several articles, the target of a skip link."""
    tree = page.tree
    bodies: list[int] = []
    mains: list[int] = []
    articles: list[int] = []
    legacy: list[int] = []
    by_id: dict[str, int] = {}
    skip_target = ""
    for i, tag in enumerate(tree.tag):
        if not tag:
            continue
        attrs = tree.attrs[i]
        if tag == "main":
            mains.append(i)
        elif tag == "article":
            articles.append(i)
        if not attrs:
            continue
        if "itemprop" in attrs:
            is_body = "articleBody" in tree.attr(i, "itemprop")
        else:
            is_body = "property" in attrs and not _RDFA_BODIES.isdisjoint(tree.attr(i, "property").split())
        if is_body:
            bodies.append(i)
        role = attrs.get("role")
        if role == "main" and tag != "main":
            mains.append(i)
        elif role == "article" and tag != "article":
            articles.append(i)
        if tree.ident[i]:
            by_id.setdefault(tree.ident[i], i)
        if (
            tag == "div"
            and page.document_type.legacy
            and (tree.ident[i] in _LEGACY_NAMES or tree.cls[i] in _LEGACY_NAMES)
        ):
            legacy.append(i)
        if tag == "a" and not skip_target and tree.chars[i] < 600:
            href = tree.attr(i, "href")
            if href.startswith("#") and len(href) > 1 and tree.text_in(i)[:40].lower().startswith(_SKIP_WORDS):
                skip_target = href[1:]
    if bodies:
        yield _outermost(page, bodies, "article-body", "marked as the article's body", 0.9)
    if articles:
        yield from _articles(page, articles)
    if mains:
        best = max(mains, key=tree.chars_in)
        yield Candidate("semantic", "main", f"<{tree.tag[best]}> as main landmark", (best,), confidence=0.7)
    if skip_target in by_id and tree.chars_in(by_id[skip_target]):
        yield Candidate(
            "semantic", "skip-link", f"target of the skip link #{skip_target}", (by_id[skip_target],), confidence=0.5
        )
    if legacy:
        yield _outermost(page, legacy, "legacy-main", "div named main or article on a legacy page", 0.5)


def _outermost(page: Page, nodes: list[int], rule_id: str, evidence: str, confidence: float) -> Candidate:
    kept: list[int] = []
    stop = -1
    for i in nodes:
        if i >= stop and page.tree.chars_in(i):
            kept.append(i)
            stop = page.tree.end[i]
    return Candidate("semantic", rule_id, evidence, tuple(kept), confidence=confidence)


def _articles(page: Page, articles: list[int]) -> Iterator[Candidate]:
    """One article outweighs the rest on an article page; on a listing they are all content."""
    tree = page.tree
    best = max(articles, key=lambda i: tree.chars_in(i) - 2 * tree.links_in(i))
    yield Candidate("semantic", "article", "the <article> with the most unlinked text", (best,), confidence=0.75)
    outer = _outermost(page, articles, "articles", "all <article> elements", 0.5)
    if len(outer.nodes) > 1:
        yield outer
