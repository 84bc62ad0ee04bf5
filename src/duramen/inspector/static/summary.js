// The summary above the panes.

import { byId, h, percent } from "./dom.js";
import { on } from "./state.js";

on("inspected", ({ data }) => showSummary(data));

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
