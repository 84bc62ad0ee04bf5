"""The generators: what to install, how a site is laid out, how it is built, where its pages end up."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from . import dialects
from .dialects import Dialect, fitted, written
from .documents import AUTHOR, DATE, DOCUMENTS, FOOTER, SITE, TAGLINE, Document

REPOSITORY = "https://example.org/wardens/archive"

CHROME = (
    SITE,
    TAGLINE,
    FOOTER,
    "Edit this page",
    "Edit on GitHub",
    "On this page",
    "Table of contents",
    "Skip to main content",
    "Skip to content",
    "Powered by",
    "Last updated",
    "Copy page",
    "Copy to clipboard",
    "Previous",
    "Permalink",
    "Section titled",
    "Terminal window",
    "opens in a new tab",
    "¶",
    "\u200b",
    "\uf0c1",
)
"""What no page's content has: it stands around it. The titles of the other pages come on top."""


@dataclass(frozen=True)
class Generator:
    name: str
    """The folder of its pages."""
    framework: str
    """The framework that Duramen should see."""
    dialect: Dialect
    kind: Literal["python", "node", "debian"]
    packages: tuple[str, ...]
    write: Callable[[Path, Generator], None]
    """Lays the site out in a folder, all but the documents."""
    command: tuple[str, ...]
    source: Callable[[Document], str]
    page: Callable[[Document], str]
    front: Callable[[Document], str] = lambda document: ""
    heading: bool = True
    prepare: tuple[str, ...] = ()
    """A command that runs once, before the site is laid out."""
    theme: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)
    stored: tuple[str, ...] = tuple(d.name for d in DOCUMENTS)
    """The documents whose pages are kept: of a theme that differs in its frame only, a few will do."""
    overrides: Mapping[str, str] = field(default_factory=dict)
    """Versions of packages below those named, where the newest does not install."""

    def layout(self, folder: Path) -> None:
        """Write a whole site into a folder."""
        self.write(folder, self)
        for document in DOCUMENTS:
            path = folder / self.source(document)
            path.parent.mkdir(parents=True, exist_ok=True)
            text = written(fitted(document, self.dialect), self.dialect, heading=self.heading)
            path.write_text(self.front(document) + text, encoding="utf-8")


FEW = ("guide", "short", "slate")


