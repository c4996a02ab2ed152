//! Programs that play outside the sandbox, so that their authors can debug them. They get the lines
//! of a program on stdio, and no limits; nothing that they do is repeatable, so nothing counts.

mod build;
mod command;
mod ending;
mod player;
mod process;

use std::time::Duration;

use judge_core::SeatSpec;

use crate::Error;
pub use build::NativeProgram;
pub use command::NativeCommand;
use command::quoted_command;
pub(crate) use player::NativePlayer;

/// A program to play outside the sandbox.
#[derive(Debug, Clone)]
pub struct NativeSetup {
    /// The program and its arguments.
    pub command: NativeCommand,
    /// Longest silence at a line; none to wait for as long as a breakpoint is held.
    pub timeout: Option<Duration>,
    /// True to send the first line only when a debugger is attached.
    pub waits: bool,
    /// Receives remarks for the user: the process id, and a silence.
    pub tell: fn(&str),
}

impl NativeSetup {
    /// Returns a seat for this program.
    pub(crate) fn seat(&self) -> SeatSpec {
        SeatSpec::Native { name: self.command.name() }
    }

    /// Checks that the program can be found, and that this system can run it.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if cfg!(not(unix)) {
            let what = "native programs can play on Linux and macOS only";
            let hint = "on Windows, use the Windows Subsystem for Linux";
            return Err(Error::Input { what: what.to_owned(), hint: Some(hint.to_owned()) });
        }
        if self.command.is_found() {
            return Ok(());
        }
        let what = format!("`{}` is not a program that can be started", self.command.program());
        let hint = "`judge build --native SOURCE` builds one; a path begins with `./`";
        Err(Error::Input { what, hint: Some(hint.to_owned()) })
    }
}
