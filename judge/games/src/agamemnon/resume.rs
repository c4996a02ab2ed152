//! A game resumed from one line of text: drawn tiles, tile string, edge string, and the drawn tile
//! that may be put back. States that cannot occur under the rules are refused.

use judge_core::Seed;

use super::progress::{Phase, Progress, REDRAW_TURNS};
use super::{
    Bag, Board, BoardChoice, Draw, DrawError, Kind, Position, Redraw, Rules, State, StateError, fit,
};

/// The last word of a state in which the first or the second drawn tile may be put back.
pub(super) const OFFERS: [&str; 2] = [" redraw:1", " redraw:2"];

/// The reason why a game cannot be resumed from a text. Tiles and edges are numbered from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StateTextError {
    /// Too few or too many words.
    #[error(
        "expected drawn tiles, tile string and edge string, perhaps `redraw:1`, found words: `{0}`"
    )]
    Words(usize),
    /// A part is left out, as in the examples of a page.
    #[error("the text is shortened (`…`): a state has every tile and every edge")]
    Shortened,
    /// Two spaces follow each other, or one begins or ends the text.
    #[error("word {0} is empty: words are separated by one space, and `-` stands for nothing")]
    EmptyWord(usize),
    /// The first word is not a draw.
    #[error("{0}, or `-` for none")]
    Draw(#[from] DrawError),
    /// The tile string or the edge string is invalid, or no game has such tiles.
    #[error(transparent)]
    State(#[from] StateError),
    /// The board is not that of the options.
    #[error("edges: `{found}`, but the {board} board has `{expected}`")]
    Edges {
        /// Number of edges in the text.
        found: usize,
        /// Number of edges of the board.
        expected: usize,
        /// The board of the options.
        board: BoardChoice,
    },
    /// An edge is not where the board of the options has it.
    #[error("edge {number} joins `{:02}` and `{:02}`, but on the {board} board `{:02}` and `{:02}`", found.0, found.1, expected.0, expected.1)]
    Ends {
        /// Number of the edge.
        number: usize,
        /// Its ends.
        found: (u8, u8),
        /// The ends of that edge on the board.
        expected: (u8, u8),
        /// The board of the options.
        board: BoardChoice,
    },
    /// The types are impossible; this is the first edge that was changed.
    #[error(
        "edge {number} (`{:02}{:02}`) was of another type at the start, and the Warps cannot have \
         made these changes", ends.0, ends.1
    )]
    Types {
        /// Number of the edge.
        number: usize,
        /// Its ends.
        ends: (u8, u8),
    },
    /// The types are those of no mapping.
    #[error("no mapping and no Warps give these types of edges")]
    Mapping,
    /// The edges are those of other rule switches.
    #[error("{fault}; under `{switches}` they fit")]
    OtherRules {
        /// The fault under the rules of the options.
        fault: Box<StateTextError>,
        /// The switches to set otherwise.
        switches: String,
    },
    /// A weaver on the board or drawn while only other tiles are drawn.
    #[error(
        "{place} is `{kind}`, but with `redraw=auto` no weaver is drawn in the first two turns"
    )]
    Weaver {
        /// The place of the tile.
        place: String,
        /// Its kind.
        kind: Kind,
    },
    /// Too few or too many tiles are drawn.
    #[error("drawn tiles: `{found}`, but {} takes `{expected}`", if *half_done { "the rest of this turn" } else { "this turn" })]
    Drawn {
        /// Tiles in the text.
        found: usize,
        /// Tiles of the turn.
        expected: usize,
        /// True if the turn's first tile is on the board.
        half_done: bool,
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

/// The words of a state. Omitted edges are those at the start.
struct Words<'a> {
    drawn: &'a str,
    tiles: &'a str,
    edges: Option<&'a str>,
    offer: Option<&'a str>,
}

