"""Which browser is taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from duramen.browser import installed
from duramen.browser.installed import Installed, find_browser
from duramen.browser.verdicts import NoBrowser


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only place where programs are."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(installed, "_ELSEWHERE", {})
    return tmp_path


def program(folder: Path, name: str) -> str:
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


def nothing(engine: str) -> str:
    return "/no/such/place"


def test_the_systems_own(folder: Path) -> None:
    path = program(folder, "chromium")
    assert find_browser(None, nothing) == find_browser("chromium", nothing) == Installed("chromium", path)


def test_playwrights_own_comes_first(folder: Path) -> None:
    program(folder, "chromium")
    own = program(folder, "own")
    assert find_browser(None, lambda engine: own).path == own
    assert find_browser("firefox", lambda engine: own) == Installed("firefox", own)


def test_a_systems_firefox_is_driven_as_it_is(folder: Path) -> None:
    path = program(folder, "firefox-esr")
    found = find_browser("firefox", nothing)
    assert found == find_browser(None, nothing) == Installed("firefox", path) and found.channel == "moz-firefox"
    own = "/cache/ms-playwright/firefox-1522/firefox/firefox"
    assert Installed("firefox", own).channel is None and Installed("chromium", "/usr/bin/chromium").channel is None
    program(folder, "chromium")
    assert find_browser(None, nothing).engine == "chromium"


def test_by_path(folder: Path) -> None:
    path = program(folder, "my-firefox")
    assert find_browser(path, nothing) == Installed("firefox", path)
    assert find_browser(program(folder, "brave"), nothing).engine == "chromium"
    assert find_browser(program(folder, "MiniBrowser"), nothing).engine == "webkit"


@pytest.mark.parametrize(
    ("wanted", "advice"),
    [
        (None, "playwright install chromium, or your system's package chromium)"),
        ("chromium", "playwright install chromium, or your system's package chromium)"),
        ("firefox", "playwright install firefox, or your system's package firefox or firefox-esr)"),
        ("webkit", "playwright install webkit), or name its executable"),
        ("/no/such/browser", "use chromium, firefox, webkit or the path"),
        ("netscape", "use chromium, firefox, webkit or the path"),
    ],
)
def test_none(folder: Path, wanted: str | None, advice: str) -> None:
    with pytest.raises(NoBrowser) as caught:
        find_browser(wanted, nothing)
    assert advice in str(caught.value)
