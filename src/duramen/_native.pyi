"""The compiled core (src/native), typed in full: a contract test compares the names here with those it has.

Nodes and blocks are numbers. A buffer is an array of float32, float64 or int32, as each function's source says.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from typing import Generic, TypeVar, final, overload

from _typeshed import ReadableBuffer, WriteableBuffer

from duramen.model import PageText

_T = TypeVar("_T")
_Doctype = tuple[str | None, str | None, str | None]
_Check = Callable[[str], str | None]

SOURCES: str
"""The digest of the sources it was built from."""

class Node:
    @property
    def parent(self) -> Element | None: ...
    @property
    def next_sibling(self) -> Node | None: ...
    @property
    def previous_sibling(self) -> Node | None: ...
    @property
    def children(self) -> tuple[Node, ...]: ...
    @property
    def descendants(self) -> Iterator[Node]: ...
    @property
    def ancestors(self) -> Iterator[Element]: ...
    @property
    def strings(self) -> Iterator[str]: ...
    @property
    def text(self) -> str: ...
    @property
    def html(self) -> str: ...
    @property
    def inner_html(self) -> str: ...
    def closest(self, tags: str | Iterable[str], /) -> Element | None: ...
    def insert_before(self, *nodes: Node) -> None: ...
    def insert_after(self, *nodes: Node) -> None: ...
    def replace_with(self, *nodes: Node) -> None: ...
    def extract(self) -> Node: ...
    def unwrap(self) -> Node: ...
    def __iter__(self) -> Iterator[Node]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> Node: ...

@final
class Element(Node):
    def __init__(
        self, tag: str, attrs: Mapping[str, str | None] | None = None, children: Iterable[Node] | None = None
    ) -> None: ...
    tag: str
    @property
    def attrs(self) -> dict[str, str]: ...
    @property
    def namespace(self) -> str: ...
    def attr(self, name: str, /) -> str | None: ...
    def iter_elements(
        self, tags: str | Iterable[str] | None = None, include_self: bool = False
    ) -> Iterator[Element]: ...
    def append(self, child: Node, /) -> None: ...
    def extend(self, children: Iterable[Node], /) -> None: ...
    def clear(self) -> None: ...

@final
class Text(Node):
    def __init__(self, data: str) -> None: ...
    data: str

@final
class Comment(Node):
    data: str

@final
class Lookup:
    """A fixed mapping from str to float; given as two buffers the strings end in a line feed each."""

    @overload
    def __init__(self, entries: dict[str, float] | dict[str, int], /) -> None: ...
    @overload
    def __init__(self, strings: ReadableBuffer, values: ReadableBuffer, /) -> None: ...

@final
class Utf8:
    """Text as well-formed UTF-8; ``len()`` is in characters."""

    @property
    def data(self) -> bytes: ...
    def count(self, character: str, /) -> int: ...
    def __len__(self) -> int: ...

@final
class Column(Sequence[_T], Generic[_T]):
    """One value of each node, made when it is read."""

    @overload
    def __getitem__(self, index: int) -> _T: ...
    @overload
    def __getitem__(self, index: slice) -> list[_T]: ...
    def __len__(self) -> int: ...

@final
class Selector:
    def __init__(self, alternatives: Sequence[Sequence[tuple[int, str, str, int, int, int, int]]], /) -> None: ...

@final
class Phrases:
    def __init__(self, phrases: Sequence[str], /) -> None: ...
    def within(self, text: str, /) -> list[str]: ...

@final
class Forest:
    def __init__(
        self,
        features: ReadableBuffer,
        thresholds: ReadableBuffer,
        trees: ReadableBuffer,
        left: ReadableBuffer,
        values: ReadableBuffer,
        size: int,
        classes: int,
        /,
    ) -> None: ...
    def scores(self, columns: ReadableBuffer, out: WriteableBuffer, as_probabilities: bool = False, /) -> None: ...

@final
class Sanitizer:
    def __init__(
        self,
        tags: dict[str, tuple[str, str | None, tuple[tuple[str, _Check], ...]]],
        forms: dict[str, tuple[int, int, int]],
        fixed: dict[str, str],
        parts: dict[str, frozenset[str]],
        missing: dict[str, dict[str, tuple[str, ...]]],
        addresses: dict[str, int],
        dropped: frozenset[str],
        depth: int,
        rounds: int,
        references: Lookup,
        /,
    ) -> None: ...
    def sanitize(self, html: str | bytes | Element, /) -> tuple[str, bool]: ...

_Removals = tuple[Lookup, Lookup, Lookup, bytes]
_Containers = tuple[Lookup, dict[str, int], dict[str, int]]

@final
class Tree:
    """A page flattened in document order."""

    def columns(
        self,
    ) -> tuple[
        Column[int],
        Column[int],
        Column[int],
        Column[str],
        Column[dict[str, str]],
        Column[str],
        Column[str],
        Column[str],
        Column[int],
        Column[int],
        Column[int],
        Column[bool],
        int,
        bool,
    ]: ...
    def parsing(self) -> tuple[int, bool, _Doctype]: ...
    # The page's elements and texts.
    def deepest(self) -> int: ...
    def tag_counts(self) -> dict[str, int]: ...
    def classes(self) -> list[str]: ...
    def tagged(self, tags: Set[str], /) -> list[int]: ...
    def classed(self, values: Set[str], /) -> list[int]: ...
    def valued(self, name: str, /) -> list[tuple[int, str]]: ...
    def stated(self, tag: str, names: tuple[str, ...], /) -> list[tuple[int, str, *tuple[str | None, ...]]]: ...
    def beginning(self, name: str, *starts: str) -> list[int]: ...
    def named(self, names: Lookup, /) -> list[str]: ...
    def select(self, selector: Selector, within: int, /) -> list[int]: ...
    def with_words(self, attribute: str, words: Lookup, kinds: int, /) -> tuple[list[int], ...]: ...
    def matching_words(self, names: Lookup, /) -> list[tuple[int, bool]]: ...
    def texts_holding(self, *parts: str) -> list[int]: ...
    def texts_beginning(self, *parts: str) -> list[int]: ...
    def speaking(self, first: int, stop: int, /) -> list[int]: ...
    def shown(self, first: int, stop: int, /) -> str: ...
    def label(self, node: int, /) -> str: ...
    def removable(
        self,
        rows: _Removals,
        never: Set[str],
        found: tuple[dict[int, int], dict[int, int], dict[int, int], dict[int, int]],
        limit: float,
        glyph: int,
        /,
    ) -> list[tuple[int, int, bool]]: ...
    def without(self, nodes: list[int], tags: Lookup, naming: Lookup, /) -> Tree: ...
    # Its blocks.
    def segment(
        self,
    ) -> tuple[list[int], list[int], list[int], list[str], list[int], list[int], list[int]]: ...
    def counted(self, blocks: list[int], characters: str, limit: int, /) -> list[int]: ...
    def range_of(self, node: int, /) -> tuple[int, int]: ...
    def owned(self, tags: Set[str], /) -> list[int]: ...
    def kept(self, nodes: Iterable[int], gone: Collection[int], among: list[int] | None, /) -> list[int]: ...
    def measure(
        self, kept: list[int], paragraphs: Set[str], prose: int, with_cards: bool, /
    ) -> tuple[int, int, int, int, int, int]: ...
    def share_alike(
        self, probabilities: WriteableBuffer, levels: int, least: int, longest: float, by: float, /
    ) -> None: ...
    def compose(
        self,
        keep: ReadableBuffer,
        marked: dict[int, int],
        max_depth: int,
        renamed: dict[int, str],
        root: int,
        root_name: str,
        wrapper: str,
        traits: dict[str, int],
        /,
    ) -> bytes: ...
    # Evidence and classical algorithms.
    def wording(
        self,
        out: WriteableBuffer,
        first: int,
        rows: int,
        title: str,
        description: str,
        body: str,
        odds: Lookup,
        characters: tuple[str, ...],
        terms: Lookup,
        notice: str,
        function_words: Lookup | None,
        measure: Callable[[str], tuple[float, float]],
        /,
    ) -> tuple[int, int, int, int]: ...
    def spoken(self, most: int, longest: int, whole: str, single: str, /) -> list[str]: ...
    def measure_blocks(
        self,
        columns: WriteableBuffer,
        measures: int,
        places: WriteableBuffer,
        wording: int,
        word_mean: int,
        title_at: int,
        odds: Lookup,
        tag_bits: dict[str, int],
        groups: int,
        stated: dict[int, int],
        owner_codes: dict[str, int],
        /,
    ) -> None: ...
    def type_prior(
        self, rows: Lookup, weights: ReadableBuffer, with_classes: bool, marks: list[str], out: WriteableBuffer, /
    ) -> None: ...
    @overload
    def containers(
        self, tables: _Containers, share: ReadableBuffer, commas: str, stated: dict[int, int], /
    ) -> tuple[int, int]: ...
    @overload
    def containers(
        self,
        tables: _Containers,
        share: ReadableBuffer,
        commas: str,
        stated: dict[int, int],
        which: int,
        strip: bool = True,
        weigh: bool = True,
        /,
    ) -> tuple[int, bytes, dict[int, float], bytes]: ...
    def mce(self) -> int: ...

# From bytes to pages and fragments.
def utf8(data: bytes, /) -> Utf8 | None: ...
def parse(html: PageText, max_nodes: int, tags: Lookup, naming: Lookup, references: Lookup, /) -> Tree: ...
def fragment(html: PageText, references: Lookup, /) -> Element: ...
def parsed_nodes(
    html: PageText, references: Lookup, context: str = "", /
) -> list[tuple[int, int, int, str, str | _Doctype]]: ...
def parsed_tokens(
    html: PageText, references: Lookup, content: int, tag: str, /
) -> list[tuple[int, str, str | _Doctype, int]]: ...

# Content.
def split_names(names: str, /) -> tuple[tuple[str, ...], ...]: ...
def survey(
    root: Element, words: Lookup, names: tuple[str, ...], /
) -> tuple[set[str], list[tuple[Element, int]], tuple[list[Element], ...]]: ...
def next_unsettled(elements: list[Element], before: int, tags: Lookup, /) -> tuple[int, int]: ...
def inline_runs(element: Element, tags: Lookup, block: int, /) -> list[list[Node]]: ...
def flat_content(
    html: str | bytes | Element, references: Lookup, verbatim: tuple[str, ...], special: bytes, /
) -> tuple[list[str], list[dict[str, str] | str | None], list[int]]: ...
def plain_text(html: str | bytes | Element, kinds: Lookup, references: Lookup, /) -> str: ...
def visible(text: str, /) -> tuple[str, int]: ...
def name_words(names: str, /) -> list[str]: ...
def plain_name(word: str, /) -> str: ...

# The judge's passes and what its probabilities come to.
def context(
    out: WriteableBuffer,
    table: ReadableBuffer,
    again: tuple[int, ...],
    probabilities: ReadableBuffer,
    kinds: ReadableBuffer,
    places: ReadableBuffer,
    /,
) -> None: ...
def content_sums(
    table: ReadableBuffer,
    probabilities: ReadableBuffer,
    rows: tuple[int, ...],
    owner_row: int,
    owners: tuple[tuple[int, int], ...],
    kept: list[int] = ...,
    /,
) -> tuple[float, ...]: ...
def expected(probabilities: list[float], words: list[int], blocks: Iterable[int], /) -> tuple[float, float, float]: ...
def lower_odds(
    one: ReadableBuffer, other: WriteableBuffer, by: float, in_best: ReadableBuffer, inside: float, /
) -> None: ...
def copied(texts: list[str], /) -> list[tuple[int, int, int, int]]: ...
