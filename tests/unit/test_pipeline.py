"""What ``duramen.extract`` promises to a caller, from the outside."""

from __future__ import annotations

import gzip
import hashlib
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

import duramen
from duramen import InputError, Limits, OptionError, Options, Output, Result
from duramen.model import TIERS, PageType, VerdictName
from duramen.options import Mode, Strategy
from duramen.page import letters

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
BODY = "".join(f"<p>{sentence}</p>" for sentence in PROSE)
NAV = "<nav><ul><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/sport>Sport</a></ul></nav>"
FOOT = "<footer><p>© 2026 Example Ltd. All rights reserved.</p><a href=/privacy>Privacy</a></footer>"
URL = "https://example.org/2026/03/oaks"


def html(body: str, head: str = "<title>Oaks</title>", doctype: str = "<!doctype html>") -> str:
    return f"{doctype}<html lang=en><head><meta charset=utf-8>{head}</head><body>{body}</body></html>"


def story(body: str = BODY, **more: str) -> str:
    return html(f"{NAV}<main><article><h1>Oaks</h1>{body}</article></main>{FOOT}", **more)


def codes(result: Result) -> list[str]:
    return [reason.partition(":")[0] for reason in result.quality.reasons]


def has_story(result: Result) -> bool:
    return all(sentence in result.text for sentence in PROSE)


# Input


@pytest.mark.parametrize(
    ("given", "advice"),
    [
        ("https://example.org/oaks", r"is a URL, not a page; fetch it with Session\(\)\.extract\(url\)"),
        (" HTTP://example.org/oaks?a=1\n", "is a URL"),
        ("www.example.org", "is a URL"),
        ("page.html", r"is the name of a file, not a page; write extract\(Path\('page.html'\)\.read_bytes\(\)\)"),
        ("./pages/oaks.HTM", "is the name of a file"),
        ("C:\\pages\\oaks.xhtml", "is the name of a file"),
        ("file:///tmp/oaks.html", r"is the name of a file, not a page; write extract\(Path\('/tmp/oaks.html'\)\.read"),
        ("~/oaks.html", r"Path\('~/oaks.html'\)\.expanduser\(\)\.read_bytes"),
        ("/my pages/oaks 1.html", "is the name of a file"),
        ("C:\\My Pages\\oaks.html", "is the name of a file"),
        ("ftp://example.org/oaks.html", "is a URL, not a page; download it by other means, and give extract the HTML"),
        ("s3://oaks/1.html", "is a URL"),
    ],
)
def test_an_address_or_a_path_is_no_page(given: str, advice: str) -> None:
    with pytest.raises(InputError, match=advice):
        duramen.extract(given)


@pytest.mark.parametrize(
    "given",
    ["See https://example.org/oaks", "Read page.html first", "<p>page.html", "<p>https://example.org/", "oak", "html"],
)
def test_texts_with_an_address_are_pages(given: str) -> None:
    assert isinstance(duramen.extract(given), Result)
    # Bytes come from files and servers, whatever they hold.
    assert isinstance(duramen.extract(b"https://example.org/oaks"), Result)


def test_options_in_the_place_of_the_url_are_refused() -> None:
    with pytest.raises(OptionError, match=r"write extract\(html, options="):
        duramen.extract("<p>Oaks.", Options(mode="recall"))  # type: ignore[arg-type]


def test_text_and_bytes_give_the_same() -> None:
    page = story(BODY + "<p>Ångström wrote a short note on it.</p>")
    text, data = duramen.extract(page, URL), duramen.extract(page.encode(), URL)
    assert text.html == data.html and text.metadata == data.metadata and text.quality == data.quality
    assert (text.encoding.name, text.encoding.source) == ("utf-8", "str")
    assert data.encoding.name == "utf-8" and data.encoding.source != "str"
    assert has_story(text) and "Sport" not in text.text and "All rights" not in text.text


@pytest.mark.parametrize("wrap", [bytearray, memoryview])
def test_other_bytes_are_bytes(wrap: Any) -> None:
    assert duramen.extract(wrap(story().encode())).html == duramen.extract(story().encode()).html


