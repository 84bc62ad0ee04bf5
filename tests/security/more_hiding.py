# ruff: noqa: E501
"""A second set of ways to hide and to show a text, which attackers of the first one made up; ``test_hiding.py`` uses both."""

from __future__ import annotations

from .hiding import WORDS, Way, named, styled

_X = f'<p class="x" id="n1" data-k="for the machine">{WORDS}</p>'
_BOTH = f'<div class="w"><p class="x">{WORDS}</p></div>'


def sheets(text: str) -> list[Way]:
    return [Way(f"sheet {rule}", _BOTH if ".w" in rule else _X, f"<style>{rule}</style>") for rule in named(text)]


def bodies(text: str) -> list[Way]:
    return [Way(f"html {body}", body.replace("WORDS", WORDS)) for body in named(text)]


MORE_HIDDEN = [
    *(
        Way(f"style {style}", styled(style))
        for style in named("""
opacity:+0
font-size-adjust:0
position:fixed;transform:translateY(-200vh);top:0
position:fixed;left:0;transform:translate(-100%,0);width:300px;margin-left:-900px
clip-path:path("M 0 0 H 0 V 0 Z")
clip-path:shape(from 0 0, line to 0 0)
color:hsl(from red h s 100%)
mask-image:linear-gradient(transparent,transparent),linear-gradient(#0000,#0000)
display:none!important;display:block
display: none ! /* why */ important
display:block none; display:none
display:inline; display:NonE
--a:none;display:var(--a)
--a:var(--b,0);opacity:var(--a)
opacity:min(0,1)
opacity:max(-1,0)
opacity:clamp(0,-3,1)
opacity:calc(0 * 1)
opacity:calc(100% - 100%)
opacity:sin(0)
opacity:mod(4,2)
opacity:round(.2)
opacity:calc(pow(0, 2))
opacity:calc(1 - sign(1px))
filter:opacity(0%) blur(0)
filter:blur(200px)
filter:contrast(0) brightness(10)
filter:blur(0) opacity(calc(0))
-webkit-filter:opacity(0)
font-size:calc(0em + 0px)
font-size:0.001rem
font-size:clamp(0px, .1vw, 1px)
font-size:0.5pt
font:normal normal 400 0px/normal serif
font:condensed 1px serif
font-size:calc(1em * 0)
scale:0.001
scale:1 0
scale:0%
translate:-300vw
translate:0 -5000px
translate:calc(-100vw - 100%)
transform:scale(0) rotate(45deg)
transform:translate(-100vw,-100vh) translate(-2000px)
transform:matrix(1,0,0,1,-9999,0)
transform:matrix3d(0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,1)
transform:matrix3d(1,0,0,0,0,1,0,0,0,0,1,0,-9999,0,0,1)
transform:skewX(90deg)
transform:skew(90deg)
transform:scaleX(calc(1 - 1))
transform:perspective(1px) translateZ(10px)
transform:perspective(500px) rotateY(90deg)
transform:scaleY(.001)
transform:rotateX(90deg) rotateZ(30deg)
transform:rotate(.25turn) rotateX(90deg)
rotate:x 90deg
rotate:1 0 0 .25turn
rotate:y 100grad
position:fixed; top:-100vh; height:20px
position:fixed; bottom:200vh
position:fixed; left:200vw
position:fixed; left:100%
position:fixed; top:100%
position:fixed; top:100vh
position:fixed; inset-block-start:-100vh; block-size:30px
position:fixed; right:-100%; width:300px
position:absolute; top:-10em; line-height:1; height:20px
position:absolute; inset:auto 300% auto auto
position:absolute; inset:-300% auto auto
position:absolute; left:-10000Q; top:-10000Q
position:absolute; left:-30in
position:absolute; right:300vw
position:absolute; left:calc(-9999px + 1vw)
position:absolute; left:max(-9999px, -99999px)
position:absolute; inset-inline:-9999px auto
position:absolute; inset-inline-end:9999px
position:absolute; margin:-9999px
position:absolute; margin-inline-start:-300vw
position:sticky; margin-left:-300vw
float:left; margin-left:-9999px
float:right; margin-right:-9999px
margin-left:300vw; width:400px; overflow:hidden
text-indent:-100em; overflow:hidden
text-indent:-200vw
text-indent:calc(-1 * 9999px)
text-indent:120%; overflow:hidden; white-space:nowrap
text-indent:100vw; white-space:pre; overflow:clip
text-indent:9999px; text-wrap:nowrap; overflow:hidden
width:0; height:0; overflow:clip
width:1px; height:1px; overflow:hidden; position:absolute
width:1px; height:1px; overflow:hidden; white-space:nowrap
height:.01em; overflow:hidden
height:0%; position:absolute; overflow:hidden
max-height:0em; overflow-y:auto
max-height:calc(0px); overflow-y:hidden
max-height:0; overflow-y:scroll
max-inline-size:0; overflow:clip
height:0; overflow:hidden; padding:0; border:0; margin:0
height:0; contain:paint
height:0; contain:strict
height:0; contain:content
width:0; contain:paint
height:0; overflow:-moz-hidden-unscrollable; overflow:hidden
height:10px; padding-top:50px; overflow:hidden; box-sizing:border-box
height:20px; padding-top:100px; overflow:clip; box-sizing:border-box; line-height:1
height:20px; overflow:hidden; line-height:10
padding-top:500px; height:500px; box-sizing:border-box; overflow:hidden
line-height:0; height:0; overflow:hidden
line-height:0; overflow:clip
block-size:calc(1px - 1px); overflow:hidden
aspect-ratio:1/0; height:0; overflow:hidden
display:inline-block; width:0; overflow:hidden; white-space:nowrap
display:inline-block; max-height:0; overflow:hidden
display:grid; grid-template-rows:0; overflow:hidden
display:flex; height:0; overflow:hidden
display:-webkit-box; -webkit-line-clamp:1; max-height:0; overflow:hidden
columns:1; height:0; overflow:hidden
clip-path:inset(0 0 0 100%)
clip-path:inset(60% 0 40% 0)
clip-path:inset(50% 50% 50% 50% round 5px)
clip-path:circle(0%)
clip-path:circle(1px at 0 0)
clip-path:circle(100px at -500px -500px)
clip-path:ellipse(0% 50%)
clip-path:polygon(0 0)
clip-path:polygon(-10px -10px, -20px -10px, -20px -20px)
clip-path:polygon(200% 200%, 300% 200%, 300% 300%)
clip-path:polygon(50% 50%, 50% 50%, 50% 50%)
clip-path:path("M0 0")
clip-path:path('M0,0 L0,0 Z')
clip-path:rect(0 0 0 0)
clip-path:rect(0px 0px 0px 0px round 1px)
clip-path:xywh(0 0 0 0)
clip-path:inset(100%) border-box
clip-path:border-box inset(100%)
clip-path:inset(calc(50% + 1px))
clip-path:inset(0 calc(100% - 1px) 0 0)
clip-path:circle(closest-side at 0 0)
clip-path:url(#nothing-is-there) ; opacity:0
position:fixed; clip:rect(0px,0px,0px,0px)
position:absolute; clip:rect(auto,0,0,auto)
position:absolute; clip:rect(0, 0, auto, 0)
mask:linear-gradient(#0000 0 0)
mask:linear-gradient(transparent 0 100%)
mask-image:radial-gradient(transparent, transparent)
mask-image:linear-gradient(to right, rgb(0 0 0 / 0), transparent)
mask:linear-gradient(#000,#000) no-repeat 0 0 / 0 0
mask-size:0 0; mask-image:linear-gradient(#000,#000); mask-repeat:no-repeat
mask-image:conic-gradient(transparent 0 100%)
-webkit-mask:linear-gradient(#0000,#0000)
mask:conic-gradient(#0000,#0000)
color:#FFF0
color:rgb(255 255 255)
color:rgb(255 255 255 / .99)
color:rgb(1e3,300,999)
color:RGB(255,255,255)
color:rgb(calc(250 + 5) 255 255)
color:hsl(none none 100%)
color:hsl(0 0 100)
color:hsl(0.5turn 100% 100%)
color:hwb(90 100 0)
color:hwb(0 80% 0% / 0)
color:oklch(0.99 0 none)
color:oklab(1 0 0 / 1)
color:lab(100 0 0)
color:lch(100% 0 0deg)
color:color(display-p3 1 1 1)
color:color(srgb-linear 1 1 1)
color:color(xyz .9505 1 1.089)
color:color(srgb 100% 100% 100% / 1)
color:color-mix(in oklch, white, white 20%)
color:color-mix(in hsl, #fff 99%, #fefefe)
color:color-mix(in srgb, transparent, transparent)
color:color-mix(in srgb, currentcolor 0%, white)
color:rgb(from white r g b)
color:rgb(from black r g b / 0)
color:hsl(from white h s l)
color:light-dark(#fff, #000)
color:light-dark(light-dark(#fff,#000), red)
color:Field
color:ButtonFace; background:ButtonFace
color:AccentColorText
color:floralwhite
color:ghostwhite
color:azure
color:ivory
color:#fdfdfd
color:black; background:#000
background:black
background:#0a0a0a
background:linear-gradient(black, black)
background-image:linear-gradient(#000 0 0)
background:no-repeat black
background:rgb(0 0 0 / 99%)
background:color-mix(in srgb, black, black)
background:currentcolor
background-color:CanvasText
background:repeating-linear-gradient(#000,#000 10px)
background:radial-gradient(#000,#000)
background:conic-gradient(black,black)
color:#800000; background:maroon
color:#ff0; background:linear-gradient(90deg, yellow, #ffff00)
-webkit-text-fill-color:#fff
-webkit-text-fill-color:rgb(0 0 0/0)
-webkit-text-fill-color:Canvas
color:white; text-shadow:none
color:white; text-shadow:0 0 0 white
color:transparent; text-shadow:0 0 0 transparent
color:transparent; background:none; background-clip:text
color:transparent; background:white; -webkit-background-clip:text
all:unset; display:none
all:initial; opacity:0; display:block
all:revert; visibility:hidden
letter-spacing:-50px
letter-spacing:9999px; white-space:nowrap; overflow:hidden; text-indent:2000px
word-spacing:-9999px; letter-spacing:-9999px
-webkit-text-security:square
-webkit-text-security:circle
zoom:.001
zoom:1%
zoom:calc(.02)
content-visibility:hidden; height:20px
visibility:hidden; opacity:1; display:block
visibility:var(--none, collapse)
content:url("data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>")
mix-blend-mode:screen; color:#000; background:#fff; opacity:0
mix-blend-mode:destination-out; mix-blend-mode:color-dodge; color:#fff
backface-visibility:hidden; transform:rotateX(180deg)
backface-visibility:hidden; transform:rotateX(.5turn)
-webkit-backface-visibility:hidden; rotate:y 180deg
animation:x 1s; opacity:0
position:absolute; z-index:-1; top:0; left:-5000px
object-fit:none; display:none
font-size:0;line-height:0
position:absolute; left:-9999px; right:auto; width:100%
position:absolute;left:-9999rem
position:absolute;left:-9999ex
position:absolute;left:-99ch;width:50ch
position:absolute;left:-500cqw
position:absolute;left:-500dvw
position:absolute;left:-9999lh
position:absolute;top:-9999lvh
""")
    ),
    *sheets(
        """
@media (aspect-ratio > 1/100){.x{display:none}}
@property --q{syntax:"<color>";inherits:false;initial-value:white}.x{color:var(--q)}
.w{overflow:hidden;height:30px}.x{margin-top:60px}
.w{overflow:hidden;height:30px;position:relative}.x{position:absolute;top:40px}
#n1 { display: none } .x { display: block }
#n1 { opacity: 0 } p.x.x.x.x { opacity: 1 }
p#n1 { visibility: hidden }
[id="n1"] { display: none }
:is(#n1, .y) { display: none } .x.x.x { display: block }
:is(.x, #zz) { opacity: 0 } html body main p.x { opacity: 1 }
:where(#n1) { display: block } .x { display: none }
:where(#n1) { display: block } p { display: none } h1, p:not(.x) { display: block }
:not(#zz).x { display: none } p.x.x { display: block }
.x:not(#zz) { display: none } main p.x { display: block }
.x:nth-child(n of .x, #zz) { display: none } p.x.x { display: block }
main :nth-child(4 of p, h1) { display: none }
main p:nth-last-child(3) { display: none }
main > :nth-child(4) { display: none }
p:nth-of-type(2n+3):not(:last-child) { display: none }
p:first-of-type ~ p.x { display: none }
:root .x { display: none }
html:not(.js) .x { display: none }
body:has(h1) .x { display: none }
p:has(+ p).x { display: none }
:has(> .x) > .x { display: none }
*|p.x { display: none }
*.x { display: none }
p[class][id] { display: none }
p[data-k="for the machine"] { display: none }
p[data-k$="machine"] { display: none }
p[data-k|="for the machine"] { display: none }
p[DATA-K^=for] { display: none }
p[data-k="FOR THE MACHINE" i] { display: none }
#\\6e 1 { display: none }
#\\00006E1 { display: none }
.x:lang(en) { display: none }
.x:dir(ltr) { display: none }
.x:read-only { display: none }
.x:not(:hover) { display: none }
.x:any-link, .x { display: none }
.x:not(:empty) { display: none }
.x:not(.y):not(.z) { display: none }
.x:defined { display: none }
.x:only-of-type, .x:nth-child(4) { display: none }
:-webkit-any(.x, .y) { display: none }
@layer a { .x { display: block } } @layer b { .x { display: none } }
@layer a.b { .x { display: none } } @layer a { .y { color: red } }
@layer b, a; @layer a { .x { opacity: 0 } } @layer b { #n1 { opacity: 1 } }
@layer { .x { display: none } }
@layer { #n1 { display: block } } .x { display: none }
@layer a { #n1 { display: block !important } } @layer b { .x { display: none } } @layer 0 { .x { display: none } } .x { opacity: 0 }
@layer a { .x { display: none !important } } @layer b { .x { display: block !important } }
@layer x { .x { display: block } @layer y { .x { display: none !important } } }
@layer a { .x { color: red } } @layer a { .x { visibility: hidden } }
@layer a { .x { display: block } } @layer b { .x { display: none } } @layer b { .x { color: red } }
@import url("data:text/css,.x%7Bdisplay:none%7D") layer(a);
@import "data:text/css;charset=utf-8,.x%7Bopacity:0%7D" screen;
@import url(data:text/css;base64,LnggeyBkaXNwbGF5OiBub25lIH0=);
@import url("data:text/css,.x%7Bdisplay:none%7D") supports(display: grid);
@supports (display: grid) and (not (display: inline-grid-nonsense)) { .x { display: none } }
@supports (color: oklch(0 0 0)) or (nonsense: 1) { .x { display: none } }
@supports selector(:has(a)) { .x { display: none } }
@supports (selector(a > b)) or (display: flex) { .x { display: none } }
@supports (--css: variables) { .x { display: none } }
@supports (accent-color: red) { .x { display: none } }
@supports (text-box: trim-both cap alphabetic) or (position: sticky) { .x { display: none } }
@supports font-tech(variations) { .x { display: none } }
@media screen, print { .x { display: none } }
@media (min-width:0) { .x { display: none } }
@media (min-resolution: 0.1dppx) { .x { display: none } }
@media (orientation: landscape), (orientation: portrait) { .x { display: none } }
@media (hover) or (not (hover)) { .x { display: none } }
@media not all and (min-width: 90000px) { .x { display: none } }
@media not (min-width: 90000px) { .x { display: none } }
@media (color) { .x { display: none } }
@media (min-aspect-ratio: 1/1000) { .x { display: none } }
@media (width > 1px) and (height > 1px) { .x { display: none } }
@media (1px < width) { .x { display: none } }
@media (min-width: calc(1px + 1px)) { .x { display: none } }
@media (prefers-reduced-motion: no-preference), (prefers-reduced-motion: reduce) { .x { display: none } }
@media SCREEN AND (MIN-WIDTH: 1PX) { .x { display: none } }
@media screen { @media (min-width: 1px) { @supports (display: grid) { @layer q { .x { display: none } } } } }
@media only all { .x { display: none } }
@media (update: fast) { .x { display: none } }
@media (any-pointer) or (pointer: none) or (pointer: fine) { .x { display: none } }
@media ((min-width: 1px)) { .x { display: none } }
@media screen{.x{display:none}}@media print{.x{display:block}}
main { container: box / inline-size } @container box (width > 1px) { .x { display: none } }
main { container-type: inline-size; container-name: a b } @container b (min-inline-size: 0) { .x { opacity: 0 } }
main { container-type: size; height: 900px } @container (orientation: landscape) or (orientation: portrait) { .x { display: none } }
main { --k: yes } @container style(--k: yes) { .x { display: none } }
main { container-type: inline-size } @container not (width < 1px) { .x { display: none } }
main { h1 ~ & .x, .x { display: none } }
main { > .x { display: none } }
main { .x& , p.x { opacity: 0 } }
main { p { &.x { visibility: hidden } } }
p { &:not(:is(.y)):is(.x) { display: none } }
.x { main & { display: none } }
.x { :is(main &) { display: none } }
.x { @supports (display: grid) { & { display: none } } }
.x { @layer k { opacity: 0 } }
.x { color: red; & { color: blue } visibility: hidden }
@scope (main) to (.zz) { p.x { display: none } }
@scope (.x) { :scope { display: none } }
@scope (.x) { & { display: none } }
@property --hide { syntax: "<number>"; inherits: true; initial-value: 0 } .x { opacity: var(--hide) }
:root { --a: no; --b: ne } .x { --c: none; display: var(--c) }
:root { --x: { a: b } ; --y: none } .x { display: var(--y) }
:root { --A: none; --a: block } .x { display: var(--A) }
* { --d: none } .x { display: var(--d) }
main { --d: none } body { --d: block } .x { display: var(--d) }
.x { --d: none; display: var(--e, var(--d, block)) }
.x { display: var(--e,none) }
.x { --s: 0; transform: scale(var(--s)) }
.x { --s: 0; scale: var(--s) }
.x { --w: 0px; max-height: var(--w); overflow: hidden }
.x { --c: 255 255 255; color: rgb(var(--c)) }
.x { --c: 255, 255, 255; color: rgba(var(--c), 1) }
.x { --fg: #fff; --bg: #fff; color: var(--fg); background: var(--bg) }
:root { --h: 0; --s: 0%; --l: 100% } .x { color: hsl(var(--h), var(--s), var(--l)) }
:root { --m: -9999px } .x { position: absolute; left: var(--m) }
:root { --m: 9999 } .x { position: absolute; left: calc(var(--m) * -1px) }
:root { --f: 0 } .x { font: var(--f)/1 serif; font-size: calc(var(--f) * 1px) }
.x { position: absolute; inset: var(--q, -9999px auto auto -9999px) }
.x { opacity: if(else: 0); visibility: hidden }
.x { visibility: hidden } .x * { visibility: visible }
main { visibility: hidden } main > :not(.x) { visibility: visible }
main { color: #fff } main > h1, main > p:not(.x) { color: #222 }
main { color: transparent } main > :not(.x) { color: black }
main { font-size: 0 } main > :not(.x) { font-size: 1rem }
main { text-indent: -9999px } main > :not(.x) { text-indent: 0 }
main { line-height: 0 } main > * { line-height: 1.5 } .x { line-height: inherit; overflow: hidden }
main { opacity: .2 } main > .x { opacity: .1 }
main { --o: 0 } main > * { --o: 1; opacity: var(--o) } main > .x { --o: inherit }
.w { overflow: hidden; height: 20px } .x { margin-top: 100px }
.w { overflow: hidden; height: 1.2em; position: relative } .x { position: absolute; top: 3em }
.w { overflow: hidden; width: 300px; position: relative } .x { position: absolute; left: 400px; width: 300px }
.w { overflow: clip; height: 20px } .x { padding-top: 60px; margin: 0 }
.w { overflow: hidden; height: 30px } .x { transform: translateY(200px) }
.w { overflow: hidden } .x { transform: translateX(120%) }
.w { overflow: hidden; position: relative } .x { position: relative; left: 110% }
.w { overflow: hidden } .x { margin-left: 110% }
.w { overflow: hidden } .x { text-indent: 200%; white-space: nowrap }
.w { display: grid; grid-template-rows: 0fr } .x { overflow: hidden; min-height: 0; margin: 0 }
.w { display: flex; height: 0 } .x { overflow: hidden; margin: 0; max-height: 100% }
.w { position: relative; background: #eee } .x { position: relative; z-index: -1 }
.w { isolation: isolate } .w { display: none }
.w { perspective: 100px } .x { transform: rotateY(90deg) }
.w { filter: opacity(0) } .x { opacity: 1 }
.w { clip-path: inset(100%) } .x { position: fixed; top: 0 }
.w { mask: linear-gradient(transparent, transparent) }
.w { content-visibility: hidden }
.w { display: none } .x { position: fixed; display: block !important }
.w { opacity: 0.3 } .x { opacity: .15 }
.w { background: #000 } .x { color: #000 }
.w { background: hsl(200 50% 40%) } .x { color: hsl(200deg, 50%, 40%) }
.w { background: linear-gradient(to right, #336, #336) } .x { color: #333366 }
.w { color: teal; background: teal }
.w { background: white; filter: brightness(1) } .x { color: #fff }
.w { font-size: 10px } .x { font-size: 10% }
.w { zoom: .1 } .x { zoom: .1 }
.w { scale: .1 } .x { scale: .1 }
.w { columns: 2; height: 0; overflow: hidden }
.w { visibility: hidden } .w p { visibility: inherit }
.w { all: unset; display: none }
.x { animation: a 1s paused } @keyframes a { from { opacity: 0 } to { opacity: 1 } }
.x { animation: a 1s -1s forwards } @keyframes a { 100% { opacity: 0 } }
.x { animation: 1ms forwards a } @keyframes a { to { transform: scale(0) } }
.x { animation: a 1ms both; } @keyframes a { 0% { opacity: 1 } 100% { visibility: hidden } }
.x { animation: a 1s linear 99s both } @keyframes a { from { opacity: 0 } to { opacity: 1 } }
.x { animation: a 99999s both } @keyframes a { from { opacity: 0 } to { opacity: 1 } }
.x { animation: a 1ms forwards reverse; } @keyframes a { from { opacity: 0 } to { opacity: 1 } }
.x { animation-name: a; animation-duration: 1ms; animation-fill-mode: forwards } @keyframes a { to { font-size: 0 } }
.x { animation: a 1ms 3 forwards } @keyframes a { to { position: absolute; left: -9999px } }
.x { animation: a 1ms forwards } @keyframes a { to { color: white } }
.x { animation: a 1s infinite } @keyframes a { 0%, 100% { opacity: 0 } }
.x { transition: opacity 0s; display: none }
.x { display: none; @starting-style { display: block } }
@font-face { font-family: "none}"; src: local("a") } .x { opacity: 0 }
@page { margin: 1cm } .x { display: none }
@counter-style a { system: cyclic; symbols: "}" } .x { display: none }
@view-transition { navigation: auto } .x { display: none }
@position-try --a { top: 0 } .x { display: none }
@font-palette-values --a { font-family: b } .x { display: none }
} .y{} .x { display: none }
{} .x { display: none }
.x { color: red;; ;display: none }
.x { ; } .x { display: none }
.x { *zoom: 1; _height: 1px; display: none }
.x { filter: progid:DXImageTransform.Microsoft.Alpha(opacity=0); display: none }
.x { background: url( data:image/png;base64,iVBOR== ); display: none }
.x { background: url(a(b); } .x { display: none }
.x { content: "\\"}"; display: none }
.x { display: none !IMPORTANT } #n1 { display: block }
.x { DISPLAY:none!important }
.x { display\\: block; display: none }
.x { display: n\\one }
.x { dis\\play: none }
.x { display:none\\9; display:none }
@media screen and (min-width:0\\0) { .y { } } .x { display: none }
@import nonsense; .x { display: none }
@charset "x"; @import "data:text/css,"; .x { display: none }
.x, { display: none } .x { opacity: 0 }
.x::before { content: ""; } .x { visibility: hidden }
/**/.x/**/{/**/display:/**/none/**/}/**/
--> .x { display: none }
""".replace('data:text/css,"; .x', 'data:text/css,"; .x')
    ),
    *bodies(
        """
<p style="display:none" style="display:block">WORDS</p>
<p STYLE="DISPLAY:NONE">WORDS</p>
<p style='display&#58;none'>WORDS</p>
<p style="display:&#110;one">WORDS</p>
<p hidden=until>WORDS</p>
<p HIDDEN=false>WORDS</p>
<section hidden><div><p>WORDS</p></div></section>
<div popover=hint><p>WORDS</p></div>
<div popover=auto><p>WORDS</p></div>
<dialog><div><p>WORDS</p></div></dialog>
<dialog style="display:none" open><p>WORDS</p></dialog>
<template><template><p>WORDS</p></template></template>
<div><template shadowrootmode=closed><p>Other words.</p></template><p>WORDS</p></div>
<div><template shadowrootmode=open><slot name=a></slot></template><p>WORDS</p></div>
<svg width=100 height=20><text opacity=0 y=10>WORDS</text></svg>
<svg width=100 height=20><text fill=none y=10>WORDS</text></svg>
<svg width=100 height=20><text fill=white y=10>WORDS</text></svg>
<svg width=100 height=20><text fill-opacity=0 y=10>WORDS</text></svg>
<svg width=100 height=20><text display=none y=10>WORDS</text></svg>
<svg width=100 height=20><text visibility=hidden y=10>WORDS</text></svg>
<svg width=100 height=20><text font-size=0 y=10>WORDS</text></svg>
<svg width=0 height=0><text y=10>WORDS</text></svg>
<svg style="display:none"><text y=10>WORDS</text></svg>
<svg width=100 height=20><defs><text y=10>WORDS</text></defs></svg>
<svg width=100 height=20><metadata>WORDS</metadata></svg>
<svg width=100 height=20><symbol><text y=10>WORDS</text></symbol></svg>
<svg width=100 height=20><clipPath><text y=10>WORDS</text></clipPath></svg>
<svg width=100 height=20><mask><text y=10>WORDS</text></mask></svg>
<svg width=100 height=20><g transform="scale(0)"><text y=10>WORDS</text></g></svg>
<svg width=100 height=20><foreignObject width=0 height=0><p>WORDS</p></foreignObject></svg>
<svg width=100 height=20><switch><foreignObject requiredExtensions="http://a.example/none" width=100 height=20><p>WORDS</p></foreignObject></switch></svg>
<math><semantics><mi>x</mi><annotation-xml encoding="text/html"><p>WORDS</p></annotation-xml></semantics></math>
<math><maction actiontype="toggle" selection="1"><mi>x</mi><mtext>WORDS</mtext></maction></math>
<math style="display:none"><mtext>WORDS</mtext></math>
<math><mtext style="color:#fff">WORDS</mtext></math>
<math><mtext mathcolor="#fff">WORDS</mtext></math>
<math><mtext mathcolor="white">WORDS</mtext></math>
<math><mtext mathsize="0">WORDS</mtext></math>
<math><mpadded width=0 height=0 depth=0 style="overflow:hidden"><mphantom><mtext>WORDS</mtext></mphantom></mpadded></math>
<p>Look <img src="http://a.example/1.gif" alt="WORDS" hidden> at it.</p>
<p>Look <img src="http://a.example/1.gif" alt="WORDS" style="opacity:0"> at it.</p>
<figure><img src="http://a.example/1.gif" title="WORDS"><figcaption>Seen</figcaption></figure>
<p><a href="http://a.example/" aria-label="WORDS" title="WORDS">this</a> is it.</p>
<table summary="WORDS"><tr><td>Seen, of course</td></tr></table>
<table><tr><th abbr="WORDS">Seen, of course</th></tr></table>
<p><input placeholder="" value="Seen" aria-label="WORDS"></p>
<p><input type=image alt="" src="" title="WORDS"></p>
<p><time datetime="WORDS">yesterday</time> it rained.</p>
<p><data value="WORDS">Seen, of course</data></p>
<p><del style="display:none">WORDS</del>Seen, of course.</p>
<blockquote cite="http://a.example/WORDS">Seen, of course, by all who read it.</blockquote>
<object data="about:blank" width=10 height=10><p>WORDS</p></object>
<iframe srcdoc="Seen" width=10 height=10><p>WORDS</p></iframe>
<textarea hidden>WORDS</textarea>
<map name=m><area alt="WORDS" href="http://a.example/"></map>
<video controls width=100 height=50><track kind=captions label="WORDS"><p>WORDS</p></video>
<font size=1 color=white>WORDS</font>
<font color="#ffffff" size=7><b><i>WORDS</i></b></font>
<font color=" white ">WORDS</font>
<font color="WHITE"><p>WORDS</p></font>
<font color=fffffe>WORDS</font>
<table width=400 bgcolor=black><tr><td><font color=black>WORDS</font></td></tr></table>
<table width=400><tbody bgcolor=teal><tr><td style="color:teal">WORDS</td></tr></tbody></table>
<table width=400><tr><td bgcolor="#123"><font color="#112233">WORDS</font></td></tr></table>
<table width=400 style="visibility:hidden"><tr><td>WORDS</td></tr></table>
<table hidden><tr><td>WORDS</td></tr></table>
<table><caption style="display:none">WORDS</caption><tr><td>Seen, of course</td></tr></table>
<table><tbody style="display:none"><tr><td>WORDS</td></tr></tbody><tr><td>Seen, of course</td></tr></table>
<table style="display:none"><tr><td>WORDS</td></tr></table>
<ul><li>Seen, of course</li><li hidden>WORDS</li></ul>
<ol style="font-size:0"><li>WORDS</li></ol>
<dl><dt>Seen</dt><dd style="opacity:0">WORDS</dd></dl>
<ruby>wood<rt style="display:none">WORDS</rt></ruby>
<ruby>wood<rt style="visibility:hidden">WORDS</rt></ruby>
<details open style="opacity:0"><summary>More</summary><p>WORDS</p></details>
<details style="position:absolute;left:-9999px"><summary>WORDS</summary><p>WORDS</p></details>
<details><summary style="display:none">More</summary><p style="display:none">WORDS</p></details>
<fieldset style="display:none"><legend>Seen</legend><p>WORDS</p></fieldset>
<marquee style="display:none">WORDS</marquee>
<center style="opacity:0">WORDS</center>
<h3 style="visibility:hidden">WORDS</h3>
<figure><figcaption style="display:none">WORDS</figcaption></figure>
<pre style="font-size:0">WORDS</pre>
<code style="opacity:0;display:block">WORDS</code>
<a href="http://a.example/" style="display:none">WORDS</a>
<p>Seen and <a href="http://a.example/" style="font-size:0">WORDS</a> seen again, all of it.</p>
<p>Seen and <b style="color:white">WORDS</b> seen again, all of it.</p>
<p>Seen and <span style="opacity:0">WORDS</span> seen again, all of it.</p>
<p>Seen and <span style="visibility:hidden">WORDS</span> seen again, all of it.</p>
<p>Seen and <span style="display:inline-block;width:0;height:0;overflow:hidden">WORDS</span> seen again, all of it.</p>
<p>Seen and <span style="position:absolute;clip-path:inset(50%)">WORDS</span> seen again, all of it.</p>
<p>Seen and <span style="float:left;width:0;height:0;overflow:hidden">WORDS</span> seen again, all of it.</p>
<p>Seen and <span hidden>WORDS</span> seen again, all of it.</p>
<p>Seen and <span style="display:inline-block;text-indent:-9999px">WORDS</span> seen again, all of it.</p>
<p>Seen and <span style="display:inline-block;transform:scale(0)">WORDS</span> seen again, all of it.</p>
<p>Seen and <span style="background:#000">WORDS</span> seen again, all of it.</p>
<p style="color:#fff">WORDS <b style="color:#000">Seen, with enough words to be one.</b></p>
<p style="color:#fff"><span>WORDS</span> <b style="color:#000">Seen, with enough words to be one.</b></p>
<div style="opacity:0"><div style="opacity:1"><div style="visibility:visible;display:block"><p>WORDS</p></div></div></div>
<div style="position:fixed;top:-500px;height:100px;overflow:hidden"><p>WORDS</p></div>
<div style="position:absolute;left:-2000px;width:500px"><div style="position:relative;left:10px"><p>WORDS</p></div></div>
<div style="position:absolute;width:1px;height:1px;overflow:hidden"><p style="width:500px">WORDS</p></div>
<div style="height:0;overflow:hidden"><p style="position:relative;top:0">WORDS</p></div>
<div style="height:0;overflow:hidden;position:relative"><p style="position:absolute;top:0">WORDS</p></div>
<div style="max-height:0;overflow:hidden"><ul><li>WORDS</li></ul></div>
<div style="overflow:hidden;height:0"><span>WORDS</span></div>
<div style="width:0;overflow:hidden"><p style="white-space:nowrap">WORDS</p></div>
<div style="transform:scale(0)"><p style="transform:scale(100)">WORDS</p></div>
<div style="transform:rotateY(90deg)"><p>WORDS</p></div>
<div style="clip-path:circle(0)"><p style="clip-path:none">WORDS</p></div>
<div style="font-size:0"><p>WORDS</p></div>
<div style="font-size:0"><p style="font-size:2em">WORDS</p></div>
<div style="color:transparent"><p>WORDS</p></div>
<div style="background:#222;padding:1em"><p style="color:#222">WORDS</p></div>
<div style="background:#222;padding:1em"><p style="color:#262626">WORDS</p></div>
<div style="background:rgba(0,0,0,.99);padding:1em"><p>WORDS</p></div>
<div style="background:#fff"><p style="color:#000;opacity:.03">WORDS</p></div>
<div style="position:relative;z-index:0;background:#fff"><div style="background:#fff"><p style="position:relative;z-index:-1">WORDS</p></div></div>
<div style="height:1px;overflow:auto"><p>WORDS</p></div>
<nobr style="display:none">WORDS</nobr>
<nav hidden><p>WORDS</p></nav>
<custom-element style="display:none"><p>WORDS</p></custom-element>
<slot style="display:none"><p>WORDS</p></slot>
<rp>WORDS</rp>
<param value="WORDS"><p>Seen, of course.</p>
<xmp hidden>WORDS</xmp>
<listing style="display:none">WORDS</listing>
<p style="display:none"><b>WORDS</b><i>WORDS</i></p>
<style>@layer a { .q1 { display: none } }</style><style>@layer b { .q1 { color: red } }</style><p class=q1>WORDS</p>
<style media="screen">.q1 { display: none }</style><p class=q1>WORDS</p>
<style media="(min-width: 1px)">.q1 { display: none }</style><p class=q1>WORDS</p>
<style media="">.q1 { display: none }</style><p class=q1>WORDS</p>
<style type="">.q1 { display: none }</style><p class=q1>WORDS</p>
<style type="TEXT/CSS">.q1 { display: none }</style><p class=q1>WORDS</p>
<style title="x">.q1 { display: none }</style><p class=q1>WORDS</p>
<p class=q1>WORDS</p><style>.q1 { display: none }</style>
<div><style>p.q1 { opacity: 0 }</style><p class="q1 q2">WORDS</p></div>
<link rel="Stylesheet" href="data:text/css,.dl%7Bdisplay:none%7D"><p class=dl>WORDS</p>
<link rel="preload stylesheet" as=style href="data:text/css,.dl%7Bopacity:0%7D"><p class=dl>WORDS</p>
<link rel=stylesheet media="screen" href="DATA:text/css;charset=utf-8,.dl{display:none}"><p class=dl>WORDS</p>
<link rel=stylesheet href="data:text/css,%40import%20'data:text/css,.dl%257Bdisplay:none%257D';"><p class=dl>WORDS</p>
<style>.q1 { display: none }</style><div class=q1 style="display:none"><p style="display:block">WORDS</p></div>
<style>p { color: black } .q1 { color: white }</style><p class=q1>WORDS</p>
<style>.q1 > * { display: none }</style><div class=q1><p>WORDS</p><p>WORDS</p></div>
<style>.q1 { font-size: 0 } .q1 b { font-size: 16px }</style><div class=q1>WORDS <b>Seen, with enough words to be one.</b></div>
<style>.q1:not(:focus) { position: absolute; left: -9999px }</style><p class=q1>WORDS</p>
""".replace('style="\ndisplay\n:\nnone"', 'style="display : none"')
    ),
]
"""What no reader of the page sees."""

