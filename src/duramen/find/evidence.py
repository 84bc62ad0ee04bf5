"""Everything the judge knows about each text block, as one table: a row a feature, a column a block.

The same function serves training and use, so that a model never meets a number that was computed differently. All
features are cheap: one pass over the tree's elements, one over the blocks, the rest is arithmetic on arrays.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from duramen.blocks import Blocks
from duramen.find.classical.containers import containers
from duramen.find.hints import BALLOTS, CONTAINERS, VOTES, Hints, Lexicon
from duramen.find.lineage import HIDDEN, ROLE_BITS, TAG_BITS, TAG_GROUPS, read_lineage
from duramen.find.page_marks import page_features
from duramen.find.wording import WORDING, read_wording
from duramen.native import core
from duramen.tree import Tree

Matrix = NDArray[np.float32]


OWNER_CODES: Mapping[str, int] = {
    name: code
    for code, names in enumerate(
        ("p", "li", "td", "th", "div", "h1", "h2", "h3", "h4 h5 h6", "dt", "dd", "blockquote", "pre", "figcaption",
         "label legend", "section article main", "header footer nav aside", "summary", "noscript template", "caption",
         "form fieldset", "body"),
        start=1,
    )
    for name in names.split()
}  # fmt: skip

PAGE = (
    "page_blocks", "page_words", "page_links", "page_prose", "page_prose_words", "page_long_blocks", "page_mean_words",
    "page_h2", "page_h3", "page_p", "page_li", "page_img", "page_article", "page_section", "page_time", "page_form",
    "page_button", "page_main", "page_money", "page_questions", "page_date_blocks", "url_last_length",
    "url_last_hyphens", "title_words", "description_words", "bodies", "type_article",
)  # fmt: skip
"""What of the page as a whole stands beside each of its blocks; the page's type is read from all of it."""

_BITS = np.arange(len(TAG_GROUPS))[:, None]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The table, and what the second look needs of the page's shape."""

    columns: Matrix
    """(features, blocks)"""
    names: tuple[str, ...]
    words: Matrix
    start: NDArray[np.int64]
    """Per block and level, the first block of the container at that level."""
    stop: NDArray[np.int64]
    group: NDArray[np.int64]
    """Blocks of one template share a number."""
    heading: NDArray[np.int64]
    """The heading a block stands under; -1 before the first."""
    page: Mapping[str, float]
    """What describes the page as a whole."""


LEVELS = 6

MEASURES = (
    "words", "log_chars", "link_density", "chars_per_word", *WORDING, "copy_number", "copied_run",
    "heading_words", "heading_age", "heading_level", "after_title", "owner", "depth",
    *(f"in_{group.split()[0]}" for group in TAG_GROUPS),
    *(f"tokens_{step}" for step in range(4)), "tokens_low", "tokens_high", "tokens_sum",
    *(f"siblings_{step}" for step in range(4)), "siblings_most",
    "group_size", "group_words", "group_share", "group_links",
    "index", "index_log", "index_from_end", "words_before", "words_before_log", "words_after_log",
    *(
        f"{name}_{step}"
        for step in range(LEVELS)
        for name in ("share", "links", "blocks", "mean_words", "prose", "prose_density", "place")
        if name != "place" or step in (1, 2)
    ),
    *(f"{name}{offset:+d}" for offset in (-1, 1) for name in ("words", "links", "owner", "word_mean")),
    *(f"window_{name}_{width}" for width in (5, 15) for name in ("words", "links", "prose")),
)  # fmt: skip
"""What is measured of each block and of what stands around it."""

_VOTERS = (*VOTES, *BALLOTS, *CONTAINERS)

NAMES = (*MEASURES, *(f"vote_{name}" for name in _VOTERS), *PAGE)
"""The rows of the table."""

_PARTS = {name: WORDING.index(name) for name in ("word_mean", "function_words")}


class Measured(NamedTuple):
    start: NDArray[np.int64]
    stop: NDArray[np.int64]
    group: NDArray[np.int64]
    heading: NDArray[np.int64]


def table(tree: Tree, blocks: Blocks, hints: Hints, lexicon: Lexicon) -> Evidence:
    """The evidence on every block of a page."""
    said = read_wording(tree, blocks, hints, lexicon)
    wording = said.rows
    rows = np.empty((len(NAMES), len(blocks)), dtype=np.float32)
    measure = _measure if tree.core is None else _measure_by_core
    measured = measure(rows, tree, blocks, wording, said.title_at, lexicon)
    chosen = containers(tree, blocks, wording[_PARTS["function_words"]])
    votes = {**hints.votes, **{name: (node,) for name, node in zip(CONTAINERS, chosen, strict=True) if node >= 0}}
    page = page_features(tree, blocks, hints, said.questions, said.prices, said.dates)
    fill = partial(_fill_background, tree, blocks) if tree.core is None else tree.core.background
    ballots = [hints.ballots.get(name) for name in _VOTERS]
    fill(rows, len(MEASURES), ballots, [votes.get(name, ()) for name in _VOTERS], [page[name] for name in PAGE])
    return Evidence(rows, NAMES, rows[0], *measured, page)