def test_legacy_encoding_is_honoured() -> None:
    page = story(BODY + "<p>Das Kernholz der Eiche ist härter als Fichtenholz, und zwar für Jahrhunderte.</p>")
    result = duramen.extract(page.replace("utf-8", "iso-8859-1").encode("iso-8859-1"))
    assert "härter" in result.text and "für" in result.text
    given = duramen.extract(page.encode("cp1252"), options=Options(encoding="windows-1252"))
    assert "härter" in given.text and given.encoding.source == "given"


@pytest.mark.parametrize("page", [None, 7, ["<p>"], {"html": "<p>"}, Path("page.html"), 1.5, object()])
def test_wrong_input_says_what_to_do(page: Any) -> None:
    with pytest.raises(InputError, match=r"html must be str or bytes, not \w+; read a file with Path"):
        duramen.extract(page)
    with pytest.raises(TypeError):
        duramen.extract(page)


@pytest.mark.parametrize("url", [7, b"https://example.org/", Path("x"), ["https://example.org/"]])
def test_wrong_url_says_what_to_do(url: Any) -> None:
    with pytest.raises(InputError, match=r"url must be a str or None, not \w+; leave it out"):
        duramen.extract("<p>", url)


@pytest.mark.parametrize("options", [{"mode": "recall"}, "recall", Output(), Limits(), 1, Options])
def test_wrong_options_say_what_to_do(options: Any) -> None:
    with pytest.raises(OptionError, match=r"options must be duramen.Options, not \w+; write Options\(mode='recall'\)"):
        duramen.extract("<p>", None, options)


def test_unknown_option_names_the_right_one() -> None:
    wrong: dict[str, Any] = {"include_comment": True}
    with pytest.raises(OptionError, match="did you mean 'include_comments'"):
        Options(**wrong)


@pytest.mark.parametrize(
    "url", ["", "not a url", "http://[broken", "//", "https://" + "a" * 5000, "javascript:x", "\0"]
)
def test_odd_urls_are_not_errors(url: str) -> None:
    assert has_story(duramen.extract(story(BODY + "<p>See <a href=/x>there</a> for more about it.</p>"), url))


# Links


def test_links_and_images_are_absolute() -> None:
    body = (
        BODY + "<p>More in <a href=../elms>the note on elms</a>, with a drawing.</p><p><img src=/oak.png alt=Oak></p>"
    )
    result = duramen.extract(story(body + BODY), URL)
    assert 'href="https://example.org/2026/elms"' in result.html
    assert "(https://example.org/2026/elms)" in result.markdown
    assert "https://example.org/oak.png" in result.html


def test_base_is_respected() -> None:
    body = BODY + "<p>More in <a href=elms>the note on elms</a>, which is longer.</p>"
    head = "<title>Oaks</title><base href=/trees/>"
    assert 'href="https://example.org/trees/elms"' in duramen.extract(story(body, head=head), URL).html
    assert 'href="elms"' in duramen.extract(story(body)).html, "without any address a link stays as it is"


# Title and metadata


def test_the_title_is_not_in_the_body() -> None:
    page = story(head="<title>Why oaks outlast larches - The Timber Review</title>")
    result = duramen.extract(page.replace("<h1>Oaks", "<h1>Why oaks outlast larches"))
    assert result.title == "Why oaks outlast larches" and "<h1>" not in result.html
    assert "outlast larches" not in result.text and has_story(result)


def test_a_title_above_a_document_that_begins_with_it_is_in_the_body_neither_time() -> None:
    page = story(f"<div class=inner><h1>Why oaks outlast larches</h1>{BODY}</div>", head="<title>Oaks</title>")
    result = duramen.extract(page.replace("Oaks<", "Why oaks outlast larches<"))
    assert result.title == "Why oaks outlast larches"
    assert "outlast larches" not in result.text and has_story(result)


def test_metadata_with_sources() -> None:
    data = {
        "@type": "NewsArticle",
        "headline": "Oaks",
        "author": {"@type": "Person", "name": "Ines Halvorsen"},
        "datePublished": "2026-03-14T08:30:00+01:00",
    }
    head = (
        "<title>Oaks - Timber</title><meta property=og:site_name content=Timber>"
        "<meta name=description content='On oaks.'>"
        "<link rel=canonical href=/oaks><meta property=og:image content=/oak.png>"
        f'<script type="application/ld+json">{json.dumps(data)}</script>'
    )
    meta = duramen.extract(story(head=head), URL).metadata
    assert (meta.title, meta.author, meta.description, meta.site_name) == (
        "Oaks",
        "Ines Halvorsen",
        "On oaks.",
        "Timber",
    )
    assert (meta.published or "").startswith("2026-03-14") and meta.language == "en"
    assert meta.canonical_url == "https://example.org/oaks" and meta.image == "https://example.org/oak.png"
    for field in ("title", "authors", "published", "description", "site_name", "language", "canonical_url", "image"):
        assert meta.sources[field], field
    assert "json" in meta.sources["authors"].lower() and meta.modified is None and "modified" not in meta.sources


