"""Products as common shop systems show them, without what they state as data."""

from __future__ import annotations

import pytest

from duramen import extract
from duramen.options import Options, Output
from duramen.parts.records.finder import find_records
from duramen.parts.records.values import Product
from duramen.pipeline import page_of

WORDS = "<p>A table of solid oak that seats eight people, oiled by hand and made to last for a hundred years.</p>" * 3
OTHERS = "".join(
    f"<li class=product><a href=/p{n}><h3>Chair {n}</h3><span class=price>${n}9.00</span></a>"
    "<div class=star-rating aria-label='Rated 2.00 out of 5'></div><a class='button add_to_cart_button'>Add to cart</a>"
    for n in range(1, 5)
)
RELATED = f"<section class='related'><h2>Related products</h2><ul class=products>{OTHERS}</ul></section>"
URL = "https://heartwood.example/p/1"

WOOCOMMERCE = """<div class="summary entry-summary"><h1 class="product_title entry-title">Oak table</h1>
<div class="star-rating" role="img" aria-label="Rated 4.50 out of 5"><strong class="rating">4.50</strong> out of 5</div>
<p class="price"><del aria-hidden="true"><span class="woocommerce-Price-amount amount"><bdi>
<span class="woocommerce-Price-currencySymbol">$</span>45.00</bdi></span></del> <ins>
<span class="woocommerce-Price-amount amount"><bdi><span class="woocommerce-Price-currencySymbol">$</span>35.00</bdi>
</span></ins></p>{words}<p class="stock in-stock">12 in stock</p>
<form class="cart"><button class="single_add_to_cart_button button alt">Add to cart</button></form>
<div class="product_meta"><span class="sku_wrapper">SKU: <span class="sku">woo-table</span></span></div></div>
<table class="shop_attributes"><tr><th>Brand</th><td><p><a>Eiche &amp; Co</a></p></td></tr></table>{related}"""
SOLD_OUT = """<div class="summary entry-summary"><h1 class="product_title entry-title">Oak table</h1>
<p class="price"><span class="woocommerce-Price-amount amount"><bdi>35,00&nbsp;<span>&euro;</span></bdi></span></p>
{words}<p class="stock out-of-stock">Out of stock</p>
<span class="sku_wrapper">SKU: <span class="sku">N/A</span></span></div>{related}"""
SHOPIFY = """<div class="product__info-container"><h1>Oak table</h1>
<div class="price price--large price--on-sale price--show-badge"><div class="price__container">
<div class="price__regular"><span class="price-item price-item--regular">$45.00 USD</span></div>
<div class="price__sale"><s class="price-item price-item--regular">$45.00 USD</s>
<span class="price-item price-item--sale price-item--last">$35.00 USD</span></div></div>
<span class="badge price__badge-sold-out">Sold out</span></div>
<fieldset><input type=radio id=a><label for=a>L <span>Sold out</span></label></fieldset>
<button class="product-form__submit button"><span>Add to cart</span></button>{words}</div>{related}"""
MAGENTO = """<h1 class="page-title"><span class="base">Oak table</span></h1><div class="product-info-main">
<div class="price-box price-final_price"><span class="special-price"><span class="price-label">Special Price</span>
<span class="price-wrapper" data-price-amount="35"><span class="price">$35.00</span></span></span>
<span class="old-price"><span class="price-wrapper"><span class="price">$45.00</span></span></span></div>
<div class="stock available" title="Availability"><span>In stock</span></div>
<div class="product attribute sku"><strong class="type">SKU</strong><div class="value">24-MB01</div></div></div>
{words}<table class="additional-attributes"><tr><th>Manufacturer</th><td>Eiche &amp; Co</td></tr></table>"""
PRESTASHOP = """<h1 class="h1">Oak table</h1><div class="product-prices"><span class="regular-price">45,00 €</span>
<div class="current-price"><span class='current-price-value' content="35">35,00 €</span></div></div>{words}
<button class="btn btn-primary add-to-cart">Ajouter au panier</button><span id="product-availability">En stock</span>
<div class="product-reference"><label class="label">Référence</label><span>demo_3</span></div>
<dl class="data-sheet"><dt class="name">Marque</dt><dd class="value">Eiche &amp; Co</dd></dl>
<p>ean13 <span>4006381333931</span></p>"""
BIGCOMMERCE = """<div class="productView"><h1 class="productView-title">Oak table</h1>
<h2 class="productView-brand"><a href="/brands/e"><span>Eiche &amp; Co</span></a></h2><div class="productView-price">
<div class="price-section price-section--withoutTax non-sale-price--withoutTax">
<span class="price-was-label">Was:</span> <span class="price price--non-sale">$45.00</span></div>
<div class="price-section"><span class="price price--withoutTax">$35.00</span></div></div>
<span role="img" aria-label="Product rating is 4 of 5"></span><dl class="productView-info"><dt>SKU:</dt>
<dd>OT-4711</dd><dt>UPC:</dt><dd>4006381333931</dd><dt>Availability:</dt><dd>Usually ships in 24 hours</dd></dl>
<input type="submit" class="button" value="Add to Cart">{words}</div>"""
SHOPWARE = """<h1 class="product-detail-name">Oak table</h1>
<div class="product-detail-manufacturer"><a href=/m>Eiche &amp; Co</a></div>
<p class="product-detail-price">1.299,00 €*</p><p class="delivery-information delivery-available">
<span class="delivery-status-indicator"></span> Sofort verfügbar, Lieferzeit: 1-3 Tage</p>
<button class="btn btn-buy">In den Warenkorb</button><div><span class="ordernumber-label">Produktnummer:</span>
<span class="product-detail-ordernumber">SW10001</span></div>{words}"""
SQUARESPACE = """<h1 class="ProductItem-details-title">Oak table</h1><div class="product-price">
<span class="visually-hidden">Sale Price:</span>$35.00 <span class="visually-hidden">Original Price:</span>
<span class="original-price">$45.00</span></div>{words}<div class="sqs-add-to-cart-button" role=button>
<div class="sqs-add-to-cart-button-inner">Add To Cart</div></div>"""


