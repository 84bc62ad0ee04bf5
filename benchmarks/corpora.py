"""Gets the annotated pages of the benchmarks from the public repositories that have them.

    python -m benchmarks.corpora fetch                  clone them (some 2 GB), and write the corpora to build/shared
    python -m benchmarks.corpora fetch --only reader    only some: wcxb, snippets, reader, news, dates, postlight
    python -m benchmarks.corpora where                  the folder that the benchmarks use

The pages belong to their owners, and stay out of the repository. Each corpus has the form that docs/evaluation.md
describes. The names of the halves that may be trained on end in ``-dev``, those that are only measured in ``-test``.
The benchmarks use the folder that ``DURAMEN_SHARED`` names, or ``../shared``, or ``build/shared``.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[1]
FETCHED = ROOT / "build" / "shared"
COMMAND = "python -m benchmarks.corpora fetch"
GITHUB = "https://github.com"

Record = dict[str, Any]
Page = tuple[str, Record, bytes]
"""The name of the corpus, the record of ``truth.jsonl``, and the page."""


class MissingCorpora(SystemExit):
    """Annotated pages are not there; the message has the command that gets them."""

    def __init__(self, folder: Path) -> None:
        super().__init__(f"the annotated pages are not in {folder}; get them with: {COMMAND}")


@dataclass(frozen=True)
class Repository:
    """A public repository with annotated pages."""

    name: str
    commit: str
    pages: Callable[[Path, Path], Iterator[Page]]
    """Reads its checkout, given the folder of all checkouts."""


def shared_folder() -> Path:
    """The folder with the folder ``corpora``: of those that are possible, the first that has it."""
    if named := os.environ.get("DURAMEN_SHARED"):
        return Path(named)
    return next((one for one in (ROOT.parent / "shared", FETCHED) if (one / "corpora").is_dir()), FETCHED)


def corpus_folder(shared: Path, name: str) -> Path:
    """The folder of one corpus. Raises :class:`MissingCorpora`."""
    folder = shared / "corpora" / name
    if not (folder / "truth.jsonl").is_file():
        raise MissingCorpora(folder)
    return folder


def is_even(text: str) -> bool:
    """Which half a page is in: the half with even digests may be trained on."""
    return int(hashlib.md5(text.encode(), usedforsecurity=False).hexdigest(), 16) % 2 == 0


def half(corpus: str, text: str) -> str:
    return f"{corpus}-{'dev' if is_even(text) else 'test'}"


def _filled(**fields: Any) -> Record:
    return {name: value for name, value in fields.items() if value}


def wcxb(checkout: Path, _: Path) -> Iterator[Page]:
    """Of the published test split, pages that are byte for byte in the development split are left out."""
    trained = set()
    for split in ("dev", "test"):
        for path in sorted((checkout / split / "ground-truth").glob("*.json")):
            data = json.loads(path.read_text(encoding="utf-8"))
            page = gzip.decompress((checkout / split / "html" / f"{path.stem}.html.gz").read_bytes())
            digest = hashlib.sha256(page).digest()
            if split == "dev":
                trained.add(digest)
            elif digest in trained:
                continue
            truth, kind = data["ground_truth"], data["_internal"]["page_type"]["primary"]
            yield (
                f"wcxb-{split}",
                _filled(
                    id=path.stem,
                    url=data.get("url"),
                    kind="collection" if kind == "category" else kind,
                    text=truth.get("main_content"),
                    title=truth.get("title"),
                    author=truth.get("author"),
                    date=truth.get("publish_date"),
                    **{"with": truth.get("with"), "without": truth.get("without")},
                ),
                page,
            )


def snippets(checkout: Path, _: Path) -> Iterator[Page]:
    for url, data in json.loads((checkout / "tests" / "evaldata.json").read_text(encoding="utf-8")).items():
        page = _first_of(checkout / "tests", ("eval", "cache"), data["file"])
        if page is not None:
            # Empty lists stay: that nothing must be left out was said, too.
            said = {name: data[name] for name in ("with", "without") if name in data}
            id = hashlib.md5(url.encode(), usedforsecurity=False).hexdigest()[:12]
            about = _filled(id=id, url=url, kind="article", author=data.get("author"), date=data.get("date"))
            yield half("snippets", url), about | said, page


def reader(checkout: Path, _: Path) -> Iterator[Page]:
    for folder in sorted((checkout / "test" / "test-pages").iterdir()):
        source, expected = folder / "source.html", folder / "expected.html"
        if not (source.is_file() and expected.is_file()):
            continue
        meta = json.loads((folder / "expected-metadata.json").read_text(encoding="utf-8"))
        record = _filled(
            id=folder.name,
            url="http://fakehost/test/page.html",
            kind="article",
            html_truth=expected.read_text(encoding="utf-8"),
            title=meta.get("title"),
            author=meta.get("byline"),
            date=(meta.get("publishedTime") or "")[:10],
        )
        yield half("reader", folder.name), record, source.read_bytes()


def news(checkout: Path, _: Path) -> Iterator[Page]:
    """News pages that nobody trains on."""
    for id, data in json.loads((checkout / "ground-truth.json").read_text(encoding="utf-8")).items():
        page = gzip.decompress((checkout / "html" / f"{id}.html.gz").read_bytes())
        yield "news-test", _filled(id=id, url=data["url"], kind="article", text=data["articleBody"]), page


def dates(checkout: Path, checkouts: Path) -> Iterator[Page]:
    """By host; a page that is also in trafilatura's set stays in the half that it has there."""
    path = checkouts / "adbar" / "trafilatura" / "tests" / "evaldata.json"
    if not path.is_file():
        raise SystemExit("dates needs trafilatura's set, too: --only snippets,dates")
    known = json.loads(path.read_text(encoding="utf-8"))
    for name, corpus in (("eval_default", "dates"), ("eval_mediacloud_2020", "dates-mediacloud")):
        for url, data in json.loads((checkout / "tests" / f"{name}.json").read_text(encoding="utf-8")).items():
            page = _first_of(checkout / "tests", ("test_set", "eval", "cache"), data["file"])
            if page is not None and data.get("date"):
                record = _filled(id=data["file"], url=url, kind="article", date=data["date"])
                yield half(corpus, url if url in known else urlsplit(url).hostname or ""), record, page


