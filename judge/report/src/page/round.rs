//! The page of one round: its pictures, moves, lines, costs and logs.

use askama::Template;
use judge_core::{Digest, RoundRecord, Seat, Verdict};

use super::filters;
use super::fuel::{Chart, cost};
use super::language::PageLanguage;
use super::other_moves::{OtherMoves, OtherSection};
use super::script_data::ScriptData;
use super::sheet::{Links, Sheet, tame};
use super::steps::{RoundStep, RoundSteps, StepKind};
use super::words::{Ruling, SEAT, SeatPlayer};

/// Style rules of a round's page, which follow the shared ones.
pub const ROUND_STYLE: &str = include_str!("round.css");

/// The script of a round's page.
const ROUND_SCRIPT: &str = include_str!("round.js");

/// The script's texts, by their keys in the script.
const SCRIPT_TEXTS: [(&str, &str); 8] = [
    ("\"No lines were exchanged.\"", "No lines were exchanged."),
    ("?? \"failed\"", "failed"),
    ("\"no cost\"", "no cost"),
    ("\"aria-label\", \"Play\"", "Play"),
    ("\"aria-label\", \"Pause\"", "Pause"),
    ("`${call.seat} logged`", "logged"),
    (": judge → ${call.seat}`", "judge"),
    ("${call.seat} → judge`", "judge"),
];

/// Returns the script of a round's page in a language.
pub fn round_script(language: PageLanguage) -> String {
    let said = |script: String, (code, text): &(&str, &str)| {
        script.replace(code, &code.replace(text, &language.t(text)))
    };
    SCRIPT_TEXTS.iter().fold(ROUND_SCRIPT.to_owned(), said)
}

/// Input of a round's page.
#[derive(Debug)]
pub struct RoundPage<'a> {
    /// The game's name for people.
    pub title: &'a str,
    /// The round's record.
    pub record: &'a RoundRecord,
    /// The digest that the file states.
    pub digest: Digest,
    /// The round as replayed by the rules.
    pub steps: RoundSteps,
    /// The command that checks the round, ready for a shell, if there is one.
    pub verify: Option<&'a str>,
    /// The reason why the file cannot be trusted, if any.
    pub trouble: Option<&'a str>,
    /// Possible ends of the game and their meanings.
    pub endings: &'a [(&'a str, &'a str)],
    /// Neighbouring files of the page, if it is one of several.
    pub beside: Option<Beside>,
    /// The scores of a bot's other answers, if they were tried.
    pub moves: Option<OtherMoves>,
    /// A sentence on what makes this round special, if anything.
    pub remark: Option<String>,
}

/// Addresses relative to a round's page.
#[derive(Debug, Clone)]
pub struct Beside {
    /// The round's file.
    pub file: String,
    /// The page with the link to this one.
    pub back: String,
    /// Name of that page, as trusted HTML.
    pub back_name: &'static str,
}

impl RoundPage<'_> {
    /// Renders the page as one HTML document.
    pub fn to_html(mut self) -> String {
        self.steps.finish();
        let style = self.steps.lines.style();
        let sheet = Sheet::new(&[ROUND_STYLE, &style], ROUND_SCRIPT);
        let page = Page::new(&self, sheet);
        page.render().expect("writing to a text does not fail") + "\n"
    }

    /// Renders the page without inline style and script, for a server with a strict policy. The
    /// links lead to [`STYLE`](super::STYLE), [`ROUND_STYLE`], [`RoundPage::picture_style`] and
    /// [`round_script`].
    pub fn to_linked_html(mut self, links: Links) -> String {
        self.steps.finish();
        let page = Page::new(&self, Sheet::linked(links));
        page.render().expect("writing to a text does not fail") + "\n"
    }

    /// Style rules for the pictures of this round.
    pub fn picture_style(&self) -> String {
        self.steps.lines.style()
    }
}

/// An entry of the list of steps.
#[derive(Debug)]
struct StepEntry {
    /// Number of the move, as `judge replay --move` counts.
    number: Option<usize>,
    seat: Option<Seat>,
    /// The first word of the question, if the game asks several kinds of questions.
    question: Option<String>,
    /// The answer, or another text if there is none.
    what: String,
    cost: Option<String>,
    /// The gain with another answer, if this is one of the moves that cost the most.
    gain: Option<String>,
    failed: bool,
}

#[derive(Template)]
#[template(path = "round.html")]
struct Page<'a> {
    sheet: Sheet,
    heading: String,
    title: &'a str,
    players: [SeatPlayer; 2],
    ruling: Ruling,
    facts: Vec<(&'static str, String)>,
    judge: String,
    engine: String,
    digest: Digest,
    verify: Option<String>,
    trouble: Option<String>,
    remark: Option<String>,
    beside: Option<&'a Beside>,
    /// The first picture.
    picture: String,
    views: Vec<String>,
    /// True if a player has texts for below the picture.
    has_notes: bool,
    entries: Vec<StepEntry>,
    /// The step with the fault, where the page opens.
    fault: Option<usize>,
    words: Vec<(String, String)>,
    others: Option<OtherSection>,
    chart: Option<Chart>,
    data: String,
}

