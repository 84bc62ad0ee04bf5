"""The exceptions::

    DuramenError
    ├── InputError     (also TypeError)   the input of extract() is neither str nor bytes
    ├── OptionError    (also ValueError)  an option has an unknown name or an invalid value
    ├── RuleError      (also ValueError)  a rule file cannot be used: names the file, the row and what to write
    ├── BatchError                        a batch run cannot start or continue: names the file and what to do
    ├── MissingExtra   (also ImportError) an optional dependency is missing: names the extra to install
    └── FetchError                        a page could not be fetched; has ``url``, ``what`` and ``advice``
        ├── BadUrl                the URL, or the target of a redirect, is not that of a page
        ├── PrivateAddress        the host is in a private network
        ├── RobotsDenied          the site's robots.txt disallows it
        ├── ConnectionFailed      the connection failed or was closed early
        │   └── HostUnreachable       no such host, or it does not accept connections
        ├── Timeout               the deadline passed
        ├── TooSoon               the host's next turn is further away than allowed; has ``retry_after``
        ├── TooLarge              more bytes than allowed, compressed or not
        ├── TooManyRedirects      too many redirects, or a loop
        ├── UnsupportedContent    an image, an archive: nothing to read
        └── HttpStatus            the server returned an error; has ``status``, ``retry_after``
            └── Blocked               it refuses automated access: 403, 429, 451, or a bot challenge

Page content never raises: a poor, empty or hostile page is a verdict in ``Result.quality``.
"""

from __future__ import annotations


class DuramenError(Exception):
    """Base of every exception Duramen raises on purpose."""


class InputError(DuramenError, TypeError):
    """The input has a type that cannot be a page."""


class OptionError(DuramenError, ValueError):
    """An option has an unknown name or a value outside its range."""


class RuleError(DuramenError, ValueError):
    """A rule file or row is not usable."""


class BatchError(DuramenError):
    """A batch run cannot start or continue. Finished pages are kept, and the same command resumes the run."""


class MissingExtra(DuramenError, ImportError):
    """An optional dependency is not installed; the message names the extra to install."""

    def __init__(self, extra: str, what: str) -> None:
        super().__init__(extra, what)
        self.extra, self.what = extra, what

    def __str__(self) -> str:
        return f"{self.what} needs more packages; install them: pip install 'duramen[{self.extra}]'"


class FetchError(DuramenError):
    """A page could not be fetched."""

    def __init__(self, url: str, what: str, advice: str) -> None:
        super().__init__(url, what, advice)
        self.url, self.what, self.advice = url, what, advice

    def __str__(self) -> str:
        return f"{self.url}: {self.what}; {self.advice}"


class BadUrl(FetchError):
    """Not the URL of a page."""


class PrivateAddress(FetchError):
    """The host, or an address that it resolves to, is not on the public internet."""


class RobotsDenied(FetchError):
    """The site's robots.txt disallows the page, or exists but could not be read."""


class ConnectionFailed(FetchError):
    """The connection failed, or the response is incomplete."""


class HostUnreachable(ConnectionFailed):
    """The host does not exist, or does not accept connections."""


class Timeout(FetchError):
    """The time limit was exceeded; it includes DNS lookup, robots.txt, redirects, retries and the page itself."""


class TooSoon(FetchError):
    """The rate limits of the host ask for a longer wait than ``FetchOptions.max_wait`` allows."""

    def __init__(self, url: str, what: str, advice: str, retry_after: float = 0.0) -> None:
        super().__init__(url, what, advice)
        self.retry_after = retry_after
        self.args = (url, what, advice, retry_after)


class TooLarge(FetchError):
    """More bytes than allowed, as sent or after decompression."""


class TooManyRedirects(FetchError):
    """More redirects than allowed, or a redirect loop."""


class UnsupportedContent(FetchError):
    """The response is not a page."""


class HttpStatus(FetchError):
    """The server returned an error status."""

    def __init__(self, url: str, what: str, advice: str, status: int = 0, retry_after: float | None = None) -> None:
        super().__init__(url, what, advice)
        self.status, self.retry_after = status, retry_after
        self.args = (url, what, advice, status, retry_after)


class Blocked(HttpStatus):
    """The server refuses automated access, at least for now."""
