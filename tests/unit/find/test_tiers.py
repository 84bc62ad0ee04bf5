"""Each tier by what it proposes, and those with exact knowledge end to end."""

from __future__ import annotations

import json

import pytest

import duramen
from duramen import Options, Result
from duramen.find.choice import TRUST
from duramen.find.density import best_container, density_probabilities
from duramen.find.embedded import as_html, find_embedded, hydrated_candidates
from duramen.find.patterns import find_patterns
from duramen.find.semantic import find_semantic
from duramen.find.site_rules import find_site_rule
from duramen.model import TIERS, Candidate
from duramen.page import Page
from duramen.read.reader import read_page
from duramen.rule_set import rules_of

PROSE = (
    "Oak heartwood is hard, dark and durable, and for centuries shipwrights chose it for keels and ribs. They went into"
    " the woods themselves, in winter, and marked the trees whose limbs already had the curve that a hull needs.",
    "The living part of the trunk is the sapwood, which carries water from the roots up to the leaves. It is pale, soft"
    " and full of sugar, and whatever eats wood will begin there, long before anybody sees a hole from the outside.",
    "As rings age, the tree fills them with tannins and gums, and they stop carrying water altogether. The change takes"
    " a few weeks in autumn, and a forester can see its edge on a fresh stump as a line between two colours.",
    "Fungi that feed on sapwood within a few summers need decades to make their way through heartwood. In one trial,"
    " stakes of both were left in wet ground, and after nine years only those cut from the centre still stood.",
    "Carpenters therefore cut the pale outer wood away before they bring a beam under a roof for good. Where they did"
    " not, the beam looks sound from below, and a thumb pressed into its upper edge goes in up to the nail.",
    "What remains is dead in every sense that matters to the tree, yet it holds the whole crown upright. A hollow oak"
    " may live for another two hundred years, but it will not stand through the storms that a whole one survives.",
)
BODY = "".join(f"<p>{sentence} <a href=/source-{n}>Source {n}</a></p>" for n, sentence in enumerate(PROSE))
NAV = "<nav><ul><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/sport>Sport</a></ul></nav>"
FOOT = "<footer><p>© 2026 Example Ltd. All rights reserved.</p><a href=/privacy>Privacy</a></footer>"


def html(body: str, head: str = "<title>Oaks</title>", doctype: str = "<!doctype html>") -> str:
    return f"{doctype}<html lang=en><head>{head}</head><body>{body}</body></html>"


def read(
    body: str, head: str = "<title>Oaks</title>", url: str | None = None, doctype: str = "<!doctype html>"
) -> Page:
    return read_page(html(body, head, doctype), url, Options())


def places(page: Page, candidates: list[Candidate]) -> dict[str, list[str]]:
    """What each rule proposed, as the names of the elements."""
    tree = page.tree
    return {c.rule_id: [tree.path(node).split(" > ")[-1] for node in c.nodes] for c in candidates}


def ld(**data: object) -> str:
    return f'<title>Oaks</title><script type="application/ld+json">{json.dumps(data)}</script>'


def won(result: Result) -> str:
    return next(a.candidate.rule_id for a in result.trace.attempts if a.outcome == "won")


# Semantic


def test_article_body_and_main_and_article() -> None:
    page = read(f"{NAV}<main><article><div itemprop='articleBody text' class=x>{BODY}</div></article></main>{FOOT}")
    found = places(page, list(find_semantic(page)))
    assert found == {"article-body": ["div.x"], "article": ["article"], "main": ["main"]}


def test_the_article_with_the_most_unlinked_text() -> None:
    links = "<article class=links><p><a href=/>" + "a linked teaser " * 60 + "</a></p></article>"
    page = read(f"{links}<article class=own>{BODY}</article><article class=short><p>Short.</article>")
    found = places(page, list(find_semantic(page)))
    assert found["article"] == ["article.own"]
    assert found["articles"] == ["article.links", "article.own", "article.short"]


