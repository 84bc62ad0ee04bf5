// The inspector's page. Each part of it is a module, and hears of a new inspection by itself.

import { byId } from "./dom.js";
import "./theme.js";
import { showPanel, tabList } from "./tabs.js";
import "./summary.js";
import "./block.js"; // Before the tree: rows come to rest above the block.
import "./filter.js";
import "./tree.js";
import { showSelected } from "./frames.js";
import "./result.js";
import "./cards.js";
import "./trace.js";
import "./search.js";
import "./compare.js";
import "./pick.js";
import "./rule.js";
import "./case.js";
import "./source.js";

tabList(byId("tab-structure").parentElement, (tab, tabs) => {
  showPanel(tab, tabs);
  showSelected();
});
tabList(byId("tab-trace").parentElement, showPanel);
