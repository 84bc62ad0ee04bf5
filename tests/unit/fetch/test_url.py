"""Addresses are read as browsers read them, and what is no page's address is refused with advice."""

from __future__ import annotations

import pytest

from duramen.errors import BadUrl
from duramen.fetch.url import parse_url, same_site


@pytest.mark.parametrize(
    ("text", "href", "host", "port"),
    [
        ("https://wood.example", "https://wood.example/", "wood.example", 443),
        ("  https://wood.example/a b".replace(" b", "%20b"), "https://wood.example/a%20b", "wood.example", 443),
        ("HTTP://WOOD.example:80/x#y", "http://wood.example/x", "wood.example", 80),
        ("http://wood.example:8080/", "http://wood.example:8080/", "wood.example", 8080),
        ("https://bücher.example/ä?ö", "https://xn--bcher-kva.example/%C3%A4?%C3%B6", "xn--bcher-kva.example", 443),
        ("http://017700000001/", "http://127.0.0.1/", "127.0.0.1", 80),
        ("http://[::FFFF:7f00:1]/", "http://[::ffff:7f00:1]/", "::ffff:7f00:1", 80),
        ("http://１２７.0.0.1/", "http://127.0.0.1/", "127.0.0.1", 80),
    ],
)
def test_normal_form(text: str, href: str, host: str, port: int) -> None:
    url = parse_url(text)
    assert (url.href, url.host, url.port) == (href, host, port)


def test_parts_make_up_the_request() -> None:
    url = parse_url("http://[2606:4700::1]:8080/a/./b?c=d#e")
    assert (url.authority, url.target, url.origin) == (
        "[2606:4700::1]:8080",
        "/a/b?c=d",
        "http://[2606:4700::1]:8080",
    )


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("wood.example/page", "https://"),
        ("", "https://"),
        ("ftp://wood.example/", "only http"),
        ("file:///etc/passwd", "only http"),
        ("javascript:alert(1)", "only http"),
        ("https://user:secret@wood.example/", "leave them out"),
        ("https://wood.example:22/", "check"),
        ("https://wood.example:99999/", "check"),
        ("http://127.0.0.1:6666\\@1.1.1.1/", "%20"),
        ("http://wood.example/a\nb", "%20"),
        ("http://wood.example\t.evil.example/", "%20"),
        ("http://exa mple/", "%20"),
        ("http://[::1/", "check"),
        ("http://a..b.%00/", "check"),
    ],
)
def test_refusals_say_what_to_do(text: str, advice: str) -> None:
    with pytest.raises(BadUrl) as caught:
        parse_url(text)
    assert advice in caught.value.advice
    assert "\n" not in str(caught.value) and "secret" not in str(caught.value)


def test_redirects_are_read_as_browsers_read_them() -> None:
    base = parse_url("https://wood.example/a/b")
    assert parse_url("\\\\evil.example\\x", base).href == "https://evil.example/x"
    assert parse_url("//evil.example", base).href == "https://evil.example/"
    assert parse_url("?q", base).href == "https://wood.example/a/b?q"
    with pytest.raises(BadUrl):
        parse_url("file:///etc/passwd", base)


def test_same_site() -> None:
    one = parse_url("https://wood.example/")
    assert same_site(one, parse_url("http://www.wood.example/x"))
    assert not same_site(one, parse_url("https://evil-wood.example/"))
    assert not same_site(one, parse_url("https://wood.example.evil.example/"))
