//! The scores of other answers: exact, complete, and the same every time.

use std::path::Path;

use judge_core::{Call, Limits, Options, Player, Replay, RoundRecord, Seat, Seed};
use judge_games::GameState;
use judge_referee::Observer;
use judge_runner::rounds::explain::{self, ExplainedMove, Outcome, Request};
use judge_runner::rounds::play::{self, RoundSetup};
use judge_sandbox::{BotPlayer, Compiled, Sandbox};

use crate::support::{sample, write};
use crate::{Heard, workers};

/// A request for a round against the game's weakest opponent.
fn request(bot: &Path, game: &str, seat: Seat, page: &Path) -> Request {
    let setting = RoundSetup {
        game: Some(game.to_owned()),
        options: Options::new(),
        seed: Seed(3),
        against: None,
        seat,
        limits: Limits::COURSE,
        beginning: Vec::new(),
    };
    let (bot, page) = (bot.to_owned(), Some(page.to_owned()));
    Request { bot, setting, worst_of: None, rounds: Some(60), moves: 50, page }
}

fn explained(request: &Request) -> Outcome {
    explain::run(request, &workers(), &mut Heard::default()).unwrap()
}

/// The round with the other answer to a move, as it was written next to the page.
fn other(folder: &Path, one: &ExplainedMove) -> RoundRecord {
    let file = folder.join(format!("round-rounds/other-move-{}.jsonl", one.number));
    let replay = Replay::read(&std::fs::read_to_string(file).unwrap()).unwrap();
    replay.check_seal().unwrap();
    replay.record
}

/// Sends a player its lines of a round, and compares its answers and costs with the round's, except
/// at this call, which it answers with `own`.
fn follow(player: &mut dyn Player, seat: Seat, record: &RoundRecord, except: usize, own: &str) {
    for (at, Call { line, answer, fuel, .. }) in
        record.calls.iter().enumerate().filter(|(_, call)| call.seat == seat)
    {
        let Some(answer) = answer else {
            assert_eq!(player.notice(line).unwrap(), *fuel, "call {at}");
            continue;
        };
        let mut said = String::new();
        assert_eq!(player.ask(line, &mut said).unwrap(), *fuel, "call {at}");
        assert_eq!(said, if at == except { own } else { answer.as_str() }, "call {at}");
    }
}

#[test]
fn a_tried_answer_is_scored_like_a_round_played_with_it() {
    let sandbox = Sandbox::new().unwrap();
    let bots = [
        ("mahjong-distance", "mahjong", Seat::Two),
        ("patchwork-first-fit", "patchwork", Seat::One),
        ("agamemnon-crossroads", "agamemnon", Seat::Two),
        ("cc-runner", "cc", Seat::One),
        ("amazons-open", "amazons", Seat::One),
    ];
    let mut followed = 0;
    for (name, game, seat) in bots {
        let folder = tempfile::tempdir().unwrap();
        let outcome =
            explained(&request(&sample(name), game, seat, &folder.path().join("round.html")));
        assert_eq!(outcome.tried, 60.min(outcome.others), "{name}");
        let module = Compiled::new(&sandbox, &std::fs::read(sample(name)).unwrap()).unwrap();
        for one in outcome.costliest.iter().map(|at| &outcome.moves[*at]) {
            let record = other(folder.path(), one);
            let answer = record.calls[one.call].answer.as_deref().unwrap();
            let trial = one.tried.iter().find(|trial| trial.answer == answer).unwrap();
            assert_eq!(record.trailer.outcome.score(seat), trial.score, "{name}");
            assert_eq!(record.calls[..one.call], outcome.record.calls[..one.call], "{name}");
            let spec = &record.header.spec;
            let mut bot = BotPlayer::new(&module, spec.limits).seeded(spec.seed, seat);
            follow(&mut bot, seat, &record, one.call, &one.answer);
            let (rules, rival) = (judge_referee::find(game).unwrap(), seat.other());
            let mut opponent =
                judge_referee::reference(rules, spec.seat(rival).name(), rival, spec.seed).unwrap();
            follow(opponent.as_mut(), rival, &record, usize::MAX, "");
            followed += 1;
        }
    }
    assert!(followed >= 5, "{followed}");
}

/// The notices that a new player of a seat gets after the call at `index`.
struct Retold {
    seat: Seat,
    index: usize,
    calls: usize,
    lines: Vec<String>,
}

impl Observer for Retold {
    fn called(&mut self, _: Seat, _: &str, _: Option<&str>, _: Option<u64>, state: &dyn GameState) {
        if self.calls == self.index + 1 {
            self.lines = state.resume_notices(self.seat).unwrap();
        }
        self.calls += 1;
    }

    fn failed(&mut self, _: Seat, _: &str, _: &dyn GameState) {}
}

