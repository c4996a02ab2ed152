//! A server, machines, and rounds of Mahjong between a sample bot and a reference opponent.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use judge_arena::{Finished, Job, Pool, Run};
use judge_core::{BySeat, Digest, Limits, Options, RoundSpec, Seat, SeatSpec, Seed, digest};
use judge_fleet::{Fleet, Terms};
use judge_runner::base::workers::{Workers, fingerprint};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, Row as _};
use tokio::runtime::Runtime;

use crate::postgres::Private;
use crate::processor;

/// The measurements.
#[derive(Debug, Clone)]
pub(crate) struct Figures {
    pub(crate) rounds: u64,
    pub(crate) wall: Duration,
    /// Processor time of this process, which hands out batches and applies the rules.
    pub(crate) here: Duration,
    /// Processor time of the database.
    pub(crate) database: Duration,
    pub(crate) batches: i64,
    /// Bytes of the results.
    pub(crate) bytes: i64,
    /// Digest of all records, in the order of the rounds.
    pub(crate) digest: Digest,
}

/// A server with a database for a fleet.
pub(crate) struct Scene {
    server: Private,
    runtime: Runtime,
    cache: tempfile::TempDir,
}

/// A machine process, killed on drop.
pub(crate) struct Machine(Child);

impl Drop for Machine {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Scene {
    pub(crate) fn new() -> Option<Scene> {
        let server = Private::new()?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let scene = Scene { server, runtime, cache: tempfile::tempdir().unwrap() };
        drop(scene.fleet());
        scene.sql(
            "CREATE TABLE told (batches BIGINT, bytes BIGINT); INSERT INTO told VALUES (0, 0);
             CREATE FUNCTION count_told() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
             UPDATE public.told SET batches = batches + 1, bytes = bytes + octet_length(NEW.told);
             RETURN NEW; END $$;
             CREATE TRIGGER count_told AFTER INSERT ON judge_fleet.outcome
             FOR EACH ROW EXECUTE FUNCTION count_told()",
        );
        Some(scene)
    }

    fn fleet(&self) -> Fleet {
        self.runtime.block_on(Fleet::open(&self.server.address(), &fingerprint())).unwrap()
    }

    /// Starts a machine that plays one batch at a time.
    pub(crate) fn machine(&self, number: usize) -> Machine {
        self.machine_with(number, 60)
    }

