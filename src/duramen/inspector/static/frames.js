// The two frames: the page with its blocks coloured, and the content. What is selected in one is selected in the other.

import { byId, h } from "./dom.js";
import { isShown } from "./filter.js";
import { findBlocks, lettersIn, rangeOf } from "./match.js";
import { blockOf, on, select, state } from "./state.js";
import { onEscape } from "./block.js";
import { choosePane } from "./tabs.js";

const rendering = byId("rendering");
const preview = byId("preview");
const SHOWN = "p, li, h1, h2, h3, h4, h5, h6, td, th, dt, dd, pre, blockquote, figcaption, caption, summary, address, div";
/** The letters of the content, and the blocks they came from. */
let content = { letters: "", nodes: [], offsets: [], ranges: new Map() };

on("inspected", ({ data, again }) => {
  showFrame(rendering, data.rendering || '<p class="nothing">The page has no text.</p>', "whole", again, (frame) => {
    const stops = new Map();
    for (const piece of frame.querySelectorAll(".kept, .dropped")) if (!stops.has(blockOf(piece))) stops.set(blockOf(piece), piece);
    connect(frame, [...stops.values()], (target) => blockOf(target.closest(".kept, .dropped")));
    filterRendering();
  });
  showFrame(preview, contentOf(data.result), "", again, (frame) => {
    content = lettersIn(frame.body);
    content.ranges = findBlocks(content.letters, data.blocks, state.texts);
    const stops = [...content.ranges.values()].map(([start]) => content.nodes[start].parentElement.closest(SHOWN)).filter(Boolean);
    connect(frame, [...new Set(stops)], blockInContent);
  });
});
on("selected", ({ number, scroll, from }) => {
  markInRendering(number, scroll || from === preview);
  markInPreview(number, from !== preview);
});
on("filtered", filterRendering);

/** The content as it is shown: nothing to load and nowhere to go, so that a page that is looked at makes no requests. */
function contentOf(result) {
  const heading = h("h1", {}, result.title ?? "");
  const page = new DOMParser().parseFromString(result.html, "text/html");
  for (const image of page.querySelectorAll("img")) {
    image.replaceWith(h("span", { class: "picture", title: image.getAttribute("src") }, image.alt || "image"));
  }
  for (const link of page.querySelectorAll("a[href]")) {
    link.title = link.getAttribute("href");
    link.removeAttribute("href");
  }
  return (result.title ? heading.outerHTML : "") + (page.body.innerHTML || '<p class="nothing">Nothing was found.</p>');
}

/** Sanitized HTML in a frame without scripts, under the policy of this page. */
function showFrame(frame, html, kind, again, ready) {
  const { theme } = document.documentElement.dataset;
  const top = again ? frame.contentDocument?.documentElement.scrollTop ?? 0 : 0;
  frame.addEventListener("load", () => {
    if (!frame.contentDocument?.body) return;
    ready(frame.contentDocument);
    frame.contentDocument.documentElement.scrollTop = top;
    if (state.selected < 0) return;
    if (frame === rendering) markInRendering(state.selected, !again);
    else markInPreview(state.selected, !again);
  }, { once: true });
  frame.srcdoc = `<!doctype html><html lang="" data-theme="${theme}"><head><meta charset="utf-8"><title>${frame.title}</title><link rel="stylesheet" href="/page.css"></head><body class="${kind}">${html}</body></html>`;
}

/** Blocks in a frame are chosen with the mouse, or with arrow keys and Enter. */
function connect(frame, stops, blockAt) {
  const owner = frame.defaultView.frameElement;
  const choose = (target) => {
    const number = blockAt(target);
    if (number < 0) return;
    if (owner === preview) choosePane(byId("to-page"));
    select(number, { scroll: owner === preview, from: owner });
  };
  stops.forEach((stop, index) => { stop.tabIndex = index ? -1 : 0; });
  frame.addEventListener("click", (event) => {
    event.preventDefault();
    if (event.target.closest) choose(event.target);
  });
  frame.addEventListener("keydown", (event) => {
    onEscape(event);
    const at = stops.indexOf(frame.activeElement);
    if (at < 0) return;
    const next = { ArrowDown: stops[at + 1], ArrowUp: stops[at - 1], Home: stops[0], End: stops.at(-1) }[event.key];
    if (event.key === "Enter" || event.key === " ") choose(stops[at]);
    else if (!next) return;
    event.preventDefault();
    if (!next) return;
    stops[at].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
    next.scrollIntoView({ block: "nearest" });
  });
}

/** The block that an element of the content came from. */
function blockInContent(target) {
  const within = content.nodes.findIndex((node) => target.contains(node));
  const inner = target.closest(SHOWN);
  const at = within >= 0 ? within : inner ? content.nodes.findIndex((node) => inner.contains(node)) : -1;
  if (at < 0) return -1;
  for (const [number, [start, stop]] of content.ranges) if (at >= start && at < stop) return number;
  return -1;
}

function markInRendering(number, scroll) {
  const frame = rendering.contentDocument;
  if (!frame) return;
  for (const old of frame.querySelectorAll(".chosen")) {
    old.classList.remove("chosen");
    old.removeAttribute("aria-current");
  }
  const found = frame.getElementsByClassName(`b${number}`);
  for (const piece of found) {
    piece.classList.add("chosen");
    piece.setAttribute("aria-current", "true");
  }
  if (scroll) found[0]?.scrollIntoView({ block: "center" });
}

/** Mark a block's text in the content; the range is only drawn, and the content stays as it is. */
function markInPreview(number, scroll) {
  const range = content.ranges.get(number);
  highlight(preview, "chosen", range ? [rangeOf(content, range)] : []);
  if (range && scroll) content.nodes[range[0]].parentElement.scrollIntoView({ block: "center" });
}

/** Draw ranges of a document, if the browser can. */
export function highlight(frame, name, ranges) {
  const view = frame?.contentWindow ?? window;
  if (!view.CSS?.highlights) return;
  if (ranges.length) view.CSS.highlights.set(name, new view.Highlight(...ranges));
  else view.CSS.highlights.delete(name);
}

function filterRendering() {
  for (const piece of rendering.contentDocument?.querySelectorAll(".kept, .dropped") ?? []) {
    const number = blockOf(piece);
    piece.classList.toggle("faint", !isShown([number, number + 1]));
  }
}

/** Scroll to the selected block when the rendering becomes visible. */
export const showSelected = () => { if (state.selected >= 0) markInRendering(state.selected, true); };
