//! The student with the most similar name, as a suggestion to people only.

use super::Clues;
use super::matching::letters_of;
use crate::base::nearest::nearest;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_student_is_found_only_by_name() {
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
