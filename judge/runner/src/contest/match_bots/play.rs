//! A match in progress.

use std::ops::ControlFlow;

use judge_arena::{
    ArenaError, Journal, MeetingNote, Pair, PairFlow, PairStep, PairTally, Pairing, Run, TestEnd,
};
use judge_core::Listener;
use serde_json::json;

use super::Request;
use super::lost::LostRounds;
use crate::Error;
use crate::contest::{self, Players, RoundTable, StartPosition, Starts, tell_match, tell_round};

/// The results of the pairs so far.
pub(super) struct Match<'a> {
    request: &'a Request,
    run: &'a Run,
    players: &'a Players,
    pairing: &'a Pairing,
    starts: Starts<'a>,
    /// The position in which all rounds start, if it is not the first one.
    start: Option<&'a StartPosition>,
    /// Number of pairs played, including those in which the judge failed.
    played: u64,
    pub(super) tally: PairTally,
    pub(super) end: TestEnd,
    /// The rows of all rounds, if they are needed.
    pub(super) table: Option<RoundTable>,
    pub(super) lost: LostRounds,
}

impl<'a> Match<'a> {
    /// Creates a match without any pairs yet.
    pub(super) fn new(
        request: &'a Request,
        run: &'a Run,
        (players, pairing): (&'a Players, &'a Pairing),
        start: Option<&'a StartPosition>,
    ) -> Result<Match<'a>, Error> {
        Ok(Match {
            request,
            run,
            players,
            pairing,
            starts: Starts::new(players.game, pairing).at(start),
            start,
            played: 0,
            tally: PairTally::default(),
            end: TestEnd::Played,
            table: request.contest.table(request.page.is_some())?,
            lost: LostRounds::default(),
        })
    }

    /// Plays to the end; returns false if the match was stopped.
    pub(super) fn play(&mut self, pairs: u64, events: &mut dyn Listener) -> Result<bool, Error> {
        let (pairing, run, start) = (self.pairing, self.run, self.start);
        let modules = self.players.modules();
        let mut listen = |step: PairStep<'_>| {
            tell_round(events, pairing, 0, &step)?;
            match step {
                PairStep::Complete(pair) => self.take(pair, events),
                PairStep::Begun { .. } | PairStep::Finished { .. } => Ok(ControlFlow::Continue(())),
            }
        };
        let ended = match start {
            None => pairing.play(run, &modules, pairs, &mut listen),
            Some(start) => {
                let round = |pair, seat| start.round(pairing, pair, seat);
                pairing.play_given(run, &modules, pairs, &round, &mut listen)
            }
        };
        match ended {
            Err(ArenaError::Stopped) => {
                run.journal().map_or(Ok(()), Journal::sync)?;
                return Ok(false);
            }
            ended => ended?,
        }
        let meeting = MeetingNote { cycle: 0, players: [0, 1], first: 0, pairs: self.played };
        let asked = json!({"sprt": self.request.sprt.as_ref().map(ToString::to_string)});
        contest::note_played(run, self.players, vec![meeting], asked)?;
        Ok(true)
    }

    fn take(&mut self, pair: &Pair, events: &mut dyn Listener) -> PairFlow {
        let sprt = self.request.sprt.as_ref();
        self.played = pair.number + 1;
        self.lost.take(pair);
        if let Some(table) = &mut self.table {
            let opening = self.start.map(|start| start.opening(pair.seed));
            table.take(0, self.pairing, pair, opening)?;
        }
        let flow = self.tally.take(pair, self.starts.number(pair.number), sprt);
        tell_match(events, self.played, &self.tally, sprt)?;
        Ok(flow.map_break(|reason| self.end = reason))
    }
}
