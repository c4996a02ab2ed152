//! Matches submissions to students on the list: by submission name, address, full name, number, or
//! the letters of the name. Each step only takes unique matches.

use std::collections::{BTreeMap, BTreeSet};

use judge_core::printable;

use super::identifier::{is_blind, is_identified};
use super::logins::{by_login, login_in};
use super::{Clues, RosterEntry};

/// A list of students in the course of matching.
#[derive(Debug, Clone)]
pub(crate) struct Roster {
    pub(super) entries: Vec<Listed>,
    /// Names of all submissions so far.
    submissions: BTreeSet<String>,
    /// Remarks on uncertain and undecided matches.
    pub(super) remarks: Vec<String>,
    /// Guessed matches: the rule, the submission and the student.
    guesses: Vec<(&'static str, [String; 2])>,
    /// The ids of submissions, from the instructor's file.
    mapping: BTreeMap<String, String>,
    /// Group members who are not on the list, with the group's submission.
    strangers: Vec<(String, Clues)>,
    /// Submissions and ids, for the mapping lines that would decide open cases.
    pub(super) to_map: Vec<[String; 2]>,
    /// Groups with several submissions.
    pub(super) split: Vec<String>,
    /// Submissions that count for a group.
    pub(super) shared: Vec<String>,
}

#[derive(Debug, Clone)]
pub(super) struct Listed {
    /// The submission's name on the list.
    pub(super) key: String,
    pub(super) student: RosterEntry,
    /// The name of the student's submission.
    pub(super) submission: Option<String>,
    /// True if the student has it as a member of a group.
    pub(super) shares: bool,
    /// The person's name in `key`, if no other line has the same.
    name_in_key: Option<String>,
}

/// A submission, or one of its submitters.
pub(super) struct RosterCandidate<'a> {
    pub(super) name: &'a str,
    pub(super) clues: &'a Clues,
    /// False for the other submitters of a group.
    is_first: bool,
    /// True for one of several submitters.
    pub(super) is_together: bool,
    /// The submission's id in the instructor's mapping.
    mapped: Option<String>,
    /// A login on the list with which the name ends.
    pub(super) login: Option<String>,
}

/// A rule for recognizing a student.
struct MatchingRule {
    fits: fn(&RosterCandidate<'_>, &Listed) -> bool,
    /// The feature that it compares, in words.
    by: &'static str,
    /// True if a match is a guess, which must be reported.
    guess: bool,
    /// True if students choose the feature themselves.
    chosen: bool,
}

const STEPS: [MatchingRule; 10] = [
    MatchingRule { fits: by_mapping, by: "the mapping", guess: false, chosen: false },
    MatchingRule { fits: by_key, by: "submission name", guess: false, chosen: false },
    MatchingRule { fits: by_identifier, by: "identifier", guess: false, chosen: false },
    MatchingRule { fits: by_address, by: "address", guess: false, chosen: false },
    MatchingRule { fits: by_full_name, by: "full name", guess: false, chosen: true },
    MatchingRule { fits: by_group_and_name, by: "group and name", guess: false, chosen: true },
    MatchingRule { fits: by_number, by: "number", guess: false, chosen: false },
    MatchingRule { fits: by_login, by: "login", guess: false, chosen: false },
    MatchingRule {
        fits: by_name_after_group,
        by: "the name after a group's",
        guess: true,
        chosen: true,
    },
    // Several students may have the same letters.
    MatchingRule { fits: by_letters, by: "the letters of the name", guess: true, chosen: true },
];

/// Maximum number of guesses that a message names.
const MOST_GUESSES: usize = 3;

impl Roster {
    /// Creates a list, keyed by the submissions' names on it.
    pub(crate) fn new(students: BTreeMap<String, RosterEntry>) -> Roster {
        let mut entries = Vec::new();
        for (key, mut student) in students {
            let members = std::mem::take(&mut student.members);
            entries.push(Listed::new(key, student));
            entries.extend(members.into_iter().map(|(key, member)| Listed::new(key, member)));
        }
        only_unique_names(&mut entries);
        Roster {
            entries,
            submissions: BTreeSet::new(),
            remarks: Vec::new(),
            guesses: Vec::new(),
            mapping: BTreeMap::new(),
            strangers: Vec::new(),
            to_map: Vec::new(),
            split: Vec::new(),
            shared: Vec::new(),
        }
    }

