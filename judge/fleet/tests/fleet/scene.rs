//! A suite, modules, a database and machines.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use judge_arena::{Pool, Stop, Submission, grade};
use judge_core::Nobody;
use judge_fleet::{Fleet, Terms};
use judge_grading::Suite;
use judge_runner::bots;
use judge_runner::workers::Workers;
use rustix::process::{Pid, Signal, kill_process};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::postgres;

/// The program.
const PROGRAM: &str = env!("CARGO_BIN_EXE_judge-worker");

/// A place to grade at.
pub(crate) struct Scene {
    database: String,
    folder: TempDir,
    runtime: Runtime,
}

/// A machine that plays.
pub(crate) struct Machine(Child);

impl Machine {
    pub(crate) fn signal(&mut self, signal: Signal) -> Option<ExitStatus> {
        let pid = Pid::from_child(&self.0);
        kill_process(pid, signal).unwrap();
        (signal == Signal::KILL || signal == Signal::TERM).then(|| self.0.wait().unwrap())
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Scene {
    /// None where PostgreSQL is not installed.
    pub(crate) fn new() -> Option<Scene> {
        let database = postgres::database()?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let scene = Scene { database, folder: tempfile::tempdir().unwrap(), runtime };
        // Machines start on a database that has been set up.
        drop(scene.fleet());
        Some(scene)
    }

    fn fleet(&self) -> Fleet {
        let fingerprint = judge_runner::workers::fingerprint();
        self.runtime.block_on(Fleet::open(&self.database, &fingerprint)).unwrap()
    }

    pub(crate) fn machine(&self, number: usize) -> Machine {
        let mut command = Command::new(PROGRAM);
        command.env("JUDGE_DATABASE", &self.database);
        command.arg(format!("--name=machine-{number}")).args(["--jobs=1", "--lease=2"]);
        command.arg("--cache").arg(self.folder.path().join(format!("cache-{number}")));
        Machine(command.stdout(Stdio::null()).spawn().unwrap())
    }

    /// Digests of the submissions, graded by this process.
    pub(crate) fn graded_here(&self) -> Vec<String> {
        graded(&pool())
    }

    /// The same with rounds played by machines.
    pub(crate) fn graded_elsewhere(&self, run: &str) -> Vec<String> {
        let terms = Terms { batch: Duration::from_millis(50), ..Terms::default() };
        let out = self.fleet().hand_out(run, terms, Vec::new(), Stop::default());
        graded(&Pool { elsewhere: Some(Arc::new(out)), ..pool() })
    }

    pub(crate) fn wait_for_a_lease(&self) {
        while self.number("SELECT COUNT(*) FROM judge_fleet.batch WHERE holder IS NOT NULL") == 0 {
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Rows of a table.
    pub(crate) fn count(&self, table: &str) -> i64 {
        self.number(&format!("SELECT COUNT(*) FROM judge_fleet.{table}"))
    }

    fn number(&self, sql: &str) -> i64 {
        self.runtime.block_on(async {
            let mut connection = PgConnection::connect(&self.database).await.unwrap();
            let sql = AssertSqlSafe(sql.to_owned());
            sqlx::query_scalar(sql).fetch_one(&mut connection).await.unwrap()
        })
    }
}

fn pool() -> Pool {
    let mut workers = Workers::of_this_program().unwrap();
    workers.command.program = PROGRAM.into();
    workers.pool()
}

fn suite() -> Suite {
    let case = |seat: u8| {
        let text = format!(
            "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nseat = {seat}\n\
             seeds = [1, 2, 3, 4, 5, 6, 7, 8]\nmin_score = 100\npoints = 10\n"
        );
        (format!("0{seat}-case.toml"), text)
    };
    let files = [("suite.toml".to_owned(), "title = \"Small\"\n".to_owned()), case(1), case(2)];
    Suite::from_files("small", files.iter().map(|(name, text)| (&**name, &**text))).unwrap()
}

fn sample(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-bots/prebuilt");
    root.join(format!("{name}.wasm"))
}

fn graded(pool: &Pool) -> Vec<String> {
    let suite = suite();
    let submission = |name: &str| -> Submission {
        bots::submission(name, std::fs::read(sample(name)).unwrap(), &suite)
    };
    let submissions = ["mahjong-distance", "mahjong-straightforward"].map(submission);
    let report = grade(pool, &suite, &submissions, &mut Nobody).unwrap();
    report.bots.iter().map(|bot| bot.digest.to_string()).collect()
}
