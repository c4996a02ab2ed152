//! Checks that the outputs of a command do not replace its inputs.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Command};
use judge_runner::Error;

/// Options that name a file to write, in every command.
const OUTPUTS: [&str; 12] = [
    "json",
    "junit",
    "html",
    "csv",
    "markdown",
    "svg",
    "replay",
    "rounds_to",
    "new_key",
    "out",
    "report",
    "to",
];

/// Refuses an output that would replace a file that the same command reads.
pub(crate) fn are_no_inputs(command: &Command, matches: &ArgMatches) -> Result<(), Error> {
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    for argument in command.get_arguments() {
        let id = argument.get_id().as_str();
        let values = matches.try_get_raw(id).ok().flatten().into_iter().flatten();
        match OUTPUTS.contains(&id) {
            true => outputs.extend(values.filter_map(written)),
            false => inputs.extend(values.filter_map(read)),
        }
    }
    if let Some((_, lost)) = outputs.iter().find(|(output, _)| inputs.contains(output)) {
        let what =
            format!("`{}` is an input of this command and would be overwritten", lost.display());
        return Err(Error::Input { what, hint: Some("write to another file".to_owned()) });
    }
    let Some((name, matches)) = matches.subcommand() else { return Ok(()) };
    command.find_subcommand(name).map_or(Ok(()), |command| are_no_inputs(command, matches))
}

/// The existing file that an option would overwrite: its real path, and the path as given.
fn written(value: &OsStr) -> Option<(PathBuf, PathBuf)> {
    let after = || value.to_str()?.split_once('=').map(|(_, path)| Path::new(path));
    let found = |path: &Path| Some((file(path)?, path.to_owned()));
    found(Path::new(value)).or_else(|| found(after()?))
}

/// The existing file that an argument names.
fn read(value: &OsStr) -> Option<PathBuf> {
    let table = || file(Path::new(value.to_str()?.strip_prefix("trained:")?));
    file(Path::new(value)).or_else(table)
}

fn file(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok().filter(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    /// Options and arguments that are read, or that are both read and written under a separate
    /// rule.
    const INPUTS: [&str; 22] = [
        "late",
        "mapping",
        "suite",
        "suites",
        "testcases",
        "journal",
        "promise",
        "results",
        "players",
        "parts",
        "files",
        "bots",
        "students",
        "binary",
        "saved",
        "corpus",
        "compare",
        "replays",
        "bot",
        "against",
        "rounds",
        "folder",
    ];

    fn check(command: &Command) {
        for argument in command.get_arguments() {
            let names: Vec<&str> = argument
                .get_value_names()
                .into_iter()
                .flatten()
                .map(clap::builder::Str::as_str)
                .collect();
            let id = argument.get_id().as_str();
            if names
                .iter()
                .any(|name| ["FILE", "DIR", "TABLE"].iter().any(|kind| name.contains(kind)))
            {
                let known = OUTPUTS.contains(&id) || INPUTS.contains(&id);
                assert!(known, "is `{id}` of `{}` read or written?", command.get_name());
            }
        }
        command.get_subcommands().for_each(check);
    }

    #[test]
    fn every_file_argument_is_an_input_or_an_output() {
        check(&crate::Cli::command());
    }
}