    /// Adds the instructor's mapping of submissions to ids.
    pub(crate) fn with_mapping(self, mapping: BTreeMap<String, String>) -> Roster {
        Roster { mapping, ..self }
    }

    /// Matches the students on the list to submissions and their submitters.
    pub(crate) fn take(&mut self, submissions: &[(String, Vec<Clues>)]) {
        self.submissions.extend(submissions.iter().map(|(name, _)| name.clone()));
        let mapping = self.mapping.clone();
        let mut left: Vec<RosterCandidate<'_>> = Vec::new();
        for (name, submitters) in submissions {
            left.extend(submitters.iter().enumerate().map(|(at, clues)| RosterCandidate {
                name,
                clues,
                is_first: at == 0,
                is_together: submitters.len() > 1,
                mapped: mapping.get(name).cloned(),
                login: login_in(name, *clues == Clues::default(), &self.entries),
            }));
        }
        for step in &STEPS {
            self.step(step, &mut left);
        }
        self.share(&left);
        self.tell_of_homonyms(&left);
        for one in &left {
            self.tell_of_zeros(one);
            self.note_stranger(one);
        }
    }

    /// Assigns all unique matches of a rule.
    fn step(&mut self, step: &MatchingRule, left: &mut Vec<RosterCandidate<'_>>) {
        let mut taken = BTreeSet::new();
        for (entry, fitting) in self.fitting(step, left) {
            let names: BTreeSet<&str> = fitting.iter().map(|at| left[*at].name).collect();
            let alone = || fitting.iter().filter(|at| !left[**at].is_together);
            let only = match (names.len(), alone().count()) {
                (1, _) => fitting[0],
                // An individual submission takes precedence, because the student made it without
                // the group.
                (_, 1) => {
                    let own = *alone().next().unwrap_or(&fitting[0]);
                    self.tell_of_own(entry, left[own].name, &names);
                    own
                }
                _ => {
                    self.undecided(entry, &names);
                    continue;
                }
            };
            self.assign(entry, &left[only], step);
            taken.extend(fitting);
        }
        let mut number = 0..;
        left.retain(|_| number.next().is_some_and(|number| !taken.contains(&number)));
    }

    /// For each entry without a submission, the candidates that match only this entry.
    fn fitting(
        &self,
        step: &MatchingRule,
        left: &[RosterCandidate<'_>],
    ) -> BTreeMap<usize, Vec<usize>> {
        let mut fitting: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, one) in left.iter().enumerate() {
            if let [entry] = self.open_for(step, one).as_slice() {
                fitting.entry(*entry).or_default().push(at);
            }
        }
        fitting
    }

    /// Entries without a submission that match a candidate. A mapped submission can only match
    /// through the mapping.
    fn open_for(&self, step: &MatchingRule, one: &RosterCandidate<'_>) -> Vec<usize> {
        if one.mapped.is_some() && step.by != STEPS[0].by {
            return Vec::new();
        }
        let entries = self.entries.iter().enumerate();
        let open = entries.filter(|(_, entry)| entry.submission.is_none());
        open.filter(|(_, entry)| (step.fits)(one, entry)).map(|(at, _)| at).collect()
    }

    /// The entries that a candidate could belong to, if there are several: homonyms on the list.
    pub(super) fn several_for(&self, one: &RosterCandidate<'_>) -> Option<Vec<usize>> {
        STEPS.iter().map(|step| self.open_for(step, one)).find(|open| open.len() > 1)
    }