    /// Starts a machine with that lease, in seconds.
    pub(crate) fn machine_with(&self, number: usize, lease: u64) -> Machine {
        let mut command = Command::new(program());
        command.env("JUDGE_DATABASE", self.server.address());
        command.arg(format!("--name=machine-{number}")).arg("--jobs=1");
        command.arg(format!("--lease={lease}")).arg("--cache").arg(self.cache.path());
        Machine(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    pub(crate) fn wait_for_machines(&self, many: usize) {
        self.wait_for(&format!("SELECT COUNT(*) >= {many} FROM judge_fleet.machine"));
    }

    /// Starts machines and kills them at random, up to four at a time, until `done` is set. Returns
    /// the number of killed machines.
    pub(crate) fn come_and_go(&self, done: &AtomicBool) -> usize {
        let (mut machines, mut killed) = (Vec::new(), 0);
        for number in 1.. {
            if done.load(Ordering::Relaxed) {
                break;
            }
            machines.push(self.machine_with(number, 2));
            if machines.len() > 4 {
                let mut random = [0; 1];
                getrandom::fill(&mut random).unwrap();
                drop(machines.remove(usize::from(random[0]) % machines.len()));
                killed += 1;
            }
            let mut random = [0; 1];
            getrandom::fill(&mut random).unwrap();
            std::thread::sleep(Duration::from_millis(300 + 4 * u64::from(random[0])));
        }
        killed
    }

    /// Waits until a machine has just begun a long batch, and returns its number.
    pub(crate) fn wait_for_a_long_batch_of(&self, machine: usize) -> String {
        let long = format!(
            "SELECT id FROM judge_fleet.batch b WHERE holder = 'machine-{machine}' \
             AND octet_length(rounds) > 2000 \
             AND NOT EXISTS (SELECT 1 FROM judge_fleet.outcome o WHERE o.batch = b.id)"
        );
        loop {
            if let Some(batch) = self.text(&long) {
                return batch;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until a batch has a result or was dropped.
    pub(crate) fn wait_for_result_of(&self, batch: &str) {
        self.wait_for(&format!(
            "SELECT EXISTS (SELECT 1 FROM judge_fleet.outcome WHERE batch = '{batch}') \
             OR NOT EXISTS (SELECT 1 FROM judge_fleet.batch WHERE id = '{batch}')"
        ));
    }

    fn wait_for(&self, condition: &str) {
        while self.number(&format!("SELECT ({condition})::int::int8")) == 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub(crate) fn forget_machines(&self) {
        self.sql("DELETE FROM judge_fleet.machine");
    }

    /// Bytes of the tables of the fleet and the queue.
    pub(crate) fn table_bytes(&self) -> i64 {
        self.number(
            "SELECT SUM(pg_total_relation_size(c.oid))::int8 FROM pg_class c \
             JOIN pg_namespace n ON n.oid = c.relnamespace \
             WHERE c.relkind = 'r' AND n.nspname LIKE 'judge%'",
        )
    }

    /// Plays rounds on the machines.
    pub(crate) fn played(&self, terms: Terms, rounds: u64) -> Figures {
        let out = self.fleet().dispatch("a measurement", terms);
        let run = Run::new(pool(1).with_machines(Some(Arc::new(out))));
        let before = self.counters();
        let mut figures = play(&run, rounds);
        let after = self.counters();
        figures.database = after.0.saturating_sub(before.0);
        (figures.batches, figures.bytes) = (after.1 - before.1, after.2 - before.2);
        figures
    }

    /// Processor time of the database, batches and bytes so far.
    fn counters(&self) -> (Duration, i64, i64) {
        let told =
            ["batches", "bytes"].map(|what| self.number(&format!("SELECT {what} FROM told")));
        (processor::of_all("postgres"), told[0], told[1])
    }

    fn number(&self, sql: &str) -> i64 {
        self.runtime.block_on(async {
            let mut connection = PgConnection::connect(&self.server.address()).await.unwrap();
            let row = sqlx::query(AssertSqlSafe(sql.to_owned())).fetch_one(&mut connection).await;
            row.unwrap().get(0)
        })
    }

    fn text(&self, sql: &str) -> Option<String> {
        self.runtime.block_on(async {
            let mut connection = PgConnection::connect(&self.server.address()).await.unwrap();
            let sql = AssertSqlSafe(sql.to_owned());
            sqlx::query_scalar(sql).fetch_optional(&mut connection).await.unwrap()
        })
    }

    fn sql(&self, sql: &str) {
        self.runtime.block_on(async {
            let mut connection = PgConnection::connect(&self.server.address()).await.unwrap();
            let sql = AssertSqlSafe(sql.to_owned());
            sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
        });
    }
}

/// Plays rounds on worker processes of this program.
pub(crate) fn local(workers: usize, rounds: u64) -> Figures {
    play(&Run::new(pool(workers)), rounds)
}

fn pool(workers: usize) -> Pool {
    let mut own = Workers::of_this_program().unwrap().with_jobs(workers);
    own.command.program = program();
    own.pool()
}

/// `judge-worker`, in the folder above this program.
fn program() -> std::path::PathBuf {
    let own = std::env::current_exe().unwrap();
    let program = own.parent().unwrap().with_file_name("judge-worker");
    assert!(program.exists(), "build it first: `cargo build --release -p judge-fleet`");
    program
}

fn play(run: &Run, rounds: u64) -> Figures {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-bots/prebuilt");
    let module = std::fs::read(root.join("mahjong-distance.wasm")).unwrap();
    let bot = SeatSpec::Bot { name: "distance".to_owned(), sha256: digest(&module) };
    let job = |seed| Job {
        spec: RoundSpec {
            game: "mahjong".to_owned(),
            options: Options::default(),
            seed: Seed(seed),
            seats: [bot.clone(), SeatSpec::Reference { name: "random".to_owned() }],
            limits: Limits::default(),
        },
        modules: BySeat::from_fn(|seat| (seat == Seat::One).then_some(0)),
    };
    let jobs: Vec<Job> = (1..=rounds).map(job).collect();
    let mut digests: Vec<Option<Digest>> = vec![None; jobs.len()];
    let mut finished = |Finished { job, played }: Finished| {
        digests[job] = played.map(|played| played.outline.digest);
    };
    let (begun, before) = (Instant::now(), processor::used_by(std::process::id()));
    run.play_all(&[&module], &jobs, &|_| false, &mut finished).unwrap();
    let (wall, here) = (begun.elapsed(), processor::used_by(std::process::id()) - before);
    let all = digests
        .into_iter()
        .map(Option::unwrap)
        .fold(digest(b""), |link, record| link.chain(record.to_string().as_bytes()));
    let (database, batches, bytes) = (Duration::ZERO, 0, 0);
    Figures { rounds, wall, here, database, batches, bytes, digest: all }
}
