"""The sanitizer: what it keeps, what it takes out, that its result is stable, and what it costs."""

from __future__ import annotations

import time
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen import safe_values
from duramen.dom import Element, Text, fragment
from duramen.model import Metadata
from duramen.options import Output
from duramen.refine import sanitize as module
from duramen.refine.sanitize import sanitize
from duramen.safe_values import safe_metadata, safe_text, safe_url, strip_invisible


def clean(html: str, **options: Any) -> str:
    return sanitize(fragment(html), Output(**options))


CANONICAL = [
    '<p>a <a href="https://example.org/x" title="t">b</a> <em>c</em><br><code>d</code></p>',
    '<pre><code class="language-rust">fn main() {\n\n    "&lt;&amp;&gt;"\n}\n</code></pre>',
    '<pre><code class="language-c++">\n\nx</code></pre>',
    '<blockquote data-callout="warning"><p><strong>Careful</strong></p><p>x</p></blockquote>',
    '<p>so <span data-math="inline">a &lt; b</span></p><p><span data-math="display">\\sum</span></p>',
    '<p>x<sup data-footnote-ref="1"><a href="#fn-1">1</a></sup></p>'
    '<section data-footnotes=""><ol><li id="fn-1">y</li></ol></section>',
    '<figure><img src="https://example.org/a.png" alt="" width="10" height="20"><figcaption>c</figcaption></figure>',
    '<table><caption>t</caption><colgroup><col span="2"></colgroup><thead><tr><th scope="col">a</th></tr></thead>'
    '<tbody><tr><td colspan="2" rowspan="3">c</td></tr><tr><td></td></tr></tbody></table>',
    '<ol start="3" reversed=""><li>a<ul><li>b</li></ul></li></ol><dl><dt>a</dt><dd>b<dl><dt>c</dt></dl></dd></dl>',
    '<p dir="rtl" lang="ar-EG">x<bdo dir="ltr">y</bdo></p><p><time datetime="2024-01-02T03:04:05+01:00">z</time></p>',
    '<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> \u200cx\u200d y\xadz\u200f</p>'.replace("\xa0", "&nbsp;"),
    '<p><a href="mailto:a@example.org">m</a> <a href="/relative/a:b?c#d">r</a> <a href="?q">q</a></p>',
    '<p><img src="https://example.org/a.png" title="t"></p><p><abbr title="x">y</abbr></p>',
    "<details><summary>s</summary><p>x</p></details><address>y</address><hr><h1>z</h1>",
]  # fmt: skip


@pytest.mark.parametrize("html", CANONICAL)
def test_canonical_form_is_left_as_it_is(html: str) -> None:
    assert clean(html) == html


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p onclick=x() style=color:red>a<!-- b --></p>", "<p>a</p>"),
        ("a<script>b</script><style>c</style><template>d</template><noscript>e</noscript>f", "af"),
        ("<font>a</font> <x-y>b</x-y> <label>c</label>", "a b c"),
        ("<form>a<fieldset>b</fieldset></form>", "<div>a<div>b</div></div>"),
        ("<main>a</main><header>b</header>", "<div>a</div><div>b</div>"),
        ("<menu><li>a</menu>", "<ul><li>a</li></ul>"),
        ("<svg><text>a</text></svg><math><mi>b</mi></math><iframe>c</iframe>d", "d"),
        ("<select><option>a</select><button>b</button><textarea>c</textarea><input value=d>", ""),
        ("<a href='javascript:x'>a</a><a name=b>b</a><a href=''>c</a>", "abc"),
        ("<a href='#x'>a</a><a href='#fn-12'>b</a>", 'a<a href="#fn-12">b</a>'),
        ("<a href='//example.org/x'>a</a>", '<a href="https://example.org/x">a</a>'),
        ("<a href=' https://example.org/\n a b '>a</a>", '<a href="https://example.org/%20a%20b">a</a>'),
        ("<a href=tel:1>a</a><a href=ftp://x/>b</a><a href='http:x'>c</a><a href='https:///x'>d</a>", "abcd"),
        ("<a href='https://x.example/' rel=opener target=_blank>a</a>", '<a href="https://x.example/">a</a>'),
        ("<img src=data:image/png;base64,x alt=a><img alt=b>", ""),
        ("<img src=a.png width=100% height=123456 loading=lazy>", '<img src="a.png">'),
        ("<ol start=x reversed=x type=disc><li value=2x>a</ol>", "<ol><li>a</li></ol>"),
        ("<code class='language-js hljs'>a</code><code class=x>b</code>", "<code>a</code><code>b</code>"),
        ("<li id=fn-1>a</li><li id=fn-0>b</li><p id=fn-1>c</p>", '<li id="fn-1">a</li><li>b</li><p>c</p>'),
        ("<blockquote data-callout=danger data-x=y>a</blockquote>", "<blockquote>a</blockquote>"),
        ("<p lang='x\"y' dir=up>a</p>", "<p>a</p>"),
        ("<p></p><ul><li></li></ul><b> </b>", "<b> </b>"),
    ],
)  # fmt: skip
def test_what_is_taken_out(html: str, expected: str) -> None:
    assert clean(html) == expected


