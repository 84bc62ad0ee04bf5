"""Text that a reader cannot see, taken out before anything else looks at the page (``Options.visible_only``).

An agent would read it and a person would not, which makes it the place for words that are meant for the agent alone.
What a click shows (tabs, ``details``) is not hidden in this sense, and a page that hides most of its text is one that
waits for a script to show it: its text stays, and the trace tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from duramen.dom import Document, Element, SelectorSyntaxError, raw_attributes
from duramen.model import Removal

STEP = "hidden"
_MOST = 0.5
"""What hides more than this share of the page's text hides it only for now."""
_MOST_RESCUES = 10
"""Elements that hold most of the text, each in the other; a page with more of them is a trap."""
_RULES_READ = 200_000
_MOST_RULES = 400
_RULE = re.compile(r"([^{}@;]+)\{([^{}]*)\}")
_COMMENT = re.compile(r"/\*.*?(?:\*/|$)", re.S)
_NESTED = re.compile(r"@[^{};]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}|@[^{};]*;")
_DISPLAY = re.compile(r"(?:^|;)\s*display\s*:\s*([\w-]+)", re.I)
_SIMPLE = re.compile(r"[\w.#\[\]=\"'-]+(?:[\w.#\[\]=\"' >-]*)")

_CLEAR = r"transparent|rgba\([^)]*,0(?:\.0+)?\)|#[0-9a-f]{3}0|#[0-9a-f]{6}00"
_STYLES: tuple[tuple[str, str, re.Pattern[str]], ...] = tuple(
    (name, reason, re.compile(pattern, re.I))
    for name, reason, pattern in (
        ("display", "display: none", r"(?:^|;)display:none"),
        ("visibility", "visibility: hidden", r"(?:^|;)visibility:(?:hidden|collapse)"),
        ("size", "letters without size", r"(?:^|;)font-size:0*(?:\.0+|1|\.[0-9]+)?(?:px|pt|em|rem|%)?(?:;|!|$)"),
        ("colour", "letters without colour", rf"(?:^|;)color:(?:{_CLEAR})(?:;|!|$)"),
        ("place", "outside the page", r"(?:^|;)(?:left|right|top|bottom|text-indent|margin-(?:left|top)):-[0-9]{4,}"),
        ("clip", "clipped away", r"(?:^|;)clip:rect\(0|(?:^|;)clip-path:inset\((?:50|100)%"),
        ("extent", "no room to be seen in", r"(?=.*overflow:(?:hidden|clip))(?=.*(?:^|;)(?:max-)?(?:height|width):0)"),
    )
)
_OPACITY = re.compile(r"(?:^|;)opacity:0*(?:\.0+)?(?:;|!|%|$)", re.I)
_MOVING = re.compile(r"transform|transition|animation|will-change|filter", re.I)
"""What fades in begins without opacity."""
_COLOUR = re.compile(r"(?:^|;)color:([^;!]+)", re.I)
_BACKGROUND = re.compile(r"(?:^|;)background(?:-color)?:([^;!]+)", re.I)
_WHITE = {"#fff": "white", "#ffffff": "white", "rgb(255,255,255)": "white", "#000": "black", "#000000": "black"}


def take_out_hidden(document: Document) -> tuple[Removal, ...]:
    """Remove from a freshly parsed document what hides its text; tells what went, and what stayed."""
    root = document.root
    if root is None:
        return ()
    total = len(root.text) - sum(len(one.text) for one in root.select("script, style, title"))
    removals: list[Removal] = []
    gone: set[Element] = set()
    rescues = 0
    for element, rule, reason in _hiding(root):
        if element in gone or rescues >= _MOST_RESCUES:
            continue
        text = " ".join(element.text.split())
        if not text:
            continue
        rescued = len(element.text) > _MOST * total
        removals.append(Removal(STEP, f"hidden-{rule}", reason, _place(element), text[:80], rescued))
        if rescued:
            rescues += 1
        else:
            gone.update(node for node in element.descendants if isinstance(node, Element))
            element.extract()
    return tuple(removals)


def _hiding(root: Element) -> Iterator[tuple[Element, str, str]]:
    """Elements that hide what is in them, outer ones first."""
    by_sheet = _hidden_by_sheets(root)
    for element in [*root.select("[hidden], [style]"), *by_sheet]:
        if element.tag in ("script", "style", "template", "head", "html"):
            continue
        attributes = dict(raw_attributes(element))
        style = re.sub(r"\s+", "", attributes.get("style", "").lower())
        if "hidden" in attributes:
            if attributes["hidden"].lower() != "until-found" and attributes.get("role") != "tabpanel":
                yield element, "attribute", "hidden"
            continue
        found = next(((name, reason) for name, reason, pattern in _STYLES if pattern.search(style)), None)
        if found is None and _OPACITY.search(style) and not _MOVING.search(style):
            found = ("opacity", "opacity: 0")
        if found is None and _is_camouflaged(style):
            found = ("colour", "letters in the colour behind them")
        if found is None and element in by_sheet and "display:" not in style:
            found = ("sheet", "display: none in the page's style sheet")
        if found is not None and attributes.get("role") != "tabpanel":
            yield element, *found


def _is_camouflaged(style: str) -> bool:
    front, back = _COLOUR.search(style), _BACKGROUND.search(style)
    if front is None or back is None:
        return False
    return _WHITE.get(front[1], front[1]) == _WHITE.get(back[1], back[1])


def _hidden_by_sheets(root: Element) -> list[Element]:
    """What the page's own style sheets never show: no rule for it says otherwise, at any width."""
    css = "\n".join(style.text for style in root.select("style"))[:_RULES_READ]
    if "none" not in css:
        return []
    css = _COMMENT.sub("", css)
    hidden = _displays(_NESTED.sub("", css), none=True)
    # Rules for other widths and media may show what the plain ones hide.
    nested = "\n".join(part.partition("{")[2] for part in _NESTED.findall(css))
    shown = _displays(_NESTED.sub("", css), none=False) + _displays(nested, none=False)
    visible = set(_selected(root, shown))
    return [element for element in dict.fromkeys(_selected(root, hidden)) if element not in visible]


def _displays(css: str, none: bool) -> list[str]:
    """Selectors of rules that set ``display``: to none, or to something else."""
    found = ((selector.strip(), _DISPLAY.search(body)) for selector, body in _RULE.findall(css))
    return [s for s, d in found if d is not None and (d[1].lower() == "none") == none and len(s) < 500]


def _selected(root: Element, selectors: list[str]) -> Iterator[Element]:
    for selector in list(dict.fromkeys(selectors))[:_MOST_RULES]:
        for one in selector.split(","):
            if _SIMPLE.fullmatch(one.strip()):
                try:
                    yield from root.select(one.strip())
                except SelectorSyntaxError:
                    continue


def _place(element: Element) -> str:
    attributes = dict(raw_attributes(element))
    name = attributes.get("id") or ""
    if name:
        return f"{element.tag}#{name[:40]}"
    first = attributes.get("class", "").partition(" ")[0][:40]
    return f"{element.tag}.{first}" if first else element.tag