def _put(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _links(suffix: str) -> str:
    return "\n".join(f"- [{d.title}]({d.name}{suffix})" for d in DOCUMENTS)


def _front(*keys: str) -> Callable[[Document], str]:
    """YAML front matter with the keys a generator wants."""

    def front(document: Document) -> str:
        lines = {
            "title": f"title: {document.title}",
            "date": f"date: {DATE}",
            "author": f"author: {AUTHOR}",
            "authors": f"authors: [{{name: {AUTHOR}}}]" if document.post else "",
            "tags": "tags: [slates, winter]" if document.post else "",
            "layout": f"layout: {'post' if document.post else 'page'}",
        }
        return "---\n" + "\n".join(filter(None, (lines[key] for key in keys))) + "\n---\n\n"

    return front


# -- Sphinx ----------------------------------------------------------------------------------------------------------


def _sphinx_site(folder: Path, generator: Generator) -> None:
    options = json.dumps(generator.settings).replace("true", "True").replace("false", "False")
    _put(
        folder,
        {
            "conf.py": f"project = {SITE!r}\nauthor = {AUTHOR!r}\nhtml_title = {SITE!r}\ncopyright = {FOOTER!r}\n"
            "extensions = ['myst_parser', 'sphinx_design', 'sphinx_copybutton', 'sphinx.ext.mathjax']\n"
            "myst_enable_extensions = ['colon_fence', 'deflist', 'dollarmath']\n"
            f"html_theme = {generator.theme!r}\nhtml_theme_options = {options}\nhtml_last_updated_fmt = '%Y'\n"
            "html_context = {'display_github': True, 'github_user': 'wardens', 'github_repo': 'archive',"
            " 'github_version': 'main', 'conf_py_path': '/'}\n",
            "index.md": f"# {SITE}\n\n```{{toctree}}\n" + "\n".join(d.name for d in DOCUMENTS) + "\n```\n",
        },
    )


def _sphinx(name: str, theme: str, packages: tuple[str, ...] = (), **settings: object) -> Generator:
    return Generator(
        name,
        "sphinx",
        dialects.MYST,
        "python",
        ("sphinx", "myst-parser", "sphinx-design", "sphinx-copybutton", *packages),
        _sphinx_site,
        ("sphinx-build", "-q", "-b", "html", ".", "_build"),
        lambda d: f"{d.name}.md",
        lambda d: f"_build/{d.name}.html",
        theme=theme,
        settings=settings,
    )


# -- MkDocs ----------------------------------------------------------------------------------------------------------

_PLAIN_EXTENSIONS = "[admonition, footnotes, def_list, attr_list, tables, fenced_code, toc: {permalink: true}]"
_RICH_EXTENSIONS = (
    "[admonition, footnotes, def_list, attr_list, tables, pymdownx.superfences, pymdownx.highlight: {anchor_linenums:"
    " true}, pymdownx.tabbed: {alternate_style: true}, pymdownx.arithmatex: {generic: true}, toc: {permalink: true}]"
)


def _mkdocs_site(folder: Path, generator: Generator) -> None:
    extensions = _RICH_EXTENSIONS if generator.theme == "material" else _PLAIN_EXTENSIONS
    features = "  features: [navigation.footer, content.action.edit, content.action.view, content.code.copy, navigation.path]\n"
    _put(
        folder,
        {
            "mkdocs.yml": f"site_name: {SITE}\nsite_description: {TAGLINE}\nrepo_url: {REPOSITORY}\nedit_uri: edit/main/\n"
            f"copyright: {FOOTER}\ntheme:\n  name: {generator.theme}\n"
            + (features if generator.theme == "material" else "")
            + f"use_directory_urls: false\nmarkdown_extensions: {extensions}\n",
            "docs/index.md": f"# {SITE}\n\n{_links('.md')}\n",
        },
    )


def _mkdocs(name: str, theme: str, dialect: Dialect, *packages: str) -> Generator:
    return Generator(
        name,
        "mkdocs-material" if theme == "material" else "mkdocs",
        dialect,
        "python",
        ("mkdocs", *packages),
        _mkdocs_site,
        ("mkdocs", "build", "-q"),
        lambda d: f"docs/{d.name}.md",
        lambda d: f"site/{d.name}.html",
        theme=theme,
    )


# -- Docusaurus ------------------------------------------------------------------------------------------------------


def _docusaurus_site(folder: Path, generator: Generator) -> None:
    three = generator.name == "docusaurus3"
    bind = (
        "const math = (await import('remark-math')).default; const katex = (await import('rehype-katex')).default;"
        if three
        else "const math = require('remark-math'); const katex = require('rehype-katex');"
    )
    _put(
        folder,
        {
            "docusaurus.config.js": f"module.exports = async () => {{ {bind}\n"
            "const shared = {remarkPlugins: [math], rehypePlugins: [katex], editUrl: '" + REPOSITORY + "/edit/'};\n"
            f"return {{title: {SITE!r}, tagline: {TAGLINE!r}, url: 'https://archive.example.org', baseUrl: '/', onBrokenLinks: 'ignore',\n"
            "presets: [['classic', {docs: {...shared, sidebarPath: undefined}, blog: {...shared, showReadingTime: true}}]],\n"
            f"themeConfig: {{navbar: {{title: {SITE!r}}}, footer: {{copyright: {FOOTER!r}}}}}}};}};\n",
            "docs/index.md": f"# {SITE}\n\n{_links('.mdx').replace('(slate.mdx)', '(/blog/slate)')}\n",
        },
    )


def _docusaurus(version: int, dialect: Dialect, packages: tuple[str, ...], **overrides: str) -> Generator:
    return Generator(
        f"docusaurus{version}",
        "docusaurus",
        dialect,
        "node",
        packages,
        _docusaurus_site,
        ("docusaurus", "build"),
        lambda d: f"blog/{DATE}-{d.name}.mdx" if d.post else f"docs/{d.name}.mdx",
        lambda d: f"build/blog/{d.name}/index.html" if d.post else f"build/docs/{d.name}/index.html",
        lambda d: (
            f"---\ntitle: {d.title}\nslug: {d.name}\nauthors: [{{name: {AUTHOR}}}]\ntags: [slates, winter]\n---\n\n"
            if d.post
            else ""
        ),
        heading=True,
        overrides=overrides,
    )


# -- VitePress, Starlight, Nextra ------------------------------------------------------------------------------------


def _vitepress_site(folder: Path, generator: Generator) -> None:
    sidebar = json.dumps([{"text": d.title, "link": f"/{d.name}"} for d in DOCUMENTS])
    _put(
        folder,
        {
            ".vitepress/config.mjs": "import footnote from 'markdown-it-footnote';\n"
            f"export default {{title: {SITE!r}, description: {TAGLINE!r}, cleanUrls: false,\n"
            "markdown: {math: true, config: md => md.use(footnote)}, lastUpdated: false,\n"
            f"themeConfig: {{sidebar: {sidebar}, outline: 'deep', editLink: {{pattern: '{REPOSITORY}/:path'}},\n"
            f"footer: {{message: {FOOTER!r}}}}}}};\n",
            "index.md": f"# {SITE}\n\n{_links('.md')}\n",
        },
    )


def _vuepress_site(folder: Path, generator: Generator) -> None:
    sidebar = json.dumps([f"/{d.name}.md" for d in DOCUMENTS])
    _put(
        folder,
        {
            "docs/.vuepress/config.mjs": "import { viteBundler } from '@vuepress/bundler-vite';\n"
            "import { defaultTheme } from '@vuepress/theme-default';\n"
            f"export default {{title: {SITE!r}, description: {TAGLINE!r}, bundler: viteBundler(),\n"
            f"theme: defaultTheme({{sidebar: {sidebar}, docsRepo: '{REPOSITORY}', editLink: true, lastUpdated: false}})}};\n",
            "docs/README.md": f"# {SITE}\n\n{_links('.md')}\n",
        },
    )


def _starlight_site(folder: Path, generator: Generator) -> None:
    sidebar = json.dumps([{"label": d.title, "slug": d.name} for d in DOCUMENTS])
    _put(
        folder,
        {
            "astro.config.mjs": "import { defineConfig } from 'astro/config';\n"
            "import starlight from '@astrojs/starlight';\nimport math from 'remark-math';\n"
            "import katex from 'rehype-katex';\n"
            "import { unified } from '@astrojs/markdown-remark';\n"
            "export default defineConfig({telemetry: false, markdown: {processor: unified({remarkPlugins: [math],"
            " rehypePlugins: [katex]})}, integrations: [starlight({\n"
            f"title: {SITE!r}, description: {TAGLINE!r}, editLink: {{baseUrl: '{REPOSITORY}/edit/'}}, pagefind: false,\n"
            f"sidebar: {sidebar}}})]}});\n",
            "src/content.config.ts": "import { defineCollection } from 'astro:content';\n"
            "import { docsLoader } from '@astrojs/starlight/loaders';\n"
            "import { docsSchema } from '@astrojs/starlight/schema';\n"
            "export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };\n",
            "src/content/docs/index.md": f"---\ntitle: {SITE}\n---\n\n{_links('/')}\n",
        },
    )


def _nextra4_site(folder: Path, generator: Generator) -> None:
    _put(
        folder,
        {
            "next.config.mjs": "import nextra from 'nextra'\nexport default nextra({latex: true, search: false,"
            " defaultShowCopyCode: true})({output: 'export', images: {unoptimized: true}})\n",
            "mdx-components.js": "import { useMDXComponents as theme } from 'nextra-theme-docs'\n"
            "export function useMDXComponents(more) { return { ...theme(), ...more } }\n",
            "app/layout.jsx": "import { Footer, Layout, Navbar } from 'nextra-theme-docs'\n"
            "import { Head } from 'nextra/components'\nimport { getPageMap } from 'nextra/page-map'\n"
            f"export const metadata = {{title: {{template: '%s | {SITE}', default: '{SITE}'}}}}\n"
            "export default async function Root({ children }) {\n"
            "  return <html lang='en' dir='ltr' suppressHydrationWarning><Head /><body><Layout\n"
            f"    navbar={{<Navbar logo={{<b>{SITE}</b>}} />}} pageMap={{await getPageMap()}}\n"
            f"    docsRepositoryBase='{REPOSITORY}' footer={{<Footer>{FOOTER}</Footer>}}>{{children}}</Layout></body></html>\n"
            "}\n",
            "app/page.mdx": f"# {SITE}\n\n{_links('')}\n",
        },
    )


def _nextra2_site(folder: Path, generator: Generator) -> None:
    _put(
        folder,
        {
            "next.config.mjs": "import nextra from 'nextra'\nexport default nextra({theme: 'nextra-theme-docs',"
            " themeConfig: './theme.config.jsx', latex: true, flexsearch: false, defaultShowCopyCode: true})"
            "({output: 'export', images: {unoptimized: true}})\n",
            "theme.config.jsx": f"export default {{logo: <b>{SITE}</b>, docsRepositoryBase: '{REPOSITORY}',"
            f" footer: {{text: '{FOOTER}'}}}}\n",
            "pages/_app.jsx": "export default function App({ Component, pageProps }) { return <Component {...pageProps} /> }\n",
            "pages/index.mdx": f"# {SITE}\n\n{_links('')}\n",
        },
    )


# -- the others ------------------------------------------------------------------------------------------------------


def _mdbook_site(folder: Path, generator: Generator) -> None:
    _put(
        folder,
        {
            "book.toml": f'[book]\ntitle = "{SITE}"\nauthors = ["{AUTHOR}"]\n[output.html]\n'
            f'git-repository-url = "{REPOSITORY}"\nedit-url-template = "{REPOSITORY}/edit/{{path}}"\n',
            "src/SUMMARY.md": f"# Summary\n\n{_links('.md')}\n",
        },
    )


def _honkit_site(folder: Path, generator: Generator) -> None:
    _put(
        folder,
        {
            "book.json": json.dumps({"title": SITE, "author": AUTHOR, "plugins": ["-sharing"]}),
            "README.md": f"# {SITE}\n\n{TAGLINE}\n",
            "SUMMARY.md": f"# Summary\n\n{_links('.md')}\n",
        },
    )


def _hexo_site(folder: Path, generator: Generator) -> None:
    _put(
        folder,
        {
            "_config.yml": f"title: {SITE}\nsubtitle: {TAGLINE}\nauthor: {AUTHOR}\nurl: https://archive.example.org\n"
            "root: /\npermalink: :title/\nsource_dir: source\npublic_dir: public\ntheme: landscape\n"
            "syntax_highlighter: highlight.js\nhighlight: {line_number: true}\nsearch: false\n",
        },
    )


def _jekyll_site(folder: Path, generator: Generator) -> None:
    _put(
        folder,
        {
            "_config.yml": f"title: {SITE}\ndescription: {TAGLINE}\nauthor: {{name: {AUTHOR}}}\ntheme: minima\n"
            "url: https://archive.example.org\npermalink: /:title/\nexclude: []\n"
            "plugins: [jekyll-feed, jekyll-seo-tag]\n",
            "index.md": "---\nlayout: home\n---\n",
        },
    )


def _pelican_site(folder: Path, generator: Generator) -> None:
    _put(
        folder,
        {
            "conf.py": f"AUTHOR = {AUTHOR!r}\nSITENAME = {SITE!r}\nSITESUBTITLE = {TAGLINE!r}\nPATH = 'content'\n"
            f"TIMEZONE = 'UTC'\nDEFAULT_LANG = 'en'\nTHEME = {generator.theme!r}\nARTICLE_SAVE_AS = '{{slug}}.html'\n"
            "PAGE_SAVE_AS = '{slug}.html'\nARTICLE_TRANSLATION_ID = None\nPAGE_TRANSLATION_ID = None\n"
            "MARKDOWN = {'extensions': ['footnotes', 'def_list', 'tables', 'fenced_code', 'codehilite', 'meta'],"
            " 'extension_configs': {'codehilite': {'css_class': 'highlight', 'guess_lang': False}}}\n",
        },
    )


def _hugo_site(folder: Path, generator: Generator) -> None:
    math = "{enable: true, delimiters: {block: [['\\[', '\\]']], inline: [['\\(', '\\)']]}}"
    _put(
        folder,
        {
            "hugo.yaml": f"title: {SITE}\nbaseURL: https://archive.example.org/\ntheme: lodge\n"
            f"markup: {{goldmark: {{extensions: {{passthrough: {math}}}}}, highlight: {{noClasses: false}}}}\n"
            f"params: {{description: {TAGLINE}}}\n",
        },
    )


def _under(folder: str, suffix: str = ".md") -> Callable[[Document], str]:
    return lambda d: f"{folder}{d.name}{suffix}"


def _pelican(theme: str) -> Generator:
    return Generator(
        f"pelican-{theme}",
        "pelican",
        dialects.PELICAN,
        "python",
        ("pelican[markdown]",),
        _pelican_site,
        ("pelican", "-q", "-s", "conf.py", "-o", "output"),
        lambda d: f"content/{d.name}.md" if d.post else f"content/pages/{d.name}.md",
        _under("output/", ".html"),
        lambda d: f"Title: {d.title}\nDate: {DATE} 10:00\nSlug: {d.name}\nTags: slates, winter\n\n",
        heading=False,
        theme=theme,
    )


def _mdbook(version: str, dialect: Dialect) -> Generator:
    return Generator(
        f"mdbook{version}",
        "mdbook",
        dialect,
        "debian",
        (f"mdbook{version}",),
        _mdbook_site,
        (f"mdbook{version}", "build"),
        _under("src/"),
        _under("book/", ".html"),
    )


GENERATORS: tuple[Generator, ...] = (
    _sphinx("sphinx-alabaster", "alabaster", show_relbars="true", description=TAGLINE),
    _sphinx("sphinx-rtd", "sphinx_rtd_theme", ("sphinx-rtd-theme",)),
    _sphinx("sphinx-pydata", "pydata_sphinx_theme", ("pydata-sphinx-theme",), use_edit_page_button=True),
    _sphinx(
        "sphinx-furo",
        "furo",
        ("furo",),
        source_repository=f"{REPOSITORY}/",
        source_branch="main",
        source_directory="docs/",
    ),
    _sphinx(
        "sphinx-book",
        "sphinx_book_theme",
        ("sphinx-book-theme",),
        repository_url=REPOSITORY,
        repository_provider="github",
        use_edit_page_button=True,
        use_download_button=True,
    ),
    # Themes that no row knows: the frame is unknown, the document is not.
    replace(_sphinx("sphinx-haiku", "haiku"), stored=FEW),
    replace(_sphinx("sphinx-shibuya", "shibuya", ("shibuya",)), stored=FEW),
    replace(_mkdocs("mkdocs-gitbook", "gitbook", dialects.MKDOCS, "mkdocs-gitbook"), stored=FEW),
    replace(_mkdocs("mkdocs-alabaster", "alabaster", dialects.MKDOCS, "mkdocs-alabaster"), stored=FEW),
    _mkdocs("mkdocs-default", "mkdocs", dialects.MKDOCS),
    _mkdocs("mkdocs-readthedocs", "readthedocs", dialects.MKDOCS),
    _mkdocs("mkdocs-material", "material", dialects.MATERIAL, "mkdocs-material"),
    _docusaurus(
        3,
        dialects.DOCUSAURUS3,
        (
            "@docusaurus/core@3",
            "@docusaurus/preset-classic@3",
            "react@19",
            "react-dom@19",
            "@mdx-js/react@3",
            "remark-math@6",
            "rehype-katex@7",
        ),
        **{"@docsearch/react": "4.6.2", "@docsearch/core": "4.6.2"},
    ),
    _docusaurus(
        2,
        dialects.DOCUSAURUS2,
        (
            "@docusaurus/core@2.4.3",
            "@docusaurus/preset-classic@2.4.3",
            "react@17",
            "react-dom@17",
            "@mdx-js/react@1",
            "remark-math@3",
            "rehype-katex@5",
            "webpack@5.88.2",
        ),
    ),
    Generator(
        "vitepress",
        "vitepress",
        dialects.VITEPRESS,
        "node",
        ("vitepress", "markdown-it-footnote", "markdown-it-mathjax3@4"),
        _vitepress_site,
        ("vitepress", "build"),
        _under(""),
        _under(".vitepress/dist/", ".html"),
    ),
    Generator(
        "vuepress2",
        "vitepress",
        dialects.VUEPRESS,
        "node",
        (
            "vuepress@2.0.0-rc.20",
            "@vuepress/bundler-vite@2.0.0-rc.20",
            "@vuepress/theme-default@2.0.0-rc.88",
            "sass-embedded",
            "vue",
        ),
        _vuepress_site,
        ("vuepress", "build", "docs"),
        _under("docs/"),
        _under("docs/.vuepress/dist/", ".html"),
        stored=(*FEW, "changes"),
    ),
    Generator(
        "starlight",
        "starlight",
        dialects.STARLIGHT,
        "node",
        (
            "node@22",
            "astro",
            "@astrojs/starlight",
            "sharp",
            "@astrojs/markdown-remark",
            "remark-math@6",
            "rehype-katex@7",
        ),
        _starlight_site,
        ("astro", "build"),
        _under("src/content/docs/", ".mdx"),
        _under("dist/", "/index.html"),
        _front("title"),
        heading=False,
    ),
    Generator(
        "nextra4",
        "nextra",
        dialects.NEXTRA4,
        "node",
        ("nextra@4", "nextra-theme-docs@4", "next@15", "react@19", "react-dom@19"),
        _nextra4_site,
        ("next", "build"),
        _under("app/", "/page.mdx"),
        _under("out/", ".html"),
        overrides={"zod": "4.1.12"},
    ),
    Generator(
        "nextra2",
        "nextra",
        dialects.NEXTRA2,
        "node",
        ("nextra@2", "nextra-theme-docs@2", "next@13", "react@18", "react-dom@18"),
        _nextra2_site,
        ("next", "build"),
        _under("pages/", ".mdx"),
        _under("out/", ".html"),
    ),
    _mdbook("4", dialects.MDBOOK),
    _mdbook("5", dialects.MDBOOK5),
    Generator(
        "honkit",
        "honkit",
        dialects.HONKIT,
        "node",
        ("honkit",),
        _honkit_site,
        ("honkit", "build", ".", "_book"),
        _under(""),
        _under("_book/", ".html"),
    ),
    Generator(
        "hexo",
        "hexo",
        dialects.HEXO,
        "node",
        (
            "hexo",
            "hexo-theme-landscape",
            "hexo-renderer-marked",
            "hexo-renderer-ejs",
            "hexo-renderer-stylus",
            "hexo-generator-index",
            "hexo-generator-archive",
            "hexo-generator-tag",
        ),
        _hexo_site,
        ("hexo", "generate"),
        _under("source/_posts/"),
        _under("public/", "/index.html"),
        _front("title", "date", "tags"),
        heading=False,
    ),
    _pelican("notmyidea"),
    _pelican("simple"),
    Generator(
        # Hugo's own skeleton theme leaves nothing in a page by which Hugo could be known.
        "hugo",
        "",
        dialects.HUGO,
        "python",
        ("hugo",),
        _hugo_site,
        ("hugo", "--quiet"),
        _under("content/docs/"),
        _under("public/docs/", "/index.html"),
        _front("title", "date", "tags"),
        heading=False,
        prepare=("hugo", "new", "theme", "lodge", "--format", "yaml"),
    ),
    Generator(
        "jekyll-minima",
        "jekyll",
        dialects.JEKYLL,
        "debian",
        ("jekyll", "jekyll-theme-minima"),
        _jekyll_site,
        ("jekyll", "build", "--quiet"),
        lambda d: f"_posts/{DATE}-{d.name}.md" if d.post else f"{d.name}.md",
        _under("_site/", "/index.html"),
        _front("title", "layout", "date", "author"),
        heading=False,
    ),
)
