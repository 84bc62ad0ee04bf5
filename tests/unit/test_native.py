"""The compiled core and the Python it stands for give the same results, to the last bit."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from duramen import dom, pipeline
from duramen.blocks import segment
from duramen.find import context, embedded, judge, language, page_marks, patterns, structures
from duramen.find.evidence import LEVELS, NAMES, Evidence, table
from duramen.find.hints import KINDS
from duramen.find.judge import _sigmoid, hints_of, shipped_model
from duramen.flatten import _flatten, flatten, parse_tree
from duramen.native import core
from duramen.options import Limits, Options, Output
from duramen.page import Page
from duramen.read.decode import decode
from duramen.refine.sanitize import _policy, _write, as_text, sanitize, strip_invisible
from duramen.render.text import _kinds, _Writer, has_invisible, render_text
from duramen.tables import content_names, load
from duramen.tree import Tree

pytestmark = pytest.mark.skipif(core is None, reason="the compiled core was not built here")

NODES = 400_000
COLUMNS = tuple("parent end depth tag cls ident text chars links words gap".split())
TAGS = (
    "div p a b ul li span table tr td script style svg g title noscript template pre textarea button h1 h2 br img hr"
    " math mi annotation-xml xmp iframe x-card select option form caption html body frameset listing plaintext"
).split()
WORDS = (
    "Heartwood", "is", "the", "1999", "12.5", "7:30", "3/12", "1.234",
    "19999", "USD", "ago", "€", "»", "©", "copyright", "Ångström", "İstanbul", "ΑΣ", "心材是树",
    "ไม้", "\u00a0", "\u2003", "&amp;", "&lt;b&gt;", "&nbsp;", "?", "End.", "“End.”", "|", "naïve", "ﬁne",
    "٣", "ß", "Дуб", "ЁЛКА", "Œuvre", "Žár", "“Äste”", "½", "Chicago", "Ago", "ªº", "COPYRIGHT", "×",
)  # fmt: skip
ATTRIBUTES = (
    "class='Sidebar  ad-box\tx1'", 'id=mainContent', "class=\"a&quot;b &lt; c&nbsp;d\"", "role=navigation", "hidden",
    "style='display: none'", "aria-hidden=true", "data-testid=card", "rel='a  b'", "=odd=1", 'a"b=2',
    "href='/x?a=1&b=2'", "itemprop=articleBody", "class=HTMLParser2go", "class=' '", "sizes='1  2'",
    "title=' two  spaces '", "id=''", "class='entry-content x'", "class=wp-block-post-content", "id=wpadminbar",
)  # fmt: skip
SELECTORS = (
    "p", "P.ad-box, x-card", ".sidebar", ".HTMLParser2go", "#maincontent", "#mainContent > *", "div p, .none, h1 + h2",
    "svg g", "g.ad-box", "svg .HTMLParser2go, g#mainContent", "[role]", "[ROLE=navigation] a", "[data-testid='card']",
    "[nothing]", "script", "math mi", "*", "p:not(.x1)", "title",
)  # fmt: skip
DRAFT_ATTRIBUTES = (
    "href='https://a.example/x_y?a=1&b=&quot;2&quot;'", "href='http://a.example'", "src='https://a.example/<b>'", "href=http://-a",
    "href=https://", "src='https://a.example/é'", f"href='https://a.example/{'a' * 8200}'", "href='http://a.example/&amp;nbsp;'",
    "href='https://a.example/?a=1&b=\u00a0'", "href='javascript:alert(1)'", "href=' //b.example/a b '", "title='\"<&>'",
    "src=/a.png", "src='data:image/png,'", "alt=''", "lang=en", "lang='e n'", "dir=rtl", "class='language-c++ x'",
    "class=language-c", "id=fn-2", "id='a b'", "start=7", "start=x", "colspan=2", "data-footnote-ref=3",
    "data-footnotes", "data-math=inline", "onclick='x()'", "width=10",
)  # fmt: skip
SPECIAL = (
    "<!-- c -- d --!><p>", "<!doctype html>", "<?php x ?>", "<![CDATA[x]]>", "</p>", "</div>",
    "<script><!--<script></script>", "-->", "</script>",
    "<svg><style>a<b</style><foreignObject><p>x</p></foreignObject></svg>", "<pre>\n\nx</pre>",
    "<textarea>\n\ny</textarea>", "\n", "  ", "\t", "<math><mi>x</mi><style>&lt;</style></math>", "\x00", "&#0;",
    "&#xd800;",
)  # fmt: skip


def random_page(seed: int) -> str:
    rng = random.Random(seed)
    out = ["<title>Heartwood is the End</title>"] if seed % 3 else []
    for _ in range(rng.randrange(5, 160)):
        tag = rng.choice(TAGS[: None if seed % 4 == 0 else -4])
        given = " ".join(rng.sample(ATTRIBUTES, rng.randrange(3)))
        text = " ".join(rng.choices(WORDS, k=rng.randrange(1, 30)))
        out.append(rng.choice([f"<{tag} {given}>", f"<{tag}>", f"</{tag}>", text, text, rng.choice(SPECIAL)]))
    return "".join(out)


def assert_same_trees(html: str, nodes: int = NODES) -> list[Tree]:
    """The trees by the core, parsed by itself or read back from the library, once they are shown to be Python's.

    One that the core declines is not among them.
    """
    document = dom.parse(html)
    pure = _flatten(document, nodes)
    assert pure.core is None
    given = (flatten(document, nodes), parse_tree(html, nodes), parse_tree(core.utf8(html.encode()) or html, nodes))
    by_core = [tree for tree in given if tree.core is not None]
    for tree in by_core:
        assert len(tree) == len(pure)
        for name in COLUMNS:
            mine, its = getattr(tree, name), getattr(pure, name)
            assert list(mine) == its and mine[:] == its and mine[1:-1:2] == its[1:-1:2], name
            assert not its or mine[-1] == its[-1], name
        assert (tree.body, tree.cut, tree.deepest()) == (pure.body, pure.cut, pure.deepest())
        assert list(tree.attrs) == list(pure.attrs)
        for name in {name for attrs in pure.attrs for name in attrs}:
            assert tree.valued(name) == pure.valued(name)
        assert tree.tag_counts() == pure.tag_counts() and tree.classes() == pure.classes()
        assert tree.tagged({"p", "a", "svg", ""}) == pure.tagged({"p", "a", "svg", ""})
        assert tree.classed({"Sidebar ad-box x1", "A", ""}) == pure.classed({"Sidebar ad-box x1", "A", ""})
        # Of a page of nodes in nodes, the text of each is as long as the page.
        some = range(0, len(tree), 1 + len(tree) // 500)
        assert [tree.text_in(i) for i in some] == [pure.text_in(i) for i in some]
        assert [tree.lead(i, 40) for i in some] == [pure.lead(i, 40) for i in some]
        for name, starts in (
            ("href", ("/x", "#")),
            ("class", ("sidebar", "html")),
            ("none", ("a",)),
            ("id", ("main",)),
        ):
            assert tree.beginning(name, starts) == pure.beginning(name, starts)
        for tag, names in (("div", ("class", "id", "rel")), ("p", ("title",)), ("a", ("href", "none")), ("x", ("id",))):
            assert tree.stated(tag, names) == pure.stated(tag, names)
        assert tree.speaking(0, len(tree)) == pure.speaking(0, len(tree))
        assert tree.speaking(2, 1) == pure.speaking(2, 1) == []
        for ident in ("mainContent", "wpadminbar", "none", ""):
            assert tree.identified(ident) == pure.identified(ident)
        assert [tree.select(selector) for selector in SELECTORS] == [pure.select(selector) for selector in SELECTORS]
        assert segment(tree) == segment(pure)
    return by_core


def assert_same_evidence(page: Page) -> None:
    if page.tree.core is None or not len(page.blocks):
        return
    model = shipped_model()
    pure = replace(page, tree=replace(page.tree, core=None))
    hints = hints_of(page, [c for tier in pipeline.TIERS for c in tier(page)], None)
    assert hints == hints_of(pure, [c for tier in pipeline.TIERS for c in tier(pure)], None)
    np.testing.assert_array_equal(model.leaning(page.tree, hints), model.leaning(pure.tree, hints))
    by_core, by_python = (table(p.tree, p.blocks, hints, model.lexicon) for p in (page, pure))
    for name, mine, its in zip(by_core.names, by_core.columns, by_python.columns, strict=True):
        np.testing.assert_array_equal(mine, its, name)
    for name in ("start", "stop", "group", "heading"):
        np.testing.assert_array_equal(getattr(by_core, name), getattr(by_python, name), name)
    assert by_core.page == by_python.page
    np.testing.assert_allclose(
        model.first.scores(by_core.columns), model.first._scores(by_python.columns), rtol=1e-12, atol=1e-12
    )
    chance = _sigmoid(model.first.scores(by_core.columns)[:, 0])
    leaning = model.leaning(page.tree, hints)
    for mine, its in zip(
        judge._looks_by_core(by_core, leaning, model), judge._both_looks(by_core, leaning, model), strict=True
    ):
        np.testing.assert_array_equal(mine, its)
    assert_same_second_look(by_core, chance)
    assert_same_structures(page, pure, chance)


def assert_same_second_look(evidence: Evidence, chance: NDArray[Any]) -> None:
    asked = (evidence.columns, chance, *context.CONTENT)
    assert core.content_sums(*asked) == context._content_sums(*asked)
    kept = np.flatnonzero(chance > 0.4).tolist()
    kinds = np.linspace(0.0, 1.0, len(KINDS))
    np.testing.assert_array_equal(
        judge.trust_row(evidence, chance.tolist(), kinds, kept), judge._trust_row(evidence, chance, kinds, kept)
    )
    chances, words = chance.round(2).tolist(), evidence.words.astype(int).tolist()
    assert core.best_threshold(chances, words) == judge._best_threshold(chances, words)
    odds = np.concatenate((np.log(chance), [-800.0, -30.0, 0.0, 800.0]))
    in_best = (odds < 1).astype(np.float32)
    sure = judge._sigmoid(odds)
    lowered = judge._lowered(sure, 0.7, in_best)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judge, "core", None)
        np.testing.assert_array_equal(lowered, judge._lowered(sure, 0.7, in_best))
    by_core, by_python = (np.empty((len(context.CONTEXT), len(chance)), dtype=np.float32) for _ in range(2))
    context.fill_context(by_core, evidence, chance, kinds)
    context._fill_context(by_python, evidence, chance.astype(np.float32), kinds)
    for name, mine, its in zip(context.CONTEXT, by_core, by_python, strict=True):
        np.testing.assert_array_equal(mine, its, name)


def assert_same_structures(page: Page, pure: Page, chance: NDArray[Any]) -> None:
    tags = dict(zip(TAGS, cycle((1, 2, 5)), strict=False))
    for longest in ({}, structures._SHORT):
        assert structures.spans(page, tags, longest, chance) == structures.spans(pure, tags, longest, chance)
    assert structures.heading(page, tags) == structures.heading(pure, tags)
    copies = np.ones(len(page.blocks), dtype=np.float32) * 2
    for least in (1, 3):
        assert page.tree.core.repeated(least) == judge.repeated(page.blocks, page.tree.parent, copies, least)
    assert page_marks.tally(page.tree, page.blocks) == page_marks.tally(pure.tree, pure.blocks)
    assert language.longest_texts(page, 3) == language.longest_texts(pure, 3)
    assert structures.owned(page, tags) == structures.owned(pure, tags)
    assert structures.owned(page, {"p": 1}) == structures.owned(pure, {"p": 1})
    assert structures._lists_of_tags(page.tree) == structures._lists_of_tags(pure.tree)
    for part in ("ad-box", "Parser", "footnote"):
        assert structures._classes_with(page.tree, part) == structures._classes_with(pure.tree, part)
    assert structures.settle_structures(chance, page) == structures.settle_structures(chance, pure)


@pytest.mark.parametrize("seed", range(40))
def test_random_evidence(seed: int) -> None:
    """Sizes around those at which numpy adds up in another order."""
    rng = np.random.default_rng(seed)
    n = (1, 7, 8, 9, 127, 128, 129, 136, 255, 700)[seed % 10]
    columns = rng.normal(size=(len(NAMES), n)).astype(np.float32)
    columns[0] = rng.integers(0, 90, n)
    columns[NAMES.index("owner")] = rng.integers(0, 23, n)
    start = rng.integers(0, n, (n, LEVELS))
    stop = np.minimum(n, start + rng.integers(0, 50, (n, LEVELS)))
    group = np.unique(rng.integers(0, n, n), return_inverse=True)[1].astype(np.int64)
    heading = rng.integers(-1, n, n)
    assert_same_second_look(Evidence(columns, NAMES, columns[0], start, stop, group, heading, {}), rng.random(n))


def test_numbers_that_are_no_blocks_are_refused() -> None:
    arrays = [np.zeros((len(context.CONTEXT), 2), dtype=np.float32), np.ones(2, dtype=np.float32)]
    around = [np.zeros((2, LEVELS), dtype=np.int64) for _ in range(2)] + [np.zeros(2, dtype=np.int64) for _ in range(2)]
    kinds = np.zeros(len(KINDS))
    core.context(*arrays, arrays[1], kinds, *around)
    for wrong in range(4):
        broken = [array.copy() for array in around]
        broken[wrong].flat[0] = 3
        with pytest.raises(ValueError, match="no block"):
            core.context(*arrays, arrays[1], kinds, *broken)


def test_blocks_that_are_not_there_are_refused() -> None:
    columns, chance = np.ones((len(NAMES), 2), dtype=np.float32), np.ones(2)
    for kept in ([2], [-1], [0, 1, 1]):
        with pytest.raises(ValueError, match="block"):
            core.trust_row(columns, chance.tolist(), chance, kept, {}, *context.CONTENT)
    for chances, counts in (([], []), ([0.5], [1, 2])):
        with pytest.raises(ValueError, match="blocks"):
            core.best_threshold(chances, counts)


@pytest.mark.parametrize("seed", range(300))
def test_random_pages(seed: int) -> None:
    html = random_page(seed)
    assert_same_trees(html)
    assert_same_evidence(pipeline.read_page(html, "https://a.example/b", Options(), []))


def test_names_of_content_are_found_however_they_are_written() -> None:
    names = sorted(content_names())
    variants = [
        variant
        for name in names
        for variant in (
            name,
            name.upper(),
            name.replace("-", "_"),
            f"x {name.title()}  y",
            f"{name}__a1B2c",
            name[1:],
            f"{name}s",
        )
    ]
    html = "".join(f'<p class="{variant}">x<b id="{variant}">y</b>' for variant in variants)
    tree = flatten(dom.parse(html))
    found = patterns._heaviest(tree)
    assert sorted(found) == sorted(patterns._heaviest(replace(tree, core=None)))
    assert len(found) > 8 * len(names)


def test_short_names_are_found_in_what_is_left_of_a_word() -> None:
    tree = flatten(dom.parse("<p class='x ab'><p class='abc'><p id='AB-x1y2z'><p class='posts\x0bpost'>"))
    first = tree.tag.index("p")
    assert tree.core.matching_words(core.Lookup({"ab": 0.0})) == [(first, 0), (first + 2, 1)]
    assert tree.core.matching_words(core.Lookup({"post": 0.0})) == [(first + 3, 0)]


@pytest.mark.parametrize("seed", range(60))
def test_texts_that_stand_in_another(seed: int) -> None:
    rng = random.Random(seed)
    texts = [" ".join(rng.choices(WORDS, k=rng.randrange(1, 20))) for _ in range(40)]
    inside = rng.sample(range(40), 12)
    whole = embedded._squash(" ".join(texts[b] for b in inside))
    found = core.standing(whole, texts, 32)
    starts = [embedded._squash(text[:64])[:32] for text in texts]
    assert found == [b for b, start in enumerate(starts) if len(start) == 32 and start in whole] and found
    assert core.standing(whole[:31], texts, 32) == core.standing("", texts, 32) == []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(embedded, "core", None)
        assert embedded._standing(whole, texts) == found


@pytest.mark.parametrize("letters", ["ab", "aбΣ心"])
def test_blocks_are_looked_up_in_a_long_body_together(letters: str) -> None:
    rng = random.Random(7)
    words = ["".join(rng.choices(letters, k=rng.randrange(1, 4))) for _ in range(12)]
    body = " ".join(rng.choices(words, k=60_000))[:150_000]
    texts = [body[(at := rng.randrange(len(body) - 90)) : at + rng.randrange(8, 90)] for _ in range(150)]
    texts += [" ".join(rng.choices(words, k=rng.randrange(4, 40))) for _ in range(150)]
    data = json.dumps({"@type": "Article", "articleBody": body})
    html = f"<script type=application/ld+json>{data}</script>" + "".join(f"<p>{text}</p>" for text in texts)
    page = pipeline.read_page(html, None, Options(), [])
    assert_same_evidence(page)
    hints = hints_of(page, (), None)
    covers = table(page.tree, page.blocks, hints, shipped_model().lexicon).columns[NAMES.index("body_cover")]
    assert 150 <= np.count_nonzero(covers == 1) < 300


def test_texts_that_are_none() -> None:
    for given in (("a", ["b", 1], 1), ("a", ("b",), 1), (b"a", ["b"], 1)):
        with pytest.raises(TypeError):
            core.standing(*given)
    for size in (-1, 0, 65):
        with pytest.raises(ValueError, match="64"):
            core.standing("a", ["b"], size)
    tree = flatten(dom.parse("<p class=x>"))
    for asked in (("class", ()), ("class", ("x",) * 9), ("class", (1,)), ("class", ["x"])):
        with pytest.raises(TypeError):
            tree.core.beginning(*asked)
        with pytest.raises(TypeError):
            tree.core.stated("p", asked[1])
    for first, stop in ((-1, 2), (0, 99)):
        with pytest.raises(IndexError):
            tree.core.shown(first, stop)
        with pytest.raises(IndexError):
            tree.core.speaking(first, stop)


def test_most_pages_are_flattened_by_the_core() -> None:
    pages = [random_page(seed) for seed in range(300)]
    assert sum(flatten(dom.parse(page)).core is not None for page in pages) > 100
    assert sum(core.parse(page, NODES, {}, frozenset(), dom.named_characters()) is not None for page in pages) > 100


def test_a_column_is_a_sequence() -> None:
    tree = parse_tree("<p class=a>x<p class=b>y")
    assert "p" in tree.tag and tree.tag.index("p") == 3 and tree.tag.count("p") == 2 and tree.cls[-2:] == ["b", ""]
    for wrong in (len(tree), -len(tree) - 1):
        with pytest.raises(IndexError):
            tree.tag[wrong]
    with pytest.raises(ValueError, match="not in sequence"):
        tree.tag.index("li")
    with pytest.raises(TypeError):
        tree.tag["p"]  # type: ignore[call-overload]
    kept = tree.text
    del tree
    assert kept[4] == "x"


@pytest.mark.parametrize("nodes", [1, 2, 5, 17])
def test_node_limit(nodes: int) -> None:
    for seed in range(1, 40):
        assert_same_trees(random_page(seed), nodes)


@pytest.mark.parametrize(
    "html",
    [
        "<plaintext><p>never closed</plaintext>",
        "<script><!--<script>never closed",
        "<svg><foreignObject><script>'<svg>'</script></foreignObject></svg>x",
    ],
)
def test_what_cannot_be_read_back_is_walked(html: str) -> None:
    document = dom.parse(html)
    assert flatten(document).core is None
    assert list(parse_tree(html).text) == _flatten(document, NODES).text


SCRIPTS = (
    "<script>", "</script>", "<!--", "-->", "<!-", "->", "--", ">", "<script ", "</script ", "<SCRIPT/", "</Script\n",
    "a", "<", "/", "<scripty>", "</scripty>", "<p>x", "<!-->", "<!--->", "<style>", "</style>", "<svg>", "</svg>", "-",
    "<script x='-->'>",
)  # fmt: skip


def test_scripts_end_where_parsers_end_them() -> None:
    rng = random.Random(5)
    pages = ["<script>" + "".join(rng.choices(SCRIPTS, k=rng.randrange(1, 14))) for _ in range(2_000)]
    assert sum(len(assert_same_trees(page + "</script>end<p>more")) for page in pages) > 5_700


@pytest.mark.parametrize(
    "pieces", [["<p>a<", "/p>"], ["<p>ab", "c\u00e9", "\u6728\U0001f333", "d" * 40 + "\u20ac" + "e" * 40, "</p>"]]
)
def test_a_page_is_scanned_in_pieces_of_any_width(pieces: list[str]) -> None:
    tree = core.scan(iter(pieces), 10, {}, frozenset())
    assert tree.columns()[7][1:] == ["".join(pieces)[3:-4]]


def test_pieces_that_are_no_text() -> None:
    assert core.scan(["<p>\ud800</p>"], 10, {}, frozenset()) is None
    with pytest.raises(TypeError):
        core.scan([b"<p>"], 10, {}, frozenset())
    with pytest.raises(ZeroDivisionError):
        core.scan((1 // 0 for _ in "x"), 10, {}, frozenset())


def test_deep_pages() -> None:
    assert_same_trees("<div>" * 60_000 + "x")


def corpus_pages(shared: Path) -> Iterator[tuple[bytes, str | None]]:
    from benchmarks.train.dataset import sources

    for corpus in ("wcxb-dev", "reader-dev", "snippets-dev"):
        for source in list(sources(shared, corpus))[::25]:
            yield gzip.decompress(source.path.read_bytes()), source.url


@pytest.mark.shared
def test_real_pages(shared: Path) -> None:
    declined = seen = 0
    for data, url in corpus_pages(shared):
        page = pipeline.read_page(decode(data, None)[0], url, Options(), [])
        declined += page.tree.core is None
        seen += 1
        assert_same_trees(decode(data, None)[0])
        assert_same_evidence(page)
    assert seen > 50 and declined <= seen // 20


def random_draft(seed: int) -> str:
    """A fragment of the tags that may leave, nested in any way, with attributes good and bad."""
    rng = random.Random(seed)
    tags = [tag for group in load("policy.toml")["allow"] for tag in group["tags"]]
    # Some drafts are all tables, lists or paragraphs: there the rules of nesting are.
    tags = rng.sample(tags, rng.randrange(3, 12)) + ["p", "table", "td", "li"][: rng.randrange(4)]
    out = []
    for _ in range(rng.randrange(3, 80)):
        tag = rng.choice(tags)
        attributes = " ".join(rng.sample(DRAFT_ATTRIBUTES, rng.randrange(3)))
        out.append(
            rng.choice([f"<{tag} {attributes}>", f"<{tag}>", f"</{tag}>", " ", rng.choice(WORDS), "\n", "\u00ad"])
        )
    return "".join(out)


@pytest.mark.parametrize("seed", range(400))
def test_written_drafts(seed: int) -> None:
    policy = _policy(seed % 5 == 0, seed % 3 == 0, links=True, images=True)
    root = dom.fragment(random_draft(seed))
    # Text beside text is one text to whoever reads what the parser writes.
    for node in [node for node in root.descendants if isinstance(node, dom.Element)]:
        node.normalize()
    written = as_text(policy.core.write(root.inner_html))
    assert written == _write(root, replace(policy, core=None))
    html = sanitize(root, Output())
    assert core.plain_text(html, _kinds(), has_invisible(html)) in (None, _Writer(html).write(dom.fragment(html)))


@pytest.mark.parametrize(
    "html",
    [
        "<svg><p>a</p></svg>",
        "<p>a",
        "<p>a</div>",
        "<script>a</script>",
        "<p class=x>a</p>",
        "<!-- a -->",
        "<P>a</P>",
        "<p",
    ],
)
def test_what_the_parser_does_not_write_so_is_not_written_by_the_core(html: str) -> None:
    assert _policy(False, False, True, True).core.write(html) is None
    assert core.plain_text(html, _kinds(), False) is None


def test_other_escapes_are_left_to_the_parser() -> None:
    assert core.plain_text("<p>&#39;</p>", _kinds(), False) is None
    assert render_text("<p>it&#39;s</p>") == "it's"
    assert _policy(False, False, True, True).core.write('<abbr title="&#39;">a</abbr>') is None


def folded(html: str) -> str:
    """A fragment as it is parsed, the white space in attributes that are lists of words folded."""
    root = dom.fragment(html)
    for element in root.iter_elements():
        for name, value in element.attrs.items():
            if isinstance(value, list):
                element.attrs[name] = " ".join(value)
    return root.inner_html


@pytest.mark.parametrize("around", ["oak", "\xe9", "木", "😀"])
def test_suspect_characters(monkeypatch: pytest.MonkeyPatch, around: str) -> None:
    characters = [
        chr(c) for c in (*range(0x300), *range(0x2000, 0x2100), *range(0xD700, 0x10000), *range(0xDFF00, 0xE1100))
    ]
    texts = [f"{around}{c}{around}" for c in characters]
    texts += [f"{around}{one}{other}" for one in "\ufe00\ufe0f\U000e0100a" for other in "\ufe00\U000e01efb"]
    # Wherever they fall in the pieces of 64 characters that the core looks at together.
    found = ("\ufe00\ufe01", "\ufe0f\u202a\ufe0f", "\x0b\x1f", "\u202e", "\ud83d\ude00", "\t\r\n")
    texts += [
        around[0] * n + each + around[0] * m for each in found for n in (0, 62, 63, 64, 127, 200) for m in (0, 1, 64)
    ]
    by_core = [strip_invisible(text) for text in texts]
    monkeypatch.setattr("duramen.refine.sanitize.core", None)
    assert by_core == [strip_invisible(text) for text in texts]
    assert len({text for text, _ in by_core}) < len(set(texts))


FORMATTING = (
    "<b>", "</b>", "<B >", "<i>", "</i>", "<font size=1>", "</font>", "</FONT >", "<strong>", "<strongx>", "<p>", "a",
    "é", "木", "<u/>", "</u", "<", "<code\n>", "</code>", "<a href='x>y'>", "<a>", "</a>", "<nobr>", '<font x="', "=",
    "'", f"<b x = '{'y' * 60}' z>", "<ſ>", "\u3c3c", "\u013c", "\u3c00<b>", "\U0001f33c", "\U00013c3c<i>",
)  # fmt: skip


@pytest.mark.parametrize("most", [50, 10**9])
def test_the_cost_of_open_formatting(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    rng = random.Random(1)
    pages = ["".join(rng.choices(FORMATTING, k=rng.randrange(60))) for _ in range(500)]
    pages.append(f"<a {'é' * 40} {'木' * 80}><p>" * 3)
    by_core = [dom.formatting_cost(page, most) for page in pages]
    assert by_core == [dom.formatting_cost(core.utf8(page.encode()), most) for page in pages]
    monkeypatch.setattr(dom, "core", None)
    assert by_core == [dom.formatting_cost(page, most) for page in pages]


@pytest.mark.parametrize("text", ["<b><B><h>", "<p>é</b>", "<html><木<b<", "𐀀<H", "<", "\u3c3cb\u013cb"])
def test_tags_that_may_begin_with_a_letter(text: str) -> None:
    assert core.begun_with(text, ("h", "b")) == sum(text.lower().count(begin) for begin in ("<h", "<b"))


def test_limits_beyond_what_the_core_counts() -> None:
    result = pipeline.extract("<p>Oak is hard.", None, Options(limits=Limits(max_nodes=10**12, seconds=1e12)))
    assert result.text == "Oak is hard."


@pytest.mark.parametrize(
    "text", ["", "<" * 129, "a<b" * 100, "é<" * 90, "心<" * 200 + "\ufffd", "𐀀<" * 77, "\u013c" * 300, "㰼<" * 130]
)
def test_characters_are_counted(text: str) -> None:
    for character in ("<", "\ufffd", "é", "心", "𐀀", "\x00"):
        assert core.count_of(text, character) == text.count(character)
        if character.isascii():
            assert core.count_of(core.utf8(text.encode()), character) == text.count(character)
