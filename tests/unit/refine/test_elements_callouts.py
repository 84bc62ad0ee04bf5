"""Callouts of documentation generators."""

# ruff: noqa: E501 (markup as the generators write it reads better unbroken)

from __future__ import annotations

import pytest
from refine_shapes import canonical


def callout(kind: str, body: str, title: str | None = None) -> str:
    head = f"<p><strong>{title}</strong></p>" if title else ""
    return f'<blockquote data-callout="{kind}">{head}{body}</blockquote>'


BODY = "<p>Back up your files first.</p>"
SHAPES = {
    "sphinx": (f'<div class="admonition note"><p class="admonition-title">Note</p>{BODY}</div>', callout("note", BODY)),
    "sphinx, own title": (
        f'<div class="admonition-before-you-start admonition"><p class="admonition-title">Before you start</p>{BODY}</div>',
        callout("note", BODY, "Before you start"),
    ),
    "sphinx, see also": (
        f'<div class="admonition seealso"><p class="admonition-title">See also</p>{BODY}</div>',
        callout("note", BODY, "See also"),
    ),
    "mkdocs": (
        f'<div class="admonition danger"><p class="admonition-title">Danger</p>{BODY}</div>',
        callout("caution", BODY),
    ),
    "material, folded": (
        f'<details class="warning" open="open"><summary>Old <code>API</code></summary>{BODY}</details>',
        f"<details><summary>Old <code>API</code></summary>{BODY}</details>",
    ),
    "material, folded admonition": (
        f'<details class="admonition warning"><summary>Old <code>API</code></summary>{BODY}</details>',
        callout("warning", BODY, "Old <code>API</code>"),
    ),
    "docusaurus": (
        '<div class="theme-admonition theme-admonition-tip admonition_xJq3 alert alert--success"><div '
        'class="admonitionHeading_Gvgb"><span class="admonitionIcon_Rf37"><svg></svg></span>tip</div><div '
        f'class="admonitionContent_BuS1">{BODY}</div></div>',
        callout("tip", BODY),
    ),
    "docusaurus, own title": (
        '<div class="theme-admonition theme-admonition-danger alert alert--danger"><div class="admonitionHeading_Gvgb"><span '
        f'class="admonitionIcon_Rf37"><svg></svg></span>Read this</div><div>{BODY}</div></div>',
        callout("caution", BODY, "Read this"),
    ),
    "github": (
        '<div class="markdown-alert markdown-alert-important"><p class="markdown-alert-title"><svg class="octicon"></svg>'
        f"Important</p>{BODY}</div>",
        callout("important", BODY),
    ),
    "github, not rendered": (
        "<blockquote><p>[!WARNING]<br>Back up your files first.</p></blockquote>",
        callout("warning", BODY),
    ),
    "obsidian": (
        '<div data-callout="info" class="callout"><div class="callout-title"><div class="callout-icon"><svg></svg></div><div '
        f'class="callout-title-inner">Info</div></div><div class="callout-content">{BODY}</div></div>',
        callout("note", BODY),
    ),
    "bootstrap": (
        '<div class="alert alert-warning" role="alert">Back up your files first.</div>',
        callout("warning", BODY),
    ),
    "docsy": (
        f'<div class="alert alert-info" role="alert"><h4 class="alert-heading">Mind the gap</h4>{BODY}</div>',
        callout("note", BODY, "Mind the gap"),
    ),
    "vitepress": (
        f'<div class="tip custom-block"><p class="custom-block-title">TIP</p>{BODY}</div>',
        callout("tip", BODY),
    ),
    "starlight": (
        '<aside aria-label="Caution" class="starlight-aside starlight-aside--caution"><p class="starlight-aside__title" '
        f'aria-hidden="true"><svg></svg>Caution</p><div class="starlight-aside__content">{BODY}</div></aside>',
        callout("caution", BODY),
    ),
    "nextra": (
        '<div class="nextra-callout x:overflow-x-auto x:border-yellow-100 x:bg-yellow-50"><div class="x:select-none"></div>'
        f'<div class="x:w-full">{BODY}</div></div>',
        callout("warning", BODY),
    ),
    "hugo book": (f'<blockquote class="book-hint info">{BODY}</blockquote>', callout("note", BODY)),
    "gitbook": (f'<div class="hint hint-danger"><i class="icon"></i>{BODY}</div>', callout("caution", BODY)),
    "docsify": (f'<div class="alert callout attention">{BODY}</div>', callout("warning", BODY)),
    "mdn": (
        '<div class="notecard warning"><p><strong>Warning:</strong> Back up your files first.</p></div>',
        callout("warning", "<p> Back up your files first.</p>"),
    ),
    "asciidoctor": (
        '<div class="admonitionblock tip"><table><tr><td class="icon"><div class="title">Tip</div></td><td class="content">'
        "Back up your files first.</td></tr></table></div>",
        callout("tip", BODY),
    ),
    "quarto": (
        '<div class="callout callout-style-default callout-tip callout-titled"><div class="callout-header"><div '
        'class="callout-icon-container"><i class="callout-icon"></i></div><div class="callout-title-container">Save often'
        f'</div></div><div class="callout-body-container callout-body">{BODY}</div></div>',
        callout("tip", BODY, "Save often"),
    ),
    "only called a note, and says so": (
        f'<div class="note"><div class="marker">Note</div>{BODY}</div>',
        callout("note", BODY),
    ),
    "nested": (
        '<div class="admonition note"><p class="admonition-title">Note</p><p>Outer.</p><div class="admonition tip"><p '
        'class="admonition-title">Tip</p><p>Inner.</p></div></div>',
        callout("note", "<p>Outer.</p>" + callout("tip", "<p>Inner.</p>")),
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_shape(name: str) -> None:
    html, expected = SHAPES[name]
    assert canonical(html) == expected


@pytest.mark.parametrize("name", SHAPES)
def test_canonical_callout_stays(name: str) -> None:
    expected = SHAPES[name][1]
    assert canonical(expected) == expected


@pytest.mark.parametrize(
    "html",
    [
        '<div class="alert alert-success alert-dismissible">Your changes have been saved.</div>',
        '<div class="alert alert-info">Saved.</div>',
        '<div class="note">An ordinary remark about the weather.</div>',
        '<div class="callout">Subscribe to our letter.</div>',
        '<p class="tip">A tip of the hat.</p>',
    ],
)
def test_not_a_callout(html: str) -> None:
    assert "data-callout" not in canonical(html)


def test_a_foreign_mark_is_read_or_dropped() -> None:
    assert canonical('<blockquote data-callout="danger"><p>x</p></blockquote>') == callout("caution", "<p>x</p>")
    assert canonical('<blockquote data-callout="odd"><p>x</p></blockquote>') == "<blockquote><p>x</p></blockquote>"


def test_a_folded_box_of_no_type_stays_folded() -> None:
    folded = "<summary>Details</summary><p>x</p></details>"
    assert canonical(f'<details class="details custom-block">{folded}') == f"<details>{folded}"
    assert canonical(f'<details class="details custom-block warning">{folded}') == callout(
        "warning", "<p><strong>Details</strong></p><p>x</p>"
    )


def test_boxes_of_editors() -> None:
    ghost = '<div class="kg-card kg-callout-card"><div class="kg-callout-emoji">💡</div><div class="kg-callout-text">x</div></div>'
    assert canonical(ghost) == callout("note", "<p>x</p>")
    macro = '<div class="confluence-information-macro confluence-information-macro-warning"><p class="title">Mind</p><div><p>x</p></div></div>'
    assert canonical(macro) == callout("warning", "<p><strong>Mind</strong></p><p>x</p>")
