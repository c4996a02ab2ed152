//! The zip file of an autograder for Gradescope: two scripts, the judge, the suite.

use std::fs::File;
use std::io::{Cursor, Read as _, Write};
use std::path::Path;

use judge_grading::Suite;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::failure::Failure;

const SETUP: &str = include_str!("setup.sh");
const RUN: &str = include_str!("run_autograder.sh");

/// Packs the suite with a judge.
pub(super) fn pack(suite: &Suite, binary: &Path) -> Result<Vec<u8>, Failure> {
    let judge = open(binary)?;
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let failed = |error: std::io::Error| Failure::Judge(format!("cannot pack: {error}"));
    add(&mut zip, "setup.sh", 0o755, SETUP.as_bytes()).map_err(failed)?;
    add(&mut zip, "run_autograder", 0o755, RUN.as_bytes()).map_err(failed)?;
    let folder = format!("suite/{}", folder_name(&suite.name));
    for (name, text) in &suite.files {
        add(&mut zip, &format!("{folder}/{name}"), 0o644, text.as_bytes()).map_err(failed)?;
    }
    add(&mut zip, "judge", 0o755, judge)
        .map_err(|source| Failure::Read { path: binary.to_owned(), source })?;
    let written = zip.finish().map_err(|error| failed(error.into()))?;
    Ok(written.into_inner())
}

/// Adds a file. No time is kept, so that equal files are equal bytes.
fn add(
    zip: &mut ZipWriter<Cursor<Vec<u8>>>,
    name: &str,
    permissions: u32,
    mut content: impl std::io::Read,
) -> std::io::Result<()> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .unix_permissions(permissions);
    zip.start_file(name, options)?;
    std::io::copy(&mut content, zip)?;
    zip.flush()
}

/// The suite's name goes into results, and into a path on the other side.
fn folder_name(suite: &str) -> &str {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    if !suite.is_empty() && suite.chars().all(plain) { suite } else { "suite" }
}

/// Opens the judge to be packed, which has to run on Gradescope's machines.
fn open(path: &Path) -> Result<impl std::io::Read + use<>, Failure> {
    let unreadable = |source| Failure::Read { path: path.to_owned(), source };
    let mut file = File::open(path).map_err(unreadable)?;
    let mut head = Vec::new();
    (&mut file).take(20).read_to_end(&mut head).map_err(unreadable)?;
    // ELF, 64 bits, little-endian, and the machine's number.
    let linux = head.starts_with(b"\x7fELF\x02\x01") && head.get(18..20) == Some(&[0x3e, 0]);
    if !linux {
        let what =
            format!("`{}` is no program for Linux on x86-64, as Gradescope needs", path.display());
        let hint = "build the judge for `x86_64-unknown-linux-gnu` and name it with `--binary`";
        return Err(Failure::Input { what, hint: Some(hint.to_owned()) });
    }
    Ok(Cursor::new(head).chain(file))
}
