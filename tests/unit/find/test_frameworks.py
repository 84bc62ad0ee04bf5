"""Frameworks are recognised by several marks, propose what their rows say, and give way when a page is not as known."""

from __future__ import annotations

import time
from math import fsum
from pathlib import Path

import pytest

import duramen
from duramen.errors import RuleError
from duramen.find.choice import COVERED
from duramen.find.frameworks import find_framework
from duramen.flatten import parse_tree
from duramen.framework_rows import read_row, rows
from duramen.options import Options
from duramen.page import Page
from duramen.read.framework import _names as detected_names
from duramen.read.framework import detect_framework, framework_title
from duramen.read.reader import read_page

PROSE = (
    "Oak heartwood is hard, dark and durable, and for centuries shipwrights chose it for keels and ribs of ships.",
    "The living part of the trunk is the sapwood, which carries water from the roots up to the leaves of the crown.",
    "As rings age, the tree fills them with tannins and gums, and they stop carrying any water within a few weeks.",
    "Carpenters therefore cut the pale outer wood away before they bring a beam under a roof for good and all.",
)
BODY = "".join(f"<p>{text}</p>" for text in PROSE)
GOOD = {"id": "elm", "name": "Elm", "seen": "1.0", "evidence": {".elm-a": 0.6, "#elm": 0.5}, "content": ["main"]}


def read(body: str, head: str = "") -> Page:
    return read_page(f"<html><head><title>Oaks</title>{head}<body>{body}", None, Options())


def test_evidence_adds_up_to_the_same_in_any_order() -> None:
    marks = [mark for mark in rows()["wordpress"].evidence if mark[0] == "."]
    page = read("".join(f"<p class={mark[1:]}>" for mark in marks))
    assert page.framework is not None and page.framework.evidence == tuple(sorted(marks))
    assert page.framework.confidence == min(1.0, fsum(rows()["wordpress"].evidence[mark] for mark in marks) / 2)


def test_one_class_is_never_enough() -> None:
    one = read(f"<div class=theme-doc-markdown>{BODY}</div>")
    assert one.framework is None and list(find_framework(one)) == []
    two = read(f"<div id=__docusaurus><div class=theme-doc-markdown>{BODY}</div></div>")
    assert two.framework is not None and two.framework.evidence == ("#__docusaurus", ".theme-doc-markdown")


def test_generator_is_enough() -> None:
    named = detect_framework(parse_tree("<p>x"), {"generator": ("Elm 0.1", "Docusaurus v2")})
    assert named is not None and named.id == "docusaurus"
    assert detect_framework(parse_tree("<p>x"), {"generator": ("my docusaurus",)}) is None


def test_marks_on_the_root_count_by_value() -> None:
    shared = "<div class='rst-content wy-body-for-nav'><a class=rst-current-version></a>"
    assert detect_framework(parse_tree(f"<body role=document>{shared}"), {}) is not None
    assert detect_framework(parse_tree(f"<body role=other>{shared}"), {}) is None


def test_a_script_is_known_by_its_file_and_folder() -> None:
    def detected(*scripts: str) -> str:
        found = detect_framework(parse_tree("".join(f"<script src={src}></script>" for src in scripts)), {})
        return found.id if found else ""

    own = ("_static/documentation_options.js?v=5929", "/en/_static/doctools.js", "../sphinx_highlight.js#x?y")
    assert detected(*own) == "sphinx"
    assert detected(own[0]) == "" == detected("my_documentation_options.js", "doctools.json", own[2])
    marked = "<a class='headerlink codehilite'></a>"
    assert detect_framework(parse_tree(f"{marked}<script src=../search/main.js></script>"), {}) is not None
    assert detect_framework(parse_tree(f"{marked}<script src=../other/main.js></script>"), {}) is None


