"""Build the sites anew with the newest generators, and show what changed.

    python -m tests.sites.build                       build all, compare with the stored pages, store the new ones
    python -m tests.sites.build --check               compare only
    python -m tests.sites.build sphinx-furo hexo      only these

Python generators are installed from PyPI into a virtual environment, those of Node from npm, both below ``--work``;
``--offline`` takes what is there already. Jekyll and mdBook are looked for on the path (Debian packages ``jekyll``,
``jekyll-theme-minima`` and ``mdbook``; the commands ``mdbook4`` and ``mdbook5`` stand for its versions 0.4 and 0.5).
A generator that is missing is told and passed over.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from .dialects import fitted
from .documents import DOCUMENTS
from .generators import CHROME, GENERATORS, Generator
from .truth import Truth, truth_of

PAGES = Path(__file__).parent / "pages"
_NAMES = re.compile(r'\b(?:class|id)="([^"]*)"')
_VERSIONS = PAGES / "versions.json"


class MissingError(Exception):
    """A generator that is not there."""


def install(generator: Generator, work: Path, *, offline: bool) -> tuple[Path, dict[str, str]]:
    """Put a generator in place: the folder its site is built in, and the environment to build it with."""
    site = work / "sites" / generator.name
    environment = dict(os.environ) | {"NO_UPDATE_NOTIFIER": "1", "ASTRO_TELEMETRY_DISABLED": "1"}
    environment |= {"NEXT_TELEMETRY_DISABLED": "1", "CI": "1"}
    if generator.kind == "python":
        home = work / "python"
        if not home.exists():
            venv.create(home, with_pip=True)
        if not offline:
            _run([str(home / "bin" / "pip"), "install", "-q", "-U", *generator.packages], work, environment)
        environment["PATH"] = f"{home / 'bin'}{os.pathsep}{environment['PATH']}"
    elif generator.kind == "node":
        site = work / "node" / generator.name
        site.mkdir(parents=True, exist_ok=True)
        if not offline:
            # Hexo looks for its own key.
            frame = {"name": "site", "private": True, "hexo": {"version": ""}, "overrides": dict(generator.overrides)}
            (site / "package.json").write_text(json.dumps(frame), encoding="utf-8")
            _run(
                ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", *generator.packages],
                site,
                environment,
            )
        environment["PATH"] = f"{site / 'node_modules' / '.bin'}{os.pathsep}{environment['PATH']}"
    if shutil.which(generator.command[0], path=environment["PATH"]) is None:
        raise MissingError(f"{generator.command[0]} is not installed")
    return site, environment


def _run(command: Sequence[str], folder: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise MissingError(f"{' '.join(command)}: {(done.stderr or done.stdout)[-2000:]}")


def build(generator: Generator, work: Path, *, offline: bool) -> dict[str, str]:
    """The built pages, by document."""
    site, environment = install(generator, work, offline=offline)
    site.mkdir(parents=True, exist_ok=True)
    for entry in site.iterdir():
        if entry.name in ("node_modules", "package.json", "package-lock.json"):
            continue
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    if generator.prepare:
        _run(generator.prepare, site, environment)
    generator.layout(site)
    _run(generator.command, site, environment)
    kept = [d for d in DOCUMENTS if d.name in generator.stored]
    return {d.name: (site / generator.page(d)).read_text(encoding="utf-8") for d in kept}


def truths(generator: Generator) -> dict[str, Truth]:
    """The truth of each page of a generator."""
    found = {}
    for document in (d for d in DOCUMENTS if d.name in generator.stored):
        own = truth_of(fitted(document, generator.dialect), generator.framework, ())
        others = [other.title for other in DOCUMENTS if other is not document]
        # What the document says itself cannot be forbidden.
        forbidden = [said for said in (*CHROME, *others) if said.lower() not in own.text.lower()]
        found[document.name] = truth_of(fitted(document, generator.dialect), generator.framework, forbidden)
    return found


def versions(generator: Generator, work: Path) -> dict[str, str]:
    """The versions of what was installed."""
    found: dict[str, str] = {}
    for package in generator.packages:
        name = re.sub(r"(?<=.)@.*|\[.*", "", package)
        if generator.kind == "node":
            path = work / "node" / generator.name / "node_modules" / name / "package.json"
            found[name] = json.loads(path.read_text(encoding="utf-8"))["version"]
        elif generator.kind == "python":
            command = [str(work / "python" / "bin" / "pip"), "show", name]
            shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            found[name] = next(line.split()[1] for line in shown.splitlines() if line.startswith("Version:"))
        elif shutil.which(name):
            shown = subprocess.run([name, "--version"], capture_output=True, text=True, check=True).stdout
            found[name] = shown.split()[-1].lstrip("v")
    return found


def changes(old: str, new: str) -> str:
    """A line about how a page changed: its size, and the names that came and went."""
    if not old:
        return f"new, {len(new):,} characters"
    if old == new:
        return ""
    before, after = (Counter(word for names in _NAMES.findall(page) for word in names.split()) for page in (old, new))
    came, went = sorted(after.keys() - before.keys()), sorted(before.keys() - after.keys())
    said = [f"{len(old):,} to {len(new):,} characters"]
    said += [f"came: {' '.join(came[:12])}"] if came else []
    said += [f"went: {' '.join(went[:12])}"] if went else []
    return "; ".join(said)


def store(generator: Generator, pages: dict[str, str], *, check: bool) -> list[str]:
    """Compare pages with the stored ones and store them; what changed, as lines."""
    folder = PAGES / generator.name
    folder.mkdir(parents=True, exist_ok=True)
    told = []
    for name, truth in truths(generator).items():
        path = folder / f"{name}.html"
        line = changes(path.read_text(encoding="utf-8") if path.exists() else "", pages[name])
        if line:
            told.append(f"  {name}: {line}")
        if not check:
            path.write_text(pages[name], encoding="utf-8")
            said = json.dumps(truth.as_json(), ensure_ascii=False, indent=1)
            path.with_suffix(".json").write_text(said + "\n", encoding="utf-8")
    return told


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.sites.build", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [generator.name for generator in GENERATORS]
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(names)}")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "duramen-sites")
    parser.add_argument("--check", action="store_true", help="store nothing")
    parser.add_argument("--offline", action="store_true", help="install nothing")
    args = parser.parse_args(arguments)
    unknown = sorted(set(args.names) - set(names))
    if unknown:
        parser.error(f"no generator is called {', '.join(unknown)}; there are {', '.join(names)}")
    known: dict[str, dict[str, str]] = json.loads(_VERSIONS.read_text("utf-8")) if _VERSIONS.exists() else {}
    failed = 0
    for generator in GENERATORS:
        if args.names and generator.name not in args.names:
            continue
        args.work.mkdir(parents=True, exist_ok=True)
        print(f"{generator.name} …", file=sys.stderr, flush=True)
        try:
            pages = build(generator, args.work.resolve(), offline=args.offline)
        except (MissingError, OSError) as error:
            print(f"{generator.name}: not built: {error}", flush=True)
            failed += 1
            continue
        now = versions(generator, args.work.resolve())
        lines = store(generator, pages, check=args.check)
        moved = "" if known.get(generator.name) == now else " " + " ".join(f"{k} {v}" for k, v in now.items())
        print(f"{generator.name}:{moved} {len(lines)} pages changed", *lines, sep="\n", flush=True)
        known[generator.name] = now
        if not args.check:
            _VERSIONS.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
