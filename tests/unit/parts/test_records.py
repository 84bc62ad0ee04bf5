"""Records by the shape of the page: items, products, questions, steps, comments and posts of unknown software."""

from __future__ import annotations

import json
import pickle
from typing import TypeVar

import pytest

from duramen import Result, extract
from duramen.flatten import parse_tree
from duramen.model import PageType, Trace
from duramen.options import Options, Output
from duramen.parts.records.amounts import amount_of
from duramen.parts.records.finder import find_records
from duramen.parts.records.values import (
    Comment,
    Ingredient,
    Item,
    Post,
    Product,
    Question,
    Record,
    Step,
    record_from_dict,
)
from duramen.pipeline import page_of
from duramen.repeated import groups_in

WORDS = "Oaks live for centuries, and their heartwood is hard, dark and durable, as every keeper of a forest knows. "
NAMES = ("Red oak", "White oak", "Cork oak", "Holm oak", "Turkey oak", "Pin oak", "Bur oak", "Live oak")


def page(body: str, title: str = "Oaks") -> str:
    return f"<html lang=en><head><title>{title}</title></head><body><nav><a href=/>Home</a></nav>{body}</body></html>"


R = TypeVar("R", bound=Record)


def of_kind(result: Result, kind: type[R]) -> list[R]:
    return [record for record in result.records if isinstance(record, kind)]


def found_on(html: str, page_type: PageType, kind: type[R]) -> list[R]:
    """The records of a page, were it judged to be of a type."""
    result = extract(html, "https://example.org/t/1")
    assert result.trace.reread is not None
    page, kept = result.trace.reread()
    return [record for record in find_records(page, kept, page_type, result.output) if isinstance(record, kind)]


def shop() -> str:
    cards = "".join(
        f'<div class="row"><div class="card {"odd" if n % 2 else "even"} card-{n}">'
        f'<a href="/p/{n}"><img src="/i/{n}.jpg" alt=""></a>'
        f'<h3><a href="/p/{n}">{name}</a></h3><p class="teaser">{WORDS}</p><del class="price">$99.00</del>'
        f'<span class="price">$1,{200 + n}.50</span></div></div>'
        for n, name in enumerate(NAMES)
    )
    return page(f"<main><h1>Oaks for sale</h1><div class=grid>{cards}</div></main>", "Oaks for sale")


def test_items_of_a_grid_in_rows() -> None:
    items = found_on(shop(), "listing", Item)
    assert [item.title for item in items] == list(NAMES)
    assert [item.url for item in items] == [f"https://example.org/p/{n}" for n in range(len(NAMES))]
    first = items[0]
    assert (first.price, first.currency, first.image) == ("1200.50", "USD", "https://example.org/i/0.jpg")
    assert first.summary == WORDS.strip()
    assert first.sources["title"] == "page"
    assert "Red oak" in first.markdown


@pytest.mark.parametrize(
    ("text", "amount"),
    [("1.299,00 €", "1299.00"), ("$1,299", "1299"), ("19,9", "19.9"), ("CHF 1’299.95", "1299.95"), ("free", None)],
)
def test_amounts(text: str, amount: str | None) -> None:
    assert amount_of(text) == amount


THREAD = "".join(
    f'<div class="entry n{n}" id="e{n}"><div class="user-name"><a href="/members/{n}">Keeper {n}</a></div>'
    f'<div class="joined">Joined: 2011-01-0{n}</div>'
    f'<time class="posted-at" datetime="2024-05-0{n}T10:00:00Z">May {n}</time>'
    f'<div class="entry-body"><p>Post number {n}. {WORDS}</p><blockquote>{WORDS}</blockquote></div></div>'
    for n in range(1, 6)
)


def test_posts_of_unknown_software() -> None:
    html = page(f"<main><h1>Which oak is oldest?</h1><div class=thread>{THREAD}</div></main>")
    posts = found_on(html, "forum", Post)
    assert [post.author for post in posts] == [f"Keeper {n}" for n in range(1, 6)]
    assert [post.published for post in posts] == [f"2024-05-0{n}T10:00:00+00:00" for n in range(1, 6)]
    assert all(f"Post number {n}." in post.text and "Joined" not in post.text for n, post in enumerate(posts, 1))
    assert posts[0].permalink == "https://example.org/t/1#e1"


