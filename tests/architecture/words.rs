//! The words of documents, comments and messages, and the names of types: rates of habits that
//! plain technical English lacks. The limits are today's values and may only fall.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use regex::Regex;

/// A habit: its pattern, and what makes a match harmless when it follows.
const HABITS: &[(&str, &[&str])] = &[
    (r"(?i)\b(nobody|somebody|anybody|everybody|no one|someone else's)\b", &[]),
    (r"(?i)\b(whoever|who has|who can|who is|who was|whose)\b", &[]),
    (r"(?i)\bwhat (is|it|they|was|were|came|comes|has|had|stands|lies|happens to)\b", &[]),
    (r"(?i)\b(is|are|be|was|were|been) told\b|\btells?\b", &[]),
    (r"(?i)\bstands?\b|\blies\b", &[" for", "-", " alone"]),
    (r"(?i)\bbeside\b", &[]),
    (r"(?i)\bof (its|their|one's|his|her|your|our) own\b", &[]),
    (r"(?i)\balone\b", &[]),
    (r"(?i)\banew\b|\bgoes on\b|\bgo on\b|\bgoing on\b|\bin the place of\b", &[]),
    (
        r"(?i)\b(is|are) no [a-z]",
        &["longer", "need", "reason", "way", "point", "more", "such", "effect", "difference"],
    ),
    (r"(?i)\balso (if|where|when)\b", &[]),
    (r"(?i)\bhand(s|ed|ing)? in\b", &[]),
    (r"^\s*(///|//!)\s*(What|How|Whether|Who|Why|Where) ", &[]),
    (r"(?i)\b(dear|thing of|makes no sense|mend(s|ed|ing)?)\b", &[]),
];

/// Habits per 100,000 words of documents, comments and messages.
const MOST: [(&str, usize); 3] = [("documents", 26), ("comments", 40), ("messages", 42)];

/// Habits in the names of tests: pronouns, free relative clauses and dialect. A name has a role as
/// its subject and is understood without the names around it.
const TEST_NAMES: &str = "^(what|who|whoever|nor)_|_told|_retold|nobody|somebody|everybody|whoever\
    |_stands|anew|_alone$|_alone_|hands_back|no_sense|handed_in|hands_in|_steers";

/// Characters of a test's name.
const LONGEST_TEST_NAME: usize = 76;

/// Declarations of one type name in the workspace.
const MOST_DECLARATIONS: usize = 7;

/// Type names that are declared more than twice.
const MOST_REPEATED: usize = 71;

#[test]
fn documents_comments_and_messages_use_plain_words() {
    let habits: Vec<(Regex, &[&str])> = HABITS
        .iter()
        .map(|(pattern, harmless)| (Regex::new(pattern).unwrap(), *harmless))
        .collect();
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (file, text) in files(&["md", "rs", "toml", "html"]) {
        for (group, line) in pieces(&file, &text) {
            let found: usize = habits.iter().map(|habit| count(habit, line)).sum();
            let count = counts.entry(group).or_default();
            count.0 += line.split(|c: char| !c.is_alphabetic()).filter(|w| !w.is_empty()).count();
            count.1 += found;
            if found > 0 {
                places.entry(group).or_default().push(format!("{file}: {}", line.trim()));
            }
        }
    }
    for (group, most) in MOST {
        let (words, found) = counts[group];
        assert!(
            found * 100_000 <= most * words,
            "{group}: {found} odd turns in {words} words, more than {most} in 100,000:\n{}",
            places[group].join("\n")
        );
    }
}

