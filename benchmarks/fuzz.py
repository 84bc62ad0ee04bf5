"""Damaged pages without end: no exception, no hang, the same bytes again, the same with and without the compiled core.

    python -m benchmarks.fuzz --count 100000             pages of the corpora and our own, damaged
    python -m benchmarks.fuzz --count 300 --own          our own pages only
    python -m benchmarks.fuzz --seed 123456 --count 1    one input again, by its number
    python -m benchmarks.fuzz --state FILE               a run that can be stopped and resumed

Input *n* depends on seed + *n* alone, and runs in a process that it may crash or hang. Failing inputs are saved in
--crashers with the failure; the run continues.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection, wait
from pathlib import Path

import duramen
from benchmarks.corpora import MissingCorpora, shared_folder
from duramen.options import Options

ROOT = Path(__file__).resolve().parents[1]
Change = Callable[[random.Random, bytes, bytes], bytes]

TAGS = (
    "div p a b i font span ul li table tr td th pre code blockquote article svg math mi select option template noscript"
    " script style title textarea button form h1 h2 dl dt dd ruby rt details summary figure iframe object x-box xmp"
    " plaintext frameset body html head base meta"
).split()
PIECES = (
    b"<!--", b"-->", b"<![CDATA[", b"]]>", b"</script>", b"<script><!--<script>", b"&", b"&#x110000;", b"&nbsp", b"<",
    b'="', b"'", b">", b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc2", b"\xe2\x80\x8b",
    b'<script type="application/ld+json">{"@type":"Article","articleBody":"', b" class='a b' id=c hidden ",
    b"<p style='display:none'>", b"<svg><foreignObject>", b"<math><annotation-xml encoding=text/html>", b"\r\n\t\x0c",
    b"<meta charset=utf-16>", b"<base href=//x>", b"<td colspan=99999 rowspan=99999>", b"\x1b$B", b"+ADw-",
)  # fmt: skip

INSIDE = (
    b'="', b'":"', b'": "', b'":', b'"articleBody":"', b'"text":"', b'href="', b'content="', b'class="', b'id="',
    b'style="', b'datetime="', b"<title>",
)  # fmt: skip
VALUES = (
    b"\\ud800", b"\\udfff\\ud83d\\ude00", b"\\u0000", b"\\u202e", b"\\", b'\\"', b"\\x", b'"', b"1e999", b"-",
    b"[" * 600, b'{"a":' * 300, b"null", b"NaN", b'{"@id":"#a"}', b'"@id":"#a","author":', b"javascript:", b"//[",
    b"http://[::1", b"%ff%00", b"http://a:99999999/", b"?" * 300, b"#" * 300, b"9999-99-99T99:99:99Z", b"0000-00-00",
    b"2024-02-30T24:00+99:99", b"99999999999999999999", b"&#55296;", b"&#0;", b"&#x80;", b"&notit;", b"\xe2\x80\xae",
    b"\xf3\xa0\x81\x81" * 9, "\u0130\u03a3\u01c5\ufb01\u1e9e".encode(), b"a\xcc\x81" * 30, b"url(", b"@import", b"/*",
    b"{}", b"x" * 3000, b" " * 3000, b"x " * 800,
)  # fmt: skip


def _range(rng: random.Random, page: bytes, most: int = 4000) -> tuple[int, int]:
    start = rng.randrange(len(page) + 1)
    return start, min(len(page), start + rng.randrange(1, most))


def truncate(rng: random.Random, page: bytes, other: bytes) -> bytes:
    return page[: rng.randrange(len(page) + 1)]


def behead(rng: random.Random, page: bytes, other: bytes) -> bytes:
    return page[rng.randrange(len(page) + 1) :]


def cut(rng: random.Random, page: bytes, other: bytes) -> bytes:
    start, stop = _range(rng, page)
    return page[:start] + page[stop:]


def splice(rng: random.Random, page: bytes, other: bytes) -> bytes:
    at, (start, stop) = rng.randrange(len(page) + 1), _range(rng, other)
    return page[:at] + other[start:stop] + page[at:]


def repeat(rng: random.Random, page: bytes, other: bytes) -> bytes:
    start, stop = _range(rng, page, 600)
    return page[:stop] + page[start:stop] * rng.randrange(1, 40) + page[stop:]


def flip(rng: random.Random, page: bytes, other: bytes) -> bytes:
    changed = bytearray(page)
    for _ in range(rng.randrange(1, 60) if page else 0):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def insert(rng: random.Random, page: bytes, other: bytes) -> bytes:
    for _ in range(rng.randrange(1, 12)):
        at = rng.randrange(len(page) + 1)
        page = page[:at] + rng.choice(PIECES) + page[at:]
    return page


def at_a_tag(rng: random.Random, page: bytes, other: bytes) -> bytes:
    """Damage at the beginning of a tag."""
    for _ in range(rng.randrange(1, 12)):
        at = page.find(b"<", rng.randrange(len(page) + 1))
        if at >= 0:
            page = (
                page[:at]
                + rng.choice((b"", b"</p>", b"<b x=", b"<table>", b"<!--", rng.choice(PIECES)))
                + page[at + 1 :]
            )
    return page


def spoil(rng: random.Random, page: bytes, other: bytes) -> bytes:
    """Damage inside values of attributes and data."""
    for _ in range(rng.randrange(1, 20)):
        before = rng.choice(INSIDE)
        at = page.find(before, rng.randrange(len(page) + 1))
        if at >= 0:
            at += len(before)
            page = page[:at] + rng.choice(VALUES) + page[at:]
    return page


def nest(rng: random.Random, page: bytes, other: bytes) -> bytes:
    at = rng.randrange(len(page) + 1)
    opening = "".join(f"<{rng.choice(TAGS)}>" for _ in range(rng.randrange(1, 4)))
    return page[:at] + opening.encode() * rng.randrange(1, 300) + page[at:]


def rename(rng: random.Random, page: bytes, other: bytes) -> bytes:
    return page.replace(f"<{rng.choice(TAGS)}".encode(), f"<{rng.choice(TAGS)}".encode())


def unclose(rng: random.Random, page: bytes, other: bytes) -> bytes:
    return page.replace(f"</{rng.choice(TAGS)}>".encode(), b"")


def recode(rng: random.Random, page: bytes, other: bytes) -> bytes:
    names = ("utf-16", "utf-16-be", "utf-32", "utf-8-sig", "cp1252", "shift_jis", "gb18030", "iso-2022-jp", "utf-7")
    return page.decode("utf-8", "replace").encode(rng.choice(names), "replace")


def noise(rng: random.Random, page: bytes, other: bytes) -> bytes:
    return rng.randbytes(rng.randrange(3000))


CHANGES: tuple[Change, ...] = (
    truncate, behead, cut, splice, repeat, flip, insert, at_a_tag, spoil, nest, rename, unclose, recode, noise,
)  # fmt: skip
MOST_BYTES = 400_000
HANGS = 20.0
"""Maximum of CPU seconds for an input of this size."""
PATIENCE = 15 * HANGS
"""Seconds after which an unresponsive process is killed."""
STEP = 500
"""Inputs between two lines of progress."""


def own_pages() -> list[Path]:
    """Pages in this repository."""
    return sorted([*(ROOT / "tests" / "cases").glob("*/*.html"), *(ROOT / "examples").glob("*.html")])


def corpus_pages(shared: Path) -> list[Path]:
    pages = sorted((shared / "corpora").glob("*-dev/html/*.html.gz"))
    if not pages:
        raise MissingCorpora(shared / "corpora")
    return pages


def read(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


def damaged(pages: Sequence[Path], number: int) -> bytes:
    """Input ``number``: a page with one to four changes; deterministic."""
    rng = random.Random(number)
    page, other = read(rng.choice(pages)), read(rng.choice(pages))
    for _ in range(rng.randrange(1, 5)):
        page = rng.choice(CHANGES)(rng, page, other)[:MOST_BYTES]
    return page


def fault(data: bytes, number: int, thorough: bool = True) -> str:
    """The fault in the result for some bytes; empty if there is none.

    Thoroughly, it is made twice, one in four with the trace, and once without the compiled core.
    """
    address = "https://example.org/a/b" if number % 3 else None
    options = Options(include_comments=number % 5 == 0, visible_only=number % 7 == 0)
    started = time.thread_time()
    trace = thorough and number % 4 == 0
    made = [_rendered(data, address, options, trace) for _ in range(1 + thorough)]
    spent = (time.thread_time() - started) / len(made)
    if made[0] != made[-1]:
        return "not the same again"
    if spent > HANGS:
        return f"took {spent:.1f} s"
    return ""


def _rendered(data: bytes, address: str | None, options: Options, trace: bool) -> tuple[str, ...]:
    result = duramen.extract(data, address, options)
    parts = (result.html, result.text, result.markdown, result.to_json(trace=trace))
    for part in parts:
        part.encode()
    return parts


def tried(pages: Sequence[Path], number: int, thorough: bool = True) -> str:
    """The fault of input ``number``."""
    try:
        return fault(damaged(pages, number), number, thorough)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def work(pages: Sequence[Path], every: int, talk: Connection) -> None:
    """Run the inputs whose numbers are received; send back the fault and the memory in use."""
    while (number := talk.recv()) is not None:
        wrong = tried(pages, number, number % every == 0)
        talk.send((wrong, resident()))


def resident() -> int:
    """Resident memory of this process in bytes; 0 if unknown."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[1]) * 4096 if statm.exists() else 0


