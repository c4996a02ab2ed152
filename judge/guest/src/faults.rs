//! Texts of a bot's faults, the same in every engine: they are part of a record, and so of its
//! digest.

use judge_core::{FUEL_PER_MS, PlayerFault, START_FUEL, Verdict, printable};
use judge_protocol::{BUFFER_BYTES, EXPORT_BUFFER, EXPORT_INITIALIZE, EXPORT_LINE, MAX_LINE};

use crate::{excerpt, shown_name, whole_pages};

/// Most letters of a function's name in a verdict.
const NAME_LETTERS: usize = 80;

/// Most characters of a script's exception that are quoted.
const MAX_THROWN: usize = 300;

/// A trap of a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModuleTrap {
    /// Too deep a recursion.
    StackOverflow,
    /// An access outside of the memory.
    OutsideMemory,
    /// An access outside of a table.
    OutsideTable,
    /// A call through a null pointer.
    NullFunction,
    /// A call through a pointer of another type.
    FunctionType,
    /// A number that does not fit.
    Overflow,
    /// A division by zero.
    DivisionByZero,
    /// A conversion of a float that is not an integer.
    NotAnInteger,
    /// The operator `unreachable`.
    Unreachable,
}

impl ModuleTrap {
    /// The text for the bot's author.
    pub fn text(self) -> &'static str {
        match self {
            ModuleTrap::StackOverflow => "stack overflow: too deep a recursion",
            ModuleTrap::OutsideMemory => "access outside of the memory",
            ModuleTrap::OutsideTable => {
                "access to a table outside of its elements, or a call through a wrong pointer"
            }
            ModuleTrap::NullFunction => "call through a null function pointer",
            ModuleTrap::FunctionType => "call through a function pointer of another type",
            ModuleTrap::Overflow => "integer overflow in a division or conversion",
            ModuleTrap::DivisionByZero => "integer division by zero",
            ModuleTrap::NotAnInteger => "conversion of a float that is not an integer",
            ModuleTrap::Unreachable => {
                "aborted: `unreachable` reached (abort, a failed assertion, a panic or an uncaught \
                 exception)"
            }
        }
    }
}

/// The reason why a bot got no more memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryRefusal {
    /// The testcase's limit.
    Limit,
    /// The maximum in the module, in bytes, which is below the limit.
    OwnMaximum(u64),
}

impl MemoryRefusal {
    /// The reason that holds for a module with this maximum under this limit, both in bytes.
    pub fn new(own_maximum: Option<u64>, limit: u64) -> MemoryRefusal {
        let below = own_maximum.filter(|most| *most < whole_pages(limit));
        below.map_or(MemoryRefusal::Limit, MemoryRefusal::OwnMaximum)
    }
}

impl std::fmt::Display for MemoryRefusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            MemoryRefusal::Limit => write!(f, "the memory limit had refused it more memory"),
            MemoryRefusal::OwnMaximum(most) => write!(
                f,
                "its own maximum of {} KiB (`--max-memory` of the linker) had refused it more memory",
                most / 1024
            ),
        }
    }
}

/// A call that trapped with this cause, in a function with this name, and the reason why it got no
/// more memory before, if a growth was refused.
pub fn trapped(cause: &str, function: Option<&str>, refused: Option<MemoryRefusal>) -> PlayerFault {
    let place = function.map(|name| format!(" in function `{}`", shown_name(name, NAME_LETTERS)));
    let place = place.unwrap_or_default();
    if let Some(refused) = refused {
        let detail = format!("{cause}{place}, after {refused}");
        return PlayerFault::new(Verdict::MemoryLimitExceeded, detail);
    }
    PlayerFault::new(Verdict::RuntimeError, format!("{cause}{place}"))
}

/// The cause of a failed `judge.log`.
pub fn log_outside(start: u32, count: u32) -> String {
    format!("`judge.log` of {count} bytes at address {start}, outside of the memory")
}

/// The cause of a failed system function: bytes that are not all inside the memory.
pub fn system_outside(start: u32, count: u32) -> String {
    let bytes = if count == 1 { "byte" } else { "bytes" };
    format!("passed {count} {bytes} to the system at address {start}, outside of the memory")
}

/// The cause of a system function that a start function calls.
pub const SYSTEM_IN_START: &str = "made a system call from a start function";

/// The fault of a module that takes too long to start up.
pub fn slow_start() -> PlayerFault {
    let ms = START_FUEL / FUEL_PER_MS;
    let detail = format!(
        "still starting up after {ms} ms: `{EXPORT_INITIALIZE}`, `start` or `{EXPORT_BUFFER}` does \
         too much"
    );
    PlayerFault::new(Verdict::TimeLimitExceeded, detail)
}

