//! Unpacks the download of a learning platform into a temporary folder, within bounds. No file
//! leaves that folder, no link is created, and nested archives are not unpacked.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::{Component, Path, PathBuf};

use judge_core::printable;
use judge_grading::{Links, open_file};
use judge_toolchain::Scratch;
use judge_toolchain::confine::LARGEST_FILE;
use zip::ZipArchive;
use zip::read::ZipFile;
use zip::result::ZipError;

use super::archive_names::{ArchiveNames, KnownWords};
use super::entry::has_module_ending;
use super::platform::METADATA;
use super::unpack_shares::{MOST_FILES, SubmissionShares};
use crate::Error;
use crate::bots::roster::{canvas, moodle};

/// Maximum number of files and folders in an archive.
const MOST_ENTRIES: usize = 500_000;

/// Maximum depth of nested folders.
const DEEPEST: usize = 32;

/// Maximum number of bytes to unpack of one file, more than any valid submission has.
const MOST_OF_FILE: u64 = 16 << 20;

/// Maximum size of all files together, in bytes.
const MOST_OF_ALL: u64 = 2 << 30;

/// Number of bytes to unpack of a file that is not a module, enough to recognize its kind.
const START: u64 = 16;

/// An unpacked archive. The folder is removed on drop.
#[derive(Debug)]
pub(crate) struct Unpacked {
    folder: Scratch,
    /// The entries that were left out, and the reasons.
    pub(crate) left_out: Vec<String>,
    /// A remark on names in a guessed encoding.
    pub(crate) remark: Option<String>,
}

impl Unpacked {
    /// The folder of the submissions: the archive's root, or the only folder in it. If that is a
    /// platform's folder for a student, it is a submission, and the root counts.
    pub(crate) fn folder(&self) -> PathBuf {
        let root = self.folder.path().to_owned();
        match super::entries(&root).unwrap_or_default().as_slice() {
            [only] if only.is_dir() && !is_of_a_student(only) => only.clone(),
            _ => root,
        }
    }
}

fn is_of_a_student(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    moodle(&name).is_some() || canvas(&name).is_some()
}

/// True for an archive that can be unpacked.
pub(crate) fn is_zip(path: &Path) -> bool {
    let mut start = Vec::new();
    let opened = open_file(path, Links::Followed);
    opened.and_then(|file| file.take(4).read_to_end(&mut start)).is_ok()
        && start.starts_with(b"PK\x03\x04")
}

/// Unpacks an archive: modules as a whole, and of other files only the bytes that show their kind,
/// or as many as a source may have if sources are built. An unreadable entry is left out and does
/// not affect others. Known words are those of the list of students.
pub(crate) fn unpack(path: &Path, sources: bool, known: &KnownWords) -> Result<Unpacked, Error> {
    let wrong = |error: &dyn std::fmt::Display| Error::input(path, error);
    let file = open_file(path, Links::Followed)
        .map_err(|source| Error::Read { path: path.to_owned(), source })?;
    let mut archive = ZipArchive::new(file).map_err(|error| damaged(path, &error))?;
    if archive.len() > MOST_ENTRIES {
        return Err(wrong(&format!("it holds more than {MOST_ENTRIES} files")));
    }
    let folder = Scratch::new("unpacked-")
        .map_err(|error| Error::Judge(format!("cannot create a folder to unpack into: {error}")))?;
    let names = archive_names(&mut archive, known);
    let (mut left_out, mut room) = (named_twice(path, &archive, &names), MOST_OF_ALL);
    let start = if sources { LARGEST_FILE + 1 } else { START };
    let paths: Vec<Option<PathBuf>> =
        (0..archive.len()).map(|number| path_of_entry(&mut archive, number, &names)).collect();
    let mut shares = SubmissionShares::new(&paths);
    for submission in shares.too_many_files() {
        let name = printable(&submission.to_string_lossy(), 100);
        left_out.push(format!("`{name}`: it has more than {MOST_FILES} files"));
        // An empty folder is a submission without a module, so its student gets a line.
        let _ = std::fs::create_dir_all(folder.path().join(submission));
    }
    for number in 0..archive.len() {
        let Some(own) = shares.room(number) else { continue };
        let most = room.min(own);
        match extract((&mut archive, number), &names, folder.path(), most, start) {
            Ok(left) => {
                room -= most - left;
                shares.take(number, most - left);
            }
            Err(UnpackFailure::Entry { name, why }) => {
                left_out.push(format!("`{}`: {why}", printable(&name, 100)));
            }
            Err(UnpackFailure::TooLarge) if own <= room => left_out.push(shares.end(number)),
            Err(UnpackFailure::TooLarge) => {
                let most = MOST_OF_ALL >> 30;
                return Err(wrong(&format!("it is over {most} GiB when unpacked")));
            }
            Err(UnpackFailure::Archive(error)) => return Err(wrong(&error)),
        }
    }
    Ok(Unpacked { folder, left_out, remark: names.remark() })
}

