//! The order of a run's rounds, independent of the workers: that of the schedule; in a course, by
//! submission, testcase and seed.

use std::collections::{BTreeMap, BTreeSet};

use judge_core::{Limits, Options, RoundSpec, Seat, SeatSpec, Seed};
use serde::Deserialize;
use serde_json::Value;

use super::note::{MeetingNote, Meetings, PlayedNote, identity, sorted};
use crate::facts::Facts;
use crate::journal::JournalLine;
use crate::submission_note::SubmissionNote;

/// A round's position in the order and in the journal.
#[derive(Debug, Clone)]
pub(super) struct OrderEntry {
    pub(super) line: JournalLine,
    /// Number in the run, counted from 1.
    pub(super) round: u64,
    /// Number of the meeting, counted from 0.
    pub(super) meeting: usize,
    /// Number of the pair in its meeting, counted from 0.
    pub(super) pair: Option<u64>,
    /// Seat of A.
    pub(super) seat: Seat,
    /// True if both rounds of the pair are present.
    pub(super) counts: bool,
}

/// The part of a plan that decides which rounds belong to it.
#[derive(Debug, Deserialize)]
struct PlanPart {
    /// Identities of the players.
    players: Vec<Value>,
    /// Seed of the first pair.
    seed: Seed,
    game: String,
    /// Common rules of the rounds, if the plan gives them.
    options: Option<Options>,
    limits: Option<Limits>,
}

impl PlanPart {
    /// True for rounds under these conditions.
    fn is_of(&self, spec: &RoundSpec) -> bool {
        self.game == spec.game
            && self.options.as_ref().is_none_or(|options| *options == spec.options)
            && self.limits.is_none_or(|limits| limits == spec.limits)
    }
}

/// The rounds of a match or tournament.
#[derive(Debug)]
pub(super) struct Scheduled {
    plan: PlanPart,
    /// Each round so far: line, players in seats 1 and 2, pair.
    found: Vec<(JournalLine, [usize; 2], u64)>,
}

impl Scheduled {
    /// An empty schedule; none if the plan is not that of a match or tournament.
    pub(super) fn new(plan: &Value) -> Option<Scheduled> {
        Some(Scheduled { plan: PlanPart::deserialize(plan).ok()?, found: Vec::new() })
    }

    /// Adds the next round of the journal; fails if it does not belong to the plan.
    pub(super) fn take(&mut self, line: JournalLine, spec: &RoundSpec) -> Result<(), &'static str> {
        if !self.plan.is_of(spec) {
            return Err("its game, options or limits differ from those in the first line");
        }
        let place = |seat: &SeatSpec| {
            let own = identity(seat);
            self.plan.players.iter().position(|player| *player == own)
        };
        let [Some(one), Some(two)] = spec.seats.each_ref().map(place) else {
            return Err("one of its players is not in the first line");
        };
        self.found.push((line, [one, two], spec.seed.0.wrapping_sub(self.plan.seed.0)));
        Ok(())
    }

    /// The meetings that the rounds show, for an unfinished run.
    pub(super) fn meetings(&self) -> Vec<MeetingNote> {
        let mut pairs: BTreeMap<[usize; 2], u64> = BTreeMap::new();
        for (_, players, pair) in &self.found {
            let most = pairs.entry(self.met(*players)).or_default();
            *most = (*most).max(pair.saturating_add(1));
        }
        let note = |(players, pairs)| MeetingNote { cycle: 0, players, first: 0, pairs };
        pairs.into_iter().map(note).collect()
    }

    /// The two positions in the plan. If one player is listed twice, only the first position is
    /// found.
    fn met(&self, players: [usize; 2]) -> [usize; 2] {
        match sorted(players) {
            [one, two] if one == two && self.plan.players.len() > 1 => [0, 1],
            players => players,
        }
    }

    /// All rounds of these meetings, in order. Other rounds are left out.
    pub(super) fn entries(&self, notes: &[MeetingNote]) -> Vec<OrderEntry> {
        let meetings = Meetings::new(notes);
        let mut entries = Vec::new();
        for (line, players, pair) in &self.found {
            let met = self.met(*players);
            let Some((number, note)) = meetings.find(met, *pair) else { continue };
            for seat in Seat::BOTH {
                // If both players are the same, the round counts for both seats.
                if players[seat.index()] == note.players[0] {
                    entries.push(OrderEntry {
                        line: *line,
                        round: 0,
                        meeting: number,
                        pair: Some(pair - note.first),
                        seat,
                        counts: false,
                    });
                }
            }
        }
        entries.sort_by_key(|entry| (entry.meeting, entry.pair, entry.seat));
        number(&mut entries, notes);
        entries
    }
}