    fn assign(&mut self, entry: usize, one: &RosterCandidate<'_>, step: &MatchingRule) {
        if step.chosen {
            self.tell_of_contradiction(entry, one);
        }
        if one.mapped.is_some() {
            self.tell_of_name(entry, one);
        }
        let entry = &mut self.entries[entry];
        entry.submission = Some(one.name.to_owned());
        let is_alone = names_disagree(one.clues, &entry.student) && one.mapped.is_none();
        let (name, who) = (printable(one.name, 60), printable(entry.shown(), 60));
        if step.guess {
            self.guesses.push((step.by, [name, who]));
        } else if is_alone {
            let by = step.by;
            self.remarks.push(format!(
                "`{name}` was matched to `{who}` by {by} only: the person's name differs"
            ));
        }
    }

    /// Remarks on uncertain and open matches. All guesses by the same rule share a line.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let guesses = STEPS.iter().filter_map(|step| self.guesses_by(step.by));
        self.remarks.iter().cloned().chain(self.group_remarks()).chain(guesses).collect()
    }

    fn guesses_by(&self, by: &str) -> Option<String> {
        let guesses = self.guesses.iter().filter(|(of, _)| *of == by);
        let all: Vec<&[String; 2]> = guesses.map(|(_, guess)| guess).collect();
        if let [[name, who]] = all.as_slice() {
            return Some(format!("`{name}` was matched to `{who}` by {by}"));
        }
        let first = all.iter().take(MOST_GUESSES);
        let first = first.map(|[name, who]| format!("`{name}` to `{who}`"));
        let first = first.collect::<Vec<_>>().join(", ");
        let more = match all.len().saturating_sub(MOST_GUESSES) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let number = all.len();
        (number > 0).then(|| {
            format!(
                "{number} submissions were matched by {by}: {first}{more}; numbers in the column \
                 `id` make it certain"
            )
        })
    }

    /// True if a submitter is on the list for certain, with or without a submission.
    fn is_listed(&self, one: &RosterCandidate<'_>) -> bool {
        let mut certain = STEPS.iter().filter(|step| !step.guess);
        certain.any(|step| self.entries.iter().any(|entry| (step.fits)(one, entry)))
    }

    /// Reports an unlisted submitter of a matched group submission.
    fn note_stranger(&mut self, one: &RosterCandidate<'_>) {
        let who = one.clues.full_name.as_ref().or(one.clues.number.as_ref());
        let is_strange = one.is_together && self.has(one.name) && !self.is_listed(one);
        let Some(who) = who.filter(|_| is_strange) else { return };
        self.remarks.push(format!(
            "`{}`: `{}` of the group is not on the list",
            printable(one.name, 60),
            printable(who, 60)
        ));
        self.strangers.push((one.name.to_owned(), one.clues.clone()));
    }

    /// Reports a number that equals a listed one except for leading zeros, which spreadsheets drop.
    fn tell_of_zeros(&mut self, one: &RosterCandidate<'_>) {
        let number = one.clues.number.as_deref().unwrap_or(one.name);
        let is_like = |id: &&str| same_without_zeros(id, number);
        let open = self.entries.iter().filter(|entry| entry.submission.is_none());
        let like = open.filter_map(|entry| Some((entry, entry.student.id.as_deref()?)));
        let Some((entry, id)) = like.into_iter().find(|(_, id)| is_like(id)) else { return };
        self.remarks.push(format!(
            "`{}` has the number `{}`, and the list has `{}` of `{}`: a spreadsheet drops leading \
             zeros; format the column `id` as text",
            printable(one.name, 60),
            printable(number, 60),
            printable(id, 60),
            printable(entry.shown(), 60)
        ));
    }

    /// Reports a match by name if number or address belong to another student on the list. Students
    /// can choose their displayed names.
    fn tell_of_contradiction(&mut self, entry: usize, one: &RosterCandidate<'_>) {
        let is_of = |other: &Listed| by_number(one, other) || by_address(one, other);
        let mut others = self.entries.iter().enumerate();
        let Some((_, other)) = others.find(|(at, other)| *at != entry && is_of(other)) else {
            return;
        };
        let [name, who, other] =
            [one.name, self.entries[entry].shown(), other.shown()].map(|text| printable(text, 60));
        self.remarks.push(format!(
            "`{name}` was matched to `{who}` by the name, but its number or address is that of \
             `{other}`"
        ));
    }

