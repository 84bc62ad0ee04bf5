"""Footnotes of every generator: references and notes, joined both ways."""

# ruff: noqa: E501 (markup as the generators write it reads better unbroken)

from __future__ import annotations

import pytest
from refine_shapes import BASE, canonical

from duramen.dom import fragment
from duramen.options import Output
from duramen.refine.standardize import standardize


def reference(number: int, label: str | None = None) -> str:
    return f'<sup data-footnote-ref="{number}"><a href="#fn-{number}">{label or number}</a></sup>'


def notes(*items: str) -> str:
    inner = "".join(f'<li id="fn-{number}">{item}</li>' for number, item in enumerate(items, 1))
    return f'<section data-footnotes=""><ol>{inner}</ol></section>'


ONE = f"<p>A claim{reference(1)}.</p>" + notes("<p>A source.</p>")
SHAPES = {
    "remark-gfm": (
        '<p>A claim<sup><a href="#user-content-fn-1" id="user-content-fnref-1" data-footnote-ref="" '
        'aria-describedby="footnote-label">1</a></sup>.</p><section data-footnotes="" class="footnotes"><h2 class="sr-only" '
        'id="footnote-label">Footnotes</h2><ol><li id="user-content-fn-1"><p>A source. <a href="#user-content-fnref-1" '
        'data-footnote-backref="" aria-label="Back to reference 1" class="data-footnote-backref">↩</a></p></li></ol></section>',
        ONE,
    ),
    "pandoc": (
        '<p>A claim<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a>.</p><section '
        'id="footnotes" class="footnotes footnotes-end-of-document" role="doc-endnotes"><hr><ol><li id="fn1"><p>A source.<a '
        'href="#fnref1" class="footnote-back" role="doc-backlink">↩︎</a></p></li></ol></section>',
        ONE,
    ),
    "python-markdown": (
        '<p>A claim<sup id="fnref:1"><a class="footnote-ref" href="#fn:1">1</a></sup>.</p><div class="footnote"><hr><ol><li '
        'id="fn:1"><p>A source.&#160;<a class="footnote-backref" href="#fnref:1" title="Jump back">&#8617;</a></p></li></ol>'
        "</div>",
        ONE,
    ),
    "kramdown": (
        '<p>A claim<sup id="fnref:a" role="doc-noteref"><a href="#fn:a" class="footnote" rel="footnote">1</a></sup>.</p><div '
        'class="footnotes" role="doc-endnotes"><ol><li id="fn:a" role="doc-endnote"><p>A source. <a href="#fnref:a" '
        'class="reversefootnote" role="doc-backlink">&#8617;</a></p></li></ol></div>',
        ONE,
    ),
    "goldmark": (
        '<p>A claim<sup id="fnref:1"><a href="#fn:1" class="footnote-ref" role="doc-noteref">1</a></sup>.</p><div '
        'class="footnotes" role="doc-endnotes"><hr><ol><li id="fn:1"><p>A source.&#160;<a href="#fnref:1" '
        'class="footnote-backref" role="doc-backlink">&#x21a9;&#xfe0e;</a></p></li></ol></div>',
        ONE,
    ),
    "docutils": (
        '<p>A claim<a class="footnote-reference brackets" href="#id2" id="id1" role="doc-noteref"><span class="fn-bracket">['
        '</span>1<span class="fn-bracket">]</span></a>.</p><aside class="footnote-list brackets"><aside class="footnote '
        'brackets" id="id2" role="doc-footnote"><span class="label"><span class="fn-bracket">[</span><a role="doc-backlink" '
        'href="#id1">1</a><span class="fn-bracket">]</span></span><p>A source.</p></aside></aside>',
        f"<p>A claim{reference(1, '[1]')}.</p>" + notes("<p>A source.</p>"),
    ),
    "docutils before 0.18": (
        '<p>A claim<a class="footnote-reference brackets" href="#id2" id="id1">1</a>.</p><dl class="footnote brackets"><dt '
        'class="label" id="id2"><span class="brackets"><a class="fn-backref" href="#id1">1</a></span></dt><dd><p>A source.'
        "</p></dd></dl>",
        ONE,
    ),
    "mediawiki": (
        '<p>A claim<sup id="cite_ref-x_1-0" class="reference"><a href="#cite_note-x-1"><span class="cite-bracket">[</span>1'
        '<span class="cite-bracket">]</span></a></sup>.</p><div class="reflist"><ol class="references"><li '
        'id="cite_note-x-1"><span class="mw-cite-backlink"><b><a href="#cite_ref-x_1-0">↑</a></b></span> <span '
        'class="reference-text">A source.</span></li></ol></div>',
        f"<p>A claim{reference(1, '[1]')}.</p>" + notes(" A source."),
    ),
    "wordpress": (
        '<p>A claim<sup data-fn="0a-1b" class="fn"><a href="#0a-1b" id="0a-1b-link">1</a></sup>.</p><ol '
        'class="wp-block-footnotes"><li id="0a-1b">A source. <a href="#0a-1b-link" aria-label="Jump to footnote reference 1">'
        "↩︎</a></li></ol>",
        f"<p>A claim{reference(1)}.</p>" + notes("A source."),
    ),
    "word": (
        '<p>A claim<a href="#_ftn1" name="_ftnref1"><sup>[1]</sup></a>.</p><div id="ftn1"><p><a href="#_ftnref1" '
        'name="_ftn1">[1]</a> A source.</p></div>',
        f"<p>A claim{reference(1, '[1]')}.</p>" + notes(" A source."),
    ),
    "one note, two references": (
        '<p>A<sup id="r1"><a href="#fn:1">1</a></sup> b<sup id="r2"><a href="#fn:1">1</a></sup></p><div class="footnotes"><ol>'
        '<li id="fn:1"><p>Src. <a href="#r1" class="footnote-backref">↩</a> <a href="#r2" class="footnote-backref">↩2</a></p>'
        "</li></ol></div>",
        f"<p>A{reference(1)} b{reference(1)}</p>" + notes("<p>Src.</p>"),
    ),
    "two references side by side": (
        '<p>A<sup><a href="#fn1">1</a>,<a href="#fn2">2</a></sup></p><section class="footnotes"><ol><li id="fn1">x</li><li '
        'id="fn2">y</li></ol></section>',
        f"<p>A{reference(1)},{reference(2)}</p>" + notes("x", "y"),
    ),
    "a note nobody refers to, in a list of notes": (
        '<p>A<sup><a href="#fn2">2</a></sup></p><ol class="footnotes"><li id="fn1">x</li><li id="fn2">y</li></ol>',
        f"<p>A{reference(1, '2')}</p><ol><li>x</li></ol>" + notes("y"),
    ),
    "notes before more text": (
        '<p>A<sup><a href="#fn1">1</a></sup></p><div class="footnotes"><ol><li id="fn1">x</li></ol></div><p>More.</p>',
        f"<p>A{reference(1)}</p><p>More.</p>" + notes("x"),
    ),
    "absolute address of this page": (
        f'<p>A<sup><a href="{BASE}#fn1">1</a></sup></p><div class="footnotes"><ol><li id="fn1">x</li></ol></div>',
        f"<p>A{reference(1)}</p>" + notes("x"),
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_shape(name: str) -> None:
    html, expected = SHAPES[name]
    assert canonical(html) == expected


@pytest.mark.parametrize("name", SHAPES)
def test_canonical_notes_stay(name: str) -> None:
    expected = SHAPES[name][1]
    assert canonical(expected) == expected
    assert canonical(expected, None) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<p>A<sup class="reference"><a href="#cite_note-1">[1]</a></sup>.</p>', "<p>A<sup>[1]</sup>.</p>"),
        ('<p>A<a class="footnote-ref" href="#fn1"><sup>1</sup></a>.</p>', "<p>A<sup>1</sup>.</p>"),
        ('<p>A<sup data-footnote-ref="9"><a href="#fn-9">9</a></sup></p>', "<p>A<sup>9</sup></p>"),
        (
            '<section data-footnotes><ol><li id="fn-1">x</li></ol></section>',
            '<section><ol><li id="fn-1">x</li></ol></section>',
        ),
    ],
)
def test_half_a_footnote_is_none(html: str, expected: str) -> None:
    assert canonical(html) == expected


