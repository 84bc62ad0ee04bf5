"""A real MCP client drives every tool, over both transports and both eras of the protocol."""

from __future__ import annotations

import re
from typing import Any

import anyio
import httpx2
import jsonschema
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from duramen.agents.fence import NOTICE

from .client import call, failure, inside, open_http, over_http, over_stdio, text_of
from .process import TOKEN
from .site import LONG, SHORT, Site

TOOLS = ["fetch", "extract_html", "outline", "read_section", "find", "fetch_many"]


async def drive_everything(client: Client, site: Site) -> None:
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert list(tools) == TOOLS

    async def checked(name: str, **arguments: Any) -> dict[str, Any]:
        answer = await call(client, name, **arguments)
        jsonschema.Draft202012Validator(tools[name].output_schema or {}).validate(answer)
        return answer

    short = await checked("fetch", url=site.url("/short"))
    assert (short["title"], short["verdict"], short["page_type"]) == ("A flat board", "good", "article")
    assert "light runs over it" in inside(short["content"])
    assert short["span"]["next_index"] is None
    assert short["outline"] == []
    given = await checked("extract_html", html=SHORT, url="https://boards.example/flat")
    assert given["url"] == "https://boards.example/flat"
    outline = await checked("outline", page=given["handle"])
    assert [entry["section"] for entry in outline["outline"]] == ["0"]
    section = await checked("read_section", page=given["handle"], section="0")
    assert inside(section["content"]) == inside(given["content"])
    found = await checked("find", page=given["handle"], query="2 shavings")
    assert len(found["matches"]) == 1
    assert "2 shavings lie" in inside(found["content"])
    many = await checked("fetch_many", urls=[site.url("/short"), site.url("/nowhere")])
    assert [entry["error"] is None for entry in many["pages"]] == [True, False]
    assert many["failed"] == 1


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_every_tool_over_stdio(site: Site, mode: str) -> None:
    over_stdio(lambda client: drive_everything(client, site), mode)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_every_tool_over_http(mcp_address: str, site: Site, mode: str) -> None:
    over_http(mcp_address, lambda client: drive_everything(client, site), mode)


def test_tools_describe_themselves_truthfully(mcp_address: str) -> None:
    async def work(client: Client) -> None:
        for tool in (await client.list_tools()).tools:
            jsonschema.Draft202012Validator.check_schema(tool.input_schema)
            assert tool.input_schema["additionalProperties"] is False
            assert tool.output_schema is not None
            jsonschema.Draft202012Validator.check_schema(tool.output_schema)
            hints = tool.annotations
            assert hints is not None
            assert (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint) == (True, False, True)
            # Only what never asks the network may say so.
            assert hints.open_world_hint is (tool.name != "extract_html")
            assert tool.title
            assert tool.description
            assert all("description" in schema for schema in tool.input_schema["properties"].values())
        # Nothing in a request chooses proxies, files, browser arguments, headers or code.
        names = {name for tool in (await client.list_tools()).tools for name in tool.input_schema["properties"]}
        assert names == set("url urls html page max_length start_index raw format section render query limit".split())
        assert NOTICE in (client.instructions or "")

    over_http(mcp_address, work)


def test_long_page_is_paged_without_downloading_again(mcp_address: str, site: Site) -> None:
    async def work(client: Client) -> None:
        url = site.url("/long")
        before = site.asked["/long"]
        first = await call(client, "fetch", url=url, max_length=5_000)
        assert len(first["outline"]) == 60
        assert first["outline"][1] == {**first["outline"][1], "section": "1", "title": "Chapter 1", "level": 2}
        assert first["span"]["total"] > 40_000
        parts, at = [inside(first["content"])], first["span"]["next_index"]
        while at is not None:
            part = await call(client, "fetch", url=url, start_index=at, max_length=20_000)
            assert part["span"]["start"] == at
            parts.append(inside(part["content"]))
            at = part["span"]["next_index"]
        whole = "".join(parts)
        assert len(whole) == first["span"]["total"]
        assert whole.count("# not a heading") == 30
        assert site.asked["/long"] == before + 1
        section = await call(client, "read_section", page=first["handle"], section="Tools of chapter 7")
        assert inside(section["content"]).startswith("### Tools of chapter 7")
        assert "Chapter 8" not in inside(section["content"])
        same = await call(client, "fetch", url=url, section="7.1")
        assert inside(same["content"]) == inside(section["content"])
        glue = await call(client, "find", page=first["handle"], query="SIXTY degrees")
        assert [match["section"] for match in glue["matches"]] == ["31"]
        assert site.asked["/long"] == before + 1

    over_http(mcp_address, work)


