"""Cases for tables whose rows are alike: the pages are made from the rows themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import duramen
from duramen.browser import visit
from duramen.corpus import Truth
from duramen.evaluation import categories
from duramen.find import hints, page_marks
from duramen.find.removals import mark_removals
from duramen.flatten import parse_tree
from duramen.function_words import code_of, detect_language, function_share
from duramen.model import Metadata
from duramen.options import Options, Output
from duramen.read.colours import colour
from duramen.read.guess_encoding import guess_encoding
from duramen.read.hidden import take_out_hidden
from duramen.read.reader import read_page
from duramen.refine.sanitize import sanitize
from duramen.rule_set import page_of, rules_of
from duramen.safe_values import safe_metadata
from duramen.tables import DATA

from .changing import NOTHING, Case, label, places, swapped, table, to, without
from .pages import PROSE, SENTENCE, element, everything, last, marked, matching, page
from .records import posts


def extracted(html: str | bytes, url: str | None = None, options: Options | None = None) -> object:
    return everything(duramen.extract(html, url, options))


def entries(text: str) -> list[str]:
    """The entries of a text of phrases or words."""
    found = (" ".join(part.split()) for part in text.split(";" if ";" in text else None))
    return [entry for entry in found if entry]


# ---- obstacles ----

PAID = page(
    f"<article>{PROSE}{PROSE.replace('the ', 'that ')}{PROSE.replace('the ', 'this ')}</article>"
    "<div class=%s>One two three four five</div>",
    "<title>Oaks</title>"
    '<script type="application/ld+json">{"@type": "NewsArticle", "isAccessibleForFree": false}</script>',
)
OBSTACLES = {
    "error_page title": "<title>%s</title><p>Sorry.",
    "error_page line": "<title>404</title><h1>404</h1><p>%s",
    "error_page number": "<title>404 %s</title><p>Sorry.",
    "bot_challenge title": "<title>%s</title><p>Oak.",
    "bot_challenge line": "<title>Oak</title><p>%s",
    "bot_challenge code": "<script>%s</script><p>Oak.",
    "bot_challenge widget": "<script>%s</script>",
    "consent_wall topic": "<title>Before you continue</title><p>%s consent</p><button>accept</button>",
    "consent_wall support": "<title>Before you continue</title><p>cookie %s</p><button>accept</button>",
    "consent_wall line": f"<title>Oak</title><p>%s. Cookie consent. {'Oak ' * 12}</p><button>accept</button>",
    "consent_wall action": "<title>Before you continue</title><p>cookie consent</p><button>%s</button>",
    "consent_wall title": "<title>%s</title><p>cookie consent</p><button>accept</button>",
    "consent_wall policy": "<title>%s</title><h1>Before you continue</h1><p>@</p><button>accept</button>".replace(
        "@", "cookie consent " * 80
    ),
    "consent_wall name": f"<title>Oak</title><div class=%s>Cookie consent. {SENTENCE}</div><button>accept</button>",
    "login_wall title": "<title>%s</title><p>Oak.</p><input type=password>",
    "login_wall line": "<title>Oak</title><p>%s</p><input type=password>",
    "needs_javascript line": "<script>1</script><p>%s",
    "needs_javascript wait": "<script>1</script><p>%s",
    "needs_javascript root": "<div id=%s></div><p>Oak.",
    "paywall line": f"<title>Oaks</title><article>{PROSE}<p>%s</p></article>",
    "paywall name": PAID,
}


def obstacles() -> Iterator[Case]:
    rows = table("obstacles.toml")["row"]
    for row in rows:
        uses = [other for other in rows if (other["reason"], other["where"]) == (row["reason"], row["where"])]
        every = [phrase for other in uses for phrase in entries(other["phrases"])]
        # Of phrases that are parts of each other, or of two languages, one does the other's work.
        is_part = row["where"] in ("line", "topic", "support", "policy", "code", "widget")
        phrase = next(
            p for p in entries(row["phrases"]) if sum(p == q or (is_part and (p in q or q in p)) for q in every) == 1
        )
        html = OBSTACLES[f"{row['reason']} {row['where']}"].replace("%s", phrase)
        place = f"row / {row['id']} / "
        quality = partial(verdict, html)
        yield Case("obstacles.toml", f"{place}phrases", without(phrase), quality)
    # One row is enough to see how all of them are filed.
    first = rows[0]
    html = OBSTACLES["error_page title"].replace("%s", entries(first["phrases"])[0])
    for field, other in (("reason", "login_wall"), ("where", "line")):
        yield Case("obstacles.toml", f"row / {first['id']} / {field}", to(other), partial(verdict, html))


def verdict(html: str) -> object:
    return duramen.extract(html).quality


# ---- frameworks ----

SIGNUP = "<div><p>Our letter comes every week.</p><input type=email><button>Send</button></div>"
"""What a removal row takes out even where the judge is certain of it."""


def frameworks() -> Iterator[Case]:
    rows = {path.name: table(f"frameworks/{path.name}") for path in sorted((DATA / "frameworks").glob("*.toml"))}
    for name, row in rows.items():
        marks = list(row["evidence"])

        def case(place: str, change: Any, body: str, name: str = name, marks: list[str] = marks) -> Case:
            return Case(f"frameworks/{name}", place, change, partial(extracted, marked(marks, body)))

        content = row["content"][0]
        yield case("name", to("Oaks"), PROSE)
        for mark in marks[:1]:
            detected = partial(framework_of, marked(marks, ""))
            yield Case(f"frameworks/{name}", f"evidence / {mark}", lambda _: NOTHING, detected)
        yield case("content", without(content), matching(content, PROSE))
        if "parts" in row:
            yield case("parts", without(row["parts"][0]), f"<h2>Oaks</h2>{matching(row['parts'][0], PROSE)}")
        if "title" in row:
            yield case("title", without(row["title"][0]), matching(row["title"][0], "The age of oaks") + PROSE)
        if "kind" in row:
            yield case("kind", to("collection"), matching(content, PROSE))
        if "whole" in row:
            yield case("whole", to(False), matching(content, PROSE + SIGNUP))
        if "many" in row:
            yield case("many", to(False), matching(content, PROSE) + matching(content, PROSE))
        yield from posts(f"frameworks/{name}", marks, row)
        gone = f"<div>{SENTENCE}</div>"
        # What is an anchor or a button, later steps take out as well.
        own = [selector for selector in row.get("remove", ()) if last(selector)[0] in ".#[d"]
        for removed in own[:1]:
            yield case("remove", without(removed), matching(content, PROSE + matching(removed, gone)))
        if row.get("keep"):
            # What is kept has to be what is removed: by its own name, and by where it is.
            kept, removed = next((k, r) for k in row["keep"] for r in own if tag(k) in ("", tag(r)) or not tag(r))
            inner = replaced(matching(removed, MARKER), element((last(removed), last(kept)), gone))
            yield case("keep", without(kept), matching(content, PROSE + replaced(matching(kept, MARKER), inner)))
        for other in row.get("outranks", ()):
            enough = sorted(marks, key=lambda mark: -row["evidence"][mark])
            while sum(row["evidence"][mark] for mark in enough[:-1]) >= 1:
                enough.pop()
            both_marks = [*enough, *rows[f"{other}.toml"]["evidence"]]
            yield Case(f"frameworks/{name}", "outranks", without(other), partial(framework_of, marked(both_marks, "")))


def tag(selector: str) -> str:
    """The tag of what a selector is looking for, if it says one."""
    found = re.match(r"[a-z][\w-]*", last(selector))
    return found[0] if found else ""


MARKER = "@"


def replaced(html: str, other: str) -> str:
    """Nested elements with another one in place of the innermost."""
    return re.sub(rf"<([\w-]+)[^<>]*>{MARKER}</\1>", lambda _: other, html)


def framework_of(html: str) -> object:
    return read_page(html, None, Options()).framework


# ---- site rules ----


def site_rules() -> Iterator[Case]:
    for path in sorted((DATA / "site_rules").glob("*.toml")):
        file = f"site_rules/{path.name}"
        ruled = partial(by_rule, path.stem)
        for place, value in places(file).items():
            if place == "paths":
                yield Case(file, place, to(["/no such path"]), ruled)
            elif place.startswith(("content", "metadata")) or place == "domains":
                for entry in value:
                    if entry not in ROWS_TAKE_THESE_TOO:
                        yield Case(file, place, without(entry), partial(by_rule, path.stem, entry))
            elif place.startswith("thresholds"):
                yield Case(
                    file,
                    place,
                    to(100_000 if place.endswith("words") else 30 if place.endswith("paragraphs") else 0.0),
                    ruled,
                )
            elif place == "page_type":
                yield Case(file, place, to("service"), ruled)


ROWS_TAKE_THESE_TOO = frozenset(
    (
        ".RichTextStoryBody .Advertisement",
        "[data-component='ad-slot']",
        ".ad-container",
        ".ad-wrap",
        "[id^='story-ad-']",
    )
)
"""Advertisements that a sure removal row takes out as well, unless the judge is certain of them."""


def by_rule(rule_id: str, selector: str = "") -> object:
    """What comes out of all pages of a rule, or of one more that a selector is for."""
    rule = SHIPPED_RULES[rule_id]
    pages = [(page_of(rule, case), case.url) for case in rule.cases]
    if selector in (*rule.primary, *rule.secondary, *rule.fallback):
        pages.append((page(matching(selector, PROSE)), pages[0][1]))
    return [extracted(html, url) for html, url in pages]


SHIPPED_RULES = {rule.id: rule for folder in rules_of(()).folders for rule in folder.rules}


# ---- encodings and languages ----


def encodings() -> Iterator[Case]:
    data = table("encodings.toml")
    for name, spoken in data["encodings"].items():
        # Only the capital letters with accents are elsewhere in windows-1253.
        text = "Ά είναι Ά στην Ά από Ά για " * 40 if name == "iso-8859-7" else sample(spoken[0])
        raw = text.encode(CODECS.get(name, name), "ignore")
        yield Case("encodings.toml", f"encodings / {name}", without(spoken[0]), partial(guess_encoding, raw))
    for section in ("letters", "frequent"):
        for language, letters in data[section].items():
            name = next(name for name, spoken in data["encodings"].items() if language in spoken)
            text = sample(language)
            letter = next(c for c in letters.strip() if c in text)
            raw = text.encode(CODECS.get(name, name), "ignore")
            yield Case(
                "encodings.toml",
                f"{section} / {language}",
                partial(no_longer, letter),
                partial(guess_encoding, raw),
            )


def no_longer(letter: str, letters: str) -> str:
    return letters.replace(letter, "")


CODECS = {"x-mac-cyrillic": "mac-cyrillic", "windows-874": "cp874"}


def sample(language: str) -> str:
    """Something like a text: the words of a language, and its letters."""
    words = table("stopwords.toml")
    own = words["words"] | words["others"]
    data = table("encodings.toml")
    letters = data["frequent"].get(language, "").replace("\n", "")[:60] or data["letters"].get(language, "")
    return f"{letters} {own[language.partition('-')[0]]} {letters}"


def stopwords() -> Iterator[Case]:
    data = table("stopwords.toml")
    file = "stopwords.toml"
    for language, words in data["words"].items():
        word = words.split()[0]
        share = partial(function_share, f"{word} {word}", language)
        yield Case(file, f"words / {language}", without(word), share)
    for language, words in data["others"].items():
        yield Case(file, f"others / {language}", to(""), partial(detect_language, f"{words} {words}"))
    for language, row in data["measure"].items():
        words = data["words"][language].split()
        text = {
            "elisions": f"{words[0]}'oak",
            "endings": f"oak{words[0]}",
            "prefixes": f"{row.get('clitics', [''])[0]}oak",
        }.get(row["by"], words[0])
        share = partial(function_share, f"{text} Oak Oak Oak", language)
        yield Case(file, f"measure / {language} / by", to("words"), share)
        if "size" in row:
            yield Case(file, f"measure / {language} / size", to(row["size"] + 1), share)
        if "clitics" in row:
            yield Case(file, f"measure / {language} / clitics", without(row["clitics"][0]), share)
    for code in data["codes"]:
        yield Case(file, f"codes / {code}", to("tlh"), partial(code_of, code))


# ---- page types ----


def kinds() -> Iterator[Case]:
    data = table("kinds.toml")
    for name in data["types"]:
        yield Case("kinds.toml", "types", without(name), partial(features, types=frozenset({name})))
    for group, ids in data["frameworks"].items():
        for framework in ids:
            assert framework in FRAMEWORKS, f"kinds.toml: no framework has the id {framework!r}"
            yield Case(
                "kinds.toml", f"frameworks / {group}", without(framework), partial(features, framework=framework)
            )
    for row in data["row"]:
        place = f"row / {row['id']} / "
        for step in row["steps"]:
            url = f"https://oak.example/{step}/tree"
            yield Case("kinds.toml", f"{place}steps", without(step), partial(features, url))
        for host in row.get("hosts", ()):
            url = f"https://{host}.oak.example/tree"
            yield Case("kinds.toml", f"{place}hosts", without(host), partial(features, url))
        for pattern in row.get("anywhere", ()):
            yield Case("kinds.toml", f"{place}anywhere", without(pattern), partial(features, ANYWHERE[pattern]))


FRAMEWORKS = frozenset(path.stem for path in (DATA / "frameworks").glob("*.toml"))
ANYWHERE = {
    "/(?:viewtopic|showthread|topic|thread)[.?-]": "https://oak.example/viewtopic.php",
    r"\.html?\?.*(?:sku|pid)": "https://oak.example/oak.html?sku=1",
    r"/\d{4}/\d{1,2}/": "https://oak.example/2026/03/oak",
    "[?&](?:q|page|search)=": "https://oak.example/oak?q=tree",
}


def features(url: str = "", types: frozenset[str] = frozenset(), framework: str = "") -> object:
    """What the judge gets of a page; what it makes of one such mark is up to the model."""
    tree = parse_tree(page(PROSE))
    given = hints.Hints("", "", (), url, types, framework, "en", {}, {})
    return page_marks.page_features(tree, [9], given, 0, 0, 0)


def site_categories() -> Iterator[Case]:
    for row in table("site_categories.toml")["category"]:
        place = f"category / {row['id']} / "

        def case(field: str, change: Any, url: str = "", kind: str = "", place: str = place) -> Case:
            return Case("site_categories.toml", place + field, change, partial(category, url, kind))

        kind = row.get("kinds", ["article"])[0]
        domains = row.get("domains", ())
        url = f"https://{domains[0].split()[0]}/oak" if domains else "https://oak.example/"
        for field in row:
            if field == "domains":
                yield case(field, to([" ".join(domains[0].split()[1:])]), url, kind)
            elif field == "kinds":
                yield case(field, swapped(kind), url, kind)
            elif field == "pattern":
                yield case(field, to("no such site"), PATTERNS[row["id"]], kind)
            elif field == "counts_as":
                yield case(field, to("forum"), url, kind)
            elif field in ("asks", "target", "name"):
                yield case(field, to(["title"] if field == "asks" else 0.5 if field == "target" else "Oaks"), url, kind)


PATTERNS = {"blog": "https://oak.example/blog/tree", "regional-news": "https://oak-herald.example/tree"}


def category(url: str, kind: str) -> object:
    row = categories.category(categories.category_of(Truth("1", url, kind)))
    return row.id, row.name, row.asks, row.target


# ---- removals and names of content ----

REMOVALS = {
    "tags": "<{0}>%s</{0}>",
    "roles": "<div role={0}>%s</div>",
    "names": "<div class={0}>%s</div>",
    "attributes": "<div {0}>%s</div>",
    "hosts": "<div><script src=https://x.{0}/a.js></script><p>Oak.</p></div>",
    "sizes": "<iframe width={0[0]} height={0[1]} src=/a></iframe>",
    "fields": "<div><p>Our letter comes.</p><input type={0}><button>Send</button></div>",
}

GLYPH = "<h2>Oaks <a class={0} href=#oaks>#</a></h2>"


def removals() -> Iterator[Case]:
    for row in table("removals.toml")["row"]:
        place = f"row / {row['id']} / "
        for field, html in REMOVALS.items():
            for entry in row.get(field, ()):
                box = GLYPH if row.get("scope") == "glyph" else html
                box = box.format(entry.split("x") if field == "sizes" else entry).replace("%s", "<p>Oak and elm.</p>")
                if field == "names":
                    box += box.replace(entry, entry.replace("-", ""))
                named = partial(marked_by_rows, PROSE + box + PROSE)
                yield Case("removals.toml", place + field, swapped(entry), named)
        for flag in ("sure", "firm"):
            if flag in row:
                yield Case("removals.toml", place + flag, to(not row[flag]), named)
        if "scope" in row:
            anchor = f"<h2>Oaks <a class={row['names'][0]} href=/x>Of all the trees</a></h2>"
            yield Case("removals.toml", f"{place}scope", to("subtree"), partial(marked_by_rows, PROSE + anchor + PROSE))


def marked_by_rows(body: str) -> object:
    """What the removal rows name on a page; what the judge makes of it is up to the model."""
    return mark_removals(parse_tree(page(body)))


def patterns() -> Iterator[Case]:
    for row in table("patterns.toml")["row"]:
        name = row["names"][0]
        html = page(f"<div class={name}>{PROSE}</div><p>Oak.</p>")
        yield Case("patterns.toml", f"row / {row['id']} / names", without(name), partial(extracted, html))


# ---- hidden text ----

_SCRIPT = "<script src=/a.js></script>"
OPENABLE = {
    "openable-names": (
        "accordion",
        _SCRIPT + "<h3 class=accordion>Oak</h3><div class=accordion style=display:none>%s</div>",
    ),
    "slides": ("glide", _SCRIPT + "<p class='glide x'>Seen.</p><p class='glide x' style=display:none>%s</p>"),
    "reveal-names": ("animate", _SCRIPT + "<p class=animate style=visibility:hidden>%s</p>"),
    "reveal-attributes": ("data-anim", "<p data-anim style=display:none>%s</p>"),
    "control-attributes": (
        "aria-controls",
        _SCRIPT + "<button aria-controls=x>More</button><p>Seen.</p><p id=x hidden>%s</p>",
    ),
    "control-marks": (
        "data-toggle",
        _SCRIPT + "<h3 data-toggle=x>Oak</h3><div class=accordion style=display:none>%s</div>",
    ),
    "streamed": ("B", "<template id=B:1></template><p>Seen.</p><p hidden id=S:1>%s</p>"),
    "without-scripts": ("no-js", "<style>.no-js p { display: none }</style><div class=no-js><p>%s</p></div>"),
}
"""By row a word of it, and a page that shows a text because of it."""


def hiding() -> Iterator[Case]:
    for ident, (word, body) in OPENABLE.items():
        html = page(f"<article>{PROSE}</article>" + body % SENTENCE)
        yield Case("hiding.toml", f"openable / {ident} / words", without(word), partial(seen_of, html))
    sheet = "<style>@supports (cx: 1px) { .x { display: none } }</style>"
    html = page(f"{sheet}<article>{PROSE}</article><p class=x>{SENTENCE}</p>")
    yield Case("hiding.toml", "conditions / css-properties / words", without("cx"), partial(seen_of, html))
    for name in table("hiding.toml")["colours"]:
        yield Case("hiding.toml", f"colours / {name}", to("012345"), partial(colour, name))


def seen_of(html: str) -> object:
    return take_out_hidden(parse_tree(html)).tree.text_in(0)


# ---- what the browser clicks ----


def clicks() -> Iterator[Case]:
    for row in table("clicks.toml")["row"]:
        place = f"row / {row['id']} / "
        labels = partial(clicked, row["what"])
        yield Case("clicks.toml", f"{place}phrases", without(entries(row["phrases"])[0]), labels)
        yield Case("clicks.toml", f"{place}what", to("nothing"), labels)


def clicked(what: str) -> object:
    """The labels that the page's script is handed; a browser would have to be there to click them."""
    return visit._labels(what)


