"""What the hard elements become on their own, they also become among the text of a page."""

from __future__ import annotations

import re

import pytest
import test_elements_callouts
import test_elements_code
import test_elements_embeds
import test_elements_flow
import test_elements_footnotes
import test_elements_images
import test_elements_links
import test_elements_math
import test_elements_roles
import test_elements_tables
from refine_shapes import BASE, canonical

import duramen

_BEFORE, _AFTER = (
    "".join(
        f"<p>The lighthouse keeper wrote in his diary every evening, describing the ships which passed along the coast"
        f" and the weather that drove them: entry {n}.</p>"
        for n in numbers
    )
    for numbers in (range(6), range(6, 12))
)
_TITLE = "<h1>The lighthouse</h1>"
_UNSEEN = re.compile(r' (?:id|loading|width|height|title|rel|class|scope|value|data-[a-z-]+)="[^"]*"')
"""Attributes that the sanitizer takes off or the writer adds."""
OTHERWISE = {
    "embeds object with words": "the words of an object are what is shown where it cannot be",
    "flow sections": "the last line of an article's footer is not its text",
    "flow empty block between words": "the parser of pages leaves out a cell without a table",
    "images noscript of a nag": "among the text, what an author says to readers without scripts stays",
    "images no picture left": "a caption goes with its picture",
    "links link in a link": "a table in a link is a card",
}
"""Shapes that a page has otherwise, and why."""

NOT_ALONE = {"callouts github, not rendered", "callouts gitbook", "code a human language is none"}
"""Where nothing but a mere wrapper says what the text is."""


def _shapes() -> dict[str, tuple[str, str]]:
    modules = {
        "callouts": test_elements_callouts.SHAPES,
        "code": test_elements_code.SHAPES,
        "embeds": test_elements_embeds.SHAPES,
        "flow": test_elements_flow.SHAPES,
        "footnotes": test_elements_footnotes.SHAPES,
        "images": test_elements_images.SHAPES | test_elements_images.FIGURES,
        "links": test_elements_links.SHAPES,
        "math": test_elements_math.SHAPES,
        "roles": test_elements_roles.SHAPES,
        "tables": test_elements_tables.SHAPES,
    }
    return {f"{module} {name}": shape for module, shapes in modules.items() for name, shape in shapes.items()}


SHAPES = _shapes()


def _between(html: str) -> str:
    """What is between the two halves of the page's text, without what no reader sees."""
    middle = html.split("entry 5.</p>")[-1].split("<p>The lighthouse keeper")[0]
    return re.sub(r"\s+", "", _UNSEEN.sub("", middle))


@pytest.mark.parametrize("name", [name for name in SHAPES if name not in OTHERWISE])
def test_a_shape_among_text(name: str) -> None:
    body = f"<article>{_TITLE}{_BEFORE}{SHAPES[name][0]}{_AFTER}</article>"
    result = duramen.extract(f"<html><head><title>The lighthouse</title></head><body>{body}</body></html>", url=BASE)
    assert _between(result.html) == _between(canonical(body))


ALONE = [name for name in SHAPES if name.startswith(("callouts ", "code ")) and name not in NOT_ALONE]


@pytest.mark.parametrize("name", ALONE)
def test_a_shape_that_is_all_of_a_page(name: str) -> None:
    result = duramen.extract(f"<title>The lighthouse</title><body>{_TITLE}{SHAPES[name][0]}</body>", url=BASE)
    assert _between(canonical(SHAPES[name][0])) in _between(result.html)


def test_the_exceptions_are_shapes() -> None:
    assert OTHERWISE.keys() | NOT_ALONE <= SHAPES.keys()
