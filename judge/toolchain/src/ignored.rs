//! The files that a project's `.gitignore` names, which are not a part of its sources.

use std::path::Path;

/// Largest file to read.
const MAX_BYTES: u64 = 64 << 10;

/// The patterns of the folders on the way to a file, outermost first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ignored(Vec<IgnorePattern>);

#[derive(Debug, Clone)]
struct IgnorePattern {
    /// Number of folders between the outermost folder and that of the pattern.
    depth: usize,
    /// The parts between slashes. A pattern for any depth begins with `**`.
    parts: Vec<String>,
    folders_only: bool,
    /// True for `!`, which includes a file again.
    is_kept: bool,
}

impl Ignored {
    /// Adds the patterns of a folder, `depth` folders below the outermost one.
    pub(crate) fn with_folder(&self, folder: &Path, depth: usize) -> Ignored {
        let file = folder.join(".gitignore");
        let is_readable = file.metadata().is_ok_and(|it| it.is_file() && it.len() <= MAX_BYTES);
        let text = if is_readable { std::fs::read_to_string(file) } else { Ok(String::new()) };
        let mut patterns = self.0.clone();
        let lines = text.unwrap_or_default();
        patterns.extend(lines.lines().filter_map(|line| IgnorePattern::read(line, depth)));
        Ignored(patterns)
    }

    /// True if the last pattern that fits the path, relative to the outermost folder, ignores it.
    pub(crate) fn has(&self, path: &[&str], is_folder: bool) -> bool {
        let fitting = self.0.iter().rev().find(|pattern| pattern.fits(path, is_folder));
        fitting.is_some_and(|pattern| !pattern.is_kept)
    }
}

impl IgnorePattern {
    fn read(line: &str, depth: usize) -> Option<IgnorePattern> {
        let line = line.trim_end();
        let (is_kept, line) = line.strip_prefix('!').map_or((false, line), |rest| (true, rest));
        let (folders_only, line) =
            line.strip_suffix('/').map_or((false, line), |rest| (true, rest));
        if line.is_empty() || line.starts_with('#') {
            return None;
        }
        let anywhere = (!line.contains('/')).then(|| "**".to_owned());
        let parts = line.trim_start_matches('/').split('/').map(str::to_owned);
        let parts = anywhere.into_iter().chain(parts).collect();
        Some(IgnorePattern { depth, parts, folders_only, is_kept })
    }

    fn fits(&self, path: &[&str], is_folder: bool) -> bool {
        let below = path.get(self.depth..).unwrap_or_default();
        (is_folder || !self.folders_only) && !below.is_empty() && parts_fit(&self.parts, below)
    }
}

/// True if the parts of a pattern fit those of a path.
fn parts_fit(pattern: &[String], path: &[&str]) -> bool {
    match (pattern.split_first(), path.split_first()) {
        (None, rest) => rest.is_none(),
        // At the end it matches everything in the folder, but not the folder itself.
        (Some((first, [])), below) if first == "**" => below.is_some(),
        (Some((first, rest)), _) if first == "**" => {
            (0..=path.len()).any(|from| parts_fit(rest, &path[from..]))
        }
        (Some(_), None) => false,
        (Some((first, rest)), Some((name, below))) => {
            name_fits(first.as_bytes(), name.as_bytes()) && parts_fit(rest, below)
        }
    }
}

/// True if a pattern with `*` and `?` fits a name.
fn name_fits(pattern: &[u8], name: &[u8]) -> bool {
    // The last `*`, and the first byte of the name after those that it has taken so far.
    let (mut star, mut at, mut of_name) = (None, 0, 0);
    while of_name < name.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, of_name));
                at += 1;
            }
            Some(byte) if *byte == b'?' || *byte == name[of_name] => {
                at += 1;
                of_name += 1;
            }
            _ => {
                let Some((before, taken)) = star else { return false };
                star = Some((before, taken + 1));
                (at, of_name) = (before + 1, taken + 1);
            }
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignore_patterns_match_like_in_git() {
        let text =
            "# comment\n\n*.gen.c\n/out\ncache/\nsrc/**/old.h\nlib/**\n!kept.gen.c\n!lib/keep.c\n";
        let patterns = text.lines().filter_map(|line| IgnorePattern::read(line, 0)).collect();
        let ignored = Ignored(patterns);
        let has =
            |path: &str, is_folder| ignored.has(&path.split('/').collect::<Vec<_>>(), is_folder);
        for (path, is_folder, expected) in [
            ("a.gen.c", false, true),
            ("deep/down/b.gen.c", false, true),
            ("kept.gen.c", false, false),
            ("bot.c", false, false),
            ("out", true, true),
            ("src/out", true, false),
            ("cache", true, true),
            ("cache", false, false),
            ("src/a/b/old.h", false, true),
            ("src/old.h", false, true),
            ("old.h", false, false),
            ("lib", true, false),
            ("lib/a/b.c", false, true),
            ("lib/keep.c", false, false),
        ] {
            assert_eq!(has(path, is_folder), expected, "{path}");
        }
    }

    #[test]
    fn a_name_with_many_stars_takes_no_exponential_time() {
        assert!(name_fits(b"a*b*c", b"a--b--b-c"));
        assert!(!name_fits(&b"*a".repeat(40), &[b'a'; 39]));
    }
}
