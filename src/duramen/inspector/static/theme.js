// Light and dark: as the system prefers, until somebody chooses.

import { byId } from "./dom.js";

export function useTheme(theme) {
  document.documentElement.dataset.theme = theme;
  for (const frame of document.querySelectorAll("iframe")) {
    const root = frame.contentDocument?.documentElement;
    if (root) root.dataset.theme = theme;
  }
}
const darkWanted = matchMedia("(prefers-color-scheme: dark)");
const preferred = () => localStorage.getItem("duramen-theme") ?? (darkWanted.matches ? "dark" : "light");
useTheme(preferred());
darkWanted.addEventListener("change", () => useTheme(preferred()));
byId("theme").addEventListener("click", () => {
  localStorage.setItem("duramen-theme", preferred() === "dark" ? "light" : "dark");
  useTheme(preferred());
});
