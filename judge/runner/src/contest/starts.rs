//! Pairs that start alike. They are not independent evidence, even with different seeds.

use std::collections::BTreeMap;

use judge_arena::Pairing;
use judge_core::{Purpose, Seat, Seed, digest};
use judge_games::{Game, GameState, Step};

use super::{StartPosition, opening};

/// Hash of the start of a pairing's first pair: the opening, and the later luck if it does not
/// depend on the players. Equal starts have the same hash, in every run and for all players.
pub(crate) fn key(game: &dyn Game, pairing: &Pairing) -> u64 {
    let parts =
        [opening(game, pairing, 0), course(game, pairing, 0)].map(Option::unwrap_or_default);
    let hash = digest(parts.join("\n").as_bytes());
    hash.bytes().iter().take(8).fold(0, |key, byte| key << 8 | u64::from(*byte))
}

/// Maximum number of answers in a round that is played to check for later luck.
const LONGEST: usize = 4096;

/// The starts of a match's or tournament's pairs.
///
/// A start is the part of a round that the seed determines: the state at the first question, and
/// any later luck (tiles drawn during the game). It excludes the players' choices.
pub(crate) struct Starts<'a> {
    game: &'a dyn Game,
    pairing: &'a Pairing,
    /// The first pair with each opening state.
    states: BTreeMap<[u8; 32], u64>,
    /// The start of each known pair, as the number of the first pair with that start.
    known: BTreeMap<u64, u64>,
    /// True if there is later luck. It is checked when two states are equal.
    later: Option<bool>,
    /// The position in which all rounds start, if it is not the first one.
    position: Option<&'a StartPosition>,
}

impl<'a> Starts<'a> {
    /// Creates the starts of pairs with the seeds of this pairing.
    pub(crate) fn new(game: &'a dyn Game, pairing: &'a Pairing) -> Starts<'a> {
        let (states, known) = (BTreeMap::new(), BTreeMap::new());
        Starts { game, pairing, states, known, later: None, position: None }
    }

    /// The same pairs, with all rounds started from this position, if there is one.
    pub(crate) fn at(self, position: Option<&'a StartPosition>) -> Starts<'a> {
        Starts { position, ..self }
    }

    /// The start of that pair, as the number of the first known pair with the same start.
    pub(crate) fn number(&mut self, pair: u64) -> u64 {
        if let Some(start) = self.known.get(&pair) {
            return *start;
        }
        let start = self.found(pair);
        self.known.insert(pair, start);
        start
    }

    /// Number of different starts among the first pairs.
    pub(crate) fn distinct(&mut self, pairs: u64) -> u64 {
        (0..pairs).filter(|pair| self.number(*pair) == *pair).count() as u64
    }

    fn found(&mut self, pair: u64) -> u64 {
        if let Some(position) = self.position {
            let Some(course) = position.course(self.pairing.seed(pair)) else { return pair };
            let key = *digest(course.as_bytes()).bytes();
            return *self.states.entry(key).or_insert(pair);
        }
        if self.later == Some(true) {
            return pair;
        }
        let Some(state) = opening(self.game, self.pairing, pair) else { return pair };
        let key = *digest(state.as_bytes()).bytes();
        let first = *self.states.entry(key).or_insert(pair);
        if first == pair {
            return pair;
        }
        let (game, pairing) = (self.game, self.pairing);
        let differ = || course(game, pairing, first) != course(game, pairing, pair);
        if *self.later.get_or_insert_with(differ) { pair } else { first }
    }
}

/// All messages and questions in a round with that pair's seed, in which both sides draw their
/// answers from one fixed random source.
fn course(game: &dyn Game, pairing: &Pairing, pair: u64) -> Option<String> {
    let mut running: Box<dyn GameState> = game.start(&pairing.options, pairing.seed(pair)).ok()?;
    let mut told = String::new();
    match comes_to_a_question(running.as_mut(), &mut told) {
        true => play_on(running.as_mut(), told),
        false => Some(told),
    }
}

