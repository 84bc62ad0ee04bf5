"""Ray and Spark, for real on this machine: the same bytes as the embedded engine, bad pages and lost nodes included."""

from __future__ import annotations

import importlib.util
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from archives import page, write_warc

from duramen.batch.job import Job
from duramen.batch.run import run_batch
from duramen.batch.storage import scratch_folder

pytestmark = pytest.mark.timeout(400)

RAY = importlib.util.find_spec("ray") is not None
SPARK = importlib.util.find_spec("pyspark") is not None
REQUIRED = os.environ.get("DURAMEN_REQUIRE_CLUSTER") == "1"

needs_ray = pytest.mark.skipif(not RAY and not REQUIRED, reason="needs the extra 'ray'")
needs_spark = pytest.mark.skipif(
    not (SPARK and shutil.which("java")) and not REQUIRED, reason="needs the extra 'spark' and Java 17"
)

WORDS = {3: "EXIT", 11: "LOOP", 20: "RAISE"}


def written(out: Path) -> dict[str, bytes]:
    files = (path for kind in ("pages", "failures") for path in (out / kind).iterdir())
    return {f"{path.parent.name}/{path.name}": path.read_bytes() for path in files}


@pytest.fixture(scope="module", autouse=True)
def _cleared() -> Iterator[None]:
    """A cluster kills its workers, which leave their scratch folders to whoever comes next."""
    yield
    with scratch_folder():
        pass


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("fastwarc", reason="needs the extra 'batch'")
    bodies = [page(n, WORDS.get(n, "")) for n in range(24)]
    return write_warc(tmp_path_factory.mktemp("cluster") / "a.warc.gz", bodies)


