"""Which browser there is."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

from duramen.browser.verdicts import NoBrowser

ENGINES = ("chromium", "firefox", "webkit")

# Chromium and its relatives can be driven as they are installed; Firefox and WebKit only in Playwright's own builds.
_ON_PATH = (
    "chromium chromium-browser google-chrome google-chrome-stable chrome microsoft-edge msedge brave-browser".split()
)
_ELSEWHERE = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
)


@dataclass(frozen=True, slots=True)
class Installed:
    """A browser that can be started."""

    engine: str
    path: str


def find_browser(wanted: str | None, bundled: Callable[[str], str]) -> Installed:
    """The browser that was named, or the first that is found; ``bundled`` tells where Playwright keeps its own."""
    if wanted is None or wanted in ENGINES:
        found = next(_candidates((wanted,) if wanted else ENGINES, bundled), None)
        if found is None:
            raise NoBrowser(
                f"no {wanted or 'browser'} was found; install one (playwright install {wanted or 'chromium'}, or your"
                " system's package chromium), or name its executable: browser, --browser"
            )
        return found
    path = shutil.which(wanted)
    if path is None:
        raise NoBrowser(
            f"browser {wanted!r} is not there; write chromium, firefox, webkit or the path of an executable"
        )
    name = PurePath(path).name.lower()
    engine = next((engine for engine in ENGINES[1:] if engine in name), "chromium")
    return Installed("webkit" if name in ("minibrowser", "pw_run.sh") else engine, path)


def _candidates(engines: tuple[str, ...], bundled: Callable[[str], str]) -> Iterator[Installed]:
    for engine in engines:
        if os.access(bundled(engine), os.X_OK):
            yield Installed(engine, bundled(engine))
        if engine == "chromium":
            yield from (Installed(engine, path) for name in _ON_PATH if (path := shutil.which(name)))
            yield from (Installed(engine, path) for path in _ELSEWHERE if Path(path).is_file())
