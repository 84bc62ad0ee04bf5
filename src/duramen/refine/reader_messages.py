"""What a page says to its reader: its title, headings, short blocks, buttons and scripts, and the phrases in them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cache, cached_property
from typing import Any

from duramen.lazy_pattern import lazy_pattern
from duramen.native import core
from duramen.page import Page
from duramen.tables import load, split_names

Phrases = Mapping[str, str]
"""Phrase to the id of its row."""

READ = 4_000
"""Characters of a page that are read for phrases."""
SHORT = 60
"""Words of a block that may be a message to the reader; prose that quotes one is longer."""

_PIECES = lazy_pattern(
    '[|\u2013\u2014·•»«→:!?¿¡.…()\\[\\]{}<>"“”„*,\u3002\uff01\uff1f\uff1a\u3001\uff08\uff09\uff5c\uff0c]+ ?| [-~/]+ '
)
_TOKEN = lazy_pattern(r"\w+(?:['-]\w+)*")
_PLAIN = {"’": "'", "‘": "'", "ʼ": "'", "`": "'", "\xa0": " ", "\u200b": "", "\xad": ""}


class NormalizedText:
    """A text in plain form, and its words."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def words(self) -> Set[str]:
        # Most words are between spaces as they are, and need no regular expression.
        every = set(self.text.split())
        words = set(filter(str.isalnum, every))
        words.update(_TOKEN.findall(" ".join(every - words)))
        return words


class Lines:
    """Phrases to be found in running text; the first of several words must be there as a word of its own."""

    def __init__(self, rows: Phrases) -> None:
        self.rows = rows
        self.first: dict[str, str] = {}
        for phrase in rows:
            words = _TOKEN.findall(phrase)
            # One word may be a stem, and Chinese or Japanese has no words to go by.
            if len(words) > 1 and words[0] < "\u3000":
                self.first[phrase] = words[0]
        self._phrases = core.Phrases(list(rows))

    def within(self, text: NormalizedText) -> list[str]:
        """The phrases that are in a text."""
        first = self.first
        return sorted(
            phrase for phrase in self._phrases.within(text.text) if phrase not in first or first[phrase] in text.words
        )


@cache
def phrases_by_use() -> Mapping[tuple[str, str], Phrases]:
    """(reason, where) to its phrases; the first row that has a phrase keeps it."""
    table: dict[tuple[str, str], dict[str, str]] = {}
    rows: Iterable[Mapping[str, Any]] = load("obstacles.toml")["row"]
    for row in rows:
        own = table.setdefault((row["reason"], row["where"]), {})
        for phrase in row["phrases"].replace("\n", " ").split(";"):
            if phrase.strip():
                own.setdefault(phrase.strip(), row["id"])
    return table


@cache
def lines_of(reason: str) -> Lines:
    return Lines(phrases_by_use()[reason, "line"])


@cache
def _compiled(reason: str, where: str) -> core.Phrases:
    return core.Phrases(list(phrases_by_use()[reason, where]))


def stems_in(text: str, reason: str, where: str) -> list[str]:
    """The phrases of this use that a text has anywhere."""
    found: list[str] = _compiled(reason, where).within(text)
    return found


def row_in(text: str, reason: str, where: str) -> str:
    """The row of the first phrase of this use that a text has, empty without any."""
    stems = stems_in(text, reason, where) if text else ()
    return phrases_by_use()[reason, where][stems[0]] if stems else ""


@cache
def names_of(reason: str) -> frozenset[tuple[str, ...]]:
    return frozenset(parts for name in phrases_by_use()[reason, "name"] for parts in split_names(name))


def has_name(names: str, reason: str) -> bool:
    wanted = names_of(reason)
    for parts in split_names(names):
        for i in range(len(parts)):
            if parts[i : i + 1] in wanted or parts[i : i + 2] in wanted:
                return True
    return False


