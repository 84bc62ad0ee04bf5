"""The seven rows of the selector specification's table of document types."""

from __future__ import annotations

import pytest

from duramen.flatten import parse_tree
from duramen.native import core
from duramen.read.document_type import document_type

ROWS = [
    ("<!DOCTYPE html>", "HTML5", False),
    ("<!doctype HTML>", "HTML5", False),
    ('<!DOCTYPE html SYSTEM "about:legacy-compat">', "HTML5", False),
    ("<!-- first a comment -->\n<!DOCTYPE html>", "HTML5", False),
    ('<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">', "HTML 4.01 Strict", True),
    (
        '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">',
        "HTML 4.01 Strict",
        True,
    ),
    ('<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">', "HTML 4.01 Transitional", True),
    ('<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Frameset//EN">', "HTML 4.01 Transitional", True),
    ('<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.0 Transitional//EN">', "HTML 4.01 Transitional", True),
    ('<!DOCTYPE HTML PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">', "XHTML 1.0", True),
    ('<!DOCTYPE html PUBLIC "-//w3c//dtd xhtml 1.0 transitional//en">', "XHTML 1.0", True),
    ('<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN">', "XHTML 1.0", True),
    ('<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">', "quirks", True),
    ('<head><meta charset="UTF-8"></head>', "HTML5", False),
    ('<meta http-equiv="Content-Type" content="text/html; charset=UTF-8">', "HTML4/XHTML", True),
    ("<!DOCTYPE><p>malformed", "quirks", True),
    ("<!DOCTYPE nonsense><p>", "quirks", True),
    ("<p>nothing said", "quirks", True),
    ("", "quirks", True),
    ("\n<!-- one --><!-->\f<!---><!-- <!-- two --!>\t<!DOCTYPE html>", "HTML5", False),
    ("<?php ?><!ELEMENT x></ x></><!doctypehtml>", "HTML5", False),
    ("<!-- never closed <!DOCTYPE html>", "quirks", True),
    ("<? never closed <!DOCTYPE html", "quirks", True),
    ("text first<!DOCTYPE html>", "quirks", True),
    ("</p><!DOCTYPE html>", "quirks", True),
    ("<p><!DOCTYPE html>", "quirks", True),
    ("<![CDATA[>]]><!DOCTYPE html>", "quirks", True),
    ("<!DOCTYPE html", "HTML5", False),
    ("<!DOCTYPE html PUBLIC>", "HTML5", False),
    ("<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0>", "XHTML 1.0", True),
    ("<!DOCTYPE html public\"-//W3C//DTD HTML\n4.01//EN'", "HTML 4.01 Strict", True),
    ("<!DOCTYPE html bogus PUBLIC '-//W3C//DTD HTML 4.01//EN'>", "HTML5", False),
    ("<!DOCTYPE html SYSTEM '-//W3C//DTD HTML 4.01//EN'>", "HTML5", False),
    ("<p>" + "<i></i>" * 199 + "<meta charset=utf-8>", "quirks", True),
    ("<p>" + "<i></i>" * 190 + "<meta charset=utf-8>", "HTML5", False),
]


@pytest.mark.parametrize(("html", "name", "legacy"), ROWS, ids=[row[0][:60] for row in ROWS])
@pytest.mark.parametrize("before", ["", f"<!--{'é' * 5_000}-->"], ids=["first", "later"])
def test_each_row(html: str, name: str, legacy: bool, before: str) -> None:
    for page in (before + html, core.utf8((before + html).encode())):
        assert page is not None
        found = document_type(parse_tree(page))
        assert (found.name, found.legacy) == (name, legacy)
        assert found.source
