//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use judge_store::Role;
use serde::{Deserialize, Serialize};

use crate::config::Settings;

/// Serves a course: submissions, grading, scoreboards and replays, on one machine.
#[derive(Debug, Parser)]
#[command(name = "judge-server", version)]
pub struct Arguments {
    /// The settings that every command shares.
    #[command(flatten)]
    pub settings: Settings,
    /// A file of settings in TOML; flags and environment win over it
    #[arg(long, value_name = "FILE", env = "JUDGE_SERVER_CONFIG", global = true)]
    pub config: Option<PathBuf>,
    /// Report errors in the settings, and do nothing else
    #[arg(long)]
    pub check: bool,
    /// The command; `serve` by default.
    #[command(subcommand)]
    pub command: Option<ServerCommand>,
}

/// The commands of the program.
#[derive(Debug, Subcommand)]
pub enum ServerCommand {
    /// Answer requests and grade submissions (the default)
    Serve,
    /// Copy the database with the signing key to a file, even while the server runs
    Backup {
        /// The copy; the file must not exist yet
        file: PathBuf,
    },
    /// Replace the database by a copy; the old one is kept under another name
    Restore {
        /// A file written by `backup`
        copy: PathBuf,
    },
    /// Make a signing key for a database that has lost its own
    NewKey,
    /// Work on courses
    #[command(subcommand)]
    Course(CourseCommand),
    /// Print invitation links, once
    Invite(Invite),
    /// Export or erase a person's data
    #[command(subcommand)]
    Person(PersonCommand),
    /// Print who did what and when, the newest first
    Log(Log),
    /// Send a message that tries the settings for mail
    TestMail {
        /// The address that it goes to
        address: String,
    },
    /// Check that a server signed a file
    CheckSignature(CheckSignature),
}

/// A file, with its key and signature.
#[derive(Debug, Args)]
pub struct CheckSignature {
    /// The report, replay or mark sheet
    pub file: PathBuf,
    /// The server's key, as its page `/key` shows it
    #[arg(long, value_name = "KEY")]
    pub key: String,
    /// The signature [default: the file next to it with `.sig` added to its name]
    #[arg(long, value_name = "FILE")]
    pub signature: Option<PathBuf>,
}

/// Work on courses.
#[derive(Debug, Subcommand)]
pub enum CourseCommand {
    /// Create a course
    New(NewCourse),
    /// Add suites to a course
    AddSuite(AddSuite),
    /// Copy a course for the next term: its suites, arenas and settings, without its people
    Copy(CopyCourse),
    /// Make a course read-only
    Archive(ArchiveCourse),
    /// Let an archived course be changed again
    BringBack(ArchiveCourse),
    /// Delete a suite with its submissions and results
    DeleteSuite(DeleteSuite),
    /// Delete an archived course with all that belongs to it
    Delete(ArchiveCourse),
}

/// A suite to delete.
#[derive(Debug, Clone, Args, Serialize, Deserialize)]
pub struct DeleteSuite {
    /// The course's short name for URLs
    pub slug: String,
    /// The suite's short name for URLs
    pub suite: String,
}

/// Export or erase a person's data.
#[derive(Debug, Subcommand)]
pub enum PersonCommand {
    /// Write what the server knows about a person to a zip file
    Export(ExportPerson),
    /// Erase a person; pairs that other bots' ratings need stay without a name
    Erase(ErasePerson),
}

/// A person's data to write.
#[derive(Debug, Clone, Args, Serialize, Deserialize)]
pub struct ExportPerson {
    /// The person's address, or the id of the account
    pub who: String,
    /// The zip file, which must not exist yet
    pub file: PathBuf,
}

/// A person to erase.
#[derive(Debug, Clone, Args, Serialize, Deserialize)]
pub struct ErasePerson {
    /// The person's address, or the id of the account
    pub who: String,
}

/// The part of the log to print.
#[derive(Debug, Clone, Args, Serialize, Deserialize)]
pub struct Log {
    /// Only acts in this course
    #[arg(long, value_name = "SLUG")]
    pub course: Option<String>,
    /// Number of entries
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub most: u32,
}

/// A course to copy.
#[derive(Debug, Clone, Args, Serialize, Deserialize)]
pub struct CopyCourse {
    /// The course's short name for URLs
    pub from: String,
    /// The copy's short name for URLs: lower-case letters, digits and hyphens
    pub slug: String,
    /// The copy's name for people [default: the course's]
    #[arg(long)]
    pub title: Option<String>,
    /// Days by which all dates move, in the course's local time
    #[arg(long, value_name = "DAYS", default_value_t = 0, allow_negative_numbers = true)]
    pub days: i64,
    /// The date that the first due date becomes, such as `2027-03-08`
    #[arg(long, value_name = "DATE", conflicts_with = "days")]
    pub first_due: Option<String>,
}

/// A course to archive or to bring back.
#[derive(Debug, Clone, Args, Serialize, Deserialize)]
pub struct ArchiveCourse {
    /// The course's short name for URLs
    pub slug: String,
}

/// Suites to add.
#[derive(Debug, Clone, Args, Serialize, Deserialize)]
pub struct AddSuite {
    /// The course's short name for URLs
    pub slug: String,
    /// A suite: a bundled one by its name, a folder by its path; several times for several. The
    /// folder's name is its short name for URLs, unless it is named: `--suite lab1=./week-3`
    #[arg(long = "suite", value_name = "[NAME=]DIR_OR_BUNDLED", required = true)]
    pub suites: Vec<String>,
}

/// A course to create.
#[derive(Debug, Clone, Args, Serialize, Deserialize)]
pub struct NewCourse {
    /// The course's short name for URLs: lower-case letters, digits and hyphens
    pub slug: String,
    /// The course's name for people
    #[arg(long)]
    pub title: String,
    /// A suite: a bundled one by its name, a folder by its path; several times for several. The
    /// folder's name is its short name for URLs, unless it is named: `--suite lab1=./week-3`
    #[arg(long = "suite", value_name = "[NAME=]DIR_OR_BUNDLED")]
    pub suites: Vec<String>,
    /// The time zone of days and deadlines
    #[arg(long, value_name = "ZONE", default_value = "UTC")]
    pub time_zone: String,
}

/// Invitations to print.
#[derive(Debug, Clone, Args, Serialize, Deserialize)]
pub struct Invite {
    /// The course
    #[arg(long, value_name = "SLUG")]
    pub course: String,
    /// The role that the link gives
    #[arg(long, value_enum, default_value = "student")]
    pub role: RoleName,
    /// A list of people, as a learning platform exports it or with columns `student`, `id` and
    /// `address`: a link for each
    #[arg(long, value_name = "FILE")]
    pub list: Option<PathBuf>,
    /// Days until the links expire
    #[arg(long, default_value_t = 30)]
    pub days: u32,
}

/// A role on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub enum RoleName {
    /// Submits bots.
    Student,
    /// Can see everything.
    Assistant,
    /// Can change everything.
    Instructor,
    /// Sees the scoreboard.
    Observer,
}

impl From<RoleName> for Role {
    fn from(name: RoleName) -> Role {
        match name {
            RoleName::Student => Role::Student,
            RoleName::Assistant => Role::Assistant,
            RoleName::Instructor => Role::Instructor,
            RoleName::Observer => Role::Observer,
        }
    }
}
