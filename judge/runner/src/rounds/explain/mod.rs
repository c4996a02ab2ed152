//! `judge explain`: the scores that a bot's other answers would have reached. A round is exact, so
//! after another answer the same players finish it exactly as they would have.

mod average;
mod choice;
mod moves;
mod pages;
mod text;
mod worst;

use std::path::PathBuf;

use judge_arena::GivenRound;
use judge_core::{
    Branch, Digest, Event, Fingerprint, GivenAnswers, Listener, RoundRecord, RoundSpec, Seat, Unit,
};
use judge_grading::Testcase;
use serde::Serialize;

use crate::Error;
use crate::base::workers::{self, Workers};
use crate::bots::BotSource;
use crate::rounds::play::{self, ReadyRound, RoundSetup};
use crate::rounds::stack_trace;
pub use average::Average;
pub use moves::{ExplainedMove, OtherAnswer};

/// A round to explain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// A module or a source.
    pub bot: PathBuf,
    /// The round, unless `worst_of` names a testcase.
    pub setting: RoundSetup,
    /// The testcase of which to explain the worst round.
    pub worst_of: Option<Testcase>,
    /// Maximum number of rounds to play with other answers. Default: as many as take seconds.
    pub rounds: Option<usize>,
    /// Number of moves to show.
    pub moves: usize,
    /// Write the round as a page here, and the costliest moves' other rounds next to it.
    pub page: Option<PathBuf>,
}

/// A round, and what other answers in it would have scored.
#[derive(Debug, Serialize)]
pub struct Outcome {
    /// Version of this document.
    version: u32,
    /// The versions and settings of the judge.
    fingerprint: Fingerprint,
    /// The round that was played.
    round: RoundSpec,
    /// The reason for this round, if it was chosen among those of a testcase.
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen: Option<String>,
    /// The digest of its record.
    digest: Digest,
    /// Its record.
    #[serde(skip)]
    pub record: RoundRecord,
    /// The bot's seat.
    pub seat: Seat,
    /// The bot's score in the round, as a testcase counts it.
    pub score: i64,
    /// Every question to the bot with a choice, in order.
    pub moves: Vec<ExplainedMove>,
    /// Positions in `moves` of the moves that cost the most, costliest first.
    pub costliest: Vec<usize>,
    /// Number of other answers that the rules allowed.
    pub others: usize,
    /// Number of other answers that were tried.
    pub tried: usize,
    /// True if the game has luck that is hidden from both players, so that results are averaged
    /// over it.
    pub has_luck: bool,
    /// The end of a round in which the bot failed, as [`stack_trace::lines`] has it.
    #[serde(skip)]
    trace: Vec<String>,
    /// The page of the round, if it was written.
    #[serde(skip)]
    pub page: Option<PathBuf>,
}

/// Version of the JSON document.
const VERSION: u32 = 1;

/// Plays a round, and then again with other answers.
///
/// # Errors
/// If the bot cannot be read or is refused, the round cannot begin, the judge fails, or a page
/// cannot be written. A bot's fault in the round is not an error.
pub fn run(
    request: &Request,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    let own = play::read_bot(&request.bot, &request.setting.limits, events)?;
    let Some(testcase) = &request.worst_of else { return of_bot(&own, request, workers, events) };
    let (setting, chosen) = worst::round(testcase, &own, workers)?;
    let request = Request { setting, worst_of: None, ..request.clone() };
    let outcome = of_bot(&own, &request, workers, events)?;
    Ok(Outcome { chosen: Some(chosen), ..outcome })
}

