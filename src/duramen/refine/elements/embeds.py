"""Embedded players and posts: a link to the page they come from."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import parse_qs, unquote, urlsplit

from duramen.dom import Element, Text
from duramen.refine.elements.links import absolute
from duramen.refine.elements.survey import Survey, replace, squeezed

EMBED_TAGS = frozenset(
    "iframe video audio object embed lite-youtube lite-vimeo youtube-embed amp-youtube amp-vimeo amp-iframe amp-video"
    " amp-audio amp-twitter amp-instagram amp-dailymotion amp-soundcloud amp-tiktok amp-facebook oembed".split()
)

_BY_PATH: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), page)
    for pattern, page in (
        # Players: their address holds the id of the page.
        (r"(?:www\.|m\.)?youtube(?:-nocookie)?\.com/(?:embed|v|e|shorts|live)/(?!videoseries)([\w-]{6,})",
         "https://www.youtube.com/watch?v={0}"),
        (r"youtu\.be/([\w-]{6,})", "https://www.youtube.com/watch?v={0}"),
        (r"(?:player\.)?vimeo\.com/(?:video/)?(\d+)", "https://vimeo.com/{0}"),
        (r"(?:www\.)?dailymotion\.com/embed/video/(\w+)", "https://www.dailymotion.com/video/{0}"),
        (r"open\.spotify\.com/embed(?:-podcast)?/(track|album|playlist|episode|show|artist)/(\w+)",
         "https://open.spotify.com/{0}/{1}"),
        (r"embed\.ted\.com/talks/([\w/-]+)", "https://www.ted.com/talks/{0}"),
        (r"(?:www\.)?loom\.com/embed/(\w+)", "https://www.loom.com/share/{0}"),
        (r"archive\.org/embed/([\w.-]+)", "https://archive.org/details/{0}"),
        (r"fast\.wistia\.(?:net|com)/embed/iframe/(\w+)", "https://fast.wistia.net/embed/iframe/{0}"),
        (r"embed\.podcasts\.apple\.com/([^?#]+)", "https://podcasts.apple.com/{0}"),
        # Posts.
        (r"(?:www\.)?instagram\.com/(p|reel|tv)/([\w-]+)", "https://www.instagram.com/{0}/{1}/"),
        (r"(?:www\.)?tiktok\.com/embed/(?:v2/|v3/)?(\d+)", "https://www.tiktok.com/@/video/{0}"),
        (r"embed\.reddit\.com/(r/[\w/-]+)", "https://www.reddit.com/{0}"),
        (r"embed\.bsky\.app/embed/([\w:.]+)/app\.bsky\.feed\.post/(\w+)", "https://bsky.app/profile/{0}/post/{1}"),
        # Code.
        (r"codepen\.io/([\w-]+)/embed/(?:preview/)?(\w+)", "https://codepen.io/{0}/pen/{1}"),
        (r"codesandbox\.io/embed/([\w-]+)", "https://codesandbox.io/s/{0}"),
        (r"gist\.github\.com/([\w-]+)/(\w+)", "https://gist.github.com/{0}/{1}"),
        (r"jsfiddle\.net/([\w/]+?)/embedded", "https://jsfiddle.net/{0}/"),
        (r"stackblitz\.com/(edit/[\w-]+|github/[\w/.-]+)", "https://stackblitz.com/{0}"),
    )
)  # fmt: skip
_BY_QUERY: tuple[tuple[str, str, str], ...] = (
    # Host and path, the parameter that names the page, its address ("{0}" alone: the parameter is the address).
    ("youtube.com/embed/videoseries", "list", "https://www.youtube.com/playlist?list={0}"),
    ("youtube.com/watch", "v", "https://www.youtube.com/watch?v={0}"),
    ("platform.twitter.com/embed", "id", "https://x.com/i/status/{0}"),
    ("twitframe.com/show", "url", "{0}"),
    ("w.soundcloud.com/player", "url", "{0}"),
    ("facebook.com/plugins/post.php", "href", "{0}"),
    ("facebook.com/plugins/video.php", "href", "{0}"),
    ("dailymotion.com/player", "video", "https://www.dailymotion.com/video/{0}"),
    ("player.bilibili.com/player.html", "bvid", "https://www.bilibili.com/video/{0}"),
    ("player.twitch.tv", "video", "https://www.twitch.tv/videos/{0}"),
    ("player.twitch.tv", "channel", "https://www.twitch.tv/{0}"),
    ("clips.twitch.tv/embed", "clip", "https://clips.twitch.tv/{0}"),
)
_BY_ATTRIBUTE: dict[str, tuple[str, str]] = {
    # Elements that name the id instead of an address.
    "lite-youtube": ("videoid", "https://www.youtube.com/watch?v={0}"),
    "youtube-embed": ("video-id", "https://www.youtube.com/watch?v={0}"),
    "lite-vimeo": ("videoid", "https://vimeo.com/{0}"),
    "amp-youtube": ("data-videoid", "https://www.youtube.com/watch?v={0}"),
    "amp-vimeo": ("data-videoid", "https://vimeo.com/{0}"),
    "amp-dailymotion": ("data-videoid", "https://www.dailymotion.com/video/{0}"),
    "amp-twitter": ("data-tweetid", "https://x.com/i/status/{0}"),
    "amp-instagram": ("data-shortcode", "https://www.instagram.com/p/{0}/"),
    "amp-soundcloud": ("data-trackid", "https://api.soundcloud.com/tracks/{0}"),
    "amp-tiktok": ("data-src", "https://www.tiktok.com/@/video/{0}"),
}
_NOT_CONTENT = re.compile(
    r"doubleclick|googlesyndication|googletagmanager|google-analytics|adservice|amazon-adsystem|/adserver|adnxs|criteo"
    r"|taboola|outbrain|disqus|facebook\.com/(?:tr|plugins/(?:like|share|page|comments))|platform\.twitter\.com/widgets"
    r"|sharethis|addthis|recaptcha|hcaptcha|scorecardresearch|quantserve|cookiebot|consent|hotjar|clarity\.ms"
    r"|accounts\.google|/ads?[/.?]|adform|rubiconproject|pubmatic|moatads|hubspot|mailchimp|substack\.com/embed"
    r"|about:blank|/newsletter"
)
_NO_TITLE = re.compile(
    r"(?:youtube|vimeo|dailymotion|spotify|twitter|x|instagram|tiktok|soundcloud)?"
    r"\s*(?:video player|embedded? content|player|embed|iframe|post|tweet|widget|video|content|frame)?",
    re.IGNORECASE,
)
_ADVERTISEMENT = re.compile(r"\b(?:advert\w*|3rd party ad|ads?|analytics|tracking|captcha)\b", re.IGNORECASE)
_SOURCES = (
    "src",
    "data-src",
    "data-lazy-src",
    "data-litespeed-src",
    "data",
    "url",
    "data-href",
    "data-url",
    "data-embed-src",
)


def standardize_embeds(root: Element, survey: Survey, base_url: str | None) -> None:
    """Replace every embedded thing by a link; advertisements and nameless frames go."""
    seen: set[str] = set()
    if not survey.tags.isdisjoint(EMBED_TAGS):
        for element in list(root.iter_elements(EMBED_TAGS)):
            if element.parent is not None:
                _rewrite(element, base_url, seen)
    if "script" in survey.tags:
        for script in list(root.iter_elements("script")):
            if "gist.github.com/" in (script.attr("src") or ""):
                _rewrite(script, base_url, seen)
    for element in survey.roles["embed"]:
        if element.parent is not None:
            _rewrite_marked(element, base_url, seen)


def page_of(url: str) -> str | None:
    """The page that an embedded player or post belongs to."""
    address = re.sub(r"^https?://(?:www\.)?", "", url)
    for pattern, page in _BY_PATH:
        match = pattern.match(address)
        if match:
            return page.format(*match.groups())
    for place, parameter, page in _BY_QUERY:
        if place in address[:200]:
            try:
                value = parse_qs(urlsplit(url).query).get(parameter)
            except ValueError:
                return None
            if value and (page != "{0}" or value[0].startswith(("http://", "https://"))):
                return page.format(value[0])
    return None


def _rewrite(element: Element, base_url: str | None, seen: set[str]) -> None:
    attrs = {name: element.attr(name) or "" for name in element.attrs}
    inside = [value for source in element.iter_elements(("source", "embed")) if (value := source.attr("src"))]
    _put(element, *shown_at(element.tag, attrs, inside, base_url), seen)


def shown_at(
    tag: str, attrs: Mapping[str, str], inside: Sequence[str], base_url: str | None
) -> tuple[str | None, str | None]:
    """Where an embedded thing can be seen, and its title; ``inside`` are the addresses of the sources in it."""
    named = _BY_ATTRIBUTE.get(tag)
    title = _title(attrs)
    if named:
        value = attrs.get(named[0], "").strip()
        return (named[1].format(value) if re.fullmatch(r"[\w-]+", value) else None), title
    source = _source(attrs, inside, base_url)
    if (
        source is None
        or (tag == "video" and _is_backdrop(attrs))
        or (_NOT_CONTENT.search(source) and page_of(source) is None)
        or _ADVERTISEMENT.search(title or "")
    ):
        return None, None
    page = page_of(source)
    if page is None and tag in ("iframe", "amp-iframe", "object", "embed", "script") and title is None:
        return None, None
    return page or source, title


def _is_backdrop(attrs: Mapping[str, str]) -> bool:
    """A clip that runs by itself, without sound or controls, is decoration."""
    return "controls" not in attrs and "autoplay" in attrs and not {"muted", "loop"}.isdisjoint(attrs)


def _put(element: Element, url: str | None, title: str | None, seen: set[str]) -> None:
    if url is None or url in seen or not url.startswith(("http://", "https://")):
        if element.tag == "object" and url is None:
            element.unwrap()
        else:
            element.extract()
        return
    seen.add(url)
    replace(element, Element("div", None, [Element("a", {"href": url}, [Text(title or url)])]))


def _source(attrs: Mapping[str, str], inside: Sequence[str], base_url: str | None) -> str | None:
    for name in _SOURCES:
        value = attrs.get(name)
        if value and not value.startswith(("data:", "blob:", "about:", "javascript:")):
            url = absolute(value, base_url)
            if url:
                return url
    return next((url for value in inside if (url := absolute(value, base_url))), None)


def _title(attrs: Mapping[str, str]) -> str | None:
    for name in ("title", "aria-label", "playlabel", "data-title"):
        value = squeezed(attrs.get(name, ""))
        if value and not _NO_TITLE.fullmatch(value):
            return value[:300]
    return None


def _rewrite_marked(element: Element, base_url: str | None, seen: set[str]) -> None:
    holds_link = next(element.iter_elements("a"), None) is not None
    url = marked_at(element.attr, element.text, holds_link, base_url)
    if url:
        _put(element, url, None, seen)


def marked_at(attr: Callable[[str], str | None], text: str, holds_link: bool, base_url: str | None) -> str | None:
    """Where posts named by an attribute, and bare addresses that a script would have turned into a player, are seen."""
    names = (attr("class") or "").lower().split()
    if "instagram-media" in names:
        url = absolute(attr("data-instgrm-permalink") or "", base_url)
        return page_of(url) or url if url else None
    if "tiktok-embed" in names:
        return absolute(attr("cite") or "", base_url) if len(squeezed(text)) < 40 else None
    if "youtube-player" in names:
        value = (attr("data-id") or "").strip()
        return f"https://www.youtube.com/watch?v={value}" if re.fullmatch(r"[\w-]{6,}", value) else None
    if "fb-post" in names or "fb-video" in names:
        return absolute(attr("data-href") or "", base_url)
    text = text.strip()
    if re.fullmatch(r"https?://\S+", text) and not holds_link:
        return page_of(unquote(text)) or text
    return None
