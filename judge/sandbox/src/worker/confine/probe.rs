//! Tries, inside a confined worker, what it must not be able to do: evidence instead of claims.

use serde::{Deserialize, Serialize};

/// Something that a worker must not be able to do, and whether it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// What was tried.
    pub what: String,
    /// Whether the system refused.
    pub refused: bool,
}

/// More memory than a worker may have, in bytes.
const TOO_MUCH: usize = 3 << 30;

/// Tries everything. Leaves nothing behind, whatever succeeds.
pub(crate) fn attempts() -> Vec<Attempt> {
    let own = std::env::current_exe();
    let attempt = |what: &str, refused: bool| Attempt { what: what.to_owned(), refused };
    vec![
        attempt("read a file", own.and_then(std::fs::File::open).is_err()),
        attempt("list the root folder", std::fs::read_dir("/").is_err()),
        attempt("write a file", write_a_file().is_err()),
        attempt("open a socket", std::net::UdpSocket::bind("127.0.0.1:0").is_err()),
        attempt("start a program", start_a_program().is_err()),
        attempt("start a thread", start_a_thread().is_err()),
        attempt("take 3 GiB of memory", Vec::<u8>::new().try_reserve_exact(TOO_MUCH).is_err()),
        attempt("read the environment", std::env::vars_os().next().is_none()),
    ]
}

fn write_a_file() -> std::io::Result<()> {
    let path = std::env::temp_dir().join(format!("judge-probe-{}", std::process::id()));
    let written = std::fs::write(&path, "probe");
    let _ = std::fs::remove_file(&path);
    written
}

fn start_a_program() -> std::io::Result<()> {
    let mut child = std::process::Command::new("/bin/true").spawn()?;
    child.wait().map(|_| ())
}

fn start_a_thread() -> std::io::Result<()> {
    let thread = std::thread::Builder::new().spawn(|| {})?;
    thread.join().map_err(|_| std::io::Error::other("the thread panicked"))
}
