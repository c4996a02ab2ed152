//! The columns of a list: which of them holds which property of a student.

use std::collections::BTreeMap;
use std::path::Path;

use judge_core::{printable, steers};

use super::platform::ListOrigin;
use super::titles::{StudentField, bare};
use crate::Error;
use crate::base::list_file::{ListFile, ListRow};
use crate::base::nearest::nearest;
use crate::bots::submitted::NameList;

/// Titles of the judge's own that a column with a similar title may have meant.
const MEANT: [StudentField; 5] = [
    StudentField::Submission,
    StudentField::Name,
    StudentField::Id,
    StudentField::Address,
    StudentField::Login,
];

/// The fields that have one spelling, unlike names.
const IDS: [StudentField; 3] = [StudentField::Id, StudentField::Login, StudentField::Identifier];

/// The fields that identify a student; a list needs one of them.
const KEYS: [StudentField; 8] = [
    StudentField::Submission,
    StudentField::Name,
    StudentField::FamilyFirst,
    StudentField::Family,
    StudentField::Id,
    StudentField::Login,
    StudentField::Address,
    StudentField::Identifier,
];

/// The positions of the columns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ListColumns {
    positions: BTreeMap<StudentField, usize>,
    /// Remarks on columns that are not used in favour of others.
    pub(super) remarks: Vec<String>,
}

impl ListColumns {
    /// Finds the columns of a list.
    ///
    /// # Errors
    /// If no column identifies a student, or two columns could hold the same field.
    pub(super) fn new(
        path: &Path,
        list: &ListFile,
        origin: ListOrigin,
    ) -> Result<ListColumns, Error> {
        let mut found: BTreeMap<StudentField, Vec<usize>> = BTreeMap::new();
        for (at, field) in origin.fields(list).into_iter().enumerate() {
            if let Some(field) = field {
                found.entry(field).or_default().push(at);
            }
        }
        if !KEYS.iter().any(|field| found.contains_key(field)) {
            return Err(no_column(path, &list.header));
        }
        as_family_names(&mut found);
        let mut columns = ListColumns::default();
        for (field, places) in found {
            let at = columns.choose(field, &places, list);
            let at = at.ok_or_else(|| ambiguous(path, field, &places, list))?;
            columns.positions.insert(field, at);
        }
        if origin == ListOrigin::Plain {
            columns.tell_of_misspelt(&list.header);
        }
        Ok(columns)
    }

    /// The field of a row; none if the list has no such column, or the field is empty. Ids and logins
    /// lose invisible characters, which copying from a page or a chat leaves in them.
    pub(super) fn field(&self, row: &ListRow, field: StudentField) -> Option<String> {
        let mut text = row.field(Some(*self.positions.get(&field)?))?;
        if IDS.contains(&field) {
            text.retain(|c| !steers(c));
        }
        Some(text).filter(|text| !text.is_empty())
    }

    /// True if the list has such a column.
    pub(super) fn has(&self, field: StudentField) -> bool {
        self.positions.contains_key(&field)
    }

    /// The field of the column at a position.
    pub(super) fn at(&self, position: usize) -> Option<StudentField> {
        let mut all = self.positions.iter();
        all.find(|(_, at)| **at == position).map(|(field, _)| *field)
    }

    /// One of several columns: the only one, the one with the judge's own title, or the first of
    /// equal ones.
    fn choose(&mut self, field: StudentField, places: &[usize], list: &ListFile) -> Option<usize> {
        let [first, others @ ..] = places else { return None };
        let own: Vec<usize> =
            places.iter().copied().filter(|at| field.is_called(&list.header[*at])).collect();
        let same = |at: &usize| {
            list.rows.iter().all(|row| row.field(Some(*at)) == row.field(Some(*first)))
        };
        match own.as_slice() {
            _ if others.is_empty() || others.iter().all(same) => Some(*first),
            [own] => {
                let ignored = places.iter().filter(|at| *at != own);
                let title = |at: &usize| printable(&list.header[*at], 60);
                self.remarks.extend(ignored.map(|at| {
                    format!(
                        "the column `{}` is ignored, because there is `{}`",
                        title(at),
                        title(own)
                    )
                }));
                Some(*own)
            }
            _ => None,
        }
    }

    /// Warns about each ignored column with a title similar to a missing one.
    fn tell_of_misspelt(&mut self, header: &[String]) {
        let missing = MEANT.iter().filter(|field| !self.has(**field)).map(|field| field.title());
        let missing: Vec<&str> = missing.collect();
        for (at, title) in header.iter().enumerate().filter(|(_, title)| !title.is_empty()) {
            let is_known = self.at(at).is_some() || StudentField::with_title(title).is_some();
            let near = nearest(&bare(title), missing.iter().copied()).filter(|_| !is_known);
            if let Some(near) = near {
                let title = printable(title, 60);
                let text = format!("the column `{title}` is ignored; did you mean `{near}`?");
                self.remarks.push(text);
            }
        }
    }
}

/// Reads `name` next to a given name as the family name, as in `Name;Vorname`.
fn as_family_names(found: &mut BTreeMap<StudentField, Vec<usize>>) {
    let is_split = found.contains_key(&StudentField::Given)
        && !found.contains_key(&StudentField::Family)
        && !found.contains_key(&StudentField::FamilyFirst);
    if let Some(names) = found.remove(&StudentField::Name) {
        let field = if is_split { StudentField::Family } else { StudentField::Name };
        found.insert(field, names);
    }
}

fn no_column(path: &Path, header: &[String]) -> Error {
    let (mut found, mut near) = (NameList::default(), String::new());
    for title in header {
        found.push(Path::new(title));
        let is_near = nearest(&bare(title), MEANT.map(StudentField::title)).is_some();
        if is_near && near.is_empty() {
            near = format!("; is `{}` misspelt?", printable(title, 60));
        }
    }
    let path = path.display();
    let what =
        format!("`{path}`: no column identifies a student; the first line has {found}{near}");
    let hint = "the first line has the titles of the columns: one of `submission`, `student`, \
                `id`, `login` and `address`, or those of an export of Moodle, Canvas, Gradescope, \
                GitHub Classroom or Classroom 50";
    Error::Input { what, hint: Some(hint.to_owned()) }
}

fn ambiguous(path: &Path, field: StudentField, places: &[usize], list: &ListFile) -> Error {
    let titles = places.iter().map(|at| format!("`{}`", printable(&list.header[*at], 60)));
    let titles = titles.collect::<Vec<_>>().join(", ");
    let (path, own) = (path.display(), field.title());
    let what = format!("`{path}`: {} columns could be the {own}: {titles}", places.len());
    let hint = format!("rename the right one to `{own}`, or remove the others");
    Error::Input { what, hint: Some(hint) }
}
