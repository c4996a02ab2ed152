//! V8, started as `node`, with the same cases.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::all_tests;
use crate::compare::Run;
use crate::host::{self, End, HostEvent, START_FUEL, Trace};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/node.mjs");

/// True if `node` starts. Without it a test prints a line, and fails with `JUDGE_TESTS=all`.
pub(crate) fn is_there() -> bool {
    let there = Command::new("node").arg("--version").output().is_ok_and(|it| it.status.success());
    assert!(there || !all_tests(), "`node` does not start");
    if !there {
        println!("skipped: `node` does not start");
    }
    there
}

/// The same runs in V8.
fn traces(runs: &[Run]) -> Vec<Trace> {
    let folder = tempfile::tempdir().unwrap();
    let mut described = Vec::new();
    for (number, Run { case, rewritten, .. }) in runs.iter().enumerate() {
        let path = folder.path().join(format!("{number}.wasm"));
        std::fs::write(&path, rewritten).unwrap();
        described.push(json!({"path": path, "fuel": case.fuel, "lines": case.lines}));
    }
    let settings = json!({"pages": host::PAGES, "start": START_FUEL, "cases": described});
    let list = folder.path().join("cases.json");
    std::fs::write(&list, settings.to_string()).unwrap();
    let output = Command::new("node").args([Path::new(SCRIPT), &list]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found.len(), runs.len());
    found.iter().map(trace).collect()
}

fn trace(run: &Value) -> Trace {
    let number = |name: &str| run[name].as_i64().unwrap() as i32;
    let text = |name: &str| run[name].as_str().map(str::to_owned);
    let event = |event: &Value| HostEvent {
        what: event["what"].as_str().unwrap().to_owned(),
        left: event["left"].as_str().map(|left| left.parse().unwrap()),
    };
    let (state, message) = (number("state"), text("message").unwrap_or_default());
    let end = match text("end").unwrap().as_str() {
        "finished" => End::Finished,
        "refused" => End::Refused(message),
        "out of fuel" => End::OutOfFuel,
        end => host::failed(end == "stopped", state, number("bulk"), &message),
    };
    Trace {
        events: run["events"].as_array().unwrap().iter().map(event).collect(),
        end,
        memory: text("memory"),
        refused: judge_meter::is_refused(state),
        stack: run["stack"].as_i64().map(|stack| stack as i32),
    }
}

/// Compares the runs in V8 with those in wasmtime; returns the number of those that it could compile.
pub(crate) fn compare(runs: &[Run]) -> usize {
    let mut compared = 0;
    for (expected, found) in runs.iter().zip(traces(runs)) {
        // V8 has computed initial values since version 11.4.
        if matches!(&found.end, End::Refused(why) if why.contains("constant expressions")) {
            continue;
        }
        assert_eq!(found, expected.trace, "{} in V8", expected.case.name);
        compared += 1;
    }
    compared
}
