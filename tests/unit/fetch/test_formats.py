"""Documents that are not HTML: kept whole, readable, and safe whatever they contain."""

from __future__ import annotations

import json
import time
import zlib
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loopback import Loopback

from duramen import FetchOptions, Options, Session
from duramen.errors import UnsupportedContent
from duramen.fetch.content import kind_of
from duramen.fetch.feeds import xml_feed
from duramen.fetch.json_text import pretty_json
from duramen.fetch.xml_reader import MOST_DEPTH, MOST_ELEMENTS, XmlError, read_xml
from duramen.result import Result

RSS = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Wood news</title>
<link>https://wood.example/</link><description>All about wood</description>
<item><title>Oak &amp; ash</title><link>/oak</link><pubDate>Wed, 04 Mar 2026 10:00:00 GMT</pubDate>
<dc:creator>Ann Lind</dc:creator><description>&lt;p&gt;Oak is &lt;b&gt;hard&lt;/b&gt;.&lt;/p&gt;</description></item>
<item><title>Elm &mdash; gone?</title><guid>https://wood.example/elm</guid></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de"><title>Holz</title>
<entry><title type="html">Eiche &lt;i&gt;neu&lt;/i&gt;</title><link rel="self" href="/self"/>
<link rel="alternate" href="/eiche"/><updated>2026-01-02T03:04:05Z</updated><author><name>Bo</name></author>
<summary>Kurz.</summary></entry></feed>"""
RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
<channel><title>Old</title></channel><item><title>One</title><link>https://old.example/1</link></item></rdf:RDF>"""
JSON_FEED = json.dumps(
    {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "Timber",
        "items": [{"url": "/a", "title": "A", "content_html": "<p>Words</p>", "authors": [{"name": "Cy"}]}],
    }
)
SITEMAP = """<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://a.example/1</loc>
<lastmod>2026-01-01</lastmod></url><url><loc>javascript:alert(1)</loc></url></urlset>"""
BOMB = (
    "<!DOCTYPE a [<!ENTITY x0 'lol'>"
    + "".join(f"<!ENTITY x{n} '{f'&x{n - 1};' * 10}'>" for n in range(1, 12))
    + "]><rss>&x11;</rss>"
)


def extract(server: Loopback, body: str | bytes, content_type: str, path: str = "/", **options: Any) -> Result:
    server.page(path, body, content_type)
    with Session(Options(**options), FetchOptions(allow_private=True, delay=0, render="never")) as session:
        return session.extract(server.url(path))


