//! What a tile and what a turn can do, judged by the lead right after it.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use judge_bot::agamemnon::{Action, Board, Draw, Kind, Placement, Position, Seat, State, score};

/// Places of the first tile after which the second is tried.
const PLACES: usize = 40;

/// Something that a side can do, and what comes of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) action: Action,
    pub(crate) after: Position,
    /// The lead of the side that does it.
    pub(crate) lead: i64,
}

/// How many edges a side has won more than the other.
pub(crate) fn lead(board: &Board, position: &Position, seat: Seat) -> i64 {
    let won = score(board, position).map(i64::from);
    won[seat.index()] - won[seat.other().index()]
}

fn bits(set: u64) -> impl Iterator<Item = u8> {
    (0..64).filter(move |bit| set >> bit & 1 == 1)
}

/// Every effect that placing one tile can have.
fn places(board: &Board, position: &Position, kind: Kind) -> Vec<Candidate> {
    let seat = position.to_move();
    let placements = bits(position.empty(board)).flat_map(|node| {
        let warps = if kind == Kind::Warp { warps(board, position, node) } else { vec![None] };
        warps.into_iter().map(move |warp| Placement { kind, node, warp })
    });
    placements
        .map(|placement| {
            let (action, mut after) = (Action::new(seat, placement, None), *position);
            after.play_unchecked(board, &action);
            Candidate { action, after, lead: lead(board, &after, seat) }
        })
        .collect()
}

/// The exchanges at a node that differ: none, and any two edges of two types.
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

/// What comes of placing a tile where it is best at once; the first such place.
pub(crate) fn place_well(board: &Board, position: &Position, kind: Kind) -> Option<Position> {
    let places = places(board, position, kind);
    places.iter().min_by_key(|place| Reverse(place.lead)).map(|place| place.after)
}

/// The better things that can be done in a turn, the best first, each effect once.
pub(crate) fn candidates(state: &State, drawn: &Draw) -> Vec<Candidate> {
    let mut found = in_order(state, drawn);
    if drawn.reversed() != *drawn {
        found.extend(in_order(state, &drawn.reversed()));
    }
    let mut seen = BTreeSet::new();
    found.retain(|candidate| seen.insert(effect(candidate)));
    found.sort_by_key(|candidate| Reverse(candidate.lead));
    found
}

fn in_order(state: &State, drawn: &Draw) -> Vec<Candidate> {
    let State { board, position } = state;
    let Some(first) = drawn.get(0) else { return Vec::new() };
    let mut firsts = places(board, position, first);
    let Some(second) = drawn.get(1) else { return firsts };
    firsts.sort_by_key(|place| Reverse(place.lead));
    firsts.truncate(PLACES);
    let both = firsts.iter().flat_map(|one| {
        places(board, &one.after, second).into_iter().map(|other| {
            let mut placements = one.action.placements().chain(other.action.placements()).copied();
            let first = placements.next().expect("an action places a tile");
            let action = Action::new(one.action.seat(), first, placements.next());
            Candidate { action, ..other }
        })
    });
    both.collect()
}

/// What tells one effect of a turn from another: which tiles are where, and the types of edges.
fn effect(candidate: &Candidate) -> (Vec<(u8, Kind)>, String) {
    let placements = candidate.action.placements();
    let mut tiles: Vec<_> = placements.map(|placed| (placed.node, placed.kind)).collect();
    tiles.sort_unstable();
    (tiles, format!("{:?}", candidate.after.types()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_bot::agamemnon::{Mapping, State};

    #[test]
    fn candidates_are_legal_distinct_and_sorted() {
        for state in [State::standard(), State::loom(Mapping::DEFAULT)] {
            let state = State::parse("Oa14", &state.edges_text()).expect("a state");
            for text in ["fg", "ff", "fj", "jj", "ij"] {
                let drawn = text.parse().expect("a draw");
                let found = candidates(&state, &drawn);
                assert!(found.is_sorted_by_key(|candidate| Reverse(candidate.lead)));
                let effects: BTreeSet<_> = found.iter().map(effect).collect();
                assert_eq!(effects.len(), found.len(), "{text}");
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
    fn a_tile_goes_where_it_wins_most() {
        // A leader on L 0203, 0204, 0306 and F 0206 wins three edges on 02 or 03, on 14 three.
        let State { board, position } = State::standard();
        let after = place_well(&board, &position, Kind::LeaderA).expect("a place");
        let most = places(&board, &position, Kind::LeaderA).iter().map(|p| p.lead).max();
        assert_eq!(Some(lead(&board, &after, Seat::One)), most);
        assert_eq!(most, Some(4));
    }
}
