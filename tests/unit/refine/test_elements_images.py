"""Images: the picture a reader sees, and nothing else."""

# ruff: noqa: E501 (markup as the generators write it reads better unbroken)

from __future__ import annotations

import pytest
from refine_shapes import canonical

from duramen.options import Output
from duramen.refine.elements.images import best_candidate, candidates

GIF = "data:image/gif;base64,R0lGODlhAQABAAAAACw="
A = '<p><img src="https://example.org/a.jpg"></p>'
SHAPES = {
    "relative": ('<img src="../a.jpg">', A),
    "data-src": (f'<img src="{GIF}" data-src="/a.jpg" class="lazyload">', A),
    "data-original": ('<img src="/img/blank.gif" data-original="/a.jpg">', A),
    "a placeholder by the end of its name": ('<img src="/a.jpg" data-src="/mini-blank.gif#x">', A),
    "data-lazy-src": ('<img data-lazy-src="/a.jpg" src="/1x1.png">', A),
    "data-hi-res-src": ('<img src="/small.jpg" data-hi-res-src="/a.jpg">', A),
    "an attribute nobody knows": (f'<img src="{GIF}" data-my-loader="/a.jpg">', A),
    "srcset": ('<img src="/s.jpg" srcset="/s.jpg 400w, /a.jpg 1600w, /huge.jpg 4000w">', A),
    "srcset, all too large": ('<img srcset="/huge.jpg 4000w, /a.jpg 2400w">', A),
    "srcset, density": ('<img src="/s.jpg" srcset="/s.jpg, /a.jpg 2x">', A),
    "data-srcset": (f'<img src="{GIF}" data-srcset="/s.jpg 300w, /a.jpg 900w">', A),
    "picture": ('<picture><source srcset="/b.webp" type="image/webp"><img src="/a.jpg"></picture>', A),
    "picture, only sources": ('<picture><source srcset="/s.jpg 300w, /a.jpg 900w"></picture>', A),
    "picture, lazy": (f'<picture><source data-srcset="/a.jpg"><img src="{GIF}"></picture>', A),
    "noscript after a lazy image": (f'<img src="{GIF}" data-x="1"><noscript><img src="/a.jpg"></noscript>', A),
    "noscript in a lazy frame": (f'<div><img src="{GIF}" alt=""></div><noscript><img src="/a.jpg"></noscript>', A),
    "noscript of the same image": ('<img src="/a.jpg"><noscript><img src="/a.jpg"></noscript>', A),
    "noscript alone": ('<noscript><img src="/a.jpg"></noscript>', A),
    "noscript with words": ("<noscript><p>Read on.</p></noscript>", "<p>Read on.</p>"),
    "noscript of a nag": ("<p>x</p><noscript>Please enable JavaScript.</noscript>", "<p>x</p>"),
    "amp-anim": ('<amp-anim src="/a.jpg"></amp-anim>', A),
    "amp": ('<amp-img src="/a.jpg" layout="responsive"><noscript><img src="/a.jpg"></noscript></amp-img>', A),
    "pixel": ('<p>x</p><img src="https://t.example.net/p?x=1" width="1" height="1">', "<p>x</p>"),
    "pixel by style": ('<p>x</p><img src="https://t.example.net/p" style="width:1px;height:1px">', "<p>x</p>"),
    "icon": ('<p>x <img src="/i.png" width="16" height="16"></p>', "<p>x </p>"),
    "avatar": ('<p>x <img src="/u.png" class="avatar photo"></p>', "<p>x </p>"),
    "emoji": ('<p>x <img class="emoji" alt="🎉" src="/e.svg"></p>', "<p>x 🎉</p>"),
    "placeholder only": (f'<p>x</p><img src="{GIF}" alt="A picture of a boat">', "<p>x</p>"),
    "placeholder in a link": (
        f'<a href="/boat"><img src="{GIF}" alt="A picture of a boat"></a>',
        '<p><a href="https://example.org/boat">A picture of a boat</a></p>',
    ),
    "the same image twice": ('<p><img src="/a.jpg"></p><p>x</p><p><img src="/a.jpg" width="9"></p>', A + "<p>x</p>"),
    "lengths": (
        '<img src="/a.jpg" width="640px" height="100%" alt=" A  boat " title="A boat">',
        '<p><img src="https://example.org/a.jpg" width="640" alt="A boat"></p>',
    ),
    "bad scheme": ('<p>x</p><img src="javascript:x" alt="y">', "<p>x</p>"),
}


@pytest.mark.parametrize("name", SHAPES)
def test_shape(name: str) -> None:
    html, expected = SHAPES[name]
    assert canonical(html) == expected
    assert canonical(expected) == expected


