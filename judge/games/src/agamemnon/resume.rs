//! A game taken up from one line of text: drawn tiles, tile string, edge string, and which drawn
//! tile may be put back. Whatever cannot come up under the rules is refused.

use judge_core::Seed;

use super::board::bits;
use super::progress::{self, Phase, Progress, REDRAW_TURNS};
use super::{
    Bag, Board, BoardChoice, Draw, DrawError, EdgeTypes, Kind, Mapping, Position, Redraw, Rules,
    State, StateError,
};

/// The last word of a state in which the first or the second drawn tile may be put back.
pub(super) const OFFERS: [&str; 2] = [" redraw:1", " redraw:2"];

/// Why a text is no state from which a game can go on. Tiles and edges are numbered from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StateTextError {
    /// Too few or too many words.
    #[error(
        "expected drawn tiles, tile string and edge string, perhaps `redraw:1`, found words: `{0}`"
    )]
    Words(usize),
    /// Two spaces follow each other, or one begins or ends the text.
    #[error("word {0} is empty: words are separated by one space, and `-` stands for nothing")]
    EmptyWord(usize),
    /// The first word is no draw.
    #[error("{0}, or `-` for none")]
    Draw(#[from] DrawError),
    /// The tile string or the edge string is none, or no game has such tiles.
    #[error(transparent)]
    State(#[from] StateError),
    /// The board is not that of the options.
    #[error("edges: `{found}`, but the {board} board has `{expected}`")]
    Edges {
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
        /// The board of the options.
        board: BoardChoice,
    },
    /// An edge is not where the board of the options has it.
    #[error("edge {number} joins `{:02}` and `{:02}`, but on the {board} board `{:02}` and `{:02}`", found.0, found.1, expected.0, expected.1)]
    Ends {
        /// Which edge.
        number: usize,
        /// Its ends.
        found: (u8, u8),
        /// The ends of that edge on the board.
        expected: (u8, u8),
        /// The board of the options.
        board: BoardChoice,
    },
    /// The types cannot have come about; this is the first edge that was changed.
    #[error(
        "edge {0} was of another type at the start, and the Warps cannot have made these changes"
    )]
    Types(usize),
    /// The types are those of no mapping.
    #[error("no mapping and no Warps give these types of edges")]
    Mapping,
    /// The last turn is not finished.
    #[error("tiles on the board: `{0}`, the middle of a turn")]
    MiddleOfTurn(usize),
    /// A weaver on the board or drawn while only other tiles are drawn.
    #[error(
        "{place} is `{kind}`, but with `redraw=auto` no weaver is drawn in the first two turns"
    )]
    Weaver {
        /// Which tile.
        place: String,
        /// Its kind.
        kind: Kind,
    },
    /// Too few or too many tiles are drawn.
    #[error("drawn tiles: `{found}`, but this turn takes `{expected}`")]
    Drawn {
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A drawn tile is on the board.
    #[error("drawn tile {0}: its side has no `{1}` left")]
    NoneLeft(usize, Kind),
    /// The last word is not known.
    #[error("expected `redraw:1` or `redraw:2`, found `{0}`")]
    Offer(String),
    /// Nothing may be put back there.
    #[error("`redraw:{0}`: no drawn tile {0} that may be put back")]
    NoOffer(usize),
}

/// Reads a state under these rules.
pub(super) fn read(
    rules: &Rules,
    seed: Seed,
    text: &str,
) -> Result<(Board, Progress), StateTextError> {
    let words: Vec<&str> = text.split(' ').take(5).collect();
    let (drawn, tiles, edges, offer) = match words[..] {
        [drawn, tiles, edges] => (drawn, tiles, edges, None),
        [drawn, tiles, edges, offer] => (drawn, tiles, edges, Some(offer)),
        _ => return Err(StateTextError::Words(text.split(' ').count())),
    };
    if let Some(before) = words.iter().position(|word| word.is_empty()) {
        return Err(StateTextError::EmptyWord(before + 1));
    }
    let draw: Option<Draw> = if drawn == "-" { None } else { Some(drawn.parse()?) };
    let tiles = if tiles == "-" { "" } else { tiles };
    let State { board, position } = State::parse(tiles, edges)?;
    check_board(rules.board, &board)?;
    check_tiles(rules, &board, &position)?;
    let (luck, _) = progress::luck(seed);
    let bags = judge_core::Seat::BOTH.map(|seat| Bag::of(&position, seat));
    let mut progress = Progress { position, bags, luck, phase: Phase::Turn };
    if let Some(draw) = draw {
        take(rules, &mut progress, draw)?;
    }
    if let Some(offer) = offer {
        reopen(rules, &mut progress, offer)?;
    }
    Ok((board, progress))
}

