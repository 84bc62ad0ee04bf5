"""Embedded players and posts: a link to their page, or nothing."""

# ruff: noqa: E501 (markup as the generators write it reads better unbroken)

from __future__ import annotations

import pytest
from refine_shapes import canonical

from duramen.refine.elements.embeds import page_of


def link(url: str, text: str | None = None) -> str:
    return f'<p><a href="{url}">{text or url}</a></p>'


YOUTUBE = "https://www.youtube.com/watch?v=abc-DEF_123"


@pytest.mark.parametrize(
    ("source", "page"),
    [
        ("https://www.youtube.com/embed/abc-DEF_123?rel=0", YOUTUBE),
        ("https://www.youtube-nocookie.com/embed/abc-DEF_123", YOUTUBE),
        ("https://www.youtube.com/v/abc-DEF_123&fs=1", YOUTUBE),
        ("https://youtu.be/abc-DEF_123", YOUTUBE),
        ("https://www.youtube.com/embed/videoseries?list=PL12", "https://www.youtube.com/playlist?list=PL12"),
        ("https://player.vimeo.com/video/12345?h=0", "https://vimeo.com/12345"),
        ("https://www.dailymotion.com/embed/video/x7abc", "https://www.dailymotion.com/video/x7abc"),
        ("https://platform.twitter.com/embed/Tweet.html?id=99", "https://x.com/i/status/99"),
        ("https://www.instagram.com/p/Ab-1/embed/captioned", "https://www.instagram.com/p/Ab-1/"),
        ("https://www.tiktok.com/embed/v2/777", "https://www.tiktok.com/@/video/777"),
        ("https://open.spotify.com/embed/track/1a?x=2", "https://open.spotify.com/track/1a"),
        ("https://w.soundcloud.com/player/?url=https%3A//soundcloud.com/a/b&color=x", "https://soundcloud.com/a/b"),
        ("https://codepen.io/me/embed/aBc?tab=js", "https://codepen.io/me/pen/aBc"),
        ("https://gist.github.com/me/0a1b.js", "https://gist.github.com/me/0a1b"),
        ("https://codesandbox.io/embed/x-1", "https://codesandbox.io/s/x-1"),
        ("https://www.facebook.com/plugins/post.php?href=https%3A%2F%2Fwww.facebook.com%2Fa%2Fposts%2F1",
         "https://www.facebook.com/a/posts/1"),
        ("https://mastodon.example/@ada/12/embed", "https://mastodon.example/@ada/12"),
        ("https://flo.uri.sh/visualisation/12/embed", "https://public.flourish.studio/visualisation/12/"),
        ("https://podcasters.spotify.com/pod/show/oaks/embed/episodes/one-e1", "https://podcasters.spotify.com/pod/show/oaks/episodes/one-e1"),
        ("https://www.google.com/maps/embed?pb=!1m18", "https://www.google.com/maps/embed?pb=!1m18"),
        ("https://player.simplecast.com/0a-1b?dark=true", "https://player.simplecast.com/0a-1b"),
        ("https://www.mixcloud.com/widget/iframe/?feed=https%3A%2F%2Fwww.mixcloud.com%2Fa%2Fb%2F", "https://www.mixcloud.com/a/b/"),
        ("https://example.net/frame", None),
        ("https://w.soundcloud.com/player/?url=javascript:x", None),
        ("https://[bad", None),
    ],
)  # fmt: skip
def test_page_of(source: str, page: str | None) -> None:
    assert page_of(source) == page


