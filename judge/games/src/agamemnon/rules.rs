//! One game, as a machine that says who is told or asked what: edges, draws, redraws, actions.
//! The order of turns and the redraw procedure are those of `README.md`.

use judge_core::{Outcome, Purpose, Random, Seat, Seed};

use super::notation::excerpt;
use super::scoring::larger;
use super::{
    Action, ActionTextError, Bag, BoardChoice, Draw, EdgeType, Kind, Mapping, Redraw, Rules, State,
    options, render, score,
};
use crate::{IllegalMove, Match, Step};

/// Turns in which weavers may be put back: the first two of each side.
const REDRAW_TURNS: u8 = 4;

/// A game in progress.
pub struct Round {
    rules: Rules,
    state: State,
    /// What each side has not drawn yet.
    bags: [Bag; 2],
    /// The luck of each side's draws.
    luck: [Random; 2],
    phase: Phase,
    last: Option<Action>,
}

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// This seat is told the edges.
    Edges(Seat),
    /// The next turn begins with a draw, or the game ends.
    Turn,
    /// These tiles are drawn; from this one on it is not settled whether they are kept.
    Offer(Draw, usize),
    /// The side on turn places the drawn tiles.
    Move(Draw),
    /// The other side is told the action.
    Played(Action),
}

impl Round {
    /// A game that begins with telling both sides the edges.
    pub fn new(rules: Rules, seed: Seed) -> Round {
        let mut chance = seed.random(Purpose::Chance);
        // A stream for each side, so that one side's redraws do not change the other's tiles.
        let luck = [(); 2].map(|()| {
            let (high, low) = (u64::from(chance.next_u32()), u64::from(chance.next_u32()));
            Seed(high << 32 | low).random(Purpose::Chance)
        });
        let mapping = rules.mapping.unwrap_or_else(|| random_mapping(&mut chance));
        let state = match rules.board {
            BoardChoice::Standard => State::standard(),
            BoardChoice::Loom => State::loom(mapping),
        };
        let phase = Phase::Edges(Seat::One);
        Round { rules, state, bags: [Bag::full(); 2], luck, phase, last: None }
    }

    /// The rule switches.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Board and position.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// What a seat has not drawn yet.
    pub fn bag(&self, seat: Seat) -> &Bag {
        &self.bags[seat.index()]
    }

    /// The tiles drawn for the current turn, if any.
    pub fn drawn(&self) -> Option<Draw> {
        match self.phase {
            Phase::Offer(draw, _) | Phase::Move(draw) => Some(draw),
            _ => None,
        }
    }

    /// The action played last.
    pub fn last(&self) -> Option<&Action> {
        self.last.as_ref()
    }

    pub(super) fn phase(&self) -> Phase {
        self.phase
    }

    /// Whose turn it is; seat 2 placed last when the game is over.
    pub fn mover(&self) -> Seat {
        self.state.position.turn().map_or(Seat::Two, |turn| turn.seat)
    }

    /// Goes on over what nobody is told: the draw, and tiles that are kept without a question.
    fn settle(&mut self) {
        if self.phase == Phase::Turn
            && let Some(draw) = self.draw_turn()
        {
            self.phase = Phase::Offer(draw, 0);
        }
        while let Phase::Offer(draw, at) = self.phase {
            self.phase = match draw.get(at) {
                None => Phase::Move(draw),
                Some(kind) if self.may_put_back(kind) => return,
                Some(_) => Phase::Offer(draw, at + 1),
            };
        }
    }

    /// Draws the tiles of the turn; `None` when the game is over.
    fn draw_turn(&mut self) -> Option<Draw> {
        let turn = self.state.position.turn()?;
        let first = self.draw_tile()?;
        let second = if turn.tiles == 2 { self.draw_tile() } else { None };
        Some(Draw::new(first, second))
    }

    fn draw_tile(&mut self) -> Option<Kind> {
        let (early, at) = (self.is_early(), self.mover().index());
        let (bag, luck) = (&mut self.bags[at], &mut self.luck[at]);
        match self.rules.redraw {
            Redraw::Auto if early => bag.draw_no_weaver(luck),
            _ => bag.draw(luck),
        }
    }

