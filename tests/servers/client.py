"""A real MCP client over each transport."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import anyio
import httpx2
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult

from .process import TOKEN

_T = TypeVar("_T")
Session = Callable[[Client], Awaitable[_T]]

FENCE = re.compile(
    r'<untrusted-web-content id="([0-9a-f]{16})" source="[^"]*">\n(.*)\n</untrusted-web-content id="\1">', re.S
)


def over_stdio(work: Session[_T], mode: str = "auto") -> _T:
    """Do some work with a client of ``duramen mcp``."""
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "duramen", "mcp", "--allow-private"], env=dict(os.environ)
    )

    async def main() -> _T:
        async with Client(server, mode=mode) as client:
            return await work(client)

    return anyio.run(main)


def over_http(address: str, work: Session[_T], mode: str = "auto") -> _T:
    """Do some work with a client of ``duramen mcp --http``."""

    async def main() -> _T:
        async with open_http(address, mode) as client:
            return await work(client)

    return anyio.run(main)


@asynccontextmanager
async def open_http(address: str, mode: str = "auto") -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(address, http_client=http, max_sse_event_size=8_000_000), mode=mode) as client,
    ):
        yield client


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """What a tool answers as data; it must not be an error, and must come with a text copy."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    assert len(text_of(result)) > 50
    assert isinstance(result.structured_content, dict)
    return result.structured_content


async def failure(client: Client, tool: str, **arguments: Any) -> str:
    """What a tool says when it fails."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    assert result.structured_content is None
    return text_of(result)


def text_of(result: CallToolResult) -> str:
    (block,) = result.content
    assert block.type == "text"
    return block.text


def inside(fenced: str) -> str:
    """The text between the marks: there is one fence, and it holds everything."""
    found = FENCE.fullmatch(fenced)
    assert found is not None, fenced[:300]
    assert "untrusted-web-content" not in found[2]
    return found[2]
