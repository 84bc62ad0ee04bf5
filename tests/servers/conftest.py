"""Servers for the tests: started once, stopped at the end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .process import TOKEN, running
from .site import Site, open_site

for extra in ("mcp", "starlette", "uvicorn", "prometheus_client", "httpcore2"):
    pytest.importorskip(extra, reason="needs the extras mcp and serve: pip install 'duramen[mcp,serve]'")


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    with open_site() as opened:
        yield opened


@pytest.fixture(scope="session")
def service() -> Iterator[str]:
    """``duramen serve``: its address."""
    with running("serve", "--allow-private") as (address, _):
        yield address


@pytest.fixture(scope="session")
def mcp_address() -> Iterator[str]:
    """``duramen mcp --http`` with a token: the address of its endpoint."""
    with running("mcp", "--http", "--allow-private", token=TOKEN) as (address, _):
        yield f"{address}/mcp"