def test_comments_are_apart_from_the_article_and_know_their_parents() -> None:
    def comment(n: int, inner: str = "") -> str:
        return (
            f'<li class="comment depth-{n}" id="c{n}"><div class="comment-author">Reader {n}</div>'
            f'<time datetime="2024-05-0{n}">May {n}</time>'
            f'<div class="comment-content"><p>Remark {n}: {WORDS}</p></div>{inner}</li>'
        )

    body = f"<main><article><h1>Oaks</h1><p>{WORDS * 3}</p><p>{WORDS * 3}</p></article>"
    comments = comment(1, f"<ol>{comment(2)}</ol>") + comment(3)
    html = page(f"{body}<section id=comments class=comments><ol>{comments}</ol></section></main>")
    found = found_on(html, "article", Comment)
    assert [(one.author, one.published, one.depth) for one in found] == [
        ("Reader 1", "2024-05-01", 0),
        ("Reader 2", "2024-05-02", 1),
        ("Reader 3", "2024-05-03", 0),
    ]
    assert found[1].parent == found[0].position
    assert "Remark 2" not in found[0].text


@pytest.mark.parametrize(
    "item",
    [
        "<details><summary>{question}</summary><p>{answer}</p></details>",
        "<h3>{question}</h3><p>{answer}</p>",
        '<div class="faq-item"><div class="q">{question}</div><div class="a"><p>{answer}</p></div></div>',
        '<div itemscope itemtype="https://schema.org/Question"><b itemprop="name">{question}</b>'
        '<div itemprop="acceptedAnswer" itemscope itemtype="https://schema.org/Answer">'
        '<p itemprop="text">{answer}</p></div></div>',
    ],
)
def test_questions_and_answers(item: str) -> None:
    asked = ("How old do oaks grow?", "What eats oaks?", "Where do oaks grow?")
    blocks = "".join(item.format(question=one, answer=f"Answer to {one[:-1]}: {WORDS}") for one in asked)
    html = page(f"<main><h1>Oaks</h1><p>{WORDS * 3}</p><section><h2>Questions</h2>{blocks}</section></main>")
    found = found_on(html, "article", Question)
    assert [one.question for one in found] == list(asked)
    assert all(WORDS.strip() in one.answers[0] and one.question not in one.answers[0] for one in found)


def test_a_single_heading_that_asks_is_no_question() -> None:
    result = extract(page(f"<main><h1>Oaks</h1><h2>Why?</h2><p>{WORDS * 3}</p><h2>Wood</h2><p>{WORDS * 3}</p></main>"))
    assert of_kind(result, Question) == []


def test_ingredients_and_steps_of_a_recipe() -> None:
    ingredients = "".join(f"<li>{n} acorns</li>" for n in range(2, 6))
    steps = "".join(
        f"<li>Step {n}: grind the acorns and wash the flour until it is no longer bitter.</li>" for n in range(3)
    )
    result = extract(
        page(
            f"<main><article><h1>Acorn bread</h1><p>{WORDS * 3}</p><ul class=recipe-ingredients>{ingredients}</ul>"
            f"<ol class=recipe-instructions>{steps}</ol></article></main>",
            "Acorn bread",
        )
    )
    assert [one.text.strip("- ") for one in of_kind(result, Ingredient)] == [f"{n} acorns" for n in range(2, 6)]
    assert [one.number for one in of_kind(result, Step)] == [1, 2, 3]


PRODUCT = page(
    f"""<main><div class="product"><h1>Oak table</h1><div class="brand">Heartwood</div><p class="sku">SKU: OT-4711</p>
<span class="price">€ 1.299,00</span><p>In stock</p><form><button>Add to cart</button></form><p>{WORDS * 3}</p>
<h2>Specifications</h2><table><tr><th>Height</th><td>75 cm</td></tr><tr><th>Wood</th><td>oak</td></tr></table>
</div></main>""",
    "Oak table",
)