# Content the page hides

POSTS = "".join(
    f"<div class=topic-body itemprop=comment><span class=creator>user{n}</span><div class=post itemprop=text><p>{s} "
    f"{PROSE[(n + 3) % 6]}</p></div></div>"
    for n, s in enumerate(PROSE)
)


def test_thread_in_noscript() -> None:
    body = (
        "<discourse-assets></discourse-assets><section id=main></section><noscript data-path=/t/oaks/1>"
        "<header class=d-header><a href=/>Forum</a></header><div id=main-outlet class=wrap role=main><h1>Oaks</h1>"
        f"{POSTS}</div></noscript>"
    )
    head = "<title>Oaks - Wood forum</title><meta name=generator content='Discourse 3.2.0'>"
    result = duramen.extract(html(body, head), "https://forum.example.org/t/oaks/1")
    assert has_story(result)
    assert all(result.text.count(sentence) == 2 for sentence in PROSE), "each of the posts, each once"


def test_template() -> None:
    assert has_story(duramen.extract(html(f"{NAV}<template id=story><h1>Oaks</h1>{BODY}</template>{FOOT}")))


def test_declarative_shadow_root() -> None:
    page = html(f"{NAV}<x-story><template shadowrootmode=open><h1>Oaks</h1>{BODY}</template></x-story>{FOOT}")
    result = duramen.extract(page)
    assert has_story(result) and "Sport" not in result.text


@pytest.mark.parametrize("how", ["hidden", "style='display:none'", "style='visibility: hidden'", "aria-hidden=true"])
def test_hidden_but_dominant_container(how: str) -> None:
    result = duramen.extract(html(f"{NAV}<div id=app {how}><main><h1>Oaks</h1>{BODY}{POSTS}</main></div>{FOOT}"))
    assert has_story(result)


# Options

COMMENTS = (
    "<section id=comments class=comments-area><h2>2 comments</h2><ol class=comment-list><li><p>My grandfather"
    " built a boat of oak and it is still afloat on the lake.</p><li><p>Larch does just as well as oak in a damp"
    " cellar.</p></ol></section>"
)


def test_comments_only_on_request(article_html: str) -> None:
    page = article_html.replace("</article>", f"</article>{COMMENTS}", 1)
    assert "grandfather" not in duramen.extract(page, URL).text
    assert "grandfather" in duramen.extract(page, URL, Options(include_comments=True)).text


def words(result: Result) -> list[str]:
    return result.text.split()


@pytest.mark.parametrize(
    "output",
    [
        Output(keep_classes=True),
        Output(nofollow=True),
        Output(links=False),
        Output(images=False),
        Output(front_matter=True),
    ],
    ids=lambda output: str(output)[7:60],
)
def test_output_options_change_rendering_only(article_html: str, docs_html: str, output: Output) -> None:
    for page in (article_html, docs_html):
        plain = duramen.extract(page, URL)
        other = duramen.extract(page, URL, Options(output=output))
        assert words(plain) == words(other)
        assert (plain.quality, plain.trace, plain.metadata) == (other.quality, other.trace, other.metadata)


def test_what_output_options_do(article_html: str) -> None:
    def made(**output: Any) -> Result:
        return duramen.extract(article_html, URL, Options(output=Output(**output)))

    plain = made()
    assert "<a " in plain.html and "nofollow" not in plain.html
    assert "class=" not in plain.html.replace('class="language-python"', "")
    assert made(nofollow=True).html.count("nofollow") == plain.html.count("<a ")
    assert "<a " not in made(links=False).html and "trials on decay fungi" in made(links=False).text
    pictured = story(BODY + "<p>A drawing: <img src=/oak.png alt='An oak'> by hand.</p>" + BODY.replace("the", "this"))
    for images in (True, False):
        drawn = duramen.extract(pictured, URL, Options(output=Output(images=images)))
        assert ("<img" in drawn.html) is images and ("![" in drawn.markdown) is images
    assert "class=" in made(keep_classes=True).html
    front = made(front_matter=True).markdown
    assert front.startswith("---\n") and "Why old beams" in front.split("\n---\n")[0] and front.endswith(plain.markdown)
    titled = made(title_heading=True)
    assert titled.markdown == f"# {titled.title}\n\n{plain.markdown}"


