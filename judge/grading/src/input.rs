//! Reading a file that somebody named: all of it, as long as it is a file and of bounded size.

use std::io::{self, ErrorKind, Read as _};
use std::path::Path;

/// The bytes of a file.
///
/// # Errors
/// When it cannot be read, is larger than `most` bytes, or is none: a pipe would be waited for, and
/// a device might never end.
pub fn read_file(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    // Before it is opened, which may be what waits.
    let found = std::fs::metadata(path)?;
    if found.is_dir() {
        return Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder"));
    }
    if !found.is_file() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "it is a pipe or device, not a file"));
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let what = format!("it is larger than {} KiB", most >> 10);
        return Err(io::Error::new(ErrorKind::FileTooLarge, what));
    }
    Ok(bytes)
}

/// The text of a file.
///
/// # Errors
/// As [`read_file`], and when it is no text.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let text = String::from_utf8(read_file(path, most)?);
    text.map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not a text file in UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_are_read_and_only_small_ones() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x");
        std::fs::write(&path, b"abc\xff").expect("written");
        assert_eq!(read_file(&path, 4).expect("small enough"), b"abc\xff");
        let error = |result: io::Result<Vec<u8>>| result.expect_err("an error").to_string();
        assert_eq!(error(read_file(&path, 3)), "it is larger than 0 KiB");
        assert_eq!(error(read_file(folder.path(), 9)), "it is a folder");
        assert!(read_text(&path, 9).expect_err("no text").to_string().contains("UTF-8"));
        #[cfg(unix)]
        assert!(error(read_file(Path::new("/dev/zero"), 9)).contains("a pipe or device"));
    }
}
