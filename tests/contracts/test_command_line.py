"""Commands and their options, pinned."""

from __future__ import annotations

import re

import pytest

from duramen.cli import main

COMMON = (
    "--captions --comments --encoding --filter-list --formulas --front-matter --help --keep-classes --mode"
    " --no-images --no-links --nofollow --post-headings --reference-links --rules --selector-cache"
    " --step-headings --strategy --strip-tracking --tables --title-heading --url"
)
NETWORK = (
    "--allow-private --browser --browser-state --cache --cookies --delay --header --ignore-robots --join-pages"
    " --max-bytes --netrc --proxy --render --scroll --timeout --user-agent --wait-for"
)
LISTEN = (
    "--allow-origin --body-seconds --grace-seconds --head-seconds --host"
    " --max-connections --max-connections-per-client --port --token-file"
)
OPTIONS = {
    "extract": f"{COMMON} {NETWORK} --format --output --quiet --records --strict",
    "explain": f"{COMMON} {NETWORK} --json",
    "links": f"{NETWORK} --from --help --limit",
    "batch": f"{COMMON} {NETWORK}".replace(" --url ", " ")
    + " --archives --boilerplate --compress --content --deadline --duplicates --engine --extractor --from"
    " --from-sitemap --html-column --id-column --memory --output --quiet --restart --shard-size --to --url-column"
    " --workers --carry --columns --parts"
    " --drop --drop-duplicates --dropped --engine-option --file-size --keep --partition --retry-failures",
    "rules": "--help",
    "eval": f"{COMMON}".replace(" --url", "").replace(" --selector-cache", "")
    + " --content-right --deadline --extractor --inspector --json --limit --output --quiet --restart --workers --worst",
    "cache": "--file --help --json",
    "mcp": f"{NETWORK} {LISTEN} --help --http",
    "serve": f"{NETWORK} {LISTEN} --corpus --help --max-body --max-requests --seconds --workbench --workers",
    "completion": "--help",
}
ACTIONS = {
    "list": "--help --json --rules",
    "show": "--help --json --rules",
    "new": "--help --output --rules --url",
    "check": "--help --json --rules",
    "test": "--help --json --rules",
}
"""Of ``duramen rules``."""


def help_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as stop:
        main([*arguments, "--help"])
    assert stop.value.code == 0
    return capsys.readouterr().out


def test_commands_are_pinned(capsys: pytest.CaptureFixture[str]) -> None:
    text = help_of(capsys)
    assert re.findall(r"^ {4}(\w+)(?: |$)", text, re.M) == list(OPTIONS)
    assert "--version" in text


@pytest.mark.parametrize("command", OPTIONS)
def test_options_are_pinned(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    listed = re.findall(r"^  (?:-\w(?: \S+)?, )?(--[\w-]+)", help_of(capsys, command), re.M)
    assert sorted(listed) == sorted(OPTIONS[command].split())


def test_actions_on_rules_are_pinned(capsys: pytest.CaptureFixture[str]) -> None:
    assert re.findall(r"^ {4}(\w+) ", help_of(capsys, "rules"), re.M) == list(ACTIONS)


@pytest.mark.parametrize("action", ACTIONS)
def test_options_on_rules_are_pinned(action: str, capsys: pytest.CaptureFixture[str]) -> None:
    listed = re.findall(r"^  (?:-\w(?: \S+)?, )?(--[\w-]+)", help_of(capsys, "rules", action), re.M)
    assert sorted(listed) == sorted(ACTIONS[action].split())
