"""The parser of the command line: its errors are one sentence, which says what to write."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from duramen.cli.colour import paint

_CHOICE = re.compile(r"invalid choice: '?(?P<word>.*?)'? \(choose from (?P<choices>.*)\)", re.S)


class Parser(argparse.ArgumentParser):
    """Prints errors without the list of all options, which ``--help`` shows."""

    def error(self, message: str) -> NoReturn:
        if wrong := _CHOICE.search(message):
            advice = did_you_mean(wrong["word"], re.findall(r"[\w-]+", wrong["choices"]))
            message = f"{message[: wrong.start()]}{wrong['word']!r} is unknown; {advice}"
            if message.startswith("argument COMMAND: ") and _is_source(wrong["word"]):
                message = f"{wrong['word']} is not a command; write: duramen extract {wrong['word']}"
        message = re.sub(r"invalid (int|float) value: ('.*')$", _not_a_number, message, flags=re.S)
        if message.endswith("required: COMMAND"):
            message = "name a command, such as: duramen extract page.html"
        message = message.removeprefix("argument COMMAND: ")
        self.exit(2, f"{self.prog}: {paint('error:', 'red', sys.stderr)} {message} (help: {self.prog} --help)\n")

    def refuse(self, words: Sequence[str]) -> NoReturn:
        """Report words that no argument takes."""
        actions = list(self._actions)
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                actions += [inner for parser in action.choices.values() for inner in parser._actions]
        known = dict.fromkeys(flag for action in actions for flag in action.option_strings if flag.startswith("--"))
        flag = next((word.partition("=")[0] for word in words if word.startswith("-")), "")
        self.error(f"unknown: {' '.join(words)}" + (f"; {did_you_mean(flag, list(known))}" if flag else ""))


def _not_a_number(found: re.Match[str]) -> str:
    return f"{found[2]} is not a {'whole ' if found[1] == 'int' else ''}number"


def did_you_mean(word: str, known: Sequence[str]) -> str:
    """
    >>> did_you_mean("extrct", ["extract", "explain"])
    'did you mean extract?'
    """
    from difflib import get_close_matches

    near = get_close_matches(word, known, 1, 0.6)
    return f"did you mean {near[0]}?" if near else f"available: {', '.join(known)}"


def _is_source(word: str) -> bool:
    return word == "-" or "://" in word or Path(word).exists()
