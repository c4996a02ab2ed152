//! Profile of a bot's fuel. Rounds are played as in grading, and then the bot gets the same lines
//! again while its fuel is counted by function. The sums are exactly the fuel of the rounds.

mod costliest;
mod rounds;
mod script;
mod sums;
mod text;

use std::path::{Path, PathBuf};

use judge_core::{Blame, Listener, RoundRecord, Seat};
use judge_report::FuelProfile;
use judge_sandbox::Measured;

use crate::Error;
use crate::base::files;
use crate::base::workers::Workers;
use crate::bots::function_names::FunctionNames;
use crate::bots::players;
use crate::bots::{self, BotSource};
use crate::rounds::check_bot::{self, Maker};
use crate::rounds::play::{self, RoundSetup};
use crate::rounds::round_text;
use crate::rounds::stack_trace;
use costliest::Costliest;
use script::ScriptSamples;
use sums::ProfileSums;

/// A bot, and the rounds to profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// A module or a source.
    pub bot: PathBuf,
    /// The rounds.
    pub rounds: ProfiledRounds,
    /// The only answer to profile, counted from 1 over both seats; none for whole rounds.
    pub ply: Option<usize>,
}

/// The rounds to profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProfiledRounds {
    /// A single round.
    Single(RoundSetup),
    /// The rounds of a testcase, which share its time.
    Testcase {
        /// A file, or the name of a testcase in the bundled suite of the bot's game.
        testcase: PathBuf,
        /// The only round, counted from 1; none for all.
        round: Option<usize>,
    },
}

/// The profile of a bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The profile by function.
    pub profile: FuelProfile,
    /// Number of the bot's calls in it.
    calls: u64,
    /// The number of functions that ran and have no name, and the compiler of the module.
    unnamed: usize,
    toolchain: Maker,
    /// The lines of a script with the most fuel.
    lines: Vec<String>,
    /// True for a script without samples, where the functions are the interpreter's.
    is_interpreter: bool,
    costliest: Option<Costliest>,
    /// Rounds in which a player failed.
    failures: Vec<BrokenRound>,
}

/// A round in which a player failed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct BrokenRound {
    blame: Blame,
    what: String,
    /// The bot's functions that were running.
    trace: Vec<String>,
}

/// Plays and profiles the rounds.
///
/// # Errors
/// If the bot cannot be read or is refused, a round does not exist, or the judge fails. A bot's
/// fault in a round is not an error.
pub fn run(
    request: &Request,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    let mut read = bots::read_all(std::slice::from_ref(&request.bot), events)?;
    let bot = read.pop().ok_or_else(|| Error::Judge("no module was read".to_owned()))?;
    let (title, rounds) = rounds::find(request, &bot, events)?;
    let mut measuring = Measuring::new(request, &bot, workers, title);
    for round in rounds {
        measuring.round(round, events)?;
    }
    Ok(measuring.outcome())
}

/// The profile so far.
struct Measuring<'a> {
    request: &'a Request,
    bot: &'a BotSource,
    workers: &'a Workers,
    /// A one-line title.
    title: String,
    sums: ProfileSums,
    /// Samples of a script.
    samples: ScriptSamples,
    is_script: bool,
    calls: u64,
    /// Fuel of all rounds so far.
    spent: u64,
    costliest: Option<Costliest>,
    failures: Vec<BrokenRound>,
}

