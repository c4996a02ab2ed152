//! Choice of the rounds of a course that are written as pages.

use judge_runner::course::Pages;

/// Rounds of a course that are written as a file and a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum PagesArg {
    /// None.
    #[default]
    None,
    /// The deciding round of each testcase that was not passed.
    Worst,
    /// All rounds; 100 kB or more each.
    All,
}

impl From<PagesArg> for Pages {
    fn from(pages: PagesArg) -> Pages {
        match pages {
            PagesArg::None => Pages::None,
            PagesArg::Worst => Pages::Worst,
            PagesArg::All => Pages::All,
        }
    }
}
