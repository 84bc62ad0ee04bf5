"""What a caller may choose: one frozen object, a few fields per stage."""

from __future__ import annotations

import codecs
import difflib
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


def _explains_unknown_names(cls: type[_T]) -> type[_T]:
    """Wrap a dataclass's constructor so that a misspelt field is answered with the right one."""
    init: Callable[..., None] = cls.__init__
    known = tuple(f.name for f in fields(cls))  # type: ignore[arg-type]

    def checked(self: object, **values: Any) -> None:
        for name in values:
            if name not in known:
                near = difflib.get_close_matches(name, known, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
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
        # Names that only the web uses, such as x-mac-cyrillic and x-sjis.
        return isinstance(name, str) and name.lower().startswith("x-")
    return isinstance(name, str)


def _paths(name: str, value: object) -> tuple[str, ...]:
    """Paths as the options hold them: a tuple of text, which can be compared and sent to another process."""
    single = isinstance(value, (str, os.PathLike))
    parts = (value,) if single else tuple(value) if isinstance(value, (list, tuple)) else (None,)
    if not all(isinstance(part, (str, os.PathLike)) and str(part) for part in parts):
        raise OptionError(f"{name} must be paths, not {value!r}; write {name}=('path/to/it',)")
    return tuple(map(str, parts))


@_explains_unknown_names
@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """How the content is written; never which content is chosen."""

    keep_classes: bool = False
    """Keep ``class`` and ``id`` attributes in the HTML."""
    nofollow: bool = False
    """Add ``rel="nofollow"`` to every link."""
    links: bool = True
    """Keep links; without them their text stays."""
    images: bool = True
    """Keep images."""
    front_matter: bool = False
    """Begin the Markdown with the metadata as YAML."""


@_explains_unknown_names
@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Budgets of one page. What a limit cuts off is said in ``Result.trace.limits``."""

    max_bytes: int = 16_000_000
    """Input beyond this many bytes (or characters) is cut off."""
    max_nodes: int = 400_000
    """Elements and text nodes beyond this many are left out; fewer on a small page: 30,000, and one more for every 40
    characters."""
    max_depth: int = 200
    """Deeper elements are unwrapped: their text stays, their tags do not."""
    seconds: float = 10.0
    """CPU time a page may take. It bounds how much is read (4 MB and 50,000 nodes a second). When reading has used up
    half of it, the learned judge is left out; when too little is left for the full form, only headings and paragraphs
    are written."""

    def __post_init__(self) -> None:
        for f in fields(self):
            value = getattr(self, f.name)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
                raise OptionError(f"Limits.{f.name} must be a number above 0, not {value!r}")


@_explains_unknown_names
@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Everything :func:`duramen.extract` can be told.

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
    """Lean towards leaving rubbish out, or towards keeping everything that may be content."""
    strategy: Strategy = "auto"
    """``auto`` uses everything Duramen knows; the others run one algorithm alone, for comparison."""
    include_comments: bool = False
    """Keep readers' comments under an article. On forums they are the content and always kept."""
    visible_only: bool = False
    """Leave out text that styles or attributes hide from readers; servers for agents always do."""
    encoding: str | None = None
    """The encoding of the bytes, if the caller knows it better than the page does."""
    rules: tuple[str, ...] = ()
    """Folders of site rules that go before the shipped ones."""
    filter_lists: tuple[str, ...] = ()
    """Files in EasyList syntax whose element-hiding rules are applied; ``debian`` is the packaged EasyList."""
    output: Output = field(default_factory=Output)
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        _check("mode", self.mode, get_args(Mode))
        _check("strategy", self.strategy, get_args(Strategy))
        if self.encoding is not None and not _is_encoding(self.encoding):
            raise OptionError(
                f"encoding {self.encoding!r} is not known; leave it out to have it detected, or write 'utf-8'"
            )
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


@_explains_unknown_names
@dataclass(frozen=True, slots=True, kw_only=True)
class FetchOptions:
    """How a :class:`duramen.Session` gets its pages.

    >>> FetchOptions(timeout=5).timeout
    5
    >>> FetchOptions(render="sometimes")
    Traceback (most recent call last):
    duramen.errors.OptionError: render must be one of 'auto', 'never', 'always', not 'sometimes'
    """

    user_agent: str = "Duramen/0.1"
    """Its first word, up to the slash, is the name that robots.txt is asked about."""
    timeout: float = 30.0
    """Seconds for one page: name lookup, robots.txt, redirects, retries, download and rendering together."""
    max_bytes: int = 16_000_000
    """The most a page may have, as sent and after unpacking."""
    max_redirects: int = 10
    retries: int = 2
    """How often a request that failed for the moment is made again."""
    allow_private: bool = False
    """Let addresses of private networks and of this machine be read. Never for URLs that a stranger chose."""
    robots: bool = True
    """Obey robots.txt."""
    concurrency: int = 8
    """Requests under way at once; to one host never more than one."""
    delay: float = 1.0
    """Seconds between two pages of one host; a longer crawl-delay in robots.txt counts, up to 30 seconds."""
    cache: str | PathLike[str] | None = None
    """A folder for pages fetched before; they are then asked for only if they changed."""
    render: Rendering = "auto"
    """``auto`` opens a browser for pages that need JavaScript."""
    browser: str | None = None
    """``chromium``, ``firefox``, ``webkit``, or the path of an executable; otherwise the first that is found."""
    join_pages: int = 0
    """How many further pages of an article that is spread over several are added to the first."""

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
                f"user_agent must begin with a name and hold plain characters only, not {self.user_agent!r};"
                " write 'MyBot/1.0 (+https://example.org/bot)'"
            )
