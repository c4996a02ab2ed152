//! `judge diff`: where two kept rounds part.

use std::path::{Path, PathBuf};

use judge_core::{Call, Replay, ReplayError, printable};
use judge_referee::Difference;

use crate::failure::{Exit, Failure};
use crate::{output, play};

/// Show where two replays part: how they were set up, the first call that differs, or the end.
///
/// Lines of the first file begin with `-`, of the second with `+`. Exit codes: 0 the same round,
/// 1 another, 3 a file is no replay.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A file written by `judge play --replay`.
    one: PathBuf,
    /// Another one.
    other: PathBuf,
    /// How many calls to show before the first that differs.
    #[arg(long, value_name = "N", default_value_t = 3)]
    context: usize,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let [one, other] = [read(&arguments.one)?, read(&arguments.other)?];
    let mut lines = Vec::new();
    for (path, replay) in [(&arguments.one, &one), (&arguments.other, &other)] {
        if let Err(broken) = replay.check_seal() {
            let error = ReplayError::from(broken);
            lines.push(format!("note: `{}`: {error}", path.display()));
        }
    }
    let notes = lines.len();
    lines.extend(differences(&one, &other, arguments.context));
    let same = lines.len() == notes;
    if same {
        lines.push(format!(
            "the same round: {} calls, digest {}",
            one.record.calls.len(),
            one.record.digest()
        ));
    }
    let text: String = lines.iter().map(|line| printable(line, usize::MAX) + "\n").collect();
    output::unless_reader_left(output::print(&text))?;
    Ok(if same { Exit::Passed } else { Exit::Failed })
}

/// Reads a replay; one that was changed, too, for how it was changed is what may be asked.
fn read(path: &Path) -> Result<Replay, Failure> {
    let text = Failure::read_text(path)?;
    Replay::read(&text).map_err(|error| Failure::input(path, &error))
}

fn differences(one: &Replay, other: &Replay, context: usize) -> Vec<String> {
    let hashes = [("digest", one.digest, other.digest), ("seal", one.seal, other.seal)];
    let (one, other) = (&one.record, &other.record);
    let mut lines: Vec<String> =
        judge_referee::headers(&one.header, &other.header).iter().flat_map(sides).collect();
    if let Some(at) = judge_referee::parting_call(&one.calls, &other.calls) {
        lines.push(format!("call {} (line {}):", at + 1, Replay::line_of_call(at)));
        let before = at.saturating_sub(context)..at;
        lines.extend(one.calls[before].iter().map(|call| format!("  {}", play::traced(call))));
        lines.push(format!("- {}", shown(one.calls.get(at))));
        lines.push(format!("+ {}", shown(other.calls.get(at))));
        return lines;
    }
    lines.extend(judge_referee::trailers(&one.trailer, &other.trailer).iter().flat_map(sides));
    if lines.is_empty() {
        // Somebody wrote in the last line alone.
        lines.extend(hashes.iter().filter(|(_, one, other)| one != other).flat_map(
            |(what, one, other)| {
                let sides = [one.to_string(), other.to_string()];
                self::sides(&Difference { what: (*what).to_owned(), sides })
            },
        ));
    }
    lines
}

fn shown(call: Option<&Call>) -> String {
    call.map_or_else(|| "the round ends here".to_owned(), play::traced)
}

fn sides(difference: &Difference) -> [String; 3] {
    let Difference { what, sides: [one, other] } = difference;
    [format!("{what}:"), format!("- {one}"), format!("+ {other}")]
}
