"""The options of extraction and fetching: frozen dataclasses, a few fields per stage."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import wraps
from os import PathLike
from typing import Any, Literal, ParamSpec, TypeVar, get_args

from duramen.errors import OptionError
from duramen.field_docs import FieldDocs
from duramen.option_checks import as_paths, check_fields, check_hosts, check_kinds, check_switches, check_word, shown

Mode = Literal["precision", "balanced", "recall"]
Rendering = Literal["auto", "never", "always"]
Strategy = Literal["auto", "density", "readability", "stopwords", "boilerpipe", "mce"]
Tables = Literal["html", "lists"]
Formulas = Literal["dollars", "brackets", "backticks"]

MOST_BYTES = 1_000_000_000
MOST_SECONDS = 86_400
"""A day."""
_LIMITS = {
    "max_bytes": (1, MOST_BYTES),
    "max_nodes": (1, 10_000_000),
    "max_depth": (1, 10_000),
    "seconds": (1e-9, MOST_SECONDS),
}
_FETCH_OPTIONS = {
    "timeout": (0.001, MOST_SECONDS),
    "max_bytes": (1, MOST_BYTES),
    "max_redirects": (0, 100),
    "retries": (0, 100),
    "concurrency": (1, 1_000),
    "delay": (0, MOST_SECONDS),
    "max_wait": (0, MOST_SECONDS),
    "scroll": (0, 1_000),
    "join_pages": (0, 1_000),
}
_FETCH_KINDS: dict[str, tuple[str, tuple[type, ...]]] = {
    **dict.fromkeys(("cache", "browser_state"), ("a path", (str, os.PathLike))),
    **dict.fromkeys(("browser", "proxy", "wait_for"), ("a text", (str,))),
    **dict.fromkeys(("cookies", "auth"), ("a path, or a mapping of hosts", (str, os.PathLike, Mapping))),
}
_OWN_HEADERS = {
    "authorization": "use auth, which sends it to its host only",
    "cookie": "use cookies, which sends them to their host only",
    "user-agent": "use user_agent",
    **dict.fromkeys(
        ("host", "connection", "content-length", "transfer-encoding", "accept-encoding", "upgrade", "te"),
        "the client sets it",
    ),
}

_T = TypeVar("_T")
_P = ParamSpec("_P")


def _by_name(cls: type[_T]) -> type[_T]:
    """Wrap a dataclass's constructor so that the error for a wrong call says what to write."""
    init: Callable[..., None] = cls.__init__
    first, *_ = known = {f.name: f.default for f in fields(cls)}  # type: ignore[arg-type]

    @wraps(init)
    def checked(self: object, *values: object, **options: Any) -> None:
        if values:
            value = values[0] if isinstance(values[0], type(known[first])) else known[first]
            example = f"{cls.__name__}({first}={shown(value)})"
            raise OptionError(f"{cls.__name__} takes its options by name; write {example}")
        for name in options.keys() - known.keys():
            raise OptionError(f"{cls.__name__} has no option {name!r}; {_advice(name, options[name], tuple(known))}")
        init(self, **options)

    cls.__init__ = checked  # type: ignore[method-assign]
    cls.__doc__ = FieldDocs(cls.__doc__)  # type: ignore[assignment]
    return cls


def takes_options(call: str) -> Callable[[Callable[_P, _T]], Callable[_P, _T]]:
    """Wrap a function so that the error for an option that it was given by itself says where it belongs.

    ``call`` is how the function is called, with a place for what is missing: ``extract(html, {})``.
    """

    def decorate(function: Callable[_P, _T]) -> Callable[_P, _T]:
        code = getattr(function, "__wrapped__", function).__code__
        known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]

        @wraps(function)
        def checked(*args: _P.args, **named: _P.kwargs) -> _T:
            for name in named.keys() - set(known):
                place = call.partition("(")[0] if function.__name__ == "__init__" else function.__name__
                raise OptionError(f"{place}() has no argument {name!r}; {_advice(name, named[name], known, call)}")
            return function(*args, **named)

        return checked

    return decorate


def _advice(name: str, value: object, known: tuple[str, ...], call: str = "") -> str:
    """What to write instead of a name that is unknown in one place."""
    from difflib import get_close_matches

    homes = {
        "Options({})": Options,
        "Options(output=Output({}))": Output,
        "Options(limits=Limits({}))": Limits,
        "FetchOptions({})": FetchOptions,
    }
    if call.startswith(("Session", "AsyncSession")):
        homes = dict(reversed(homes.items()))
    # Other extractors call the options of the output include_links and so on.
    for word, close in ((name, 0.999), (name.removeprefix("include_"), 0.999), (name, 0.6)):
        if near := get_close_matches(word, known, 1, close):
            return f"did you mean {near[0]!r}?"
        for written, cls in homes.items():
            if near := get_close_matches(word, [f.name for f in fields(cls)], 1, close):
                written = written.format(f"{near[0]}={shown(value)}")
                if cls is FetchOptions:
                    return f"write {'Async' if call.startswith('Async') else ''}Session(fetch={written})"
                return f"write {call.format(f'options={written}')}" if call else f"write {written}"
    available = f"available: {', '.join(one for one in known if one != 'self')}"
    return f"{available}; help(duramen.Options) lists the options" if call else available


