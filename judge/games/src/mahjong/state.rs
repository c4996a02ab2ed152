//! A round as one line of text, and back: the pending question, and the place of each of the 108
//! tiles.
//!
//! `discard 1 9d 1112345678999c9d 1245789b147c147d - - 3d3c…`: the question, the side on turn, the
//! tile in question, both hands, both rivers, and the wall, next tile first.

use std::fmt::{self, Write as _};

use judge_core::{Purpose, Seat, Seed};

use super::notation::each_tile;
use super::round::{Ending, MAX_TURNS, Phase};
use super::{Hand, HandError, Round, Rules, Tile, TileError, Wall, faan_with};
use crate::text::excerpt;

/// The word for no tile, or for no tiles.
const NONE: &str = "-";

/// The word for a wall in the order that the seed decides.
const ANY_ORDER: &str = "?";

/// Tiles of the whole set.
const TILES: usize = Tile::KINDS * Tile::COPIES as usize;

/// Tiles of a hand before it draws.
const HELD: usize = 13;

/// The stage of a round, without parts that the rest of the state shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Draw,
    WinSelf,
    Discard,
    WinDiscard,
    WonSelf,
    WonDiscard,
    Empty,
}

/// The first words of states.
const STAGES: [(Stage, &str); 7] = [
    (Stage::Draw, "draw"),
    (Stage::WinSelf, "win-self"),
    (Stage::Discard, "discard"),
    (Stage::WinDiscard, "win-discard"),
    (Stage::WonSelf, "won-self"),
    (Stage::WonDiscard, "won-discard"),
    (Stage::Empty, "empty"),
];

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(STAGES[*self as usize].1)
    }
}

/// A part of a state that holds tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The tile in question.
    Tile,
    /// The hand of a seat.
    Hand(Seat),
    /// The river of a seat.
    River(Seat),
    /// The wall.
    Wall,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Tile => f.write_str("tile"),
            Place::Hand(seat) => write!(f, "hand {seat}"),
            Place::River(seat) => write!(f, "river {seat}"),
            Place::Wall => f.write_str("wall"),
        }
    }
}

/// The reason why a text is not a state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum StateError {
    #[error(
        "expected 8 words, with one space between them (question, seat on turn, tile, hand 1, \
         hand 2, river 1, river 2, wall), found {0}"
    )]
    Words(usize),
    #[error(
        "question `{0}`: expected `draw`, `win-self`, `discard`, `win-discard`, `won-self`, \
         `won-discard` or `empty`"
    )]
    Stage(String),
    #[error("seat on turn `{0}`: expected `1` or `2`")]
    Seat(String),
    #[error("tile `{0}`: expected `-` with `{1}`")]
    NoTile(String, &'static str),
    #[error("tile: {0}")]
    Tile(#[from] TileError),
    #[error("{0}: {1}")]
    Tiles(Place, HandError),
    #[error("{0}: number of tiles: expected {1}, found {2}")]
    Len(Place, usize, usize),
    #[error("{0}: number of tiles: expected {1} to {2}, found {3}")]
    Range(Place, usize, usize, usize),
    #[error("tile `{0}` was drawn, but is not in {1}")]
    NotHeld(Tile, Place),
    #[error("{0} with `{1}` does not win")]
    NoWin(Place, Tile),
    #[error(
        "question `empty`: tiles that are neither in a hand nor in a river: expected 0, found {0}"
    )]
    NotEmpty(usize),
}

/// The state at the next question or the end.
pub(super) fn print(round: &Round) -> String {
    let mut asked = round.clone();
    asked.advance();
    let (stage, tile) = match asked.phase() {
        Phase::OfferDraw(tile, _) => (Stage::WinSelf, Some(tile)),
        Phase::Discard(tile) => (Stage::Discard, Some(tile)),
        Phase::OfferDiscard(tile, _) => (Stage::WinDiscard, Some(tile)),
        Phase::Over(Ending::SelfDraw(tile, _)) => (Stage::WonSelf, Some(tile)),
        Phase::Over(Ending::Discard(tile, _)) => (Stage::WonDiscard, Some(tile)),
        _ => (Stage::Empty, None),
    };
    let mut text = format!("{stage} {} {}", asked.turn(), tile.map_or(NONE, Tile::name));
    Seat::BOTH.iter().for_each(|seat| push(&mut text, &asked.hand(*seat).to_string()));
    Seat::BOTH.iter().for_each(|seat| push(&mut text, &row(asked.river(*seat).iter())));
    push(&mut text, &row(asked.wall().tiles().iter().rev()));
    text
}

/// Adds a word, which may be empty.
fn push(text: &mut String, word: &str) {
    // Writing into a string cannot fail.
    let _ = write!(text, " {}", if word.is_empty() { NONE } else { word });
}

/// Tiles in their order.
fn row<'a>(tiles: impl Iterator<Item = &'a Tile>) -> String {
    tiles.map(|tile| tile.name()).collect()
}

/// Reads a state; the seed decides the order of the wall if the text does not give it.
pub(super) fn parse(text: &str, rules: Rules, seed: Seed) -> Result<Round, StateError> {
    let words: Vec<&str> = text.split(' ').collect();
    let [stage, seat, tile, hand_1, hand_2, river_1, river_2, wall] = words[..] else {
        return Err(StateError::Words(words.len()));
    };
    let stage = read_stage(stage)?;
    let turn = read_seat(seat)?;
    let tile = read_tile(tile, stage)?;
    let mut counter = Counter(Hand::EMPTY);
    if let Some(tile) = tile.filter(|_| stage != Stage::Discard) {
        counter.count(Place::Tile, tile.name())?;
    }
    let hands = [
        counter.hand(Seat::One, hand_1, stage, turn)?,
        counter.hand(Seat::Two, hand_2, stage, turn)?,
    ];
    let rivers = counter.rivers([river_1, river_2], turn)?;
    let wall = counter.wall(wall, stage, seed)?;
    let phase = phase(stage, turn, tile, &hands, &rules)?;
    let rivers = [&rivers[0][..], &rivers[1][..]];
    Ok(Round::resumed(rules, wall, hands, rivers, (turn, phase)))
}

