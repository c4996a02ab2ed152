//! A PostgreSQL server at the near end of a cable. It ends with the test, even if the test is
//! killed.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use sqlx::{Connection as _, PgConnection};

use crate::cable::Cable;

/// Starts the server, and stops it when the other end of standard input is closed.
const WATCH: &str = r#"
"$0/postgres" -D "$1/data" -k "$1" -c listen_addresses="$2" -c fsync=off >"$1/log" 2>&1 </dev/null &
server=$!
cat >/dev/null
kill -INT "$server"
wait "$server"
rm -rf -- "$1"
"#;

/// A server with the address of the cable's near end.
pub(crate) struct Server {
    folder: PathBuf,
    guard: Child,
}

impl Server {
    /// Starts a server; the error is the reason why that failed.
    pub(crate) fn new(cable: &Cable) -> Result<Server, String> {
        let programs = programs().ok_or("PostgreSQL is not installed")?;
        let folder = tempfile::Builder::new().prefix("judge-net").tempdir().unwrap().keep();
        done(Command::new("chown").arg("postgres").arg(&folder));
        let mut make = as_postgres(&programs.join("initdb"));
        make.arg("--username=judge").args(["--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"]);
        done(make.arg("--no-sync").arg(folder.join("data")));
        let rules = folder.join("data/pg_hba.conf");
        let text = std::fs::read_to_string(&rules).unwrap();
        std::fs::write(rules, format!("{text}\nhost all all {} trust\n", cable.network())).unwrap();
        let mut guard = as_postgres(Path::new("sh"));
        guard.args(["-c", WATCH]).arg(&programs).arg(&folder).arg(cable.address());
        let guard = guard.stdin(Stdio::piped()).spawn().unwrap();
        let server = Server { folder, guard };
        server.wait();
        Ok(server)
    }

    pub(crate) fn port(&self) -> u16 {
        5432
    }

    /// The address of its database that bypasses the cable.
    pub(crate) fn beside_the_cable(&self) -> String {
        let folder = self.folder.display().to_string().replace('/', "%2F");
        format!("postgres://judge@localhost/postgres?host={folder}")
    }

    /// The address at the far end of the cable.
    pub(crate) fn over(&self, cable: &Cable) -> String {
        self.at(cable, self.port())
    }

    /// The address at the far end, with another port.
    pub(crate) fn at(&self, cable: &Cable, port: u16) -> String {
        format!("postgres://judge@{}:{port}/postgres?sslmode=disable", cable.address())
    }

    /// Waits until it listens.
    fn wait(&self) {
        crate::run(async {
            while PgConnection::connect(&self.beside_the_cable()).await.is_err() {
                let log = std::fs::read_to_string(self.folder.join("log")).unwrap_or_default();
                assert!(!log.contains("FATAL:  could not"), "{log}");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        });
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.guard.stdin.take());
        let _ = self.guard.wait();
    }
}

/// The folder of the newest server's programs.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    let folders = versions.filter_map(|version| Some(version.ok()?.path().join("bin")));
    folders.filter(|folder| folder.join("initdb").is_file()).max()
}

/// A command that runs a program as `postgres`: PostgreSQL refuses to run as root, and only root
/// can create namespaces.
fn as_postgres(program: &Path) -> Command {
    let mut command = Command::new("runuser");
    command.args(["-u", "postgres", "--"]).arg(program).current_dir("/");
    command
}

fn done(command: &mut Command) {
    let run = command.output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}
