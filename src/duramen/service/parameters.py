"""What a request may choose: one table behind the parser, the error messages and the OpenAPI document.

Only how the content is chosen and written: no proxies, files, headers, browser arguments or limits.
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
        "description": "The page's address; with HTML given it makes links absolute and selects site rules.",
    },
    "mode": {
        "type": "string",
        "enum": list(get_args(Mode)),
        "default": "balanced",
        "description": "Lean towards leaving rubbish out, or towards keeping everything that may be content.",
    },
    "comments": {"type": "boolean", "default": False, "description": "Keep readers' comments under an article."},
    "links": {"type": "boolean", "default": True, "description": "Keep links; without them their text stays."},
    "images": {"type": "boolean", "default": True, "description": "Keep images."},
    "trace": {"type": "boolean", "default": False, "description": "Add every decision to the JSON answer."},
}
"""JSON Schemas by name."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What one request asks for."""

    url: str | None = None
    mode: Mode = "balanced"
    comments: bool = False
    links: bool = True
    images: bool = True
    trace: bool = False

    def options(self, base: Options, encoding: str | None = None) -> Options:
        """The server's own options with what the request chose."""
        return Options(
            mode=self.mode,
            include_comments=self.comments,
            encoding=encoding,
            output=Output(links=self.links, images=self.images),
            limits=base.limits,
        )


def from_query(items: Iterable[tuple[str, str]]) -> Wish:
    """Parameters of an address: every value is text."""
    values: dict[str, Any] = {}
    errors: list[tuple[str, str]] = []
    for name, text in items:
        if name in values:
            errors.append((name, "is given twice"))
        kind = PARAMETERS.get(name, {}).get("type")
        values[name] = {"true": True, "false": False}.get(text, text) if kind == "boolean" else text
    return _checked(values, errors)


def from_json(body: object, required: str) -> tuple[str, Wish]:
    """A JSON body: the parameters, and one required text beside them."""
    if not isinstance(body, Mapping):
        raise ProblemError(Problem(422, "wrong-parameters", f'The body must be an object: {{"{required}": "…"}}'))
    values = dict(body)
    text = values.pop(required, None)
    errors = [] if isinstance(text, str) else [(required, "must be there, and be a string")]
    return str(text), _checked(values, errors)


def _checked(values: Mapping[str, Any], errors: list[tuple[str, str]]) -> Wish:
    errors += [(name, error) for name, value in values.items() if (error := _error(name, value))]
    if errors:
        raise ProblemError(Problem(422, "wrong-parameters", "Some parameters are wrong.", tuple(errors)))
    return Wish(**values)


def _error(name: str, value: object) -> str | None:
    """Why a parameter cannot be used."""
    schema = PARAMETERS.get(name)
    if schema is None:
        near = difflib.get_close_matches(name[:50], PARAMETERS, 1)
        return f"is not known; did you mean {near[0]}?" if near else f"is not known; known: {', '.join(PARAMETERS)}"
    if schema["type"] == "boolean":
        return None if isinstance(value, bool) else "must be true or false"
    if not isinstance(value, str):
        return "must be a string"
    if "enum" in schema and value not in schema["enum"]:
        return f"must be one of {', '.join(schema['enum'])}"
    if len(value) > schema.get("maxLength", len(value)):
        return f"may have {schema['maxLength']} characters"
    if "pattern" in schema and not re.search(schema["pattern"], value):
        return "must be an address, beginning with https:// or http://"
    return None