class Worker:
    """A process that runs one input after the other; an input may crash it."""

    def __init__(self, pages: Sequence[Path], every: int) -> None:
        self.talk, theirs = Pipe()
        self._process = Process(target=work, args=(pages, every, theirs), daemon=True)
        self._process.start()
        theirs.close()

    def give(self, number: int) -> None:
        self.number = number
        self.until = time.monotonic() + PATIENCE
        self.talk.send(number)

    def answer(self) -> tuple[str, int] | None:
        """Its answer; None if it died."""
        try:
            return self.talk.recv()  # type: ignore[no-any-return]
        except (EOFError, ConnectionError):
            return None

    def end(self) -> None:
        self._process.kill()
        self._process.join()


@dataclass
class State:
    """The state of a run: its first number, the next number, and the failures."""

    seed: int
    next: int
    failed: dict[str, str]

    @classmethod
    def read(cls, path: Path | None, seed: int) -> State:
        if path is None or not path.exists():
            return cls(seed, seed, {})
        state = cls(**json.loads(path.read_text(encoding="utf-8")))
        if state.seed != seed:
            raise SystemExit(f"{path} is from a run with --seed {state.seed}; use that seed, or another file")
        return state

    def write(self, path: Path | None) -> None:
        if path is not None:
            path.write_text(json.dumps(asdict(self)) + "\n", encoding="utf-8")


