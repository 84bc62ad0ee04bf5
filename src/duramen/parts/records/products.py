"""The product that a page sells."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice, pairwise

from duramen.find.removals import mark_removals
from duramen.lazy_pattern import lazy_pattern
from duramen.page import Page
from duramen.parts.records.body import Bodies
from duramen.parts.records.fields import Fields, Region, Value
from duramen.parts.records.values import Product
from duramen.parts.tables import tables_of
from duramen.safe_values import safe_text
from duramen.tree import Tree

__all__ = ["products_of"]

_SHAPE = 0.6
_NEAR = 3_000
"""Characters after the name in which price and availability are looked for; what comes later is of other products."""
_BEFORE = 1_000
"""Characters before the name in which an element named so is the price."""
_CLOSE = 600
"""Characters around the name in which what a class calls the brand is that of this product."""
_BESIDE = 200
"""Characters around the name in which a text of its own may be the brand."""
_OTHERS = frozenset({"recirculation", "advertisement"})
"""The removal rows that mark other products."""
_MOST = 200
_LONGEST_BRAND = 30
_CODE = lazy_pattern(r"(?:[a-z]{3,}|[A-Z]{3,})(?:[-_.]+[^\W_]+)*")
_LONGEST_STATE = 60
_OPTIONS = frozenset({"option", "select", "label", "li"})
_BUTTONS = frozenset({"button", "input"})


def products_of(page: Page, fields: Fields, bodies: Bodies) -> list[Product]:
    """The product, as a list of one; of none where the page has no heading that could name it."""
    tree = page.tree
    whole = Region(tree.body, tree.end[tree.body])
    heading = _heading(page, fields, whole)
    name = fields.line(heading, 300) if heading is not None else page.metadata.title
    if not name:
        return []
    start = heading if heading is not None else tree.body
    marks = mark_removals(tree, {})
    others = tuple((mark.node, tree.end[mark.node]) for mark in marks if mark.rule_id in _OTHERS and mark.node > start)
    near = Region(start, _at(page, start, _NEAR), others)
    around = near._replace(node=_before(page, start))
    price = (
        fields.price(near._replace(node=min(around.node, _at(page, start, -_BEFORE))), start)
        or fields.shown_price(near)
        or fields.shown_price(around)
    )
    specifications = tuple(_specifications(page, bodies))
    close = Region(max(around.node, _at(page, start, -_CLOSE)), _at(page, start, _CLOSE), others)
    rating = fields.said_rating(close) or fields.rating(close)
    if rating and not float(rating.text):
        # Nobody has rated it.
        rating = None
    available = _available(fields, near)
    if available is None:
        available = _available(fields, Region(_at(page, start, -_BEFORE), start))
    sku, gtin = (_numbered(row, fields, around, whole) for row in ("sku", "gtin"))
    brand = _brand(fields, close, whole, name) or _name_begins(fields, start, name)
    known: dict[str, Value | None] = {"price": price[0] if price else None, "brand": brand, "rating": rating}
    known |= {"sku": sku, "gtin": gtin}
    sources = {field: value.source for field, value in known.items() if value is not None} | {"name": "page"}
    html = bodies.written(bodies.kept)
    return [
        Product(
            html=html,
            position=0,
            confidence=_SHAPE + 0.1 * (price is not None),
            sources=sources,
            name=name,
            brand=_without_label(brand.text) if brand else None,
            price=price[0].text if price else None,
            currency=_currency(page) or price[1] if price else None,
            available=available,
            sku=_without_label(sku.text) if sku else None,
            gtin=_without_label(gtin.text) if gtin else None,
            rating=float(rating.text) if rating else None,
            image=page.metadata.image or fields.image(around),
            specifications=specifications,
            description=page.metadata.description,
        )
    ]


def _numbered(row: str, fields: Fields, around: Region, whole: Region) -> Value | None:
    """A number of the product, which has a digit or is what a class names: near its name, or behind its label."""
    named = fields.first(row, around, 60)
    found = (fields.labelled(row, around), named, fields.labelled(row, whole))
    numbers = (value for value in found if value and any(map(str.isdigit, value.text)))
    return next(numbers, named if named and _CODE.fullmatch(_without_label(named.text)) else None)


def _brand(fields: Fields, close: Region, whole: Region, name: str) -> Value | None:
    """What a link to its shop, a label or a class near the name says, and not the name again."""
    shops = (Value(maker, "page") for i in fields.tagged("a", close) if (maker := _shop_of(fields, i)))
    named = (fields.labelled("brand", close), fields.first("brand", close, 80), fields.labelled("brand", whole))
    return next((v for v in (*shops, *named) if v and v.text != name and any(map(str.isalpha, v.text))), None)


def _shop_of(fields: Fields, link: int) -> str:
    """The brand whose shop a link leads to, by its text."""
    found = fields.rows.shop_of.fullmatch(fields.line(link, 2 * _LONGEST_BRAND))
    return next(filter(None, found.groups()), "") if found else ""


def _name_begins(fields: Fields, start: int, name: str) -> Value | None:
    """The brand that the name begins with: what a short text beside it says alone, or the name of the site."""
    tree = fields.tree
    beside = tree.speaking(_at(fields.page, start, -_BESIDE), _at(fields.page, start, _BESIDE))
    # A part of the name is its brand only where it leads to more of the brand.
    apart = (i for i in beside if not tree.contains(start, i) or any(tree.tag[j] == "a" for j in tree.ancestors(i)))
    texts = {text for i in apart if len(text := tree.text[i].strip()) <= _LONGEST_BRAND}
    texts.add(fields.page.metadata.site_name or "")
    folded = name.casefold()
    fitting = (t for t in texts if t and folded.startswith(t.casefold()) and folded[len(t) : len(t) + 1] in (" ", ","))
    best = max((t for t in fitting if t.casefold() not in fields.rows.no_brands), key=len, default="")
    return Value(safe_text(best, _LONGEST_BRAND), "page") if any(map(str.isalpha, best)) else None


def _currency(page: Page) -> str | None:
    """The currency that the page states: the dollar sign has many."""
    for name in ("product:price:currency", "og:price:currency"):
        for value in page.structured.meta.get(name, ()):
            if len(value) == 3 and value.isalpha():
                return value.upper()
    return None


def _heading(page: Page, fields: Fields, whole: Region) -> int | None:
    """The ``h1`` that says the title, or else the first one."""
    h1 = [i for i in fields.tagged("h1", whole) if fields.line(i, 300)]
    named = [i for i in h1 if fields.line(i, 300) == page.metadata.title]
    return next(iter(named or h1), None)


def _at(page: Page, start: int, distance: int) -> int:
    """The first node that is so many characters behind the name, or before it."""
    chars, tree = page.tree.chars, page.tree
    return bisect_right(chars, chars[start] + distance, tree.body, tree.end[tree.body])


def _before(page: Page, start: int) -> int:
    """The beginning of what is around the name: some systems have brand and price before it."""
    tree = page.tree
    node = start
    for outer in tree.ancestors(start):
        if tree.chars_in(outer) > _NEAR or outer <= tree.body:
            break
        node = outer
    return node


def _without_label(text: str) -> str:
    """``SKU: 4711`` without the label."""
    head, mark, tail = text.partition(":")
    return safe_text(tail if mark and len(head) < 20 and tail.strip() else text, 80)


def _available(fields: Fields, region: Region) -> bool | None:
    """Whether the product can be had: by microdata, else by the first button, or by what is stated above it.

    What is in a choice is said of one of many, and a badge may be there for another state.
    """
    tree, rows = fields.tree, fields.rows
    for i in fields.marked("available", region):
        state = (tree.attr(i, "href") or fields.stated(i)).rpartition("/")[2].lower().replace(" ", "")
        if state in rows.states:
            return rows.states[state]
    can = None
    for i in filter(region.has, range(region.node, region.end)):
        text = tree.attr(i, "value") if tree.tag[i] == "input" else tree.text[i] if not tree.tag[i] else ""
        if not 2 <= len(text := text.strip()) <= _LONGEST_STATE:
            continue
        is_offer = rows.buy.fullmatch(text) is not None
        says = is_offer or rows.available.fullmatch(text) is not None
        if not says and not rows.unavailable.fullmatch(text):
            continue
        around = [i, *islice(tree.ancestors(i), 3)]
        button = next((j for j in around if tree.tag[j] in _BUTTONS), None)
        is_part = button is not None and not is_offer and _says_more(tree, button, text)
        if is_part or any(tree.tag[j] in _OPTIONS or "badge" in rows.names(tree.cls[j]) for j in around):
            continue
        if is_offer or button is not None or not says:
            return says if can in (None, says) else None
        can = says
    return can


def _says_more(tree: Tree, button: int, text: str) -> bool:
    said = (tree.text[j].strip() for j in range(button, tree.end[button]))
    return any(other not in ("", text) for other in said)


def _specifications(page: Page, bodies: Bodies) -> Iterator[tuple[str, str]]:
    """Pairs of the tables with two columns and of the description lists in the content."""
    tree = page.tree
    html = bodies.written(bodies.kept)
    seen: set[str] = set()
    for table in tables_of(html):
        for row in table.rows:
            if len(row) == 2 and row[0] and row[1] and len(row[0]) < 80 and row[0] not in seen and len(seen) < _MOST:
                seen.add(row[0])
                yield row[0], safe_text(row[1], 500)
    for i in tree.tagged(frozenset({"dl"})):
        parts = [j for j in range(i + 1, tree.end[i]) if tree.tag[j] in ("dt", "dd")]
        for term, stated in pairwise(parts):
            name = safe_text(tree.text_in(term)[:200], 80).rstrip(":")
            if tree.tag[term] == "dt" and tree.tag[stated] == "dd" and name and name not in seen and len(seen) < _MOST:
                seen.add(name)
                yield name, safe_text(tree.text_in(stated)[:2000], 500)
