//! Choice of a suite or testcases.

use std::path::PathBuf;

use judge_runner::suites::SuiteChoice;

/// A suite, testcases, or the bundled suite of the bots' game.
#[derive(clap::Args)]
pub(crate) struct SuiteArgs {
    /// Choose a suite: the name of a bundled one, or the path of a folder (`./NAME` or `NAME/`).
    /// Default: the bundled suite of the game that the bots say they play.
    #[arg(long, value_name = "DIR|NAME")]
    pub(crate) suite: Option<PathBuf>,
    /// Grade on a single testcase instead of a suite; may be repeated.
    #[arg(long = "testcase", value_name = "FILE.toml", conflicts_with = "suite")]
    testcases: Vec<PathBuf>,
}

impl SuiteArgs {
    pub(crate) fn choice(&self) -> SuiteChoice {
        match &self.suite {
            _ if !self.testcases.is_empty() => SuiteChoice::Testcases(self.testcases.clone()),
            Some(suite) => SuiteChoice::Named(suite.clone()),
            None => SuiteChoice::OfTheirGame,
        }
    }
}
