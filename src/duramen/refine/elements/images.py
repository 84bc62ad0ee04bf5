"""Images: the real picture behind lazy loading, figures with captions, no pixels and no icons."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from duramen.dom import Element, Node, Text
from duramen.lazy_pattern import lazy_pattern
from duramen.refine.elements.links import absolute
from duramen.refine.elements.survey import (
    Survey,
    blank,
    element_parent,
    element_sibling,
    is_small,
    replace,
    squeezed,
)
from duramen.refine.elements.vocabulary import ordered, words

_LAZY = ordered("image-lazy")
_LAZY_SETS = ordered("image-lazy-sets")
_LAZY_NAMES = frozenset((*_LAZY, *_LAZY_SETS))
_RANKS = {name: rank for rank, name in enumerate(_LAZY)}
_SETS = frozenset((*_LAZY_SETS, "srcset"))
_BESIDE_SRC = _LAZY_NAMES | _SETS
"""Attributes other than ``src`` that may hold an address."""
_FILE_END = lazy_pattern(r"\.(?i:gif|png|svg|jpe?g|webp)(?:$|[?#])")
_PLACEHOLDERS = ordered("image-placeholder")
_PICTURE_FILE = lazy_pattern(r"[^\s]+\.(?:jpe?g|png|webp|gif|avif)(?:[?#]\S*)?", re.IGNORECASE)
_CANDIDATE = lazy_pattern(r"[\s,]*+([^\s,]\S*)(?:(?<=,)|([^,]*))")
"""An address, which may hold commas but ends before one, and its size."""
_DESCRIPTOR = lazy_pattern(r"(\d+(?:\.\d+)?)([wx])")
_LONGEST_DESCRIPTOR = 40
_LENGTH = lazy_pattern(r"\s*+(\d{1,5}+)(?:\.\d++)?\s*+(?:px)?\s*+")
_STYLE_LENGTH = lazy_pattern(r"(?:^|;)\s*(width|height)\s*:\s*(\d+)px", re.IGNORECASE)
_JAVASCRIPT = lazy_pattern(r"java\s?script", re.IGNORECASE)
_SMALL = 32
"""Largest side, in pixels, of what is an icon when nothing describes it."""
_WIDE = 2000
"""Preferred largest width of a candidate, in pixels."""
ORNAMENTS = words("image-ornament")
_EMOJI = words("image-emoji")
_STAND_INS = words("image-tags")
IMAGES = _STAND_INS | {"img", "picture"}
"""Elements that are images, or become some."""
_AROUND_IMAGES = frozenset(("picture", "a", "span", "div", "figure")) | _STAND_INS
_LABELS = frozenset(("class", "id"))
_MOST_NODES = 500
"""Nodes in an element that holds no more than an image and its caption."""
_CAPTIONS = frozenset(("div", "p", "span", "dd", "small", "em"))
"""Elements that only their class may make a caption."""
_ALT_IN_LINK = 12
"""Characters of an ``alt`` worth keeping as the text of its link."""

FRAMES = frozenset({"div", "p", "dl", "span", "center", "li", "section"})
"""What may hold a picture and a caption that only its class names, and nothing else."""


def standardize_images(root: Element, survey: Survey, base_url: str | None, *, keep: bool) -> None:
    """Give every image one absolute address, drop what is none, and build figures."""
    tags = survey.tags
    if "noscript" in tags:
        for noscript in list(root.iter_elements("noscript")):
            _open_noscript(noscript)
    if not tags.isdisjoint(_STAND_INS):
        for image in list(root.iter_elements(_STAND_INS)):
            image.tag = "img"
            image.clear()
    if "picture" in tags:
        for picture in list(root.iter_elements("picture")):
            _open_picture(picture)
    if not tags.isdisjoint(IMAGES):
        for image in list(root.iter_elements("img")):
            _rewrite(image, base_url, keep=keep)
    for caption in survey.roles["caption"]:
        if caption.parent is not None:
            _build_figure(root, caption)


def drop_repeated_images(root: Element, survey: Survey) -> None:
    """Show an image once; in the cells of a data table it may replace a word, there it stays."""
    if survey.tags.isdisjoint(IMAGES):
        return
    seen: set[str] = set()
    for image in root.iter_elements("img"):
        source = image.attr("src") or ""
        if source in seen and not _in_cell(image):
            image.extract()
        seen.add(source)


# -- sources ---------------------------------------------------------------------------------------------------------


def candidates(srcset: str) -> Iterator[tuple[str, float, str]]:
    """Address, size and unit (``w`` or ``x``) of each candidate; an address may hold commas (WHATWG srcset)."""
    at = 0
    while found := _CANDIDATE.match(srcset, at):  # A search would take the square of the time on a long row of commas.
        at = found.end()
        url, beside = found[1], found[2] or ""
        size = _DESCRIPTOR.search(beside[:_LONGEST_DESCRIPTOR])
        yield (url.rstrip(","), float(size[1]), size[2]) if size else (url.rstrip(","), 1.0, "x")


def best_candidate(srcset: str) -> str | None:
    """The largest candidate that is no wider than needed."""
    ranked = sorted(candidates(srcset), key=_rank, reverse=True)
    return next((url for url, _, _ in ranked if not _is_placeholder(url)), None)


def _rank(candidate: tuple[str, float, str]) -> tuple[int, float]:
    _, size, unit = candidate
    return (1, size) if size <= (_WIDE if unit == "w" else 3) else (0, -size)


def _is_placeholder(url: str) -> bool:
    """Whether an address leads to no picture, but to what is shown until there is one.

    >>> _is_placeholder("/static/img-blank.gif?v=2"), _is_placeholder("/oak.gif")
    (True, False)
    """
    if url[:6].lower().startswith(("data:", "about:")):
        return True
    for found in _FILE_END.finditer(url):
        before = url[: found.start()].lower()
        if before.endswith(_PLACEHOLDERS) and any(
            before.endswith(name) and before[-len(name) - 1 : -len(name)] in ("", *"/_.-") for name in _PLACEHOLDERS
        ):
            return True
    return False


def _source(attrs: Mapping[str, str], base_url: str | None) -> str | None:
    """The address of the picture that an image's attributes name."""
    for value in _addresses(attrs):
        if value and not _is_placeholder(value.strip()):
            url = absolute(value, base_url)
            if url is not None and not url.startswith("mailto:"):
                return url
    for name, hidden in attrs.items():
        if name.startswith("data-") and _PICTURE_FILE.fullmatch(hidden) and not _is_placeholder(hidden):
            return absolute(hidden, base_url)
    return None


