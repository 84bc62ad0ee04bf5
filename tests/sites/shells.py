"""Pages of systems that cannot be built here, as they serve them: the frame of each, with room for a body.

The structure was checked against real pages; every word is our own. ``{title}``, ``{body}`` and ``{posts}`` are filled
by :mod:`tests.sites.written`; a post's frame has ``{body}`` and ``{n}``.
"""

from __future__ import annotations

from dataclasses import dataclass

from .documents import AUTHOR, FOOTER, SITE, TAGLINE

_HEAD = (
    '<!DOCTYPE html>\n<html lang="en"{html}>\n<head><meta charset="utf-8"><title>{{title}}{tail}</title>{head}</head>\n'
)
_NAV = '<nav class="{cls}"><ul><li><a href="/">Lodge</a></li><li><a href="/about/">Who we are</a></li><li><a href="/shop/">Larder</a></li></ul></nav>'
_TEASERS = (
    "<ul>"
    '<li><a href="/moss/">Seven mosses you can mistake for a carpet</a></li>'
    '<li><a href="/owl/">The owl that sued the county</a></li>'
    '<li><a href="/rain/">Rain gauges ranked by a duck</a></li>'
    "</ul>"
)

FORBIDDEN = (
    SITE,
    TAGLINE,
    FOOTER,
    AUTHOR,
    "Who we are",
    "Seven mosses you can mistake",
    "The owl that sued",
    "Leave a reply",
    "Subscribe now",
    "Share this sheet",
    "Add to basket",
    "Log in",
    "Quoth the comment",
)
"""What stands around the body in every frame that has it."""


@dataclass(frozen=True)
class Shell:
    name: str
    framework: str
    page: str
    post: str = ""
    """The frame of one post, for systems whose content is many."""
    callout: str = ""
    """How it writes a box, with ``{kind}`` and ``{body}``."""
    code: str = '<pre><code class="language-{language}">{code}</code></pre>'
    heading: str = "<h{level}>{text}</h{level}>"


def _head(head: str, html: str = "", tail: str = f" – {SITE}") -> str:
    return _HEAD.format(html=html, head=head, tail=tail)


WORDPRESS = Shell(
    "wordpress-block",
    "wordpress",
    _head(
        '<meta name="generator" content="WordPress 6.8.2">'
        '<link rel="stylesheet" id="wp-block-library-css" href="/wp-includes/css/dist/block-library/style.min.css">'
        '<style id="global-styles-inline-css">.x{color:red}</style>'
    )
    + '<body class="wp-singular post-template-default single single-post postid-41 wp-embed-responsive"><div class="wp-site-blocks">'
    '<header class="wp-block-template-part"><p class="wp-block-site-title"><a href="/">'
    + SITE
    + "</a></p>"
    + _NAV.format(cls="wp-block-navigation")
    + '</header><main class="wp-block-group" id="wp--skip-link--target"><h1 class="wp-block-post-title">{title}</h1>'
    '<div class="wp-block-template-part"><time datetime="2026-03-14T10:00:00+00:00">March 14, 2026</time> by '
    '<a href="/author/ottoline/">' + AUTHOR + "</a></div>"
    '<div class="entry-content wp-block-post-content is-layout-constrained">{body}'
    '<div class="sharedaddy sd-sharing-enabled"><h3 class="sd-title">Share this sheet:</h3><a href="#">Pigeon</a></div>'
    '<div id="jp-relatedposts" class="jp-relatedposts"><h3 class="jp-relatedposts-headline"><em>Related</em></h3>'
    + _TEASERS
    + "</div></div>"
    '<nav class="wp-block-group post-navigation"><div class="post-navigation-link-previous wp-block-post-navigation-link">'
    '<a href="/owl/">The owl that sued the county</a></div></nav><div class="wp-block-comments" id="comments"><h2>One reply</h2>'
    '<ol class="wp-block-comment-template"><li class="comment"><div class="wp-block-comment-content"><p>Quoth the comment: '
    "well measured, sir, and well said by the gate.</p></div></li></ol><h3>Leave a reply</h3></div></main>"
    "<footer><p>" + FOOTER + "</p></footer></div></body></html>",
    code='<pre class="wp-block-code"><code lang="{language}" class="language-{language}">{code}</code></pre>',
    heading='<h{level} class="wp-block-heading">{text}</h{level}>',
)

