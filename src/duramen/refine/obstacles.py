"""What is in the way of the content: a challenge, an error, a consent wall, an empty shell, a login, a paywall.

A word alone decides nothing, since articles are written about captchas, cookies and error pages. What decides is how
much of the page says it, where, and how little else the page has to say. Most pages have plenty of text, and for them
hardly anything is read here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from duramen.lazy_pattern import lazy_pattern
from duramen.page import Page
from duramen.refine.reader_messages import (
    READ,
    SHORT,
    NormalizedText,
    Phrases,
    ReaderMessages,
    has_name,
    lines_of,
    phrases_by_use,
    pieces,
    plain,
    row_in,
    stems_in,
)

Effect = Literal["instead", "cut", "noted"]

SUBSTANCE = 300
"""With so many words of prose kept, nothing is in place of the content, unless what was kept is a notice itself."""
FREE_TEXT = 400
"""A text this long before a request to subscribe is as likely complete as cut."""
_SHORT = 60
"""Words of the longest page that is an error page if its title only exclaims."""
_APOLOGY = 40
"""Words of the longest page that is an error page by its text alone."""
NOTICE = 12
"""Words of the shortest consent notice that is taken for one."""
_BEGINNING = 40
"""Blocks of a long text that tell whether it is a notice or a template."""

_STATUS = lazy_pattern(r"(?<!\d)(?:40[0-9]|410|418|429|451|50[0-4]|52[0-9]|530)(?!\d)")
_WORD = lazy_pattern(r"[^\W\d_]+")
_SHOWN_TAGS = ("img", "iframe", "frame", "video", "object", "embed", "svg", "canvas")
_ARTICLE = ("article", "posting", "report", "newsarticle", "webpage", "creativework", "webpageelement")


class Obstacle(NamedTuple):
    """Something between the reader and the content."""

    code: str
    why: str
    effect: Effect
    """``instead``: it was served in place of the content; ``cut``: it ends the text early; ``noted``: neither."""


def find_obstacles(page: Page, kept: Sequence[int], prose_words: int) -> list[Obstacle]:
    """What is in the way. ``prose_words`` are the words of those kept blocks that are more text than links."""
    messages = ReaderMessages(page, kept)
    beginning = "\n".join([page.blocks.text[b] for b in kept[:_BEGINNING]])
    found: Obstacle | None = None
    if "{" in beginning or ("%" in beginning and "<%" in beginning):
        # Hardly a page is a template; single characters are found quickest.
        from duramen.refine.unfilled import unfilled

        if why := unfilled(page, kept[:_BEGINNING]):
            found = Obstacle("needs_javascript", why, "instead")
    if found is None and prose_words < SUBSTANCE:
        found = _bot(messages) or _error(messages) or _consent(messages) or _login(messages) or _shell(messages)
    elif found is None and beginning.count("ookie") >= 3:
        # Several of the kept blocks name the topic.
        found = _consent(messages)
    if found is None:
        found = _paywall(messages, prose_words)
    return [found] if found else []


def _first(wanted: Phrases, given: Iterable[str]) -> tuple[str, str] | None:
    """The first given text that is a phrase, and its row."""
    return next(((text, wanted[text]) for text in given if text in wanted), None)


def _share(messages: ReaderMessages, blocks: Iterable[int]) -> float:
    """How much of all text that is not links these blocks are."""
    words, every = (
        messages.page.blocks.words,
        {*messages.prose, *(b for b, hidden in enumerate(messages.unscripted) if hidden)},
    )
    total = sum(words[b] for b in every)
    return sum(words[b] for b in set(blocks) & every) / total if total else 0.0


def _bot(messages: ReaderMessages) -> Obstacle | None:
    words = messages.prose_words
    if words > 250:
        return None
    vocabulary = phrases_by_use()
    title = _first(vocabulary["bot_challenge", "title"], messages.title_pieces)
    lines = messages.lines("bot_challenge")
    heading = _first(vocabulary["bot_challenge", "title"], messages.heading_pieces) if lines else None
    # Without any of these, code alone proves nothing.
    text = messages.code if words <= 150 and (title or lines or words <= 40) else ""
    code, widget = row_in(text, "bot_challenge", "code"), row_in(text, "bot_challenge", "widget")
    share = _share(messages, (b for b, _ in lines))
    if code and words <= 150 and (title or lines or words <= 40):
        return Obstacle(
            "bot_challenge", f"the page carries a challenge's own code ({code}) and {words} words of text", "instead"
        )
    if title and (lines or code or widget) and words <= 150:
        return Obstacle(
            "bot_challenge", f'the title says "{title[0]}" and the page asks for a check ({title[1]})', "instead"
        )
    if lines and words <= 120 and (share >= 0.5 or (share >= 0.25 and (heading or widget))):
        return Obstacle("bot_challenge", f"{share:.0%} of the text asks for a check ({lines[0][1]})", "instead")
    if title and words <= 20 and not messages.empty_root:
        return Obstacle(
            "bot_challenge", f'the title says "{title[0]}" and there is nothing else ({title[1]})', "instead"
        )
    if widget and messages.shown_words <= 3 and not messages.empty_root and not messages.has("main", "article"):
        return Obstacle("bot_challenge", f"a blank page with a check's script ({widget})", "instead")
    return None


def _error_piece(given: Iterable[str]) -> tuple[str, str] | None:
    """A piece that is nothing but an error, with or without its number."""
    vocabulary = phrases_by_use()
    phrases, beside = vocabulary["error_page", "title"], vocabulary["error_page", "number"]
    for text in given:
        if text in phrases:
            return text, phrases[text]
        if len(text) < 60 and _STATUS.search(text):
            rest = " ".join(_STATUS.sub(" ", text).strip(" -:#.,/").split())
            if rest in phrases:
                return text, phrases[rest]
            words = _WORD.findall(rest)
            if words and all(word in beside for word in words):
                return text, beside[words[0]]
    return None


def _is_exclamation(piece: str) -> bool:
    """Whether a title is nothing but "Oops!" or "Error"."""
    beside, words = phrases_by_use()["error_page", "number"], _WORD.findall(piece)
    return bool(words) and all(word in beside for word in words)


def _error(messages: ReaderMessages) -> Obstacle | None:
    words = messages.prose_words
    if words > 500:
        return None
    title, heading = _error_piece(messages.title_pieces), _error_piece(messages.heading_pieces)
    named = (*messages.title_pieces, *messages.heading_pieces)
    number = any(_STATUS.fullmatch(piece) for piece in named) or (words <= _SHORT and any(map(_is_exclamation, named)))
    hit = title or heading
    if not (hit or number):
        if words <= 60 and messages.headings:
            top = plain(messages.headings[0])
            row = row_in(top, "error_page", "line") if len(top) < 120 else ""
            if row and len(messages.lines("error_page")) >= 2:
                return Obstacle("error_page", f'the heading says "{messages.headings[0][:80]}" ({row})', "instead")
        if not messages.title and not messages.headings and messages.shown_words <= 25:
            bare = _error_piece(piece for _, text in messages.short for piece in pieces(text))
            if bare:
                return Obstacle("error_page", f'the page only says "{bare[0]}" ({bare[1]})', "instead")
        if words <= _APOLOGY and not messages.headings and (lines := messages.lines("error_page")):
            said, count = {b for b, _ in lines}, messages.page.blocks.words
            share = sum(count[b] for b in messages.kept if b in said) / max(1, sum(count[b] for b in messages.kept))
            if share >= 0.6:
                return Obstacle("error_page", f"{share:.0%} of the text is an apology ({lines[0][1]})", "instead")
        return None
    lines = messages.lines("error_page")
    if hit is None:
        if lines and words <= 150:
            return Obstacle(
                "error_page",
                f"a status number or an exclamation is the title, and the text is an apology ({lines[0][1]})",
                "instead",
            )
        return None
    where = "title and heading say" if title and heading else "title says" if title else "heading says"
    why = f'the {where} "{hit[0]}" and the page has {words} words of text ({hit[1]})'
    sure = words <= 60 or (words <= 120 and title and heading) or (lines and words <= 250)
    if sure or (lines and title and heading):
        return Obstacle("error_page", why, "instead")
    return None


def _consent(messages: ReaderMessages) -> Obstacle | None:
    blocks, vocabulary = messages.page.blocks, phrases_by_use()
    actions = vocabulary["consent_wall", "action"]
    kept_words = sum(blocks.words[b] for b in messages.kept)
    basis = messages.kept if kept_words >= NOTICE else messages.prose
    texts: list[tuple[int, str]] = []
    read = 0
    for b in basis:
        texts.append((b, plain(blocks.text[b])))
        read += len(texts[-1][1])
        if read > READ:
            break
    whole = "\n".join(text for _, text in texts)
    topics = stems_in(whole, "consent_wall", "topic")
    if not topics:
        return None
    title = _first(vocabulary["consent_wall", "title"], (*messages.title_pieces, *messages.heading_pieces))
    asks = lines_of("consent_wall").within(NormalizedText(whole))
    support = stems_in(whole, "consent_wall", "support")
    asking = vocabulary["consent_wall", "line"][asks[0]] if asks else ""
    consent: list[int] = []
    total = consenting = 0
    for b, text in texts:
        total += blocks.words[b]
        about = any(stem in text for stem in topics) and any(stem in text for stem in support)
        if about or text.strip(" .!") in actions or any(phrase in text for phrase in asks):
            consent.append(b)
            consenting += blocks.words[b]
    if consenting < NOTICE and not (title and consent):
        return None
    share = consenting / total if total else 0.0
    if share < 0.5:
        return None
    policies = vocabulary["consent_wall", "policy"]
    is_policy = any(
        piece.startswith(policy)
        for piece in (*messages.title_pieces, *messages.heading_pieces[:2])
        for policy in policies
    )
    if is_policy and (total > 150 or not asking):
        return None
    pressed = messages.labels & actions.keys()
    notice = set(consent)
    other = sum(
        blocks.words[b]
        for b in messages.prose
        if b not in notice and blocks.words[b] >= 8 and not _in_notice(messages, b)
    )
    inside = sum(blocks.words[b] for b in consent if _in_notice(messages, b))
    if kept_words >= NOTICE and inside * 2 >= consenting and (asking or pressed):
        return Obstacle(
            "consent_wall",
            f"{share:.0%} of what was kept is a consent notice ({asking or 'consent-name-managers'})",
            "instead",
        )
    if other < 80 and pressed and (asking or title) and total <= 600:
        row = asking or (title[1] if title else "")
        return Obstacle(
            "consent_wall", f"{share:.0%} of the text asks for consent, with {other} words beside it ({row})", "instead"
        )
    return None


def _in_notice(messages: ReaderMessages, b: int) -> bool:
    tree = messages.page.tree
    for i in (messages.page.blocks.owner[b], *tree.ancestors(messages.page.blocks.owner[b])):
        if tree.tag[i] in ("body", "html"):
            break
        names = f"{tree.cls[i]} {tree.ident[i]}"
        if names != " " and has_name(names, "consent_wall"):
            return True
    return False


def _shell(messages: ReaderMessages) -> Obstacle | None:
    words = messages.framed_words if messages.empty_root else messages.prose_words
    if words > 100 or not (messages.scripted or messages.empty_root):
        return None
    vocabulary = phrases_by_use()
    lines = messages.lines("needs_javascript")
    asking = {b for b, _ in lines}
    # Forums and some shops serve all their text in <noscript>: if that was kept, nothing is missing.
    if sum(messages.page.blocks.words[b] for b in messages.kept if messages.unscripted[b] and b not in asking) >= 40:
        return None
    unshown = [b for b, _ in lines if messages.unscripted[b]]
    row = lines[0][1] if lines else ""
    shown = [text.strip(" .…!") for b, text in messages.short if not messages.unscripted[b]]
    waits = bool(shown) and len(shown) <= 3 and all(text in vocabulary["needs_javascript", "wait"] for text in shown)
    if waits:
        return Obstacle("needs_javascript", f'the page only says "{shown[0]}" (script-wait-any)', "instead")
    if lines and words <= 60 and _share(messages, (b for b, _ in lines)) >= 0.4:
        return Obstacle("needs_javascript", f"most of the text asks for JavaScript ({row})", "instead")
    root = messages.empty_root
    if root and (words <= 40 or unshown):
        said = f" and asks for JavaScript ({row})" if unshown else ""
        return Obstacle(
            "needs_javascript", f"{root} waits to be filled by scripts{said}; {words} words of text", "instead"
        )
    if unshown and words <= 12:
        return Obstacle(
            "needs_javascript",
            f"<noscript> asks for JavaScript and there are {words} words beside it ({row})",
            "instead",
        )
    if not messages.shown_words and not messages.has(*_SHOWN_TAGS):
        return Obstacle("needs_javascript", "the page has scripts and no text", "instead")
    return None


def _login(messages: ReaderMessages) -> Obstacle | None:
    words = messages.prose_words
    if words > 150:
        return None
    titles = phrases_by_use()["login_wall", "title"]
    title, heading = _first(titles, messages.title_pieces), _first(titles, messages.heading_pieces)
    hit = title or heading
    if hit and ("password" in messages.inputs or (title and heading and messages.inputs & {"email", "tel", "text"})):
        return Obstacle("login_wall", f'the page says "{hit[0]}" and has a form for it ({hit[1]})', "instead")
    lines = messages.lines("login_wall")
    if not lines:
        return None
    share = _share(messages, (b for b, _ in lines))
    if ("password" in messages.inputs and words <= 120) or (share >= 0.3 and words <= 100):
        return Obstacle("login_wall", f"{share:.0%} of the text asks to sign in ({lines[0][1]})", "instead")
    return None


def _declared_paid(page: Page) -> str:
    """How the page itself declares that its text is not free."""
    for item in (*page.structured.json_ld, *page.structured.microdata, *page.structured.rdfa):
        if "isAccessibleForFree" not in item and "hasPart" not in item:
            continue
        parts = item.get("hasPart")
        for thing in (item, *(parts if isinstance(parts, list) else (parts,))):
            if not isinstance(thing, Mapping) or "isAccessibleForFree" not in thing:
                continue
            free = str(thing["isAccessibleForFree"]).strip("[]' \"").lower().rsplit("/", 1)[-1]
            kinds = str(thing.get("@type") or thing.get("type") or item.get("@type") or "").lower()
            if free in ("false", "no", "0") and any(kind in kinds for kind in _ARTICLE):
                return "isAccessibleForFree is false"
    for name in ("article:content_tier", "og:article:content_tier", "content_tier"):
        values = page.structured.meta.get(name, ())
        if any(value.strip().lower() in ("locked", "metered", "premium", "paid") for value in values):
            return f"{name} is {values[0].strip().lower()}"
    return ""


def _word_count(page: Page) -> int:
    counts = [item.get("wordCount") for item in page.structured.json_ld]
    return max(
        (int(n) for n in counts if isinstance(n, (int, str)) and str(n).isdigit() and int(n) < 100_000), default=0
    )


def _paywall(messages: ReaderMessages, prose_words: int) -> Obstacle | None:
    page, blocks = messages.page, messages.page.blocks
    if not messages.kept:
        return None
    declared = _declared_paid(page)
    count = _word_count(page) if declared else 0
    if count and prose_words < 0.6 * count:
        return Obstacle("paywall", f"{declared}, and {prose_words} of {count} words are here", "cut")
    if prose_words < FREE_TEXT or (declared and prose_words < 2 * FREE_TEXT):
        links, chars, words = blocks.links, blocks.chars, blocks.words
        prose = [b for b in messages.kept if words[b] >= 8 and links[b] * 2 < chars[b]]
        row = _asks_for_money(messages, prose)
        wall = _wall(messages, prose) if declared and prose else ""
        if row and (prose_words < FREE_TEXT or wall):
            said = f"{declared}; " if declared else ""
            return Obstacle("paywall", f"{said}the text ends with a request to subscribe or register ({row})", "cut")
        broken_off = prose and blocks.text[prose[-1]].rstrip().endswith(("…", "...", "[…]", "[...]"))
        if declared and (prose_words < 200 or wall or broken_off):
            return Obstacle("paywall", f"{declared}, and only {prose_words} words are here", "cut")
    return Obstacle("paywall", f"{declared}, yet the text seems to be here", "noted") if declared else None


def _asks_for_money(messages: ReaderMessages, prose: Sequence[int]) -> str:
    """The row of a request to pay where the text breaks off: among its last blocks, or soon after them."""
    if not prose:
        return ""
    blocks = messages.page.blocks
    start = prose[-3] if len(prose) > 3 else prose[0]
    near = range(max(start, prose[-1] - 16), min(prose[-1] + 16, len(blocks)))
    text = plain("\n".join([blocks.text[b] for b in near if blocks.words[b] <= SHORT]))
    lines = lines_of("paywall")
    return next((lines.rows[phrase] for phrase in lines.within(NormalizedText(text))), "")


def _wall(messages: ReaderMessages, prose: Sequence[int]) -> str:
    """The class or id of an element with text that is named a paywall and does not hold the article itself."""
    tree, blocks = messages.page.tree, messages.page.blocks
    for attribute in ("class", "id"):
        first = {name: i for i, name in reversed(tree.valued(attribute))}
        for name, i in first.items():
            if (
                has_name(name, "paywall")
                and tree.words_in(i) >= 4
                and not i < blocks.first[prose[0]] < tree.end[i]
                and tree.end[i] > blocks.last[prose[-1]]
            ):
                return name
    return ""
