//! Copies of courses for the next term: suites, arenas and settings, with moved dates, and nothing
//! about people. A copy is made as a whole or not at all.

use sqlx::AnyConnection;

use crate::access::Token;
use crate::archive;
use crate::arenas::{Arena, NewArena, Season, arenas_in, insert_arena, references, season_in};
use crate::audit::{About, Act};
use crate::basics::access_refusal::AccessRefusal;
use crate::basics::error::Error;
use crate::basics::id::{ArenaId, CourseId, PersonId, TokenId};
use crate::basics::time::{Timestamp, Zone};
use crate::invitations::{self, NewInvitation};
use crate::people::{Course, Joining, NewCourse, insert_course, join, need_course, set_webhook};
use crate::rights::{self, KeptAccess};
use crate::role::Role;
use crate::row::words;
use crate::store::Store;
use crate::suites::{self, NewSuite, Suite, SuiteSettings, grading_suite, insert_suite, suites_in};

words! {
    /// The meaning of a date of a course.
    DateKind {
        /// A suite opens.
        Opens = "opens",
        /// A suite is due.
        Due = "due",
        /// A suite's scoreboard freezes.
        Freezes = "freezes",
        /// An arena's first season ends.
        SeasonEnds = "season_ends",
    }
}

/// A date of a course, and the date that it becomes in a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShiftedDate {
    /// Title of the suite or arena.
    pub title: String,
    /// Its meaning.
    pub kind: DateKind,
    /// The date in the course.
    pub before: Timestamp,
    /// The date in the copy.
    pub after: Timestamp,
}

/// A copy to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CourseCopy {
    /// Short name for URLs: lower-case letters, digits and hyphens.
    pub slug: String,
    /// One line for people.
    pub title: String,
    /// Days by which dates move, in the course's local time.
    pub days: i64,
}

impl Store {
    /// The dates of a course, in the order of its suites and arenas, and those of a copy in which
    /// they move by that many days.
    ///
    /// # Errors
    /// When they cannot move that far, the time zone is unknown, or the database fails.
    pub async fn shifted_dates(
        &self,
        course: &Course,
        days: i64,
    ) -> Result<Vec<ShiftedDate>, Error> {
        let zone = course.zone()?;
        let mut connection = self.pool.acquire().await?;
        let mut dates = Vec::new();
        for suite in suites_in(&mut connection, &course.id).await? {
            dates.extend(dates_of(&suite).map(|(kind, at)| (suite.title.clone(), kind, at)));
        }
        for arena in arenas_in(&mut connection, &course.id).await? {
            let ends = first_season(&mut connection, &arena.id).await?.ends_at;
            dates.extend(ends.map(|at| (arena.title, DateKind::SeasonEnds, at)));
        }
        let shifted = |(title, kind, before)| {
            Ok(ShiftedDate { title, kind, before, after: zone.shifted(before, days)? })
        };
        dates.into_iter().map(shifted).collect()
    }

    /// The number of days that move the first due date of a course to a date such as `2027-03-08`.
    ///
    /// # Errors
    /// [`Error::NoDueDate`] if no suite has one; when the text is not a date, the time zone is
    /// unknown, or the database fails.
    pub async fn days_to(&self, course: &Course, first_due: &str) -> Result<i64, Error> {
        let suites = self.suites_of(&course.id).await?;
        let first = suites.iter().filter_map(|suite| suite.settings.due_at).min();
        course.zone()?.days_until(first.ok_or(Error::NoDueDate)?, first_due)
    }

    /// Copies a course for one of its instructors, who becomes the instructor of the copy. As with
    /// every new role of staff, other access to the account ends; `session` stays.
    ///
    /// # Errors
    /// [`AccessRefusal::NotAnInstructor`] if the person is not one, and
    /// [`AccessRefusal::SignedOut`] if the session has ended; when a name is taken or cannot be used, the dates cannot move that far, or the
    /// database fails. Nothing was created then.
    pub async fn copy_course(
        &self,
        from: &CourseId,
        new: &CourseCopy,
        (by, session): (&PersonId, &TokenId),
        now: Timestamp,
    ) -> Result<Course, Error> {
        let mut transaction = self.begin().await?;
        archive::lock_for(&mut transaction, from, Some(by)).await?;
        let course = copy(&mut transaction, from, new, now).await?;
        rights::lock_person(&mut transaction, by).await?;
        if rights::live(&mut transaction, by, session, now).await?.is_none() {
            return Err(AccessRefusal::SignedOut.into());
        }
        let joining = Joining::new(&course.id, by, Role::Instructor);
        join(
            &mut transaction,
            Joining { keep: KeptAccess::session(Some(session)), ..joining },
            now,
        )
        .await?;
        self.log_copy(&mut transaction, from, &course).await?;
        transaction.commit().await?;
        Ok(course)
    }

