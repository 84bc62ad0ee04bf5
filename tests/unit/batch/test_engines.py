"""Ray and Spark, for real on this machine: the same bytes as the embedded engine, bad pages and lost nodes included."""

from __future__ import annotations

import importlib.util
import json
import os
import re
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


DEADLINE = 4.0
"""Seconds that quick pages stay below even on a busy machine."""


def job(out: Path) -> Job:
    return Job(output=str(out), extractor="faulty:faulty", deadline=DEADLINE)


def command(archive: Path, out: Path, engine: str) -> list[str]:
    base = [sys.executable, "-m", "duramen", "batch", str(archive), "--output", str(out), "--engine", engine]
    return [*base, "--shard-size", "3k", "--extractor", "faulty:faulty", "--deadline", f"{DEADLINE:g}"]


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
    # Whatever the cluster prints, standard output has the summary alone, and what the script prints after it.
    summary, _ = json.JSONDecoder().raw_decode(done.stdout)
    assert summary["rows"] == 21 and summary["pages"] == 24
    assert re.search(r"duramen: 24 pages, .* 100\.0 %, 0 s left, 21 good", done.stderr), done.stderr
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
            limit = time.monotonic() + 120
            while len(raylets(f"127.0.0.1:{port}")) < len(nodes) and time.monotonic() < limit:
                time.sleep(0.5)
            # A raylet joins its cluster a little after it has started.
            time.sleep(3)
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
        [*command(archive, out, "ray"), "--engine-option", f"address={address}", "--engine-option", "num_cpus=1"],
        env=environment,
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


@pytest.mark.parametrize("engine", [pytest.param("ray", marks=needs_ray), pytest.param("spark", marks=needs_spark)])
def test_interrupted_it_ends_with_a_summary_and_goes_on(
    engine: str, environment: dict[str, str], tmp_path: Path
) -> None:
    archive = write_warc(tmp_path / "a.warc.gz", [page(n, "DAWDLE " * 3) for n in range(400)])
    out = tmp_path / "out"
    run = subprocess.Popen(
        command(archive, out, engine), env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    marks = out / "run" / "done"
    while run.poll() is None and (not marks.is_dir() or len(list(marks.iterdir())) < 3):
        time.sleep(0.1)
    assert run.poll() is None, run.communicate()[1].decode()
    run.send_signal(signal.SIGINT)
    output, messages = run.communicate()
    assert run.returncode == 130, messages.decode()
    summary = json.loads(output)
    assert 0 < summary["rows"] == summary["read"] < 400 and not summary["complete"]
    assert "To resume: duramen batch" in messages.decode() and "Traceback" not in messages.decode()
    run_batch([str(archive)], job(out), workers=2, shard_size=3000)
    assert len(list(marks.iterdir())) > summary["shards_done"]


@pytest.fixture
def spark_master(environment: dict[str, str], tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A standalone master with two workers on this machine: its address, and the workers' processes."""
    import pyspark

    script = str(Path(pyspark.__file__).parent / "bin" / "spark-class")
    port = 21_000 + os.getpid() % 20_000
    address = f"spark://127.0.0.1:{port}"
    environment |= {"SPARK_WORKER_DIR": str(tmp_path / "work"), "SPARK_LOG_DIR": str(tmp_path)}
    master = ["org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", str(port)]
    worker = ["org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", "1g", address]
    started: list[subprocess.Popen[bytes]] = []
    try:
        for arguments in (master, worker, worker):
            with (tmp_path / f"spark{len(started)}.log").open("wb") as log:
                words = [script, arguments[0], "--webui-port", "0", *arguments[1:]]
                started.append(subprocess.Popen(words, env=environment, stdout=log, stderr=log, start_new_session=True))
            time.sleep(5)
        yield address, started[1:]
    finally:
        for process in reversed(started):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def executors(worker: subprocess.Popen[bytes]) -> list[int]:
    """The processes that a Spark worker has started: each has a session of its own or is a child."""
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(worker.pid)], capture_output=True, text=True, check=False)
    return [int(word) for word in found.stdout.split()]


@needs_spark
def test_a_spark_worker_that_is_killed_costs_nothing(
    spark_master: tuple[str, list[subprocess.Popen[bytes]]], environment: dict[str, str], tmp_path: Path
) -> None:
    address, workers = spark_master
    archive = write_warc(tmp_path / "a.warc.gz", [page(n, WORDS.get(n, "DAWDLE " * 3)) for n in range(200)])
    run_batch([str(archive)], job(tmp_path / "whole"), workers=2, shard_size=3000)
    out = tmp_path / "out"
    settings = [f"master={address}", "spark.executor.memory=600m", "spark.driver.host=127.0.0.1"]
    options = [word for setting in settings for word in ("--engine-option", setting)]
    run = subprocess.Popen(
        [*command(archive, out, "spark"), *options], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    marks = out / "run" / "done"
    while run.poll() is None and (not marks.is_dir() or len(list(marks.iterdir())) < 4):
        time.sleep(0.1)
    assert run.poll() is None, run.communicate()[1].decode()
    victims = executors(workers[0])
    assert victims, "the worker has no executor"
    for victim in victims:
        os.kill(victim, signal.SIGKILL)
    os.killpg(workers[0].pid, signal.SIGKILL)
    output, messages = run.communicate()
    assert run.returncode == 0, messages.decode()
    assert json.loads(output)["rows"] == 197
    assert written(out) == written(tmp_path / "whole")


@needs_ray
def test_rules_travel_with_the_tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A node gets the files that the job names, and refuses to work with other versions of what is installed."""
    from duramen.batch.engines.shipping import _unpacked, ship
    from duramen.batch.versions import versions
    from duramen.errors import BatchError
    from duramen.options import Options

    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "a.example.toml").write_text('host = "a.example"\n')
    (tmp_path / "list.txt").write_text("a.example##.advert\n")
    options = Options(rules=(str(tmp_path / "rules"),), filter_lists=(str(tmp_path / "list.txt"),))
    wanted = Job(output=str(tmp_path / "out"), options=options)
    shipment = ship(wanted)
    digest = versions(options)["rules"]
    shutil.rmtree(tmp_path / "rules")
    moved = Job.from_json(_unpacked(shipment)).options
    assert (Path(moved.rules[0]) / "a.example.toml").read_text() == 'host = "a.example"\n'
    assert Path(moved.filter_lists[0]).read_text() == "a.example##.advert\n" and versions(moved)["rules"] == digest
    monkeypatch.setattr("duramen.batch.engines.shipping.versions", lambda options: {"engine": "0.0"})
    _unpacked.cache_clear()
    with pytest.raises(BatchError, match=r"this node has engine 0\.0, but the run began with"):
        _unpacked(shipment)


def test_a_local_spark_runs_this_python(monkeypatch: pytest.MonkeyPatch) -> None:
    from duramen.batch.engines.spark import use_same_python

    for name in ("PYSPARK_PYTHON", "PYSPARK_SUBMIT_ARGS"):
        monkeypatch.delenv(name, raising=False)
    use_same_python({"master": "spark://head:7077"})
    assert "PYSPARK_PYTHON" not in os.environ
    use_same_python({})
    assert os.environ["PYSPARK_PYTHON"] == sys.executable
