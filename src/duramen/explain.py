"""Formats a result's trace as readable lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from duramen.model import Attempt, BlockView, Check, Removal
from duramen.result import Result

__all__ = ["explain", "printable"]


def explain(result: Result) -> Iterator[str]:
    """Explain how a page was read, all proposals, the chosen one, what was removed, and the verdict."""
    for line in (*_explain_page(result), *_explain_trace(result), *_explain_quality(result)):
        yield printable(line)


def printable(text: str) -> str:
    """Replace control characters in text, so that it is safe to print on a terminal.

    >>> printable("a\\x1b[2Jb")
    'a [2Jb'
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


def _explain_page(result: Result) -> Iterator[str]:
    kind, encoding, framework = result.kind, result.encoding, result.framework
    replaced = f", {encoding.replaced} characters replaced" if encoding.replaced else ""
    yield _fact("document type", f"{result.document_type.name} (from {result.document_type.source})")
    yield _fact("encoding", f"{encoding.name} (from {encoding.source}{replaced})")
    yield _fact(
        "framework",
        _with_confidence(framework.name, framework.confidence, framework.evidence) if framework else "none seen",
    )
    evidence = ("uncertain", *kind.evidence) if kind.uncertain else kind.evidence
    yield _fact("page type", _with_confidence(kind.type, kind.confidence, evidence))
    yield _fact("tier", result.tier or "none")
    for name, origin in result.metadata.sources.items():
        value = getattr(result.metadata, name, None)
        if value:
            shown = ", ".join(value) if isinstance(value, tuple) else value
            yield _fact(name.replace("_", " "), f"{shown} (from {origin})")


def _explain_trace(result: Result) -> Iterator[str]:
    trace = result.trace
    yield from _section("steps", (f"  {step}" for step in trace.steps))
    yield from _section("candidates", (line for attempt in trace.attempts for line in _explain_attempt(attempt)))
    yield from _section("blocks", (line for block in trace.blocks for line in _explain_block(block)))
    # Blocks dropped by the judge are listed with the blocks.
    removed = [r for r in trace.removals if not r.rescued and r.step != "judge"]
    yield from _section("removed", _explain_removals(removed))
    yield from _section("put back", _explain_removals([r for r in trace.removals if r.rescued]))


def _explain_quality(result: Result) -> Iterator[str]:
    quality = result.quality
    reasons = f" ({', '.join(quality.reasons)})" if quality.reasons else ""
    verdict = f"  {quality.verdict}, expected F1 {quality.score:.2f}{reasons}"
    yield from _section("quality", (verdict, *map(_explain_check, quality.checks)))
    yield from _section("limits", (f"  {limit}" for limit in result.trace.limits), "nothing was cut off")
    if result.trace.warnings:
        yield from _section("warnings", (f"  {warning}" for warning in result.trace.warnings))


def _fact(name: str, value: str) -> str:
    return f"{name:<14} {value}"


def _with_confidence(name: str, confidence: float, evidence: Sequence[str]) -> str:
    return f"{name} {confidence:.2f}" + (f": {'; '.join(evidence)}" if evidence else "")


def _section(title: str, lines: Iterable[str], otherwise: str = "none") -> Iterator[str]:
    yield ""
    yield title
    yield from list(lines) or [f"  {otherwise}"]


def _explain_attempt(attempt: Attempt) -> Iterator[str]:
    candidate = attempt.candidate
    yield f"  {candidate.tier} ({candidate.rule_id}), score {attempt.score:.2f}: {attempt.outcome}"
    yield f"    evidence: {candidate.evidence}"
    yield from (f"  {_explain_check(check)}" for check in attempt.checks)


def _explain_check(check: Check) -> str:
    return f"  {'pass' if check.passed else 'FAIL'}  {check.name} {check.value:.4g} (limit {check.limit:.4g})"


def _explain_block(block: BlockView) -> Iterator[str]:
    decision = f"{'kept' if block.kept else 'drop'} {block.probability:.2f}"
    yield f'  {decision}  {block.path}  "{block.text[:80]}"  ({block.rule})'
    for name, reasons in (("for", block.speaks_for), ("against", block.speaks_against)):
        if reasons:
            yield f"    {name + ':':<8} " + "; ".join(f"{g.phrase} ({g.weight:+.1f})" for g in reasons)


def _explain_removals(removals: Iterable[Removal]) -> Iterator[str]:
    by_rule: dict[tuple[str, str], list[Removal]] = {}
    for removal in removals:
        by_rule.setdefault((removal.step, removal.rule_id), []).append(removal)
    for (step, rule_id), group in by_rule.items():
        yield f"  {step} {rule_id}: {group[0].reason}"
        yield from (f'    {removal.place}  "{removal.words}"' for removal in group)
