"""The shipped model fits the code that reads it, is small, and has a true card."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import numpy as np
import pytest

from duramen.find.context import kind_row
from duramen.find.evidence import Evidence, table
from duramen.find.hints import KINDS, Hints
from duramen.find.judge import SECOND, Model, second_look, shipped_model, trust_row
from duramen.options import Options
from duramen.pipeline import read_page

ROOT = Path(__file__).resolve().parents[2]
FOLDS = ROOT / "benchmarks" / "train" / "folds"
MODEL = ROOT / "src" / "duramen" / "data" / "model"
CARD = (MODEL / "README.md").read_text(encoding="utf-8")
FORESTS = ("first", "kind", "second", "trust")
TRAIN = "train again: python -m benchmarks.train.train"


@pytest.fixture(scope="module")
def evidence(article_html: str) -> Evidence:
    page = read_page(article_html, None, Options(), [])
    return table(page.tree, page.blocks, Hints(), shipped_model().lexicon)


@pytest.fixture(scope="module")
def columns(evidence: Evidence) -> dict[str, int]:
    """How many columns the code gives each forest."""
    chance, kinds = np.full(len(evidence.words), 0.5), np.full(len(KINDS), 1 / len(KINDS))
    return {
        "first": len(evidence.columns),
        "kind": len(kind_row(evidence, chance, shipped_model().leaning_weights[0])),
        "second": len(second_look(evidence, chance, kinds)),
        "trust": len(trust_row(evidence, chance.tolist(), kinds, [0])),
    }


def test_model_was_trained_on_the_evidence_of_this_code(evidence: Evidence) -> None:
    trained = json.loads((FOLDS / "trained.json").read_text(encoding="utf-8"))
    assert trained["columns"] == hashlib.sha256("\n".join(evidence.names).encode()).hexdigest(), TRAIN


@pytest.mark.parametrize("name", ["judge", *(f"fold{fold}" for fold in range(5))])
def test_forests_ask_for_columns_there_are(name: str, columns: dict[str, int]) -> None:
    path = (MODEL if name == "judge" else FOLDS) / f"{name}.npz"
    assert path.stat().st_size < 2_000_000
    with np.load(path) as arrays:
        model = Model.from_arrays(arrays)
    assert {n: max(getattr(model, n).features) < columns[n] for n in FORESTS} == dict.fromkeys(FORESTS, True), TRAIN
    assert model.lexicon.tokens and model.lexicon.words and model.leanings


def test_card_has_the_forests_true_sizes(columns: dict[str, int]) -> None:
    model = shipped_model()
    true = {name: (len(getattr(model, name).values), columns[name]) for name in FORESTS}
    rows = re.findall(r"^\| (\w+) \| [^|]*\? [^|]*\| ([\d,]+) \| ([\d,]+) \|$", CARD, re.M)
    assert {n: (int(t.replace(",", "")), int(c.replace(",", ""))) for n, t, c in rows} == true


def test_card_counts_every_column(columns: dict[str, int]) -> None:
    table_of_families = CARD[CARD.index("| family ") : CARD.index("The second look sees")]
    counts = [int(n) for n in re.findall(r"\| (\d+) \|$", table_of_families, re.M)]
    assert sum(counts) == columns["first"]
    again, more = map(int, re.findall(r"The second look sees (\d+) of these again and (\d+) more:", CARD)[0])
    assert (again, again + more) == (len(SECOND), columns["second"])


@pytest.mark.parametrize(
    "name", ["WCXB v1.0", "Murrough Foley", "CC-BY-4.0", "trafilatura", "Readability", "Apache-2.0"]
)
def test_card_names_its_data(name: str) -> None:
    assert name in CARD
