"""A rule file in, a rule out; a broken one is answered with file, line and what to write."""

from __future__ import annotations

from pathlib import Path

import pytest

from duramen.errors import RuleError
from duramen.rule_files import as_host, read_rule

RULE = """
id = "oaks"
about = "A site about oaks."
domains = ["Oaks.example", "bücher.example"]
paths = ["/a/*"]
page_type = "article"

[content]
primary = ["#body"]
secondary = [".text"]
fallback = ["main"]
remove = [".more"]
keep = [".ad-free"]

[metadata]
title = ["h1"]
author = [".by"]
published = ["time"]

[rename]
"p.sub" = "h3"

[thresholds]
words = 12
paragraphs = 3
link_density = 0.7
quality = 0.6

[[case]]
name = "an article"
url = "https://oaks.example/a/1"
html = "<p>Oaks"
contains = ["Oaks"]
lacks = ["Elms"]
title = "Oaks"
tier = "scoring"

[[case]]
name = "another"
url = "https://oaks.example/a/2"
page = "two.html"
contains = ["Elms"]
"""


def broken(text: str) -> list[str]:
    with pytest.raises(RuleError) as refusal:
        read_rule(text, "my/oaks.toml")
    return str(refusal.value).splitlines()


def test_everything_a_rule_may_say() -> None:
    rule = read_rule(RULE, "my/oaks.toml")
    assert (rule.id, rule.domains, rule.paths) == ("oaks", ("oaks.example", "xn--bcher-kva.example"), ("/a/*",))
    assert rule.levels == (("primary", ("#body",)), ("secondary", (".text",)), ("fallback", ("main",)))
    assert (rule.remove, rule.keep, rule.page_type, rule.rename) == (
        (".more",),
        (".ad-free",),
        "article",
        {"p.sub": "h3"},
    )
    assert rule.metadata == {"title": ("h1",), "author": (".by",), "published": ("time",)}
    assert (rule.words, rule.paragraphs, rule.link_density, rule.quality) == (12, 3, 0.7, 0.6)
    first, second = rule.cases
    assert first.expected == {"title": "Oaks", "tier": "scoring"} and first.lacks == ("Elms",) and first.html
    assert (second.page, second.html) == ("two.html", "")
    assert rule.source == "my/oaks.toml"


def test_what_a_rule_need_not_say() -> None:
    rule = read_rule(
        'id="x"\nabout="y"\ndomains=["a.example"]\n[content]\nprimary=["p"]\n'
        '[[case]]\nname="n"\nurl="https://a.example/"\nhtml="<p>x"\ncontains=["x"]',
        "x.toml",
    )
    assert (rule.words, rule.paragraphs, rule.link_density, rule.page_type, rule.paths) == (30, None, None, None, ())


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ('about = "A site about oaks."', "about = A site", 3, 'write text in quotes: about = "A site"'),
        ('about = "A site about oaks."', 'about: "A site"', 3, 'separated by "=", not ":"'),
        ('about = "A site about oaks."', 'about = "A site', 3, "close the quotes"),
        ('about = "A site about oaks."', "about = ???", 3, 'a line is key = "value"'),
        ('about = "A site about oaks."', "", 1, "'about' is missing; write about ="),
        ('id = "oaks"', "id = 3", 2, "'id' must be a text; write id ="),
        ('id = "oaks"', 'id = "o/k"', 2, "letters, digits, dots and hyphens"),
        (
            'domains = ["Oaks.example", "bücher.example"]',
            'domains = "oaks.example"',
            4,
            'write domains = ["one", "two"]',
        ),
        ('"Oaks.example"', '"https://www.oaks.example/x"', 4, "write 'www.oaks.example'"),
        ('"Oaks.example"', '"*.oaks.example"', 4, "write 'oaks.example' (subdomains are included)"),
        ('"Oaks.example"', '"not a host"', 4, "write 'example.org'"),
        ('"Oaks.example"', '"[data-qa=a]"', 4, "write 'example.org'"),
        ('"Oaks.example"', '"https://[oaks"', 4, "write 'example.org'"),
        ('paths = ["/a/*"]', 'paths = ["a/*"]', 5, 'write paths = ["/a/*"]'),
        ('page_type = "article"', 'page_type = "story"', 6, "must be one of article, documentation"),
        ('page_type = "article"', 'pagetype = "article"', 6, "unknown key 'pagetype'; did you mean 'page_type'?"),
        ('primary = ["#body"]', "", 8, 'no content selector; write primary = ["article .body"]'),
        ('primary = ["#body"]', 'primary = ["div["]', 9, "is not a CSS selector"),
        ('remove = [".more"]', 'removes = [".more"]', 12, "unknown key 'removes' in 'content'; did you mean 'remove'?"),
        ('author = [".by"]', 'author = ["::by::"]', 17, "write CSS, such as"),
        ('"p.sub" = "h3"', '"p.sub" = "script"', 21, "'p.sub' cannot become 'script'; it may become h2"),
        ("words = 12", 'words = "12"', 24, "'words' must be a number; write words = 30"),
        ("words = 12", "words = -1", 24, "'words' must be a number"),
        ('html = "<p>Oaks"', "", 29, "an article: write either html = '''…''' or page ="),
        ('page = "two.html"', 'page = "two.html"\nhtml = "<p>x"', 38, "another: write either html"),
        ('contains = ["Elms"]', "", 38, "another: write contains ="),
        ('contains = ["Elms"]', 'contain = ["Elms"]', 42, "did you mean 'contains'?"),
        ('url = "https://oaks.example/a/2"', 'url = "oaks.example"', 38, 'another: write url = "https://…"'),
        ('name = "another"', "", 38, "the case has no name"),
        ('tier = "scoring"', 'tier = "luck"', 36, "tier must be one of"),
    ],
)
def test_faults_have_a_line_and_an_answer(old: str, new: str, line: int, says: str) -> None:
    assert old in RULE
    faults = broken(RULE.replace(old, new))
    assert any(f.startswith(f"my/oaks.toml:{line}: ") and says in f for f in faults), faults


def test_a_rule_without_cases_is_no_rule() -> None:
    faults = broken(RULE[: RULE.index("[[case]]")])
    assert faults == [
        "my/oaks.toml:1: no case; write at least one [[case]] with name, url, html (or page) and contains"
    ]


def test_all_faults_are_told_at_once() -> None:
    faults = broken(RULE.replace("#body", "a[").replace('"h3"', '"h1"').replace('"article"', '"page"'))
    assert len(faults) == 3


@pytest.mark.parametrize("text", ["", "\x00", "[[case]]\n[content]\n", "case = 3", "content = 1", "[rename]\n'p'=3"])
def test_any_file_is_answered(text: str) -> None:
    assert all(fault.startswith("my/oaks.toml:") for fault in broken(text))


def test_hosts_are_compared_as_browsers_do() -> None:
    assert as_host("WWW.Example.ORG.") == "www.example.org"
    assert as_host("ü" * 80) == "ü" * 80


def test_the_example_in_the_docs_is_a_rule(root: Path) -> None:
    text = (root / "docs" / "site-rules.md").read_text(encoding="utf-8")
    example = text[text.index("```toml\n") + 8 :]
    rule = read_rule(example[: example.index("```")], "docs")
    assert rule.id == "timber" and all(selectors for _, selectors in rule.levels)
