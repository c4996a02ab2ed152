//! `judge completions`: completion scripts for shells.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::exit::Exit;
use judge_runner::Error;

/// Print a completion script for a shell.
///
/// For example: `judge completions bash > ~/.local/share/bash-completion/completions/judge`
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Shell to complete in.
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut crate::Cli::command(), "judge", &mut script);
    std::io::Write::write_all(&mut std::io::stdout(), &script)?;
    Ok(Exit::Passed)
}
