//! The pseudonyms of a scoreboard: the list of them for the instructor, and each pseudonym on its
//! student's page.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};

use judge_report::page::with_pseudonym;
use judge_report::{ScoreboardRow, cell, composed};

use super::pseudonyms::Keyed;
use crate::Error;
use crate::base::address::encoded;
use crate::base::files;
use crate::course::pseudonym_file::{self, PseudonymLine};
use crate::course::student_zip::{self, StudentPackage};

/// A student on a course's mark sheet.
#[derive(Debug, Clone)]
pub(super) struct Person {
    /// The course's folder.
    pub(super) folder: PathBuf,
    pub(super) name: String,
    /// The report, as a path relative to the folder; none for a student without one.
    pub(super) report: Option<String>,
    /// True for a student with a submission that has no module.
    pub(super) not_a_module: bool,
}

/// Distinguishes students with the same name, who need different pseudonyms.
#[derive(Debug)]
struct Homonyms(BTreeMap<String, usize>);

impl Homonyms {
    fn new<'a>(names: impl Iterator<Item = &'a str>) -> Homonyms {
        let mut count = BTreeMap::new();
        names.for_each(|name| *count.entry(name.to_owned()).or_default() += 1);
        Homonyms(count)
    }

    /// The text that a pseudonym is derived from: the name, and for homonyms also the file name of
    /// their report without extension, or their number among those without a report.
    fn identity(&self, name: &str, address: Option<&str>, number: usize) -> String {
        match (self.0.get(name), address, number) {
            (Some(2..), Some(address), _) => format!("{name}\n{}", stem(address)),
            (Some(2..), None, 1..) => format!("{name}\n#{}", number + 1),
            _ => name.to_owned(),
        }
    }
}

/// The key of a scoreboard row: name, page, and whether the submission has no module.
type PlaceKey = (String, Option<String>, bool);

/// The pseudonyms of all students.
pub(super) struct Assigned {
    homonyms: Homonyms,
    /// Pseudonyms in the order of the students.
    pseudonyms: Vec<String>,
    /// Pseudonyms by key, in order. Students with the same key look the same on a scoreboard.
    by_place: RefCell<BTreeMap<PlaceKey, VecDeque<String>>>,
}

impl Assigned {
    /// Assigns a pseudonym to each student; with `keeps`, those in the folders' lists stay.
    pub(super) fn new(
        places: &[ScoreboardRow],
        people: &[Person],
        keeps: bool,
        names: &Keyed,
    ) -> Result<Assigned, Error> {
        let homonyms = Homonyms::new(places.iter().map(|place| place.name.as_str()));
        let mut kept = EarlierPseudonyms::default();
        for folder in folders(people).into_iter().filter(|_| keeps) {
            kept.read(folder)?;
        }
        let mut without_report: BTreeMap<&str, usize> = BTreeMap::new();
        let (mut pseudonyms, mut by_place) = (Vec::new(), BTreeMap::new());
        let mut by_report: BTreeMap<(&PathBuf, &String), String> = BTreeMap::new();
        for person in people {
            let mut number = 0;
            if person.report.is_none() {
                let before = without_report.entry(&person.name).or_default();
                (number, *before) = (*before, *before + 1);
            }
            let address = person.address();
            let drawn =
                || names.pseudonym(&homonyms.identity(&person.name, address.as_deref(), number));
            // Group members share a report, and its page has one pseudonym.
            let report = person.report.as_ref().map(|report| (&person.folder, report));
            let shared = report.and_then(|report| by_report.get(&report).cloned());
            let own = || kept.take(person).unwrap_or_else(drawn);
            let pseudonym = shared.unwrap_or_else(own);
            by_report.extend(report.map(|report| (report, pseudonym.clone())));
            let key =
                (person.name.clone(), address.as_deref().map(key_of_page), person.not_a_module);
            by_place.entry(key).or_insert_with(VecDeque::new).push_back(pseudonym.clone());
            pseudonyms.push(pseudonym);
        }
        Ok(Assigned { homonyms, pseudonyms, by_place: RefCell::new(by_place) })
    }

    /// Returns the pseudonym for a scoreboard row. Each row must be requested only once.
    pub(super) fn of_place(&self, place: &ScoreboardRow, names: &Keyed) -> String {
        let page = place.page.as_deref();
        let key = (place.name.clone(), page.map(key_of_page), place.not_a_module);
        let assigned = self.by_place.borrow_mut().get_mut(&key).and_then(VecDeque::pop_front);
        // A report outside the courses is on no mark sheet.
        assigned.unwrap_or_else(|| names.pseudonym(&self.homonyms.identity(&place.name, page, 0)))
    }
}

fn key_of_page(address: &str) -> String {
    stem(address).to_owned()
}

