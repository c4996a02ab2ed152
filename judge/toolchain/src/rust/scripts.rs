//! Packages that run code during the build: build scripts and macros.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use super::home::Home;
use crate::tool::{Tool, run_within};
use crate::{BuildError, bounds, explain};

/// Kinds of cargo targets that run on this machine.
const RUNNING: &[&str] = &["custom-build", "proc-macro"];

/// Refuses a project if it, or one of its dependencies, runs code during the build.
pub(super) fn refuse(
    cargo: &Tool,
    home: &Home,
    named: &Path,
    folder: &Path,
    target: &str,
) -> Result<(), BuildError> {
    let mut command = home.command(cargo);
    command.args(["metadata", "--format-version", "1", "--filter-platform", target]);
    command.arg("--manifest-path").arg(folder.join("Cargo.toml"));
    let ran = run_within(&command, bounds::PROJECT_SECONDS)?;
    if !ran.success {
        return Err(explain::failed(named, "compile", ran));
    }
    let unreadable = |error: serde_json::Error| BuildError::Start {
        program: cargo.name(),
        source: error.into(),
    };
    let metadata: Value = serde_json::from_slice(&ran.out).map_err(unreadable)?;
    let running = running(&metadata);
    if running.is_empty() {
        return Ok(());
    }
    let what = format!("building it runs code of it on this machine: {}", running.join(", "));
    Err(BuildError::Untrusted { path: named.to_owned(), what })
}

/// The code that would run, by package.
fn running(metadata: &Value) -> Vec<String> {
    let needed = needed(metadata);
    let packages = list(&metadata["packages"]);
    let packages = packages.filter(|package| needed.contains(text(&package["id"])));
    let code = packages.flat_map(|package| {
        let targets = list(&package["targets"])
            .filter(|target| list(&target["kind"]).any(|kind| RUNNING.contains(&text(kind))));
        targets.map(|target| {
            let is_script = list(&target["kind"]).any(|kind| text(kind) == RUNNING[0]);
            let what = if is_script { "the build script" } else { "the macros" };
            format!("{what} of `{}`", text(&package["name"]))
        })
    });
    code.collect()
}

/// Ids of the packages that a build needs, without those only for tests. All packages if there is
/// none at the root.
fn needed(metadata: &Value) -> BTreeSet<&str> {
    let nodes: Vec<&Value> = list(&metadata["resolve"]["nodes"]).collect();
    let mut open: Vec<&str> = match metadata["resolve"]["root"].as_str() {
        Some(root) => vec![root],
        None => nodes.iter().map(|node| text(&node["id"])).collect(),
    };
    let mut needed = BTreeSet::new();
    while let Some(id) = open.pop() {
        if !needed.insert(id) {
            continue;
        }
        let own = nodes.iter().filter(|node| text(&node["id"]) == id);
        let others = own.flat_map(|node| list(&node["deps"]));
        let is_built = |other: &&Value| list(&other["dep_kinds"]).any(|kind| kind["kind"] != "dev");
        open.extend(others.filter(is_built).map(|other| text(&other["pkg"])));
    }
    needed
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().map(Vec::as_slice).unwrap_or_default().iter()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn build_scripts_of_test_dependencies_are_allowed() {
        let package = |id: &str, kind: &str| json!({"id": id, "name": id, "targets": [{"kind": ["lib"]}, {"kind": [kind]}]});
        let needs = |id: &str, others: &[(&str, Value)]| {
            let others = others.iter();
            let deps: Vec<Value> = others
                .map(|(id, kind)| json!({"pkg": id, "dep_kinds": [{"kind": kind}]}))
                .collect();
            json!({"id": id, "deps": deps})
        };
        let metadata = json!({
            "packages": [package("bot", "custom-build"), package("helper", "proc-macro"),
                         package("tester", "proc-macro"), package("plain", "example")],
            "resolve": {"root": "bot", "nodes": [
                needs("bot", &[("plain", Value::Null), ("tester", json!("dev"))]),
                needs("plain", &[("helper", json!("build"))]),
                needs("helper", &[]), needs("tester", &[]),
            ]},
        });
        let expected = ["the build script of `bot`", "the macros of `helper`"];
        assert_eq!(running(&metadata), expected);
    }
}