Seen = Callable[[int, str, int], None]
"""Called for every input with its number, its fault and the memory of its worker."""


def run(state: State, stop: int, start: Callable[[], Worker], workers: int, seen: Seen) -> None:
    """Run all numbers up to ``stop``, and replace workers that die."""
    idle = [start() for _ in range(min(workers, max(0, stop - state.next)))]
    busy: list[Worker] = []
    following, done = state.next, set[int]()
    try:
        while busy or following < stop:
            while idle and following < stop:
                idle[-1].give(following)
                busy.append(idle.pop())
                following += 1
            ready = wait([worker.talk for worker in busy], timeout=1)
            for worker in list(busy):
                if worker.talk in ready:
                    said = worker.answer()
                elif time.monotonic() > worker.until:
                    said = None
                else:
                    continue
                busy.remove(worker)
                if said is None:
                    worker.end()
                    idle.append(start())
                else:
                    idle.append(worker)
                wrong, memory = said or ("the process died" if worker.talk in ready else "no answer in time", 0)
                if wrong:
                    state.failed[str(worker.number)] = wrong[:500]
                done.add(worker.number)
                while state.next in done:
                    done.remove(state.next)
                    state.next += 1
                seen(worker.number, wrong, memory)
    finally:
        for worker in (*idle, *busy):
            worker.end()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="the number of the first input")
    parser.add_argument("--own", action="store_true", help="no pages of the corpora")
    parser.add_argument("--largest", type=int, help="only pages of at most this many bytes")
    parser.add_argument("--every", type=int, default=1, help="try one in so many twice, and without the compiled core")
    parser.add_argument("--shared", type=Path, default=shared_folder())
    parser.add_argument("--crashers", type=Path, default=Path("crashers"))
    parser.add_argument("--state", type=Path, help="a file with the state of the run, to resume it")
    parser.add_argument("--workers", type=int, default=1)
    args = parser.parse_args(arguments)
    pages = own_pages() + ([] if args.own else corpus_pages(args.shared))
    pages = [page for page in pages if args.largest is None or page.stat().st_size <= args.largest]
    state = State.read(args.state, args.seed)
    tries = 0

    def seen(number: int, wrong: str, memory: int) -> None:
        nonlocal tries
        tries += 1
        if wrong:
            args.crashers.mkdir(parents=True, exist_ok=True)
            (args.crashers / f"{number}.html").write_bytes(damaged(pages, number))
            print(f"{number}: {wrong}"[:500], flush=True)
        if tries % STEP == 0:
            state.write(args.state)
            progress = f"{state.next - args.seed:,} of {args.count:,}, {len(state.failed)} failed"
            print(f"{progress}, {memory / 1e6:.1f} MB in use", flush=True)

    try:
        run(state, args.seed + args.count, lambda: Worker(pages, args.every), args.workers, seen)
    finally:
        state.write(args.state)
    print(f"{state.next - args.seed:,} inputs of {len(pages)} pages, {len(state.failed)} failed")
    return 1 if state.failed else 0


if __name__ == "__main__":
    sys.exit(main())
