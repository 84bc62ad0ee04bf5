"""Regular expressions that are compiled when they are first used: of some two hundred, most pages need a third."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

_MEMBERS = "match fullmatch search sub subn split findall finditer pattern flags groups groupindex".split()


def lazy_pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What ``re.compile`` gives, for names of modules; to import a module then costs nothing for its patterns.

    >>> lazy_pattern("[a-z]+", re.I).findall("Oak, elm")
    ['Oak', 'elm']
    """
    return cast("re.Pattern[AnyStr]", LazyPattern(text, flags))


class LazyPattern:
    """A regular expression that is not compiled yet, or its members once it is."""

    def __init__(self, text: Any, flags: int) -> None:
        self.made_of = text, flags

    def __getattr__(self, name: str) -> Any:
        # Only called for a missing attribute. Once compiled, all are there: later use costs no more than before.
        compiled = re.compile(*self.made_of)
        for member in _MEMBERS:
            setattr(self, member, getattr(compiled, member))
        return getattr(compiled, name)