def test_product() -> None:
    (product,) = found_on(PRODUCT, "product", Product)
    assert (product.name, product.brand, product.sku) == ("Oak table", "Heartwood", "OT-4711")
    assert (product.price, product.currency, product.available) == ("1299.00", "EUR", True)
    assert ("Wood", "oak") in product.specifications
    assert record_from_dict(json.loads(json.dumps(product.to_dict()))) == product


@pytest.mark.parametrize(
    "body",
    [
        f"<p>Q. Are oaks hard?</p><p>A. {WORDS}</p><p>Q. Do they live long?</p><p>A. {WORDS}</p><p>{WORDS}</p>",
        f"<ol><li><b>Are oaks hard?</b> {WORDS}</li><li><b>Do they live long?</b> {WORDS}</li></ol>",
        f"<p>Q1: Are oaks hard?<br>{WORDS}</p><p>Q2: Do they live long?<br>{WORDS}</p>",
        f"<p><strong>Are oaks hard?</strong></p><p>{WORDS}</p><p><strong>Do they live long?</strong></p><p>{WORDS}</p>",
    ],
    ids=["alternating", "items", "lines", "bold"],
)
def test_questions_in_paragraphs(body: str) -> None:
    found = found_on(
        page(f"<main><h1>Oaks</h1><p>{WORDS}</p>{body}<h2>More</h2><p>{WORDS}</p></main>"), "article", Question
    )
    assert [one.question for one in found] == ["Are oaks hard?", "Do they live long?"]
    assert all(one.answers[0].startswith(WORDS.strip()) for one in found)
    assert "More" not in found[1].text


@pytest.mark.parametrize(("head", "expected"), [("2026-01-01", "2026-01-01"), ("2026-02-01", None)])
def test_the_first_post_is_dated_by_the_head_of_the_thread(head: str, expected: str | None) -> None:
    def post(number: int) -> str:
        when = f'<time datetime="2026-01-0{number}">{number} January 2026</time>' if number > 1 else ""
        return f'<div class="post"><a class="author" href="/u/{number}">Ines {number}</a>{when}<p>{WORDS * 2}</p></div>'

    above = f'<header><h1>Oaks</h1><time datetime="{head}">then</time></header>'
    found = found_on(page(f"{above}<main>{''.join(map(post, range(1, 6)))}</main>"), "forum", Post)
    assert [one.published for one in found] == [expected, *(f"2026-01-0{number}" for number in range(2, 6))]


def test_a_question_in_a_story_is_not_an_faq() -> None:
    body = f"<p>{WORDS}</p><p><b>Are oaks hard?</b></p><p>{WORDS}</p><p>Do they live long? {WORDS}</p>"
    assert not found_on(page(f"<main><h1>Oaks</h1>{body}</main>"), "article", Question)


@pytest.mark.parametrize(
    ("about", "brand", "sku"),
    [
        ("<p>SKU: OT-4711</p><dl><dt>Brand</dt><dd>Heartwood</dd></dl>", "Heartwood", "OT-4711"),
        ("<table><tr><td>Manufacturer<td>Heartwood<tr><td>Item number<td>4711</table>", "Heartwood", "4711"),
        ("<p><a href=/makers/oak>Oak</a> <a href=/cart>Cart</a></p><p>SKU: on request</p>", "Oak", None),
        ("<p>Our brand is known, and every item has a story.</p>", None, None),
        ("<p><b>SKU:</b> # : OT-4711</p><p>Oak</p>", "Oak", "OT-4711"),
        ("<p>Oaks</p><p>12</p>", None, None),
    ],
    ids=["labels", "table", "link", "words", "several signs", "no word of the name"],
)
def test_brand_and_number_of_a_product(about: str, brand: str | None, sku: str | None) -> None:
    (product,) = found_on(
        page(f"<main><h1>Oak table</h1><p>€ 1.299,00</p>{about}<p>{WORDS}</p></main>"), "product", Product
    )
    assert (product.brand, product.sku) == (brand, sku)


def test_records_are_plain_data_and_pickle() -> None:
    result = extract(shop(), "https://example.org/oaks")
    data = json.loads(result.to_json(records=True))
    assert [record["title"] for record in data["records"]] == list(NAMES)
    assert data["records"][0]["kind"] == "item"
    assert "records" not in result.to_dict()
    assert pickle.loads(pickle.dumps(result)).records == result.records