WORDPRESS_CLASSIC = Shell(
    "wordpress-classic",
    "wordpress",
    _head(
        '<meta name="generator" content="WordPress 5.2"><script id="jquery-core-js" src="/wp-includes/js/jquery.js"></script>'
    )
    + '<body class="post-template-default single single-post postid-7"><div id="page" class="site"><header id="masthead" class="site-header">'
    '<p class="site-title"><a href="/">'
    + SITE
    + '</a></p><p class="site-description">'
    + TAGLINE
    + "</p>"
    + _NAV.format(cls="main-navigation")
    + '</header><div id="content" class="site-content"><div id="primary" class="content-area"><main id="main" class="site-main">'
    '<article id="post-7" class="post-7 post type-post hentry category-notes"><header class="entry-header"><h1 class="entry-title">{title}</h1>'
    '<div class="entry-meta"><span class="posted-on"><a href="/2026/03/14/"><time class="entry-date published">March 14, 2026</time></a></span>'
    '<span class="byline"> by <span class="author vcard"><a href="/author/o/">'
    + AUTHOR
    + "</a></span></span></div></header>"
    '<div class="entry-content">{body}</div><footer class="entry-footer"><span class="tags-links">Tagged <a href="/tag/w/">winter</a></span></footer>'
    '</article><div id="comments" class="comments-area"><h2 class="comments-title">One thought</h2><ol class="comment-list"><li class="comment">'
    "<p>Quoth the comment: I shall try that with my pear tree.</p></li></ol>"
    '<div id="respond" class="comment-respond"><h3 class="comment-reply-title">Leave a reply</h3></div></div></main></div>'
    '<aside id="secondary" class="widget-area"><section class="widget"><h2 class="widget-title">Fresh sheets</h2>'
    + _TEASERS
    + "</section></aside>"
    '</div><footer id="colophon" class="site-footer">' + FOOTER + "</footer></div></body></html>",
)

GITBOOK = Shell(
    "gitbook-cloud",
    "gitbook",
    _head('<meta name="generator" content="GitBook (b4c1d2e)">', ' class="circular-corners theme-clean tint"')
    + '<body class="site-background"><div class="gitbook-root"><header id="site-header"><a href="/">'
    + SITE
    + "</a></header>"
    '<div class="flex flex-col lg:flex-row"><aside id="table-of-contents">' + _TEASERS + "</aside>"
    '<div class="flex-1 flex flex-row"><main class="relative min-w-0 flex-1"><header class="max-w-3xl mx-auto mb-6"><nav aria-label="Breadcrumb"><ol><li>'
    '<a href="/wardens">Who we are</a></li></ol></nav><h1 class="text-4xl font-bold">{title}</h1></header>'
    '<div class="grid [&amp;&gt;*+*]:mt-5 whitespace-pre-wrap">{body}</div>'
    '<div class="flex flex-col md:flex-row mt-6 gap-2"><a href="/owl"><span>Next</span><span>The owl that sued the county</span></a></div>'
    '<div class="flex flex-row page-last-modified"><p>Last updated <time datetime="2026-03-14">4 days ago</time></p></div>'
    '<div role="radiogroup">Was this helpful?</div></main>'
    '<aside class="page-outline"><h5>On this page</h5><ul><li><a href="#x">Part one</a></li></ul></aside></div></div>'
    "<footer>" + FOOTER + "</footer></div></body></html>",
    code='<div class="group/codeblock grid"><div class="flex"><button aria-label="Copy">Copy</button></div><pre class="overflow-auto"><code>{lines}</code></pre></div>',
    callout='<div class="hint px-4 py-4 bg-tint"><div class="hint-icon"></div><div class="flex-1">{body}</div></div>',
    heading='<h{level} id="h-{n}" class="flex items-baseline"><div class="hash grid"><a href="#h-{n}" aria-label="Direct link to heading"></a></div>'
    '<div class="flex-1 text-xl">{text}</div></h{level}>',
)

