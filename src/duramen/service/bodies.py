"""Request bodies: read within limits, and decompressed."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request

from duramen.errors import TooLarge, UnsupportedContent
from duramen.fetch.unpack import ACCEPT_ENCODING, Body
from duramen.service.problems import Problem, ProblemError


async def read_body(request: Request, limit: int, count: Callable[[int], None]) -> bytes:
    """The body of a request, at most ``limit`` bytes as sent and decompressed; ``count`` gets the size of each part."""
    too_large = Problem(413, "too-large", f"A request body may have at most {limit:,} bytes, also when decompressed.")
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > limit:
        raise ProblemError(too_large)
    coding = ",".join(request.headers.getlist("content-encoding"))
    try:
        body = Body("", coding, limit)
    except UnsupportedContent:
        detail = f"The content encoding of the body is not one of {ACCEPT_ENCODING}."
        raise ProblemError(Problem(415, "wrong-encoding", detail), {"Accept-Encoding": ACCEPT_ENCODING}) from None
    try:
        async for piece in request.stream():
            before = body.size
            body.feed(piece)
            count(body.size - before)
    except TooLarge:
        raise ProblemError(too_large) from None
    except UnsupportedContent:
        raise ProblemError(Problem(422, "damaged-body", f"The body is not valid {coding}.")) from None
    if not body.is_complete:
        raise ProblemError(Problem(422, "damaged-body", f"The body ends before its {coding} data does."))
    return body.content()
