"""The report as text for a terminal, and as Markdown tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote

from duramen.evaluation.categories import FIELDS, category
from duramen.evaluation.causes import PAGE, TRUTH, US, Miss
from duramen.evaluation.figures import Figures, Group
from duramen.evaluation.scoring import PageScore

INSPECTOR = "http://127.0.0.1:8321"
"""The default address of ``duramen serve``."""


def inspector_link(base: str, id: str) -> str:
    """The URL at which a running ``duramen serve --corpus FOLDER`` shows a page."""
    return f"{base.rstrip('/')}/#page={quote(id, safe='')}"


def percent(share: float | None) -> str:
    """
    >>> percent(0.8), percent(None)
    ('80.0 %', '–')
    """
    return "–" if share is None else f"{100 * share:.1f} %"


def number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def met(group: Group) -> str:
    """Whether a target is reached, in one word."""
    if group.target is None or group.success is None:
        return ""
    return "met" if group.success >= group.target else "missed"


def category_rows(figures: Figures) -> Iterator[list[str]]:
    """Rows of a table, header first."""
    yield ["site category", "pages", "score", "success", "target", "", *FIELDS, "success requires"]
    for group in figures.categories:
        yield [
            group.name,
            str(group.pages),
            number(group.score),
            percent(group.success),
            "" if group.target is None else f"{100 * group.target:.0f} %",
            met(group),
            *(percent(group.right[name]) for name in FIELDS),
            ", ".join(group.asks),
        ]


def group_rows(what: str, groups: Sequence[Group]) -> Iterator[list[str]]:
    yield [what, "pages", "score", "content right"]
    for group in groups:
        if group.pages:
            yield [group.name, str(group.pages), number(group.score), percent(group.right["content"])]


def miss_rows(misses: Sequence[Miss]) -> Iterator[list[str]]:
    """Why the pages of categories that miss their target fail, as rows of a table, header first."""
    yield ["site category", "page", "field", "cause", "evidence", "read", "annotated"]
    for miss in misses:
        name = category(miss.category).name
        yield [name, miss.id, miss.field, miss.blame, miss.why, miss.got[:80], miss.want[:80]]


def miss_counts(misses: Sequence[Miss]) -> Iterator[str]:
    """A line for each category that misses its target: how many fields fail by which cause."""
    for id in dict.fromkeys(miss.category for miss in misses):
        mine = [miss for miss in misses if miss.category == id]
        causes = ", ".join(f"{cause} {sum(miss.blame == cause for miss in mine)}" for cause in (TRUTH, PAGE, US))
        yield f"{category(id).name}: {len(mine)} fields of {len({miss.id for miss in mine})} pages are wrong; {causes}"


def text_report(
    figures: Figures, folder: str, inspector: str = INSPECTOR, misses: Sequence[Miss] = ()
) -> Iterator[str]:
    """The whole report as lines."""
    made = figures.made
    yield f"{made['corpus']}: {figures.pages:,} pages, {figures.failures:,} failed"
    yield f"engine {made['engine']}, rules {made['rules']}, model {made['model']}" + (
        f", extractor {made['extractor']}" if made["extractor"] else ""
    )
    yield "  ".join(f"{name} {value:.4f}" for name, value in figures.overall.items())
    yield ""
    yield f"Success by site category; content is right from a score of {figures.threshold:g}"
    yield from _aligned(list(category_rows(figures)))
    if len(figures.kinds) > 1:
        yield ""
        yield from _aligned(list(group_rows("page type", figures.kinds)))
    yield ""
    yield from _aligned(list(group_rows("verdict", figures.verdicts)))
    if misses:
        yield ""
        yield "Missed targets, page by page: truth (not in the page), page (content not in the HTML), us (all else)"
        yield from (f"  {line}" for line in miss_counts(misses))
        for miss in misses:
            yield f"  {miss.category}  {inspector_link(inspector, miss.id)}  {miss.field}: {miss.blame}, {miss.why}"
            if miss.want:
                yield f"         read {miss.got!r}, annotated {miss.want!r}"
    if figures.worst:
        yield ""
        yield f"Worst pages. To inspect them: duramen serve --corpus {folder}"
        for page in figures.worst:
            yield from _worst(page, inspector)


def _worst(page: PageScore, inspector: str) -> Iterator[str]:
    facts = [page.verdict or "failed", page.kind, page.tier or ""]
    yield f"  {number(page.score)}  {inspector_link(inspector, page.id)}  {' '.join(filter(None, facts))}"
    if page.url:
        yield f"         {page.url}"
    for what, snippets in (("missing", page.missing), ("kept", page.rubbish)):
        if snippets:
            yield f"         {what}: {' | '.join(' '.join(text.split())[:70] for text in snippets)}"
    if page.failure:
        yield f"         {page.failure[:200]}"


def _aligned(rows: list[list[str]]) -> Iterator[str]:
    """Align names to the left, numbers to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        first, *rest = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        yield f"  {first.strip().ljust(widths[0])}  {'  '.join(rest)}".rstrip()


def markdown_table(rows: Iterator[list[str]]) -> Iterator[str]:
    """Rows as a Markdown table, header first."""
    head = next(rows)
    yield f"| {' | '.join(head)} |"
    yield f"| {' | '.join(['---'] * len(head))} |"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"


def as_data(figures: Figures) -> dict[str, Any]:
    """The figures as data for JSON, rounded to significant digits."""
    data = figures.to_dict()
    stack: list[Any] = [data]
    while stack:
        node = stack.pop()
        pairs = list(node.items()) if isinstance(node, dict) else list(enumerate(node))
        for key, value in pairs:
            if isinstance(value, tuple):
                value = node[key] = list(value)
            if isinstance(value, float):
                node[key] = round(value, 6)
            elif isinstance(value, (dict, list)):
                stack.append(value)
    return data
