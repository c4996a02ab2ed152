//! A report on grading as a file: JSON, written in one way only, so that no byte of it can be
//! another without showing.

use serde_json::Value;

use crate::{GradeReport, parting};

/// A file that is not a valid report, or was changed after it was written. Lines and columns are
/// counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    /// Not what the format asks for.
    #[error("{0}")]
    Malformed(String),
    /// Of a judge with another format.
    #[error(
        "its version is `{found}`, this judge reads `{oldest}` to `{newest}`",
        oldest = GradeReport::WHOLE_POINTS,
        newest = GradeReport::VERSION
    )]
    Version {
        /// The version in the file; 0 if it has none.
        found: u64,
    },
    /// It says what a report says, but the bytes are not those that a judge writes.
    #[error(
        "line {line}, column {column}: changed after it was written: spaces, order, unknown or \
         repeated fields"
    )]
    NotCanonical {
        /// Line in the file.
        line: usize,
        /// Column in the line.
        column: usize,
    },
}

impl GradeReport {
    /// The report as a file.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string_pretty(self);
        json.expect("reports hold nothing that JSON cannot") + "\n"
    }

    /// Reads a file whose bytes are exactly those that a judge writes. Its content is not trusted
    /// yet.
    ///
    /// # Errors
    /// When it does not parse, is of another version, or anything is written another way.
    pub fn from_json(text: &str) -> Result<GradeReport, ReportError> {
        let malformed = |error: serde_json::Error| ReportError::Malformed(error.to_string());
        // The version first: what another judge writes need not be readable any further.
        let value: Value = serde_json::from_str(text).map_err(malformed)?;
        let found = value.get("version").and_then(Value::as_u64).unwrap_or_default();
        let known = u64::from(GradeReport::WHOLE_POINTS)..=u64::from(GradeReport::VERSION);
        if !known.contains(&found) {
            return Err(ReportError::Version { found });
        }
        let report: GradeReport = serde_json::from_str(text).map_err(malformed)?;
        match parting(text, &report.to_json()) {
            None => Ok(report),
            Some((line, column)) => Err(ReportError::NotCanonical { line, column }),
        }
    }
}
