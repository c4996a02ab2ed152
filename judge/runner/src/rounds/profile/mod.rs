//! A bot's fuel: rounds are played as grading plays them, and their lines sent once more to the bot
//! while its fuel is counted by function. The sums are those of the rounds, unit by unit.

mod costliest;
mod rounds;
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
use crate::rounds::check_bot::{self, Toolchain};
use crate::rounds::play::{self, RoundSetup};
use crate::rounds::round_text;
use crate::rounds::stack_trace;
use costliest::Costliest;
use sums::ProfileSums;

/// A bot, and what of its play is measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// A module or a source.
    pub bot: PathBuf,
    /// The rounds.
    pub rounds: ProfiledRounds,
    /// The only answer that is measured, counted from 1 over both seats; none for whole rounds.
    pub ply: Option<usize>,
}

/// Rounds to measure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProfiledRounds {
    /// A single round.
    Single(RoundSetup),
    /// The rounds of a testcase, which share its time.
    Testcase {
        /// A file, or the name of a testcase of the bundled suite of the bot's game.
        testcase: PathBuf,
        /// The only round, counted from 1; none for all.
        round: Option<usize>,
    },
}

/// The profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// By function.
    pub profile: FuelProfile,
    /// Calls of the bot that were measured.
    calls: u64,
    /// The number of functions that ran and have no name, and what made the module.
    unnamed: usize,
    toolchain: Toolchain,
    /// True for a script: the functions are the interpreter's.
    is_script: bool,
    costliest: Option<Costliest>,
    /// Ends of rounds in which a player failed.
    failures: Vec<BrokenRound>,
}

/// A round that a player broke.
#[derive(Debug, Clone, PartialEq, Eq)]
struct BrokenRound {
    blame: Blame,
    what: String,
    /// The bot's running functions.
    trace: Vec<String>,
}

/// Plays the rounds and measures them.
///
/// # Errors
/// When the bot cannot be read or is refused, a round does not exist, or the judge fails. A bot
/// that fails in a round is not an error.
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

/// The measurements so far.
struct Measuring<'a> {
    request: &'a Request,
    bot: &'a BotSource,
    workers: &'a Workers,
    /// A title, in a line.
    title: String,
    sums: ProfileSums,
    calls: u64,
    /// Fuel that the rounds so far have taken.
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
        let (sums, costliest, failures) = (ProfileSums::default(), None, Vec::new());
        Measuring { request, bot, workers, title, sums, calls: 0, spent: 0, costliest, failures }
    }

    /// Plays a round and measures it; one for which no time is left is left out.
    fn round(&mut self, mut setting: RoundSetup, events: &mut dyn Listener) -> Result<(), Error> {
        // Rounds of a testcase share its time.
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
        let (measured, calls, fuel) = match chosen.transpose()? {
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
            Blame::Bot => stack_trace::lines(self.workers, module, (record, seat))?,
            Blame::Opponent | Blame::Judge => Vec::new(),
        };
        self.failures.push(BrokenRound { blame, what, trace });
        Ok(())
    }

    fn outcome(self) -> Outcome {
        let module = &self.bot.submission.module;
        let names = FunctionNames::read(module);
        Outcome {
            unnamed: self.sums.functions().filter(|one| names.find(*one).is_none()).count(),
            profile: self.sums.profile(self.title, &names),
            calls: self.calls,
            toolchain: check_bot::toolchain(module),
            is_script: judge_sandbox::interpreter_of(module).is_some(),
            costliest: self.costliest,
            failures: self.failures,
        }
    }
}

/// The number of a seat's calls that returned.
fn calls_of(record: &RoundRecord, seat: Seat) -> u64 {
    let own = record.calls.iter().filter(|call| call.seat == seat && call.fuel.is_some());
    own.count() as u64
}

impl Outcome {
    /// The player to blame for a broken round, if there is one; the bot before its opponents.
    pub fn blame(&self) -> Option<Blame> {
        let blames: Vec<Blame> = self.failures.iter().map(|failure| failure.blame).collect();
        blames.iter().find(|blame| **blame == Blame::Bot).or(blames.first()).copied()
    }

    /// Writes table, flame graph and the files for viewers into a folder; returns the files.
    ///
    /// # Errors
    /// When the folder or a file cannot be written.
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
