//! The whole result as JSON. Two runs differ only under the key `timing`.

use std::io::{self, Write};

use judge_core::Event;

use crate::Reporter;

/// Writes the [`judge_core::GradeReport`] when grading is finished.
pub struct JsonReporter<W>(W);

impl<W: Write> JsonReporter<W> {
    /// Reports to `output`.
    pub fn new(output: W) -> JsonReporter<W> {
        JsonReporter(output)
    }
}

impl<W: Write> Reporter for JsonReporter<W> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        let Event::Finished(report) = event else { return Ok(()) };
        self.0.write_all(report.to_json().as_bytes())?;
        self.0.flush()
    }
}
