//! A small fleet with predictable results.

use super::*;
use crate::events::{HOUR, percentile};
use crate::load::DEADLINE;

fn small() -> SimulationSettings {
    SimulationSettings {
        seed: 1,
        machines: 30,
        slots: 4,
        submissions: 10_000,
        batches: 6,
        play: 10 * SECOND,
        from: DEADLINE - HOUR,
        until: DEADLINE,
        job: 3 * MS,
        statement: 150,
        notify: 10,
        processors: 2,
        asking: Asking::EachMachine,
        read: MS,
        readers: 1,
        losses_a_day: 0.0,
        loss: None,
    }
}

fn lost(is_cut: bool, back_after: Time) -> SimulationSettings {
    let loss = Loss { at: DEADLINE - HOUR / 2, part: 3, is_cut, back_after };
    SimulationSettings { loss: Some(loss), ..small() }
}

#[test]
fn every_submission_gets_its_result() {
    let end = simulate(&small());
    assert_eq!((end.open, end.twice, end.late), (0, 0, 0));
    assert!(end.results.len() > 2_500, "{}", end.results.len());
    assert_eq!(end.waits.len(), 6 * end.results.len());
    let half = percentile(&end.results, 50);
    assert!((10 * SECOND..13 * SECOND).contains(&half), "six batches in parallel: {half}");
}

#[test]
fn the_same_seed_gives_the_same_outcome() {
    let plan = SimulationSettings { losses_a_day: 20.0, ..small() };
    let (one, other) = (simulate(&plan), simulate(&plan));
    assert_eq!((&one.waits, &one.results), (&other.waits, &other.results));
    assert_eq!(one.twice, other.twice);
    assert_ne!(simulate(&SimulationSettings { seed: 2, ..plan }).results, other.results);
}

#[test]
fn rounds_of_lost_machines_are_played_after_their_leases() {
    let end = simulate(&lost(false, HOUR));
    let after = end.recovered.unwrap();
    assert!((LEASE.0..LEASE.0 + LOOKS.1 + 20 * SECOND).contains(&after), "{after}");
    assert!(end.twice > 0 && end.late == 0 && end.open == 0, "{end:?}");
}

#[test]
fn disconnected_machines_report_late() {
    let end = simulate(&lost(true, 90 * SECOND));
    assert!(end.late > 0 && end.late <= end.twice, "{} {}", end.late, end.twice);
    let short = simulate(&lost(true, 20 * SECOND));
    assert!(short.twice < end.twice && short.open == 0, "{} {}", short.twice, end.twice);
}

#[test]
fn notifications_to_all_machines_cost_the_database_time() {
    let (one, all) =
        (simulate(&small()), simulate(&SimulationSettings { asking: Asking::EachSlot, ..small() }));
    assert!(all.database.mean() > one.database.mean());
    let woken = |end: &Outcome| end.database.demand(end.database.busiest().0, Cause::Woken);
    assert!(woken(&one) < 1e-9 && woken(&all) > 1e-3, "{}", woken(&all));
}

#[test]
fn a_slow_reader_delays_results_but_no_worker() {
    let end = simulate(&SimulationSettings { read: 700 * MS, ..small() });
    assert!(percentile(&end.waits, 99) < SECOND);
    assert!(percentile(&end.results, 99) > MINUTE, "{}", percentile(&end.results, 99));
}