_ASSERTED = r"assert\.equal\(\s*{},\s*(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|`([^`]*)`|null)\s*\)"
_URL = re.compile(r"url\s*=\s*'([^']+)'")
_FIXTURE = re.compile(r"readFileSync\(\s*'\./(fixtures/[^']+)'")


def postlight(checkout: Path, _: Path) -> Iterator[Page]:
    """What the parser's own tests expect of its fixtures."""
    for path in sorted((checkout / "src" / "extractors" / "custom").glob("*/index.test.js")):
        test = path.read_text(encoding="utf-8")
        url, fixture = _URL.search(test), _FIXTURE.search(test)
        if not url or not fixture or not (checkout / fixture[1]).is_file():
            continue
        title, author, moment = (_asserted(test, name) for name in ("title", "author", "date_published"))
        record = _filled(id=path.parent.name, kind="article", url=url[1], title=title, author=author)
        if moment:
            record |= {"date": moment[:10], "date_instant": moment}
        # The fixtures were saved with their <meta> elements rewritten: content as value.
        page = re.sub(rb"(<meta [^>]*?)\bvalue=", rb"\1content=", (checkout / fixture[1]).read_bytes())
        yield half("postlight", urlsplit(url[1]).hostname or ""), record, page


def _asserted(test: str, name: str) -> str:
    found = re.search(_ASSERTED.replace("{}", name), test)
    return re.sub(r"\\(.)", r"\1", next(filter(None, found.groups()), "")) if found else ""


def _first_of(folder: Path, places: Sequence[str], name: str) -> bytes | None:
    return next((path.read_bytes() for place in places if (path := folder / place / name).is_file()), None)


