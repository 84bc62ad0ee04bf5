"""What a request may choose, and what it may not."""

from __future__ import annotations

import dataclasses

import pytest

from duramen.cli import main
from duramen.options import FetchOptions, Limits
from duramen.service.parameters import PARAMETERS, batch_from_json, from_json, from_query
from duramen.service.problems import ProblemError

FIELDS = {field.name for make in (FetchOptions, Limits) for field in dataclasses.fields(make)} - {"render"}
OPERATORS = [
    *sorted(FIELDS),
    "rules",
    "filter_lists",
    "limits",
    "output",
    "fetch",
    "workbench",
    "token",
    "path",
    "args",
]
"""Files, proxies, headers, arguments of the browser and limits: for the operator alone."""


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("value", ["/etc/passwd", "http://127.0.0.1:1/"])
def test_what_the_operator_chooses_is_no_parameter(name: str, value: str) -> None:
    page = {"url": "https://a.example/"}
    assert name not in PARAMETERS
    for refuse in (
        lambda: from_query([*page.items(), (name, value)]),
        lambda: from_json({**page, "options": {name: value}}),
        lambda: from_json({**page, name: value}),
        lambda: batch_from_json({"pages": [page], "options": {name: value}}),
    ):
        with pytest.raises(ProblemError):
            refuse()


@pytest.mark.parametrize("command", ["serve", "mcp"])
def test_servers_listen_on_this_machine_unless_told_otherwise(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    assert "default: 127.0.0.1, this machine only" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(("name", "meant"), [("htm", "html"), ("option", "options"), ("mod", "mode")])
def test_a_name_in_a_body_that_is_misspelt(name: str, meant: str) -> None:
    with pytest.raises(ProblemError) as refused:
        from_json({"html": "<p>Oaks.", name: "recall"})
    assert refused.value.problem.errors == ((name, f"is unknown; did you mean {meant}?"),)
