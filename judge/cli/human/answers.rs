//! The answers that a person can give: numbered, in columns, all or some of them.

use std::fmt::Write as _;

/// Up to so many answers are all shown unasked.
const ALL_UP_TO: usize = 60;

/// Of more than that, so many are.
const FIRST: usize = 20;

/// Space around an answer and its number.
const GAP: usize = 3;

/// The answers to one question, in the order of the rules; numbers count from 1.
pub(super) struct Answers(Vec<String>);

/// A number that no answer has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NoSuchNumber {
    /// How many answers there are.
    pub(super) most: usize,
}

impl Answers {
    pub(super) fn new(legal: Vec<String>) -> Answers {
        Answers(legal)
    }

    pub(super) fn all(&self) -> &[String] {
        &self.0
    }

    /// The answer that is meant by a number; `None` when the text is none, or is an answer itself.
    pub(super) fn by_number(&self, text: &str) -> Option<Result<&str, NoSuchNumber>> {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number || self.contains(text) {
            return None;
        }
        let index = text.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let answer = index.and_then(|index| self.0.get(index));
        Some(answer.map(String::as_str).ok_or(NoSuchNumber { most: self.0.len() }))
    }

    pub(super) fn contains(&self, text: &str) -> bool {
        self.0.iter().any(|answer| answer == text)
    }

    /// How many begin with `start`.
    pub(super) fn count(&self, start: &str) -> usize {
        self.0.iter().filter(|answer| answer.starts_with(start)).count()
    }

    /// Those that begin with `start`, in lines of at most `width` characters.
    pub(super) fn listed(&self, start: &str, width: usize) -> String {
        let with_start = |(_, answer): &(usize, &String)| answer.starts_with(start);
        columns(self.0.iter().enumerate().filter(with_start), self.0.len(), width)
    }

    /// What is shown with the question: all of them, or the first and how to see others.
    pub(super) fn shown(&self, width: usize) -> String {
        let count = self.0.len();
        if count <= ALL_UP_TO {
            return self.listed("", width);
        }
        let first = columns(self.0.iter().enumerate().take(FIRST), count, width);
        let start = self.telling_start();
        format!(
            "{first}  … {} more: `moves` lists all, `moves {start}` those that begin with `{start}`\n",
            count - FIRST
        )
    }

    /// The shortest beginning of the first answer that not all answers have.
    fn telling_start(&self) -> &str {
        let first = self.0.first().map(String::as_str).unwrap_or_default();
        let mut starts = (1..first.len()).filter_map(|length| first.get(..length));
        starts.find(|start| self.count(start) < self.0.len()).unwrap_or(first)
    }
}

/// Numbered answers in rows; numbers up to `most` stand right-aligned.
fn columns<'a>(
    answers: impl Iterator<Item = (usize, &'a String)>,
    most: usize,
    width: usize,
) -> String {
    let answers: Vec<(usize, &String)> = answers.collect();
    let digits = most.to_string().len();
    let longest = answers.iter().map(|(_, answer)| answer.len()).max().unwrap_or(0);
    let cell = digits + 1 + longest + GAP;
    // The row begins with one space, and the last cell ends without its two.
    let per_row = ((width + 1) / cell).max(1);
    let mut text = String::new();
    for row in answers.chunks(per_row) {
        let mut line = String::from(" ");
        for (index, answer) in row {
            let number = index + 1;
            // Writing into a string cannot fail.
            let _ = write!(line, " {number:digits$} {answer:longest$}  ");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(count: usize) -> Answers {
        Answers((0..count).map(|number| format!("{}{number:03}", ["a", "b"][number % 2])).collect())
    }

    #[test]
    fn few_answers_are_all_shown_in_columns_that_fit() {
        insta::assert_snapshot!(answers(9).shown(30), @r"
          1 a000   2 b001   3 a002
          4 b003   5 a004   6 b005
          7 a006   8 b007   9 a008
        ");
        for width in 10..200 {
            let shown = answers(60).shown(width);
            assert!(shown.lines().all(|line| line.len() <= width), "{width}:\n{shown}");
        }
        assert_eq!(answers(3).shown(1).lines().count(), 3, "never less than one a row");
        assert_eq!(answers(0).shown(80), "");
    }

    #[test]
    fn of_many_the_first_are_shown_and_how_to_narrow() {
        let shown = answers(2176).shown(80);
        insta::assert_snapshot!(shown, @r"
             1 a000      2 b001      3 a002      4 b003      5 a004      6 b005
             7 a006      8 b007      9 a008     10 b009     11 a010     12 b011
            13 a012     14 b013     15 a014     16 b015     17 a016     18 b017
            19 a018     20 b019
          … 2156 more: `moves` lists all, `moves a` those that begin with `a`
        ");
    }

    #[test]
    fn numbers_stay_those_of_the_whole_list() {
        insta::assert_snapshot!(answers(9).listed("b00", 80), @"  2 b001   4 b003   6 b005   8 b007");
    }

    #[test]
    fn a_number_means_an_answer_unless_it_is_one() {
        let answers = Answers(vec!["12".to_owned(), "x".to_owned()]);
        assert_eq!(answers.by_number("2"), Some(Ok("x")));
        assert_eq!(answers.by_number("12"), None);
        for number in ["0", "3", "99999999999999999999999"] {
            assert_eq!(answers.by_number(number), Some(Err(NoSuchNumber { most: 2 })), "{number}");
        }
        for text in ["", "x", "-1", "+1", "1 "] {
            assert_eq!(answers.by_number(text), None, "{text}");
        }
    }
}