FIGURE = '<figure><img src="https://example.org/a.jpg"><figcaption>A boat</figcaption></figure>'
FIGURES = {
    "figure": ('<figure><img src="/a.jpg"><figcaption>A boat</figcaption></figure>', FIGURE),
    "wrapped image": (
        '<figure><div class="w"><p><img src="/a.jpg"></p></div><figcaption><p>A boat</p></figcaption></figure>',
        FIGURE,
    ),
    "caption in a wrapper": (
        '<figure><img src="/a.jpg"><div><figcaption>A boat</figcaption></div></figure>',
        FIGURE,
    ),
    "loose caption": ('<figure><img src="/a.jpg"> A boat</figure>', FIGURE),
    "linked image": (
        '<figure><a href="/b"><img src="/a.jpg"></a><figcaption>A boat</figcaption></figure>',
        '<figure><a href="https://example.org/b"><img src="https://example.org/a.jpg"></a><figcaption>A boat</figcaption>'
        "</figure>",
    ),
    "wp-caption": (
        '<div class="wp-caption alignleft"><img src="/a.jpg"><p class="wp-caption-text">A boat</p></div>',
        FIGURE,
    ),
    "wp-caption list": (
        '<dl class="wp-caption"><dt><img src="/a.jpg"></dt><dd class="wp-caption-text">A boat</dd></dl>',
        FIGURE,
    ),
    "thumb": (
        '<div class="thumb tright"><div class="thumbinner"><a href="/b"></a><img src="/a.jpg"><div class="thumbcaption">'
        "A boat</div></div></div>",
        FIGURE,
    ),
    "image and caption": (
        '<div><span><img src="/a.jpg"></span><span class="image-caption">A boat</span></div>',
        FIGURE,
    ),
    "no picture left": (f'<figure><img src="{GIF}"><figcaption>A boat</figcaption></figure>', "<p>A boat</p>"),
    "a quotation": (
        "<figure><blockquote><p>x</p></blockquote><figcaption>Someone</figcaption></figure>",
        "<blockquote><p>x</p></blockquote><p>Someone</p>",
    ),
    "a gallery": (
        '<figure class="gallery"><figure><img src="/a.jpg"></figure><figure><img src="/b.jpg"></figure><figcaption>Boats'
        "</figcaption></figure>",
        '<figure><img src="https://example.org/a.jpg"></figure><figure><img src="https://example.org/b.jpg"></figure>'
        "<p>Boats</p>",
    ),
    "prose with a caption class": (
        '<div><p>Long words that are not part of it at all.</p><img src="/a.jpg"><p class="caption">A boat</p></div>',
        '<p>Long words that are not part of it at all.</p><p><img src="https://example.org/a.jpg"></p><p>A boat</p>',
    ),
}


@pytest.mark.parametrize("name", FIGURES)
def test_figure(name: str) -> None:
    html, expected = FIGURES[name]
    assert canonical(html) == expected
    assert canonical(expected) == expected


def test_without_images() -> None:
    html = '<p>x</p><figure><img src="/a.jpg"><figcaption>A boat</figcaption></figure>'
    assert canonical(html, output=Output(images=False)) == "<p>x</p><p>A boat</p>"


def test_srcset_addresses_may_hold_commas() -> None:
    srcset = "/w_100,h_50/a.jpg 100w, /w_900,h_450/a.jpg 900w,/b.jpg"
    assert list(candidates(srcset)) == [
        ("/w_100,h_50/a.jpg", 100.0, "w"),
        ("/w_900,h_450/a.jpg", 900.0, "w"),
        ("/b.jpg", 1.0, "x"),
    ]
    assert best_candidate("/w_100,h_50/a.jpg 100w, /w_900,h_450/a.jpg 900w") == "/w_900,h_450/a.jpg"


def test_the_picture_behind_the_link_stands_for_one_a_script_would_load() -> None:
    html = '<p>x</p><p><a href="/full.jpg"><img src="data:image/svg+xml,x" alt="A boat at anchor" class="lazy"></a></p>'
    assert canonical(html) == (
        '<p>x</p><p><a href="https://example.org/full.jpg"><img src="https://example.org/full.jpg"'
        ' alt="A boat at anchor"></a></p>'
    )


def test_the_description_of_a_picture_that_cannot_be_shown_is_text_only_of_a_real_link() -> None:
    image = '<img src="data:image/gif;base64,R0" alt="A boat at anchor">'
    assert canonical(f"<p>x</p><p><a>{image}</a></p>") == "<p>x</p>"
    assert canonical(f'<p><a href="/boats">{image}</a></p>') == (
        '<p><a href="https://example.org/boats">A boat at anchor</a></p>'
    )


def test_a_caption_inside_a_picture_stays() -> None:
    html = (
        '<figure><picture><source srcset="/b.webp"><img src="/a.jpg"><figcaption>A boat</figcaption></picture></figure>'
    )
    assert canonical(html) == ('<figure><img src="https://example.org/a.jpg"><figcaption>A boat</figcaption></figure>')


def test_a_size_of_zero_beside_several_sources_is_left_to_the_style_sheet() -> None:
    html = '<p>x</p><p><img width="0" height="0" data-nimg="1" srcset="/a.jpg?w=640 640w, /a.jpg?w=1080 1080w" alt="Oak"></p>'
    assert canonical(html) == '<p>x</p><p><img alt="Oak" src="https://example.org/a.jpg?w=1080"></p>'
    assert canonical('<p>x</p><p><img width="0" height="0" src="/count"></p>') == "<p>x</p>"
