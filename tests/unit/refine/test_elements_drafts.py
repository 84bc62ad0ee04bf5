"""Small drafts and what they become: limits, order and neighbours, one line each."""

# ruff: noqa: E501 (a draft and its canonical form read better unbroken)

from __future__ import annotations

import pytest
from refine_shapes import canonical

BASE = "https://a.example/b/c"

CODE = [
    ('<div class="language-rust"><div><div><div><div><div><div><div><pre>a</pre></div></div></div></div></div></div></div></div>', '<pre><code class="language-rust">a</code></pre>'),
    ('<div class="language-rust"><div><div><div><div><div><div><div><div><pre>a</pre></div></div></div></div></div></div></div></div></div>', '<pre><code class="language-rust">a</code></pre>'),
    ('<div class="language-rust"><div><div><div><div><div><div><div><div><div><pre>a</pre></div></div></div></div></div></div></div></div></div></div>', '<pre><code class="language-rust">a</code></pre>'),
    ('<div class="language-rust"><div><div><div><div><div><div><div><div><div><div><pre>a</pre></div></div></div></div></div></div></div></div></div></div></div>', '<pre><code class="language-rust">a</code></pre>'),
    ('<div class="language-rust"><div><div><div><div><div><div><div><div><div><div><div><pre>a</pre></div></div></div></div></div></div></div></div></div></div></div></div>', '<pre><code class="language-rust">a</code></pre>'),
    ('<div class="language-rust"><div><div><div><div><div><div><div><div><div><div><div><div><pre>a</pre></div></div></div></div></div></div></div></div></div></div></div></div></div>', '<pre><code>a</code></pre>'),
    ('<div class="language-rust"><div><div><div><div><div><div><div><div><div><div><div><div><div><pre>a</pre></div></div></div></div></div></div></div></div></div></div></div></div></div></div>', '<pre><code>a</code></pre>'),
    ('<div class="language-rust"><div><div><div><div><div><div><div><div><div><div><div><div><div><div><pre>a</pre></div></div></div></div></div></div></div></div></div></div></div></div></div></div></div>', '<pre><code>a</code></pre>'),
    ('<p>b</p><div><i class="toolbar">wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww</i><pre>a</pre></div>', '<p>b</p><pre><code>a</code></pre>'),
    ('<p>b</p><div><i class="toolbar">wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww</i><pre>a</pre></div>', '<p>b</p><pre><code>a</code></pre>'),
    ('<p>b</p><div><i class="toolbar">wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww</i><pre>a</pre></div>', '<p>b</p><p><i>wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww</i></p><pre><code>a</code></pre>'),
    ('<p>b</p><div class="language-own"><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><pre>a</pre></div>', '<p>b</p><pre><code class="language-own">a</code></pre>'),
    ('<p>b</p><div class="language-own"><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><pre>a</pre></div>', '<p>b</p><pre><code class="language-own">a</code></pre>'),
    ('<p>b</p><div class="language-own"><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><pre>a</pre></div>', '<p>b</p><pre><code>a</code></pre>'),
    ('<div class="lang-c"><pre class="x"><code class="language-text">a</code></pre></div>', '<pre><code>a</code></pre>'),
    ('<p>b</p><div><i class="gutter">1 2 3</i><pre>a</pre><i><img src="/a.jpg"></i></div>', '<p>b</p><p><i>1 2 3</i></p><pre><code>a</code></pre><p><i><img src="https://a.example/a.jpg"></i></p>'),
    ('<pre><div>a</div><div>b</div></pre>', '<pre><code>a\nb</code></pre>'),
    ('<pre><span class="line">a</span>\n<span class="line"></span>\n</pre>', '<pre><code>a</code></pre>'),
    ('<pre>a<br>b<input>c</pre>', '<pre><code>a\nbc</code></pre>'),
    ('<pre>\n<p> </p> <p>a</p>b<p>c</p></pre>', '<pre><code>\na\nb\nc</code></pre>'),
    ('<pre><i class="lineno">1</i>a<br>\nb</pre>', '<pre><code>a\n\nb</code></pre>'),
    ('<pre><span class="line">a<span class="line"></span></span><span data-line="">b</span>c</pre>', '<pre><code>a\nb\nc</code></pre>'),
    ('<p><code>a<b>b</b></code> <code>c\nd</code> <code>e<br>f</code></p>', '<p><code>a<b>b</b></code> <code>c\nd</code> <code>e<br>f</code></p>'),
    ('<pre>Oaks <a href="/b">b</a><br><i>and elms</i></pre>', '<pre>Oaks <a href="https://a.example/b">b</a>\nand elms</pre>'),
    ('<pre>{}; <a href="/b">b</a></pre>', '<pre><code>{}; b</code></pre>'),
    ('<pre>Oaks <a href="/b">b</a><a href="/c">c</a></pre>', '<pre>Oaks <a href="https://a.example/b">b</a><a href="https://a.example/c">c</a></pre>'),
    ('<pre><h2>a</h2>b</pre>', '<h2>a</h2><p>b</p>'),
    ('<div><p class="filename">a.py</p><div>b</div><pre>a</pre></div>', '<p>a.py</p><p>b</p><pre><code>a</code></pre>'),
    ('<div><p class="filename"> a &amp;\n b </p><pre>a</pre><p data-rehype-pretty-code-caption="">c</p></div>', '<p>a &amp; b</p><pre><code>a</code></pre><p>c</p>'),
    ('<div><p class="x-title">a</p><div><p class="code-caption">b</p><pre>c</pre></div><p class="title">d</p></div>', '<p>a</p><p>b</p><pre><code>c</code></pre><p>d</p>'),
    ('<p class="code-header">wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww</p><pre>a</pre>', '<pre><code>a</code></pre>'),
    ('<p class="code-header">wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww</p><pre>a</pre>', '<p>wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww</p><pre><code>a</code></pre>'),
    ('<div><input><pre>a</pre><noscript>b</noscript></div>', '<pre><code>a</code></pre>'),
    ('<div><table><tbody><tr><td class="lntd"><pre><i class="lnt">1</i></pre></td><td class="lntd"><pre>a</pre></td></tr></tbody></table></div>', '<pre><code>a</code></pre>'),
    ('<table class="linenos"><tbody><tr><td><pre>1</pre></td></tr></tbody></table>', '<pre><code>1</code></pre>'),
    ('<div class="code"><table><tbody><tr><td><pre>1</pre></td></tr></tbody></table></div>', '<pre><code>1</code></pre>'),
    ('<p class="é Ébène">a</p>', '<p>a</p>'),
]  # fmt: skip

