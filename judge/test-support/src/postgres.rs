//! A private PostgreSQL server for the tests of one program, in a temporary folder and without a
//! port. It ends with the program, even if the program is killed.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use sqlx::{AnyConnection, AssertSqlSafe, Connection as _};

/// Starts the server, and stops it when the other end of standard input is closed.
const WATCH: &str = r#"
"$0/postgres" -D "$1/data" -k "$1" -c listen_addresses= -c fsync=off >"$1/log" 2>&1 </dev/null &
server=$!
cat >/dev/null
kill -INT "$server"
wait "$server"
[ -e "$1/again" ] || rm -rf -- "$1"
"#;

struct Server {
    folder: PathBuf,
    /// Holds the standard input of the server's guard open.
    guard: Child,
}

/// A separate server for one test, with a database, that can be stopped and started.
pub struct Private(Server);

impl Private {
    /// Starts a server; none if PostgreSQL is not installed.
    pub fn new() -> Option<Private> {
        let server = start(&programs()?);
        server.create("test");
        Some(Private(server))
    }

    /// The address of its database.
    pub fn address(&self) -> String {
        self.0.address("test")
    }

    /// Stops it, and disconnects its clients.
    pub fn stop(&mut self) {
        std::fs::write(self.0.folder.join("again"), "").unwrap();
        drop(self.0.guard.stdin.take());
        assert!(self.0.guard.wait().unwrap().success());
    }

    /// Kills it, as a power cut would.
    pub fn kill(&self) {
        let process = self.process();
        assert!(Command::new("kill").args(["-KILL", &process]).status().unwrap().success());
    }

    /// Freezes all its processes, so that it answers nothing and keeps its connections.
    pub fn freeze(&self) {
        self.signal_all("-STOP");
    }

    /// Lets frozen processes continue.
    pub fn thaw(&self) {
        self.signal_all("-CONT");
    }

    fn signal_all(&self, signal: &str) {
        let process = self.process();
        let children = Command::new("ps").args(["-o", "pid=", "--ppid", &process]).output();
        let children = String::from_utf8(children.unwrap().stdout).unwrap();
        for one in std::iter::once(process.as_str()).chain(children.split_whitespace()) {
            // A child may have ended by itself.
            let _ = Command::new("kill").args([signal, one]).status().unwrap();
        }
    }

    fn process(&self) -> String {
        let file = std::fs::read_to_string(self.0.folder.join("data/postmaster.pid")).unwrap();
        file.lines().next().unwrap().to_owned()
    }

    /// Starts a standby server, which follows this one.
    pub fn standby(&self) -> Private {
        let programs = programs().unwrap();
        let folder = new_folder();
        let mut copy = as_user(&programs.join("pg_basebackup"));
        copy.args(["--write-recovery-conf", "--checkpoint=fast", "--username=judge", "--host"]);
        let copied = copy.arg(&self.0.folder).arg("-D").arg(folder.join("data")).output().unwrap();
        assert!(copied.status.success(), "{}", String::from_utf8_lossy(&copied.stderr));
        let server = Server { guard: watched(&programs, &folder), folder };
        drop(crate::run(server.connect()));
        Private(server)
    }

    /// The folder of its socket.
    pub fn folder(&self) -> &Path {
        &self.0.folder
    }

    /// Starts it again, with its data.
    pub fn start(&mut self) {
        std::fs::remove_file(self.0.folder.join("again")).unwrap();
        self.0.guard = watched(&programs().unwrap(), &self.0.folder);
        crate::run(self.0.connect());
    }
}

/// The address of a new database; none if PostgreSQL is not installed.
pub fn database() -> Option<String> {
    static SERVER: OnceLock<Option<Server>> = OnceLock::new();
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let server = SERVER.get_or_init(|| Some(start(&programs()?))).as_ref()?;
    let name = format!("test{}", NUMBER.fetch_add(1, Ordering::Relaxed));
    server.create(&name);
    Some(server.address(&name))
}

/// A copy of a database, made by PostgreSQL's own program while others use it.
pub fn dump(address: &str) -> Vec<u8> {
    let mut dump = as_user(&programs().unwrap().join("pg_dump"));
    let dumped = dump.args(["--format=custom", "--dbname", address]).output().unwrap();
    assert!(dumped.status.success(), "{}", String::from_utf8_lossy(&dumped.stderr));
    dumped.stdout
}

/// Puts such a copy into a new database.
pub fn restore(address: &str, copy: &[u8]) {
    let mut restore = as_user(&programs().unwrap().join("pg_restore"));
    restore.args(["--exit-on-error", "--no-owner", "--dbname", address]);
    let mut running = restore.stdin(Stdio::piped()).spawn().unwrap();
    running.stdin.take().unwrap().write_all(copy).unwrap();
    assert!(running.wait().unwrap().success());
}

impl Server {
    /// Creates a database, once the server listens.
    fn create(&self, name: &str) {
        crate::run(async {
            let mut connection = self.connect().await;
            let create = AssertSqlSafe(format!("CREATE DATABASE {name}"));
            sqlx::raw_sql(create).execute(&mut connection).await.unwrap();
        });
    }

    fn address(&self, database: &str) -> String {
        let folder = self.folder.display().to_string().replace('/', "%2F");
        format!("postgres://judge@localhost/{database}?host={folder}")
    }

    /// Waits until the server listens.
    async fn connect(&self) -> AnyConnection {
        sqlx::any::install_default_drivers();
        loop {
            match AnyConnection::connect(&self.address("postgres")).await {
                Ok(connection) => return connection,
                Err(error) => {
                    let log = std::fs::read_to_string(self.folder.join("log")).unwrap_or_default();
                    assert!(!log.contains("FATAL:  could not"), "{error}\n{log}");
                    std::thread::sleep(std::time::Duration::from_millis(50));
                }
            }
        }
    }
}

/// The folder of the newest server's programs.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    let folders = versions.filter_map(|version| Some(version.ok()?.path().join("bin")));
    folders.filter(|folder| folder.join("initdb").is_file()).max()
}

fn start(programs: &Path) -> Server {
    let folder = new_folder();
    let mut make = as_user(&programs.join("initdb"));
    make.arg("--username=judge").args(["--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"]);
    let made = make.arg("--no-sync").arg(folder.join("data")).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    Server { guard: watched(programs, &folder), folder }
}

fn new_folder() -> PathBuf {
    let folder = tempfile::Builder::new().prefix("judge-pg").tempdir().unwrap().keep();
    give_away(&folder);
    folder
}

fn watched(programs: &Path, folder: &Path) -> Child {
    let mut guard = as_user(Path::new("sh"));
    guard.args(["-c", WATCH]).arg(programs).arg(folder).stdin(Stdio::piped());
    guard.spawn().unwrap()
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().unwrap();
    id.stdout.trim_ascii() == b"0"
}

/// A command that runs a program as a user that PostgreSQL accepts: any user except root.
fn as_user(program: &Path) -> Command {
    let mut command = Command::new(if is_root() { Path::new("runuser") } else { program });
    if is_root() {
        command.args(["-u", "postgres", "--"]).arg(program);
    }
    command.current_dir("/");
    command
}

fn give_away(folder: &Path) {
    if is_root() {
        let given = Command::new("chown").arg("postgres").arg(folder).status().unwrap();
        assert!(given.success());
    }
}
