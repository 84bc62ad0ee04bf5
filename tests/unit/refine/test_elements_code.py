"""Code blocks of every highlighter: the text byte for byte, the language, no line numbers."""

# ruff: noqa: E501 (markup as the generators write it reads better unbroken)

from __future__ import annotations

import pytest
from refine_shapes import canonical

from duramen.dom import fragment
from duramen.refine.elements.highlighting import code_text


def block(text: str, language: str | None = None) -> str:
    cls = f' class="language-{language}"' if language else ""
    return f"<pre><code{cls}>{text}</code></pre>"


PYTHON = block("def add(a, b):\n    return a + b\n\nprint(add(1, 2))", "python")
SHELL = block("cd app\n\nmake all", "bash")

SHAPES = {
    "plain": ("<pre>one\n  two\n</pre>", block("one\n  two")),
    "plain, line breaks": ("<pre>one<br>  two<br/><br>four</pre>", block("one\n  two\n\nfour")),
    "prism": (
        '<pre class="language-bash" tabindex="0"><code class="language-bash"><span class="token builtin">cd</span> app\n'
        '\n<span class="token function">make</span> all\n</code></pre>',
        SHELL,
    ),
    "prism, line numbers": (
        '<pre class="line-numbers language-bash"><code class="language-bash">cd app\n\nmake all'
        '<span aria-hidden="true" class="line-numbers-rows"><span></span><span></span><span></span></span></code></pre>',
        SHELL,
    ),
    "prism, toolbar": (
        '<div class="code-toolbar"><pre class="language-bash"><code class="language-bash">cd app\n\nmake all</code></pre>'
        '<div class="toolbar"><div class="toolbar-item"><span>Bash</span></div><div class="toolbar-item">'
        "<button>Copy</button></div></div></div>",
        SHELL,
    ),
    "prism, prompts": (
        '<pre class="command-line language-bash"><code class="language-bash"><span class="command-line-prompt">'
        '<span data-user="me">$</span></span>cd app\n\nmake all</code></pre>',
        SHELL,
    ),
    "shiki, newlines": (
        '<pre class="shiki nord" data-language="bash"><code><span class="line"><span>cd</span><span> app</span></span>\n'
        '<span class="line"></span>\n<span class="line"><span>make</span> all</span></code></pre>',
        SHELL,
    ),
    "shiki, no newlines": (
        '<pre class="shiki" data-language="bash"><code><span class="line">cd app</span><span class="line"></span>'
        '<span class="line">make all</span></code></pre>',
        SHELL,
    ),
    "highlight.js": (
        '<pre><code class="hljs python"><span class="hljs-keyword">def</span> add(a, b):\n    <span>return</span> a + b\n'
        "\n<span>print</span>(add(<span>1</span>, 2))\n</code></pre>",
        PYTHON,
    ),
    "highlight.js, name first": ('<pre><code class="bash hljs">cd app\n\nmake all</code></pre>', SHELL),
    "highlight.js, line numbers": (
        '<pre><code class="hljs language-bash"><table class="hljs-ln"><tbody><tr><td class="hljs-ln-line hljs-ln-numbers">'
        '<div class="hljs-ln-n" data-line-number="1"></div></td><td class="hljs-ln-line hljs-ln-code">cd app</td></tr><tr>'
        '<td class="hljs-ln-line hljs-ln-numbers"><div class="hljs-ln-n"></div></td><td class="hljs-ln-line hljs-ln-code">'
        '</td></tr><tr><td class="hljs-ln-line hljs-ln-numbers"></td><td class="hljs-ln-line hljs-ln-code">make all</td>'
        "</tr></tbody></table></code></pre>",
        SHELL,
    ),
    "pygments in sphinx": (
        '<div class="highlight-python notranslate"><div class="highlight"><pre><span></span><span class="k">def</span> '
        '<span class="nf">add</span><span class="p">(</span>a, b):\n    return a + b\n\nprint(add(1, 2))\n</pre></div></div>',
        PYTHON,
    ),
    "pygments, copy button": (
        '<div class="highlight-bash notranslate"><div class="highlight"><pre id="codecell0">cd app\n\nmake all\n</pre>'
        '<button class="copybtn o-tooltip--left" data-tooltip="Copy"><svg></svg></button></div></div>',
        SHELL,
    ),
    "pygments, default language": (
        '<div class="highlight-default notranslate"><div class="highlight"><pre>&gt;&gt;&gt; 1 + 1\n2\n</pre></div></div>',
        block("&gt;&gt;&gt; 1 + 1\n2"),
    ),
    "pygments, number table": (
        '<div class="highlight-bash"><table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre>'
        '<span class="normal">1</span>\n<span class="normal">2</span>\n3</pre></div></td><td class="code"><div '
        'class="highlight"><pre>cd app\n\nmake all\n</pre></div></td></tr></table></div>',
        SHELL,
    ),
    "pygments, inline numbers": (
        '<div class="highlight-bash"><div class="highlight"><pre><span class="linenos">1</span>cd app\n'
        '<span class="linenos">2</span>\n<span class="linenos">3</span>make all\n</pre></div></div>',
        SHELL,
    ),
    "codehilite": ('<div class="codehilite"><pre><span></span><code>cd app\n</code></pre></div>', block("cd app")),
    "rouge": (
        '<div class="language-bash highlighter-rouge"><div class="highlight"><pre class="highlight"><code><span '
        'class="nb">cd </span>app\n\nmake all\n</code></pre></div></div>',
        SHELL,
    ),
    "rouge, number table": (
        '<figure class="highlight"><pre><code class="language-bash" data-lang="bash"><table class="rouge-table"><tbody><tr>'
        '<td class="gutter gl"><pre class="lineno">1\n2\n3\n</pre></td><td class="code"><pre>cd app\n\nmake all\n</pre></td>'
        "</tr></tbody></table></code></pre></figure>",
        SHELL,
    ),
    "chroma": (
        '<div class="highlight"><pre tabindex="0" class="chroma"><code class="language-bash" data-lang="bash"><span '
        'class="line"><span class="cl"><span class="nb">cd</span> app\n</span></span><span class="line"><span class="cl">\n'
        '</span></span><span class="line"><span class="cl">make all\n</span></span></code></pre></div>',
        SHELL,
    ),
    "chroma, inline numbers": (
        '<div class="highlight"><pre class="chroma"><code class="language-bash" data-lang="bash"><span class="line"><span '
        'class="ln">1</span><span class="cl">cd app\n</span></span><span class="line"><span class="ln">2</span><span '
        'class="cl">\n</span></span><span class="line"><span class="ln">3</span><span class="cl">make all\n</span></span>'
        "</code></pre></div>",
        SHELL,
    ),
    "chroma, number table": (
        '<div class="highlight"><div class="chroma"><table class="lntable"><tr><td class="lntd"><pre class="chroma"><code>'
        '<span class="lnt">1\n</span><span class="lnt">2\n</span><span class="lnt">3\n</span></code></pre></td><td '
        'class="lntd"><pre class="chroma"><code class="language-bash" data-lang="bash"><span class="line"><span class="cl">'
        "cd app\n</span></span>\nmake all\n</code></pre></td></tr></table></div></div>",
        SHELL,
    ),
    "codemirror 5": (
        '<div class="CodeMirror cm-s-default" data-lang="bash"><div class="CodeMirror-measure"><pre><span>xxxx</span></pre>'
        '</div><div class="CodeMirror-code"><div style="position: relative"><div class="CodeMirror-gutter-wrapper"><div '
        'class="CodeMirror-linenumber">1</div></div><pre class="CodeMirror-line"><span>cd app</span></pre></div><div><div '
        'class="CodeMirror-gutter-wrapper"><div class="CodeMirror-linenumber">2</div></div><pre class="CodeMirror-line">'
        '<span>\u200b</span></pre></div><div><pre class="CodeMirror-line"><span>make all</span></pre></div></div></div>',
        SHELL,
    ),
    "codemirror 6": (
        '<div class="cm-editor"><div class="cm-scroller"><div class="cm-gutters"><div class="cm-gutterElement">1</div></div>'
        '<div class="cm-content" data-language="bash"><div class="cm-line">cd app</div><div class="cm-line"><br></div><div '
        'class="cm-line">make <span>all</span></div></div></div></div>',
        SHELL,
    ),
    "docusaurus 3": (
        '<div class="language-bash codeBlockContainer_Ckt0 theme-code-block"><div class="codeBlockContent_QJqH"><pre '
        'tabindex="0" class="prism-code language-bash codeBlock_bY9V thin-scrollbar"><code class="codeBlockLines_e6Vv"><div '
        'class="token-line"><span class="token builtin">cd</span><span class="token plain"> app</span><br></div><div '
        'class="token-line"><span class="token plain" style="display:inline-block"></span><br></div><div class="token-line">'
        "make all<br></div></code></pre></div></div>",
        SHELL,
    ),
    "docusaurus 2, title and buttons": (
        '<div class="language-bash codeBlockContainer_Ckt0"><div class="codeBlockTitle_Ktv7">run.sh</div><div '
        'class="codeBlockContent_biex"><pre class="prism-code language-bash"><code><span class="token-line">cd app<br>'
        '</span><span class="token-line"><br></span><span class="token-line">make all<br></span></code></pre><div '
        'class="buttonGroup__atx"><button type="button">Copy</button></div></div></div>',
        "<p>run.sh</p>" + SHELL,
    ),
    "hexo": (
        '<figure class="highlight bash"><table><tr><td class="gutter"><pre><span class="line">1</span><br><span class="line">'
        '2</span><br><span class="line">3</span><br></pre></td><td class="code"><pre><span class="line">cd app</span><br>'
        '<span class="line"></span><br><span class="line">make all</span><br></pre></td></tr></table></figure>',
        SHELL,
    ),
    "starlight": (
        '<div class="expressive-code"><figure class="frame is-terminal"><figcaption class="header"><span class="title">'
        '</span><span class="sr-only">Terminal window</span></figcaption><pre data-language="bash"><code><div class="ec-line">'
        '<div class="code"><span>cd</span> app</div></div><div class="ec-line"><div class="code">\n</div></div><div '
        'class="ec-line"><div class="code"><span class="indent">  </span>make all</div></div></code></pre><div class="copy">'
        '<button title="Copy to clipboard" data-code="x"><div></div></button></div></figure></div>',
        block("cd app\n\n  make all", "bash"),
    ),
    "starlight, file name": (
        '<figure class="frame has-title"><figcaption class="header"><span class="title">app.sh</span></figcaption><pre '
        'data-language="bash"><code><div class="ec-line"><div class="gutter"><div class="ln">1</div></div><div class="code">'
        "cd app</div></div></code></pre></figure>",
        "<p>app.sh</p>" + block("cd app", "bash"),
    ),
    "rehype-pretty-code": (
        '<figure data-rehype-pretty-code-figure=""><pre style="x" tabindex="0" data-language="bash" data-theme="one"><code '
        'data-language="bash" style="display:grid"><span data-line=""><span>cd</span> app</span>\n<span data-line=""> </span>'
        '\n<span data-line="">make all</span></code></pre></figure>',
        SHELL,
    ),
    "vitepress": (
        '<div class="language-bash vp-adaptive-theme line-numbers-mode"><button title="Copy Code" class="copy"></button><span '
        'class="lang">bash</span><pre class="shiki github-light"><code><span class="line">cd app</span>\n<span class="line">'
        '</span>\n<span class="line">make all</span></code></pre><div class="line-numbers-wrapper" aria-hidden="true"><span '
        'class="line-number">1</span><br><span class="line-number">2</span><br></div></div>',
        SHELL,
    ),
    "material for mkdocs": (
        '<div class="language-bash highlight"><pre><span></span><code><a id="__codelineno-0-1" name="__codelineno-0-1" '
        'href="#__codelineno-0-1"></a>cd app\n<a id="__codelineno-0-2"></a>\n<a id="__codelineno-0-3"></a>make all\n</code>'
        "</pre></div>",
        SHELL,
    ),
    "material for mkdocs, numbers and title": (
        '<div class="language-bash highlight"><table class="highlighttable"><tr><th colspan="2" class="filename"><span '
        'class="filename">run.sh</span></th></tr><tr><td class="linenos"><div class="linenodiv"><pre><span></span><a '
        'href="#__codelineno-1-1">1</a>\n<a href="#__codelineno-1-2">2</a></pre></div></td><td class="code"><div><pre><span>'
        "</span><code>cd app\n\nmake all\n</code></pre></div></td></tr></table></div>",
        "<p>run.sh</p>" + SHELL,
    ),
    "github readme": (
        '<div class="highlight highlight-source-shell notranslate position-relative overflow-auto" dir="auto"><pre><span '
        'class="pl-c1">cd</span> app\n\nmake all</pre><div class="zeroclipboard-container"><clipboard-copy '
        'aria-label="Copy"><svg></svg></clipboard-copy></div></div>',
        block("cd app\n\nmake all", "shell"),
    ),
    "github blob": (
        '<table class="highlight js-file-line-container" data-tagsearch-lang="Python"><tbody><tr><td class="blob-num '
        'js-line-number" data-line-number="1"></td><td class="blob-code blob-code-inner js-file-line"><span>def</span> '
        'add(a, b):</td></tr><tr><td class="blob-num"></td><td class="blob-code blob-code-inner">    return a + b</td></tr>'
        '<tr><td class="blob-num"></td><td class="blob-code">\n</td></tr><tr><td class="blob-num"></td><td '
        'class="blob-code">print(add(1, 2))</td></tr></tbody></table>',
        PYTHON,
    ),
    "github blob, react": (
        '<div class="react-code-lines"><div class="react-code-text react-code-line-contents"><div id="LC1" '
        'class="react-file-line html-div">cd app</div></div><div class="react-code-text react-code-line-contents"><div '
        'id="LC2" class="react-file-line html-div">\n</div></div><div class="react-code-text react-code-line-contents"><div '
        'class="react-file-line">make all</div></div></div>',
        block("cd app\n\nmake all"),
    ),
    "syntaxhighlighter": (
        '<div id="highlighter_1" class="syntaxhighlighter nogutter bash"><table><tbody><tr><td class="gutter"><div '
        'class="line number1">1</div><div class="line number2">2</div></td><td class="code"><div class="container"><div '
        'class="line number1"><code class="bash functions">cd</code> <code class="bash plain">app</code></div><div '
        'class="line">&nbsp;</div><div class="line number3"><code class="bash spaces">&nbsp;&nbsp;</code><code>make all'
        "</code></div></div></td></tr></tbody></table></div>",
        block("cd app\n\n  make all", "bash"),
    ),
    "confluence": (
        '<div class="code panel pdl"><div class="codeContent panelContent pdl"><pre class="syntaxhighlighter-pre" '
        'data-syntaxhighlighter-params="brush: bash; gutter: false; theme: Eclipse">cd app\n\nmake all</pre></div></div>',
        SHELL,
    ),
    "brush": ('<pre class="brush: bash; toolbar: false">cd app\n\nmake all</pre>', SHELL),
    "gatsby": (
        '<div class="gatsby-highlight" data-language="bash"><pre class="language-bash"><code class="language-bash">cd app\n\n'
        "make all</code></pre></div>",
        SHELL,
    ),
    "nextra": (
        '<div class="nextra-code" data-pagefind-ignore="all"><pre class="x:group"><code dir="ltr"><span><span>cd app</span>'
        '</span>\n<span> </span>\n<span>make all</span></code></pre><div class="x:opacity-0"><button title="Copy code"><svg>'
        "</svg></button></div></div>",
        block("cd app\n\nmake all"),
    ),
    "prism diff, its tokens called line": (
        '<pre class="prism-code language-diff"><code><span class="token-line"><span class="token deleted prefix">-</span>'
        '<span class="token deleted line">one</span><br></span><span class="token-line"><span class="token deleted line">'
        '</span><span class="token inserted prefix">+</span><span class="token inserted line">two</span><br></span></code></pre>',
        block("-one\n+two", "diff"),
    ),
    "expressive code diff": (
        '<div class="expressive-code"><figure class="frame"><pre data-language="diff"><code><div class="ec-line highlight del">'
        '<div class="code">one</div></div><div class="ec-line highlight ins"><div class="code">two</div></div>'
        '<div class="ec-line"><div class="code">three</div></div></code></pre></figure></div>',
        block("-one\n+two\n three", "diff"),
    ),
    "crayon": (
        '<div id="crayon-1" class="crayon-syntax crayon-theme-classic"><div class="crayon-toolbar"><span '
        'class="crayon-language">Bash</span></div><div class="crayon-main"><table class="crayon-table"><tr class="crayon-row">'
        '<td class="crayon-nums"><div class="crayon-nums-content"><div class="crayon-num">1</div></div></td><td '
        'class="crayon-code"><div class="crayon-pre"><div class="crayon-line" id="l1"><span class="crayon-e">cd </span>app'
        '</div><div class="crayon-line">&nbsp;</div><div class="crayon-line">make all</div></div></td></tr></table></div></div>',
        SHELL,
    ),
    "wordpress": (
        '<pre class="wp-block-code"><code lang="bash" class="language-bash">cd app</code></pre>',
        block("cd app", "bash"),
    ),
    "pandoc": (
        '<div class="sourceCode" id="cb1"><pre class="sourceCode bash"><code class="sourceCode bash"><span id="cb1-1"><a '
        'href="#cb1-1" aria-hidden="true"></a><span class="bu">cd</span> app</span>\n<span id="cb1-2"></span>\n<span>make '
        "all</span></code></pre></div>",
        SHELL,
    ),
    "org-mode": (
        '<div class="org-src-container"><pre class="src src-bash">cd app\n</pre></div>',
        block("cd app", "bash"),
    ),
    "microsoft learn": (
        '<div class="codeHeader" id="code-try-0"><span class="language">C#</span><button class="action">Copy</button></div>'
        '<pre tabindex="0" class="has-inner-focus"><code class="lang-csharp" data-author-content="x">var x = 1;\n</code></pre>',
        block("var x = 1;", "csharp"),
    ),
    "notion": (
        '<pre id="a-b" class="code code-wrap"><code class="language-Bash" style="white-space:pre-wrap">cd app</code></pre>',
        block("cd app", "bash"),
    ),
    "google prettify": (
        '<pre class="prettyprint lang-bash linenums prettyprinted"><ol class="linenums"><li class="L0"><span>cd</span> app'
        '</li><li class="L1"></li><li class="L2"><span>make</span> all</li></ol></pre>',
        SHELL,
    ),
    "monaco": (
        '<div class="monaco-editor"><div class="view-lines"><div class="view-line"><span>let&nbsp;x</span></div>'
        '<div class="view-line"><span>&nbsp;&nbsp;y</span></div></div></div>',
        block("let x\n  y"),
    ),
    "code without pre": (
        '<div class="snippet"><code class="language-bash">cd app<br><br>make all</code></div>',
        SHELL,
    ),
    "xmp": ("<xmp>a < b\n</xmp>", block("a &lt; b")),
    "mermaid": ('<pre class="mermaid">graph TD;\n  A--&gt;B;\n</pre>', block("graph TD;\n  A--&gt;B;", "mermaid")),
    "mermaid div": ('<div class="mermaid">graph TD;\nA--&gt;B;</div>', block("graph TD;\nA--&gt;B;", "mermaid")),
    "console": (
        '<div class="highlight-console notranslate"><div class="highlight"><pre><span class="gp">$ </span>ls\n<span class="go">'
        "a  b</span>\n</pre></div></div>",
        block("$ ls\na  b", "console"),
    ),
    "language of an ancestor": (
        '<div class="language-ruby"><div class="box"><p>Say:</p><pre>puts 1</pre></div></div>',
        "<p>Say:</p>" + block("puts 1", "ruby"),
    ),
    "a human language is none": (
        '<article class="lang-en"><pre>puts 1</pre></article>',
        f"<article>{block('puts 1')}</article>",
    ),
    "no language": ('<pre class="language-plaintext"><code class="language-text">x</code></pre>', block("x")),
    "caption after the code": (
        "<figure><pre>x = 1</pre><figcaption>Listing 1: one line</figcaption></figure>",
        block("x = 1") + "<p>Listing 1: one line</p>",
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_shape(name: str) -> None:
    html, expected = SHAPES[name]
    assert canonical(html) == expected


@pytest.mark.parametrize("name", SHAPES)
def test_shape_inside_prose(name: str) -> None:
    html, expected = SHAPES[name]
    assert canonical(f"<p>Before</p>{html}<p>After</p>") == f"<p>Before</p>{expected}<p>After</p>"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<pre>\na</pre>", "a"),  # The parser drops the first newline, as browsers do,
        ("<pre>\n\na</pre>", "\na"),  # and only that one.
        ("<pre>  a\n\tb</pre>", "  a\n\tb"),
        ("<pre>a\n\n\n</pre>", "a"),
        ("<pre>a  \n   \n</pre>", "a  "),
        ("<pre>a\n\n\nb</pre>", "a\n\n\nb"),
        ("<pre>a\u00a0b</pre>", "a\u00a0b"),
    ],
)
def test_white_space(html: str, text: str) -> None:
    root = fragment(canonical(html))
    assert root.text == text


