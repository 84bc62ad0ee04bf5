"""Text that a reader cannot see, taken out before anything else looks at the page (``Options.visible_only``).

An agent would read it and a person would not, which makes it the place for words that are meant for the agent alone.
What a click shows (tabs, ``details``) is not hidden in this sense, and a page that hides most of its text is one that
waits for a script to show it: its text stays, and the trace says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

from duramen.flatten import without
from duramen.lazy_pattern import lazy_pattern
from duramen.model import Removal
from duramen.selectors import SelectorSyntaxError
from duramen.tree import Tree

STEP = "hidden"
_MOST = 0.5
"""What hides more than this share of the page's text hides it only for now."""
_MOST_RESCUES = 10
"""Elements that hold most of the text, each in the other; a page with more of them is a trap."""
_NEVER_SHOWN = frozenset({"script", "style", "template", "head", "html"})
_RULES_READ = 200_000
_MOST_RULES = 400
_MOST_SELECTORS = 1_000
"""Each is looked for in the whole page."""
_RULE = lazy_pattern(r"([^{}@;]++)(?:\{([^{}]{0,5000}+)\})?")
"""What stands before a rule is taken whole, whether or not one follows: it is not looked at again from every letter."""
_LONGEST_SELECTOR = 500
_NESTED = lazy_pattern(r"@[^{};@]{0,500}+\{(?:[^{}]{0,500}+\{[^{}]{0,5000}+\}){0,500}+[^{}]{0,5000}+\}")
_DISPLAY = lazy_pattern(r"(?:^|;)\s*display\s*:\s*([\w-]+)", re.I)
_SIMPLE = lazy_pattern(r"[\w.#\[\]=\"' >-]{1,200}")

_NOTHING = r"0*(?:\.0+)?(?:[a-z]+|%)?"
_CLEAR = r"transparent|rgba\([^)]*,0(?:\.0+)?\)|#[0-9a-f]{3}0|#[0-9a-f]{6}00"
_STYLES: tuple[tuple[str, str, str, re.Pattern[str]], ...] = tuple(
    (properties, rule, reason, lazy_pattern(values))
    for properties, rule, reason, values in (
        ("display", "display", "display: none", "none"),
        ("visibility", "visibility", "visibility: hidden", "hidden|collapse"),
        ("font-size", "size", "letters without size", rf"{_NOTHING}|0*1(?:px|pt)|0*\.[0-9]+(?:px|pt)"),
        ("color", "colour", "letters without colour", _CLEAR),
        (
            "left right top bottom text-indent margin-left margin-top",
            "place",
            "outside the page",
            "-[0-9]{4,}+[.0-9]*+[a-z]*+",
        ),
        ("clip", "clip", "clipped away", r"rect\(0.*"),
        ("clip-path", "clip", "clipped away", r"inset\((?:50|100)%.*"),
    )
)
"""Properties whose value hides the text: their names, the rule, what is said of it, and the values."""
_ZERO = lazy_pattern(_NOTHING)
_MOVING = frozenset({"transform", "transition", "animation", "animation-name", "will-change", "filter", "translate"})
"""What fades in begins without opacity."""
_SAME = {"#fff": "white", "#ffffff": "white", "rgb(255,255,255)": "white", "#000": "black", "#000000": "black"}


def take_out_hidden(tree: Tree) -> tuple[Tree, tuple[Removal, ...]]:
    """The page without what hides its text, and what went and what stayed."""
    removals: list[Removal] = []
    gone: list[int] = []
    end = rescues = 0
    for i, rule, reason in _hiding(tree):
        if i < end or rescues >= _MOST_RESCUES or not tree.chars_in(i):
            continue
        rescued = tree.chars_in(i) > _MOST * tree.chars[-1]
        removals.append(Removal(STEP, f"hidden-{rule}", reason, _place(tree, i), tree.lead(i, 80), rescued))
        if rescued:
            rescues += 1
        else:
            end = tree.end[i]
            gone.append(i)
    return without(tree, gone) if gone else tree, tuple(removals)