def test_of_two_main_elements_the_one_with_more_text() -> None:
    page = read(f"<main class=a><p>{PROSE[0]}</p></main><main class=b>{BODY}</main><main class=c></main>")
    assert places(page, list(find_semantic(page)))["main"] == ["main.b"]


def test_what_is_linked_counts_against_an_article() -> None:
    linked = f"<article class=linked><p>{PROSE[0]}</p><a href=/1>{PROSE[1][:120]}</a></article>"
    page = read(f"{linked}<article class=plain><p>{PROSE[2][:180]}</p></article>")
    assert places(page, list(find_semantic(page)))["article"] == ["article.plain"]


def test_nested_articles_are_proposed_once() -> None:
    page = read(
        f"<article class=outer>{BODY}<article class=inner>{BODY}</article></article><article class=x>y</article>"
    )
    assert places(page, list(find_semantic(page)))["articles"] == ["article.outer", "article.x"]


def test_roles_stand_for_elements() -> None:
    page = read(f"<div role=main class=m><div role=article class=a>{BODY}</div></div>")
    assert places(page, list(find_semantic(page))) == {"article": ["div.a"], "main": ["div.m"]}


@pytest.mark.parametrize("words", ["Skip to content", "Jump to main", "Zum Inhalt springen", "Aller au contenu"])
def test_skip_link_names_the_content(words: str) -> None:
    page = read(f"<a href=#here>{words}</a>{NAV}<div id=here>{BODY}</div>")
    assert places(page, list(find_semantic(page))) == {"skip-link": ["div#here"]}


@pytest.mark.parametrize("link", ["<a href=#gone>Skip to content</a>", "<a href=#here>Chapter one</a>"])
def test_other_links_do_not(link: str) -> None:
    page = read(f"{link}<div id=here>{BODY}</div>")
    assert list(find_semantic(page)) == []


@pytest.mark.parametrize(("letters", "found"), [(580, True), (620, False)])
def test_a_skip_link_is_at_the_top(letters: int, found: bool) -> None:
    page = read(f"<p>{'x' * letters}</p><a href=#here>Skip to content</a><div id=here>{BODY}</div>")
    assert bool(list(find_semantic(page))) == found


@pytest.mark.parametrize("name", ["articleBody", "schema:articleBody", "schema:text", "content:encoded"])
def test_the_body_in_rdfa(name: str) -> None:
    page = read(f"<div property='x {name}' class=b>{BODY}</div>")
    assert places(page, list(find_semantic(page))) == {"article-body": ["div.b"]}
    assert list(find_semantic(read(f"<div property={name}s>{BODY}</div>"))) == []


def test_legacy_names_only_on_legacy_pages() -> None:
    body = f"<div id=main>{BODY}</div>"
    old = '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">'
    page = read(body, doctype=old)
    assert places(page, list(find_semantic(page))) == {"legacy-main": ["div#main"]}
    assert list(find_semantic(read(body))) == []
    for name in ("class=main", "class=article", "id=article"):
        assert len(list(find_semantic(read(f"<div {name}>{BODY}</div>", doctype=old)))) == 1
    assert list(find_semantic(read(f"<p id=main>Oak</p><div id=mains class='main x'>{BODY}</div>", doctype=old))) == []


# Class patterns


def test_patterns_in_order_of_trust_each_with_its_best() -> None:
    page = read(
        f"<div class=content><div class='hentry x'><div class=post-content>{BODY}</div>"
        "<div class=post-content><p>A little more.</p></div></div></div>"
    )
    candidates = list(find_patterns(page))
    assert [c.rule_id for c in candidates] == ["pattern-article-body", "pattern-cms", "pattern-content"]
    assert [page.tree.cls[c.nodes[0]] for c in candidates] == ["post-content", "hentry x", "content"]
    assert candidates[0].confidence > candidates[1].confidence > candidates[2].confidence
    assert "post-content" in page.tree.cls[candidates[0].nodes[0]] and page.tree.words_in(candidates[0].nodes[0]) > 50


