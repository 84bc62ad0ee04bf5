"""Grounds add up to what the forests say, and every number the judge looks at has words."""

from __future__ import annotations

import pickle
from array import array
from collections import Counter
from typing import Any

import numpy as np
import pytest
from benchmarks.train.forests import forest_arrays
from numpy.typing import NDArray

import duramen
from duramen.find.evidence import CONTEXT, NAMES
from duramen.find.judge import hints_of, judge_blocks, shipped_model
from duramen.find.judge_model import Forest
from duramen.find.reasons import MOST_BLOCKS, changed, effects, rows
from duramen.model import Reason
from duramen.options import Options
from duramen.read.reader import read_page

Node = dict[str, Any]


def grow(rng: np.random.Generator, leaves: int) -> Node:
    if leaves == 1:
        return {"leaf_value": float(np.float32(rng.normal())), "leaf_count": int(rng.integers(1, 50))}
    left = int(rng.integers(1, leaves))
    return {
        "split_feature": int(rng.integers(5)),
        "threshold": float(np.float32(rng.normal())),
        "left_child": grow(rng, left),
        "right_child": grow(rng, leaves - left),
    }


def ends(node: Node) -> list[Node]:
    """The leaves below a node."""
    stack, found = [node], []
    while stack:
        node = stack.pop()
        if "leaf_value" in node:
            found.append(node)
        else:
            stack += [node["left_child"], node["right_child"]]
    return found


def mean(node: Node) -> float:
    below = ends(node)
    return float(np.average([n["leaf_value"] for n in below], weights=[n["leaf_count"] for n in below]))


def told(tree: Node, row: NDArray[np.float32]) -> NDArray[np.float64]:
    """The effects of one tree, by walking it."""
    moved = np.zeros(5)
    while "leaf_value" not in tree:
        feature = tree["split_feature"]
        goes = "left_child" if float(row[feature]) <= tree["threshold"] else "right_child"
        moved[feature] += mean(tree[goes]) - mean(tree)
        tree = tree[goes]
    return moved


@pytest.mark.parametrize("seed", range(8))
def test_effects_are_those_of_a_walk_and_add_up_to_the_score(seed: int) -> None:
    rng = np.random.default_rng(seed)
    trees = [grow(rng, int(rng.integers(1, 33))) for _ in range(6)]
    forest = Forest(forest_arrays("first", trees), "first")
    values = rng.normal(size=(40, 5)).astype(np.float32)
    moved = np.array(effects(forest, values.tolist()))
    walked = np.array([np.sum([told(tree, row) for tree in trees], axis=0) for row in values])
    np.testing.assert_allclose(moved, walked, atol=1e-4)
    base = sum(mean(tree) for tree in trees)
    scores = [forest.score(array("f", row.tolist()))[0] for row in values]
    np.testing.assert_allclose(base + moved.sum(axis=1), scores, atol=1e-4)


def test_every_column_has_words_in_one_row() -> None:
    known = Counter(name for row in rows() for name in row.columns)
    assert known == Counter({*NAMES, *CONTEXT})
    assert max(Counter(row.id for row in rows()).values()) == 1


def test_a_block_has_its_reasons(article_html: str) -> None:
    page = read_page(article_html, "https://wood.example/oak", Options())
    found = judge_blocks(page, hints_of(page, (), None), shipped_model()).reasons()
    assert len(found) == len(page.blocks)
    reasons = {g.id: g for g in found[page.blocks.text.index("About the author")]}
    assert reasons["heading"].phrase and reasons["strict"].weight < 0
    assert all(abs(g.weight) >= 0.05 for told in found for g in told)


def test_only_the_first_blocks_of_a_long_page_have_reasons() -> None:
    page = read_page("<p>Oak is hard.</p>" * (MOST_BLOCKS + 3), None, Options())
    found = judge_blocks(page, hints_of(page, (), None), shipped_model()).reasons()
    assert len(found) == MOST_BLOCKS + 3 and found[MOST_BLOCKS - 1]
    assert not any(g.id in ("links", "length") for reasons in found[MOST_BLOCKS:] for g in reasons)


