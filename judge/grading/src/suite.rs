//! A suite: a folder with `suite.toml` and one file per testcase, graded in order of name.

use std::path::{Path, PathBuf};

use judge_core::{Points, RoundSpec, Shows, printable};
use miette::Diagnostic;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::input::{Links, open_file, read_opened, text_of};
use crate::key::{NotAKey, SuiteKey};
use crate::rank::{RankCurve, RawCurve};
use crate::source::{Source, SourceError};
use crate::testcase::{SuiteContext, Testcase, stem};

/// Name of the file that describes the suite.
pub(crate) const SUITE_FILE: &str = "suite.toml";

/// Advice for testcases with `rounds` in a suite without a key.
pub const NEEDS_KEY: &str = "write `[hidden]` with `key = \"FILE\"` into `suite.toml`, and make the \
                             key: `judge commit SUITE --new-key FILE`; or name the seeds in the \
                             testcase: `seeds = [1, 2, 3]`";

/// Largest file of a suite, in bytes: a hundred times the size for the maximum number of seeds.
const MAX_FILE: u64 = 16 << 20;

/// Testcases that are graded together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suite {
    /// The folder's name.
    pub name: String,
    /// One line of text.
    pub title: String,
    /// The testcases, in order of name.
    pub testcases: Vec<Testcase>,
    /// Marks that depend on other submissions of a course, if there are any.
    pub rank: Option<RankCurve>,
    /// Hidden testcases that cannot be played without the key.
    pub locked: Vec<Testcase>,
    /// The missing folder of further hidden testcases.
    pub absent: Option<PathBuf>,
    /// Its source files: names and texts in a folder, `suite.toml` first; or paths and texts of
    /// single testcases.
    pub files: Vec<(String, String)>,
    /// The secret part, which only the course staff has.
    pub secrets: Secrets,
}

/// The available secret part of a suite.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Secrets {
    /// The source of seeds for testcases with `rounds`.
    pub key: Option<SuiteKey>,
    /// Names and texts of testcases in a separate folder.
    pub files: Vec<(String, String)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    title: String,
    rank: Option<RawCurve>,
    hidden: Option<RawHidden>,
}

/// The part of `suite.toml` under `[hidden]`, with paths relative to the suite's folder.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
struct RawHidden {
    key: Option<PathBuf>,
    folder: Option<PathBuf>,
    shows: Option<Spanned<String>>,
}

/// An error of reading a suite.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum SuiteError {
    /// A file in it is invalid.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Source(#[from] Box<SourceError>),
    /// A file or folder cannot be read.
    #[error("cannot read `{}`: {source}", shown(path))]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A file of the suite is a link, which could point anywhere.
    #[error("`{}` is a link; a suite's files must be in its folder", shown(path))]
    #[diagnostic(help("replace the link with the file"))]
    Link {
        /// The link.
        path: PathBuf,
    },
    /// An invalid file in the folder of hidden testcases. The suite names that folder and may be
    /// untrusted, so the error shows no content of the file.
    #[error("`{}` is not a valid testcase{}", shown(path), at(*place))]
    #[diagnostic(help(
        "it is outside of the suite's folder, so its content is not shown; to see the mistake: \
         `judge grade BOT.wasm --testcase FILE`"
    ))]
    Secret {
        /// The file.
        path: PathBuf,
        /// Line and column of the mistake, if known.
        place: Option<(usize, usize)>,
    },
    /// An invalid key.
    #[error("`{}`: {source}", shown(path))]
    Key {
        /// Its file.
        path: PathBuf,
        /// The cause.
        source: NotAKey,
    },
    /// A single testcase with seeds from a suite's key.
    #[error("the seeds of `{}` come from its suite's key: grade on the suite's folder", tame(name))]
    NeedsKey {
        /// The testcase.
        name: String,
    },
    /// Two testcases have the same name.
    #[error("two testcases of `{}` are called `{}`", tame(suite), tame(name))]
    Twice {
        /// The suite.
        suite: String,
        /// The name.
        name: String,
    },
    /// Only hidden testcases, which cannot be played here.
    #[error("all testcases of `{}` are hidden, and {}", tame(name), tame(missing))]
    #[diagnostic(help(
        "only the owner of the folder can grade them; others need a suite with open testcases"
    ))]
    Locked {
        /// The suite.
        name: String,
        /// The missing requirement.
        missing: String,
    },
    /// Only testcases with seeds from a key that is missing here.
    #[error(
        "all testcases of `{}` are hidden, and the key `{}` does not exist",
        tame(name),
        shown(key)
    )]
    #[diagnostic(help(
        "only the owner of the key can grade them; others need a suite with open testcases. To \
         make a key: `judge commit SUITE --new-key FILE`"
    ))]
    KeyAbsent {
        /// The suite.
        name: String,
        /// The key's path in `suite.toml`.
        key: PathBuf,
    },
    /// Only testcases with seeds from a key, in a suite without a key.
    #[error(
        "`rounds` in `{}.toml` of `{}` needs a key for the seeds, and `{SUITE_FILE}` names no key",
        tame(testcase),
        tame(name)
    )]
    #[diagnostic(help("{}", NEEDS_KEY))]
    NoKey {
        /// The suite.
        name: String,
        /// The first of the testcases.
        testcase: String,
    },
    /// No testcases.
    #[error("no testcases in `{}`: expected `.toml` files next to `{SUITE_FILE}`", tame(name))]
    Empty {
        /// The suite.
        name: String,
    },
    /// The suite file is missing.
    #[error("`{}` is not a suite: it has no `{SUITE_FILE}`", tame(name))]
    NoSuiteFile {
        /// The folder.
        name: String,
    },
}

