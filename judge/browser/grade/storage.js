// Tables in this browser's database. Without a database they last as long as the page.

const TABLES = ["drafts", "versions"];

const opened = new Promise((done) => {
  try {
    const request = indexedDB.open("judge", 2);
    request.onupgradeneeded = () => {
      const { result: database } = request;
      const missing = TABLES.filter((name) => !database.objectStoreNames.contains(name));
      for (const name of missing) database.createObjectStore(name);
    };
    request.onsuccess = () => done(request.result);
    request.onerror = () => done(null);
  } catch {
    done(null);
  }
});

export class Table {
  #name;
  #memory = new Map();

  constructor(name) {
    this.#name = name;
  }

  async #act(mode, action) {
    const database = await opened;
    if (!database) return undefined;
    return new Promise((done) => {
      const request = action(database.transaction(this.#name, mode).objectStore(this.#name));
      request.onsuccess = () => done(request.result);
      request.onerror = () => done(undefined);
    });
  }

  async get(key) {
    return this.#memory.get(key) ?? this.#act("readonly", (table) => table.get(key));
  }

  async put(key, value) {
    this.#memory.set(key, value);
    await this.#act("readwrite", (table) => table.put(value, key));
  }

  async delete(key) {
    this.#memory.delete(key);
    await this.#act("readwrite", (table) => table.delete(key));
  }

  async all() {
    return (await this.#act("readonly", (table) => table.getAll())) ?? [...this.#memory.values()];
  }
}