def pdf(*pages: list[tuple[int, str]], title: str = "") -> bytes:
    """A small PDF file: pages of lines, each with the size of its letters."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for lines in pages:
        y, drawn = 800, []
        for size, text in lines:
            y -= 2 * size if size > 12 or not text else 14
            drawn.append(f"BT /F1 {size} Tf 50 {y} Td ({text}) Tj ET")
        stream = zlib.compress("\n".join(drawn).encode("latin-1"))
        objects.append(b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(stream), stream))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R"
            b" /Resources << /Font << /F1 3 0 R >> >> >>" % len(objects)
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(kids), len(kids))
    objects.append(b"<< /Title (%s) >>" % title.encode("latin-1"))
    made, places = bytearray(b"%PDF-1.7\n"), []
    for number, content in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start, count = len(made), len(objects) + 1
    made += b"xref\n0 %d\n0000000000 65535 f \n" % count + b"".join(b"%010d 00000 n \n" % place for place in places)
    made += b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF" % (count, len(objects), start)
    return bytes(made)


@pytest.mark.parametrize(
    ("path", "media", "body", "kind"),
    [
        ("/", "text/html", b"<p>Oak", "page"),
        ("/", "", b"<p>Oak", "page"),
        ("/", "application/xhtml+xml", b'<?xml version="1.0"?><html xmlns="x">', "page"),
        ("/", "application/xml", b"<!DOCTYPE html><html>", "page"),
        ("/", "text/plain", b"<!doctype html><p>", "page"),
        ("/", "text/plain", b"if a < b: print('<p>')", "text"),
        ("/a.MD", "text/plain", b"# Oak", "markdown"),
        ("/llms.txt?x", "text/plain", b"# Oak", "markdown"),
        ("/", "application/json", b"{}", "json"),
        ("/", "application/ld+json", b"[1]", "json"),
        ("/", "text/plain", b'{"a": [1, 2]}', "json"),
        ("/", "text/html", b"<?xml version='1.0'?><rss></rss>", "xml"),
        ("/", "image/svg+xml", b"<svg></svg>", "xml"),
        ("/", "application/octet-stream", b"%PDF-1.7", "pdf"),
        ("/", "text/csv", b"a,b", "text"),
        ("/", "application/yaml", b"a: b", "text"),
    ],
)
def test_kinds(path: str, media: str, body: bytes, kind: str) -> None:
    assert kind_of(f"https://a.example{path}", {"content-type": media}, body) == kind


def test_plain_text_is_kept_as_it_is(server: Loopback) -> None:
    text = "RFC 1\n\n   Indented < text & more <b>\n\n\n* * *\n# end"
    result = extract(server, text, "text/plain", "/rfc1.txt")
    assert (result.text, result.quality.verdict, result.tier) == (text, "good", "document")
    assert result.markdown.strip() == f"```\n{text}\n```"


def test_markdown_is_kept_whole_but_for_what_is_hidden(server: Loopback) -> None:
    text = "# Oaks\n\nThey are *hard*.\n\n## Related links\n\n- [a](/a)\n\n<p style='display:none'>HIDDEN</p>\n"
    result = extract(server, text, "text/markdown", visible_only=True)
    assert f"## Related links\n\n- [a]({server.url('/a')})" in result.markdown
    assert "HIDDEN" not in result.markdown and result.trace.hidden


def test_json(server: Loopback) -> None:
    result = extract(server, '{"a":[1.50,{"b":"caf\\u00e9"}],"c":"' + "x" * 90 + '"}', "application/json")
    assert result.markdown == '```json\n{\n  "a": [1.50, {"b": "café"}],\n  "c": "' + "x" * 90 + '"\n}\n```'
    assert "{broken" in extract(server, "{broken", "application/json").text


def test_json_is_indented_without_changing_it() -> None:
    for text in ('{"n": 12345678901234567890.10, "e": 1E400, "a": []}', "[" + '{"k": "v, {x}"}, ' * 50 + "null]"):
        pretty = pretty_json(text)
        assert pretty is not None
        assert "".join(pretty.split()) == "".join(text.split())
    assert pretty_json("[" * 100_000) is None
    assert pretty_json('"lone \\ud800"') == '"lone \\ud800"'


@pytest.mark.parametrize(
    ("body", "media", "title", "lines"),
    [
        (RSS, "application/rss+xml", "Wood news", [
            "- [Oak & ash]({base}/oak) (2026-03-04T10:00:00+00:00, Ann Lind)\\\n  Oak is hard.",
            "- [Elm — gone?](https://wood.example/elm)",
        ]),
        (ATOM, "text/xml", "Holz", ["- [Eiche neu]({base}/eiche) (2026-01-02T03:04:05Z, Bo)\\\n  Kurz."]),
        (RDF, "text/html", "Old", ["- [One](https://old.example/1)"]),
        (JSON_FEED, "application/feed+json", "Timber", ["- [A]({base}/a) (Cy)\\\n  Words"]),
        (SITEMAP, "application/xml", "Sitemap", ["- <https://a.example/1> (2026-01-01)"]),
    ],
)  # fmt: skip
def test_feeds_and_sitemaps_are_lists(server: Loopback, body: str, media: str, title: str, lines: list[str]) -> None:
    result = extract(server, body, media, "/feed")
    assert (result.title, result.page_type) == (title, "listing")
    listed = result.markdown[result.markdown.index("- ") :].rstrip()
    assert listed == "\n".join(line.format(base=server.url("")) for line in lines)


def test_broken_feeds_give_what_comes_before_the_fault(server: Loopback) -> None:
    result = extract(server, RSS[: RSS.index("<guid>")], "application/rss+xml")
    assert "[Oak & ash]" in result.markdown
    assert result.quality.verdict == "partial"
    assert "the XML is broken in line 6" in result.quality.reasons[0]


def test_feeds_with_bare_ampersands_are_read(server: Loopback) -> None:
    feed = """<rss><channel><title>Oak & ash &mdash; \x08elm</title><item><title><![CDATA[A & B &amp; C]]></title>
    <link>https://a.example/?a=1&b=2</link></item></channel></rss>"""
    result = extract(server, feed, "application/rss+xml", "/feed")
    assert (result.title, result.quality.verdict) == ("Oak & ash — elm", "good")
    assert "- [A & B & C](https://a.example/?a=1&b=2)" in result.markdown
    broken = extract(server, "<rss><channel><title>T</titel>", "application/rss+xml", "/feed")
    assert broken.text == "<rss><channel><title>T</titel>", "a feed of which nothing can be read is shown as it is"


def test_feeds_may_hold_elements_where_text_is_expected(server: Loopback) -> None:
    feed = """<feed><title type="xhtml"><div>Oak <b>news</b></div></title><entry><title>A</title><link href="/a"/>
    <content type="xhtml"><div><p>Oak is <b>hard</b>.</p><p>Ash is tough.</p></div></content></entry></feed>"""
    result = extract(server, feed, "application/atom+xml", "/feed")
    assert result.title == "Oak news"
    assert result.markdown.rstrip().endswith("Oak is **hard**. Ash is tough.".replace("**", ""))


