"""CSS selectors (https://www.w3.org/TR/selectors-4/): all that can be answered from a page's elements.

A selector is read here, once, into steps over sets of elements; the compiled core takes them (``src/native/select.c``).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NoReturn

from duramen.lazy_pattern import lazy_pattern
from duramen.native import core
from duramen.selector_steps import AMONG, ANY_CASE, FROM_END, NEEDED, OF_TYPE, Act, Step


class SelectorSyntaxError(ValueError):
    """A text that is no CSS selector."""


_NESTED = 16
"""Parentheses inside each other."""
_PARTS = 32
"""Compounds of one alternative of ``:has()``."""
_VALUES_IN_ANY_CASE = frozenset(
    "accept accept-charset align alink axis bgcolor charset checked clear codetype color compact declare defer dir"
    " direction disabled enctype face frame hreflang http-equiv lang language link media method multiple nohref"
    " noresize noshade nowrap readonly rel rev rules scope scrolling selected shape target text type valign valuetype"
    " vlink".split()
)
"""Attributes whose values are matched in any case: the HTML standard's list."""
_SHORT_FOR = {
    "first-child": ":nth-child(1)",
    "last-child": ":nth-last-child(1)",
    "only-child": ":nth-child(1):nth-last-child(1)",
    "first-of-type": ":nth-of-type(1)",
    "last-of-type": ":nth-last-of-type(1)",
    "only-of-type": ":nth-of-type(1):nth-last-of-type(1)",
    "link": ":is(a,area)[href]",
    "any-link": ":is(a,area)[href]",
    "checked": "input:is([type=checkbox],[type=radio])[checked],option[selected]",
    "default": ":checked",
    "disabled": ":is(button,input,select,textarea,optgroup,option,fieldset)[disabled]",
    "enabled": ":is(button,input,select,textarea,optgroup,option,fieldset):not([disabled])",
    "required": ":is(input,select,textarea)[required]",
    "optional": ":is(input,select,textarea):not([required])",
    "read-write": ":is(input,textarea):not([readonly],[disabled]),[contenteditable]:not([contenteditable=false])",
    "read-only": ":not(:read-write)",
    "open": ":is(details,dialog)[open]",
    "defined": "*",
}
"""Pseudo-classes that other selectors say as well."""
_OF_A_READER = frozenset(
    "active autofill current focus focus-visible focus-within fullscreen future hover in-range indeterminate invalid"
    " modal muted out-of-range past paused picture-in-picture placeholder-shown playing popover-open seeking stalled"
    " target target-within user-invalid user-valid valid visited".split()
)
"""Pseudo-classes that depend on what a reader does with the page: they match nothing."""
_PLAIN = {"root": Act.IS_ROOT, "scope": Act.IS_SCOPE, "empty": Act.IS_EMPTY}
_COMBINATORS = {">": Act.CHILDREN, "+": Act.NEXT, "~": Act.LATER}
_BACK = {Act.BELOW: Act.AROUND, Act.CHILDREN: Act.PARENTS, Act.NEXT: Act.BEFORE, Act.LATER: Act.EARLIER}

_LETTER = r"[^\x00-,./:-@\[-^`{-\x7f]"
"""A letter, digit, hyphen, underscore or any character beyond ASCII; a range of all these compiles slowly."""
_ESCAPE = r"\\(?:[0-9A-Fa-f]{1,6}[ \t\n\f\r]?|[^0-9A-Fa-f]|\Z)"
_SPACE = lazy_pattern(r"(?:[ \t\n\f\r]|/\*.*?\*/)*", re.S)
_NAME_START = lazy_pattern(r"-?[^\x00-@\[\]^`{-\x7f]|--")
_NAME = lazy_pattern(rf"(?:{_LETTER}|{_ESCAPE})*")
_STRINGS = {quote: lazy_pattern(rf"(?:[^\\\n{quote}]|\\\n|{_ESCAPE})*") for quote in "\"'"}
_ESCAPES = lazy_pattern(rf"\\\n|{_ESCAPE}")
_WORD = lazy_pattern(f"{_LETTER}*")
_NUMBER = lazy_pattern(r"[0-9]*")
_SKIPPED = lazy_pattern(r"\\.|\"[^\"]*\"|'[^']*'|.", re.S)


