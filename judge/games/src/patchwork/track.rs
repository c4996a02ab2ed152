//! The time track: squares 0 to 53, nine that pay income and five that give a special patch.
//! The squares are those of the course's hand-out.

/// The last square, where a token stops for good.
pub const LAST: u8 = 53;

/// Squares that pay a player the income of the quilt.
pub const INCOME: [u8; 9] = [5, 11, 17, 23, 29, 35, 41, 47, 53];

/// Squares that give a special patch to the first player who reaches or passes them.
pub const SPECIAL: [u8; 5] = [20, 26, 32, 44, 50];

/// A bit for each square of a list.
const fn bits(squares: &[u8]) -> u64 {
    let mut bits = 0;
    let mut index = 0;
    while index < squares.len() {
        bits |= 1 << squares[index];
        index += 1;
    }
    bits
}

/// A bit for each square behind `from` and up to `to`, that one included.
fn span(from: u8, to: u8) -> u64 {
    (2 << to) - (2 << from)
}

/// Income squares that a token passes or reaches on its way.
pub fn incomes(from: u8, to: u8) -> u32 {
    (bits(&INCOME) & span(from, to)).count_ones()
}

/// Special squares that a token passes or reaches on its way.
pub fn specials(from: u8, to: u8) -> u32 {
    (bits(&SPECIAL) & span(from, to)).count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passed_squares_exclude_the_first_and_include_the_last() {
        for from in 0..=LAST {
            for to in from..=LAST {
                let passed = |squares: &[u8]| {
                    squares.iter().filter(|square| from < **square && **square <= to).count()
                };
                assert_eq!(incomes(from, to) as usize, passed(&INCOME), "{from} to {to}");
                assert_eq!(specials(from, to) as usize, passed(&SPECIAL), "{from} to {to}");
            }
        }
    }
}
