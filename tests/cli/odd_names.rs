//! Names of bots that begin with dashes or contain control characters: in printed commands and in
//! JSON.
#![cfg(unix)]

use std::process::Command;

use serde_json::Value;

use crate::support::{Ran, judge, sample, write};

/// A name that looks like an option.
const OPTION: &str = "--replay=evil";

/// A name that reverses the text after it, and one that colors a terminal.
const TURNS: &str = "a\u{202e}b\u{1b}[31m";

/// A folder with a bot of that name.
fn folder(name: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let bot = folder.path().join(format!("{name}.wasm"));
    std::fs::create_dir_all(bot.parent().unwrap()).unwrap();
    std::fs::copy(sample("mahjong-straightforward"), bot).unwrap();
    folder
}

fn run(folder: &tempfile::TempDir, arguments: &[&str]) -> Ran {
    judge().current_dir(folder.path()).args(arguments).output().unwrap().into()
}

#[test]
fn a_name_like_an_option_is_quoted_in_printed_commands() {
    let folder = folder(OPTION);
    let bot = format!("./{OPTION}.wasm");
    let play = ["tournament", &bot, "distance", "random", "--rounds=8", "--seed=1"];
    let ran = run(&folder, &[&play[..], &["--journal=t.journal"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let command = ran.stderr.lines().find_map(|line| line.split_once(", as pages: ")).unwrap().1;
    assert!(command.contains("--player=--replay=evil --worst"), "{command}");
    let program = judge().get_program().to_owned();
    let bin = std::path::Path::new(&program).parent().unwrap().display().to_string();
    let path = format!("{bin}:{}", std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    let pasted: Ran = shell
        .current_dir(folder.path())
        .env("PATH", path)
        .args(["-c", command])
        .output()
        .unwrap()
        .into();
    assert_eq!(pasted.code, 0, "{command}: {}", pasted.stderr);
    assert!(folder.path().join("worst-replays/index.html").is_file());
}

/// True if nothing in the text changes how a terminal shows the rest of it.
fn is_plain(text: &str) -> bool {
    text.chars().all(|c| c == '\n' || !judge_core::steers(c))
}

#[test]
fn reports_and_journals_of_a_course_have_no_control_characters() {
    let folder = folder(&format!("in/{TURNS}"));
    let suite = folder.path().join("suite");
    std::fs::create_dir(&suite).unwrap();
    write(&suite, "suite.toml", "title = \"x\"\n");
    write(
        &suite,
        "01.toml",
        "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nseeds = [1]\n\
         min_score = 0\npoints = 1\n",
    );
    let ran = run(&folder, &["grade", "in", "--suite=./suite", "--out=out"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let out = folder.path().join("out");
    let text = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
    let report =
        std::fs::read_dir(out.join("students")).unwrap().map(|entry| entry.unwrap().path());
    let report = report.into_iter().find(|path| path.extension().unwrap() == "json").unwrap();
    let files = [text("journal.jsonl"), std::fs::read_to_string(&report).unwrap()];
    for text in &files {
        assert!(is_plain(text) && text.contains("a\\u202eb"), "{text}");
    }
    let report = report.display().to_string();
    let shown = run(&folder, &["report", &report]);
    assert_eq!(shown.code, 0, "it can be read: {}", shown.stderr);
}

#[test]
fn json_has_no_control_characters() {
    let folder = folder(TURNS);
    let bot = format!("{TURNS}.wasm");
    let both = [&bot, "random", "--seed=1", "--rounds=4"];
    let out = folder.path().join("x.json");
    for command in ["match", "tournament"] {
        let journal = format!("--journal={command}.journal");
        let ran = run(&folder, &[&[command][..], &both, &[&journal, "--json=-"]].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let written = run(&folder, &[&[command][..], &both, &["--json=x.json"]].concat());
        assert_eq!(written.code, 0, "{}", written.stderr);
        let file = std::fs::read_to_string(&out).unwrap();
        let journal = format!("{command}.journal");
        let report = run(&folder, &["report", &journal, "--to=json"]).stdout;
        for text in [&ran.stdout, &file, &report] {
            assert!(is_plain(text), "{text:?}");
            let json: Value = serde_json::from_str(text).unwrap();
            assert_eq!(json["players"][0]["name"], TURNS, "the same name for whoever reads it");
        }
        let holds = run(&folder, &["verify", "x.json", &bot, "--json=-"]);
        assert_eq!(holds.code, 0, "{}", holds.stdout);
        assert!(is_plain(&holds.stdout), "{:?}", holds.stdout);
    }
}
