//! The state of a round as a page shows it: only the information that the person has.

use std::collections::BTreeMap;

use judge_core::{Call, Options, Seat};
use judge_games::{Choice, Choices, Target, View, words};
use serde::Serialize;

use crate::session::Session;

/// Maximum number of legal answers in a list.
const LISTED: usize = 400;

/// A round as the person sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SessionState {
    /// Name of the game.
    pub game: &'static str,
    /// The game's name for people.
    pub title: &'static str,
    /// The seed, in decimal digits; none while it is secret.
    pub seed: Option<String>,
    /// The person's seat; between two people, the seat of the player to answer.
    pub seat: Seat,
    /// True if two people play each other.
    pub between_people: bool,
    /// True if the two seats see different things now.
    pub hides: bool,
    /// The players of seats 1 and 2.
    pub players: [String; 2],
    /// Rule switches that differ from the defaults.
    pub options: Options,
    /// The board, as SVG.
    pub picture: String,
    /// The current question.
    pub question: Option<OpenQuestion>,
    /// The messages to the person and the person's answers so far.
    pub log: Vec<LogEntry>,
    /// Number of the person's answers.
    pub answered: usize,
    /// The scores by seat, as if the round ended here.
    pub scores: [i64; 2],
    /// The end of the round, once it is over.
    pub end: Option<RoundEnd>,
}

/// A question that the person has not answered yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OpenQuestion {
    /// The question as the protocol's line.
    pub line: String,
    /// The question in words.
    pub words: String,
    /// Number of legal answers.
    pub count: u64,
    /// The first legal answers.
    pub legal: Vec<String>,
    /// Remarks on some of these answers, such as the man that an answer takes.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub remarks: BTreeMap<String, String>,
    /// The areas of the picture that can be clicked.
    pub targets: Vec<TargetBox>,
    /// The possible first parts of an answer.
    pub choices: Following,
}

/// An area of the picture that stands for part of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TargetBox {
    /// The part of an answer.
    pub part: String,
    /// Left, top, width and height, in units of the picture.
    pub place: [i32; 4],
}

/// The parts that can follow the chosen ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Following {
    /// The parts that may come next.
    pub next: Vec<Next>,
    /// The complete answer, if the chosen parts are one.
    pub answer: Option<String>,
}

/// A part that may come next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Next {
    /// The part.
    pub part: String,
    /// The part in words.
    pub words: String,
    /// The shape of the part, in rows of `#` and `.`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<String>,
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LogEntry {
    /// True for the person's answer, false for a message to the person.
    pub own: bool,
    /// The answer, or the message in words.
    pub text: String,
}

/// The end of a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RoundEnd {
    /// `win`, `loss` or `draw` for the person.
    pub result: &'static str,
    /// The winner's seat; none for a draw.
    pub winner: Option<Seat>,
    /// The result, and the fault if one ended the round.
    pub lines: Vec<String>,
    /// Parts of the score: name, seat 1, seat 2.
    pub terms: Vec<(&'static str, [i64; 2])>,
    /// The digest of the record.
    pub digest: String,
}

impl SessionState {
    /// Returns the current state of the round.
    pub fn from_session(session: &Session<'_>) -> SessionState {
        let (spec, state) = (session.spec(), session.state());
        let standing = state.standing();
        let end = end(session);
        let [one, two] = Seat::BOTH.map(|seat| state.frame(View::Seat(seat)));
        let between_people = session.is_between_people();
        let view = match between_people && session.is_over() {
            true => View::Everything,
            false => View::Seat(session.person()),
        };
        SessionState {
            game: session.game().name(),
            title: session.game().title(),
            seed: session.seed().map(|seed| seed.to_string()),
            seat: session.person(),
            between_people,
            hides: one != two,
            players: spec.seats.each_ref().map(|seat| seat.name().to_owned()),
            options: spec.options.clone(),
            picture: state.svg(view),
            question: question(session),
            log: log(session),
            answered: session.given().len(),
            scores: end.as_ref().map_or(standing.scores, |(_, scores)| *scores),
            end: end.map(|(end, _)| end),
        }
    }
}

impl From<Choices> for Following {
    fn from(Choices { next, answer }: Choices) -> Following {
        let part = |Choice { part, words, shape }| Next { part, words, shape };
        Following { next: next.into_iter().map(part).collect(), answer }
    }
}

fn question(session: &Session<'_>) -> Option<OpenQuestion> {
    if session.is_over() {
        return None;
    }
    let (state, line) = (session.state(), session.round().calls.last()?.line.clone());
    let mut legal = state.legal();
    let count = legal.len() as u64;
    legal.truncate(LISTED);
    let remark = |answer: &String| Some((answer.clone(), state.remark(answer)?));
    let remarks = legal.iter().filter_map(remark).collect();
    let place = |Target { part, at: [x, y], size: [width, height] }| {
        let place = [x, y, width, height];
        TargetBox { part, place }
    };
    let targets = state.targets().into_iter().map(place).collect();
    let (words, choices) = (words::question(&line), state.choices(&[]).into());
    Some(OpenQuestion { line, words, count, legal, remarks, targets, choices })
}

/// Returns all messages to the person and all their answers, in order.
fn log(session: &Session<'_>) -> Vec<LogEntry> {
    let (spec, person) = (session.spec(), session.person());
    let own: Vec<Call> =
        session.round().calls.iter().filter(|call| call.seat == person).cloned().collect();
    let mut log = Vec::new();
    for calls in own.split_inclusive(|call| call.answer.is_some()) {
        // The page shows the open question separately.
        let told = calls.iter().filter(|call| !is_question(call)).cloned().collect::<Vec<_>>();
        let news = words::news(spec, person, &told);
        log.extend(news.into_iter().map(|text| LogEntry { own: false, text }));
        let answer = calls.last().and_then(|call| call.answer.clone());
        log.extend(answer.map(|text| LogEntry { own: true, text }));
    }
    log
}

fn is_question(call: &Call) -> bool {
    call.line.split(' ').next().is_some_and(|word| word.ends_with('?'))
}

/// Returns the end and the scores, if the round is over.
fn end(session: &Session<'_>) -> Option<(RoundEnd, [i64; 2])> {
    let record = session.record().ok()?;
    let terms = session.state().standing().terms;
    let end = RoundEnd {
        result: record.trailer.outcome.result_for(session.person()),
        winner: record.trailer.outcome.winner,
        lines: judge_referee::ending(&record),
        terms: terms.into_iter().map(|term| (term.name, term.values)).collect(),
        digest: record.digest().to_string(),
    };
    Some((end, record.trailer.outcome.scores))
}
