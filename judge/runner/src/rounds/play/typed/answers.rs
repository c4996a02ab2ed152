//! The legal answers as text: numbered, in columns, all or some of them.

use std::fmt::Write as _;

/// Maximum number of answers to show all at once.
const ALL_UP_TO: usize = 60;

/// Number of answers to show if there are more.
const FIRST: usize = 20;

/// Number of their common beginnings to list.
const BEGINNINGS: usize = 12;

/// Space around an answer and its number.
const GAP: usize = 3;

/// The answers to one question, in the order of the rules; numbers count from 1.
#[derive(Clone, Copy)]
pub struct Answers<'a> {
    legal: &'a [String],
    remark: &'a dyn Fn(&str) -> Option<String>,
}

/// The default remark: none.
fn without_remark(_answer: &str) -> Option<String> {
    None
}

/// A number above that of the last answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoSuchNumber {
    /// The number of answers.
    pub most: usize,
}

impl<'a> Answers<'a> {
    /// Creates the list of these legal answers.
    pub fn new(legal: &'a [String]) -> Answers<'a> {
        Answers { legal, remark: &without_remark }
    }

    /// Adds a remark to each displayed answer.
    #[must_use]
    pub fn with_remarks(self, remark: &'a dyn Fn(&str) -> Option<String>) -> Answers<'a> {
        Answers { remark, ..self }
    }

    /// Finds an answer by its number; `None` if the text is not a number, or is itself an answer.
    pub fn by_number(&self, text: &str) -> Option<Result<&'a str, NoSuchNumber>> {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number || self.contains(text) {
            return None;
        }
        let index = text.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let answer = index.and_then(|index| self.legal.get(index));
        Some(answer.map(String::as_str).ok_or(NoSuchNumber { most: self.legal.len() }))
    }

    /// True if this text is a legal answer.
    pub fn contains(&self, text: &str) -> bool {
        self.legal.iter().any(|answer| answer == text)
    }

    /// Number of answers that begin with `start`.
    pub fn count(&self, start: &str) -> usize {
        self.legal.iter().filter(|answer| answer.starts_with(start)).count()
    }

    /// Lists the answers that begin with `start`, in lines of at most `width` characters.
    pub fn listed(&self, start: &str, width: usize) -> String {
        let with_start = |(_, answer): &(usize, &String)| answer.starts_with(start);
        self.columns(self.legal.iter().enumerate().filter(with_start), width)
    }

