//! Scripts for Slurm, run without Slurm in the environment that it gives to a job.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use judge_fleet::Fleet;
use judge_runner::base::workers::fingerprint;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::{HAND_BACK, PROGRAM, need, number_after, path, postgres, program, read, text};

const SCRIPTS: [&str; 3] = ["worker", "shards", "merge"];

fn script(name: &str) -> std::path::PathBuf {
    path(&format!("slurm/{name}.sbatch"))
}

#[test]
fn slurm_scripts_are_valid() {
    for name in SCRIPTS {
        let run = Command::new("bash").arg("-n").arg(script(name)).output().unwrap();
        assert!(run.status.success(), "{}", text(&run));
    }
    let mut check = need!(program("shellcheck"), "shellcheck");
    let run = check.args(["--shell=bash"]).args(SCRIPTS.map(script)).output().unwrap();
    assert!(run.status.success(), "{}", text(&run));
}

/// A folder with fakes of a cluster's programs.
struct Cluster(TempDir);

impl Cluster {
    fn new() -> Cluster {
        Cluster(tempfile::tempdir().unwrap())
    }

    fn folder(&self) -> &Path {
        self.0.path()
    }

    /// Adds a program that logs its arguments and then runs `then`.
    fn add(&self, name: &str, then: &str) {
        let file = self.folder().join(name);
        let calls = self.folder().join("calls").display().to_string();
        let text = format!("#!/bin/bash\necho \"{name} $*\" >>'{calls}'\n{then}\n");
        std::fs::write(&file, text).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn calls(&self) -> Vec<String> {
        let calls = std::fs::read_to_string(self.folder().join("calls")).unwrap_or_default();
        calls.lines().map(str::to_owned).collect()
    }

    /// A script as a job of an array runs it.
    fn job(&self, name: &str, task: u32) -> Command {
        let mut job = Command::new("bash");
        let found = std::env::var("PATH").unwrap();
        job.arg(script(name)).env("PATH", format!("{}:{found}", self.folder().display()));
        job.env("SLURM_ARRAY_JOB_ID", "7").env("SLURM_ARRAY_TASK_ID", task.to_string());
        job.env("SLURM_ARRAY_TASK_COUNT", "2").env("SLURM_CPUS_PER_TASK", "1");
        job.env("TMPDIR", self.folder()).current_dir(self.folder());
        job
    }
}

/// Stops a worker while it plays, and returns its output.
fn stopped_when_it_plays(cluster: &Cluster, database: &str, signal: Signal) -> Output {
    let file = cluster.folder().join("database");
    std::fs::write(&file, format!("{database}\n")).unwrap();
    let mut job = cluster.job("worker", 1);
    job.env("JUDGE_DATABASE_FILE", &file).stdout(Stdio::piped()).stderr(Stdio::piped());
    let job = job.spawn().unwrap();
    crate::run(async {
        let fleet = Fleet::open(database, &fingerprint()).await.unwrap();
        while fleet.status().await.unwrap().machines.is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let [machine] = &fleet.status().await.unwrap().machines[..] else { panic!("one") };
        assert_eq!((machine.name.as_str(), machine.slots), ("slurm-7-1", 1));
    });
    kill_process(Pid::from_child(&job), signal).unwrap();
    job.wait_with_output().unwrap()
}

/// A job's requests to the cluster when a signal comes while its worker plays.
fn asked_after(signal: Signal) -> Option<Vec<String>> {
    let database = postgres::database()?;
    crate::run(async { drop(Fleet::open(&database, &fingerprint()).await.unwrap()) });
    let cluster = Cluster::new();
    cluster.add("scontrol", "");
    std::os::unix::fs::symlink(PROGRAM, cluster.folder().join("judge-worker")).unwrap();
    let run = stopped_when_it_plays(&cluster, &database, signal);
    assert!(run.status.success(), "{}", text(&run));
    assert!(text(&run).contains("asked to stop"), "{}", text(&run));
    Some(cluster.calls())
}

#[test]
fn a_job_out_of_time_ends_and_queues_again() {
    let calls = need!(asked_after(Signal::USR1), "PostgreSQL");
    assert_eq!(calls, ["scontrol requeue 7_1"]);
}

#[test]
fn a_cancelled_job_ends_and_does_not_queue_again() {
    let calls = need!(asked_after(Signal::TERM), "PostgreSQL");
    assert_eq!(calls, [] as [&str; 0]);
}

#[test]
fn a_worker_that_fails_does_not_queue_again() {
    let cluster = Cluster::new();
    cluster.add("scontrol", "");
    cluster.add("judge-worker", "exit 4");
    let file = cluster.folder().join("database");
    std::fs::write(&file, "postgres://nowhere/judge\n").unwrap();
    let run = cluster.job("worker", 1).env("JUDGE_DATABASE_FILE", file).output().unwrap();
    assert_eq!(run.status.code(), Some(4), "{}", text(&run));
    let calls = cluster.calls();
    assert_eq!(calls.len(), 1, "{calls:?}");
    assert!(!calls[0].contains("postgres://"), "an address on the command line: {calls:?}");
}

#[test]
fn a_worker_can_end_before_its_job() {
    let script = read("slurm/worker.sbatch");
    let (signal, grace) =
        (number_after(&script, "--signal=B:USR1@"), number_after(&script, "--grace="));
    assert!(signal > grace + HAND_BACK, "{signal} {grace}");
}

#[test]
fn parts_are_graded_resumed_and_merged() {
    let cluster = Cluster::new();
    // Like the real one, it exits with the code for a failed testcase.
    cluster.add(
        "judge",
        "while [ $# -gt 0 ]; do [ \"$1\" = --out ] && mkdir -p \"$2\"; shift; done; exit 1",
    );
    for task in [1, 2, 2] {
        let run =
            cluster.job("shards", task).args(["bots", "mahjong", "results"]).output().unwrap();
        assert!(run.status.success(), "{}", text(&run));
    }
    let run = cluster.job("merge", 1).arg("results").output().unwrap();
    assert!(run.status.success(), "{}", text(&run));
    let part = |task: u32| {
        format!(
            "judge grade bots --suite mahjong --jobs 1 --shard {task}/2 --out results/parts/{task}"
        )
    };
    let merge = "judge merge results/parts/1/ results/parts/2/ --out results/marks";
    let resumed = format!("{} --resume", part(2));
    assert_eq!(cluster.calls(), [part(1), part(2), resumed, merge.to_owned()]);
    assert_understood(&cluster.calls());
    cluster.add("judge", "exit 4");
    let run = cluster.job("shards", 1).args(["bots", "mahjong", "results"]).output().unwrap();
    assert_eq!(run.status.code(), Some(4), "a failure of the judge is one");
}

/// Asserts that the judge accepts these arguments: it fails only at folders that do not exist.
fn assert_understood(calls: &[String]) {
    let judge = Path::new(PROGRAM).with_file_name("judge");
    if !judge.exists() {
        println!("skipped: no `judge` next to the worker");
        return;
    }
    let nowhere = tempfile::tempdir().unwrap();
    for call in calls {
        let mut command = Command::new(&judge);
        let run = command.args(call.split(' ').skip(1)).current_dir(nowhere.path()).output();
        let run = run.unwrap();
        assert_eq!(run.status.code(), Some(3), "{call}: {}", text(&run));
    }
}

#[test]
fn a_script_without_arguments_prints_its_usage() {
    for name in ["shards", "merge"] {
        let run = Cluster::new().job(name, 1).output().unwrap();
        assert!(!run.status.success() && text(&run).contains("the folder of"), "{}", text(&run));
    }
}
