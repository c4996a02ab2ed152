// The texts of these pages in another language than English: of a server that shows them so, as
// `words-CODE.json`, by their English.

const language = document.documentElement.lang;
const words = language === "en" ? {} : await told(language);
if (language !== "en") {
  for (const note of document.querySelectorAll(".foreign")) note.hidden = false;
}

async function told(code) {
  const response = await fetch(new URL(`words-${code}.json`, import.meta.url));
  return response.ok ? response.json() : {};
}

// A text, with `values` in the places of `{0}` and `{1}`.
export function t(text, ...values) {
  return (words[text] ?? text).replace(/\{([01])\}/g, (_, at) => values[at]);
}