GHOST = Shell(
    "ghost",
    "ghost",
    _head('<meta name="generator" content="Ghost 5.87">')
    + '<body class="post-template tag-notes"><div class="gh-viewport"><header id="gh-head" class="gh-head outer"><a class="gh-head-logo" href="/">'
    + SITE
    + "</a>"
    + _NAV.format(cls="gh-head-menu")
    + '</header><main id="site-main" class="site-main"><article class="article post tag-notes"><header class="article-header gh-canvas">'
    '<h1 class="article-title">{title}</h1><div class="article-byline"><a href="/author/o/">'
    + AUTHOR
    + "</a> <time>14 Mar 2026</time></div></header>"
    '<section class="gh-content gh-canvas">{body}<div class="kg-card kg-signup-card"><h2>Subscribe now</h2><p>Get each sheet by owl.</p></div></section></article></main>'
    '<section class="footer-cta outer"><h2>Subscribe now</h2></section><aside class="read-more-wrap outer"><div class="read-more inner">'
    + _TEASERS
    + "</div></aside>"
    '<footer class="site-footer outer">' + FOOTER + "</footer></div></body></html>",
    code='<figure class="kg-card kg-code-card"><pre><code class="language-{language}">{code}</code></pre></figure>',
    callout='<div class="kg-card kg-callout-card kg-callout-card-blue"><div class="kg-callout-emoji">💡</div><div class="kg-callout-text">{inline}</div></div>',
)

SUBSTACK = Shell(
    "substack",
    "substack",
    _head("")
    + '<body><div id="entry"><div id="main" class="main typography use-theme-bg"><div class="pencraft topBar"><h1 class="pencraft"><a href="/">'
    + SITE
    + '</a></h1><button>Subscribe now</button></div><div class="single-post-container"><div class="container"><div class="single-post">'
    '<article class="typography newsletter-post post"><div class="post-header"><h1 class="post-title published">{title}</h1>'
    '<div class="pencraft byline"><a href="/@o">' + AUTHOR + '</a><div class="pencraft">Mar 14, 2026</div></div>'
    '<div class="post-ufi"><a class="post-ufi-button">Share</a></div></div><div><div class="available-content"><div dir="auto" class="body markup">{body}'
    '<div class="subscription-widget-wrap" data-attrs="x"><div class="subscription-widget"><p>Subscribe now and hear the fen.</p></div></div></div></div>'
    '<div class="post-footer"><div class="post-ufi">Share this sheet</div></div></div></article>'
    '<div id="discussion" class="comments-page"><h4>Discussion about this post</h4><div class="comment"><p>Quoth the comment: my slate cracked.</p></div></div>'
    "</div></div></div><footer>" + FOOTER + "</footer></div></div></body></html>",
    code="<pre><code>{code}</code></pre>",
)

MEDIUM = Shell(
    "medium",
    "medium",
    _head(
        '<meta property="al:android:package" content="com.medium.reader"><meta property="al:ios:app_name" content="Medium">',
        tail=f" | by {AUTHOR} | Medium",
    )
    + '<body><div id="root"><div class="a b c"><nav><a href="/">Log in</a></nav><article class="meteredContent"><div class="l"><section><div class="fo fp">'
    '<h1 id="t1" class="pw-post-title gq gr" data-testid="storyTitle">{title}</h1>'
    '<div class="speechify-ignore ab co"><a href="/@o" data-testid="authorName">'
    + AUTHOR
    + "</a><span>4 min read</span><button>Follow</button></div>"
    '{body}</div></section></div></article><div class="speechify-ignore"><h2>More from the fen</h2>'
    + _TEASERS
    + "</div></div></div></body></html>",
    code='<pre class="nn no"><span id="c{n}" class="np">{code}</span></pre>',
)

