//! `judge build --native`: the program of a new bot answers as its module does.

use std::path::Path;

use judge_core::{Call, RoundRecord};

use crate::support::{judge, run};

/// Languages with programs for this machine.
pub(crate) const LANGUAGES: &[&str] = &["c", "cpp", "rust", "zig", "go"];

const GAMES: &[&str] = &["mahjong", "cc"];

const SEEDS: &[&str] = &["3", "4"];

/// Builds a new bot as a module and as a program, and compares all lines of the same rounds.
pub(crate) fn answers_as_its_module_does(language: &str) {
    for game in GAMES {
        let folder = tempfile::tempdir().unwrap();
        let inside = |arguments: &[&str]| {
            let ran = judge().args(arguments).current_dir(folder.path()).output().unwrap();
            assert!(
                ran.status.success(),
                "{arguments:?}: {}",
                String::from_utf8_lossy(&ran.stderr)
            );
        };
        inside(&["new", "bot", "--lang", language, "--game", game]);
        let source = match (language, *game) {
            ("rust" | "go", _) => "bot",
            ("cpp", "mahjong") => "bot/brain.cpp",
            ("c", _) => "bot/bot.c",
            ("cpp", _) => "bot/bot.cpp",
            (_, _) => "bot/bot.zig",
        };
        inside(&["build", source, "-o", "module.wasm"]);
        inside(&["build", "--native", source, "-o", "program"]);
        let path = |name: &str| folder.path().join(name);
        let program = path("program");
        for seed in SEEDS {
            let module = played(&[path("module.wasm").to_str().unwrap()], game, seed, &path("a"));
            let native = played(&["--native", program.to_str().unwrap()], game, seed, &path("b"));
            assert!(module.calls.iter().any(|call| call.answer.is_some()));
            assert_eq!(lines(&native), lines(&module), "{language}, {game}, seed {seed}");
            assert_eq!(native.trailer.outcome, module.trailer.outcome);
        }
    }
}

fn played(player: &[&str], game: &str, seed: &str, replay: &Path) -> RoundRecord {
    // Go needs more memory than the default.
    let setting = ["--game", game, "--seed", seed, "--memory-kib", "16384", "--replay"];
    let replay_text = replay.to_str().unwrap();
    let arguments =
        ["play"].iter().chain(player).chain(&setting).chain(std::iter::once(&replay_text));
    let ran = run(arguments);
    assert!(ran.code <= 1, "{}", ran.stderr);
    RoundRecord::from_replay(&std::fs::read_to_string(replay).unwrap()).unwrap()
}

/// All lines and answers, without costs.
fn lines(record: &RoundRecord) -> Vec<Call> {
    record.calls.iter().map(|call| Call { fuel: None, ..call.clone() }).collect()
}
