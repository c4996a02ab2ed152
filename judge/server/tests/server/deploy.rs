//! Files for operators of a server: the unit for systemd and the recipe for a container.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::running::PROGRAM;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join("judge/server").join(path)).unwrap()
}

/// The value of a line of the unit.
fn value<'a>(unit: &'a str, key: &str) -> &'a str {
    let line = unit.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
    line.unwrap_or_else(|| panic!("{key}: {unit}"))
}

/// The unit's path of the program.
const PLACE: &str = "/usr/local/bin/judge-server";

#[test]
fn the_systemd_unit_is_valid_and_confined() {
    if Command::new("systemd-analyze").arg("--version").output().is_err() {
        println!("skipped: systemd-analyze is not installed (`apt-get install systemd`)");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let unit = folder.path().join("judge-server.service");
    let text = read("deploy/judge-server.service").replace(PLACE, PROGRAM);
    std::fs::write(&unit, text).unwrap();
    for arguments in
        [&["verify", "--man=no"][..], &["security", "--offline=true", "--threshold=20"]]
    {
        let run = Command::new("systemd-analyze").args(arguments).arg(&unit).output().unwrap();
        let told = [run.stdout, run.stderr].concat();
        let told = String::from_utf8_lossy(&told).into_owned();
        assert!(run.status.success(), "{arguments:?}: {told}");
        assert!(arguments[0] != "verify" || told.is_empty(), "{told}");
    }
}

#[test]
fn the_systemd_unit_starts_the_server_with_known_options() {
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("judge-server.toml");
    std::fs::write(&settings, "listen = \"127.0.0.1:0\"\n").unwrap();
    let unit = read("deploy/judge-server.service");
    let line = value(&unit, "ExecStart").strip_prefix(PLACE).unwrap();
    let line = line.replace("/etc/judge-server.toml", settings.to_str().unwrap());
    let line = line.replace("/var/lib/judge", folder.path().join("data").to_str().unwrap());
    let run = Command::new(PROGRAM).args(line.split_whitespace()).arg("--check").output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    // Its only writable folder is its data folder; it can create control groups for workers.
    assert_eq!(value(&unit, "StateDirectory"), "judge");
    assert_eq!(value(&unit, "Delegate"), "memory pids");
    assert!(!unit.contains("\nProtectControlGroups"), "it would be read-only");
}

#[test]
fn every_file_of_the_container_image_exists() {
    let text = read("Containerfile");
    let (mut program, mut has_authorities) = (None, false);
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["COPY", from, _] if !from.starts_with("--") => {
                assert!(root().join(from).exists(), "{line}");
            }
            // Without certificates, the server would trust no issuer and no webhook.
            ["COPY", _, from, to] if from.starts_with("/etc/ssl/certs/") => {
                assert_eq!(from, to, "{line}");
                has_authorities = true;
            }
            ["COPY", _, built, to] => {
                assert_eq!(built, "/source/target/release/judge-server", "{line}");
                program = Some(to.to_owned());
            }
            ["RUN", "cargo", ..] => {
                for word in ["build", "--release", "--locked", "judge-server"] {
                    assert!(words.contains(&word), "{line}");
                }
            }
            ["FROM", image, ..] if image.starts_with("rust:") => {
                let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
                let version = image["rust:".len()..].split('-').next().unwrap();
                assert!(manifest.contains(&format!("rust-version = \"{version}\"")), "{line}");
            }
            _ => {}
        }
    }
    assert_eq!(program.as_deref(), Some(PLACE));
    assert!(has_authorities, "{text}");
    // Its arguments are accepted, on another folder and port.
    let line = text.lines().find_map(|line| line.strip_prefix("ENTRYPOINT ")).unwrap();
    let words: Vec<String> = serde_json::from_str(line).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data").display().to_string();
    let words = words.iter().map(|word| match word.as_str() {
        "/data" => data.as_str(),
        "0.0.0.0:8080" => "127.0.0.1:0",
        other => other,
    });
    let words: Vec<&str> = words.skip(1).collect();
    let run = Command::new(PROGRAM).args(&words).arg("--check").output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    // Built files and local data stay outside the image.
    let left = std::fs::read_to_string(root().join(".dockerignore")).unwrap();
    assert!(left.lines().any(|line| line == "target"), "{left}");
}
