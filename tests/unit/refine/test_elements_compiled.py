"""The compiled flow and the one in Python make the same of a draft."""

from __future__ import annotations

import random

import pytest

from duramen.dom import Text, fragment
from duramen.native import core
from duramen.options import Output
from duramen.refine.elements.compiled import _tags, compiled_flow
from duramen.refine.elements.flow import RENAMED, standardize_flow
from duramen.refine.elements.inline import KNOWN
from duramen.refine.elements.links import drop_echoing_titles
from duramen.refine.sanitize import sanitize
from duramen.refine.standardize import canonical_html, standardize

pytestmark = pytest.mark.skipif(core is None, reason="the compiled core was not built here")

TEXTS = (
    "oak", " ", "\n", "\n  ", " oak", "elm \n", "Oak, elm and ash.", "&nbsp;", "\u200b", "&amp;nbsp;", "é\u2003", "木",
    "&lt;b&gt;", " &nbsp;", "\u00ad ", "<br>", "<br><br>", "<br> <br>", "<wbr>",
)  # fmt: skip
OTHER = "font font font label svg g x-card my-note big".split()
ATTRIBUTES = {
    "a": (
        'href="https://a.example/"',
        'href="/b" title="oak"',
        'title="Oak,  elm and ash."',
        'title=" "',
        'title="é 木"',
    ),
    "span": ("data-math=inline", "", ""),
    "img": ('src="https://a.example/a.png"',),
    "blockquote": ("data-callout=tip", ""),
    "div": ("class='a b'", "id=x", ""),
}


def random_flow(seed: int) -> str:
    """Any elements in any order and depth."""
    rng = random.Random(seed)
    known = sorted(KNOWN) + sorted(set(RENAMED) - {"listing", "xmp", "noframes", "body", "html"}) + OTHER
    # Drafts of a few tags nest them in every way.
    tags = rng.sample(known, rng.randrange(2, 14)) + rng.sample(["div", "p", "a", "li", "figure", "img", "td"], 4)
    out: list[str] = []
    opened: list[str] = []
    for _ in range(rng.randrange(3, 100)):
        choice = rng.random()
        if choice < 0.35:
            out.append(rng.choice(TEXTS))
        elif choice < 0.55 and opened:
            out.append(f"</{opened.pop()}>")
        else:
            tag = rng.choice(tags)
            out.append(f"<{tag} {rng.choice(ATTRIBUTES.get(tag, ('',)))}>")
            opened.append(tag)
    return "".join(out)


def by_both(html: str) -> tuple[str | None, str]:
    root = fragment(html)
    for element in list(root.iter_elements("font")):
        element.unwrap()  # Texts stand side by side then.
    compiled = compiled_flow(root)
    standardize_flow(root, keep_classes=False)
    drop_echoing_titles(root)
    return compiled, root.inner_html


@pytest.mark.parametrize("part", range(20))
def test_random_drafts(part: int) -> None:
    read = 0
    for seed in range(part * 100, part * 100 + 100):
        flow, expected = by_both(random_flow(seed))
        if flow is not None:
            read += 1
            assert flow == expected, seed
    assert read > 90


@pytest.mark.parametrize("seed", range(100))
def test_random_drafts_as_a_whole(seed: int) -> None:
    html, output = random_flow(seed), Output(keep_classes=seed % 4 == 0)
    root = fragment(html)
    standardize(root, "https://a.example/", output)
    assert sanitize(canonical_html(html, "https://a.example/", output), output) == sanitize(root, output)


def test_deep_and_wide_drafts() -> None:
    for html in (
        "<div>" * 300 + "x",
        "<em><div>" * 200 + "x",
        "<div>a<b>" * 200,
        "<a href=/>" + "<div>x</div>" * 3000,
        "<em>" + "<div>x</div>" * 3000,
        "<ul>" + "<li>" * 2000 + "x",
        "a<br>" * 3000,
    ):
        flow, expected = by_both(html)
        assert flow == expected


@pytest.mark.parametrize(
    "html", ["<script>a</script>", "<iframe></iframe>", "<svg><linearGradient></svg>", "<p>\ud800</p>"]
)
def test_what_is_left_to_python(html: str) -> None:
    assert compiled_flow(fragment(html)) is None


def test_empty_texts_and_comments_are_left_to_python() -> None:
    root = fragment("<p>a</p>")
    root.append(Text(""))
    assert compiled_flow(root) is None
    assert compiled_flow(fragment("<!-- a --><p>a</p>")) is None


@pytest.mark.parametrize(
    ("html", "lengths"),
    [
        ("<p>a", [1]),
        ("<p>a</div>", [1]),
        ("<P>a</P>", [1]),
        ("<p>a</p>", []),
        ("<p>a</p>", [2]),
        ("<p>ab</p>", [1]),
        ("a", [1, 1]),
    ],
)
def test_what_no_parser_wrote_is_not_read(html: str, lengths: list[int]) -> None:
    assert core.flow(html, lengths, _tags()) is None


def test_raw_callouts_are_read() -> None:
    html = canonical_html("<blockquote><p>[!TIP] Oak.</p></blockquote>", None, Output())
    assert html == '<blockquote data-callout="tip"><p>Oak.</p></blockquote>'
