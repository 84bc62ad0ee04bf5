"""Languages: which one, and how much of a text is function words."""

from __future__ import annotations

import pytest

from duramen.find.language import page_language
from duramen.function_words import code_of, detect, detect_language, function_share, function_words, languages
from duramen.options import Options
from duramen.read.reader import read_page

PROSE = {
    "en": "Heartwood is the centre of a tree, and it is harder than the sapwood that grows around it.",
    "de": "Das Kernholz ist der innere Teil des Stammes und in der Regel härter als das Holz, das um ihn liegt.",
    "fr": "Le duramen est la partie centrale de l’arbre, et il est plus dur que l'aubier qui l'entoure.",
    "es": "El duramen es la parte central del tronco y es más duro que la albura que lo rodea.",
    "it": "Il durame è la parte centrale del tronco ed è più duro dell'alburno che lo circonda.",
    "pt": "O cerne é a parte central do tronco e é mais duro do que o alburno que está à sua volta.",
    "nl": "Kernhout is het binnenste deel van de stam en het is harder dan het spinthout dat er om heen zit.",
    "sv": "Kärnved är den inre delen av stammen och den är hårdare än splintveden som finns runt om.",
    "da": "Kerneved er den inderste del af stammen, og det er hårdere end det splintved, der ligger om den.",
    "no": "Kjerneved er den indre delen av stammen, og den er hardere enn yteveden som ligger rundt.",
    "fi": "Sydänpuu on rungon sisäosa, ja se on kovempaa kuin pintapuu, joka on sen ympärillä.",
    "pl": "Twardziel jest to wewnętrzna część pnia i jest ona twardsza niż biel, która ją otacza.",
    "cs": "Jádrové dřevo je vnitřní část kmene a je tvrdší než běl, která se nachází kolem něj.",
    "sk": "Jadrové drevo je vnútorná časť kmeňa a je tvrdšie ako beľ, ktorá sa nachádza okolo neho.",
    "hu": "A geszt a fatörzs belső része, és az a keményebb, mint a szijács, amely körülveszi.",
    "ro": "Duramenul este partea centrală a trunchiului și este mai dur decât alburnul care îl înconjoară.",
    "bg": "Сърцевината е вътрешната част на ствола и тя е по-твърда от беловината, която я обгражда.",
    "ru": "Ядро это внутренняя часть ствола, и оно твёрже, чем заболонь, которая его окружает.",
    "uk": "Ядро це внутрішня частина стовбура, і вона є твердішою, ніж заболонь, яка її оточує.",
    "el": "Το εγκάρδιο ξύλο είναι το κεντρικό μέρος του κορμού και είναι πιο σκληρό από το σομφό που το περιβάλλει.",
    "tr": "Öz odun ağacın iç kısmıdır ve bu kısım çevresinde olan diri odun ile göre daha serttir.",
    "ar": "خشب القلب هو الجزء المركزي من الشجرة وهو أكثر صلابة من الخشب الذي ينمو حوله في الساق.",
    "fa": "چوب درونی بخش مرکزی تنه است که از چوب برونی که در اطراف آن است سخت‌تر است.",
    "he": "עץ הליבה הוא החלק הפנימי של הגזע והוא קשה יותר מן העץ אשר גדל סביב לו כל הזמן.",
    "hi": "अंतःकाष्ठ पेड़ के तने का भीतरी भाग है और यह बाहरी लकड़ी से कठोर होता है।",
    "id": "Kayu teras adalah bagian dalam dari batang pohon dan lebih keras dari kayu gubal yang ada di luar.",
    "vi": "Gỗ lõi là phần ở trong của thân cây và nó cứng hơn so với phần gỗ ở bên ngoài.",
    "zh": "心材是树干的中心部分，它的颜色较深，而且质地比在它外面的边材坚硬。",
    "ja": "心材は木の中心にある部分で、色が濃く、辺材よりも硬いとされています。",
    "ko": "심재는 나무의 중심에 있는 부분으로 색이 진하고 변재보다 단단하다.",
    "th": "แก่นไม้เป็นส่วนที่อยู่ตรงกลางของต้นไม้ และมีสีเข้มกว่ากระพี้ที่อยู่โดยรอบ",
}

LABELS = {
    "en": "Sports Weather Business Contact Login",
    "de": "Sport Wetter Wirtschaft Kontakt Anmelden",
    "fr": "Sport Météo Économie Contact Connexion",
    "ru": "Спорт Погода Экономика Контакты",
    "ar": "الرئيسية الأخبار الرياضة اتصل",
    "zh": "首页 新闻 体育 财经 登录",
    "ja": "ホーム ニュース 経済 会社概要",
    "ko": "홈 뉴스 스포츠 정치 경제 로그인",
    "th": "หน้าแรก ข่าว กีฬา ติดต่อ",
}


def test_every_listed_language_has_a_sample() -> None:
    assert set(languages()) == set(PROSE)


@pytest.mark.parametrize("language", PROSE)
def test_prose_has_function_words(language: str) -> None:
    assert 0.2 <= function_share(PROSE[language], language) <= 1
    assert function_words(PROSE[language], language) >= 3


@pytest.mark.parametrize("language", LABELS)
def test_labels_have_hardly_any(language: str) -> None:
    assert function_share(LABELS[language], language) < 0.1


@pytest.mark.parametrize("language", sorted(set(PROSE) - {"da", "no", "sk", "cs"}))
def test_detects_without_a_declaration(language: str) -> None:
    assert detect(PROSE[language], None) == language


@pytest.mark.parametrize("language", PROSE)
def test_trusts_a_right_declaration(language: str) -> None:
    assert detect(PROSE[language], language) == language


@pytest.mark.parametrize("language", ["ru", "el", "ar", "he", "hi", "zh", "ja", "ko", "th"])
def test_doubts_a_declaration_in_another_script(language: str) -> None:
    assert detect(PROSE[language], "en-US") == language


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ("en-GB", "en"),
        ("pt_BR", "pt"),
        ("zh-Hant-TW", "zh"),
        ("nb", "no"),
        ("cmn", "zh"),
        ("iw", "he"),
        ("xx", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_codes(tag: str | None, code: str) -> None:
    assert code_of(tag) == code


@pytest.mark.parametrize("text", ["", " ", "1984", "•"])
@pytest.mark.parametrize("language", ["", "tlh", *PROSE])
def test_no_words_have_no_share(text: str, language: str) -> None:
    assert function_share(text, language) == 0


def test_unknown_text_without_a_declaration() -> None:
    assert detect("", None) == ""


def test_short_latin_text_keeps_the_declared_language() -> None:
    assert detect("Contact", "de") == "de"


def test_page_language_asks_the_prose_and_not_the_menu() -> None:
    menu = "<nav>" + "<a href=/x>The news of the day and the weather</a>" * 20 + "</nav>"
    html = f"<html lang=en><body>{menu}<p>{PROSE['de']}</p><p>{PROSE['de']}</p></body></html>"
    assert page_language(read_page(html, None, Options())) == "de"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("El compte de la ciutat ja porta una setmana amb més de mil seguidors i és molt actiu.", "ca"),
        ("Generalni direktor je rekao da se radi na tome i da će biti gotovo do kraja godine.", "hr"),
        ("Lorem ipsum dolor sit amet, in pri nisi vel, ad est quod enim, et non sunt qui id.", "la"),
        ("Road Running Trail Running Shoes Socks Sale", ""),
        ("1 2 3", ""),
        ("", ""),
    ],
)
def test_detects_other_languages_and_admits_when_there_is_no_evidence(text: str, language: str) -> None:
    assert detect_language(text) == language
