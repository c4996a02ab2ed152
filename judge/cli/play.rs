//! `judge play`: one round, shown line by line if asked for, kept as a replay.

use std::io::Write;
use std::path::PathBuf;

use judge_arena::{Job, Pool, Submission};
use judge_core::{
    Blame, FUEL_PER_MS, Limits, MAX_MEMORY_BYTES, MAX_TIME_MS, MatchRecord, MatchSpec, Options,
    Seat, SeatSpec, Seed, Verdict, printable,
};
use judge_report::{fuel_as_ms, kib};

use crate::bots::{self, BotFile};
use crate::failure::{Exit, Failure};
use crate::{human, output, trained, worker};

/// Play one round, exactly as grading plays it.
///
/// The same bot, game, seed, opponent, seat and limits give the same round, byte for byte. With
/// `human` in place of the bot you play yourself, at the terminal or from a file of answers.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The bot: a WebAssembly module. Or `human`: you.
    #[arg(value_name = "BOT.wasm|human")]
    bot: PathBuf,
    /// The game. Default: the one that the bot says it plays.
    #[arg(long)]
    pub(crate) game: Option<String>,
    /// Where the round's luck comes from.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// A reference opponent (see `judge games`), another bot, or what `judge train` has made.
    /// Default: the weakest reference.
    #[arg(long, value_name = "NAME|BOT.wasm|trained:TABLE")]
    pub(crate) against: Option<String>,
    /// The seat of the bot, or yours; seat 1 moves first.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    seat: u8,
    /// A rule switch; may be repeated.
    #[arg(long = "option", value_name = "KEY=VALUE", value_parser = option)]
    pub(crate) options: Vec<(String, String)>,
    /// Each bot's time, in judge-milliseconds of 1,000,000 instructions.
    #[arg(long, value_name = "MS", default_value_t = Limits::COURSE.fuel / FUEL_PER_MS,
          value_parser = clap::value_parser!(u64).range(1..=MAX_TIME_MS))]
    time_ms: u64,
    /// Each bot's time, in instructions.
    #[arg(long, value_name = "N", conflicts_with = "time_ms")]
    fuel: Option<u64>,
    /// Each bot's memory.
    #[arg(long, value_name = "KIB", default_value_t = Limits::COURSE.memory_bytes / 1024,
          value_parser = clap::value_parser!(u64).range(1..=MAX_MEMORY_BYTES / 1024))]
    memory_kib: u64,
    /// Show every line between judge and players, with its cost.
    #[arg(long)]
    trace: bool,
    /// Keep the round in a file for `judge replay`.
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) walls: worker::Walls,
    /// What you are called when you play yourself. Default: `human`.
    #[arg(long, value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) name: Option<String>,
}

impl Arguments {
    /// The seat of the bot or person named first.
    pub(crate) fn seat(&self) -> Seat {
        Seat::try_from(self.seat).unwrap_or(Seat::One)
    }
}

/// Parses `KEY=VALUE`.
pub(crate) fn option(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    if let Some(path) = &arguments.replay {
        output::can_write(path)?;
    }
    if arguments.bot.as_os_str() == human::HUMAN {
        return human::run(arguments);
    }
    if arguments.name.is_some() || arguments.against.as_deref() == Some(human::HUMAN) {
        let what = "a person plays in the place of the bot that is named first";
        return Err(Failure::usage(what, "`judge play human --against BOT.wasm --seat 2`"));
    }
    let limits = limits(arguments);
    let own = bots::read_all(std::slice::from_ref(&arguments.bot))?;
    for bot in &own {
        check(bot, &limits)?;
    }
    let game = game(arguments, own.first())?;
    let against = arguments.against.clone().unwrap_or_else(|| weakest(&game));
    let trained = trained::read(&against)?;
    let mut bots = own;
    if is_module(&against) {
        bots.extend(bots::read_all(&[PathBuf::from(&against)])?);
    }
    for bot in &bots {
        check(bot, &limits)?;
    }
    for bot in &bots {
        bots::warn_of_other_game(bot, &game);
    }
    let options: Options = arguments.options.iter().cloned().collect();
    let other = match (&trained, bots.get(1)) {
        (Some(trained), _) => trained.seat.clone(),
        (None, Some(bot)) => seat_of(&bot.submission),
        (None, None) => {
            judge_referee::check(&game, &options, &against)?;
            SeatSpec::Reference { name: against }
        }
    };
    let (seats, modules) = seat_players(arguments.seat(), &bots, other);
    let spec = MatchSpec { game, options, seed: Seed(arguments.seed), seats, limits };
    let mut pool = worker::pool(Some(1), &arguments.walls)?;
    pool.tables = trained.map(|trained| trained.tables).unwrap_or_default();
    let record = play(&pool, &bots, &Job { spec, modules })?;
    worker::warn_of_missing_walls(&pool);
    finish(arguments, &record, arguments.seat())
}

