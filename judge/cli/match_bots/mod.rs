//! `judge match`: two players in pairs of rounds, until it is clear which one is stronger.

mod players;
mod progress;
mod report;
mod text;

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use judge_arena::statistics::Sprt;
use judge_arena::{End, Pairing, Pool, Tally};
use judge_core::{FUEL_PER_MS, Limits, MAX_MEMORY_BYTES, MAX_TIME_MS, Options, Seed, printable};
use judge_games::Game;
use serde_json::{Value, json};

use crate::failure::{Exit, Failure};
use crate::{grade, journal, output, play, worker};
use players::Players;
use progress::Progress;
use report::Report;

/// Rounds that are played if nothing is said.
const ROUNDS: u64 = 200;

/// Most rounds that a test gets if nothing is said.
const ROUNDS_OF_A_TEST: u64 = 20_000;

/// Seeds that are looked at to find out whether anything depends on them.
const SEEDS_TRIED: u64 = 8;

/// Play two bots against each other, and say which one is stronger and how sure that is.
///
/// Rounds come in pairs: the same seed twice, so the same wall, circle, order of tiles or opening,
/// with the seats swapped. Everything printed but the time repeats with the same arguments,
/// whatever `--jobs` is.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The bot that is asked about: a WebAssembly module, or a reference opponent (see `judge
    /// games`).
    #[arg(value_name = "A")]
    first: String,
    /// Whom it plays: a module or a reference opponent as well.
    #[arg(value_name = "B")]
    second: String,
    /// The game. Default: the one that the bots say they play.
    #[arg(long)]
    game: Option<String>,
    /// A rule switch; may be repeated.
    #[arg(long = "option", value_name = "KEY=VALUE", value_parser = play::option)]
    options: Vec<(String, String)>,
    /// How many rounds to play, two to a pair. Default: 200; with `--sprt` at most 20000.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    rounds: Option<u64>,
    /// Where the first pair's luck comes from; the next pairs have the next seeds.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Stop as soon as it is clear whether A is stronger by `elo1` (H1) rather than by `elo0` (H0):
    /// `elo0=0,elo1=10`. With `alpha` and `beta`, the chances to be wrong: 0.05 each if left out.
    #[arg(long, value_name = "elo0=N,elo1=N")]
    sprt: Option<Sprt>,
    /// How many worker processes to use. Default: one per processor. Changes no result.
    #[arg(long, value_name = "N", value_parser = grade::jobs)]
    jobs: Option<usize>,
    /// Each bot's time in a round, in judge-milliseconds of 1,000,000 instructions.
    #[arg(long, value_name = "MS", default_value_t = Limits::COURSE.fuel / FUEL_PER_MS,
          value_parser = clap::value_parser!(u64).range(1..=MAX_TIME_MS))]
    time_ms: u64,
    /// Each bot's memory.
    #[arg(long, value_name = "KIB", default_value_t = Limits::COURSE.memory_bytes / 1024,
          value_parser = clap::value_parser!(u64).range(1..=MAX_MEMORY_BYTES / 1024))]
    memory_kib: u64,
    /// Keep every round in this file before it counts.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Go on with a match that was interrupted, or play more rounds of one: what stands in its
    /// journal is not played again.
    #[arg(long, requires = "journal")]
    resume: bool,
    /// Write the result as JSON to a file, or with `-` to standard output, instead of the table.
    /// Two runs differ only under the key `timing`.
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
    #[command(flatten)]
    walls: worker::Walls,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let pairs = pairs(arguments)?;
    let players = Players::read([&arguments.first, &arguments.second], arguments.game.as_deref())?;
    let pairing = pairing(arguments, &players)?;
    let notes = notes(&players, &pairing);
    let mut pool = worker::pool(arguments.jobs, &arguments.walls)?;
    if let Some(path) = &arguments.json {
        output::can_write(path)?;
    }
    if let Some(path) = &arguments.journal {
        let journal = journal::open(path, &pool.fingerprint, &plan(&pairing), arguments.resume)?;
        pool.journal = Some(Arc::new(journal));
    }
    for note in &notes {
        tell(&format!("note: {note}"));
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
    show(arguments, &report)?;
    worker::warn_of_missing_walls(&pool);
    exit(&tally, end)
}

