// The inspector's page. Text of a page is only ever set as text; the two frames get HTML that the engine has sanitized.

const byId = (id) => document.getElementById(id);
const state = { data: null, selected: -1, rows: [] };

/** An element: h("p", { class: "x" }, "text", child). Properties beginning with "on" are listeners. */
function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) element.style.setProperty(name, value);
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const percent = (share) => `${Math.round(100 * share)} %`;
const width = (share) => `${100 * Math.min(1, Math.max(0, share))}%`;
const plural = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/* Theme */

function useTheme(theme) {
  document.documentElement.dataset.theme = theme;
  for (const frame of document.querySelectorAll("iframe")) {
    const root = frame.contentDocument?.documentElement;
    if (root) root.dataset.theme = theme;
  }
}
const darkWanted = matchMedia("(prefers-color-scheme: dark)");
const preferred = () => localStorage.getItem("duramen-theme") ?? (darkWanted.matches ? "dark" : "light");
useTheme(preferred());
darkWanted.addEventListener("change", () => useTheme(preferred()));
byId("theme").addEventListener("click", () => {
  localStorage.setItem("duramen-theme", preferred() === "dark" ? "light" : "dark");
  useTheme(preferred());
});

/* Tabs: arrows move, as in every other tab list */

function tabList(list, choose) {
  const tabs = [...list.querySelectorAll("[role=tab]")];
  const select = (tab, focus = false) => {
    for (const other of tabs) {
      other.setAttribute("aria-selected", other === tab);
      other.tabIndex = other === tab ? 0 : -1;
    }
    if (focus) tab.focus();
    choose(tab, tabs);
  };
  for (const tab of tabs) tab.addEventListener("click", () => select(tab));
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = tabs.indexOf(document.activeElement);
    const next = step ? tabs[(at + step + tabs.length) % tabs.length] : { Home: tabs[0], End: tabs.at(-1) }[event.key];
    if (!next) return;
    event.preventDefault();
    select(next, true);
  });
  return select;
}

const panelOf = (tab) => byId(tab.getAttribute("aria-controls"));
const showPanel = (tab, tabs) => tabs.forEach((other) => { panelOf(other).hidden = other !== tab; });
const showPane = (tab, tabs) => tabs.forEach((other) => panelOf(other).classList.toggle("current", other === tab));
const choosePane = tabList(byId("switch"), showPane);
choosePane(byId("to-page"));
const choosePageView = tabList(byId("tab-structure").parentElement, (tab, tabs) => {
  showPanel(tab, tabs);
  if (state.selected >= 0) markInRendering(state.selected, true);
});
tabList(byId("tab-preview").parentElement, showPanel);

/* Asking the server */

async function ask(path, init = {}) {
  const headers = new Headers(init.headers);
  const token = sessionStorage.getItem("duramen-token");
  if (token) headers.set("Authorization", `Bearer ${token}`);
  const response = await fetch(path, { ...init, headers });
  if (response.status === 401 && (await askForToken())) return ask(path, init);
  const data = await response.json();
  if (!response.ok) {
    const errors = (data.errors ?? []).map((error) => `${error.name} ${error.detail}`);
    throw new Error([data.detail, ...errors].join(" "));
  }
  return data;
}

function askForToken() {
  const dialog = byId("ask");
  byId("token").value = "";
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      const given = byId("token").value.trim();
      if (dialog.returnValue === "ok" && given) sessionStorage.setItem("duramen-token", given);
      resolve(dialog.returnValue === "ok" && given !== "");
    }, { once: true });
  });
}

function wishes(extra = {}) {
  return new URLSearchParams({ mode: byId("mode").value, comments: byId("comments").checked, ...extra });
}

function say(text, kind = "") {
  const status = byId("status");
  status.className = `status ${kind}`;
  status.textContent = text;
}

