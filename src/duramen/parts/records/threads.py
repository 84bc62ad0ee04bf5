"""Posts of a thread, and comments below an article."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from duramen.framework_rows import rows
from duramen.page import Page
from duramen.parts.records.body import Bodies
from duramen.parts.records.fields import HEADINGS, Fields, Region, Value
from duramen.parts.records.values import Comment, Post
from duramen.repeated import groups_in, shape_of
from duramen.safe_values import safe_text, safe_url
from duramen.tree import Tree

__all__ = ["comments_of", "posts_of", "regions_of"]

_REMARKS = ("Comment", "UserComments")
_REPLIES = (*_REMARKS, "Answer")
_LEAST_KNOWN = 0.5
"""The share of posts that name an author or a date."""
_MOST_HELD = 0.8
"""The share of a thread's texts that must be in elements of posts."""
_FRAMEWORK, _MARKED, _SHAPE = 0.9, 0.8, 0.6


class _Found(NamedTuple):
    nodes: Sequence[int]
    confidence: float
    selectors: Mapping[str, tuple[str, ...]]


def regions_of(tree: Tree, nodes: Sequence[int]) -> list[Region]:
    """Nodes in document order as regions that leave out what is inside each of others."""
    inner: dict[int, list[tuple[int, int]]] = {}
    path: list[int] = []
    for node in nodes:
        while path and tree.end[path[-1]] <= node:
            path.pop()
        if path:
            inner.setdefault(path[-1], []).append((node, tree.end[node]))
        path.append(node)
    return [Region(node, tree.end[node], tuple(inner.get(node, ()))) for node in nodes]


def parents_of(tree: Tree, nodes: Sequence[int]) -> list[tuple[int, int | None]]:
    """For nodes in document order: how many of the others each is in, and the number of the innermost."""
    path: list[int] = []
    found: list[tuple[int, int | None]] = []
    for number, node in enumerate(nodes):
        while path and tree.end[nodes[path[-1]]] <= node:
            path.pop()
        found.append((len(path), path[-1] if path else None))
        path.append(number)
    return found


def posts_of(page: Page, fields: Fields, bodies: Bodies) -> list[Post]:
    """The posts of a forum page, in order."""
    found = _by_framework(page)
    # Replies may have been judged to be no content.
    shapes = (_by_shape(page, fields, kept, page.tree.body) for kept in (bodies.kept, ()))
    if found is None and (found := next(filter(None, shapes), None)):
        found = _with_opening(page, fields, bodies, found)
    if found is None:
        return []
    posts = [Post(accepted=accepted, **about) for about, accepted in _written(page, fields, bodies, found)]
    return [_dated_by_head(posts[0], posts[1], found, page, fields), *posts[1:]] if len(posts) > 1 else posts


def _with_opening(page: Page, fields: Fields, bodies: Bodies, found: _Found) -> _Found:
    """The posts, and the one above them that began the thread where its element is unlike the others."""
    tree, blocks = page.tree, page.blocks
    first = found.nodes[0]
    above = [b for b in bodies.kept if blocks.first[b] < first and tree.tag[blocks.owner[b]] not in HEADINGS]
    if not above:
        return found
    longest = max(above, key=lambda b: blocks.chars[b])
    (node,) = _around(tree, [blocks.owner[longest]], first)
    region = Region(node, tree.end[node])
    is_post = fields.writer(region) and fields.written(region) and tree.end[node] <= first
    return found._replace(nodes=[node, *found.nodes]) if is_post else found


def _dated_by_head(first: Post, second: Post, found: _Found, page: Page, fields: Fields) -> Post:
    """The first post, with the date in the head of the thread where only that has it."""
    if first.published or not second.published:
        return first
    head = fields.published(Region(page.tree.body, found.nodes[0]))
    if head is None or head.text[:10] > second.published[:10]:
        return first
    return replace(first, published=head.text, sources={**first.sources, "published": head.source})


def comments_of(page: Page, fields: Fields, bodies: Bodies) -> list[Comment]:
    """Readers' comments on an article, in order."""
    found = _marked(page, _REMARKS) or _in_comments(page, fields)
    if found is None:
        return []
    return [Comment(**about) for about, _ in _written(page, fields, bodies, found)]


