// Scrolls by one screen. Gives back whether there is more below, how many items the longest list has, how many were seen in it
// so far (a list may drop those that scrolled out of view), and how many it says that it has.
() => {
  const page = document.documentElement;
  scrollBy(0, innerHeight);
  let longest = null;
  let items = [];
  let left = 50000;
  for (const node of document.body ? document.body.querySelectorAll('*') : []) {
    if ((left -= 1) < 0) break;
    if (node.childElementCount < 5 || node.childElementCount <= items.length) continue;
    const alike = new Map();
    for (const child of node.children) {
      const kind = `${child.localName} ${child.classList[0] || ''}`;
      if (!alike.has(kind)) alike.set(kind, []);
      alike.get(kind).push(child);
    }
    for (const some of alike.values()) if (some.length >= 5 && some.length > items.length) { longest = node; items = some; }
  }
  const seen = (window[Symbol.for('duramen.items')] ||= new WeakMap());
  const known = longest ? seen.get(longest) || new Set() : new Set();
  if (longest) seen.set(longest, known);
  for (const item of items) if (known.size < 20000) known.add(`${item.id} ${item.textContent.trim().slice(0, 200)}`);
  const stated = items.length ? Number(items[0].getAttribute('aria-setsize') || longest.getAttribute('aria-rowcount') || 0) : 0;
  return {
    below: scrollY + innerHeight + 2 < page.scrollHeight,
    height: page.scrollHeight,
    items: items.length,
    seen: known.size,
    stated: Number.isFinite(stated) ? stated : 0,
  };
}