/// The pseudonyms of earlier runs.
#[derive(Default)]
struct EarlierPseudonyms {
    by_report: BTreeMap<(PathBuf, String), String>,
    /// Pseudonyms of students without a report, in the order of the list.
    by_name: BTreeMap<(PathBuf, String), VecDeque<String>>,
}

impl EarlierPseudonyms {
    fn read(&mut self, folder: &Path) -> Result<(), Error> {
        for PseudonymLine { student, pseudonym, report } in pseudonym_file::read_lines(folder)? {
            if report.is_empty() {
                let key = (folder.to_owned(), composed(&student).into_owned());
                self.by_name.entry(key).or_default().push_back(pseudonym);
            } else {
                self.by_report.insert((folder.to_owned(), report), pseudonym);
            }
        }
        Ok(())
    }

    /// Returns a student's earlier pseudonym, even if the student had no report then.
    fn take(&mut self, person: &Person) -> Option<String> {
        let report = person.report.clone().unwrap_or_default();
        let by_report = self.by_report.remove(&(person.folder.clone(), report));
        by_report.or_else(|| {
            // The list escapes formulas like the mark sheet.
            let names = [person.name.clone(), cell(&person.name)];
            names
                .map(|name| composed(&name).into_owned())
                .into_iter()
                .find_map(|name| self.by_name.get_mut(&(person.folder.clone(), name))?.pop_front())
        })
    }
}

/// The folders of the courses.
fn folders(people: &[Person]) -> Vec<&Path> {
    let mut folders: Vec<&Path> = people.iter().map(|person| person.folder.as_path()).collect();
    folders.dedup();
    folders
}

impl Person {
    /// The student's page, as a link.
    fn address(&self) -> Option<String> {
        self.report.as_deref().map(|report| encoded(stem(report)) + ".html")
    }
}

/// The name of a file without folder and extension.
fn stem(report: &str) -> &str {
    let name = report.rsplit('/').next().unwrap_or(report);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Writes the list of pseudonyms in each course's folder, and each pseudonym on its student's page.
/// Returns a line per folder.
pub(super) fn keep(people: &[Person], assigned: &Assigned) -> Vec<String> {
    let told = |folder: &Path| {
        let lines: Vec<PseudonymLine> = std::iter::zip(people, &assigned.pseudonyms)
            .filter(|(person, _)| person.folder == folder)
            .map(|(person, pseudonym)| PseudonymLine {
                student: person.name.clone(),
                pseudonym: pseudonym.clone(),
                report: person.report.clone().unwrap_or_default(),
            })
            .collect();
        // A failure here does not affect the scoreboard.
        keep_in(folder, &lines)
            .unwrap_or_else(|error| format!("warning: the pseudonyms were not kept: {error}"))
    };
    folders(people).into_iter().map(told).collect()
}

fn keep_in(folder: &Path, lines: &[PseudonymLine]) -> Result<String, Error> {
    let list = pseudonym_file::write(folder, lines)?;
    let (mut told, mut older) = (0, 0);
    for line in lines.iter().filter(|line| !line.report.is_empty()) {
        match write_pseudonym(folder, line)? {
            true => told += 1,
            false => older += 1,
        }
    }
    let older = match older {
        0 => String::new(),
        older => format!("; {older} do not, and will after `judge grade … --resume`"),
    };
    let pages = if told == 1 { "page shows its" } else { "pages show their" };
    let list = list.display();
    Ok(format!(
        "names by pseudonym: `{list}`, not to be published; {told} {pages} pseudonym{older}"
    ))
}

/// Writes a pseudonym on its student's page; returns false if the page has no place for it.
fn write_pseudonym(folder: &Path, line: &PseudonymLine) -> Result<bool, Error> {
    let name = stem(&line.report);
    let path = folder.join(format!("students/{name}.html"));
    if !path.is_file() {
        return Ok(false);
    }
    let page = Error::read_text(&path)?;
    let Some(page) = with_pseudonym(&page, &line.pseudonym) else { return Ok(false) };
    files::write(&path, &page)?;
    student_zip::pack(folder, &StudentPackage::of_only_suite(name))?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn homonyms_have_different_pseudonyms() {
        let homonyms = Homonyms::new(["Ada", "Bob", "Bob"].into_iter());
        let identity = |name, report, number| homonyms.identity(name, report, number);
        assert_eq!(identity("Ada", Some("students/x.json"), 0), "Ada");
        assert_eq!(identity("Bob", Some("students/x.1.json"), 0), "Bob\nx.1");
        assert_eq!(identity("Bob", Some("../out/students/y.html"), 0), "Bob\ny");
        assert_eq!(identity("Bob", None, 0), "Bob");
        assert_eq!(identity("Bob", None, 1), "Bob\n#2");
    }
}
