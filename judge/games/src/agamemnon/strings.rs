//! The strings of fate one by one: their edges and winners.
//! For people and tests; `scoring.rs` is the fast way to the sums.

use judge_core::Seat;

use super::board::bits;
use super::scoring::winner;
use super::{Board, EdgeType, Position};

/// A string of fate with at least one tile on its nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FateString {
    /// The type of its edges.
    pub kind: EdgeType,
    /// Numbers of its edges on the board, ascending.
    pub edges: Vec<usize>,
    /// Its nodes, one bit each.
    pub nodes: u64,
    /// The winner, with one point for each edge; none in a tie.
    pub winner: Option<Seat>,
}

/// Every string that has a tile, in the order of the types and of their first edges.
pub fn strings(board: &Board, position: &Position) -> Vec<FateString> {
    let roots = roots(board, position);
    let mut strings = Vec::new();
    for kind in [EdgeType::Strength, EdgeType::Leadership, EdgeType::Force] {
        for root in 0..board.edges() {
            let same = |edge: &usize| roots[*edge] == root;
            if position.types().get(root) == kind && roots[root] == root {
                let edges: Vec<usize> = (root..board.edges()).filter(same).collect();
                strings.extend(string_of_edges(board, position, kind, edges));
            }
        }
    }
    strings
}

/// For each edge the lowest edge of its string.
fn roots(board: &Board, position: &Position) -> Vec<usize> {
    let types = position.types();
    let mut roots: Vec<usize> = (0..board.edges()).collect();
    let connecting = position.occupied() & !position.sets.wefts;
    for node in bits(connecting) {
        let here = |kind| {
            let at_node = bits(board.neighbours(node)).filter_map(|end| board.edge(node, end));
            at_node.filter(move |edge| types.get(*edge) == kind)
        };
        for kind in EdgeType::ALL {
            let joined: Vec<usize> = here(kind).map(|edge| roots[edge]).collect();
            let lowest = joined.iter().copied().min().unwrap_or(0);
            roots.iter_mut().filter(|root| joined.contains(root)).for_each(|root| *root = lowest);
        }
    }
    roots
}

/// The string of these edges, if it has a tile.
fn string_of_edges(
    board: &Board,
    position: &Position,
    kind: EdgeType,
    edges: Vec<usize>,
) -> Option<FateString> {
    let ends = edges.iter().map(|edge| board.ends()[*edge]);
    let nodes = ends.fold(0, |nodes, (one, other)| nodes | 1 << one | 1 << other);
    let winner = winner(kind, &position.sets, nodes);
    (nodes & position.occupied() != 0).then_some(FateString { kind, edges, nodes, winner })
}

#[cfg(test)]
mod tests {
    use crate::agamemnon::{STANDARD_EDGES, State, strings};

    #[test]
    fn strings_are_listed_in_order() {
        let state = State::parse("Oa00Bg09Bj04Oe02", STANDARD_EDGES).expect("a state");
        let told: Vec<String> = strings(&state.board, &state.position)
            .iter()
            .map(|string| {
                let ends = string.edges.iter().map(|edge| state.board.ends()[*edge]);
                let edges: Vec<_> = ends.map(|(a, b)| format!("{a:02}{b:02}")).collect();
                let winner = string.winner.map_or("-".to_owned(), |seat| seat.to_string());
                format!("{} {winner} {}", string.kind, edges.join(" "))
            })
            .collect();
        insta::assert_snapshot!(told.join("\n"), @r"
        S 2 0001 0004 0409 0809 0911
        L 1 0204 0203 0408
        F 1 0206
        ");
    }
}
