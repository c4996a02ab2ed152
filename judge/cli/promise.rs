//! `judge commit` and `judge reveal`: hidden testcases that nobody can change after the deadline.

use std::fmt::Write as _;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use judge_core::printable;
use judge_grading::{Commitment, Reveal, SuiteKey};
use serde::de::DeserializeOwned;

use crate::failure::{Exit, Failure};
use crate::{grade, output};

/// Promise the hidden testcases of a suite: prints a hash to publish before the deadline.
///
/// Needs the key that `suite.toml` names under `[hidden]`.
#[derive(clap::Args)]
pub(crate) struct CommitArguments {
    /// The suite's folder, as a path: `./NAME` or `NAME/`.
    #[arg(value_name = "DIR")]
    suite: PathBuf,
    /// Make a key where there is none yet: a new file of 64 random hex digits.
    #[arg(long, value_name = "FILE")]
    new_key: Option<PathBuf>,
    /// Where the promise goes. Default: standard output.
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
}

/// Keep a promise about hidden testcases, or check whether it was kept.
///
/// With the suite's folder: prints key, testcases and seeds, to be published after the deadline.
/// With that file: says whether it is what was promised. Exit code 1: it is not.
#[derive(clap::Args)]
pub(crate) struct RevealArguments {
    /// The suite's folder, as a path: `./NAME` or `NAME/`; or a file made from it by this command.
    #[arg(value_name = "DIR|FILE")]
    suite: PathBuf,
    /// What `judge commit` printed.
    #[arg(long, value_name = "FILE")]
    promise: PathBuf,
    /// Where the proof goes. Default: standard output.
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
}

pub(crate) fn commit(arguments: &CommitArguments) -> Result<Exit, Failure> {
    if let Some(path) = &arguments.new_key {
        refuse_needless_key(&arguments.suite, path)?;
        make_key(path)?;
    }
    let reveal = of(&arguments.suite)?;
    write(&arguments.out, &reveal.commitment())?;
    Ok(Exit::Passed)
}

pub(crate) fn reveal(arguments: &RevealArguments) -> Result<Exit, Failure> {
    let promise: Commitment = read(&arguments.promise, "what `judge commit` prints")?;
    let from_suite = arguments.suite.is_dir();
    let reveal = match from_suite {
        true => of(&arguments.suite)?,
        false => read(&arguments.suite, "what `judge reveal` prints")?,
    };
    if let Err(broken) = reveal.keeps(&promise) {
        let line = format!("broken: {broken}\n");
        output::unless_reader_left(output::print(&format!(
            "{}\n",
            printable(line.trim_end(), usize::MAX)
        )))?;
        return Ok(Exit::Failed);
    }
    if from_suite {
        write(&arguments.out, &reveal)?;
        return Ok(Exit::Passed);
    }
    let mut text =
        format!("kept: {} hidden testcases are those promised\n", reveal.testcases.len());
    for testcase in &reveal.testcases {
        let seeds: Vec<String> = testcase.seeds.iter().map(ToString::to_string).collect();
        let name = printable(&testcase.name, 100);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name}: seeds {}", seeds.join(", "));
    }
    output::unless_reader_left(output::print(&text))?;
    Ok(Exit::Passed)
}

fn of(folder: &Path) -> Result<Reveal, Failure> {
    let suite = grade::named(folder)?;
    if let Some(absent) = &suite.absent {
        let what = format!("the folder of hidden testcases `{}` is not there", absent.display());
        return Err(Failure::usage(
            what,
            "put it where `[hidden]` in `suite.toml` says that it is",
        ));
    }
    Reveal::of(&suite).ok_or_else(|| {
        let hint = "in `suite.toml`: `[hidden]` with `key = \"FILE\"`, a file outside of what \
                    students get; in a testcase: `rounds = 8` instead of `seeds`. \
                    `judge commit DIR --new-key FILE` makes a key";
        let what = match suite.secrets.key {
            Some(_) => format!("`{}` has no hidden testcases", folder.display()),
            None => format!("the key of `{}` is not at hand", folder.display()),
        };
        Failure::usage(what, hint)
    })
}

/// A key that the suite does not name would be one that nothing uses.
fn refuse_needless_key(folder: &Path, path: &Path) -> Result<(), Failure> {
    match grade::named(folder)?.secrets.key {
        None => Ok(()),
        Some(_) => {
            let what =
                format!("`{}` has a key already: nothing would use another", folder.display());
            let hint = format!(
                "leave `--new-key` out; for another key, name `{}` in `suite.toml` first",
                path.display()
            );
            Err(Failure::usage(what, hint))
        }
    }
}

/// Makes a file with a new key. An old one is never lost.
fn make_key(path: &Path) -> Result<(), Failure> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)
        .map_err(|error| Failure::Judge(format!("the system gives no random bytes: {error}")))?;
    let mut options = std::fs::File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let failed = |source| Failure::Write { path: path.to_owned(), source };
    let mut file = options.open(path).map_err(|source| match source.kind() {
        ErrorKind::AlreadyExists => {
            let what = format!("there is a file `{}` already", path.display());
            Failure::usage(what, "if it is the suite's key, leave `--new-key` out")
        }
        _ => failed(source),
    })?;
    writeln!(file, "{}", String::from(SuiteKey::new(bytes))).map_err(failed)
}

fn read<T: DeserializeOwned>(path: &Path, what: &str) -> Result<T, Failure> {
    let text = Failure::read_text(path)?;
    serde_json::from_str(&text)
        .map_err(|error| Failure::input(path, &format!("not {what}: {error}")))
}

fn write(path: &Path, value: &impl serde::Serialize) -> Result<(), Failure> {
    let text =
        serde_json::to_string_pretty(value).map_err(|error| Failure::Judge(error.to_string()))?;
    output::write(path, &(text + "\n"))
}
