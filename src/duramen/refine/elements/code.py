"""Code blocks: byte-exact text and a language out of every highlighter's own markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from duramen.dom import Comment, Element, Node, Text
from duramen.refine.elements.survey import Survey, blank, element_parent, element_sibling, replace, squeezed, tokens

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

_GUTTER = frozenset(
    "linenos lineno linenodiv line-numbers-rows line-numbers-wrapper line-number linenumber linenumbers lnt ln gutter gl"
    " rouge-gutter codemirror-gutter-wrapper codemirror-gutters codemirror-linenumber cm-gutters hljs-ln-numbers"
    " hljs-ln-n blob-num react-line-number crayon-nums crayon-num code-line-number command-line-prompt"
    " react-syntax-highlighter-line-number line-numbers-sizer".split()
)
"""Line numbers and prompts beside the code."""
_TOOLS = frozenset(
    "copy copybtn copy-button btn-copy copy-code-button copy-btn code-copy clipboard btn-clipboard toolbar lang"
    " code-lang code-language crayon-toolbar crayon-info crayon-plain-wrap zeroclipboard-container buttongroup"
    " code-block-header code-header codeheader highlight-tools code-toolbar-item line-highlight codemirror-measure"
    " codemirror-cursors codemirror-cursor cm-cursorlayer cm-selectionlayer cm-widgetbuffer language-label"
    " twoslash-popup-container copy-to-clipboard-button code-actions".split()
)
"""Buttons and labels around the code."""
_TITLES = re.compile(r"(?:codeblocktitle.*|(?:.*[-_])?(?:title|filename|file-name)|code-caption)")
_HEADERS = frozenset("codeheader code-header code-block-header highlight-header code-block__header".split())
_NEVER_CODE = frozenset("button svg script style clipboard-copy input textarea template select noscript".split())

_FRAMES = frozenset(("div", "span", "figure", "code", "p", "font", "td", "tr", "tbody", "table", "center", "pre"))
"""What may be wrapped around a code block without saying anything."""
_CELLS = frozenset(("td", "tr", "tbody", "table"))
_CODE_CELLS = frozenset("code lntd rouge-code crayon-code blob-code".split())
_LINE_TAGS = frozenset(("div", "p", "li", "tr"))
_LINE_TOKENS = frozenset(
    "line token-line ec-line cm-line view-line code-line codemirror-line crayon-line codeline".split()
)
_EDITOR_LINES = frozenset(
    "codemirror-line cm-line view-line line crayon-line blob-code react-file-line react-code-line-contents"
    " ace_line".split()
)

_PROSE = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "img", "picture", "iframe", "video", "blockquote", "dl"))
"""A ``<pre>`` that holds one of these is no code block."""


def standardize_code(root: Element, survey: Survey) -> None:
    """Rewrite every code block as ``<pre><code class="language-…">`` holding nothing but text."""
    for editor in survey.roles["editor"]:
        if editor.tag not in ("textarea", "code"):
            _rewrite_editor(root, editor)
    for diagram in survey.roles["mermaid"]:
        if diagram.tag in ("pre", "div", "figure") and next(diagram.iter_elements("pre"), None) is None:
            _rewrite_diagram(diagram)
    if "pre" in survey.tags or "xmp" in survey.tags or "listing" in survey.tags:
        _rewrite_blocks(root)
    if "code" in survey.tags:
        for code in list(root.iter_elements("code")):
            if code.parent is not None and _stands_as_block(code):
                _rewrite(root, code)


def _rewrite_blocks(root: Element) -> None:
    blocks = list(root.iter_elements(("pre", "xmp", "listing")))
    for block in blocks:
        if _is_gutter(block):
            block.extract()
    for block in blocks:
        parent = block.parent
        if parent is None or _is_canonical(block):
            continue
        if any(element.tag == "pre" for element in _near(block, 8)) and block.closest("pre") is not block:
            continue
        if next(block.iter_elements(_PROSE), None) is not None:
            block.tag = "div"
        else:
            _rewrite(root, block)


def _near(element: Element, steps: int) -> Iterator[Element]:
    """The nearest ancestors, nearest first."""
    parent = element_parent(element)
    while parent is not None and steps:
        yield parent
        steps -= 1
        parent = element_parent(parent)


def _is_canonical(block: Element) -> bool:
    children = block.children
    if len(children) != 1 or block.tag != "pre" or len(block.attrs):
        return False
    code = children[0]
    if not isinstance(code, Element) or code.tag != "code" or len(code) != 1 or not isinstance(code[0], Text):
        return False
    cls = code.attr("class")
    text = code[0].data
    return (
        _trimmed(text) == text
        and (cls is None or (cls.startswith("language-") and " " not in cls))
        and len(code.attrs) <= 1
    )


def _is_gutter(block: Element) -> bool:
    """Whether a ``<pre>`` holds only the line numbers of another."""
    if not _GUTTER.isdisjoint(own := tokens(block)) and "line-numbers" not in own:
        return squeezed(block.text).replace(" ", "").isdigit()
    if any(not _GUTTER.isdisjoint(tokens(element)) for element in _near(block, 3)):
        return True
    cell = next((element for element in _near(block, 3) if element.tag == "td"), None)
    return cell is not None and not blank(block.text) and "lntd" in tokens(cell) and blank(code_text(block))


def _rewrite(root: Element, block: Element) -> None:
    if block.tag != "code" and not any(isinstance(child, Element) for child in block.children):
        text = block.text
    else:
        text = code_text(block)
    text = _trimmed(text)
    frame, path, before, after = _frame(root, block)
    language = _language(block, path)
    replace(frame, *before, *([_made(text, language)] if not blank(text) else []), *after)


def _made(text: str, language: str | None) -> Element:
    attributes = {"class": f"language-{language}"} if language else None
    return Element("pre", None, [Element("code", attributes, [Text(text)])])


def _trimmed(text: str) -> str:
    """The text without the blank lines at its end; white space that ends the last line of code stays."""
    bare = len(text.rstrip())
    newline = text.find("\n", bare)
    return text if newline < 0 else text[:newline]


# -- text ------------------------------------------------------------------------------------------------------------


def code_text(block: Element) -> str:
    """The text of a code block: lines end where ``<br>``, a newline or a line element ends, and only once."""
    out: list[str] = []
    last = ""
    owed = False  # A line element has ended, its newline has not been seen yet.
    levels: list[tuple[Iterator[Node], bool, bool, int]] = [(iter(block.children), False, _has_lines(block), 0)]
    while levels:
        children, is_line, has_lines, start = levels[-1]
        node = next(children, None)
        if node is None:
            levels.pop()
            if is_line and (len(out) == start or last != "\n"):
                owed = True
        elif isinstance(node, Text):
            data = node.data
            if not data or (has_lines and data.isspace()):
                continue
            if owed:
                owed = False
                if data[0] != "\n":
                    out.append("\n")
            out.append(data)
            last = data[-1]
        elif isinstance(node, Element):
            tag = node.tag
            if tag == "br":
                owed = False
                out.append("\n")
                last = "\n"
                continue
            names = tokens(node)
            if tag in _NEVER_CODE or _is_decoration(names):
                continue
            block_line = tag in _LINE_TAGS
            line = block_line or not _LINE_TOKENS.isdisjoint(names) or (tag == "span" and "data-line" in node.attrs)
            if line and (owed or (block_line and last not in ("", "\n"))):
                out.append("\n")
                last = "\n"
                owed = False
            content = node.children
            if line and len(content) == 1 and isinstance(content[0], Text) and content[0].data == " ":
                content = ()  # Nextra keeps an empty line open with one space.
            levels.append((iter(content), line, _has_lines(node), len(out)))
    return "".join(out)


def _has_lines(element: Element) -> bool:
    """Whether the lines are blocks, so that white space between them is only the page's own layout."""
    return any(isinstance(child, Element) and child.tag in _LINE_TAGS for child in element.children)


