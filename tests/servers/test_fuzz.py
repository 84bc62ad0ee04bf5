"""Whatever a client sends, the service answers as its OpenAPI document says, and never with a fault of its own."""

from __future__ import annotations

import os
import re
from importlib import import_module
from typing import Any

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings

schemathesis: Any = pytest.importorskip("schemathesis", reason="needs schemathesis")

positive_data_acceptance = import_module("schemathesis.specs.openapi.checks").positive_data_acceptance

EXAMPLES = int(os.environ.get("DURAMEN_FUZZ", "25"))
"""Requests for each operation; DURAMEN_FUZZ=1000 looks longer."""


def test_openapi_document_is_kept(service: str) -> None:
    schema = schemathesis.openapi.from_dict(httpx2.get(f"{service}/openapi.json").json())
    schema.config.update(base_url=service)
    seen: set[int] = set()
    operations = [result.ok() for result in schema.get_all_operations()]
    assert len(operations) == 7

    for operation in operations:

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @operation_cases(operation)  # type: ignore[untyped-decorator]
        def check(case: Any) -> None:
            # Addresses that schemathesis makes up are not to be looked up: no test leaves this machine. So they are
            # refused, however well they fit the schema.
            fetching = False
            for values in named_pages(case):
                if "html" not in values and re.match("(?i)https?:", str(values.get("url"))):
                    values["url"], fetching = "http://no-such-port.example:99999/", True
            if case.path == "/batch":
                fetching = False  # its pages fail one by one
            hardly = [positive_data_acceptance] if fetching or case.method == "GET" else []
            response = case.call_and_validate(timeout=60, excluded_checks=hardly)
            seen.add(response.status_code)

        check()
    assert {200, 422} <= seen
    assert not [status for status in seen if status >= 500]


def named_pages(case: Any) -> list[dict[str, Any]]:
    """Everything in a request that may have a URL to be fetched."""
    body = case.body if isinstance(case.body, dict) else {}
    listed = body.get("pages")
    found = [case.query if case.method == "GET" else None, body, *(listed if isinstance(listed, list) else [])]
    return [values for values in found if isinstance(values, dict)]


def operation_cases(operation: Any) -> Any:
    return given(case=operation.as_strategy())
