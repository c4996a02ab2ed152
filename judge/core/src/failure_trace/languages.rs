//! The messages with which the runtimes of languages end a program, as they are in its log.

use super::ENDLESS;

/// A failure that a runtime printed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Printed {
    /// The index of its first line in the log.
    pub(super) start: usize,
    pub(super) message: String,
    /// The functions in it, innermost first: `think (bot.py:3)`.
    pub(super) frames: Vec<String>,
}

/// A reader of one language's message that starts at the first of these lines.
type Reader = fn(&[&str]) -> Option<(String, Vec<String>)>;

/// The readers. The more specific ones come first.
const READERS: [Reader; 7] = [python, rust, go, assertion, cpp, zig, javascript];

/// Finds the last failure in the lines of a log.
pub(super) fn find(lines: &[&str]) -> Option<Printed> {
    let at = |start: usize| {
        let (message, frames) = READERS.iter().find_map(|read| read(&lines[start..]))?;
        Some(Printed { start, message, frames })
    };
    // A message is at the end of a log, and has a bounded number of lines.
    let first = lines.len().saturating_sub(MOST);
    (first..lines.len()).rev().find_map(at)
}

/// Most lines of a message with its functions.
const MOST: usize = 400;

/// `thread 'main' panicked at src/main.rs:33:5:`, with the message in the next lines.
fn rust(lines: &[&str]) -> Option<(String, Vec<String>)> {
    let (_, place) = lines.first()?.split_once("panicked at ")?;
    let place = without_column(place.strip_suffix(':')?);
    let is_text = |line: &&&str| !line.trim().is_empty() && !line.starts_with("note: ");
    let text: Vec<&str> = lines[1..].iter().take_while(is_text).take(4).map(|l| l.trim()).collect();
    Some((format!("panicked at {place}: {}", text.join(", ")), Vec::new()))
}

/// `panic: …`, and pairs of lines with a function and its place after `goroutine 1 [running]:`.
fn go(lines: &[&str]) -> Option<(String, Vec<String>)> {
    let first = lines.first()?;
    let is_start = first.starts_with("panic: ") || first.starts_with("fatal error: ");
    let at = lines.iter().position(|line| line.starts_with("goroutine ")).filter(|_| is_start)?;
    let pairs = lines[at + 1..].chunks(2).map_while(|pair| match pair {
        [function, place] if place.starts_with('\t') => Some(go_frame(function, place)),
        _ => None,
    });
    let message = match first.ends_with("stack overflow") {
        true => ENDLESS.to_owned(),
        false => (*first).to_owned(),
    };
    Some((message, pairs.collect()))
}

fn go_frame(function: &str, place: &str) -> String {
    // Arguments are addresses, which help no author.
    let name = function.rfind('(').map_or(function, |end| &function[..end]);
    let place = place.trim().split(" +0x").next().unwrap_or_default();
    format!("{name} ({})", place.strip_prefix("./").unwrap_or(place))
}

/// `Assertion failed: x > 2 (bot.c: think: 12)`
fn assertion(lines: &[&str]) -> Option<(String, Vec<String>)> {
    let text = lines.first()?.strip_prefix("Assertion failed: ")?;
    let (what, place) = text.strip_suffix(')')?.rsplit_once(" (")?;
    let mut parts = place.rsplitn(3, ": ");
    let (line, function, file) = (parts.next()?, parts.next()?, parts.next()?);
    Some((format!("assertion failed at {file}:{line}: {what}, in `{function}`"), Vec::new()))
}

/// The C++ kit's line, and the library's.
fn cpp(lines: &[&str]) -> Option<(String, Vec<String>)> {
    let first = lines.first()?;
    if let Some(thrown) = first.strip_prefix("exception thrown: ") {
        let (kind, what) = thrown.split_once(": ").map_or((thrown, None), |(a, b)| (a, Some(b)));
        let kind = cpp_type(kind).unwrap_or_else(|| kind.to_owned());
        let what = what.map(|what| format!(": {what}")).unwrap_or_default();
        return Some((format!("uncaught exception `{kind}`{what}"), Vec::new()));
    }
    let said = first.strip_prefix("libc++abi: ").or_else(|| first.strip_prefix("terminate called"));
    said.map(|_| ((*first).to_owned(), Vec::new()))
}

