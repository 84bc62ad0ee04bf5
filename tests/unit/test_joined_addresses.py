"""Addresses joined as browsers join them."""

from __future__ import annotations

import random
import re

import pytest

from duramen import urls
from duramen.urls import joined

PAGE = "https://wood.example/trees/oaks/index.html?a=1#b"


@pytest.mark.parametrize(
    ("address", "whole"),
    [
        ("", "https://wood.example/trees/oaks/index.html?a=1"),
        ("#x", "https://wood.example/trees/oaks/index.html?a=1#x"),
        ("?x", "https://wood.example/trees/oaks/index.html?x"),
        ("x", "https://wood.example/trees/oaks/x"),
        ("./x/", "https://wood.example/trees/oaks/x/"),
        ("..", "https://wood.example/trees/"),
        ("../../../../x", "https://wood.example/x"),
        ("a/../b/./c/..", "https://wood.example/trees/oaks/b/"),
        ("%2E%2e/x", "https://wood.example/trees/x"),
        ("/x//y", "https://wood.example/x//y"),
        ("\\x\\y", "https://wood.example/x/y"),
        ("//beech.example", "https://beech.example/"),
        ("\\\\beech.example\\x", "https://beech.example/x"),
        ("///beech.example/x", "https://beech.example/x"),
        ("https:x", "https://wood.example/trees/oaks/x"),
        ("https:/x", "https://wood.example/x"),
        ("http:x.example", "http://x.example/"),
        ("HTTP://Beech.EXAMPLE:80/A", "http://beech.example/A"),
        ("https://beech.example:8443", "https://beech.example:8443/"),
        (" \t/a\nb \r", "https://wood.example/ab"),
        ('/é "<>`{}^|', "https://wood.example/%C3%A9%20%22%3C%3E%60%7B%7D%5E|"),
        ("/%zz%41", "https://wood.example/%zz%41"),
        ("?é '\"<", "https://wood.example/trees/oaks/index.html?%C3%A9%20%27%22%3C"),
        ("#é `'", "https://wood.example/trees/oaks/index.html?a=1#%C3%A9%20%60'"),
        ("//bücher.example/", "https://xn--bcher-kva.example/"),
        ("//faß.example/", "https://xn--fa-hia.example/"),
        ("//%57ood.example/", "https://wood.example/"),
        ("//0x7f.1/", "https://127.0.0.1/"),
        ("//017700000001/", "https://127.0.0.1/"),
        ("//[::0001]/", "https://[::1]/"),
        ("//user:word@wood.example/", "https://user:word@wood.example/"),
        ("mailto:a@b.example", "mailto:a@b.example"),
    ],
)
def test_joined(address: str, whole: str) -> None:
    assert joined(address, PAGE) == whole


@pytest.mark.parametrize(
    "address",
    ["http://[e.org/", "http://[::g]/", "//a b/", "//a:99999/", "//a:x/", "//256.1.1.1/", "//1.2.3.4.5/", "//08/",
     "https://", "//a%20b/", "//a^b/", "javascript:alert()", "data:,x"],
)  # fmt: skip
def test_what_is_no_address_leaves_the_other(address: str) -> None:
    assert joined(address, PAGE) == PAGE


@pytest.mark.parametrize("base", ["", "x", "/x", "mailto:a@b.example", "data:,x", "http://[/", "https:"])
def test_nothing_is_joined_to_what_is_no_address(base: str) -> None:
    assert joined("x", base) == base
    assert joined("https://wood.example", base) == "https://wood.example/"


def test_plain_addresses_are_joined_as_all_are(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = ("a", "B-c", "..", ".", "a.b", "x_y", "-", "%20", "é", "a b", "", "b.", "C:")
    hosts = (
        "example.org",
        "www.x-y.co.uk",
        "1.2.3.4",
        "localhost",
        "xn--bcher-kva.example",
        "a.b1",
        "a_b.org",
        "A.org",
    )
    ends = ("", "/", "/x/y", "/x?y#z", ":80/", "?z")
    rng = random.Random(3)
    pairs = [
        (
            "/" + "/".join(rng.choices(parts, k=rng.randint(0, 3))) + rng.choice(("", "/", "?x", "#y")),
            f"http{rng.choice(('', 's'))}://{rng.choice(hosts)}{rng.choice(ends)}",
        )
        for _ in range(2_000)
    ]
    quick = [joined(address, base) for address, base in pairs]
    monkeypatch.setattr(urls, "_PLAIN_PATH", re.compile("(?!)"))
    assert quick == [joined(address, base) for address, base in pairs]
    assert sum(whole.endswith(address) for whole, (address, _) in zip(quick, pairs, strict=True)) > 100
