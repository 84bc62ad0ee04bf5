"""Cases of the words by which the parts of records are known, and of the posts of forum software."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import duramen
from duramen.options import Options
from duramen.parts.records import threads
from duramen.parts.records.fields import Fields, Region
from duramen.parts.records.rows import record_rows
from duramen.read.reader import read_page

from .changing import Case, table, to, without
from .pages import SENTENCE, marked, matching, page


def valued(name: str, body: str) -> object:
    """A value of a post or an item that is the first element of a page."""
    fields = Fields(read_page(page(body), None, Options()))
    node = next(fields.tree.children(fields.tree.body))
    return getattr(fields, name)(Region(node, len(fields.tree)))


def numbered(body: str) -> object:
    tree = read_page(page(body), None, Options()).tree
    return [*threads._groups(tree, tree.body, record_rows().attributes["post"])]


VALUES: dict[str, tuple[str, Callable[[str], object], str]] = {
    # The entry that is taken out, what reads it, and a page that has it.
    "author / attributes": ("data-username", partial(valued, "author"), '<div data-username="Ada Wood">Oak</div>'),
    "author / before": ("posted by", partial(valued, "author"), '<p class="author">Posted by Ada Wood</p>'),
    "author / after": ("wrote", partial(valued, "author"), '<p class="author">Ada Wood wrote</p>'),
    "member / folders": ("profiles", partial(valued, "author"), '<p><a href="/profiles/7">Ada Wood</a></p>'),
    "member / pages": ("member.php", partial(valued, "author"), '<p><a href="/member.php?7">Ada Wood</a></p>'),
    "published / attributes": (
        "data-time",
        partial(valued, "published"),
        "<p><time data-time=2024-05-01>x</time></p>",
    ),
    "published / changed": ("edited", partial(valued, "published"), '<p><time class="edited">2024-05-01</time></p>'),
    "post / attributes": ("data-pid", numbered, "<p data-pid=1>Oak</p><b data-pid=2>Elm</b>"),
    "image / attributes": ("data-original", partial(valued, "image"), "<p><img data-original=/oak.jpg src=/x.gif></p>"),
    "available / alone": ("available", lambda text: said("available", text), "5 available"),
    "available / states": ("instock", lambda name: record_rows().states.get(name), "instock"),
    "unavailable / states": ("soldout", lambda name: record_rows().states.get(name), "soldout"),
    "unavailable / alone": ("ended", lambda text: said("unavailable", text), "ended"),
    "brand / shops": (
        "visit the {} store",
        lambda text: record_rows().shop_of.fullmatch(text) is None,
        "visit the oak store",
    ),
    "brand / never": ("herren", lambda name: name in record_rows().no_brands, "herren"),
    "rating / of": ("out of", partial(valued, "rating"), '<p class="rating">4.5 out of 5</p>'),
    "rating / unit": ("stars", partial(valued, "rating"), '<p class="rating">4.5 stars</p>'),
}


def records() -> Iterator[Case]:
    """A case for each field of each row: an element that it names, or a text that it is in."""
    for place, (entry, make, html) in VALUES.items():
        yield Case("records.toml", place, without(entry), partial(make, html))
    for name, row in table("records.toml").items():
        for field in row.keys() & {"words", "without", "props", "labels", "phrases", "pairs"}:
            entries = row[field]
            if field == "phrases":
                phrase = " ".join(entries.split(";")[0].split())
                output = partial(said, name, phrase)
                yield Case("records.toml", f"{name} / {field}", without(phrase), output)
            elif field == "labels":
                label = entries.split(";")[0].strip()
                output = partial(labelled, name, f"<p>{label}: Oak 7</p>")
                yield Case("records.toml", f"{name} / {field}", without(label), output)
            elif field == "pairs":
                sign = entries.strip().split("\n")[3]
                output = partial(priced, f"<p>3 {sign.partition(' -> ')[0]}</p>")
                yield Case("records.toml", f"{name} / {field}", without(sign), output)
            elif field == "props":
                word = entries.split()[0]
                output = partial(found, name, f'<b itemprop="{word}">Oak</b>')
                yield Case("records.toml", f"{name} / {field}", without(word), output)
            else:
                word = entries.split()[0]
                classes = word if field == "words" else f"{row['words'].split()[0]}-{word}"
                output = partial(found, name, f'<b class="{classes}">Oak</b>')
                yield Case("records.toml", f"{name} / {field}", without(word), output)


def posts(file: str, marks: list[str], row: Mapping[str, Any]) -> Iterator[Case]:
    """A case for each field of a forum's posts: without its selectors the posts come out differently."""
    about = row.get("records", {})
    values = {"author": "Ada Wood", "published": "2024-05-01", "score": "7", "accepted": "x", "permalink": "#p7"}
    if not about:
        return
    inner = "".join(matching(_plain(about[name]), values[name]) for name in values if name in about)
    inner += matching(about["body"][0], f"<p>{SENTENCE}</p>")
    post = about["post"][0].partition(",")[0]
    # The address of a post must not be the one that its id would give.
    linked = re.sub(r'<a(?=[ >])( href="[^"]*")?', '<a href="/t/7/post-7#p7"', matching(post, inner))
    output = partial(thread, marked(marks, linked * 2))
    for name in about:
        yield Case(file, f"records / {name}", to(["no-such-element"]), output)


def _plain(selectors: list[str]) -> str:
    """The first selector of an element that shows text."""
    shown = [one for one in selectors if not one.startswith(("@", "meta")) and ":" not in one]
    return shown[0]


def found(name: str, body: str) -> object:
    fields = Fields(read_page(page(body), None, Options()))
    whole = Region(0, len(fields.tree))
    return [*fields.named(name, whole)], [*fields.marked(name, whole)]


def labelled(name: str, body: str) -> object:
    fields = Fields(read_page(page(body), None, Options()))
    return fields.labelled(name, Region(fields.tree.body, len(fields.tree)))


def priced(body: str) -> object:
    fields = Fields(read_page(page(body), None, Options()))
    return fields.shown_price(Region(fields.tree.body, len(fields.tree)))


def said(name: str, text: str) -> object:
    rows = record_rows()
    stated = {"available": rows.available, "unavailable": rows.unavailable, "buy": rows.buy}
    return (stated[name].fullmatch(text) if name in stated else rows.asked.search(f"It is {text} today")) is not None


def thread(html: str) -> object:
    return [record.to_dict() for record in duramen.extract(html, "https://example.org/t/7").records]
