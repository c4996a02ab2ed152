//! `judge compare`: two versions of a bot against the opponents of a suite, on the same seeds.

mod outcome;
mod pages;
mod play;
mod sweep;
mod text;

use std::path::PathBuf;

use judge_arena::{Entrant, Run};
use judge_core::{Event, Listener};
use judge_grading::Suite;

use crate::Error;
use crate::base::workers::{Workers, tell_of_missing_walls};
use crate::bots::sources::Define;
use crate::bots::versions;
use crate::bots::{self, BotSource};
use crate::grade::conditions::{refuse_unfit, testcases};
use crate::suites::SuiteChoice;
pub use judge_statistics::Answer;
use judge_statistics::looks;
pub use outcome::{ComparedTestcase, LostRound, Outcome};
use play::Comparison;
pub use sweep::{Sweep, Variant, sweep, variants};

/// Two versions, and the suite on which they are compared.
#[derive(Debug, Clone)]
pub struct Request {
    /// The old version.
    pub old: OldVersion,
    /// The file of the new version.
    pub new: PathBuf,
    /// Constants of the new version's build.
    pub defines: Vec<Define>,
    /// The testcases. Hidden ones need no key.
    pub suite: SuiteChoice,
    /// The seeds to play.
    pub seeds: SeedRange,
    /// Folder for the pages of the rounds in which the new version lost the most.
    pub pages: Option<PathBuf>,
}

/// The version to compare with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OldVersion {
    /// The bot in this file.
    File(PathBuf),
    /// The version that was built that many versions before the new one.
    Kept(usize),
}

impl From<PathBuf> for OldVersion {
    /// Takes `previous` and `@N` as kept versions, and everything else as a file.
    fn from(path: PathBuf) -> OldVersion {
        let back = path.to_str().and_then(versions::back);
        back.map_or(OldVersion::File(path), OldVersion::Kept)
    }
}

/// The fresh seeds of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeedRange {
    /// The first seed.
    pub first: u64,
    /// Maximum number of rounds per version and testcase, each with the next seed.
    pub most: u64,
}

/// Plays both versions until it is clear which one scores more, or up to the maximum.
///
/// # Errors
/// If a file cannot be read or written, a version cannot play at all, or the judge fails.
pub fn run(
    request: &Request,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    request.pages.iter().try_for_each(|folder| pages::prepare(folder))?;
    let bots = versions(request, &request.defines, events)?;
    let suite = request.suite.suite(&bots, events)?;
    for bot in &bots {
        refuse_unfit(bot, &suite)?;
        bots::tell_of_other_suite(bot, &suite, events)?;
    }
    let (run, testcases) = (workers.run(), testcases(&suite));
    let versions = bots.each_ref().map(|bot| &bot.submission);
    let mut comparison = Comparison::new(&testcases, versions, request.seeds.first);
    let mut outcome = play(&mut comparison, request.seeds.most, 1, &run, events)?;
    tell_of_missing_walls(&run, events)?;
    if let Some(folder) = &request.pages {
        pages::write(&comparison, &mut outcome, folder, &run)?;
    }
    events.event(&Event::Finished)?;
    Ok(outcome)
}

/// Compares two modules on all testcases of a suite.
pub(super) fn between(
    versions: [&Entrant; 2],
    suite: &Suite,
    seeds: SeedRange,
    run: &Run,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    let testcases = testcases(suite);
    let mut comparison = Comparison::new(&testcases, versions, seeds.first);
    play(&mut comparison, seeds.most, 1, run, events)
}

/// Plays until it is clear which version scores more, or up to the maximum. The interval is one of
/// those of `among` comparisons that together hold in 95 of 100 cases.
fn play(
    comparison: &mut Comparison<'_>,
    most: u64,
    among: usize,
    run: &Run,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    let looks = looks(most);
    for rounds in &looks {
        comparison.play_up_to(*rounds, run, events)?;
        if comparison.results.excludes_zero(looks.len() * among) {
            break;
        }
    }
    Ok(Outcome::new(comparison, most, (looks.len(), among)))
}

/// The old and the new version. A new one without constants is kept for later comparisons.
fn versions(
    request: &Request,
    defines: &[Define],
    events: &mut dyn Listener,
) -> Result<[BotSource; 2], Error> {
    if let (OldVersion::File(old), []) = (&request.old, defines) {
        let both = bots::read_all(&[old.clone(), request.new.clone()], events)?;
        both.iter().skip(1).for_each(BotSource::keep_version);
        return both.try_into().map_err(|_| Error::Judge("two bots were read".to_owned()));
    }
    let new = bots::with_defines(&request.new, defines, events)?;
    if defines.is_empty() {
        new.keep_version();
    }
    let old = match &request.old {
        OldVersion::File(old) => bots::with_defines(old, &[], events)?,
        OldVersion::Kept(back) => versions::earlier(&new, *back)?,
    };
    Ok([old, new])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_earlier_versions_are_parsed() {
        let old = |text: &str| OldVersion::from(PathBuf::from(text));
        assert_eq!([old("previous"), old("@3")], [OldVersion::Kept(1), OldVersion::Kept(3)]);
        for file in ["./previous", "@", "@x.wasm", "bot.cpp"] {
            assert_eq!(old(file), OldVersion::File(file.into()));
        }
    }
}
