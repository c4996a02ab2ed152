//! Advice after the exception of a script in Python or JavaScript.

/// The beginning of a fault's text for an exception.
pub(crate) const SCRIPT: &str = "the script failed";

/// Parts of messages, all of which must be there, and the advice. The first entry that fits counts.
const KNOWN: &[(&[&str], &str)] = &[
    (
        &["require is not defined"],
        "a file is read by `import`, as in `import { best } from './best.js'`: there is no `require`",
    ),
    (
        &["ImportError: no module named 'judge_bot."],
        "look into the folder `judge_bot` for the names that the kit has",
    ),
    (
        &["ImportError: no module named"],
        "import files next to your script, or these modules of Python's library: array, bisect, \
         collections, copy, functools, heapq, itertools, math, operator, random, string, time and \
         typing",
    ),
    (
        &["MemoryError"],
        "the script reached its memory limit: Python has about 1.3 MiB for the objects of a script, \
         whatever the testcase allows. Make lists and tables smaller, and look for those that only \
         grow",
    ),
    (
        &["IndentationError"],
        "indent all lines of a block the same way, with only spaces or only tabs: look at that line \
         and the one above it",
    ),
    (
        &[".py:", "SyntaxError"],
        "look at that line and those above it for a bracket that is not closed, and for a missing \
         `:`. This Python has no `match`, no `{x!r}` in f-strings, no `[*a]` and no `{**a}`",
    ),
    (
        &[".js:", "SyntaxError"],
        "look at that line and those above it for a bracket or a quotation mark that is not closed",
    ),
    (
        &["which is no move"],
        "return one of the moves that the kit's function for legal moves gives",
    ),
    (
        &["referenced before assignment"],
        "the function assigns this name, so it is another variable there: begin the function with \
         `global` and the name to change the one outside, or assign it on every path",
    ),
    (&["name 'open'"], "a bot has no files: write the data into the script"),
    (
        &["NameError"],
        "check the spelling, and that the name has a value by then: a name assigned in one function is \
         unknown in others, unless it is declared `global`",
    ),
    (
        &["ReferenceError"],
        "check the spelling, and that the name is declared outside of other blocks",
    ),
    (
        &["IndexError"],
        "the list is shorter than that: write its length to the log with `tools.log(str(len(…)))`",
    ),
    (&["KeyError"], "that key is not in the dictionary: use `.get(key)`, or look for it with `in`"),
    (
        &["'NoneType'"],
        "a value is `None` there, or on the way to that line: look for a function that ends without \
         `return`, and for a variable that is not set yet",
    ),
    (
        &[" of undefined"],
        "a value is undefined there: look for a misspelt property, an index outside of its list, and \
         a function that ends without `return`",
    ),
    (
        &["has no attribute"],
        "check the spelling; the kit's files list what a state and a move have",
    ),
    (&["TypeError: not a function"], "the called value is not a function: check its spelling"),
    (
        &["positional arguments but"],
        "compare the parameters with the call; the kit calls `choose_move` with the state and the tools",
    ),
    (&["never calls `run("], "end the script with that line, outside of all functions"),
    (
        &["ValueError: this bot plays"],
        "`run` names another game than the comment `judge: game=…` at the beginning of the script",
    ),
    (&[".py:"], "look at the file and line"),
    (&[".js:"], "look at the file and line"),
];

/// Modules of Python's library that scripts have, and often use without an import.
const MODULES: [&str; 8] =
    ["math", "random", "time", "heapq", "itertools", "functools", "collections", "copy"];

/// The next step after an exception, by the text of the fault.
pub(crate) fn advice_on_script(detail: &str) -> &'static str {
    if reads_lines_itself(detail) {
        return "a script does not read or print lines itself: the kit does. Write a function that \
                gets the state and returns a move, and pass it to `run`, as in the script that \
                `judge new --lang python` or `--lang javascript` makes";
    }
    if MODULES.iter().any(|name| detail.contains(&format!("NameError: name '{name}'"))) {
        return "import the module at the beginning of the script, as in `import math`";
    }
    let fits = |parts: &[&str]| parts.iter().all(|part| detail.contains(part));
    let known = KNOWN.iter().find(|(parts, _)| fits(parts));
    known.map_or("look at the message and at the functions that were running", |(_, advice)| advice)
}

