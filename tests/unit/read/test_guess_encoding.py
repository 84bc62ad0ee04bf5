"""Encodings that nobody declared, also of damaged bytes."""

from __future__ import annotations

import time

import pytest

from duramen.encodings import LABELS, decode_by
from duramen.read.decode import decode
from duramen.read.guess_encoding import guess_encoding

PROSE = {
    "zh": "心材是树干的中心部分，它的颜色比外面的边材深，也更加坚硬。人们用它来建造房子和家具，因为它不易被虫子吃掉。",
    "tw": "心材是樹幹的中心部分，它的顏色比外面的邊材深，也更加堅硬。人們用它來建造房子和家具，因為它不易被蟲子吃掉。",
    "ja": "心材は木の中心にある部分で、色が濃く、辺材よりも硬いとされています。家や家具を作るときによく使われます。",
    "ko": "심재는 나무의 중심에 있는 부분으로 색이 진하고 변재보다 단단하다. 사람들은 이것으로 집과 가구를 만든다.",
    "ru": "Ядро это внутренняя часть ствола, и оно твёрже, чем заболонь, которая его окружает. Из него строят дома.",
    "uk": "Ядро це внутрішня частина стовбура, і вона є твердішою, ніж заболонь, яка її оточує. З неї будують хати.",
    "el": "Το εγκάρδιο ξύλο είναι το κεντρικό μέρος του κορμού και είναι πιο σκληρό από το σομφό που το περιβάλλει.",
    "tr": "Öz odun ağacın iç kısmıdır ve bu kısım çevresinde olan diri odun ile göre daha serttir; çok dayanıklıdır.",
    "pl": "Twardziel jest to wewnętrzna część pnia i jest ona twardsza niż biel, która ją otacza. Są to różne drewna.",
    "cs": "Jádrové dřevo je vnitřní část kmene a je tvrdší než běl, která se nachází kolem něj. Při stavbě se užívá.",
    "hu": "A geszt a fatörzs belső része, és az a keményebb, mint a szijács, amely körülveszi. Ebből épül a ház is.",
    "he": "עץ הליבה הוא החלק הפנימי של הגזע והוא קשה יותר מן העץ אשר גדל סביב לו כל הזמן.",
    "ar": "خشب القلب هو الجزء المركزي من الشجرة وهو أكثر صلابة من الخشب الذي ينمو حوله في الساق.",
    "th": "แก่นไม้เป็นส่วนที่อยู่ตรงกลางของต้นไม้ และมีสีเข้มกว่ากระพี้ที่อยู่โดยรอบ",
    "de": "Das Kernholz ist der innere Teil des Stammes und häufig härter als das Holz, das außen um ihn herum wächst.",
    "fr": "L'aubier, situé à l'extérieur, a été moins protégé que le duramen, très dur, qui a passé des années ici.",
}
WRITTEN_IN = [
    ("zh", "gbk"), ("zh", "gb18030"), ("tw", "big5"), ("ja", "euc-jp"), ("ja", "shift_jis"), ("ja", "iso-2022-jp"),
    ("ko", "euc-kr"), ("ru", "windows-1251"), ("ru", "koi8-r"), ("ru", "iso-8859-5"), ("ru", "ibm866"),
    ("uk", "windows-1251"), ("uk", "koi8-u"), ("el", "windows-1253"), ("el", "iso-8859-7"), ("tr", "windows-1254"),
    ("pl", "windows-1250"), ("pl", "iso-8859-2"), ("cs", "windows-1250"), ("cs", "iso-8859-2"), ("hu", "iso-8859-2"),
    ("he", "windows-1255"), ("ar", "windows-1256"), ("th", "windows-874"), ("de", "windows-1252"),
    ("fr", "windows-1252"), ("uk", "x-mac-cyrillic"), ("de", "macintosh"), ("fr", "macintosh"),
    ("pl", "iso-8859-16"),
]  # fmt: skip
CODECS = {
    "ibm866": "cp866",
    "macintosh": "mac_roman",
    "x-mac-cyrillic": "mac_cyrillic",
    "windows-874": "cp874",
    "big5": "big5hkscs",
}


def page(language: str) -> str:
    prose = PROSE[language]
    menu = "<div class='menu'><a href='/'>Home</a></div><script>var a = {b: 1};</script>"
    return f"<html><head><title>{prose[:20]}</title></head><body>{menu}" + f"<p>{prose}</p>" * 3 + "</body></html>"


@pytest.mark.parametrize("damaged", [0, 1, 4])
@pytest.mark.parametrize(("language", "name"), WRITTEN_IN)
def test_the_encoding_that_reads_as_a_language_is_found_though_some_bytes_are_damaged(
    language: str, name: str, damaged: int
) -> None:
    data = bytearray(page(language).encode(CODECS.get(name, name), "replace"))
    high = [i for i, byte in enumerate(data) if byte > 0x7F] or [len(data) - 60]
    for k in range(damaged):
        # Spread over the text; 0xFF is a character in none of them that could be taken for another.
        data[high[(2 * k + 1) * len(high) // (2 * damaged + 1)]] = 0xFF
    text, encoding = decode(bytes(data))
    paragraphs = [part.partition("</p>")[0] for part in text.split("<p>")[1:]]
    assert encoding.source == "detected"
    assert sum(paragraph == PROSE[language] for paragraph in paragraphs) >= 3 - damaged
    letters = set(PROSE[language])
    assert len(letters & set(text)) >= 0.95 * len(letters)


def test_no_language_in_latin_letters_has_accents_on_most_of_them() -> None:
    data = bytearray(("<p>" + PROSE["he"] + "</p>").encode("cp1255"))
    for k in range(10):
        data[4 + 7 * k] = 0x98
    assert guess_encoding(bytes(data)).name == "windows-1255"


@pytest.mark.parametrize("name", sorted(set(LABELS.values()) - {"utf-8", "utf-16le", "utf-16be"}))
def test_every_legacy_encoding_decodes_all_bytes_without_an_error(name: str) -> None:
    text = decode_by(bytes(range(256)) * 2 + b"end", name)
    assert text.endswith("end") or name.startswith(("iso-2022", "hz"))


@pytest.mark.parametrize(
    ("data", "name", "text"),
    [
        (b"\x80\x81\x8d", "windows-1252", "€\x81\x8d"),
        (b"\xca\xd9", "windows-1255", "\u05ba\ufffd"),
        (b"\x80 1", "gbk", "€ 1"),
        (b"\xa3\xa0", "gb18030", "\u3000"),
        (b"\xad\xa1\xfc\xe2", "euc-jp", "①髙"),
        (b"\xae\xbe", "koi8-u", "ўЎ"),
        (b"\xa0\x82\xa0", "shift_jis", "\ufffdあ"),
        (b"a\x80", "x-user-defined", "a\uf780"),
    ],
)
def test_the_standard_decides_where_codecs_differ(data: bytes, name: str, text: str) -> None:
    assert decode_by(data, name) == text


@pytest.mark.parametrize("piece", [b"a", b"<script>", b"<", b"\xe4 a ", b"\xe4", b"a'", b"<style \xe4"])
def test_the_guess_takes_no_longer_than_the_input_warrants(piece: bytes) -> None:
    data = b"\xfc " + piece * (400_000 // len(piece))
    started = time.process_time()
    guess_encoding(data)
    assert time.process_time() - started < 1.5
