"""The page's title: its heading, weighed against what the data and ``<title>`` say."""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import unquote

from duramen.lazy_pattern import lazy_pattern
from duramen.read.structured_lookup import THING, StructuredLookup, strength
from duramen.read.text_clean import agreement_of, clean_text, fold, page_name, squeeze

__all__ = ["read_title", "split_title"]

MAX_TITLE = 300
_HEADINGS = frozenset({"h1", "h2", "h3", "h4"})
_BOOK = 0.1
"""The agreement of a heading that names a collection of pages."""
_SEPARATOR = lazy_pattern(
    # One of three characters first, which plain search finds: to try each kind everywhere is slow.
    r"[\s:|](?:(?<=\s)\s*(?:[|–—·•»«>\\⋆⋅›/~_]+\s+|-+\s+|::\s*|\|\s*)|(?<=\|)\s*|(?<=:)(?::\s*|\s+))"
)
_EAST_ASIAN_MARK = lazy_pattern(
    r"(?<=[\u3000-\u9fff\uac00-\ud7af\uff00-\uffef])\s?[_｜－]\s?(?=\S)|\s?[_｜－]\s?(?=[\u3000-\u9fff\uac00-\ud7af])"
)
"""What is between the parts of an East Asian title, often without spaces."""
_FIRST_TIGHT = lazy_pattern(r"([^_|｜－]{2,40})[_｜－](?=\S{2}.{6})")
"""A first part that such a mark ends, or a stroke without spaces."""
_TIGHT_MARK = lazy_pattern(r"(?<=[^\s\d])[_:|｜：－-]([^\s_:|｜：－-][^_:|｜：－]{1,40})$")
"""What is before a site's name without a space."""
_EDGES = " |·•»«›-–—"
"""Signs between the parts of a title, which are at its ends where a part is missing."""
_MARK = lazy_pattern(r"[|–—·•»«>\\⋆⋅›/~_:-]")
"""In every separator."""


class SiteNames:
    """What a site is called, and what every site calls some of its pages: no part of a title."""

    def __init__(self, names: set[str], lookup: StructuredLookup) -> None:
        self.names = set(names)
        self.books: set[str] = set()
        """Headings that name a collection of pages, such as a blog or a book."""
        self._generic, self._sections = lookup.rows.generic_titles, lookup.rows.sections
        self._host = lookup.host if len(lookup.host) >= 4 else ""

    def is_generic(self, title: str) -> bool:
        """Whether every site has a page that is called so."""
        return fold(title) in self._generic

    def has(self, part: str, is_last: bool = False) -> bool:
        """Whether a part of a title, perhaps its last, is a name of the site; "Oaks Forum" is one of oaks.example."""
        squeezed = squeeze(part)
        if squeezed in self.names or squeezed in self.books or fold(part) in self._generic:
            return True
        if is_last and fold(part) in self._sections:
            return True
        return is_last and bool(self._host) and squeezed.startswith(self._host) and len(part.split()) <= 4


def read_title(lookup: StructuredLookup, names: set[str]) -> str | None:
    site = SiteNames(names, lookup)
    data = _title_data(lookup)
    headings = _headings(lookup, site)
    said = [text for _, text in data]
    witnesses = list(dict.fromkeys([fold(text) for text in (*said, lookup.document_title) if text]))
    best: tuple[float, int, str, str] | None = None
    confirmed: list[str] = []
    for at, source, text in headings:
        agreement = _heading_agreement(lookup, at, text, witnesses)
        if agreement >= 0.6:
            confirmed.append(text)
        elif agreement == _BOOK:
            site.books.add(squeeze(text))
        if best is None or agreement > (best[0] + 0.25 if best[0] else 0):
            best = (agreement, at, source, text)
    if best and best[0] < (0.2 if lookup.is_article else 0.5) and not _is_in_address(lookup, best, headings, witnesses):
        best = None
    if best:
        lookup.nodes.title_at = best[1]
        if not _is_short(best[3]):
            return lookup.found("title", best[2], strip_site(best[3], site, []))
    stripped = strip_site(lookup.document_title, site, said + confirmed)
    if best:
        return lookup.found("title", *(_fuller(best[3], data, stripped, site) or best[2:]))
    for source, text in data:
        clean = strip_site(text, site, [stripped])
        if clean and squeeze(clean) not in site.names | site.books and not site.is_generic(clean):
            return _located(lookup, "title", source, clean)
    if site.is_generic(stripped) and (named := strip_site(lookup.document_title, SiteNames(set(), lookup), [])):
        # "Home - The Oak Blog": the site's name says more.
        return lookup.found("title", "title", named)
    if stripped:
        first = (split_title(stripped) or ("",))[0]
        # What follows a colon is rather a part of the title.
        if (
            len(first) >= 10
            and first != stripped
            and stripped[len(first)] != ":"
            and (at := _locate(lookup, first, headings_only=True)) >= 0
        ):
            lookup.nodes.title_at = at
            stripped = first
        return _located(lookup, "title", "title", stripped)
    if headings:
        lookup.nodes.title_at = headings[0][0]
        return lookup.found("title", *headings[0][1:])
    return _located(lookup, "title", *data[0]) if data else None


