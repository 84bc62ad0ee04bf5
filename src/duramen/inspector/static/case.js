// The page as a regression case: the page, the options, and what has to come out.

import { byId, download } from "./dom.js";
import { fileName } from "./result.js";
import { ask, reasonOf, workbench } from "./server.js";
import { sentPage } from "./source.js";
import { on, state } from "./state.js";

const expected = byId("case-expected");
/** Whether somebody wrote the expectation; until then it is what comes out, with the drafted rule if there is one. */
let isWritten = false;
function fill() {
  expected.value = state.data.result.markdown;
  isWritten = false;
}

expected.addEventListener("input", () => { isWritten = true; });
on("inspected", ({ again }) => {
  if (!again || !isWritten) fill();
  if (again) return;
  byId("case-name").value = fileName().normalize("NFKD").replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 50);
  byId("case-why").value = "";
  byId("case-told").textContent = "";
});
byId("case-fill").addEventListener("click", () => {
  fill();
  tell("The result as it is now is the expectation.");
});

const tell = (words) => { byId("case-told").textContent = words; };

async function make(save) {
  const page = sentPage();
  if (!page) return tell("Only pages of HTML can be saved.");
  const values = { name: byId("case-name").value.trim(), why: byId("case-why").value.trim(), expected: expected.value };
  try {
    const made = await workbench("case", page, { ...values, save, replace: save && byId("case-replace").checked });
    if (save) return tell(`Saved: ${made.saved}`);
    download(`${values.name}.zip`, Uint8Array.from(atob(made.zip), (character) => character.charCodeAt(0)), "application/zip");
    tell(`${values.name}.zip has the page, the options and the expectation.`);
  } catch (error) {
    tell(`Not done: ${reasonOf(error)}`);
  }
}
byId("case-save").addEventListener("click", () => make(true));
byId("case-download").addEventListener("click", () => make(false));
byId("case-form").addEventListener("submit", (event) => event.preventDefault());

/** Whether the server may save files; known after the first page, since it may need the token. */
let known = false;
on("inspected", async () => {
  if (known) return;
  known = true;
  const { saves } = await ask("/workbench").catch(() => ({ saves: false }));
  for (const part of document.querySelectorAll(".saves")) part.hidden = !saves;
  for (const part of document.querySelectorAll(".saves-not")) part.hidden = saves;
});
