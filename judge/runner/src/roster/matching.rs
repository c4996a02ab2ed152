//! Who on the list handed in what: by the same name, by address, by full name, by number, by the
//! letters of the name. Each step takes only what fits one to one.

use std::collections::BTreeMap;

use judge_core::printable;

use super::{Clues, RosterEntry};

/// A list of students under way to be matched.
#[derive(Debug, Clone)]
pub(crate) struct Roster {
    entries: Vec<Listed>,
    /// What has to be told: what is uncertain, and what could not be decided.
    remarks: Vec<String>,
    /// Who was matched to whom by a guess.
    guesses: Vec<[String; 2]>,
}

#[derive(Debug, Clone)]
struct Listed {
    /// What the list calls the submission.
    key: String,
    student: RosterEntry,
    /// The name of the submission that is theirs.
    submission: Option<String>,
}

/// Something that was handed in: its name, and what it tells.
struct Candidate<'a> {
    name: &'a str,
    clues: &'a Clues,
}

/// A way to recognise somebody.
struct Step {
    fits: fn(&Candidate<'_>, &Listed) -> bool,
    /// What it goes by.
    by: &'static str,
    /// True if that is a guess, which has to be told.
    guess: bool,
    /// True if people choose it themselves.
    chosen: bool,
}

const STEPS: [Step; 5] = [
    Step { fits: by_key, by: "submission name", guess: false, chosen: false },
    Step { fits: by_address, by: "address", guess: false, chosen: false },
    Step { fits: by_full_name, by: "full name", guess: false, chosen: true },
    Step { fits: by_number, by: "number", guess: false, chosen: false },
    LETTERS,
];

/// The only guess: letters may be anybody's who is called so.
const LETTERS: Step =
    Step { fits: by_letters, by: "the letters of the name", guess: true, chosen: true };

/// Most guesses that a message names.
const MOST_GUESSES: usize = 3;

impl Roster {
    /// A list by what it calls the submissions.
    pub(crate) fn new(students: BTreeMap<String, RosterEntry>) -> Roster {
        let entry = |(key, student)| Listed { key, student, submission: None };
        let entries = students.into_iter().map(entry).collect();
        Roster { entries, remarks: Vec::new(), guesses: Vec::new() }
    }

    /// Matches the students on the list to what was handed in.
    pub(crate) fn take(&mut self, handed_in: &[(String, Clues)]) {
        let mut left: Vec<Candidate<'_>> =
            handed_in.iter().map(|(name, clues)| Candidate { name, clues }).collect();
        for step in &STEPS {
            let fitting = self.fitting(step, &left);
            for (entry, candidates) in fitting {
                match candidates.as_slice() {
                    [only] => self.assign(entry, &left[*only], step),
                    several => self.undecided(entry, several.iter().map(|at| left[*at].name)),
                }
            }
            left.retain(|one| !self.has(one.name));
        }
        for one in &left {
            self.tell_of_several(one);
        }
    }

    /// Tells when something could be of several people: homonyms on the list.
    fn tell_of_several(&mut self, one: &Candidate<'_>) {
        let several = STEPS.iter().find_map(|step| {
            let open = self.entries.iter().filter(|entry| entry.submission.is_none());
            let found: Vec<&Listed> = open.filter(|entry| (step.fits)(one, entry)).collect();
            (found.len() > 1).then_some(found)
        });
        let Some(several) = several else { return };
        let who: Vec<String> = several
            .iter()
            .map(|entry| match &entry.student.id {
                Some(id) => format!("`{}` ({})", printable(entry.shown(), 60), printable(id, 30)),
                None => format!("`{}`", printable(entry.shown(), 60)),
            })
            .collect();
        let text = format!(
            "`{}` could belong to {} students: {}; its name in the column `submission` decides",
            printable(one.name, 60),
            who.len(),
            who.join(", ")
        );
        if !self.remarks.contains(&text) {
            self.remarks.push(text);
        }
    }

