"""Everything the judge knows about each text block, as one table: a row a column's name, an entry a block.

The compiled core measures; this module says what is measured. Its lists of names are the contract between the code and
a trained model: a model file holds the names it was trained with, and is refused if they are not these. The same
function serves training and use, so that a model never meets a number that was computed differently.

To add a column for blocks: compute it in a function of ``src/native/evidence.c`` (or in ``wording.c``, if the text
alone decides it), add its name at the same place in :data:`MEASURES` (or :data:`WORDING`) and its words in
``data/evidence.toml``, and train again. To add one for the page as a whole: ``page_marks.py``, then train again.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from functools import cache
from math import log1p
from struct import pack
from typing import NamedTuple

from duramen.blocks import Blocks
from duramen.find.classical.containers import containers
from duramen.find.classical.mce import mce_container
from duramen.find.hints import BALLOTS, CONTAINERS, KINDS, VOTES, Hints, Lexicon
from duramen.find.lineage import hidden_nodes, stated_bits
from duramen.find.page_marks import feature_names, page_features
from duramen.function_words import listed_words, measure
from duramen.native import core
from duramen.tree import Tree

LEVELS = 6
"""How many containers around a block are measured; each holds more text than the one before."""

TAG_GROUPS = (
    "nav", "header", "footer", "aside", "main", "article", "form", "ul ol menu dir", "li", "table", "figure",
    "figcaption", "blockquote", "pre code", "dl dd dt", "noscript", "details summary", "dialog", "#hidden",
)  # fmt: skip
"""Tags whose presence among a block's ancestors is a column each; ``#hidden`` is any element that is not shown."""

OWNERS = (
    "p", "li", "td", "th", "div", "h1", "h2", "h3", "h4 h5 h6", "dt", "dd", "blockquote", "pre", "figcaption",
    "label legend", "section article main", "header footer nav aside", "summary", "noscript template", "caption",
    "form fieldset", "body",
)  # fmt: skip
"""The values of the column ``owner``, from 1 on; 0 is any other tag. Paragraphs are 1."""

# What is counted of a text

CHARACTERS = {
    "punctuation": ".,;:!?。，、；：！？،؛؟।",
    "separators": "|»›·•→←",
    "money": "$€£¥₹",
    "date": "年",
    "copyright": "©",
    "question": "?",
    "capitals": "".join(map(chr, (*range(0x41, 0x5B), *range(0xC0, 0xDF), *range(0x391, 0x3AA), *range(0x410, 0x430)))),
    "ending": ".!?。！？؟।…",
    "closing": "\"'”’)]»",
}
"""In the order of the core's classes; ``ending`` ends a sentence, ``closing`` may follow it."""
TERMS = {"ago": 1, "USD": 2, "EUR": 2, "GBP": 2}
"""Words, as they are written, that make a date (1) and a sum of money (2)."""
NOTICE = "copyright"

# The columns

WORDING = (
    "punctuation", "sentence_end", "digits", "upper", "capital", "date", "money", "copyright", "separators",
    "question", "copies", "title_cover", "description_cover", "body_cover", "word_mean", "word_low", "word_high",
    "function_words",
)  # fmt: skip
"""What the text of a block says by itself, in the order of ``wording.c``."""

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
"""What is measured of each block and of what is around it, in the order of ``evidence.c``."""

_VOTERS = (*VOTES, *BALLOTS, *CONTAINERS)

PAGE = (
    "page_blocks", "page_words", "page_links", "page_prose", "page_prose_words", "page_long_blocks", "page_mean_words",
    "page_h2", "page_h3", "page_p", "page_li", "page_img", "page_article", "page_section", "page_time", "page_form",
    "page_button", "page_main", "page_money", "page_questions", "page_date_blocks", "url_last_length",
    "url_last_hyphens", "title_words", "description_words", "bodies", "type_article",
)  # fmt: skip
"""What of the page as a whole is repeated for each of its blocks; the page's type is read from all of it."""

NAMES = (*MEASURES, *(f"vote_{name}" for name in _VOTERS), *PAGE)
"""The columns of the first pass."""

