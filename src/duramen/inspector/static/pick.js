// The elements around the selected block: which of them a site rule should name, and as what.

import { byId, h, plural } from "./dom.js";
import { mark } from "./tree.js";
import { reasonOf, workbench } from "./server.js";
import { sentPage } from "./source.js";
import { on, state } from "./state.js";

const list = byId("picked");
let use = () => {};
let round = 0;
let shown = -1;

/** Call a function with what was picked: its role and its selector. */
export const onPick = (listener) => { use = listener; };
const own = h("input", { type: "radio", name: "element", value: "", "aria-label": "A selector of your own" });
byId("roles").before(h("div", { class: "choice" }, own, h("input", {
  type: "text", class: "written", placeholder: "or write a selector", "aria-label": "Selector", spellcheck: "false", autocomplete: "off",
  oninput: (event) => {
    own.value = event.target.value.trim();
    own.checked = true;
    mark([]);
    enable();
  },
})));
const chosen = () => document.querySelector("input[name=element]:checked")?.value;
function enable() {
  for (const button of byId("roles").children) button.disabled = !chosen();
}
const ROLES = [["content", "Content"], ["remove", "Remove"], ["keep", "Keep"], ["title", "Title"], ["author", "Author"], ["published", "Date"]];

for (const [role, name] of ROLES) {
  byId("roles").append(h("button", { type: "button", class: `role ${role}`, disabled: true, onclick: () => {
    const selector = chosen();
    if (selector) use(role, selector);
  } }, name));
}

on("selected", ({ number }) => show(number));
on("drafting", () => show(state.selected));

async function show(number) {
  const mine = ++round;
  if (!state.rule) return;
  // While its elements are looked up, the buttons stay as they are: one of them may have the focus.
  if (number < 0) {
    list.replaceChildren(h("p", { class: "none" }, "Select a block in the page or in the result: click it, or press Enter on it."));
    return enable();
  }
  try {
    const { elements } = await workbench("elements", sentPage(), { block: number });
    if (mine !== round) return;
    const before = number === shown ? chosen() : null;
    shown = number;
    list.replaceChildren(...elements.flatMap(choices));
    const inputs = [...list.querySelectorAll("input")];
    // The block's element, unless it shows other blocks, too: then what is inside the block.
    const best = inputs.find((input) => input.value === before) ?? inputs.find((input) => input.dataset.role === "own" && !("more" in input.dataset)) ?? inputs[0];
    if (best) best.checked = true;
    else list.prepend(h("p", { class: "none" }, "No selector finds this element."));
    enable();
  } catch (error) {
    if (mine === round) list.replaceChildren(h("p", { class: "none" }, `Could not find its elements: ${reasonOf(error)}`));
  }
}

function choices({ label, text, role, more, selectors }) {
  return selectors.map(({ selector, count, blocks, stable }) => h("label", { class: "choice", onmouseenter: () => mark(blocks), onmouseleave: () => mark([]) },
    h("input", { type: "radio", name: "element", value: selector, "data-role": role, "data-more": more, onfocus: () => mark(blocks), onchange: () => mark(blocks) }),
    h("span", {}, h("code", {}, selector), h("small", {}, [
      role === "inside" ? "inside" : null, count === 1 ? null : `finds ${plural(count, "element")}`, stable ? null : selector.includes(">") ? "by its place" : "a name that may change",
    ].filter(Boolean).join(", ")), h("span", { class: "begins" }, label === text ? "" : `“${text}”`))));
}
