"""Formulas: LaTeX out of KaTeX, MathJax, MediaWiki, MathML and pictures of formulas."""

from __future__ import annotations

import re

from duramen.dom import Element, Text, fragment
from duramen.lazy_pattern import lazy_pattern
from duramen.refine.elements.survey import (
    Survey,
    element_parent,
    element_sibling,
    is_small,
    outermost,
    replace,
    setting,
    squeezed,
    tokens,
)
from duramen.refine.elements.tex import formula, standardize_tex, tex_in_address
from duramen.refine.elements.vocabulary import ordered, pairs, words

_WRAPPERS = words("math-wrapper")
_WRAPPER_TAGS = words("math-wrapper-tags")
_DISPLAY = words("math-display")
_DRAWN = words("math-drawn")
_PICTURES = words("math-picture")
_HOLDS_DELIMITED = words("math-delimited")
_ATTRIBUTES = ordered("math-attributes")
_LABELLED = words("math-labels")
_SETTINGS = dict(pairs("math-settings"))
_CODE = words("math-code")
_NUMBERS = words("math-number")
_LOOKS_LIKE_TEX = lazy_pattern(r"[\\^_=+{}<>*/-]|\A[A-Za-z]\Z")
_DELIMITED = lazy_pattern(r"\\\((.*)\\\)|\\\[(.*)\\\]|\$\$(.*)\$\$|\$([^$]+)\$", re.DOTALL)
_NUMBER = lazy_pattern(r"\(([\w.]{1,8})\)")
"""The number of a formula, as it is shown beside it."""
_STYLE = lazy_pattern(r"\{\\(?:display|text)style\s*+(.*)\}", re.DOTALL)
_MOST_DRAWN = 2000
"""Characters that a formula shows; an element with more is no formula, whatever its attributes."""


def standardize_math(root: Element, survey: Survey, opening: re.Pattern[str] | None = None) -> None:
    """Rewrite every formula as ``<span data-math>`` holding LaTeX."""
    tags = survey.tags
    if "script" in tags:
        for script in list(root.iter_elements("script")):
            _rewrite_script(script)
    if "math" in tags:
        for math in outermost(root, "math"):
            _rewrite_mathml(root, math)
        if "table" in tags:
            for table in list(root.iter_elements("table")):
                _rewrite_equations(table)
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
        elif element.parent is not None and element.attr("data-math") not in ("inline", "display"):
            _rewrite_marked(element)
    if survey.attributes["data-math"]:
        for span in list(root.iter_elements("span")):
            if span.attr("data-math") is not None:
                _settle(span)
    if opening is not None:
        standardize_tex(root, opening)


def _rewrite_marked(element: Element) -> None:
    """What is a formula by its class or by an attribute."""
    names = tokens(element)
    latex = _source(element, names)
    if latex:
        # An element around whole paragraphs is no formula, whatever it is called.
        if len(element.text) <= _MOST_DRAWN:
            is_display = element.tag == "pre" or element.attr("data-math-style") == "display"
            replace(element, formula(latex, display=is_display or not _DISPLAY.isdisjoint(names)))
    elif not _HOLDS_DELIMITED.isdisjoint(names):
        _rewrite_delimited(element)


def _source(element: Element, names: list[str]) -> str:
    """The TeX, or what can be made TeX, that an element was drawn from."""
    if latex := _attribute(element):
        return latex
    if "katex-error" in names or (not _CODE.isdisjoint(names) and element.tag in ("code", "pre")):
        return _bare(element.text)
    if (written := element.attr("data-mathml")) and (math := next(fragment(written).iter_elements("math"), None)):
        return _from_mathml(math)
    for name in names:
        if name in _SETTINGS:
            return _bare(setting(element, _SETTINGS[name]))
    labelled = element[0] if len(element) and isinstance(element[0], Element) else None
    label = labelled.attr("aria-label") if labelled is not None and not _LABELLED.isdisjoint(tokens(labelled)) else None
    return _bare(label) if label and _LOOKS_LIKE_TEX.search(label) else ""


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


def _from_mathml(math: Element) -> str:
    # Few pages have MathML without its TeX.
    from duramen.refine.elements.mathml import to_latex

    return to_latex(math)


def _rewrite_mathml(root: Element, math: Element) -> None:
    outer, display = math, math.attr("display") == "block" or math.attr("mode") == "display"
    parent = element_parent(math)
    while parent is not None and parent is not root:
        names = tokens(parent)
        if parent.tag not in _WRAPPER_TAGS and _WRAPPERS.isdisjoint(names):
            break
        display = display or not _DISPLAY.isdisjoint(names) or parent.attr("display") in ("true", "block")
        outer, parent = parent, element_parent(parent)
    latex = _annotation(math) or _bare(math.attr("alttext") or "") or _attribute(math) or _from_mathml(math)
    replace(outer, *([formula(latex, display=display)] if latex else []))


def _rewrite_equations(table: Element) -> None:
    """A table that only sets formulas and their numbers (LaTeXML) becomes a paragraph for each row."""
    lines: list[Element] = []
    is_set = False
    for row in table.iter_elements("tr"):
        parts = [span for span in row.iter_elements("span") if span.attr("data-math") is not None]
        latex = " ".join(span.text.removeprefix(r"\displaystyle").strip() for span in parts)
        beside = squeezed(row.text)
        for span in parts:
            beside = beside.replace(squeezed(span.text), "", 1).strip()
        number = _NUMBER.fullmatch(beside)
        if not parts or (beside and not number):
            return
        is_set = is_set or number is not None or any(span.attr("data-math") == "display" for span in parts)
        lines.append(Element("p", None, [formula(rf"{latex} \tag{{{number[1]}}}" if number else latex, display=True)]))
    if is_set and table.parent is not None and len(table.text) <= _MOST_DRAWN:
        replace(table, *lines)


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
    is_tex = latex != (image.attr("alt") or "").strip() or "\\" in latex or "latex" in source or "math" in source
    if _PICTURES.isdisjoint(names) or not (latex and is_tex):
        return
    outer = image
    parent = element_parent(image)
    while parent is not None and parent is not root and not _WRAPPERS.isdisjoint(tokens(parent)):
        outer, parent = parent, element_parent(parent)
    replace(outer, formula(latex, display=not _DISPLAY.isdisjoint(names)))


def _rewrite_delimited(element: Element) -> None:
    """Raw LaTeX that the generator itself marks as such (Pandoc, Sphinx, Python-Markdown)."""
    is_in_line = element.tag == "span" or "-" in element.tag
    if not (is_in_line or element.tag in ("div", "p")) or element.parent is None:
        return
    holder, number = element, None
    while (child := next((c for c in holder.children if isinstance(c, Element)), None)) is not None:
        if not _NUMBERS.isdisjoint(tokens(child)) and (number := _NUMBER.match(squeezed(child.text))):
            child.extract()
        elif is_small(holder, 3) and squeezed(holder.text) == squeezed(child.text):
            holder = child
        else:
            return
    text = holder.text.strip()
    delimited = _DELIMITED.fullmatch(text)
    if delimited and not any(mark in text[2:-2] for mark in (r"\(", r"\)", r"\[", r"\]", "$$")):
        display = text.startswith(("\\[", "$$"))
        latex = _bare(text)
        made = formula(rf"{latex} \tag{{{number[1]}}}" if latex and number else latex, display=display)
        if latex:
            replace(element, made if is_in_line else Element("div", None, [made]))
