"""Fixing a page: a rule is drafted, tried, checked and saved; a page becomes a case."""

from __future__ import annotations

import base64
import io
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

from duramen.errors import RuleError
from duramen.inspector.workbench import SentPage, do, page_bytes
from duramen.options import Options, Output
from duramen.read.decode import decode
from duramen.rule_files import read_rule, write_rule
from duramen.rule_set import with_folder

PROSE = "Oak heartwood is hard, dark and durable, and for centuries shipwrights chose it for keels and for ribs. "
HTML = (
    f"<!doctype html><title>Oaks</title><body><nav><a href=/>Home</a></nav><div class=lead><h2 class=head>Oaks</h2>"
    f"<p>{PROSE * 2}</p><p class=note>Elm is not oak. {PROSE}</p><p>Last of all. {PROSE}</p></div>"
)
URL = "https://oaks.example/a"


def page(folder: Path | None = None, html: str = HTML, url: str | None = URL, **options: Any) -> SentPage:
    return SentPage(html, url, Options(**options), str(folder) if folder else None)


def drafted(folder: Path | None = None, **changes: Any) -> dict[str, Any]:
    made: dict[str, Any] = do("draft", page(folder, **changes), {})["rule"]
    return made


def test_a_rule_changes_the_result_at_once() -> None:
    rule = drafted()
    before = do("try", page(), {"rule": rule})
    assert before["result"]["tier"] == "site_rule" and "Elm" in before["result"]["text"]
    rule["content"]["remove"].append("p.note")
    rule["metadata"] = {"title": ["h2.head"]}
    after = do("try", page(), {"rule": rule})
    assert "Elm" not in after["result"]["text"] and after["result"]["title"] == "Oaks"
    assert after["rule"]["removed"] == before["rule"]["removed"] + 1 and after["rule"]["faults"] == []
    assert "p.note" in read_rule(after["rule"]["text"], "x.toml").remove


def test_a_rule_without_content_is_drafted_without_a_selector() -> None:
    html = f"<body><b>Oaks</b> {PROSE * 3}<br><br>{PROSE * 3}"
    made = do("draft", page(html=html), {})
    assert made["rule"]["content"]["primary"] == [], "nothing that somebody would have to take out again"
    assert 'primary = ["main article"]' in made["text"], "the file has something to correct"
    tried = do("try", page(html=html), {"rule": made["rule"]})
    assert tried["rule"]["faults"] and tried["result"]["text"]


def test_content_that_is_shorter_than_the_threshold_lowers_it() -> None:
    notice = "From Monday the first ferry leaves at six, and the last one comes back at ten in the evening."
    html = f"<body><div class=notice><p>{notice}</p></div><div class=talk>{HTML}</div>"
    rule = drafted(html=html) | {"content": {"primary": ["div.notice"], "remove": ["div.talk", "nav"]}}
    assert rule["thresholds"]["words"] == 30
    tried = do("try", page(html=html), {"rule": rule, "expect": True})
    assert tried["result"]["tier"] == "site_rule" and "Elm" not in tried["result"]["text"]
    lowered = tried["rule"]["thresholds"]
    assert lowered == {"words": 9} == tomllib.loads(tried["rule"]["text"])["thresholds"]
    saved = rule | {"thresholds": lowered, "case": tried["rule"]["case"]}
    checked = do("check", page(html=html), {"rule": saved})
    assert checked["requirements"][0]["passed"], checked
    none = rule | {"content": {"primary": ["div.none"]}}
    assert do("try", page(html=html), {"rule": none})["rule"]["thresholds"] == {"words": 30}


def test_the_text_of_a_container_is_no_title() -> None:
    rule = drafted() | {"metadata": {"title": ["div.lead", "h2.head"]}}
    assert do("try", page(), {"rule": rule})["result"]["title"] == "Oaks"


def test_expectations_follow_the_result_if_asked() -> None:
    rule = drafted()
    rule["content"]["remove"].append("p.note")
    assert not do("check", page(), {"rule": rule})["passed"], "it still expects what is removed now"
    tried = do("try", page(), {"rule": rule, "expect": True})["rule"]
    (case,) = tried["case"]
    assert any("Elm is not oak" in words for words in case["lacks"]) and "Elm" not in str(case["contains"])
    assert do("check", page(), {"rule": rule | {"case": tried["case"]}})["passed"]
    rule["metadata"]["author"] = ["h2.head"]
    assert do("try", page(), {"rule": rule, "expect": True})["rule"]["case"][0]["author"] == "Oaks"
    assert read_rule(tried["text"], "x.toml").cases[0].lacks == tuple(case["lacks"])


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"content": {"primary": []}}, "no content selector"),
        ({"content": {"primary": ["p["]}}, "not a CSS selector"),
        ({"domains": ["elms.example"]}, "not for this page"),
        ({"content": {"primary": [["main"]]}}, "a rule cannot contain list"),
        ({"case": [{"name": "x"}, "y"]}, "must be tables only"),
        ({"odd": float("nan")}, "not TOML"),
        ({"odd": "key"}, "unknown key"),
    ],
)
def test_faults_are_named_and_the_page_is_still_shown(change: dict[str, Any], fault: str) -> None:
    made = do("try", page(), {"rule": drafted() | change})
    assert any(fault in one for one in made["rule"]["faults"]), made["rule"]["faults"]
    assert made["result"]["text"]


