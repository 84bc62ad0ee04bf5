"""Compiles the core (src/native) into the extension module duramen._native, and copies the tables for a quick start.

    python native_build.py                     build it in place, for an editable checkout
    python native_build.py --sanitize DIR      build it into DIR with the address and undefined-behaviour sanitizers
    python native_build.py --fuzz DIR          the same, with the counters that libFuzzer needs (clang only)

The machine's C compiler is used; where there is none, the one that the PyPI package ziglang carries. hatch_build.py
calls this when a wheel is built. Only the standard library is needed.
"""

from __future__ import annotations

import argparse
import os
import runpy
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent
SOURCES = ROOT / "src" / "native"
ZIG = "ziglang>=0.13"
"""The requirement that brings a compiler to a machine without one."""

FLAGS = ("-std=gnu11", "-fvisibility=hidden", "-fno-strict-aliasing", "-fstack-protector-strong")
WARNINGS = (
    "-Wall",
    "-Wextra",
    "-Wno-unused-parameter",  # Python calls every method with the same arguments
    "-Wno-missing-field-initializers",  # type objects are named field by field
    "-Wno-cast-function-type",  # Python's own way to store functions of several kinds
)
OPTIMIZED = ("-O3", "-g0", "-DNDEBUG", "-D_FORTIFY_SOURCE=2")
SANITIZED = ("-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")
# Only clang objects to adding 0 to a null pointer, which later standards of C allow: an empty buffer has no memory.
COUNTED = ("-fsanitize=fuzzer-no-link", "-fno-sanitize=pointer-overflow")


class BuildError(RuntimeError):
    """The core could not be compiled; the message says why."""


def machine_compiler() -> list[str]:
    """The command of the machine's own C compiler; empty where there is none that can build for this Python."""
    if sys.platform == "win32":
        # The sources use extensions of GNU C, which Microsoft's compiler lacks.
        return []
    for command in (os.environ.get("CC"), sysconfig.get_config_var("CC"), "cc", "gcc", "clang"):
        words = shlex.split(command) if command else []
        if words and shutil.which(words[0]):
            return words
    return []


def compiler() -> list[str]:
    """The compiler to use."""
    return machine_compiler() or [sys.executable, "-m", "ziglang", "cc"]


def digest() -> str:
    """The state of the sources, as native.py checks it; the package cannot be imported before it is built."""
    return str(runpy.run_path(str(ROOT / "src" / "duramen" / "source_digest.py"))["source_digest"](SOURCES))


def copy_tables(folder: Path) -> Path:
    """Write what the data files say into a file that is quicker to read than TOML, and name that file."""
    copies = runpy.run_path(str(ROOT / "src" / "duramen" / "toml_copies.py"))
    target = folder / str(copies["COPIES"].name)
    copies["write_copies"](ROOT / "src" / "duramen" / "data", target)
    return target


def module_name() -> str:
    return f"_native{sysconfig.get_config_var('EXT_SUFFIX')}"


def build(target: Path, objects: Path, extra: Sequence[str] = OPTIMIZED, command: Sequence[str] = ()) -> None:
    """Compile what changed since the objects were made, and link the module."""
    command = list(command or compiler())
    objects.mkdir(parents=True, exist_ok=True)
    flags = [*FLAGS, *WARNINGS, *extra, f"-I{sysconfig.get_path('include')}"]
    if sys.platform != "win32":
        flags.append("-fPIC")
    if os.environ.get("DURAMEN_STRICT"):
        flags.append("-Werror")
    stamp = objects / "flags"
    settings = " ".join([*command, *flags])
    newest = max(path.stat().st_mtime_ns for path in SOURCES.glob("*.h"))
    same = stamp.exists() and stamp.read_text(encoding="utf-8") == settings
    state = f'-DSOURCES_DIGEST="{digest()}"'

    def compiled(source: Path) -> Path:
        made = objects / f"{source.stem}.o"
        outdated = not made.exists() or made.stat().st_mtime_ns < max(newest, source.stat().st_mtime_ns)
        # module.c holds the digest of all sources, so it is always compiled.
        if not same or outdated or source.stem == "module":
            _run([*command, *flags, state, "-c", str(source), "-o", str(made)])
        return made

    sources = sorted(SOURCES.glob("*.c"))
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        made = list(pool.map(compiled, sources))
    stamp.write_text(settings, encoding="utf-8")
    linked = target.with_suffix(".part")
    _run([*command, "-shared", *_only(extra, "-fsanitize"), *map(str, made), "-o", str(linked), *_link_flags()])
    linked.replace(target)


def _only(flags: Iterable[str], start: str) -> list[str]:
    return [flag for flag in flags if flag.startswith(start)]


def _link_flags() -> list[str]:
    if sys.platform == "darwin":
        return ["-undefined", "dynamic_lookup"]
    if sys.platform == "win32":
        version = f"{sys.version_info.major}{sys.version_info.minor}"
        return [f"-L{Path(sys.base_prefix) / 'libs'}", f"-lpython{version}"]
    return ["-Wl,-z,relro,-z,now", "-lm"]


def _run(command: Sequence[str]) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=900)
    except (OSError, subprocess.SubprocessError) as error:
        why = str(getattr(error, "stderr", "") or error).strip()
        raise BuildError(f"the compiled core could not be built: {shlex.join(command)}\n{why[-4000:]}") from error


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sanitize", type=Path, metavar="DIR")
    parser.add_argument("--fuzz", type=Path, metavar="DIR")
    args = parser.parse_args()
    try:
        if args.fuzz:
            args.fuzz.mkdir(parents=True, exist_ok=True)
            found = next(
                filter(None, map(shutil.which, ("clang", "clang-14", "clang-19", "clang-18", "clang-17"))), None
            )
            if found is None:
                raise BuildError("--fuzz needs clang, which is not installed")
            build(args.fuzz / module_name(), args.fuzz / "objects", (*SANITIZED, *COUNTED), [found])
        elif args.sanitize:
            args.sanitize.mkdir(parents=True, exist_ok=True)
            build(args.sanitize / module_name(), args.sanitize / "objects", SANITIZED)
        else:
            build(ROOT / "src" / "duramen" / module_name(), ROOT / "build" / "core")
            copy_tables(ROOT / "src" / "duramen")
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