@pytest.mark.parametrize("name", ["Post_Content", "post-content", "article-body__content__17Yit", "entryContent"])
def test_pattern_spellings(name: str) -> None:
    assert [c.rule_id for c in find_patterns(read(f"<div class='x {name}'>{BODY}</div>"))] == ["pattern-article-body"]


@pytest.mark.parametrize("body", [f"<div class=contented>{BODY}</div>", "<div class=content><a href=/>x y</a></div>"])
def test_no_pattern(body: str) -> None:
    assert list(find_patterns(read(body))) == []


# Frameworks

DOCUSAURUS = html(
    "<div id=__docusaurus><nav class=navbar><a href=/>Docs</a><a href=/blog>Blog</a></nav><div class=docs-wrapper>"
    "<aside class=theme-doc-sidebar-container><ul><li><a href=/a>Install</a><li><a href=/b>Use</a></ul></aside><main>"
    "<nav class=theme-doc-breadcrumbs><ul><li>Home<li>Guides</ul></nav><article>"
    "<div class='theme-doc-markdown markdown'><h1>Install</h1><p>Run the installer, then restart the shell so that the"
    " new path is known to it.</p><h2 id=why>Why<a class=hash-link href=#why>#</a></h2><p>Because the old path is kept"
    " by every shell that is already running.</p><div class='theme-admonition theme-admonition-note'><div>note</div>"
    "<div><p>Windows needs a reboot.</p></div></div><pre><code class=language-sh>duramen install</code></pre></div>"
    "<footer class=theme-doc-footer><a class=theme-edit-this-page href=/edit>Edit this page</a></footer></article>"
    "<nav class=pagination-nav><a href=/next>Next: Use</a></nav></main></div></div>",
    "<title>Install | Docs</title><meta name=generator content='Docusaurus v3.1.0'>",
)

SPHINX = html(
    "<div class=related><ul><li><a href=genindex.html>index</a></ul></div><div class=document>"
    "<div class=documentwrapper><div class=bodywrapper><div class=body role=main><section id=oak>"
    "<h1>Oak<a class=headerlink href=#oak>¶</a></h1>"
    "<p>This module grows oaks, one ring at a time, until the forest is full of them.</p><dl class='py function'>"
    "<dt class='sig sig-object py' id=oak.grow><span class=pre>grow</span>(<em>years</em>)<a class=headerlink"
    " href=#oak.grow>¶</a></dt><dd><p>Add as many rings as there are years, and return the tree.</p></dd></dl>"
    "<div class='admonition note'><p class=admonition-title>Note</p><p>Rings are counted from the centre.</p></div>"
    "</section></div></div></div><div class=sphinxsidebar><h3>Navigation</h3><ul><li class=toctree-l1><a href=a.html>"
    "Acorns</a></ul></div><div class=clearer></div></div><div class=footer>Created using Sphinx</div>",
    "<title>Oak — Trees 1.0 documentation</title>",
)


def test_docusaurus_end_to_end() -> None:
    result = duramen.extract(DOCUSAURUS, "https://docs.example.org/docs/install")
    assert result.framework is not None and result.framework.id == "docusaurus" and result.framework.confidence > 0.5
    assert result.tier == "framework" and won(result) == "framework-docusaurus"
    for wanted in ("Run the installer", "Because the old path", "Windows needs a reboot", "duramen install"):
        assert wanted in result.text
    for unwanted in ("Edit this page", "Next: Use", "Blog", "Guides", "#"):
        assert unwanted not in result.text, unwanted
    assert result.title == "Install" and "## Why\n" in result.markdown and "[!NOTE]" in result.markdown


def test_sphinx_end_to_end() -> None:
    result = duramen.extract(SPHINX, "https://trees.example.org/en/oak.html")
    assert result.framework is not None and result.framework.id == "sphinx"
    assert result.tier == "framework" and won(result) == "framework-sphinx"
    for wanted in ("This module grows oaks", "grow(years)", "Add as many rings", "Rings are counted"):
        assert wanted in result.text
    for unwanted in ("¶", "Acorns", "Navigation", "Created using", "index"):
        assert unwanted not in result.text, unwanted


