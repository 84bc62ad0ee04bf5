// The tree of the page: its elements and blocks, kept or dropped.

import { byId, h, percent, plural, unseen } from "./dom.js";
import { isShown } from "./filter.js";
import { on, select, state } from "./state.js";
import { choosePane } from "./tabs.js";

let rows = [];

on("inspected", ({ data, again }) => showTree(data, again));
on("filtered", (matching) => {
  // What a filter shows is not folded away.
  if (matching) for (const row of rows) if (!row.isBlock && isShown(row.blocks)) row.open = true;
  foldTree();
});
on("selected", ({ number, scroll, focus }) => {
  const row = rows.find((other) => other.block === number);
  for (const other of rows) {
    other.item.setAttribute("aria-selected", other === row);
    other.item.classList.remove("marked");
  }
  if (!row) return;
  reveal(row, scroll);
  if (focus) focusRow(row);
});

on("closed", (number) => {
  const row = rows.find((other) => other.block === number);
  if (row && !byId("view-structure").hidden) focusRow(row);
});

const keyOf = (row) => row.blocks && `${row.label} ${row.depth} ${row.blocks}`;

function showTree({ structure, blocks, left_out: leftOut }, again) {
  const tree = byId("tree");
  const view = byId("view-structure");
  const open = new Map(again ? rows.map((row) => [keyOf(row), row.open]) : []);
  const top = again ? view.scrollTop : 0;
  rows = structure.map((row, index) => {
    const isBlock = row.block !== undefined;
    const item = isBlock ? blockRow(blocks[row.block], row) : elementRow(row);
    item.dataset.index = index;
    return { ...row, item, isBlock, open: isBlock ? undefined : open.get(keyOf(row)) ?? opensAtFirst(row) };
  });
  tree.replaceChildren(...rows.map((row) => row.item));
  if (leftOut) tree.append(h("li", { class: "row", role: "none" }, `${plural(leftOut, "block")} more are not shown.`));
  foldTree();
  if (rows.length) rows[0].item.tabIndex = 0;
  view.scrollTop = top;
}

const opensAtFirst = (row) => row.state !== "dropped" || row.blocks[1] - row.blocks[0] <= 3;

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

/** Hide the descendants of a closed row, and what the filter leaves out. */
function foldTree() {
  let closedAt = Infinity;
  for (const row of rows) {
    if (row.depth <= closedAt) closedAt = Infinity;
    row.item.hidden = row.depth > closedAt || !isShown(row.isBlock ? [row.block, row.block + 1] : row.blocks);
    if (!row.isBlock) {
      row.item.setAttribute("aria-expanded", row.open);
      if (!row.open && closedAt === Infinity) closedAt = row.depth;
    }
  }
  // The one row that the Tab key reaches has to be in sight.
  const current = rows.find((row) => row.item.tabIndex === 0);
  const first = rows.find((row) => !row.item.hidden);
  if (current?.item.hidden && first) {
    current.item.tabIndex = -1;
    first.item.tabIndex = 0;
  }
}

function focusRow(row) {
  for (const other of rows) other.item.tabIndex = other === row ? 0 : -1;
  row.item.focus();
}

const rowOf = (item) => rows[Number(item?.dataset.index)];
byId("tree").addEventListener("click", (event) => {
  const row = rowOf(event.target.closest(".row"));
  if (!row) return;
  focusRow(row);
  useRow(row);
});
function useRow(row) {
  if (row.isBlock) return select(row.block, { scroll: false });
  row.open = !row.open;
  foldTree();
}
byId("tree").addEventListener("keydown", (event) => {
  const row = rowOf(document.activeElement);
  if (!row) return;
  const seen = rows.filter((other) => !other.item.hidden);
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

/** Open the ancestors of a row, and scroll to it. */
function reveal(row, scroll) {
  let depth = row.depth;
  for (let i = rows.indexOf(row) - 1; i >= 0 && depth > 0; i -= 1) {
    if (rows[i].depth < depth) {
      depth = rows[i].depth;
      rows[i].open = true;
    }
  }
  foldTree();
  row.item.scrollIntoView({ block: scroll ? "center" : "nearest" });
}

/** Mark some blocks, beside the one that is selected. */
export function mark(ranges) {
  for (const row of rows) {
    const inside = row.isBlock && ranges.some(([start, stop]) => row.block >= start && row.block < stop);
    row.item.classList.toggle("marked", inside && row.block !== state.selected);
  }
}

/** Mark the blocks that a search found. */
export function markFound(found) {
  for (const row of rows) if (row.isBlock) row.item.classList.toggle("found", found.has(row.block));
}

/** Show some blocks: the first one is selected, all of them are marked. */
export function showPlace(ranges) {
  if (!ranges.length) return;
  choosePane(byId("to-page"));
  select(ranges[0][0], { focus: byId("tab-structure").getAttribute("aria-selected") === "true" });
  mark(ranges);
}
