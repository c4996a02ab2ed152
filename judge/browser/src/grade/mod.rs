//! Grading in a page: takes a suite and a bot, plays rounds line by line with the page's engine, and
//! writes the report. `judge/docs/decisions/0022-the-judge-in-a-page.md` has the reasons.

mod bot;
mod compare;
mod ending;
mod figures;
mod film;
mod references;
mod request;
mod round;
mod run;

use judge_core::{GradeReport, RoundRecord, RoundSpec, Seat, SeatSpec, Timing, digest};
use judge_grading::Suite;
use judge_referee::RoundOutline;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use self::bot::PageBot;
use self::compare::PageComparison;
use self::request::{CompareRequest, GradeRefusal, GradeRequest};
use self::round::BotRound;
pub(crate) use self::round::{BotEvent, EventFigures, PageStep};
use self::run::PageRun;

/// Handles requests about grading, and plays one round at a time.
#[derive(Default)]
pub struct GradeDesk {
    /// Never freed: a page reads few suites.
    suite: Option<&'static Suite>,
    bot: Option<PageBot>,
    /// The earlier version of a comparison.
    earlier: Option<PageBot>,
    run: Option<PageRun>,
    comparison: Option<PageComparison>,
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
        judge_session::text(read(request).and_then(|request| self.reply(request, bytes)))
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
            GradeRequest::Compiled { file, text } => {
                let bot = PageBot::compiled(&file, &text, std::mem::take(bytes));
                let bot = self.bot.insert(bot);
                bytes.clone_from(&bot.module);
                Ok(bot.described())
            }
            GradeRequest::Rewrite => {
                *bytes = self.bot()?.rewritten()?;
                Ok(json!(digest(bytes).to_string()))
            }
            GradeRequest::Begin { spec } => {
                let spec: RoundSpec = read(&spec)?;
                let bot = seated([&self.bot, &self.earlier], &spec).ok_or(GradeRefusal::NoBot)?;
                let begun = BotRound::begin(spec, bot)?;
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
            GradeRequest::Took { job, outline } => self.run()?.take(job, &read(&outline)?),
            GradeRequest::Report { wall_us, workers } => {
                let timing = Timing { wall_us, workers, ..Timing::default() };
                let report: GradeReport = self.run()?.report(timing)?;
                Ok(json!(report.to_json()))
            }
            GradeRequest::Compared(request) => self.compare(request),
        }
    }

    /// Executes a request about a comparison.
    fn compare(&mut self, request: CompareRequest) -> Result<Value, GradeRefusal> {
        match request {
            CompareRequest::Earlier => {
                self.earlier = Some(self.bot.take().ok_or(GradeRefusal::NoBot)?);
                Ok(Value::Null)
            }
            CompareRequest::Compare { opponent, rounds } => {
                let versions = self.versions(opponent)?;
                let comparison = PageComparison::new(self.suite()?, versions, rounds);
                Ok(self.comparison.insert(comparison).progress())
            }
            CompareRequest::NextCompared => Ok(self.comparison()?.next()),
            CompareRequest::TookCompared { job, outline } => {
                self.comparison()?.take(job, &read(&outline)?)
            }
            CompareRequest::Look => Ok(self.comparison()?.look()),
            CompareRequest::Figures => self.comparison()?.figures(),
            CompareRequest::SingleCompared { place } => {
                Ok(json!(self.comparison()?.single(place)?))
            }
            CompareRequest::References { spec } => {
                let record = references::between(&read(&spec)?)?;
                self.played(&record, false)
            }
        }
    }

    /// The players of a comparison. A bot that is refused on the suite cannot play.
    fn versions(&self, opponent: Option<String>) -> Result<[SeatSpec; 2], GradeRefusal> {
        let (suite, bot) = (self.suite()?, self.bot()?);
        if let Some(refused) = bot.refusal_on(suite) {
            return Err(GradeRefusal::Refused(refused.why.to_string()));
        }
        if let Some(name) = opponent {
            for testcase in &suite.testcases {
                judge_referee::check(&testcase.game, &testcase.options, &name)?;
            }
            return Ok([SeatSpec::Reference { name }, bot.seat()]);
        }
        let earlier = self.earlier.as_ref().ok_or(GradeRefusal::NoEarlier)?;
        match earlier.refusal_on(suite) {
            Some(refused) => Err(GradeRefusal::EarlierRefused(refused.why.to_string())),
            None => Ok([earlier.seat(), bot.seat()]),
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
        self.played(&round.into_record(memory_bytes)?, unsure)
    }

    /// Keeps the replay of a round; returns its outline.
    fn played(&mut self, record: &RoundRecord, unsure: bool) -> Result<Value, GradeRefusal> {
        let outline = RoundOutline::new(record);
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
        let Some(round) = &mut self.round else { return PageStep::Over };
        match seated([&self.bot, &self.earlier], round.spec()) {
            Some(bot) => round.event(event, figures, bytes, bot),
            None => PageStep::Over,
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

    fn comparison(&mut self) -> Result<&mut PageComparison, GradeRefusal> {
        self.comparison.as_mut().ok_or(GradeRefusal::NoComparison)
    }
}

/// The bot that plays in a round.
fn seated<'a>(bots: [&'a Option<PageBot>; 2], spec: &RoundSpec) -> Option<&'a PageBot> {
    let plays = |bot: &&PageBot| {
        let is_in = |seat| matches!(spec.seat(seat), SeatSpec::Bot { sha256, .. } if *sha256 == bot.identity.sha256);
        Seat::BOTH.into_iter().any(is_in)
    };
    bots.into_iter().flatten().find(plays)
}

/// A value from its JSON.
fn read<T: DeserializeOwned>(text: &str) -> Result<T, GradeRefusal> {
    serde_json::from_str(text).map_err(|error| GradeRefusal::Malformed(error.to_string()))
}

/// An error with its place in the file.
fn shown(error: &judge_grading::SuiteError) -> String {
    match error.place() {
        Some(place) => format!("{place}: {error}"),
        None => error.to_string(),
    }
}
