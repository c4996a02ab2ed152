//! Creates courses with suites.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use judge_core::Event;
use judge_grading::Suite as GradingSuite;
use judge_runner::suites;
use judge_store::{CourseId, NewCourse, NewSuite, Role, Store, SuiteSettings, Timestamp};

use super::Failed;
use super::invite::link;
use crate::args;
use crate::config::Config;

/// Creates the course, and prints a link for its first instructor.
pub(super) async fn new(
    config: &Config,
    store: &Store,
    new: &args::NewCourse,
    out: &mut String,
) -> Result<(), Failed> {
    // All suites are read before the course is created.
    let suites = read(&new.suites, out)?;
    let course = NewCourse {
        slug: new.slug.clone(),
        title: new.title.clone(),
        time_zone: new.time_zone.clone(),
    };
    let course = store.create_course(&course, Timestamp::now()).await?;
    keep(config, store, &course.id, &suites, out).await?;
    let link = link(config, store, &course.id, Role::Instructor, None, 30).await?;
    writeln!(out, "course {}: open this link to become its instructor\n{link}", course.slug)?;
    Ok(())
}

/// Adds suites to an existing course.
pub(super) async fn add(
    config: &Config,
    store: &Store,
    add: &args::AddSuite,
    out: &mut String,
) -> Result<(), Failed> {
    let suites = read(&add.suites, out)?;
    let course = store.course_by_slug(&add.slug).await?;
    let course = course.ok_or_else(|| Failed::NoCourse(add.slug.clone()))?;
    keep(config, store, &course.id, &suites, out).await
}

/// Suites with their short names for URLs.
fn read(paths: &[PathBuf], out: &mut String) -> Result<Vec<(String, GradingSuite)>, Failed> {
    let mut warn = |event: &Event| -> std::io::Result<()> {
        if let Event::Warning { text } = event {
            writeln!(out, "warning: {text}").map_err(std::io::Error::other)?;
        }
        Ok(())
    };
    let one = |path: &PathBuf| {
        let suite = suites::named(path, &mut warn)?;
        Ok((slug(path, &suite), suite))
    };
    paths.iter().map(one).collect()
}

async fn keep(
    config: &Config,
    store: &Store,
    course: &CourseId,
    suites: &[(String, GradingSuite)],
    out: &mut String,
) -> Result<(), Failed> {
    for (slug, files) in suites {
        let pending_at_most = config.pending;
        let settings = SuiteSettings { pending_at_most, ..SuiteSettings::default() };
        let suite = NewSuite { course, slug, files, settings };
        store.create_suite(&suite, Timestamp::now()).await?;
        writeln!(out, "suite {slug}: {}", files.title)?;
    }
    Ok(())
}

/// A suite's short name for URLs, derived from its folder's name.
fn slug(path: &Path, suite: &GradingSuite) -> String {
    let name =
        path.file_name().map_or(suite.name.clone(), |name| name.to_string_lossy().into_owned());
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let slug: String = name.chars().map(plain).take(60).collect();
    slug.trim_matches('-').to_owned()
}
