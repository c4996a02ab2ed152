//! Checks that links and paths in the documents exist.

use std::path::{Path, PathBuf};

use judge_report::Format;

/// Every document of the repository, without built or downloaded ones.
fn documents(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') && name != "target" && name != "node_modules" {
            documents(&path, found);
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
}

/// Targets of local links in a Markdown text.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#', ' ']).next());
    targets.filter(|target| !target.is_empty() && !target.contains("://"))
}

#[test]
fn every_link_between_documents_has_a_target() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    documents(root, &mut all);
    assert!(all.len() > 20, "{all:?}");
    let mut dead = Vec::new();
    for document in &all {
        let text = std::fs::read_to_string(document).unwrap();
        let folder = document.parent().unwrap_or(root);
        let broken = links(&text).filter(|link| !folder.join(link).exists());
        dead.extend(broken.map(|link| format!("{}: {link}", document.display())));
        if text.lines().any(|line| line.starts_with("@@")) {
            dead.push(format!("{}: a table is still to come", document.display()));
        }
    }
    assert_eq!(dead, Vec::<String>::new());
}

/// After a change of the formats: `UPDATE_BOOK=1 cargo test --test architecture format`.
#[test]
fn the_book_lists_every_format() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("judge/docs/book/output-formats.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let heading = "| format | for | content |\n|---|---|---|\n";
    let (before, rest) = page.split_once(heading).expect("a table of formats");
    let (_, after) = rest.split_once("\n\n").unwrap();
    let row = |format: &Format| {
        format!("| `{}` | {} | {} |\n", format.name(), format.audience(), format.content())
    };
    let rows: String = Format::ALL.iter().map(row).collect();
    let expected = format!("{before}{heading}{rows}\n{after}");
    if std::env::var_os("UPDATE_BOOK").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    assert!(std::fs::read_to_string(&path).unwrap() == expected, "its table is another");
}