BODY = "Oak heartwood is hard and durable."


@pytest.mark.parametrize(
    ("mark", "note", "label"),
    [
        # The way back looks like a reference itself, and its target is in the article.
        (
            '<a class="footnote-anchor" id="footnote-anchor-1" href="#footnote-1">1</a>',
            '<div class="footnote"><a id="footnote-1" href="#footnote-anchor-1" class="footnote-number">1</a><div class="footnote-content"><p>A source.</p></div></div>',
            "1",
        ),
        (
            '<sup><a href="#ftnt1" id="ftnt_ref1">[1]</a></sup>',
            '<div><p><a href="#ftnt_ref1" id="ftnt1">[1]</a>A source.</p></div>',
            "[1]",
        ),
        (
            '<a href="#_ftn1" name="_ftnref1"><sup>[1]</sup></a>',
            '<div id="ftn1"><p><a href="#_ftnref1" name="_ftn1"><sup>[1]</sup></a>A source.</p></div>',
            "[1]",
        ),
        (
            '<a name="back1" href="#note1"><sup>1</sup></a>',
            '<p><sup><a name="note1" href="#back1">1</a></sup>A source.</p>',
            "1",
        ),
        (
            '<sup id="footnote_ref_1"><a href="#footnote_1">1</a></sup>',
            '<p id="footnote_1"><a href="#footnote_ref_1">1</a>A source.</p>',
            "1",
        ),
    ],
)
def test_the_way_back_is_no_reference(mark: str, note: str, label: str) -> None:
    expected = f"<p>{BODY}{reference(1, label)} It is dark.</p>"
    html = canonical(f"<p>{BODY}{mark} It is dark.</p>{note}")
    assert html.startswith(expected) and html.count("data-footnote-ref") == 1
    assert html.removeprefix(expected) in (notes("A source."), notes("<p>A source.</p>"))


