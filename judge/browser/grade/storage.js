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
    request.onsuccess = () => {
      // A newer page in another tab must not wait for this one.
      request.result.onversionchange = () => request.result.close();
      done(request.result);
    };
    request.onerror = () => done(null);
    request.onblocked = () => done(null);
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
      try {
        const transaction = database.transaction(this.#name, mode);
        const request = action(transaction.objectStore(this.#name));
        transaction.oncomplete = () => done(request.result);
        transaction.onabort = () => done(undefined);
      } catch {
        done(undefined);
      }
    });
  }

  async get(key) {
    return this.#memory.get(key) ?? this.#act("readonly", (table) => table.get(key));
  }

  // Returns false if the value lasts only as long as the page.
  async put(key, value) {
    this.#memory.set(key, value);
    return (await this.#act("readwrite", (table) => table.put(value, key))) !== undefined;
  }

  async delete(key) {
    this.#memory.delete(key);
    await this.#act("readwrite", (table) => table.delete(key));
  }

  // All values by their keys.
  async all() {
    const keys = (await this.#act("readonly", (table) => table.getAllKeys())) ?? [];
    const values = (await this.#act("readonly", (table) => table.getAll())) ?? [];
    const stored = keys.map((key, at) => [key, values[at]]);
    return new Map([...stored, ...this.#memory]);
  }
}