MEDIAWIKI = Shell(
    "mediawiki",
    "mediawiki",
    _head('<meta name="generator" content="MediaWiki 1.43.1">', ' class="client-nojs vector-toc-available"')
    + '<body class="skin-vector mediawiki ltr ns-0 ns-subject page-Rings"><div class="mw-page-container"><header class="mw-header"><a href="/">'
    + SITE
    + "</a></header>"
    '<div class="vector-column-start"><nav id="mw-panel"><ul><li><a href="/wiki/Main">Who we are</a></li></ul></nav></div><main id="content" class="mw-body">'
    '<header class="mw-body-header"><h1 id="firstHeading" class="firstHeading mw-first-heading"><span class="mw-page-title-main">{title}</span></h1></header>'
    '<div id="bodyContent" class="vector-body"><div id="siteSub" class="noprint">'
    + TAGLINE
    + '</div><div id="mw-content-text" class="mw-body-content">'
    '<div class="mw-content-ltr mw-parser-output" lang="en" dir="ltr">{body}'
    '<div class="navbox" role="navigation"><table><tr><th>Fen lore</th></tr><tr><td>'
    + _TEASERS
    + "</td></tr></table></div></div>"
    '<div class="printfooter">Retrieved from the fen</div></div><div id="catlinks" class="catlinks"><a href="/wiki/C">Categories</a>: <a href="/wiki/Trees">Trees</a></div>'
    '</div></main><footer id="footer" class="mw-footer">' + FOOTER + "</footer></div></body></html>",
    code='<div class="mw-highlight mw-highlight-lang-{language} mw-content-ltr" dir="ltr"><pre>{spans}</pre></div>',
    heading='<div class="mw-heading mw-heading{level}"><h{level} id="s{n}">{text}</h{level}><span class="mw-editsection">'
    '<span class="mw-editsection-bracket">[</span><a href="/e"><span>edit</span></a><span class="mw-editsection-bracket">]</span></span></div>',
)

DISCOURSE = Shell(
    "discourse",
    "discourse",
    _head(
        '<meta name="generator" content="Discourse 3.4.0 - https://github.com/discourse/discourse"><meta id="data-discourse-setup" data-base-url="/">'
    )
    + '<body class="crawler"><header><a href="/">'
    + SITE
    + '</a></header><div id="main-outlet" class="wrap" role="main"><div id="topic-title"><h1>'
    '<a href="/t/1">{title}</a></h1><div class="topic-category"><a href="/c/lore" class="badge-wrapper bullet"><span class="badge-category-name">Fen lore</span></a></div></div>'
    '<div itemscope itemtype="http://schema.org/DiscussionForumPosting">{posts}</div>'
    '<div id="related-topics" class="more-topics__list" role="complementary"><h3 class="more-topics__list-title">Related topics</h3>'
    + _TEASERS
    + "</div></div>"
    '<footer class="container wrap"><nav class="crawler-nav"><a href="/about">Who we are</a></nav>'
    + FOOTER
    + "</footer></body></html>",
    post='<div id="post_{n}" itemprop="comment" itemscope itemtype="http://schema.org/Comment" class="topic-body crawler-post"><div class="crawler-post-meta">'
    '<span class="creator" itemprop="author"><a href="/u/w{n}"><span itemprop="name">warden{n}</span></a></span><span class="crawler-post-infos">'
    '<time datetime="2026-03-14T10:00:00Z" class="post-time">March 14, 2026, 10:0{n}am</time><span itemprop="position">{n}</span></span></div>'
    '<div class="post" itemprop="text">{body}</div><div itemprop="interactionStatistic"><span class="post-likes">2 Likes</span></div></div>',
    code='<pre><code class="lang-{language}">{code}</code></pre>',
)

