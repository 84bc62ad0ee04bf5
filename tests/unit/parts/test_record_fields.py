"""Values of a record, read from its elements one by one."""

from __future__ import annotations

from typing import Any

import pytest

from duramen.options import Options
from duramen.parts.records.fields import Fields, Region
from duramen.read.reader import read_page


def value(name: str, body: str, *arguments: Any) -> Any:
    """What is read from the first element of a page: the value, and where it was."""
    fields = Fields(read_page(f"<!doctype html><html lang=en><body>{body}", "https://oak.example/a", Options()))
    node = next(i for i in fields.tree.children(fields.tree.body) if fields.tree.tag[i])
    found = getattr(fields, name)(*arguments, Region(node, fields.tree.end[node]))
    return tuple(found) if isinstance(found, tuple) else found


ADA = ("Ada Wood", "page")


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("<div data-author='Ada Wood'>x</div>", ADA),
        ("<div author='Ada Wood'>x</div>", ADA),
        ("<div data-username='Ada Wood'>x</div>", ADA),
        ("<div><p data-author='Ada Wood'>x</p></div>", None),
        ("<div><b itemprop=author>Ada Wood</b></div>", ("Ada Wood", "microdata")),
        ("<div><p itemprop=author>x <b itemprop=name>Ada Wood</b></p></div>", ("Ada Wood", "microdata")),
        ("<div><meta itemprop=creator content='Ada Wood'></div>", ("Ada Wood", "microdata")),
        ("<div><data itemprop=creator value='Ada Wood'>x</data></div>", ("Ada Wood", "microdata")),
        ("<div><a rel='nofollow author' href=/x>Ada Wood</a></div>", ADA),
        ("<div><a rel=nofollow href=/x>Ada Wood</a></div>", None),
        ("<div><b class=author>Ada Wood</b></div>", ADA),
        ("<div><b class=author><a href=/x>Ada Wood</a> Admin</b></div>", ADA),
        ("<div><b class=author-avatar>Ada Wood</b></div>", None),
        *((f"<div><a href='{href}'>Ada Wood</a></div>", ADA) for href in (
            "/user/7", "/users/7", "/member/7", "/members/7", "/profile/7", "/profiles/7", "/u/7", "/people/7",
            "/author/7", "/authors/7", "/x?u=7", "/x?a=b&u=7", "/memberlist.php", "/member.php", "/x?action=profile",
        )),
        ("<div><a href='/x?menu=7'>Ada Wood</a></div>", None),
        ("<div><a href='/wood'>Ada Wood</a></div>", None),
        (f"<div><b class=author>{'o' * 79}</b></div>", ("o" * 79, "page")),
        (f"<div><b class=author>{'o' * 80}</b></div>", None),
        ("<div><b class=author>–</b></div>", None),
        ("<div><b class=author>3 May 2024</b></div>", None),
    ],
)  # fmt: skip
def test_authors(body: str, found: tuple[str, str] | None) -> None:
    assert value("author", body) == found


@pytest.mark.parametrize(
    "line",
    [
        "by Ada Wood", "von Ada Wood", "Par Ada Wood", "por Ada Wood", "Posted by: Ada Wood", "written by Ada Wood",
        "Author: Ada Wood", "autor Ada Wood", "from Ada Wood", "Ada Wood says", "Ada Wood wrote", "Ada Wood:",
        "Ada Wood says:", "Ada Wood wrote:", "» Ada Wood ·", "Ada Wood,",
    ],
)  # fmt: skip
def test_what_is_around_a_name(line: str) -> None:
    assert value("author", f"<p><b class=author>{line}</b></p>") == ADA


@pytest.mark.parametrize("name", ["Byron Wood", "Ada Essays", "Authority"])
def test_parts_of_names_stay(name: str) -> None:
    assert value("author", f"<p><b class=author>{name}</b></p>") == (name, "page")


