//! A campus system with LTI 1.3: `lti1p3platform` in Python.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};

use judge_server::config::LtiPlatform;

/// The campus system's process, killed on drop.
pub(crate) struct CampusSystem {
    child: Child,
    /// Kept open, because it may print more.
    _says: BufReader<ChildStdout>,
    /// Its address.
    pub(crate) base: String,
}

impl Drop for CampusSystem {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A Python with the library.
fn python() -> Option<PathBuf> {
    let told = std::env::var_os("JUDGE_LTI_PLATFORM").map(PathBuf::from);
    let home = || {
        let home = PathBuf::from(std::env::var_os("HOME")?);
        Some(home.join(".cache/judge/lti-platform/bin/python"))
    };
    told.or_else(home).filter(|python| python.is_file())
}

impl CampusSystem {
    /// Starts it, for a server at `tool`; none, with a message, if the library is missing.
    pub(crate) fn start(tool: &str) -> Option<CampusSystem> {
        let Some(python) = python() else {
            println!(
                "skipped: launches need `lti1p3platform==0.1.8` from PyPI in a virtual environment \
                 ~/.cache/judge/lti-platform"
            );
            return None;
        };
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/campus.py");
        let mut command = Command::new(python);
        let mut child = command.arg(script).arg(tool).stdout(Stdio::piped()).spawn().unwrap();
        let mut base = String::new();
        let mut says = BufReader::new(child.stdout.take().unwrap());
        says.read_line(&mut base).unwrap();
        Some(CampusSystem { child, _says: says, base: base.trim().to_owned() })
    }

    /// The server's settings for it.
    pub(crate) fn settings(&self) -> LtiPlatform {
        let at = |path: &str| format!("{}{path}", self.base);
        LtiPlatform {
            name: "Campus".to_owned(),
            issuer: self.base.clone(),
            client_id: "judge".to_owned(),
            deployments: vec!["1".to_owned()],
            login_url: at("/auth"),
            token_url: at("/token"),
            keys_url: at("/certs"),
            services: Vec::new(),
            verified_addresses: false,
        }
    }
}
