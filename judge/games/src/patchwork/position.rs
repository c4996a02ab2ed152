//! The state of a game and its rules: legal moves, their effects, the winner. This folder's
//! `README.md` has the source of each rule under *Sources*.

use judge_core::Seat;

use super::options::Rules;
use super::{Circle, Move, Moves, Offer, Patch, Placement, PlayError, Squares, track};

/// A player's quilt, buttons and time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Side {
    /// The covered squares.
    pub quilt: Squares,
    /// The square of the time token, 0 to 53.
    pub time: u8,
    /// Buttons in hand.
    pub buttons: u16,
    /// Buttons that each income square brings.
    pub income: u8,
}

impl Side {
    /// Buttons at the start.
    const BUTTONS: u16 = 5;

    /// An empty quilt and five buttons.
    const START: Side = Side { quilt: Squares::EMPTY, time: 0, buttons: Side::BUTTONS, income: 0 };

    /// The penalty for uncovered squares.
    pub(super) fn penalty(&self) -> i64 {
        -Position::EMPTY_SQUARE * i64::from(Squares::COUNT - self.quilt.len())
    }
}

/// The state of a game.
///
/// ```
/// use judge_games::patchwork::{Circle, Position, Rules};
///
/// let circle: Circle = "ABUEdCDFGHIJKLMNOPQRSTVWXYZabcefg".parse()?;
/// let mut position = Position::new(Rules::default(), circle);
/// position.play("BDCA".parse()?)?;
/// assert_eq!(position.offer().to_string(), "U, E, d");
/// assert_eq!(position.turn(), judge_core::Seat::Two);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    rules: Rules,
    circle: Circle,
    sides: [Side; 2],
    /// The side on move; once the game is over, the side that moved last.
    turn: Seat,
    special_pending: bool,
    first_at_end: Option<Seat>,
    first_block: Option<Seat>,
}

impl Position {
    /// Points for the first 7×7 block, if the rules have that bonus.
    pub const BLOCK_BONUS: i64 = 7;

    /// Points lost for each square that is not covered at the end.
    pub const EMPTY_SQUARE: i64 = 2;

    /// The start of a game with that circle.
    pub fn new(rules: Rules, circle: Circle) -> Position {
        Position {
            rules,
            circle,
            sides: [Side::START; 2],
            turn: Seat::One,
            special_pending: false,
            first_at_end: None,
            first_block: None,
        }
    }

    /// The rule switches.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The circle of patches.
    pub fn circle(&self) -> &Circle {
        &self.circle
    }

    /// A player's quilt, buttons and time.
    pub fn side(&self, seat: Seat) -> &Side {
        &self.sides[seat.index()]
    }

    /// The side on move; once the game is over, the side that moved last.
    pub fn turn(&self) -> Seat {
        self.turn
    }

    /// The patches on offer.
    pub fn offer(&self) -> Offer {
        self.circle.offer()
    }

    /// True if the player on move has earned a special patch and must lay it now.
    pub fn special_pending(&self) -> bool {
        self.special_pending
    }

    /// The side that reached the last square first, once there is one.
    pub fn first_at_end(&self) -> Option<Seat> {
        self.first_at_end
    }

    /// The side that covered a 7×7 block first, once there is one; it counts only with
    /// `seven_by_seven`.
    pub fn first_block(&self) -> Option<Seat> {
        self.first_block
    }

    /// True if both tokens are on the last square and no special patch is pending.
    pub fn is_over(&self) -> bool {
        self.sides.iter().all(|side| side.time == track::LAST) && !self.special_pending
    }

    /// The player's score if the game ended now.
    pub fn score(&self, seat: Seat) -> i64 {
        let side = self.side(seat);
        i64::from(side.buttons) + side.penalty() + self.block_bonus(seat)
    }

