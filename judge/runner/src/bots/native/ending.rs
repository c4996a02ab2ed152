//! The end of a native program as a fault, in one sentence.

use std::process::ExitStatus;

use judge_core::{PlayerFault, Verdict};

/// The fault of a program that ended before the round was over.
pub(super) fn early(status: ExitStatus, when: &str) -> PlayerFault {
    let text = match crash(status) {
        Some(signal) => format!("ended by {signal} {when}"),
        None => {
            let code = status.code().unwrap_or_default();
            // As for a module: a program that sets an exit code ends on purpose.
            let hint = if code == 0 { ": a program reads on until the line `end …`" } else { "" };
            format!("ended with exit code {code} {when}{hint}")
        }
    };
    PlayerFault::new(Verdict::RuntimeError, text)
}

/// The signal that ended a program, with its usual cause.
#[cfg(unix)]
pub(super) fn crash(status: ExitStatus) -> Option<String> {
    use rustix::process::Signal;

    let signal = std::os::unix::process::ExitStatusExt::signal(&status)?;
    let known = [
        (Signal::SEGV, "SIGSEGV, a memory access to a wrong address"),
        (Signal::BUS, "SIGBUS, a memory access to a wrong address"),
        (Signal::ABORT, "SIGABRT, a failed check of the program or its library"),
        (Signal::FPE, "SIGFPE, such as a division by zero"),
        (Signal::ILL, "SIGILL, an invalid instruction, such as code that is never reached"),
        (Signal::TRAP, "SIGTRAP, such as code that is never reached"),
        (Signal::KILL, "SIGKILL, from outside or for lack of memory"),
        (Signal::TERM, "SIGTERM, from outside"),
    ];
    let cause = known.iter().find(|(known, _)| known.as_raw() == signal);
    Some(match cause {
        Some((_, text)) => format!("signal {signal} ({text})"),
        None => format!("signal {signal}"),
    })
}

#[cfg(not(unix))]
pub(super) fn crash(_status: ExitStatus) -> Option<String> {
    None
}