#[test]
fn names_of_tests_use_plain_words() {
    let odd = Regex::new(TEST_NAMES).unwrap();
    let mut count = 0;
    let mut wrong = Vec::new();
    for (file, text) in files(&["rs"]) {
        for name in test_names(&file, &text) {
            count += 1;
            if odd.is_match(name) || name.len() > LONGEST_TEST_NAME {
                wrong.push(format!("{file}: {name}"));
            }
        }
    }
    assert!(count > 2_500, "only {count} tests were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_type_name_means_one_type() {
    let declared = Regex::new(r"(?m)^(?:pub(?:\([a-z:]+\))? )?(?:struct|enum|trait|type) (\w+)");
    let declared = declared.unwrap();
    let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (file, text) in files(&["rs"]) {
        for name in declared.captures_iter(&text) {
            names.entry(name[1].to_owned()).or_default().push(file.clone());
        }
    }
    // A use case of `judge/runner` has a `Request` and an `Outcome`, a command its `Arguments`.
    names.retain(|name, files| {
        files.len() > 2 && !["Arguments", "Outcome", "Request"].contains(&name.as_str())
    });
    let worst = names.iter().filter(|(_, files)| files.len() > MOST_DECLARATIONS);
    assert_eq!(worst.collect::<Vec<_>>(), []);
    assert!(names.len() <= MOST_REPEATED, "{} names: {names:#?}", names.len());
}

#[test]
fn every_type_of_the_glossary_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let glossary = std::fs::read_to_string(root.join("judge/docs/glossary.md")).unwrap();
    let types = Regex::new("`([A-Z][A-Za-z]+)`").unwrap();
    let code: String = files(&["rs"]).into_iter().map(|(_, text)| text).collect();
    let is_declared = |name: &str| {
        ["struct", "enum", "trait", "type"].iter().any(|kind| {
            code.contains(&format!("{kind} {name} "))
                || code.contains(&format!("{kind} {name}<"))
                || code.contains(&format!("{kind} {name}("))
                || code.contains(&format!("{kind} {name};"))
                || code.contains(&format!("{kind} {name}:"))
        })
    };
    let names: Vec<&str> =
        types.captures_iter(&glossary).map(|found| found.get(1).unwrap().as_str()).collect();
    assert!(names.len() > 30, "{names:?}");
    let missing: Vec<&&str> = names.iter().filter(|name| !is_declared(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn no_function_is_called_of() {
    let of = Regex::new(r"fn of\b").unwrap();
    let found: Vec<String> = files(&["rs"])
        .into_iter()
        .filter(|(file, text)| of.is_match(text) && !file.ends_with("architecture/words.rs"))
        .map(|(file, _)| file)
        .collect();
    assert_eq!(found, Vec::<String>::new());
}

/// Names of functions that are tests, of tests of the store on both databases, and of tests that are
/// listed with their name as a text.
fn test_names<'a>(file: &str, text: &'a str) -> Vec<&'a str> {
    let function = r"#\[(?:tokio::)?test\b[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:async )?fn (\w+)";
    let function = Regex::new(function).unwrap();
    let listed = Regex::new(r#"\("([a-z0-9]+(?:_[a-z0-9]+){2,})", [a-z_:]+\)"#).unwrap();
    let mut names: Vec<&str> =
        function.captures_iter(text).map(|found| found.get(1).unwrap().as_str()).collect();
    if let Some((_, after)) = text.split_once("on_both! {").filter(|_| file.contains("/tests/")) {
        names.extend(after.split('}').next().unwrap().split_whitespace());
    }
    if file.contains("tests/") {
        names.extend(listed.captures_iter(text).map(|found| found.get(1).unwrap().as_str()));
    }
    names
}

fn count((pattern, harmless): &(Regex, &[&str]), line: &str) -> usize {
    let harms = |found: &regex::Match<'_>| {
        // The last letter of `is no x` is the first one of the word that may be harmless.
        let from = if harmless.contains(&"longer") { found.end() - 1 } else { found.end() };
        !harmless.iter().any(|word| line[from..].starts_with(word))
    };
    pattern.find_iter(line).filter(harms).count()
}

/// Files of the repository with these endings: their paths and texts. Test data is left out.
fn files(endings: &[&str]) -> Vec<(String, String)> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let skipped = ["target", "node_modules", "corpus", "generated"];
            if path.is_dir() && !name.starts_with('.') && !skipped.contains(&name.as_str()) {
                walk(&path, found);
            } else if path.is_file() {
                found.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    walk(root, &mut paths);
    paths.sort();
    let is_wanted = |path: &&PathBuf| {
        path.extension().is_some_and(|ending| endings.iter().any(|one| ending == *one))
    };
    let read = |path: &PathBuf| {
        let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
        (name, String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned())
    };
    paths.iter().filter(is_wanted).map(read).collect()
}

/// The prose of a file, line by line, with its group.
fn pieces<'a>(file: &str, text: &'a str) -> Vec<(&'static str, &'a str)> {
    let mut pieces = Vec::new();
    if file.ends_with(".md") {
        let mut code = false;
        for line in text.lines() {
            if line.trim_start().starts_with("```") {
                code = !code;
            } else if !code {
                pieces.push(("documents", line));
            }
        }
    } else if file.ends_with(".rs") {
        // The patterns above are not prose.
        let skipped = file.ends_with("architecture/words.rs");
        let is_test = file.contains("/tests/") || file.starts_with("tests/");
        for line in text.lines().filter(|_| !skipped) {
            if let Some(at) = line.find("//").filter(|at| !line[*at..].contains("http")) {
                pieces.push(("comments", &line[at..]));
            }
            if !is_test {
                pieces.extend(strings(line).map(|text| ("messages", text)));
            }
        }
    } else if file.contains("/words/") || file.contains("/pages/") {
        pieces.extend(text.lines().map(|line| ("messages", line)));
    }
    pieces
}

/// The string literals of a line that may be sentences.
fn strings(line: &str) -> impl Iterator<Item = &str> {
    let parts = line.split('"').skip(1).step_by(2);
    parts.filter(|text| text.len() >= 12 && text.contains(' '))
}
