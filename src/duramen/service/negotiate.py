"""Content negotiation: choose the response format from ``Accept``."""

from __future__ import annotations

from collections.abc import Sequence

FORMS = {
    "application/json": "json",
    "text/markdown": "markdown",
    "text/html": "html",
    "text/plain": "text",
}
"""Media types in order of preference, with the field of the result for each."""
MEDIA = {form: media for media, form in FORMS.items()}
LINES = "application/x-ndjson"
"""JSON, one value a line."""


def preferred(accept: str | None, offered: Sequence[str] = tuple(FORMS)) -> str | None:
    """The offered media type that a client prefers; ``None`` if it accepts none of them.

    >>> preferred("text/html;q=0.5, text/markdown"), preferred("*/*"), preferred("image/png")
    ('text/markdown', 'application/json', None)
    """
    if accept is None or not accept.strip():
        return offered[0]
    ranges = [_range(part) for part in accept[:2_000].split(",") if part.strip()]
    best, best_weight = None, 0.0
    for media in offered:
        weight = _weight(media, ranges)
        if weight > best_weight:
            best, best_weight = media, weight
    return best


def _range(part: str) -> tuple[str, float]:
    name, *parameters = (piece.strip().lower() for piece in part.split(";"))
    weight = 1.0
    for parameter in parameters:
        if parameter.startswith("q="):
            try:
                weight = min(1.0, max(0.0, float(parameter[2:])))
            except ValueError:
                weight = 0.0
    return name, weight


def _weight(media: str, ranges: Sequence[tuple[str, float]]) -> float:
    """The weight of the most specific range that matches a media type."""
    exact = {media: 3, media.partition("/")[0] + "/*": 2, "*/*": 1}
    found = [(exact[name], weight) for name, weight in ranges if name in exact]
    return max(found)[1] if found else 0.0
