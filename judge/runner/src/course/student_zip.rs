//! The zip file for a student: page, report and rounds, without data of other students.

use std::ffi::OsString;
use std::io::{Cursor, ErrorKind, Write as _};
use std::path::Path;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::Error;
use crate::base::address::encoded;
use crate::base::files;
use crate::rounds::course_folder::replaceable;

/// The folder of these files in the folder of a course.
pub(crate) const FOLDER: &str = "send";

/// The student's page in the zip file.
const PAGE: &str = "result.html";

/// The path of a student's zip file relative to the course's folder. `name` is the name of the
/// student's files.
pub(crate) fn path(name: &str) -> String {
    format!("{FOLDER}/{name}.zip")
}

/// A student's result in one suite of a course.
pub(crate) struct SuiteResult<'a> {
    /// The suite's folder in the results of the course.
    pub(crate) suite: &'a str,
    /// The name of the student's files in it.
    pub(crate) name: &'a str,
}

/// The content of a student's zip file.
pub(crate) struct StudentPackage<'a> {
    /// The name of the student's files.
    pub(crate) name: &'a str,
    /// The results in each suite of a course with several; none if there is only one.
    pub(crate) suites: Option<Vec<SuiteResult<'a>>>,
}

impl StudentPackage<'_> {
    /// The result in the only suite of a course.
    pub(crate) fn of_only_suite(name: &str) -> StudentPackage<'_> {
        StudentPackage { name, suites: None }
    }
}

/// Packs a student's files from the course's folder: the result in the only suite, or the page for
/// all suites and the content of each suite's own zip file.
pub(crate) fn pack(course: &Path, package: &StudentPackage<'_>) -> Result<(), Error> {
    let StudentPackage { name, suites } = package;
    let mut zip = Zip::new(name);
    match suites {
        None => add_result(&mut zip, "", course, name)?,
        Some(suites) => add_suites(&mut zip, course, name, suites)?,
    }
    zip.write(&course.join(path(name)))
}

/// Adds the page for all suites, and the results in each.
fn add_suites(
    zip: &mut Zip,
    course: &Path,
    name: &str,
    suites: &[SuiteResult<'_>],
) -> Result<(), Error> {
    let mut page = Error::read_text(&course.join(format!("students/{name}.html")))?;
    for SuiteResult { suite, name } in suites {
        let link = format!("href=\"../{suite}/students/{}.html\"", encoded(name));
        page = page.replace(&link, &format!("href=\"{suite}/{PAGE}\""));
    }
    zip.add(PAGE, page.as_bytes())?;
    for SuiteResult { suite, name } in suites {
        add_result(zip, &format!("{suite}/"), &course.join(suite), name)?;
    }
    Ok(())
}

/// Adds a student's result in one suite to a folder of the zip file.
fn add_result(zip: &mut Zip, folder: &str, course: &Path, name: &str) -> Result<(), Error> {
    let page = Error::read_text(&course.join(format!("students/{name}.html")))?;
    let report = format!("{name}.json");
    let text = page.replace(&link_to_rounds(name), "href=\"rounds/");
    zip.add(&format!("{folder}{PAGE}"), text.as_bytes())?;
    let bytes = Error::read(&course.join("students").join(&report))?;
    zip.add(&format!("{folder}{report}"), &bytes)?;
    let rounds = course.join("rounds").join(name);
    for round in linked_rounds(&page, name, &files_in(&rounds)?) {
        let page = rounds.join(format!("{round}.html"));
        if !is_plain(&page) {
            continue;
        }
        let text = Error::read_text(&page)?;
        let text = text.replace(&link_to_page(name), &format!("href=\"../{PAGE}\""));
        zip.add(&format!("{folder}rounds/{round}.html"), text.as_bytes())?;
        // The user may have written a round's page without its file.
        let file = rounds.join(format!("{round}.jsonl"));
        if is_plain(&file) {
            zip.add(&format!("{folder}rounds/{round}.jsonl"), &Error::read(&file)?)?;
        }
    }
    Ok(())
}

/// True for a regular file. A link could lead to another student's file.
fn is_plain(file: &Path) -> bool {
    file.symlink_metadata().is_ok_and(|metadata| metadata.is_file())
}

/// The links to rounds in a student's page. Untrusted texts in a page have no quotation marks, so
/// nothing else looks like such a link.
fn link_to_rounds(name: &str) -> String {
    format!("href=\"../rounds/{}/", encoded(name))
}

/// The link to the student's page in a round's page.
fn link_to_page(name: &str) -> String {
    format!("href=\"../../students/{}.html\"", encoded(name))
}

/// The rounds that a page links to among these files, without their extension. Rounds of an earlier
/// submission may be in the same folder.
fn linked_rounds(page: &str, name: &str, files: &[String]) -> Vec<String> {
    let link = link_to_rounds(name);
    let is_linked = |file: &&String| page.contains(&format!("{link}{}\"", encoded(file)));
    let linked = files.iter().filter(is_linked).filter_map(|file| file.strip_suffix(".html"));
    let mut rounds: Vec<String> = linked.map(str::to_owned).collect();
    rounds.sort();
    rounds
}

/// The names of the files in a folder; empty without a folder.
fn files_in(folder: &Path) -> Result<Vec<String>, Error> {
    let unreadable = |source| Error::Read { path: folder.to_owned(), source };
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(unreadable)?,
    };
    let names = entries.map(|entry| Ok(entry.map_err(unreadable)?.file_name()));
    let names: Result<Vec<OsString>, Error> = names.collect();
    Ok(names?.into_iter().filter_map(|name| name.into_string().ok()).collect())
}

/// A zip file in memory with one folder.
struct Zip {
    writer: ZipWriter<Cursor<Vec<u8>>>,
    folder: String,
}

impl Zip {
    fn new(folder: &str) -> Zip {
        Zip { writer: ZipWriter::new(Cursor::new(Vec::new())), folder: folder.to_owned() }
    }

    /// Adds a file. No time is stored, so that equal files give equal bytes.
    fn add(&mut self, name: &str, content: &[u8]) -> Result<(), Error> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644);
        let written = self.writer.start_file(format!("{}/{name}", self.folder), options);
        written.map_err(|error| failed(&error))?;
        self.writer.write_all(content).map_err(|error| failed(&error))
    }

    /// Writes the zip file, unless it is unchanged.
    fn write(self, path: &Path) -> Result<(), Error> {
        let written = self.writer.finish().map_err(|error| failed(&error))?;
        let bytes = written.into_inner();
        match is_plain(path) && std::fs::read(path).is_ok_and(|before| before == bytes) {
            true => Ok(()),
            false => {
                replaceable(path)?;
                files::renew(path, &bytes)
            }
        }
    }
}

fn failed(error: &dyn std::fmt::Display) -> Error {
    Error::Judge(format!("cannot pack: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_zip_has_only_rounds_linked_from_the_page() {
        let page = "<a href=\"../rounds/a~1/02-x-1.html\"> href=&#34;../rounds/a~1/no.html&#34; \
                    <a href=\"../rounds/b/03-x-1.html\"><a href=\"../rounds/a~1/%C3%A9-2.html\">";
        let files = ["\u{e9}-2.html", "no.html", "03-x-1.html", "02-x-1.jsonl", "02-x-1.html"];
        let files = files.map(str::to_owned);
        assert_eq!(linked_rounds(page, "a~1", &files), ["02-x-1", "\u{e9}-2"]);
        assert_eq!(linked_rounds(page, "a", &files), Vec::<String>::new());
    }
}
