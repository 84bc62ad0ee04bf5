"""What can go wrong on the caller's side, and on the way to a page::

    DuramenError
    ├── InputError     (also TypeError)   extract() was given something that is neither str nor bytes
    ├── OptionError    (also ValueError)  an option has an unknown name or an impossible value
    ├── RuleError      (also ValueError)  a rule file cannot be used: names the file, the row and what to write
    ├── BatchError                        a batch run cannot begin or go on: names the file and what to do
    ├── MissingExtra   (also ImportError) a part of Duramen is not installed: says what to install
    └── FetchError                        a page could not be had; with ``url``, ``what`` happened, and ``advice``
        ├── BadUrl                what was given, or a redirect, is no address of a page
        ├── PrivateAddress        the address belongs to a private network
        ├── RobotsDenied          the site's robots.txt does not allow it
        ├── ConnectionFailed      the connection or the answer broke off
        │   └── HostUnreachable       no such host, or nothing answers there
        ├── Timeout               the deadline passed
        ├── TooLarge              more bytes than allowed, as sent or unpacked
        ├── TooManyRedirects      redirects without end
        ├── UnsupportedContent    a PDF, an image, data: not a page
        └── HttpStatus            the server answered with an error; ``status``, ``retry_after``
            └── Blocked               it does not want to be read: 403, 429, 451, or a check for robots

Page content never raises: a poor, empty or hostile page is a verdict in ``Result.quality``.
"""

from __future__ import annotations


class DuramenError(Exception):
    """Base of every exception Duramen raises on purpose."""


class InputError(DuramenError, TypeError):
    """The input is not something a page can be read from."""


class OptionError(DuramenError, ValueError):
    """An option has an unknown name or a value outside its range."""


class RuleError(DuramenError, ValueError):
    """A rule file or row is not usable."""


class BatchError(DuramenError):
    """A batch run cannot begin or go on. What was written stays, and the same command goes on from there."""


class MissingExtra(DuramenError, ImportError):
    """A part of Duramen that is installed separately is not there."""

    def __init__(self, extra: str, what: str) -> None:
        super().__init__(extra, what)
        self.extra, self.what = extra, what

    def __str__(self) -> str:
        return f"{self.what} needs more packages; install them: pip install 'duramen[{self.extra}]'"


class FetchError(DuramenError):
    """A page could not be had from the network."""

    def __init__(self, url: str, what: str, advice: str) -> None:
        super().__init__(url, what, advice)
        self.url, self.what, self.advice = url, what, advice

    def __str__(self) -> str:
        return f"{self.url}: {self.what}; {self.advice}"


class BadUrl(FetchError):
    """Not the address of a page."""


class PrivateAddress(FetchError):
    """The address, or one that the name resolves to, is not on the public internet."""


class RobotsDenied(FetchError):
    """The site's robots.txt does not allow it, or could not be read although there is one."""


class ConnectionFailed(FetchError):
    """The connection broke off, or what came was no complete answer."""


class HostUnreachable(ConnectionFailed):
    """There is no such host, or no connection to it."""


class Timeout(FetchError):
    """The deadline over name lookup, robots.txt, redirects, retries and the page itself has passed."""


class TooLarge(FetchError):
    """More bytes than allowed, as they were sent or after unpacking."""


class TooManyRedirects(FetchError):
    """The redirects do not end, or go in a circle."""


class UnsupportedContent(FetchError):
    """What the server sent is not a page."""


class HttpStatus(FetchError):
    """The server answered with an error."""

    def __init__(self, url: str, what: str, advice: str, status: int = 0, retry_after: float | None = None) -> None:
        super().__init__(url, what, advice)
        self.status, self.retry_after = status, retry_after
        self.args = (url, what, advice, status, retry_after)


class Blocked(HttpStatus):
    """The server does not want to be read by programs, or not now."""
