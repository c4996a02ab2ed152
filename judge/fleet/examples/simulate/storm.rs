//! A database that is back after an outage, and machines that all reconnect to it.

use crate::database::{Cause, Database};
use crate::events::{Events, Luck, MS, SECOND, Time};

/// Time that a machine waits for a connection.
const PATIENCE: Time = 10 * SECOND;

/// The first pause before a machine tries again, and the longest.
const PAUSES: (Time, Time) = (500 * MS, 30 * SECOND);

/// The pauses of machines between two tries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pauses {
    /// Each waits for half a second.
    Fixed,
    /// Each waits twice as long as before, with random variation between machines.
    Growing,
}

/// A database outage.
#[derive(Debug, Clone)]
pub(crate) struct Storm {
    pub(crate) seed: u64,
    pub(crate) machines: usize,
    pub(crate) outage: Time,
    /// The database's time for the connections that a machine opens.
    pub(crate) connect: Time,
    pub(crate) processors: usize,
    pub(crate) pauses: Pauses,
}

/// The measured recovery after an outage.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Calm {
    /// Time from the outage's end until the last machine is connected.
    pub(crate) back_after: Time,
    /// Tries that failed although the database was back.
    pub(crate) failed: u64,
    /// Delays of other statements meanwhile, sorted; one is tried each 100 ms.
    pub(crate) delays: Vec<Time>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A machine connects, after a pause of this length.
    Connect(usize, Time),
    /// A machine uses its connection.
    Statement,
}

/// Simulates the outage's end. Work for a machine that has given up is a fifth: it is seen as soon
/// as the connection is open.
pub(crate) fn storm(set: &Storm) -> Calm {
    let (mut luck, mut events) = (Luck::new(set.seed), Events::new());
    let mut database = Database::new(set.processors, set.outage);
    let mut calm = Calm { back_after: 0, failed: 0, delays: Vec::new() };
    let mut open = set.machines;
    for machine in 0..set.machines {
        events.at(luck.below(SECOND), Event::Connect(machine, PAUSES.0));
    }
    events.at(set.outage, Event::Statement);
    while open > 0 {
        let Some((now, event)) = events.next() else { break };
        match event {
            Event::Statement => {
                calm.delays.push(database.delay(now));
                events.at(now + 100 * MS, Event::Statement);
            }
            Event::Connect(machine, pause) => {
                let has_waited = match connect(set, &mut database, now) {
                    Ok(done) => {
                        open -= 1;
                        calm.back_after = calm.back_after.max(done - set.outage);
                        continue;
                    }
                    Err(waited) => waited,
                };
                calm.failed += u64::from(now >= set.outage);
                let (pause, next) = match set.pauses {
                    Pauses::Fixed => (PAUSES.0, PAUSES.0),
                    Pauses::Growing => (luck.scattered(pause), (2 * pause).min(PAUSES.1)),
                };
                events.at(now + has_waited + pause, Event::Connect(machine, next));
            }
        }
    }
    calm.delays.sort_unstable();
    calm
}

/// The time when the machine is connected, or the time until it gives up.
fn connect(set: &Storm, database: &mut Database, now: Time) -> Result<Time, Time> {
    if now < set.outage {
        return Err(0);
    }
    if database.delay(now) + set.connect > PATIENCE {
        database.serve(now, set.connect / 5, Cause::Batches);
        return Err(PATIENCE);
    }
    Ok(database.serve(now, set.connect, Cause::Batches))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::{MINUTE, percentile};

    fn set(pauses: Pauses) -> Storm {
        let (outage, connect) = (2 * MINUTE, 15 * MS);
        Storm { seed: 1, machines: 10_000, outage, connect, processors: 8, pauses }
    }

    #[test]
    fn machines_with_equal_waits_reconnect_together() {
        let (fixed, growing) = (storm(&set(Pauses::Fixed)), storm(&set(Pauses::Growing)));
        assert!(fixed.failed > 1_000 && growing.failed == 0, "{fixed:?}");
        let waits = [&fixed, &growing].map(|calm| percentile(&calm.delays, 99));
        assert!(waits[0] > 5 * SECOND && waits[1] < SECOND, "{waits:?}");
    }

    #[test]
    fn all_machines_reconnect() {
        let work = 10_000 * 15 * MS / 8;
        for pauses in [Pauses::Fixed, Pauses::Growing] {
            let calm = storm(&set(pauses));
            assert!((work..2 * MINUTE).contains(&calm.back_after), "{}", calm.back_after);
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_storm() {
        let set = set(Pauses::Growing);
        assert_eq!(storm(&set), storm(&set));
        assert_ne!(storm(&set), storm(&Storm { seed: 2, ..set }));
    }
}
