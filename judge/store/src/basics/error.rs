//! Errors and refusals of a store.

use std::path::PathBuf;

use judge_arena::JournalError;
use judge_core::Digest;
use judge_grading::SuiteError;

use crate::basics::access_refusal::AccessRefusal;
use crate::basics::id::SubmissionId;
use crate::basics::invitation_fault::InvitationFault;
use crate::basics::ladder_refusal::LadderRefusal;
use crate::basics::review_refusal::ReviewRefusal;
use crate::basics::time::{MOST_DAYS, Timestamp};

/// A failure of the store, or a refused request.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database fails.
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
    /// The folder or file of the database cannot be used.
    #[error("cannot use `{}`: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// Another process has the database open.
    #[error(
        "the database `{}` is in use by another process\n\nhint: stop the server that uses it, or \
         give this one another folder",
        path.display()
    )]
    Busy {
        /// The database.
        path: PathBuf,
    },
    /// The database is damaged.
    #[error(
        "the database `{path}` is damaged: {what}\n\nhint: nothing was changed in it; \
         `judge-server restore COPY` puts the last backup in its place"
    )]
    Damaged {
        /// The database.
        path: String,
        /// The damage that was found.
        what: String,
    },
    /// The file cannot replace the database.
    #[error(
        "`{}` cannot be restored: {why}\n\nhint: the database is unchanged; name a file that \
         `judge-server backup` has written",
        path.display()
    )]
    Copy {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// The database is of a later version.
    #[error(
        "the database `{path}` was written by a later version: its schema is not known here\n\n\
         hint: nothing was changed in it; use the later version, or the backup from before the \
         update"
    )]
    Newer {
        /// The database.
        path: String,
    },
    /// The database belongs to another program.
    #[error(
        "`{path}` is a database of another program\n\nhint: nothing was changed in it; name a file \
         that does not exist yet"
    )]
    Foreign {
        /// The database.
        path: String,
    },
    /// The schema cannot be brought up to date.
    #[error("cannot bring the schema of the database up to date: {0}")]
    Schema(#[from] sqlx::migrate::MigrateError),
    /// The system cannot provide random numbers.
    #[error("the system has no random numbers: {0}")]
    Random(String),
    /// The time zone is unknown.
    #[error("unknown time zone `{name}`\n\nhint: names are like `Europe/Berlin`")]
    TimeZone {
        /// The name.
        name: String,
    },
    /// The text is not a valid date and time.
    #[error(
        "not a date and time: `{text}`\n\nhint: write them like `2026-11-23 08:30`, or for another zone's \
         clock like `2026-11-23 08:30+08:00`"
    )]
    Time {
        /// The text.
        text: String,
    },
    /// The text is not a valid date.
    #[error("not a date: `{text}`\n\nhint: write it like `2027-03-08`")]
    Date {
        /// The text.
        text: String,
    },
    /// The name or value is taken.
    #[error("{what} `{value}` is taken")]
    Taken {
        /// Kind of the object.
        what: &'static str,
        /// Its name.
        value: String,
    },
    /// The name looks like a role.
    #[error("the name `{value}` looks like a role")]
    RoleName {
        /// The name.
        value: String,
    },
    /// The name cannot be used.
    #[error("{what} `{value}` cannot be used: {why}")]
    Name {
        /// Kind of the object.
        what: &'static str,
        /// The name.
        value: String,
        /// The reason.
        why: &'static str,
    },
    /// The object does not exist.
    #[error("no {what} `{value}`")]
    Missing {
        /// Kind of the object.
        what: &'static str,
        /// Its id or name.
        value: String,
    },
    /// A group would have too many members.
    #[error("a group can have at most {allowed} members")]
    GroupFull {
        /// Most members allowed.
        allowed: usize,
    },
    /// The course is not archived.
    #[error("the course is not archived\n\nhint: archive it first, and look at it once more")]
    NotArchived,
    /// The course is archived.
    #[error(
        "the course is archived, so nothing in it can be changed\n\nhint: one of its instructors can bring it back"
    )]
    Archived,
    /// Dates cannot be moved that far.
    #[error(
        "dates cannot be moved by {days} days\n\nhint: at most {MOST_DAYS} days, forwards or backwards"
    )]
    Shift {
        /// The number of days.
        days: i64,
    },
    /// The course has no due date, so none can become another.
    #[error("no suite of the course has a due date\n\nhint: give the number of days instead")]
    NoDueDate,
    /// The rules of the suite forbid the submission.
    #[error(transparent)]
    Refused(#[from] StoreRefusal),
    /// The rules of the arena forbid the request.
    #[error(transparent)]
    Ladder(#[from] LadderRefusal),
    /// The rules about reviews and adjusted points forbid the request.
    #[error(transparent)]
    Review(#[from] ReviewRefusal),
    /// The rules about accounts forbid the change.
    #[error(transparent)]
    Access(#[from] AccessRefusal),
    /// The invitation cannot be used.
    #[error(transparent)]
    Invitation(#[from] InvitationFault),
    /// The suite's files are not valid.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// The report is not about exactly one submission.
    #[error("a result covers one submission, but this report has {bots}")]
    Report {
        /// Number of submissions in it.
        bots: usize,
    },
    /// A submission was graded twice with different results: the judge is broken, or the record was
    /// changed.
    #[error(
        "the result of submission `{submission}` in generation {generation} is `{kept}` in the \
         database and is now `{new}`\n\nhint: nothing was overwritten; keep a backup, and look at \
         both with `judge verify`"
    )]
    OtherDigest {
        /// The submission.
        submission: SubmissionId,
        /// The suite's generation.
        generation: i64,
        /// Digest of the result that is kept.
        kept: Digest,
        /// Digest of the new one.
        new: Digest,
    },
    /// The judge cannot create or read a folder of results.
    #[error(transparent)]
    Runner(#[from] judge_runner::Error),
    /// The journal in a folder of results cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Recomputing a result from its rounds gives another one.
    #[error(
        "the result of `{name}` is `{}` in the database, but its rounds give `{new}`\n\n\
         hint: do not use the folder; keep a backup of the database",
        shown(kept)
    )]
    NotReproduced {
        /// Name of the submission.
        name: String,
        /// Digest in the database.
        kept: Option<Digest>,
        /// Digest of the recomputed result.
        new: Digest,
    },
    /// A thread of this crate ended before its time.
    #[error("a thread ended early: {0}")]
    Thread(String),
    /// Only the other kind of database supports this.
    #[error("{what}\n\nhint: {hint}")]
    Unsupported {
        /// The operation that is not supported.
        what: &'static str,
        /// The alternative.
        hint: &'static str,
    },
}

/// SQLite's primary result codes for a database that cannot be used for now: busy, locked, out of
/// memory, read-only, I/O error, damaged, full, cannot be opened.
const OUT_OF_USE: [i64; 8] = [5, 6, 7, 8, 10, 11, 13, 14];

/// The same for PostgreSQL, by classes of SQLSTATE: connection, transaction rollback, insufficient
/// resources, operator intervention, system error.
const CLASSES: [&str; 5] = ["08", "40", "53", "57", "58"];

impl Error {
    /// True if the disk is full.
    pub fn is_full(&self) -> bool {
        let Error::Database(sqlx::Error::Database(error)) = self else { return false };
        error.code().is_some_and(|code| FULL.contains(&&*code))
    }

    /// True if the database cannot be reached or written to for now: the disk is full, the server
    /// is stopped, or another process holds the file. A later attempt may succeed.
    pub fn is_outage(&self) -> bool {
        match self {
            Error::File { .. } => true,
            Error::Database(sqlx::Error::Database(error)) => {
                error.code().is_some_and(|code| is_outage(&code))
            }
            Error::Database(error) => matches!(
                error,
                sqlx::Error::Io(_)
                    | sqlx::Error::PoolTimedOut
                    | sqlx::Error::PoolClosed
                    | sqlx::Error::WorkerCrashed
            ),
            _ => false,
        }
    }
}

/// SQLite's codes for a full disk, and for a file that cannot grow (the database, its log, the
/// log's index); PostgreSQL's code for a full disk.
const FULL: [&str; 4] = ["13", "778", "4874", "53100"];

/// PostgreSQL's code for a lock timeout.
const LOCKED: &str = "55P03";

/// PostgreSQL's codes have five characters; SQLite's are shorter numbers.
fn is_outage(code: &str) -> bool {
    if code.len() == 5 {
        return code == LOCKED || code.get(..2).is_some_and(|class| CLASSES.contains(&class));
    }
    code.parse::<i64>().is_ok_and(|code| OUT_OF_USE.contains(&(code & 0xff)))
}

fn shown(digest: &Option<Digest>) -> String {
    digest.map_or_else(|| "missing".to_owned(), |digest| digest.to_string())
}

/// Reasons why a suite does not accept a submission.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreRefusal {
    /// The person is an observer or not a member of the course.
    #[error("only students and staff of the course can submit")]
    NotAMember,
    /// The suite is not open yet.
    #[error("the suite opens at {opens_at}")]
    NotOpenYet {
        /// Moment from which on submissions are accepted.
        opens_at: Timestamp,
    },
    /// The due date has passed.
    #[error("the suite was due at {due_at}")]
    PastDue {
        /// Last moment at which submissions were accepted.
        due_at: Timestamp,
    },
    /// All attempts of the day are used.
    #[error("all {allowed} of today's attempts are used; submit again from {next}")]
    TooManyToday {
        /// Attempts that a day has.
        allowed: u32,
        /// Beginning of the next day.
        next: Timestamp,
    },
    /// The person has already submitted this module, and a second submission would change nothing.
    #[error("submission `{submission}` of {received_at} has the same module")]
    SubmittedBefore {
        /// The submission with that module.
        submission: SubmissionId,
        /// When it was submitted.
        received_at: Timestamp,
    },
    /// The modules of the person take too much space.
    #[error("the modules of one person may have at most {allowed} bytes in total")]
    TooMuchStored {
        /// Most bytes that the different modules of a person may have.
        allowed: u64,
    },
    /// Too many submissions of the person wait to be graded.
    #[error("{allowed} submissions are already waiting to be graded, and no more are allowed")]
    TooManyPending {
        /// Most submissions that may wait.
        allowed: u32,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_and_permanent_errors_are_distinguished() {
        // SQLite: full, busy in recovery, I/O error. PostgreSQL: disk full, stopped, rolled back.
        for code in ["13", "261", "1546", "53100", "57P01", "08006", "40001", "55P03"] {
            assert!(is_outage(code), "{code}");
        }
        // Constraint, syntax error and invalid text, for SQLite and for PostgreSQL.
        for code in ["19", "2067", "1", "23505", "42601", "22021", ""] {
            assert!(!is_outage(code), "{code}");
        }
        assert!(Error::Database(sqlx::Error::PoolTimedOut).is_outage());
        assert!(!Error::Database(sqlx::Error::RowNotFound).is_outage());
    }
}
