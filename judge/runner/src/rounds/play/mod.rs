//! A single round, played exactly as in grading: between bots, between a person and another player,
//! or between two people.

mod account;
mod native;
mod person;
mod saved;
mod session;
mod setting;
pub mod typed;

use std::path::PathBuf;

use judge_arena::{GivenRound, Job, Partner, Run};
use judge_core::{Blame, GivenAnswers, Listener, RoundRecord, Seat, SeatSpec, Verdict};

use judge_report::{FailedCall, TimePattern};

use crate::Error;
use crate::base::styled_text::Styled;
use crate::base::workers::{self, Workers};
use crate::bots::native::{NativePlayer, NativeSetup};
use crate::bots::players;
pub use crate::bots::players::HUMAN;
pub(crate) use crate::bots::players::{check, hint_of_games, is_module, seat_of};
use crate::bots::trained;
use crate::bots::{self, BotSource};
use crate::rounds::round_html;
use crate::rounds::round_text;
use crate::rounds::round_text::Logged;
pub use crate::rounds::round_text::ShownLog;
use crate::rounds::stack_trace;
pub use native::run_native;
pub use person::{Decision, Notice, Person, PersonMatch, PersonQuestion};
pub use saved::SavedMove;
pub(crate) use saved::SavedPosition;
use session::PersonSession;
use setting::Opponent;
pub use setting::RoundSetup;
pub(crate) use setting::read_bot;

/// A bot's round to play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The bot's module.
    pub bot: PathBuf,
    /// The round's setup.
    pub setting: RoundSetup,
}

/// A person's round to play.
#[derive(Debug, Clone)]
pub struct PersonRequest {
    /// The names of the person and, between two people, of the second person.
    pub names: Vec<String>,
    /// The program outside the sandbox that the person plays against.
    pub native: Option<NativeSetup>,
    /// The round's setup.
    pub setting: RoundSetup,
}

/// A round of a program outside the sandbox.
#[derive(Debug, Clone)]
pub struct NativeRequest {
    /// The program.
    pub native: NativeSetup,
    /// The module that it plays against; none to use the setup's opponent.
    pub bot: Option<PathBuf>,
    /// The round's setup. With a module, its first player is the module.
    pub setting: RoundSetup,
}

/// A played round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The record with all messages and answers.
    pub record: RoundRecord,
    /// The seat of the bot or person that the request is about.
    pub seat: Seat,
    /// The end of a round in which the bot failed: the runtime's message, one line per function.
    pub trace: Vec<String>,
}

/// The end of a session with a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// The person left before the first answer, so there is no round.
    Unbegun,
    /// The round, complete or resigned.
    Round(Outcome),
    /// The person left with an interrupt. The round so far, if there was an answer.
    Interrupted(Option<Outcome>),
}

/// Plays a round of a bot.
///
/// # Errors
/// If a module cannot be read or is refused, or the game, option or opponent is unknown. A bot's
/// fault in the round is not an error.
pub fn run(
    request: &Request,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    let Request { bot, setting } = request;
    if setting.against.as_deref() == Some(HUMAN) {
        return Err(person_not_first());
    }
    let own = setting::read_bot(bot, &setting.limits, events)?;
    let mut outcome = run_bot(&own, setting, workers, events)?;
    let module = &own.submission.module;
    if outcome.blame() == Some(Blame::Bot) {
        let round = (&outcome.record, outcome.seat);
        outcome.trace = stack_trace::lines(workers, module, round);
    }
    Ok(outcome)
}

/// Plays a round of a bot that was already read and fits the limits.
pub(crate) fn run_bot(
    own: &BotSource,
    setting: &RoundSetup,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    let round = ReadyRound::new(own, setting, &workers.clone().with_jobs(1), events)?;
    let record = round.play(own)?;
    workers::tell_of_missing_walls(&round.run, events)?;
    Ok(Outcome { record, seat: setting.seat, trace: Vec::new() })
}

/// A bot's round that can be played.
pub(crate) struct ReadyRound {
    pub(crate) run: Run,
    pub(crate) job: Job,
    /// The first answers, of both seats.
    pub(crate) beginning: Vec<String>,
    other: Option<BotSource>,
}