# Site rules

BBC = html(
    f"<header><a href=/>BBC Homepage</a>{NAV}</header><main role=main><article><div data-component=headline-block>"
    "<h1>Old oaks fall</h1></div><div data-component=byline-block>By A Writer</div><div data-component=text-block>"
    f"{BODY}</div><div data-component=links-block><h2>More on this story</h2><ul><li><a href=/news/1>Elms fall too</a>"
    "<li><a href=/news/2>Ash dies back</a></ul></div><div data-component=topic-list><a href=/topics/x>Forestry</a>"
    f"</div></article></main>{FOOT}",
    "<title>Old oaks fall - BBC News</title>",
)


def test_bbc_end_to_end() -> None:
    result = duramen.extract(BBC, "https://www.bbc.co.uk/news/articles/c0ffee")
    assert result.tier == "site_rule" and won(result) == "site-bbc"
    assert all(sentence in result.text for sentence in PROSE)
    for unwanted in ("Elms fall too", "Forestry", "By A Writer", "Homepage", "More on this story"):
        assert unwanted not in result.text, unwanted
    assert "site rule bbc (bbc.toml)" in result.trace.steps
    elsewhere = duramen.extract(BBC, "https://example.org/news")
    assert elsewhere.tier != "site_rule" and "no site rule" in elsewhere.trace.steps


@pytest.mark.parametrize(
    ("url", "rule"),
    [
        ("https://www.bbc.com/news", "bbc"),
        ("https://WWW.BBC.CO.UK:443/x", "bbc"),
        ("https://bbc.com", "bbc"),
        ("https://notbbc.com/", None),
        ("https://bbc.com.evil.example/", None),
        ("http://[broken", None),
        ("/relative", None),
        ("", None),
        (None, None),
    ],
)
def test_rule_for(url: str | None, rule: str | None) -> None:
    found = rules_of(()).for_url(url)
    assert (found.id if found else None) == rule


def test_rule_with_too_few_words_proposes_nothing() -> None:
    short = "<main><article><div data-component=text-block><p>Too short.</p></div></article></main>"
    page = read(short, url="https://www.bbc.com/x")
    assert page.rule is not None and list(find_site_rule(page)) == []
    result = duramen.extract(html(short), "https://www.bbc.com/x")
    assert result.tier != "site_rule"


def test_a_found_element_inside_another_is_proposed_once() -> None:
    page = read(f"<div class=a>{BODY}<div class=a>{BODY}</div></div><div class=a></div><div class=a>x</div>")
    assert [page.tree.words_in(i) > 100 for i in page.tree.speaking_outermost(page.tree.selected(".a"))] == [
        True,
        False,
    ]
    assert page.tree.selected("p[") == []


# Structured data

ARTICLE_BODY = "\n\n".join(PROSE)


def test_article_body_that_stands_in_the_page_is_its_nodes() -> None:
    page = read(f"{NAV}<div class=odd>{BODY}</div>{FOOT}", ld(**{"@type": "NewsArticle", "articleBody": ARTICLE_BODY}))
    (candidate,) = find_embedded(page)
    assert (
        candidate.tier == "structured"
        and not candidate.fragment
        and places(page, [candidate]) == {candidate.rule_id: ["div.odd"]}
    )
    result = duramen.extract(
        html(f"{NAV}<div class=odd>{BODY}</div>{FOOT}", ld(**{"@type": "NewsArticle", "articleBody": ARTICLE_BODY})),
        "https://example.org/",
    )
    assert result.html.count("<a ") == len(PROSE), "links survive"


def test_article_body_that_is_not_in_the_page_is_a_fragment() -> None:
    long = "\n\n".join(PROSE * 2)
    head = ld(**{"@type": "NewsArticle", "headline": "Oaks", "articleBody": long})
    page = read(f"{NAV}<div id=app></div>", head)
    (candidate,) = find_embedded(page)
    assert candidate.nodes == ()
    assert candidate.fragment.count("<p>") == 2 * len(PROSE)
    result = duramen.extract(html(f"{NAV}<div id=app></div>", head))
    assert result.tier == "structured" and all(sentence in result.text for sentence in PROSE)
    assert "Sport" not in result.text