def _addresses(attrs: Mapping[str, str]) -> Iterator[str | None]:
    """What may be the address of an image, most telling first."""
    if not _BESIDE_SRC.isdisjoint(attrs):
        for name in sorted(_SETS.intersection(attrs)):
            yield best_candidate(attrs[name])
        for name in sorted(filter(_RANKS.__contains__, attrs), key=_RANKS.__getitem__):
            lazy = attrs[name].lstrip()
            yield lazy if not lazy.startswith(("{", "[")) else None
    yield attrs.get("src")


def _is_lazy(attrs: Mapping[str, str]) -> bool:
    """Whether an image with these attributes is to be loaded by a script."""
    source = attrs.get("src", "").strip()
    return not source or _is_placeholder(source) or not _LAZY_NAMES.isdisjoint(attrs)


def _asks_for_scripts(text: str) -> bool:
    """Whether a text is only there to ask for scripts to be allowed."""
    return len(text) < 400 and _JAVASCRIPT.search(text) is not None


def _open_noscript(noscript: Element) -> None:
    """What is shown without scripts replaces what a script would have loaded."""
    parent = element_parent(noscript)
    if parent is None:
        return
    image = next(noscript.iter_elements("img"), None)
    if image is None:
        if _asks_for_scripts(noscript.text):
            noscript.extract()
        else:
            noscript.unwrap()
        return
    for before in (True, False):
        other = element_sibling(noscript, before=before)
        shown = _only_image(other) if other is not None and other.tag != "noscript" else None
        if shown is not None and (_is_lazy(shown.attrs) or shown.attr("src") == image.attr("src")):
            replace(shown, image)
            noscript.extract()
            return
    noscript.unwrap()


def _only_image(element: Element) -> Element | None:
    if element.tag == "img":
        return element
    if element.tag not in _AROUND_IMAGES or not is_small(element, 8):
        return None
    images = element.iter_elements("img")
    first = next(images, None)
    return first if first is not None and next(images, None) is None and blank(element.text) else None


def _open_picture(picture: Element) -> None:
    """Leave the image of a ``<picture>``, with the address of a source when it has none of its own."""
    if picture.parent is None:
        return
    image = next(picture.iter_elements("img"), None)
    sources = [
        value
        for source in picture.iter_elements("source")
        for name in ("srcset", "data-srcset")
        if (value := source.attr(name))
    ]
    if image is None:
        if not sources:
            picture.unwrap()
            return
        image = Element("img")
    best = _source_beside(image.attrs, sources)
    if best:
        image.attrs["src"] = best
    for stray in list(picture.iter_elements("figcaption")):
        # Some publishers write the caption beside the image, where browsers show it all the same.
        picture.insert_after(stray)
    replace(picture, image)


def _source_beside(attrs: Mapping[str, str], sources: Sequence[str]) -> str | None:
    """What a ``<picture>`` gives an image that has no address of its own."""
    if _source(attrs, None) is not None:
        return None
    return next((url for value in sources if (url := best_candidate(value))), None)