/// Explains a round of a bot that was already read and fits the limits.
pub(crate) fn of_bot(
    own: &BotSource,
    request: &Request,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    let round = ReadyRound::new(own, &request.setting, workers, events)?;
    let record = round.play(own)?;
    workers::tell_of_missing_walls(&round.run, events)?;
    if let Some(fault) = record.trailer.fault.as_ref().filter(|fault| fault.seat.is_none()) {
        return Err(Error::Judge(fault.detail.to_string()));
    }
    let explained = Explained { request, own, round: &round };
    let mut outcome = explained.outcome(record, events)?;
    if outcome.has_failed() {
        let round_in_seat = (&outcome.record, outcome.seat);
        outcome.trace = stack_trace::lines(workers, &own.submission.module, round_in_seat);
    }
    events.event(&Event::Finished)?;
    Ok(outcome)
}

/// A round to explain that can be played.
struct Explained<'a> {
    request: &'a Request,
    own: &'a BotSource,
    round: &'a ReadyRound,
}

impl Explained<'_> {
    fn outcome(&self, record: RoundRecord, events: &mut dyn Listener) -> Result<Outcome, Error> {
        let seat = self.request.setting.seat;
        let most = self.request.rounds.unwrap_or_else(|| choice::affordable(&record));
        let mut moves = moves::with_choices(&record, seat)?;
        moves.retain(|one| one.number > self.round.beginning.len());
        let others = moves.iter().map(ExplainedMove::others).sum();
        let chosen = choice::choose(&moves, most);
        self.try_all(&mut moves, &chosen, events)?;
        let score = moves::score(&record, seat);
        let mut costliest = moves::costliest(&moves, score);
        let has_luck = moves::has_luck(&record)?;
        if has_luck {
            self.average(&mut moves, &mut costliest, most, events)?;
        }
        costliest.truncate(self.request.moves);
        let (tried, version, page) = (chosen.len(), VERSION, self.request.page.clone());
        let outcome = Outcome {
            version,
            fingerprint: record.header.fingerprint.clone(),
            round: record.header.spec.clone(),
            chosen: None,
            digest: record.digest(),
            record,
            seat,
            score,
            moves,
            costliest,
            others,
            tried,
            has_luck,
            trace: Vec::new(),
            page,
        };
        if let Some(path) = &outcome.page {
            pages::write(self, &outcome, path)?;
        }
        Ok(outcome)
    }

    /// Plays the round once for each chosen answer.
    fn try_all(
        &self,
        moves: &mut [ExplainedMove],
        chosen: &[(usize, String)],
        events: &mut dyn Listener,
    ) -> Result<(), Error> {
        let seat = self.request.setting.seat;
        let branch = |(at, answer): &(usize, String)| moves[*at].branch(seat, Some(answer), None);
        let branches: Vec<Branch> = chosen.iter().map(branch).collect();
        let mut trials = vec![None; chosen.len()];
        self.play(&branches, events, &mut |index, record| {
            trials[index] = OtherAnswer::new(&chosen[index].1, record, seat);
        })?;
        for ((at, _), trial) in std::iter::zip(chosen, trials) {
            moves[*at].tried.extend(trial);
        }
        moves.iter_mut().for_each(ExplainedMove::sort);
        Ok(())
    }

    /// Plays the round once for each branch, with a bar for progress.
    fn play(
        &self,
        branches: &[Branch],
        events: &mut dyn Listener,
        listen: &mut dyn FnMut(usize, &RoundRecord),
    ) -> Result<(), Error> {
        let (total, mut done) = (branches.len() as u64, 0);
        events.event(&Event::Started { unit: Unit::Rounds, total: Some(total) })?;
        let ReadyRound { run, job, beginning, .. } = self.round;
        let given =
            |branch: &Branch| GivenAnswers::beginning(beginning).with_branch(branch.clone());
        let round = |branch| GivenRound { job, given: given(branch) };
        let rounds: Vec<GivenRound<'_>> = branches.iter().map(round).collect();
        run.play_given(&self.round.modules(self.own), &rounds, &mut |at, record| {
            done += 1;
            listen(at, &record);
            Ok(events.event(&Event::Progress { done, standing: None })?)
        })?;
        Ok(())
    }
}
