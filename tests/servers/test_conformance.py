"""The public conformance suite against our server, where it is installed.

npm install @modelcontextprotocol/conformance      # with Node 22 or newer
DURAMEN_CONFORMANCE=node_modules/.bin/conformance scripts/test tests/servers/test_conformance.py
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .process import listening

SUITE = os.environ.get("DURAMEN_CONFORMANCE", "")
NOT_OFFERED = {
    "completion-complete",  # no argument of ours has a list of values
    "logging-set-level",  # logging goes to standard error; the protocol has given it up
    "tools-call-with-logging",
    "resources-subscribe",  # a page that was read does not change
    "resources-unsubscribe",
    "tools-call-sampling",  # nothing is asked of the client
    "tools-call-elicitation",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
    "server-sse-polling",  # streams are not resumed; the protocol has given it up
    "json-schema-2020-12",  # a schema that only a server made for the suite has
}


@pytest.mark.skipif(not SUITE, reason="needs the conformance suite of npm; DURAMEN_CONFORMANCE names its command")
@pytest.mark.timeout(300)
def test_everything_that_is_offered(root: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.servers.conformant", "0"]
    with listening(command, {**os.environ, "PYTHONPATH": f"{root / 'src'}{os.pathsep}{root}"}) as (address, _):
        arguments = [*SUITE.split(), "server", "--url", f"{address}/mcp", "--suite", "all", "-o", str(tmp_path)]
        told = subprocess.run(arguments, capture_output=True, text=True, timeout=280).stdout
    summary = told.partition("=== SUMMARY ===")[2]
    passed, failed = (set(re.findall(rf"^{mark} ([\w-]+):", summary, re.M)) for mark in "✓✗")
    assert failed <= NOT_OFFERED, told[-3000:]
    assert len(passed) >= 21
