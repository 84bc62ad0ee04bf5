"""Prometheus metrics, one registry per app."""

from __future__ import annotations

import time

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from duramen.service.workers import LoadLimiter

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    def __init__(self, gate: LoadLimiter) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.requests = Counter(
            "duramen_requests", "Requests answered.", ("route", "method", "status"), registry=self.registry
        )
        self.seconds = Histogram(
            "duramen_request_seconds", "Time to respond.", ("route",), registry=self.registry,
            buckets=(0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30),
        )  # fmt: skip
        self.verdicts = Counter("duramen_verdicts", "Pages by verdict.", ("verdict",), registry=self.registry)
        inside = Gauge("duramen_requests_in_progress", "Requests in progress.", registry=self.registry)
        inside.set_function(lambda: gate.inside)
        held = Gauge("duramen_bytes_held", "Bytes of pages held in memory.", registry=self.registry)
        held.set_function(lambda: gate.held)

    def text(self) -> bytes:
        return generate_latest(self.registry)


class MetricsMiddleware:
    """ASGI middleware that counts responses. All unknown paths share one label, so that clients cannot add labels."""

    def __init__(self, app: ASGIApp, metrics: Metrics, routes: frozenset[str]) -> None:
        self.app, self.metrics, self.routes = app, metrics, routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = time.perf_counter()
        status = 500

        async def note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, note)
        finally:
            route = scope["path"] if scope["path"] in self.routes else "other"
            method = scope["method"] if scope["method"] in ("GET", "POST", "HEAD", "OPTIONS") else "other"
            self.metrics.requests.labels(route, method, str(status)).inc()
            self.metrics.seconds.labels(route).observe(time.perf_counter() - started)