CALLOUTS = [
    ('<div class="admonition tip"><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><p class="title">Oak</p>a</div>', '<blockquote data-callout="tip"><p><strong>Oak</strong></p><p>a</p></blockquote>'),
    ('<div class="admonition tip"><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><p class="title">Oak</p>a</div>', '<blockquote data-callout="tip"><p><strong>Oak</strong></p><p>a</p></blockquote>'),
    ('<div class="admonition tip"><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><p class="title">Oak</p>a</div>', '<blockquote data-callout="tip"><p>Oak</p><p>a</p></blockquote>'),
    ('<div class="admonition tip"><p>b</p><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><span class="icon">Oak</span>a</div>', '<blockquote data-callout="tip"><p>b</p><p>a</p></blockquote>'),
    ('<div class="admonition tip"><p>b</p><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><span class="icon">Oak</span>a</div>', '<blockquote data-callout="tip"><p>b</p><p>a</p></blockquote>'),
    ('<div class="admonition tip"><p>b</p><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><span class="icon">Oak</span>a</div>', '<blockquote data-callout="tip"><p>b</p><p>Oaka</p></blockquote>'),
    ('<div class="note"><i></i><i></i><b>Note</b><p>a</p></div>', '<blockquote data-callout="note"><p><b>Note</b></p><p>a</p></blockquote>'),
    ('<div class="note"><i></i><i></i><i></i><b>Note</b><p>a</p></div>', '<blockquote data-callout="note"><p><b>Note</b></p><p>a</p></blockquote>'),
    ('<div class="note"><i></i><i></i><i></i><i></i><b>Note</b><p>a</p></div>', '<p><b>Note</b></p><p>a</p>'),
    ('<div class="alert alert-info"><p>aaaaaaaaaaaaaaaaaaa</p></div>', '<p>aaaaaaaaaaaaaaaaaaa</p>'),
    ('<div class="alert alert-info"><p>aaaaaaaaaaaaaaaaaaaa</p></div>', '<blockquote data-callout="note"><p>aaaaaaaaaaaaaaaaaaaa</p></blockquote>'),
    ('<div class="tip"><div><b>Tip</b></div><p>a</p></div>', '<blockquote data-callout="tip"><p>a</p></blockquote>'),
    ('<div class="tip"><div><div><b>Tip</b></div></div><p>a</p></div>', '<blockquote data-callout="tip"><p>a</p></blockquote>'),
    ('<div class="tip"><div><div><div><b>Tip</b></div></div></div><p>a</p></div>', '<blockquote data-callout="tip"><p>a</p></blockquote>'),
    ('<div class="tip"><div><div><div><div><b>Tip</b></div></div></div></div><p>a</p></div>', '<blockquote data-callout="tip"><p>a</p></blockquote>'),
    ('<div class="alert alert-info"><input><p>Back up your files first.</p></div>', '<blockquote data-callout="note"><p>Back up your files first.</p></blockquote>'),
    ('<details class="admonition"><summary>Oak <code>a</code><img src="/a.jpg"></summary><p>b</p></details>', '<blockquote data-callout="note"><p><strong>Oak <code>a</code></strong></p><p>b</p></blockquote>'),
]  # fmt: skip

