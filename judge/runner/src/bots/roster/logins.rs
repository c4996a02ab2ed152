//! Students by the end of a repository's name: `lab4-LOGIN` belongs to `LOGIN`.

use super::RosterEntry;
use super::matching::{Listed, RosterCandidate};

/// Minimum number of digits of an id without a letter, so that `team-7` is not the student 7.
const FEWEST_DIGITS: usize = 5;

/// The login with which the name of a submission ends, after a hyphen. Of several the longest one
/// counts: `lab4-mary-ann` belongs to `mary-ann` and not to `ann`.
pub(super) fn login_in(name: &str, clues_are_empty: bool, entries: &[Listed]) -> Option<String> {
    let name = name.to_lowercase();
    let fits = |login: &String| {
        let before = name.strip_suffix(login.as_str());
        before.is_some_and(|before| before.is_empty() || before.len() > 1 && before.ends_with('-'))
    };
    let all = entries.iter().filter(|_| clues_are_empty).flat_map(|entry| logins(&entry.student));
    all.filter(fits).max_by_key(String::len)
}

/// True for the student with the login that was found in the submission's name.
pub(super) fn by_login(one: &RosterCandidate<'_>, entry: &Listed) -> bool {
    let Some(login) = &one.login else { return false };
    logins(&entry.student).any(|own| own == *login)
}

/// The names of a student that can be part of a repository's name, in small letters.
fn logins(student: &RosterEntry) -> impl Iterator<Item = String> {
    let is_long = |id: &&String| {
        let is_number = id.bytes().all(|byte| byte.is_ascii_digit());
        !is_number || id.len() >= FEWEST_DIGITS
    };
    let id = student.id.iter().filter(is_long);
    student.login.iter().chain(id).map(|login| login.to_lowercase())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::{Clues, Roster};
    use super::*;

    fn matched(names: &[&str]) -> BTreeMap<String, Option<String>> {
        let entry = |login: &str, id: &str| {
            let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
            (
                login.to_owned() + id,
                RosterEntry { login: text(login), id: text(id), ..RosterEntry::default() },
            )
        };
        let list = [
            entry("ann", ""),
            entry("Mary-Ann", ""),
            entry("", "ada1"),
            entry("", "7"),
            entry("", "2026001"),
        ];
        let mut roster = Roster::new(list.into());
        let named = names.iter().map(|name| ((*name).to_owned(), vec![Clues::from_name(name)]));
        roster.take(&named.collect::<Vec<_>>());
        let students = roster.students();
        let of = |name: &&str| {
            let student = students.get(*name);
            student.and_then(|one| one.login.clone().or_else(|| one.id.clone()))
        };
        names.iter().map(|name| ((*name).to_owned(), of(name))).collect()
    }

    #[test]
    fn a_repository_belongs_to_the_longest_login_at_its_end() {
        let found = matched(&["lab4-ann", "lab4-mary-ann", "lab4-ada1", "x-lab-2026001"]);
        let logins = found.values().map(|login| login.as_deref().unwrap_or_default());
        assert_eq!(logins.collect::<Vec<_>>(), ["ada1", "ann", "Mary-Ann", "2026001"]);
        // The student with the longer login has it, even if the other one has none.
        let found = matched(&["lab4-mary-ann", "lab4-MARY-ANN", "lab4-7", "lab4ann", "-ann"]);
        let logins: Vec<_> = found.values().flatten().collect();
        assert!(logins.is_empty(), "{found:?}");
        assert_eq!(matched(&["ANN"])["ANN"].as_deref(), Some("ann"));
    }

    #[test]
    fn names_of_learning_platforms_have_no_login_at_their_end() {
        for name in ["kingada_12_56_bot-ann", "Zed_12_assignsubmission_file_lab-ann"] {
            assert_eq!(matched(&[name])[name], None, "{name}");
        }
    }
}
