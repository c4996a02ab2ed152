//! The state of a game as text for a terminal.

use judge_core::Seat;

use super::{Contest, Position, Square};
use crate::Paint;
use crate::paint::seat_words;

/// The board with row and column numbers, and the last event in a sentence. Men are `1` and `2`;
/// `.` is an empty square.
pub(super) fn frame(contest: &Contest) -> String {
    format!("{}  {}\n", board(contest.position()), news(contest))
}

fn board(position: &Position) -> String {
    let size = position.size();
    let cells = |row: u8| -> String {
        let squares = (0..size).filter_map(|column| Square::new(row, column));
        squares
            .map(|square| match position.man_at(square) {
                None => "  .".to_owned(),
                Some(seat) => format!("  {seat}"),
            })
            .collect()
    };
    let columns: String = (0..size).map(|column| format!("{column:3}")).collect();
    let rows: String = (0..size).map(|row| format!("{row:2}{}\n", cells(row))).collect();
    format!("  {columns}\n{rows}")
}

/// The paint of the men by their seat.
pub(super) fn paint(line: &str, at: usize) -> Option<Paint> {
    let in_row = line.get(..2).is_some_and(|row| row.trim().parse::<u8>().is_ok());
    match line.as_bytes().get(at)? {
        b'.' if in_row => Some(Paint::Faint),
        b'1' if in_row && at > 2 => Some(Paint::Seat(Seat::One)),
        b'2' if in_row && at > 2 => Some(Paint::Seat(Seat::Two)),
        _ => seat_words(line, at),
    }
}

/// The last move, and the side on turn or the end of the game.
fn news(contest: &Contest) -> String {
    let now = turn_or_result(contest);
    match last_move(contest) {
        None => now,
        Some(last) => format!("ply {}: {last}; {now}", contest.plies()),
    }
}

/// The last move as a sentence.
pub(super) fn last_move(contest: &Contest) -> Option<String> {
    let last = contest.last()?;
    let mover = contest.position().turn().other();
    let taken = last.captured.map(|square| format!(" and took {square}")).unwrap_or_default();
    Some(format!("seat {mover} moved {}{taken}", last.path))
}

/// The side on turn, or the end of the game.
pub(super) fn turn_or_result(contest: &Contest) -> String {
    match contest.finish() {
        None => format!("seat {} to move", contest.position().turn()),
        Some(finish) => match finish.winner() {
            None => format!("drawn: {}", finish.reason()),
            Some(winner) => format!("seat {winner} won: {}", finish.reason()),
        },
    }
}

#[cfg(test)]
mod tests {
    use judge_core::Options;

    use super::*;
    use crate::GameState as _;
    use crate::cc::Rules;
    use crate::cc::tests::set_up;

    #[test]
    fn men_are_painted_by_their_seat() {
        let painted = |line: &str, paint: Paint| -> Vec<usize> {
            (0..line.len()).filter(|at| super::paint(line, *at) == Some(paint)).collect()
        };
        let [one, two] = Seat::BOTH.map(Paint::Seat);
        assert_eq!(painted("12  1  .  2  1", one), [4, 13]);
        assert_eq!(
            (painted("12  1  .  2", two), painted("12  1  .", Paint::Faint)),
            (vec![10], vec![7])
        );
        assert!(painted("     0  1  2  3", one).is_empty(), "numbers of columns");
        assert_eq!(
            painted("  ply 3: seat 1 moved 0,1>2,3; seat 2 to move", one),
            [9, 10, 11, 12, 13, 14]
        );
    }

    fn contest(size: &str) -> Contest {
        let options = Options::from([("size".to_owned(), size.to_owned())]);
        let rules = Rules::from_options(&options).expect("an allowed size");
        Contest::new(rules, *rules.start())
    }

    fn answer(contest: &mut Contest, answer: &str) {
        while !matches!(contest.step(&mut String::new()), crate::Step::Ask(_)) {}
        contest.answer(answer).expect("a legal move");
    }

    #[test]
    fn the_start_is_rendered() {
        insta::assert_snapshot!(frame(&contest("12")), @r"
            0  1  2  3  4  5  6  7  8  9 10 11
         0  1  1  1  1  1  1  .  .  .  .  .  .
         1  1  1  1  1  1  .  .  .  .  .  .  .
         2  1  1  1  1  .  .  .  .  .  .  .  .
         3  1  1  1  .  .  .  .  .  .  .  .  .
         4  1  1  .  .  .  .  .  .  .  .  .  .
         5  1  .  .  .  .  .  .  .  .  .  .  .
         6  .  .  .  .  .  .  .  .  .  .  .  2
         7  .  .  .  .  .  .  .  .  .  .  2  2
         8  .  .  .  .  .  .  .  .  .  2  2  2
         9  .  .  .  .  .  .  .  .  2  2  2  2
        10  .  .  .  .  .  .  .  2  2  2  2  2
        11  .  .  .  .  .  .  2  2  2  2  2  2
          seat 1 to move
        ");
    }

    #[test]
    fn a_position_after_some_moves_is_rendered() {
        let mut contest = contest("6");
        answer(&mut contest, "0,2>1,2");
        answer(&mut contest, "3,5>2,4");
        answer(&mut contest, "0,1>2,3>2,5");
        insta::assert_snapshot!(frame(&contest), @r"
           0  1  2  3  4  5
        0  1  .  .  .  .  .
        1  1  1  1  .  .  .
        2  1  .  .  .  .  1
        3  .  .  .  .  .  .
        4  .  .  .  .  2  2
        5  .  .  .  2  2  2
         ply 3: seat 1 moved 0,1>2,3>2,5 and took 2,4; seat 2 to move
        ");
    }

    #[test]
    fn the_end_is_rendered() {
        let rules = Rules::from_options(&Options::new()).expect("default options");
        let mut won = Contest::new(rules, set_up(6, &["0,0", "4,4"], &["1,1", "5,4"]));
        answer(&mut won, "4,4>5,5");
        insta::assert_snapshot!(frame(&won), @r"
           0  1  2  3  4  5
        0  1  .  .  .  .  .
        1  .  2  .  .  .  .
        2  .  .  .  .  .  .
        3  .  .  .  .  .  .
        4  .  .  .  .  .  .
        5  .  .  .  .  2  1
         ply 1: seat 1 moved 4,4>5,5; seat 1 won: target
        ");
    }
}
