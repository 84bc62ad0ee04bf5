"""Folders of rules: precedence, messages, and that a broken rule stops no extraction."""

from __future__ import annotations

from pathlib import Path

import pytest

import duramen
from duramen import Options
from duramen.errors import OptionError, RuleError
from duramen.rule_set import clear_rule_cache, only, page_of, read_folder, rules_of

PROSE = "Oak heartwood is hard, dark and durable, and for centuries shipwrights chose it for keels and for ribs. " * 3
PAGE = (
    "<!doctype html><title>Oaks</title><body><nav><a href=/>Home</a></nav>"
    f"<div class=lead><p>{PROSE}</p><p>{PROSE}</p></div>"
    f"<div class=other><p>Elm is not oak. {PROSE}</p><p>Elm bends. {PROSE}</p></div>"
)


def write(folder: Path, name: str, domain: str, selector: str = ".lead", extra: str = "", rule_id: str = "") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.toml"
    path.write_text(
        f'id = "{rule_id or name}"\nabout = "A test."\ndomains = ["{domain}"]\n{extra}\n'
        f'[content]\nprimary = ["{selector}"]\n'
        f'[[case]]\nname = "one"\nurl = "https://{domain}/"\npage = "{name}.html"\ncontains = ["Oak"]\n'
    )
    (folder / f"{name}.html").write_text(PAGE)
    return path


@pytest.fixture(autouse=True)
def _anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DURAMEN_RULES", raising=False)
    clear_rule_cache()


def rule_of(url: str, *folders: Path) -> str | None:
    rule = rules_of(tuple(map(str, folders))).for_url(url)
    return rule.id if rule else None


def test_the_nearest_domain_then_the_first_folder(tmp_path: Path) -> None:
    write(tmp_path / "a", "wide", "oaks.example")
    write(tmp_path / "b", "near", "news.oaks.example")
    write(tmp_path / "b", "later", "oaks.example")
    both = (tmp_path / "a", tmp_path / "b")
    assert rule_of("https://oaks.example/x", *both) == "wide"
    assert rule_of("https://www.news.oaks.example/x", *both) == "near"
    assert rule_of("https://oaks.example/x", *reversed(both)) == "later"
    assert rule_of("https://notoaks.example/", *both) is None


def test_paths_go_before_the_whole_site(tmp_path: Path) -> None:
    write(tmp_path, "all", "oaks.example")
    write(tmp_path, "year", "oaks.example", extra='paths = ["/[12][0-9][0-9][0-9]/*"]')
    assert rule_of("https://oaks.example/2026/x", tmp_path) == "year"
    assert rule_of("https://oaks.example/about", tmp_path) == "all"
    assert rule_of("https://oaks.example", tmp_path) == "all"
    assert rules_of((str(tmp_path),)).problems == ()


def test_the_environment_goes_before_the_shipped_and_after_the_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "env", "mine", "bbc.com")
    write(tmp_path / "opt", "given", "bbc.com")
    assert rule_of("https://www.bbc.com/news") == "bbc"
    monkeypatch.setenv("DURAMEN_RULES", f"{tmp_path / 'env'}")
    assert rule_of("https://www.bbc.com/news") == "mine"
    assert rule_of("https://www.bbc.com/news", tmp_path / "opt") == "given"
    told = rules_of((str(tmp_path / "opt"),)).overrides
    assert [line.split(" (")[0] for line in told] == ["bbc.com: given"] * 2 + ["bbc.com: mine"]
    assert "overrides bbc (bbc.toml)" in told[-1]


def test_the_trace_tells_what_was_overridden(tmp_path: Path) -> None:
    path = write(tmp_path, "mine", "bbc.com")
    steps = duramen.extract(PAGE, "https://www.bbc.com/x", Options(rules=(str(tmp_path),))).trace.steps
    assert f"bbc.com: mine ({path}) overrides bbc (bbc.toml)" in steps
    assert not any("overrides" in step for step in duramen.extract(PAGE, "https://www.bbc.com/x").trace.steps)


