"""What users may import, and what importing it costs."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import inspect
import subprocess
import sys

import pytest

import duramen
from duramen import batch, errors
from duramen.options import FetchOptions, Limits, Options, Output

PUBLIC = [
    "AsyncSession",
    "DuramenError",
    "FetchError",
    "FetchOptions",
    "HtmlTextExtractor",
    "InputError",
    "Limits",
    "MissingExtra",
    "OptionError",
    "Options",
    "Output",
    "Result",
    "RuleError",
    "Session",
    "TextExtractionResult",
    "__version__",
    "extract",
]


def test_public_names_are_pinned() -> None:
    assert sorted(duramen.__all__) == PUBLIC


@pytest.mark.parametrize("name", PUBLIC)
def test_public_names_resolve(name: str) -> None:
    assert getattr(duramen, name) is not None
    assert name in dir(duramen)


def test_unknown_name_says_what_there_is() -> None:
    with pytest.raises(AttributeError, match=r"has no attribute 'extarct'; it has .*extract"):
        _ = duramen.extarct


def test_version_is_the_installed_one() -> None:
    assert duramen.__version__ == importlib.metadata.version("duramen")


def test_signatures_are_pinned() -> None:
    assert list(inspect.signature(duramen.extract).parameters) == ["html", "url", "options"]
    assert list(inspect.signature(duramen.HtmlTextExtractor().extract).parameters) == ["html"]
    assert [f.name for f in dataclasses.fields(duramen.TextExtractionResult)] == ["title", "text"]


def test_options_are_pinned() -> None:
    names = {cls.__name__: [f.name for f in dataclasses.fields(cls)] for cls in (Options, Output, Limits, FetchOptions)}
    assert names == {
        "Options": ("mode strategy include_comments visible_only encoding rules filter_lists output limits".split()),
        "Output": (
            "keep_classes nofollow links images front_matter title_heading post_headings captions strip_tracking"
            " step_headings reference_links tables formulas"
        ).split(),
        "Limits": ["max_bytes", "max_nodes", "max_depth", "seconds"],
        "FetchOptions": (
            "user_agent timeout max_bytes max_redirects retries allow_private robots concurrency delay max_wait cache"
            " render browser browser_state headers cookies auth proxy wait_for scroll join_pages"
        ).split(),
    }


def test_sessions_have_the_same_methods() -> None:
    def signature(cls: type, name: str) -> list[str]:
        return list(inspect.signature(getattr(cls, name)).parameters)

    for name, parameters in {
        "__init__": ["self", "options", "fetch", "selectors"],
        "fetch": ["self", "url", "ignore_robots"],
        "extract": ["self", "url", "ignore_robots"],
        "extract_many": ["self", "urls", "ignore_robots"],
    }.items():
        assert signature(duramen.Session, name) == signature(duramen.AsyncSession, name) == parameters


def test_result_is_pinned() -> None:
    fields = {f.name for f in dataclasses.fields(duramen.Result)}
    promised = "html text markdown title metadata page_type tier quality trace document_type encoding to_dict to_json"
    assert set(promised.split()) <= fields | set(dir(duramen.Result))


def test_error_tree_is_as_drawn() -> None:
    found = {name: cls for name, cls in vars(errors).items() if isinstance(cls, type) and issubclass(cls, Exception)}
    assert {name: tuple(base.__name__ for base in cls.__bases__) for name, cls in found.items()} == {
        "DuramenError": ("Exception",),
        "InputError": ("DuramenError", "TypeError"),
        "OptionError": ("DuramenError", "ValueError"),
        "RuleError": ("DuramenError", "ValueError"),
        "BatchError": ("DuramenError",),
        "MissingExtra": ("DuramenError", "ImportError"),
        "FetchError": ("DuramenError",),
        "BadUrl": ("FetchError",),
        "PrivateAddress": ("FetchError",),
        "RobotsDenied": ("FetchError",),
        "ConnectionFailed": ("FetchError",),
        "HostUnreachable": ("ConnectionFailed",),
        "Timeout": ("FetchError",),
        "TooSoon": ("FetchError",),
        "TooLarge": ("FetchError",),
        "TooManyRedirects": ("FetchError",),
        "UnsupportedContent": ("FetchError",),
        "HttpStatus": ("FetchError",),
        "Blocked": ("HttpStatus",),
    }
    assert errors.__doc__ is not None
    assert all(name in errors.__doc__ and cls.__doc__ for name, cls in found.items())


def test_batch_names_are_pinned() -> None:
    names = "Failure Job Outcome Record Summary extract_batches extract_many extract_table run_batch"
    assert sorted(batch.__all__) == sorted(names.split())
    assert all(getattr(batch, name) is not None for name in batch.__all__)
    with pytest.raises(AttributeError, match=r"has no attribute 'extract'; it has .*extract_many"):
        _ = batch.extract


def test_import_is_light() -> None:
    heavy = ("numpy", "turbohtml", "duramen.dom", "tomllib", "httpcore2", "asyncio", "pyarrow", "duramen.batch.run")
    code = f"import sys, duramen, duramen.batch; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
