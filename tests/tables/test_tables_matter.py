"""The change test: with one entry of a table changed, a page made for it comes out differently.

Every file, section, row and field of ``src/duramen/data`` has a case, or is named here with the reason why it has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

import pytest

from duramen.tables import DATA

from . import generated, records, written
from .changing import Case, changed, places, read_anew, table

CASES: dict[str, Callable[[], Iterable[Case]]] = {
    "calendar.toml": written.calendar,
    "classic.toml": written.classic,
    "clicks.toml": generated.clicks,
    "elements.toml": written.elements,
    "encodings.toml": generated.encodings,
    "evidence.toml": written.evidence,
    "finding.toml": written.finding,
    "frameworks": generated.frameworks,
    "hiding.toml": generated.hiding,
    "hydration.toml": written.hydration,
    "kinds.toml": generated.kinds,
    "metadata.toml": written.metadata,
    "obstacles.toml": generated.obstacles,
    "patterns.toml": generated.patterns,
    "policy.toml": generated.policy,
    "records.toml": records.records,
    "removals.toml": generated.removals,
    "site_categories.toml": generated.site_categories,
    "site_rules": generated.site_rules,
    "stopwords.toml": generated.stopwords,
    "units.toml": written.units,
}
"""By the file, or by the folder of files that are alike."""

NOT_ENTRIES = {
    "reason": "says why a row exists; in obstacles.toml it is where the row is filed, which one row shows",
    "why": "says why a row exists",
    "about": "describes a site",
    "seen": "names the versions a row was checked against",
    "id": "names a row or a file",
    "where": "is where a row of obstacles.toml is filed, which one row shows",
}
"""Fields that need no case, and why."""


def files() -> list[str]:
    return sorted(path.relative_to(DATA).as_posix() for path in DATA.rglob("*.toml"))


def home(file: str) -> str:
    """The key of a file's cases."""
    return file.rpartition("/")[0] or file


def needs_case(file: str, place: str) -> bool:
    """Whether a place of a file has to have a case."""
    *above, field = place.split(" / ")
    if above[:1] == ["case"] and file.startswith("site_rules/"):
        return False  # A page that a rule is tested with.
    if above[:1] == ["evidence"] and file.startswith("frameworks/"):
        return field == str(next(iter(table(file)["evidence"])))  # One mark is enough.
    return field not in NOT_ENTRIES


@cache
def cases_of(name: str) -> list[Case]:
    return list(CASES[name]())


@pytest.mark.parametrize("name", CASES)
def test_a_changed_entry_changes_the_output(name: str) -> None:
    cases = cases_of(name)
    before = [case.output() for case in cases]
    with read_anew():
        # Without a change nothing changes: no case passes only because a table was read again.
        assert [case.output() for case in cases] == before
    same: list[str] = []
    for case, output in zip(cases, before, strict=True):
        with changed(case.file, case.place, case.change):
            if case.output() == output:
                same.append(str(case))
    assert not same
    assert [case.output() for case in cases] == before


@pytest.mark.parametrize("file", files())
def test_every_place_has_a_case(file: str) -> None:
    covered = {case.place for case in cases_of(home(file)) if case.file == file}
    wanted = {place for place in places(file) if needs_case(file, place)}
    assert wanted <= covered
    assert covered <= set(places(file))


def test_every_case_is_of_a_file() -> None:
    assert {home(file) for file in files()} == set(CASES)


def test_every_row_of_elements_has_a_reason_and_one_kind_of_entries() -> None:
    for row in table("elements.toml")["row"]:
        assert row["reason"] and len(row.keys() & {"words", "phrases", "pairs"}) == 1, row["id"]
