"""Rules of the code that would otherwise rot: who imports whom, how long a file may be, one door to the parser."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted((ROOT / "src" / "duramen").rglob("*.py"))
PARSERS = ("turbohtml", "lxml", "selectolax", "bs4", "html5lib", "html.parser", "xml")
NETWORK = ("urllib.request", "http.client", "ftplib", "smtplib", "asyncio")
"""Of the standard library; import-linter sees to the packages."""
OUTSIDE = ("fetch", "browser", "session.py", "service")
"""What goes to the network, or serves it."""
MAX_LINES = 400
MAX_COMMAND_LINES = 40
MAX_RUN_LINES = 40
"""Of ``pipeline.run``, which shows the whole order of work at one glance."""


def name_of(path: Path) -> str:
    return path.relative_to(ROOT / "src").as_posix()


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def is_below(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def table_lines(tree: ast.Module) -> int:
    """Lines of tables: constants of a module that fill several lines."""
    tables = (node for node in tree.body if isinstance(node, (ast.Assign, ast.AnnAssign)))
    return sum((node.end_lineno or node.lineno) - node.lineno for node in tables)


def calls_itself(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    imports = (node for node in function.body if isinstance(node, ast.ImportFrom))
    if any(function.name == (alias.asname or alias.name) for node in imports for alias in node.names):
        return False
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            target = node.func
            if isinstance(target, ast.Name) and target.id == function.name:
                return True
            if (
                isinstance(target, ast.Attribute)
                and target.attr == function.name
                and isinstance(target.value, ast.Name)
                and target.value.id in ("self", "cls")
            ):
                return True
    return False


def test_packages_import_downwards() -> None:
    # In a process of its own: libraries that other tests import (Twisted) change how exceptions and modules look.
    check = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    done = subprocess.run([sys.executable, "-c", check], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, (
        f"run scripts/check to see which import is wrong: {done.stdout[-500:]}{done.stderr[-500:]}"
    )


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_module(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    lines = source.count("\n") - table_lines(tree)
    assert lines <= MAX_LINES, f"{lines} lines: a module is one thing a user could name; part it"
    names = set(imported(tree))
    if path.relative_to(ROOT / "src" / "duramen").parts[0] not in OUTSIDE:
        assert not any(is_below(name, NETWORK) for name in names), "the core does no I/O"
    # Feeds, sitemaps and other XML are not HTML; the standard library reads them.
    if path.name not in ("dom.py", "xml_reader.py"):
        assert not any(is_below(name, PARSERS) for name in names), "only duramen.dom talks to the HTML parser"
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert not calls_itself(node), f"{node.name}() calls itself; a page may nest 100,000 deep, so loop instead"


def test_modules_say_what_they_are() -> None:
    trees = {name_of(path): ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}
    assert [name for name, tree in trees.items() if tree.body and not ast.get_docstring(tree)] == []


def test_architecture_names_every_module() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    drawn = text[text.index("src/duramen/\n") : text.index("tests/  ")]
    named = set(re.findall(r"[\w/]+\.py|\w+/", drawn))
    # Folders inside a verb's folder hold many of a kind; their own line stands for them.
    deep = {path.name for path in MODULES if len(path.relative_to(ROOT / "src" / "duramen").parts) > 2}
    wanted = {path.name if path.name != "__init__.py" else f"{path.parent.name}/" for path in MODULES}
    assert wanted - named - deep <= {"__main__.py"}
    missing = [name for name in named if name.endswith(".py") and name not in {path.name for path in MODULES}]
    assert missing == []


def test_architecture_can_be_read_at_one_go() -> None:
    assert (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").count("\n") <= 200


def test_commands_are_short() -> None:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in (ROOT / "src/duramen/cli").glob("*.py")]
    functions = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    lengths = {node.name: (node.end_lineno or 0) - node.lineno + 1 for node in functions}
    assert {name: n for name, n in lengths.items() if n > MAX_COMMAND_LINES} == {}


def test_the_order_of_work_fits_on_one_page() -> None:
    tree = ast.parse((ROOT / "src" / "duramen" / "pipeline.py").read_text("utf-8"))
    run = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "run")
    assert (run.end_lineno or 0) - run.lineno + 1 <= MAX_RUN_LINES
