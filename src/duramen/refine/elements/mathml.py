"""LaTeX for presentation MathML."""

from __future__ import annotations

import re
from collections.abc import Iterator

from duramen.dom import Element, Node, Text
from duramen.refine.elements.survey import blank, squeezed

__all__ = ["to_latex"]

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


def to_latex(math: Element) -> str:
    """LaTeX for presentation MathML; its plain text when it is too large to be worth the work."""
    nodes = list(_bounded(math))
    if len(nodes) > _MAX_MATHML:
        return squeezed(math.text)
    made: dict[Node, str] = {}
    for element in reversed(nodes):
        # Taken out: what contains them repeats them, and formulas may be nested.
        made[element] = _piece(element, [made.pop(child) for child in element.children if child in made])
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