DAY = ("2024-05-01", "page")


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("<div><b itemprop=datePublished>2024-05-01</b></div>", ("2024-05-01", "microdata")),
        ("<div><meta itemprop=dateCreated content=2024-05-01></div>", ("2024-05-01", "microdata")),
        ("<div><time datetime=2024-05-01>x</time></div>", DAY),
        ("<div><time>1 May 2024</time></div>", DAY),
        ("<div><time><b title='May 1, 2024'>x</b></time></div>", DAY),
        *((f"<div><b class=date {name}=2024-05-01>x</b></div>", DAY) for name in (
            "created-timestamp", "datetime", "data-time", "data-timestamp", "content", "title", "data-date-time",
            "data-tippy-content", "data-tooltip", "data-original-title",
        )),
        ("<div><b class=date>05/01/2024</b></div>", DAY),
        ("<div><b class='date joined'>2024-05-01</b></div>", DAY),
        ("<div><b class=joined-date>2024-05-01</b></div>", None),
        ("<div><time class=edited>2024-05-01</time></div>", None),
        ("<div><p class=post-modified><time>2024-05-01</time></p></div>", None),
        ("<div><p class=last_updated><time>2024-05-01</time></p></div>", None),
        ("<div><blockquote><time>2024-05-01</time></blockquote></div>", None),
        ("<div class=edited><time>2024-05-01</time></div>", DAY),
        ("<div><time>yesterday</time></div>", None),
        (f"<div><b class=date>{'o' * 150} 2024-05-01</b></div>", None),
    ],
)  # fmt: skip
def test_dates(body: str, found: tuple[str, str] | None) -> None:
    assert value("published", body) == found


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("1 May 2024, 10:30", "2024-05-01"),
        ("1 May 2024", None),
        ("Joined: 1 May 2024, 10:30", None),
        ("Edited 1 May 2024, 10:30", None),
        (f"\n{' ' * 60}1 May 2024, 10:30\n{' ' * 60}", "2024-05-01"),
        (f"1 May 2024, 10:30 {'o' * 42}", "2024-05-01"),
        (f"1 May 2024, 10:30 {'o' * 43}", None),
    ],
)
def test_a_text_that_is_a_date_with_its_time(line: str, found: str | None) -> None:
    assert value("written", f"<div><p>{line}</p></div>") == (found and (found, "page"))


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ("<b>Ada Wood</b><i>1 May 2024, 10:30</i>", ADA),
        ("Ada Wood · <i>1 May 2024, 10:30</i>", ADA),
        ("<b>Posted on</b><i>1 May 2024, 10:30</i>", None),
        ("<b>Geschrieben:</b><i>1 May 2024, 10:30</i>", None),
        ("<b>Ada Wood</b><b>Rank</b><i>1 May 2024, 10:30</i>", None),
        ("<i>1 May 2024, 10:30</i><b>Ada Wood</b>", None),
        (f"<b>{'Ada Wood ' * 5}</b><i>1 May 2024, 10:30</i>", None),
        ("<b>Ada Wood</b><i>1 May 2024</i>", None),
    ],
)
def test_a_name_alone_before_its_date(head: str, found: tuple[str, str] | None) -> None:
    assert value("writer", f"<div><p>{head}</p><p>Oaks are hard.</p></div>") == found


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7", 7), ("-3 points", -3), ("−3", -3), ("+12", 12), ("1,234", 1234), ("none", None), ("1234567890", None),
        ("123456789", 123456789), ("0", 0),
    ],
)  # fmt: skip
def test_scores(text: str, number: int | None) -> None:
    assert value("score", f"<div><b class='helpfulVotesBadge badge'>{text}</b></div>") is None
    assert value("score", f"<div><b class=votes>{text}</b></div>") == number
    assert value("score", f"<div><b class=votes data-value='{text}'>x</b></div>") == number


