"""Articles on several pages: finds the next page, and joins the results."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from urllib.parse import parse_qsl, urlencode, urlsplit

from duramen import dom
from duramen.errors import FetchError
from duramen.fetch.url import Url, parse_url, same_site
from duramen.flatten import parse_tree
from duramen.model import VerdictName
from duramen.read.addresses import base_url
from duramen.refine.sanitize import sanitize
from duramen.result import Result
from duramen.tree import Tree

_PAGE_FIELDS = frozenset("page p pg paged pagina pagenum pageno page_no seite sida strona".split())
_PAGE_SEGMENT = re.compile(r"(page|seite|pagina|sida|strona|p)?[-_]?(\d{1,3})", re.I)
_PAGE_WORD = re.compile(r"page|seite|pagina|sida|strona|p", re.I)
_PAGE_SUFFIX = re.compile(r"(.+?)[-_,.](page|seite|pagina|sida|strona|p|s)?[-_]?(\d{1,3})(\.\w{2,5})?", re.I)
_PAGER = ':is([class*="pagin" i], [class*="pager" i], [class*="page-n" i], [aria-label*="pag" i])'
_IN_PAGER = f"a[href]{_PAGER}, {_PAGER} a[href]"
"""Links from page to page."""
_FOOTNOTE = re.compile(r'(id="fn-|href="#fn-|data-footnote-ref=")(\d+)')
_FOOTNOTE_TEXT = re.compile(r'(<a href="#fn-\d+">)(\d+)(</a>)')
_WORST: tuple[VerdictName, ...] = ("empty", "poor", "partial", "good")


def next_page(html: str, url: str, seen: Iterable[str] = ()) -> str | None:
    """The URL of the article's next page, or ``None``.

    A link named ``next`` is not enough, because on blogs it leads to the next post: the two URLs must differ only in
    a page number, and it must be the next number. ``seen`` are the pages so far.

    >>> next_page('<a rel=next href="/oaks/2">on</a>', "https://wood.example/oaks")
    'https://wood.example/oaks/2'
    >>> next_page('<a rel=next href="/beeches">next post</a>', "https://wood.example/oaks")
    """
    known = set(seen)
    here = parse_url(url)
    stem, number, is_named = page_number(here)
    if number > 1 and not is_named and len(known) < 2:
        return None  # /chapter/7 or /item-41: a number, but of what?
    tree = parse_tree(html)
    base = parse_url(base_url(tree, url) or url)
    links = tree.select("link[rel~=next][href], a[rel~=next][href]")
    in_pager = set(tree.select(_IN_PAGER))
    for link in (*links, *(i for i in tree.select("a[href]") if i in in_pager or _is_page(tree, i, number + 1))):
        try:
            target = parse_url(tree.attrs[link]["href"], base)
        except FetchError:
            continue
        if target.href not in known and same_site(here, target) and page_number(target)[:2] == (stem, number + 1):
            return target.href
    return None


def _is_page(tree: Tree, link: int, number: int) -> bool:
    label = tree.text_in(link)
    return label == str(number) or not any(c.isalnum() for c in label)


def page_number(url: Url) -> tuple[str, int, bool]:
    """A URL without its page number, the number, and whether it is named as one; the first page often has none.

    >>> page_number(parse_url("https://wood.example/oaks?a=1&page=3"))
    ('wood.example/oaks?a=1', 3, True)
    >>> page_number(parse_url("https://wood.example/oaks/page/2/"))
    ('wood.example/oaks', 2, True)
    >>> page_number(parse_url("https://wood.example/oaks-4.html"))
    ('wood.example/oaks.html', 4, False)
    >>> page_number(parse_url("https://wood.example/oaks"))
    ('wood.example/oaks', 1, True)
    """
    split = urlsplit(url.href)
    host = url.host.removeprefix("www.")
    fields = parse_qsl(split.query, keep_blank_values=True)
    path = split.path.rstrip("/")
    for i, (name, value) in enumerate(fields):
        if name.lower() in _PAGE_FIELDS and value.isdigit() and len(value) <= 3:
            rest = urlencode(fields[:i] + fields[i + 1 :])
            return f"{host}{path}{'?' + rest if rest else ''}", int(value), True
    query = f"?{urlencode(fields)}" if fields else ""
    head, _, last = path.rpartition("/")
    if found := _PAGE_SEGMENT.fullmatch(last):
        above, _, word = head.rpartition("/")
        is_named = _PAGE_WORD.fullmatch(word) is not None
        return f"{host}{above if is_named else head}{query}", int(found[2]), is_named or bool(found[1])
    if found := _PAGE_SUFFIX.fullmatch(last):
        return f"{host}{head}/{found[1]}{found[4] or ''}{query}", int(found[3]), bool(found[2])
    return f"{host}{path}{query}", 1, True


def join_results(results: Sequence[Result]) -> Result:
    """Join the results of an article's pages: the first page's result, with the content of all."""
    first = results[0]
    if len(results) == 1:
        return first
    repeated = list(_blocks(first.html))
    parts = [first.html]
    notes = _last_note(first.html)
    for later in results[1:]:
        part = "".join(_without_repeated(list(_blocks(later.html)), repeated))
        parts.append(_renumbered(part, notes))
        notes = max(notes, _last_note(parts[-1]))
    html = sanitize(dom.fragment("".join(parts)), first.output)
    verdict = min((one.quality.verdict for one in results), key=_WORST.index)
    score = round(sum(one.quality.score for one in results) / len(results), 3)
    reasons = tuple(dict.fromkeys(reason for one in results for reason in one.quality.reasons))
    # Whether an article is too short is decided for the whole.
    reasons = tuple(reason for reason in reasons if not reason.startswith("thin:"))
    steps = tuple(step for one in results[1:] for step in one.trace.steps if step.startswith("fetched "))
    trace = replace(first.trace, steps=(*first.trace.steps, f"joined {len(results)} pages of one article", *steps))
    quality = replace(first.quality, verdict=verdict, score=score, reasons=reasons)
    return replace(first, html=html, quality=quality, trace=trace)


def unfinished(result: Result, why: str) -> Result:
    """Mark the result of an article whose further pages could not be read."""
    quality = result.quality
    verdict: VerdictName = "partial" if quality.verdict == "good" else quality.verdict
    reasons = (*quality.reasons, f"truncated: a further page could not be read ({why})")
    return replace(result, quality=replace(quality, verdict=verdict, reasons=reasons))


def _blocks(html: str) -> Iterator[str]:
    """The outermost elements of a result, as HTML."""
    for node in dom.fragment(html):
        yield node.html if isinstance(node, dom.Element) else dom.escape(node.text)


def _without_repeated(blocks: list[str], repeated: Sequence[str]) -> list[str]:
    """Drop what every page begins or ends with: a standfirst, a picture, an author note."""
    known = set(repeated)
    start, stop = 0, len(blocks)
    while start < stop and blocks[start] in known:
        start += 1
    while stop > start and blocks[stop - 1] in known:
        stop -= 1
    return blocks[start:stop]


def _last_note(html: str) -> int:
    return max((int(number) for _, number in _FOOTNOTE.findall(html)), default=0)


def _renumbered(html: str, by: int) -> str:
    """Renumber footnotes to continue those of the previous pages."""
    if not by:
        return html
    html = _FOOTNOTE_TEXT.sub(lambda m: f"{m[1]}{int(m[2]) + by}{m[3]}", html)
    return _FOOTNOTE.sub(lambda m: f"{m[1]}{int(m[2]) + by}", html)
