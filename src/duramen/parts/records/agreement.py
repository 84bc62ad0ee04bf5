"""Records compared with what the page's JSON-LD says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from duramen.page import letters
from duramen.parts.records.amounts import amount_of
from duramen.parts.records.values import Product, Record
from duramen.read.vocabulary import types_of
from duramen.safe_values import safe_text

__all__ = ["checked"]

_PROPERTIES: Mapping[str, tuple[str, ...]] = {
    "author": ("author", "creator"),
    "published": ("datePublished", "dateCreated"),
    "title": ("name", "headline"),
    "name": ("name",),
    "question": ("name",),
    "url": ("url", "@id", "item"),
    "price": ("price", "lowPrice"),
    "brand": ("brand",),
    "sku": ("sku", "mpn", "productID"),
    "gtin": ("gtin13", "gtin12", "gtin14", "gtin8", "gtin"),
}
_FILLED = ("brand", "sku", "gtin", "price")
"""Values of a product that many pages state only as data."""
_SURER = 0.1
_MOST_OBJECTS = 20_000


def checked(records: list[Record], objects: tuple[Mapping[str, Any], ...]) -> list[Record]:
    """The records, surer where the JSON-LD says the same; a product has what only that says."""
    if not objects or not records:
        return records
    stated: dict[str, set[str]] = {}
    products: list[Mapping[str, Any]] = []
    for one in _objects(objects):
        if "product" in types_of(one):
            products.append(one)
        for name, value in one.items():
            for text in _texts(value):
                stated.setdefault(name, set()).add(_comparable(name, text))
    return [_filled(_compared(record, stated), products) for record in records]


def _objects(objects: tuple[Mapping[str, Any], ...]) -> Iterator[Mapping[str, Any]]:
    stack: list[Any] = list(reversed(objects))
    count = 0
    while stack and count < _MOST_OBJECTS:
        value = stack.pop()
        if isinstance(value, Mapping):
            count += 1
            yield value
            stack.extend(reversed(list(value.values())))
        elif isinstance(value, list):
            stack.extend(reversed(value))


def _texts(value: Any) -> Iterator[str]:
    for part in value[:20] if isinstance(value, list) else [value]:
        if isinstance(part, Mapping):
            part = part.get("name") or part.get("@id")
        if isinstance(part, (str, int, float)) and not isinstance(part, bool):
            yield str(part)[:2000]


def _comparable(name: str, text: str) -> str:
    if name in ("price", "lowPrice"):
        return f"{float(amount_of(text) or 0):.2f}"
    return text[:10] if name in ("datePublished", "dateCreated", "published") else letters(text)


def _compared(record: Record, stated: Mapping[str, set[str]]) -> Record:
    sources = dict(record.sources)
    agrees = False
    for field, names in _PROPERTIES.items():
        value = getattr(record, field, None)
        if value and any(_comparable(name, str(value)) in stated.get(name, ()) for name in names):
            sources[field] = f"{sources.get(field, 'page')}+json-ld"
            agrees = True
    confidence = round(min(0.99, record.confidence + _SURER * agrees), 2)
    return replace(record, sources=sources, confidence=confidence)


def _filled(record: Record, products: list[Mapping[str, Any]]) -> Record:
    """A product with the values that only the data of the one product of that page has."""
    if not isinstance(record, Product) or not products:
        return record
    offers = [part for part in _objects((products[0],)) if part is not products[0]]
    values: dict[str, Any] = {}
    for field in _FILLED:
        if getattr(record, field) is None:
            holders = [products[0], *offers] if field == "price" else products[:1]
            found = (text for one in holders for name in _PROPERTIES[field] for text in _texts(one.get(name)))
            text = safe_text(next(found, ""), 80)
            if text and (field != "price" or amount_of(text)):
                values[field] = amount_of(text) or text if field == "price" else text
    if "price" in values and not record.currency:
        codes = (text for one in [products[0], *offers] for text in _texts(one.get("priceCurrency")))
        values["currency"] = next((code.upper() for code in codes if len(code) == 3 and code.isalpha()), None)
    sources = {**record.sources, **dict.fromkeys((name for name, value in values.items() if value), "json-ld")}
    return replace(record, sources=sources, **values) if values else record
