// Search in the page and in the result at once.

import { byId, plural } from "./dom.js";
import { highlight } from "./frames.js";
import { on, select, state } from "./state.js";
import { markFound } from "./tree.js";

const field = byId("search");
const MOST = 5000;
let found = [];
let at = -1;

const folded = (text) => text.toLowerCase().replace(/\s+/g, " ");

function search() {
  const wanted = folded(field.value.trim());
  found = wanted ? state.texts.flatMap((text, number) => (folded(text).includes(wanted) ? [number] : [])) : [];
  at = -1;
  markFound(new Set(found));
  const inFrames = ["rendering", "preview"].map((id) => {
    const frame = byId(id);
    const ranges = frame.contentDocument?.body ? rangesIn(frame.contentDocument.body, wanted) : [];
    highlight(frame, "found", ranges);
    return ranges;
  });
  markInView(wanted);
  const kept = found.filter((number) => state.data.blocks[number].kept).length;
  const times = inFrames[1].length;
  byId("found").textContent = !wanted ? "" : `${plural(found.length, "block")} of the page (${kept} kept, ${found.length - kept} dropped), ${times === 1 ? "once" : `${times} times`} in the result`;
  for (const id of ["search-back", "search-on"]) byId(id).disabled = !found.length;
}

/** Mark what is found in the format that is shown. */
function markInView(wanted) {
  const view = document.querySelector("#pane-result [role=tabpanel]:not([hidden])");
  highlight(null, "found", view ? rangesIn(view, wanted) : []);
}
on("viewed", () => markInView(folded(field.value.trim())));

/** Where some text is below an element, even if it begins in one element and ends in another. */
function rangesIn(root, wanted) {
  if (!wanted) return [];
  const nodes = [];
  const starts = [];
  let text = "";
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    nodes.push(walker.currentNode);
    starts.push(text.length);
    text += walker.currentNode.data;
  }
  /** The node that a place is in: the last one that begins at or before it. */
  const at = (place) => {
    let [low, high] = [0, nodes.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (starts[middle] <= place) low = middle;
      else high = middle - 1;
    }
    return [nodes[low], place - starts[low]];
  };
  const pattern = new RegExp(wanted.split(" ").map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("\\s+"), "giu");
  const ranges = [];
  for (const { 0: found, index } of text.matchAll(pattern)) {
    const range = root.ownerDocument.createRange();
    range.setStart(...at(index));
    const [node, offset] = at(index + found.length - 1);
    range.setEnd(node, offset + 1);
    if (ranges.push(range) >= MOST) break;
  }
  return ranges;
}

function go(step) {
  if (!found.length) return;
  at = at < 0 ? (step > 0 ? 0 : found.length - 1) : (at + step + found.length) % found.length;
  select(found[at]);
  byId("found").textContent = `${at + 1} of ${plural(found.length, "block")}: ${state.data.blocks[found[at]].kept ? "kept" : "dropped"}`;
}

let timer = 0;
field.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(search, 120);
});
field.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && field.value) {
    event.stopPropagation();
    field.value = "";
    search();
  }
  if (event.key !== "Enter") return;
  event.preventDefault();
  if (at < 0) search();
  go(event.shiftKey ? -1 : 1);
});
byId("search-back").addEventListener("click", () => go(-1));
byId("search-on").addEventListener("click", () => go(1));
on("inspected", search);
for (const id of ["rendering", "preview"]) byId(id).addEventListener("load", () => { if (field.value && state.data) search(); });
