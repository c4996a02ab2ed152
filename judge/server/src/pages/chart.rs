//! Points of a person's submissions over time, as a small picture and in a sentence.

use judge_core::Points;
use judge_store::{Counted, ResultRow};

use super::when::CourseClock;
use crate::words::Words;

/// Size of the picture and of its margin.
const SIZE: [u64; 2] = [600, 120];
const ROOM: u64 = 8;

/// A picture of a person's points over time.
pub(super) struct Chart {
    pub(super) title: String,
    /// The picture in words.
    pub(super) caption: String,
    pub(super) size: [u64; 2],
    /// Heights of the axes at no points and at all points.
    pub(super) axes: [u64; 2],
    /// SVG path of the points that count over time.
    pub(super) way: String,
    pub(super) dots: Vec<Dot>,
}

/// A submission in the picture.
pub(super) struct Dot {
    pub(super) x: u64,
    pub(super) y: u64,
    pub(super) title: String,
}

impl Chart {
    /// Draws results in the order of submission; none for fewer than two.
    pub(super) fn new(
        words: &Words,
        clock: &CourseClock,
        title: &str,
        results: &[ResultRow],
        counts: Counted,
    ) -> Option<Chart> {
        let [first, .., last] = results else { return None };
        let counted = counted(results, counts);
        let span = [first, last].map(|result| clock.local(result.received_at));
        let points = words.t2("progress.points", counted.last()?, last.max_points);
        let caption = words.many("progress.many", results.len());
        let times = words.t2("progress.span", &span[0], &span[1]);
        let positions = positions(results);
        let dot = |(result, [x, y]): (&ResultRow, &[u64; 2])| Dot {
            x: *x,
            y: *y,
            title: format!("{}: {}", clock.local(result.received_at), result.points),
        };
        Some(Chart {
            title: title.to_owned(),
            caption: format!("{caption} {times} {points}"),
            size: SIZE,
            axes: [SIZE[1] - ROOM, ROOM],
            way: way(results, &counted, &positions),
            dots: std::iter::zip(results, &positions).map(dot).collect(),
        })
    }
}

/// The points that counted after each result.
fn counted(results: &[ResultRow], counts: Counted) -> Vec<Points> {
    let points = results.iter().map(|result| result.points);
    let best = |best: &mut Points, points: Points| {
        *best = points.max(*best);
        Some(*best)
    };
    match counts {
        Counted::Latest => points.collect(),
        Counted::Best => points.scan(Points::ZERO, best).collect(),
    }
}

/// Points at the upper axis, in thousandths.
fn top(results: &[ResultRow]) -> u64 {
    let most = results.iter().map(|result| result.points.max(result.max_points).thousandths());
    most.max().unwrap_or_default().max(1)
}

fn height(points: Points, top: u64) -> u64 {
    SIZE[1] - ROOM - share(points.thousandths(), top, SIZE[1] - 2 * ROOM)
}

/// `part / whole` of a length, within the length.
fn share(part: u64, whole: u64, length: u64) -> u64 {
    let share = u128::from(part.min(whole)) * u128::from(length) / u128::from(whole.max(1));
    u64::try_from(share).unwrap_or(length)
}

/// Position of each result: time across, points upwards.
fn positions(results: &[ResultRow]) -> Vec<[u64; 2]> {
    let millis = |result: &ResultRow| result.received_at.millis();
    let begin = results.first().map(millis).unwrap_or_default();
    let since = |at: i64| u64::try_from(at.saturating_sub(begin)).unwrap_or_default();
    let span = results.last().map(|last| since(millis(last))).unwrap_or_default();
    let top = top(results);
    let place = |result: &ResultRow| {
        let x = ROOM + share(since(millis(result)), span, SIZE[0] - 2 * ROOM);
        [x, height(result.points, top)]
    };
    results.iter().map(place).collect()
}

/// The line, which keeps its height until the next result.
fn way(results: &[ResultRow], counted: &[Points], positions: &[[u64; 2]]) -> String {
    let top = top(results);
    let step = |(at, ([x, _], points)): (usize, (&[u64; 2], &Points))| {
        let y = height(*points, top);
        if at == 0 { format!("M{x} {y}") } else { format!("H{x}V{y}") }
    };
    std::iter::zip(positions, counted).enumerate().map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_stay_inside_the_chart() {
        assert_eq!((share(0, 10, 100), share(5, 10, 100), share(20, 10, 100)), (0, 50, 100));
        assert_eq!(share(0, 0, 100), 0, "all at one moment");
        assert_eq!(share(u64::MAX, u64::MAX, 100), 100);
    }

    #[test]
    fn full_points_are_at_the_top_of_the_chart_and_0_at_the_bottom() {
        let whole = Points::whole(20);
        assert_eq!(height(whole, whole.thousandths()), ROOM);
        assert_eq!(height(Points::ZERO, whole.thousandths()), SIZE[1] - ROOM);
    }
}
