// A link to what is shown: the page's URL and the options, after the # of this page's address.

import { byId, copy } from "./dom.js";
import { choose, chosen } from "./options.js";
import { say } from "./server.js";

const MOST = 2000;
const button = byId("link");
let current = null;

/** Write the page and the options into the address. Pasted and opened pages have no link. */
export function writeLink(fragment) {
  current = fragment;
  button.disabled = !fragment;
  button.title = fragment ? "" : "Pasted and opened pages have no link; save them as a case.";
  history.replaceState(null, "", fragment ? `#${new URLSearchParams({ ...fragment, ...chosen() })}` : location.pathname);
}
button.addEventListener("click", () => { if (current) copy(location.href, button); });

/** Use the link that this page was opened with. A URL in it is filled in, but not read: whoever follows a link should
    still decide. A page of the corpus and the example are this machine's own, and read at once. */
export function useLink({ readCorpus, readExample }) {
  const use = () => {
    const given = new URLSearchParams(location.hash.slice(1));
    if (![...given].length) return;
    choose(given);
    const url = given.get("url");
    if (given.get("page")) readCorpus(given.get("page"));
    else if (given.get("example")) readExample();
    else if (url) {
      byId("url").value = url.slice(0, MOST);
      say("The link names this page and its options. Press Read to fetch it.");
    }
  };
  addEventListener("hashchange", use);
  use();
}
