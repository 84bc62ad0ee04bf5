# ruff: noqa: E501
"""Ways to hide a text from the readers of a page, and ways in which a text is shown or can be opened.

``test_hiding.py`` renders each in Chromium: a text is hidden if the picture is the same with other letters in its place.
"""

from __future__ import annotations

from typing import NamedTuple

SEEN = (
    "<p>Heartwood is what remains when the tree has stopped using it, and it lasts for centuries in a dry roof.</p>"
    "<p>Sapwood carries the water, and it is what the beetles come for once the tree has been felled and sawn.</p>"
)
WORDS = "SECRET words that are meant for the machine alone, none of which a person sees."


class Way(NamedTuple):
    """A way to hide or to show a text."""

    name: str
    body: str
    head: str = ""

    @property
    def page(self) -> str:
        return (
            f"<!doctype html><html lang=en><head><meta charset=utf-8><title>Wood</title>{self.head}</head>"
            f"<body><main><h1>Wood that lasts</h1>{SEEN}{self.body}{SEEN}</main></body></html>"
        )


_STYLES = """
display:none
DISPLAY : NONE ! IMPORTANT
display:block; display:none
display/**/:/**/none
d\\69splay:n\\6fne
display:table-column
visibility:hidden
visibility:collapse
opacity:0
opacity:0%
opacity:.02
opacity:calc(1 - 1)
opacity:-5
opacity:1e-3
filter:opacity(0)
filter:opacity(1%)
content-visibility:hidden
font-size:0
font-size:1px
font-size:2px
font-size:.1vw
font:0/0 a
font:1px/1 serif
font:italic bold .5px/30px Georgia, serif
font-size:calc(1px * 0.5)
font-size:min(1px, 3em)
font-size:max(0px, 0.5px)
font-size:clamp(0px, 1px, 2px)
position:absolute; left:-9999px
position:absolute; left:-999em
position:absolute; top:-5000px
position:fixed; left:-200vw
position:fixed; inset:-3000px auto auto -3000px
position:absolute; inset-inline-start:-9999px
position:absolute; right:9999px
position:absolute; left:calc(-1 * 9999px)
position:absolute; left:calc(-100vw - 3000px)
position:relative; left:-9999px
position:absolute; left:min(-9999px, 0px)
position:absolute; bottom:9999px
margin-left:-9999px
margin:0 0 0 -9999px
margin-inline-start:-9999px
position:absolute; margin-top:-9999px
text-indent:-9999px
text-indent:-999em
text-indent:-1000%
text-indent:100%; white-space:nowrap; overflow:hidden
text-indent:9999px; white-space:nowrap; overflow:hidden
position:absolute; clip:rect(0,0,0,0)
position:absolute; clip:rect(1px 1px 1px 1px)
position:absolute; clip:rect(1px, 1px, 1px, 1px)
clip-path:inset(50%)
clip-path:inset(100%)
clip-path:inset(0 100% 0 0)
clip-path:inset(0 0 100% 0)
clip-path:circle(0)
clip-path:circle(0px at 50% 50%)
clip-path:ellipse(0 0)
clip-path:polygon(0 0, 0 0, 0 0)
clip-path:polygon(0 0, 0 0, 0 100%, 0 100%)
-webkit-clip-path:inset(100%)
transform:scale(0)
transform:scale(0,1)
transform:scaleY(0)
transform:scaleX(0%)
transform:scale3d(0,0,1)
transform:matrix(0,0,0,0,0,0)
transform:scale(.01)
transform:rotateY(90deg)
transform:rotateX(.25turn)
transform:rotate3d(0,1,0,90deg)
transform:translateX(-9999px)
transform:translate(-9999px, 0)
transform:translate3d(0,-9999px,0)
transform:translateX(-200vw)
transform:rotate(3deg) translateY(-300vh)
scale:0
translate:-9999px
rotate:y 90deg
rotate:0 1 0 90deg
zoom:.01
height:0; overflow:hidden
height:0px; overflow:clip
height:1px; overflow:hidden
width:0; overflow:hidden
width:0; height:0; overflow:hidden; display:block
max-height:0; overflow:hidden
max-height:1px; overflow:hidden
max-width:0; overflow:hidden; white-space:nowrap
block-size:0; overflow:hidden
max-block-size:0; overflow:auto
inline-size:0; overflow-x:hidden
height:0; overflow:scroll
height:calc(0px); overflow:hidden
line-height:0; overflow:hidden
position:absolute; width:1px; height:1px; padding:0; margin:-1px; overflow:hidden; clip:rect(0,0,0,0); border:0
contain:size; overflow:hidden
color:transparent
color:rgba(0,0,0,0)
color:rgb(0 0 0 / 0%)
color:#0000
color:#ffffff00
color:hsla(0,100%,50%,0)
color:white
color:#fff
color:#fefefe
color:rgb(254,254,254)
color:rgb(100%,100%,100%)
color:hsl(0,0%,100%)
color:hsl(120deg 50% 100%)
color:hwb(0 100% 0%)
color:oklch(1 0 0)
color:oklab(100% 0 0)
color:lab(100% 0 0)
color:lch(100 0 0)
color:color(srgb 1 1 1)
color:color-mix(in srgb, white 100%, black)
color:color-mix(in srgb, white, white)
color:color-mix(in oklab, transparent 99%, black)
color:Canvas
color:rgba(0,0,0,.02)
color:rgb(none none none / 0)
color:snow
color:light-dark(white, black)
color:red; background:red
color:#123456; background-color:rgb(18,52,86)
color:black; background:black
color:navy; background:#000080 none repeat
color:#111; background:linear-gradient(#111,#111)
background:currentColor
color:rgba(255,255,255,.9)
-webkit-text-fill-color:transparent
-webkit-text-fill-color:white
all:initial; display:none
all:unset; opacity:0
-webkit-text-security:disc
letter-spacing:-9999px
letter-spacing:-1em; white-space:nowrap; width:0; overflow:hidden
mask:linear-gradient(transparent,transparent)
-webkit-mask-image:linear-gradient(#0000,#0000)
mask-image:linear-gradient(rgba(0,0,0,0),rgba(0,0,0,0))
backface-visibility:hidden; transform:rotateY(180deg)
content:url(data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==)
padding-left:9999px; white-space:nowrap; overflow:hidden; box-sizing:border-box
"""

