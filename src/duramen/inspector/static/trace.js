// The trace: all decisions in order. What it names leads to its place in the page.

import { byId, h, percent, plural, width } from "./dom.js";
import { on } from "./state.js";
import { showPlace } from "./tree.js";

on("inspected", ({ data, again }) => showStory(data, again));

function showStory({ result }, again) {
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
  if (!again) byId("story").scrollTop = 0;
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
    h("span", { class: "line" }, h("b", {}, tier.replace("_", " ")), h("code", {}, rule), h("span", { class: "score" }, score.toFixed(3))),
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
