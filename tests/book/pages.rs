//! The documents of the book.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::support::root;

/// The folder of all documents.
pub(crate) fn documents() -> PathBuf {
    root().join("judge/docs")
}

/// A document by its path from the repository's root.
pub(crate) fn read(page: &str) -> String {
    let path = root().join(page);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every Markdown file in a folder and below, without built or downloaded ones.
fn markdown(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') && name != "target" && name != "node_modules" {
            markdown(&path, found);
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
}

/// The paths of Markdown files in a folder of the repository, relative to its root.
fn all(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    markdown(&root().join(folder), &mut found);
    let from_root = |path: &PathBuf| {
        let path = path.strip_prefix(root()).unwrap();
        path.components()
            .map(|part| part.as_os_str().to_string_lossy())
            .collect::<Vec<_>>()
            .join("/")
    };
    let mut found: Vec<String> = found.iter().map(from_root).collect();
    found.sort();
    found
}

/// Every page with commands and their output.
pub(crate) fn with_commands() -> Vec<String> {
    let mut pages = all("judge/docs");
    pages.push("README.md".to_owned());
    pages.retain(|page| read(page).contains("\n```console\n"));
    pages
}

/// Targets of links in a Markdown text that are in the repository.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
    targets.filter(|target| !target.contains("://") && !target.starts_with("mailto:"))
}

/// The summary with every decision in it, by its number and title.
fn with_decisions(summary: &str) -> String {
    let line = |page: &String| {
        let text = read(page);
        let title = text.lines().next().unwrap_or_default().trim_start_matches("# ");
        format!("  - [{title}]({})\n", page.trim_start_matches("judge/docs/"))
    };
    let decisions: String = all("judge/docs/decisions").iter().map(line).collect();
    let (before, rest) = summary.split_once("  - [1. ").unwrap();
    let (_, after) = rest.split_once("\n- [").unwrap();
    format!("{before}{decisions}- [{after}")
}

pub(crate) fn every_document_is_in_the_summary() {
    if std::env::var_os("UPDATE_BOOK").is_some() {
        let summary = with_decisions(&read("judge/docs/SUMMARY.md"));
        std::fs::write(documents().join("SUMMARY.md"), summary).unwrap();
    }
    let summary = read("judge/docs/SUMMARY.md");
    let listed: Vec<String> = links(&summary).map(|link| format!("judge/docs/{link}")).collect();
    let distinct: BTreeSet<&String> = listed.iter().collect();
    assert_eq!(distinct.len(), listed.len(), "a document is listed twice");
    // Templates of a new game, for `try.sh` to copy.
    let is_page = |page: &String| {
        !page.ends_with("/SUMMARY.md") && !page.starts_with("judge/games/examples/")
    };
    let missing: Vec<String> = all("judge/docs")
        .into_iter()
        .filter(is_page)
        .filter(|page| !listed.contains(page))
        .collect();
    assert!(missing.is_empty(), "add lines to `judge/docs/SUMMARY.md` for {missing:?}");
}

/// A page's anchor for a heading, as mdBook and repository hosts make it.
fn place(heading: &str) -> String {
    let words = heading.trim().to_lowercase();
    let kept = words.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

/// The anchors of a document, including those of included files.
fn places(page: &str) -> Vec<String> {
    let text = read(page);
    let mut found = Vec::new();
    for line in text.lines() {
        if line.starts_with('#') {
            found.push(place(line.trim_start_matches('#')));
        } else if let Some(rest) = line.strip_prefix("{{#include ") {
            let file = rest.split([':', '}']).next().unwrap();
            if file.ends_with(".md") {
                found.extend(places(&resolved(page, file)));
            }
        }
    }
    found
}

/// The path of a file that a page names, from the repository's root.
fn resolved(page: &str, target: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." => {}
            name => parts.push(name),
        }
    }
    parts.join("/")
}

/// Checks `#place` and `file.md#place` in all documents of the repository.
pub(crate) fn every_anchor_of_a_link_exists() {
    let mut dead = Vec::new();
    let mut tried = 0;
    for page in all("") {
        for link in links(&read(&page)) {
            let Some((file, place)) = link.split_once('#') else { continue };
            let target = if file.is_empty() { page.clone() } else { resolved(&page, file) };
            if !target.ends_with(".md") || !root().join(&target).exists() {
                continue;
            }
            tried += 1;
            if !places(&target).iter().any(|there| there == place) {
                dead.push(format!("{page}: {link}"));
            }
        }
    }
    assert!(tried > 30, "{tried} links with a place");
    assert_eq!(dead, Vec::<String>::new());
}