    /// Copies a course for the operator, with a link for the copy's first instructor.
    ///
    /// # Errors
    /// As [`Store::copy_course`].
    pub async fn copy_course_with_link(
        &self,
        from: &CourseId,
        new: &CourseCopy,
        link_ends: Timestamp,
        now: Timestamp,
    ) -> Result<(Course, Token), Error> {
        let mut transaction = self.begin().await?;
        archive::lock_for(&mut transaction, from, None).await?;
        let course = copy(&mut transaction, from, new, now).await?;
        let link = NewInvitation {
            course: Some(course.id.clone()),
            role: Role::Instructor,
            person: None,
            listed: None,
            expires_at: link_ends,
        };
        let (_, secret) = invitations::insert(&mut transaction, &link, None, now).await?;
        self.log_copy(&mut transaction, from, &course).await?;
        transaction.commit().await?;
        Ok((course, secret))
    }
}

impl Store {
    /// Logs a copy in both courses.
    async fn log_copy(
        &self,
        connection: &mut AnyConnection,
        from: &CourseId,
        copy: &Course,
    ) -> Result<(), Error> {
        let to = format!("to {}", copy.slug);
        self.log(connection, Act::CourseCopied, About::Course(from), (None, &to)).await?;
        let about = About::Course(&copy.id);
        self.log(connection, Act::CourseCreated, about, (None, "a copy")).await
    }
}

/// Copies a course without its people, in the caller's transaction.
async fn copy(
    connection: &mut AnyConnection,
    from: &CourseId,
    new: &CourseCopy,
    now: Timestamp,
) -> Result<Course, Error> {
    let old = need_course(connection, from).await?;
    let zone = old.zone()?;
    let CourseCopy { slug, title, days } = new.clone();
    let course = NewCourse { slug, title, time_zone: old.time_zone };
    let course = insert_course(connection, &course, now).await?;
    set_webhook(connection, &course.id, old.webhook.as_deref()).await?;
    // The time of creation is the order of suites and arenas.
    let moments = || (0..).map(|millis| Timestamp::from_millis(now.millis() + millis));
    for (suite, now) in std::iter::zip(suites_in(connection, from).await?, moments()) {
        copy_suite(connection, &suite, (&course.id, &zone, days), now).await?;
    }
    for (arena, now) in std::iter::zip(arenas_in(connection, from).await?, moments()) {
        copy_arena(connection, &arena, (&course.id, &zone, days), now).await?;
    }
    Ok(Course { webhook: old.webhook, ..course })
}

/// Copies a suite with its present files and secrets; during a preview, those before it.
async fn copy_suite(
    connection: &mut AnyConnection,
    suite: &Suite,
    (course, zone, days): (&CourseId, &Zone, i64),
    now: Timestamp,
) -> Result<(), Error> {
    let accepted = suite.held_from.unwrap_or(suite.generation);
    let files = grading_suite(connection, &suite.id, accepted).await?;
    let shifted = |at: Option<Timestamp>| at.map(|at| zone.shifted(at, days)).transpose();
    let settings = SuiteSettings {
        opens_at: shifted(suite.settings.opens_at)?,
        due_at: shifted(suite.settings.due_at)?,
        frozen_at: shifted(suite.settings.frozen_at)?,
        ..suite.settings.clone()
    };
    let new = NewSuite { course, slug: &suite.slug, files: &files, settings };
    let id = insert_suite(connection, &new, now).await?;
    let called = Some(&suite.title).filter(|title| **title != files.title);
    suites::call(connection, &id, called.cloned()).await
}

/// Copies an arena with its reference opponents. It has no pairs yet, so it begins with the first
/// season, and its seeds come from a new secret.
async fn copy_arena(
    connection: &mut AnyConnection,
    arena: &Arena,
    (course, zone, days): (&CourseId, &Zone, i64),
    now: Timestamp,
) -> Result<(), Error> {
    let season = first_season(connection, &arena.id).await?;
    let opponents = references(connection, &arena.id).await?;
    let opponents: Vec<&str> = opponents.iter().map(String::as_str).collect();
    let new = NewArena {
        course,
        slug: &arena.slug,
        title: &arena.title,
        game: &arena.game,
        options: &arena.options,
        opponents: &opponents,
        anchor: &arena.anchor,
        scoring: arena.scoring,
        season: &season.title,
        ends_at: season.ends_at.map(|at| zone.shifted(at, days)).transpose()?,
    };
    insert_arena(connection, &new, now).await?;
    Ok(())
}

/// The dates of a suite.
fn dates_of(suite: &Suite) -> impl Iterator<Item = (DateKind, Timestamp)> {
    let settings = &suite.settings;
    let all = [
        (DateKind::Opens, settings.opens_at),
        (DateKind::Due, settings.due_at),
        (DateKind::Freezes, settings.frozen_at),
    ];
    all.into_iter().filter_map(|(kind, at)| Some((kind, at?)))
}

async fn first_season(connection: &mut AnyConnection, arena: &ArenaId) -> Result<Season, Error> {
    let missing = || Error::Missing { what: "season", value: "1".to_owned() };
    season_in(connection, arena, 1).await?.ok_or_else(missing)
}
