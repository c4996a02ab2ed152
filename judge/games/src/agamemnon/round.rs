//! One game, as a machine of notices and questions: edges, draws, redraws, actions.
//! The order of turns and the redraw procedure are those of `README.md`.

use judge_core::{Random, RoundResult, Seat, Seed};

use super::progress::{self, Phase, Progress};
use super::resume::{self, StateTextError};
use super::scoring::larger;
use super::{
    Action, ActionTextError, Bag, Board, Draw, EdgeType, Kind, Mapping, Position, Rules, State,
    options, render, score, standing, svg,
};
use crate::text::excerpt;
use crate::{GameState, IllegalMove, Paint, Standing, Step, View};

/// A game in progress.
pub struct Round {
    rules: Rules,
    board: Board,
    progress: Progress,
    last: Option<Action>,
}

impl Round {
    /// A game that begins with a notice of the edges to both sides.
    pub fn new(rules: Rules, seed: Seed) -> Round {
        let (State { board, position }, luck) = start(&rules, seed);
        let phase = Phase::Edges(Seat::One);
        let progress = Progress { position, bags: [Bag::full(); 2], luck, phase };
        Round { rules, board, progress, last: None }
    }

    /// A game resumed from the text of [`GameState::state`]; tiles to come are drawn with the seed
    /// from the remaining ones.
    ///
    /// # Errors
    /// When the text is not a state that these rules allow.
    pub fn resume(rules: Rules, seed: Seed, state: &str) -> Result<Round, StateTextError> {
        let (board, progress) = resume::read(&rules, seed, state)?;
        Ok(Round { rules, board, progress, last: None })
    }

    /// The rule switches.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Tiles on the nodes, and types of the edges.
    pub fn position(&self) -> &Position {
        &self.progress.position
    }

    /// The tiles that a seat has not drawn yet.
    pub fn bag(&self, seat: Seat) -> &Bag {
        &self.progress.bags[seat.index()]
    }

    /// The tiles drawn for the current turn, if any.
    pub fn drawn(&self) -> Option<Draw> {
        self.progress.drawn()
    }

    /// The action played last.
    pub fn last(&self) -> Option<&Action> {
        self.last.as_ref()
    }

    pub(super) fn phase(&self) -> Phase {
        self.progress.phase
    }

    /// The side on turn; seat 2 placed last when the game is over.
    pub fn mover(&self) -> Seat {
        self.progress.mover()
    }

    /// Appends drawn tiles, tile string and edge string.
    fn write_state(&self, line: &mut String) {
        match self.drawn() {
            Some(draw) => line.extend(draw.kinds().map(Kind::letter)),
            None => line.push('-'),
        }
        line.push(' ');
        let position = self.position();
        if position.is_empty() {
            line.push('-');
        }
        position.write_tiles(line);
        line.push(' ');
        position.write_edges(&self.board, line);
    }

    fn answer_move(&mut self, draw: &Draw, answer: &str) -> Result<(), IllegalMove> {
        let action: Action = answer.parse().map_err(|error: ActionTextError| match error {
            ActionTextError::BothSides(_) => IllegalMove::Forbidden(error.to_string()),
            _ => IllegalMove::Malformed(error.to_string()),
        })?;
        let allowed = self.position().check(&self.board, draw, &action);
        allowed.map_err(|error| IllegalMove::Forbidden(error.to_string()))?;
        self.progress.play_unchecked(&self.board, &action);
        self.last = Some(action);
        Ok(())
    }

    /// Every legal action for the drawn tiles, in the order of their bytes.
    fn actions(&self, draw: &Draw) -> Vec<String> {
        let mut actions = Vec::new();
        let position = self.position();
        position.for_each_action(&self.board, draw, |action| actions.push(action.to_string()));
        actions.sort_unstable();
        actions
    }

    pub(super) fn outcome(&self) -> RoundResult {
        let scores = score(&self.board, self.position());
        let winner = larger(scores);
        let reason = if winner.is_some() { "more edges" } else { "equal edges" };
        RoundResult { scores: scores.map(i64::from), winner, reason: reason.to_owned() }
    }
}

impl GameState for Round {
    fn step(&mut self, line: &mut String) -> Step {
        self.progress.settle(self.rules.redraw);
        match self.phase() {
            Phase::Edges(seat) => {
                line.push_str("edges ");
                self.position().write_edges(&self.board, line);
                let first = seat == Seat::One;
                self.progress.phase = if first { Phase::Edges(Seat::Two) } else { Phase::Turn };
                Step::Tell(seat)
            }
            Phase::Offer(draw, at) => {
                line.push_str("redraw? ");
                line.extend(draw.get(at).map(Kind::letter));
                Step::Ask(self.mover())
            }
            Phase::Move(_) => {
                line.push_str("move? ");
                self.write_state(line);
                Step::Ask(self.mover())
            }
            Phase::Played(action) => {
                line.push_str("opponent ");
                action.write(line);
                self.progress.phase = Phase::Turn;
                Step::Tell(action.seat().other())
            }
            Phase::Turn => Step::End(self.outcome()),
        }
    }

