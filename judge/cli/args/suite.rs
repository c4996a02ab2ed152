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
    /// Grade only on this testcase; may be repeated: a name in the suite, such as `03`, or without
    /// `--suite` also a file.
    #[arg(long = "testcase", value_name = "NAME|FILE.toml")]
    testcases: Vec<PathBuf>,
}

impl SuiteArgs {
    pub(crate) fn choice(&self) -> SuiteChoice {
        let testcases = self.testcases.clone();
        match self.suite.clone() {
            Some(suite) if testcases.is_empty() => SuiteChoice::Named(suite),
            Some(suite) => SuiteChoice::Part { suite, testcases },
            None if testcases.is_empty() => SuiteChoice::OfTheirGame,
            None => SuiteChoice::Testcases(testcases),
        }
    }
}