    /// For each entry without submission the candidates that fit it, and no other entry.
    fn fitting(&self, step: &Step, left: &[Candidate<'_>]) -> BTreeMap<usize, Vec<usize>> {
        let mut fitting: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, one) in left.iter().enumerate() {
            let open = |entry: &&(usize, &Listed)| entry.1.submission.is_none();
            let entries = self.entries.iter().enumerate();
            let mut found =
                entries.filter(|entry| open(&entry)).filter(|entry| (step.fits)(one, entry.1));
            if let (Some((entry, _)), None) = (found.next(), found.next()) {
                fitting.entry(entry).or_default().push(at);
            }
        }
        fitting
    }

    fn assign(&mut self, entry: usize, one: &Candidate<'_>, step: &Step) {
        if step.chosen {
            self.tell_of_contradiction(entry, one);
        }
        let entry = &mut self.entries[entry];
        entry.submission = Some(one.name.to_owned());
        let alone = names_disagree(one.clues, &entry.student);
        let (name, who) = (printable(one.name, 60), printable(entry.shown(), 60));
        if step.guess {
            self.guesses.push([name, who]);
        } else if alone {
            let by = step.by;
            self.remarks.push(format!(
                "`{name}` was matched to `{who}` by {by} only: the person's name differs"
            ));
        }
    }

    /// What has to be told: what is uncertain, and what could not be decided. All guesses are in one
    /// line.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let by = LETTERS.by;
        let guesses = match self.guesses.as_slice() {
            [] => None,
            [[name, who]] => Some(format!("`{name}` was matched to `{who}` by {by}")),
            all => {
                let first = all.iter().take(MOST_GUESSES);
                let first = first.map(|[name, who]| format!("`{name}` to `{who}`"));
                let first = first.collect::<Vec<_>>().join(", ");
                let more = match all.len().saturating_sub(MOST_GUESSES) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                let number = all.len();
                Some(format!(
                    "{number} submissions were matched by {by}: {first}{more}; numbers in the \
                     column `id` make it certain"
                ))
            }
        };
        self.remarks.iter().cloned().chain(guesses).collect()
    }

    /// Tells when number or address of what is matched by name are somebody else's on the list: people
    /// can choose what they are called.
    fn tell_of_contradiction(&mut self, entry: usize, one: &Candidate<'_>) {
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

    fn undecided<'a>(&mut self, entry: usize, names: impl Iterator<Item = &'a str>) {
        let names: Vec<String> = names.map(|name| format!("`{}`", printable(name, 60))).collect();
        let who = printable(self.entries[entry].shown(), 60);
        let (number, names) = (names.len(), names.join(", "));
        let text =
            format!("{number} submissions could be of `{who}`: {names}; none is credited to them");
        if !self.remarks.contains(&text) {
            self.remarks.push(text);
        }
    }

    /// True if a submission is somebody's.
    pub(crate) fn has(&self, submission: &str) -> bool {
        self.entries.iter().any(|entry| entry.submission.as_deref() == Some(submission))
    }

    /// What the list calls the submissions.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.key.as_str())
    }

    /// What the list calls the submissions, by their names; who handed in nothing is under the list's.
    pub(crate) fn keys_by_submission(&self) -> BTreeMap<String, String> {
        let name = |entry: &Listed| entry.submission.clone().unwrap_or_else(|| entry.key.clone());
        self.entries.iter().map(|entry| (name(entry), entry.key.clone())).collect()
    }

    /// Number of students on the list.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Number of students who handed in something.
    pub(crate) fn matched(&self) -> usize {
        self.entries.iter().filter(|entry| entry.submission.is_some()).count()
    }

    /// The list by the names of the submissions; who handed in nothing keeps the list's.
    pub(crate) fn students(self) -> BTreeMap<String, RosterEntry> {
        let name = |entry: Listed| (entry.submission.unwrap_or(entry.key), entry.student);
        self.entries.into_iter().map(name).collect()
    }
}