@pytest.mark.parametrize(("form", "raw"), [("markdown", False), ("text", False), ("html", False), ("html", True)])
def test_paging_by_handle(mcp_address: str, site: Site, form: str, raw: bool) -> None:
    """In every format, and also for what has no address; what the answer says to call is what works."""

    async def work(client: Client) -> None:
        before = site.asked["/long"]
        kinds = [
            await client.call_tool("fetch", {"url": site.url("/long"), "format": form, "raw": raw, "max_length": 9_000})
        ]
        if not raw:
            arguments = {"html": LONG, "format": form, "max_length": 9_000}
            kinds.append(await client.call_tool("extract_html", arguments))
        asked = site.asked["/long"]
        for result in kinds:
            first = result.structured_content
            assert first is not None
            whole, told = inside(first["content"]), text_of(result)
            while found := re.search(
                r'There is more: fetch\(url="(doc_[^"]+)", start_index=(\d+)(?:, format="(\w+)")?', told
            ):
                more = {"format": found[3]} if found[3] else {}
                arguments = {"url": found[1], "start_index": int(found[2]), "max_length": 50_000, **more}
                result = await client.call_tool("fetch", arguments)
                assert result.structured_content is not None and result.structured_content["format"] == first["format"]
                whole, told = whole + inside(result.structured_content["content"]), text_of(result)
            assert len(whole) == first["span"]["total"] > 9_000
        assert site.asked["/long"] == asked <= before + 1
        assert "fetch the page again" in await failure(client, "fetch", url="doc_gone", start_index=100)
        if not raw:
            assert "extracted content" in await failure(client, "fetch", url=first["handle"], raw=True)

    over_http(mcp_address, work)


def test_unknown_prompts_are_the_callers_mistake(mcp_address: str) -> None:
    async def work(client: Client) -> None:
        for name in ("no-such-prompt", "fetch"):
            with pytest.raises(MCPError) as caught:
                await client.get_prompt(name, {})
            assert caught.value.error.code == -32602

    over_http(mcp_address, work)


def test_formats_and_raw(mcp_address: str, site: Site) -> None:
    async def work(client: Client) -> None:
        url = site.url("/short")
        html = await call(client, "fetch", url=url, format="html")
        assert inside(html["content"]).startswith("<")
        text = await call(client, "fetch", url=url, format="text")
        assert "<p>" not in inside(text["content"])
        raw = await call(client, "fetch", url=url, raw=True, max_length=60)
        assert inside(raw["content"]).startswith("<!doctype html>")
        assert raw["format"] == "raw"
        assert "source" in await failure(client, "find", page=raw["handle"], query="board")

    over_http(mcp_address, work)


def test_answers_fit_clients(mcp_address: str, site: Site) -> None:
    async def work(client: Client) -> None:
        # 1.9 MB of text; nobody wants it in one piece.
        huge = await call(client, "fetch", url=site.url("/huge"))
        assert huge["span"]["end"] <= 16_000
        assert huge["span"]["total"] > 1_500_000
        assert huge["tokens"] < 8_000
        most = await client.call_tool("fetch", {"url": site.url("/huge"), "max_length": 999_999})
        assert most.structured_content is not None
        assert most.structured_content["tokens"] < 19_000
        assert len(text_of(most)) < 90_000
        han = await call(
            client, "extract_html", html=f"<main><p>{'木工刨平木板。' * 9_000}</p></main>", max_length=100_000
        )
        assert han["tokens"] < 19_000

    over_http(mcp_address, work)


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("fetch", {}, "url"),
        ("fetch", {"url": ""}, "url"),
        ("fetch", {"url": "ftp://example.org/"}, "http"),
        ("fetch", {"url": "file:///etc/passwd"}, "http"),
        ("fetch", {"url": "https://example.org/", "max_length": 0}, "max_length"),
        ("fetch", {"url": "https://example.org/", "max_length": "many"}, "max_length"),
        ("fetch", {"url": "https://example.org/", "start_index": -1}, "start_index"),
        ("fetch", {"url": "https://example.org/", "format": "pdf"}, "format"),
        ("fetch", {"url": "https://example.org/", "format": "html", "section": "1"}, "format"),
        ("fetch", {"url": "https://example.org/", "raw": True, "section": "1"}, "raw"),
        ("fetch", {"url": "https://example.org/", "proxy": "http://evil.example"}, "proxy"),
        ("fetch", {"url": ["https://example.org/"]}, "url"),
        ("extract_html", {"html": None}, "html"),
        ("outline", {"page": "doc_unknown"}, "30 minutes"),
        ("read_section", {"page": "doc_unknown", "section": "1"}, "fetch the page again"),
        ("find", {"page": "doc_unknown", "query": ""}, "query"),
        ("find", {"page": "doc_unknown", "query": "x", "limit": 1_000}, "limit"),
        ("fetch_many", {"urls": []}, "urls"),
        ("fetch_many", {"urls": ["https://example.org/"] * 21}, "urls"),
        ("no_such_tool", {}, "no_such_tool"),
    ],
)  # fmt: skip
def test_bad_arguments_are_tool_errors(mcp_address: str, tool: str, arguments: dict[str, Any], said: str) -> None:
    async def work(client: Client) -> str:
        try:
            return await failure(client, tool, **arguments)
        except MCPError as error:
            # A tool that is not there is a fault of the protocol.
            assert tool == "no_such_tool"
            return str(error)

    assert said in over_http(mcp_address, work)


