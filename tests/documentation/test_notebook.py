"""The notebook in ``examples`` runs from top to bottom, in a new process, as Jupyter would run it."""

from __future__ import annotations

import json
import subprocess
import sys

from .examples import ROOT

NOTEBOOK = ROOT / "examples" / "notebook.ipynb"
RUN = """
import ast, json, sys
from pathlib import Path

names = {}
for cell in json.loads(Path(sys.argv[1]).read_text("utf-8"))["cells"]:
    if cell["cell_type"] != "code":
        continue
    body = ast.parse("".join(cell["source"])).body
    shown = body.pop() if isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), cell["id"], "exec"), names)
    if shown is not None:
        value = eval(compile(ast.Expression(shown.value), cell["id"], "eval"), names)
        if value is not None:
            print(value._repr_html_() if hasattr(value, "_repr_html_") else repr(value))
"""


def test_notebook_runs() -> None:
    command = [sys.executable, "-W", "error", "-c", RUN, str(NOTEBOOK)]
    done = subprocess.run(command, cwd=NOTEBOOK.parent, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr[-2000:]
    title = "<h1>Why old beams outlast new ones</h1>"
    for expected in (title, "'author': 'Ines Halvorsen'", "trials on decay fungi", "drop 0."):
        assert expected in done.stdout, expected


def test_notebook_is_stored_without_output() -> None:
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    for cell in notebook["cells"]:
        assert cell["cell_type"] == "markdown" or (cell["outputs"], cell["execution_count"]) == ([], None)
