//! Copies courses for the next term, archives them, and brings them back.

use std::fmt::Write as _;
use std::time::Duration;

use judge_store::{Course, CourseCopy, ShiftedDate, Store, Timestamp};

use super::Failed;
use super::course::LINK_DAYS;
use crate::args::CopyCourse;
use crate::config::Config;

/// Copies a course, and prints its dates and a link for the copy's first instructor.
pub(super) async fn copy(
    config: &Config,
    store: &Store,
    new: &CopyCourse,
    out: &mut String,
) -> Result<(), Failed> {
    let from = find(store, &new.from).await?;
    let days = match &new.first_due {
        Some(date) => store.days_to(&from, date).await?,
        None => new.days,
    };
    let dates = store.shifted_dates(&from, days).await?;
    let title = new.title.clone().unwrap_or_else(|| from.title.clone());
    let copy = CourseCopy { slug: new.slug.clone(), title, days };
    let now = Timestamp::now();
    let link_ends = now.after(Duration::from_secs(LINK_DAYS * 24 * 60 * 60));
    let (course, secret) = store.copy_course_with_link(&from.id, &copy, link_ends, now).await?;
    list(&from, &dates, out)?;
    let link = format!("{}/join/{}", config.base_url(), secret.reveal());
    writeln!(out, "course {}: open this link to become its instructor\n{link}", course.slug)?;
    Ok(())
}

/// Prints the dates before and after, by the course's clock.
fn list(course: &Course, dates: &[ShiftedDate], out: &mut String) -> Result<(), Failed> {
    let zone = course.zone()?;
    for ShiftedDate { title, kind, before, after } in dates {
        let (before, after) = (zone.exact(*before), zone.exact(*after));
        writeln!(out, "{title}: {} {before} -> {after}", kind.name().replace('_', " "))?;
    }
    Ok(())
}

/// Makes a course read-only.
pub(super) async fn archive(store: &Store, slug: &str, out: &mut String) -> Result<(), Failed> {
    let course = find(store, slug).await?;
    let text = match store.archive_course(&course.id, None, Timestamp::now()).await? {
        true => "archived; it can be read, and nothing in it can be changed",
        false => "is archived already; nothing was changed",
    };
    writeln!(out, "course {slug}: {text}")?;
    Ok(())
}

/// Lets an archived course be changed again.
pub(super) async fn bring_back(store: &Store, slug: &str, out: &mut String) -> Result<(), Failed> {
    let course = find(store, slug).await?;
    let text = match store.bring_back_course(&course.id, None).await? {
        true => "it is back, and can be changed again",
        false => "is not archived; nothing was changed",
    };
    writeln!(out, "course {slug}: {text}")?;
    Ok(())
}

async fn find(store: &Store, slug: &str) -> Result<Course, Failed> {
    let course = store.course_by_slug(slug).await?;
    course.ok_or_else(|| Failed::NoCourse(slug.to_owned()))
}
