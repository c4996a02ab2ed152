//! Manifests for Kubernetes and KEDA.

use std::path::PathBuf;
use std::process::{Command, Output};

use judge_fleet::Fleet;
use judge_runner::base::workers::fingerprint;
use serde_json::Value;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};

use crate::{
    HAND_BACK, PROGRAM, assert_understood, need, number_after, path, postgres, read, text,
};

/// Python with the schemas, in a virtual environment that `.ci/run` creates.
fn python() -> Option<PathBuf> {
    let named = std::env::var_os("JUDGE_MANIFESTS").map(PathBuf::from);
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let python = named.unwrap_or_else(|| home.join(".cache/judge/manifests/bin/python"));
    python.exists().then_some(python)
}

fn check(python: &PathBuf, manifests: &[PathBuf]) -> Output {
    let script = path("../tests/deploy/check.py");
    Command::new(python).arg("-B").arg(script).args(manifests).output().unwrap()
}

fn manifests() -> [PathBuf; 2] {
    ["worker", "autoscale"].map(|name| path(&format!("kubernetes/{name}.yaml")))
}

#[test]
fn manifests_fit_their_schemas_and_each_other() {
    let python = need!(python(), "kubernetes-validate");
    let run = check(&python, &manifests());
    assert!(run.status.success(), "{}", text(&run));
    let all: Vec<Value> = serde_json::from_slice(&run.stdout).unwrap();
    let kinds: Vec<&str> = all.iter().map(|one| one["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["Deployment", "NetworkPolicy", "TriggerAuthentication", "ScaledObject"]);
    let [deployment, policy, login, scaled] = &all[..] else { panic!("{all:?}") };
    let name = &deployment["metadata"]["name"];
    assert_eq!(&scaled["spec"]["scaleTargetRef"]["name"], name);
    let (pod, container) = pod(deployment);
    assert_eq!(policy["spec"]["podSelector"], deployment["spec"]["selector"]);
    let trigger = &scaled["spec"]["triggers"][0];
    assert_eq!(trigger["authenticationRef"]["name"], login["metadata"]["name"]);
    let secret = &container["env"][0]["valueFrom"]["secretKeyRef"]["name"];
    assert_eq!(&login["spec"]["secretTargetRef"][0]["name"], secret);
    assert_eq!(pod["securityContext"]["runAsNonRoot"], true);
    assert_eq!(container["securityContext"]["capabilities"]["drop"], serde_json::json!(["ALL"]));
}

/// The pod of a deployment, and its only container.
fn pod(deployment: &Value) -> (&Value, &Value) {
    let pod = &deployment["spec"]["template"]["spec"];
    (pod, &pod["containers"][0])
}

#[test]
fn manifests_with_a_mistake_are_refused() {
    let python = need!(python(), "kubernetes-validate");
    let folder = tempfile::tempdir().unwrap();
    for (name, right, wrong) in [
        ("worker", "runAsNonRoot: true", "runAsNotRoot: true"),
        ("worker", "replicas: 2", "replicas: two"),
        ("autoscale", "pollingInterval: 15", "pollInterval: 15"),
        ("autoscale", "maxReplicaCount: 50", "maxReplicaCount: many"),
    ] {
        let manifest = folder.path().join("manifest.yaml");
        let text = read(&format!("kubernetes/{name}.yaml"));
        assert!(text.contains(right), "{right}");
        std::fs::write(&manifest, text.replace(right, wrong)).unwrap();
        assert!(!check(&python, &[manifest]).status.success(), "{wrong}");
    }
}

#[test]
fn a_pod_starts_the_worker_with_known_options() {
    let manifest = read("kubernetes/worker.yaml");
    let line = manifest.lines().find_map(|line| line.trim().strip_prefix("args: ")).unwrap();
    let arguments: Vec<String> = serde_json::from_str(line).unwrap();
    assert_understood(arguments.iter().map(String::as_str));
    let stop = number_after(&manifest, "terminationGracePeriodSeconds: ");
    assert!(stop > number_after(&manifest, "--grace=") + HAND_BACK, "{stop}");
    // A pod has as many batches as it plays at a time, and a processor for each.
    let (jobs, scale) = (number_after(&manifest, "--jobs="), read("kubernetes/autoscale.yaml"));
    assert_eq!(number_after(&scale, "targetQueryValue: \""), jobs);
    assert_eq!(number_after(&manifest, "cpu: \""), jobs);
}

/// KEDA's query to the database.
fn query() -> String {
    let manifest = read("kubernetes/autoscale.yaml");
    let (_, rest) = manifest.split_once("query: >-\n").unwrap();
    let lines = rest.lines().take_while(|line| !line.trim_start().starts_with('#'));
    lines.map(str::trim).collect::<Vec<_>>().join(" ")
}

/// A live run and a dead one, with batches in every state.
const BATCHES: &str = "
    INSERT INTO judge_fleet.run (id, purpose, wanted_until) VALUES
        ('now', 'a test', now() + interval '1 minute'), ('gone', 'a test', now());
    INSERT INTO judge_fleet.batch (id, run, fingerprint, priority, rounds, lease_until) VALUES
        ('waits', 'now', '', 0, '', NULL),
        ('was-lost', 'now', '', 0, '', now() - interval '1 second'),
        ('is-played', 'now', '', 0, '', now() + interval '1 minute'),
        ('is-done', 'now', '', 0, '', now() + interval '1 minute'),
        ('of-nobody', 'gone', '', 0, '', NULL);
    INSERT INTO judge_fleet.outcome (batch, machine, told) VALUES ('is-done', 'one', '[]');
    CREATE ROLE scaler LOGIN;";

#[test]
fn scaling_follows_the_number_of_batches_without_a_result() {
    let database = need!(postgres::database(), "PostgreSQL");
    crate::run(async {
        drop(Fleet::open(&database, &fingerprint()).await.unwrap());
        let mut operator = PgConnection::connect(&database).await.unwrap();
        sqlx::raw_sql(BATCHES).execute(&mut operator).await.unwrap();
    });
    let mut setup = Command::new(PROGRAM);
    let run = setup.env("JUDGE_DATABASE", &database).args(["setup", "--role=scaler"]).output();
    let run = run.unwrap();
    assert!(run.status.success(), "{}", text(&run));
    let depth: i64 = crate::run(async {
        // As the role of workers, with an empty search path.
        let database = database.replace("judge@", "scaler@");
        let mut scaler = PgConnection::connect(&database).await.unwrap();
        let query = sqlx::query_scalar(AssertSqlSafe(query()));
        query.fetch_one(&mut scaler).await.unwrap()
    });
    assert_eq!(depth, 3);
}
