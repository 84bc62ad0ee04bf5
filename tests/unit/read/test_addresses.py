"""What relative addresses are relative to."""

from __future__ import annotations

import pytest

from duramen.flatten import parse_tree
from duramen.read.addresses import base_url


@pytest.mark.parametrize(
    ("html", "url", "base"),
    [
        ("", None, None),
        ("", "", None),
        ("", "https://e.org/a/b", "https://e.org/a/b"),
        ("<base href=/c/>", "https://e.org/a/b", "https://e.org/c/"),
        ("<base href=https://cdn.org/x/>", "https://e.org/a/b", "https://cdn.org/x/"),
        ("<base href=https://cdn.org/x/>", None, "https://cdn.org/x/"),
        ("<base target=_top><base href=/c/><base href=/d/>", "https://e.org/", "https://e.org/c/"),
        ("<base href>", "https://e.org/a", "https://e.org/a"),
        ("<base href='\"/é x/'>", "https://e.org/a", "https://e.org/%22/%C3%A9%20x/"),
        ("<base href=javascript:alert()>", "https://e.org/a", "https://e.org/a"),
        ("<base href='http://[e.org/'>", "https://e.org/a", "https://e.org/a"),
        (f"<base href=/{'c' * 3000}/>", "https://e.org/a", "https://e.org/a"),
        (f"<base href=https://e.org/{'c' * 3000}/>", None, None),
    ],
)
def test_base_url(html: str, url: str | None, base: str | None) -> None:
    assert base_url(parse_tree(html), url) == base