let last = null;
let round = 0;
async function read(what, request) {
  last = () => read(what, request);
  const mine = ++round;
  say(`Reading ${what} …`, "busy");
  const started = performance.now();
  try {
    const data = await request();
    if (mine !== round) return;
    const seconds = (performance.now() - started) / 1000;
    show(data);
    say(`Read ${what} in ${seconds.toFixed(seconds < 1 ? 2 : 1)} s.`);
  } catch (error) {
    if (mine !== round) return;
    const why = error instanceof TypeError ? "the server does not respond; is it still running?" : error.message;
    say(`Could not read ${what}: ${why}${state.data ? ". The previous page is still shown below." : ""}`, "wrong");
  }
}

const readUrl = (url) => read(url, () => ask(`/inspect?${wishes({ url })}`));
const readHtml = (what, body, type) =>
  read(what, () => ask(`/inspect?${wishes()}`, { method: "POST", body, headers: { "Content-Type": type } }));
const readExample = () => read("the example", async () => {
  const page = await (await fetch("/example.html")).text();
  const query = wishes({ url: "https://almanac.example/wood/reading-a-tree-stump" });
  return ask(`/inspect?${query}`, { method: "POST", body: page, headers: { "Content-Type": "text/html; charset=utf-8" } });
});

byId("source").addEventListener("submit", (event) => {
  event.preventDefault();
  let url = byId("url").value.trim();
  if (!url) return byId("url").focus();
  if (!/^[a-z][a-z+.-]*:/i.test(url)) url = `https://${url}`;
  readUrl(url);
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
for (const id of ["mode", "comments"]) byId(id).addEventListener("change", () => last?.());

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

/* Showing an inspection */

function show(data) {
  state.data = data;
  state.selected = -1;
  byId("welcome").hidden = true;
  for (const id of ["summary", "panes", "switch"]) byId(id).hidden = false;
  byId("block").hidden = true;
  showSummary(data);
  showTree(data);
  showFrame(byId("rendering"), data.rendering || '<p class="nothing">The page has no text.</p>', "whole", (frame) => {
    frame.addEventListener("click", (event) => {
      event.preventDefault();
      const found = /(?:^| )b(\d+)(?: |$)/.exec(event.target.closest?.(".kept, .dropped")?.className ?? "");
      if (found) selectBlock(Number(found[1]), { scroll: false });
    });
  });
  showFrame(byId("preview"), preview(data.result), "", (frame) => frame.addEventListener("click", (event) => event.preventDefault()));
  for (const name of ["markdown", "text", "html"]) byId(`out-${name}`).textContent = data.result[name];
  byId("out-json").textContent = JSON.stringify({ ...data.result, trace: undefined }, null, 2);
  showStory(data);
}

function preview(result) {
  const heading = h("h1", {}, result.title ?? "");
  return (result.title ? heading.outerHTML : "") + (inert(result.html) || '<p class="nothing">Nothing was found.</p>');
}

/** The same content with nothing to load and nowhere to go: a page that is looked at makes no requests. */
function inert(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const image of page.querySelectorAll("img")) {
    image.replaceWith(h("span", { class: "picture", title: image.getAttribute("src") }, image.alt || "image"));
  }
  for (const link of page.querySelectorAll("a[href]")) {
    link.title = link.getAttribute("href");
    link.removeAttribute("href");
  }
  return page.body.innerHTML;
}

/** Sanitized HTML in a frame without scripts, under the policy of this page. */
function showFrame(frame, html, kind, ready) {
  const theme = document.documentElement.dataset.theme;
  frame.addEventListener("load", () => {
    if (frame.contentDocument) ready(frame.contentDocument);
    if (state.selected >= 0 && frame.id === "rendering") markInRendering(state.selected, true);
  }, { once: true });
  frame.srcdoc = `<!doctype html><html lang="" data-theme="${theme}"><head><meta charset="utf-8"><link rel="stylesheet" href="/page.css"></head><body class="${kind}">${html}</body></html>`;
}

function showSummary({ result, blocks }) {
  const kept = blocks.filter((block) => block.kept);
  const words = (list) => list.reduce((sum, block) => sum + block.words, 0);
  const facts = [
    ["Verdict", h("span", { class: `badge ${result.quality.verdict}` }, result.quality.verdict)],
    ["Expected F1", result.quality.score.toFixed(2)],
    ["Page type", `${result.page_type.type} (${percent(result.page_type.confidence)})`],
    ["Found by", (result.tier ?? "nothing").replace("_", " ")],
    ["Words kept", `${words(kept).toLocaleString("en")} of ${words(blocks).toLocaleString("en")}`],
    ["Blocks kept", `${kept.length} of ${blocks.length}`],
  ];
  const from = [result.metadata.authors.join(", "), result.metadata.published?.slice(0, 10), result.url].filter(Boolean).join(" · ");
  const why = result.quality.verdict === "good" ? [] : result.quality.reasons.slice(0, 3);
  byId("summary").replaceChildren(
    h("h2", {}, result.title ?? "A page without a title", from ? h("span", { class: "from" }, from) : null,
      why.map((reason) => h("span", { class: `from why ${result.quality.verdict}` }, reason))),
    h("dl", { class: "facts" }, facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
  );
}

/* The tree of the page */

function showTree({ structure, blocks, left_out: leftOut }) {
  const tree = byId("tree");
  state.rows = structure.map((row, index) => {
    const isBlock = row.block !== undefined;
    const item = isBlock ? blockRow(blocks[row.block], row) : elementRow(row);
    item.dataset.index = index;
    return { ...row, item, isBlock, open: isBlock ? undefined : opensAtFirst(row) };
  });
  tree.replaceChildren(...state.rows.map((row) => row.item));
  if (leftOut) tree.append(h("li", { class: "row", role: "none" }, `${plural(leftOut, "block")} more are not shown.`));
  foldTree();
  if (state.rows.length) state.rows[0].item.tabIndex = 0;
  byId("view-structure").scrollTop = 0;
}

const opensAtFirst = (row) => row.state !== "dropped" || row.blocks[1] - row.blocks[0] <= 3;

/** Words for those who hear the row instead of seeing its colours. */
const unseen = (text) => h("span", { class: "unseen" }, text);

function blockRow(block, row) {
  const kept = block.kept ? "kept" : "dropped";
  return h("li", {
    class: `row text ${kept}`, role: "treeitem", "aria-level": row.depth + 1, "aria-selected": "false", tabindex: -1, "--depth": row.depth,
  }, h("span", { class: "twist" }), unseen(`${kept} `), h("span", { class: "tag" }, block.tag), h("span", { class: "words" }, block.text),
  h("span", { class: "probability" }, percent(block.probability), unseen(" probability")));
}

function elementRow(row) {
  const [start, stop] = row.blocks;
  const held = row.state === "dropped" ? "dropped" : "holds";
  return h("li", {
    class: `row element ${held}${row.chosen ? " winner" : ""}`, role: "treeitem", "aria-level": row.depth + 1, "aria-expanded": "true", "aria-selected": "false", tabindex: -1, "--depth": row.depth,
  }, h("span", { class: "twist", "aria-hidden": "true" }, "▶"), h("span", { class: "label" }, row.label), unseen(`${row.state}, `),
  h("span", { class: "count" }, stop - start, unseen(stop - start === 1 ? " block" : " blocks")));
}

/** Hide the descendants of a closed row. */
function foldTree() {
  let closedAt = Infinity;
  for (const row of state.rows) {
    if (row.depth <= closedAt) closedAt = Infinity;
    row.item.hidden = row.depth > closedAt;
    if (!row.isBlock) {
      row.item.setAttribute("aria-expanded", row.open);
      if (!row.open && closedAt === Infinity) closedAt = row.depth;
    }
  }
}

function focusRow(row) {
  for (const other of state.rows) other.item.tabIndex = other === row ? 0 : -1;
  row.item.focus();
}

const rowOf = (item) => state.rows[Number(item?.dataset.index)];
byId("tree").addEventListener("click", (event) => {
  const row = rowOf(event.target.closest(".row"));
  if (!row) return;
  focusRow(row);
  useRow(row);
});
function useRow(row) {
  if (row.isBlock) return selectBlock(row.block, { scroll: false });
  row.open = !row.open;
  foldTree();
}
byId("tree").addEventListener("keydown", (event) => {
  const row = rowOf(document.activeElement);
  if (!row) return;
  const seen = state.rows.filter((other) => !other.item.hidden);
  const at = seen.indexOf(row);
  const parent = () => seen.slice(0, at).findLast((other) => other.depth < row.depth);
  const moves = {
    ArrowDown: () => seen[at + 1], ArrowUp: () => seen[at - 1], Home: () => seen[0], End: () => seen.at(-1),
    ArrowRight: () => (row.isBlock ? null : row.open ? seen[at + 1] : useRow(row)),
    ArrowLeft: () => (!row.isBlock && row.open ? useRow(row) : parent()),
    Enter: () => useRow(row), " ": () => useRow(row),
  };
  if (!(event.key in moves)) return;
  event.preventDefault();
  const next = moves[event.key]();
  if (next) focusRow(next);
});

/* One block */

function selectBlock(number, { scroll = true, focus = false } = {}) {
  const block = state.data.blocks[number];
  if (!block) return;
  state.selected = number;
  const row = state.rows.find((other) => other.block === number);
  for (const other of state.rows) {
    other.item.setAttribute("aria-selected", other === row);
    other.item.classList.remove("marked");
  }
  showBlock(block);
  reveal(row, scroll);
  if (focus && row) focusRow(row);
  markInRendering(number, scroll);
}

/** Open the ancestors of a row, and scroll to it. */
function reveal(row, scroll) {
  if (!row) return;
  let depth = row.depth;
  for (let i = state.rows.indexOf(row) - 1; i >= 0 && depth > 0; i -= 1) {
    if (state.rows[i].depth < depth) {
      depth = state.rows[i].depth;
      state.rows[i].open = true;
    }
  }
  foldTree();
  row.item.scrollIntoView({ block: scroll ? "center" : "nearest" });
}

function markInRendering(number, scroll) {
  const frame = byId("rendering").contentDocument;
  if (!frame) return;
  for (const old of frame.querySelectorAll(".chosen")) old.classList.remove("chosen");
  const found = frame.getElementsByClassName(`b${number}`);
  for (const piece of found) piece.classList.add("chosen");
  if (scroll) found[0]?.scrollIntoView({ block: "center" });
}

function verdictOn(block) {
  if (block.kept) return `Kept by ${block.rule}`;
  const won = state.data.result.trace.attempts.find((attempt) => attempt.outcome === "won");
  return block.rule === won?.candidate.rule_id ? `Dropped: outside what ${block.rule} chose` : `Dropped by ${block.rule}`;
}

function showBlock(block) {
  const strongest = Math.max(...[...block.speaks_for, ...block.speaks_against].map((reason) => Math.abs(reason.weight)), 0.01);
  const reasons = (title, list, kind) => h("div", { class: kind }, h("h4", {}, title),
    list.length ? h("ul", {}, list.map((reason) => h("li", { "--share": width(Math.abs(reason.weight) / strongest) },
      reason.phrase, h("span", {}, `${reason.weight > 0 ? "+" : "−"}${Math.abs(reason.weight).toFixed(1)}`)))) : h("p", {}, "nothing"));
  const section = byId("block");
  section.replaceChildren(...[
    h("div", { class: "block-head" }, h("h3", {}, verdictOn(block)),
      h("button", { type: "button", class: "quiet", "aria-label": "Close the block", onclick: closeBlock }, "✕")),
    h("p", { class: "path" }, block.path),
    h("blockquote", { class: block.kept ? "kept-quote" : "" }, block.text),
    h("div", { class: "meter" },
      h("div", { class: "bar" }, h("i", { "--share": width(block.probability) })), h("b", {}, percent(block.probability)),
      h("span", {}, `probability of being content; ${plural(block.words, "word")}, ${percent(block.links)} of it links`)),
    block.reason ? h("p", {}, `Rule: ${block.reason}.`) : null,
    h("div", { class: "reasons" }, reasons("Evidence for", block.speaks_for, "for"), reasons("Evidence against", block.speaks_against, "against")),
  ].filter(Boolean));
  section.hidden = false;
  section.scrollTop = 0;
}

function closeBlock() {
  byId("block").hidden = true;
  const row = state.rows.find((other) => other.block === state.selected);
  if (row && !byId("view-structure").hidden) focusRow(row);
  state.selected = -1;
  markInRendering(-1, false);
}
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !byId("block").hidden && !byId("ask").open) closeBlock();
});

