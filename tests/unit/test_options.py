"""Options: defaults, refusals that say what to do, plain data in."""

from __future__ import annotations

import dataclasses
import inspect
import math
import pydoc
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

import duramen
from duramen import extract
from duramen.cli import main
from duramen.encodings import LABELS
from duramen.errors import DuramenError, OptionError
from duramen.options import FetchOptions, Limits, Mode, Options, Output, Strategy


def test_defaults() -> None:
    options = Options()
    assert (options.mode, options.strategy, options.include_comments, options.encoding) == (
        "balanced",
        "auto",
        False,
        None,
    )
    assert options.output == Output() and options.limits == Limits()
    assert options.output.links and options.output.images
    assert not (options.output.keep_classes or options.output.nofollow or options.output.front_matter)


@pytest.mark.parametrize("value", [Options(), Output(), Limits()])
def test_frozen_and_hashable(value: Any) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(value, dataclasses.fields(value)[0].name, "x")
    assert hash(value) == hash(type(value)())


@pytest.mark.parametrize(
    ("make", "values", "advice"),
    [
        (Options, {"mod": "recall"}, "did you mean 'mode'"),
        (Options, {"quickly": True}, "available: mode, strategy"),
        (Options, {"nofollow": True}, r"write Options\(output=Output\(nofollow=True\)\)"),
        (Options, {"seconds": 2}, r"write Options\(limits=Limits\(seconds=2\)\)"),
        (Options, {"timeout": 2}, r"write Session\(fetch=FetchOptions\(timeout=2\)\)"),
        (Limits, {"mode": "recall"}, r"write Options\(mode='recall'\)"),
        (duramen.extract, {"html": "", "mode": "recall"}, r"write extract\(html, options=Options\(mode='recall'\)\)"),
        (duramen.extract, {"html": "", "modes": "recall"}, r"write extract\(html, options=Options\(mode='recall'\)\)"),
        (duramen.extract, {"html": "", "timeout": 5}, r"write Session\(fetch=FetchOptions\(timeout=5\)\)"),
        (duramen.extract, {"html": "", "uri": "x"}, "did you mean 'url'"),
        (duramen.extract, {"html": "", "wood": 1}, r"available: html, url, options; help\(duramen\.Options\)"),
        (duramen.extract, {"html": "", "include_links": False}, r"options=Options\(output=Output\(links=False\)\)\)"),
        (duramen.Session, {"max_bytes": 5}, r"write Session\(fetch=FetchOptions\(max_bytes=5\)\)"),
        (duramen.AsyncSession, {"delay": 5}, r"write AsyncSession\(fetch=FetchOptions\(delay=5\)\)"),
        (duramen.Session, {"links": False}, r"write Session\(options=Options\(output=Output\(links=False\)\)\)"),
        (Output, {"no_follow": True}, "did you mean 'nofollow'"),
        (Limits, {"max_byte": 1}, "did you mean 'max_bytes'"),
    ],
)
def test_unknown_names_are_answered_with_the_right_one(
    make: Callable[..., object], values: dict[str, Any], advice: str
) -> None:
    with pytest.raises(OptionError, match=advice):
        make(**values)


@pytest.mark.parametrize(
    ("make", "value", "advice"),
    [
        (Options, "recall", r"by name; write Options\(mode='recall'\)"),
        (Options, {"mode": "recall"}, r"by name; write Options\(mode='balanced'\)"),
        (Limits, 5, r"write Limits\(max_bytes=5\)"),
        (FetchOptions, 5, r"write FetchOptions\(user_agent='Duramen/0.+'\)"),
    ],
)
def test_options_are_given_by_name(make: Callable[..., object], value: object, advice: str) -> None:
    with pytest.raises(OptionError, match=advice):
        make(value)


@pytest.mark.parametrize("make", [Options, Output, Limits, FetchOptions])
def test_the_signature_and_the_help_name_every_option(make: type[Any]) -> None:
    parameters = inspect.signature(make).parameters
    texts = pydoc.plain(pydoc.render_doc(make)).partition("Each option:")[2]
    for f in dataclasses.fields(make):
        assert parameters[f.name].kind == inspect.Parameter.KEYWORD_ONLY
        assert re.search(rf"^ \|  {f.name}: .*\n \|      \S", texts, re.M), f"{f.name} has no text"
    for name in (get_args(Mode) + get_args(Strategy)) if make is Options else ():
        assert f"``{name}``" in texts, name


