//! Computes ranks and marks in a course from each submission's points and score.

use judge_core::Points;

use crate::RankCurve;

/// The rank and mark of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankedMark {
    /// Rank, counted from 1. Equal submissions share it, and the next ranks are skipped.
    pub rank: u32,
    /// Points for the rank, by the suite's curve; none without a curve.
    pub rank_points: Option<Points>,
}

/// The ranks of submissions with these points and scores, in the same order. More points are
/// better, then the larger score.
pub fn standings(curve: Option<&RankCurve>, results: &[(Points, i64)]) -> Vec<RankedMark> {
    let better = |one: &(Points, i64)| results.iter().filter(|other| *other > one).count();
    let field = |curve: &RankCurve| -> Vec<(Points, i64)> {
        results.iter().copied().filter(|(points, _)| *points >= curve.min_points).collect()
    };
    let field = curve.map(|curve| (curve, field(curve)));
    let standing = |result: &(Points, i64)| RankedMark {
        rank: u32::try_from(better(result) + 1).unwrap_or(u32::MAX),
        rank_points: field.as_ref().map(|(curve, field)| by_rank(curve, field, *result)),
    };
    results.iter().map(standing).collect()
}

fn by_rank(curve: &RankCurve, field: &[(Points, i64)], result: (Points, i64)) -> Points {
    if result.0 < curve.min_points {
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

    #[test]
    fn equal_ones_share_a_rank_and_who_falls_short_takes_no_part() {
        let curve =
            RankCurve { min_points: 60.into(), corners: vec![(0, 0.into()), (100, 100.into())] };
        let results = [(60, 5), (160, 9), (40, 99), (60, 5)]
            .map(|(points, score)| (Points::whole(points), score));
        let found = standings(Some(&curve), &results);
        let ranks: Vec<u32> = found.iter().map(|standing| standing.rank).collect();
        assert_eq!(ranks, [2, 1, 4, 2]);
        let points: Vec<_> = found.iter().filter_map(|standing| standing.rank_points).collect();
        assert_eq!(points, [25, 100, 0, 25].map(Points::whole), "a field of three");
        assert_eq!(standings(None, &results)[1].rank_points, None);
    }
}
