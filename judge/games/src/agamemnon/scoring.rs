//! The score of a position: the edges of every string of fate go to the side that wins it. Strings
//! are grown node by node in bit sets; `strings.rs` finds them in another way, for display.

use judge_core::Seat;

use super::board::bits;
use super::position::Sets;
use super::{Board, EdgeType, Position};

/// By node: the nodes joined to it by edges of one type.
type Adjacency = [u64; Board::MAX_NODES];

/// Edges won by seat 1 and by seat 2; the position need not be at its end.
pub fn score(board: &Board, position: &Position) -> [u32; 2] {
    Links::new(board, position).score(position)
}

/// The same for each type of edges, by [`EdgeType::index`].
pub fn score_by_type(board: &Board, position: &Position) -> [[u32; 2]; EdgeType::COUNT] {
    Links::new(board, position).score_by_type(position)
}

/// The edges of a board by type, as the scores need them. Only Warps change them, so a search that
/// scores many positions may build them once for all of them.
pub struct Links([Adjacency; EdgeType::COUNT]);

impl Links {
    /// The links of a position; its tiles do not matter.
    pub fn new(board: &Board, position: &Position) -> Links {
        let mut links = Links([[0; Board::MAX_NODES]; EdgeType::COUNT]);
        for ((one, other), kind) in board.ends().iter().zip(position.types().iter()) {
            let of_type = &mut links.0[kind.index()];
            of_type[usize::from(*one)] |= 1 << other;
            of_type[usize::from(*other)] |= 1 << one;
        }
        links
    }

    /// [`score`] of a position with these links.
    pub fn score(&self, position: &Position) -> [u32; 2] {
        let [strength, leadership, force, _] = self.score_by_type(position);
        [0, 1].map(|seat| strength[seat] + leadership[seat] + force[seat])
    }

    /// [`score_by_type`] of a position with these links.
    pub fn score_by_type(&self, position: &Position) -> [[u32; 2]; EdgeType::COUNT] {
        let sets = &position.sets;
        let connecting = position.occupied() & !sets.wefts;
        let mut scores = [[0; 2]; EdgeType::COUNT];
        for kind in [EdgeType::Strength, EdgeType::Leadership, EdgeType::Force] {
            let adjacency = &self.0[kind.index()];
            let mut left = connecting;
            while left != 0 {
                let string = grow(adjacency, connecting, left & left.wrapping_neg());
                left &= !string.core;
                if let Some(winner) = winner(kind, sets, string.members) {
                    scores[kind.index()][winner.index()] += string.edges;
                }
            }
        }
        let force = EdgeType::Force.index();
        add_single_edges(&self.0[force], connecting, sets, &mut scores[force]);
        scores
    }
}

/// A string that has at least one node that connects.
struct Grown {
    /// Its connecting nodes.
    core: u64,
    /// All its nodes.
    members: u64,
    /// Number of its edges.
    edges: u32,
}

/// The string through a connecting node.
fn grow(adjacency: &Adjacency, connecting: u64, start: u64) -> Grown {
    let (mut core, mut members, mut todo) = (start, start, start);
    // An edge between connecting nodes counts at both of them, any other edge once.
    let (mut inner, mut outer) = (0, 0);
    while todo != 0 {
        let reached = adjacency[todo.trailing_zeros() as usize];
        todo &= todo - 1;
        members |= reached;
        inner += (reached & connecting).count_ones();
        outer += (reached & !connecting).count_ones();
        let new = reached & connecting & !core;
        core |= new;
        todo |= new;
    }
    Grown { core, members, edges: inner / 2 + outer }
}

/// Edges without a connecting end are separate strings. Only a Weft can be a member, so that only
/// Force can be won there.
fn add_single_edges(force: &Adjacency, connecting: u64, sets: &Sets, scores: &mut [u32; 2]) {
    for node in bits(sets.wefts) {
        let reached = force[usize::from(node)] & !connecting;
        // Between two Wefts the edge is counted at the lower one.
        for end in bits(reached & !(sets.wefts & ((1 << node) - 1))) {
            if let Some(winner) = winner(EdgeType::Force, sets, 1 << node | 1 << end) {
                scores[winner.index()] += 1;
            }
        }
    }
}

/// The winner of a string of a type with these nodes; none when it is a tie.
pub(super) fn winner(kind: EdgeType, sets: &Sets, members: u64) -> Option<Seat> {
    match kind {
        EdgeType::Strength => larger(sets.owned.map(|owned| strength(sets, members & owned))),
        EdgeType::Leadership => sets.leaders.iter().find_map(|rank| {
            larger(sets.owned.map(|owned| u32::from(rank & members & owned != 0)))
        }),
        EdgeType::Force => larger(sets.owned.map(|owned| (members & owned).count_ones())),
        EdgeType::Empty => None,
    }
}

fn strength(sets: &Sets, nodes: u64) -> u32 {
    let [ones, twos, fours] = sets.strength.map(|plane| (plane & nodes).count_ones());
    ones + 2 * twos + 4 * fours
}

/// The side with the larger number.
pub(super) fn larger([one, two]: [u32; 2]) -> Option<Seat> {
    match one.cmp(&two) {
        std::cmp::Ordering::Greater => Some(Seat::One),
        std::cmp::Ordering::Less => Some(Seat::Two),
        std::cmp::Ordering::Equal => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agamemnon::tests::states::state;
    use crate::agamemnon::{State, strings};
    use proptest::prelude::*;

    fn scores(tiles: &str, edges: &str) -> [u32; 2] {
        let state = State::parse(tiles, edges).expect("a state");
        score(&state.board, &state.position)
    }

    #[test]
    fn a_weft_that_touches_a_string_twice_counts_once() {
        // Force 0001, 0102, 0002: the Weft on 00 ends both edges of the string through 01 and 02.
        assert_eq!(scores("Oi00Bf01", "F0001F0102F0002"), [1, 0]);
        assert_eq!(scores("Oi00Bf01Bf02", "F0001F0102F0002"), [0, 3]);
        assert_eq!(scores("Oi00Bf01Of02Bg03", "F0001F0102F0002F0203"), [0, 0]);
    }

    #[test]
    fn all_edges_of_a_loop_count() {
        assert_eq!(scores("Oa00Ob01Oc02", "S0001S0102S0002"), [3, 0]);
    }

    #[test]
    fn leaders_cancel_from_the_highest() {
        let line = "L0001L0102L0203";
        assert_eq!(scores("Oa00Ba01Be02", line), [0, 3]);
        assert_eq!(scores("Oa00Bb01Bc02Bd03", line), [3, 0]);
        assert_eq!(scores("Of00Bg01", line), [0, 0]);
    }

    #[test]
    fn an_edge_between_two_wefts_counts_once() {
        assert_eq!(scores("Oi00Oi01", "F0001"), [1, 0]);
        assert_eq!(scores("Oi00Bi01", "F0001"), [0, 0]);
        assert_eq!(scores("Oi01Oi00", "S0001L0002E0102"), [0, 0]);
    }

    proptest! {
        /// Two ways to find the strings agree, on any tiles and any types.
        #[test]
        fn the_strings_add_up_to_the_score(state in state()) {
            let mut sums = [0; 2];
            for string in strings(&state.board, &state.position) {
                if let Some(winner) = string.winner {
                    sums[winner.index()] += string.edges.len() as u32;
                }
            }
            prop_assert_eq!(score(&state.board, &state.position), sums);
        }
    }
}