    /// Reports a mapped submission whose name is that of another student on the list: a spreadsheet
    /// that drops leading zeros can turn one id into another.
    fn tell_of_name(&mut self, entry: usize, one: &RosterCandidate<'_>) {
        let is_of = |other: &Listed| {
            one.clues.full_name.is_some() && !names_disagree(one.clues, &other.student)
        };
        let other = self.entries.iter().find(|other| is_of(other));
        let Some(other) = other.filter(|_| !is_of(&self.entries[entry])) else { return };
        let [name, who, other] =
            [one.name, self.entries[entry].shown(), other.shown()].map(|text| printable(text, 60));
        self.remarks.push(format!(
            "`{name}` is mapped to `{who}`, but has the name of `{other}`: check the id in the \
             mapping"
        ));
    }

    fn undecided(&mut self, entry: usize, names: &BTreeSet<&str>) {
        let names: Vec<String> =
            names.iter().map(|name| format!("`{}`", printable(name, 60))).collect();
        let who = printable(self.entries[entry].shown(), 60);
        let (number, names) = (names.len(), names.join(", "));
        let text = format!(
            "{number} submissions could be from `{who}`: {names}; none is credited to them"
        );
        if !self.remarks.contains(&text) {
            self.remarks.push(text);
        }
    }

    /// Reports a member with an individual submission in addition to a group's.
    fn tell_of_own(&mut self, entry: usize, own: &str, names: &BTreeSet<&str>) {
        let others = names.iter().filter(|name| **name != own);
        let others: Vec<String> = others.map(|name| format!("`{}`", printable(name, 60))).collect();
        self.remarks.push(format!(
            "`{}` submitted `{}` individually and {} with a group: the first one counts",
            printable(self.entries[entry].shown(), 60),
            printable(own, 60),
            others.join(", ")
        ));
    }

    /// True if a submission is matched to a student.
    pub(crate) fn has(&self, submission: &str) -> bool {
        self.entries.iter().any(|entry| entry.submission.as_deref() == Some(submission))
    }

    /// The submissions' names on the list.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.key.as_str())
    }

    /// Submissions and ids, for the mapping lines that would distinguish homonyms.
    pub(crate) fn to_map(&self) -> &[[String; 2]] {
        &self.to_map
    }

    /// The submissions' names on the list, by the keys of the marks.
    pub(crate) fn keys_of_marks(&self) -> BTreeMap<String, String> {
        let places = std::iter::zip(self.mark_keys(), &self.entries);
        places.map(|(place, entry)| (place.key, entry.key.clone())).collect()
    }

    /// Number of students on the list.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Number of students with a submission.
    pub(crate) fn matched(&self) -> usize {
        self.entries.iter().filter(|entry| entry.submission.is_some()).count()
    }

    /// Keys of all marks: the submission's name for its first student, the list's key for others.
    fn mark_keys(&self) -> Vec<MarkKey> {
        let mut first: BTreeMap<&str, usize> = BTreeMap::new();
        // Members who share a submission come after the student who made it.
        for shares in [false, true] {
            for (at, entry) in self.entries.iter().enumerate().filter(|(_, e)| e.shares == shares) {
                if let Some(name) = &entry.submission {
                    first.entry(name).or_insert(at);
                }
            }
        }
        let own = |entry: &Listed| {
            let mut key = entry.key.clone();
            while self.submissions.contains(&key) {
                key.push('*');
            }
            key
        };
        let place = |(at, entry): (usize, &Listed)| {
            let is_first = |name: &&String| first.get(name.as_str()) == Some(&at);
            let theirs = entry.submission.as_ref().filter(is_first);
            let is_member = theirs.is_none() && entry.submission.is_some();
            MarkKey { key: theirs.cloned().unwrap_or_else(|| own(entry)), is_member }
        };
        self.entries.iter().enumerate().map(place).collect()
    }

    /// The students by their submissions' names, or by the list's keys if they have none. The first
    /// student of a submission carries the other members of the group.
    pub(crate) fn students(self) -> BTreeMap<String, RosterEntry> {
        let places = self.mark_keys();
        let mut found: BTreeMap<String, RosterEntry> = BTreeMap::new();
        let mut members = Vec::new();
        for (place, entry) in std::iter::zip(places, self.entries) {
            match entry.submission.filter(|_| place.is_member) {
                Some(submission) => members.push((submission, place.key, entry.student)),
                None => drop(found.insert(place.key, entry.student)),
            }
        }
        for (number, (submission, clues)) in (2..).zip(self.strangers) {
            let key = format!("{submission} #{number}");
            members.push((submission, key, clues.into()));
        }
        for (submission, key, student) in members {
            if let Some(first) = found.get_mut(&submission) {
                first.members.insert(key, student);
            }
        }
        found
    }
}

