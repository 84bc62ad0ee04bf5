"""Everything the judge knows about each text block, as one table: a row a block, a column a feature.

The same function serves training and use, so that a model never meets a number that was computed differently. All
columns are cheap: one pass over the tree's elements, one over the blocks, the rest is arithmetic on arrays.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from duramen.blocks import Blocks
from duramen.dom import Tree
from duramen.find.language import measure

Matrix = NDArray[np.float32]

_TOKEN = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}(?![a-z])")
_WORD = re.compile(r"\w+")
_DIGITS = re.compile(r"\d")
_SENTENCE_END = re.compile(r"[.!?。！？؟।…][\"'”’)\]]*$")
_PUNCTUATION = re.compile(r"[.,;:!?。，、；：！？،؛؟।]")
_DATE = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[./:]\d{1,2}\b|年|\bago\b")
_MONEY = re.compile(r"[$€£¥₹]|\b(?:USD|EUR|GBP)\b")
_SEPARATOR = re.compile(r"[|»›·•→←]")

TAG_BITS: Mapping[str, int] = {
    name: bit
    for bit, names in enumerate(
        (
            "nav", "header", "footer", "aside", "main", "article", "section", "form", "ul ol menu dir", "li", "table",
            "td th", "figure", "figcaption", "blockquote", "pre code", "h1 h2 h3 h4 h5 h6", "p", "dl dd dt", "label fieldset legend",
            "noscript", "template", "details summary", "dialog", "address", "time", "strong b em i", "center font", "search",
            "#hidden",
        )
    )
    for name in names.split()
}  # fmt: skip
"""Tags whose presence among a block's ancestors is a column each."""

_TAG_COLUMNS = max(TAG_BITS.values()) + 1

OWNER_CODES: Mapping[str, int] = {
    name: code
    for code, names in enumerate(
        ("p", "li", "td", "th", "div", "h1", "h2", "h3", "h4 h5 h6", "dt", "dd", "blockquote", "pre", "figcaption", "label legend",
         "section article main", "header footer nav aside", "summary", "noscript template", "caption", "form fieldset", "body"),
        start=1,
    )
    for name in names.split()
}  # fmt: skip


@lru_cache(maxsize=20_000)
def tokens_of(names: str) -> tuple[str, ...]:
    """The words inside ``class`` and ``id`` values, lower-case: hyphens, underscores and camelCase part them.

    >>> tokens_of("articleBody post-content css-1q2w3e")
    ('article', 'body', 'post', 'content', 'css')
    """
    return tuple(dict.fromkeys(token.lower() for token in _TOKEN.findall(names[:400])))


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Learned log-odds of being content, for class tokens and for words of short texts."""

    tokens: Mapping[str, float] = field(default_factory=dict)
    words: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hints:
    """What the page says about itself that bears on its blocks."""

    title: str = ""
    description: str = ""
    bodies: tuple[str, ...] = ()
    url: str = ""
    types: frozenset[str] = frozenset()
    """``og:type`` and the JSON-LD types, lower-case."""
    framework: str = ""
    language: str = ""
    votes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Per tier, the nodes it proposed."""
    ballots: Mapping[str, Sequence[bool]] = field(default_factory=dict)
    """Per classical algorithm, the blocks it would keep."""


VOTES = ("semantic", "pattern", "density")
BALLOTS = ("boilerpipe", "mce")


_NAMING = ("role", "itemprop", "data-testid", "data-component", "data-test", "aria-label", "data-block", "data-type")


def class_names(tree: Tree, i: int) -> str:
    """All names an author gave an element: class, id, role, microdata, test ids and label."""
    attrs = tree.attrs[i]
    if not attrs:
        return ""
    names = [tree.cls[i], tree.ident[i]]
    if len(attrs) > 1 or not (tree.cls[i] or tree.ident[i]):
        for name in _NAMING:
            if name in attrs:
                names.append(tree.attr(i, name))
    return " ".join(names)


_ROLES: Mapping[str, str] = {
    "navigation": "nav", "banner": "header", "contentinfo": "footer", "complementary": "aside", "main": "main", "article": "article",
    "search": "search", "dialog": "dialog", "alertdialog": "dialog", "form": "form", "list": "ul", "listitem": "li", "heading": "h2",
}  # fmt: skip
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)