MORE_SHOWN = [
    *(
        Way(f"style {style}", styled(style))
        for style in named("""
display:none\\9
display:none\\0/
height:40px;overflow:hidden;line-height:1;margin:0
display:none;display:inline
display:none;display:table
display:none;display:block flow
display:none;display:flow-root
--display:none
display:var(--no-such)
opacity:.3
opacity:30%
opacity:calc(1/2)
opacity:max(0,.5)
opacity:clamp(.4, 0, 1)
filter:opacity(.5)
filter:drop-shadow(0 0 2px red)
filter:blur(.3px)
filter:brightness(.9)
filter:invert(.1)
font-size:9px
font-size:.6rem
font-size:70%
font-size:smaller
font-size:x-small
font-size:max(12px, .1vw)
font:12px/1 serif
font:bold 1rem serif
scale:.7
scale:1
translate:10px 10px
translate:-5%
rotate:180deg
rotate:z 20deg
rotate:y 30deg
transform:rotate(180deg)
transform:scaleX(-1)
transform:scale(.6)
transform:rotateY(40deg)
transform:skewX(20deg)
transform:matrix(1,0,0,1,10,10)
transform:translateX(-100px)
transform:translate3d(0,0,0)
transform:perspective(500px) rotateY(20deg)
transform:rotateY(360deg)
backface-visibility:hidden
backface-visibility:hidden; transform:rotateY(20deg)
position:absolute; left:-10px; top:5px; background:#fff
position:fixed; top:0; left:0; background:#fff
position:fixed; bottom:0; background:#fff
position:fixed; inset:0; background:#fff
position:absolute; right:0; top:0; background:#fff
position:sticky; top:-100px
position:absolute; left:-9999px; position:static
position:relative; left:-9999px; left:0
position:static; left:-9999px; top:-9999px
margin-left:-9999px; margin-left:0
margin:-5px
margin:-10px -20px
margin-top:-1em
margin-left:calc(50% - 50%)
text-indent:3em
text-indent:-2em; margin-left:2em
text-indent:calc(1em + 2px)
text-indent:2em hanging
width:1px
width:0; white-space:nowrap
height:1px
max-height:0
max-height:0; overflow:visible
height:0; min-height:3em; overflow:hidden
max-height:0; min-height:3em; overflow:hidden
height:5em; overflow:hidden
height:30vh; overflow:auto
max-height:20em; overflow-y:scroll
height:auto; max-height:none; overflow:hidden
height:0; padding-bottom:60px; overflow:hidden
width:0; min-width:300px; overflow:hidden
max-width:60ch; overflow:hidden
height:min-content; overflow:hidden
width:fit-content; overflow:hidden
overflow:clip
contain:content
contain:layout paint
contain:paint
line-height:1.1; overflow:hidden
line-height:20px; overflow:hidden
display:inline-block; overflow:hidden
display:inline; height:0; overflow:hidden
display:-webkit-box; -webkit-line-clamp:2; -webkit-box-orient:vertical; overflow:hidden
clip:rect(0,0,0,0); position:relative
clip:rect(0 0 0 0); position:static
position:absolute; clip:auto; background:#fff
position:absolute; clip:rect(0, 900px, 300px, 0); background:#fff
clip-path:inset(0 round 10px)
clip-path:inset(1px)
clip-path:circle(100%)
clip-path:circle(1000px at center)
clip-path:ellipse(100% 100%)
clip-path:polygon(0% 0%, 100% 0%, 100% 100%, 0% 100%)
clip-path:polygon(5% 0, 100% 0, 95% 100%, 0 100%)
mask:linear-gradient(#000,#000)
mask-image:linear-gradient(black 80%, transparent)
mask-image:linear-gradient(to right, black, rgba(0,0,0,.4))
color:#aaa
color:#bbb
color:rgb(0 0 0 / 50%)
color:rgb(from black r g b)
color:color-mix(in srgb, black 60%, white)
color:hsl(0 0% 50%)
color:oklch(.5 .1 200)
color:light-dark(black, white)
color:color(display-p3 .2 .2 .2)
color:currentColor
color:inherit
color:#fff; background:#333
color:#fff; background:steelblue
color:#fff; background:linear-gradient(90deg,#036,#069)
color:white; background:rgb(0 0 0 / 80%)
color:white; color:nonsense; color:black
color:white; text-shadow:0 0 2px #000
color:#fff; -webkit-text-fill-color:#000
color:transparent; -webkit-text-stroke:1px black
color:white; -webkit-text-stroke:1px #333
color:transparent; background:linear-gradient(90deg,#f0f,#00f) text
color:yellow; background:navy
color:red; background:lime
background:#eee
background:rgb(0 0 0 / 10%)
background:linear-gradient(#eee,#ddd)
background:none black; background:none
background:black; background:initial
background-color:black; color:#eee
background:#111; color:#ddd
background:#111; color:#aaa
letter-spacing:-.05em
letter-spacing:.3em
word-spacing:-2px
zoom:.8
zoom:90%
visibility:collapse; visibility:visible
visibility:nonsense
content-visibility:visible
content:none
content:"replaced"
mix-blend-mode:multiply
mix-blend-mode:normal
mix-blend-mode:darken
z-index:-1; position:static
z-index:-5; position:relative
will-change:opacity
user-select:none
pointer-events:none
all:unset
all:initial; display:block
all:revert
perspective:100px
writing-mode:vertical-lr; height:600px
display:flex; flex-direction:column
display:grid; grid-template-rows:auto
columns:3; column-gap:1em
float:right; width:300px
box-sizing:border-box; padding-left:100px
text-transform:uppercase
text-overflow:ellipsis; overflow:hidden; white-space:nowrap
-webkit-text-security:none
transition:opacity 1s
animation:none
animation:no-such 1s both
filter:brightness(1000)
text-indent:-9999px hanging
""")
    ),
    *sheets("""
.x { display: none } #n1 { display: block }
.x.x { display: block } p.x { display: none }
#n1 { display: block } p.x.x.x { display: none }
:is(.x, #zz) { display: block } p.x.x { display: none }
:where(#n1) { display: none } p { display: block }
:where(.x, #zz) { display: none } p { display: block }
.x:not(#zz) { display: block } p.x.x { display: none }
.x { display: none } @media screen { .x { display: block } }
.x { display: none } @supports (display: grid) { .x { display: block } }
.x { display: none } @layer a { .x { display: block !important } }
@layer a { .x { display: none } } @layer b { .x { display: block } }
@layer b, a; @layer a { .x { display: block } } @layer b { #n1 { display: none } }
@layer a { .x { display: none } } @layer { .x { display: block } }
@layer a { #n1 { display: none } } .x { display: block }
@layer a { .x { display: none } @layer b { .x { display: none } } .x { display: block } }
@layer a { .x { display: block !important } } .x { display: none !important }
@media print { .x { display: none } }
@media print and (min-width: 1px) { .x { display: none } }
@media speech { .x { display: none } }
@media (max-width: 100px) { .x { display: none } }
@media (width < 100px) { .x { display: none } }
@media (min-width: 9000px) { .x { display: none } }
@media (400px >= width >= 390px) { .x { display: none } }
@media not all { .x { display: none } }
@media not screen and (min-width: 1px) { .x { display: none } }
@media (prefers-contrast: more) { .x { display: none } }
@media (prefers-reduced-motion: reduce) { .x { display: none } }
@media (forced-colors: active) { .x { display: none } }
@media (monochrome) { .x { display: none } }
@media (hover: none) { .x { display: none } }
@media (display-mode: standalone) { .x { display: none } }
@media tv, handheld, print { .x { display: none } }
@media screen and (nonsense: 1) { .x { display: none } }
@media (min-width: 1px) and print { .x { display: none } }
@media screen and { .x { display: none } }
@supports not (selector(:has(a))) { .x { display: none } }
@supports (display: nonsense) or (nonsense: 1) { .x { display: none } }
@supports (display: grid) and (display: nonsense) { .x { display: none } }
@supports selector(:nonsense-is-not-there) { .x { display: none } }
@supports (-ms-ime-align: auto) { .x { display: none } }
@supports (-moz-appearance: none) { .x { display: none } }
@supports not (display: flex) { .x { display: none } }
@container (min-width: 1px) { .x { display: none } }
main { container-type: inline-size } @container (width < 10px) { .x { display: none } }
main { container: a / inline-size } @container b (min-width: 1px) { .x { display: none } }
main { --k: no } @container style(--k: yes) { .x { display: none } }
@scope (.zz) { .x { display: none } }
@scope (main) to (.x) { .x { display: none } }
@scope (.x) { .x .y { display: none } }
.y { & .x { display: none } }
.x { .x { display: none } }
.x { &.y { display: none } }
.x { & > & { display: none } }
.x { display: none; & { display: block } }
main { .x { display: none } } main p.x { display: block }
:root { --d: none } .x { --d: block; display: var(--d) }
:root { --d: none } * { --d: block } .x { display: var(--d) }
.x { display: var(--D, block) } :root { --d: none }
.x { --a: var(--a); opacity: var(--a, 1) }
.x { --a: ; opacity: var(--a) }
.x { display: none; display: var(--gone) }
.x { opacity: 0 } .x { opacity: var(--k, 1) }
.x { color: white } .x { color: var(--text, #222) }
:root { --c: #fff } main { --c: #000 } .x { color: var(--c) }
:root { --bg: #fff; --fg: #222 } body { background: var(--bg); color: var(--fg) } .x { color: var(--fg) }
:root { --bg: #111; --fg: #eee } body { background: var(--bg); color: var(--fg) } .x { color: var(--fg) }
@media (prefers-color-scheme: dark) { :root { --c: #fff } } .x { color: var(--c, black) }
body { background: #121212; color: #e0e0e0 } .x { color: #fff }
html { background: #000 } body { color: #fff } .x { color: #fff }
.w { background: #234 } .x { color: #fff }
.w { background: #fff url(a.png) } .x { color: #000 }
.w { background: url(dark.png) #fff; color: #333 }
.w { overflow: hidden; height: 100px }
.w { overflow: hidden; height: 0; padding-top: 100px } .x { margin-top: -90px }
.w { height: 0 }
.w { display: contents } .x { display: block }
.w { visibility: hidden } .x { visibility: visible }
.w { font-size: 0 } .x { font-size: 1rem }
.w { opacity: .6 } .x { opacity: .7 }
.w { line-height: 0 } .x { line-height: 1.4 }
.w { transform: scale(.5) } .x { transform: scale(2) }
.w { position: relative; left: -9999px } .x { position: relative; left: 9999px }
.w { position: absolute; left: -100vw; width: 100vw } .x { position: relative; left: 100vw; width: 60vw; background: #fff }
.w { text-indent: -9999px } .x { text-indent: 0 }
.w { background: #000 } .x { background: #fff; color: #000 }
.w { color: white } .x { color: initial }
.w { letter-spacing: -1em } .x { letter-spacing: 0 }
.w { overflow: hidden; text-indent: 100% } .x { text-indent: 0 }
.w { height: 0; overflow: hidden } .x { position: fixed; top: 0; background: #fff }
.w { z-index: 1; position: relative; background: #eee } .x { position: relative; z-index: -1 }
.x { opacity: 0; animation: a 1ms forwards } @keyframes a { to { opacity: 1 } }
.x { animation: a 1ms } @keyframes a { from { opacity: 0 } to { opacity: 1 } }
.x { animation: a 1ms both } @keyframes a { from { opacity: 0; transform: translateY(9999px) } to { opacity: 1; transform: none } }
.x { animation: a 1ms } @keyframes a { to { opacity: 0 } }
.x { visibility: hidden; animation: a 1ms forwards } @keyframes a { to { visibility: visible } }
.x { animation: none } @keyframes a { to { opacity: 0 } }
.x { animation: b 1ms forwards } @keyframes a { to { opacity: 0 } }
.x { animation: a 1ms forwards; animation-fill-mode: none } @keyframes a { to { opacity: 0 } }
@keyframes a { from, to { opacity: 0 } } .y { animation: a 1s infinite }
@starting-style { .x { opacity: 0 } }
.x { @starting-style { opacity: 0 } }
.x:hover { opacity: 0 }
.x:focus { display: none }
.x:active { display: none }
.x:visited { display: none }
.x:target { display: none }
.x:checked { display: none }
.x:empty { display: none }
.x:first-child { display: none }
.x:last-of-type { display: none }
.x:only-child { display: none }
.x:nth-child(100) { display: none }
.x:nth-of-type(1) { display: none }
.x:lang(fr) { display: none }
.x:dir(rtl) { display: none }
.x:root { display: none }
.x:fullscreen { display: none }
.x:popover-open { display: none }
.x:modal { display: none }
.x:not(p) { display: none }
.x:not(.x, .y) { display: none }
.x:has(img) { display: none }
.x:has(+ h1) { display: none }
.x:is() { display: none }
.x:nonsense { display: none }
.x, :nonsense { display: none }
.x, p:: { display: none }
.x::after { visibility: hidden; content: "" }
.x::marker { font-size: 0 }
.x::selection { color: transparent }
.x::placeholder { opacity: 0 }
.x::first-line { letter-spacing: normal }
div.x { display: none }
svg|p.x { display: none }
p[class=X] { display: none }
p[class=""] { display: none }
p[data-k="For The Machine" s] { display: none }
p[data-k^=""] { display: none }
p[data-nothing] { display: none }
h1 > .x { display: none }
h1 + .x { display: none }
.x + .x { display: none }
.x ~ h1 { display: none }
html > .x { display: none }
#n { display: none }
#N1 { display: none }
.xx { display: none }
.-x { display: none }
. x { display: none }
.x { display none }
.x { display: none none }
.x { display:: none }
.x { display: none; } .x { display: revert }
.x { display: "none" }
.x { -display: none }
.x { display-x: none }
.x { opacity: 0px }
.x { opacity: none }
.x { visibility: none }
.x { font-size: -1px }
.x { font-size: 0 0 }
.x { height: 0 0; overflow: hidden }
.x { clip-path: inset(); }
.x { clip-path: nonsense(0) }
.x { transform: scale() }
.x { transform: nonsense(0) }
.x { transform: scale(0 }
.x { color: #ff }
.x { color: #fffff }
.x { color: whitee }
.x { color: rgb(255) }
.x { position: absolut; left: -9999px }
.x { text-indent: -9999 }
.x { left: -9999px; top: -9999px }
.x { overflow: hidden; max-height: 0 nonsense }
.x { display: none !importan }
.x { { display: none } }
.x ( display: none )
@media { } .y { display: none }
@import url("data:text/css,.x%7Bdisplay:none%7D") print;
.y { } @import url("data:text/css,.x%7Bdisplay:none%7D");
@import url("data:text/css,.x%7Bdisplay:none%7D") supports(display: nonsense);
@import url("data:text/plain,.x%7Bdisplay:none%7D");
@namespace url(http://www.w3.org/2000/svg); .x { display: none }
@font-face { .x { display: none } }
@keyframes k { .x { display: none } }
@property --k { .x { display: none } }
@media print { .y { } .x { display: none } } .z { }
.x { background: url("} .x { display: none }") }
.x { content: "; display: none" }
.x { --k: "; display: none" }
.x { --k: { display: none } }
.x { color: red /* ; display: none */ }
.y { color: red } /* .x { display: none }
.y { content: '} .x { display: none }' }
<!-- .y { } --> .x::before { display: none }
.x\\:y { display: none }
.\\.x { display: none }
@media not (print) { .x { display: none } }
@media (not ((max-width: 1px) or (print))) { .x { display: none } }
} .x { display: none }
"""),
    *bodies("""
<p style="display:block" style="display:none">WORDS</p>
<p data-style="display:none">WORDS</p>
<p style="">WORDS</p>
<p aria-hidden=true role=presentation>WORDS</p>
<p data-hidden>WORDS</p>
<p title="display:none">WORDS</p>
<div inert><ul><li>WORDS</li></ul></div>
<details open><summary>More</summary><p>WORDS</p></details>
<dialog open><ul><li>WORDS</li></ul></dialog>
<style>dialog { display: block }</style><dialog><p>WORDS</p></dialog>
<style>[hidden] { display: block }</style><p hidden>WORDS</p>
<style>[popover] { display: block }</style><div popover><p>WORDS</p></div>
<p hidden style="display:flow-root">WORDS</p>
<template><p>Nothing</p></template><p>WORDS</p>
<div><template shadowrootmode=open><style>p { display: none }</style><slot></slot></template><p>WORDS</p></div>
<div><template shadowrootmode=open><p>Seen</p><div><slot></slot></div></template><p>WORDS</p></div>
<svg width=900 height=60><style>.s1 { display: none }</style></svg><p>WORDS</p>
<math><mtext>WORDS</mtext></math>
<math><mrow><mtext mathcolor="red">WORDS</mtext></mrow></math>
<font color=red size=1>WORDS</font>
<font color="white" style="color:black">WORDS</font>
<font color="">WORDS</font>
<table bgcolor=black width=500><tr><td><font color=white>WORDS</font></td></tr></table>
<table bgcolor=black width=500><tr bgcolor=white><td><font color=black>WORDS</font></td></tr></table>
<table><tr><td width=0 height=0>WORDS</td></tr></table>
<table style="visibility:hidden"><tr><td style="visibility:visible">WORDS</td></tr></table>
<table style="width:0;overflow:hidden"><tr><td>WORDS</td></tr></table>
<table style="height:0"><tr><td>WORDS</td></tr></table>
<table style="font-size:0"><tr><td style="font-size:14px">WORDS</td></tr></table>
<p><span style="width:0;height:0;overflow:hidden">WORDS</span></p>
<p><span style="max-height:0;overflow:hidden">WORDS</span></p>
<p><span style="transform:rotateY(90deg)">WORDS</span></p>
<p><span style="text-indent:-9999px">WORDS</span></p>
<p><b style="clip:rect(0,0,0,0)">WORDS</b></p>
<p><a href="http://a.example/" style="color:#06c">WORDS</a></p>
<p><u style="left:-9999px">WORDS</u></p>
<div style="height:0;overflow:visible"><p>WORDS</p></div>
<div style="position:relative;overflow:hidden;height:0;padding-top:56%"><div style="position:absolute;inset:0"><p>WORDS</p></div></div>
<div style="position:absolute;left:50%;width:0;top:0"><p style="margin-left:-400px;width:800px;background:#fff">WORDS</p></div>
<div style="margin-left:-10000px;padding-left:10000px"><p>WORDS</p></div>
<div style="text-indent:-5em;padding-left:5em"><p>WORDS</p></div>
<div style="color:#fff;background:#000"><div><ul><li>WORDS</li></ul></div></div>
<div style="background:#000"><table style="background:#fff"><tr><td>WORDS</td></tr></table></div>
<div style="color:#fff"><span style="background:#222">WORDS</span></div>
<div style="background:linear-gradient(#000,#333);color:#eee"><p>WORDS</p></div>
<div style="background:#000;color:#000"><p style="color:#ccc">WORDS</p></div>
<div style="position:relative"><p>WORDS</p><div style="position:absolute;inset:0;background:rgb(255 255 255 / 10%)"></div></div>
<div style="position:relative"><p style="position:relative;z-index:2">WORDS</p><div style="position:absolute;inset:0;background:#ffe"></div></div>
<div style="position:relative"><div style="position:absolute;inset:0;background:#ffe"></div><p style="position:relative">WORDS</p></div>
<div style="display:grid"><div style="grid-area:1/1;background:#eee"></div><p style="grid-area:1/1">WORDS</p></div>
<div style="display:flex;height:0"><p>WORDS</p></div>
<div style="opacity:.9"><div style="opacity:.9"><p style="opacity:.9">WORDS</p></div></div>
<div style="transform:rotateY(180deg)"><p style="transform:rotateY(180deg)">WORDS</p></div>
<div style="font-size:10px"><p style="font-size:1.4em">WORDS</p></div>
<div style="font-size:200%"><p style="font-size:50%">WORDS</p></div>
<div style="zoom:.5"><p style="zoom:2">WORDS</p></div>
<div style="overflow:hidden;height:200px"><p>WORDS</p></div>
<div style="overflow:hidden;width:900px"><div style="width:300%;transform:translateX(0)"><p style="width:33%">WORDS</p></div></div>
<style media="print">.q1 { display: none }</style><p class=q1>WORDS</p>
<style media="(max-width: 1px)">.q1 { display: none }</style><p class=q1>WORDS</p>
<style media="not all">.q1 { display: none }</style><p class=q1>WORDS</p>
<style type="text/x-scss">.q1 { display: none }</style><p class=q1>WORDS</p>
<link rel="alternate stylesheet" title=b href="data:text/css,.dl%7Bdisplay:none%7D"><p class=dl>WORDS</p>
<link rel=preload as=style href="data:text/css,.dl%7Bdisplay:none%7D"><p class=dl>WORDS</p>
<link rel=stylesheet disabled href="data:text/css,.dl%7Bdisplay:none%7D"><p class=dl>WORDS</p>
<link rel=stylesheet media="print" href="data:text/css,.dl%7Bdisplay:none%7D"><p class=dl>WORDS</p>
<noscript><style>.q1 { display: none }</style></noscript><p class=q1>WORDS</p>
<template><style>.q1 { display: none }</style></template><p class=q1>WORDS</p>
<textarea hidden><style>.q1 { display: none }</style></textarea><p class=q1>WORDS</p>
<!-- <style>.q1 { display: none }</style> --><p class=q1>WORDS</p>
<script type="text/css">.q1 { display: none }</script><p class=q1>WORDS</p>
<p>Seen and <span style="display:inline-block">WORDS</span> seen again, all of it.</p>
<p>Seen and <sup style="font-size:.7em">WORDS</sup> seen again, all of it.</p>
<p>Seen and <mark style="color:#fff;background:#c00">WORDS</mark> seen again, all of it.</p>
<p style="opacity:0"></p><p>WORDS</p>
<div style="display:none"></div><div><p>WORDS</p></div>
<div style="height:0;overflow:hidden"></div><p>WORDS</p>
<div style="display:none"><p>Nothing</div><p>WORDS</p>
<figure style="margin:0"><figcaption style="position:relative;top:-20px">WORDS</figcaption></figure>
<ul style="list-style:none;text-indent:0;margin:0;padding:0"><li>WORDS</li></ul>
<ruby>WORDS<rt>x</rt></ruby>
<marquee behavior=slide loop=1 scrollamount=9999>WORDS</marquee>
"""),
]
"""What a reader sees."""

