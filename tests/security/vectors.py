"""Attacks to run through every way out: the published ones beside the repository, and our own."""

from __future__ import annotations

import html
import json
from typing import NamedTuple

from benchmarks.corpora import shared_folder

from duramen.dom import Element, Node, fragment

SHARED = shared_folder() / "corpora" / "xss"
SOURCES = ("bleach", "javascript-execution", "owasp-xss-filter-evasion")


class Vector(NamedTuple):
    name: str
    html: str


def _in_context(payload: str, context: str) -> str:
    """Put a payload that is only part of a page where it would do its work."""
    quoted = html.escape(payload)
    return {
        "js": f"<script>{payload}</script>",
        "js_arg": f"<script>void({payload})</script>",
        "js_string": f"<script>var x = '{payload}';</script>",
        "js_string_double": f'<script>var x = "{payload}";</script>',
        "onerror_attr": f'<img src="x:x" onerror="{quoted}">',
        "href": f'<a href="{quoted}">x</a>',
    }.get(context, payload)


def published(source: str) -> list[Vector]:
    """The vectors of bleach, of xss-bench or of OWASP's cheat sheet, from the corpora beside the repository."""
    data = json.loads((SHARED / f"{source}.json").read_text("utf-8"))
    return [Vector(each["id"], _in_context(each["payload_html"], each["payload_context"])) for each in data["vectors"]]


