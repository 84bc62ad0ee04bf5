"""Formulas: LaTeX, whatever drew them."""

# ruff: noqa: E501 (markup as the generators write it reads better unbroken)

from __future__ import annotations

import time

import pytest
from refine_shapes import canonical

from duramen import extract
from duramen.dom import fragment
from duramen.flatten import parse_tree
from duramen.options import Output
from duramen.refine.elements.mathml import to_latex
from duramen.refine.elements.tex import opening_delimiters, tex_in_address
from duramen.refine.standardize import standardize


def inline(latex: str) -> str:
    return f'<span data-math="inline">{latex}</span>'


def display(latex: str) -> str:
    return f'<span data-math="display">{latex}</span>'


MATHML = (
    "<math><semantics><mrow><msup><mi>a</mi><mn>2</mn></msup></mrow>"
    '<annotation encoding="application/x-tex">a^2</annotation></semantics></math>'
)
SHAPES = {
    "katex": (
        f'<p>So <span class="katex"><span class="katex-mathml">{MATHML}</span><span class="katex-html" aria-hidden="true">'
        "<span>a</span><span>2</span></span></span>.</p>",
        f"<p>So {inline('a^2')}.</p>",
    ),
    "katex display": (
        f'<span class="katex-display"><span class="katex"><span class="katex-mathml">{MATHML}</span><span class="katex-html">'
        "a2</span></span></span>",
        f"<p>{display('a^2')}</p>",
    ),
    "mathjax 2": (
        '<p>So <span class="MathJax_Preview"></span><span class="MathJax" id="m1"><nobr>a2</nobr><span '
        'class="MJX_Assistive_MathML"><math><mi>a</mi></math></span></span><script type="math/tex" id="e1">a^2</script>.</p>',
        f"<p>So {inline('a^2')}.</p>",
    ),
    "mathjax 2 display": (
        '<div class="MathJax_Display"><span class="MathJax">a2</span></div><script type="math/tex; mode=display">a^2'
        "</script>",
        f"<p>{display('a^2')}</p>",
    ),
    "mathjax 3": (
        '<p>So <mjx-container class="MathJax" jax="CHTML"><mjx-math aria-hidden="true"><mjx-mi>a</mjx-mi></mjx-math>'
        "<mjx-assistive-mml unselectable><math><msup><mi>a</mi><mn>2</mn></msup></math></mjx-assistive-mml></mjx-container>."
        "</p>",
        f"<p>So {inline('a^2')}.</p>",
    ),
    "mathjax 3 display": (
        '<mjx-container class="MathJax" jax="SVG" display="true"><svg></svg><mjx-assistive-mml display="block"><math '
        'display="block"><mi>a</mi></math></mjx-assistive-mml></mjx-container>',
        f"<p>{display('a')}</p>",
    ),
    "mediawiki": (
        '<p>So <span class="mwe-math-element"><span class="mwe-math-mathml-inline mwe-math-mathml-a11y" style="display: none;">'
        '<math><semantics><mi>a</mi><annotation encoding="application/x-tex">{\\displaystyle a^{2}}</annotation></semantics>'
        '</math></span><img src="/math/render/svg/0a" class="mwe-math-fallback-image-inline" alt="{\\displaystyle a^{2}}">'
        "</span>.</p>",
        f"<p>So {inline('a^{2}')}.</p>",
    ),
    "mediawiki, picture only": (
        '<p><span class="mwe-math-element"><img class="mwe-math-fallback-image-display" src="/math/x" '
        'alt="{\\displaystyle a}"></span></p>',
        f"<p>{display('a')}</p>",
    ),
    "wordpress": (
        '<p>So <img src="https://s0.wp.com/latex.php?latex=a%5E2" alt="a^2" class="latex">.</p>',
        f"<p>So {inline('a^2')}.</p>",
    ),
    "pandoc": ('<p><span class="math inline">\\(a^2\\)</span></p>', f"<p>{inline('a^2')}</p>"),
    "sphinx": ('<div class="math notranslate">\n\\[a^2\\]</div>', f"<p>{display('a^2')}</p>"),
    "arithmatex": ('<div class="arithmatex">\\[\na^2\n\\]</div>', f"<p>{display('a^2')}</p>"),
    "mathml alone": ("<p><math><mi>x</mi><mo>=</mo><mn>1</mn></math></p>", f"<p>{inline('x = 1')}</p>"),
    "mathml block": ('<math display="block"><mi>x</mi></math>', f"<p>{display('x')}</p>"),
    "raw text": ("<p>Let \\(x\\) and $$y$$ be.</p>", "<p>Let \\(x\\) and $$y$$ be.</p>"),
    "canonical": (f"<p>{inline('a &lt; b')}</p>", f"<p>{inline('a &lt; b')}</p>"),
    "markup in a mark": ('<p><span data-math="inline">a<b>2</b></span></p>', f"<p>{inline('a2')}</p>"),
    "a wrong mark": ('<p><span data-math="big">a</span></p>', "<p>a</p>"),
}


