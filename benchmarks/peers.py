"""The extractors that Duramen is compared with: from a page's bytes to text. Each runs in its own process.

    python benchmarks/peers.py trafilatura < jobs

A job is a line of JSON with ``path``, ``url`` and ``fold``; the answer is one with ``text``, ``cpu`` (seconds) and, if
it raised, ``error``. The first line has the version, the last the peak memory.
"""

from __future__ import annotations

import gzip
import json
import sys
import time
from collections.abc import Callable
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

Extract = Callable[[bytes, str | None, int], str]
ROOT = Path(__file__).resolve().parents[1]
WARM = b"<html><head><title>Oaks</title></head><body><article><h1>Oaks</h1>" + (
    b"<p>Oak heartwood is hard, dark and durable, and shipwrights chose it for keels and ribs.</p>" * 8
)


def decoded(raw: bytes) -> str:
    """For extractors that only accept text."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("windows-1252", "replace")


def plain(html: str) -> str:
    from lxml.html import fromstring  # type: ignore[import-untyped,import-not-found,unused-ignore] # noqa: TID251

    if not html or not html.strip():
        return ""
    return "\n".join(text.strip() for text in fromstring(html).itertext() if text.strip())


def duramen(raw: bytes, url: str | None, fold: int) -> str:
    """HTML, text, Markdown, metadata and verdict, by a model that has not seen the page's site."""
    from duramen.options import Options
    from duramen.pipeline import run

    result = run(raw, url, Options(), _unseen(fold))
    assert result.html is not None and result.markdown is not None
    return result.text


def duramen_text(raw: bytes, url: str | None, fold: int) -> str:
    from duramen.options import Options
    from duramen.pipeline import run

    return run(raw, url, Options(), _unseen(fold)).text


SHIPPED = -1
"""In the place of a fold: the shipped model, for pages that nobody trained on."""


@cache
def _unseen(fold: int) -> Any:
    if fold == SHIPPED:
        return None
    from duramen.find.judge import Model

    return Model.load(ROOT / "benchmarks" / "train" / "folds" / f"fold{fold}.safetensors")


def trafilatura(raw: bytes, url: str | None, fold: int) -> str:
    import trafilatura as peer

    return peer.extract(raw, url=url, include_comments=False) or ""


def trafilatura_fast(raw: bytes, url: str | None, fold: int) -> str:
    import trafilatura as peer

    return peer.extract(raw, url=url, include_comments=False, fast=True) or ""


def readability_lxml(raw: bytes, url: str | None, fold: int) -> str:
    from readability import Document  # type: ignore[import-untyped,import-not-found,unused-ignore]

    return plain(Document(decoded(raw)).summary())


def newspaper4k(raw: bytes, url: str | None, fold: int) -> str:
    import newspaper  # type: ignore[import-untyped,import-not-found,unused-ignore]

    article = newspaper.Article(url or "https://example.org/", fetch_images=False)
    article.download(input_html=decoded(raw))
    article.parse()
    return article.text or ""


def goose3(raw: bytes, url: str | None, fold: int) -> str:
    found = _goose().extract(raw_html=decoded(raw), url=url)
    return found.cleaned_text or ""


@cache
def _goose() -> Any:
    from goose3 import Goose  # type: ignore[import-untyped,import-not-found,unused-ignore]

    return Goose({"enable_image_fetching": False})


def justext(raw: bytes, url: str | None, fold: int) -> str:
    import justext as peer  # type: ignore[import-untyped,import-not-found,unused-ignore]

    paragraphs = peer.justext(raw, peer.get_stoplist("English"))
    return "\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)


def boilerpy3(raw: bytes, url: str | None, fold: int) -> str:
    from boilerpy3 import extractors  # type: ignore[import-untyped,import-not-found,unused-ignore]

    return extractors.ArticleExtractor(raise_on_failure=False).get_content(decoded(raw)) or ""


def resiliparse(raw: bytes, url: str | None, fold: int) -> str:
    from resiliparse.extract.html2text import extract_plain_text  # type: ignore[import-untyped,import-not-found,unused-ignore]
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding  # type: ignore[import-untyped,import-not-found,unused-ignore]

    return extract_plain_text(bytes_to_str(raw, detect_encoding(raw) or "utf-8"), main_content=True) or ""


def turbohtml(raw: bytes, url: str | None, fold: int) -> str:
    import turbohtml as peer  # type: ignore[import-untyped,import-not-found,unused-ignore]  # noqa: TID251

    node = peer.parse(decoded(raw)).main_content()
    return node.to_text() if node is not None else ""


PEERS: dict[str, tuple[Extract, str]] = {
    "duramen": (duramen, "duramen"),
    "duramen, text only": (duramen_text, "duramen"),
    "trafilatura": (trafilatura, "trafilatura"),
    "trafilatura, fast": (trafilatura_fast, "trafilatura"),
    "readability-lxml": (readability_lxml, "readability-lxml"),
    "newspaper4k": (newspaper4k, "newspaper4k"),
    "goose3": (goose3, "goose3"),
    "jusText": (justext, "jusText"),
    "boilerpy3": (boilerpy3, "boilerpy3"),
    "Resiliparse": (resiliparse, "Resiliparse"),
    "turbohtml": (turbohtml, "turbohtml"),
}
"""By name: the function to call, and the package with its version."""


def main(name: str) -> None:
    extract, package = PEERS[name]
    if name.startswith("duramen"):
        import duramen as ours

        version = ours.__version__
    else:
        version = metadata.version(package)
    print(json.dumps({"version": version}), flush=True)
    for _ in range(2):
        try:
            extract(WARM, "https://example.org/oaks", 0)
        except Exception as error:
            # What cannot be imported is not there; what does not like one page may like another.
            if isinstance(error, ImportError):
                raise
    for line in sys.stdin:
        job = json.loads(line)
        raw = gzip.decompress(Path(job["path"]).read_bytes())
        answer: dict[str, Any] = {}
        if name.startswith("duramen"):
            _unseen(job["fold"])
        started = time.process_time()
        try:
            answer["text"] = extract(raw, job["url"], job["fold"])
        except Exception as error:
            answer |= {"text": "", "error": f"{type(error).__name__}: {error}"[:200]}
        answer["cpu"] = time.process_time() - started
        print(json.dumps(answer), flush=True)
    print(json.dumps({"memory": peak_memory()}))


def peak_memory() -> int:
    """Bytes. Not ru_maxrss where there is another way: it begins with that of the process that started this one."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().partition("VmHWM:")[2].split()[0]) * 1024
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    main(sys.argv[1])
