"""Extraction functions for the fault tests: quick, and as bad as a page says they should be."""

from __future__ import annotations

import ctypes
import os
import time
from dataclasses import replace

from duramen.model import DocumentType, Encoding, Metadata, PageKind, Quality, Trace
from duramen.options import Options, Output
from duramen.result import Result


def quick(body: bytes | str, url: str | None, options: Options) -> Result:
    """The whole page as its own content, in no time."""
    html = body.decode("utf-8", "replace") if isinstance(body, bytes) else body
    return Result(
        html=html,
        metadata=Metadata(title="Oaks"),
        kind=PageKind("article", 1.0),
        tier="scoring",
        quality=Quality("good", 1.0, (), ()),
        trace=Trace(),
        document_type=DocumentType("HTML5", "doctype", False),
        encoding=Encoding("utf-8", "given"),
        framework=None,
        url=url,
        output=Output(),
    )


def faulty(body: bytes | str, url: str | None, options: Options) -> Result:
    """What the page orders: die, hang, eat, raise or dawdle."""
    result = quick(body, url, options)
    if "SEGFAULT" in result.html:
        ctypes.string_at(0)
    if "EXIT" in result.html:
        os._exit(3)
    while "LOOP" in result.html:
        pass
    if "GROW" in result.html:
        eaten = []
        while True:
            eaten.append(bytearray(os.urandom(1000)) * 10_000)
    if "HUGE" in result.html:
        bytearray(1 << 42)
    if "RAISE" in result.html:
        raise ValueError("as ordered")
    if "DAWDLE" in result.html:
        time.sleep(0.02)
    return result


def odd_values(body: bytes | str, url: str | None, options: Options) -> Result:
    """A result that no column can hold."""
    result = quick(body, url, options)
    return replace(result, metadata=Metadata(title=["not", "text"]))  # type: ignore[arg-type]


def crash_once(body: bytes | str, url: str | None, options: Options) -> Result:
    """Dies on pages whose file named in ``DURAMEN_TEST_CRASHED`` is not there yet."""
    result = quick(body, url, options)
    if "ONCE" in result.html:
        mark = os.environ["DURAMEN_TEST_CRASHED"]
        if not os.path.exists(mark):  # noqa: PTH110
            open(mark, "w").close()  # noqa: PTH123
            os._exit(9)
    return result


def flaky(body: bytes | str, url: str | None, options: Options) -> Result:
    """Like :func:`faulty`; FLAKY pages raise while ``DURAMEN_TEST_FLAKY`` is 1, and are slow while it is "slow"."""
    result = faulty(body, url, options)
    if "FLAKY" in result.html:
        if os.environ.get("DURAMEN_TEST_FLAKY") == "1":
            raise OSError("try again later")
        if os.environ.get("DURAMEN_TEST_FLAKY") == "slow":
            time.sleep(0.3)
    return result
