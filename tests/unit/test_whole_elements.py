"""From a page to its Markdown: what belongs together stays together, whatever the judge says of its parts."""

# ruff: noqa: E501 (markup as the generators write it reads better unbroken)

from __future__ import annotations

import pytest

import duramen

PROSE = (
    "Oak heartwood is hard, dark and durable, and for centuries shipwrights chose it for keels and ribs of the ships they "
    "built. Its pores are closed by tyloses, which keep water out of the barrel and the hull alike."
)


def markdown(body: str, head: str = "") -> str:
    page = f"<title>Oak and ships</title>{head}<main><article><h1>Oak and ships</h1><p>{PROSE}</p>{body}<p>{PROSE}</p></article></main>"
    made = duramen.extract(page, "https://oak.example/a").markdown
    assert made.count(PROSE) == 2
    return made.replace(PROSE, "").strip()


LISTINGS = {
    "rehype-pretty-code": '<figure data-rehype-pretty-code-figure=""><figcaption data-rehype-pretty-code-title="" data-language="ts">oak.ts</figcaption><pre data-language="ts"><code data-language="ts"><span data-line=""><span>let</span> oak = 1;</span></code></pre></figure>',
    "Expressive Code": '<div class="expressive-code"><figure class="frame has-title"><figcaption class="header"><span class="title">oak.ts</span></figcaption><pre data-language="ts"><code><div class="ec-line"><div class="code">let oak = 1;</div></div></code></pre><div class="copy"><button data-code="x"></button></div></figure></div>',
    "Docusaurus": '<div class="language-ts codeBlockContainer_Ckt0"><div class="codeBlockTitle_Ktv7">oak.ts</div><div class="codeBlockContent_biex"><pre class="prism-code language-ts"><code><span class="token-line">let oak = 1;<br></span></code></pre><div><button type="button">Copy</button></div></div></div>',
    "MkDocs": '<div class="language-ts highlight"><span class="filename">oak.ts</span><pre><span></span><code><a id="__codelineno-0-1"></a>let oak = 1;\n</code></pre></div>',
}


@pytest.mark.parametrize("name", LISTINGS)
def test_a_listing_keeps_its_title(name: str) -> None:
    assert markdown(LISTINGS[name]) == "oak.ts\n\n```ts\nlet oak = 1;\n```"


def test_the_name_of_a_language_above_a_listing_is_no_title() -> None:
    page = '<div class="language-ts"><span>ts</span><pre><code>let oak = 1;</code></pre></div>'
    assert markdown(page) == "```ts\nlet oak = 1;\n```"


NOTES = {
    "an empty place in a list": '<p>First claim<span class="easy-footnote"><a href="#easy-footnote-bottom-1-12" title="A source."><sup>1</sup></a></span> holds.</p><ol class="easy-footnotes-wrapper"><li class="easy-footnote-single"><span id="easy-footnote-bottom-1-12" class="easy-footnote-margin-adjust"></span>A source.<a class="easy-footnote-to-top" href="#easy-footnote-1-12"></a></li></ol>',
    "an empty anchor": '<p>First claim<a href="#fn_3">[3]</a> holds.</p><p><a name="fn_3"></a>[3] A source.</p>',
    "LaTeXML": '<p>First claim<span id="footnote1" class="ltx_note ltx_role_footnote"><sup class="ltx_note_mark">1</sup><span class="ltx_note_outer"><span class="ltx_note_content"><sup class="ltx_note_mark">1</sup><span class="ltx_tag ltx_tag_note">1</span>A source.</span></span></span> holds.</p>',
    "Modern Footnotes": '<p>First claim<sup class="modern-footnotes-footnote" data-mfn="1"><a href="javascript:void(0)" role="button">1</a></sup><span class="modern-footnotes-footnote__note" data-mfn="1">A source.</span> holds.</p>',
    "a mark written out": '<p>First claim<sup><a href="#note1" id="ref1">1</a></sup> holds.</p><p id="note1">1. A source. <a href="#ref1">Back</a></p>',
}


@pytest.mark.parametrize("name", NOTES)
def test_a_note_is_found_and_loses_its_mark(name: str) -> None:
    found = markdown(NOTES[name])
    assert found.startswith("First claim[^1] holds.")
    assert found.split("[^1]:")[1].strip() == "A source."


def test_a_number_that_a_note_begins_with_stays() -> None:
    page = '<p>First claim<sup><a href="#fn1" id="r1">1</a></sup> holds.</p><ol class="footnotes"><li id="fn1">1 metre is long. <a href="#r1">↩</a></li></ol>'
    assert "[^1]: 1 metre is long." in markdown(page)


EQUATION = '<table class="ltx_equation ltx_eqn_table"><tbody><tr class="ltx_equation ltx_eqn_row"><td></td><td class="ltx_eqn_cell"><math alttext="\\displaystyle F=ma" class="ltx_Math" display="block"><semantics><mi>F</mi></semantics></math></td><td></td><td class="ltx_eqn_cell"><span class="ltx_tag">(1)</span></td></tr></tbody></table>'
ALIGNED = '<table class="ltx_eqn_table"><tr><td><math alttext="\\displaystyle a" display="inline"><mi>a</mi></math></td><td><math alttext="\\displaystyle=b" display="inline"><mo>=</mo><mi>b</mi></math></td><td>(2)</td></tr><tr><td></td><td><math alttext="\\displaystyle=c" display="inline"><mo>=</mo><mi>c</mi></math></td><td>(3)</td></tr></table>'


def test_a_formula_set_by_a_table_is_a_paragraph_with_its_number() -> None:
    assert markdown(EQUATION) == r"$$F=ma \tag{1}$$"
    assert markdown(f"<p>We have:</p>{ALIGNED}<p>And so on.</p>").split("\n\n")[1:3] == [
        r"$$a =b \tag{2}$$",
        r"$$=c \tag{3}$$",
    ]


def test_a_table_of_formulas_and_words_stays_one() -> None:
    table = (
        "<table><tr><th>Name</th><th>Formula</th></tr><tr><td>Area</td><td><math><mi>a</mi></math></td></tr></table>"
    )
    assert "| Area | $a$ |" in markdown(table)


def test_dollars_that_the_handler_of_a_script_names_are_delimiters() -> None:
    handler = "renderMathInElement(document.body, {delimiters: [{left: '$', right: '$', display: false}]})"
    head = f'<script defer src="/katex/auto-render.min.js" onload="{handler}"></script>'
    assert markdown("<p>Energy $E = mc^2$ holds.</p>", head) == "Energy $E = mc^2$ holds."
    assert markdown("<p>Energy $E = mc^2$ holds.</p>") == r"Energy \$E = mc^2\$ holds."


def test_tex_that_an_editor_marks_is_a_formula() -> None:
    assert markdown(r'<p>Energy <span class="math-tex">\(E=mc^2\)</span> holds.</p>') == "Energy $E=mc^2$ holds."


def test_white_space_between_the_tokens_of_a_line_is_a_space() -> None:
    lines = '<div class="line"><code class="sql keyword">SELECT</code> <code class="sql plain">1</code></div><div class="line"><code class="sql plain">FROM t;</code></div>'
    assert markdown(f'<div class="syntaxhighlighter sql">{lines}</div>') == "```sql\nSELECT 1\nFROM t;\n```"


def test_the_attribute_language_names_the_language() -> None:
    assert markdown('<pre language="bash"><code>npm install oak</code></pre>').startswith("```bash\n")
