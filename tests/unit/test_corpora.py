"""``python -m benchmarks.corpora fetch``, from repositories made here; and what is said where the pages are missing."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from benchmarks import corpora, gate
from benchmarks.corpora import REPOSITORIES, MissingCorpora, is_even, shared_folder
from benchmarks.scorer import Tally
from benchmarks.train.dataset import sources

from duramen.corpus import Corpus

PAGE = b"<html><title>Oaks</title><main><p>Oaks live for centuries.\r\n</main>"


def truth(kind: str, text: str) -> str:
    written = {"main_content": text, "title": "Oaks", "author": None, "publish_date": "2026-03-14", "with": ["Oaks"]}
    return json.dumps(
        {"url": "https://w.example/", "_internal": {"page_type": {"primary": kind}}, "ground_truth": written}
    )


def zipped(name: str) -> bytes:
    return gzip.compress(PAGE.replace(b"Oaks", name.encode()), mtime=0)


NAMED_TEST = "larch"
"""A name whose digest is odd."""
JS = """
      url = 'https://{host}/oaks';
      const html = fs.readFileSync('./fixtures/{host}/1.html');
      assert.equal(title, 'The oak\\'s heart');
      assert.equal(author, "Ines Halvorsen");
      assert.equal(
        date_published,
        '2026-03-14T08:30:00.000Z'
      );
"""
EVALUATED = {f"https://w{n}.example/": {"file": f"{n}.html", "with": ["Oaks"], "without": []} for n in range(6)}
DATED = {url: {"file": data["file"], "date": "2026-03-14"} for url, data in EVALUATED.items()}
OWN = {"https://own.example/": {"file": "own.html", "date": "2020-01-01"}}
READER: dict[str, str | bytes] = {
    "source.html": PAGE,
    "expected.html": "<div><p>Oaks live for centuries.</p></div>",
    "expected-metadata.json": '{"title": "Oaks", "byline": null, "publishedTime": "2026-03-14T08:30:00Z"}',
}
FILES: dict[str, dict[str, str | bytes]] = {
    "wcxb": {
        "dev/ground-truth/0001.json": truth("category", "Oaks live."),
        "dev/html/0001.html.gz": zipped("one"),
        "test/ground-truth/0001.json": truth("category", "Oaks live."),
        "test/html/0001.html.gz": zipped("one"),
        "test/ground-truth/0002.json": truth("article", "Oaks live."),
        "test/html/0002.html.gz": zipped("two"),
    },
    "snippets": {
        "tests/evaldata.json": json.dumps(EVALUATED | {"https://gone.example/": {"file": "gone.html", "with": []}}),
        **{f"tests/{'eval' if n % 2 else 'cache'}/{n}.html": PAGE for n in range(6)},
    },
    "reader": {
        f"test/test-pages/{name}/{file}": content
        for name in ("oak-1", "oak-2", NAMED_TEST)
        for file, content in READER.items()
    },
    "news": {
        "ground-truth.json": json.dumps({"ab12": {"url": "https://n.example/", "articleBody": "Oaks live."}}),
        "html/ab12.html.gz": zipped("news"),
    },
    "dates": {
        "tests/eval_default.json": json.dumps(DATED | OWN),
        "tests/eval_mediacloud_2020.json": "{}",
        "tests/test_set/own.html": PAGE,
        **{f"tests/cache/{n}.html": PAGE for n in range(6)},
    },
    "postlight": {
        "src/extractors/custom/w.example/index.test.js": JS.replace("{host}", "w.example"),
        "fixtures/w.example/1.html": b'<meta name="author" value="Ines"><p>Oaks.',
        "src/extractors/custom/gone.example/index.test.js": JS.replace("{host}", "gone.example"),
    },
}


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "core.autocrlf=false"]
    done = subprocess.run(["git", "-C", str(folder), *who, *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A folder of repositories, in the place of GitHub."""
    for name, files in FILES.items():
        folder = tmp_path / "host" / REPOSITORIES[name].name
        for path, content in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content if isinstance(content, bytes) else content.encode())
        git(folder, "init", "--quiet")
        git(folder, "add", "--all")
        git(folder, "commit", "--quiet", "--message", "pages")
        commit = git(folder, "rev-parse", "HEAD")
        monkeypatch.setitem(REPOSITORIES, name, replace(REPOSITORIES[name], commit=commit))
    return (tmp_path / "host").as_uri()


def records(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines()]


