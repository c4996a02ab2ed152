//! Text with highlighted parts: seats and counts. The display turns them into colours.

use judge_core::printable;
use judge_games::{GameState, Paint, View, seat_words};

/// The beginning of a seat's name, before its digit.
const SEAT: &str = "seat ";

/// A run of characters that look alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The characters.
    pub text: String,
    /// Their paint, if they are highlighted.
    pub paint: Option<Paint>,
}

/// Text in spans. Names and answers in it come from outside: nothing in it steers a terminal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Styled {
    spans: Vec<Span>,
}

impl Styled {
    /// The state of a match, its last line feed left out.
    pub fn frame(state: &dyn GameState, view: View) -> Styled {
        let frame = state.frame(view);
        Styled::lines(frame.trim_end_matches('\n'), &|line, styled| {
            for (at, letter) in line.char_indices() {
                styled.push(letter.encode_utf8(&mut [0; 4]), state.paint(line, at));
            }
        })
    }

    /// Lines in which seats are named.
    pub fn seats(text: &str) -> Styled {
        Styled::lines(text, &|line, styled| {
            let mut rest = line;
            while let Some(at) = rest.find(SEAT) {
                let (before, word) = rest.split_at(at);
                let digit = word[SEAT.len()..].chars().next().map_or(0, char::len_utf8);
                let paint = seat_words(&word[..SEAT.len() + digit], 0);
                let (named, after) = word.split_at(SEAT.len() + paint.map_or(0, |_| digit));
                styled.push(before, None);
                styled.push(named, paint);
                rest = after;
            }
            styled.push(rest, None);
        })
    }

    /// Secondary lines.
    pub fn aside(text: &str) -> Styled {
        Styled::lines(text, &|line, styled| styled.push(line, Some(Paint::Faint)))
    }

    /// The spans, in their order. None of them goes over the end of a line, but those that are line
    /// feeds.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// The text without styles.
    pub fn plain(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }

    /// Adds characters that nothing sets apart.
    pub fn push_plain(&mut self, text: &str) {
        self.push(text, None);
    }

    /// Adds a text at the end.
    pub fn append(&mut self, other: Styled) {
        self.spans.extend(other.spans);
    }

    fn lines(text: &str, line: &dyn Fn(&str, &mut Styled)) -> Styled {
        let mut styled = Styled::default();
        for (number, raw) in text.split('\n').enumerate() {
            if number > 0 {
                styled.spans.push(Span { text: "\n".to_owned(), paint: None });
            }
            line(&printable(raw, usize::MAX), &mut styled);
        }
        styled
    }

    fn push(&mut self, text: &str, paint: Option<Paint>) {
        match self.spans.last_mut() {
            _ if text.is_empty() => {}
            // A colour ends with its line.
            Some(last) if last.paint == paint && !last.text.ends_with('\n') => {
                last.text.push_str(text);
            }
            _ => self.spans.push(Span { text: text.to_owned(), paint }),
        }
    }
}

#[cfg(test)]
mod tests {
    use judge_core::Seat;

    use super::*;

    #[test]
    fn seats_stand_apart_line_by_line() {
        let styled = Styled::seats("seat 1: ü\nseat 2");
        let span = |text: &str, paint| Span { text: text.to_owned(), paint };
        let seat = |seat| Some(Paint::Seat(seat));
        let expected = [
            span("seat 1", seat(Seat::One)),
            span(": ü", None),
            span("\n", None),
            span("seat 2", seat(Seat::Two)),
        ];
        assert_eq!(styled.spans(), expected);
        assert_eq!(styled.plain(), "seat 1: ü\nseat 2");
    }

    #[test]
    fn seats_are_found_as_the_games_find_them() {
        for line in ["seat seat 1", "seat 12 seat 3 seat", "seat \u{fc}seat 2seat 1", "seat "] {
            let painted = |styled: &Styled| -> Vec<(String, Option<Paint>)> {
                let letter = |span: &Span, letter: char| (letter.to_string(), span.paint);
                let letters = |span: &Span| {
                    span.text.chars().map(|one| letter(span, one)).collect::<Vec<_>>()
                };
                styled.spans().iter().flat_map(letters).collect()
            };
            let expected: Vec<_> = line
                .char_indices()
                .map(|(at, letter)| (letter.to_string(), seat_words(line, at)))
                .collect();
            assert_eq!(painted(&Styled::seats(line)), expected, "{line}");
        }
    }

    #[test]
    fn nothing_steers_a_terminal() {
        let styled = Styled::aside("a\u{1b}[31mb");
        assert!(!styled.plain().contains('\u{1b}'), "{styled:?}");
        assert_eq!(Styled::seats(""), Styled::default());
    }
}