def _rewrite(image: Element, base_url: str | None, *, keep: bool) -> None:
    parent = element_parent(image)
    if parent is None:
        return
    address = (parent.attr("href") or "") if parent.tag == "a" else ""
    kept, text, is_for_link = shown_as(image.attrs, address, base_url, keep)
    if kept is None:
        is_label = bool(text) and is_for_link and blank(parent.text)
        if is_label:
            parent.attrs["data-embed"] = ""
        replace(image, *([Text(text)] if is_label or (text and not is_for_link) else []))
        return
    image.attrs.clear()
    image.attrs.update(kept)


def shown_as(
    attrs: Mapping[str, str], address: str, base_url: str | None, keep: bool
) -> tuple[dict[str, str] | None, str, bool]:
    """What becomes of an image with these attributes in a link to this address, if it is in one.

    Its new attributes; or None, the text that takes its place, and whether it does so only in a link without text.
    """
    alt = squeezed(attrs.get("alt", ""))
    names = attrs.get("class", "").lower().split()
    if names and not _EMOJI.isdisjoint(names) and 0 < len(alt) < 16:
        return None, alt, False
    width, height = _size(attrs)
    # Next.js writes 0 for both and leaves the size to the style sheet; a pixel that counts readers has one address.
    sides = [size for size in (width, height) if size is not None]
    tiny = bool(sides) and min(sides) <= 2 and "srcset" not in attrs
    source = _source(attrs, base_url) if keep and not tiny else None
    if source is None and keep and not tiny and _PICTURE_FILE.fullmatch(address):
        # The picture a script would have loaded is often the small form of the one behind the link.
        source = absolute(address, base_url)
    if source is None:
        return None, alt if address and len(alt) >= _ALT_IN_LINK and not tiny else "", True
    if not alt and (
        (width is not None and height is not None and max(width, height) <= _SMALL) or not ORNAMENTS.isdisjoint(names)
    ):
        return None, "", False
    return _described(attrs, source, alt, (("width", width), ("height", height))), "", False


def _described(
    attrs: Mapping[str, str], source: str, alt: str, sizes: tuple[tuple[str, int | None], ...]
) -> dict[str, str]:
    """The attributes worth keeping, in the order in which they were written."""
    kept: dict[str, str] = {"src": source}
    if alt:
        kept["alt"] = alt
    title = squeezed(attrs.get("title", ""))
    if title and title != alt:
        kept["title"] = title
    for name, size in sizes:
        if size and (written := attrs.get(name, "")).strip()[:1].isdigit() and "%" not in written:
            kept[name] = str(size)
    return {name: kept.get(name, value) for name, value in attrs.items() if name in kept or name in _LABELS} | kept


def _size(attrs: Mapping[str, str]) -> tuple[int | None, int | None]:
    sizes = {}
    if (style := attrs.get("style")) and "px" in style.lower():
        sizes = {name.lower(): int(value[:6]) for name, value in _STYLE_LENGTH.findall(style)}
    return _length(attrs.get("width"), sizes.get("width")), _length(attrs.get("height"), sizes.get("height"))


def _length(written: str | None, styled: int | None) -> int | None:
    """A side in pixels: as its attribute says, else as the style does."""
    if written and (found := _LENGTH.fullmatch(written)):
        return int(found[1])
    return styled


def _in_cell(image: Element) -> bool:
    parent = element_parent(image)
    for _ in range(4):
        if parent is None:
            return False
        if parent.tag in ("td", "th"):
            return True
        parent = element_parent(parent)
    return False


# -- figures ---------------------------------------------------------------------------------------------------------


def _build_figure(root: Element, caption: Element) -> None:
    """Make a figure of an element that holds one image and a caption marked only by its class."""
    if caption.tag not in _CAPTIONS:
        return
    outer = element_parent(caption)
    text = squeezed(caption.text)
    if not text or next(caption.iter_elements("img"), None) is not None:
        return
    for _ in range(2):
        if outer is None or outer is root or outer.tag not in FRAMES:
            return
        if is_small(outer, 12):
            if not _says_no_more(outer, len(text) + 1):
                return
            images = outer.iter_elements("img")
            if next(images, None) is not None:
                if next(images, None) is None:
                    _make_figure(outer, caption)
                return
        outer = element_parent(outer)


def _says_no_more(outer: Element, size: int) -> bool:
    """Whether an element's text has at most so many characters; a large one, perhaps of many captions, has more."""
    shown = 0
    for count, node in enumerate(outer.descendants):
        if count == _MOST_NODES:
            return False
        if isinstance(node, Text):
            shown += sum(map(len, node.data.split()))
            if shown > size:
                return False
    return len(squeezed(outer.text)) <= size


def _make_figure(outer: Element, caption: Element) -> None:
    image: Element | None = next(outer.iter_elements("img"), None)
    if image is None or next(outer.iter_elements("figure"), None) is not None:
        return
    link = element_parent(image)
    shown: Node = link if link is not None and link.tag == "a" and link is not outer else image
    words = Element("figcaption", None, list(caption.children))
    figure = Element("figure")
    if outer.tag == "li":
        outer.clear()
        outer.append(figure)
    else:
        replace(outer, figure)
    figure.append(shown)
    figure.append(words)
