"""The language that a page declares, or that its text is in."""

from __future__ import annotations

import pytest

from duramen.options import Options
from duramen.read.languages import month_first_in
from duramen.read.reader import read_page

ENGLISH = "The wheel of the old mill broke loose during the storm and the repairs will take all of the summer."
GERMAN = "Das Rad der alten Mühle hat sich bei dem Sturm gelöst und die Reparatur wird den ganzen Sommer dauern."


def language(html: str) -> tuple[str | None, str | None]:
    metadata = read_page(f"<!doctype html>{html}", None, Options()).metadata
    return metadata.language, metadata.sources.get("language")


@pytest.mark.parametrize(
    ("tag", "found"),
    [
        ("de", "de"),
        ("DE", "de"),
        ("de-at", "de-AT"),
        ("de_AT", "de-AT"),
        ("zh-hant-tw", "zh-Hant-TW"),
        ("es-419", "es-419"),
        ("en-US-x-oak", "en-US"),
        ("deu", "de"),
        ("ger", "ger"),
        ("English", "en"),
        ("Deutsch", "de"),
        ("Klingon", None),
        ("und", None),
        ("zxx", None),
        ("mul", None),
        ("xx", None),
        ("d", None),
        ("", None),
    ],
)
def test_tags_in_the_form_of_bcp_47(tag: str, found: str | None) -> None:
    assert language(f"<html lang='{tag}'>")[0] == found


@pytest.mark.parametrize(
    ("html", "found"),
    [
        (f"<html lang=fr><meta name=language content=it><p>{GERMAN}", ("fr", "dom:html lang")),
        ("<html xml:lang=fr>", ("fr", "dom:html xml:lang")),
        ("<meta http-equiv=content-language content='it, fr'>", ("it", "meta:content-language")),
        ("<meta name=language content=it>", ("it", "meta:language")),
        ("<meta name=dc.language content=it>", ("it", "meta:dc.language")),
        ("<meta name=dcterms.language content=it>", ("it", "meta:dcterms.language")),
        ("<meta property=og:locale content=it_IT>", ("it-IT", "meta:og:locale")),
        ("<meta property=og:locale content=fr><meta name=language content=it>", ("it", "meta:language")),
        (
            '<script type="application/ld+json">{"@type": "Article", "inLanguage": "it"}</script>',
            ("it", "json-ld:inLanguage"),
        ),
        (f"<p>{GERMAN}", ("de", "detected")),
        (f"<p>{ENGLISH}", ("en", "detected")),
        (f"<p>{GERMAN[:58]}", (None, None)),
        # The page's own language is in its middle.
        (f"<p>{ENGLISH}<p>{GERMAN * 6}", ("de", "detected")),
    ],
)
def test_what_declares_a_language(html: str, found: tuple[str | None, str | None]) -> None:
    assert language(html) == found


@pytest.mark.parametrize(
    ("declared", "url", "first"),
    [
        ("en-US", "https://oak.de/", True),
        ("en-PH", "https://oak.de/", True),
        ("en-GB", "https://oak.com/", False),
        ("de", "https://oak.com/", False),
        ("en", "https://oak.com/", True),
        (None, "https://oak.com/", True),
        ("en", "https://oak.us/", True),
        ("en", "https://oak.co.uk/", False),
        ("en", "https://oak.de/", False),
        ("en", "", True),
    ],
)
def test_where_the_month_is_before_the_day(declared: str | None, url: str, first: bool) -> None:
    assert month_first_in(declared, url) == first
