//! Colours of a round in the terminal: the seats' colours of the pictures, as far as terminals
//! support them.

use judge_core::Seat;
use judge_games::Paint;
use judge_runner::base::styled_text::{Span, Styled};

use super::output;

/// Ends a colour.
const PLAIN: &str = "\u{1b}[0m";

/// The sequence that starts a paint.
fn begin(paint: Paint) -> &'static str {
    match paint {
        Paint::Seat(Seat::One) => "\u{1b}[1;36m",
        Paint::Seat(Seat::Two) => "\u{1b}[1;33m",
        Paint::Faint => "\u{1b}[2m",
    }
}

/// Formats a text for standard output, with colours if it supports them.
pub(crate) fn text(styled: &Styled) -> String {
    if output::color() { painted(styled) } else { styled.plain() }
}

fn painted(styled: &Styled) -> String {
    let span = |Span { text, paint }: &Span| match paint {
        Some(paint) => format!("{}{text}{PLAIN}", begin(*paint)),
        None => text.clone(),
    };
    styled.spans().iter().map(span).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_starts_and_ends_with_its_text() {
        assert_eq!(painted(&Styled::seats("no seat is named")), "no seat is named");
        assert_eq!(
            painted(&Styled::seats("seat 1: ü, seat 2")),
            "\u{1b}[1;36mseat 1\u{1b}[0m: ü, \u{1b}[1;33mseat 2\u{1b}[0m"
        );
        assert_eq!(painted(&Styled::aside("ab\ncd")), "\u{1b}[2mab\u{1b}[0m\n\u{1b}[2mcd\u{1b}[0m");
        assert_eq!(painted(&Styled::seats("")), "");
    }
}
