// Which blocks the page's tree and rendering show: all, kept, dropped, or those that one rule decided on.

import { byId, h } from "./dom.js";
import { announce, on, state } from "./state.js";

const choice = byId("filter");
let matching = null;

on("inspected", ({ data, again }) => {
  const before = again ? choice.value : "all";
  const counts = new Map();
  for (const block of data.blocks) {
    const key = `${block.kept ? "kept" : "dropped"}:${block.rule}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const kept = data.blocks.filter((block) => block.kept).length;
  const rules = [...counts].sort((one, two) => two[1] - one[1]);
  const option = (value, text) => h("option", { value }, text);
  choice.replaceChildren(
    option("all", `all blocks (${data.blocks.length})`), option("kept", `kept (${kept})`), option("dropped", `dropped (${data.blocks.length - kept})`),
    h("optgroup", { label: "By what decided" }, rules.map(([key, count]) => option(key, `${key.replace(":", " by ")} (${count})`))),
  );
  choice.value = before;
  if (!choice.value) choice.value = "all";
  update();
});

function update() {
  const [what, ...rule] = choice.value.split(":");
  const fits = (block) => block.kept === (what === "kept") && (!rule.length || block.rule === rule.join(":"));
  matching = what === "all" ? null : new Set(state.data.blocks.flatMap((block, number) => (fits(block) ? [number] : [])));
}

choice.addEventListener("change", () => {
  update();
  announce("filtered", matching);
});

/** Whether any block of a range is shown. */
export function isShown([start, stop]) {
  if (!matching) return true;
  for (let number = start; number < stop; number += 1) if (matching.has(number)) return true;
  return false;
}
