"""What pages for the change test are made of."""

from __future__ import annotations

import re

from duramen.framework_rows import MARK
from duramen.result import Result

SENTENCE = "The heartwood of an oak is harder and darker than the sapwood around it, and it lasts for longer."
PROSE = f"<p>{SENTENCE}</p>" + "".join(
    f"<p>{sentence}</p>"
    for sentence in (
        "A carpenter who fells a tree in winter finds less water in it, and the boards warp less when they dry.",
        "Most of the beams in the old barn were cut by hand, and the marks of the axe can still be seen on them.",
        "What the rings tell is not only how old a tree was, but also which summers were dry and which were wet.",
        "Nobody has replaced a single post since the roof was mended, because none of them has begun to rot.",
    )
)

_COMPOUND = re.compile(r"\s*([>~+]?)\s*((?:\[[^\]]*\]|:has\([^)]*\)|:not\((?:[^()]|\([^)]*\))*\)|[^\s>~+\[:])+)")
_SIMPLE = re.compile(
    r"(?P<kind>[.#])(?P<name>[\w-]+)|^(?P<tag>[a-z][\w-]*)"
    r"|\[(?P<key>[\w-]+)(?:[\^*~]?=['\"]?(?P<value>[^'\"\]]*)['\"]?)?\]|:has\(> (?P<has>[^)]*)\)"
)


def page(body: str, head: str = "<title>Oak heartwood</title>") -> str:
    return f"<!doctype html><html lang=en><head>{head}</head><body>{body}</body></html>"


def matching(selector: str, inner: str) -> str:
    """Elements of which the innermost is what a selector is looking for; it holds the given HTML."""
    made = inner
    for _, compound in reversed(_COMPOUND.findall(selector.partition(", ")[0])):
        made = element((compound,), made)
    return made


def element(compounds: tuple[str, ...], inner: str) -> str:
    """An element that several selectors without combinators match."""
    tag, attributes = "div", dict[str, list[str]]()
    for compound in compounds:
        for found in _SIMPLE.finditer(re.sub(r":not\(.*\)", "", compound)):
            if found["tag"]:
                tag = found["tag"]
            elif found["has"]:
                inner = matching(found["has"], "Oaks") + inner
            else:
                key = {".": "class", "#": "id"}.get(found["kind"] or "", found["key"])
                attributes.setdefault(key, []).append(found["name"] or found["value"] or "")
    written = "".join(f' {key}="{" ".join(values)}"' for key, values in attributes.items())
    return f"<{tag}{written}>{inner}</{tag}>"


def last(selector: str) -> str:
    """The part of a selector that says what the element itself is like."""
    return str(_COMPOUND.findall(selector.partition(", ")[0])[-1][1])


def marked(marks: list[str], body: str) -> str:
    """A page with the marks of a framework."""
    head, root, before = "<title>Oak heartwood</title>", {"html": "", "body": ""}, ""
    for mark in marks:
        found = MARK.fullmatch(mark)
        assert found is not None
        if found["kind"]:
            before += f'<i {"class" if found["kind"] == "." else "id"}="{found["name"]}"></i>'
        elif found["tag"]:
            before += f"<{mark}></{mark}>"
        elif found["file"]:
            head += f'<script src="/{found["file"]}"></script>'
        elif found["place"] == "meta":
            head += f'<meta name="{found["key"]}" content="{found["value"] or "x"}">'
        else:
            root[found["place"]] += f' {found["key"]}="{found["value"] or ""}"'
    return f"<!doctype html><html{root['html']}><head>{head}</head><body{root['body']}>{before}{body}</body></html>"


def everything(result: Result) -> object:
    """What is reported about a page, without the evidence for each block, which takes long to work out."""
    return (
        result.html,
        result.metadata,
        result.quality,
        result.framework,
        result.encoding,
        result.page_type,
        result.trace.attempts,
    )
