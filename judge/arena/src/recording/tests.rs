//! Tests that recordings depend only on the games, and that a player's fault differs from a failure
//! of the judge.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use judge_core::{BySeat, Fingerprint, Limits, Options, Seed, digest};
use judge_sandbox::worker::WorkerCommand;

use super::*;
use crate::pool::Pool;

/// A run with idle workers.
fn run(workers: usize) -> Run {
    let command = WorkerCommand {
        program: "/bin/false".into(),
        arguments: Vec::new(),
        identity: String::new(),
    };
    let fingerprint = Fingerprint { judge: "test".to_owned(), engine: "none".to_owned() };
    Run::new(Pool::new(command, workers, fingerprint))
}

fn reference(name: &str) -> SeatSpec {
    SeatSpec::Reference { name: name.to_owned() }
}

fn pairing(players: [SeatSpec; 2]) -> Pairing {
    let modules = players.each_ref().map(|player| player.is_bot().then_some(0));
    Pairing {
        game: "patchwork".to_owned(),
        options: Options::new(),
        seed: Seed(40),
        limits: Limits::COURSE,
        players,
        modules,
    }
}

/// One part.
fn alone(games: Range<u64>) -> [Range<u64>; 1] {
    [games]
}

/// Keeps everything, and ends the recording after `parts` parts.
struct Keeper {
    parts: Mutex<BTreeMap<usize, Vec<Recorded>>>,
    played: AtomicUsize,
    enough: usize,
}

impl Keeper {
    fn new(enough: usize) -> Keeper {
        Keeper { parts: Mutex::default(), played: AtomicUsize::new(0), enough }
    }

    fn parts(self) -> BTreeMap<usize, Vec<Recorded>> {
        self.parts.into_inner().expect("no panic")
    }
}

impl Recorder for Keeper {
    fn played(&self, _game: &Recorded) -> ControlFlow<()> {
        self.played.fetch_add(1, Ordering::Relaxed);
        ControlFlow::Continue(())
    }

    fn finished(&self, part: usize, games: Vec<Recorded>) -> ControlFlow<()> {
        let mut parts = self.parts.lock().expect("no panic");
        parts.insert(part, games);
        if parts.len() < self.enough { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

#[test]
fn parts_of_a_recording_do_not_depend_on_the_workers() {
    let pairing = pairing(["random", "first"].map(reference));
    let ranges = [0..3, 5..6, 6..10];
    let record = |workers| {
        let keeper = Keeper::new(9);
        pairing.record(&run(workers), &[], &ranges, &keeper).expect("a game");
        assert_eq!(keeper.played.load(Ordering::Relaxed), 8);
        keeper.parts()
    };
    let parts = record(1);
    assert!(parts == record(4));
    let games = parts.values().flatten().map(|game| game.as_ref().expect("no fault"));
    let seen: Vec<(u64, u64, &str)> =
        games.map(|game| (game.game, game.seed.0, game.players[0].as_str())).collect();
    assert_eq!(
        seen[..4],
        [(0, 40, "random"), (1, 41, "first"), (2, 42, "random"), (5, 45, "first")]
    );
}

#[test]
fn a_recorded_game_equals_a_single_round() {
    let pairing = pairing(["random", "first"].map(reference));
    let keeper = Keeper::new(9);
    pairing.record(&run(1), &[], &alone(1..2), &keeper).expect("a game");
    let parts = keeper.parts();
    let game = parts[&0][0].as_ref().expect("no fault");
    let spec = pairing.game(1).spec;
    let transcript = crate::play(&spec, BySeat::default(), &[]).expect("a game").transcript;
    let record = judge_referee::record(&spec, run(1).pool().fingerprint().clone(), &transcript)
        .expect("a game");
    assert_eq!(game.outcome, record.trailer.outcome);
    let answers: Vec<_> = record.calls.iter().filter_map(|call| call.answer.as_ref()).collect();
    assert_eq!(game.plies.iter().map(|ply| &ply.answer).collect::<Vec<_>>(), answers);
}

#[test]
fn a_listener_can_end_the_recording() {
    let pairing = pairing(["random", "first"].map(reference));
    let ranges: Vec<Range<u64>> = (0..50).map(|part| part..part + 1).collect();
    let keeper = Keeper::new(2);
    pairing.record(&run(1), &[], &ranges, &keeper).expect("a game");
    assert_eq!(keeper.parts().len(), 2);
}

#[test]
fn judge_errors_in_recorded_games_are_separate() {
    let bot = SeatSpec::Bot { name: "bot".to_owned(), sha256: digest(b"bot") };
    let keeper = Keeper::new(9);
    let failing = pairing([bot, reference("first")]);
    failing.record(&run(2), &[b"bot"], &alone(0..2), &keeper).expect("a game");
    let parts = keeper.parts();
    assert!(parts[&0].iter().all(|game| game.as_ref().is_err_and(|fault| fault.seat.is_none())));

    let unknown = pairing(["random", "dragon"].map(reference));
    let refused = unknown.record(&run(2), &[], &alone(0..9), &Keeper::new(9));
    assert!(matches!(refused, Err(ArenaError::Setup(SetupError::UnknownOpponent { .. }))));
}
