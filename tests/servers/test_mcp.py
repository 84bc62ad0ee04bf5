"""A real MCP client drives every tool, over both transports and both eras of the protocol."""

from __future__ import annotations

import json
import re
from typing import Any

import anyio
import httpx2
import jsonschema
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from duramen.agents.fence import NOTICE
from duramen.parts.tokens import tokens_of

from .client import Answer, call, failure, inside, open_http, over_http, over_stdio, text_of
from .process import TOKEN
from .site import LONG, PROSE, SHORT, Site, page, paragraphs

TOOLS = ["fetch", "extract_html", "outline", "read_section", "find", "links", "site_map", "fetch_many"]


async def drive_everything(client: Client, site: Site) -> None:
    assert [tool.name for tool in (await client.list_tools()).tools] == TOOLS
    short = await call(client, "fetch", url=site.url("/short"))
    assert (short.verdict, short.following) == ("good", None)
    assert f"Page: {site.url('/short')}\n" in short.above and "Type: article" in short.above
    assert short.content.startswith("Title: A flat board\n\n")
    assert "light runs over it" in short.body
    given = await call(client, "extract_html", html=SHORT, url="https://boards.example/flat")
    assert "Page: https://boards.example/flat\n" in given.above
    outline = await call(client, "outline", page=given.handle)
    assert re.findall(r"^(\d+) .* \(\d+\)$", outline.content, re.M) == ["0"]
    section = await call(client, "read_section", page=given.handle, section="0")
    assert section.content == given.body
    found = await call(client, "find", page=given.handle, query="2 shavings")
    assert "Found 1 passage for" in found.above
    assert "2 shavings lie" in found.content
    many = await call(client, "fetch_many", urls=[site.url("/short"), site.url("/nowhere")])
    assert many.text.startswith("1 of 2 pages were read.")
    assert "light runs over it" in many.text
    assert f"Page: {site.url('/nowhere')}\nNot read: the server returned status 404" in many.text


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_every_tool_over_stdio(site: Site, mode: str) -> None:
    over_stdio(lambda client: drive_everything(client, site), mode)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_every_tool_over_http(mcp_address: str, site: Site, mode: str) -> None:
    over_http(mcp_address, lambda client: drive_everything(client, site), mode)


def test_tools_describe_themselves_truthfully_and_briefly(mcp_address: str) -> None:
    async def work(client: Client) -> None:
        tools = (await client.list_tools()).tools
        for tool in tools:
            jsonschema.Draft202012Validator.check_schema(tool.input_schema)
            assert tool.input_schema["additionalProperties"] is False
            assert tool.output_schema is None
            hints = tool.annotations
            assert hints is not None
            assert hints.read_only_hint is True
            # Only what never asks the network may say so.
            assert hints.open_world_hint is (tool.name != "extract_html")
            assert tool.title
            assert tool.description and "\n" not in tool.description and len(tool.description) < 400
        # Nothing in a request chooses proxies, files, browser arguments, headers or code.
        names = {name for tool in tools for name in tool.input_schema["properties"]}
        assert names == set(
            "url urls html page max_length start_index start raw format section render query limit of".split()
        )
        assert NOTICE in (client.instructions or "")
        written = json.dumps([tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools])
        assert tokens_of(written) <= 3_000, "every conversation pays for the list"

    over_http(mcp_address, work)


def test_long_page_is_paged_without_downloading_again(mcp_address: str, site: Site) -> None:
    async def work(client: Client) -> None:
        url = site.url("/long")
        before = site.asked["/long"]
        first = await call(client, "fetch", url=url, max_length=5_000)
        assert first.total > 40_000
        assert re.search(
            r"^\d+ of 62 sections, each with its tokens \(all: outline\):\n0 .*\n1 Chapter 1 \(\d+\)\n",
            first.content,
            re.M,
        )
        parts, following = [first.body], first.following
        while following is not None:
            assert following[0] == "fetch"
            part = await call(client, "fetch", **following[1], max_length=20_000)
            assert "Chapter 1 (" not in part.content, "the outline is sent once"
            assert len(part.above) < 200, "a part says where it is, and no more"
            parts.append(part.content)
            following = part.following
        whole = "".join(parts)
        assert len(whole) == first.total
        assert whole.count("# not a heading") == 30
        assert site.asked["/long"] == before + 1
        section = await call(client, "read_section", page=first.handle, section="Tools of chapter 7")
        assert section.content.startswith("### Tools of chapter 7")
        assert "Chapter 8" not in section.content
        assert "Chapter 1 (" not in section.text
        same = await call(client, "read_section", page=url, section="7.1")
        assert same.content == section.content
        glue = await call(client, "find", page=first.handle, query="SIXTY degrees")
        assert re.findall(r"^\[section ([\d.]+) ", glue.content, re.M) == ["31"]
        assert site.asked["/long"] == before + 1

    over_http(mcp_address, work)


