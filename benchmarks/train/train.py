"""Train the judge from the annotated corpora, by one command:

    python -m benchmarks.train.train
    python -m benchmarks.train.train --only-trust      # the forest that predicts the F1, after a change to the output
    python -m benchmarks.train.train --only-types      # that one, and what tells page types apart

Writes the shipped model (trained on all pages) to ``src/duramen/data/model/judge.safetensors`` and, for honest figures,
one model per fold to ``benchmarks/train/folds``: a fold's model has never seen a page of the fold's domains. Seeds are
fixed; with the same corpora and library versions the same bytes come out.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import Pool, get_context
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

import lightgbm as lgb
import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from benchmarks.corpora import shared_folder
from duramen.find.evidence import NAMES, Evidence, columns, kind_row, second_table, table
from duramen.find.hints import KINDS
from duramen.find.judge import best_choice, copies_in, share_copies
from duramen.find.judge_model import Arrays, Forest, Model, read_arrays, write_arrays
from duramen.find.page_marks import spoken_marks
from duramen.native import core
from duramen.options import Options
from duramen.pipeline import run

from .dataset import (
    FOLDS,
    Counts,
    LearnedWords,
    Source,
    counts_of,
    fold_of,
    labels_of,
    learn_lexicon,
    page_marks,
    read,
    sources,
)
from .forests import forest_arrays
from .labels import words

CORPORA = {"wcxb-dev": 100.0, "reader-dev": 60.0, "snippets-dev": 25.0}
"""How much a page of each corpus weighs: snippets say something about a few blocks only."""
TYPED = "wcxb-dev"
"""The corpus whose annotators distinguished page types."""
ROOT = Path(__file__).parents[2]
ALL = -1
"""Stands for the model that is trained on every fold."""

# Swept on out-of-fold word F1 of wcxb-dev, 2026-11: 16 to 63 leaves and 60 to 300 rounds move it by less than 0.003.
FIRST: dict[str, Any] = {"objective": "cross_entropy", "num_leaves": 16, "learning_rate": 0.1, "min_data_in_leaf": 60}
SECOND: dict[str, Any] = {"objective": "cross_entropy", "num_leaves": 16, "learning_rate": 0.1, "min_data_in_leaf": 80}
KIND: dict[str, Any] = {
    "objective": "multiclass", "num_class": len(KINDS), "num_leaves": 8, "learning_rate": 0.1, "min_data_in_leaf": 12,
    "feature_fraction": 0.3, "lambda_l2": 3,
}  # fmt: skip
# Huber's loss: less than the square lets the few pages that go wholly wrong pull all others down.
TRUST: dict[str, Any] = {
    "objective": "huber", "alpha": 0.25, "num_leaves": 8, "learning_rate": 0.05, "min_data_in_leaf": 15,
    "feature_fraction": 0.4, "lambda_l2": 10,
}  # fmt: skip
COMMON: dict[str, Any] = {
    "feature_fraction": 0.5, "bagging_fraction": 0.8, "bagging_freq": 1, "lambda_l2": 5, "max_bin": 63, "verbosity": -1,
    "num_threads": 1, "seed": 7, "deterministic": True, "force_col_wise": True,
}  # fmt: skip
PARAMETERS = {"first": FIRST, "kind": KIND, "second": SECOND, "trust": TRUST}
ROUNDS = {"first": 160, "kind": 50, "second": 60, "trust": 150}
SEEDS = {"first": 2, "kind": 8, "second": 3, "trust": 8}
"""How many boosters share a forest."""

_lexicons: dict[int, LearnedWords] = {}


def word_f1(got: Counter[str], truth: Counter[str]) -> float:
    shared = sum((got & truth).values())
    return 2 * shared / (sum(got.values()) + sum(truth.values())) if shared else 0.0


@dataclass
class Example:
    """A page with its evidence and its truth."""

    source: Source
    fold: int
    evidence: Evidence
    labels: NDArray[np.float32]
    marks: set[str]
    spoken: set[str]
    words: list[int]
    repeated: list[list[int]]
    tokens: list[list[str]]
    truth: Counter[str] | None

    @property
    def key(self) -> str:
        return str(self.source.record["id"])

    @property
    def weights(self) -> NDArray[np.float32]:
        """Long blocks count for more, and every page as much as another."""
        weight = (np.array(self.words, dtype=np.float32)[self.known] + 1) ** 0.6
        return weight / weight.sum() * CORPORA[self.source.corpus]  # type: ignore[no-any-return]

    @property
    def known(self) -> NDArray[np.bool_]:
        """The blocks that the annotators said something about."""
        return ~np.isnan(self.labels)

    def f1(self, kept: Sequence[int]) -> float:
        assert self.truth is not None
        return word_f1(Counter(word for b in kept for word in self.tokens[b]), self.truth)


@dataclass
class Prior:
    """What a page's marks say about its type: a logistic regression."""

    names: list[str]
    weights: NDArray[np.float32]

    @classmethod
    def learn(cls, examples: list[Example], marks_of: MarksOf, min_domains: int = 6) -> Prior:
        domains: dict[str, set[str]] = {}
        for e in examples:
            for mark in marks_of(e):
                domains.setdefault(mark, set()).add(e.source.domain)
        vectorizer = DictVectorizer()
        x = vectorizer.fit_transform(
            [{m: 1.0 for m in marks_of(e) if len(domains[m]) >= min_domains} for e in examples]
        )
        model = LogisticRegression(C=0.05, max_iter=300).fit(
            x, [KINDS.index(e.source.record["kind"]) for e in examples]
        )
        weights = np.vstack([model.intercept_[None, :], model.coef_.T]).astype(np.float16)
        return cls(list(vectorizer.feature_names_), weights.astype(np.float32))

    def of(self, marks: set[str]) -> NDArray[np.float32]:
        return self.weights[[0, *(i for i, name in enumerate(self.names, start=1) if name in marks)]].sum(axis=0)  # type: ignore[no-any-return]

    def arrays(self, name: str) -> Arrays:
        return {name: _lines(self.names), f"{name}.weights": array("f", self.weights.ravel().tolist())}


