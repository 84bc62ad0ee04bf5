"""``duramen rules``: list, show, draft, check and test site rules."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from difflib import get_close_matches
from pathlib import Path

from duramen.cli.log import Log
from duramen.cli.sources import Source, SourceError, describe, find_sources, is_url, read_source
from duramen.errors import DuramenError, OptionError, RuleError
from duramen.explain import printable
from duramen.model import SiteRule
from duramen.options import Options
from duramen.rule_check import Verdict, judge_rule, run_cases
from duramen.rule_draft import draft_rule
from duramen.rule_files import read_rule
from duramen.rule_set import SHIPPED, RuleSet, clear_rule_cache, rules_of

EPILOG = (
    "Rules in --rules folders take precedence over those in DURAMEN_RULES, and these over the shipped ones."
    " Exit code: 0 success, 1 a rule is broken or fails, 2 wrong usage."
)


def add_command(command: argparse.ArgumentParser) -> None:
    command.description = "List, show, draft, check and test site rules."
    command.epilog = EPILOG
    actions = command.add_subparsers(required=True, metavar="ACTION", dest="action")
    about = {
        "list": "list all rules in order of precedence, with conflicts and broken files",
        "show": "show one rule",
        "new": "draft a rule from a page, for you to edit",
        "check": "check rules: success, quality, cost, fallback, upkeep",
        "test": "run the test cases of rules",
    }
    for name, text in about.items():
        action = actions.add_parser(name, help=text, description=text, epilog=EPILOG)
        action.add_argument("--rules", metavar="FOLDER", action="append", default=[], help="a folder of rules")
        if name == "new":
            action.add_argument("source", metavar="PAGE", help="a URL, or a file together with --url")
            action.add_argument("-u", "--url", help="the URL of a page that is read from a file")
            action.add_argument(
                "-o", "--output", metavar="FOLDER", help="folder for the rule and the page; default: standard output"
            )
        else:
            action.add_argument("-j", "--json", action="store_true", help="for programs")
        if name == "show":
            action.add_argument("rule", metavar="RULE", help="an id, a domain, a URL, or a rule file")
        if name in ("check", "test"):
            action.add_argument(
                "rule", metavar="RULE", nargs="*", help="ids, domains, rule files or folders; default: all"
            )


def run_command(args: argparse.Namespace, usage: argparse.ArgumentParser) -> int:
    """Run the chosen action."""
    clear_rule_cache()
    rules = rules_of(tuple(args.rules))
    actions = {"list": list_rules, "show": show_rule, "new": new_rule, "check": check_rules, "test": test_rules}
    try:
        lines, code = actions[args.action](args, rules)
    except OptionError:
        raise
    except DuramenError as error:
        for message in str(error).splitlines():
            Log().error(message)
        return 1
    sys.stdout.writelines(f"{printable(line) if args.action != 'new' else line}\n" for line in lines)
    sys.stdout.flush()
    return code


def list_rules(args: argparse.Namespace, rules: RuleSet) -> tuple[Sequence[str], int]:
    code = 1 if rules.problems else 0
    if args.json:
        data = {
            "rules": [as_dict(rule) for folder in rules.folders for rule in folder.rules],
            "overrides": rules.overrides,
            "problems": rules.problems,
        }
        return [json.dumps(data, ensure_ascii=False, indent=2)], code
    lines: list[str] = []
    for folder in rules.folders:
        lines.append(folder.name)
        for rule in folder.rules:
            where = " ".join((*rule.domains, *rule.paths))
            lines.append(f"  {rule.id:<16} {where}  ({len(rule.cases)} cases, {Path(rule.source).name})")
        lines += [] if folder.rules else ["  none"]
    for title, found in (("overrides", rules.overrides), ("problems", rules.problems)):
        lines += ["", title, *(f"  {line}" for line in found)] if found else []
    return lines, code


def show_rule(args: argparse.Namespace, rules: RuleSet) -> tuple[Sequence[str], int]:
    rule = rules.for_url(args.rule) if is_url(args.rule) else find_rule(args.rule, rules)
    if rule is None:
        raise RuleError(f"no rule matches {args.rule}")
    if args.json:
        return [json.dumps(as_dict(rule), ensure_ascii=False, indent=2)], 0
    facts = [(name, value) for name, value in as_dict(rule).items() if value and name != "cases"]
    lines: list[str] = []
    for name, value in facts:
        values = [f"{k}: {v}" for k, v in value.items()] if isinstance(value, dict) else value
        for n, one in enumerate(values if isinstance(values, (list, tuple)) else [values]):
            lines.append(f"{name if not n else '':<14} {one}")
    return [*lines, *(f"{'case':<14} {case.name} ({case.url})" for case in rule.cases)], 0


def new_rule(args: argparse.Namespace, rules: RuleSet) -> tuple[Sequence[str], int]:
    html, url = fetched(args.source) if is_url(args.source) else (read(args.source), args.url)
    if not url:
        raise OptionError(f"{args.source} is a file: add the page's URL, --url https://…")
    draft = draft_rule(html, url)
    known = rules.for_url(url)
    notes = [*draft.notes, *([f"a rule exists already: {known.id} ({known.source})"] if known else [])]
    for note in notes:
        print(f"duramen: {printable(note)}", file=sys.stderr)
    if not args.output:
        return draft.text.splitlines(), 0
    folder = Path(args.output)
    path = folder / f"{draft.id}.toml"
    if path.exists():
        raise RuleError(f"{path} exists already; move it away, or choose another --output")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / draft.page).write_bytes(html)
        path.write_text(draft.text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise SourceError(describe(error)) from error
    return [f"{path}", f"{folder / draft.page}", f"next: edit it, then: duramen rules check {path}"], 0


def read(name: str) -> bytes:
    source = next(find_sources([name]))
    if not isinstance(source, Source):
        raise source
    return read_source(source, Options().limits.max_bytes)


def fetched(url: str) -> tuple[bytes, str]:
    """A page from the network, and its URL after redirects."""
    from duramen.session import Session

    with Session() as session:
        page = session.fetch(url)
        return page.body, page.url


def check_rules(args: argparse.Namespace, rules: RuleSet) -> tuple[Sequence[str], int]:
    verdicts = [judge_rule(rule) for rule in selected_rules(args.rule, rules)]
    problems = () if args.rule else rules.problems
    code = 0 if all(verdict.passed for verdict in verdicts) and not problems else 1
    if args.json:
        data = [
            {"rule": v.rule.id, "passed": v.passed, "requirements": [asdict(r) for r in v.requirements]}
            for v in verdicts
        ]
        return [json.dumps({"rules": data, "problems": problems}, ensure_ascii=False, indent=2)], code
    return [*(line for verdict in verdicts for line in verdict_lines(verdict)), *problems], code


def verdict_lines(verdict: Verdict) -> Iterator[str]:
    yield f"{verdict.rule.id} ({verdict.rule.source}): {'passes' if verdict.passed else 'FAILS'}"
    for requirement in verdict.requirements:
        yield f"  {'pass' if requirement.passed else 'FAIL'}  {requirement.name:<9} {requirement.figure}"
        yield from (f"        {detail}" for detail in requirement.details)


def test_rules(args: argparse.Namespace, rules: RuleSet) -> tuple[Sequence[str], int]:
    found = [(rule, outcome) for rule in selected_rules(args.rule, rules) for outcome in run_cases(rule)]
    failed = sum(not outcome.passed for _, outcome in found)
    problems = () if args.rule else rules.problems
    code = 1 if failed or problems else 0
    if args.json:
        data = [{"rule": r.id, "case": o.name, "passed": o.passed, "faults": o.faults} for r, o in found]
        return [json.dumps({"cases": data, "problems": problems}, ensure_ascii=False, indent=2)], code
    lines: list[str] = []
    for rule, outcome in found:
        lines.append(f"{'pass' if outcome.passed else 'FAIL'}  {rule.id}: {outcome.name}")
        lines += [f"      {fault}" for fault in outcome.faults]
    return [*lines, *problems, f"{len(found) - failed} of {len(found)} cases passed"], code


def selected_rules(names: Sequence[str], rules: RuleSet) -> list[SiteRule]:
    """The rules named on the command line, or all rules."""
    if not names:
        return [rule for folder in rules.folders for rule in folder.rules]
    return [rule for name in names for rule in (_in_folder(name) if Path(name).is_dir() else [find_rule(name, rules)])]


def _in_folder(name: str) -> list[SiteRule]:
    """All rules of a folder; a broken one is an error."""
    folder = rules_of((name,)).folders[0]
    if folder.problems:
        raise RuleError("\n".join(folder.problems))
    if not folder.rules:
        raise RuleError(f"{name}: no file in it ends in .toml")
    return list(folder.rules)


def find_rule(name: str, rules: RuleSet) -> SiteRule:
    """A rule by its file, its id or its domain."""
    if name.endswith(".toml"):
        path = Path(name)
        try:
            # With its folder, so that the pages of its cases are found next to it.
            return read_rule(path.read_text("utf-8"), str(path.absolute()))
        except (OSError, UnicodeDecodeError) as error:
            raise RuleError(f"{name}: cannot be read ({error}); name a rule file in UTF-8") from error
    rule = rules.named(name)
    if rule is None:
        folders = [folder.name for folder in rules.folders if folder.name != SHIPPED]
        places = f"in {', '.join(folders)} or among the shipped ones" if folders else "among the shipped ones"
        near = get_close_matches(name, [rule.id for folder in rules.folders for rule in folder.rules], 1)
        advice = f"did you mean {near[0]}?" if near else "duramen rules list shows all"
        raise RuleError(f"there is no rule {name!r} {places}; {advice}")
    return rule


def as_dict(rule: SiteRule) -> dict[str, object]:
    """A rule as plain data, without the HTML of its cases."""
    cases = [{name: value for name, value in case._asdict().items() if name != "html"} for case in rule.cases]
    return rule._asdict() | {"cases": cases}
