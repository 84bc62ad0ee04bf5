// The menus of options and downloads: Escape closes one, and so does a click elsewhere.

const menus = [...document.querySelectorAll("details.menu")];

/** Close a menu, and give the focus back to what opened it. */
export function closeMenu(menu) {
  menu.open = false;
  menu.querySelector("summary").focus();
}

for (const menu of menus) {
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    event.stopPropagation();
    closeMenu(menu);
  });
}
document.addEventListener("click", (event) => {
  for (const menu of menus) if (!menu.contains(event.target)) menu.open = false;
});
