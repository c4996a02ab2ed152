//! Manual pages: one per command, with the options that `--help` names.

use std::collections::BTreeSet;
use std::path::Path;

use crate::support::{run, write};

/// Writes all pages into a folder.
fn write_pages(folder: &Path) {
    let ran = run([Path::new("completions"), Path::new("--man"), folder]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
}

fn names(folder: &Path) -> BTreeSet<String> {
    let files = std::fs::read_dir(folder).unwrap();
    files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
}

/// The commands that a command's help lists.
fn listed(command: &[&str]) -> Vec<String> {
    let help = run(command.iter().copied().chain(["--help"])).stdout;
    let Some((_, rest)) = help.split_once("\nCommands:\n") else { return Vec::new() };
    let lines = rest.lines().take_while(|line| !line.is_empty());
    let names = lines.filter(|line| !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn exactly_the_listed_commands_have_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("new/man1");
    write_pages(&folder);
    let mut wanted = BTreeSet::from(["judge.1".to_owned()]);
    for name in listed(&[]) {
        wanted.insert(format!("judge-{name}.1"));
        wanted.extend(listed(&[&name]).iter().map(|below| format!("judge-{name}-{below}.1")));
    }
    assert!(wanted.len() > 30, "{wanted:?}");
    assert_eq!(names(&folder), wanted);
}

#[test]
fn a_manual_page_has_every_option_of_its_command() {
    let folder = tempfile::tempdir().unwrap();
    write_pages(folder.path());
    for name in listed(&[]) {
        let page = std::fs::read_to_string(folder.path().join(format!("judge-{name}.1"))).unwrap();
        let page = page.replace("\\-", "-");
        let help = run([&name, "--help"]).stdout;
        let options = help.lines().filter_map(|line| line.trim_start().strip_prefix("--"));
        for option in options.filter_map(|line| line.split([' ', '=', '[']).next()) {
            assert!(page.contains(&format!("--{option}")), "`{name}` without --{option}: {page}");
        }
    }
}

#[test]
fn manual_pages_are_reproducible_and_replace_older_ones() {
    let folder = tempfile::tempdir().unwrap();
    write_pages(folder.path());
    let page = folder.path().join("judge-grade.1");
    let first = std::fs::read(&page).unwrap();
    write(folder.path(), "judge-grade.1", "older");
    write_pages(folder.path());
    assert_eq!(std::fs::read(&page).unwrap(), first);
}

#[test]
fn completions_and_manual_pages_cannot_be_combined() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "file", "in the way");
    let file = folder.path().join("file").display().to_string();
    assert_eq!(run(["completions"]).code, 2);
    assert_eq!(run(["completions", "bash", "--man", &file]).code, 2);
    let ran = run(["completions", "--man", &file]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(ran.stderr.contains(&file), "{}", ran.stderr);
}
