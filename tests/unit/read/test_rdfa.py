"""RDFa on the elements themselves: RDFa Lite with schema.org, and what older systems write."""

from __future__ import annotations

import time

import pytest

import duramen
from duramen.flatten import parse_tree
from duramen.model import Metadata, StructuredData
from duramen.options import Options
from duramen.read.rdfa import read_rdfa
from duramen.read.reader import read_page

URL = "https://example.org/oaks"
SENTENCE = "Oak heartwood is hard, dark and durable, and for centuries shipwrights chose it for keels and ribs. "
LITE = f"""<body vocab="https://schema.org/"><ul><li><a href="/fair">A fair in May</a></li>
<li><a href="/pine">The price of pine went up</a></li></ul>
<div typeof="NewsArticle" resource="#story"><h2 property="headline">Why keels were made of oak</h2>
<p>By <span property="author" typeof="Person"><a property="url" href="/ada"><span property="name">Ada Holm</span></a>
</span>,
<time property="datePublished" datetime="2024-03-01T10:00:00+01:00">on the first</time></p>
<meta property="dateModified" content="2024-03-02">
<div property="articleBody"><p>{SENTENCE * 4}</p><p>{SENTENCE * 3}<a href="/pine">Pine</a> is soft.</p></div></div>"""
DRUPAL = f"""<html prefix="content: http://purl.org/rss/1.0/modules/content/ dc: http://purl.org/dc/terms/
 sioc: http://rdfs.org/sioc/ns# foaf: http://xmlns.com/foaf/0.1/"><title>Keels of oak | The Yard</title>
<body><div typeof="sioc:Item foaf:Document" about="/node/1"><h2 property="dc:title">Keels of oak</h2>
<span property="dc:date dc:created" content="2015-01-02T10:00:00+00:00" datatype="xsd:dateTime">Fri, 10:00</span>
<div property="content:encoded"><p>{SENTENCE * 6}</p></div></div></body></html>"""


def read(html: str) -> tuple[StructuredData, Metadata]:
    page = read_page(html, URL, Options())
    return page.structured, page.metadata


def test_lite_objects_have_the_shape_of_json_ld() -> None:
    (story,) = read(LITE)[0].rdfa
    assert story["@type"] == "NewsArticle" and story["@id"] == f"{URL}#story"
    assert story["headline"] == "Why keels were made of oak"
    assert story["author"]["name"] == "Ada Holm" and story["author"]["@type"] == "Person"
    assert story["articleBody"].startswith("Oak heartwood")


def test_lite_fills_the_metadata() -> None:
    metadata = read(LITE)[1]
    assert metadata.title == "Why keels were made of oak"
    assert metadata.authors == ("Ada Holm",) and metadata.sources["authors"] == "rdfa:author"
    assert metadata.published == "2024-03-01T10:00:00+01:00" and metadata.sources["published"] == "rdfa:datePublished"
    assert (metadata.modified or "").startswith("2024-03-02")


def test_the_body_is_proposed() -> None:
    for html in (LITE, DRUPAL):
        result = duramen.extract(html, URL)
        found = [a for a in result.trace.attempts if a.candidate.rule_id == "article-body"]
        assert found and found[0].candidate.nodes
        assert "Oak heartwood" in result.text and "fair in May" not in result.text


def test_older_vocabularies_are_read_by_the_same_names() -> None:
    structured, metadata = read(DRUPAL)
    (node,) = structured.rdfa
    assert node["@type"] == "Article" and node["headline"] == "Keels of oak"
    assert metadata.published == "2015-01-02T10:00:00+00:00" and metadata.sources["published"] == "rdfa:dateCreated"


def test_a_comment_is_not_the_page() -> None:
    html = """<body vocab="http://schema.org/"><div typeof="Comment"><span property="author">Rolf Reader</span>
    <time property="datePublished" datetime="2019-05-05">May</time></div></body>"""
    structured, metadata = read(html)
    assert structured.rdfa[0]["@type"] == "Comment"
    assert metadata.authors == () and metadata.sources.get("published") != "rdfa:datePublished"


def test_other_vocabularies_and_untyped_things_say_nothing() -> None:
    html = """<body><figure typeof="mw:File"><img src=a.png></figure><div typeof="v:Breadcrumb">
    <a property="v:title">Home</a></div><p property="headline">No type, no vocabulary</p></body>"""
    assert read(html)[0].rdfa == ()


