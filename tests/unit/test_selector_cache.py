"""The selector cache: it learns, it is tried first, it notices drift, and it never makes a result worse."""

from __future__ import annotations

import multiprocessing
import pickle
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

import duramen
from duramen import Options, Result, sqlite_file
from duramen.errors import InputError, OptionError
from duramen.fetch.cache import PageCache
from duramen.model import Remembered
from duramen.pipeline import run
from duramen.selector_cache import DRIFT, PER_SITE, TRIAL, Entry, SelectorCache, default_path, outcomes, site_of

DAY = 86400.0
TOPICS = (
    "oak",
    "elm",
    "ash",
    "birch",
    "larch",
    "yew",
    "alder",
    "beech",
    "maple",
    "pine",
    "fir",
    "cedar",
    "holly",
    "hazel",
)


def prose(topic: str) -> str:
    lines = (
        f"The {topic} stands at the edge of the wood, where the wind comes over the field all winter"
        " long, and for as long"
        " as anybody in the village can remember there has been a bench beneath it that nobody admits to having built.",
        f"People say that the {topic} was there before the church, and the rings agree with them: a"
        " borer that was driven in"
        " last autumn counted three hundred and forty of them before it met the rot in the middle of the trunk.",
        f"Timber of the {topic} is hard if it is felled in frost, and soft if the sap has begun to rise;"
        " carpenters used to"
        " come in January, knock on the bark with the back of an axe, and listen for a while before"
        " they said anything.",
        f"In spring the first leaves of the {topic} are pale, and deer come out at dusk to eat what they"
        " can reach, so that"
        " the lowest branches all end at the same height, as if somebody had drawn a line across the"
        " whole of the hill.",
        f"When a storm breaks a {topic}, the stump puts out shoots again within two summers, and the shoots are cut for"
        " baskets; the oldest basket in the museum is said to come from this very tree, though the label is not sure.",
        f"Whether the {topic} will see another century depends on the ditch that was dug last year,"
        " which took the water"
        " away from its roots. The owner of the field has promised to fill it in before the ground freezes again.",
    )
    return "".join(f"<p>{line}</p>" for line in lines)


MENU = "<nav><a href=/>Home</a> <a href=/trees>Trees</a> <a href=/about>About</a></nav>"
TEASERS = "".join(f"<li><a href=/t{n}>A walk to see the {t}</a></li>" for n, t in enumerate(TOPICS[:5]))
HEAD = "<meta property=og:type content=article><meta name=author content='Ines Halvorsen'>"


def old_layout(topic: str) -> str:
    return (
        f"<!doctype html><html lang=en><title>The {topic}</title>{HEAD}<body>{MENU}"
        f"<div id=reading-room><h1>The {topic}</h1>"
        f"{prose(topic)}</div><div class=side><ul>{TEASERS}</ul></div><footer><p>All rights reserved.</p></footer>"
    )


def new_layout(topic: str) -> str:
    """After the redesign, the name of the story's element is that of the teasers."""
    return (
        f"<!doctype html><html lang=en><title>The {topic}</title>{HEAD}<body>{MENU}"
        f"<div class=fresh-column><h1>The {topic}</h1>"
        f"{prose(topic)}</div><div id=reading-room><ul>{TEASERS}</ul></div><footer><p>All rights reserved.</p></footer>"
    )


def url(n: int) -> str:
    return f"https://www.trees.example/2026/03/a-tree-of-the-hill-{n}"


class Clock:
    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def cache(tmp_path: Path, clock: Clock) -> Iterator[SelectorCache]:
    with SelectorCache(tmp_path / "selectors.sqlite", clock=clock) as cache:
        yield cache


def feed(cache: SelectorCache, layout: Callable[[str], str], start: int, count: int) -> list[Result]:
    return [cache.extract(layout(TOPICS[n % len(TOPICS)]), url(n)) for n in range(start, start + count)]


def entry(cache: SelectorCache, selector: str = "div#reading-room") -> Entry:
    return next(e for e in cache.entries("trees.example") if e.selector == selector)


def test_a_selector_is_learned_tried_and_trusted(cache: SelectorCache, clock: Clock) -> None:
    first, *rest = feed(cache, old_layout, 0, TRIAL + 1)
    assert first.tier == "scoring" and first.trace.selector == "div#reading-room"
    assert [a.outcome for r in rest[:2] for a in r.trace.attempts if a.candidate.tier == "cache"] == ["on trial"] * 2
    learned = entry(cache)
    assert (learned.tier, learned.history, learned.served, learned.pages) == ("scoring", "++++", 4, 4)
    assert learned.rate == 1.0 and learned.state(clock.now) == "trusted"
    last = rest[-1]
    assert last.trace.attempts[0].candidate.tier == "cache", "it is tried first"
    assert "trusted, served on 3 of 3 pages of trees.example" in last.trace.attempts[0].candidate.evidence