def test_result_without_its_page_has_no_records() -> None:
    from dataclasses import replace

    result = replace(extract(shop()), trace=Trace())
    assert (result.records, result.structured.json_ld) == ((), ())


def test_structured_data_is_in_one_form() -> None:
    result = extract(
        '<script type="application/ld+json">{"@graph": [{"@type": "http://schema.org/Product", "schema:name": "Oak",'
        '"offers": {"@type": ["schema:Offer"], "price": 3}}]}</script>'
        '<meta property="og:title" content="Oaks"><meta name="twitter:card" content="summary">'
        '<div itemscope itemtype="https://schema.org/Recipe"><b itemprop=name>Acorn bread</b></div>'
    )
    data = result.structured
    assert data.of_type("Product")[0]["name"] == "Oak"
    assert data.of_type("offer") == ({"@type": ["Offer"], "price": 3},)
    assert data.of_type("Recipe") == data.microdata
    assert (data.opengraph, data.twitter) == ({"og:title": ("Oaks",)}, {"twitter:card": ("summary",)})
    assert pickle.loads(pickle.dumps(data)) == data


def test_structured_data_holds_what_tells_nothing_of_the_page() -> None:
    crumb = "<b {prop}=itemListElement {typed}=ListItem><b {prop}=name>Oaks</b></b>"
    result = extract(
        '<script type="application/ld+json">{"@type": "Thing", "n": [NaN, 1e999, 2]}</script>'
        '<div itemscope itemtype="https://schema.org/BreadcrumbList">'
        + crumb.format(prop="itemprop", typed="itemscope itemtype")
        + '</div><div vocab="https://schema.org/" typeof=BreadcrumbList>'
        + crumb.format(prop="property", typed="typeof")
        + "</div>"
    )
    data = result.structured
    assert [one["itemListElement"]["name"] for one in data.of_type("BreadcrumbList")] == ["Oaks", "Oaks"]
    assert json.loads(json.dumps(data.json_ld, allow_nan=False)) == [{"@type": "Thing", "n": [None, None, 2]}]


def test_groups_part_by_shape_and_depth() -> None:
    tree = parse_tree("<ul><li class='a x1'>one<li class='a odd'>two<li class=b>three</ul>", 1000, [])
    assert [len(group.members) for group in groups_in(tree)] == [2]


def test_what_json_ld_says_too_is_surer() -> None:
    data = (
        '{"@type": "Product", "name": "Oak table", "brand": {"@type": "Brand", "name": "Other"},'
        '"gtin13": "4006381333931", "offers": {"@type": "Offer", "price": 1299}}'
    )
    (plain,) = found_on(PRODUCT, "product", Product)
    html = PRODUCT.replace("<head>", f'<head><script type="application/ld+json">{data}</script>')
    (product,) = found_on(html, "product", Product)
    assert product.confidence > plain.confidence
    assert (product.sources["name"], product.sources["price"]) == ("page+json-ld", "page+json-ld")
    assert (product.brand, product.sources["brand"]) == ("Heartwood", "page")
    assert (product.gtin, product.sources["gtin"], plain.gtin) == ("4006381333931", "json-ld", None)


@pytest.mark.parametrize(
    ("label", "steps"),
    [
        ("<p><b>{}</b></p>", "<ol><li>{}</li></ol><h3>For the crust</h3><ol><li>{}</li></ol>"),
        ("<h2>{}:</h2>", "<ol><li>{}</li></ol><h3>For the crust</h3><ol><li>{}</li></ol>"),
        ("<h3>{}</h3>", "<p>{}</p><p>{}</p>"),
    ],
    ids=["words", "headings", "paragraphs"],
)
def test_a_recipe_whose_classes_say_nothing(label: str, steps: str) -> None:
    made = steps.format("Grind the acorns to a coarse flour.", "Wash the flour until it is mild.")
    html = (
        f"<main><h1>Acorn bread</h1><p>{WORDS * 2}</p>{label.format('Ingredients')}"
        f"<ul><li>2 acorns<li>3 cups of water</ul>{label.format('Instructions')}{made}"
        f"<h2>Nutrition</h2><ul><li>Calories: 12<li>Fat: 3 g</ul><p>{WORDS}</p></main>"
    )
    found = extract(page(html, "Acorn bread")).records
    assert [one.text.strip("- ") for one in found if isinstance(one, Ingredient)] == ["2 acorns", "3 cups of water"]
    assert [one.text.strip("- ")[:5] for one in found if isinstance(one, Step)] == ["Grind", "Wash "]