def is_hidden(tree: Tree, i: int) -> bool:
    """Whether an element says that it is not shown; evidence, not a veto, since scripts show it later."""
    attrs = tree.attrs[i]
    if not attrs:
        return False
    if "hidden" in attrs or attrs.get("aria-hidden") == "true":
        return True
    style = attrs.get("style")
    return bool(style) and _HIDDEN_STYLE.search(str(style)) is not None


def _token_scores(tree: Tree, lexicon: Lexicon) -> tuple[list[float], list[float], list[float], list[float]]:
    """Per element: own score, lowest and highest on the way to the root, and the sum."""
    n = len(tree)
    own, low, high, total = [0.0] * n, [0.0] * n, [0.0] * n, [0.0] * n
    table = lexicon.tokens
    memo: dict[str, float] = {}
    chars, end = tree.chars, tree.end
    for i, name in enumerate(tree.tag):
        if not name or chars[end[i]] == chars[i]:
            continue
        above = tree.parent[i]
        score = 0.0
        names = class_names(tree, i)
        if names:
            known = memo.get(names)
            if known is None:
                found = [table[t] for t in tokens_of(names) if t in table]
                known = sum(found) / len(found) ** 0.5 if found else 0.0
                memo[names] = known
            score = known
        own[i] = score
        if above >= 0:
            low[i] = min(low[above], score)
            high[i] = max(high[above], score)
            total[i] = total[above] + score
    return own, low, high, total


def _tag_masks(tree: Tree) -> tuple[list[int], list[int]]:
    """Per element: bits of the tags among all ancestors (and itself), and among the nearest three."""
    n = len(tree)
    everywhere, near = [0] * n, [0] * n
    bits = {name: 1 << bit for name, bit in TAG_BITS.items()}
    own: list[int] = [0] * n
    for i, name in enumerate(tree.tag):
        if not name:
            continue
        above = tree.parent[i]
        mine = bits.get(name, 0)
        if tree.attrs[i]:
            role = tree.attrs[i].get("role")
            if role:
                mine |= bits.get(_ROLES.get(str(role).lower(), ""), 0)
            if is_hidden(tree, i):
                mine |= bits["#hidden"]
        own[i] = mine
        if above >= 0:
            everywhere[i] = everywhere[above] | mine
            higher = tree.parent[above]
            near[i] = mine | own[above] | (own[higher] if higher >= 0 else 0)
    return everywhere, near


def _unpack(masks: list[int], owners: NDArray[np.int64]) -> Matrix:
    values = np.array([masks[o] for o in owners], dtype=np.int64)
    return ((values[:, None] >> np.arange(_TAG_COLUMNS)) & 1).astype(np.float32)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _repetition(tree: Tree) -> tuple[list[int], dict[tuple[int, str, str], int]]:
    """How many siblings share an element's tag and class: the mark of a template."""
    counts: Counter[tuple[int, str, str]] = Counter()
    keys: list[tuple[int, str, str] | None] = []
    chars, end = tree.chars, tree.end
    for i, name in enumerate(tree.tag):
        if not name or chars[end[i]] == chars[i]:
            keys.append(None)
            continue
        key = (tree.parent[i], name, tree.cls[i])
        keys.append(key)
        counts[key] += 1
    return [counts[k] if k else 0 for k in keys], counts


def _wider(tree: Tree) -> list[int]:
    """Per element the nearest ancestor that holds more text than it does: wrappers do not count as levels."""
    n = len(tree)
    result = [0] * n
    chars, end, parent = tree.chars, tree.end, tree.parent
    for i in range(1, n):
        if tree.tag[i]:
            p = parent[i]
            result[i] = p if chars[end[p]] - chars[p] > chars[end[i]] - chars[i] else result[p]
    return result


