"""Content that JSON-LD carries: article bodies, answers, instructions; and which parts are meant to be read aloud."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from typing import Any

from duramen.lazy_pattern import lazy_pattern
from duramen.read.vocabulary import ARTICLE_TYPES, types_of

__all__ = ["bodies_in", "longest", "speakable_in", "text_of"]

# Which property of which type holds the content itself, not only a teaser of it.
_BODY_PROPERTIES = {
    **dict.fromkeys(ARTICLE_TYPES, ("articleBody", "text")),
    "socialmediaposting": ("articleBody", "text"),
    "discussionforumposting": ("articleBody", "text"),
    "webpage": ("articleBody", "text"),
    "creativework": ("articleBody", "text"),
    "claimreview": ("articleBody", "reviewBody"),
    "review": ("reviewBody",),
    "product": ("description",),
    "productgroup": ("description",),
    "book": ("description",),
    "softwareapplication": ("description",),
    "jobposting": ("description",),
    "event": ("description",),
    "videoobject": ("transcript",),
    "podcastepisode": ("transcript", "description"),
    "question": ("text",),
    "answer": ("text",),
}
_MIN_BODY = 80
_CONTAINERS = ("mainEntity", "mainEntityOfPage")
MAX_BODIES = 20
MAX_BODY_CHARS = 1_000_000
_MARKUP = lazy_pattern(r"</?[a-zA-Z][a-zA-Z0-9]*(?:\s[^<>]*)?/?>")


def text_of(value: Any) -> str:
    """A string, or the strings of an array as paragraphs; mark-up that was escaped becomes mark-up again."""
    if isinstance(value, list):
        return "\n\n".join(filter(None, map(_one_text, value[:500])))
    return _one_text(value)


def _one_text(value: Any) -> str:
    if isinstance(value, dict):
        value = value.get("@value")
    if not isinstance(value, str):
        return ""
    text = value[:MAX_BODY_CHARS].strip()
    if "&" in text and not _MARKUP.search(text):
        text = html.unescape(text)
    return text


def bodies_in(objects: list[Mapping[str, Any]]) -> tuple[tuple[str, str], ...]:
    found: list[tuple[str, str]] = []
    for item in _with_main_entities(objects):
        for kind in types_of(item):
            texts: list[tuple[str, str]] = []
            if kind in ("qapage", "faqpage", "question"):
                texts.append((kind, _questions(item)))
            elif kind in ("recipe", "howto"):
                name = "recipeInstructions" if kind == "recipe" else "step"
                steps = _steps(item.get(name))
                ingredients = text_of(item.get("recipeIngredient"))
                texts.append((name, "\n\n".join(filter(None, (text_of(item.get("description")), ingredients, steps)))))
            else:
                for name in _BODY_PROPERTIES.get(kind, ()):
                    text = text_of(item.get(name))
                    if kind in ("discussionforumposting", "socialmediaposting"):
                        replies = [text_of(reply.get("text")) for reply in _parts(item.get("comment"))]
                        text = "\n\n".join(filter(None, (text, *replies)))
                    elif kind == "liveblogposting":
                        updates = [text_of(update.get("articleBody")) for update in _parts(item.get("liveBlogUpdate"))]
                        text = "\n\n".join(filter(None, (text, *updates)))
                    texts.append((name, text))
            found.extend((f"json-ld:{kind}.{name}", text) for name, text in texts if len(text) >= _MIN_BODY)
    return longest(found)


def speakable_in(objects: list[Mapping[str, Any]]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for item in _with_main_entities(objects):
        value = item.get("speakable")
        if not value:
            continue
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, dict):
                for name in ("cssSelector", "xpath", "xPath", "cssselector"):
                    inner = part.get(name)
                    for path in inner if isinstance(inner, list) else [inner]:
                        # A CSS selector never begins with a slash, an XPath that does not cannot be told from one.
                        if (
                            isinstance(path, str)
                            and path.strip()
                            and (path.strip().startswith("/") == name.lower().startswith("xpath"))
                        ):
                            found[path.strip()[:500]] = None
            elif isinstance(part, str) and part.strip() and not part.startswith(("http:", "https:")):
                found[part.strip()[:500]] = None
    return tuple(found)[:50]


def longest(found: list[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    kept: list[tuple[str, str]] = []
    seen: set[str] = set()
    for source, text in sorted(found, key=lambda pair: -len(pair[1])):
        if text not in seen:
            seen.add(text)
            kept.append((source, text))
            if len(kept) == MAX_BODIES:
                break
    return tuple(kept)


def _with_main_entities(objects: list[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for item in objects:
        yield item
        for name in _CONTAINERS:
            inner = item.get(name)
            for part in (inner if isinstance(inner, list) else [inner])[:200]:
                if isinstance(part, dict) and len(part) > 2:
                    yield part


def _parts(value: Any) -> list[Mapping[str, Any]]:
    values = value if isinstance(value, list) else [value]
    return [part for part in values[:500] if isinstance(part, dict)]


def _questions(item: Mapping[str, Any]) -> str:
    """Questions with their answers, each a paragraph."""
    lines: list[str] = []
    for question in _parts(item.get("mainEntity")) or ([item] if "question" in types_of(item) else []):
        lines.append(text_of(question.get("text")) or text_of(question.get("name")))
        for name in ("acceptedAnswer", "suggestedAnswer"):
            lines.extend(text_of(answer.get("text")) for answer in _parts(question.get(name)))
    return "\n\n".join(filter(None, lines))


def _steps(value: Any) -> str:
    """The instructions of a recipe or a how-to: text, or steps that may be grouped in sections."""
    if isinstance(value, str):
        return text_of(value)
    lines: list[str] = []
    stack: list[Any] = list(reversed(value)) if isinstance(value, list) else [value]
    while stack and len(lines) < 1000:
        part = stack.pop()
        if isinstance(part, str):
            lines.append(text_of(part))
        elif isinstance(part, dict):
            inner = part.get("itemListElement")
            if isinstance(inner, (list, dict)) and not part.get("text"):
                lines.append(text_of(part.get("name")))
                stack.extend(reversed(inner) if isinstance(inner, list) else [inner])
            else:
                lines.append(text_of(part.get("text")) or text_of(part.get("name")))
    return "\n\n".join(filter(None, lines))
