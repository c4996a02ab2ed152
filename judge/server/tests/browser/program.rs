//! The real program, on a separate folder.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

/// A server that runs until it is dropped.
pub(crate) struct Program {
    child: Child,
    _output: BufReader<ChildStdout>,
    /// `http://127.0.0.1:12345`.
    pub(crate) base: String,
    /// The link for the first instructor.
    pub(crate) link: String,
}

impl Program {
    pub(crate) fn start(data: &Path) -> Program {
        Program::start_at("127.0.0.1:0", data, &[])
    }

    /// Starts a server at an address, with more options.
    pub(crate) fn start_at(listen: &str, data: &Path, options: &[&str]) -> Program {
        let mut child = Command::new(env!("CARGO_BIN_EXE_judge-server"))
            .args(["--listen", listen, "--lanes", "1", "--rate", "10000", "--data"])
            .arg(data)
            .args(options)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = || {
            let mut line = String::new();
            output.read_line(&mut line).unwrap();
            line.trim_end().to_owned()
        };
        let first = line();
        let base = first.strip_prefix("judge-server listens at ").expect(&first).to_owned();
        line();
        let link = line();
        Program { child, _output: output, base, link }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
