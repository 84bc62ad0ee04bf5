"""A cache of the selectors that work for each site: an SQLite file that several processes may share.

Each page adds one character to the history of its site's selectors: ``+`` served (the judge expects as high a score
from it as from any other proposal), ``-`` another proposal was better, ``.`` not on the page. A selector that served
often enough is proposed first on the site's next page, where it wins only if the judge expects no higher score from
any other; so the cache can stabilize a result, but not make it worse. A selector that stops serving is retired, and
the result has a warning.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from duramen.errors import OptionError
from duramen.find.remembered import RELIABLE, rule_id_of
from duramen.model import Remembered
from duramen.options import Options
from duramen.pipeline import checked, run
from duramen.result import Result
from duramen.rule_files import host_in
from duramen.sqlite_file import LOCK_TIMEOUT, enable_write_ahead_log

TRIAL = 3
"""A selector has to serve on this many pages before it is trusted."""
RECENT = 20
"""Success is counted over a selector's last pages, as many as this."""
DRIFT = 5
"""A selector that did not serve on this many pages in a row is retired."""
TOLERANCE = 0.05
"""A selector serves when its expected F1 is at most this much below the best."""
PER_SITE = 6
"""Maximum of selectors per site; those that served longest ago are removed."""
MAX_AGE = 30 * 86400.0
"""Seconds after which a trusted selector has to prove itself again."""

_SCHEMA = """
create table if not exists selector (
  site text not null, selector text not null, tier text not null, rule_id text not null,
  history text not null, served integer not null, pages integer not null, score real not null,
  learned real not null, last_served real not null, retired real,
  primary key (site, selector)
) without rowid
"""
_COLUMNS = "selector, tier, rule_id, history, served, pages, score, learned, last_served, retired"


@dataclass(frozen=True, slots=True)
class Entry:
    """One selector of one site, and how it has performed."""

    selector: str
    tier: str
    """The tier that found the content when the selector was learned."""
    rule_id: str
    history: str
    served: int
    pages: int
    score: float
    """The mean expected F1 of the pages it served."""
    learned: float
    last_served: float
    retired: float | None

    @property
    def rate(self) -> float:
        """The share of recent pages that have the selector on which it served."""
        recent = self.history[-RECENT:]
        found = recent.count("+") + recent.count("-")
        return recent.count("+") / found if found else 0.0

    def state(self, now: float, max_age: float = MAX_AGE) -> str:
        """``trusted``, or why not: ``on trial``, ``unreliable``, ``stale``, ``retired``."""
        if self.retired is not None:
            return "retired"
        if self.history.count("+") < TRIAL:
            return "on trial"
        if self.rate <= RELIABLE:
            return "unreliable"
        return "stale" if now - self.last_served > max_age else "trusted"