def test_parts_are_proposed_where_no_element_holds_the_whole() -> None:
    head = "<script src=_static/documentation_options.js></script><script src=_static/doctools.js></script>"
    heading = "<h1>Oaks<a class=headerlink href=#oaks>#</a></h1>"
    notes = "<aside class='footnote-list brackets'><p>A note on oaks.</p></aside>"
    document = f"<section id=oaks>{heading}{BODY}</section><hr>{notes}<p>Previous: larches</p>"
    page = read_page(f"<html data-content_root=./><head><title>Oaks</title>{head}<body>{document}", None, Options())
    (candidate,) = find_framework(page)
    assert [page.tree.tag[i] for i in candidate.nodes] == ["section", "aside"]


def test_shop_outranks_the_system_it_runs_on() -> None:
    head = '<meta name=generator content="WordPress 6"><meta name=generator content="WooCommerce 9">'
    shop = read(f"<div class='single-product wp-singular'><div class='product type-product'>{BODY}</div></div>", head)
    assert shop.framework is not None and shop.framework.id == "woocommerce"
    post = read(f"<div class=entry-content>{BODY}</div>", head)
    assert post.framework is not None and post.framework.id == "wordpress"


def test_framework_without_its_content_proposes_nothing() -> None:
    page = read(f"<div class=custom>{BODY}</div>", "<meta name=generator content=docusaurus>")
    assert page.framework is not None and list(find_framework(page)) == []


def test_two_content_elements_are_a_list_of_articles() -> None:
    page = read(f"<div class=theme-doc-markdown>{BODY}</div>" * 2, "<meta name=generator content=docusaurus>")
    assert list(find_framework(page)) == []


def test_posts_of_a_thread_are_all_proposed() -> None:
    post = f"<article class=message-body><div class=bbWrapper>{BODY}</div></article>"
    page = read_page(f"<html id=XF><body><div class=p-body-main>{post * 3}</div>", None, Options())
    (candidate,) = find_framework(page)
    assert candidate.rule_id == "framework-xenforo" and len(candidate.nodes) == 3


def test_half_a_page_is_not_taken_for_the_content() -> None:
    """A version that moved most of the text out of the element it used to stand in."""
    head = "<meta name=generator content='Docusaurus v9'>"
    lead = f"<div class=theme-doc-markdown><p>{PROSE[0]}</p></div>"
    moved = f"<main><article><h1>Oaks</h1>{lead}<div class=body-next>{BODY * 3}</div></article></main>"
    result = duramen.extract(f"<html><head><title>Oaks</title>{head}<body>{moved}")
    assert result.framework is not None and result.tier != "framework"
    (attempt,) = (a for a in result.trace.attempts if a.candidate.tier == "framework")
    assert attempt.outcome.startswith("failed: covered") and f"limit {COVERED:g}" in attempt.outcome
    assert all(text in result.text for text in PROSE)


def test_the_lead_between_title_and_content_is_kept() -> None:
    """Themes of WordPress set the standfirst above the element that holds the rest."""
    lead = "Why carpenters of five centuries cut the pale wood away, and what became of the beams where they did not."
    head = "<meta name=generator content='WordPress 6.8'>"
    note = (
        "A beam of the old barn, seen from below, with the pale edge still on it, in spring, before the fire of 1931."
    )
    body = f"<main><article><h1>Old beams under old roofs</h1><p>{lead}</p>"
    body += (
        f"<figure><figcaption>{note}</figcaption></figure><div class=entry-content>{BODY * 2}</div></article></main>"
    )
    result = duramen.extract(f"<html><head><title>Old beams under old roofs</title>{head}<body>{body}")
    assert result.tier == "framework" and result.text.startswith(lead)
    assert "seen from below" not in result.text and all(text in result.text for text in PROSE)


def test_a_card_of_ghost_is_kept_for_what_it_says() -> None:
    head = "<meta name=generator content='Ghost 5.80'>"
    said = "Whoever wants to see such a beam for once may come to the old barn on the first Sunday of every month."
    card = f"<div class=kg-cta-card><p>{said}</p><p>The path to it begins behind the church.</p></div>"
    offer = (
        "<div class=kg-signup-card><h2>Subscribe</h2><form><input name=email><button>Sign up now</button></form></div>"
    )
    body = f"<article><h1>Oaks</h1><section class=gh-content>{BODY}{card}<p>{PROSE[3]}</p>{offer}</section></article>"
    result = duramen.extract(f"<html><head><title>Oaks</title>{head}<body>{body}")
    assert result.tier == "framework" and said in result.text and "Sign up now" not in result.text


