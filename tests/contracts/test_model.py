"""The shipped model fits the code that reads it, is small, and has a true card."""

from __future__ import annotations

import hashlib
import json
import re
from array import array
from pathlib import Path
from typing import Any

import pytest

from duramen.find.evidence import (
    CONTEXT,
    NAMES,
    PRIORS,
    SECOND,
    Evidence,
    columns,
    kind_row,
    second_table,
    table,
    trust_row,
)
from duramen.find.hints import KINDS, Hints
from duramen.find.judge_model import FORMAT, Model, read_arrays, shipped_model, write_arrays
from duramen.options import Options
from duramen.read.reader import read_page

ROOT = Path(__file__).resolve().parents[2]
FOLDS = ROOT / "benchmarks" / "train" / "folds"
MODEL = ROOT / "src" / "duramen" / "data" / "model"
CARD = (MODEL / "README.md").read_text(encoding="utf-8")
FORESTS = ("first", "kind", "second", "trust")
TRAIN = "train again: python -m benchmarks.train.train"


@pytest.fixture(scope="module")
def evidence(article_html: str) -> Evidence:
    page = read_page(article_html, None, Options())
    return table(page.tree, page.blocks, Hints(), shipped_model().lexicon)


def test_each_forest_gets_the_columns_that_have_names(evidence: Evidence) -> None:
    given, kinds = array("d", [0.5] * evidence.blocks), [1 / len(KINDS)] * len(KINDS)
    sizes = {
        "first": len(evidence.table) // 4 // evidence.blocks,
        "kind": len(kind_row(evidence, given, kinds * len(PRIORS))),
        "second": len(second_table(evidence, given, kinds)) // 4 // evidence.blocks,
        "trust": len(trust_row(evidence, given, kinds, [0])),
    }
    assert sizes == {forest: len(names) for forest, names in columns().items()}
    assert all(len(set(names)) == len(names) for names in columns().values())


def test_model_was_trained_on_the_evidence_of_this_code() -> None:
    trained = json.loads((FOLDS / "trained.json").read_text(encoding="utf-8"))
    assert trained["columns"] == hashlib.sha256("\n".join(NAMES).encode()).hexdigest(), TRAIN


@pytest.mark.parametrize("name", ["judge", *(f"fold{fold}" for fold in range(5))])
def test_forests_ask_for_columns_there_are(name: str) -> None:
    path = (MODEL if name == "judge" else FOLDS) / f"{name}.safetensors"
    assert path.stat().st_size < 1_200_000
    model = Model.load(path)
    used = {forest: max(getattr(model, forest).features) for forest in FORESTS}
    assert all(used[forest] < len(names) for forest, names in columns().items()), TRAIN


# A model file is checked before it is used

SHIPPED = (MODEL / "judge.safetensors").read_bytes()


def parts(data: bytes) -> tuple[dict[str, Any], bytes]:
    stop = 8 + int.from_bytes(data[:8], "little")
    return json.loads(data[8:stop]), data[stop:]


def with_header(change: dict[str, Any]) -> bytes:
    header, content = parts(SHIPPED)
    for name, value in change.items():
        header[name] = {**header[name], **value}
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + content


def test_a_model_file_is_written_as_it_was_read(tmp_path: Path) -> None:
    write_arrays(tmp_path / "again", read_arrays(SHIPPED), {})
    assert (tmp_path / "again").read_bytes() == SHIPPED


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"", "no model file"),
        (b"\0" * 4, "no model file"),
        (b"\xff" * 200, "no model file"),
        (SHIPPED[:5000], "no model file"),
        (SHIPPED[8:], "no model file"),
        (SHIPPED[:-1], "damaged"),
        (SHIPPED[:-2000] + b"\0" * 2000, "damaged"),
        (with_header({"__metadata__": {"format": "duramen-judge 0"}}), f"this version reads {FORMAT!r}: train again"),
        (with_header({"__metadata__": {"first": "words"}}), r"'first' was trained with other columns .*: train again"),
        (
            with_header({"__metadata__": {"second": " ".join((*reversed(SECOND), *CONTEXT))}}),
            r"'second' was trained with other columns than this version has \(their order\)",
        ),
        (with_header({"first.values": {"data_offsets": [0, 10**9]}}), "wrong size"),
        (with_header({"first.values": {"data_offsets": [-8, 8]}}), "wrong size"),
        (with_header({"first.values": {"data_offsets": [0, 3]}}), "wrong size"),
        (with_header({"first.values": {"data_offsets": [0, 400]}}), "belong together"),
        (with_header({"words.odds": {"data_offsets": [0, 400]}}), "lines and 100 values"),
        (with_header({"first.size": {"data_offsets": [0, 0]}}), "out of range"),
        (with_header({"first.size": {"dtype": "F64"}}), "F64"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_with_its_name(tmp_path: Path, data: bytes, fault: str) -> None:
    path = tmp_path / "other.safetensors"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=rf"other\.safetensors: .*{fault}"):
        Model.load(path)


def test_card_has_the_forests_true_sizes() -> None:
    model = shipped_model()
    true = {name: (getattr(model, name).size, len(columns()[name])) for name in FORESTS}
    rows = re.findall(r"^\| (\w+) \| [^|]*\? [^|]*\| ([\d,]+) \| ([\d,]+) \|$", CARD, re.M)
    assert {n: (int(t.replace(",", "")), int(c.replace(",", ""))) for n, t, c in rows} == true


def test_card_counts_every_column() -> None:
    table_of_families = CARD[CARD.index("| family ") : CARD.index("The second pass sees")]
    counts = [int(n) for n in re.findall(r"\| (\d+) \|$", table_of_families, re.M)]
    assert sum(counts) == len(NAMES)
    again, more = map(int, re.findall(r"The second pass sees (\d+) of these again and (\d+) more:", CARD)[0])
    assert (again, again + more) == (len(SECOND), len(SECOND) + len(CONTEXT))


@pytest.mark.parametrize(
    "name", ["WCXB v1.0", "Murrough Foley", "CC-BY-4.0", "trafilatura", "Readability", "Apache-2.0"]
)
def test_card_names_its_data(name: str) -> None:
    assert name in CARD
