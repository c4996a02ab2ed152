//! A game on paper: all facts except the places of the patches.

use judge_bot::patchwork::{Orientation, Patch, Position, Seat, Squares, shape, track};

/// Squares that stay empty in the end, because no patch fits any more.
const LOST: i32 = 1;

/// One side on paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Purse {
    pub(crate) buttons: i32,
    pub(crate) time: u8,
    pub(crate) income: i32,
    pub(crate) empty: i32,
    /// A bit for each patch that fits on the quilt as it is before the plan.
    fits: u64,
}

/// Both sides, and the patches that are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ledger {
    pub(crate) sides: [Purse; 2],
    pub(crate) turn: usize,
    /// The patches in the order of the circle, the one next to the neutral token first.
    order: [Patch; Patch::ORDINARY],
    /// A bit for each place of the order with a patch still there.
    left: u64,
    /// The place where the offer begins.
    next: u32,
    places: u32,
}

impl Ledger {
    /// The position without places.
    pub(crate) fn from_position(position: &Position) -> Ledger {
        let (mut order, mut places) = ([Patch::SMALLEST; Patch::ORDINARY], 0);
        for (place, patch) in order.iter_mut().zip(position.circle().ahead()) {
            *place = patch;
            places += 1;
        }
        let sides = Seat::BOTH.map(|seat| {
            let side = position.side(seat);
            Purse {
                buttons: i32::from(side.buttons),
                time: side.time,
                income: i32::from(side.income),
                empty: (Squares::COUNT - side.quilt.len()) as i32,
                fits: fitting(side.quilt),
            }
        });
        let turn = position.turn().index();
        Ledger { sides, turn, order, left: (1 << places) - 1, next: 0, places }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.sides.iter().all(|side| side.time == track::LAST)
    }

    /// Current score of one side minus that of the other.
    pub(crate) fn lead(&self, seat: usize) -> i32 {
        let score = |side: &Purse| side.buttons - 2 * side.empty;
        score(&self.sides[seat]) - score(&self.sides[1 - seat])
    }

    /// The patches on offer that the side on move can pay and lay, with their places.
    pub(crate) fn offer(&self) -> impl Iterator<Item = (u32, Patch)> + use<> {
        let (own, order, places, next) =
            (self.sides[self.turn], self.order, self.places, self.next);
        // From the neutral token to the end, then from the beginning.
        let later = self.left >> next << next;
        let (mut later, mut earlier) = (later, self.left ^ later);
        let places = (0..places.min(3)).filter_map(move |_| {
            let rest = if later == 0 { &mut earlier } else { &mut later };
            let place = rest.trailing_zeros();
            *rest &= rest.wrapping_sub(1);
            (place < places).then_some(place)
        });
        let takes = move |patch: Patch| {
            i32::from(patch.info().cost) <= own.buttons
                && own.fits >> patch.index() & 1 != 0
                && patch.squares() as i32 + LOST <= own.empty
        };
        places.map(move |place| (place, order[place as usize])).filter(move |it| takes(it.1))
    }

    /// The place of a patch in the order.
    pub(crate) fn place_of(&self, patch: Patch) -> Option<u32> {
        let places = &self.order[..self.places as usize];
        places.iter().position(|other| *other == patch).map(|place| place as u32)
    }

    /// Buys the patch at that place.
    pub(crate) fn buy(&mut self, place: u32) {
        let patch = self.order[place as usize];
        let info = patch.info();
        (self.left, self.next) = (self.left & !(1 << place), (place + 1) % self.places);
        let own = &mut self.sides[self.turn];
        own.buttons -= i32::from(info.cost);
        own.income += i32::from(info.income);
        own.empty -= patch.squares() as i32;
        let to = own.time + info.time;
        self.walk(to.min(track::LAST));
    }

    /// Goes to the square after the other token.
    pub(crate) fn advance(&mut self) {
        let to = (self.sides[1 - self.turn].time + 1).min(track::LAST);
        let own = &mut self.sides[self.turn];
        own.buttons += i32::from(to.saturating_sub(own.time));
        self.walk(to);
    }

    fn walk(&mut self, to: u8) {
        let other = self.sides[1 - self.turn].time;
        let own = &mut self.sides[self.turn];
        own.buttons += own.income * track::incomes(own.time, to) as i32;
        // A special square that the other side has passed gives nothing any more.
        let fresh = own.time.max(other);
        if to > fresh {
            own.empty = (own.empty - track::specials(fresh, to) as i32).max(0);
        }
        own.time = to;
        if other < to {
            self.turn = 1 - self.turn;
        }
    }
}

/// A bit for each ordinary patch that fits somewhere.
fn fitting(quilt: Squares) -> u64 {
    let fits = |patch: &Patch| sews(quilt, *patch);
    Patch::ordinary().into_iter().filter(fits).map(|patch| 1 << patch.index()).sum()
}

/// True if a patch fits somewhere on a quilt.
pub(crate) fn sews(quilt: Squares, patch: Patch) -> bool {
    Orientation::ALL.into_iter().any(|orientation| {
        let shape = shape(patch, orientation);
        shape.distinct && !quilt.places(shape.squares, shape.room).is_empty()
    })
}
