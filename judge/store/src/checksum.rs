//! The checksum of a copy, in a file next to it as `sha256sum` writes it: SQLite does not notice a
//! changed text.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::file;

/// The file with the checksum of a copy.
pub(crate) fn checksum_file(copy: &Path) -> PathBuf {
    file::with_suffix(copy, ".sha256")
}

/// Writes the checksum of a copy next to it, for its owner only.
pub(crate) fn write(copy: &Path) -> io::Result<()> {
    let name = copy.file_name().unwrap_or_default().to_string_lossy();
    let line = format!("{}  {name}\n", of_file(copy)?);
    let mut target = file::create(&checksum_file(copy)).map_err(io::Error::other)?;
    io::Write::write_all(&mut target, line.as_bytes())?;
    target.sync_all()
}

/// False if a copy differs from the checksum next to `named`; true without a checksum.
pub(crate) fn fits(copy: &Path, named: &Path) -> io::Result<bool> {
    let told = match std::fs::read_to_string(checksum_file(named)) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(error),
    };
    let told = told.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    Ok(told == of_file(copy)?)
}

/// The SHA-256 of a file, in hexadecimal digits.
fn of_file(path: &Path) -> io::Result<String> {
    let (mut file, mut hash, mut bytes) = (File::open(path)?, Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut bytes)? {
            0 => break,
            length => hash.update(&bytes[..length]),
        }
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
