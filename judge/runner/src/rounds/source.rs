//! The files with rounds: the journal of a run, or the JSON of a match or tournament.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use judge_arena::{Collection, RunKind};
use judge_core::{
    Digest, Fingerprint, Limits, Options, Replay, ReplayError, RoundRow, RoundSpec, Seat, SeatSpec,
};
use judge_report::quoted;
use serde::Deserialize;
use serde_json::Value;

use crate::Error;
use crate::base::files::JOURNAL_START;
use crate::rounds::course_folder::CourseFolder;

/// The version of the JSON of matches and tournaments that contains rows.
pub(crate) const DOCUMENT_VERSION: u64 = 4;

/// The key of a document for the saved position in which its rounds start.
pub(crate) const FROM: &str = "from";

/// The kind of a file, by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// A round of `judge play --replay`.
    Replay,
    /// The journal of a run.
    Journal,
    /// JSON of some kind, or anything else.
    Other,
}

/// Inspects the first bytes of a file; the folder of a course counts as its journal.
pub(crate) fn kind_of(path: &Path) -> FileKind {
    let path = journal_in(path);
    // Reading a pipe would block, and consume its first bytes.
    if !path.is_file() {
        return FileKind::Other;
    }
    let mut first = Vec::new();
    let read = std::fs::File::open(&path).and_then(|file| file.take(32).read_to_end(&mut first));
    match read {
        Ok(_) if first.starts_with(JOURNAL_START) => FileKind::Journal,
        Ok(_) if first.starts_with(b"{\"replay\":") => FileKind::Replay,
        _ => FileKind::Other,
    }
}

/// Reads a replay.
///
/// # Errors
/// If the file cannot be read, or is not a replay.
pub(crate) fn read_replay(path: &Path) -> Result<Replay, Error> {
    let text = Error::read_text(path)?;
    Replay::read(&text).map_err(|error| match text.starts_with('<') {
        true => Error::Input {
            what: format!("`{}` is a page or picture, not a replay", path.display()),
            hint: Some("open it in a browser; `judge play --replay` writes a replay".to_owned()),
        },
        false if matches!(error, ReplayError::Malformed { line: 1, .. }) => {
            Error::input(path, &format!("not a replay: {error}"))
        }
        false => Error::input(path, &error),
    })
}

/// The journal in a course's folder; any other path is returned unchanged.
pub(crate) fn journal_in(path: &Path) -> PathBuf {
    let journal = CourseFolder::at(path).journal();
    if path.is_dir() && journal.is_file() { journal } else { path.to_owned() }
}

/// True for the JSON of a match or tournament of any version.
pub(crate) fn is_document(path: &Path) -> bool {
    let text = if path.is_file() { Error::read_text(path).ok() } else { None };
    let value: Option<Value> = text.and_then(|text| serde_json::from_str(&text).ok());
    value.is_some_and(|value| document_kind(&value).is_some())
}

fn document_kind(value: &Value) -> Option<RunKind> {
    match value {
        value if value.get("pair_table").is_some() => Some(RunKind::Match),
        value if value.get("standing").is_some() => Some(RunKind::Tournament),
        _ => None,
    }
}

/// The rounds of a run.
pub(crate) enum Source {
    /// All rounds, move by move.
    Journal(Box<Collection>),
    /// Rows of the rounds.
    Document(Document),
}

/// The JSON of a match or tournament.
pub(crate) struct Document {
    pub(crate) kind: RunKind,
    pub(crate) value: Value,
    /// Game, limits and players of all rounds.
    pub(crate) setting: DocumentSetting,
    pub(crate) rows: Vec<RoundRow>,
}

/// The settings of all rounds in a document.
#[derive(Debug, Deserialize)]
pub(crate) struct DocumentSetting {
    pub(crate) fingerprint: Fingerprint,
    pub(crate) game: String,
    pub(crate) options: Options,
    pub(crate) limits: Limits,
    players: Vec<DocumentPlayer>,
}

/// A player in a document.
#[derive(Debug, Deserialize)]
struct DocumentPlayer {
    name: String,
    bot: Option<Digest>,
    trained: Option<Digest>,
}

impl DocumentSetting {
    /// The players, in the order of the document.
    pub(crate) fn seats(&self) -> impl Iterator<Item = SeatSpec> {
        self.players.iter().map(|DocumentPlayer { name, bot, trained }| {
            let name = name.clone();
            match (bot, trained) {
                (Some(sha256), _) => SeatSpec::Bot { name, sha256: *sha256 },
                (None, Some(sha256)) => SeatSpec::Trained { name, sha256: *sha256 },
                (None, None) => SeatSpec::Reference { name },
            }
        })
    }
}

impl Source {
    /// Reads a journal, a course's folder, or JSON.
    pub(crate) fn read(path: &Path) -> Result<Source, Error> {
        match kind_of(path) {
            FileKind::Journal => {
                Ok(Source::Journal(Box::new(Collection::open(&journal_in(path))?)))
            }
            FileKind::Replay => {
                let hint = format!("`judge replay {}`", quoted(&path.to_string_lossy()));
                Err(Error::Input {
                    what: format!("`{}`: this is one round, not a run", path.display()),
                    hint: Some(hint),
                })
            }
            FileKind::Other => Document::read(path).map(Source::Document),
        }
    }

