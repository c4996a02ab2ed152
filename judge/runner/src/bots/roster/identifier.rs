//! Students by the identifiers of learning platforms: `Participant 12` in a Moodle worksheet is the
//! student of `Ada King_12_assignsubmission_file_`, even in blind marking.

use super::matching::words;
use super::{Clues, RosterEntry, canvas, moodle};

/// True if the platform wrote the student's identifier into the name of the submission. A name that
/// contradicts the list's is another student: Moodle's numbers change with each assignment.
pub(super) fn is_identified(submission: &str, student: &RosterEntry) -> bool {
    let Some((word, number)) = student.identifier.as_deref().map(identifier_parts) else {
        return false;
    };
    let found = if word.is_empty() { canvas(submission) } else { moodle(submission) };
    let Some(clues) = found.filter(|clues| clues.number.as_deref() == Some(number)) else {
        return false;
    };
    // In blind marking the list has no name but the identifier.
    let name = student.name.as_ref().filter(|_| student.name != student.identifier);
    match (name, &clues.full_name) {
        (Some(name), Some(full)) => {
            is_blind(&clues, student) || after_group(full).any(|after| words(after) == words(name))
        }
        _ => true,
    }
}

/// True for a name in blind marking: the word of the identifier instead of the student's name.
pub(super) fn is_blind(clues: &Clues, student: &RosterEntry) -> bool {
    let Some((word, _)) = student.identifier.as_deref().map(identifier_parts) else { return false };
    let Some(full) = clues.full_name.as_deref().filter(|_| !word.is_empty()) else { return false };
    // Moodle leaves out characters that are not allowed in a file's name.
    after_group(full).any(|after| letters(after) == letters(word))
}

/// The word and the number of an identifier: `Participant 12`, `Teilnehmer/in12`, `12`.
pub(crate) fn identifier_parts(identifier: &str) -> (&str, &str) {
    let word = identifier.trim_end_matches(|letter: char| letter.is_ascii_digit());
    (word.trim(), &identifier[word.len()..])
}

/// The whole name, and the name after each hyphen, as Moodle writes it after a group's.
fn after_group(name: &str) -> impl Iterator<Item = &str> {
    let after = name.match_indices('-').map(|(at, _)| &name[at + 1..]);
    std::iter::once(name).chain(after)
}

fn letters(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn student(name: &str, identifier: &str) -> RosterEntry {
        RosterEntry {
            name: Some(name.to_owned()).filter(|name| !name.is_empty()),
            identifier: Some(identifier.to_owned()),
            ..RosterEntry::default()
        }
    }

    #[test]
    fn the_number_of_a_worksheet_is_in_the_names_of_its_download() {
        let file = |who: &str| format!("{who}_assignsubmission_file_");
        for (who, name, identifier, expected) in [
            ("Ada King_12", "Ada King", "Participant 12", true),
            ("Group 1-ada king_12", "Ada King", "Participant 12", true),
            ("Participant_12", "Ada King", "Participant 12", true),
            ("Group-1-Participant_12", "", "Participant 12", true),
            ("Teilnehmerin_12", "Ada King", "Teilnehmer/in12", true),
            ("Ada King_12", "", "Participant 12", true),
            ("Ada King_12", "Participant 12", "Participant 12", true),
            ("Ada King_13", "Ada King", "Participant 12", false),
            ("Bob Doe_12", "Ada King", "Participant 12", false),
            ("Ada King_12", "Ada King", "12", false),
            ("Ada King_12", "Ada King", "Participant", false),
        ] {
            let found = is_identified(&file(who), &student(name, identifier));
            assert_eq!(found, expected, "{who} {name} {identifier}");
        }
        assert!(is_identified("kingada_LATE_4711_9_bot", &student("Ada King", "4711")));
        assert!(is_identified("oneilbob_4711_9_bot", &student("Ada King", "4711")), "renamed");
        assert!(!is_identified("kingada_9_4711_bot", &student("Ada King", "4711")));
        assert!(!is_identified("12", &student("", "Participant 12")));
    }
}
