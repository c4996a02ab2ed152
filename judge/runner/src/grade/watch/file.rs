//! A file that other programs may write at any time and in any way. It is polled, and read only
//! when it is complete and unchanged for a while.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use judge_core::{Explanation, IgnoreEvents};

use crate::bots::sources;
use crate::bots::{self, BotSource};

/// Time without changes before a file is read, because linkers write in pieces.
const QUIET: Duration = Duration::from_millis(80);

/// Time that a file may be missing or invalid before this is reported, because a build takes time
/// between removing the old file and writing the last byte of the new one.
const PATIENCE: Duration = Duration::from_millis(1000);

/// A change of the file.
pub(super) enum Sight {
    /// The file is a module.
    Module(Box<BotSource>),
    /// The file is a source, and the source or one of its files has changed.
    Source,
    /// The file stays something else, which is refused for this reason.
    Refused(Explanation),
    /// The file is missing.
    Gone,
}

/// A watched file.
pub(super) struct Watched {
    path: PathBuf,
    /// True for a source, which may consist of several files.
    is_source: bool,
    stamp: Stamps,
    /// The time when the stamp was first seen.
    since: Instant,
    /// The state of the current content.
    known: FileState,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FileState {
    /// Not read yet.
    Nothing,
    /// Read once, and not a module; it may be incomplete.
    Doubtful,
    /// Reported to the listener.
    Told,
}

/// All properties that change when a file is written, replaced or removed. The modification time is
/// not enough: it can be set to any value, and some copies keep the original's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stamp {
    Missing(ErrorKind),
    There { length: u64, modified: Option<SystemTime>, node: [i64; 4] },
}

impl Stamp {
    /// Reads the stamp of a file, or of a link's target.
    pub(crate) fn read(path: &Path) -> Stamp {
        match std::fs::metadata(path) {
            Err(error) => Stamp::Missing(error.kind()),
            Ok(found) => Stamp::There {
                length: found.len(),
                modified: found.modified().ok(),
                node: node(&found),
            },
        }
    }
}

/// The file's identity, and the time of its last change of any kind, even if times were set
/// manually.
#[cfg(unix)]
fn node(found: &std::fs::Metadata) -> [i64; 4] {
    use std::os::unix::fs::MetadataExt as _;
    [found.dev().cast_signed(), found.ino().cast_signed(), found.ctime(), found.ctime_nsec()]
}

#[cfg(not(unix))]
fn node(_: &std::fs::Metadata) -> [i64; 4] {
    [0; 4]
}

/// The stamps of a file and, for a source, of the files that it may include.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stamps {
    own: Stamp,
    others: Vec<(PathBuf, Stamp)>,
}

impl Stamps {
    fn read(path: &Path, is_source: bool) -> Stamps {
        let others = if is_source { judge_toolchain::inputs(path) } else { Vec::new() };
        let with_stamp = |path: PathBuf| {
            let stamp = Stamp::read(&path);
            (path, stamp)
        };
        let others = others.into_iter().map(with_stamp).collect();
        // A compiler's output changes the folder itself, so only its files count.
        let own = match path.is_dir() {
            true => Stamp::There { length: 0, modified: None, node: [0; 4] },
            false => Stamp::read(path),
        };
        Stamps { own, others }
    }
}

impl Watched {
    pub(super) fn new(path: &Path) -> Watched {
        let is_source = sources::is_source(path);
        let (stamp, since) = (Stamps::read(path, is_source), Instant::now());
        Watched { path: path.to_owned(), is_source, stamp, since, known: FileState::Nothing }
    }

    /// True if the file is unchanged since the last check.
    pub(super) fn is_unchanged(&self) -> bool {
        Stamps::read(&self.path, self.is_source) == self.stamp
    }

    /// Checks the file, and reports each change once, when it is certain.
    pub(super) fn look(&mut self, now: Instant) -> Option<Sight> {
        let stamp = Stamps::read(&self.path, self.is_source);
        if stamp != self.stamp {
            (self.stamp, self.since, self.known) = (stamp, now, FileState::Nothing);
            return None;
        }
        let quiet = now.duration_since(self.since);
        let patient = quiet >= PATIENCE;
        let sight = match (&self.stamp.own, self.known) {
            (_, FileState::Told) => None,
            (Stamp::Missing(_), _) => patient.then_some(Sight::Gone),
            (Stamp::There { .. }, FileState::Nothing) if quiet >= QUIET => self.read(patient),
            (Stamp::There { .. }, FileState::Doubtful) if patient => self.read(true),
            (Stamp::There { .. }, _) => None,
        };
        if sight.is_some() {
            self.known = FileState::Told;
        }
        sight
    }

