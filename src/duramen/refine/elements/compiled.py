"""The door to the compiled twins of standardize.py: what they have to know of tags and classes."""

from __future__ import annotations

from functools import cache
from typing import Any

from duramen.dom import Element
from duramen.native import core
from duramen.options import Output
from duramen.refine.elements.callouts import BOXES, decorates_box, is_word, named_kind, titles_box
from duramen.refine.elements.code import CODE_CELLS, FRAMES, HEADERS
from duramen.refine.elements.embeds import marked_at, shown_at
from duramen.refine.elements.flow import PUSHED, RENAMED, RUN_HOLDERS, SINGLE
from duramen.refine.elements.footnotes import BACK_LABELS, REFERENCE_NAMES, leads_back, may_refer, reference
from duramen.refine.elements.highlighting import COLOURED, GUTTER, LINE_TOKENS, TOOLS
from duramen.refine.elements.images import (
    CAPTIONS,
    EMOJI,
    LAZY_NAMES,
    ORNAMENTS,
    PLACEHOLDER_ENDS,
    asks_for_scripts,
    is_lazy,
    shown_as,
    source_beside,
)
from duramen.refine.elements.inline import BLOCKS, FLOW, INLINE, ITEMS, KNOWN, TABLE, VOID
from duramen.refine.elements.language import language_said
from duramen.refine.elements.links import HEADINGS, absolute, origin_of, points_only
from duramen.refine.elements.preformatted import INSIDE
from duramen.refine.elements.survey import ROLES
from duramen.refine.elements.tables import CELL_BLOCKS
from duramen.refine.nesting import BOUNDS_ITEM, BOUNDS_P, CLOSES_P
from duramen.refine.sanitize import Draft

_LEFT_OUT = frozenset("script style xmp listing iframe noembed noframes plaintext textarea template".split())
"""Elements whose text parsers and serializers treat in a way of their own."""
_OLD_BLOCKS = frozenset("center main header footer nav aside hgroup search fieldset dialog dir menu".split())
_OLD_INLINE = frozenset("tt strike acronym legend slot font big label picture source".split())
_ASKED = frozenset("iframe video audio track noscript input".split())
_ORDINARY = KNOWN | _OLD_BLOCKS | _OLD_INLINE | _ASKED
"""Elements that are settled by their names, attributes and neighbours, and that parsers leave in place."""
_FORMATTING = frozenset("a b big code em font i s small strike strong tt u".split())
_TRAITS = (
    INLINE, BLOCKS, FLOW, ITEMS, TABLE, VOID, HEADINGS, RUN_HOLDERS, PUSHED, SINGLE, _LEFT_OUT,
    _ORDINARY, CLOSES_P | _OLD_BLOCKS, BOUNDS_P, BOUNDS_ITEM, _FORMATTING, BOXES, CAPTIONS, CELL_BLOCKS,
    FRAMES, COLOURED, INSIDE,
)  # fmt: skip
"""In the order of the bits of ``flow.h``."""
_NAMES = ("", "div", "code", "s", "abbr", "ul", "p")
"""New names of elements, by the number above those bits."""
_KINDS = {"aside": 1, "control": 2, "permalink": 4, "caption": 8, "callout": 16, "footnotes": 32768, "embed": 131072}
_HARD = 32
"""Roles as the bits of ``ordinary.h``."""
_OTHER_WORDS = (
    (GUTTER, 64),
    (TOOLS, 128),
    (LINE_TOKENS, 256),
    ({"token"}, 512),
    ({"nextra-code"}, 1024),
    (HEADERS, 2048),
    ({"admonitionblock"}, 4096),
    (CODE_CELLS, 8192),
    ({"lntd"}, 16384),
    (BACK_LABELS, 65536),
    (REFERENCE_NAMES, 262144),
)
"""What the words of a class say of code, of boxes laid out as tables, and of notes, as bits beside these."""
_QUESTIONS = (
    shown_at, shown_as, source_beside, is_lazy, asks_for_scripts, points_only, may_refer, absolute, language_said,
    named_kind, is_word, titles_box, decorates_box, reference, leads_back,
    marked_at,
)  # fmt: skip
"""What ``ordinary.c`` asks, in its order."""


@cache
def _tags() -> Any:
    tags = (*KNOWN, *RENAMED, *_LEFT_OUT, *_ORDINARY)
    traits = {tag: sum(1 << bit for bit, named in enumerate(_TRAITS) if tag in named) for tag in tags}
    for tag, name in RENAMED.items():
        if tag not in _LEFT_OUT:
            traits[tag] += _NAMES.index(name) << len(_TRAITS)
    return core.Lookup({tag: float(value) for tag, value in traits.items()})


@cache
def _roles() -> Any:
    bits = {token: _KINDS.get(role, _HARD) for token, role in ROLES.items()}
    for words, bit in _OTHER_WORDS:
        bits |= {word: bits.get(word, 0) | bit for word in words}
    return core.Lookup({word: float(value) for word, value in bits.items()})


@cache
def _image_words() -> Any:
    """What is told by names of attributes, words of classes and ends of file names, as the bits of ``image.c``."""
    groups = ((LAZY_NAMES, 1), (ORNAMENTS, 2), (EMOJI, 4), (PLACEHOLDER_ENDS, 8))
    words = {word for named, _ in groups for word in named}
    return core.Lookup({word: float(sum(bit for named, bit in groups if word in named)) for word in words})


def compiled_draft(draft: Draft, base_url: str | None, output: Output) -> bytes | None:
    """An ordinary draft in canonical form; None without the core, and for one that holds hard elements."""
    if core is None:
        return None
    origin = origin_of(base_url) if base_url is not None else ""
    known = (_tags(), _roles(), _image_words())
    html: bytes | None = core.ordinary(draft, base_url, origin, output.images, output.links, *known, _QUESTIONS)
    return html


def compiled_flow(root: Element) -> str | None:
    """A draft whose hard elements are in form, with the rest brought into form as well, and without titles that only
    repeat their link's text; None without the core, and where the draft holds what it leaves to Python."""
    if core is None:
        return None
    # Texts that stand side by side, since something between them was taken out, are still several to the flow.
    return core.flow(root.inner_html, list(map(len, root.strings)), _tags())  # type: ignore[no-any-return]