MarksOf = Callable[[Example], set[str]]
MARKS: Mapping[str, MarksOf] = {"marks": lambda e: e.marks, "spoken": lambda e: e.spoken}
"""Page types are recognised by two sets of marks, each with its own weights: one regression over both was worse."""


def _lines(strings: Iterable[str]) -> array[int]:
    return array("B", "\n".join(strings).encode())


def _count(source: Source) -> Counts | None:
    page, _ = read(source)
    labels = labels_of(page, source.record)
    return counts_of(page, labels, source.domain) if labels is not None and len(labels) else None


def _example(source: Source) -> Example | None:
    page, hints = read(source)
    labels = labels_of(page, source.record)
    if labels is None or not len(labels):
        return None
    evidence = table(page.tree, page.blocks, hints, _lexicons[source.fold].lexicon)
    tokens = [words(text) for text in page.blocks.text]
    truth = Counter(words(source.record["text"])) if source.record.get("text") else None
    marks, repeated = page_marks(page.tree, hints), copies_in(page, evidence)
    spoken = set(spoken_marks(page.tree, hints.title))
    return Example(source, source.fold, evidence, labels, marks, spoken, page.blocks.words, repeated, tokens, truth)


_tasks: dict[int, Callable[[], list[str]]] = {}


def _run(fold: int) -> list[str]:
    return _tasks[fold]()


class Ensemble:
    """Boosters that differ by their seed alone; their middle is steadier than any of them."""

    def __init__(self, models: Sequence[str]) -> None:
        self.boosters = [lgb.Booster(model_str=model) for model in models]
        self.objective = self.boosters[0].dump_model(num_iteration=1)["objective"].split()[0]

    def predict(self, rows: NDArray[Any]) -> NDArray[np.float64]:
        """As a forest of all their trees predicts: by the mean of the raw scores."""
        raw: NDArray[np.float64] = np.mean(
            [np.asarray(booster.predict(rows, raw_score=True)) for booster in self.boosters], axis=0
        )
        if self.objective == "multiclass":
            powers = np.exp(raw - raw.max(axis=1, keepdims=True))
            return powers / powers.sum(axis=1, keepdims=True)  # type: ignore[no-any-return]
        return 1 / (1 + np.exp(-raw)) if self.objective == "cross_entropy" else raw

    def arrays(self, name: str) -> Arrays:
        dumped = [booster.dump_model() for booster in self.boosters]
        trees = [tree["tree_structure"] for model in dumped for tree in model["tree_info"]]
        return forest_arrays(name, trees, len(dumped))


def _fit(name: str, x: Any, y: Any, weight: Any = None) -> list[str]:
    data = lgb.Dataset(x, y, weight=weight, params={**COMMON, **PARAMETERS[name]})
    settings = ({**COMMON, **PARAMETERS[name], "seed": seed} for seed in range(SEEDS[name]))
    return [lgb.train(parameters, data, ROUNDS[name]).model_to_string() for parameters in settings]