impl ReadyRound {
    /// Finds game, opponent and workers for a bot that was already read and fits the limits.
    pub(crate) fn new(
        own: &BotSource,
        setting: &RoundSetup,
        workers: &Workers,
        events: &mut dyn Listener,
    ) -> Result<ReadyRound, Error> {
        let game = setting.game(Some(own), "the bot does not say which game it plays")?;
        let Opponent { bot: other, trained } = Opponent::read(setting, Some(own), events)?;
        for bot in std::iter::once(own).chain(&other) {
            bots::tell_of_other_game(bot, &game, events)?;
        }
        let opposite = setting.opposite(&game, other.as_ref(), trained.as_ref());
        if let SeatSpec::Reference { name } = &opposite {
            judge_referee::check(&game, &setting.options, name)?;
            players::tell_that_a_file_is_not_meant(name, events)?;
        }
        let mut modules = [Some(0), other.as_ref().map(|_| 1)];
        if setting.seat == Seat::Two {
            modules.reverse();
        }
        let spec = setting.spec(game, seat_of(&own.submission), opposite);
        let tables = trained.map(|trained| trained.tables).unwrap_or_default();
        let run = workers.clone().run().with_tables(tables);
        let beginning = setting.beginning.clone();
        Ok(ReadyRound { run, job: Job { spec, modules: modules.into() }, beginning, other })
    }

    /// Plays the round.
    pub(crate) fn play(&self, own: &BotSource) -> Result<RoundRecord, Error> {
        let modules = self.modules(own);
        if self.beginning.is_empty() {
            return Ok(self.run.play(&modules, &self.job)?.record);
        }
        let mut played = None;
        let given = GivenAnswers::beginning(&self.beginning);
        let rounds = [GivenRound { job: &self.job, given }];
        self.run.play_given(&modules, &rounds, &mut |_, record| {
            played = Some(record);
            Ok(())
        })?;
        played.ok_or_else(|| Error::Judge("no round was played".to_owned()))
    }

    /// The modules of its bots.
    pub(crate) fn modules<'a>(&'a self, own: &'a BotSource) -> Vec<&'a [u8]> {
        let bots = std::iter::once(own).chain(&self.other);
        bots.map(|bot| bot.submission.module.as_slice()).collect()
    }
}

