"""A tool as a model sees it: a short schema, and errors in one sentence that name only what the model can use."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import ToolAnnotations
from pydantic import ValidationError, create_model

from duramen.errors import (
    Blocked,
    DuramenError,
    FetchError,
    PrivateAddress,
    RobotsDenied,
    Timeout,
    TooLarge,
    TooManyRedirects,
)

META = {"anthropic/maxResultSizeChars": 200_000}
"""Claude Code writes longer results to a file; ours are limited by tokens."""
LONGEST_ERROR = 500
_NOISE = re.compile(r"^(?:Input|String|List) |(?: after validation|, (?:unable|got|not) ).*")
"""What pydantic says of its own work, beside what an argument should be."""

_ADVICE: tuple[tuple[type[FetchError], str], ...] = (
    (RobotsDenied, "the site does not want programs to read it; if the user has its HTML, use extract_html"),
    (PrivateAddress, "this server reads public pages only; if you have its HTML, use extract_html"),
    (TooLarge, "this server does not read larger pages; try another URL"),
    (TooManyRedirects, "the site is broken, or wants a login; try another URL"),
    (Timeout, "try again later"),
)
"""What a model can do. The advice of the library names options, which belong to who starts the server."""


class AgentTool(Tool):
    """A tool that rejects unknown arguments."""

    @classmethod
    def of(cls, function: Callable[..., Any], title: str, outside: bool) -> AgentTool:
        """A tool that only reads. ``outside``: whether it may use the network."""
        hints = ToolAnnotations(read_only_hint=True, open_world_hint=outside)
        description = " ".join((function.__doc__ or "").split())
        tool = cls.from_function(
            function, title=title, description=description, annotations=hints, meta=META, structured_output=False
        )
        assert isinstance(tool, AgentTool)
        known = tool.fn_metadata.arg_model
        strict = create_model(known.__name__, __base__=known, __module__=__name__)
        strict.model_config["extra"] = "forbid"
        strict.model_rebuild(force=True)
        tool.fn_metadata.arg_model = strict
        tool.parameters = _without_titles(strict.model_json_schema(by_alias=True))
        return tool

    async def run(self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False) -> Any:
        """Call the tool. An error has its own words only, without the prefix and links of the library."""
        try:
            return await super().run(arguments, context, convert_result)
        except UnexpectedToolError:
            raise
        except ToolError as error:
            cause = error.__cause__
            if isinstance(cause, ValidationError):
                raise ToolError(self._mistakes(cause)) from None
            raise ToolError(str(cause) if isinstance(cause, ToolError) else str(error)) from None

    def _mistakes(self, error: ValidationError) -> str:
        """What is wrong with the arguments, as one sentence."""
        errors: list[str] = []
        for mistake in error.errors(include_url=False)[:5]:
            name = ".".join(map(str, mistake["loc"])) or "the input"
            if mistake["type"] == "missing":
                errors.append(f"{name} is missing")
            elif mistake["type"] == "extra_forbidden":
                errors.append(f"{self.name} has no parameter {name}, only {', '.join(self.parameters['properties'])}")
            else:
                given = repr(mistake["input"])
                given = f"{given[:60]}…" if len(given) > 60 else given
                errors.append(f"{name} {_NOISE.sub('', mistake['msg'])}, not {given}")
        return "; ".join(errors)[:LONGEST_ERROR]


def advice(error: DuramenError) -> str:
    """An error and what a model can do about it, on one line of limited length."""
    text = str(error)
    if isinstance(error, FetchError):
        known = next((words for kind, words in _ADVICE if isinstance(error, kind)), error.advice)
        if isinstance(error, Blocked) and error.retry_after is None:
            known = "if the user has its HTML, use extract_html"
        text = f"{error.what}; {known}"
    return " ".join(text.split())[:LONGEST_ERROR]


def _without_titles(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without the names that pydantic repeats as titles."""
    properties = {
        name: {key: value for key, value in each.items() if key != "title"}
        for name, each in schema["properties"].items()
    }
    return {key: value for key, value in schema.items() if key != "title"} | {"properties": properties}
