//! Checks a replay by the rules, like `judge verify` without the bots.

use judge_core::{Replay, ReplayError, RoundRecord, Seat, SeatSpec};
use judge_referee::{Contradiction, check_by_rules, is_in_calls};
use serde::Serialize;

use crate::engine::fingerprint;

/// The result for one item of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckStatus {
    /// It was checked, and is correct.
    Checked,
    /// The rules cannot decide it.
    Unchecked,
    /// It is wrong.
    Contradicted,
}

/// One item of a file, and its status.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CheckFinding {
    /// The status.
    pub status: CheckStatus,
    /// Description of the item.
    pub text: String,
    /// The recorded content and the actual content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sides: Option<[String; 2]>,
}

impl CheckFinding {
    fn new(status: CheckStatus, text: impl Into<String>) -> CheckFinding {
        CheckFinding { status, text: text.into(), sides: None }
    }
}

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReplayCheck {
    /// False for a file that is not a replay.
    pub replay: bool,
    /// False if an item is wrong.
    pub holds: bool,
    /// The claim of the file: its round and result.
    pub claim: Vec<String>,
    /// All findings; a contradiction is the last.
    pub findings: Vec<CheckFinding>,
}

/// Checks the content of a file by the rules.
pub fn verify(text: &str) -> ReplayCheck {
    let replay = match Replay::read(text) {
        Ok(replay) => replay,
        Err(error) => return unreadable(&error),
    };
    let record = &replay.record;
    let mut findings = Vec::new();
    let contradiction = check(&replay, &mut findings).err();
    let holds = contradiction.is_none();
    findings.extend(contradiction.map(contradicted));
    let mut claim = vec![claim(record)];
    claim.extend(judge_referee::ending(record));
    ReplayCheck { replay: true, holds, claim, findings }
}

/// The verdict on a file that is not a replay, or not in the bytes that a judge writes.
fn unreadable(error: &ReplayError) -> ReplayCheck {
    let changed = matches!(error, ReplayError::NotCanonical { .. });
    let text = if changed { error.to_string() } else { format!("not a replay: {error}") };
    let findings = vec![CheckFinding::new(CheckStatus::Contradicted, text)];
    ReplayCheck { replay: changed, holds: false, claim: Vec::new(), findings }
}

/// Checks the seal, the rules and the players, until a contradiction is found.
fn check(replay: &Replay, findings: &mut Vec<CheckFinding>) -> Result<(), Contradiction> {
    let record = &replay.record;
    let broken = replay.check_seal().err();
    // A change in the calls is found there; for other changes only the hashes show the position.
    if let Some(broken) = broken.as_ref().filter(|broken| !is_in_calls(broken)) {
        return Err(Contradiction::of_seal(broken));
    }
    check_by_rules(record).map_err(|disproof| Contradiction::by_rules(record, &disproof))?;
    let lines = record.calls.len();
    findings.push(CheckFinding::new(
        CheckStatus::Checked,
        format!("the {lines} lines, the result and the scores follow from the rules"),
    ));
    if let Some(broken) = &broken {
        return Err(Contradiction::of_seal(broken));
    }
    let seal = format!("the seal, and the digest {}", replay.digest);
    findings.push(CheckFinding::new(CheckStatus::Checked, seal));
    findings.extend(Seat::BOTH.map(|seat| of_seat(record, seat)));
    findings.push(of_build(record));
    Ok(())
}

fn contradicted(contradiction: Contradiction) -> CheckFinding {
    let Contradiction { place, what, sides } = contradiction;
    CheckFinding {
        sides,
        ..CheckFinding::new(CheckStatus::Contradicted, format!("{place}: {what}"))
    }
}

/// The claim of the file.
fn claim(record: &RoundRecord) -> String {
    let spec = &record.header.spec;
    let options: String =
        spec.options.iter().map(|(key, value)| format!(" {key}={value}")).collect();
    let [one, two] = spec.seats.each_ref().map(SeatSpec::name);
    format!("a round of {}{options}, seed {}: {one} against {two}", spec.game, spec.seed)
}

/// The finding on the answers of a seat.
fn of_seat(record: &RoundRecord, seat: Seat) -> CheckFinding {
    let player = record.header.spec.seat(seat);
    let (status, what) = match player {
        SeatSpec::Reference { .. } => {
            (CheckStatus::Checked, "the reference opponent gives the same answers")
        }
        SeatSpec::Human { .. } => {
            (CheckStatus::Unchecked, "a person's answers: the rules allow each of them")
        }
        SeatSpec::Native { .. } => (
            CheckStatus::Unchecked,
            "that this program gives these answers: it ran outside the sandbox",
        ),
        SeatSpec::Bot { .. } => (
            CheckStatus::Unchecked,
            "that this bot gives these answers, at this cost: `judge verify` with its module plays \
             it again",
        ),
        SeatSpec::Trained { .. } => (
            CheckStatus::Unchecked,
            "that its table gives these answers: `judge verify` with the table plays it again",
        ),
    };
    CheckFinding::new(status, format!("seat {seat} (`{}`): {what}", player.name()))
}

/// The finding on the judge that wrote the file.
fn of_build(record: &RoundRecord) -> CheckFinding {
    let (told, own) = (&record.header.fingerprint, fingerprint());
    let text = match *told == own {
        true => "that a judge of this version played it".to_owned(),
        false => format!(
            "written by another judge (judge `{}`, engine `{}`), and checked by the rules of this \
             one (judge `{}`, engine `{}`)",
            told.judge, told.engine, own.judge, own.engine
        ),
    };
    CheckFinding::new(CheckStatus::Unchecked, text)
}