@lru_cache(maxsize=4096)
def read_selector(selector: str) -> core.Selector:
    """A CSS selector for ``Tree.select``; raises :class:`SelectorSyntaxError` with what is wrong, and where.

    >>> read_selector("main > p[")
    Traceback (most recent call last):
    duramen.selectors.SelectorSyntaxError: expected a name at character 10
    """
    return core.Selector(steps_of(selector))


def steps_of(selector: str) -> list[list[Step]]:
    """The steps of each alternative.

    >>> [(step.act.name, step.name) for step in steps_of("ul > .oak")[0]]
    [('EVERY', ''), ('HAS_TAG', 'ul'), ('CHILDREN', ''), ('HAS_CLASS', 'oak')]
    """
    try:
        selector.encode()
    except UnicodeEncodeError:
        raise SelectorSyntaxError("half of a surrogate pair is no character") from None
    if "\0" in selector:
        raise SelectorSyntaxError("a selector cannot hold a null character")
    return _Reader(selector, 0, is_positive=True).whole()


class _Reader:
    """Reads a selector from left to right; each method reads what it is named after and returns its steps."""

    def __init__(self, text: str, depth: int, *, is_positive: bool) -> None:
        self.text = text
        self.at = 0
        self.depth = depth
        self.is_positive = is_positive
        """Whether what is named must be on the page."""

    def fail(self, fault: str) -> NoReturn:
        raise SelectorSyntaxError(f"{fault} at character {self.at + 1}")

    def next_is(self, *signs: str) -> bool:
        return self.text.startswith(signs, self.at)

    def skips(self, sign: str) -> bool:
        if not self.next_is(sign):
            return False
        self.at += len(sign)
        return True

    def take(self, pattern: re.Pattern[str]) -> str:
        """What a pattern matches here, which may be nothing."""
        found = pattern.match(self.text, self.at)
        if found is None:
            return ""
        self.at = found.end()
        return found[0]

    def space(self) -> bool:
        return bool(self.take(_SPACE))

    # Alternatives.

    def whole(self) -> list[list[Step]]:
        found = [self.alternative()]
        while self.skips(","):
            found.append(self.alternative())
        if self.at < len(self.text):
            self.fail("expected no parenthesis")
        return found

    def inside(
        self, alternative: Callable[[], list[Step]], *, is_has: bool = False, forgives: bool = False
    ) -> list[Step]:
        """What is between parentheses: it leaves one set on top of the one that it is compared with."""
        self.depth += 1
        if self.depth > _NESTED:
            self.fail("too many parentheses inside each other")
        was, self.is_positive = self.is_positive, self.is_positive and is_has
        depth = self.depth
        found: list[list[Step]] = []
        while True:
            try:
                found.append(alternative())
            except SelectorSyntaxError:
                if not forgives:
                    raise
                self.depth, self.is_positive = depth, False
                self.skip_alternative()
            if not self.skips(","):
                break
        self.close()
        self.depth, self.is_positive = self.depth - 1, was
        if is_has and len(found) > 1:  # one of them is enough
            found = [[step._replace(flags=step.flags & ~NEEDED) for step in steps] for steps in found]
        return _united(found)

    def skip_alternative(self) -> None:
        """Go on to the comma or parenthesis that ends a faulty alternative."""
        opened = 0
        while self.at < len(self.text) and (opened or not self.next_is(",", ")")):
            part = self.take(_SKIPPED)
            opened += part in ("(", "[")
            opened -= part in (")", "]") and opened > 0

    def alternative(self) -> list[Step]:
        self.space()
        steps = [Step(Act.EVERY), *self.compound()]
        while self.goes_on():
            steps += [Step(self.combinator()), *self.compound()]
        return steps

    def has_alternative(self) -> list[Step]:
        """Of ``:has()``, answered from the inside outwards: its compounds are in reverse order."""
        parts: list[list[Step]] = []
        while not parts or self.goes_on():
            back = Step(_BACK[self.combinator()])
            if len(parts) == _PARTS:
                self.fail("too many parts inside :has()")
            parts.append([*self.compound(), back])
        return [Step(Act.EVERY), *(step for part in reversed(parts) for step in part)]

    def goes_on(self) -> bool:
        """Whether a combinator comes next; if not, the space before the end is skipped."""
        end = self.at
        is_apart = self.space()
        if self.at == len(self.text) or self.next_is(",", ")"):
            return False
        if not is_apart and not self.next_is(*_COMBINATORS):
            self.fail("expected a combinator, a comma or the end")
        self.at = end
        return True

    def combinator(self) -> Act:
        self.space()
        for sign, act in _COMBINATORS.items():
            if self.skips(sign):
                self.space()
                return act
        return Act.BELOW

    def close(self) -> None:
        self.space()
        if not self.skips(")"):
            self.fail("expected )")

    # Compounds.

    def compound(self) -> list[Step]:
        start = self.at
        steps: list[Step] = []
        self.namespace()
        if not self.skips("*") and (self.at > start or _NAME_START.match(self.text, self.at) or self.next_is("-")):
            steps.append(self.named(Act.HAS_TAG))
        while True:
            if self.skips("."):
                steps.append(self.named(Act.HAS_CLASS))
            elif self.skips("#"):
                steps.append(self.named(Act.HAS_IDENT))
            elif self.skips("["):
                steps.append(self.attribute())
            elif self.skips(":"):
                steps += self.pseudo_class()
            elif self.at > start:
                return steps
            else:
                self.fail("expected a selector")

    def namespace(self) -> None:
        """A prefix and a ``|``: HTML's own elements have none, so that only "any" and "none" say something."""
        for prefix in ("*|", "|"):
            if self.next_is(prefix) and not self.next_is(f"{prefix}="):
                self.at += len(prefix)
                return

    def name(self, *, is_value: bool = False) -> str:
        """A name; a value may begin with a digit, as filter lists write it."""
        if not _NAME_START.match(self.text, self.at) and not (is_value and self.next_is(*"0123456789")):
            self.fail("expected a name")
        return _ESCAPES.sub(_unescaped, self.take(_NAME))

    def value(self, *, is_value: bool = True) -> str:
        """A string or a name."""
        for quote, pattern in _STRINGS.items():
            if self.skips(quote):
                body = self.take(pattern)
                if not self.skips(quote):
                    self.fail("expected a closing quote")
                return _ESCAPES.sub(_unescaped, body)
        return self.name(is_value=is_value)

    def named(self, act: Act) -> Step:
        return Step(act, self.name(is_value=act is Act.HAS_IDENT), flags=NEEDED * self.is_positive)

    def attribute(self) -> Step:
        self.space()
        self.namespace()
        step = self.named(Act.HAS_ATTRIBUTE)
        self.space()
        if not self.next_is("]"):
            how = self.text[self.at : self.at + 1]
            if how and how in "~|^$*":
                self.at += 1
            if not self.skips("="):
                self.fail("expected ], = or one of ~= |= ^= $= *=")
            self.space()
            value = self.value()
            self.space()
            flag = self.text[self.at : self.at + 1].lower()
            if flag in ("i", "s"):
                self.at += 1
                self.space()
            in_any_case = flag == "i" or (flag != "s" and _ascii_lower(step.name) in _VALUES_IN_ANY_CASE)
            step = step._replace(value=value, how=ord(how), flags=step.flags | ANY_CASE * in_any_case)
        if not self.skips("]"):
            self.fail("expected ]")
        return step

    # Pseudo-classes.

    def pseudo_class(self) -> list[Step]:
        if self.next_is(":"):
            self.fail("a pseudo-element is no element")
        start = self.at
        name = _ascii_lower(self.take(_WORD))
        if self.skips("("):
            steps = self.function(name)
        elif name in _PLAIN:
            steps = [Step(_PLAIN[name])]
        elif name in _OF_A_READER:
            steps = [Step(Act.NOTHING)]
        elif name in _SHORT_FOR:
            if self.depth == _NESTED:
                self.fail("too many parentheses inside each other")
            meaning = _Reader(_SHORT_FOR[name], self.depth + 1, is_positive=False)
            steps = [*_united(meaning.whole()), Step(Act.BOTH)]
        else:
            steps = []
        if not steps:
            self.at = start
            self.fail("unknown pseudo-class")
        return steps

    def function(self, name: str) -> list[Step]:
        """A pseudo-class with parentheses; no steps for an unknown one."""
        if name == "not":
            return [*self.inside(self.alternative), Step(Act.EXCEPT)]
        if name in ("is", "where", "matches"):
            return [*self.inside(self.alternative, forgives=True), Step(Act.BOTH)]
        if name == "has":
            return [*self.inside(self.has_alternative, is_has=True), Step(Act.BOTH)]
        if name in ("nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type"):
            return self.nth(FROM_END * ("last" in name) | OF_TYPE * ("type" in name))
        if name in ("lang", "dir"):
            return self.inherited(name)
        return []

    def nth(self, flags: int) -> list[Step]:
        a, b = self.places()
        self.space()
        steps: list[Step] = []
        if not flags & OF_TYPE and re.match(r"of[ \t\n\f\r]", self.text[self.at : self.at + 3], re.I):
            self.at += 2
            steps = self.inside(self.alternative)
            flags |= AMONG
        else:
            self.close()
        return [*steps, Step(Act.IS_NTH, flags=flags, a=a, b=b)]

    def places(self) -> tuple[int, int]:
        """The numbers of a formula such as ``2n+1``."""
        self.space()
        for word, places in (("odd", (2, 1)), ("even", (2, 0))):
            if self.text[self.at : self.at + len(word)].lower() == word:
                self.at += len(word)
                return places
        a, has_digits = self.number()
        if not self.skips("n") and not self.skips("N"):
            if not has_digits:
                self.fail("expected a number, odd, even, or a formula such as 2n+1")
            return 0, a
        self.space()
        if not self.next_is("+", "-"):
            return a, 0
        b, has_digits = self.number(is_apart=True)
        if not has_digits:
            self.fail("expected a number")
        return a, b

    def number(self, *, is_apart: bool = False) -> tuple[int, bool]:
        """A number with its sign, which may be apart from it, 1 without digits; and whether there are any."""
        sign = -1 if self.next_is("-") else 1
        self.at += self.next_is("+", "-")
        if is_apart:
            self.space()
        digits = self.take(_NUMBER)
        return sign * int(digits.lstrip("0")[:9] or "0") if digits else sign, bool(digits)

    def inherited(self, attribute: str) -> list[Step]:
        """``:lang(en, "fr")`` or ``:dir(rtl)``: the nearest element with the attribute has such a value."""
        found: list[list[Step]] = []
        while not found or self.skips(","):
            self.space()
            value = self.value(is_value=False)
            found.append([Step(Act.EVERY), Step(Act.INHERITS, attribute, value)])
            self.space()
        self.close()
        return [*_united(found), Step(Act.BOTH)]


def _united(alternatives: list[list[Step]]) -> list[Step]:
    """One set for all alternatives; without any it is empty."""
    if not alternatives:
        return [Step(Act.EVERY), Step(Act.NOTHING)]
    steps = list(alternatives[0])
    for other in alternatives[1:]:
        steps += [*other, Step(Act.UNION)]
    return steps


def _unescaped(escape: re.Match[str]) -> str:
    """The character of a number in hexadecimal, or the next one as it is; a line that goes on leaves nothing."""
    body = escape[0][1:].rstrip(" \t\n\f\r")
    if not re.fullmatch("[0-9A-Fa-f]{1,6}", body):
        return escape[0][1:] if escape[0] != "\\\n" else ""
    code = int(body, 16)
    return chr(code) if 0 < code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else "\ufffd"


def _ascii_lower(text: str) -> str:
    return text.encode().lower().decode()
