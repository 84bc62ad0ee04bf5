"""JSON-LD as it is found in the wild, ``<meta>``, and the state of client-side frameworks."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duramen.flatten import parse_tree
from duramen.model import StructuredData
from duramen.read import structured
from duramen.read.hydration import hydration_bodies
from duramen.read.loose_json import Mendable, is_too_dense, parse_json_block
from duramen.read.structured import read_structured

PROSE = (
    "The heartwood of an old oak is dark and dense. It no longer carries water, but it holds the tree upright. "
    "Foresters read its rings as others read a book. Each ring is a summer, and the narrow ones were dry. "
    "When a storm breaks the trunk, the years lie open. People from the village come to look and to count. "
) * 3


def read(html: str, base: str | None = None) -> StructuredData:
    return read_structured(parse_tree(html), base)


def hydrate(html: str) -> tuple[tuple[str, str], ...]:
    return hydration_bodies(parse_tree(html))


def ld(*blocks: str, kind: str = "application/ld+json") -> str:
    return "".join(f'<script type="{kind}">{block}</script>' for block in blocks)


GOOD = {"@type": "Article", "headline": "Oak"}
BROKEN_BUT_CLEAR = [
    '{"@type": "Article", "headline": "Oak",}',
    '{"@type": "Article", "headline": "Oak", "keywords": ["a", "b",],}',
    '<!--\n{"@type": "Article", "headline": "Oak"}\n-->',
    '<![CDATA[{"@type": "Article", "headline": "Oak"}]]>',
    '//<![CDATA[\n{"@type": "Article", "headline": "Oak"}\n//]]>',
    '/*<![CDATA[*/{"@type": "Article", "headline": "Oak"}/*]]>*/',
    '{"@type": "Article", "headline": "Oak"};',
    '{"@type": "Article", // a remark\n "headline": "Oak"}',
    '{"@type": "Article", /* a remark, with "quotes" */ "headline": "Oak"}',
    '{"@type": "Article", "headline": "Oak"',
    '{"@type": "Article", "headline": "Oak", "author": {"name": "A',
    '{"@type": "Article", "headline": "Oak", "author": [{"name": "A"}',
    '{"@type": "Article", "headline": "Oak", "url":',
    '{"@type": "Article", "headline": "Oak"}}',
    '{"@type": "Article" "headline": "Oak"}',
    '{"@type": "Article", "headline": "Oak", "description": "two\nlines\tand a tab"}',
    '{"@type": "Article", "headline": "Oak", "description": "She said "come in" and left"}',
    '{"@type": "Article", "headline": "Oak", "description": "it\\\'s"}',
    '{"@type": "Article", "headline": "Oak", "description": "C:\\xyz"}',
    "{&quot;@type&quot;: &quot;Article&quot;, &quot;headline&quot;: &quot;Oak&quot;}",
    '{"@type": "Article", "headline": "Oak", "position": undefined, "n": NaN}',
    '\ufeff{"@type": "Article", "headline": "Oak"}',
    '[null, {"@type": "Article", "headline": "Oak"}]',
    '{"@context": "https://schema.org/", "@graph": [null, {"@type": "Article", "headline": "Oak"}]}',
    '[[{"@type": "Article", "headline": "Oak"}]]',
    '{"@type": "Article", "headline": "Oak"}{"@type": "Thing"}',
    '{"@type": "Article", "headline": "Oak", "n": ' + "9" * 5000 + "}",
]


@pytest.mark.parametrize("block", BROKEN_BUT_CLEAR, ids=[b[:70] for b in BROKEN_BUT_CLEAR])
def test_json_that_is_broken_but_clear_is_read(block: str) -> None:
    found = read(ld(block))
    assert any(item.get("@type") == "Article" and item.get("headline") == "Oak" for item in found.json_ld)


@pytest.mark.parametrize("kind", ["Application/LD+JSON", "application/ld+json; charset=utf-8", " application/ld+json "])
def test_the_type_is_read_tolerantly(kind: str) -> None:
    assert read(ld(json.dumps(GOOD), kind=kind)).json_ld == (GOOD,)


def test_one_broken_block_does_not_lose_the_others() -> None:
    found = read(ld(json.dumps(GOOD), "this is :: no JSON at all {{{", "", json.dumps({"@type": "Person"})))
    assert [item["@type"] for item in found.json_ld if "@type" in item] == ["Article", "Person"]
    assert found.problems == ("json-ld block 2: not valid JSON",)


def test_graphs_and_arrays_are_flattened_in_order() -> None:
    graph = {"@context": "x", "@graph": [{"@type": "A"}, [{"@type": "B"}, None, 3], {"@graph": {"@type": "C"}}]}
    found = read(ld(json.dumps(graph), json.dumps([{"@type": "D"}, "text"])))
    assert [item["@type"] for item in found.json_ld] == ["A", "B", "C", "D"]


def test_a_graph_that_has_a_type_itself_is_kept() -> None:
    found = read(ld('{"@type": "WebSite", "name": "Wood", "@graph": [{"@type": "Article"}]}'))
    assert sorted(item["@type"] for item in found.json_ld) == ["Article", "WebSite"]


@pytest.mark.parametrize(
    "html",
    [
        ld("[" * 200_000),
        ld('{"a":' * 100_000),
        ld('{"@graph":[' * 900 + "]}" * 900),
        ld(*["{}"] * 100_000),
        ld('"' * 200_000),
        ld("/*" * 100_000),
        ld("{" + '"a' * 100_000),
        ld('{"a":"' + "x" * 3_000_000 + '"}'),
        ld('{"a" ' + "}" * 100_000),
        "<div itemscope itemprop=a>" * 3000,
        '<div itemscope itemref="a" id="a"><i itemprop=x>1</i></div>' * 3000,
        '<meta name="a" content="b">' * 100_000,
        "".join(f'<meta name="a{n}" content="b">' for n in range(5000)),
        "<script>window.__STATE__ = " + "[" * 100_000 + "</script>",
        '<script>__NUXT__ a:"' + '\\"a:' * 100_000 + "</script>",
        '<script>self.__next_f.push([1,"' + "a" * 100_000 + "</script>",
    ],
    ids=range(16),
)
@pytest.mark.timeout(30)
def test_hostile_pages_are_bounded(html: str) -> None:
    tree = parse_tree(html)
    found = read_structured(tree, None)
    hydration_bodies(tree)
    assert len(found.json_ld) <= 5000
    assert all(len(values) <= 50 for values in found.meta.values())
    assert len(found.problems) <= 20


@pytest.mark.parametrize(
    ("attributes", "names"),
    [
        ("name=author", ["author"]),
        ("property='OG:Title Author'", ["og:title", "author"]),
        ("property=og:title name=title", ["og:title", "title"]),
        ("property='a b' name='b c'", ["a", "b", "c"]),
        ("name='a b c d e'", ["a", "b", "c", "d"]),
        ("name='a a b'", ["a", "b"]),
        ("name=''", []),
        ("name='' http-equiv=refresh", ["refresh"]),
        ("itemprop=author", ["author"]),
        ("name='Ünder\u00a0Käse'", ["ünder", "käse"]),
        ("charset=utf-8", []),
    ],
)
def test_names_of_metas(attributes: str, names: list[str]) -> None:
    assert list(read(f"<head><meta {attributes} content=' Elm &amp; Ash '>").meta) == names
    assert set(read(f"<head><meta {attributes} content=' Elm &amp; Ash '>").meta.values()) <= {("Elm & Ash",)}
    assert read(f"<head><meta {attributes} content=' \n '><meta {attributes}>").meta == {}


def test_in_the_body_an_itemprop_is_not_the_page_s() -> None:
    assert read("<body><meta itemprop=author content=Ann><meta name=a content=b>").meta == {"a": ("b",)}


def test_metas_are_bounded() -> None:
    many = "".join(f"<meta name='n{k} m' content={k}>" for k in range(structured.MAX_META_NAMES + 20))
    long = f"<meta name=n2 content={'Ö' * (structured.MAX_META_CHARS + 1)}>"
    found = read(f"{many}<meta name=n1 content=again>{long}").meta
    assert len(found) == structured.MAX_META_NAMES and found["n1"] == ("1", "again")
    assert len(found["m"]) == structured.MAX_META_VALUES
    assert len(found["n2"][1]) == structured.MAX_META_CHARS


def test_metas_keep_all_values_in_order() -> None:
    html = """
    <meta property="og:image" content="a.jpg"><meta property="OG:Image" content="b.jpg">
    <meta name="Author" content=" Ada "><meta name=author content="">
    <meta itemprop="datePublished" content="2020-01-01">
    <meta http-equiv="Content-Language" content="de"><meta property="og:title twitter:title" name="title" content="Oak">
    <body><p>x</p><meta itemprop="author" content="A reader">
    """
    meta = read(html).meta
    assert meta["og:image"] == ("a.jpg", "b.jpg")
    assert meta["author"] == ("Ada",)
    assert meta["datepublished"] == ("2020-01-01",)
    assert meta["content-language"] == ("de",)
    assert meta["og:title"] == meta["twitter:title"] == meta["title"] == ("Oak",)


BODIES: list[tuple[dict[str, Any], str, str]] = [
    ({"@type": "NewsArticle", "articleBody": PROSE}, "json-ld:newsarticle.articleBody", PROSE.strip()),
    (
        {"@type": ["Thing", "https://schema.org/BlogPosting"], "articleBody": PROSE},
        "json-ld:blogposting.articleBody",
        "",
    ),
    ({"@type": "WebPage", "mainEntity": {"@type": "Article", "text": PROSE, "x": 1}}, "json-ld:article.text", ""),
    ({"@type": "Article", "articleBody": ["One. " * 30, "Two. " * 30]}, "json-ld:article.articleBody", "One."),
    ({"@type": "Article", "articleBody": f"&lt;p&gt;{PROSE}&lt;/p&gt;"}, "json-ld:article.articleBody", "<p>"),
    ({"@type": "Article", "articleBody": f"<p>A &amp; B. {PROSE}</p>"}, "json-ld:article.articleBody", "<p>A &amp; B"),
    ({"@type": "Product", "description": PROSE}, "json-ld:product.description", ""),
    (
        {"@type": "DiscussionForumPosting", "text": PROSE, "comment": [{"text": "I agree."}, None]},
        "json-ld:discussionforumposting.text",
        PROSE.strip() + "\n\nI agree.",
    ),
    (
        {
            "@type": "QAPage",
            "mainEntity": {
                "@type": "Question",
                "name": "Why is heartwood dark?",
                "acceptedAnswer": {"text": "Because of resins and tannins."},
                "suggestedAnswer": [{"text": "Because it is old, and old wood is dark."}],
            },
        },
        "json-ld:qapage.qapage",
        "Why is heartwood dark?\n\nBecause of resins",
    ),
    (
        {
            "@type": "FAQPage",
            "mainEntity": [
                {"name": "What is bark?", "acceptedAnswer": {"text": "The skin of a tree. " * 4}},
                {"name": "What is sap?", "acceptedAnswer": [{"text": "Its blood."}]},
            ],
        },
        "json-ld:faqpage.faqpage",
        "What is bark?\n\nThe skin",
    ),
    (
        {"@type": "Recipe", "recipeIngredient": ["2 eggs"], "recipeInstructions": [{"text": "Beat them well. " * 9}]},
        "json-ld:recipe.recipeInstructions",
        "2 eggs\n\nBeat",
    ),
    (
        {
            "@type": "HowTo",
            "step": [{"name": "First", "itemListElement": [{"text": "Cut. " * 20}]}, "Sand it down. " * 9],
        },
        "json-ld:howto.step",
        "First\n\nCut.",
    ),
    (
        {"@type": "LiveBlogPosting", "liveBlogUpdate": [{"articleBody": PROSE}]},
        "json-ld:liveblogposting.articleBody",
        "",
    ),
]


@pytest.mark.parametrize(("item", "source", "begins"), BODIES, ids=[row[1] for row in BODIES])
def test_content_carried_as_data_is_found(item: dict[str, Any], source: str, begins: str) -> None:
    bodies = read(ld(json.dumps(item))).bodies
    assert source in [found for found, _ in bodies]
    assert bodies[0][1].startswith(begins)


def test_bodies_come_longest_first_and_once() -> None:
    items = [{"@type": "Article", "articleBody": PROSE * n} for n in (1, 3, 2, 3)] + [
        {"@type": "Article", "articleBody": "short"}
    ]
    bodies = read(ld(json.dumps(items))).bodies
    assert [len(text) for _, text in bodies] == sorted((len(text) for _, text in bodies), reverse=True)
    assert len(bodies) == 3


def test_speakable_paths() -> None:
    items = [
        {"@type": "Article", "speakable": {"cssSelector": [".lead", "h1"], "xpath": "/html/head/title"}},
        {"@type": "WebPage", "speakable": [{"@type": "SpeakableSpecification", "xPath": ["//p[1]"]}, "#summary"]},
        {"@type": "WebPage", "speakable": {"cssSelector": None, "xpath": ["p[1]"]}},
    ]
    assert read(ld(json.dumps(items))).speakable == (".lead", "h1", "/html/head/title", "//p[1]", "#summary")


HTML_BODY = "<p>" + "</p><p>".join(PROSE.split(". ")) + ".</p>"
RSC_TEXT = f"1a:T{len(HTML_BODY.encode()):x},{HTML_BODY}"
STATES = [
    ('<script id="__NEXT_DATA__" type="application/json">%s</script>', {"props": {"post": {"content": HTML_BODY}}}),
    ("<script>window.__NUXT__ = %s;</script>", {"data": [{"article": {"body": HTML_BODY}}]}),
    ("<script>window.__INITIAL_STATE__=%s</script>", {"a": {"articleBody": PROSE}}),
    ('<script>window["__APOLLO_STATE__"] = %s;</script>', {"Post:1": {"text": PROSE}}),
    ("<script>window.__PRELOADED_STATE__ = %s</script>", {"story": {"html": HTML_BODY}}),
    ('<script type="fastboot/shoebox">%s</script>', {"data": {"description": PROSE}}),
    ('<script type="application/json" data-x>%s</script>', {"blocks": [{"text": s + "."} for s in PROSE.split(".")]}),
    (
        '<script type="application/json">%s</script>',
        {"content": [{"nodeType": "p", "content": [{"value": s + "."}]} for s in PROSE.split(". ")]},
    ),
]


@pytest.mark.parametrize(("template", "state"), STATES, ids=[row[0][:45] for row in STATES])
def test_framework_state_gives_its_prose(template: str, state: dict[str, Any]) -> None:
    bodies = hydrate(template % json.dumps(state))
    assert bodies
    source, text = bodies[0]
    assert source.startswith("hydration:")
    assert "heartwood of an old oak" in text


def test_other_forms_of_framework_state() -> None:
    def script(code: str) -> str:
        return f"<script>{code}</script>"

    state = {"topic_1": json.dumps({"post_stream": {"posts": [{"cooked": HTML_BODY}]}})}
    nuxt3 = json.dumps([["Reactive", 1], {"post": 2}, {"title": 3, "body": 4}, "Oak", PROSE])
    first, second = '5:["$","x",null,{"body":"' + PROSE[:200], PROSE[200:] + '"}]'
    pages = [
        script(f"window.__DATA__ = JSON.parse({json.dumps(json.dumps({'body': PROSE}))});"),
        script("window.__NUXT__=(function(a){return {data:[{body:" + json.dumps(PROSE) + ",x:a}]}}(1));"),
        f'<script type="application/json" id="__NUXT_DATA__">{nuxt3}</script>',
        script(f"self.__next_f.push([1,{json.dumps(RSC_TEXT)}])"),
        script(f"self.__next_f.push([1,{json.dumps(first)}])")
        + script(f"self.__next_f.push([1,{json.dumps(second)}])"),
        f"<div data-preloaded='{json.dumps(state)}'></div>",
    ]
    for html in pages:
        bodies = hydrate(html)
        assert bodies, html[:60]
        assert "heartwood of an old oak" in bodies[0][1]


@pytest.mark.parametrize(
    "state",
    [
        {"content": "body{color:red;margin:0}.a>.b{display:none}" * 40},
        {"content": "function(a,b){return a&&b||c.d(e);}" * 40},
        {"content": "abcdefghijklmnopqrstuvwxyz0123456789" * 40},
        {"translations": {"text": PROSE}},
        {"cookieConsent": {"body": PROSE}},
        {"content": "Short text. It is too short."},
        {"ids": [str(n) for n in range(500)]},
    ],
)
def test_what_is_no_prose_is_left(state: dict[str, Any]) -> None:
    assert hydrate(f'<script type="application/json">{json.dumps(state)}</script>') == ()


@settings(max_examples=200)
@given(st.text(alphabet='{}[]",:\\/*ab1 \n<!->&;t', max_size=120))
def test_any_block_is_read_without_an_exception(block: str) -> None:
    values, _ = parse_json_block(block)
    assert isinstance(values, list)
    read(ld(block))


@settings(max_examples=100)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_valid_json_is_read_as_it_is(value: Any) -> None:
    assert parse_json_block(json.dumps(value)) == ([value], None)


@pytest.mark.parametrize(
    ("escaped", "text"),
    [
        (r"\ud800", "\ufffd"),
        (r"a\uDFFFb", "a\ufffdb"),
        (r"\ud83d\ude00", "\U0001f600"),
        (r"\ude00\ud83d", "\ufffd\ufffd"),
        (r"\ud83d\ud83d\uDE00", "\ufffd\U0001f600"),
        (r"\\ud800", r"\ud800"),
        (r"\\\ud800", "\\\ufffd"),
        (r"\ud800 \"", '\ufffd "'),
    ],
)
def test_half_of_a_pair_is_no_character(escaped: str, text: str) -> None:
    assert parse_json_block(f'["{escaped}"]') == ([[text]], None)
    assert parse_json_block(f'["{escaped}"]; ["{escaped}",]') == ([[text], [text]], None)


def test_rdfa_around_a_text_is_left_out_and_told() -> None:
    found = read("<div vocab=https://schema.org/ typeof=Article>" + "<div property=name>" * 300 + "word " * 2000)
    assert found.rdfa == () and "rdfa: left out, since it repeats itself too often" in found.problems


@pytest.mark.parametrize(
    ("block", "values"),
    [
        ("[1, 2,, 3,]", [[1, 2, 3]]),
        ("[,1]", [[1]]),
        ("{'a': 'b'}", [{"a": "b"}]),
        ("{a: b}", [{"a": "b"}]),
        ('{"a": None, "b": -Infinity}', [{"a": None, "b": None}]),
        ('{"a": "it\\\'s", "b": "C:\\x"}', [{"a": "it's", "b": "C:\\x"}]),
        ('{"a": [1 2}', [{"a": [1, 2]}]),
        ('{"a": 1]}', [{"a": 1}]),
        ("[1] / [2]", [[1], [2]]),
        ("[1 /* no end", [[1]]),
    ],
)
def test_what_mending_makes_of_it(block: str, values: list[Any]) -> None:
    assert parse_json_block(block) == (values, None)


def test_mending_has_a_bound_for_all_blocks_of_a_page() -> None:
    mendable = Mendable(30)
    assert parse_json_block("[1, 2,, 3,]", mendable)[0] == [[1, 2, 3]]
    assert parse_json_block("[1, 2,, 3,]", mendable)[0] == [[1, 2, 3]]
    assert parse_json_block("[1, 2,, 3,]", mendable) == ([], "not valid JSON")


@pytest.mark.parametrize(
    ("text", "dense"), [("{}," * 30_000, False), ("[1]," * 50_000, False), ("[],[]," * 50_000, True)]
)
def test_a_block_of_small_values_is_too_much(text: str, dense: bool) -> None:
    assert is_too_dense(text) is dense and not is_too_dense(text[:50_000])
