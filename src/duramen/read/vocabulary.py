"""Objects of JSON-LD, microdata and RDFa: what they are, how they refer to each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["ARTICLE_TYPES", "link_objects", "types_of"]

ARTICLE_TYPES = frozenset(
    "advertisercontentarticle analysisnewsarticle apireference article askpublicnewsarticle backgroundnewsarticle"
    " blogposting liveblogposting medicalscholarlyarticle newsarticle opinionnewsarticle report reportagenewsarticle"
    " reviewnewsarticle satiricalarticle scholarlyarticle techarticle".split()
)
"""The types of schema.org that are articles."""


def types_of(item: Mapping[str, Any]) -> tuple[str, ...]:
    """The lower-case type names of an object, without their vocabulary."""
    value = item["@type"] if "@type" in item else item.get("type")
    if isinstance(value, str) and value.isalpha():
        return (value.lower(),)
    values = value if isinstance(value, list) else [value]
    return tuple([_name_in(v.strip()) for v in values[:10] if isinstance(v, str) and v.strip()])


def _name_in(address: str) -> str:
    address = address.rstrip("/")
    return address[max(map(address.rfind, "/#:")) + 1 :].lower()


def link_objects(objects: tuple[Mapping[str, Any], ...]) -> dict[str, Mapping[str, Any]]:
    """Objects by their ``@id``, for the references between them."""
    return {name: item for item in objects if isinstance(name := item.get("@id"), str) and len(item) > 1}
