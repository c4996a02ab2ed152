// Sources that were written in this browser, by suite and language. Without a database they last as
// long as the page.

const STORE = "drafts";
const memory = new Map();

const opened = new Promise((done) => {
  try {
    const request = indexedDB.open("judge", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => done(request.result);
    request.onerror = () => done(null);
  } catch {
    done(null);
  }
});

async function act(mode, action) {
  const database = await opened;
  if (!database) return undefined;
  return new Promise((done) => {
    const request = action(database.transaction(STORE, mode).objectStore(STORE));
    request.onsuccess = () => done(request.result);
    request.onerror = () => done(undefined);
  });
}

export async function draft(key) {
  return memory.get(key) ?? act("readonly", (store) => store.get(key));
}

export async function keep(key, text) {
  memory.set(key, text);
  await act("readwrite", (store) => store.put(text, key));
}

export async function forget(key) {
  memory.delete(key);
  await act("readwrite", (store) => store.delete(key));
}
