//! Lists of people to invite: exports of learning platforms, spreadsheets, and typed lines without
//! titles. A mistake refuses the whole list, because a person under a wrong name is hard to find.

use std::collections::BTreeSet;
use std::path::Path;

use judge_core::printable;
use judge_report::cell;
use judge_runner::base::names::folded;
use judge_runner::bots::student_list::{LineRemark, StudentList};
use judge_store::{NewPerson, is_address};

/// The people of a list, and how it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PeopleList {
    /// The people, in the order of their lines.
    pub people: Vec<NewPerson>,
    /// Origin, encoding and separator; none for typed lines without titles.
    pub form: Option<String>,
    /// The titles of the columns that are used, with their meaning.
    pub columns: Vec<(String, &'static str)>,
    /// Rows that are not people to invite, such as staff.
    pub left_out: Vec<LineRemark>,
    /// Remarks on the encoding and on columns.
    pub remarks: Vec<String>,
}

/// The reason why a list cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PeopleListError {
    /// A typed line is not understood.
    #[error("line {line}: `{text}` is not understood")]
    Line {
        /// Its number, counted from 1.
        line: usize,
        /// The line.
        text: String,
    },
    /// A person is on the list twice.
    #[error("`{0}` is on the list twice")]
    Twice(String),
    /// A line of a list with titles is wrong.
    #[error("line {line}: {what}")]
    Row {
        /// Its number, counted from 1.
        line: u64,
        /// The mistake.
        what: String,
    },
    /// The file is not a list, or its columns are not known.
    #[error("{0}")]
    File(String),
}

impl PeopleList {
    /// Reads a list; `path` names it in messages.
    ///
    /// # Errors
    /// If a line or the list cannot be used.
    pub fn read(path: &Path, bytes: &[u8]) -> Result<PeopleList, PeopleListError> {
        let list = match StudentList::parse(path, bytes) {
            Ok(list) => PeopleList::titled(&list)?,
            Err(error) => {
                let text = std::str::from_utf8(bytes).ok().filter(|text| is_typed(text));
                let text = text.ok_or_else(|| PeopleListError::File(error.to_string()))?;
                PeopleList { people: lines(text)?, ..PeopleList::default() }
            }
        };
        let mut seen = BTreeSet::new();
        for one in &list.people {
            // Two people may have the same name only if their addresses or numbers differ.
            let key = one.address.as_ref().or(one.number.as_ref()).unwrap_or(&one.name);
            if !seen.insert(folded(key)) {
                return Err(PeopleListError::Twice(called(one)));
            }
        }
        Ok(list)
    }

    fn titled(list: &StudentList) -> Result<PeopleList, PeopleListError> {
        if let Some(LineRemark { line, what }) = list.wrong().first() {
            return Err(PeopleListError::Row { line: *line, what: what.clone() });
        }
        if let Some(error) = list.without_students_error() {
            return Err(PeopleListError::File(error.to_string()));
        }
        let mut people = Vec::new();
        for student in list.students() {
            if let Some(address) = student.address.as_ref().filter(|text| !is_address(text)) {
                let what = format!("`{}` is not a valid e-mail address", printable(address, 200));
                return Err(PeopleListError::Row { line: student.line, what });
            }
            let (name, address, number) = (student.name, student.address, student.id);
            people.push(NewPerson { name, address, number, is_administrator: false });
        }
        Ok(PeopleList {
            people,
            form: Some(list.form()),
            columns: list
                .used_columns()
                .iter()
                .map(|(title, of)| ((*title).to_owned(), *of))
                .collect(),
            left_out: list.left_out().to_vec(),
            remarks: list.remarks().to_vec(),
        })
    }

