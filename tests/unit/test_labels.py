"""Labels for training: which blocks an annotator's text is made of."""

from __future__ import annotations

from benchmarks.train.labels import label_blocks

LINE = "Heartwood is the dark and durable centre of an old tree."


def test_long_blocks_are_recognised_by_their_words() -> None:
    assert label_blocks(["Home", LINE, "Buy our newsletter now for free"], LINE) == [0.0, 1.0, 0.0]


def test_a_text_that_follows_itself_in_the_truth_is_content_twice() -> None:
    assert label_blocks([LINE, LINE], f"{LINE}\n\n{LINE}") == [1.0, 1.0]


def test_a_copy_that_the_truth_does_not_have_is_not_content() -> None:
    other = "Sapwood is paler, younger and much less durable than that."
    labels = label_blocks([LINE, "Menu", "Search", "Sign in", "Help", "More", LINE, other], f"{LINE}\n{other}")
    assert labels == [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0]


def test_short_blocks_count_only_where_their_neighbours_stand() -> None:
    labels = label_blocks(
        ["Share", LINE, "In short", LINE.upper() + " Again and again.", "Share"],
        f"{LINE} In short {LINE} Again and again.",
    )
    assert labels[2] == 1.0 and labels[0] == labels[4] == 0.0