def test_rows_tell_values() -> None:
    told = {row.id: row for row in rows()}
    assert told["links"].words(0.874, -1.0) == "87 % of its text is links"
    assert told["links"].words(0.0, 1.0) == "no links in it"
    assert told["template"].words(float(np.log1p(11)), 1.0) == "blocks of its template: 11"
    assert told["length"].words(3.0, -1.0) == "3 words long"
    assert [told["words"].words(0.1, w) for w in (1, -1)] == ["words that content has", "words that content rarely has"]


def test_a_later_step_is_a_ground_of_its_own_where_it_changed_something() -> None:
    before = (Reason("links", "no links in it", 0.4),)
    found = changed([before, before], "comments", [0.8, 0.8], [0.16, 0.8])
    assert found[1] == before
    assert (
        found[0][:1] == before and found[0][1].id == "comments" and found[0][1].weight == pytest.approx(-3.04, abs=0.01)
    )


def test_trace_tells_of_every_block_why(article_html: str) -> None:
    result = duramen.extract(article_html, "https://wood.example/oak")
    assert "blocks" not in vars(result.trace), "worked out only when asked for"
    blocks = result.trace.blocks
    page = read_page(article_html, "https://wood.example/oak", Options())
    assert [block.text for block in blocks] == [text[:200] for text in page.blocks.text]
    for block in blocks:
        assert 0 <= block.probability <= 1 and block.path and block.rule
        assert block.speaks_for or block.speaks_against
        assert all(reason.weight > 0 for reason in block.speaks_for)
        assert all(reason.weight < 0 for reason in block.speaks_against)
        weights = [abs(reason.weight) for reason in block.speaks_for]
        assert weights == sorted(weights, reverse=True)
    kept = [block for block in blocks if block.kept]
    assert kept and all(block.text[:40] in " ".join(result.text.split()) for block in kept if block.words > 20)
    by_text = {block.text[:12]: block for block in blocks}
    assert by_text["About the au"].rule == "author-bio"
    winner = next(attempt.candidate for attempt in result.trace.attempts if attempt.outcome == "won")
    assert {block.rule for block in kept} == {winner.rule_id}
    # Evidence speaks the same language as the probability: what is likely has more for it than against it.
    sums = [sum(g.weight for g in (*b.speaks_for, *b.speaks_against)) for b in blocks]
    likely = [s for s, b in zip(sums, blocks, strict=True) if b.probability > 0.9]
    unlikely = [s for s, b in zip(sums, blocks, strict=True) if b.probability < 0.1]
    assert min(likely) > max(unlikely)


def test_blocks_survive_pickling_and_become_plain_data(article_html: str) -> None:
    result = duramen.extract(article_html)
    again = pickle.loads(pickle.dumps(result))
    assert again.trace.blocks == result.trace.blocks and again == result
    plain = result.to_dict(trace=True)["trace"]
    assert len(plain["blocks"]) == len(result.trace.blocks) and "tell" not in plain
    reason = next(g for block in plain["blocks"] for g in block["speaks_against"])
    assert set(reason) == {"id", "phrase", "weight"}


@pytest.mark.parametrize("strategy", ["density", "readability"])
def test_what_was_not_learned_has_probabilities_without_reasons(article_html: str, strategy: str) -> None:
    blocks = duramen.extract(article_html, options=Options(strategy=strategy)).trace.blocks  # type: ignore[arg-type]
    assert any(block.kept for block in blocks) and not any(b.speaks_for or b.speaks_against for b in blocks)


@pytest.mark.parametrize("page", ["", "<p>x", "not a page at all"])
def test_pages_with_little_or_nothing(page: str) -> None:
    result = duramen.extract(page)
    assert all(block.path for block in result.trace.blocks)
