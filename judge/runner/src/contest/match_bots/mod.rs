//! A match: two players in pairs of rounds, until it is clear which one is stronger.

mod answer;
mod lost;
mod outcome;
mod page;
mod play;
pub(crate) mod report;
mod rounds_again;
mod saved;
mod text;

use std::time::Instant;

use judge_arena::Pairing;
use judge_core::{Event, Listener, RoundSpec, Unit};
use judge_statistics::Sprt;
use serde_json::Value;

use crate::Error;
use crate::base::workers::{self, Workers};
use crate::contest::{
    self, ContestRequest, KeptRounds, Outlook, PageRequest, Players, StartPosition,
};
use crate::rounds::play::SavedMove;
pub use answer::MatchAnswer;
pub use outcome::{Finished, Outcome, Unfinished};
use play::Match;
pub use report::MatchReport;
pub(crate) use rounds_again::only;
pub use rounds_again::{RoundsAgain, RoundsAgainRequest, play_rounds_again};
pub(crate) use saved::SavedResult;

/// Default number of rounds.
const ROUNDS: u64 = 200;

/// Default maximum number of rounds with a test.
const ROUNDS_OF_A_TEST: u64 = 20_000;

/// A match to play.
#[derive(Debug, Clone)]
pub struct Request {
    /// A, the bot to assess, and its opponent B: paths of modules, names of reference opponents, or
    /// `trained:TABLE`.
    pub players: [String; 2],
    /// Number of rounds, two per pair. Default: 200; with a test at most 20,000.
    pub rounds: Option<u64>,
    /// The test that ends the match once it is decided.
    pub sprt: Option<Sprt>,
    /// The move of a saved round in which every round starts, if any.
    pub from: Option<SavedMove>,
    /// The page to make, if any.
    pub page: Option<PageRequest>,
    /// The rounds and their conditions.
    pub contest: ContestRequest,
}

impl Request {
    /// Returns a match between these players over that many rounds, with default settings.
    pub fn new(players: [String; 2], rounds: u64) -> Request {
        let (rounds, contest) = (Some(rounds), ContestRequest::default());
        Request { players, rounds, sprt: None, from: None, page: None, contest }
    }
}

/// Plays a match.
///
/// # Errors
/// If the request is contradictory, a player cannot play, or a file cannot be written. An error
/// with the page is part of the outcome.
pub fn run(
    request: &Request,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    let most = pairs(request)?;
    let start = request.from.as_ref().map(StartPosition::read).transpose()?;
    let contest = &conditions(&request.contest, start.as_ref());
    let players = match &start {
        Some(start) => Players::find_for_game(&request.players, &start.spec().game, events)?,
        None => Players::find(&request.players, contest.game.as_deref(), events)?,
    };
    contest.check_rounds_to()?;
    let pairing = contest.pairing(&players, events)?;
    let outlook = Outlook::from_position(players.game, &pairing, most, start.as_ref());
    refuse_too_few_starts(request.sprt.as_ref(), &outlook)?;
    let pairs = if start.is_some() && outlook.is_idle() { 1 } else { most };
    let plan = plan(request.sprt.as_ref(), &pairing, &players);
    let run = contest.run(&plan, &players, workers, events)?;
    let notes = notes(&players, &outlook, start.as_ref());
    for text in &notes {
        events.event(&Event::Note { text: text.clone() })?;
    }
    let begin = Instant::now();
    events.event(&Event::Started { unit: Unit::Pairs, total: Some(pairs) })?;
    let mut played = Match::new(request, &run, (&players, &pairing), start.as_ref())?;
    let ended = played.play(pairs, events)?;
    let report = MatchReport {
        fingerprint: run.pool().fingerprint().clone(),
        pairing: pairing.clone(),
        sprt: request.sprt,
        start: start.clone(),
        notes,
        tally: played.tally,
        end: played.end,
        wall: begin.elapsed(),
        workers: run.pool().workers(),
    };
    if !ended {
        let counted = 2 * (report.tally.table.pairs() + report.tally.left_out);
        let kept = KeptRounds::in_journal_of(&run, counted);
        return Ok(Outcome::Unfinished(Box::new(Unfinished { report, pairs, kept })));
    }
    let table = played.table.as_ref();
    contest.write_rounds(table)?;
    let page = request
        .page
        .as_ref()
        .zip(table)
        .map(|(page, table)| page::of_match(contest, page, (&run, &players), &report, table));
    workers::tell_of_missing_walls(&run, events)?;
    events.event(&Event::Finished)?;
    let (rows, lost) = (contest.rows(played.table), played.lost.numbers());
    let (players, journal) = (request.players.clone(), contest.journal.clone());
    Ok(Outcome::Finished(Box::new(Finished { report, rows, page, lost, players, journal })))
}

