// Requests to the server, with its token if it has one.

import { byId } from "./dom.js";

export async function ask(path, init = {}) {
  const headers = new Headers(init.headers);
  const token = sessionStorage.getItem("duramen-token");
  if (token) headers.set("Authorization", `Bearer ${token}`);
  const response = await fetch(path, { ...init, headers });
  if (response.status === 401 && (await askForToken())) return ask(path, init);
  const data = await response.json();
  if (!response.ok) {
    const errors = (data.errors ?? []).map((error) => `${error.name} ${error.detail}`);
    throw new Error([data.detail, ...errors].join(" "));
  }
  return data;
}

function askForToken() {
  const dialog = byId("ask");
  byId("token").value = "";
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      const given = byId("token").value.trim();
      if (dialog.returnValue === "ok" && given) sessionStorage.setItem("duramen-token", given);
      resolve(dialog.returnValue === "ok" && given !== "");
    }, { once: true });
  });
}

/** An action of the workbench on a page that is sent along. */
export const workbench = (action, page, values = {}) => post(`/workbench/${action}`, { ...page, ...values });

export const post = (path, body) =>
  ask(path, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });

export function say(text, kind = "") {
  const status = byId("status");
  status.className = `status ${kind}`;
  status.textContent = text;
}

export const reasonOf = (error) => (error instanceof TypeError ? "the server does not respond; is it still running?" : error.message);