/// The name of a C++ type without template arguments, from its encoded name.
fn cpp_type(encoded: &str) -> Option<String> {
    let nested = encoded.strip_prefix('N').and_then(|rest| rest.strip_suffix('E'));
    let mut rest = nested.unwrap_or(encoded);
    let mut parts = Vec::new();
    if let Some(after) = rest.strip_prefix("St") {
        (rest, parts) = (after, vec!["std"]);
    }
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let length: usize = rest[..digits].parse().ok()?;
        parts.push(rest.get(digits..digits.checked_add(length)?)?);
        rest = &rest[digits + length..];
    }
    // The inline namespace of the library's version.
    parts.retain(|part| *part != "__1" && *part != "__2");
    (!parts.is_empty()).then(|| parts.join("::"))
}

/// `panic: integer overflow`, and AssemblyScript's `bot.ts:3:5: message`.
fn zig(lines: &[&str]) -> Option<(String, Vec<String>)> {
    let first = lines.first()?;
    let is_panic =
        first.starts_with("panic: ") || first.starts_with("thread ") && first.contains(" panic: ");
    let is_place = || {
        let (place, _) = first.split_once(": ")?;
        let (file, _) = without_column(place).rsplit_once(':')?;
        (place != without_column(place) && file.ends_with(".ts")).then_some(())
    };
    if let Some(()) = is_place() {
        let (place, text) = first.split_once(": ")?;
        return Some((format!("abort at {}: {text}", without_column(place)), Vec::new()));
    }
    let is_abort = first.starts_with("abort: ");
    (is_panic || is_abort).then(|| ((*first).to_owned(), Vec::new()))
}

/// `TypeError: …`, and lines with `    at think (bot.js:3:5)`.
fn javascript(lines: &[&str]) -> Option<(String, Vec<String>)> {
    let frame = |line: &&str| line.strip_prefix("    at ").map(javascript_frame);
    let frames: Vec<String> = lines.get(1..)?.iter().map_while(frame).collect();
    let first = lines.first()?.trim();
    if frames.is_empty() || first.is_empty() || first.starts_with("at ") {
        return None;
    }
    let is_deep = first.contains("call stack size exceeded") || first.ends_with("stack overflow");
    let message = if is_deep { format!("{ENDLESS} ({first})") } else { first.to_owned() };
    Some((message, frames))
}

fn javascript_frame(frame: &str) -> String {
    match frame.strip_suffix(')').and_then(|frame| frame.rsplit_once(" (")) {
        Some((name, place)) => format!("{name} ({})", without_column(place)),
        None => format!("the script ({})", without_column(frame)),
    }
}

/// `Traceback (most recent call last):`, its calls, and the exception.
fn python(lines: &[&str]) -> Option<(String, Vec<String>)> {
    lines.first().filter(|line| line.starts_with("Traceback "))?;
    let is_call = |line: &&&str| line.starts_with("  ");
    let calls: Vec<&str> = lines[1..].iter().take_while(is_call).copied().collect();
    let text = lines.get(1 + calls.len())?;
    let mut frames: Vec<String> = calls.iter().filter_map(|line| python_frame(line)).collect();
    frames.reverse();
    let is_deep = text.starts_with("RecursionError");
    let message = if is_deep { format!("{ENDLESS} ({text})") } else { (*text).to_owned() };
    Some((message, frames))
}

fn python_frame(line: &str) -> Option<String> {
    let (file, rest) = line.strip_prefix("  File \"")?.split_once("\", line ")?;
    let (line, name) = rest.split_once(", in ").unwrap_or((rest, "the script"));
    let name = if name == "<module>" { "the script" } else { name };
    Some(format!("{name} ({file}:{line})"))
}

/// `FILE:LINE` of `FILE:LINE:COLUMN`.
fn without_column(place: &str) -> &str {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match place.rsplit_once(':') {
        Some((before, column))
            if is_number(column) && before.rsplit_once(':').is_some_and(|(_, l)| is_number(l)) =>
        {
            before
        }
        _ => place,
    }
}
