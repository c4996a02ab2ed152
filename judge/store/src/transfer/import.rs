//! Imports a folder of `judge grade --out` as a suite of a course.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use judge_arena::{Journal, is_refusal_fact, round_modules};
use judge_core::{Digest, Lateness, digest};
use judge_runner::base::workers;
use judge_runner::course::{KeptCourse, KeptStudent, KeptSubmission, read_kept};

use crate::archive::ChangedPart;
use crate::basics::error::Error;
use crate::basics::id::{CourseId, PersonId, SubmissionId, SuiteId};
use crate::basics::time::Timestamp;
use crate::modules;
use crate::owner::Owner;
use crate::people::{self, Joining, NewPerson};
use crate::results;
use crate::rights;
use crate::role::Role;
use crate::rounds::RunKey;
use crate::store::Store;
use crate::submissions::{self, Submission};
use crate::suites::{NewSuite, SuiteSettings};

/// The result of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The new suite.
    pub suite: SuiteId,
    /// Submissions with their results, one for each member of a group.
    pub submissions: usize,
    /// Students who were not known before.
    pub new_people: usize,
    /// Modules without bytes: their submissions are never graded again.
    pub without_bytes: Vec<Digest>,
}

impl Store {
    /// Adds the results in a folder of `judge grade --out` to a course, as a new suite. The folder
    /// has no modules, so those in `modules`, files or folders of them, are stored as well. A
    /// student is found by the address; one without an address is new. A group's submission is
    /// added for each of its members.
    ///
    /// # Errors
    /// When the folder cannot be read or its results do not match its journal, the slug is taken,
    /// or the database fails. Submissions that were added by then stay, complete with their
    /// results.
    pub async fn import(
        &self,
        course: &CourseId,
        slug: &str,
        from: &Path,
        modules: &[PathBuf],
        now: Timestamp,
    ) -> Result<Imported, Error> {
        let (folder, paths) = (from.to_owned(), modules.to_vec());
        let read = tokio::task::spawn_blocking(move || Ok((read_kept(&folder)?, found(&paths)?)));
        let read: Result<_, Error> =
            read.await.map_err(|error| Error::Thread(error.to_string()))?;
        let (kept, bytes) = read?;
        let settings = SuiteSettings::default();
        let new = NewSuite { course, slug, files: &kept.suite, settings };
        let suite = self.create_suite(&new, now).await?.id;
        let mut imported =
            Imported { suite, submissions: 0, new_people: 0, without_bytes: Vec::new() };
        for one in &kept.submissions {
            let mut people = BTreeSet::new();
            for student in &one.students {
                let person = self.import_person(student, now, &mut imported).await?;
                // A list can have the same address twice.
                if people.insert(person.clone()) {
                    self.import_one((course, person), one, &bytes, now, &mut imported).await?;
                }
            }
        }
        self.import_rounds(&kept, &imported.suite, now).await?;
        Ok(imported)
    }

    /// Adds a person's submission with its result in one transaction, so that it never waits to be
    /// graded.
    async fn import_one(
        &self,
        (course, person): (&CourseId, PersonId),
        one: &KeptSubmission,
        bytes: &BTreeMap<Digest, PathBuf>,
        now: Timestamp,
        imported: &mut Imported,
    ) -> Result<(), Error> {
        let bot = &one.report.bots[0].bot;
        let mut transaction = self.change(ChangedPart::Course(course)).await?;
        // An instructor with submissions stays an instructor.
        let role = rights::role(&mut transaction, course, &person).await?;
        let role = role.map_or(Role::Student, |role| role.or_more(Role::Student));
        people::join(&mut transaction, Joining::new(course, &person, role), now).await?;
        match bytes.get(&bot.sha256) {
            Some(path) => {
                let failed = |source| Error::File { path: path.clone(), source };
                let module = std::fs::read(path).map_err(failed)?;
                modules::keep(&mut transaction, &module, now).await?;
            }
            None if modules::note(&mut transaction, &bot.sha256, now).await? => {}
            None if imported.without_bytes.contains(&bot.sha256) => {}
            None => imported.without_bytes.push(bot.sha256),
        }
        let submission = Submission {
            id: SubmissionId::random()?,
            suite: imported.suite.clone(),
            owner: Owner::Person(person.clone()),
            person,
            module: bot.sha256,
            source: None,
            name: bot.name.clone(),
            file_name: one.file.clone(),
            received_at: now,
            generation: 1,
            lateness: Lateness::ON_TIME,
            of_day: 0,
            day_ends_at: now,
        };
        submissions::insert(&mut transaction, &submission).await?;
        results::write(&mut transaction, &submission, 1, &one.report, now).await?;
        transaction.commit().await?;
        imported.submissions += 1;
        Ok(())
    }

    /// The person of a student.
    async fn import_person(
        &self,
        student: &KeptStudent,
        now: Timestamp,
        imported: &mut Imported,
    ) -> Result<PersonId, Error> {
        if let Some(address) = &student.address
            && let Some(person) = self.person_by_address(address).await?
        {
            return Ok(person.id);
        }
        imported.new_people += 1;
        let new = NewPerson {
            name: student.name.clone(),
            address: student.address.clone(),
            number: student.id.clone(),
            is_administrator: false,
        };
        Ok(self.add_person(&new, now).await?.id)
    }

    /// Adds the rounds, so that replays are available.
    async fn import_rounds(
        &self,
        kept: &KeptCourse,
        suite: &SuiteId,
        now: Timestamp,
    ) -> Result<(), Error> {
        let bots = kept.submissions.iter().map(|one| one.report.bots[0].bot.sha256);
        let mut runs = BTreeMap::new();
        for module in bots {
            let key = RunKey { suite: suite.clone(), generation: 1, module };
            let run = self.rounds(&key, &workers::fingerprint(), now).await?;
            for (name, value) in kept.journal.facts() {
                if is_refusal_fact(&name, &module) {
                    run.keep_fact(&name, &value).await?;
                }
            }
            let cost = cost(&kept.journal, &module);
            runs.insert(module, (run, cost));
        }
        for line in kept.journal.lines() {
            let round = kept.journal.round(line)?;
            for module in round_modules(&round.spec) {
                if let Some((run, cost)) = runs.get_mut(&module) {
                    // The journal has only the sum, which is stored with the first round.
                    let mut cost = || std::mem::take(cost);
                    run.add(&round.spec, &round.transcript, round.outline.digest, &mut cost)
                        .await?;
                }
            }
        }
        Ok(())
    }
}

/// Milliseconds of processor time that a module has used.
fn cost(journal: &Journal, module: &Digest) -> u64 {
    let used = journal.processor_time(module);
    used.map_or(0, |used| u64::try_from(used.as_millis()).unwrap_or(u64::MAX))
}

/// Files by their hash: the given files, and those in the given folders.
fn found(paths: &[PathBuf]) -> Result<BTreeMap<Digest, PathBuf>, Error> {
    let mut found = BTreeMap::new();
    let mut open = paths.to_vec();
    while let Some(path) = open.pop() {
        let failed = |source| Error::File { path: path.clone(), source };
        // Links could form a cycle.
        let what = std::fs::symlink_metadata(&path).map_err(failed)?;
        if what.is_dir() {
            for entry in std::fs::read_dir(&path).map_err(failed)? {
                open.push(entry.map_err(failed)?.path());
            }
        } else if what.is_file() && path.extension().is_some_and(|ending| ending == "wasm") {
            let hash = digest(&std::fs::read(&path).map_err(failed)?);
            found.insert(hash, path);
        }
    }
    Ok(found)
}
