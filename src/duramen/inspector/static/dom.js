// Elements and texts. Text of a page is only ever set as text.

export const byId = (id) => document.getElementById(id);

/** An element: h("p", { class: "x" }, "text", child). Properties beginning with "on" are listeners. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) element.style.setProperty(name, value);
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export const percent = (share) => `${Math.round(100 * share)} %`;
export const width = (share) => `${100 * Math.min(1, Math.max(0, share))}%`;
export const plural = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** Words for those who hear a row instead of seeing its colours. */
export const unseen = (text) => h("span", { class: "unseen" }, text);

/** A message for a moment on a button that was pressed. */
export function flash(button, text) {
  const before = button.dataset.label ?? button.textContent;
  button.dataset.label = before;
  button.textContent = text;
  clearTimeout(Number(button.dataset.timer));
  button.dataset.timer = setTimeout(() => { button.textContent = before; }, 1500);
}

export async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    flash(button, "Copied");
  } catch {
    flash(button, "Not allowed");
  }
}

/** A file of this page's own making, saved by the browser. */
export function download(name, content, type) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
