"""The MCP server: tools, a resource and a prompt over the :class:`~duramen.agents.library.Library`."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from importlib.metadata import version
from typing import Annotated, Any, Literal

from anyio import CapacityLimiter, create_task_group
from mcp.server.caching import CacheHint
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolResult, GetPromptResult, InputRequiredResult, TextContent
from pydantic import Field

from duramen.agents.answers import (
    first_part,
    found_passages,
    further_part,
    links_part,
    outline_part,
    section_part,
)
from duramen.agents.documents import HANDLE, Document, UnknownHandleError
from duramen.agents.fence import NOTICE, fenced
from duramen.agents.library import Library
from duramen.agents.sections import Section, named
from duramen.agents.tool import AgentTool, advice
from duramen.errors import DuramenError
from duramen.options import FetchOptions, Options, Rendering
from duramen.service.pages import Pages
from duramen.service.workers import LoadLimiter, Workers

DEFAULT_LENGTH = 16_000
LONGEST_HTML = 3_000_000
MOST_URLS = 20
AT_ONCE = 5
HELD_BYTES = 128_000_000
"""Maximum bytes of pages that wait for a worker; more are refused."""
PATIENCE = 5.0
"""Seconds a call may wait for a site's turn; a longer wait is an error that says when to try again."""

INSTRUCTIONS = f"""Duramen reads web pages as Markdown, without navigation and advertisements. fetch reads one page,
fetch_many several. A long page comes in parts: its outline and first part, and then what you ask for by its handle with
read_section, find or fetch, which download nothing again. A verdict of 'poor' or 'empty' means a wall, an error page or
a guess. {NOTICE}"""

Url = Annotated[str, Field(min_length=1, max_length=2_000)]
PageName = Annotated[str, Field(min_length=1, max_length=2_000, description="Handle (doc_…) or URL.")]
Length = Annotated[int, Field(ge=1, le=1_000_000, description="Characters to return at most.")]
Start = Annotated[int, Field(ge=0, description="Offset to start at, as the previous part says.")]
Wanted = Annotated[
    Literal["markdown", "text", "html", "records"],
    Field(description="Format of the text; records: posts, items or a product as JSON lines, where the page has some."),
]


class Server(MCPServer):
    async def get_prompt(
        self, name: str, arguments: dict[str, Any] | None = None, context: Context[Any, Any] | None = None
    ) -> GetPromptResult | InputRequiredResult:
        """Get a prompt; an unknown one, or a missing argument, is reported as the caller's error."""
        try:
            return await super().get_prompt(name, arguments, context)
        except ValueError as error:
            raise MCPError(code=INVALID_PARAMS, message=str(error)) from error


