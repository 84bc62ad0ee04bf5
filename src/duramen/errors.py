"""What can go wrong on the caller's side.

    DuramenError
    ├── InputError     (also TypeError)   extract() was given something that is neither str nor bytes
    ├── OptionError    (also ValueError)  an option has an unknown name or an impossible value
    ├── RuleError      (also ValueError)  a rule file cannot be used: names the file, the row and what to write
    ├── BatchError                        a batch run cannot begin or go on: names the file and what to do
    └── MissingExtra   (also ImportError) a part of Duramen is not installed: says what to install

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
