//! Attempts at forbidden actions inside a confined worker, as evidence of its confinement.

use std::io::{self, ErrorKind};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// An attempt at a forbidden action, and its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// The action.
    pub what: String,
    /// True if the system refused.
    pub refused: bool,
}

/// More memory than a worker may have, in bytes.
const TOO_MUCH: usize = 3 << 30;

/// Data for the attempts that a confined process can no longer read.
pub(crate) struct Probe {
    program: io::Result<PathBuf>,
}

impl Probe {
    /// Reads that data. Call it before the walls are raised.
    pub(crate) fn prepare() -> Probe {
        Probe { program: std::env::current_exe() }
    }

    /// Tries every action. It leaves nothing behind, even if an action succeeds.
    pub(crate) fn attempts(&self) -> Vec<Attempt> {
        vec![
            attempt("read a file", self.on_program(|own| std::fs::File::open(own).map(|_| ()))),
            attempt("list the root folder", std::fs::read_dir("/").map(|_| ())),
            attempt("create a file", create_a_file()),
            attempt("open a socket", std::net::UdpSocket::bind("127.0.0.1:0").map(|_| ())),
            attempt("start a program", self.on_program(start)),
            attempt("start a thread", start_a_thread()),
            attempt("take 3 GiB of memory", take_memory()),
            attempt("read the environment", read_environment()),
        ]
    }

    fn on_program(&self, act: fn(&PathBuf) -> io::Result<()>) -> io::Result<()> {
        match &self.program {
            Ok(program) => act(program),
            // Without the path there is no attempt, which must not count as refused.
            Err(error) => Err(io::Error::new(ErrorKind::NotFound, error.to_string())),
        }
    }
}

/// Only a denial by the system counts as refused: another error proves nothing.
fn attempt(what: &str, result: io::Result<()>) -> Attempt {
    let refused = result.is_err_and(|error| {
        matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::OutOfMemory)
    });
    Attempt { what: what.to_owned(), refused }
}

/// Creates an empty file. Writing to it could end the process.
fn create_a_file() -> io::Result<()> {
    let path = std::env::temp_dir().join(format!("judge-probe-{}", std::process::id()));
    std::fs::File::options().write(true).create_new(true).open(&path)?;
    std::fs::remove_file(path)
}

/// Starts this program with an argument that makes it end at once.
fn start(program: &PathBuf) -> io::Result<()> {
    let null = std::process::Stdio::null;
    let mut command = std::process::Command::new(program);
    let mut child = command.arg("--version").stdout(null()).stderr(null()).spawn()?;
    child.wait().map(|_| ())
}

fn start_a_thread() -> io::Result<()> {
    let thread = std::thread::Builder::new().spawn(|| {})?;
    thread.join().map_err(|_| io::Error::other("the thread panicked"))
}

fn take_memory() -> io::Result<()> {
    let mut memory = Vec::<u8>::new();
    let taken = memory.try_reserve_exact(TOO_MUCH);
    std::hint::black_box(&memory);
    taken.map_err(|_| ErrorKind::OutOfMemory.into())
}

fn read_environment() -> io::Result<()> {
    match std::env::vars_os().next() {
        Some(_) => Ok(()),
        None => Err(ErrorKind::PermissionDenied.into()),
    }
}