/// Guesses the encoding of all entries' names.
fn archive_names(archive: &mut ZipArchive<File>, known: &KnownWords) -> ArchiveNames {
    let numbers = 0..archive.len();
    let raw = |number| Some(archive.by_index_raw(number).ok()?.name_raw().to_vec());
    let all: Vec<Vec<u8>> = numbers.filter_map(raw).collect();
    ArchiveNames::new(all.iter().map(Vec::as_slice), known)
}

/// The error for an archive with a missing or malformed central directory.
fn damaged(path: &Path, error: &ZipError) -> Error {
    let path = path.display();
    let what = format!("`{path}`: the archive is cut off or damaged: {error}");
    Error::Input { what, hint: Some("download or pack it again".to_owned()) }
}

/// A line for each name that several entries share; only the last of them is unpacked.
fn named_twice(path: &Path, archive: &ZipArchive<File>, read: &ArchiveNames) -> Vec<String> {
    if !archive.has_duplicate_names() {
        return Vec::new();
    }
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let directory = directory(path, archive.central_directory_start()).unwrap_or_default();
    for name in names(&directory) {
        *numbers.entry(read.read(name)).or_default() += 1;
    }
    let several = numbers.into_iter().filter(|(_, number)| *number > 1);
    let told = several.map(|(name, number)| {
        let name = printable(&name, 100);
        format!("`{name}`: {number} entries have this name, and only the last one counts")
    });
    told.collect()
}

/// Reads an archive's central directory, which is at its end.
fn directory(path: &Path, start: u64) -> io::Result<Vec<u8>> {
    let mut file = open_file(path, Links::Followed)?;
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(MOST_OF_FILE).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The names in an archive's central directory. (The library drops repeated names.)
fn names(mut directory: &[u8]) -> Vec<&[u8]> {
    let mut names = Vec::new();
    while directory.starts_with(b"PK\x01\x02") {
        let length = |at: usize| {
            let bytes = directory.get(at..at + 2)?;
            Some(usize::from(u16::from_le_bytes([bytes[0], bytes[1]])))
        };
        // The lengths of name, extra fields and comment, which follow in this order.
        let (Some(name), Some(extra), Some(comment)) = (length(28), length(30), length(32)) else {
            break;
        };
        let Some(text) = directory.get(46..46 + name) else { break };
        names.push(text);
        directory = directory.get(46 + name + extra + comment..).unwrap_or_default();
    }
    names
}

/// The reason why unpacking failed.
enum UnpackFailure {
    /// A single entry cannot be unpacked, or must not be.
    Entry { name: String, why: String },
    /// An entry has more bytes than there is room for.
    TooLarge,
    /// There is not enough space for the archive.
    Archive(io::Error),
}

/// Unpacks an entry, and returns the remaining space in bytes.
fn extract(
    (archive, number): (&mut ZipArchive<File>, usize),
    names: &ArchiveNames,
    folder: &Path,
    room: u64,
    start: u64,
) -> Result<u64, UnpackFailure> {
    let unnamed = |error: ZipError| UnpackFailure::Entry {
        name: format!("entry {}", number + 1),
        why: error.to_string(),
    };
    // Name and kind are readable even for an encrypted entry.
    let raw = archive.by_index_raw(number).map_err(unnamed)?;
    let name = names.read(raw.name_raw());
    let failed = |why: String| UnpackFailure::Entry { name: name.clone(), why };
    let place = place_of(&raw, &name).map_err(|why| failed(why.to_owned()))?;
    drop(raw);
    let mut entry = archive.by_index(number).map_err(|error| failed(error.to_string()))?;
    lay_out(&mut entry, &folder.join(place), room, start).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => UnpackFailure::TooLarge,
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => UnpackFailure::Archive(error),
        _ => failed(unread(&error)),
    })
}