    /// The player's bonus for the first 7×7 block.
    pub(super) fn block_bonus(&self, seat: Seat) -> i64 {
        let bonus = self.rules.seven_by_seven && self.first_block == Some(seat);
        if bonus { Position::BLOCK_BONUS } else { 0 }
    }

    /// The winner, once the game is over: the higher score, or with equal scores the side that was
    /// first on the last square. Never a draw.
    pub fn winner(&self) -> Option<Seat> {
        let [one, two] = Seat::BOTH.map(|seat| self.score(seat));
        match one.cmp(&two) {
            _ if !self.is_over() => None,
            std::cmp::Ordering::Greater => Some(Seat::One),
            std::cmp::Ordering::Less => Some(Seat::Two),
            std::cmp::Ordering::Equal => self.first_at_end,
        }
    }

    /// The legal moves, one for each distinct shape and place; none once the game is over.
    pub fn moves(&self) -> Moves {
        Moves::new(self, true)
    }

    /// The legal moves in every spelling: all eight orientation letters, even those of equal shape.
    pub fn spellings(&self) -> Moves {
        Moves::new(self, false)
    }

    /// Checks that a move is allowed.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn check(&self, made: Move) -> Result<(), PlayError> {
        if self.is_over() {
            return Err(PlayError::Over(made));
        }
        match made {
            Move::Advance if self.special_pending => Err(PlayError::SpecialPending(made)),
            Move::Advance => Ok(()),
            Move::Place(placement) => self.check_placement(placement),
        }
    }

    fn check_placement(&self, placement: Placement) -> Result<(), PlayError> {
        let (side, patch) = (self.side(self.turn), placement.patch);
        let special = patch == Patch::SPECIAL;
        if self.special_pending != special {
            let made = Move::Place(placement);
            return Err(match special {
                true => PlayError::NoSpecial(made),
                false => PlayError::SpecialPending(made),
            });
        }
        if !special && !self.offer().contains(patch) {
            return Err(match self.circle.has(patch) {
                true => PlayError::NotOffered(placement, self.offer()),
                false => PlayError::Taken(placement),
            });
        }
        if u16::from(patch.info().cost) > side.buttons {
            return Err(PlayError::TooDear(placement, side.buttons));
        }
        if !placement.is_on_quilt() {
            return Err(PlayError::OffQuilt(placement));
        }
        match side.quilt.intersection(placement.squares()).iter().next() {
            Some((column, row)) => Err(PlayError::Overlap { placement, column, row }),
            None => Ok(()),
        }
    }

    /// Makes a move.
    ///
    /// # Errors
    /// The first rule that it breaks; the position then stays as it was.
    pub fn play(&mut self, made: Move) -> Result<(), PlayError> {
        self.check(made)?;
        self.play_unchecked(made);
        Ok(())
    }

    /// Makes a move that is known to be legal, such as one of [`Position::moves`]. Any other move
    /// makes the position invalid.
    pub fn play_unchecked(&mut self, made: Move) {
        match made {
            Move::Advance => self.advance(),
            Move::Place(placement) => self.place(placement),
        }
        self.pass_turn();
    }

    fn advance(&mut self) {
        let beyond = self.side(self.turn.other()).time + 1;
        let side = &mut self.sides[self.turn.index()];
        let steps = beyond.min(track::LAST) - side.time;
        side.buttons += u16::from(steps);
        self.go(steps);
    }

    fn place(&mut self, placement: Placement) {
        let info = placement.patch.info();
        let side = &mut self.sides[self.turn.index()];
        side.quilt = side.quilt.union(placement.squares());
        side.buttons -= u16::from(info.cost);
        side.income += info.income;
        if self.first_block.is_none() && side.quilt.has_block() {
            self.first_block = Some(self.turn);
        }
        if placement.patch == Patch::SPECIAL {
            self.special_pending = false;
        } else {
            self.circle.take(placement.patch);
            self.go(info.time);
        }
    }

    /// Moves the time token of the side on move, at most to the last square, and gives the income
    /// and special patches of the squares on the way.
    fn go(&mut self, steps: u8) {
        let furthest = self.sides[0].time.max(self.sides[1].time);
        let side = &mut self.sides[self.turn.index()];
        let (from, to) = (side.time, (side.time + steps).min(track::LAST));
        side.time = to;
        side.buttons += u16::from(side.income) * track::incomes(from, to) as u16;
        // Special squares that either token has reached before are all up to `furthest`. On a full
        // quilt the special patch is lost.
        let earned = to > furthest && track::specials(furthest, to) > 0;
        self.special_pending = earned && side.quilt.len() < Squares::COUNT;
        if to == track::LAST && self.first_at_end.is_none() {
            self.first_at_end = Some(self.turn);
        }
    }

    /// The player further back moves. On equal squares it is the side that came there last: the one
    /// that has just moved. A special patch is placed before any other move.
    fn pass_turn(&mut self) {
        let other = self.turn.other();
        if !self.special_pending && self.side(other).time < self.side(self.turn).time {
            self.turn = other;
        }
    }
}