def _is_decoration(names: Iterable[str]) -> bool:
    return any(name in _GUTTER or name in _TOOLS or name.startswith("buttongroup") for name in names)


# -- blocks drawn line by line ---------------------------------------------------------------------------------------


def _rewrite_editor(root: Element, editor: Element) -> None:
    if editor.parent is None:
        return
    names = tokens(editor)
    if "codemirror-line" in names:
        outer = element_parent(editor)
        if outer is None or outer is root:
            return
        editor = outer
    lines = list(_editor_lines(editor))
    if not lines:
        return
    text = "\n".join(lines)
    frame, path, before, after = _frame(root, editor)
    language = _language(editor, path) or _label(editor)
    replace(frame, *before, _made(_trimmed(text), language), *after)


def _editor_lines(editor: Element) -> Iterator[str]:
    """The lines of an editor; it pads them with characters of its own, which are put back."""
    stack = [editor]
    while stack:
        element = stack.pop()
        names = tokens(element)
        if not _GUTTER.isdisjoint(names) or element.tag in _NEVER_CODE:
            continue
        if element is not editor and not _EDITOR_LINES.isdisjoint(names):
            line = code_text(element).replace("\xa0", " ").replace("\u200b", "").strip("\n")
            yield "" if blank(line) else line
            continue
        stack.extend(child for child in reversed(element.children) if isinstance(child, Element))


def _label(editor: Element) -> str | None:
    for element in editor.iter_elements("span"):
        if "crayon-language" in tokens(element):
            return _known(element.text)
    return None


def _rewrite_diagram(diagram: Element) -> None:
    if diagram.parent is None:
        return
    text = _trimmed(code_text(diagram)).strip("\n")
    replace(diagram, *([_made(text, "mermaid")] if not blank(text) else []))


