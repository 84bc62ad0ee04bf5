"""The trace: what was decided, in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from itertools import accumulate

from duramen.find.judge import Judgement
from duramen.find.reasons import MOST_BLOCKS
from duramen.find.removals import Mark, removal_of
from duramen.model import BlockView, Candidate, PageKind, Reason, Removal
from duramen.page import Page, title_blocks
from duramen.safe_values import strip_invisible
from duramen.zero_width import strip_zero_width

TITLE, COPY = "title-heading", "copy"
"""The rules by which blocks go that repeat others."""


def trace_removals(
    page: Page, marks: Sequence[Mark], kept: Set[int], copies: Set[int], judgement: Judgement
) -> tuple[Removal, ...]:
    """What went or stayed against which row; blocks that no row explains went by the judge's word."""
    tree, blocks = page.tree, page.blocks
    lines: list[tuple[int, Removal]] = []
    explained: set[int] = set()
    before = list(accumulate((b in kept for b in range(len(blocks))), initial=0))
    done = 0
    for mark in marks:
        start, stop = page.range_of(mark.node)
        inside = before[stop] - before[start]
        if mark.rescued or (stop > start and not inside):
            lines.append((mark.node, removal_of(tree, mark, "prune")))
            if not mark.rescued and stop > done:
                # What is inside another has been explained with it.
                explained.update(range(start, stop))
                done = stop
        elif stop - start == inside > 0:
            # Its author looks here for why the row did nothing.
            put_back = replace(
                removal_of(tree, mark, "prune"), reason=f"{mark.reason}, but judged to be content", rescued=True
            )
            lines.append((mark.node, put_back))
    titles = title_blocks(page, range(len(blocks))) - kept
    repeated = ((titles, ("title", TITLE, "repeats the title")), (copies, ("copies", COPY, "says again what is kept")))
    for found, why in repeated:
        for b in found - explained:
            place, text = tree.path(blocks.owner[b]), blocks.text[b][:80]
            lines.append((blocks.first[b], Removal(*why, place, text, node=blocks.first[b])))
        explained |= found
    for b in range(len(blocks)):
        if b not in kept and b not in explained:
            reason = f"probability {judgement.probabilities[b]:.2f} of being content"
            place, text, node = tree.path(blocks.owner[b]), blocks.text[b][:80], blocks.first[b]
            lines.append((node, Removal("judge", f"judge-{judgement.judge}", reason, place, text, node=node)))
    return tuple(removal for _, removal in sorted(lines, key=lambda line: line[0]))


def invisible_characters(page: Page, kept: Sequence[int]) -> Iterator[Removal]:
    """Characters that are taken out of what is kept: nobody sees them, or they reorder what a person reads."""
    count, words = 0, ""
    for b in kept:
        text, found = strip_invisible(page.blocks.text[b])
        text, without_width = strip_zero_width(text)
        found += without_width
        count, words = count + found, words or (text[:80] if found else "")
    if count:
        reason = f"{count} characters that hide or reorder text"
        yield Removal("sanitize", "invisible-characters", reason, "", words)


_STRONGEST = 4
"""As many reasons are shown for a block, and as many against it."""


def block_views(
    page: Page,
    marks: Sequence[Mark],
    kept: Set[int],
    copies: Set[int],
    winner: Candidate | None,
    judgement: Judgement,
) -> tuple[BlockView, ...]:
    """Every block, what became of it, which rule decided, and the strongest evidence for and against it."""
    tree, blocks = page.tree, page.blocks
    reasons = judgement.reasons() or [()] * len(blocks)
    by_judge = f"judge-{judgement.judge}"
    ruled = _ruled(page, marks)
    ruled |= dict.fromkeys(copies, COPY) | dict.fromkeys(title_blocks(page, range(len(blocks))), TITLE)
    outside = set(range(len(blocks))) - page.blocks_in(winner.nodes) if winner is not None and winner.nodes else set()

    def decided(b: int) -> str:
        if winner is not None and (b in kept or (b in outside and b not in ruled)):
            return winner.rule_id
        return ruled.get(b, by_judge)

    def strongest(b: int, sign: int) -> tuple[Reason, ...]:
        found = [reason for reason in reasons[b] if reason.weight * sign > 0]
        return tuple(sorted(found, key=lambda reason: -abs(reason.weight))[:_STRONGEST])

    return tuple(
        BlockView(
            tree.path(blocks.owner[b]),
            blocks.text[b][:200],
            blocks.words[b],
            b in kept,
            round(judgement.probabilities[b], 3),
            decided(b),
            strongest(b, 1),
            strongest(b, -1),
        )
        for b in range(len(blocks))
    )


def _ruled(page: Page, marks: Sequence[Mark]) -> dict[int, str]:
    """By block the last row that removes it; each block is looked at once, however many marks lie in each other."""
    ruled: dict[int, str] = {}
    free = list(range(len(page.blocks) + 1))
    for mark in reversed(marks):
        if mark.rescued:
            continue
        b, stop = page.range_of(mark.node)
        while True:
            while free[b] != b:
                free[b] = free[free[b]]
                b = free[b]
            if b >= stop:
                break
            ruled[b] = mark.rule_id
            free[b] = b + 1
    return ruled


def trace_steps(page: Page, kind: PageKind, judge: str) -> tuple[str, ...]:
    steps = [
        f"decoded as {page.encoding.name} ({page.encoding.source})",
        f"document type {page.document_type.name} ({page.document_type.source})",
        f"{len(page.tree)} nodes, {len(page.blocks)} text blocks",
        f"framework {page.framework.name} ({page.framework.confidence:.2f})"
        if page.framework
        else "no known framework",
        f"site rule {page.rule.id} ({page.rule.source})" if page.rule else "no site rule",
        f"page type {kind.type} ({kind.confidence:.2f}{', uncertain' if kind.uncertain else ''})",
        f"blocks judged by {judge}",
    ]
    if judge == "learned" and len(page.blocks) > MOST_BLOCKS:
        steps.append(f"the evidence for and against a block is given for the first {MOST_BLOCKS:,}")
    return tuple(steps)