/// The fault of a module with a line buffer that is not all inside its memory of `size` bytes.
///
/// # Errors
/// That fault.
pub fn check_buffer(buffer: u32, size: usize) -> Result<(), PlayerFault> {
    if (buffer as usize).checked_add(BUFFER_BYTES).is_some_and(|end| end <= size) {
        return Ok(());
    }
    let detail = format!(
        "`{EXPORT_BUFFER}` returned {buffer}, but {BUFFER_BYTES} bytes from there do not fit into \
         the memory of {size} bytes"
    );
    Err(PlayerFault::new(Verdict::ProtocolError, detail))
}

/// The length of an answer that `judge_line` returned.
///
/// # Errors
/// When no answer has that length.
pub fn answer_length(length: i32) -> Result<usize, PlayerFault> {
    if let Some(length) = usize::try_from(length).ok().filter(|length| *length <= MAX_LINE) {
        return Ok(length);
    }
    let detail =
        format!("`{EXPORT_LINE}` returned {length}: expected the answer's length, 0 to {MAX_LINE}");
    let verdict = match length {
        ..0 => Verdict::ProtocolError,
        _ => Verdict::OutputLimitExceeded,
    };
    Err(PlayerFault::new(verdict, detail))
}

/// Checks that a notice got no answer.
///
/// # Errors
/// When it did.
pub fn unanswered(answer: &[u8], line: &str) -> Result<(), PlayerFault> {
    if answer.is_empty() {
        return Ok(());
    }
    let detail = format!("answered `{}` to `{line}`, which is not a question", excerpt(answer));
    Err(PlayerFault::new(Verdict::ProtocolError, detail))
}

/// A program's end before the end of the round.
#[derive(Debug, Clone, Copy)]
pub struct EarlyExit<'a> {
    /// Its exit code.
    pub code: u32,
    /// True for an interpreter, which prints a script's exception before it ends.
    pub is_script: bool,
    /// Its output.
    pub output: &'a [u8],
    /// The reason why it got no more memory, if a growth was refused.
    pub refused: Option<MemoryRefusal>,
}

impl EarlyExit<'_> {
    /// The fault. Languages with a runtime end with their own exit code when they get no more
    /// memory.
    pub fn fault(&self, when: &str) -> PlayerFault {
        let EarlyExit { code, is_script, output, refused } = *self;
        let ending = if is_script && code == 1 {
            let thrown = String::from_utf8_lossy(output.trim_ascii_end());
            format!("the script failed {when}: `{}`", printable(&thrown, MAX_THROWN))
        } else {
            format!("ended with exit code {code} {when}")
        };
        match refused {
            Some(refused) if code != 0 => {
                let detail = format!("{ending}, after {refused}");
                PlayerFault::new(Verdict::MemoryLimitExceeded, detail)
            }
            // A program that sets an exit code ends on purpose, so only code 0 needs the hint.
            _ => {
                let hint =
                    if code == 0 { ": a program reads on until the line `end …`" } else { "" };
                PlayerFault::new(Verdict::RuntimeError, ending + hint)
            }
        }
    }
}

/// A stage of a program with a separate budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgramStage {
    /// Before its first line.
    Start,
    /// After its last line.
    End,
}

impl ProgramStage {
    /// The fault of a program that uses up the budget.
    pub fn too_slow(self) -> PlayerFault {
        let (doing, why) = match self {
            ProgramStage::Start => ("starting up", "it has not asked for its first line"),
            ProgramStage::End => ("running", "it does not stop when there is no more input"),
        };
        let ms = START_FUEL / FUEL_PER_MS;
        let detail = format!("still {doing} after {ms} ms: {why}");
        PlayerFault::new(Verdict::TimeLimitExceeded, detail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intake::IntakeRefusal;

    #[test]
    fn a_memory_limit_is_a_number_of_whole_pages() {
        let kib = |most: u64, limit: u64| MemoryRefusal::new(Some(most << 10), limit << 10);
        assert_eq!(kib(128, 192), MemoryRefusal::OwnMaximum(128 << 10));
        for (most, limit) in [(128, 129), (128, 128), (64, 100), (128, 64)] {
            assert_eq!(kib(most, limit), MemoryRefusal::Limit, "{most} {limit}");
        }
        assert_eq!(MemoryRefusal::new(None, 1 << 20), MemoryRefusal::Limit);
        let hint = IntakeRefusal::TooMuchMemory { starts_with: 128 << 10, cap: 100 << 10 }.hint();
        assert!(hint.contains("--max-memory=65536`"), "the linker wants whole pages: {hint}");
    }
}
