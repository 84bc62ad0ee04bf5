"""RDFa on the elements themselves: RDFa Lite with schema.org, and what older systems write."""

from __future__ import annotations

import pytest

import duramen
from duramen.dom import parse
from duramen.flatten import flatten
from duramen.model import Metadata, StructuredData
from duramen.options import Options
from duramen.pipeline import read_page
from duramen.read.rdfa import read_rdfa

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
    page = read_page(html, URL, Options(), [])
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
    assert structured.rdfa == () and "rdfa: nested too deeply" in structured.problems
    many = '<body vocab="https://schema.org/">' + '<p typeof="Article"><b property="name">x</b></p>' * 5_000
    structured, _ = read(many)
    assert 0 < len(structured.rdfa) <= 2_000 and "rdfa: items left out, over the limit" in structured.problems


TRAIL = (
    '<ol typeof="BreadcrumbList"{}><li property="itemListElement" typeof="ListItem">'
    '<a property="item" typeof="WebPage" href="/trees"><span property="name">Trees</span></a></li></ol>'
)


@pytest.mark.parametrize(
    ("html", "is_asked"),
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
def test_the_parser_is_asked_only_where_something_may_be_told(html: str, is_asked: bool) -> None:
    """Its document may have to be made for that, which takes as long as to parse the page."""
    tree = flatten(parse(html))
    read_rdfa(tree, URL, [])
    assert ("document" in tree.elements.__dict__) == is_asked
