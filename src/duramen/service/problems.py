"""What goes wrong, told as RFC 9457 has it: ``application/problem+json``."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from starlette.responses import JSONResponse

MEDIA_TYPE = "application/problem+json"
RETRY_AFTER = 2
"""Seconds after which an overloaded server may be asked again."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that went wrong: an HTTP status, a name that programs can rely on, and what to do about it."""

    status: int
    name: str
    detail: str
    errors: tuple[tuple[str, str], ...] = ()
    """Parameters that were wrong, each with the reason."""

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
    """Raised where a request cannot be answered; the app answers with the problem."""

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