def _by_framework(page: Page) -> _Found | None:
    """The posts of known software: its own elements, or what is around each text where a theme has others."""
    tree = page.tree
    selectors = rows()[page.framework.id].records if page.framework else {}
    texts = next((found for one in selectors.get("body", ()) if (found := _shown(tree, one))), [])
    for selector in selectors.get("post", ()):
        nodes = tree.outermost(tree.select(selector))
        holding = [node for node in nodes if any(tree.contains(node, text) for text in texts)]
        if holding and len(holding) >= _MOST_HELD * len(texts):
            return _Found(holding, _FRAMEWORK, selectors)
    return _Found(_around(tree, texts), _FRAMEWORK - 0.1, selectors) if texts else None


def _shown(tree: Tree, selector: str) -> list[int]:
    return tree.speaking_outermost(tree.select(selector))


def _around(tree: Tree, texts: Sequence[int], stop: int | None = None) -> list[int]:
    """The largest element around each node that holds none of the others, nor the node at which to stop."""
    found: list[int] = []
    for number, node in enumerate(texts):
        before = texts[number - 1] if number else -1
        after = texts[number + 1] if number + 1 < len(texts) else len(tree) if stop is None else stop
        while (outer := tree.parent[node]) > tree.body and outer > before and tree.end[outer] <= after:
            node = outer
        found.append(node)
    return found


def _marked(page: Page, types: Collection[str]) -> _Found | None:
    """Elements whose microdata type says what they are."""
    typed = page.tree.valued("itemtype")
    nodes = [i for i, kind in typed if kind.rstrip("/").rpartition("/")[2] in types and page.tree.words_in(i) > 1]
    return _Found(nodes, _MARKED, {}) if nodes else None


def _by_shape(page: Page, fields: Fields, kept: Collection[int], within: int) -> _Found | None:
    """The group of like elements that holds most of the content and whose members name authors and dates."""
    tree = page.tree
    chars_in, total = page.kept_chars(kept), max(1, sum(page.blocks.chars[b] for b in kept))
    best, best_score = list[int](), 0.0
    for nodes, is_shape in _groups(tree, within, fields.rows.attributes["post"]):
        members = nodes if is_shape else tree.outermost(nodes)
        held = sum(map(chars_in if kept else tree.chars_in, members))
        share = held / (total if kept else max(1, tree.chars_in(within)))
        if len(members) < 2 or share < 0.2 or share * len(members) ** 0.5 <= best_score:
            continue
        known = _known(fields, [Region(i, tree.end[i]) for i in members[:30]])
        score = share * known * len(members) ** 0.5
        if known >= _LEAST_KNOWN and score > best_score:
            best, best_score = with_nested(tree, members) if is_shape else nodes, score
    return _Found(best, _SHAPE, {}) if best else None


def _groups(tree: Tree, within: int, numbering: Iterable[str]) -> Iterator[tuple[list[int], bool]]:
    """Elements that may be the posts of a thread, and whether it is their shape that they share.

    Software numbers its posts: they have one id but for the number, whatever their classes are.
    """
    for group in groups_in(tree, within):
        yield list(group.members), True
    like: dict[tuple[str, str], list[int]] = {}
    inside = range(within + 1, tree.end[within])
    for i in inside:
        ident = tree.ident[i]
        if ident and ident[-1].isdigit() and tree.chars_in(i):
            like.setdefault((tree.tag[i], ident.rstrip("0123456789")), []).append(i)
    for name in numbering:
        like["", name] = [i for i, _ in tree.valued(name) if i in inside]
    typed = tree.valued("itemtype")
    like["", "itemtype"] = [i for i, kind in typed if i in inside and kind.rstrip("/").rpartition("/")[2] in _REPLIES]
    yield from ((nodes, False) for nodes in like.values() if len(nodes) > 1)


def _known(fields: Fields, regions: Sequence[Region]) -> float:
    """The share of regions that name an author or a date, both counting full."""
    points = sum((fields.writer(r) is not None) + (fields.written(r) is not None) for r in regions)
    return points / (2 * len(regions))


def with_nested(tree: Tree, members: Sequence[int]) -> list[int]:
    """Like elements, and those of the same shape inside them: replies."""
    shape = shape_of(tree.tag[members[0]], tree.cls[members[0]])
    found: list[int] = []
    for node in members:
        found.append(node)
        if len(shape) > 1:
            inside = range(node + 1, tree.end[node])
            found += [i for i in inside if tree.tag[i] == shape[0] and shape_of(tree.tag[i], tree.cls[i]) == shape]
    return sorted(set(found))