    /// The people as CSV with titles, which is read as the same list.
    ///
    /// # Errors
    /// If the CSV cannot be written.
    pub fn to_csv(people: &[NewPerson]) -> Result<String, csv::Error> {
        let mut sheet = csv::Writer::from_writer(Vec::new());
        sheet.write_record(["student", "id", "address"])?;
        for one in people {
            let [number, address] = [&one.number, &one.address].map(|text| text.as_deref());
            let row = [one.name.as_str(), number.unwrap_or_default(), address.unwrap_or_default()];
            sheet.write_record(row)?;
        }
        written(sheet)
    }
}

/// The links of invited people as CSV, for a mail merge. Spreadsheets do not read a cell as a
/// formula.
///
/// # Errors
/// If the CSV cannot be written.
pub fn link_sheet(people: &[NewPerson], links: &[String]) -> Result<String, csv::Error> {
    let mut sheet = csv::Writer::from_writer(Vec::new());
    sheet.write_record(["student", "id", "address", "link"])?;
    for (one, link) in std::iter::zip(people, links) {
        let [number, address] = [&one.number, &one.address].map(|text| text.as_deref());
        let cells = [Some(one.name.as_str()), number, address];
        let [name, number, address] = cells.map(|text| cell(text.unwrap_or_default()));
        sheet.write_record([&*name, &*number, &*address, link])?;
    }
    written(sheet)
}

