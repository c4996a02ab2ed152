//! A compressed sequence of pictures. Each distinct line of all pictures is stored once, and each
//! picture is stored as its difference from the one before.

use std::collections::BTreeMap;

use serde::Serialize;
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// The tags around a picture's style rules. The page contains the rules once for all pictures.
const STYLE: (&str, &str) = ("<style>", "</style>");

/// The distinct lines of all pictures of a round, and their styles.
#[derive(Debug, Default)]
pub(super) struct Lines {
    texts: Vec<String>,
    known: BTreeMap<String, usize>,
    styles: Vec<String>,
}

/// An edit of the previous picture's lines: how many to keep, how many to drop after them, and the
/// lines to insert instead.
pub(super) type FrameChange = Vec<usize>;

/// A sequence of pictures from one point of view.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(super) struct PictureSequence {
    frames: Vec<Vec<FrameChange>>,
    /// The last picture, as line numbers.
    #[serde(skip)]
    last: Vec<usize>,
}

impl Lines {
    pub(super) fn texts(&self) -> &[String] {
        &self.texts
    }

    /// The style rules of all pictures.
    pub(super) fn style(&self) -> String {
        self.styles.concat()
    }

    /// The line numbers of a picture, without its style rules.
    fn numbers(&mut self, picture: &str) -> Vec<usize> {
        let bare = self.without_style(picture);
        bare.lines().filter(|line| !line.is_empty()).map(|line| self.number(line)).collect()
    }

    /// Moves the style rules of a picture to those of all pictures.
    pub(super) fn without_style(&mut self, picture: &str) -> String {
        let parts = picture.split_once(STYLE.0).and_then(|(before, rest)| {
            rest.split_once(STYLE.1).map(|(style, after)| (before, style, after))
        });
        let Some((before, style, after)) = parts else { return picture.to_owned() };
        if !self.styles.iter().any(|known| known == style) {
            self.styles.push(style.to_owned());
        }
        format!("{before}{after}")
    }

    fn number(&mut self, line: &str) -> usize {
        if let Some(number) = self.known.get(line) {
            return *number;
        }
        let number = self.texts.len();
        self.texts.push(line.to_owned());
        self.known.insert(line.to_owned(), number);
        number
    }
}

impl PictureSequence {
    /// Adds the next picture.
    pub(super) fn push(&mut self, lines: &mut Lines, picture: &str) {
        let next = lines.numbers(picture);
        self.frames.push(changes(&self.last, &next));
        self.last = next;
    }

    /// Repeats the last picture.
    pub(super) fn hold(&mut self) {
        self.frames.push(changes(&self.last, &self.last));
    }

    pub(super) fn len(&self) -> usize {
        self.frames.len()
    }

    /// The first picture.
    pub(super) fn first(&self, lines: &Lines) -> String {
        let put = self.frames.first().into_iter().flatten().flat_map(|change| &change[2..]);
        put.map(|number| format!("{}\n", lines.texts[*number])).collect()
    }
}

fn changes(before: &[usize], after: &[usize]) -> Vec<FrameChange> {
    let mut changes: Vec<FrameChange> = Vec::new();
    for operation in capture_diff_slices(Algorithm::Myers, before, after) {
        let (put, skipped) = (&after[operation.new_range()], operation.old_range().len());
        match (operation, changes.last_mut()) {
            (DiffOp::Equal { len, .. }, _) => changes.push(vec![len, 0]),
            (_, Some(change)) => {
                change[1] += skipped;
                change.extend(put);
            }
            (_, None) => changes.push([&[0, skipped], put].concat()),
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reconstructs the pictures of a sequence in the same way as the page.
    fn projected(sequence: &PictureSequence, lines: &Lines) -> Vec<String> {
        let mut shown: Vec<usize> = Vec::new();
        let mut pictures = Vec::new();
        for frame in &sequence.frames {
            let (mut at, mut next) = (0, Vec::<usize>::new());
            for change in frame {
                next.extend(&shown[at..at + change[0]]);
                at += change[0] + change[1];
                next.extend(&change[2..]);
            }
            let text: Vec<&str> = next.iter().map(|number| lines.texts[*number].as_str()).collect();
            pictures.push(text.join("\n"));
            shown = next;
        }
        pictures
    }

    #[test]
    fn stored_pictures_are_restored_unchanged() {
        let pictures = ["a\nb\nc", "a\nx\nc", "x\nc\nd", "", "c\nc\na\nb", "c\nc\na\nb", "b"];
        let (mut lines, mut sequence) = (Lines::default(), PictureSequence::default());
        for picture in pictures {
            sequence.push(&mut lines, picture);
        }
        sequence.hold();
        let shown = projected(&sequence, &lines);
        assert_eq!(shown[..pictures.len()], pictures);
        assert_eq!(shown.last().map(String::as_str), Some("b"));
        assert_eq!(sequence.len(), pictures.len() + 1);
        assert_eq!(sequence.first(&lines), "a\nb\nc\n");
        assert_eq!(lines.texts().concat(), "abcxd", "each line is kept once");
    }

    #[test]
    fn unchanged_parts_of_pictures_are_stored_once() {
        let (mut lines, mut sequence) = (Lines::default(), PictureSequence::default());
        let picture: String = (0..100).map(|line| format!("{line}\n")).collect();
        sequence.push(&mut lines, &picture);
        sequence.push(&mut lines, &picture.replace("50\n", "other\n"));
        sequence.hold();
        let json = serde_json::to_string(&sequence.frames[1..]).expect("numbers");
        assert_eq!(json, "[[[50,1,100],[49,0]],[[100,0]]]");
    }

    #[test]
    fn styles_are_stored_once_outside_the_pictures() {
        let (mut lines, mut sequence) = (Lines::default(), PictureSequence::default());
        for picture in ["<svg>\n<style>\n.a{}\n</style>\n1", "<svg>\n<style>\n.a{}\n</style>\n2"] {
            sequence.push(&mut lines, picture);
        }
        assert_eq!(lines.style(), "\n.a{}\n");
        assert_eq!(lines.texts(), ["<svg>", "1", "2"]);
    }
}