PHPBB = Shell(
    "phpbb",
    "phpbb",
    _head("")
    + '<body id="phpbb" class="nojs notouch section-viewtopic ltr"><div id="wrap" class="wrap"><div id="page-header"><div class="headerbar"><p>'
    + SITE
    + "</p></div>"
    '<div class="navbar"><ul id="nav-main" class="nav-main linklist"><li><a href="./ucp.php?mode=login">Log in</a></li></ul></div></div>'
    '<div id="page-body" class="page-body" role="main"><h2 class="topic-title"><a href="./viewtopic.php?t=1">{title}</a></h2>'
    '<div class="action-bar bar-top"><div class="pagination">3 posts</div></div>{posts}</div>'
    '<div id="page-footer" class="page-footer"><div class="copyright">' + FOOTER + "</div></div></div></body></html>",
    post='<div id="p{n}" class="post has-profile bg2"><div class="inner"><dl class="postprofile" id="profile{n}"><dt><a href="./m?u={n}" class="username">warden{n}</a></dt>'
    '<dd class="profile-posts"><strong>Posts:</strong> <a href="./s">1{n}</a></dd></dl><div class="postbody"><div id="post_content{n}"><h3><a href="#p{n}">Re: the tree</a></h3>'
    '<ul class="post-buttons"><li><a href="./q" title="Reply with quote"><span>Quote</span></a></li></ul><p class="author">by <strong><a href="./m?u={n}">warden{n}</a></strong>'
    ' &raquo; <time>14 Mar 2026 10:0{n}</time></p><div class="content">{body}</div><div class="signature">Quoth the comment in my signature</div></div></div>'
    '<div class="back2top"><a href="#top">Top</a></div></div></div><hr class="divider">',
    code='<div class="codebox"><p>Code: <a href="#">Select all</a></p><pre><code>{code}</code></pre></div>',
)

VBULLETIN = Shell(
    "vbulletin",
    "vbulletin",
    _head('<meta name="generator" content="vBulletin 4.2.5">', ' id="vbulletin_html"')
    + '<body><div class="above_body"><div id="header"><a href="forum.php">'
    + SITE
    + '</a></div><div id="navbar" class="navbar"><ul><li><a href="/">Who we are</a></li></ul></div></div>'
    '<div class="body_wrapper"><div id="breadcrumb" class="breadcrumb"><ul><li>Fen lore</li></ul></div><div id="pagetitle" class="pagetitle"><h1>Thread: '
    '<span class="threadtitle"><a href="t1">{title}</a></span></h1></div><div id="postlist" class="postlist"><ol id="posts" class="posts">{posts}</ol></div></div>'
    '<div id="footer" class="floatcontainer footer">' + FOOTER + "</div></body></html>",
    post='<li class="postbitlegacy postbitim postcontainer" id="post_{n}"><div class="posthead"><span class="postdate"><span class="date">14-03-2026</span></span></div>'
    '<div class="postdetails"><div class="userinfo"><a class="username" href="m{n}"><strong>warden{n}</strong></a><span class="usertitle">Senior keeper</span></div>'
    '<div class="postbody"><div class="postrow"><div class="content"><div id="post_message_{n}"><blockquote class="postcontent restore">{body}</blockquote></div></div>'
    '<blockquote class="signature restore"><div class="signaturecontainer">Quoth the comment in my signature</div></blockquote></div></div></div>'
    '<div class="postfoot"><a href="r">Reply With Quote</a></div></li>',
    code='<div class="bbcode_container"><div class="bbcode_description">Code:</div><pre class="bbcode_code">{code}</pre></div>',
)

