//! Arguments of a program that plays outside the sandbox.

use std::time::Duration;

use judge_runner::bots::native::{NativeCommand, NativeSetup};

use crate::show::tell;

/// A program that plays outside the sandbox.
#[derive(clap::Args)]
pub(crate) struct NativeArgs {
    /// Play with a program of this machine that reads the judge's lines and prints answers (see
    /// `judge build --native`). It is neither sandboxed nor metered, and its rounds do not count.
    /// Next to a bot or `human` it is the opponent.
    #[arg(long, value_name = "COMMAND")]
    native: Option<NativeCommand>,
    /// Send the first line to the native program only when a debugger is attached.
    #[arg(long, requires = "native")]
    native_wait: bool,
    /// End the round if the native program is silent for so long. Default: wait, so that a
    /// breakpoint can be held; Ctrl-C ends the round and the program.
    #[arg(long, value_name = "SECONDS", requires = "native", value_parser = seconds)]
    native_timeout: Option<Duration>,
}

impl NativeArgs {
    pub(crate) fn setup(&self) -> Option<NativeSetup> {
        let NativeArgs { native, native_wait, native_timeout } = self;
        let command = native.clone()?;
        Some(NativeSetup { command, timeout: *native_timeout, waits: *native_wait, tell })
    }
}

/// Parses `--native-timeout`.
fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(seconds @ 1..=86400) => Ok(Duration::from_secs(seconds)),
        _ => Err("expected a number from 1 to 86400".to_owned()),
    }
}
