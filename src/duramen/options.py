"""The options of extraction and fetching: frozen dataclasses, a few fields per stage."""

from __future__ import annotations

import codecs
import math
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from os import PathLike
from typing import Any, Literal, TypeVar, get_args

from duramen.errors import OptionError

Mode = Literal["precision", "balanced", "recall"]
Rendering = Literal["auto", "never", "always"]
Strategy = Literal["auto", "density", "readability", "stopwords", "boilerpipe", "mce"]

_T = TypeVar("_T")


def _suggest_option_names(cls: type[_T]) -> type[_T]:
    """Wrap a dataclass's constructor so that the error for a misspelt field suggests the right one."""
    init: Callable[..., None] = cls.__init__
    known = tuple(f.name for f in fields(cls))  # type: ignore[arg-type]

    def checked(self: object, **values: Any) -> None:
        for name in values:
            if name not in known:
                from difflib import get_close_matches

                near = get_close_matches(name, known, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"available: {', '.join(known)}"
                raise OptionError(f"{cls.__name__} has no option {name!r}; {hint}")
        init(self, **values)

    cls.__init__ = checked  # type: ignore[method-assign]
    return cls


def _check(name: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise OptionError(f"{name} must be one of {', '.join(map(repr, allowed))}, not {value!r}")


def _is_encoding(name: object) -> bool:
    try:
        codecs.lookup(str(name))
    except (LookupError, ValueError):
        # Labels that only the web uses, such as x-mac-cyrillic and x-sjis.
        return isinstance(name, str) and name.lower().startswith("x-")
    return isinstance(name, str)


def _paths(name: str, value: object) -> tuple[str, ...]:
    """Paths as a tuple of strings, which can be compared and pickled."""
    single = isinstance(value, (str, os.PathLike))
    parts = (value,) if single else tuple(value) if isinstance(value, (list, tuple)) else (None,)
    if not all(isinstance(part, (str, os.PathLike)) and str(part) for part in parts):
        raise OptionError(f"{name} must be paths, not {value!r}; write {name}=('path/to/it',)")
    return tuple(map(str, parts))


@_suggest_option_names
@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """How the content is written; it does not affect which content is chosen."""

    keep_classes: bool = False
    """Keep ``class`` and ``id`` attributes in the HTML."""
    nofollow: bool = False
    """Add ``rel="nofollow"`` to every link."""
    links: bool = True
    """Keep links; otherwise only their text."""
    images: bool = True
    """Keep images."""
    front_matter: bool = False
    """Start the Markdown with the metadata as YAML front matter."""


@_suggest_option_names
@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits on one page. ``Result.trace.limits`` reports what a limit cut off."""

    max_bytes: int = 16_000_000
    """Input is cut off after this many bytes (or characters)."""
    max_nodes: int = 400_000
    """Maximum of elements and text nodes; the rest is left out. A small page has a lower limit: 30,000, plus one for
    every 40 characters."""
    max_depth: int = 200
    """Maximum nesting. Deeper elements are unwrapped: their text is kept, their tags are not."""
    seconds: float = 10.0
    """CPU time for a page. It limits how much is read (4 MB and 50,000 nodes per second). If reading takes more than
    half of it, the learned judge is skipped; if too little is left for the full output, only headings and paragraphs
    are written."""

    def __post_init__(self) -> None:
        for f in fields(self):
            value = getattr(self, f.name)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
                raise OptionError(f"Limits.{f.name} must be a number above 0, not {value!r}")


@_suggest_option_names
@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of :func:`duramen.extract`.

    >>> Options(mode="recall").mode
    'recall'
    >>> Options(mode="reckless")
    Traceback (most recent call last):
    duramen.errors.OptionError: mode must be one of 'precision', 'balanced', 'recall', not 'reckless'
    >>> Options(mod="recall")
    Traceback (most recent call last):
    duramen.errors.OptionError: Options has no option 'mod'; did you mean 'mode'?
    """

    mode: Mode = "balanced"
    """Prefer precision (drop doubtful blocks), recall (keep doubtful blocks), or a balance."""
    strategy: Strategy = "auto"
    """``auto`` uses all methods; the others run a single algorithm, for comparison."""
    include_comments: bool = False
    """Keep readers' comments below an article. On forums, posts are the content and are always kept."""
    visible_only: bool = False
    """Leave out text that styles or attributes hide from readers; always on in the MCP server."""
    encoding: str | None = None
    """The character encoding of the input bytes; detected if not set."""
    rules: tuple[str, ...] = ()
    """Folders of site rules, which take precedence over the shipped ones."""
    filter_lists: tuple[str, ...] = ()
    """Files in EasyList syntax whose element-hiding rules are applied; ``debian`` is the packaged EasyList."""
    output: Output = field(default_factory=Output)
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        _check("mode", self.mode, get_args(Mode))
        _check("strategy", self.strategy, get_args(Strategy))
        if self.encoding is not None and not _is_encoding(self.encoding):
            raise OptionError(f"encoding {self.encoding!r} is unknown; leave it out for detection, or use 'utf-8'")
        for name in ("rules", "filter_lists"):
            object.__setattr__(self, name, _paths(name, getattr(self, name)))
        if not isinstance(self.output, Output):
            raise OptionError(
                f"output must be an Output, not {type(self.output).__name__}; write Output(nofollow=True)"
            )
        if not isinstance(self.limits, Limits):
            raise OptionError(f"limits must be a Limits, not {type(self.limits).__name__}; write Limits(seconds=2)")

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Options:
        """Build options from plain data, such as a parsed TOML or JSON table.

        >>> Options.from_mapping({"mode": "precision", "output": {"nofollow": True}}).output.nofollow
        True
        """
        nested: dict[str, Callable[..., object]] = {"output": Output, "limits": Limits}
        made: dict[str, Any] = {
            name: nested[name](**value) if name in nested and isinstance(value, Mapping) else value
            for name, value in values.items()
        }
        return cls(**made)


@_suggest_option_names
@dataclass(frozen=True, slots=True, kw_only=True)
class FetchOptions:
    """How a :class:`duramen.Session` fetches pages.

    >>> FetchOptions(timeout=5).timeout
    5
    >>> FetchOptions(render="sometimes")
    Traceback (most recent call last):
    duramen.errors.OptionError: render must be one of 'auto', 'never', 'always', not 'sometimes'
    """

    user_agent: str = "Duramen/0.1"
    """The User-Agent header. Its product token (the first word, up to the slash) is matched against robots.txt."""
    timeout: float = 30.0
    """Seconds for one page: DNS lookup, robots.txt, redirects, retries, download and rendering together."""
    max_bytes: int = 16_000_000
    """Maximum size of a page, as sent and after decompression."""
    max_redirects: int = 10
    retries: int = 2
    """How often a request is retried after a temporary failure."""
    allow_private: bool = False
    """Allow private networks and this machine. Do not use it with URLs from untrusted sources."""
    robots: bool = True
    """Respect robots.txt."""
    concurrency: int = 8
    """Concurrent requests; always at most one per host."""
    delay: float = 1.0
    """Seconds between two pages of one host; a longer crawl-delay in robots.txt is respected, up to 30 seconds."""
    cache: str | PathLike[str] | None = None
    """A folder for the HTTP cache; cached pages are revalidated and downloaded again only if they changed."""
    render: Rendering = "auto"
    """``auto`` opens a browser for pages that need JavaScript."""
    browser: str | None = None
    """``chromium``, ``firefox``, ``webkit``, or the path of an executable; by default the first one found."""
    join_pages: int = 0
    """Maximum of further pages of an article to append to the first."""

    def __post_init__(self) -> None:
        _check("render", self.render, get_args(Rendering))
        for name, least in (
            ("timeout", 0.001),
            ("max_bytes", 1),
            ("concurrency", 1),
            ("delay", 0),
            ("max_redirects", 0),
            ("retries", 0),
            ("join_pages", 0),
        ):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value < math.inf:
                raise OptionError(f"FetchOptions.{name} must be a number of at least {least}, not {value!r}")
        if not re.fullmatch(r"[A-Za-z_-]++[ -~]*+", self.user_agent):
            raise OptionError(
                f"user_agent must begin with a name and contain only ASCII characters, not {self.user_agent!r};"
                " for example 'MyBot/1.0 (+https://example.org/bot)'"
            )
