//! Measurements inside a document. Each is between two marks, and the first mark has the arguments
//! to repeat it.

use std::fmt::Write;

use super::report::TIMES;

/// Begins a measurement; the arguments follow.
const OPEN: &str = "<!-- strength ";
/// Ends the first mark.
const OPENED: &str = " -->\n";
/// Ends a measurement.
const CLOSE: &str = "<!-- end -->";

/// A document with marks that do not match.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: `{OPEN}` without {missing}")]
pub struct DocumentError {
    /// Line of the first mark.
    line: usize,
    missing: &'static str,
}

/// A measurement that differs from the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Difference {
    /// Its arguments.
    pub(super) arguments: String,
    /// The first line that differs, in the document.
    pub(super) written: String,
    /// The same line in the new result.
    pub(super) measured: String,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Difference { arguments, written, measured } = self;
        write!(f, "`strength {arguments}` differs\n  written:  {written}\n  measured: {measured}")
    }
}

/// The parts of a document.
enum DocumentPart<'a> {
    Prose(&'a str),
    Measurement { arguments: &'a str, body: &'a str },
}

/// The document with new results for every measurement that `measure` repeats.
///
/// # Errors
/// When a mark is broken, or a measurement fails.
pub(super) fn rewrite<E: From<DocumentError>>(
    document: &str,
    mut measure: impl FnMut(&str) -> Result<Option<String>, E>,
) -> Result<String, E> {
    let mut text = String::new();
    for part in parts(document)? {
        match part {
            DocumentPart::Prose(prose) => text += prose,
            DocumentPart::Measurement { arguments, body } => {
                let measured = measure(arguments)?.map(|report| written(arguments, &report));
                let body = measured.as_deref().unwrap_or(body);
                // Writing to a string cannot fail.
                let _ = write!(text, "{OPEN}{arguments}{OPENED}{body}{CLOSE}");
            }
        }
    }
    Ok(text)
}

/// Differences between the document and the measurements that `measure` repeats, without times.
///
/// # Errors
/// When a mark is broken, or a measurement fails.
pub(super) fn check<E: From<DocumentError>>(
    document: &str,
    mut measure: impl FnMut(&str) -> Result<Option<String>, E>,
) -> Result<Vec<Difference>, E> {
    let mut differences = Vec::new();
    for part in parts(document)? {
        let DocumentPart::Measurement { arguments, body } = part else { continue };
        let Some(report) = measure(arguments)? else { continue };
        differences.extend(difference(arguments, body, &written(arguments, &report)));
    }
    Ok(differences)
}

/// The text between the marks: the command and its output.
fn written(arguments: &str, report: &str) -> String {
    format!(
        "```\ncargo run --release -p judge-bench --bin strength -- {arguments} --markdown\n```\n\n\
         {report}"
    )
}

fn difference(arguments: &str, written: &str, measured: &str) -> Option<Difference> {
    let (mut written, mut measured) = (repeatable(written), repeatable(measured));
    loop {
        let (written, measured) = match (written.next(), measured.next()) {
            (None, None) => return None,
            (written, measured) => (written.unwrap_or(""), measured.unwrap_or("")),
        };
        if written != measured {
            let [arguments, written, measured] = [arguments, written, measured].map(str::to_owned);
            return Some(Difference { arguments, written, measured });
        }
    }
}

/// The lines before the times.
fn repeatable(text: &str) -> impl Iterator<Item = &str> {
    text.lines().take_while(|line| *line != TIMES)
}

fn parts(document: &str) -> Result<Vec<DocumentPart<'_>>, DocumentError> {
    let (mut parts, mut rest) = (Vec::new(), document);
    while let Some(at) = rest.find(OPEN) {
        let (prose, marked) = rest.split_at(at);
        let missing = |missing| {
            let before = &document[..document.len() - marked.len()];
            DocumentError { line: 1 + before.matches('\n').count(), missing }
        };
        let marked = &marked[OPEN.len()..];
        let (arguments, marked) = marked
            .split_once(OPENED)
            .filter(|(arguments, _)| !arguments.contains('\n'))
            .ok_or(missing("`-->` at the end of the line"))?;
        let (body, after) = marked
            .split_once(CLOSE)
            .filter(|(body, _)| !body.contains(OPEN))
            .ok_or(missing("`<!-- end -->`"))?;
        parts.extend([DocumentPart::Prose(prose), DocumentPart::Measurement { arguments, body }]);
        rest = after;
    }
    parts.push(DocumentPart::Prose(rest));
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "# Title\n<!-- strength --game a -->\nold\n<!-- end -->\nbetween\n\
                            <!-- strength --game b -->\nkept\n<!-- end -->\nend\n";

    /// Repeats the measurement of `a` only.
    fn measure(arguments: &str) -> Result<Option<String>, DocumentError> {
        Ok((arguments == "--game a").then(|| format!("new\n\n{TIMES}\n\n5 ms\n")))
    }

    #[test]
    fn new_measurements_replace_old_ones() {
        let text = rewrite(DOCUMENT, measure).expect("sound marks");
        insta::assert_snapshot!(text);
        assert_eq!(check(&text, measure), Ok(vec![]));
    }

    #[test]
    fn only_times_may_differ_from_the_document() {
        let text = rewrite(DOCUMENT, measure).expect("sound marks");
        assert_eq!(check(&text.replace("5 ms", "6 ms"), measure), Ok(vec![]));
        let found = check(&text.replace("new", "other"), measure).expect("sound marks");
        let [difference] = &found[..] else { panic!("{found:?}") };
        assert_eq!((difference.written.as_str(), difference.measured.as_str()), ("other", "new"));
        let gone = check(&text.replace("new\n", ""), measure).expect("sound marks");
        assert_eq!(gone.len(), 1);
    }

    #[test]
    fn malformed_markers_are_named() {
        for (text, message) in [
            (
                "\n<!-- strength --game a\n<!-- end -->",
                "line 2: `<!-- strength ` without `-->` at the end of the line",
            ),
            ("<!-- strength a -->\n", "line 1: `<!-- strength ` without `<!-- end -->`"),
            (
                "<!-- strength a -->\n<!-- strength b -->\n<!-- end -->",
                "line 1: `<!-- strength ` without `<!-- end -->`",
            ),
        ] {
            assert_eq!(check(text, measure).expect_err(text).to_string(), message);
        }
    }
}
