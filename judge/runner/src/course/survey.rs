//! Checks of the submissions before the first round: their students, their games, and duplicate
//! programs.

use std::collections::{BTreeMap, BTreeSet};

use judge_core::{Event, Listener, printable};
use judge_grading::Suite;

use super::submissions::FoundSubmissions;
use super::{Assignment, Memory, gradebooks};
use crate::Error;
use crate::bots::roster::{Clues, Roster};
use crate::bots::submitted::{Findings, NameList};

/// Minimum number of students or submissions for refusing a list without a match.
const ENOUGH: usize = 3;

/// Collects the findings among the submissions.
pub(super) fn findings(found: &FoundSubmissions, suite: &Suite, memory: &Memory) -> Findings {
    let mut findings = Findings {
        passed_over: found.passed_over.clone(),
        people: found.submitters.people.clone(),
        submitted: found.submitters.submitted.clone(),
        ..Findings::default()
    };
    for one in &mut findings.passed_over {
        one.name = beside(&one.name, found).unwrap_or(&one.name).to_owned();
    }
    let submissions = found.submissions.iter().map(|one| &one.name);
    let others = findings.passed_over.iter().map(|one| &one.name);
    let names: BTreeSet<&String> = submissions.chain(others).collect();
    findings.people.retain(|name, _| names.contains(name));
    findings.submitted.retain(|name, _| names.contains(name));
    let mut all = BTreeMap::new();
    for one in &found.submissions {
        if let Some(module) = one.module_name() {
            findings.modules.insert(one.name.clone(), module);
        }
        let Some(sections) = one.sections(memory) else { continue };
        if let Some(games) = other_games(&sections.games, suite) {
            findings.other_games.insert(one.name.clone(), games);
        }
        all.insert(one.name.clone(), sections);
    }
    findings.compare(&all);
    findings
}

/// The first module of the platform's participant who also submitted this file, or else the
/// participant's first file. All files of a participant thus share one row.
fn beside<'a>(file: &str, found: &'a FoundSubmissions) -> Option<&'a str> {
    let participant = gradebooks::participant(file)?;
    let is_theirs = |name: &&str| gradebooks::participant(name).as_ref() == Some(&participant);
    let modules = found.submissions.iter().map(|one| one.name.as_str());
    let files = found.passed_over.iter().map(|one| one.name.as_str());
    modules.chain(files).find(is_theirs)
}

/// Reports repeated entries in a platform's list of submitters.
pub(super) fn tell_of_groups(
    found: &FoundSubmissions,
    events: &mut dyn Listener,
) -> Result<(), Error> {
    for text in &found.submitters.remarks {
        events.event(&Event::Warning { text: text.clone() })?;
    }
    Ok(())
}

/// The games that a bot states, if none of them is the suite's.
fn other_games(games: &[String], suite: &Suite) -> Option<String> {
    let is_played = |game: &String| suite.testcases.iter().any(|case| case.game == *game);
    let other = !games.is_empty() && !games.iter().any(is_played);
    other.then(|| printable(&games.join(", "), 60))
}

/// Matches a list of students to the submissions, and reports uncertain matches.
pub(super) fn matched(
    mut roster: Roster,
    everybody: &[String],
    findings: &Findings,
    events: &mut dyn Listener,
) -> Result<Roster, Error> {
    let of = |name: &String| (name.clone(), findings.clues(name));
    roster.take(&everybody.iter().map(of).collect::<Vec<_>>());
    // The module of a student precedes other files.
    let beside_none = findings.passed_over.iter().filter(|one| !roster.has(&one.name));
    // Several files may belong to the same participant.
    let beside_none: BTreeSet<&String> = beside_none.map(|one| &one.name).collect();
    let beside_none: Vec<(String, Vec<Clues>)> = beside_none.into_iter().map(of).collect();
    roster.take(&beside_none);
    for text in roster.remarks() {
        events.event(&Event::Warning { text })?;
    }
    Ok(roster)
}

/// Refuses a list that matches no submission. It is probably for another course, and every mark
/// would be without a student.
pub(super) fn refuse_what_does_not_fit(
    request: &Assignment,
    roster: &Roster,
    everybody: &[String],
) -> Result<(), Error> {
    let enough = roster.len().max(everybody.len()) >= ENOUGH;
    if request.options.allow_unmatched || roster.matched() > 0 || !enough {
        return Ok(());
    }
    let names = |all: &mut dyn Iterator<Item = &str>| {
        let mut names = NameList::default();
        all.for_each(|name| names.push(name.as_ref()));
        names
    };
    let listed = names(&mut roster.keys());
    let submitted = names(&mut everybody.iter().map(String::as_str));
    let list = match &request.students {
        Some(list) => format!("in `{}`", list.display()),
        None => "on the list of this run".to_owned(),
    };
    let what = format!(
        "no student {list} has a submission: the list has {listed}; submissions are \
         {submitted}; nothing was graded"
    );
    let hint = "the column `submission` has the names of the files without `.wasm`, or of the \
                folders; the columns `id` and `address` are compared as well; to grade without a \
                match: `--allow-unmatched`";
    Err(Error::Input { what, hint: Some(hint.to_owned()) })
}