def _stands_as_block(code: Element) -> bool:
    """Whether a ``<code>`` outside ``<pre>`` is laid out in lines."""
    parent = element_parent(code)
    if parent is None or parent.tag == "pre" or any(element.tag in ("pre", "code") for element in _near(code, 4)):
        return False
    if not any(isinstance(child, Element) for child in code.children) and "\n" not in code.text:
        return False
    lines = 0
    for element in code.iter_elements(("br", "div", "span", "p")):
        tag = element.tag
        lines += tag != "span" or not _LINE_TOKENS.isdisjoint(tokens(element)) or "data-line" in element.attrs
        if lines > 1:
            break
    if lines > 1:
        return True
    return code.text.strip().count("\n") > 1 and _language(code, []) is not None


# -- frame and language ----------------------------------------------------------------------------------------------


def _frame(root: Element, block: Element) -> tuple[Element, list[Element], list[Element], list[Element]]:
    """The outermost element that holds the block alone, those between, and the titles found before and after it."""
    current = block
    path: list[Element] = []
    before: list[Element] = []
    after: list[Element] = []
    in_code_cell = False
    for parent in _near(block, 9):
        tag = parent.tag
        if parent is root or (tag not in _FRAMES and "-" not in tag):
            break
        if tag in _CELLS:
            in_code_cell = in_code_cell or not _CODE_CELLS.isdisjoint(tokens(parent))
            if not in_code_cell:
                break
        titles = _titles_around(current)
        if titles is None:
            break
        before = [*titles[0], *before]
        after = [*after, *titles[1]]
        current = parent
        path.append(parent)
    header = element_sibling(current, before=True)
    if header is not None and not _HEADERS.isdisjoint(tokens(header)) and len(header.text) < 200:
        header.extract()
    return current, path, before, after


def _titles_around(block: Element) -> tuple[list[Element], list[Element]] | None:
    """Titles beside a block whose other siblings are all decoration; None when something else is there."""
    found: tuple[list[Element], list[Element]] = ([], [])
    for side, is_before in ((found[0], True), (found[1], False)):
        node = block.previous_sibling if is_before else block.next_sibling
        steps = 0
        while node is not None:
            steps += 1
            if steps > 12:
                return None
            if isinstance(node, Element):
                if not _is_beside_code(node):
                    title = _title(node)
                    if title is None:
                        return None
                    side.append(title)
            elif not isinstance(node, Comment) and not (isinstance(node, Text) and blank(node.data)):
                return None
            node = node.previous_sibling if is_before else node.next_sibling
        if is_before:
            side.reverse()
    return found


def _is_beside_code(element: Element) -> bool:
    if element.tag in _NEVER_CODE:
        return True
    names = tokens(element)
    if not _GUTTER.isdisjoint(names):
        return True
    text = squeezed(element.text)
    if not text:
        return next(element.iter_elements(("img", "pre", "iframe", "video")), None) is None
    if len(text) > 60:
        return False
    return _is_decoration(names) or (element.tag == "div" and _only_buttons(element, text))


def _only_buttons(element: Element, text: str) -> bool:
    """Whether all that an element says stands on its buttons."""
    labels = [squeezed(button.text) for button in element.iter_elements("button")]
    return bool(labels) and len("".join(labels).replace(" ", "")) >= len(text.replace(" ", ""))


def _title(element: Element) -> Element | None:
    """The name of a file or listing written over its code, as a paragraph."""
    marked = (
        element.tag == "figcaption"
        or any(_TITLES.fullmatch(name) for name in tokens(element))
        or any(name.startswith("data-rehype-pretty-code-") for name in element.attrs)
    )
    text = squeezed(element.text)
    if not marked or not text or len(text) > 300:
        return None
    return Element("p", None, [Text(text)])


def _language(block: Element, frames: list[Element]) -> str | None:
    """The language named on the block, its ``<code>``, its frames, or up to three elements around these."""
    inner = next(block.iter_elements("code"), None) if block.tag != "code" else None
    for element in (inner, block, *frames):
        if element is not None:
            named = _named(element, trusted=True)
            if named is not None:
                return named if named not in NO_LANGUAGE else None
    outermost = frames[-1] if frames else block
    for element in _near(outermost, 3):
        named = _named(element, trusted=False)
        if named is not None:
            return named if named not in NO_LANGUAGE else None
    return None


def _named(element: Element, *, trusted: bool) -> str | None:
    """The language an element names; away from the code itself only known names count (``lang-en`` is none)."""
    names = tokens(element)
    for name in names:
        prefixed = _PREFIXED.fullmatch(name)
        if prefixed:
            language = _cleaned(prefixed[1])
            if language and (language in LANGUAGES or language in NO_LANGUAGE or (trusted and _trusts(name, language))):
                return language
    for attribute in _LANGUAGE_ATTRIBUTES:
        value = element.attr(attribute)
        if value:
            brush = _BRUSH.search(value)
            language = _cleaned(brush[1] if brush else value)
            if language and (language in LANGUAGES or language in NO_LANGUAGE or (trusted and attribute != "lang")):
                return language
    cls = element.attr("class")
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


def _known(name: str) -> str | None:
    cleaned = _cleaned(name)
    return cleaned if cleaned in LANGUAGES else None