SECOND = (
    "words", "link_density", "copies", "copied_run", "title_cover", "description_cover", "body_cover", "word_mean",
    "heading_words", "heading_age", "after_title", "owner", "depth", "in_footer", "in_nav", "in_aside", "in_dl",
    "tokens_0", "tokens_low", "tokens_high", "siblings_0", "siblings_3", "siblings_most", "group_share", "group_size",
    "words_before_log", "index_from_end", "links_5", "mean_words_5", "vote_semantic", "vote_density",
    "vote_readability", "vote_stopwords", "page_words",
    "page_links", "page_prose_words", "page_mean_words", "page_p", "page_li", "page_h2", "page_article", "page_form",
    "page_money", "page_date_blocks",
)  # fmt: skip
"""What the second pass sees of the first pass's columns, beside the first pass's opinion."""

CONTEXT = (
    "probability",
    *(f"probability{offset:+d}" for offset in (-3, -2, -1, 1, 2, 3)),
    *(f"{name}_{width}" for width in (5, 11, 25) for name in ("near_probability", "near_likely")),
    *(
        f"{name}_{level}"
        for level in range(LEVELS)
        for name in ("inside_probability", "inside_likely", "inside_f1", "inside_share")
    ),
    "in_best", "best_f1", "best_distance", "group_probability", "headed_probability", "heading_probability", "page_f1",
    "page_probability", "page_likely", "page_doubt",
    *(f"kind_{kind}" for kind in KINDS),
)  # fmt: skip
"""The first pass's opinion of a block, its neighbours, containers, template and heading; in the order of judge.c."""

_MEANS = (
    "link_density", "siblings_most", "log_chars", "in_table", "in_li", "in_article", "in_noscript", "money", "date",
    "sentence_end", "group_size", "question", "tokens_sum", "vote_semantic", "heading_age",
)  # fmt: skip
_OWNED = {
    "p": (1, 1),
    "li": (2, 2),
    "cell": (3, 4),
    "div": (5, 5),
    "heading": (6, 9),
    "term": (10, 11),
    "pre": (13, 13),
}
"""Groups of owners by their lowest and highest code."""
CONTENT = (
    "content_f1", "content_share", "content_blocks", "content_words",
    *(f"mean_{name}" for name in _MEANS), *(f"owned_{name}" for name in _OWNED),
)  # fmt: skip
"""What is summed up of the blocks that a pass takes for content."""

PRIORS = ("prior", "spoken")
"""What a page's names say about its type, and what its short texts say."""

_TRUST = ("f1", "precision", "recall", "kept_share", "kept_words", "kept_blocks", "sure", "sure_kept")


@cache
def columns() -> Mapping[str, tuple[str, ...]]:
    """The names of the columns of each forest of a model."""
    page = feature_names()
    return {
        "first": NAMES,
        "kind": (*page, *CONTENT, *(f"{by}_{kind}" for by in PRIORS for kind in KINDS)),
        "second": (*SECOND, *CONTEXT),
        "trust": (*_TRUST, *(f"kind_{kind}" for kind in KINDS), *page, *CONTENT),
    }


class Evidence(NamedTuple):
    """The table, and what the second pass needs of the page's shape; buffers that only the core reads and writes."""

    blocks: int
    table: bytearray
    """float32: the entries of :data:`NAMES`, name by name."""
    places: bytearray
    """int32: by level and block the first block of the container at that level, then the one after its last; by block
    the number of its template, and the heading it is under, -1 before the first."""
    page: Mapping[str, float]
    """What describes the page as a whole."""


def column(table: bytearray, names: Sequence[str], name: str) -> memoryview[float]:
    """The entries of one column of a table with these names."""
    entries = memoryview(table).cast("f")
    size, at = len(entries) // len(names), names.index(name)
    return entries[at * size : (at + 1) * size]


_WORDING_AT = MEASURES.index(WORDING[0])
_WORD_MEAN_AT = MEASURES.index("word_mean")
_TAG_BITS = {name: 1 << bit for bit, names in enumerate(TAG_GROUPS) for name in names.split()}
_OWNER_CODES = {name: code for code, names in enumerate(OWNERS, start=1) for name in names.split()}
_ROLES: Mapping[str, str] = {
    "navigation": "nav", "banner": "header", "contentinfo": "footer", "complementary": "aside", "main": "main",
    "article": "article", "dialog": "dialog", "alertdialog": "dialog", "form": "form", "list": "ul", "listitem": "li",
}  # fmt: skip
"""Roles that stand for a tag."""
_ROLE_BITS = {role: _TAG_BITS[tag] for role, tag in _ROLES.items()}