impl SuiteError {
    /// The file with the mistake, line and column, for messages of one line. Longer messages show
    /// the line itself.
    pub fn place(&self) -> Option<String> {
        match self {
            SuiteError::Source(error) => Some(error.place()),
            _ => None,
        }
    }
}

impl Suite {
    /// Builds a suite from the texts of its files, given as path and text in any order.
    ///
    /// # Errors
    /// When a file is invalid, or `suite.toml` or every testcase is missing.
    pub fn from_files<'a>(
        name: &str,
        files: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Suite, SuiteError> {
        Suite::with_secrets(name, files, Secrets::default())
    }

    /// Builds a suite from the texts of its files and its secret part.
    ///
    /// # Errors
    /// As [`Suite::from_files`].
    pub fn with_secrets<'a>(
        name: &str,
        files: impl IntoIterator<Item = (&'a str, &'a str)>,
        secrets: Secrets,
    ) -> Result<Suite, SuiteError> {
        let (head, files) = split(name, files)?;
        let raw = read_head(&head)?;
        let source = Source { name: head.0, text: head.1 };
        let rank =
            raw.rank.as_ref().map(|curve| RankCurve::from_raw(&source, curve)).transpose()?;
        let shows = Some(shows(&source, raw.hidden.as_ref())?);
        let open = SuiteContext { key: secrets.key.as_ref(), hidden: false, shows };
        let mut testcases = Vec::new();
        for (path, text) in &files {
            testcases.push(Testcase::parse_in(path, text, &open)?);
        }
        for (path, text) in &secrets.files {
            let testcase = Testcase::parse_in(path, text, &SuiteContext { hidden: true, ..open });
            testcases.push(testcase.map_err(|error| {
                let place = error.place_in(text);
                SuiteError::Secret { path: PathBuf::from(path), place }
            })?);
        }
        testcases.sort_by(|one, other| one.name.cmp(&other.name));
        if let Some(twice) = testcases.windows(2).find(|pair| pair[0].name == pair[1].name) {
            return Err(SuiteError::Twice { suite: name.to_owned(), name: twice[0].name.clone() });
        }
        let folder = raw.hidden.as_ref().and_then(|hidden| hidden.folder.as_ref());
        let absent = folder.filter(|_| secrets.files.is_empty());
        if let (Some(curve), None) = (&raw.rank, absent) {
            let points = testcases.iter().map(|testcase| testcase.points).sum();
            RankCurve::check_reach(&source, curve, points)?;
        }
        let (testcases, locked): (Vec<_>, Vec<_>) =
            testcases.into_iter().partition(|testcase| !testcase.seeds.is_empty());
        if testcases.is_empty() {
            return Err(nothing_to_play(name, &raw, absent, &locked));
        }
        let kept = std::iter::once(head).chain(files);
        let kept = kept.map(|(path, text)| (file_name(path).to_owned(), text.to_owned()));
        Ok(Suite {
            name: name.to_owned(),
            title: raw.title,
            testcases,
            rank,
            locked,
            absent: None,
            files: kept.collect(),
            secrets,
        })
    }

    /// Reads a suite from its folder, and its secret part from the paths in `suite.toml`, if it is
    /// available.
    ///
    /// # Errors
    /// As [`Suite::from_files`], and when a file cannot be read.
    pub fn read(folder: &Path) -> Result<Suite, SuiteError> {
        let files = read_folder(folder)?;
        let name = folder_name(folder);
        let files = || files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
        let (head, _) = split(&name, files())?;
        let hidden = read_head(&head)?.hidden;
        let secrets = match &hidden {
            Some(hidden) => read_secrets(folder, hidden)?,
            None => Secrets::default(),
        };
        let shows = shows(&Source { name: head.0, text: head.1 }, hidden.as_ref())?;
        let named = hidden.and_then(|hidden| hidden.folder).map(|path| folder.join(path));
        let suite = Suite::with_secrets(&name, files(), secrets.clone());
        let suite = suite
            .map_err(|error| with_hidden_path(error, folder, named.as_deref(), &secrets, shows))?;
        let absent = named.filter(|path| !path.is_dir());
        Ok(Suite { absent, ..suite })
    }

    /// Makes a suite from single testcase files, in the given order.
    ///
    /// # Errors
    /// When a file cannot be read or is invalid.
    pub fn of_testcases(paths: &[PathBuf]) -> Result<Suite, SuiteError> {
        let files: Vec<_> = paths
            .iter()
            .map(|path| Ok((path.display().to_string(), read_text(path)?)))
            .collect::<Result<_, SuiteError>>()?;
        let testcases: Vec<_> = files
            .iter()
            .map(|(path, text)| Testcase::parse(path, text))
            .collect::<Result<_, _>>()?;
        if let Some(locked) = testcases.iter().find(|testcase| testcase.seeds.is_empty()) {
            return Err(SuiteError::NeedsKey { name: locked.name.clone() });
        }
        let title = match testcases.as_slice() {
            [only] => only.title.clone(),
            several => format!("{} testcases", several.len()),
        };
        Ok(Suite {
            name: "testcases".to_owned(),
            title,
            testcases,
            rank: None,
            locked: Vec::new(),
            absent: None,
            files,
            secrets: Secrets::default(),
        })
    }

    /// The key in `suite.toml`, as a path from the suite's folder, even if it is missing.
    pub fn named_key(&self) -> Option<PathBuf> {
        let (name, text) = self.files.iter().find(|(name, _)| name == SUITE_FILE)?;
        read_head(&(name.as_str(), text.as_str())).ok()?.hidden?.key
    }

    /// True for a round of one of the playable testcases.
    pub fn has_round(&self, spec: &RoundSpec) -> bool {
        self.testcases.iter().any(|testcase| testcase.has_round(spec))
    }

    /// Maximum points, without extra credit.
    pub fn max_points(&self) -> Points {
        self.testcases.iter().map(Testcase::counted_points).sum()
    }
}