def test_parameters_that_follow_the_reader_are_stripped_when_asked_for() -> None:
    wanted = {
        "/oak?utm_source=a&id=3&UTM_Medium=b&fbclid=c#rings": "https://wood.example/oak?id=3#rings",
        "https://e.com/?gclid=x": "https://e.com/",
        "https://e.com/?utm=x&q=utm_source&amp;s": "https://e.com/?utm=x&q=utm_source&s",
    }
    page = story(BODY + "".join(f"<p>Oaks grow slowly, see <a href='{href}'>this page</a>.</p>" for href in wanted))

    def made(strip: bool) -> Result:
        return duramen.extract(page, "https://wood.example/a", Options(output=Output(strip_tracking=strip)))

    assert [link.url for link in made(True).links][-3:] == [*wanted.values()]
    assert "utm_source=a" not in made(True).markdown and "utm_source=a" in made(False).markdown


def test_captions_are_in_the_text_when_asked_for() -> None:
    result = replace(
        duramen.extract(story(BODY), URL),
        html="<figure><img src='https://e.com/i'><figcaption>An <i>oak</i></figcaption></figure><p>Words</p>",
        captions=frozenset({letters("An oak")}),
    )
    assert result.text == "Words"
    assert replace(result, output=Output(captions=True)).text == "An oak\n\nWords"


def test_a_title_cannot_carry_markup_into_its_heading() -> None:
    result = duramen.extract(story(BODY), URL, Options(output=Output(title_heading=True)))
    result = replace(result, metadata=replace(result.metadata, title="# <img src=x onerror=alert(1)> {: onclick=x}"))
    assert result.markdown.startswith("# # &lt;img src=x onerror=alert(1)> &#123;: onclick=x&#125;\n")


@pytest.mark.parametrize("strategy", get_args(Strategy))
def test_every_strategy_finds_an_easy_story(strategy: Strategy) -> None:
    result = duramen.extract(story(BODY + BODY.replace("Oak", "Ash")), URL, Options(strategy=strategy))
    assert has_story(result) and "Sport" not in result.text
    judge = "learned" if strategy == "auto" else strategy
    assert f"blocks judged by {judge}" in result.trace.steps
    if strategy not in ("auto", "density"):
        assert result.tier == "scoring" and len(result.trace.attempts) == 1


def test_modes_nest(article_html: str, docs_html: str) -> None:
    for page in (article_html, docs_html, story(), html(POSTS)):
        for strategy in ("auto", "density"):
            precision, balanced, recall = (
                set(words(duramen.extract(page, URL, Options(mode=mode, strategy=strategy)))) for mode in get_args(Mode)
            )
            assert precision <= balanced <= recall


# What is said about the page


@pytest.mark.parametrize(
    ("doctype", "name", "legacy"),
    [
        ("<!doctype html>", "HTML5", False),
        (
            '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">',
            "HTML 4.01",
            True,
        ),
        ('<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x">', "XHTML 1.0", True),
        ("", "HTML5", False),
    ],
)
def test_document_types(doctype: str, name: str, legacy: bool) -> None:
    result = duramen.extract(story(doctype=doctype))
    assert result.document_type.name.startswith(name) and result.document_type.legacy is legacy
    assert has_story(result)


def test_no_hint_of_a_type_is_quirks() -> None:
    assert duramen.extract("<p>one").document_type.name == "quirks"