# ---- policy ----

POLICY = {
    "limits / depth": (20, "<div>" * 30 + "Oak", Output()),
    "limits / url": (30, "<p><a href=https://oak.example/a-long-address-of-a-page>Oak</a>", Output()),
    "limits / text": (3, "<p><a href=/a title='Oaks of old'>Oak</a>", Output()),
    "schemes / link": (["http", "https"], "<p><a href=mailto:a@oak.example>Oak</a>", Output()),
    "schemes / image": (["https"], "<p><img src='http://oak.example/a b.png' alt=Oak>", Output()),
    "keep_classes / id_prefix": ("x-", "<p id=oak>Oak", Output(keep_classes=True)),
    "keep_classes / class": ("elm", "<p class=oak>Oak", Output(keep_classes=True)),
    "keep_classes / id": ("elm", "<p id=oak>Oak", Output(keep_classes=True)),
    "nofollow / rel": ("ugc", "<p><a href=https://oak.example>Oak</a>", Output(nofollow=True)),
}
VALUES = {
    "href": "https://oak.example/a b", "title": "Oak", "src": "https://oak.example/a.png", "alt": "Oak", "width": "9",
    "height": "9", "start": "3", "reversed": "", "colspan": "2", "rowspan": "2", "scope": "row", "span": "2",
    "datetime": "2026", "class": "language-c", "data-callout": "tip", "data-math": "inline", "data-footnote-ref": "1",
    "data-footnotes": "", "id": "fn-1", "dir": "rtl", "lang": "de", "type": "a", "value": "3", "align": "left",
    "data-embed": "",
}  # fmt: skip
AROUND = {
    "li": "<ul>%s</ul>", "td": "<table><tr>%s<td>b</table>", "th": "<table><tr>%s<td>b</table>",
    "col": "<table>%s<tr><td>b</table>", "colgroup": "<table>%s<tr><td>b</table>",
}  # fmt: skip


