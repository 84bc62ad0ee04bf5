// What is known of the document's progress: how much text it holds, shadow trees included, when the timers are due that
// the page set while it loaded (chained: those that such timers set), whether it says that it is busy, and whether it is
// still being loaded.
() => {
  const roots = window[Symbol.for('duramen.roots')];
  const timers = window[Symbol.for('duramen.timers')];
  const due = timers ? timers() : [];
  const aheadOf = (some) => some.map((one) => one.ahead);
  const state = {
    size: 0, busy: false, loading: document.readyState !== 'complete',
    timers: aheadOf(due.filter((one) => !one.depth)), chained: aheadOf(due.filter((one) => one.depth)),
  };
  if (!document.body) return state;
  let left = 200000;
  const stack = [document.body];
  while (stack.length && left > 0) {
    const node = stack.pop();
    left -= 1;
    if (node.nodeType === Node.TEXT_NODE) { state.size += node.data.trim().length; continue; }
    if (node.nodeType === Node.ELEMENT_NODE) {
      if (node.localName === 'script' || node.localName === 'style') continue;
      const waits = node.getAttribute('aria-busy') === 'true' || node.getAttribute('role') === 'progressbar' || node.localName === 'progress';
      if (waits && !state.busy && node.getClientRects().length) state.busy = true;
    }
    const root = node.nodeType === Node.ELEMENT_NODE && (node.shadowRoot || (roots && roots.get(node)));
    for (const child of root ? [...root.childNodes, ...node.childNodes] : node.childNodes) stack.push(child);
  }
  return state;
}
