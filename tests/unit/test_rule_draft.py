"""A drafted rule is a good start: it can be read, and it does what it was drafted from."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from duramen.errors import RuleError
from duramen.rule_check import judge_rule
from duramen.rule_draft import draft_rule
from duramen.rule_files import read_rule

SENTENCES = (
    "A hollow oak may live for another two hundred years, though it will not stand through every storm that comes.",
    "Carpenters cut the pale outer wood away before they bring a beam under a roof, and they burn it the same winter.",
    "Fungi that feed on sapwood within a few summers need decades to make their way through the heart of a trunk.",
    "As rings age, the tree fills them with tannins and gums, and they stop carrying water altogether in a few weeks.",
)
PAGE = (
    '<!doctype html><html lang=en><title>On "old" oaks</title><body><nav><a href=/>Home</a> <a href=/n>News</a></nav>'
    '<div class="css-1q2w3e wrap-main"><h1 class=headline>On "old" oaks</h1>'
    "<time class=stamp datetime=2026-05-04>4 May</time>"
    f'<div class="story-text css-9z8y7x">{"".join(f"<p>{s}</p>" for s in SENTENCES)}'
    '<div class="partner-ad"><a href=https://shop.example/>Buy new shoes now</a></div></div></div>'
    "<footer><p>All rights reserved by the makers of this page.</p></footer>"
)
URL = "https://www.old-oaks.example/a/1"


def test_a_draft_passes_as_it_is(tmp_path: Path) -> None:
    draft = draft_rule(PAGE, URL)
    assert draft.id == "old-oaks" and "semantic" not in draft.text
    (tmp_path / draft.page).write_text(PAGE)
    rule = read_rule(draft.text, str(tmp_path / "old-oaks.toml"))
    assert rule.primary == ("div.story-text",) and rule.domains == ("old-oaks.example",)
    assert rule.metadata["title"] == ("h1.headline",) and rule.metadata["published"] == ("time.stamp",)
    assert rule.cases[0].url == URL and rule.cases[0].expected["title"] == 'On "old" oaks'
    told = [(r.name, r.details) for r in judge_rule(rule).requirements if not r.passed]
    assert told == []


def test_what_was_taken_out_of_the_content_is_a_removal() -> None:
    raw = tomllib.loads(draft_rule(PAGE.encode(), URL).text)
    assert raw["content"]["remove"] == ["div.partner-ad"]
    assert any("new shoes" in words for words in raw["case"][0]["lacks"])


def test_generated_names_are_not_used() -> None:
    text = draft_rule(PAGE, URL).text
    assert "css-" not in text


def test_a_page_without_lasting_names_says_so() -> None:
    draft = draft_rule(f"<title>x</title><div><div>{''.join(f'<p>{s}</p>' for s in SENTENCES)}</div></div>", URL)
    assert any("write the selector yourself" in note for note in draft.notes)
    assert all(f"# {note}" in draft.text for note in draft.notes)
    read_rule(draft.text, "x.toml")


@pytest.mark.parametrize("html", ["", "<p>x", "\x00" * 50, "<title>'\"\\\n</title><h1>'\"\\</h1><p>'''\"\"\"</p>"])
def test_any_page_gives_a_rule_that_can_be_read(html: str) -> None:
    assert read_rule(draft_rule(html, URL).text, "x.toml").id == "old-oaks"


def test_a_rule_needs_a_site() -> None:
    with pytest.raises(RuleError, match="use the page's URL"):
        draft_rule(PAGE, "page.html")
