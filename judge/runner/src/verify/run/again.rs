//! Replays of a run's rounds, as far as their players are given.

use judge_arena::{Job, PairRound, RoundOutline, Run};
use judge_core::{BySeat, Culprit, RoundRecord, RoundRow, RoundSpec, Seat, SeatSpec};

use super::super::{Check, CheckStop, Finding, FirstProblem};
use crate::Error;
use crate::base::workers::{self, Workers};
use crate::bots::players::Given;
use crate::contest;

/// Number of rounds to replay at a time.
const BATCH: usize = 512;

/// A round in the file.
pub(super) struct FileRound {
    pub(super) place: String,
    pub(super) row: RoundRow,
}

/// Replays rounds, as far as their players are given.
pub(super) struct Again<'a> {
    given: &'a Given,
    run: Run,
    /// True if this judge wrote the file. Rounds of other judges are not compared.
    own: bool,
    waiting: Vec<(FileRound, Job)>,
    played: u64,
    /// Missing players, with their hashes.
    missing: Vec<SeatSpec>,
    /// Given players.
    named: Vec<SeatSpec>,
    /// Rounds that the file records as judge errors: their positions and new results.
    failed: Vec<(String, Option<String>)>,
}

impl<'a> Again<'a> {
    pub(super) fn new(workers: &Workers, given: &'a Given, own: bool) -> Again<'a> {
        let run = workers.run().with_tables(given.tables());
        let (waiting, missing, named) = (Vec::new(), Vec::new(), Vec::new());
        Again { given, run, own, waiting, played: 0, missing, named, failed: Vec::new() }
    }

    /// True if every round can be replayed.
    pub(super) fn is_all(&self) -> bool {
        self.own && self.missing.is_empty()
    }

    /// Adds a round with that spec. A round between reference opponents needs no file.
    pub(super) fn take(&mut self, known: FileRound, spec: RoundSpec) -> Result<(), CheckStop> {
        let mut complete = true;
        for seat in Seat::BOTH {
            let player = spec.seat(seat);
            let found = self.given.has(player);
            let list = if found { &mut self.named } else { &mut self.missing };
            if !list.contains(player) {
                list.push(player.clone());
            }
            complete &= found;
        }
        let failed = known.row.blame == Some(Culprit::Judge);
        if failed && !(complete && self.own) {
            self.failed.push((known.place, None));
        } else if complete && self.own {
            let modules = BySeat::from_fn(|seat| self.given.module(spec.seat(seat)));
            self.waiting.push((known, Job { spec, modules }));
        }
        if self.waiting.len() >= BATCH { self.finish() } else { Ok(()) }
    }

    /// Counts a round between reference opponents, which the check by the rules has played.
    pub(super) fn count_by_rules(&mut self) {
        self.played += u64::from(self.own);
    }

    /// Replays the waiting rounds.
    pub(super) fn finish(&mut self) -> Result<(), CheckStop> {
        let waiting = std::mem::take(&mut self.waiting);
        let jobs: Vec<Job> = waiting.iter().map(|(_, job)| job.clone()).collect();
        let mut records: Vec<Option<RoundRecord>> = jobs.iter().map(|_| None).collect();
        let outcome = self.run.play_all(&self.given.modules(), &jobs, &|_| false, &mut |done| {
            records[done.job] = done.played.map(|played| played.record);
        });
        outcome.map_err(Error::from)?;
        for ((known, _), record) in std::iter::zip(&waiting, records) {
            let record = record.ok_or_else(|| Error::Judge("a round was not played".to_owned()))?;
            if known.row.blame == Some(Culprit::Judge) {
                self.failed.push((known.place.clone(), Some(round_result(&record))));
                continue;
            }
            compare(known, &record)?;
            self.played += 1;
        }
        Ok(())
    }

    /// Notes the replayed rounds and the missing players.
    pub(super) fn note(&self, check: &mut Check<'_>) -> Result<(), Error> {
        workers::tell_of_missing_walls(&self.run, check.events)?;
        if self.played > 0 {
            let rounds = if self.played == 1 { "round" } else { "rounds" };
            check.outcome.checked(format!(
                "{} {rounds}, played again: the same answers at the same cost",
                self.played
            ));
        }
        for player in &self.named {
            let Some(bot) = self.given.module(player) else { continue };
            check.check_name("a player", player.name(), &self.given.bots[bot].path);
        }
        self.missing.iter().filter_map(missing).for_each(|finding| check.outcome.add(finding));
        self.failed.iter().map(failed).for_each(|finding| check.outcome.add(finding));
        Ok(())
    }
}

/// The finding about a missing player.
fn missing(player: &SeatSpec) -> Option<Finding> {
    let hash = match player {
        SeatSpec::Bot { sha256, .. } | SeatSpec::Trained { sha256, .. } => sha256.short(),
        SeatSpec::Reference { .. } | SeatSpec::Human { .. } | SeatSpec::Native { .. } => {
            return None;
        }
    };
    let finding = Finding::unchecked("that it gives these answers, at this cost");
    let why = format!("name it (SHA-256 {hash}…) to have its rounds played again");
    Some(finding.at(format!("`{}`", player.name())).because(why))
}

/// The finding about a judge error, of which there is no proof.
fn failed((place, now): &(String, Option<String>)) -> Finding {
    let finding = Finding::unchecked("that the judge failed in this round").at(place);
    match now {
        Some(now) => finding.because(format!("played again: {now}")),
        None => finding.because("nothing shows it"),
    }
}

/// The result of a round, for people.
fn round_result(record: &RoundRecord) -> String {
    let trailer = &record.trailer;
    let [one, two] = trailer.outcome.scores;
    match (&trailer.fault, trailer.outcome.winner) {
        (Some(fault), _) if fault.seat.is_none() => format!("it failed again: {}", fault.detail),
        (_, Some(winner)) => format!("seat {winner} wins {one}:{two}"),
        (_, None) => format!("a draw, {one}:{two}"),
    }
}

/// Compares a round with its replay.
fn compare(known: &FileRound, record: &RoundRecord) -> Result<(), CheckStop> {
    let FileRound { place, row, .. } = known;
    if let Some(fault) = record.trailer.fault.as_ref().filter(|fault| fault.seat.is_none()) {
        return Err(Error::Judge(fault.detail.to_string()).into());
    }
    let round = PairRound::new(row.a, &RoundOutline::new(record));
    let fresh = judge_arena::row(contest::place_of(row), &record.header.spec, &round);
    match judge_grading::first_difference(row, &fresh) {
        None => Ok(()),
        Some(difference) => {
            let [recorded, found] =
                difference.sides.map(|side| side.unwrap_or("missing".to_owned()));
            let place = format!("{place}, {}", difference.path);
            let what = "different when the round is played again";
            Err(FirstProblem::new(place, what).with(recorded, found).into())
        }
    }
}