/// The key of a mark.
struct MarkKey {
    key: String,
    /// True for a further member of the submission's group.
    is_member: bool,
}

impl Listed {
    fn new(key: String, student: RosterEntry) -> Listed {
        let name_in_key = Clues::from_name(&key).full_name;
        Listed { key, student, submission: None, shares: false, name_in_key }
    }

    pub(super) fn shown(&self) -> &str {
        self.student.name.as_deref().unwrap_or(&self.key)
    }
}

/// Removes names in keys that are not unique. All blind submissions have the same name.
fn only_unique_names(entries: &mut [Listed]) {
    let mut number: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    for name in entries.iter().filter_map(|entry| entry.name_in_key.as_deref()) {
        *number.entry(words(name)).or_default() += 1;
    }
    for entry in entries {
        entry.name_in_key = entry.name_in_key.take().filter(|name| number[&words(name)] == 1);
    }
}

fn by_mapping(one: &RosterCandidate<'_>, entry: &Listed) -> bool {
    one.mapped.is_some() && one.mapped == entry.student.id
}

fn by_key(one: &RosterCandidate<'_>, entry: &Listed) -> bool {
    one.is_first && one.name == entry.key
}

fn by_identifier(one: &RosterCandidate<'_>, entry: &Listed) -> bool {
    one.is_first && is_identified(one.name, &entry.student)
}

fn by_address(one: &RosterCandidate<'_>, entry: &Listed) -> bool {
    let own = [one.clues.address.as_deref(), Some(one.name).filter(|_| one.is_first)];
    let theirs = [entry.student.address.as_deref(), entry.student.id.as_deref(), Some(&entry.key)];
    let same = |own: &str| {
        let own = own.to_lowercase();
        theirs.iter().flatten().any(|other| own == other.to_lowercase())
    };
    own.into_iter().flatten().filter(|text| text.contains('@')).any(same)
}

fn by_full_name(one: &RosterCandidate<'_>, entry: &Listed) -> bool {
    let Some(own) = one.full_name() else { return false };
    let theirs = [entry.student.name.as_deref(), Some(&entry.key), entry.name_in_key.as_deref()];
    theirs.into_iter().flatten().any(|name| words(name) == words(own))
}

/// Matches `GROUP-Given Family`, a platform's name for a group's submission.
fn by_group_and_name(one: &RosterCandidate<'_>, entry: &Listed) -> bool {
    let Some(group) = &entry.student.group else { return false };
    one.after_group(entry).any(|(before, _)| words(before) == words(group))
}

/// Matches such a name with a group that the list does not have.
fn by_name_after_group(one: &RosterCandidate<'_>, entry: &Listed) -> bool {
    one.after_group(entry).next().is_some()
}

fn by_number(one: &RosterCandidate<'_>, entry: &Listed) -> bool {
    let name = Some(one.name).filter(|_| one.is_first);
    let Some(number) = one.clues.number.as_deref().or(name) else { return false };
    entry.student.id.as_deref() == Some(number) || entry.key == number
}

