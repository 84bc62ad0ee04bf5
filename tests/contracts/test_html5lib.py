"""The parser against html5lib-tests, the test suite that browsers share: tree construction, tokenizer and encodings.

Each case that we do not pass is listed in ``EXCEPTIONS`` with the reason; one that is listed and passes is an error, too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from duramen.dom import named_characters
from duramen.native import core
from duramen.read.decode import decode

pytestmark = pytest.mark.shared

_INSTRUCTIONS = "the standard has processing instructions since the suite was written; Chromium parses them as we do"
_SELECTED = "content is not copied into <selectedcontent>: it would be in the page's text twice"

EXCEPTIONS: dict[str, str] = {}
"""Cases by name: the file, and their number in it or their description."""


class Case(NamedTuple):
    """A case of tree construction."""

    name: str
    data: str
    context: str
    tree: str


@pytest.fixture(scope="module")
def suite(shared: Path) -> Path:
    folder = shared / "corpora/html5lib-tests"
    if not folder.is_dir():
        pytest.skip(f"no {folder}: html5lib-tests are not part of the repository")
    return folder


def check(failed: dict[str, str], passed: set[str], prefix: str) -> None:
    unexpected = {name: why for name, why in failed.items() if name not in EXCEPTIONS}
    assert not unexpected, "\n\n".join(f"{name}\n{why}" for name, why in list(unexpected.items())[:5])
    stale = sorted(name for name in EXCEPTIONS if name.startswith(prefix) and name in passed)
    assert not stale, f"these pass, so they are no exceptions any more: {stale}"


# ---- tree construction ----


def tree_cases(folder: Path) -> Iterator[Case]:
    for path in sorted(folder.rglob("*.dat")):
        text = path.read_bytes().decode()
        for number, case in enumerate(re.split(r"(?:\A|\n\n)(?=#data\n)", text)[1:], 1):
            parts = re.split(
                r"^#(data|errors|new-errors|document-fragment|document|script-on|script-off)$\n?", case, flags=re.M
            )
            found = dict(zip(parts[1::2], parts[2::2], strict=True))
            if "script-on" in found or path.parent.name == "scripted":
                continue  # we parse with scripting off, as a page is read without its scripts
            name = f"{path.parent.name}/{path.name} {number}"
            tree = found["document"].rstrip("\n")
            yield Case(name, found["data"].removesuffix("\n"), found.get("document-fragment", "").strip(), tree)


_ATTRIBUTE = re.compile(r' ([^ =][^=]*|=[^=]*)="([^"]*)"')
_FOREIGN = ("xlink:actuate", "xlink:arcrole", "xlink:href", "xlink:role", "xlink:show", "xlink:title", "xlink:type",
            "xml:lang", "xml:space", "xmlns:xlink")  # fmt: skip


def attributes_of(written: str) -> dict[str, str]:
    found = {}
    for name, value in _ATTRIBUTE.findall(written):
        for escaped, sign in (("&nbsp;", "\xa0"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&")):
            value = value.replace(escaped, sign)
        found[name] = value
    return found


def dumped(html: str, context: str) -> str:
    """The parsed tree in the suite's own notation."""
    lines: list[str] = []
    templates: list[int] = []
    for depth, kind, name, data in core.parsed_nodes(html, named_characters(), *([context] if context else [])):
        while templates and depth <= templates[-1]:
            templates.pop()
        indent = "| " + "  " * (depth + len(templates))
        if kind in ("html", "svg", "math"):
            lines.append(f"{indent}<{'' if kind == 'html' else kind + ' '}{name}>")
            attributes = attributes_of(data)
            if kind != "html":
                attributes = {(n.replace(":", " ") if n in _FOREIGN else n): v for n, v in attributes.items()}
            for attribute in sorted(attributes, key=lambda n: n.encode("utf-16-be")):
                lines.append(f'{indent}  {attribute}="{attributes[attribute]}"')
            if kind == "html" and name == "template":
                templates.append(depth)
                lines.append(f"{indent}  content")
        elif kind == "more text":
            lines[-1] = f'{lines[-1][:-1]}{data}"'
        elif kind == "text":
            lines.append(f'{indent}"{data}"')
        elif kind == "comment":
            lines.append(f"{indent}<!-- {data} -->")
        elif kind == "instruction":
            lines.append(f"{indent}<?{data}>")
        else:
            called, public, system = data
            ids = f' "{public or ""}" "{system or ""}"' if public or system else ""
            lines.append(f"{indent}<!DOCTYPE {called or ''}{ids}>")
    return "\n".join(lines)


