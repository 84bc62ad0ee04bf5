// A site rule, drafted by choosing elements: the result changes with every choice. Then it is checked, saved, downloaded.

import { byId, copy, download, h, plural } from "./dom.js";
import { onPick } from "./pick.js";
import { post, reasonOf, say, workbench } from "./server.js";
import { read, sentPage } from "./source.js";
import { announce, on, state } from "./state.js";

const form = byId("rule-form");
/** The lists of selectors: where each is in the rule's file, and its name here. */
const LISTS = {
  content: ["content", "primary", "Content"], remove: ["content", "remove", "Removed from it"], keep: ["content", "keep", "Kept in it"],
  title: ["metadata", "title", "Title"], author: ["metadata", "author", "Author"], published: ["metadata", "published", "Date"],
};
let text = "";
let timer = 0;
/** Whether somebody wrote the expectations; until then they follow the result. */
let isExpected = false;
/** The draft's thresholds: content that is too short for them lowers them, and other content later may not be. */
let thresholds;

on("inspected", ({ data, again }) => {
  if (!again) show();
  if (data.rule) showOutcome(data);
});
on("options", () => tryRule(0));
onPick((role, selector) => {
  const values = listOf(role);
  if (values.includes(selector)) return tell(`${selector} is already there.`);
  // There is one title; the newest choice is tried first. Content is what was chosen first, and what is added to it.
  values[role === "content" || role === "remove" || role === "keep" ? "push" : "unshift"](selector);
  changed();
  tell(`${selector} was added to ${LISTS[role][2].toLowerCase()}.`);
});

const tell = (words) => { byId("rule-told").textContent = words; };
function listOf(role) {
  const [table, key] = LISTS[role];
  state.rule[table] ??= {};
  return (state.rule[table][key] ??= []);
}
const currentCase = () => state.rule.case.find((one) => one.url === state.url) ?? state.rule.case[0];

/** The rule as the server gets it: without empty tables and lists that the file need not have. */
function cleaned() {
  const rule = structuredClone(state.rule);
  for (const [table, values] of Object.entries(rule)) {
    if (Array.isArray(values) || typeof values !== "object") continue;
    for (const [key, list] of Object.entries(values)) if (Array.isArray(list) && !list.length && key !== "remove") delete values[key];
    if (!Object.keys(values).length) delete rule[table];
  }
  return rule;
}

byId("rule-draft").addEventListener("click", async () => {
  const page = sentPage();
  if (!page) return tell("Rules are for pages of HTML only.");
  if (!page.url) return tell("A rule is for a site: give the page its address first, in the form at the top.");
  tell("Drafting …");
  try {
    const made = await workbench("draft", page);
    state.rule = made.rule;
    thresholds = made.rule.thresholds;
    tell(made.notes.join(" "));
    show();
    announce("drafting");
    byId("rule-heading").focus();
    await tryRule(0);
  } catch (error) {
    tell(`Could not draft a rule: ${reasonOf(error)}`);
  }
});

byId("rule-discard").addEventListener("click", () => {
  state.rule = null;
  const page = sentPage();
  show();
  tell("The draft was discarded.");
  read("the page", () => post("/inspect", page), { again: true });
  byId("rule-draft").focus();
});

function show() {
  form.hidden = !state.rule;
  byId("rule-none").hidden = Boolean(state.rule);
  byId("rule-checks").replaceChildren();
  if (!state.rule) return;
  byId("rule-about").value = state.rule.about;
  byId("rule-id").value = state.rule.id;
  byId("rule-paths").value = (state.rule.paths ?? []).join(" ");
  isExpected = false;
  showCase();
  showLists();
}

function showCase() {
  const own = currentCase();
  byId("rule-contains").value = own.contains.join("\n");
  byId("rule-lacks").value = (own.lacks ?? []).join("\n");
}

function showLists() {
  byId("rule-lists").replaceChildren(...Object.entries(LISTS).flatMap(([role, [, , name]]) => {
    const values = listOf(role);
    if (!values.length && role !== "content") return [];
    return [h("fieldset", { class: `selectors ${role}` }, h("legend", {}, name), values.length ? values.map((selector, index) => h("div", { class: "selector" },
      h("input", { type: "text", value: selector, "aria-label": `${name}: selector ${index + 1}`, spellcheck: "false", onchange: (event) => {
        if (event.target.value.trim()) values[index] = event.target.value.trim();
        else values.splice(index, 1);
        changed();
      } }),
      h("button", { type: "button", class: "quiet", "aria-label": `Remove ${selector}`, onclick: () => {
        values.splice(index, 1);
        changed();
        tell(`${selector} was removed.`);
        byId("rule-heading").focus();
      } }, "✕"))) : h("p", { class: "none" }, "No selector yet: select a block, choose the element around it, and press Content."))];
  }));
}