/// The edges are where the board of the options has them.
fn check_board(choice: BoardChoice, board: &Board) -> Result<(), StateTextError> {
    let of_rules = choice.start(Mapping::DEFAULT).board;
    let pairs = board.ends().iter().zip(of_rules.ends());
    if let Some((at, (found, expected))) = pairs.enumerate().find(|(_, (one, two))| one != two) {
        let (found, expected) = (*found, *expected);
        return Err(StateTextError::Ends { number: at + 1, found, expected, board: choice });
    }
    let (found, expected) = (board.edges(), of_rules.edges());
    if found != expected {
        return Err(StateTextError::Edges { found, expected, board: choice });
    }
    Ok(())
}

/// The tiles and the types can have come about in whole turns.
fn check_tiles(rules: &Rules, board: &Board, position: &Position) -> Result<(), StateTextError> {
    position.check_valid()?;
    if position.turn().is_none() && !position.is_over() {
        return Err(StateTextError::MiddleOfTurn(position.len()));
    }
    // Tiles of the turns 0 to 3.
    let early = 2 * usize::from(REDRAW_TURNS) - 1;
    for (number, placed) in (1..).zip(position.placed()).take(early) {
        check_weaver(rules, placed.kind, || format!("tile {number}"))?;
    }
    check_types(rules, board, position)
}

/// No weaver where none can be drawn.
fn check_weaver(
    rules: &Rules,
    kind: Kind,
    place: impl Fn() -> String,
) -> Result<(), StateTextError> {
    if rules.redraw == Redraw::Auto && kind.is_weaver() {
        return Err(StateTextError::Weaver { place: place(), kind });
    }
    Ok(())
}

/// The Warps on the board can have made the types of the edges out of those at the start.
fn check_types(rules: &Rules, board: &Board, position: &Position) -> Result<(), StateTextError> {
    let warps: Vec<u8> = position
        .placed()
        .filter_map(|placed| (placed.kind == Kind::Warp).then_some(placed.node))
        .collect();
    let reached = |mapping| {
        let start = *rules.board.start(mapping).position.types();
        (start, warps_make(board, start, position.types(), &warps))
    };
    match (rules.board, rules.mapping) {
        (BoardChoice::Loom, None) => {
            let any = Mapping::all().any(|mapping| reached(mapping).1);
            if any { Ok(()) } else { Err(StateTextError::Mapping) }
        }
        (_, mapping) => match reached(mapping.unwrap_or(Mapping::DEFAULT)) {
            (_, true) => Ok(()),
            (start, false) => {
                let first = start.differences(position.types()).trailing_zeros();
                Err(StateTextError::Types(first as usize + 1))
            }
        },
    }
}

/// True if Warps on these nodes, in this order, can make `goal` out of `types`.
fn warps_make(board: &Board, types: EdgeTypes, goal: &EdgeTypes, warps: &[u8]) -> bool {
    let different = types.differences(goal).count_ones() as usize;
    let Some((node, later)) = warps.split_first() else { return different == 0 };
    if different > 2 * warps.len() {
        return false;
    }
    let edges = || bits(board.neighbours(*node)).filter_map(|end| board.edge(*node, end));
    warps_make(board, types, goal, later)
        || edges().any(|one| {
            edges().any(|other| {
                let mut next = types;
                next.exchange(one, other);
                one < other && next != types && warps_make(board, next, goal, later)
            })
        })
}

/// The side on turn has drawn these tiles.
fn take(rules: &Rules, progress: &mut Progress, draw: Draw) -> Result<(), StateTextError> {
    let turn = progress.position.turn();
    let (found, expected) = (draw.kinds().count(), turn.map_or(0, |turn| usize::from(turn.tiles)));
    if found != expected {
        return Err(StateTextError::Drawn { found, expected });
    }
    let early = turn.is_some_and(|turn| turn.number < REDRAW_TURNS);
    let bag = &mut progress.bags[progress.position.to_move().index()];
    for (number, kind) in (1..).zip(draw.kinds()) {
        if !bag.take(kind) {
            return Err(StateTextError::NoneLeft(number, kind));
        }
        if early {
            check_weaver(rules, kind, || format!("drawn tile {number}"))?;
        }
    }
    progress.phase = Phase::Move(draw);
    Ok(())
}

/// It is not settled yet whether a drawn tile is kept.
fn reopen(rules: &Rules, progress: &mut Progress, offer: &str) -> Result<(), StateTextError> {
    let known = OFFERS.iter().position(|known| known.trim_start() == offer);
    let at = known.ok_or_else(|| StateTextError::Offer(crate::text::excerpt(offer)))?;
    let draw = progress.drawn().ok_or(StateTextError::NoOffer(at + 1))?;
    let weaver = draw.get(at).filter(|kind| progress.may_put_back(rules.redraw, *kind));
    weaver.ok_or(StateTextError::NoOffer(at + 1))?;
    progress.phase = Phase::Offer(draw, at);
    Ok(())
}
