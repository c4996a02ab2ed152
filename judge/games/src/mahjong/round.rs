//! One round, as a machine of notices and questions, in the order of the lab's engine.

use judge_core::{RoundResult, Seat, Seed};

use super::answer::{self, Answer};
use super::{
    Hand, Rules, Tile, Wall, faan_with, lines, options, render, round_score, standing, state, svg,
};
use crate::{GameState, IllegalMove, Standing, Step, View};

/// Tiles dealt at the start, to both sides together.
pub(super) const DEALT: u8 = 26;

/// Most turns of one side: half of the wall after the deal.
pub(super) const MAX_TURNS: usize = 41;

/// A round in progress.
#[derive(Clone)]
pub struct Round {
    rules: Rules,
    wall: Wall,
    hands: [Hand; 2],
    rivers: [River; 2],
    /// The side on turn: it draws and throws.
    turn: Seat,
    phase: Phase,
}

/// The next step. Its tiles are neither in a hand nor in a river yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// So many tiles have been dealt.
    Deal(u8),
    /// The side on turn draws.
    Turn,
    /// It may win by the tile drawn.
    OfferDraw(Tile, u32),
    /// The tile drawn goes to its hand.
    Drawn(Tile),
    /// It throws a tile, after drawing this one.
    Discard(Tile),
    /// A tile was thrown; it is not known yet whether the other side wins with it.
    Thrown(Tile),
    /// The other side may win by it.
    OfferDiscard(Tile, u32),
    /// It goes to the river.
    Passed(Tile),
    /// The round is over.
    Over(Ending),
}

/// The end of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// The side on turn won by the drawn tile, with that many Faan.
    SelfDraw(Tile, u32),
    /// The other side won by the thrown tile.
    Discard(Tile, u32),
    /// A draw.
    WallEmpty,
}

/// A side's discards, in order.
#[derive(Clone, Copy)]
struct River {
    tiles: [Tile; MAX_TURNS],
    len: usize,
}

impl River {
    const EMPTY: River = River { tiles: [Tile::ALL[0]; MAX_TURNS], len: 0 };

    fn push(&mut self, tile: Tile) {
        self.tiles[self.len] = tile;
        self.len += 1;
    }
}

impl Round {
    /// A round that begins with dealing from `wall`: one tile at a time, seat 1 first.
    pub fn new(rules: Rules, wall: Wall) -> Round {
        Round {
            rules,
            wall,
            hands: [Hand::EMPTY; 2],
            rivers: [River::EMPTY; 2],
            turn: Seat::One,
            phase: Phase::Deal(0),
        }
    }

    /// A round after the deal; `rivers` of at most [`MAX_TURNS`] tiles.
    pub(super) fn resumed(
        rules: Rules,
        wall: Wall,
        hands: [Hand; 2],
        rivers: [&[Tile]; 2],
        (turn, phase): (Seat, Phase),
    ) -> Round {
        let rivers = rivers.map(|tiles| {
            let mut river = River::EMPTY;
            tiles.iter().for_each(|tile| river.push(*tile));
            river
        });
        Round { rules, wall, hands, rivers, turn, phase }
    }

    /// The rules of scoring.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The wall.
    pub fn wall(&self) -> &Wall {
        &self.wall
    }

    /// The hand of a seat; the tile that it wins by is not in it.
    pub fn hand(&self, seat: Seat) -> &Hand {
        &self.hands[seat.index()]
    }

    /// A seat's discards without the one that was won, in order.
    pub fn river(&self, seat: Seat) -> &[Tile] {
        let river = &self.rivers[seat.index()];
        &river.tiles[..river.len]
    }

    /// The side on turn.
    pub fn turn(&self) -> Seat {
        self.turn
    }

    /// The next step.
    pub(super) fn phase(&self) -> Phase {
        self.phase
    }

    /// The winner and the Faan of the winning hand, once there is a winner.
    pub fn winner(&self) -> Option<(Seat, u32)> {
        match self.phase {
            Phase::Over(Ending::SelfDraw(_, faan)) => Some((self.turn, faan)),
            Phase::Over(Ending::Discard(_, faan)) => Some((self.turn.other(), faan)),
            _ => None,
        }
    }

    /// Advances to the next question or the end, without notices.
    pub(super) fn advance(&mut self) {
        while self.next_notice().is_some() {}
    }

    /// Advances to the next notice: its seat and text; `None` at a question or the end.
    fn next_notice(&mut self) -> Option<(Seat, &'static str)> {
        self.settle();
        match self.phase {
            Phase::Deal(dealt) => self.deal(dealt),
            Phase::Drawn(tile) => {
                self.phase = Phase::Discard(tile);
                Some(self.take(self.turn, tile))
            }
            Phase::Passed(tile) => Some(self.pass(tile)),
            _ => None,
        }
    }

