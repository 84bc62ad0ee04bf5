"""The judge: a chance for every block, the page's type, and the choice with the best expected F1.

Two looks at the evidence table. The first judges each block by itself; from it the page's type is read. The second sees
each block beside what the first made of its surroundings, so that containers and blocks correct each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from math import exp, log, log1p
from operator import mul
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from duramen.blocks import Blocks
from duramen.find.classical import STRATEGIES
from duramen.find.classical.boilerpipe import content_blocks
from duramen.find.context import CONTENT, CONTEXT, _content_sums, fill_context, kind_row
from duramen.find.evidence import NAMES, Evidence, table
from duramen.find.forest import Forest
from duramen.find.grounds import changed, grounds
from duramen.find.hints import KINDS, Hints, Lexicon
from duramen.find.language import page_language
from duramen.find.page_marks import body_names, declared_marks, kind_marks
from duramen.find.page_type import settle_page_type
from duramen.find.structures import settle_structures
from duramen.model import Candidate, Ground, PageKind, PageType
from duramen.native import core
from duramen.options import Mode
from duramen.page import Page
from duramen.tree import Tree


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the judge made of a page."""

    chances: list[float]
    kind: PageKind
    judge: str
    """``learned`` or ``density``."""
    predict: Callable[[Sequence[int]], float]
    """The F1 to be expected of keeping these blocks."""
    grounds: Callable[[], list[tuple[Ground, ...]]] = list
    """Per block the evidence for and against it; worked out when called. Nothing where nothing was learned."""


@dataclass(frozen=True)
class Model:
    """The learned part: word lists and four forests."""

    lexicon: Lexicon
    leanings: Mapping[str, int]
    """The row of each name in ``leaning_weights``."""
    leaning_weights: NDArray[np.float32]
    """What a name says for each page type; the first row is what holds without any."""
    first: Forest
    kind: Forest
    second: Forest
    trust: Forest

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Model:
        lexicon = Lexicon(*(_scores(arrays, name) for name in ("tokens", "words")))
        leanings = {name: row for row, name in enumerate(str(arrays["leanings"]).split("\n"), start=1)}
        forests = (Forest(arrays, name) for name in ("first", "kind", "second", "trust"))
        return cls(lexicon, leanings, arrays["leaning_weights"].astype(np.float32), *forests)

    def leaning(self, tree: Tree, hints: Hints) -> NDArray[np.float32]:
        """What a page's names say about its type."""
        if tree.core is None:
            known = filter(None, map(self.leanings.get, kind_marks(tree, hints)))
            # In the order of the rows: a sum of floats depends on its order, and that of a set is chance.
            return self.leaning_weights[[0, *sorted(known)]].sum(axis=0)  # type: ignore[no-any-return]
        rows = [0, *filter(None, map(self.leanings.get, declared_marks(hints)))]
        found = np.empty(self.leaning_weights.shape[1], dtype=np.float32)
        tree.core.leaning(self._leaning_lookup, self.leaning_weights, rows, body_names(tree), found)
        return found

    @cached_property
    def _leaning_lookup(self) -> Any:
        return core.Lookup(dict(self.leanings))


def _scores(arrays: Mapping[str, NDArray[Any]], name: str) -> dict[str, float]:
    return dict(zip(str(arrays[name]).split("\n"), arrays[f"{name}_odds"].tolist(), strict=True))


@cache
def shipped_model() -> Model:
    """The model that comes with Duramen, loaded once."""
    with (
        resources.as_file(resources.files("duramen") / "data" / "model" / "judge.npz") as path,
        np.load(path) as arrays,
    ):
        return Model.from_arrays(arrays)


def hints_of(page: Page, proposals: Sequence[Candidate], container: int | None) -> Hints:
    """What the page says about itself, and what the tiers proposed, as evidence."""
    types = {value.lower() for value in page.structured.meta.get("og:type", ())}
    for item in page.structured.json_ld:
        found = item.get("@type")
        types.update(str(t).lower() for t in (found if isinstance(found, list) else [found]) if t)
    votes: dict[str, tuple[int, ...]] = {}
    for candidate in proposals:
        if candidate.nodes:
            votes.setdefault(candidate.tier, candidate.nodes)
    if container is not None:
        votes["density"] = (container,)
    return Hints(
        page.metadata.title or "",
        page.metadata.description or "",
        tuple(body for _, body in page.structured.bodies[:5]),
        page.url or "",
        frozenset(types),
        page.framework.id if page.framework else "",
        page_language(page),
        votes,
        {"boilerpipe": content_blocks(page), "mce": STRATEGIES["mce"](page)},
    )


