//! Every move of a position: one step, or a chain of jumps. The rules of the chain are those of
//! the original's code; see this folder's `README.md`.

use std::ops::ControlFlow;

use super::square::{DIRECTIONS, steps};
use super::{Path, Position, Square, Squares};

/// The effect of a move on the position, independent of the man's way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// The man's old square.
    pub from: Square,
    /// The man's new square.
    pub to: Square,
    /// The enemy man that is removed: the first that was jumped.
    pub captured: Option<Square>,
}

/// Calls `visit` for every path of the side on turn, even when the game is over, until it says to
/// break. Men come row by row, for each its steps before its jumps, a chain before its
/// continuations.
///
/// A position can have very many paths, the more men the more: break to bound the work.
pub fn visit_paths(
    position: &Position,
    mut visit: impl FnMut(&Path, Change) -> ControlFlow<()>,
) -> ControlFlow<()> {
    position.men(position.turn()).iter().try_for_each(|start| {
        let mut walk = Walk::new(position, start, &mut visit);
        walk.steps()?;
        walk.jumps()
    })
}

/// True if the side on turn has a move at all; always little work.
pub(super) fn has_move(position: &Position) -> bool {
    let occupied = position.occupied();
    let size = position.size();
    position.men(position.turn()).iter().any(|from| {
        let step = |direction| from.next(direction, size).is_some_and(|to| !occupied.contains(to));
        let jump = |direction| {
            let squares = from.jump(direction, size);
            squares.is_some_and(|(over, to)| occupied.contains(over) && !occupied.contains(to))
        };
        steps(position.turn()).into_iter().any(step) || DIRECTIONS.into_iter().any(jump)
    })
}

/// The squares as a man in the middle of its chain sees them.
#[derive(Clone, Copy)]
pub(super) struct Chain {
    /// Squares that it cannot land on: those of other men, and its start.
    blocked: Squares,
    /// Squares of men that it can still jump over: each only once.
    jumpable: Squares,
    /// The first enemy man that it jumped over.
    pub(super) captured: Option<Square>,
}

impl Chain {
    /// The chain before the first jump. The start is in both sets: no man may land there, and none
    /// can jump over it, because it is an even number of rows and columns away from each landing.
    pub(super) fn new(position: &Position) -> Chain {
        let occupied = position.occupied();
        Chain { blocked: occupied, jumpable: occupied, captured: None }
    }

    /// True if the square is free, at the start of the chain too.
    pub(super) fn is_free(&self, square: Square) -> bool {
        !self.blocked.contains(square)
    }

    /// True if the square has a man that this chain has not jumped over yet.
    pub(super) fn can_jump_over(&self, square: Square) -> bool {
        self.jumpable.contains(square)
    }

    /// The chain after a jump over this square: the first enemy man is gone at once, others stay,
    /// and no square is jumped over twice.
    #[must_use]
    pub(super) fn after(mut self, over: Square, enemies: &Squares) -> Chain {
        self.jumpable.remove(over);
        if self.captured.is_none() && enemies.contains(over) {
            self.captured = Some(over);
            self.blocked.remove(over);
        }
        self
    }
}

/// The search of one man's paths.
struct Walk<'a, F> {
    position: &'a Position,
    enemies: &'a Squares,
    path: Path,
    visit: &'a mut F,
}

impl<'a, F: FnMut(&Path, Change) -> ControlFlow<()>> Walk<'a, F> {
    fn new(position: &'a Position, start: Square, visit: &'a mut F) -> Walk<'a, F> {
        let enemies = position.men(position.turn().other());
        Walk { position, enemies, path: Path::from(start), visit }
    }

    fn steps(&mut self) -> ControlFlow<()> {
        let occupied = self.position.occupied();
        let from = self.path.start();
        steps(self.position.turn()).into_iter().try_for_each(|direction| {
            match from.next(direction, self.position.size()) {
                Some(to) if !occupied.contains(to) => {
                    self.go(to, None, |_| ControlFlow::Continue(()))
                }
                _ => ControlFlow::Continue(()),
            }
        })
    }

    fn jumps(&mut self) -> ControlFlow<()> {
        self.chain(self.path.start(), &Chain::new(self.position))
    }

    /// Every continuation of a chain that has come to `from`.
    fn chain(&mut self, from: Square, chain: &Chain) -> ControlFlow<()> {
        for direction in DIRECTIONS {
            let Some((over, to)) = from.jump(direction, self.position.size()) else { continue };
            if chain.can_jump_over(over) && chain.is_free(to) {
                let next = chain.after(over, self.enemies);
                self.go(to, next.captured, |walk| walk.chain(to, &next))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Lands on a square, reports the path so far, continues from there and comes back.
    fn go(
        &mut self,
        to: Square,
        captured: Option<Square>,
        on: impl FnOnce(&mut Self) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.path.push(to).is_err() {
            return ControlFlow::Continue(());
        }
        let change = Change { from: self.path.start(), to, captured };
        (self.visit)(&self.path, change)?;
        on(self)?;
        self.path.pop();
        ControlFlow::Continue(())
    }
}