def test_the_wrapped_functions_keep_their_signatures() -> None:
    assert str(inspect.signature(duramen.extract)).startswith("(html: 'str | bytes', url: 'str | None' = None")
    assert list(inspect.signature(duramen.Session).parameters) == ["options", "fetch", "selectors"]


@pytest.mark.parametrize(
    ("values", "advice"),
    [
        ({"mode": "fast"}, "mode must be one of 'precision', 'balanced', 'recall', not 'fast'"),
        ({"mode": None}, "mode must be one of"),
        ({"strategy": "magic"}, "strategy must be one of 'auto'"),
        ({"output": {"nofollow": True}}, "write Output"),
        ({"limits": 3}, "write Limits"),
    ],
)
def test_impossible_values_are_refused(values: dict[str, Any], advice: str) -> None:
    with pytest.raises(OptionError, match=advice):
        Options(**values)


NUMBERS = [
    (make, f.name) for make in (Limits, FetchOptions) for f in dataclasses.fields(make) if f.type in ("int", "float")
]
ABSURD = [
    -1,
    -0.5,
    "10",
    b"1",
    None,
    True,
    False,
    math.nan,
    math.inf,
    -math.inf,
    2**33,
    2**64,
    10**400,
    10**5000,
    [5],
    1j,
]


@pytest.mark.parametrize("value", ABSURD, ids=lambda value: f"{value!r:.12}" if value != 10**5000 else "10**5000")
@pytest.mark.parametrize(("make", "name"), NUMBERS, ids=lambda part: getattr(part, "__name__", part))
def test_absurd_numbers_are_refused(make: type, name: str, value: Any) -> None:
    wanted = rf"^{make.__name__}\.{name} must be a (whole )?number from [0-9.e,-]+ to [0-9,]+, not "
    with pytest.raises(OptionError, match=wanted) as error:
        make(**{name: value})
    assert len(str(error.value)) < 200


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (make, name)
        for make, name in NUMBERS
        if name not in ("delay", "max_redirects", "retries", "join_pages", "scroll")
    ],
)
def test_zero_is_refused(make: type, name: str) -> None:
    with pytest.raises(OptionError):
        make(**{name: 0})


@pytest.mark.parametrize(
    ("make", "name"), [(make, name) for make, name in NUMBERS if name not in ("seconds", "timeout", "delay")]
)
def test_counts_are_whole_numbers(make: type, name: str) -> None:
    with pytest.raises(OptionError, match="must be a whole number"):
        make(**{name: 2.5})
    make(**{name: 2})


def test_the_largest_limits_work() -> None:
    most = Limits(max_bytes=1_000_000_000, max_nodes=10_000_000, max_depth=10_000, seconds=86_400)
    for opening in ("<div>", "<blockquote>", "<ul><li>", "<b>", "<table><tr><td>"):
        trees = [f"<p>Oak {n} is hard, and beech {n} is not much softer than oak is.</p>" for n in range(40)]
        page = opening * 12_000 + "".join(trees)
        result = duramen.extract(page, "https://a.example/", Options(limits=most))
        assert result.text.count("is hard") in (0, 1, 40) and result.markdown is not None


