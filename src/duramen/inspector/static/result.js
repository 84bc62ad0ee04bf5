// The result in every format: shown, copied, downloaded.

import { byId, copy, download, h } from "./dom.js";
import { closeMenu } from "./menu.js";
import { announce, on, state } from "./state.js";
import { showPanel, tabList } from "./tabs.js";

tabList(byId("tab-preview").parentElement, (tab, tabs) => {
  showPanel(tab, tabs);
  announce("viewed");
});

const json = (value) => JSON.stringify(value, null, 2);
const lines = (list) => list.map((one) => JSON.stringify(one)).join("\n") + (list.length ? "\n" : "");
/** What can be downloaded: its name, the end of the file's name, its type, and how it is made. */
const FORMATS = [
  ["Markdown", "md", "text/markdown", ({ result }) => result.markdown],
  ["Text", "txt", "text/plain", ({ result }) => result.text],
  ["HTML", "html", "text/html", ({ result }) => result.html],
  ["JSON", "json", "application/json", (data) => json(plain(data))],
  ["TEI XML", "xml", "application/xml", ({ xml }) => xml],
  ["Records, as lines of JSON", "records.jsonl", "application/x-ndjson", ({ result }) => lines(result.records)],
  ["Chunks, as lines of JSON", "chunks.jsonl", "application/x-ndjson", ({ chunks }) => lines(chunks)],
  ["Trace, with every block", "trace.json", "application/json", ({ result, blocks }) => json({ ...result.trace, blocks })],
  ["The page as it was read", "source.html", "text/html", ({ source }) => source],
];
const plain = ({ result }) => ({ ...result, trace: undefined });

on("inspected", ({ data }) => {
  for (const name of ["markdown", "text", "html"]) byId(`out-${name}`).textContent = data.result[name];
  byId("out-json").textContent = json(plain(data));
  byId("out-xml").textContent = data.xml;
});

byId("copy").addEventListener("click", () => {
  const name = document.querySelector("#pane-result [role=tab][aria-selected=true]").id.replace("tab-", "");
  const made = { preview: state.data.result.markdown, records: json(state.data.result.records), chunks: json(state.data.chunks) };
  copy(made[name] ?? byId(`out-${name}`).textContent, byId("copy"));
});

/** A name for files, from the page's title or address. */
export function fileName() {
  const from = state.data.result.title || state.url?.replace(/^[a-z]+:\/\//, "") || state.name;
  return from.toLowerCase().normalize("NFKD").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 60) || "page";
}

byId("downloads-list").replaceChildren(...FORMATS.map(([name, end, type, make]) => h("li", {}, h("button", {
  type: "button",
  onclick: () => {
    download(`${fileName()}.${end}`, make(state.data) ?? "", `${type};charset=utf-8`);
    closeMenu(byId("downloads"));
  },
}, name))));
