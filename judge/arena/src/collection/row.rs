//! Converts between a counted round and a row of the table. Each follows from the other, so that
//! the results can be computed again from a table.

use judge_core::{
    Culprit, Digest, Fault, RoundResult, RoundRow, RoundSpec, Seat, SeatResult, SeatSpec,
};

use crate::pairs::{Figures, PairRound};

/// Position of a round in its run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowPlace {
    /// Number in the run, counted from 1.
    pub round: u64,
    /// Number of the meeting, counted from 1.
    pub meeting: u64,
    /// Number of the pair in its meeting, counted from 1; none if rounds do not come in pairs.
    pub pair: Option<u64>,
    /// The state at the first question.
    pub opening: String,
    /// Set if it counts.
    pub counts: bool,
}

/// The row of a round.
pub fn row(place: RowPlace, spec: &RoundSpec, round: &PairRound) -> RoundRow {
    let PairRound { seat, outcome, fault, course, figures } = round;
    let [one, two] = &spec.seats;
    RoundRow {
        round: place.round,
        meeting: place.meeting,
        pair: place.pair,
        seed: spec.seed,
        opening: place.opening,
        seat_1: one.name().to_owned(),
        seat_2: two.name().to_owned(),
        sha256_1: sha256(one),
        sha256_2: sha256(two),
        a: *seat,
        result: result(*seat, outcome),
        winner: outcome.winner,
        score_1: outcome.scores[0],
        score_2: outcome.scores[1],
        reason: outcome.reason.clone(),
        fault: fault.as_ref().map(|fault| fault.verdict),
        blame: fault.as_ref().map(|fault| Culprit::new(fault.seat)),
        detail: fault.as_ref().map(|fault| fault.detail.to_string()),
        plies: figures.plies,
        fuel_1: figures.fuel[0],
        fuel_2: figures.fuel[1],
        memory_1: figures.memory[0],
        memory_2: figures.memory[1],
        counts: place.counts,
        course: format!("{course:016x}"),
        digest: figures.digest,
    }
}

/// The round of a row; none if the row contradicts itself.
pub fn round(row: &RoundRow) -> Option<PairRound> {
    let outcome = RoundResult {
        scores: [row.score_1, row.score_2],
        winner: row.winner,
        reason: row.reason.clone(),
    };
    let fault = match (row.fault, row.blame, &row.detail) {
        (None, None, None) => None,
        (Some(verdict), Some(blame), Some(detail)) if verdict.is_fault() => {
            Some(Fault { seat: blame.seat(), verdict, detail: detail.as_str().into(), call: None })
        }
        _ => return None,
    };
    let course = u64::from_str_radix(&row.course, 16).ok()?;
    let figures = Figures {
        plies: row.plies,
        fuel: [row.fuel_1, row.fuel_2],
        memory: [row.memory_1, row.memory_2],
        digest: row.digest,
    };
    (result(row.a, &outcome) == row.result && format!("{course:016x}") == row.course)
        .then_some(PairRound { seat: row.a, outcome, fault, course, figures })
}

fn result(seat: Seat, outcome: &RoundResult) -> SeatResult {
    match outcome.winner {
        None => SeatResult::Draw,
        Some(winner) if winner == seat => SeatResult::Win,
        Some(_) => SeatResult::Loss,
    }
}

fn sha256(seat: &SeatSpec) -> Option<Digest> {
    match seat {
        SeatSpec::Bot { sha256, .. } | SeatSpec::Trained { sha256, .. } => Some(*sha256),
        SeatSpec::Reference { .. } | SeatSpec::Human { .. } | SeatSpec::Native { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use judge_core::{Limits, Options, Seed, Verdict, digest};

    use super::*;

    fn spec() -> RoundSpec {
        let bot = SeatSpec::Bot { name: "ada".to_owned(), sha256: digest(b"ada") };
        RoundSpec {
            game: "cc".to_owned(),
            options: Options::new(),
            seed: Seed(7),
            seats: [bot, SeatSpec::Reference { name: "random".to_owned() }],
            limits: Limits::COURSE,
        }
    }

    fn failed() -> PairRound {
        let fault = Fault { seat: Some(Seat::One), ..Fault::judge("x") };
        let outcome =
            RoundResult { scores: [0, 4], winner: Some(Seat::Two), reason: "y".to_owned() };
        let digest = digest(b"record");
        let (fuel, memory) = ([Some(9), None], [Some(8), None]);
        PairRound {
            seat: Seat::Two,
            outcome,
            fault: Some(Fault { verdict: Verdict::RuntimeError, ..fault }),
            course: 0xab,
            figures: Figures { plies: 3, fuel, memory, digest },
        }
    }

    fn failed_row() -> RoundRow {
        let opening = "start".to_owned();
        let place = RowPlace { round: 4, meeting: 1, pair: Some(2), opening, counts: true };
        row(place, &spec(), &failed())
    }

    #[test]
    fn a_round_converts_to_its_row_and_back() {
        let row = failed_row();
        assert_eq!(round(&row), Some(failed()));
        assert_eq!((row.seat_1.as_str(), row.seat_2.as_str()), ("ada", "random"));
        assert_eq!((row.sha256_1, row.sha256_2), (Some(digest(b"ada")), None));
        assert_eq!((row.result, row.blame), (SeatResult::Win, Some(Culprit::SeatOne)));
        assert_eq!(row.course, "00000000000000ab");
    }

    #[test]
    fn a_contradictory_row_is_refused() {
        type Change = fn(&mut RoundRow);
        let changes: [Change; 6] = [
            |row| row.result = SeatResult::Loss,
            |row| row.winner = Some(Seat::One),
            |row| row.blame = None,
            |row| row.fault = Some(Verdict::Accepted),
            |row| row.course = "ab".to_owned(),
            |row| row.course = "00000000000000AB".to_owned(),
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut row = failed_row();
            change(&mut row);
            assert_eq!(round(&row), None, "change {number}");
        }
    }
}
