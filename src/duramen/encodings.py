"""The encodings of the WHATWG standard: their labels, and how bytes are decoded by them."""

from __future__ import annotations

import codecs

from duramen.lazy_pattern import lazy_pattern

__all__ = ["LABELS", "decode_by", "encoding_named", "standard_encoding"]

# https://encoding.spec.whatwg.org/#names-and-labels
_NAMES = """
utf-8: unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf8 x-unicode20utf8
ibm866: 866 cp866 csibm866
iso-8859-2: csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2
iso-8859-3: csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3
iso-8859-4: csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4
iso-8859-5: csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988
iso-8859-6: arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e iso-8859-6-i iso-ir-127
 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987
iso-8859-7: csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987
 sun_eu_greek
iso-8859-8: csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988
 visual
iso-8859-8-i: csiso88598i logical
iso-8859-10: csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6
iso-8859-13: iso8859-13 iso885913
iso-8859-14: iso8859-14 iso885914
iso-8859-15: csisolatin9 iso8859-15 iso885915 iso_8859-15 l9
iso-8859-16:
koi8-r: cskoi8r koi koi8 koi8_r
koi8-u: koi8-ru
macintosh: csmacintosh mac x-mac-roman
windows-874: dos-874 iso-8859-11 iso8859-11 iso885911 tis-620
windows-1250: cp1250 x-cp1250
windows-1251: cp1251 x-cp1251
windows-1252: ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1
 iso_8859-1:1987 l1 latin1 latin-1 us-ascii x-cp1252
windows-1253: cp1253 x-cp1253
windows-1254: cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 x-cp1254
windows-1255: cp1255 x-cp1255
windows-1256: cp1256 x-cp1256
windows-1257: cp1257 x-cp1257
windows-1258: cp1258 x-cp1258
x-mac-cyrillic: x-mac-ukrainian
gbk: chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58 x-gbk
gb18030:
big5: big5-hkscs cn-big5 csbig5 x-x-big5
euc-jp: cseucpkdfmtjapanese x-euc-jp
iso-2022-jp: csiso2022jp
shift_jis: csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis
euc-kr: cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949
iso-2022-kr: csiso2022kr
hz-gb-2312:
iso-2022-cn: iso-2022-cn-ext
utf-16be: unicodefffe
utf-16le: csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16
x-user-defined:
"""


def _label_table() -> dict[str, str]:
    table: dict[str, str] = {}
    for line in _NAMES.replace("\n ", " ").strip().splitlines():
        name, _, labels = line.partition(":")
        # Labels such as "iso_8859-2:1987" have a colon too, but the first one always ends the name.
        for label in (name, *labels.split()):
            table[label] = name
    return table


LABELS = _label_table()
"""The encoding's name for every label that browsers accept."""


def standard_encoding(label: str | bytes) -> str | None:
    """The encoding that browsers take a label for.

    >>> standard_encoding("Latin1"), standard_encoding(b"ks_c_5601-1989"), standard_encoding("nonsense")
    ('windows-1252', 'euc-kr', None)
    """
    if isinstance(label, bytes):
        label = label.decode("ascii", "ignore")
    label = label.strip("\t\n\f\r \"'").lower()
    return LABELS.get(label) or LABELS.get(label.replace("_", "-"))


def encoding_named(name: str) -> str | None:
    """The encoding that a caller names: one of the standard's, or any other text codec that Python has."""
    if standard := standard_encoding(name):
        return standard
    try:
        b"a".decode(name.strip(), "replace")  # refuses codecs that are not for text
        return codecs.lookup(name.strip()).name
    except (LookupError, ValueError, UnicodeError):
        return None


