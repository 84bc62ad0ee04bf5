// How much text the document holds, shadow trees included: it is at rest when this stays the same.
() => {
  const roots = window[Symbol.for('duramen.roots')];
  if (!document.body) return 0;
  let size = 0;
  let left = 200000;
  const stack = [document.body];
  while (stack.length && left > 0) {
    const node = stack.pop();
    left -= 1;
    if (node.nodeType === Node.TEXT_NODE) { size += node.data.trim().length; continue; }
    if (node.nodeType === Node.ELEMENT_NODE && (node.localName === 'script' || node.localName === 'style')) continue;
    const root = node.nodeType === Node.ELEMENT_NODE && (node.shadowRoot || (roots && roots.get(node)));
    for (const child of root ? [...root.childNodes, ...node.childNodes] : node.childNodes) stack.push(child);
  }
  return size;
}
