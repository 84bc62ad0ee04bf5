"""Questions with their answers: of an FAQ."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from duramen.lazy_pattern import lazy_pattern
from duramen.page import Page
from duramen.parts.records.body import Bodies
from duramen.parts.records.fields import Fields, Region
from duramen.parts.records.values import Question
from duramen.repeated import groups_in
from duramen.tree import Tree

__all__ = ["questions_of"]

_MARKS = ("?", "？", "؟")
_NUMBER = lazy_pattern(r"^\d{1,2}[.)]\s*(?=\D)|^[A-Z][.)]\s+|^Q\d{0,2}[.:)]\s*")
_ASKED = lazy_pattern(r"Q\d{0,2}[.:)]\s*[^?？؟]{5,250}[?？؟]")
_ANSWER = lazy_pattern(r"^A\d{0,2}[.:)]\s+")
_SIGNS = " \u00a0↓+–-✕×"
"""What accordions show beside a question."""
_SHAPE, _MARKED = 0.7, 0.85
_LEAST = 0.6
"""The share of like elements that begin with a question."""
_LONGEST = 300
_LONGEST_LINE = 100
_MOST_BLOCKS = 60
_FOLDED = frozenset({"details"})
_TERMS = frozenset({"dt"})
_HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6"})
_BOLD = frozenset({"b", "strong"})
_PLAIN = frozenset({"p", "li", "div"})


class _Found(NamedTuple):
    node: int
    """Where the question begins."""
    question: str
    blocks: tuple[int, ...]
    """Those of the answer."""
    confidence: float
    answer: str = ""
    """Where it is in one block with the question."""


def questions_of(page: Page, fields: Fields, bodies: Bodies) -> list[Question]:
    """The questions of a page that answers at least two, in order."""
    found: dict[str, _Found] = {}
    sections = _sections(page, fields)
    for reader in (_marked, _folded, _terms):
        found.update((one.question, one) for one in reader(page, fields) if one.blocks and one.question not in found)
    read = [one for reader in (_headed, _grouped, _in_line) for one in reader(page, fields) if one.blocks]
    # Where questions are marked or a heading announces them, other headings that ask are those of the article.
    announced = [one for one in read if any(one.node in section for section in sections)]
    for one in announced if len(found) > 1 or len({one.question for one in announced}) > 1 else read:
        found.setdefault(one.question, one)
    if len(found) < 2:
        return []
    made: list[Question] = []
    for one in sorted(found.values(), key=lambda one: one.node):
        html = bodies.written(one.blocks)
        if html.strip():
            answer = one.answer or _ANSWER.sub("", "\n".join(page.blocks.text[b] for b in one.blocks))
            made.append(
                Question(
                    html=html,
                    position=len(made),
                    confidence=one.confidence,
                    sources=dict.fromkeys(
                        ("question", "answers"), "microdata" if one.confidence == _MARKED else "page"
                    ),
                    question=one.question,
                    answers=(answer,),
                )
            )
    return made


def _asks(text: str) -> bool:
    return len(text) <= _LONGEST and text.rstrip(_SIGNS).endswith(_MARKS)


def _sections(page: Page, fields: Fields) -> list[range]:
    """What is below the headings that announce questions, each as nodes: up to the next heading as high."""
    tree, blocks = page.tree, page.blocks
    headings = [(blocks.first[b], tree.tag[blocks.owner[b]], blocks.text[b]) for b in page.headings(_HEADINGS)]
    found: list[range] = []
    for k, (node, tag, text) in enumerate(headings):
        if len(text) <= _LONGEST_LINE and fields.rows.asked.search(text) and not _asks(text):
            after = (later for later, other, _ in headings[k + 1 :] if other <= tag)
            found.append(range(node + 1, next(after, len(tree))))
    return found


def _clean(text: str) -> str:
    return _NUMBER.sub("", " ".join(text.split()).strip(_SIGNS))


def _marked(page: Page, fields: Fields) -> Iterator[_Found]:
    tree = page.tree
    for i, kind in tree.valued("itemtype"):
        if kind.rstrip("/").rpartition("/")[2] != "Question":
            continue
        region = Region(i, tree.end[i])
        name = next((j for j, prop in tree.valued("itemprop") if region.has(j) and prop == "name"), None)
        answer = next((j for j, prop in tree.valued("itemprop") if region.has(j) and prop == "text"), None)
        if name is not None and answer is not None and (text := _clean(fields.stated(name))):
            yield _Found(i, text, tuple(range(*page.range_of(answer))), _MARKED)


def _folded(page: Page, fields: Fields) -> Iterator[_Found]:
    tree = page.tree
    for i in tree.tagged(_FOLDED):
        blocks = range(*page.range_of(i))
        if len(blocks) > 1 and _asks(page.blocks.text[blocks[0]]):
            yield _Found(i, _clean(page.blocks.text[blocks[0]]), tuple(blocks[1:]), _SHAPE)


def _terms(page: Page, fields: Fields) -> Iterator[_Found]:
    tree = page.tree
    for i in tree.tagged(_TERMS):
        text = fields.line(i, _LONGEST)
        after = tree.end[i]
        if _asks(text) and after < len(tree) and tree.tag[after] == "dd":
            yield _Found(i, _clean(text), tuple(range(*page.range_of(after))), _SHAPE)


def _headed(page: Page, fields: Fields) -> Iterator[_Found]:
    """Headings that ask, each with what is below it up to the next heading."""
    tree, blocks = page.tree, page.blocks
    headings = page.headings(_HEADINGS)
    asking = [_asks(blocks.text[b]) for b in headings]
    for k, b in enumerate(headings):
        # A single heading that asks is part of an article; an FAQ has several, one after the other.
        beside = [n for n in (k - 1, k + 1) if 0 <= n < len(headings) and asking[n]]
        if not asking[k] or not any(tree.tag[blocks.owner[headings[n]]] == tree.tag[blocks.owner[b]] for n in beside):
            continue
        stop = headings[k + 1] if k + 1 < len(headings) else len(blocks)
        home = _home(tree, blocks.owner[b], blocks.owner[b + 1]) if b + 1 < stop else -1
        inside = [a for a in range(b + 1, min(stop, b + 1 + _MOST_BLOCKS)) if tree.contains(home, blocks.owner[a])]
        if home > tree.body or (inside and home == tree.body):
            yield _Found(blocks.first[b], _clean(blocks.text[b]), tuple(inside), _SHAPE)


def _home(tree: Tree, one: int, other: int) -> int:
    """The innermost element around two nodes."""
    while one >= 0 and not tree.contains(one, other):
        one = tree.parent[one]
    return one


def _grouped(page: Page, fields: Fields) -> Iterator[_Found]:
    """Like elements that begin with a question: what accordions are made of."""
    tree, blocks = page.tree, page.blocks
    for group in groups_in(tree, tree.body):
        ranges = [range(*page.range_of(i)) for i in group.members]
        if not all(2 <= len(inside) <= _MOST_BLOCKS for inside in ranges):
            continue
        asking = [inside for inside in ranges if _asks(blocks.text[inside[0]])]
        if len(asking) >= max(2, _LEAST * len(ranges)) and not any(
            _asks(blocks.text[b]) for r in asking for b in r[2:]
        ):
            for inside in asking:
                yield _Found(blocks.first[inside[0]], _clean(blocks.text[inside[0]]), tuple(inside[1:]), _SHAPE)


def _in_line(page: Page, fields: Fields) -> Iterator[_Found]:
    """Questions in bold or behind a Q, each with the answer in the same paragraph or in those up to the next one."""
    tree, blocks = page.tree, page.blocks
    homes: dict[int, list[tuple[int, str]]] = {}
    for b, owner in enumerate(blocks.owner):
        if tree.tag[owner] in _PLAIN and (question := _asked(page, b)):
            homes.setdefault(tree.parent[owner], []).append((b, question))
    for home, asked in homes.items():
        # One alone is a sentence of an article.
        for (b, question), (after, _) in pairwise((*asked, (page.range_of(home)[1], ""))) if len(asked) > 1 else ():
            rest = blocks.text[b][len(question) :].strip()
            below = range(b + 1, min(after, b + 1 + _MOST_BLOCKS))
            stop = next((a for a in below if tree.tag[blocks.owner[a]] in _HEADINGS), below.stop)
            chosen = (b,) if rest else tuple(range(b + 1, stop))
            yield _Found(blocks.first[b], _clean(question), chosen, _SHAPE, _ANSWER.sub("", rest))


def _asked(page: Page, b: int) -> str:
    """The question that a block begins with; empty if it begins otherwise."""
    tree, text = page.tree, page.blocks.text[b]
    if found := _ASKED.match(text):
        return found[0]
    node, owner = page.blocks.first[b], page.blocks.owner[b]
    while node > owner and tree.tag[node] not in _BOLD:
        node = tree.parent[node]
    bold = " ".join(tree.text_in(node).split()) if node > owner else ""
    return bold if bold and _asks(bold) and text.startswith(bold) else ""