/// Keeps and shows a played round; `seat` is that of the bot or person named first.
pub(crate) fn finish(
    arguments: &Arguments,
    record: &MatchRecord,
    seat: Seat,
) -> Result<Exit, Failure> {
    if let Some(path) = &arguments.replay {
        output::write(path, &record.to_replay())?;
    }
    output::unless_reader_left(show(arguments, record))?;
    Ok(exit(record, seat))
}

fn game(arguments: &Arguments, bot: Option<&BotFile>) -> Result<String, Failure> {
    if let Some(game) = &arguments.game {
        return Ok(game.clone());
    }
    let claimed = bot.and_then(bots::claimed_game);
    let what = "the bot does not say what it plays";
    claimed.map(str::to_owned).ok_or_else(|| Failure::usage(what, hint_of_games()))
}

/// How to name a game.
pub(crate) fn hint_of_games() -> String {
    let known: Vec<_> = judge_games::all().iter().map(|game| game.name()).collect();
    format!("name the game: `--game {}`", known.join("`, `--game "))
}

pub(crate) fn weakest(game: &str) -> String {
    let found = judge_games::find(game);
    let opponents = found.map(judge_games::Game::opponents).unwrap_or_default();
    opponents.first().map(|opponent| opponent.name.to_owned()).unwrap_or_default()
}

/// Whether the name of an opponent is that of a file.
pub(crate) fn is_module(name: &str) -> bool {
    !trained::is_trained(name) && (name.ends_with(".wasm") || name.contains(['/', '\\']))
}

pub(crate) fn limits(arguments: &Arguments) -> Limits {
    Limits {
        fuel: arguments.fuel.unwrap_or(arguments.time_ms * FUEL_PER_MS),
        memory_bytes: arguments.memory_kib * 1024,
        ..Limits::COURSE
    }
}

/// Refuses what intake refuses, as invalid input: there is no round to play.
pub(crate) fn check(bot: &BotFile, limits: &Limits) -> Result<(), Failure> {
    let refused = match (&bot.submission.refused, &bot.info) {
        (Some(refused), _) => Some(refused.detail.clone()),
        (None, Some(info)) => info.check_limits(limits).err().map(|refusal| refusal.to_string()),
        (None, None) => None,
    };
    match refused {
        None => Ok(()),
        Some(detail) => {
            let (what, hint) = detail.split_once("\nhint: ").unwrap_or((&detail, ""));
            let what = format!("`{}`: invalid module: {what}", bot.path.display());
            Err(Failure::Input { what, hint: Some(hint.to_owned()) })
        }
    }
}

/// Who sits where, and which module belongs to which seat.
fn seat_players(
    seat: Seat,
    bots: &[BotFile],
    other: SeatSpec,
) -> ([SeatSpec; 2], [Option<usize>; 2]) {
    let own = seat_of(&bots[0].submission);
    let module = bots.get(1).map(|_| 1);
    match seat {
        Seat::One => ([own, other], [Some(0), module]),
        Seat::Two => ([other, own], [module, Some(0)]),
    }
}

