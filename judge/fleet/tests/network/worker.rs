//! A worker at the far end of a cable.

use std::process::{Child, Stdio};

use tempfile::TempDir;

use crate::cable::Cable;
use crate::scene::{LEASE, PROGRAM};

/// The process of machine 1.
pub(crate) struct Worker {
    process: Child,
    folder: TempDir,
}

impl Worker {
    /// Starts a worker that connects to this address.
    pub(crate) fn new(cable: &Cable, database: &str) -> Worker {
        let folder = tempfile::tempdir().unwrap();
        let mut command = cable.command(PROGRAM);
        command.env("JUDGE_DATABASE", database).args(["--name=machine-1", "--jobs=1", "--grace=1"]);
        command.arg(format!("--lease={LEASE}")).arg("--cache").arg(folder.path().join("cache"));
        let log = std::fs::File::create(folder.path().join("log")).unwrap();
        let process = command.stdout(Stdio::null()).stderr(log).spawn().unwrap();
        Worker { process, folder }
    }

    /// True if the process is running.
    pub(crate) fn is_there(&mut self) -> bool {
        self.process.try_wait().unwrap().is_none()
    }

    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
