"""What runs in worker processes: extracting and inspecting one page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from duramen.fetched import is_page, source_of
from duramen.inspector.inspection import inspect_fetched, inspect_page
from duramen.model import Fetched
from duramen.options import Options
from duramen.pipeline import run
from duramen.result import Result
from duramen.rule_set import RuleSet, with_folder
from duramen.service.parameters import RequestParameters

ForSentPage = Callable[[str | bytes, str | None, Options, RequestParameters, str | None], dict[str, Any]]
ForFetchedPage = Callable[[Fetched, Result, Options, RequestParameters, str | None], dict[str, Any]]
"""Both get the parameters of the request, and the folder of the workbench."""


def extract_page(
    html: str | bytes, url: str | None, options: Options, chosen: RequestParameters, _: str | None = None
) -> dict[str, Any]:
    """Extract a page that was sent."""
    return run(html, url, options).to_dict(chosen.trace, chosen.records)


def result_to_dict(
    _: Fetched, result: Result, __: Options, chosen: RequestParameters, ___: str | None = None
) -> dict[str, Any]:
    """In a worker, because rendering a fetched page's result takes time too."""
    return result.to_dict(chosen.trace, chosen.records)


def inspect_sent(
    html: str | bytes, url: str | None, options: Options, _: RequestParameters, folder: str | None = None
) -> dict[str, Any]:
    """Inspect a page that was sent; the inspector always needs the trace."""
    return inspect_page(html, url, options, rules=with_folder(folder) if folder else None)


def inspect_result(
    fetched: Fetched, result: Result, options: Options, _: RequestParameters, folder: str | None = None
) -> dict[str, Any]:
    """Inspect a page that was fetched. If the workbench has a rule for it, the page is extracted again with it."""
    rules = with_folder(folder) if folder else None
    if rules is None or not is_page(fetched) or not _is_saved(rules, fetched.url, folder):
        return inspect_fetched(fetched, result, options)
    made = inspect_page(source_of(fetched, options), fetched.url, options, fetched.charset, rules)
    made["result"]["trace"]["steps"] = [*fetched.steps, *made["result"]["trace"]["steps"]]
    return made


def _is_saved(rules: RuleSet, url: str, folder: str | None) -> bool:
    rule = rules.for_url(url)
    return rule is not None and Path(rule.source).parent == Path(folder or "")
