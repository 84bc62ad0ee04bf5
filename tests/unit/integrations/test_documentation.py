"""The examples of docs/integrations.md run, each with the real library."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from loopback import Loopback
from warc_records import warc_record

NEEDED = {
    "LangChain": "langchain_core",
    "LlamaIndex": "llama_index.core",
    "datatrove": "datatrove",
    "pandas, polars, Arrow": "polars",
}


def sections(root: Path) -> dict[str, str]:
    text = (root / "docs" / "integrations.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (.+)$", text, flags=re.M)[1:]
    return {
        name: "\n".join(re.findall(r"^```python\n(.*?)^```$", body, re.M | re.S))
        for name, body in zip(parts[::2], parts[1::2], strict=True)
    }


def need(module: str) -> None:
    if importlib.util.find_spec(module.partition(".")[0]) is None:
        pytest.skip(f"needs {module}: pip install 'duramen[integrations]'")


def test_every_section_with_code_is_tested(root: Path) -> None:
    assert {name for name, code in sections(root).items() if code} == {"Scrapy", *NEEDED}


@pytest.mark.parametrize("name", NEEDED)
def test_examples_run(root: Path, name: str, tmp_path: Path) -> None:
    need(NEEDED[name])
    code = sections(root)[name]
    if name == "datatrove":
        need("magic")
        (tmp_path / "crawl").mkdir()
        (tmp_path / "crawl" / "a.warc").write_bytes(warc_record(0, (root / "examples" / "article.html").read_text()))
        for folder in ("crawl", "out", "logs"):
            code = code.replace(f'"{folder}"', repr(str(tmp_path / folder)))
    assert "assert" in code
    script = tmp_path / "example.py"
    script.write_text(code, encoding="utf-8")
    done = subprocess.run([sys.executable, str(script)], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


def test_spider_runs(root: Path, server: Loopback, article_html: str, tmp_path: Path) -> None:
    need("scrapy")
    server.page("/beams", article_html)
    code = sections(root)["Scrapy"].replace("https://timber.example/beams", server.url("/beams"))
    assert server.url("/beams") in code
    (tmp_path / "spider.py").write_text(code, encoding="utf-8")
    command = [sys.executable, "-m", "scrapy", "runspider", "spider.py", "-O", "items.json", "-L", "ERROR"]
    subprocess.run([*command, "-s", "TELNETCONSOLE_ENABLED=0"], cwd=tmp_path, check=True, capture_output=True)
    items = json.loads((tmp_path / "items.json").read_text(encoding="utf-8"))
    assert {item["title"] for item in items if "title" in item} == {"Why old beams outlast new ones"}
    assert [item["words"] > 200 for item in items if "words" in item] == [True]
