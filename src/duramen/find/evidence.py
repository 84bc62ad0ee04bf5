"""Everything the judge knows about each text block, as one table: a row a feature, a column a block.

The same function serves training and use, so that a model never meets a number that was computed differently. All
features are cheap: one pass over the tree's elements, one over the blocks, the rest is arithmetic on arrays.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duramen.blocks import Blocks
from duramen.dom import Tree
from duramen.find.hints import BALLOTS, VOTES, Hints, Lexicon
from duramen.find.language import measure
from duramen.find.lineage import TAG_GROUPS, read_lineage
from duramen.find.page_marks import DATE, MONEY, page_features

Matrix = NDArray[np.float32]

_WORD = re.compile(r"\w+")
_DIGITS = re.compile(r"\d")
_UPPER = re.compile("[A-Z\u00c0-\u00de\u0391-\u03a9\u0410-\u042f]")
_ENDINGS = frozenset(".!?。！？؟।…")
_CLOSING = "\"'”’)]»"
_PUNCTUATION = re.compile(r"[.,;:!?。，、；：！？،؛؟।]")
_SEPARATOR = re.compile(r"[|»›·•→←]")

HEAD = 200
"""Characters of a block that its shape is read from."""

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

SHAPE = (
    "punctuation", "sentence_end", "digits", "upper", "capital", "date", "money", "copyright", "separators",
    "question", "copies", "title_cover", "description_cover", "body_cover", "word_mean", "word_low", "word_high",
    "function_words",
)  # fmt: skip
"""What the text of a block says by itself."""


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


def table(tree: Tree, blocks: Blocks, hints: Hints, lexicon: Lexicon) -> Evidence:
    """The evidence on every block of a page."""
    columns: list[Any] = []
    names: list[str] = []

    def add(name: str, values: Any) -> None:
        names.append(name)
        columns.append(values)

    n = len(blocks)
    owner = np.array(blocks.owner, dtype=np.int64)
    words = np.array(blocks.words, dtype=np.float32)
    chars = np.array(blocks.chars, dtype=np.float32)
    links = np.array(blocks.links, dtype=np.float32)
    density = links / np.maximum(chars, 1)
    log_words = np.log1p(words)
    parent = np.maximum(np.array(tree.parent, dtype=np.int64), 0)
    end = np.array(tree.end, dtype=np.int64)
    total_chars = np.array(tree.chars, dtype=np.float64)
    total_links = np.array(tree.links, dtype=np.float64)
    page_chars = max(1.0, float(total_chars[-1]))
    page_words = max(1.0, float(words.sum()))
    first = np.array(blocks.first, dtype=np.int64)

    # Shape of the text itself.
    add("words", words)
    add("log_chars", np.log1p(chars))
    add("link_density", density)
    add("chars_per_word", chars / np.maximum(words, 1))
    shape, best_title_at = _shape(tree, blocks, hints, lexicon)
    for name, values in zip(SHAPE, shape, strict=True):
        add(name, values)
    number, run = _copies(blocks)
    add("copy_number", number)
    add("copied_run", run)

    # The headings above.
    ages = np.zeros((n, 4), dtype=np.float32)
    word_mean = shape[SHAPE.index("word_mean")]
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
        ages[b] = heading_score, min(heading_age, 99.0), heading_level, b - best_title_at if best_title_at >= 0 else -1
    add("heading_words", ages[:, 0])
    add("heading_age", ages[:, 1])
    add("heading_level", ages[:, 2])
    add("after_title", ages[:, 3])

    # The owner and its ancestors.
    codes = np.array([OWNER_CODES.get(name, 0) for name in owner_tags], dtype=np.float32)
    add("owner", codes)
    add("depth", np.array([tree.depth[o] for o in blocks.owner], dtype=np.float32))
    lineage = read_lineage(tree, lexicon.tokens)
    bits = np.array([lineage.tags[o] for o in blocks.owner], dtype=np.int64)
    names.extend(f"in_{group_name.split()[0]}" for group_name in TAG_GROUPS)
    columns.extend((bits[None, :] >> _BITS) & 1)
    score_of = np.array([lineage.own, lineage.low, lineage.high, lineage.total], dtype=np.float32)
    level = owner
    for step in range(4):
        add(f"tokens_{step}", score_of[0][level])
        level = parent[level]
    add("tokens_low", score_of[1][owner])
    add("tokens_high", score_of[2][owner])
    add("tokens_sum", score_of[3][owner])

    # Repetition of templates.
    copies = np.array(lineage.copies, dtype=np.float32)
    level = owner
    most = copies[owner]
    for step in range(4):
        add(f"siblings_{step}", np.log1p(copies[level]))
        most = np.maximum(most, copies[level])
        level = parent[level]
    add("siblings_most", np.log1p(most))
    signatures = [
        (tag[o], tree.cls[o], tree.cls[tree.parent[o]], tag[tree.parent[o]]) if o > 0 else ("", "", "", "")
        for o in blocks.owner
    ]
    groups: dict[tuple[str, str, str, str], int] = {}
    group = np.array([groups.setdefault(s, len(groups)) for s in signatures], dtype=np.int64)
    group_size = np.bincount(group)
    group_words = np.bincount(group, weights=words)
    group_links = np.bincount(group, weights=links) / np.maximum(np.bincount(group, weights=chars), 1)
    add("group_size", np.log1p(group_size[group]))
    add("group_words", np.log1p(group_words[group] / group_size[group]))
    add("group_share", group_words[group] / page_words)
    add("group_links", group_links[group])

    # Position.
    before = np.concatenate(([0.0], np.cumsum(words)))[:-1]
    index = np.arange(n, dtype=np.float32)
    add("index", index / max(1, n))
    add("index_log", np.log1p(index))
    add("index_from_end", np.log1p(n - 1 - index))
    add("words_before", before / page_words)
    add("words_before_log", np.log1p(before))
    add("words_after_log", np.log1p(page_words - before - words))

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
        add(f"share_{step}", inside / page_chars)
        add(f"links_{step}", linked / np.maximum(inside, 1))
        add(f"blocks_{step}", np.log1p(count))
        add(f"mean_words_{step}", np.log1p((word_sum[stop] - word_sum[start]) / count))
        add(f"prose_{step}", (paragraph_sum[stop] - paragraph_sum[start]) / page_paragraph)
        add(
            f"prose_density_{step}",
            (paragraph_sum[stop] - paragraph_sum[start]) / np.maximum(word_sum[stop] - word_sum[start], 1),
        )
        if step in (1, 2):
            add(f"place_{step}", (np.arange(n) - start) / count)
        level = wider[level]

    # Neighbours.
    for offset in (-1, 1):
        add(f"words{offset:+d}", shift(log_words, offset))
        add(f"links{offset:+d}", shift(density, offset))
        add(f"owner{offset:+d}", shift(codes, offset))
        add(f"word_mean{offset:+d}", shift(word_mean, offset))
    for width in (5, 15):
        add(f"window_words_{width}", _window(log_words, width))
        add(f"window_links_{width}", _window(density, width))
        add(f"window_prose_{width}", _window((paragraph > 0).astype(np.float32), width))

    # Votes of the tiers.
    for name in VOTES:
        inside_vote = np.zeros(n, dtype=np.float32)
        for node in hints.votes.get(name, ()):
            inside_vote[np.searchsorted(first, node) : np.searchsorted(first, tree.end[node])] = 1.0
        add(f"vote_{name}", inside_vote)
    for name in BALLOTS:
        ballot = hints.ballots.get(name)
        add(f"vote_{name}", np.array(ballot, dtype=np.float32) if ballot is not None else np.zeros(n, dtype=np.float32))

    # The page as a whole.
    page = page_features(tree, blocks, hints, shape[SHAPE.index("money")], shape[SHAPE.index("date")])
    names.extend(PAGE)
    table = np.empty((len(names), n), dtype=np.float32)
    table[: len(columns)] = columns
    table[len(columns) :] = np.array([page[name] for name in PAGE], dtype=np.float32)[:, None]
    return Evidence(table, tuple(names), words, starts, stops, group, heading, page)


def _shape(tree: Tree, blocks: Blocks, hints: Hints, lexicon: Lexicon) -> tuple[Matrix, int]:
    """The features of :data:`SHAPE`, and the block that repeats the title best (-1 for none)."""
    title_words = set(_WORD.findall(hints.title.lower()))
    description_words = set(_WORD.findall(hints.description[:300].lower()))
    body_text = "\n".join(hints.bodies).lower()[:200_000]
    body_words = set(_WORD.findall(body_text))
    odds = lexicon.words
    function_words = measure(hints.language)
    seen = Counter(blocks.text)
    best_title, best_title_at = 0.3, -1
    rows: list[tuple[float, ...]] = []
    for b, text in enumerate(blocks.text):
        head = text[:HEAD]
        size = len(head)
        lower = head.lower()
        found = _WORD.findall(lower)
        count = len(found) or 1
        title = description = body = mean = low = high = 0.0
        if title_words:
            hits = len([w for w in found if w in title_words])
            if hits:
                title = hits / count * min(1.0, count / len(title_words))
                if title > best_title and (best_title_at < 0 or tree.tag[blocks.owner[b]] == "h1"):
                    best_title, best_title_at = title, b
        if count > 3:
            if description_words:
                description = len([w for w in found if w in description_words]) / count
            if body_words:
                body = 1.0 if lower[:60] in body_text else len([w for w in found if w in body_words]) / count / 2
        known = [odds[w] for w in found[:25] if w in odds]
        if known:
            mean, low, high = sum(known) / len(known), min(known), max(known)
        punctuation, digits, upper, separators = _character_counts(head)
        has_date = (digits or "ago" in lower) and DATE.search(head) is not None
        has_money = digits and MONEY.search(head) is not None
        hits_in, size_in = function_words(head)
        rows.append((
            punctuation / count,
            text.rstrip(_CLOSING)[-1:] in _ENDINGS,
            digits / size,
            upper / size,
            head[0].isupper(),
            has_date,
            has_money,
            "©" in head or "copyright" in lower,
            separators,
            "?" in head,
            min(seen[text], 9),
            title, description, body, mean, low, high,
            hits_in / size_in if size_in else 0.0,
        ))  # fmt: skip
    return np.array(rows, dtype=np.float32).T, best_title_at


_CLASSES = bytes(
    1 if chr(c) in ".,;:!?" else 2 if chr(c).isdigit() else 3 if chr(c).isupper() else 4 if chr(c) == "|" else 0
    for c in range(128)
) + bytes(128)


def _character_counts(text: str) -> tuple[int, int, int, int]:
    """How many punctuation marks, digits, capitals and separators a text has."""
    if text.isascii():
        classes = text.encode("ascii").translate(_CLASSES)
        return classes.count(1), classes.count(2), classes.count(3), classes.count(4)
    return (
        len(_PUNCTUATION.findall(text)),
        len(_DIGITS.findall(text)),
        len(_UPPER.findall(text)),
        len(_SEPARATOR.findall(text)),
    )


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
