"""The renderers of Markdown that people use, each as trusting as it can be.

All let HTML through, write any address, make links of bare addresses where they can, and have every extension on that
gives page text another way to become markup.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Sequence
from functools import cache, reduce
from operator import or_
from pathlib import Path
from typing import Any

import cmarkgfm
import markdown as python_markdown
import mistune
import pyromark
from cmarkgfm.cmark import Options as CmarkOptions
from markdown_it import MarkdownIt
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.attrs import attrs_block_plugin, attrs_plugin
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.field_list import fieldlist_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.myst_blocks import myst_block_plugin
from mdit_py_plugins.myst_role import myst_role_plugin
from mdit_py_plugins.substitution import substitution_plugin
from mdit_py_plugins.tasklists import tasklists_plugin
from mistune.directives import Admonition, Figure, Image, RSTDirective, TableOfContents

__all__ = ["FROM_NPM", "FROM_PYPI", "Render", "from_npm"]

Render = Callable[[str], str]


def _trusting(renderer: MarkdownIt) -> Render:
    renderer.validateLink = lambda url: True  # type: ignore[method-assign]
    return renderer.render


def _markdown_it_plugins() -> Render:
    renderer = MarkdownIt("gfm-like", {"html": True, "linkify": True, "typographer": True})
    for plugin in (
        admon_plugin,
        amsmath_plugin,
        attrs_plugin,
        attrs_block_plugin,
        colon_fence_plugin,
        deflist_plugin,
        dollarmath_plugin,
        fieldlist_plugin,
        footnote_plugin,
        myst_block_plugin,
        myst_role_plugin,
        substitution_plugin,
        tasklists_plugin,
    ):
        renderer.use(plugin)
    return _trusting(renderer)


def _cmark(*names: str) -> Render:
    options = reduce(or_, (getattr(CmarkOptions, f"CMARK_OPT_{name}") for name in ("UNSAFE", "FOOTNOTES", *names)))

    def render(text: str) -> str:
        html: str = cmarkgfm.markdown_to_html_with_extensions(
            text, options=options, extensions=["table", "autolink", "strikethrough", "tasklist"]
        )
        return html

    return render


def _mistune() -> Render:
    # What mistune itself takes for a harmful address it would replace, which hides it from these tests.
    renderer = mistune.HTMLRenderer(escape=False, allow_harmful_protocols=True)
    names = "url table strikethrough footnotes task_lists def_list abbr mark insert superscript subscript math ruby"
    directives = RSTDirective([Admonition(), TableOfContents(), Image(), Figure()])
    plugins: list[Any] = [*names.split(), "spoiler", directives]
    render: Any = mistune.create_markdown(renderer=renderer, plugins=plugins)
    return render  # type: ignore[no-any-return]


def _python_markdown(*extensions: str) -> Render:
    renderer = python_markdown.Markdown(extensions=extensions)

    def render(text: str) -> str:
        html: str = renderer.reset().convert(text)
        return html

    return render


_EVERY_OPTION = reduce(or_, pyromark.Options)

FROM_PYPI: dict[str, Render] = {
    "commonmark": _trusting(MarkdownIt("commonmark", {"html": True})),
    "markdown-it-py": _trusting(MarkdownIt("gfm-like", {"html": True, "linkify": True}).use(footnote_plugin)),
    "markdown-it-py, plugins": _markdown_it_plugins(),
    "markdown-it-py, line breaks": _trusting(
        MarkdownIt("gfm-like", {"html": True, "linkify": True, "typographer": True, "breaks": True})
    ),
    "cmark-gfm": _cmark(),
    "cmark-gfm, line breaks": _cmark("SMART", "HARDBREAKS", "GITHUB_PRE_LANG"),
    "mistune": _mistune(),
    "pulldown-cmark": lambda text: pyromark.html(text, options=_EVERY_OPTION),
    "Python-Markdown": _python_markdown("extra"),
    "Python-Markdown, line breaks": _python_markdown(
        *"md_in_html attr_list def_list footnotes tables abbr fenced_code toc smarty sane_lists nl2br".split()
    ),
    "Python-Markdown, all": _python_markdown(
        *"extra toc codehilite wikilinks admonition sane_lists smarty nl2br meta legacy_attrs".split()
    ),
    "Python-Markdown, pymdownx": _python_markdown(
        "attr_list",
        "pymdownx.extra",
        *(
            f"pymdownx.{name}"
            for name in "arithmatex betterem caret critic details emoji highlight inlinehilite keys".split()
        ),
        *(f"pymdownx.{name}" for name in "magiclink mark progressbar smartsymbols tasklist tilde blocks.html".split()),
        *(f"pymdownx.blocks.{name}" for name in "admonition caption definition details tab".split()),
    ),
}
FROM_NPM = (
    "marked",
    "marked, line breaks",
    "markdown-it",
    "markdown-it, plugins",
    "micromark",
    "remark",
    "commonmark.js",
    "showdown",
    "showdown, original",
)
_PROGRAM = Path(__file__).with_name("renderers.mjs")


class _Node:
    """One process that holds all renderers from npm."""

    def __init__(self, node: str) -> None:
        self._process = subprocess.Popen(
            [node, str(_PROGRAM)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        assert self._process.stdout is not None
        self.names: list[str] = json.loads(self._process.stdout.readline() or "[]")

    def render(self, name: str, texts: Sequence[str]) -> list[str]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"renderer": name, "texts": texts}) + "\n")
        self._process.stdin.flush()
        answer: list[str] = json.loads(self._process.stdout.readline())
        return answer


@cache
def _node() -> _Node | None:
    node = shutil.which("node")
    return _Node(node) if node else None


def from_npm(name: str) -> Render | None:
    """A renderer from npm, or None where it is not installed."""
    node = _node()
    return (lambda text: node.render(name, [text])[0]) if node and name in node.names else None
