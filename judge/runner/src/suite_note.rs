//! The fact in a journal that is the suite itself, file by file.

use judge_arena::Fact;
use judge_grading::{Secrets, Suite, SuiteChange, suite_changes};
use serde::{Deserialize, Serialize};

use crate::Error;

/// The suite, file by file.
#[derive(Serialize, Deserialize)]
pub(crate) struct SuiteNote {
    name: String,
    files: Vec<(String, String)>,
    secrets: Secrets,
}

impl SuiteNote {
    pub(crate) fn new(suite: &Suite) -> SuiteNote {
        let Suite { name, files, secrets, .. } = suite;
        SuiteNote { name: name.clone(), files: files.clone(), secrets: secrets.clone() }
    }

    #[cfg(test)]
    pub(crate) fn of_files(
        name: &str,
        files: Vec<(String, String)>,
        secrets: Secrets,
    ) -> SuiteNote {
        SuiteNote { name: name.to_owned(), files, secrets }
    }

    /// Checks the files again, as if they had just been read.
    pub(crate) fn suite(self) -> Result<Suite, Error> {
        let files = self.files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
        Ok(Suite::with_secrets(&self.name, files, self.secrets)?)
    }

    /// What is different in the files of that suite, those of hidden testcases included.
    pub(crate) fn changes(&self, suite: &Suite) -> Vec<SuiteChange> {
        let all = |files: &[(String, String)], secrets: &Secrets| [files, &secrets.files].concat();
        let before = all(&self.files, &self.secrets);
        suite_changes(&before, &all(&suite.files, &suite.secrets))
    }

    /// True if seeds come out of another key there.
    pub(crate) fn has_other_key(&self, suite: &Suite) -> bool {
        self.secrets.key != suite.secrets.key
    }
}

impl Fact for SuiteNote {
    type About = ();

    fn name((): &()) -> String {
        "suite".to_owned()
    }
}
