"""What can go wrong on the caller's side.

    DuramenError
    ├── InputError     (also TypeError)   extract() was given something that is neither str nor bytes
    ├── OptionError    (also ValueError)  an option has an unknown name or an impossible value
    └── RuleError      (also ValueError)  a rule file cannot be used: names the file, the row and what to write

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