fn written(sheet: csv::Writer<Vec<u8>>) -> Result<String, csv::Error> {
    let bytes = sheet.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Name and, if present, address.
pub fn called(person: &NewPerson) -> String {
    let parts = [Some(person.name.as_str()), person.address.as_deref()];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// True if a text can be typed lines: it has no control characters, and no titles.
fn is_typed(text: &str) -> bool {
    !text.contains(|c: char| c.is_control() && !c.is_whitespace()) && !has_titles(text)
}

/// True if the first line can only be titles: several fields, and neither an address nor a number.
fn has_titles(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let fields = first.split([',', ';', '\t']).count();
    fields > 1 && !first.contains('@') && !first.contains(|c: char| c.is_ascii_digit())
}

/// People in lines with a name, and perhaps an address and a number. Empty lines are left out.
fn lines(text: &str) -> Result<Vec<NewPerson>, PeopleListError> {
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty());
    let wrong = |line, text| PeopleListError::Line { line, text: printable(text, 200) };
    lines.map(|(at, line)| person(line).ok_or_else(|| wrong(at, line))).collect()
}

/// The person of a line; none if it is not understood.
fn person(line: &str) -> Option<NewPerson> {
    let fields = line.split([',', ';', '\t']).map(str::trim).filter(|field| !field.is_empty());
    let (addresses, others): (Vec<&str>, Vec<&str>) = fields.partition(|field| is_address(field));
    let is_number = |text: &str| {
        text.contains(|c: char| c.is_ascii_digit()) && !text.contains(char::is_whitespace)
    };
    let (name, number) = match *others.as_slice() {
        [name] => (name, None),
        [name, number] if is_number(number) => (name, Some(number)),
        [number, name] if is_number(number) => (name, Some(number)),
        _ => return None,
    };
    let address = match *addresses.as_slice() {
        [] => None,
        [address] => Some(address.to_owned()),
        _ => return None,
    };
    let is_right =
        !name.contains(['@', '"']) && number.is_none_or(|text| !text.contains(['@', '"']));
    let (name, number) = (name.to_owned(), number.map(str::to_owned));
    is_right.then_some(NewPerson { name, address, number, is_administrator: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: impl AsRef<[u8]>) -> Result<PeopleList, PeopleListError> {
        PeopleList::read(Path::new("list.csv"), bytes.as_ref())
    }

    fn told(list: &PeopleList) -> Vec<String> {
        let told = |one: &NewPerson| {
            let number = one.number.as_deref().unwrap_or_default();
            format!("{} {number}", called(one))
        };
        list.people.iter().map(|one| told(one).trim().to_owned()).collect()
    }

    #[test]
    fn each_typed_line_is_one_person_with_fields_in_any_order() {
        let list = read(
            "Ada Lovelace, ada@example.org, 17\n\n  Bob\nCyd;cyd@example.org\nDee,,4\n9\tEva\te@x\n",
        );
        let expected = [
            "Ada Lovelace, ada@example.org 17",
            "Bob",
            "Cyd, cyd@example.org",
            "Dee 4",
            "Eva, e@x 9",
        ];
        assert_eq!(told(&list.expect("a list")), expected);
        for line in [
            "Bob Ford bob@example.org",
            "ada@example.org",
            "12345,\"Doe, Jane\",jane@example.org",
            "Eve, not-an-address",
            "Eve, eve@x, 1, 2",
            ", eve@example.org",
            "Eve, eve@@example.org",
            "Eve, eve@x, e@x",
        ] {
            let wrong = read(format!("Ada, ada@example.org\n{line}")).expect_err(line);
            assert_eq!(wrong, PeopleListError::Line { line: 2, text: line.to_owned() });
        }
    }

    #[test]
    fn lists_of_platforms_are_read_in_any_encoding() {
        let moodle = "Vorname;Nachname;E-Mail-Adresse;Matrikelnummer\nZoë;Müller;z@x;17\n";
        let utf16: Vec<u8> = std::iter::once(0xfeff)
            .chain(moodle.encode_utf16())
            .flat_map(u16::to_le_bytes)
            .collect();
        let windows: Vec<u8> =
            moodle.chars().map(|c| u8::try_from(u32::from(c)).expect("a byte")).collect();
        for bytes in [moodle.as_bytes().to_vec(), utf16, windows] {
            assert_eq!(told(&read(bytes).expect("a list")), ["Zoë Müller, z@x 17"]);
        }
        let canvas = "Student,ID,SIS User ID,SIS Login ID,Section\n\"King, Ada\",8,17,ada@x,A\n\
                      \"Student, Test\",9,,,A\n";
        let list = read(canvas).expect("a list");
        assert_eq!((told(&list), list.left_out.len()), (vec!["Ada King 17".to_owned()], 1));
        let gradescope =
            "First Name,Last Name,SID,Email,Role\nAda,King,17,ada@x,Student\nT,A,1,t@x,TA\n";
        assert_eq!(told(&read(gradescope).expect("a list")), ["Ada King, ada@x 17"]);
        let classroom = "identifier,github_username,github_id,name\nAda King,adak,1,\n";
        assert_eq!(read(classroom).expect("a list").people[0].name, "Ada King");
    }

    #[test]
    fn mistakes_in_a_list_are_named_with_their_line() {
        let message = |text: &str| read(text).expect_err(text).to_string();
        assert_eq!(
            message("name,mail\nAda,nomail\n"),
            "line 2: `nomail` is not a valid e-mail address"
        );
        assert!(
            message("name,id\nAda,7\nEve,7\n").contains("line 3"),
            "{}",
            message("name,id\nAda,7\nEve,7\n")
        );
        assert!(message("colour,size\nred,large\n").contains("no column identifies a student"));
        assert!(message("PK\u{3}\u{4}").contains("a workbook or an archive"));
        assert!(message("name,mail\nA,a@x\nB,A@x").contains("already in line 2"));
        for twice in ["Ada, a@x\nAda L., A@x", "Bob\nBob", "Zoë\nZoe\u{308}"] {
            assert!(
                matches!(read(twice), Err(PeopleListError::Twice(_))),
                "{twice}: {:?}",
                read(twice)
            );
        }
    }

    #[test]
    fn a_written_list_reads_back() {
        let people = read("Ada \"A.\" King,a@x,7\nname,id\n").err();
        assert!(people.is_some(), "quotes are for titled lists");
        let list = read("Ada; a@x; 7\nBob\nCyd, 9").expect("a list").people;
        let csv = PeopleList::to_csv(&list).expect("CSV");
        assert_eq!(read(csv).expect("a list").people, list);
    }
}
