//! Exports and erases people, deletes suites and courses, and prints the log.

use std::fmt::Write as _;

use judge_core::printable;
use judge_store::{AuditEntry, Person, Store, Timestamp};

use super::Failed;
use crate::args::{DeleteSuite, ExportPerson, Log};
use crate::builds::forget_derived;
use crate::config::Config;
use crate::own_data::pack;

/// Writes a person's data to a new file.
pub(super) async fn export(
    store: &Store,
    export: &ExportPerson,
    out: &mut String,
) -> Result<(), Failed> {
    let person = find(store, &export.who).await?;
    let bytes = pack(store, &person.id, Timestamp::now()).await?;
    let unusable = |source| Failed::Folder { path: export.file.clone(), source };
    let mut options = std::fs::File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&export.file).map_err(unusable)?;
    std::io::Write::write_all(&mut file, &bytes).map_err(unusable)?;
    writeln!(out, "the data of {} is in `{}`", person.name, export.file.display())?;
    Ok(())
}

/// Erases a person.
pub(super) async fn erase(
    config: &Config,
    store: &Store,
    who: &str,
    out: &mut String,
) -> Result<(), Failed> {
    let person = find(store, who).await?;
    store.erase_person(&person.id, Timestamp::now()).await?;
    forget_derived(&config.data);
    writeln!(out, "{} is erased; copies of the database still have the data", person.name)?;
    Ok(())
}

/// Deletes a suite.
pub(super) async fn delete_suite(
    store: &Store,
    delete: &DeleteSuite,
    out: &mut String,
) -> Result<(), Failed> {
    let course = store.course_by_slug(&delete.slug).await?;
    let course = course.ok_or_else(|| Failed::NoCourse(delete.slug.clone()))?;
    let suite = store.suite_by_slug(&course.id, &delete.suite).await?;
    let suite = suite.ok_or_else(|| Failed::NoSuite(delete.suite.clone()))?;
    store.delete_suite(&suite.id, None).await?;
    writeln!(out, "suite {}: deleted, with its submissions and results", delete.suite)?;
    Ok(())
}

/// Deletes an archived course.
pub(super) async fn delete_course(
    store: &Store,
    slug: &str,
    out: &mut String,
) -> Result<(), Failed> {
    let course = store.course_by_slug(slug).await?;
    let course = course.ok_or_else(|| Failed::NoCourse(slug.to_owned()))?;
    store.delete_course(&course.id, None, Timestamp::now()).await?;
    writeln!(out, "course {slug}: deleted, with all that belonged to it")?;
    Ok(())
}

/// Prints the log, the newest entries first.
pub(super) async fn log(store: &Store, log: &Log, out: &mut String) -> Result<(), Failed> {
    let entries = match &log.course {
        None => store.whole_log(0, log.most).await?,
        Some(slug) => {
            let course = store.course_by_slug(slug).await?;
            let course = course.ok_or_else(|| Failed::NoCourse(slug.clone()))?;
            store.log_of_course(&course.id, 0, log.most).await?
        }
    };
    for entry in entries {
        writeln!(out, "{}", line(&entry))?;
    }
    Ok(())
}

fn line(entry: &AuditEntry) -> String {
    let parts = [
        Some(entry.at.to_string()),
        Some(entry.by.clone().unwrap_or_else(|| "operator".to_owned())),
        Some(entry.act.name().to_owned()),
        entry.course.clone(),
        entry.part.clone(),
        entry.person.clone(),
        Some(entry.detail.clone()),
    ];
    let parts = parts.into_iter().flatten().filter(|part| !part.is_empty());
    let parts: Vec<String> = parts.map(|part| printable(&part, usize::MAX)).collect();
    parts.join("\t")
}

/// A person by address or id.
async fn find(store: &Store, who: &str) -> Result<Person, Failed> {
    let found = match who.parse() {
        Ok(id) => store.person(&id).await?,
        Err(_) => store.person_by_address(who).await?,
    };
    found.ok_or_else(|| Failed::NoPerson(who.to_owned()))
}
