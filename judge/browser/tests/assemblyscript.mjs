// Builds sources in AssemblyScript as the page does: `node assemblyscript.mjs ENGINE.wasm SITE SOURCE…`
// prints the hash of each module, or the errors. SITE is a folder of `judge page --assemblyscript`.
import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { compile } from "../grade/compile.js";
import { Engine } from "../grade/engine.js";

const [compiled, site, ...sources] = process.argv.slice(2);
const engine = new Engine(new WebAssembly.Module(readFileSync(compiled)));
const data = JSON.parse(readFileSync(`${site}/assemblyscript/compiler.json`, "utf8"));
const asc = await import(pathToFileURL(resolve(site, "assemblyscript/asc.js")));

async function build(path) {
  const [file, text] = [basename(path), readFileSync(path, "utf8")];
  const { output, errors } = await compile(asc, data, file, text);
  if (!output) return { errors };
  const { sha256, refused } = engine.do({ do: "compiled", file, text }, output);
  return { sha256, refused };
}

const built = [];
for (const source of sources) built.push(await build(source));
process.stdout.write(JSON.stringify(built));
