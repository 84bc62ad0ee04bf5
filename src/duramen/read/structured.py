"""Data a page carries beside its text: JSON-LD, microdata, ``<meta>``, and the state of client-side frameworks.

The JSON on the web is often broken in ways that are easy to mend. One broken block never costs the others, and
everything is bounded: bytes, blocks, depth.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from duramen.dom import Document, Element, Tree
from duramen.model import StructuredData

__all__ = ["hydration_bodies", "link_objects", "read_structured", "types_of"]

MAX_BLOCKS = 500
MAX_BLOCK_CHARS = 2_000_000
MAX_TOTAL_CHARS = 8_000_000
MAX_MENDED_CHARS = 500_000
"""Broken JSON beyond this many characters of a page is given up: mending is slow."""
MAX_MENDED_DEPTH = 500
MAX_OBJECTS = 5_000
MAX_MICRODATA = 2_000
MAX_META_VALUES = 50
MAX_META_NAMES = 500
MAX_META_CHARS = 20_000
MAX_BODIES = 20
MAX_BODY_CHARS = 1_000_000
MAX_PROBLEMS = 20

_ARTICLES = frozenset(
    {
        "article",
        "newsarticle",
        "reportagenewsarticle",
        "analysisnewsarticle",
        "opinionnewsarticle",
        "backgroundnewsarticle",
        "reviewnewsarticle",
        "askpublicnewsarticle",
        "advertisercontentarticle",
        "satiricalarticle",
        "techarticle",
        "apireference",
        "scholarlyarticle",
        "medicalscholarlyarticle",
        "report",
        "blogposting",
        "liveblogposting",
        "socialmediaposting",
        "discussionforumposting",
    }
)
# Which property of which type holds the content itself, not only a teaser of it.
_BODY_PROPERTIES = {
    **dict.fromkeys(_ARTICLES, ("articleBody", "text")),
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


def read_structured(tree: Tree, document: Document, base_url: str | None) -> StructuredData:
    """Read everything but the framework state, which :func:`hydration_bodies` reads when asked."""
    problems: list[str] = []
    meta: dict[str, list[str]] = {}
    blocks: list[str] = []
    total = left_out = 0
    tags = tree.tag
    for i, tag in enumerate(tags):
        if tag == "meta":
            _collect_meta(tree, i, meta)
        elif tag == "script" and "ld+json" in tree.attr(i, "type").lower():
            text = "".join(tree.text[i + 1 : tree.end[i]])
            if not text.strip():
                continue
            if len(blocks) >= MAX_BLOCKS or total + len(text) > MAX_TOTAL_CHARS:
                left_out += 1
                continue
            total += len(text)
            blocks.append(text)
    if left_out:
        problems.append(f"json-ld: {left_out} blocks left out, over the limit")
    objects: list[Mapping[str, Any]] = []
    mendable = MAX_MENDED_CHARS
    for number, block in enumerate(blocks, 1):
        values, problem = parse_json_block(block, mendable)
        if problem:
            problems.append(f"json-ld block {number}: {problem}")
            mendable -= len(block)
        _flatten(values, objects)
    microdata = _read_microdata(tree, document, base_url, problems)
    return StructuredData(
        json_ld=tuple(objects),
        microdata=microdata,
        meta=MappingProxyType({name: tuple(values) for name, values in meta.items()}),
        bodies=_bodies(objects),
        speakable=_speakable(objects),
        problems=tuple(problems[:MAX_PROBLEMS]),
    )


def _collect_meta(tree: Tree, i: int, meta: dict[str, list[str]]) -> None:
    node = tree.nodes[i]
    if not isinstance(node, Element):
        return
    content = (node.attr("content") or "").strip()
    if not content:
        return
    names = [node.attr("property"), node.attr("name")]
    if not any(names) and i < tree.body:
        # In the body an ``itemprop`` belongs to some item, perhaps a reader's review.
        names.append(node.attr("itemprop"))
    if not any(names):
        names.append(node.attr("http-equiv"))
    seen: set[str] = set()
    for name in names:
        for key in (name or "").lower().split()[:4]:
            if key in seen:
                continue
            seen.add(key)
            values = meta.get(key)
            if values is None:
                if len(meta) >= MAX_META_NAMES:
                    return
                values = meta[key] = []
            if len(values) < MAX_META_VALUES:
                values.append(content[:MAX_META_CHARS])


# --- JSON as found in the wild -------------------------------------------------------------------------------------

_WRAPPERS = re.compile(r"^(?:\s|/\*|\*/|//|<!--|<!\[CDATA\[)+", re.I)
_WRAPPER_ENDS = re.compile(r"(?:\s|/\*|\*/|//|-->|\]\]>|;)+$")
_DECODER = json.JSONDecoder(strict=False)
_TOKEN = re.compile(r'"|//[^\n]*|/\*|[{}\[\],:]|[^\s"{}\[\],:/]+|/|\s+')
_STRING_END = re.compile(r'(?:[^"\\]|\\.)*+"', re.S)
# A quote ends a string for certain only where JSON may go on after it.
_SURE_END = re.compile(r'"(?=\s*(?:[}\]:]|,\s*(?:["{\[}\]\d-]|true|false|null|//|/\*)|$))')
_BAD_ESCAPE = re.compile(r'\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})')
_LITERALS = {"true", "false", "null"}
_NUMBER = re.compile(r"-?\d{1,300}(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$")


def parse_json_block(raw: str, mendable: int = MAX_MENDED_CHARS) -> tuple[list[Any], str | None]:
    """All JSON values of a script block, mended where needed, and what was wrong if nothing helped.

    >>> parse_json_block('<!-- {"a": [1, 2,], /* why */ "b": "c"}; -->')
    ([{'a': [1, 2], 'b': 'c'}], None)
    """
    if len(raw) > MAX_BLOCK_CHARS:
        return [], f"longer than {MAX_BLOCK_CHARS} characters"
    try:
        return [_DECODER.decode(raw)], None
    except RecursionError:
        return [], "nested too deeply"
    except ValueError:
        pass
    text = _WRAPPER_ENDS.sub("", _WRAPPERS.sub("", raw[:2_000], count=1) + raw[2_000:])
    if not text:
        return [], None
    values, rest = _decode_several(text)
    if not rest:
        return values, None
    attempts = [text] if len(text) <= mendable else []
    if attempts and text.count("&quot;") > text.count('"'):
        attempts.insert(0, html.unescape(text))
    for attempt in attempts:
        for inner_quotes in (False, True):
            for mended in _mend(attempt, inner_quotes):
                again, rest = _decode_several(mended)
                if not rest and any(isinstance(value, (dict, list)) for value in again):
                    return again, None
                if len(again) > len(values):
                    values = again
    return values, "not valid JSON" if not values else "valid JSON only at its beginning"


def _decode_several(text: str) -> tuple[list[Any], str]:
    """The values that stand one after the other, and the rest that is no JSON."""
    values: list[Any] = []
    at, length = 0, len(text)
    while True:
        while at < length and text[at] in " \t\r\n,;\ufeff\xa0":
            at += 1
        if at >= length or len(values) > MAX_BLOCKS:
            return values, ""
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            return values, text[at : at + 80]
        values.append(value)


def _mend(text: str, inner_quotes: bool) -> Iterator[str]:
    """JSON without comments and needless commas, strings escaped and brackets closed."""
    out: list[str] = []
    closers: list[str] = []
    at, length = 0, len(text)
    after_comma = False
    while at < length:
        match = _TOKEN.match(text, at)
        if not match:
            break
        token = match.group()
        at = match.end()
        if token[0].isspace() or token.startswith("//") or token == "/":
            continue
        if token == "/*":
            end = text.find("*/", at)
            at = end + 2 if end >= 0 else length
            continue
        if token == ",":
            after_comma = True
            continue
        if token in ("}", "]"):
            after_comma = False
            if not closers:
                continue
            if token not in closers:
                continue
            while (closer := closers.pop()) != token:
                out.append(closer)
            out.append(token)
            continue
        if after_comma:
            after_comma = False
            if out and out[-1][-1] not in "{[,:":
                out.append(",")
        elif out and token != ":" and out[-1] not in ("{", "[", ":", ",") and closers:
            # A comma was forgotten between two values.
            out.append(",")
        if token == '"':
            end_match = _SURE_END.search(text, at) if inner_quotes else _STRING_END.match(text, at)
            end = end_match.end() if end_match else length + 1
            body = text[at : end - 1]
            at = min(end, length)
            if inner_quotes:
                body = re.sub(r'(?<!\\)"', r"\"", body)
            out.append('"' + _BAD_ESCAPE.sub(_mend_escape, body.rstrip("\\") if end > length else body) + '"')
        elif token in "{[":
            out.append(token)
            closers.append("}" if token == "{" else "]")
            if len(closers) > MAX_MENDED_DEPTH:
                return
        elif token == ":" or token in _LITERALS or _NUMBER.match(token):
            out.append(token)
        elif token in ("undefined", "NaN", "Infinity", "-Infinity", "None"):
            out.append("null")
        else:
            out.append(json.dumps(token.strip("'")))
    if not out:
        return
    closing = "".join(reversed(closers))
    joined = "".join(out)
    yield joined + closing
    if closers:
        yield joined + ":null" + closing
        yield joined + "null" + closing


def _mend_escape(match: re.Match[str]) -> str:
    return "" if match.string[match.end() : match.end() + 1] == "'" else r"\\"


def _flatten(values: list[Any], objects: list[Mapping[str, Any]]) -> None:
    """Add the objects of a block in order, those of arrays and ``@graph`` too."""
    stack: list[Any] = list(reversed(values))
    while stack and len(objects) < MAX_OBJECTS:
        value = stack.pop()
        if isinstance(value, list):
            stack.extend(reversed(value[:MAX_OBJECTS]))
        elif isinstance(value, dict):
            graph = value.get("@graph")
            if isinstance(graph, (list, dict)):
                stack.append(graph)
                if not value.keys() - {"@graph", "@context", "@id"}:
                    continue
                value = {name: part for name, part in value.items() if name != "@graph"}
            if value:
                objects.append(value)


def types_of(item: Mapping[str, Any]) -> tuple[str, ...]:
    """The lower-case type names of an object, without their vocabulary."""
    value = item.get("@type", item.get("type"))
    values = value if isinstance(value, list) else [value]
    return tuple(
        re.split(r"[/#:]", v.strip().rstrip("/"))[-1].lower() for v in values[:10] if isinstance(v, str) and v.strip()
    )


def link_objects(objects: tuple[Mapping[str, Any], ...]) -> dict[str, Mapping[str, Any]]:
    """Objects by their ``@id``, for the references between them."""
    return {name: item for item in objects if isinstance(name := item.get("@id"), str) and len(item) > 1}


def _with_main_entities(objects: list[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for item in objects:
        yield item
        for name in _CONTAINERS:
            inner = item.get(name)
            for part in (inner if isinstance(inner, list) else [inner])[:200]:
                if isinstance(part, dict) and len(part) > 2:
                    yield part


# --- Content carried as data ---------------------------------------------------------------------------------------


def _text(value: Any) -> str:
    """A string, or the strings of an array as paragraphs; mark-up that was escaped becomes mark-up again."""
    if isinstance(value, list):
        return "\n\n".join(filter(None, (_text(part) for part in value[:500] if not isinstance(part, list))))
    if isinstance(value, dict):
        return _text(value.get("@value")) if isinstance(value.get("@value"), str) else ""
    if not isinstance(value, str):
        return ""
    text = value[:MAX_BODY_CHARS].strip()
    if "&" in text and not _MARKUP.search(text):
        text = html.unescape(text)
    return text


_MARKUP = re.compile(r"</?[a-zA-Z][a-zA-Z0-9]*(?:\s[^<>]*)?/?>")


def _parts(value: Any) -> list[Mapping[str, Any]]:
    values = value if isinstance(value, list) else [value]
    return [part for part in values[:500] if isinstance(part, dict)]


def _questions(item: Mapping[str, Any]) -> str:
    """Questions with their answers, each a paragraph."""
    lines: list[str] = []
    for question in _parts(item.get("mainEntity")) or ([item] if "question" in types_of(item) else []):
        lines.append(_text(question.get("text")) or _text(question.get("name")))
        for name in ("acceptedAnswer", "suggestedAnswer"):
            lines.extend(_text(answer.get("text")) for answer in _parts(question.get(name)))
    return "\n\n".join(filter(None, lines))


def _steps(value: Any) -> str:
    """The instructions of a recipe or a how-to: text, or steps that may be grouped in sections."""
    if isinstance(value, str):
        return _text(value)
    lines: list[str] = []
    stack: list[Any] = list(reversed(value)) if isinstance(value, list) else [value]
    while stack and len(lines) < 1000:
        part = stack.pop()
        if isinstance(part, str):
            lines.append(_text(part))
        elif isinstance(part, dict):
            inner = part.get("itemListElement")
            if isinstance(inner, (list, dict)) and not part.get("text"):
                lines.append(_text(part.get("name")))
                stack.extend(reversed(inner) if isinstance(inner, list) else [inner])
            else:
                lines.append(_text(part.get("text")) or _text(part.get("name")))
    return "\n\n".join(filter(None, lines))


def _bodies(objects: list[Mapping[str, Any]]) -> tuple[tuple[str, str], ...]:
    found: list[tuple[str, str]] = []
    for item in _with_main_entities(objects):
        for kind in types_of(item):
            texts: list[tuple[str, str]] = []
            if kind in ("qapage", "faqpage", "question"):
                texts.append((kind, _questions(item)))
            elif kind in ("recipe", "howto"):
                name = "recipeInstructions" if kind == "recipe" else "step"
                steps = _steps(item.get(name))
                ingredients = _text(item.get("recipeIngredient"))
                texts.append((name, "\n\n".join(filter(None, (_text(item.get("description")), ingredients, steps)))))
            else:
                for name in _BODY_PROPERTIES.get(kind, ()):
                    text = _text(item.get(name))
                    if kind in ("discussionforumposting", "socialmediaposting"):
                        replies = [_text(reply.get("text")) for reply in _parts(item.get("comment"))]
                        text = "\n\n".join(filter(None, (text, *replies)))
                    elif kind == "liveblogposting":
                        updates = [_text(update.get("articleBody")) for update in _parts(item.get("liveBlogUpdate"))]
                        text = "\n\n".join(filter(None, (text, *updates)))
                    texts.append((name, text))
            found.extend((f"json-ld:{kind}.{name}", text) for name, text in texts if len(text) >= _MIN_BODY)
    return _longest(found)


def _longest(found: list[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    kept: list[tuple[str, str]] = []
    seen: set[str] = set()
    for source, text in sorted(found, key=lambda pair: -len(pair[1])):
        if text not in seen:
            seen.add(text)
            kept.append((source, text))
            if len(kept) == MAX_BODIES:
                break
    return tuple(kept)


def _speakable(objects: list[Mapping[str, Any]]) -> tuple[str, ...]:
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


# --- Microdata -----------------------------------------------------------------------------------------------------


def _read_microdata(
    tree: Tree, document: Document, base_url: str | None, problems: list[str]
) -> tuple[Mapping[str, Any], ...]:
    if not len(tree) or document.select_one("[itemscope]") is None:
        return ()
    try:
        items = document.microdata(base_url) if base_url else document.microdata()
    except ValueError:
        try:
            items = document.microdata()
        except (ValueError, RecursionError):
            problems.append("microdata: unreadable")
            return ()
    except RecursionError:
        problems.append("microdata: nested too deeply")
        return ()
    roots: list[Mapping[str, Any]] = []
    count = 0
    for item in items:
        root: dict[str, Any] = {}
        stack: list[tuple[Any, dict[str, Any]]] = [(item, root)]
        while stack:
            source, made = stack.pop()
            count += 1
            if source.type:
                kinds = source.type.split()
                made["@type"] = kinds[0] if len(kinds) == 1 else kinds
            if source.id:
                made["@id"] = source.id
            for name, values in source.properties.items():
                plain: list[Any] = []
                for value in values[:200]:
                    if isinstance(value, str):
                        plain.append(value)
                    elif count + len(stack) < MAX_MICRODATA:
                        inner: dict[str, Any] = {}
                        plain.append(inner)
                        stack.append((value, inner))
                made[name] = plain[0] if len(plain) == 1 else plain
        roots.append(root)
        if count >= MAX_MICRODATA:
            problems.append("microdata: items left out, over the limit")
            break
    return tuple(roots)


# --- State of client-side frameworks -------------------------------------------------------------------------------

MAX_STATE_CHARS = 16_000_000
MAX_STATE_NODES = 400_000
MIN_STATE_BODY = 400
_STATE_SCRIPT = re.compile(
    r"__NEXT_DATA__|__NUXT__|__next_f|__[A-Z_]*(?:STATE|DATA|PROPS|CONTEXT|STORE)[A-Z_]*__"
    r"|__remixContext|__staticRouterHydrationData|window\.[\w$.]{1,60}\s*=\s*(?:\{|\[|JSON\.parse)"
)
_ASSIGNMENT = re.compile(
    r"(?:window|self|globalThis|var|let|const)(?:\s+|\s*\.\s*|\[[\"'])([\w$]{1,60})(?:[\"']\])?\s*=\s*"
    r"(?:JSON\.parse\(\s*(?:decodeURIComponent\(\s*)?)?(?=[{\[\"'])"
)
_FLIGHT = re.compile(r"__next_f\.push\(\[1,\s*(\"(?:[^\"\\]|\\.)*+\")\s*\]\)", re.S)
_FLIGHT_TEXT = re.compile(rb"(?:^|\n)?[0-9a-f]{1,6}:T([0-9a-f]{1,6}),")
_KEYED_STRING = re.compile(r"([\w$@-]{1,60})[\"']?\s*:\s*(\"(?:[^\"\\]|\\.){400,}+\")", re.S)
_BODY_KEY = re.compile(
    r"body|content|html|text|descr|cooked|article|markdown|copy|value|raw|story|post|paragraph|summary|answer|message",
    re.I,
)
_NO_BODY_KEY = re.compile(
    r"css|style|script|svg|query|translat|i18n|locale|cookie|consent|gdpr|privacy|legal|footer|disclaimer|schema|config"
    r"|analytic|token|seo|icon|base64|newsletter",
    re.I,
)
_BLOCK_KEYS = re.compile(
    r"body|content|blocks|paragraphs|components|elements|children|sections|nodes|article|story", re.I
)
_TEXT_KEYS = ("html", "text", "content", "value", "body", "children", "paragraph", "title", "heading")
_SENTENCE = re.compile(r"[.!?…][\"'”’)]?(?:\s|<|$)|[。！？]")
_STATE_ATTRIBUTES = (
    "data-preloaded",
    "data-page",
    "data-props",
    "data-react-props",
    "data-state",
    "data-initial-state",
)


def hydration_bodies(tree: Tree) -> tuple[tuple[str, str], ...]:
    """Long prose or HTML in the state that client-side frameworks leave in a page, longest first."""
    found: list[tuple[str, str]] = []
    budget = MAX_STATE_CHARS
    flight: list[str] = []
    for i, tag in enumerate(tree.tag):
        if tag == "script":
            text = "".join(tree.text[i + 1 : tree.end[i]])
            kind = tree.attr(i, "type").lower()
            if len(text) < MIN_STATE_BODY or "ld+json" in kind or len(text) > budget:
                continue
            name = tree.ident[i] or tree.attr(i, "data-component-name") or kind or "script"
            if "json" in kind or kind == "fastboot/shoebox":
                budget -= len(text)
                _from_json(f"hydration:{name[:40]}", text, found)
            elif "__next_f" in text:
                budget -= len(text)
                flight.extend(_FLIGHT.findall(text))
            elif _STATE_SCRIPT.search(text, 0, 20_000) or _STATE_SCRIPT.search(text, max(0, len(text) - 2000)):
                budget -= len(text)
                _from_script(text, found)
    root = tree.nodes[0] if len(tree) else None
    if isinstance(root, Element):
        for element in root.select(",".join(f"[{name}]" for name in _STATE_ATTRIBUTES))[:20]:
            for name in _STATE_ATTRIBUTES:
                text = element.attr(name) or ""
                if MIN_STATE_BODY <= len(text) <= budget and text.lstrip()[:1] in ("{", "["):
                    budget -= len(text)
                    _from_json(f"hydration:{name}", text, found)
    if flight:
        _from_flight(flight, found)
    return _longest(found)


def _from_json(source: str, text: str, found: list[tuple[str, str]]) -> None:
    values, _ = parse_json_block(text)
    for value in values[:10]:
        _walk_state(source, value, found)


def _from_script(text: str, found: list[tuple[str, str]]) -> None:
    """Assigned JSON is walked; from anything else the long strings that stand after a key are taken."""
    end = parsed = 0
    for match in _ASSIGNMENT.finditer(text):
        at = match.end()
        if at < end or text[at] == "'" or parsed >= 50:
            continue
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            continue
        parsed += 1
        _walk_state(f"hydration:{match.group(1)}", value, found)
    if not end:
        _keyed_strings("hydration:script", text, found)


def _keyed_strings(source: str, text: str, found: list[tuple[str, str]]) -> None:
    for match in _KEYED_STRING.finditer(text):
        try:
            value = _DECODER.decode(match.group(2))
        except ValueError:
            continue
        if isinstance(value, str):
            _consider(source, match.group(1), value, found)


def _from_flight(chunks: list[str], found: list[tuple[str, str]]) -> None:
    """React's server component stream: rows of JSON, and texts announced by their length in bytes."""
    parts: list[str] = []
    for chunk in chunks[:5000]:
        try:
            part = _DECODER.decode(chunk)
        except ValueError:
            continue
        if isinstance(part, str):
            parts.append(part)
    stream = "".join(parts)
    _keyed_strings("hydration:__next_f", stream, found)
    data = stream.encode("utf-8", "replace")
    for match in _FLIGHT_TEXT.finditer(data):
        size = int(match.group(1), 16)
        _consider("hydration:__next_f", "text", data[match.end() : match.end() + size].decode("utf-8", "ignore"), found)