def test_trace_tells_everything(article_html: str) -> None:
    result = duramen.extract(article_html, URL)
    attempts, removals = result.trace.attempts, result.trace.removals
    assert [attempt.outcome for attempt in attempts].count("won") == 1
    for attempt in attempts:
        assert attempt.candidate.evidence and attempt.candidate.rule_id
        assert attempt.outcome == "won" or attempt.outcome.startswith(("lost: ", "failed: ", "the page's own text"))
        assert [check.name for check in attempt.checks][:2] == ["blocks", "characters"]
    winner = next(attempt for attempt in attempts if attempt.outcome == "won")
    assert winner.candidate.tier == result.tier
    by_rule = {removal.rule_id: removal for removal in removals}
    assert {"consent", "signup", "author-bio", "recirculation", "title-heading"} <= set(by_rule)
    assert by_rule["author-bio"].place.endswith("div.author-bio") and by_rule["author-bio"].reason == "author biography"
    assert by_rule["author-bio"].words.startswith("About the author")
    for removal in removals:
        assert (
            removal.step in ("prune", "judge", "title")
            and removal.reason
            and removal.place
            and len(removal.words) <= 80
        )
    kept = " ".join(result.text.split())
    judged = [removal for removal in removals if removal.step == "judge"]
    assert all("probability 0." in removal.reason or "probability 1." in removal.reason for removal in judged)
    assert "Premium saw blades" not in kept and result.trace.limits == ()
    assert result.trace.steps[0].startswith("decoded as utf-8")


def test_a_rescue_is_in_the_trace() -> None:
    result = duramen.extract(html(f"<div class=sidebar><h1>Oaks</h1>{BODY}{POSTS}</div>"))
    assert any(removal.rescued and removal.rule_id == "sidebar" for removal in result.trace.removals)
    assert has_story(result)


def test_row_that_the_judge_overrules_is_told() -> None:
    told = (
        "<p>Repairs will take the summer: the wheelwright wants heartwood of oak for the shaft, ninety years old.</p>"
    )
    around = (
        "<p>The wheel of the old mill broke loose in the storm on Sunday night and lies on the bank below the weir.</p>"
    )
    result = duramen.extract(f"<title>Storm</title><main>{around}<div class='share'>{told}</div>{around * 2}</main>")
    assert "Repairs" in result.text
    (back,) = (removal for removal in result.trace.removals if removal.rescued)
    assert (back.rule_id, back.place) == ("social", "body > main > div.share")
    assert back.reason.endswith(", but judged to be content") and back.words.startswith("Repairs")


def test_values_are_of_their_kind(article_html: str, docs_html: str) -> None:
    for page in (article_html, docs_html, "", "<p>x"):
        result = duramen.extract(page)
        assert result.tier in (*TIERS, None) and result.page_type in get_args(PageType)
        assert result.quality.verdict in get_args(VerdictName) and 0 <= result.quality.score <= 1
        assert result.url is None and result.page_type == result.kind.type


# Verdicts


def test_a_good_article(article_html: str) -> None:
    result = duramen.extract(article_html, "https://timber.example/2026/03/why-old-beams-outlast-new-ones")
    assert result.quality.verdict == "good" and result.page_type == "article", result.quality
    assert result.title == "Why old beams outlast new ones" and result.metadata.authors == ("Ines Halvorsen",)


