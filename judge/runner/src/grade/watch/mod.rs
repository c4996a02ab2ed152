//! Grades a bot again whenever its file changes.

mod file;
mod grading;
mod news;
mod page;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use judge_arena::{Entrant, Run};
use judge_core::{Explanation, GradeReport};
use judge_grading::Suite;
use judge_sandbox::interpreter_of;
use judge_toolchain::Language;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::Remedy;
use crate::base::nearest::nearest_file;
use crate::base::workers::{Workers, tell_of_missing_walls};
use crate::bots::sources;
use crate::bots::{self, BotSource};
use crate::grade::calibrate::FRESH;
use crate::grade::compare::SeedRange;
use crate::grade::traces::{self, Replays};
use crate::suites::suite_lints::{self, Readers};
use crate::suites::{self, SuiteChoice};
pub(crate) use file::Stamp;
use file::{Sight, Watched};
use grading::{Grading, Message};
pub use news::{News, Watcher};
pub use page::ResultPage;

/// Interval between checks of the file.
const LOOK_EVERY: Duration = Duration::from_millis(40);

/// A file to watch, and the suite to grade it on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Request {
    /// The bot: a WebAssembly module or a source. Its folder must exist; the file may come later.
    pub bot: PathBuf,
    /// The testcases.
    pub suite: SuiteChoice,
    /// Maximum number of rounds per version and testcase for a comparison of each version with the
    /// one before; none if they are not compared.
    #[serde(default)]
    pub compare: Option<u64>,
    /// The page to write for each result, if any.
    #[serde(default)]
    pub page: Option<ResultPage>,
}

/// The outcome of a watch that was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Number of results.
    pub graded: u64,
}

/// Watches the file until the workers are stopped.
///
/// # Errors
/// If the path cannot be a module, the suite is invalid, or the judge or the watcher fails.
pub fn run(
    request: &Request,
    workers: &Workers,
    watcher: &mut dyn Watcher,
) -> Result<Outcome, Error> {
    check(&request.bot)?;
    let (sender, messages) = channel();
    let suite = request.suite.named(&mut *watcher)?.map(Arc::new);
    if let Some(suite) = &suite {
        suites::tell_what_is_missing(suite, &mut *watcher)?;
        suite_lints::warn(suite, &request.suite, Readers::Usual, &mut *watcher)?;
    }
    let mut watch = Watch::new((request, workers), suite, sender, watcher);
    let mut file = Watched::new(&request.bot);
    watch.watcher.news(&News::Watching)?;
    while !workers.stop.is_asked() {
        if let Some(sight) = file.look(Instant::now()) {
            watch.see(sight, &file)?;
        }
        // A timeout only means that it is time for a check. The watch itself keeps a sender alive.
        if let Ok(message) = messages.recv_timeout(LOOK_EVERY) {
            watch.take(message)?;
        }
    }
    watch.drop_what_is_graded()?;
    Ok(Outcome { graded: watch.graded })
}

/// Checks that the path can be a module.
fn check(path: &Path) -> Result<(), Error> {
    if sources::is_source(path) && path.is_dir() {
        return Ok(());
    }
    if path.is_dir() {
        let what = format!("`{}` is a folder", path.display());
        return Err(Error::usage(what, "name the source, or the module that your build writes"));
    }
    let is_module = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("wasm"));
    if !path.exists() && !is_module && Language::from_path(path).is_err() {
        let what = format!("`{}` does not exist", path.display());
        let near = nearest_file(path).map(|near| format!("did you mean `{}`?", near.display()));
        let hint = near.unwrap_or_else(|| "name a module or a source".to_owned());
        return Err(Error::usage(what, hint));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| !folder.is_dir()) {
        None => Ok(()),
        Some(folder) => {
            let what = format!("no folder `{}` to watch", folder.display());
            let hint = "build the bot once, or correct the path".to_owned();
            Err(Error::Input { what, hint: Some(hint) })
        }
    }
}