def test_nofollow_is_the_only_rel() -> None:
    assert clean("<a rel='opener me' href=https://x.example/>a</a>", nofollow=True) == (
        '<a href="https://x.example/" rel="nofollow">a</a>'
    )


def test_links_and_images_can_be_left_out() -> None:
    html = "<p>a <a href=/x>b <img src=c.png></a></p><figure><img src=d.png></figure>"
    assert clean(html, links=False) == '<p>a b <img src="c.png"></p><figure><img src="d.png"></figure>'
    assert clean(html, images=False) == '<p>a <a href="/x">b </a></p>'


def test_kept_classes_and_ids_clobber_nothing() -> None:
    html = "<p class=' a\n b:c ' id=attributes>x</p><ol><li id=fn-2>y</li></ol><code class='language-x y'>z</code>"
    result = clean(html, keep_classes=True)
    assert result == (
        '<p class="a b:c" id="user-content-attributes">x</p><ol><li id="fn-2">y</li></ol>'
        '<code class="language-x y">z</code>'
    )
    assert clean(result, keep_classes=True) == result


def grown(*path: str) -> Element:
    """A tree that no parser would build: each step inside the one before, text after ``#``."""
    root = inner = fragment("")
    for step in path:
        if step.startswith("#"):
            inner.append(Text(step[1:]))
        else:
            child = Element(step)
            inner.append(child)
            inner = child
    return root


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("p", "#a", "div", "#b"), "<div>a<div>b</div></div>"),
        (("p", "b", "p", "#a"), "<div><b><p>a</p></b></div>"),
        (("p", "table", "tr", "td", "p", "#a"), "<div><table><tbody><tr><td><p>a</p></td></tr></tbody></table></div>"),
        (("li", "b", "li", "#a"), "<li><b><div>a</div></b></li>"),
        (("dt", "div", "dd", "#a"), "<dt><div><div>a</div></div></dt>"),
        (("h1", "span", "h2", "#a"), "<h1><span>a</span></h1>"),
        (("table", "#a"), "<table><tbody><tr><td>a</td></tr></tbody></table>"),
        (("table", "td", "#a"), "<table><tbody><tr><td>a</td></tr></tbody></table>"),
        (("table", "col"), "<table><colgroup><col></colgroup></table>"),
        (("table", "tr", "ul", "li", "#a"), "<table><tbody><tr><td><ul><li>a</li></ul></td></tr></tbody></table>"),
        (("div", "tbody", "tr", "td", "#a"), "<div><div><div>a</div></div></div>"),
        (("ruby", "rt", "rt", "#a"), "<ruby><rt>a</rt></ruby>"),
        (("pre", "#\n\na"), "<pre>\n\n\na</pre>"),
        (("SCRIPT", "#a"), ""),
        (("p", "#\ud83d\ude00\ud800\x00\r\nb"), "<p>😀\ufffd\nb</p>"),
        (("p", "#\u202e"), ""),
    ],
)
def test_trees_that_no_parser_builds(path: tuple[str, ...], expected: str) -> None:
    result = sanitize(grown(*path), Output())
    assert result == expected
    assert fragment(result).inner_html == result == clean(result)


