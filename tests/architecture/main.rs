//! The arrows of `judge/docs/architecture.md`: no crate depends on one that stands above it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use cargo_metadata::{DependencyKind, MetadataCommand};

/// Each crate of the workspace, and which of the others it may depend on.
const ALLOWED: &[(&str, &[&str])] = &[
    ("judge-core", &[]),
    ("judge-protocol", &[]),
    ("judge-games", &["judge-core"]),
    ("judge-report", &["judge-core"]),
    ("judge-sandbox", &["judge-core", "judge-protocol"]),
    ("judge-referee", &["judge-core", "judge-games", "judge-protocol"]),
    ("judge-grading", &["judge-core", "judge-referee"]),
    ("judge-arena", &["judge-core", "judge-grading", "judge-referee", "judge-sandbox"]),
    (
        "judge",
        &[
            "judge-arena",
            "judge-core",
            "judge-games",
            "judge-grading",
            "judge-referee",
            "judge-report",
            "judge-sandbox",
        ],
    ),
    ("judge-bot", &["judge-core", "judge-games", "judge-protocol"]),
    ("mahjong-hunter", &["judge-bot"]),
    (
        "judge-bench",
        &["judge-arena", "judge-core", "judge-games", "judge-referee", "judge-sandbox"],
    ),
];

#[test]
fn arrows_point_down_only() {
    let metadata = MetadataCommand::new().no_deps().exec().unwrap();
    let packages = metadata.workspace_packages();
    let ours: BTreeSet<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    let listed: BTreeSet<&str> = ALLOWED.iter().map(|(name, _)| *name).collect();
    assert_eq!(ours, listed, "each crate of the workspace has its line here and in the picture");
    for package in &packages {
        let (_, allowed) = ALLOWED.iter().find(|(name, _)| *name == package.name.as_str()).unwrap();
        let dependencies = package
            .dependencies
            .iter()
            .filter(|dependency| dependency.kind != DependencyKind::Development)
            .map(|dependency| dependency.name.as_str())
            .filter(|name| ours.contains(name));
        for dependency in dependencies {
            assert!(allowed.contains(&dependency), "{} -> {dependency}", package.name);
        }
    }
}

#[test]
fn only_the_sandbox_knows_the_engine() {
    let metadata = MetadataCommand::new().no_deps().exec().unwrap();
    for package in metadata.workspace_packages() {
        let links = package.dependencies.iter().any(|dependency| dependency.name == "wasmtime");
        assert_eq!(links, package.name.as_str() == "judge-sandbox", "{}", package.name);
    }
}