def _located(lookup: StructuredLookup, name: str, source: str, title: str) -> str:
    """Note where in the nodes a title is that no heading gave."""
    if lookup.nodes.title_at < 0:
        lookup.nodes.title_at = _locate(lookup, title)
    return lookup.found(name, source, title)


def _locate(lookup: StructuredLookup, title: str, headings_only: bool = False) -> int:
    """The element whose text is the title."""
    tree, size = lookup.tree, len(title)
    folded = fold(title)
    fallback = -1
    holding = tree.core.texts_holding(title[:20])
    for i in holding:
        text = tree.text[i]
        if size <= len(text) <= size + 60:
            at = tree.parent[i]
            if fold(text) != folded:
                continue
            if tree.tag[at] in _HEADINGS or tree.tag[tree.parent[at]] in _HEADINGS:
                return at
            if fallback < 0 and not headings_only and not lookup.nodes.is_aside(at):
                fallback = at
    return fallback


def _title_data(lookup: StructuredLookup) -> list[tuple[str, str]]:
    data: list[tuple[str, str]] = []
    for item in lookup.items:
        if strength(item) > THING:
            continue
        for name in ("headline", "name"):
            if text := clean_text(item.get(name), MAX_TITLE):
                if fold(text) not in lookup.rows.generic_titles:
                    data.append((f"json-ld:{name}", text))
                break
    data += [
        (f"meta:{key}", text)
        for key in lookup.rows.meta["title"]
        if (values := lookup.meta.get(key))
        and (text := clean_text(values[0], MAX_TITLE))
        and fold(text) not in lookup.rows.generic_titles
    ]
    data += [
        (f"{notation}:headline", text)
        for notation, item in lookup.marked
        if strength(item) <= THING and (text := clean_text(item.get("headline"), MAX_TITLE, unescape=False))
    ]
    return data


def _headings(lookup: StructuredLookup, site: SiteNames) -> list[tuple[int, str, str]]:
    """Headings that may be the title, in the order of the specification's §2.2."""
    tree, nodes = lookup.tree, lookup.nodes
    ranked: list[tuple[int, int, str]] = []
    headlines = nodes.props.get("headline", [])
    for i in nodes.h1[:20]:
        inside = nodes.landmark_rank(i)
        if i in headlines:
            rank, source = 1, "dom:h1[itemprop=headline]"
        elif inside == 2 and _in_header(lookup, i):
            rank, source = 0, "dom:article header h1"
        elif inside:
            rank, source = 2, "dom:article h1" if inside == 2 else "dom:main h1"
        else:
            rank, source = 3, "dom:h1"
        ranked.append((rank + (4 if nodes.is_aside(i) else 0), i, source))
    ranked.extend(
        (2, i, "dom:itemprop=headline") for i in headlines[:3] if tree.tag[i] != "h1" and not nodes.is_aside(i)
    )
    out: list[tuple[int, str, str]] = []
    seen: set[str] = set()
    for _, i, source in sorted(ranked):
        text = clean_text(nodes.heading(i), MAX_TITLE, unescape=False)
        if not text or fold(text) in lookup.rows.generic_titles:
            continue
        if len(text) > 1 and text not in seen and squeeze(text) not in site.names:
            seen.add(text)
            out.append((i, source, text))
    return out


def _is_in_address(
    lookup: StructuredLookup,
    best: tuple[float, int, str, str],
    headings: list[tuple[int, str, str]],
    witnesses: list[str],
) -> bool:
    """Whether the page's only heading, which says something else than the data, is what the page's address says.

    Data is often written for search engines, in other words than the page's.
    """
    agreement, at, _, text = best
    texts = {fold(text) for i, _, text in headings if not lookup.nodes.is_aside(i)}
    if agreement == _BOOK or len(texts) != 1 or lookup.nodes.is_aside(at):
        return False
    name = set(fold(unquote(page_name(lookup.url))).split())
    said = max((_common(name, witness) for witness in witnesses), default=0.0)
    return _common(name, fold(text)) >= max(0.2, said + 0.05)


def _common(words: set[str], folded: str) -> float:
    """The share of words that two texts have in common."""
    others = set(folded.split())
    return len(words & others) / (len(words | others) or 1)