def judge_blocks(page: Page, hints: Hints, model: Model) -> Judgement:
    """Both looks."""
    leaning = model.leaning(page.tree, hints)
    if not len(page.blocks):
        # Names and the address are all that an empty shell has.
        return Judgement([], _page_kind(_softmax(leaning.tolist())), "learned", lambda _: 0.0)
    evidence = table(page.tree, page.blocks, hints, model.lexicon)
    look = _both_looks if core is None else _looks_by_core
    looks, kinds, seen = look(evidence, leaning, model)
    copied = settle_copies(looks, page.blocks.words, _repeated(page, evidence))
    stricter = _lowered(copied, sum(map(mul, kinds.tolist(), _STRICTNESS)), seen[_IN_BEST])
    chances = settle_structures(stricter, page)

    def predict(kept: Sequence[int]) -> float:
        row = trust_row(evidence, chances, kinds, kept)
        return min(1.0, max(0.0, float(model.trust.score_one(row)[0])))

    def why() -> list[tuple[Ground, ...]]:
        told = grounds([(model.first, evidence.names, evidence.columns), (model.second, (*SECOND, *CONTEXT), seen)])
        told = changed(changed(told, "copy", looks, copied), "strict", copied, stricter)
        return changed(told, "structure", stricter, chances)

    kind = settle_page_type(page, chances, _page_kind(kinds), float(kinds[KINDS.index("article")]))
    return Judgement(chances, kind, "learned", predict, why)


class _Looks(NamedTuple):
    chances: NDArray[np.float64]
    kinds: NDArray[np.float64]
    seen: NDArray[np.float32]
    """What the second look saw."""


def _both_looks(evidence: Evidence, leaning: NDArray[np.float32], model: Model) -> _Looks:
    first = _sigmoid(model.first.scores(evidence.columns)[:, 0])
    kinds = _softmax(model.kind.score_one(kind_row(evidence, first, leaning.tolist())))
    seen = second_look(evidence, first, kinds)
    return _Looks(_between(first, _sigmoid(model.second.scores(seen)[:, 0])), kinds, seen)


def _looks_by_core(evidence: Evidence, leaning: NDArray[np.float32], model: Model) -> _Looks:
    n = len(evidence.words)
    found = _Looks(np.empty(n), np.empty(len(KINDS)), np.empty((len(SECOND) + len(CONTEXT), n), dtype=np.float32))
    core.looks(
        model.first.core, model.kind.core, model.second.core, evidence.columns, evidence.page, leaning, *CONTENT,
        _SECOND_ROWS, evidence.start, evidence.stop, evidence.group, evidence.heading, found.seen, found.kinds,
        found.chances,
    )  # fmt: skip
    return found


def _page_kind(kinds: NDArray[np.float64]) -> PageKind:
    best = int(kinds.argmax())
    return PageKind(KINDS[best], round(float(kinds[best]), 3))


_STRICT: Mapping[PageType, float] = {"article": 0.6, "forum": 0.8, "product": 1.0}
_STRICTNESS = [_STRICT.get(kind, 0.0) for kind in KINDS]
"""By how much, in log-odds, the chances of blocks outside the best single container are lowered, by page type.

Blocks of a page are right or wrong together, which the expected F1 of a choice knows nothing of. Where what is doubtful
comes in long runs outside the content (comments, teasers, reviews), being stricter pays; where the content is many
containers, as on a listing or a service page, it does not. Swept on out-of-fold word F1 of wcxb-dev.
"""
_INSIDE = 0.4
"""How much of that holds inside the container: more costs headings and code, less leaves captions and teasers in."""


COPY_WORDS = 4
_COPY_ALONE = 20
"""A text shown twice counts as one copy too many if its neighbours are copies as well, or if it is this long."""


def _repeated(page: Page, evidence: Evidence) -> list[list[int]]:
    if page.tree.core is not None:
        return page.tree.core.repeated(COPY_WORDS)  # type: ignore[no-any-return]
    return repeated(page.blocks, page.tree.parent, evidence.columns[COPIES])