/// How many pairs to play at most.
fn pairs(arguments: &Arguments) -> Result<u64, Failure> {
    let default = if arguments.sprt.is_some() { ROUNDS_OF_A_TEST } else { ROUNDS };
    let rounds = arguments.rounds.unwrap_or(default);
    if rounds % 2 == 1 {
        let what = format!("`--rounds {rounds}` is odd: each seed is played from both seats");
        return Err(Failure::usage(what, format!("`--rounds {}`", rounds + 1)));
    }
    let fewest = arguments.sprt.map(|sprt| sprt.fewest_pairs().into_iter().min().unwrap_or(0));
    if let Some(fewest) = fewest.filter(|fewest| *fewest > rounds / 2) {
        let what = format!("{rounds} rounds decide nothing: not even a clean sweep would");
        let hint = format!(
            "at least `--rounds {}`, as a rule many more; or hypotheses further apart",
            fewest.saturating_mul(2)
        );
        return Err(Failure::usage(what, hint));
    }
    Ok(rounds / 2)
}

fn pairing(arguments: &Arguments, players: &Players) -> Result<Pairing, Failure> {
    let limits = Limits {
        fuel: arguments.time_ms * FUEL_PER_MS,
        memory_bytes: arguments.memory_kib * 1024,
        ..Limits::COURSE
    };
    players.check(&limits)?;
    let options: Options = arguments.options.iter().cloned().collect();
    players.game.start(&options, Seed(0)).map_err(judge_referee::SetupError::from)?;
    Ok(Pairing {
        game: players.game.name().to_owned(),
        options,
        seed: Seed(arguments.seed),
        limits,
        players: players.seats(),
        modules: players.positions(),
    })
}

/// What the user should know about a match like this.
fn notes(players: &Players, pairing: &Pairing) -> Vec<String> {
    let mut notes = Vec::new();
    if players.are_the_same() {
        let what = "A and B are the same: each pair is two mirror images, so a draw";
        notes.push(what.to_owned());
    }
    if !depends_on_seed(players.game, pairing) {
        let opening = players.game.options().iter().any(|option| option.key == "opening");
        notes.push(format!(
            "with these options the seed changes nothing in {}: players who draw no lots play the \
             same pair again and again{}",
            players.game.title(),
            if opening { " (`--option opening=4` begins each pair at random)" } else { "" }
        ));
    }
    notes
}

/// Whether matches on different seeds begin differently.
fn depends_on_seed(game: &dyn Game, pairing: &Pairing) -> bool {
    let begins = (0..SEEDS_TRIED).filter_map(|pair| {
        let mut running = game.start(&pairing.options, pairing.seed(pair)).ok()?;
        judge_games::next_question(running.as_mut(), &mut String::new());
        Some(running.state())
    });
    begins.collect::<BTreeSet<String>>().len() > 1
}

/// What the journal of a match says that it is. How many rounds are played and when it is enough is
/// no part of it: a match that was not decided may be gone on with.
fn plan(pairing: &Pairing) -> Value {
    json!({
        "command": "match",
        "game": pairing.game,
        "options": pairing.options,
        "seed": pairing.seed,
        "limits": pairing.limits,
        "players": pairing.players.each_ref().map(report::identity),
    })
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
    pairing.play(pool, &players.modules(), pairs, &mut |pair| {
        let flow = tally.take(pair, sprt);
        progress.show(pair.number + 1, &tally);
        flow.map_break(|reason| end = reason)
    })?;
    progress.finish();
    if let Some(journal) = &pool.journal {
        journal.sync()?;
    }
    Ok((tally, end))
}

fn show(arguments: &Arguments, report: &Report<'_>) -> Result<(), Failure> {
    let json = || format!("{:#}\n", report.json());
    match &arguments.json {
        Some(path) if path.as_os_str() == "-" => {
            return Ok(output::unless_reader_left(output::print(&json()))?);
        }
        Some(path) => output::write(path, &json())?,
        None => {}
    }
    output::unless_reader_left(output::print(&text::of(report)))?;
    tell(&format!("{:.1} s with {} workers", report.wall.as_secs_f64(), report.workers));
    Ok(())
}

/// Says something beside the result.
fn tell(line: &str) {
    // A standard error that is gone changes no result.
    let _ = writeln!(std::io::stderr(), "{}", printable(line, usize::MAX));
}

/// A match that ended before its time because a player always fails was not played to its end.
fn exit(tally: &Tally, end: End) -> Result<Exit, Failure> {
    if tally.table.pairs() == 0 {
        let first = tally.first_failure.as_deref().unwrap_or_default();
        return Err(Failure::Judge(format!(
            "no pair counts, as the judge failed in each: {first}"
        )));
    }
    Ok(match end {
        End::AlwaysFails(_) => Exit::Failed,
        End::Decided(_) | End::NothingCounts | End::Played => Exit::Passed,
    })
}