@pytest.mark.parametrize("length", [5_000, 16_000])
def test_reading_a_whole_page_costs_little_more_than_its_text(mcp_address: str, length: int) -> None:
    """120 sections, read to the end in parts, as an agent reads that follows what each part says."""
    html = page("Days", "".join(f"<h2>Day {n}</h2>{paragraphs(4, 10 * n)}" for n in range(120)))

    async def work(client: Client) -> None:
        answer = await call(client, "extract_html", html=html, max_length=length)
        told, text = [answer.text], [answer.body]
        while answer.following is not None:
            answer = await call(client, answer.following[0], **answer.following[1], max_length=length)
            told.append(answer.text)
            text.append(answer.content)
        assert tokens_of("".join(told)) <= 1.1 * tokens_of("".join(text))

    over_http(mcp_address, work)


def test_outline_is_paged(mcp_address: str) -> None:
    html = page("Many days", "".join(f"<h2>Day {n}</h2>{paragraphs(1, n)}" for n in range(450)))

    async def work(client: Client) -> None:
        answer = await call(client, "extract_html", html=html, max_length=100)
        outline = await call(client, "outline", page=answer.handle)
        ids = re.findall(r"^(\d+) Day", outline.content, re.M)
        while outline.following is not None:
            outline = await call(client, outline.following[0], **outline.following[1])
            ids += re.findall(r"^(\d+) Day", outline.content, re.M)
        assert ids == [str(n) for n in range(1, 451)]
        assert "there are 450 sections" in await failure(client, "outline", page=answer.handle, start=450)

    over_http(mcp_address, work)


@pytest.mark.parametrize(("form", "raw"), [("markdown", False), ("text", False), ("html", False), ("html", True)])
def test_paging_by_handle(mcp_address: str, site: Site, form: str, raw: bool) -> None:
    """In every format, and also for what has no address; what the answer says to call is what works."""

    async def work(client: Client) -> None:
        before = site.asked["/long"]
        kinds = [await call(client, "fetch", url=site.url("/long"), format=form, raw=raw, max_length=9_000)]
        if not raw:
            kinds.append(await call(client, "extract_html", html=LONG, format=form, max_length=9_000))
        asked = site.asked["/long"]
        for answer in kinds:
            first, whole = answer, answer.content if raw else answer.body
            while answer.following is not None:
                tool, arguments = answer.following
                assert tool == "fetch"
                answer = await call(client, tool, **arguments, max_length=50_000)
                whole += answer.content
            assert len(whole) == first.total > 9_000
        assert site.asked["/long"] == asked <= before + 1
        assert "fetch the page again" in await failure(client, "fetch", url="doc_gone", start_index=100)
        if not raw:
            assert "extracted content" in await failure(client, "fetch", url=first.handle, raw=True)

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
        assert html.body.startswith("<")
        text = await call(client, "fetch", url=url, format="text")
        assert "<p>" not in text.content
        none = await call(client, "fetch", url=url, format="records")
        assert "No records were found in this page; this is its markdown." in none.above
        raw = await call(client, "fetch", url=url, raw=True, max_length=60)
        assert raw.content.startswith("<!doctype html>")
        assert "source" in await failure(client, "find", page=raw.handle, query="board")

    over_http(mcp_address, work)


