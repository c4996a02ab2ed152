//! A download of a learning platform as it comes, packed: laid out in a folder of its own, within
//! bounds. Nothing gets out of that folder, no link is made, and no archive inside is unpacked.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use judge_core::printable;
use judge_grading::{Links, open_file};
use tempfile::TempDir;
use zip::ZipArchive;
use zip::read::ZipFile;

use super::platform::METADATA;
use super::thing::has_module_ending;
use crate::Error;

/// Most files and folders in an archive.
const MOST_FILES: usize = 20_000;

/// Most folders inside one another.
const DEEPEST: usize = 32;

/// Most bytes of one file: beyond this it is too large in any case.
const MOST_OF_FILE: u64 = 16 << 20;

/// Most bytes of all files.
const MOST_OF_ALL: u64 = 2 << 30;

/// First bytes of a file that is no module: enough to tell what it is.
const START: u64 = 16;

/// An archive that was laid out. The folder goes when this goes.
#[derive(Debug)]
pub(crate) struct Unpacked {
    folder: TempDir,
    /// What was left out of it, and why.
    pub(crate) left_out: Vec<String>,
}

impl Unpacked {
    /// The folder of the submissions: that of the archive, or the only one in it.
    pub(crate) fn folder(&self) -> PathBuf {
        let root = self.folder.path().to_owned();
        match super::entries(&root).unwrap_or_default().as_slice() {
            [only] if only.is_dir() => only.clone(),
            _ => root,
        }
    }
}

/// Whether a file is an archive that can be laid out.
pub(crate) fn is_zip(path: &Path) -> bool {
    let mut start = Vec::new();
    let opened = open_file(path, Links::Followed);
    opened.and_then(|file| file.take(4).read_to_end(&mut start)).is_ok()
        && start.starts_with(b"PK\x03\x04")
}

/// Lays out an archive: modules whole, of other files no more than tells what they are.
pub(crate) fn unpack(path: &Path) -> Result<Unpacked, Error> {
    let wrong = |error: &dyn std::fmt::Display| Error::input(path, error);
    let file = open_file(path, Links::Followed)
        .map_err(|source| Error::Read { path: path.to_owned(), source })?;
    let mut archive = ZipArchive::new(file).map_err(|error| wrong(&error))?;
    if archive.len() > MOST_FILES {
        return Err(wrong(&format!("it holds more than {MOST_FILES} files")));
    }
    let folder = TempDir::with_prefix("judge-")
        .map_err(|error| Error::Judge(format!("no folder to unpack into: {error}")))?;
    let (mut left_out, mut room) = (Vec::new(), MOST_OF_ALL);
    for number in 0..archive.len() {
        let mut entry = archive.by_index(number).map_err(|error| wrong(&error))?;
        let place = match place_of(&entry) {
            Ok(place) => folder.path().join(place),
            Err(why) => {
                left_out.push(format!(
                    "`{}`: {why}",
                    printable(&entry.name().unwrap_or_default(), 100)
                ));
                continue;
            }
        };
        room = lay_out(&mut entry, &place, room).map_err(|error| wrong(&error))?;
    }
    Ok(Unpacked { folder, left_out })
}

/// Where an entry belongs in the folder, or why it has no place there.
fn place_of(entry: &ZipFile<'_, File>) -> Result<PathBuf, &'static str> {
    if entry.is_symlink() {
        return Err("a link is not unpacked");
    }
    if entry.encrypted() {
        return Err("it is locked with a password");
    }
    let absolute = entry.name().is_ok_and(|name| name.starts_with(['/', '\\']));
    let place = entry.enclosed_name().filter(|_| !absolute);
    let place = place.ok_or("its path leads out of the archive")?;
    let plain = place.components().all(|part| matches!(part, Component::Normal(_)));
    match plain && (1..=DEEPEST).contains(&place.components().count()) {
        true => Ok(place),
        false => Err("its path is too long, or none"),
    }
}

/// Writes an entry; how many bytes there is room for afterwards.
fn lay_out(entry: &mut ZipFile<'_, File>, place: &Path, room: u64) -> io::Result<u64> {
    if entry.is_dir() {
        std::fs::create_dir_all(place)?;
        return Ok(room);
    }
    std::fs::create_dir_all(place.parent().unwrap_or(place))?;
    let whole = has_module_ending(place) || place.file_name() == Some(METADATA.as_ref());
    let most = if whole { MOST_OF_FILE } else { START };
    let mut file = File::options().write(true).create_new(true).open(place)?;
    // What an entry says of its size is not believed.
    let written = io::copy(&mut entry.take(most), &mut file)?;
    room.checked_sub(written).ok_or_else(|| {
        let most = MOST_OF_ALL >> 30;
        io::Error::new(io::ErrorKind::FileTooLarge, format!("unpacked it is over {most} GiB"))
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
    fn nothing_gets_out_and_nothing_is_followed() {
        let files: &[(&str, &[u8])] = &[
            ("in/ada/bot.wasm", b"\0asm"),
            ("in/../../../../tmp/judge-escaped.wasm", b"x"),
            ("/etc/judge-absolute.wasm", b"x"),
            ("in/notes.txt", b"a long text that nobody needs"),
        ];
        let file = packed(files, Some("in/link.wasm"));
        assert!(is_zip(file.path()));
        let unpacked = unpack(file.path()).expect("unpacked");
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
        assert!(told.contains("link.wasm`: a link is not unpacked"), "{told}");
        drop(unpacked);
        assert!(!folder.exists(), "nothing is left");
    }

    #[test]
    fn a_bomb_is_cut_off() {
        let much = vec![0; 40 << 20];
        let unpacked = unpack(packed(&[("bot.wasm", &much)], None).path()).expect("unpacked");
        let size = std::fs::metadata(unpacked.folder().join("bot.wasm")).expect("there").len();
        assert_eq!(size, MOST_OF_FILE);
        let deep = "d/".repeat(DEEPEST) + "bot.wasm";
        let unpacked = unpack(packed(&[(&deep, b"x")], None).path()).expect("unpacked");
        assert_eq!(unpacked.left_out.len(), 1);
        let many: Vec<String> = (0..=MOST_FILES).map(|number| number.to_string()).collect();
        let many: Vec<(&str, &[u8])> = many.iter().map(|name| (name.as_str(), &b""[..])).collect();
        let error = unpack(packed(&many, None).path()).expect_err("too many").to_string();
        assert!(error.contains("more than 20000 files"), "{error}");
    }

    #[test]
    fn what_is_no_archive_is_refused() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), b"PK\x03\x04 and then nothing").expect("written");
        assert!(is_zip(file.path()) && unpack(file.path()).is_err());
        std::fs::write(file.path(), b"hello").expect("written");
        assert!(!is_zip(file.path()));
    }
}