def test_inline_code_is_left_alone() -> None:
    html = '<p>Call <code>f(<var>x</var>)\nnow</code> and <code class="language-js">g()</code>.</p>'
    assert canonical(html) == "<p>Call <code>f(<var>x</var>)\nnow</code> and <code>g()</code>.</p>"


def test_empty_block_goes() -> None:
    assert canonical("<p>a</p><pre> \n</pre><pre><code></code></pre>") == "<p>a</p>"


def test_a_pre_around_a_page_is_no_code() -> None:
    assert canonical("<pre><h2>Title</h2>Some words</pre>") == "<h2>Title</h2><p>Some words</p>"


def test_code_beside_other_text_keeps_it() -> None:
    html = '<div class="highlight">See below<pre>x</pre>and above</div>'
    assert canonical(html) == f"<p>See below</p>{block('x')}<p>and above</p>"


def test_lines_end_once() -> None:
    root = fragment('<pre><div>a</div>\n<div>b\n</div><div></div>c<span class="line">d</span></pre>')
    pre = next(root.iter_elements("pre"))
    assert code_text(pre) == "a\nb\n\ncd"
    cut = "<code><span class=line><i>-a\n<span class=line></span></i><i>+b\n<span class=line></span></i></span></code>"
    assert code_text(next(fragment(cut).iter_elements("code"))).rstrip() == "-a\n+b"
    empty = "<code><span class=line>a</span>\n<span class=line></span>\n<span class=line>b</span></code>"
    assert code_text(next(fragment(empty).iter_elements("code"))) == "a\n\nb"


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (
            "<div><style>.x{}</style><span>9</span><div>make a\n</div></div><div><i>10</i><div>make b</div></div>",
            "make a\nmake b",
        ),
        ("<div><b>1</b>, a</div><div><b>5</b>, b</div>", "1, a\n5, b"),
        ("<div><b>1</b></div><div><b>2</b></div>", "1\n2"),
        ("<div>a<b>1</b></div><div>b<b>2</b></div>", "a1\nb2"),
    ],
)
def test_numbers_that_count_lines_are_no_code(lines: str, text: str) -> None:
    assert canonical(f"<pre><div>{lines}</div></pre>") == block(text)


def test_the_numbers_of_an_editor_and_of_a_table_are_no_code() -> None:
    gutter = '<div class="ace_gutter"><div class="ace_gutter-cell">1</div><div class="ace_gutter-cell">2</div></div>'
    lines = '<div class="ace_text-layer"><div class="ace_line">a</div><div class="ace_line">b</div></div>'
    assert canonical(f'<div class="ace_editor">{gutter}<div class="ace_scroller">{lines}</div></div>') == block("a\nb")
    table = '<table><tr><td class="line_numbers"><pre>1\n2</pre></td><td class="code"><pre class="php">a\nb</pre></td></tr></table>'
    assert canonical(table) == block("a\nb")