XENFORO = Shell(
    "xenforo",
    "xenforo",
    _head("", ' id="XF" data-app="public" data-template="thread_view"')
    + '<body data-template="thread_view"><div class="p-pageWrapper"><header class="p-header"><a href="/">'
    + SITE
    + "</a></header>"
    '<nav class="p-nav"><a href="/login" class="p-navgroup-link">Log in</a></nav><div class="p-body"><div class="p-body-inner"><div class="p-body-header"><div class="p-title">'
    '<h1 class="p-title-value">{title}</h1></div></div><div class="p-body-main"><div class="p-body-content"><div class="block block--messages"><div class="block-body js-replyNewMessageContainer">'
    '{posts}</div></div><div class="block"><h3 class="block-minorHeader">Similar threads</h3>'
    + _TEASERS
    + "</div></div></div></div></div>"
    '<footer class="p-footer">' + FOOTER + "</footer></div></body></html>",
    post='<article class="message message--post" data-author="warden{n}" id="js-post-{n}"><div class="message-inner"><div class="message-cell message-cell--user"><section class="message-user">'
    '<h4 class="message-name"><a href="m/{n}" class="username">warden{n}</a></h4><h5 class="userTitle">Keeper of felt</h5></section></div><div class="message-cell message-cell--main"><div class="message-main">'
    '<header class="message-attribution"><a href="p{n}"><time class="u-dt">Mar 14, 2026</time></a><a href="p{n}">#{n}</a></header><div class="message-content"><article class="message-body js-selectToQuote">'
    '<div class="bbWrapper">{body}</div><div class="js-selectToQuoteEnd">&nbsp;</div></article></div>'
    '<footer class="message-footer"><div class="reactionsBar">Reactions: warden9</div></footer><aside class="message-signature"><div class="bbWrapper">Quoth the comment in my signature</div></aside></div></div></div></article>',
    code='<div class="bbCodeBlock bbCodeBlock--screenLimited bbCodeBlock--code"><div class="bbCodeBlock-title">Code:</div><div class="bbCodeBlock-content" dir="ltr"><pre class="bbCodeCode" dir="ltr"><code>{code}</code></pre></div></div>',
)

STACK = Shell(
    "stackexchange",
    "stackexchange",
    _head("")
    + '<body class="question-page unified-theme"><header class="s-topbar js-top-bar"><a href="/">'
    + SITE
    + '</a><a href="/login">Log in</a></header><div class="container"><div id="left-sidebar"><ul><li><a href="/">Who we are</a></li></ul></div>'
    '<div id="content"><div id="question-header"><h1 itemprop="name"><a href="/questions/1" class="question-hyperlink">{title}</a></h1></div>'
    '<div class="d-flex"><div class="flex--item">Asked <time>today</time></div><div class="flex--item">Viewed 41 times</div></div><div id="mainbar" role="main"><div class="question js-question" id="question">'
    '{first}</div><div id="answers"><div id="answers-header"><h2>2 Answers</h2></div>{posts}</div></div>'
    '<div id="sidebar" role="complementary"><div class="module"><h4>Related</h4>'
    + _TEASERS
    + "</div></div></div></div>"
    '<footer id="footer">' + FOOTER + "</footer></body></html>",
    post='<div class="answer js-answer" id="answer-{n}"><div class="post-layout"><div class="votecell"><div class="js-voting-container"><button aria-label="Up vote">Up</button>'
    '<div class="js-vote-count">4{n}</div></div></div><div class="postcell answercell"><div class="s-prose js-post-body" itemprop="text">{body}</div>'
    '<div class="mt24"><div class="js-post-menu"><a href="#">Share</a> <a href="#">Improve this answer</a></div><div class="post-signature"><div class="user-info">answered by <a href="/u/{n}">warden{n}</a></div></div></div></div>'
    '<div class="comments js-comments-container"><ul class="comments-list"><li class="comment"><span class="comment-copy">Quoth the comment: have you tried felt?</span></li></ul></div></div></div>',
    code='<pre class="lang-{language} s-code-block"><code class="hljs language-{language}">{code}</code></pre>',
)

SHOPIFY = Shell(
    "shopify",
    "shopify",
    _head('<script id="shopify-features" type="application/json">{{}}</script>')
    + '<body class="gradient"><div id="shopify-section-header" class="shopify-section section-header"><header class="header"><a href="/">'
    + SITE
    + "</a>"
    + _NAV.format(cls="header__inline-menu")
    + '</header></div><main id="MainContent" class="content-for-layout"><section id="shopify-section-template--1__main" class="shopify-section"><article class="article-template">'
    '<div class="page-width"><header class="article-template__header"><h1 class="article-template__title">{title}</h1><span class="circle-divider caption-with-letter-spacing"><time>March 14, 2026</time></span></header></div>'
    '<div class="article-template__social-sharing"><button>Share this sheet</button></div><div class="article-template__content page-width rte">{body}</div>'
    '<div class="article-template__back"><a href="/blogs/fen">Back to the fen</a></div><div class="article-template__comment-wrapper"><h2>Leave a reply</h2></div></article></section></main>'
    '<div id="shopify-section-footer" class="shopify-section"><footer>' + FOOTER + "</footer></div></body></html>",
)