def test_a_method_in_an_article_is_no_recipe() -> None:
    html = f"<main><h1>Oaks</h1><p>{WORDS * 2}</p><h2>Method</h2><p>{WORDS}</p><p>{WORDS}</p></main>"
    assert not [one for one in extract(page(html)).records if isinstance(one, (Ingredient, Step))]


@pytest.mark.parametrize("announced", [True, False])
def test_headings_that_ask_are_no_faq_where_one_is_announced(announced: bool) -> None:
    story = f"<h2>What are oaks?</h2><p>{WORDS}</p><h2>Why are they hard?</h2><p>{WORDS}</p>"
    answers = f"<h3>Are oaks old?</h3><p>{WORDS}</p><h3>Who eats acorns?</h3><p>{WORDS}</p>"
    faq = "Frequently asked questions" if announced else "More about oaks"
    html = page(f"<main><h1>Oaks</h1><p>{WORDS}</p>{story}<h2>{faq}</h2>{answers}</main>")
    found = [one.question for one in found_on(html, "article", Question)]
    expected = ["Are oaks old?", "Who eats acorns?"]
    assert found == (expected if announced else ["What are oaks?", "Why are they hard?", *expected])


def test_posts_are_known_by_the_numbers_in_their_ids() -> None:
    def post(n: int, name: str) -> str:
        return (
            f'<section class="kind-{name}" id="msg{n}"><dl><dt>{name}</dt><dd>Member</dd></dl>'
            f"<p>Jan {n}, 2026, 10:0{n} am</p>"
            f"<p>Post by {name}. {WORDS * 2}</p></section>"
        )

    opening = '<div class="top"><a class="author" href="/u/zoe">Zoe</a> <time datetime="2025-12-31">then</time>'
    opening += f"<p>{WORDS}</p></div>"
    posts = "".join(post(n, name) for n, name in enumerate(("Ines", "Bo", "Kaya"), start=1))
    found = found_on(page(f"<main><h1>Oaks</h1>{opening}<div>{posts}</div></main>"), "forum", Post)
    assert [one.author for one in found] == ["Zoe", "Ines", "Bo", "Kaya"]
    assert [str(one.published)[:10] for one in found] == ["2025-12-31", "2026-01-01", "2026-01-02", "2026-01-03"]


def test_replies_are_posts_also_where_they_are_no_content() -> None:
    def reply(n: int) -> str:
        return (
            f'<li id="c{n}"><a class="author" href="/profile/{n}">Ada {n}</a><time>May {n}, 2024</time><p>{WORDS}</p>'
        )

    html = page(f"<main><h1>Oaks</h1><p>{WORDS * 3}</p><ol>{''.join(map(reply, range(1, 6)))}</ol></main>")
    read = page_of(html, None, Options())
    kept = [b for b, text in enumerate(read.blocks.text) if text.startswith(WORDS[:20])][:1]
    found = [one for one in find_records(read, kept, "forum", Output()) if isinstance(one, Post)]
    assert [one.author for one in found] == [f"Ada {n}" for n in range(1, 6)]


def test_price_whose_sign_is_beside_it_and_a_class_that_names_a_colour() -> None:
    html = page(
        f"<main><h1>Oak table</h1><p><span>$</span>599</p>"
        f'<span class="text-brand-500">Lifetime care</span><p>{WORDS}</p></main>'
    )
    (product,) = found_on(html, "product", Product)
    assert (product.price, product.currency, product.brand) == ("599", "USD", None)