    /// Reads the file. A file that is not a module may still become one until a timeout.
    fn read(&mut self, patient: bool) -> Option<Sight> {
        if self.is_source {
            return Some(Sight::Source);
        }
        let bot = bots::read_all(std::slice::from_ref(&self.path), &mut IgnoreEvents);
        if !self.is_unchanged() {
            // The file was written in the meantime, so the next check reads it.
            return None;
        }
        let refused = match bot.map(|mut bots| bots.remove(0)) {
            Ok(bot) => match &bot.submission.refused {
                None => return Some(Sight::Module(Box::new(bot))),
                Some(refused) => refused.why.clone(),
            },
            Err(failure) => Explanation::without_hint(failure.to_string()),
        };
        self.known = FileState::Doubtful;
        patient.then_some(Sight::Refused(refused))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small module that intake accepts.
    fn module() -> Vec<u8> {
        let name = "../../sample-bots/prebuilt/mahjong-straightforward.wasm";
        std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
    }

    fn kind(sight: Option<&Sight>) -> &'static str {
        match sight {
            None => "nothing",
            Some(Sight::Module(_)) => "module",
            Some(Sight::Source) => "source",
            Some(Sight::Refused(_)) => "refused",
            Some(Sight::Gone) => "gone",
        }
    }

    #[test]
    fn a_file_is_graded_once_it_is_complete_and_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bot.wasm");
        let mut watched = Watched::new(&path);
        let mut now = Instant::now();
        let mut look = |later: Duration| {
            now += later;
            kind(watched.look(now).as_ref())
        };
        let module = module();
        assert_eq!(look(QUIET), "nothing", "it may come yet");
        assert_eq!(look(PATIENCE), "gone");
        assert_eq!(look(PATIENCE), "nothing", "told once");
        // The first half, and later the rest.
        std::fs::write(&path, &module[..module.len() / 2]).unwrap();
        assert_eq!(look(QUIET), "nothing", "it has just changed");
        assert_eq!(look(QUIET), "nothing", "it is quiet, but invalid");
        std::fs::write(&path, &module).unwrap();
        assert_eq!(look(QUIET), "nothing");
        assert_eq!(look(QUIET), "module");
        assert_eq!(look(PATIENCE), "nothing", "taken once");
        // Half a file that stays half a file.
        std::fs::write(&path, &module[..module.len() / 2]).unwrap();
        assert_eq!([look(QUIET), look(QUIET), look(PATIENCE)], ["nothing", "nothing", "refused"]);
        assert_eq!(look(PATIENCE), "nothing", "told once");
        std::fs::remove_file(&path).unwrap();
        assert_eq!([look(QUIET), look(PATIENCE)], ["nothing", "gone"]);
    }

    #[test]
    fn a_source_is_watched_with_the_files_next_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bot.c");
        let header = folder.path().join("own.h");
        std::fs::write(&path, "int x;").unwrap();
        let mut watched = Watched::new(&path);
        let mut now = Instant::now();
        let mut look = |later: Duration| {
            now += later;
            kind(watched.look(now).as_ref())
        };
        assert_eq!([look(QUIET), look(QUIET)], ["source", "nothing"]);
        std::fs::write(&header, "int y;").unwrap();
        assert_eq!([look(QUIET), look(QUIET)], ["nothing", "source"]);
        std::fs::write(folder.path().join("notes.md"), "x").unwrap();
        assert_eq!([look(QUIET), look(PATIENCE)], ["nothing", "nothing"], "notes do not count");
        std::fs::remove_file(&path).unwrap();
        assert_eq!([look(QUIET), look(PATIENCE)], ["nothing", "gone"]);
    }

    #[test]
    #[cfg(unix)]
    fn changed_bytes_are_noticed_despite_equal_time_and_length() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bot.wasm");
        std::fs::write(&path, "one").unwrap();
        let before = Stamp::read(&path);
        let time = std::fs::metadata(&path).unwrap().modified().unwrap();
        let beside = folder.path().join("next");
        std::fs::write(&beside, "two").unwrap();
        std::fs::File::options().write(true).open(&beside).unwrap().set_modified(time).unwrap();
        std::fs::rename(&beside, &path).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().modified().unwrap(), time);
        assert_ne!(Stamp::read(&path), before);
    }
}
