"""The names of people in author fields and bylines, without what stands around them."""

from __future__ import annotations

import re

__all__ = ["names_in"]

MAX_TEXT = 400

_WORDS_BEFORE_BY = (
    "article|story|words|text|photos?|posted|post|written|authored|published|created|submitted|reviewed|reported|edited"
    "|geschrieben|veröffentlicht|verfasst|erstellt|beitrag|ein beitrag|ein artikel|artikel|kommentar|pressemitteilung"
    "|gepostet|eingestellt|publié|écrit|rédigé|proposé|publicado|escrito|scritto|pubblicato|a cura|geschreven|geplaatst"
)
_BY = re.compile(
    rf"^(?:(?:{_WORDS_BEFORE_BY})\s+)?(?:by|von|vom|par|por|door|av|af|di|od|przez)(?:\s*[:：]\s*|\s+)"
    r"|^(?:authors?|autor(?:in|en|es)?|auteurs?|autore|author name|verfasser(?:in)?|redakteur(?:in)?|tekst|text|texte"
    r"|texto|testo|foto|byline|posted|written|作者|文|記者|記事|글|기자)\s*[:：]\s*"
    r"|^(?:author|authors|autor|autorin|auteur|autore|by)(?=\s+[A-ZÀ-Þ])\s+"
    r"|^(?:\S+\s+){1,3}by\s+",
    re.I,
)
# Where a byline goes on to something else: a date, a place, a reading time.
_CUT = re.compile(
    # Where it cannot begin it is not tried, which is at most letters.
    r"(?=[\s|•·»<>\[\](){}/–—,\d]|\b[pulrvaifm])(?:(?<!\s)\s+)?(?:[|•·»<>\[\](){}\n/]|\s[-–—]+\s|[–—]"
    r"|\s(?:on|am|at|um|le|el|il|op|den|vom)\s+(?=\S*\d|\S+day\b|\S+tag\b|[A-Z])"
    r"|\b(?:posted|updated|published|last|reviewed|veröffentlicht|aktualisiert|publié|publicado|in|for|fact.checked|medically)\s"
    r"|,?\s*\d{1,2}[./:]|,?\s*\b\d{1,2}\.?\s+[^\W\d]|,?\s*\b(?:19|20)\d{2}\b).*",
    re.S | re.I,
)
_DATA_CUT = re.compile(r"(?:(?<!\s)\s+)?(?:[|•·»<>\[\]()\n]|\s[-–—]+\s).*", re.S)
_LIST = re.compile(
    r"(?:(?<!\s)\s+)?[,;&]\s*(?:(?:and|und|et|y)\s+)?|(?<!\s)\s+(?:(?:and|und|et|y|with)\s+|\+\s+)", re.I
)
_COUPLE = re.compile(r"\w+ (?:&|and|und|et|y) \w+")
_INITIAL = re.compile(r"\b\w{1,2}\.$")
_ROLE = re.compile(
    r"\b(?:editor|reporter|correspondent|journalist|staff|writer|ph\.?\s?d|m\.?d|ms|m\.?sc?|ba|bsn?|rn|rdn?|jr|sr|esq"
    r"|cpa|ldn|cfp|mph|mba|dvm|dds|pharmd|senior|chief|contribut\w+|author|autor\w*|redakteur\w*|redaktion|analyst"
    r"|founder|cofounder|ceo|cto|cfo|director|manager|professor|columnist|producer|consultant|expert\w*|specialist"
    r"|coordinator|head|lead|president|inc|llc|ltd|gmbh|co|team|dietitian|nutritionist|engineer|developer|marketing"
    r"|content|owner|partner|attorney|lawyer|photographer|fotograf\w*)\b",
    re.I,
)
_NO_NAME = re.compile(
    r"://|www\.|\S@\S|[{}<>=\\$%^~*#]|^\W+$|\.(?:com|org|net|de|fr|html?|php|jpe?g|png)\b|[!?]$|[.!?]\s+\S+\s+\S+\s+\S+\s",
    re.I,
)
_NOBODY = """
    admin administrator administrador root user guest anonymous anonym unknown null none undefined n/a na nan
    webmaster website wordpress default author authors autor auteur test demo editor by von par por redacción
"""
_INTERFACE = """
    comments comment share follow home contact login sign subscribe read more minutes ago updated posted published view
    profile all posts about advertisement facebook twitter instagram linkedin youtube pinterest email e-mail print copy
    link
    the staff editors editorial team redaktion newsroom newsdesk desk agencies super gast gastautor kommentare teilen
    drucken menu search next previous today yesterday heute gestern date written verified
"""
_NOBODIES = frozenset(_NOBODY.split())
_INTERFACE_WORDS = frozenset(_INTERFACE.split()) | _NOBODIES
_PHRASE = re.compile(
    r"\b(?:(?:minutes?|hours?|days?|weeks?|months?|years?) ago|min(?:ute)? read|read more|view all|all posts|sign in"
    r"|log in|click here|follow us|share this|terms of|privacy policy|subscribe|newsletter|copyright|rights reserved"
    r"|learn more|cookies?|comments?|updated|published|posted|veröffentlicht)\b",
    re.I,
)
_PARTICLE_WORDS = "von der den dem zu zur van de da do dos del della di du la le el al bin ibn af av ter ten"
_PARTICLES = frozenset(_PARTICLE_WORDS.split())
_EAST_ASIAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_EDGES = " \t\n,;:-–—|·•\"'“”„/"
_PLAIN_NAME = re.compile(r"[A-Z][a-z]+(?: [A-Z]\.?)?(?: [A-Z][a-z]+){1,2}")
_OTHER_WORDS = """
    by von vom par por door av af di od przez author authors autor autorin auteur autore
    on am at um le el il op den last reviewed aktualisiert publicado in for fact medically and und et y with
    ago read more all posts here us this of policy reserved newsletter copyright cookie cookies
"""
_NO_NAMES = _INTERFACE_WORDS | frozenset(_OTHER_WORDS.split())
"""Words of which one is in everything that the patterns above find in letters alone."""


