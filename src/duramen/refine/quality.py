"""The verdict: named checks on the result (003 §6.1) and the reasons a page is not what it should be."""

from __future__ import annotations

from duramen.model import Check, PageKind, Quality, VerdictName
from duramen.page import Page


def assess(page: Page, kept: list[int], kind: PageKind, expected: float, not_html: str | None, limits: tuple[str, ...]) -> Quality:
    """Judge a result: ``kept`` are the blocks it is made of, ``expected`` the judge's predicted F1."""
    words = sum(page.blocks.words[b] for b in kept)
    checks = (Check("words", words, 20, words >= 20),)
    reasons: list[str] = []
    if not_html:
        reasons.append(f"not_html: {not_html}")
    verdict: VerdictName = "good"
    if not words:
        verdict = "empty"
    elif expected < 0.5:
        verdict = "poor"
    elif expected < 0.75:
        verdict = "partial"
    return Quality(verdict, round(expected, 3), tuple(reasons), checks)