    /// Formats numbered answers with their remarks, in rows.
    fn columns(&self, answers: impl Iterator<Item = (usize, &'a String)>, width: usize) -> String {
        let shown = |(index, answer): (usize, &String)| match (self.remark)(answer) {
            Some(remark) => (index, format!("{answer} {remark}")),
            None => (index, answer.clone()),
        };
        columns(&answers.map(shown).collect::<Vec<_>>(), self.legal.len(), width)
    }

    /// Formats the text below a question: all answers, or the first ones and the way to list
    /// others.
    pub fn shown(&self, width: usize) -> String {
        let count = self.legal.len();
        if count <= ALL_UP_TO {
            return self.listed("", width);
        }
        let first = self.columns(self.legal.iter().enumerate().take(FIRST), width);
        let beginnings = self.beginnings();
        let told =
            beginnings.iter().take(BEGINNINGS).map(|(start, count)| format!("{start} ({count})"));
        let told: Vec<String> = told.collect();
        let dots = if beginnings.len() > BEGINNINGS { ", …" } else { "" };
        let most = beginnings.iter().max_by_key(|(_, count)| *count);
        let example = most.map(|(start, _)| *start).unwrap_or_default();
        format!(
            "{first}  … {} more; the beginnings are {}{dots}\n  \
             `moves {example}` lists those that begin with `{example}`, `moves` lists all\n",
            count - FIRST,
            told.join(", ")
        )
    }

    /// The beginnings up to the first character that differs, with their numbers of answers.
    fn beginnings(&self) -> Vec<(&str, usize)> {
        let (first, last) = match self.legal {
            [first, .., last] => (first.as_bytes(), last.as_bytes()),
            _ => return Vec::new(),
        };
        // The answers are sorted, so a prefix of the first and the last is one of all.
        let shared = std::iter::zip(first, last).take_while(|(one, other)| one == other).count();
        let start = |answer: &'_ String| answer.len().min(shared + 1);
        let same = |one: &String, other: &String| one[..start(one)] == other[..start(other)];
        let groups = self.legal.chunk_by(same);
        groups.map(|group| (&group[0][..start(&group[0])], group.len())).collect()
    }
}

/// Formats numbered answers in rows, with the numbers aligned to the right for up to `most`.
fn columns(answers: &[(usize, String)], most: usize, width: usize) -> String {
    let digits = most.to_string().len();
    let longest = answers.iter().map(|(_, answer)| answer.len()).max().unwrap_or(0);
    let cell = digits + 1 + longest + GAP;
    // The row starts with one space, and the last cell ends without its two.
    let per_row = ((width + 1) / cell).max(1);
    let mut text = String::new();
    for row in answers.chunks(per_row) {
        let mut line = String::from(" ");
        for (index, answer) in row {
            let number = index + 1;
            // Writing to a string cannot fail.
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

    /// Returns answers, of which the first half begins with `a` and the other with `b`.
    fn answers(count: usize) -> Vec<String> {
        let letter = |number| if number < count / 2 { 'a' } else { 'b' };
        (0..count).map(|number| format!("x{}{number:03}", letter(number))).collect()
    }

    #[test]
    fn few_answers_are_shown_in_columns() {
        insta::assert_snapshot!(Answers::new(&answers(9)).shown(33), @r"
          1 xa000   2 xa001   3 xa002
          4 xa003   5 xb004   6 xb005
          7 xb006   8 xb007   9 xb008
        ");
        for width in 10..200 {
            let shown = Answers::new(&answers(60)).shown(width);
            assert!(shown.lines().all(|line| line.len() <= width), "{width}:\n{shown}");
        }
        assert_eq!(
            Answers::new(&answers(3)).shown(1).lines().count(),
            3,
            "never less than one a row"
        );
        assert_eq!(Answers::new(&answers(0)).shown(80), "");
    }

    #[test]
    fn a_remark_follows_its_answer() {
        let answers = answers(4);
        let takes = |answer: &str| (answer == "xb002").then(|| "takes a".to_owned());
        let shown = Answers::new(&answers).with_remarks(&takes);
        insta::assert_snapshot!(shown.shown(36), @r"
          1 xa000           2 xa001
          3 xb002 takes a   4 xb003
        ");
        assert_eq!(shown.by_number("3"), Some(Ok("xb002")));
    }

    #[test]
    fn the_first_of_many_answers_are_shown_with_a_hint() {
        let shown = Answers::new(&answers(2177)).shown(80);
        insta::assert_snapshot!(shown, @r"
             1 xa000      2 xa001      3 xa002      4 xa003      5 xa004      6 xa005
             7 xa006      8 xa007      9 xa008     10 xa009     11 xa010     12 xa011
            13 xa012     14 xa013     15 xa014     16 xa015     17 xa016     18 xa017
            19 xa018     20 xa019
          … 2157 more; the beginnings are xa (1088), xb (1089)
          `moves xb` lists those that begin with `xb`, `moves` lists all
        ");
    }

    #[test]
    fn answers_are_grouped_up_to_their_first_difference() {
        let beginnings = |answers: &[&str]| {
            let answers: Vec<String> = answers.iter().map(|&answer| answer.to_owned()).collect();
            format!("{:?}", Answers::new(&answers).beginnings())
        };
        assert_eq!(
            beginnings(&["ab", "abc", "abd", "abde"]),
            r#"[("ab", 1), ("abc", 1), ("abd", 2)]"#
        );
        assert_eq!(beginnings(&[".", "B", "BA"]), r#"[(".", 1), ("B", 2)]"#);
        assert_eq!(beginnings(&["a"]), "[]");
    }

    #[test]
    fn filtered_answers_keep_their_numbers() {
        insta::assert_snapshot!(Answers::new(&answers(9)).listed("xb", 80), @"  5 xb004   6 xb005   7 xb006   8 xb007   9 xb008");
        assert_eq!(Answers::new(&answers(9)).count("xb"), 5);
    }

    #[test]
    fn a_number_chooses_an_answer_unless_it_is_a_legal_answer() {
        let answers = ["12".to_owned(), "x".to_owned()];
        let answers = Answers::new(&answers);
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
