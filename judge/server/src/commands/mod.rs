//! The commands of the program.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "these are the program's own words")]

#[cfg(unix)]
mod control;
mod copies;
mod course;
mod invite;
mod keeping;
mod mail;
mod serve;
mod signature;
mod task;
mod term;

use std::path::PathBuf;
use std::process::ExitCode;

use judge_runner::Remedy;
use judge_store::{Address, Store};

use crate::args::{Arguments, CourseCommand, PersonCommand, ServerCommand};
use crate::config::{Config, ConfigError, Settings};
use task::Task;

/// Name of the database's file in the folder of the data.
const DATABASE: &str = "judge.db";

/// A command that failed.
#[derive(Debug, thiserror::Error)]
enum Failed {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Store(#[from] judge_store::Error),
    #[error(transparent)]
    Fleet(#[from] judge_fleet::Error),
    #[error("{}", .0.with_hint())]
    Runner(#[from] judge_runner::Error),
    #[error("cannot use `{}`: {source}", path.display())]
    Folder { path: PathBuf, source: std::io::Error },
    #[error("cannot listen at `{address}`: {source}")]
    Listen { address: std::net::SocketAddr, source: std::io::Error },
    #[error("cannot read `{}`: {what}", path.display())]
    List { path: PathBuf, what: String },
    #[error(
        "cannot call a suite `{name}`: {why}\nhint: name it with `--suite NAME=DIR`, in lower-case \
         letters, digits and hyphens"
    )]
    SuiteName { name: String, why: &'static str },
    #[error(transparent)]
    Signature(#[from] crate::signatures::BadSignature),
    #[error(transparent)]
    Export(#[from] crate::own_data::ExportError),
    #[error("no `[mail]` in the settings\n\nhint: name the mail server there, as `server.md` says")]
    NoMail,
    #[error("the message was not sent: {0}")]
    NotSent(#[from] crate::mail::NotSent),
    #[error("no course `{0}`")]
    NoCourse(String),
    #[error("no suite `{0}`")]
    NoSuite(String),
    #[error("no person `{0}`\n\nhint: name the address, or the id of the account")]
    NoPerson(String),
    #[error("cannot continue: {0}")]
    System(#[from] std::io::Error),
    #[error("cannot write: {0}")]
    Write(#[from] std::fmt::Error),
    /// The error of the running server that was asked.
    #[error("{text}")]
    There { text: String, code: u8 },
}

impl Failed {
    /// 2 for errors in the command line or the settings, as in `judge`.
    fn code(&self) -> u8 {
        match self {
            Failed::Config(_) | Failed::SuiteName { .. } => 2,
            Failed::NoMail | Failed::NoCourse(_) | Failed::NoSuite(_) | Failed::NoPerson(_) => 2,
            Failed::Runner(error) if error.remedy() == Remedy::Request => 2,
            Failed::There { code, .. } => *code,
            _ => 3,
        }
    }
}

/// Runs the command of the command line.
pub fn run(arguments: Arguments) -> ExitCode {
    match try_run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failed) => {
            eprintln!("error: {failed}");
            ExitCode::from(failed.code())
        }
    }
}

fn try_run(arguments: Arguments) -> Result<(), Failed> {
    if let Some(ServerCommand::CheckSignature(check)) = &arguments.command {
        return signature::check(check);
    }
    let file = arguments.config.as_deref().map(Settings::read).transpose()?;
    let config = arguments.settings.or(file.unwrap_or_default()).check()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        if arguments.check {
            return check(&config).await;
        }
        match arguments.command.unwrap_or(ServerCommand::Serve) {
            ServerCommand::Serve => serve::run(config).await,
            ServerCommand::Backup { file } => copies::backup(&config, &file).await,
            ServerCommand::Restore { copy } => copies::restore(&config, &copy).await,
            ServerCommand::NewKey => Task::NewKey.run(&config).await,
            ServerCommand::Course(CourseCommand::New(new)) => {
                Task::NewCourse(new).run(&config).await
            }
            ServerCommand::Course(CourseCommand::AddSuite(add)) => {
                Task::AddSuite(add).run(&config).await
            }
            ServerCommand::Course(CourseCommand::Copy(copy)) => {
                Task::CopyCourse(copy).run(&config).await
            }
            ServerCommand::Course(CourseCommand::Archive(course)) => {
                Task::Archive(course).run(&config).await
            }
            ServerCommand::Course(CourseCommand::BringBack(course)) => {
                Task::BringBack(course).run(&config).await
            }
            ServerCommand::Course(CourseCommand::DeleteSuite(suite)) => {
                Task::DeleteSuite(suite).run(&config).await
            }
            ServerCommand::Course(CourseCommand::Delete(course)) => {
                Task::DeleteCourse(course).run(&config).await
            }
            ServerCommand::Person(PersonCommand::Export(export)) => {
                Task::Export(export).run(&config).await
            }
            ServerCommand::Person(PersonCommand::Erase(erase)) => {
                Task::Erase(erase).run(&config).await
            }
            ServerCommand::Log(log) => Task::Log(log).run(&config).await,
            ServerCommand::TestMail { address } => mail::test(&config, &address),
            ServerCommand::Invite(invite) => Task::Invite(invite).run(&config).await,
            // It needs no settings, so it was done above.
            ServerCommand::CheckSignature(check) => signature::check(&check),
        }
    })
}

/// Checks everything that serving needs.
async fn check(config: &Config) -> Result<(), Failed> {
    let listener = tokio::net::TcpListener::bind(config.listen).await;
    listener.map_err(|source| Failed::Listen { address: config.listen, source })?;
    let address = address(config)?;
    let fresh = matches!(&address, Address::Sqlite(path) if !path.exists());
    if !fresh {
        open(config).await?.close().await;
    }
    println!("data: {}", config.data.display());
    println!("database: {address}{}", if fresh { " (does not exist yet)" } else { "" });
    println!("listens at: {}, reached as {}", config.listen, config.base_url());
    println!("gradings at a time: {}", config.lanes);
    println!("nothing is wrong with the settings");
    Ok(())
}

/// The address of the database.
fn address(config: &Config) -> Result<Address, Failed> {
    let wrong = |_| ConfigError::Values(vec!["`database` is not valid".to_owned()]);
    match &config.database {
        Some(url) => Ok(url.parse().map_err(wrong)?),
        None => Ok(Address::Sqlite(config.data.join(DATABASE))),
    }
}

/// Opens the database. A missing data folder is created, for this account only.
async fn open(config: &Config) -> Result<Store, Failed> {
    make_data_folder(config)?;
    Ok(Store::open(&address(config)?).await?)
}

fn make_data_folder(config: &Config) -> Result<(), Failed> {
    let path = &config.data;
    make_folder(path).map_err(|source| Failed::Folder { path: path.clone(), source })
}

fn make_folder(path: &std::path::Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}
