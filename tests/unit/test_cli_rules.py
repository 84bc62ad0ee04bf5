"""``duramen rules`` and ``duramen cache``, run in this process."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from duramen.cli import main
from duramen.errors import HttpStatus
from duramen.rule_set import clear_rule_cache

SENTENCES = [
    "A hollow oak may live for another two hundred years, though it will not stand through every storm that comes.",
    "Carpenters cut the pale outer wood away before they bring a beam under a roof, and they burn it the same winter.",
    "Fungi that feed on sapwood within a few summers need decades to make their way through the heart of a trunk.",
    "As rings age, the tree fills them with tannins and gums, and they stop carrying water altogether in a few weeks.",
]
PAGE = (
    "<!doctype html><html lang=en><title>On oaks</title><meta property=og:type content=article><body>"
    "<nav><a href=/>Home</a></nav><div class=reading-room><h1>On oaks</h1>"
    f"{''.join(f'<p>{s}</p>' for s in SENTENCES)}</div><footer><p>All rights reserved.</p></footer>"
)
RULE = f"""id = "oaks"
about = "A test."
domains = ["oaks.example"]
[content]
primary = [".reading-room"]
[[case]]
name = "on oaks"
url = "https://oaks.example/1"
page = "oaks.html"
contains = ["{SENTENCES[0]}"]
lacks = ["All rights"]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("DURAMEN_RULES", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    clear_rule_cache()
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "oaks.toml").write_text(RULE)
    (tmp_path / "rules" / "oaks.html").write_text(PAGE)
    (tmp_path / "page.html").write_text(PAGE)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    told = capsys.readouterr()
    return code, told.out, told.err


def test_list(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "rules", "list", "--rules", folder / "rules")
    assert code == 0
    assert out.startswith(
        f"{folder / 'rules'}\n  oaks             oaks.example  (1 cases, oaks.toml)\nshipped with Duramen\n"
    )
    assert "nytimes" in out and "problems" not in out


def test_list_tells_overrides_and_problems(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "rules" / "bbc.toml").write_text(RULE.replace("oaks.example", "bbc.com").replace('"oaks"', '"mine"'))
    (folder / "rules" / "bad.toml").write_text("id = oaks")
    code, out, _ = run(capsys, "rules", "list", "--rules", folder / "rules")
    assert code == 1
    assert f"bbc.com: mine ({folder / 'rules' / 'bbc.toml'}) overrides bbc (bbc.toml)" in out
    assert f"{folder / 'rules' / 'bad.toml'}:1: not TOML" in out and 'write text in quotes: id = "oaks"' in out
    code, out, _ = run(capsys, "rules", "list", "--json", "--rules", folder / "rules")
    data = json.loads(out)
    assert code == 1 and {rule["id"] for rule in data["rules"]} >= {"oaks", "mine", "bbc"} and data["problems"]


@pytest.mark.parametrize("name", ["oaks", "oaks.example", "https://www.oaks.example/x"])
def test_show(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "rules", "show", name, "--rules", folder / "rules")
    assert code == 0 and "primary        .reading-room\n" in out and "case           on oaks (https://oaks" in out
    code, out, _ = run(capsys, "rules", "show", name, "--json", "--rules", folder / "rules")
    assert json.loads(out)["domains"] == ["oaks.example"]


@pytest.mark.parametrize("name", ["nothing", "https://nothing.example/", "gone.toml"])
def test_what_is_not_there_is_an_error(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "rules", "show", name)
    assert code == 1 and out == "" and err.startswith("duramen: error: ") and name in err


def test_check_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "rules", "check", folder / "rules")
    assert code == 0 and out.startswith("oaks (") and "passes" in out and "hacker" not in out
    assert run(capsys, "rules", "test", folder / "rules")[1].endswith("1 of 1 cases passed\n")
    (folder / "rules" / "elms.toml").write_text("id = 3")
    code, _, err = run(capsys, "rules", "check", folder / "rules")
    assert code == 1 and "elms.toml" in err
    (folder / "none").mkdir()
    code, _, err = run(capsys, "rules", "check", folder / "none")
    assert code == 1 and "none: no file in it ends in .toml" in err