@pytest.mark.parametrize(
    ("page", "verdict", "says"),
    [
        ("", "empty", "the input is empty"),
        (b"", "empty", "the input is empty"),
        (" \n\t ", "empty", "the input is empty"),
        ("<html></html>", "empty", "no text was kept"),
        ("<script>var x = 1</script>", "empty", "no text was kept"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3 1 0 obj", "empty", "pdf"),
        (gzip.compress(b"<p>Oaks" * 50, mtime=0), "empty", "gzip"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4, "empty", "image"),
        (b"PK\x03\x04" + bytes(200), "empty", "zip"),
        (bytes(range(256)) * 20, "empty", "binary"),
        (b"\0" * 1000, "empty", "binary"),
    ],
)
def test_verdicts_on_what_is_no_page(page: str | bytes, verdict: str, says: str) -> None:
    result = duramen.extract(page)
    assert result.quality.verdict == verdict and result.quality.score == 0
    assert any(says in reason for reason in result.quality.reasons), result.quality.reasons
    assert result.html == result.text == result.markdown == "" and result.tier is None


@pytest.mark.parametrize(
    ("page", "says"),
    [
        ("\n\n".join(PROSE), "plain text"),
        (json.dumps({"story": PROSE}), "json"),
        (
            f"<?xml version='1.0'?><rss><channel><item><description>{PROSE[0]}</description></item></channel></rss>",
            "rss",
        ),
    ],
)
def test_other_text_is_never_good(page: str, says: str) -> None:
    result = duramen.extract(page)
    assert result.quality.verdict != "good"
    assert any(reason.startswith("not_html") and says in reason for reason in result.quality.reasons)


def test_words_of_plain_text_are_kept() -> None:
    result = duramen.extract("\n\n".join(PROSE))
    assert has_story(result) and result.quality.verdict == "partial"


def test_truncated_page_still_gives_its_part() -> None:
    page = story()
    result = duramen.extract(page[: page.index(PROSE[4]) + 20])
    assert all(sentence in result.text for sentence in PROSE[:4])


# Limits


def test_limit_on_bytes_is_reported() -> None:
    page = story(BODY * 20)
    for given, unit in ((page, "characters"), (page.encode(), "bytes")):
        result = duramen.extract(given, options=Options(limits=Limits(max_bytes=2000)))
        (limit,) = result.trace.limits
        assert limit.startswith("input cut off after 2,000 of") and limit.endswith(unit)
        assert f"truncated: {limit}" in result.quality.reasons and PROSE[0] in result.text
        assert result.to_dict()["limits"] == [limit]
    assert duramen.extract(page).trace.limits == ()


def test_limit_on_nodes_is_reported() -> None:
    result = duramen.extract(story(BODY * 20), options=Options(limits=Limits(max_nodes=60)))
    assert result.trace.limits == ("nodes after the first 60 were left out",) and PROSE[0] in result.text
    assert "truncated" in codes(result)


def test_limit_on_depth_is_reported_and_loses_no_text() -> None:
    deep = "<div>" * 50 + BODY + "</div>" * 50
    result = duramen.extract(story(deep), options=Options(limits=Limits(max_depth=20)))
    assert result.trace.limits == ("elements deeper than 20 were unwrapped",) and has_story(result)
    assert result.html.count("<div>") <= 20


def test_limit_on_time_is_reported() -> None:
    result = duramen.extract(story(), options=Options(limits=Limits(seconds=1e-9)))
    assert any("1e-09 s" in limit for limit in result.trace.limits)


# Plain data


def test_plain_data_round_trip(article_html: str) -> None:
    result = duramen.extract(article_html, URL)
    for trace in (False, True):
        data = result.to_dict(trace)
        assert json.loads(json.dumps(data)) == data == json.loads(result.to_json(trace)), "only what JSON has"
        assert ("trace" in data) is trace
    assert data["text"] == result.text and data["page_type"]["type"] == result.page_type
    assert data["trace"]["attempts"][0]["candidate"]["tier"] in TIERS
    assert "\n  " in result.to_json(indent=2)


def test_results_are_frozen() -> None:
    result = duramen.extract(story())
    with pytest.raises(AttributeError):
        result.html = ""  # type: ignore[misc]


# The same every time


def digest(result: Result) -> str:
    return hashlib.sha256(result.to_json(trace=True).encode()).hexdigest()


PAGES = (story(), html(POSTS), "", "just words", "<table><tr><td>a<td>b</table>")


def test_same_bytes_same_result(article_html: str, docs_html: str) -> None:
    for page in (*PAGES, article_html, docs_html):
        assert len({digest(duramen.extract(page, URL)) for _ in range(3)}) == 1


def test_same_result_in_another_process(article_html: str, docs_html: str, root: Path) -> None:
    code = (
        "import hashlib, pathlib, duramen\n"
        "for name in ('article', 'docs'):\n"
        "    page = pathlib.Path('examples', name + '.html').read_text(encoding='utf-8')\n"
        f"    made = duramen.extract(page, {URL!r}).to_json(trace=True)\n"
        "    print(hashlib.sha256(made.encode()).hexdigest())\n"
    )
    expected = [digest(duramen.extract(page, URL)) for page in (article_html, docs_html)]
    for seed in ("0", "4242"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            cwd=root,
            env={"PYTHONHASHSEED": seed, "PATH": "/usr/bin:/bin", "PYTHONPATH": str(root / "src")},
        )
        assert done.stdout.split() == expected


def test_threads_do_not_disturb_each_other(article_html: str, docs_html: str) -> None:
    pages = [article_html, docs_html, *PAGES] * 4
    alone = [digest(duramen.extract(page, URL)) for page in pages]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda page: digest(duramen.extract(page, URL)), pages))
    assert together == alone
