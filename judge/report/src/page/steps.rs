//! A round divided into steps. Each step starts with a question and contains the lines up to the
//! next one, and a picture of the game at that point.

use judge_core::{Call, Seat};

use super::pictures::{Lines, PictureSequence};

/// Number of points of view for pictures: everything, seat 1, seat 2.
pub const VIEWS: usize = 3;

/// Kind of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StepKind {
    /// Messages before the first question.
    Start,
    /// A question, its answer and the messages that follow.
    Move,
    /// The result.
    End,
}

/// A group of lines that the page shows together.
#[derive(Debug)]
pub(super) struct RoundStep {
    pub(super) kind: StepKind,
    /// Index of the first call in the round.
    pub(super) first: usize,
    pub(super) calls: Vec<Call>,
    /// A text below the picture, from the player that is asked next.
    pub(super) note: Option<(Seat, String)>,
}

impl RoundStep {
    fn new(kind: StepKind, first: usize) -> RoundStep {
        RoundStep { kind, first, calls: Vec::new(), note: None }
    }

    /// Fuel of a seat's calls.
    pub(super) fn fuel(&self, seat: Seat) -> u64 {
        let own = self.calls.iter().filter(|call| call.seat == seat);
        own.filter_map(|call| call.fuel).fold(0, u64::saturating_add)
    }
}

/// Collects a round for its page while the rules replay it.
#[derive(Debug)]
pub struct RoundSteps {
    pub(super) steps: Vec<RoundStep>,
    pub(super) lines: Lines,
    pub(super) pictures: [PictureSequence; VIEWS],
    calls: usize,
}

impl Default for RoundSteps {
    fn default() -> RoundSteps {
        let steps = vec![RoundStep::new(StepKind::Start, 0)];
        RoundSteps { steps, lines: Lines::default(), pictures: Default::default(), calls: 0 }
    }
}

impl RoundSteps {
    /// Records that a question is asked, or that a call fails. These pictures show the game at that
    /// point.
    pub fn question(&mut self, pictures: &[String; VIEWS]) {
        self.begin(StepKind::Move, pictures);
    }

    /// Adds a player's text below the picture that the next question or the end draws.
    pub fn note(&mut self, note: Option<(Seat, String)>) {
        self.last().note = note;
    }

    /// Records that the result is announced.
    pub fn end(&mut self, pictures: &[String; VIEWS]) {
        self.begin(StepKind::End, pictures);
    }

    /// Adds the next call.
    pub fn call(&mut self, call: Call) {
        self.calls += 1;
        self.last().calls.push(call);
    }

    /// Index of the step that contains this call.
    pub(super) fn step_of(&self, call: usize) -> Option<usize> {
        self.steps
            .iter()
            .position(|step| (step.first..step.first + step.calls.len()).contains(&call))
    }

    /// True if the result has been announced.
    pub fn has_ended(&self) -> bool {
        self.steps.last().is_some_and(|step| step.kind == StepKind::End)
    }

    /// Makes sure that every step has its picture and that the last step is the end, even if it was
    /// not announced.
    pub(super) fn finish(&mut self) {
        if !self.has_ended() {
            self.steps.push(RoundStep::new(StepKind::End, self.calls));
        }
        for sequence in &mut self.pictures {
            while sequence.len() < self.steps.len() {
                sequence.hold();
            }
        }
    }

    /// The sequences that differ from the one that shows everything, with their seats.
    pub(super) fn narrower(&self) -> Vec<(Seat, &PictureSequence)> {
        let [everything, seats @ ..] = &self.pictures;
        std::iter::zip(Seat::BOTH, seats).filter(|(_, sequence)| *sequence != everything).collect()
    }

    fn begin(&mut self, kind: StepKind, pictures: &[String; VIEWS]) {
        for (sequence, picture) in std::iter::zip(&mut self.pictures, pictures) {
            sequence.push(&mut self.lines, picture);
        }
        self.steps.push(RoundStep::new(kind, self.calls));
    }

    fn last(&mut self) -> &mut RoundStep {
        self.steps.last_mut().expect("a round begins with a step")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> Call {
        Call { seat: Seat::One, line: line.to_owned(), answer: None, fuel: Some(1) }
    }

    fn pictures(text: &str) -> [String; VIEWS] {
        [text, text, "little"].map(str::to_owned)
    }

    #[test]
    fn each_question_begins_a_step_and_notices_belong_to_the_move_before() {
        let mut steps = RoundSteps::default();
        steps.call(told("game"));
        steps.question(&pictures("start"));
        steps.call(told("move?"));
        steps.call(told("opponent e4"));
        steps.end(&pictures("over"));
        steps.call(told("end win"));
        steps.finish();
        let lines: Vec<Vec<&str>> = steps
            .steps
            .iter()
            .map(|step| step.calls.iter().map(|call| call.line.as_str()).collect())
            .collect();
        assert_eq!(lines, [vec!["game"], vec!["move?", "opponent e4"], vec!["end win"]]);
        let firsts: Vec<usize> = steps.steps.iter().map(|step| step.first).collect();
        assert_eq!(firsts, [0, 1, 3]);
        assert_eq!(steps.steps[1].fuel(Seat::One), 2);
        assert_eq!(steps.pictures[0].len(), 3, "the announced end has a picture");
        let seats: Vec<Seat> = steps.narrower().iter().map(|(seat, _)| *seat).collect();
        assert_eq!(seats, [Seat::Two], "seat 1 sees everything here");
    }

    #[test]
    fn a_round_without_moves_has_a_start_and_an_end() {
        let mut steps = RoundSteps::default();
        steps.finish();
        let kinds: Vec<StepKind> = steps.steps.iter().map(|step| step.kind).collect();
        assert_eq!(kinds, [StepKind::Start, StepKind::End]);
        assert_eq!(steps.pictures.map(|sequence| sequence.len()), [2, 2, 2]);
    }
}
