"""The OpenAPI document, built from the same tables as the app."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from duramen.parts.records.values import Record
from duramen.service.negotiate import FORMS, LINES
from duramen.service.parameters import MOST_PAGES, PARAMETERS
from duramen.service.problems import MEDIA_TYPE as PROBLEM

_PROBLEMS = {
    "401": "A token is needed.",
    "403": "The request comes from a page of another site, or the URL is not allowed.",
    "406": "None of the media types in `Accept` is available.",
    "413": "The body is too large.",
    "415": "The body is neither HTML nor JSON, or its content encoding is unknown.",
    "421": "The host name is invalid or, without a token, not a loopback name.",
    "422": "A parameter is invalid; see `errors`.",
    "424": "The page could not be fetched; see `upstream`.",
    "503": "The server is overloaded; try again after `Retry-After` seconds.",
    "504": "The page took too long.",
}

_TYPES = {"str": "string", "int": "integer", "float": "number", "bool": "boolean", "None": "null"}
_RECORD_FIELDS: dict[str, Any] = {
    **{
        one.name: {"type": [_TYPES[name] for name in str(one.type).split(" | ")]}
        for kind in Record.__subclasses__()
        for one in fields(kind)
        if "tuple" not in str(one.type) and "Mapping" not in str(one.type)
    },
    "answers": {"type": "array", "items": {"type": "string"}},
    "specifications": {
        "type": "array",
        "description": "Names with their values.",
        "items": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2},
    },
}
"""Those that only some kinds of records have, too."""
_SCHEMAS: dict[str, Any] = {
    "Result": {
        "type": "object",
        "description": "The main content of one page, and how it was found.",
        "required": ["url", "title", "html", "text", "markdown", "metadata", "page_type", "tier", "quality", "limits"],
        "properties": {
            "url": {"type": ["string", "null"]},
            "title": {"type": ["string", "null"]},
            "html": {"type": "string", "description": "Safe HTML, without the title."},
            "text": {"type": "string"},
            "markdown": {"type": "string"},
            "metadata": {"type": "object"},
            "page_type": {
                "type": "object",
                "required": ["type", "confidence", "uncertain"],
                "properties": {
                    "type": {"type": "string"},
                    "confidence": {"type": "number"},
                    "uncertain": {"type": "boolean", "description": "Whether the confidence is below 0.5."},
                },
            },
            "tier": {"type": ["string", "null"], "description": "The tier that found the content."},
            "quality": {
                "type": "object",
                "required": ["verdict", "score", "reasons", "checks"],
                "properties": {
                    "verdict": {"enum": ["good", "partial", "poor", "empty"]},
                    "score": {"type": "number", "minimum": 0, "maximum": 1},
                    "reasons": {"type": "array", "items": {"type": "string"}},
                    "checks": {"type": "array", "items": {"type": "object"}},
                },
            },
            "limits": {"type": "array", "items": {"type": "string"}},
            "records": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["kind", "position", "confidence", "html", "text", "markdown", "sources"],
                    "properties": {
                        **_RECORD_FIELDS,
                        "kind": {"enum": sorted(kind.__name__.lower() for kind in Record.__subclasses__())},
                        "position": {"type": "integer", "minimum": 0},
                        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
                        "html": {"type": "string"},
                        "text": {"type": "string"},
                        "markdown": {"type": "string"},
                        "sources": {"type": "object", "additionalProperties": {"type": "string"}},
                    },
                },
            },
            "trace": {"type": "object"},
        },
    },
    "Inspection": {
        "type": "object",
        "description": "A result with its trace, and the page's blocks and structure.",
        "required": ["result", "blocks", "structure", "rendering", "seconds"],
        "properties": {
            "seconds": {"type": "number", "description": "Time to fetch and extract the page, without all the rest."},
            "result": {"$ref": "#/components/schemas/Result"},
            "blocks": {"type": "array", "items": {"type": "object"}},
            "structure": {"type": "array", "items": {"type": "object"}},
            "rendering": {"type": "string", "description": "The whole page as safe HTML, its blocks marked."},
        },
    },
    "Problem": {
        "type": "object",
        "description": "RFC 9457.",
        "required": ["type", "title", "status", "detail"],
        "properties": {
            "type": {"type": "string"},
            "title": {"type": "string"},
            "status": {"type": "integer"},
            "detail": {"type": "string"},
            "errors": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["name", "detail"],
                    "properties": {"name": {"type": "string"}, "detail": {"type": "string"}},
                },
            },
            "upstream": {
                "type": "object",
                "description": "Of a page that could not be fetched; status and retry_after if its server responded.",
                "required": ["url"],
                "properties": {
                    "url": {"type": "string"},
                    "status": {"type": "integer", "description": "The status that the page's server returned."},
                    "retry_after": {
                        "type": ["number", "null"],
                        "description": "Seconds after which its server may be asked again, if it says so.",
                    },
                },
            },
        },
    },
    "BatchLine": {
        "description": "One line of a batch's response; the last one is the summary, all others are pages.",
        "oneOf": [
            {
                "type": "object",
                "required": ["index", "url"],
                "properties": {
                    "index": {"type": "integer", "description": "The page's place in the request, from 0."},
                    "url": {"type": ["string", "null"]},
                    "result": {"type": "object", "description": "As of /extract; with `format`, in that format only."},
                    "problem": {"$ref": "#/components/schemas/Problem"},
                },
                "oneOf": [{"required": ["result"]}, {"required": ["problem"]}],
            },
            {
                "type": "object",
                "required": ["summary"],
                "properties": {
                    "summary": {
                        "type": "object",
                        "required": ["pages", "failed"],
                        "properties": {"pages": {"type": "integer"}, "failed": {"type": "integer"}},
                    }
                },
            },
        ],
    },
}
_PAGE: dict[str, Any] = {"html": {"type": "string", "minLength": 1}, "url": PARAMETERS["url"]}
_OPTIONS: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {name: schema for name, schema in PARAMETERS.items() if name != "url"},
}


def document(version: str, with_token: bool) -> dict[str, Any]:
    """The whole document; ``with_token``: whether requests need a bearer token."""
    extracted = {
        media: {"schema": _ref("Result") if form == "json" else {"type": "string"}} for media, form in FORMS.items()
    }
    inspected = {"application/json": {"schema": _ref("Inspection")}}
    described: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": "Duramen",
            "version": version,
            "summary": "The main content of web pages.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": {
            "/extract": _page_operations("extract", "The main content", extracted),
            "/batch": _batch_operation(),
            "/inspect": _page_operations("inspect", "The main content and how it was found", inspected),
            "/health": _plain("health", "Whether the service is up", "application/json", {"type": "object"}),
            "/metrics": _plain("metrics", "Counters for Prometheus", "text/plain", {"type": "string"}),
        },
        "components": {
            "schemas": _SCHEMAS,
            "responses": {
                code: {"description": text, "content": {PROBLEM: {"schema": _ref("Problem")}}}
                for code, text in _PROBLEMS.items()
            },
        },
    }
    if with_token:
        described["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        described["security"] = [{"token": []}]
    return described


def _page_operations(name: str, what: str, answers: dict[str, Any]) -> dict[str, Any]:
    responses = {"200": {"description": what, "content": answers}}
    post_codes = ("401", "403", "406", "413", "415", "421", "422", "424", "503", "504")
    get_codes = ("401", "403", "406", "421", "422", "424", "503", "504")
    html = {"text/html": {"schema": {"type": "string", "minLength": 1}}}
    body = {
        "type": "object",
        "anyOf": [{"required": ["html"]}, {"required": ["url"]}],
        "additionalProperties": False,
        "properties": {**_PAGE, "options": _OPTIONS, **PARAMETERS},
    }
    return {
        "get": {
            "operationId": f"{name}_url",
            "summary": f"{what} of the page at a URL",
            "parameters": [_parameter(one) for one in PARAMETERS],
            "responses": responses | {code: _response(code) for code in get_codes},
        },
        "post": {
            "operationId": f"{name}_html",
            "summary": f"{what} of the page in the request body, or of the one that it names",
            "description": "If the body is HTML, parameters go in the query string. A JSON body has `html`, `url` or"
            " both, and the parameters beside them or in `options`; a page without `html` is fetched.",
            "requestBody": {"required": True, "content": html | {"application/json": {"schema": body}}},
            "responses": responses | {code: _response(code) for code in post_codes},
        },
    }


def _batch_operation() -> dict[str, Any]:
    page = {
        "type": "object",
        "anyOf": [{"required": ["html"]}, {"required": ["url"]}],
        "additionalProperties": False,
        "properties": _PAGE,
    }
    body = {
        "type": "object",
        "required": ["pages"],
        "additionalProperties": False,
        "properties": {
            "pages": {"type": "array", "minItems": 1, "maxItems": MOST_PAGES, "items": page},
            "options": _OPTIONS,
        },
    }
    what = (
        "A line for each page as soon as it is done, in any order; then a summary. Without it the response is cut off."
    )
    responses = {"200": {"description": what, "content": {LINES: {"schema": _ref("BatchLine")}}}}
    codes = ("401", "403", "406", "413", "415", "421", "422", "503", "504")
    return {
        "post": {
            "operationId": "batch",
            "summary": "The main content of many pages",
            "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
            "responses": responses | {code: _response(code) for code in codes},
        }
    }


def _parameter(name: str) -> dict[str, Any]:
    schema = dict(PARAMETERS[name])
    about = schema.pop("description")
    return {"name": name, "in": "query", "required": name == "url", "description": about, "schema": schema}


def _plain(name: str, what: str, media: str, schema: dict[str, Any]) -> dict[str, Any]:
    answer = {"description": what, "content": {media: {"schema": schema}}}
    codes = {code: _response(code) for code in ("401", "403", "421")}
    return {"get": {"operationId": name, "summary": what, "responses": {"200": answer, **codes}}}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def _response(code: str) -> dict[str, str]:
    return {"$ref": f"#/components/responses/{code}"}