WOOCOMMERCE = Shell(
    "woocommerce",
    "woocommerce",
    _head('<meta name="generator" content="WordPress 6.8"><meta name="generator" content="WooCommerce 9.9.3">')
    + '<body class="wp-singular product-template-default single single-product woocommerce woocommerce-page"><header class="site-header"><a href="/">'
    + SITE
    + "</a>"
    + _NAV.format(cls="main-navigation")
    + '</header><main id="main" class="site-main"><nav class="woocommerce-breadcrumb"><a href="/">Lodge</a> / Larder</nav>'
    '<div id="product-3" class="product type-product post-3 status-publish instock"><div class="woocommerce-product-gallery images"><img src="/m.jpg" alt=""></div>'
    '<div class="summary entry-summary"><h1 class="product_title entry-title">{title}</h1><p class="price"><span class="amount">41 kr</span></p>'
    '<form class="cart"><button type="submit" class="single_add_to_cart_button">Add to basket</button></form><div class="product_meta">SKU: <span class="sku">M-41</span></div></div>'
    '<div class="woocommerce-tabs wc-tabs-wrapper"><ul class="tabs wc-tabs" role="tablist"><li class="description_tab"><a href="#tab-description">Description</a></li></ul>'
    '<div class="woocommerce-Tabs-panel woocommerce-Tabs-panel--description panel entry-content wc-tab" id="tab-description" role="tabpanel">{body}</div></div>'
    '<section class="related products"><h2>Related products</h2>'
    + _TEASERS
    + "</section></div></main><footer>"
    + FOOTER
    + "</footer></body></html>",
)

GITHUB = Shell(
    "github",
    "github",
    _head(
        '<meta name="octolytics-url" content="https://example.org/o"><meta name="hostname" content="github.com">',
        tail=" · GitHub",
    )
    + '<body class="logged-out env-production page-responsive"><header class="HeaderMktg"><a href="/login">Log in</a></header><div id="repository-container-header"><strong>wardens/archive</strong></div>'
    '<main id="js-repo-pjax-container"><turbo-frame id="repo-content-turbo-frame"><div id="repo-content-pjax-container" class="repository-content"><table aria-labelledby="folders"><tr><td><a href="/f">src</a></td><td>Mend the gate</td></tr></table>'
    '<div id="readme" class="Box"><article class="markdown-body entry-content container-lg" itemprop="text"><div class="markdown-heading"><h1 class="heading-element">{title}</h1><a id="user-content-x" class="anchor" href="#x"></a></div>{body}</article></div>'
    '<div class="BorderGrid"><h2>About</h2><p>'
    + TAGLINE
    + "</p></div></div></turbo-frame></main><footer>"
    + FOOTER
    + "</footer></body></html>",
    code='<div class="highlight highlight-source-{language} notranslate" dir="auto"><pre>{spans}</pre><div class="zeroclipboard-container"><clipboard-copy value="x"></clipboard-copy></div></div>',
    callout='<div class="markdown-alert markdown-alert-{kind}" dir="auto"><p class="markdown-alert-title" dir="auto">{Kind}</p>{body}</div>',
    heading='<div class="markdown-heading" dir="auto"><h{level} class="heading-element" dir="auto">{text}</h{level}><a id="a{n}" class="anchor" aria-label="Permalink" href="#a{n}"></a></div>',
)

SHELLS = (
    WORDPRESS,
    WORDPRESS_CLASSIC,
    GITBOOK,
    GHOST,
    SUBSTACK,
    MEDIUM,
    MEDIAWIKI,
    DISCOURSE,
    PHPBB,
    VBULLETIN,
    XENFORO,
    STACK,
    SHOPIFY,
    WOOCOMMERCE,
    GITHUB,
)
