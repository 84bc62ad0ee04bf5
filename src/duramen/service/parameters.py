"""Request parameters: one table for the parser, the error messages and the OpenAPI document.

They only affect how content is chosen and written: no proxies, files, headers, browser arguments or limits.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from duramen.encodings import LABELS, standard_encoding
from duramen.options import Mode, Options, Output, Rendering, Strategy
from duramen.service.negotiate import MEDIA
from duramen.service.problems import Problem, ProblemError

Format = Literal["json", "markdown", "html", "text"]

LONGEST_URL = 2_000
MOST_PAGES = 1_000
"""Pages in one batch."""

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
    "strategy": {
        "type": "string",
        "enum": list(get_args(Strategy)),
        "default": "auto",
        "description": "Use all methods (auto), or a single algorithm, for comparison.",
    },
    "render": {
        "type": "string",
        "enum": list(get_args(Rendering)),
        "description": "Whether a page that is fetched is opened in a browser: if it needs JavaScript (auto), never or"
        " always. By default as the server was started; a server that never renders ignores it.",
    },
    "format": {
        "type": "string",
        "enum": list(MEDIA),
        "description": "The format of the response; by default what `Accept` prefers. In a batch: the only format of"
        " the content in each result.",
    },
    "comments": {"type": "boolean", "default": False, "description": "Keep readers' comments below an article."},
    "links": {"type": "boolean", "default": True, "description": "Keep links; otherwise only their text."},
    "images": {"type": "boolean", "default": True, "description": "Keep images."},
    "visible_only": {
        "type": "boolean",
        "default": False,
        "description": "Leave out text that readers do not see, such as text hidden by styles.",
    },
    "captions": {"type": "boolean", "default": False, "description": "Keep captions of images in the text, too."},
    "keep_classes": {"type": "boolean", "default": False, "description": "Keep `class` and `id` in the HTML."},
    "nofollow": {"type": "boolean", "default": False, "description": 'Add `rel="nofollow"` to links in the HTML.'},
    "front_matter": {
        "type": "boolean",
        "default": False,
        "description": "Begin the Markdown with the metadata as YAML front matter.",
    },
    "title_heading": {
        "type": "boolean",
        "default": False,
        "description": "Begin the Markdown with the title as a heading.",
    },
    "encoding": {
        "type": "string",
        "enum": sorted(LABELS),
        "description": "The character encoding of HTML that is sent as bytes or fetched; detected by default.",
    },
    "records": {
        "type": "boolean",
        "default": False,
        "description": "Add the page's records to the JSON response: posts, items, a product, comments, questions.",
    },
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
    strategy: Strategy = "auto"
    render: Rendering | None = None
    format: Format | None = None
    comments: bool = False
    links: bool = True
    images: bool = True
    visible_only: bool = False
    captions: bool = False
    keep_classes: bool = False
    nofollow: bool = False
    front_matter: bool = False
    title_heading: bool = False
    encoding: str | None = None
    records: bool = False
    trace: bool = False

    def options(self, base: Options, encoding: str | None = None) -> Options:
        """The server's options, changed by the request's parameters."""
        return Options(
            mode=self.mode,
            strategy=self.strategy,
            include_comments=self.comments,
            visible_only=self.visible_only,
            encoding=self.encoding or encoding,
            output=Output(
                keep_classes=self.keep_classes,
                nofollow=self.nofollow,
                links=self.links,
                images=self.images,
                front_matter=self.front_matter,
                title_heading=self.title_heading,
                captions=self.captions,
            ),
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


@dataclass(frozen=True, slots=True)
class BatchPage:
    """One page of a batch: its HTML, its URL, or both."""

    html: str | None
    url: str | None


def from_json(body: object) -> tuple[str | None, RequestParameters]:
    """A JSON body: the page's HTML, its URL, or both; and parameters, in ``options`` (which win) or beside them."""
    values = _object(body, '{"html": "…"} or {"url": "https://…"}')
    html = values.pop("html", None)
    errors = _html_errors(html, values)
    within = values.pop("options", {})
    if not isinstance(within, Mapping):
        errors.append(("options", "must be an object"))
    else:
        errors += [("url", "belongs beside options, not in it")] * ("url" in within)
        values |= {name: value for name, value in within.items() if name != "url"}
    return html, _checked(values, errors, ("html", "options"))


