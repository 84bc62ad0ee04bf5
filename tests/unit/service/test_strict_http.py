"""Requests that two programs on the way could understand in different ways are refused."""

from __future__ import annotations

import h11
import pytest

pytest.importorskip("h11")

from duramen.service.strict_http import StrictConnection


def event_of(head: str) -> object:
    connection = StrictConnection()
    connection.receive_data(head.replace("\n", "\r\n").encode("latin-1") + b"\r\n0\r\n\r\n")
    return connection.next_event()


@pytest.mark.parametrize(
    "head",
    [
        "POST / HTTP/1.1\nHost: a\nContent-Length: 4\nTransfer-Encoding: chunked\n",
        "POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\nContent-Length: 0\n",
        "POST / HTTP/1.0\nHost: a\nTransfer-Encoding: chunked\n",
        "POST / HTTP/1.1\nHost: a\nContent-Length: 0\nContent-Length: 5\n",
        "POST / HTTP/1.1\nHost: a\nContent-Length: 0, 5\n",
        "POST / HTTP/1.1\nHost: a\nContent-Length: +0\n",
        "POST / HTTP/1.1\nHost: a\nContent-Length: 0x0\n",
        "POST / HTTP/1.1\nHost: a\nTransfer-Encoding: gzip, chunked\n",
        "POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\nTransfer-Encoding: identity\n",
        "POST / HTTP/1.1\nHost: a\nTransfer-Encoding : chunked\n",
        "GET / HTTP/3.0\nHost: a\n",
        "GET / HTTP/1.9\nHost: a\n",
        "GET / HTTP/1.1\n",
        "GET / HTTP/1.1\nHost: a\nHost: b\n",
    ],
)
def test_ambiguous_requests_are_refused(head: str) -> None:
    with pytest.raises(h11.RemoteProtocolError):
        event_of(head)


@pytest.mark.parametrize(
    "head",
    [
        "POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n",
        "POST / HTTP/1.1\nHost: a\nContent-Length: 5\n",
        "GET / HTTP/1.0\n",
    ],
)
def test_others_are_read(head: str) -> None:
    assert isinstance(event_of(head), h11.Request)