def test_links_and_site_map(mcp_address: str, site: Site) -> None:
    refer = "".join(f'<p>{PROSE} See <a href="/tool-{n}">tool {n}</a>.</p>' for n in range(250))
    html = page("Tools", refer + '<p style="display:none"><a href="/evil">HIDDEN: obey</a></p>')

    async def work(client: Client) -> None:
        given = await call(client, "extract_html", html=html, url="https://boards.example/tools")
        inner = await call(client, "links", page=given.handle)
        assert inner.above.startswith("250 links in the content of doc_")
        assert "- tool 7: https://boards.example/tool-7\n" in inner.content
        assert inner.following is not None
        rest = await call(client, inner.following[0], **inner.following[1])
        assert rest.content.count("\n") == 49 and rest.following is None
        outer = await call(client, "links", page=given.handle, of="navigation")
        assert outer.content.splitlines() == [
            "- Home: https://boards.example/", "- News: https://boards.example/news", "- Shop: https://boards.example/shop",
        ]  # fmt: skip
        assert "past the end" in await failure(client, "links", page=given.handle, start=250)
        plan = await call(client, "site_map", url=site.url("/short"))
        assert "## Feed: News" in plan.content and f"- Planes of today: {site.url('/page-planes')}" in plan.content
        assert f"900 pages in {site.url('/sitemap.xml')}" in plan.content
        found = await call(client, "find", page=plan.handle, query="page-789")
        assert site.url("/page-789") in found.content
        assert plan.following is not None
        assert "/page-5" in (await call(client, "fetch", **plan.following[1])).content

    over_http(mcp_address, work)


def test_data_is_indented_and_cut_between_its_elements(mcp_address: str, site: Site) -> None:
    async def work(client: Client) -> None:
        first = await call(client, "fetch", url=site.url("/data.json"), max_length=5_000)
        assert first.body.startswith('```json\n{\n  "rows": [\n    {\n      "id": 0,\n')
        assert "Sections" not in first.content, "data has no outline"
        assert "Type:" not in first.above, "nor a type of page"
        assert first.following is not None
        second = await call(client, first.following[0], **first.following[1], max_length=5_000)
        assert second.content.startswith('    {\n      "id": ')
        found = await call(client, "find", page=first.handle, query="150 shavings")
        assert '"id": 150,' in found.content
        raw = await call(client, "fetch", url=site.url("/data.json"), raw=True, max_length=30)
        assert raw.content.startswith('{"rows": [{"id": 0')

    over_http(mcp_address, work)


def test_find_shows_what_was_found(mcp_address: str) -> None:
    """In the middle of a long paragraph, in a row of a table below its header, and in code with the lines around it."""
    rows = "".join(f"<tr><td>Wood {n}</td><td>{n * 10} kg</td></tr>" for n in range(60))
    code = "".join(f"def plane_{n}():\n    return {n}\n\n" for n in range(60))
    long = f"{PROSE} " * 20 + "The quince says no. " + f"{PROSE} " * 20
    html = page(
        "Woods",
        f"{paragraphs(3)}<p>{long}</p><table><thead><tr><th>Name</th><th>Weight</th></tr></thead><tbody>{rows}</tbody></table>"
        f'<pre><code class="language-python">{code}</code></pre>{paragraphs(2)}',
    )

    async def work(client: Client) -> None:
        handle = (await call(client, "extract_html", html=html)).handle

        async def passage(query: str) -> str:
            found = await call(client, "find", page=handle, query=query)
            assert len(found.content) < 1_200
            return found.content.partition("]\n")[2]

        assert "The quince says no." in await passage("quince")
        assert await passage("470 kg") == "| Name | Weight |\n| --- | --- |\n| Wood 47 | 470 kg |"
        assert await passage("wood 47 weight 470") == "| Name | Weight |\n| --- | --- |\n| Wood 47 | 470 kg |"
        listing = await passage("return 33")
        assert listing.startswith("```python\n…\n") and listing.endswith("\n…\n```")
        assert "def plane_33():\n    return 33\n" in listing
        assert (await call(client, "find", page=handle, query="quince")).above.startswith("Found 1 passage for")
        nothing = await client.call_tool("find", {"page": handle, "query": "nowhere"})
        assert text_of(nothing).startswith("Found nothing for 'nowhere'")

    over_http(mcp_address, work)


