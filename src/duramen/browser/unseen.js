// Finds the texts that a reader of the rendered page does not see, for the snapshot: a map from elements and texts to the
// way in which they are hidden. What is folded in <details>, or shown by a rule for :hover and the like, is not among them.
(most) => {
  const roots = window[Symbol.for('duramen.roots')];
  const rootOf = (node) => node.shadowRoot || (roots && roots.get(node)) || null;
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true });
  const colours = new Map();
  const colour = (value) => {
    if (!colours.has(value)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = '#000';
      canvas.fillStyle = value;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      colours.set(value, [r / 255, g / 255, b / 255, a / 255]);
    }
    return colours.get(value);
  };
  const over = (front, back) => [0, 1, 2].map((k) => front[k] * front[3] + back[k] * (1 - front[3])).concat(1);
  const light = (c) => {
    const [r, g, b] = c.slice(0, 3).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const isLike = (a, b) => Math.max(light(a), light(b)) / Math.min(light(a), light(b)) < 1.2
    && Math.max(...[0, 1, 2].map((k) => Math.abs(a[k] - b[k]))) < 0.1;

  // Rules that hold in a state which a reader brings about, without the state.
  const STATE = /:not\(\s*:(?:hover|focus(?:-within|-visible)?|active|checked|target)\s*\)|:(?:hover|focus-within|focus-visible|focus|active|checked|target)\b/g;
  const OPENS = ['display', 'visibility', 'opacity', 'height', 'max-height', 'left', 'top', 'transform', 'clip', 'clip-path'];
  const states = [];
  const hides = (name, value) => (name === 'opacity' ? Number(value) < 0.06 : /^(none|hidden|collapse)$/.test(value) && /^(display|visibility)$/.test(name));
  const opens = ({ selectorText, style }) => OPENS.some((name) => {
    const value = style.getPropertyValue(name);
    return value && (selectorText.includes(':not(') || !hides(name, value));
  });
  const collect = (rules, depth) => {
    for (const rule of rules) {
      if (states.length > 500) return;
      if (rule.selectorText && rule.selectorText.search(STATE) >= 0 && opens(rule)) {
        const { selectorText } = rule;
        for (const one of selectorText.includes('(') ? [selectorText] : selectorText.split(',')) {
          if (one.search(STATE) < 0) continue;
          const bare = one.replace(STATE, '').replace(/(^|[\s>+~,(])(?=$|[\s>+~,)])/g, '$1').replace(/([>+~])\s*(?=$|,)/g, '$1*');
          states.push([bare.trim() || '*', one.split(/[\s>+~]/).pop().search(STATE) >= 0]);
        }
      }
      if (rule.cssRules && depth < 8) collect(rule.cssRules, depth + 1);
    }
  };
  for (const sheet of document.styleSheets) { try { collect(sheet.cssRules, 0); } catch { /* of another site */ } }
  // One cannot point at an element that is not there.
  const isOpenedByState = (node, how) => states.some(([selector, isOwn]) => {
    if (isOwn && how !== 'opacity' && how !== 'transform') return false;
    try { return node.matches(selector); } catch { return false; }
  });
  const filtered = (given, filters, painter) => filters.reduce((c, [node, functions]) => (node.contains(painter)
    ? functions.reduce((at, [, name, amount]) => {
      const [factor, shift] = { brightness: [amount, 0], contrast: [amount, (1 - amount) / 2], invert: [1 - 2 * amount, amount] }[name];
      return at.slice(0, 3).map((part) => Math.min(Math.max(part * factor + Number(shift), 0), 1)).concat(at[3]);
    }, c) : c), given);
  // Lengths of the shortest line that a flat matrix leaves of one of length 1.
  const shortest = ({ a, b, c, d }) => {
    const half = (a * a + b * b + c * c + d * d) / 2;
    return Math.sqrt(Math.max(half - Math.sqrt(Math.max(half * half - (a * d - b * c) ** 2, 0)), 0));
  };
  const matrixOf = (style) => {
    const turn = style.rotate === 'none' ? [] : style.rotate.split(' ');
    const rotate = { 1: `rotate(${turn})`, 2: `rotate${turn[0]}(${turn[1]})`, 4: `rotate3d(${turn})` }[turn.length] || '';
    try { return new DOMMatrix(`${rotate} ${style.transform === 'none' ? '' : style.transform}`); } catch { return new DOMMatrix(); }
  };

  const above = (node) => node.assignedSlot || node.parentElement
    || (node.parentNode instanceof ShadowRoot ? node.parentNode.host : null);
  const known = new WeakMap();
  // What an element hands on to its texts: how they are hidden, by which element, and what is behind them.
  const sight = (node) => {
    const chain = [];
    for (let at = node; at && !known.has(at); at = above(at)) chain.push(at);
    for (const at of chain.reverse()) {
      const outer = above(at) ? known.get(above(at)) : { opacity: 1, back: [1, 1, 1, 1], painter: document.documentElement, scale: 1, filters: [], windows: [], inLetters: [] };
      known.set(at, look(at, outer));
    }
    return known.get(node);
  };
  const look = (node, outer) => {
    if (outer.how) return outer;
    const style = getComputedStyle(node);
    const own = { ...outer };
    const hide = (how) => {
      if (isOpenedByState(node, how)) { own.isOpened = true; own.opacity = 1; } else { own.how = how; own.cause = node; }
      own.style = style;
      return own;
    };
    if (style.display === 'none') return hide('display');
    if (style.contentVisibility === 'hidden' && (node.getAttribute('hidden') || '').toLowerCase() !== 'until-found') return hide('display');
    own.opacity *= Number(style.opacity);
    for (const [, amount, unit] of style.filter.matchAll(/opacity\(([\d.]+)(%?)\)/g)) own.opacity *= Number(amount) / (unit ? 100 : 1);
    if (own.opacity < 0.06 || Number((/blur\(([\d.]+)px\)/.exec(style.filter) || [])[1]) >= 16) return hide('opacity');
    const changes = [...style.filter.matchAll(/(brightness|contrast|invert)\(([\d.]+)\)/g)];
    if (changes.length) own.filters = [[node, changes], ...own.filters];
    if (/^(absolute|fixed)$/.test(style.position) && /^rect\(/.test(style.clip)) {
      const sides = style.clip.match(/-?[\d.]+|auto/g).map((side, k) => (side === 'auto' ? [0, 1e6, 1e6, 0][k] : Number(side)));
      const [top, right, bottom, left] = sides;
      const { width, height } = node.getBoundingClientRect();
      if (Math.min(right - left, bottom - top, right, bottom, width - left, height - top) <= 2) return hide('clip');
    }
    const path = style.clipPath;
    own.isClipped = own.isClipped || path !== 'none';
    const points = path.startsWith('polygon') ? (path.match(/-?[\d.]+/g) || []).map(Number) : [];
    const isFlat = points.length > 3 && (new Set(points.filter((_, k) => k % 2 === 0)).size === 1 || new Set(points.filter((_, k) => k % 2)).size === 1);
    if (/^inset\((?:5\d|[6-9]\d|\d{3,})%|^inset\((?:[^()]* )?100%|^(?:circle|ellipse)\(0(?:px|%)?[\s)]/.test(path) || isFlat) return hide('clip');
    if (style.maskImage !== 'none' && style.maskSize.split(',').every((size) => /(^|\s)0(px|%)/.test(size))) return hide('mask');
    if (/gradient/.test(style.maskImage) && !/rgb\(|#|, (?:1|0\.[1-9]\d*)\)/.test(style.maskImage)) return hide('mask');
    const matrix = matrixOf(style);
    if (matrix.is2D && style.display !== 'inline' && shortest(matrix) < 0.05) return hide('transform');
    if (matrix.m33 < 0 && style.backfaceVisibility === 'hidden') {
      const turns = [node.parentElement, node.parentElement?.parentElement].some((at) => at && isOpenedByState(at, 'transform'));
      if (!turns) return hide('transform');
    }
    if (style.position !== 'static' && Number(style.zIndex) < 0 && own.paint) return hide('behind');
    const box = node.getBoundingClientRect();
    if (style.display !== 'inline' && style.display !== 'contents') {
      const isCut = /paint|strict|content/.test(style.contain);
      const isThin = ((isCut || style.overflowY !== 'visible') && box.height <= 4) || ((isCut || style.overflowX !== 'visible') && box.width <= 4);
      if (isThin) { own.thin = node; own.escapes = style.position === 'static'; }
      // What is outside such a box cannot be scrolled to.
      const [x, y] = [style.overflowX, style.overflowY].map((value) => isCut || /hidden|clip/.test(value));
      if (style.position === 'fixed') own.windows = [[node, { left: 0, top: 0, right: innerWidth, bottom: innerHeight }, true]];
      else if (style.position === 'absolute') own.windows = own.windows.filter(([, , isAnchor]) => isAnchor);
      if ((x || y) && !style.display.startsWith('table')) {
        const window = { left: x ? box.left : -Infinity, top: y ? box.top : -Infinity, right: x ? box.right : Infinity, bottom: y ? box.bottom : Infinity };
        own.windows = [...own.windows, [node, window, style.position !== 'static' || style.transform !== 'none']];
      }
    }
    if (own.thin && own.thin !== node && own.escapes && /^(absolute|fixed)$/.test(style.position)) own.thin = null;
    const image = style.backgroundImage;
    const stops = /url\(/.test(image) ? [] : image.match(/rgba?\([^)]*\)|(?:color|oklch|oklab|lab|lch)\([^)]*\)/g) || [];
    const isPlain = stops.length > 0 && new Set(stops).size === 1;
    const painted = colour(isPlain ? stops[0] : style.backgroundColor);
    const isInLetters = /text/.test(style.backgroundClip || style.webkitBackgroundClip || '');
    if (isInLetters) own.inLetters = image !== 'none' ? stops.map(colour) : [painted];
    else if (image !== 'none' && !isPlain) own.back = null;
    else if (painted[3] > 0) {
      own.back = painted[3] >= 0.95 ? painted : own.back && over(painted, own.back);
      own.painter = node;
      if (painted[3] >= 0.95) own.inLetters = [];
    }
    else if (style.position !== 'static' && node.parentElement?.querySelector('img, video, picture, svg, canvas, iframe')) own.back = null;
    const isStacking = (style.position !== 'static' && style.zIndex !== 'auto') || /fixed|sticky/.test(style.position)
      || style.transform !== 'none' || style.filter !== 'none' || style.opacity !== '1';
    if (isStacking) own.paint = null;
    else if (painted[3] >= 0.95 && node !== document.body && node !== document.documentElement) own.paint = node;
    own.visibility = style.visibility;
    if (own.visibility !== 'visible' && outer.visibility === 'visible') own.veil = node;
    own.style = style;
    return own;
  };
  // Empty boxes that cover what is under them. Those that stay in the window wait for a script, slides hold something.
  const covers = [];
  for (const node of [...document.querySelectorAll('div, span, p, section, i, b, em')].slice(0, 20000)) {
    if (node.firstElementChild || node.textContent.trim() || covers.length >= 200) continue;
    const style = getComputedStyle(node);
    if (style.position === 'fixed' || colour(style.backgroundColor)[3] < 0.95 || Number(style.opacity) < 0.95) continue;
    const box = node.getBoundingClientRect();
    if (style.visibility === 'visible' && box.width > 20 && box.height > 8) covers.push(node);
  }
  // A script opens what has a transition of its height.
  const grows = (node) => {
    if (!document.scripts.length) return false;
    const { transitionProperty, transitionDuration } = getComputedStyle(node);
    return /height|all/.test(transitionProperty) && /[1-9]/.test(transitionDuration);
  };
  const isCovered = (text, node) => {
    const lines = [...range.getClientRects()];
    const under = covers.filter((cover) => {
      const edges = cover.getBoundingClientRect();
      return lines.every((b) => b.left >= edges.left - 2 && b.right <= edges.right + 2 && b.top >= edges.top - 2 && b.bottom <= edges.bottom + 2);
    });
    if (!under.length) return false;
    node.scrollIntoView({ block: 'center', behavior: 'instant' });
    const isUnder = [...range.getClientRects()].every((b) => {
      const stack = document.elementsFromPoint(b.left + b.width / 2, b.top + b.height / 2);
      const at = stack.indexOf(node);
      return at > 0 && stack.slice(0, at).some((one) => under.includes(one));
    });
    scrollTo(0, 0);
    return isUnder;
  };
  const range = document.createRange();
  const why = (text, node) => {
    const seen = sight(node);
    if (seen.how) return [seen.how, seen.cause];
    if (seen.visibility !== 'visible') {
      const veil = seen.veil || node;
      return isOpenedByState(veil, 'visibility') ? null : ['visibility', veil];
    }
    if (seen.thin && !isOpenedByState(seen.thin, 'extent') && !grows(seen.thin)) return ['extent', seen.thin];
    if (seen.isOpened || node.closest('[hidden="until-found" i]')) return null;
    range.selectNodeContents(text);
    const boxes = [...range.getClientRects()];
    if (!boxes.length || boxes.every((b) => b.width < 1 || b.height < 1)) return ['size', node];
    if (boxes.every((b) => b.height * (visualViewport?.scale || 1) <= 4)) return ['size', node];
    const style = seen.style;
    const width = Math.max(innerWidth, 300);
    if (boxes.every((b) => b.right <= 0 || b.bottom + scrollY <= 0 || b.left + scrollX >= width * 3)) return isOpenedByState(node, 'place') ? null : ['place', node];
    for (const [window, edges] of seen.windows) {
      const isShown = boxes.some((b) => b.right > edges.left + 2 && b.left < edges.right - 2 && b.bottom > edges.top + 2 && b.top < edges.bottom - 2);
      if (!isShown && !isOpenedByState(window, 'extent') && !grows(window)) return ['extent', node];
    }
    if (seen.isClipped) {
      node.scrollIntoView({ block: 'center', behavior: 'instant' });
      const points = [...range.getClientRects()].flatMap((b) => [0.1, 0.5, 0.9].map((part) => [b.left + part * b.width, b.top + b.height / 2]));
      const isShown = points.some(([x, y]) => document.elementsFromPoint(x, y).includes(node));
      scrollTo(0, 0);
      if (!isShown && style.pointerEvents !== 'none') return ['clip', node];
    }
    if (covers.length && isCovered(text, node)) return ['behind', node];
    const indent = parseFloat(style.textIndent);
    if (indent && /^(nowrap|pre)$/.test(style.whiteSpace) && style.overflowX !== 'visible' && (style.textIndent.endsWith('%') ? indent >= 90 : indent >= node.clientWidth)) return ['indent', node];
    if (parseFloat(style.letterSpacing) <= -parseFloat(style.fontSize) / 2) return ['indent', node];
    if (style.webkitTextSecurity && style.webkitTextSecurity !== 'none') return ['size', node];
    const letters = colour(style.webkitTextFillColor || style.color);
    // A shadow far from its letters is not where one reads.
    const shadows = [...style.textShadow.matchAll(/((?:rgba?|color|oklch|oklab|lab|lch)\([^)]*\)) (-?[\d.]+)px (-?[\d.]+)px/g)]
      .filter(([, , x, y]) => Math.hypot(x, y) < 500).map(([, painted]) => colour(painted));
    const strokes = parseFloat(style.webkitTextStrokeWidth) > 0 ? [colour(style.webkitTextStrokeColor)] : [];
    const traces = [letters, ...shadows, ...strokes, ...seen.inLetters].map((c) => c.slice(0, 3).concat(c[3] * seen.opacity));
    if (traces.every((c) => c[3] < 0.06)) return ['colour', node];
    const back = seen.back && filtered(seen.back, seen.filters, seen.painter);
    return back && traces.every((c) => isLike(over(filtered(c, seen.filters, node), back), back)) ? ['colour', node] : null;
  };

  const folded = [...document.querySelectorAll('details:not([open])')].slice(0, 1000);
  for (const node of folded) node.open = true;
  scrollTo(0, 0);
  const SILENT = new Set(['script', 'style', 'noscript', 'template', 'head', 'title', 'textarea', 'option']);
  const marks = new Map();
  const totals = new Map();
  const causes = new Map();
  const stack = [document.body];
  let left = most;
  while (stack.length && left > 0) {
    const node = stack.pop();
    if (!node) continue;
    left -= 1;
    if (node.nodeType === Node.TEXT_NODE) {
      if (!node.data.trim() || !node.parentElement) continue;
      let found = null;
      try { found = why(node, node.parentElement); } catch { /* as if it were seen */ }
      for (let at = node.parentElement; at; at = above(at)) {
        const sum = totals.get(at) || [0, 0];
        totals.set(at, [sum[0] + 1, sum[1] + (found ? 1 : 0)]);
      }
      if (found) causes.set(node, found);
    } else if (node.nodeType === Node.ELEMENT_NODE && !SILENT.has(node.localName)) {
      const root = rootOf(node);
      for (const child of root ? [...root.childNodes, ...node.childNodes] : node.childNodes) stack.push(child);
    }
  }
  for (const node of folded) node.open = false;
  for (const [text, [how, cause]] of causes) {
    const [all, hidden] = totals.get(cause) || [1, 0];
    marks.set(all === hidden && cause !== document.body && cause !== document.documentElement ? cause : text, how);
  }
  const shown = new Set([...totals].filter(([, [all, hidden]]) => all > hidden).map(([node]) => node));
  Object.defineProperty(window, Symbol.for('duramen.unseen'), { value: { marks, shown }, configurable: true });
  return marks.size;
}
