"""The parser against html5lib-tests, the test suite that browsers share: tree construction, tokenizer and encodings.

Each case that we do not pass is listed in ``EXCEPTIONS`` with the reason; a listed one that passes is an error, too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from benchmarks.tree_dump import attributes_of, dump

from duramen.dom import named_characters
from duramen.native import core
from duramen.read.decode import decode

pytestmark = pytest.mark.shared

_INSTRUCTIONS = "the standard has processing instructions since the suite was written; Chromium parses them as we do"
_SELECTED = "content is not copied into <selectedcontent>: it would be in the page's text twice"
_LENIENT = "a declaration in broken or wrong markup is believed, too: what the bytes are is checked in any case"

EXCEPTIONS: dict[str, str] = {
    "tree-construction/html5test-com.dat 12": _INSTRUCTIONS,
    "tree-construction/tests1.dat 40": _INSTRUCTIONS,
    "tree-construction/tests1.dat 44": _INSTRUCTIONS,
    "tree-construction/tests1.dat 47": _INSTRUCTIONS,
    "tree-construction/webkit02.dat 45": _SELECTED,
    "tree-construction/webkit02.dat 46": _SELECTED,
    "tree-construction/webkit02.dat 47": _SELECTED,
    "tree-construction/webkit02.dat 48": _SELECTED,
    "tokenizer/test2.test Simili processing instruction (Data state)": _INSTRUCTIONS,
    "tokenizer/test2.test A bogus comment stops at >, even if preceded by two dashes (Data state)": _INSTRUCTIONS,
    "encoding/test-yahoo-jp.dat 1": "the page declares EUC-JP and is written in UTF-8: we look at the bytes",
    **{f"encoding/tests1.dat {n}": _LENIENT for n in (11, 12, 13, 15, 16, 17, 20, 21, 25, 26, 29, 30, 31, 34, 35, 36)},
    **{f"encoding/tests2.dat {n}": _LENIENT for n in (5, 10, 12)},
    **{f"tokenizer/test3.test <?{letter} (Data state)": _INSTRUCTIONS for letter in ("", *"ABYZabyz")},
}
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


_PARTS = re.compile(r"^#(data|errors|new-errors|document-fragment|document|script-on|script-off)$\n?", re.M)


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


def test_tree_construction(suite: Path) -> None:
    failed, passed = {}, set()
    for case in tree_cases(suite / "tree-construction"):
        tree = dump(case.data, case.context)
        if tree == case.tree:
            passed.add(case.name)
        else:
            failed[case.name] = f"{case.data!r} in {case.context or 'a document'}\nexpected\n{case.tree}\ngot\n{tree}"
    assert len(passed) > 1_600
    check(failed, passed, "tree-construction/")


# ---- tokenizer ----

_STATES = (
    "Data state", "RCDATA state", "RAWTEXT state", "Script data state", "PLAINTEXT state", "CDATA section state",
)  # fmt: skip
"""Where the tokenizer begins, by the core's number."""
START_TAG, END_TAG, CHARACTERS, COMMENT = range(4)
"""Types of tokens, as in the core; others are doctypes, whose data are a tuple."""


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
    for kind, name, data, flag in core.parsed_tokens(html, named_characters(), _STATES.index(state), tag):
        if isinstance(data, tuple):
            tokens.append(["DOCTYPE", *data, not flag])
        elif kind == START_TAG:
            tokens.append(["StartTag", name, attributes_of(data), *([True] if flag else [])])
        elif kind == END_TAG:
            tokens.append(["EndTag", name])
        elif kind == CHARACTERS and tokens and tokens[-1][0] == "Character":
            tokens[-1][1] += data
        else:
            tokens.append(["Character" if kind == CHARACTERS else "Comment", data])
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
            encoding = decode(data)[1]
            # Where nothing is declared, the suite expects the default; we look at the bytes.
            got = encoding.name if encoding.source in ("declared", "bom") else "windows-1252"
            expected = wanted.strip().decode().lower()
            if got == expected:
                passed.add(name)
            else:
                failed[name] = f"{data[:300]!r}\nexpected {expected}, got {got}"
    check(failed, passed, "encoding/")
