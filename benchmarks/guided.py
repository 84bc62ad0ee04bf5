"""Coverage-guided fuzzing: inputs that reach new code are mutated further.

    python -m benchmarks.guided decode --seconds 300
    python -m benchmarks.guided parse --corpus FOLDER      starts from the useful inputs of earlier runs

Needs ``pip install atheris``. It sees the lines of Python that are reached; those of the compiled core, too, in
``scripts/fuzz``, which builds the core for it and runs every target. What fails in Python is saved in --crashers, once
for each place, and the run goes on; what a sanitizer finds in the core ends it.
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
    from duramen.read.hydration import hydration_bodies
    from duramen.read.metadata import read_metadata
    from duramen.read.structured import read_structured
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


def parse(data: bytes) -> None:
    """Any page becomes a tree whose ranges are nested, and the same one from a str and from UTF-8."""
    from duramen import blocks
    from duramen.flatten import parse_tree
    from duramen.native import core

    text = data.decode("utf-8", "replace")
    made: list[Any] = []
    for given in (text, core.utf8(text.encode()) or ""):
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


def fragment(data: bytes) -> None:
    """Any fragment can be edited: each byte before the first line feed is an edit of one of its elements."""
    from duramen import dom

    edits, _, html = data.partition(b"\n")
    root = dom.fragment(html.decode("utf-8", "replace"))
    for edit in edits[:200]:
        elements = list(root.iter_elements())
        if not elements:
            break
        one, other = elements[edit // 8 % len(elements)], elements[edit % len(elements)]
        try:
            match edit % 8:
                case 0:
                    one.extract()
                case 1:
                    one.unwrap()
                case 2:
                    one.replace_with(dom.Text("x"), dom.Element("b", {"id": "y"}))
                case 3:
                    one.append(other)
                case 4:
                    one.insert_before(other)
                case 5:
                    one.insert_after(other)
                case 6:
                    one.clear()
                case _:
                    one.attrs["class"], one.tag = "x", "i"
        except ValueError:  # an element does not go into itself
            continue
    if list(root.strings) != [node.data for node in root.descendants if isinstance(node, dom.Text)]:
        raise AssertionError("texts that are not those of the nodes")
    dom.fragment(root.inner_html).html.encode()


def queries(data: bytes) -> None:
    """A selector, a name and a page, a line each but for the page: whatever is looked for lies inside the page."""
    from duramen.flatten import parse_tree, without
    from duramen.selectors import SelectorSyntaxError

    selector, name, html = (*data.split(b"\n", 2), b"", b"")[:3]
    tree = parse_tree(html.decode("utf-8", "replace"), 5_000)
    word = name.decode("utf-8", "replace")
    found = [
        *tree.tagged({word, "p"}), *tree.classed({word}), *(i for i, _ in tree.valued(word)),
        *(i for i, *_ in tree.stated(word or "p", (word or "class", "id"))), *tree.core.texts_holding(word, "p"),
        *tree.core.beginning(word or "href", "h", "/"),
    ]  # fmt: skip
    try:
        found += tree.select(selector.decode("utf-8", "replace"))
    except SelectorSyntaxError as error:
        str(error).encode()
    if not all(0 <= i < len(tree) for i in found):
        raise AssertionError("a node that is not there")
    tree.core.shown(0, len(tree)).encode(), tree.core.tag_counts(), tree.core.deepest(), tree.core.mce()
    without(tree, [i for i in found if i > tree.body])


def compose(data: bytes) -> None:
    """Any part of a page: the bytes before the first line feed say, bit by bit, which blocks stay and what goes."""
    from duramen import blocks
    from duramen.flatten import parse_tree
    from duramen.options import Output
    from duramen.refine.compose import compose
    from duramen.refine.sanitize import sanitize

    chosen, _, html = data.partition(b"\n")
    tree = parse_tree(html.decode("utf-8", "replace"), 5_000)
    cut = blocks.segment(tree)
    bits = [bool(byte >> bit & 1) for byte in chosen or b"\xff" for bit in range(8)]
    keep = [b for b in range(len(cut)) if bits[b % len(bits)]]
    gone = {i for i in range(1, len(tree)) if tree.tag[i] and not bits[-1 - i % len(bits)]}
    for around in (set(), gone):
        sanitize(compose(tree, cut, keep, around, 1 + len(bits)), Output()).encode()


def sanitizer(data: bytes) -> None:
    """Whatever the policy allows stays as it is when it is sanitized again, whichever the options are."""
    from duramen.options import Output
    from duramen.refine.sanitize import sanitize

    bits = data[0] if data else 0
    output = Output(keep_classes=bool(bits & 1), nofollow=bool(bits & 2), links=not bits & 4, images=not bits & 8)
    html = sanitize(data[1:].decode("utf-8", "replace"), output)
    if sanitize(html, output) != html:
        raise AssertionError("sanitizing again changes the HTML")


def writers(data: bytes) -> None:
    """Any HTML, not sanitized either, becomes plain text, and the entries that the Markdown writer reads."""
    from duramen.render.content import Content
    from duramen.render.text import render_text

    html = data.decode("utf-8", "replace")
    render_text(html).encode()
    content = Content(html, b"*_`[")
    if not all(i <= content.ends[i] < len(content.names) for i, n in enumerate(content.names) if n and n[0] != "/"):
        raise AssertionError("an element that ends outside")


NO_ROWS = memoryview(bytes(4 * 65_536 * 3))
"""Three rows of as many features as a forest may have."""


def model_file(data: bytes) -> None:
    """A file is a model or a ValueError; forests and lookups of any arrays stay inside them."""
    from duramen.find.judge_model import read_arrays
    from duramen.native import core

    for made in (data, len(data).to_bytes(8, "little") + data):
        try:
            read_arrays(made)
        except ValueError as error:
            str(error).encode()
    trees, classes, tests = (*data[:3], 0, 0, 0)[:3]
    rest = data[3:]
    parts: list[bytes] = []
    for size in (2, 4, 2, 2):
        parts.append(rest[: size * tests])
        rest = rest[size * tests :]
    try:
        forest = core.Forest(parts[0], parts[1], parts[2], parts[3], rest[: len(rest) // 4 * 4], trees, classes)
        forest.scores(NO_ROWS[: 4 * 65_536], bytearray(8 * classes))
        forest.scores(NO_ROWS, bytearray(8 * 3 * classes))
    except ValueError as error:
        str(error).encode()
    try:
        core.Lookup(data, data[: len(data) // 4 * 4])
    except (ValueError, UnicodeDecodeError) as error:
        str(error).encode()


def page(data: bytes) -> None:
    """Any bytes are a page with a result."""
    from duramen.options import Options
    from duramen.pipeline import run

    result = run(data, "https://example.org/a", Options())
    result.to_json(trace=True), result.html.encode(), result.text.encode(), result.markdown.encode()


TARGETS: dict[str, Target] = {
    "decode": decode, "parse": parse, "fragment": fragment, "queries": queries, "compose": compose,
    "sanitizer": sanitizer, "writers": writers, "rendering": rendering, "structured": structured, "rules": rules,
    "model_file": model_file, "page": page,
}  # fmt: skip
SEEDS = Path(__file__).resolve().parents[1] / "tests" / "fuzz" / "seeds"
WORDS = (
    "<script", "</script>", "application/ld+json", '"@type"', '"articleBody"', '"@graph"', "itemscope", "itemprop",
    "typeof=", "property=", "<table", "<tr", "<td", "colspan=", "rowspan=", "<pre", "<code", "<ul", "<ol", "<li", "<dl",
    "<math", "<svg", "<sup", "<a href=", "<img src=", "srcset=", "<template", "<noscript", "<figure", "<blockquote",
    "class=", "admonition", "footnote", "highlight", "language-", "katex", "data-math", "data-callout", "<!--",
    "charset=", "utf-16", "<?xml encoding=", "[content]", "domains = [", "primary = [", "##", "#@#", "<br>",
)  # fmt: skip


def seeds(name: str) -> Iterator[bytes]:
    """Where a run begins: small inputs of each target, written for it, and our own rules."""
    yield from (path.read_bytes() for path in sorted((SEEDS / name).iterdir()))
    if name == "rules":
        folder = importlib.resources.files("duramen") / "data" / "site_rules"
        yield from (path.read_bytes() for path in folder.iterdir() if path.name.endswith(".toml"))


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
    parser.add_argument("target", nargs="?", choices=TARGETS)
    parser.add_argument("--list", action="store_true", help="only print the names of the targets")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--longest", type=int, default=4096, help="maximum bytes of an input")
    parser.add_argument("--corpus", type=Path, help="a folder for useful inputs, kept for the next run")
    parser.add_argument("--crashers", type=Path, default=Path("crashers"))
    args = parser.parse_args(arguments)
    if args.list:
        print("\n".join(TARGETS))
        return 0
    if args.target is None:
        parser.error("a target is needed")
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
