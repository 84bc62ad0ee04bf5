"""The trace: what was decided, told in order."""

from __future__ import annotations

from collections.abc import Sequence, Set

from duramen.find.judge import Judgement
from duramen.model import BlockView, Candidate, Encoding, Ground, Removal
from duramen.page import Page
from duramen.refine.prune import Mark, removal_of

_TITLE_WITHIN = 12
"""The title's own heading stands among the first blocks of the content."""


def title_blocks(page: Page, kept: set[int]) -> set[int]:
    """The heading that repeats the title: it is ``Result.title``, not body content."""
    title = _letters(page.metadata.title or "")
    if not title:
        return set()
    tags, owner = page.tree.tag, page.blocks.owner
    for b in sorted(kept)[:_TITLE_WITHIN]:
        if tags[owner[b]] in ("h1", "h2") and _letters(page.blocks.text[b]) == title:
            return {b}
    return set()


def _letters(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


def trace_removals(page: Page, marks: Sequence[Mark], kept: set[int], judgement: Judgement) -> tuple[Removal, ...]:
    """What went, by which row; blocks that no row explains went by the judge's word."""
    tree, blocks = page.tree, page.blocks
    lines: list[tuple[int, Removal]] = []
    explained: set[int] = set()
    for mark in marks:
        inside = page.blocks_in((mark.node,))
        if mark.rescued or (inside and not inside & kept):
            lines.append((mark.node, removal_of(tree, mark, "prune")))
            explained |= set() if mark.rescued else inside
    repeated = title_blocks(page, set(range(len(blocks)))) - kept
    for b in repeated:
        place, text = tree.path(blocks.owner[b]), blocks.text[b][:80]
        lines.append((blocks.first[b], Removal("title", "title-heading", "repeats the title", place, text)))
    explained |= repeated
    for b in range(len(blocks)):
        if b not in kept and b not in explained:
            reason = f"chance {judgement.chances[b]:.2f} of being content"
            removal = Removal(
                "judge", f"judge-{judgement.judge}", reason, tree.path(blocks.owner[b]), blocks.text[b][:80]
            )
            lines.append((blocks.first[b], removal))
    return tuple(removal for _, removal in sorted(lines, key=lambda line: line[0]))


_STRONGEST = 4
"""As many grounds are told for a block, and as many against it."""


def block_views(
    page: Page, marks: Sequence[Mark], kept: Set[int], winner: Candidate | None, judgement: Judgement
) -> tuple[BlockView, ...]:
    """Every block, what became of it, which rule decided, and the strongest evidence for and against it."""
    tree, blocks = page.tree, page.blocks
    grounds = judgement.grounds() or [()] * len(blocks)
    by_judge = f"judge-{judgement.judge}"
    ruled = {b: mark.rule_id for mark in marks if not mark.rescued for b in page.blocks_in((mark.node,))}
    ruled |= dict.fromkeys(title_blocks(page, set(range(len(blocks)))), "title-heading")
    outside = set(range(len(blocks))) - page.blocks_in(winner.nodes) if winner is not None and winner.nodes else set()

    def decided(b: int) -> str:
        if winner is not None and (b in kept or (b in outside and b not in ruled)):
            return winner.rule_id
        return ruled.get(b, by_judge)

    def strongest(b: int, sign: int) -> tuple[Ground, ...]:
        found = [ground for ground in grounds[b] if ground.weight * sign > 0]
        return tuple(sorted(found, key=lambda ground: -abs(ground.weight))[:_STRONGEST])

    return tuple(
        BlockView(
            tree.path(blocks.owner[b]),
            blocks.text[b][:200],
            blocks.words[b],
            b in kept,
            round(judgement.chances[b], 3),
            decided(b),
            strongest(b, 1),
            strongest(b, -1),
        )
        for b in range(len(blocks))
    )


def trace_steps(page: Page, judgement: Judgement, encoding: Encoding) -> tuple[str, ...]:
    kind = judgement.kind
    steps = [
        f"decoded as {encoding.name} ({encoding.source})",
        f"document type {page.document_type.name} ({page.document_type.source})",
        f"{len(page.tree)} nodes, {len(page.blocks)} text blocks",
        f"framework {page.framework.name} ({page.framework.confidence:.2f})"
        if page.framework
        else "no known framework",
        f"site rule {page.rule.id}" if page.rule else "no site rule",
        f"page type {kind.type} ({kind.confidence:.2f})",
        f"blocks judged by {judgement.judge}",
    ]
    return tuple(steps)