def settle_copies(chances: NDArray[Any], words: Sequence[int], repeated: Sequence[Sequence[int]]) -> NDArray[Any]:
    """Keep a text that the page shows in several places (for phones, for printing) as often as expected, not more.

    The likeliest copy gets the chances of all, so that no text is kept twice for being half likely each time.
    """
    if not repeated:
        return chances
    copied = {b for members in repeated for b in members}
    given: dict[int, float] = {b: chances.item(b) for b in copied}
    settled = chances.copy()
    for members in repeated:
        several = [b for b in members if words[b] >= _COPY_ALONE or b - 1 in copied or b + 1 in copied]
        if len(several) > 1:
            left = sum([given[b] for b in several])
            for b in sorted(several, key=given.__getitem__, reverse=True):
                settled[b] = min(0.99, max(0.0, left))
                left -= 1
    return settled


def repeated(blocks: Blocks, parent: Sequence[int], copies: NDArray[Any], least: int = COPY_WORDS) -> list[list[int]]:
    """The blocks of each text of so many words that stands in several places, given how often the page has each text.

    Repetition within one container is the author's own.
    """
    groups: dict[str, list[int]] = {}
    for b in (copies > 1).nonzero()[0].tolist():
        if blocks.words[b] >= least:
            groups.setdefault(blocks.text[b], []).append(b)
    return [
        members
        for members in groups.values()
        if len(members) > 1 and len({parent[blocks.owner[b]] for b in members}) == len(members)
    ]


SECOND = (
    "words", "link_density", "copies", "copied_run", "title_cover", "description_cover", "body_cover", "word_mean",
    "heading_words", "heading_age", "after_title", "owner", "depth", "in_footer", "in_nav", "in_aside", "in_dl",
    "tokens_0", "tokens_low", "tokens_high", "siblings_0", "siblings_3", "siblings_most", "group_share", "group_size",
    "words_before_log", "index_from_end", "links_5", "mean_words_5", "vote_semantic", "vote_density",
    "vote_readability", "vote_stopwords", "page_words",
    "page_links", "page_prose_words", "page_mean_words", "page_p", "page_li", "page_h2", "page_article", "page_form",
    "page_money", "page_date_blocks",
)  # fmt: skip
"""What the second look still sees of the first look's evidence, beside the first look's opinion."""
_SECOND_ROWS = tuple(NAMES.index(name) for name in SECOND)
COPIES = NAMES.index("copies")
_IN_BEST = len(SECOND) + CONTEXT.index("in_best")


def second_look(evidence: Evidence, first: NDArray[Any], kinds: NDArray[Any]) -> NDArray[np.float32]:
    rows = np.empty((len(SECOND) + len(CONTEXT), len(evidence.words)), dtype=np.float32)
    rows[: len(SECOND)] = evidence.columns[list(_SECOND_ROWS)]
    fill_context(rows[len(SECOND) :], evidence, first, kinds)
    return rows


def trust_row(
    evidence: Evidence, chances: list[float], kinds: NDArray[Any], kept: Sequence[int]
) -> NDArray[np.float32]:
    """The features of the predicted F1: the page, its type, and how sure the judge was of what it kept and dropped."""
    if core is None:
        return _trust_row(evidence, np.array(chances), kinds, kept)
    row = core.trust_row(evidence.columns, chances, kinds, list(kept), evidence.page, *CONTENT)
    return np.frombuffer(row, dtype=np.float32)


def _trust_row(
    evidence: Evidence, chance: NDArray[Any], kinds: NDArray[Any], kept: Sequence[int]
) -> NDArray[np.float32]:
    size, right, total, words, sure, sure_kept = _kept_sums(evidence.words, chance, kept)
    own = (
        2 * right / (size + total + 1e-6),
        right / (size + 1e-6),
        right / (total + 1e-6),
        size / words,
        log1p(size),
        float(len(kept)),
        sure / words,
        sure_kept / (size + 1e-6),
    )
    sums = _content_sums(evidence.columns, chance, *CONTENT)
    return np.fromiter((*own, *kinds.tolist(), *evidence.page.values(), *sums), dtype=np.float32)


def _kept_sums(shown: NDArray[np.float32], chance: NDArray[Any], kept: Sequence[int]) -> tuple[float, ...]:
    """The size of what is kept, what of it is right, what of the page is; the page's size; how sure all is, and that.

    ``kept`` are blocks in order.
    """
    words = shown + 0.5
    mass = chance * words
    sure = np.abs(chance - 0.5) * 2 * words
    sums = words[kept].sum(), mass[kept].sum(), mass.sum(), words.sum(), sure.sum(), sure[kept].sum()
    return tuple(map(float, sums))


