// The AssemblyScript compiler on a source in memory, as `judge build` runs it.

const OUTPUT = "bot.wasm";

// Compiles the text of a file. `asc` is the compiler's main module; `kit` has the other files that the
// source may import, and `arguments` those of `judge build`. Returns the module, which is null after an
// error, and the errors, each with its message, and its file and line if it has a place.
export async function compile(asc, { kit, arguments: { attempts, again } }, file, text) {
  const texts = { ...kit, [file]: text };
  const [first, second] = attempts;
  const { output, errors } = await attempt(asc, first, file, texts);
  if (!errors.some(({ message }) => message.includes(again))) return { output, errors };
  return attempt(asc, second, file, texts);
}

async function attempt(asc, words, file, texts) {
  const found = [];
  let output = null;
  // A name that begins with a dash is not an option.
  const { error, stderr } = await asc.main([`./${file}`, "--baseDir", ".", "--outFile", OUTPUT, ...words], {
    readFile: (name) => texts[name] ?? null,
    writeFile: (name, bytes) => {
      if (name === OUTPUT) output = bytes;
    },
    listFiles: () => [],
    reportDiagnostic: (one) => found.push(one),
  });
  if (!error) return { output, errors: [] };
  const errors = found.filter(({ category }) => category === ERROR).map((one) => placed(one, texts));
  const ofFile = (one) => (one.file === file ? one.line : Infinity);
  errors.sort((one, other) => ofFile(one) - ofFile(other));
  // The compiler failed in another way than by the source's errors.
  if (!errors.length) errors.push({ message: stderr.toString().trim() || error.message });
  return { output: null, errors };
}

// The category of errors, as in the compiler's `DiagnosticCategory`.
const ERROR = 3;

// An error with its line, counted from 1.
function placed({ message, range }, texts) {
  const file = range?.source?.normalizedPath;
  const text = texts[file];
  if (text === undefined) return { message };
  return { message, file, line: text.slice(0, range.start).split("\n").length };
}