impl Words<'_> {
    /// Splits a text: the words of a question, tiles and edges, or tiles only.
    fn split(text: &str) -> Result<Words<'_>, StateTextError> {
        if text.contains('…') || text.contains("...") {
            return Err(StateTextError::Shortened);
        }
        if let Some([tiles, edges]) = two_strings(text) {
            return Ok(Words { drawn: "-", tiles, edges: Some(edges), offer: None });
        }
        let mut words: Vec<&str> = text.split(' ').take(5).collect();
        if let Some(before) = words.iter().position(|word| word.is_empty()) {
            return Err(StateTextError::EmptyWord(before + 1));
        }
        let last_is_offer = words.last().is_some_and(|word| word.starts_with("redraw"));
        let offer = if last_is_offer || words.len() == 4 { words.pop() } else { None };
        let (drawn, tiles, edges) = match words[..] {
            [drawn, tiles, edges] => (drawn, tiles, Some(edges)),
            [tiles, edges] if !is_tiles(edges) => ("-", tiles, Some(edges)),
            [drawn, tiles] => (drawn, tiles, None),
            [tiles] => ("-", tiles, None),
            _ => return Err(StateTextError::Words(text.split(' ').count())),
        };
        Ok(Words { drawn, tiles, edges, offer })
    }
}

/// Distinguishes a tile string from an edge string.
fn is_tiles(word: &str) -> bool {
    word.starts_with(['O', 'B', '-'])
}

/// The tile string and the edge string of the course's notation, `{"Of04Bc08", "S0001S0004…"}`.
fn two_strings(text: &str) -> Option<[&str; 2]> {
    let inner = text.trim().strip_prefix(['{', '['])?.strip_suffix(['}', ']'])?;
    let (tiles, edges) = inner.split_once(',')?;
    Some([bare(tiles), bare(edges)])
}

fn bare(text: &str) -> &str {
    text.trim().trim_matches(['"', '“', '”'])
}

/// Reads a state under these rules.
pub(super) fn read(
    rules: &Rules,
    seed: Seed,
    text: &str,
) -> Result<(Board, Progress), StateTextError> {
    let Words { drawn, tiles, edges, offer } = Words::split(text)?;
    let draw: Option<Draw> = if drawn == "-" { None } else { Some(drawn.parse()?) };
    let tiles = if tiles == "-" { "" } else { tiles };
    let (start, luck) = super::round::start(rules, seed);
    let edges = edges.map_or_else(|| start.edges_text(), str::to_owned);
    let parsed = State::parse(tiles, &edges);
    let State { board, position } = parsed.map_err(|error| on_board(error, rules, &start.board))?;
    if let Err(fault) = position.check_valid() {
        // On another board the tiles mean little.
        fit::check_board(rules, &board)?;
        return Err(fault.into());
    }
    check_weavers(rules, &position)?;
    fit::check_edges(rules, &board, &position)?;
    let bags = judge_core::Seat::BOTH.map(|seat| Bag::from_position(&position, seat));
    let mut progress = Progress { position, bags, luck, phase: Phase::Turn };
    if let Some(draw) = draw {
        take(rules, &mut progress, draw)?;
    }
    if let Some(offer) = offer {
        reopen(rules, &mut progress, offer)?;
    }
    Ok((board, progress))
}

/// An error that names the last node or the number of edges, for the board of the options.
fn on_board(error: StateError, rules: &Rules, board: &Board) -> StateTextError {
    let (expected, choice) = (board.edges(), rules.board);
    match error {
        StateError::NoSuchEdgeNode(number, node, _) => {
            StateError::NoSuchEdgeNode(number, node, board.nodes() - 1).into()
        }
        StateError::TooManyEdges(found) => StateTextError::Edges { found, expected, board: choice },
        other => other.into(),
    }
}

/// No weaver among the tiles of the turns in which none can be drawn.
fn check_weavers(rules: &Rules, position: &Position) -> Result<(), StateTextError> {
    let early = 2 * usize::from(REDRAW_TURNS) - 1;
    for (number, placed) in (1..).zip(position.placed()).take(early) {
        check_weaver(rules, placed.kind, || format!("tile {number}"))?;
    }
    Ok(())
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

/// The side on turn has drawn these tiles.
fn take(rules: &Rules, progress: &mut Progress, draw: Draw) -> Result<(), StateTextError> {
    let turn = progress.position.turn();
    let (found, expected) = (draw.kinds().count(), turn.map_or(0, |turn| usize::from(turn.tiles)));
    if found != expected {
        let half_done = progress.position.is_half_turn();
        return Err(StateTextError::Drawn { found, expected, half_done });
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
