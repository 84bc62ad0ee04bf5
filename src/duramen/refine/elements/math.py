"""Formulas: LaTeX out of KaTeX, MathJax, MediaWiki, MathML and pictures of formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator

from duramen.dom import Element, Node, Text
from duramen.lazy_pattern import lazy_pattern
from duramen.refine.elements.survey import (
    Survey,
    blank,
    element_parent,
    element_sibling,
    outermost,
    replace,
    squeezed,
    tokens,
)
from duramen.refine.elements.tex import formula, standardize_tex, tex_in_address
from duramen.refine.elements.vocabulary import ordered, words

_WRAPPERS = words("math-wrapper")
_WRAPPER_TAGS = words("math-wrapper-tags")
_DISPLAY = words("math-display")
_DRAWN = words("math-drawn")
_PICTURES = words("math-picture")
_HOLDS_DELIMITED = words("math-delimited")
_ATTRIBUTES = ordered("math-attributes")
_LOOKS_LIKE_TEX = lazy_pattern(r"[\\^_=+{}<>*/-]|\A[A-Za-z]\Z")
_DELIMITED = lazy_pattern(r"\\\((.*)\\\)|\\\[(.*)\\\]|\$\$(.*)\$\$|\$([^$]+)\$", re.DOTALL)
_STYLE = lazy_pattern(r"\{\\(?:display|text)style\s*+(.*)\}", re.DOTALL)
_MOST_DRAWN = 2000
"""Characters that a formula shows; an element with more is no formula, whatever its attributes."""
_MAX_MATHML = 4000
"""Formulas of more nodes are left as their text."""

_SYMBOLS = {
    # Relations and operators.
    "×": r"\times", "÷": r"\div", "±": r"\pm", "∓": r"\mp", "⋅": r"\cdot", "·": r"\cdot", "∗": "*", "∘": r"\circ",
    "≤": r"\le", "≥": r"\ge", "≠": r"\ne", "≈": r"\approx", "≡": r"\equiv", "∼": r"\sim", "≃": r"\simeq",
    "∝": r"\propto", "≪": r"\ll", "≫": r"\gg", "−": "-", "∈": r"\in", "∉": r"\notin", "∋": r"\ni", "⊂": r"\subset",
    "⊆": r"\subseteq", "⊃": r"\supset", "⊇": r"\supseteq", "∪": r"\cup", "∩": r"\cap", "∖": r"\setminus",
    "∧": r"\land", "∨": r"\lor", "¬": r"\neg", "⊕": r"\oplus", "⊗": r"\otimes", "∀": r"\forall", "∃": r"\exists",
    "∅": r"\emptyset", "∞": r"\infty", "∂": r"\partial", "∇": r"\nabla", "′": "'", "″": "''", "…": r"\dots",
    "⋯": r"\cdots", "⋮": r"\vdots", "⋱": r"\ddots", "∣": r"\mid", "∥": r"\parallel", "⊥": r"\perp", "∠": r"\angle",
    "√": r"\surd", "ℏ": r"\hbar", "ℓ": r"\ell", "ℝ": r"\mathbb{R}", "ℕ": r"\mathbb{N}", "ℤ": r"\mathbb{Z}",
    "ℚ": r"\mathbb{Q}", "ℂ": r"\mathbb{C}",
    # Arrows and brackets.
    "→": r"\to", "←": r"\leftarrow", "↔": r"\leftrightarrow", "⇒": r"\Rightarrow", "⇐": r"\Leftarrow",
    "⇔": r"\Leftrightarrow", "↦": r"\mapsto", "⟨": r"\langle", "⟩": r"\rangle", "⌈": r"\lceil", "⌉": r"\rceil",
    "⌊": r"\lfloor", "⌋": r"\rfloor", "‖": r"\|", "{": r"\{", "}": r"\}",
    # Large operators.
    "∑": r"\sum", "∏": r"\prod", "∫": r"\int", "∬": r"\iint", "∭": r"\iiint", "∮": r"\oint", "⋃": r"\bigcup",
    "⋂": r"\bigcap",
    # Characters with a meaning of their own in LaTeX.
    "%": r"\%", "#": r"\#", "&": r"\&", "$": r"\$", "_": r"\_", "\\": r"\backslash", "~": r"\sim",
    # Invisible operators.
    "\u2061": "", "\u2062": "", "\u2063": "", "\u2064": "", "\u200b": "",
    # Greek.
    "α": r"\alpha", "β": r"\beta", "γ": r"\gamma", "δ": r"\delta", "ϵ": r"\epsilon", "ε": r"\varepsilon",
    "ζ": r"\zeta", "η": r"\eta", "θ": r"\theta", "ϑ": r"\vartheta", "ι": r"\iota", "κ": r"\kappa", "λ": r"\lambda",
    "μ": r"\mu", "ν": r"\nu", "ξ": r"\xi", "π": r"\pi", "ρ": r"\rho", "σ": r"\sigma", "ς": r"\varsigma",
    "τ": r"\tau", "υ": r"\upsilon", "ϕ": r"\phi", "φ": r"\varphi", "χ": r"\chi", "ψ": r"\psi", "ω": r"\omega",
    "Γ": r"\Gamma", "Δ": r"\Delta", "Θ": r"\Theta", "Λ": r"\Lambda", "Ξ": r"\Xi", "Π": r"\Pi", "Σ": r"\Sigma",
    "Υ": r"\Upsilon", "Φ": r"\Phi", "Ψ": r"\Psi", "Ω": r"\Omega",
}  # fmt: skip
_FUNCTIONS = frozenset(
    "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln exp lim max min sup inf det dim ker deg gcd arg"
    " Pr".split()
)
_ACCENTS = {
    "^": r"\hat", "ˆ": r"\hat", "~": r"\tilde", "˜": r"\tilde", "¯": r"\bar", "‾": r"\overline", "_": r"\underline",
    "→": r"\vec", "⃗": r"\vec", "˙": r"\dot", "¨": r"\ddot", "⏞": r"\overbrace", "⏟": r"\underbrace", "ˇ": r"\check",
}  # fmt: skip
_LIMITS = frozenset((r"\sum", r"\prod", r"\int", r"\bigcup", r"\bigcap", r"\lim", r"\max", r"\min", r"\sup", r"\inf"))
_NO_TEXT = frozenset(("annotation", "annotation-xml", "mspace", "mphantom", "none", "mprescripts", "maligngroup"))


def standardize_math(root: Element, survey: Survey, opening: re.Pattern[str] | None = None) -> None:
    """Rewrite every formula as ``<span data-math>`` holding LaTeX."""
    tags = survey.tags
    if "script" in tags:
        for script in list(root.iter_elements("script")):
            _rewrite_script(script)
    if "math" in tags:
        for math in outermost(root, "math"):
            _rewrite_mathml(root, math)
    if not _WRAPPER_TAGS.isdisjoint(tags):
        for drawn in outermost(root, tuple(_WRAPPER_TAGS)):
            _rewrite_drawn(drawn)
    if "img" in tags:
        drawn_by_server = [(i, tex) for i in root.iter_elements("img") if (tex := tex_in_address(i.attr("src") or ""))]
        for image, latex in drawn_by_server:
            replace(image, formula(latex, display=False))
    for element in survey.roles["math"]:
        if element.tag == "img":
            _rewrite_picture(root, element)
        elif latex := _attribute(element):
            if element.parent is not None and len(element.text) <= _MOST_DRAWN:
                replace(element, formula(latex, display=not _DISPLAY.isdisjoint(tokens(element))))
        elif not _HOLDS_DELIMITED.isdisjoint(tokens(element)):
            _rewrite_delimited(element)
    if "span" in tags:
        for span in list(root.iter_elements("span")):
            if span.attr("data-math") is not None:
                _settle(span)
    if opening is not None:
        standardize_tex(root, opening)


def _settle(span: Element) -> None:
    """A canonical formula holds text only; anything that merely looks like one loses the mark."""
    latex = span.text.strip()
    if span.attr("data-math") not in ("inline", "display") or not latex:
        del span.attrs["data-math"]
    elif len(span) != 1 or not isinstance(span[0], Text) or span[0].data != latex:
        span.clear()
        span.append(Text(latex))


def _rewrite_script(script: Element) -> None:
    kind = (script.attr("type") or "").lower().replace(" ", "")
    if not kind.startswith("math/"):
        return
    for _ in range(3):
        drawn = element_sibling(script, before=True)
        if drawn is None or (_DRAWN.isdisjoint(tokens(drawn)) and drawn.tag not in _WRAPPER_TAGS):
            break
        drawn.extract()
    display = "mode=display" in kind
    if kind.startswith("math/mml"):
        script.extract()
        return
    latex = _bare(script.text)
    replace(script, *([formula(latex, display=display)] if latex else []))


def _rewrite_mathml(root: Element, math: Element) -> None:
    outer, display = math, math.attr("display") == "block" or math.attr("mode") == "display"
    parent = element_parent(math)
    while parent is not None and parent is not root:
        names = tokens(parent)
        if parent.tag not in _WRAPPER_TAGS and _WRAPPERS.isdisjoint(names):
            break
        display = display or not _DISPLAY.isdisjoint(names) or parent.attr("display") in ("true", "block")
        outer, parent = parent, element_parent(parent)
    latex = _annotation(math) or _bare(math.attr("alttext") or "") or _attribute(math) or to_latex(math)
    replace(outer, *([formula(latex, display=display)] if latex else []))


def _rewrite_drawn(drawn: Element) -> None:
    """A drawing without MathML whose parts name the TeX they were made of (MathJax 4)."""
    latex = _attribute(drawn) or next(filter(None, map(_attribute, drawn.iter_elements())), "")
    if latex:
        replace(drawn, formula(latex, display=drawn.attr("display") in ("true", "block")))


def _attribute(element: Element) -> str:
    """The TeX that an attribute of an element holds."""
    for name in _ATTRIBUTES:
        if (value := element.attr(name)) and (latex := _bare(value)) and _LOOKS_LIKE_TEX.search(latex):
            return latex
    return ""


def _annotation(math: Element) -> str:
    for annotation in math.iter_elements("annotation"):
        if "tex" in (annotation.attr("encoding") or "").lower():
            return _bare(annotation.text)
    return ""


def _bare(latex: str) -> str:
    """LaTeX without delimiters and without the style MediaWiki and WordPress wrap it in."""
    latex = latex.strip()
    delimited = _DELIMITED.fullmatch(latex)
    if delimited:
        latex = next(group for group in delimited.groups() if group is not None).strip()
    styled = _STYLE.fullmatch(latex)
    if styled and _balanced(styled[1]):
        latex = styled[1].strip()
    latex = latex.removeprefix("%").strip() if latex.startswith("% <![CDATA[") else latex
    return latex.replace("<![CDATA[", "").replace("%]]>", "").strip()


def _balanced(latex: str) -> bool:
    depth = 0
    for character in latex:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return False
    return depth == 0


def _rewrite_picture(root: Element, image: Element) -> None:
    """A picture of a formula whose ``alt`` is the formula."""
    names = tokens(image)
    latex = _bare(image.attr("alt") or "")
    source = image.attr("src") or ""
    if _PICTURES.isdisjoint(names) or not latex or not ("\\" in latex or "latex" in source or "math" in source):
        return
    outer = image
    parent = element_parent(image)
    while parent is not None and parent is not root and not _WRAPPERS.isdisjoint(tokens(parent)):
        outer, parent = parent, element_parent(parent)
    replace(outer, formula(latex, display=not _DISPLAY.isdisjoint(names)))


def _rewrite_delimited(element: Element) -> None:
    """Raw LaTeX that the generator itself marks as such (Pandoc, Sphinx, Python-Markdown)."""
    if element.tag not in ("span", "div", "p") or element.parent is None:
        return
    if any(isinstance(child, Element) for child in element.children):
        return
    text = element.text.strip()
    delimited = _DELIMITED.fullmatch(text)
    if delimited and not any(mark in text[2:-2] for mark in (r"\(", r"\)", r"\[", r"\]", "$$")):
        display = text.startswith(("\\[", "$$"))
        latex = _bare(text)
        made = formula(latex, display=display)
        if latex:
            replace(element, made if element.tag == "span" else Element("div", None, [made]))


# -- MathML ----------------------------------------------------------------------------------------------------------


def to_latex(math: Element) -> str:
    """LaTeX for presentation MathML; its plain text when it is too large to be worth the work."""
    nodes = list(_bounded(math))
    if len(nodes) > _MAX_MATHML:
        return squeezed(math.text)
    made: dict[Node, str] = {}
    for element in reversed(nodes):
        made[element] = _piece(element, [made[child] for child in element.children if child in made])
    return re.sub(r"\s+", " ", made[math]).strip()


def _bounded(math: Element) -> Iterator[Element]:
    yield math
    for count, element in enumerate(math.iter_elements()):
        yield element
        if count > _MAX_MATHML:
            return


def _piece(element: Element, parts: list[str]) -> str:
    """The LaTeX of one element whose children's LaTeX is known."""
    tag = element.tag
    if tag in _NO_TEXT:
        return " " if tag == "mspace" else ""
    if tag in ("mi", "mo", "mn", "mtext", "ms"):
        return _token(tag, element.text.strip() if tag != "mtext" else element.text, element)
    script = _SCRIPTS.get(tag)
    if script is not None:
        return _scripted(tag, script, parts)
    if tag == "mfrac" and len(parts) == 2:
        return rf"\frac{{{parts[0].strip()}}}{{{parts[1].strip()}}}"
    if tag == "msqrt":
        return rf"\sqrt{{{''.join(parts).strip()}}}"
    if tag == "mroot" and len(parts) == 2:
        return rf"\sqrt[{parts[1].strip()}]{{{parts[0].strip()}}}"
    if tag == "mtable":
        return r"\begin{matrix}" + r" \\ ".join(part.strip() for part in parts) + r"\end{matrix}"
    if tag in ("mtr", "mlabeledtr"):
        return " & ".join(part.strip() for part in parts)
    if tag == "mfenced":
        return _fenced(element, parts)
    if tag == "semantics":
        return parts[0] if parts else ""
    return "".join(parts) if parts else squeezed("".join(c.data for c in element.children if isinstance(c, Text)))