impl Listed {
    fn shown(&self) -> &str {
        self.student.name.as_deref().unwrap_or(&self.key)
    }
}

fn by_key(one: &Candidate<'_>, entry: &Listed) -> bool {
    one.name == entry.key
}

fn by_address(one: &Candidate<'_>, entry: &Listed) -> bool {
    let own = [one.clues.address.as_deref(), Some(one.name)];
    let theirs = [entry.student.address.as_deref(), entry.student.id.as_deref(), Some(&entry.key)];
    let same = |own: &str| theirs.iter().flatten().any(|other| own.eq_ignore_ascii_case(other));
    own.into_iter().flatten().filter(|text| text.contains('@')).any(same)
}

fn by_full_name(one: &Candidate<'_>, entry: &Listed) -> bool {
    let own = one.clues.full_name.as_deref().unwrap_or(one.name);
    let theirs = [entry.student.name.as_deref(), Some(&entry.key)];
    theirs.into_iter().flatten().any(|name| words(name) == words(own))
}

fn by_number(one: &Candidate<'_>, entry: &Listed) -> bool {
    let number = one.clues.number.as_deref().unwrap_or(one.name);
    entry.student.id.as_deref() == Some(number) || entry.key == number
}

fn by_letters(one: &Candidate<'_>, entry: &Listed) -> bool {
    let Some(letters) = one.clues.letters.as_deref() else { return false };
    letters_of(entry.shown()).iter().any(|theirs| theirs == letters)
}

/// True if both have a name, and not the same.
fn names_disagree(clues: &Clues, student: &RosterEntry) -> bool {
    let Some(name) = &student.name else { return false };
    let full = clues.full_name.as_ref().is_some_and(|full| words(full) != words(name));
    let letters = clues.letters.as_ref().is_some_and(|own| !letters_of(name).contains(own));
    full || letters
}

/// The words of a name in small letters.
fn words(name: &str) -> Vec<String> {
    name.split_whitespace().map(str::to_lowercase).collect()
}

/// The letters and figures of a name in small letters, beginning with any of its words.
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
        };
        Roster::new(
            list.iter().map(|(key, fields)| ((*key).to_owned(), student(*fields))).collect(),
        )
    }

    fn take(roster: &mut Roster, names: &[&str]) {
        let named = names.iter().map(|name| ((*name).to_owned(), Clues::of(name)));
        roster.take(&named.collect::<Vec<_>>());
    }

    #[test]
    fn whoever_is_the_same_by_name_number_or_address_is_matched() {
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
    fn many_guesses_are_one_line() {
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
    fn nothing_is_decided_that_could_be_otherwise() {
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
            one.remarks[0].starts_with("2 submissions could be of `Ann Lee`: `leeann_7_1_x`, `")
        );
        let mut other = self::roster(&[("a", ["Ann Lee", "7", ""])]);
        take(&mut other, &["doejoe_7_1_x"]);
        let told =
            ["`doejoe_7_1_x` was matched to `Ann Lee` by number only: the person's name differs"];
        assert_eq!(other.remarks(), told);
    }

    #[test]
    fn a_name_that_somebody_else_s_number_contradicts_is_told() {
        let mut roster = roster(&[("a", ["Ada King", "12", ""]), ("b", ["Bob Doe", "77", ""])]);
        let clues = Clues {
            full_name: Some("Bob Doe".to_owned()),
            number: Some("12".to_owned()),
            ..Clues::default()
        };
        roster.take(&[("submission_1".to_owned(), clues)]);
        let told = "`submission_1` was matched to `Bob Doe` by the name, but its number or address \
                    is that of `Ada King`";
        assert!(roster.remarks.iter().any(|remark| remark == told), "{:?}", roster.remarks);
    }
}
