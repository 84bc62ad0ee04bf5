"""What the compiled core tells of a page's own statements, beside what Python tells of the same page."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from duramen.find import frameworks, patterns, semantic
from duramen.flatten import parse_tree
from duramen.native import core
from duramen.read import structured
from duramen.tree import Tree

pytestmark = pytest.mark.skipif(core is None, reason="the compiled core is not built here")


def twins(html: str) -> tuple[Tree, Tree]:
    """The page, and the same without what the core tells of it."""
    tree = parse_tree(html)
    assert tree.core is not None
    return tree, replace(tree, core=None)


NAMES = (
    "og:title",
    "OG:Title Author",
    "author",
    "  ",
    "",
    "Ünder\xa0Käse",
    "a b c d e",
    "a a b",
    "\u212aeywords",
    "x\x0by",
)
VALUES = (
    "Oak",
    "",
    "  \n ",
    "\u2003Elm & Ash\xa0",
    "&lt;b&gt; &quot;x&quot;",
    "x" * 21_000,
    "Ö" * 20_001,
    "\x1c a \x85",
)
ATTRIBUTES = ("content", "property", "name", "itemprop", "http-equiv", "charset")


def random_metas(rng: random.Random) -> str:
    metas = []
    for _ in range(rng.choice((3, 20, 80))):
        some = rng.sample(ATTRIBUTES, rng.randrange(1, 5))
        stated = " ".join(f'{name}="{rng.choice(VALUES if name == "content" else NAMES)}"' for name in some)
        metas.append(f"<{rng.choice(('meta', 'meta', 'META', 'p'))} {stated}>")
    at = rng.randrange(len(metas))
    return f"<head>{''.join(metas[:at])}<body>{''.join(metas[at:])}"


@pytest.mark.parametrize("seed", range(60))
def test_metas(seed: int) -> None:
    tree, pure = twins(random_metas(random.Random(seed)))
    found = structured._read_meta(tree)
    assert found == structured._read_meta(pure) and list(found) == list(structured._read_meta(pure))


def test_of_too_many_metas_the_first_are_told() -> None:
    many = "".join(f"<meta name='n{k} m' content={k}>" for k in range(structured.MAX_META_NAMES + 20))
    tree, pure = twins(many + "<meta name=n1 content=again>")
    found = structured._read_meta(tree)
    assert found == structured._read_meta(pure)
    assert len(found) == structured.MAX_META_NAMES and found["n1"] == ("1", "again")
    assert len(found["m"]) == structured.MAX_META_VALUES


@pytest.mark.parametrize("seed", range(40))
def test_the_heaviest_elements_of_a_name(seed: int) -> None:
    rng = random.Random(seed)
    names = ("post-content", "entry-content x", "Post_Content", "sidebar", "article-body__a1B2c3", "main")
    html = "".join(
        f"<{tag} {rng.choice(('class', 'id'))}='{rng.choice(names)}'>{'text ' * rng.randrange(4)}"
        f"{rng.choice(('', '<a href=x>linked text</a>', '</div>', '</p>'))}"
        for tag in rng.choices(("div", "p", "section"), k=40)
    )
    tree, pure = twins(html)
    assert sorted(patterns._heaviest(tree)) == sorted(patterns._heaviest(pure))


@pytest.mark.parametrize("seed", range(40))
def test_landmarks(seed: int) -> None:
    rng = random.Random(seed)
    names = ("role", "itemprop", "property", "href")
    values = (
        "main",
        "article",
        "Main",
        "articleBody",
        "x articleBody",
        "schema:text",
        "a\xa0content:encoded",
        "#x",
        "#",
        "/",
    )
    html = "".join(
        f'<{tag} {rng.choice(names)}="{rng.choice(values)}">{"text " * rng.randrange(9)}'
        for tag in rng.choices(("main", "article", "p", "a", "div", "link"), k=60)
    )
    tree, pure = twins(html)
    assert semantic._landmarks(tree) == semantic._landmarks(pure)


@pytest.mark.parametrize(
    ("src", "is_found"),
    [
        ("/_static/doctools.js?v=1", True),
        ("doctools.js", True),
        ("doctools.js#x/y", True),
        ("https://example.org/a&amp;b/search/main.js", True),
        ("search/main.js", True),
        ("main.js", False),
        ("/research/main.js", False),
        ("/doctools.js/x", False),
        ("x" * 489 + "/doctools.js", False),
        ("&lt;" * 487 + "/doctools.js", True),
        ("", False),
        ("?doctools.js", False),
    ],
)
def test_scripts_that_are_marks(src: str, is_found: bool) -> None:
    tree, pure = twins(f"<script src='{src}'></script><img src=doctools.js><p class='a  theme-doc-markdown' id=x>")
    found = frameworks._named(tree)
    assert found == frameworks._named(pure)
    assert any(name.startswith("/") for name in found) is is_found
    assert ".theme-doc-markdown" in found
