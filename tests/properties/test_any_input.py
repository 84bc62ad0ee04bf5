"""Whatever comes in: no exception, the same result again, safe HTML, and no word that the page does not have."""

from __future__ import annotations

import html as entities
import random
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import duramen
from duramen import Options, Output, Result
from duramen.dom import fragment
from duramen.page import letters as folded
from duramen.refine.sanitize import sanitize
from duramen.tree import BLOCK_TAGS

MODEST = settings(max_examples=120, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = {path.name: path.read_text(encoding="utf-8") for path in sorted((ROOT / "examples").glob("*.html"))}
TAG = re.compile(r"</?([a-z0-9-]+)(?:[^>\"]|\"[^\"]*\")*>")
WORD = re.compile(r"[^\W_]+")

TAGS = (
    "div p a b i span ul ol li table tr td th thead tbody h1 h2 h3 pre code blockquote article main nav aside footer"
    " form noscript template figure figcaption img br hr dl dt dd details summary script style svg math iframe video"
    " button select option textarea title base meta link body html head frameset sup sub del x-box section header label"
    " dialog"
).split()
ATTRIBUTES = (
    "class=comments",
    "class='entry-content post'",
    "id=main",
    "class=ad",
    "hidden",
    "style=display:none",
    "href=/a",
    "href='javascript:x'",
    "href=#x",
    "src=a.png",
    "src=data:,",
    "role=main",
    "role=doc-footnote",
    "itemprop=articleBody",
    "colspan=3",
    "rowspan=999999",
    "colspan=-1",
    "start=5",
    "lang=de",
    "class=language-py",
    "type=application/ld+json",
    "type=math/tex",
    "type=checkbox",
    "shadowrootmode=open",
    "data-src=b.png",
    "srcset='a.png 1x, b.png 2x'",
    "onclick=x()",
    "charset=utf-16",
    "http-equiv=refresh",
    "=",
    '"',
)
TEXTS = (
    "Oak heartwood is hard, dark and durable, and shipwrights chose it for keels and ribs.",
    "two words",
    " ",
    "\n",
    "心材是树的中心，颜色较深。",
    "خشب القلب أكثر صلابة",
    "a\u0301b\u200bc\u00adz",
    "&amp;&lt;b&gt;&#0;&#x110000;&nbsp;",
    "<!-- c -->",
    "<![CDATA[x]]>",
    "<!doctype html>",
    '{"@type":"Article","articleBody":"Body of data"}',
    "* - # > | `` _ [x](y) $a$",
    "\x00",
    "\ufeff",
    "<",
    "</",
    "¶",
)


@st.composite
def soup(draw: st.DrawFn) -> str:
    """Tags, attributes and texts in any order."""
    parts: list[str] = []
    for _ in range(draw(st.integers(0, 60))):
        kind = draw(st.integers(0, 5))
        if kind <= 1:
            attributes = draw(st.lists(st.sampled_from(ATTRIBUTES), max_size=2))
            parts.append(f"<{' '.join([draw(st.sampled_from(TAGS)), *attributes])}>")
        elif kind == 2:
            parts.append(f"</{draw(st.sampled_from(TAGS))}>")
        elif kind == 3:
            parts.append(draw(st.text(max_size=12)))
        else:
            parts.append(draw(st.sampled_from(TEXTS)))
    return "".join(parts)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A real page, damaged."""
    page = EXAMPLES[draw(st.sampled_from(sorted(EXAMPLES)))]
    rng = random.Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(1, 4))):
        a, b = sorted((rng.randrange(len(page) + 1), rng.randrange(len(page) + 1)))
        how = draw(st.sampled_from(["truncate", "cut", "repeat", "splice", "nest", "flip"]))
        if how == "truncate":
            page = page[:b]
        elif how == "cut":
            page = page[:a] + page[b:]
        elif how == "repeat":
            page = page[:b] + page[a : a + 2000] * 3 + page[b:]
        elif how == "splice":
            other = EXAMPLES[rng.choice(sorted(EXAMPLES))]
            page = page[:a] + other[rng.randrange(len(other)) :][:3000] + page[a:]
        elif how == "nest":
            tag = rng.choice(TAGS)
            page = page[:a] + f"<{tag}>" * rng.randrange(1, 40) + page[a:]
        else:
            letters = list(page)
            for _ in range(40 if letters else 0):
                letters[rng.randrange(len(letters))] = rng.choice("<>/\"'=& \x00ax\u00e9\u6728-!")
            page = "".join(letters)
    return page


def plain(text: str) -> str:
    """Without invisible characters, which renderers may drop, in composed form."""
    shown = "".join(c for c in text if unicodedata.category(c) not in ("Cf", "Cc", "Co", "Cn") or c.isspace())
    return unicodedata.normalize("NFC", shown)


def words(text: str) -> set[str]:
    return set(WORD.findall(plain(text)))


def letters(text: str) -> str:
    return "".join(WORD.findall(plain(text)))


def words_of_html(html: str) -> set[str]:
    """Blocks part words, inline elements do not."""
    apart = TAG.sub(lambda tag: " " if tag[1] in BLOCK_TAGS or tag[1] in ("br", "img") else "", html)
    return words(entities.unescape(apart))


def sane(result: Result) -> None:
    """What holds for every result."""
    for made in (result.html, result.text, result.markdown, result.to_json(trace=True)):
        made.encode("utf-8")
    assert 0 <= result.quality.score <= 1
    if not result.html.strip():
        assert result.quality.verdict == "empty", "nothing came out"
    elif fragment(result.html).text.strip():
        assert result.quality.verdict != "empty"
    assert [attempt.outcome for attempt in result.trace.attempts].count("won") == (result.tier is not None)
    assert sanitize(fragment(result.html), Output()) == result.html, "sanitizing again changes nothing"


@given(st.binary(max_size=400))
@example(b"\xff\xfe<\x00p\x00>")
@example(b"<meta charset=utf-7>+ADw-script+AD4-")
@example(b"<meta charset=utf-16><p>words here")
@example(b"\xef\xbb\xbf\xff\xfe\x00")
@example(b"\x1b$B<p>\x1b(B")
@MODEST
def test_any_bytes(data: bytes) -> None:
    sane(duramen.extract(data))


@given(st.text(max_size=300))
@example("\ud800<p>\udfff lone halves")
@example("\x00" * 50)
@MODEST
def test_any_text(text: str) -> None:
    sane(duramen.extract(text, "https://example.org/"))


@given(soup())
@MODEST
def test_any_soup(page: str) -> None:
    result = duramen.extract(page, "https://example.org/a/b")
    sane(result)
    again = duramen.extract(page, "https://example.org/a/b")
    assert result.to_json(trace=True) == again.to_json(trace=True)


@given(soup(), st.sampled_from(["density", "readability", "stopwords", "boilerpipe", "mce"]))
@settings(MODEST, max_examples=60)
def test_any_soup_by_any_strategy(page: str, strategy: str) -> None:
    sane(duramen.extract(page, None, Options.from_mapping({"strategy": strategy, "mode": "recall"})))


@given(mutated())
@settings(MODEST, max_examples=60)
def test_damaged_pages(page: str) -> None:
    result = duramen.extract(page, "https://example.org/a/b")
    sane(result)
    assert result.html == duramen.extract(page, "https://example.org/a/b").html


@given(st.one_of(soup(), mutated()))
@settings(MODEST, max_examples=100)
def test_no_word_is_made_up(page: str) -> None:
    result = duramen.extract(page)
    # Inline elements and comments may stand inside a word, so letters are looked for, not words.
    without_tags = re.sub(r"<!--.*?-->|<[^>]*>", "", page, flags=re.S)
    sources = (fragment(page).text, page, entities.unescape(page), entities.unescape(without_tags))
    known = [letters(source) for source in sources]
    added = {"Note", "NOTE", "Video", "Audio"} | {str(n) for n in range(100)}
    strange = [w for w in words(result.text) - added if not any(w in source for source in known)]
    assert strange == []


@given(st.one_of(soup(), mutated()))
@settings(MODEST, max_examples=100)
def test_html_text_and_markdown_say_the_same(page: str) -> None:
    result = duramen.extract(page)
    text, markdown = letters(result.text), letters(entities.unescape(result.markdown))
    inside = words_of_html(result.html)
    captions = "\n".join(result.captions)  # which the text leaves out
    assert [word for word in inside if word not in text and folded(word) not in captions] == []
    assert [word for word in inside if word not in markdown] == []
    numbers = {word for word in words(result.text) if word.isdigit()}
    everything = letters(entities.unescape(TAG.sub("", result.html)))
    assert [word for word in words(result.text) - numbers if word not in everything] == []


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_beginning_of_a_page(name: str) -> None:
    page = EXAMPLES[name].encode()
    for size in range(0, len(page), 397):
        sane(duramen.extract(page[:size]))
