"""Error responses in the format of RFC 9457, ``application/problem+json``."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from starlette.responses import JSONResponse

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

    def to_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "type": f"urn:duramen:problem:{self.name}",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
        }
        if self.errors:
            data["errors"] = [{"name": name, "detail": detail} for name, detail in self.errors]
        return data


class ProblemError(Exception):
    """Raised while handling a request; the app responds with the problem."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.detail)
        self.problem = problem


def problem_response(problem: Problem, headers: dict[str, str] | None = None) -> JSONResponse:
    extra = dict(headers or {})
    if problem.status == HTTPStatus.UNAUTHORIZED:
        extra["WWW-Authenticate"] = "Bearer"
    if problem.status == HTTPStatus.SERVICE_UNAVAILABLE:
        extra["Retry-After"] = str(RETRY_AFTER)
    return JSONResponse(problem.to_dict(), problem.status, extra, MEDIA_TYPE)