/// A path in a message.
fn shown(path: &Path) -> String {
    tame(&path.display().to_string())
}

/// A text in a message, which may be an untrusted name.
fn tame(text: &str) -> String {
    printable(text, usize::MAX)
}

fn at(place: Option<(usize, usize)>) -> String {
    place.map_or_else(String::new, |(line, column)| format!(": line {line}, column {column}"))
}

/// Adds the path to the error in a hidden testcase, and the details if the file is inside the
/// suite's own folder.
fn with_hidden_path(
    error: SuiteError,
    folder: &Path,
    hidden: Option<&Path>,
    secrets: &Secrets,
    shows: Shows,
) -> SuiteError {
    let (SuiteError::Secret { path, place }, Some(hidden)) = (&error, hidden) else { return error };
    let whole = hidden.join(path);
    let inside = match (folder.canonicalize(), hidden.canonicalize()) {
        (Ok(folder), Ok(hidden)) => hidden.starts_with(folder),
        _ => false,
    };
    let text = secrets.files.iter().find(|(name, _)| Path::new(name) == path);
    if let Some((_, text)) = text.filter(|_| inside)
        && let Err(mistake) = Testcase::parse_in(
            &whole.display().to_string(),
            text,
            &SuiteContext { key: secrets.key.as_ref(), hidden: true, shows: Some(shows) },
        )
    {
        return mistake.into();
    }
    SuiteError::Secret { path: whole, place: *place }
}