#[test]
fn a_bot_with_memory_continues_with_its_own_hand() {
    let folder = tempfile::tempdir().unwrap();
    let (name, seat) = ("mahjong-distance", Seat::One);
    let page = folder.path().join("round.html");
    let request = Request { rounds: None, ..request(&sample(name), "mahjong", seat, &page) };
    let outcome = explained(&request);
    let unlucky = outcome.moves.iter().flat_map(|one| &one.tried).filter(|one| one.score == 0);
    assert!(unlucky.count() * 2 < outcome.tried, "most rounds are won all the same");
    let sandbox = Sandbox::new().unwrap();
    let module = Compiled::new(&sandbox, &std::fs::read(sample(name)).unwrap()).unwrap();
    assert!(!outcome.costliest.is_empty(), "at least one gains on average");
    for one in outcome.costliest.iter().map(|at| &outcome.moves[*at]) {
        let mut record = other(folder.path(), one);
        assert_eq!(record.trailer.fault, None, "move {}", one.number);
        let transcript = judge_referee::transcript_of(&record);
        let mut retold = Retold { seat, index: one.call, calls: 0, lines: Vec::new() };
        judge_referee::walk(&record.header.spec, &transcript, &mut retold).unwrap();
        let mut bot = BotPlayer::new(&module, record.header.spec.limits);
        bot.notice(&record.calls[0].line).unwrap();
        retold.lines.iter().for_each(|line| assert!(bot.notice(line).is_ok()));
        record.calls.drain(..=one.call);
        follow(&mut bot, seat, &record, usize::MAX, "");
    }
}

#[test]
fn a_tried_move_keeps_the_answers_before_it() {
    let play = |bot: &str, beginning: Vec<String>| {
        let request = request(&sample(bot), "mahjong", Seat::One, Path::new("unused"));
        let setting = RoundSetup { beginning, ..request.setting };
        let request = play::Request { bot: request.bot, setting };
        play::run(&request, &workers(), &mut Heard::default()).unwrap().record
    };
    let saved = play("mahjong-distance", Vec::new());
    let answers: Vec<String> = saved.calls.iter().filter_map(|call| call.answer.clone()).collect();
    assert_eq!(play("mahjong-distance", answers[..20].to_vec()), saved);
    let other = play("mahjong-straightforward", answers[..20].to_vec());
    let said: Vec<String> = other.calls.iter().filter_map(|call| call.answer.clone()).collect();
    assert_eq!(said[..20], answers[..20]);
    assert_ne!(said[20..], answers[20..]);
    assert_eq!(other.trailer.fault, None, "it has the hand of the saved round");
}

#[test]
fn the_number_of_workers_does_not_change_an_explanation() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("round.html");
    let request = request(&sample("mahjong-straightforward"), "mahjong", Seat::One, &page);
    let mut pages = Vec::new();
    let documents = [1, 2].map(|jobs| {
        let workers = workers().with_jobs(jobs);
        let outcome = explain::run(&request, &workers, &mut Heard::default()).unwrap();
        pages.push(std::fs::read_to_string(&page).unwrap());
        serde_json::to_string(&outcome).unwrap() + &outcome.to_text()
    });
    assert_eq!(documents[0], documents[1]);
    assert_eq!(pages[0], pages[1]);
}

#[test]
fn only_games_with_hidden_tiles_are_averaged_over_luck() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("round.html");
    let averaged = |name: &str, game: &str| {
        let outcome = explained(&request(&sample(name), game, Seat::One, &page));
        let averages = outcome.moves.iter().filter(|one| one.average.is_some()).count();
        (outcome.has_luck, averages > 0, outcome.to_text().contains("on average"))
    };
    assert_eq!(averaged("mahjong-distance", "mahjong"), (true, true, true));
    assert_eq!(averaged("cc-runner", "cc"), (false, false, false));
}

#[test]
fn legal_answers_are_tried_instead_of_an_illegal_one() {
    let text = r#"(module (memory (export "memory") 1) (data (i32.const 0) "z9z9")
        (func (export "judge_buffer") (result i32) (i32.const 16))
        (func (export "judge_line") (param i32) (result i32)
            (local $kind i32) (local.set $kind (i32.load8_u (i32.const 16)))
            (memory.copy (i32.const 16) (i32.const 0) (i32.const 4))
            (i32.mul (i32.const 4) (i32.eq (local.get $kind) (i32.const 109)))))"#;
    let folder = tempfile::tempdir().unwrap();
    let bot = write(folder.path(), "wrong.wasm", wat::parse_str(text).unwrap());
    let page = folder.path().join("round.html");
    let outcome = explained(&request(&bot, "cc", Seat::One, &page));
    assert_eq!(outcome.score, 0);
    assert_eq!(outcome.moves.len(), 1, "the first answer ends the round");
    assert!(outcome.moves[0].tried.len() > 5, "{:?}", outcome.moves[0]);
}

#[test]
fn a_failing_listener_ends_the_explanation() {
    let folder = tempfile::tempdir().unwrap();
    let request = request(&sample("cc-runner"), "cc", Seat::One, &folder.path().join("round.html"));
    let ended = explain::run(&request, &workers(), &mut crate::Deaf).err().unwrap();
    assert!(ended.to_string().contains("deaf"), "{ended}");
}
