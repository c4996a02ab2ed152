//! A program's output, checked against the question.

use judge_core::{PlayerFault, Verdict};
use judge_protocol::MAX_LINE;

use crate::lines::{excerpt, line_of};

/// Most bytes of pending output: one line.
pub const MAX_OUTPUT: usize = MAX_LINE + 1;

/// Advice against printing a prompt, a greeting or thoughts.
const ONLY_ANSWERS: &str =
    "only answers are printed, one line each; all else belongs on standard error";

/// The one line that answers a question.
///
/// # Errors
/// When the output is not one line.
pub fn one_line<'a>(output: &'a [u8], question: &str) -> Result<&'a str, PlayerFault> {
    let Some(line) = output.strip_suffix(b"\n") else {
        return Err(unfinished(output, question));
    };
    let mut lines = line.split(|byte| *byte == b'\n');
    match (lines.next(), lines.next(), lines.count()) {
        (_, None, _) if line.is_empty() => {
            Err(protocol(format!("printed an empty line in answer to `{question}`")))
        }
        (_, None, _) if line.ends_with(b"\r") => Err(protocol(format!(
            "printed `{}` in answer to `{question}`: a line ends in `\\n`, without `\\r`",
            excerpt(line)
        ))),
        (_, None, _) => line_of(question, line),
        (one, two, more) => {
            let [one, two] = [one, two].map(|line| excerpt(line.unwrap_or_default()));
            let lines = match more {
                0 => format!("two lines, `{one}` and `{two}`"),
                _ => format!("{} lines, `{one}`, `{two}`, …", more + 2),
            };
            Err(protocol(format!("printed {lines}, in answer to `{question}`: {ONLY_ANSWERS}")))
        }
    }
}

/// The fault for output without a line end when the program already reads the next line.
fn unfinished(output: &[u8], question: &str) -> PlayerFault {
    if output.is_empty() {
        return protocol(format!(
            "no answer to `{question}`: asked for the next line instead, without having printed \
             anything (or without a flush)"
        ));
    }
    protocol(format!(
        "printed `{}` in answer to `{question}`, without a line end: did you forget `\\n`, or to \
         flush?",
        excerpt(output)
    ))
}

/// Checks that nothing was printed.
///
/// # Errors
/// When something was.
pub fn nothing(output: &[u8], when: &str) -> Result<(), PlayerFault> {
    if output.is_empty() {
        return Ok(());
    }
    let text = excerpt(output.strip_suffix(b"\n").unwrap_or(output));
    Err(protocol(format!("printed `{text}` without being asked, {when}: {ONLY_ANSWERS}")))
}

/// The fault for more output than any answer has.
pub fn flood(output: &[u8], when: &str) -> PlayerFault {
    let text = match output {
        [] => String::new(),
        _ => format!(", beginning `{}`", excerpt(output)),
    };
    let detail = format!("printed more than {MAX_LINE} bytes {when}{text}");
    PlayerFault::new(Verdict::OutputLimitExceeded, detail)
}

fn protocol(detail: String) -> PlayerFault {
    PlayerFault::new(Verdict::ProtocolError, detail)
}
