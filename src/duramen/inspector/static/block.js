// One block: what became of it, its probability and the evidence.

import { byId, h, percent, plural, width } from "./dom.js";
import { announce, on, select, state } from "./state.js";

on("inspected", () => { byId("block").hidden = true; });
on("selected", ({ number }) => {
  if (number >= 0) showBlock(state.data.blocks[number], state.texts[number]);
  else byId("block").hidden = true;
});

function verdictOn(block) {
  if (block.kept) return `Kept by ${block.rule}`;
  const won = state.data.result.trace.attempts.find((attempt) => attempt.outcome === "won");
  return block.rule === won?.candidate.rule_id ? `Dropped: outside what ${block.rule} chose` : `Dropped by ${block.rule}`;
}

function showBlock(block, text) {
  const strongest = Math.max(...[...block.speaks_for, ...block.speaks_against].map((reason) => Math.abs(reason.weight)), 0.01);
  const reasons = (title, list, kind) => h("div", { class: kind }, h("h4", {}, title),
    list.length ? h("ul", {}, list.map((reason) => h("li", { "--share": width(Math.abs(reason.weight) / strongest) },
      reason.phrase, h("span", {}, `${reason.weight > 0 ? "+" : "−"}${Math.abs(reason.weight).toFixed(1)}`)))) : h("p", {}, "nothing"));
  const section = byId("block");
  section.replaceChildren(...[
    h("div", { class: "block-head" }, h("h3", {}, verdictOn(block)),
      h("button", { type: "button", class: "quiet", "aria-label": "Close the block", onclick: closeBlock }, "✕")),
    h("p", { class: "path" }, block.path),
    h("blockquote", { class: block.kept ? "kept-quote" : "" }, text),
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
  const number = state.selected;
  select(-1);
  announce("closed", number);
}

/** Escape closes the block, here and in the frames. */
export function onEscape(event) {
  if (event.key === "Escape" && !byId("block").hidden && !document.querySelector("dialog[open]")) closeBlock();
}
document.addEventListener("keydown", onEscape);