/// The reason why an entry cannot be unpacked, and what to do about it.
fn unread(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::InvalidFilename => "its name is too long".to_owned(),
        io::ErrorKind::AlreadyExists
        | io::ErrorKind::NotADirectory
        | io::ErrorKind::IsADirectory => {
            "another entry has the same path, or one of its folders is a file".to_owned()
        }
        _ => format!("it is damaged ({error}): ask for it, or for the archive, again"),
    }
}

/// The path of an entry in the folder, or the reason why it is not allowed.
fn place_of<R: Read>(entry: &ZipFile<'_, R>, name: &str) -> Result<PathBuf, &'static str> {
    if entry.is_symlink() {
        return Err("links are not unpacked");
    }
    if entry.encrypted() {
        return Err("it is protected by a password");
    }
    path_of(name)
}

/// The path of an entry as far as it can be read and is allowed.
fn path_of_entry(
    archive: &mut ZipArchive<File>,
    number: usize,
    names: &ArchiveNames,
) -> Option<PathBuf> {
    let raw = archive.by_index_raw(number).ok()?;
    path_of(&names.read(raw.name_raw())).ok()
}

fn path_of(name: &str) -> Result<PathBuf, &'static str> {
    // A path with `..` could lead into another student's folder.
    let is_drive = name.as_bytes().get(1) == Some(&b':');
    if is_drive || name.starts_with(['/', '\\']) || name.contains('\0') {
        return Err("its path leads out of the archive");
    }
    let mut place = PathBuf::new();
    for part in name.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".") {
        let mut parts = Path::new(part).components();
        let (Some(Component::Normal(own)), None) = (parts.next(), parts.next()) else {
            return Err("its path leads out of the archive");
        };
        place.push(own);
    }
    match (1..=DEEPEST).contains(&place.components().count()) {
        true => Ok(place),
        false => Err("its path is empty or too deep"),
    }
}

