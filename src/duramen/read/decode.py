"""Bytes to text as browsers do it, and a first look at whether the input is HTML at all."""

from __future__ import annotations

import copyreg
import re

from duramen.encodings import LABELS, decode_by, encoding_named, standard_encoding
from duramen.lazy_pattern import lazy_pattern
from duramen.model import Encoding, PageText
from duramen.native import core
from duramen.read.guess_encoding import guess_encoding

# Pickled and copied as its bytes, which are well formed.
copyreg.pickle(core.Utf8, lambda page: (core.utf8, (page.data,)))  # type: ignore[arg-type,return-value]

__all__ = ["decode", "decode_page", "looks_like_html"]

PRESCAN = 1024
"""Bytes in which browsers look for a declaration first."""
LATE_PRESCAN = 65_536
"""Bytes in which browsers still find it later, by parsing again."""
SAMPLE = 131_072
"""Bytes in which the share of foreign letters is measured."""
_READS_WELL = 0.5
"""The score of a guess that is believed against what was declared, or against mostly good UTF-8."""

_UNICODE = frozenset({"utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"})
_MANY_BYTES = frozenset(
    [
        "gbk",
        "gb18030",
        "big5",
        "euc-jp",
        "iso-2022-jp",
        "shift_jis",
        "euc-kr",
        "iso-2022-kr",
        "hz-gb-2312",
        "iso-2022-cn",
    ]
)
_NOT_LATIN = frozenset(["zh-hans", "zh-hant", "ja", "ko", "ru", "uk", "bg", "sr", "el", "he", "ar", "fa", "th"])

_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32le"),
    (b"\x00\x00\xfe\xff", "utf-32be"),
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16le"),
    (b"\xfe\xff", "utf-16be"),
)

_LOW = bytes(range(0x80))
_CONTINUATION = bytes(range(0x80, 0xC0))
_LETTERS = lazy_pattern(rb"[A-Za-z]")
_CHARSET = lazy_pattern(rb"(?:^|[\s\"'/;])charset\s*=[\s\"']*([^\s\"'/>;]+)", re.I)
_HTTP_EQUIV = lazy_pattern(rb"\bhttp-equiv\b", re.I)
_NAMED = lazy_pattern(rb"\b(?:name|property|itemprop)\s*=", re.I)
_XML_ENCODING = lazy_pattern(rb"^\s*<\?xml\b[^>]{0,200}?\bencoding\s*=\s*[\"']?\s*([^\s\"'?>]+)", re.I)
_HEADER_CHARSET = lazy_pattern(r"charset\s*=[\s\"']*([^\s\"';,]+)", re.I)
_OPENINGS = lazy_pattern(rb"<(?:!--|meta(?=[\s/]))", re.I)


def decode(data: bytes, given: str | None = None, header: str | None = None) -> tuple[str, Encoding]:
    """Decode a page; never raises.

    ``header`` is the value of the HTTP ``Content-Type`` field, or a bare label.

    >>> decode("<p>Größe</p>".encode("latin-1"), header="text/html; charset=ISO-8859-1")
    ('<p>Größe</p>', Encoding(name='windows-1252', source='header', replaced=0))
    """
    text, encoding = decode_page(data, given, header)
    return str(text), encoding


def decode_page(data: bytes, given: str | None = None, header: str | None = None) -> tuple[PageText, Encoding]:
    """The same, but bytes that are UTF-8 throughout stay as they are, since the compiled core reads them so."""
    if given:
        name = encoding_named(given)
        if name:
            if name in ("utf-16le", "utf-16be") and data[:2] in (b"\xff\xfe", b"\xfe\xff"):
                name = "utf-16le" if data[:2] == b"\xff\xfe" else "utf-16be"
            return _finish(_decode_as(data, name), data, name, "given")
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _finish(_decode_as(data[len(mark) :], name), data, name, "bom")
    if wide := _guess_wide(data):
        return _finish(_decode_as(data, wide), data, wide, "detected")
    name, source = _stated(data, header)
    if name == "utf-8" or not (name or _may_escape(data)):
        whole = core.utf8(data)
        if whole is not None:
            return whole, Encoding("utf-8", source or "detected")
    if not name:
        text, name = _detect(data)
        return _finish(text, data, name, "detected")
    text = _decode_as(data, name)
    if data.isascii() and name not in _MANY_BYTES:
        return _finish(text, data, name, source)
    if better := _correct(data, text, name):
        right_text, right_name = better
        return _finish(right_text, data, right_name, f"detected ({source} {name} was wrong)")
    return _finish(text, data, name, source)


