"""A picture's caption is kept in HTML and Markdown where its picture is."""

from __future__ import annotations

from pathlib import Path

import pytest

import duramen
from duramen import Options, Output, Result
from duramen.pipeline import run

EXAMPLES = Path(__file__).parents[3] / "examples"
PROSE = (
    "<p>When the roof of the barn was opened, the carpenters expected to replace most of it. They replaced four rafters"
    " out of ninety. The rest rang like a bell under the hammer, five hundred years after they were cut.</p>"
    "<p>That stripe is sapwood, the living outer part of a trunk. The darker centre is heartwood: cells that have died,"
    " been emptied of sugar and filled with resins and tannins, which fungi do not like.</p>"
)
PICTURE = '<img src="/log.jpg" alt="A log" width="800" height="500">'
CAPTION = "Photo: Merrow Barn Trust"
LOST = (CAPTION, "Another story")


def extract(body: str, output: Output | None = None) -> Result:
    """The content of a page whose caption is no content by itself."""
    html = f"<!doctype html><title>Old beams</title><body><main><h1>Old beams</h1>{body}</main>"
    options = Options(output=output or Output())
    return run(
        html, "https://timber.example/", options, repeated=lambda texts: [text.startswith(LOST) for text in texts]
    )


@pytest.mark.parametrize(
    "figure",
    [
        f"<figure>{PICTURE}<figcaption>{CAPTION}</figcaption></figure>",
        f"<figure><a href=/log>{PICTURE}</a><div><figcaption><p>{CAPTION}</p></figcaption></div></figure>",
        f'<figure><picture><source srcset="/log.webp 2x"><img></picture><figcaption>{CAPTION}</figcaption></figure>',
        f'<div class="wp-caption">{PICTURE}<p class="wp-caption-text">{CAPTION}</p></div>',
        f'<div class="image"><div>{PICTURE}</div><span class="photo-caption">{CAPTION}</span></div>',
    ],
)
def test_a_kept_picture_keeps_its_caption(figure: str) -> None:
    result = extract(PROSE + figure + PROSE)
    assert f"<figcaption>{CAPTION}</figcaption>" in result.html.replace("<p>", "").replace("</p>", "")
    assert f")\n\n{CAPTION}\n\n" in result.markdown
    # The annotators of most corpora do not count captions as text; what the judge keeps by itself stays.
    assert CAPTION not in result.text


def test_the_example_keeps_its_caption() -> None:
    result = duramen.extract((EXAMPLES / "article.html").read_bytes())
    assert "<figcaption>The dark centre of an oak log is heartwood" in result.html
    assert "\nThe dark centre of an oak log is heartwood" in result.markdown
    assert next(block for block in result.trace.blocks if block.text.startswith("The dark centre of an oak log")).kept


@pytest.mark.parametrize(
    "figure",
    [
        # No picture that could be shown, no picture at all, a picture that is only counted.
        f'<figure><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><figcaption>{CAPTION}</figcaption></figure>',
        f"<figure><div class=player></div><figcaption>{CAPTION}</figcaption></figure>",
        f'<figure><img src="/pixel.gif" width=1 height=1><figcaption>{CAPTION}</figcaption></figure>',
    ],
)
def test_without_a_picture_no_caption(figure: str) -> None:
    assert CAPTION not in extract(PROSE + figure + PROSE).html


def test_a_dropped_picture_takes_its_caption_along() -> None:
    figure = f"<figure>{PICTURE}<figcaption>{CAPTION}</figcaption></figure>"
    teasers = "".join(f'<li><a href="/{n}">Another story, number {n}</a>' for n in range(8))
    result = extract(f"{PROSE}<aside class=related>{figure}<ul>{teasers}</ul></aside>")
    assert "log.jpg" not in result.html and CAPTION not in result.html


def test_a_picture_behind_the_last_words_keeps_its_caption() -> None:
    figure = f"<figure>{PICTURE}<figcaption>{CAPTION}</figcaption></figure>"
    result = extract(f"<article>{PROSE}<div>{figure}</div></article>")
    assert "log.jpg" in result.html and CAPTION in result.html


def test_without_images_there_are_no_captions() -> None:
    figure = f"<figure>{PICTURE}<figcaption>{CAPTION}</figcaption></figure>"
    result = extract(PROSE + figure + PROSE, Output(images=False))
    assert "log.jpg" not in result.html and CAPTION not in result.html


@pytest.mark.parametrize(("words", "in_text"), [("An oak log", False), ("The dark centre of an oak log is old", True)])
def test_a_caption_is_kept_whole(words: str, in_text: bool) -> None:
    figure = f"<figure>{PICTURE}<figcaption><div>{words}</div><div>{CAPTION}</div></figcaption></figure>"
    result = extract(PROSE + figure + PROSE)
    assert words in result.html and CAPTION in result.html
    assert (words in result.text, CAPTION in result.text) == (in_text, in_text)


def test_a_caption_of_two_pictures_that_is_wanted_once_is_text() -> None:
    figure = f"<figure>{PICTURE}<figcaption>Heartwood of an oak that grew for two hundred years</figcaption></figure>"
    result = extract(PROSE + figure + PROSE + figure.replace("log", "tree") + PROSE)
    assert result.html.count("Heartwood of an oak") == 2 and "Heartwood of an oak" in result.text


@pytest.mark.parametrize(
    "player",
    [
        '<iframe src="https://www.youtube.com/embed/abcdefghijk"></iframe>',
        '<video controls><source src="/oak.mp4"></video>',
        '<audio controls src="/oak.mp3"></audio>',
    ],
)
def test_a_kept_player_keeps_its_caption(player: str) -> None:
    result = extract(f"{PROSE}<figure>{player}<figcaption>{CAPTION}</figcaption></figure>{PROSE}")
    assert f"</a></p><p>{CAPTION}</p>" in result.html


def test_a_player_that_goes_takes_its_caption() -> None:
    frame = '<iframe src="https://ads.example/ads/1"></iframe>'
    assert CAPTION not in extract(f"{PROSE}<figure>{frame}<figcaption>{CAPTION}</figcaption></figure>{PROSE}").html


@pytest.mark.parametrize(
    "content",
    [
        "<table><tr><th>Beam</th><th>Age</th></tr><tr><td>Ridge</td><td>500</td></tr></table>",
        "<pre><code>for beam in barn:\n    knock(beam)</code></pre>",
    ],
)
def test_a_table_and_a_listing_keep_their_caption_in_the_text_too(content: str) -> None:
    result = extract(f"{PROSE}<figure>{content}<figcaption>{CAPTION}</figcaption></figure>{PROSE}")
    assert CAPTION in result.html and CAPTION in result.text


def test_a_caption_stays_beside_its_legend() -> None:
    legend = "<p>A legend explains the signs of the drawing above it.</p>"
    for name, kept in (("figure", True), ("card", False)):
        figure = f'<div class="{name}">{PICTURE}<p class="caption">{CAPTION}</p>{legend}</div>'
        assert (CAPTION in extract(PROSE + figure + PROSE).html) == kept


def test_names_of_captions_may_be_written_as_parts_of_a_block() -> None:
    figure = f'<div class="media">{PICTURE}<p class="media__caption">{CAPTION}</p></div>'
    assert CAPTION in extract(PROSE + figure + PROSE).html