/// Counts the games of exactly `depth` moves from here, one for each distinct shape and place: the
/// standard check of a move generator. Every last move is played, none is only counted.
pub fn perft(position: &Position, depth: u32) -> u64 {
    let Some(left) = depth.checked_sub(1) else { return 1 };
    let after = |made| {
        let mut next = *position;
        next.play_unchecked(made);
        perft(&next, left)
    };
    position.moves().map(after).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patchwork::tests::games::{CIRCLE, after, start};

    fn refusal(position: &Position, text: &str) -> String {
        let error = position.check(text.parse().expect("a move")).expect_err("forbidden");
        error.to_string()
    }

    /// A position with these tokens in which seat 1 moves.
    fn at(time: [u8; 2]) -> Position {
        let mut position = start();
        (position.sides[0].time, position.sides[1].time) = (time[0], time[1]);
        position
    }

    fn play(position: &mut Position, text: &str) {
        position.play(text.parse().expect("a move")).expect("a legal move");
    }

    #[test]
    fn error_messages_name_the_broken_rule() {
        insta::assert_snapshot!(refusal(&start(), "MHFG"), @"`MHFG`: M is not among the three patches on offer (B, Q, D)");
        insta::assert_snapshot!(refusal(&start(), "hAAA"), @"`hAAA`: no special patch h was earned");
        insta::assert_snapshot!(refusal(&start(), "QHAA"), @"`QHAA`: Q is 3 wide and 3 high there and reaches beyond the quilt");
        insta::assert_snapshot!(refusal(&after(CIRCLE, "QAAA."), "QAAA"), @"`QAAA`: Q is already taken");
        insta::assert_snapshot!(refusal(&after(CIRCLE, "BDCA."), "QDCA"), @"`QDCA`: column E, row C is already covered");
        let mut poor = start();
        poor.sides[0].buttons = 1;
        insta::assert_snapshot!(refusal(&poor, "DAAA"), @"`DAAA`: D costs 2, and the buttons in hand are 1");
        let mut pending = at([19, 19]);
        play(&mut pending, ".");
        insta::assert_snapshot!(refusal(&pending, "."), @"`.`: the special patch h that was just earned comes first");
        let mut over = at([52, 53]);
        play(&mut over, ".");
        insta::assert_snapshot!(refusal(&over, "."), @"`.`: the game is over");
    }

    #[test]
    fn the_last_player_to_reach_a_square_moves_first() {
        let position = after(CIRCLE, "BAAADAAA");
        assert_eq!((position.turn(), position.side(Seat::Two).time), (Seat::Two, 2));
        let mut position = at([0, 6]);
        play(&mut position, "QAAA");
        assert_eq!((position.turn(), position.side(Seat::One).time), (Seat::One, 6));
    }

    #[test]
    fn income_counts_the_patch_just_bought() {
        let mut position = at([0, 6]);
        play(&mut position, "QAAA");
        // 5 − 3, and 2 at square 5.
        assert_eq!((position.side(Seat::One).buttons, position.side(Seat::One).income), (4, 2));
    }

    #[test]
    fn advancing_pays_one_button_per_square() {
        let mut position = at([2, 9]);
        play(&mut position, ".");
        assert_eq!((position.side(Seat::One).time, position.side(Seat::One).buttons), (10, 13));
        assert_eq!(position.turn(), Seat::Two);
    }

    #[test]
    fn a_special_patch_goes_to_the_first_player_to_reach_it() {
        let mut position = at([19, 19]);
        play(&mut position, ".");
        assert!(position.special_pending());
        assert_eq!(position.moves().count(), 81);
        play(&mut position, "hEEH");
        assert!(!position.special_pending() && position.turn() == Seat::Two);
        assert!(position.side(Seat::One).quilt.contains(4, 4));
        play(&mut position, ".");
        assert!(!position.special_pending());
    }

    #[test]
    fn a_special_patch_for_a_full_quilt_is_lost() {
        let mut position = at([19, 19]);
        position.sides[0].quilt = Squares::EMPTY.complement();
        play(&mut position, ".");
        assert!(!position.special_pending() && position.turn() == Seat::Two);
    }

    #[test]
    fn a_pending_special_patch_keeps_the_game_open() {
        let mut position = at([53, 53]);
        (position.turn, position.special_pending) = (Seat::Two, true);
        assert!(!position.is_over());
        assert_eq!(position.winner(), None);
        play(&mut position, "hIIH");
        assert!(position.is_over() && position.turn() == Seat::Two);
    }

    #[test]
    fn the_last_square_stops_every_token() {
        let mut position = at([50, 51]);
        play(&mut position, "QAAA");
        let side = *position.side(Seat::One);
        assert_eq!((side.time, side.buttons), (track::LAST, 4));
        assert_eq!((position.first_at_end(), position.turn()), (Some(Seat::One), Seat::Two));
        assert_eq!(position.winner(), None);
        play(&mut position, ".");
        assert!(position.is_over() && position.turn() == Seat::Two);
        assert_eq!(position.side(Seat::Two).buttons, 7);
    }

    #[test]
    fn the_first_player_on_the_last_square_wins_with_equal_scores() {
        for first in Seat::BOTH {
            let mut position = at([53, 53]);
            position.first_at_end = Some(first);
            assert_eq!(position.score(Seat::One), position.score(Seat::Two));
            assert_eq!(position.winner(), Some(first));
            position.sides[first.other().index()].buttons += 1;
            assert_eq!(position.winner(), Some(first.other()));
        }
    }

    #[test]
    fn a_block_counts_once_and_only_with_its_option() {
        let almost = Squares::rectangle(7, 7).intersection(Squares::EMPTY.with(6, 6).complement());
        let mut position = at([0, 9]);
        position.sides.iter_mut().for_each(|side| side.quilt = almost);
        play(&mut position, "DGGA");
        assert_eq!(position.first_block(), Some(Seat::One));
        let plain = Seat::BOTH.map(|seat| position.score(seat));
        position.rules.seven_by_seven = true;
        assert_eq!(Seat::BOTH.map(|seat| position.score(seat)), [plain[0] + 7, plain[1]]);
        position.turn = Seat::Two;
        play(&mut position, "dGGA");
        assert!(position.side(Seat::Two).quilt.has_block());
        assert_eq!(position.first_block(), Some(Seat::One));
    }

    #[test]
    fn perft_counts_one_at_depth_0_and_none_after_the_end() {
        assert_eq!(perft(&start(), 0), 1);
        assert_eq!(perft(&start(), 1), 579);
        assert_eq!(perft(&at([53, 53]), 1), 0);
    }
}
