//! The effects of a tile and of a turn, valued by the lead right after it.

use std::cmp::Reverse;

use judge_bot::agamemnon::{
    Action, Board, Draw, Kind, Links, Placement, Position, Seat, State, score,
};

/// Places of the first tile after which the second is tried.
const PLACES: usize = 20;

/// An action of a side, and its result.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) action: Action,
    pub(crate) after: Position,
    /// The lead of that side.
    pub(crate) lead: i64,
}

/// Number of edges that a side has won, minus those of the other side.
pub(crate) fn lead(won: [u32; 2], seat: Seat) -> i64 {
    i64::from(won[seat.index()]) - i64::from(won[seat.other().index()])
}

fn bits(set: u64) -> impl Iterator<Item = u8> {
    (0..64).filter(move |bit| set >> bit & 1 == 1)
}

/// Every effect that placing one tile can have, with or without exchanges of edges.
fn places(board: &Board, position: &Position, kind: Kind, exchanges: bool) -> Vec<Candidate> {
    let seat = position.to_move();
    let placements = bits(position.empty(board)).flat_map(|node| {
        let mut warps = if kind == Kind::Warp { warps(board, position, node) } else { vec![None] };
        warps.truncate(if exchanges { warps.len() } else { 1 });
        warps.into_iter().map(move |warp| Placement { kind, node, warp })
    });
    let links = Links::new(board, position);
    placements
        .map(|placement| {
            let (action, mut after) = (Action::new(seat, placement, None), *position);
            after.play_unchecked(board, &action);
            let exchanged = after.types() != position.types();
            let won = if exchanged { score(board, &after) } else { links.score(&after) };
            Candidate { action, after, lead: lead(won, seat) }
        })
        .collect()
}

/// The different exchanges at a node: none, and any two edges of two types.
fn warps(board: &Board, position: &Position, node: u8) -> Vec<Option<[u8; 2]>> {
    let kind_to = |end| board.edge(node, end).map(|edge| position.types().get(edge));
    let ends: Vec<u8> = bits(board.neighbours(node)).collect();
    let mut warps: Vec<_> = ends.iter().take(1).map(|end| Some([*end; 2])).collect();
    for (at, one) in ends.iter().enumerate() {
        let others = ends[at + 1..].iter().filter(|other| kind_to(**other) != kind_to(*one));
        warps.extend(others.map(|other| Some([*one, *other])));
    }
    warps
}

/// The position after placing a tile where it is best at once, at the first such place. A Warp
/// exchanges nothing: its exchanges would cost more time than they improve a future.
pub(crate) fn place_well(board: &Board, position: &Position, kind: Kind) -> Option<Position> {
    let places = places(board, position, kind, false);
    places.iter().min_by_key(|place| Reverse(place.lead)).map(|place| place.after)
}

/// The best actions of a turn, the best first, each effect once.
pub(crate) struct Field {
    pub(crate) best: Vec<Candidate>,
    size: usize,
}

impl Field {
    /// At most `size` actions with the drawn tiles.
    pub(crate) fn new(state: &State, drawn: &Draw, size: usize) -> Field {
        let mut field = Field { best: Vec::with_capacity(size + 1), size };
        field.add_in_order(state, drawn);
        if drawn.reversed() != *drawn {
            field.add_in_order(state, &drawn.reversed());
        }
        field
    }

    fn add_in_order(&mut self, state: &State, drawn: &Draw) {
        let State { board, position } = state;
        let Some(first) = drawn.get(0) else { return };
        let mut firsts = places(board, position, first, true);
        firsts.sort_by_key(|place| Reverse(place.lead));
        let Some(second) = drawn.get(1) else {
            return firsts.iter().for_each(|one| self.add(*one));
        };
        for one in firsts.iter().take(PLACES) {
            for other in places(board, &one.after, second, true) {
                self.add(Candidate { action: joined(&one.action, &other.action), ..other });
            }
        }
    }

    /// Inserts a candidate in order, unless there are enough better ones.
    fn add(&mut self, candidate: Candidate) {
        let at = self.best.partition_point(|other| other.lead >= candidate.lead);
        let equals = self.best[..at].iter().rev().take_while(|one| one.lead == candidate.lead);
        if at == self.size || equals.into_iter().any(|equal| same(equal, &candidate)) {
            return;
        }
        self.best.insert(at, candidate);
        self.best.truncate(self.size);
    }
}

/// Two actions as one, in this order.
fn joined(one: &Action, other: &Action) -> Action {
    let mut placements = one.placements().chain(other.placements()).copied();
    let first = placements.next().expect("an action places a tile");
    Action::new(one.seat(), first, placements.next())
}

/// True if two turns have the same effect: the same tiles on the same nodes, and the same types.
fn same(one: &Candidate, other: &Candidate) -> bool {
    let places = |placed: &Placement| {
        other.action.placements().any(|p| (p.node, p.kind) == (placed.node, placed.kind))
    };
    one.after.types() == other.after.types() && one.action.placements().all(places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_bot::agamemnon::{Edge2428, Mapping, State};

    #[test]
    fn candidates_are_legal_distinct_and_sorted() {
        for state in [State::standard(), State::loom(Mapping::DEFAULT, Edge2428::A)] {
            let state = State::parse("Oa14", &state.edges_text()).expect("a state");
            for text in ["fg", "ff", "fj", "jj", "ij"] {
                let drawn = text.parse().expect("a draw");
                let found = Field::new(&state, &drawn, 50).best;
                assert!(found.len() == 50 && found.is_sorted_by_key(|one| Reverse(one.lead)));
                for (number, one) in found.iter().enumerate() {
                    assert!(found[..number].iter().all(|other| !same(one, other)), "{text}");
                }
                for Candidate { action, after, .. } in &found {
                    let State { board, mut position } = state.clone();
                    assert_eq!(position.check(&board, &drawn, action), Ok(()));
                    position.play_unchecked(&board, action);
                    assert_eq!(position, *after);
                }
            }
        }
    }

    #[test]
    fn a_tile_is_placed_where_it_wins_most() {
        let State { board, position } = State::standard();
        let after = place_well(&board, &position, Kind::LeaderA).expect("a place");
        let most = places(&board, &position, Kind::LeaderA, true).iter().map(|p| p.lead).max();
        assert_eq!(Some(lead(score(&board, &after), Seat::One)), most);
        assert_eq!(most, Some(4));
    }
}
