"""The verdict on a rule: shipped ones pass, and each way of being bad is told by name."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from duramen import Options
from duramen.model import RuleCase, SiteRule
from duramen.pipeline import run
from duramen.rule_check import changed_layout, judge_rule, run_cases
from duramen.rule_set import SHIPPED, read_folder

SHIPPED_RULES = read_folder(SHIPPED).rules
SENTENCES = (
    "A hollow oak may live for another two hundred years, though it will not stand through every storm that comes.",
    "Carpenters cut the pale outer wood away before they bring a beam under a roof, and they burn it the same winter.",
    "Fungi that feed on sapwood within a few summers need decades to make their way through the heart of a trunk.",
    "As rings age, the tree fills them with tannins and gums, and they stop carrying water altogether in a few weeks.",
)
BODY = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
PAGE = (
    "<!doctype html><html lang=en><title>On oaks</title><body><nav><a href=/>Home</a> <a href=/n>News</a></nav>"
    f"<main><h1>On oaks</h1><div class=body>{BODY}</div>"
    "<div class=next><h3>Next</h3><a href=/e>Elms fall</a></div></main>"
)


def rule(case: dict[str, Any] | None = None, **parts: Any) -> SiteRule:
    facts = {"contains": SENTENCES[:1], "lacks": ("Elms fall",), "html": PAGE, **(case or {})}
    cases = (RuleCase("the oak page", "https://oaks.example/", **facts),)
    facts = {"domains": ("oaks.example",), "primary": (".body",), "cases": cases, "source": "oaks.toml", **parts}
    return SiteRule("oaks", **facts)


def failing(bad: SiteRule) -> dict[str, tuple[str, ...]]:
    verdict = judge_rule(bad)
    assert verdict.passed is all(r.passed for r in verdict.requirements)
    return {r.name: r.details for r in verdict.requirements if not r.passed}


@pytest.mark.parametrize("shipped", SHIPPED_RULES, ids=[shipped.id for shipped in SHIPPED_RULES])
def test_shipped_rules_pass(shipped: SiteRule) -> None:
    verdict = judge_rule(shipped)
    told = [(r.name, r.figure, r.details) for r in verdict.requirements if not r.passed]
    assert told == [] and verdict.passed


def test_shipped_rules_have_no_problems() -> None:
    assert read_folder(SHIPPED).problems == ()
    domains = {domain for shipped in SHIPPED_RULES for domain in shipped.domains}
    assert {"nytimes.com", "bbc.com", "bbc.co.uk", "cnn.com", "reuters.com"} <= domains


def test_a_good_rule_in_figures() -> None:
    verdict = judge_rule(rule())
    assert failing(rule()) == {}
    figures = {r.name: r.figure for r in verdict.requirements}
    assert figures["success"] == "1 of 1 cases, 100 % (at least 85 %)"
    assert figures["fallback"].startswith("1 of 1 pages") and figures["upkeep"] == "1 of 1 selectors match in a case"
    assert "expected F1" in figures["quality"] and "ms per page" in figures["cost"]


@pytest.mark.parametrize(
    ("case", "parts", "says"),
    [
        ({"contains": ("Not there",)}, {}, "case 'the oak page': lacks 'Not there'"),
        ({"lacks": SENTENCES[1:2]}, {}, f"case 'the oak page': has {SENTENCES[1]!r}"),
        ({"expected": {"title": "On elms"}}, {}, "case 'the oak page': title is 'On oaks', not 'On elms'"),
        ({}, {"primary": (".gone",)}, "not by site_rule (no selector found enough words)"),
        ({}, {"paragraphs": 9}, "not by site_rule (failed: paragraphs"),
        ({"expected": {"tier": "framework"}}, {}, "won by site_rule, not by framework"),
        ({}, {"domains": ("elms.example",)}, "not by site_rule"),
        ({"html": "", "page": "gone.html"}, {}, "case 'the oak page': gone.html cannot be read"),
    ],
)
def test_a_failing_case_is_named(case: dict[str, Any], parts: dict[str, Any], says: str) -> None:
    assert any(says in detail for detail in failing(rule(case, **parts))["success"])


def test_success_takes_85_percent() -> None:
    good = rule().cases[0]
    bad = RuleCase("a bad one", good.url, ("Not there",), html=PAGE)
    assert "success" in failing(rule(cases=(*[good] * 5, bad)))
    assert "success" not in failing(rule(cases=(*[good] * 6, bad)))


def test_poor_quality_is_named() -> None:
    assert "case 'the oak page'" in failing(rule(quality=0.999))["quality"][0]


def test_costly_selectors_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duramen.rule_check.MILLISECONDS", 0.0)
    assert "ms" in failing(rule())["cost"][0]


def test_a_rule_that_takes_any_layout_does_not_fall_back() -> None:
    blind = rule({"contains": SENTENCES[3:]}, primary=("p:not(:last-of-type)",), words=5)
    (detail,) = failing(blind)["fallback"]
    assert detail.startswith("case 'the oak page', its layout changed: loses 'As rings age")


def test_selectors_that_no_case_needs_and_hashed_names() -> None:
    details = failing(rule(secondary=(".older",), remove=(".next", "div.css-1q2w3e")))["upkeep"]
    assert details[0] == "no case has .older: add one, or remove the selector"
    assert details[-1].startswith("div.css-1q2w3e depends on a generated name")


def test_a_changed_layout_keeps_the_words() -> None:
    changed = changed_layout(PAGE)
    assert "class=body" not in changed and "<main" not in changed and SENTENCES[0] in changed


def test_outcomes_tell_what_matched() -> None:
    (outcome,) = run_cases(rule(remove=(".next", ".never")))
    assert outcome.used == {".body", ".next"} and outcome.passed and outcome.milliseconds < 5


REAL = [
    ("reader-dev", "nytimes-1", "https://www.nytimes.com/2017/01/13/world/africa/sudan-sanctions.html"),
    ("reader-dev", "nytimes-4", "https://www.nytimes.com/2018/09/25/business/economy/us-government-debt-interest.html"),
    ("reader-dev", "bbc-1", "http://www.bbc.com/news/world-us-canada-33646704"),
    ("snippets-dev", "a305982df7a1", "https://www.bbc.com/news/world-us-canada-52241221"),
    ("wcxb-dev", "0161", "https://www.npr.org/2023/10/17/1206601882/plumbers"),
    ("wcxb-dev", "4560", "https://www.npr.org/sections/health-shots/2022/11/09/1135211525/anxiety"),
    ("wcxb-dev", "0380", "https://arxiv.org/abs/2512.16245"),
    ("wcxb-dev", "0562", "https://old.reddit.com/r/science/comments/1rku5x9/fully/"),
]
"""Real pages of sites that have a rule; they show that the structure in its cases is the true one."""


@pytest.mark.shared
@pytest.mark.parametrize(("corpus", "page", "url"), REAL, ids=[page for _, page, _ in REAL])
def test_rules_find_the_content_of_real_pages(corpus: str, page: str, url: str, shared: Path) -> None:
    html = gzip.decompress((shared / "corpora" / corpus / "html" / f"{page}.html.gz").read_bytes())
    result = run(html, url, Options())
    assert result.tier == "site_rule" and result.quality.verdict in ("good", "partial")
