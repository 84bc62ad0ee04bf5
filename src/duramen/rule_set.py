"""Selects the site rule of a page: folders of rules, their precedence, and files that could not be used.

The rule of the most specific domain is used. Among rules of one domain, those of the caller's folders take precedence
(in the order of the folders), then the folders of ``DURAMEN_RULES``, then the shipped rules; in one folder, a rule with
paths takes precedence over one for the whole site. Each folder is read once per process.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from duramen.errors import OptionError, RuleError
from duramen.model import RuleCase, SiteRule
from duramen.rule_files import as_host, host_in, read_rule
from duramen.tables import DATA

SHIPPED = "shipped with Duramen"
VARIABLE = "DURAMEN_RULES"
"""Environment variable with folders of rules, separated as in PATH."""


class Folder(NamedTuple):
    """The rules of one folder, and its problems."""

    name: str
    rules: tuple[SiteRule, ...]
    problems: tuple[str, ...]


class RuleSet(NamedTuple):
    """All rules that apply for a caller."""

    folders: tuple[Folder, ...]
    by_domain: Mapping[str, tuple[SiteRule, ...]]
    problems: tuple[str, ...]
    """Files that could not be used, and rules that can never apply; one line each, with file and advice."""
    overrides: tuple[str, ...]
    """Rules that override another of the same domain, one line each."""

    def for_url(self, url: str | None) -> SiteRule | None:
        """The rule of a URL's host, or of the closest parent domain that has one for its path."""
        host = host_in(url)
        while host:
            for rule in self.by_domain.get(host, ()):
                path = urlsplit(url or "").path or "/"
                if not rule.paths or any(fnmatchcase(path, pattern) for pattern in rule.paths):
                    return rule
            host = host.partition(".")[2]
        return None

    def overridden_by(self, rule: SiteRule | None) -> tuple[str, ...]:
        """The rules that a rule overrides, one line each."""
        mark = f": {rule.id} ({rule.source}) overrides " if rule is not None else "\n"
        return tuple(line for line in self.overrides if mark in line)

    def named(self, name: str) -> SiteRule | None:
        """The first rule with this id, or for this domain."""
        rules = [rule for folder in self.folders for rule in folder.rules]
        return next((rule for rule in rules if rule.id == name), None) or next(
            iter(self.by_domain.get(as_host(name), ())), None
        )


def only(*rules: SiteRule) -> RuleSet:
    """A set of these rules and no others."""
    return _resolve_conflicts((Folder("", rules, ()),))


def rules_of(folders: tuple[str, ...]) -> RuleSet:
    """The rules of these folders, of the folders in the environment, and the shipped ones."""
    return _rule_set(folders, os.environ.get(VARIABLE, ""))


def with_folder(name: str) -> RuleSet:
    """The rules of a folder as it is now, before those of the environment and the shipped ones."""
    own = (_read_folder(name),) if _is_folder(name) else ()
    return _resolve_conflicts((*own, *rules_of(()).folders))


def _is_folder(name: str) -> bool:
    try:
        return Path(name).is_dir()
    except OSError:  # no file can have such a name
        return False


@lru_cache(maxsize=32)
def _rule_set(folders: tuple[str, ...], variable: str) -> RuleSet:
    found: list[Folder] = []
    for name in folders:
        if not _is_folder(name):
            raise OptionError(f"rules: there is no folder {name[:200]!r}; name a folder with rule files (*.toml)")
        found.append(read_folder(name))
    for name in filter(None, variable.split(os.pathsep)):
        if _is_folder(name):
            found.append(read_folder(name))
        else:
            found.append(Folder(name, (), (f"{VARIABLE}: there is no folder {name!r}",)))
    found.append(read_folder(SHIPPED))
    return _resolve_conflicts(tuple(found))


def _resolve_conflicts(folders: tuple[Folder, ...]) -> RuleSet:
    by_domain: dict[str, list[SiteRule]] = {}
    problems = [problem for folder in folders for problem in folder.problems]
    overrides: list[str] = []
    for folder in folders:
        before = {domain: list(rules) for domain, rules in by_domain.items()}
        for rule in sorted(folder.rules, key=lambda r: not r.paths):
            for domain in rule.domains:
                rivals = by_domain.setdefault(domain, [])
                problems += [
                    f"{rule.source}: {domain} has a rule already, in {other.source}, so this one never applies;"
                    " add paths to one of them, or remove one"
                    for other in rivals
                    if other not in before.get(domain, ()) and other.paths == rule.paths
                ]
                overrides += [
                    f"{domain}: {other.id} ({other.source}) overrides {rule.id} ({rule.source})"
                    for other in before.get(domain, ())
                ]
                rivals.append(rule)
    return RuleSet(folders, {d: tuple(rules) for d, rules in by_domain.items()}, tuple(problems), tuple(overrides))


@lru_cache(maxsize=64)
def read_folder(name: str) -> Folder:
    """All rule files of a folder, sorted by name; a broken one is recorded as a problem."""
    return _read_folder(name)


def _read_folder(name: str) -> Folder:
    rules: list[SiteRule] = []
    problems: list[str] = []
    ids: dict[str, str] = {}
    for entry in sorted(_folder(name).iterdir(), key=lambda e: e.name):
        if not entry.name.endswith(".toml"):
            continue
        source = entry.name if name == SHIPPED else os.path.join(name, entry.name)  # noqa: PTH118 - as the user wrote it
        try:
            rule = read_rule(entry.read_text("utf-8"), source)
        except RuleError as error:
            problems += str(error).splitlines()
        except (OSError, UnicodeDecodeError) as error:
            problems.append(f"{source}: cannot be read ({error}); a rule is a text file in UTF-8")
        else:
            if ids.setdefault(rule.id, source) != source:
                problems.append(f"{source}: the id {rule.id!r} is already used by {ids[rule.id]}; rename one")
            else:
                rules.append(rule)
    return Folder(name, tuple(rules), tuple(problems))


def _folder(name: str) -> Path:
    return DATA / "site_rules" if name == SHIPPED else Path(name)


def page_of(rule: SiteRule, case: RuleCase) -> str | bytes:
    """The HTML of a case, from the rule itself or from a file next to it."""
    if case.html:
        return case.html
    # The source of a user's rule includes its folder; that of a shipped rule is only a name.
    folder = Path(rule.source).parent if os.sep in rule.source else _folder(SHIPPED)
    try:
        return folder.joinpath(case.page).read_bytes()
    except OSError as error:
        raise RuleError(
            f"{rule.source}: case {case.name!r}: {case.page} cannot be read ({error.strerror});"
            " name a file next to the rule"
        ) from error


def clear_rule_cache() -> None:
    """Clear the cache, so that folders are read again."""
    _rule_set.cache_clear()
    read_folder.cache_clear()
