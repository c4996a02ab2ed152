//! `judge match`: two players in pairs of rounds, until it is clear which one is stronger.

mod progress;
pub(crate) mod report;
mod text;

use std::time::Instant;

use judge_arena::statistics::{Decision, Sprt};
use judge_arena::{End, Pairing, Pool, Tally};
use judge_games::Game;

use crate::contest::{self, Outlook, Players, Setting, Starts};
use crate::failure::{Exit, Failure};
use crate::{output, worker};
use progress::Progress;
use report::Report;

/// Rounds that are played if nothing is said.
const ROUNDS: u64 = 200;

/// Most rounds that a test gets if nothing is said.
const ROUNDS_OF_A_TEST: u64 = 20_000;

/// Play two bots against each other, and say which one is stronger and how sure that is.
///
/// Rounds come in pairs: the same seed twice, so the same wall, circle, order of tiles or opening,
/// with the seats swapped. Everything printed but the time repeats with the same arguments and the
/// same `--seed`, whatever `--jobs` is.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The bot that is asked about: a WebAssembly module, a reference opponent (see `judge games`),
    /// or `trained:TABLE` (see `judge train`).
    #[arg(value_name = "A")]
    first: String,
    /// Whom it plays: any of these as well.
    #[arg(value_name = "B")]
    second: String,
    /// How many rounds to play, two to a pair. Default: 200; with `--sprt` at most 20000.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    rounds: Option<u64>,
    /// Stop as soon as it is clear whether A is stronger by `elo1` (H1) rather than by `elo0` (H0):
    /// `elo0=0,elo1=10`; in normalized Elo `nelo0=0,nelo1=10`. With `alpha` and `beta`, the chances
    /// to be wrong: 0.05 each if left out. Exit code: 0 for H1, 1 for H0, 5 if not decided.
    #[arg(long, value_name = "elo0=N,elo1=N")]
    sprt: Option<Sprt>,
    #[command(flatten)]
    setting: Setting,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let (setting, pairs) = (&arguments.setting, pairs(arguments)?);
    let names = [arguments.first.clone(), arguments.second.clone()];
    let players = Players::read(&names, setting.game.as_deref())?;
    if let Some(path) = &setting.json {
        output::can_write(path)?;
    }
    let pairing = setting.pairing(&players)?;
    let outlook = Outlook::new(players.game, &pairing, pairs);
    refuse_too_few_starts(arguments.sprt.as_ref(), &outlook, players.game)?;
    let pool = setting.pool(&contest::plan("match", &pairing, &players), &players)?;
    let notes = notes(&players, &outlook);
    for note in &notes {
        contest::tell(&format!("note: {note}"));
    }
    let begin = Instant::now();
    let (tally, end) = play(arguments, &pool, &players, &pairing, pairs)?;
    let report = Report {
        fingerprint: &pool.fingerprint,
        pairing: &pairing,
        sprt: arguments.sprt.as_ref(),
        notes: &notes,
        tally: &tally,
        end,
        wall: begin.elapsed(),
        workers: pool.workers,
    };
    show(setting, &report)?;
    worker::warn_of_missing_walls(&pool);
    exit(&tally, end, arguments.sprt.is_some())
}

/// How many pairs to play at most.
fn pairs(arguments: &Arguments) -> Result<u64, Failure> {
    let default = if arguments.sprt.is_some() { ROUNDS_OF_A_TEST } else { ROUNDS };
    let pairs = contest::pairs(arguments.rounds.unwrap_or(default))?;
    let fewest = arguments.sprt.as_ref().map(fewest);
    if let Some(fewest) = fewest.filter(|fewest| *fewest > pairs) {
        let what = format!("{} rounds decide nothing: not even a clean sweep would", 2 * pairs);
        let hint = format!(
            "at least `--rounds {}`, as a rule many more; or hypotheses further apart",
            fewest.saturating_mul(2)
        );
        return Err(Failure::usage(what, hint));
    }
    Ok(pairs)
}

/// Fewest pairs that can decide a test.
fn fewest(sprt: &Sprt) -> u64 {
    sprt.fewest_pairs().into_iter().min().unwrap_or(0)
}

/// A test takes the first pair of each start: what begins alike is no new evidence.
fn refuse_too_few_starts(
    sprt: Option<&Sprt>,
    outlook: &Outlook,
    game: &dyn Game,
) -> Result<(), Failure> {
    let Some(needed) = sprt.map(fewest).filter(|needed| outlook.lacks(*needed)) else {
        return Ok(());
    };
    let starts = match outlook.distinct {
        1 => "1 start, which decides".to_owned(),
        starts => format!("{starts} different starts, which decide"),
    };
    let what = format!(
        "with these options the pairs have {starts} nothing: even a clean sweep takes {needed}"
    );
    let hint = contest::hint_of_openings(game);
    Err(Failure::usage(what, hint.unwrap_or("hypotheses further apart, or no `--sprt`")))
}

/// What the user should know about a match like this.
fn notes(players: &Players, outlook: &Outlook) -> Vec<String> {
    let same = "A and B are the same: each pair is two mirror images, so a draw";
    let same = players.twins().map(|_| same.to_owned());
    same.into_iter().chain(outlook.note(players.game)).collect()
}

fn play(
    arguments: &Arguments,
    pool: &Pool,
    players: &Players,
    pairing: &Pairing,
    pairs: u64,
) -> Result<(Tally, End), Failure> {
    let sprt = arguments.sprt.as_ref();
    let mut progress = Progress::new(pairs, sprt);
    let (mut tally, mut end) = (Tally::default(), End::Played);
    let mut starts = Starts::new(players.game, pairing);
    pairing.play(pool, &players.modules(), pairs, &mut |pair| {
        let flow = tally.take(pair, starts.number(pair.number), sprt);
        progress.show(pair.number + 1, &tally);
        flow.map_break(|reason| end = reason)
    })?;
    progress.finish();
    if let Some(journal) = &pool.journal {
        journal.sync()?;
    }
    Ok((tally, end))
}

fn show(setting: &Setting, report: &Report<'_>) -> Result<(), Failure> {
    setting.write_json(&report.json())?;
    if !setting.json_only() {
        output::unless_reader_left(output::print(&text::of(report)))?;
        contest::tell_time(report.wall, report.workers);
    }
    Ok(())
}

/// A match that ended before its time because a player always fails was not played to its end. A
/// test tells its decision, so that scripts can branch on it.
fn exit(tally: &Tally, end: End, tested: bool) -> Result<Exit, Failure> {
    if tally.table.pairs() == 0 {
        let first = tally.first_failure.as_deref().unwrap_or_default();
        return Err(Failure::Judge(format!(
            "no pair counts, as the judge failed in each: {first}"
        )));
    }
    Ok(match end {
        _ if tally.left_out > 0 => Exit::JudgeError,
        End::AlwaysFails(_) => Exit::Failed,
        End::Decided(Decision::H1) => Exit::Passed,
        End::Decided(Decision::H0) => Exit::Failed,
        End::NothingCounts | End::Played if tested => Exit::Undecided,
        End::NothingCounts | End::Played => Exit::Passed,
    })
}