_SCRIPTS = {
    "msup": "^", "msub": "_", "msubsup": "_^", "munder": "_", "mover": "^", "munderover": "_^",
}  # fmt: skip


def _scripted(tag: str, marks: str, parts: list[str]) -> str:
    if len(parts) != len(marks) + 1:
        return "".join(parts)
    base = parts[0].strip()
    if tag in ("mover", "munder"):
        accent = parts[1].strip()
        raw = next((name for sign, name in _ACCENTS.items() if accent in (sign, _SYMBOLS.get(sign))), None)
        if raw and (tag == "mover" or raw in (r"\underline", r"\underbrace")):
            return f"{raw}{{{base}}}"
        if base not in _LIMITS and not base.startswith("\\"):
            return rf"\{'over' if tag == 'mover' else 'under'}set{{{accent}}}{{{base}}}"
    if len(base) > 1 and not re.fullmatch(r"\\[A-Za-z]+|\\[a-z]+\{[^{}]*\}", base):
        base = f"{{{base}}}"
    written = base + "".join(f"{mark}{_group(part)}" for mark, part in zip(marks, parts[1:], strict=True))
    return written + " " if base in _LIMITS else written


def _group(latex: str) -> str:
    latex = latex.strip()
    return latex if len(latex) == 1 else f"{{{latex}}}"


