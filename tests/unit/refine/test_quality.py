"""The verdict: obstacles are found in many languages, pages about obstacles are left alone, limits belong to types."""

from __future__ import annotations

import re
import time

import pytest

import duramen
from duramen.model import PageKind, PageType, Quality
from duramen.options import Options
from duramen.page import Page
from duramen.read.reader import read_page
from duramen.refine.obstacles import find_obstacles
from duramen.refine.quality import GOOD_AT, LIMITS, PARTIAL_AT, assess
from duramen.refine.reader_messages import Lines, NormalizedText, ReaderMessages, pieces, plain, plain_lines
from duramen.tables import load

BLOCKING = {"consent_wall", "bot_challenge", "error_page", "needs_javascript", "login_wall"}

PROSE = (
    "Oak heartwood is hard, dark and durable, and for centuries shipwrights chose it for keels and ribs. ",
    "The living part of the trunk is the sapwood, which carries water from the roots up to the leaves. ",
    "As rings age, the tree fills them with tannins and gums, and they stop carrying water altogether. ",
    "What remains is dead in every sense that matters to the tree, yet it holds the whole crown upright. ",
    "Fungi that feed on sapwood within a few summers need decades to make their way through heartwood. ",
    "Carpenters therefore cut the pale outer wood away before they bring a beam under a roof for good. ",
)


