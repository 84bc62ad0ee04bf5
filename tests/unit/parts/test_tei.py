"""TEI documents are valid, and hold all words."""

from __future__ import annotations

import gzip
import random
import re
import sysconfig
from html import unescape
from pathlib import Path

import pytest
from lxml import etree  # noqa: TID251  # the schema is checked by what others use

from duramen import Output, Result, extract
from duramen.dom import fragment
from duramen.model import Metadata
from duramen.parts.tei import render_tei
from duramen.refine.sanitize import sanitize

TEI = "{http://www.tei-c.org/ns/1.0}"
LITE = frozenset(
    "abbr add addrLine address author bibl biblScope choice cit corr date del desc divGen editor emph expan foreign gap"
    " gloss graphic head hi index item l label lb lg list listBibl mentioned milestone name note num orig p pb ptr"
    " pubPlace publisher q ref reg relatedItem resp respStmt rs sic soCalled sp speaker stage teiCorpus term time title"
    " unclear authority availability catDesc catRef category change classCode classDecl creation distributor edition"
    " editionStmt editorialDecl encodingDesc extent fileDesc funder idno keywords langUsage language licence notesStmt"
    " principal profileDesc projectDesc publicationStmt refsDecl revisionDesc samplingDecl seriesStmt sourceDesc"
    " sponsor taxonomy teiHeader textClass titleStmt TEI argument back body byline closer dateline div"
    " docAuthor docDate docEdition docImprint docTitle epigraph front group imprimatur opener postscript salute"
    " signed text titlePage titlePart trailer cell figure figDesc formula row table anchor seg interp interpGrp pc s w"
    " att code eg gi ident val".split()
)
"""The elements of TEI Lite, a pure subset of TEI P5: what is valid there and has only these is valid here."""
NOT_LITE = frozenset({"rendition", "style", "{http://www.w3.org/XML/1998/namespace}space"})
"""Attributes that TEI Lite leaves out."""

PAGE = """<html lang=en><title>Oaks &amp; ashes</title><meta name=author content="Ada Wood"><meta name=description
content="On oaks"><meta name=keywords content="oak, ash"><body><main><h1>Oaks &amp; ashes</h1>
<p>Oaks live for <em>centuries</em>, and their <a href="/heart wood?a=[1]&amp;b=%zz">heartwood</a> is hard and dark.</p>
<h3>Wood</h3><p>It is used for ships<br>and casks, as it was a thousand years ago, and H<sub>2</sub>O is not.</p>
<ul><li>one<ol><li>two</ol><li><p>three</p><blockquote><p>four</p></blockquote></ul>
<dl><dt>Oak<dt>Quercus<dd>A tree<dd>A wood<dt>Ash<dd>Another</dl><hr>
<h2>Code</h2><pre><code class=language-rust>fn main() {}
</code></pre><table><caption>In kg</caption><tr><th colspan=2>Oak<tr><td>red<td>700</table>
<figure><img src=leaf.png alt="A leaf"><figcaption>The <i>red</i> oak</figcaption></figure>
<p>Inline <img src=a.png> and <time datetime=2020-01-01>then</time> and <code>a &lt; b</code>.</p></main>"""


@pytest.fixture(scope="module")
def schema() -> etree.RelaxNG:
    path = Path(sysconfig.get_path("purelib")) / "schemas" / "tei_all.rng"
    return etree.RelaxNG(etree.parse(path))


def checked(xml: str, schema: etree.RelaxNG) -> etree._Element:
    root = etree.fromstring(xml.encode())
    assert schema.validate(root), schema.error_log
    for element in root.iter():
        assert element.tag.removeprefix(TEI) in LITE
        assert NOT_LITE.isdisjoint(element.attrib)
    return root


def words(text: str) -> list[str]:
    return sorted(re.findall(r"\w", text))


def body_words(root: etree._Element) -> list[str]:
    body = root.find(f".//{TEI}body")
    assert body is not None
    for described in body.iter(f"{TEI}figDesc"):
        described.text = ""
    return words("".join(body.itertext()))


def html_words(html: str) -> list[str]:
    return words(unescape(re.sub("<[^>]*>", "", html)))


def test_document_is_valid_and_complete(schema: etree.RelaxNG) -> None:
    result = extract(PAGE, "https://example.org/oaks")
    root = checked(result.xml, schema)
    assert body_words(root) == html_words(result.html)
    found = {name: root.findall(f".//{TEI}{name}") for name in ("div", "item", "cell", "code", "graphic", "head")}
    assert {name: len(elements) for name, elements in found.items()} == {
        "div": 2, "item": 5, "cell": 3, "code": 2, "graphic": 2, "head": 4,
    }  # fmt: skip
    assert found["code"][0].get("lang") == "rust"
    assert found["code"][0].text == "fn main() {}"
    header = root.find(f"{TEI}teiHeader")
    assert header is not None
    assert header.findtext(f".//{TEI}titleStmt/{TEI}title") == "Oaks & ashes"
    assert [term.text for term in header.iter(f"{TEI}term")] == ["oak", "ash"]


def test_section_ends_where_one_of_its_level_begins(schema: etree.RelaxNG) -> None:
    html = "<p>0</p><h2>A</h2><h3>B</h3><p>1</p><h2>C</h2><h4>D</h4>"
    root = checked(render_tei(html, Metadata(), None), schema)
    body = root.find(f".//{TEI}body")
    assert body is not None
    heads = [[head.text for head in division.iter(f"{TEI}head")] for division in body.findall(f"{TEI}div")]
    assert heads == [["A", "B"], ["C", "D"]]


@pytest.mark.parametrize("url", ["http://https://example.org/", "https://example.org/a#b#c", "https://[::1]/", "a b"])
def test_address_is_one_of_the_schema(url: str, schema: etree.RelaxNG) -> None:
    checked(render_tei(f'<p><a href="{url}">x</a><img src="{url}" alt="y"></p>', Metadata(), url), schema)


def test_empty_page(schema: etree.RelaxNG) -> None:
    checked(extract("").xml, schema)
    checked(render_tei("\x01<p>\x0c\ufffe", Metadata(title="\x00", published="soon"), None), schema)


TAGS = (
    "p h2 h3 ul ol li dl dt dd blockquote pre code table caption thead tr td th figure figcaption img a b em sub q cite"
    " abbr dfn del br hr div section details summary span time ruby rt address"
).split()


@pytest.mark.parametrize("seed", range(60))
def test_any_nesting_is_valid_and_complete(seed: int, schema: etree.RelaxNG) -> None:
    chosen = random.Random(seed)
    parts = [
        chosen.choice((f"<{tag} href=/a src=/b alt=c>", f"</{tag}>", "oak ", "x")) for tag in chosen.choices(TAGS, k=80)
    ]
    html = sanitize(fragment("".join(parts)), Output())
    root = checked(render_tei(html, Metadata(), None), schema)
    assert body_words(root) == html_words(html)


@pytest.mark.shared
def test_pages_of_the_corpora(schema: etree.RelaxNG, shared: Path) -> None:
    for page in sorted((shared / "corpora").glob("*-dev/html/*.html.gz"))[::40]:
        result: Result = extract(gzip.decompress(page.read_bytes()), "https://example.org/")
        checked(result.xml, schema)