def _is_encoding(name: object) -> bool:
    from duramen.encodings import encoding_named

    return isinstance(name, str) and encoding_named(name) is not None


@_by_name
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
    title_heading: bool = False
    """Start the Markdown with the page's title as a heading of the first level."""
    post_headings: bool = False
    """Write the Markdown of a forum as its posts, each below a heading with its author and date."""
    captions: bool = False
    """Keep captions in the text, too; by default it leaves them out with their images. HTML and Markdown have them."""
    strip_tracking: bool = False
    """Take parameters off the addresses of links that only follow the reader, such as ``utm_source``."""
    step_headings: bool = False
    """Write the headings of the Markdown without jumps: none is more than one level below the one before."""
    reference_links: bool = False
    """Write the links of the Markdown as ``[text][1]``, and their addresses at its end."""
    tables: Tables = "html"
    """How the Markdown has tables whose cells hold more than a line: as HTML, or as lists of names and values."""
    formulas: Formulas = "dollars"
    r"""How the Markdown has formulas: ``$x$``, ``\\(x\\)``, or ``$`x`$`` (GitHub, GitLab)."""

    def __post_init__(self) -> None:
        check_word("tables", self.tables, get_args(Tables))
        check_word("formulas", self.formulas, get_args(Formulas))
        check_switches(self)


@_by_name
@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits on one page. ``Result.trace.limits`` reports what a limit cut off."""

    max_bytes: int = 16_000_000
    """Input is cut off after this many bytes (or characters). At most 1,000,000,000."""
    max_nodes: int = 400_000
    """Maximum of elements and text nodes; the rest is left out. A small page has a lower limit: 30,000, plus one for
    every 40 characters. At most 10,000,000."""
    max_depth: int = 200
    """Maximum nesting. Deeper elements are unwrapped: their text is kept, their tags are not. At most 10,000."""
    seconds: float = 10.0
    """CPU time for a page. It limits how much is read (4 MB and 50,000 nodes per second). If reading takes more than
    half of it, the learned judge is skipped; if too little is left for the full output, only headings and paragraphs
    are written. At most 86,400."""

    def __post_init__(self) -> None:
        check_fields(self, _LIMITS)


@_by_name
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
    >>> Options("recall")
    Traceback (most recent call last):
    duramen.errors.OptionError: Options takes its options by name; write Options(mode='recall')
    """

    mode: Mode = "balanced"
    """``precision`` drops doubtful blocks, ``recall`` keeps them, ``balanced`` keeps the likely ones."""
    strategy: Strategy = "auto"
    """``auto`` weighs all methods with a learned judge. The others run one published algorithm alone, for comparison:
    ``density`` (text and links per element), ``readability`` (paragraphs score for their containers, as in Firefox's
    reader view), ``stopwords`` (paragraphs score by function words, as in Goose and Newspaper), ``boilerpipe`` (words
    and links of neighbouring blocks), ``mce`` (the element with the most children that hold text)."""
    include_comments: bool = False
    """Keep readers' comments below an article. On forums, posts are the content and are always kept."""
    visible_only: bool = False
    """Leave out text that readers do not see: hidden by styles or attributes, in alternative texts and tooltips,
    characters without width. Always on in the MCP server."""
    encoding: str | None = None
    """The character encoding of the input bytes; detected if not set."""
    rules: tuple[str, ...] = ()
    """Folders of site rules, which take precedence over the shipped ones."""
    filter_lists: tuple[str, ...] = ()
    """Files in EasyList syntax whose element-hiding rules are applied; ``debian`` is the packaged EasyList."""
    output: Output = field(default_factory=Output)
    """How the content is written."""
    limits: Limits = field(default_factory=Limits)
    """What one page may cost."""

    def __post_init__(self) -> None:
        check_switches(self)
        check_word("mode", self.mode, get_args(Mode))
        check_word("strategy", self.strategy, get_args(Strategy))
        if self.encoding is not None and not _is_encoding(self.encoding):
            raise OptionError(f"encoding {shown(self.encoding)} is unknown; leave it out for detection, or use 'utf-8'")
        for name in ("rules", "filter_lists"):
            object.__setattr__(self, name, as_paths(name, getattr(self, name)))
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
        if not isinstance(values, Mapping):
            raise OptionError(f"options must be a mapping of names to values, not {shown(values)}")
        nested: dict[str, Callable[..., object]] = {"output": Output, "limits": Limits}
        made: dict[str, Any] = {
            name: nested[name](**value) if name in nested and isinstance(value, Mapping) else value
            for name, value in values.items()
        }
        return cls(**made)


