"""Which blocks of a page are content, given the text an annotator wrote down.

Long blocks are recognised by their four-word shingles. Short ones ("Share", a byline, a heading) say little by
themselves: they count only if the annotator's text has them at the place where the blocks around them stand.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

WORD = re.compile(r"\w+")
SHINGLE = 4


def words(text: str) -> list[str]:
    return WORD.findall(text.lower())


def label_blocks(texts: Sequence[str], truth: str) -> list[float]:
    """Per block, the share of it that is in the truth (0 to 1)."""
    want = words(truth)
    places: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for i in range(len(want) - SHINGLE + 1):
        places[tuple(want[i : i + SHINGLE])].append(i)
    tokens = [words(t) for t in texts]
    labels = [0.0] * len(texts)
    start: list[int | None] = [None] * len(texts)
    stop: list[int | None] = [None] * len(texts)
    expected = 0
    for b, block in enumerate(tokens):
        if len(block) < SHINGLE:
            continue
        covered = [False] * len(block)
        votes: Counter[int] = Counter()
        for i in range(len(block) - SHINGLE + 1):
            found = places.get(tuple(block[i : i + SHINGLE]))
            if found:
                covered[i : i + SHINGLE] = [True] * SHINGLE
                nearest = min(found, key=lambda p: abs(p - i - expected))
                votes[nearest - i] += 1
        share = sum(covered) / len(block)
        labels[b] = share
        if share > 0.5 and votes:
            begin = max(0, votes.most_common(1)[0][0])
            start[b], stop[b] = begin, begin + len(block)
            expected = begin + len(block)
    _drop_extra_copies(tokens, labels, want, start)
    _label_short(tokens, labels, want, start, stop)
    return labels


def _drop_extra_copies(tokens: list[list[str]], labels: list[float], want: list[str], start: list[int | None]) -> None:
    """A text that the page shows more often than the truth has it: keep the copies with the most matched neighbours."""
    groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for b, block in enumerate(tokens):
        if len(block) >= SHINGLE and labels[b] > 0.5:
            groups[tuple(block)].append(b)
    # Two spaces between words: else a text that follows itself would be counted once.
    joined = f" {'  '.join(want)} "
    for repeated, members in groups.items():
        if len(members) < 2:
            continue
        allowed = max(1, joined.count(f" {'  '.join(repeated)} "))
        if allowed >= len(members):
            continue

        def company(b: int) -> float:
            around = labels[max(0, b - 4) : b] + labels[b + 1 : b + 5]
            return sum(around)

        for b in sorted(members, key=company, reverse=True)[allowed:]:
            labels[b] = 0.0
            start[b] = None


def _label_short(
    tokens: list[list[str]], labels: list[float], want: list[str], start: list[int | None], stop: list[int | None]
) -> None:
    anchors = [b for b in range(len(tokens)) if start[b] is not None]
    following: list[int | None] = [None] * len(tokens)
    nxt: int | None = None
    for b in range(len(tokens) - 1, -1, -1):
        following[b] = nxt
        if start[b] is not None:
            nxt = b
    cursor = 0
    last_anchor = -1
    for b, block in enumerate(tokens):
        if start[b] is not None:
            cursor = stop[b] or 0
            last_anchor = b
            continue
        if not block or len(block) >= SHINGLE:
            continue
        ahead = following[b]
        limit = start[ahead] if ahead is not None else None
        if not anchors:
            low, high = 0, len(want)
        else:
            low = cursor if last_anchor >= 0 else max(0, (limit or 0) - 60)
            high = limit if limit is not None else min(len(want), cursor + 120)
        if high < low or high - low > 400:
            high = min(len(want), low + 60)
        size = len(block)
        for i in range(low, high - size + 1):
            if want[i : i + size] == block:
                labels[b] = 1.0
                cursor = i + size
                break