    /// Advances over steps without a notice: the draw, and the check for a winning hand.
    fn settle(&mut self) {
        if self.phase == Phase::Turn {
            self.phase = match self.wall.draw() {
                None => Phase::Over(Ending::WallEmpty),
                Some(tile) => match self.worth(self.turn, tile) {
                    0 => Phase::Drawn(tile),
                    faan => Phase::OfferDraw(tile, faan),
                },
            };
        } else if let Phase::Thrown(tile) = self.phase {
            self.phase = match self.worth(self.turn.other(), tile) {
                0 => Phase::Passed(tile),
                faan => Phase::OfferDiscard(tile, faan),
            };
        }
    }

    /// Faan of a seat's hand with one more tile.
    fn worth(&self, seat: Seat, tile: Tile) -> u32 {
        faan_with(self.hand(seat), tile, &self.rules)
    }

    fn deal(&mut self, dealt: u8) -> Option<(Seat, &'static str)> {
        let seat = if dealt.is_multiple_of(2) { Seat::One } else { Seat::Two };
        let Some(tile) = self.wall.draw() else {
            self.phase = Phase::Over(Ending::WallEmpty);
            return None;
        };
        self.phase = if dealt + 1 < DEALT { Phase::Deal(dealt + 1) } else { Phase::Turn };
        Some(self.take(seat, tile))
    }

    /// A tile comes to the hand of a seat.
    fn take(&mut self, seat: Seat, tile: Tile) -> (Seat, &'static str) {
        self.hands[seat.index()].add(tile);
        (seat, lines::DRAW[tile.index()])
    }

    /// The tile thrown goes to the river, and the turn to the other side.
    fn pass(&mut self, tile: Tile) -> (Seat, &'static str) {
        self.rivers[self.turn.index()].push(tile);
        self.turn = self.turn.other();
        self.phase = Phase::Turn;
        (self.turn, lines::OPPONENT[tile.index()])
    }

    /// Advances by an answer to the pending question.
    pub(super) fn play(&mut self, answer: Answer) -> Result<(), IllegalMove> {
        self.phase = match (self.phase, answer) {
            (Phase::Discard(_), Answer::Throw(tile)) => {
                let hand = &mut self.hands[self.turn.index()];
                if !hand.remove(tile) {
                    let reason = format!("`{tile}` is not in the hand `{hand}`");
                    return Err(IllegalMove::Forbidden(reason));
                }
                Phase::Thrown(tile)
            }
            (Phase::OfferDraw(tile, faan), Answer::Win) => {
                Phase::Over(Ending::SelfDraw(tile, faan))
            }
            (Phase::OfferDraw(tile, _), Answer::Decline) => Phase::Drawn(tile),
            (Phase::OfferDiscard(tile, faan), Answer::Win) => {
                Phase::Over(Ending::Discard(tile, faan))
            }
            (Phase::OfferDiscard(tile, _), Answer::Decline) => Phase::Passed(tile),
            _ => return Err(IllegalMove::nothing_asked()),
        };
        Ok(())
    }

    pub(super) fn outcome(&self, ending: Ending) -> RoundResult {
        let (winner, faan, reason) = match ending {
            Ending::SelfDraw(_, faan) => (Some(self.turn), faan, "self draw"),
            Ending::Discard(_, faan) => (Some(self.turn.other()), faan, "discard"),
            Ending::WallEmpty => (None, 0, "wall empty"),
        };
        let mut scores = [0; 2];
        if let Some(winner) = winner {
            scores[winner.index()] = round_score(faan, self.wall.left());
        }
        RoundResult { scores, winner, reason: reason.to_owned() }
    }
}

impl GameState for Round {
    fn step(&mut self, line: &mut String) -> Step {
        if let Some((seat, notice)) = self.next_notice() {
            line.push_str(notice);
            return Step::Tell(seat);
        }
        let (seat, question) = match self.phase {
            Phase::OfferDraw(tile, _) => (self.turn, lines::WIN_SELF[tile.index()]),
            Phase::Discard(_) => (self.turn, lines::DISCARD),
            Phase::OfferDiscard(tile, _) => (self.turn.other(), lines::WIN_DISCARD[tile.index()]),
            Phase::Over(ending) => return Step::End(self.outcome(ending)),
            _ => unreachable!("nobody is told anything more"),
        };
        line.push_str(question);
        Step::Ask(seat)
    }

    fn answer(&mut self, answer: &str) -> Result<(), IllegalMove> {
        self.play(Answer::read(self.phase, answer)?)
    }

    fn redeal(&mut self, seed: Seed) -> bool {
        self.wall.shuffle(seed);
        true
    }