@pytest.mark.parametrize("name", SHAPES)
def test_shape(name: str) -> None:
    html, expected = SHAPES[name]
    assert canonical(html) == expected
    assert canonical(expected) == expected


@pytest.mark.parametrize(
    ("mathml", "latex"),
    [
        ("<mfrac><mn>1</mn><mi>n</mi></mfrac>", r"\frac{1}{n}"),
        ("<msub><mi>x</mi><mn>12</mn></msub>", "x_{12}"),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_i^2"),
        ("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>", r"\sqrt{x + 1}"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", r"\sqrt[3]{x}"),
        ("<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>",
         r"\sum_{i = 1}^n i"),
        ("<munder><mi>lim</mi><mrow><mi>x</mi><mo>→</mo><mn>0</mn></mrow></munder>", r"\lim_{x\to 0}"),
        ("<mover><mi>x</mi><mo>¯</mo></mover>", r"\bar{x}"),
        ("<mover><mi>v</mi><mo>→</mo></mover>", r"\vec{v}"),
        ("<mi>sin</mi><mi>θ</mi>", r"\sin \theta"),
        ("<mi>α</mi><mo>≤</mo><mi>β</mi>", r"\alpha \le \beta"),
        ("<mtext>if </mtext><mi>x</mi>", r"\text{if }x"),
        ("<mfenced><mi>a</mi><mi>b</mi></mfenced>", r"\left(a,b\right)"),
        ('<mfenced open="[" close="]"><mi>a</mi></mfenced>', r"\left[a\right]"),
        ("<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr>"
         "</mtable>", r"\begin{matrix}1 & 0 \\ 0 & 1\end{matrix}"),
        ("<msup><mrow><mo>(</mo><mi>a</mi><mo>)</mo></mrow><mn>2</mn></msup>", "{(a)}^2"),
        ("<msup><mi>α</mi><mn>2</mn></msup>", r"\alpha^2"),
        ("<msup><mover><mi>x</mi><mo>^</mo></mover><mn>2</mn></msup>", r"\hat{x}^2"),
        ("<mi>x</mi><mspace></mspace><mi>y</mi>", "x y"),
        ("<mi>x</mi><mphantom><mi>y</mi></mphantom><mi>z</mi>", "xz"),
        ("<mtext> </mtext><mi>x</mi><ms>on</ms>", r"x\text{on}"),
        ("<mi>Re</mi><mi>x</mi>", r"\mathrm{Re}x"),
        ('<mi mathvariant="bold">v</mi><mi mathvariant="double-struck">F</mi>', r"\mathbf{v}\mathbb{F}"),
        ("<mo>{</mo><mi>a</mi><mo>}</mo>", r"\{a\}"),
        ('<mfenced open="{" close="" separators=";"><mi>a</mi><mi>b</mi></mfenced>', r"\left\{a;b\right."),
        ('<mfenced separators=""><mi>a</mi><mi>b</mi></mfenced>', r"\left(ab\right)"),
        ("<munder><mi>x</mi><mo>_</mo></munder>", r"\underline{x}"),
        ("<munder><mi>x</mi><mo>^</mo></munder>", r"\underset{^}{x}"),
        ("<mover><mi>x</mi><mi>d</mi></mover>", r"\overset{d}{x}"),
        ("<mtable><mlabeledtr><mtd><mn>1</mn></mtd><mtd><mi>a</mi></mtd></mlabeledtr></mtable>",
         r"\begin{matrix}1 & a\end{matrix}"),
        ("<semantics><mi>a</mi><annotation>b</annotation></semantics>", "a"),
        ("<msup><mi>a</mi></msup>", "a"),
    ],
)  # fmt: skip
def test_mathml(mathml: str, latex: str) -> None:
    math = next(fragment(f"<math>{mathml}</math>").iter_elements("math"))
    assert to_latex(math) == latex


def _sign(written: str) -> str:
    return to_latex(next(fragment(f"<math><mi>{written}</mi></math>").iter_elements("math")))


@pytest.mark.parametrize(
    "names",
    [
        "alpha beta gamma delta zeta eta theta vartheta iota kappa lambda mu nu xi pi rho sigma varsigma tau upsilon chi psi omega",
        "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega",
        "times div pm mp le ge ne approx equiv sim simeq propto ll gg oplus otimes setminus mid parallel perp angle",
        "in notin ni subset subseteq supset supseteq cup cap bigcup bigcap forall emptyset nabla hbar ell",
        "leftarrow leftrightarrow Rightarrow Leftarrow Leftrightarrow mapsto langle rangle lceil rceil lfloor rfloor",
        "sum prod int iiint oint",
    ],
)
def test_signs_that_html_and_latex_call_the_same(names: str) -> None:
    assert {name: _sign(f"&{name};") for name in names.split()} == {name: f"\\{name}" for name in names.split()}


@pytest.mark.parametrize(
    ("signs", "latex"),
    [
        ("⋅ · ∘ ∗ − ′ ″", r"\cdot \cdot \circ * - ' ''"),
        ("∧ ∨ ¬ ∃ ∞ ∂ √ ‖ ∬ →", r"\land \lor \neg \exists \infty \partial \surd \| \iint \to"),
        ("… ⋯ ⋮ ⋱", r"\dots \cdots \vdots \ddots"),
        ("ϵ ε ϕ φ", r"\epsilon \varepsilon \phi \varphi"),
        ("ℝ ℕ ℤ ℚ ℂ", r"\mathbb{R} \mathbb{N} \mathbb{Z} \mathbb{Q} \mathbb{C}"),
        ("{ } % # &amp; $ _ \\ ~", r"\{ \} \% \# \& \$ \_ \backslash \sim"),
    ],
)
def test_signs_that_latex_writes_in_its_own_way(signs: str, latex: str) -> None:
    assert " ".join(map(_sign, signs.split())) == latex


@pytest.mark.parametrize("sign", "\u2061\u2062\u2063\u2064\u200b")
def test_operators_that_nobody_sees_are_left_out(sign: str) -> None:
    assert to_latex(next(fragment(f"<math><mn>2</mn><mo>{sign}</mo><mi>x</mi></math>").iter_elements("math"))) == "2x"


@pytest.mark.parametrize("accents", [("^", "hat"), ("ˆ", "hat"), ("~", "tilde"), ("˜", "tilde"), ("‾", "overline"), ("⃗", "vec"),
                                     ("˙", "dot"), ("¨", "ddot"), ("⏞", "overbrace"), ("ˇ", "check")])  # fmt: skip
def test_accents(accents: tuple[str, str]) -> None:
    sign, name = accents
    mathml = f"<math><mover><mi>x</mi><mo>{sign}</mo></mover></math>"
    assert to_latex(next(fragment(mathml).iter_elements("math"))) == f"\\{name}{{x}}"


def test_deep_mathml_is_bounded() -> None:
    deep = "<math>" + "<mrow>" * 5000 + "<mi>x</mi>"
    assert canonical(deep) == f"<p>{inline('x')}</p>"


LOADED = '<script src="https://cdn.example/npm/mathjax@3/es5/tex-mml-chtml.js"></script>'
DOLLARS = LOADED + "<script>MathJax = {tex: {inlineMath: [['$', '$'], ['\\\\(', '\\\\)']]}}</script>"
TYPESET = {
    "parentheses": (LOADED, r"<p>So \(a_1 &lt; b*c\) here.</p>", f"<p>So {inline('a_1 &lt; b*c')} here.</p>"),
    "brackets": (LOADED, r"<p>\[ x^2 \]</p>", f"<p>{display('x^2')}</p>"),
    "two dollars": (LOADED, "<p>So $$x$$ and $5 or $6.</p>", f"<p>So {display('x')} and $5 or $6.</p>"),
    "environment": (
        LOADED,
        r"<p>\begin{align}a&amp;=b\end{align}</p>",
        f"<p>{display(chr(92) + 'begin{align}a&amp;=b' + chr(92) + 'end{align}')}</p>",
    ),
    "broken lines": (LOADED, r"<p>One<br>\[a<br>=b\]</p>", f"<p>One<br>{display('a' + chr(10) + '=b')}</p>"),
    "single dollars": (
        DOLLARS,
        "<p>So $x_1$ and $y$ cost $5 or $6.</p>",
        f"<p>So {inline('x_1')} and {inline('y')} cost $5 or $6.</p>",
    ),
    "not closed": (LOADED, r"<p>So \(x here.</p>", r"<p>So \(x here.</p>"),
    "code": (LOADED, r"<p>So <code>\(x\)</code>.</p>", r"<p>So <code>\(x\)</code>.</p>"),
    "no script": ("", r"<p>So \(x\).</p>", r"<p>So \(x\).</p>"),
}


@pytest.mark.parametrize("name", TYPESET)
def test_tex_that_a_script_would_typeset(name: str) -> None:
    head, body, expected = TYPESET[name]
    root = fragment(body)
    standardize(root, None, Output(), opening_delimiters(parse_tree(head + body), body))
    assert root.inner_html == expected


def test_openings_without_an_end_take_no_time() -> None:
    started = time.process_time()
    root = fragment(f"<p>{chr(92)}(" + "\\(" * 200_000)
    standardize(root, None, Output(), opening_delimiters(parse_tree(LOADED), root.inner_html))
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("address", "latex"),
    [
        ("https://latex.codecogs.com/gif.latex?%5Cdpi%7B120%7D%20%5Cfrac%7Ba%7D%7Bb%7D", r"\frac{a}{b}"),
        ("https://latex.codecogs.com/svg.image?a+b", "a+b"),
        ("https://s0.wp.com/latex.php?latex=x%5E2+%2B+1&bg=ffffff", "x^2 + 1"),
        ("https://www.zhihu.com/equation?tex=y_1", "y_1"),
        ("https://chart.googleapis.com/chart?cht=tx&chl=x%3Dy", "x=y"),
        ("https://example.org/texas/mathematics.png", ""),
    ],
)
def test_the_formula_in_an_address(address: str, latex: str) -> None:
    assert tex_in_address(address) == latex


