"""What a cluster's tasks need and the nodes may not have: the job, and the files of rules and filter lists.

Rules travel with the task, so no node needs them on its disk. The engine itself has to be installed on every node, in
the same version: a node with another one fails the task instead of writing other rows.
"""

from __future__ import annotations

import atexit
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from duramen.batch.job import Job
from duramen.batch.storage import scratch_folder
from duramen.batch.supervisor import map_shard
from duramen.batch.versions import versions
from duramen.errors import BatchError


@dataclass(frozen=True, slots=True)
class Shipment:
    """A job with the files it refers to."""

    job: str
    files: tuple[tuple[str, bytes], ...]
    """Relative names and contents. The first part of a name is the number of the rule folder or filter list."""
    versions: tuple[tuple[str, str], ...]


def ship(job: Job) -> Shipment:
    options = job.options
    files: list[tuple[str, bytes]] = []
    for number, place in enumerate((*options.rules, *options.filter_lists)):
        path = Path(place)
        inside = sorted(path.rglob("*.toml")) if path.is_dir() else [path] if path.is_file() else []
        for file in inside:
            name = file.relative_to(path if path.is_dir() else path.parent)
            files.append((f"{number}/{path.name}/{name.as_posix()}", file.read_bytes()))
    return Shipment(job.to_json(), tuple(files), tuple(versions(options).items()))


def map_shipped(shipment: Shipment, shard: str, stage: str) -> str:
    """Process one shard on a node; returns its report as JSON."""
    return map_shard(_unpacked(shipment), shard, stage)


@lru_cache(maxsize=1)
def _unpacked(shipment: Shipment) -> str:
    """The job with paths on this node."""
    job = Job.from_json(shipment.job)
    if shipment.files:
        cleanup = ExitStack()
        atexit.register(cleanup.close)
        folder = Path(cleanup.enter_context(scratch_folder()))
        for name, data in shipment.files:
            path = folder / "files" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        job = replace(job, options=_moved(job, folder / "files", {name.split("/")[0] for name, _ in shipment.files}))
    here = versions(job.options)
    differing = [name for name, value in shipment.versions if here.get(name) != value]
    if differing:
        wanted = dict(shipment.versions)
        name = differing[0]
        raise BatchError(f"this node has {name} {here.get(name)}, but the run began with {wanted[name]}")
    return job.to_json()


def _moved(job: Job, folder: Path, shipped: set[str]):  # type: ignore[no-untyped-def]
    """The options with the paths of the files that were shipped."""
    options = job.options
    rules = tuple(
        str(folder / str(n) / Path(place).name) if str(n) in shipped else place for n, place in enumerate(options.rules)
    )
    lists = tuple(
        str(folder / str(n) / Path(place).name / Path(place).name) if str(n) in shipped else place
        for n, place in enumerate(options.filter_lists, len(options.rules))
    )
    return replace(options, rules=rules, filter_lists=lists)
