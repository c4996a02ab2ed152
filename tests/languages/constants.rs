//! `-D NAME=VALUE`: a build sets constants in a source, in each language that has any.

use std::path::{Path, PathBuf};

use crate::support::{Ran, judge, write};

/// The languages, each with the name of a source that answers, or fails with, `tile` and a constant
/// `W`, which is 1 by itself.
const LANGUAGES: [(&str, &str, &str); 7] = [
    ("c", "bot.c", C),
    ("cpp", "bot.cpp", C),
    ("assemblyscript", "bot.ts", ASSEMBLYSCRIPT),
    ("rust", "src/main.rs", RUST),
    ("go", "bot.go", GO),
    ("javascript", "bot.js", JAVASCRIPT),
    ("python", "bot.py", PYTHON),
];

const JAVASCRIPT: &str = r#"
const W = 1; // a weight
let OTHER = 0;
throw new Error("tile" + W);
"#;

const PYTHON: &str = r#"
W = 1  # a weight
OTHER = 0
raise ValueError("tile" + str(W))
"#;

const C: &str = r#"
#include <stdio.h>
#ifndef W
#define W 1
#endif
int main(void) {
    char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        if (line[0] == 'd' && line[1] == 'i') printf("tile%d\n", W), fflush(stdout);
        if (line[0] == 'w') puts("no"), fflush(stdout);
    }
}
"#;

const ASSEMBLYSCRIPT: &str = r#"
const buffer = new StaticArray<u8>(4096);
const width: i32 = isDefined(W) ? W : 1;
export function judge_buffer(): usize { return changetype<usize>(buffer); }
export function judge_line(length: i32): i32 {
  const line = String.UTF8.decodeUnsafe(changetype<usize>(buffer), length);
  let answer = "";
  if (line.startsWith("discard?")) answer = "tile" + width.toString();
  if (line.startsWith("win?")) answer = "no";
  return <i32>String.UTF8.encodeUnsafe(changetype<usize>(answer), answer.length, changetype<usize>(buffer));
}
"#;

const RUST: &str = r#"
fn main() {
    for line in std::io::stdin().lines().map_while(Result::ok) {
        if line.starts_with("discard?") { println!("tile{}", option_env!("JUDGE_W").unwrap_or("1")); }
        if line.starts_with("win?") { println!("no"); }
    }
}
"#;

const GO: &str = r#"
package main

import ("bufio"; "fmt"; "os"; "strings")

var W = "1"

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "discard?") { fmt.Println("tile" + W) }
		if strings.HasPrefix(lines.Text(), "win?") { fmt.Println("no") }
	}
}
"#;

/// The languages of the trials.
pub(crate) fn languages() -> impl Iterator<Item = &'static str> {
    LANGUAGES.iter().map(|(language, ..)| *language)
}

/// Writes the source; returns the path to build.
fn source(folder: &Path, language: &str) -> PathBuf {
    let found = LANGUAGES.iter().find(|(own, ..)| *own == language);
    let (_, name, text) = found.expect("a language");
    if language != "rust" {
        return write(folder, name, text);
    }
    std::fs::create_dir_all(folder.join("bot/src")).unwrap();
    write(folder, "bot/Cargo.toml", "[package]\nname = \"bot\"\nedition = \"2024\"\n[workspace]\n");
    write(&folder.join("bot"), name, text);
    folder.join("bot")
}

fn play(bot: &Path, more: &[&str]) -> Ran {
    let setting = ["--game", "mahjong", "--seed", "1", "--memory-kib", "16384"];
    let mut command = judge();
    command.arg("play").arg(bot).args(setting).args(more).output().unwrap().into()
}

/// Builds a source with and without a value, and reads the value in its answer.
pub(crate) fn are_set(language: &str) {
    let folder = tempfile::tempdir().unwrap();
    let bot = source(folder.path(), language);
    for (more, answer) in [
        (&[][..], "tile1"),
        (&["-D", "W=37"], "tile37"),
        (&["--define=W=8", "-D", "OTHER=5"], "tile8"),
        (&["-D", "W"], "tile1"),
        (&[], "tile1"),
    ] {
        let ran = play(&bot, more);
        assert_eq!(ran.code, 1, "{language} {more:?}: {}", ran.stderr);
        let told = format!("{answer}`");
        assert!(ran.stdout.contains(&told), "{language} {more:?}: {}", ran.stdout);
    }
}

