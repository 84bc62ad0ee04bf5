"""The items of listings, collections and search results."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from duramen.find.removals import mark_removals
from duramen.page import Page
from duramen.parts.records.body import Bodies
from duramen.parts.records.fields import Fields, Region, Value
from duramen.parts.records.values import Item
from duramen.repeated import Group, groups_in, shape_of
from duramen.tree import Tree

__all__ = ["items_of"]

_SHAPE = 0.6
_LINKED = 0.7
"""The share of items with a link of their own."""
_LEAST_SHARE = 0.05
"""The share of the page's text that a group of items holds at least."""
_AS_RICH, _LONG_WORD = 0.9, 4
_ASIDE = 0.2
"""What counts of a group that is in a menu, a footer or recommendations, and no content."""


def items_of(page: Page, fields: Fields, bodies: Bodies) -> list[Item]:
    """The items of a listing, in order."""
    group = _best_group(page, fields, bodies)
    if group is None:
        return []
    items: list[Item] = []
    seen: set[tuple[str | None, str | None]] = set()
    nodes = sorted({*_alike(page.tree, group), *_other_parts(page, fields, bodies, group)})
    for node in nodes:
        region = Region(node, page.tree.end[node])
        about, sources = _values(fields, region)
        key = (about["title"], about["url"])
        html = bodies.html(region)
        # What shows neither text nor a picture is hidden: a menu.
        if key in seen or not about["title"] or not (html or about["image"]):
            continue
        seen.add(key)
        items.append(Item(html=html, position=len(items), confidence=_SHAPE, sources=sources, **about))
    return items


def _alike(tree: Tree, group: Group) -> Sequence[int]:
    """The members of a group and, where they have a class, all elements of the same shape: a listing may have parts."""
    first = group.members[0]
    shape = shape_of(tree.tag[first], tree.cls[first])
    if len(shape) == 1:
        return group.members
    classes = {value for value in tree.classes() if shape_of(tree.tag[first], value) == shape}
    found: list[int] = []
    for node in tree.classed(classes):
        if tree.tag[node] == shape[0] and (not found or node >= tree.end[found[-1]]):
            found.append(node)
    return found


def _other_parts(page: Page, fields: Fields, bodies: Bodies, best: Group) -> Iterator[int]:
    """Items of another shape, as lead stories above a list: content, as rich, with a class word in common."""
    tree, kept_in = page.tree, page.kept_chars(bodies.kept)
    words = _words(tree, best)
    taken = list(best.members)
    least = _AS_RICH * _richness(fields, best.members[:24])
    for group in groups_in(tree, tree.body):
        is_like = tree.tag[group.members[0]] == tree.tag[best.members[0]] and not words.isdisjoint(_words(tree, group))
        if not is_like or len(group.members) < 3 or not all(map(kept_in, group.members)):
            continue
        is_apart = not any(tree.contains(i, j) or tree.contains(j, i) for i in group.members for j in taken)
        if is_apart and _richness(fields, group.members[:24]) >= least:
            taken += group.members
            yield from group.members


def _words(tree: Tree, group: Group) -> frozenset[str]:
    first = group.members[0]
    return frozenset(word for word in shape_of(tree.tag[first], tree.cls[first])[1:] if len(word) >= _LONG_WORD)


