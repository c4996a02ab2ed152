//! Fuel by function adds up to the cost of rounds, and stack traces have line numbers.

use std::path::{Path, PathBuf};

use judge_core::{Blame, Limits, Options, Seat, Seed};
use judge_runner::Error;
use judge_runner::grade;
use judge_runner::rounds::play::{self, RoundSetup};
use judge_runner::rounds::profile::{self, Outcome, ProfiledRounds, Request};
use judge_runner::suites::SuiteChoice;

use crate::support::{root, sample};
use crate::{Heard, workers};

fn setting(game: &str, seat: Seat) -> RoundSetup {
    RoundSetup {
        game: Some(game.to_owned()),
        options: Options::new(),
        seed: Seed(3),
        against: None,
        seat,
        limits: Limits::COURSE,
        beginning: Vec::new(),
    }
}

fn measure(bot: &Path, rounds: ProfiledRounds, ply: Option<usize>) -> Result<Outcome, Error> {
    let request = Request { bot: bot.to_owned(), rounds, ply };
    profile::run(&request, &workers(), &mut Heard::default())
}

fn played(bot: &Path, setting: RoundSetup) -> play::Outcome {
    let request = play::Request { bot: bot.to_owned(), setting };
    play::run(&request, &workers(), &mut Heard::default()).unwrap()
}

/// Every sample bot, with its game.
fn samples() -> Vec<(String, PathBuf)> {
    let folder = root().join("sample-bots/prebuilt");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let modules = paths.filter(|path| path.extension().is_some_and(|ending| ending == "wasm"));
    let game = |path: &Path| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        name.split('-').next().unwrap().to_owned()
    };
    modules.map(|path| (game(&path), path)).collect()
}

#[test]
fn fuel_of_functions_adds_up_to_the_round() {
    let samples = samples();
    assert!(samples.len() > 10, "{samples:?}");
    for (game, bot) in samples {
        let round = played(&bot, setting(&game, Seat::One));
        let outcome =
            measure(&bot, ProfiledRounds::Single(setting(&game, Seat::One)), None).unwrap();
        let spent = round.record.fuel(Seat::One);
        assert_eq!(outcome.profile.fuel(), spent, "{}", bot.display());
        let of_chains: u64 = outcome.profile.paths.iter().map(|path| path.own).sum();
        assert_eq!(of_chains, spent, "{}", bot.display());
        assert_eq!(outcome.blame(), None);
    }
}

#[test]
fn fuel_of_moves_adds_up_to_the_round() {
    for (name, seat) in [("cc-runner", Seat::One), ("cc-stdio-c", Seat::Two)] {
        let bot = sample(name);
        let round = played(&bot, setting("cc", seat)).record;
        let answered = round.calls.iter().filter(|call| call.answer.is_some());
        let mut own = 0;
        for (call, ply) in answered.zip(1..) {
            let outcome = measure(&bot, ProfiledRounds::Single(setting("cc", seat)), Some(ply));
            if call.seat == seat {
                assert_eq!(Some(outcome.unwrap().profile.fuel()), call.fuel, "move {ply}");
                own += 1;
            } else {
                let error = outcome.unwrap_err();
                assert_eq!(error.to_string(), format!("move {ply} is the opponent's"));
                assert!(error.hint().unwrap().starts_with("the bot's nearest move is `--ply "));
            }
            if own == 3 {
                break;
            }
        }
        assert_eq!(own, 3);
    }
}