def _hiding(tree: Tree) -> Iterator[tuple[int, str, str]]:
    """Elements that hide what is in them, in document order."""
    hidden, styled, by_sheet = dict(tree.valued("hidden")), dict(tree.valued("style")), _hidden_by_sheets(tree)
    for i in sorted({*hidden, *styled, *by_sheet}):
        if tree.tag[i] in _NEVER_SHOWN or tree.attr(i, "role") == "tabpanel":
            continue
        if i in hidden:
            if hidden[i].lower() != "until-found":
                yield i, "attribute", "hidden"
            continue
        style = _declarations(styled.get(i, ""))
        found = _hiding_style(style)
        if found is None and i in by_sheet and "display" not in style:
            found = ("sheet", "display: none in the page's style sheet")
        if found is not None:
            yield i, *found


def _declarations(style: str) -> dict[str, str]:
    """A style attribute by property, without spaces and in small letters; the last value counts."""
    parts = (part.partition(":") for part in "".join(style.lower().split()).split(";"))
    return {name: value.removesuffix("!important") for name, _, value in parts}


def _hiding_style(style: dict[str, str]) -> tuple[str, str] | None:
    for properties, rule, reason, values in _STYLES:
        if any(name in style and values.fullmatch(style[name]) for name in properties.split()):
            return rule, reason
    if _ZERO.fullmatch(style.get("opacity", "1")) and style.keys().isdisjoint(_MOVING):
        return "opacity", "opacity: 0"
    cut = style.get("overflow", "") in ("hidden", "clip")
    if cut and any(_ZERO.fullmatch(style.get(name, "1")) for name in ("height", "width", "max-height", "max-width")):
        return "extent", "no room to be seen in"
    front, back = style.get("color"), style.get("background-color", style.get("background"))
    if front and back and _SAME.get(front, front) == _SAME.get(back, back):
        return "colour", "letters in the colour behind them"
    return None


def _hidden_by_sheets(tree: Tree) -> set[int]:
    """What the page's own style sheets never show: no rule for it says otherwise, at any width."""
    css = ""
    for i in tree.tagged(frozenset({"style"})):
        css += tree.only_text(i)[:_RULES_READ] + "\n"
        if len(css) > _RULES_READ:
            css = css[:_RULES_READ]
            break
    if "none" not in css:
        return set()
    css = _without_comments(css)
    hidden = _displays(_NESTED.sub("", css), none=True)
    # Rules for other widths and media may show what the plain ones hide.
    nested = "\n".join(part.partition("{")[2] for part in _NESTED.findall(css))
    shown = _displays(_NESTED.sub("", css), none=False) + _displays(nested, none=False)
    return _selected(tree, hidden) - _selected(tree, shown)


def _without_comments(css: str) -> str:
    first, *rest = css.split("/*")
    return first + " ".join(part.partition("*/")[2] for part in rest)


def _displays(css: str, none: bool) -> list[str]:
    """Selectors of rules that set ``display``: to none, or to something else."""
    rules = ((before[-_LONGEST_SELECTOR:].strip(), body) for before, body in _RULE.findall(css) if body)
    found = ((selector, _DISPLAY.search(body)) for selector, body in rules)
    return [s for s, d in found if d is not None and (d[1].lower() == "none") == none]


def _selected(tree: Tree, selectors: list[str]) -> set[int]:
    each = (one.strip() for selector in list(dict.fromkeys(selectors))[:_MOST_RULES] for one in selector.split(","))
    found: set[int] = set()
    for one in islice(dict.fromkeys(each), _MOST_SELECTORS):
        if _SIMPLE.fullmatch(one):
            with suppress(SelectorSyntaxError):
                found.update(tree.select(one))
    return found


def _place(tree: Tree, i: int) -> str:
    """An element's tag with its id or first class."""
    if ident := tree.ident[i]:
        return f"{tree.tag[i]}#{ident[:40]}"
    first = tree.cls[i].partition(" ")[0][:40]
    return f"{tree.tag[i]}.{first}" if first else tree.tag[i]
