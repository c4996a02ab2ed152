//! A commitment to the hidden testcases of a suite, which are fixed once it is published.

use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use judge_core::Listener;
use judge_grading::{Commitment, Reveal, SuiteError, SuiteKey};
use judge_report::quoted;
use serde::Serialize;

use crate::Error;
use crate::suites::{self, SUITE_FILE};

/// A suite with hidden testcases to commit to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The suite's folder.
    pub suite: PathBuf,
    /// The file for a new key, if the suite has none yet.
    pub new_key: Option<PathBuf>,
}

/// The commitment, to publish before the deadline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The names of the testcases, and a hash over all of them.
    pub commitment: Commitment,
}

impl Outcome {
    /// Renders the file to publish.
    ///
    /// # Errors
    /// If it cannot be written as JSON, which is a bug in the judge.
    pub fn json(&self) -> Result<String, Error> {
        pretty(&self.commitment)
    }
}

/// Commits to the hidden testcases of a suite, with a new key if requested.
///
/// # Errors
/// If the suite has no hidden testcases or no key, or a new key is requested although the suite has
/// one or the file exists.
pub fn run(request: &Request, events: &mut dyn Listener) -> Result<Outcome, Error> {
    if let Some(path) = &request.new_key {
        refuse_needless_key(&request.suite, path, events)?;
        make_key(path)?;
    }
    Ok(Outcome { commitment: reveal(&request.suite, events)?.commitment() })
}

/// The data that a suite's commitment covers.
pub(crate) fn reveal(folder: &Path, events: &mut dyn Listener) -> Result<Reveal, Error> {
    let suite = suites::named(folder, events)?;
    if let Some(absent) = &suite.absent {
        let what = format!("the folder of hidden testcases `{}` does not exist", absent.display());
        return Err(Error::usage(what, "put it where `[hidden]` in `suite.toml` says"));
    }
    Reveal::from_suite(&suite).ok_or_else(|| {
        let hint = "in `suite.toml`: `[hidden]` with `key = \"FILE\"`, a file outside of what \
                    students get; in a testcase: `rounds = 8` instead of `seeds`. \
                    `judge commit DIR --new-key FILE` makes a key";
        let what = match suite.secrets.key {
            Some(_) => format!("`{}` has no hidden testcases", folder.display()),
            None => format!("the key of `{}` is missing", folder.display()),
        };
        Error::usage(what, hint)
    })
}

/// Renders a value as JSON with line breaks, for publication.
pub(crate) fn pretty(value: &impl Serialize) -> Result<String, Error> {
    let text =
        serde_json::to_string_pretty(value).map_err(|error| Error::Judge(error.to_string()))?;
    Ok(text + "\n")
}

/// Refuses to create a key that would not be used, because the suite has one or names another path
/// for it.
fn refuse_needless_key(folder: &Path, path: &Path, events: &mut dyn Listener) -> Result<(), Error> {
    let named = match suites::named(folder, events) {
        Ok(suite) if suite.secrets.key.is_some() => return Err(unused_key(folder, path)),
        Ok(suite) => suite.named_key(),
        // Without a key, no hidden testcase can be played.
        Err(Error::Suite(SuiteError::KeyAbsent { key, .. })) => Some(key),
        Err(error) => return Err(error),
    };
    refuse_other_place(folder, named, path)
}

fn unused_key(folder: &Path, path: &Path) -> Error {
    let what = format!("`{}` already has a key; a second one would be unused", folder.display());
    let hint = format!(
        "leave `--new-key` out; for another key, name `{}` in `suite.toml` first",
        path.display()
    );
    Error::usage(what, hint)
}

/// Refuses a path other than the one in `suite.toml`.
fn refuse_other_place(folder: &Path, named: Option<PathBuf>, path: &Path) -> Result<(), Error> {
    let Some(named) = named else {
        let what = format!("`{}` names no key", folder.join(SUITE_FILE).display());
        let hint = "write `[hidden]` and `key = \"FILE\"` there, a path from the suite's folder";
        return Err(Error::usage(what, hint));
    };
    let place = folder.join(&named);
    if real(&place).is_some_and(|place| real(path) == Some(place)) {
        return Ok(());
    }
    let what = format!(
        "the new key would be `{}`, and `{}` names `{}`",
        path.display(),
        folder.join(SUITE_FILE).display(),
        place.display()
    );
    Err(Error::usage(what, format!("`--new-key {}`", quoted(&place.to_string_lossy()))))
}

/// The real path of a file that may be missing together with its folders.
fn real(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let folder = folder.canonicalize().ok().or_else(|| real(folder))?;
    Some(folder.join(path.file_name()?))
}

/// Creates a file with a new key. An existing file is never overwritten.
fn make_key(path: &Path) -> Result<(), Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::Judge(format!("the system has no random bytes: {error}")))?;
    let mut options = std::fs::File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let failed = |source| Error::Write { path: path.to_owned(), source };
    let mut file = options.open(path).map_err(|source| match source.kind() {
        ErrorKind::AlreadyExists => {
            let what = format!("the file `{}` already exists", path.display());
            Error::usage(what, "if it is the suite's key, leave `--new-key` out")
        }
        _ => failed(source),
    })?;
    writeln!(file, "{}", String::from(SuiteKey::new(bytes))).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_once_and_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        make_key(&path).unwrap();
        let key = std::fs::read_to_string(&path).unwrap();
        assert_eq!(key.trim().len(), 64, "{key}");
        assert!(matches!(make_key(&path), Err(Error::Usage { .. })));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), key);
    }
}
