"""Values of a record, read from its elements: by microdata, by tag, and by the names that classes have."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from duramen.lazy_pattern import lazy_pattern
from duramen.page import Page
from duramen.parts.records.amounts import amount_of
from duramen.parts.records.rows import record_rows
from duramen.read.dates import find_date, parse_date
from duramen.safe_values import safe_text, safe_url
from duramen.tables import split_names
from duramen.urls import joined

__all__ = ["HEADINGS", "Fields", "Region", "Value"]

_CLOCK = lazy_pattern(r"\b\d{1,2}[:.]\d\d\b")
_NUMBER = lazy_pattern(r"[-+−]?\d[\d,. ]*")
_LONGEST_NAME = 80
_LONGEST_LINE = 160
_LONGEST_STAMP, _LONGEST_ALONE = 60, 40
_LONGEST_PRICE = 20
_MOST_PRICES, _FORMER = 200, 300
"""So many prices are compared; one that may be the price before counts as so many characters further away."""
_HEAD = 60
"""The first texts of a post, among which its date is looked for."""
_BESIDE_PAIR = 40
"""Characters that a name and its value may have beside them, in what holds both."""
_CHOICES = frozenset(("option", "li", "label", "button"))
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))


class Value(NamedTuple):
    """What was read, and where."""

    text: str
    source: str


class Region(NamedTuple):
    """The nodes of a record: those of its element, but for the records inside it."""

    node: int
    end: int
    inner: tuple[tuple[int, int], ...] = ()

    def has(self, i: int) -> bool:
        return self.node <= i < self.end and not any(start <= i < stop for start, stop in self.inner)


class Fields:
    """Reads the values of regions of one page; where candidates are is found once."""

    def __init__(self, page: Page) -> None:
        self.page, self.tree, self.rows = page, page.tree, record_rows()
        self.language = page.metadata.language
        self.month_first = (self.language or "en").lower() in ("en", "en-us", "en_us")

    @cached_property
    def _named(self) -> Mapping[str, list[int]]:
        """The elements that each row names by class or id, in document order."""
        tree, rows = self.tree, self.rows
        found: dict[str, list[int]] = {}
        by_class = {value: rows.names(value) for value in tree.classes()}
        wanted = {value for value, names in by_class.items() if names}
        for i in tree.classed(wanted) if wanted else ():
            for name in by_class[tree.cls[i]]:
                found.setdefault(name, []).append(i)
        return found

    @cached_property
    def _props(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = {}
        for i, value in self.tree.valued("itemprop"):
            for name in value.split()[:4]:
                found.setdefault(name, []).append(i)
        return found

    @cached_property
    def _tagged(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = {}
        for i in self.tree.tagged(frozenset(("a", "dt", "img", "time", *HEADINGS))):
            found.setdefault(self.tree.tag[i], []).append(i)
        return found

    @staticmethod
    def _inside(nodes: Sequence[int], region: Region) -> Iterator[int]:
        for k in range(bisect_left(nodes, region.node), len(nodes)):
            if nodes[k] >= region.end:
                return
            if region.has(nodes[k]):
                yield nodes[k]

    def named(self, row: str, region: Region) -> Iterator[int]:
        """The elements of a region that a row names."""
        return self._inside(self._named.get(row, ()), region)

    def marked(self, row: str, region: Region) -> Iterator[int]:
        """The elements of a region that microdata names, the best name first."""
        for prop in self.rows.props[row]:
            yield from self._inside(self._props.get(prop, ()), region)

    def tagged(self, tag: str, region: Region) -> Iterator[int]:
        return self._inside(self._tagged.get(tag, ()), region)

    def line(self, i: int, most: int = _LONGEST_LINE) -> str:
        """The shown text of a small element; of a large one nothing."""
        return safe_text(self.tree.text_in(i), most) if self.tree.chars_in(i) <= most else ""

    def stated(self, i: int) -> str:
        """The value of an element that microdata or a framework names."""
        tree = self.tree
        if tree.tag[i] in ("meta", "data"):
            return safe_text(tree.attr(i, "content") or tree.attr(i, "value"), 1000)
        return safe_text(tree.text_in(i)[:2000], 1000)

    # Values, in the order in which they are trusted.

    def author(self, region: Region) -> Value | None:
        for attribute in self.rows.attributes["author"]:
            if name := self._name(safe_text(self.tree.attr(region.node, attribute), _LONGEST_NAME)):
                return Value(name, "page")
        for i in self.marked("author", region):
            inner = Region(i, self.tree.end[i])
            named = next(self._inside(self._props.get("name", ()), inner), i)
            if name := self._name(self.stated(named)):
                return Value(name, "microdata")
        for i in self.tagged("a", region):
            if "author" in self.tree.attr(i, "rel").split() and (name := self._name(self.line(i))):
                return Value(name, "page")
        for i in self.named("author", region):
            if name := self._name(self._linked(i) or self.line(i, _LONGEST_NAME)):
                return Value(name, "page")
        for i in self.tagged("a", region):
            is_member = self.rows.member_address.search(self.tree.attr(i, "href"))
            if is_member and (name := self._name(self.line(i, _LONGEST_NAME))):
                return Value(name, "page")
        return None

    def _linked(self, i: int) -> str:
        """The text of the first link in an element that has any: beside a name may be a rank or a date."""
        return next((text for a in self.tagged("a", Region(i, self.tree.end[i])) if (text := self.line(a))), "")

    def _name(self, text: str) -> str:
        name = self.rows.around_author.sub("", text.strip()).strip(" ,·|»«-–")
        return name if 0 < len(name) <= _LONGEST_NAME and any(map(str.isalnum, name)) and not find_date(name) else ""

    def published(self, region: Region) -> Value | None:
        for i in self.marked("published", region):
            if found := self.date(i):
                return Value(found, "microdata")
        refused = {i for i in self.tagged("time", region) if self._is_other_date(i, region)}
        for i in self.tagged("time", region):
            if i not in refused and (found := self.date(i)):
                return Value(found, "page")
        for i in self.named("published", region):
            if found := self.date(i):
                return Value(found, "page")
        return None

    def writer(self, region: Region) -> Value | None:
        """The author of a post: also who the list beside it begins with, or who is named alone before its date."""
        terms = (self._name(self.line(i, _LONGEST_NAME)) for i in self.tagged("dt", region))
        if (found := self.author(region)) or (found := next((Value(name, "page") for name in terms if name), None)):
            return found
        stamp = self._stamp(region)
        return self._before(stamp[0], region) if stamp else None

    def _before(self, stamp: int, region: Region) -> Value | None:
        """The name that is the only text beside a date, before it."""
        tree = self.tree
        for outer in tree.ancestors(stamp):
            texts = tree.speaking(outer, tree.end[outer])
            if outer < region.node or len(texts) > 2:
                return None
            if len(texts) == 2 and texts[1] == stamp:
                text = tree.text[texts[0]].strip()
                name = self._name(text) if len(text) <= _LONGEST_ALONE and text[-1] != ":" else ""
                is_label = not self.rows.dating.isdisjoint(name.lower().split())
                return Value(name, "page") if name and not is_label else None
        return None

    def written(self, region: Region) -> Value | None:
        """When a post was written: also the first text that is a date with its time and little else."""
        if found := self.published(region):
            return found
        stamp = self._stamp(region)
        return Value(stamp[1], "page") if stamp else None

    def _stamp(self, region: Region) -> tuple[int, str] | None:
        tree = self.tree
        for i in tree.speaking(region.node, region.end)[:_HEAD]:
            text = tree.text[i].strip()
            if len(text) > _LONGEST_STAMP or not _CLOCK.search(text) or not region.has(i):
                continue
            words = frozenset(re.findall(r"[^\W\d]+", text.lower()))
            if not words.isdisjoint(self.rows.without["published"]) or self._is_other_date(tree.parent[i], region):
                continue
            if date := self._parsed(text):
                return i, date
        return None

    def _is_other_date(self, i: int, region: Region) -> bool:
        """Whether a date is of a change, or of something in the text: a quotation."""
        tree = self.tree
        node = i
        while node > region.node:
            if tree.tag[node] == "blockquote" or not self.rows.changed.isdisjoint(
                tree.cls[node].lower().replace("-", " ").replace("_", " ").split()
            ):
                return True
            node = tree.parent[node]
        return False

    def date(self, i: int) -> str | None:
        """The date that an element states or shows."""
        tree = self.tree
        for holder in (i, *(j for j in range(i + 1, min(tree.end[i], i + 12)) if tree.tag[j])):
            for name in self.rows.attributes["published"]:
                if (value := tree.attr(holder, name)) and (found := self._parsed(value)):
                    return found
        text = self.line(i)
        return self._parsed(text) if text else None

    def _parsed(self, text: str) -> str | None:
        if not any(map(str.isdigit, text)) or len(text) > _LONGEST_LINE:
            return None
        if iso := re.search(r"\d{4}-\d\d-\d\dT\S+", text):
            return parse_date(iso[0]) or None
        return parse_date(text, self.month_first, self.language)

    def score(self, region: Region) -> int | None:
        for i in (*self.marked("score", region), *self.named("score", region)):
            found = self.number(self.tree.attr(i, "data-value") or self.stated(i))
            if found is not None:
                return found
        return None

    @staticmethod
    def number(text: str) -> int | None:
        found = _NUMBER.search(text[:40])
        digits = re.sub(r"\D", "", found[0]) if found else ""
        return int(digits) * (-1 if found and found[0][0] in "-−" else 1) if 0 < len(digits) < 10 else None

    def price(self, region: Region, at: int | None = None) -> tuple[Value, str | None] | None:
        """An amount and its currency: the nearest to a node, or the first; what microdata says goes first."""
        for i in self.marked("price", region):
            stated = self.tree.attr(i, "content") or self.stated(i)
            if amount := amount_of(stated):
                return Value(amount, "microdata"), self._currency(region) or self._priced(self.line(i))[1]
        tree, chars = self.tree, self.tree.chars
        named = islice(self.named("price", region), _MOST_PRICES)
        priced = [(i, *found) for i in named if (found := self._shown_by(i))]
        if not priced:
            return None
        place = chars[priced[0][0] if at is None else at]
        nearest = min(priced, key=lambda one: abs(chars[one[0]] - place) + _FORMER * one[3])
        # What holds other prices may begin with the one before, or with the whole of which they are the parts.
        inside = [one for one in priced if tree.contains(nearest[0], one[0]) and one[3] is nearest[3]]
        behind = (*(one[0] for one in inside[1:]), len(tree))
        leaf = next(one for one, after in zip(inside, behind, strict=True) if not tree.contains(one[0], after))
        whole = (one for one in inside if tree.contains(one[0], leaf[0]) and one[1].startswith(f"{leaf[1]}."))
        _, amount, currency, _ = next(whole, leaf)
        return Value(amount, "page"), currency

    def _shown_by(self, i: int) -> tuple[str, str | None, bool] | None:
        """The amount and currency of an element, and whether it may be the one before."""
        if self._is_struck(i):
            return None
        tree, without = self.tree, self.rows.without["price"]
        inside = range(i + 1, tree.end[i])
        former = [j for j in inside if tree.cls[j] and any(map(without.intersection, split_names(tree.cls[j])))]
        for is_former, left_out in ((False, former), (True, [])) if former else ((False, []),):
            amount, currency = self._priced(self._unstruck(i, left_out))
            if amount and amount.strip("0."):
                return amount, currency, is_former
        return None

    def _currency(self, region: Region) -> str | None:
        for i in self._inside(self._props.get("priceCurrency", ()), region):
            if (code := self.stated(i)) and len(code) == 3:
                return code.upper()
        return None

    def _unstruck(self, i: int, left_out: Sequence[int]) -> str:
        """The text of an element without these, and without what is struck out: the price before."""
        tree = self.tree
        if tree.chars_in(i) > _LONGEST_LINE:
            return ""
        struck = (j for j in range(i + 1, tree.end[i]) if tree.tag[j] in ("del", "s", "strike"))
        gone = [(j, tree.end[j]) for j in (*struck, *left_out)]
        parts = [tree.text[j] for j in tree.speaking(i, tree.end[i]) if not any(a <= j < b for a, b in gone)]
        return " ".join("".join(parts).split())

    def _is_struck(self, i: int) -> bool:
        return any(self.tree.tag[j] in ("del", "s", "strike") for j in (i, self.tree.parent[i]))

    def _priced(self, text: str) -> tuple[str | None, str | None]:
        found = self.rows.price.search(text)
        if not found:
            return None, None
        sign = found[1] or found[4]
        return amount_of(found[2] or found[3]), self.rows.currencies[sign]

    def shown_price(self, region: Region) -> tuple[Value, str | None] | None:
        """The first amount with a currency in a region that is small."""
        tree = self.tree
        for i in tree.speaking(region.node, region.end)[:200]:
            if region.has(i) and len(tree.text[i]) < 60 and not self._is_struck(tree.parent[i]):
                # The sign may be a text of its own, beside the amount.
                for text in (tree.text[i], self.line(tree.parent[i], _LONGEST_PRICE)):
                    amount, currency = self._priced(text)
                    if amount:
                        return Value(amount, "page"), currency
        return None

    def rating(self, region: Region) -> Value | None:
        for i in self.marked("rating", region):
            if (found := re.search(r"\d+(?:[.,]\d+)?", self.stated(i))) and float(found[0].replace(",", ".")) <= 10:
                return Value(found[0].replace(",", "."), "microdata")
        for i in self.named("rating", region):
            for text in (self.tree.attr(i, "aria-label"), self.tree.attr(i, "title"), self.line(i, 40)):
                if found := self.rows.stars.search(text[:80]):
                    return Value((found[1] or found[2] or found[3]).replace(",", "."), "page")
        return None

    def said_rating(self, region: Region) -> Value | None:
        """The first rating that says that it is one, in a text or for those who hear the page."""
        tree = self.tree
        said = [(i, label) for i, label in tree.valued("aria-label") if region.has(i)]
        said += [(i, tree.text[i]) for i in tree.speaking(region.node, region.end) if region.has(i)]
        for _, text in sorted(said):
            if found := self.rows.rated.search(text.strip()[:80]):
                return Value((found[1] or found[2]).replace(",", "."), "page")
        return None

    def address(self, written: str) -> str | None:
        if not written or written.startswith(("#", "javascript:", "data:")):
            return None
        base = self.page.base_url
        return safe_url(joined(written, base) if base else written) or (None if base else safe_text(written, 2000))

    def image(self, region: Region) -> str | None:
        for i in self.tagged("img", region):
            for name in self.rows.attributes["image"]:
                if found := self.address(self.tree.attr(i, name)):
                    return found
        return None

    def first(self, row: str, region: Region, most: int = _LONGEST_LINE) -> Value | None:
        """The first text that microdata or a class names."""
        for i in self.marked(row, region):
            inner = next(self._inside(self._props.get("name", ()), Region(i, self.tree.end[i])), i)
            if text := self.stated(inner)[:most]:
                return Value(text, "microdata")
        for i in self.named(row, region):
            if text := self.line(i, most):
                return Value(text, "page")
        return None

    def labelled(self, row: str, region: Region) -> Value | None:
        """The text behind a label: in the same line after a colon, or the next text."""
        tree, label = self.tree, self.rows.labels[row]
        texts = [i for i in tree.speaking(region.node, region.end) if region.has(i) and tree.text[i].strip()]
        for number, i in enumerate(texts):
            found = label.fullmatch(tree.text[i].strip()) if len(tree.text[i]) <= _LONGEST_LINE else None
            if found is None:
                continue
            after = texts[number + 1] if number + 1 < len(texts) else -1
            following = tree.text[after] if after >= 0 and (found[1] or self._is_pair(i, after)) else ""
            text = safe_text(found[1] or following.lstrip(" :#"), _LONGEST_NAME)
            if text and len(found[1] or following) <= _LONGEST_NAME and any(map(str.isalnum, text)):
                return Value(text, "page")
        return None

    def _is_pair(self, label: int, value: int) -> bool:
        """Whether two texts are a name and its value: no heading with a list, no choice among others."""
        tree = self.tree
        around = next((i for i in tree.ancestors(label) if tree.contains(i, value)), tree.body)
        inside = {tree.tag[i] for i in tree.ancestors(value) if i > around}
        if "dd" in inside:
            return True
        chars = tree.chars_in(label) + tree.chars_in(value)
        return inside.isdisjoint(_CHOICES) and tree.chars_in(around) <= chars + _BESIDE_PAIR

    def headings(self, region: Region) -> list[int]:
        return sorted(i for tag in HEADINGS for i in self.tagged(tag, region))