/// A module, and sources that have no such constant, are not built as if nothing was asked.
pub(crate) fn are_refused_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text, code, why) in [
        ("bot.wat", "(module)", 3, "is in WebAssembly text, where `-D` cannot set constants"),
        ("bot.py", "print(W)\n", 3, "has no line that assigns `W`"),
        ("bot.py", "w = 1\n", 2, "none of its files has the name `W`: did you mean `w`?"),
        ("bot.js", "let w = 1\n", 2, "none of its files has the name `W`: did you mean `w`?"),
    ] {
        let ran = play(&write(folder.path(), name, text), &["-D", "W=2"]);
        assert_eq!(ran.code, code, "{}", ran.stderr);
        assert!(ran.stderr.contains(why), "{}", ran.stderr);
    }
    let module = folder.path().join("bot.wasm");
    std::fs::copy(crate::support::sample("mahjong-distance"), &module).unwrap();
    let ran = play(&module, &["-D", "W=2"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("`-D W=2` cannot change"), "{}", ran.stderr);
    let ran = play(&module, &["-D", "2W=2"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("`2W` is not a valid name"), "{}", ran.stderr);
}

/// A bot that breaks the rules if `W` is 3.
fn breaks_the_rules(folder: &Path) -> PathBuf {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/languages/sources/brain.cpp");
    let text = std::fs::read_to_string(path).unwrap();
    let head = "#ifndef W\n#define W 0\n#endif\nstatic volatile int own = W; // not UNUSED\n";
    let text = text.replace(
        "Tile t = *hand.rbegin();",
        "Tile t = *hand.rbegin(); if (own == 3) __builtin_trap();",
    );
    write(folder, "brain.cpp", head.to_owned() + &text)
}

/// Several builds of a source are compared with the source itself.
pub(crate) fn are_swept() {
    let folder = tempfile::tempdir().unwrap();
    let bot = breaks_the_rules(folder.path());
    let bot = bot.to_str().unwrap();
    let compare = |more: &[&str]| -> Ran {
        let mut command = judge();
        command.args(["compare", bot, bot, "--suite", "mahjong", "--rounds", "40"]).args(more);
        command.output().unwrap().into()
    };
    let swept = compare(&["-D", "W=1..3", "--json", "-"]);
    assert_eq!(swept.code, 5, "the best are equal: {}{}", swept.stdout, swept.stderr);
    let variants = swept.json()["variants"].clone();
    let answers = |at: usize| (variants[at]["defines"][0].clone(), variants[at]["answer"].clone());
    assert_eq!(answers(0), ("W=1".into(), "undecided".into()));
    assert_eq!(answers(1), ("W=2".into(), "undecided".into()));
    assert_eq!(answers(2), ("W=3".into(), "worse".into()));
    let table = compare(&["-D", "W=2..3"]);
    assert!(table.stdout.contains("\nW=3  "), "{}", table.stdout);
    assert!(table.stdout.ends_with("\nlargest score difference: W=2\n"), "{}", table.stdout);
    let short = compare(&["-D", "W=3..3"]);
    let worse = compare(&["-D", "W=3"]);
    assert_eq!(worse.code, 1, "{}{}", worse.stdout, worse.stderr);
    assert_eq!(short.stdout, worse.stdout, "a range of one value");
    assert!(worse.stdout.contains(" -D W=3 --game mahjong --seed "), "{}", worse.stdout);
    assert!(worse.stdout.starts_with("new brain W=3 against old brain: "), "{}", worse.stdout);
    assert!(worse.stdout.contains("\nrounds with faults  0 -> "), "{}", worse.stdout);
    let unused = compare(&["-D", "UNUSED=1..2"]);
    assert_eq!(unused.code, 3, "{}", unused.stdout);
    let told = "with UNUSED=2 is the same module as with another value";
    assert!(unused.stderr.contains(told), "{}", unused.stderr);
    let absent = compare(&["-D", "ABSENT=1..2"]);
    assert_eq!(absent.code, 2, "{}", absent.stdout);
    assert!(absent.stderr.contains("has the name `ABSENT`"), "{}", absent.stderr);
}