/// Finished and current gradings.
struct Watch<'a> {
    request: &'a Request,
    workers: &'a Workers,
    run: Run,
    /// The suite; chosen by the bot unless the request names it.
    suite: Option<Arc<Suite>>,
    sender: Sender<Message>,
    watcher: &'a mut dyn Watcher,
    under_way: Option<Grading>,
    /// The bot of the current or last grading.
    bot: Option<BotSource>,
    /// The version in the current or last grading.
    submission: Option<Arc<Entrant>>,
    /// The version of the last result without a judge error.
    last: Option<Arc<Entrant>>,
    /// Number of started gradings, and number of results.
    started: u64,
    graded: u64,
}

impl<'a> Watch<'a> {
    fn new(
        (request, workers): (&'a Request, &'a Workers),
        suite: Option<Arc<Suite>>,
        sender: Sender<Message>,
        watcher: &'a mut dyn Watcher,
    ) -> Watch<'a> {
        let run = workers.run();
        Watch {
            request,
            workers,
            run,
            suite,
            sender,
            watcher,
            under_way: None,
            bot: None,
            submission: None,
            last: None,
            started: 0,
            graded: 0,
        }
    }

    /// Handles a change of the file.
    fn see(&mut self, sight: Sight, file: &Watched) -> Result<(), Error> {
        match sight {
            Sight::Module(bot) => self.module(*bot),
            Sight::Source => self.source(file),
            Sight::Refused(why) => self.refused(why),
            Sight::Gone => {
                self.drop_what_is_graded()?;
                let similar = nearest_file(&self.request.bot);
                Ok(self.watcher.news(&News::Gone { similar })?)
            }
        }
    }

    /// Builds a source, and grades the module. If a file changed during the build, the module is
    /// dropped and the next check builds it again.
    fn source(&mut self, file: &Watched) -> Result<(), Error> {
        let built = bots::from_source(&self.request.bot, &mut *self.watcher);
        if !file.is_unchanged() {
            return Ok(());
        }
        match built {
            Ok(bot) => match &bot.submission.refused {
                None => self.module(bot),
                Some(refused) => self.refused(refused.why.clone()),
            },
            Err(error) if error.remedy() == Remedy::Input => self.refused(sources::explain(&error)),
            Err(error) => Err(error),
        }
    }

    fn refused(&mut self, why: Explanation) -> Result<(), Error> {
        self.drop_what_is_graded()?;
        self.request.page.as_ref().map_or(Ok(()), |page| page.note_refusal(&why))?;
        // The file no longer has the last graded bytes, so these may come again.
        Ok(self.watcher.news(&News::Refused { why })?)
    }

    fn module(&mut self, bot: BotSource) -> Result<(), Error> {
        let sha256 = bot.submission.bot.sha256;
        if self.under_way.as_ref().is_some_and(|grading| grading.sha256 == sha256) {
            return Ok(());
        }
        self.drop_what_is_graded()?;
        if self.last.as_ref().is_some_and(|last| last.bot.sha256 == sha256) {
            return Ok(self.watcher.news(&News::SameBytes)?);
        }
        let suite = self.suite(&bot)?;
        let submission = bot.fitting(&suite);
        if let Some(refused) = &submission.refused {
            return Ok(self.watcher.news(&News::Refused { why: refused.why.clone() })?);
        }
        self.started += 1;
        self.watcher.news(&News::Grading { sha256 })?;
        bot.keep_version();
        self.bot = Some(bot);
        let submission = Arc::new(submission);
        self.submission = Some(submission.clone());
        let seeds = self.request.compare.map(|most| SeedRange { first: FRESH, most });
        let before = self.last.clone().zip(seeds);
        let (number, sender) = (self.started, &self.sender);
        let grading = Grading::start(number, &self.run, suite, submission, before, sender);
        self.under_way = Some(grading);
        Ok(())
    }

    /// The reason why a script failed in every round before its first line, such as a syntax error.
    /// The interpreter's message acts as the compiler's output. There is no result to compare.
    fn unread_script(&self, report: &GradeReport) -> Option<Explanation> {
        self.bot.as_ref().filter(|bot| interpreter_of(&bot.submission.module).is_some())?;
        let case = judge_report::unstarted(&report.bots[0])?;
        let fault = case.rounds.first()?.fault.as_ref()?;
        let reason = format!("{}: {}", fault.verdict, fault.detail);
        Some(match judge_report::advice(case) {
            Some(advice) => Explanation::new(reason, advice),
            None => Explanation::without_hint(reason),
        })
    }

    /// The report with the functions in which the bot failed.
    fn traced(&self, mut report: GradeReport) -> GradeReport {
        let (Some(bot), Some(suite)) = (&self.bot, &self.suite) else { return report };
        let module = &bot.submission.module;
        let replays = Replays { verdicts: traces::SOON, go_on: &|| true };
        traces::add(&mut report.bots[0], suite, module, self.workers, replays);
        report
    }

    /// Writes the page of the result, if there is to be one.
    fn write_page(&mut self, report: &GradeReport) -> Result<(), Error> {
        let (Some(page), Some(bot), Some(suite)) = (&self.request.page, &self.bot, &self.suite)
        else {
            return Ok(());
        };
        page.write(report, suite, bot, self.workers)?;
        Ok(self.watcher.news(&News::Page)?)
    }

    /// Stops the current grading and comparison, because their result would be for old bytes.
    fn drop_what_is_graded(&mut self) -> Result<(), Error> {
        if let Some(grading) = self.under_way.take() {
            let is_graded = grading.is_graded;
            grading.stop();
            if !is_graded {
                self.watcher.news(&News::Dropped)?;
            }
        }
        Ok(())
    }

    /// The suite, chosen by the first module if necessary.
    fn suite(&mut self, bot: &BotSource) -> Result<Arc<Suite>, Error> {
        if let Some(suite) = &self.suite {
            return Ok(suite.clone());
        }
        let bots = std::slice::from_ref(bot);
        let suite = Arc::new(self.request.suite.suite(bots, &mut *self.watcher)?);
        suites::tell_what_is_missing(&suite, &mut *self.watcher)?;
        bots::tell_of_other_suite(bot, &suite, &mut *self.watcher)?;
        self.suite = Some(suite.clone());
        Ok(suite)
    }

    /// Passes on a message of the current grading. Messages of earlier ones are outdated.
    fn take(&mut self, message: Message) -> Result<(), Error> {
        let number = message.number();
        if self.under_way.as_ref().is_none_or(|grading| grading.number != number) {
            return Ok(());
        }
        match message {
            Message::Event { event, .. } => Ok(self.watcher.event(&event)?),
            Message::Done { report, .. } => self.graded(report?),
            Message::Compared { outcome, .. } => {
                self.under_way = None;
                Ok(self.watcher.news(&News::Compared { text: outcome?.line() })?)
            }
        }
    }

    fn graded(&mut self, report: GradeReport) -> Result<(), Error> {
        let unread = self.unread_script(&report);
        match &mut self.under_way {
            Some(grading) if grading.compares && unread.is_none() => grading.is_graded = true,
            other => other.take().into_iter().for_each(Grading::stop),
        }
        if let Some(why) = unread {
            return self.refused(why);
        }
        // After a judge error the same bytes may be graded again.
        if report.bots[0].judge_errors() == 0 {
            self.last = self.submission.clone();
        }
        self.graded += 1;
        let report = Box::new(self.traced(report));
        let news = News::Graded { report: report.clone() };
        self.watcher.news(&news)?;
        self.write_page(&report)?;
        if self.graded == 1 {
            tell_of_missing_walls(&self.run, &mut *self.watcher)?;
        }
        Ok(())
    }
}
