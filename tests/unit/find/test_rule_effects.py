"""What each part of a site rule does to a result."""

from __future__ import annotations

from typing import Any

import pytest

from duramen import Options, Result
from duramen.model import SiteRule
from duramen.pipeline import run
from duramen.rule_set import only

PROSE = "Oak heartwood is hard, dark and durable, and for centuries shipwrights chose it for keels and for ribs. " * 2
BODY = f"<p>{PROSE}</p><p class=sub>Of keels</p><p>{PROSE}</p><p>{PROSE}</p>"

AD = "<div class=ad><div class=y><a href=https://shop.example/>Buy shoes now</a></div></div>"


def extract(body: str, **parts: Any) -> Result:
    rule = SiteRule("oaks", ("oaks.example",), **{"primary": (".body",), **parts})
    html = f"<!doctype html><title>Oaks and keels</title><body><nav><a href=/>Home</a></nav>{body}"
    return run(html, "https://oaks.example/", Options(), rules=only(rule))


def test_levels_are_tried_in_order() -> None:
    body = f"<div class=first><p>Short.</p></div><div class=second>{BODY}</div><main>{BODY}</main>"
    result = extract(body, primary=(".none", ".first"), secondary=(".second",), fallback=("main",))
    assert result.trace.attempts[0].candidate.evidence.endswith(": secondary selector .second")
    result = extract(body, primary=(".none",), secondary=(".gone",), fallback=("main",))
    assert result.trace.attempts[0].candidate.evidence.endswith(": fallback selector main")
    assert extract(body, primary=(".none",)).tier != "site_rule"


def test_all_that_a_selector_finds_is_content() -> None:
    result = extract(f"<div class=body>{BODY}</div><hr><div class=body><p>Last. {PROSE}</p></div>")
    assert result.tier == "site_rule" and "Last." in result.text and result.text.count("Of keels") == 1


def test_remove_and_keep() -> None:
    body = f"<div class=body>{BODY}<div class=x><p>Unwanted words here.</p></div>{AD}</div>"
    plain = extract(body)
    assert "Unwanted" in plain.text and "Buy shoes" not in plain.text
    ruled = extract(body, remove=(".x",), keep=(".ad",))
    assert "Unwanted" not in ruled.text and "Buy shoes" in ruled.text


def test_keep_reaches_into_what_a_row_removes() -> None:
    assert "Buy shoes" in extract(f"<div class=body>{BODY}{AD}</div>", keep=(".y",)).text


def test_an_inline_removal_leaves_the_rest_of_its_paragraph() -> None:
    result = extract(f"<div class=body><p><b class=x>(CNN)</b> Begins so. {PROSE}</p>{BODY}</div>", remove=(".x",))
    assert result.text.startswith("Begins so.") and "CNN" not in result.text


def test_rename() -> None:
    result = extract(f"<div class=body>{BODY}</div>", rename={"p.sub": "h3"})
    assert "<h3>Of keels</h3>" in result.html and "### Of keels" in result.markdown


def test_page_type_is_the_rules_word_where_it_found_its_content() -> None:
    found = extract(f"<div class=body>{BODY}</div>", page_type="product")
    assert (found.page_type, found.kind.evidence) == ("product", ("site rule oaks",))
    assert extract(f"<main>{BODY}</main>", page_type="product").page_type != "product"


@pytest.mark.parametrize(
    ("parts", "outcome"),
    [
        ({}, "won"),
        ({"paragraphs": 4}, "won"),
        ({"paragraphs": 5}, "failed: paragraphs"),
        ({"link_density": 0.0}, "failed: link_density"),
        ({"words": 1000}, ""),
    ],
)
def test_thresholds(parts: dict[str, Any], outcome: str) -> None:
    result = extract(f"<div class=body>{BODY}</div><p>By the same.</p>", page_type="article", **parts)
    tried = [a.outcome for a in result.trace.attempts if a.candidate.tier == "site_rule"]
    assert (tried == []) if not outcome else tried[0].startswith(outcome)


def test_metadata_goes_before_what_the_page_says() -> None:
    byline = "<span class=by>By Ines Halvorsen and Bo Lindgren</span><i class=d>4 May 2026</i>"
    head = f"<div class=top><h2 class=t>The oak</h2>{byline}</div>"
    selectors = {"title": (".none", ".t"), "author": (".by",), "published": (".d",)}
    meta = extract(f"{head}<div class=body>{BODY}</div>", metadata=selectors).metadata
    assert (meta.title, meta.author, meta.published) == ("The oak", "Ines Halvorsen, Bo Lindgren", "2026-05-04")
    assert {meta.sources[name] for name in ("title", "authors", "published")} == {"site rule:oaks"}


def test_metadata_from_attributes_and_from_nothing() -> None:
    head = "<meta class=t content='From meta'><time class=d datetime=2026-05-04T10:00:00Z>May</time>"
    meta = extract(f"{head}<div class=body>{BODY}</div>", metadata={"title": (".t",), "published": (".d",)}).metadata
    assert meta.title == "From meta" and (meta.published or "").startswith("2026-05-04")
    meta = extract(f"<div class=body>{BODY}</div>", metadata={"title": (".t", "p["), "author": (".t",)}).metadata
    assert meta.title == "Oaks and keels"
    assert "site rule:oaks" not in meta.sources.values()


def test_what_a_rule_removes_does_not_count_against_it() -> None:
    """A page is bad where the judge is sure of what is no content: its rule has to be able to win."""
    notice = "<div class=body><p>The first ferry leaves at six.</p><p>The last one comes back at ten.</p></div>"
    talk = f"<div class=talk>{BODY * 4}</div>"
    assert extract(notice + talk, words=5).tier != "site_rule"
    result = extract(notice + talk, words=5, remove=(".talk",))
    assert result.tier == "site_rule" and "ferry" in result.text and "Oak heartwood" not in result.text
