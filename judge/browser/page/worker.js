"use strict";
// Runs the judge's module: a request goes in as JSON, a reply comes out as JSON.

const loaded = (async () => {
  const response = await fetch(new URL("judge-browser.wasm", self.location.href));
  if (!response.ok) throw new Error("the judge's module was not found");
  const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), {});
  return instance.exports;
})();

function handle(judge, request) {
  const bytes = new TextEncoder().encode(JSON.stringify(request));
  const room = judge.judge_request(bytes.length) >>> 0;
  new Uint8Array(judge.memory.buffer, room, bytes.length).set(bytes);
  const length = judge.judge_handle() >>> 0;
  // The memory may have grown meanwhile.
  const reply = new Uint8Array(judge.memory.buffer, judge.judge_reply() >>> 0, length);
  return JSON.parse(new TextDecoder().decode(reply));
}

self.addEventListener("message", async ({ data: { id, request } }) => {
  try {
    self.postMessage({ id, reply: handle(await loaded, request) });
  } catch (error) {
    self.postMessage({ id, failed: error.message });
  }
});
