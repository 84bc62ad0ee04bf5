"""What all tests share: where things are, and what to do when something outside the repository is missing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks import corpora
from hypothesis import settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants
from loopback import Loopback

ROOT = Path(__file__).resolve().parent.parent

# The same examples on every run; DURAMEN_EXPLORE=1 looks for new ones.
settings.register_profile("fixed", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile("explore" if os.environ.get("DURAMEN_EXPLORE") else "fixed")
# Hypothesis also draws from the constants of all modules that are loaded, and which those are depends on the tests that
# ran before in the same process.
providers._get_local_constants = Constants


def shared_folder() -> Path | None:
    """The annotated corpora, which are not part of the repository."""
    folder = corpora.shared_folder()
    return folder if (folder / "corpora").is_dir() else None


def find_chromium() -> str | None:
    """An installed Chromium: ``DURAMEN_CHROMIUM``, or one of the usual names on the path."""
    names = (os.environ.get("DURAMEN_CHROMIUM"), "chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if name and (path := shutil.which(name))), None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests marked ``shared`` are skipped where the corpora are absent."""
    if shared_folder() is None:
        skip = pytest.mark.skip(reason=f"needs the annotated corpora: {corpora.COMMAND}")
        for item in items:
            if item.get_closest_marker("shared"):
                item.add_marker(skip)


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder that holds ``corpora``; skips where it is absent."""
    folder = shared_folder()
    if folder is None:
        pytest.skip(f"needs the annotated corpora: {corpora.COMMAND}")
    return folder


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of an installed Chromium. Without one the test is skipped, or fails under ``DURAMEN_REQUIRE_BROWSER=1``."""
    path = find_chromium()
    if path is None:
        reason = "needs Chromium: install the package chromium, or set DURAMEN_CHROMIUM to the executable"
        if os.environ.get("DURAMEN_REQUIRE_BROWSER") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return path


@pytest.fixture(scope="session")
def firefox() -> str:
    """Path of an installed Firefox, which nobody has to have: ``DURAMEN_FIREFOX``, or one on the path."""
    names = (os.environ.get("DURAMEN_FIREFOX"), "firefox", "firefox-esr")
    path = next((path for name in names if name and (path := shutil.which(name))), None)
    if path is None:
        pytest.skip("needs Firefox: install the package firefox or firefox-esr, or set DURAMEN_FIREFOX")
    return path


@pytest.fixture(scope="session")
def article_html(root: Path) -> str:
    return (root / "examples" / "article.html").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def docs_html(root: Path) -> str:
    return (root / "examples" / "docs.html").read_text(encoding="utf-8")


@pytest.fixture
def server() -> Iterator[Loopback]:
    """A web server on this machine."""
    with Loopback() as server:
        yield server
