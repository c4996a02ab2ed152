// The editor of the page that grades: CodeMirror with the languages of the kits, in one file.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentLess, insertTab } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { python } from "@codemirror/lang-python";
import { HighlightStyle, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { completions } from "./completions.js";

const events = ["input", "delete", "move", "undo", "redo"];
const languages = { js: javascript, py: python, ts: () => javascript({ typescript: true }) };

// The colours of the page; those of tokens keep their contrast on both grounds.
const look = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--panel)", height: "100%" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--muted)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--mark) 14%, transparent)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--one) 25%, transparent) !important" },
  ".cm-tooltip, .cm-panels": { backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-fault": { backgroundColor: "var(--bad-soft)", boxShadow: "inset 3px 0 var(--bad)" },
  ".cm-scroller": { fontFamily: "var(--mono)" },
});
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: "var(--one)", fontWeight: "600" },
  { tag: [tags.string, tags.number, tags.bool], color: "var(--good)" },
  { tag: tags.comment, color: "var(--muted)", fontStyle: "italic" },
  { tag: [tags.function(tags.variableName), tags.definition(tags.variableName)], color: "color-mix(in srgb, var(--two) 80%, var(--ink))" },
]);

// The line at which the bot failed. A page may load no pictures, so it is not underlined as by a linter.
const setFault = StateEffect.define();
const fault = StateField.define({
  create: () => Decoration.none,
  update(marks, { changes, effects }) {
    const set = effects.find((effect) => effect.is(setFault));
    return set ? set.value : marks.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

// An editor in a shadow root, which takes style sheets under a strict policy. `changed` is called after
// each change by the person.
export function create(root, label, changed) {
  const language = new Compartment();
  const listener = EditorView.updateListener.of((update) => {
    if (update.docChanged && update.transactions.some((one) => events.some((event) => one.isUserEvent(event)))) changed();
  });
  const extensions = [
    lineNumbers(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(),
    autocompletion(), highlightActiveLine(), highlightSelectionMatches(), indentUnit.of("    "),
    EditorState.tabSize.of(4), syntaxHighlighting(colours), look, fault, listener,
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", spellcheck: "false", autocapitalize: "off" }),
    // Escape, then Tab leaves the editor.
    keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, { key: "Tab", run: insertTab, shift: indentLess }]),
    language.of([]),
  ];
  const parent = document.createElement("div");
  parent.style.height = "100%";
  root.append(parent);
  const state = (doc) => EditorState.create({ doc, extensions });
  const view = new EditorView({ state: state(""), parent, root });
  return {
    get text() {
      return view.state.doc.toString();
    },
    // Opens a source. Its language's kit completes names for this game.
    open(text, kind, game) {
      view.setState(state(text));
      const grammar = languages[kind];
      const known = grammar ? [grammar()] : [];
      const named = [{ autocomplete: completions(kind, game) }];
      view.dispatch({ effects: language.reconfigure([...known, EditorState.languageData.of(() => named)]) });
    },
    // Marks a line, counted from 1, with a message; 0 clears the mark.
    mark(line, message) {
      const at = line > 0 && line <= view.state.doc.lines ? view.state.doc.line(line) : null;
      const mark = Decoration.line({ class: "cm-fault", attributes: { title: message } });
      view.dispatch({ effects: setFault.of(at ? Decoration.set([mark.range(at.from)]) : Decoration.none) });
      if (at) view.dispatch({ effects: EditorView.scrollIntoView(at.from, { y: "center" }) });
    },
    focus() {
      view.focus();
    },
  };
}