class Tools:
    """The tools. Models read their docstrings."""

    def __init__(self, library: Library) -> None:
        self.library = library

    async def fetch(
        self,
        url: Annotated[str, Field(min_length=1, max_length=2_000, description="URL or handle (doc_…).")],
        max_length: Length = DEFAULT_LENGTH,
        start_index: Start = 0,
        raw: Annotated[bool, Field(description="The source as it was sent.")] = False,
        format: Wanted = "markdown",
        render: Annotated[
            Rendering, Field(description="Run the page's scripts in a browser; auto: if it needs them.")
        ] = "auto",
    ) -> CallToolResult:
        """Read the main content of a web page, with title, dates, and a verdict on how far to trust the extraction."""
        with _as_tool_errors():
            if url.startswith(HANDLE):
                document = self.library.documents.get(url)
            else:
                document = await self.library.read_url(url, raw=raw, render=render, again=start_index > 0)
        if raw and "raw" not in document.bodies:
            raise ToolError("this handle is of extracted content; call fetch with the URL and raw=true")
        name = document.form(format)
        _check_start(start_index, len(document.bodies[name]))
        if start_index:
            return _result(further_part(document, name, start_index, max_length))
        return _result(first_part(document, format, max_length))

    async def extract_html(
        self,
        html: Annotated[str, Field(max_length=LONGEST_HTML)],
        url: Annotated[str, Field(max_length=2_000, description="Its URL, to resolve links; not fetched.")] = "",
        max_length: Length = DEFAULT_LENGTH,
        format: Wanted = "markdown",
    ) -> CallToolResult:
        """Read HTML that you already have, as fetch does. Nothing is downloaded."""
        with _as_tool_errors():
            document = await self.library.read_html(html, url or None)
        return _result(first_part(document, format, max_length))

    async def outline(
        self,
        page: PageName,
        start: Annotated[int, Field(ge=0, description="Number of sections to skip.")] = 0,
    ) -> CallToolResult:
        """The headings of a page, with the id and the size of each section, and its posts, items or the like."""
        document = await self._document(page)
        if start and start >= len(document.sections):
            raise ToolError(f"start {start} is past the end: there are {len(document.sections)} sections")
        return _result(outline_part(document, start))

    async def read_section(
        self,
        page: PageName,
        section: Annotated[str, Field(min_length=1, max_length=200, description="Its id in the outline, or heading.")],
        max_length: Length = DEFAULT_LENGTH,
        start_index: Start = 0,
    ) -> CallToolResult:
        """One section of a page, with its subsections. start_index counts from its beginning."""
        document = await self._document(page)
        found = _section(document, section)
        _check_start(start_index, found.end - found.start)
        return _result(section_part(document, found, start_index, max_length))

    async def find(
        self,
        page: PageName,
        query: Annotated[str, Field(min_length=1, max_length=300, description="Words, not a pattern.")],
        limit: Annotated[int, Field(ge=1, le=50)] = 8,
    ) -> CallToolResult:
        """Find words in a page: the passage around each place, also in tables and code, with its section and offset."""
        document = await self._document(page)
        return _result(found_passages(document, await self.library.find(document, query, limit), query))

    async def links(
        self,
        page: PageName,
        of: Annotated[
            Literal["content", "navigation"], Field(description="Links in the content, or those around it.")
        ] = "content",
        start: Annotated[int, Field(ge=0, description="Number of links to skip.")] = 0,
    ) -> CallToolResult:
        """The links of a page with their labels: what its content refers to, or where its menus lead."""
        document = await self._document(page)
        total = len(document.links if of == "content" else document.navigation)
        if start and start >= total:
            raise ToolError(f"start {start} is past the end: there are {total} links")
        return _result(links_part(document, of, start))

    async def site_map(
        self, url: Annotated[str, Field(min_length=1, max_length=2_000, description="Any page of the site.")]
    ) -> CallToolResult:
        """What a site lists of itself: its feeds, and up to 5,000 pages of its sitemaps. find searches the result."""
        with _as_tool_errors():
            document = await self.library.site_map(url)
        return _result(first_part(document, "markdown", DEFAULT_LENGTH))

    async def fetch_many(
        self,
        urls: Annotated[list[Url], Field(min_length=1, max_length=MOST_URLS)],
        ctx: Context[Any, Any],
        max_length: Annotated[int, Field(ge=1, le=20_000, description="Characters per page at most.")] = 2_000,
    ) -> CallToolResult:
        """The beginnings of several pages, each with a handle. A page that cannot be read does not stop the others."""
        found: dict[int, str] = {}
        failed = 0
        limiter = CapacityLimiter(AT_ONCE)

        async def read(number: int, url: str) -> None:
            nonlocal failed
            async with limiter:
                try:
                    document = await self.library.read_url(url)
                    found[number] = first_part(document, "markdown", max_length, outline=False, notice=False)
                except DuramenError as error:
                    failed += 1
                    found[number] = f"Page: {url}\nNot read: {advice(error)}"
            await ctx.report_progress(len(found), len(urls), f"{len(found)} of {len(urls)} pages")

        async with create_task_group() as group:
            for number, url in enumerate(urls):
                group.start_soon(read, number, url)
        parts = [found[number] for number in range(len(urls))]
        return _result("\n\n".join([f"{len(urls) - failed} of {len(urls)} pages were read. {NOTICE}", *parts]))

    async def _document(self, page: str) -> Document:
        with _as_tool_errors():
            if page.startswith(HANDLE):
                document = self.library.documents.get(page)
            else:
                document = await self.library.read_url(page, again=True)
        if "markdown" not in document.bodies:
            raise ToolError("this handle is of a page's source; call fetch with the URL and without raw")
        return document

    async def resource(self, handle: str) -> str:
        """The whole content of a page that was read, as Markdown."""
        try:
            document = self.library.documents.get(handle)
        except UnknownHandleError as error:
            raise ResourceNotFoundError(str(error)) from error
        return fenced(next(iter(document.bodies.values())), "document")[0]

    async def prompt(self, url: str) -> str:
        """Read a page that the user names; robots.txt does not apply, because no program chose the page."""
        try:
            document = await self.library.read_url(url, by_user=True)
        except DuramenError as error:
            raise MCPError(code=INVALID_PARAMS, message=advice(error)) from error
        return first_part(document, "markdown", DEFAULT_LENGTH)