def _finish(text: str, data: bytes, name: str, source: str) -> tuple[str, Encoding]:
    text = text.removeprefix("\ufeff")
    replaced = text.count("\ufffd")
    if replaced and name == "utf-8":
        # The author may have written the replacement character itself.
        replaced = max(0, replaced - data.count(b"\xef\xbf\xbd"))
    return text, Encoding(name, source, replaced)


def _decode_as(data: bytes, name: str) -> str:
    if name == "utf-8":
        return data.decode("utf-8", "replace")
    if name in _UNICODE:
        return data.decode(name.replace("le", "-le").replace("be", "-be"), "replace")
    if name in LABELS:
        return decode_by(data, name)
    try:
        return data.decode(name, "replace")
    except (LookupError, ValueError, UnicodeError):
        return data.decode("utf-8", "replace")


def _stated(data: bytes, header: str | None) -> tuple[str, str]:
    """What the server or the page says, and which of them said it."""
    if header:
        match = _HEADER_CHARSET.search(header)
        label = match.group(1) if match else header
        name = standard_encoding(label)
        if name and not (name.startswith("utf-16") and b"\0" not in data[:1024]):
            return name, "header"
    name = _prescan(data[:PRESCAN]) or (_prescan(data[:LATE_PRESCAN]) if len(data) > PRESCAN else None)
    if not name and (match_xml := _XML_ENCODING.match(data[:PRESCAN])):
        name = _readable(standard_encoding(match_xml.group(1)))
    return (name, "declared") if name else ("", "")


def _readable(name: str | None) -> str | None:
    # A declaration that was read as ASCII cannot be in UTF-16.
    if name and name.startswith("utf-16"):
        return "utf-8"
    return "windows-1252" if name == "x-user-defined" else name


def _prescan(head: bytes) -> str | None:
    """The first usable declaration in a ``<meta>``, comments skipped."""
    at = 0
    while match := _OPENINGS.search(head, at):
        if match.group() == b"<!--":
            end = head.find(b"-->", match.start() + 2)
            if end < 0:
                return None
            at = end + 3
            continue
        end = head.find(b">", match.end())
        tag = head[match.end() : min(end if end >= 0 else len(head), match.end() + 2000)]
        at = match.end()
        found = _CHARSET.search(tag)
        if (
            found
            and (_HTTP_EQUIV.search(tag) or not _NAMED.search(tag))
            and (name := _readable(standard_encoding(found.group(1))))
        ):
            return name
    return None


