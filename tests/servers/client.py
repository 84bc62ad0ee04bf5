"""A real MCP client over each transport."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
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
    r'<untrusted-web-content id="([0-9a-f]{8})" source="[^"]*">\n(.*)\n</untrusted-web-content id="\1">', re.S
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


@dataclass(frozen=True)
class Answer:
    """What a tool answers, in its parts."""

    text: str

    @property
    def content(self) -> str:
        """What is between the marks, the page's names and outline included."""
        return inside(self.text[self.text.index("<untrusted-web-content") :])

    @property
    def above(self) -> str:
        return self.text[: self.text.index("<untrusted-web-content")]

    @property
    def body(self) -> str:
        """The text of the first part of a page, without names and outline."""
        heads = 2 if re.search(r"^(\d+ of \d+ s|S)ections, each", self.content, re.M) else 1
        return self.content.split("\n\n", heads)[heads]

    @property
    def handle(self) -> str:
        return self._found(r"doc_[\w-]{10,}")

    @property
    def verdict(self) -> str:
        return self._found(r"(?<=^Verdict: )\w+")

    @property
    def total(self) -> int:
        return int(self._found(r"(?<= of )[\d,]+(?=[. ])").replace(",", ""))

    @property
    def following(self) -> tuple[str, dict[str, Any]] | None:
        """The call that the answer names for the next part."""
        found = re.search(r"[Nn]ext: (\w+)\((.*?)\)", self.above)
        if not found:
            return None
        return found[1], {name: json.loads(value) for name, value in re.findall(r'(\w+)=("[^"]*"|\d+)', found[2])}

    def _found(self, pattern: str) -> str:
        found = re.search(pattern, self.above, re.M)
        assert found is not None, self.above
        return found[0]


async def call(client: Client, tool: str, **arguments: Any) -> Answer:
    """What a tool answers: text alone, so that no client shows a model a page twice, or only its facts."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    assert result.structured_content is None
    return Answer(text_of(result))


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
