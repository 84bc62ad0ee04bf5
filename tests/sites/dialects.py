"""How each generator wants a document to be written. A dialect also says what its generator has no syntax for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from textwrap import indent

from .documents import (
    Api,
    Block,
    Callout,
    Code,
    Definitions,
    Document,
    Heading,
    Items,
    Math,
    Notes,
    Para,
    Picture,
    Quote,
    Table,
    Tabs,
)

ALL = frozenset({"notes", "math", "definitions", "tabs", "titles", "api", "nested code", "hidden tabs"})
"""Some generators leave a tab that is not shown to scripts: the served page does not hold it."""

CalloutWriter = Callable[[str, str, str], str]
"""Kind, title and body to source."""
TabsWriter = Callable[[Sequence[tuple[str, str]]], str]


@dataclass(frozen=True)
class Dialect:
    """Markdown as one generator reads it."""

    features: frozenset[str]
    callout: CalloutWriter | None = None
    tabs: TabsWriter | None = None
    fence: Callable[[Code], str] = lambda code: f"```{code.language}"
    math: tuple[str, str, str, str] = ("$", "$", "$$\n", "\n$$")
    """Around an inline and around a display formula."""
    definition: str = ": "
    step: int = 0
    """Columns that the content of a list item is indented by, where it is not the width of the item's mark."""
    begins: str = ""
    """What stands before everything (imports of MDX)."""


def fitted(document: Document, dialect: Dialect) -> Document:
    """The document without what the generator cannot say; tabs and callouts become plain blocks instead."""
    return replace(document, blocks=tuple(_fit(document.blocks, dialect)))


def _fit(blocks: Iterable[Block], dialect: Dialect) -> list[Block]:
    # Documents are ours and two levels deep, so that a queue of one pass a level is enough.
    out: list[Block] = []
    for block in blocks:
        match block:
            case Definitions() if "definitions" not in dialect.features:
                continue
            case Math() if "math" not in dialect.features:
                continue
            case Notes() if "notes" not in dialect.features:
                continue
            case Para(text):
                if "math" not in dialect.features and "{math:" in text:
                    continue
                if "notes" not in dialect.features:
                    text = re.sub(r"\{fn:\w+\}", "", text)
                out.append(Para(text))
            case Items(items, ordered) if "nested code" not in dialect.features:
                out.append(Items(tuple(tuple(b for b in item if not isinstance(b, Code)) for item in items), ordered))
            case Code():
                out.append(block if "titles" in dialect.features else replace(block, title=""))
            case Callout() if dialect.callout is None:
                said = f"**{block.title}.** " if block.title else ""
                first = block.blocks[0]
                assert isinstance(first, Para)
                out.append(Quote(said + first.text))
                out += block.blocks[1:]
            case Tabs(tabs) if "hidden tabs" not in dialect.features:
                out.append(Tabs(tabs[:1]))
            case Tabs(tabs) if dialect.tabs is None:
                for label, inner in tabs:
                    out += [Para(f"**{label}**"), *inner]
            case Api(signature, inner) if "api" not in dialect.features:
                out.append(Heading(3, f"`{signature}`"))
                out += _flat(inner, dialect)
            case _:
                out.append(block)
    return out


def _flat(blocks: Iterable[Block], dialect: Dialect) -> list[Block]:
    return [
        Quote(block.blocks[0].text)
        if isinstance(block, Callout) and dialect.callout is None and isinstance(block.blocks[0], Para)
        else block
        for block in blocks
    ]


def written(document: Document, dialect: Dialect, *, heading: bool = True) -> str:
    """The source of a fitted document, with its title as the first heading unless the front matter has it."""
    title = f"# {document.title}\n\n" if heading else ""
    return f"{dialect.begins}{title}{_write(document.blocks, dialect)}\n"


def _write(blocks: Iterable[Block], dialect: Dialect) -> str:
    return "\n\n".join(_block(block, dialect) for block in blocks)