CAPTIONS = [
    ('<div><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><img src="/a.jpg"><p class="caption">Oak</p></div>', '<figure><img src="https://a.example/a.jpg"><figcaption>Oak</figcaption></figure>'),
    ('<div><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><img src="/a.jpg"><p class="caption">Oak</p></div>', '<p><img src="https://a.example/a.jpg"></p><p>Oak</p>'),
    ('<div><img src="/a.jpg"><p class="caption">Oak</p><img src="/b.jpg"></div>', '<p><img src="https://a.example/a.jpg"></p><p>Oak</p><p><img src="https://a.example/b.jpg"></p>'),
    ('<div><div><img src="/a.jpg"><p class="caption">Oak</p></div><img src="/b.jpg"></div>', '<figure><img src="https://a.example/a.jpg"><figcaption>Oak</figcaption></figure><p><img src="https://a.example/b.jpg"></p>'),
    ('<div><div><div><img src="/a.jpg"><p class="caption">Oak</p></div></div><img src="/b.jpg"></div>', '<figure><img src="https://a.example/a.jpg"><figcaption>Oak</figcaption></figure><p><img src="https://a.example/b.jpg"></p>'),
    ('<div><img src="/a.jpg">a<p class="caption">Oak</p></div>', '<figure><img src="https://a.example/a.jpg"><figcaption>Oak</figcaption></figure>'),
    ('<div><img src="/a.jpg">ab<p class="caption">Oak</p></div>', '<p><img src="https://a.example/a.jpg">ab</p><p>Oak</p>'),
    ('<div><img src="/a.jpg">a b<p class="caption">Oak</p></div>', '<p><img src="https://a.example/a.jpg">a b</p><p>Oak</p>'),
]  # fmt: skip