def test_the_way_back_may_come_first() -> None:
    note = '<p><sup><a id="n1" href="#r1">1</a></sup> A source.</p>'
    html = canonical(f'{note}<p>{BODY}<sup><a id="r1" href="#n1">1</a></sup></p>')
    assert html == f"<p>{BODY}{reference(1)}</p>" + notes(" A source.")


def test_empty_named_anchors() -> None:
    html = canonical(
        f'<p><a name="note1back"></a>{BODY}<a href="#note1"><sup>1</sup></a></p>'
        '<p><a name="note1"></a><a href="#note1back">1</a> A source.</p>'
    )
    assert html == f"<p>{BODY}{reference(1)}</p>" + notes(" A source.")


def test_a_place_in_the_middle_of_a_paragraph_is_no_note() -> None:
    html = canonical(f'<p>See <a href="#note1">1</a>.</p><p>{BODY} <a name="note1">It</a> is dark.</p>')
    assert html == f"<p>See <sup>1</sup>.</p><p>{BODY} It is dark.</p>"


def test_a_block_of_several_notes_is_none_of_them() -> None:
    html = canonical(
        '<p>A<a href="#note1">1</a> b<a href="#note2">2</a></p>'
        '<div><a name="note1">1</a> x<br><a name="note2">2</a> y</div>'
    )
    assert html == "<p>A<sup>1</sup> b<sup>2</sup></p><p>1 x<br>2 y</p>"


def test_of_notes_that_only_refer_to_each_other_one_is_text() -> None:
    html = canonical(
        '<p>A</p><div class="footnotes"><ol><li id="fn1">x<sup><a href="#fn2">2</a></sup></li>'
        '<li id="fn2">y <sup><a href="#fn1">1</a></sup></li></ol></div>'
    )
    assert html == f"<p>A</p><ol><li>x{reference(1, '2')}</li></ol>" + notes("y")