def names_in(text: str, data: bool = False) -> list[str]:
    """The names in a text; ``data`` tells that it is a field made for names, not words on the page.

    >>> names_in("By Ada Lovelace and Charles Babbage | 3 May 2019"), names_in("Read more about our cookies")
    (['Ada Lovelace', 'Charles Babbage'], [])
    """
    if _PLAIN_NAME.fullmatch(text) and len(text) <= 60 and _NO_NAMES.isdisjoint(text.lower().split()):
        # What most names are like needs no closer look.
        return [text]
    text = text.strip(_EDGES)
    if not text or len(text) > MAX_TEXT or text.startswith(("http:", "https:", "//", "www.", "@")):
        return []
    for _ in range(3):
        by = _BY.match(text)
        if by is None:
            break
        text = text[by.end() :].strip(_EDGES)
    text = (_DATA_CUT if data else _CUT).sub("", text, count=1).strip(_EDGES)
    if _COUPLE.fullmatch(text):
        # One word on each side is a firm, or a couple without surnames.
        return [text] if _is_name(text, data) else []
    parts = [_trim(part) for part in _LIST.split(text)][:40]
    if len(parts) == 2 and "," in text and all(len(part.split()) == 1 for part in parts):
        if not all(map(_is_capital, parts)) or _ROLE.search(parts[1]):
            parts = parts[:1]
        else:
            # "Lovelace, Ada" is one person.
            parts = [f"{parts[1]} {parts[0]}"]
    found: list[str] = []
    for number, part in enumerate(parts):
        if number and not _is_further_name(part):
            continue
        if not _is_name(part, data):
            if not number:
                return []
            continue
        if part not in found:
            found.append(part)
    return found


def _trim(part: str) -> str:
    part = part.strip(_EDGES)
    # The point of "Jr." or of an initial belongs to the name.
    return part if not part.endswith(".") or _INITIAL.search(part) else part.rstrip(".")


def _is_capital(word: str) -> bool:
    return not word[:1].islower() or word in _PARTICLES


def _is_further_name(part: str) -> bool:
    """What follows a comma is more often a degree, a role or a place than a second person."""
    words = part.split()
    if _EAST_ASIAN.search(part):
        return True
    return 2 <= len(words) <= 5 and not _ROLE.search(part) and _is_capital(words[0]) and _is_capital(words[-1])


def _is_name(name: str, data: bool) -> bool:
    words = name.split()
    if not 2 <= len(name) <= 60 or len(words) > (8 if data else 5) or not any(map(str.isalpha, name)):
        return False
    if _NO_NAME.search(name):
        return False
    lowered = {word.strip(".,:").lower() for word in words}
    if lowered <= (_NOBODIES if data else _INTERFACE_WORDS):
        return False
    if _EAST_ASIAN.search(name):
        return len(name) <= 20
    if _PHRASE.search(name):
        return False
    if data:
        return True
    if len(words) > 1 and any(map(str.isdigit, name)):
        return False
    # Sentences are mostly in lower case, names are not.
    return len(words) == 1 or (sum(map(_is_capital, words)) * 2 > len(words) and _is_capital(words[0]))
