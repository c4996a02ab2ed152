//! Who is who on a scoreboard with pseudonyms: kept for the instructor, and told to each student on
//! their own page.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_report::page::with_pseudonym;

use crate::address::encoded;
use crate::pseudonym_file::{self, Line};
use crate::{Error, files, sendable};

/// A student of a course's mark sheet.
#[derive(Debug, Clone)]
pub(super) struct Person {
    /// The course's folder.
    pub(super) folder: PathBuf,
    pub(super) name: String,
    /// The report, as a path from the folder; none for those without one.
    pub(super) report: Option<String>,
}

/// Distinguishes people of one name: two of them need two pseudonyms.
#[derive(Debug)]
pub(super) struct Homonyms(BTreeMap<String, usize>);

impl Homonyms {
    pub(super) fn new<'a>(names: impl Iterator<Item = &'a str>) -> Homonyms {
        let mut count = BTreeMap::new();
        names.for_each(|name| *count.entry(name.to_owned()).or_default() += 1);
        Homonyms(count)
    }

    /// The text that a pseudonym is made of: the name, and of homonyms the address of a file of
    /// theirs, too, without folder and ending.
    pub(super) fn identity(&self, name: &str, address: Option<&str>) -> String {
        match (self.0.get(name), address) {
            (Some(2..), Some(address)) => format!("{name}\n{}", stem(address)),
            _ => name.to_owned(),
        }
    }
}

impl Person {
    /// The report, as a page would link to it.
    pub(super) fn address(&self) -> Option<String> {
        self.report.as_deref().map(|report| encoded(stem(report)) + ".html")
    }
}

/// The name of a file without folder and ending.
fn stem(report: &str) -> &str {
    let name = report.rsplit('/').next().unwrap_or(report);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Keeps the pseudonyms in the folder of each course, and writes each on its student's page; what
/// was done, in a line for each folder.
pub(super) fn keep(people: &[Person], pseudonym: &dyn Fn(&Person) -> String) -> Vec<String> {
    let mut folders: Vec<&Path> = people.iter().map(|person| person.folder.as_path()).collect();
    folders.dedup();
    let told = |folder: &Path| {
        let lines: Vec<Line> = people
            .iter()
            .filter(|person| person.folder == folder)
            .map(|person| Line {
                student: person.name.clone(),
                pseudonym: pseudonym(person),
                report: person.report.clone().unwrap_or_default(),
            })
            .collect();
        // The scoreboard can be made all the same.
        keep_in(folder, &lines)
            .unwrap_or_else(|error| format!("warning: the pseudonyms were not kept: {error}"))
    };
    folders.into_iter().map(told).collect()
}

fn keep_in(folder: &Path, lines: &[Line]) -> Result<String, Error> {
    let list = pseudonym_file::write(folder, lines)?;
    let (mut told, mut older) = (0, 0);
    for line in lines.iter().filter(|line| !line.report.is_empty()) {
        match tell(folder, line)? {
            true => told += 1,
            false => older += 1,
        }
    }
    let older = match older {
        0 => String::new(),
        older => format!("; {older} do not, and will after `judge grade … --resume`"),
    };
    let pages = if told == 1 { "page says its" } else { "pages say their" };
    let list = list.display();
    Ok(format!("who is who: `{list}`, not to be published; {told} {pages} pseudonym{older}"))
}

/// Writes a pseudonym on its student's page; false if that has no place for it.
fn tell(folder: &Path, line: &Line) -> Result<bool, Error> {
    let name = stem(&line.report);
    let path = folder.join(format!("students/{name}.html"));
    if !path.is_file() {
        return Ok(false);
    }
    let page = Error::read_text(&path)?;
    let Some(page) = with_pseudonym(&page, &line.pseudonym) else { return Ok(false) };
    files::write(&path, &page)?;
    sendable::pack(folder, name)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn homonyms_have_pseudonyms_of_their_own() {
        let homonyms = Homonyms::new(["Ada", "Bob", "Bob"].into_iter());
        let identity = |name, report| homonyms.identity(name, report);
        assert_eq!(identity("Ada", Some("students/x.json")), "Ada");
        assert_eq!(identity("Bob", Some("students/x.1.json")), "Bob\nx.1");
        assert_eq!(identity("Bob", Some("../out/students/y.html")), "Bob\ny");
        assert_eq!(identity("Bob", None), "Bob");
    }
}
