"""The MCP server: six tools, a resource and a prompt over the :class:`~duramen.agents.library.Library`."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from importlib.metadata import version
from typing import Annotated, Any

from anyio import CapacityLimiter, create_task_group
from mcp.server.caching import CacheHint
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolResult, GetPromptResult, InputRequiredResult, ToolAnnotations
from pydantic import Field, create_model

from duramen.agents.answers import (
    find_answer,
    find_text,
    many_text,
    outline_answer,
    outline_text,
    page_answer,
    page_text,
    tool_result,
)
from duramen.agents.documents import HANDLE, Document, UnknownHandleError
from duramen.agents.fence import NOTICE, fenced
from duramen.agents.library import Library
from duramen.agents.schemas import BodyFormat, FindAnswer, Format, ManyAnswer, ManyEntry, OutlineAnswer, PageAnswer
from duramen.agents.sections import Section, named, passages_with
from duramen.errors import DuramenError, FetchError
from duramen.options import FetchOptions, Options, Rendering
from duramen.service.pages import Pages
from duramen.service.workers import LoadLimiter, Workers

DEFAULT_LENGTH = 16_000
LONGEST_HTML = 3_000_000
MOST_URLS = 20
AT_ONCE = 5
HELD_BYTES = 128_000_000
"""Maximum bytes of pages that wait for a worker; more are refused."""
PASSAGE = 800
META = {"anthropic/maxResultSizeChars": 200_000}
"""Claude Code writes longer results to a file; ours are limited by tokens."""

INSTRUCTIONS = f"""Duramen reads web pages: the main content as Markdown, without navigation and advertisements.
Use fetch for one page, fetch_many for several. For a long page the result is its outline and its first part; continue
with fetch(url=handle, start_index=next_index), or better with read_section or find and the handle of the result, which
download nothing again. Check the verdict: 'poor' and 'empty' mean a wall, an error page or a guess. {NOTICE}"""

Url = Annotated[str, Field(min_length=1, max_length=2_000, description="URL of a page, http or https.")]
UrlOrHandle = Annotated[
    str,
    Field(min_length=1, max_length=2_000, description="URL of a page, or handle of a page that was read (doc_…)."),
]
PageName = Annotated[
    str, Field(min_length=1, max_length=2_000, description="Handle of a page that was read (doc_…), or a URL.")
]
Length = Annotated[
    int, Field(ge=1, le=1_000_000, description="Maximum of characters to return; never more than 18,000 tokens.")
]
Start = Annotated[int, Field(ge=0, description="Offset to start at: 0, or next_index of a result.")]
Wanted = Annotated[Format, Field(description="Format of the content.")]


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
        url: UrlOrHandle,
        max_length: Length = DEFAULT_LENGTH,
        start_index: Start = 0,
        raw: Annotated[bool, Field(description="Return the page's source as text.")] = False,
        format: Wanted = "markdown",
        section: Annotated[
            str | None, Field(max_length=200, description="Only this section: its id in the outline, or its heading.")
        ] = None,
        render: Annotated[
            Rendering, Field(description="Whether to run the page's scripts in a browser; auto: if the page needs it.")
        ] = "auto",
    ) -> Annotated[CallToolResult, PageAnswer]:
        """Read the main content of a web page.

        Returns Markdown and facts about the page: title, authors, dates, type, and a verdict on how far to trust the
        extraction. For a long page the result is its outline and the first part; continue with its handle as url and
        start_index, or with read_section or find, which download nothing again. robots.txt is respected, and addresses
        of private networks are refused.
        Not for PDF, images or files to download.
        """
        if raw and section:
            raise ToolError("a section is a part of the extracted content; leave out raw or section")
        if section and format != "markdown":
            raise ToolError("sections are parts of the Markdown; leave out format, or use format='markdown'")
        with _as_tool_errors():
            if url.startswith(HANDLE):
                document = self.library.documents.get(url)
            else:
                document = await self.library.read_url(url, raw=raw, render=render, again=start_index > 0)
        if raw and "raw" not in document.bodies:
            raise ToolError("this handle is of extracted content; fetch the URL with raw")
        return _part(document, "raw" if "raw" in document.bodies else format, start_index, max_length, section)

    async def extract_html(
        self,
        html: Annotated[str, Field(max_length=LONGEST_HTML, description="The page's HTML.")],
        url: Annotated[
            str | None, Field(max_length=2_000, description="Its URL, to resolve links; it is not fetched.")
        ] = None,
        max_length: Length = DEFAULT_LENGTH,
        format: Wanted = "markdown",
    ) -> Annotated[CallToolResult, PageAnswer]:
        """Extract the main content of HTML that you already have. Nothing is fetched.

        Returns the same as fetch; continue with fetch, read_section, find or outline and the handle of the result.
        """
        with _as_tool_errors():
            document = await self.library.read_html(html, url)
        return _part(document, format, 0, max_length, None)

    async def outline(self, page: PageName) -> Annotated[CallToolResult, OutlineAnswer]:
        """The headings of a page with the size of each section: the cheapest overview of a long page."""
        answer = outline_answer(await self._document(page))
        return tool_result(answer, outline_text(answer))

    async def read_section(
        self,
        page: PageName,
        section: Annotated[
            str, Field(min_length=1, max_length=200, description="Its id in the outline, or its heading.")
        ],
        max_length: Length = DEFAULT_LENGTH,
        start_index: Start = 0,
    ) -> Annotated[CallToolResult, PageAnswer]:
        """One section of a page as Markdown, including its subsections. start_index counts from its beginning."""
        return _part(await self._document(page), "markdown", start_index, max_length, section)

    async def find(
        self,
        page: PageName,
        query: Annotated[str, Field(min_length=1, max_length=300, description="Words to search for.")],
        limit: Annotated[int, Field(ge=1, le=50, description="Maximum of passages to return.")] = 8,
    ) -> Annotated[CallToolResult, FindAnswer]:
        """Find passages of a page that contain some words, each with its section and offset.

        First those that contain the query literally, otherwise those with most of its words. No patterns.
        """
        document = await self._document(page)
        matches = passages_with(document.bodies["markdown"], document.sections, query, limit)
        answer = find_answer(document, matches, PASSAGE)
        return tool_result(answer, find_text(answer, query))

    async def fetch_many(
        self,
        urls: Annotated[list[Url], Field(min_length=1, max_length=MOST_URLS, description="URLs of pages.")],
        ctx: Context[Any, Any],
        max_length: Annotated[int, Field(ge=1, le=20_000, description="Maximum of characters per page.")] = 2_000,
    ) -> Annotated[CallToolResult, ManyAnswer]:
        """The beginnings of several pages, read at the same time, with a handle for each.

        A page that cannot be read does not stop the others: its entry has an error.
        """
        found: dict[int, ManyEntry] = {}
        limiter = CapacityLimiter(AT_ONCE)

        async def read(number: int, url: str) -> None:
            async with limiter:
                found[number] = await self._entry(url, max_length)
            await ctx.report_progress(len(found), len(urls), f"{len(found)} of {len(urls)} pages")

        async with create_task_group() as group:
            for number, url in enumerate(urls):
                group.start_soon(read, number, url)
        entries = [found[number] for number in range(len(urls))]
        answer = ManyAnswer(notice=NOTICE, pages=entries, failed=sum(entry.page is None for entry in entries))
        return tool_result(answer, many_text(answer))

    async def _entry(self, url: str, most: int) -> ManyEntry:
        try:
            document = await self.library.read_url(url)
        except DuramenError as error:
            return ManyEntry(url=url, error=_advice(error), page=None)
        return ManyEntry(url=url, error=None, page=page_answer(document, "markdown", 0, most, outline=False))

    async def _document(self, page: str) -> Document:
        with _as_tool_errors():
            if page.startswith(HANDLE):
                document = self.library.documents.get(page)
            else:
                document = await self.library.read_url(page, again=True)
        if "markdown" not in document.bodies:
            raise ToolError("this handle is of a page's source; fetch the page without raw")
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
            raise MCPError(code=INVALID_PARAMS, message=_advice(error)) from error
        return page_text(page_answer(document, "markdown", 0, DEFAULT_LENGTH), "ask for start_index {index}")


def _part(document: Document, name: BodyFormat, start: int, most: int, wanted: str | None) -> CallToolResult:
    section = _section(document, wanted) if wanted else None
    total = section.end - section.start if section else len(document.bodies[name])
    if start and start >= total:
        raise ToolError(f"start_index {start} is past the end: there are {total} characters")
    answer = page_answer(document, name, start, most, section)
    if section:
        further = f'read_section(page="{document.handle}", section="{section.id}", start_index={{index}})'
    else:
        written = "" if name in ("markdown", "raw") else f', format="{name}"'
        further = f'fetch(url="{document.handle}", start_index={{index}}{written})'
        further += f', or read_section(page="{document.handle}", section=…)' if document.sections else ""
    return tool_result(answer, page_text(answer, further))


def _section(document: Document, wanted: str) -> Section:
    section = named(document.sections, wanted)
    if section is None:
        known = ", ".join(s.id for s in document.sections[:40])
        raise ToolError(f"no section, or more than one, matches {wanted!r}; the outline has {known or 'none'}")
    return section


def _advice(error: DuramenError) -> str:
    """The error and what to do about it, on one line of limited length."""
    text = f"{error.what}; {error.advice}" if isinstance(error, FetchError) else str(error)
    return " ".join(text.split())[:500]


@contextmanager
def _as_tool_errors() -> Iterator[None]:
    """Turn Duramen's errors into tool errors, which the model reads."""
    try:
        yield
    except DuramenError as error:
        raise ToolError(_advice(error)) from error


