"""The picture in the README: the inspector beside the example page that it ships, as a real Chromium shows it.

scripts/docs picture       writes docs/inspector.png
"""

from __future__ import annotations

import sys
from pathlib import Path

from conftest import find_chromium
from playwright.sync_api import sync_playwright
from servers.process import running

PICTURE = Path(__file__).resolve().parents[2] / "docs" / "inspector.png"


def main() -> int:
    with running("serve") as (address, _), sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 880}, color_scheme="light")
        page.goto(address)
        page.click("#example")
        page.wait_for_selector(".row.text.kept")
        page.screenshot(path=PICTURE)
        browser.close()
    print(f"{PICTURE.name}: {PICTURE.stat().st_size // 1024} KB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