def test_a_site_that_changes_its_layout(cache: SelectorCache, clock: Clock) -> None:
    """With the cache every page is as without it; the old selector is retired, the new one learned."""
    pages = [old_layout(TOPICS[n]) for n in range(6)] + [
        new_layout(TOPICS[n % 14]) for n in range(6, 6 + DRIFT + TRIAL)
    ]
    results = [cache.extract(page, url(n)) for n, page in enumerate(pages)]
    for page, result in zip(pages, results, strict=True):
        plain = duramen.extract(page, result.url)
        assert result.quality.score >= plain.quality.score
        assert (result.text, result.html) == (plain.text, plain.html)
        assert (
            "All rights" not in result.text
            and "A walk to see" not in result.text
            and "stands at the edge" in result.text
        )
    gone = entry(cache)
    assert gone.state(clock.now) == "retired" and gone.history.endswith("-" * DRIFT) and gone.rate < 0.8
    told = [warning for result in results for warning in result.trace.warnings]
    assert told == ["the selector div#reading-room served on 6 pages of trees.example and no longer does: retired"]
    assert results[6 + DRIFT - 1].trace.warnings, "drift is told on the page that settles it"
    assert entry(cache, "div.fresh-column").state(clock.now) == "trusted"
    assert not any(a.candidate.rule_id == "cache:div#reading-room" for a in results[-1].trace.attempts)


def test_a_selector_that_is_gone_from_the_pages_is_retired(cache: SelectorCache) -> None:
    feed(cache, old_layout, 0, 4)
    feed(cache, lambda t: new_layout(t).replace("id=reading-room", "id=more-text"), 4, DRIFT)
    assert entry(cache).history == "++++" + "." * DRIFT and entry(cache).retired


def test_a_retired_selector_comes_back_on_trial(cache: SelectorCache, clock: Clock) -> None:
    feed(cache, old_layout, 0, 4)
    feed(cache, new_layout, 4, DRIFT)
    assert entry(cache).retired
    feed(cache, old_layout, 9, 1)
    assert entry(cache).history == "+" and entry(cache).state(clock.now) == "on trial"


def test_the_cache_wins_only_where_nothing_is_expected_to_be_better(cache: SelectorCache) -> None:
    """A trusted selector for the wrong element, as after a redesign, changes nothing at all."""
    wrong = [
        Remembered("div.side", 1.0, "a lie"),
        Remembered("nav", 1.0),
        Remembered("body", 1.0),
        Remembered("p", 1.0),
    ]
    for topic in TOPICS[:4]:
        page = old_layout(topic)
        plain, lied = duramen.extract(page), run(page, None, Options(), remembered=wrong)
        assert (lied.text, lied.html) == (plain.text, plain.html)


def test_old_knowledge_is_tried_again_before_it_is_trusted(cache: SelectorCache, clock: Clock) -> None:
    feed(cache, old_layout, 0, 4)
    clock.now += 31 * DAY
    assert entry(cache).state(clock.now) == "stale"
    assert [r.rate for r in cache.recall("trees.example")] == [0.0]
    (result,) = feed(cache, old_layout, 4, 1)
    assert result.trace.attempts[0].outcome == "on trial"
    assert entry(cache).state(clock.now) == "trusted"


def test_one_page_in_five_that_fails_is_too_many(cache: SelectorCache, clock: Clock) -> None:
    feed(cache, old_layout, 0, 8)
    feed(cache, new_layout, 8, 2)
    assert entry(cache).rate == 0.8 and entry(cache).state(clock.now) == "unreliable"


@pytest.mark.parametrize(
    "page", ["", "<title>Just a moment...</title><h1>Checking your browser</h1>", "<h1>404 Not Found</h1>"]
)
def test_error_pages_teach_nothing(cache: SelectorCache, page: str) -> None:
    feed(cache, old_layout, 0, 2)
    before = entry(cache)
    cache.extract(page, url(9))
    assert entry(cache) == before


def test_without_an_address_nothing_is_learned(cache: SelectorCache) -> None:
    assert cache.extract(old_layout("oak")).tier == "scoring"
    assert cache.sites() == []


def test_off_unless_asked_for() -> None:
    result = duramen.extract(old_layout("oak"), url(1))
    assert result.trace.selector == "" and not any(a.candidate.tier == "cache" for a in result.trace.attempts)


