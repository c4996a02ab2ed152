//! A round as a page for a browser. The rules replay it, and every state is drawn.

use std::collections::BTreeMap;
use std::path::Path;

use judge_core::{Call, Replay, ReplayError, RoundRecord, Seat};
use judge_games::{GameState, View};
use judge_referee::Observer;
use judge_report::page::{Beside, Links, OtherMoves, RoundPage, RoundSteps, VIEWS};
use judge_report::quoted;

use crate::Error;
use crate::rounds::board_marks::BoardMarks;

/// The problem of a replay that has a valid seal, but not a valid round.
pub(crate) const NO_ROUND: &str =
    "not a round as the judge writes it: the rules give different lines or a different end";

/// A round's page with style and script in separate files.
#[derive(Debug)]
pub struct LinkedPage {
    /// The page.
    pub html: String,
    /// The style of its pictures, one of the files that the page links to.
    pub style: String,
}

/// Renders the page of a round that the judge itself has played; `verify` is the command that
/// checks its file.
pub(crate) fn of_record(
    record: &RoundRecord,
    verify: &str,
    beside: Beside,
) -> Result<String, Error> {
    Ok(round(record, Some(verify), Some(beside))?.to_html())
}

/// Renders the page as a single file.
pub(crate) fn alone(
    record: &RoundRecord,
    verify: Option<&str>,
    remark: Option<String>,
) -> Result<String, Error> {
    Ok(RoundPage { remark, ..round(record, verify, None)? }.to_html())
}

/// Renders the page without inline style and script.
pub(crate) fn linked(
    record: &RoundRecord,
    verify: &str,
    beside: Beside,
    links: Links,
) -> Result<LinkedPage, Error> {
    let round = round(record, Some(verify), Some(beside))?;
    Ok(LinkedPage { style: round.picture_style(), html: round.to_linked_html(links) })
}

/// Renders the page of a round with the section on the bot's other answers.
pub(crate) fn explained(record: &RoundRecord, moves: OtherMoves) -> Result<String, Error> {
    Ok(RoundPage { moves: Some(moves), ..round(record, None, None)? }.to_html())
}

/// Renders the page of a round that no players have played; the remark says why.
pub(crate) fn other(record: &RoundRecord, remark: String, beside: Beside) -> Result<String, Error> {
    Ok(RoundPage { remark: Some(remark), ..round(record, None, Some(beside))? }.to_html())
}

fn round<'a>(
    record: &'a RoundRecord,
    verify: Option<&'a str>,
    beside: Option<Beside>,
) -> Result<RoundPage<'a>, Error> {
    let steps = drawn(record)?;
    let game = judge_referee::find(&record.header.spec.game)?;
    let (title, endings, digest) = (game.title(), game.endings(), record.digest());
    let (trouble, moves, remark) = (None, None, None);
    Ok(RoundPage { title, record, digest, steps, verify, trouble, endings, beside, moves, remark })
}

/// Renders the page of a replay, and returns the reason why the replay cannot be trusted, if any.
/// The page of a changed replay mentions this reason.
pub(crate) fn of_replay(file: &Path, replay: &Replay) -> Result<(String, Option<String>), Error> {
    let record = &replay.record;
    let steps = drawn(record).map_err(|error| Error::input(file, &error))?;
    let trouble = trouble(replay)?;
    let game = judge_referee::find(&record.header.spec.game)?;
    let round = RoundPage {
        title: game.title(),
        endings: game.endings(),
        record,
        digest: replay.digest,
        steps,
        verify: Some(&format!("judge verify {}", quoted(&file.to_string_lossy()))),
        trouble: trouble.as_deref(),
        beside: None,
        moves: None,
        remark: None,
    };
    Ok((round.to_html(), trouble))
}

/// Formats the number of rounds that were written as pages.
pub(crate) fn count(pages: usize) -> String {
    match pages {
        1 => "1 round, as a page".to_owned(),
        pages => format!("{pages} rounds, as pages"),
    }
}

/// The reason why a replay cannot be trusted.
fn trouble(replay: &Replay) -> Result<Option<String>, Error> {
    if let Err(broken) = replay.check_seal() {
        return Ok(Some(ReplayError::from(broken).to_string()));
    }
    let header = &replay.record.header;
    let transcript = judge_referee::transcript_of(&replay.record);
    let again = judge_referee::record(&header.spec, header.fingerprint.clone(), &transcript)?;
    Ok((again != replay.record).then(|| NO_ROUND.to_owned()))
}

fn drawn(record: &RoundRecord) -> Result<RoundSteps, judge_referee::SetupError> {
    let transcript = judge_referee::transcript_of(record);
    let logs = Seat::BOTH.into_iter().filter_map(|seat| record.logged(seat)).flatten();
    let mut pictures = Pictures { steps: RoundSteps::default(), calls: 0, logs: logs.collect() };
    judge_referee::walk(&record.header.spec, &transcript, &mut pictures)?;
    Ok(pictures.steps)
}

/// Collects pictures at every question and at the end, with the marks of the player that was asked.
struct Pictures<'a> {
    steps: RoundSteps,
    /// Number of calls so far.
    calls: usize,
    /// Logs of the players, by call.
    logs: BTreeMap<usize, &'a str>,
}

impl Pictures<'_> {
    /// Draws the state at a question. A player's marks are in the pictures that show everything or
    /// its own view.
    fn question(&mut self, seat: Seat, state: &dyn GameState) {
        let marks = BoardMarks::read(self.logs.get(&self.calls).copied().unwrap_or_default());
        let [everything, one, two] = pictures(state);
        let draw = |picture: String, is_drawn: bool| match is_drawn {
            true => marks.draw(&picture, &state.targets()),
            false => picture,
        };
        let one = draw(one, seat == Seat::One);
        let two = draw(two, seat == Seat::Two);
        // The picture of the step before is the one that the player sees.
        self.steps.note(marks.text().map(|text| (seat, text)));
        self.steps.question(&[draw(everything, true), one, two]);
    }
}

fn pictures(state: &dyn GameState) -> [String; VIEWS] {
    [View::Everything, View::Seat(Seat::One), View::Seat(Seat::Two)].map(|view| state.svg(view))
}

impl Observer for Pictures<'_> {
    fn called(
        &mut self,
        seat: Seat,
        line: &str,
        answer: Option<&str>,
        fuel: Option<u64>,
        state: &dyn GameState,
    ) {
        if answer.is_some() {
            self.question(seat, state);
        } else if line.starts_with("end ") && !self.steps.has_ended() {
            self.steps.end(&pictures(state));
        }
        let answer = answer.map(str::to_owned);
        self.steps.call(Call { seat, line: line.to_owned(), answer, fuel });
        self.calls += 1;
    }

    fn failed(&mut self, seat: Seat, line: &str, state: &dyn GameState) {
        self.question(seat, state);
        self.steps.call(Call { seat, line: line.to_owned(), answer: None, fuel: None });
    }
}
