"""The description of the service says what its responses hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from duramen import extract
from duramen.parts.records.values import Product, Record
from duramen.service.openapi import document

THREAD = Path("tests/sites/written/phpbb/guide.html")


@pytest.fixture(scope="module")
def schemas() -> dict[str, Any]:
    described: dict[str, Any] = json.loads(json.dumps(document("1", False)))["components"]
    return described


def test_results_keep_to_their_schema(schemas: dict[str, Any]) -> None:
    result = extract(THREAD.read_bytes(), "https://oak.example/a").to_dict(trace=True, records=True)
    assert result["records"]
    schema = {"$ref": "#/components/schemas/Result", "components": schemas}
    jsonschema.Draft202012Validator(schema).validate(json.loads(json.dumps(result)))


@pytest.mark.parametrize("kind", Record.__subclasses__())
def test_all_fields_of_records_are_described(kind: type[Record], schemas: dict[str, Any]) -> None:
    schema = schemas["schemas"]["Result"]["properties"]["records"]["items"]
    more: dict[str, Any] = {"specifications": (("Width", "90 cm"),)} if kind is Product else {}
    record = json.loads(json.dumps(kind(html="<p>Oak", position=0, confidence=0.5, **more).to_dict()))
    jsonschema.Draft202012Validator(schema).validate(record)
    assert record.keys() <= schema["properties"].keys()
