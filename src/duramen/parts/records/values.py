"""What a page may consist of, typed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from duramen.rebuild import rebuild

__all__ = ["Comment", "Ingredient", "Item", "Post", "Product", "Question", "Record", "Step"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A part of the page that is one thing."""

    html: str
    """Its content as safe HTML."""
    position: int
    """Its place among the page's records, from 0."""
    confidence: float
    """Between 0 and 1; higher where the page's structured data says the same."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """Where each value was found: ``framework``, ``microdata``, ``page`` (by its shape and names), with ``+json-ld``
    where the JSON-LD agrees; ``json-ld`` where only that has it."""

    @property
    def kind(self) -> str:
        """``post``, ``comment``, ``item``, ``product``, ``question``, ``step`` or ``ingredient``."""
        return type(self).__name__.lower()

    @property
    def text(self) -> str:
        from duramen.render.text import render_text

        return render_text(self.html)

    @property
    def markdown(self) -> str:
        from duramen.render.markdown import render_markdown

        return render_markdown(self.html)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {"kind": self.kind, **asdict(self), "text": self.text, "markdown": self.markdown}


@dataclass(frozen=True, slots=True, kw_only=True)
class Post(Record):
    """A post of a forum, a question or an answer."""

    author: str | None = None
    published: str | None = None
    depth: int = 0
    """How many posts it is a reply inside of."""
    parent: int | None = None
    """The position of the post that it replies to, where the page shows it."""
    score: int | None = None
    accepted: bool = False
    permalink: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment(Record):
    """A reader's comment on an article."""

    author: str | None = None
    published: str | None = None
    depth: int = 0
    parent: int | None = None
    score: int | None = None
    permalink: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Item(Record):
    """An item of a listing, a collection or search results."""

    title: str | None = None
    url: str | None = None
    image: str | None = None
    summary: str | None = None
    price: str | None = None
    """A decimal number."""
    currency: str | None = None
    """By ISO 4217."""
    rating: float | None = None
    published: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Product(Record):
    """What a product page sells."""

    name: str | None = None
    brand: str | None = None
    price: str | None = None
    """A decimal number."""
    currency: str | None = None
    """By ISO 4217."""
    available: bool | None = None
    sku: str | None = None
    gtin: str | None = None
    rating: float | None = None
    image: str | None = None
    specifications: tuple[tuple[str, str], ...] = ()
    description: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Record):
    """A question and its answers: of an FAQ."""

    question: str = ""
    answers: tuple[str, ...] = ()
    """As plain text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step(Record):
    """A step of a recipe or other instructions."""

    number: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingredient(Record):
    """An ingredient of a recipe."""


_KINDS: dict[str, type[Record]] = {
    cls.__name__.lower(): cls for cls in (Comment, Ingredient, Item, Post, Product, Question, Step)
}


def record_from_dict(data: Mapping[str, Any]) -> Record:
    """A record from the data of :meth:`Record.to_dict`, such as parsed JSON."""
    return rebuild(_KINDS[data["kind"]], data)
