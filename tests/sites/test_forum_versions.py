"""Threads in the markup of other versions and themes of forum software: every post once, who wrote it, and when.

The frames are ours, after what the versions serve; the shells have one version of each system.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

from duramen import extract
from duramen.parts.records.values import Post

NAMES = ("Ines", "Bo", "Kaya")
WORDS = (
    "Oaks live for centuries, and their heartwood is hard, dark and durable, as every keeper of a forest knows. " * 2
)
_MICRODATA = re.compile(r' item(?:prop|type|scope)(?:="[^"]*")?')


class Version(NamedTuple):
    id: str
    framework: str | None
    start: str
    post: str
    """With {n} from 1, {p} the number of the post, {name}, and {body}; written on the 1{n}th of March 2026."""
    end: str
    link: str
    """How the permalinks end."""
    scores: bool = False


VERSIONS = (
    Version(
        "phpbb-3.0-prosilver",
        "phpbb",
        '<body id="phpbb" class="section-viewtopic ltr"><div id="wrap"><div id="page-body"><h2><a href="./t">Oaks</a></h2>',
        '<div id="p{p}" class="post bg2"><div class="inner"><div class="postbody"><ul class="profile-icons"><li>'
        '<a href="./posting.php?mode=quote"><span>Reply with quote</span></a></li></ul><h3><a href="#p{p}">Re: Oaks</a></h3>'
        '<p class="author"><a href="./viewtopic.php?p={p}#p{p}"><img src="post.gif" alt="Post"></a>by <strong>'
        '<a href="./memberlist.php?mode=viewprofile&amp;u={n}">{name}</a></strong> &raquo; Sat Mar 1{n}, 2026 10:01 am</p>'
        '<div class="content">{body}</div><div id="sig{p}" class="signature">Quoth I.</div></div>'
        '<dl class="postprofile" id="profile{p}"><dt><a href="./memberlist.php?mode=viewprofile&amp;u={n}">{name}</a></dt>'
        "<dd><strong>Posts:</strong> 12</dd><dd><strong>Joined:</strong> Mon Jan 05, 2009 3:12 pm</dd></dl>"
        '<div class="back2top"><a href="#wrap">Top</a></div></div></div><hr class="divider">',
        "</div></div>",
        "#p{p}",
    ),
    Version(
        "phpbb-3.0-subsilver2",
        "phpbb",
        '<body class="ltr"><div id="wrapcentre"><div id="pageheader"><h2><a class="titles" href="./viewtopic.php?t=1">Oaks'
        '</a></h2></div><div id="pagecontent">',
        '<table class="tablebg" width="100%" cellspacing="1"><tr class="row1"><td align="center"><a name="p{p}"></a>'
        '<b class="postauthor">{name}</b></td><td width="100%"><table width="100%"><tr><td class="gensmall"><div>'
        '<b>Post subject:</b> Re: Oaks</div><div><a href="./viewtopic.php?p={p}#p{p}"><img src="p.gif" alt="Post"></a>'
        "<b>Posted:</b> Sat Mar 1{n}, 2026 10:01 am&nbsp;</div></td></tr></table></td></tr>"
        '<tr class="row1"><td valign="top" class="profile"><table><tr><td class="postdetails"><b>Joined:</b> Mon Jan 05,'
        " 2009 3:12 pm<br><b>Posts:</b> 12</td></tr></table></td><td><table width=100%><tr><td>"
        '<div class="postbody">{body}</div></td></tr></table></td></tr></table>',
        "</div></div>",
        "#p{p}",
    ),
    Version(
        "phpbb-3.3-guest",
        "phpbb",
        '<body id="phpbb" class="nojs notouch section-viewtopic ltr"><div id="wrap" class="wrap"><div id="page-body"'
        ' class="page-body" role="main"><h2 class="topic-title"><a href="./viewtopic.php?t=1">Oaks</a></h2>',
        '<div id="p{p}" class="post has-profile bg1"><div class="inner"><dl class="postprofile" id="profile{p}">'
        '<dt class="no-profile-rank no-avatar"><div class="avatar-container"></div><span class="username">{name}</span></dt>'
        '<dd class="profile-joined"><strong>Joined:</strong> Mon Jan 05, 2009 3:12 pm</dd></dl><div class="postbody">'
        '<div id="post_content{p}"><h3><a href="./viewtopic.php?p={p}#p{p}">Re: Oaks</a></h3><p class="author">'
        '<a class="unread" href="./viewtopic.php?p={p}#p{p}" title="Post"><i class="icon"></i><span class="sr-only">Post'
        '</span></a><span class="responsive-hide">by <strong><span class="username">{name}</span></strong> &raquo; </span>'
        '<time datetime="2026-03-1{n}T10:01:00+00:00">Sat Mar 1{n}, 2026 10:01 am</time></p>'
        '<div class="content">{body}</div><div class="notice">Last edited by <a href="./u">Root</a> on Sun Mar 29, 2026'
        ' 9:00 am, edited 1 time in total.</div></div></div><div class="back2top"><a href="#top">Top</a></div></div></div>',
        "</div></div>",
        "#p{p}",
    ),
    Version(
        "xenforo-1.5",
        "xenforo",
        '<base href="https://forum.example.org/"><body id="XenForo"><div id="content" class="thread_view"><div class="titleBar">'
        '<h1>Oaks</h1></div><ol class="messageList" id="messageList">',
        '<li id="post-{p}" class="message" data-author="{name}"><div class="messageUserInfo"><div class="messageUserBlock">'
        '<h3 class="userText"><a href="members/x.{n}/" class="username" dir="auto">{name}</a><em class="userTitle">Member</em>'
        '</h3></div></div><div class="messageInfo primaryContent"><div class="messageContent"><article>'
        '<blockquote class="messageText SelectQuoteContainer ugc baseHtml">{body}<div class="messageTextEndMarker">&nbsp;</div>'
        '</blockquote></article></div><div class="messageMeta"><div class="privateControls"><span class="item muted">'
        '<span class="authorEnd"><a href="members/x.{n}/" class="username author">{name}</a>,</span> <a'
        ' href="threads/oaks.1/#post-{p}" title="Permalink" class="datePermalink"><span class="DateTime" title="Mar 1{n},'
        ' 2026 at 10:01 AM">Mar 1{n}, 2026</span></a></span></div></div></div></li>',
        "</ol></div>",
        "threads/oaks.1/#post-{p}",
    ),
    Version(
        "xenforo-2.3-votes",
        "xenforo",
        '<body id="XF" data-template="thread_view"><div class="p-body-main"><h1 class="p-title-value">Oaks</h1><div class="block-body">',
        '<article class="message message--post js-post" data-author="{name}" data-content="post-{p}" id="js-post-{p}">'
        '<span class="u-anchorTarget" id="post-{p}"></span><div class="message-inner"><div class="message-cell'
        ' message-cell--user"><section class="message-user"><h4 class="message-name"><a href="/members/x.{n}/"'
        ' class="username">{name}</a></h4><dl class="pairs"><dt>Joined</dt><dd>Jan 5, 2009</dd></dl></section></div>'
        '<div class="message-cell message-cell--vote"><span class="contentVote-score">4{n}</span></div>'
        '<div class="message-cell message-cell--main"><header class="message-attribution"><ul><li class="u-concealed">'
        '<a href="/threads/oaks.1/post-{p}"><time class="u-dt" datetime="2026-03-1{n}T10:01:00+0000">Mar 1{n}, 2026</time>'
        '</a></li></ul></header><div class="message-content"><article class="message-body"><div class="bbWrapper">{body}'
        '</div></article></div><footer class="message-footer"><div class="reactionsBar"><a class="reactionsBar-link">'
        "<bdi>user330</bdi> and 1 other person</a></div></footer></div></div></article>",
        "</div></div>",
        "/threads/oaks.1/post-{p}",
        scores=True,
    ),
    Version(
        "xenforo-2.2-cards",
        "xenforo",
        '<body id="XF" data-template="thread_view"><div class="p-body-main"><div class="block-body">',
        '<div class="MessageCard js-messageCard js-post" id="js-post-{p}"><span class="u-anchorTarget" id="post-{p}"></span>'
        '<div class="MessageCard__container"><header class="MessageCard__header"><span class="icon-with-text">last post by '
        '<a href="/members/z.9/">Zoe</a> <time class="u-dt" datetime="2026-03-29T09:00:00-0400">Mar 29, 2026</time></span>'
        '<div class="MessageCard__user-info"><a class="MessageCard__user-info__name" href="/members/x.{n}/">{name}</a>'
        '<div class="MessageCard__user-details"><span class="MessageCard__join-date">Joined 2009</span></div></div></header>'
        '<span class="MessageCard__nested-postbit"><a class="MessageCard__post-position" href="#post-{p}">#{n}</a>'
        '<a class="MessageCard__date-created" href="#post-{p}"><time class="u-dt" datetime="2026-03-1{n}T10:01:00-0400">'
        'Mar 1{n}, 2026</time></a></span><div class="message-cell"><div class="message-content"><article'
        ' class="message-body"><div class="bbWrapper">{body}</div></article></div></div></div></div>',
        "</div></div>",
        "https://forum.example.org/t/1#post-{p}",
    ),
    Version(
        "vbulletin-3.8",
        "vbulletin",
        '<meta name="generator" content="vBulletin 3.8.11"><body><div class="page"><table class="tborder"><tr><td'
        ' class="navbar"><strong>Oaks</strong></td></tr></table></div><div id="posts">',
        '<div class="page"><div id="edit{p}"><table id="post{p}" class="tborder" cellpadding="6"><tr><td class="thead">'
        '<a name="post{p}"><img class="inlineimg" src="old.gif" alt="Old"></a> 03-1{n}-2026, 10:01 AM</td><td class="thead"'
        ' align="right">#<a href="showpost.php?p={p}&amp;postcount={n}" id="postcount{p}" name="{n}"><strong>{n}</strong></a>'
        '</td></tr><tr><td class="alt2"><div id="postmenu_{p}"><a class="bigusername" href="member.php?u={n}">{name}</a></div>'
        '<div class="smallfont"><div>Join Date: Jan 2009</div><div>Posts: 12</div></div></td><td class="alt1"'
        ' id="td_post_{p}"><div class="smallfont"><strong>Oaks</strong></div><hr><div id="post_message_{p}">{body}</div>'
        "</td></tr></table></div></div>",
        "</div>",
        "showpost.php?p={p}&postcount={n}",
    ),
    Version(
        "vbulletin-3-without-tables",
        "vbulletin",
        '<body><div class="vbmenu_control"><a href="/l">Log in</a></div><h1>Oaks</h1><div id="posts">',
        '<div id="edit{p}"><div id="post{p}"><div class="tpost tborder"><div class="trow thead smallfont"><div class="tcell">'
        'Mar 1{n}, 2026 | 10:01 am</div><div class="tcell text-right">#<a id="postcount{p}" href="/forum/{p}-post{n}.html">'
        '<strong>{n}</strong></a></div></div><div class="trow"><div class="tcell alt2"><div id="postmenu_{p}">'
        '<a class="bigusername" href="/members/x.html">{name}</a></div><div>Join Date: <b>Jan 2009</b></div></div>'
        '<div class="tcell alt1" id="td_post_{p}"><div id="post_message_{p}">{body}</div></div></div></div></div></div>',
        "</div>",
        "/forum/{p}-post{n}.html",
    ),
    Version(
        "vbulletin-5",
        "vbulletin",
        '<meta name="generator" content="vBulletin 5.6.9"><body><div id="content"><h1 class="b-topic-title">Oaks</h1>'
        '<ul class="conversation-list list-container thread-view">',
        '<li class="b-post js-post js-post__list-item" data-node-id="{p}" itemscope itemtype="http://schema.org/Comment">'
        '<a id="post{p}" class="anchor"></a><div class="b-post__body"><div class="b-userinfo"><div class="author">'
        '<strong><a href="/member/{n}-x">{name}</a></strong></div><ul><li><label>Join Date:</label> <span>Jan 2009</span></li>'
        '</ul></div><div class="b-post__content js-post__content"><div class="b-media"><a class="b-post__count'
        ' js-show-post-link" href="/forum/f/1-oaks?p={p}#post{p}">#{n}</a><div class="b-post__timestamp"><time'
        ' itemprop="dateCreated" datetime="2026-03-1{n}T10:01:00">03-1{n}-2026, 10:01 AM</time></div></div>'
        '<div class="js-post__content-text" itemprop="text">{body}</div></div></div></li>',
        "</ul></div>",
        "#post{p}",
    ),
    Version(
        "discourse-rendered",
        "discourse",
        '<meta name="generator" content="Discourse 3.5.0"><body><div id="main-outlet"><div id="topic-title"><h1>'
        '<a href="/t/oaks/1">Oaks</a></h1></div><div class="post-stream">',
        '<div class="topic-post clearfix regular"><article id="post_{n}" role="region" data-post-id="{p}" class="boxed'
        ' onscreen-post"><div class="row"><div class="topic-avatar"><a class="main-avatar" href="/u/x"><img'
        ' class="avatar" src="a.png"></a></div><div class="topic-body"><div class="topic-meta-data"><div class="names">'
        '<span class="first username"><a href="/u/x" data-user-card="x">{name}</a></span></div><div class="post-infos">'
        '<div class="post-info post-date"><a class="post-date" href="/t/oaks/1/{n}" title="Post date"><span'
        ' title="March 1{n}, 2026 10:01 am" class="relative-date">3d</span></a></div></div></div><div class="regular'
        ' contents"><div class="cooked">{body}</div><nav class="post-controls"><div class="double-button"><button'
        ' class="button-count like-count" title="4{n} people liked this post">4{n}</button></div></nav></div></div></div></article></div>',
        "</div></div>",
        "/t/oaks/1/{n}",
        scores=True,
    ),
    Version(
        "stackexchange-2020",
        "stackexchange",
        '<body class="question-page"><div id="content"><div id="question-header"><h1><a class="question-hyperlink"'
        ' href="/q/101">Oaks</a></h1></div><div id="mainbar">',
        '{before}<div class="post-layout"><div class="votecell post-layout--left"><div class="js-voting-container">'
        '<div class="js-vote-count grid--cell" itemprop="upvoteCount" data-value="4{n}">4{n}</div></div></div>'
        '<div class="post-layout--right"><div class="s-prose js-post-body" itemprop="text">{body}</div><div class="mb0">'
        '<div class="post-menu"><a href="/a/{p}" class="js-share-link">share</a></div><div class="post-signature grid--cell">'
        '<div class="user-info"><div class="user-action-time"><a href="/posts/{p}/revisions">edited <span'
        ' title="2026-03-29 09:00:00Z" class="relativetime">Mar 29</span></a></div><div class="user-details">'
        '<a href="/users/9/zoe">Zoe</a></div></div></div><div class="post-signature grid--cell"><div class="user-info">'
        '<div class="user-action-time">answered <span title="2026-03-1{n} 10:01:00Z" class="relativetime">Mar 1{n}</span>'
        '</div><div class="user-details" itemprop="author" itemscope itemtype="http://schema.org/Person">'
        '<a href="/users/{n}/x">{name}</a><span class="d-none" itemprop="name">{name}</span></div></div></div></div>'
        '<ul class="comments-list"><li class="comment"><span class="comment-copy">I agree with this.</span>'
        '<a class="comment-user" href="/users/8/jo">Jo</a></li></ul></div></div></div>',
        "</div></div></div>",
        "/a/{p}",
        scores=True,
    ),
    Version(
        "fluxbb",
        None,
        '<body><div id="punviewtopic" class="pun"><div id="brdmain"><h2><a href="viewtopic.php?id=1">Oaks</a></h2>',
        '<div id="p{p}" class="blockpost rowodd"><h2><span><span class="conr">#{n}</span> <a href="viewtopic.php?pid={p}#p{p}">'
        '2026-03-1{n} 10:01:02</a></span></h2><div class="box"><div class="inbox"><div class="postbody"><div class="postleft">'
        "<dl><dt><strong>{name}</strong></dt><dd class=usertitle><strong>Member</strong></dd><dd><span>Registered: 2009-01-05"
        '</span></dd></dl></div><div class="postright"><h3>Re: Oaks</h3><div class="postmsg">{body}</div></div></div></div>'
        "</div></div>",
        "</div></div>",
        "#p{p}",
    ),
    Version(
        "nodebb-2-persona",
        "nodebb",
        '<script src="/assets/nodebb.min.js?v=1"></script><body class="page-topic template-topic"><h1>Oaks</h1><ul component="topic" class="posts list-unstyled">',
        '<li component="post" class="{owner}" data-pid="{p}"><div class="post-header"><a href="/user/x{n}">{name}</a>'
        '<a class="timeago" href="/post/{p}" title="2026-03-1{n}T10:01:00.000Z"><time class="timeago"'
        ' datetime="2026-03-1{n}T10:01:00.000Z"></time></a></div><div class="content" component="post/content">{body}</div></li>',
        "</ul>",
        "/post/{p}",
    ),
    Version(
        "nodebb-4-harmony",
        "nodebb",
        '<script defer src="/assets/nodebb.min.js?v=1"></script><body class="page-topic page-topic-1 template-topic"><h1'
        ' component="post/header"><span class="topic-title" component="topic/title">Oaks</span></h1><ul component="topic">',
        '<li component="post" class="{owner}" data-pid="{p}" data-username="{name}" itemprop="comment" itemscope'
        ' itemtype="http://schema.org/Comment"><meta itemprop="datePublished" content="2026-03-1{n}T10:01:00.000Z">'
        '<div component="post/parent"><a href="/user/zoe">Zoe</a><a href="/post/7" class="timeago hidden"'
        ' title="2024-11-27T15:50:23.066Z"></a><div component="post/parent/content"><p>Post by Zoe.</p></div></div>'
        '<div class="post-header"><a class="fw-bold" href="/user/x{n}" data-username="{name}">{name}</a>'
        '<a class="permalink" href="/post/{p}"><span class="timeago" title="2026-03-1{n}T10:01:00.000Z"></span></a></div>'
        '<div class="content" component="post/content" itemprop="text">{body}</div><div component="post/footer">'
        '<div component="post/signature">Quoth I.</div><span component="post/vote-count">4{n}</span></div></li>',
        "</ul>",
        "/post/{p}",
        scores=True,
    ),
    Version(
        "invision-4",
        "invision",
        '<body class="ipsApp ipsApp_front ipsJS_none" data-pagemodule="forums"><main id="ipsLayout_body"'
        ' class="ipsLayout_container"><div class="ipsPageHeader"><h1 class="ipsType_pageTitle ipsContained_container">'
        "<span>Oaks</span></h1></div>",
        '<a id="comment-{p}"></a><article id="elComment_{p}" class="cPost ipsBox ipsComment ipsComment_parent">'
        '<div class="cAuthorPane_mobile"><h3 class="cAuthorPane_author"><a href="/profile/{n}-x/">{name}</a></h3></div>'
        '<aside class="ipsComment_author cAuthorPane"><h3 class="cAuthorPane_author"><strong><a href="/profile/{n}-x/">'
        '{name}</a></strong></h3><ul class="cAuthorPane_info"><li data-role="group">Members</li><li>Posts: 12</li></ul>'
        '</aside><div class="ipsColumn"><div id="comment-{p}_wrap" class="ipsComment_content"><div class="ipsComment_meta">'
        '<a href="/topic/1-oaks/?do=findComment&amp;comment={p}">Posted <time datetime="2026-03-1{n}T10:01:00Z">March 1{n}'
        '</time></a></div><div class="cPost_contentWrap"><div data-role="commentContent" class="ipsType_normal'
        ' ipsType_richText">{body}<span class="ipsType_light" data-excludequote>Edited March 29 by Root</span></div>'
        '<ul class="ipsComment_controls"><li><a href="#">Quote</a></li></ul></div><div data-role="memberSignature">'
        '<div class="ipsType_richText"><p>Quoth I.</p></div></div></div></div></article>',
        "</main>",
        "comment={p}",
    ),
    Version(
        "invision-5",
        "invision",
        '<html data-ips-path="/" data-ips-scheme="light"><body class="ipsApp ipsApp_front" data-pageApp="forums">'
        '<main class="ipsLayout"><header><h1 data-ips-hook="title">Oaks</h1></header>',
        '<article id="elComment_{p}" class="ipsEntry js-ipsEntry ipsEntry--post"><aside class="ipsEntry__author-column">'
        '<h3 class="ipsEntry__username"><a href="/profile/{n}-x/" class="ipsUsername">{name}</a></h3><div'
        ' class="ipsEntry__group">Members</div></aside><div class="ipsEntry__content"><div class="ipsEntry__post"><div'
        ' class="ipsEntry__meta"><span class="ipsEntry__date"><a href="/topic/1-oaks/#findComment-{p}"><time'
        ' datetime="2026-03-1{n}T10:01:00Z"><span class="ipsTime__long">March 1{n}, 2026</span><span'
        ' class="ipsTime__short">1 yr</span></time></a></span></div><div class="ipsRichText ipsRichText--user"'
        ' data-role="commentContent">{body}</div><div class="ipsEntry__signature" data-role="memberSignature"><p>Quoth I.'
        "</p></div></div></div></article>",
        "</main>",
        "#findComment-{p}",
    ),
    Version(
        "mybb-1.8",
        "mybb",
        '<script src="https://f.example/jscripts/general.js?ver=1"></script><body><div id="content"><table><tr><td'
        ' class="thead"><strong>Oaks</strong></td></tr><tr><td id="posts_container"><div id="posts">',
        '<a name="pid{p}" id="pid{p}"></a><div class="post" id="post_{p}"><div class="post_author"><div'
        ' class="author_information"><strong><span class="largetext"><a href="member.php?action=profile&amp;uid={n}">{name}'
        '</a></span></strong><br><span class="smalltext">Junior Member</span></div><div class="author_statistics">Posts: 12'
        '<br>Joined: Jan 2009</div></div><div class="post_content"><div class="post_head"><div class="float_right"><strong>'
        '<a href="showthread.php?tid=1&amp;pid={p}#pid{p}">#{n}</a></strong></div><span class="post_date">2026-03-1{n},'
        ' 10:01 AM <span class="post_edit"></span></span></div><div class="post_body scaleimages" id="pid_{p}">{body}</div>'
        '<div class="signature scaleimages">Quoth I.</div><div class="post_meta"></div></div><div class="post_controls">'
        '<a href="newreply.php">Reply</a></div></div>',
        "</div></td></tr></table></div>",
        "#pid{p}",
    ),
    Version(
        "smf-2.0",
        "smf",
        '<body><div id="main_content_section"><div id="forumposts"><div class="cat_bar"><h3 class="catbg">Topic: Oaks</h3>'
        '</div><form id="quickModForm">',
        '<div class="windowbg2"><div class="post_wrapper"><div class="poster"><h4><a href="index.php?action=profile;u={n}"'
        ' title="View the profile of {name}">{name}</a></h4><ul class="reset smalltext"><li>Posts: 12</li></ul></div><div'
        ' class="postarea"><div class="flow_hidden"><div class="keyinfo"><h5 id="subject_{p}"><a'
        ' href="index.php?topic=1.msg{p}#msg{p}">Re: Oaks</a></h5><div class="smalltext">&#171; <strong>Reply #{n} on:'
        '</strong> March 1{n}, 2026, 10:01:00 AM &#187;</div></div></div><div class="post"><div class="inner"'
        ' id="msg_{p}">{body}</div></div></div><div class="moderatorbar"><div class="smalltext modified"></div><div'
        ' class="signature">Quoth I.</div></div></div></div>',
        "</form></div></div>",
        "#msg{p}",
    ),
    Version(
        "smf-2.1",
        "smf",
        '<body id="chrome" class="action_messageindex"><div id="main_content_section"><div id="display_head"'
        ' class="information"><h2 class="display_title"><span id="top_subject">Oaks</span></h2></div><div id="forumposts">',
        '<div class="windowbg" id="msg{p}"><div class="post_wrapper"><div class="poster"><h4><a'
        ' href="index.php?action=profile;u={n}">{name}</a></h4><ul class="user_info"><li>Posts: 12</li></ul></div><div'
        ' class="postarea"><div class="keyinfo"><div id="subject_{p}" class="subject_title subject_hidden"><a'
        ' href="index.php?msg={p}#msg{p}">Re: Oaks</a></div><div class="postinfo"><a href="index.php?msg={p}#msg{p}"'
        ' class="smalltext">March 1{n}, 2026, 10:01:00 AM</a></div></div><div class="post"><div class="inner"'
        ' data-msgid="{p}" id="msg_{p}">{body}</div></div><div class="under_message"><ul><li>Logged</li></ul></div></div>'
        '<div class="moderatorbar"><div class="signature">Quoth I.</div></div></div></div>',
        "</div></div>",
        "#msg{p}",
    ),
)


def thread(version: Version) -> str:
    posts = []
    for n, name in enumerate(NAMES, start=1):
        values = {
            "{n}": str(n),
            "{p}": str(100 + n),
            "{name}": name,
            "{body}": f"<p>Post by {name} herself. {WORDS}</p><blockquote>Zoe, Mar 9, 2026 at 9:09 am: yes</blockquote>",
            # The question is an element of its own, before the answers.
            "{before}": '<div id="question" class="question">' if n == 1 else '<div class="answer">',
            "{owner}": "topic-owner-post self-post" if n != 2 else "",
        }
        post = version.post
        for sign, value in values.items():
            post = post.replace(sign, value)
        posts.append(post + ('<div id="answers">' if n == 1 and "{before}" in version.post else ""))
    return f"<html lang=en><title>Oaks</title>{version.start}{''.join(posts)}{version.end}</html>"


@pytest.mark.parametrize("microdata", [True, False], ids=["with microdata", "without"])
@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: version.id)
def test_every_post_once_in_every_version(version: Version, microdata: bool) -> None:
    html = thread(version)
    result = extract(html if microdata else _MICRODATA.sub("", html), "https://forum.example.org/t/1")
    assert (result.framework.id if result.framework else None) == version.framework
    posts = [record for record in result.records if isinstance(record, Post)]
    assert [post.author for post in posts] == list(NAMES)
    assert [str(post.published)[:10] for post in posts] == [f"2026-03-1{n}" for n in range(1, 4)]
    for n, post in enumerate(posts, start=1):
        assert re.findall(r"Post by (\w+)", post.text) == [NAMES[n - 1]]
        assert "Joined" not in post.text
        assert "Posts:" not in post.text
        expected = version.link.replace("{n}", str(n)).replace("{p}", str(100 + n))
        assert str(post.permalink or "").endswith(expected)
        assert post.score == (40 + n if version.scores else None)
