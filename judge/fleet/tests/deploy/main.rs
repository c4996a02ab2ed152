//! Files for operators of workers: a unit for systemd, manifests for Kubernetes, scripts for Slurm,
//! and settings of PostgreSQL.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "a test that is skipped says so")]

mod kubernetes;
mod postgresql;
mod slurm;
mod systemd;

use judge_test_support::{postgres, run};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Path of the program.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_judge-worker");

/// Returns a tool of a test, or ends the test if it is not installed.
macro_rules! need {
    ($thing:expr, $name:literal) => {
        match $thing {
            Some(thing) => thing,
            None => {
                println!("skipped: {} is not installed", $name);
                return;
            }
        }
    };
}
pub(crate) use need;

/// A file of the examples.
pub(crate) fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy").join(name)
}

pub(crate) fn read(name: &str) -> String {
    std::fs::read_to_string(path(name)).unwrap()
}

/// A program, if it is installed.
pub(crate) fn program(name: &str) -> Option<Command> {
    Command::new(name).arg("--version").output().ok()?;
    Some(Command::new(name))
}

pub(crate) fn text(run: &Output) -> String {
    String::from_utf8_lossy(&[&*run.stdout, &*run.stderr].concat()).into_owned()
}

/// Asserts that the program accepts these arguments: it fails only at the database's invalid
/// address.
pub(crate) fn assert_understood<'a>(arguments: impl Iterator<Item = &'a str>) {
    let mut worker = Command::new(PROGRAM);
    worker.args(arguments).env("JUDGE_DATABASE", "mysql://nowhere/judge");
    let run = worker.output().unwrap();
    assert_eq!(run.status.code(), Some(3), "{}", text(&run));
    assert!(text(&run).contains("is not the address of a PostgreSQL database"), "{}", text(&run));
}

/// The number after the first occurrence of a word.
pub(crate) fn number_after(text: &str, word: &str) -> u64 {
    let (_, rest) = text.split_once(word).unwrap_or_else(|| panic!("{word}: {text}"));
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap()
}

/// Seconds in which a worker hands back batches after its time of grace.
pub(crate) const HAND_BACK: u64 = 5;

#[test]
fn every_file_of_the_container_image_exists() {
    let text = read("Containerfile");
    let built = text.lines().find_map(|line| line.strip_prefix("RUN cargo build ")).unwrap();
    assert!(built.ends_with("-p judge-fleet"), "{built}");
    let program = Path::new(PROGRAM).file_name().unwrap().to_str().unwrap();
    assert!(text.contains(&format!("/source/target/release/{program} /usr/local/bin/{program}\n")));
    assert!(text.contains(&format!("ENTRYPOINT [\"{program}\", \"--cache=/cache\"]")));
}
