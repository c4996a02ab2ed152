//! Groups on a list. A submission of one member, or one with the group's name, counts for all
//! members.

use std::collections::{BTreeMap, BTreeSet};

use judge_core::printable;

use super::matching::{RosterCandidate, letters_of, words};
use super::{Clues, Roster};

/// Maximum number of groups that a message names.
const MOST_GROUPS: usize = 3;

impl Roster {
    /// Credits the submission of a group to members without one. `left` has the unmatched
    /// submissions. Spellings of a group that differ only in case or spaces are one group.
    pub(super) fn share(&mut self, left: &[RosterCandidate<'_>]) {
        let mut groups: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
        for (at, entry) in self.entries.iter().enumerate() {
            if let Some(group) = &entry.student.group {
                groups.entry(words(group)).or_default().push(at);
            }
        }
        for members in groups.into_values() {
            let group = self.spelling(&members);
            self.share_in(&group, &members, left);
        }
    }

    /// The first member's spelling of their group. Reports that there are others.
    fn spelling(&mut self, members: &[usize]) -> String {
        let spelt = members.iter().filter_map(|at| self.entries[*at].student.group.clone());
        let mut spellings: Vec<String> = Vec::new();
        for group in spelt {
            if !spellings.contains(&group) {
                spellings.push(group);
            }
        }
        if spellings.len() > 1 {
            let all: Vec<String> =
                spellings.iter().map(|group| format!("`{}`", printable(group, 60))).collect();
            let remark = format!("these are taken for one group: {}", all.join(", "));
            note_once(&mut self.remarks, remark);
        }
        spellings.into_iter().next().unwrap_or_default()
    }

    fn share_in(&mut self, group: &str, members: &[usize], left: &[RosterCandidate<'_>]) {
        let of_group = left.iter().filter(|one| !one.is_mapped() && is_of_group(one, group));
        let of_group = of_group.filter(|one| !self.has(one.name));
        let named: BTreeSet<String> = of_group.map(|one| one.name.to_owned()).collect();
        let own = |at: &usize| self.entries[*at].submission.clone();
        let owned: BTreeSet<String> = members.iter().filter_map(own).collect();
        let open: Vec<usize> =
            members.iter().copied().filter(|at| self.entries[*at].submission.is_none()).collect();
        let all = if named.is_empty() { &owned } else { &named };
        let Some(submission) = all.first().filter(|_| all.len() == 1) else {
            // Moodle puts a copy of a team's submission into the folder of each member.
            let are_copies = all.iter().all(|name| is_named_first(name, group));
            if all.len() > 1 && !(are_copies && open.is_empty()) {
                self.note_several(group, all, open.len());
            }
            return;
        };
        if !named.is_empty() {
            let has_own = members.iter().filter(|at| !open.contains(at));
            has_own.for_each(|at| self.tell_of_own_beside(*at, group, submission));
        }
        if open.is_empty() {
            return;
        }
        for at in open {
            self.entries[at].submission = Some(submission.clone());
            self.entries[at].shares = true;
        }
        let has = |at: &&usize| self.entries[**at].submission.as_ref() == Some(submission);
        let number = members.iter().filter(has).count();
        let (group, submission) = (printable(group, 60), printable(submission, 60));
        self.shared.push(format!("`{submission}` for {number} of `{group}`"));
    }

    fn note_several(&mut self, group: &str, all: &BTreeSet<String>, open: usize) {
        let without = match open {
            0 => String::new(),
            open => format!(", none for {open} other members"),
        };
        let group = format!("`{}` ({}{without})", printable(group, 60), all.len());
        note_once(&mut self.split, group);
    }

    /// Reports a member with an individual submission in addition to the group's.
    fn tell_of_own_beside(&mut self, entry: usize, group: &str, submission: &str) {
        let entry = &self.entries[entry];
        let own = entry.submission.as_deref().unwrap_or_default();
        self.remarks.push(format!(
            "`{}` submitted `{}` individually, and the group `{}` has `{}`: the first one counts",
            printable(entry.shown(), 60),
            printable(own, 60),
            printable(group, 60),
            printable(submission, 60)
        ));
    }

    /// A line on submissions that count for groups, and a line on groups with several submissions.
    pub(super) fn group_remarks(&self) -> impl Iterator<Item = String> {
        let shared = first_of(&self.shared)
            .map(|named| format!("submissions that count for members of a group: {named}"));
        let split = first_of(&self.split).map(|named| {
            format!(
                "groups with several submissions, where members keep their individual ones: {named}"
            )
        });
        shared.into_iter().chain(split)
    }
}

/// Adds a note unless it is there: submissions are matched again when sources have been built.
fn note_once(notes: &mut Vec<String>, note: String) {
    if !notes.contains(&note) {
        notes.push(note);
    }
}

fn first_of(all: &[String]) -> Option<String> {
    let first = all.iter().take(MOST_GROUPS).cloned().collect::<Vec<_>>().join(", ");
    match all.len().saturating_sub(MOST_GROUPS) {
        _ if all.is_empty() => None,
        0 => Some(first),
        more => Some(format!("{first} and {more} more")),
    }
}

/// True for `GROUP-NAME` in the download of a platform.
fn is_named_first(name: &str, group: &str) -> bool {
    let (full, group) = (Clues::from_name(name).full_name.unwrap_or_default(), words(group));
    full.match_indices('-').any(|(at, _)| words(&full[..at]) == group)
}

/// True for a submission with the group's name, for `GROUP-NAME` as a platform writes it, and for
/// a repository `lab4-GROUP`.
fn is_of_group(one: &RosterCandidate<'_>, group: &str) -> bool {
    if one.clues.letters.as_ref().is_some_and(|letters| letters_of(group).contains(letters)) {
        return true;
    }
    if *one.clues == Clues::default() && is_at_end(one.name, group) {
        return true;
    }
    let group = words(group);
    let names = [Some(one.name), one.clues.full_name.as_deref()];
    names.into_iter().flatten().any(|name| {
        let mut before = name.match_indices('-').map(|(at, _)| words(&name[..at]));
        words(name) == group || before.any(|before| before == group)
    })
}

/// True if a repository's name ends with the group's, in which hyphens replace spaces. A number is
/// not enough: `lab-1` is not the work of group 1.
fn is_at_end(name: &str, group: &str) -> bool {
    let parts = |text: &str| {
        let parts = text.split(|letter: char| !letter.is_alphanumeric());
        parts.filter(|part| !part.is_empty()).map(str::to_lowercase).collect::<Vec<_>>()
    };
    let (name, group) = (parts(name), parts(group));
    let has_letters = group.iter().any(|part| part.contains(char::is_alphabetic));
    has_letters && name.len() > group.len() && name.ends_with(&group)
}

#[cfg(test)]
mod tests {
    use super::super::RosterEntry;
    use super::*;

    /// Returns a list of students and their groups.
    fn roster(list: &[(&str, &str)]) -> Roster {
        let student = |(name, group): &(&str, &str)| {
            let entry = RosterEntry {
                name: Some((*name).to_owned()),
                group: Some((*group).to_owned()).filter(|group| !group.is_empty()),
                ..RosterEntry::default()
            };
            ((*name).to_owned(), entry)
        };
        Roster::new(list.iter().map(student).collect())
    }

    fn take(roster: &mut Roster, names: &[&str]) {
        let named = names.iter().map(|name| ((*name).to_owned(), vec![Clues::from_name(name)]));
        roster.take(&named.collect::<Vec<_>>());
    }

    #[test]
    fn a_remark_is_given_once_for_submissions_in_two_parts() {
        let mut roster = roster(&[
            ("Ada", "Red"),
            ("Bob", "RED"),
            ("Cy", "Blue"),
            ("Dan", "Blue"),
            ("Eve", "Blue"),
        ]);
        take(&mut roster, &["Cy", "Dan"]);
        take(&mut roster, &["Ada"]);
        let told: Vec<String> = roster.remarks();
        let with = |part: &str| told.iter().filter(|line| line.contains(part)).count();
        assert_eq!(with("these are taken for one group: `Red`, `RED`"), 1, "{told:?}");
        let split = told.iter().find(|line| line.contains("several submissions"));
        assert_eq!(split.map(|line| line.matches("`Blue`").count()), Some(1), "{told:?}");
    }

    #[test]
    fn a_submission_counts_for_all_members_of_a_group() {
        for submission in [
            "Ada",
            "g 1",
            "G 1_77_assignsubmission_file_",
            "g 1-Zed Who_77_assignsubmission_file_",
            "g1_77_99_bot",
            "lab4-g-1",
        ] {
            let mut roster = roster(&[("Ada", "g 1"), ("Bob", "g 1"), ("Cy", "g 1"), ("Dan", "")]);
            take(&mut roster, &[submission]);
            assert_eq!((roster.matched(), roster.len()), (3, 4), "{submission}");
            let told = roster.remarks();
            assert!(told.iter().any(|line| line.ends_with("for 3 of `g 1`")), "{told:?}");
            let again = Roster::new(roster.clone().students());
            let students = roster.students();
            let members: Vec<&String> = students[submission].members.keys().collect();
            assert_eq!(members, ["Bob", "Cy"], "{submission}");
            assert_eq!(again.len(), 4, "a run that is resumed has the same list");
        }
    }

    #[test]
    fn a_members_separate_submission_is_kept_and_reported() {
        let mut one = roster(&[("Ada", "g"), ("Bob", "g")]);
        take(&mut one, &["g", "Bob"]);
        let told = one.remarks();
        let expected =
            "`Bob` submitted `Bob` individually, and the group `g` has `g`: the first one";
        assert!(told[0].starts_with(expected), "{told:?}");
        assert!(one.students()["g"].members.is_empty(), "only Ada has it");
        let mut several = roster(&[("Ada", "g"), ("Bob", "g"), ("Cy", "g")]);
        take(&mut several, &["Ada", "Bob"]);
        assert_eq!(several.matched(), 2, "which of them Cy's is, is not guessed");
        let told = several.remarks().join("\n");
        assert!(
            told.ends_with("keep their individual ones: `g` (2, none for 1 other members)"),
            "{told}"
        );
    }

    #[test]
    fn copies_in_the_folders_of_all_members_are_not_reported() {
        let file = |who: &str| format!("{who}_assignsubmission_file_");
        let names = [file("g 1-Ada_11"), file("g 1-Bob_12"), file("Cy_13")];
        let mut one = roster(&[("Ada", "g 1"), ("Bob", "g 1"), ("Cy", "")]);
        take(&mut one, &names.each_ref().map(String::as_str));
        assert_eq!((one.matched(), one.remarks()), (3, Vec::new()));
        let mut other = roster(&[("Ada", "g 1"), ("Bob", "g 1"), ("Cy", "g 1")]);
        take(&mut other, &names.each_ref().map(String::as_str));
        assert_eq!(other.remarks().len(), 1, "Cy has another submission");
    }

    #[test]
    fn groups_that_differ_only_in_case_or_spaces_are_one() {
        let mut one = roster(&[("Ada", "team 1"), ("Bob", "team  1"), ("Eve", "TEAM 1")]);
        take(&mut one, &["team 1"]);
        let told = one.remarks().join("\n");
        assert!(told.contains("one group: `team 1`, `team  1`, `TEAM 1`"), "{told}");
        let students = one.students();
        assert_eq!(students["team 1"].members.len(), 2, "all three have the mark");
    }

    #[test]
    fn a_member_of_two_groups_is_on_the_list() {
        let clues = |name: &str| Clues { full_name: Some(name.to_owned()), ..Clues::default() };
        let mut roster = roster(&[("Ada", ""), ("Bob", ""), ("Cy", "")]);
        let team = |other: &str| vec![clues("Ada"), clues(other)];
        roster.take(&[
            ("submission_1".to_owned(), team("Bob")),
            ("submission_2".to_owned(), team("Cy")),
        ]);
        let told = roster.remarks().join("\n");
        assert!(told.contains("2 submissions could be from `Ada`"), "{told}");
        assert!(!told.contains("is not on the list"), "{told}");
        assert_eq!(roster.students().len(), 3, "Ada has one row");
    }

    #[test]
    fn unlisted_members_of_a_platform_group_get_credit() {
        let clues = |name: &str, number: &str| Clues {
            full_name: Some(name.to_owned()),
            number: Some(number.to_owned()),
            ..Clues::default()
        };
        let mut roster = roster(&[("Ada", ""), ("Bob", ""), ("Cy", "")]);
        let together = vec![clues("Ada", "1"), clues("Bob", "2"), clues("Eve", "9")];
        roster.take(&[
            ("submission_1".to_owned(), together),
            ("submission_2".to_owned(), vec![clues("Bob", "2")]),
            ("submission_3".to_owned(), vec![clues("Cy", "3"), clues("Cy", "3")]),
        ]);
        let told = roster.remarks().join("\n");
        let own = "`Bob` submitted `submission_2` individually and `submission_1` with a group";
        assert!(told.contains(own), "{told}");
        assert!(told.contains("`submission_1`: `Eve` of the group is not on"), "{told}");
        let students = roster.students();
        let others: Vec<_> = students["submission_1"].members.values().collect();
        assert_eq!(others.len(), 1);
        assert_eq!(others[0].name.as_deref(), Some("Eve"), "she has a row");
        assert_eq!(students["submission_2"].name.as_deref(), Some("Bob"));
        assert!(students["submission_3"].members.is_empty(), "Cy is one person");
    }
}
