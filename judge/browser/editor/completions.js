// Completions of the kits' names with their help, for the game of the chosen suite.
import { completeAnyWord, ifNotIn } from "@codemirror/autocomplete";
import kits from "./kits.json";

const SILENT = ["LineComment", "BlockComment", "Comment", "String", "TemplateString", "FormatString"];

const modules = (text) =>
  [...text.matchAll(/import \* as (\w+) from ["'](?:\.\/)?judge-bot\/(\w+)["']/g)].map(([, name, game]) => [name, game]);

// The names under which a source imports the modules of games, with the games.
const IMPORTS = {
  js: modules,
  ts: modules,
  py: (text) => [...text.matchAll(/^(?:from judge_bot import |import judge_bot\.)(.*)$/gm)]
    .flatMap(([, list]) => [...list.matchAll(/(\w+)(?: as (\w+))?/g)].map(([, game, name]) => [name ?? game, game])),
};

// The names behind `object.`: those of an imported module, or the members of a class that a variable is
// named after, as `state` or `nextState` is after `State`.
function membersOf(object, { kit, kind, game, text }) {
  const imported = IMPORTS[kind](text).find(([name, of]) => name === object && kit.games[of]);
  if (imported) return kit.games[imported[1]].names;
  const classes = { ...kit.members, ...kit.games[game]?.members };
  const named = object.toLowerCase();
  const known = Object.keys(classes).filter((name) => named.endsWith(name.toLowerCase()));
  return classes[known.sort((one, other) => other.length - one.length)[0]];
}

// The completions for a language and a game. A language without a kit has the words of the source.
export function completions(kind, game) {
  const kit = kits[kind];
  if (!kit) return completeAnyWord;
  return ifNotIn(SILENT, (context) => {
    const member = context.matchBefore(/\w+\.\w*/);
    const [object, typed] = member?.text.split(".") ?? [];
    const members = member && membersOf(object, { kit, kind, game, text: context.state.doc.toString() });
    if (members) return { from: context.pos - typed.length, options: members, validFor: /^\w*$/ };
    const words = completeAnyWord(context);
    if (!words || member) return words;
    const known = new Set(kit.names.map(({ label }) => label));
    return { ...words, options: [...kit.names, ...words.options.filter(({ label }) => !known.has(label))] };
  });
}
