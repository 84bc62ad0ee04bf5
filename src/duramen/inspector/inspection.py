"""The data that the inspector shows: a result with its trace, and the page's blocks and structure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from time import perf_counter
from typing import Any

from duramen.fetched import is_page, source_of
from duramen.inspector.rendering import render_page
from duramen.inspector.structure import structure
from duramen.model import BlockView, Fetched
from duramen.options import Options
from duramen.page import Page
from duramen.pipeline import page_of, run
from duramen.read.decode import decode
from duramen.result import Result
from duramen.rule_set import RuleSet

MOST_BLOCKS = 3_000
"""Maximum of entries shown; the rest is only counted."""


def inspect_page(
    html: str | bytes,
    url: str | None,
    options: Options,
    content_type: str | None = None,
    rules: RuleSet | None = None,
) -> dict[str, Any]:
    """Extract a page, and return everything known about it as plain data, with the seconds of the extraction alone.

    ``rules`` replace the shipped ones.
    """
    started = perf_counter()
    result = run(html, url, options, content_type=content_type, rules=rules)
    seconds = perf_counter() - started
    text = html if isinstance(html, str) else decode(html, options.encoding, content_type)[0]
    return _as_dict(result, page_of(html, url, options, content_type), text) | {"seconds": round(seconds, 4)}


def inspect_fetched(fetched: Fetched, result: Result, options: Options) -> dict[str, Any]:
    """The same for a fetched page, whose result has the details of its trace."""
    html = source_of(fetched, options)
    text = html if isinstance(html, str) else decode(html, options.encoding, fetched.charset)[0]
    page = page_of(html, fetched.url, options, fetched.charset)
    return _as_dict(result, page, text if is_page(fetched) else None)


def _as_dict(result: Result, page: Page, source: str | None) -> dict[str, Any]:
    """``source`` is the page's HTML, with which it can be read again; ``None`` for documents of other kinds."""
    views = result.trace.blocks[:MOST_BLOCKS]
    kept = [view.kept for view in views]
    data = result.to_dict(trace=True, records=True)
    trace = data["trace"]
    del trace["blocks"]
    trace["removals"] = trace.pop("hidden") + trace["removals"]
    for attempt in trace["attempts"]:
        nodes = attempt["candidate"].pop("nodes")
        attempt["blocks"] = _ranges(page, nodes, len(views))
    for removal in trace["removals"]:
        node = removal.pop("node")
        removal["blocks"] = _ranges(page, [node] if node is not None else [], len(views))
    chosen = next((a.candidate.nodes for a in result.trace.attempts if a.outcome == "won"), ())
    reasons = {removal.rule_id: removal.reason for removal in result.trace.removals if removal.step != "judge"}
    return {
        "result": data,
        "xml": result.xml,
        "chunks": [asdict(chunk) for chunk in result.chunks()],
        "blocks": list(_blocks(page, views, reasons)),
        "left_out": len(result.trace.blocks) - len(views),
        "structure": structure(page, kept, chosen),
        "rendering": render_page(page, kept),
        "source": source,
    }


def _ranges(page: Page, nodes: list[int], most: int) -> list[tuple[int, int]]:
    """Ranges of the blocks inside some nodes."""
    ranges = (page.range_of(node) for node in nodes)
    return [(start, min(stop, most)) for start, stop in ranges if start < min(stop, most)]


def _blocks(page: Page, views: tuple[BlockView, ...], reasons: dict[str, str]) -> Iterator[dict[str, Any]]:
    blocks, tree = page.blocks, page.tree
    for b, view in enumerate(views):
        yield asdict(view) | {
            "tag": tree.tag[blocks.owner[b]],
            "links": round(blocks.links[b] / blocks.chars[b], 2) if blocks.chars[b] else 0.0,
            "reason": "" if view.kept else reasons.get(view.rule, ""),
        }
