// Runs before every script of the page: closed shadow roots are remembered, so that the snapshot can include them,
// and what would reach past the gate or keep the page busy is taken away.
(() => {
  const roots = new WeakMap();
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function attachShadow(options) {
    const root = attach.call(this, options);
    roots.set(this, root);
    return root;
  };
  Object.defineProperty(window, Symbol.for('duramen.roots'), { value: roots });
  // When the timers are due that the page set while it loaded or in answer to a response, and how many timers led to each:
  // many pages tick for ever.
  const DEEPEST = 3;
  const due = new Map();
  const later = window.setTimeout;
  const never = window.clearTimeout;
  let depth = 0;
  window.setTimeout = function setTimeout(task, delay, ...given) {
    if (typeof task !== 'function') return later.call(window, task, delay, ...given);
    const own = depth;
    const id = later.call(window, function tick(...all) {
      due.delete(id);
      const outer = depth;
      depth = own + 1;
      try { return task.apply(this, all); } finally { depth = outer; }
    }, delay, ...given);
    if (own <= DEEPEST) due.set(id, { at: performance.now() + (Number(delay) || 0), depth: own });
    return id;
  };
  window.clearTimeout = function clearTimeout(id) { due.delete(id); never.call(window, id); };
  Object.defineProperty(window, Symbol.for('duramen.timers'), {
    value: () => [...due.values()].slice(-1000).map(({ at, depth: own }) => ({ ahead: (at - performance.now()) / 1000, depth: own })),
  });
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'WebTransport', 'WebSocketStream']) {
    try { delete window[name]; } catch { /* not ours to delete */ }
  }
  window.print = () => {};
})();