@pytest.mark.parametrize(
    ("before", "after", "price"),
    [
        ('<b class="price">€ 0.00</b>', '<b class="price">€ 12.50</b>', "12.50"),
        ('<b class="price">€ 9.00</b>' + "Cart and account. " * 20, '<b class="price">€ 12.50</b>', "12.50"),
        ('<b class="price">€ 9.00</b>', "Made to last. " * 20 + '<b class="price">€ 12.50</b>', "9.00"),
    ],
    ids=["an empty cart", "nearest behind", "nearest before"],
)
def test_price_is_the_nearest_to_the_name(before: str, after: str, price: str) -> None:
    html = page(f"<main><div>{before}</div><h1>Oak table</h1><div>{after}</div><p>{WORDS}</p></main>")
    (product,) = found_on(html, "product", Product)
    assert product.price == price


@pytest.mark.parametrize("other", ["lead-story story", "advert promo"])
def test_a_listing_has_items_of_two_shapes(other: str) -> None:
    def cards(names: tuple[str, ...], classes: str) -> str:
        return "".join(
            f'<div class="{classes}"><img src="/{name[0]}.jpg" alt="">'
            f"<h3><a href='/{name[:3]}'>{name}</a></h3><p>{WORDS}</p></div>"
            for name in names
        )

    body = f"<section>{cards(NAMES[:3], other)}</section><div class=list><div>{cards(NAMES[3:], 'story')}</div></div>"
    found = found_on(page(f"<main><h1>Oaks</h1>{body}</main>"), "listing", Item)
    assert [one.title for one in found] == list(NAMES if "story" in other else NAMES[3:])


def listing(card: str, count: int = 6, more: str = "") -> list[Item]:
    """The items of a page of cards, in which N stands for the number."""
    cards = "".join(card.replace("N", str(n)) for n in range(1, count + 1))
    return found_on(page(f"<main><h1>Oaks</h1><div class=grid>{cards}</div></main>{more}"), "listing", Item)


@pytest.mark.parametrize(
    ("card", "title", "url"),
    [
        ("<h3><a href=/oak/N>Oak N</a></h3><a href=/cart/N>Put the oak into the cart</a>", "Oak 1", "/oak/1"),
        ("<a href=/oak/N><h3>Oak N</h3></a><a href=/cart/N>Put the oak into the cart</a>", "Oak 1", "/oak/1"),
        ("<h3>Oak N</h3><a href=/c/N>Buy</a><a href=/oak/N>Read of this oak</a>", "Oak 1", "/oak/1"),
        ("<a href=/c/N>Buy</a><a href=/oak/N>Oak N, an old tree</a>", "Oak 1, an old tree", "/oak/1"),
        ("<a href=/oak/N title='Oak N '><img src=/N.jpg></a>", "Oak 1", "/oak/1"),
        ("<a href=/oak/N aria-label='Oak N'><img src=/N.jpg></a>", "Oak 1", "/oak/1"),
        ("<a href=/oak/N><img src=/N.jpg alt=' Oak N '></a>", "Oak 1", "/oak/1"),
    ],
)
def test_the_link_and_the_title_of_an_item(card: str, title: str, url: str) -> None:
    items = listing(f"<div class=card>{card}<p>{WORDS}</p></div>")
    assert (items[0].title, items[0].url, len(items)) == (title, f"https://example.org{url}", 6)


def test_a_card_inside_a_link() -> None:
    items = listing(f"<a href=/oak/N><div class=card><h3>Oak N</h3><p>{WORDS}</p></div></a>")
    assert [item.url for item in items] == [f"https://example.org/oak/{n}" for n in range(1, 7)]


@pytest.mark.parametrize(
    ("about", "summary"),
    [
        (f"<p>{WORDS}</p>", WORDS.strip()),
        ("<p>Oaks live for centuries.</p>", None),
        (f"<p>{WORDS}</p><p class=summary>An old tree, number N.</p>", "An old tree, number 1."),
        (f"<p>{WORDS}</p><p class=summary>Oak N</p>", WORDS.strip()),
    ],
)
def test_the_summary_of_an_item_is_named_or_long(about: str, summary: str | None) -> None:
    items = listing(f"<div class=card><h3><a href=/oak/N>Oak N</a></h3><img src=/N.jpg>{about}</div>")
    assert items[0].summary == summary and ("summary" in items[0].sources) is (summary is not None)