def _block(block: Block, dialect: Dialect) -> str:
    match block:
        case Heading(level, text):
            return f"{'#' * level} {text}"
        case Para(text):
            return _inline(text, dialect)
        case Code():
            return f"{dialect.fence(block)}\n{block.text.removesuffix(chr(10))}\n```"
        case Table(rows):
            lines = [" | ".join(cell.replace("|", "\\|") for cell in row) for row in rows]
            lines.insert(1, " | ".join("---" for _ in rows[0]))
            return "\n".join(f"| {line} |" for line in lines)
        case Items(items, ordered):
            return "\n".join(_item(item, f"{n}." if ordered else "-", dialect) for n, item in enumerate(items, 1))
        case Callout(kind, inner, title):
            assert dialect.callout is not None
            return dialect.callout(kind, title, _write(inner, dialect))
        case Tabs(tabs):
            assert dialect.tabs is not None
            return dialect.tabs([(label, _write(inner, dialect)) for label, inner in tabs])
        case Definitions(pairs):
            return "\n\n".join(f"{term}\n{dialect.definition}{text}" for term, text in pairs)
        case Quote(text):
            return f"> {text}"
        case Math(tex):
            return f"{dialect.math[2]}{tex}{dialect.math[3]}"
        case Picture(src, alt):
            return f"![{alt}]({src})"
        case Api(signature, inner):
            return f"``````{{py:function}} {signature}\n:noindex:\n\n{_write(inner, dialect)}\n``````"
        case Notes(notes):
            return "\n\n".join(f"[^{key}]: {text}" for key, text in notes)


def _item(item: Sequence[Block], mark: str, dialect: Dialect) -> str:
    lines = (
        _write(item, dialect) if any(isinstance(b, Code) for b in item) else "\n".join(_block(b, dialect) for b in item)
    )
    step = dialect.step or len(mark) + 1
    return f"{mark} " + indent(lines, " " * step)[step:]


def _inline(text: str, dialect: Dialect) -> str:
    before, after = dialect.math[:2]
    text = re.sub(r"\{math:(.*?)\}", lambda m: f"{before}{m[1]}{after}", text)
    return re.sub(r"\{fn:(\w+)\}", r"[^\1]", text)


# -- ways to say it --------------------------------------------------------------------------------------------------


def _info(*, title: str = "", numbered: str = "", marked: str = "") -> Callable[[Code], str]:
    """A fence with what follows the language, for code that has a title, line numbers or marked lines."""

    def fence(code: Code) -> str:
        said = [f"```{code.language or 'text'}"]
        if code.title and title:
            said.append(title.format(code.title))
        if code.numbered and numbered:
            said.append(numbered)
        if code.marked and marked:
            said.append(marked.format(code.marked))
        return " ".join(said)

    return fence


def _vitepress_fence(code: Code) -> str:
    numbered = ":line-numbers" if code.numbered else ""
    return f"```{code.language or 'text'}{numbered}" + (f" {{{code.marked}}}" if code.marked else "")


def _myst_fence(code: Code) -> str:
    options = []
    if code.title:
        options.append(f":caption: {code.title}")
    if code.numbered:
        options.append(":linenos:")
    if code.marked:
        options.append(f":emphasize-lines: {code.marked}")
    return "\n".join([f"```{{code-block}} {code.language or 'text'}", *options, ""])


def _hugo_fence(code: Code) -> str:
    options = (["linenos=table"] if code.numbered else []) + ([f'hl_lines=["{code.marked}"]'] if code.marked else [])
    return f"```{code.language or 'text'}" + (f" {{{','.join(options)}}}" if options else "")


def _superfence(code: Code) -> str:
    """Python-Markdown's own fences with Pymdown's options."""
    options = ([f'title="{code.title}"'] if code.title else []) + (['linenums="1"'] if code.numbered else [])
    options += [f'hl_lines="{code.marked.replace(",", " ")}"'] if code.marked else []
    return f"``` {{.{code.language or 'text'} {' '.join(options)}}}" if options else f"```{code.language}"


def _myst_callout(kind: str, title: str, body: str) -> str:
    if title:
        return f"::::{{admonition}} {title}\n:class: {kind}\n\n{body}\n::::"
    return f"::::{{{kind}}}\n{body}\n::::"


def _indented(kind: str, title: str, body: str) -> str:
    return f"!!! {kind}" + (f' "{title}"' if title else "") + "\n\n" + indent(body, "    ")


def _container(bracket: str, names: dict[str, str]) -> CalloutWriter:
    def write(kind: str, title: str, body: str) -> str:
        said = bracket.format(title) if title else ""
        return f":::{names.get(kind, kind)}{said}\n\n{body}\n\n:::"

    return write


def _alert(kind: str, title: str, body: str) -> str:
    said = f"**{title}.** " if title else ""
    return f"> [!{kind.upper()}]\n" + indent(said + body, "> ", lambda _: True)


def _mdx_callout(kind: str, title: str, body: str) -> str:
    said = f"**{title}.** " if title else ""
    name = {"note": "info", "tip": "default", "warning": "warning"}[kind]
    return f'<Callout type="{name}">\n\n{said}{body}\n\n</Callout>'