@pytest.mark.parametrize(
    ("text", "rating"),
    [
        ("4.5 / 5", "4.5"), ("4,5 von 5", "4.5"), ("4 out of 5 stars", "4"), ("3 sur 5", "3"), ("3 de 5", "3"),
        ("3 su 5", "3"), ("4.5", "4.5"), ("4.5 stars", "4.5"), ("1 star", "1"), ("0", "0"), ("6", None),
        ("5.0 of", None), ("4 out of 50", None), ("12 reviews", None),
    ],
)  # fmt: skip
def test_ratings(text: str, rating: str | None) -> None:
    for body in (
        f"<b class=rating>{text}</b>",
        f"<b class=rating title='{text}'></b>",
        f"<b class=rating aria-label='{text}'></b>",
    ):
        assert value("rating", f"<div>{body}</div>") == (rating and (rating, "page")), body


@pytest.mark.parametrize(("text", "rating"), [("9.5", "9.5"), ("10", "10"), ("11", None), ("4,5 of 5", "4.5")])
def test_stated_ratings(text: str, rating: str | None) -> None:
    assert value("rating", f"<div><b itemprop=ratingValue>{text}</b></div>") == (rating and (rating, "microdata"))


@pytest.mark.parametrize(
    ("body", "price", "currency"),
    [
        ("<b itemprop=price content=12.50>x</b>", "12.50", None),
        ("<b itemprop=price>12.50</b><i itemprop=priceCurrency content=x>eur</i>", "12.50", "EUR"),
        ("<b itemprop=price>12.50</b><i itemprop=priceCurrency>euro</i>", "12.50", None),
        ("<b itemprop=price>€ 12.50</b>", "12.50", "EUR"),
        ("<b class=price>$1,299.00</b>", "1299.00", "USD"),
        ("<b class=price>12,50 €</b>", "12.50", "EUR"),
        ("<b class=price><del>15 €</del> 12 €</b>", "12", "EUR"),
        ("<b class=price><s>15 €</s> 12 €</b>", "12", "EUR"),
        ("<b class=price><strike>15 €</strike> 12 €</b>", "12", "EUR"),
        ("<del class=price>15 €</del><b class=price>12 €</b>", "12", "EUR"),
        ("<s><b class=price>15 €</b></s><b class=price>12 €</b>", "12", "EUR"),
        ("<b class=old-price>15 €</b><b class=price>12 €</b>", "12", "EUR"),
    ],
)
def test_prices(body: str, price: str, currency: str | None) -> None:
    (amount, _), found = value("price", f"<div>{body}</div>")
    assert (amount, found) == (price, currency)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("<img data-src=/a.jpg src=/b.jpg>", "https://oak.example/a.jpg"),
        ("<img data-original=/a.jpg src=/b.jpg>", "https://oak.example/a.jpg"),
        ("<img data-lazy-src=/a.jpg src=/b.jpg>", "https://oak.example/a.jpg"),
        ("<img src=/b.jpg>", "https://oak.example/b.jpg"),
        ("<img src=data:image/gif;base64,x><img src=/c.jpg>", "https://oak.example/c.jpg"),
        ("<img src='#x'>", None),
        ("<img src=javascript:x>", None),
    ],
)
def test_images(body: str, found: str | None) -> None:
    assert value("image", f"<div>{body}</div>") == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("<p>Brand: Oakworks</p>", "Oakworks"),
        ("<p>Marke</p><p>Oakworks</p>", "Oakworks"),
        ("<p>Brand:</p><p>: Oakworks</p>", "Oakworks"),
        ("<p>Branded: Oakworks</p>", None),
        ("<p>Brand</p>", None),
        ("<p>Brand</p><p>–</p>", None),
        (f"<p>Brand</p><p>{'o' * 81}</p>", None),
        (f"<p>Brand</p><p>{'o' * 80}</p>", "o" * 80),
    ],
)
def test_labels(body: str, found: str | None) -> None:
    assert value("labelled", f"<div>{body}</div>", "brand") == (found and (found, "page"))