/** Show some blocks: the first one is selected, all of them are marked. */
function showPlace(ranges) {
  if (!ranges.length) return;
  choosePane(byId("to-page"));
  selectBlock(ranges[0][0], { focus: byId("tab-structure").getAttribute("aria-selected") === "true" });
  for (const row of state.rows) {
    const inside = row.isBlock && ranges.some(([start, stop]) => row.block >= start && row.block < stop);
    row.item.classList.toggle("marked", inside && row.block !== state.selected);
  }
}

/* The trace */

function showStory({ result }) {
  const { trace, quality } = result;
  const removed = trace.removals.filter((removal) => !removal.rescued);
  const back = trace.removals.filter((removal) => removal.rescued);
  byId("story").replaceChildren(...[
    h("h3", {}, "Reading"), pairs(readFacts(result)),
    h("h3", {}, "Candidates", h("small", {}, plural(trace.attempts.length, "candidate"))),
    trace.attempts.length ? h("ul", { class: "cards" }, trace.attempts.map(candidate)) : h("p", {}, "No tier proposed anything."),
    h("h3", {}, "Removed", h("small", {}, plural(removed.length, "place"))), ...removals(removed),
    ...(back.length ? [h("h3", {}, "Put back", h("small", {}, plural(back.length, "place"))), ...removals(back)] : []),
    h("h3", {}, "Quality", h("span", { class: `badge ${quality.verdict}` }, quality.verdict)),
    h("p", {}, `The expected F1 against an annotator's choice is ${quality.score.toFixed(2)}.`),
    quality.reasons.length ? h("ul", { class: "reasons" }, quality.reasons.map((reason) => h("li", {}, reason))) : null,
    checks(quality.checks),
    h("h3", {}, "Metadata"), pairs(metadata(result.metadata)),
    h("h3", {}, "Limits"),
    trace.limits.length ? h("ul", { class: "reasons" }, trace.limits.map((limit) => h("li", {}, limit))) : h("p", {}, "Nothing was cut off."),
  ].filter(Boolean));
  byId("story").scrollTop = 0;
}