def _in_header(lookup: StructuredLookup, i: int) -> bool:
    for j in lookup.tree.ancestors(i):
        if lookup.tree.tag[j] == "header":
            return True
        if lookup.tree.tag[j] == "article":
            break
    return False


def _heading_agreement(lookup: StructuredLookup, at: int, text: str, witnesses: list[str]) -> float:
    folded = fold(text)
    agreement = max([agreement_of(folded, witness) for witness in witnesses], default=0.6)
    parts = split_title(lookup.document_title)
    if len(parts) > 1 and fold(parts[0]) == folded:
        agreement = max(agreement, 0.95)
    if agreement >= 0.6 and any(witness.startswith(folded) for witness in witnesses):
        agreement += 0.3
    if folded not in witnesses and _ends_with(lookup.document_title, folded) and not lookup.nodes.landmark_rank(at):
        # "This chapter - The book": the book's name is above each of its pages.
        return _BOOK
    if folded not in witnesses and not lookup.nodes.landmark_rank(at) and _is_name_before(lookup, folded):
        # "The blog: A post", of which the second part is a heading, too.
        return _BOOK
    if lookup.nodes.is_aside(at):
        agreement *= 0.5
    return agreement


def _ends_with(title: str, folded: str) -> bool:
    """Whether the last part of a title, and not its only one, says what is folded."""
    if len(title) <= 500 and not fold(title).endswith(folded):
        return False
    parts = split_title(title)
    return len(parts) > 1 and fold(parts[-1]) == folded


def _is_name_before(lookup: StructuredLookup, folded: str) -> bool:
    """Whether what is folded is the first part of the page's title, and the rest of it another heading."""
    title = lookup.document_title
    if len(title) > 500 or not fold(title).startswith(folded) or not (mark := _SEPARATOR.search(title)):
        return False
    rest = title[mark.end() :].strip()
    return fold(title[: mark.start()]) == folded and len(rest) >= 8 and _locate(lookup, rest, headings_only=True) >= 0


def _is_short(heading: str) -> bool:
    return len(heading) <= 18 and len(fold(heading).split()) <= 2


def _fuller(heading: str, data: list[tuple[str, str]], stripped: str, site: SiteNames) -> tuple[str, str] | None:
    """A title that says more than a heading of one or two words."""
    words = fold(heading).split()
    for source, text in (*data, ("title", stripped)):
        clean = strip_site(text, site, [])
        others = fold(clean).split()
        if len(others) >= 4 and " ".join(words) in " ".join(others) and not split_title(clean)[1:]:
            return source, clean
    return None


def _is_colon(title: str, start: int, end: int) -> bool:
    """Whether a mark is the colon of a sentence, which no space is before."""
    return title[start:end].strip() == ":" and not title[start - 1].isspace()


@lru_cache(maxsize=256)
def split_title(title: str) -> tuple[str, ...]:
    parts = _SEPARATOR.split(title[:500]) if _MARK.search(title) else (title[:500],)
    return tuple([part.strip() for part in parts if part.strip()])


def strip_site(title: str, site: SiteNames, witnesses: list[str]) -> str:
    """A title without the site's name at its end or beginning, as far as there is evidence for that."""
    title = title.strip(_EDGES) or title
    if not title.isascii() and (match := _EAST_ASIAN_MARK.search(title, 4)) and match.start() >= 5:
        # The section and the site follow.
        title = title[: match.start()].rstrip()
    for _ in range(2):
        if (match := _TIGHT_MARK.search(title)) and match.start() >= 4 and site.has(match[1], not title.isascii()):
            title = title[: match.start()].rstrip()
    if (match := _FIRST_TIGHT.match(title)) and site.has(match[1]):
        title = title[match.end() :]
    if not _MARK.search(title):
        return title
    spans = [match.span() for match in _SEPARATOR.finditer(title[:500])]
    if not spans:
        return title
    folded = {fold(text) for text in witnesses if text} - {fold(title)}
    for start, end in spans:
        for part in (title[:start].strip(), title[end:].strip()):
            if part and fold(part) in folded and not site.has(part):
                return part
    while spans:
        (first, after_first), (last, after_last) = spans[0], spans[-1]
        if site.has(title[after_last:], is_last=not _is_colon(title, last, after_last)):
            title = title[:last].rstrip()
        elif squeeze(title[:first]) in site.books or (
            site.has(title[:first]) and not _is_colon(title, first, after_first)
        ):
            title = title[after_first:].lstrip()
        else:
            break
        spans = [match.span() for match in _SEPARATOR.finditer(title)]
    if spans:
        start, end = spans[-1]
        if "|" in title[start:end] and len(title[end:].split()) <= 4:
            return title[:start].rstrip()
    return title
