// The switches for the engine's options: what they are set to, as the server and a link have it.

import { byId } from "./dom.js";

/** Ids of the switches, which are the names of the options; with their defaults. */
const DEFAULTS = {
  mode: "balanced", strategy: "auto", comments: false, visible_only: false, links: true, images: true, captions: false,
  keep_classes: false, nofollow: false, front_matter: false, title_heading: false, encoding: "", render: "",
};

const valueOf = (element) => (element.type === "checkbox" ? element.checked : element.value.trim());

/** All options that are not at their default. */
export function chosen() {
  const all = Object.keys(DEFAULTS).map((name) => [name, valueOf(byId(name))]);
  return Object.fromEntries(all.filter(([name, value]) => value !== DEFAULTS[name]));
}

/** The same for HTML that is sent as text: it has no encoding, and is not rendered. */
export function chosenForText() {
  const { encoding, render, ...rest } = chosen();
  return rest;
}

/** Set the switches from a link's values; unknown ones are left out. */
export function choose(given) {
  for (const [name, usual] of Object.entries(DEFAULTS)) {
    const element = byId(name);
    const value = given.get(name);
    if (element.type === "checkbox") element.checked = value === null ? usual : value === "true";
    else if (element.tagName !== "SELECT") element.value = (value ?? usual).slice(0, 40);
    else element.value = [...element.options].some((option) => option.value === value) ? value : usual;
  }
  countChanged();
}

function countChanged() {
  const count = Object.keys(chosen()).filter((name) => byId("switches").contains(byId(name))).length;
  byId("switches-changed").textContent = count ? `${count} changed` : "";
}

/** Call a function when a switch is changed, with the name of its option. */
export function onChange(listener) {
  for (const name of Object.keys(DEFAULTS)) {
    byId(name).addEventListener("change", () => {
      countChanged();
      listener(name);
    });
  }
}
