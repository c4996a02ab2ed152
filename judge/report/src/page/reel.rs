//! A round divided into steps. Each step starts with a question and contains the lines up to the
//! next one, and a picture of the game at that point.

use judge_core::{Call, Seat};

use super::film::{Film, Lines};

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
pub(super) struct ReelStep {
    pub(super) kind: StepKind,
    /// Index of the first call in the round.
    pub(super) first: usize,
    pub(super) calls: Vec<Call>,
    /// A text below the picture, from the player that is asked next.
    pub(super) note: Option<(Seat, String)>,
}

impl ReelStep {
    fn new(kind: StepKind, first: usize) -> ReelStep {
        ReelStep { kind, first, calls: Vec::new(), note: None }
    }

    /// Fuel of a seat's calls.
    pub(super) fn fuel(&self, seat: Seat) -> u64 {
        let own = self.calls.iter().filter(|call| call.seat == seat);
        own.filter_map(|call| call.fuel).fold(0, u64::saturating_add)
    }
}

/// Collects a round for its page while the rules replay it.
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
            self.steps.push(ReelStep::new(StepKind::End, self.calls));
        }
        for film in &mut self.films {
            while film.len() < self.steps.len() {
                film.hold();
            }
        }
    }

    /// The films that differ from the film that shows everything, with their seats.
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