/// Numbers the rounds, and marks complete pairs.
fn number(entries: &mut [OrderEntry], notes: &[MeetingNote]) {
    // A forged journal may contain any number.
    let rounds = |pairs: u64| pairs.saturating_mul(2);
    let mut before = 0_u64;
    let mut offsets = Vec::new();
    for note in notes {
        offsets.push(before);
        before = before.saturating_add(rounds(note.pairs));
    }
    for entry in entries.iter_mut() {
        let offset = offsets.get(entry.meeting).copied().unwrap_or(0);
        let in_meeting = rounds(entry.pair.unwrap_or(0)).saturating_add(entry.seat.index() as u64);
        entry.round = offset.saturating_add(in_meeting).saturating_add(1);
    }
    for pair in
        entries.chunk_by_mut(|one, other| (one.meeting, one.pair) == (other.meeting, other.pair))
    {
        let whole = pair.len() == 2;
        pair.iter_mut().for_each(|entry| entry.counts = whole);
    }
}

/// A round of a run on testcases. A module that was submitted under several names is played once.
#[derive(Debug, Default)]
pub(super) struct GradedRound {
    found: Vec<(OrderKey, JournalLine, Seat)>,
}

/// Key of the order: submission, testcase, seed, fuel.
type OrderKey = (String, String, u64, u64);

impl GradedRound {
    /// Adds the next round of the journal.
    pub(super) fn take(&mut self, line: JournalLine, spec: &RoundSpec, names: &SubmissionNames) {
        let seat = Seat::BOTH.into_iter().find(|seat| spec.seat(*seat).is_bot());
        let seat = seat.unwrap_or(Seat::One);
        let bot = spec.seat(seat);
        let name = names.find(bot).unwrap_or(bot.name());
        let mut testcase = spec.clone();
        testcase.seed = Seed(0);
        // After a fault, a testcase's next round gets only the remaining fuel.
        let fuel = std::mem::take(&mut testcase.limits.fuel);
        testcase.seats[seat.index()].forget_name();
        let testcase = serde_json::to_string(&testcase).unwrap_or_default();
        self.found.push(((name.to_owned(), testcase, spec.seed.0, fuel), line, seat));
    }

    /// All rounds in their order.
    pub(super) fn entries(mut self) -> Vec<OrderEntry> {
        self.found.sort_by(|one, other| one.0.cmp(&other.0));
        let mut meeting = 0;
        let mut entries: Vec<OrderEntry> = Vec::new();
        for (at, (key, line, seat)) in self.found.iter().enumerate() {
            let before = at.checked_sub(1).map(|before| &self.found[before].0);
            meeting += usize::from(
                before.is_some_and(|before| (&before.0, &before.1) != (&key.0, &key.1)),
            );
            let (line, seat) = (*line, *seat);
            let round = at as u64 + 1;
            entries.push(OrderEntry { line, round, meeting, pair: None, seat, counts: true });
        }
        entries
    }
}

/// Names of the submissions by the hashes of their modules; for equal modules, the first name.
#[derive(Debug, Default)]
pub(super) struct SubmissionNames(BTreeMap<String, BTreeSet<String>>);

impl SubmissionNames {
    /// Reads the facts about submissions. An unreadable fact gives no name.
    pub(super) fn new(facts: &Facts) -> SubmissionNames {
        let mut names = SubmissionNames::default();
        for name in SubmissionNote::names(facts) {
            if let Ok(Some(SubmissionNote { bot, .. })) = facts.get(name) {
                names.0.entry(bot.sha256.to_string()).or_default().insert(bot.name);
            }
        }
        names
    }

    /// The name of a submitted module.
    pub(super) fn find(&self, bot: &SeatSpec) -> Option<&str> {
        let SeatSpec::Bot { sha256, .. } = bot else { return None };
        self.0.get(&sha256.to_string())?.first().map(String::as_str)
    }
}

/// Replaces the names in the spec.
pub(super) fn renamed(mut spec: RoundSpec, names: [Option<&str>; 2]) -> RoundSpec {
    for (seat, name) in std::iter::zip(&mut spec.seats, names) {
        let Some(name) = name else { continue };
        match seat {
            SeatSpec::Bot { name: own, .. } | SeatSpec::Trained { name: own, .. } => {
                name.clone_into(own);
            }
            SeatSpec::Reference { .. } | SeatSpec::Human { .. } | SeatSpec::Native { .. } => {}
        }
    }
    spec
}

/// The names of the players in seats 1 and 2, from a note.
pub(super) fn names(note: &PlayedNote, meeting: usize, seat: Seat) -> [Option<&str>; 2] {
    let Some(MeetingNote { players: [a, b], .. }) = note.meetings.get(meeting) else {
        return [None; 2];
    };
    let mut players = [*a, *b];
    if seat == Seat::Two {
        players.reverse();
    }
    players.map(|player| note.names.get(player).map(String::as_str))
}
