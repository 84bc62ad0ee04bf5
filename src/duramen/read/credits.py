"""Credits of East Asian pages, which name the author within a line of text or at the end of the article."""

from __future__ import annotations

from functools import cache

from duramen.lazy_pattern import lazy_pattern
from duramen.read.metadata_rows import any_of, metadata_rows, phrases_of
from duramen.tree import Tree

__all__ = ["credits_in"]

_NAME = r"[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af·・]{2,8}|[A-Za-z][\w .-]{1,30}"
_MOST = 40
"""Texts with a credit in them that are looked at."""


class _Patterns:
    """How each label and the name after it are written."""

    def __init__(self) -> None:
        row = metadata_rows().label["credit"]
        surnames = "".join(metadata_rows().person["surname"]["words"].split())
        self.labels = phrases_of(row)
        labels = any_of(self.labels)
        # After a colon or a stroke comes a name; without one it has to end the text or the bracket.
        self.stated = lazy_pattern(
            rf"(?:{labels})\s{{0,3}}[:：/／]\s{{0,6}}((?:{_NAME})(?:[\s、]{{1,2}}(?:[\u3400-\u9fff]{{2,4}}))?)(?![\u3400-\u9fff\w=])"
        )
        report = rf"\S{{0,10}}(?:{any_of(row['report'].split())})"
        self.bracketed = lazy_pattern(
            rf"(?:{labels})[\s\u3000]{{0,2}}([{surnames}][\u3400-\u9fff·]{{1,3}}"
            rf"(?:[\s\u3000、]{{1,2}}(?!{report})[\u3400-\u9fff]{{2,4}}){{0,3}})"
            rf"(?=\s{{0,3}}(?:[)）\]】/／]|文\b|$)|[\s\u3000]{report})"
        )
        self.name = lazy_pattern(rf"[{surnames}][\u3400-\u9fff]{{1,2}}")
        self.label = lazy_pattern(rf"(?:{labels})\s{{0,3}}[:：/／]?\s{{0,3}}$")
        after = any_of(row["after"].split())
        self.after_labels = row["after"].split()
        self.after = lazy_pattern(rf"(?<![\uac00-\ud7af])([\uac00-\ud7af]{{2,4}})\s?(?:{after})(?![\uac00-\ud7af])")


@cache
def _patterns() -> _Patterns:
    return _Patterns()


def credits_in(tree: Tree, title: int) -> list[str]:
    """The names of the first credit of a page, by the labels in their order, or the name alone after the title."""
    patterns = _patterns()
    for label in patterns.labels:
        for i in tree.core.texts_holding(label)[:_MOST]:
            text = tree.text[i]
            if i <= tree.body:
                continue
            shown = " ".join(text.split())
            # The credit is at either end of a long text.
            for part in (shown,) if len(shown) <= 300 else (shown[:150], shown[-150:]):
                if label not in part:
                    continue
                if match := patterns.stated.search(part) or patterns.bracketed.search(part):
                    return _apart(match[1])
            if len(shown) <= 60 and patterns.label.search(shown) and (name := _next_text(tree, i)):
                return _apart(name)
    for label in patterns.after_labels:
        for i in tree.core.texts_holding(label)[:_MOST]:
            shown = tree.text[i].strip()
            if i > tree.body and len(shown) <= 60 and (match := patterns.after.search(shown)):
                return [match[1]]
    after = tree.speaking(tree.end[title], min(len(tree), tree.end[title] + 20))[:1] if title >= 0 else []
    return [name for i in after if patterns.name.fullmatch(name := tree.text[i].strip())]


def _apart(names: str) -> list[str]:
    """The names of a list, which white space or a comma keeps apart where they are East Asian."""
    if any("\u3400" <= sign <= "\u9fff" for sign in names):
        return names.replace("、", " ").split()
    return [names.strip()]


def _next_text(tree: Tree, i: int) -> str:
    """The short text after a label."""
    for j in range(i + 1, min(i + 8, len(tree))):
        if text := tree.text[j].strip():
            return text if len(text) <= 20 and tree.chars[j + 1] > tree.chars[j] else ""
    return ""
