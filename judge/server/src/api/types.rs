//! Replies of the API.

use judge_store::{Course, Role, Submission, Suite};
use serde::Serialize;
use utoipa::ToSchema;

use crate::pages::{ScoreboardPageLine, VisibleResult};

/// An error.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ApiProblem {
    /// A word for programs.
    #[schema(example = "not_found")]
    pub(super) error: String,
    /// Words for people.
    pub(super) message: String,
}

/// The token's owner.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct WhoAmI {
    /// The person's id.
    pub(super) id: String,
    /// The person's name.
    pub(super) name: String,
}

/// The bytes of a module.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "only the API description uses it")]
pub(super) struct Module(Vec<u8>);

/// The key that the server signs with.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct KeyInfo {
    /// The algorithm.
    #[schema(example = "ed25519")]
    pub(super) algorithm: String,
    /// The public key in hexadecimal digits.
    pub(super) key: String,
}

/// A course.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CourseInfo {
    /// Short name for URLs.
    pub(super) slug: String,
    /// Name for people.
    pub(super) title: String,
    /// Time zone of its days and deadlines.
    pub(super) time_zone: String,
    /// Your role: `student`, `assistant`, `instructor` or `observer`.
    pub(super) role: String,
    /// When it became read-only, in UTC; null for a course that can be changed.
    pub(super) archived_at: Option<String>,
}

impl CourseInfo {
    pub(super) fn new(course: Course, role: Role) -> CourseInfo {
        CourseInfo {
            slug: course.slug,
            title: course.title,
            time_zone: course.time_zone,
            role: role.name().to_owned(),
            archived_at: course.archived_at.map(|at| at.to_string()),
        }
    }
}

/// A suite.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SuiteInfo {
    /// Short name for URLs.
    pub(super) slug: String,
    /// Name for people.
    pub(super) title: String,
    /// Its game.
    pub(super) game: String,
    /// When it opens, in UTC; null if it is open.
    pub(super) opens_at: Option<String>,
    /// When it is due, in UTC; null if never.
    pub(super) due_at: Option<String>,
    /// Most submissions per day; null for any number.
    pub(super) attempts_per_day: Option<u32>,
    /// True if students submit in their groups.
    pub(super) by_groups: bool,
}

impl From<Suite> for SuiteInfo {
    fn from(suite: Suite) -> SuiteInfo {
        let settings = suite.settings;
        SuiteInfo {
            slug: suite.slug,
            title: suite.title,
            game: suite.games,
            opens_at: settings.opens_at.map(|at| at.to_string()),
            due_at: settings.due_at.map(|at| at.to_string()),
            attempts_per_day: settings.attempts_per_day,
            by_groups: settings.by_groups,
        }
    }
}

/// A submission and its state.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SubmissionInfo {
    /// Its id.
    pub(super) id: String,
    /// SHA-256 of the module.
    pub(super) sha256: String,
    /// Id of the group that it belongs to; null for a person's.
    pub(super) group: Option<String>,
    /// Name of the file.
    pub(super) file: String,
    /// True if the server built the module from a source.
    pub(super) built: bool,
    /// When it was submitted, in UTC.
    pub(super) received_at: String,
    /// `waiting`, `graded`, `refused` or `judge_error`.
    pub(super) state: String,
    /// Points that count; null without a result.
    pub(super) points: Option<f64>,
    /// True if an instructor has adjusted them.
    pub(super) adjusted: bool,
    /// Points on offer; null without a result.
    pub(super) max_points: Option<f64>,
    /// When an existing result will be visible, in UTC; null if it is visible now or does not
    /// exist.
    pub(super) details_at: Option<String>,
    /// The address of its page.
    pub(super) page: String,
}

impl SubmissionInfo {
    pub(super) fn new(submission: &Submission, told: &VisibleResult) -> SubmissionInfo {
        let row = told.row();
        let none = if told.later().is_some() { "graded" } else { "waiting" };
        SubmissionInfo {
            id: submission.id.to_string(),
            sha256: submission.module.to_string(),
            group: submission.owner.group().map(ToString::to_string),
            file: submission.file_name.clone(),
            built: submission.source.is_some(),
            received_at: submission.received_at.to_string(),
            state: row.map_or(none, |row| row.state.name()).to_owned(),
            points: row.map(|row| row.points.to_f64()),
            adjusted: row.is_some_and(|row| row.adjusted.is_some()),
            max_points: row.map(|row| row.max_points.to_f64()),
            details_at: told.later().map(|at| at.to_string()),
            page: format!("/submissions/{}", submission.id),
        }
    }
}

/// A line of a scoreboard.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ApiScoreboardLine {
    /// Rank; null for staff.
    pub(super) rank: Option<u64>,
    /// Name on the scoreboard; for a group, the names of its members.
    pub(super) name: String,
    /// Points.
    pub(super) points: f64,
    /// Points on offer.
    pub(super) max_points: f64,
    /// Submissions so far.
    pub(super) attempts: u64,
    /// When the submission that counts was received, in UTC.
    pub(super) received_at: String,
    /// True for your own line or that of your group.
    pub(super) is_me: bool,
}

impl From<ScoreboardPageLine> for ApiScoreboardLine {
    fn from(line: ScoreboardPageLine) -> ApiScoreboardLine {
        let ScoreboardPageLine { rank, name, is_me, row } = line;
        ApiScoreboardLine {
            rank,
            name,
            points: row.result.points.to_f64(),
            max_points: row.result.max_points.to_f64(),
            attempts: row.attempts,
            received_at: row.result.received_at.to_string(),
            is_me,
        }
    }
}

/// A scoreboard.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Scoreboard {
    /// `live`, `ahead`, `frozen` or `hidden`. A hidden one has no lines for students.
    pub(super) mode: String,
    /// The page, from 1.
    pub(super) page: u64,
    /// Number of pages.
    pub(super) pages: u64,
    /// The best first.
    pub(super) lines: Vec<ApiScoreboardLine>,
}