def batch_from_json(body: object) -> tuple[list[BatchPage], RequestParameters]:
    """The body of a batch: ``pages``, and ``options`` for all of them."""
    values = _object(body, '{"pages": [{"url": "https://…"}]}')
    pages, within = values.pop("pages", None), values.pop("options", {})
    errors = [(name, "is unknown; available: pages, options") for name in values]
    if not isinstance(pages, list) or not 1 <= len(pages) <= MOST_PAGES:
        errors.append(("pages", f"must be a list of 1 to {MOST_PAGES:,} pages"))
        pages = []
    for number, page in enumerate(pages):
        errors += _page_errors(f"pages[{number}]", page)
    if not isinstance(within, Mapping):
        errors.append(("options", "must be an object"))
        within = {}
    errors += [("options.url", "belongs to a page")] * ("url" in within)
    chosen = _checked({name: value for name, value in within.items() if name != "url"}, errors)
    return [BatchPage(page.get("html"), page.get("url")) for page in pages], chosen


def _object(body: object, example: str) -> dict[str, Any]:
    if not isinstance(body, Mapping):
        raise ProblemError(Problem(422, "wrong-parameters", f"The body must be an object: {example}"))
    return dict(body)


def _page_errors(name: str, page: object) -> list[tuple[str, str]]:
    if not isinstance(page, Mapping):
        return [(name, "must be an object with html, url, or both")]
    errors = [(f"{name}.{key}", "is unknown; available: html, url") for key in page if key not in ("html", "url")]
    if "url" in page and (error := _error("url", page["url"])):
        errors.append((f"{name}.url", error))
    return errors + [(f"{name}.{key}", error) for key, error in _html_errors(page.get("html"), page)]


def _html_errors(html: object, values: Mapping[str, Any]) -> list[tuple[str, str]]:
    if html is None:
        return [] if "url" in values else [("html", "is required, if there is no url")]
    return [] if isinstance(html, str) and html else [("html", "must be a string with at least one character")]


def _checked(values: Mapping[str, Any], errors: list[tuple[str, str]], also: tuple[str, ...] = ()) -> RequestParameters:
    """The parameters; ``also`` are names that the body may have beside them."""
    errors += [(name, error) for name, value in values.items() if (error := _error(name, value, also))]
    if errors:
        raise ProblemError(Problem(422, "wrong-parameters", "Some parameters are invalid.", tuple(errors)))
    return RequestParameters(**values)


def _error(name: str, value: object, also: tuple[str, ...] = ()) -> str | None:
    """Why a parameter is invalid; ``None`` if it is valid."""
    schema = PARAMETERS.get(name)
    if schema is None:
        known = (*also, *PARAMETERS)
        near = difflib.get_close_matches(name[:50], known, 1)
        return f"is unknown; did you mean {near[0]}?" if near else f"is unknown; available: {', '.join(known)}"
    if schema["type"] == "boolean":
        return None if isinstance(value, bool) else "must be true or false"
    if not isinstance(value, str):
        return "must be a string"
    if name == "encoding":
        return None if standard_encoding(value) else "is unknown; leave it out for detection, or use utf-8"
    if "enum" in schema and value not in schema["enum"]:
        return f"must be one of {', '.join(schema['enum'])}"
    if len(value) > schema.get("maxLength", len(value)):
        return f"may have at most {schema['maxLength']} characters"
    if "pattern" in schema and not re.search(schema["pattern"], value):
        return "must be a URL that begins with https:// or http://"
    return None
