"""The page as a whole, in numbers and names: for its type, and as background for each of its blocks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from math import log1p
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from duramen.find.hints import Hints
from duramen.lazy_pattern import lazy_pattern
from duramen.native import core
from duramen.tables import load
from duramen.tree import Tree

_URL_PART = lazy_pattern(r"[a-z]{2,}")


def body_marks(tree: Tree) -> list[str]:
    """The words inside the names that the page as a whole has."""
    names = f"{tree.cls[tree.body]} {tree.ident[tree.body]} {tree.cls[0]}"
    return [f"body:{word}" for word in core.name_words(names)]


def declared_marks(hints: Hints) -> list[str]:
    """Parts of the URL, declared types."""
    marks = [f"type:{name[:40]}" for name in hints.types]
    marks += [f"url:{part}" for part in _URL_PART.findall(hints.url.lower()[:300])]
    return marks


_BRIEF, _LABEL = 4, 40
"""Words of a block that may be a button or a label, and the characters of one that is taken whole."""
_WORD = lazy_pattern(r"\w+")


def spoken_marks(tree: Tree, title: str) -> list[str]:
    """What short blocks say, whole and word by word, and the words of the title; some perhaps twice.

    Shops say "Add to cart", forums "Reply", companies "Request a demo". Numbers are all one.
    """
    said = tree.core.spoken(_BRIEF, _LABEL, "says:", "word:")
    return said + [f"title:{word}" for word in _WORD.findall(title.lower())]


class _UrlMarks(NamedTuple):
    """A row of ``kinds.toml``."""

    steps: frozenset[str]
    hosts: frozenset[str]
    anywhere: tuple[re.Pattern[str], ...]


@cache
def _kinds() -> tuple[Mapping[str, _UrlMarks], Mapping[str, str], Mapping[str, frozenset[str]]]:
    """URL marks, declared types and groups of frameworks, by the feature that they are."""
    data = load("kinds.toml")
    marks = {
        f"url_{row['id']}": _UrlMarks(
            frozenset(row.get("steps", ())),
            frozenset(row.get("hosts", ())),
            tuple(lazy_pattern(pattern) for pattern in row.get("anywhere", ())),
        )
        for row in data["row"]
    }
    types = {f"type_{name}": name for name in data["types"]}
    return marks, types, {f"framework_{name}": frozenset(ids) for name, ids in data["frameworks"].items()}


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")


def page_features(
    tree: Tree, words: Sequence[int], hints: Hints, questions: int, prices: int, dates: int
) -> dict[str, float]:
    """What describes the page as a whole: for its type, and as background for each block.

    ``words`` are those of each block. The last three are how many blocks end in a question mark, and how many short
    ones have a sum of money or a date.
    """
    tags = tree.tag_counts()
    long_blocks = [count for count in words if count >= _LONG]
    counts = len(words), *(tags.get(tag, 0) for tag in _COUNTED), sum(words), sum(long_blocks), len(long_blocks)
    return _features(counts, tree.links[-1] / max(1, tree.chars[-1]), hints, questions, prices, dates)


def feature_names() -> tuple[str, ...]:
    """The names of :func:`page_features`, in their order."""
    return tuple(_features([0] * (len(_COUNTED) + 4), 0.0, Hints(), 0, 0, 0))


def _features(
    counts: Sequence[int], links: float, hints: Hints, questions: int, prices: int, dates: int
) -> dict[str, float]:
    """``counts`` are of blocks, of the tags that count, of words, of words in long blocks, and of long blocks."""
    blocks, *of_tags, words, prose, long_blocks = counts
    tags = dict(zip(_COUNTED, of_tags, strict=True))
    parts = _split(hints.url)
    host = (parts.netloc or "").lower().removeprefix("www.")
    path = (parts.path or "").lower()
    where = f"{path}?{parts.query.lower()}" if parts.query else path
    segments = [s for s in path.split("/") if s]
    features: dict[str, float] = {
        "page_blocks": log1p(blocks),
        "page_words": log1p(words),
        "page_links": links,
        "page_prose": prose / max(1.0, words),
        "page_prose_words": log1p(prose),
        "page_long_blocks": log1p(long_blocks),
        "page_mean_words": words / blocks if blocks else 0.0,
        "page_h1": float(tags["h1"]),
        "page_h2": log1p(tags["h2"]),
        "page_h3": log1p(tags["h3"]),
        "page_p": log1p(tags["p"]),
        "page_li": log1p(tags["li"]),
        "page_img": log1p(tags["img"]),
        "page_article": log1p(tags["article"]),
        "page_section": log1p(tags["section"]),
        "page_pre": log1p(tags["pre"]),
        "page_code": log1p(tags["code"]),
        "page_table": log1p(tags["table"]),
        "page_tr": log1p(tags["tr"]),
        "page_time": log1p(tags["time"]),
        "page_form": log1p(tags["form"] + tags["input"]),
        "page_button": log1p(tags["button"]),
        "page_main": float(min(tags["main"], 3)),
        "page_blockquote": log1p(tags["blockquote"]),
        "page_money": log1p(prices),
        "page_questions": log1p(questions),
        "page_date_blocks": log1p(dates),
        "url_depth": float(len(segments)),
        "url_last_length": float(len(segments[-1])) if segments else 0.0,
        "url_last_hyphens": float(segments[-1].count("-")) if segments else 0.0,
        "url_digits": float(sum(map(path.count, _DIGITS) if path.isascii() else map(str.isdigit, path))),
        "url_home": 1.0 if not segments else 0.0,
        "title_words": float(len(hints.title.split())),
        "description_words": float(len(hints.description.split())),
        "bodies": log1p(sum(map(len, hints.bodies))),
    }
    marks, types, frameworks = _kinds()
    labels = host.split(".")
    for feature, mark in marks.items():
        found = not (mark.steps.isdisjoint(segments) and mark.hosts.isdisjoint(labels))
        if not found and mark.anywhere:
            found = any(p.search(where) for p in mark.anywhere)
        features[feature] = 1.0 if found else 0.0
    declared = "\n".join(hints.types)
    for feature, name in types.items():
        features[feature] = 1.0 if name in declared else 0.0
    for feature, ids in frameworks.items():
        features[feature] = 1.0 if hints.framework in ids else 0.0
    return features


_COUNTED = (
    "h1", "h2", "h3", "p", "li", "img", "article", "section", "pre", "code", "table", "tr", "time", "form", "input",
    "button", "main", "blockquote",
)  # fmt: skip
_LONG = 20
"""Words of a block of prose."""
_DIGITS = "0123456789"