NOTES = [
    ('<p>a<sup><a href="#n1">1</a></sup></p>', '<p>a<sup>1</sup></p>'),
    ('<p><a href="#fn1">1</a></p>', '<p><sup>1</sup></p>'),
    ('<p>a<sup><a href="#n1">1</a></sup></p><section class="footnotes"><ol><li>b</li><li id="n1">c</li></ol></section>', '<p>a<sup data-footnote-ref="1"><a href="#fn-1">1</a></sup></p><section><ol><li>b</li></ol></section><section data-footnotes=""><ol><li id="fn-1">c</li></ol></section>'),
    ('<p><a href="#fn1" id="r">1</a></p><dl><dt id="fn1">1</dt><dd>a <a href="#r">1</a> </dd></dl><p>b</p>', '<p><sup data-footnote-ref="1"><a href="#fn-1">1</a></sup></p><p>b</p><section data-footnotes=""><ol><li id="fn-1">a</li></ol></section>'),
    ('<p><a href="#fn1">1</a></p><table><tbody><tr id="fn1"><td>1</td><td>a</td></tr></tbody></table>', '<p><sup data-footnote-ref="1"><a href="#fn-1">1</a></sup></p><section data-footnotes=""><ol><li id="fn-1">a</li></ol></section>'),
    ('<p><sup>(<a href="#fn1">1</a>)</sup></p><div><div><p id="fn1"><span class="label">1</span>a</p></div></div>', '<p><sup data-footnote-ref="1"><a href="#fn-1">1</a></sup></p><section data-footnotes=""><ol><li id="fn-1">a</li></ol></section>'),
    ('<p><a href="#fn1">1</a></p><p id="fn1"><sup class="label"><a href="#fn2">2</a> x</sup>a</p>', '<p><sup data-footnote-ref="1"><a href="#fn-1">1</a></sup></p><section data-footnotes=""><ol><li id="fn-1">a</li></ol></section>'),
    ('<p><a href="#fn1">1</a></p><div><i><b><u><a name="fn1"></a></u></b></i></div><p id="fn1">b</p>', '<p><sup data-footnote-ref="1"><a href="#fn-1">1</a></sup></p><section data-footnotes=""><ol><li id="fn-1">b</li></ol></section>'),
    ('<p><a href="#fn1">1</a></p><p id="fn1"><span class="label">wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww</span>a</p>', '<p><sup data-footnote-ref="1"><a href="#fn-1">1</a></sup></p><section data-footnotes=""><ol><li id="fn-1">a</li></ol></section>'),
    ('<p><a href="#fn1">1</a></p><p id="fn1"><span class="label">wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww</span>a</p>', '<p><sup data-footnote-ref="1"><a href="#fn-1">1</a></sup></p><section data-footnotes=""><ol><li id="fn-1">wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwa</li></ol></section>'),
    ('<p><a href="#fn1">1</a></p><p><b><i id="fn1">a</i></b></p>', '<p><sup data-footnote-ref="1"><a href="#fn-1">1</a></sup></p><section data-footnotes=""><ol><li id="fn-1"><b><i>a</i></b></li></ol></section>'),
    ('<p><a href="#fn1">1</a></p><p><b><b><i id="fn1">a</i></b></b></p>', '<p><sup data-footnote-ref="1"><a href="#fn-1">1</a></sup></p><section data-footnotes=""><ol><li id="fn-1"><b><b><i>a</i></b></b></li></ol></section>'),
    ('<p><a href="#fn1">1</a></p><p><b><b><b><i id="fn1">a</i></b></b></b></p>', '<p><sup>1</sup></p><p><b><b><b><i>a</i></b></b></b></p>'),
]  # fmt: skip

EMBEDS = [
    ('<blockquote class="instagram-media" data-instgrm-permalink="https://www.instagram.com/p/abc123/?utm=1"><a href="/a">b</a></blockquote>', '<p><a href="https://www.instagram.com/p/abc123/">https://www.instagram.com/p/abc123/</a></p>'),
    ('<p class="instagram-media" data-instgrm-permalink="https://www.instagram.com/p/abc123/">a</p><p class="fb-post" data-href="https://www.instagram.com/p/abc123/">b</p>', '<p><a href="https://www.instagram.com/p/abc123/">https://www.instagram.com/p/abc123/</a></p>'),
    ('<div class="wp-block-embed__wrapper">\n https://youtu.be/abcdefg \n</div><p>a</p>', '<p><a href="https://www.youtube.com/watch?v=abcdefg">https://www.youtube.com/watch?v=abcdefg</a></p><p>a</p>'),
    ('<div class="wp-block-embed__wrapper"><iframe src="https://www.youtube.com/embed/abcdefg"></iframe></div>', '<p><a href="https://www.youtube.com/watch?v=abcdefg">https://www.youtube.com/watch?v=abcdefg</a></p>'),
    ('<div class="wp-block-embed__wrapper">https://b.example/ <b>c</b></div>', '<p>https://b.example/ <b>c</b></p>'),
    ('<div class="youtube-player" data-id="abcdefg"></div><div class="youtube-player" data-id="a b">c</div>', '<p><a href="https://www.youtube.com/watch?v=abcdefg">https://www.youtube.com/watch?v=abcdefg</a></p><p>c</p>'),
    ('<section class="tiktok-embed" cite="https://t.example/a">wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww</section>', '<p><a href="https://t.example/a">https://t.example/a</a></p>'),
    ('<section class="tiktok-embed" cite="https://t.example/a">wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww</section>', '<section><p>wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww</p></section>'),
    ('<div class="fb-video" data-href="mailto:a@b.example">c</div>', ''),
    ('<p>a</p><picture><b>c</b></picture>', '<p>a</p><p><b>c</b></p>'),
]  # fmt: skip