/// The reason why there is nothing to play: all testcases are hidden, or there are none.
fn nothing_to_play(
    name: &str,
    raw: &Raw,
    absent: Option<&PathBuf>,
    locked: &[Testcase],
) -> SuiteError {
    let name = name.to_owned();
    let key = raw.hidden.as_ref().and_then(|hidden| hidden.key.clone());
    match (locked.first(), key, absent) {
        (Some(_), Some(key), _) => SuiteError::KeyAbsent { name, key },
        (Some(first), None, _) => SuiteError::NoKey { name, testcase: first.name.clone() },
        (None, _, Some(folder)) => {
            let missing = format!("the folder `{}` does not exist or is empty", folder.display());
            SuiteError::Locked { name, missing }
        }
        (None, _, None) => SuiteError::Empty { name },
    }
}

/// The real name of a folder given as `.` or `..`.
fn folder_name(folder: &Path) -> String {
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let real = || folder.canonicalize().ok().and_then(|path| name(&path));
    name(folder).or_else(real).unwrap_or_else(|| folder.display().to_string())
}

/// A file of a suite: path and text.
type File<'a> = (&'a str, &'a str);

/// The suite file, and the files of testcases in order of name.
fn split<'a>(
    name: &str,
    files: impl IntoIterator<Item = File<'a>>,
) -> Result<(File<'a>, Vec<File<'a>>), SuiteError> {
    let mut files: Vec<_> = files.into_iter().filter(|(path, _)| path.ends_with(".toml")).collect();
    files.sort_by_key(|(path, _)| stem(path));
    let at = files.iter().position(|(path, _)| is_suite_file(path));
    let at = at.ok_or_else(|| SuiteError::NoSuiteFile { name: name.to_owned() })?;
    Ok((files.remove(at), files))
}

fn read_head(&(name, text): &File<'_>) -> Result<Raw, SuiteError> {
    let help = "a suite file has `title` and may have `[rank]` (`curve`, `min_points`) and \
                `[hidden]` (`key`, `folder`, `shows`)";
    Ok(Source { name, text }.parse(help)?)
}

/// The visible part of hidden testcases.
fn shows(source: &Source<'_>, raw: Option<&RawHidden>) -> Result<Shows, SuiteError> {
    let Some(raw) = raw.and_then(|hidden| hidden.shows.as_ref()) else {
        return Ok(Shows::default());
    };
    let known = Shows::ALL.into_iter().find(|shows| shows.name() == raw.get_ref());
    known.ok_or_else(|| {
        let message = format!("`{}` is not a valid value of `shows`", raw.get_ref());
        let help = "expected `points` (of all hidden testcases together), `passed` (or not, each), \
                    or `verdict` (and score, each)";
        source.about(raw, message, Some(help.to_owned())).into()
    })
}

/// The testcases and the suite file in a folder.
fn read_folder(folder: &Path) -> Result<Vec<(String, String)>, SuiteError> {
    let entries = std::fs::read_dir(folder).map_err(|error| unreadable(folder, error))?;
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| unreadable(folder, error))?;
        // Editors and file managers create hidden companion files.
        let companion = entry.file_name().as_encoded_bytes().starts_with(b".");
        let path = entry.path();
        if !companion && path.extension().is_some_and(|ending| ending == "toml") {
            files.push((path.display().to_string(), read_own(&path)?));
        }
    }
    Ok(files)
}

/// The available secret part; students have none of it.
fn read_secrets(folder: &Path, hidden: &RawHidden) -> Result<Secrets, SuiteError> {
    let at = |path: &Option<PathBuf>| path.as_ref().map(|path| folder.join(path));
    let key = at(&hidden.key)
        .filter(|path| path.exists())
        .map(|path| read_text(&path)?.parse().map_err(|source| SuiteError::Key { path, source }));
    let files = at(&hidden.folder).filter(|path| path.is_dir()).map(|path| read_folder(&path));
    let mut files = files.transpose()?.unwrap_or_default();
    files.sort();
    for (path, _) in &mut files {
        *path = file_name(path).to_owned();
    }
    Ok(Secrets { key: key.transpose()?, files })
}

fn is_suite_file(path: &str) -> bool {
    file_name(path) == SUITE_FILE
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The text of a file that belongs to the suite.
fn read_own(path: &Path) -> Result<String, SuiteError> {
    if path.is_symlink() {
        return Err(SuiteError::Link { path: path.to_owned() });
    }
    let text = open_file(path, Links::Refused).and_then(|file| read_opened(file, MAX_FILE));
    text.and_then(text_of).map_err(|error| unreadable(path, error))
}

fn read_text(path: &Path) -> Result<String, SuiteError> {
    crate::read_text(path, MAX_FILE).map_err(|error| unreadable(path, error))
}

fn unreadable(path: &Path, source: std::io::Error) -> SuiteError {
    SuiteError::Read { path: path.to_owned(), source }
}
