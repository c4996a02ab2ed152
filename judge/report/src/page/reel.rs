//! A round cut into steps: each starts with a question and contains the lines until the next one,
//! and a picture of the game at that point.

use judge_core::{Call, Seat};

use super::film::{Film, Lines};

/// The points of view from which pictures are taken: everything, seat 1, seat 2.
pub const VIEWS: usize = 3;

/// Kind of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StepKind {
    /// Messages before the first question.
    Start,
    /// A question, and what its answer led to.
    Move,
    /// The result.
    End,
}

/// Lines that are shown together.
#[derive(Debug)]
pub(super) struct ReelStep {
    pub(super) kind: StepKind,
    /// Index of its first call in the round.
    pub(super) first: usize,
    pub(super) calls: Vec<Call>,
}

impl ReelStep {
    fn new(kind: StepKind, first: usize) -> ReelStep {
        ReelStep { kind, first, calls: Vec::new() }
    }

    /// Fuel of the calls of `seat`.
    pub(super) fn fuel(&self, seat: Seat) -> u64 {
        let own = self.calls.iter().filter(|call| call.seat == seat);
        own.filter_map(|call| call.fuel).fold(0, u64::saturating_add)
    }
}

/// Collects a round for its page while it is walked through.
#[derive(Debug)]
pub struct Reel {
    pub(super) steps: Vec<ReelStep>,
    pub(super) lines: Lines,
    pub(super) films: [Film; VIEWS],
    calls: usize,
}

impl Default for Reel {
    fn default() -> Reel {
        let steps = vec![ReelStep::new(StepKind::Start, 0)];
        Reel { steps, lines: Lines::default(), films: Default::default(), calls: 0 }
    }
}

impl Reel {
    /// A question is asked, or a call fails; these pictures show the game at that point.
    pub fn question(&mut self, pictures: &[String; VIEWS]) {
        self.begin(StepKind::Move, pictures);
    }

    /// The result is announced.
    pub fn end(&mut self, pictures: &[String; VIEWS]) {
        self.begin(StepKind::End, pictures);
    }

    /// The next call.
    pub fn call(&mut self, call: Call) {
        self.calls += 1;
        self.last().calls.push(call);
    }

    /// Index of the step with this call.
    pub(super) fn step_of(&self, call: usize) -> Option<usize> {
        self.steps
            .iter()
            .position(|step| (step.first..step.first + step.calls.len()).contains(&call))
    }

    /// True if the result has been announced.
    pub fn has_ended(&self) -> bool {
        self.steps.last().is_some_and(|step| step.kind == StepKind::End)
    }

    /// Every step has its picture, and the last one is the end, announced or not.
    pub(super) fn finish(&mut self) {
        if !self.has_ended() {
            self.steps.push(ReelStep::new(StepKind::End, self.calls));
        }
        for film in &mut self.films {
            while film.len() < self.steps.len() {
                film.hold();
            }
        }
    }

    /// The films that differ from that of everything, with their seats.
    pub(super) fn narrower(&self) -> Vec<(Seat, &Film)> {
        let [everything, seats @ ..] = &self.films;
        std::iter::zip(Seat::BOTH, seats).filter(|(_, film)| *film != everything).collect()
    }

    fn begin(&mut self, kind: StepKind, pictures: &[String; VIEWS]) {
        for (film, picture) in std::iter::zip(&mut self.films, pictures) {
            film.push(&mut self.lines, picture);
        }
        self.steps.push(ReelStep::new(kind, self.calls));
    }

    fn last(&mut self) -> &mut ReelStep {
        self.steps.last_mut().expect("a reel begins with a step")
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
        let mut reel = Reel::default();
        reel.call(told("game"));
        reel.question(&pictures("start"));
        reel.call(told("move?"));
        reel.call(told("opponent e4"));
        reel.end(&pictures("over"));
        reel.call(told("end win"));
        reel.finish();
        let lines: Vec<Vec<&str>> = reel
            .steps
            .iter()
            .map(|step| step.calls.iter().map(|call| call.line.as_str()).collect())
            .collect();
        assert_eq!(lines, [vec!["game"], vec!["move?", "opponent e4"], vec!["end win"]]);
        let firsts: Vec<usize> = reel.steps.iter().map(|step| step.first).collect();
        assert_eq!(firsts, [0, 1, 3]);
        assert_eq!(reel.steps[1].fuel(Seat::One), 2);
        assert_eq!(reel.films[0].len(), 3, "the announced end has a picture");
        let seats: Vec<Seat> = reel.narrower().iter().map(|(seat, _)| *seat).collect();
        assert_eq!(seats, [Seat::Two], "seat 1 sees everything here");
    }

    #[test]
    fn a_round_of_nothing_has_a_start_and_an_end() {
        let mut reel = Reel::default();
        reel.finish();
        let kinds: Vec<StepKind> = reel.steps.iter().map(|step| step.kind).collect();
        assert_eq!(kinds, [StepKind::Start, StepKind::End]);
        assert_eq!(reel.films.map(|film| film.len()), [2, 2, 2]);
    }
}