/// The conditions of the rounds. From a saved position they are those of its round; only the seed
/// of luck that is dealt again is the match's own.
fn conditions(contest: &ContestRequest, start: Option<&StartPosition>) -> ContestRequest {
    let Some(start) = start else { return contest.clone() };
    let RoundSpec { game, options, seed, limits, .. } = start.spec();
    let unused = (!start.is_redealt()).then_some(seed.0);
    ContestRequest {
        game: Some(game.clone()),
        options: options.clone(),
        seed: contest.seed.or(unused),
        limits: *limits,
        ..contest.clone()
    }
}

/// The plan in the journal. A test with other hypotheses or bounds is another run, because checking
/// several tests in turn decides too often.
fn plan(sprt: Option<&Sprt>, pairing: &Pairing, players: &Players) -> Value {
    let mut plan = contest::plan("match", pairing, players);
    if let Some(sprt) = sprt {
        let text = sprt.to_string();
        let settings = text.split(',').filter_map(|setting| setting.split_once('='));
        plan["sprt"] = settings.map(|(key, value)| (key, Value::from(value))).collect();
    }
    plan
}

/// Maximum number of pairs to play.
fn pairs(request: &Request) -> Result<u64, Error> {
    let default = if request.sprt.is_some() { ROUNDS_OF_A_TEST } else { ROUNDS };
    let pairs = contest::pairs(request.rounds.unwrap_or(default))?;
    let fewest = request.sprt.as_ref().map(fewest);
    if let Some(fewest) = fewest.filter(|fewest| *fewest > pairs) {
        let what = format!("{} rounds cannot decide the test, even with a clean sweep", 2 * pairs);
        let hint = format!(
            "use at least `--rounds {}`, usually many more; or hypotheses further apart",
            fewest.saturating_mul(2)
        );
        return Err(Error::usage(what, hint));
    }
    Ok(pairs)
}

/// Minimum number of pairs that can decide a test.
fn fewest(sprt: &Sprt) -> u64 {
    sprt.fewest_pairs().into_iter().min().unwrap_or(0)
}

/// Refuses a test with too few starts. A test only uses the first pair of each start, because pairs
/// with the same start add no evidence.
fn refuse_too_few_starts(sprt: Option<&Sprt>, outlook: &Outlook) -> Result<(), Error> {
    let Some(needed) = sprt.map(fewest).filter(|needed| outlook.lacks(*needed)) else {
        return Ok(());
    };
    let starts = match outlook.distinct {
        1 => "1 start".to_owned(),
        starts => format!("{starts} different starts"),
    };
    let what = format!(
        "with these options the pairs have only {starts}, too few to decide the test: even a clean \
         sweep takes {needed}"
    );
    let hint = outlook.hint.clone();
    let other = "use hypotheses further apart, or leave out `--sprt`";
    Err(Error::usage(what, hint.unwrap_or(other.to_owned())))
}

/// Notes for users about the match.
fn notes(players: &Players, outlook: &Outlook, start: Option<&StartPosition>) -> Vec<String> {
    let same = "A and B are the same: each pair is two mirror images, so a draw";
    let mut notes: Vec<String> = players.twins().map(|_| same.to_owned()).into_iter().collect();
    notes.extend(start.map(|start| start.notes(outlook.is_idle())).unwrap_or_default());
    if start.is_none() || !outlook.is_idle() {
        notes.extend(outlook.note(players.game));
    }
    notes
}
