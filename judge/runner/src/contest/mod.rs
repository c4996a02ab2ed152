//! Common parts of matches and tournaments: the players, the rounds to play, and their files.

pub mod ladder;
pub mod match_bots;
mod outlook;
mod players;
pub mod record;
mod request;
mod saved;
mod saved_pairs;
mod seed;
mod start_position;
mod starts;
mod steps;
mod table;
pub mod tournament;
pub mod train;
mod unfinished;

use judge_arena::{MeetingNote, Pairing, PlayedNote, Run, identity};
use judge_core::{Fingerprint, Limits, Options, SeatSpec, Seed};
use judge_games::Game;
use judge_grading::time_argument;
use judge_referee::SetupError;
use judge_report::quoted;
use serde_json::{Value, json};

use crate::Error;
pub(crate) use outlook::{Outlook, note_of_luck};
pub(crate) use players::Players;
pub use request::{ContestRequest, PageRequest, WhichPages};
pub(crate) use saved::Saved;
pub(crate) use saved_pairs::{SavedPair, SavedPairs};
pub use start_position::StartPosition;
pub(crate) use starts::{Starts, key as start_key};
pub(crate) use steps::{tell_match, tell_round};
pub use table::Rows;
pub(crate) use table::{RoundTable, SavedRows, WithRows, place_of, round_number, row};
pub use unfinished::KeptRounds;

/// Maximum number of players of a tournament, because each two of them may meet.
pub(crate) const MOST_PLAYERS: usize = 256;

/// Checks that these players can play with these rules, and pairs the first two.
pub(crate) fn pair_up(
    players: &Players,
    options: Options,
    seed: u64,
    limits: Limits,
) -> Result<Pairing, Error> {
    players.check(&limits)?;
    players.game.start(&options, Seed(0)).map_err(SetupError::from)?;
    players.check_tables(&options)?;
    Ok(Pairing {
        game: players.game.name().to_owned(),
        options,
        seed: Seed(seed),
        limits,
        players: [0, 1].map(|player| players.seat(player)),
        modules: [0, 1].map(|player| players.module(player)),
    })
}

/// The plan in the journal: game, players, seed and limits. It excludes the number of rounds, so
/// that a run can be extended.
pub(crate) fn plan(command: &str, pairing: &Pairing, players: &Players) -> Value {
    let identities = (0..players.count()).map(|player| identity(&players.seat(player)));
    json!({
        "command": command,
        "game": pairing.game,
        "options": pairing.options,
        "seed": pairing.seed,
        "limits": pairing.limits,
        "players": identities.collect::<Vec<_>>(),
    })
}

/// A player's identity and name.
pub(crate) fn player(player: &SeatSpec) -> Value {
    let mut value = identity(player);
    value["name"] = json!(player.name());
    value
}

/// The opening of that pair: the state at the first question.
pub(crate) fn opening(game: &dyn Game, pairing: &Pairing, pair: u64) -> Option<String> {
    let mut running = game.start(&pairing.options, pairing.seed(pair)).ok()?;
    judge_games::next_question(running.as_mut(), &mut String::new());
    Some(running.state())
}

/// Facts about judge, limits and players for a page: names and values.
pub(crate) fn facts(
    fingerprint: &Fingerprint,
    pairing: &Pairing,
    seats: &[SeatSpec],
) -> Vec<(String, String)> {
    let limits = &pairing.limits;
    let time = judge_report::fuel_as_ms(limits.fuel);
    let limits = format!("{time} and {} a round", judge_report::kib(limits.memory_bytes));
    let mut facts = vec![
        ("Judge".to_owned(), fingerprint.judge.clone()),
        ("Engine".to_owned(), fingerprint.engine.clone()),
        ("Limits of a bot".to_owned(), limits),
        ("Repeated with".to_owned(), format!("--seed {}", pairing.seed)),
    ];
    facts.extend(seats.iter().map(|seat| {
        let who = match seat {
            SeatSpec::Bot { sha256, .. } => format!("module {sha256}"),
            SeatSpec::Trained { sha256, .. } => format!("table {sha256}"),
            SeatSpec::Reference { .. } | SeatSpec::Human { .. } | SeatSpec::Native { .. } => {
                "reference opponent".to_owned()
            }
        };
        (seat.name().to_owned(), who)
    }));
    facts
}

/// The command of a match between these two, without its outputs. The players are given as shell
/// words.
pub(crate) fn match_command(players: [&str; 2], pairing: &Pairing) -> String {
    let mut words: Vec<String> = vec!["judge match".to_owned()];
    words.extend(players.map(quoted));
    words.push(format!(
        "--game {}{}",
        pairing.game,
        crate::tools::rules::switches(&pairing.options)
    ));
    words.push(format!("--seed {}", pairing.seed));
    let Limits { fuel, memory_bytes, .. } = pairing.limits;
    if fuel != Limits::COURSE.fuel {
        words.push(time_argument(fuel));
    }
    if memory_bytes != Limits::COURSE.memory_bytes {
        words.push(format!("--memory-kib {}", memory_bytes / 1024));
    }
    words.join(" ")
}

/// Notes in the journal, if there is one, which rounds count.
pub(crate) fn note_played(
    run: &Run,
    players: &Players,
    meetings: Vec<MeetingNote>,
    asked: Value,
) -> Result<(), Error> {
    let Some(journal) = run.journal() else { return Ok(()) };
    let names = (0..players.count()).map(|player| players.seat(player).name().to_owned());
    Ok(PlayedNote { names: names.collect(), meetings, asked }.write(journal)?)
}

/// The number of pairs in that many rounds.
pub(crate) fn pairs(rounds: u64) -> Result<u64, Error> {
    if rounds % 2 == 1 {
        let what = format!("`--rounds {rounds}` is odd: each seed is played from both seats");
        return Err(Error::usage(what, format!("`--rounds {}`", rounds + 1)));
    }
    Ok(rounds / 2)
}