class SelectorCache:
    """Selectors by site, in a file. Use its :meth:`extract` instead of :func:`duramen.extract`.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, SelectorCache(f"{folder}/selectors.sqlite") as cache:
    ...     result = cache.extract("<p>Oaks live long.</p>", "https://example.org/oaks")
    ...     cache.sites()
    []
    """

    def __init__(
        self, path: str | os.PathLike[str], *, max_age: float = MAX_AGE, clock: Callable[[], float] = time.time
    ) -> None:
        self.path = Path(path)
        self.max_age, self.clock = max_age, clock
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._process = 0
        try:
            with self._transaction():
                pass
        except (sqlite3.Error, OSError) as error:
            raise OptionError(
                f"selector cache {str(self.path)!r} cannot be used ({error});"
                " name an existing selector cache, or a new file"
            ) from error

    def extract(
        self,
        html: str | bytes,
        url: str | None = None,
        options: Options | None = None,
        content_type: str | None = None,
    ) -> Result:
        """:func:`duramen.extract` with the selectors known for the site; also learns from the page.

        ``content_type`` is the server's Content-Type header. If the cache cannot be read or written, the result has a
        warning and is otherwise the same.
        """
        options, site = checked(html, url, options), site_of(url)
        known: list[Remembered] = []
        warnings: list[str] = []
        try:
            known = self.recall(site)
        except sqlite3.Error as error:
            warnings.append(f"the selector cache {self.path.name} could not be read: {error}")
        result = run(html, url, options, remembered=known, content_type=content_type)
        try:
            warnings += self.learn(site, result, known)
        except sqlite3.Error as error:
            warnings.append(f"the selector cache {self.path.name} could not be written: {error}")
        if not warnings:
            return result
        return replace(result, trace=replace(result.trace, warnings=(*result.trace.warnings, *warnings)))

    def recall(self, site: str) -> list[Remembered]:
        """The selectors of a site that are not retired; only those that are trusted have their rate."""
        now = self.clock()
        known: list[Remembered] = []
        for entry in self.entries(site) if site else ():
            state = entry.state(now, self.max_age)
            if state != "retired":
                about = f"{state}, served on {entry.served} of {entry.pages} pages of {site}"
                known.append(Remembered(entry.selector, entry.rate if state == "trusted" else 0.0, about))
        return known

    def learn(self, site: str, result: Result, known: Sequence[Remembered]) -> list[str]:
        """Record how the known selectors performed, and the one that finds this content; warns of retired ones."""
        if not site or result.quality.verdict in ("poor", "empty"):
            # An error page or a consent wall says nothing about the site's layout.
            return []
        marks = {entry.selector: "." for entry in known} | outcomes(result)
        drifted: list[str] = []
        with self._transaction() as db:
            now = self.clock()
            for selector, mark in marks.items():
                entry = self._entry(db, site, selector)
                if entry is not None:
                    after = _after(entry, mark, result.quality.score, now)
                    if after.retired is not None and entry.retired is None:
                        drifted.append(
                            f"the selector {selector} served on {entry.served} pages of {site}"
                            " and no longer does: retired"
                        )
                    self._store(db, site, after)
            if result.trace.selector and result.trace.selector not in marks and result.quality.verdict == "good":
                # Another process may have learned it in the meantime.
                existing = self._entry(db, site, result.trace.selector)
                if existing is None or existing.retired is not None:
                    self._store(db, site, _learned(result, now))
                else:
                    self._store(db, site, _after(existing, "+", result.quality.score, now))
            db.execute(
                "delete from selector where site = ? and selector not in (select selector from selector where site = ?"
                " order by retired is null desc, last_served desc limit ?)",
                (site, site, PER_SITE),
            )
        return drifted

    def entries(self, site: str) -> list[Entry]:
        """The entries of a site, the best first."""
        with self._transaction() as db:
            rows = db.execute(f"select {_COLUMNS} from selector where site = ?", (site,)).fetchall()
        return sorted((Entry(*row) for row in rows), key=lambda e: (e.retired is not None, -e.served, e.selector))

    def sites(self) -> list[tuple[str, int, int, float]]:
        """Every site: its name, its selectors, how many of them are retired, and when one last served."""
        with self._transaction() as db:
            return db.execute(
                "select site, count(*), sum(retired is not null), max(last_served) from selector"
                " group by site order by site"
            ).fetchall()

    def clear(self, site: str | None = None) -> int:
        """Remove the selectors of one site or of all sites; returns their number."""
        with self._transaction() as db:
            if site is None:
                return db.execute("delete from selector").rowcount
            return db.execute("delete from selector where site = ?", (site,)).rowcount

    def close(self) -> None:
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None

    def __enter__(self) -> SelectorCache:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled by path: another process opens the file itself."""
        return SelectorCache, (str(self.path),)

    def _entry(self, db: sqlite3.Connection, site: str, selector: str) -> Entry | None:
        where = "where site = ? and selector = ?"
        row = db.execute(f"select {_COLUMNS} from selector {where}", (site, selector)).fetchone()
        return Entry(*row) if row else None

    def _store(self, db: sqlite3.Connection, site: str, entry: Entry) -> None:
        values = [getattr(entry, name) for name in _COLUMNS.split(", ")]
        marks = ", ".join("?" * (len(values) + 1))
        db.execute(f"insert or replace into selector (site, {_COLUMNS}) values ({marks})", (site, *values))

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """A write transaction, exclusive among threads and processes."""
        with self._lock:
            if self._connection is None or self._process != os.getpid():
                # A connection must not be used after a fork.
                self._connection, self._process = self._open(), os.getpid()
            db = self._connection
            db.execute("begin immediate")
            try:
                yield db
            except BaseException:
                db.rollback()
                raise
            db.commit()

    def _open(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(self.path, timeout=LOCK_TIMEOUT, isolation_level=None, check_same_thread=False)
        try:
            enable_write_ahead_log(db)
            db.execute("pragma synchronous = normal")
            db.execute(_SCHEMA)
        except sqlite3.Error:
            db.close()
            raise
        return db


def outcomes(result: Result) -> dict[str, str]:
    """How each remembered selector that is on the page performed, compared with all other proposals."""
    tried = {a.candidate.rule_id: a for a in result.trace.attempts if a.candidate.tier == "cache"}
    others = [a for a in result.trace.attempts if a.candidate.tier != "cache"]
    best = max((a.score for a in others if not a.outcome.startswith("fail")), default=0.0)
    marks: dict[str, str] = {}
    for rule_id, attempt in tried.items():
        serves = not attempt.outcome.startswith("fail") and attempt.score >= best - TOLERANCE
        marks[rule_id.removeprefix(rule_id_of(""))] = "+" if serves else "-"
    return marks


def _after(entry: Entry, mark: str, score: float, now: float) -> Entry:
    """An entry after one more page."""
    history = (entry.history + mark)[-2 * RECENT :]
    served = entry.served + (mark == "+")
    failing = len(history) >= DRIFT and "+" not in history[-DRIFT:]
    return replace(
        entry,
        history=history,
        served=served,
        pages=entry.pages + 1,
        score=(entry.score * entry.served + score) / served if mark == "+" else entry.score,
        last_served=now if mark == "+" else entry.last_served,
        retired=entry.retired or (now if failing else None),
    )


def _learned(result: Result, now: float) -> Entry:
    winner = next(a.candidate for a in result.trace.attempts if a.outcome == "won")
    return Entry(result.trace.selector, winner.tier, winner.rule_id, "+", 1, 1, result.quality.score, now, now, None)


def site_of(url: str | None) -> str:
    """The site that a URL belongs to in the cache: its host, without ``www.``.

    >>> site_of("https://www.Example.org:8080/x"), site_of(None)
    ('example.org', '')
    """
    return host_in(url).removeprefix("www.")


def default_path() -> Path:
    """The default path of a user's cache."""
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "duramen" / "selectors.sqlite"
