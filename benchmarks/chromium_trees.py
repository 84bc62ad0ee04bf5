"""Compare the trees that our parser builds with Chromium's, on every annotated page or on random markup.

    python -m benchmarks.chromium_trees                # every page of every corpus
    python -m benchmarks.chromium_trees --every 20
    python -m benchmarks.chromium_trees --random 5000  # pages of random tags and signs, each made as short as it can be

It needs an installed Chromium (``DURAMEN_CHROMIUM`` names another one than ``chromium``) and exits 1 if trees differ.
Chromium parses with ``DOMParser``, that is with scripting off, as we do.
"""

from __future__ import annotations

import argparse
import difflib
import gzip
import os
import random
import shutil
from collections.abc import Callable, Iterator

from benchmarks.outputs import pages
from benchmarks.tree_dump import dump
from duramen.read.decode import decode

_SCRIPT = """html => {
  const spaces = {'http://www.w3.org/2000/svg': 'svg ', 'http://www.w3.org/1998/Math/MathML': 'math '};
  const prefixes = {'http://www.w3.org/1999/xlink': 'xlink ', 'http://www.w3.org/XML/1998/namespace': 'xml ',
                    'http://www.w3.org/2000/xmlns/': 'xmlns '};
  const lines = [];
  const walk = (node, indent) => {
    for (const one of node.childNodes) {
      if (one.nodeType === 1) {
        lines.push(`${indent}<${spaces[one.namespaceURI] || ''}${one.localName}>`);
        const prefix = a => a.name === 'xmlns' ? '' : prefixes[a.namespaceURI] || '';
        const named = [...one.attributes].map(a => [prefix(a) + a.localName, a.value]);
        named.sort((a, b) => a[0] < b[0] ? -1 : 1);
        for (const [name, value] of named) lines.push(`${indent}  ${name}="${value}"`);
        if (one.content instanceof DocumentFragment) {
          lines.push(`${indent}  content`);
          walk(one.content, indent + '    ');
        }
        walk(one, indent + '  ');
      } else if (one.nodeType === 3) lines.push(`${indent}"${one.data}"`);
      else if (one.nodeType === 8) lines.push(`${indent}<!-- ${one.data} -->`);
      else if (one.nodeType === 7) lines.push(`${indent}<?${one.target} ${one.data}>`);
      else if (one.nodeType === 10) {
        const ids = one.publicId || one.systemId ? ` "${one.publicId}" "${one.systemId}"` : '';
        lines.push(`${indent}<!DOCTYPE ${one.name}${ids}>`);
      }
    }
  };
  walk(new DOMParser().parseFromString(html, 'text/html'), '| ');
  return lines.join('\\n');
}"""

# Left out, since Chromium differs from the standard: nulls (which it drops before the first tag, and keeps after "<")
# and <search> (which is not special there).
TAGS = (
    "a address annotation-xml applet area article b base body br button caption center code col colgroup dd desc"
    " details dialog dir div dl dt em embed fieldset figure font foreignobject form frame frameset h1 h2 head hr html"
    " i iframe image img input keygen li link listing main malignmark marquee math menu meta mglyph mi mo mtext nobr"
    " noembed noframes noscript object ol optgroup option p param plaintext pre rb rp rt rtc ruby s script section"
    " select small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead"
    " title tr track tt u ul var wbr xmp oak x-y path g lineargradient"
).split()
ATTRIBUTES = (
    "", "", "", "", " a=1", ' class="x y"', " type=hidden", " type='hidden'", " color=red", ' encoding="text/html"',
    " A=2 a=3", " /", " x='\"'", ' href="?a=1&amp;b&copy=2&nbsp;"', ' viewbox="0" xlink:href=x definitionurl=1',
    " =b c/d e=",
)  # fmt: skip
TEXTS = (
    "x", " ", "\n", "y z", "&amp;", "&lt;b", "&nbsp;", "1 < 2", "a&copyb", "\n\nq", "<!-- c -->", "<!---->",
    "<?php x?>", "<![CDATA[z<]]>", "<!x>", "</ x>", "<", "é", "\u3000", "\r\n", "</>", "<!doctype html>", "<?xml a?>",
)  # fmt: skip
SIGNS = (
    *(
        "< > / = \" ' & amp; amp # #x 41; 1 x a A b ! !-- -- --> --!> - [CDATA[ ]]> ? <p <a <b> </b </p> <script>"
        " </script <!-- <style> </style> <title> </title> <textarea> </textarea> <svg> </svg> <math> <table> <td>"
        " <select> <option> not copy notin; é \xa0 \U0001f600 &#128; &#0; &#xD800; ` <br/> <xmp> </xmp> <iframe>"
        " </iframe> <noscript> <!doctype html public system <template> </template> &lt &gt; &nbsp &AMP &ampx &amp="
        " &# &#x &#1114112; &NotEqualTilde; <?a <?xml ?> </> <plaintext> <frameset>"
    ).split(" "),
    *"  \n\t\f\r",
)