REPOSITORIES = {
    "wcxb": Repository(
        "Murrough-Foley/web-content-extraction-benchmark", "c039d5ee9f5a3a984a0e167e63aacd04e76e78a9", wcxb
    ),
    "snippets": Repository("adbar/trafilatura", "e90b0ef51ab026fdb905fb6c5b3c84dd3d784fd5", snippets),
    "reader": Repository("mozilla/readability", "ab4027a8b37669745016869a37a504727992b2ba", reader),
    "news": Repository("scrapinghub/article-extraction-benchmark", "4a3bc979f76c0df73cb95fe272e2fc1b96f9f010", news),
    "dates": Repository("adbar/htmldate", "b8952828329abaeeb3be21387b526f2be614ce67", dates),
    "postlight": Repository("postlight/parser", "e8ba7ece291efa4d915d50dd4deeec17d54359f2", postlight),
}


def clone(repository: Repository, checkouts: Path, host: str) -> Path:
    """A checkout at the commit; what is there already is not downloaded again."""
    folder = checkouts / repository.name

    def git(*words: str) -> str:
        if shutil.which("git") is None:
            raise SystemExit("git is not installed, and the corpora come from git repositories; install it")
        done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"git {' '.join(words)} failed for {repository.name}: {done.stderr.strip()[-500:]}")
        return done.stdout.strip()

    if not (folder / ".git").exists():
        folder.mkdir(parents=True, exist_ok=True)
        git("init", "--quiet")
    done = subprocess.run(["git", "-C", str(folder), "rev-parse", "HEAD"], capture_output=True, text=True)
    if done.stdout.strip() != repository.commit:
        git("fetch", "--quiet", "--depth", "1", f"{host}/{repository.name}", repository.commit)
        # Pages are compared byte for byte: no line ending is converted.
        git("-c", "core.autocrlf=false", "checkout", "--quiet", "--force", repository.commit)
    return folder


def write(pages: Iterator[Page], corpora: Path) -> dict[str, int]:
    """Write pages to their corpora, each replaced as a whole; how many pages each has."""
    records: dict[str, list[Record]] = {}
    for corpus, record, page in pages:
        if corpus not in records:
            shutil.rmtree(corpora / corpus, ignore_errors=True)
            (corpora / corpus / "html").mkdir(parents=True)
        records.setdefault(corpus, []).append(record)
        (corpora / corpus / "html" / f"{record['id']}.html.gz").write_bytes(gzip.compress(page, 6, mtime=0))
    for corpus, mine in records.items():
        lines = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in mine)
        (corpora / corpus / "truth.jsonl").write_text(lines, encoding="utf-8", newline="\n")
    return {corpus: len(mine) for corpus, mine in sorted(records.items())}


def fetch(only: Sequence[str], output: Path, host: str) -> None:
    for name in only:
        repository = REPOSITORIES[name]
        print(f"{repository.name} …", file=sys.stderr, flush=True)
        checkout = clone(repository, output / "repositories", host)
        for corpus, count in write(repository.pages(checkout, output / "repositories"), output / "corpora").items():
            print(f"{corpus}: {count:,} pages")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("fetch", "where"))
    parser.add_argument("--only", default=",".join(REPOSITORIES), help="names, separated by commas; default: all")
    parser.add_argument("--output", type=Path, default=Path(os.environ.get("DURAMEN_SHARED") or FETCHED))
    parser.add_argument("--host", default=GITHUB, help=f"where the repositories are; default: {GITHUB}")
    args = parser.parse_args(arguments)
    if args.action == "where":
        print(shared_folder())
        return 0
    only = args.only.split(",")
    if unknown := [name for name in only if name not in REPOSITORIES]:
        parser.error(f"unknown: {', '.join(unknown)}; available: {', '.join(REPOSITORIES)}")
    fetch(only, args.output, args.host)
    print(f"the corpora are in {args.output / 'corpora'}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
