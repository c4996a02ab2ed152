//! `judge completions`: completion scripts for shells, and manual pages.

use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::exit::Exit;
use judge_runner::Error;
use judge_runner::base::files;

/// Print a completion script for a shell, or write manual pages.
///
/// For example: `judge completions bash > ~/.local/share/bash-completion/completions/judge`,
/// `judge completions --man ~/.local/share/man/man1`
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Shell to complete in.
    #[arg(required_unless_present = "folder")]
    shell: Option<Shell>,
    /// Write a manual page for each command into this folder.
    #[arg(long = "man", value_name = "DIR", conflicts_with = "shell")]
    folder: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    if let Some(folder) = &arguments.folder {
        write_pages(folder)?;
    }
    if let Some(shell) = arguments.shell {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut crate::Cli::command(), "judge", &mut script);
        std::io::Write::write_all(&mut std::io::stdout(), &script)?;
    }
    Ok(Exit::Passed)
}

fn write_pages(folder: &Path) -> Result<(), Error> {
    // A link to a page about `help` would lead nowhere.
    let mut judge = crate::Cli::command().disable_help_subcommand(true);
    judge.build();
    let unwritten = |source| Error::Write { path: folder.to_owned(), source };
    std::fs::create_dir_all(folder).map_err(unwritten)?;
    pages(&judge).into_iter().try_for_each(|page| write_page(folder, page))
}

/// A command and all commands below it, without hidden ones.
fn pages(command: &Command) -> Vec<Command> {
    let below = command.get_subcommands().filter(|command| !command.is_hide_set());
    std::iter::once(command.clone()).chain(below.flat_map(pages)).collect()
}

fn write_page(folder: &Path, command: Command) -> Result<(), Error> {
    let page = Man::new(command).manual("judge");
    let mut text = Vec::new();
    page.render(&mut text)?;
    files::write(&folder.join(page.get_filename()), &text)
}
