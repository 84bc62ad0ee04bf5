"""Records against the structured data of the same pages: ``python -m benchmarks.records CORPUS [--worst N]``.

The JSON-LD of a page is hidden before it is extracted; what it says of posts, items, products, questions and steps is
then the truth that the visible page is compared with. A page counts only where its text shows what the data says.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.corpora import corpus_folder, shared_folder
from duramen import extract
from duramen.options import Options
from duramen.page import letters
from duramen.parts.records.amounts import amount_of
from duramen.parts.records.values import Record
from duramen.pipeline import page_of
from duramen.read.dates import parse_date
from duramen.read.vocabulary import types_of

_DATA = re.compile(rb"<script\b[^>]*ld\+json[^>]*>.*?</script\s*>", re.S | re.I)
_TAGS = re.compile("<[^>]*>")
_AMOUNT = re.compile(r"\d[\d.,’' \u00a0\u202f]*")
_SHOWN = 0.6
"""The share of the data's records that the page's text must show."""

_GTINS = ("gtin13", "gtin12", "gtin14", "gtin8", "gtin", "isbn")
Truth = dict[str, list[dict[str, str]]]
PARTLY = "partly"
"""A kind without records: the data lists some of the thread's posts."""


def hidden(html: bytes) -> bytes:
    """The page without its JSON-LD."""
    return _DATA.sub(b"", html)


def _objects(value: Any, depth: int = 0) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, list):
        for part in value[:1000]:
            yield from _objects(part, depth)
    elif isinstance(value, Mapping) and depth < 8:
        yield value
        for part in value.values():
            yield from _objects(part, depth + 1)


def _text(value: Any) -> str:
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, Mapping):
        value = value.get("name") or value.get("@value") or ""
    return " ".join(_TAGS.sub(" ", str(value if value is not None else "")).split())


def _listed(value: Any) -> list[Mapping[str, Any]]:
    values = value if isinstance(value, list) else [value]
    return [one for one in values if isinstance(one, Mapping)]


def _lists_all(question: Mapping[str, Any]) -> bool:
    """Whether all answers to a question are in the data: forums list the accepted one, or some."""
    if "question" not in types_of(question):
        return True
    listed = [one for key in ("acceptedAnswer", "suggestedAnswer") for one in _listed(question.get(key))]
    return bool(question.get("suggestedAnswer")) and len(listed) >= int(question.get("answerCount") or 0)


def _available(offers: list[Mapping[str, Any]]) -> str:
    """Whether a product can be had, where all its offers say the same."""
    inner = [part for offer in offers for part in _listed(offer.get("offers"))]
    stated = {_text(offer.get("availability")).rpartition("/")[2].lower() for offer in (*offers, *inner)} - {""}
    return {frozenset({"instock"}): "true", frozenset({"outofstock"}): "false"}.get(frozenset(stated), "")