def table(tree: Tree, blocks: Blocks, hints: Hints, lexicon: Lexicon) -> Evidence:
    """The evidence on every block of a page; there has to be one."""
    n = len(blocks)
    rows = bytearray(4 * len(NAMES) * n)
    places = bytearray(4 * (2 * LEVELS + 2) * n)
    hidden = hidden_nodes(tree)
    texts = hints.title.lower(), hints.description[:300].lower(), "\n".join(hints.bodies).lower()[:200_000]
    title_at, questions, prices, dates = tree.core.wording(
        rows, _WORDING_AT, len(WORDING), *texts, lexicon.words, tuple(CHARACTERS.values()), _terms(), NOTICE,
        _listed(hints.language), measure(hints.language),
    )  # fmt: skip
    tree.core.measure_blocks(
        rows, len(MEASURES), places, len(WORDING), _WORD_MEAN_AT, title_at, lexicon.tokens, _TAG_BITS, len(TAG_GROUPS),
        stated_bits(tree, _ROLE_BITS, hidden, _TAG_BITS["#hidden"]), _OWNER_CODES,
    )  # fmt: skip
    chosen = mce_container(tree), *containers(tree, column(rows, NAMES, "function_words"), hidden)
    votes = {**hints.votes, **{name: (node,) for name, node in zip(CONTAINERS, chosen, strict=True) if node >= 0}}
    page = page_features(tree, blocks.words, hints, questions, prices, dates)
    _add_votes(memoryview(rows).cast("f")[len(MEASURES) * n :], tree, n, hints.ballots, votes)
    rows[-4 * len(PAGE) * n :] = b"".join([pack("f", page[name]) * n for name in PAGE])
    return Evidence(n, rows, places, page)


def _add_votes(
    to: memoryview[float],
    tree: Tree,
    n: int,
    ballots: Mapping[str, Sequence[bool]],
    votes: Mapping[str, Sequence[int]],
) -> None:
    """A row for each voter: the blocks of its ballot and those inside the nodes it votes for."""
    for k, name in enumerate(_VOTERS):
        row = to[k * n : (k + 1) * n]
        if ballot := ballots.get(name):
            row[:] = array("f", ballot)
        for node in votes.get(name, ()):
            start, stop = tree.core.range_of(node)
            row[start:stop] = array("f", [1.0]) * (stop - start)


@cache
def _terms() -> core.Lookup:
    return core.Lookup(TERMS)


@cache
def _listed(language: str) -> core.Lookup | None:
    """The function words of a language; None where words are not what is counted."""
    words = listed_words(language)
    return core.Lookup(dict.fromkeys(words, 1.0)) if words is not None else None


_AGAIN = tuple(NAMES.index(name) for name in SECOND)
_SUMMED = (tuple(NAMES.index(name) for name in _MEANS), NAMES.index("owner"), tuple(_OWNED.values()))


def second_table(evidence: Evidence, first: array[float], kinds: Sequence[float]) -> bytearray:
    """The columns of the second pass, given the first's probabilities and those of the page types."""
    rows = bytearray(4 * (len(SECOND) + len(CONTEXT)) * evidence.blocks)
    core.context(rows, evidence.table, _AGAIN, first, array("d", kinds), evidence.places)
    return rows


def kind_row(evidence: Evidence, first: array[float], prior: Sequence[float]) -> array[float]:
    """The columns of the page's type: the page as a whole, its content as the first pass sees it, and its names."""
    sums = core.content_sums(evidence.table, first, *_SUMMED)
    return array("f", (*evidence.page.values(), *sums, *prior))


def trust_row(
    evidence: Evidence, probabilities: Sequence[float], kinds: Sequence[float], kept: list[int]
) -> array[float]:
    """The columns of the predicted F1: how sure the judge was of what it kept and dropped, the type, the page."""
    *sums, words, total, sure, size, right, sure_kept = core.content_sums(
        evidence.table, array("d", probabilities), *_SUMMED, kept
    )
    own = (
        2 * right / (size + total + 1e-6),
        right / (size + 1e-6),
        right / (total + 1e-6),
        size / words,
        log1p(size),
        len(kept),
        sure / words,
        sure_kept / (size + 1e-6),
    )
    return array("f", (*own, *kinds, *evidence.page.values(), *sums))
