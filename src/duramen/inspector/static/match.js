// Which letters of the result came from which block of the page. Both say the same in the same order, but for what the
// engine rewrites; so a block is looked for after the one before it.

const LETTER = /[\p{L}\p{N}]/u;

/** The letters below an element, and for each of them its text node and the place in it. */
export function lettersIn(root) {
  const nodes = [];
  const offsets = [];
  let letters = "";
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    let offset = 0;
    for (const character of node.data) {
      if (LETTER.test(character)) {
        const [lower] = character.toLowerCase();
        letters += lower;
        for (let unit = 0; unit < lower.length; unit += 1) {
          nodes.push(node);
          offsets.push(offset);
        }
      }
      offset += character.length;
    }
  }
  return { letters, nodes, offsets };
}

const lettersOf = (text) => [...text].filter((character) => LETTER.test(character)).map((character) => [...character.toLowerCase()][0]).join("");

/** For each block that is found in the result, the range of its letters. */
export function findBlocks(letters, blocks, texts) {
  const ranges = new Map();
  let cursor = 0;
  const place = (number, only) => {
    const text = lettersOf(texts[number]);
    if (!text) return;
    let at = letters.indexOf(text, cursor);
    let { length } = text;
    if (at < 0) at = letters.indexOf(text);
    if (at < 0 && text.length > 40 && !only) {
      at = letters.indexOf(text.slice(0, 40), cursor);
      length = Math.min(length, letters.length - at);
    }
    if (at < 0) return;
    ranges.set(number, [at, at + length]);
    if (at >= cursor) cursor = at + length;
  };
  blocks.forEach((block, number) => { if (block.kept) place(number); });
  // The title is above the content, but not kept as a part of it.
  blocks.forEach((block, number) => { if (!block.kept && /^h[1-3]$/.test(block.tag) && !ranges.size) place(number, true); });
  return ranges;
}

/** The range of the document that some letters take up. */
export function rangeOf({ nodes, offsets }, [start, stop]) {
  const range = nodes[start].ownerDocument.createRange();
  range.setStart(nodes[start], offsets[start]);
  range.setEnd(nodes[stop - 1], Math.min(nodes[stop - 1].length, offsets[stop - 1] + 1));
  return range;
}
