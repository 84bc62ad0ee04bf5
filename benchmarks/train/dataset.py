"""Pages, labels and evidence for training, read through the engine itself."""

from __future__ import annotations

import gzip
import json
import math
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from benchmarks.corpora import corpus_folder
from duramen.find.density import best_container
from duramen.find.finder import TIERS
from duramen.find.hints import Hints, Lexicon
from duramen.find.judge import hints_of
from duramen.find.page_marks import body_marks, declared_marks
from duramen.find.removals import mark_removals
from duramen.native import core
from duramen.options import Options
from duramen.page import Page
from duramen.read.decode import decode
from duramen.read.reader import read_page
from duramen.render.text import render_text
from duramen.tree import Tree

from .labels import label_blocks, words

FOLDS = 5
_SECOND_LEVEL = frozenset({"co", "com", "org", "net", "gov", "ac", "edu", "or", "ne"})


@dataclass(frozen=True)
class Source:
    """One annotated page."""

    corpus: str
    record: Mapping[str, Any]
    path: Path

    @property
    def url(self) -> str | None:
        return self.record.get("url")

    @property
    def domain(self) -> str:
        """What keeps pages of one site together; test pages without a true address are sites of their own."""
        domain = domain_of(self.url)
        return domain if "." in domain else f"{self.record['id']}.{domain}"

    @property
    def fold(self) -> int:
        return fold_of(self.domain)


def domain_of(url: str | None) -> str:
    """The registrable domain, near enough: two labels, three below a country's second level."""
    labels = (urlsplit(url or "").hostname or "").lower().split(".")
    keep = 3 if len(labels) > 2 and labels[-2] in _SECOND_LEVEL and len(labels[-1]) == 2 else 2
    return ".".join(labels[-keep:])


def fold_of(domain: str) -> int:
    """Pages of one domain are always in one fold."""
    return zlib.crc32(domain.encode()) % FOLDS


def sources(shared: Path, corpus: str) -> Iterator[Source]:
    folder = corpus_folder(shared, corpus)
    with (folder / "truth.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            yield Source(corpus, record, folder / "html" / f"{record['id']}.html.gz")


WITHOUT_URL = 0.3
"""Share of the pages that are read as if their address were unknown, since callers do not always know it."""


def read(source: Source) -> tuple[Page, Hints]:
    """The page as the engine reads it, and what the tiers say about it."""
    text, _ = decode(gzip.decompress(source.path.read_bytes()))
    known = zlib.crc32(f"url {source.record['id']}".encode()) % 100 >= 100 * WITHOUT_URL
    page = read_page(text, source.url if known else None, Options())
    removed = page.blocks_in([m.node for m in mark_removals(page.tree) if not m.rescued])
    container = best_container(page, removed)
    proposals = [candidate for tier in TIERS for candidate in tier(page)]
    return page, hints_of(page, proposals, container)


def labels_of(page: Page, record: Mapping[str, Any]) -> NDArray[np.float32] | None:
    """Per block the share that is content; NaN where the annotators said nothing; None without any annotation."""
    texts = page.blocks.text
    if record.get("text"):
        return np.array(label_blocks(texts, record["text"]), dtype=np.float32)
    if record.get("html_truth"):
        return np.array(label_blocks(texts, render_text(record["html_truth"])), dtype=np.float32)
    labels = np.full(len(texts), np.nan, dtype=np.float32)
    for value, key in ((1.0, "with"), (0.0, "without")):
        for snippet in record.get(key, ()):
            folded = " ".join(snippet.split())
            labels[[b for b, text in enumerate(texts) if folded in text]] = value
    return None if np.isnan(labels).all() else labels


@dataclass(frozen=True)
class Counts:
    """How a page's class tokens and words divide between content and the rest."""

    domain: str
    prior: float
    short_prior: float
    tokens: Mapping[str, float]
    words: Mapping[str, float]


SHORT = 25


def counts_of(page: Page, labels: NDArray[np.float32], domain: str) -> Counts:
    tree, blocks = page.tree, page.blocks
    weight = np.array(blocks.words, dtype=float) + 0.5
    tokens: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    spoken: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    known = [b for b in range(len(blocks)) if not np.isnan(labels[b])]
    short = [b for b in known if blocks.words[b] <= SHORT]
    for b in known:
        owner = blocks.owner[b]
        seen: set[str] = set()
        i = owner
        while i > tree.body:
            seen.update(core.name_words(tree.core.label(i)))
            i = tree.parent[i]
        for token in seen:
            tokens[token][0] += float(labels[b]) * weight[b]
            tokens[token][1] += weight[b]
    for b in short:
        for word in set(words(blocks.text[b])):
            spoken[word][0] += float(labels[b])
            spoken[word][1] += 1
    return Counts(
        domain,
        _clip(float((labels[known] * weight[known]).sum() / weight[known].sum())),
        _clip(float(labels[short].mean())) if short else 0.5,
        {t: a / b for t, (a, b) in tokens.items()},
        {w: a / b for w, (a, b) in spoken.items()},
    )


def _clip(share: float) -> float:
    return min(max(share, 0.02), 0.98)


def page_marks(tree: Tree, hints: Hints) -> set[str]:
    """Names that tell page types apart: all class tokens, the body's own, parts of the URL, declared types."""
    marks = {word for names in tree.classes() for word in core.name_words(names)}
    marks.update(body_marks(tree), declared_marks(hints))
    return marks


@dataclass(frozen=True)
class LearnedWords:
    """The log-odds of class tokens and of words."""

    tokens: Mapping[str, float]
    words: Mapping[str, float]

    @cached_property
    def lexicon(self) -> Lexicon:
        return Lexicon(core.Lookup(dict(self.tokens)), core.Lookup(dict(self.words)))


def learn_lexicon(pages: Iterable[Counts], smoothing: float = 3.0, min_domains: int = 5) -> LearnedWords:
    """Log-odds of content beyond the page's own rate; a token or word must occur on several domains."""
    pages = list(pages)

    def table(pairs: Iterable[tuple[str, float, Mapping[str, float]]]) -> dict[str, float]:
        seen, rest = Counter[str](), Counter[str]()
        seen_expected, rest_expected = Counter[str](), Counter[str]()
        domains: dict[str, set[str]] = defaultdict(set)
        for domain, prior, shares in pairs:
            for name, share in shares.items():
                seen[name] += share  # type: ignore[assignment]
                rest[name] += 1 - share  # type: ignore[assignment]
                seen_expected[name] += prior  # type: ignore[assignment]
                rest_expected[name] += 1 - prior  # type: ignore[assignment]
                domains[name].add(domain)
        return {
            name: round(
                math.log((seen[name] + smoothing) / (seen_expected[name] + smoothing))
                - math.log((rest[name] + smoothing) / (rest_expected[name] + smoothing)),
                3,
            )
            for name in sorted(seen)
            if len(domains[name]) >= min_domains
        }

    return LearnedWords(
        table((p.domain, p.prior, p.tokens) for p in pages),
        table((p.domain, p.short_prior, p.words) for p in pages),
    )
