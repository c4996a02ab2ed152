//! Colours of the characters of a frame, for terminals that have some. They only repeat what the
//! text says.

use judge_core::Seat;

/// The colour of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paint {
    /// It belongs to that seat.
    Seat(Seat),
    /// It is there to be counted, and not to be read.
    Faint,
}

/// The paint of the byte `at` of a line in which seats are named, as `seat 1`.
pub fn seat_words(line: &str, at: usize) -> Option<Paint> {
    let named = |seat: Seat| {
        let word = format!("seat {seat}");
        line.match_indices(&word).any(|(from, word)| (from..from + word.len()).contains(&at))
    };
    Seat::BOTH.into_iter().find(|seat| named(*seat)).map(Paint::Seat)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_seats_are_found_in_a_text() {
        let line = "> seat 1 throws 4c: seat 2 may win, seat 3 is none";
        let painted: Vec<Option<Paint>> = (0..line.len()).map(|at| seat_words(line, at)).collect();
        let of = |seat| {
            let own = |at: &usize| painted[*at] == Some(Paint::Seat(seat));
            (0..line.len()).filter(own).map(|at| &line[at..=at]).collect::<String>()
        };
        assert_eq!((of(Seat::One), of(Seat::Two)), ("seat 1".to_owned(), "seat 2".to_owned()));
        assert_eq!(painted[1], None);
    }
}
