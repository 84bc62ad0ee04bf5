// Two ways to read the same page, side by side: which blocks each keeps, and what else differs.

import { byId, h, plural } from "./dom.js";
import { post, reasonOf } from "./server.js";
import { sentPage } from "./source.js";
import { on, select, state, wholeTexts } from "./state.js";

const SIDES = ["a", "b"];
const section = byId("comparison");
let round = 0;

const NAMES = { mode: "mode", strategy: "strategy", comments: "comments", visible_only: "visible text only" };

byId("compare").addEventListener("click", () => open(section.hidden));
byId("compare-close").addEventListener("click", () => open(false));
section.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  event.stopPropagation(); // The selected block stays.
  open(false);
});
function open(isOpen) {
  section.hidden = !isOpen;
  byId("panes").hidden = isOpen;
  byId("switch").hidden = isOpen;
  byId("compare").setAttribute("aria-expanded", isOpen);
  if (!isOpen) return byId("compare").focus();
  for (const name of Object.keys(NAMES)) {
    const current = byId(name);
    for (const side of SIDES) {
      const own = byId(`${side}-${name}`);
      if (own.type === "checkbox") own.checked = current.checked;
      else own.value = current.value;
    }
  }
  byId("b-mode").value = byId("mode").value === "recall" ? "precision" : "recall";
  byId("comparison-title").focus();
  compare();
}
on("inspected", ({ again }) => { if (!section.hidden) { if (again) compare(); else open(false); } });

function optionsOf(side, page) {
  const own = Object.keys(NAMES).map((name) => [name, byId(`${side}-${name}`)]);
  return { ...page.options, ...Object.fromEntries(own.map(([name, element]) => [name, element.type === "checkbox" ? element.checked : element.value])) };
}

async function compare() {
  const page = sentPage();
  const out = byId("comparison-result");
  if (!page) return out.replaceChildren(h("p", {}, "Only pages of HTML can be compared."));
  const mine = ++round;
  byId("comparison-status").textContent = "Comparing …";
  try {
    const both = await Promise.all(SIDES.map((side) => post("/inspect", { ...page, options: optionsOf(side, page) })));
    if (mine === round) show(both);
  } catch (error) {
    if (mine === round) byId("comparison-status").textContent = `Could not compare: ${reasonOf(error)}`;
  }
}
for (const side of SIDES) for (const name of Object.keys(NAMES)) byId(`${side}-${name}`).addEventListener("change", compare);
byId("only-differences").addEventListener("change", (event) => section.classList.toggle("differences", event.target.checked));

function facts({ result, blocks }) {
  const kept = blocks.filter((block) => block.kept);
  return [
    ["Verdict", result.quality.verdict], ["Expected F1", result.quality.score.toFixed(2)], ["Page type", result.page_type.type],
    ["Found by", (result.tier ?? "nothing").replace("_", " ")], ["Blocks kept", kept.length],
    ["Words kept", kept.reduce((sum, block) => sum + block.words, 0)], ["Title", result.title ?? "none"],
    ["Authors", result.metadata.authors.join(", ") || "none"], ["Published", result.metadata.published?.slice(0, 10) ?? "none"],
  ];
}

function show(both) {
  const [a, b] = both.map(facts);
  const table = h("table", { class: "checks" }, h("thead", {}, h("tr", {}, ["", "A", "B"].map((name) => h("th", { scope: "col" }, name || h("span", { class: "unseen" }, "Value"))))),
    h("tbody", {}, a.map(([name, value], index) => h("tr", { class: value === b[index][1] ? "" : "differs" },
      h("th", { scope: "row" }, name), h("td", {}, value), h("td", {}, b[index][1])))));
  // Hidden text that one side leaves out has no block there: then blocks are compared by their text.
  const texts = both.map(wholeTexts);
  const rows = texts[0].length === texts[1].length ? byNumber(both, texts) : byText(both, texts);
  const count = (kind) => rows.filter((row) => row.kind === kind).length;
  byId("comparison-result").replaceChildren(table, h("ol", { class: "sides", "aria-label": "Blocks that at least one of them keeps" },
    rows.map((row) => h("li", { class: row.kind }, h("button", { type: "button", disabled: row.number === null, onclick: () => leave(row.number) },
      h("span", { class: "who" }, { both: "both", a: "only A", b: "only B" }[row.kind]), h("span", { class: "said" }, row.text))))));
  const texted = both.some(({ result, blocks }) => result.text && !blocks.some((block) => block.kept));
  byId("comparison-status").textContent = `${plural(count("both"), "block")} in both, ${count("a")} only in A, ${count("b")} only in B.`
    + (texted ? " Content that comes from the page's data is not in any block." : "");
}

const kindOf = (inA, inB) => (inA && inB ? "both" : inA ? "a" : inB ? "b" : null);

function byNumber(both, texts) {
  return texts[0].map((text, number) => ({ text, number, kind: kindOf(both[0].blocks[number].kept, both[1].blocks[number].kept) })).filter((row) => row.kind);
}

function byText(both, texts) {
  const kept = both.map(({ blocks }, side) => new Set(texts[side].filter((_, number) => blocks[number].kept)));
  const all = new Set([...kept[0], ...kept[1]]);
  return [...all].map((text) => ({ text, number: state.texts.indexOf(text), kind: kindOf(kept[0].has(text), kept[1].has(text)) }))
    .map((row) => (row.number < 0 ? { ...row, number: null } : row));
}

/** Back to the panes, with a block selected. */
function leave(number) {
  open(false);
  select(number, { focus: true });
}
