"""Threads of known forum software: every post once, in order, with its author and its date."""

from __future__ import annotations

import pickle

import pytest

from duramen.page import letters
from duramen.parts.records.values import Post

from .scoring import Page, extracted, pages

FORUMS = ("discourse", "phpbb", "stackexchange", "vbulletin", "xenforo")
THREADS = tuple(page for page in pages() if page.truth.framework in FORUMS)


@pytest.mark.parametrize("page", THREADS, ids=lambda page: page.id)
def test_every_post_once_with_its_author(page: Page) -> None:
    result = extracted(page)
    posts = result.records
    assert len(posts) > 2
    assert all(isinstance(post, Post) for post in posts)
    assert [post.position for post in posts] == list(range(len(posts)))
    # In the fixtures the keepers write in turn.
    assert [getattr(post, "author", "") for post in posts] == [f"warden{n}" for n in range(1, len(posts) + 1)]
    assert letters("".join(post.text for post in posts)) == letters(result.text)
    if page.truth.framework != "stackexchange":
        assert {str(getattr(post, "published", ""))[:10] for post in posts} == {"2026-03-14"}
    else:
        assert [getattr(post, "score", 0) for post in posts] == list(range(41, 41 + len(posts)))
    assert pickle.loads(pickle.dumps(posts)) == posts


def test_all_five_systems_have_threads() -> None:
    assert {page.truth.framework for page in THREADS} == set(FORUMS)