fn by_letters(one: &RosterCandidate<'_>, entry: &Listed) -> bool {
    let Some(letters) = one.clues.letters.as_deref() else { return false };
    letters_of(entry.shown()).iter().any(|theirs| theirs == letters)
}

impl<'a> RosterCandidate<'a> {
    /// The person's name, or else the submission's.
    pub(super) fn full_name(&self) -> Option<&'a str> {
        self.clues.full_name.as_deref().or(Some(self.name).filter(|_| self.is_first))
    }

    /// True for a submission in the mapping.
    pub(super) fn is_mapped(&self) -> bool {
        self.mapped.is_some()
    }

    /// The ways to split a name into a group's name, a hyphen, and the entry's name.
    fn after_group(&self, entry: &Listed) -> impl Iterator<Item = (&'a str, &'a str)> {
        let theirs = words(entry.shown());
        let full = self.clues.full_name.as_deref();
        after_hyphens(full.unwrap_or_default()).filter(move |(_, name)| words(name) == theirs)
    }
}

/// Splits a name at each of its hyphens.
fn after_hyphens(name: &str) -> impl Iterator<Item = (&str, &str)> {
    name.match_indices('-').map(|(at, _)| (&name[..at], &name[at + 1..]))
}

/// True for numbers that differ only by leading zeros.
pub(crate) fn same_without_zeros(one: &str, other: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let bare = |text: &str| text.trim_start_matches('0').to_owned();
    one != other && is_number(one) && is_number(other) && bare(one) == bare(other)
}

/// True if both have a name, and the names differ.
fn names_disagree(clues: &Clues, student: &RosterEntry) -> bool {
    let Some(name) = &student.name else { return false };
    let is_same = |full: &str| {
        let mut parts = after_hyphens(full).map(|(_, after)| after);
        words(full) == words(name) || parts.any(|after| words(after) == words(name))
    };
    let full = clues.full_name.as_deref().is_some_and(|full| !is_same(full));
    let full = full && !is_blind(clues, student);
    let letters = clues.letters.as_ref().is_some_and(|own| !letters_of(name).contains(own));
    full || letters
}

/// The words of a name, in small letters.
pub(super) fn words(name: &str) -> Vec<String> {
    name.split_whitespace().map(str::to_lowercase).collect()
}

