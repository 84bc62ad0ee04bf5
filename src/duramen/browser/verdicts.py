"""Decides when to render a page, and which result to use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from duramen.model import VerdictName
from duramen.result import Result
from duramen.tree import count_words

NEEDS_BROWSER = ("needs_javascript", "consent_wall")
"""Reasons of a verdict that rendering, or answering a dialog, may remove."""
SCRIPTED = ("text/html", "application/xhtml+xml", "")
"""Content types in which browsers run scripts."""
SHELL = 30
"""A page with scripts and fewer words than this is treated as an empty frame that the scripts fill."""


BY_BROWSER = "rendered by "
INCOMPLETE = "incomplete: "
UNREMARKABLE = ("at rest", "blocked ", INCOMPLETE)
"""Steps of a visit that the verdict does not repeat, or in words of its own."""


class NoBrowser(Exception):
    """No browser is installed, or not the requested one."""


class RenderFailed(Exception):
    """The browser could not render the page; the message says why."""


def needs_browser(result: Result, page: bytes) -> bool:
    if any(reason.partition(":")[0] in NEEDS_BROWSER for reason in result.quality.reasons):
        return True
    return b"<script" in page.lower() and count_words(result.text) < SHELL


def better(static: Result, rendered: Result) -> Result:
    """The rendered result, unless the scripts removed more than they added."""
    before, after = count_words(static.text), count_words(rendered.text)
    if after >= before or (rendered.quality.score >= static.quality.score and 2 * after >= before):
        return rendered
    steps = "; ".join(step for step in rendered.trace.steps if step.startswith(BY_BROWSER))
    return with_note(
        static, f"{steps}: it had {after} words instead of {before}, so the result is from the page as sent"
    )


def rendered(result: Result, steps: Sequence[str]) -> Result:
    """Say in the verdict that a browser was used, what happened, and what is missing of what it should have loaded."""
    quality = result.quality
    began = next((i for i, step in enumerate(steps) if step.startswith(BY_BROWSER)), len(steps))
    happened = [step for step in steps[began:] if not step.startswith(UNREMARKABLE)]
    missing = [step.removeprefix(INCOMPLETE) for step in steps if step.startswith(INCOMPLETE)]
    verdict: VerdictName = "partial" if missing and quality.verdict == "good" else quality.verdict
    found = (f"rendered: {'; '.join(happened).removeprefix(BY_BROWSER)}", *(f"truncated: {one}" for one in missing))
    return replace(result, quality=replace(quality, verdict=verdict, reasons=(*quality.reasons, *found)))


def unrendered(result: Result, why: str, was_asked: bool) -> Result:
    """Mark the result of a page that should have been rendered; if that was required, it is partial at best."""
    quality = result.quality
    verdict = "partial" if was_asked and quality.verdict == "good" else quality.verdict
    reasons = (*quality.reasons, f"render_failed: {why}")
    result = replace(result, quality=replace(quality, verdict=verdict, reasons=reasons))
    return with_note(result, f"not rendered: {why}")


def with_note(result: Result, note: str) -> Result:
    """Add a step to the result's trace."""
    return replace(result, trace=replace(result.trace, steps=(*result.trace.steps, note)))