def test_other_strategies_run_alone(cache: SelectorCache) -> None:
    feed(cache, old_layout, 0, 4)
    result = cache.extract(old_layout("yew"), url(5), Options(strategy="readability"))
    assert not any(a.candidate.tier == "cache" for a in result.trace.attempts)


def test_a_site_keeps_few_selectors(cache: SelectorCache) -> None:
    for n in range(PER_SITE + 4):
        name = "abcdefghijklmnop"[n]
        cache.extract(old_layout("oak").replace("reading-room", f"reading-{name}{name}"), url(n))
    assert len(cache.entries("trees.example")) == PER_SITE


def test_reading_and_forgetting(cache: SelectorCache, clock: Clock) -> None:
    feed(cache, old_layout, 0, 2)
    cache.extract(old_layout("elm"), "https://other.example/")
    assert [(site, n, retired) for site, n, retired, _ in cache.sites()] == [
        ("other.example", 1, 0),
        ("trees.example", 1, 0),
    ]
    assert cache.clear("other.example") == 1 and cache.clear() == 1 and cache.sites() == []


def test_misuse_is_answered(cache: SelectorCache, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        cache.extract(None)  # type: ignore[arg-type]
    page = tmp_path / "page.html"
    page.write_text("<p>not a database" * 100)
    with pytest.raises(OptionError, match="name an existing selector cache"):
        SelectorCache(page)
    with pytest.raises(OptionError, match="cannot be used"):
        SelectorCache(page / "below")


def test_a_cache_that_breaks_spoils_no_result(cache: SelectorCache, tmp_path: Path) -> None:
    feed(cache, old_layout, 0, 1)
    with sqlite3.connect(tmp_path / "selectors.sqlite") as db:
        db.execute("drop table selector")
    result = cache.extract(old_layout("oak"), url(2))
    assert result.text == duramen.extract(old_layout("oak"), url(2)).text
    assert ["could not be read" in w or "could not be written" in w for w in result.trace.warnings] == [True, True]


def work(path: str, start: int) -> None:
    with SelectorCache(path) as cache:
        feed(cache, old_layout, start, 6)


def test_several_processes_share_one_file(tmp_path: Path) -> None:
    path = tmp_path / "shared.sqlite"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=work, args=(str(path), 10 * n)) for n in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(100)
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    with SelectorCache(path) as cache:
        found = entry(cache)
        assert found.pages == found.served == len(found.history) == 18, "no page is lost"
        assert cache.recall("trees.example")[0].rate == 1.0
    with sqlite3.connect(path) as db:
        assert db.execute("pragma journal_mode").fetchone() == ("wal",)


@pytest.mark.parametrize("made", [SelectorCache, lambda path: PageCache(path.with_suffix(""))])
def test_a_new_file_is_opened_by_many_at_once(made: Callable[[Path], object], tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        for number in range(15):
            together = threading.Barrier(8)

            def opened(path: Path, together: threading.Barrier = together) -> None:
                together.wait()
                made(path)

            list(pool.map(opened, [tmp_path / f"{number}.sqlite"] * 8))


def test_a_file_that_stays_locked_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_file, "LOCK_TIMEOUT", 0.1)
    with closing(sqlite3.connect(tmp_path / "a.sqlite", isolation_level=None, timeout=0)) as other:
        other.execute("begin exclusive")
        with closing(sqlite3.connect(tmp_path / "a.sqlite", timeout=0)) as db:
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                sqlite_file.enable_write_ahead_log(db)
            other.execute("commit")
            sqlite_file.enable_write_ahead_log(db)
            assert db.execute("pragma journal_mode").fetchone() == ("wal",)


def test_threads_share_one_cache(cache: SelectorCache) -> None:
    feed(cache, old_layout, 0, 1)
    threads = [threading.Thread(target=feed, args=(cache, old_layout, n, 3)) for n in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert entry(cache).pages == 13


def test_another_process_opens_the_file_itself(cache: SelectorCache) -> None:
    with pickle.loads(pickle.dumps(cache)) as copy:
        assert copy.path == cache.path and copy.sites() == []


def test_outcomes_are_measured_beside_the_others(cache: SelectorCache) -> None:
    known = [Remembered("#reading-room", 0.0), Remembered("div.side", 0.0), Remembered("#gone", 0.0)]
    result = run(old_layout("oak"), url(1), Options(), remembered=known)
    assert outcomes(result) == {"#reading-room": "+", "div.side": "-"}


def test_sites_and_the_usual_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert site_of("https://www.trees.example:8080/x") == "trees.example" and site_of("nonsense") == ""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_path() == tmp_path / "duramen" / "selectors.sqlite"