def test_tree_construction(suite: Path) -> None:
    failed, passed = {}, set()
    for case in tree_cases(suite / "tree-construction"):
        tree = dumped(case.data, case.context)
        if tree == case.tree:
            passed.add(case.name)
        else:
            failed[case.name] = f"{case.data!r} in {case.context or 'a document'}\nexpected\n{case.tree}\ngot\n{tree}"
    assert len(passed) > 1_600
    check(failed, passed, "tree-construction/")


# ---- tokenizer ----

_STATES = {
    "Data state": 0,
    "RCDATA state": 1,
    "RAWTEXT state": 2,
    "Script data state": 3,
    "PLAINTEXT state": 4,
    "CDATA section state": 5,
}


def unescaped(value: Any) -> Any:
    """What ``doubleEscaped`` means: texts hold escapes for the code units that JSON files cannot."""
    if isinstance(value, str):
        text = re.sub(r"\\u([0-9A-Fa-f]{4})", lambda m: chr(int(m[1], 16)), value)
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [unescaped(each) for each in value]
    return {unescaped(k): unescaped(v) for k, v in value.items()} if isinstance(value, dict) else value


def tokens_of(html: str, state: str, tag: str) -> list[list[Any]]:
    """What the tokenizer reads, in the suite's own notation."""
    tokens: list[list[Any]] = []
    for kind, *rest in core.parsed_tokens(html, named_characters(), _STATES[state], tag):
        if kind == "DOCTYPE":
            (name, public, system), is_quirky = rest
            tokens.append([kind, name, public, system, not is_quirky])
        elif kind == "StartTag":
            tokens.append([kind, rest[0], attributes_of(rest[1]), *([True] if rest[2] else [])])
        elif kind == "Character" and tokens and tokens[-1][0] == kind:
            tokens[-1][1] += rest[0]
        else:
            tokens.append([kind, rest[0]])
    return tokens


def test_tokenizer(suite: Path) -> None:
    failed, passed = {}, set()
    for path in sorted((suite / "tokenizer").glob("*.test")):
        content = json.loads(path.read_text(encoding="utf-8"))
        for case in content.get("tests", content.get("xmlViolationTests", [])):
            if "xmlViolationTests" in content:
                continue  # these are about XML infosets, which we do not make
            if case.get("doubleEscaped"):
                case = {**case, "input": unescaped(case["input"]), "output": unescaped(case["output"])}
            for state in case.get("initialStates", ["Data state"]):
                name = f"tokenizer/{path.name} {case['description']} ({state})"
                got = tokens_of(case["input"], state, case.get("lastStartTag", ""))
                if got == case["output"]:
                    passed.add(name)
                else:
                    failed[name] = f"{case['input']!r}\nexpected {case['output']}\ngot {got}"
    assert len(passed) > 6_000
    check(failed, passed, "tokenizer/")


# ---- encodings ----


def test_encodings(suite: Path) -> None:
    failed, passed = {}, set()
    for path in sorted((suite / "encoding").glob("*.dat")):
        cases = re.split(rb"(?:\A|\n)#data\n", path.read_bytes())[1:]
        for number, case in enumerate(cases, 1):
            data, _, wanted = case.partition(b"\n#encoding\n")
            name = f"encoding/{path.name} {number}"
            got = decode(data)[1].name
            expected = wanted.strip().decode().lower()
            if got == expected:
                passed.add(name)
            else:
                failed[name] = f"{data[:300]!r}\nexpected {expected}, got {got}"
    check(failed, passed, "encoding/")
