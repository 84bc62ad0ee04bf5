"""Builds the compiled core with the machine's C compiler; where there is none, Duramen runs in Python alone.

``DURAMEN_PURE=1`` builds without it; ``DURAMEN_NATIVE=1`` makes a missing compiler an error, as wheels for others need.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class NativeBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel" or os.environ.get("DURAMEN_PURE"):
            return
        root = Path(self.root)
        target = root / "src" / "duramen" / f"_native{sysconfig.get_config_var('EXT_SUFFIX')}"
        sources = sorted((root / "src" / "native").glob("*.c"))
        command = [
            *shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"),
            *("-std=gnu11", "-O3", "-fPIC", "-shared", "-DNDEBUG", "-fvisibility=hidden"),
            *(["-undefined", "dynamic_lookup"] if sys.platform == "darwin" else []),
            f"-I{sysconfig.get_path('include')}",
            *map(str, sources),
            *("-o", str(target), "-lm"),
        ]
        try:
            target.unlink(missing_ok=True)
            subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
        except (OSError, subprocess.SubprocessError) as error:
            why = str(getattr(error, "stderr", "") or error).strip()
            if os.environ.get("DURAMEN_NATIVE"):
                raise RuntimeError(f"the compiled core could not be built: {why}") from error
            self.app.display_warning(f"Duramen is built without its compiled core and runs slower: {why[:500]}")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["artifacts"].append(f"/{target.relative_to(root).as_posix()}")