def _best_group(page: Page, fields: Fields, bodies: Bodies) -> Group | None:
    """The group of like elements that shows most, each with a link of its own and with what items have."""
    tree = page.tree
    kept_in = page.kept_chars(bodies.kept)
    kept = max(1, sum(page.blocks.chars[b] for b in bodies.kept))
    shown = max(1, tree.chars_in(tree.body))
    aside = _aside(tree)
    links = [i for i, href in tree.valued("href") if tree.tag[i] == "a" and href and href[0] != "#"]
    best, best_score = None, 0.0
    for group in groups_in(tree, tree.body):
        if len(group.members) < 3:
            continue
        content = sum(map(kept_in, group.members)) / kept
        share = group.chars / shown + content / 2
        if content < _LEAST_SHARE and aside(group.members[len(group.members) // 2]):
            share *= _ASIDE
        size = len(group.members) ** 0.5
        if share < _LEAST_SHARE or share * size <= best_score:
            continue
        targets = [target for node in group.members if (target := _target(tree, links, node))]
        linked = len(set(targets)) / len(group.members)
        if linked < _LINKED:
            continue
        score = share * size * linked * _richness(fields, group.members[:24]) ** 2
        if score > best_score * 1.02:
            best, best_score = group, score
    return best


def _target(tree: Tree, links: list[int], node: int) -> str:
    """Where the first link of an element leads, or the link around it."""
    at = bisect_left(links, node)
    if at < len(links) and links[at] < tree.end[node]:
        return tree.attr(links[at], "href")
    outer = tree.parent[node]
    return tree.attr(outer, "href") if tree.tag[outer] == "a" else ""


def _richness(fields: Fields, members: Sequence[int]) -> float:
    """How much of what items have these have on average: a heading, an image, a price or date."""
    points = 0
    for node in members:
        region = Region(node, fields.tree.end[node])
        points += 1 + (len(fields.headings(region)) == 1)
        points += next(fields.tagged("img", region), None) is not None
        points += next(fields.named("price", region), None) is not None or fields.published(region) is not None
    return points / (4 * len(members))


def _aside(tree: Tree) -> Callable[[int], bool]:
    """Whether a node is in what is marked as no content: menus, footers, recommendations."""
    marked = [(mark.node, tree.end[mark.node]) for mark in mark_removals(tree, {}) if not mark.rescued]
    starts: list[int] = []
    ends: list[int] = []
    for start, end in sorted(marked):
        if not ends or start >= ends[-1]:
            starts.append(start)
            ends.append(end)

    def is_aside(node: int) -> bool:
        at = bisect_right(starts, node) - 1
        return at >= 0 and node < ends[at]

    return is_aside


def _values(fields: Fields, region: Region) -> tuple[dict[str, Any], dict[str, str]]:
    link = _link(fields, region)
    title = _title(fields, region, link)
    price = fields.price(region) or fields.shown_price(region)
    rating, published = fields.rating(region), fields.published(region)
    summary = _summary(fields, region, title)
    url = fields.address(fields.tree.attr(link, "href")) if link is not None else None
    image = fields.image(region)
    about: dict[str, Any] = {
        "title": title.text if title else None,
        "url": url,
        "image": image,
        "summary": summary,
        "price": price[0].text if price else None,
        "currency": price[1] if price else None,
        "rating": float(rating.text) if rating else None,
        "published": published.text if published else None,
    }
    known = {"title": title, "price": price[0] if price else None, "rating": rating, "published": published}
    sources = {name: value.source for name, value in known.items() if value is not None}
    return about, sources | {name: "page" for name in ("url", "image", "summary") if about[name]}


def _link(fields: Fields, region: Region) -> int | None:
    """The link to the item: in its heading, around it, or the one with most text."""
    tree = fields.tree
    headings = fields.headings(region)
    for heading in headings[:1]:
        inside = next(fields.tagged("a", Region(heading, tree.end[heading])), None)
        if inside is not None:
            return inside
        around = next((i for i in tree.ancestors(heading) if tree.tag[i] == "a"), None)
        if around is not None and around >= region.node - 3:
            return around
    links = [i for i in fields.tagged("a", region) if fields.address(tree.attr(i, "href"))]
    if not links:
        return next((i for i in tree.ancestors(region.node) if tree.tag[i] == "a"), None)
    return max(links[:20], key=lambda i: (min(tree.chars_in(i), 120), -i))


def _title(fields: Fields, region: Region, link: int | None) -> Value | None:
    tree = fields.tree
    for i in fields.headings(region):
        if text := fields.line(i, 300):
            return Value(text, "page")
    if link is not None:
        if text := fields.line(link, 300):
            return Value(text, "page")
        if text := (tree.attr(link, "title") or tree.attr(link, "aria-label"))[:300].strip():
            return Value(text, "page")
        for i in fields.tagged("img", Region(link, tree.end[link])):
            if text := tree.attr(i, "alt")[:300].strip():
                return Value(text, "page")
    return None


def _summary(fields: Fields, region: Region, title: Value | None) -> str | None:
    """What a class names, or else the longest text of the item that is not its title."""
    if (named := fields.first("summary", region, 1000)) and (title is None or named.text != title.text):
        return named.text
    page = fields.page
    texts = [page.blocks.text[b] for b in range(*page.range_of(region.node))]
    longest = max(texts, key=len, default="")
    return longest[:1000] if len(longest) >= 60 and (title is None or longest != title.text) else None