@pytest.fixture(scope="module")
def expected(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    out = tmp_path_factory.mktemp("embedded") / "out"
    summary = run_batch([str(archive)], job(out), workers=2, shard_size=3000)
    assert summary.total.codes == {"crash": 1, "error": 1, "timeout": 1} and summary.shards > 3
    return written(out)


def job(out: Path) -> Job:
    return Job(output=str(out), extractor="faulty:faulty", deadline=1.0)


def command(archive: Path, out: Path, engine: str) -> list[str]:
    base = [sys.executable, "-m", "duramen", "batch", str(archive), "--output", str(out), "--engine", engine]
    return [*base, "--shard-size", "3k", "--extractor", "faulty:faulty", "--deadline", "1"]


@pytest.fixture
def environment() -> dict[str, str]:
    """A cluster's processes find our modules by the environment."""
    paths = os.pathsep.join(filter(None, sys.path))
    quiet = {"RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0", "RAY_USAGE_STATS_ENABLED": "0", "RAY_DEDUP_LOGS": "0"}
    return os.environ | quiet | {"PYTHONPATH": paths, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}


PAGES = """
import sys
from archives import page
from duramen.cli import main
pages = [{"html": page(n, "EXIT" if n == 2 else ""), "url": f"https://oaks.example/{n}"} for n in range(6)]
def show(rows):
    print(sorted((row["url"][-1], row["failure"], "page " + row["url"][-1] in (row["text"] or "")) for row in rows))
"""

RAY_SCRIPT = """
import ray
from duramen.batch.engines.ray import ExtractTable
ray.init(num_cpus=2, log_to_driver=False, logging_level="ERROR", include_dashboard=False)
assert main(sys.argv[1:]) == 0
made = {"extractor": "faulty:faulty"}
data = ray.data.from_items(pages)
show(data.map_batches(ExtractTable, batch_format="pyarrow", concurrency=1, fn_constructor_kwargs=made).iter_rows())
"""

SPARK_SCRIPT = """
from pyspark.sql import SparkSession
from duramen.batch.engines.spark import extract_frame
session = SparkSession.builder.master("local[2]").getOrCreate()
assert main(sys.argv[1:]) == 0
rows = [(page["html"], page["url"]) for page in pages]
frame = session.createDataFrame(rows, "html binary, url string").repartition(2)
show(extract_frame(frame, extractor="faulty:faulty").collect())
"""


@pytest.mark.parametrize("engine", [pytest.param("ray", marks=needs_ray), pytest.param("spark", marks=needs_spark)])
def test_clusters_do_the_same(
    engine: str, archive: Path, expected: Any, environment: dict[str, str], tmp_path: Path
) -> None:
    """A whole run writes the bytes of the embedded engine, and a frame of pages is mapped row by row."""
    script = PAGES + (RAY_SCRIPT if engine == "ray" else SPARK_SCRIPT)
    arguments = command(archive, tmp_path / "out", engine)[3:]
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "24 pages in = 21 rows + 3 failures" in done.stderr
    assert written(tmp_path / "out") == expected
    wanted = [(str(n), "crash" if n == 2 else None, n != 2) for n in range(6)]
    assert done.stdout.splitlines()[-1] == str(wanted)


@pytest.fixture
def two_nodes(environment: dict[str, str], tmp_path: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A Ray cluster of two nodes on this machine: its address, and the second node's process."""
    # Whoever is to join needs the cluster's token; this one is made here and ends with the cluster.
    environment |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    ray = str(Path(sys.executable).with_name("ray"))
    port = 20_000 + os.getpid() % 20_000
    options = ["--num-cpus", "1", "--disable-usage-stats", "--object-store-memory", "100000000"]
    head_options = ["--head", "--port", str(port), "--include-dashboard", "false", "--temp-dir", f"/tmp/r{os.getpid()}"]
    nodes: list[subprocess.Popen[bytes]] = []
    try:
        for extra in ([*head_options], ["--address", f"127.0.0.1:{port}"]):
            log = (tmp_path / f"node{len(nodes)}.log").open("wb")
            with log:
                start = [ray, "start", "--block", "--node-ip-address", "127.0.0.1", *extra, *options]
                nodes.append(subprocess.Popen(start, env=environment, stdout=log, stderr=log, start_new_session=True))
            time.sleep(6)
        assert all(node.poll() is None for node in nodes), (tmp_path / "node0.log").read_text()
        yield f"127.0.0.1:{port}", nodes[1]
    finally:
        for node in reversed(nodes):
            if node.poll() is None:
                os.killpg(node.pid, signal.SIGKILL)
            node.wait()
        shutil.rmtree(f"/tmp/r{os.getpid()}", ignore_errors=True)


def raylets(address: str) -> list[str]:
    """The nodes of a cluster that are alive."""
    commands = {path.parent.name: path.read_bytes().split(b"\0") for path in Path("/proc").glob("[0-9]*/cmdline")}
    port = address.rpartition(":")[2].encode()
    found = [pid for pid, words in commands.items() if words[0].endswith(b"/raylet/raylet")]
    return [pid for pid in found if any(word.endswith(b":" + port) for word in commands[pid])]


@needs_ray
def test_a_node_that_is_lost_costs_nothing(
    two_nodes: tuple[str, subprocess.Popen[bytes]], environment: dict[str, str], tmp_path: Path
) -> None:
    address, second = two_nodes
    archive = write_warc(tmp_path / "a.warc.gz", [page(n, WORDS.get(n, "DAWDLE " * 3)) for n in range(120)])
    whole = tmp_path / "whole"
    run_batch([str(archive)], job(whole), workers=2, shard_size=3000)
    out = tmp_path / "out"
    run = subprocess.Popen(
        command(archive, out, "ray"),
        env=environment | {"RAY_ADDRESS": address},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    marks = out / "run" / "done"
    while run.poll() is None and (not marks.is_dir() or len(list(marks.iterdir())) < 3):
        time.sleep(0.1)
    assert run.poll() is None, run.communicate()[1].decode()
    assert len(raylets(address)) == 2
    os.killpg(second.pid, signal.SIGKILL)
    second.wait()
    assert len(raylets(address)) == 1
    told = run.communicate()[1].decode()
    assert run.returncode == 0, told
    assert "120 pages in = 117 rows + 3 failures" in told
    assert written(out) == written(whole)