def test_links_in_links() -> None:
    root = grown("a", "div", "a", "#x")
    for link in root.iter_elements("a"):
        link.attrs["href"] = "https://example.org/"
    assert sanitize(root, Output()) == '<a href="https://example.org/"><div>x</div></a>'


def test_what_does_not_settle_becomes_paragraphs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_ROUNDS", 0)
    monkeypatch.setattr(module, "_sanitizer", module._sanitizer.__wrapped__)
    assert clean("<div>a &lt;b&gt;<p>c\u202e  d</p><script>e</script></div>") == "<p>a &lt;b&gt;</p><p>c d</p>"


def test_the_draft_is_not_changed() -> None:
    root = fragment("<p onclick=x>a<script>b</script><div>c</div></p>")
    before = root.inner_html
    sanitize(root, Output())
    assert root.inner_html == before


TAGS = (
    "a abbr address article b bdo blockquote br caption code col colgroup dd details div dl dt em figure figcaption h1"
    " h2 hr i img li ol p pre q rp rt ruby section small span strong sub summary table tbody td tfoot th thead tr u ul"
    " button center font form foreignObject iframe main marquee math mglyph mi noscript nobr object option plaintext"
    " script select style svg template textarea title x-y xmp"
)
TEXTS = ["a", " ", "\n", "\n\nb", "<", "&lt;", "</p>", "-->", "\x00", "\r", "\xa0", "\u202e", "\ud800", "\ufe0f\ufe0f"]
ATTRIBUTES = [
    *[("href", value) for value in ("https://a.example/ b", "javascript:a", "//a", "#fn-1", "\x01data:a", "/\u202ea")],
    *[("src", value) for value in ("a.png", "https://a.example/", "data:a")],
    *[("class", "language-c"), ("class", "a  b\n"), ("id", "fn-1"), ("id", "a\u202e"), ("lang", "en"), ("dir", "rtl")],
    *[("title", ' "<>\u202e'), ("alt", ""), ("colspan", "2"), ("reversed", ""), ("onclick", "a"), ("style", "a")],
    *[("encoding", "text/html"), ("data-callout", "note"), ("data-math", "inline")],
]
OUTPUTS = st.sampled_from([Output(), Output(keep_classes=True, nofollow=True), Output(links=False, images=False)])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(TAGS.split()), st.lists(st.sampled_from(ATTRIBUTES), max_size=2)),
        st.sampled_from([f"#{text}" for text in TEXTS]),
        st.just("/"),
    ),
    max_size=40,
)


def stable(root: Element, output: Output) -> None:
    result = sanitize(root, output)
    result.encode()
    assert strip_invisible(result) == (result, 0)
    again = fragment(result)
    assert again.inner_html == result
    assert sanitize(again, output) == result
    assert {element.tag for element in again.iter_elements()} <= set(ALLOWED)


ALLOWED = [tag for group in safe_values.policy()["allow"] for tag in group["tags"]]


@given(STEPS, OUTPUTS)
def test_any_tree_gives_a_stable_result(steps: list[Any], output: Output) -> None:
    root = fragment("")
    path = [root]
    for step in steps:
        if isinstance(step, tuple):
            child = Element(step[0])
            for name, value in step[1]:
                child.attrs[name] = value
            path[-1].append(child)
            path.append(child)
        elif step == "/":
            path = path[:-1] or [root]
        else:
            path[-1].append(Text(step[1:]))
    stable(root, output)


MARKUP = st.one_of(
    st.sampled_from([f"<{tag}>" for tag in TAGS.split()]),
    st.sampled_from([f"</{tag}>" for tag in TAGS.split()]),
    st.sampled_from(["<!--", "-->", "<![CDATA[", "]]>", "<?", '"', "'", ">", "<", "<img title='</style><b>'>", *TEXTS]),
    st.tuples(st.sampled_from(TAGS.split()), st.sampled_from(ATTRIBUTES)).map(
        lambda it: f"<{it[0]} {it[1][0]}='{it[1][1]}'>"
    ),
    st.text(max_size=5),
)