def article(words: int = 500) -> str:
    """Paragraphs of prose, about this many words."""
    count = max(1, words // 18)
    return "".join(f"<p>{PROSE[n % 6]}{PROSE[(n * 5 + 1) % 6]}</p>" for n in range((count + 1) // 2))


def html(body: str, title: str = "", head: str = "", lang: str = "en") -> str:
    return f"<!doctype html><html lang={lang}><head><title>{title}</title>{head}</head><body>{body}</body></html>"


def codes(quality: Quality) -> list[str]:
    return [reason.split(":", 1)[0] for reason in quality.reasons]


NAV = "<nav><a href=/>Home</a> <a href=/news>News</a> <a href=/sport>Sport</a> <a href=/about>About us</a></nav>"
FOOT = "<footer><p>© 2026 Example Ltd. All rights reserved.</p><a href=/privacy>Privacy</a></footer>"


def error(title: str, heading: str, text: str, lang: str) -> str:
    return html(f"{NAV}<main><h1>{heading}</h1><p>{text}</p></main>{FOOT}", title, lang=lang)


def consent(text: str, accept: str, reject: str, lang: str) -> str:
    return html(
        f"<div><p>{text}</p><form><button>{accept}</button><button>{reject}</button></form></div>", "Example", lang=lang
    )


def paid(text: str, lang: str) -> str:
    return html(f"<article><h1>Oak</h1>{article(120)}<div><p>{text}</p></div></article>{FOOT}", "Oak", lang=lang)


OBSTACLES: dict[str, tuple[str, str]] = {
    # Bot challenges
    "cloudflare": (
        "bot_challenge",
        html(
            "<div class=main-wrapper><h1>www.example.org</h1><p id=cf-spinner>Verifying you are human. This"
            " may take a few"
            " seconds.</p><p>www.example.org needs to review the security of your connection before"
            " proceeding.</p></div>"
            "<script>window._cf_chl_opt={cvId:'3'};</script>",
            "Just a moment...",
        ),
    ),
    "cloudflare-noscript": (
        "bot_challenge",
        html(
            "<noscript><div>Enable JavaScript and cookies to"
            " continue</div></noscript><script>window._cf_chl_opt={}</script>",
            "Just a moment...",
        ),
    ),
    "cloudflare-de": (
        "bot_challenge",
        html(
            "<h1>example.org</h1><p>Bestätigen Sie, dass Sie ein Mensch sind, indem Sie die folgende Aktion"
            " durchführen.</p>"
            "<script src=/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1></script>",
            "Nur einen Moment…",
            lang="de",
        ),
    ),
    "cloudflare-block": (
        "bot_challenge",
        html(
            "<h1>Sorry, you have been blocked</h1><h2>You are unable to access example.org</h2><p>This"
            " website is using a"
            " security service to protect itself from online attacks.</p><p>Cloudflare Ray ID: 8f2 • Your IP:"
            " 192.0.2.1 •"
            " Performance &amp; security by Cloudflare</p>",
            "Attention Required! | Cloudflare",
        ),
    ),
    "datadome": (
        "bot_challenge",
        html(
            "<p id=cmsg>Please enable JS and disable any ad blocker</p><script>var dd={'rt':'c','cid':'A'}</script>"
            "<script src=https://ct.captcha-delivery.com/c.js></script>",
            "example.org",
        ),
    ),
    "perimeterx": (
        "bot_challenge",
        html(
            "<div><h1>Press &amp; Hold to confirm you are a human (and not a bot).</h1><div id=px-captcha></div>"
            "<p>Reference ID 6b2</p></div><script>window._pxAppId='PX1';</script>",
            "Access to this page has been denied",
        ),
    ),
    "akamai": (
        "bot_challenge",
        "<HTML><HEAD><TITLE>Access Denied</TITLE></HEAD><BODY><H1>Access Denied</H1>You don't have permission to access"
        ' "http&#58;&#47;&#47;example&#46;org" on this server.<P>Reference'
        " #18.2d<P>https&#58;//errors.edgesuite.net/18.2d</BODY></HTML>",
    ),
    "imperva": (
        "bot_challenge",
        "<html><head><META NAME=robots CONTENT=noindex></head><body><iframe"
        " src='/_Incapsula_Resource?CWUDNSAI=9'>Request"
        " unsuccessful. Incapsula incident ID: 1</iframe></body></html>",
    ),
    "imperva-pardon": (
        "bot_challenge",
        html(
            "<h1>Pardon Our Interruption</h1><p>As you were browsing something about your browser made us"
            " think you were a"
            " bot.</p><p>There are a few reasons this might happen:</p><ul><li>You're a power user.</li></ul>",
            "Pardon Our Interruption",
        ),
    ),
    "anubis": (
        "bot_challenge",
        html(
            "<h1>Making sure you're not a bot!</h1><p>Loading...</p><p>You are seeing this because the"
            " administrator has set"
            " up Anubis.</p><script id=anubis_challenge type=application/json>{}</script>",
            "Making sure you're not a bot!",
        ),
    ),
    "aws-waf": ("bot_challenge", html("<div id=challenge-container></div><script>window.gokuProps = {}</script>")),
    "vercel": (
        "bot_challenge",
        html(
            "<p>We're verifying your browser</p><script src=/.well-known/vercel/security/x.js></script>",
            "Vercel Security Checkpoint",
        ),
    ),
    "google-sorry": (
        "bot_challenge",
        html(
            "<form><div class=g-recaptcha></div></form><p>Our systems have detected unusual traffic from your computer"
            " network. This page checks to see if it's really you sending the requests, and not a robot.</p>",
            "https://www.example.org/search",
        ),
    ),
    "captcha-ru": (
        "bot_challenge",
        html(
            "<h1>Подтвердите, что запросы отправляли вы, а не робот</h1><p>Нам очень жаль, но запросы с"
            " вашего устройства"
            " похожи на автоматические.</p><form action=/checkcaptcha>Я не робот</form>",
            "Вы не робот?",
            lang="ru",
        ),
    ),
    "captcha-zh": (
        "bot_challenge",
        html("<p>请完成验证,确认您不是机器人。</p><div id=slider></div>", "安全验证", lang="zh"),
    ),
    "captcha-ja": (
        "bot_challenge",
        html("<p>続行するには、人間であることを確認してください。</p>", "しばらくお待ちください...", lang="ja"),
    ),
    "captcha-es": (
        "bot_challenge",
        html(
            "<h1>example.org</h1><p>Verifique que es humano completando la acción siguiente.</p>",
            "Un momento…",
            lang="es",
        ),
    ),
    # Error pages
    "geo-block": (
        "error_page",
        html(
            "<h1>Unavailable in your region</h1><p>Our European visitors are important to us, but due to legal reasons"
            " this site is for now unavailable in the European Economic Area.</p>",
            "Unavailable in your region",
        ),
    ),
    "handlebars": (
        "needs_javascript",
        html(
            "<article><h1>{{ page.title }}</h1><p>{{ page.summary }}</p><p>by {{ author.name }} on {{ page.date }}</p>"
            "<p>{{ page.body }} {{#each notes}} ${note.text} {{/each}}</p></article>",
            "{{ page.title }}",
        ),
    ),
    "long-template": (
        "needs_javascript",
        html(
            "<article><h1>Oaks</h1>"
            + "".join(f"<p>{{{{ part.of.{n} | safe }}}} oaks {{% if {n} %}} of <%= hill %></p>" for n in range(200))
            + "</article>",
            "Oaks",
        ),
    ),
    "nginx-404": (
        "error_page",
        "<html><head><title>404 Not Found</title></head><body><center><h1>404 Not"
        " Found</h1></center><hr><center>nginx</center></body></html>",
    ),
    "nginx-502": (
        "error_page",
        "<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad"
        " Gateway</h1></center></body></html>",
    ),
    "apache-403": (
        "error_page",
        "<title>403 Forbidden</title><h1>Forbidden</h1><p>You don't have permission to access this"
        " resource.</p><address>Apache Server at example.org Port 443</address>",
    ),
    "wordpress-db": ("error_page", html("<h1>Error establishing a database connection</h1>", "Database Error")),
    "next-404": (
        "error_page",
        html(
            "<div id=__next><h1>404</h1><div><h2>This page could not be found.</h2></div></div>",
            "404: This page could not be found.",
        ),
    ),
    "aspnet": (
        "error_page",
        html(
            "<h1>Server Error in '/' Application.</h1><h2>Runtime Error</h2><p>An application error occurred"
            " on the server.</p>",
            "Runtime Error",
        ),
    ),
    "s3": (
        "error_page",
        html(
            "<h1>403 Forbidden</h1><ul><li>Code: AccessDenied</li><li>Message: Access Denied</li></ul>", "403 Forbidden"
        ),
    ),
    "maintenance": (
        "error_page",
        html(
            "<h1>Down for maintenance</h1><p>We are performing maintenance and will be back soon.</p>",
            "Example | Maintenance mode",
        ),
    ),
    "error-teasers": (
        "error_page",
        html(
            f"{NAV}<main><h1>Oops! Page not found</h1><p>Sorry, the page you are looking for may have been"
            " moved or deleted.</p>"
            + "<h2>Popular</h2>"
            + "".join(f"<div><h3><a href=/{n}>TraceDetails {n}</a></h3><p>{PROSE[n]}</p></div>" for n in range(6))
            + f"</main>{FOOT}",
            "Page not found - Example",
        ),
    ),
    "error-en": (
        "error_page",
        error("Page Not Found | Example", "We can't find that page", "The page you requested no longer exists.", "en"),
    ),
    "error-exclamation": (
        "error_page",
        error("Oops! | Example", "Oops!", "We can't seem to find the page you're looking for.", "en"),
    ),
    "error-removed": (
        "error_page",
        error("Example", "This article has been removed", "The article you requested is no longer available.", "en"),
    ),
    "error-de": (
        "error_page",
        error(
            "Seite nicht gefunden – Beispiel", "Fehler 404", "Die gesuchte Seite wurde verschoben oder gelöscht.", "de"
        ),
    ),
    "error-fr": (
        "error_page",
        error("Page introuvable | Exemple", "Page introuvable", "La page que vous recherchez n'existe plus.", "fr"),
    ),
    "error-es": (
        "error_page",
        error("Página no encontrada - Ejemplo", "¡Ups! Error 404", "La página que buscas ya no existe.", "es"),
    ),
    "error-it": (
        "error_page",
        error("Pagina non trovata", "404", "La pagina che stai cercando non esiste più. Torna alla home.", "it"),
    ),
    "error-pt": (
        "error_page",
        error("Página não encontrada", "Erro 404", "A página que você procura não existe mais.", "pt"),
    ),
    "error-nl": ("error_page", error("Pagina niet gevonden", "404", "De pagina die je zoekt bestaat niet meer.", "nl")),
    "error-pl": (
        "error_page",
        error("404 – Nie znaleziono strony", "Strona nie istnieje", "Strona, której szukasz, została usunięta.", "pl"),
    ),
    "error-sv": (
        "error_page",
        error("Sidan hittades inte", "Sidan kunde inte hittas", "Sidan du söker kan ha flyttats.", "sv"),
    ),
    "error-da": (
        "error_page",
        error("Siden blev ikke fundet", "Siden findes ikke", "Siden, du leder efter, findes ikke længere.", "da"),
    ),
    "error-no": (
        "error_page",
        error("Siden ble ikke funnet", "Fant ikke siden", "Siden du leter etter finnes ikke lenger.", "no"),
    ),
    "error-fi": (
        "error_page",
        error("Sivua ei löytynyt", "Sivua ei löydy", "Etsimääsi sivua ei ole. Palaa etusivulle.", "fi"),
    ),
    "error-cs": (
        "error_page",
        error("Stránka nenalezena", "Stránka nebyla nalezena", "Stránka, kterou hledáte, byla odstraněna.", "cs"),
    ),
    "error-ru": (
        "error_page",
        error("Ошибка 404", "Страница не найдена", "Запрашиваемая страница была удалена.", "ru"),
    ),
    "error-uk": ("error_page", error("Сторінку не знайдено", "404", "Сторінка, яку ви шукаєте, була видалена.", "uk")),
    "error-tr": ("error_page", error("Sayfa bulunamadı", "404", "Aradığınız sayfa kaldırılmış olabilir.", "tr")),
    "error-ja": (
        "error_page",
        error("ページが見つかりません | 例", "404", "お探しのページは削除された可能性があります。", "ja"),
    ),
    "error-zh": ("error_page", error("页面不存在", "抱歉,您访问的页面不存在", "您访问的页面已被删除。返回首页", "zh")),
    "error-ko": (
        "error_page",
        error("페이지를 찾을 수 없습니다", "404", "요청하신 페이지가 삭제되었거나 주소가 변경되었습니다.", "ko"),
    ),
    "error-ar": (
        "error_page",
        error("الصفحة غير موجودة", "404", "الصفحة التي تبحث عنها غير موجودة أو تم حذفها.", "ar"),
    ),
    "error-hu": ("error_page", error("Az oldal nem található", "Hoppá!", "A keresett oldal nem létezik.", "hu")),
    "error-el": ("error_page", error("Oaks", "Η σελίδα δεν βρέθηκε", "Η σελίδα που ζητήσατε δεν υπάρχει.", "el")),
    "error-vi": ("error_page", error("Oaks", "Không tìm thấy trang", "Trang bạn tìm kiếm không tồn tại.", "vi")),
    "error-th": ("error_page", error("ไม่พบหน้าที่คุณต้องการ", "404", "ขออภัย ไม่พบหน้าที่คุณค้นหา", "th")),
    "error-hi": ("error_page", error("पृष्ठ नहीं मिला", "404", "आप जिस पृष्ठ को खोज रहे हैं वह मौजूद नहीं है।", "hi")),
    "error-fa": ("error_page", error("Oaks", "صفحه یافت نشد", "صفحه مورد نظر شما یافت نشد.", "fa")),
    "error-he": ("error_page", error("Oaks", "הדף לא נמצא", "הדף שחיפשתם לא נמצא.", "he")),
    "error-text-alone": (
        "error_page",
        html(
            f"{NAV}<div><p>您访问的页面不存在或已被删除。</p><p><a href=/>Oaks</a></p></div>{FOOT}", "Oaks", lang="zh"
        ),
    ),
    # Pages that scripts fill
    "cra": (
        "needs_javascript",
        html(
            "<noscript>You need to enable JavaScript to run this app.</noscript><div id=root></div><script"
            " src=/main.js></script>",
            "React App",
        ),
    ),
    "vue": (
        "needs_javascript",
        html(
            "<noscript><strong>We're sorry but this app doesn't work properly without JavaScript"
            " enabled.</strong></noscript><div id=app></div><script src=/app.js></script>",
            "App",
        ),
    ),
    "angular": ("needs_javascript", html("<app-root></app-root><script src=main.js type=module></script>", "Shop")),
    "next-shell": (
        "needs_javascript",
        html("<div id=__next></div><script id=__NEXT_DATA__ type=application/json>{}</script>", "Shop"),
    ),
    "loading": (
        "needs_javascript",
        html("<div id=content><p>Loading...</p></div><script src=a.js></script>", "Example"),
    ),
    "shell-with-frame": (
        "needs_javascript",
        html(f"{NAV}<div id=app></div>{FOOT}<script src=a.js></script>", "Example"),
    ),
    "shell-with-a-long-footer": (
        "needs_javascript",
        html(
            f"<header>{NAV}</header><div id=app></div><script src=a.js></script><footer><p>"
            + "The mill on the lower river has sold flour to bakers of this valley since the year of the flood. " * 8
            + "</p></footer>",
            "Example",
        ),
    ),
    "twitter": (
        "needs_javascript",
        html(
            "<div id=react-root></div><noscript><h1>JavaScript is not available.</h1><p>We've detected that"
            " JavaScript is disabled"
            " in this browser. Please enable JavaScript or switch to a supported"
            " browser.</p></noscript><script src=a.js></script>"
        ),
    ),
    "js-de": (
        "needs_javascript",
        html(
            "<noscript>Bitte aktivieren Sie JavaScript, um diese Seite zu nutzen.</noscript><div"
            " id=app></div><script src=a.js></script>",
            lang="de",
        ),
    ),
    "js-fr": (
        "needs_javascript",
        html("<p>Veuillez activer JavaScript pour continuer.</p><script src=a.js></script>", "Exemple", lang="fr"),
    ),
    "js-ja": (
        "needs_javascript",
        html(
            "<noscript>JavaScriptを有効にしてください。</noscript><div id=main></div><script src=a.js></script>",
            lang="ja",
        ),
    ),
    "js-ru": (
        "needs_javascript",
        html("<noscript>Пожалуйста, включите JavaScript в браузере.</noscript><script src=a.js></script>", lang="ru"),
    ),
    "js-ko": (
        "needs_javascript",
        html(
            "<noscript>자바스크립트를 활성화해 주세요.</noscript><div id=root></div><script src=a.js></script>",
            lang="ko",
        ),
    ),
    # Consent walls
    "consent-google": (
        "consent_wall",
        html(
            "<h1>Before you continue to Google</h1><p>We use cookies and data to deliver and maintain Google"
            " services and track"
            " outages.</p><p>If you choose to accept all, we will also use cookies and data to show"
            " personalized content and"
            " ads.</p><form><button>Reject all</button></form><form><button>Accept all</button></form>",
            "Before you continue",
        ),
    ),
    "consent-en": (
        "consent_wall",
        consent(
            "We and our 842 partners store and access personal data, like cookies, on your device. You can"
            " withdraw your consent at any time.",
            "Accept all",
            "Manage options",
            "en",
        ),
    ),
    "consent-de": (
        "consent_wall",
        consent(
            "Wir und unsere Partner verwenden Cookies und verarbeiten personenbezogene Daten, um Werbung zu"
            " zeigen. Sie können Ihre Einwilligung jederzeit widerrufen.",
            "Alle akzeptieren",
            "Ablehnen",
            "de",
        ),
    ),
    "consent-fr": (
        "consent_wall",
        consent(
            "Avec votre accord, nos partenaires et nous utilisons des cookies pour stocker et accéder à des"
            " données personnelles comme votre visite sur ce site.",
            "Tout accepter",
            "Continuer sans accepter",
            "fr",
        ),
    ),
    "consent-es": (
        "consent_wall",
        consent(
            "Nosotros y nuestros socios utilizamos cookies para almacenar datos personales con su"
            " consentimiento y mostrar publicidad personalizada.",
            "Aceptar y continuar",
            "Rechazar",
            "es",
        ),
    ),
    "consent-it": (
        "consent_wall",
        consent(
            "Noi e terze parti selezionate utilizziamo cookie o tecnologie simili con il tuo consenso, per"
            " finalità di pubblicità e per trattare dati personali.",
            "Accetta tutto",
            "Rifiuta",
            "it",
        ),
    ),
    "consent-nl": (
        "consent_wall",
        consent(
            "Wij en onze partners gebruiken cookies om persoonsgegevens op te slaan voor gepersonaliseerde"
            " advertenties. U kunt uw toestemming intrekken.",
            "Akkoord",
            "Instellingen",
            "nl",
        ),
    ),
    "consent-pl": (
        "consent_wall",
        consent(
            "My i nasi partnerzy używamy plików cookie i przetwarzamy dane osobowe za Twoją zgodą, aby"
            " wyświetlać spersonalizowane reklamy w serwisie.",
            "Przejdź do serwisu",
            "Odrzuć",
            "pl",
        ),
    ),
    "consent-manager": (
        "consent_wall",
        html(
            "<div id=onetrust-consent-sdk><h2>We value your privacy</h2><p>We use cookies to improve your"
            " experience and to show"
            " personalised advertising. By clicking accept you consent to our use of cookies.</p><a"
            " href=#>Accept all</a></div>",
            "Example",
        ),
    ),
    # Logins
    "login-en": (
        "login_wall",
        html(
            "<h1>Log in</h1><form><label>Email</label><input type=email><label>Password</label><input"
            " type=password><button>Log in</button></form>",
            "Log in | Example",
        ),
    ),
    "login-de": (
        "login_wall",
        html("<h1>Anmelden</h1><form><input type=text><input type=password></form>", "Anmelden - Beispiel", lang="de"),
    ),
    "login-forum": (
        "login_wall",
        html(
            "<p>You must be logged in to view this forum.</p><form><input name=user><input type=password></form>",
            "Members",
        ),
    ),
    "login-es": (
        "login_wall",
        html("<h1>Ejemplo</h1><p>Debes iniciar sesión para ver este contenido.</p>", "Ejemplo", lang="es"),
    ),
    "login-zh": (
        "login_wall",
        html("<h2>登录</h2><form><input type=text><input type=password></form>", "登录 - 例", lang="zh"),
    ),
    # Paywalls
    "paid-en": ("paywall", paid("Subscribe to continue reading. Already a subscriber? Log in", "en")),
    "paid-register": ("paywall", paid("Register for free to continue reading this story.", "en")),
    "paid-de": ("paywall", paid("Jetzt weiterlesen mit dem Digital-Abo. Sie sind bereits Abonnent? Anmelden", "de")),
    "paid-fr": ("paywall", paid("La suite est réservée aux abonnés. Déjà abonné ? Connectez-vous", "fr")),
    "paid-es": ("paywall", paid("Suscríbete para seguir leyendo. ¿Ya eres suscriptor?", "es")),
    "paid-it": ("paywall", paid("Contenuto riservato agli abbonati. Sei già abbonato? Accedi", "it")),
    "paid-sv": ("paywall", paid("Denna artikel är för prenumeranter. Redan prenumerant? Logga in", "sv")),
    "paid-ja": ("paywall", paid("この記事は有料会員限定です。", "ja")),
    "paid-declared": (
        "paywall",
        html(
            f"<article><h1>Oak</h1>{article(120)}</article>",
            "Oak",
            '<script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle","headline":"Oak",'
            '"isAccessibleForFree":false,"hasPart":{"@type":"WebPageElement","isAccessibleForFree":false,"cssSelector":".paid"}}</script>',
        ),
    ),
    "paid-word-count": (
        "paywall",
        html(
            f"<article><h1>Oak</h1>{article(450)}</article>",
            "Oak",
            '<script type="application/ld+json">{"@type":"Article",'
            '"isAccessibleForFree":"False","wordCount":1900}</script>',
        ),
    ),
}


@pytest.mark.parametrize("name", OBSTACLES)
def test_obstacle_is_named(name: str) -> None:
    code, page = OBSTACLES[name]
    quality = duramen.extract(page.encode(), url="https://example.org/a").quality
    assert code in codes(quality), quality
    if code in BLOCKING:
        assert quality.verdict in ("poor", "empty")
        assert quality.score <= 0.1
    else:
        assert quality.verdict != "good"


CITED = (
    "<p>“Just a moment… verify you are human”, the page said, and asked to press and hold.</p>",
    "<p>We use cookies, the banner says; accept all, reject all, manage options.</p>",
    "<p>404 page not found: the page you are looking for may have been moved or deleted.</p>",
    "<p>Subscribe to continue reading. Already a subscriber? Log in.</p>",
    "<p>You must be logged in to view this content. Please enable JavaScript.</p>",
)
BANNER = (
    "<div id=cookie-consent class=cookie-banner><p>We use cookies and similar technologies to"
    " personalise ads with our partners."
    " By clicking accept you consent.</p><button>Accept all</button><button>Reject all</button></div>"
)


def about(title: str, paragraphs: str = "", words: int = 500) -> str:
    """An article on a subject: its own paragraphs between ordinary prose."""
    first, second = article(words // 2), article(words // 2).replace("the ", "this ")
    return html(
        f"{NAV}<main><article><h1>{title}</h1>{first}{paragraphs}{second}</article></main>",
        f"{title} | Example",
    )


COOKIES = "".join(
    f"<p>{text}</p>"
    for text in (
        "A cookie is a small file that a site asks a browser to keep. Consent to it has been law in Europe since 2009.",
        "Most banners offer to accept or reject cookies, yet studies find that the settings are hard to reach.",
        "Regulators fined two companies because cookies were set before consent and without a way to withdraw it.",
        "Partners and vendors then receive personal data, and legitimate interest is the basis that they name.",
        "Browsers have begun to limit third-party cookies, and advertisers look for other ways to know a reader.",
    )
)

GOOD: dict[str, str] = {
    "plain": about("Heartwood"),
    "banner": html(f"{BANNER}{NAV}<main><article><h1>Heartwood</h1>{article()}</article></main>{FOOT}", "Heartwood"),
    "banner-short": html(f"{BANNER}<main><article><h1>Heartwood</h1>{article(120)}</article></main>", "Heartwood"),
    "on-captchas": about("Are you a robot? How captchas came to be", CITED[0]),
    "on-404": about("How to design a 404 page", CITED[2]),
    "on-404-titled": about("404 Not Found", CITED[2], 1400),
    "on-cookies": about("Cookies: what they are", CITED[1]),
    "on-cookies-only": html(
        f"{BANNER}<main><article><h1>The trouble with cookies</h1>{COOKIES}</article></main>",
        "The trouble with cookies",
    ),
    "on-paywalls": about("Do paywalls work?", CITED[3]),
    "on-logins": about("Why sites ask you to sign in", CITED[4]),
    "cookie-policy": html(
        f"{BANNER}<main><h1>Cookie Policy</h1>{COOKIES}{COOKIES.replace('A cookie', 'This cookie')}</main>",
        "Cookie Policy | Example",
    ),
    "short-on-404": html(
        "<main><article><h1>Fixing a 404 error in nginx</h1><p>If nginx answers with 404 Not Found, look"
        " at the root directive"
        " first: it must point to the folder that holds the files, and the user that nginx runs as must"
        " be able to read it."
        "</p><p>Then look at try_files. Without a last argument, a missing file falls through to the next"
        " location and ends as"
        " an error page. Reload the server after each change and read its error log.</p></article></main>",
        "Fixing a 404 error in nginx | Notes",
    ),
    "documentation-404": html(
        "<main><h1>404 Not Found</h1><p>The HTTP 404 Not Found client error response status code"
        " indicates that the server cannot"
        " find the requested resource. Links that lead to it are often called broken or dead and can be"
        " subject to link rot.</p>" + article(200) + "</main>",
        "404 Not Found - HTTP | Reference",
    ),
    "noscript-hint": html(
        f"<noscript>Please enable JavaScript to see"
        f" comments.</noscript><main><h1>Oak</h1>{article(150)}</main><div id=root></div><script src=a.js></script>",
        "Oak",
    ),
    "login-in-header": html(
        f"<header><form><input name=u><input type=password><button>Log"
        f" in</button></form></header><main><article><h1>Oak</h1>{article(200)}</article></main>",
        "Oak",
    ),
    "newsletter": html(
        f"<main><article><h1>Oak</h1>{article(200)}</article><aside><p>Subscribe to our newsletter.</p></aside></main>",
        "Oak",
    ),
    "recaptcha-form": html(
        f"<main><h1>Oak</h1>{article(200)}<form><textarea></textarea><div class=g-recaptcha></div></form></main>", "Oak"
    ),
    "cloudflare-sensor": html(
        f"<main><h1>Oak</h1>{article(150)}</main><script src=/cdn-cgi/challenge-platform/scripts/jsd/main.js></script>",
        "Oak",
    ),
    "on-templates": html(
        "<main><h1>Names in templates</h1><p>Write <code>{{ name }}</code> where the name of the oak is to stand, and"
        " <code>{% if tall %}</code> before what is said of tall ones only.</p><pre>"
        + "{{ tree.name }} {% if tall %} {{ tree.height }} {% endif %}\n" * 20
        + "</pre></main>",
        "Names in templates",
    ),
    "short-poem": html(
        "<main><h1>Gone</h1><p>The oak is gone that held the hill, the hill that held the oak is still.</p></main>",
        "Gone",
    ),
    "price": html(f"<main><h1>Gift card - 500</h1>{article(60)}</main>", "Gift card - 500 | Shop"),
    "museum": html(
        f"<main><h1>Museum of Oak</h1>{article(100)}</main>",
        "Museum",
        '<script type="application/ld+json">{"@type":"Museum","name":"Museum of'
        ' Oak","isAccessibleForFree":false}</script>',
    ),
}


@pytest.mark.parametrize("name", GOOD)
def test_pages_about_obstacles_are_none(name: str) -> None:
    quality = duramen.extract(GOOD[name].encode(), url="https://example.org/a").quality
    assert not set(codes(quality)) & (BLOCKING | {"paywall", "empty", "not_html"}), quality


def read(source: str) -> Page:
    return read_page(source, "https://example.org/a", Options())


def judged(
    source: str, kind: PageType = "article", expected: float = 0.9, fragment: str = "", is_cut: bool = False
) -> Quality:
    page = read(source)
    kept = [b for b in range(len(page.blocks)) if page.tree.tag[page.blocks.owner[b]] not in ("nav", "footer")]
    return assess(page, kept, PageKind(kind, 0.9), expected, (), fragment, is_cut=is_cut)


DATED = '<meta name=author content="A. Acorn"><meta property=article:published_time content=2026-01-02>'


def test_checks_have_value_and_limit_of_the_type() -> None:
    quality = judged(html(article(), "Heartwood", DATED))
    assert [check.name for check in quality.checks] == [
        "words",
        "paragraphs",
        "text_density",
        "link_density",
        "metadata",
    ]
    assert all(check.passed for check in quality.checks)
    assert [check.limit for check in quality.checks] == [100, 2, 0.25, 0.3, 1.0]
    assert quality.verdict == "good"
    assert not quality.reasons


def test_short_documentation_is_not_measured_as_news() -> None:
    short = html(f"<main><h1>open()</h1>{article(80)}</main>", "open()")
    assert judged(short, "documentation").verdict == "good"
    assert not judged(short, "documentation").reasons
    assert codes(judged(short, "article")) == ["thin"]


def test_metadata_is_required_of_articles_only() -> None:
    source = html(article(), "Heartwood")
    by_type = {kind: judged(source, kind).checks[-1] for kind in LIMITS}
    assert not by_type.pop("article").passed
    assert all(check.passed and check.value == 0.5 for check in by_type.values())


def test_links_fail_an_article_and_not_a_listing() -> None:
    links = html(
        "<ul>" + "".join(f"<li><a href=/{n}>A story about oak number {n}</a></li>" for n in range(40)) + "</ul>", "Oak"
    )
    assert not next(c for c in judged(links).checks if c.name == "link_density").passed
    assert all(check.passed for check in judged(links, "listing").checks)


@pytest.mark.parametrize(
    ("expected", "verdict"),
    [
        (0.95, "good"),
        (GOOD_AT, "good"),
        (GOOD_AT - 0.01, "partial"),
        (PARTIAL_AT, "partial"),
        (PARTIAL_AT - 0.01, "poor"),
    ],
)
def test_verdict_follows_expectation(expected: float, verdict: str) -> None:
    assert judged(html(article(), "Heartwood", DATED), expected=expected).verdict == verdict


def test_paywall_with_the_text_present_is_noted() -> None:
    source = html(
        article(900),
        "Oak",
        DATED + '<script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree":false}</script>',
    )
    quality = judged(source)
    assert quality.verdict == "good"
    assert codes(quality) == ["paywall"]
    assert "seems to be here" in quality.reasons[0]


def test_kept_consent_notice_is_told() -> None:
    page = read(html(f"{BANNER}<main>{article(600)}</main>", "Oak"))
    kept = [b for b in range(len(page.blocks)) if "cookies" in page.blocks.text[b]]
    quality = assess(page, kept, PageKind("article", 0.9), 0.8, ())
    assert quality.verdict == "poor"
    assert codes(quality) == ["consent_wall"]


def test_content_carried_as_data_is_measured() -> None:
    shell = html("<div id=root></div><script src=a.js></script>", "Oak")
    assert judged(shell).verdict == "empty"
    quality = judged(shell, fragment=article(600))
    assert quality.verdict == "good"
    assert not quality.reasons
    assert quality.checks[0].value > 500


def test_empty_and_other_formats() -> None:
    assert duramen.extract(b"").quality.verdict == "empty"
    assert duramen.extract(b"").quality.reasons == ("empty: the input is empty",)
    assert "not_html" in codes(duramen.extract(b"%PDF-1.7 stream of words that are none").quality)
    assert codes(duramen.extract("<p></p>").quality) == ["empty"]


def test_hints() -> None:
    page = read(html(f"<div style='visibility: hidden'>{article(300)}</div>", "Oak", DATED))
    everything = list(range(len(page.blocks)))
    quality = assess(page, everything, PageKind("article", 0.9), 0.9, ("input cut off after 9 of 10 bytes",))
    assert codes(quality) == ["truncated", "hidden"]
    assert quality.verdict == "good"
    broken = read(html("<p>" + "Eichenholz f\ufffdr Schiffe und H\ufffduser. " * 40 + "</p>", "Oak", DATED))
    assert "decode_errors" in codes(assess(broken, [0], PageKind("article", 0.9), 0.9, ()))


def test_pieces() -> None:
    assert pieces("Error 404 (Not Found)!!1") == ["error 404 (not found)!!1", "error 404", "not found", "1"]
    assert pieces("") == []


SPOKEN = [
    ("error_page", "title"),
    ("error_page", "line"),
    ("bot_challenge", "line"),
    ("needs_javascript", "line"),
    ("consent_wall", "line"),
    ("consent_wall", "action"),
    ("login_wall", "line"),
    ("paywall", "line"),
]
LANGUAGES = set("en de fr es it pt nl pl sv da no fi cs ru uk tr ja zh ko ar".split())
FURTHER = set("hu ro el he vi th id hi fa bg hr sr sk lt lv et sl ca bn sq az kk ta ur".split())
"""Languages in which only error pages are known."""


def test_rows_are_complete() -> None:
    rows = load("obstacles.toml")["row"]
    assert len({row["id"] for row in rows}) == len(rows)
    for row in rows:
        assert set(row) == {"id", "reason", "where", "why", "phrases"}, row["id"]
        for phrase in re.split(r"\s*;\s*", " ".join(row["phrases"].split())):
            assert phrase, row["id"]
            assert phrase == plain(phrase), (row["id"], phrase)
    for reason, where in SPOKEN:
        there = {row["id"].rsplit("-", 1)[1] for row in rows if (row["reason"], row["where"]) == (reason, where)}
        assert there == (LANGUAGES | FURTHER if reason == "error_page" else LANGUAGES), (reason, where)


def test_title_phrases_can_match() -> None:
    """A phrase with a separator in it would never be a piece; such phrases must be a whole title."""
    for row in load("obstacles.toml")["row"]:
        if row["where"] == "title":
            for phrase in " ".join(row["phrases"].split()).split("; "):
                assert phrase in pieces(phrase), (row["id"], phrase)


HOSTILE = [
    "<div>" * 5_000 + "404",
    "<title>" + "404 | " * 50_000,
    "<button>" * 3_000 + "accept all",
    "<noscript>enable javascript</noscript>" * 3_000,
    "<div id=root></div>" * 5_000 + "<script></script>",
    '<script type="application/ld+json">{"@type":["Article"],'
    '"isAccessibleForFree":{"a":[]},"wordCount":{},"hasPart":[1,null]}</script>x',
    "<p>cookie accept</p>" * 5_000,
    "<h1>not found</h1>" * 5_000,
    "\x00\ufffe<title>\ud800</title>",
]


@pytest.mark.parametrize("source", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_pages_cost_little(source: str) -> None:
    page = read(source)
    everything = list(range(len(page.blocks)))
    started = time.process_time()
    for kept in ([], everything):
        assess(page, kept, PageKind("article", 0.9), 0.9, ())
        find_obstacles(page, kept, 0)
    assert time.process_time() - started < 1.0


def test_phrases_are_found_whatever_stands_around_their_words() -> None:
    lines = Lines({"turn on cookies": "a", "ログイン": "b", "tippfehler": "c"})
    assert lines.within(NormalizedText("please, turn on cookies!")) == ["turn on cookies"]
    assert lines.within(NormalizedText("(turn on cookies)\nログインして“tippfehler”")) == [
        "tippfehler",
        "turn on cookies",
        "ログイン",
    ]
    assert lines.within(NormalizedText("return on cookies")) == [] == lines.within(NormalizedText(""))


def test_blocks_are_plain_as_each_alone() -> None:
    texts = ["It’s `ONE`", "ΟΔΟΣ", "soft\u00adly \u200b two", "", "İ"]
    assert plain_lines(texts) == [plain(text) for text in texts]


@pytest.mark.parametrize("name", ["class", "id"])
def test_of_many_names_the_first_are_looked_at(name: str) -> None:
    page = read("".join(f"<p {name}=n{n}>a</p>" for n in range(5_000)))
    assert ReaderMessages(page, []).code == "\n".join(f"n{n}" for n in range(2_000))


def test_a_page_that_says_one_word_is_not_good() -> None:
    result = duramen.extract("<title>Oak</title><h1>Welcome</h1>")
    assert result.quality.verdict == "partial"
    assert result.quality.reasons[0].startswith("thin: 1 words")


def test_a_result_of_a_few_words_is_not_good() -> None:
    words = "oaks and elms of old stand on the hill above the village and nobody knows who planted them so".split()
    for kind in LIMITS:
        assert judged(html(f"<main><p>{' '.join(words[:19])}</p></main>", "Oak"), kind).verdict == "partial", kind
    # A collection is that short, and so is a product.
    assert judged(html(f"<main><p>{' '.join(words)} and why</p></main>", "Oak"), "collection").verdict == "good"


def test_a_partial_result_has_a_reason() -> None:
    page = read(html(f"<main>{article(600)}</main>", "Oak"))
    kept = range(len(page.blocks))
    assert codes(assess(page, kept, PageKind("article", 0.9), 0.7, ())) == ["doubtful"]
    linked = read(html("<main><p>" + "<a href=/a>oaks and elms of old</a> " * 80 + "</main>", "Oak"))
    quality = assess(linked, [0], PageKind("article", 0.9), 0.9, ())
    assert quality.verdict == "partial"
    assert quality.reasons == ("unusual: paragraphs and link_density are not as on other pages of this type (article)",)


def test_a_type_that_is_a_guess_is_called_uncertain() -> None:
    result = duramen.extract("<p>Oak")
    assert result.kind.confidence < 0.5
    assert result.kind.uncertain
    assert result.to_dict()["page_type"]["uncertain"] is True
    assert not PageKind("article", 0.5).uncertain
