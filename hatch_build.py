"""Puts the compiled core and copies of the tables into the wheel; asks for a compiler where the machine has none."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent))
# Building leaves nothing beside the sources, compiled Python neither.
_written, sys.dont_write_bytecode = sys.dont_write_bytecode, True
try:
    import native_build
finally:
    sys.dont_write_bytecode = _written


class NativeBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        if self.target_name != "wheel" or native_build.machine_compiler():
            return []
        return [native_build.ZIG]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        name = native_build.module_name()
        if version == "editable":
            # An editable install runs from the checkout, so what is built has to be there; git ignores it.
            package = Path(self.root) / "src" / "duramen"
            native_build.build(package / name, Path(self.root) / "build" / "core")
            native_build.copy_tables(package)
        else:
            self.scratch = tempfile.TemporaryDirectory(prefix="duramen-core-")
            built = Path(self.scratch.name) / name
            native_build.build(built, Path(self.scratch.name) / "objects")
            copies = native_build.copy_tables(built.parent)
            build_data["force_include"] |= {str(path): f"duramen/{path.name}" for path in (built, copies)}
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        scratch = getattr(self, "scratch", None)
        if scratch is not None:
            scratch.cleanup()
