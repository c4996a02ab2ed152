//! Pages of a suite's settings and submissions.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::{Form, Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use judge_store::{
    Counted, HiddenShown, LatePolicy, LateRules, Member, RestShown, ScoreboardMode, Suite,
    SuiteSettings, Timestamp,
};
use serde::Deserialize;

use super::super::Attendance;
use super::super::course::Submissions;
use super::super::home::not_fitting;
use super::super::submission::entries;
use super::super::when::CourseClock;
use crate::App;
use crate::web::{Fields, PageFrame, RequestFailure, Typed, Viewer, filled, shown};
use crate::words::Words;

/// Most submissions in a list.
const LINES: u32 = 500;

#[derive(Template)]
#[template(path = "manage_suite.html")]
struct SuitePage {
    frame: PageFrame,
    slug: String,
    suite: String,
    game: String,
    instructor: bool,
    opens: String,
    due: String,
    zone: String,
    title: String,
    late: Vec<(&'static str, String, bool)>,
    grace: u32,
    percent: u32,
    free: u32,
    /// Names and due dates of students who have their own.
    extensions: Vec<(String, String, String)>,
    attempts: String,
    scoreboards: Vec<(&'static str, String, bool)>,
    counts: Vec<(&'static str, String, bool)>,
    told: String,
    rests: Vec<(&'static str, String, bool)>,
    hiddens: Vec<(&'static str, String, bool)>,
    by_groups: bool,
    /// True if a new grading waits for an instructor.
    is_held: bool,
    /// Columns of gradebooks that marks can be sent to.
    columns: Vec<String>,
    typed: Typed,
}

/// A course's suite for its staff.
pub(super) async fn managed(
    app: &App,
    viewer: &Viewer,
    (course, suite): &(String, String),
) -> Result<(Attendance, Suite), RequestFailure> {
    let attendance = Attendance::load(app, viewer, course).await?.staff()?;
    let suite = attendance.suite(app, suite).await?;
    Ok((attendance, suite))
}

/// The choices of a setting: value, label, and true for the chosen one.
fn choices<T: Copy + PartialEq>(
    words: &Words,
    all: &[T],
    name: fn(T) -> &'static str,
    chosen: T,
) -> Vec<(&'static str, String, bool)> {
    let choice = |one: &T| {
        let word = words.find("mode", name(*one)).unwrap_or_default().to_owned();
        (name(*one), word, *one == chosen)
    };
    all.iter().map(choice).collect()
}

/// `/c/{course}/manage/s/{suite}`.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Viewer,
    Path(names): Path<(String, String)>,
) -> Result<Response, RequestFailure> {
    let (attendance, suite) = managed(&app, &viewer, &names).await?;
    settings_page(&app, &viewer, &attendance, suite, Typed::default()).await
}

/// The page of a suite's settings, with the typed text.
async fn settings_page(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
    suite: Suite,
    typed: Typed,
) -> Result<Response, RequestFailure> {
    let (words, clock) = (viewer.language.words(), CourseClock::from_course(&attendance.course));
    let settings = &suite.settings;
    let members = app.store().members(&attendance.course.id).await;
    let members = members.map_err(RequestFailure::internal)?.into_iter();
    let own = app.store().extensions(&suite.id).await.map_err(RequestFailure::internal)?;
    let extension = |member: Member| {
        let due = own.get(&member.person)?;
        Some((member.person.to_string(), member.name, clock.exact(*due)))
    };
    let columns = app.store().lti_columns(&suite.id).await.map_err(RequestFailure::internal)?;
    let page = SuitePage {
        columns: columns.into_iter().map(|column| column.title).collect(),
        extensions: members.filter_map(extension).collect(),
        title: suite.title.clone(),
        late: choices(words, LatePolicy::ALL, LatePolicy::name, settings.late.policy),
        grace: settings.late.grace_minutes,
        percent: settings.late.percent_per_day,
        free: settings.late.free_days,
        opens: clock.field(settings.opens_at),
        due: clock.field(settings.due_at),
        zone: words.t1("manage.zone", &attendance.course.time_zone),
        attempts: settings.attempts_per_day.map(|many| many.to_string()).unwrap_or_default(),
        scoreboards: choices(words, ScoreboardMode::ALL, ScoreboardMode::name, settings.scoreboard),
        counts: choices(words, Counted::ALL, Counted::name, settings.counts),
        told: settings.shown_per_day.map(|many| many.to_string()).unwrap_or_default(),
        rests: choices(words, RestShown::ALL, RestShown::name, settings.rest_shown),
        hiddens: choices(words, HiddenShown::ALL, HiddenShown::name, settings.hidden_shown),
        by_groups: settings.by_groups,
        is_held: suite.held_from.is_some(),
        instructor: attendance.may_change(),
        slug: attendance.course.slug.clone(),
        suite: suite.slug,
        game: suite.games,
        frame: PageFrame::new(viewer, suite.title).in_course(attendance.link()),
        typed,
    };
    page.typed.shown(&page)
}

/// The form of a suite's settings.
#[derive(Deserialize)]
pub(super) struct SettingsForm {
    opens: String,
    due: String,
    attempts: String,
    scoreboard: String,
    counts: String,
    #[serde(default)]
    late: Option<String>,
    #[serde(default)]
    grace: Option<String>,
    #[serde(default)]
    percent: Option<String>,
    #[serde(default)]
    free: Option<String>,
    #[serde(default)]
    told: Option<String>,
    #[serde(default)]
    rest: Option<String>,
    #[serde(default)]
    hidden: Option<String>,
    /// `yes` or `no`.
    #[serde(default)]
    groups: Option<String>,
}

/// A setting from a form; unchanged if the form does not have it.
fn chosen<T: std::str::FromStr>(text: Option<&str>, before: T) -> Result<T, RequestFailure> {
    match text {
        None => Ok(before),
        Some(text) => text.parse().map_err(|_| RequestFailure::Bad("error.bad_request")),
    }
}

/// A number per day; none if the field is empty.
fn per_day(text: &str) -> Result<Option<u32>, RequestFailure> {
    match text.trim() {
        "" => Ok(None),
        text => {
            let many = text.parse().ok().filter(|many| *many > 0);
            Ok(Some(many.ok_or(RequestFailure::Bad("error.bad_request"))?))
        }
    }
}

impl SettingsForm {
    /// The settings of the form, with missing fields from the present settings.
    fn read(
        &self,
        clock: &CourseClock,
        before: &SuiteSettings,
    ) -> Result<SuiteSettings, RequestFailure> {
        let (opens_at, due_at) = self.times(clock)?;
        let scoreboard = chosen(Some(&self.scoreboard), before.scoreboard)?;
        Ok(SuiteSettings {
            opens_at,
            due_at,
            late: self.late_rules(before.late)?,
            attempts_per_day: per_day(&self.attempts)?,
            scoreboard,
            frozen_at: frozen_at(scoreboard, before),
            shown_per_day: self.told.as_deref().map_or(Ok(before.shown_per_day), per_day)?,
            rest_shown: chosen(self.rest.as_deref(), before.rest_shown)?,
            hidden_shown: self.hidden_shown(due_at, before)?,
            counts: chosen(Some(&self.counts), before.counts)?,
            by_groups: self.groups.as_deref().map_or(before.by_groups, |text| text == "yes"),
            ..before.clone()
        })
    }

    /// The rules for late submissions.
    fn late_rules(&self, before: LateRules) -> Result<LateRules, RequestFailure> {
        let number = |text: &Option<String>, before: u32, most: u32| match text {
            None => Ok(before),
            Some(text) => {
                let number = text.trim().parse().ok().filter(|number| *number <= most);
                number.ok_or(RequestFailure::Bad("error.bad_request"))
            }
        };
        let rules = LateRules {
            policy: chosen(self.late.as_deref(), before.policy)?,
            grace_minutes: number(&self.grace, before.grace_minutes, 7 * 24 * 60)?,
            percent_per_day: number(&self.percent, before.percent_per_day, 100)?,
            free_days: number(&self.free, before.free_days, 365)?,
        };
        match rules.percent_per_day {
            0 => Err(RequestFailure::Bad("error.bad_request")),
            _ => Ok(rules),
        }
    }

    /// Opening and due date, which must be in this order.
    fn times(
        &self,
        clock: &CourseClock,
    ) -> Result<(Option<Timestamp>, Option<Timestamp>), RequestFailure> {
        let opens_at = clock.begin(&self.opens).map_err(not_fitting)?;
        let due_at = clock.end(&self.due).map_err(not_fitting)?;
        match opens_at.filter(|opens| due_at.is_some_and(|due| due < *opens)) {
            Some(opens) => {
                Err(RequestFailure::Refused("refusal.due_before_open", clock.exact(opens)))
            }
            None => Ok((opens_at, due_at)),
        }
    }

    /// The visible part of hidden testcases. "After the due date" needs a due date.
    fn hidden_shown(
        &self,
        due_at: Option<Timestamp>,
        before: &SuiteSettings,
    ) -> Result<HiddenShown, RequestFailure> {
        match chosen(self.hidden.as_deref(), before.hidden_shown)? {
            HiddenShown::AfterDue if due_at.is_none() => {
                Err(RequestFailure::Refused("refusal.never_due", String::new()))
            }
            told => Ok(told),
        }
    }
}

/// The moment at which a scoreboard freezes. A frozen one keeps its moment.
fn frozen_at(scoreboard: ScoreboardMode, before: &SuiteSettings) -> Option<Timestamp> {
    match scoreboard {
        ScoreboardMode::Frozen => before.frozen_at.or_else(|| Some(Timestamp::now())),
        ScoreboardMode::Live | ScoreboardMode::Ahead | ScoreboardMode::Hidden => None,
    }
}

/// Changes a suite's settings.
pub(super) async fn change(
    State(app): State<App>,
    viewer: Viewer,
    Path(names): Path<(String, String)>,
    Form(fields): Form<Fields>,
) -> Result<Response, RequestFailure> {
    let (attendance, suite) = managed(&app, &viewer, &names).await?;
    let attendance = attendance.instructor()?;
    let clock = CourseClock::from_course(&attendance.course);
    let read = filled(&fields).and_then(|form: SettingsForm| form.read(&clock, &suite.settings));
    let settings = match read {
        Ok(settings) => settings,
        Err(failure) => {
            let typed = Typed::read(failure, "settings", fields, &viewer)?;
            return settings_page(&app, &viewer, &attendance, suite, typed).await;
        }
    };
    let store = viewer.acting(&app);
    store.change_suite(&suite.id, &settings).await.map_err(RequestFailure::internal)?;
    if let Some(title) = fields.get("title").filter(|title| **title != suite.title) {
        store.call_suite(&suite.id, title).await.map_err(not_fitting)?;
    }
    app.scoreboards().forget();
    app.hub().board_moved(&suite.id);
    Ok(Redirect::to(&format!("/c/{}/manage/s/{}", names.0, names.1)).into_response())
}

/// `/c/{course}/manage/s/{suite}/submissions`: the newest submissions of all authors.
pub(super) async fn submissions(
    State(app): State<App>,
    viewer: Viewer,
    Path(names): Path<(String, String)>,
) -> Result<Response, RequestFailure> {
    let (attendance, suite) = managed(&app, &viewer, &names).await?;
    let (store, words) = (app.store(), viewer.language.words());
    let found =
        store.submissions_to(&suite.id, 0, LINES).await.map_err(RequestFailure::internal)?;
    // Includes authors who were removed from the course.
    let authors = store.authors(&suite.id).await.map_err(RequestFailure::internal)?;
    let names_of: BTreeMap<_, _> =
        authors.into_iter().map(|author| (author.person, author.name)).collect();
    let groups = store.group_names(&attendance.course.id).await;
    let groups = groups.map_err(RequestFailure::internal)?;
    let mut lines = entries(&app, words, &attendance, &suite, &found).await?;
    for (line, submission) in std::iter::zip(&mut lines, &found) {
        let author = names_of.get(&submission.person).cloned().unwrap_or_default();
        line.who = match submission.owner.group().and_then(|group| groups.get(group)) {
            Some(group) => format!("{author} · {group}"),
            None => author,
        };
    }
    shown(&Submissions {
        frame: PageFrame::new(&viewer, words.t("manage.submissions")).in_course(attendance.link()),
        subtitle: suite.title,
        submissions: lines,
        with_names: true,
        back: format!("/c/{}/manage/s/{}", names.0, names.1),
        charts: Vec::new(),
    })
}
