//! The engine is compiled only once for the program and its tests, because that takes minutes. With
//! other features of any dependency, it would be compiled again.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Package and version, each with its features.
type Features = BTreeMap<String, BTreeSet<String>>;

#[test]
fn program_tests_and_server_build_the_same_engine() {
    let below = below_the_engine();
    assert!(below.len() > 30, "the engine has many dependencies: {below:?}");
    // Build tools are compiled separately, whatever their features.
    let (rooms, tools) = (["judge-server", "judge-store", "judge-fleet"], "no-build,no-proc-macro");
    let rooms = rooms.map(|room| ["--package", room]).concat();
    let program = features(&["--package", "judge", "--edges", &format!("no-dev,{tools}")]);
    let tests = features(&["--edges", tools]);
    let server = features(&[&rooms, &["--edges", tools][..]].concat());
    for package in &below {
        // Parts for another system are missing in the program.
        let Some(wanted) = program.get(package) else { continue };
        for (others, what) in [(&tests, "tests"), (&server, "the server")] {
            assert_eq!(
                Some(wanted),
                others.get(package),
                "`{package}` has other features in {what}: name them in the root's `Cargo.toml` or \
                 the store's, where the engine's are"
            );
        }
    }
}

/// The engine and its dependencies, as `name vVERSION`.
fn below_the_engine() -> BTreeSet<String> {
    let tree =
        tree(&["--package", "judge", "--edges", "normal", "--prefix", "depth", "--no-dedupe"]);
    let mut found = BTreeSet::new();
    let mut engine = None;
    for line in tree.lines() {
        let name = line.trim_start_matches(|character: char| character.is_ascii_digit());
        let depth: usize = line[..line.len() - name.len()].parse().unwrap();
        engine = engine.filter(|engine| depth > *engine);
        if name.starts_with("wasmtime v") {
            engine = Some(depth);
        }
        if engine.is_some() {
            found.insert(package(name));
        }
    }
    found
}

/// `name vVERSION` in a line that may continue with a path.
fn package(line: &str) -> String {
    line.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

/// The output of `cargo tree`.
fn tree(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO")).arg("tree").args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The features of all packages in a build.
fn features(choice: &[&str]) -> Features {
    let format = ["--prefix", "none", "--format", "{p}|{f}"];
    let mut all = Features::new();
    for line in tree(&[&format, choice].concat()).lines() {
        let Some((name, features)) = line.split_once('|') else { continue };
        let features = features.trim_end_matches(" (*)").split(',').map(str::to_owned);
        all.entry(package(name)).or_default().extend(features);
    }
    all
}
