//! One game, as a machine of notices and questions.

use judge_core::{RoundResult, Seat};

use super::{
    Circle, Move, PlayError, Position, Rules, lines, options, perft, render, standing, svg,
};
use crate::{GameState, IllegalMove, Paint, Standing, Step, View};

/// A game in progress.
#[derive(Debug, Clone)]
pub struct Round {
    position: Position,
    /// Every move so far with its seat, in order.
    moves: Vec<(Seat, Move)>,
    /// The same as text.
    text: String,
    phase: Phase,
}

/// The next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// A notice of the circle to this seat.
    Circle(Seat),
    /// A notice of the other side's last move to this seat.
    News(Seat, Move),
    /// A question for a move, or the end.
    Turn,
    /// A pending question.
    Asked,
}

impl Round {
    /// More moves than games have: 33 patches, five special ones, and at most 53 squares for each
    /// side to advance.
    const MOST_MOVES: usize = 144;

    /// A game that begins with a notice of the circle to both sides.
    pub fn new(rules: Rules, circle: Circle) -> Round {
        Round {
            position: Position::new(rules, circle),
            moves: Vec::with_capacity(Round::MOST_MOVES),
            text: String::with_capacity(4 * Round::MOST_MOVES),
            phase: Phase::Circle(Seat::One),
        }
    }

    /// The state of the game.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Every move so far with its seat, in order.
    pub fn moves(&self) -> &[(Seat, Move)] {
        &self.moves
    }

    /// The same game without pending notices: the next step is a question.
    pub(super) fn without_notices(self) -> Round {
        Round { phase: Phase::Turn, ..self }
    }

    /// Makes a move without a notice.
    pub(super) fn make(&mut self, made: Move) -> Result<(), PlayError> {
        let seat = self.position.turn();
        self.position.play(made)?;
        self.moves.push((seat, made));
        made.write_to(&mut self.text);
        Ok(())
    }
}

impl GameState for Round {
    fn step(&mut self, line: &mut String) -> Step {
        match self.phase {
            Phase::Circle(seat) => {
                let last = seat == Seat::Two;
                self.phase = if last { Phase::Turn } else { Phase::Circle(Seat::Two) };
                lines::write_circle(self.position.circle(), line);
                Step::Tell(seat)
            }
            Phase::News(seat, made) => {
                self.phase = Phase::Turn;
                lines::write_opponent(made, line);
                Step::Tell(seat)
            }
            Phase::Turn | Phase::Asked => {
                if let Some(outcome) = standing::outcome(&self.position) {
                    return Step::End(outcome);
                }
                self.phase = Phase::Asked;
                lines::write_question(&self.text, line);
                Step::Ask(self.position.turn())
            }
        }
    }

    fn answer(&mut self, answer: &str) -> Result<(), IllegalMove> {
        if self.phase != Phase::Asked {
            return Err(IllegalMove::nothing_asked());
        }
        let malformed = |error: super::MoveError| IllegalMove::Malformed(error.to_string());
        let made: Move = answer.parse().map_err(malformed)?;
        let seat = self.position.turn();
        let forbidden = |error: super::PlayError| IllegalMove::Forbidden(error.to_string());
        self.make(made).map_err(forbidden)?;
        self.phase = Phase::News(seat.other(), made);
        Ok(())
    }

    /// A question has every move, but a player that has applied its own answer reads only the rest.
    fn resume_notices(&self, _seat: Seat) -> Option<Vec<String>> {
        let mut line = String::new();
        lines::write_circle(self.position.circle(), &mut line);
        Some(vec![line])
    }

    fn resumes_at_question(&self) -> bool {
        true
    }

    fn forfeit(&self, loser: Seat) -> RoundResult {
        standing::forfeit(&self.position, loser)
    }

    fn facts(&self) -> String {
        options::facts(self.position.rules())
    }

    /// One spelling of each move; the other orientation letters of a shape are accepted, too.
    fn legal(&self) -> Vec<String> {
        if self.phase != Phase::Asked {
            return Vec::new();
        }
        let mut legal: Vec<String> = self.position.moves().map(|made| made.to_string()).collect();
        legal.sort_unstable();
        legal
    }

    fn legal_count(&self) -> u64 {
        if self.phase == Phase::Asked { self.position.moves().count() as u64 } else { 0 }
    }