_CODECS = {
    "ibm866": "cp866",
    "iso-8859-8-i": "iso8859_8",
    "macintosh": "mac_roman",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac_cyrillic",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc-kr": "cp949",
    "iso-2022-jp": "iso2022_jp_ext",
    # Browsers refuse these, since they can hide markup from filters; here everything is sanitized after decoding.
    "iso-2022-kr": "iso2022_kr",
    "hz-gb-2312": "hz",
    "iso-2022-cn": "gbk",
}
"""Python's codec where it has another name."""
_DIFFERENCES: dict[str, dict[int, int]] = {
    "koi8-u": str.maketrans("╝╬", "ўЎ"),
    "euc-jp": str.maketrans("〜‖−¢£¬", "～∥－￠￡￢"),
    "shift_jis": str.maketrans("\uf8f0\uf8f1\uf8f2\uf8f3", "\ufffd" * 4),
    "gb18030": str.maketrans(
        "\ue5e5\ue78d\ue78e\ue78f\ue790\ue791\ue792\ue793\ue794\ue795\ue796\ue7c7"
        "\ue81e\ue826\ue82b\ue82c\ue832\ue843\ue854\ue864",
        "\u3000︐︒︑︓︔︕︖︗︘︙ḿ龴龵龶龷龸龹龺龻",
    ),
}
"""Characters on which Python's codec and the standard disagree."""
_DIFFERENCES["gbk"] = _DIFFERENCES["gb18030"]
_DIFFERING = {name: lazy_pattern(f"[{''.join(map(chr, table))}]") for name, table in _DIFFERENCES.items()}


def decode_by(data: bytes, name: str) -> str:
    r"""Decode by an encoding of the standard, bad bytes replaced.

    >>> decode_by(b"\x80 100", "windows-1252"), decode_by(b"\xad\xa1", "euc-jp")
    ('€ 100', '①')
    """
    if name == "x-user-defined":
        return data.decode("latin-1").translate({byte: 0xF700 + byte for byte in range(0x80, 0x100)})
    text = data.decode(_CODECS.get(name, name.replace("windows-", "cp")), _errors_of(name))
    if name not in _DIFFERENCES or not _DIFFERING[name].search(text):
        return text  # To translate a text takes ten times as long as to look through it.
    return text.translate(_DIFFERENCES[name])


def _errors_of(name: str) -> str:
    if name in ("gbk", "gb18030"):
        return "duramen-gbk"
    if name == "euc-jp":
        return "duramen-euc-jp"
    return "duramen-single-byte" if name.startswith("windows-") else "replace"


def _single_byte(error: UnicodeError) -> tuple[str, int]:
    """Bytes that a Windows code page leaves undefined are control characters."""
    assert isinstance(error, UnicodeDecodeError)
    byte = error.object[error.start]
    if byte == 0xCA and error.encoding == "charmap":
        # Only windows-1255 leaves this one undefined in Python.
        return "\u05ba", error.start + 1
    return chr(byte) if 0x80 <= byte < 0xA0 else "\ufffd", error.start + 1


def _gbk(error: UnicodeError) -> tuple[str, int]:
    """A lone 0x80 is the euro sign."""
    assert isinstance(error, UnicodeDecodeError)
    return "€" if error.object[error.start] == 0x80 else "\ufffd", error.start + 1


def _euc_jp(error: UnicodeError) -> tuple[str, int]:
    """Characters of NEC and IBM, which Python has in Shift_JIS only: the same place in the table, other bytes."""
    assert isinstance(error, UnicodeDecodeError)
    pair = error.object[error.start : error.start + 2]
    if len(pair) == 2 and min(pair) >= 0xA1 and max(pair) <= 0xFE:
        row, cell = pair[0] - 0xA1, pair[1] - 0xA1
        lead = (0x81 if row < 62 else 0xC1) + row // 2
        trail = 0x9F + cell if row % 2 else 0x40 + cell + (cell >= 63)
        text = bytes((lead, trail)).decode("cp932", "replace")
        if len(text) == 1 and text != "\ufffd":
            return text, error.start + 2
    return "\ufffd", error.start + 1


codecs.register_error("duramen-single-byte", _single_byte)
codecs.register_error("duramen-gbk", _gbk)
codecs.register_error("duramen-euc-jp", _euc_jp)