def policy() -> Iterator[Case]:
    data, file = table("policy.toml"), "policy.toml"
    for place, (other, html, output) in POLICY.items():
        yield Case(file, place, to(other), partial(sanitized, html, output))
    for name, limit in data["metadata"].items():
        long = Metadata(title="Oak " * 999, description="Oak " * 9999, site_name="Oak " * 999, tags=("Oak",) * 999)
        yield Case(file, f"metadata / {name}", to(limit // 2), partial(safe_metadata, long))
    for section in ("allow", "drop", "rename"):
        for row in data[section]:
            tag = {"table": "caption", "a": "b"}.get(row["tags"][0], row["tags"][0])
            html = f"<table><{tag}>Oak</{tag}><tr><td>a<td>b</table>" if tag == "caption" else f"a<{tag}>Oak</{tag}>b"
            place = f"{section} / {row['tags'][0]} / "
            yield Case(file, f"{place}tags", without(tag), partial(sanitized, html))
            if section == "rename":
                yield Case(file, f"{place}to", to("blockquote"), partial(sanitized, html))
    for row in data["attribute"]:
        tag, name = row["on"][0].replace("*", "p"), row["name"]
        own = "" if name in ("src", "href") else {"img": ' src="/a.png"', "a": ' href="/a"'}.get(tag, "")
        html = AROUND.get(tag, "%s").replace("%s", f'<{tag}{own} {name}="{VALUES[name]}">Oak</{tag}>')
        for field in row.keys() - {"reason"}:
            change = {
                "on": to(["q"]),
                "name": to("oak"),
                "pattern": to("elm"),
                "kind": to("image" if row.get("kind") == "text" else "text"),
                "required": to(False),
            }[field]
            made = f"<p>a<{tag}>Oak</{tag}>b" if field == "required" else html
            if field == "kind":
                made = html.replace(VALUES[name], "" if row["kind"] == "alt" else "javascript:oak()")
            yield Case(file, f"attribute / {label(row)} / {field}", change, partial(sanitized, made))


def sanitized(html: str, output: Output = Output()) -> object:  # noqa: B008 - it is frozen
    return sanitize(html, output)
