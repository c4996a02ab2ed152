//! `judge watch`: a bot graded again whenever its file changes, and what that changed.

mod file;
mod grading;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use judge_arena::Pool;
use judge_core::{BotReport, Digest, Event, GradeReport};
use judge_grading::Suite;
use judge_report::{Looks, Reporter as _, TerminalReporter, since, tame};

use crate::bots::{self, BotFile};
use crate::failure::{Exit, Failure};
use crate::{grade, output, worker};
use file::{Sight, Watched};
use grading::{Done, Grading};

/// How often the file is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(40);

/// Grade a bot now, and again whenever its file changes.
///
/// Shows the whole result once, and from then on what got better or worse: testcases and, paired by
/// seed, rounds. A file that is being written is waited for, a module that is refused is told and
/// otherwise ignored, and a change while it is graded begins anew. Runs until it is stopped:
/// Ctrl-C ends it, as a signal does (the shell says 130). Nothing is kept, so nothing is lost.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The bot: a WebAssembly module. It need not be there yet; its folder must.
    #[arg(value_name = "BOT.wasm")]
    bot: PathBuf,
    #[command(flatten)]
    on: grade::On,
    /// How many changed rounds to show of each testcase, the worst first.
    #[arg(long, value_name = "N", default_value_t = 3)]
    rounds: usize,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let path = &arguments.bot;
    check(path)?;
    let (sender, results) = channel();
    let mut watch = Watch {
        arguments,
        pool: arguments.on.pool()?,
        suite: arguments.on.named()?.map(Arc::new),
        sender,
        under_way: None,
        last: None,
        begun: 0,
        shown: 0,
    };
    if let Some(suite) = &watch.suite {
        grade::say_what_is_locked(suite);
    }
    let mut file = Watched::new(path);
    say(&format!("watching `{}`; Ctrl-C ends it", path.display()));
    loop {
        if let Some(sight) = file.look(Instant::now()) {
            watch.see(sight)?;
        }
        // An error says that it is time to look again: there is always a sender, that of the watch.
        if let Ok(done) = results.recv_timeout(LOOK_EVERY) {
            watch.take(done)?;
        }
    }
}

/// Whether there can be a module one day.
fn check(path: &Path) -> Result<(), Failure> {
    if path.is_dir() {
        let what = format!("`{}` is a folder", path.display());
        return Err(Failure::usage(what, "name the module that your build writes"));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| !folder.is_dir()) {
        None => Ok(()),
        Some(folder) => {
            let what = format!("there is no folder `{}` to watch", folder.display());
            let hint = "build the bot once, or correct the path".to_owned();
            Err(Failure::Input { what, hint: Some(hint) })
        }
    }
}

/// Says on standard error what goes on.
fn say(text: &str) {
    // A standard error that is gone changes no result.
    let _ = writeln!(std::io::stderr(), "{}", tame(text));
}

/// What was graded, and what is.
struct Watch<'a> {
    arguments: &'a Arguments,
    pool: Pool,
    /// Left to the bot until there is one, unless the command line says it.
    suite: Option<Arc<Suite>>,
    sender: Sender<Done>,
    under_way: Option<Grading>,
    /// The result that the next one is held against.
    last: Option<BotReport>,
    /// How many gradings were begun, and how many results were shown.
    begun: u64,
    shown: usize,
}

impl Watch<'_> {
    /// Does what a change of the file asks for.
    fn see(&mut self, sight: Sight) -> Result<(), Failure> {
        match sight {
            Sight::Module(bot) => self.module(&bot),
            Sight::Refused(why) => {
                self.drop_what_is_graded();
                Ok(output::print(&refused(&why))?)
            }
            Sight::Gone => {
                self.drop_what_is_graded();
                say(&format!("waiting for `{}` to be there", self.arguments.bot.display()));
                Ok(())
            }
        }
    }

    fn module(&mut self, bot: &BotFile) -> Result<(), Failure> {
        let sha256 = bot.submission.bot.sha256;
        if self.under_way.as_ref().is_some_and(|grading| grading.sha256 == sha256) {
            return Ok(());
        }
        self.drop_what_is_graded();
        if self.last.as_ref().is_some_and(|last| last.bot.sha256 == sha256) {
            return Ok(output::print("the same bytes: nothing graded\n")?);
        }
        let suite = self.suite(bot)?;
        let submission = grade::fitting(bot, &suite);
        if let Some(why) = &submission.refused {
            return Ok(output::print(&refused(&why.detail))?);
        }
        self.begun += 1;
        say(&format!("grading module {}…", sha256.short()));
        let grading = Grading::begin(self.begun, &self.pool, suite, submission, &self.sender);
        self.under_way = Some(grading);
        Ok(())
    }

    /// Ends the grading that is under way: its result would be that of bytes that are there no more.
    fn drop_what_is_graded(&mut self) {
        if let Some(grading) = self.under_way.take() {
            grading.stop();
            say("it changed while it was graded: that result is dropped");
        }
    }

    /// The suite, found out by the first module if need be.
    fn suite(&mut self, bot: &BotFile) -> Result<Arc<Suite>, Failure> {
        if let Some(suite) = &self.suite {
            return Ok(suite.clone());
        }
        let suite = Arc::new(self.arguments.on.suite(std::slice::from_ref(bot))?);
        grade::say_what_is_locked(&suite);
        bots::warn_of_other_game(bot, &suite.testcases[0].game);
        self.suite = Some(suite.clone());
        Ok(suite)
    }

    /// Shows a result, unless the file has changed since.
    fn take(&mut self, done: Done) -> Result<(), Failure> {
        if self.under_way.take_if(|grading| grading.number == done.number).is_none() {
            return Ok(());
        }
        let report = done.report?;
        self.show(&report)?;
        let seconds = report.timing.wall_us / 1000;
        say(&format!("graded in {seconds} ms; watching"));
        if self.shown == 1 {
            worker::warn_of_missing_walls(&self.pool);
        }
        Ok(())
    }

    /// The whole result the first time, and what changed from then on.
    fn show(&mut self, report: &GradeReport) -> Result<(), Failure> {
        let bot = &report.bots[0];
        self.shown += 1;
        match &self.last {
            None => self.tables(report)?,
            Some(last) => {
                let file = self.arguments.bot.display().to_string();
                let (rounds, color) = (self.arguments.rounds, output::color());
                let changes = since(last, bot, &Looks { rounds, color, file: &file });
                output::print(&format!("\n{}{changes}", heading(self.shown, &bot.bot.sha256)))?;
            }
        }
        // What the judge failed in is nothing to hold another result against.
        if bot.judge_errors() == 0 {
            self.last = Some(bot.clone());
        }
        Ok(())
    }

    fn tables(&self, report: &GradeReport) -> Result<(), Failure> {
        let path = self.arguments.bot.display().to_string();
        let mut tables = TerminalReporter::new(std::io::stdout(), output::color(), vec![path]);
        for event in [Event::BotFinished(&report.bots[0]), Event::Finished(report)] {
            tables.event(&event)?;
        }
        Ok(())
    }
}

fn heading(number: usize, sha256: &Digest) -> String {
    format!("run {number}, module {}…\n", sha256.short())
}

/// A module that is not played. It is never held against another.
fn refused(why: &str) -> String {
    format!("\nnot graded: {}\n", tame(why).replace('\n', "\n  "))
}
