"""Checks a site rule: runs its cases, and tests the five requirements of 003 §7.2."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from duramen.errors import RuleError
from duramen.find.remembered import is_stable
from duramen.flatten import parse_tree
from duramen.model import RuleCase, SiteRule
from duramen.options import Options
from duramen.pipeline import run
from duramen.read.decode import decode
from duramen.result import Result
from duramen.rule_set import only, page_of

SUCCESS = 0.85
"""The share of cases that must pass."""
MILLISECONDS = 5.0
"""Time limit for all selectors of a rule on one page."""
_NAMES = re.compile(r"""(\s(?:class|id|data-[\w-]+|itemprop|role|name)\s*=\s*)("[^"]*"|'[^']*'|[^\s>]+)""", re.I)
_TAGS = re.compile(r"(</?)(?:main|article|section)\b", re.I)
_SELECTED = re.compile(r"\.([A-Za-z_][\w-]*)")


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """The outcome of one case."""

    name: str
    faults: tuple[str, ...]
    score: float
    verdict: str
    milliseconds: float
    """CPU time of the rule's own selectors."""
    fallback: str
    """Why the result on a changed layout is worse with the rule than without; empty if it is not."""
    used: frozenset[str]
    """The rule's selectors that matched something."""

    @property
    def passed(self) -> bool:
        return not self.faults


@dataclass(frozen=True, slots=True)
class Requirement:
    """One of the five requirements, with its figure."""

    name: str
    passed: bool
    figure: str
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a rule."""

    rule: SiteRule
    requirements: tuple[Requirement, ...]
    outcomes: tuple[CaseOutcome, ...]

    @property
    def passed(self) -> bool:
        return all(requirement.passed for requirement in self.requirements)


def run_cases(rule: SiteRule, options: Options | None = None) -> Iterator[CaseOutcome]:
    """Extract every case of a rule, and compare with its expectations."""
    for case in rule.cases:
        try:
            html = page_of(rule, case)
        except RuleError as error:
            yield CaseOutcome(case.name, (str(error),), 0.0, "empty", 0.0, "", frozenset())
            continue
        text = html if isinstance(html, str) else decode(html, None)[0]
        result = _extract(text, case, rule, options)
        milliseconds, used = _selectors(rule, text)
        yield CaseOutcome(
            case.name,
            tuple(_faults(rule, case, result)),
            result.quality.score,
            result.quality.verdict,
            milliseconds,
            _fallback(rule, case, text, options),
            used,
        )


def _extract(text: str, case: RuleCase, rule: SiteRule | None, options: Options | None) -> Result:
    """Extract a case's page with only this rule, or with none."""
    return run(text, case.url, options or Options(), rules=only(rule) if rule else only())


def _faults(rule: SiteRule, case: RuleCase, result: Result) -> Iterator[str]:
    tier = case.expected.get("tier", "site_rule")
    if result.tier != tier:
        lost = [a.outcome for a in result.trace.attempts if a.candidate.rule_id == f"site-{rule.id}"]
        why = f" ({lost[0]})" if lost else " (no selector found enough words)" if tier == "site_rule" else ""
        yield f"won by {result.tier or 'nothing'}, not by {tier}{why}"
    text = _folded(result.text)
    yield from (f"lacks {snippet!r}" for snippet in case.contains if _folded(snippet) not in text)
    yield from (f"has {snippet!r}" for snippet in case.lacks if _folded(snippet) in text)
    for name in ("title", "author", "published"):
        value = getattr(result.metadata, name)
        if name in case.expected and value != case.expected[name]:
            yield f"{name} is {value!r}, not {case.expected[name]!r}"


def _folded(text: str) -> str:
    return " ".join(text.split())


def _selectors(rule: SiteRule, text: str) -> tuple[float, frozenset[str]]:
    """The CPU time of a rule's selectors on a page (best of three runs), and which of them matched."""
    tree = parse_tree(text)
    selectors = all_selectors(rule)
    spent: list[float] = []
    used: set[str] = set()
    for _ in range(3):
        started = time.process_time()
        used = {selector for selector in selectors if tree.select(selector)}
        spent.append(time.process_time() - started)
    return 1000 * min(spent), frozenset(used)


def all_selectors(rule: SiteRule) -> list[str]:
    levels = [selector for _, selectors in rule.levels for selector in selectors]
    metadata = [selector for selectors in rule.metadata.values() for selector in selectors]
    return [*levels, *rule.remove, *rule.keep, *rule.rename, *metadata]