def _in_comments(page: Page, fields: Fields) -> _Found | None:
    """Like elements in the part of the page that is named after comments."""
    tree = page.tree
    body = Region(tree.body, tree.end[tree.body])
    best: _Found | None = None
    for holder in tree.outermost(fields.named("comments", body)):
        if tree.chars_in(holder) * 2 > tree.chars_in(tree.body) and tree.tag[holder] == "body":
            continue
        found = _by_shape(page, fields, (), holder)
        if found and (best is None or len(found.nodes) > len(best.nodes)):
            best = found
    return best


def _written(page: Page, fields: Fields, bodies: Bodies, found: _Found) -> Iterator[tuple[dict[str, Any], bool]]:
    """The values of each post, and whether it is the accepted answer."""
    regions = regions_of(page.tree, found.nodes)
    threads = parents_of(page.tree, found.nodes)
    position, positions = 0, dict[int, int]()
    for number, (region, (depth, parent)) in enumerate(zip(regions, threads, strict=True)):
        reader = _PostReader(page, fields, region, found.selectors)
        html = bodies.html(reader.body())
        if not html.strip():
            continue
        author, published = reader.author(), reader.published()
        sources = {
            name: value.source for name, value in (("author", author), ("published", published)) if value is not None
        }
        positions[number] = position
        about: dict[str, Any] = {
            "html": html,
            "position": position,
            "confidence": found.confidence if author and published else found.confidence - 0.2,
            "sources": sources,
            "author": author.text if author else None,
            "published": published.text if published else None,
            "depth": depth,
            "parent": positions.get(parent) if parent is not None else None,
            "score": reader.score(),
            "permalink": reader.permalink(),
        }
        yield about, reader.accepted()
        position += 1


class _PostReader:
    """The values of one post: by the framework's selectors, else by its shape."""

    def __init__(self, page: Page, fields: Fields, region: Region, selectors: Mapping[str, tuple[str, ...]]) -> None:
        self.tree, self.fields, self.region, self.selectors = page.tree, fields, region, selectors

    def _selected(self, name: str) -> Iterator[int]:
        for selector in self.selectors.get(name, ()):
            if not selector.startswith("@"):
                yield from (i for i in self.tree.select(selector, self.region.node) if self.region.has(i))

    def _attribute(self, name: str) -> str:
        names = (selector[1:] for selector in self.selectors.get(name, ()) if selector.startswith("@"))
        return next((value for attribute in names if (value := self.tree.attr(self.region.node, attribute))), "")

    def author(self) -> Value | None:
        if stated := safe_text(self._attribute("author"), 80):
            return Value(stated, "framework")
        texts = (self.fields.stated(i) for i in self._selected("author"))
        # A link without a name may be the one to the post itself.
        name = next((text for text in texts if text and not text.startswith("#")), "")
        return Value(name[:80], "framework") if name else self.fields.writer(self.region)

    def published(self) -> Value | None:
        dates = (self.fields.date(i) for i in self._selected("published"))
        found = next((date for date in dates if date), None)
        return Value(found, "framework") if found else self.fields.written(self.region)

    def body(self) -> Region:
        """The part of the post that is its text."""
        inner = self.region.inner
        chosen: Callable[[int], int] = self.tree.chars_in
        for node in self._selected("body"):
            return Region(node, self.tree.end[node], inner)
        marked = [i for i in self.fields.marked("body", self.region) if self.tree.chars_in(i)]
        named = marked or [i for i in self.fields.named("body", self.region) if i > self.region.node]
        node = max(named, key=chosen, default=self.region.node)
        return Region(node, self.tree.end[node], inner)

    def score(self) -> int | None:
        for i in self._selected("score"):
            stated = self.tree.attr(i, "data-value") or self.fields.stated(i) or self.tree.attr(i, "title")
            if (number := self.fields.number(stated)) is not None:
                return number
        return None if self.selectors else self.fields.score(self.region)

    def accepted(self) -> bool:
        return next(self._selected("accepted"), None) is not None

    def permalink(self) -> str | None:
        page = self.fields.page
        # Below <base href> a bare fragment leads elsewhere, but its post is on this page.
        here = (page.url or page.base_url or "").partition("#")[0]
        for i in self._selected("permalink"):
            written = self.tree.attr(i, "href")
            if found := self.fields.address(f"{here}{written}" if written[:1] == "#" else written):
                return found
        ident = self.tree.ident[self.region.node]
        return safe_url(f"{here}#{ident}") if here and ident and " " not in ident else None
