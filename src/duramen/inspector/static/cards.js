// Records and chunks as cards. What the page says is set as text.

import { byId, h, percent, plural } from "./dom.js";
import { on } from "./state.js";

on("inspected", ({ data }) => {
  show("records", data.result.records, record, "This page has no records. Forums, listings, products, FAQs, recipes and comments do.");
  show("chunks", data.chunks, chunk, "There is no content to cut.");
});

function show(name, list, card, none) {
  byId(`count-${name}`).textContent = list.length ? ` ${list.length}` : "";
  byId(`out-${name}`).replaceChildren(...(list.length
    ? [h("ol", { class: "cards" }, list.map((one, index) => h("li", { class: "card" }, card(one, index))))]
    : [h("p", { class: "none" }, none)]));
}

const OWN = new Set(["kind", "html", "text", "markdown", "position", "confidence", "sources", "title", "name", "question"]);
const isEmpty = (value) => value === null || value === "" || value === false || (Array.isArray(value) && !value.length);
const shown = (value) => (Array.isArray(value) ? value.map((one) => (Array.isArray(one) ? one.join(": ") : one)).join("; ") : String(value));

function record(one) {
  const fields = Object.entries(one).filter(([name, value]) => !OWN.has(name) && !isEmpty(value));
  const title = one.title ?? one.name ?? one.question ?? null;
  return [
    h("p", { class: "line" }, h("b", {}, `${one.kind} ${one.position + 1}`), h("span", { class: "score" }, `${percent(one.confidence)} sure`)),
    title ? h("h3", {}, title) : null,
    fields.length ? h("dl", { class: "pairs" }, fields.flatMap(([name, value]) => [h("dt", {}, name.replace("_", " ")),
      h("dd", {}, shown(value), one.sources[name] ? h("span", { class: "origin" }, ` from ${one.sources[name]}`) : null)])) : null,
    one.text ? h("p", { class: "said" }, one.text) : null,
  ].filter(Boolean);
}

function chunk(one, index) {
  return [
    h("p", { class: "line" }, h("b", {}, `Chunk ${index + 1}`), h("span", {}, one.kind), h("span", { class: "score" }, plural(one.tokens, "token"))),
    one.headings.length ? h("p", { class: "under" }, one.headings.join(" › ")) : null,
    h("p", { class: "said" }, one.text),
    h("p", { class: "origin" }, `characters ${one.start.toLocaleString("en")} to ${one.end.toLocaleString("en")}, id ${one.id}`),
  ].filter(Boolean);
}