class InFold(Protocol):
    @property
    def fold(self) -> int: ...


E = TypeVar("E", bound=InFold)


def _folds_and_all(train: Callable[[list[E]], list[str]], examples: list[E]) -> dict[int, Ensemble]:
    """A model without each fold, and one of all: two at a time, in processes that inherit the examples."""
    for fold in (*range(FOLDS), ALL):
        chosen = [e for e in examples if e.fold != fold]
        _tasks[fold] = lambda chosen=chosen: train(chosen)  # type: ignore[misc]
    with get_context("fork").Pool(2, maxtasksperchild=1) as pool:
        trained = pool.map(_run, _tasks, chunksize=1)
    return {fold: Ensemble(models) for fold, models in zip(_tasks, trained, strict=True)}


def _blocks_model(name: str, rows: Mapping[str, NDArray[Any]]) -> Callable[[list[Example]], list[str]]:
    def train(examples: list[Example]) -> list[str]:
        x = np.vstack([rows[e.key][e.known] for e in examples])
        y = np.concatenate([e.labels[e.known] for e in examples])
        weight = np.concatenate([e.weights for e in examples])
        return _fit(name, x, y, weight)

    return train


class _Recorder:
    """Takes the place of the forest that is not trained yet, and remembers the row it was given."""

    row: array[float] | None = None

    def score(self, row: array[float]) -> Sequence[float]:
        self.row = row
        return (0.0,)


_models: dict[int, Model] = {}
_NO_TRUST = forest_arrays("trust", [{"leaf_value": 0.0}])


class Outcome(NamedTuple):
    """What an extraction with a model that has not seen the page was expected from, and the F1 that it reached."""

    fold: int
    row: array[float]
    f1: float


def _outcome(source: Source) -> Outcome | None:
    recorder = _Recorder()
    model = _models[source.fold]._replace(trust=recorder)  # type: ignore[arg-type]
    result = run(gzip.decompress(source.path.read_bytes()), source.url, Options(), model)
    if recorder.row is None or not source.record.get("text"):
        return None
    f1 = word_f1(Counter(words(result.text)), Counter(words(source.record["text"])))
    return Outcome(source.fold, recorder.row, f1)


def _arrays(models: Mapping[str, Ensemble], lexicon: LearnedWords) -> Arrays:
    arrays: dict[str, array[Any]] = {}
    for name, odds in (("tokens", lexicon.tokens), ("words", lexicon.words)):
        arrays |= {name: _lines(odds), f"{name}.odds": array("f", odds.values())}
    for name, model in models.items():
        arrays |= model.arrays(name)
    return arrays


def matrix(rows: bytearray, names: Sequence[str]) -> NDArray[np.float32]:
    """A table of columns as (blocks, columns), without a copy."""
    return np.frombuffer(rows, dtype=np.float32).reshape(len(names), -1).T


Say = Callable[[str], None]


def read_examples(shared: Path, say: Say) -> tuple[list[Example], dict[int, LearnedWords]]:
    """Every annotated page with the evidence on it, by the word lists of its fold."""
    pages = [source for corpus in CORPORA for source in sources(shared, corpus)]
    with Pool(2) as pool:
        counts = [c for c in pool.imap(_count, pages, chunksize=10) if c is not None]
    for fold in (*range(FOLDS), ALL):
        _lexicons[fold] = learn_lexicon(c for c in counts if fold_of(c.domain) != fold)
    say(f"lexicon: {len(_lexicons[ALL].tokens)} tokens, {len(_lexicons[ALL].words)} words")
    return examples_of(pages, say), _lexicons


def examples_of(pages: Sequence[Source], say: Say) -> list[Example]:
    """Pages with the evidence on them, by the word lists that are known."""
    with Pool(2) as pool:
        examples = [e for e in pool.imap(_example, pages, chunksize=10) if e is not None]
    blocks = sum(len(e.labels) for e in examples)
    say(f"{len(examples)} pages, {blocks} blocks, {len(NAMES)} columns")
    return examples


