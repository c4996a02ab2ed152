//! Results that cannot be written: a wrong path is the user's mistake (exit code 3), a full disk is
//! not (4).

use crate::support::{Ran, run, sample, write};

const TESTCASE: &str = "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nseeds = [1]\n\
                        min_score = 1\npoints = 10\n";

/// The only part of a tournament.
const PART: &str = "tournament random distance --game mahjong --rounds 2 --seed 1 --shard 1/1 \
                    --journal part.jsonl";

/// All input files of commands, in one folder.
struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Files {
        let files = Files(tempfile::tempdir().unwrap());
        let folder = files.0.path();
        files.suite("key.txt");
        assert_eq!(files.run("commit suite --new-key key.txt --out promise.json").code, 0);
        write(folder, "case.toml", TESTCASE);
        std::fs::copy(sample("mahjong-distance"), folder.join("bot.wasm")).unwrap();
        assert_eq!(files.run("grade bot.wasm --testcase case.toml --json report.json").code, 0);
        assert_eq!(files.run("play bot.wasm --replay round.jsonl").code, 0);
        assert_eq!(files.run(PART).code, 0);
        write(folder, "file", "in the way");
        files
    }

    /// Writes a suite with a key at that path.
    fn suite(&self, key: &str) {
        let folder = self.0.path().join("suite");
        std::fs::create_dir_all(&folder).unwrap();
        let suite = format!("title = \"x\"\n[hidden]\nkey = \"../{key}\"\n");
        write(&folder, "suite.toml", suite);
        write(&folder, "01.toml", TESTCASE.replace("seeds = [1]", "rounds = 1"));
        write(&folder, "02.toml", TESTCASE);
    }

    /// Runs a command. Arguments with a dot, and the suite, are files of this folder.
    fn run(&self, command: &str) -> Ran {
        let place = |word: &str| self.0.path().join(word).display().to_string();
        run(command.split(' ').map(|word| match word.split_once('=') {
            _ if word.starts_with('/') || word == "1/1" => word.to_owned(),
            Some((format, path)) if path.contains('/') => format!("{format}={}", place(path)),
            _ if word.contains('.') || word.contains('/') || word == "suite" => place(word),
            _ => word.to_owned(),
        }))
    }
}

/// Commands that write a file to `OUT`.
const FILES: [&str; 26] = [
    "grade bot.wasm --testcase case.toml --json OUT",
    "grade bot.wasm --testcase case.toml --junit OUT",
    "grade bot.wasm --testcase case.toml --report markdown=OUT",
    "report report.json --to csv=OUT",
    "scoreboard report.json --html OUT",
    "scoreboard report.json --json OUT",
    "calibrate bot.wasm --suite suite --rounds 50 --json OUT",
    "calibrate bot.wasm --suite suite --rounds 50 --markdown OUT",
    "compare bot.wasm bot.wasm --suite suite --rounds 10 --json OUT",
    "match random distance --game mahjong --rounds 2 --json OUT",
    "tournament random distance --game mahjong --rounds 2 --json OUT",
    "tournament random distance --game mahjong --rounds 2 --csv OUT",
    "tournament random distance --game mahjong --rounds 2 --markdown OUT",
    "tournament random distance --game mahjong --rounds 2 --html OUT",
    "tournament random distance --game mahjong --rounds 2 --svg OUT",
    "play bot.wasm --replay OUT",
    "play human --game cc --replay OUT",
    "replay round.jsonl --svg OUT",
    "replay round.jsonl --html OUT",
    "verify round.jsonl --json OUT",
    "rules show --game cc --svg OUT",
    "train amazons --board 4x4 --games 1 --out OUT",
    "export gradescope --suite amazons --out OUT",
    "commit suite --out OUT",
    "reveal suite --promise promise.json --out OUT",
    "record --game cc --players random,random --games 1 --format jsonl --out OUT",
];

/// Commands that create their output folder, or a new file.
const MADE: [&str; 6] = [
    "compare bot.wasm bot.wasm --suite suite --rounds 10 --html OUT",
    "match random distance --game mahjong --rounds 2 --journal OUT",
    "tournament random distance --game mahjong --rounds 2 --journal OUT",
    "grade bot.wasm --testcase case.toml --journal OUT",
    "grade bot.wasm --suite mahjong --out OUT",
    "merge part.jsonl --out OUT",
];

fn refused(files: &Files, command: &str, place: &str) {
    let ran = files.run(&command.replace("OUT", place));
    assert_eq!(ran.code, 3, "{command} to {place}: {}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("error: cannot "), "{command}: {}", ran.stderr);
    assert!(ran.stderr.contains(place) && ran.stderr.contains("hint: "), "{}", ran.stderr);
}

#[test]
fn a_path_that_cannot_be_written_is_invalid_input_in_every_command() {
    let files = Files::new();
    for command in FILES.iter().chain(&MADE) {
        refused(&files, command, "file/x");
        let makes_folders = ["record", "--suite mahjong --out", "merge", "--rounds 10 --html"];
        if !makes_folders.iter().any(|part| command.contains(part)) {
            refused(&files, command, "none/x");
        }
    }
    for place in ["file/x", "none/x"] {
        files.suite(place);
        refused(&files, "commit suite --new-key OUT", place);
    }
    assert!(!files.0.path().join("none").exists());
}

#[test]
fn no_command_overwrites_a_commitment() {
    let files = Files::new();
    let promise = "{\n  \"commitment\": 1,\n  \"suite\": \"mine\"\n}\n";
    let kept = write(files.0.path(), "kept.txt", promise);
    for command in FILES.iter().chain(&MADE) {
        let ran = files.run(&command.replace("OUT", "kept.txt"));
        assert!([2, 3].contains(&ran.code), "{command}: {}{}", ran.stdout, ran.stderr);
        assert_eq!(std::fs::read_to_string(&kept).unwrap(), promise, "{command}");
        assert!(ran.stderr.contains("kept.txt"), "{command}: {}", ran.stderr);
    }
}

#[test]
fn a_commitment_that_cannot_be_written_makes_no_key() {
    let files = Files::new();
    files.suite("new.txt");
    refused(&files, "commit suite --new-key new.txt --out OUT", "none/x");
    assert!(!files.0.path().join("new.txt").exists());
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_a_machine_error_in_every_command() {
    let files = Files::new();
    let full = std::path::Path::new("/dev/full").display().to_string();
    for command in FILES {
        // These need an existing folder, or other existing input.
        if ["play human", "record", "reveal", "commit"].iter().any(|one| command.starts_with(one)) {
            continue;
        }
        let ran = files.run(&command.replace("OUT", &full));
        assert_eq!(ran.code, 4, "{command}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains("`/dev/full`"), "{command}: {}", ran.stderr);
        assert!(ran.stderr.contains("hint: free disk space"), "{command}: {}", ran.stderr);
    }
}