def test_check_and_test(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "rules" / "oaks.toml"
    code, out, _ = run(capsys, "rules", "check", path)
    assert code == 0 and "oaks.toml): passes" in out
    assert [line.split()[:2] for line in out.splitlines()[1:]] == [
        ["pass", name] for name in ("success", "quality", "cost", "fallback", "upkeep")
    ]
    code, out, _ = run(capsys, "rules", "test", "oaks", "--rules", folder / "rules")
    assert (code, out) == (0, "pass  oaks: on oaks\n1 of 1 cases passed\n")


def test_a_failing_case_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "rules" / "oaks.toml"
    path.write_text(RULE.replace("All rights", "Carpenters"))
    code, out, _ = run(capsys, "rules", "check", path)
    assert code == 1 and "FAILS" in out and "case 'on oaks': has 'Carpenters'" in out
    code, out, _ = run(capsys, "rules", "check", "--json", path)
    success = json.loads(out)["rules"][0]["requirements"][0]
    assert code == 1 and success["name"] == "success" and not success["passed"]
    code, out, _ = run(capsys, "rules", "test", path)
    assert code == 1 and "FAIL  oaks: on oaks\n      has 'Carpenters'\n0 of 1 cases passed\n" in out
    code, out, _ = run(capsys, "rules", "test", "--json", path)
    assert code == 1 and json.loads(out)["cases"][0]["faults"] == ["has 'Carpenters'"]


def test_a_broken_file_is_told_with_its_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "rules" / "oaks.toml"
    path.write_text(RULE.replace("primary", "primry"))
    code, _, err = run(capsys, "rules", "check", path)
    assert code == 1 and f"{path}:5: unknown key 'primry' in 'content'; did you mean 'primary'?" in err
    code, out, err = run(
        capsys, "extract", folder / "page.html", "--url", "https://oaks.example/", "--rules", path.parent
    )
    assert code == 0 and SENTENCES[0] in out and f"warning: {path}:5: unknown key" in err


def test_new_writes_a_rule_and_its_page(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = folder / "drafts"
    arguments = ("rules", "new", folder / "page.html", "--url", "https://www.oaks.example/1", "--output", where)
    code, out, err = run(capsys, *arguments)
    assert code == 0 and out.splitlines()[:2] == [str(where / "oaks.toml"), str(where / "oaks-1.html")]
    assert "found by the" in err
    code, out, _ = run(capsys, "rules", "check", where / "oaks.toml")
    assert code == 0 and "passes" in out
    code, _, err = run(capsys, *arguments)
    assert code == 1 and "exists already" in err


def test_new_without_a_folder_prints(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "rules", "new", folder / "page.html", "--url", "https://www.bbc.com/1")
    assert code == 0 and 'primary = ["div.reading-room"]' in out and "a rule exists already: bbc (bbc.toml)" in err


def test_new_from_the_network(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Session(nullcontext[None]):
        def __enter__(self) -> Any:
            return self

        def fetch(self, url: str) -> SimpleNamespace:
            if "gone" in url:
                raise HttpStatus(url, "the server answered 404", "look at the address", 404)
            return SimpleNamespace(body=PAGE.encode(), url=f"{url}?moved")

    monkeypatch.setattr("duramen.session.Session", Session)
    code, out, _ = run(capsys, "rules", "new", "https://oaks.example/1")
    assert code == 0 and 'url = "https://oaks.example/1?moved"' in out
    code, out, err = run(capsys, "rules", "new", "https://oaks.example/gone")
    assert code == 1 and "error: https://oaks.example/gone: the server answered 404; look at the address" in err


def test_new_needs_an_address(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["rules", "new", str(folder / "page.html")])
    assert stop.value.code == 2 and "add the page's URL, --url" in capsys.readouterr().err


def test_rules_folder_that_is_not_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["extract", str(folder / "page.html"), "--rules", str(folder / "gone")])
    assert stop.value.code == 2 and "there is no folder" in capsys.readouterr().err


def test_filter_list(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "list.txt").write_text("##.reading-room > p:last-of-type\n")
    code, out, _ = run(capsys, "extract", folder / "page.html", "--filter-list", folder / "list.txt")
    assert code == 0 and SENTENCES[0] in out and SENTENCES[3] not in out
    code, out, _ = run(capsys, "explain", folder / "page.html", "--filter-list", folder / "list.txt")
    assert "prune filter-list: list.txt: ##.reading-room > p:last-of-type" in out
    with pytest.raises(SystemExit) as stop:
        main(["extract", str(folder / "page.html"), "--filter-list", "gone.txt"])
    assert stop.value.code == 2 and "'gone.txt' cannot be read" in capsys.readouterr().err


def test_cache(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["cache", "list"])
    assert stop.value.code == 2 and "there is no selector cache" in capsys.readouterr().err
    page = ("extract", folder / "page.html", "--url", "https://www.oaks.example/1", "--selector-cache", "default")
    for _ in range(4):
        assert run(capsys, *page)[0] == 0
    code, out, _ = run(capsys, "cache", "list")
    assert code == 0 and out.startswith("oaks.example  1 selectors, 0 retired, last used 20")
    code, out, _ = run(capsys, "cache", "show", "www.oaks.example")
    assert code == 0 and out.startswith("div.reading-room\n  trusted; served on 4 of 4 pages, 100 %") and "++++" in out
    code, out, _ = run(capsys, "cache", "show", "https://oaks.example/x", "--json")
    assert json.loads(out)["state"] == "trusted"
    code, out, _ = run(capsys, "explain", *page[1:])
    assert "cache (cache:div.reading-room), score" in out
    assert run(capsys, "cache", "show", "elms.example") == (1, "", "")
    assert run(capsys, "cache", "clear", "oaks.example")[1] == "1 selectors removed\n"
    assert run(capsys, "cache", "list")[0] == 1


def test_cache_needs_a_site_to_show(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["cache", "show", "--file", str(folder / "x.sqlite")])
    assert stop.value.code == 2 and "show needs a site" in capsys.readouterr().err


def test_a_rule_whose_name_is_misspelt(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "check", "nytime"]) == 1
    assert capsys.readouterr().err.endswith("no rule 'nytime' among the shipped ones; did you mean nytimes?\n")