def _walk_state(source: str, value: Any, found: list[tuple[str, str]]) -> None:
    """Visit a value without recursion; text in strings of JSON is visited too."""
    if isinstance(value, list) and value and isinstance(value[0], (list, dict)) and _is_flat(value):
        for part in value[:MAX_STATE_NODES]:
            if isinstance(part, dict):
                for key, at in part.items():
                    if type(at) is int and 0 <= at < len(value) and isinstance(value[at], str):
                        _consider(source, key, value[at], found)
        return
    stack: list[tuple[str, Any, int]] = [("", value, 0)]
    visited = nested = 0
    while stack and visited < MAX_STATE_NODES:
        key, part, depth = stack.pop()
        visited += 1
        if isinstance(part, str):
            if len(part) < MIN_STATE_BODY:
                continue
            if part[0] in "{[" and nested < 200 and depth < 60:
                nested += 1
                try:
                    inner = _DECODER.decode(part)
                except (ValueError, RecursionError):
                    inner = None
                if isinstance(inner, (dict, list)):
                    stack.append((key, inner, depth + 1))
                    continue
            _consider(source, key, part, found)
        elif isinstance(part, dict):
            if depth < 200:
                stack.extend((name, inner, depth + 1) for name, inner in part.items() if _worth(name, inner))
        elif isinstance(part, list) and depth < 200:
            if len(part) >= 3 and _BLOCK_KEYS.search(key):
                _consider(source, key, _blocks_text(part), found)
            stack.extend((key, inner, depth + 1) for inner in part if _worth(key, inner))