OTHERS = [
    ('<pre class="language-diff">a<br>b</pre>', '<pre><code class="language-diff">a\nb</code></pre>'),
    ('<pre class="linenos">1</pre>', ''),
    ('<pre>a<pre>b</pre></pre>', '<pre><code>ab</code></pre>'),
    ('<iframe>a</iframe>', ''),
    ('<video><iframe></iframe></video>', ''),
    ('<h2><iframe></iframe></h2>', ''),
    ('<object></object>', ''),
    ('<p><code>a\nb\nc</code></p>', '<p><code>a\nb\nc</code></p>'),
    ('<p><code>a<br>b<br>c</code></p>', '<pre><code>a\nb\nc</code></pre>'),
    ('<div class="admonitionblock">a</div>', '<blockquote data-callout="note"><p>a</p></blockquote>'),
    ('<span data-math="inline">a</span>', '<p><span data-math="inline">a</span></p>'),
    ('<picture><source srcset="/a.jpg"></picture>', '<p><img src="https://a.example/a.jpg"></p>'),
    ('<svg></svg>', ''),
    ('<x-card>a</x-card>', '<p>a</p>'),
    ('<table><tbody><tr><td><i class="sr-only">Yes</i></td></tr></tbody></table>', '<p><i>Yes</i></p>'),
]  # fmt: skip

REPAIRED = [
    ('<p><div>a</div></p>', '<p>a</p>'),
    ('<ul><li>a<li>b</li></li></ul>', '<ul><li>a</li><li>b</li></ul>'),
    ('<h1><h2>a</h2></h1>', '<h2>a</h2>'),
    ('<dl><dd><dt>a</dt></dd></dl>', '<dl><dt>a</dt></dl>'),
    ('<a href="/a"><i><a href="/b">a</a></i></a>', '<p><i><a href="https://a.example/b">a</a></i></p>'),
    ('<table><tr><td>a</td></tr></table>', '<p>a</p>'),
    ('<td>a</td>', '<p>a</p>'),
    ('<table>a</table>', '<p>a</p>'),
    ('<ruby><b><rt>a</rt></b></ruby>', '<p><ruby><b><rt>a</rt></b></ruby></p>'),
    ('<p>a', '<p>a</p>'),
    ('<p>a</i>', '<p>a</p>'),
    ('a & b', '<p>a &amp; b</p>'),
    ('a > b', '<p>a &gt; b</p>'),
    ('a\xa0b', '<p>a&nbsp;b</p>'),
    ('a\rb', '<p>a\nb</p>'),
    ('a\x00b', '<p>ab</p>'),
    ('<!-- a -->', ''),
    ('<P>a</P>', '<p>a</p>'),
    ('<p title="<">a</p>', '<p title="&lt;">a</p>'),
    ('<p title="a" title="b">a</p>', '<p title="a">a</p>'),
    ('<p TITLE="a">b</p>', '<p title="a">b</p>'),
    ('<p title=a>b</p>', '<p title="a">b</p>'),
    ('<p hidden>a</p>', '<p>a</p>'),
    ('<br/>', ''),
    ('<p>&copy;</p>', '<p>©</p>'),
    ('<p class="a\u2003b">a</p>', '<p>a</p>'),
]  # fmt: skip


@pytest.mark.parametrize(("draft", "expected"), [*CODE, *CALLOUTS, *CAPTIONS, *NOTES, *EMBEDS, *OTHERS, *REPAIRED])
def test_draft(draft: str, expected: str) -> None:
    assert canonical(draft, BASE) == expected
