// The editor of a source: CodeMirror where it loads, a plain text field elsewhere.

class Plain {
  #field;

  constructor(field) {
    this.#field = field;
    // The key stays usable to leave the field: Escape, then Tab.
    let leaves = false;
    field.addEventListener("keydown", (event) => {
      if (event.key === "Tab" && !event.shiftKey && !leaves) {
        event.preventDefault();
        field.setRangeText("    ", field.selectionStart, field.selectionEnd, "end");
        field.dispatchEvent(new Event("input"));
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

  changed(listen) {
    this.#field.addEventListener("input", listen);
  }
}

// The editor over a text field.
export async function openEditor(field) {
  return new Plain(field);
}
