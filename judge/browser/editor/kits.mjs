// The names of the kits for JavaScript, Python and AssemblyScript with their help, for completions in the editor:
// `node kits.mjs SDK` reads the kits' own files and prints JSON.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const GAMES = ["agamemnon", "amazons", "cc", "mahjong", "patchwork"];

// Names of a module or members of a class: { label, type, detail, info }.
const entry = (label, type, detail, info) => ({ label, type, detail, info });

// A comment's text without its tags and line marks, up to an empty line.
function help(comment = "") {
  const lines = comment.split("\n").map((line) => line.replace(/^\s*(\*|#)?\s?/, "").trim());
  const text = lines.join("\n").split(/(?:^|\s)@\w/)[0].trim().split("\n\n")[0];
  return text.replaceAll("\n", " ").trim();
}

const isConstant = (name) => /^[A-Z][A-Z\d_]*$/.test(name);

// What a kit has: `names` of a module by its path, and `members` of classes in all files that it refers
// to. `read` takes a file apart.
function collect(path, read, known = new Map()) {
  if (known.has(path)) return known.get(path);
  const file = read(path);
  const found = { names: new Map(file.names.map((one) => [one.label, one])), members: { ...file.members } };
  known.set(path, found);
  for (const { from, names } of file.references) {
    const other = collect(from, read, known);
    for (const [name, members] of Object.entries(other.members)) found.members[name] ??= members;
    for (const name of names) {
      if (other.names.has(name)) found.names.set(name, other.names.get(name));
    }
  }
  return found;
}

const COMMENT = String.raw`(?:/\*\*((?:(?!\*/)[^])*)\*/\s*)?`;

// The names of parameters: those of the comment, or else as they are written.
function parameters(comment = "", written = "") {
  const told = [...comment.matchAll(/@param\s+\{(?:[^{}]|\{[^{}]*\})*\}\s+(\w+)/g)].map(([, name]) => name);
  const plain = [...written.matchAll(/(?:^|, )(?:\.\.\.)?(\w+)\??:/g)].map(([, name]) => name);
  return `(${(told.length ? told : plain).join(", ")})`;
}

function membersOfJavaScript(body) {
  const member = new RegExp(String.raw`${COMMENT}\n? {4}(\w+)(<\w+>)?(?:\(([^)]*)\)|\??: (\([^)]*\) =>)?)`, "g");
  return [...body.matchAll(member)]
    .filter(([, , name]) => name !== "constructor")
    .map(([, comment, name, , written, method]) => {
      const isMethod = written !== undefined || method !== undefined;
      const detail = isMethod ? parameters(comment, written ?? method.slice(1)) : "";
      return entry(name, isMethod ? "method" : "property", detail, help(comment));
    });
}

function readJavaScript(path) {
  const text = readFileSync(path, "utf8");
  const all = (pattern) => [...text.matchAll(new RegExp(pattern, "g"))];
  const names = all(String.raw`${COMMENT}export declare (function|const|class) (\w+)(?:<[^>]*>)?(?:\(((?:[^()]|\([^()]*\))*)\))?`);
  const classes = all(String.raw`export (?:declare class|type) (\w+)(?:<[^>]*>)? (?:= )?\{\n((?:(?!\n\};?\n)[^])*)\n\};?\n`);
  const exports = all(String.raw`export \{([^}]*)\} from '([^']*)'`);
  const imports = all(String.raw`import\(['"]([^'"]*)['"]\)`);
  const at = (file) => join(dirname(path), file.replace(/\.js$/, ".d.ts"));
  return {
    names: names.map(([, comment, what, name, written]) => {
      const type = what === "const" ? "constant" : what;
      return entry(name, type, what === "function" ? parameters(comment, written) : "", help(comment));
    }),
    members: Object.fromEntries(classes.map(([, name, body]) => [name, membersOfJavaScript(`\n${body}\n`)])),
    references: [
      ...exports.map(([, list, file]) => ({ from: at(file), names: list.split(",").map((one) => one.trim()).filter(Boolean) })),
      ...imports.map(([, file]) => ({ from: at(file), names: [] })),
    ],
  };
}

// The names of parameters as TypeScript writes them, some of which are functions.
const plainParameters = (written) => parameters("", written.replace(/\([^()]*\)/g, "").replace(/\s+/g, " ").trim());

function membersOfAssemblyScript(body) {
  const written = String.raw`\(((?:[^()]|\([^()]*\))*)\)`;
  const methods = [...body.matchAll(new RegExp(String.raw`${COMMENT}^ {2}(\w+)(?:<\w+>)?${written}: `, "gm"))];
  const fields = [...body.matchAll(new RegExp(String.raw`${COMMENT}(?:^ {2}|\bpublic )(\w+): (?:${written} =>)?`, "gm"))];
  const member = ([, comment, name, listed]) =>
    entry(name, listed === undefined ? "property" : "method", listed === undefined ? "" : plainParameters(listed), help(comment));
  return [...fields, ...methods].map(member);
}

function readAssemblyScript(path) {
  const text = readFileSync(path, "utf8");
  const all = (pattern) => [...text.matchAll(new RegExp(pattern, "gm"))];
  const names = all(String.raw`${COMMENT}^export (?:abstract )?(function|const|class|type) (\w+)(?:<[^>]*>)?(?:\(((?:[^()]|\([^()]*\))*)\))?`);
  if (names.length !== all("^export (?!\\{)").length) throw new Error(`${path} has exports that were not read`);
  const classes = all(String.raw`^export class (\w+)(?:<[^>]*>)?[^{]*\{\n((?:(?!^\})[^])*)^\}`);
  const exports = all(String.raw`^export \{([^}]*)\} from "([^"]*)"`);
  const imports = all(String.raw`^import [^;]* from "([^"]*)"`);
  const at = (file) => join(dirname(path), `${file}.ts`);
  return {
    names: names.map(([, comment, what, name, written]) => {
      const isFunction = what === "function";
      return entry(name, what === "const" ? "constant" : what, isFunction ? plainParameters(written) : "", help(comment));
    }),
    members: Object.fromEntries(classes.map(([, name, body]) => [name, membersOfAssemblyScript(body)])),
    references: [
      ...exports.map(([, list, file]) => ({ from: at(file), names: list.split(",").map((one) => one.trim()).filter(Boolean) })),
      ...imports.map(([, file]) => ({ from: at(file), names: [] })),
    ],
  };
}

// The comment lines above a line.
const ABOVE = String.raw`((?:^[ ]*# .*\n)*)`;
const DOCUMENTATION = String.raw`(?:\s*"""((?:(?!""")[^])*)""")?`;

const argumentNames = (written) =>
  written.split(/,(?![^"]*"[^"]*(?:"[^"]*"[^"]*)*$)/).map((one) => one.trim().split(/[:= ]/)[0]).filter((name) => name && name !== "self");

function membersOfPython(body) {
  const methods = [...body.matchAll(new RegExp(String.raw`^ {4}def ([a-z]\w*)\(([^)]*)\)[^\n]*:\n${DOCUMENTATION}`, "gm"))];
  const fields = [...body.matchAll(new RegExp(String.raw`${ABOVE}^ {8}self\.([a-z]\w*)(?:: [^=]*)? = `, "gm"))];
  const known = new Set();
  const isNew = ({ label }) => !known.has(label) && known.add(label);
  return [
    ...fields.map(([, comment, name]) => entry(name, "property", "", help(comment))),
    ...methods.map(([, name, written, told]) => entry(name, "method", `(${argumentNames(written).join(", ")})`, help(told))),
  ].filter(isNew);
}

function readPython(path) {
  const text = readFileSync(path, "utf8");
  const all = (pattern) => [...text.matchAll(new RegExp(pattern, "gm"))];
  const functions = all(String.raw`^def ([a-z]\w*)\(([^)]*)\)[^\n]*:\n${DOCUMENTATION}`);
  const values = all(String.raw`${ABOVE}^([A-Z]\w*)(?:: [^=]*)? = (namedtuple\("\w+", \(([^)]*)\)\))?`);
  const classes = all(String.raw`^class ([A-Z]\w*)[^\n]*:\n${DOCUMENTATION}((?:\n|[ ].*\n)*)`);
  const imports = all(String.raw`^from (\.+)([\w.]*) import (?:\(([^)]*)\)|([^(\n]*))`);
  const at = (dots, name) => {
    const folder = join(dirname(path), ...Array(dots.length - 1).fill(".."));
    const file = join(folder, ...name.split("."));
    return existsSync(`${file}.py`) ? `${file}.py` : join(file, "__init__.py");
  };
  const tuples = values.filter(([, , , tuple]) => tuple).map(([, comment, name, , fields]) => {
    const members = [...fields.matchAll(/"(\w+)"/g)].map(([, field]) => entry(field, "property", "", help(comment)));
    return [name, members];
  });
  return {
    names: [
      ...functions.map(([, name, written, told]) => entry(name, "function", `(${argumentNames(written).join(", ")})`, help(told))),
      ...values.map(([, comment, name]) => entry(name, isConstant(name) ? "constant" : "class", "", help(comment))),
      ...classes.map(([, name, told]) => entry(name, "class", "", help(told))),
    ],
    members: Object.fromEntries([...tuples, ...classes.map(([, name, , body]) => [name, membersOfPython(body)])]),
    references: imports.map(([, dots, name, many, few]) => (
      { from: at(dots, name), names: (many ?? few).split(",").map((one) => one.trim()).filter(Boolean) }
    )),
  };
}

// The completions of a language: names of the kit, and names and members of each game.
function completions(kit, game, read) {
  const listed = (found) => [...found.names.values()];
  const own = collect(kit, read);
  const games = GAMES.map((name) => {
    const found = collect(game(name), read);
    const members = Object.entries(found.members).filter(([known]) => !own.members[known]);
    return [name, { names: listed(found), members: Object.fromEntries(members) }];
  });
  return { names: listed(own), members: own.members, games: Object.fromEntries(games) };
}

// A file or the index of a folder.
const either = (file, index) => (existsSync(file) ? file : index);

function kits(sdk) {
  const [types, python] = [join(sdk, "javascript/types"), join(sdk, "python/judge_bot")];
  const assembly = join(sdk, "assemblyscript/assembly");
  return {
    js: completions(join(types, "index.d.ts"), (name) => either(join(types, `${name}.d.ts`), join(types, name, "index.d.ts")), readJavaScript),
    py: completions(join(python, "__init__.py"), (name) => either(join(python, `${name}.py`), join(python, name, "__init__.py")), readPython),
    ts: completions(join(assembly, "index.ts"), (name) => either(join(assembly, `${name}.ts`), join(assembly, name, "index.ts")), readAssemblyScript),
  };
}

// Compares the names with those that the modules export, since a name that was not read would be missing
// without a word.
async function check({ js, py }, sdk) {
  const index = readFileSync(join(sdk, "python/judge_bot/__init__.py"), "utf8");
  const all = [...index.match(/__all__ = \[(.*)\]/)[1].matchAll(/"(\w+)"/g)].map(([, name]) => name);
  const missing = all.filter((name) => !py.names.some(({ label }) => label === name));
  if (missing.length) throw new Error(`names of judge_bot that were not read: ${missing.join(" ")}`);
  const source = join(sdk, "javascript/src");
  const modules = [[js, join(source, "index.js")], ...Object.entries(js.games).map(([name, game]) => (
    [game, either(join(source, `${name}.js`), join(source, name, "index.js"))]
  ))];
  for (const [{ names }, file] of modules) {
    const read = names.map(({ label }) => label).sort().join(" ");
    const exported = Object.keys(await import(file)).sort().join(" ");
    if (read !== exported) throw new Error(`${file} exports \`${exported}\`, but its types name \`${read}\``);
  }
}

const sdk = process.argv[2];
const found = kits(sdk);
await check(found, sdk);
process.stdout.write(JSON.stringify(found));
