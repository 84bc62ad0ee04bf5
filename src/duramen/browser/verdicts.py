"""When a page is rendered, and what becomes of its result."""

from __future__ import annotations

from dataclasses import replace

from duramen.result import Result
from duramen.tree import count_words

NEEDS_BROWSER = ("needs_javascript", "consent_wall")
"""Reasons of a verdict that running the page's scripts, or answering it, may remove."""
SCRIPTED = ("text/html", "application/xhtml+xml", "")
"""Content in which browsers run scripts."""
SHELL = 30
"""With fewer words than this, a page that has scripts is taken for the frame of one that they will fill."""


class NoBrowser(Exception):
    """There is no browser, or not the one that was asked for."""


class RenderFailed(Exception):
    """The browser could not show the page; says why."""


def needs_browser(result: Result, page: bytes) -> bool:
    if any(reason.partition(":")[0] in NEEDS_BROWSER for reason in result.quality.reasons):
        return True
    return b"<script" in page.lower() and count_words(result.text) < SHELL


def better(static: Result, rendered: Result) -> Result:
    """The rendered result, unless the scripts took more away than they brought."""
    before, after = count_words(static.text), count_words(rendered.text)
    if after >= before or (rendered.quality.score >= static.quality.score and 2 * after >= before):
        return rendered
    steps = "; ".join(step for step in rendered.trace.steps if step.startswith("rendered by"))
    return with_note(
        static, f"{steps}: it had {after} words instead of {before}, so that this is the page as it was sent"
    )


def unrendered(result: Result, why: str, was_asked: bool) -> Result:
    """The result of a page that should have been rendered; at its best it is a part of what was wanted."""
    quality = result.quality
    verdict = "partial" if was_asked and quality.verdict == "good" else quality.verdict
    reasons = (*quality.reasons, f"render_failed: {why}")
    result = replace(result, quality=replace(quality, verdict=verdict, reasons=reasons))
    return with_note(result, f"not rendered: {why}")


def with_note(result: Result, note: str) -> Result:
    """The result with one more step in its trace."""
    return replace(result, trace=replace(result.trace, steps=(*result.trace.steps, note)))