def _guess_wide(data: bytes) -> str | None:
    """UTF-16 and UTF-32 without a mark, by where the zero bytes of ASCII characters fall."""
    head = data[: 4096 & ~3]
    if len(head) < 8 or b"\0" not in head or head.count(0) * 6 < len(head):
        return None
    columns = [head[i::4].count(0) / (len(head) // 4) for i in range(4)]
    if min(columns[1:]) > 0.9 and columns[0] < 0.1:
        return "utf-32le"
    if min(columns[:3]) > 0.9 and columns[3] < 0.1:
        return "utf-32be"
    even, odd = (columns[0] + columns[2]) / 2, (columns[1] + columns[3]) / 2
    if odd > 0.15 and even < odd / 10:
        return "utf-16le"
    if even > 0.15 and odd < even / 10:
        return "utf-16be"
    return None


def _as_utf8(data: bytes) -> tuple[str, int, int]:
    """The bytes read as UTF-8, with the number of good sequences of several bytes and of bad places."""
    text = data.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    leads = len(data.translate(None, _LOW + _CONTINUATION))
    # A character cut off by the end of the input is nobody's fault.
    if bad == 1 and text.endswith("\ufffd"):
        return text, max(0, leads - 1), 0
    return text, max(0, leads - bad), bad


def _may_escape(data: bytes) -> bool:
    """Whether other characters may hide behind sequences of ASCII."""
    return data.isascii() and (b"\x1b" in data or b"~{" in data)


def _detect(data: bytes) -> tuple[str, str]:
    """Text and name of the likeliest encoding of bytes that are not UTF-8 as it should be."""
    text, good, bad = _as_utf8(data)
    if good and bad * 10 <= good:
        return text, "utf-8"
    guess = guess_encoding(data)
    if good > bad and guess.score < _READS_WELL:
        return text, "utf-8"
    return _decode_as(data, guess.name), guess.name


def _correct(data: bytes, text: str, name: str) -> tuple[str, str] | None:
    """Text and name of the encoding that a page must be in although something else was said."""
    utf8, good, bad = _as_utf8(data)
    if name == "utf-8":
        if not bad or good > bad:
            return None
        guess = guess_encoding(data).name
        other = _decode_as(data, guess)
        return (other, guess) if other.count("\ufffd") * 10 <= bad else None
    if name in _UNICODE:
        return None
    needed = 1 if name == "windows-1252" else 3
    if name in _MANY_BYTES:
        # Two-byte text of China or Korea may pass for two-byte UTF-8 by chance, three bytes in a row do not.
        needed = 20 if not re.search(rb"[\xe0-\xef][\x80-\xbf]{2}", data) else 3
    if good >= needed and bad * 20 <= good:
        return utf8, "utf-8"
    replaced = text.count("\ufffd")
    high = len(data.translate(None, _LOW))
    if replaced > 5 and replaced * 20 > high:
        guess = guess_encoding(data).name
        other = _decode_as(data, guess)
        return (other, guess) if guess != name and other.count("\ufffd") * 4 < replaced else None
    if name == "windows-1252" and high > 100:
        body = re.sub(rb"<[^<>]*>", b" ", data[:SAMPLE])
        foreign = len(body.translate(None, _LOW))
        # No language written in Latin letters has an accent on every third of them.
        if foreign > 60 and foreign * 3 > foreign + len(_LETTERS.findall(body)):
            found = guess_encoding(body)
            if found.language in _NOT_LATIN and found.score >= _READS_WELL:
                return _decode_as(data, found.name), found.name
    return None


_MAGIC = (
    (b"%PDF-", "pdf"),
    (b"\x89PNG", "image"),
    (b"GIF87a", "image"),
    (b"GIF89a", "image"),
    (b"\xff\xd8\xff", "image"),
    (b"BM", "image"),
    (b"II*\0", "image"),
    (b"MM\0*", "image"),
    (b"\0\0\1\0", "image"),
    (b"PK\3\4", "zip"),
    (b"PK\5\6", "zip"),
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "binary"),
    (b"\xfd7zXZ", "binary"),
    (b"7z\xbc\xaf", "binary"),
    (b"Rar!", "binary"),
    (b"\xd0\xcf\x11\xe0", "binary"),
    (b"\x7fELF", "binary"),
    (b"MZ\x90\0", "binary"),
    (b"ID3", "binary"),
    (b"OggS", "binary"),
    (b"\x1aE\xdf\xa3", "binary"),
    (b"wOFF", "binary"),
    (b"wOF2", "binary"),
    (b"\0asm", "binary"),
)
_TAG = lazy_pattern(r"<(?:!doctype\b|!--|/?[a-z][a-z0-9:-]*[\s/>])", re.I)
_HTML_ROOT = lazy_pattern(r"<!doctype\s+html|<html[\s>]|<body[\s>]|<head[\s>]", re.I)
_XML_ROOT = lazy_pattern(
    r"\s*+(?>(?:<\?[^>]*>|<!--(?:(?!-->).)*+-->|<!doctype[^>]*>)\s*)*+<([a-z_][\w.-]*:)?([a-z_][\w.-]*)", re.I | re.S
)
_FEEDS = frozenset(["rss", "feed", "rdf", "urlset", "sitemapindex", "opml", "sitemap"])
_JSON = lazy_pattern(r"\s*(?:\{\s*[\"}]|\[\s*(?:[\[{\"\]\d-]|true|false|null))")
_PLAINLY_HTML = lazy_pattern(rb"[\t\n\f\r ]*<(?:!doctype\s+html|html)[\s>]", re.I)
_LEADING = b"\t\n\f\r \xef\xbb\xbf"
_HEAD = 16_384
_SHORT = 4_096
"""Bytes that may all be others than 0 and 1 in a file that is no text."""
_CONTROL = bytes((*range(9), 11, *range(14, 27), *range(28, 32)))


def looks_like_html(page: str | bytes) -> str | None:
    """Why an input is not HTML, or nothing when it may be.

    >>> looks_like_html(b"%PDF-1.7 ..."), looks_like_html("just words"), looks_like_html("<p>Hello")
    ('pdf', 'plain text', None)
    """
    if isinstance(page, bytes):
        if len(page) > _SHORT and _PLAINLY_HTML.match(page) and _has_no_nulls(page[:_HEAD]):
            return None
        bare = page.lstrip(_LEADING)
        if not bare.startswith(b"<") and (reason := _other_format(bare)):
            return reason
        wide = next((name for mark, name in _MARKS if page.startswith(mark)), None) or _guess_wide(page)
        page = _decode_as(page[:_HEAD], wide) if wide and wide != "utf-8" else bare
    if isinstance(page, str):
        page = page.lstrip("\ufeff" + _LEADING.decode("latin-1"))
    start = page[:_HEAD]
    if not start:
        return "empty"
    head, tail = _as_latin(start), _as_latin(page[-200:])
    if head.startswith("%PDF-"):
        return "pdf"
    if _is_binary(start if isinstance(start, bytes) else start.encode("utf-8", "replace"), len(start)):
        return "binary"
    if _JSON.match(head) and tail.rstrip()[-1:] in ("}", "]"):
        return "json"
    if head.startswith("<") and not _HTML_ROOT.search(head[:4096]) and (root := _XML_ROOT.match(head)):
        name = root.group(2).lower()
        if name in _FEEDS:
            return "xml/rss feed"
        if name == "svg":
            return "image"
        if head.startswith("<?xml"):
            return None if name == "html" or "xhtml" in head[:1000] else "xml/rss feed"
    return None if _TAG.search(head) or _TAG.search(_as_latin(page[:262_144])) else "plain text"


def _as_latin(part: str | bytes) -> str:
    return part if isinstance(part, str) else part.decode("latin-1")


def _other_format(data: bytes) -> str | None:
    """The kind of file that some bytes begin, if it is none of text."""
    for magic, reason in _MAGIC:
        if data.startswith(magic) and (magic != b"BM" or b"\0\0" in data[:14]):
            return reason
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image"
    if data[4:12] in (b"ftypavif", b"ftypheic", b"ftypmif1"):
        return "image"
    return "binary" if data[4:8] == b"ftyp" else None


def _is_binary(data: bytes, size: int) -> bool:
    """Whether too many of so many characters are control characters; of what is not ASCII no byte is one."""
    if len(data) > _SHORT and _has_no_nulls(data):
        return False
    junk = len(data) - len(data.translate(None, _CONTROL))
    return junk > 8 and junk * 20 > size


def _has_no_nulls(data: bytes) -> bool:
    """Whether there are no bytes 0 and 1, which every file of some size has that is no text."""
    return b"\0" not in data and b"\1" not in data