def learn(examples: list[Example], lexicons: Mapping[int, LearnedWords], say: Say) -> dict[int, Arrays]:
    """The arrays of a model for each fold, and of the one that is trained on all."""
    first_rows = {e.key: matrix(e.evidence.table, NAMES) for e in examples}
    first = _folds_and_all(_blocks_model("first", first_rows), examples)
    probability = {e.key: np.asarray(first[e.fold].predict(first_rows[e.key])) for e in examples}
    say(f"first pass: F1 {_figures(examples, probability)}")
    first_of = {key: array("d", values.tolist()) for key, values in probability.items()}

    types = learn_types(examples, first_of, say)

    second_rows = {
        e.key: matrix(second_table(e.evidence, first_of[e.key], types.kinds[e.key].tolist()), columns()["second"])
        for e in examples
    }
    second = _folds_and_all(_blocks_model("second", second_rows), examples)
    final = {}
    for e in examples:
        both = array("d", second[e.fold].predict(second_rows[e.key]).tolist())
        core.lower_odds(first_of[e.key], both, 0.0, array("f", bytes(4 * len(both))), 1.0)
        final[e.key] = np.array(share_copies(both.tolist(), e.words, e.repeated))
    say(f"second pass: F1 {_figures(examples, final)}")

    parts = {
        fold: {
            **_arrays({"first": first[fold], "second": second[fold]}, lexicons[fold]),
            **types.arrays(fold),
        }
        for fold in (*range(FOLDS), ALL)
    }
    return learn_trust(parts, [e.source for e in examples if e.source.corpus == TYPED], say)


class PageTypes(NamedTuple):
    """What tells page types apart, for each fold, and the probabilities that it gives to each page of the others."""

    priors: Mapping[int, Mapping[str, Prior]]
    forests: Mapping[int, Ensemble]
    kinds: Mapping[str, NDArray[np.float64]]

    def arrays(self, fold: int) -> Arrays:
        weights = {
            key: values for name, prior in self.priors[fold].items() for key, values in prior.arrays(name).items()
        }
        return {**self.forests[fold].arrays("kind"), **weights}


def learn_types(examples: list[Example], first_of: Mapping[str, array[float]], say: Say) -> PageTypes:
    """Learned from pages whose annotators distinguished types, with the first pass's opinion of their blocks."""
    typed = [e for e in examples if e.source.corpus == TYPED]
    priors = {
        fold: {name: Prior.learn([e for e in typed if e.fold != fold], of) for name, of in MARKS.items()}
        for fold in (*range(FOLDS), ALL)
    }

    def row(e: Example) -> NDArray[np.float32]:
        weights = [prior.of(MARKS[name](e)) for name, prior in priors[e.fold].items()]
        return np.array(kind_row(e.evidence, first_of[e.key], np.concatenate(weights).tolist()))

    rows = {e.key: row(e) for e in examples}
    forests = _folds_and_all(
        lambda es: _fit(
            "kind", np.array([rows[e.key] for e in es]), [KINDS.index(e.source.record["kind"]) for e in es]
        ),
        typed,
    )
    kinds = {e.key: np.asarray(forests[e.fold].predict(rows[e.key][None, :]))[0] for e in examples}
    hits = np.mean([KINDS[int(np.argmax(kinds[e.key]))] == e.source.record["kind"] for e in typed])
    say(f"page type: accuracy {hits:.4f}")
    return PageTypes(priors, forests, kinds)


def learn_trust(parts: Mapping[int, Arrays], pages: Sequence[Source], say: Say) -> dict[int, Arrays]:
    """The models with the forest that predicts the F1 of their results, which are those of the whole pipeline."""
    for fold in range(FOLDS):
        _models[fold] = Model.from_arrays({**parts[fold], **_NO_TRUST})
    with get_context("fork").Pool(2) as pool:
        outcomes = [o for o in pool.imap(_outcome, pages, chunksize=8) if o is not None]
    say(f"pipeline: F1 {np.mean([o.f1 for o in outcomes]):.4f} of {len(outcomes)} pages")
    trust = _folds_and_all(
        lambda found: _fit("trust", np.array([o.row for o in found]), [o.f1 for o in found]),
        outcomes,
    )
    folds = [[o for o in outcomes if o.fold == fold] for fold in range(FOLDS)]
    guess = np.concatenate(
        [np.clip(trust[k].predict(np.array([o.row for o in mine])), 0, 1) for k, mine in enumerate(folds)]
    )
    reached = [o.f1 for mine in folds for o in mine]
    error = np.mean(np.abs(guess - reached))
    say(f"predicted F1: mean absolute error {error:.4f}, AUC below 0.7 {_auc(guess.tolist(), reached):.4f}")
    return {fold: {**arrays, **trust[fold].arrays("trust")} for fold, arrays in parts.items()}