@_by_name
@dataclass(frozen=True, slots=True, kw_only=True)
class FetchOptions:
    """How a :class:`duramen.Session` fetches pages.

    >>> FetchOptions(timeout=5).timeout
    5
    >>> FetchOptions(render="sometimes")
    Traceback (most recent call last):
    duramen.errors.OptionError: render must be one of 'auto', 'never', 'always', not 'sometimes'
    """

    user_agent: str = "Duramen/0.1.0"
    """The User-Agent header. Its product token (the first word, up to the slash) is matched against robots.txt."""
    timeout: float = 30.0
    """Seconds for one page: DNS lookup, robots.txt, redirects, retries, download and rendering together."""
    max_bytes: int = 16_000_000
    """Maximum size of a page, as sent and after decompression."""
    max_redirects: int = 10
    """How many redirects are followed for one page."""
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
    max_wait: float | None = None
    """Seconds a page may wait for its host's turn or its ``Retry-After``; a longer wait raises
    :class:`duramen.errors.TooSoon`. By default there is no limit; in the MCP server it is 5."""
    cache: str | PathLike[str] | None = None
    """A folder for the HTTP cache; cached pages are revalidated and downloaded again only if they changed."""
    render: Rendering = "auto"
    """``auto`` opens a browser for pages that need JavaScript."""
    browser: str | None = None
    """``chromium``, ``firefox``, ``webkit``, or the path of an executable; by default the first one found."""
    browser_state: str | PathLike[str] | None = None
    """A file with a login, saved with Playwright's ``storage_state``; its cookies are also used without the browser."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Header fields for every request to every site, such as ``{"Accept-Language": "de"}``."""
    cookies: str | PathLike[str] | Mapping[str, Mapping[str, str]] | None = field(default=None, repr=False)
    """A Netscape cookie file, or cookies by host, ``{"wood.example": {"session": "…"}}``; ``.wood.example`` includes
    subdomains."""
    auth: str | PathLike[str] | Mapping[str, tuple[str, str]] | None = field(default=None, repr=False)
    """For basic authentication: a netrc file, or user name and password by host, ``{"wood.example": ("me", "…")}``."""
    proxy: str | None = field(default=None, repr=False)
    """``http://…`` or ``socks5://…``, with user and password if needed. Names are still resolved and checked here, and
    the proxy is given the address."""
    wait_for: str | None = None
    """A CSS selector: the browser waits until an element matches, within the time limit."""
    scroll: int = 12
    """Screens that the browser scrolls through, and how often it loads more of a list; 0 is none."""
    join_pages: int = 0
    """Maximum of further pages of an article to append to the first."""

    def __post_init__(self) -> None:
        check_word("render", self.render, get_args(Rendering))
        check_fields(self, _FETCH_OPTIONS)
        check_switches(self)
        check_kinds(self, _FETCH_KINDS)
        if not isinstance(self.headers, Mapping):
            raise OptionError(f"headers must be a mapping of names to values, not {shown(self.headers)}")
        for name, value in self.headers.items():
            if not (isinstance(name, str) and isinstance(value, str)):
                raise OptionError(f"headers: the name and the value must be texts, not {shown((name, value))}")
            if not re.fullmatch(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+", name) or not re.fullmatch(r"[ -~\t]*", value):
                raise OptionError(f"headers: {name!r} is not the name of a header field, or its value is not ASCII")
            if name.lower() in _OWN_HEADERS:
                raise OptionError(f"headers may not contain {name}; {_OWN_HEADERS[name.lower()]}")
        for name in ("cookies", "auth"):
            check_hosts(name, getattr(self, name))
        if isinstance(self.auth, Mapping):
            pairs = {host: tuple(pair) for host, pair in self.auth.items() if isinstance(pair, (tuple, list))}
            if len(pairs) < len(self.auth) or any(len(pair) != 2 for pair in pairs.values()):
                raise OptionError("auth must have a user name and a password for each host: {'host': ('me', '…')}")
            object.__setattr__(self, "auth", pairs)
        if not isinstance(self.user_agent, str) or not re.fullmatch(r"[A-Za-z_-]++[ -~]*+", self.user_agent):
            raise OptionError(
                f"user_agent must begin with a name and contain only ASCII characters, not {shown(self.user_agent)};"
                " for example 'MyBot/1.0 (+https://example.org/bot)'"
            )