impl<'a> Measuring<'a> {
    fn new(
        request: &'a Request,
        bot: &'a BotSource,
        workers: &'a Workers,
        title: String,
    ) -> Measuring<'a> {
        Measuring {
            request,
            bot,
            workers,
            title,
            sums: ProfileSums::default(),
            samples: ScriptSamples::default(),
            is_script: judge_sandbox::interpreter_of(&bot.submission.module).is_some(),
            calls: 0,
            spent: 0,
            costliest: None,
            failures: Vec::new(),
        }
    }

    /// Plays and profiles a round. Without remaining time it is skipped.
    fn round(&mut self, mut setting: RoundSetup, events: &mut dyn Listener) -> Result<(), Error> {
        // The rounds of a testcase share its time.
        setting.limits.fuel = setting.limits.fuel.saturating_sub(self.spent);
        if setting.limits.fuel == 0 {
            return Ok(());
        }
        players::check(self.bot, &setting.limits)?;
        let play::Outcome { record, seat, .. } =
            play::run_bot(self.bot, &setting, self.workers, events)?;
        if let ProfiledRounds::Single(_) = self.request.rounds {
            self.title = rounds::title(&record, seat, self.request.ply);
        }
        self.note_failure(&record, seat)?;
        let module = &self.bot.submission.module;
        let chosen = self.request.ply.map(|ply| costliest::call_of(&record, seat, ply));
        let chosen = chosen.transpose()?;
        if self.is_script {
            self.samples.add(self.workers, module, (&record, seat), chosen)?;
        }
        let (measured, calls, fuel) = match chosen {
            Some(chosen) => (Measured::Call(chosen.call), 1, chosen.fuel),
            None => (Measured::Every, calls_of(&record, seat), record.fuel(seat)),
        };
        let seen =
            crate::rounds::rerun::inspect(self.workers, module, (&record, seat), Some(measured))?;
        let profile = seen.profile.unwrap_or_default();
        let is_whole =
            record.trailer.fault.as_ref().is_none_or(|fault| fault.blame(seat) != Blame::Bot);
        if is_whole && profile.fuel() != fuel {
            return Err(Error::Judge(
                "the fuel by function does not add up to the round's".to_owned(),
            ));
        }
        self.sums.add(&profile);
        self.calls += calls;
        self.spent += round_text::fuel_spent(&record, seat);
        if self.request.ply.is_none() {
            let one = costliest::find(&record, seat, &setting);
            self.costliest = self.costliest.take().into_iter().chain(one).reduce(Costliest::larger);
        }
        Ok(())
    }

    fn note_failure(&mut self, record: &RoundRecord, seat: Seat) -> Result<(), Error> {
        let Some(fault) = &record.trailer.fault else { return Ok(()) };
        let (blame, what) = (fault.blame(seat), format!("{}: {}", fault.verdict, fault.detail));
        if blame == Blame::Judge {
            return Err(Error::Judge(format!("the judge failed in the round: {what}")));
        }
        let module = &self.bot.submission.module;
        let trace = match blame {
            Blame::Bot => stack_trace::lines(self.workers, module, (record, seat)),
            Blame::Opponent | Blame::Judge => Vec::new(),
        };
        self.failures.push(BrokenRound { blame, what, trace });
        Ok(())
    }

    fn outcome(self) -> Outcome {
        let module = &self.bot.submission.module;
        let names = FunctionNames::read(module);
        let sampled = self.samples.profile(&self.title);
        Outcome {
            unnamed: self.sums.functions().filter(|one| names.find(*one).is_none()).count(),
            lines: if sampled.is_some() { self.samples.to_lines() } else { Vec::new() },
            is_interpreter: self.is_script && sampled.is_none(),
            profile: sampled.unwrap_or_else(|| self.sums.profile(self.title, &names)),
            calls: self.calls,
            toolchain: check_bot::toolchain(module),
            costliest: self.costliest,
            failures: self.failures,
        }
    }
}

/// Number of a seat's calls that returned.
fn calls_of(record: &RoundRecord, seat: Seat) -> u64 {
    let own = record.calls.iter().filter(|call| call.seat == seat && call.fuel.is_some());
    own.count() as u64
}

impl Outcome {
    /// The player to blame for a failed round, if any; the bot before its opponents.
    pub fn blame(&self) -> Option<Blame> {
        let blames: Vec<Blame> = self.failures.iter().map(|failure| failure.blame).collect();
        blames.iter().find(|blame| **blame == Blame::Bot).or(blames.first()).copied()
    }

    /// Writes the table, the flame graph and the files for viewers into a folder, and returns their
    /// paths.
    ///
    /// # Errors
    /// If the folder or a file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<Vec<PathBuf>, Error> {
        let unwritten = |source| Error::Write { path: folder.to_owned(), source };
        std::fs::create_dir_all(folder).map_err(unwritten)?;
        let contents = [
            ("profile.txt", self.profile.to_table(usize::MAX)),
            ("flame.svg", self.profile.to_svg()),
            ("speedscope.json", self.profile.to_speedscope()),
            ("folded.txt", self.profile.to_folded()),
        ];
        let write = |(name, content): (&str, String)| {
            let path = folder.join(name);
            files::is_no_result(&path)?;
            files::write(&path, &content)?;
            Ok(path)
        };
        contents.into_iter().map(write).collect()
    }
}
