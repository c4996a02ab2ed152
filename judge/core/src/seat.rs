//! The two seats of a round. Seat 1 always moves first.

use serde::{Deserialize, Serialize};

/// One side of a two-player round; written `1` or `2` in every file and message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum Seat {
    /// Seat 1: moves first.
    One,
    /// Seat 2: moves second.
    Two,
}

impl Seat {
    /// Both seats, in playing order.
    pub const BOTH: [Seat; 2] = [Seat::One, Seat::Two];

    /// The opposite seat.
    pub fn other(self) -> Seat {
        match self {
            Seat::One => Seat::Two,
            Seat::Two => Seat::One,
        }
    }

    /// 0 or 1, as an array index.
    pub fn index(self) -> usize {
        match self {
            Seat::One => 0,
            Seat::Two => 1,
        }
    }
}

impl From<Seat> for u8 {
    fn from(seat: Seat) -> u8 {
        match seat {
            Seat::One => 1,
            Seat::Two => 2,
        }
    }
}

/// An error of parsing: the number is neither 1 nor 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("seat `{0}` does not exist: a match has seats `1` and `2`")]
pub struct NoSuchSeat(u8);

impl TryFrom<u8> for Seat {
    type Error = NoSuchSeat;

    fn try_from(number: u8) -> Result<Seat, NoSuchSeat> {
        match number {
            1 => Ok(Seat::One),
            2 => Ok(Seat::Two),
            other => Err(NoSuchSeat(other)),
        }
    }
}

impl std::fmt::Display for Seat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", u8::from(*self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_seats_convert_both_ways() {
        for seat in Seat::BOTH {
            assert_eq!(Seat::try_from(u8::from(seat)), Ok(seat));
            assert_eq!(seat.other().other(), seat);
        }
        assert_eq!(Seat::try_from(0), Err(NoSuchSeat(0)));
        assert!(serde_json::from_str::<Seat>("3").is_err());
    }
}