/// Continues such a round from a pending question to its end, after these lines.
pub(super) fn play_on(running: &mut dyn GameState, mut told: String) -> Option<String> {
    let mut random = Seed(0).random(Purpose::Bot(Seat::One));
    for _ in 0..LONGEST {
        let answers = running.legal();
        let count = u32::try_from(answers.len()).ok().filter(|count| *count > 0)?;
        running.answer(&answers[random.below(count) as usize]).ok()?;
        if !comes_to_a_question(running, &mut told) {
            break;
        }
    }
    Some(told)
}

/// Adds all lines up to the next question; returns false at the end of the round.
fn comes_to_a_question(running: &mut dyn GameState, told: &mut String) -> bool {
    let mut line = String::new();
    loop {
        line.clear();
        let step = running.step(&mut line);
        told.extend([line.as_str(), "\n"]);
        match step {
            Step::Tell(_) => {}
            Step::Ask(_) => return true,
            Step::End(_) => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use judge_core::{Limits, SeatSpec};

    use super::*;

    fn distinct(game: &str, options: &[(&str, &str)], pairs: u64) -> u64 {
        let random = || SeatSpec::Reference { name: "random".to_owned() };
        let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
        let pairing = Pairing {
            game: game.to_owned(),
            options: options.iter().map(owned).collect(),
            seed: Seed(1),
            limits: Limits::COURSE,
            players: [random(), random()],
            modules: [None, None],
        };
        let game = judge_games::find(game).expect("a game");
        Starts::new(game, &pairing).distinct(pairs)
    }

    #[test]
    fn games_of_luck_have_as_many_starts_as_seeds() {
        for game in ["mahjong", "patchwork"] {
            assert_eq!(distinct(game, &[], 100), 100, "{game}");
        }
        // Its tiles are drawn later, and many seeds begin with the same tile.
        assert_eq!(distinct("agamemnon", &[], 300), 300);
    }

    #[test]
    fn games_without_luck_have_a_start_per_distinct_opening() {
        assert_eq!(distinct("cc", &[("size", "5"), ("opening", "1")], 200), 9);
        assert_eq!(distinct("cc", &[("opening", "0")], 50), 1);
        assert_eq!(distinct("amazons", &[("opening", "0")], 50), 1);
        assert_eq!(distinct("amazons", &[("opening", "4")], 50), 50);
    }

    #[test]
    fn equal_starts_have_equal_keys() {
        for (game, opening) in [("cc", "0"), ("cc", "1"), ("mahjong", ""), ("agamemnon", "")] {
            let random = || SeatSpec::Reference { name: "random".to_owned() };
            let options = [("opening", opening)].into_iter().filter(|(_, moves)| !moves.is_empty());
            let options = options.map(|(key, value)| (key.to_owned(), value.to_owned()));
            let pairing = Pairing {
                game: game.to_owned(),
                options: options.collect(),
                seed: Seed(1),
                limits: Limits::COURSE,
                players: [random(), random()],
                modules: [None, None],
            };
            let found = judge_games::find(game).expect("a game");
            let mut starts = Starts::new(found, &pairing);
            let keys: Vec<u64> = (0..40)
                .map(|pair| key(found, &Pairing { seed: pairing.seed(pair), ..pairing.clone() }))
                .collect();
            for (one, other) in (0..40).flat_map(|one| (0..one).map(move |other| (one, other))) {
                let same = starts.number(one) == starts.number(other);
                assert_eq!(
                    keys[one as usize] == keys[other as usize],
                    same,
                    "{game} {one} {other}"
                );
            }
        }
    }

    #[test]
    fn a_start_is_named_by_the_first_pair_that_has_it() {
        let random = || SeatSpec::Reference { name: "random".to_owned() };
        let pairing = Pairing {
            game: "cc".to_owned(),
            options: [("opening".to_owned(), "0".to_owned())].into(),
            seed: Seed(9),
            limits: Limits::COURSE,
            players: [random(), random()],
            modules: [None, None],
        };
        let mut starts = Starts::new(judge_games::find("cc").expect("a game"), &pairing);
        assert_eq!([5, 3, 5, 100].map(|pair| starts.number(pair)), [5; 4]);
    }
}
