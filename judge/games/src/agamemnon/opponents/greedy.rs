//! Takes the best turn at once: the largest lead in edges after its own turn.

use super::effects::for_each_effect;
use super::{Action, Draw, State, Strategy, lead};

/// Looks at every effect of its turn and no further; draws one among equally good ones.
pub(super) struct Greedy(judge_core::Random);

impl Greedy {
    pub(super) fn new(random: judge_core::Random) -> Greedy {
        Greedy(random)
    }
}

impl Strategy for Greedy {
    fn puts_back(&mut self) -> bool {
        false
    }

    fn choose(&mut self, state: &State, draw: &Draw) -> Option<Action> {
        let seat = state.position.to_move();
        let (mut best, mut equal) = (None, 0);
        for_each_effect(state, draw, |action, after| {
            let value = lead(&state.board, after, seat);
            let known = best.map(|(value, _)| value);
            equal = if known == Some(value) { equal + 1 } else { 1 };
            // Gives each of `equal` best actions the same chance to stay.
            if known < Some(value) || (known == Some(value) && self.0.below(equal) == 0) {
                best = Some((value, *action));
            }
        });
        best.map(|(_, action)| action)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agamemnon::STANDARD_EDGES;
    use judge_core::{Purpose, Seat, Seed};

    #[test]
    fn greedy_takes_the_most_edges() {
        let state = State::parse("", STANDARD_EDGES).expect("a state");
        let draw = "c".parse().expect("a draw");
        let mut leads = Vec::new();
        for_each_effect(&state, &draw, |_, after| leads.push(lead(&state.board, after, Seat::One)));
        for seed in 0..20 {
            let mut player = Greedy::new(Seed(seed).random(Purpose::Opponent(Seat::One)));
            let action = player.choose(&state, &draw).expect("an action");
            let mut after = state.position;
            after.play_unchecked(&state.board, &action);
            let found = lead(&state.board, &after, Seat::One);
            assert_eq!(Some(&found), leads.iter().max(), "{action}");
        }
    }
}
