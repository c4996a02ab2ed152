//! A tournament in progress: all meetings at once, or cycle by cycle.

use std::ops::ControlFlow;

use judge_arena::{ArenaError, Pair, PairFlow, PairStep, Pairing, Run, Swiss, play_meetings};
use judge_core::{Event, Listener, SeatSpec, Unit};

use super::schedule::{Fixture, Meeting, PlayedMeetings};
use crate::Error;
use crate::contest::{Players, RoundTable, Starts, tell_round};

/// Plays meetings and collects their results.
pub(super) struct TournamentRunner<'a> {
    run: &'a Run,
    pairing: &'a Pairing,
    modules: Vec<&'a [u8]>,
    starts: Starts<'a>,
    /// Each player with the index of its module.
    players: Vec<(SeatSpec, Option<usize>)>,
    /// Maximum number of pairs per meeting.
    pairs: u64,
    /// The rows of all rounds, if they are needed.
    table: Option<RoundTable>,
    events: &'a mut dyn Listener,
    /// Number of pairs that are finished or will not be played.
    done: u64,
    /// Maximum number of pairs of all meetings.
    total: u64,
    /// True if the tournament was stopped.
    is_stopped: bool,
}

impl<'a> TournamentRunner<'a> {
    /// Creates a tournament without any pairs yet.
    pub(super) fn new(
        run: &'a Run,
        players: &'a Players,
        pairing: &'a Pairing,
        pairs: u64,
        events: &'a mut dyn Listener,
    ) -> TournamentRunner<'a> {
        let all = 0..players.count();
        TournamentRunner {
            run,
            pairing,
            modules: players.modules(),
            starts: Starts::new(players.game, pairing),
            players: all.map(|player| (players.seat(player), players.module(player))).collect(),
            pairs,
            table: None,
            events,
            done: 0,
            total: 0,
            is_stopped: false,
        }
    }

    /// Collects the rows of all rounds in this table.
    pub(super) fn with_table(self, table: Option<RoundTable>) -> TournamentRunner<'a> {
        TournamentRunner { table, ..self }
    }

    /// Maximum number of rounds of all meetings.
    pub(super) fn rounds(&self) -> u64 {
        2 * self.total
    }

    /// True if the tournament was stopped.
    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Returns the collected rows.
    pub(super) fn into_table(self) -> Option<RoundTable> {
        self.table
    }

    /// Plays meetings with a known schedule.
    pub(super) fn play(&mut self, fixtures: &[Fixture]) -> Result<PlayedMeetings, Error> {
        self.start(fixtures.len())?;
        let meetings = self.meetings(0, fixtures)?;
        self.sync()?;
        Ok(PlayedMeetings { meetings, byes: Vec::new() })
    }

    /// Plays that many cycles of a Swiss tournament.
    pub(super) fn play_swiss(&mut self, cycles: usize) -> Result<PlayedMeetings, Error> {
        let count = self.players.len();
        self.start(cycles * (count / 2))?;
        let mut swiss = Swiss::new(count);
        let mut played = PlayedMeetings::default();
        for cycle in 0..cycles {
            let next = swiss.pair();
            let fixture = |players: &[usize; 2]| {
                let first = u64::from(swiss.met(*players)) * self.pairs;
                Fixture { players: *players, cycle, first }
            };
            let fixtures: Vec<Fixture> = next.meetings.iter().map(fixture).collect();
            for meeting in self.meetings(played.meetings.len(), &fixtures)? {
                let [won, drawn, lost] = meeting.tally.table.results();
                swiss.take(meeting.fixture.players, 2 * won + drawn, won + drawn + lost);
                played.meetings.push(meeting);
            }
            played.byes.extend(next.bye);
            if self.is_stopped {
                break;
            }
        }
        self.sync()?;
        Ok(played)
    }

    /// Plays all these meetings at the same time, numbered after `before` earlier ones. A player
    /// who always fails only ends its own meetings.
    fn meetings(&mut self, before: usize, fixtures: &[Fixture]) -> Result<Vec<Meeting>, Error> {
        let pairings: Vec<Pairing> = fixtures.iter().map(|fixture| self.pairing(fixture)).collect();
        let mut meetings: Vec<Meeting> = fixtures.iter().copied().map(Meeting::new).collect();
        let (run, pairs, modules) = (self.run, self.pairs, self.modules.clone());
        let ended = play_meetings(run, &modules, &pairings, pairs, &mut |number, step| {
            let (pairing, place) = (&pairings[number], before + number);
            tell_round(self.events, pairing, 2 * pairs * place as u64, &step)?;
            match step {
                PairStep::Complete(pair) => self.take(&mut meetings[number], place, pairing, pair),
                PairStep::Begun { .. } | PairStep::Finished { .. } => Ok(ControlFlow::Continue(())),
            }
        });
        match ended {
            Err(ArenaError::Stopped) => self.is_stopped = true,
            ended => ended?,
        }
        Ok(meetings)
    }

    fn take(
        &mut self,
        meeting: &mut Meeting,
        place: usize,
        pairing: &Pairing,
        pair: &Pair,
    ) -> PairFlow {
        if let Some(table) = &mut self.table {
            table.take(place, pairing, pair, None)?;
        }
        let start = self.starts.number(meeting.fixture.first + pair.number);
        let flow = meeting.take(pair, start);
        // The remaining pairs of a meeting that ends early will not be played.
        self.done += if flow.is_break() { self.pairs.saturating_sub(pair.number) } else { 1 };
        self.events.event(&Event::Progress { done: self.done, standing: None })?;
        Ok(flow)
    }

    fn pairing(&self, fixture: &Fixture) -> Pairing {
        let players = fixture.players.map(|player| &self.players[player]);
        Pairing {
            players: players.map(|(seat, _)| seat.clone()),
            modules: players.map(|(_, module)| *module),
            seed: self.pairing.seed(fixture.first),
            ..self.pairing.clone()
        }
    }

    fn start(&mut self, meetings: usize) -> Result<(), Error> {
        self.total = self.pairs * meetings as u64;
        let total = Some(self.total);
        Ok(self.events.event(&Event::Started { unit: Unit::Pairs, total })?)
    }

    fn sync(&self) -> Result<(), Error> {
        match self.run.journal() {
            Some(journal) => Ok(journal.sync()?),
            None => Ok(()),
        }
    }
}
