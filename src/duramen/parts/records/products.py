"""The product that a page sells."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise

from duramen.page import Page
from duramen.parts.records.body import Bodies
from duramen.parts.records.fields import Fields, Region, Value
from duramen.parts.records.values import Product
from duramen.parts.tables import tables_of
from duramen.safe_values import safe_text

__all__ = ["products_of"]

_SHAPE = 0.6
_NEAR = 3_000
"""Characters after the name in which price and availability are looked for; what comes later is of other products."""
_BEFORE = 1_000
"""Characters before the name in which an element named so is the price."""
_BESIDE = 200
"""Characters around the name in which a text of its own may be the brand."""
_MOST = 200
_LONGEST_BRAND = 30


def products_of(page: Page, fields: Fields, bodies: Bodies) -> list[Product]:
    """The product, as a list of one; of none where the page has no heading that could name it."""
    tree = page.tree
    whole = Region(tree.body, tree.end[tree.body])
    heading = _heading(page, fields, whole)
    name = fields.line(heading, 300) if heading is not None else page.metadata.title
    if not name:
        return []
    start = heading if heading is not None else tree.body
    near = Region(start, _at(page, start, _NEAR))
    around = Region(_before(page, start), near.end)
    price = (
        fields.price(Region(min(around.node, _at(page, start, -_BEFORE)), near.end), start)
        or fields.shown_price(near)
        or fields.shown_price(around)
    )
    specifications = tuple(_specifications(page, bodies))
    rating = fields.rating(around)
    sku, gtin = (_numbered(row, fields, around, whole) for row in ("sku", "gtin"))
    brand = fields.first("brand", around, 80)
    if brand is None or not any(map(str.isalpha, brand.text)):
        brand = fields.labelled("brand", whole) or _name_begins(fields, start, name)
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
            available=_available(fields, near),
            sku=_without_label(sku.text) if sku else None,
            gtin=_without_label(gtin.text) if gtin else None,
            rating=float(rating.text) if rating else None,
            image=page.metadata.image or fields.image(around),
            specifications=specifications,
            description=page.metadata.description,
        )
    ]


def _numbered(row: str, fields: Fields, around: Region, whole: Region) -> Value | None:
    """A number of the product, which has a digit: near its name, or behind its label."""
    found = (fields.first(row, around, 60), fields.labelled(row, around), fields.labelled(row, whole))
    return next((value for value in found if value and any(map(str.isdigit, value.text))), None)


def _name_begins(fields: Fields, start: int, name: str) -> Value | None:
    """The brand that the name begins with: what a short text beside it says alone, or the name of the site."""
    tree = fields.tree
    beside = tree.speaking(_at(fields.page, start, -_BESIDE), _at(fields.page, start, _BESIDE))
    texts = {text for i in beside if len(text := tree.text[i].strip()) <= _LONGEST_BRAND}
    texts.add(fields.page.metadata.site_name or "")
    folded = name.casefold()
    fitting = (t for t in texts if t and folded.startswith(t.casefold()) and folded[len(t) : len(t) + 1] in (" ", ","))
    best = max(fitting, key=len, default="")
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
    tree, rows = fields.tree, fields.rows
    for i in fields.marked("price", region):
        for holder in tree.ancestors(i):
            if holder < region.node - 50:
                break
            for link in (
                j
                for j in range(holder, min(tree.end[holder], holder + 60))
                if tree.attr(j, "itemprop") == "availability"
            ):
                stated = tree.attr(link, "href") or tree.attr(link, "content")
                return "instock" in stated.lower().replace(" ", "")
    texts = [tree.text[i] for i in range(region.node, region.end) if not tree.tag[i] and 2 < len(tree.text[i]) < 80]
    if any(rows.unavailable.search(text) for text in texts):
        return False
    return True if any(rows.available.search(text) for text in texts) else None


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