function changed() {
  showLists();
  byId("rule-checks").replaceChildren();
  tryRule(150);
}

const linesOf = (id) => byId(id).value.split("\n").map((line) => line.trim()).filter(Boolean);
form.addEventListener("change", (event) => {
  if (!["rule-about", "rule-id", "rule-paths", "rule-contains", "rule-lacks"].includes(event.target.id)) return;
  state.rule.about = byId("rule-about").value.trim();
  state.rule.id = byId("rule-id").value.trim();
  const paths = byId("rule-paths").value.split(/\s+/).filter(Boolean);
  if (paths.length) state.rule.paths = paths;
  else delete state.rule.paths;
  isExpected ||= ["rule-contains", "rule-lacks"].includes(event.target.id);
  Object.assign(currentCase(), { contains: linesOf("rule-contains"), lacks: linesOf("rule-lacks") });
  changed();
});
form.addEventListener("submit", (event) => event.preventDefault());

/** Inspect the page with the rule as it is now. */
function tryRule(wait) {
  clearTimeout(timer);
  return new Promise((resolve) => {
    timer = setTimeout(() => {
      const page = sentPage();
      resolve(read("the page with the rule", () => workbench("try", page, { rule: { ...cleaned(), thresholds }, expect: !isExpected }), { again: true }));
    }, wait);
  });
}

function showOutcome({ rule, result }) {
  text = rule.text;
  if (rule.case) {
    state.rule.case = rule.case;
    showCase();
  }
  if (rule.thresholds) state.rule.thresholds = rule.thresholds;
  byId("rule-text").textContent = text;
  const attempt = result.trace.attempts.find((one) => one.candidate.tier === "site_rule");
  const change = `compared with no rule, ${plural(rule.added, "block")} added, ${rule.removed} removed`;
  const lacking = ["title", "author", "published"].filter((role) => {
    const key = role === "author" ? "authors" : role;
    return listOf(role).length && !result.metadata.sources[key]?.startsWith("site rule");
  }).map((role) => LISTS[role][2].toLowerCase());
  const needsContent = !listOf("content").length;
  const words = needsContent ? "The rule needs its content: select a block, choose the element around it, and press Content."
    : rule.faults.length ? "The rule has faults, and was not used:"
    : result.tier === "site_rule" ? `The rule decides: ${change}.`
      : `The rule does not decide: ${attempt ? attempt.outcome : "no selector finds enough words"}.`;
  byId("rule-outcome").className = rule.faults.length || result.tier !== "site_rule" ? "outcome poor" : "outcome good";
  const isLost = attempt?.outcome.startsWith("lost");
  const remarks = needsContent ? [] : isLost ? ["The judge is sure that other blocks are content: select what is none, and press Remove."] : rule.faults.length ? rule.faults
    : lacking.map((name) => `Its selectors find no ${name}: choose a smaller element.`);
  byId("rule-outcome").replaceChildren(words, remarks.length ? h("ul", {}, remarks.map((remark) => h("li", {}, remark))) : "");
  for (const id of ["rule-check", "rule-save", "rule-download"]) byId(id).disabled = rule.faults.length > 0;
}

byId("rule-check").addEventListener("click", async () => {
  const out = byId("rule-checks");
  out.replaceChildren("Checking …");
  try {
    const { passed, requirements } = await workbench("check", sentPage(), { rule: cleaned() });
    out.replaceChildren(h("p", { class: passed ? "outcome good" : "outcome poor" }, passed ? "The rule passes all checks." : "The rule fails."),
      h("ul", { class: "requirements" }, requirements.map((one) => h("li", {},
        h("b", { class: one.passed ? "pass" : "fail" }, one.passed ? "pass" : "fail"), ` ${one.name}: ${one.figure}`,
        one.details.length ? h("ul", {}, one.details.map((detail) => h("li", {}, detail))) : null))));
    out.scrollIntoView({ block: "nearest" });
  } catch (error) {
    out.replaceChildren(h("p", { class: "outcome poor" }, `Could not check the rule: ${reasonOf(error)}`));
  }
});
byId("rule-save").addEventListener("click", async () => {
  try {
    const { saved } = await workbench("save", sentPage(), { rule: cleaned(), replace: byId("rule-replace").checked });
    tell(`Saved: ${saved}`);
    say(`The rule was saved: ${saved}`);
  } catch (error) {
    tell(`Not saved: ${reasonOf(error)}`);
  }
});
byId("rule-download").addEventListener("click", () => download(`${state.rule.id}.toml`, text, "application/toml;charset=utf-8"));
byId("rule-page").addEventListener("click", () => download(currentCase().page ?? `${state.rule.id}-1.html`, state.data.source, "text/html;charset=utf-8"));
byId("rule-copy").addEventListener("click", (event) => copy(text, event.target));
