"""Request parameters: one table for the parser, the error messages and the OpenAPI document.

They only affect how content is chosen and written: no proxies, files, headers, browser arguments or limits.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from duramen.options import Mode, Options, Output
from duramen.service.problems import Problem, ProblemError

LONGEST_URL = 2_000

PARAMETERS: dict[str, dict[str, Any]] = {
    "url": {
        "type": "string",
        "maxLength": LONGEST_URL,
        "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^ ]+$",
        "description": "The page's URL. If the request contains HTML, it resolves links and selects site rules.",
    },
    "mode": {
        "type": "string",
        "enum": list(get_args(Mode)),
        "default": "balanced",
        "description": "Prefer precision (drop doubtful blocks) or recall (keep doubtful blocks).",
    },
    "comments": {"type": "boolean", "default": False, "description": "Keep readers' comments below an article."},
    "links": {"type": "boolean", "default": True, "description": "Keep links; otherwise only their text."},
    "images": {"type": "boolean", "default": True, "description": "Keep images."},
    "trace": {
        "type": "boolean",
        "default": False,
        "description": "Add the trace of all decisions to the JSON response.",
    },
}
"""JSON Schemas by name."""


@dataclass(frozen=True, slots=True)
class RequestParameters:
    """The parameters of one request."""

    url: str | None = None
    mode: Mode = "balanced"
    comments: bool = False
    links: bool = True
    images: bool = True
    trace: bool = False

    def options(self, base: Options, encoding: str | None = None) -> Options:
        """The server's options, changed by the request's parameters."""
        return Options(
            mode=self.mode,
            include_comments=self.comments,
            encoding=encoding,
            output=Output(links=self.links, images=self.images),
            limits=base.limits,
        )


def from_query(items: Iterable[tuple[str, str]]) -> RequestParameters:
    """Parameters from a query string, where every value is text."""
    values: dict[str, Any] = {}
    errors: list[tuple[str, str]] = []
    for name, text in items:
        if name in values:
            errors.append((name, "appears twice"))
        kind = PARAMETERS.get(name, {}).get("type")
        values[name] = {"true": True, "false": False}.get(text, text) if kind == "boolean" else text
    return _checked(values, errors)


def from_json(body: object, required: str) -> tuple[str, RequestParameters]:
    """A JSON body: one required string, and the parameters."""
    if not isinstance(body, Mapping):
        raise ProblemError(Problem(422, "wrong-parameters", f'The body must be an object: {{"{required}": "…"}}'))
    values = dict(body)
    text = values.pop(required, None)
    errors = [] if isinstance(text, str) else [(required, "is required, and must be a string")]
    return str(text), _checked(values, errors)


def _checked(values: Mapping[str, Any], errors: list[tuple[str, str]]) -> RequestParameters:
    errors += [(name, error) for name, value in values.items() if (error := _error(name, value))]
    if errors:
        raise ProblemError(Problem(422, "wrong-parameters", "Some parameters are invalid.", tuple(errors)))
    return RequestParameters(**values)


def _error(name: str, value: object) -> str | None:
    """Why a parameter is invalid; ``None`` if it is valid."""
    schema = PARAMETERS.get(name)
    if schema is None:
        near = difflib.get_close_matches(name[:50], PARAMETERS, 1)
        return f"is unknown; did you mean {near[0]}?" if near else f"is unknown; available: {', '.join(PARAMETERS)}"
    if schema["type"] == "boolean":
        return None if isinstance(value, bool) else "must be true or false"
    if not isinstance(value, str):
        return "must be a string"
    if "enum" in schema and value not in schema["enum"]:
        return f"must be one of {', '.join(schema['enum'])}"
    if len(value) > schema.get("maxLength", len(value)):
        return f"may have at most {schema['maxLength']} characters"
    if "pattern" in schema and not re.search(schema["pattern"], value):
        return "must be a URL that begins with https:// or http://"
    return None
