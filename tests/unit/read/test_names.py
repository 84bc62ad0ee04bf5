"""Names in author fields and bylines."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.read import names as module
from duramen.read.names import names_in

BYLINES = [
    ("Ada Lovelace", ["Ada Lovelace"]),
    ("By Ada Lovelace", ["Ada Lovelace"]),
    ("by: Ada Lovelace,", ["Ada Lovelace"]),
    ("Written by Ada Lovelace | Updated May 3, 2019", ["Ada Lovelace"]),
    ("Posted by Ada Lovelace on May 3, 2019", ["Ada Lovelace"]),
    ("View all posts by Ada Lovelace", ["Ada Lovelace"]),
    ("Ada Lovelace - 3 May 2019", ["Ada Lovelace"]),
    ("Ada Lovelace • 5 min read", ["Ada Lovelace"]),
    ("Ada Lovelace and Charles Babbage", ["Ada Lovelace", "Charles Babbage"]),
    ("Ada Lovelace, Charles Babbage & Mary Somerville", ["Ada Lovelace", "Charles Babbage", "Mary Somerville"]),
    ("Ada Lovelace, PhD", ["Ada Lovelace"]),
    ("Ada Lovelace, Senior Editor", ["Ada Lovelace"]),
    ("Von Ada Lovelace und Karl Maier", ["Ada Lovelace", "Karl Maier"]),
    ("Geschrieben von Ada Lovelace am 3. Mai 2019", ["Ada Lovelace"]),
    ("Autor: Ada Lovelace", ["Ada Lovelace"]),
    ("Par Ada Lovelace", ["Ada Lovelace"]),
    ("Por Ada Lovelace", ["Ada Lovelace"]),
    ("Ursula von der Leyen", ["Ursula von der Leyen"]),
    ("Jean-Luc O'Neil Jr.", ["Jean-Luc O'Neil Jr."]),
    ("作者：李白", ["李白"]),
    ("sawdust", ["sawdust"]),
    ("3 minutes ago", []),
    ("Minutes Ago", []),
    ("Read more", []),
    ("Share this on Facebook", []),
    ("admin", []),
    ("Staff", []),
    ("https://example.org/ada", []),
    ("ada@example.org", []),
    ("@ada", []),
    ("We asked our readers what they thought of it", []),
    ("What do you think?", []),
    ("example.com", []),
    ("", []),
    ("-", []),
    ("12", []),
]


@pytest.mark.parametrize(("text", "names"), BYLINES, ids=[row[0] for row in BYLINES])
def test_bylines(text: str, names: list[str]) -> None:
    assert names_in(text) == names


FIELDS = [
    ("Lovelace, Ada", ["Ada Lovelace"]),
    ("Staff", ["Staff"]),
    ("Oak4711", ["Oak4711"]),
    ("Chisel & Sons", ["Chisel & Sons"]),
    ("The Editorial Team of the Oak Review", ["The Editorial Team of the Oak Review"]),
    ("admin", []),
    ("null", []),
    ("https://example.org/ada", []),
    ("Ada Lovelace (Oak Review)", ["Ada Lovelace"]),
]


@pytest.mark.parametrize(("text", "names"), FIELDS, ids=[row[0] for row in FIELDS])
def test_fields_made_for_names(text: str, names: list[str]) -> None:
    assert names_in(text, data=True) == names


@given(st.text(max_size=500), st.booleans())
def test_any_text_gives_short_names(text: str, data: bool) -> None:
    assert all(2 <= len(name) <= 60 for name in names_in(text, data))


def test_plain_names_need_no_closer_look() -> None:
    rng = random.Random(7)
    around = module._words()
    patterns = (around.by, around.cut, around.list, around.couple, around.role, around.no_name, around.phrase)
    found = {word.title() for pattern in patterns for word in re.findall("[a-zA-Z]+", pattern.pattern)}
    words = sorted(found | {word.title() for word in around.no_names if word.isascii() and word.isalpha()})
    words += ("Ada", "Lovelace", "Monday", "Freitag") * 20
    plain = 0
    for _ in range(20_000):
        some = rng.choices(words, k=rng.randint(1, 3))
        if rng.random() < 0.3:
            some.insert(1, rng.choice("ABFIVY") + rng.choice(("", ".")))
        text, data = " ".join(some), rng.random() < 0.5
        quick = names_in(text, data)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "_PLAIN_NAME", re.compile("(?!)"))
            assert names_in(text, data) == quick, text
        plain += quick == [text]
    assert plain > 1_000
