//! Pointing at the board: the man, then each square that it lands on.

use super::board::Board;
use crate::cc::position::all_squares;
use crate::cc::{Contest, Path, Position, Square};
use crate::{Choice, Choices, Target};

/// Every square.
pub(in crate::cc) fn targets(contest: &Contest) -> Vec<Target> {
    let position = contest.position();
    let board = Board::new(position);
    let target = |square: Square| {
        let at = board.middle(square).map(|middle| middle - board.cell / 2);
        Target { part: square.to_string(), at, size: [board.cell; 2] }
    };
    all_squares(position.size()).map(target).collect()
}

/// The squares that may follow the chosen ones. A chain may end after each of its jumps, so the
/// chosen squares are a path themselves, and the rules are asked for one square more: the list of
/// all paths may be cut.
pub(in crate::cc) fn choices(position: &Position, chosen: &[String]) -> Choices {
    if chosen.is_empty() {
        let men = position.men(position.turn()).iter().map(|man| man.to_string());
        let movable = men.filter(|man| !following(position, man).is_empty());
        let next = movable.map(|man| Choice::new(&man, format!("man on {man}"))).collect();
        return Choices { next, answer: None };
    }
    let path = chosen.join(">");
    let goes_on = chosen.len() == 1 || is_legal(position, &path);
    if !goes_on {
        return Choices::default();
    }
    let next = following(position, &path).into_iter();
    let next = next.map(|square| Choice::new(square.to_string(), words(position, &path, square)));
    Choices { next: next.collect(), answer: is_legal(position, &path).then_some(path) }
}

/// A square to land on, and the man that the path captures there.
fn words(position: &Position, path: &str, square: Square) -> String {
    let whole = format!("{path}>{square}").parse::<Path>().ok();
    let captured = whole.and_then(|path| position.check(&path).ok()?.captured);
    match captured {
        Some(man) => format!("go to {square}, takes {man}"),
        None => format!("go to {square}"),
    }
}

fn following(position: &Position, path: &str) -> Vec<Square> {
    let leads_to = |square: &Square| is_legal(position, &format!("{path}>{square}"));
    all_squares(position.size()).filter(leads_to).collect()
}

fn is_legal(position: &Position, path: &str) -> bool {
    path.parse::<Path>().is_ok_and(|path| position.check(&path).is_ok())
}
