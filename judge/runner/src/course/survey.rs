//! A look at all that was found before anything is played: who on the list it is of, which game it
//! plays, what is the same program twice.

use std::collections::{BTreeMap, BTreeSet};

use judge_core::{Event, Listener, printable};
use judge_grading::Suite;

use super::submissions::Found;
use super::{Memory, Request, gradebooks};
use crate::Error;
use crate::handed_in::{Account, Names};
use crate::roll::{Clues, Roll, Student};

/// Fewest students or submissions that a list which fits nobody is refused with.
const ENOUGH: usize = 3;

/// The account of what was found.
pub(super) fn account(found: &Found, suite: &Suite, memory: &Memory) -> Account {
    let mut account = Account {
        passed_over: found.passed_over.clone(),
        people: found.submitters.people.clone(),
        ..Account::default()
    };
    let is_there = |name: &String| found.submissions.iter().any(|one| one.name == *name);
    account.people.retain(|name, _| is_there(name));
    for one in &mut account.passed_over {
        one.name = beside(&one.name, found).unwrap_or(&one.name).to_owned();
    }
    let mut all = BTreeMap::new();
    for one in &found.submissions {
        if let Some(module) = one.module_name() {
            account.modules.insert(one.name.clone(), module);
        }
        let Some(sections) = one.sections(memory) else { continue };
        if let Some(games) = other_games(&sections.games, suite) {
            account.other_games.insert(one.name.clone(), games);
        }
        all.insert(one.name.clone(), sections);
    }
    account.compare(&all);
    account
}

/// The first module of the participant of a platform who handed in this file, too; without a module
/// their first file, so that they have one line.
fn beside<'a>(file: &str, found: &'a Found) -> Option<&'a str> {
    let participant = gradebooks::participant(file)?;
    let is_theirs = |name: &&str| gradebooks::participant(name).as_ref() == Some(&participant);
    let modules = found.submissions.iter().map(|one| one.name.as_str());
    let files = found.passed_over.iter().map(|one| one.name.as_str());
    modules.chain(files).find(is_theirs)
}

/// Tells which submissions several people handed in together: a mark goes to one of them.
pub(super) fn tell_of_groups(found: &Found, events: &mut dyn Listener) -> Result<(), Error> {
    for group in &found.submitters.groups {
        let text = format!(
            "`{}` is a group submission: only the first member is credited",
            printable(group, 60)
        );
        events.event(&Event::Warning { text })?;
    }
    Ok(())
}

/// The games that a bot says it plays, if none of them is the suite's.
fn other_games(games: &[String], suite: &Suite) -> Option<String> {
    let is_played = |game: &String| suite.testcases.iter().any(|case| case.game == *game);
    let other = !games.is_empty() && !games.iter().any(is_played);
    other.then(|| printable(&games.join(", "), 60))
}

/// A list of students held against what was found; tells of what is not plain.
pub(super) fn matched(
    students: BTreeMap<String, Student>,
    everybody: &[String],
    account: &Account,
    events: &mut dyn Listener,
) -> Result<Roll, Error> {
    let mut roll = Roll::new(students);
    let of = |name: &String| (name.clone(), account.clues(name));
    roll.take(&everybody.iter().map(of).collect::<Vec<_>>());
    // Whoever has a module as well has handed in that.
    let beside_none = account.passed_over.iter().filter(|one| !roll.has(&one.name));
    // Several files may be of one participant.
    let beside_none: BTreeSet<&String> = beside_none.map(|one| &one.name).collect();
    let beside_none: Vec<(String, Clues)> = beside_none.into_iter().map(of).collect();
    roll.take(&beside_none);
    for text in roll.remarks() {
        events.event(&Event::Warning { text })?;
    }
    Ok(roll)
}

/// Refuses a list that fits nobody: it is likely to be another one, and every mark would be
/// nobody's.
pub(super) fn refuse_what_does_not_fit(
    request: &Request,
    roll: &Roll,
    everybody: &[String],
) -> Result<(), Error> {
    let enough = roll.len().max(everybody.len()) >= ENOUGH;
    if request.allow_unmatched || roll.matched() > 0 || !enough {
        return Ok(());
    }
    let names = |all: &mut dyn Iterator<Item = &str>| {
        let mut names = Names::default();
        all.for_each(|name| names.push(name.as_ref()));
        names
    };
    let listed = names(&mut roll.keys());
    let handed_in = names(&mut everybody.iter().map(String::as_str));
    let list = match &request.students {
        Some(list) => format!("in `{}`", list.display()),
        None => "on the list of this run".to_owned(),
    };
    let what = format!(
        "nobody {list} is among the submissions: the list has {listed}; handed in were \
         {handed_in}; nothing was graded"
    );
    let hint = "the column `submission` has the names of the files without `.wasm`, or of the \
                folders; the columns `id` and `address` are compared as well; to grade without a \
                match: `--allow-unmatched`";
    Err(Error::Input { what, hint: Some(hint.to_owned()) })
}