_RULES = """
.x { visibility: hidden }
.x { opacity: 0 }
.x { font-size: 0 }
.x { position: absolute; left: -9999px }
.x { position: absolute; clip: rect(0,0,0,0) }
.x { transform: scale(0) }
.x { height: 0; overflow: hidden }
.x { text-indent: -9999px }
.x { color: #fff; background: #fff }
.x { color: white }
@layer hide { .x { display: none } }
@layer a, b; @layer b { .x { display: none } } @layer a { .x { display: block } }
@layer show { .x { display: block } } .x { display: none }
@layer one { .x { display: none !important } } .x { display: block !important }
@layer base { @layer inner { .x { opacity: 0 } } }
@media all { .x { display: none } }
@media screen { .x { opacity: 0 } }
@media only screen and (min-width: 10px) { .x { display: none } }
@media (min-width:1px) and (max-width: 99999px), print { .x { display: none } }
@media not print { .x { display: none } }
@media (width >= 20px) { .x { visibility: hidden } }
@media (100px <= width <= 9000px) { .x { visibility: hidden } }
@media (prefers-color-scheme: light) { .x { display: none } }
@media (scripting: enabled) { .x { display: none } }
@supports (display: grid) { .x { display: none } }
@supports not (display: nonsense) { .x { display: none } }
main { container-type: inline-size } @container (min-width: 1px) { .x { display: none } }
main { & .x { display: none } }
main { .x { opacity: 0 } }
.x { & { display: none } }
main { & > .x { display: none } }
main { @media screen { .x { display: none } } }
.x { color: red; @media screen { display: none } }
:root { --d: none } .x { display: var(--d) }
.x { display: var(--nothing, none) }
:root { --a: var(--b); --b: 0 } .x { opacity: var(--a) }
main { --o: 0 } .x { opacity: calc(var(--o) * 2) }
.x { display: none !important } p.x { display: block }
p { display: none } p:not(.x) { display: block }
p { display: block } p.x { display: none }
.x.x { display: none } .x { display: block }
:is(.x, #nothing) { display: none } p.x.x { display: block }
:where(.x) { display: none }
p:not(:not(.x)) { display: none }
[class] { display: none }
[class="x"] { display: none }
[class^=x] { display: none }
[class~="X" i] { display: none }
[data-k*="mach"] { display: none }
[lang|=en] .x { display: none }
main > p:nth-of-type(3) { display: none }
p:nth-child(4) { display: none }
h1 ~ .x { display: none }
p + p + .x { display: none }
main:has(.x) .x { display: none }
.\\78 { display: none }
.x/**/{/**/display/**/:none}
.x { d\\69 splay: n\\6f ne }
.x { DISPLAY: NONE }
.x{display:none
.x { color: red; ; display: none; }
.x { background: url("a;b}c"); display: none }
<!-- .x { display: none } -->
@charset "utf-8"; .x { display: none }
@namespace svg url(http://www.w3.org/2000/svg); .x { display: none }
@font-face { font-family: a; src: url(a) } .x { display: none }
@unknown { .x { display: block } } .x { display: none }
@scope (main) { .x { display: none } }
@scope (main) to (.nothing) { :scope .x { opacity: 0 } }
@keyframes gone { to { opacity: 0 } } .x { animation: gone 1ms forwards }
@keyframes gone { from { visibility: hidden } to { visibility: hidden } } .x { animation: gone 1s infinite }
.x { font: 0/0 a }
.x { inset: -9999px auto auto -9999px; position: fixed }
.x { margin: -9999px 0 0 -9999px; position: absolute }
main { color: white }  main h1, main p:not(.x) { color: black }
main { visibility: hidden } main > * { visibility: visible } main > .x { visibility: inherit }
main { font-size: 1px } main > :not(.x) { font-size: 16px }
.x::before { content: "shown" } .x { display: none }
.y, .x, .z { display: none }
@import url("data:text/css,.x%7Bdisplay:none%7D");
.x { display: none; display: nonsense }
.x { opacity: 0; opacity: nonsense }
.x { translate: -9999px 0 }
.x { all: revert; display: none }
.x { color: #ffff; background: hsl(0 0% 100%) }
body { background: #222; color: #ddd } .x { color: #222 }
html { background: black; color: white } .x { color: black }
.w { background: #345 } .x { color: #345 }
"""


