//! A grading report as a file: JSON with exactly one spelling, so that the change of any byte is
//! detected.

use serde_json::Value;

use crate::{GradeReport, escaped_json, parting};

/// An error of reading a report file. Lines and columns are counted from
/// 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    /// The file is not in the format.
    #[error("{0}")]
    Malformed(String),
    /// The file is from a judge with another format.
    #[error(
        "its version is `{found}`, this judge reads `{oldest}` to `{newest}`",
        oldest = GradeReport::WHOLE_POINTS,
        newest = GradeReport::VERSION
    )]
    Version {
        /// The version in the file; 0 if it has none.
        found: u64,
    },
    /// The content is valid, but not in the exact bytes that a judge writes.
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
    /// The report as a file. A name cannot change how a terminal shows the rest of it.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string_pretty(self);
        escaped_json(&json.expect("reports hold nothing that JSON cannot")) + "\n"
    }

    /// Reads a file in the exact bytes that a judge writes. Its content is not checked
    /// yet.
    ///
    /// # Errors
    /// When it does not parse, has another version, or its bytes differ from a judge's.
    pub fn from_json(text: &str) -> Result<GradeReport, ReportError> {
        let malformed = |error: serde_json::Error| ReportError::Malformed(error.to_string());
        // Check the version first: another version may not parse any further.
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