def changed_layout(text: str) -> str:
    """The same page after a redesign: all names are changed, and no element is marked as the main one.

    >>> changed_layout('<main class="a b"><p id=x>Oak</p></main>')
    '<div class="n-a n-b"><p id="n-x">Oak</p></div>'
    """

    def renamed(match: re.Match[str]) -> str:
        words = match[2].strip("\"'").split()
        return f'{match[1]}"{" ".join(f"n-{word}" for word in words)}"'

    return _TAGS.sub(r"\1div", _NAMES.sub(renamed, text))


def _fallback(rule: SiteRule, case: RuleCase, text: str, options: Options | None) -> str:
    """On a page with a changed layout, a rule must not make the result worse than without the rule."""
    changed = changed_layout(text)
    with_rule = _extract(changed, case, rule, options)
    without = _extract(changed, case, None, options)
    lost = [
        s for s in case.contains if _folded(s) in _folded(without.text) and _folded(s) not in _folded(with_rule.text)
    ]
    if lost:
        return f"loses {lost[0]!r}, which is found without the rule"
    if with_rule.quality.score < without.quality.score - 0.05:
        return f"expected F1 {with_rule.quality.score:.2f}, without the rule {without.quality.score:.2f}"
    return ""


def judge_rule(rule: SiteRule, options: Options | None = None) -> Verdict:
    """Check a rule against all requirements."""
    outcomes = tuple(run_cases(rule, options))
    requirements = (
        _success(outcomes),
        _quality(rule, outcomes),
        _cost(outcomes),
        _graceful(outcomes),
        _upkeep(rule, outcomes),
    )
    return Verdict(rule, requirements, outcomes)


def _success(outcomes: Sequence[CaseOutcome]) -> Requirement:
    passed = sum(outcome.passed for outcome in outcomes)
    rate = passed / len(outcomes) if outcomes else 0.0
    failing = tuple(f"case {o.name!r}: {fault}" for o in outcomes for fault in o.faults)
    figure = f"{passed} of {len(outcomes)} cases, {100 * rate:.0f} % (at least {100 * SUCCESS:.0f} %)"
    return Requirement("success", rate >= SUCCESS, figure, failing)


def _quality(rule: SiteRule, outcomes: Sequence[CaseOutcome]) -> Requirement:
    scores = [outcome.score for outcome in outcomes] or [0.0]
    poor = tuple(
        f"case {o.name!r}: {o.verdict}, expected F1 {o.score:.2f}"
        for o in outcomes
        if o.score < rule.quality or o.verdict in ("poor", "empty")
    )
    figure = f"expected F1 {sum(scores) / len(scores):.2f}, lowest {min(scores):.2f} (at least {rule.quality:g})"
    return Requirement("quality", not poor, figure, poor)


def _cost(outcomes: Sequence[CaseOutcome]) -> Requirement:
    spent = [outcome.milliseconds for outcome in outcomes] or [0.0]
    slow = tuple(f"case {o.name!r}: {o.milliseconds:.1f} ms" for o in outcomes if o.milliseconds > MILLISECONDS)
    return Requirement(
        "cost", not slow, f"{max(spent):.2f} ms per page for its selectors (at most {MILLISECONDS:g})", slow
    )


def _graceful(outcomes: Sequence[CaseOutcome]) -> Requirement:
    worse = tuple(f"case {o.name!r}, its layout changed: {o.fallback}" for o in outcomes if o.fallback)
    good = len(outcomes) - len(worse)
    figure = f"{good} of {len(outcomes)} pages with a changed layout are no worse than without the rule"
    return Requirement("fallback", not worse, figure, worse)


def _upkeep(rule: SiteRule, outcomes: Sequence[CaseOutcome]) -> Requirement:
    """Every selector matches in some case, and none depends on a name that changes with every build."""
    used = frozenset().union(*(outcome.used for outcome in outcomes))
    selectors = all_selectors(rule)
    idle = [selector for selector in selectors if selector not in used]
    hashed = [s for s in selectors if any(not is_stable(n) and re.search(r"\d", n) for n in _SELECTED.findall(s))]
    details = (
        *(f"no case has {selector}: add one, or remove the selector" for selector in idle),
        *(f"{selector} depends on a generated name: use an attribute or a prefix" for selector in hashed),
    )
    figure = f"{len(selectors) - len(idle)} of {len(selectors)} selectors match in a case"
    return Requirement("upkeep", not details, figure, details)
