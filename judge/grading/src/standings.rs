//! Computes ranks and marks in a course from each submission's points and score.

use judge_core::Points;

use crate::RankCurve;

/// The result of a submission, as it is ranked. More points are better, then the larger score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RankedResult {
    /// The points that count: for a late submission, those after the deduction.
    pub points: Points,
    /// The sum of scores.
    pub score: i64,
    /// False for a submission that earns nothing because it is late: it gets no points by rank and
    /// does not count as beaten.
    pub takes_part: bool,
}

/// The rank and mark of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankedMark {
    /// Rank, counted from 1. Equal submissions share it, and the next ranks are skipped.
    pub rank: u32,
    /// Points for the rank, by the suite's curve; none without a curve.
    pub rank_points: Option<Points>,
}

/// The ranks of submissions with these results, in the same order.
pub fn standings(curve: Option<&RankCurve>, results: &[RankedResult]) -> Vec<RankedMark> {
    let order = |result: &RankedResult| (result.points, result.score);
    let better =
        |one: &RankedResult| results.iter().filter(|other| order(other) > order(one)).count();
    let field = |curve: &RankCurve| -> Vec<RankedResult> {
        results.iter().copied().filter(|result| is_in_field(curve, result)).collect()
    };
    let field = curve.map(|curve| (curve, field(curve)));
    let standing = |result: &RankedResult| RankedMark {
        rank: u32::try_from(better(result) + 1).unwrap_or(u32::MAX),
        rank_points: field.as_ref().map(|(curve, field)| by_rank(curve, field, *result)),
    };
    results.iter().map(standing).collect()
}

fn is_in_field(curve: &RankCurve, result: &RankedResult) -> bool {
    result.takes_part && result.points >= curve.min_points
}

fn by_rank(curve: &RankCurve, field: &[RankedResult], result: RankedResult) -> Points {
    if !is_in_field(curve, &result) {
        return Points::ZERO;
    }
    let below = field.iter().filter(|other| **other < result).count() as u64;
    // The submission itself is among the equal ones.
    let equal = field.iter().filter(|other| **other == result).count() as u64 - 1;
    curve.points(below, equal, field.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_time((points, score): (u32, i64)) -> RankedResult {
        RankedResult { points: Points::whole(points), score, takes_part: true }
    }

    #[test]
    fn equal_students_share_a_rank_and_the_minimum_excludes_others() {
        let curve =
            RankCurve { min_points: 60.into(), corners: vec![(0, 0.into()), (100, 100.into())] };
        let results = [(60, 5), (160, 9), (40, 99), (60, 5)].map(on_time);
        let found = standings(Some(&curve), &results);
        let ranks: Vec<u32> = found.iter().map(|standing| standing.rank).collect();
        assert_eq!(ranks, [2, 1, 4, 2]);
        let points: Vec<_> = found.iter().filter_map(|standing| standing.rank_points).collect();
        assert_eq!(points, [25, 100, 0, 25].map(Points::whole), "a field of three");
        assert_eq!(standings(None, &results)[1].rank_points, None);
    }

    #[test]
    fn a_late_student_without_points_is_not_ranked() {
        let curve =
            RankCurve { min_points: 0.into(), corners: vec![(0, 10.into()), (100, 100.into())] };
        let mut results = [(0, 99), (0, 5), (80, 5), (120, 9)].map(on_time);
        results[0].takes_part = false;
        let found = standings(Some(&curve), &results);
        let points: Vec<_> = found.iter().filter_map(|standing| standing.rank_points).collect();
        assert_eq!(points, [0, 10, 55, 100].map(Points::whole), "a field of three");
        let ranks: Vec<u32> = found.iter().map(|standing| standing.rank).collect();
        assert_eq!(ranks, [3, 4, 2, 1]);
    }
}