def test_where_the_values_of_an_item_are_from() -> None:
    (first, *_) = listing(
        "<div class=card itemscope itemtype=https://schema.org/Product><h3><a href=/oak/N>Oak N</a></h3>"
        f"<img src=/N.jpg><span class=price>$ N9.50</span><time datetime=2026-03-0N>then</time><p>{WORDS}</p></div>"
    )
    assert (first.price, first.currency, first.published) == ("19.50", "USD", "2026-03-01")
    assert set(first.sources) == {"title", "price", "published", "url", "image", "summary"}


def test_an_item_that_comes_again_is_one() -> None:
    card = f"<div class=card><h3><a href=/oak/N>Oak N</a></h3><p>{WORDS}</p></div>"
    items = listing(card, 6, f"<section>{card.replace('N', '1')}{card.replace('N', '7')}</section>")
    assert [item.title for item in items] == [f"Oak {n}" for n in range(1, 8)]


def test_recommendations_below_a_listing_are_no_items() -> None:
    card = f"<div class=card><h3><a href=/oak/N>Oak N</a></h3><img src=/N.jpg><p>{WORDS}</p></div>"
    other = f"<li><h3><a href=/elm/N>Elm N</a></h3><img src=/N.jpg><p>{WORDS * 2}</p></li>"
    aside = "".join(other.replace("N", str(n)) for n in range(9))
    items = listing(card, 9, f"<aside class=related-posts><ul>{aside}</ul></aside>")
    assert [item.title for item in items] == [f"Oak {n}" for n in range(1, 10)]


def sold(body: str, head: str = "", title: str = "Oak table") -> Product:
    (product,) = found_on(
        page(f"<main>{body}<p>{WORDS * 3}</p></main>", title).replace("<head>", f"<head>{head}"), "product", Product
    )
    return product


def test_the_heading_that_says_the_title_names_the_product() -> None:
    assert sold("<h1>Our shop</h1><h1>Oak table</h1><p>€ 99</p>").name == "Oak table"
    assert sold("<h1>Table of oak</h1><p>€ 99</p>", title="Something else").name == "Table of oak"


@pytest.mark.parametrize("name", ["product:price:currency", "og:price:currency"])
def test_the_currency_that_the_page_states_goes_before_the_sign(name: str) -> None:
    body = "<h1>Oak table</h1><p class=price>$ 99.00</p>"
    assert sold(body).currency == "USD"
    assert sold(body, f'<meta property="{name}" content="cad">').currency == "CAD"
    assert sold(body, f'<meta property="{name}" content="dollars">').currency == "USD"


@pytest.mark.parametrize(
    ("about", "available"),
    [
        ("<p>In stock</p>", True),
        ("<p>Out of stock</p>", False),
        ("<p>In stock</p><p>Sold out</p>", None),
        ("<p>Nothing</p>", None),
        ("<link itemprop=availability href=https://schema.org/InStock><p>Sold out</p>", True),
        ("<meta itemprop=availability content='in stock'>", True),
        ("<link itemprop=availability href=https://schema.org/OutOfStock><p>In stock</p>", False),
    ],
)
def test_whether_a_product_can_be_bought(about: str, available: bool | None) -> None:
    offer = f"<div itemscope><h1>Oak table</h1><span itemprop=price>99.00</span>{about}</div>"
    assert sold(offer).available is available


def test_specifications_are_pairs() -> None:
    table = (
        "<table><tr><th>Height</th><td>75 cm</td></tr></table><table><tr><td>a</td><td>b</td><td>c</td></tr></table>"
    )
    stated = f"<dl><dt>Wood:</dt><dd>oak</dd><dt>Height</dt><dd>1 m</dd><dt>x</dt><dt>Legs</dt><dd>4</dd></dl>{table}"
    found = sold(f"<h1>Oak table</h1><p>€ 99</p><h2>Specifications</h2>{stated}").specifications
    assert sorted(found) == [("Height", "75 cm"), ("Legs", "4"), ("Wood", "oak")]