const pairs = (list) => h("dl", { class: "pairs" }, list.flatMap(([name, value, origin]) =>
  [h("dt", {}, name), h("dd", {}, value, origin ? h("span", { class: "origin" }, ` ${origin}`) : null)]));

function readFacts(result) {
  const { document_type: type, encoding, framework, page_type: kind } = result;
  return [
    ["Document type", type.name, `from ${type.source}`],
    ["Encoding", encoding.name, `from ${encoding.source}${encoding.replaced ? `, ${plural(encoding.replaced, "character")} replaced` : ""}`],
    ["Framework", framework ? framework.name : "none known", framework ? `${percent(framework.confidence)}: ${framework.evidence.join("; ")}` : null],
    ["Page type", kind.type, `${percent(kind.confidence)}${kind.evidence.length ? `: ${kind.evidence.join("; ")}` : ""}`],
    ...result.trace.steps.map(step).filter(Boolean),
  ];
}

/** A line of the trace that is not shown elsewhere, with a name. */
function step(text) {
  if (/^(decoded as|document type|framework|no known framework|page type) /.test(`${text} `)) return null;
  const [, judge] = /^blocks judged by (.*)/.exec(text) ?? [];
  if (judge) return ["Judge", judge];
  if (/site rule/.test(text)) return ["Site rule", text.replace(/^(no )?site rule ?/, "") || "none"];
  return [/nodes, .*blocks$/.test(text) ? "Size" : "Step", text];
}

