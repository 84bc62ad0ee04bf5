"""The pages an agent reads: fetched or given, extracted off the event loop, and kept for a while."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from types import TracebackType
from typing import Protocol

from anyio import Lock

from duramen.agents.documents import Document, Documents, document_of
from duramen.agents.unseen import strip_unseen
from duramen.model import Fetched
from duramen.options import FetchOptions, Options, Rendering
from duramen.pipeline import extract
from duramen.read.decode import decode
from duramen.refine.sanitize import strip_invisible
from duramen.result import Result
from duramen.service.workers import Workers
from duramen.session import AsyncSession, read_fetched


class Library:
    """One for all clients of a server. What is given here once is what no request can change."""

    def __init__(self, options: Options, fetch: FetchOptions, workers: Workers | None = None) -> None:
        self.options = replace(options, visible_only=True)
        self.fetch_options = fetch
        self.workers = workers or Workers()
        self.documents = Documents()
        self._sessions: dict[Rendering, AsyncSession] = {}
        self._stack = AsyncExitStack()
        self._reading: dict[object, tuple[Lock, int]] = {}

    async def __aenter__(self) -> Library:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()
