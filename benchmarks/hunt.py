"""Looks for pages whose time grows faster than their size: random content, repeated, nested, or as one long value.

    python -m benchmarks.hunt --count 5000 --seed 1

A finding is measured again before it is reported with its number. Times are CPU times, so a busy machine does not
matter.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import duramen
from duramen.options import Options, Output

from .fuzz import TAGS

DATA = Path(duramen.__file__).parent / "data"
SIZES = (60_000, 480_000)
MOST = 2.2**3 * 1.1
"""The ratio for three doublings, plus a tenth for timer noise."""
LEAST = 0.03
"""Shorter times, in seconds, are too noisy to compare."""
LONGEST = 0.7
"""Time limit for the larger page, in seconds."""
STEP = 500

SENTENCE = "Oak heartwood is hard, dark and durable, and shipwrights chose it for keels and ribs of ships. "
PROSE = f"<p>{SENTENCE * 5}</p>"
MORE_TAGS = (
    "section aside nav main header footer g path mrow semantics annotation optgroup label ol tbody caption kbd q h3 rp"
    " figcaption embed video audio source picture img map area listing frame link center nobr marquee dialog menu hr br"
    " wbr input time address abbr sup sub del mark meter canvas slot"
).split()
ATTRIBUTES = (
    "class=c{n}", "class='post comment'", "class='entry-content article-body'", "class='related sidebar nav'",
    "class=language-py", "class='highlight line'", "class='hljs lineno gutter'", "class='footnote fn'",
    "class='admonition note'", "class=math", "class='author byline'", "class='date published'", "class=sr-only",
    "id=i{n}", "id=same", "id=fn{n}", "href=#fn{n}", "href=#same", "href=/a/{n}", "src=a{n}.png", "rel=tag",
    "rel=author", "srcset='a.png 1x, b{n}.png 2x'", "data-src=b{n}.png", "style=display:none", "hidden",
    "aria-hidden=true", "role=main", "role=doc-footnote", "role=navigation", "itemscope", "itemprop=articleBody",
    "itemprop=name", "itemref=same", "itemtype=https://schema.org/Article", "property=name", "typeof=Article",
    "title='word {n}'", "alt='a picture {n}'", "colspan=9", "rowspan=1000", "start={n}", "lang=x{n}",
    "datetime=2020-01-01", "content='word {n}'", "name=author", "type=checkbox", "type=math/tex",
    "type=application/ld+json", "type=application/json", "data-a{n}=1", "x{n}", "color=c{n}", "shadowrootmode=open",
    "headers=i{n}", "encoding=application/x-tex",
)  # fmt: skip
TEXTS = (
    "x", "word ", "two words {n}, ", SENTENCE, "{n}", "&amp;", "&nbsp;", "&notanentity", "<!-- {n} -->",
    "<![CDATA[x]]>", "\n", "  \n  ", "|", "$a$", "\\(x^2\\)", "```\n", "`x`", "[^{n}]", "[{n}]", "*", "- ", "1. ",
    "# ", "> ", "_a_", "~~", "http://a.example/{n} ", "2020-01-{n} ", "$9.99 ", "© 2020 ", "by Jane Roe {n} ", "心材是",
    "ไม้", "İΣ", "é", "👨‍👩‍👧", "\u200b", "\u202e", "\u00ad", "Read more ", "Share ", "Cookies ", "Page not found ",
    "<", "</", "<!", "<?x", "{", "}",
)  # fmt: skip
AROUND = (
    "{}", "<p>{}</p>", f"<p>{SENTENCE}{{}}</p>", "<li>{}</li>", "<td>{}</td>", "<div>{}</div>", f"{{}}{SENTENCE}",
    "<h2>{}</h2>", "<blockquote>{}", "<pre>{}</pre>", "<pre><code>{}</code></pre>",
    "<figure>{}<figcaption>a caption</figcaption></figure>", "<a href=/a>{}</a>",
    f"<dl><dt>{{}}</dt><dd>{SENTENCE}</dd></dl>", "<table><tr><td>{}</td></tr></table>", "<sup>{}</sup>",
    "<ol><li>{}", "<details><summary>{}</summary>", "<div class=admonition>{}</div>", "<code>{}</code> ",
    "<noscript>{}</noscript>", "<math><mtext>{}</mtext>", "<svg>{}",
)  # fmt: skip
PLACES = (
    f"{PROSE}{{}}{PROSE}",
    f"{{}}{PROSE}",
    f"<title>Oak</title><main><article><h1>Oak</h1>{PROSE}{{}}{PROSE}</article></main>",
    f"<meta name=generator content='Sphinx 7'><div class=body role=main><h1>Oak</h1>{PROSE}{{}}</div>",
    f"<div itemscope itemtype=https://schema.org/Article><div itemprop=articleBody>{PROSE}{{}}</div></div>",
    f"<table><tr><td>{PROSE}{{}}</td></tr></table>",
    f"<ul><li>{PROSE}{{}}</li></ul>",
    *(f"<{tag}>{{}}</{tag}>{PROSE}" for tag in ("math", "svg", "select", "pre", "a href=/")),
)
VALUES = (
    "<title>{}</title>", "<h1>{}</h1>", "<p>{}</p>", "<pre>{}</pre>", "<pre><code>{}</code></pre>",
    "<p><code>{}</code></p>", "<table><tr><td>{}</td><td>a</td></tr></table>", "<div class=byline>{}</div>",
    "<time>{}</time>", "<a rel=tag>{}</a>", "<div class='date published'>{}</div>", "<span class=math>{}</span>",
    "<script type=math/tex>{}</script>", "<style>{}</style>", "<math><mi>{}</mi></math>", "<script>{}</script>",
    "<script>window.__STATE__={}</script>", "<button>{}</button>",
    "<script id=__NEXT_DATA__ type=application/json>{}</script>", "<script>self.__next_f.push([1,\"{}\"])</script>",
    "<script type=application/ld+json>{}</script>", "<p class=footnote id=fn1>{}</p>",
    "<details><summary>{}</summary>x</details>",
    *(f'<script type=application/ld+json>{{"@type":"Article","{name}":"{{}}"}}</script>'
      for name in "articleBody headline author datePublished description keywords image inLanguage".split()),
    '<script type=application/ld+json>{"@type":"Article","speakable":{"cssSelector":["{}"]}}</script>',
    *(f'<meta name="{name}" content="{{}}">'
      for name in "author description keywords date og:title og:image generator article:published_time".split()),
    *(f'<link rel={rel} href="{{}}">' for rel in ("canonical", "license", "next")),
    *(f'<{tag} {name}="{{}}">Oak words of it</{tag}>'
      for tag in "p a img pre code td html iframe ol".split()
      for name in "class id style href src srcset alt width lang start colspan data-src role title".split()),
)  # fmt: skip
LETTERS = (
    "a", " ", "a ", ". ", "-", " - ", "/", "by ", "2020-", "\n", "&nbsp;", "(", "[", "[a](", "[1]", "|", " | ", "»",
    "1", "1.", ":", "::", "a.b ", "$", "\\(", "\\", "`", "*", "_", "_a", "#", "http://", "@", "é", "心", "\u200b", "¶",
    ",", ", ", ";", " and ", "ago ", "{", "}", '{\\"a\\":', "!", "~", "+", "=", "%41", "&", "'", "—", "Jan 1, ",
    "12:30 ", "A. ", "a-b-", "url(", "0px ", "display:none;", "//", "../", "?a=", "\t", "\r", "½", "٣", "<", "</",
    "<!--", "<b>", "<br>", "<span> </span>", "STATE_", "__", "]]>", "<!",
)  # fmt: skip
STARTS = (
    "",
    "1",
    "a",
    "#",
    "-",
    "by ",
    "2020-",
    "$",
    "(",
    "[",
    "{",
    "\\\\",
    "http://",
    "url(",
    "{\\displaystyle",
    "note",
    "__",
)
ENDS = ("", "x", "\x01", "!", " ", "1", ")", "]", "}", "|", ".", "/", "#", "¶", "\n", "é", "&", "=")
OPTIONS = (
    *(Options(),) * 6, Options(mode="recall"), Options(visible_only=True),
    Options(include_comments=True, mode="precision"), Options(output=Output(keep_classes=True)),
)  # fmt: skip


class Shape(NamedTuple):
    """A page of any size."""

    place: str
    """The text around the rest, which replaces the braces."""
    units: tuple[str, ...]
    """The repeated parts, in turn; ``{n}`` is the number of the repetition."""
    start: str
    end: str
    options: Options

    def page(self, size: int) -> str:
        made: list[str] = []
        while size > 0:
            made.append(self.units[len(made) % len(self.units)].replace("{n}", str(len(made))))
            size -= len(made[-1])
        return self.place.replace("{}", f"{self.start}{''.join(made)}{self.end}")


@cache
def names() -> tuple[str, ...]:
    """Names from the data tables, of content and of boilerplate."""
    found = {name for path in DATA.glob("*.toml") for name in re.findall(r'"([\w -]{2,40})"', path.read_text("utf-8"))}
    return tuple(sorted(found))


def shape(seed: int) -> Shape:
    """The shape of this number; deterministic."""
    rng = random.Random(seed)
    options = rng.choice(OPTIONS)
    if rng.random() < 0.4:
        unit = rng.choice(LETTERS) + (rng.choice(LETTERS) if rng.random() < 0.2 else "")
        place = rng.choice(VALUES)
        return Shape(rng.choice((place + PROSE, PROSE + place)), (unit,), rng.choice(STARTS), rng.choice(ENDS), options)
    units = tuple(rng.choice(AROUND).replace("{}", _unit(rng)) for _ in range(rng.choice((1, 1, 1, 2, 3))))
    return Shape(rng.choice(PLACES), units, "", "", options)


def _unit(rng: random.Random) -> str:
    made, opened = "", []
    for _ in range(rng.randrange(1, 5)):
        what = rng.random()
        if what < 0.55:
            opened.append(rng.choice((*TAGS, *MORE_TAGS)))
            known = (f"class='{rng.choice(names())} {rng.choice(names())}'", f"id='{rng.choice(names())}'")
            said = rng.choices((*ATTRIBUTES, *known * 10), k=rng.choice((0, 0, 1, 1, 2, 3)))
            made += f"<{' '.join((opened[-1], *said))}>"
        elif what < 0.85 or not opened:
            made += rng.choice(TEXTS)
        else:
            made += f"</{opened.pop()}>"
    return made + ("".join(f"</{tag}>" for tag in reversed(opened)) if rng.random() < 0.6 else "")


def spent(html: str, options: Options) -> float:
    started = time.thread_time()
    result = duramen.extract(html, "https://example.org/a", options)
    assert isinstance(result.text, str) and isinstance(result.markdown, str)
    return time.thread_time() - started


def slow(found: Shape) -> str:
    """Why the time of a shape is too long; empty if it is not."""
    pages = [found.page(size) for size in SIZES]
    times = [float("inf")] * len(pages)
    for _ in range(3):
        times = [min(least, spent(html, found.options)) for least, html in zip(times, pages, strict=True)]
        if times[1] <= min(LONGEST, MOST * max(times[0], LEAST)):
            return ""
    return f"{times[0]:.3f} s, then {times[1]:.3f} s"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="the number of the first shape")
    args = parser.parse_args(arguments)
    bad = 0
    for number in range(args.seed, args.seed + args.count):
        one = shape(number)
        if wrong := slow(one):
            bad += 1
            print(f"{number}: {wrong}: {one}"[:500], flush=True)
        if (done := number - args.seed + 1) % STEP == 0:
            print(f"{done:,} of {args.count:,}, {bad} slow", flush=True)
    print(f"{args.count:,} shapes, {bad} slow")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
