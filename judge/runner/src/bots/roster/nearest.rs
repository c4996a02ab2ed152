//! The most similar name on a list, as a suggestion to people only.

use judge_report::folded;

use super::Clues;
use super::matching::letters_of;

/// Finds the most similar of these names; none if none is similar.
pub(crate) fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let own: Vec<char> = folded(name).chars().take(LONGEST).collect();
    let with_distance = names.into_iter().map(|other| (distance(&own, other), other));
    let (distance, found) = with_distance.min()?;
    (distance <= 1 + own.len() / 3).then_some(found)
}

/// Finds the student whose name is most similar to the owner of `submission`, without the parts
/// that learning platforms add to it.
pub(crate) fn nearest_student<'a>(
    submission: &str,
    clues: &Clues,
    students: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    let names: Vec<(String, String)> = students
        .into_iter()
        .flat_map(|student| {
            let name = person(student, &Clues::from_name(student));
            // A platform that only has the letters of a name starts with the family name.
            let forms = match clues.letters {
                Some(_) => letters_of(&name),
                None => vec![name.clone()],
            };
            forms.into_iter().map(move |form| (form, name.clone()))
        })
        .collect();
    let near = nearest(&person(submission, clues), names.iter().map(|(form, _)| form.as_str()))?;
    names.iter().find(|(form, _)| form == near).map(|(_, name)| name.clone())
}

/// The person's name, as far as it is known.
fn person(name: &str, clues: &Clues) -> String {
    let known = clues.full_name.as_ref().or(clues.letters.as_ref());
    known.map_or(name, String::as_str).to_owned()
}

/// Maximum number of characters to compare.
const LONGEST: usize = 40;

/// The number of characters to add, remove or change to get from one to the other (Levenshtein).
fn distance(own: &[char], other: &str) -> usize {
    let other = folded(other);
    let mut row: Vec<usize> = (0..=own.len()).collect();
    for (number, there) in other.chars().take(LONGEST).enumerate() {
        let mut before = row[0];
        row[0] = number + 1;
        for (at, here) in own.iter().enumerate() {
            let changed = before + usize::from(*here != there);
            before = row[at + 1];
            row[at + 1] = changed.min(row[at] + 1).min(before + 1);
        }
    }
    row[own.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_hand_is_near_and_another_name_is_not() {
        let list = ["lovelace", "Babbage", "hopper"];
        assert_eq!(nearest("Lovlace", list), Some("lovelace"));
        assert_eq!(nearest("babage2", list), Some("Babbage"));
        assert_eq!(nearest("knuth", list), None);
        assert_eq!(nearest("x", []), None);
        let korean = "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}";
        assert_eq!(nearest(korean, ["한국", "ab"]), Some("한국"), "one letter of two differs");
        assert_eq!(distance(&['a', 'b'], ""), 2);
    }

    #[test]
    fn people_are_compared_by_their_names_alone() {
        let nearest = |submission: &str, students: &[&str]| {
            nearest_student(submission, &Clues::from_name(submission), students.iter().copied())
        };
        let moodle = |name: &str, number: u32| format!("{name}_{number}_assignsubmission_file_");
        let (own, other) = (moodle("Ada Kingg", 1201), moodle("Bob Doe", 1202));
        assert_eq!(nearest(&own, &[&other, "Ada King"]).as_deref(), Some("Ada King"));
        assert_eq!(nearest(&own, &[&moodle("Ada King", 77)]).as_deref(), Some("Ada King"));
        assert_eq!(nearest(&own, &[&other]), None, "only the platform's part is alike");
        let canvas = nearest("kinggada_12_34_bot", &["Ada King", "doebob_12_34_bot"]);
        assert_eq!(canvas.as_deref(), Some("Ada King"));
    }
}
