//! The zip file of an autograder for Gradescope: two scripts, the judge, the suite and its secrets.

use std::fs::File;
use std::io::{Cursor, Read as _, Write};
use std::path::Path;

use judge_grading::{Suite, SuiteKey};
use judge_report::{CourseTool, quoted};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::Error;

const SETUP: &str = include_str!("setup.sh");
const RUN: &str = include_str!("run_autograder.sh");

/// The script's line with the options of the report.
const OPTIONS: &str = "options=()\n";

/// The line of both scripts that enables builds of sources.
const BUILD: &str = "build=\n";

/// Path of the secrets relative to the suite's folder, outside any suite.
const KEY: &str = "../../secret/key";
const FOLDER: &str = "../../secret/testcases";

/// Packs the suite and a judge.
pub(super) fn pack(
    suite: &Suite,
    binary: &Path,
    tool: &CourseTool,
    build: bool,
) -> Result<Vec<u8>, Error> {
    let judge = open(binary)?;
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let failed = |error: std::io::Error| Error::Judge(format!("cannot pack: {error}"));
    let chosen = if build { "build=yes\n" } else { BUILD };
    let setup = SETUP.replacen(BUILD, chosen, 1);
    add(&mut zip, "setup.sh", 0o755, setup.as_bytes()).map_err(failed)?;
    let run = RUN.replacen(OPTIONS, &options(tool), 1).replacen(BUILD, chosen, 1);
    add(&mut zip, "run_autograder", 0o755, run.as_bytes()).map_err(failed)?;
    for (name, permissions, text) in files(suite)? {
        add(&mut zip, &name, permissions, text.as_bytes()).map_err(failed)?;
    }
    add(&mut zip, "judge", 0o755, judge)
        .map_err(|source| Error::Read { path: binary.to_owned(), source })?;
    let written = zip.finish().map_err(|error| failed(error.into()))?;
    Ok(written.into_inner())
}

/// The script's line with the chosen options.
fn options(tool: &CourseTool) -> String {
    let mut options = vec!["--hidden-visibility".to_owned(), tool.hidden.name().to_owned()];
    for (testcase, visibility) in &tool.testcases {
        options.push("--visibility".to_owned());
        options.push(quoted(&format!("{testcase}={}", visibility.name())));
    }
    if !tool.leaderboard {
        options.push("--no-leaderboard".to_owned());
    }
    format!("options=({})\n", options.join(" "))
}

/// The suite's files with their permissions, with the secrets in a separate folder.
fn files(suite: &Suite) -> Result<Vec<(String, u32, String)>, Error> {
    let folder = format!("suite/{}", folder_name(&suite.name));
    let mut files = Vec::new();
    for (name, text) in &suite.files {
        let text = if name == "suite.toml" { head(suite, text)? } else { text.clone() };
        files.push((format!("{folder}/{name}"), 0o644, text));
    }
    let secret = |path: &str| path.replacen("../../", "", 1);
    for (name, text) in &suite.secrets.files {
        files.push((format!("{}/{name}", secret(FOLDER)), 0o600, text.clone()));
    }
    if let Some(key) = &suite.secrets.key {
        files.push((secret(KEY), 0o600, String::from(SuiteKey::clone(key)) + "\n"));
    }
    Ok(files)
}

/// `suite.toml` with the paths of the secrets in the zip file.
fn head(suite: &Suite, text: &str) -> Result<String, Error> {
    let failed = |error: &dyn std::fmt::Display| Error::Judge(format!("cannot pack: {error}"));
    let mut table: toml::Table = toml::from_str(text).map_err(|error| failed(&error))?;
    let Some(written) = table.remove("hidden") else { return Ok(text.to_owned()) };
    let mut hidden = toml::Table::new();
    if let Some(shows) = written.get("shows") {
        hidden.insert("shows".to_owned(), shows.clone());
    }
    if suite.secrets.key.is_some() {
        hidden.insert("key".to_owned(), KEY.into());
    }
    if !suite.secrets.files.is_empty() {
        hidden.insert("folder".to_owned(), FOLDER.into());
    }
    table.insert("hidden".to_owned(), hidden.into());
    toml::to_string(&table).map_err(|error| failed(&error))
}

/// Adds a file. No time is stored, so that equal files give equal bytes.
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

/// The name of the suite's folder, which results and the autograder's paths contain.
fn folder_name(suite: &str) -> &str {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    if !suite.is_empty() && suite.chars().all(plain) { suite } else { "suite" }
}

/// Opens the judge to pack, which must run on Gradescope's machines.
fn open(path: &Path) -> Result<impl std::io::Read + use<>, Error> {
    let unreadable = |source| Error::Read { path: path.to_owned(), source };
    // Opening a pipe would block.
    let found = std::fs::metadata(path).map_err(unreadable)?;
    if !found.is_file() {
        return Err(Error::input(path, &"it is not a file"));
    }
    let mut file = File::open(path).map_err(unreadable)?;
    let mut head = Vec::new();
    (&mut file).take(20).read_to_end(&mut head).map_err(unreadable)?;
    // ELF, 64 bits, little-endian, and the machine's number.
    let linux = head.starts_with(b"\x7fELF\x02\x01") && head.get(18..20) == Some(&[0x3e, 0]);
    if !linux {
        let what = format!(
            "`{}` is not a program for Linux on x86-64, which Gradescope needs",
            path.display()
        );
        let hint = "build the judge for `x86_64-unknown-linux-gnu` and name it with `--binary`";
        return Err(Error::Input { what, hint: Some(hint.to_owned()) });
    }
    Ok(Cursor::new(head).chain(file))
}
