// Scrolls by one screen, the page and the box that the longest list scrolls in. Gives back whether there is more below, how
// many items this list has, how many were seen in it so far (it may drop those that scrolled out of view), and how many the
// page says that it has.
([of]) => {
  const page = document.documentElement;
  const before = scrollY;
  scrollBy(0, innerHeight);
  // A page that fits into the window cannot be scrolled by anybody; a smaller window would have sent this.
  if (scrollY === before) document.dispatchEvent(new Event('scroll', { bubbles: true }));
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
  const { known, last } = (longest && seen.get(longest)) || { known: new Set(), last: new WeakMap() };
  if (longest) seen.set(longest, { known, last });
  for (const item of items) {
    const text = item.textContent.trim();
    // What was there before it was filled is no item of its own.
    const held = last.get(item) ?? '';
    if (2 * held.length < text.length) known.delete(`${item.id} ${held.slice(0, 200)}`);
    last.set(item, text);
    if (text && known.size < 20000) known.add(`${item.id} ${text.slice(0, 200)}`);
  }
  // What stands below paragraphs unfolds the rest of a text.
  window[Symbol.for('duramen.last')] = items.filter((item) => item.localName !== 'p').at(-1) ?? null;
  let box = longest;
  while (box && !(box.scrollHeight > box.clientHeight + 2 && /auto|scroll/.test(getComputedStyle(box).overflowY))) box = box.parentElement;
  const inner = box && box !== page && (box !== document.body || page.scrollHeight <= innerHeight + 2) ? box : null;
  if (inner) inner.scrollBy(0, inner.clientHeight);
  else if (scrollY === before) for (let at = longest; at && at !== document.body; at = at.parentElement) at.dispatchEvent(new Event('scroll'));
  return {
    below: scrollY + innerHeight + 2 < page.scrollHeight || Boolean(inner && inner.scrollTop + inner.clientHeight + 2 < inner.scrollHeight),
    height: page.scrollHeight + (inner ? inner.scrollHeight : 0),
    items: items.length,
    seen: known.size,
    stated: items.length ? Math.max(marked(items[0], longest), written(items.length)) : 0,
  };
  function marked(item, list) {
    const count = Number(item.getAttribute('aria-setsize') || list.getAttribute('aria-rowcount') || 0);
    return Number.isFinite(count) ? count : 0;
  }
  // "20 of 60", where 20 is the number of items that are there; not where the rest is on further pages.
  function written(count) {
    if (document.querySelector('[rel~=next]')) return 0;
    const number = '(\\d[\\d.,\\u00a0\\u202f]*)';
    const words = of.map((word) => word.replace(/[^\p{L}\p{N} ]/gu, '\\$&')).join('|');
    const found = new RegExp(`${number}\\s*(?:${words})\\s*${number}`, 'iu');
    const all = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT);
    for (let node = all.nextNode(), more = 50000; node && more; node = all.nextNode(), more -= 1) {
      if (node.childElementCount > 4 || longest.contains(node) || node.textContent.length > 100) continue;
      const match = found.exec(node.textContent.trim());
      const [shown, total] = (match?.slice(1) ?? []).map((one) => Number(one.replace(/\D/g, '')));
      if (shown === count && total > count && total < 1e7) return total;
    }
    return 0;
  }
}
