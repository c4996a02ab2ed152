//! Inspection of a bot: its properties, and the problems for which the judge would refuse it, with
//! remedies.

mod text;

use std::path::PathBuf;

use judge_arena::Job;
use judge_core::{
    Blame, Explanation, Limits, Listener, Options, RoundSpec, Seat, SeatSpec, Seed, digest,
};
use judge_interpreters::Script;
use judge_sandbox::intake::{self, IntakeRefusal, Limit, MAX_MODULE_BYTES, Transport};
pub use judge_sandbox::remedies::Maker;
use judge_sandbox::remedies::{self, Contents};
use serde::Serialize;

use crate::Error;
use crate::base::workers::{self, Workers};
use crate::bots::players;
use crate::bots::start_up::{self, FailedStart};
use crate::bots::{self, BotSource};
use crate::rounds::round_text;

/// Number of limits to show, those with the highest use; and the largest limit to leave out,
/// because a few items would use it up.
const SHOWN_LIMITS: usize = 3;
const SMALL: u64 = 64;

/// The seed of the round.
const SEED: Seed = Seed(1);

/// A bot to inspect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// A module or a source.
    pub bot: PathBuf,
    /// The game of the round. Default: the one that the bot states.
    pub game: Option<String>,
    /// The limits that the bot must fit into.
    pub limits: Limits,
}

/// The result of an inspection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// Version of this document.
    version: u32,
    /// The file as given.
    file: String,
    sha256: String,
    /// True if the judge accepts the module under the limits.
    pub accepted: bool,
    problems: Vec<ModuleProblem>,
    /// The error that ends the bot before it reads its first line, in every game and round.
    #[serde(skip_serializing_if = "Option::is_none")]
    fails_at_start: Option<ModuleProblem>,
    /// `exports` or `stdio`; none if the module has neither.
    transport: Option<&'static str>,
    toolchain: Maker,
    /// Languages and tools in the section `producers`.
    producers: Vec<String>,
    /// The script, if the module is an interpreter of this judge with one.
    #[serde(skip_serializing_if = "Option::is_none")]
    script: Option<ScriptFile>,
    says: Says,
    bytes: u64,
    most_bytes: u64,
    memory: Memory,
    imports: Vec<String>,
    exports: Vec<String>,
    /// The code that runs before the first line.
    start: Vec<&'static str>,
    features: Vec<String>,
    /// Sections that could be removed, and their sizes.
    extras: Vec<(String, u64)>,
    limits: Vec<Headroom>,
    round: Option<CheckRound>,
}

/// A reason to refuse the module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct ModuleProblem {
    what: String,
    remedy: String,
}

/// The manifest's statements.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Says {
    name: Option<String>,
    author: Option<String>,
    games: Vec<String>,
    kit: Option<String>,
}

/// Linear memory, in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Memory {
    at_start: u64,
    /// The module's own maximum; none if it has no bound.
    declared_most: Option<u64>,
    limit: u64,
}

/// The used share of a limit of intake.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Headroom {
    what: &'static str,
    used: u64,
    most: u64,
}

/// A script and its interpreter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct ScriptFile {
    language: &'static str,
    interpreter: &'static str,
    file: String,
    bytes: u64,
    sha256: String,
}

impl ScriptFile {
    /// Reads the script of a module, if it is an interpreter of this judge with one.
    fn in_module(module: &[u8]) -> Option<ScriptFile> {
        let script = Script::in_module(module)?;
        let main = script.main()?;
        Some(ScriptFile {
            language: script.interpreter.language,
            interpreter: script.interpreter.name,
            file: main.name,
            bytes: main.text.len() as u64,
            sha256: digest(&main.text).to_string(),
        })
    }
}

/// A round against the weakest opponent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct CheckRound {
    game: String,
    against: String,
    seed: u64,
    /// The bot's fault, if any.
    fault: Option<String>,
    fuel: u64,
    most_fuel: u64,
    peak_memory_bytes: u64,
    digest: String,
}

/// Guesses the compiler of a module.
pub(crate) fn toolchain(module: &[u8]) -> Maker {
    Contents::read(module).toolchain
}

/// Inspects a bot and, if it can play, plays a round with it.
///
/// # Errors
/// If the file cannot be read or built, the game is unknown, or the judge fails.
pub fn run(
    request: &Request,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    request.game.as_deref().map(judge_referee::find).transpose()?;
    let mut read = bots::read_all(std::slice::from_ref(&request.bot), events)?;
    let bot = read.pop().ok_or_else(|| Error::Judge("no module was read".to_owned()))?;
    let mut outcome = outcome(request, &bot);
    if outcome.accepted {
        outcome.fails_at_start = failure_at_start(request, &bot, workers);
    }
    let game = request.game.clone().or_else(|| bots::claimed_game(&bot).map(str::to_owned));
    if let Some(game) = game.filter(|_| outcome.starts()) {
        outcome.round = Some(round(request, &bot, &game, workers, events)?);
    }
    Ok(outcome)
}

