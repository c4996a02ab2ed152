//! Exports a suite's results to a folder. All files are recomputed from the rounds, by the rules.
//! The export fails unless marks and digests are the same.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_arena::{Journal, StoreError, is_refusal_fact, refusal_fact};
use judge_core::{BotIdentity, Digest, Event, GradeReport};
use judge_grading::Suite as GradingSuite;
use judge_runner::base::workers;
use judge_runner::bots::builds::Scratch;
use judge_runner::course::{Assignment, GradingOptions, write_kept};
use tokio::runtime::Handle;

use crate::basics::error::Error;
use crate::basics::id::{PersonId, SuiteId};
use crate::basics::time::Timestamp;
use crate::owner::Owner;
use crate::people::Person;
use crate::results::{ResultRow, ResultState};
use crate::role::Role;
use crate::rounds::{DatabaseRounds, RunKey};
use crate::store::Store;

/// The result of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// The folder.
    pub folder: PathBuf,
    /// Number of students with a result in it.
    pub students: usize,
    /// Students without a result in it, because the judge failed, or the result is of another
    /// version or generation.
    pub left_out: Vec<PersonId>,
}

/// A student's result to export.
struct ExportLine {
    person: Person,
    result: ResultRow,
    module: Digest,
}

impl ExportLine {
    /// The submission's name in the folder, which contains no text that a person chose.
    fn name(&self) -> String {
        self.person.id.to_string()
    }
}

impl Store {
    /// Writes the results that count into a new folder, as `judge grade --out` would have. Its
    /// files about submissions are named by their students' ids.
    ///
    /// # Errors
    /// When the folder exists, nothing can be exported, a recomputed result differs, or a file
    /// cannot be written.
    pub async fn export(
        &self,
        suite: &SuiteId,
        to: &Path,
        now: Timestamp,
    ) -> Result<Exported, Error> {
        let shown = self.need_suite(suite).await?.shown;
        let files = self.grading_suite(suite, shown).await?;
        let (lines, left_out) = self.lines(suite, shown).await?;
        let folder =
            Scratch::new("export-").map_err(|source| Error::File { path: to.into(), source })?;
        let mut runs = BTreeMap::new();
        for line in &lines {
            let path = folder.path().join(line.name() + ".wasm");
            let module = self.module(&line.module).await?.unwrap_or_default();
            std::fs::write(&path, module).map_err(|source| Error::File { path, source })?;
            let key = RunKey { suite: suite.clone(), generation: shown, module: line.module };
            let run = self.rounds(&key, &workers::fingerprint(), now).await?;
            runs.insert(line.name(), (line.module, run));
        }
        let list = folder.path().join("students.csv");
        write_list(&list, &lines)?;
        let students = lines.len();
        let digests: BTreeMap<String, Digest> =
            lines.iter().map(|line| (line.name(), line.result.digest)).collect();
        let assignment = Assignment {
            submissions: lines
                .iter()
                .map(|line| folder.path().join(line.name() + ".wasm"))
                .collect(),
            suite: PathBuf::from(&files.name),
            out: to.to_owned(),
            students: Some(list),
            mapping: None,
            dates: None,
            options: GradingOptions { allow_unmatched: true, ..GradingOptions::default() },
        };
        let runtime = Handle::current();
        let written = move || write(&assignment, files, &runs, &digests, &runtime);
        let written = tokio::task::spawn_blocking(written).await;
        written.map_err(|error| Error::Thread(error.to_string()))??;
        drop(folder);
        Ok(Exported { folder: to.to_owned(), students, left_out })
    }

    /// The students' results that count, and the students without an exportable result.
    async fn lines(
        &self,
        suite: &SuiteId,
        shown: i64,
    ) -> Result<(Vec<ExportLine>, Vec<PersonId>), Error> {
        let (mut lines, mut left_out) = (Vec::new(), Vec::new());
        let own = workers::fingerprint();
        for row in self.counting_results(suite).await? {
            let (Role::Student, Owner::Person(student)) = (row.role, row.owner) else { continue };
            let result = row.result;
            let report = self.whole_report(&result.submission, result.generation).await?;
            let report = report.and_then(|report| GradeReport::from_json(&report).ok());
            let fits = report.is_some_and(|report| report.fingerprint == own)
                && result.generation == shown
                && result.state != ResultState::JudgeError;
            let person = self.person(&student).await?;
            let submission = self.submission(&result.submission).await?;
            let module = match &submission {
                Some(one) => self.module(&one.module).await?.map(|_| one.module),
                None => None,
            };
            match (person, module) {
                (Some(person), Some(module)) if fits => {
                    lines.push(ExportLine { person, result, module });
                }
                _ => left_out.push(student),
            }
        }
        match lines.is_empty() {
            true => Err(Error::Missing { what: "result to export in", value: suite.to_string() }),
            false => Ok((lines, left_out)),
        }
    }
}

/// Writes the folder, and compares each recomputed result with the one in the database.
fn write(
    assignment: &Assignment,
    files: GradingSuite,
    runs: &BTreeMap<String, (Digest, DatabaseRounds)>,
    digests: &BTreeMap<String, Digest>,
    runtime: &Handle,
) -> Result<(), Error> {
    let mut other = None;
    let mut listener = |event: &Event| {
        if let Event::SubmissionDecided { report } = event {
            let kept = digests.get(&report.bot.name);
            if kept != Some(&report.digest) {
                other = Some((report.bot.name.clone(), kept.copied(), report.digest));
            }
        }
        Ok(())
    };
    let mut fill = |journal: &Journal| {
        for (name, (module, run)) in runs {
            runtime.block_on(copy(journal, name, module, run)).map_err(|error| {
                StoreError::Other { store: "the database".to_owned(), source: Box::new(error) }
            })?;
        }
        Ok(())
    };
    write_kept(assignment, files, &mut fill, &mut listener)?;
    match other {
        None => Ok(()),
        Some((name, kept, new)) => Err(Error::NotReproduced { name, kept, new }),
    }
}

/// Copies a run into a journal.
async fn copy(
    journal: &Journal,
    name: &str,
    module: &Digest,
    run: &DatabaseRounds,
) -> Result<(), Error> {
    run.each(|round, cost| Ok(journal.copy(&round, cost)?)).await?;
    for (fact, value) in run.facts().await? {
        if is_refusal_fact(&fact, module) {
            let bot = BotIdentity { name: name.to_owned(), sha256: *module, author: None };
            journal.note(&refusal_fact(&bot), &value)?;
        }
    }
    Ok(())
}

/// Writes the list of students.
fn write_list(path: &Path, lines: &[ExportLine]) -> Result<(), Error> {
    let mut list = csv::Writer::from_writer(Vec::new());
    let mut write = |fields: [&str; 4]| list.write_record(fields);
    let mut written = write(["submission", "student", "id", "address"]);
    for line in lines {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let (id, address) = (text(&line.person.number), text(&line.person.address));
        written = written.and_then(|()| write([&line.name(), &line.person.name, &id, &address]));
    }
    let failed = |source| Error::File { path: path.to_owned(), source };
    written.map_err(std::io::Error::other).map_err(failed)?;
    let bytes = list.into_inner().map_err(|error| failed(error.into_error()))?;
    std::fs::write(path, bytes).map_err(failed)
}
