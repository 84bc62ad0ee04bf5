"""Scores the pages of a corpus in parallel. With an output folder, each score is written as soon as it is known."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from duramen.batch.records import Record
from duramen.batch.stream import extract_many
from duramen.batch.versions import versions
from duramen.corpus import Corpus
from duramen.errors import OptionError
from duramen.evaluation.scoring import PageScore, score_page
from duramen.options import Options

JOURNAL = "pages.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to evaluate, and how."""

    options: Options = field(default_factory=Options)
    extractor: str = ""
    """``module:function`` to call instead of the engine, as for batch runs."""
    limit: int | None = None
    workers: int | None = None
    deadline: float = 60.0

    def __post_init__(self) -> None:
        for name, value in (("limit", self.limit), ("workers", self.workers), ("deadline", self.deadline)):
            if value is not None and not value > 0:
                raise OptionError(f"{name} must be above 0, not {value!r}")

    def identity(self, corpus: Corpus) -> dict[str, Any]:
        """The settings that must be equal for scores to be combined."""
        made = {"corpus": corpus.name, "digest": corpus.digest, **versions(self.options), "extractor": self.extractor}
        return made | {"options": json.loads(json.dumps(asdict(self.options)))}


def evaluate(corpus: Corpus, plan: Plan, journal: Journal | None = None) -> Iterator[PageScore]:
    """The score of every page in the order of the corpus; scores in the journal are not computed again."""
    truths = list(corpus)[: plan.limit]
    known = journal.scores if journal is not None else {}
    unreadable: dict[str, str] = {}

    def pages() -> Iterator[Record]:
        for truth in truths:
            if truth.id not in known:
                try:
                    body = corpus.page(truth.id, plan.options.limits.max_bytes)
                except OSError as error:
                    unreadable[truth.id], body = f"unreadable: {error}", b""
                yield Record(truth.id, body, truth.url)

    left = sum(truth.id not in known for truth in truths)
    outcomes = extract_many(
        pages(),
        options=plan.options,
        workers=min(plan.workers, max(1, left)) if plan.workers else None,
        deadline=plan.deadline,
        extractor=plan.extractor,
    )
    for truth in truths:
        if truth.id in known:
            yield known[truth.id]
            continue
        outcome = next(outcomes)
        failure = unreadable.get(truth.id)
        if failure is None and outcome.failure is not None:
            failure = f"{outcome.failure.code}: {outcome.failure.message}"
        score = score_page(truth, None if failure else outcome.result, failure)
        if journal is not None:
            journal.add(score)
        yield score


class Journal:
    """A file with one score per line, after a header with the identity. A stopped evaluation resumes from it."""

    def __init__(self, folder: Path, identity: dict[str, Any], pages: int, restart: bool = False) -> None:
        self.path = folder / JOURNAL
        self.scores: dict[str, PageScore] = {}
        folder.mkdir(parents=True, exist_ok=True)
        head = json.dumps(identity, sort_keys=True)
        if not restart and self.path.exists():
            self._read(head)
        # A complete journal may come from an earlier state of the code, which its identity does not include.
        if len(self.scores) >= pages:
            self.scores = {}
        with self.path.open("w", encoding="utf-8") as file:
            file.write(f"{head}\n")
            file.writelines(f"{_line(score)}\n" for score in self.scores.values())

    def _read(self, head: str) -> None:
        first, *lines = self.path.read_text(encoding="utf-8", errors="replace").split("\n")
        if first != head:
            return
        for line in lines:
            try:
                score = PageScore.from_dict(json.loads(line))
            except (ValueError, TypeError, KeyError):  # cut off when the run was stopped
                continue
            self.scores[score.id] = score

    def add(self, score: PageScore) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(f"{_line(score)}\n")


def _line(score: PageScore) -> str:
    return json.dumps(asdict(score), ensure_ascii=False)
