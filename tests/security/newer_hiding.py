# ruff: noqa: E501
"""A third set of ways to hide and to show a text, of CSS as browsers of 2026 know it; ``test_hiding.py`` uses all three."""

from __future__ import annotations

from .hiding import Way, named, styled
from .more_hiding import bodies, sheets


def styles(text: str) -> list[Way]:
    return [Way(f"style {style}", styled(style)) for style in named(text)]


NEWER_HIDDEN = [
    *styles("""
-webkit-text-fill-color:color-mix(in srgb, currentcolor, transparent 100%)
color:rgb(from #fff r g b / calc(alpha * 0.5))
color:color(from white srgb r g b)
color:oklab(from black calc(l + 1) a b)
color:hsl(from black h s calc(l + 100))
opacity:calc(sin(pi) * 10)
opacity:calc(1 - e / e)
opacity:calc(infinity * -1)
mask:linear-gradient(transparent 0 0) no-repeat
clip-path:rect(auto 0 auto auto)
clip-path:xywh(110% 0 10px 10px)
clip-path:ellipse(10px 10px at 150% 50%)
clip-path:shape(from 10px 10px, hline to 10px, vline to 10px, close)
font-size:round(down, 3px, 10px)
display:grid; grid-template:0/1fr; overflow:hidden
display:grid; grid-auto-rows:0; overflow:hidden
color:white; text-shadow:9999px 0 0 black
accent-color:white; color:Mark; background:Mark
color:SelectedItem; background:SelectedItem
position:absolute; clip:rect(-10px, 100px, 0, 0)
container-type:size; overflow:hidden
container-type:size; contain:paint
container:foo/size; overflow:clip
color:color-mix(white, white)
color:color(xyz-d50 .9643 1 .8251)
color:rgb(255 255 255 / env(nope, 1))
color:hsl(0deg 0% calc(50% * 2))
opacity:env(nope, 0)
opacity:calc(env(nope, 1) - 1)
opacity:round(to-zero, 0.9)
opacity:calc(pi - pi)
font-size:abs(0px)
line-height:1e-3; overflow:hidden
height:env(nope, 0px); overflow:hidden
max-height:round(1px, 10px); overflow:hidden
display:inline-grid; grid-template-rows:[a] 0 [b]; overflow:hidden
display:grid; grid:0 / none; overflow:hidden
display:grid; grid-template-rows:minmax(0, 0); overflow:hidden
display:grid; grid-template-rows:repeat(1, 0px); overflow:hidden
translate:env(nope, -9999px)
clip-path:circle(10% at 200% 200%)
clip-path:ellipse(closest-side closest-side at 0 0)
clip-path:rect(0 0 auto auto)
clip-path:rect(100% auto auto 0)
clip-path:xywh(0 -50px 100% 20px)
clip-path:path(evenodd, "M0 0")
clip-path:shape(from 0px 0px, line to 100px 0px, close)
mask:linear-gradient(transparent) no-repeat center / cover
"""),
    *sheets("""
@supports (anchor-name: --a) { .x { display:none } }
@supports (transition-behavior: allow-discrete) { .x { display:none } }
@supports (field-sizing: content) { .x { display:none } }
@supports (scrollbar-gutter: stable) { .x { display:none } }
@supports (margin-trim: block) or (overflow-anchor: none) { .x { display:none } }
@property --o { syntax: "<number>"; inherits: false; initial-value: 0 } main { --o: 1 } .x { opacity: var(--o) }
@property --o { syntax: "<number>"; inherits: true; initial-value: 0 } main { --o: red } .x { opacity: var(--o) }
.x { opacity: if(style(--a: 1): 1; else: 0) }
.x { display: if(media(print): block; else: none) }
.x { opacity: attr(data-o type(<number>), 0) }
.x { color: contrast-color(black) }
@import "data:text/css,@import%20'data:text/css,.x%257Bopacity:0%257D'";
@media (horizontal-viewport-segments:1){.x{opacity:0}}
@supports (initial-letter:3){.x{opacity:0}}
@supports (text-box-trim:trim-both) or (hanging-punctuation:first){.x{opacity:0}}
@supports (view-transition-class:a){.x{opacity:0}}
@supports (corner-shape:squircle){.x{opacity:0}}
@container style(--k){.x{display:none}}:root{--k:v}
:is(#n1,:hover){opacity:0}
.x:not([open]){opacity:0}
@property --z{syntax:"<number>";inherits:true;initial-value:0}main{--z:abc}.x{opacity:var(--z)}
@property --z{syntax:"*";inherits:false}main{--z:1}.x{opacity:var(--z,0)}
.x{opacity:if(media(width > 0px): 0; else: 1)}
.x{opacity:if(supports(display: grid): 0; else: 1)}
.x{opacity:if(not style(--q: 1): 0; else: 1)}
.x{--q:1;opacity:if(style(--q: 1): 0; else: 1)}
.x{display:if(style(--q): block; else: none)}
.x{opacity:attr(data-zz number, 0)}
.x{display:attr(data-zz, none)}
.x{font-size:attr(data-zz px, 0px)}
.x{color:attr(data-zz type(<color>), white)}
"""),
    *bodies("""
<template id=t shadowrootmode=bogus><p>WORDS</p></template>
<div><template shadowrootmode=open><style>::slotted(p){display:none}</style><slot></slot></template><p>WORDS</p></div>
<div><template shadowrootmode=open><style>:host{display:none}</style><slot></slot></template><p>WORDS</p></div>
<div><template shadowrootmode=open><style>slot{display:none}</style><slot></slot></template><p>WORDS</p></div>
<div><template shadowrootmode=open><slot>WORDS</slot></template><p>Seen in the slot, a sentence.</p></div>
<p>Seen <mark style="color:Mark">WORDS</mark> here.</p>
<p>Seen <mark style="color:yellow">WORDS</mark> here.</p>
<div style="display:grid;grid-template-columns:0px;overflow:hidden"><p style="white-space:nowrap;overflow:hidden;min-width:0">WORDS</p></div>
<div style="perspective:100px"><p style="transform:translateZ(200px)">WORDS</p></div>
"""),
]

