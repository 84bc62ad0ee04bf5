"""A whole run: its folder, its plan, and resuming after a stop.

OUTPUT/
  pages/part-00000.parquet      a row for each page, in the order of the input
  failures/part-00000.parquet   a row for each page that failed
  duplicates.parquet            only with ``duplicates``
  summary.json                  when the run is complete
  run/                          job.json, plan.jsonl, inputs.jsonl, done/ (a mark for each finished shard), journal/,
                                lock
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from duramen.batch.checkpoint import Report, done_parts, reports, total
from duramen.batch.inputs import INPUTS, check_inputs, record_inputs
from duramen.batch.job import Job
from duramen.batch.locks import lock
from duramen.batch.progress import Progress
from duramen.batch.shards import Shard
from duramen.batch.sources import plan_shards
from duramen.batch.storage import UNFINISHED, Folder, scratch_folder
from duramen.batch.supervisor import Stopped, Supervisor
from duramen.batch.tasks import journal_folder
from duramen.batch.versions import versions
from duramen.errors import BatchError, OptionError

JOB, PLAN, SUMMARY = "run/job.json", "run/plan.jsonl", "summary.json"


@dataclass(frozen=True, slots=True)
class Summary:
    """The outcome of a run. ``read`` always equals ``rows`` plus ``failures``."""

    total: Report
    shards: int
    done: int
    seconds: float
    pages: int
    """Pages extracted by this call, without those that were finished before it resumed."""
    stopped: bool
    versions: Mapping[str, str]

    @property
    def complete(self) -> bool:
        return self.done == self.shards

    @property
    def adds_up(self) -> bool:
        return self.total.read == self.total.rows + self.total.failures

    def to_dict(self) -> dict[str, Any]:
        data = {name: value for name, value in asdict(self.total).items() if name != "part"}
        data |= {"adds_up": self.adds_up, "complete": self.complete, "shards": self.shards, "shards_done": self.done}
        rate = round(self.pages / self.seconds, 2) if self.seconds > 0 else 0.0
        return data | {"seconds": round(self.seconds, 2), "pages_per_second": rate, **self.versions}


def default_workers() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_batch(
    inputs: Sequence[str],
    job: Job,
    *,
    kind: str | None = None,
    shard_size: int | None = None,
    workers: int | None = None,
    engine: str = "local",
    restart: bool = False,
    progress: Progress | None = None,
) -> Summary:
    """Extract all pages of the inputs into ``job.output``; called again after a stop, it resumes."""
    if workers is not None and (isinstance(workers, bool) or not isinstance(workers, int) or workers < 1):
        raise OptionError(f"workers must be at least 1, not {workers!r}")
    folder = Folder(job.output)
    with _held(folder), _scratch(job) as job:
        folder.remove(UNFINISHED)
        shards = prepare(folder, inputs, job, kind, shard_size, restart)
        done = done_parts(folder)
        progress = progress or Progress(quiet=True)
        progress.begin(shards, done)
        began, stopped = time.monotonic(), False
        try:
            _map_all(folder, job, shards, done, workers, engine, progress)
        except Stopped:
            stopped = True
        summary = _summary(folder, job, shards, time.monotonic() - began, stopped, progress)
        if summary.complete:
            folder.write(SUMMARY, json.dumps(summary.to_dict(), indent=2).encode())
            folder.remove(UNFINISHED)
            # A journal is left over if its worker was killed after writing the mark, before removing the journal.
            for journal in journal_folder(job).glob("*part-*"):
                journal.unlink(missing_ok=True)
        return summary


def _map_all(
    folder: Folder, job: Job, shards: list[Shard], done: set[str], workers: int | None, engine: str, progress: Progress
) -> None:
    mapper = _engine(engine)
    if job.boilerplate:
        from duramen.batch import boilerplate

        if not folder.exists(boilerplate.TABLE):
            surveyed = boilerplate.surveyed_parts(folder)
            left = [shard for shard in shards if shard.part not in surveyed]
            progress.survey(len(left))
            mapper(job, left, workers, progress, True)
            boilerplate.merge(folder)
    progress.extraction()
    mapper(job, [shard for shard in shards if shard.part not in done], workers, progress, False)
    if job.duplicates:
        from duramen.batch import duplicates

        duplicates.merge(folder, job)


def _engine(name: str) -> Any:
    if name == "local":
        return map_locally
    from importlib import import_module

    if name not in ("ray", "spark"):
        raise OptionError(f"engine must be one of 'local', 'ray', 'spark', not {name!r}")
    return import_module(f"duramen.batch.engines.{name}").map_shards


def map_locally(job: Job, shards: list[Shard], workers: int | None, progress: Progress, survey: bool) -> None:
    """Map shards on this machine."""
    with Supervisor(job, workers or default_workers(), progress.update) as supervisor, _stopping_by_signal(supervisor):
        for report in supervisor.run(shards, survey):
            progress.done(report)
        progress.close(supervisor)


@contextmanager
def _stopping_by_signal(supervisor: Supervisor) -> Iterator[None]:
    """Ctrl-C and SIGTERM stop the run after the current pages; a second signal stops it at once."""

    def stop(number: int, _: object) -> None:
        if supervisor.stop:
            raise KeyboardInterrupt
        supervisor.stop = True

    try:
        before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    except ValueError:  # not the main thread: the caller handles signals
        yield
        return
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def prepare(
    folder: Folder, inputs: Sequence[str], job: Job, kind: str | None, shard_size: int | None, restart: bool
) -> list[Shard]:
    """The plan of the run to resume, or a new one."""
    inputs = [path if "://" in path else str(Path(path).resolve()) for path in inputs]
    if restart:
        _clear(folder)
    made = json.dumps(
        {"inputs": inputs, "kind": kind, "shard_size": shard_size} | versions(job.options), sort_keys=True
    )
    if folder.exists(JOB):
        lines = folder.read(JOB).decode().splitlines()
        _check_same(folder, job, Job.from_json(lines[0]), json.loads(made), json.loads(lines[1]))
        check_inputs(folder, inputs, job, kind)
        return [Shard.from_json(line) for line in folder.read(PLAN).splitlines()]
    if [name for name in folder.names("", "") if name != "run"]:
        raise BatchError(f"{folder.root}: the folder is not empty and contains no run; choose another --output")
    shards = plan_shards(inputs, kind, shard_size)
    folder.write(PLAN, "".join(shard.to_json() + "\n" for shard in shards).encode())
    record_inputs(folder, inputs, job, kind)
    folder.write(JOB, f"{job.to_json()}\n{made}\n".encode())
    return shards


def _check_same(folder: Folder, job: Job, before: Job, made: dict[str, Any], made_before: dict[str, Any]) -> None:
    changed = job.differences(before) + [name for name in made if made[name] != made_before.get(name)]
    if changed:
        raise BatchError(
            f"{folder.root}: the run in this folder differs in {', '.join(changed)}; use the same options to resume it,"
            " --restart to start over, or another --output"
        )


def _clear(folder: Folder) -> None:
    names = ("pages", "index", "failures", "duplicates.parquet", "duplicates.jsonl", "duplicates.jsonl.zst", SUMMARY)
    if folder.exists(JOB):
        for name in (JOB, *names, PLAN, INPUTS, "run/done", "run/journal", "run/survey", "run/signatures"):
            folder.remove(name)
        folder.remove("run/repeated.npy")


@contextmanager
def _held(folder: Folder) -> Iterator[None]:
    """Lock the folder against other runs. Object stores have no locks."""
    if folder.remote:
        yield
        return
    path = folder.path("run/lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a+")
    except OSError as error:
        raise BatchError(f"{error.filename}: {error.strerror}; choose another --output") from error
    with file:
        if not lock(file):
            raise BatchError(f"{folder.root}: another run is writing to this folder; wait for it, or stop it")
        yield


@contextmanager
def _scratch(job: Job) -> Iterator[Job]:
    """A local folder for the journals of a run that writes to remote storage."""
    if job.scratch or not Folder(job.output).remote:
        yield job
        return
    with scratch_folder() as scratch:
        yield replace(job, scratch=scratch)


def _summary(
    folder: Folder, job: Job, shards: list[Shard], seconds: float, stopped: bool, progress: Progress
) -> Summary:
    parts = done_parts(folder)
    done = sum(shard.part in parts for shard in shards)
    return Summary(total(reports(folder)), len(shards), done, seconds, progress.pages, stopped, versions(job.options))