def test_a_preview_of_a_link_is_its_title() -> None:
    preview = (
        "<aside class=onebox><header class=source><a href=https://e.example/x>e.example</a></header>"
        "<article class=onebox-body>"
        "<h3><a href=https://e.example/x>The keel of an oak</a></h3><p>Text of another site.</p></article></aside>"
    )
    reply = "<p>That keel is in the museum by now, and whoever asks at the door may touch it, which I did.</p>"
    posts = "".join(
        f"<div class=crawler-post><div class=post itemprop=text>{x}</div></div>" for x in (BODY + preview, reply)
    )
    head = "<meta name=generator content='Discourse 3.4'>"
    result = duramen.extract(f"<html><head><title>Oaks</title>{head}<body><h1>Oaks</h1>{posts}")
    assert result.tier == "framework" and "another site" not in result.text
    assert '<a href="https://e.example/x">The keel of an oak</a>' in result.html


def test_title_is_the_heading_without_its_permalink() -> None:
    head = "<meta name=generator content='mkdocs-1.6, mkdocs-material-9.8'>"
    heading = "<h1>Sap &amp; wood<a class=headerlink href=#x>#</a></h1>"
    page = read(f"<h1>Archive</h1><article class='md-content__inner md-typeset'>{heading}{BODY}</article>", head)
    assert framework_title(page.tree, page.framework) == ("Sap & wood", "article.md-content__inner > h1")
    assert page.metadata.title == "Sap & wood" and page.metadata.sources["title"].startswith("framework ")


@pytest.mark.parametrize("name", sorted(rows()))
def test_every_row_is_usable(name: str) -> None:
    row, page = rows()[name], read(BODY)
    assert sum(row.evidence.values()) >= 1 and row.outranks <= rows().keys()
    for selector in (*row.content, *row.parts, *row.title, *row.remove, *row.keep):
        page.tree.select(selector)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"id": "oak"}, "write the file's own name"),
        ({"colour": "red"}, "unknown key 'colour'"),
        ({"content": []}, "'content' is missing"),
        ({"kind": "poem"}, "no page type"),
        ({"evidence": {".elm": 1.0}}, "alone would be enough"),
        ({"evidence": {"div.elm": 0.5}}, "is not .class"),
    ],
)
def test_broken_row_says_what_to_write(change: dict[str, object], told: str) -> None:
    read_row(GOOD, "elm.toml")
    with pytest.raises(RuleError, match=told):
        read_row({**GOOD, **change}, "elm.toml")


def test_detection_is_cheap() -> None:
    """Look-ups, not searches: a large page costs well below a millisecond."""
    root = Path(__file__).parents[2] / "sites" / "pages" / "nextra4" / "guide.html"
    tree = parse_tree(root.read_text(encoding="utf-8"))
    best = 1.0
    for _ in range(20):
        started = time.process_time()
        assert detect_framework(tree, {}) is not None
        best = min(best, time.process_time() - started)
    assert best < 0.002


@pytest.mark.parametrize(
    ("src", "is_found"),
    [
        ("/_static/doctools.js?v=1", True),
        ("doctools.js", True),
        ("doctools.js#x/y", True),
        ("https://example.org/a&amp;b/search/main.js", True),
        ("search/main.js", True),
        ("main.js", False),
        ("/research/main.js", False),
        ("/doctools.js/x", False),
        ("x" * 489 + "/doctools.js", False),
        ("&lt;" * 487 + "/doctools.js", True),
        ("", False),
        ("?doctools.js", False),
    ],
)
def test_scripts_that_are_evidence(src: str, is_found: bool) -> None:
    tree = parse_tree(f"<script src='{src}'></script><img src=doctools.js><p class='a  theme-doc-markdown' id=x>")
    found = detected_names(tree)
    assert any(name.startswith("/") for name in found) is is_found
    assert ".theme-doc-markdown" in found
