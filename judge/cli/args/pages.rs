//! Choice of the rounds of a course to write as pages.

use judge_runner::course::PagedRounds;

/// Rounds of a course to write as a file and a page.
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

impl From<PagesArg> for PagedRounds {
    fn from(pages: PagesArg) -> PagedRounds {
        match pages {
            PagesArg::None => PagedRounds::None,
            PagesArg::Worst => PagedRounds::Worst,
            PagesArg::All => PagedRounds::All,
        }
    }
}