def _result(text: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)])


def _check_start(start: int, total: int) -> None:
    if start and start >= total:
        raise ToolError(f"start_index {start} is past the end: there are {total} characters")


def _section(document: Document, wanted: str) -> Section:
    section = named(document.sections, wanted)
    if section is None:
        ids = [section.id for section in document.sections if "." not in section.id]
        known = f"its sections are {ids[0]} to {ids[-1]}, see outline" if ids else "it has no sections, use fetch"
        raise ToolError(f"no section, or more than one, matches {wanted!r}; {known}")
    return section


@contextmanager
def _as_tool_errors() -> Iterator[None]:
    """Turn Duramen's errors into tool errors, which the model reads."""
    try:
        yield
    except DuramenError as error:
        raise ToolError(advice(error)) from error


def create_server(fetch: FetchOptions | None = None, options: Options | None = None) -> MCPServer:
    """Create the server, for any transport. Requests cannot change these options."""
    fetch = fetch or FetchOptions()
    if fetch.max_wait is None:
        fetch = replace(fetch, max_wait=PATIENCE)
    pages = Pages(fetch, Workers(), LoadLimiter(size=HELD_BYTES))
    tools = Tools(Library(pages, options or Options()))

    @asynccontextmanager
    async def lifespan(_: MCPServer) -> AsyncIterator[None]:
        async with pages, create_task_group() as group:
            group.start_soon(tools.library.warm_up)
            yield
            group.cancel_scope.cancel()

    week = CacheHint(ttl_ms=7 * 24 * 3600 * 1000, scope="public")
    server = Server(
        "duramen",
        title="Duramen",
        description="Reads web pages for agents: main content, structure, verdict.",
        instructions=INSTRUCTIONS,
        version=version("duramen"),
        tools=[
            AgentTool.of(tools.fetch, "Read a web page", outside=True),
            AgentTool.of(tools.extract_html, "Extract from HTML", outside=False),
            AgentTool.of(tools.outline, "Outline of a page", outside=True),
            AgentTool.of(tools.read_section, "Read a section", outside=True),
            AgentTool.of(tools.find, "Find in a page", outside=True),
            AgentTool.of(tools.links, "Links of a page", outside=True),
            AgentTool.of(tools.site_map, "Map of a site", outside=True),
            AgentTool.of(tools.fetch_many, "Read several web pages", outside=True),
        ],
        cache_hints={"tools/list": week, "prompts/list": week, "resources/templates/list": week},
        log_level="WARNING",
        lifespan=lifespan,
    )
    server.resource("duramen://page/{handle}", title="A page that was read", mime_type="text/markdown")(tools.resource)
    server.prompt(name="fetch", title="Read a web page")(tools.prompt)
    logging.getLogger("mcp").setLevel(logging.WARNING)
    return server
