"""The plan of a run: its shards, written when it begins, read when it is resumed, extended by retries."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from duramen.batch.carried import plan_carried
from duramen.batch.checkpoint import done_parts
from duramen.batch.input_files import InputPath, expand
from duramen.batch.inputs import INPUTS, check_inputs, record_inputs
from duramen.batch.job import Job
from duramen.batch.records import CODES
from duramen.batch.shards import Shard
from duramen.batch.sinks import read_table, suffix_of
from duramen.batch.sources import plan_shards
from duramen.batch.storage import Folder
from duramen.batch.versions import versions
from duramen.errors import BatchError, OptionError

JOB, PLAN, SUMMARY = "run/job.json", "run/plan.jsonl", "summary.json"
_OUTPUT = ("pages", "index", "failures", "dropped", "duplicates.parquet", "duplicates.jsonl", "duplicates.jsonl.zst")
_STATE = (PLAN, INPUTS, "run/done", "run/journal", "run/survey", "run/signatures", "run/duplicates", "run/staged")
_MORE_STATE = ("run/assembled", "run/assembly.jsonl", "run/repeated.npy", "run/files")


def prepare(
    folder: Folder,
    inputs: Sequence[str],
    job: Job,
    kind: str | None = None,
    shard_size: int | None = None,
    restart: bool = False,
    any_version: bool = False,
) -> tuple[list[Shard], Job]:
    """The plan of the run to resume, or a new one; and the job with what was found out when it was planned."""
    if restart:
        clear(folder)
    resolved = [path if "://" in path else str(Path(path).resolve()) for path in inputs]
    made = {"inputs": resolved, "kind": kind, "shard_size": shard_size} | versions(job.options)
    if folder.exists(JOB):
        lines = folder.read(JOB).decode().splitlines()
        before = Job.from_json(lines[0])
        job = replace(job, reading=replace(job.reading, carried=before.reading.carried))
        ignored = tuple(versions(job.options)) if any_version else ()
        _check_same(folder, job, before, made, json.loads(lines[1]), ignored)
        check_inputs(folder, resolved, job, kind)
        return [Shard.from_json(line) for line in folder.read(PLAN).splitlines()], job
    if [name for name in folder.names("", "") if name != "run"]:
        raise BatchError(f"{folder.root}: the folder is not empty and contains no run; choose another --output")
    files = [file for given in inputs for file in expand(given, kind, job.reading.archives)]
    job = replace(job, reading=replace(job.reading, carried=_carried(files, job)))
    shards = plan_shards(files, job.reading, shard_size)
    write_plan(folder, shards)
    record_inputs(folder, resolved, job, kind)
    folder.write(JOB, f"{job.to_json()}\n{json.dumps(made, sort_keys=True)}\n".encode())
    return shards, job


def write_plan(folder: Folder, shards: Sequence[Shard]) -> None:
    folder.write(PLAN, "".join(shard.to_json() + "\n" for shard in shards).encode())


def _carried(files: Sequence[InputPath], job: Job) -> str:
    """The inputs' own columns that the rows carry through."""
    tables = [file for file in files if file.kind in ("jsonl", "parquet")]
    if not tables or job.carry == ():
        return plan_carried([], job.reading, job.carry, False)
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(lambda file: (file.path, _columns(file)), tables))
    return plan_carried(found, job.reading, job.carry, any(file.kind == "jsonl" for file in tables))


def _columns(file: InputPath) -> dict[str, Any]:
    columns: dict[str, Any] = import_module(f"duramen.batch.sources.{file.kind}").columns(file.path)
    return columns


def _check_same(
    folder: Folder, job: Job, before: Job, made: dict[str, Any], made_before: dict[str, Any], ignored: tuple[str, ...]
) -> None:
    other = [name for name in made if name not in ignored and made[name] != made_before.get(name)]
    changed = job.differences(before) + other
    if changed:
        raise BatchError(
            f"{folder.root}: the run in this folder differs in {', '.join(changed)}; use the same options to resume it,"
            " --restart to start over, or another --output"
        )


def retry_codes(codes: Sequence[str]) -> tuple[str, ...]:
    """The failure codes to retry; ``all`` means all of them."""
    unknown = [code for code in codes if code not in (*CODES, "all")]
    if unknown or not codes:
        raise OptionError(f"retry must name some of all, {', '.join(CODES)}, not {unknown or 'none'}")
    return CODES if "all" in codes else tuple(codes)


def plan_retries(folder: Folder, job: Job, shards: list[Shard], codes: Sequence[str]) -> list[Shard]:
    """The plan with a new shard for every finished one that has failures with these codes."""
    done = done_parts(folder)
    new: list[Shard] = []
    for shard in shards:
        if shard.part not in done:
            continue
        rows = read_table(folder, f"failures/{shard.part}{suffix_of(job)}", ("item", "code"))
        only = tuple((row["item"], row["code"]) for row in rows if row["code"] in codes)
        if only:
            new.append(replace(shard, number=len(shards) + len(new), only=only, retries=shard.number))
    if new:
        # The old summary is not true any more.
        folder.remove(SUMMARY)
        write_plan(folder, shards + new)
    return shards + new


def clear(folder: Folder) -> None:
    """Remove what an earlier run wrote."""
    if folder.exists(JOB):
        for name in (JOB, *_OUTPUT, SUMMARY, *_STATE, *_MORE_STATE):
            folder.remove(name)


def run_digest(folder: Folder) -> str:
    """Identifies the run in a folder: equal only for the same job, plan and state of the inputs."""
    digest = hashlib.blake2b(folder.root.encode(), digest_size=12)
    for name in (JOB, INPUTS):
        digest.update(folder.read(name))
    return digest.hexdigest()
