//! Tasks that change the database, run here or by the server that has it open.

use std::fmt::Write as _;
use std::path::Path;

use judge_store::{Store, Timestamp};
use serde::{Deserialize, Serialize};

use super::{Failed, course, invite, keeping, open, term};
use crate::args;
use crate::config::Config;

/// The answer to a request for a second key.
const HAS_KEY: &str = "the database has a signing key already; nothing was changed";

/// A task.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Task {
    /// Create a course.
    NewCourse(args::NewCourse),
    /// Add suites to a course.
    AddSuite(args::AddSuite),
    /// Copy a course.
    CopyCourse(args::CopyCourse),
    /// Make a course read-only.
    Archive(args::ArchiveCourse),
    /// Let an archived course be changed again.
    BringBack(args::ArchiveCourse),
    /// Invite people.
    Invite(args::Invite),
    /// Delete a suite.
    DeleteSuite(args::DeleteSuite),
    /// Delete an archived course.
    DeleteCourse(args::ArchiveCourse),
    /// Export a person's data.
    Export(args::ExportPerson),
    /// Erase a person.
    Erase(args::ErasePerson),
    /// Print the log.
    Log(args::Log),
    /// Create a signing key.
    NewKey,
}

impl Task {
    /// Runs the task, or passes it to the server that has the database open, and prints the
    /// outcome.
    pub(super) async fn run(self, config: &Config) -> Result<(), Failed> {
        let mut out = String::new();
        #[cfg(unix)]
        let there =
            super::control::ask(config, &self.clone().seen_from_anywhere()?, &mut out).await;
        #[cfg(not(unix))]
        let there = None;
        let done = match there {
            Some(done) => done,
            None => {
                let store = open(config).await?;
                let done = self.work(config, &store, &mut out).await;
                store.close().await;
                done
            }
        };
        print!("{out}");
        done
    }

    /// Runs the task on an open database.
    pub(super) async fn work(
        &self,
        config: &Config,
        store: &Store,
        out: &mut String,
    ) -> Result<(), Failed> {
        let store = &store.acting(None, Timestamp::now());
        match self {
            Task::NewCourse(new) => course::new(config, store, new, out).await,
            Task::AddSuite(add) => course::add(config, store, add, out).await,
            Task::CopyCourse(new) => term::copy(config, store, new, out).await,
            Task::Archive(course) => term::archive(store, &course.slug, out).await,
            Task::BringBack(course) => term::bring_back(store, &course.slug, out).await,
            Task::DeleteSuite(suite) => keeping::delete_suite(store, suite, out).await,
            Task::DeleteCourse(course) => keeping::delete_course(store, &course.slug, out).await,
            Task::Export(export) => keeping::export(store, export, out).await,
            Task::Erase(erase) => keeping::erase(config, store, &erase.who, out).await,
            Task::Log(log) => keeping::log(store, log, out).await,
            Task::Invite(invite) => invite::run(config, store, invite, out).await,
            Task::NewKey => {
                let made = store.new_signing_key().await?;
                writeln!(out, "{}", if made { "a signing key was made" } else { HAS_KEY })?;
                Ok(())
            }
        }
    }

    /// The task with absolute paths, because the server's working directory may differ.
    #[cfg(unix)]
    fn seen_from_anywhere(mut self) -> Result<Task, Failed> {
        // The name of a bundled suite is not a path.
        let whole = |path: &Path| match path.exists() {
            true => std::path::absolute(path),
            false => Ok(path.to_owned()),
        };
        let suite = |text: &mut String| -> std::io::Result<()> {
            let (name, path) = course::named(text);
            let path = whole(Path::new(path))?.display().to_string();
            *text = name.map_or_else(|| path.clone(), |name| format!("{name}={path}"));
            Ok(())
        };
        match &mut self {
            Task::NewCourse(args::NewCourse { suites, .. })
            | Task::AddSuite(args::AddSuite { suites, .. }) => {
                suites.iter_mut().try_for_each(suite)?;
            }
            Task::Invite(args::Invite { list: Some(list), .. }) => *list = whole(list)?,
            Task::Export(args::ExportPerson { file, .. }) => *file = std::path::absolute(&*file)?,
            Task::CopyCourse(_) | Task::Archive(_) | Task::BringBack(_) => {}
            Task::DeleteSuite(_) | Task::DeleteCourse(_) | Task::Erase(_) | Task::Log(_) => {}
            Task::Invite(_) | Task::NewKey => {}
        }
        Ok(self)
    }
}
