"""The report as one self-contained HTML page: no scripts, no external resources, light and dark mode.

Everything from a corpus is escaped; only http and https URLs become links.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from duramen.evaluation.categories import category
from duramen.evaluation.causes import Miss
from duramen.evaluation.figures import Figures, Group
from duramen.evaluation.plots import Bar, bars, curve
from duramen.evaluation.report import (
    INSPECTOR,
    category_rows,
    group_rows,
    inspector_link,
    miss_counts,
    miss_rows,
    number,
    percent,
)
from duramen.evaluation.scoring import PageScore

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
NAMES = {
    "F1": "word F1",
    "P": "precision",
    "R": "recall",
    "shingle": "4-word F1",
    "with": "snippets kept",
    "without": "snippets left out",
    "snippetF1": "snippet F1",
    "links": "links kept",
    "heads": "headings kept",
    "code": "code blocks kept",
    "cells": "table cells kept",
}
STYLE = """
:root { color-scheme: light dark; --ground: #fbf8f3; --card: #fff; --ink: #2c241d; --soft: #6d6156; --line: #e4dacd;
  --bar: #8f3f1f; --missed: #c98b2b; --mark: #2c241d; }
@media (prefers-color-scheme: dark) { :root { --ground: #1b1714; --card: #241f1b; --ink: #ece3d8; --soft: #a99b8c;
  --line: #3b332c; --bar: #d98a5f; --missed: #b58a3c; --mark: #ece3d8; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 68rem; padding: 2rem 1.2rem 4rem; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.7rem; } h2 { margin: 2.2rem 0 .6rem; font-size: 1.2rem; }
p { margin: .4rem 0; } .soft, caption { color: var(--soft); font-size: .92rem; }
.figures { display: flex; flex-wrap: wrap; gap: .7rem; margin: 1.2rem 0 0; padding: 0; list-style: none; }
.figures li { padding: .5rem .9rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); }
.figures b { display: block; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; } svg { display: block; width: 100%; max-width: 45rem; height: auto; font-size: 13px; }
table { border-collapse: collapse; font-size: .92rem; width: 100%; } caption { text-align: left; }
th, td { padding: .35rem .6rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; }
th:first-child, td:first-child, .words { text-align: left; } td { font-variant-numeric: tabular-nums; }
td.long { overflow-wrap: anywhere; } a { color: var(--bar); }
svg text { fill: var(--ink); } svg .axis, svg .value { fill: var(--soft); font-size: 12px; }
.grid { stroke: var(--line); } .bar { fill: var(--bar); } .bar.missed { fill: var(--missed); }
.target { stroke: var(--mark); stroke-width: 2; stroke-dasharray: 3 2; }
.curve { fill: none; stroke: var(--bar); stroke-width: 2.5; }
code { font-size: .92em; background: var(--card); padding: .1em .3em; border: 1px solid var(--line);
  border-radius: .3em; }
"""


def html_report(figures: Figures, folder: str, inspector: str = INSPECTOR, misses: Sequence[Miss] = ()) -> str:
    """The whole report."""
    name = escape(str(figures.made["corpus"]))
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>Duramen on {name}</title>\n<style>{STYLE}</style>\n</head>\n<body>",
            *_head(figures, name),
            *_categories(figures),
            *_misses(misses),
            *_kinds(figures),
            *_curve(figures),
            *_verdicts(figures),
            *_worst(figures, folder, inspector),
            "</body>\n</html>\n",
        ]
    )


def _head(figures: Figures, name: str) -> Iterator[str]:
    made = figures.made
    yield f"<h1>Duramen on {name}</h1>"
    by = f"engine {made['engine']}, rules {made['rules']}, model {made['model']}"
    if made["extractor"]:
        by += f", extractor {made['extractor']}"
    yield f'<p class="soft">{figures.pages:,} pages, {figures.failures:,} failed; {escape(by)}</p>'
    yield '<ul class="figures">'
    for key, value in figures.overall.items():
        yield f"<li><b>{value:.3f}</b>{escape(NAMES.get(key, key))}</li>"
    yield "</ul>"


def _categories(figures: Figures) -> Iterator[str]:
    yield "<h2>Success by site category</h2>"
    yield (
        f'<p class="soft">A page is a success if everything that its category requires, and that is known, is right.'
        f" Content is right from a score of {figures.threshold:g}. Dashed lines are targets; pale bars miss theirs.</p>"
    )
    yield bars("Success by site category", [_bar(group, group.success) for group in figures.categories])
    yield from _table(list(category_rows(figures)), {0, 10})
    for group in figures.categories:
        yield f'<p class="soft"><b>{escape(group.name)}</b>: {escape(category(group.id).reason)}</p>'


def _misses(misses: Sequence[Miss]) -> Iterator[str]:
    if not misses:
        return
    yield "<h2>Missed targets, page by page</h2>"
    yield (
        '<p class="soft">Truth: the annotated value is not in the page. Page: the content is not in the HTML. Us: all'
        " else.</p>"
    )
    for line in miss_counts(misses):
        yield f"<p>{escape(line)}</p>"
    yield from _table(list(miss_rows(misses)), set(range(7)))


def _kinds(figures: Figures) -> Iterator[str]:
    if len(figures.kinds) < 2:
        return
    yield "<h2>Score by page type</h2>"
    yield bars("Mean score by page type", [_bar(group, group.score) for group in figures.kinds])
    yield from _table(list(group_rows("page type", figures.kinds)), {0})


def _curve(figures: Figures) -> Iterator[str]:
    if figures.curve:
        yield "<h2>Pages that reach a score</h2>"
        yield f'<p class="soft">The share of pages with at least this score; the mark is {figures.threshold:g}.</p>'
        yield curve("Share of pages that reach a score", figures.curve, figures.threshold)


def _verdicts(figures: Figures) -> Iterator[str]:
    yield "<h2>Accuracy of verdicts</h2>"
    yield from _table(list(group_rows("verdict", figures.verdicts)), {0})


def _worst(figures: Figures, folder: str, inspector: str) -> Iterator[str]:
    if not figures.worst:
        return
    yield "<h2>Worst pages</h2>"
    yield f'<p class="soft">The links work while <code>duramen serve --corpus {escape(folder)}</code> runs.</p>'
    yield '<div class="scroll"><table><thead><tr><th>page</th><th>score</th><th class="words">verdict</th>'
    yield '<th class="words">type</th><th class="words">what is wrong</th></tr></thead><tbody>'
    for page in figures.worst:
        link = escape(inspector_link(inspector, page.id))
        yield (
            f'<tr><td><a href="{link}">{escape(page.id)}</a></td><td>{number(page.score)}</td>'
            f'<td class="words">{escape(page.verdict or "failed")}</td><td class="words">{escape(page.kind)}</td>'
            f'<td class="words long">{"<br>".join(_wrong(page))}</td></tr>'
        )
    yield "</tbody></table></div>"


def _wrong(page: PageScore) -> Iterator[str]:
    if page.url:
        url = escape(page.url)
        is_web = page.url.lower().startswith(("http://", "https://"))
        yield f'<a rel="noreferrer nofollow" href="{url}">{url}</a>' if is_web else url
    if page.precision is not None:
        yield f"precision {number(page.precision)}, recall {number(page.recall)}, expected F1 {number(page.expected)}"
    for what, snippets in (("missing", page.missing), ("kept", page.rubbish)):
        if snippets:
            yield f"{what}: {escape(' | '.join(' '.join(text.split())[:90] for text in snippets))}"
    if page.failure:
        yield escape(page.failure[:300])


def _bar(group: Group, value: float | None) -> Bar:
    note = f"{group.pages} pages, score {number(group.score)}, success {percent(group.success)}"
    return Bar(group.name, value, note, group.target)


def _table(rows: list[list[str]], words: set[int]) -> Iterator[str]:
    yield '<div class="scroll"><table>'
    for k, row in enumerate(rows):
        tag = "td" if k else "th"
        cells = "".join(
            f"<{tag}{' class=' + chr(34) + 'words' + chr(34) if i in words else ''}>{escape(cell)}</{tag}>"
            for i, cell in enumerate(row)
        )
        yield f"<tr>{cells}</tr>"
    yield "</table></div>"
