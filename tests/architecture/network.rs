//! The program `judge` links no package that `deny.toml` bans, even if other members of the
//! workspace (a server, a database) need it.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

#[test]
fn the_program_links_no_banned_crate() {
    let banned = banned();
    assert!(banned.contains("tokio") && banned.len() > 8, "{banned:?}");
    let linked = linked();
    assert!(linked.contains("wasmtime") && linked.len() > 100, "{linked:?}");
    let both: Vec<&String> = linked.intersection(&banned).collect();
    assert_eq!(both, Vec::<&String>::new());
}

/// The crates under `bans.deny`.
fn banned() -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("deny.toml");
    let policy: toml::Table = std::fs::read_to_string(path).unwrap().parse().unwrap();
    let entries = policy["bans"]["deny"].as_array().unwrap();
    entries.iter().map(|entry| entry["crate"].as_str().unwrap().to_owned()).collect()
}

/// Every package that the program is built from, on any system.
fn linked() -> BTreeSet<String> {
    let choice = ["--package", "judge", "--edges", "normal", "--target", "all"];
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--prefix", "none", "--format", "{p}"])
        .args(choice)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}
