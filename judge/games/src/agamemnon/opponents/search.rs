//! Plays out the rest of the game many times, with the tiles that may come in random order. It
//! knows the board and both bags, which are open, but not the order of the tiles to come.

use judge_core::{Random, Seat};

use super::effects::for_each_effect;
use super::{Action, Draw, State, Strategy, lead};
use crate::agamemnon::board::bits;
use crate::agamemnon::{Bag, Board, Kind, Placement, Position};

/// Approximate number of scores computed for one move: work is bounded by this, not by time.
const WORK: usize = 8_000;

/// The actions that are best at once; only these are played out.
const CANDIDATES: usize = 16;

/// Nodes tried for each tile of a playout.
const TRIES: u32 = 4;

/// Most playouts for one action: enough to separate the last few.
const MOST_PLAYOUTS: usize = 256;

/// Chooses by the mean lead at the end of the game.
pub(super) struct Search(Random);

/// An action, the position after it, and the sum of the leads in its playouts.
#[derive(Clone, Copy)]
struct Candidate {
    action: Action,
    after: Position,
    value: i64,
}

impl Search {
    pub(super) fn new(random: Random) -> Search {
        Search(random)
    }

    /// The tiles to come, of each side in a random order.
    fn future(&mut self, position: &Position) -> [Vec<Kind>; 2] {
        Seat::BOTH.map(|seat| {
            let mut bag = Bag::from_position(position, seat);
            std::iter::from_fn(|| bag.draw(&mut self.0)).collect()
        })
    }

    /// Plays to the end; each tile goes to the best of a few nodes. Returns the lead of `seat`.
    fn play_out(
        &mut self,
        board: &Board,
        mut position: Position,
        future: &[Vec<Kind>; 2],
        seat: Seat,
    ) -> i64 {
        let mut used = [0; 2];
        while !position.is_over() {
            let mover = position.to_move();
            let number = &mut used[mover.index()];
            let Some(kind) = future[mover.index()].get(*number) else { break };
            *number += 1;
            let Some(next) = self.place_well(board, &position, mover, *kind) else { break };
            position = next;
        }
        lead(board, &position, seat)
    }

    /// The best of some positions after placing a tile.
    fn place_well(
        &mut self,
        board: &Board,
        position: &Position,
        mover: Seat,
        kind: Kind,
    ) -> Option<Position> {
        let empty = position.empty(board);
        let tries = (0..TRIES).filter_map(|_| {
            let node = pick(empty, &mut self.0)?;
            let warp = match kind {
                Kind::Warp => Some([(); 2].map(|()| pick(board.neighbours(node), &mut self.0))),
                _ => None,
            };
            let warp = warp.and_then(|[one, other]| Some([one?, other?]));
            let mut next = *position;
            let placement = Placement { kind, node, warp };
            next.play_unchecked(board, &Action::new(mover, placement, None));
            Some((lead(board, &next, mover), next))
        });
        tries.max_by_key(|(value, _)| *value).map(|(_, position)| position)
    }
}

/// A random one of these nodes.
fn pick(nodes: u64, random: &mut Random) -> Option<u8> {
    let count = nodes.count_ones();
    if count == 0 { None } else { bits(nodes).nth(random.below(count) as usize) }
}

/// The actions that are best at once, the best first.
fn candidates(state: &State, draw: &Draw, seat: Seat) -> Vec<Candidate> {
    let mut best: Vec<Candidate> = Vec::with_capacity(CANDIDATES + 1);
    for_each_effect(state, draw, |action, after| {
        let value = lead(&state.board, after, seat);
        if best.len() < CANDIDATES || best.last().is_some_and(|last| value > last.value) {
            let at = best.partition_point(|candidate| candidate.value >= value);
            best.insert(at, Candidate { action: *action, after: *after, value });
            best.truncate(CANDIDATES);
        }
    });
    best
}

impl Strategy for Search {
    /// A Warp late in the game moves strings that have been built by then.
    fn puts_back(&mut self) -> bool {
        true
    }

    fn choose(&mut self, state: &State, draw: &Draw) -> Option<Action> {
        let seat = state.position.to_move();
        let mut candidates = candidates(state, draw, seat);
        let after = candidates.first()?.after;
        let left = Position::TILES.saturating_sub(after.len());
        if left == 0 {
            return candidates.first().map(|best| best.action);
        }
        let playout = candidates.len() * (left * TRIES as usize + 1);
        candidates.iter_mut().for_each(|candidate| candidate.value = 0);
        for _ in 0..(WORK / playout).clamp(1, MOST_PLAYOUTS) {
            // The same tiles come to every candidate, so that luck affects all alike.
            let future = self.future(&after);
            for candidate in &mut candidates {
                candidate.value += self.play_out(&state.board, candidate.after, &future, seat);
            }
        }
        candidates.iter().rev().max_by_key(|candidate| candidate.value).map(|best| best.action)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agamemnon::STANDARD_EDGES;
    use judge_core::{Purpose, Seed};

    fn player(seed: u64) -> Search {
        Search::new(Seed(seed).random(Purpose::Opponent(Seat::One)))
    }

    #[test]
    fn equal_seeds_give_equal_choices() {
        let state = State::parse("Oa14", STANDARD_EDGES).expect("a state");
        let draw = "cf".parse().expect("a draw");
        let [one, two] = [(); 2].map(|()| player(4).choose(&state, &draw));
        assert!(one.is_some() && one == two);
    }

    /// Every order of the tiles that both sides still have comes up, and nothing else.
    #[test]
    fn sampled_futures_use_the_remaining_tiles() {
        let state = State::parse("Oa14Bb15Bj16Oc17Of18", STANDARD_EDGES).expect("a state");
        let mut player = player(1);
        let futures: Vec<_> = (0..50).map(|_| player.future(&state.position)).collect();
        for [one, two] in &futures {
            let mut sorted = [one.clone(), two.clone()];
            sorted.iter_mut().for_each(|tiles| tiles.sort_unstable());
            let letters = sorted.map(|tiles| tiles.iter().map(|k| k.letter()).collect::<String>());
            assert_eq!(letters, ["bdeffgghiijj", "acdefffgghiij"]);
        }
        let firsts: std::collections::BTreeSet<_> = futures.iter().map(|[one, _]| one[0]).collect();
        assert!(firsts.len() >= 6, "{firsts:?}");
    }

    /// When no tiles are to come, the action that is best at once is the best of all.
    #[test]
    fn the_last_tile_is_placed_for_the_score() {
        let tiles = "Og30Bh11Bf23Oh14Oa04Bb21Ba20Of02Od27Bi13Bc05Of06Og28Bg29Be24Oe00Oj19Bg22Bf07\
                     Oi26Oj09Bj15Bd10Oc03Oi18Bj25Bi31Of16Ob12";
        let state = State::parse(tiles, STANDARD_EDGES).expect("a state");
        let draw = "f".parse().expect("a draw");
        let action = player(1).choose(&state, &draw).expect("an action");
        let best = candidates(&state, &draw, Seat::Two);
        assert_eq!(best.len(), 3);
        assert!(best.is_sorted_by(|one, other| one.value >= other.value));
        assert_eq!(action, best[0].action);
    }
}