def product_of(body: str) -> Product:
    filled = body.format(words=WORDS, related=RELATED)
    html = f"<html lang=en><title>Oak table</title><body><main>{filled}</main></body></html>"
    reread = extract(html, URL).trace.reread
    assert reread is not None
    found = find_records(page_of(html, URL, Options()), reread()[1], "product", Output())
    (product,) = [one for one in found if isinstance(one, Product)]
    return product


@pytest.mark.parametrize(
    ("body", "price", "currency", "brand", "sku", "rating", "available"),
    [
        (WOOCOMMERCE, "35.00", "USD", "Eiche & Co", "woo-table", 4.5, True),
        (SOLD_OUT, "35.00", "EUR", None, None, None, False),
        (SHOPIFY, "35.00", "USD", None, None, None, True),
        (MAGENTO, "35.00", "USD", "Eiche & Co", "24-MB01", None, True),
        (PRESTASHOP, "35.00", "EUR", "Eiche & Co", "demo_3", None, True),
        (BIGCOMMERCE, "35.00", "USD", "Eiche & Co", "OT-4711", 4.0, True),
        (SHOPWARE, "1299.00", "EUR", "Eiche & Co", "SW10001", None, True),
        (SQUARESPACE, "35.00", "USD", None, None, None, True),
    ],
    ids="woocommerce sold-out shopify magento prestashop bigcommerce shopware squarespace".split(),
)
def test_common_shops(
    body: str,
    price: str,
    currency: str,
    brand: str | None,
    sku: str | None,
    rating: float | None,
    available: bool,
) -> None:
    product = product_of(body)
    assert (product.price, product.currency, product.brand) == (price, currency, brand)
    assert (product.sku, product.rating, product.available) == (sku, rating, available)


HEAD = "<h1>Oak table</h1>"


@pytest.mark.parametrize(
    ("about", "available"),
    [
        ("<p>Only 3 left in stock</p>", True),
        ("<p>Availability: <b>In stock</b></p>", True),
        ("<p>New options available</p><p>Express delivery available</p>", None),
        ("<p>Currently unavailable.</p>", False),
        ("<p>In stock</p><button>Sold out</button>", None),
        ("<button>M <span>Sold out</span></button><button>Buy now</button>", True),
        ("<ul><li>Size L<li>Sold out</ul>", None),
        ("<div itemprop=offers><link itemprop=availability href=https://schema.org/PreOrder></div>", True),
        ("<div itemprop=offers><meta itemprop=availability content='Discontinued'></div><p>In stock</p>", False),
    ],
)
def test_whether_it_can_be_had(about: str, available: bool | None) -> None:
    assert product_of(f"{HEAD}{about}{{words}}").available is available


@pytest.mark.parametrize(
    ("body", "brand"),
    [
        (f"<a href=/s>Visit the Heartwood Store</a>{HEAD}", "Heartwood"),
        (f"{HEAD}<table><tr class=po-brand><td>Brand<td>Heartwood</table>", "Heartwood"),
        (f"{HEAD}{{words}}<h4>Brand</h4><ul><li><a href=/a>Our story</a><li><a href=/b>Our people</a></ul>", None),
        (f"{HEAD}<span class=badge-brand>Lifetime guarantee</span>", None),
        ("<h1><span>Oak</span> table</h1>", None),
        ("<h1><a href=/b>Oak</a> table</h1>", "Oak"),
        ("<nav><a href=/m>Men's</a></nav><h1>Men's oak shoes</h1>", None),
        (f"{HEAD}<select><option>Brand<option>Heartwood</select>", None),
    ],
)
def test_brand_is_what_says_that_it_is_one(body: str, brand: str | None) -> None:
    assert product_of(f"{body}{{words}}").brand == brand


def test_price_is_not_of_a_part_nor_the_one_before() -> None:
    whole = "<div class=price><span class=price__integer>$79</span><span>.99</span></div>"
    assert product_of(f"{HEAD}{whole}{{words}}").price == "79.99"
    former = "<div class=price><span class=was-price>$45</span> $35</div>"
    assert product_of(f"{HEAD}{former}{{words}}").price == "35"
    only = "<div class=price><span class=price-regular>$45</span></div>"
    assert product_of(f"{HEAD}{only}{{words}}").price == "45"


def test_rating_in_words_and_none_of_nobody() -> None:
    assert product_of(f"{HEAD}<a aria-label='Rated 4.9 out of 5 stars' href=#r></a>{{words}}").rating == 4.9
    assert product_of(f"{HEAD}<p>4.6 stars on 82 reviews</p>{{words}}").rating == 4.6
    assert product_of(f"{HEAD}<p class=rating>0 out of 5</p>{{words}}").rating is None


def test_price_that_only_the_data_has_comes_with_its_currency() -> None:
    offer = '{{"@type": "Offer", "price": 35, "priceCurrency": "eur"}}'
    data = f'{{{{"@type": "Product", "name": "Oak table", "offers": {offer}}}}}'
    product = product_of(f"{HEAD}{{words}}<script type=application/ld+json>{data}</script>")
    assert (product.price, product.currency, product.sources["currency"]) == ("35", "EUR", "json-ld")