def _fill_background(
    tree: Tree,
    blocks: Blocks,
    rows: Matrix,
    at: int,
    ballots: Sequence[Sequence[bool] | None],
    votes: Sequence[Sequence[int]],
    page: Sequence[float],
) -> None:
    """The votes, row by row: the blocks of a ballot, and those inside the nodes that were proposed; then the page."""
    for row, (ballot, nodes) in enumerate(zip(ballots, votes, strict=True), start=at):
        rows[row] = 0.0 if ballot is None else ballot
        for node in nodes:
            rows[row, bisect_left(blocks.first, node) : bisect_left(blocks.first, tree.end[node])] = 1.0
    rows[at + len(votes) :] = np.array(page, dtype=np.float32)[:, None]


def _measure_by_core(
    rows: Matrix, tree: Tree, blocks: Blocks, wording: Matrix, title_at: int, lexicon: Lexicon
) -> Measured:
    n = len(blocks)
    measured = Measured(
        np.empty((n, LEVELS), dtype=np.int64),
        np.empty((n, LEVELS), dtype=np.int64),
        np.empty(n, dtype=np.int64),
        np.empty(n, dtype=np.int64),
    )
    tree.core.evidence(
        rows, *measured, wording, _PARTS["word_mean"], title_at, lexicon.token_lookup, TAG_BITS, _roles(), HIDDEN,
        len(TAG_GROUPS), OWNER_CODES,
    )  # fmt: skip
    return measured


@cache
def _roles() -> Any:
    return core.Lookup(dict(ROLE_BITS))


