//! The prospects of a purchase: a search over both sides' moves on paper, each line of which is
//! then played to its end by a rule of thumb.

use judge_bot::patchwork::{Patch, track};

use crate::ledger::Ledger;

/// Lines that may be played to their end for one answer.
const LINES: u32 = 2000;

/// Deepest search, in moves.
const DEEPEST: u32 = 14;

/// Values are in tenths of a button.
const TENTHS: i32 = 10;

const INFINITE: i32 = 1_000_000;

/// A search, with the number of lines that it may still play.
#[derive(Debug)]
pub(crate) struct Outlook {
    left: u32,
}

impl Default for Outlook {
    fn default() -> Outlook {
        Outlook { left: LINES }
    }
}

impl Outlook {
    /// The index of the best option: a patch, or to advance, each with the worth of its place in
    /// tenths of a button. Searches a move deeper each time while there are lines left.
    pub(crate) fn choose(&mut self, ledger: &Ledger, options: &[(Option<Patch>, i32)]) -> usize {
        let mut order: Vec<usize> = (0..options.len()).collect();
        for depth in 0..DEEPEST {
            let Some(best) = self.best(ledger, options, &order, depth) else { break };
            // The best move first, so that the next depth cuts off more.
            order[..=best].rotate_right(1);
        }
        order.first().copied().unwrap_or(0)
    }

    fn best(
        &mut self,
        ledger: &Ledger,
        options: &[(Option<Patch>, i32)],
        order: &[usize],
        depth: u32,
    ) -> Option<usize> {
        let (mut best, mut most) = (0, -INFINITE);
        for (rank, option) in order.iter().enumerate() {
            let (patch, worth) = options[*option];
            let next = after(ledger, patch.and_then(|patch| ledger.place_of(patch)));
            let floor = most - worth;
            let value = worth + self.seen(ledger.turn, &next, depth, floor, INFINITE)?;
            if value > most {
                (best, most) = (rank, value);
            }
        }
        Some(best)
    }

    /// The value of the next position, for the side `own`.
    fn seen(
        &mut self,
        own: usize,
        next: &Ledger,
        depth: u32,
        floor: i32,
        ceiling: i32,
    ) -> Option<i32> {
        if next.turn == own {
            self.value(next, depth, floor, ceiling)
        } else {
            self.value(next, depth, -ceiling, -floor).map(|value| -value)
        }
    }

    /// The value for the side on move, as far as it is between the bounds; `None` when the lines
    /// are used up.
    fn value(&mut self, ledger: &Ledger, depth: u32, mut floor: i32, ceiling: i32) -> Option<i32> {
        if depth == 0 || ledger.is_over() {
            self.left = self.left.checked_sub(1)?;
            return Some(TENTHS * played_out(*ledger).lead(ledger.turn));
        }
        let purchases = ledger.offer().map(|(place, _)| Some(place));
        for place in purchases.chain([None]) {
            let next = after(ledger, place);
            floor = floor.max(self.seen(ledger.turn, &next, depth - 1, floor, ceiling)?);
            if floor >= ceiling {
                break;
            }
        }
        Some(floor)
    }
}

fn after(ledger: &Ledger, place: Option<u32>) -> Ledger {
    let mut next = *ledger;
    match place {
        Some(place) => next.buy(place),
        None => next.advance(),
    }
    next
}

/// The end of the game by a rule of thumb: both sides buy the patch that gains most for its time,
/// and advance when no patch gains more than that.
fn played_out(mut ledger: Ledger) -> Ledger {
    while !ledger.is_over() {
        let own = ledger.sides[ledger.turn];
        let ahead = track::incomes(own.time, track::LAST) as i32;
        let best = ledger
            .offer()
            .map(|(place, patch)| (rate(patch, ahead, own.time), place))
            .max_by_key(|(rate, _)| *rate)
            .filter(|(rate, _)| *rate > SCALE);
        match best {
            Some((_, place)) => ledger.buy(place),
            None => ledger.advance(),
        }
    }
    ledger
}

/// A multiple of all patches' times, so that rates are whole numbers.
const SCALE: i32 = 60;

/// A patch's gain for each square of time that it really takes, in sixtieths of a button.
fn rate(patch: Patch, ahead: i32, time: u8) -> i32 {
    let info = patch.info();
    let gain = 2 * patch.squares() as i32 + i32::from(info.income) * ahead - i32::from(info.cost);
    // Near the end the track is shorter than the patch.
    SCALE * gain / i32::from(info.time.min(track::LAST - time).max(1))
}