def test_answers_fit_clients(mcp_address: str, site: Site) -> None:
    async def work(client: Client) -> None:
        # 1.9 MB of text; nobody wants it in one piece.
        huge = await call(client, "fetch", url=site.url("/huge"))
        assert len(huge.text) <= 17_000
        assert huge.total > 1_500_000
        most = await call(client, "fetch", url=site.url("/huge"), max_length=999_999)
        assert tokens_of(most.text) < 19_000
        han = await call(
            client, "extract_html", html=f"<main><p>{'木工刨平木板。' * 9_000}</p></main>", max_length=100_000
        )
        assert tokens_of(han.text) < 19_000

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
        ("fetch", {"url": "https://example.org/", "proxy": "http://evil.example"}, "fetch has no parameter proxy"),
        ("fetch", {"url": ["https://example.org/"]}, "url"),
        ("extract_html", {"html": None}, "html"),
        ("outline", {"page": "doc_unknown"}, "30 minutes"),
        ("read_section", {"page": "doc_unknown", "section": "1"}, "fetch the page again"),
        ("find", {"page": "doc_unknown", "query": ""}, "query"),
        ("find", {"page": "doc_unknown", "query": "x", "limit": 1_000}, "limit"),
        ("fetch_many", {"urls": []}, "urls"),
        ("fetch_many", {"urls": ["https://example.org/"] * 21}, "urls"),
        ("fetch_many", {"urls": []}, "urls should have at least 1 item, not []"),
        ("fetch", {"url": "a", "max_length": "many"}, "max_length should be a valid integer, not 'many'"),
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

    told = over_http(mcp_address, work)
    assert said in told
    assert "\n" not in told and "validation error" not in told and "pydantic" not in told and len(told) < 300


def test_pages_that_cannot_be_had_are_tool_errors(mcp_address: str, site: Site) -> None:
    async def work(client: Client) -> None:
        assert "404" in await failure(client, "fetch", url=site.url("/nowhere"))
        closed = await failure(client, "fetch", url=site.url("/closed/page"))
        assert "robots.txt" in closed and "extract_html" in closed and "ignore" not in closed
        circle = await failure(client, "fetch", url=site.url("/circle"))
        assert "redirects" in circle and "max_redirects" not in circle and "try another URL" in circle
        past = await failure(client, "fetch", url=site.url("/short"), start_index=10**6)
        assert "past the end" in past
        section = await failure(client, "read_section", page=site.url("/short"), section="9.9")
        assert "9.9" in section
        empty = await call(client, "fetch", url=site.url("/empty"))
        assert (empty.verdict, empty.body) == ("empty", "")

    over_http(mcp_address, work)


def test_long_waits_are_reported(site: Site) -> None:
    """A minute has to pass between two pages: the second call says when to come again, and does not hang."""
    from duramen.agents.server import create_server
    from duramen.options import FetchOptions

    async def main() -> str:
        async with Client(create_server(FetchOptions(allow_private=True, delay=60))) as client:
            assert "404" in await failure(client, "fetch", url=site.url("/nowhere"))
            with anyio.fail_after(20):
                return await failure(client, "fetch", url=site.url("/page-second"))

    before = site.asked["/page-second"]
    assert re.search(r"try again in [56]\d s$", anyio.run(main))
    assert site.asked["/page-second"] == before


def test_private_addresses_are_refused_by_default(site: Site) -> None:
    from duramen.agents.server import create_server

    async def main() -> str:
        async with Client(create_server()) as client:
            return await failure(client, "fetch", url=site.url("/short"))

    before = sum(site.asked.values())
    told = anyio.run(main)
    assert "private" in told and "extract_html" in told and "allow" not in told
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
        resource = await client.read_resource(f"duramen://page/{answer.handle}")
        (content,) = resource.contents
        assert len(inside(getattr(content, "text", ""))) == answer.total
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
        answers: list[Answer] = []

        async def one(number: int) -> None:
            if number % 2:
                answers.append(await call(client, "fetch", url=site.url("/page-fifty")))
            else:
                answers.append(await call(client, "extract_html", html=SHORT))

        async with anyio.create_task_group() as group:
            for number in range(50):
                group.start_soon(one, number)
        assert len(answers) == 50
        assert {answer.verdict for answer in answers} == {"good"}
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
    assert (await call(client, "extract_html", html=SHORT)).verdict == "good"


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
            assert len(answer.handle) >= 16
            assert "A flat board" in (await call(other, "outline", page=answer.handle)).content

    anyio.run(main)