/// True if the script uses the input and output of its language's usual programs, which no kit has.
fn reads_lines_itself(detail: &str) -> bool {
    const USUAL: [&str; 8] =
        ["input", "sys", "stdin", "readline", "readLine", "process", "prompt", "raw_input"];
    if detail.contains("has no attribute 'stdin'") || detail.contains("has no attribute 'stdout'") {
        return true;
    }
    let detail = detail.trim_end_matches('`');
    let python = detail.strip_suffix(" isn't defined").unwrap_or(detail);
    let missing = detail.strip_suffix(" is not defined").unwrap_or(python);
    let is_missing = missing != detail || detail.contains("no module named");
    let name = missing.rsplit(' ').next().unwrap_or_default().trim_matches('\'');
    is_missing && USUAL.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_fits_the_exception() {
        for (exception, part) in [
            ("bot.py:9: SyntaxError: invalid syntax", "bracket"),
            ("bot.py:9: IndentationError: unexpected indent", "tabs"),
            ("bot.py:1: ImportError: no module named 'json'", "heapq"),
            ("bot.py:3: ImportError: no module named 'judge_bot.rnu'", "the kit has"),
            ("MemoryError: memory allocation failed", "1.3 MiB"),
            ("ValueError: choose_move returned 1, which is no move", "legal moves"),
            ("b.py:13: NameError: name 'onw' isn't defined", "`global`"),
            ("b.py:9: NameError: name 'math' isn't defined", "`import math`"),
            ("b.py:9: NameError: name 'open' isn't defined", "no files"),
            (
                "b.py:9: NameError: local variable referenced before assignment",
                "begin the function",
            ),
            ("TypeError: choose_move() takes 1 positional arguments but 2 were given", "the tools"),
            ("TypeError: the script never calls `run(game, choose_move)`", "end the script"),
            ("ValueError: this bot plays `cc`, not `amazons`", "the comment"),
            ("b.py:9: TypeError: unsupported types for __gt__: 'NoneType', 'NoneType'", "`None`"),
            ("b.py:9: IndexError: list index out of range", "length"),
            ("b.py:9: KeyError: 3", "`.get(key)`"),
            ("b.py:9: TypeError: unsupported types for __add__: 'NoneType', 'int'", "`None`"),
            ("b.py:9: AttributeError: 'Move' object has no attribute 'pth'", "kit's files"),
            ("b.py:9: ZeroDivisionError: divide by zero", "file and line"),
            ("b.py:9: ValueError: invalid syntax for integer with base 10: 'x'", "file and line"),
            ("b.js:9: SyntaxError: unexpected end of string", "quotation mark"),
            ("b.js:1: ReferenceError: require is not defined", "`import`"),
            ("b.js:4: ReferenceError: processMove is not defined", "spelling"),
            ("b.js:9: TypeError: cannot read property 'length' of undefined", "misspelt property"),
            ("b.js:9: TypeError: not a function", "not a function: check"),
            ("b.js:9: TypeError: 'a' is read-only", "file and line"),
        ] {
            let advice = advice_on_script(&format!("the script failed: `{exception}`"));
            assert!(advice.contains(part), "{exception}: {advice}");
        }
    }

    #[test]
    fn a_script_that_reads_lines_itself_gets_advice_on_the_kit() {
        for usual in [
            "the script failed: `b.py:4: NameError: name 'input' isn't defined`",
            "the script failed: `b.py:1: ImportError: no module named 'sys'`",
            "the script failed: `b.js:4: ReferenceError: readline is not defined`",
            "the script failed: `b.py:4: AttributeError: 'module' object has no attribute 'stdin'`",
        ] {
            assert!(advice_on_script(usual).contains("the kit does"), "{usual}");
        }
    }
}
