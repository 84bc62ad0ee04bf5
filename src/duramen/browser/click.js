// Clicks controls whose whole label is in a list; gives back the labels. Never a link to another page, never a form's button.
([labels, inConsent, most, again, under]) => {
  const wanted = new Set(labels);
  // What opens a text in one place loads more of a list under its last item.
  const wantedUnder = new Set(under);
  const last = window[Symbol.for('duramen.last')];
  const isUnder = (node) => Boolean(last && (last.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING));
  const roots = window[Symbol.for('duramen.roots')];
  const done = (window[Symbol.for('duramen.clicked')] ||= new WeakSet());
  const CONSENT = /cookie|consent|gdpr|privacy|datenschutz|einwillig|confidentialit|privacidad|\bcmp\b|\bccpa\b|tracking/i;
  const label = (node) => (node.innerText || node.value || node.getAttribute('aria-label') || '')
    .replace(/[\u2018\u2019]/g, "'").replace(/[\s\u00a0]+/g, ' ').replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '').toLowerCase();
  const staysHere = (node) => {
    const link = node.closest('a[href]');
    const href = link ? link.getAttribute('href').trim() : '';
    if (link && !(href === '' || href.startsWith('#') || /^javascript:/i.test(href))) return false;
    const form = node.closest('form');
    return !form || node.getAttribute('type') === 'button' || node.localName !== 'button';
  };
  const asksForConsent = (node) => {
    let at = node;
    for (let up = 0; at && up < 12; up += 1) {
      const words = `${at.id || ''} ${typeof at.className === 'string' ? at.className : ''} ${at.getAttribute?.('aria-label') || ''}`;
      if (CONSENT.test(words)) return true;
      const dialog = /dialog/.test(at.getAttribute?.('role') || '') || at.localName === 'dialog' || at.getAttribute?.('aria-modal') === 'true';
      const floats = at.nodeType === Node.ELEMENT_NODE && /fixed|sticky/.test(getComputedStyle(at).position);
      if ((dialog || floats) && CONSENT.test(at.innerText || '')) return true;
      at = at.parentElement || (at.getRootNode() instanceof ShadowRoot ? at.getRootNode().host : null);
    }
    return false;
  };
  const clicked = [];
  const places = [document];
  while (places.length && clicked.length < most) {
    const place = places.pop();
    for (const node of place.querySelectorAll('*')) {
      const root = node.shadowRoot || (roots && roots.get(node));
      if (root) places.push(root);
    }
    for (const node of place.querySelectorAll('button, [role=button], a, summary, input[type=button], [onclick], [aria-expanded=false]')) {
      if (clicked.length >= most) break;
      if ((done.has(node) && !again) || node.disabled || (again && !node.getClientRects().length)) continue;
      const shown = label(node);
      if (!shown || shown.length > 60 || !(wanted.has(shown) || (wantedUnder.has(shown) && isUnder(node)))) continue;
      if (!staysHere(node) || (node.localName === 'summary' && node.parentElement?.open)) continue;
      if (asksForConsent(node) !== inConsent) continue;
      done.add(node);
      try { node.click(); clicked.push(shown); } catch { /* the page's own fault */ }
    }
  }
  return clicked;
}