def _fenced(element: Element, parts: list[str]) -> str:
    opening = element.attr("open")
    closing = element.attr("close")
    separators = (element.attr("separators") if "separators" in element.attrs else ",") or ""
    separator = separators.strip()[:1]
    left = "(" if opening is None else "".join(_SYMBOLS.get(c, c) for c in opening) or "."
    right = ")" if closing is None else "".join(_SYMBOLS.get(c, c) for c in closing) or "."
    return rf"\left{left}{separator.join(part.strip() for part in parts)}\right{right}"


def _token(tag: str, text: str, element: Element) -> str:
    if tag == "mtext" or tag == "ms":
        return rf"\text{{{text}}}" if not blank(text) else " "
    if tag == "mi" and len(text) > 1:
        if text in _FUNCTIONS:
            return rf"\{text} "
        if text.isalpha():
            return rf"\mathrm{{{text}}}"
    if tag == "mi" and element.attr("mathvariant") in ("bold", "double-struck") and text.isalpha():
        return rf"\math{'bf' if element.attr('mathvariant') == 'bold' else 'bb'}{{{text}}}"
    written = "".join(_spaced(_SYMBOLS.get(character, character)) for character in text)
    if tag == "mo" and written.strip() in ("=", "+", "<", ">"):
        return f" {written.strip()} "
    return written


def _spaced(latex: str) -> str:
    """A command needs a space before the letter that may follow it."""
    return latex + " " if len(latex) > 2 and latex[0] == "\\" and latex[-1].isalpha() else latex