    /// Whether the turn is one of the side's first two.
    fn is_early(&self) -> bool {
        self.state.position.turn().is_some_and(|turn| turn.number < REDRAW_TURNS)
    }

    fn may_put_back(&self, kind: Kind) -> bool {
        self.rules.redraw == Redraw::Ask && kind.is_weaver() && self.is_early()
    }

    /// Puts a drawn tile back and draws another.
    fn put_back(&mut self, mut draw: Draw, at: usize) -> Draw {
        let bag = &mut self.bags[self.mover().index()];
        draw.kinds().nth(at).into_iter().for_each(|kind| bag.put_back(kind));
        if let Some(kind) = self.draw_tile() {
            draw.replace(at, kind);
        }
        draw
    }

    fn ask_move(&self, draw: &Draw, line: &mut String) {
        line.push_str("move? ");
        line.extend(draw.kinds().map(Kind::letter));
        line.push(' ');
        if self.state.position.is_empty() {
            line.push('-');
        }
        self.state.write_tiles(line);
        line.push(' ');
        self.state.write_edges(line);
    }

    fn answer_move(&mut self, draw: &Draw, answer: &str) -> Result<(), IllegalMove> {
        let action: Action = answer.parse().map_err(|error: ActionTextError| match error {
            ActionTextError::BothSides(_) => IllegalMove::Forbidden(error.to_string()),
            _ => IllegalMove::Malformed(error.to_string()),
        })?;
        let State { board, position } = &mut self.state;
        let allowed = position.check(board, draw, &action);
        allowed.map_err(|error| IllegalMove::Forbidden(error.to_string()))?;
        position.play_unchecked(board, &action);
        self.last = Some(action);
        self.phase = Phase::Played(action);
        Ok(())
    }

    fn outcome(&self) -> Outcome {
        let scores = score(&self.state.board, &self.state.position);
        let winner = larger(scores);
        let reason = if winner.is_some() { "more edges" } else { "equal edges" };
        Outcome { scores: scores.map(i64::from), winner, reason: reason.to_owned() }
    }
}

impl Match for Round {
    fn step(&mut self, line: &mut String) -> Step {
        self.settle();
        match self.phase {
            Phase::Edges(seat) => {
                line.push_str("edges ");
                self.state.write_edges(line);
                self.phase =
                    if seat == Seat::One { Phase::Edges(Seat::Two) } else { Phase::Turn };
                Step::Tell(seat)
            }
            Phase::Offer(draw, at) => {
                line.push_str("redraw? ");
                line.extend(draw.get(at).map(Kind::letter));
                Step::Ask(self.mover())
            }
            Phase::Move(draw) => {
                self.ask_move(&draw, line);
                Step::Ask(self.mover())
            }
            Phase::Played(action) => {
                line.push_str("opponent ");
                action.write(line);
                self.phase = Phase::Turn;
                Step::Tell(action.seat().other())
            }
            Phase::Turn => Step::End(self.outcome()),
        }
    }

    fn answer(&mut self, answer: &str) -> Result<(), IllegalMove> {
        match self.phase {
            Phase::Move(draw) => self.answer_move(&draw, answer),
            Phase::Offer(draw, at) => {
                self.phase = if yes(answer)? {
                    Phase::Offer(self.put_back(draw, at), at)
                } else {
                    Phase::Offer(draw, at + 1)
                };
                Ok(())
            }
            _ => Err(IllegalMove::Malformed("nothing was asked".to_owned())),
        }
    }

    fn forfeit(&self, loser: Seat) -> Outcome {
        Outcome { scores: [0; 2], winner: Some(loser.other()), reason: "forfeit".to_owned() }
    }

    fn facts(&self) -> String {
        options::facts(&self.rules)
    }

    fn frame(&self, _view: crate::View) -> String {
        render::frame(self)
    }
}

/// Each mapping equally often: the types `S L F E`, shuffled.
fn random_mapping(random: &mut Random) -> Mapping {
    let mut types = EdgeType::ALL;
    random.shuffle(&mut types);
    Mapping::new(types).expect("a shuffle keeps each type once")
}

