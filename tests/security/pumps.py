"""Strings that a regular expression may choke on, made from the expression itself."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

__all__ = ["Pump", "pumps"]

_SINGLE = (ops.LITERAL, ops.NOT_LITERAL, ops.ANY, ops.IN)
_REPEATS = (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT)
_LETTERS = " a1-./_=:;,<>\"'\n\t#*|A&({[\\$»–¶心é\u200b\xa0" + string.printable
_MANY = 20
"""A repeat of fewer can do no harm."""
_TRIED = 12
"""Letters that are tried of those that a repeat takes."""


class Pump(NamedTuple):
    before: str
    """What leads up to a repeat."""
    unit: str
    """What the repeat takes."""


def pumps(pattern: re.Pattern[Any]) -> list[Pump]:
    """For each repeat of a pattern, what leads up to it and what it takes."""
    source, flags = pattern.pattern, pattern.flags
    if isinstance(source, bytes):
        source = source.decode("latin-1")
    return list(dict.fromkeys(_pumps(list(parser.parse(source, flags)), "")))


def _pumps(items: list[Any], before: str) -> Iterator[Pump]:
    for op, value in items:
        if op in _REPEATS:
            least, most, body = value
            if most > _MANY:
                yield from (Pump(before, unit) for unit in _units(list(body)) if unit)
            yield from _pumps(list(body), before)
            before += _sample(list(body)) * max(1, min(least, 60))
            continue
        for part in _parts(op, value):
            yield from _pumps(part, before)
        before += _sample([(op, value)])


def _units(body: list[Any]) -> list[str]:
    if len(body) == 1 and body[0][0] in _SINGLE:
        return [letter for letter in _LETTERS if _takes(body[0], letter)][:_TRIED]
    return [_sample(body, letter, choice) for letter in "a1 -" for choice in range(3)]


def _parts(op: Any, value: Any) -> list[list[Any]]:
    """What is inside of a group, a choice or a look around."""
    if op is ops.SUBPATTERN:
        return [list(value[3])]
    if op is ops.ATOMIC_GROUP:
        return [list(value)]
    if op is ops.BRANCH:
        return [list(branch) for branch in value[1]]
    if op in (ops.ASSERT, ops.ASSERT_NOT):
        return [list(value[1])]
    return []


def _sample(items: list[Any], letter: str = "a", choice: int = 0) -> str:
    """A short string that the items take: with this letter where they take it, and this one of several choices."""
    made = ""
    for op, value in items:
        if op is ops.LITERAL:
            made += chr(value)
        elif op in _SINGLE:
            made += next((one for one in letter + "a1 -" + _LETTERS if _takes((op, value), one)), "a")
        elif op in _REPEATS:
            made += _sample(list(value[2]), letter, choice) * min(value[0], 60)
        elif op not in (ops.ASSERT, ops.ASSERT_NOT) and (parts := _parts(op, value)):
            made += _sample(parts[choice % len(parts)], letter, choice)
    return made


def _takes(item: tuple[Any, Any], letter: str) -> bool:
    op, value = item
    if op is ops.ANY:
        return letter != "\n"
    if op is not ops.IN:
        return (value == ord(letter)) is (op is ops.LITERAL)
    kinds = [kind for kind, _ in value]
    return any(_is_in(kind, part, letter) for kind, part in value) is not (ops.NEGATE in kinds)


def _is_in(kind: Any, part: Any, letter: str) -> bool:
    if kind is ops.LITERAL:
        return bool(part == ord(letter))
    if kind is ops.RANGE:
        return bool(part[0] <= ord(letter) <= part[1])
    if kind is not ops.CATEGORY:
        return False
    name = str(part).removeprefix("CATEGORY_")
    known = {"DIGIT": letter.isdigit(), "SPACE": letter.isspace(), "WORD": letter.isalnum() or letter == "_"}
    return known[name.removeprefix("NOT_")] is not name.startswith("NOT_")
