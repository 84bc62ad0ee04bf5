"""Which language a code block is in: the name its highlighter left on it or around it."""

from __future__ import annotations

import re
from collections.abc import Callable

from duramen.dom import Element
from duramen.refine.elements.survey import near

NO_LANGUAGE = frozenset(
    "text plaintext plain txt none nohighlight no-highlight default unknown auto undefined null notranslate raw"
    " language highlight code".split()
)
"""Names that highlighters use for "not a language"."""

LANGUAGES = frozenset(
    """
    abap actionscript ada apache apacheconf apex applescript arduino asciidoc asm assembly astro autohotkey awk bash
    basic bat batch bibtex bicep brainfuck c c# c++ caddy caddyfile cfml clj clojure cmake cobol coffee coffeescript
    console cpp crystal cs csharp cshtml css csv cuda cypher d dart delphi diff django docker dockerfile dos dot dotenv
    elisp elixir elm emacs-lisp erb erl erlang excel f# fish forth fortran fsharp gherkin git gleam glsl gnuplot go
    golang gql gradle graphql groovy haml handlebars haskell hbs hcl hlsl hs htm html http hx ini ipython ipython3 java
    javascript jinja jinja2 jl js json json5 jsonc jsonnet jsp jsx julia kotlin kt kusto latex less lisp llvm log lua
    make makefile markdown markup mathematica matlab md mdx mermaid mojo mysql nasm nginx nim nix nu nushell objc
    objective-c objectivec ocaml octave openscad pascal patch perl pgsql php plantuml plsql postgres postgresql
    powershell processing prolog promql properties proto protobuf ps1 pug puppet purescript py pycon pyrex pytb python
    python2 python3 q qml r racket raku razor rb re reason regex rego rest riscv robotframework rs rst ruby rust sas
    sass scala scheme scss sh shell shell-session shellsession smali smalltalk sml solidity sparql sql sqlite stata
    stylus svelte svg swift systemverilog tcl terraform tex tf thrift toml ts tsx turtle twig typescript typst v vala
    vb vba vbnet verilog vhdl vim viml visualbasic vue wasm wast wgsl wiki xhtml xml xquery xsl yaml yml zig zsh
    """.split()
)
"""Names taken for a language even without a prefix such as ``language-``."""

_SCOPES = {
    # TextMate scope names that GitHub writes after ``highlight-source-`` and ``highlight-text-``.
    "html-basic": "html",
    "html-erb": "erb",
    "html-django": "django",
    "html-vue": "vue",
    "html-php": "php",
    "xml-svg": "svg",
    "gfm": "markdown",
    "css-scss": "scss",
    "css-less": "less",
    "viml": "vim",
    "batchfile": "batch",
    "shell-session": "console",
}

_PREFIXED = re.compile(r"(?:language|lang|highlight-source|highlight-text|highlight|src|brush)[-:](.+)")
_BRUSH = re.compile(r"\b(?:brush|lang)\s*:\s*[\"']?([\w#+.-]+)", re.IGNORECASE)
_VALID = re.compile(r"[a-z0-9][a-z0-9+#._-]{0,29}")
_LANGUAGE_ATTRIBUTES = (
    "data-lang",
    "data-language",
    "data-code-language",
    "data-enlighter-language",
    "data-tagsearch-lang",
    "data-syntaxhighlighter-params",
    "lang",
)
_MARKED = frozenset(
    "hljs highlight sourcecode syntaxhighlighter prettyprint shiki chroma codehilite code prism-code astro-code"
    " mermaid wp-block-code rouge src programlisting".split()
)
"""Beside one of these tokens another one may be the bare name of a language."""


def language_of(block: Element, frames: list[Element]) -> str | None:
    """The language named on the block, its ``<code>``, its frames, or up to three elements around these."""
    inner = next(block.iter_elements("code"), None) if block.tag != "code" else None
    for element in (inner, block, *frames):
        if element is not None:
            said = language_said(element.attr, trusted=True)
            if said is not None:
                return said or None
    outermost = frames[-1] if frames else block
    for element in near(outermost, 3):
        said = language_said(element.attr, trusted=False)
        if said is not None:
            return said or None
    return None


def language_said(attr: Callable[[str], str | None], trusted: bool) -> str | None:
    """The language that attributes name; empty when they say that there is none, None when they say nothing."""
    named = named_language(attr, trusted)
    return "" if named in NO_LANGUAGE else named


def named_language(attr: Callable[[str], str | None], trusted: bool) -> str | None:
    """The language that attributes name; away from the code itself only known names count (``lang-en`` is none)."""
    cls = attr("class")
    names = cls.lower().split() if cls else []
    for name in names:
        prefixed = _PREFIXED.fullmatch(name)
        if prefixed:
            language = _cleaned(prefixed[1])
            if language and (language in LANGUAGES or language in NO_LANGUAGE or (trusted and _trusts(name, language))):
                return language
    for attribute in _LANGUAGE_ATTRIBUTES:
        value = attr(attribute)
        if value:
            brush = _BRUSH.search(value)
            language = _cleaned(brush[1] if brush else value)
            if language and (language in LANGUAGES or language in NO_LANGUAGE or (trusted and attribute != "lang")):
                return language
    brush = _BRUSH.search(cls) if cls and ":" in cls else None
    if brush:
        return _cleaned(brush[1])
    if not _MARKED.isdisjoint(names):
        return next((name for name in names if name in LANGUAGES), None)
    return None


def _trusts(name: str, language: str) -> bool:
    """``highlight-`` alone also begins names that are no language."""
    return (
        not name.startswith("highlight-")
        or name.startswith(("highlight-source-", "highlight-text-"))
        or (
            len(language) < 12
            and language not in ("wrapper", "container", "block", "box", "code", "area", "line", "lines")
        )
    )


def _cleaned(name: str) -> str | None:
    name = name.strip().strip(";").lower()
    name = _SCOPES.get(name, name).split("{")[0].split(":")[0]
    return name if _VALID.fullmatch(name) else None


def known_language(name: str) -> str | None:
    cleaned = _cleaned(name)
    return cleaned if cleaned in LANGUAGES else None