/// A seat with that bot in it.
pub(crate) fn seat_of(submission: &Submission) -> SeatSpec {
    SeatSpec::Bot { name: submission.bot.name.clone(), sha256: submission.bot.sha256 }
}

fn play(pool: &Pool, bots: &[BotFile], job: &Job) -> Result<MatchRecord, Failure> {
    let modules: Vec<&[u8]> = bots.iter().map(|bot| bot.submission.module.as_slice()).collect();
    Ok(pool.play(&modules, job)?.record)
}

fn show(arguments: &Arguments, record: &MatchRecord) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    if arguments.trace {
        for call in &record.calls {
            writeln!(out, "{}", traced(call))?;
        }
    }
    for line in summary(record) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// One line of a trace: seat, line, answer, cost.
pub(crate) fn traced(call: &judge_core::Call) -> String {
    let answer = call.answer.as_ref().map(|answer| format!(" -> {answer}")).unwrap_or_default();
    let fuel = call.fuel.map(|fuel| format!("  ({fuel} fuel)")).unwrap_or_default();
    printable(&format!("{}: {}{answer}{fuel}", call.seat, call.line), usize::MAX)
}

/// The end of a round in a few lines: result, fault, what was used, log, digest.
pub(crate) fn summary(record: &MatchRecord) -> Vec<String> {
    let spec = &record.header.spec;
    let trailer = &record.trailer;
    let outcome = &trailer.outcome;
    let mut lines = Vec::new();
    lines.push(match outcome.winner {
        None => format!("draw {}:{} ({})", outcome.scores[0], outcome.scores[1], outcome.reason),
        Some(winner) => format!(
            "seat {winner} ({}) wins {}:{} ({})",
            spec.seat(winner).name(),
            outcome.score(winner),
            outcome.score(winner.other()),
            outcome.reason
        ),
    });
    if let Some(fault) = &trailer.fault {
        let who = match fault.seat {
            None => "the judge".to_owned(),
            Some(seat) => format!("seat {seat} ({})", spec.seat(seat).name()),
        };
        let call = fault.call.map(|call| format!(" at line {}", call + 1)).unwrap_or_default();
        lines.push(format!("{}: {who}{call}: {}", fault.verdict, fault.detail));
    }
    for seat in Seat::BOTH.into_iter().filter(|seat| spec.seat(*seat).is_bot()) {
        lines.extend(used(record, seat));
    }
    lines.push(format!("digest {}", record.digest()));
    // Names, reasons and logs come from outside.
    lines.iter().map(|line| printable(line, usize::MAX)).collect()
}

fn used(record: &MatchRecord, seat: Seat) -> Vec<String> {
    let spec = &record.header.spec;
    let memory = record.trailer.peak_memory_bytes[seat.index()];
    let mut lines = vec![format!(
        "seat {seat} ({}): {} of {}, {} of {}",
        spec.seat(seat).name(),
        fuel_as_ms(record.fuel(seat)),
        fuel_as_ms(spec.limits.fuel),
        kib(memory),
        kib(spec.limits.memory_bytes),
    )];
    let log = &record.trailer.logs[seat.index()];
    for line in log.lines() {
        lines.push(format!("seat {seat} log: {line}"));
    }
    match record.trailer.log_dropped[seat.index()] {
        0 => {}
        dropped => lines.push(format!("seat {seat} log: {dropped} bytes more were dropped")),
    }
    lines
}

fn exit(record: &MatchRecord, seat: Seat) -> Exit {
    // To give up is one of the ways to end a round, and nobody's failure.
    let fault = record.trailer.fault.as_ref().filter(|fault| fault.verdict != Verdict::Resigned);
    match fault.map(|fault| fault.blame(seat)) {
        None => Exit::Passed,
        Some(Blame::Bot | Blame::Opponent) => Exit::Failed,
        Some(Blame::Judge) => Exit::JudgeError,
    }
}
