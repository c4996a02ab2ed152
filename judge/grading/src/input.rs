//! Reads a whole file by a given path, if it is a regular file of bounded
//! size.

use std::fs::{File, FileType};
use std::io::{self, ErrorKind, Read as _};
use std::path::Path;

/// The treatment of a file that is a link to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// The link is followed, because the user named it.
    Followed,
    /// The link is refused, because it came with another user's files.
    Refused,
}

/// Opens a file for reading.
///
/// # Errors
/// When it cannot be opened, or is not a regular file: a pipe would block, and a device might never
/// end. The check is on the open file, so that it cannot be replaced in between.
pub fn open_file(path: &Path, links: Links) -> io::Result<File> {
    // Opening some devices has an effect, so check the path first.
    let found = match links {
        Links::Followed => std::fs::metadata(path)?,
        Links::Refused => std::fs::symlink_metadata(path)?,
    };
    check(found.file_type())?;
    checked(system::open(path, links)?)
}

/// Opens a file in a folder or below it, by its relative path: no component of the path is a link.
///
/// # Errors
/// As [`open_file`].
pub fn open_in_folder(folder: &Path, path: &Path) -> io::Result<File> {
    check(std::fs::symlink_metadata(folder.join(path))?.file_type())?;
    checked(system::open_in_folder(folder, path)?)
}

fn checked(file: File) -> io::Result<File> {
    check(file.metadata()?.file_type())?;
    Ok(file)
}

fn check(kind: FileType) -> io::Result<()> {
    if kind.is_file() {
        return Ok(());
    }
    let (error, what) = if kind.is_dir() {
        (ErrorKind::IsADirectory, "it is a folder")
    } else if kind.is_symlink() {
        (ErrorKind::InvalidInput, "it is a link")
    } else {
        (ErrorKind::InvalidInput, "it is a pipe or device, not a file")
    };
    Err(io::Error::new(error, what))
}

/// The bytes of a file.
///
/// # Errors
/// When it cannot be read, is larger than `most` bytes, or is not a regular file.
pub fn read_file(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_opened(open_file(path, Links::Followed)?, most)
}

/// The bytes of an open file.
///
/// # Errors
/// When it cannot be read or is larger than `most` bytes.
pub fn read_opened(file: File, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let what = format!("it is larger than {} KiB", most >> 10);
        return Err(io::Error::new(ErrorKind::FileTooLarge, what));
    }
    Ok(bytes)
}

/// The text of a file.
///
/// # Errors
/// As [`read_file`], and when it is not text.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    text_of(read_file(path, most)?)
}

/// The bytes as a text.
pub(crate) fn text_of(bytes: Vec<u8>) -> io::Result<String> {
    let text = String::from_utf8(bytes);
    text.map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not a text file in UTF-8"))
}

#[cfg(unix)]
mod system {
    use super::{Links, Path};
    use rustix::fs::{Mode, OFlags};
    use std::fs::File;
    use std::io;

    /// Does not wait for the other end of a pipe.
    const READ: OFlags =
        OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

    pub(super) fn open(path: &Path, links: Links) -> io::Result<File> {
        let flags = match links {
            Links::Followed => READ,
            Links::Refused => READ.union(OFlags::NOFOLLOW),
        };
        Ok(rustix::fs::open(path, flags, Mode::empty())?.into())
    }

    pub(super) fn open_in_folder(folder: &Path, path: &Path) -> io::Result<File> {
        let file = READ.union(OFlags::NOFOLLOW);
        let directory = file.union(OFlags::DIRECTORY);
        let mut opened = rustix::fs::open(folder, directory, Mode::empty())?;
        let mut names = path.iter().peekable();
        while let Some(name) = names.next() {
            let flags = if names.peek().is_some() { directory } else { file };
            opened = rustix::fs::openat(&opened, name, flags, Mode::empty())?;
        }
        Ok(opened.into())
    }
}

#[cfg(not(unix))]
mod system {
    use super::{Links, Path};
    use std::fs::File;
    use std::io;

    #[cfg(windows)]
    pub(super) fn open(path: &Path, links: Links) -> io::Result<File> {
        use std::os::windows::fs::OpenOptionsExt as _;
        /// FILE_FLAG_OPEN_REPARSE_POINT: opens a link itself, so that it can be recognized.
        const ITSELF: u32 = 0x0020_0000;
        let flags = if links == Links::Refused { ITSELF } else { 0 };
        File::options().read(true).custom_flags(flags).open(path)
    }

    #[cfg(not(windows))]
    pub(super) fn open(path: &Path, _: Links) -> io::Result<File> {
        File::open(path)
    }

    pub(super) fn open_in_folder(folder: &Path, path: &Path) -> io::Result<File> {
        let mut way = folder.to_owned();
        for name in path {
            if std::fs::symlink_metadata(&way)?.is_symlink() {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is inside a link"));
            }
            way.push(name);
        }
        open(&way, Links::Refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error<T>(result: io::Result<T>) -> String {
        result.err().expect("an error").to_string()
    }

    #[test]
    fn only_small_regular_files_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x");
        std::fs::write(&path, b"abc\xff").expect("written");
        assert_eq!(read_file(&path, 4).expect("small enough"), b"abc\xff");
        assert_eq!(error(read_file(&path, 3)), "it is larger than 0 KiB");
        assert_eq!(error(read_file(folder.path(), 9)), "it is a folder");
        assert!(read_text(&path, 9).expect_err("no text").to_string().contains("UTF-8"));
        #[cfg(unix)]
        assert!(error(read_file(Path::new("/dev/zero"), 9)).contains("a pipe or device"));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_only_if_the_caller_allows() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("x"), b"abc").expect("written");
        std::fs::create_dir(path("real")).expect("a folder");
        std::fs::write(path("real/y"), b"def").expect("written");
        for (from, to) in [
            ("link", "x"),
            ("loop", "loop"),
            ("dangling", "none"),
            ("linked", "real"),
            ("real/z", "../x"),
        ] {
            std::os::unix::fs::symlink(to, path(from)).expect("a link");
        }
        let own = |name: &str| open_file(&path(name), Links::Refused);
        assert_eq!(read_file(&path("link"), 9).expect("followed"), b"abc");
        assert!(own("x").is_ok());
        for name in ["link", "loop", "dangling", "linked"] {
            assert_eq!(error(own(name)), "it is a link", "{name}");
        }
        // The system refuses a link too, even if the check of the path missed it.
        assert!(system::open(&path("link"), Links::Refused).is_err());
        let inside = |folder: &str, name: &str| open_in_folder(&path(folder), name.as_ref());
        assert!(inside("real", "y").is_ok());
        assert_eq!(error(inside("real", "z")), "it is a link");
        assert!(inside("linked", "y").is_err(), "the folder is a link");
        assert!(inside("real", "none").is_err());
        std::fs::create_dir_all(path("real/deep/down")).expect("a folder");
        std::fs::write(path("real/deep/down/y"), b"ghi").expect("written");
        std::os::unix::fs::symlink("deep", path("real/short")).expect("a link");
        assert!(inside("real", "deep/down/y").is_ok());
        assert!(inside("real", "short/down/y").is_err(), "a part of the way is a link");
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_refused_without_waiting() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.is_ok_and(|status| status.success()));
        assert!(error(read_file(&path, 9)).contains("a pipe or device"));
        // The check also finds a link that appeared after the check of the path.
        let opened = system::open(&path, Links::Followed).expect("open");
        assert!(error(checked(opened)).contains("a pipe or device"));
        let socket = folder.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
        assert!(error(read_file(&socket, 9)).contains("a pipe or device"));
    }
}
