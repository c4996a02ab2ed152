//! `judge new`: a project that is playable at once. `tests/languages` builds those that need a
//! compiler.

use crate::support::{judge, run, says, write};

/// The command in the last line of the output of `judge new`.
fn command(stdout: &str) -> Vec<String> {
    let line = stdout.trim_end().lines().last().unwrap().trim();
    line.split(' ').skip(1).map(str::to_owned).collect()
}

#[test]
fn a_bot_in_text_format_needs_no_compiler() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["mahjong", "patchwork", "agamemnon", "cc", "amazons"] {
        let bot = folder.path().join(game);
        let bot = bot.to_str().unwrap();
        let ran = run(["new", bot, "--game", game, "--lang", "wat"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        says(&ran.stdout, &["made `", "Your strategy goes into `$", "bot.wat`", "judge watch "]);
        let next = command(&ran.stdout);
        assert_eq!(next[0], "watch");
        assert!(next[1].ends_with("bot.wat"), "{next:?}");
        let ran = judge().env("PATH", "").args(["check", &next[1]]).output().unwrap();
        let text = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert_eq!(ran.status.code(), Some(0), "{text}");
        says(&text, &[": accepted\n", &format!("{game} against "), ": no fault; "]);
        let ran = run(["grade", &next[1], "--json", "-"]);
        assert!(ran.code <= 1, "{}", ran.stderr);
        for testcase in ran.json()["bots"][0]["testcases"].as_array().unwrap() {
            for round in testcase["rounds"].as_array().unwrap() {
                assert!(round["blame"].is_null(), "{game}: {round:#}");
            }
        }
        let readme = std::fs::read_to_string(format!("{bot}/README.md")).unwrap();
        let share = "rounds, so a round has about ";
        assert!(readme.contains(share), "{bot}: {readme}");
        says(&readme, &["judge watch bot.wat", "RULES.md", "## Requirements\n\nNothing"]);
        let boards = match game {
            "amazons" | "cc" => Some("* `size` is 6 in `01-first-steps`"),
            "agamemnon" => Some("loom in `03-loom`"),
            "patchwork" => Some("* `seven_by_seven` is "),
            _ => None,
        };
        assert_eq!(readme.contains("## Boards"), boards.is_some(), "{game}");
        says(&readme, boards.as_slice());
        assert!(std::fs::read_to_string(format!("{bot}/RULES.md")).unwrap().contains("## "));
    }
}

/// Answers each `move? …` with `x`.
const SAME_ANSWER: &str = ";; judge: game=amazons
    (module (memory (export \"memory\") 2)
      (func (export \"judge_buffer\") (result i32) i32.const 1024)
      (func (export \"judge_line\") (param i32) (result i32)
        (if (i32.ne (i32.load8_u (i32.const 1028)) (i32.const 63)) (then (return (i32.const 0))))
        (i32.store8 (i32.const 1024) (i32.const 120))
        i32.const 1))";

#[test]
fn a_bot_with_illegal_answers_gets_the_list_of_boards() {
    let folder = tempfile::tempdir().unwrap();
    // It gives the same answer on every board, which is never a legal move, so the board is not the
    // cause.
    let bot = write(folder.path(), "bot.wat", SAME_ANSWER);
    let ran = run(["grade".as_ref(), bot.as_os_str()]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(!ran.stdout.contains("in this suite"), "on the usual board, too: {}", ran.stdout);
    let ran = run(["grade", bot.to_str().unwrap(), "--testcase", "01", "--testcase", "07"]);
    says(&ran.stdout, &["(`game amazons …`)", "  `size` is 6 in all testcases"]);
    let ran = run(["grade".as_ref(), bot.as_os_str(), "--suite".as_ref(), "mahjong".as_ref()]);
    assert!(!ran.stdout.contains("in this suite"), "one board: {}", ran.stdout);
    // A missing answer has nothing to do with the board.
    let text = crate::support::SILENT_BOT;
    let bot = write(folder.path(), "silent.wat", format!(";; judge: game=amazons\n{text}"));
    let ran = run(["grade", bot.to_str().unwrap(), "--testcase", "1"]);
    assert!(!ran.stdout.contains("in this suite"), "{}", ran.stdout);
}

#[test]
fn new_overwrites_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let bot = folder.path().join("my-bot");
    let arguments = |lang: &str| {
        let words = ["--game", "cc", "--lang", lang].map(str::to_owned);
        [vec!["new".to_owned(), bot.to_str().unwrap().to_owned()], words.to_vec()].concat()
    };
    assert_eq!(run(arguments("c")).code, 0);
    write(&bot, "bot.c", "mine");
    for lang in ["c", "rust"] {
        let ran = run(arguments(lang));
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
        says(&ran.stderr, &["my-bot` exists and is not empty", "nothing was written"]);
    }
    assert_eq!(std::fs::read(bot.join("bot.c")).unwrap(), b"mine");
    assert!(!bot.join("Cargo.toml").exists());
    // An existing file of that name stays, too; an empty folder is used.
    let file = write(folder.path(), "file", "mine");
    let ran = run(["new", file.to_str().unwrap(), "--game", "cc", "--lang", "c"]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    assert_eq!(run(["new", empty.to_str().unwrap(), "--game", "cc", "--lang", "c"]).code, 0);
}

#[test]
fn unknown_games_and_languages_get_a_suggestion() {
    let folder = tempfile::tempdir().unwrap();
    let new = |name: &str, game: &str, lang: &str| {
        let path = folder.path().join(name);
        let ran = run(["new", path.to_str().unwrap(), "--game", game, "--lang", lang]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{game} {lang}");
        assert!(!path.exists());
        ran.stderr
    };
    says(&new("a", "amazon", "c"), &["unknown game `amazon`", "did you mean `amazons`?", "`cc`"]);
    says(&new("a", "chess", "c"), &["available games: `mahjong`, `patchwork`"]);
    says(&new("a", "cc", "rustt"), &["language `rustt`", "did you mean `rust`?", "`zig`"]);
    says(&new("a", "cc", "cobol"), &["The languages are `c`, `cpp`, `rust`"]);
    says(&new("3 bots", "cc", "c"), &["not a valid bot name", "begin with a letter"]);
}

#[test]
fn aliases_of_a_language_are_accepted() {
    let folder = tempfile::tempdir().unwrap();
    for (lang, file) in [("C++", "brain.cpp"), ("ts", "bot.ts"), ("rs", "src/main.rs")] {
        let path = folder.path().join(file.replace(['.', '/'], "-"));
        let ran = run(["new", path.to_str().unwrap(), "--game", "mahjong", "--lang", lang]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(path.join(file).is_file(), "{file}");
    }
}
