"""Finds an installed browser."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

from duramen.browser.verdicts import NoBrowser

ENGINES = ("chromium", "firefox", "webkit")

# System installations of Chromium-based browsers and Firefox work; for WebKit only Playwright's own build does.
_ON_PATH = {
    "chromium": (
        "chromium chromium-browser google-chrome google-chrome-stable chrome microsoft-edge msedge brave-browser"
    ).split(),
    "firefox": ["firefox", "firefox-esr"],
}
_ELSEWHERE = {
    "chromium": (
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
        "C:/Program Files/Google/Chrome/Application/chrome.exe",
        "C:/Program Files (x86)/Google/Chrome/Application/chrome.exe",
        "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
    ),
    "firefox": (
        "/Applications/Firefox.app/Contents/MacOS/firefox",
        "C:/Program Files/Mozilla Firefox/firefox.exe",
    ),
}
_PACKAGES = {
    "chromium": ", or your system's package chromium",
    "firefox": ", or your system's package firefox or firefox-esr",
    "webkit": "",
}
_OWN_FIREFOX = re.compile(r"firefox-\d+")
"""The folder of Playwright's patched Firefox, which uses another protocol."""


@dataclass(frozen=True, slots=True)
class Installed:
    """A browser that can be started."""

    engine: str
    path: str

    @property
    def channel(self) -> str | None:
        """The value of Playwright's option ``channel``."""
        is_stock = self.engine == "firefox" and not any(map(_OWN_FIREFOX.fullmatch, PurePath(self.path).parts))
        return "moz-firefox" if is_stock else None


def find_browser(wanted: str | None, bundled: Callable[[str], str]) -> Installed:
    """The named browser, or the first one found; ``bundled`` returns the path of Playwright's own builds."""
    if wanted is None or wanted in ENGINES:
        found = next(_candidates((wanted,) if wanted else ENGINES, bundled), None)
        if found is None:
            raise NoBrowser(
                f"no {wanted or 'browser'} was found; install one (playwright install {wanted or 'chromium'}"
                f"{_PACKAGES[wanted or 'chromium']}), or name its executable: browser, --browser"
            )
        return found
    path = shutil.which(wanted)
    if path is None:
        raise NoBrowser(
            f"browser {wanted!r} does not exist; use chromium, firefox, webkit or the path of an executable"
        )
    name = PurePath(path).name.lower()
    engine = next((engine for engine in ENGINES[1:] if engine in name), "chromium")
    return Installed("webkit" if name in ("minibrowser", "pw_run.sh") else engine, path)


def _candidates(engines: tuple[str, ...], bundled: Callable[[str], str]) -> Iterator[Installed]:
    for engine in engines:
        if os.access(bundled(engine), os.X_OK):
            yield Installed(engine, bundled(engine))
        yield from (Installed(engine, path) for name in _ON_PATH.get(engine, ()) if (path := shutil.which(name)))
        yield from (Installed(engine, path) for path in _ELSEWHERE.get(engine, ()) if Path(path).is_file())
