//! A match or tournament, read from its journal or JSON.

use std::path::Path;

use judge_arena::{MeetingNote, Pairing, RunKind};
use judge_core::{Fingerprint, Limits, Options, SeatSpec, Seed};
use judge_games::Game;
use judge_statistics::Sprt;
use serde::Deserialize;
use serde_json::{Value, json};

use super::MOST_PLAYERS;
use crate::Error;
use crate::rounds::source::Source;

/// Maximum number of pairs.
const MOST_PAIRS: u64 = 50_000_000;

/// Maximum number of pairs without any round in the file, because all pairs are visited.
const MOST_ABSENT: u64 = 100_000;

/// The saved data except the rounds.
pub(crate) struct Saved {
    pub(crate) game: &'static dyn Game,
    pub(crate) fingerprint: Fingerprint,
    /// The players as given.
    pub(crate) seats: Vec<SeatSpec>,
    /// The pairing of the first two players.
    pub(crate) pairing: Pairing,
    pub(crate) meetings: Vec<MeetingNote>,
    /// The request: `sprt` of a match; `format`, `rounds`, `byes` and `rating` of a tournament.
    pub(crate) asked: Value,
    /// The shard of a tournament, if it is one.
    pub(crate) shard: Option<String>,
}

/// The values that a plan and a document share.
#[derive(Deserialize)]
struct SharedPlan {
    game: String,
    options: Options,
    seed: Seed,
    limits: Limits,
}

/// A player of a plan.
#[derive(Deserialize)]
struct Planned {
    bot: Option<judge_core::Digest>,
    trained: Option<judge_core::Digest>,
    reference: Option<String>,
}

impl Saved {
    /// Reads a saved match or tournament; other files are refused.
    pub(crate) fn new(path: &Path, source: &Source) -> Result<Saved, Error> {
        let strange = |error: serde_json::Error| {
            Error::input(path, &format!("no judge writes this: {error}"))
        };
        let (value, fingerprint) = match source {
            Source::Journal(collection) => (collection.plan(), collection.fingerprint()),
            Source::Document(document) => (&document.value, &document.setting.fingerprint),
        };
        let played = SharedPlan::deserialize(value).map_err(strange)?;
        let (seats, meetings, asked) = match source {
            Source::Journal(collection) => {
                let note = collection.note();
                let names = note.map(|note| note.names.clone()).unwrap_or_default();
                let players: Vec<Planned> =
                    Deserialize::deserialize(&value["players"]).map_err(strange)?;
                let asked = note.map_or(Value::Null, |note| note.asked.clone());
                (named(players, &names), collection.meetings().to_vec(), asked)
            }
            Source::Document(document) => {
                let seats = document.setting.seats().collect();
                let meetings = meetings(source.kind(), value)
                    .ok_or_else(|| Error::input(path, &"no judge writes such meetings"))?;
                (seats, meetings, request(source.kind(), value))
            }
        };
        let known = |player: usize| player < seats.len();
        if seats.len() < 2 || !meetings.iter().all(|meeting| meeting.players.into_iter().all(known))
        {
            return Err(Error::input(path, &"a meeting names an unknown player"));
        }
        if seats.len() > MOST_PLAYERS {
            let what = format!("{} players are too many: at most {MOST_PLAYERS}", seats.len());
            return Err(Error::input(path, &what));
        }
        refuse_impossible_numbers(path, &meetings, source.len() as u64)?;
        let pairing = Pairing {
            game: played.game,
            options: played.options,
            seed: played.seed,
            limits: played.limits,
            players: [seats[0].clone(), seats[1].clone()],
            modules: [None; 2],
        };
        let game = judge_referee::find(&pairing.game)?;
        let fingerprint = fingerprint.clone();
        let shard = value["shard"].as_str().map(str::to_owned);
        Ok(Saved { game, fingerprint, seats, pairing, meetings, asked, shard })
    }

    /// The test of a match, if there was one.
    pub(crate) fn sprt(&self, path: &Path) -> Result<Option<Sprt>, Error> {
        let sprt = self.asked["sprt"].as_str().map(str::parse).transpose();
        sprt.map_err(|error| Error::input(path, &format!("`sprt`: {error}")))
    }
}

/// Refuses meetings with so many pairs that visiting them takes far longer than reading the rounds.
fn refuse_impossible_numbers(
    path: &Path,
    meetings: &[MeetingNote],
    rounds: u64,
) -> Result<(), Error> {
    let impossible = |meeting: &MeetingNote| {
        meeting.pairs > MOST_PAIRS
            || meeting.cycle >= MOST_PLAYERS
            || meeting.first > MOST_PAIRS * MOST_PLAYERS as u64
    };
    if meetings.iter().any(impossible) {
        return Err(Error::input(path, &"more rounds than a run can have"));
    }
    let named = meetings.iter().fold(0, |sum: u64, meeting| sum.saturating_add(meeting.pairs));
    if named <= rounds.saturating_add(MOST_ABSENT) {
        return Ok(());
    }
    let what = format!(
        "`{}`: it names {named} pairs, but has {rounds} rounds: most of the file is missing, or it \
         was forged",
        path.display()
    );
    let hint = "use the whole file, or run the same command with `--resume` on its journal";
    Err(Error::Input { what, hint: Some(hint.to_owned()) })
}

/// The players of a plan. A player without a name goes by its hash.
fn named(players: Vec<Planned>, names: &[String]) -> Vec<SeatSpec> {
    let seat = |(place, player): (usize, Planned)| {
        let name = |sha256: judge_core::Digest| {
            names.get(place).cloned().unwrap_or_else(|| sha256.short())
        };
        match (player.bot, player.trained) {
            (Some(sha256), _) => SeatSpec::Bot { name: name(sha256), sha256 },
            (None, Some(sha256)) => SeatSpec::Trained { name: name(sha256), sha256 },
            (None, None) => SeatSpec::Reference { name: player.reference.unwrap_or_default() },
        }
    };
    players.into_iter().enumerate().map(seat).collect()
}

/// The meetings of a document.
fn meetings(kind: RunKind, value: &Value) -> Option<Vec<MeetingNote>> {
    let pairs = |value: &Value| value["pairs"].as_u64()?.checked_add(value["left_out"].as_u64()?);
    if kind == RunKind::Match {
        let pairs = pairs(value)?;
        return Some(vec![MeetingNote { cycle: 0, players: [0, 1], first: 0, pairs }]);
    }
    let first = value["seed"].as_u64()?;
    let meeting = |meeting: &Value| {
        let players: [usize; 2] = Deserialize::deserialize(&meeting["players"]).ok()?;
        let cycle = meeting["cycle"].as_u64().unwrap_or(1).checked_sub(1)?;
        let first = meeting["seed"].as_u64()?.wrapping_sub(first);
        Some(MeetingNote {
            cycle: usize::try_from(cycle).ok()?,
            players,
            first,
            pairs: pairs(meeting)?,
        })
    };
    value["meetings"].as_array()?.iter().map(meeting).collect()
}

/// The request in a document.
fn request(kind: RunKind, value: &Value) -> Value {
    match kind {
        RunKind::Match => {
            let test = &value["sprt"];
            let keys = ["model", "elo0", "elo1", "alpha", "beta"];
            let word = |key: &&str| {
                let value = test.get(*key)?;
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                Some(format!("{key}={text}"))
            };
            let words: Option<Vec<String>> = keys.iter().map(word).collect();
            json!({"sprt": words.map(|words| words.join(","))})
        }
        _ => json!({
            "format": value["format"],
            "rating": value["rating"],
            "byes": value["byes"],
        }),
    }
}
