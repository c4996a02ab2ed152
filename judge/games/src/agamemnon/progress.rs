//! The changing part of a game: tiles, bags, luck, and the next step. The board and the rule
//! switches stay outside, so that a game is tried out by copying only this.

use judge_core::{Purpose, Random, Seat, Seed};

use super::{Action, Bag, Board, Draw, Kind, Position, Redraw};

/// Turns in which weavers may be put back: the first two of each side.
pub(super) const REDRAW_TURNS: u8 = 4;

/// The progress of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Progress {
    pub(super) position: Position,
    /// Tiles that each side has not drawn yet.
    pub(super) bags: [Bag; 2],
    /// The luck of each side's draws.
    pub(super) luck: [Random; 2],
    pub(super) phase: Phase,
}

/// The next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// A notice of the edges to this seat.
    Edges(Seat),
    /// The next turn begins with a draw, or the game ends.
    Turn,
    /// These tiles are drawn; from this one on the side may still put them back.
    Offer(Draw, usize),
    /// The side on turn places the drawn tiles.
    Move(Draw),
    /// A notice of the action to the other side.
    Played(Action),
}

/// The luck of each side's draws, and the stream that it comes from, for all other luck.
///
/// A stream for each side, so that one side's redraws do not change the other's tiles.
pub(super) fn luck(seed: Seed) -> ([Random; 2], Random) {
    let mut chance = seed.random(Purpose::Chance);
    let luck = [(); 2].map(|()| {
        let (high, low) = (u64::from(chance.next_u32()), u64::from(chance.next_u32()));
        Seed(high << 32 | low).random(Purpose::Chance)
    });
    (luck, chance)
}

impl Progress {
    /// The side on turn; seat 2 placed last when the game is over.
    pub(super) fn mover(&self) -> Seat {
        self.position.turn().map_or(Seat::Two, |turn| turn.seat)
    }

    /// The tiles drawn for the current turn, if any.
    pub(super) fn drawn(&self) -> Option<Draw> {
        match self.phase {
            Phase::Offer(draw, _) | Phase::Move(draw) => Some(draw),
            _ => None,
        }
    }

    /// Advances over steps without a notice: the draw, and tiles kept without a question.
    pub(super) fn settle(&mut self, redraw: Redraw) {
        if self.phase == Phase::Turn
            && let Some(draw) = self.draw_turn(redraw)
        {
            self.phase = Phase::Offer(draw, 0);
        }
        while let Phase::Offer(draw, at) = self.phase {
            self.phase = match draw.get(at) {
                None => Phase::Move(draw),
                Some(kind) if self.may_put_back(redraw, kind) => return,
                Some(_) => Phase::Offer(draw, at + 1),
            };
        }
    }

    /// Draws the tiles of the turn; `None` when the game is over.
    fn draw_turn(&mut self, redraw: Redraw) -> Option<Draw> {
        let turn = self.position.turn()?;
        let first = self.draw_tile(redraw)?;
        let second = if turn.tiles == 2 { self.draw_tile(redraw) } else { None };
        Some(Draw::new(first, second))
    }

    fn draw_tile(&mut self, redraw: Redraw) -> Option<Kind> {
        let (early, at) = (self.is_early(), self.mover().index());
        let (bag, luck) = (&mut self.bags[at], &mut self.luck[at]);
        match redraw {
            Redraw::Auto if early => bag.draw_no_weaver(luck),
            _ => bag.draw(luck),
        }
    }

    /// True if the turn is one of the side's first two.
    fn is_early(&self) -> bool {
        self.position.turn().is_some_and(|turn| turn.number < REDRAW_TURNS)
    }

    /// True if the side on turn is asked about a drawn tile of that kind.
    pub(super) fn may_put_back(&self, redraw: Redraw, kind: Kind) -> bool {
        redraw == Redraw::Ask && kind.is_weaver() && self.is_early()
    }

    /// Keeps the offered tile, or puts it back and draws another.
    pub(super) fn answer_offer(&mut self, redraw: Redraw, draw: Draw, at: usize, put_back: bool) {
        self.phase = if put_back {
            Phase::Offer(self.put_back(redraw, draw, at), at)
        } else {
            Phase::Offer(draw, at + 1)
        };
    }

    fn put_back(&mut self, redraw: Redraw, mut draw: Draw, at: usize) -> Draw {
        let bag = &mut self.bags[self.mover().index()];
        draw.get(at).into_iter().for_each(|kind| bag.put_back(kind));
        if let Some(kind) = self.draw_tile(redraw) {
            draw.replace(at, kind);
        }
        draw
    }

    /// Plays an action that is known to be legal.
    pub(super) fn play_unchecked(&mut self, board: &Board, action: &Action) {
        self.position.play_unchecked(board, action);
        self.phase = Phase::Played(*action);
    }

    /// Number of sequences of `depth` answers from here, each of them played.
    pub(super) fn perft(mut self, board: &Board, redraw: Redraw, depth: u32) -> u64 {
        let Some(depth_after) = depth.checked_sub(1) else { return 1 };
        if !matches!(self.phase, Phase::Offer(..) | Phase::Move(_)) {
            self.phase = Phase::Turn;
        }
        self.settle(redraw);
        // Without the box the compiler may skip playing to the last state, which is never read.
        let count = |next| std::hint::black_box::<Progress>(next).perft(board, redraw, depth_after);
        match self.phase {
            Phase::Offer(draw, at) => [false, true]
                .map(|put_back| {
                    let mut next = self.clone();
                    next.answer_offer(redraw, draw, at, put_back);
                    count(next)
                })
                .iter()
                .sum(),
            Phase::Move(draw) => {
                let mut sum = 0;
                self.position.for_each_action(board, &draw, |action| {
                    let mut next = self.clone();
                    next.play_unchecked(board, action);
                    sum += count(next);
                });
                sum
            }
            _ => 0,
        }
    }
}
