"""What the inspector does to fix a page: draft a site rule, try it, check it, save it; save the page as a case.

A rule is plain data with the tables and keys of its file. Files are written only into the folder that the server was
started with.
"""

from __future__ import annotations

import base64
import io
import os
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from duramen.errors import RuleError
from duramen.inspector.elements import elements_of
from duramen.inspector.inspection import inspect_page
from duramen.model import SiteRule
from duramen.options import Options, Output
from duramen.pipeline import page_of, run
from duramen.read.decode import decode
from duramen.rule_check import judge_rule
from duramen.rule_draft import draft_case, draft_rule, least_words, snippets
from duramen.rule_files import METADATA, read_rule, toml_value, write_rule
from duramen.rule_set import only, with_folder
from duramen.toml_copies import read_toml

_PAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.html?")
_CASE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST_NAME = 80
_SNIPPET = 8
"""Words of a block that a case expects to be missing."""
_LACKS = 6


@dataclass(frozen=True, slots=True)
class SentPage:
    """The page to fix, and where files may be saved."""

    html: str
    url: str | None
    options: Options
    folder: str | None


def elements(page: SentPage, body: Mapping[str, Any]) -> dict[str, Any]:
    """The elements around a block, with selectors."""
    block = body.get("block")
    if not isinstance(block, int):
        raise RuleError("block must be a number")
    return {"elements": elements_of(page_of(page.html, page.url, page.options), block)}


def draft(page: SentPage, _: Mapping[str, Any]) -> dict[str, Any]:
    """A rule for the page's site: the saved one, with a case for this page; or else one drafted from the page."""
    made = draft_rule(page.html, page.url or "", page.options)
    saved = with_folder(page.folder).for_url(page.url) if page.folder else None
    if saved is None or page.folder is None or Path(saved.source).parent != Path(page.folder):
        return {"rule": made.raw, "notes": made.notes, "text": made.text, "saved": False}
    raw = read_toml(Path(saved.source).read_text("utf-8"))
    if not any(case["url"] == page.url for case in raw["case"]):
        used = {case.get("page") for case in raw["case"]}
        names = (f"{saved.id}-{n}.html" for n in range(1, 1000))
        result = run(page.html, page.url, page.options, rules=only(saved))
        raw["case"].append(draft_case(result, page.url or "", next(name for name in names if name not in used)))
    return {"rule": raw, "notes": (f"This is the saved rule {saved.id}.",), "text": write_rule(raw), "saved": True}


def try_rule(page: SentPage, body: Mapping[str, Any]) -> dict[str, Any]:
    """Inspect the page with a rule and no others; with a rule that has faults, without any.

    Content that is shorter than the rule's threshold lowers it. With ``expect``, what comes out is what the rule's case
    of this page expects from now on.
    """
    text, faults, rule = "", [], None
    try:
        text = _text(body)
        rule = read_rule(text, "rule.toml")
    except RuleError as error:
        faults = [line.removeprefix("rule.toml:") for line in str(error).splitlines()]
    if rule is not None and (words := _reached(page, rule)) < rule.words:
        rule = rule._replace(words=words)
        text = write_rule((raw := read_toml(text)) | {"thresholds": {**raw.get("thresholds", {}), "words": words}})
    if rule is not None and only(rule).for_url(page.url) is None:
        faults = ["the rule is not for this page: see its domains and paths"]
    # Which blocks are kept without the rule: explaining them, too, would take much longer.
    reread = run(page.html, page.url, page.options, rules=only()).trace.reread
    before = frozenset(reread()[1]) if reread is not None else frozenset()
    made = inspect_page(page.html, page.url, page.options, rules=only(rule) if rule else only())
    after = {number for number, block in enumerate(made["blocks"]) if block["kept"]}
    gone = [block["text"] for number, block in enumerate(made["blocks"]) if number in before - after]
    tried = {"faults": faults, "added": len(after - before), "removed": len(gone), "text": text}
    if rule is not None:
        tried["thresholds"] = read_toml(text).get("thresholds", {})
    if rule is not None and body.get("expect"):
        raw = read_toml(text)
        raw["case"] = [
            _expecting(made["result"], rule, one, gone) if one["url"] == page.url else one for one in raw["case"]
        ]
        tried |= {"text": write_rule(raw), "case": raw["case"]}
    return made | {"rule": tried}


def _reached(page: SentPage, rule: SiteRule) -> int:
    """The rule's least number of words, or if no selector finds as many, one that the best of them reaches."""
    tree = page_of(page.html, page.url, page.options).tree
    found = [
        sum(map(tree.words_in, tree.speaking_outermost(tree.selected(selector))))
        for _, selectors in rule.levels
        for selector in selectors
    ]
    most = max(found, default=0)
    return rule.words if most >= rule.words or not most else least_words(most)


def _expecting(
    result: Mapping[str, Any], rule: SiteRule, case: Mapping[str, Any], gone: Sequence[str]
) -> dict[str, Any]:
    """A case with the expectations that the result of this rule meets; what the rule removed must be missing."""
    text = " ".join(result["text"].split())
    removed = (removal["words"] for removal in result["trace"]["removals"] if not removal["rescued"])
    lacks = (" ".join(words.split()[:_SNIPPET]).rstrip("…") for words in (*gone, *removed))
    values = result["metadata"] | {"author": ", ".join(result["metadata"]["authors"])}
    known = {key: values[key] for key in METADATA if key == "title" or key in rule.metadata}
    return {
        **{key: value for key, value in case.items() if key not in (*METADATA, "contains", "lacks")},
        "contains": snippets(result["text"]),
        "lacks": list(dict.fromkeys(words for words in lacks if " " in words and words not in text))[:_LACKS],
        **{key: value for key, value in known.items() if value},
    }


