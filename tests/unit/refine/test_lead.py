"""The picture or player that a page shows at its head, outside of the element that holds its text."""

from __future__ import annotations

import pytest

import duramen
from duramen import Options, Output

TEXT = "".join(
    f"<p>The lighthouse keeper wrote in his diary every evening, describing the ships which passed along the coast and"
    f" the weather that drove them: entry {n}.</p>"
    for n in range(8)
)
MORE = "<p>Years later the trust that owned the rock printed all of it, with drawings of the lamp and its gears.</p>"
SITE = (
    '<header><a href="/"><img src="/night-lamp.png" alt="The Coast"></a><nav><a href="/n">News</a> '
    '<a href="/s">Sport</a></nav></header>'
)
TITLE = "<h1>The lighthouse at night</h1>"
OWN = "/up/night-ships-1200x630.jpg"
PICTURE = '<img src="/up/night-ships-300x200.jpg" alt="Ships">'


def shown(main: str, own: str = OWN, options: Options | None = None) -> str:
    head = f'<title>The lighthouse at night</title><meta property="og:image" content="{own}">'
    page = f"{head}<body>{SITE}<main>{main}</main><footer><p>The Coast, 2024</p></footer>"
    return duramen.extract(page, url="https://coast.example/a", options=options).markdown


@pytest.mark.parametrize(
    "main",
    [
        f"{TITLE}<div>{PICTURE}</div><div>{TEXT}</div>",
        f"<div><div>{PICTURE}</div></div>{TITLE}<div>{TEXT}</div>",
        f"<header>{TITLE}<p>By Ada, 3 May 2020</p>{PICTURE}</header><div>{TEXT}</div>",
        f"<div>{TITLE}<p>By Ada, 3 May 2020</p><div><div>{PICTURE}</div></div></div><div>{TEXT}</div>",
        f'{TITLE}<a href="/up/night-ships.jpg">{PICTURE}</a><div>{TEXT}</div>',
        f'{TITLE}<picture><source srcset="/up/night-ships.webp">{PICTURE}</picture><div>{TEXT}</div>',
    ],
)
def test_the_picture_that_the_page_names_as_its_own(main: str) -> None:
    markdown = shown(main)
    assert markdown.count("night-ships-300x200.jpg") == 1
    assert markdown.index("night-ships") < markdown.index("entry 0") and "night-lamp" not in markdown


def test_not_another_picture() -> None:
    assert "![" not in shown(f"{TITLE}<div>{PICTURE}</div><div>{TEXT}</div>", own="/up/other-ships.jpg")
    assert "![" not in shown(f"{TITLE}<div>{PICTURE}</div><div>{TEXT}</div>", own="")


def test_a_file_whose_name_says_little_has_to_be_the_same_file() -> None:
    main = f'{TITLE}<div><img src="/up/big/1.jpg"></div><div>{TEXT}</div>'
    assert "![" in shown(main, own="/up/big/1.jpg") and "![" not in shown(main, own="/up/1.jpg")


def test_a_logo_is_none() -> None:
    main = f'{TITLE}<div><a href="/">{PICTURE}</a></div><div>{TEXT}</div>'
    assert "![" not in shown(main) and "![" in shown(main.replace('href="/"', 'href="/ships"'))


def test_a_portrait_is_none() -> None:
    main = f"{TITLE}<p>By Ada Lovelace</p><div>{PICTURE}</div><div>{TEXT}</div>"
    assert "![" in shown(main)
    assert "![" not in shown(main.replace('alt="Ships"', 'class="avatar" alt="Ships"'))
    author = '<meta name="author" content="Ada Lovelace">'
    assert "![" not in shown(author + main.replace('alt="Ships"', 'alt="Ada Lovelace"'))


def test_not_far_from_the_text() -> None:
    links = "".join(f'<a href="/{n}">Another story of the coast, number {n}</a> ' for n in range(12))
    assert "![" not in shown(f"<div>{PICTURE}</div><div>{links}</div>{TITLE}<div>{TEXT}</div>")


def test_a_picture_in_the_text_stays_there() -> None:
    markdown = shown(f"{TITLE}<div>{PICTURE}</div><div>{TEXT}{PICTURE}{MORE}</div>")
    assert markdown.count("![") == 1 and markdown.index("![") > markdown.index("entry 7")


def test_a_player_before_the_text() -> None:
    player = '<div class="player"><iframe src="https://www.youtube.com/embed/abc-DEF_123"></iframe></div>'
    link = "<https://www.youtube.com/watch?v=abc-DEF_123>"
    assert shown(f"{player}{TITLE}<div>{TEXT}</div>").startswith(link)
    assert shown(f"{player}{TITLE}<div>{TEXT}{player}{MORE}</div>").index(link) > 1000
    assert "example" not in shown(f'<iframe src="https://ads.example/x"></iframe>{TITLE}<div>{TEXT}</div>')


def test_nothing_else_comes_along() -> None:
    markdown = shown(f'{TITLE}<hr><img src="/up/tea.jpg" alt="Tea"><div>{PICTURE}</div><hr><br><div>{TEXT}</div><hr>')
    assert "tea.jpg" not in markdown and "---" not in markdown


def test_images_can_be_left_out() -> None:
    assert "![" not in shown(
        f"{TITLE}<div>{PICTURE}</div><div>{TEXT}</div>", options=Options(output=Output(images=False))
    )