def named(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


def styled(style: str) -> str:
    quoted = style.replace('"', "&quot;")
    return f'<p style="{quoted}">{WORDS}</p>'


_X = f'<div class=w><p class="x" data-k="for the machine">{WORDS}</p></div>'
_DIRECT = f'<p class="x" data-k="for the machine">{WORDS}</p>'

HIDDEN = [
    *(Way(f"style {style}", styled(style)) for style in named(_STYLES)),
    *(Way(f"sheet {rule}", _X if ".w {" in rule else _DIRECT, f"<style>{rule}</style>") for rule in named(_RULES)),
    *(
        Way(f"html {body}", body.replace("WORDS", WORDS))
        for body in named("""
<p hidden>WORDS</p>
<p hidden="">WORDS</p>
<div hidden="hidden"><p>WORDS</p></div>
<font color="white">WORDS</font>
<p><font color="#FFFFFF">WORDS</font></p>
<p><font color=FFFFFF>WORDS</font></p>
<table bgcolor="#336699"><tr><td><font color="#336699">WORDS</font></td></tr></table>
<table><tr bgcolor=navy><td style="color:navy">WORDS</td></tr></table>
<div popover>WORDS</div>
<div popover="manual"><p>WORDS</p></div>
<dialog><p>WORDS</p></dialog>
<template><p>WORDS</p></template>
<div><template shadowrootmode="open"><p>Shown instead of it.</p></template><p>WORDS</p></div>
<ruby>wood<rp>WORDS</rp><rt>tree</rt></ruby>
<math><semantics><mi>x</mi><annotation encoding="application/x-tex">SECRET words for the machine alone</annotation></semantics></math>
<math alttext="SECRET words for the machine alone"><mi>x</mi></math>
<math><mi>x</mi><mphantom><mtext>WORDS</mtext></mphantom></math>
<p>Look <img src="http://a.example/1.gif" width="1" height="1" alt="WORDS"> at it.</p>
<p>Look <img src="http://a.example/1.gif" style="display:none" alt="WORDS"> at it.</p>
<p>Look at <a href="http://a.example/" title="WORDS">this</a>.</p>
<p>The <abbr title="WORDS">WTO</abbr> says so.</p>
<p>Look at <a href="http://a.example/" aria-label="WORDS">this</a>.</p>
<p data-text="WORDS" aria-description="WORDS">Look at this.</p>
<video src="a.mp4" width=100 height=50><p>WORDS</p></video>
<audio src="a.mp3"><p>WORDS</p></audio>
<canvas width=10 height=10><p>WORDS</p></canvas>
<iframe src="about:blank" width=10 height=10>WORDS</iframe>
<svg width=10 height=10><text x=0 y=-50>WORDS</text></svg>
<svg width=10 height=10><title>WORDS</title><desc>WORDS</desc></svg>
<svg width=10 height=10><foreignObject><p>WORDS</p></foreignObject></svg>
<meter value=1>WORDS</meter>
<progress value="0.5">WORDS</progress>
<datalist><option>WORDS</option></datalist>
<noembed>WORDS</noembed>
<noframes>WORDS</noframes>
<noscript><p>WORDS</p></noscript>
<script type="text/plain">WORDS</script>
<style>WORDS</style>
<!-- WORDS -->
<input type=hidden value="WORDS">
<p>Seen and <span style="display:none">WORDS</span> seen again, all of it.</p>
<p>Seen and <span style="position:absolute;left:-9999px">WORDS</span> seen again, all of it.</p>
<p>Seen and <span style="font-size:0">WORDS</span> seen again, all of it.</p>
<p style="font-size:0">WORDS<span style="font-size:16px">Seen, with enough words to be one.</span></p>
<p style="visibility:hidden">WORDS<span style="visibility:visible">Seen, with enough words to be one.</span></p>
<ul style="list-style:none"><li>Seen</li><li style="display:none">WORDS</li></ul>
<table><tr><td>Seen</td></tr><tr style="visibility:collapse"><td>WORDS</td></tr></table>
<table><tr><td>Seen</td><td style="display:none">WORDS</td></tr></table>
<div style="background:#000"><p style="color:#000">WORDS</p></div>
<div style="background:#fff"><div><section><p style="color:rgb(255 255 255)">WORDS</p></section></div></div>
<div style="position:relative;background:#eee;height:4em"><p style="position:absolute;z-index:-1">WORDS</p></div>
<div style="overflow:hidden;height:0"><div><div><p>WORDS</p></div></div></div>
<div style="opacity:.1"><div style="opacity:.1"><p>WORDS</p></div></div>
<div style="transform:scale(.1)"><div style="transform:scale(.1)"><p>WORDS</p></div></div>
<div style="display:none"><p style="display:block;visibility:visible;opacity:1">WORDS</p></div>
<div style="opacity:0"><p style="opacity:1">WORDS</p></div>
<details style="display:none"><summary>More</summary><p>WORDS</p></details>
<p class=sr style="position:absolute!important;width:1px!important;height:1px!important;overflow:hidden!important;clip:rect(1px,1px,1px,1px)!important">WORDS</p>
<h2 style="display:none">WORDS</h2>
<blockquote style="opacity:0">WORDS</blockquote>
<pre style="visibility:hidden">WORDS</pre>
<style>#n + p { display: none }</style><p id="n" class="n">Seen.</p><p>WORDS</p>
<link rel=stylesheet href="data:text/css,.dl%7Bdisplay:none%7D"><p class=dl>WORDS</p>
<link rel=stylesheet href="data:text/css;base64,LmRse29wYWNpdHk6MH0="><p class=dl>WORDS</p>
""")
    ),
]
"""What no reader of the page sees."""

SHOWN = [
    *(
        Way(f"style {style}", styled(style))
        for style in named("""
display:none; display:block
display:nonsense
visibility:visible
opacity:.6
opacity:1
font-size:11px
font-size:.6em
color:#999
color:#767676; background:#fff
color:#ccc
color:white; background:#06c
color:#fff; background:linear-gradient(#111,#333)
color:rgba(0,0,0,.6)
color:transparent; text-shadow:0 0 0 black
color:transparent; background:linear-gradient(red,blue); -webkit-background-clip:text; background-clip:text
color:black; background:transparent
text-indent:2em
text-indent:-1.5em; padding-left:1.5em
margin-left:-20px
position:relative; left:-5px; top:3px
position:absolute; left:50%; margin-left:-300px; width:600px; top:0; background:#fff
position:absolute; left:50%; top:0; transform:translate(-50%, 0); width:400px; background:#fff
height:0
width:0
max-height:400px; overflow:hidden
height:0; min-height:100px; overflow:hidden
max-height:none; overflow:hidden
overflow:hidden
clip:rect(0,0,0,0)
clip-path:inset(0)
clip-path:none
clip-path:polygon(0 0, 100% 0, 100% 100%, 0 100%)
transform:scale(1.2)
transform:rotate(1deg)
transform:translateY(20px)
transform:none
filter:opacity(1)
filter:grayscale(1)
letter-spacing:-.5px
line-height:1
zoom:1
z-index:-1
position:relative; z-index:1
left:-9999px
top:-9999px
background:white; color:black
columns:2
mask:none
writing-mode:vertical-rl
direction:rtl
visibility:inherit
content-visibility:auto
-webkit-text-fill-color:black; color:transparent
display:var(--missing, block)
font:italic 14px/1.4 Georgia, serif
border:0; padding:0; margin:0
""")
    ),
    *(
        Way(f"sheet {rule}", _DIRECT, f"<style>{rule}</style>")
        for rule in named("""
.x { display: none } p.x { display: block }
.x { display: none } .x { display: block }
.x { display: block !important } p.x { display: none }
p.x { display: block } .x { display: none }
@media print { .x { display: none } }
@media not screen { .x { display: none } }
@media (max-width: 10px) { .x { display: none } }
@media (prefers-color-scheme: dark) { .x { display: none } }
@media (scripting: none) { .x { display: none } }
@media nonsense { .x { display: none } }
@layer a { .x { display: none } } .x { display: block }
@layer a, b; @layer b { .x { display: block } } @layer a { .x { display: none } }
@supports not (display: grid) { .x { display: none } }
@supports (nonsense: 1) { .x { display: none } }
@container (min-width: 1px) { .x { display: none } }
.x:hover { display: none }
.x:empty { display: none }
.x::before { display: none; content: "" }
.x::first-letter { font-size: 0 }
.y .x { display: none }
.x .y { display: none }
.x > a { opacity: 0 }
/* .x { display: none } */
.x { /* display: none */ }
.x { background: url(".x{display:none}") }
.x { color: red } "} .x { display: none }"
.x { visibility: hidden } .x { visibility: visible }
.x { opacity: 0; opacity: 1 }
.x { opacity: 0 } main .x { opacity: initial }
.x { display: none } #nothing, .x { display: revert }
.x { position: absolute; left: -9999px } .x { position: static }
.x { animation: come 1ms forwards; opacity: 0 } @keyframes come { to { opacity: 1 } }
:root { --d: none } main { --d: block } .x { display: var(--d) }
@keyframes gone { to { display: none } }
@unknown { .x { display: none } }
@page { .x { display: none } }
.x{ display:none; } .x{ display:block; color:red
main { visibility: hidden } main * { visibility: visible }
main { font-size: 0 } main * { font-size: 16px }
body { background: black; color: white } .x { background: black }
.x { color: white } .x { background: #123 }
.x { color: white; background: #eee } p.x { color: black }
.nothing:has(.x) { display: none }
.x:not(.x) { display: none }
:is(.y, .z) { display: none }
[class="X"] { display: none }
.X { display: none }
""")
    ),
    *(
        Way(f"html {body}", body.replace("WORDS", WORDS))
        for body in named("""
<font color="gray">WORDS</font>
<p hidden style="display:block">WORDS</p>
<dialog open><p>WORDS</p></dialog>
<div inert><p>WORDS</p></div>
<p aria-hidden="true">WORDS</p>
<div style="background:#000"><div style="background:#fff"><p style="color:#000">WORDS</p></div></div>
<div style="color:#fff"><div style="background:#000"><p>WORDS</p></div></div>
<div style="visibility:hidden"><p style="visibility:visible">WORDS</p></div>
<div style="font-size:0"><p style="font-size:16px">WORDS</p></div>
<div style="text-indent:-9999px"><p style="text-indent:0">WORDS</p></div>
<div style="position:absolute;left:-9999px"><p style="position:absolute;left:9999px;top:0;width:600px;background:#fff">WORDS</p></div>
<div style="position:relative;height:0;padding-bottom:30%;overflow:hidden"><p style="position:absolute;top:0">WORDS</p></div>
<div style="height:0;overflow:hidden"><p style="position:absolute;top:0;background:#fff">WORDS</p></div>
<span style="height:0;overflow:hidden">WORDS</span>
<span style="transform:scale(0)">WORDS</span>
<table><tr><td style="height:0;overflow:hidden">WORDS</td></tr></table>
<table bgcolor="#ffffff"><tr><td bgcolor="#003366"><font color="#ffffff">WORDS</font></td></tr></table>
<div style="background:url(a.png) #fff; color:#000"><p>WORDS</p></div>
<p><span style="background:#000;color:#fff">WORDS</span></p>
<div><template shadowrootmode="open"><p>Seen.</p><slot></slot></template><p>WORDS</p></div>
<div style="display:contents"><p>WORDS</p></div>
<div style="overflow:hidden"><p style="float:left">WORDS</p></div>
<link rel=stylesheet media=print href="data:text/css,.dl%7Bdisplay:none%7D"><p class=dl>WORDS</p>
<style media=print>.pr { display: none }</style><p class=pr>WORDS</p>
<style type="text/less">.pr { display: none }</style><p class=pr>WORDS</p>
<center><font size=1>WORDS</font></center>
<div style="width:300%;position:relative;left:-100%"><div style="margin-left:34%;width:30%"><p>WORDS</p></div></div>
""")
    ),
]
"""What a reader sees."""

_SCRIPT = "<script src=/main.js></script>"

OPENED = [
    Way(name, body.replace("WORDS", WORDS), _SCRIPT + head)
    for name, body, head in [
        ("details", "<details><summary>More</summary><p>WORDS</p></details>", ""),
        ("details in a sheet", "<details class=d><summary>More</summary><div class=b><p>WORDS</p></div></details>",
         "<style>.d .b { display: none } .d[open] .b { display: block }</style>"),
        ("until found", '<div hidden="until-found"><p>WORDS</p></div>', ""),
        ("tab panel", '<div role="tabpanel" hidden><p>WORDS</p></div>', ""),
        ("tab panel by style", '<div role="tabpanel" style="display:none"><p>WORDS</p></div>', ""),
        ("controlled by a button", '<button aria-expanded=false aria-controls=p1>More</button><div id=p1 hidden><p>WORDS</p></div>', ""),
        ("Bootstrap tab", '<ul><li><a data-toggle=tab href="#one">One</a></li><li><a data-toggle=tab href="#two">Two</a></li></ul>'
         '<div class="tab-content"><div class="tab-pane active" id=one><p>Seen, of course, with a few words.</p></div>'
         '<div class="tab-pane" id=two><p>WORDS</p></div></div>',
         "<style>.tab-content > .tab-pane { display: none } .tab-content > .active { display: block }</style>"),
        ("Bootstrap collapse", '<a data-bs-toggle=collapse data-bs-target="#c1">More</a><div class="collapse" id=c1><p>WORDS</p></div>',
         "<style>.collapse:not(.show) { display: none }</style>"),
        ("accordion of buttons", '<button class="accordion">Section</button><div class="panel"><p>WORDS</p></div>',
         "<style>.panel { max-height: 0; overflow: hidden; transition: max-height .2s ease-out }</style>"),
        ("accordion that grows", '<div class=faq><div class=q>Why?</div><div class=a><p>WORDS</p></div></div>',
         "<style>.a { max-height: 0; overflow: hidden; transition: max-height .3s } .faq.active .a { max-height: 500px }</style>"),
        ("rest of a paragraph", "<p>Seen of course<span id=more style='display:none'>WORDS</span></p><button onclick='f()'>Read more</button>", ""),
        ("motion", "<div data-motion-enter><p>WORDS</p></div>", "<style>[data-motion-enter] { opacity: 0 }</style>"),
        ("slides that are cut off", "<div style='overflow:hidden;width:600px'><div style='display:flex'><div class=slide style='flex:0 0 600px'>Seen</div>"
         "<div class=slide style='flex:0 0 600px'><p>WORDS</p></div></div></div>", ""),
        ("accordion by names", '<div class="faq-item"><h3 class="faq-question">Why?</h3><div class="faq-answer" style="display:none"><p>WORDS</p></div></div>', ""),
        ("checkbox", '<input type=checkbox id=k><label for=k>More</label><div class="panel"><p>WORDS</p></div>',
         "<style>.panel { display: none } input:checked ~ .panel { display: block }</style>"),
        ("checkbox, the other way", '<input type=checkbox id=k><label for=k>More</label><div class="panel"><p>WORDS</p></div>',
         "<style>input:not(:checked) ~ .panel { display: none }</style>"),
        ("target", '<a href="#t1">More</a><div id=t1 class=t><p>WORDS</p></div>', "<style>.t { display: none } .t:target { display: block }</style>"),
        ("hover on the parent", '<div class=m>Menu<div class=s><p>WORDS</p></div></div>',
         "<style>.m .s { display: none } .m:hover .s { display: block }</style>"),
        ("hover on opacity", '<div class=m>Menu<div class=s><p>WORDS</p></div></div>',
         "<style>.m .s { opacity: 0; transition: opacity .3s } .m:hover .s, .m:focus-within .s { opacity: 1 }</style>"),
        ("AOS", '<div data-aos="fade-up"><p>WORDS</p></div>', "<style>[data-aos^=fade] { opacity: 0; transition-property: opacity, transform }</style>"),
        ("WOW", '<div class="wow fadeInUp"><p>WORDS</p></div>', "<style>.wow { visibility: hidden }</style>"),
        ("reveal", '<section class="reveal"><p>WORDS</p></section>', "<style>.reveal { opacity: 0 } .reveal.visible { opacity: 1 }</style>"),
        ("reveal by scroll", '<section class="animate-on-scroll"><p>WORDS</p></section>',
         "<style>.animate-on-scroll { opacity: 0; transform: translateY(30px); transition: all .6s }</style>"),
        ("framer", '<div style="opacity:0;transform:translateY(20px) translateZ(0)"><p>WORDS</p></div>', ""),
        ("transition", '<div style="opacity:0;transition:opacity .4s"><p>WORDS</p></div>', ""),
        ("carousel", '<div class="carousel"><div class="slide active"><p>Seen, of course, with a few words.</p></div><div class="slide"><p>WORDS</p></div></div>',
         "<style>.slide { display: none } .slide.active { display: block }</style>"),
        ("swiper", '<div class="swiper"><div class="swiper-wrapper" style="transform: translate3d(-2560px, 0px, 0px); transition-duration: 0ms">'
         '<div class="swiper-slide"><p>Seen before</p></div><div class="swiper-slide"><p>Seen before</p></div><div class="swiper-slide"><p>WORDS</p></div></div></div>', ""),
        ("slick", '<div class="slick-track" style="opacity: 1; width: 7000px; transform: translate3d(-3500px, 0px, 0px)"><p>WORDS</p></div>', ""),
        ("no-js", '<div class="later"><p>WORDS</p></div>', "<style>.no-js .later { display: none }</style><script>document.documentElement.className</script>"),
        ("popover with its button", '<button popovertarget=pop>More</button><div id=pop popover><p>WORDS</p></div>', ""),
        ("read more", '<p>Seen, of course.</p><div class="more-text" style="display:none"><p>WORDS</p></div><a class="read-more" href="#">Read more</a>', ""),
        ("spoiler", '<div class="spoiler"><div class="spoiler-title" onclick="x(this)">Spoiler</div><div class="spoiler-content" style="display:none"><p>WORDS</p></div></div>', ""),
        ("narrow screens", '<p class=n>WORDS</p>', "<style>.n { display: none } @media (max-width: 600px) { .n { display: block } }</style>"),
        ("wide screens", '<p class=n>WORDS</p>', "<style>@media (max-width: 600px) { .n { display: none } }</style>"),
        ("cloak", '<div v-cloak><p>WORDS</p></div>', "<style>[v-cloak] { display: none }</style>"),
        ("another sheet may say the background", '<div class=hero><p style="color:#fff">WORDS</p></div>', "<link rel=stylesheet href=/theme.css>"),
        ("a picture behind", '<div style="background-image:url(/dark.jpg)"><p style="color:#fff">WORDS</p></div>', ""),
    ]
]  # fmt: skip
"""What a reader sees after a click or when the page's script has run, or what only a sheet that is not here decides."""
