// Lists of tabs, with arrow keys as in every other one; and the panes that narrow screens show one at a time.

import { byId } from "./dom.js";

export function tabList(list, choose) {
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
export const showPanel = (tab, tabs) => tabs.forEach((other) => { panelOf(other).hidden = other !== tab; });
const showPane = (tab, tabs) => tabs.forEach((other) => panelOf(other).classList.toggle("current", other === tab));
export const choosePane = tabList(byId("switch"), showPane);
choosePane(byId("to-page"));
