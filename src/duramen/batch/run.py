"""A whole run: its folder, its steps, and resuming after a stop.

OUTPUT/
  pages/part-00000.parquet      a row for each page, in the order of the input
  failures/part-00000.parquet   a row for each page that failed
  dropped/…                     only with ``dropped``: the rows that were filtered, with the reason
  duplicates.parquet            only with ``duplicates`` or ``drop_duplicates``
  summary.json                  when the run is complete
  run/                          job.json, plan.jsonl, inputs.jsonl, done/ (a mark for each finished shard), journal/,
                                lock; staged/, assembly.jsonl and assembled/ if the files depend on all pages
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from duramen.batch import assembly
from duramen.batch.checkpoint import STAGED, done_parts
from duramen.batch.inputs import check_inputs
from duramen.batch.job import Job
from duramen.batch.locks import lock
from duramen.batch.plan import SUMMARY, plan_retries, prepare, retry_codes, run_digest
from duramen.batch.progress import Progress
from duramen.batch.shards import Shard
from duramen.batch.storage import UNFINISHED, Folder
from duramen.batch.summary import Summary, count
from duramen.batch.supervisor import Stopped, Supervisor
from duramen.batch.tasks import ASSEMBLE, EXTRACT, SURVEY, journal_folder
from duramen.batch.versions import versions
from duramen.errors import BatchError, OptionError


@dataclass(slots=True)
class Stop:
    """Set by a signal, read by the engine between pages."""

    requested: bool = False


@dataclass(frozen=True, slots=True)
class Work:
    """Some shards to process, as an engine gets them."""

    job: Job
    shards: Sequence[Shard]
    stage: str
    workers: int | None
    options: Mapping[str, str]
    """Settings of the engine itself, such as the address of a cluster."""
    progress: Progress
    stop: Stop = field(default_factory=Stop)


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
    engine_options: Mapping[str, str] | None = None,
    restart: bool = False,
    retry: Sequence[str] = (),
    progress: Progress | None = None,
) -> Summary:
    """Extract all pages of the inputs into ``job.output``; called again after a stop, it resumes.

    ``retry`` has failure codes, or ``all``: when all pages are done, those that failed so are tried again.
    """
    if workers is not None and (isinstance(workers, bool) or not isinstance(workers, int) or workers < 1):
        raise OptionError(f"workers must be at least 1, not {workers!r}")
    codes = retry_codes(retry) if retry else ()
    mapper = _engine(engine)
    folder = Folder(job.output)
    with _held(folder):
        folder.remove(UNFINISHED)
        shards, job = prepare(folder, inputs, job, kind, shard_size, restart, any_version=bool(codes))
        with _scratch(folder, job) as job:
            progress = progress or Progress(quiet=True)
            began, work = time.monotonic(), Work(job, (), EXTRACT, workers, engine_options or {}, progress)
            try:
                # A retry that was stopped is finished first; only then may another begin.
                retrying = any(shard.only and shard.part not in done_parts(folder) for shard in shards)
                worked = _finish(folder, shards, work, mapper)
                if codes and not retrying:
                    shards = plan_retries(folder, job, shards, codes)
                    worked = _finish(folder, shards, work, mapper) or worked
                stopped = False
            except Stopped:
                stopped = worked = True
            if not worked:
                _clear_leftovers(folder, job)
                return Summary.from_dict(json.loads(folder.read(SUMMARY)))
            if not stopped:
                check_inputs(folder, inputs, job, kind)
            found, done = count(folder, job, shards, stopped)
            seconds = time.monotonic() - began
            summary = Summary(found, len(shards), done, seconds, progress.pages, stopped, versions(job.options))
            if summary.complete:
                folder.write(SUMMARY, json.dumps(summary.to_dict(), indent=2).encode())
                _clear_leftovers(folder, job)
            return summary


def _finish(folder: Folder, shards: list[Shard], work: Work, mapper: Callable[[Work], None]) -> bool:
    """Process all shards that are not done, and what depends on all of them. Returns whether anything was left."""
    done = done_parts(folder)
    left = [shard for shard in shards if shard.part not in done]
    if not left and folder.exists(SUMMARY):
        return False
    job, progress = work.job, work.progress
    progress.begin(shards, done)
    if job.boilerplate:
        _survey(folder, shards, work, mapper)
    progress.extraction()
    if left:
        mapper(replace(work, shards=left))
    if job.signs:
        from duramen.batch import duplicates

        duplicates.merge(folder, job)
    if job.staged:
        files = assembly.plan_files(folder, job)
        assembled = {name.removesuffix(".json") for name in folder.names(assembly.DONE, ".json")}
        missing = [file for file in files if file.part not in assembled]
        if missing:
            progress.assembly(missing)
            mapper(replace(work, shards=missing, stage=ASSEMBLE))
    return True


def _survey(folder: Folder, shards: list[Shard], work: Work, mapper: Callable[[Work], None]) -> None:
    from duramen.batch import boilerplate

    if folder.exists(boilerplate.TABLE):
        return
    surveyed = boilerplate.surveyed_parts(folder)
    left = [shard for shard in shards if shard.part not in surveyed and not shard.only]
    work.progress.survey(len(left))
    if left:
        mapper(replace(work, shards=left, stage=SURVEY))
    boilerplate.merge(folder)


def _clear_leftovers(folder: Folder, job: Job) -> None:
    """Remove what a complete run does not need any more."""
    if not folder.remote:
        folder.remove(UNFINISHED)
    if job.staged:
        folder.remove(STAGED)
    # A journal is left over if its worker was killed after writing the mark, before removing the journal.
    for journal in journal_folder(job).glob("*part-*"):
        journal.unlink(missing_ok=True)


def _engine(name: str) -> Callable[[Work], None]:
    if name == "local":
        return map_locally
    from importlib import import_module

    if name not in ("ray", "spark"):
        raise OptionError(f"engine must be one of 'local', 'ray', 'spark', not {name!r}")
    mapper: Callable[[Work], None] = import_module(f"duramen.batch.engines.{name}").map_shards
    return mapper


def map_locally(work: Work) -> None:
    """Map shards on this machine."""
    if work.options:
        raise OptionError("engine options are for the engines 'ray' and 'spark'")
    progress = work.progress
    with (
        stopping_by_signal(work.stop),
        Supervisor(work.job, work.workers or default_workers(), progress.update, work.stop) as supervisor,
    ):
        try:
            for report in supervisor.run(work.shards, work.stage):
                progress.done(report)
        finally:
            progress.close(supervisor)


@contextmanager
def stopping_by_signal(stop: Any) -> Iterator[None]:
    """Ctrl-C and SIGTERM stop the run after the current pages; a second signal stops it at once."""

    def request(number: int, _: object) -> None:
        if stop.requested:
            raise KeyboardInterrupt
        stop.requested = True

    try:
        before = {number: signal.signal(number, request) for number in (signal.SIGINT, signal.SIGTERM)}
    except ValueError:  # not the main thread: the caller handles signals
        yield
        return
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


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
def _scratch(folder: Folder, job: Job) -> Iterator[Job]:
    """A local folder for the journals of a run that writes to remote storage.

    Its name belongs to the run: after a kill, the same command on the same machine finds its journals there.
    """
    if job.scratch or not folder.remote:
        yield job
        return
    scratch = Path(tempfile.gettempdir(), f"duramen-journals-{run_digest(folder)}")
    scratch.mkdir(parents=True, exist_ok=True)
    with (scratch / "lock").open("a+") as held:
        if not lock(held):
            raise BatchError(f"{folder.root}: another run on this machine is writing to it; wait for it, or stop it")
        yield replace(job, scratch=str(scratch))
        if folder.exists(SUMMARY):
            shutil.rmtree(scratch, ignore_errors=True)