def test_article_body_of_markup_is_kept_as_markup_and_sanitized() -> None:
    body = "".join(f"<p>{sentence}</p>" for sentence in PROSE) + "<p onclick=x()>Last.<script>alert(1)</script></p>"
    result = duramen.extract(html("<div id=app></div>", ld(**{"@type": "Article", "articleBody": body})))
    assert result.html.count("<p>") == len(PROSE) + 1 and "onclick" not in result.html and "alert" not in result.html


def test_short_article_body_proposes_nothing() -> None:
    assert list(find_embedded(read(BODY, ld(**{"@type": "Article", "articleBody": "Too short."})))) == []


@pytest.mark.parametrize(("size", "proposed"), [(299, 0), (300, 1)])
def test_a_body_has_three_hundred_characters(size: int, proposed: int) -> None:
    page = read("", ld(**{"@type": "Article", "articleBody": ("oak " * 100)[: size - 1] + "."}))
    assert len(list(find_embedded(page))) == proposed


def test_three_bodies_are_looked_at() -> None:
    items = "".join(ld(**{"@type": "Article", "articleBody": text * 2}) for text in PROSE[:5])
    assert len({candidate.fragment for candidate in find_embedded(read("", items))}) == 3


@pytest.mark.parametrize(
    ("shown", "found"),
    [
        (PROSE, ["div.odd"]),
        (PROSE[:3], ["div.odd"]),
        (PROSE[:2], []),
        (PROSE[:1], []),
        ((), []),
    ],
)
def test_a_body_stands_in_the_page_if_half_of_it_does(shown: tuple[str, ...], found: list[str]) -> None:
    body = "".join(f"<p class=long-name-of-a-class-that-nobody-sees>{sentence}</p>" for sentence in PROSE)
    inside = "".join(f"<div><p>{sentence}</p></div>" for sentence in shown)
    page = read(f"{NAV}<div class=odd>{inside}</div>{FOOT}", ld(**{"@type": "Article", "articleBody": body}))
    assert list(places(page, list(find_embedded(page))).values()) == [found]


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("//div[@class='lead']", ["div.lead"]),
        ("//div[p]", ["div.lead"]),
        ("//div[2]", ["div.lead"]),
        ("//div[3]", []),
    ],
)
def test_speakable_by_attribute_child_and_number(path: str, found: list[str]) -> None:
    speakable = {"@type": "SpeakableSpecification", "xpath": [path]}
    body = f"<div class=empty></div><div class=lead><p>{PROSE[0]}</p></div><div class=empty></div>"
    page = read(body, ld(**{"@type": "Article", "speakable": speakable}))
    assert places(page, list(find_embedded(page))).get("data-speakable", []) == found


def test_speakable_names_nodes() -> None:
    speakable = {"@type": "SpeakableSpecification", "cssSelector": [".summary", ".absent", "p["]}
    page = read(f"<div class=summary><p>{PROSE[0]}</p></div>{BODY}", ld(**{"@type": "Article", "speakable": speakable}))
    found = list(find_embedded(page))
    assert places(page, found) == {"data-speakable": ["div.summary"]} and found[0].evidence == "speakable .summary"


def test_speakable_by_xpath() -> None:
    speakable = {"@type": "SpeakableSpecification", "xpath": ["/html/body/div[1]/p", "//[", "/html/body/p/text()"]}
    page = read(f"<div class=lead><p>{PROSE[0]}</p></div>{BODY}", ld(**{"@type": "Article", "speakable": speakable}))
    found = list(find_embedded(page))
    assert [candidate.evidence for candidate in found] == ["speakable /html/body/div[1]/p"]
    assert [page.tree.text_in(node) for node in found[0].nodes] == [PROSE[0]]


