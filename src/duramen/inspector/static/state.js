// What is inspected now, and news of it: the modules of the page hear of changes here, and do not call each other.

/** data: the inspection. texts: the whole text of every block. rule: the drafted site rule, as its file has it. */
export const state = { data: null, texts: [], selected: -1, rule: null, url: null, name: "page" };

const listeners = new Map();

/** Call a function with what was announced. */
export function on(event, listener) {
  listeners.set(event, [...(listeners.get(event) ?? []), listener]);
}

/** "inspected": there is a new inspection. "selected": a block was; "closed": it is not any more. "filtered": other blocks
    are shown. "options": an option was changed while a rule is drafted. "drafting": a rule was begun. "viewed":
    another format of the result is shown. */
export function announce(event, detail) {
  for (const listener of listeners.get(event) ?? []) listener(detail);
}

export function select(number, how = {}) {
  if (number >= 0 && !state.data?.blocks[number]) return;
  state.selected = number;
  announce("selected", { number, scroll: true, focus: false, ...how });
}

/** Show an inspection. With `again`, it is the same page as before: what is selected and unfolded stays. */
export function inspected(data, { again = false } = {}) {
  state.data = data;
  state.texts = wholeTexts(data);
  if (!again || !data.blocks[state.selected]) state.selected = -1;
  announce("inspected", { data, again });
  if (state.selected >= 0) select(state.selected, { scroll: false });
}

/** The text of each block; in the list of blocks it is cut. The rendering is sanitized, and is not put in a document. */
export function wholeTexts(data) {
  const texts = data.blocks.map(() => "");
  const page = new DOMParser().parseFromString(data.rendering, "text/html");
  let gap = "";
  for (const piece of page.querySelectorAll("br, .kept, .dropped")) {
    const number = blockOf(piece);
    if (number >= 0 && number < texts.length) texts[number] += gap + piece.textContent;
    gap = piece.localName === "br" ? " " : "";
  }
  return texts.map((text, number) => text.replace(/\s+/g, " ").trim() || data.blocks[number].text);
}

/** The number of the block that a piece of the rendering belongs to. */
export const blockOf = (piece) => Number(/(?:^| )b(\d+)(?: |$)/.exec(piece?.className ?? "")?.[1] ?? -1);