def _measure(rows: Matrix, tree: Tree, blocks: Blocks, wording: Matrix, title_at: int, lexicon: Lexicon) -> Measured:
    columns: list[Any] = []
    add = columns.append
    n = len(blocks)
    owner = np.array(blocks.owner, dtype=np.int64)
    words = np.array(blocks.words, dtype=np.float32)
    chars = np.array(blocks.chars, dtype=np.float32)
    links = np.array(blocks.links, dtype=np.float32)
    density = links / np.maximum(chars, 1)
    log_words = _log(words)
    parent = np.maximum(np.array(tree.parent, dtype=np.int64), 0)
    end = np.array(tree.end, dtype=np.int64)
    total_chars = np.array(tree.chars, dtype=np.float64)
    total_links = np.array(tree.links, dtype=np.float64)
    page_chars = max(1.0, float(total_chars[-1]))
    page_words = max(1.0, float(words.sum()))
    first = np.array(blocks.first, dtype=np.int64)
    word_mean = wording[_PARTS["word_mean"]]

    # Shape of the text itself.
    columns += [words, _log(chars), density, chars / np.maximum(words, 1), *wording, *_copies(blocks)]

    # The headings above.
    ages = np.zeros((n, 4), dtype=np.float32)
    heading_score, heading_age, heading_level = 0.0, 99.0, 0.0
    tag = tree.tag
    owner_tags = [tag[o] for o in blocks.owner]
    heading = np.full(n, -1, dtype=np.int64)
    latest = -1
    for b in range(n):
        name = owner_tags[b]
        heading[b] = latest
        if len(name) == 2 and name[0] == "h" and name[1].isdigit():
            heading_score, heading_age, heading_level = float(word_mean[b]), 0.0, float(name[1])
            latest = b
        else:
            heading_age += 1.0
        ages[b] = heading_score, min(heading_age, 99.0), heading_level, b - title_at if title_at >= 0 else -1
    columns += list(ages.T)

    # The owner and its ancestors.
    codes = np.array([OWNER_CODES.get(name, 0) for name in owner_tags], dtype=np.float32)
    columns += [codes, np.array([tree.depth[o] for o in blocks.owner], dtype=np.float32)]
    lineage = read_lineage(tree, lexicon.tokens)
    bits = np.array([lineage.tags[o] for o in blocks.owner], dtype=np.int64)
    columns.extend((bits[None, :] >> _BITS) & 1)
    own, low, high, total = np.array([lineage.own, lineage.low, lineage.high, lineage.total], dtype=np.float32)
    level = owner
    for _ in range(4):
        add(own[level])
        level = parent[level]
    columns += [low[owner], high[owner], total[owner]]

    # Repetition of templates.
    copies = np.array(lineage.copies, dtype=np.float32)
    level = owner
    most = copies[owner]
    for _ in range(4):
        add(_log(copies[level]))
        most = np.maximum(most, copies[level])
        level = parent[level]
    add(_log(most))
    signatures = [
        (tag[o], tree.cls[o], tree.cls[tree.parent[o]], tag[tree.parent[o]]) if o > 0 else ("", "", "", "")
        for o in blocks.owner
    ]
    groups: dict[tuple[str, str, str, str], int] = {}
    group = np.array([groups.setdefault(s, len(groups)) for s in signatures], dtype=np.int64)
    group_size = np.bincount(group)
    group_words = np.bincount(group, weights=words)
    group_links = np.bincount(group, weights=links) / np.maximum(np.bincount(group, weights=chars), 1)
    columns += [_log(group_size[group]), _log(group_words[group] / group_size[group])]
    columns += [group_words[group] / page_words, group_links[group]]

    # Position.
    before = np.concatenate(([0.0], np.cumsum(words)))[:-1]
    index = np.arange(n, dtype=np.float32)
    columns += [index / max(1, n), _log(index), _log(n - 1 - index)]
    columns += [before / page_words, _log(before), _log(page_words - before - words)]

    # Containers: shares of the page at each wider level.
    wider = np.array(lineage.wider, dtype=np.int64)
    paragraph = np.where((codes == 1) | ((words >= 15) & (density < 0.3)), words, 0)
    paragraph_sum = np.concatenate(([0.0], np.cumsum(paragraph)))
    word_sum = np.concatenate(([0.0], np.cumsum(words)))
    page_paragraph = max(1.0, float(paragraph_sum[-1]))
    starts = np.zeros((n, LEVELS), dtype=np.int64)
    stops = np.zeros((n, LEVELS), dtype=np.int64)
    level = owner
    for step in range(LEVELS):
        inside = total_chars[end[level]] - total_chars[level]
        linked = total_links[end[level]] - total_links[level]
        start, stop = np.searchsorted(first, level), np.searchsorted(first, end[level])
        starts[:, step], stops[:, step] = start, stop
        count = np.maximum(stop - start, 1)
        held, prose = word_sum[stop] - word_sum[start], paragraph_sum[stop] - paragraph_sum[start]
        columns += [inside / page_chars, linked / np.maximum(inside, 1), _log(count), _log(held / count)]
        columns += [prose / page_paragraph, prose / np.maximum(held, 1)]
        if step in (1, 2):
            add((np.arange(n) - start) / count)
        level = wider[level]

    # Neighbours.
    for offset in (-1, 1):
        columns += [shift(values, offset) for values in (log_words, density, codes, word_mean)]
    is_prose = (paragraph > 0).astype(np.float32)
    for width in (5, 15):
        columns += [_window(values, width) for values in (log_words, density, is_prose)]
    rows[: len(MEASURES)] = columns
    return Measured(starts, stops, group, heading)


def _log(values: Any) -> Any:
    """In double precision, so that every machine rounds to the same single."""
    return np.log1p(np.asarray(values, dtype=np.float64)).astype(np.float32)


def _copies(blocks: Blocks) -> tuple[Matrix, Matrix]:
    """Which copy of its text a block is, and whether its neighbours are copies too: a whole region shown twice."""
    number = np.zeros(len(blocks), dtype=np.float32)
    copied = np.zeros(len(blocks), dtype=np.float32)
    seen = Counter(blocks.text)
    counted: Counter[str] = Counter()
    for b, text in enumerate(blocks.text):
        number[b] = min(counted[text], 9)
        counted[text] += 1
        copied[b] = seen[text] > 1 and blocks.words[b] >= 4
    return number, _window(copied, 7)


def shift(values: Any, offset: int) -> Any:
    """The value of the block *offset* places on; zero beyond the page's ends."""
    result = np.zeros_like(values)
    if offset > 0:
        result[:-offset] = values[offset:]
    else:
        result[-offset:] = values[:offset]
    return result


def _window(values: Any, width: int) -> Any:
    """Mean over the blocks up to *width* // 2 away."""
    half = width // 2
    sums = np.concatenate(([0.0], np.cumsum(values)))
    n = len(values)
    low = np.maximum(np.arange(n) - half, 0)
    high = np.minimum(np.arange(n) + half + 1, n)
    return (sums[high] - sums[low]) / (high - low)
