// The page to inspect: from a URL, pasted, opened, dropped, or the example; read again when an option is changed.

import { byId } from "./dom.js";
import { useLink, writeLink } from "./link.js";
import { chosen, chosenForText, onChange } from "./options.js";
import { announce, inspected, state } from "./state.js";
import { ask, post, reasonOf, say } from "./server.js";

let last = null;
let round = 0;

/** Read a page and show it. `again`: it is the page that is shown, with other options. */
export async function read(what, request, { again = false, url = null, fragment = null } = {}) {
  const mine = ++round;
  say(`Reading ${what} …`, "busy");
  try {
    const data = await request();
    if (mine !== round) return;
    if (!again) {
      last = { what, request, fragment };
      state.rule = null;
      state.url = url;
    }
    state.url = data.result.url ?? state.url;
    writeLink(last.fragment);
    for (const id of ["summary", "tools", "panes", "switch"]) byId(id).hidden = false;
    byId("welcome").hidden = true;
    inspected(data, { again });
    // The engine's time: neither that of explaining every block, nor that of drawing it here.
    const { seconds } = data;
    say(`Read ${what} in ${seconds < 1 ? `${Math.max(1, Math.round(seconds * 1000))} ms` : `${seconds.toFixed(1)} s`}.`);
  } catch (error) {
    if (mine !== round) return;
    say(`Could not read ${what}: ${reasonOf(error)}${state.data ? ". The previous page is still shown below." : ""}`, "wrong");
  }
}

/** The page that is shown, to be sent to the server again; null if it is not HTML. */
export function sentPage() {
  const html = state.data?.source;
  return html ? { html, ...(state.url ? { url: state.url } : {}), options: chosenForText() } : null;
}

const complete = (url) => (/^[a-z][a-z+.-]*:/i.test(url) ? url : `https://${url}`);
const query = (extra = {}) => new URLSearchParams({ ...chosen(), ...extra });

const readUrl = (url) => read(url, () => ask(`/inspect?${query({ url })}`), { url, fragment: { url } });
/** The address of pasted and opened pages: it makes links absolute, and chooses site rules. */
function address() {
  const given = byId("address").value.trim();
  return given ? { url: complete(given) } : {};
}
function readHtml(what, body, type) {
  state.name = what.replace(/\.[a-z]+$/i, "");
  const request = () => ask(`/inspect?${query(address())}`, { method: "POST", body, headers: { "Content-Type": type } });
  return read(what, request, address());
}
const EXAMPLE = "https://almanac.example/wood/reading-a-tree-stump";
const readExample = () => read("the example", async () => {
  const page = await (await fetch("/example.html")).text();
  return ask(`/inspect?${query({ url: EXAMPLE })}`, { method: "POST", body: page, headers: { "Content-Type": "text/html; charset=utf-8" } });
}, { url: EXAMPLE, fragment: { example: "true" } });
const readCorpus = (id) => read(`page ${id}`, () => ask(`/corpus/${encodeURIComponent(id)}?${query()}`), { fragment: { page: id } });

/** The same page with other options. Pages that were fetched are not fetched again, unless that is what changes. */
function readAgain(name) {
  if (!last) return;
  if (state.rule && name !== "address") return announce("options", name);
  const page = last.fragment?.url && !["render", "encoding"].includes(name) ? sentPage() : null;
  const request = page ? () => post("/inspect", page) : last.request;
  read(last.what, request, { again: true });
}
onChange(readAgain);
byId("address").addEventListener("change", () => {
  if (last && !last.fragment) read(last.what, last.request, address());
});

byId("source").addEventListener("submit", (event) => {
  event.preventDefault();
  const url = byId("url").value.trim();
  if (url) readUrl(complete(url));
  else byId("url").focus();
});
byId("example").addEventListener("click", readExample);
byId("welcome-example").addEventListener("click", readExample);
function openPaste(open) {
  byId("paste").hidden = !open;
  byId("paste-open").setAttribute("aria-expanded", open);
  byId(open ? "html" : "paste-open").focus();
}
byId("paste-open").addEventListener("click", () => openPaste(byId("paste").hidden));
byId("paste-read").addEventListener("click", async () => {
  await readHtml("the pasted HTML", byId("html").value, "text/html; charset=utf-8");
  if (!byId("status").classList.contains("wrong")) openPaste(false);
});
byId("file-open").addEventListener("click", () => byId("file").click());
byId("file").addEventListener("change", (event) => {
  const [file] = event.target.files;
  if (file) readHtml(file.name, file, "text/html");
  event.target.value = "";
});

let over = 0;
const hasFile = (event) => event.dataTransfer?.types.includes("Files");
const dropShown = (shown) => byId("drop").classList.toggle("shown", shown);
document.addEventListener("dragenter", (event) => { if (hasFile(event)) { over += 1; dropShown(true); } });
document.addEventListener("dragleave", (event) => { if (hasFile(event)) { over -= 1; dropShown(over > 0); } });
document.addEventListener("dragover", (event) => { if (hasFile(event)) event.preventDefault(); });
document.addEventListener("drop", (event) => {
  if (!hasFile(event)) return;
  event.preventDefault();
  over = 0;
  dropShown(false);
  const [file] = event.dataTransfer.files;
  if (file) readHtml(file.name, file, "text/html");
});

useLink({ readCorpus, readExample });
