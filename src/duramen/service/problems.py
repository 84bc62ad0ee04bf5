"""Error responses in the format of RFC 9457, ``application/problem+json``."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from starlette.responses import JSONResponse

from duramen.errors import BadUrl, FetchError, HttpStatus, OptionError, PrivateAddress, RobotsDenied, RuleError
from duramen.service.workers import OverloadedError, WorkerLostError

MEDIA_TYPE = "application/problem+json"
RETRY_AFTER = 2
"""The value of ``Retry-After`` from an overloaded server, in seconds."""


@dataclass(frozen=True, slots=True)
class Problem:
    """An error response: an HTTP status, a stable name for programs, and what to do about it."""

    status: int
    name: str
    detail: str
    errors: tuple[tuple[str, str], ...] = ()
    """Invalid parameters, each with the reason."""
    upstream: tuple[tuple[str, Any], ...] = ()
    """Of a page that could not be fetched: its ``url``, the server's ``status``, and ``retry_after`` in seconds."""

    def to_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "type": f"urn:duramen:problem:{self.name}",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
        }
        if self.errors:
            data["errors"] = [{"name": name, "detail": detail} for name, detail in self.errors]
        if self.upstream:
            data["upstream"] = dict(self.upstream)
        return data


class ProblemError(Exception):
    """Raised while handling a request; the app responds with the problem."""

    def __init__(self, problem: Problem, headers: dict[str, str] | None = None) -> None:
        super().__init__(problem.detail)
        self.problem, self.headers = problem, headers


def problem_for(error: Exception) -> Problem:
    """The problem that an error of the engine is reported as."""
    if isinstance(error, ProblemError):
        return error.problem
    if isinstance(error, FetchError):
        refused = isinstance(error, (PrivateAddress, RobotsDenied))
        status = 422 if isinstance(error, BadUrl) else 403 if refused else 424
        upstream: list[tuple[str, Any]] = [("url", error.url)]
        if isinstance(error, HttpStatus):
            upstream += [("status", error.status), ("retry_after", error.retry_after)]
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", type(error).__name__).lower()
        return Problem(status, name, f"{error.what}; {error.advice}", upstream=tuple(upstream))
    if isinstance(error, OptionError):
        return Problem(422, "not-possible", str(error))
    if isinstance(error, RuleError):
        return Problem(422, "wrong-rule", str(error))
    if isinstance(error, OverloadedError):
        return Problem(503, "overloaded", str(error))
    if isinstance(error, WorkerLostError):
        return Problem(422, "worker-lost", str(error))
    return Problem(504, "too-slow", str(error) or "The request took too long.")


def problem_response(problem: Problem, headers: dict[str, str] | None = None) -> JSONResponse:
    extra = dict(headers or {})
    if problem.status == HTTPStatus.UNAUTHORIZED:
        extra["WWW-Authenticate"] = "Bearer"
    if problem.status == HTTPStatus.SERVICE_UNAVAILABLE:
        extra["Retry-After"] = str(RETRY_AFTER)
    wait = dict(problem.upstream).get("retry_after")
    if wait is not None:
        extra["Retry-After"] = str(math.ceil(wait))
    return JSONResponse(problem.to_dict(), problem.status, extra, MEDIA_TYPE)
