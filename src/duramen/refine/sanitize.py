"""The last step before anything leaves: only what the policy names is written, from scratch.

The core parses the draft and writes the tags and attributes that ``data/policy.toml`` allows, never a string of the
page that is not escaped, and nested as parsers nest (:mod:`duramen.refine.nesting`). It parses the result again and
compares, so that a browser reads back the tree that was written. What does not settle after a few rounds is written as
plain paragraphs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from duramen.dom import Element, escape, fragment, named_characters
from duramen.lazy_pattern import lazy_pattern
from duramen.native import core
from duramen.options import Output
from duramen.refine.nesting import MISSING, TABLE_PARTS, forms
from duramen.safe_values import policy, safe_address, strip_invisible

__all__ = ["Draft", "sanitize"]

_ROUNDS = 4
"""So often a result that is not read back as it was written is sanitized again."""

_FOOTNOTE = lazy_pattern(r"#fn-[1-9][0-9]{0,5}")

Draft = str | bytes
"""HTML on its way to the sanitizer: a text, or UTF-8, in which the compiled core hands it on."""
_Check = Callable[[str], str | None]
_Checks = tuple[tuple[str, _Check], ...]


def sanitize(draft: Element | Draft, output: Output) -> str:
    """The safe HTML of a draft, or of what is inside an element. Sanitizing it again changes nothing."""
    sanitizer = _sanitizer(output.keep_classes, output.nofollow, output.links, output.images)
    html, is_settled = sanitizer.sanitize(draft)
    return html if is_settled else _paragraphs(html)


def _paragraphs(html: str) -> str:
    """The text alone, a paragraph for every run: the form that no parser reads in another way."""
    runs = (" ".join(text.split()) for text in fragment(html).strings)
    return "".join(f"<p>{escape(run, quote=False)}</p>" for run in runs if run)


@cache
def _sanitizer(keep_classes: bool, nofollow: bool, links: bool, images: bool) -> core.Sanitizer:
    data = policy()
    tags = _rules(keep_classes, links, images)
    dropped = {tag for group in data["drop"] for tag in group["tags"]}
    if not images:
        dropped.add("img")
    fixed = {"a": f' rel="{data["nofollow"]["rel"]}"'} if nofollow and links else {}
    addresses = {
        rule["name"]: data["limits"]["url"] for rule in data["attribute"] if rule.get("kind") in ("link", "image")
    }
    # A table refused at the limit would leave its cells without one, so a table may pass it by its own parts.
    depth = data["limits"]["depth"] - 4
    written = forms({tag for tag, _, _ in tags.values()})
    return core.Sanitizer(
        tags, written, fixed, TABLE_PARTS, MISSING, addresses, frozenset(dropped), depth, _ROUNDS, named_characters()
    )


def _rules(keep_classes: bool, links: bool, images: bool) -> dict[str, tuple[str, str | None, _Checks]]:
    """By tag of the page: the tag to write, how its attributes must begin, and its attributes."""
    data = policy()
    allowed = [tag for group in data["allow"] for tag in group["tags"]]
    if not links:
        allowed.remove("a")
    if not images:
        allowed.remove("img")
    names: dict[str, dict[str, _Check]] = {tag: {} for tag in allowed}
    required: dict[str, str] = {}
    for rule in data["attribute"]:
        check = _check(rule, data)
        for tag in allowed if rule["on"] == ["*"] else [tag for tag in rule["on"] if tag in names]:
            names[tag][rule["name"]] = check
            if rule.get("required"):
                required[tag] = rule["name"]
    if keep_classes:
        kept = data["keep_classes"]
        for tag in allowed:
            names[tag]["class"] = _folded(_pattern(kept["class"]))
            names[tag]["id"] = _prefixed(_pattern(kept["id"]), kept["id_prefix"], names[tag].get("id"))
    tags: dict[str, tuple[str, str | None, _Checks]] = {}
    for tag, checks in names.items():
        first = required.get(tag)
        # A required attribute comes first, so that what was written shows whether it is there.
        order = sorted(checks, key=[first, *checks].index)
        tags[tag] = (tag, f' {first}="' if first else None, tuple((name, checks[name]) for name in order))
    for group in data["rename"]:
        tags |= dict.fromkeys(group["tags"], tags[group["to"]])
    return tags


def _check(rule: Mapping[str, Any], data: Mapping[str, Any]) -> _Check:
    if "pattern" in rule:
        return _pattern(rule["pattern"])
    limits, schemes = data["limits"], data["schemes"]
    kinds: dict[str, _Check] = {
        "link": lambda value: _link(value, schemes["link"], limits["url"]),
        "image": lambda value: safe_address(value, schemes["image"], limits["url"]),
        "text": lambda value: _words(value, limits["text"]) or None,
        "alt": lambda value: _words(value, limits["text"]),
    }
    return kinds[rule["kind"]]


def _pattern(pattern: str) -> _Check:
    allowed = lazy_pattern(pattern)
    return lambda value: value if allowed.fullmatch(value) else None


def _folded(check: _Check) -> _Check:
    return lambda value: check(" ".join(value.split()))


def _prefixed(check: _Check, prefix: str, own: _Check | None) -> _Check:
    def prefixed(value: str) -> str | None:
        if own is not None and own(value) is not None:
            return value
        value = strip_invisible(value)[0]
        return check(value if value.startswith(prefix) else prefix + value) if value else None

    return prefixed


def _words(value: str, limit: int) -> str:
    return strip_invisible(value)[0].strip()[:limit].rstrip()


def _link(value: str, schemes: list[str], limit: int) -> str | None:
    return value if _FOOTNOTE.fullmatch(value) else safe_address(value, schemes, limit)