    fn answer(&mut self, answer: &str) -> Result<(), IllegalMove> {
        match self.phase() {
            Phase::Move(draw) => self.answer_move(&draw, answer),
            Phase::Offer(draw, at) => {
                self.progress.answer_offer(self.rules.redraw, draw, at, yes(answer)?);
                Ok(())
            }
            _ => Err(IllegalMove::nothing_asked()),
        }
    }

    fn redeal(&mut self, seed: Seed) -> bool {
        (self.progress.luck, _) = progress::luck(seed);
        true
    }

    fn forfeit(&self, loser: Seat) -> RoundResult {
        RoundResult { scores: [0; 2], winner: Some(loser.other()), reason: "forfeit".to_owned() }
    }

    fn facts(&self) -> String {
        options::facts(&self.rules)
    }

    fn legal(&self) -> Vec<String> {
        match self.phase() {
            Phase::Offer(..) => ["no", "yes"].map(str::to_owned).to_vec(),
            Phase::Move(draw) => self.actions(&draw),
            _ => Vec::new(),
        }
    }

    fn legal_count(&self) -> u64 {
        match self.phase() {
            Phase::Offer(..) => 2,
            Phase::Move(draw) => {
                let mut count = 0;
                self.position().for_each_action(&self.board, &draw, |_| count += 1);
                count
            }
            _ => 0,
        }
    }

    fn state(&self) -> String {
        let mut line = String::with_capacity(512);
        self.write_state(&mut line);
        if let Phase::Offer(_, at) = self.phase() {
            line.push_str(resume::OFFERS[at.min(1)]);
        }
        line
    }

    fn standing(&self) -> Standing {
        standing::current(self)
    }

    fn perft(&self, depth: u32) -> u64 {
        self.progress.clone().perft(&self.board, self.rules.redraw, depth)
    }

    fn frame(&self, view: View) -> String {
        render::frame(self, view)
    }

    fn paint(&self, line: &str, at: usize) -> Option<Paint> {
        render::paint(line, at)
    }

    fn svg(&self, view: View) -> String {
        svg::picture(self, view)
    }

    #[cfg(feature = "pointing")]
    fn targets(&self) -> Vec<crate::Target> {
        svg::targets::targets(self)
    }

    #[cfg(feature = "pointing")]
    fn choices(&self, chosen: &[String]) -> crate::Choices {
        match self.phase() {
            Phase::Move(draw) => svg::targets::choices(self, &draw, chosen),
            _ => crate::Choices::whole(&self.legal(), chosen),
        }
    }
}

/// The empty board of these rules and this seed, and the luck of each side's draws.
pub(super) fn start(rules: &Rules, seed: Seed) -> (State, [Random; 2]) {
    let (luck, mut chance) = progress::luck(seed);
    let mapping = rules.mapping.unwrap_or_else(|| random_mapping(&mut chance));
    (rules.start(mapping), luck)
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
    use judge_core::{Options, Purpose};

    fn round(seed: u64) -> Round {
        Round::new(Rules::from_options(&Options::new()).expect("the defaults"), Seed(seed))
    }

    /// Continues to the next question.
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
        let before = round.progress.clone();
        let refusal = round.answer(answer).expect_err("an illegal answer");
        assert_eq!(round.progress, before);
        match refusal {
            IllegalMove::Malformed(reason) => format!("malformed: {reason}"),
            IllegalMove::Forbidden(reason) => format!("forbidden: {reason}"),
        }
    }

    #[test]
    fn a_kept_weaver_stays_drawn() {
        let mut round = offered();
        let draw = round.drawn().expect("a draw");
        round.answer("no").expect("an answer");
        let (seat, line) = question(&mut round);
        assert_eq!((seat, line.starts_with(&format!("move? {draw} - S0001"))), (Seat::One, true));
        assert_eq!(round.bag(Seat::One).len(), 14);
    }

    #[test]
    fn a_weaver_put_back_can_be_drawn_again() {
        let (mut weavers, mut others) = (0, 0);
        for luck in 0..60 {
            let mut round = offered();
            round.progress.luck[0] = Seed(luck).random(Purpose::Chance);
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
        round.progress.phase = Phase::Offer("ij".parse().expect("a draw"), 0);
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
        round.progress.phase = Phase::Move("c".parse().expect("a draw"));
        insta::assert_snapshot!(refusal(&mut round, "yes"), @"malformed: `yes` is not a placement: expected `O` or `B`, a letter `a` to `j` and two digits");
        insta::assert_snapshot!(refusal(&mut round, "Oc00Bc01"), @"forbidden: `Oc00Bc01` places tiles of both sides");
        insta::assert_snapshot!(refusal(&mut round, "Oc00Oc01"), @"forbidden: tiles to place in this turn: `1`, found `2`");
        insta::assert_snapshot!(refusal(&mut round, "Oc32"), @"forbidden: node `32` does not exist: the last one is `31`");
        round.answer("Oc00").expect("a legal action");
        assert!(round.answer("Oc00").is_err(), "nothing is asked now");
    }
}
