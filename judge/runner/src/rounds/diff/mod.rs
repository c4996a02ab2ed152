//! The first difference between two recorded rounds.

mod page;

use std::path::PathBuf;

use judge_core::{Call, Digest, Replay, ReplayError, RoundRecord, printable};
use judge_referee::{RecordDifference, RecordPart};

use crate::Error;
use crate::rounds::round_text;
use crate::rounds::source::read_replay;

/// Two replays to compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Their files.
    pub files: [PathBuf; 2],
    /// Number of calls to show before the first difference.
    pub context: usize,
    /// True to compare only questions, answers, results and the settings of the round; fuel, logs
    /// and the players may differ.
    pub moves: bool,
    /// The file for a page with the positions around the first call that differs.
    pub page: Option<PathBuf>,
}

/// The comparison of two replays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Files that were changed after they were written, with the evidence.
    pub broken: Vec<(PathBuf, String)>,
    /// Differences in their settings and, if no call differs, in their ends.
    pub differences: Vec<RecordDifference>,
    /// The first call that differs.
    pub first_difference: Option<FirstDifference>,
    /// Number of calls in the first replay.
    pub calls: usize,
    /// Digest of the first replay, computed from its content.
    pub digest: Digest,
    /// True if only moves were compared.
    pub moves: bool,
    /// The page, if one was written.
    pub page: Option<PathBuf>,
}

/// The first call that differs between two rounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstDifference {
    /// Its index.
    pub index: usize,
    /// Number of the move, as `judge replay --move` counts: one more than the answers before it.
    pub number: usize,
    /// The equal calls before it.
    pub before: Vec<Call>,
    /// The call in each round; none if the round has already ended.
    pub sides: [Option<Call>; 2],
}

/// Compares two replays. Changed replays are allowed, because the change may be the question.
///
/// # Errors
/// If a file cannot be read, or is not a replay.
pub fn run(request: &Request) -> Result<Outcome, Error> {
    let [one, other] = &request.files;
    let (one, other) = (read_replay(one)?, read_replay(other)?);
    let broken = std::iter::zip(&request.files, [&one, &other])
        .filter_map(|(path, replay)| Some((path.clone(), changed(replay)?)));
    let broken = broken.collect();
    let first_difference = first_difference(request, &one.record.calls, &other.record.calls);
    let mut differences = differences(&one, &other, first_difference.is_some());
    if request.moves {
        differences.retain(|difference| is_of_moves(&difference.what));
    }
    let [first, second] = &request.files;
    if let (Some(path), Some(first_difference)) = (&request.page, &first_difference) {
        page::write(path, [(first, &one), (second, &other)], first_difference)?;
    }
    Ok(Outcome {
        broken,
        differences,
        page: request.page.clone().filter(|_| first_difference.is_some()),
        first_difference,
        calls: one.record.calls.len(),
        digest: one.record.digest(),
        moves: request.moves,
    })
}

/// The evidence that a replay was changed after it was written, if it was.
fn changed(replay: &Replay) -> Option<String> {
    replay.check_seal().err().map(|broken| ReplayError::from(broken).to_string())
}

/// True for the parts of a record that do not depend on the players' code.
fn is_of_moves(part: &RecordPart) -> bool {
    matches!(
        part,
        RecordPart::Game
            | RecordPart::Seed
            | RecordPart::Option(_)
            | RecordPart::Result
            | RecordPart::Fault
    )
}

fn first_difference(request: &Request, one: &[Call], other: &[Call]) -> Option<FirstDifference> {
    let parted = match request.moves {
        true => judge_referee::first_different_move,
        false => judge_referee::first_different_call,
    };
    let index = parted(one, other)?;
    let shown = |call: &Call| match request.moves {
        true => Call { fuel: None, ..call.clone() },
        false => call.clone(),
    };
    let before = one[index.saturating_sub(request.context)..index].iter().map(shown).collect();
    let number = 1 + one[..index].iter().filter(|call| call.answer.is_some()).count();
    let sides = [one, other].map(|calls| calls.get(index).map(shown));
    Some(FirstDifference { index, number, before, sides })
}

/// Differences outside the calls. Everything after a differing call is ignored.
fn differences(one: &Replay, other: &Replay, parted: bool) -> Vec<RecordDifference> {
    let (first, second) = (&one.record, &other.record);
    let mut found = judge_referee::headers(&first.header, &second.header);
    if parted {
        return found;
    }
    found.extend(judge_referee::trailers(&first.trailer, &second.trailer));
    if found.is_empty() {
        // Only the last line was edited. Seals with and without log parts always differ.
        let parts = |record: &RoundRecord| record.trailer.log_parts.each_ref().map(Option::is_some);
        let alike = parts(first) == parts(second);
        let seals = alike.then_some((RecordPart::Seal, one.seal, other.seal));
        let hashes = [(RecordPart::Digest, one.digest, other.digest)].into_iter().chain(seals);
        let differ = hashes.filter(|(_, one, other)| one != other);
        found.extend(differ.map(|(what, one, other)| {
            let sides = [one.to_string(), other.to_string()];
            RecordDifference { what, sides }
        }));
    }
    found
}

impl Outcome {
    /// True for equal rounds.
    pub fn is_same(&self) -> bool {
        self.differences.is_empty() && self.first_difference.is_none()
    }

    /// Formats the comparison for people. Lines of the first round begin with `-`, those of the
    /// second with `+`.
    pub fn text(&self) -> String {
        let note = |(path, how): &(PathBuf, String)| format!("note: `{}`: {how}", path.display());
        let mut lines: Vec<String> = self.broken.iter().map(note).collect();
        lines.extend(self.differences.iter().flat_map(sides));
        lines.extend(self.first_difference.iter().flat_map(FirstDifference::lines));
        let Outcome { calls, digest, .. } = self;
        match self.moves {
            _ if !self.is_same() => {}
            true => lines.push(format!("the same moves: {calls} calls")),
            false => lines.push(format!("the same round: {calls} calls, digest {digest}")),
        }
        lines.iter().map(|line| printable(line, usize::MAX) + "\n").collect()
    }
}

impl FirstDifference {
    /// A sentence on how far the rounds are the same.
    fn remark(&self) -> String {
        match self.number {
            1 => "The rounds differ from the first move on.".to_owned(),
            number => format!("The rounds have the same moves up to move {}.", number - 1),
        }
    }

    fn lines(&self) -> Vec<String> {
        let place = Replay::line_of_call(self.index);
        let mut lines =
            vec![format!("call {} (line {place}), move {}:", self.index + 1, self.number)];
        lines.extend(self.before.iter().map(|call| format!("  {}", round_text::traced(call))));
        let [one, other] = &self.sides;
        lines.push(format!("- {}", shown(one.as_ref())));
        lines.push(format!("+ {}", shown(other.as_ref())));
        lines
    }
}

fn shown(call: Option<&Call>) -> String {
    call.map_or_else(|| "the round ends here".to_owned(), round_text::traced)
}

fn sides(difference: &RecordDifference) -> [String; 3] {
    let RecordDifference { what, sides: [one, other] } = difference;
    [format!("{what}:"), format!("- {one}"), format!("+ {other}")]
}