@given(st.lists(MARKUP, max_size=40).map("".join), OUTPUTS)
def test_any_markup_gives_a_stable_result(markup: str, output: Output) -> None:
    stable(fragment(markup), output)


SHAPES = {
    "divisions in divisions": "<div>x" * 150_000,
    "spans in spans": "<span>" * 160_000,
    "quotes in quotes": "<blockquote>" * 80_000,
    "bold in bold": "<b>x" * 100_000,
    "lists in lists": "<ul><li>x" * 100_000,
    "tables in tables": "<table><tr><td>x" * 60_000,
    "attributes": "<p " + " ".join(f"a{n}" for n in range(145_000)) + ">x</p>",
    "small elements": "<p>x" * 200_000,
    "formatting that never ends": "<p>" + "".join(f"<b lang=x-{n}>" for n in range(190)) + "<p>x" * 500,
    "text": "x &lt; " * 140_000,
    "hidden characters": "\u202e" * 1_000_000,
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_megabyte_of_malice(shape: str) -> None:
    root = fragment(SHAPES[shape])
    start = time.process_time()
    result = sanitize(root, Output())
    took = time.process_time() - start
    # Each takes less than a second here; the rest is for slower machines.
    assert took < 4, took
    assert fragment(result).inner_html == result


def test_deep_elements_are_unwrapped_and_their_text_stays() -> None:
    result = clean("<div>" * 1_000 + "X" + "<table><tr><td>Y" * 300)
    assert result.count("X") == 1
    assert result.count("Y") == 300
    depth = deepest = 0
    for piece in result.split("<")[1:]:
        depth += -1 if piece.startswith("/") else 1
        deepest = max(deepest, depth)
    assert 190 <= deepest <= 200


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain \u200d\u200c\u200f\xad é 漢 ❤️\t\n", ("plain \u200d\u200c\u200f\xad é 漢 ❤️\t\n", 0)),
        ("a\u202ab\u202ec\u2066d\u2069e", ("abcde", 4)),
        ("a\U000e0001\U000e0041\U000e007fb", ("ab", 3)),
        ("\x00\x01\x7f\x80\x9fa", ("a", 5)),
        ("a\x0bb\x0cc\x85d", ("a b c d", 0)),
        ("\udb40\udc41\ud83d\ude00\ud800", ("😀\ufffd", 1)),
        ("a\U000e0100\U000e0101\ufe0fb", ("a\U000e0100b", 2)),
        ("\ufe0f\u202e\ufe0f", ("\ufe0f", 2)),
    ],
)
def test_strip_invisible(text: str, expected: tuple[str, int]) -> None:
    assert strip_invisible(text) == expected
    assert strip_invisible(expected[0]) == (expected[0], 0)


def test_strip_invisible_changes_no_shared_object() -> None:
    """Python keeps one bytes object and one str for every single byte."""
    for code in range(256):
        strip_invisible(chr(code))
    assert [chr(code).encode("latin-1")[0] for code in range(256)] == list(range(256))
    assert [ord(chr(code)) for code in range(256)] == list(range(256))


@given(st.text(st.characters(), max_size=30))
def test_strip_invisible_settles_at_once(text: str) -> None:
    once, _ = strip_invisible(text)
    once.encode()
    assert strip_invisible(once) == (once, 0)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.org/a?b=c&d#e", "https://example.org/a?b=c&d#e"),
        (" HTTP://example.org/\u202ea\nb ", "HTTP://example.org/ab"),
        ("https://example.org/\"<>`'", "https://example.org/%22%3C%3E%60'"),
        ("https://例え.jp/テスト", "https://例え.jp/テスト"),
        ("https://[::1]:80/", "https://[::1]:80/"),
        *[
            (url, None)
            for url in (
                "",
                "/a",
                "a.png",
                "//",
                "#a",
                "javascript:alert(1)",
                "java\tscript:alert(1)",
                "data:text/html,x",
                "mailto:a@example.org",
                "http:a",
                "https:///a",
                "https:\\\\a.example",
                "https://a.example\\@b.example/",
                "https://user:pass@example.org/",
                'https://a"b/',
                "https://example.org/" + "a" * 2000,
            )
        ],
    ],
)
def test_safe_url(url: str, expected: str | None) -> None:
    assert safe_url(url) == expected