    /// Kind of the run.
    pub(crate) fn kind(&self) -> RunKind {
        match self {
            Source::Journal(collection) => collection.kind(),
            Source::Document(document) => document.kind,
        }
    }

    /// The rows in order; those of a journal are read one by one.
    pub(crate) fn rows(&self) -> Box<dyn Iterator<Item = Result<RoundRow, Error>> + '_> {
        match self {
            Source::Journal(collection) => Box::new(collection.rows().map(|row| Ok(row?))),
            Source::Document(document) => Box::new(document.rows.iter().cloned().map(Ok)),
        }
    }

    /// Number of rounds.
    pub(crate) fn len(&self) -> usize {
        match self {
            Source::Journal(collection) => collection.len(),
            Source::Document(document) => document.rows.len(),
        }
    }

    /// A remark, if rounds may be missing or duplicate.
    pub(crate) fn remark(&self) -> Option<String> {
        let Source::Journal(collection) = self else { return None };
        let ended = collection.kind() == RunKind::Grading || collection.note().is_some();
        (!ended).then(|| {
            "this run is unfinished: its journal may hold rounds that do not count; run the same command with `--resume` to finish it"
                .to_owned()
        })
    }

    /// Refuses a run with missing rounds, because its sums would be wrong.
    pub(crate) fn refuse_unfinished(&self, path: &Path) -> Result<(), Error> {
        if self.remark().is_none() {
            return Ok(());
        }
        let what = format!("`{}`: the run is unfinished, so it has no result yet", path.display());
        let hint = format!(
            "run the same command with `--resume` to finish it (nothing is played twice); `judge \
             rounds {}` lists the rounds so far",
            quoted(&path.to_string_lossy())
        );
        Err(Error::Input { what, hint: Some(hint) })
    }
}

impl Document {
    /// Reads the JSON of a match or tournament.
    pub(crate) fn read(path: &Path) -> Result<Document, Error> {
        let value: Value = serde_json::from_str(&Error::read_text(path)?)
            .map_err(|_| no_rounds(path, "neither a journal nor JSON", HINT))?;
        let kind = match (document_kind(&value), &value) {
            (Some(kind), _) => kind,
            (None, value) if value.get("bots").is_some() => {
                let hint = "rounds of a graded bot are in the journal of its run: `judge grade … \
                            --journal FILE`, or `journal.jsonl` in the folder of a course";
                return Err(no_rounds(path, "a grading report has no moves", hint));
            }
            (None, _) => {
                return Err(no_rounds(path, "neither a journal nor the JSON of a match", HINT));
            }
        };
        let version = value["version"].as_u64().unwrap_or_default();
        if version != DOCUMENT_VERSION {
            let what = format!("its version is `{version}`, this judge reads `{DOCUMENT_VERSION}`");
            let hint = if version < DOCUMENT_VERSION {
                "play it again with its seed: `judge match … --seed N --json FILE`"
            } else {
                "a newer judge wrote it: use that one"
            };
            return Err(no_rounds(path, &what, hint));
        }
        if let Some(start) = value.get(FROM) {
            let what = format!(
                "its rounds start from move {} of another round (`{}`), so they do not follow from \
                 their seeds and cannot be checked",
                start["move"],
                start["file"].as_str().unwrap_or_default()
            );
            let hint = "play it again with the same `--from` and `--seed`, and compare the results";
            return Err(no_rounds(path, &what, hint));
        }
        if value["rows"].is_null() {
            let hint = "use its journal (`--journal FILE`), or the table of `--rounds-to FILE.csv`";
            return Err(no_rounds(path, "it has too many rounds to list", hint));
        }
        let rows = serde_json::from_value(value["rows"].clone())
            .map_err(|error| Error::input(path, &format!("`rows`: {error}")))?;
        let setting = DocumentSetting::deserialize(&value)
            .map_err(|error| Error::input(path, &format!("no judge writes this: {error}")))?;
        Ok(Document { kind, value, setting, rows })
    }

    /// The spec of a round; none if a row names an unknown player.
    pub(crate) fn spec(&self, row: &RoundRow) -> Option<RoundSpec> {
        let seat = |seat: Seat| {
            let is = |player: &SeatSpec| match player {
                SeatSpec::Bot { sha256, .. } | SeatSpec::Trained { sha256, .. } => {
                    row.sha256(seat) == Some(*sha256)
                }
                SeatSpec::Reference { name }
                | SeatSpec::Human { name }
                | SeatSpec::Native { name } => row.sha256(seat).is_none() && row.name(seat) == name,
            };
            self.setting.seats().find(is)
        };
        let DocumentSetting { game, options, limits, .. } = &self.setting;
        Some(RoundSpec {
            game: game.clone(),
            options: options.clone(),
            seed: row.seed,
            seats: [seat(Seat::One)?, seat(Seat::Two)?],
            limits: *limits,
        })
    }
}

const HINT: &str = "name a file of `--journal FILE` or of `judge match … --json FILE`, or the \
                    folder of a course";

fn no_rounds(path: &Path, what: &str, hint: &str) -> Error {
    Error::Input { what: format!("`{}`: {what}", path.display()), hint: Some(hint.to_owned()) }
}
