"""What the page says about itself as data: JSON-LD, microdata, RDFa, OpenGraph and Twitter cards, in one form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from duramen.page import Page
from duramen.read.microdata import read_microdata
from duramen.read.rdfa import read_rdfa
from duramen.read.vocabulary import types_of

__all__ = ["Structured", "structured_of"]

_GRAPH = ("og:", "article:", "book:", "profile:", "product:", "video:", "music:", "fb:", "al:")
_VOCABULARIES = (
    "https://schema.org/",
    "http://schema.org/",
    "https://www.schema.org/",
    "http://www.schema.org/",
    "schema:",
)
_DEEPEST = 40


@dataclass(frozen=True, slots=True)
class Structured:
    """The structured data of a page. Texts are as the page states them: trust them no more than the page."""

    json_ld: tuple[Mapping[str, Any], ...] = ()
    """Every object, those of arrays and ``@graph`` too. Types and names are without the vocabulary's address."""
    microdata: tuple[Mapping[str, Any], ...] = ()
    rdfa: tuple[Mapping[str, Any], ...] = ()
    opengraph: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By property, such as ``og:title``: all values in order."""
    twitter: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    """What could not be read."""

    def of_type(self, name: str) -> tuple[Mapping[str, Any], ...]:
        """The objects of a type, such as ``Product``, in any notation, those inside others too."""
        wanted = name.lower()
        return tuple(one for one in self._objects() if wanted in types_of(one))

    def _objects(self) -> Iterator[Mapping[str, Any]]:
        stack: list[Any] = list(reversed((*self.json_ld, *self.microdata, *self.rdfa)))
        while stack:
            value = stack.pop()
            if isinstance(value, dict):
                yield value
                stack.extend(reversed(list(value.values())))
            elif isinstance(value, list):
                stack.extend(reversed(value))


def structured_of(page: Page) -> Structured:
    """The structured data of a page in its public form: of microdata and RDFa also what tells nothing of the page."""
    data, problems = page.structured, [*page.structured.problems]
    marked = read_microdata(page.tree, page.base_url, problems, whole=True)
    typed = read_rdfa(page.tree, page.base_url, problems, whole=True)
    return Structured(
        tuple(_plain(one) for one in data.json_ld),
        tuple(_plain(one) for one in marked),
        tuple(_plain(one) for one in typed),
        {name: values for name, values in data.meta.items() if name.startswith(_GRAPH)},
        {name: values for name, values in data.meta.items() if name.startswith("twitter:")},
        tuple(dict.fromkeys(problems)),
    )


def _plain(value: Any) -> Any:
    """A value with short names; what is deeper than any real data is left out."""
    whole: list[Any] = [value]
    to_do: list[tuple[Any, Any, int]] = [(whole, 0, 0)]
    while to_do:
        holder, place, depth = to_do.pop()
        part = holder[place]
        if isinstance(part, Mapping):
            named = {} if depth > _DEEPEST else {_short(name): _typed(name, inner) for name, inner in part.items()}
            holder[place] = named
            to_do += [(named, name, depth + 1) for name in named if name != "@type"]
        elif isinstance(part, (list, tuple)):
            listed = list(part) if depth <= _DEEPEST else []
            holder[place] = listed
            to_do += [(listed, at, depth + 1) for at in range(len(listed))]
        elif isinstance(part, float) and not isfinite(part):
            # JSON has no form for these.
            holder[place] = None
    return whole[0]


def _typed(name: str, value: Any) -> Any:
    if name != "@type":
        return value
    if isinstance(value, str):
        return _short(value)
    return [_short(part) for part in value if isinstance(part, str)] if isinstance(value, list) else value


def _short(name: str) -> str:
    for start in _VOCABULARIES:
        if name.startswith(start):
            return name[len(start) :]
    return name
