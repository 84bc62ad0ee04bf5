// The document as HTML, shadow trees in the place where they are shown, without what only scripts need.
(limit) => {
  const roots = window[Symbol.for('duramen.roots')];
  const rootOf = (node) => node.shadowRoot || (roots && roots.get(node)) || null;
  const VOID = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr']);
  const DROPPED = new Set(['style', 'template', 'iframe', 'object', 'canvas']);
  const RAW = new Set(['script', 'xmp', 'noembed', 'noframes', 'plaintext']);
  const text = (value) => value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/\u00a0/g, '&nbsp;');
  const attribute = (value) => value.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/\u00a0/g, '&nbsp;');
  // What no reader sees, if it was looked for: it is marked, and what hides nothing after all is not written.
  const unseen = window[Symbol.for('duramen.unseen')];
  const MARK = 'data-duramen-hidden';
  const HIDING = new Set(['hidden', 'color', 'bgcolor', 'text', 'background', 'popover']);
  const KEPT = ['white-space', 'text-align', 'vertical-align', 'font-weight', 'font-style', 'font-family'];
  const kept = (node) => KEPT.map((name) => [name, node.style?.getPropertyValue(name)]).filter(([, value]) => value).map((pair) => pair.join(':')).join(';');
  const parts = [document.doctype ? '<!DOCTYPE html>' : ''];
  let size = 0;
  const put = (part) => { parts.push(part); size += part.length; };
  // A stack, since a page may nest deeper than calls can. Strings on it are end tags.
  const stack = [document.documentElement];
  const push = (nodes) => { for (let i = nodes.length - 1; i >= 0; i -= 1) stack.push(nodes[i]); };
  while (stack.length && size < limit) {
    const node = stack.pop();
    if (typeof node === 'string') { put(node); continue; }
    const mark = unseen && unseen.marks.get(node);
    if (node.nodeType === Node.TEXT_NODE) {
      put(mark ? `<span ${MARK}="${mark}">${text(node.data)}</span>` : text(node.data));
      continue;
    }
    if (node.nodeType !== Node.ELEMENT_NODE) continue;
    const name = node.localName;
    if (DROPPED.has(name)) continue;
    if (name === 'slot') {
      const given = node.assignedNodes ? node.assignedNodes({ flatten: true }) : [];
      if (mark) { put(`<span ${MARK}="${mark}">`); stack.push('</span>'); }
      push(given.length ? given : node.childNodes);
      continue;
    }
    if (name === 'noscript') {
      if (node.textContent.includes('<img')) put(`<noscript>${node.textContent}</noscript>`);
      continue;
    }
    if (name === 'script' && !/json/i.test(node.type)) continue;
    let tag = `<${name}`;
    const isShown = unseen && unseen.shown.has(node);
    if (mark) tag += ` ${MARK}="${mark}"`;
    for (const each of node.attributes) {
      if (each.name === MARK || (isShown && HIDING.has(each.name))) continue;
      if (isShown && each.name === 'style') { tag += ` style="${attribute(kept(node))}"`; continue; }
      if (/^[^\s"'<>/=\u0000]+$/.test(each.name)) tag += ` ${each.name}="${attribute(each.value)}"`;
    }
    if (isShown && name === 'dialog' && !node.open) tag += ' open=""';
    put(`${tag}>`);
    if (VOID.has(name) && node.namespaceURI === 'http://www.w3.org/1999/xhtml') continue;
    if (RAW.has(name)) { put(`${node.textContent}</${name}>`); continue; }
    stack.push(`</${name}>`);
    const root = rootOf(node);
    push(root ? root.childNodes : node.childNodes);
  }
  while (stack.length) {
    const node = stack.pop();
    if (typeof node === 'string') parts.push(node);
  }
  return { html: parts.join(''), cut: size >= limit, url: location.href };
}
