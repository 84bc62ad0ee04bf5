// Renderers of Markdown from npm, each as trusting as it can be: raw HTML, bare addresses as links, all extensions.
// Reads lines of JSON, {"renderer": name, "texts": [...]}, and answers each with a line: the renderings.
// Its first line names the renderers that are installed here.
import { createInterface } from 'node:readline';

const makers = {
  async marked() {
    const { marked } = await import('marked');
    return text => marked.parse(text);
  },
  async 'marked, line breaks'() {
    const { Marked } = await import('marked');
    const marked = new Marked({ breaks: true });
    return text => marked.parse(text);
  },
  async 'markdown-it'() {
    const { default: MarkdownIt } = await import('markdown-it');
    const renderer = new MarkdownIt({ html: true, linkify: true, typographer: true });
    renderer.validateLink = () => true;
    return text => renderer.render(text);
  },
  async 'markdown-it, plugins'() {
    const { default: MarkdownIt } = await import('markdown-it');
    const renderer = new MarkdownIt({ html: true, linkify: true });
    renderer.validateLink = () => true;
    for (const name of ['footnote', 'attrs', 'deflist', 'abbr', 'sub', 'sup', 'mark', 'ins']) {
      renderer.use((await import(`markdown-it-${name}`)).default);
    }
    const { default: container } = await import('markdown-it-container');
    renderer.use(container, 'any', {
      validate: () => true,
      render: (tokens, at) => (tokens[at].nesting === 1 ? `<div class="any">${tokens[at].info}\n` : '</div>\n'),
    });
    return text => renderer.render(text);
  },
  async micromark() {
    const { micromark } = await import('micromark');
    const { gfm } = await import('micromark-extension-gfm');
    const { math, mathHtml } = await import('micromark-extension-math');
    const { directive, directiveHtml } = await import('micromark-extension-directive');
    function element(found) {
      this.tag(`<${found.name}`);
      for (const [name, value] of Object.entries(found.attributes || {})) this.tag(` ${name}="${this.encode(value)}"`);
      this.tag('>');
      this.raw(found.label || '');
      this.raw(found.content || '');
      this.tag(`</${found.name}>`);
    }
    // GFM's own filter would put a few dangerous tags out of sight: all but that.
    const written = [mathHtml({ throwOnError: false, strict: false }), directiveHtml({ '*': element })];
    for (const [name, html] of [
      ['autolink-literal', 'gfmAutolinkLiteralHtml'], ['footnote', 'gfmFootnoteHtml'], ['table', 'gfmTableHtml'],
      ['strikethrough', 'gfmStrikethroughHtml'], ['task-list-item', 'gfmTaskListItemHtml'],
    ]) {
      written.push((await import(`micromark-extension-gfm-${name}`))[html]());
    }
    return text =>
      micromark(text, {
        allowDangerousHtml: true,
        allowDangerousProtocol: true,
        extensions: [gfm(), math(), directive()],
        htmlExtensions: written,
      });
  },
  async remark() {
    const { unified } = await import('unified');
    const load = async name => (await import(name)).default;
    const { visit } = await import('unist-util-visit');
    const asElements = () => tree =>
      visit(tree, node => {
        if (!['textDirective', 'leafDirective', 'containerDirective'].includes(node.type)) return;
        node.data = { hName: node.name, hProperties: node.attributes };
      });
    const processor = unified()
      .use(await load('remark-parse'))
      .use(await load('remark-gfm'))
      .use(await load('remark-math'))
      .use(await load('remark-directive'))
      .use(await load('remark-wiki-link'))
      .use(asElements)
      .use(await load('remark-rehype'), { allowDangerousHtml: true })
      .use(await load('rehype-raw'))
      .use(await load('rehype-stringify'), { allowDangerousHtml: true });
    return text => String(processor.processSync(text));
  },
  async 'commonmark.js'() {
    const commonmark = await import('commonmark');
    const [parser, writer] = [new commonmark.Parser(), new commonmark.HtmlRenderer()];
    return text => writer.render(parser.parse(text));
  },
  async 'showdown, original'() {
    const { default: showdown } = await import('showdown');
    const converter = new showdown.Converter({ tables: true, ghCodeBlocks: true, encodeEmails: false });
    return text => converter.makeHtml(text);
  },
  async showdown() {
    const { default: showdown } = await import('showdown');
    // Not simplifiedAutoLink: it writes the quotes of an address into the page as they are.
    const converter = new showdown.Converter({
      tables: true, strikethrough: true, tasklists: true, parseImgDimensions: true, underline: true, emoji: true,
      metadata: true, customizedHeaderId: true, ghMentions: true, ellipsis: true, simpleLineBreaks: true,
    });
    return text => converter.makeHtml(text);
  },
};

const renderers = {};
for (const [name, make] of Object.entries(makers)) {
  try {
    renderers[name] = await make();
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  }
}
console.log(JSON.stringify(Object.keys(renderers)));
for await (const line of createInterface({ input: process.stdin })) {
  const { renderer, texts } = JSON.parse(line);
  console.log(JSON.stringify(texts.map(renderers[renderer])));
}
