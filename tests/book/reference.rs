//! The reference of commands: every `--help`, on one page.

use crate::pages::read;
use crate::support::{root, run};

const PAGE: &str = "judge/docs/book/commands.md";

/// The commands in a help text, with their purposes.
fn listed(help: &str) -> Vec<(String, String)> {
    let Some((_, list)) = help.split_once("\nCommands:\n") else { return vec![] };
    let lines = list.lines().take_while(|line| line.starts_with("  "));
    let split = |line: &str| {
        let (name, purpose) = line.trim().split_once(' ').unwrap();
        (name.to_owned(), purpose.trim().to_owned())
    };
    lines.map(split).filter(|(name, _)| name != "help").collect()
}

/// The help of a command, without the standard options.
fn help(command: &[&str]) -> String {
    let ran = run(command.iter().copied().chain(["--help"]));
    assert_eq!(ran.code, 0, "{command:?}: {}", ran.stderr);
    let text = ran.stdout.split("\n  -h, --help\n").next().unwrap();
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let text = lines.join("\n");
    text.trim_end().trim_end_matches("\nOptions:").trim_end().to_owned()
}

/// A command's part of the page, and those of its subcommands.
fn part(command: &[&str]) -> String {
    let own = run(command.iter().copied().chain(["--help"])).stdout;
    let name = command.join(" ");
    let level = "#".repeat(1 + command.len());
    let mut text = format!("\n{level} `judge {name}`\n\n```text\n{}\n```\n", help(command));
    for (name, _) in listed(&own) {
        let inner: Vec<&str> = command.iter().copied().chain([name.as_str()]).collect();
        text += &part(&inner);
    }
    text
}

fn expected(before: &str) -> String {
    let commands = listed(&run(["--help"]).stdout);
    assert!(commands.len() > 20, "{commands:?}");
    let mut text = format!("{before}| command | purpose |\n|---|---|\n");
    let row = |(name, purpose): &(String, String)| {
        format!("| [`judge {name}`](#judge-{name}) | {purpose} |\n")
    };
    text.extend(commands.iter().map(row));
    for (name, _) in &commands {
        text += &part(&[name]);
    }
    text
}

pub(crate) fn the_reference_has_every_command() {
    let there = read(PAGE);
    let (before, _) = there.split_once("| command |").expect("a table of commands");
    let expected = expected(before);
    if std::env::var_os("UPDATE_BOOK").is_some() {
        std::fs::write(root().join(PAGE), &expected).unwrap();
    }
    assert!(read(PAGE) == expected, "after a change of help: UPDATE_BOOK=1 cargo test --test book");
}