def test_rdf_that_is_no_feed_is_source(server: Loopback) -> None:
    data = '<rdf:RDF xmlns:rdf="r" xmlns:foaf="f"><foaf:Person><foaf:name>Ada Quill</foaf:name></foaf:Person></rdf:RDF>'
    assert extract(server, data, "application/rdf+xml").text == data


@pytest.mark.parametrize(
    "text",
    [
        BOMB,
        '<!DOCTYPE rss [<!ENTITY f SYSTEM "file:///etc/passwd">]><rss>&f;</rss>',
        '<!DOCTYPE rss [<!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd"> %p;]><rss/>',
    ],
)
def test_declared_entities_are_refused(server: Loopback, text: str) -> None:
    with pytest.raises(XmlError, match="declares entities"):
        read_xml(text)
    began = time.process_time()
    assert len(extract(server, text, "application/rss+xml").text) < 10_000
    assert time.process_time() - began < 5


def test_xml_is_bounded() -> None:
    root, fault = read_xml("<a>" * 100_000)
    assert f"deeper than {MOST_DEPTH}" in fault and root.name == "a"
    root, fault = read_xml(f"<a>{'<b/>' * (MOST_ELEMENTS + 5)}</a>")
    assert "were left out" in fault and len(root.parts) < MOST_ELEMENTS


@given(st.text(alphabet="<>/rsitemlnk=\"'&;![]CDAT x", max_size=200))
def test_any_xml(text: str) -> None:
    try:
        root, fault = read_xml(text)
    except XmlError:
        return
    xml_feed(root, "https://a.example/", fault)


def test_other_xml_is_source(server: Loopback) -> None:
    result = extract(server, "<?xml version='1.0'?><catalog><book>A</book></catalog>", "application/xml")
    assert result.markdown.startswith("```xml\n<?xml version='1.0'?><catalog>")
    long = extract(server, f"<catalog>{'<book>A</book>' * 500}</catalog>", "application/xml")
    assert long.text.startswith("<catalog>\n<book>A</book>\n<book>")


class TestPdf:
    LINES: ClassVar = [
        (24, "The oak report"),
        (11, "Oaks live for centu-"),
        (11, "ries, and their wood is hard."),
        (11, ""),
        (11, "Another paragraph."),
        (16, "Growth"),
        (11, "Rings are wide in wet years."),
    ]

    def test_text_by_page_with_headings(self, server: Loopback) -> None:
        pytest.importorskip("pypdfium2")
        body = pdf(self.LINES, [(11, "The end.")], title="Oaks")
        result = extract(server, body, "application/pdf", "/oak.pdf")
        assert (result.title, result.quality.verdict) == ("Oaks", "good")
        assert result.markdown == (
            "## Page 1\n\n### The oak report\n\nOaks live for centuries, and their wood is hard.\n\n"
            "Another paragraph.\n\n#### Growth\n\nRings are wide in wet years.\n\n## Page 2\n\nThe end."
        )

    def test_headings_one_above_another_are_two(self, server: Loopback) -> None:
        pytest.importorskip("pypdfium2")
        lines = [(20, "The oak report"), (20, "First chapter"), *[(11, "Oaks live for centuries.")] * 9]
        result = extract(server, pdf(lines), "application/pdf")
        assert "### The oak report\n\n### First chapter\n\n" in result.markdown

    def test_without_text(self, server: Loopback) -> None:
        pytest.importorskip("pypdfium2")
        result = extract(server, pdf([]), "application/pdf")
        assert result.quality.verdict == "empty" and "may be images" in result.quality.reasons[-1]

    @pytest.mark.parametrize("body", [b"%PDF-1.7", b"%PDF-1.7 " + bytes(range(256)) * 9, pdf([(11, "x")])[:300]])
    def test_damaged(self, server: Loopback, body: bytes) -> None:
        pytest.importorskip("pypdfium2")
        with pytest.raises(UnsupportedContent, match="cannot be read"):
            extract(server, body, "application/pdf")

    def test_many_pages_are_cut(self, server: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
        module = pytest.importorskip("duramen.fetch.pdf")
        monkeypatch.setattr(module, "MOST_PAGES", 2)
        result = extract(server, pdf(*([(11, f"Page {n}.")] for n in range(5))), "application/pdf")
        assert result.quality.verdict == "partial"
        assert "pages after the first 2 of 5 were left out" in result.trace.limits

    @pytest.mark.parametrize("media", ["application/pdf", "text/html"])
    def test_missing_extra_is_named(self, server: Loopback, monkeypatch: pytest.MonkeyPatch, media: str) -> None:
        monkeypatch.setattr("duramen.fetch.content.find_spec", lambda name: None)
        with pytest.raises(UnsupportedContent, match=r"pip install 'duramen\[pdf\]'"):
            extract(server, pdf([(11, "x")]), media)
