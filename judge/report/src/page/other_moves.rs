//! The section of a round's page on a bot's other answers: a curve over the round, and the moves
//! that cost the most. Only pages in files have it.

use judge_core::Seat;

use super::sheet::tame;
use super::steps::RoundSteps;

/// Height of the curve and width of a step, in units of the drawing.
const HEIGHT: i64 = 100;
const STEP: usize = 10;

/// Minimum number of steps to leave room for, as in the chart of costs below.
const LEAST_STEPS: usize = 40;

/// The scores of a bot's other answers in a round.
#[derive(Debug)]
pub struct OtherMoves {
    /// The bot's seat.
    pub seat: Seat,
    /// Its score in the round.
    pub score: i64,
    /// For each question to it, the index of the call and the best score with another answer.
    pub best: Vec<(usize, i64)>,
    /// The moves that cost the most, costliest first.
    pub rows: Vec<OtherMove>,
    /// True if gains are averaged over the luck that was still open.
    pub has_averages: bool,
    /// Sentences on the meaning of the figures.
    pub remarks: Vec<String>,
}

/// A move, and a better answer.
#[derive(Debug)]
pub struct OtherMove {
    /// The index of its call in the record.
    pub call: usize,
    /// Its number, as `judge replay --move` counts.
    pub number: usize,
    /// The bot's answer.
    pub answer: String,
    /// The other answer.
    pub other: String,
    /// The score with the other answer.
    pub score: i64,
    /// The gain on average, with its interval.
    pub average: Option<String>,
    /// The address of the page of the other round.
    pub page: Option<String>,
}

/// The section as the template shows it.
#[derive(Debug)]
pub(super) struct OtherSection {
    pub(super) seat: Seat,
    pub(super) score: i64,
    pub(super) rows: Vec<OtherMove>,
    /// The step of each row.
    pub(super) steps: Vec<usize>,
    pub(super) has_averages: bool,
    pub(super) remarks: Vec<String>,
    pub(super) curve: Option<Curve>,
}

/// The best score with another answer at each move, against the score of the round.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Curve {
    pub(super) width: usize,
    pub(super) height: i64,
    /// Height of the round's own score.
    pub(super) level: i64,
    /// Outline of the area between the level and the best scores.
    pub(super) area: String,
    pub(super) lowest: i64,
    pub(super) highest: i64,
    /// Positions of the costliest moves: step, and both coordinates.
    pub(super) marks: Vec<(usize, usize, i64)>,
}

impl OtherSection {
    pub(super) fn new(moves: &OtherMoves, round: &RoundSteps) -> OtherSection {
        let OtherMoves { seat, score, has_averages, .. } = *moves;
        let rows: Vec<OtherMove> = moves.rows.iter().map(tamed).collect();
        let steps = rows.iter().map(|row| round.step_of(row.call).unwrap_or(0)).collect();
        let remarks = moves.remarks.iter().map(|remark| tame(remark)).collect();
        let curve = Curve::new(moves, round);
        OtherSection { seat, score, rows, steps, has_averages, remarks, curve }
    }

    /// The gain of the move at a step, if it is one of the costliest.
    pub(super) fn gain(&self, step: usize) -> Option<String> {
        let at = self.steps.iter().position(|other| *other == step)?;
        Some(format!("{:+}", self.rows[at].score - self.score))
    }
}

fn tamed(row: &OtherMove) -> OtherMove {
    OtherMove {
        answer: tame(&row.answer),
        other: tame(&row.other),
        average: row.average.clone(),
        page: row.page.clone(),
        ..*row
    }
}

impl Curve {
    /// None if no other answer was tried.
    fn new(moves: &OtherMoves, steps: &RoundSteps) -> Option<Curve> {
        let scores = || moves.best.iter().map(|(_, best)| *best).chain([moves.score]);
        let (lowest, highest) = (scores().min()?, scores().max()?);
        let range = (highest - lowest).max(1);
        let y = |score: i64| HEIGHT - (score - lowest) * HEIGHT / range;
        let point = |(call, best): &(usize, i64)| {
            // An answer that scores less than the bot's own changes nothing for its author.
            Some((steps.step_of(*call)?, y((*best).max(moves.score))))
        };
        let points: Vec<(usize, i64)> = moves.best.iter().filter_map(point).collect();
        let (first, last) = (points.first()?.0, points.last()?.0);
        let level = y(moves.score);
        let line: String = points.iter().map(|(step, y)| format!("L{} {y}", x(*step))).collect();
        let area = format!("M{} {level}{line}L{} {level}z", x(first), x(last));
        let mark = |row: &OtherMove| Some((steps.step_of(row.call)?, row.score));
        let marks = moves.rows.iter().filter_map(mark);
        Some(Curve {
            width: steps.steps.len().max(LEAST_STEPS) * STEP,
            height: HEIGHT,
            level,
            area,
            lowest,
            highest,
            marks: marks.map(|(step, score)| (step, x(step), y(score))).collect(),
        })
    }
}

/// The middle of a step.
fn x(step: usize) -> usize {
    step * STEP + STEP / 2
}

#[cfg(test)]
mod tests {
    use judge_core::Call;

    use super::*;

    fn steps(questions: usize) -> RoundSteps {
        let mut steps = RoundSteps::default();
        for number in 0..questions {
            steps.question(&std::array::from_fn(|_| "<svg></svg>\n".to_owned()));
            let (line, answer) = (format!("move {number}"), Some("a".to_owned()));
            steps.call(Call { seat: Seat::One, line, answer, fuel: None });
        }
        steps
    }

    fn moves(score: i64, best: &[(usize, i64)]) -> OtherMoves {
        let row = OtherMove {
            call: 1,
            number: 2,
            answer: "a".to_owned(),
            other: "b\u{202e}".to_owned(),
            score: 30,
            average: None,
            page: None,
        };
        let (best, rows) = (best.to_vec(), vec![row]);
        let (seat, has_averages, remarks) = (Seat::One, false, Vec::new());
        OtherMoves { seat, score, best, rows, has_averages, remarks }
    }

    #[test]
    fn the_curve_never_falls_below_the_score_of_the_round() {
        let section = OtherSection::new(&moves(10, &[(0, 0), (1, 30), (2, 10)]), &steps(3));
        let curve = section.curve.as_ref().expect("a curve");
        let at = section.steps[0];
        assert_eq!((curve.lowest, curve.highest, curve.level), (0, 30, 67));
        assert_eq!(curve.marks, [(at, x(at), 0)]);
        let [before, after] = [x(at - 1), x(at + 1)];
        let area = format!("M{before} 67L{before} 67L{} 0L{after} 67L{after} 67z", x(at));
        assert_eq!(curve.area, area);
        assert_eq!(section.gain(at).as_deref(), Some("+20"));
        assert_eq!(section.gain(at + 1), None);
        assert_eq!(section.rows[0].other, r"b\u{202e}", "answers are untrusted");
    }

    #[test]
    fn a_round_without_tried_answers_has_no_curve() {
        assert_eq!(OtherSection::new(&moves(10, &[]), &steps(2)).curve, None);
    }
}
