"use strict";
// Keeps the site for visits without a network. With one, the site's own files come first. A compiler is
// kept after its first use.

const NAME = "judge";

self.addEventListener("install", (event) => {
  const keep = async () => {
    const response = await fetch("site.json", { cache: "no-store" });
    const { pages } = await response.json();
    await (await caches.open(NAME)).addAll(["./", ...pages]);
    await self.skipWaiting();
  };
  event.waitUntil(keep());
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

// A page names files that it loaded, some of them before this worker had begun.
self.addEventListener("message", (event) => {
  const keep = async () => {
    const cache = await caches.open(NAME);
    for (const name of event.data.keep) {
      if (!(await cache.match(name))) await cache.add(name);
    }
  };
  // A full disk spoils no visit.
  event.waitUntil(keep().catch(() => {}));
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  const answer = async () => {
    const cache = await caches.open(NAME);
    try {
      const response = await fetch(event.request);
      // A full disk keeps nothing, and spoils no visit.
      if (response.ok) event.waitUntil(cache.put(event.request, response.clone()).catch(() => {}));
      return response;
    } catch (error) {
      const kept = await cache.match(event.request, { ignoreSearch: true });
      if (kept) return kept;
      throw error;
    }
  };
  event.respondWith(answer());
});
