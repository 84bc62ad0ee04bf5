"""The compiled core is mechanism: it knows the names that standards fix, and no words, classes, prefixes or sites."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src" / "native").glob("*.[ch]"))
NAMES = {
    name
    for line in Path(__file__).with_name("standard_names.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
    for name in line.split()
}

EXPLAINED: dict[str, str] = {
    "data-footnote-ref": "marks of our own canonical form (ARCHITECTURE.md)",
    "data-footnotes": "marks of our own canonical form (ARCHITECTURE.md)",
    "https://": "addresses that every list of schemes allows, passed on unchanged",
    "http://": "addresses that every list of schemes allows, passed on unchanged",
    "duramen._native": "names in our own interface to Python",
    "unknown": "names in our own interface to Python",
}
"""Other literals, each with the reason why it is not vocabulary."""

_IDENTIFIER = re.compile(r"//dtd |^-/W3C/DTD |\.dtd$", re.IGNORECASE)
"""Public and system identifiers of doctypes that mean quirks mode, as the HTML standard lists them."""

_PIECES = re.compile(r'/\*.*?\*/|//[^\n]*|"((?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)+\'|[^/"\']+|.', re.DOTALL)
_CALLS = re.compile(
    r"\b(?:PyErr_\w+|PyArg_\w+|Py_BuildValue|PyObject_CallFunction|PyObject_CallMethod|PyUnicode_FromFormat|PyModule_\w+|PySequence_Fast|fail"
    r"|PyUnicode_InternFromString|PyObject_GetAttrString|PyDoc_STR|PyUnicode_\w*(?:En|De)code\w*|_Static_assert)\s*\("
)
"""Calls of Python's own interface, and of ``fail`` in selector.c: formats, names of attributes and messages."""
_TABLES = re.compile(r"\b(?:PyMethodDef|PyGetSetDef|PyMemberDef|PyTypeObject|struct PyModuleDef|PyModuleDef)\b")


def literals(source: str) -> list[str]:
    """The string literals of a C file, without includes, comments and what is said to Python."""
    source = re.sub(r"^\s*#\s*include.*$", "", source, flags=re.MULTILINE)
    found: list[str] = []
    code = ""
    skipped_until = -1
    depth = 0
    for match in _PIECES.finditer(source):
        text = match[0]
        if text.startswith(("/*", "//")):
            continue
        if match[1] is None:
            for letter in text if not text.startswith("'") else "":
                code = (code + letter)[-80:]
                if letter in "({":
                    depth += 1
                    is_call = letter == "(" and re.search(_CALLS.pattern[:-2] + r"\s*\($", code)
                    is_table = letter == "{" and _TABLES.search(code.rpartition(";")[2])
                    if skipped_until < 0 and (is_call or is_table):
                        skipped_until = depth
                elif letter in ")}":
                    if depth == skipped_until:
                        skipped_until = -1
                    depth -= 1
            continue
        if skipped_until < 0:
            found.append(match[1])
    return found


def words_of(literal: str) -> list[str]:
    """The runs of letters in a literal that could be a name or a word; escapes and formats are none."""
    plain = re.sub(r"\\x[0-9A-Fa-f]{2}|\\[0-7]{1,3}|\\.|%[-0-9.*]*(?:l|ll|z)?[a-zA-Z]", " ", literal)
    plain = re.sub(r"&[a-zA-Z]+;", " ", plain)
    return re.findall(r"[A-Za-z][\w+/.-]*", plain)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_the_core_spells_out_only_what_standards_fix(path: Path) -> None:
    unknown = [
        literal
        for literal in literals(path.read_text("utf-8"))
        if literal not in EXPLAINED
        and not _IDENTIFIER.search(literal)
        and not all(word.strip("-./") in NAMES for word in words_of(literal))
    ]
    assert not unknown, f"{path.name} has vocabulary: move it to data/ and pass it in, or explain it here"


def test_every_explained_literal_is_still_there() -> None:
    everything = {literal for path in SOURCES for literal in literals(path.read_text("utf-8"))}
    assert not set(EXPLAINED) - everything


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('static const char *x = "sidebar";', ["sidebar"]),
        ('/* "comment" */ f("div"); // "more"', ["div"]),
        ('PyErr_SetString(PyExc_ValueError, "a message"); g("promo");', ["promo"]),
        ('static PyMethodDef m[] = {{"name", f, METH_O, "doc"}}; h("teaser");', ["teaser"]),
        ("""char quote = '"'; k("ad");""", ["ad"]),
        ('#include "native.h"\nint a;', []),
    ],
)
def test_literals_are_found_where_they_are(source: str, found: list[str]) -> None:
    assert literals(source) == found