fn outcome(request: &Request, bot: &BotSource) -> Outcome {
    let module = &bot.submission.module;
    let contents = Contents::read(module);
    let problems = problems(request, bot, &contents);
    let manifest = bot.info.as_ref().map(|info| info.manifest.clone()).unwrap_or_default();
    let at_start = bot.info.as_ref().map_or(contents.memory_bytes, |info| info.initial_bytes);
    Outcome {
        version: 1,
        file: request.bot.display().to_string(),
        sha256: bot.submission.bot.sha256.to_string(),
        accepted: problems.is_empty(),
        problems,
        fails_at_start: None,
        transport: transport(bot, &contents),
        toolchain: contents.toolchain,
        producers: contents.producers,
        script: ScriptFile::in_module(module),
        says: Says {
            name: manifest.name,
            author: manifest.author,
            games: manifest.games,
            kit: manifest.kit,
        },
        bytes: module.len() as u64,
        most_bytes: MAX_MODULE_BYTES as u64,
        memory: Memory {
            at_start,
            declared_most: contents.most_memory_bytes,
            limit: request.limits.memory_bytes,
        },
        imports: contents.imports,
        exports: contents.exports,
        start: contents.start,
        features: contents.features,
        extras: contents.extras,
        limits: headroom(module),
        round: None,
    }
}

/// The reasons to refuse the module: those of intake, and too much memory.
fn problems(request: &Request, bot: &BotSource, contents: &Contents) -> Vec<ModuleProblem> {
    let mut problems = Vec::new();
    let mut add = |Explanation { reason, hint }| {
        problems.push(ModuleProblem { what: reason, remedy: hint.unwrap_or_default() });
    };
    if let Some(refused) = &bot.submission.refused {
        add(refused.why.clone());
    }
    match &bot.info {
        Some(info) => {
            if let Err(refusal) = info.check_limits(&request.limits) {
                add(remedies::explained(contents, &refusal));
            }
        }
        None if contents.memory_bytes > request.limits.memory_bytes => {
            let (starts_with, cap) = (contents.memory_bytes, request.limits.memory_bytes);
            add(remedies::explained(contents, &IntakeRefusal::TooMuchMemory { starts_with, cap }));
        }
        None => {}
    }
    problems
}

/// The error of a bot before its first line, with the remedy.
fn failure_at_start(
    request: &Request,
    bot: &BotSource,
    workers: &Workers,
) -> Option<ModuleProblem> {
    let (module, memory) = (&bot.submission.module, request.limits.memory_bytes);
    let FailedStart { verdict, what, remedy } = start_up::failure(module, memory, workers)?;
    Some(ModuleProblem { what: format!("{verdict}: {what}"), remedy: remedy.to_owned() })
}

fn transport(bot: &BotSource, contents: &Contents) -> Option<&'static str> {
    let known = bot.info.as_ref().map(|info| info.transport);
    match known.or_else(|| contents.transport()) {
        Some(Transport::Exports) => Some("exports"),
        Some(Transport::Stdio) => Some("stdio"),
        None => None,
    }
}

/// The limits of intake with the highest use.
fn headroom(module: &[u8]) -> Vec<Headroom> {
    let Ok(tally) = intake::tally(module) else { return Vec::new() };
    let used = |limit: &Limit| Headroom {
        what: limit.what(),
        used: tally.seen(*limit),
        most: limit.most(),
    };
    let mut all: Vec<Headroom> =
        Limit::ALL.iter().filter(|limit| limit.most() > SMALL).map(used).collect();
    // The sort is stable, so equal ones stay in the order of intake.
    all.sort_by_key(|one| std::cmp::Reverse(one.used * 1_000_000 / one.most.max(1)));
    all.truncate(SHOWN_LIMITS);
    all
}

/// Plays a round with the defaults of `judge play`: seat 1, seed 1, the weakest opponent.
fn round(
    request: &Request,
    bot: &BotSource,
    game: &str,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<CheckRound, Error> {
    let (against, limits) = (players::weakest(game), request.limits);
    let spec = RoundSpec {
        game: game.to_owned(),
        options: Options::default(),
        seed: SEED,
        seats: [players::seat_of(&bot.submission), SeatSpec::Reference { name: against.clone() }],
        limits,
    };
    let run = workers.clone().with_jobs(1).run();
    let job = Job { spec, modules: [Some(0), None].into() };
    let record = run.play(&[bot.submission.module.as_slice()], &job)?.record;
    workers::tell_of_missing_walls(&run, events)?;
    let fault = record.trailer.fault.as_ref();
    if fault.is_some_and(|fault| fault.blame(Seat::One) == Blame::Judge) {
        return Err(Error::Judge("the judge failed in the round".to_owned()));
    }
    let fault = fault.filter(|fault| fault.blame(Seat::One) == Blame::Bot);
    Ok(CheckRound {
        game: game.to_owned(),
        against,
        seed: SEED.0,
        fault: fault.map(|fault| format!("{}: {}", fault.verdict, fault.detail)),
        fuel: round_text::fuel_spent(&record, Seat::One),
        most_fuel: limits.fuel,
        peak_memory_bytes: record.trailer.peak_memory_bytes[Seat::One],
        digest: record.digest().to_string(),
    })
}

impl Outcome {
    /// True if the bot used more than a tenth of its time in the round, which a testcase gives for
    /// all its rounds, of which there are about ten.
    pub fn is_slow(&self) -> bool {
        self.round.as_ref().is_some_and(|round| round.fuel > round.most_fuel / 10)
    }

    /// True if the module is accepted and starts.
    fn starts(&self) -> bool {
        self.accepted && self.fails_at_start.is_none()
    }

    /// True if the module is accepted, starts, and did not fail in the round.
    pub fn is_sound(&self) -> bool {
        self.starts() && self.round.as_ref().is_none_or(|round| round.fault.is_none())
    }

    /// Renders the result as JSON.
    pub fn to_json(&self) -> String {
        // The result has only numbers, texts and lists of them, so serialization cannot fail.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}
