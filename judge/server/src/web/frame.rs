//! Common parts of every page: texts, title, navigation.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use judge_store::Person;

use super::{Assets, RequestFailure, Viewer};
use crate::words::{Language, Words};

/// The frame of a page.
#[derive(Debug)]
pub struct PageFrame {
    /// Words in the reader's language.
    pub words: &'static Words,
    /// The page's title.
    pub title: String,
    /// Address of the style.
    pub style: String,
    /// Address of the script, if the page has one.
    pub script: Option<String>,
    /// Name of the signed-in person.
    pub person: Option<String>,
    /// The course that the page belongs to.
    pub course: Option<CourseLink>,
    /// True if the page waits for a result, and reloads itself without a script.
    pub waits: bool,
}

/// A course in the navigation.
#[derive(Debug)]
pub struct CourseLink {
    /// Its short name for URLs.
    pub slug: String,
    /// Its title.
    pub title: String,
    /// True if the reader is of its staff.
    pub staff: bool,
    /// True if it can be read, and not changed.
    pub archived: bool,
}

impl PageFrame {
    /// The frame of a page without a session.
    pub fn bare(language: Language, title: String) -> PageFrame {
        PageFrame {
            words: language.words(),
            title,
            style: Assets::url("style.css"),
            script: None,
            person: None,
            course: None,
            waits: false,
        }
    }

    /// The frame of a page for a signed-in person.
    pub fn new(viewer: &Viewer, title: impl Into<String>) -> PageFrame {
        PageFrame {
            words: viewer.language.words(),
            title: title.into(),
            style: Assets::url("style.css"),
            script: None,
            person: Some(viewer.person.name.clone()),
            course: None,
            waits: false,
        }
    }

    /// The frame within a course.
    #[must_use]
    pub fn in_course(self, course: CourseLink) -> PageFrame {
        PageFrame { course: Some(course), ..self }
    }

    /// The frame with a script.
    #[must_use]
    pub fn with_script(self, name: &str) -> PageFrame {
        PageFrame { script: Some(Assets::url(name)), ..self }
    }

    /// True if the page belongs to an archived course.
    pub fn is_archived(&self) -> bool {
        self.course.as_ref().is_some_and(|course| course.archived)
    }

    /// The text with that key.
    pub fn t<'a>(&self, key: &'a str) -> &'a str {
        self.words.t(key)
    }

    /// The text with a value for `{0}`.
    pub fn t1(&self, key: &str, first: impl std::fmt::Display) -> String {
        self.words.t1(key, first)
    }

    /// The text for a number of things.
    pub fn many(&self, key: &str, number: impl std::fmt::Display) -> String {
        self.words.many(key, number)
    }

    /// The text with values for `{0}` and `{1}`.
    pub fn t2(
        &self,
        key: &str,
        first: impl std::fmt::Display,
        second: impl std::fmt::Display,
    ) -> String {
        self.words.t2(key, first, second)
    }
}

/// Only the navigation, for pages without a template of the server.
#[derive(Template)]
#[template(path = "nav.html")]
struct Navigation<'a> {
    frame: &'a PageFrame,
}

impl PageFrame {
    /// The navigation as HTML.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn navigation(&self) -> Result<String, RequestFailure> {
        Navigation { frame: self }.render().map_err(RequestFailure::internal)
    }
}

/// The page of a failure.
#[derive(Template)]
#[template(path = "error.html")]
pub struct ErrorPage {
    /// The frame, with the failure as its title.
    pub frame: PageFrame,
    /// True if signing in would help.
    pub sign_in: bool,
    /// Path of the page that the reader came from.
    pub back: Option<String>,
}

/// A page as a response.
pub fn shown(page: &impl Template) -> Result<Response, RequestFailure> {
    shown_as(StatusCode::OK, page)
}

/// A page as a response with that status.
pub fn shown_as(status: StatusCode, page: &impl Template) -> Result<Response, RequestFailure> {
    Ok((status, Html(page.render().map_err(RequestFailure::internal)?)).into_response())
}

/// The language of a person's pages, if they chose one.
pub fn chosen(person: &Person) -> Option<Language> {
    Language::find(person.language.as_deref()?)
}
