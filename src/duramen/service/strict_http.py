"""HTTP/1.1 without what two programs on the way could understand in different ways.

A proxy in front of the server may take another part of such a request for the next one, and skip its checks.
"""

from __future__ import annotations

import h11

MOST_HEAD_BYTES = 65_536
_VERSIONS = (b"1.0", b"1.1")


class StrictConnection(h11.Connection):
    """h11, which prefers one length of a body where two are given; here the request is refused, as RFC 9112 advises."""

    def __init__(self) -> None:
        super().__init__(h11.SERVER, MOST_HEAD_BYTES)

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        event = super().next_event()
        if isinstance(event, h11.Request):
            names = {name for name, _ in event.headers}
            is_chunked = b"transfer-encoding" in names
            if event.http_version not in _VERSIONS:
                raise h11.RemoteProtocolError("not a version that is spoken here")
            if is_chunked and (b"content-length" in names or event.http_version == b"1.0"):
                raise h11.RemoteProtocolError("two lengths of one body")
        return event
