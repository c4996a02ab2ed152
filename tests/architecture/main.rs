//! The layers of `judge/docs/architecture.md`: no crate depends on one above it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod documents;
mod engine;
mod folders;
mod network;
mod words;

use std::collections::BTreeSet;

use cargo_metadata::{DependencyKind, MetadataCommand, Package};

/// Each crate of the workspace, with its allowed dependencies.
const ALLOWED: &[(&str, &[&str])] = &[
    ("judge-core", &[]),
    ("judge-toolchain", &["judge-core", "judge-interpreters"]),
    ("judge-interpreters", &[]),
    ("judge-protocol", &[]),
    ("judge-games", &["judge-core"]),
    ("judge-report", &["judge-core"]),
    ("judge-meter", &[]),
    ("judge-guest", &["judge-core", "judge-meter", "judge-protocol"]),
    (
        "judge-sandbox",
        &["judge-core", "judge-guest", "judge-interpreters", "judge-meter", "judge-protocol"],
    ),
    ("judge-referee", &["judge-core", "judge-games", "judge-protocol"]),
    ("judge-grading", &["judge-core", "judge-referee"]),
    ("judge-statistics", &["judge-core"]),
    (
        "judge-arena",
        &["judge-core", "judge-grading", "judge-referee", "judge-sandbox", "judge-statistics"],
    ),
    (
        "judge-runner",
        &[
            "judge-arena",
            "judge-toolchain",
            "judge-core",
            "judge-games",
            "judge-grading",
            "judge-interpreters",
            "judge-referee",
            "judge-report",
            "judge-sandbox",
            "judge-statistics",
        ],
    ),
    ("judge-test-support", &["judge-core", "judge-grading", "judge-store"]),
    ("judge-store", &["judge-arena", "judge-core", "judge-grading", "judge-runner"]),
    (
        "judge",
        &[
            "judge-arena",
            "judge-core",
            // Only with the feature `fleet`.
            "judge-fleet",
            "judge-games",
            "judge-report",
            "judge-runner",
            "judge-statistics",
        ],
    ),
    (
        "judge-server",
        &[
            "judge-arena",
            "judge-core",
            "judge-fleet",
            "judge-grading",
            "judge-session",
            "judge-referee",
            "judge-report",
            "judge-runner",
            "judge-store",
        ],
    ),
    ("judge-fleet", &["judge-arena", "judge-core", "judge-referee", "judge-runner"]),
    ("judge-bot", &["judge-core", "judge-games", "judge-protocol"]),
    ("judge-session", &["judge-core", "judge-games", "judge-referee"]),
    (
        "judge-browser",
        &[
            "judge-core",
            "judge-games",
            // Only with the feature `grade`.
            "judge-grading",
            "judge-guest",
            "judge-interpreters",
            "judge-meter",
            "judge-protocol",
            "judge-referee",
            "judge-session",
            "judge-statistics",
            "judge-toolchain",
        ],
    ),
    (
        "judge-bench",
        &[
            "judge-arena",
            "judge-core",
            "judge-games",
            "judge-referee",
            "judge-sandbox",
            "judge-statistics",
        ],
    ),
    (
        "judge-fuzz",
        &["judge-core", "judge-games", "judge-grading", "judge-referee", "judge-sandbox"],
    ),
];

/// Allowed dependencies of a sample bot in Rust, as for a student's bot.
const OF_A_SAMPLE_BOT: &[&str] = &["judge-bot"];

/// A folder in `sample-bots/` is a sample bot; it needs no entry here.
fn is_sample_bot(package: &Package) -> bool {
    package.manifest_path.components().any(|part| part.as_str() == "sample-bots")
}

#[test]
fn crates_depend_only_on_lower_crates() {
    let metadata = MetadataCommand::new().no_deps().exec().unwrap();
    let (bots, packages): (Vec<&Package>, Vec<&Package>) =
        metadata.workspace_packages().into_iter().partition(|package| is_sample_bot(package));
    assert!(!bots.is_empty(), "the sample bots in Rust are members");
    let ours: BTreeSet<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    let listed: BTreeSet<&str> = ALLOWED.iter().map(|(name, _)| *name).collect();
    assert_eq!(ours, listed, "each crate of the workspace has its line here and in the picture");
    for package in packages {
        let (_, allowed) = ALLOWED.iter().find(|(name, _)| *name == package.name.as_str()).unwrap();
        check(package, allowed, &ours);
    }
    for bot in bots {
        check(bot, OF_A_SAMPLE_BOT, &ours);
    }
}

/// Of our crates, `package` depends only on the allowed ones.
fn check(package: &Package, allowed: &[&str], ours: &BTreeSet<&str>) {
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

/// An example of `judge-interpreters`, which makes snapshots of them, uses it as well.
#[test]
fn only_the_sandbox_depends_on_the_engine() {
    let metadata = MetadataCommand::new().no_deps().exec().unwrap();
    for package in metadata.workspace_packages() {
        let links = package.dependencies.iter().any(|dependency| {
            dependency.name == "wasmtime" && dependency.kind != DependencyKind::Development
        });
        assert_eq!(links, package.name.as_str() == "judge-sandbox", "{}", package.name);
    }
}

/// Crates for arguments, progress bars, prompts, browsers and Ctrl-C, with the crates that may use
/// them: the programs, and for `miette` also the suite's reader, because its errors show their
/// position.
const OF_A_TERMINAL: &[(&str, &[&str])] = &[
    ("clap", &["judge", "judge-bench", "judge-fleet", "judge-server"]),
    ("indicatif", &["judge", "judge-bench"]),
    ("miette", &["judge", "judge-grading"]),
    ("open", &["judge"]),
    ("rustyline", &["judge"]),
    ("signal-hook", &["judge"]),
    ("terminal_size", &["judge"]),
];

/// Servers and other programs use the runner and everything below it, too.
#[test]
fn only_the_command_line_uses_the_terminal() {
    let metadata = MetadataCommand::new().no_deps().exec().unwrap();
    for (library, users) in OF_A_TERMINAL {
        let uses = |package: &&Package| {
            let mut dependencies = package.dependencies.iter();
            dependencies.any(|dependency| dependency.name == *library)
        };
        let packages = metadata.workspace_packages().into_iter().filter(uses);
        let found: BTreeSet<&str> = packages.map(|package| package.name.as_str()).collect();
        assert_eq!(found, BTreeSet::from_iter(users.iter().copied()), "{library}");
    }
}

/// The lints of a manifest: from the table `workspace`, or its own.
fn lints(manifest: &str, of_the_workspace: bool) -> toml::Table {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(manifest);
    let table: toml::Table = std::fs::read_to_string(path).unwrap().parse().unwrap();
    let holder = if of_the_workspace { table["workspace"].as_table().unwrap() } else { &table };
    holder["lints"].as_table().unwrap().clone()
}

#[test]
fn crates_with_an_unsafe_file_relax_only_the_lint_on_unsafe() {
    let mut all = lints("Cargo.toml", true);
    let rust = all["rust"].as_table_mut().unwrap();
    assert_eq!(rust.insert("unsafe_code".into(), "deny".into()), Some("forbid".into()));
    for manifest in ["judge/browser/Cargo.toml", "judge/sandbox/Cargo.toml"] {
        assert_eq!(lints(manifest, false), all, "{manifest}");
    }
}