SHAPES = {
    "iframe": ('<iframe src="//www.youtube.com/embed/abc-DEF_123"></iframe>', link(YOUTUBE)),
    "iframe with title": (
        '<iframe src="https://www.youtube.com/embed/abc-DEF_123" title="How boats float"></iframe>',
        link(YOUTUBE, "How boats float"),
    ),
    "a title that says nothing": (
        '<iframe src="https://www.youtube.com/embed/abc-DEF_123" title="YouTube video player"></iframe>',
        link(YOUTUBE),
    ),
    "lazy iframe": ('<iframe data-src="https://player.vimeo.com/video/12"></iframe>', link("https://vimeo.com/12")),
    "inside a sentence": (
        '<p>Look: <iframe src="https://player.vimeo.com/video/12"></iframe> Nice.</p>',
        "<p>Look:</p>" + link("https://vimeo.com/12") + "<p>Nice.</p>",
    ),
    "twice": (
        '<iframe src="https://player.vimeo.com/video/12"></iframe><iframe src="https://player.vimeo.com/video/12"></iframe>',
        link("https://vimeo.com/12"),
    ),
    "other frame with title": (
        '<iframe src="/chart.html" title="Rainfall in May"></iframe>',
        link("https://example.org/chart.html", "Rainfall in May"),
    ),
    "other frame": ('<p>x</p><iframe src="/chart.html"></iframe>', "<p>x</p>"),
    "advertisement": ('<p>x</p><iframe src="https://ads.example.net/x" title="Advertisement"></iframe>', "<p>x</p>"),
    "tracker": (
        '<p>x</p><noscript><iframe src="https://www.googletagmanager.com/ns.html?id=1" title="y z"></iframe></noscript>',
        "<p>x</p>",
    ),
    "lite-youtube": (
        '<lite-youtube videoid="abc-DEF_123" playlabel="How boats float"></lite-youtube>',
        link(YOUTUBE, "How boats float"),
    ),
    "lite-vimeo": ('<lite-vimeo videoid="1234"></lite-vimeo>', link("https://vimeo.com/1234")),
    "youtube-embed": ('<youtube-embed video-id="abc-DEF_123"></youtube-embed>', link(YOUTUBE)),
    "amp-video": ('<amp-video src="/v.mp4"></amp-video>', link("https://example.org/v.mp4")),
    "amp-audio": (
        '<amp-audio src="/a.mp3" title="Episode 4"></amp-audio>',
        link("https://example.org/a.mp3", "Episode 4"),
    ),
    "amp-iframe": ('<amp-iframe src="https://player.vimeo.com/video/12"></amp-iframe>', link("https://vimeo.com/12")),
    "amp-twitter": ('<amp-twitter data-tweetid="99"></amp-twitter>', link("https://x.com/i/status/99")),
    "amp-twitter with the post": (
        '<amp-twitter data-tweetid="99"><blockquote placeholder>Boats float, as they have since the first tree fell into '
        "the first river.</blockquote></amp-twitter>",
        "<blockquote><p>Boats float, as they have since the first tree fell into the first river.</p></blockquote>",
    ),
    "amp-instagram": (
        '<amp-instagram data-shortcode="Ab-1"></amp-instagram>',
        link("https://www.instagram.com/p/Ab-1/"),
    ),
    "gist": ('<script src="https://gist.github.com/me/0a1b.js"></script>', link("https://gist.github.com/me/0a1b")),
    "another script": ('<p>x</p><script src="https://example.org/gist.js"></script>', "<p>x</p>"),
    "amp-youtube": ('<amp-youtube data-videoid="abc-DEF_123"></amp-youtube>', link(YOUTUBE)),
    "oembed": ('<figure class="media"><oembed url="https://youtu.be/abc-DEF_123"></oembed></figure>', link(YOUTUBE)),
    "object": (
        '<object width="4"><param name="movie" value="x"><embed src="https://www.youtube.com/v/abc-DEF_123"></object>',
        link(YOUTUBE),
    ),
    "object that is a picture": (
        '<object data="/g.svg" type="image/svg+xml" aria-label="A graph"><p>digraph { a -> b }</p></object>',
        '<p><img src="https://example.org/g.svg" alt="A graph"></p>',
    ),
    "document": (
        '<object data="/x.pdf" type="application/pdf"><p>Your browser shows no documents.</p></object>',
        link("https://example.org/x.pdf"),
    ),
    "document in a frame": ('<iframe src="/x.PDF#page=2"></iframe>', link("https://example.org/x.PDF#page=2")),
    "object with words": ("<object><p>A map of the bay.</p></object>", "<p>A map of the bay.</p>"),
    "video": ('<video controls><source src="/v.mp4"><p>No video.</p></video>', link("https://example.org/v.mp4")),
    "audio": ('<audio src="/a.mp3" title="Episode 4"></audio>', link("https://example.org/a.mp3", "Episode 4")),
    "video without source": ("<p>x</p><video poster='/p.jpg'></video>", "<p>x</p>"),
    "wordpress, bare address": (
        '<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\nhttps://youtu.be/abc-DEF_123\n</div></figure>',
        link(YOUTUBE),
    ),
    "instagram": (
        '<blockquote class="instagram-media" data-instgrm-permalink="https://www.instagram.com/p/Ab/?utm=1"><div>View this '
        "post</div></blockquote>",
        link("https://www.instagram.com/p/Ab/"),
    ),
    "tweet": (
        '<blockquote class="twitter-tweet"><p>Boats float.</p>— Me <a href="https://x.com/me/status/1">May 1</a></blockquote>',
        '<blockquote><p>Boats float.</p><p>— Me <a href="https://x.com/me/status/1">May 1</a></p></blockquote>',
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_shape(name: str) -> None:
    html, expected = SHAPES[name]
    assert canonical(html) == expected
    assert canonical(expected) == expected


def test_a_clip_behind_the_text_is_decoration() -> None:
    source = '<source src="/clips/saw.mp4" type="video/mp4">'
    assert canonical(f"<p>x</p><video autoplay muted loop playsinline>{source}</video>") == "<p>x</p>"
    for attributes in ("controls", "controls autoplay muted", "autoplay", ""):
        html = canonical(f"<p>x</p><video {attributes}>{source}</video>")
        assert 'href="https://example.org/clips/saw.mp4"' in html, attributes


def test_an_empty_element_is_read_from_its_settings() -> None:
    settings = '{"url": "https://x.com/ada/status/1", "videoId": "abcdefghijk"}'
    assert canonical(f"<div class='tweet' data-attrs='{settings}'></div>") == link("https://x.com/ada/status/1")
    film = link("https://www.youtube.com/watch?v=abcdefghijk")
    assert canonical(f"<div class='youtube-wrap' data-attrs='{settings}'></div>") == film
    assert canonical(f"<div class='tweet' data-attrs='{settings}'>Row on!</div>") == "<p>Row on!</p>"
    assert canonical("<div class='tweet' data-attrs='{'></div>") == ""