/// The letters and digits of a name in small letters, starting with each of its words.
pub(super) fn letters_of(name: &str) -> Vec<String> {
    let parts = name.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
    let parts: Vec<String> = parts.map(str::to_lowercase).collect();
    (0..parts.len()).map(|at| parts[at..].concat() + &parts[..at].concat()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roster(list: &[(&str, [&str; 3])]) -> Roster {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let student = |[name, id, address]: [&str; 3]| RosterEntry {
            name: text(name),
            id: text(id),
            address: text(address),
            ..RosterEntry::default()
        };
        Roster::new(
            list.iter().map(|(key, fields)| ((*key).to_owned(), student(*fields))).collect(),
        )
    }

    fn take(roster: &mut Roster, names: &[&str]) {
        let named = names.iter().map(|name| ((*name).to_owned(), vec![Clues::from_name(name)]));
        roster.take(&named.collect::<Vec<_>>());
    }

    #[test]
    fn a_student_is_matched_by_name_number_or_address() {
        let mut roster = roster(&[
            ("ada", ["Ada King", "7", ""]),
            ("x1", ["Bob Doe", "8", "bob@uni.edu"]),
            ("Cat van Dam", ["Cat van Dam", "", ""]),
            ("Eve Ant", ["Eve Ant", "99", ""]),
            ("zed", ["", "", ""]),
        ]);
        take(
            &mut roster,
            &["ada", "BOB@uni.edu", "vandamcat_1_2_bot", "eve ant_5_assignsubmission_file_"],
        );
        assert_eq!((roster.len(), roster.matched()), (5, 4));
        let told = ["`vandamcat_1_2_bot` was matched to `Cat van Dam` by the letters of the name"];
        assert_eq!(roster.remarks(), told);
        let students = roster.students();
        assert_eq!(students["BOB@uni.edu"].id.as_deref(), Some("8"));
        assert!(students.contains_key("zed") && !students.contains_key("x1"));
    }

    #[test]
    fn many_guesses_are_reported_in_one_line() {
        let names = ["Ann Lee", "Bob Doe", "Cat Ray", "Dan Ruf", "Eve Ant"];
        let mut roster = roster(&names.map(|name| (name, [name, "", ""])));
        take(
            &mut roster,
            &["leeann_1_9_x", "doebob_2_9_x", "raycat_3_9_x", "rufdan_4_9_x", "anteve_5_9_x"],
        );
        assert_eq!(roster.matched(), 5);
        let told = "5 submissions were matched by the letters of the name: `leeann_1_9_x` to \
                    `Ann Lee`, `doebob_2_9_x` to `Bob Doe`, `raycat_3_9_x` to `Cat Ray` and 2 \
                    more; numbers in the column `id` make it certain";
        assert_eq!(roster.remarks(), [told]);
    }

    #[test]
    fn an_ambiguous_match_is_not_decided() {
        let mut roster = roster(&[("a", ["Ann Lee", "1", ""]), ("b", ["Ann Lee", "2", ""])]);
        take(&mut roster, &["Ann Lee_55_assignsubmission_file_"]);
        assert_eq!(roster.matched(), 0, "there are two of that name");
        let told = "`Ann Lee_55_assignsubmission_file_` could belong to 2 students: `Ann Lee` (1), \
                    `Ann Lee` (2); its name in the column `submission` decides";
        assert_eq!(roster.remarks(), [told]);
        take(&mut roster, &["Ann Lee_2_assignsubmission_file_", "1"]);
        assert_eq!(roster.matched(), 2);
        let mut one = self::roster(&[("a", ["Ann Lee", "1", ""])]);
        take(&mut one, &["leeann_7_1_x", "leeann_7_2_y"]);
        assert_eq!(one.matched(), 0);
        assert!(
            one.remarks[0].starts_with("2 submissions could be from `Ann Lee`: `leeann_7_1_x`, `")
        );
        let mut other = self::roster(&[("a", ["Ann Lee", "7", ""])]);
        take(&mut other, &["doejoe_7_1_x"]);
        let told =
            ["`doejoe_7_1_x` was matched to `Ann Lee` by number only: the person's name differs"];
        assert_eq!(other.remarks(), told);
    }

    #[test]
    fn a_mapping_to_another_student_is_reported() {
        let list = [("a", ["Ann Lee", "00123", ""]), ("b", ["Bob Doe", "123", ""])];
        let remarks = |id: &str| {
            let name = "Ann Lee_55_assignsubmission_file_";
            let mapping = [(name.to_owned(), id.to_owned())].into();
            let mut roster = roster(&list).with_mapping(mapping);
            take(&mut roster, &[name]);
            assert_eq!(roster.matched(), 1, "the mapping decides");
            roster.remarks()
        };
        assert_eq!(remarks("00123"), [""; 0]);
        let told = "`Ann Lee_55_assignsubmission_file_` is mapped to `Bob Doe`, but has the name of \
                    `Ann Lee`: check the id in the mapping";
        assert_eq!(remarks("123"), [told]);
    }

    #[test]
    fn a_name_contradicted_by_another_students_number_is_reported() {
        let mut roster = roster(&[("a", ["Ada King", "12", ""]), ("b", ["Bob Doe", "77", ""])]);
        let clues = Clues {
            full_name: Some("Bob Doe".to_owned()),
            number: Some("12".to_owned()),
            ..Clues::default()
        };
        roster.take(&[("submission_1".to_owned(), vec![clues])]);
        let told = "`submission_1` was matched to `Bob Doe` by the name, but its number or address \
                    is that of `Ada King`";
        assert!(roster.remarks.iter().any(|remark| remark == told), "{:?}", roster.remarks);
    }
}
