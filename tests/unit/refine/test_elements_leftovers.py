"""Shortcodes and pointers to other articles go; what only looks like them stays."""

from __future__ import annotations

import pytest
from refine_shapes import canonical

PROSE = "<p>Oak heartwood is dense and dark, and it resists decay for decades when it is kept dry and well aired.</p>"
TITLE = "Ten trees that every builder should know"
LINK = f'<a href="https://example.org/trees">{TITLE}</a>'


@pytest.mark.parametrize(
    "html",
    [
        '[vc_row][vc_column width="1/2"]Oak.[/vc_column][/vc_row]',
        '[caption id="a1" align="left"]Oak.[/caption]',
        "Oak.[gallery ids=“1,2”]",
        '[et_pb_text admin_label="Text"]Oak.[/et_pb_text]',
    ],
)
def test_shortcodes_go(html: str) -> None:
    assert canonical(f"<p>{html}</p>") == "<p>Oak.</p>"


@pytest.mark.parametrize(
    "html",
    [
        "Oak[1] [sic] [link](url) [a link](b)",
        "<code>[vc_row]</code>",
        "a[video] [gallery] x[row] [/path]",
        "[the oak = old]",
    ],
)
def test_other_brackets_stay(html: str) -> None:
    assert canonical(f"<p>{html}</p>") == f"<p>{html}</p>"


@pytest.mark.parametrize(
    "label", ["Read also:", "<strong>Lesen Sie auch:</strong>", "Lea también:", "À lire :", "延伸阅读："]
)
def test_pointers_go(label: str) -> None:
    assert canonical(f"{PROSE}<p>{label} {LINK}</p>{PROSE}") == PROSE * 2


@pytest.mark.parametrize(
    "html",
    [
        f"{PROSE}<p>Source: {LINK}</p>{PROSE}",
        f"{PROSE}<p>Download: {LINK}</p>{PROSE}",
        f'{PROSE}<p>Read also: <a href="https://other.example/trees">{TITLE}</a></p>{PROSE}',
        f'{PROSE}<p>Read also: <a href="https://example.org/trees.pdf">{TITLE}</a></p>{PROSE}',
        f"{PROSE}<p>Read also: {LINK}, which is long.</p>{PROSE}",
        f"{PROSE}<p>Read also {LINK}</p>{PROSE}",
        f"{PROSE}<p>Read also: {LINK}</p>",
        f"{PROSE}<h2>See also</h2><p>Read also: {LINK}</p>{PROSE}",
        f"{PROSE}<ul><li>Read also: {LINK}</li></ul>{PROSE}",
        f"{PROSE}<p>Read also: {LINK}</p><p>Read also: {LINK}</p>{PROSE}",
    ],
)
def test_other_links_stay(html: str) -> None:
    assert canonical(html) == html