def test_fetch_builds_every_corpus(
    host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shared = tmp_path / "shared"
    for _ in range(2):  # the second time nothing is downloaded, and the same is written
        assert corpora.main(["fetch", "--output", str(shared), "--host", host]) == 0
        host = "file:///nowhere"
    folder = shared / "corpora"
    # The page of the test split that is also in the development split is left out.
    assert [r["id"] for r in records(folder / "wcxb-test")] == ["0002"]
    (first,) = records(folder / "wcxb-dev")
    assert first == {
        "id": "0001",
        "url": "https://w.example/",
        "kind": "collection",
        "text": "Oaks live.",
        "title": "Oaks",
        "date": "2026-03-14",
        "with": ["Oaks"],
    }
    halves = {url: "dev" if is_even(url) else "test" for url in EVALUATED}
    assert set(halves.values()) == {"dev", "test"}
    for half in ("dev", "test"):
        mine = {r["url"] for r in records(folder / f"snippets-{half}")}
        assert mine == {url for url, where in halves.items() if where == half}
        # A page of both sets is in the same half of both, whatever its host says.
        assert {r["url"] for r in records(folder / f"dates-{half}")} - {"https://own.example/"} == mine
    own = "dev" if is_even("own.example") else "test"
    assert "https://own.example/" in {r["url"] for r in records(folder / f"dates-{own}")}
    readers = [*records(folder / "reader-dev"), *records(folder / "reader-test")]
    assert {r["id"] for r in readers} == {"oak-1", "oak-2", NAMED_TEST}
    assert all((r["title"], r["date"], "author" in r) == ("Oaks", "2026-03-14", False) for r in readers)
    assert records(folder / "news-test") == [
        {"id": "ab12", "url": "https://n.example/", "kind": "article", "text": "Oaks live."}
    ]
    post = folder / f"postlight-{'dev' if is_even('w.example') else 'test'}"
    (fixture,) = records(post)
    assert (fixture["title"], fixture["author"]) == ("The oak's heart", "Ines Halvorsen")
    assert (fixture["date"], fixture["date_instant"]) == ("2026-03-14", "2026-03-14T08:30:00.000Z")
    assert b'content="Ines"' in gzip.decompress((post / "html" / "w.example.html.gz").read_bytes())
    # Bytes are as they were, and every corpus can be read by what is documented.
    for corpus in sorted(folder.iterdir()):
        read = Corpus(corpus)
        assert (
            len(read) and all(b"<p>Oaks" in read.page(t.id, 10_000) for t in read if "wcxb" in corpus.name) is not None
        )
    assert gzip.decompress((folder / "reader-dev" / "html" / f"{readers[0]['id']}.html.gz").read_bytes()) == PAGE
    monkeypatch.setenv("DURAMEN_SHARED", str(shared))
    assert corpora.main(["where"]) == 0
    assert capsys.readouterr().out.endswith(f"{shared}\n")
    assert len(list(sources(shared_folder(), "wcxb-dev"))) == 1


def test_a_missing_repository_is_named(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"failed for mozilla/readability"):
        corpora.main(["fetch", "--only", "reader", "--output", str(tmp_path), "--host", tmp_path.as_uri()])


@pytest.mark.parametrize(("given", "code"), [("", 1), ("optional", 0)])
def test_the_gate_never_passes_in_silence(
    given: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DURAMEN_CORPORA", given)
    assert gate.main(["--shared", str(tmp_path)]) == code
    said = capsys.readouterr().out
    assert "python -m benchmarks.corpora fetch" in said
    assert ("SKIPPED, no quality floor was checked" in said) == (code == 0)


def test_the_benchmarks_name_the_command(tmp_path: Path) -> None:
    with pytest.raises(MissingCorpora, match=r"python -m benchmarks\.corpora fetch"):
        list(sources(tmp_path, "wcxb-dev"))


@pytest.mark.parametrize(
    "module", ["benchmarks.hidden_metadata", "benchmarks.outputs record x", "benchmarks.records oak"]
)
def test_figures_of_no_pages_are_an_error(module: str, root: Path, tmp_path: Path) -> None:
    env = {**os.environ, "DURAMEN_SHARED": str(tmp_path)}
    done = subprocess.run([sys.executable, "-m", *module.split()], cwd=root, env=env, capture_output=True, text=True)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.count("\n") == 1 and done.stderr.endswith(f"get them with: {corpora.COMMAND}\n")


def test_missing_git_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match="git is not installed"):
        corpora.main(["fetch", "--only", "reader", "--output", str(tmp_path)])


def test_the_scorer_counts_words_snippets_and_structure() -> None:
    tally = Tally()
    record = {"id": "1", "kind": "article", "text": "oaks live long", "with": ["OAKS"], "without": ["bark"]}
    tally.add(record, "Oaks live", None, 0.5)
    tally.add({"id": "2", "with": ["Oaks", "elms"], "without": []}, "Oaks", None, 0.5)
    html = "<h2>Oaks</h2><p><a href=/x>heart</a> <a href=/y>wood</a></p>"
    kept = "<h2>Oaks</h2><a href=/x>heart</a>"
    tally.add({"id": "3", "kind": "article", "html_truth": html}, "Oaks heart wood", kept, 1.0)
    figures = tally.summary()
    assert (figures["pages"], figures["fail"]) == (3, 0) and figures["ms"] == pytest.approx(2000 / 3)
    assert figures["F1"] == pytest.approx((0.8 + 1.0) / 2) and figures["P"] == 1.0
    assert (figures["with"], figures["without"]) == (pytest.approx(2 / 3), 1.0)
    assert (figures["links"], figures["heads"]) == (0.5, 1.0) and "code" not in figures
    assert [page[0] for page in tally.pages] == [pytest.approx(0.8), 0.5, 1.0]