NEWER_HIDDEN += [
    *styles("""
font-size:calc(infinity * -1px)
color:color-mix(in srgb, #fff calc(50% * 2), red)
"""),
    *sheets("""
.x:hover { opacity: 0 } .x { opacity: 0 }
"""),
]

NEWER_SHOWN = [
    *styles("""
height:0; overflow:hidden; min-height:fit-content
contain:block-size; overflow:hidden
"""),
    *sheets("""
@property --o { syntax: "<number>"; inherits: false; initial-value: 1 } main { --o: 0 } .x { opacity: var(--o) }
@supports (-webkit-touch-callout:none){.x{display:none}}
@property --z{syntax:"<number>";inherits:false;initial-value:1}main{--z:0}.x{opacity:var(--z)}
@scope { .x { display:none } }
.x:is(#n1,:hover){opacity:1}.x{opacity:.9}
"""),
    *bodies("""
<p>Seen <mark>WORDS</mark> here.</p>
<div style="display:block"><template shadowrootmode=open><style>:host{display:none}</style><slot></slot></template><p>WORDS</p></div>
<div><template shadowrootmode=open><div hidden><slot name=s></slot></div><slot></slot></template><p>WORDS</p></div>
"""),
]

NEWER_HIDDEN += [
    *styles("""
color:white; text-shadow:1px 1px
color:white; text-shadow:0 0 1px white
color:black; filter:invert(1)
--c:white; color:var( --c , black)
"""),
    *sheets("""
:is(#no, .x) { opacity: 0 } .x { opacity: 1 }
:where(#no, .x) { opacity: 1 } .x { opacity: 0 }
.x { opacity: 0 } .w, h1 { opacity: 1 }
"""),
    *bodies("""
<div style="background:url(oak.png)"><p style="background:white;color:white">WORDS</p></div>
<div style="background:url(oak.png)"><p style="background:rgb(255 255 255/.97);color:white">WORDS</p></div>
"""),
]

NEWER_SHOWN += [
    *styles("""
color:white; text-shadow:1px 1px black
color:white; filter:invert(1)
filter:contrast(0)
white-space:nowrap; overflow:hidden; width:600px; height:40px
white-space:nowrap; overflow:hidden; width:600px; height:40px; text-indent:20px
--c:black; color:var( --c , white)
"""),
    *sheets("""
:is(.x) { opacity: 0 } .x { opacity: 1 }
.x { opacity: 0 } h1, p.x { opacity: 1 }
h1, .x { opacity: 0 } main .x { opacity: 1 }
p.x { opacity: 0 } h1, main p.x { opacity: 1 }
.x { &.no { opacity: 0 } } .x { opacity: 1 }
"""),
]