def _sigmoid(x: NDArray[np.float64]) -> NDArray[np.float64]:
    # Not by numpy, whose last digit depends on the processor.
    return np.array([1.0 / (1.0 + exp(min(-odds, 700.0))) for odds in x.tolist()])


def _odds(chances: NDArray[Any]) -> NDArray[np.float64]:
    """Chances as log-odds, none of them certain."""
    clipped = np.minimum(np.maximum(chances, 1e-5), 1 - 1e-5)
    return np.array([log(odds) for odds in (clipped / (1 - clipped)).tolist()])


def _between(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """The middle of two chances, as odds."""
    return _sigmoid((_odds(one) + _odds(other)) / 2)


def _lowered(chances: NDArray[np.float64], by: float, in_best: NDArray[np.float32]) -> NDArray[np.float64]:
    """Chances lowered by some log-odds, and by less of it in the best container."""
    if core is None:
        return _sigmoid(_odds(chances) - by * np.where(in_best > 0, _INSIDE, 1.0))
    found = np.empty(len(chances))
    core.lowered(chances, by, in_best, _INSIDE, found)
    return found


def _softmax(x: Sequence[float]) -> NDArray[np.float64]:
    most = max(x)
    powers = [exp(value - most) for value in x]
    total = sum(powers)
    return np.array([power / total for power in powers])


_LEANING: dict[Mode, float] = {"precision": 1.0, "balanced": 0.0, "recall": -1.0}
"""By how much, in log-odds, the threshold of the best choice is shifted."""


def expected(chances: list[float], words: list[int], start: int, stop: int) -> tuple[float, float, int]:
    """How many words of a run of blocks are to be expected to be content, how many blocks, and all their words."""
    measure = _expected if core is None else core.expected
    found: tuple[float, float, int] = measure(chances, words, start, stop)
    return found


def _expected(chances: list[float], words: list[int], start: int, stop: int) -> tuple[float, float, int]:
    own, counts = chances[start:stop], words[start:stop]
    return float(sum(map(mul, own, counts))), float(sum(own)), sum(counts)


def expected_words(chances: list[float], words: list[int]) -> float:
    """How much of a page is to be expected to be content: its words, and half a word for each block."""
    mass, blocks, _ = expected(chances, words, 0, len(words))
    return mass + 0.5 * blocks


def expected_f1(chances: list[float], words: list[int], kept: Iterable[int], total: float) -> float:
    """The F1 to be expected of keeping these blocks, if the chances are right; ``total`` is :func:`expected_words`."""
    measure = _expected_f1 if core is None else core.expected_f1
    score: float = measure(chances, words, list(kept), total)
    return score


def _expected_f1(chances: list[float], words: list[int], kept: list[int], total: float) -> float:
    right = size = 0.0
    for b in kept:
        weight = words[b] + 0.5
        right += chances[b] * weight
        size += weight
    return 2 * right / (size + total) if size + total else 0.0


def best_choice(chances: list[float], words: list[int], mode: Mode) -> tuple[list[int], float]:
    """The blocks whose expected F1 is highest: all above a threshold, which is half the F1 that can be reached."""
    if not chances:
        return [], 0.0
    find = _best_threshold if core is None else core.best_threshold
    threshold, score = find(chances, words)
    if _LEANING[mode]:
        odds = np.log(max(threshold, 1e-6) / max(1 - threshold, 1e-6)) + _LEANING[mode]
        threshold = min(float(1 / (1 + np.exp(-odds))), max(chances))
    return at_least(chances, threshold), score


def at_least(chances: list[float], least: float) -> list[int]:
    """The blocks that are so likely."""
    if core is not None:
        return core.at_least(chances, least)  # type: ignore[no-any-return]
    return [b for b, chance in enumerate(chances) if chance >= least]


def _best_threshold(chances: Sequence[float], words: Sequence[int]) -> tuple[float, float]:
    """The chance of the least likely block that is kept, and the F1 to be expected."""
    chance = np.asarray(chances, dtype=np.float64)
    weight = np.asarray(words, dtype=np.float64) + 0.5
    order = np.argsort(-chance, kind="stable")
    mass = (chance * weight)[order]
    scores = 2 * np.cumsum(mass) / (np.cumsum(weight[order]) + mass.sum())
    best = int(np.argmax(scores))
    return float(chance[order[best]]), float(scores[best])