def _worth(name: str, value: Any) -> bool:
    if isinstance(value, str):
        return len(value) >= MIN_STATE_BODY
    return isinstance(value, (dict, list)) and bool(value) and not _NO_BODY_KEY.search(name)


def _is_flat(value: list[Any]) -> bool:
    """Nuxt 3 writes all values into one array; objects hold positions in it."""
    sample = [part for part in value[:50] if isinstance(part, dict)]
    numbers = sum(type(v) is int for part in sample for v in part.values())
    return bool(sample) and numbers > 0.8 * sum(map(len, sample))


def _blocks_text(blocks: list[Any]) -> str:
    """The text of content kept as a list of blocks, a paragraph each."""
    lines: list[str] = []
    for block in blocks[:2000]:
        words: list[str] = []
        stack: list[tuple[Any, int]] = [(block, 0)]
        visited = 0
        while stack and visited < 500:
            part, depth = stack.pop()
            visited += 1
            if isinstance(part, str):
                words.append(part)
            elif isinstance(part, list) and depth < 8:
                stack.extend((inner, depth + 1) for inner in reversed(part) if isinstance(inner, (dict, list)))
            elif isinstance(part, dict) and depth < 8:
                for name in reversed(_TEXT_KEYS):
                    inner = part.get(name)
                    if isinstance(inner, (str, dict, list)):
                        stack.append((inner, depth + 1))
        lines.append(" ".join(words))
    return "\n\n".join(filter(None, lines))


def _consider(source: str, key: str, text: str, found: list[tuple[str, str]]) -> None:
    if len(text) < MIN_STATE_BODY or _NO_BODY_KEY.search(key):
        return
    if not _BODY_KEY.search(key) and len(text) < 1000:
        return
    if looks_like_prose(text):
        found.append((f"{source}.{key[:40]}" if key else source, _text(text)))
        if len(found) > 400:
            found[:] = sorted(found, key=lambda pair: -len(pair[1]))[:100]


def looks_like_prose(text: str) -> bool:
    """Whether a long string is sentences (perhaps with mark-up), not code, data or a list of names."""
    sample = text[:4000]
    plain = re.sub(r"<[^<>]*>|&[a-z#0-9]{1,8};", " ", sample)
    squeezed = "".join(plain.split())
    if len(squeezed) < MIN_STATE_BODY // 2:
        return False
    letters = sum(map(str.isalpha, squeezed))
    if letters < 0.8 * len(squeezed) or plain.count("{") + plain.count(";") * 0.2 > len(squeezed) / 100 + 1:
        return False
    words = plain.split()
    if squeezed.isascii() and len(squeezed) > 14 * len(words):
        return False
    return len(_SENTENCE.findall(sample)) >= max(2, len(sample) // 1200)