def truth_of(objects: tuple[Mapping[str, Any], ...]) -> Truth:
    """What the data says, by kind of record; each record as field to text."""
    truth: Truth = defaultdict(list)
    for item in _objects(list(objects)):
        kinds = set(types_of(item))
        if kinds & {"discussionforumposting", "qapage"}:
            main = _listed(item.get("mainEntity"))[0] if "qapage" in kinds and item.get("mainEntity") else item
            written = [
                main,
                *(one for key in ("comment", "acceptedAnswer", "suggestedAnswer") for one in _listed(main.get(key))),
            ]
            if not _lists_all(main):
                truth[PARTLY] = []
            for one in written:
                body = _text(one.get("text") or one.get("articleBody"))
                if body and not any(body == known["text"] for known in truth["post"]):
                    date = _text(one.get("datePublished") or one.get("dateCreated"))
                    truth["post"].append({"text": body, "author": _text(one.get("author")), "published": date})
        elif "itemlist" in kinds:
            for one in _listed(item.get("itemListElement")):
                inner = one.get("item")
                thing = inner if isinstance(inner, Mapping) else one
                url = _text(inner if isinstance(inner, str) else thing.get("url") or one.get("url") or thing.get("@id"))
                truth["item"].append({"title": _text(thing.get("name") or one.get("name")), "url": url})
        elif "product" in kinds and not truth["product"] and item in objects:
            offer = (_listed(item.get("offers")) or [{}])[0]
            price = _text(offer.get("price") or offer.get("lowPrice"))
            truth["product"].append(
                {
                    "name": _text(item.get("name")),
                    "brand": _text(item.get("brand")),
                    "price": amount_of(price) or "",
                    "currency": _text(offer.get("priceCurrency")),
                    "sku": _text(item.get("sku")),
                    "gtin": next((_text(item[name]) for name in _GTINS if item.get(name)), ""),
                    "rating": _text((_listed(item.get("aggregateRating")) or [{}])[0].get("ratingValue")),
                    "available": _available(_listed(item.get("offers"))),
                }
            )
        elif "faqpage" in kinds:
            for one in _listed(item.get("mainEntity")):
                answer = (_listed(one.get("acceptedAnswer")) or [{}])[0]
                asked = {"question": _text(one.get("name")), "answers": _text(answer.get("text"))}
                # Some pages state their FAQ twice.
                if asked not in truth["question"]:
                    truth["question"].append(asked)
        elif "recipe" in kinds:
            lines = item.get("recipeIngredient") or []
            truth["ingredient"] += [{"text": _text(line)} for line in lines if isinstance(line, str)]
            for one in _objects(item.get("recipeInstructions")):
                if "howtostep" in types_of(one):
                    truth["step"].append({"text": _text(one.get("text") or one.get("name"))})
        elif "comment" in kinds and "post" not in truth:
            body = _text(one.get("text")) if (one := item) else ""
            if body:
                date = _text(item.get("datePublished") or item.get("dateCreated"))
                truth["comment"].append({"text": body, "author": _text(item.get("author")), "published": date})
    return truth


_PAGES = {"post": {"forum"}, "item": {"listing", "collection"}, "product": {"product"}}
"""Which pages, by their annotation, are made of what their data lists: that of an article may list other articles."""
_KEYS = {"post": "text", "comment": "text", "item": "title", "product": "name", "question": "question"}


def _key(kind: str, record: Mapping[str, Any]) -> str:
    return letters(str(record.get(_KEYS.get(kind, "text")) or ""))[:60]


def _same(field: str, wanted: str, got: Any) -> bool:
    if got is None:
        return False
    if field == "published":
        return _day(str(got)) == _day(parse_date(wanted) or wanted)
    if field == "price":
        return bool(wanted) and amount_of(str(got)) is not None and float(amount_of(str(got)) or 0) == float(wanted)
    if field == "available":
        return str(got).lower() == wanted
    if field == "rating":
        return abs(float(wanted.replace(",", ".")) - float(got)) < 0.06
    if field == "url":
        return _path(wanted) == _path(str(got))
    one, other = letters(wanted), letters(" ".join(got) if isinstance(got, tuple) else str(got))
    return one[:40] in other or other in one if field in ("answers", "text") else one == other


def _is_shown(field: str, value: str, texts: list[str], shown: str) -> bool:
    """Whether the page's text has a value of the data: dates and addresses are written in another way."""
    if field in ("published", "url", "currency", "available"):
        return True
    if field == "price":
        return any(float(amount_of(one) or 0) == float(value) for text in texts for one in _AMOUNT.findall(text))
    if field in ("sku", "gtin", "rating"):
        whole = re.compile(rf"(?<![\w.,]){re.escape(value)}(?![\w,]|\.\d)", re.I)
        return any(map(str.isdigit, value)) and any(map(whole.search, texts))
    return letters(value)[:40] in shown


def _day(date: str) -> str:
    """The day of a date, at Greenwich where its zone is known: data and page may be written in two."""
    try:
        moment = datetime.fromisoformat(date)
    except ValueError:
        return date[:10]
    return (moment.astimezone(UTC) if moment.tzinfo else moment).date().isoformat()


def _path(url: str) -> str:
    return re.sub(r"^(?:https?:)?//[^/]*|[?#].*$|/$", "", url)


