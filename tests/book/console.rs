//! Blocks of `console`: `$ ` and a command, with its output below.
//!
//! A line `…` matches any lines, and `…` within a line any text. The blocks of a page run one after
//! the other in one empty folder, with `judge` in the path and a link to `sample-bots`. A line
//! `<!-- edit FILE -->` above a block of `diff` makes that change in a file.

use std::path::Path;
use std::process::Command;

use crate::pages::read;
use crate::support::{Ran, judge};

/// A step of the reader: a command, or an edit.
struct ConsoleStep {
    /// The command, or the file.
    what: String,
    /// The expected lines, or those of the change.
    shown: Vec<String>,
    is_edit: bool,
    line: usize,
}

/// Runs the commands of a page and compares their output.
pub(crate) fn does_what_it_shows(page: &str) {
    let folder = tempfile::tempdir().unwrap();
    link_samples(folder.path());
    let steps = steps(&read(page));
    assert!(!steps.is_empty(), "{page} has no commands");
    for step in &steps {
        let place = format!("{page}:{}: {}", step.line, step.what);
        if step.is_edit {
            edit(&folder.path().join(&step.what), &step.shown, &place);
        } else {
            compare(step, &run(&step.what, folder.path()), &place);
        }
    }
}

fn compare(step: &ConsoleStep, ran: &Ran, place: &str) {
    let warned = "warning: bots are not fully isolated";
    let lines = ran.stdout.lines().filter(|line| !line.starts_with(warned)).map(str::trim_end);
    let printed = lines.collect::<Vec<_>>().join("\n");
    if step.shown.is_empty() {
        assert_eq!(ran.code, 0, "{place}\n{printed}");
        return;
    }
    // 1 means that a testcase was not passed, as the page shows.
    assert!(ran.code <= 1, "{place}: exit code {}\n{printed}", ran.code);
    let lines: Vec<&str> = printed.trim_end().lines().collect();
    assert!(fits(&step.shown, &lines), "{place} prints\n{printed}\nand not\n{:#?}", step.shown);
}

/// Replaces the lines with `-` by those with `+`.
fn edit(file: &Path, change: &[String], place: &str) {
    let side = |sign: char| {
        let lines: Vec<&str> = change.iter().filter_map(|line| line.strip_prefix(sign)).collect();
        lines.join("\n")
    };
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{place}: {error}"));
    assert_eq!(text.matches(&side('-')).count(), 1, "{place}: one place to change in\n{text}");
    std::fs::write(file, text.replace(&side('-'), &side('+'))).unwrap();
}

#[cfg(unix)]
fn link_samples(folder: &Path) {
    let samples = crate::support::root().join("sample-bots");
    std::os::unix::fs::symlink(samples, folder.join("sample-bots")).unwrap();
}

#[cfg(not(unix))]
fn link_samples(_: &Path) {}

/// Runs a command in a shell that finds the judge under test; returns its output as a terminal
/// shows it.
fn run(command: &str, folder: &Path) -> Ran {
    let judge = judge();
    let program = Path::new(judge.get_program());
    // It has to be named `judge` to be found.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path);
    let path = program.parent().map(Path::to_owned).into_iter().chain(folders);
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("{{ {command}\n}} 2>&1")).current_dir(folder);
    for (name, value) in judge.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    // Cargo must not use this test's target folder.
    shell.env_remove("CARGO_TARGET_DIR").env("PATH", std::env::join_paths(path).unwrap());
    shell.output().unwrap().into()
}

/// The steps of a page's reader, in order.
fn steps(text: &str) -> Vec<ConsoleStep> {
    let mut steps: Vec<ConsoleStep> = Vec::new();
    let mut block = "";
    for (number, line) in text.lines().enumerate() {
        let step = |what: &str, is_edit| ConsoleStep {
            what: what.to_owned(),
            shown: vec![],
            is_edit,
            line: number + 1,
        };
        if let Some(language) = line.strip_prefix("```") {
            block = language;
        } else if let Some(file) = line.strip_prefix("<!-- edit ") {
            steps.push(step(file.trim_end_matches(" -->"), true));
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| block == "console") {
            steps.push(step(command, false));
        } else if let Some(last) = steps.last_mut() {
            let is_its_own = block == if last.is_edit { "diff" } else { "console" };
            last.shown.extend(is_its_own.then(|| line.trim_end().to_owned()));
        }
    }
    for step in &mut steps {
        let kept = step.shown.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
        step.shown.truncate(kept);
    }
    steps
}

/// True if the printed lines are those of the page.
fn fits(shown: &[String], printed: &[&str]) -> bool {
    match (shown.split_first(), printed.split_first()) {
        (None, None) => true,
        (Some((line, rest)), _) if line.trim() == "…" => {
            fits(rest, printed)
                || printed.split_first().is_some_and(|(_, after)| fits(shown, after))
        }
        (Some((line, rest)), Some((first, after))) => line_fits(line, first) && fits(rest, after),
        _ => false,
    }
}

/// True if a printed line matches one with `…` for any text.
fn line_fits(shown: &str, printed: &str) -> bool {
    let mut parts = shown.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = printed.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}
