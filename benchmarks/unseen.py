"""An extractor for ``duramen eval`` and ``duramen batch``: each page by a model trained without its site.

    python -m duramen eval build/shared/corpora/wcxb-dev --extractor benchmarks.unseen:extract

The shipped model has learned from the pages of the corpora; with it their figures would be too good.
"""

from __future__ import annotations

import gzip
import hashlib
from functools import cache

from benchmarks.corpora import shared_folder
from benchmarks.gate import CORPORA, fold_model
from benchmarks.train.dataset import domain_of, fold_of, sources
from duramen.options import Options
from duramen.pipeline import run
from duramen.result import Result


def extract(body: str | bytes, url: str | None, options: Options) -> Result:
    return run(body, url, options, fold_model(_fold(body, url)))


def _fold(body: str | bytes, url: str | None) -> int:
    domain = domain_of(url)
    return fold_of(domain) if "." in domain else _folds_by_content().get(_digest(body), 0)


@cache
def _folds_by_content() -> dict[bytes, int]:
    """Test pages without a true address are sites of their own, known by their content."""
    shared = shared_folder()
    pages = (page for corpus in CORPORA for page in sources(shared, corpus) if "." not in domain_of(page.url))
    return {_digest(gzip.decompress(page.path.read_bytes())): page.fold for page in pages}


def _digest(body: str | bytes) -> bytes:
    return hashlib.blake2b(body.encode() if isinstance(body, str) else body, digest_size=16).digest()