def test_hostile_nesting_and_numbers_are_bounded() -> None:
    deep = '<body vocab="https://schema.org/" typeof="Article">' + '<div typeof="Article" property="hasPart">' * 3_000
    structured, _ = read(deep)
    depth, item = 0, structured.rdfa[0]
    while "hasPart" in item:
        depth, item = depth + 1, item["hasPart"]
    assert 100 < depth < 1_000
    many = '<body vocab="https://schema.org/">' + '<p typeof="Article"><b property="name">x</b></p>' * 5_000
    structured, _ = read(many)
    assert 0 < len(structured.rdfa) <= 2_000 and "rdfa: items left out, over the limit" in structured.problems


@pytest.mark.parametrize(
    ("inner", "name", "value"),
    [
        ('<a property=url href="/x">link</a>', "url", "https://example.org/x"),
        ('<img property=image src="i.png">', "image", "https://example.org/i.png"),
        ('<a property=sameAs href="mailto:a@b.example">x</a>', "sameAs", "mailto:a@b.example"),
        ('<span property=author resource="#ada">Ada</span>', "author", f"{URL}#ada"),
        ('<a property=name content="Oak" href="/x">x</a>', "name", "Oak"),
        ('<span property=name content="">x</span>', "name", ""),
        ('<time property=dateCreated datetime="2020">x</time>', "dateCreated", "2020"),
        ('<b property=name datetime="2020">x</b>', "name", "x"),
        ("<b property=name>an <i>oak</i> </b>", "name", "an oak"),
        ("<b property=name>a</b><b property=name>b</b>", "name", ["a", "b"]),
        ("<p property=name><b property=name>a</b></p>", "name", ["a", "a"]),
        ("<b property='name headline'>a</b>", "headline", "a"),
        ('<b property="schema:name">a</b>', "name", "a"),
        ('<b property="SCHEMA:name">a</b>', "name", "a"),
        ('<b property="dc:title">a</b>', "headline", "a"),
        ('<p prefix="x: http://purl.org/dc/terms/"><b property="x:creator">a</b></p>', "author", "a"),
        ('<p prefix="x:http://purl.org/dc/terms/"><b property="x:creator">a</b></p>', "author", None),
        ('<p vocab="http://xmlns.com/foaf/0.1/"><b property="name">a</b></p>', "name", "a"),
        ('<p vocab=""><b property="name">a</b></p>', "name", None),
        ('<p vocab="http://other.example/"><b property="name">a</b></p>', "name", None),
        ('<p typeof="Person"><b property="name">a</b></p>', "name", None),
        ('<p about="#b"><b property="name">a</b></p>', "name", "a"),
    ],
)
def test_values_of_properties(inner: str, name: str, value: object) -> None:
    html = f'<body vocab="https://schema.org/"><div typeof="Article"><i property="text">t</i>{inner}</div></body>'
    (item,) = read(html)[0].rdfa
    assert item.get(name) == value


def test_text_that_is_repeated_too_often_is_left_out() -> None:
    html = '<body vocab="https://schema.org/" typeof="Article">' + "<b property=name>" * 300 + "oak " * 5_000
    structured, _ = read(html)
    assert structured.rdfa == () and "rdfa: left out, since it repeats itself too often" in structured.problems


def test_many_prefixes_cost_little() -> None:
    prefixes = " ".join(f"p{k}: http://p{k}.example/" for k in range(40))
    html = (
        '<body vocab="https://schema.org/" typeof="Article">'
        + f"<p prefix='{prefixes}'>" * 3_000
        + "<b property=name>x"
    )
    started = time.process_time()
    (item,) = read_rdfa(parse_tree(html), URL, [])
    assert item["name"] == "x" and time.process_time() - started < 2


TRAIL = (
    '<ol typeof="BreadcrumbList"{}><li property="itemListElement" typeof="ListItem">'
    '<a property="item" typeof="WebPage" href="/trees"><span property="name">Trees</span></a></li></ol>'
)


@pytest.mark.parametrize(
    ("html", "is_read"),
    [
        ("<p>no types", False),
        (TRAIL.format(' vocab="https://schema.org/"'), False),
        (TRAIL.format(""), False),
        ('<p typeof="v:Breadcrumb"><img typeof="foaf:Image"><a typeof="mw:WikiLink">', False),
        ('<p typeof="Article"><b property="headline">without a vocabulary', False),
        ('<p typeof="mw:File Article" vocab="https://schema.org/"><b property="headline">Oaks', True),
        ('<p typeof="schema:Article"><b property="schema:headline">Oaks', True),
        ('<p typeof="sioc:Item"><b property="dc:title">Oaks', True),
        ('<p typeof="https://schema.org/Article"><b property="https://schema.org/headline">Oaks', True),
    ],
)
def test_only_types_that_may_be_the_page_s_are_read(html: str, is_read: bool) -> None:
    assert bool(read_rdfa(parse_tree(html), URL, [])) == is_read