@dataclass(frozen=True, slots=True)
class Evidence:
    """The table, and what the second look needs of the page's shape."""

    matrix: Matrix
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
    shape = np.zeros((n, 17), dtype=np.float32)
    title_words = set(_words(hints.title))
    description = hints.description[:300].lower()
    description_words = set(_words(description))
    body_text = "\n".join(hints.bodies).lower()[:200_000]
    body_words = set(_words(body_text)) if body_text else set()
    word_table = lexicon.words
    seen: Counter[str] = Counter(blocks.text)
    heading_score = 0.0
    heading_age = 99.0
    heading_level = 0.0
    best_title, best_title_at = 0.3, -1
    tag = tree.tag
    for b, text in enumerate(blocks.text):
        row = shape[b]
        head = text[:400]
        size = len(head)
        row[0] = len(_PUNCTUATION.findall(head)) / max(1.0, min(words[b], 70.0))
        row[1] = 1.0 if _SENTENCE_END.search(head if size < 400 else text[-10:]) else 0.0
        row[2] = len(_DIGITS.findall(head)) / size
        row[3] = sum(map(str.isupper, head)) / size
        row[4] = 1.0 if head[0].isupper() else 0.0
        row[5] = 1.0 if _DATE.search(head) else 0.0
        row[6] = 1.0 if _MONEY.search(head) else 0.0
        row[7] = 1.0 if "©" in head or "copyright" in head.lower() else 0.0
        row[8] = len(_SEPARATOR.findall(head))
        row[9] = 1.0 if "?" in head else 0.0
        row[10] = min(seen[text], 9)
        found = _words(head)
        if found:
            if title_words:
                share = sum(w in title_words for w in found) / len(found)
                cover = share * min(1.0, len(found) / len(title_words))
                row[11] = cover
                if cover > best_title and (best_title_at < 0 or tag[blocks.owner[b]] == "h1"):
                    best_title, best_title_at = cover, b
            if description_words and len(found) > 3:
                row[12] = sum(w in description_words for w in found) / len(found)
            if body_words and len(found) > 3:
                row[13] = 1.0 if text[:60].lower() in body_text else sum(w in body_words for w in found) / len(found) / 2
            known = [word_table[w] for w in found[:25] if w in word_table]
            if known:
                row[14] = sum(known) / len(known)
                row[15] = min(known)
                row[16] = max(known)
    for j, name in enumerate(
        "punctuation sentence_end digits upper capital date money copyright separators question copies title_cover"
        " description_cover body_cover word_mean word_low word_high".split()
    ):
        add(name, shape[:, j])

    number, run = _copies(blocks, seen)
    add("copy_number", number)
    add("copied_run", run)
    function_share = measure(hints.language)
    add("function_words", np.array([function_share(text[:300]) for text in blocks.text], dtype=np.float32))

    # The headings above.
    ages = np.zeros((n, 4), dtype=np.float32)
    owner_tags = [tag[o] for o in blocks.owner]
    heading = np.full(n, -1, dtype=np.int64)
    latest = -1
    for b in range(n):
        name = owner_tags[b]
        heading[b] = latest
        if len(name) == 2 and name[0] == "h" and name[1].isdigit():
            heading_score, heading_age, heading_level = float(shape[b, 14]), 0.0, float(name[1])
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
    everywhere, near = _tag_masks(tree)
    bit_names = [""] * _TAG_COLUMNS
    for name, bit in TAG_BITS.items():
        bit_names[bit] = bit_names[bit] or name
    all_bits, near_bits = _unpack(everywhere, owner), _unpack(near, owner)
    for bit, name in enumerate(bit_names):
        add(f"in_{name}", all_bits[:, bit])
        add(f"near_{name}", near_bits[:, bit])
    own, low, high, total = _token_scores(tree, lexicon)
    score_of = np.array([own, low, high, total], dtype=np.float32)
    level = owner
    for step in range(4):
        add(f"tokens_{step}", score_of[0][level])
        level = parent[level]
    add("tokens_low", score_of[1][owner])
    add("tokens_high", score_of[2][owner])
    add("tokens_sum", score_of[3][owner])

    # Repetition of templates.
    repeated, _ = _repetition(tree)
    copies = np.array(repeated, dtype=np.float32)
    level = owner
    most = copies[owner]
    for step in range(5):
        add(f"siblings_{step}", np.log1p(copies[level]))
        most = np.maximum(most, copies[level])
        level = parent[level]
    add("siblings_most", np.log1p(most))
    signatures = [
        (tag[o], tree.cls[o], tree.cls[tree.parent[o]], tag[tree.parent[o]]) if o > 0 else ("", "", "", "") for o in blocks.owner
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
    wider = np.array(_wider(tree), dtype=np.int64)
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
        add(f"prose_density_{step}", (paragraph_sum[stop] - paragraph_sum[start]) / np.maximum(word_sum[stop] - word_sum[start], 1))
        if step:
            add(f"place_{step}", (np.arange(n) - start) / count)
        level = wider[level]

    # Neighbours.
    for offset in (-3, -2, -1, 1, 2, 3):
        add(f"words{offset:+d}", _shift(log_words, offset))
        add(f"links{offset:+d}", _shift(density, offset))
        add(f"owner{offset:+d}", _shift(codes, offset))
        if abs(offset) == 1:
            add(f"sentence{offset:+d}", _shift(shape[:, 1], offset))
            add(f"word_mean{offset:+d}", _shift(shape[:, 14], offset))
            add(f"same_parent{offset:+d}", (_shift(parent[owner].astype(np.float32), offset) == parent[owner]).astype(np.float32))
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
    page = page_features(tree, blocks, hints)
    for name, value in page.items():
        add(name, np.full(n, value, dtype=np.float32))
    matrix = np.column_stack(columns).astype(np.float32)
    return Evidence(matrix, tuple(names), words, starts, stops, group, heading, page)


_KIND_COLUMNS = (
    "link_density", "siblings_most", "log_chars", "in_table", "in_li", "in_article", "in_noscript", "money", "date", "sentence_end",
    "group_size", "question", "tokens_sum", "vote_semantic", "heading_age",
)  # fmt: skip


def kind_row(evidence: Evidence, chance: Any, leaning: Any) -> NDArray[np.float32]:
    """The features of the page's type: the page as a whole, its content as the first look sees it, and its names.

    ``leaning`` is what the page's names (:func:`kind_marks`) say about its type, a score per type.
    """
    words = evidence.words + 0.5
    mass = np.asarray(chance) * words
    total = float(mass.sum()) + 1e-6
    order = np.argsort(-np.asarray(chance), kind="stable")
    gain = 2 * np.cumsum(mass[order]) / (np.cumsum(words[order]) + total)
    column = {name: evidence.matrix[:, evidence.names.index(name)] for name in (*_KIND_COLUMNS, "owner")}
    row = list(evidence.page.values())
    row += [float(gain.max()), total / float(words.sum()), float(np.mean(np.asarray(chance) > 0.5)), float(np.log1p(total))]
    row += [float((column[name] * mass).sum() / total) for name in _KIND_COLUMNS]
    for low, high in ((1, 1), (2, 2), (3, 4), (5, 5), (6, 9), (10, 11), (13, 13)):
        row.append(float((((column["owner"] >= low) & (column["owner"] <= high)) * mass).sum() / total))
    return np.array([*row, *leaning], dtype=np.float32)


def context(evidence: Evidence, chance: Any, kind: Any) -> Matrix:
    """The second look: each block beside what the first look made of its surroundings.

    ``chance`` is the first look's probability per block, ``kind`` the page type's probabilities.
    """
    words = evidence.words + 0.5
    n = len(words)
    chance = np.asarray(chance, dtype=np.float32)
    mass = chance * words
    mass_sum = np.concatenate(([0.0], np.cumsum(mass)))
    word_sum = np.concatenate(([0.0], np.cumsum(words)))
    likely_sum = np.concatenate(([0.0], np.cumsum(chance > 0.5)))
    expected = float(mass_sum[-1])
    columns: list[Any] = [chance]
    for offset in (-3, -2, -1, 1, 2, 3):
        columns.append(_shift(chance, offset))
    for width in (5, 11, 25):
        half = width // 2
        low, high = np.maximum(np.arange(n) - half, 0), np.minimum(np.arange(n) + half + 1, n)
        columns.append((mass_sum[high] - mass_sum[low]) / (word_sum[high] - word_sum[low]))
        columns.append((likely_sum[high] - likely_sum[low]) / (high - low))
    for step in range(LEVELS):
        start, stop = evidence.start[:, step], np.maximum(evidence.stop[:, step], evidence.start[:, step] + 1)
        inside = mass_sum[stop] - mass_sum[start]
        size = word_sum[stop] - word_sum[start]
        columns.append(inside / size)
        columns.append((likely_sum[stop] - likely_sum[start]) / (stop - start))
        columns.append(2 * inside / (size + expected + 1e-6))
        columns.append(inside / (expected + 1e-6))
    # The container that would be the best answer if the answer had to be one container.
    score = np.stack([columns[-2 - 4 * (LEVELS - 1 - k)] for k in range(LEVELS)], axis=1)
    best_block, best_level = np.unravel_index(int(np.argmax(score)), score.shape)
    best_start, best_stop = evidence.start[best_block, best_level], evidence.stop[best_block, best_level]
    inside_best = np.zeros(n, dtype=np.float32)
    inside_best[best_start:best_stop] = 1.0
    columns.append(inside_best)
    columns.append(np.full(n, float(score.max()), dtype=np.float32))
    position = np.arange(n)
    columns.append(np.where(position < best_start, position - best_start, np.where(position >= best_stop, position - best_stop + 1, 0)))
    group_mass = np.bincount(evidence.group, weights=mass)
    group_words = np.bincount(evidence.group, weights=words)
    columns.append((group_mass / group_words)[evidence.group])
    # A heading belongs to what it heads: its section's mean, and for other blocks the heading's own chance.
    section = np.maximum(evidence.heading, -1) + 1
    section_mass = np.bincount(section, weights=mass, minlength=n + 1)
    section_words = np.bincount(section, weights=words, minlength=n + 1)
    headed = section_mass[1:] / np.maximum(section_words[1:], 0.5)
    columns.append(headed[:n])
    columns.append(np.where(evidence.heading >= 0, chance[evidence.heading], 0.5))
    order = np.argsort(-chance, kind="stable")
    gain = 2 * np.cumsum(mass[order]) / (np.cumsum(words[order]) + expected + 1e-6)
    columns.append(np.full(n, float(gain.max()), dtype=np.float32))
    columns.append(np.full(n, expected / float(word_sum[-1]), dtype=np.float32))
    columns.append(np.full(n, float(np.mean(chance > 0.5)), dtype=np.float32))
    columns.append(np.full(n, float((mass * (1 - chance)).sum() / (expected + 1e-6)), dtype=np.float32))
    for value in kind:
        columns.append(np.full(n, value, dtype=np.float32))
    return np.column_stack(columns).astype(np.float32)


def _copies(blocks: Blocks, seen: Mapping[str, int]) -> tuple[Matrix, Matrix]:
    """Which copy of its text a block is, and whether its neighbours are copies too: a whole region shown twice."""
    number = np.zeros(len(blocks), dtype=np.float32)
    copied = np.zeros(len(blocks), dtype=np.float32)
    counted: Counter[str] = Counter()
    for b, text in enumerate(blocks.text):
        number[b] = min(counted[text], 9)
        counted[text] += 1
        copied[b] = seen[text] > 1 and blocks.words[b] >= 4
    return number, _window(copied, 7)


def _shift(values: Any, offset: int) -> Any:
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


_URL_PART = re.compile(r"[a-z]{2,}")


def kind_marks(tree: Tree, hints: Hints) -> set[str]:
    """Names that tell page types apart: all class tokens, the body's own, parts of the URL, declared types."""
    marks = {token for names in set(tree.cls) if names for token in tokens_of(names)}
    marks.update(f"body:{token}" for token in tokens_of(f"{tree.cls[tree.body]} {tree.ident[tree.body]} {tree.cls[0]}"))
    marks.update(f"type:{name[:40]}" for name in hints.types)
    marks.update(f"url:{part}" for part in _URL_PART.findall(hints.url.lower()[:300]))
    return marks


_URL_MARKS = {
    "forum": re.compile(r"/(?:t|thread|threads|topic|forum|forums|viewtopic|showthread|questions|discussion|discussions|community|r|d)(?:[/.?-]|$)|^(?:forum|forums|community|discuss|discourse|talk)\."),
    "product": re.compile(r"/(?:product|products|p|dp|item|itm|shop|store|sku)(?:/|$)|\.html?\?.*(?:sku|pid)"),
    "collection": re.compile(r"/(?:collection|collections|category|categories|c|shop|cat|browse|catalog|plp|brand|sale)(?:/|$)"),
    "documentation": re.compile(r"/(?:docs?|documentation|reference|api|manual|guide|guides|wiki|help|learn|tutorials?|handbook|man)(?:/|$)|^(?:docs?|developer|developers|wiki|api|help|support|learn)\.|readthedocs|github\.io"),
    "article": re.compile(r"/(?:blog|news|article|articles|story|stories|post|posts|opinion|press|insights|magazine|politics|world|sport|sports)(?:/|$)|/\d{4}/\d{1,2}/|^(?:blog|news)\."),
    "listing": re.compile(r"/(?:tag|tags|topics|author|archive|archives|search|list|lists|best|top|rankings?|directory|jobs|events|latest|index)(?:/|$)|[?&](?:q|page|search)="),
    "service": re.compile(r"/(?:services?|solutions?|pricing|about|about-us|company|features?|platform|contact|industries|treatments?|locations?|careers|use-cases|software|enterprise)(?:/|$)"),
}  # fmt: skip


def page_features(tree: Tree, blocks: Blocks, hints: Hints) -> dict[str, float]:
    """What describes the page as a whole: for its type, and as background for each block."""
    words = np.array(blocks.words, dtype=np.float32)
    chars = max(1, tree.chars[-1])
    tags = Counter(tree.tag)
    parts = urlsplit(hints.url) if hints.url else urlsplit("")
    host = (parts.netloc or "").lower().removeprefix("www.")
    path = (parts.path or "").lower()
    where = f"{path}?{parts.query.lower()}" if parts.query else path
    segments = [s for s in path.split("/") if s]
    long_blocks = words >= 20
    features: dict[str, float] = {
        "page_blocks": float(np.log1p(len(blocks))),
        "page_words": float(np.log1p(words.sum())),
        "page_links": tree.links[-1] / chars,
        "page_prose": float(words[long_blocks].sum() / max(1.0, words.sum())),
        "page_prose_words": float(np.log1p(words[long_blocks].sum())),
        "page_long_blocks": float(np.log1p(long_blocks.sum())),
        "page_mean_words": float(words.mean()) if len(words) else 0.0,
        "page_h1": float(tags["h1"]),
        "page_h2": float(np.log1p(tags["h2"])),
        "page_h3": float(np.log1p(tags["h3"])),
        "page_p": float(np.log1p(tags["p"])),
        "page_li": float(np.log1p(tags["li"])),
        "page_img": float(np.log1p(tags["img"])),
        "page_article": float(np.log1p(tags["article"])),
        "page_section": float(np.log1p(tags["section"])),
        "page_pre": float(np.log1p(tags["pre"])),
        "page_code": float(np.log1p(tags["code"])),
        "page_table": float(np.log1p(tags["table"])),
        "page_tr": float(np.log1p(tags["tr"])),
        "page_time": float(np.log1p(tags["time"])),
        "page_form": float(np.log1p(tags["form"] + tags["input"])),
        "page_button": float(np.log1p(tags["button"])),
        "page_main": float(min(tags["main"], 3)),
        "page_blockquote": float(np.log1p(tags["blockquote"])),
        "page_money": float(np.log1p(sum(1 for t in blocks.text if len(t) < 40 and _MONEY.search(t)))),
        "page_questions": float(np.log1p(sum(1 for t in blocks.text if t.endswith("?")))),
        "page_date_blocks": float(np.log1p(sum(1 for t in blocks.text if len(t) < 40 and _DATE.search(t)))),
        "url_depth": float(len(segments)),
        "url_last_length": float(len(segments[-1])) if segments else 0.0,
        "url_last_hyphens": float(segments[-1].count("-")) if segments else 0.0,
        "url_digits": float(sum(c.isdigit() for c in path)),
        "url_home": 1.0 if not segments else 0.0,
        "title_words": float(len(hints.title.split())),
        "description_words": float(len(hints.description.split())),
        "bodies": float(np.log1p(sum(map(len, hints.bodies)))),
    }
    for name, pattern in _URL_MARKS.items():
        features[f"url_{name}"] = 1.0 if pattern.search(host if not where else where) or pattern.search(host) else 0.0
    for name in _TYPE_MARKS:
        features[f"type_{name}"] = 1.0 if any(name in t for t in hints.types) else 0.0
    features["framework_docs"] = 1.0 if hints.framework in _DOCS else 0.0
    features["framework_forum"] = 1.0 if hints.framework in _FORUMS else 0.0
    features["framework_shop"] = 1.0 if hints.framework in _SHOPS else 0.0
    return features


_TYPE_MARKS = (
    "article", "newsarticle", "blogposting", "product", "itemlist", "collectionpage", "discussion", "qapage", "faqpage", "website",
    "webpage", "organization", "localbusiness", "service", "breadcrumb", "techarticle", "offer", "review", "softwareapplication",
    "howto", "recipe", "person", "event", "jobposting", "searchaction", "aggregaterating",
)  # fmt: skip
_DOCS = frozenset({"docusaurus", "sphinx", "mkdocs", "mkdocs_material", "gitbook", "vitepress", "starlight", "nextra", "mdbook", "honkit", "readthedocs"})
_FORUMS = frozenset({"discourse", "phpbb", "vbulletin", "xenforo", "stackexchange"})
_SHOPS = frozenset({"shopify", "woocommerce", "magento"})
