// Versions of bots that were graded here. They are kept in this browser, and exported and imported as
// one file.
import { Refusal, element } from "./judge.js";
import { Table } from "./storage.js";
import { t } from "./words.js";

// At most this many versions of a suite are kept.
const MOST = 100;
// Most versions, and most characters, of a file.
const [MOST_IMPORTED, LONGEST] = [1000, 20 << 20];
const KINDS = ["js", "py", "ts", "wat"];

const [list, count, exported] = ["kept", "count", "export"].map((id) => document.getElementById(id));

const isText = (value, most) => typeof value === "string" && value.length <= most;

// The title of a version in lists.
export const titleOf = ({ kind, name, time }) => `${new Date(time).toLocaleString()}: ${name}.${kind}`;

// A version of a file, or null if it is none.
function checked({ suite, kind, name, time, text, points, digest }) {
  const isVersion = isText(suite, 200) && KINDS.includes(kind) && isText(name, 60) && isText(text, 1 << 20) &&
    Number.isSafeInteger(time) && time <= Date.now() && [points, digest].every((value) => value === null || isText(value, 200));
  return isVersion ? { suite, kind, name, time, text, points, digest } : null;
}

export class Versions {
  #table = new Table("versions");
  #prefix;
  #open;

  // Versions with this prefix, which tells people apart. `open` is called with the one to edit.
  constructor(prefix, open) {
    this.#prefix = prefix;
    this.#open = open;
  }

  // Keeps a version. The last one is replaced if it has the same source.
  async keep(version) {
    const own = await this.#of(version.suite);
    const [last] = own;
    const isSame = last && last.kind === version.kind && last.text === version.text;
    // An ungraded version needs no second entry.
    if (isSame && version.points === null) return;
    await this.#put(version);
    const old = isSame ? [last, ...own.slice(MOST)] : own.slice(MOST - 1);
    for (const one of old) await this.#table.delete(this.#key(one));
  }

  async #put(version) {
    const isStored = await this.#table.put(this.#key(version), { ...version, prefix: this.#prefix });
    if (!isStored) throw new Refusal(t("this browser stores no more: export the versions before you leave the page"));
  }

  // Takes the versions of a file.
  async import(text) {
    let read = [];
    try {
      read = text.length > LONGEST ? [] : JSON.parse(text).versions.map(checked);
    } catch {
      read = [];
    }
    const isWhole = read.length > 0 && read.length <= MOST_IMPORTED && !read.includes(null);
    if (!isWhole) throw new Refusal(t("this file has no versions of bots"));
    const known = await this.#table.all();
    for (const version of read) {
      const there = known.get(this.#key(version));
      if (!there) await this.#put(version);
      else if (there.text !== version.text) await this.#put({ ...version, time: version.time + 1 });
    }
  }

  // Shows the versions for a suite, and returns them, newest first.
  async show(suite) {
    const all = (await this.#all()).filter(({ prefix }) => prefix === this.#prefix);
    const text = JSON.stringify({ versions: all.map(({ prefix: _, ...version }) => version) }, null, 1);
    URL.revokeObjectURL(exported.href);
    exported.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    const own = await this.#of(suite);
    count.textContent = String(own.length);
    list.replaceChildren(...own.map((version) => this.#row(version)));
    return own;
  }

  async #all() {
    return [...(await this.#table.all()).values()];
  }

  // The versions for a suite, newest first.
  async #of(suite) {
    const own = (await this.#all()).filter((one) => one.prefix === this.#prefix && one.suite === suite);
    return own.sort((one, other) => other.time - one.time);
  }

  #key({ suite, time }) {
    return `${this.#prefix}${suite}/${time}`;
  }

  #row(version) {
    const { points } = version;
    const row = element("li");
    const button = element("button", "link", titleOf(version));
    button.type = "button";
    button.addEventListener("click", () => this.#open(version));
    row.append(button, ` ${points === null ? t("not graded") : t("{0} points", points)}`);
    return row;
  }
}
