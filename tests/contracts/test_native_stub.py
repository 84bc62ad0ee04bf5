"""The typed stub of the compiled core: every name of the core is in it, and it has no other; nothing in it is Any."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from duramen.native import core

STUB = ast.parse((Path(core.__file__).parent / "_native.pyi").read_text(encoding="utf-8"))
CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}


def names_in(body: list[ast.stmt]) -> set[str]:
    """The names a module or class body of a stub declares, without the private ones."""
    found: set[str] = set()
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return {name for name in found if not name.startswith("_")}


def public(of: object) -> set[str]:
    return {name for name in dir(of) if not name.startswith("_")}


def test_the_stub_has_the_names_of_the_module() -> None:
    assert names_in(STUB.body) == public(core)


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_the_stub_has_the_names_of_each_type(name: str) -> None:
    made = getattr(core, name)
    inherited = public(made.__base__)
    stated = names_in(CLASSES[name].body) | ({"index", "count"} if name == "Column" else set())
    assert stated - inherited == public(made) - inherited


def test_functions_take_as_many_arguments_as_their_source_reads() -> None:
    """Each function of the core parses its arguments itself: one too many is a TypeError, never ignored."""
    for node in STUB.body:
        if isinstance(node, ast.FunctionDef):
            arguments = len(node.args.posonlyargs)
            assert arguments, node.name
            with pytest.raises(TypeError):
                getattr(core, node.name)(*[None] * (arguments + 1))


def test_nothing_in_the_stub_is_of_any_type() -> None:
    assert not [node.lineno for node in ast.walk(STUB) if isinstance(node, ast.Name) and node.id == "Any"]