/// Plays a round of a person, or between two people, who are asked for each answer.
///
/// # Errors
/// As [`run`], and if there are more names than people, or a person's answer cannot be read.
pub fn run_with_person(
    request: &PersonRequest,
    person: &mut dyn Person,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Ended, Error> {
    let PersonRequest { names, native, setting } = request;
    refuse_beginning(setting)?;
    native.as_ref().map_or(Ok(()), |native| native::check(native, setting))?;
    let people = People::read(names, setting)?;
    let Opponent { bot, trained } = Opponent::read(setting, None, events)?;
    let game = setting.game(bot.as_ref(), "which game do you want to play?")?;
    let opposite = match (people.other, native) {
        (Some(other), _) => other,
        (None, Some(native)) => native.seat(),
        (None, None) => setting.opposite(&game, bot.as_ref(), trained.as_ref()),
    };
    let spec = setting.spec(game, people.own, opposite);
    let tables = trained.map(|trained| trained.tables).unwrap_or_default();
    let run = workers.clone().with_jobs(1).run().with_tables(tables);
    let code: Vec<&[u8]> = bot.iter().map(|bot| bot.submission.module.as_slice()).collect();
    let start = native.clone().map(|native| {
        let log_bytes = spec.limits.log_bytes;
        let start = move || {
            Box::new(NativePlayer::new(native.clone(), log_bytes)) as Box<dyn judge_core::Player>
        };
        Box::new(start) as judge_referee::Create
    });
    let partner = Partner::new(&run, &code, spec.clone(), start).map_err(players::no_partner)?;
    let table = PersonMatch { game: judge_referee::find(&spec.game)?, spec, person: setting.seat };
    let ended = PersonSession::new(&table, partner, person).play()?;
    workers::tell_of_missing_walls(&run, events)?;
    Ok(ended)
}

/// The first person and, between two people, the second.
struct People {
    own: SeatSpec,
    other: Option<SeatSpec>,
}

impl People {
    /// Creates people with these names. By default one person is called `human`, and two people go
    /// by their seats.
    fn read(names: &[String], setting: &RoundSetup) -> Result<People, Error> {
        let two = setting.against.as_deref() == Some(HUMAN);
        if names.len() > 1 + usize::from(two) {
            let what = format!("{} names for {} people", names.len(), 1 + usize::from(two));
            return Err(Error::usage(what, "`--against human --name ADA --name BOB`"));
        }
        let person = |at: usize, seat: Seat| {
            let unnamed = || if two { format!("{HUMAN} {seat}") } else { HUMAN.to_owned() };
            SeatSpec::Human { name: names.get(at).cloned().unwrap_or_else(unnamed) }
        };
        let other = two.then(|| person(1, setting.seat.other()));
        Ok(People { own: person(0, setting.seat), other })
    }
}

/// Refuses a saved beginning for people and native programs.
fn refuse_beginning(setting: &RoundSetup) -> Result<(), Error> {
    if setting.beginning.is_empty() {
        return Ok(());
    }
    let what = "people and programs outside the sandbox cannot start from a move";
    Err(Error::usage(what, "name a module or a source, or leave `--from` out"))
}

/// True for the names of modules and trained players, which are files.
pub fn is_file(name: &str) -> bool {
    is_module(name) || trained::is_trained(name)
}

/// The error for a person who is not the first player.
pub fn person_not_first() -> Error {
    let what = "a person can take only the place of the first bot";
    Error::usage(what, "`judge play human --against BOT.wasm --seat 2`")
}

impl Outcome {
    /// The round's record, for `judge replay` and `judge verify`.
    pub fn replay(&self) -> String {
        self.record.to_replay()
    }

    /// Formats every line between judge and players with its answer and cost, and below it the
    /// bot's log.
    pub fn trace(&self) -> Vec<String> {
        let logged = Logged::new(&self.record);
        let line = |(index, call)| {
            let below = logged.of_call(index).map(str::to_owned);
            std::iter::once(round_text::traced(call)).chain(below)
        };
        self.record.calls.iter().enumerate().flat_map(line).collect()
    }

    /// Formats a short account and the last position.
    ///
    /// # Errors
    /// If the round's game is unknown.
    pub fn account(&self) -> Result<Styled, Error> {
        account::account(&self.record)
    }

    /// Renders the page of the round. `check` is the command that checks it, ready for a shell, if
    /// there is one, and `remark` says what makes the round special, if anything.
    ///
    /// # Errors
    /// As [`Outcome::account`].
    pub fn page(&self, check: Option<&str>, remark: Option<String>) -> Result<String, Error> {
        round_html::alone(&self.record, check, remark)
    }

    /// The calls whose log [`Outcome::account`] shows.
    pub fn log_in_account(&self) -> ShownLog {
        account::shown_log(&self.record)
    }

    /// Summarizes the end: result, fault, resources, the log as far as it is not shown yet, digest,
    /// and the place where the bot failed.
    pub fn summary(&self, shown: ShownLog) -> Vec<String> {
        let mut lines = round_text::summary(&self.record, shown);
        if !self.trace.is_empty() {
            lines.push("where the bot failed:".to_owned());
            lines.extend(self.trace.iter().map(|line| format!("  {line}")));
        }
        lines.extend(self.advice().map(|advice| format!("what now: {advice}")));
        lines
    }

    /// The next step after a fault of the bot.
    fn advice(&self) -> Option<String> {
        let fault = self.record.trailer.fault.as_ref();
        let fault = fault.filter(|_| self.blame() == Some(Blame::Bot))?;
        let (verdict, detail, frames) = (fault.verdict, fault.detail.as_str(), &self.trace);
        let time = match account::looks_endless(&self.record) {
            true => TimePattern::OneCall,
            false => TimePattern::Spread,
        };
        let limits = &self.record.header.spec.limits;
        let is_message = |line: &&String| !line.starts_with("at ") && !line.starts_with('…');
        let message = self.trace.first().filter(is_message).map(String::as_str);
        FailedCall { verdict, detail, message, frames, time }.advice_under(limits)
    }

    /// True if the bot used more than a tenth of its time, which a testcase gives for all its
    /// rounds, of which there are about ten.
    pub fn is_slow(&self) -> bool {
        let used = round_text::fuel_spent(&self.record, self.seat);
        used > self.record.header.spec.limits.fuel / 10
    }

    /// The party to blame for a fault, as seen from the seat. A resignation is a normal end and not
    /// a fault.
    pub fn blame(&self) -> Option<Blame> {
        let fault = self.record.trailer.fault.as_ref();
        let fault = fault.filter(|fault| fault.verdict != Verdict::Resigned);
        fault.map(|fault| fault.blame(self.seat))
    }
}
