"""The inspector in a real Chromium: clicked, typed into, looked at by width and theme, and attacked."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from security.vectors import OWN, SHARED, SOURCES, published

from .inspecting import Seen, opened, paste, show_example
from .process import TOKEN, running
from .site import HOSTILE, SHORT, Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

POKE = """
() => {
  const events = 'mouseover mouseenter mousedown mouseup pointerenter keydown keyup focus focusin blur input change'
    + ' submit toggle animationstart transitionend dragstart wheel contextmenu copy paste scroll begin click';
  let touched = 0;
  for (const frame of document.querySelectorAll('iframe')) {
    for (const element of frame.contentDocument.querySelectorAll('*')) {
      touched += 1;
      for (const name of events.split(' ')) element.dispatchEvent(new Event(name, { bubbles: true, cancelable: true }));
    }
  }
  return touched;
}
"""


def test_example_is_shown_in_three_panes(page: Page, seen: Seen) -> None:
    assert page.locator("#welcome").is_visible()
    show_example(page)
    assert page.locator("#welcome").is_hidden()
    summary = page.inner_text("#summary")
    assert "Reading a tree stump" in summary
    assert "good" in summary
    for pane in ("#pane-page", "#pane-result", "#pane-story"):
        assert page.locator(pane).is_visible()
    assert page.frame_locator("#preview").locator("h1").inner_text() == "Reading a tree stump"
    assert "Wide rings are good years" in page.frame_locator("#preview").locator("body").inner_text()
    for tab, words in {
        "markdown": "## Counting back",
        "text": "Counting back",
        "html": "<h2>",
        "json": '"verdict"',
    }.items():
        page.click(f"#tab-{tab}")
        assert words in page.inner_text(f"#out-{tab}")
        assert page.locator("#preview").is_hidden()
    story = page.inner_text("#story")
    for chapter in ("Reading", "Candidates", "Removed", "Quality"):
        assert chapter in story
    assert "HTML5" in story
    assert seen.errors == []


def test_rows_are_indented_by_their_depth(page: Page) -> None:
    show_example(page)
    places = page.locator(".row:visible").evaluate_all(
        """rows => rows.map((row) =>
          [Number(row.getAttribute('aria-level')), parseFloat(getComputedStyle(row).paddingLeft)])"""
    )
    assert len({level for level, _ in places}) > 3
    for level, indent in places:
        assert indent == pytest.approx(places[0][1] + (level - 1) * 0.85 * 16, abs=1), level


def test_block_tells_its_probability_and_evidence(page: Page, seen: Seen) -> None:
    show_example(page)
    page.click(".row.text.kept >> nth=0")
    told = page.inner_text("#block")
    assert re.search(r"\d+ %", told)
    assert "probability of being content" in told
    assert "Evidence for" in told
    assert page.locator("#block .for li").count() >= 1
    assert page.locator(".row[aria-selected=true]").count() == 1
    page.click(".row.text.dropped:visible >> nth=0")
    assert page.inner_text("#block h3").startswith("Dropped")
    page.keyboard.press("Escape")
    assert page.locator("#block").is_hidden()
    assert seen.errors == []


def test_rendering_and_structure_go_together(page: Page, seen: Seen) -> None:
    show_example(page)
    page.click("#tab-rendering")
    frame = page.frame_locator("#rendering")
    assert frame.locator(".kept").count() > 10
    assert frame.locator(".dropped").count() > 5
    frame.locator(".kept", has_text="Wide rings are good years").click()
    assert "Wide rings" in page.inner_text("#block blockquote")
    assert frame.locator(".chosen").count() >= 1
    page.click("#tab-structure")
    assert "Wide rings" in page.inner_text(".row[aria-selected=true]")
    assert seen.errors == []


def test_removal_leads_to_its_place(page: Page) -> None:
    show_example(page)
    page.locator("#story details", has_text="comments").first.evaluate("element => { element.open = true; }")
    page.locator("#story .places button", has_text="3 comments").click()
    row = page.locator(".row[aria-selected=true]")
    assert "3 comments" in row.inner_text()
    assert row.is_visible(), "what it stands in is opened"
    assert page.locator(".row.marked").count() >= 2, "all that went with it is marked"
    page.click("#story .card.won")
    assert page.locator(".row.marked").count() > 10


def test_ways_to_give_a_page(page: Page, site: Site, tmp_path: Path) -> None:
    paste(page, SHORT)
    assert "A flat board" in page.inner_text("#summary")
    file = tmp_path / "latin.html"
    file.write_bytes(SHORT.replace("A flat board", "Flächen").replace('<meta charset="utf-8">', "").encode("latin-1"))
    page.set_input_files("#file", file)
    page.wait_for_selector("#summary:has-text('Flächen')")
    page.fill("#url", site.url("/short"))
    page.press("#url", "Enter")
    page.wait_for_selector("#summary:has-text('A flat board')")
    assert "Step" in page.inner_text("#story")
    page.evaluate(
        """html => {
          const files = new DataTransfer();
          files.items.add(new File([html], 'dropped.html', { type: 'text/html' }));
          for (const name of ['dragenter', 'dragover', 'drop'])
            document.body.dispatchEvent(new DragEvent(name, { dataTransfer: files, bubbles: true, cancelable: true }));
        }""",
        SHORT.replace("A flat board", "A dropped board"),
    )
    page.wait_for_selector("#summary:has-text('A dropped board')")


def test_pasted_and_opened_pages_have_an_address(page: Page, tmp_path: Path) -> None:
    html = SHORT.replace("</p>", ' <a href="/glue">glue</a></p>')
    page.fill("#address", "boards.example/flat")
    paste(page, html)
    assert "https://boards.example/flat" in page.inner_text("#summary")
    assert 'href="https://boards.example/glue"' in (page.text_content("#out-html") or "")
    file = tmp_path / "page.html"
    file.write_text(html, encoding="utf-8")
    page.set_input_files("#file", file)
    page.wait_for_selector("#status:has-text('page.html')")
    assert "https://boards.example/flat" in page.inner_text("#summary")
    # Another address is used at once.
    with page.expect_response(re.compile("/inspect")):
        page.fill("#address", "https://other.example/")
        page.press("#address", "Tab")
    page.wait_for_selector("#summary:has-text('https://other.example/')")
    assert re.search(r"Read page\.html in (\d+ ms|\d+\.\d s)\.", page.inner_text("#status"))


def test_options_are_used_at_once(page: Page) -> None:
    show_example(page)
    assert "grandfather" not in (page.text_content("#out-text") or "")
    with page.expect_response(re.compile("comments=true")):
        page.check("#comments")
    page.wait_for_selector("#out-text:has-text('grandfather')", state="attached")


def test_what_goes_wrong_is_told(page: Page, site: Site) -> None:
    page.fill("#url", site.url("/nowhere"))
    page.click("#source button[type=submit]")
    page.wait_for_selector("#status.wrong")
    told = page.inner_text("#status")
    assert "404" in told and "/nowhere" in told and "previous page" not in told
    assert page.get_attribute("#status", "role") == "status"
    show_example(page)
    page.click("#source button[type=submit]")
    page.wait_for_selector("#status.wrong:has-text('previous page')")
    page.fill("#url", "http://no-such-port.example:99999/")
    page.press("#url", "Enter")
    page.wait_for_selector("#status.wrong:not(:has-text('404'))")
    assert page.locator("#status.wrong").is_visible()


def test_keyboard_alone(page: Page) -> None:
    page.focus("#example")
    page.keyboard.press("Enter")
    page.wait_for_selector(".row.text.kept")
    page.focus("#tree [tabindex='0']")
    page.keyboard.press("End")
    last = page.evaluate("document.activeElement.textContent")
    page.keyboard.press("Home")
    assert page.evaluate("document.activeElement.textContent") != last
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.getAttribute('aria-expanded')") == "false"
    assert page.locator(".row:visible").count() == 1
    page.keyboard.press("ArrowRight")
    while not page.evaluate("document.activeElement.classList.contains('kept')"):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.locator("#block").is_visible()
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.classList.contains('kept')"), "the focus comes back"
    page.focus("#tab-preview")
    page.keyboard.press("ArrowRight")
    assert page.get_attribute("#tab-markdown", "aria-selected") == "true"
    assert page.locator("#out-markdown").is_visible()


def test_everything_has_a_name(page: Page) -> None:
    show_example(page)
    page.click(".row.text.kept >> nth=0")
    page.click("#paste-open")
    nameless = page.evaluate(
        """() => [...document.querySelectorAll('button, input, select, textarea, iframe, [role=tree], [role=treeitem]')]
          .filter((element) => !(element.getAttribute('aria-label') || element.title || element.textContent.trim()
            || (element.labels && element.labels.length)))
          .map((element) => element.outerHTML)"""
    )
    assert nameless == []
    # What is heard holds what is seen, and no two regions have the same name.
    assert page.locator("[role=treeitem][aria-label]").count() == 0
    assert page.locator(".row.text.kept >> nth=0").inner_text().split()[0] == "kept"
    regions = page.evaluate(
        """() => [...document.querySelectorAll('section[aria-labelledby], section[aria-label], [role=region]')]
          .map((region) => region.getAttribute('aria-label')
            || document.getElementById(region.getAttribute('aria-labelledby')).textContent)"""
    )
    assert len(regions) >= 4 and len(set(regions)) == len(regions)
    assert page.evaluate("document.documentElement.lang") == "en"
    levels = page.evaluate("[...document.querySelectorAll('h1, h2, h3, h4')].map((heading) => heading.tagName)")
    assert levels.count("H1") == 1


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 768, 1600])
def test_every_width_and_theme(browser: Browser, service: str, width: int, theme: str) -> None:
    seen = Seen()
    scheme = "dark" if theme == "dark" else "light"
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    page = opened(context, service, seen)
    try:
        assert page.evaluate("document.documentElement.dataset.theme") == theme
        show_example(page)
        panes = ["page", "result", "story"]
        visible = [pane for pane in panes if page.locator(f"#pane-{pane}").is_visible()]
        assert visible == (panes if width > 1080 else ["page"])
        for pane in panes if width <= 1080 else []:
            page.click(f"#to-{pane}")
            assert page.locator(f"#pane-{pane}").is_visible()
        page.click("#to-page") if width <= 1080 else None
        page.click(".row.text.kept >> nth=0")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, "nothing sticks out"
        box, row = page.locator("#block").bounding_box(), page.locator(".row[aria-selected=true]").bounding_box()
        assert box is not None and row is not None
        assert box["width"] > 200
        assert row["y"] + row["height"] <= box["y"] + 1 and box["y"] + box["height"] <= 901, "both are in sight"
        page.click("#theme")
        assert page.evaluate("document.documentElement.dataset.theme") != theme
        assert (
            page.evaluate("document.getElementById('preview').contentDocument.documentElement.dataset.theme") != theme
        )
        assert seen.errors == []
    finally:
        context.close()


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", [":root {", ':root[data-theme="dark"] {'])
def test_text_stands_out_from_its_ground(root: Path, theme: str) -> None:
    css = (root / "src/duramen/inspector/static/inspector.css").read_text(encoding="utf-8")
    block = css[css.index(theme) : css.index("}", css.index(theme))]
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))
    pairs = [(ink, ground) for ink in ("ink", "muted", "faint", "dropped", "heart") for ground in ("panel", "paper")]
    pairs += [("ink", "kept"), ("heart-ink", "heart"), ("container", "container-soft"), ("heart", "heart-soft")]
    pairs += [(verdict, f"{verdict}-soft") for verdict in ("good", "partial", "poor", "empty")]
    for ink, ground in pairs:
        light, dark = sorted((luminance(colours[ink]), luminance(colours[ground])), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, f"{ink} on {ground}"


def test_attacks_do_nothing(page: Page, seen: Seen) -> None:
    published_ones = [vector for source in SOURCES for vector in published(source)] if SHARED.is_dir() else []
    vectors = [*OWN, *published_ones]
    filler = "<p>An honest paragraph about boards, long enough to be taken for content by any judge.</p>"
    for start in range(0, len(vectors), 60):
        batch = vectors[start : start + 60]
        parts = [f"{filler}<div>{vector.html}</div>{filler}" for vector in batch]
        paste(page, f"<title>{batch[0].html}</title><article>{''.join(parts)}</article>")
        page.click("#tab-rendering")
        assert page.evaluate(POKE) > 10
        for tab in ("markdown", "text", "html", "json", "preview"):
            page.click(f"#tab-{tab}")
        page.click("#tab-structure")
        if page.locator(".row.text:visible").count():
            page.click(".row.text:visible >> nth=0")
    page.wait_for_timeout(300)
    # The frame would not have let them anyway; but nothing even tried to.
    assert seen.errors == []
    own = [url for url in seen.requests if not re.search(r"/(inspect\?[^/]*|[\w.]*)$", url)]
    assert own == [], "a page that is looked at does not make the service work, either"


def test_frames_would_hold_even_what_is_not_sanitized(page: Page, seen: Seen) -> None:
    """The second wall: sandbox and policy, without the sanitizer."""
    show_example(page)
    for name in ("rendering", "preview"):
        sandbox = page.get_attribute(f"#{name}", "sandbox") or ""
        assert "allow-scripts" not in sandbox
        assert "allow-top-navigation" not in sandbox
    page.click("#tab-rendering")
    before = page.url
    raw = (
        "".join(vector.html for vector in OWN[:80])
        + '<img src="http://evil.example/pixel.png"><script>alert(1)</script>'
    )
    page.evaluate("html => { document.getElementById('rendering').srcdoc = html; }", raw)
    page.wait_for_timeout(500)
    assert [error for error in seen.errors if "duramen-hit" in error] == []
    assert page.url == before
    assert not [url for url in seen.requests if "evil.example" in url]


def test_policy_is_strict(service: str) -> None:
    import httpx2

    policy = httpx2.get(service).headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    page = httpx2.get(service).text
    assert not re.search(
        r"<script(?! src)|<style|\son\w+=|\sstyle=|https?://(?!www\.w3\.org)", page.replace("https://… ", "")
    )


def test_hostile_page_is_shown_harmlessly(page: Page, seen: Seen) -> None:
    paste(page, HOSTILE)
    assert "Boards" in page.inner_text("#summary h2")
    assert seen.errors == []


def test_token_is_asked_for(browser: Browser) -> None:
    seen = Seen()
    with running("serve", token=TOKEN) as (address, _):
        context = browser.new_context()
        page = opened(context, address, seen)
        page.click("#example")
        page.wait_for_selector("#ask[open]")
        page.fill("#token", TOKEN)
        page.click("#ask button[value=ok]")
        page.wait_for_selector(".row.text.kept")
        context.close()
