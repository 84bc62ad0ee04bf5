// Extractors that run on node, by the protocol of peers.py: node peers.mjs NAME < jobs
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const name = process.argv[2];
const require = createRequire(pathToFileURL(join(process.env.PEERS_NODE ?? process.cwd(), "x.js")));
let page;
try {
  const { parseHTML } = require("linkedom");
  page = (html) => parseHTML(html).document;
} catch {
  const { JSDOM, VirtualConsole } = require("jsdom");
  page = (html, url) => new JSDOM(html, { url, virtualConsole: new VirtualConsole() }).window.document;
}
const version = (name) => {
  let folder = require.resolve(name);
  const at = join("node_modules", ...name.split("/"));
  folder = folder.slice(0, folder.lastIndexOf(at) + at.length);
  return JSON.parse(readFileSync(join(folder, "package.json"))).version;
};
const systems = {
  Readability: () => {
    const { Readability } = require("@mozilla/readability");
    const extract = (html, url) => new Readability(page(html, url)).parse()?.textContent ?? "";
    return [extract, version("@mozilla/readability")];
  },
  Defuddle: () => {
    // Its form for node is exported to imports only, and those are not looked up where npm was told to install.
    const { Defuddle } = require(join(process.env.PEERS_NODE ?? process.cwd(), "node_modules/defuddle/dist/node.js"));
    const extract = async (html, url) => {
      const { content } = await Defuddle(page(html, url), url);
      return page(`<html><body>${content ?? ""}</body></html>`, url).body.textContent ?? "";
    };
    return [extract, version("defuddle")];
  },
};
const [extract, number] = systems[name]();
console.log(JSON.stringify({ version: number }));
const tell = console.log;
console.log = console.warn = console.error = () => {};
for await (const line of createInterface({ input: process.stdin })) {
  const job = JSON.parse(line);
  const raw = gunzipSync(readFileSync(job.path));
  const answer = { text: "" };
  const before = process.cpuUsage();
  try {
    let html;
    try {
      html = new TextDecoder("utf-8", { fatal: true }).decode(raw);
    } catch {
      html = new TextDecoder("windows-1252").decode(raw);
    }
    answer.text = String(await extract(html, job.url ?? "https://example.org/"));
  } catch (error) {
    answer.error = String(error).slice(0, 200);
  }
  const used = process.cpuUsage(before);
  answer.cpu = (used.user + used.system) / 1e6;
  tell(JSON.stringify(answer));
}
// Not maxRSS where there is another way: it begins with that of the process that started this one.
let memory = process.resourceUsage().maxRSS * 1024;
try {
  memory = Number(/VmHWM:\s*(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]) * 1024;
} catch {}
tell(JSON.stringify({ memory }));
