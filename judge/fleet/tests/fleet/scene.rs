//! A fixture with a suite, modules, a database and machines.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use judge_arena::{ArenaError, Entrant, Run, grade};
use judge_core::{Fingerprint, IgnoreEvents};
use judge_fleet::{Fleet, Status, Terms};
use judge_grading::Suite;
use judge_runner::base::workers::{Workers, fingerprint};
use judge_runner::bots;
use rustix::process::{Pid, Signal, kill_process};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, Row as _};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::postgres::{self, Private};

/// Path of the program.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_judge-worker");

/// Length of a machine's lease, in seconds.
pub(crate) const LEASE: u64 = 2;

/// A database, a fleet and modules to grade.
pub(crate) struct Scene {
    pub(crate) database: String,
    folder: TempDir,
    runtime: Runtime,
}

/// A machine that plays.
pub(crate) struct Machine(Child);

impl Machine {
    /// Sends a signal. Waits for the end if the signal ends the process.
    pub(crate) fn signal(&mut self, signal: Signal) -> Option<ExitStatus> {
        let pid = Pid::from_child(&self.0);
        kill_process(pid, signal).unwrap();
        (signal == Signal::KILL || signal == Signal::TERM).then(|| self.0.wait().unwrap())
    }

    /// True if the process has ended.
    pub(crate) fn has_ended(&mut self) -> bool {
        self.0.try_wait().unwrap().is_some()
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Scene {
    /// A scene on the shared server; none if PostgreSQL is not installed.
    pub(crate) fn new() -> Option<Scene> {
        Some(Scene::at(postgres::database()?))
    }

    /// A scene on a separate server.
    pub(crate) fn private() -> Option<(Scene, Private)> {
        let server = Private::new()?;
        Some((Scene::at(server.address()), server))
    }

    pub(crate) fn at(database: String) -> Scene {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let scene = Scene { database, folder: tempfile::tempdir().unwrap(), runtime };
        // Machines start on a database that has been set up.
        drop(scene.fleet());
        scene
    }

    pub(crate) fn fleet(&self) -> Fleet {
        self.fleet_of(&fingerprint())
    }

    /// A connection to the machines of a version of the judge.
    pub(crate) fn fleet_of(&self, fingerprint: &Fingerprint) -> Fleet {
        self.runtime.block_on(Fleet::open(&self.database, fingerprint)).unwrap()
    }

    pub(crate) fn status(&self) -> Status {
        self.status_of(&self.fleet())
    }

    pub(crate) fn status_of(&self, fleet: &Fleet) -> Status {
        self.runtime.block_on(fleet.status()).unwrap()
    }

    /// A machine with one slot.
    pub(crate) fn machine(&self, number: usize) -> Machine {
        self.machine_at(&self.database, number)
    }

    /// A machine that connects to this address.
    pub(crate) fn machine_at(&self, database: &str, number: usize) -> Machine {
        let mut command = Command::new(PROGRAM);
        command.env("JUDGE_DATABASE", database).arg(format!("--name=machine-{number}"));
        command.args(["--jobs=1", "--grace=1"]).arg(format!("--lease={LEASE}"));
        command.arg("--cache").arg(self.folder.path().join(format!("cache-{number}")));
        let log = std::fs::File::create(self.log(number)).unwrap();
        Machine(command.stdout(Stdio::null()).stderr(log).spawn().unwrap())
    }

    fn log(&self, number: usize) -> PathBuf {
        self.folder.path().join(format!("log-{number}"))
    }

    /// The log of a machine.
    pub(crate) fn log_of(&self, number: usize) -> String {
        std::fs::read_to_string(self.log(number)).unwrap()
    }

    /// Grades the submissions on machines, and returns their digests.
    pub(crate) fn graded_elsewhere(&self) -> Vec<String> {
        self.graded_on(terms(), &suite(40))
    }

    /// Grades on given terms, or for another suite.
    pub(crate) fn graded_on(&self, terms: Terms, suite: &Suite) -> Vec<String> {
        digests(&self.run(terms), suite)
    }

    /// A run that plays rounds on machines.
    pub(crate) fn run(&self, terms: Terms) -> Run {
        let out = self.fleet().dispatch("a test", terms);
        Workers { elsewhere: Some(Arc::new(out)), ..workers() }.run()
    }

    /// Waits until some machine holds a batch.
    pub(crate) fn wait_for_a_lease(&self) {
        self.wait_for("SELECT COUNT(*) FROM judge_fleet.batch WHERE lease_until > now()");
    }

    /// Waits until a statement counts at least one row.
    pub(crate) fn wait_for(&self, count: &str) {
        for _ in 0..6_000 {
            if self.number(count) > 0 {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("a minute has passed: {count}");
    }

    /// Rows of a table.
    pub(crate) fn count(&self, table: &str) -> i64 {
        self.number(&format!("SELECT COUNT(*) FROM judge_fleet.{table}"))
    }

    pub(crate) fn number(&self, sql: &str) -> i64 {
        self.runtime.block_on(async {
            let mut connection = PgConnection::connect(&self.database).await.unwrap();
            let row = sqlx::query(AssertSqlSafe(sql.to_owned())).fetch_one(&mut connection).await;
            row.unwrap().get(0)
        })
    }

    /// The text that a statement returns.
    pub(crate) fn text(&self, sql: &str) -> String {
        self.runtime.block_on(async {
            let mut connection = PgConnection::connect(&self.database).await.unwrap();
            let row = sqlx::query(AssertSqlSafe(sql.to_owned())).fetch_one(&mut connection).await;
            row.unwrap().get(0)
        })
    }

    /// A session that has executed these statements, and then stays idle.
    pub(crate) fn hold(&self, database: &str, sql: &str) -> PgConnection {
        self.runtime.block_on(async {
            let mut connection = PgConnection::connect(database).await.unwrap();
            let sql = AssertSqlSafe(sql.to_owned());
            sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
            connection
        })
    }

    /// Executes statements; the error is the database's message.
    pub(crate) fn try_sql(&self, database: &str, sql: &str) -> Result<(), String> {
        self.runtime.block_on(async {
            let told = |error: sqlx::Error| error.to_string();
            let mut connection = PgConnection::connect(database).await.map_err(told)?;
            let sql = AssertSqlSafe(sql.to_owned());
            sqlx::raw_sql(sql).execute(&mut connection).await.map_err(told)?;
            Ok(())
        })
    }

    pub(crate) fn sql(&self, sql: &str) {
        self.try_sql(&self.database, sql).unwrap();
    }
}

/// Small batches that are not audited.
pub(crate) fn terms() -> Terms {
    Terms { batch: Duration::from_millis(20), audit: 0.0, ..Terms::default() }
}

/// Worker processes of the program under test.
pub(crate) fn workers() -> Workers {
    let mut workers = Workers::of_this_program().unwrap();
    workers.command.program = PROGRAM.into();
    workers
}

/// A run on worker processes of the program under test.
pub(crate) fn run_here() -> Run {
    workers().run()
}

/// Grades the submissions in this process, and returns their digests.
pub(crate) fn graded_here() -> Vec<String> {
    digests(&run_here(), &suite(40))
}

/// A suite of two testcases with `rounds` rounds each.
pub(crate) fn suite(rounds: u64) -> Suite {
    let seeds: Vec<String> = (1..=rounds).map(|seed| seed.to_string()).collect();
    let case = |seat: u8| {
        let text = format!(
            "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nseat = {seat}\n\
             seeds = [{}]\nmin_score = 100\npoints = 10\n",
            seeds.join(", ")
        );
        (format!("0{seat}-case.toml"), text)
    };
    let files = [("suite.toml".to_owned(), "title = \"Small\"\n".to_owned()), case(1), case(2)];
    Suite::from_files("small", files.iter().map(|(name, text)| (&**name, &**text))).unwrap()
}

/// Path of a prebuilt sample bot.
pub(crate) fn sample(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-bots/prebuilt");
    root.join(format!("{name}.wasm"))
}

/// Grades the submissions, and returns their digests.
pub(crate) fn digests(run: &Run, suite: &Suite) -> Vec<String> {
    try_digests(run, suite).unwrap()
}

/// Grades the submissions, and returns their digests or the run's error.
pub(crate) fn try_digests(run: &Run, suite: &Suite) -> Result<Vec<String>, ArenaError> {
    let submission = |name: &str| -> Entrant {
        bots::submission(name, std::fs::read(sample(name)).unwrap(), suite)
    };
    let submissions = ["mahjong-distance", "mahjong-straightforward"].map(submission);
    let report = grade(run, suite, &submissions, &mut IgnoreEvents)?;
    Ok(report.bots.iter().map(|bot| bot.digest.to_string()).collect())
}
