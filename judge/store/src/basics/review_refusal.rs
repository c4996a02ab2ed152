//! Reasons why a request for a review, its answer, a comment or an adjustment is not accepted.

use judge_core::Points;

/// A refusal by the rules about reviews and adjusted points.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReviewRefusal {
    /// The person is not a student of the course.
    #[error("only students can request a review of their results")]
    NotAStudent,
    /// The person is not staff of the course, or not an instructor.
    #[error(
        "only staff can answer and comment, and only instructors can adjust points and remove \
         comments of others"
    )]
    NotAllowed,
    /// The submission has no result, or none that the student may see.
    #[error("the submission has no result yet")]
    NoResult,
    /// A request about the submission waits for its answer.
    #[error("a request about this submission is open already")]
    AlreadyOpen,
    /// The submission had too many requests.
    #[error("a submission can have at most {allowed} requests")]
    TooMany {
        /// Most requests allowed.
        allowed: i64,
    },
    /// Too many requests of the student in the course wait for an answer.
    #[error("{allowed} requests of this student are open already, and no more are allowed")]
    TooManyOpen {
        /// Most open requests allowed.
        allowed: i64,
    },
    /// The request has an answer.
    #[error("the request has been answered already")]
    Answered,
    /// The text has no visible character.
    #[error("the text is empty")]
    NoText,
    /// The text is too long.
    #[error("a text can have at most {allowed} characters")]
    TooLong {
        /// Most characters allowed.
        allowed: usize,
    },
    /// The points exceed twice the points on offer.
    #[error("the submission can have at most {allowed} points")]
    TooManyPoints {
        /// Most points allowed.
        allowed: Points,
    },
    /// The submission is a module, without the lines of a source.
    #[error("the submission has no source")]
    NoSource,
    /// The source has too many comments.
    #[error("a source can have at most {allowed} comments")]
    TooManyComments {
        /// Most comments allowed.
        allowed: i64,
    },
    /// There is no adjustment to take back.
    #[error("the points of the submission are not adjusted")]
    NotAdjusted,
    /// The submission had too many adjustments.
    #[error("a submission can have at most {allowed} adjustments")]
    TooManyAdjustments {
        /// Most adjustments allowed.
        allowed: i64,
    },
}