def test_hydration_data_of_a_shell() -> None:
    state = {"props": {"pageProps": {"article": {"body": "".join(f"<p>{s}</p>" for s in PROSE * 2)}}}}
    script = f'<script id="__NEXT_DATA__" type="application/json">{json.dumps(state)}</script>'
    result = duramen.extract(html(f"<div id=__next>Loading</div>{script}"))
    assert result.tier == "structured" and won(result).startswith("data-hydration")
    assert all(sentence in result.text for sentence in PROSE)
    full = duramen.extract(html(f"{NAV}<main><h1>Oaks</h1>{BODY}{BODY}</main>{script}{FOOT}"))
    assert not won(full).startswith("data-"), "the page's own text is preferred"


def test_hydrated_candidates_are_long_enough() -> None:
    assert list(hydrated_candidates([("hydration:x", "short")])) == [] == list(hydrated_candidates([]))
    (candidate,) = hydrated_candidates([("hydration:x", ARTICLE_BODY), ("hydration:y", ARTICLE_BODY)])
    assert candidate.rule_id == "data-hydration:x"


@pytest.mark.parametrize(
    ("body", "made"),
    [
        ("one\n\ntwo", "<p>one</p><p>two</p>"),
        ("one\ntwo\r\nthree", "<p>one</p><p>two</p><p>three</p>"),
        ("a < b & c", "<p>a &lt; b &amp; c</p>"),
        ("<p>one</p>", "<p>one</p>"),
        ("<notatag>", "<p>&lt;notatag&gt;</p>"),
        (" \n ", ""),
    ],
)
def test_as_html(body: str, made: str) -> None:
    assert as_html(body) == made


@pytest.mark.parametrize("tag", "p div br h1 h2 h3 h4 h5 h6 ul ol li a strong em figure blockquote P".split())
def test_markup_by_any_of_its_tags(tag: str) -> None:
    assert as_html(f"Oak <{tag}>elm") == f"Oak <{tag}>elm"
    assert as_html(f"Oak <{tag}x>elm") == f"<p>Oak &lt;{tag}x&gt;elm</p>"


# Density


def test_density_finds_the_container_and_marks_its_blocks() -> None:
    page = read(f"{NAV}<div class=story>{BODY}</div><div class=side><a href=/>One more</a></div>{FOOT}")
    container = best_container(page, set())
    assert container is not None and page.tree.cls[container] == "story"
    probabilities = density_probabilities(page, set())
    inside = [page.tree.contains(container, first) for first in page.blocks.first]
    assert min(p for p, own in zip(probabilities, inside, strict=True) if own) > 0.5
    assert max(p for p, own in zip(probabilities, inside, strict=True) if not own) < 0.5


def test_density_widens_to_siblings_of_the_same_kind() -> None:
    page = read(f"<div class=all><div class=one>{BODY}</div><div class=two>{BODY}</div></div>{FOOT}")
    container = best_container(page, set())
    assert container is not None and page.tree.cls[container] == "all"


def test_density_of_nothing() -> None:
    assert best_container(read(""), set()) is None and density_probabilities(read(""), set()) == []


def test_tiers_are_tried_in_order_of_trust(article_html: str) -> None:
    result = duramen.extract(article_html, "https://timber.example/")
    tried = [TIERS.index(attempt.candidate.tier) for attempt in result.trace.attempts if not attempt.candidate.fragment]
    assert tried == sorted(tried) and set(TRUST) == set(TIERS)


def test_the_trace_says_why_equals_lost() -> None:
    """Not that their score is lower."""
    prose = "".join(f"<p>{paragraph}</p>" for paragraph in PROSE)
    attempts = {a.candidate.tier: a for a in duramen.extract(f"<main><h1>Oak</h1>{prose}</main>").trace.attempts}
    assert attempts["semantic"].score == attempts["scoring"].score
    assert attempts["semantic"].outcome == "won"
    assert attempts["scoring"].outcome == "lost: not better than the one before it"