fn read_stage(word: &str) -> Result<Stage, StateError> {
    let known = STAGES.iter().find(|(_, name)| *name == word);
    known.map(|(stage, _)| *stage).ok_or_else(|| StateError::Stage(excerpt(word)))
}

fn read_seat(word: &str) -> Result<Seat, StateError> {
    match word {
        "1" => Ok(Seat::One),
        "2" => Ok(Seat::Two),
        other => Err(StateError::Seat(excerpt(other))),
    }
}

/// The tile in question; none at a stage without a drawn or thrown tile.
fn read_tile(word: &str, stage: Stage) -> Result<Option<Tile>, StateError> {
    match stage {
        Stage::Draw | Stage::Empty if word == NONE => Ok(None),
        Stage::Draw | Stage::Empty => {
            Err(StateError::NoTile(excerpt(word), STAGES[stage as usize].1))
        }
        _ => Ok(Some(word.parse()?)),
    }
}

/// The next step in a round with valid tiles.
fn phase(
    stage: Stage,
    turn: Seat,
    tile: Option<Tile>,
    hands: &[Hand; 2],
    rules: &Rules,
) -> Result<Phase, StateError> {
    let Some(tile) = tile else {
        let over = stage == Stage::Empty;
        return Ok(if over { Phase::Over(Ending::WallEmpty) } else { Phase::Turn });
    };
    let wins = |seat: Seat| match faan_with(&hands[seat.index()], tile, rules) {
        0 => Err(StateError::NoWin(Place::Hand(seat), tile)),
        faan => Ok(faan),
    };
    Ok(match stage {
        Stage::WinSelf => Phase::OfferDraw(tile, wins(turn)?),
        Stage::WinDiscard => Phase::OfferDiscard(tile, wins(turn.other())?),
        Stage::WonSelf => Phase::Over(Ending::SelfDraw(tile, wins(turn)?)),
        Stage::WonDiscard => Phase::Over(Ending::Discard(tile, wins(turn.other())?)),
        _ if hands[turn.index()].contains(tile) => Phase::Discard(tile),
        _ => return Err(StateError::NotHeld(tile, Place::Hand(turn))),
    })
}

/// All tiles read so far, to find a fifth one of a kind.
struct Counter(Hand);

impl Counter {
    /// The tiles of a word, in its order.
    fn count(&mut self, place: Place, word: &str) -> Result<Vec<Tile>, StateError> {
        let mut tiles = Vec::new();
        let word = if word == NONE { "" } else { word };
        let counted = each_tile(word, |tile| {
            tiles.push(tile);
            self.0.insert(tile)
        });
        counted.map(|()| tiles).map_err(|error| StateError::Tiles(place, error))
    }

    fn hand(
        &mut self,
        seat: Seat,
        word: &str,
        stage: Stage,
        turn: Seat,
    ) -> Result<Hand, StateError> {
        let place = Place::Hand(seat);
        let tiles = self.count(place, word)?;
        let has_drawn = stage == Stage::Discard && seat == turn;
        let expected = HELD + usize::from(has_drawn);
        if tiles.len() != expected {
            return Err(StateError::Len(place, expected, tiles.len()));
        }
        Hand::from_tiles(tiles).map_err(|error| StateError::Tiles(place, error))
    }

    /// Both rivers: equally long before seat 1's turn, the first longer by one before seat
    /// 2's.
    fn rivers(&mut self, words: [&str; 2], turn: Seat) -> Result<[Vec<Tile>; 2], StateError> {
        let ahead = turn.index();
        let one = self.count(Place::River(Seat::One), words[0])?;
        if !(ahead..=MAX_TURNS).contains(&one.len()) {
            return Err(StateError::Range(Place::River(Seat::One), ahead, MAX_TURNS, one.len()));
        }
        let two = self.count(Place::River(Seat::Two), words[1])?;
        if two.len() + ahead != one.len() {
            return Err(StateError::Len(Place::River(Seat::Two), one.len() - ahead, two.len()));
        }
        Ok([one, two])
    }

    /// The wall: every tile that is not in a hand, in a river or in question.
    fn wall(&mut self, word: &str, stage: Stage, seed: Seed) -> Result<Wall, StateError> {
        let expected = TILES - self.0.len();
        if stage == Stage::Empty && expected > 0 {
            return Err(StateError::NotEmpty(expected));
        }
        let mut order = if word == ANY_ORDER {
            let mut rest = self.rest();
            seed.random(Purpose::Chance).shuffle(&mut rest);
            rest
        } else {
            self.count(Place::Wall, word)?
        };
        if order.len() != expected {
            return Err(StateError::Len(Place::Wall, expected, order.len()));
        }
        order.reverse();
        Wall::explicit(&order).map_err(|error| StateError::Tiles(Place::Wall, error))
    }

    /// The tiles that have not been counted.
    fn rest(&self) -> Vec<Tile> {
        let left = |tile: Tile| usize::from(Tile::COPIES - self.0.count(tile));
        Tile::ALL.into_iter().flat_map(|tile| std::iter::repeat_n(tile, left(tile))).collect()
    }
}
