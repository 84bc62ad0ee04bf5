"""Coverage-guided fuzzing: inputs that reach new code are mutated further.

    python -m benchmarks.guided decode --seconds 300
    python -m benchmarks.guided core --corpus FOLDER       starts from the useful inputs of earlier runs

Needs ``pip install atheris``. It sees the lines of Python that are reached; those of the compiled core, too, when that
was built with ``-fsanitize-coverage=inline-8bit-counters,pc-table,trace-cmp`` and Python runs with LD_PRELOAD set to
the ``asan_with_fuzzer.so`` that comes with atheris. What fails is saved in --crashers, once for each place; the run
goes on.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.resources
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

Target = Callable[[bytes], None]
PAGE = (
    "<title>Oaks</title><article class=post><h1>Oaks</h1><p id=a>Oak is hard, <a href=/b>dark</a>, durable.</article>"
)
HEADERS = (None, "text/html", "text/html; charset=utf-8", "text/html;charset=shift_jis", "text/html; charset=utf-16le")


def decode(data: bytes) -> None:
    """Any bytes, with any header, decode to text that can be encoded again."""
    from duramen.flatten import parse_tree
    from duramen.read.decode import decode, looks_like_html
    from duramen.read.document_type import document_type

    header = HEADERS[data[0] % len(HEADERS)] if data else None
    text, encoding = decode(data[1:], None, header)
    text.encode(), encoding.name.encode()
    looks_like_html(data[1:])
    document_type(parse_tree(text))


def rules(data: bytes) -> None:
    """A rule file is either valid and works on a page, or raises an error that lists its faults."""
    from duramen.errors import RuleError
    from duramen.filter_list import parse_filter_list
    from duramen.options import Options
    from duramen.pipeline import run
    from duramen.rule_files import read_rule
    from duramen.rule_set import only

    text = data.decode("utf-8", "replace")
    parse_filter_list(text.splitlines(), "fuzz")
    try:
        rule = read_rule(text, "fuzz.toml")
    except RuleError:
        return
    for domain in rule.domains[:2] or ("example.org",):
        run(PAGE, f"https://{domain}/a", Options(), rules=only(rule)).to_json(trace=True)


WRAPPED = (
    "{}",
    '<script type="application/ld+json">{}</script>',
    "<script id=__NEXT_DATA__ type=application/json>{}</script>",
    "<script>window.__STATE__ = {}</script>",
    '<script>self.__next_f.push([1,"{}"])</script>',
    "<div itemscope itemtype=https://schema.org/Article>{}</div>",
    "<div vocab=https://schema.org/ typeof=Article>{}</div>",
    "<head><meta name=author content='{}'><meta property=article:published_time content='{}'></head>",
)


def structured(data: bytes) -> None:
    """Structured data in every format, and the metadata from it."""
    from duramen.flatten import parse_tree
    from duramen.read.metadata import read_metadata
    from duramen.read.structured import hydration_bodies, read_structured
    from duramen.safe_values import safe_metadata

    wrapped = WRAPPED[data[0] % len(WRAPPED)] if data else ""
    html = wrapped.replace("{}", data[1:].decode("utf-8", "replace"))
    tree = parse_tree(html, 20_000)
    found = read_structured(tree, "https://example.org/a")
    hydration_bodies(tree)
    safe_metadata(read_metadata(tree, found, "https://example.org/a", "https://example.org/a"))


def rendering(data: bytes) -> None:
    """Any fragment becomes canonical, safe HTML that sanitizing does not change again, text and Markdown."""
    from duramen import dom
    from duramen.options import Output
    from duramen.refine.sanitize import sanitize
    from duramen.refine.standardize import standardize
    from duramen.render.markdown import render_markdown
    from duramen.render.text import render_text

    root = dom.fragment(data.decode("utf-8", "replace"))
    standardize(root, "https://example.org/a/", Output())
    html = sanitize(root, Output())
    if sanitize(dom.fragment(html), Output()) != html:
        raise AssertionError("sanitizing again changes the HTML")
    render_text(html).encode(), render_markdown(html).encode()


def core(data: bytes) -> None:
    """Any page becomes a tree whose ranges are nested, and the same one from a str and from UTF-8."""
    from duramen import blocks
    from duramen.flatten import parse_tree
    from duramen.native import core

    text = data.decode("utf-8", "replace")
    made: list[Any] = []
    for given in (text, core.utf8(text.encode())):
        page = parse_tree(given, 5_000)
        columns = (page.parent, page.end, page.depth, page.tag, page.cls, page.ident, page.text, page.chars, page.links)
        attributes = [dict(page.attrs[i]) for i in range(len(page))]
        cut = blocks.segment(page)
        made.append(
            (*map(list, (*columns, page.words, page.gap)), page.body, page.cut, attributes, cut.text, cut.first)
        )
        if not all(page.parent[i] < i < page.end[i] <= page.end[page.parent[i]] for i in range(1, len(page))):
            raise AssertionError("ranges that are not nested")
    if made[0] != made[1]:
        raise AssertionError("not the same from UTF-8")


TARGETS: dict[str, Target] = {
    "decode": decode, "rules": rules, "structured": structured, "rendering": rendering, "core": core,
}  # fmt: skip
WORDS = (
    "<script", "</script>", "application/ld+json", '"@type"', '"articleBody"', '"@graph"', "itemscope", "itemprop",
    "typeof=", "property=", "<table", "<tr", "<td", "colspan=", "rowspan=", "<pre", "<code", "<ul", "<ol", "<li", "<dl",
    "<math", "<svg", "<sup", "<a href=", "<img src=", "srcset=", "<template", "<noscript", "<figure", "<blockquote",
    "class=", "admonition", "footnote", "highlight", "language-", "katex", "data-math", "data-callout", "<!--",
    "charset=", "utf-16", "<?xml encoding=", "[content]", "domains = [", "primary = [", "##", "#@#", "<br>",
)  # fmt: skip


def seeds(name: str) -> Iterator[bytes]:
    """The seed inputs: our own pages and rules."""
    if name == "rules":
        folder = importlib.resources.files("duramen") / "data" / "site_rules"
        yield from (path.read_bytes() for path in folder.iterdir() if path.name.endswith(".toml"))
        yield b"example.org##.ad\n##div[id^=x] > .y\n@@||a.example^$document\nexample.org#@#.ad\n! a"
        return
    from benchmarks.fuzz import own_pages

    for number, path in enumerate(own_pages()):
        page = path.read_bytes()[:4000]
        yield bytes([number % 8]) + page if name in ("decode", "structured") else page
    if name == "structured":
        yield b'\x01{"@context":"https://schema.org","@graph":[{"@type":"Article","author":{"@id":"#a"}},{"@id":"#a"}]}'
        yield b'\x03{"a":{"body":"Words."},"b":[1,null,"x"]}'
        yield b"\x04" + rb"1:T20,Words of the text.\n2:[\"$\",\"p\",null,{\"children\":\"Words\"}]"


class Watched:
    """A target that saves faults, one per place, so that the run continues."""

    def __init__(self, name: str, crashers: Path) -> None:
        self._name, self._target, self._crashers = name, TARGETS[name], crashers
        self.places: set[str] = set()

    def __call__(self, data: bytes) -> None:
        try:
            self._target(data)
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}"
            if place in self.places:
                return
            self.places.add(place)
            self._crashers.mkdir(parents=True, exist_ok=True)
            kept = self._crashers / f"{self._name}-{hashlib.sha256(data).hexdigest()[:8]}"
            kept.write_bytes(data)
            print(f"{kept}: {place}: {error}"[:500], flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--longest", type=int, default=4096, help="maximum bytes of an input")
    parser.add_argument("--corpus", type=Path, help="a folder for useful inputs, kept for the next run")
    parser.add_argument("--crashers", type=Path, default=Path("crashers"))
    args = parser.parse_args(arguments)
    try:
        import atheris  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError:
        parser.error("needs atheris; pip install atheris")
    watched = Watched(args.target, args.crashers)
    with atheris.instrument_imports(include=["duramen"]):
        # Everything of ours is imported here and nowhere before, so that it is watched.
        begun = list(seeds(args.target))
        for data in begun:
            watched(data)
    with tempfile.TemporaryDirectory() as folder:
        corpus = args.corpus or Path(folder, "corpus")
        corpus.mkdir(parents=True, exist_ok=True)
        for data in begun:
            (corpus / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data[: args.longest])
        words = Path(folder, "words")
        words.write_text("".join(f'"{word.replace(chr(34), chr(92) + chr(34))}"\n' for word in WORDS), encoding="utf-8")
        options = [f"-max_total_time={args.seconds}", f"-max_len={args.longest}", f"-dict={words}", "-timeout=20"]
        atheris.Setup([sys.argv[0], *options, "-print_final_stats=1", str(corpus)], watched)
        atheris.Fuzz()
    return 1 if watched.places else 0


if __name__ == "__main__":
    sys.exit(main())
