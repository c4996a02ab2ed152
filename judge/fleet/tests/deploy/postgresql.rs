//! Settings of PostgreSQL, accepted by a server.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{need, read, text};

#[test]
fn postgresql_accepts_all_documented_settings() {
    let programs = need!(programs(), "PostgreSQL");
    let folder = tempfile::tempdir().unwrap();
    for name in ["postgresql.conf", "pg_hba.conf", "pg_ident.conf"] {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    let settings = read("postgresql/judge.conf");
    std::fs::write(folder.path().join("postgresql.conf"), &settings).unwrap();
    if is_root() {
        let given = Command::new("chown").args(["-R", "postgres"]).arg(folder.path()).status();
        assert!(given.unwrap().success());
    }
    let lines = settings.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    for line in lines {
        let (name, value) = line.split_once(" = ").unwrap();
        let run = ask(&programs, folder.path(), name);
        assert!(run.status.success(), "{line}: {}", text(&run));
        assert!(!text(&run).contains("invalid") && !text(&run).contains("unrecognized"), "{line}");
        assert!(!value.is_empty() && !text(&run).trim().is_empty(), "{line}");
    }
}

/// Asks PostgreSQL for the effect of a setting.
fn ask(programs: &Path, folder: &Path, setting: &str) -> std::process::Output {
    let postgres = programs.join("postgres");
    let mut command = match is_root() {
        true => Command::new("runuser"),
        false => Command::new(&postgres),
    };
    if is_root() {
        command.args(["-u", "postgres", "--"]).arg(&postgres);
    }
    command.arg("-C").arg(setting).arg("-D").arg(folder).current_dir("/").output().unwrap()
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().unwrap().stdout.trim_ascii() == b"0"
}

/// The folder of the newest server's programs.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    let folders = versions.filter_map(|version| Some(version.ok()?.path().join("bin")));
    folders.filter(|folder| folder.join("postgres").is_file()).max()
}
