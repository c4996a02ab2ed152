//! The number of different starts before a run, and a note if there are few.

use judge_arena::Pairing;
use judge_games::Game;

use super::{StartPosition, Starts};

/// Number of seeds to try before the seed is known to have no effect.
const SEEDS_TRIED: u64 = 8;

/// Maximum number of pairs to check before a run.
const LOOKED_AT: u64 = 16_384;

/// Maximum number of pairs to check if they start from a saved position, because each is played.
const LOOKED_AT_FROM_POSITION: u64 = 1024;

/// The number of pairs that start differently, as far as it was checked before the run.
#[derive(Debug, Clone)]
pub(crate) struct Outlook {
    /// Number of requested pairs.
    pairs: u64,
    /// Number of pairs that were checked.
    looked: u64,
    /// Number of different starts among these.
    pub(crate) distinct: u64,
    /// True if the seed has no effect on any pair.
    idle: bool,
    /// A way to get more starts, if the game has one.
    pub(crate) hint: Option<String>,
}

impl Outlook {
    pub(crate) fn new(game: &dyn Game, pairing: &Pairing, pairs: u64) -> Outlook {
        let mut starts = Starts::new(game, pairing);
        let looked = pairs.min(LOOKED_AT);
        let idle = starts.distinct(looked.max(SEEDS_TRIED)) == 1;
        let hint = hint_of_openings(game, pairing);
        Outlook { pairs, looked, distinct: starts.distinct(looked), idle, hint }
    }

    /// The pairs from this position, if there is one, otherwise from the start of the game.
    pub(crate) fn from_position(
        game: &dyn Game,
        pairing: &Pairing,
        pairs: u64,
        position: Option<&StartPosition>,
    ) -> Outlook {
        if position.is_none() {
            return Outlook::new(game, pairing, pairs);
        }
        let mut starts = Starts::new(game, pairing).at(position);
        let looked = pairs.min(LOOKED_AT_FROM_POSITION);
        let idle = starts.distinct(looked.max(SEEDS_TRIED)) == 1;
        Outlook { pairs, looked, distinct: starts.distinct(looked), idle, hint: None }
    }

    /// True if the seed has no effect on any pair.
    pub(crate) fn is_idle(&self) -> bool {
        self.idle
    }

    /// True if there are fewer starts than `needed`. If not all pairs were checked and most of them
    /// start differently, there are more.
    pub(crate) fn lacks(&self, needed: u64) -> bool {
        self.distinct < needed && (self.looked == self.pairs || 2 * self.distinct < self.looked)
    }

    /// A note for users if pairs repeat each other.
    pub(crate) fn note(&self, game: &dyn Game) -> Option<String> {
        let Outlook { pairs, looked, distinct, idle, .. } = *self;
        let hint = self.hint.as_ref().map_or(String::new(), |hint| format!(" ({hint})"));
        if idle {
            return Some(format!(
                "with these options the seed changes nothing in {}: players without randomness \
                 repeat the same pair, which counts once{hint}",
                game.title()
            ));
        }
        (distinct < looked).then(|| {
            let of = if looked < pairs { format!("the first {looked}") } else { pairs.to_string() };
            format!(
                "only {distinct} of {of} pairs begin differently: those that begin alike count as \
                 one, so more than `--rounds {}` adds little{hint}",
                2 * distinct
            )
        })
    }
}

/// A note for users if the seed has no effect.
pub(crate) fn note_of_luck(game: &dyn Game, pairing: &Pairing) -> Option<String> {
    Outlook::new(game, pairing, 1).note(game)
}

/// The way to get more starts, if the game has one: a larger number of random moves.
fn hint_of_openings(game: &dyn Game, pairing: &Pairing) -> Option<String> {
    let option = game.options().iter().find(|option| option.key == "opening")?;
    let present = pairing.options.get(option.key).and_then(|moves| moves.parse::<u64>().ok());
    let moves = present.filter(|present| *present >= 4).map_or(4, |present| 2 * present);
    let mut options = pairing.options.clone();
    options.insert(option.key.to_owned(), moves.to_string());
    game.start(&options, pairing.seed).ok()?;
    Some(format!("`--option opening={moves}` begins each pair with {moves} moves at random"))
}

#[cfg(test)]
mod tests {
    use judge_core::{Limits, SeatSpec, Seed};

    use super::*;

    #[test]
    fn a_longer_random_opening_is_proposed() {
        let pairing = |opening: &str| Pairing {
            game: "cc".to_owned(),
            options: [("opening".to_owned(), opening.to_owned())].into(),
            seed: Seed(1),
            limits: Limits::COURSE,
            players: ["a", "b"].map(|name| SeatSpec::Reference { name: name.to_owned() }),
            modules: [None, None],
        };
        let cc = judge_games::find("cc").expect("a game");
        let proposed = |opening: &str| super::hint_of_openings(cc, &pairing(opening));
        assert!(proposed("1").expect("a hint").contains("`--option opening=4`"));
        assert!(proposed("6").expect("a hint").contains("`--option opening=12`"));
        assert_eq!(proposed("20"), None, "there may be no more than 20");
        let mahjong = judge_games::find("mahjong").expect("a game");
        assert_eq!(super::hint_of_openings(mahjong, &pairing("1")), None);
    }
}