@given(st.one_of(st.text(st.characters(), max_size=40), st.text(max_size=40).map(lambda text: f"https://{text}")))
def test_safe_url_is_http_or_nothing(url: str) -> None:
    result = safe_url(url)
    if result is not None:
        assert result.lower().startswith(("http://", "https://"))
        assert strip_invisible(result) == (result, 0)
        assert not set(result) & set(' \t\r\n"<>\\')
        assert safe_url(result) == result


def test_safe_text() -> None:
    assert safe_text(" a\u202e <b>\x00\r\n\xa0c ", 100) == "a <b> c"
    assert safe_text("one two three", 8) == "one two"
    assert safe_text("x" * 1_000_000, 10) == "x" * 10
    assert safe_text("\ud800", 10).encode() == b"\xef\xbf\xbd"


def test_safe_metadata() -> None:
    metadata = Metadata(
        title="a\u202e <b>\n",
        authors=("x\ud800", "\u202e", "y"),
        language="\x00",
        canonical_url="javascript:alert(1)",
        image="https://example.org/a b.png",
        tags=tuple(map(str, range(1000))),
        description="d" * 1_000_000,
        sources={"title": "h1", "canonical_url": "link", "image": "og:image"},
    )
    result = safe_metadata(metadata)
    assert (result.title, result.authors, result.language) == ("a <b>", ("x\ufffd", "y"), None)
    assert (result.canonical_url, result.image) == (None, "https://example.org/a%20b.png")
    assert (len(result.tags), len(result.description or "")) == (200, 10_000)
    assert result.sources == {"title": "h1", "image": "og:image"}
    assert safe_metadata(result) == result


@pytest.mark.parametrize(
    "change",
    [
        {"title": "a\u202eb"},
        {"title": "a  b"},
        {"title": " a"},
        {"title": ""},
        {"section": "x" * 100_000},
        {"authors": ("Ada", "")},
        {"authors": ("a",) * 1_000},
        {"tags": ("a\n",)},
        {"licence": "\ud800"},
        {"published": "2020\x00"},
        {"image": "https://example.org/a b"},
        {"canonical_url": "https://example.org/" + "a" * 3_000},
        {"sources": {"section": "h2"}},
        {"sources": MappingProxyType({"title": "h1"})},
        {},
    ],
    ids=str,
)
def test_metadata_that_is_safe_is_left_alone(change: dict[str, Any]) -> None:
    safe = Metadata("A title", ("Ada", "Ben"), "2020-01-01", image="https://example.org/a", sources={"title": "h1"})
    metadata = replace(safe, **change)
    result = safe_metadata(metadata)
    assert (result is metadata) is (not change)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("duramen.safe_values._is_safe", lambda *_: False)
        assert safe_metadata(metadata) == result


def test_paragraphs_and_divisions_share_their_attributes() -> None:
    # A paragraph around a block is written as a division after its attributes have been.
    for keep_classes in (False, True):
        tags = module._rules(keep_classes, True, True)
        assert [name for name, _ in tags["p"][2]] == [name for name, _ in tags["div"][2]]


def test_required_attributes_are_written_first() -> None:
    for tag, required, checks in module._rules(True, True, True).values():
        assert required is None or required == f' {checks[0][0]}="', tag


def test_every_group_of_the_policy_says_why() -> None:
    data = safe_values.policy()
    groups = [group for name in ("allow", "drop", "rename", "attribute") for group in data[name]]
    groups += [data["keep_classes"], data["nofollow"]]
    assert all(len(group["reason"]) > 10 for group in groups)
    allowed = set(ALLOWED)
    dropped = {tag for group in data["drop"] for tag in group["tags"]}
    renamed = {tag for group in data["rename"] for tag in group["tags"]}
    assert not allowed & dropped and not allowed & renamed and not dropped & renamed
    assert not allowed & {"noscript", "style", "svg", "math", "template", "script", "iframe", "form", "input"}
