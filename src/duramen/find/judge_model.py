"""The judge's model: word lists, weights of names and four forests, read from one file.

The file has the safetensors layout (``data/model/README.md`` describes it), so that other tools can look into it. It is
written by training and may be damaged or belong to another version of the code: both are errors with a clear message.
"""

from __future__ import annotations

import json
import sys
import zlib
from array import array
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from duramen.find.evidence import columns
from duramen.find.hints import KINDS, Hints, Lexicon
from duramen.find.page_marks import body_marks, declared_marks, spoken_marks
from duramen.native import core
from duramen.tables import DATA
from duramen.tree import Tree

FORMAT = "duramen-judge 1"
"""The first part of a file's format and its version; raised when what the arrays mean changes."""
_CODES = {"U8": "B", "U16": "H", "U32": "I", "F32": "f"}
_DTYPES = {code: dtype for dtype, code in _CODES.items()}
Arrays = Mapping[str, "array[Any]"]


class Forest:
    """Gradient-boosted trees, as flat arrays: of each test its feature, threshold, tree and left branch."""

    def __init__(self, arrays: Arrays, name: str, classes: int = 1) -> None:
        self.features, self.thresholds, self.trees, self.left, self.values = (
            arrays[f"{name}.{part}"] for part in ("features", "thresholds", "trees", "left", "values")
        )
        """A row goes left if its feature is at most the threshold; ``left`` has the first leaf of the left branch and
        the one after its last; ``values`` has the leaves of each tree, all trees having room for as many."""
        self.counts = arrays.get(f"{name}.counts", array("I"))
        """How many rows of the training data came to each leaf, if the forest is one that is explained."""
        self.size = int(arrays[f"{name}.size"][0])
        """How many trees there are; those of several classes take turns."""
        self.classes = classes
        tests = (self.features, self.thresholds, self.trees, self.left)
        self._core = core.Forest(*tests, self.values, self.size, classes)

    def score(self, row: array[float]) -> Sequence[float]:
        """Raw scores of a row, one a class."""
        found = array("d", bytes(8 * self.classes))
        self._core.scores(row, found)
        return found.tolist()

    def probabilities(self, table: bytearray, blocks: int) -> array[float]:
        """The probability of each block, given a table of columns."""
        found = array("d", bytes(8 * blocks))
        self._core.scores(table, found, True)
        return found


class Model(NamedTuple):
    """The learned part."""

    lexicon: Lexicon
    marks: core.Lookup
    """The row of each name in ``mark_weights``."""
    mark_weights: array[float]
    """What a name says for each page type; the first row holds without any."""
    spoken: core.Lookup
    spoken_weights: array[float]
    """The same of what short blocks and the title say."""
    first: Forest
    kind: Forest
    second: Forest
    trust: Forest

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> Model:
        tokens, words = (core.Lookup(arrays[name], arrays[f"{name}.odds"]) for name in ("tokens", "words"))
        names: list[Any] = []
        for name in ("marks", "spoken"):
            weights = arrays[f"{name}.weights"]
            names += core.Lookup(arrays[name], array("f", range(1, len(weights) // len(KINDS)))), weights
        forests = (Forest(arrays, name, len(KINDS) if name == "kind" else 1) for name in columns())
        return cls(Lexicon(tokens, words), *names, *forests)

    @classmethod
    def load(cls, path: Path) -> Model:
        """Read a model file."""
        try:
            return cls.from_arrays(read_arrays(path.read_bytes()))
        except (LookupError, ValueError) as error:
            raise ValueError(f"{path.name}: {error}") from error

    def type_prior(self, tree: Tree, hints: Hints) -> array[float]:
        """What a page's names say about its type, a score for each type, and then what its short texts say."""
        named, spoken = (array("f", bytes(4 * len(KINDS))) for _ in range(2))
        marks, said = declared_marks(hints) + body_marks(tree), spoken_marks(tree, hints.title)
        tree.core.type_prior(self.marks, self.mark_weights, True, marks, named)
        tree.core.type_prior(self.spoken, self.spoken_weights, False, said, spoken)
        return named + spoken


@cache
def shipped_model() -> Model:
    """The model that comes with Duramen, loaded once."""
    return Model.load(DATA / "model" / "judge.safetensors")


def read_arrays(data: bytes) -> dict[str, array[Any]]:
    """The arrays of a model file that fits this version of the code; ValueError for any other."""
    start = 8 + int.from_bytes(data[:8], "little")
    try:
        header = json.loads(data[8:start])
        about = header.pop("__metadata__")
        found = about["format"]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ValueError("this is no model file") from None
    if found != FORMAT:
        raise ValueError(f"the file's format is {found!r}, this version reads {FORMAT!r}: train again")
    content = memoryview(data)[start:]
    if f"{zlib.crc32(content):08x}" != about.get("crc32"):
        raise ValueError("the model file is damaged: its checksum differs")
    for forest, names in columns().items():
        _check_columns(forest, str(about.get(forest)).split(), names)
    return {name: _array(content, entry) for name, entry in header.items()}


def _check_columns(forest: str, trained: Sequence[str], names: Sequence[str]) -> None:
    if list(trained) != list(names):
        other = sorted(set(trained).symmetric_difference(names)) or ["their order"]
        raise ValueError(
            f"the forest {forest!r} was trained with other columns than this version has"
            f" ({', '.join(other[:3])}): train again"
        )


def _array(content: memoryview, entry: Mapping[str, Any]) -> array[Any]:
    first, last = entry["data_offsets"]
    found = array(_CODES[entry["dtype"]])
    if not 0 <= first <= last <= len(content) or (last - first) % found.itemsize:
        raise ValueError("an array has a wrong size")
    found.frombytes(content[first:last])
    if sys.byteorder == "big":
        found.byteswap()
    return found


def write_arrays(path: Path, arrays: Arrays, about: Mapping[str, str]) -> None:
    """Write a model file; ``about`` is kept in its header."""
    header: dict[str, Any] = {}
    content = bytearray()
    for name, values in arrays.items():
        little = array(values.typecode, values)
        if sys.byteorder == "big":
            little.byteswap()
        offsets = [len(content), len(content) + len(little) * little.itemsize]
        header[name] = {"dtype": _DTYPES[values.typecode], "shape": [len(little)], "data_offsets": offsets}
        content += little.tobytes()
    trained = {forest: " ".join(names) for forest, names in columns().items()}
    header["__metadata__"] = {**about, "format": FORMAT, "crc32": f"{zlib.crc32(content):08x}", **trained}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + content)