def plain(text: str) -> str:
    """Lower-case, with one kind of apostrophe and space."""
    return " ".join(_with_plain_signs(text).lower().split())


def plain_lines(texts: Iterable[str]) -> list[str]:
    """Each of some texts in plain form; they have no lines, as those of blocks."""
    whole = "\n".join(texts)
    signs = _with_plain_signs(whole)
    lines = signs.lower().split("\n")
    return lines if len(signs) == len(whole) else [" ".join(line.split()) for line in lines]


def _with_plain_signs(text: str) -> str:
    for sign, plainer in _PLAIN.items() if not text.isascii() or "`" in text else ():
        if sign in text:
            text = text.replace(sign, plainer)
    return text


def pieces(line: str) -> list[str]:
    """A title or heading, whole and parted where titles are put together.

    >>> pieces("404 - Page Not Found | Example")
    ['404 - page not found | example', '404', 'page not found', 'example']
    """
    whole = plain(line)[:300].strip(" .!?…:-\u2013\u2014|*\"'\u3002\uff01\uff1f")
    parts = [part.strip(" '\"-") for part in _PIECES.split(whole)]
    return list(dict.fromkeys(part for part in (whole, *parts) if part))


class ReaderMessages:
    """The parts of a page that the rules check; each is read when it is first needed."""

    def __init__(self, page: Page, kept: Sequence[int]) -> None:
        self.page = page
        self.kept = kept

    def each(self, tag: str) -> list[int]:
        return self.page.tree.tagged({tag})

    def has(self, *tags: str) -> bool:
        return bool(self.page.tree.tagged(set(tags)))

    @cached_property
    def title(self) -> str:
        tree = self.page.tree
        for i in self.each("title"):
            return " ".join("".join(tree.text[i : tree.end[i]]).split())[:300]
        return ""

    @cached_property
    def headings(self) -> list[str]:
        """The first headings that have text, the highest rank first."""
        tree = self.page.tree
        found: list[str] = []
        for tag in ("h1", "h2", "h3"):
            for i in self.each(tag)[:2]:
                text = tree.text_in(i)[:300]
                if text:
                    found.append(text)
        return found

    @cached_property
    def title_pieces(self) -> list[str]:
        return pieces(self.title)

    @cached_property
    def heading_pieces(self) -> list[str]:
        return [piece for heading in self.headings for piece in pieces(heading)]

    @cached_property
    def unscripted(self) -> list[bool]:
        """Whether each block is in ``<noscript>``, which a browser does not show."""
        tree, first = self.page.tree, self.page.blocks.first
        found = [False] * len(first)
        for i in self.each("noscript"):
            if tree.words_in(i):
                inside = range(bisect_right(first, i), bisect_left(first, tree.end[i]))
                found[inside.start : inside.stop] = [True] * len(inside)
        return found

    @cached_property
    def prose(self) -> list[int]:
        """Shown blocks that are text rather than links."""
        blocks = zip(self.page.blocks.links, self.page.blocks.chars, self.unscripted, strict=True)
        return [b for b, (links, chars, unscripted) in enumerate(blocks) if links * 2 < chars and not unscripted]

    @cached_property
    def prose_words(self) -> int:
        """Words of sentences; labels of forms and the like are no sign of content."""
        words = self.page.blocks.words
        return sum(words[b] for b in self.prose if words[b] >= 4)

    @cached_property
    def framed_words(self) -> int:
        """Words of sentences between the page's header and footer, which every page of a site has."""
        tree, blocks = self.page.tree, self.page.blocks
        total, end = self.prose_words, 0
        prose = set(self.prose)
        for i in tree.tagged({"header", "nav", "footer"}):
            if i >= end:
                end = tree.end[i]
                framed = range(bisect_right(blocks.first, i), bisect_left(blocks.first, end))
                total -= sum(blocks.words[b] for b in framed if b in prose and blocks.words[b] >= 4)
        return total

    @cached_property
    def shown_words(self) -> int:
        blocks = zip(self.page.blocks.words, self.unscripted, strict=True)
        return sum(words for words, unscripted in blocks if not unscripted)

    @cached_property
    def short(self) -> list[tuple[int, str]]:
        """Short blocks within the first characters of the page, links and ``<noscript>`` included."""
        blocks, found, read = self.page.blocks, [], 0
        for b, text in enumerate(blocks.text):
            if blocks.words[b] > SHORT or len(text) > READ:
                continue
            found.append(b)
            read += len(text)
            if read > READ:
                break
        return list(zip(found, plain_lines(blocks.text[b] for b in found), strict=True)) if found else []

    @cached_property
    def short_text(self) -> NormalizedText:
        """The text of the short blocks, a line each."""
        return NormalizedText("\n".join([text for _, text in self.short]))

    def lines(self, reason: str) -> list[tuple[int, str]]:
        """Short blocks with a phrase of this reason, and the row that has it."""
        lines = lines_of(reason)
        present = lines.within(self.short_text)
        if not present:
            return []
        hits = []
        for b, text in self.short:
            row = next((lines.rows[phrase] for phrase in present if phrase in text), None)
            if row:
                hits.append((b, row))
        return hits

    @cached_property
    def labels(self) -> set[str]:
        """What can be pressed: buttons (whose text no block has), and blocks as short as a button."""
        tree = self.page.tree
        found = {text.strip(" .!›»→>") for _, text in self.short if len(text) < 40}
        for i in self.each("button")[:60]:
            found.add(plain("".join(tree.text[i : tree.end[i]])[:80]).strip(" .!›»→>"))
        for i in self.each("input")[:60]:
            if tree.attr(i, "type").lower() in ("submit", "button"):
                found.add(plain(tree.attr(i, "value")[:80]))
        return found

    @cached_property
    def inputs(self) -> set[str]:
        tree = self.page.tree
        return {tree.attr(i, "type").lower() for i in self.each("input")}

    @cached_property
    def scripted(self) -> bool:
        """Whether the page has scripts, or names some that a crawler has taken out."""
        tree = self.page.tree
        return self.has("script") or any(
            tree.attr(i, "as") == "script" or tree.attr(i, "rel") == "modulepreload" for i in self.each("link")
        )

    @cached_property
    def code(self) -> str:
        """The beginnings of scripts, their addresses, and all names."""
        tree = self.page.tree
        parts: list[str] = []
        room = 30_000
        for tag, attribute in (
            ("script", "src"),
            ("iframe", "src"),
            ("link", "href"),
            ("form", "action"),
            ("meta", "content"),
        ):
            for i in self.each(tag):
                own = tree.attr(i, attribute)[:300]
                if tag == "script" and tree.end[i] > i + 1:
                    own += tree.text[i + 1][:4_000]
                parts.append(own)
                room -= len(own)
                if room < 0:
                    break
        names = dict.fromkeys((*tree.classes(), *(ident for _, ident in tree.valued("id"))))
        parts += [name for name in names if name][:2_000]
        return "\n".join(parts).lower()

    @cached_property
    def empty_root(self) -> str:
        """The name of an element that scripts were to fill and that holds next to nothing."""
        tree = self.page.tree
        roots = phrases_by_use()["needs_javascript", "root"]
        for i, ident in tree.valued("id"):
            if ident.lower() in roots and tree.tag[i] not in ("html", "body", "script", "input") and self._hollow(i):
                return f"#{ident}"
        for name in tree.tag_counts().keys() & roots.keys():
            if "-" in name:
                for i in self.each(name):
                    if self._hollow(i):
                        return f"<{name}>"
        return ""

    def _hollow(self, i: int) -> bool:
        tree = self.page.tree
        words = tree.words_in(i)
        words -= sum(tree.words_in(j) for j in self.each("noscript") if i < j < tree.end[i])
        return words <= 6 and "img" not in tree.tag[i : tree.end[i]]
