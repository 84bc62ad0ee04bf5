"""Records beside the JSON-LD of their page: what it confirms, and what only it says of a product."""

from __future__ import annotations

from typing import Any

import pytest

from duramen.parts.records.agreement import checked
from duramen.parts.records.values import Item, Post, Product, Record

TABLE: dict[str, Any] = {"@type": "Product", "name": "Oak table"}


def product(**values: Any) -> Product:
    return Product(html="", position=0, confidence=0.6, sources={"name": "page"}, **{"name": "Oak table", **values})


def first(record: Record, *objects: dict[str, Any]) -> Any:
    return checked([record], objects)[0]


@pytest.mark.parametrize(
    ("field", "value", "name", "stated"),
    [
        ("name", "Oak table", "name", "OAK TABLE"),
        ("price", "1299.00", "price", 1299),
        ("price", "1299.00", "lowPrice", "1299.0"),
        ("brand", "Heartwood", "brand", {"@type": "Brand", "name": "Heartwood"}),
        ("brand", "Heartwood", "brand", [{"name": "Sapwood"}, {"name": "Heartwood"}]),
        ("brand", "heartwood", "brand", {"@id": "heartwood"}),
        *(("sku", "OT-4711", name, "OT-4711") for name in ("sku", "mpn", "productID")),
        *(("gtin", "4006381333931", name, "4006381333931") for name in ("gtin13", "gtin12", "gtin14", "gtin8", "gtin")),
    ],
)
def test_a_value_that_the_data_states_too(field: str, value: str, name: str, stated: Any) -> None:
    found = first(product(**{field: value}), {name: stated})
    assert found.sources[field] == "page+json-ld" and found.confidence == 0.7
    other = first(product(**{field: value}), {name: "123"}, {"other": stated})
    assert "+" not in other.sources.get(field, "") and other.confidence == 0.6


def test_other_records_are_compared_too() -> None:
    post = Post(html="", position=0, confidence=0.95, author="Ines Halvorsen", published="2026-03-14T08:30:00")
    found = first(post, {"comment": [{"creator": {"name": "Ines Halvorsen"}, "dateCreated": "2026-03-14T10:00:00Z"}]})
    assert found.sources == {"author": "page+json-ld", "published": "page+json-ld"} and found.confidence == 0.99
    item = Item(html="", position=0, confidence=0.6, title="Oak", url="https://mill.example/oak")
    for listed in ({"@id": "https://mill.example/oak"}, {"item": "https://mill.example/oak", "headline": "Oak"}):
        assert first(item, {"@graph": [[listed]]}).sources["url"] == "page+json-ld"


@pytest.mark.parametrize(
    ("field", "data", "value"),
    [
        ("brand", {"brand": {"name": "Heartwood"}}, "Heartwood"),
        ("sku", {"mpn": "OT-4711"}, "OT-4711"),
        ("gtin", {"gtin14": "04006381333931"}, "04006381333931"),
        ("price", {"price": "1.299,00 €"}, "1299.00"),
        ("price", {"offers": [{"@type": "Offer", "price": 1299}]}, "1299"),
        ("price", {"offers": {"lowPrice": "99"}}, "99"),
    ],
)
def test_a_product_has_what_only_its_data_says(field: str, data: dict[str, Any], value: str) -> None:
    found = first(product(), {**TABLE, **data})
    assert (getattr(found, field), found.sources[field]) == (value, "json-ld")
    assert getattr(first(product(**{field: "7"}), {**TABLE, **data}), field) == "7"
    assert getattr(first(product(), {**TABLE, **data, "@type": "Thing"}), field) is None


def test_what_is_no_value_does_not_fill_a_product() -> None:
    assert first(
        product(), {**TABLE, "price": "on request", "brand": True, "sku": "", "offers": {"sku": "4711"}}
    ) == first(product(), TABLE)
    assert first(product(), TABLE, {**TABLE, "sku": "other"}).sku is None


def test_without_data_or_records_nothing_changes() -> None:
    assert checked([], (TABLE,)) == [] and checked([product()], ()) == [product()]
