//! A tournament in parts. Each part plays some of the meetings and has a separate journal.

use std::path::PathBuf;

use judge_arena::Pairing;
use judge_core::{Event, Listener};
use judge_report::tame;
use serde_json::{Value, json};

use super::runner::TournamentRunner;
use super::schedule::{Fixture, Format};
use super::{Outcome, Request, Unfinished, rounds};
use crate::Error;
use crate::base::shard::Shard;
use crate::base::workers::{self, Workers};
use crate::contest::{self, KeptRounds, Players};

/// Name of the note in a part's journal that the part is finished.
pub(super) const FINISHED: &str = "finished";

/// A complete part.
#[derive(Debug, Clone)]
pub struct TournamentPart {
    /// The number of the part.
    pub shard: Shard,
    /// Number of its meetings.
    pub meetings: usize,
    /// Number of meetings of the whole tournament.
    pub of: usize,
    /// Number of its rounds.
    pub rounds: u64,
    /// The journal with its rounds.
    pub journal: PathBuf,
}

impl TournamentPart {
    /// Formats a summary, and the next step once all parts are finished.
    pub fn text(&self) -> String {
        let TournamentPart { shard, meetings, of, rounds, journal } = self;
        tame(&format!(
            "part {}/{}: {meetings} of {of} meetings, {rounds} rounds, in `{}`\n\
             When all parts are there: `judge merge PART… --out JOURNAL`, then this command with \
             `--journal JOURNAL --resume` and without `--shard`.\n",
            shard.number,
            shard.of,
            journal.display()
        ))
    }
}

/// Plays one part.
pub(super) fn play(
    request: &Request,
    shard: Shard,
    (players, pairing, mut plan): (&Players, &Pairing, Value),
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    let all = request.format.fixtures(players.count());
    plan["shard"] = json!(format!("{}/{}", shard.number, shard.of));
    let run = request.contest.run(&plan, players, workers, events)?;
    let numbered = all.iter().enumerate();
    let own: Vec<Fixture> =
        numbered.filter(|(number, _)| shard.takes(*number)).map(|(_, fixture)| *fixture).collect();
    let pairs = contest::pairs(request.rounds)?;
    let mut runner = TournamentRunner::new(&run, players, pairing, pairs, events);
    let played = runner.play(&own)?;
    let (is_stopped, most, rounds) = (runner.is_stopped(), runner.rounds(), played.rounds());
    if is_stopped {
        let (seed, kept) = (pairing.seed, KeptRounds::in_journal_of(&run, rounds));
        let unfinished = Unfinished { report: None, played: rounds, rounds: most, seed, kept };
        return Ok(Outcome::Unfinished(unfinished));
    }
    rounds::note(request, &run, players, &played)?;
    if let Some(journal) = run.journal() {
        let what = json!({"format": request.format, "rounds": request.rounds});
        journal.note(FINISHED, &what)?;
        journal.sync()?;
    }
    workers::tell_of_missing_walls(&run, events)?;
    events.event(&Event::Finished)?;
    let journal = request.contest.journal.clone().unwrap_or_default();
    Ok(Outcome::Part(TournamentPart { shard, meetings: own.len(), of: all.len(), rounds, journal }))
}

/// Refuses requests for parts that would not fit together.
pub(super) fn check(request: &Request, shard: Shard, players: usize) -> Result<(), Error> {
    let meetings = request.format.fixtures(players).len();
    refuse_what_cannot_be_cut(request.format, shard, meetings)?;
    if request.contest.journal.is_none() {
        let what = "`--shard` needs a `--journal`: it keeps the rounds of the part";
        return Err(Error::usage(what, "`--journal PART`"));
    }
    if request.contest.known_seed()?.is_some() {
        return Ok(());
    }
    let what = "`--shard` needs a `--seed`: all parts of a tournament share one seed";
    let hint = "draw one large number, and give it to all parts: `--seed N`";
    Err(Error::usage(what, hint))
}

fn refuse_what_cannot_be_cut(format: Format, shard: Shard, meetings: usize) -> Result<(), Error> {
    if format == Format::Swiss {
        let what = "a Swiss tournament cannot be played in parts: the schedule depends on the \
                    results of all earlier meetings";
        return Err(Error::usage(what, "leave out `--shard`, or use `--format round-robin`"));
    }
    if shard.of > meetings {
        let what = format!("{} parts are too many for {meetings} meetings", shard.of);
        return Err(Error::usage(what, format!("use at most `--shard 1/{meetings}` and so on")));
    }
    Ok(())
}