impl<'a> Page<'a> {
    fn new(round: &'a RoundPage<'_>, sheet: Sheet) -> Page<'a> {
        let (record, steps, language) = (round.record, &round.steps, sheet.language());
        let limits = &record.header.spec.limits;
        let players = Seat::BOTH.map(|seat| SeatPlayer::new(record, seat, language));
        let fault = record.trailer.fault.as_ref();
        let failed = fault.and_then(|fault| usize::try_from(fault.call?).ok());
        let is_fault = fault.is_some_and(|fault| fault.verdict != Verdict::Resigned);
        let fault = failed.filter(|_| is_fault).and_then(|call| steps.step_of(call));
        let others = round.moves.as_ref().map(|moves| OtherSection::new(moves, steps));
        let seats = steps.narrower().into_iter().map(|(seat, _)| language.t1("Seat {0}", seat));
        Page {
            heading: format!(
                "{}, {}: {} – {}",
                round.title,
                language.t1("seed {0}", record.header.spec.seed.0),
                players[0].name,
                players[1].name
            ),
            title: round.title,
            facts: facts(record),
            judge: tame(&record.header.fingerprint.judge),
            engine: tame(&record.header.fingerprint.engine),
            digest: round.digest,
            verify: round.verify.map(tame),
            trouble: round.trouble.map(tame),
            remark: round.remark.as_deref().map(tame),
            beside: round.beside.as_ref(),
            picture: steps.pictures[0].first(&steps.lines),
            views: [language.t("Everything")].into_iter().chain(seats).collect(),
            has_notes: steps.steps.iter().any(|step| step.note.is_some()),
            entries: entries(record, steps, failed, others.as_ref(), language),
            others,
            chart: Chart::new(&steps.steps, limits),
            fault,
            words: words_of(record, round.endings, language),
            data: ScriptData::new(record, steps, failed, fault, language).to_json(),
            ruling: Ruling::new(record, language),
            sheet,
            players,
        }
    }
}

/// The glossary entries for this round.
fn words_of(
    record: &RoundRecord,
    endings: &[(&str, &str)],
    language: PageLanguage,
) -> Vec<(String, String)> {
    let reason = record.trailer.outcome.reason.as_str();
    let ending = endings.iter().filter(|(word, _)| *word == reason);
    let ending = ending.map(|(word, meaning)| ((*word).to_owned(), language.t(meaning)));
    let seat = (language.t("seat"), language.t(SEAT));
    std::iter::once(seat).chain(ending).collect()
}

fn facts(record: &RoundRecord) -> Vec<(&'static str, String)> {
    let spec = &record.header.spec;
    let options: Vec<String> =
        spec.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let mut facts = vec![("Seed", spec.seed.0.to_string())];
    if !options.is_empty() {
        facts.push(("Options", tame(&options.join(", "))));
    }
    facts
}

fn entries(
    record: &RoundRecord,
    steps: &RoundSteps,
    failed: Option<usize>,
    others: Option<&OtherSection>,
    language: PageLanguage,
) -> Vec<StepEntry> {
    let first_word = |step: &RoundStep| {
        let line = step.calls.first().map(|call| call.line.as_str()).unwrap_or_default();
        tame(line.split(' ').next().unwrap_or_default())
    };
    let moves = || steps.steps.iter().filter(|step| step.kind == StepKind::Move);
    let mut words: Vec<String> = moves().map(first_word).collect();
    words.dedup();
    let several = words.len() > 1;
    let mut number = 0;
    let entry = |(at, step): (usize, &RoundStep)| match step.kind {
        StepKind::Start => StepEntry::plain(language.t("The start")),
        StepKind::End => {
            StepEntry::plain(language.t1("The end: {0}", Ruling::new(record, language).result))
        }
        StepKind::Move => {
            number += 1;
            let question = several.then(|| first_word(step));
            let gain = others.and_then(|others| others.gain(at));
            let entry = StepEntry::of_move(number, step, question, record, failed, language);
            StepEntry { gain, ..entry }
        }
    };
    steps.steps.iter().enumerate().map(entry).collect()
}

impl StepEntry {
    fn plain(what: String) -> StepEntry {
        StepEntry {
            number: None,
            seat: None,
            question: None,
            what,
            cost: None,
            gain: None,
            failed: false,
        }
    }

    fn of_move(
        number: usize,
        step: &RoundStep,
        question: Option<String>,
        record: &RoundRecord,
        failed: Option<usize>,
        language: PageLanguage,
    ) -> StepEntry {
        let call = step.calls.first();
        let answer = call.and_then(|call| call.answer.as_deref());
        let limits = &record.header.spec.limits;
        StepEntry {
            number: Some(number),
            seat: call.map(|call| call.seat),
            question,
            what: answer.map_or_else(|| language.t("no answer"), tame),
            cost: call.and_then(|call| call.fuel).map(|fuel| cost(fuel, limits)),
            gain: None,
            failed: failed
                .is_some_and(|at| (step.first..step.first + step.calls.len()).contains(&at)),
        }
    }
}