def test_a_drawing_that_names_its_tex() -> None:
    drawn = '<p>So <mjx-container display="true"><mjx-math data-latex="x^2"><mjx-mi></mjx-mi></mjx-math></mjx-container>.</p>'
    assert canonical(drawn) == f"<p>So {display('x^2')}.</p>"
    page = f"<main><h1>Oaks</h1><p>{'Oak heartwood is hard and dark. ' * 5}</p>{drawn}<p>{'It lasts. ' * 20}</p></main>"
    assert "$$x^2$$" in extract(page).markdown


STATED = {
    "what KaTeX could not read": (r'<span class="katex-error" title="ParseError">\frac12</span>', inline(r"\frac12")),
    "GitHub": ('<math-renderer class="js-inline-math">$a_1$</math-renderer>', inline("a_1")),
    "GitHub, display": ('<math-renderer class="js-display-math">$$a_1$$</math-renderer>', display("a_1")),
    "Stack Exchange": ('<span class="math-container">$a_1$</span>', inline("a_1")),
    "GitLab": ('<code class="code math js-render-math" data-math-style="inline">a_1</code>', inline("a_1")),
    "Moodle": (
        r'<span class="filter_mathjaxloader_equation"><span class="nolink">\( a_1 \)</span></span>',
        inline("a_1"),
    ),
    "MathJax on the server": (
        '<span class="mjx-chtml"><span class="mjx-math" aria-label="a_1"><span aria-hidden="true">a1</span></span></span>',
        inline("a_1"),
    ),
    "MathJax 2 without its script": (
        '<span class="MathJax" data-mathml="&lt;math&gt;&lt;msub&gt;&lt;mi&gt;a&lt;/mi&gt;&lt;mn&gt;1&lt;/mn&gt;&lt;/msub&gt;&lt;/math&gt;">a1</span>',
        inline("a_1"),
    ),
    "an editor": ('<span class="ql-formula" data-value="a_1">a1</span>', inline("a_1")),
    "a picture of Sphinx": (r'<img class="math" src="_images/1.png" alt="\sqrt{a}">', inline(r"\sqrt{a}")),
    "a picture with delimiters": ('<img class="tex" src="/1.png" alt="$a_1$">', inline("a_1")),
}


