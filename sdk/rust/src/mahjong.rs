//! Arcade mahjong: a trait with the callbacks of the course's lab, on the referee's own rules.

pub use judge_core::Seat;
pub use judge_games::mahjong::{
    Hand, PATTERNS, Pattern, Rules, Score, Suit, Tile, TileSet, distance, faan, faan_with,
    round_score, score, useful_tiles,
};

use crate::Bot;
use crate::greeting;

/// A mahjong player. A new one is made (by `Default`) for each round.
pub trait Brain {
    /// The seat and the rules of this testcase; comes once, before the first tile.
    fn rules(&mut self, seat: Seat, rules: &Rules) {
        let _ = (seat, rules);
    }

    /// A tile drawn: 13 times at the start, then once a turn. A drawn tile that completes the hand
    /// is first offered by [`Brain::win`], and comes here only if the bot declines.
    fn draw(&mut self, tile: Tile);

    /// The tile to throw, one of the 14 in hand.
    fn discard(&mut self) -> Tile;

    /// A tile that the opponent threw.
    fn opponent_discard(&mut self, tile: Tile) {
        let _ = tile;
    }

    /// True to win with this tile: the one just drawn, or the one that the opponent just threw.
    fn win(&mut self, tile: Tile, self_draw: bool) -> bool {
        let _ = (tile, self_draw);
        true
    }
}

/// A [`Brain`] as a [`Bot`].
#[derive(Debug, Default)]
pub struct Adapter<B>(B);

impl<B: Brain> Bot for Adapter<B> {
    fn line(&mut self, line: &str, answer: &mut String) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "draw" => self.with_tile(rest, Brain::draw),
            "opponent" => self.with_tile(rest, Brain::opponent_discard),
            "discard?" => answer.push_str(self.0.discard().name()),
            "win?" => answer.push_str(if self.win(rest) { "yes" } else { "no" }),
            "game" => {
                if let Some((seat, rules)) = greeting::rules(rest, Rules::from_options) {
                    self.0.rules(seat, &rules);
                }
            }
            _ => {}
        }
    }
}

impl<B: Brain> Adapter<B> {
    fn with_tile(&mut self, text: &str, callback: fn(&mut B, Tile)) {
        if let Ok(tile) = text.parse() {
            callback(&mut self.0, tile);
        }
    }

    fn win(&mut self, rest: &str) -> bool {
        let Some((tile, how)) = rest.split_once(' ') else { return false };
        tile.parse().is_ok_and(|tile| self.0.win(tile, how == "self"))
    }
}

/// Exports a type that implements [`Brain`] and [`Default`] as the module's bot.
#[macro_export]
macro_rules! mahjong_bot {
    ($brain:ty, name: $name:literal, author: $author:literal) => {
        $crate::bot!(
            <$crate::mahjong::Adapter<$brain> as Default>::default(),
            game: "mahjong",
            name: $name,
            author: $author
        );
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Witness {
        hand: Hand,
        seen: Vec<Tile>,
        seat: Option<Seat>,
        void_suit: bool,
    }

    impl Brain for Witness {
        fn rules(&mut self, seat: Seat, rules: &Rules) {
            self.seat = Some(seat);
            self.void_suit = rules.void_suit && rules.factor(Pattern::SevenPairs) == 9;
        }
        fn draw(&mut self, tile: Tile) {
            self.hand.insert(tile).unwrap();
        }
        fn discard(&mut self) -> Tile {
            self.hand.largest().unwrap()
        }
        fn opponent_discard(&mut self, tile: Tile) {
            self.seen.push(tile);
        }
        fn win(&mut self, _tile: Tile, self_draw: bool) -> bool {
            self_draw
        }
    }

    fn ask(bot: &mut impl Bot, line: &str) -> String {
        let mut answer = String::new();
        bot.line(line, &mut answer);
        answer
    }

    #[test]
    fn lines_become_callbacks() {
        let mut bot = Adapter::<Witness>::default();
        let greeting = "game mahjong seat 1 void_suit=true all_triplets=2 seven_pairs=9 root=2";
        assert_eq!(ask(&mut bot, greeting), "");
        assert_eq!((bot.0.seat, bot.0.void_suit), (Some(Seat::One), true));
        assert_eq!(ask(&mut bot, "draw 3b") + &ask(&mut bot, "draw 9d"), "");
        assert_eq!(ask(&mut bot, "discard?"), "9d");
        assert_eq!(ask(&mut bot, "opponent 5c"), "");
        assert_eq!(bot.0.seen, ["5c".parse().unwrap()]);
        assert_eq!(ask(&mut bot, "win? 7d self"), "yes");
        assert_eq!(ask(&mut bot, "win? 7d discard"), "no");
        assert_eq!(ask(&mut bot, "end win 38 0"), "");
    }
}