def test_a_reference_lost_on_the_way_leaves_no_definition() -> None:
    html = canonical(
        '<div class="admonition note"><div class="title"><p>Oaks<sup><a href="#fn1">1</a></sup></p></div><p>a</p></div>'
        '<section class="footnotes"><ol><li id="fn1">x</li></ol></section>'
    )
    assert (
        html == '<blockquote data-callout="note"><p><strong>Oaks1</strong></p><p>a</p></blockquote><ol><li>x</li></ol>'
    )


def test_a_mark_in_preformatted_text_is_no_reference() -> None:
    html = canonical('<pre>Oaks live long <a href="#fn1">1</a> and elms do not</pre><p id="fn1">x</p>')
    assert html == f'<pre>Oaks live long <a href="{BASE}#fn1">1</a> and elms do not</pre><p>x</p>'


def test_a_link_to_a_section_is_no_footnote() -> None:
    html = '<p>See <a href="#setup">setup</a> 10<sup>2</sup>.</p><h2 id="setup">Setup</h2>'
    assert canonical(html) == f'<p>See <a href="{BASE}#setup">setup</a> 10<sup>2</sup>.</p><h2>Setup</h2>'


def test_sidenotes_become_footnotes() -> None:
    html = (
        '<p>Oak is old<label for="s" class="margin-toggle sidenote-number"></label><input type="checkbox" id="s"'
        ' class="margin-toggle"><span class="sidenote">Some are a <em>thousand</em> years old.</span> and strong.</p>'
    )
    assert canonical(html) == (
        '<p>Oak is old<sup data-footnote-ref="1"><a href="#fn-1">1</a></sup> and strong.</p>'
        '<section data-footnotes=""><ol><li id="fn-1">Some are a <em>thousand</em> years old.</li></ol></section>'
    )


def test_a_note_that_is_a_table() -> None:
    mark = '<p>A claim<a class="footnote-reference" href="#id2" id="id1">[1]</a>.</p>'
    note = '<table class="docutils footnote" id="id2"><tr><td class="label"><a href="#id1">[1]</a></td><td>A source.</td></tr></table>'
    assert canonical(mark + note) == f"<p>A claim{reference(1, '[1]')}.</p>" + notes("A source.")


LITERATURE = (
    '<ol class="references"><li id="r1">Doe, Rivers.</li><li id="r2"><p>Roe, Boats.</p><p><a href="/doi">DOI</a></p></li>'
    '<li id="r3"><span>[3]</span><span>Poe, Oars.</span></li></ol>'
)


def test_numbers_in_brackets_refer_to_a_list_of_literature() -> None:
    html = canonical(f'<p>Known [<a href="#r1">1</a>, <a href="#r3">3</a>].</p>{LITERATURE}')
    left = '<ol><li><p>Roe, Boats.</p><p><a href="https://example.org/doi">DOI</a></p></li></ol>'
    assert html == f"<p>Known {reference(1)}, {reference(2, '3')}.</p>{left}" + notes("Doe, Rivers.", "Poe, Oars.")


def test_a_note_is_the_whole_item_that_begins_with_it() -> None:
    html = LITERATURE.replace('<li id="r2"><p>', '<li><p id="r2">')
    assert canonical(f'<p>Known<sup><a href="#r2">2</a></sup>.</p>{html}').endswith(
        notes('<p>Roe, Boats.</p><p><a href="https://example.org/doi">DOI</a></p>')
    )


@pytest.mark.parametrize("listing", ['<ol class="steps"><li id="r1">Row.</li></ol>', '<h2 id="r1">One</h2>'])
def test_numbers_in_brackets_may_lead_elsewhere(listing: str) -> None:
    assert "data-footnote-ref" not in canonical(f'<p>See [<a href="#r1">1</a>].</p>{listing}<p>x</p>')


def test_items_that_stay_keep_their_numbers() -> None:
    root = fragment(f'<p>Known<sup><a href="#r1">1</a></sup>.</p>{LITERATURE}')
    standardize(root, BASE, Output())
    assert [item.attr("value") for item in root.iter_elements("li")] == ["2", "3", None]
