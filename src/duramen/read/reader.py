"""The reading stage: bytes become a :class:`~duramen.page.Page`, all that is known before anything is decided."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from duramen.blocks import segment
from duramen.budget import Budget
from duramen.flatten import parse_tree
from duramen.lazy_pattern import lazy_pattern
from duramen.model import Encoding, PageText, Removal
from duramen.options import Options
from duramen.page import Page
from duramen.read.addresses import base_url
from duramen.read.decode import decode_page, looks_like_html
from duramen.read.document_type import document_type
from duramen.read.framework import detect_framework, with_title
from duramen.read.metadata import read_metadata
from duramen.read.structured import read_structured
from duramen.rule_set import RuleSet, rules_of
from duramen.safe_values import safe_metadata
from duramen.tree import Tree

_TAG = lazy_pattern("<")
_SHORTEST_TAG = 3

NO_TEXT = frozenset({"pdf", "image", "zip", "gzip", "binary"})
"""Input that holds no text a page could be read from."""


class Source(NamedTuple):
    """A page as text, with what its size allows; reading the same source again gives the same page."""

    text: PageText
    encoding: Encoding
    not_html: str | None
    """Why the input is not HTML, if it is not."""
    limits: tuple[str, ...]
    """What was cut off."""
    max_nodes: int


def read_source(
    html: str | bytes, options: Options, content_type: str | None = None, budget: Budget | None = None
) -> Source:
    """Decode a page, and cut off what is beyond the limits."""
    budget = budget or Budget(options.limits)
    if not isinstance(html, (str, bytes)):
        html = bytes(html)
    not_html = looks_like_html(html)
    if not_html in NO_TEXT:
        html = ""
    limits: list[str] = []
    most = budget.characters
    if len(html) > most:
        unit = "characters" if isinstance(html, str) else "bytes"
        limits.append(f"input cut off after {most:,} of {len(html):,} {unit}")
        html = html[:most]
    text: PageText
    if isinstance(html, str):
        text, encoding = encodable(html), Encoding("utf-8", "str")
    else:
        text, encoding = decode_page(html, options.encoding, content_type)
    tags = budget.tags_in(len(text))
    if len(text) > _SHORTEST_TAG * tags and text.count("<") > tags:
        # The parser leaves out nodes beyond its limit; a page of nothing but tags must not get that far.
        text = str(text)
        at = next(islice(_TAG.finditer(text), tags, None)).start()
        limits.append(f"input cut off after {tags:,} tags, at {at:,} of {len(text):,} characters")
        text = text[:at]
    return Source(text, encoding, not_html, tuple(limits), budget.nodes_in(len(text)))


def read_page(
    source: Source | PageText,
    url: str | None = None,
    options: Options | None = None,
    rules: RuleSet | None = None,
) -> Page:
    """What is this page, and what does it say about itself?"""
    options = options or Options()
    if not isinstance(source, Source):
        source = Source(source, Encoding("utf-8", "str"), None, (), options.limits.max_nodes)
    limits = list(source.limits)
    hidden: Sequence[Removal] = ()
    tree = parse_tree(source.text, source.max_nodes, limits)
    if options.visible_only:
        # Most callers do not ask for it, and reading style sheets takes much code.
        from duramen.read.hidden import take_out_hidden

        tree, hidden, unread = take_out_hidden(tree)
        limits += unread
    if tree.cut:
        limits.append(f"nodes after the first {source.max_nodes:,} were left out")
    if tree.deepest() > options.limits.max_depth:
        limits.append(f"elements deeper than {options.limits.max_depth} were unwrapped")
    base = base_url(tree, url)
    structured = read_structured(tree, base)
    rule = (rules or rules_of(options.rules)).for_url(url)
    framework = detect_framework(tree, structured.meta)
    metadata = with_title(tree, framework, read_metadata(tree, structured, url, base))
    if rule is not None and rule.metadata:
        # Few sites have a rule.
        from duramen.read.by_rule import by_rule

        metadata = by_rule(tree, rule, metadata)
    return Page(
        tree=tree,
        blocks=segment(tree),
        url=url,
        base_url=base,
        document_type=document_type(tree),
        structured=structured,
        metadata=safe_metadata(metadata),
        framework=framework,
        rule=rule,
        encoding=source.encoding,
        not_html=source.not_html,
        limits=tuple(limits),
        hidden=tuple(hidden),
        bodies_in_scripts=lambda: _bodies_in_scripts(tree),
    )


def _bodies_in_scripts(tree: Tree) -> tuple[tuple[str, str], ...]:
    # Imported here, since few pages have no other content.
    from duramen.read.hydration import hydration_bodies

    return hydration_bodies(tree)


def encodable(text: str) -> str:
    """A text that can be written as UTF-8: half of a surrogate pair is not a character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text