def matched(kind: str, wanted: list[dict[str, str]], got: list[Record]) -> list[tuple[dict[str, str], Record]]:
    """Pairs of records that are the same one."""
    free = list(got)
    pairs: list[tuple[dict[str, str], Record]] = []
    for one in wanted:
        key = _key(kind, one)
        for record in free:
            about = {name: getattr(record, name, None) for name in ("title", "name", "question", "url", "text")}
            other = _key(kind, about)
            if kind == "item" and one.get("url") and about["url"] and _path(one["url"]) == _path(str(about["url"])):
                is_same = True
            else:
                is_same = (
                    bool(key)
                    and bool(other)
                    and (
                        key[:30] in letters(record.text)[:1500]
                        if kind in ("post", "comment", "step", "ingredient")
                        else key.startswith(other[:40]) or other.startswith(key[:40])
                    )
                )
            if is_same:
                pairs.append((one, record))
                free.remove(record)
                break
    return pairs


class Tally:
    """Counts of one kind of record."""

    def __init__(self) -> None:
        self.pages = self.wanted = self.got = self.same = 0
        self.fields: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
        """Of each field: how many are right, given and shown."""

    def report(self) -> str:
        precision, recall = self.same / max(1, self.got), self.same / max(1, self.wanted)
        f1 = 2 * precision * recall / max(1e-9, precision + recall)
        fields = ", ".join(
            f"{name} {right} of {given} given, {shown} shown"
            for name, (right, given, shown) in sorted(self.fields.items())
        )
        return f"{self.pages} pages, {self.wanted} records: P {precision:.3f} R {recall:.3f} F1 {f1:.3f}; {fields}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path, nargs="+", help="a folder, or the name of a corpus that was fetched")
    parser.add_argument("--worst", type=int, default=0)
    parser.add_argument("--kind")
    args = parser.parse_args()
    tallies: dict[str, Tally] = defaultdict(Tally)
    worst: list[tuple[float, str, str, int, int, int]] = []
    for given in args.corpus:
        corpus = given if given.is_dir() else corpus_folder(shared_folder(), given.name)
        known = {
            row["id"]: row
            for row in map(json.loads, filter(None, (corpus / "truth.jsonl").read_text("utf-8").split("\n")))
        }
        for path in sorted((corpus / "html").glob("*.html.gz")):
            html = gzip.decompress(path.read_bytes())
            if b"ld+json" not in html:
                continue
            name = path.name.removesuffix(".html.gz")
            url = known[name].get("url") or "https://example.org/"
            truth = truth_of(page_of(html, url, Options()).structured.json_ld)
            if not truth:
                continue
            result, page = extract(hidden(html), url), page_of(hidden(html), url, Options())
            shown = letters(" ".join(page.blocks.text))
            for kind, wanted in truth.items():
                if (args.kind and kind != args.kind) or known[name].get("kind") not in _PAGES.get(
                    kind, {known[name].get("kind")}
                ):
                    continue
                keyed = [one for one in wanted if _key(kind, one) or one.get("url")]
                seen = [one for one in keyed if not _key(kind, one) or _key(kind, one)[:30] in shown]
                if not seen or len(seen) < _SHOWN * len(keyed) or (kind == "item" and len(seen) < 3):
                    continue
                got = [record for record in result.records if record.kind == kind]
                pairs = matched(kind, seen, got)
                # Data of one record may be of the first of many.
                is_whole = (len(wanted) > 1 or kind == "product") and not (kind == "post" and PARTLY in truth)
                tally = tallies[kind]
                tally.pages += is_whole
                tally.wanted += len(seen) * is_whole
                tally.got += len(got) * is_whole
                tally.same += len(pairs) * is_whole
                for one, record in pairs:
                    for field, value in one.items():
                        if value and field != "text":
                            got_value = getattr(record, field, None)
                            is_same = _same(field, value, got_value)
                            if is_same or _is_shown(field, value, page.blocks.text, shown):
                                counts = tally.fields[field]
                                counts[0] += is_same
                                counts[1] += got_value is not None
                                counts[2] += 1
                f1 = 2 * len(pairs) / max(1, len(seen) + len(got))
                worst.append(
                    (
                        f1,
                        kind,
                        f"{name} {result.page_type} {result.framework.id if result.framework else ''}",
                        len(seen),
                        len(got),
                        len(pairs),
                    )
                )
    for kind, tally in sorted(tallies.items()):
        print(kind, tally.report())
    for line in sorted(worst)[: args.worst]:
        print(*line, file=sys.stderr)


if __name__ == "__main__":
    main()