def test_two_rules_for_one_thing_are_a_conflict(tmp_path: Path) -> None:
    first = write(tmp_path, "a", "oaks.example")
    second = write(tmp_path, "b", "oaks.example")
    (problem,) = rules_of((str(tmp_path),)).problems
    assert problem.startswith(f"{second}: oaks.example has a rule already, in {first}, so this one never applies;")
    assert rule_of("https://oaks.example/", tmp_path) == "a"


def test_an_id_is_taken_once_in_a_folder(tmp_path: Path) -> None:
    write(tmp_path, "a", "oaks.example", rule_id="x")
    write(tmp_path, "b", "elms.example", rule_id="x")
    (problem,) = read_folder(str(tmp_path)).problems
    assert "the id 'x' is already used by" in problem and problem.endswith("rename one")


def test_missing_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OptionError, match=r"there is no folder .*gone.*; name a folder with rule files"):
        duramen.extract(PAGE, "https://oaks.example/", Options(rules=(str(tmp_path / "gone"),)))
    monkeypatch.setenv("DURAMEN_RULES", str(tmp_path / "gone"))
    result = duramen.extract(PAGE, "https://oaks.example/")
    assert [w.split(":")[0] for w in result.trace.warnings] == ["DURAMEN_RULES"]


def test_a_broken_file_is_told_and_stops_nothing(tmp_path: Path) -> None:
    write(tmp_path, "good", "oaks.example")
    (tmp_path / "bad.toml").write_text('id = "bad"\ndomains = [\n')
    (tmp_path / "latin.toml").write_bytes(b'about = "\xe9"')
    (tmp_path / "notes.txt").write_text("not a rule")
    result = duramen.extract(PAGE, "https://oaks.example/", Options(rules=(str(tmp_path),)))
    assert result.tier == "site_rule" and "Elm" not in result.text
    bad, latin = result.trace.warnings
    assert bad.startswith(f"{tmp_path / 'bad.toml'}:3: not TOML")
    assert latin.startswith(f"{tmp_path / 'latin.toml'}: cannot be read")
    assert not any("bad" in reason for reason in result.quality.reasons)
    assert result.to_dict()["warnings"] == [bad, latin]


def test_folders_are_read_once(tmp_path: Path) -> None:
    path = write(tmp_path, "a", "oaks.example")
    assert rule_of("https://oaks.example/", tmp_path) == "a"
    path.unlink()
    assert rule_of("https://oaks.example/", tmp_path) == "a"
    clear_rule_cache()
    assert rule_of("https://oaks.example/", tmp_path) is None


def test_pages_of_cases_stand_beside_the_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a", "oaks.example")
    monkeypatch.chdir(tmp_path)
    for name in (str(tmp_path), "."):
        (rule,) = read_folder(name).rules
        assert page_of(rule, rule.cases[0]) == PAGE.encode()
    (tmp_path / "a.html").unlink()
    with pytest.raises(RuleError, match=r"case 'one': a.html cannot be read .*; name a file next to the rule"):
        page_of(rule, rule.cases[0])


def test_a_set_of_one(tmp_path: Path) -> None:
    write(tmp_path, "a", "oaks.example")
    (rule,) = read_folder(str(tmp_path)).rules
    assert only(rule).for_url("https://oaks.example/") is rule and only().for_url("https://www.bbc.com/") is None
    assert rules_of((str(tmp_path),)).named("oaks.example") is rules_of((str(tmp_path),)).named("a")


def test_the_trace_names_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, "a", "oaks.example")
    result = duramen.extract(PAGE, "https://oaks.example/", Options(rules=(str(tmp_path),)))
    assert f"site rule a ({path})" in result.trace.steps
    assert result.trace.attempts[0].candidate.evidence == f"{path}: primary selector .lead"