def _own() -> list[Vector]:
    groups: dict[str, list[str]] = {
        "mutation through foreign content": [
            "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=x:x onerror=alert(1)&gt;\">",
            "<form><math><mtext></form><form><mglyph><style></math><img src=x:x onerror=alert(1)>",
            "<svg></p><style><a id=\"</style><img src=x:x onerror=alert(1)>\">",
            "<svg><p><style><g title=\"</style><img src=x:x onerror=alert(1)>\">",
            "<math><annotation-xml encoding=text/html><style><img src=x:x onerror=alert(1)></style></annotation-xml>",
            "<math><annotation-xml encoding='application/xhtml+xml'><svg><foreignObject><script>alert(1)</script>",
            "<svg><foreignObject><math><mi><mglyph><style><img src=x:x onerror=alert(1)>",
            "<svg><desc><table><svg><title><style></title><img src=x:x onerror=alert(1)>",
            "<math><mi><table><mi><mglyph></mi><style><img src=x:x onerror=alert(1)>",
            "<svg><title><iframe/onload=alert(1)></title></svg>",
            "<math><maction actiontype=\"statusline#x\" xlink:href=\"javascript:alert(1)\">CLICKME</maction></math>",
            "<math href=\"javascript:alert(1)\">CLICKME</math>",
            "<math><mrow href=javascript:alert(1)><mi>x</mi></mrow></math>",
        ],
        "vector graphics": [
            "<svg onload=alert(1)></svg>",
            "<svg><script>alert(1)</script></svg>",
            "<svg><script>alert&#40;1&#41;</script></svg>",
            "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
            "<svg><set onbegin=alert(1) attributeName=x to=1>",
            "<svg><a><animate attributeName=href values=javascript:alert(1) /><text x=20 y=20>CLICK</text></a></svg>",
            "<svg><a xlink:href=\"javascript:alert(1)\"><text y=20>CLICK</text></a></svg>",
            "<svg><use href=\"data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg'><image href='1'"
            " onerror='alert(1)'/></svg>#x\"/></svg>",
            "<svg><image href=x:x onerror=alert(1)></image></svg>",
            "<svg><foreignObject><body onload=alert(1)><iframe onload=alert(1)></foreignObject></svg>",
            "<svg><style>*{background:url(x:x)}</style><handler>alert(1)</handler></svg>",
        ],
        "raw text": [
            "<noscript><p title=\"</noscript><img src=x:x onerror=alert(1)>\">",
            "<noscript><style></noscript><img src=x:x onerror=alert(1)>",
            "<style><style/><img src=x:x onerror=alert(1)></style>",
            "<style>@import 'javascript:alert(1)';</style><style></style><img src=x:x onerror=alert(1)>",
            "<title><img src=x:x onerror=alert(1)></title></title><img src=x:x onerror=alert(1)>",
            "<textarea><img src=x:x onerror=alert(1)></textarea></textarea><img src=x:x onerror=alert(1)>",
            "<xmp><p title=\"</xmp><img src=x:x onerror=alert(1)>\">",
            "<noembed><img title=\"</noembed><img src=x:x onerror=alert(1)>\"></noembed>",
            "<noframes><a title=\"</noframes><img src=x:x onerror=alert(1)>\"></noframes>",
            "<iframe><a title=\"</iframe><img src=x:x onerror=alert(1)>\">",
            "<listing>&lt;img src=x:x onerror=alert(1)&gt;</listing>",
            "text<plaintext><img src=x:x onerror=alert(1)></plaintext>",
            "<select><template><img src=x:x onerror=alert(1)></template></select><select><img src=x:x onerror=alert(1)",
            "<select><iframe src=javascript:alert(1)></iframe></select><option><img src=x:x onerror=alert(1)></option>",
        ],
        "attribute breakouts": [
            "<p title=\"a\" onmouseover=\"alert(1)\">x</p>",
            "<img alt=\"`><img src=x:x onerror=alert(1)>\" src=\"https://img.example/a.png\">",
            "<img src=\"https://img.example/a.png\" alt='\"><script>alert(1)</script>'>",
            "<a href='https://example.org/\" onclick=\"alert(1)'>x</a>",
            "<a title='--><img src=x:x onerror=alert(1)>' href=https://example.org/>x</a>",
            "<img/src='x:x'/onerror=alert(1)//>",
            "<img src=x:x onerror\n=alert(1)>",
            "<img \x00src=x:x onerror=alert(1)>",
            "<img src=x:x ONERROR=alert(1)>",
            "<p/onclick=alert(1)/x>x</p>",
            "<code class=\"language-js&quot; onclick=&quot;alert(1)\">x</code>",
            "<td colspan='2\" onclick=\"alert(1)'>x</td>",
        ],
        "script addresses": [
            "<a href=javascript:alert(1)>x</a>",
            "<a href=\" &#14; javascript:alert(1)\">x</a>",
            "<a href=\"java\tscript:alert(1)\">x</a>",
            "<a href=\"java\nscript:alert(1)\">x</a>",
            "<a href=\"java&#13;script:alert(1)\">x</a>",
            "<a href=\"&#1;javascript:alert(1)\">x</a>",
            "<a href=\"javascript&colon;alert(1)\">x</a>",
            "<a href=\"javascript&#x3a;alert(1)\">x</a>",
            "<a href=\"jav&Tab;ascript:alert&lpar;1&rpar;\">x</a>",
            "<a href=\"\u202ejavascript:alert(1)\">x</a>",
            "<a href=\"java\U000e0041script:alert(1)\">x</a>",
            "<a href=\"java\ud800script:alert(1)\">x</a>",
            "<a href=\"JaVaScRiPt:alert(1)\">x</a>",
            "<a href=\"vbscript:msgbox(1)\">x</a>",
            "<a href=\"view-source:javascript:alert(1)\">x</a>",
            "<a href=\"data:text/html,<script>alert(1)</script>\">x</a>",
            "<a href=\"data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==\">x</a>",
            "<a href=\"blob:https://example.org/1\">x</a><a href=\"file:///etc/passwd\">x</a>",
            "<a href=\"feed:javascript:alert(1)\">x</a><a href=\"intent://x#Intent;end\">x</a>",
            "<a href=\"https:javascript:alert(1)\">x</a>",
            "<a href=\"\\\\evil.example/x\">x</a><a href=\"/\\evil.example/x\">x</a>",
            "<a href=\"javascript://example.org/%0aalert(1)\">x</a>",
            "<a href=\"#fn-1:javascript:alert(1)\">x</a>",
            "<img src=\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>\">",
            "<img src=\"javascript:alert(1)\"><img src=mailto:a@b.example>",
        ],
        "attributes with addresses": [
            "<img srcset=\"https://leak.example/a 1x\" sizes=1px><picture><source srcset=https://leak.example/b></picture>",
            "<iframe srcdoc=\"<script>parent.alert(1)</script>\"></iframe>",
            "<form action=javascript:alert(1)><button>x</button><input type=submit formaction=javascript:alert(1)>",
            "<form id=f></form><button form=f formaction=javascript:alert(1)>x</button>",
            "<a href=https://example.org/ ping=https://leak.example/>x</a>",
            "<table background=https://leak.example/><tr><td background=javascript:alert(1)>x</table>",
            "<video poster=https://leak.example/ src=x:x onerror=alert(1)></video>",
            "<audio src=x:x onerror=alert(1) autoplay></audio>",
            "<object data=javascript:alert(1)></object><embed src=javascript:alert(1)>",
            "<blockquote cite=javascript:alert(1)>x</blockquote><q cite=https://leak.example/>x</q>",
            "<body background=https://leak.example/ onload=alert(1)>",
            "<img longdesc=javascript:alert(1) usemap=#m src=https://img.example/a.png><map name=m>"
            "<area href=javascript:alert(1) shape=default></map>",
            "<img lowsrc=javascript:alert(1) dynsrc=javascript:alert(1) src=https://img.example/a.png>",
            "<input type=image src=x:x onerror=alert(1)>",
            "<isindex action=javascript:alert(1) type=image src=x:x onerror=alert(1)>",
        ],
        "styles": [
            "<p style=\"width:expression(alert(1))\">x</p>",
            "<p style=\"background:url(https://leak.example/)\">x</p>",
            "<p style=\"behavior:url(x.htc);-moz-binding:url(x.xml#x)\">x</p>",
            "<p style=\"\\62 ackground:\\75rl(https://leak.example/)\">x</p>",
            "<style>@import url(https://leak.example/a.css);</style><link rel=stylesheet href=https://leak.example/b.css>",
            "<style>@keyframes x{}</style><p style=animation-name:x onanimationstart=alert(1)>x</p>",
        ],
        "whole documents": [
            "<base href=\"javascript:alert(1)//\"><a href=x>x</a>",
            "<base href=https://leak.example/><img src=a.png>",
            "<meta http-equiv=refresh content=\"0;url=javascript:alert(1)\">",
            "<meta http-equiv=refresh content=\"0;url=https://leak.example/\">",
            "<meta http-equiv=Content-Security-Policy content=\"img-src https://leak.example/\">",
            "<link rel=import href=\"data:text/html,<script>alert(1)</script>\"><link rel=prefetch href=https://leak.example/>",
            "<html manifest=https://leak.example/><head><script src=\"data:,alert(1)\"></script></head>",
            "<frameset onload=alert(1)><frame src=javascript:alert(1)></frameset>",
            "<!DOCTYPE x [<!ENTITY e \"<img src=x:x onerror=alert(1)>\">]><p>&e;</p>",
            "<?xml version=\"1.0\"?><?xml-stylesheet href=\"javascript:alert(1)\"?><p>x</p>",
            "<? foo=\"><script>alert(1)</script>\">",
            "<![CDATA[><img src=x:x onerror=alert(1)>]]>",
            "<!--[if gte IE 4]><script>alert(1)</script><![endif]-->",
            "<!--><img src=x:x onerror=alert(1)>-->",
            "<!--- --!><img src=x:x onerror=alert(1)> -->",
        ],
        "templates and components": [
            "<template><img src=x:x onerror=alert(1)></template>",
            "<div><template shadowrootmode=open><img src=x:x onerror=alert(1)></template></div>",
            "<x-y onclick=alert(1) style=position:fixed>x</x-y>",
            "<button is=x-y onclick=alert(1)>x</button><p is=x-y onclick=alert(1)>x</p>",
            "<slot onslotchange=alert(1)><img src=x:x onerror=alert(1)></slot>",
            "<div popover id=p onbeforetoggle=alert(1)>x</div><button popovertarget=p>x</button>",
        ],
        "nesting": [
            "<a href=https://a.example/><a href=javascript:alert(1)>x</a></a>",
            "<a href=https://a.example/><table><tr><td><a href=javascript:alert(1)>x</a></table></a>",
            "<form><form><input name=x onfocus=alert(1) autofocus></form></form>",
            "<form><div></form><form><img src=x:x onerror=alert(1)>",
            "<table><script>alert(1)</script><tr><td>x</table>",
            "<table><img src=x:x onerror=alert(1)><tr><td>x</table>",
            "<table><tr><svg><td><style><img src=x:x onerror=alert(1)></td></tr></table>",
            "<table><colgroup><template><col><img src=x:x onerror=alert(1)></template></colgroup></table>",
            "<b><p><a href=x><i></b></p><img src=x:x onerror=alert(1)></a></i>",
            "<p><p><p></b></p><ul><li><li><p></ul><img src=x:x onerror=alert(1)>",
            "<div>" * 300 + "<img src=x:x onerror=alert(1)>" + "</div>" * 300,
            "<scr<script>ipt>alert(1)</scr</script>ipt>",
            "<<script>alert(1);//<</script>",
            "<script>alert(1)",
            "<img src=x:x onerror=alert(1)//",
            "<ruby><rt><rt><script>alert(1)</script><rp></ruby>",
        ],
        "events without a hand": [
            "<input autofocus onfocus=alert(1)>",
            "<p tabindex=1 autofocus onfocus=alert(1)>x</p>",
            "<details open ontoggle=alert(1)><summary>x</summary>y</details>",
            "<marquee onstart=alert(1)>x</marquee>",
            "<img src=\"https://img.example/a.png\" onload=alert(1)>",
            "<video><source onerror=alert(1)></video>",
            "<p contenteditable oninput=alert(1) onclick=alert(1)>x</p>",
            "<a href=https://example.org/ onclick=alert(1) accesskey=x>x</a>",
            "<p onpointerenter=alert(1) onmouseover=alert(1)>x</p>",
        ],
        "clobbering": [
            "<img name=body src=https://img.example/a.png><p id=attributes>x</p>",
            "<a id=location href=javascript:alert(1)>x</a><a id=location name=href href=https://example.org/>x</a>",
            "<form id=document><input name=cookie></form>",
            "<li id=__proto__>x</li><p id=constructor>x</p>",
        ],
        "text that looks like markup": [
            "&lt;img src=x:x onerror=alert(1)&gt;",
            "&amp;lt;script&amp;gt;alert(1)&amp;lt;/script&amp;gt;",
            "<p>[x](javascript:alert(1)) ![x](javascript:alert(1)) &lt;javascript:alert(1)&gt;</p>",
            "<p>[x]: javascript:alert(1)\n\n[x]</p>",
            "<pre><code>```\n&lt;/code&gt;&lt;img src=x:x onerror=alert(1)&gt;\n```\n"
            "&lt;script&gt;alert(1)&lt;/script&gt;</code></pre>",
            "<code>`&lt;img src=x:x onerror=alert(1)&gt;`</code>",
            "<table><tr><th>a|&lt;img src=x:x onerror=alert(1)&gt;</th></tr>"
            "<tr><td>\\|&lt;script&gt;alert(1)&lt;/script&gt;</td></tr></table>",
            "<span data-math=inline>&lt;img src=x:x onerror=alert(1)&gt;$</span>",
            "<img src=https://img.example/a.png alt=\"](javascript:alert(1)) <img src=x:x onerror=alert(1)>\">",
            "<a href=\"https://a.test/)](javascript:alert(1)\" title='\" onclick=alert(1)'>x](javascript:alert(1)</a>",
            "<h2>&lt;script&gt;alert(1)&lt;/script&gt;</h2><p>    &lt;script&gt;alert(1)&lt;/script&gt;</p>",
            "<blockquote>&lt;!-- --&gt;&lt;img src=x:x onerror=alert(1)&gt;</blockquote>",
            "<p>\\u003cimg src=x:x onerror=alert(1)\\u003e ＜script＞alert(1)＜/script＞</p>",
        ],
    }  # fmt: skip
    return [Vector(f"{name} {n}", each) for name, many in groups.items() for n, each in enumerate(many, 1)]


OWN = _own()


def elements(root: Element) -> list[Element]:
    found: list[Element] = []
    todo: list[Node] = [root]
    while todo:
        node = todo.pop()
        assert not type(node).__name__.startswith(("Comment", "Processing", "CData", "Doctype"))
        if isinstance(node, Element):
            found.append(node)
            todo.extend(node.children)
    return found[1:]


def parsed(markup: str) -> list[Element]:
    return elements(fragment(markup))
