//! A comparison of the old version with several builds of the new one, which differ in constants.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use judge_core::{Digest, Event, Listener, printable};
use serde::Serialize;

use super::text::figure;
use super::{Answer, Outcome, Request, play, versions};
use crate::Error;
use crate::base::workers::{Workers, tell_of_missing_walls};
use crate::bots;
use crate::bots::sources::Define;
use crate::grade::compare::play::Comparison;
use crate::grade::conditions::{refuse_unfit, testcases};

/// Most builds in a comparison.
const MOST: usize = 64;

/// The outcome for several builds, in the order of their values.
#[derive(Debug, Clone, Serialize)]
pub struct Sweep {
    /// The builds.
    pub variants: Vec<Variant>,
}

/// A build with its constants, compared with the old version.
#[derive(Debug, Clone, Serialize)]
pub struct Variant {
    /// Its constants, each as `NAME=VALUE`.
    pub defines: Vec<String>,
    /// The comparison.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// The builds that constants with ranges such as `W=1..8` stand for: one for each combination of
/// values.
///
/// # Errors
/// If a range is empty, or there are too many combinations.
pub fn variants(defines: &[Define]) -> Result<Vec<Vec<Define>>, Error> {
    let mut all = vec![Vec::new()];
    for define in defines {
        let values = values(define)?;
        if all.len() * values.len() > MOST {
            let what = format!("`-D {define}` makes more than {MOST} builds");
            return Err(Error::usage(what, "give a shorter range"));
        }
        let extended = all.iter().flat_map(|before| {
            values.iter().map(|value| [before.as_slice(), std::slice::from_ref(value)].concat())
        });
        all = extended.collect();
    }
    Ok(all)
}

/// The constants for the values of a range; the constant itself if it has no range.
fn values(define: &Define) -> Result<Vec<Define>, Error> {
    let ends = define.value.split_once("..");
    let ends = ends.and_then(|(low, high)| low.parse::<i64>().ok().zip(high.parse::<i64>().ok()));
    let Some((low, high)) = ends else { return Ok(vec![define.clone()]) };
    if low > high {
        let what = format!("the range `{define}` is empty");
        return Err(Error::usage(what, format!("`{}={high}..{low}`", define.name)));
    }
    let all = (low..=high).take(MOST + 1);
    Ok(all.map(|value| Define { value: value.to_string(), ..define.clone() }).collect())
}

/// Compares every build of the new version with the old one.
///
/// # Errors
/// Those of [`super::run`]; if two builds are equal, because then a constant is not used.
pub fn sweep(
    request: &Request,
    builds: &[Vec<Define>],
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Sweep, Error> {
    let mut bots = Vec::new();
    for defines in builds {
        bots.push(versions(request, defines, events)?);
    }
    refuse_equal(request, &bots, builds)?;
    let suite = request.suite.suite(bots.first().map_or(&[], |both| both), events)?;
    for bot in bots.iter().flatten() {
        refuse_unfit(bot, &suite)?;
    }
    if let Some([old, new]) = bots.first() {
        bots::tell_of_other_suite(old, &suite, events)?;
        bots::tell_of_other_suite(new, &suite, events)?;
    }
    let (run, testcases) = (workers.run(), testcases(&suite));
    let mut variants = Vec::new();
    for (both, defines) in bots.iter().zip(builds) {
        let versions = both.each_ref().map(|bot| &bot.submission);
        let mut comparison = Comparison::new(&testcases, versions, request.seeds.first);
        let outcome = play(&mut comparison, request.seeds.most, builds.len(), &run, events)?;
        let defines = defines.iter().map(Define::to_string).collect();
        variants.push(Variant { defines, outcome });
    }
    tell_of_missing_walls(&run, events)?;
    events.event(&Event::Finished)?;
    Ok(Sweep { variants })
}

/// Refuses builds with the same module.
fn refuse_equal(
    request: &Request,
    bots: &[[bots::BotSource; 2]],
    builds: &[Vec<Define>],
) -> Result<(), Error> {
    let mut known: BTreeSet<Digest> = BTreeSet::new();
    let is_new = |[_, new]: &[bots::BotSource; 2]| known.insert(new.submission.bot.sha256);
    let Some(at) = bots.iter().map(is_new).position(|is_new| !is_new) else { return Ok(()) };
    let define = builds[at].iter().map(Define::to_string).collect::<Vec<_>>().join(" ");
    let what = format!(
        "`{}` with {define} is the same module as with another value",
        request.new.display()
    );
    let hint = "use the constant in the source, and let the source set it only `#ifndef`";
    Err(Error::Input { what, hint: Some(hint.to_owned()) })
}

impl Sweep {
    /// The builds with the largest score difference, as a sentence.
    fn largest(&self) -> String {
        let Some(best) = self.best() else { return String::new() };
        let same = |one: &&Variant| one.outcome.difference.value >= best.outcome.difference.value;
        let names: Vec<String> = self.variants.iter().filter(same).map(Variant::name).collect();
        if names.len() == self.variants.len() && names.len() > 1 {
            return "all builds have the same score difference".to_owned();
        }
        format!("largest score difference: {}", names.join(", "))
    }

    /// The build with the largest score difference.
    pub fn best(&self) -> Option<&Variant> {
        let value = |variant: &&Variant| variant.outcome.difference.value;
        self.variants.iter().max_by(|one, other| value(one).total_cmp(&value(other)))
    }

    /// Formats the figures for people.
    pub fn to_text(&self) -> String {
        let Some(first) = self.variants.first() else { return String::new() };
        let outcome = &first.outcome;
        let width = self.variants.iter().map(|one| one.name().chars().count()).max().unwrap_or(0);
        let width = width.max("constants".len());
        let mut text = format!(
            "builds against old {}: at most {} rounds per testcase and version, seeds from {}\n\n",
            printable(&outcome.versions[0], 60),
            outcome.most_rounds,
            outcome.seed
        );
        // Writing to a string cannot fail. The same holds below.
        let _ = writeln!(
            text,
            "{:width$}  rounds  {:28}testcases passed  answer",
            "constants", "score difference"
        );
        for variant in &self.variants {
            let Outcome { rounds, difference, passed: [old, new], answer, .. } = &variant.outcome;
            let passed = format!("{old:.2} -> {new:.2}");
            let _ = writeln!(
                text,
                "{:width$}  {rounds:6}  {:28}{passed:16}  {}",
                variant.name(),
                figure(difference),
                word(*answer)
            );
        }
        text + &format!("\n{}\n", self.largest())
    }
}

impl Variant {
    /// Its constants, for people.
    fn name(&self) -> String {
        printable(&self.defines.join(" "), 40)
    }
}

fn word(answer: Answer) -> &'static str {
    match answer {
        Answer::Better => "better",
        Answer::Worse => "worse",
        Answer::Undecided => "undecided",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(defines: &[&str]) -> Result<Vec<String>, String> {
        let defines: Vec<Define> = defines.iter().map(|one| one.parse().expect("one")).collect();
        let join =
            |build: &Vec<Define>| build.iter().map(Define::to_string).collect::<Vec<_>>().join(" ");
        let builds = variants(&defines).map_err(|error| error.to_string())?;
        Ok(builds.iter().map(join).collect())
    }

    #[test]
    fn ranges_become_all_combinations() {
        assert_eq!(shown(&[]), Ok(vec![String::new()]));
        assert_eq!(shown(&["W=3", "S=a..b"]), Ok(vec!["W=3 S=a..b".to_owned()]));
        let both = ["A=-1 B=5", "A=-1 B=6", "A=0 B=5", "A=0 B=6"].map(str::to_owned);
        assert_eq!(shown(&["A=-1..0", "B=5..6"]), Ok(both.to_vec()));
        assert_eq!(shown(&["A=1..64"]).map(|builds| builds.len()), Ok(MOST));
        for (defines, told) in [
            (&["A=8..1"][..], "the range `A=8..1` is empty"),
            (&["A=1..65"], "makes more than 64 builds"),
            (&["A=1..9", "B=1..9"], "`-D B=1..9` makes more than 64 builds"),
            (&["A=0..9223372036854775807"], "makes more than 64 builds"),
        ] {
            let error = shown(defines).expect_err("an error");
            assert!(error.contains(told), "{error}");
        }
    }
}
