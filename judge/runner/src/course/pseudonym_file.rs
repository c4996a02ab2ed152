//! The list of pseudonyms in a course's folder: the students' names on a public scoreboard.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use judge_report::cell;
use serde::Deserialize;

use crate::Error;
use crate::base::csv_text::csv_text;
use crate::base::files::{self, Readers};

/// The file's name.
pub(crate) const FILE: &str = "pseudonyms.csv";

/// A row of the list.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct PseudonymLine {
    /// The student's name.
    pub(crate) student: String,
    /// The student's name on the scoreboard.
    pub(crate) pseudonym: String,
    /// The student's report, as a path relative to the folder; empty for a student without one.
    pub(crate) report: String,
}

/// Writes the list, readable only by its owner, and returns its path.
pub(crate) fn write(folder: &Path, lines: &[PseudonymLine]) -> Result<PathBuf, Error> {
    let row = |line: &PseudonymLine| {
        [&line.student, &line.pseudonym, &line.report].map(|text| cell(text))
    };
    let text = csv_text(["student", "pseudonym", "report"], lines.iter().map(row))?;
    let path = folder.join(FILE);
    let mut file = files::open_for(&path, Readers::Owner)?;
    file.write_all(text.as_bytes())?;
    file.flush()?;
    Ok(path)
}

/// Reads the pseudonyms by the students' reports; empty without a list.
pub(crate) fn read(folder: &Path) -> Result<BTreeMap<String, String>, Error> {
    let lines = read_lines(folder)?.into_iter();
    Ok(lines.map(|line| (line.report, line.pseudonym)).collect())
}

/// Reads the rows of the list, in order; empty without a list.
pub(crate) fn read_lines(folder: &Path) -> Result<Vec<PseudonymLine>, Error> {
    let path = folder.join(FILE);
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let text = Error::read_text(&path)?;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let lines: Result<Vec<PseudonymLine>, csv::Error> = reader.deserialize().collect();
    lines.map_err(|error| Error::input(&path, &error))
}