def test_checks_use_the_page_that_was_sent() -> None:
    rule = drafted()
    rule["case"][0]["lacks"] = ["Elm is not oak"]
    made = do("check", page(), {"rule": rule})
    assert not made["passed"] and "has 'Elm is not oak'" in str(made["requirements"][0]["details"])
    rule["case"][0] |= {"lacks": ["Home"], "contains": ["Elm is not oak"]}
    assert do("check", page(), {"rule": rule})["passed"]


def test_a_saved_rule_is_used_and_continued(tmp_path: Path) -> None:
    rule = drafted(tmp_path) | {"about": "Notes are in the text."}
    rule["content"]["remove"] = ["p.note"]
    rule["case"] = do("try", page(tmp_path), {"rule": rule, "expect": True})["rule"]["case"]
    saved = do("save", page(tmp_path), {"rule": rule})["saved"]
    assert Path(saved) == tmp_path / "oaks.toml" and (tmp_path / "oaks-1.html").read_text() == HTML
    found = with_folder(str(tmp_path)).for_url(URL)
    assert found is not None and found.remove == ("p.note",)
    with pytest.raises(RuleError, match="exists already"):
        do("save", page(tmp_path), {"rule": rule})
    # Another page of the site is a further case of the same rule.
    other = {"url": "https://oaks.example/b", "html": HTML.replace("Last of all", "At the end")}
    again = drafted(tmp_path, **other)
    assert again["about"] == "Notes are in the text." and [case["page"] for case in again["case"]] == [
        "oaks-1.html", "oaks-2.html",
    ]  # fmt: skip
    assert do("check", page(tmp_path, **other), {"rule": again})["passed"]
    do("save", page(tmp_path, **other), {"rule": again, "replace": True})
    assert "At the end" in (tmp_path / "oaks-2.html").read_text()


@pytest.mark.parametrize("name", ["../oaks-1.html", "/etc/passwd.html", "sub/x.html", "..html", "x.toml"])
@pytest.mark.parametrize("action", ["check", "save"])
def test_no_other_file_is_read_or_written(tmp_path: Path, name: str, action: str) -> None:
    for number in (0, 1):
        rule = drafted()
        rule["case"].append(dict(rule["case"][0], url="https://oaks.example/other"))
        rule["case"][number]["page"] = name
        with pytest.raises(RuleError, match="not the name of a page"):
            do(action, page(tmp_path / "rules"), {"rule": rule})
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(RuleError, match="may only contain"):
        do(action, page(tmp_path), {"rule": drafted() | {"id": "../x"}})


def test_without_a_folder_nothing_is_saved() -> None:
    with pytest.raises(RuleError, match="--workbench"):
        do("save", page(), {"rule": drafted()})
    with pytest.raises(RuleError, match="--workbench"):
        do("case", page(), {"name": "a", "why": "b", "save": True})


def test_a_case_is_one_that_the_golden_tests_read(tmp_path: Path) -> None:
    sent = page(tmp_path, mode="recall", output=Output(front_matter=True))
    values = {"name": "oak-notes", "why": 'notes are "asides"', "expected": "Oak.\n\n"}
    packed = zipfile.ZipFile(io.BytesIO(base64.b64decode(do("case", sent, values)["zip"])))
    assert packed.namelist() == ["oak-notes/case.toml", "oak-notes/expected.md", "oak-notes/input.html"]
    assert packed.read("oak-notes/expected.md") == b"Oak.\n" and not (tmp_path / "cases").exists()
    assert Path(do("case", sent, values | {"save": True})["saved"]).parent == tmp_path / "cases" / "oak-notes"
    raw = tomllib.loads((tmp_path / "cases/oak-notes/case.toml").read_text())
    assert raw == {"why": values["why"], "url": URL, "options": {"mode": "recall", "output": {"front_matter": True}}}
    assert Options.from_mapping(raw["options"]) == sent.options
    for wrong in ({"name": "../x"}, {"name": "A"}, {"why": " "}):
        with pytest.raises(RuleError):
            do("case", sent, values | wrong)


def test_a_page_is_saved_so_that_it_reads_the_same() -> None:
    text = '<meta charset="iso-8859-1"><p>Bäume und Wälder'
    assert decode(page_bytes(text), None)[0] == text
    assert page_bytes("<p>Oak") == b"<p>Oak"


def test_a_rule_is_written_as_it_was_read() -> None:
    for name in sorted((Path(__file__).parents[3] / "src/duramen/data/site_rules").glob("*.toml")):
        raw = tomllib.loads(name.read_text(encoding="utf-8"))
        assert tomllib.loads(write_rule(raw)) == raw
    odd = {"id": "x", "about": "a\x7f\"'\\\n", "rename": {'p[a="b"]': "h3"}, "domains": ["o" * 90, "p" * 90]}
    assert tomllib.loads(write_rule(odd)) == odd