@pytest.mark.parametrize("name", STATED)
def test_a_formula_that_its_markup_states(name: str) -> None:
    html, expected = STATED[name]
    assert expected in canonical(f"<p>So {html}.</p>" if "inline" in expected else html)


def test_the_number_of_a_formula_is_its_tag() -> None:
    numbered = r'<div class="math"><span class="eqno">(1)<a class="headerlink" href="#e">¶</a></span>\[a=b\]</div>'
    tagged = display(r"a=b \tag{1}")
    assert canonical(numbered) == f"<p>{tagged}</p>"


def test_settings_that_are_no_formula_are_left_alone() -> None:
    for settings in ("{", "[]", '{"persistentExpression": 1}', "[" * 60_000):
        assert canonical(f"<div class=\"latex-rendered\" data-attrs='{settings}'>Oak</div>") == "<p>Oak</p>"


def test_formulas_in_custom_elements_do_not_part_a_sentence() -> None:
    drawn = '<mjx-container jax="CHTML"><mjx-math><mjx-mi>a</mjx-mi></mjx-math><mjx-assistive-mml>{}</mjx-assistive-mml></mjx-container>'
    sentence = "The speed {} is what a rower keeps for an hour without a pause, and no more than that."
    page = "<article>" + f"<p>{sentence}</p>".format(drawn.format("<math><mi>v</mi></math>")) * 3 + "</article>"
    assert extract(page).markdown == "\n\n".join([sentence.format("$v$")] * 3)
