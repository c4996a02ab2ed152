//! A new course with its suites and its first instructor: all of it, or nothing.

use judge_grading::Suite as GradingSuite;
use sqlx::AnyConnection;

use crate::access::Token;
use crate::archive::ChangedPart;
use crate::audit::{About, Act};
use crate::basics::error::Error;
use crate::basics::id::{CourseId, PersonId};
use crate::basics::time::Timestamp;
use crate::invitations::{self, NewInvitation};
use crate::people::{Course, Joining, NewCourse, insert_course, join};
use crate::role::Role;
use crate::store::Store;
use crate::suites::{NewSuite, SuiteSettings, insert_suite};

/// Suites with their short names for URLs, and the settings that all of them get.
pub type NewSuites<'a> = (&'a [(String, GradingSuite)], &'a SuiteSettings);

async fn insert_suites(
    connection: &mut AnyConnection,
    course: &CourseId,
    (suites, settings): NewSuites<'_>,
    now: Timestamp,
) -> Result<(), Error> {
    for (slug, files) in suites {
        let suite = NewSuite { course, slug, files, settings: settings.clone() };
        insert_suite(connection, &suite, now).await?;
    }
    Ok(())
}

impl Store {
    /// Creates a course with suites and a link for its first instructor.
    ///
    /// # Errors
    /// When a name is taken or cannot be used, the time zone is unknown, or the database fails.
    /// Nothing was created then.
    pub async fn begin_course(
        &self,
        new: &NewCourse,
        suites: NewSuites<'_>,
        link_ends: Timestamp,
        now: Timestamp,
    ) -> Result<(Course, Token), Error> {
        let mut transaction = self.begin().await?;
        let course = insert_course(&mut transaction, new, now).await?;
        insert_suites(&mut transaction, &course.id, suites, now).await?;
        let link = NewInvitation {
            course: Some(course.id.clone()),
            role: Role::Instructor,
            person: None,
            listed: None,
            expires_at: link_ends,
        };
        let (_, secret) = invitations::insert(&mut transaction, &link, None, now).await?;
        let about = About::Course(&course.id);
        self.log(&mut transaction, Act::CourseCreated, about, (None, "")).await?;
        transaction.commit().await?;
        Ok((course, secret))
    }

    /// Adds suites to a course, all or none.
    ///
    /// # Errors
    /// When a name is taken or cannot be used, or the database fails.
    pub async fn create_suites(
        &self,
        course: &CourseId,
        suites: NewSuites<'_>,
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut transaction = self.change(ChangedPart::Course(course)).await?;
        insert_suites(&mut transaction, course, suites, now).await?;
        let names: Vec<&str> = suites.0.iter().map(|(slug, _)| slug.as_str()).collect();
        let detail = names.join(", ");
        let about = About::Course(course);
        self.log(&mut transaction, Act::SuiteAdded, about, (None, &detail)).await?;
        Ok(transaction.commit().await?)
    }

    /// Creates a course with a person as its first instructor.
    ///
    /// # Errors
    /// As [`Store::begin_course`].
    pub async fn create_course_of(
        &self,
        person: &PersonId,
        new: &NewCourse,
        now: Timestamp,
    ) -> Result<Course, Error> {
        let mut transaction = self.begin().await?;
        let course = insert_course(&mut transaction, new, now).await?;
        let joining = Joining::new(&course.id, person, Role::Instructor);
        join(&mut transaction, joining, now).await?;
        let about = About::Course(&course.id);
        self.log(&mut transaction, Act::CourseCreated, about, (None, "")).await?;
        transaction.commit().await?;
        Ok(course)
    }
}