def _myst_tabs(tabs: Sequence[tuple[str, str]]) -> str:
    inner = "\n\n".join(f":::::{{tab-item}} {label}\n{body}\n:::::" for label, body in tabs)
    return f"::::::{{tab-set}}\n{inner}\n::::::"


def _material_tabs(tabs: Sequence[tuple[str, str]]) -> str:
    return "\n\n".join(f'=== "{label}"\n\n' + indent(body, "    ") for label, body in tabs)


def _mdx_tabs(item: str) -> TabsWriter:
    def write(tabs: Sequence[tuple[str, str]]) -> str:
        inner = "\n".join(item.format(label=label, value=label.lower(), body=body) for label, body in tabs)
        return f"<Tabs>\n{inner}\n</Tabs>"

    return write


def _nextra_tabs(tabs: Sequence[tuple[str, str]]) -> str:
    labels = ", ".join(f"'{label}'" for label, _ in tabs)
    inner = "\n".join(f"<Tabs.Tab>\n\n{body}\n\n</Tabs.Tab>" for _, body in tabs)
    return f"<Tabs items={{[{labels}]}}>\n{inner}\n</Tabs>"


def _nextra2_tabs(tabs: Sequence[tuple[str, str]]) -> str:
    return _nextra_tabs(tabs).replace("Tabs.Tab", "Tab")


_DOCUSAURUS_ITEM = '<TabItem value="{value}" label="{label}">\n\n{body}\n\n</TabItem>'
_DOCUSAURUS_BEGINS = "import Tabs from '@theme/Tabs';\nimport TabItem from '@theme/TabItem';\n\n"
_MARKED = {"title": 'title="{}"', "marked": "{{{}}}"}

MYST = Dialect(ALL, _myst_callout, _myst_tabs, _myst_fence)
MKDOCS = Dialect(ALL - {"tabs", "titles", "api", "math", "nested code"}, _indented, step=4)
MATERIAL = Dialect(ALL - {"api"}, _indented, _material_tabs, _superfence, definition=":   ", step=4)
DOCUSAURUS3 = Dialect(
    ALL - {"definitions", "api"},
    _container("[{}]", {}),
    _mdx_tabs(_DOCUSAURUS_ITEM),
    _info(numbered="showLineNumbers", **_MARKED),
    begins=_DOCUSAURUS_BEGINS,
)
DOCUSAURUS2 = replace(DOCUSAURUS3, callout=_container(" {}", {}))
VITEPRESS = Dialect(
    ALL - {"definitions", "api", "titles", "tabs"},
    _container(" {}", {"note": "info"}),
    fence=_vitepress_fence,
)
VUEPRESS = replace(
    VITEPRESS,
    features=VITEPRESS.features - {"math", "notes"},
    fence=lambda code: f"```{code.language or 'text'}" + (f"{{{code.marked}}}" if code.marked else ""),
)
STARLIGHT = Dialect(
    ALL - {"definitions", "api"},
    _container("[{}]", {"warning": "caution"}),
    _mdx_tabs('<TabItem label="{label}">\n\n{body}\n\n</TabItem>'),
    _info(**_MARKED),
    begins="import { Tabs, TabItem } from '@astrojs/starlight/components';\n\n",
)
NEXTRA4 = Dialect(
    ALL - {"definitions", "api"},
    _mdx_callout,
    _nextra_tabs,
    _info(title='filename="{}"', numbered="showLineNumbers", marked="{{{}}}"),
    begins="import { Callout, Tabs } from 'nextra/components'\n\n",
)
NEXTRA2 = replace(
    NEXTRA4,
    features=NEXTRA4.features - {"hidden tabs"},
    tabs=_nextra2_tabs,
    begins="import { Callout, Tabs, Tab } from 'nextra/components'\n\n",
)
HUGO = Dialect(ALL - {"tabs", "titles", "api"}, fence=_hugo_fence, math=("\\(", "\\)", "\\[\n", "\n\\]"))
JEKYLL = Dialect(ALL - {"tabs", "titles", "api"}, math=("$$", "$$", "$$\n", "\n$$"))
PELICAN = Dialect(ALL - {"tabs", "titles", "api", "math", "nested code"}, definition=":   ", step=4)
MDBOOK = Dialect(ALL - {"tabs", "titles", "api", "definitions", "math"})
MDBOOK5 = replace(MDBOOK, callout=_alert)
HONKIT = Dialect(frozenset({"nested code", "hidden tabs"}))
HEXO = HONKIT