    fn resume_notices(&self, seat: Seat) -> Option<Vec<String>> {
        let draws = self.hand(seat).iter().map(|tile| lines::DRAW[tile.index()]);
        let river = self.river(seat.other()).iter();
        let known = draws.chain(river.map(|tile| lines::OPPONENT[tile.index()]));
        Some(known.map(str::to_owned).collect())
    }

    fn forfeit(&self, loser: Seat) -> RoundResult {
        RoundResult { scores: [0; 2], winner: Some(loser.other()), reason: "forfeit".to_owned() }
    }

    fn facts(&self) -> String {
        options::facts(&self.rules)
    }

    fn legal(&self) -> Vec<String> {
        let mut legal: Vec<String> = self.answers().map(|answer| answer.to_string()).collect();
        legal.sort_unstable();
        legal
    }

    fn legal_count(&self) -> u64 {
        self.answers().count() as u64
    }

    fn state(&self) -> String {
        state::print(self)
    }

    fn standing(&self) -> Standing {
        standing::current(self)
    }

    fn perft(&self, depth: u32) -> u64 {
        answer::perft(self, depth)
    }

    fn frame(&self, view: View) -> String {
        render::frame(self, view)
    }

    fn svg(&self, view: View) -> String {
        svg::picture(self, view)
    }

