//! Text with highlighted parts, such as seats and counts. The display turns them into colours.

use judge_core::printable;
use judge_games::{GameState, Paint, View, seat_words};

/// Start of a seat's name, before the digit.
const SEAT: &str = "seat ";

/// A run of characters with the same style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The characters.
    pub text: String,
    /// Their paint; none if they are not highlighted.
    pub paint: Option<Paint>,
}

/// Text as a list of spans. Names and answers in it are untrusted, so control characters are
/// escaped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Styled {
    spans: Vec<Span>,
}

impl Styled {
    /// Renders the state of a match, without the final line feed.
    pub fn frame(state: &dyn GameState, view: View) -> Styled {
        let frame = state.frame(view);
        Styled::lines(frame.trim_end_matches('\n'), &|line, styled| {
            for (at, letter) in line.char_indices() {
                styled.push(letter.encode_utf8(&mut [0; 4]), state.paint(line, at));
            }
        })
    }

    /// Highlights the seats' names in lines of text.
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

    /// Renders secondary text.
    pub fn aside(text: &str) -> Styled {
        Styled::lines(text, &|line, styled| styled.push(line, Some(Paint::Faint)))
    }

    /// The spans in order. Only a span that is itself a line feed contains one.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// The text without styles.
    pub fn plain(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }

    /// Appends text without highlighting.
    pub fn push_plain(&mut self, text: &str) {
        self.push(text, None);
    }

    /// Appends styled text.
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
    fn each_line_is_styled_for_its_seat() {
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
    fn seats_are_found_like_in_the_games() {
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
    fn control_characters_do_not_reach_the_terminal() {
        let styled = Styled::aside("a\u{1b}[31mb");
        assert!(!styled.plain().contains('\u{1b}'), "{styled:?}");
        assert_eq!(Styled::seats(""), Styled::default());
    }
}
