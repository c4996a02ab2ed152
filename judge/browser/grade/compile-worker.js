// A worker with the AssemblyScript compiler, which it loads for the first source.
import { compile } from "./compile.js";

const at = (name) => new URL(`assemblyscript/${name}`, import.meta.url);

// The compiler fetches a small module from a `data:` address, which the content policy forbids.
const { fetch: fetchFile } = self;
self.fetch = (address, ...rest) => {
  const [, type, content] = /^data:([^;,]*);base64,(.*)$/.exec(address) ?? [];
  if (content === undefined) return fetchFile(address, ...rest);
  const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
  return Promise.resolve(new Response(bytes, { headers: { "Content-Type": type } }));
};

let loading = null;

async function load() {
  const response = await fetch(at("compiler.json"));
  if (!response.ok) throw new Error(`compiler.json: ${response.status}`);
  const data = await response.json();
  const asc = await import(at("asc.js"));
  self.postMessage({ files: data.files });
  return { asc, data };
}

self.addEventListener("message", async ({ data: { file, text } }) => {
  try {
    const { asc, data } = await (loading ??= load());
    self.postMessage({ done: await compile(asc, data, file, text) });
  } catch (error) {
    self.postMessage({ failed: error.message });
  }
});
