//! The fact in a journal that contains the suite itself, file by file.

use judge_grading::{Secrets, Suite, SuiteChange, SuiteError, suite_changes};
use serde::{Deserialize, Serialize};

use crate::facts::Fact;

/// The suite, file by file.
#[derive(Debug, Serialize, Deserialize)]
pub struct SuiteNote {
    name: String,
    files: Vec<(String, String)>,
    secrets: Secrets,
}

impl SuiteNote {
    /// The note about a suite.
    pub fn new(suite: &Suite) -> SuiteNote {
        let Suite { name, files, secrets, .. } = suite;
        SuiteNote::from_files(name, files.clone(), secrets.clone())
    }

    /// The note about a suite of that name with these files.
    pub fn from_files(name: &str, files: Vec<(String, String)>, secrets: Secrets) -> SuiteNote {
        SuiteNote { name: name.to_owned(), files, secrets }
    }

    /// Reads the suite again from the stored files.
    ///
    /// # Errors
    /// When this judge rejects the files.
    pub fn suite(self) -> Result<Suite, SuiteError> {
        let files = self.files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
        Suite::with_secrets(&self.name, files, self.secrets)
    }

    /// Changes in the files of that suite, including those of hidden testcases.
    pub fn changes(&self, suite: &Suite) -> Vec<SuiteChange> {
        let all = |files: &[(String, String)], secrets: &Secrets| [files, &secrets.files].concat();
        let before = all(&self.files, &self.secrets);
        suite_changes(&before, &all(&suite.files, &suite.secrets))
    }

    /// True if the suite's seeds come from another key.
    pub fn has_other_key(&self, suite: &Suite) -> bool {
        self.secrets.key != suite.secrets.key
    }
}

impl Fact for SuiteNote {
    type About = ();

    fn name((): &()) -> String {
        "suite".to_owned()
    }
}