    fn state(&self) -> String {
        format!("{} {}", self.position.circle(), lines::or_nothing(&self.text))
    }

    fn standing(&self) -> Standing {
        standing::standing(&self.position)
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(&self.position, depth)
    }

    /// Nothing is hidden, so all views are the same.
    fn frame(&self, _view: View) -> String {
        render::frame(self)
    }

    fn paint(&self, line: &str, at: usize) -> Option<Paint> {
        render::paint(line, at)
    }

    fn svg(&self, _view: View) -> String {
        svg::picture(self)
    }

    #[cfg(feature = "pointing")]
    fn targets(&self) -> Vec<crate::Target> {
        svg::targets::targets(&self.position)
    }

    #[cfg(feature = "pointing")]
    fn choices(&self, chosen: &[String]) -> crate::Choices {
        match self.phase {
            Phase::Asked => svg::targets::choices(&self.position, chosen),
            Phase::Circle(_) | Phase::News(..) | Phase::Turn => crate::Choices::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patchwork::tests::games::CIRCLE;

    fn round() -> Round {
        Round::new(Rules::default(), CIRCLE.parse().expect("a circle"))
    }

    /// The lines of a game with these answers, as `seat line -> answer`, up to the first question
    /// without an answer or the end.
    fn transcript(round: &mut Round, answers: &[&str]) -> String {
        let (mut answers, mut lines) = (answers.iter(), Vec::new());
        loop {
            let mut line = String::new();
            let (seat, answer) = match round.step(&mut line) {
                Step::Tell(seat) => (seat, None),
                Step::Ask(seat) => (seat, Some(answers.next())),
                Step::End(outcome) => {
                    lines.push(format!("{outcome:?}"));
                    return lines.join("\n");
                }
            };
            match answer {
                None => lines.push(format!("{seat} {line}")),
                Some(None) => {
                    lines.push(format!("{seat} {line}"));
                    return lines.join("\n");
                }
                Some(Some(answer)) => {
                    round.answer(answer).expect("a legal answer");
                    lines.push(format!("{seat} {line} -> {answer}"));
                }
            }
        }
    }

    #[test]
    fn both_sides_receive_the_circle_and_the_other_sides_moves() {
        insta::assert_snapshot!(transcript(&mut round(), &["BDCA", "QAAA", ".", "DGHB"]), @r"
        1 circle agCUfWABQDOdMbZEGVLcFeHSIJNTXKPYR
        2 circle agCUfWABQDOdMbZEGVLcFeHSIJNTXKPYR
        1 move? - -> BDCA
        2 opponent BDCA
        2 move? BDCA -> QAAA
        1 opponent QAAA
        1 move? BDCAQAAA -> .
        2 opponent .
        2 move? BDCAQAAA. -> DGHB
        1 opponent DGHB
        1 move? BDCAQAAA.DGHB
        ");
    }

    #[test]
    fn a_game_of_only_advances_ends() {
        let mut round = round();
        let outcome = loop {
            match round.step(&mut String::new()) {
                Step::Tell(_) => {}
                Step::Ask(_) => {
                    let made = round.position().moves().last().expect("a move").to_string();
                    round.answer(&made).expect("a legal move");
                }
                Step::End(outcome) => break outcome,
            }
        };
        insta::assert_snapshot!(format!("{} {outcome:?}", round.text), @r#"....................hIIA......hHIA......hGIA............hFIA......hEIA.... RoundResult { scores: [-104, -94], winner: Some(Two), reason: "score" }"#);
    }

    #[test]
    fn a_refusal_names_the_reason_and_changes_nothing() {
        let mut round = round();
        assert_eq!(round.answer("BDCA"), Err(IllegalMove::nothing_asked()));
        transcript(&mut round, &["BDCA"]);
        let before = round.frame(View::Everything);
        for (answer, malformed) in
            [("BDCA", false), ("hAAA", false), ("QHHA", false), ("bdca", true), (". ", true)]
        {
            let refusal = round.answer(answer).expect_err("an illegal answer");
            assert_eq!(matches!(refusal, IllegalMove::Malformed(_)), malformed, "{answer}");
            assert_eq!(round.frame(View::Everything), before);
        }
        assert_eq!(round.answer("QAAH"), Ok(()));
        assert_eq!(round.moves().len(), 2);
    }
}