def test_the_user_agent_is_a_text() -> None:
    with pytest.raises(OptionError, match="user_agent must begin with a name"):
        FetchOptions(user_agent=5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("command", "flag"),
    [
        *(("extract", flag) for flag in ("--timeout", "--max-bytes", "--join-pages")),
        *(("serve", flag) for flag in ("--seconds", "--max-body", "--max-requests", "--workers", "--timeout")),
        *((command, flag) for command in ("serve", "mcp --http") for flag in ("--head-seconds", "--body-seconds")),
        *((command, flag) for command in ("serve", "mcp --http") for flag in ("--max-connections", "--grace-seconds")),
        ("mcp --http", "--max-connections-per-client"),
        ("batch", "--deadline"),
    ],
)
@pytest.mark.parametrize("value", ["-1", "nan", "inf", "1e300", "9" * 30, "1" * 5000])
def test_absurd_numbers_are_usage_errors(
    command: str, flag: str, value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = {"extract": ["https://a.example/"], "batch": [str(tmp_path), "--output", str(tmp_path / "out")]}
    with pytest.raises(SystemExit) as stop:
        main([*command.split(), *places.get(command, []), f"{flag}={value}"])
    assert stop.value.code == 2
    assert flag.strip("-").replace("-", "_") in capsys.readouterr().err.splitlines()[-1].replace("-", "_")


def test_option_errors_are_value_errors_of_ours() -> None:
    assert issubclass(OptionError, ValueError) and issubclass(OptionError, DuramenError)


def test_from_mapping() -> None:
    options = Options.from_mapping({"mode": "recall", "output": {"links": False}, "limits": {"seconds": 1}})
    assert options == Options(mode="recall", output=Output(links=False), limits=Limits(seconds=1))
    with pytest.raises(OptionError, match="did you mean 'links'"):
        Options.from_mapping({"output": {"link": False}})


WRONG_KINDS: list[Any] = [
    math.nan, -1, 2**63, 10**400, "", "x", b"x", "\0", "\ud800", [], [1], {}, {"a": 1}, {1}, (), object(),
    1.5, 1j, float,
]  # fmt: skip


@pytest.mark.parametrize("make", [Options, Output, Limits, FetchOptions])
def test_values_of_the_wrong_kind_are_option_errors_or_do_no_harm(make: type) -> None:
    """Whatever is given for any field: an OptionError when options are made or used, and never another exception."""
    page = "<title>Wood</title><main><p>Heartwood is what remains when the tree has stopped using it.</p></main>"
    refused = 0
    for name in (each.name for each in dataclasses.fields(make)):
        for value in WRONG_KINDS:
            try:
                made = make(**{name: value})
                if make is not FetchOptions:
                    duramen.extract(page, None, made if make is Options else Options(**{make.__name__.lower(): made}))
            except OptionError:
                refused += 1
    assert refused > 10 * len(dataclasses.fields(make)) / 2


NOT_PATHS: list[Any] = [5, b"x", [], "", "a\0b"]
NOT_TEXTS: list[Any] = [math.nan, True, b"x", {}, "", "a\0b"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((name, value) for name in ("cache", "browser_state", "cookies", "auth") for value in NOT_PATHS),
        *((name, value) for name in ("browser", "proxy", "wait_for") for value in NOT_TEXTS),
        *(("cookies", {host: value}) for host, value in (("a", 1), (1, {"a": "b"}), ("", {"a": "b"}), ("a", {"b": 1}))),
        ("cookies", {"a": {"b": "c\r\nX-Other: d"}}),
        *(("auth", {host: value}) for host, value in (("a", (1, 2)), ("a", ("b", None)), (1, ("a", "b")), ("a", 1))),
        ("auth", {"a": ("b\r\n", "c")}),
    ],
)
def test_what_a_session_sends_and_opens_is_checked(name: str, value: Any) -> None:
    with pytest.raises(OptionError, match=name):
        FetchOptions(**{name: value})


def test_long_values_make_no_long_messages() -> None:
    page = "<p>Oak is hard.</p>"
    long = "a" * 100_000
    given: list[dict[str, Any]] = [{"mode": long}, {"encoding": long}, {"rules": long}, {"rules": "a\0"}]
    for values in given:
        with pytest.raises(OptionError) as error:
            extract(page, None, Options(**values))
        assert len(str(error.value)) < 400


def test_switches_are_true_or_false() -> None:
    with pytest.raises(OptionError, match=r"^Output\.links must be True or False, not \[\]$"):
        Output(links=[])  # type: ignore[arg-type]


def test_every_label_of_the_standard_names_an_encoding_and_nothing_else_does() -> None:
    for label in LABELS:
        assert Options(encoding=label).encoding == label
    assert Options(encoding="cp500").encoding == "cp500", "a text codec of Python"
    # The last is a codec of Python, but not for text.
    for name in ("x-nonsense", "nonsense", "", "hex"):
        with pytest.raises(OptionError, match="is unknown; leave it out"):
            Options(encoding=name)


def test_a_label_that_python_does_not_know_is_used() -> None:
    page = "<p>한국어 문장입니다.".encode("cp949")
    assert extract(page, options=Options(encoding="windows-949")).encoding.name == "euc-kr"