/// Reads the answer to `redraw?`.
fn yes(answer: &str) -> Result<bool, IllegalMove> {
    match answer {
        "yes" => Ok(true),
        "no" => Ok(false),
        other => Err(IllegalMove::Malformed(format!(
            "expected `yes` or `no`, found `{}`",
            excerpt(other)
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_core::Options;

    fn round(seed: u64) -> Round {
        Round::new(options::parse(&Options::new()).expect("the defaults"), Seed(seed))
    }

    /// Goes on to the next question.
    fn question(round: &mut Round) -> (Seat, String) {
        loop {
            let mut line = String::new();
            match round.step(&mut line) {
                Step::Ask(seat) => return (seat, line),
                Step::Tell(_) => {}
                Step::End(outcome) => panic!("the end: {outcome:?}"),
            }
        }
    }

    /// A round in which seat 1 is asked about a weaver at once.
    fn offered() -> Round {
        let offered = |round: &mut Round| question(round).1.starts_with("redraw? ");
        (0..).map(round).find_map(|mut round| offered(&mut round).then_some(round)).expect("one")
    }

    fn refusal(round: &mut Round, answer: &str) -> String {
        let before = (round.frame(crate::View::Everything), round.bags);
        let refusal = round.answer(answer).expect_err("an illegal answer");
        assert_eq!((round.frame(crate::View::Everything), round.bags), before);
        match refusal {
            IllegalMove::Malformed(reason) => format!("malformed: {reason}"),
            IllegalMove::Forbidden(reason) => format!("forbidden: {reason}"),
        }
    }

    #[test]
    fn a_weaver_that_is_kept_stays_drawn() {
        let mut round = offered();
        let draw = round.drawn().expect("a draw");
        round.answer("no").expect("an answer");
        let (seat, line) = question(&mut round);
        assert_eq!((seat, line.starts_with(&format!("move? {draw} - S0001"))), (Seat::One, true));
        assert_eq!(round.bag(Seat::One).len(), 14);
    }

    #[test]
    fn a_weaver_put_back_may_come_again() {
        let (mut weavers, mut others) = (0, 0);
        for luck in 0..60 {
            let mut round = offered();
            round.luck[0] = Seed(luck).random(Purpose::Chance);
            round.answer("yes").expect("an answer");
            assert_eq!(round.bag(Seat::One).len(), 14);
            let (_, line) = question(&mut round);
            *(if line.starts_with("redraw? ") { &mut weavers } else { &mut others }) += 1;
        }
        // 4 of 15 tiles are weavers.
        assert!(weavers >= 8 && others >= 35, "{weavers} {others}");
    }

    #[test]
    fn two_weavers_are_offered_one_by_one() {
        let mut round = offered();
        round.answer("no").expect("an answer");
        question(&mut round);
        round.phase = Phase::Offer("ij".parse().expect("a draw"), 0);
        assert_eq!(question(&mut round).1, "redraw? i");
        round.answer("no").expect("an answer");
        assert_eq!(question(&mut round).1, "redraw? j");
        round.answer("no").expect("an answer");
        assert!(question(&mut round).1.starts_with("move? ij "));
    }

    #[test]
    fn refused_answers_change_nothing() {
        let mut round = offered();
        insta::assert_snapshot!(refusal(&mut round, "maybe"), @"malformed: expected `yes` or `no`, found `maybe`");
        round.phase = Phase::Move("c".parse().expect("a draw"));
        insta::assert_snapshot!(refusal(&mut round, "yes"), @"malformed: `yes` is no placement: expected `O` or `B`, a letter `a` to `j` and two digits");
        insta::assert_snapshot!(refusal(&mut round, "Oc00Bc01"), @"forbidden: `Oc00Bc01` places tiles of both sides");
        insta::assert_snapshot!(refusal(&mut round, "Oc00Oc01"), @"forbidden: tiles to place in this turn: `1`, found `2`");
        insta::assert_snapshot!(refusal(&mut round, "Oc32"), @"forbidden: node `32` does not exist: the last one is `31`");
        round.answer("Oc00").expect("a legal action");
        assert!(round.answer("Oc00").is_err(), "nothing is asked now");
    }
}
