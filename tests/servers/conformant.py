"""Our server with the tools, resources and prompts that the public conformance suite calls, served as it always is.

The suite tests a server by what only a server made for it has. With this one it tests all that is ours on the way:
guard, app and server settings. Features that we do not offer are left out.
"""

from __future__ import annotations

import base64
import sys
from typing import Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.prompts.base import Message, UserMessage
from mcp_types import (
    AudioContent,
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    TextContent,
    TextResourceContents,
)

from duramen.agents.server import create_server
from duramen.agents.web import web_app
from duramen.cli.listen import serve
from duramen.service.connections import ConnectionLimits

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
SOUND = base64.b64encode(b"RIFF$\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0@\x1f\0\0@\x1f\0\0\1\0\x08\0data\0\0\0\0").decode()


def resource(uri: str, text: str) -> EmbeddedResource:
    return EmbeddedResource(type="resource", resource=TextResourceContents(uri=uri, mime_type="text/plain", text=text))


async def test_simple_text() -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text="This is a simple text response for testing.")])


async def test_image_content() -> CallToolResult:
    return CallToolResult(content=[ImageContent(type="image", data=PIXEL, mime_type="image/png")])


async def test_audio_content() -> CallToolResult:
    return CallToolResult(content=[AudioContent(type="audio", data=SOUND, mime_type="audio/wav")])


async def test_embedded_resource() -> CallToolResult:
    return CallToolResult(content=[resource("test://embedded-resource", "This is an embedded resource content.")])


async def test_multiple_content_types() -> CallToolResult:
    text = TextContent(type="text", text="Multiple content types test:")
    image = ImageContent(type="image", data=PIXEL, mime_type="image/png")
    return CallToolResult(content=[text, image, resource("test://mixed-content-resource", '{"test": "data"}')])


async def test_error_handling() -> CallToolResult:
    raise RuntimeError("This tool intentionally returns an error for testing")


async def test_tool_with_progress(ctx: Context[Any, Any]) -> CallToolResult:
    for done in (0, 50, 100):
        await ctx.report_progress(done, 100, f"Completed step {done} of 100")
    return CallToolResult(content=[TextContent(type="text", text="done")])


def main(port: int) -> int:
    server = create_server()
    for tool in (
        test_simple_text, test_image_content, test_audio_content, test_embedded_resource, test_multiple_content_types,
        test_error_handling, test_tool_with_progress,
    ):  # fmt: skip
        server.add_tool(tool, description="What the suite asks for.")

    @server.resource("test://static-text", mime_type="text/plain")
    def static_text() -> str:
        return "This is the content of the static text resource."

    @server.resource("test://static-binary", mime_type="image/png")
    def static_binary() -> bytes:
        return base64.b64decode(PIXEL)

    @server.resource("test://template/{id}/data", mime_type="application/json")
    def template(id: str) -> str:
        return f'{{"id": "{id}", "templateTest": true, "data": "Data for ID: {id}"}}'

    @server.prompt(name="test_simple_prompt", description="What the suite asks for.")
    def simple() -> str:
        return "This is a simple prompt for testing."

    @server.prompt(name="test_prompt_with_arguments", description="What the suite asks for.")
    def with_arguments(arg1: str, arg2: str) -> str:
        return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"

    @server.prompt(name="test_prompt_with_embedded_resource", description="What the suite asks for.")
    def with_resource(resourceUri: str) -> list[Message]:  # noqa: N803
        told = UserMessage("Please process the embedded resource above.")
        return [UserMessage(resource(resourceUri, "Embedded resource content for testing.")), told]

    @server.prompt(name="test_prompt_with_image", description="What the suite asks for.")
    def with_image() -> list[Message]:
        image = ImageContent(type="image", data=PIXEL, mime_type="image/png")
        return [UserMessage(image), UserMessage("Please analyze the image above.")]

    return serve(web_app(server), "127.0.0.1", port, "/mcp", ConnectionLimits())


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
