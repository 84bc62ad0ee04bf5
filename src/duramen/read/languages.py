"""The page's language as a tag of BCP 47: declared, else detected."""

from __future__ import annotations

import re
from bisect import bisect_right

from duramen.function_words import detect_language
from duramen.lazy_pattern import lazy_pattern
from duramen.read.metadata_rows import metadata_rows
from duramen.read.structured_lookup import StructuredLookup
from duramen.read.text_clean import host_of
from duramen.tree import Tree

__all__ = ["month_first_in", "read_language"]

LANGUAGE_METAS = ("content-language", "language", "dc.language", "dcterms.language")
_LANGUAGE_TAG = lazy_pattern(r"^([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?(?:[-_].*)?$", re.I)
_ALPHA3 = """
afr:af aka:ak amh:am ara:ar aze:az bel:be ben:bn bul:bg cat:ca ces:cs cmn:zh cym:cy dan:da deu:de ell:el eng:en
epo:eo est:et fas:fa fin:fi fra:fr gle:ga guj:gu heb:he hin:hi hrv:hr hun:hu hye:hy ind:id isl:is ita:it jav:jv jpn:ja
kan:kn kat:ka khm:km kor:ko lat:la lav:lv lit:lt mal:ml mar:mr mkd:mk mya:my nep:ne nld:nl nno:nn nob:nb nor:no ori:or
ory:or pan:pa pes:fa pol:pl por:pt ron:ro rus:ru sin:si slk:sk slv:sl sna:sn som:so spa:es sqi:sq srp:sr swe:sv tam:ta
tel:te tgl:tl tha:th tuk:tk tur:tr ukr:uk urd:ur uzb:uz vie:vi yid:yi zho:zh zul:zu
"""
LANGUAGES = dict(pair.split(":") for pair in _ALPHA3.split())


def read_language(lookup: StructuredLookup) -> str | None:
    tree = lookup.tree
    for name in ("lang", "xml:lang"):
        if tag := _language_tag(tree.attr(0, name)):
            return lookup.found("language", f"dom:html {name}", tag)
    for key in (*LANGUAGE_METAS, "og:locale"):
        for text in lookup.meta.get(key, ()):
            if tag := _language_tag(text.split(",")[0]):
                return lookup.found("language", f"meta:{key}", tag)
    for item in lookup.items:
        value = item.get("inLanguage")
        if isinstance(value, str) and (tag := _language_tag(value)):
            return lookup.found("language", "json-ld:inLanguage", tag)
    sample = _shown_sample(tree)
    if len(sample) >= 60 and (code := detect_language(sample)):
        return lookup.found("language", "detected", code)
    return None


def _shown_sample(tree: Tree) -> str:
    """Some shown text from the middle of the page, where its own language is."""
    parts: list[str] = []
    size = 0
    start = tree.chars[-1] // 4
    for i in range(max(0, bisect_right(tree.chars, start) - 1), len(tree)):
        if tree.chars[i + 1] > tree.chars[i]:
            text = tree.text[i]
            parts.append(text[:20_000])
            size += len(text)
            if size > 4000:
                break
    return " ".join(" ".join(parts).split())[:4000]


def _language_tag(value: str) -> str | None:
    """A language tag in the form of BCP 47, such as ``de`` or ``pt-BR``."""
    value = value.strip()
    match = _LANGUAGE_TAG.match(value)
    if not match:
        return metadata_rows().languages.get(value.lower())
    language, script, region = match.groups()
    language = LANGUAGES.get(language.lower(), language.lower())
    if language in ("und", "zxx", "mul", "xx"):
        return None
    return "-".join(filter(None, (language, script and script.title(), region and region.upper())))


def month_first_in(language: str | None, url: str) -> bool:
    """Whether 03/04 is the fourth of March: in American English only."""
    if language in ("en-US", "en-PH"):
        return True
    if language not in ("en", None):
        return False
    ending = host_of(url).rsplit(".", 1)[-1]
    return not ending or ending in metadata_rows().month_first
