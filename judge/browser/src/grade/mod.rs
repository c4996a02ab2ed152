//! Grading in a page: takes a suite and a bot, plays rounds line by line with the page's engine, and
//! writes the report. `judge/docs/decisions/0022-the-judge-in-a-page.md` has the reasons.

mod bot;
mod ending;
mod film;
mod request;
mod round;
mod run;

use judge_core::{GradeReport, RoundRecord, Timing, digest};
use judge_grading::Suite;
use serde_json::{Value, json};

use self::bot::PageBot;
use self::request::{GradeRefusal, GradeRequest};
use self::round::BotRound;
pub(crate) use self::round::{BotEvent, EventFigures, PageStep};
use self::run::PageRun;

/// Handles requests about grading, and plays one round at a time.
#[derive(Default)]
pub struct GradeDesk {
    /// Never freed: a page reads few suites.
    suite: Option<&'static Suite>,
    bot: Option<PageBot>,
    run: Option<PageRun>,
    /// The round in progress, or the last one.
    pub(crate) round: Option<BotRound>,
    replay: String,
    /// The replay that the page shows.
    film: Option<RoundRecord>,
}

impl GradeDesk {
    /// Executes a request, with `bytes` that came with it. The reply is JSON: `{"done": …}`, or
    /// `{"refused": "why"}`. Bytes of the reply replace `bytes`.
    pub fn handle(&mut self, request: &str, bytes: &mut Vec<u8>) -> String {
        let read = serde_json::from_str(request);
        let read = read.map_err(|error| GradeRefusal::Malformed(error.to_string()));
        judge_session::text(read.and_then(|request| self.reply(request, bytes)))
    }

    fn reply(&mut self, request: GradeRequest, bytes: &mut Vec<u8>) -> Result<Value, GradeRefusal> {
        match request {
            GradeRequest::Suite { name, files } => self.read_suite(&name, &files),
            GradeRequest::Module { name } => {
                let bot = self.bot.insert(PageBot::new(name, std::mem::take(bytes)));
                Ok(bot.described())
            }
            GradeRequest::Build { file, text } => {
                let bot = self.bot.insert(PageBot::build(&file, &text)?);
                bytes.clone_from(&bot.module);
                Ok(bot.described())
            }
            GradeRequest::Rewrite => {
                *bytes = self.bot()?.rewritten()?;
                Ok(json!(digest(bytes).to_string()))
            }
            GradeRequest::Begin { spec } => {
                let spec = serde_json::from_str(&spec);
                let spec = spec.map_err(|error| GradeRefusal::Malformed(error.to_string()))?;
                let begun = BotRound::begin(spec, self.bot()?)?;
                Ok(self.round.insert(begun).facts())
            }
            GradeRequest::End { memory_bytes } => self.end(memory_bytes),
            GradeRequest::Replay => Ok(json!(self.replay)),
            GradeRequest::Film { text } => {
                let record = film::record(&text)?;
                Ok(film::described(self.film.insert(record)))
            }
            GradeRequest::Frame { at } => {
                let record = self.film.as_ref().ok_or(GradeRefusal::NoRound)?;
                Ok(json!(film::frame(record, at)?))
            }
            GradeRequest::Single { testcase, round, graded } => {
                let run = self.run.as_ref().filter(|_| graded);
                let fuel = run.and_then(|run| run.budget(testcase, round));
                let (suite, bot) = (self.suite()?, self.bot()?);
                Ok(json!(run::single(suite, &bot.identity, (testcase, round), fuel)?))
            }
            GradeRequest::Grade => {
                let (suite, bot) = (self.suite()?, self.bot()?);
                Ok(self.run.insert(PageRun::new(suite, bot)).progress())
            }
            GradeRequest::Next => Ok(self.run()?.next()),
            GradeRequest::Took { job, outline } => {
                let outline = serde_json::from_str(&outline);
                let outline =
                    outline.map_err(|error| GradeRefusal::Malformed(error.to_string()))?;
                self.run()?.take(job, &outline)
            }
            GradeRequest::Report { wall_us, workers } => {
                let timing = Timing { wall_us, workers, ..Timing::default() };
                let report: GradeReport = self.run()?.report(timing)?;
                Ok(json!(report.to_json()))
            }
        }
    }

    fn read_suite(
        &mut self,
        name: &str,
        files: &[(String, String)],
    ) -> Result<Value, GradeRefusal> {
        let files = files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
        let suite = Suite::from_files(name, files);
        let suite = suite.map_err(|error| GradeRefusal::Suite(shown(&error)))?;
        let suite = *self.suite.insert(Box::leak(Box::new(suite)));
        Ok(run::described(suite))
    }

    /// Ends the round and keeps its replay.
    fn end(&mut self, memory_bytes: u64) -> Result<Value, GradeRefusal> {
        let round = self.round.take().ok_or(GradeRefusal::NoRound)?;
        let unsure = round.is_unsure;
        let record = round.into_record(memory_bytes)?;
        let outline = judge_referee::RoundOutline::new(&record);
        self.replay = record.to_replay();
        let text = serde_json::to_string(&outline);
        let text = text.map_err(|error| GradeRefusal::Malformed(error.to_string()))?;
        let fault = outline.fault.as_ref().map(|fault| fault.detail.as_str());
        Ok(json!({ "outline": text, "unsure": unsure, "fault": fault }))
    }

    /// Takes an event of the bot in the round.
    pub(crate) fn event(
        &mut self,
        event: BotEvent,
        figures: EventFigures,
        bytes: &[u8],
    ) -> PageStep {
        match (&mut self.round, &self.bot) {
            (Some(round), Some(bot)) => round.event(event, figures, bytes, bot),
            _ => PageStep::Over,
        }
    }

    fn suite(&self) -> Result<&'static Suite, GradeRefusal> {
        self.suite.ok_or(GradeRefusal::NoSuite)
    }

    fn bot(&self) -> Result<&PageBot, GradeRefusal> {
        self.bot.as_ref().ok_or(GradeRefusal::NoBot)
    }

    fn run(&mut self) -> Result<&mut PageRun, GradeRefusal> {
        self.run.as_mut().ok_or(GradeRefusal::NoRun)
    }
}

/// An error with its place in the file.
fn shown(error: &judge_grading::SuiteError) -> String {
    match error.place() {
        Some(place) => format!("{place}: {error}"),
        None => error.to_string(),
    }
}