function metadata(values) {
  return Object.entries(values).filter(([name, value]) => name !== "sources" && value && value.length).map(([name, value]) =>
    [name.replace("_", " "), Array.isArray(value) ? value.join(", ") : value, values.sources[name] ? `from ${values.sources[name]}` : null]);
}

function candidate(attempt) {
  const { candidate: { tier, rule_id: rule, evidence }, blocks, checks: list, score, outcome } = attempt;
  const won = outcome === "won";
  const failed = list.filter((check) => !check.passed).map((check) => `${check.name} ${round3(check.value)} (limit ${round3(check.limit)})`);
  return h("li", {}, h("button", { type: "button", class: `card ${won ? "won" : ""}`, disabled: !blocks.length, onclick: () => showPlace(blocks), title: blocks.length ? "Show its blocks" : "" },
    h("span", { class: "line" }, h("b", {}, tier.replace("_", " ")), h("code", {}, rule), h("span", { class: "score" }, score.toFixed(2))),
    h("span", { class: "bar" }, h("i", { "--share": width(score) })),
    h("span", { class: "outcome" }, `${won ? "Won" : outcome} · ${evidence}`),
    failed.length && !outcome.startsWith("failed") ? h("span", { class: "outcome" }, failed.join("; ")) : null));
}

function removals(list) {
  const groups = Map.groupBy(list, (removal) => `${removal.step} ${removal.rule_id}`);
  return [...groups.values()].map((group) => {
    const one = new Set(group.map((removal) => removal.reason)).size === 1;
    return h("details", { class: "rule", open: group.length <= 2 && groups.size <= 8 },
      h("summary", {}, h("code", {}, group[0].rule_id), " ", h("span", {}, `${one ? `${group[0].reason} · ` : ""}${plural(group.length, "place")}`)),
      h("ul", { class: "places" }, group.map((removal) => h("li", {},
        h("button", { type: "button", onclick: () => showPlace(removal.blocks), disabled: !removal.blocks.length },
          h("span", {}, `“${removal.words}”`), h("code", {}, removal.place + (one ? "" : `  ·  ${removal.reason}`)))))));
  });
}