def random_tags(numbers: random.Random) -> str:
    """A page of tags that hardly ever fit together."""
    tags = numbers.sample(TAGS, numbers.choice([3, 6, 12, len(TAGS)]))
    parts = ["<!doctype html>"] if numbers.random() < 0.5 else []
    opened = ["p"]
    for _ in range(numbers.choice([5, 10, 20, 60])):
        which = numbers.random()
        if which < 0.45:
            opened.append(numbers.choice(tags))
            parts.append(f"<{opened[-1]}{numbers.choice(ATTRIBUTES)}>")
        elif which < 0.7:
            parts.append(f"</{numbers.choice(opened if numbers.random() < 0.8 else tags)}>")
        else:
            parts.append(numbers.choice(TEXTS))
    return "".join(parts)


def random_signs(numbers: random.Random) -> str:
    """A page of pieces of markup."""
    return "".join(numbers.choice(SIGNS) for _ in range(numbers.choice([4, 8, 16, 40])))


def random_pages(count: int, seed: int) -> Iterator[tuple[str, str]]:
    for number in range(seed, seed + count):
        numbers = random.Random(number)
        yield f"random {number}", (random_tags if number % 3 else random_signs)(numbers)


def corpus_pages(every: int) -> Iterator[tuple[str, str]]:
    for name, path, _ in list(pages())[::every]:
        yield name, decode(gzip.decompress(path.read_bytes()))[0]


def shortest(html: str, differs: Callable[[str], bool]) -> str:
    """A part of the page that still differs, for people to read."""
    size = len(html) // 2
    while size:
        at = 0
        while at < len(html):
            less = html[:at] + html[at + size :]
            if differs(less):
                html = less
            else:
                at += size
        size //= 2
    return html


def main() -> int:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth page of the corpora")
    parser.add_argument("--random", type=int, default=0, metavar="N", help="compare N random pages instead")
    parser.add_argument("--seed", type=int, default=0, help="number of the first random page (default: 0)")
    parser.add_argument("--show", type=int, default=10, help="differences to show (default: 10)")
    args = parser.parse_args()
    chosen = random_pages(args.random, args.seed) if args.random else corpus_pages(args.every)
    compared = differing = 0
    with sync_playwright() as playwright:
        chromium = shutil.which(os.environ.get("DURAMEN_CHROMIUM", "chromium"))
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()

        def differs(html: str) -> bool:
            return bool(dump(html) != page.evaluate(_SCRIPT, html))

        for name, html in chosen:
            compared += 1
            ours, theirs = dump(html), page.evaluate(_SCRIPT, html)
            if ours == theirs:
                continue
            differing += 1
            if differing > args.show:
                print(f"--- {name}")
                continue
            print(f"--- {name}")
            if args.random:
                html = shortest(html, differs)
                print(repr(html))
                ours, theirs = dump(html), page.evaluate(_SCRIPT, html)
            lines = difflib.unified_diff(theirs.split("\n"), ours.split("\n"), "Chromium", "Duramen", n=2, lineterm="")
            print("\n".join(line[:160] for line in list(lines)[:30]))
        browser.close()
    print(f"chromium_trees: {compared} pages compared, {differing} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    raise SystemExit(main())
