"""A ``<pre>`` that is text keeps its links; one that is code keeps its bytes."""

from __future__ import annotations

import pytest
from refine_shapes import canonical

from duramen.dom import fragment

STANDARD = (
    '<pre class="newpage"><span class="grey">Draft of a standard          May 2024</span>\n\n'
    '<span class="h2"><a class="selflink" name="s-1" href="#s-1">1</a>.  Terms</span>\n\n'
    '   The words of <a href="/bcp/14">BCP 14</a> are used as it says,\n   and <i>only</i> so.\n</pre>'
)


def test_text_set_by_hand_keeps_its_links_and_lines() -> None:
    root = fragment(canonical(STANDARD))
    (pre,) = root.iter_elements("pre")
    assert [(a.text, a.attr("href")) for a in pre.iter_elements("a")] == [
        ("1", "https://example.org/docs/page#s-1"),
        ("BCP 14", "https://example.org/bcp/14"),
    ]
    assert [e.tag for e in pre.iter_elements()] == ["a", "a"]
    assert "\n   The words of BCP 14 are used as it says,\n   and only so." in pre.text


def test_it_is_stable() -> None:
    once = canonical(STANDARD)
    assert canonical(once) == once


@pytest.mark.parametrize(
    "html",
    [
        '<pre><code>use <a href="/fs">std::fs</a> and more words</code></pre>',
        '<div class="highlight-python"><pre>from <a href="/x">x</a> import y as other name</pre></div>',
        '<pre>if (x) { <a href="/y">y</a>(); } else { return z; }</pre>',
        "<pre>no link at all in these words</pre>",
    ],
)
def test_code_holds_text_only(html: str) -> None:
    root = fragment(canonical(html))
    assert [e.tag for e in root.iter_elements()] == ["pre", "code"]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            '<div style="white-space: pre; font-family: monospace">if x:\n    y = 1</div>',
            "<pre><code>if x:\n    y = 1</code></pre>",
        ),
        ('<p style="white-space:pre-line">Oak\nand elm</p>', "<p>Oak<br>and elm</p>"),
        ('<p style="white-space: nowrap">Oak\nand elm</p>', "<p>Oak\nand elm</p>"),
        ('<div style="white-space: pre-wrap"><p>Oak\nand</p><p>elm</p></div>', "<p>Oak\nand</p><p>elm</p>"),
    ],
)
def test_white_space_kept_by_style(html: str, expected: str) -> None:
    assert canonical(html) == expected