def test_pages_that_cannot_be_had_are_tool_errors(mcp_address: str, site: Site) -> None:
    async def work(client: Client) -> None:
        assert "404" in await failure(client, "fetch", url=site.url("/nowhere"))
        assert "robots.txt" in await failure(client, "fetch", url=site.url("/closed/page"))
        assert "PDF" in (await failure(client, "fetch", url=site.url("/file.pdf"))).replace("pdf", "PDF")
        past = await failure(client, "fetch", url=site.url("/short"), start_index=10**6)
        assert "past the end" in past
        section = await failure(client, "fetch", url=site.url("/short"), section="9.9")
        assert "9.9" in section
        empty = await call(client, "fetch", url=site.url("/empty"))
        assert (empty["verdict"], inside(empty["content"])) == ("empty", "")

    over_http(mcp_address, work)


def test_private_addresses_are_refused_by_default(site: Site) -> None:
    from duramen.agents.server import create_server

    async def main() -> str:
        async with Client(create_server()) as client:
            return await failure(client, "fetch", url=site.url("/short"))

    before = sum(site.asked.values())
    assert "private" in anyio.run(main)
    assert sum(site.asked.values()) == before


def test_user_may_ask_for_what_robots_may_not(mcp_address: str, site: Site) -> None:
    async def work(client: Client) -> None:
        prompt = await client.get_prompt("fetch", {"url": site.url("/closed/page")})
        content = prompt.messages[0].content
        assert content.type == "text"
        assert "light runs over it" in content.text
        assert NOTICE in content.text
        with pytest.raises(MCPError, match="404"):
            await client.get_prompt("fetch", {"url": site.url("/nowhere")})

    over_http(mcp_address, work)


def test_documents_are_resources(mcp_address: str) -> None:
    async def work(client: Client) -> None:
        answer = await call(client, "extract_html", html=LONG, max_length=100)
        resource = await client.read_resource(f"duramen://page/{answer['handle']}")
        (content,) = resource.contents
        assert len(inside(getattr(content, "text", ""))) == answer["span"]["total"]
        with pytest.raises(MCPError):
            await client.read_resource("duramen://page/doc_unknown")

    over_http(mcp_address, work)


def test_progress_of_many(mcp_address: str, site: Site) -> None:
    async def work(client: Client) -> list[float]:
        seen: list[float] = []

        async def note(progress: float, total: float | None, message: str | None) -> None:
            assert total == 3
            assert message
            seen.append(progress)

        urls = [site.url("/short"), site.url("/nowhere"), "ftp://example.org/"]
        result = await client.call_tool("fetch_many", {"urls": urls}, progress_callback=note)
        assert not result.is_error
        return seen

    assert over_http(mcp_address, work) == [1, 2, 3]


def test_fifty_calls_at_once(mcp_address: str, site: Site) -> None:
    async def work(client: Client) -> None:
        before = site.asked["/page-fifty"]
        answers: list[dict[str, Any]] = []

        async def one(number: int) -> None:
            if number % 2:
                answers.append(await call(client, "fetch", url=site.url("/page-fifty")))
            else:
                answers.append(await call(client, "extract_html", html=SHORT))

        async with anyio.create_task_group() as group:
            for number in range(50):
                group.start_soon(one, number)
        assert len(answers) == 50
        assert {answer["verdict"] for answer in answers} == {"good"}
        assert site.asked["/page-fifty"] == before + 1

    over_http(mcp_address, work)
    over_stdio(work)


async def cancel_a_call(client: Client, site: Site) -> None:
    before = site.asked["/slow"]
    with anyio.move_on_after(15) as scope:
        async with anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "fetch", {"url": site.url("/slow")})
            while site.asked["/slow"] == before:
                await anyio.sleep(0.02)
            group.cancel_scope.cancel()
    assert not scope.cancelled_caught
    # The server goes on as if nothing had been.
    assert (await call(client, "extract_html", html=SHORT))["verdict"] == "good"


def test_cancelled_calls(mcp_address: str, site: Site) -> None:
    over_http(mcp_address, lambda client: cancel_a_call(client, site))
    over_stdio(lambda client: cancel_a_call(client, site))


def test_http_needs_the_token(mcp_address: str) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    assert httpx2.post(mcp_address, json=body).status_code == 401
    assert httpx2.post(mcp_address, json=body, headers={"Authorization": "Bearer wrong"}).status_code == 401
    foreign = {"Authorization": f"Bearer {TOKEN}", "Origin": "https://evil.example"}
    assert httpx2.post(mcp_address, json=body, headers=foreign).status_code == 403


def test_two_clients_do_not_see_each_others_handles_but_may_share_them(mcp_address: str) -> None:
    """A handle cannot be guessed; who was given one may use it."""

    async def main() -> None:
        async with open_http(mcp_address) as one, open_http(mcp_address) as other:
            answer = await call(one, "extract_html", html=SHORT)
            assert len(answer["handle"]) >= 16
            assert (await call(other, "outline", page=answer["handle"]))["title"] == "A flat board"

    anyio.run(main)