    #[cfg(feature = "pointing")]
    fn targets(&self) -> Vec<crate::Target> {
        svg::targets::targets(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mahjong::tests::hands::{dealt, hand, next, tiles, wall};

    const READY: &str = "1112345678999c";
    const HOPELESS: &str = "147b147c147d2589b";

    /// The lines of a round with these answers, as `seat line -> answer`, up to the first question
    /// without an answer or the end.
    fn transcript(round: &mut Round, answers: &[&str]) -> String {
        let mut answers = answers.iter();
        let mut lines = Vec::new();
        loop {
            let (step, line) = next(round);
            match step {
                Step::Tell(seat) => lines.push(format!("{seat} {line}")),
                Step::Ask(seat) => {
                    let Some(answer) = answers.next() else {
                        lines.push(format!("{seat} {line}"));
                        return lines.join("\n");
                    };
                    round.answer(answer).expect("a legal answer");
                    lines.push(format!("{seat} {line} -> {answer}"));
                }
                Step::End(outcome) => {
                    lines.push(format!("{outcome:?}"));
                    return lines.join("\n");
                }
            }
        }
    }

    fn refusal(round: &mut Round, answer: &str) -> IllegalMove {
        let before = round.frame(crate::View::Everything);
        let refusal = round.answer(answer).expect_err("an illegal answer");
        assert_eq!(round.frame(crate::View::Everything), before);
        refusal
    }

    #[test]
    fn deals_one_tile_at_a_time_from_the_end() {
        let order: Vec<Tile> = Tile::ALL.into_iter().take(26).collect();
        let mut round = Round::new(Rules::default(), Wall::explicit(&order).expect("a wall"));
        for (dealt, tile) in order.iter().rev().enumerate() {
            let expected = Step::Tell(Seat::BOTH[dealt % 2]);
            assert_eq!(next(&mut round), (expected, format!("draw {tile}")));
        }
        assert!(matches!(next(&mut round).0, Step::End(_)));
    }

    #[test]
    fn a_self_draw_is_offered_before_it_is_announced() {
        let mut round = dealt(Rules::default(), [READY, HOPELESS], "5c 3d");
        insta::assert_snapshot!(transcript(&mut round, &["yes"]), @r#"
        1 win? 5c self -> yes
        RoundResult { scores: [13, 0], winner: Some(One), reason: "self draw" }
        "#);
        assert_eq!(round.hand(Seat::One), &hand(READY));
    }

    #[test]
    fn a_declined_self_draw_is_announced() {
        let mut round = dealt(Rules::default(), [READY, HOPELESS], "5c");
        insta::assert_snapshot!(transcript(&mut round, &["no", "5c"]), @r#"
        1 win? 5c self -> no
        1 draw 5c
        1 discard? -> 5c
        2 opponent 5c
        RoundResult { scores: [0, 0], winner: None, reason: "wall empty" }
        "#);
    }

    #[test]
    fn a_discard_is_offered_before_it_is_announced() {
        let mut round = dealt(Rules::default(), [READY, HOPELESS], "3d 5d 1b");
        insta::assert_snapshot!(transcript(&mut round, &["3d", "4c", "yes"]), @r#"
        1 draw 3d
        1 discard? -> 3d
        2 opponent 3d
        2 draw 5d
        2 discard? -> 4c
        1 win? 4c discard -> yes
        RoundResult { scores: [13, 0], winner: Some(One), reason: "discard" }
        "#);
        assert_eq!(round.river(Seat::One), tiles("3d"));
        assert_eq!(round.river(Seat::Two), []);
    }

    #[test]
    fn a_declined_discard_is_announced() {
        let mut round = dealt(Rules::default(), [READY, HOPELESS], "3d 5d 1b 2c");
        insta::assert_snapshot!(transcript(&mut round, &["3d", "4c", "no", "1b", "5d"]), @r#"
        1 draw 3d
        1 discard? -> 3d
        2 opponent 3d
        2 draw 5d
        2 discard? -> 4c
        1 win? 4c discard -> no
        1 opponent 4c
        1 draw 1b
        1 discard? -> 1b
        2 opponent 1b
        2 draw 2c
        2 discard? -> 5d
        1 opponent 5d
        RoundResult { scores: [0, 0], winner: None, reason: "wall empty" }
        "#);
        assert_eq!(round.river(Seat::Two), tiles("4c 5d"));
    }

    #[test]
    fn the_second_seat_wins_by_the_same_rules() {
        let mut round = dealt(Rules::default(), [HOPELESS, READY], "5c 3d 1b");
        insta::assert_snapshot!(transcript(&mut round, &["5c", "yes"]), @r#"
        1 draw 5c
        1 discard? -> 5c
        2 win? 5c discard -> yes
        RoundResult { scores: [0, 14], winner: Some(Two), reason: "discard" }
        "#);
    }

    #[test]
    fn a_first_draw_win_leaves_81_tiles() {
        let rest = Tile::ALL.into_iter().flat_map(|tile| [tile; 4]);
        let front = wall([READY, HOPELESS], "5c");
        let mut left = Hand::from_tiles(rest).expect("four each");
        assert!(front.tiles().iter().all(|tile| left.remove(*tile)));
        let order: Vec<Tile> = left.iter().chain(front.tiles().iter().copied()).collect();
        let mut round = Round::new(Rules::default(), Wall::explicit(&order).expect("a wall"));
        transcript(&mut round, &["yes"]);
        assert_eq!(round.wall().left(), 81);
        assert_eq!(next(&mut round).0, round_end([81 + 3 * 4, 0], Some(Seat::One), "self draw"));
    }

    fn round_end(scores: [i64; 2], winner: Option<Seat>, reason: &str) -> Step {
        Step::End(RoundResult { scores, winner, reason: reason.to_owned() })
    }

    #[test]
    fn an_empty_wall_is_a_draw() {
        let mut round = dealt(Rules::default(), [HOPELESS, HOPELESS], "");
        assert_eq!(next(&mut round).0, round_end([0, 0], None, "wall empty"));
        let mut short = Round::new(Rules::default(), Wall::explicit(&[]).expect("a wall"));
        assert_eq!(next(&mut short).0, round_end([0, 0], None, "wall empty"));
    }

    #[test]
    fn void_suit_decides_what_is_offered() {
        let rules = Rules::default().with_void_suit(true);
        let mut round = dealt(rules, ["123b111c1145677d", HOPELESS], "1d");
        assert_eq!(next(&mut round), (Step::Tell(Seat::One), "draw 1d".to_owned()));
        let mut round = dealt(Rules::default(), ["123b111c1145677d", HOPELESS], "1d");
        assert_eq!(next(&mut round), (Step::Ask(Seat::One), "win? 1d self".to_owned()));
    }

    #[test]
    fn a_refusal_names_the_reason_and_changes_nothing() {
        let mut round = dealt(Rules::default(), [READY, HOPELESS], "5c");
        assert_eq!(refusal(&mut round, "yes"), IllegalMove::nothing_asked());
        next(&mut round);
        insta::assert_snapshot!(refusal(&mut round, "YES"), @"expected `yes` or `no`, found `YES`");
        round.answer("no").expect("legal");
        next(&mut round);
        next(&mut round);
        insta::assert_snapshot!(refusal(&mut round, "5c "), @"`5c ` is not a tile: expected a rank from 1 to 9 and a suit letter, as in `3b`");
        insta::assert_debug_snapshot!(refusal(&mut round, "9d"), @r#"
        Forbidden(
            "`9d` is not in the hand `11123455678999c`",
        )
        "#);
        assert_eq!(next(&mut round), (Step::Ask(Seat::One), "discard?".to_owned()));
        assert_eq!(round.answer("5c"), Ok(()));
    }

    #[test]
    fn a_forfeit_scores_nothing_and_loses() {
        let round = dealt(Rules::default(), [READY, HOPELESS], "");
        for loser in Seat::BOTH {
            let expected = round_end([0, 0], Some(loser.other()), "forfeit");
            assert_eq!(Step::End(round.forfeit(loser)), expected);
        }
    }
}
