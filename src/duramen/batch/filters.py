"""Rules that keep or drop rows by the values of their columns.

A rule is ``COLUMN=VALUE,VALUE``, ``COLUMN>=NUMBER`` or ``COLUMN<=NUMBER``. A page is dropped by the first rule that it
does not meet; the rule itself is the reason. A missing value meets no rule: such a page is dropped by a rule that
keeps, and stays under one that drops.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, get_args

from duramen.batch.schema import COLUMNS, timestamp
from duramen.errors import OptionError
from duramen.model import PageType, VerdictName

_RULE = re.compile(r"\s*(\w+)\s*(>=|<=|=)\s*(.*?)\s*", re.DOTALL)
_VALUES: dict[str, tuple[str, ...]] = {"verdict": get_args(VerdictName), "page_type": get_args(PageType)}

Test = Callable[[Mapping[str, Any]], bool]


def filters_of(keep: tuple[str, ...], drop: tuple[str, ...]) -> list[tuple[str, Test]]:
    """The rules as pairs: the reason for dropping a row, and whether the row stays."""
    kept = [(f"not {text.strip()}", parse_rule(text)) for text in keep]
    dropped = [(text.strip(), _negated(parse_rule(text))) for text in drop]
    return kept + dropped


def reason_to_drop(row: Mapping[str, Any], filters: list[tuple[str, Test]]) -> str:
    """The first rule that drops the row; empty if none does.

    >>> reason_to_drop({"language": "en-GB", "length": 80}, filters_of(("language=en,de", "length>=100"), ()))
    'not length>=100'
    """
    return next((reason for reason, stays in filters if not stays(row)), "")


def _negated(test: Test) -> Test:
    return lambda row: not test(row)


def parse_rule(text: str) -> Test:
    match = _RULE.fullmatch(text)
    if match is None or not match[3]:
        raise OptionError(f"{text!r} is not a rule; write COLUMN=VALUE,VALUE or COLUMN>=NUMBER or COLUMN<=NUMBER")
    name, sign, value = match.groups()
    kind = COLUMNS[name].kind if name in COLUMNS else ""
    if not kind or kind == "strings":
        known = ", ".join(name for name, column in COLUMNS.items() if column.kind != "strings")
        raise OptionError(f"{text!r}: there is no such column to compare; name one of {known}")
    if sign == "=":
        return _equals(name, kind, tuple(part.strip() for part in value.split(",")), text)
    bound = _order(_number(kind, value, text))
    if sign == ">=":
        return lambda row: row.get(name) is not None and _order(row[name]) >= bound
    return lambda row: row.get(name) is not None and _order(row[name]) <= bound


def _order(value: Any) -> Any:
    """Times are text: without the zone, which is always UTC, one with a fraction of a second is behind its second."""
    return value.removesuffix("Z") if isinstance(value, str) else value


def _equals(name: str, kind: str, values: tuple[str, ...], text: str) -> Test:
    if name in _VALUES and (unknown := [value for value in values if value not in _VALUES[name]]):
        raise OptionError(f"{text!r}: {name} is one of {', '.join(_VALUES[name])}, not {unknown[0]!r}")
    if name == "language":
        # A language includes its regional forms: en is also en-GB.
        wanted = tuple(value.lower() for value in values)
        return lambda row: any(
            (row.get(name) or "").lower() == value or (row.get(name) or "").lower().startswith(f"{value}-")
            for value in wanted
        )
    if kind == "string":
        return lambda row: row.get(name) in values
    numbers = [_number(kind, value, text) for value in values]
    return lambda row: row.get(name) in numbers


def _number(kind: str, value: str, text: str) -> Any:
    if kind == "timestamp":
        if moment := timestamp(value):
            return moment
        raise OptionError(f"{text!r}: {value!r} is not a date such as 2026-01-31")
    if kind == "string":
        raise OptionError(f"{text!r}: only numbers and dates can be compared with >= and <=")
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if math.isnan(number):
        raise OptionError(f"{text!r}: {value!r} is not a number")
    return number