def model_path(fold: int) -> Path:
    name = "src/duramen/data/model/judge" if fold == ALL else f"benchmarks/train/folds/fold{fold}"
    return ROOT / f"{name}.safetensors"


def write_models(models: Mapping[int, Arrays]) -> None:
    for fold, arrays in models.items():
        write_arrays(model_path(fold), arrays, {})


def models_without(*beginnings: str) -> dict[int, Arrays]:
    """The arrays of the models that there are, without those whose names begin so."""
    return {
        fold: {
            name: values
            for name, values in read_arrays(model_path(fold).read_bytes()).items()
            if not name.startswith(beginnings)
        }
        for fold in (*range(FOLDS), ALL)
    }


def train_trust_only(shared: Path, say: Say) -> None:
    """Train the last forest again, on the models that there are: their other forests do not depend on the output."""
    write_models(learn_trust(models_without("trust."), list(sources(shared, TYPED)), say))


def train_types_only(shared: Path, say: Say) -> None:
    """Train what tells page types apart again, and the last forest; the passes over the blocks stay as they are."""
    parts = models_without("kind.", *MARKS, "trust.")
    for fold, arrays in parts.items():
        _lexicons[fold] = LearnedWords(*(_learned(arrays, name) for name in ("tokens", "words")))
    examples = examples_of(list(sources(shared, TYPED)), say)
    forests = {fold: Forest(arrays, "first") for fold, arrays in parts.items()}
    first_of = {e.key: forests[e.fold].probabilities(e.evidence.table, e.evidence.blocks) for e in examples}
    types = learn_types(examples, first_of, say)
    parts = {fold: {**arrays, **types.arrays(fold)} for fold, arrays in parts.items()}
    write_models(learn_trust(parts, [e.source for e in examples], say))


def _learned(arrays: Arrays, name: str) -> dict[str, float]:
    return dict(zip(arrays[name].tobytes().decode().split("\n"), arrays[f"{name}.odds"], strict=True))


def write(shared: Path, models: Mapping[int, Arrays], examples: list[Example]) -> None:
    """The shipped model, the folds', and what they were trained from."""
    folder = ROOT / "benchmarks" / "train" / "folds"
    folder.mkdir(exist_ok=True)
    write_models(models)
    digest = hashlib.sha256()
    for corpus in CORPORA:
        digest.update((shared / "corpora" / corpus / "truth.jsonl").read_bytes())
    names = "\n".join(NAMES)
    card = {
        "corpora": list(CORPORA),
        "pages": len(examples),
        "digest": digest.hexdigest(),
        "columns": hashlib.sha256(names.encode()).hexdigest(),
        "lightgbm": lgb.__version__,
    }
    (folder / "trained.json").write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=shared_folder())
    parser.add_argument("--only-trust", action="store_true", help="train only the forest that predicts the F1")
    parser.add_argument("--only-types", action="store_true", help="train only page types, and what predicts the F1")
    given = parser.parse_args()
    shared = given.shared
    started = time.monotonic()

    def say(text: str) -> None:
        print(f"{time.monotonic() - started:6.0f} s  {text}", flush=True)

    if given.only_trust or given.only_types:
        (train_types_only if given.only_types else train_trust_only)(shared, say)
        return
    examples, lexicons = read_examples(shared, say)
    write(shared, learn(examples, lexicons, say), examples)
    say("models written")


def _figures(examples: list[Example], probability: Mapping[str, NDArray[Any]]) -> str:
    scores: dict[str, list[float]] = {}
    for e in examples:
        if e.truth is None:
            continue
        kept, _ = best_choice(probability[e.key].tolist(), e.words, "balanced")
        scores.setdefault(e.source.record["kind"], []).append(e.f1(kept))
    overall = np.mean([s for group in scores.values() for s in group])
    return f"{overall:.4f}  " + "  ".join(f"{kind} {np.mean(group):.3f}" for kind, group in sorted(scores.items()))


def _auc(guess: Sequence[float], reached: Sequence[float], limit: float = 0.7) -> float:
    low = [g for g, f1 in zip(guess, reached, strict=True) if f1 < limit]
    high = [g for g, f1 in zip(guess, reached, strict=True) if f1 >= limit]
    wins = sum((a < b) + 0.5 * (a == b) for a in low for b in high)
    return wins / max(1, len(low) * len(high))


if __name__ == "__main__":
    main()