def create_server(fetch: FetchOptions | None = None, options: Options | None = None) -> MCPServer:
    """Create the server, for any transport. Requests cannot change these options."""
    pages = Pages(fetch or FetchOptions(), Workers(), LoadLimiter(size=HELD_BYTES))
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
            _tool(tools.fetch, "Read a web page", outside=True),
            _tool(tools.extract_html, "Extract from HTML", outside=False),
            _tool(tools.outline, "Outline of a page", outside=True),
            _tool(tools.read_section, "Read a section", outside=True),
            _tool(tools.find, "Find in a page", outside=True),
            _tool(tools.fetch_many, "Read several web pages", outside=True),
        ],
        cache_hints={"tools/list": week, "prompts/list": week, "resources/templates/list": week},
        log_level="WARNING",
        lifespan=lifespan,
    )
    server.resource("duramen://page/{handle}", title="A page that was read", mime_type="text/markdown")(tools.resource)
    server.prompt(name="fetch", title="Read a web page")(tools.prompt)
    logging.getLogger("mcp").setLevel(logging.WARNING)
    return server


def _tool(function: Callable[..., Any], title: str, outside: bool) -> Tool:
    """A tool that rejects unknown arguments. ``outside``: whether it may use the network."""
    annotations = ToolAnnotations(
        title=title,
        read_only_hint=True,
        destructive_hint=False,
        idempotent_hint=True,
        open_world_hint=outside,
    )
    tool = Tool.from_function(function, title=title, annotations=annotations, meta=META)
    known = tool.fn_metadata.arg_model
    strict = create_model(known.__name__, __base__=known, __module__=__name__)
    strict.model_config["extra"] = "forbid"
    strict.model_rebuild(force=True)
    tool.fn_metadata.arg_model = strict
    tool.parameters = strict.model_json_schema(by_alias=True)
    return tool
