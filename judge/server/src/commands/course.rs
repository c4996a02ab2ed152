//! Makes a course with suites.

use std::path::{Path, PathBuf};

use judge_core::Event;
use judge_grading::Suite as GradingSuite;
use judge_runner::suites;
use judge_store::{CourseId, NewCourse, NewSuite, Role, Store, SuiteSettings, Timestamp};

use super::invite::link;
use super::{Failed, open};
use crate::args;
use crate::config::Config;

/// Makes the course, and prints a link for its first instructor.
pub(super) async fn new(config: &Config, new: &args::NewCourse) -> Result<(), Failed> {
    // Everything is read before anything is made.
    let suites = read(&new.suites)?;
    let store = open(config).await?;
    let course = NewCourse {
        slug: new.slug.clone(),
        title: new.title.clone(),
        time_zone: new.time_zone.clone(),
    };
    let course = store.create_course(&course, Timestamp::now()).await?;
    keep(config, &store, &course.id, &suites).await?;
    println!("course {}: open this link to become its instructor", course.slug);
    println!("{}", link(config, &store, &course.id, Role::Instructor, None, 30).await?);
    store.close().await;
    Ok(())
}

/// Adds suites to a course that there is.
pub(super) async fn add(config: &Config, add: &args::AddSuite) -> Result<(), Failed> {
    let suites = read(&add.suites)?;
    let store = open(config).await?;
    let course = store.course_by_slug(&add.slug).await?;
    let course = course.ok_or_else(|| Failed::NoCourse(add.slug.clone()))?;
    keep(config, &store, &course.id, &suites).await?;
    store.close().await;
    Ok(())
}

/// Suites with their names in addresses.
fn read(paths: &[PathBuf]) -> Result<Vec<(String, GradingSuite)>, Failed> {
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
) -> Result<(), Failed> {
    for (slug, files) in suites {
        let pending_at_most = config.pending;
        let settings = SuiteSettings { pending_at_most, ..SuiteSettings::default() };
        let suite = NewSuite { course, slug, files, settings };
        store.create_suite(&suite, Timestamp::now()).await?;
        println!("suite {slug}: {}", files.title);
    }
    Ok(())
}

/// Says what is odd about a suite.
fn warn(event: &Event) -> std::io::Result<()> {
    if let Event::Warning { text } = event {
        eprintln!("warning: {text}");
    }
    Ok(())
}

/// A suite's name in addresses: its folder's, as far as it fits.
fn slug(path: &Path, suite: &GradingSuite) -> String {
    let name =
        path.file_name().map_or(suite.name.clone(), |name| name.to_string_lossy().into_owned());
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let slug: String = name.chars().map(plain).take(60).collect();
    slug.trim_matches('-').to_owned()
}