NEEDS_LAYOUT = [
    *(Way(f"style {style}", styled(style)) for style in named("""
offset-path:path("M-9999 -9999 L-9999 -9998")
mask-image:linear-gradient(#000,#000);mask-position:9999px 0;mask-repeat:no-repeat
clip-path:polygon(evenodd,0 0,100% 0,100% 100%,0 100%,0 0,100% 0,100% 100%,0 100%)
""")),
    *sheets("""
@layer a { .x { display: none } } @layer b { .x { display: revert-layer } }
.x { animation: a 1s infinite steps(1) } @keyframes a { 0% { color: transparent } 50% { color: #fff } 100% { color: transparent } }
.y, .x:is(::before, .x) { display: none }
"""),
    *bodies("""
<table width=400><col style="visibility:collapse"><col><tr><td>WORDS</td><td>Seen, of course</td></tr></table>
<marquee width=0 height=0>WORDS</marquee>
<div style="position:relative"><p style="margin:0">WORDS</p><div style="position:absolute;inset:0;background:#fff"></div></div>
<div style="position:relative"><p>WORDS</p><div style="position:absolute;top:0;left:0;width:100%;height:100%;background:white"></div></div>
<div style="display:grid"><p style="grid-area:1/1">WORDS</p><div style="grid-area:1/1;background:#fff"></div></div>
<div style="height:20px;overflow:hidden"><br><br><br><br><p>WORDS</p></div>
<div style="height:30px;overflow:hidden"><div style="height:300px"></div><p>WORDS</p></div>
<svg width=0 height=0><style>.q1 { display: none }</style></svg><p class=q1>WORDS</p>
"""),
]  # fmt: skip
"""What no reader sees, but nobody knows who does not lay the page out or knows no more of CSS than we do."""
