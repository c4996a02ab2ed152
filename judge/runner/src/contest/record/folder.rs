//! The folder of a recording: its plan, and a folder per table with a file per part.

use std::fs::File;
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use judge_arena::failpoint;
use judge_report::recording::{RecordingFormat, RecordingTable};
use serde_json::Value;

use crate::Error;

/// The file with the plan.
const PLAN: &str = "record.json";

/// The lock of the process that records. The file is never replaced, because a lock belongs to a
/// file and not to its name.
const LOCK: &str = ".lock";

/// A recording's folder, locked by this process.
pub(super) struct Folder {
    path: PathBuf,
    tables: Vec<RecordingTable>,
    _lock: File,
}

impl Folder {
    /// Starts a recording in a new folder, or continues one. With `resume` but without an existing
    /// recording, starts a new one.
    pub(super) fn open(
        path: &Path,
        plan: &Value,
        formats: &[RecordingFormat],
        resume: bool,
    ) -> Result<Folder, Error> {
        make(path)?;
        refuse_other_files(path)?;
        // Locked before the plan is read, so that a second judge finds the plan of the first.
        let lock = lock(path)?;
        begin(path, plan, resume)?;
        let tables: Vec<RecordingTable> =
            formats.iter().flat_map(|format| format.tables()).copied().collect();
        tables.iter().try_for_each(|table| make(&path.join(table.folder())))?;
        Ok(Folder { path: path.to_owned(), tables, _lock: lock })
    }

    /// True if all files of a part exist and are complete. A part with a truncated file is made
    /// again.
    pub(super) fn has(&self, part: usize) -> bool {
        self.tables.iter().all(|table| is_whole(&self.file(*table, part)))
    }

    /// Number of these parts with an incomplete file.
    pub(super) fn damaged(&self, parts: &[usize]) -> usize {
        let is_damaged = |path: PathBuf| path.is_file() && !is_whole(&path);
        let damaged =
            |part: usize| self.tables.iter().any(|table| is_damaged(self.file(*table, part)));
        parts.iter().filter(|part| damaged(**part)).count()
    }

    /// The tables to write.
    pub(super) fn tables(&self) -> &[RecordingTable] {
        &self.tables
    }

    /// Writes a part's file of a table, completely or not at all.
    pub(super) fn write(
        &self,
        table: RecordingTable,
        part: usize,
        bytes: &[u8],
    ) -> Result<(), Error> {
        write(&self.file(table, part), bytes)
    }

    fn file(&self, table: RecordingTable, part: usize) -> PathBuf {
        self.path.join(table.folder()).join(format!("part-{part:05}.{}", table.ending()))
    }
}

/// True for a file with the right end: Parquet's mark, or a line feed for text.
fn is_whole(path: &Path) -> bool {
    let end: &[u8] = match path.extension().and_then(|ending| ending.to_str()) {
        Some("parquet") => b"PAR1",
        _ => b"\n",
    };
    let mut last = vec![0; end.len()];
    let read = File::open(path).and_then(|mut file| {
        file.seek(SeekFrom::End(-i64::try_from(end.len()).unwrap_or(0)))?;
        file.read_exact(&mut last)
    });
    read.is_ok() && last == end
}

fn make(path: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(path).map_err(|source| {
        // The path of the folder is an existing file.
        let source = match source.kind() {
            ErrorKind::AlreadyExists => ErrorKind::NotADirectory.into(),
            _ => source,
        };
        Error::Write { path: path.to_owned(), source }
    })
}

/// Refuses a folder with other files, because a recording needs a separate folder.
fn refuse_other_files(path: &Path) -> Result<(), Error> {
    if path.join(PLAN).exists() {
        return Ok(());
    }
    // Left by a killed judge, or created by a judge that is starting.
    let own = [Path::new(LOCK), Path::new(PLAN), &unfinished(Path::new(PLAN))];
    let unreadable = |source| Error::Read { path: path.to_owned(), source };
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        let name = entry.map_err(unreadable)?.file_name();
        if !own.contains(&Path::new(&name)) {
            let what = format!(
                "`{}` is not empty and is not a recording: it has no `{PLAN}`",
                path.display()
            );
            return Err(Error::Input { what, hint: Some("name a new folder".to_owned()) });
        }
    }
    Ok(())
}

/// Writes the plan, or checks that it equals the existing one.
fn begin(path: &Path, plan: &Value, resume: bool) -> Result<(), Error> {
    let file = path.join(PLAN);
    if !file.exists() {
        return write(&file, format!("{plan:#}\n").as_bytes());
    }
    if !resume {
        let what = format!("`{}` already has a recording", path.display());
        let hint = "continue it with `--resume`, or name a new folder".to_owned();
        return Err(Error::Input { what, hint: Some(hint) });
    }
    check(path, plan, &Error::read_text(&file)?)
}

/// Checks that the existing recording is the requested one.
fn check(path: &Path, plan: &Value, there: &str) -> Result<(), Error> {
    let there: Value = serde_json::from_str(there)
        .map_err(|error| Error::input(&path.join(PLAN), &format!("not a plan: {error}")))?;
    // The command follows from the other values.
    let rest = |plan: &Value| {
        let mut plan = plan.clone();
        plan.as_object_mut().map(|plan| plan.remove("command"));
        plan
    };
    let Some(difference) = judge_grading::first_difference(&rest(&there), &rest(plan)) else {
        return Ok(());
    };
    let [there, here] = difference.sides.map(|side| side.unwrap_or("missing".into()));
    let what = format!(
        "`{}` has a different recording: `{}` is {there} in the folder and {here} in this run",
        path.display(),
        difference.path,
    );
    Err(Error::usage(what, "use the same settings as before, or name a new folder"))
}

fn lock(path: &Path) -> Result<File, Error> {
    let file = path.join(LOCK);
    let file = File::create(&file).map_err(|source| Error::Write { path: file, source })?;
    if judge_arena::lock(&file) {
        return Ok(file);
    }
    let what = format!("another judge records into `{}`", path.display());
    Err(Error::usage(what, "wait for it; each shard needs a separate folder"))
}

/// The name of an incomplete file. It is hidden from readers of the folder, and always the same, so
/// that a killed judge leaves no garbage.
fn unfinished(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.unfinished"))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    write_whole(path, bytes).map_err(|source| Error::Write { path: path.to_owned(), source })
}

fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = unfinished(path);
    let mut file = File::create(&beside)?;
    let (begin, rest) = bytes.split_at(bytes.len() / 2);
    file.write_all(begin)?;
    failpoint::reach("part-half-written");
    file.write_all(rest)?;
    file.sync_all()?;
    failpoint::reach("part-written");
    std::fs::rename(&beside, path)
}