/// Writes an entry completely or not at all, and returns the remaining space in bytes.
fn lay_out(entry: &mut ZipFile<'_, File>, place: &Path, room: u64, start: u64) -> io::Result<u64> {
    if entry.is_dir() {
        std::fs::create_dir_all(place)?;
        return Ok(room);
    }
    std::fs::create_dir_all(place.parent().unwrap_or(place))?;
    let whole = has_module_ending(place) || place.file_name() == Some(METADATA.as_ref());
    let most = if whole { MOST_OF_FILE } else { start };
    let mut file = File::options().write(true).create_new(true).open(place)?;
    // The size in the entry's header is untrusted.
    let written = io::copy(&mut entry.take(most.min(room.saturating_add(1))), &mut file);
    let left = written.and_then(|written| {
        room.checked_sub(written).ok_or_else(|| io::ErrorKind::FileTooLarge.into())
    });
    left.inspect_err(|_| {
        // A partial module must not be mistaken for a whole one.
        let _ = std::fs::remove_file(place);
    })
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write as _};

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn packed(files: &[(&str, &[u8])], link: Option<&str>) -> tempfile::NamedTempFile {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in files {
            zip.start_file(*name, SimpleFileOptions::default()).expect("begun");
            zip.write_all(bytes).expect("written");
        }
        if let Some(name) = link {
            zip.add_symlink(name, "/etc/passwd", SimpleFileOptions::default()).expect("a link");
        }
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), zip.finish().expect("whole").into_inner()).expect("written");
        file
    }

    #[test]
    fn entries_cannot_escape_the_folder_or_be_links() {
        let files: &[(&str, &[u8])] = &[
            ("in/ada/bot.wasm", b"\0asm"),
            ("in/../../../../tmp/judge-escaped.wasm", b"x"),
            ("/etc/judge-absolute.wasm", b"x"),
            ("in/eve/../ada/second.wasm", b"x"),
            ("in/notes.txt", b"a long text that is not needed"),
        ];
        let file = packed(files, Some("in/link.wasm"));
        assert!(is_zip(file.path()));
        let unpacked = unpack(file.path(), false, &KnownWords::default()).expect("unpacked");
        let folder = unpacked.folder();
        assert!(folder.ends_with("in"), "{folder:?}");
        assert_eq!(std::fs::read(folder.join("ada/bot.wasm")).expect("there"), b"\0asm");
        assert_eq!(std::fs::read(folder.join("notes.txt")).expect("there").len() as u64, START);
        assert!(!folder.join("link.wasm").is_symlink() && !folder.join("link.wasm").exists());
        assert!(!Path::new("/tmp/judge-escaped.wasm").exists());
        assert!(!Path::new("/etc/judge-absolute.wasm").exists());
        let told = unpacked.left_out.join("\n");
        assert!(told.contains("escaped.wasm`: its path leads out"), "{told}");
        assert!(told.contains("absolute.wasm`: its path leads out"), "{told}");
        assert!(told.contains("second.wasm`: its path leads out"), "{told}");
        assert!(told.contains("link.wasm`: links are not unpacked"), "{told}");
        drop(unpacked);
        assert!(!folder.exists(), "nothing is left");
    }

    #[test]
    fn an_unreadable_entry_spoils_only_its_submission() {
        let long = format!("{}.wasm", "n".repeat(300));
        let files: &[(&str, &[u8])] = &[
            ("ada.wasm", b"\0asm of ada"),
            ("bob.wasm", b"\0asm of bob"),
            ("kim", b"a file"),
            ("kim/bot.wasm", b"in a folder of that name"),
            (&long, b"\0asm"),
        ];
        let file = packed(files, None);
        let mut bytes = std::fs::read(file.path()).expect("there");
        // Bob's submission no longer matches its checksum. Its name is the last one in the central
        // directory, 30 bytes after the checksum.
        let name = bytes.windows(8).rposition(|window| window == b"bob.wasm").expect("listed");
        bytes[name - 30] ^= 1;
        std::fs::write(file.path(), bytes).expect("written");
        let unpacked = unpack(file.path(), false, &KnownWords::default()).expect("unpacked");
        let folder = unpacked.folder();
        assert_eq!(std::fs::read(folder.join("ada.wasm")).expect("there"), b"\0asm of ada");
        assert!(!folder.join("bob.wasm").exists(), "no part of a module");
        let told = unpacked.left_out.join("\n");
        assert_eq!(unpacked.left_out.len(), 3, "{told}");
        for name in ["`bob.wasm`: it is damaged (", "`kim/bot.wasm`: another entry", "`nnn"] {
            assert!(told.contains(name), "{told}");
        }
        assert!(told.contains("its name is too long"), "{told}");
    }

    #[test]
    fn a_name_of_several_entries_is_reported() {
        let file = packed(&[("ada.wasm", b"\0asm one"), ("bda.wasm", b"\0asm two")], None);
        let mut bytes = std::fs::read(file.path()).expect("there");
        while let Some(at) = bytes.windows(8).position(|window| window == b"bda.wasm") {
            bytes[at] = b'a';
        }
        std::fs::write(file.path(), bytes).expect("written");
        let unpacked = unpack(file.path(), false, &KnownWords::default()).expect("unpacked");
        let told = ["`ada.wasm`: 2 entries have this name, and only the last one counts"];
        assert_eq!(unpacked.left_out, told);
        let content = std::fs::read(unpacked.folder().join("ada.wasm")).expect("there");
        assert_eq!(content, b"\0asm two");
    }

    #[test]
    fn a_truncated_archive_is_reported_as_truncated() {
        let file = packed(&[("ada.wasm", b"\0asm of ada")], None);
        let bytes = std::fs::read(file.path()).expect("there");
        std::fs::write(file.path(), &bytes[..bytes.len() - 30]).expect("written");
        let error = unpack(file.path(), false, &KnownWords::default()).expect_err("cut off");
        assert!(error.to_string().contains("`: the archive is cut off or damaged: "), "{error}");
        assert_eq!(error.hint().as_deref(), Some("download or pack it again"));
    }

    #[test]
    fn an_encrypted_entry_is_reported() {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        zip.start_file("ada.wasm", SimpleFileOptions::default()).expect("begun");
        zip.write_all(b"\0asm").expect("written");
        zip.start_file("bob.wasm", SimpleFileOptions::default()).expect("begun");
        let mut bytes = zip.finish().expect("whole").into_inner();
        // Bit 0 of an entry's flags, 6 bytes after the start of its local header, 8 in the
        // directory.
        for (start, flags) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
            let at = bytes.windows(4).rposition(|window| window == start).expect("a header");
            bytes[at + flags] |= 1;
        }
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), bytes).expect("written");
        let unpacked = unpack(file.path(), false, &KnownWords::default()).expect("unpacked");
        assert!(unpacked.folder().join("ada.wasm").is_file());
        assert_eq!(unpacked.left_out, ["`bob.wasm`: it is protected by a password"]);
    }

    #[test]
    fn the_only_student_of_a_platform_is_a_submission() {
        let folder = |name: &str| {
            let unpacked =
                unpack(packed(&[(name, b"\0asm")], None).path(), false, &KnownWords::default())
                    .expect("unpacked");
            unpacked.folder().file_name().expect("a name").to_string_lossy().into_owned()
        };
        assert!(folder("Ada King_1201_assignsubmission_file_/bot.wasm").starts_with("unpacked-"));
        assert_eq!(folder("lab3/ada.wasm"), "lab3");
    }

    #[test]
    fn a_decompression_bomb_is_stopped() {
        let much = vec![0; 40 << 20];
        let unpacked =
            unpack(packed(&[("bot.wasm", &much)], None).path(), false, &KnownWords::default())
                .expect("unpacked");
        let size = std::fs::metadata(unpacked.folder().join("bot.wasm")).expect("there").len();
        assert_eq!(size, MOST_OF_FILE);
        let deep = "d/".repeat(DEEPEST) + "bot.wasm";
        let unpacked = unpack(packed(&[(&deep, b"x")], None).path(), false, &KnownWords::default())
            .expect("unpacked");
        assert_eq!(unpacked.left_out.len(), 1);
    }

    #[test]
    fn only_the_too_large_submission_is_left_out() {
        let many: Vec<String> =
            (0..=MOST_FILES).map(|number| format!("lab/eve/{number}")).collect();
        let mut files: Vec<(&str, &[u8])> =
            many.iter().map(|name| (name.as_str(), &b""[..])).collect();
        let much = vec![0; MOST_OF_FILE as usize];
        let large: Vec<String> = (0..9).map(|number| format!("lab/kim/{number}.wasm")).collect();
        files.extend(large.iter().map(|name| (name.as_str(), much.as_slice())));
        files.push(("lab/ada/bot.wasm", b"\0asm"));
        let unpacked =
            unpack(packed(&files, None).path(), false, &KnownWords::default()).expect("unpacked");
        let told = [
            "`lab/eve`: it has more than 20000 files",
            "`lab/kim`: it is over 128 MiB when unpacked",
        ];
        assert_eq!(unpacked.left_out, told);
        let folder = unpacked.folder();
        assert_eq!(std::fs::read(folder.join("ada/bot.wasm")).expect("there"), b"\0asm");
        assert_eq!(std::fs::read_dir(folder.join("eve")).expect("a folder").count(), 0);
        assert_eq!(std::fs::read_dir(folder.join("kim")).expect("a folder").count(), 8);
    }

    #[test]
    fn a_file_that_is_not_an_archive_is_refused() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), b"PK\x03\x04 and then nothing").expect("written");
        assert!(is_zip(file.path()) && unpack(file.path(), false, &KnownWords::default()).is_err());
        std::fs::write(file.path(), b"hello").expect("written");
        assert!(!is_zip(file.path()));
    }
}