def check(page: SentPage, body: Mapping[str, Any]) -> dict[str, Any]:
    """Judge a rule by its requirements, with the page as its case."""
    verdict = judge_rule(_rule(page, _text(body)))
    return {"passed": verdict.passed, "requirements": [asdict(one) for one in verdict.requirements]}


def save(page: SentPage, body: Mapping[str, Any]) -> dict[str, Any]:
    """Write a rule and its page into the folder."""
    text = _text(body)
    rule = _rule(page, text)
    name = next(case.page for case in read_rule(text, "").cases if case.url == page.url)
    files = {f"{rule.id}.toml": text.encode(), **({name: page_bytes(page.html)} if name else {})}
    return {"saved": _write(page, Path(), files, f"{rule.id}.toml", bool(body.get("replace")))}


def case(page: SentPage, body: Mapping[str, Any]) -> dict[str, Any]:
    """The page as a regression case, as ``tests/cases`` has them: a ZIP file, and with ``save`` also in the folder."""
    name, why, expected = (str(body.get(key) or "").strip() for key in ("name", "why", "expected"))
    if not _CASE.fullmatch(name) or len(name) > _LONGEST_NAME:
        raise RuleError("the name of a case consists of lower-case letters, digits and hyphens: list-with-asides")
    if not why:
        raise RuleError("say why the case is there: what comes out wrong, or must stay right")
    files = {
        "case.toml": _case_file(page, why).encode(),
        "expected.md": (expected + "\n").encode("utf-8", "replace"),
        "input.html": page_bytes(page.html),
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file, data in files.items():
            archive.writestr(zipfile.ZipInfo(f"{name}/{file}"), data)
    answer = {"zip": base64.b64encode(packed.getvalue()).decode()}
    if body.get("save"):
        answer["saved"] = _write(page, Path("cases") / name, files, "case.toml", bool(body.get("replace")))
    return answer


ACTIONS: Mapping[str, Callable[[SentPage, Mapping[str, Any]], dict[str, Any]]] = {
    "elements": elements,
    "draft": draft,
    "try": try_rule,
    "check": check,
    "save": save,
    "case": case,
}


def do(action: str, page: SentPage, body: Mapping[str, Any]) -> dict[str, Any]:
    """Runs in a worker: one action by its name."""
    return ACTIONS[action](page, body)


def page_bytes(html: str) -> bytes:
    """A page as UTF-8; with a byte order mark, if the page states another encoding."""
    data = html.encode("utf-8", "replace")
    return data if decode(data, None)[0] == html else b"\xef\xbb\xbf" + data


def _text(body: Mapping[str, Any]) -> str:
    raw = body.get("rule")
    if not isinstance(raw, Mapping):
        raise RuleError("rule must be an object with the tables and keys of a rule file")
    return write_rule(raw).encode("utf-8", "replace").decode()


def _rule(page: SentPage, text: str) -> SiteRule:
    """A rule whose case of this page has the page that was sent; those of other pages are files in the folder."""
    rule = read_rule(text, str(Path(page.folder or "") / "rule.toml"))
    if not any(one.url == page.url for one in rule.cases):
        raise RuleError("the rule has no case for this page; its url must be the page's address")
    for one in rule.cases:
        if one.page and not _PAGE.fullmatch(one.page):
            raise RuleError(f"{one.page!r} is not the name of a page beside the rule; write {rule.id}-1.html")
        if one.url != page.url and one.page and page.folder is None:
            raise RuleError(f"the page of case {one.name!r} is not here: start the server with --workbench FOLDER")
    cases = (one._replace(html=page.html, page="") if one.url == page.url else one for one in rule.cases)
    return rule._replace(cases=tuple(cases))


def _case_file(page: SentPage, why: str) -> str:
    lines = [f"why = {toml_value(why)}", *([f"url = {toml_value(page.url)}"] if page.url else [])]
    for table, given, usual in (
        ("options", page.options, Options()),
        ("options.output", page.options.output, Output()),
    ):
        names = [field.name for field in fields(given) if field.name not in ("output", "limits", "encoding")]
        changed = {name: getattr(given, name) for name in names if getattr(given, name) != getattr(usual, name)}
        lines += (
            [f"[{table}]", *(f"{name} = {toml_value(value)}" for name, value in changed.items())] if changed else []
        )
    return "\n".join(lines) + "\n"


def _write(page: SentPage, below: Path, files: Mapping[str, bytes], main: str, replace: bool) -> str:
    """Write files into the folder, each as a whole; returns where the main one is."""
    if page.folder is None:
        raise RuleError("the server may not save files; start it with --workbench FOLDER, or download the file")
    folder = Path(page.folder) / below
    if (folder / main).exists() and not replace:
        raise RuleError(f"{below / main} exists already; rename this one, or replace it")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            part = folder / f"{name}.part"
            part.write_bytes(data)
            os.replace(part, folder / name)  # noqa: PTH105 - the same on every system
    except OSError as error:
        raise RuleError(f"{below / main} cannot be written: {error.strerror}") from error
    return str(folder / main)
