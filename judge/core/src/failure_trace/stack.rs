//! The shown part of a stack: functions of languages and kits are folded, because an author cannot
//! change them, and an endless recursion is named once.

/// Minimum number of repeated functions at the end of a stack that are a deep recursion.
const REPEATED: usize = 10;

/// Beginnings of the names of functions that languages and kits bring.
const LIBRARY: [&str; 27] = [
    "std::",
    "core::",
    "alloc::",
    "<std::",
    "<core::",
    "<alloc::",
    "<dyn ",
    "__rust",
    "rust_",
    "runtime.",
    "runtime/",
    "__main_void",
    "__cxa_",
    "__wasi",
    "__libc",
    "__wasm",
    "__assert",
    "_start",
    "abort",
    "~lib/",
    "judge_kit::",
    "judge_bot::",
    "<judge_bot::",
    "judgebot.",
    "judgebot/",
    "debug.",
    "start.",
];

/// Beginnings of the files that languages and kits bring.
const LIBRARY_FILES: [&str; 8] = [
    "(kit/",
    "(cargo/",
    "(/rustc/",
    "(library/",
    "(judge-bot:/",
    "(judge_bot/",
    "(~lib/",
    "(native",
];

/// A stack to show.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Stack {
    pub(super) lines: Vec<String>,
    /// The functions of a recursion that has no known end, as a sentence.
    pub(super) cycle: Option<String>,
}

/// Folds a stack, innermost function first. With `is_recursion` also folds the functions that repeat
/// at its end.
pub(super) fn folded(frames: &[String], is_recursion: bool) -> Stack {
    let (frames, cycle) = if is_recursion { without_repetition(frames) } else { (frames, None) };
    let mut lines = Vec::new();
    for group in frames.chunk_by(|one, next| is_library(one) == is_library(next)) {
        match group {
            [first, _, ..] if is_library(first) => {
                lines.push(format!("… {} functions of the language or the kit", group.len()));
            }
            group => lines.extend_from_slice(group),
        }
    }
    Stack { lines, cycle: cycle.map(sentence) }
}

/// True for a function that is not the author's.
pub(super) fn is_library(frame: &str) -> bool {
    let is_name = LIBRARY.iter().any(|start| frame.starts_with(start));
    is_name || LIBRARY_FILES.iter().any(|start| frame.contains(start))
}

/// Names the functions of a recursion without a known end once, and returns them apart, too. Only a
/// stack that repeats to its end is one.
fn without_repetition(frames: &[String]) -> (&[String], Option<&[String]>) {
    let repeats = |(start, period): &(usize, usize)| {
        let rest = &frames[*start..];
        rest.len() >= (3 * period).max(REPEATED)
            && rest.iter().zip(&rest[*period..]).all(|(one, next)| one == next)
    };
    let candidates = (0..=4).flat_map(|start| (1..=8).map(move |period| (start, period)));
    let mut candidates = candidates.filter(|(start, _)| *start < frames.len());
    match candidates.find(repeats) {
        Some((start, period)) => (&frames[..start + period], Some(&frames[start..start + period])),
        None => (frames, None),
    }
}

/// Describes the functions of a recursion.
fn sentence(cycle: &[String]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for frame in cycle.iter().filter(|frame| !is_library(frame)) {
        let name = frame.split(" (").next().unwrap_or(frame);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    match names.as_slice() {
        [] => "a function of the language calls itself".to_owned(),
        [one] => format!("`{one}` calls itself"),
        [first, .., last] => format!("`{first}` and `{last}` call each other"),
    }
}
