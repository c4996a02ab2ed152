//! Tries forbidden actions in a process before it builds an untrusted source. If a single one
//! succeeds, nothing is built.

use std::io::{self, ErrorKind};
use std::path::Path;

/// Numbers of descriptors that are tried.
const MOST_DESCRIPTORS: i32 = 1024;

/// Returns the first attempt that was not refused.
pub(super) fn first_success(own: &Path) -> Option<&'static str> {
    let above = own.parent().unwrap_or(own);
    let attempts: [(&str, io::Result<()>); 10] = [
        ("read `/etc/passwd`", std::fs::File::open("/etc/passwd").map(drop)),
        ("read the environment of a process", std::fs::read("/proc/self/environ").map(drop)),
        ("read a pipe that the judge has inherited", read_an_inherited_pipe()),
        ("list the root folder", std::fs::read_dir("/").map(drop)),
        ("list the folder above its own", std::fs::read_dir(above).map(drop)),
        ("create a file outside its folder", create_in(above)),
        ("open a socket", std::net::UdpSocket::bind("127.0.0.1:0").map(drop)),
        ("open a socket of the system", std::os::unix::net::UnixDatagram::unbound().map(drop)),
        ("start a shell", start_a_shell()),
        ("send a signal to the judge", signal_the_judge()),
    ];
    attempts.into_iter().find(|(_, result)| !is_refused(result)).map(|(what, _)| what)
}

/// Another error does not prove that the action is forbidden.
fn is_refused(result: &io::Result<()>) -> bool {
    let kinds = [ErrorKind::PermissionDenied, ErrorKind::Unsupported];
    result.as_ref().is_err_and(|error| kinds.contains(&error.kind()))
}

/// Opens the file or pipe of each inherited descriptor, except the standard streams. A file is
/// refused by its path, but a pipe or a file in memory has no path.
fn read_an_inherited_pipe() -> io::Result<()> {
    let open = |number: i32| std::fs::File::open(format!("/proc/self/fd/{number}"));
    (3..MOST_DESCRIPTORS)
        .find_map(|number| open(number).ok())
        .map_or(Err(ErrorKind::PermissionDenied.into()), |_| Ok(()))
}

fn create_in(folder: &Path) -> io::Result<()> {
    let path = folder.join(format!("judge-probe-{}", std::process::id()));
    std::fs::File::options().write(true).create_new(true).open(&path)?;
    std::fs::remove_file(path)
}

fn start_a_shell() -> io::Result<()> {
    std::process::Command::new("/bin/sh").args(["-c", ":"]).spawn()?.wait().map(drop)
}

/// Signal 0, which only checks whether another signal would arrive.
fn signal_the_judge() -> io::Result<()> {
    let judge = rustix::process::getppid().ok_or(ErrorKind::PermissionDenied)?;
    Ok(rustix::process::test_kill_process(judge)?)
}
