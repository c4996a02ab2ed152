// The editor of a source: CodeMirror, or a plain text field where that does not load.
import { t } from "./words.js";

class Plain {
  #field;

  constructor(field, changed) {
    this.#field = field;
    field.addEventListener("input", changed);
    // Tab writes spaces; after Escape it leaves the field.
    let leaves = false;
    field.addEventListener("keydown", (event) => {
      if (event.key === "Tab" && !event.shiftKey && !leaves) {
        event.preventDefault();
        field.setRangeText("    ", field.selectionStart, field.selectionEnd, "end");
        changed();
      }
      leaves = event.key === "Escape";
    });
  }

  get text() {
    return this.#field.value;
  }

  open(text) {
    this.#field.value = text;
  }

  mark() {}
}

// The editor over a text field. `changed` is called after each change by the person.
export async function openEditor(field, changed) {
  try {
    const { create } = await import("./codemirror.js");
    const place = document.createElement("div");
    place.id = "editor";
    // Style sheets of a shadow root pass the page's policy.
    const root = place.attachShadow({ mode: "open" });
    field.after(place);
    const editor = create(root, t("Source of the bot"), changed);
    field.hidden = true;
    return editor;
  } catch {
    return new Plain(field, changed);
  }
}

// The line of a source that a failure names, as `bot.py", line 7` or `bot.js:7`; 0 if it names none.
export function lineOf(message, file) {
  const escaped = file.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const found = [...message.matchAll(new RegExp(`${escaped}"?(?:, line |:)(\\d+)`, "g"))];
  return found.length ? Number(found.at(-1)[1]) : 0;
}