#[test]
fn the_profile_of_a_testcase_sums_its_graded_rounds() {
    let bot = sample("cc-runner");
    let file = root().join("testcases/cc/01-first-steps.toml");
    let suite = SuiteChoice::Testcases(vec![file.clone()]);
    let request = grade::Request { bots: vec![bot.clone()], suite, ..grade::Request::default() };
    let graded = grade::run(&request, &workers(), &mut Heard::default()).unwrap().report;
    let case = &graded.bots[0].testcases[0];
    let rounds = |testcase: PathBuf, round| ProfiledRounds::Testcase { testcase, round };
    let all = measure(&bot, rounds(file.clone(), None), None).unwrap();
    assert_eq!(all.profile.fuel(), case.fuel);
    let by_name = measure(&bot, rounds("01-first-steps".into(), None), None).unwrap();
    assert_eq!(by_name, all, "the same in the bundled suite");
    let second = measure(&bot, rounds(file.clone(), Some(2)), None).unwrap();
    assert_eq!(second.profile.fuel(), case.rounds[1].fuel);

    let wrong = [
        measure(&bot, rounds(file.clone(), Some(99)), None),
        measure(&bot, rounds("01-fir".into(), None), None),
        measure(&bot, rounds(file, None), Some(1)),
        measure(&bot, ProfiledRounds::Single(setting("cc", Seat::One)), Some(9999)),
    ];
    let wrong = wrong.map(|outcome| outcome.unwrap_err().to_string());
    let expected = [
        "round 99 does not exist: `01-first-steps` has 6",
        "no testcase `01-fir`",
        "`--ply` needs a round",
        "move 9999 does not exist: the round has ",
    ];
    for (wrong, expected) in std::iter::zip(wrong, expected) {
        assert!(wrong.starts_with(expected), "{wrong}");
    }
}

#[test]
fn the_most_expensive_move_is_named_with_its_command() {
    let bot = sample("cc-runner");
    let round = played(&bot, setting("cc", Seat::One)).record;
    let outcome = measure(&bot, ProfiledRounds::Single(setting("cc", Seat::One)), None).unwrap();
    let text = outcome.to_text("'my bot.wasm'", 3);
    let answers = round.calls.iter().filter(|call| call.answer.is_some()).zip(1..);
    let own = answers.filter(|(call, _)| call.seat == Seat::One);
    let (costliest, ply) = own.reduce(|a, b| if b.0.fuel > a.0.fuel { b } else { a }).unwrap();
    let answer = costliest.answer.as_deref().unwrap();
    assert!(text.contains(&format!("move {ply}, `move?` -> `{answer}`: ")), "{text}");
    let command = format!(
        "judge profile 'my bot.wasm' --game cc --seed 3 --against random --seat 1 --ply {ply}\n"
    );
    assert!(text.ends_with(&command), "{text}");
}

#[test]
fn a_trap_has_its_file_and_line_outside_the_digest() {
    let folder = tempfile::tempdir().unwrap();
    let bot = folder.path().join("divides.wasm");
    let module = include_bytes!("../support/divides.wasm");
    std::fs::write(&bot, module).unwrap();
    let outcome = measure(&bot, ProfiledRounds::Single(setting("cc", Seat::One)), None).unwrap();
    assert_eq!(outcome.blame(), Some(Blame::Bot));
    let expected = "the bot failed: Runtime error: integer division by zero in function `divide`
  at divide (divides.c:8)
  at helper (divides.c:12)
  at think (divides.c:18)
  at judge_line (divides.c:26)\n";
    assert!(outcome.to_text("bot", 9).contains(expected), "{}", outcome.to_text("bot", 9));

    let round = played(&bot, setting("cc", Seat::One));
    assert_eq!(round.trace.len(), 4);
    let detail = round.record.trailer.fault.as_ref().unwrap().detail.to_string();
    assert_eq!(detail, "integer division by zero in function `divide`");
    assert!(!round.replay().contains("divides.c"), "lines are no part of the record");
}

#[test]
fn a_trap_without_debug_information_has_its_functions() {
    let text = r#"(module (memory (export "memory") 1)
        (func $think (result i32) unreachable)
        (func (export "judge_buffer") (result i32) i32.const 0)
        (func (export "judge_line") (param i32) (result i32) (call $think)))"#;
    let folder = tempfile::tempdir().unwrap();
    let bot = folder.path().join("bot.wasm");
    std::fs::write(&bot, wat::parse_str(text).unwrap()).unwrap();
    let outcome = measure(&bot, ProfiledRounds::Single(setting("cc", Seat::One)), None).unwrap();
    let text = outcome.to_text("bot", 9);
    assert!(text.contains("in function `think`\n  at think\n  at judge_line\n"), "{text}");
    let round = played(&bot, setting("cc", Seat::One));
    assert_eq!(round.trace, ["at think", "at judge_line"]);
}
