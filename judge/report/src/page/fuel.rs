//! The cost of each step as a chart with a bar per step, in which the seats are stacked.

use judge_core::{Limits, Seat};

use super::sheet::tame;
use super::steps::RoundStep;
use crate::units::{fuel_as_ms, share};

/// Height of the highest bar and width of a step, in units of the chart.
const HEIGHT: u64 = 1000;
const STEP: usize = 10;
/// Space above the bars for the mark of the most expensive call.
const ROOM: u64 = 120;
/// The mark is at least as wide as the chart divided by this, however many steps there are.
const MARK: usize = 40;
/// Space between two bars.
const GAP: usize = 2;
/// Minimum number of steps to leave room for, so that the bars of a short round stay slim.
const LEAST_STEPS: usize = 40;
/// Minimum height of a bar, so that a tiny cost is still visible.
const LEAST: u64 = 12;

/// The bars of all steps, from first to last.
#[derive(Debug)]
pub(super) struct Chart {
    pub(super) width: usize,
    pub(super) height: u64,
    pub(super) step: usize,
    pub(super) bars: Vec<Bar>,
    /// Value of the highest bar.
    pub(super) scale: String,
    pub(super) costliest: Costliest,
    pub(super) seats: Vec<Seat>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Bar {
    pub(super) seat: Seat,
    pub(super) x: usize,
    pub(super) y: u64,
    pub(super) width: usize,
    pub(super) height: u64,
}

/// The most expensive call.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Costliest {
    pub(super) step: usize,
    /// Outline of the mark above its bar.
    pub(super) mark: String,
    /// Seat and line of the call.
    pub(super) call: String,
    pub(super) cost: String,
}

impl Chart {
    /// Returns the chart of a round; none if no fuel was metered.
    pub(super) fn new(steps: &[RoundStep], limits: &Limits) -> Option<Chart> {
        let costliest = costliest(steps, limits)?;
        let total = |step: &RoundStep| {
            Seat::BOTH.iter().fold(0, |sum, seat| step.fuel(*seat).saturating_add(sum))
        };
        let most = steps.iter().map(total).max().unwrap_or(0);
        let seats = Seat::BOTH.into_iter().filter(|seat| is_counted(steps, *seat));
        Some(Chart {
            width: steps.len().max(LEAST_STEPS) * STEP,
            height: HEIGHT + ROOM,
            step: STEP,
            bars: steps.iter().enumerate().flat_map(|(at, step)| bars(at, step, most)).collect(),
            scale: cost(most, limits),
            costliest,
            seats: seats.collect(),
        })
    }
}

/// Fuel as time and as a share of the limit.
pub(super) fn cost(fuel: u64, limits: &Limits) -> String {
    format!("{} ({})", fuel_as_ms(fuel), share(fuel, limits.fuel))
}

fn is_counted(steps: &[RoundStep], seat: Seat) -> bool {
    let mut calls = steps.iter().flat_map(|step| &step.calls);
    calls.any(|call| call.seat == seat && call.fuel.is_some())
}

/// Finds the most expensive call, the first one if several are equal.
fn costliest(steps: &[RoundStep], limits: &Limits) -> Option<Costliest> {
    let calls = steps
        .iter()
        .enumerate()
        .flat_map(|(step, content)| content.calls.iter().map(move |call| (step, call)));
    let counted = calls.filter_map(|(step, call)| Some((step, call, call.fuel?)));
    let (step, call, fuel) = counted.min_by_key(|(_, _, fuel)| std::cmp::Reverse(*fuel))?;
    let what = call.line.split(' ').next().unwrap_or_default();
    Some(Costliest {
        step,
        mark: mark(step, steps.len()),
        call: format!("seat {}, {}", call.seat, tame(what)),
        cost: cost(fuel, limits),
    })
}

/// A wedge that points down to the bar of a step.
fn mark(step: usize, steps: usize) -> String {
    let half = (STEP / 2).max(steps.max(LEAST_STEPS) * STEP / MARK / 2);
    let (tip, depth) = (step * STEP + STEP / 2, ROOM - ROOM / 6);
    format!("M{} 0h{}L{tip} {depth}z", tip.saturating_sub(half), tip.min(half) + half)
}

/// The bars of one step: seat 1 below, seat 2 above it.
fn bars(at: usize, step: &RoundStep, most: u64) -> Vec<Bar> {
    let mut top = HEIGHT + ROOM;
    let mut bars = Vec::new();
    for seat in Seat::BOTH {
        let fuel = step.fuel(seat);
        if fuel == 0 {
            continue;
        }
        let height = u128::from(fuel) * u128::from(HEIGHT) / u128::from(most);
        let height = u64::try_from(height).unwrap_or(HEIGHT).max(LEAST).min(top - ROOM);
        top -= height;
        bars.push(Bar { seat, x: at * STEP + GAP / 2, y: top, width: STEP - GAP, height });
    }
    bars
}

#[cfg(test)]
mod tests {
    use judge_core::Call;

    use super::super::steps::StepKind;
    use super::*;

    fn step(fuel: [Option<u64>; 2]) -> RoundStep {
        let call = |(seat, fuel)| Call { seat, line: "move? now".to_owned(), answer: None, fuel };
        let calls = std::iter::zip(Seat::BOTH, fuel).map(call).collect();
        RoundStep { kind: StepKind::Move, first: 0, calls, note: None }
    }

    #[test]
    fn bars_are_stacked_and_have_a_minimum_height() {
        let steps = [step([Some(3000), Some(1000)]), step([Some(1), None]), step([Some(0), None])];
        let chart = Chart::new(&steps, &Limits::COURSE).expect("a chart");
        let found: Vec<_> =
            chart.bars.iter().map(|bar| (bar.seat, bar.x, bar.y, bar.height)).collect();
        let expected =
            [(Seat::One, 1, 370, 750), (Seat::Two, 1, 120, 250), (Seat::One, 11, 1108, 12)];
        assert_eq!(found, expected);
        assert_eq!((chart.costliest.step, chart.costliest.call.as_str()), (0, "seat 1, move?"));
        assert_eq!(chart.costliest.cost, "0.003 ms (< 0.01 %)");
        assert_eq!(chart.seats, Seat::BOTH);
        assert_eq!(chart.costliest.mark, "M0 0h10L5 100z");
        assert_eq!(mark(50, 100), "M493 0h24L505 100z", "wide enough to be seen");
    }

    #[test]
    fn the_first_of_equally_expensive_calls_is_named() {
        let steps = [step([Some(1), None]), step([Some(5), None]), step([Some(5), None])];
        assert_eq!(Chart::new(&steps, &Limits::COURSE).map(|chart| chart.costliest.step), Some(1));
    }

    #[test]
    fn a_round_without_fuel_has_no_chart() {
        assert!(Chart::new(&[step([None, None])], &Limits::COURSE).is_none());
        let huge = Chart::new(&[step([Some(u64::MAX), Some(u64::MAX)])], &Limits::COURSE);
        assert!(huge.is_some_and(|chart| chart.bars.iter().all(|bar| bar.height <= HEIGHT)));
        let nothing = Chart::new(&[step([Some(0), None])], &Limits::COURSE);
        assert!(nothing.is_some_and(|chart| chart.bars.is_empty()));
    }
}