const round3 = (value) => Number(value.toPrecision(3)).toLocaleString("en");
function checks(list) {
  if (!list.length) return null;
  return h("table", { class: "checks" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Check"), h("th", { scope: "col" }, "Value"), h("th", { scope: "col" }, "Limit"), h("th", { scope: "col" }, h("span", { class: "unseen" }, "Passed")))),
    h("tbody", {}, list.map((check) => h("tr", {}, h("td", {}, check.name.replaceAll("_", " ")), h("td", {}, round3(check.value)), h("td", {}, round3(check.limit)),
      h("td", { class: check.passed ? "pass" : "fail" }, check.passed ? "passed" : "failed")))));
}

/* Copy what is shown */

byId("copy").addEventListener("click", async () => {
  const tab = document.querySelector("#pane-result [role=tab][aria-selected=true]");
  const name = tab.id.replace("tab-", "");
  const text = byId(`out-${name === "preview" ? "markdown" : name}`).textContent;
  try {
    await navigator.clipboard.writeText(text);
    byId("copy").textContent = "Copied";
  } catch {
    byId("copy").textContent = "Not allowed";
  }
  setTimeout(() => { byId("copy").textContent = "Copy"; }, 1500);
});

/* An address in the fragment is filled in, not read: who follows a link should still decide. A page of the corpus that the
   server was started with is this machine's own, and read at once. */
function useFragment() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (given.has("url")) byId("url").value = given.get("url").slice(0, 2000);
  const id = given.get("page");
  if (id) read(`page ${id}`, () => ask(`/corpus/${encodeURIComponent(id)}?${wishes()}`));
}
addEventListener("hashchange", useFragment);
useFragment();
