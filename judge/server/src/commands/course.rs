//! Creates courses with suites.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use judge_core::Event;
use judge_grading::Suite as GradingSuite;
use judge_runner::suites;
use judge_store::{Error, NewCourse, Store, SuiteSettings, Timestamp, is_slug};

use super::Failed;
use crate::args;
use crate::config::Config;

/// Days until the link for a new course's first instructor expires.
pub(super) const LINK_DAYS: u64 = 30;

/// Creates the course with its suites, and prints a link for its first instructor.
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
    let now = Timestamp::now();
    let link_ends = now.after(Duration::from_secs(LINK_DAYS * 24 * 60 * 60));
    let (course, secret) =
        store.begin_course(&course, (&suites, &settings(config)), link_ends, now).await?;
    list(&suites, out)?;
    let link = format!("{}/join/{}", config.base_url(), secret.reveal());
    writeln!(out, "course {}: open this link to become its instructor\n{link}", course.slug)?;
    Ok(())
}

/// Adds suites to an existing course, all or none.
pub(super) async fn add(
    config: &Config,
    store: &Store,
    add: &args::AddSuite,
    out: &mut String,
) -> Result<(), Failed> {
    let suites = read(&add.suites, out)?;
    let course = store.course_by_slug(&add.slug).await?;
    let course = course.ok_or_else(|| Failed::NoCourse(add.slug.clone()))?.id;
    let added = store.create_suites(&course, (&suites, &settings(config)), Timestamp::now()).await;
    added.map_err(|error| match error {
        Error::Taken { what: "suite", value } => {
            Failed::SuiteName { name: value, why: "the course has a suite of this name" }
        }
        error => error.into(),
    })?;
    list(&suites, out)
}

fn settings(config: &Config) -> SuiteSettings {
    SuiteSettings { pending_at_most: config.pending, ..SuiteSettings::default() }
}

fn list(suites: &[(String, GradingSuite)], out: &mut String) -> Result<(), Failed> {
    for (slug, files) in suites {
        writeln!(out, "suite {slug}: {}", files.title)?;
    }
    Ok(())
}

/// Suites with their short names for URLs.
fn read(suites: &[String], out: &mut String) -> Result<Vec<(String, GradingSuite)>, Failed> {
    let mut warn = |event: &Event| -> std::io::Result<()> {
        if let Event::Warning { text } = event {
            writeln!(out, "warning: {text}").map_err(std::io::Error::other)?;
        }
        Ok(())
    };
    let (mut read, mut names) = (Vec::new(), BTreeSet::new());
    for text in suites {
        let (name, path) = named(text);
        let suite = suites::named(Path::new(path), &mut warn)?;
        suites::check_whole(&suite)?;
        let name = name.map_or_else(|| slug(Path::new(path), &suite), str::to_owned);
        let wrong = |why| Failed::SuiteName { name: name.clone(), why };
        if !is_slug(&name) {
            return Err(wrong("expected up to 60 lower-case letters, digits and hyphens"));
        }
        if !names.insert(name.clone()) {
            return Err(wrong("two suites have this name"));
        }
        read.push((name, suite));
    }
    Ok(read)
}

/// Splits `NAME=DIR`. A name has no separators of folders.
pub(super) fn named(text: &str) -> (Option<&str>, &str) {
    match text.split_once('=').filter(|(name, _)| !name.contains(['/', '\\', '.'])) {
        Some((name, path)) if !Path::new(text).exists() => (Some(name), path),
        _ => (None, text),
    }
}

/// A suite's short name for URLs, derived from its folder's name.
fn slug(path: &Path, suite: &GradingSuite) -> String {
    let name =
        path.file_name().map_or(suite.name.clone(), |name| name.to_string_lossy().into_owned());
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let slug: String = name.chars().map(plain).take(60).collect();
    slug.trim_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_is_named_after_its_option_or_its_folder() {
        assert_eq!(named("lab1=./suites/x"), (Some("lab1"), "./suites/x"));
        assert_eq!(named("mahjong"), (None, "mahjong"));
        assert_eq!(named("./a=b/lab"), (None, "./a=b/lab"));
        let mut out = String::new();
        let mut read = |all: &[&str]| {
            let all: Vec<String> = all.iter().map(|one| (*one).to_owned()).collect();
            let read = read(&all, &mut out).map_err(|failed| failed.to_string());
            read.map(|all| all.into_iter().map(|(name, _)| name).collect::<Vec<_>>())
        };
        assert_eq!(
            read(&["warm-up=mahjong", "mahjong"]),
            Ok(vec!["warm-up".into(), "mahjong".into()])
        );
        for (all, why) in [
            (["mahjong", "mahjong"], "two suites have this name"),
            (["cc", "Lab 1=mahjong"], "expected up to 60 lower-case letters"),
        ] {
            let wrong = read(&all).expect_err("refused");
            assert!(wrong.contains(why) && wrong.contains("--suite NAME=DIR"), "{wrong}");
        }
    }
}
