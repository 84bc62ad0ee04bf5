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
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'WebTransport', 'WebSocketStream']) {
    try { delete window[name]; } catch { /* not ours to delete */ }
  }
  window.print = () => {};
})();
