//! The state of a game as text for a terminal.

use judge_core::Seat;

use super::board::bits;
use super::rules::Phase;
use super::{Kind, Round, State, score, side_letter};

/// Every node with its tile and its edges, what each side has left and has won, and what happens
/// now; the side on turn is marked.
pub(super) fn frame(round: &Round) -> String {
    let [one, two] = Seat::BOTH.map(|seat| side(round, seat));
    format!("{}{one}{two}  {}\n", nodes(round.state()), news(round))
}

/// One line a node, three nodes a line.
fn nodes(state: &State) -> String {
    const COLUMNS: usize = 3;
    let cells: Vec<String> = bits(state.board.all()).map(|node| cell(state, node)).collect();
    let rows = cells.len().div_ceil(COLUMNS);
    let row = |row: usize| {
        let cells = cells.iter().skip(row).step_by(rows).map(|cell| format!("{cell:<29}"));
        format!("  {}\n", cells.collect::<String>().trim_end())
    };
    (0..rows).map(row).collect()
}

/// A node: its number, its tile or dots, and its edges by type and other end.
fn cell(state: &State, node: u8) -> String {
    let tile = state.position.at(node).map_or("..".to_owned(), |placed| {
        format!("{}{}", side_letter(placed.seat), placed.kind)
    });
    let edges: Vec<String> = bits(state.board.neighbours(node))
        .filter_map(|end| {
            let kind = state.position.types().get(state.board.edge(node, end)?);
            Some(format!("{kind}{end:02}"))
        })
        .collect();
    format!("{node:02} {tile} {}", edges.join(" "))
}

/// What a side has won so far and what it has not drawn yet.
fn side(round: &Round, seat: Seat) -> String {
    let state = round.state();
    let mark = if round.mover() == seat && !state.position.is_over() { '>' } else { ' ' };
    let points = score(&state.board, &state.position)[seat.index()];
    let bag = round.bag(seat);
    let left = Kind::ALL.into_iter().flat_map(|kind| {
        std::iter::repeat_n(kind.letter(), usize::from(bag.count(kind)))
    });
    let line = format!(
        "{mark} seat {seat} {}  {points:>2} edges, to draw {}",
        side_letter(seat),
        left.collect::<String>()
    );
    format!("{}\n", line.trim_end())
}

/// What happens now, in a sentence.
fn news(round: &Round) -> String {
    let seat = round.mover();
    match round.phase() {
        Phase::Edges(_) => "the edges are told".to_owned(),
        Phase::Offer(draw, at) => {
            let kind = draw.get(at).map_or(String::new(), |kind| kind.to_string());
            format!("seat {seat} drew {draw} and may put {kind} back")
        }
        Phase::Move(draw) => format!("seat {seat} drew {draw}"),
        Phase::Played(action) => format!("seat {} played {action}", action.seat()),
        Phase::Turn if round.state().position.is_over() => "all tiles are placed".to_owned(),
        Phase::Turn => match round.last() {
            None => "the edges are told".to_owned(),
            Some(action) => format!("seat {} played {action}", action.seat()),
        },
    }
}
