//! Submissions in batches, machines that play them, and the database between them.

mod slots;

use std::collections::VecDeque;

use self::slots::Slots;
use crate::database::{Cause, Database};
use crate::events::{Events, Luck, MINUTE, MS, SECOND, Time};
use crate::load::{DAY, next_arrival};

/// Length of a machine's lease on a batch, and of the time between renewals.
const LEASE: (Time, Time) = (60 * SECOND, 15 * SECOND);

/// Time between two heartbeats.
const SIGN: Time = 20 * SECOND;

/// Intervals at which the waiting run looks for results, and for batches without a lease.
const LOOKS: (Time, Time) = (100 * MS, 5 * SECOND);

/// Absence of a machine that was lost by chance.
const AWAY: Time = 5 * MINUTE;

/// Length of the portions in which constant load is executed.
const PORTION: Time = 100 * MS;

/// Signals that a slot keeps while it does something else.
const SIGNALS: Time = 4;

/// The longest pause before a database that fails is tried again.
const PAUSE: Time = 30 * SECOND;

/// The way workers learn of batches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asking {
    /// Each machine listens. A hint wakes its free slots, each of which asks; each slot also asks
    /// twice a second.
    EachSlot,
    /// No machine listens. A machine asks for all of its free slots at once: every second, and when
    /// a slot becomes free.
    EachMachine,
}

impl Asking {
    /// Interval at which the same worker asks.
    fn every(self) -> Time {
        match self {
            Asking::EachSlot => 500 * MS,
            Asking::EachMachine => SECOND,
        }
    }
}

/// The settings of a simulation.
#[derive(Debug, Clone)]
pub(crate) struct SimulationSettings {
    pub(crate) seed: u64,
    pub(crate) machines: usize,
    pub(crate) slots: usize,
    /// Submissions a day.
    pub(crate) submissions: u64,
    /// Batches in each of them.
    pub(crate) batches: u64,
    /// Approximate time to play a batch.
    pub(crate) play: Time,
    pub(crate) from: Time,
    pub(crate) until: Time,
    /// The database's time for a batch.
    pub(crate) job: Time,
    /// The database's time for a statement that finds nothing, a renewal or a heartbeat.
    pub(crate) statement: Time,
    /// The database's time to notify one listener.
    pub(crate) notify: Time,
    pub(crate) processors: usize,
    pub(crate) asking: Asking,
    /// Time to read and check the result of a batch.
    pub(crate) read: Time,
    pub(crate) readers: usize,
    /// Losses of each machine by chance, for each day.
    pub(crate) losses_a_day: f64,
    pub(crate) loss: Option<Loss>,
}

/// A simultaneous loss of many machines.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Loss {
    pub(crate) at: Time,
    /// One in this many machines is lost.
    pub(crate) part: usize,
    /// True if the machines continue and only the network is gone.
    pub(crate) is_cut: bool,
    pub(crate) back_after: Time,
}

/// The results.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// Times from a batch being available until a worker begins it, sorted.
    pub(crate) waits: Vec<Time>,
    /// Times from a submission to its result, sorted.
    pub(crate) results: Vec<Time>,
    /// Submissions without a result ten minutes after the end.
    pub(crate) open: usize,
    /// Batches that a second machine began.
    pub(crate) twice: u64,
    /// Results for batches that already had one.
    pub(crate) late: u64,
    /// Time from the loss of many machines until all batches that they held have results.
    pub(crate) recovered: Option<Time>,
    pub(crate) database: Database,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Arrive,
    /// A batch is available.
    Ready(u32),
    /// A machine has played what its slot held, unless it was lost.
    Played {
        slot: u32,
        life: u32,
        batch: u32,
        begun: Time,
    },
    /// Its result is in the database, or came too late.
    Told {
        slot: u32,
        life: u32,
        batch: u32,
        counts: bool,
    },
    /// The waiting run sees a result.
    Seen(u32),
    LeaseOver {
        batch: u32,
        tries: u8,
    },
    /// A machine asks for batches.
    Asked,
    LoseOne,
    LoseMany,
    Back(u32),
    Portion,
}

#[derive(Debug, Clone, Copy)]
struct Batch {
    submission: u32,
    ready: Time,
    tries: u8,
    is_done: bool,
    /// True if a machine held it when many machines were lost.
    was_hit: bool,
}

#[derive(Debug, Clone, Copy)]
struct SimulatedSubmission {
    came: Time,
    left: u64,
}

struct World<'a> {
    plan: &'a SimulationSettings,
    luck: Luck,
    events: Events<Event>,
    readers: Database,
    slots: Slots,
    /// Time at which each machine's network is back.
    cut_until: Vec<Time>,
    waiting: VecDeque<u32>,
    batches: Vec<Batch>,
    submissions: Vec<SimulatedSubmission>,
    /// Time at which all slots that were woken in vain have asked.
    woken_until: Time,
    hit: u64,
    end: Outcome,
}

/// Simulates a plan.
pub(crate) fn simulate(plan: &SimulationSettings) -> Outcome {
    let mut world = World::new(plan);
    while let Some((now, event)) = world.events.next() {
        if now > plan.until + 10 * MINUTE {
            break;
        }
        world.happen(now, event);
    }
    let mut end = world.end;
    end.open = world.submissions.iter().filter(|submission| submission.left > 0).count();
    end.waits.sort_unstable();
    end.results.sort_unstable();
    end
}

impl World<'_> {
    fn new(plan: &SimulationSettings) -> World<'_> {
        let end = Outcome {
            waits: Vec::new(),
            results: Vec::new(),
            open: 0,
            twice: 0,
            late: 0,
            recovered: None,
            database: Database::new(plan.processors, plan.from),
        };
        let mut world = World {
            plan,
            luck: Luck::new(plan.seed),
            events: Events::new(),
            readers: Database::new(plan.readers, plan.from),
            slots: Slots::new(plan.machines, plan.slots),
            cut_until: vec![0; plan.machines],
            waiting: VecDeque::new(),
            batches: Vec::new(),
            submissions: Vec::new(),
            woken_until: 0,
            hit: 0,
            end,
        };
        world.events.at(plan.from, Event::Portion);
        world.plan_arrival(plan.from);
        world.plan_loss(plan.from);
        if let Some(loss) = plan.loss {
            world.events.at(loss.at, Event::LoseMany);
        }
        world
    }

    fn happen(&mut self, now: Time, event: Event) {
        match event {
            Event::Arrive => self.arrive(now),
            Event::Ready(batch) => self.ready(now, batch),
            Event::Played { slot, life, batch, begun } => {
                self.played(now, slot, life, batch, begun);
            }
            Event::Told { slot, life, batch, counts } => self.told(now, slot, life, batch, counts),
            Event::Seen(batch) => self.seen(now, batch),
            Event::LeaseOver { batch, tries } => self.lease_over(now, batch, tries),
            Event::Asked => self.dispatch(now),
            Event::LoseOne => {
                let machine = self.luck.below(self.plan.machines as u64);
                self.lose(now, u32::try_from(machine).unwrap_or(0), AWAY);
                self.plan_loss(now);
            }
            Event::LoseMany => self.lose_many(now),
            Event::Back(machine) => {
                self.slots.come_back(machine);
                self.dispatch(now);
            }
            Event::Portion => self.portion(now),
        }
    }

    fn plan_arrival(&mut self, now: Time) {
        let next = next_arrival(self.plan.submissions, &mut self.luck, now);
        if next < self.plan.until {
            self.events.at(next, Event::Arrive);
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "a simulation")]
    fn plan_loss(&mut self, now: Time) {
        let seconds = (DAY / SECOND) as f64;
        let a_second = self.plan.losses_a_day * self.plan.machines as f64 / seconds;
        if a_second > 0.0 {
            self.events.at(now + self.luck.until_next(a_second), Event::LoseOne);
        }
    }

    /// Cuts a submission into batches and writes them.
    fn arrive(&mut self, now: Time) {
        let submission = index(self.submissions.len());
        self.submissions.push(SimulatedSubmission { came: now, left: self.plan.batches });
        for _ in 0..self.plan.batches {
            let written = self.end.database.serve(now, self.plan.job * 3 / 10, Cause::Batches);
            let batch = Batch { submission, ready: 0, tries: 0, is_done: false, was_hit: false };
            self.batches.push(batch);
            self.events.at(written, Event::Ready(index(self.batches.len() - 1)));
        }
        self.plan_arrival(now);
    }

    fn ready(&mut self, now: Time, batch: u32) {
        self.batches[batch as usize].ready = now;
        self.waiting.push_back(batch);
        match self.plan.asking {
            Asking::EachSlot => {
                let listeners = self.plan.machines as Time;
                self.end.database.serve_many(now, listeners * self.plan.notify, Cause::Hints);
                self.dispatch(now);
                self.wake(now);
            }
            Asking::EachMachine => {
                let soon = Asking::EachMachine.every() / self.asking().max(1);
                let asked = now + self.luck.below(2 * soon);
                self.events.at(asked, Event::Asked);
            }
        }
    }

    /// Number of machines that ask repeatedly.
    fn asking(&self) -> Time {
        let free = self.slots.free();
        match self.plan.asking {
            Asking::EachSlot => free as Time,
            Asking::EachMachine => free.min(self.plan.machines) as Time,
        }
    }

    /// All free slots ask in vain. A slot that has not asked yet keeps a few signals at most.
    fn wake(&mut self, now: Time) {
        let cost = self.slots.free() as Time * self.plan.statement;
        let round = cost / self.plan.processors as Time;
        if self.woken_until < now + SIGNALS * round {
            self.woken_until = self.end.database.serve_many(now, cost, Cause::Woken);
        }
    }

    /// Gives waiting batches to free slots.
    fn dispatch(&mut self, now: Time) {
        while !self.waiting.is_empty() {
            let Some(slot) = self.slots.take(&mut self.luck) else { return };
            let Some(batch) = self.waiting.pop_front() else { return };
            let cost = self.plan.job * 35 / 100;
            let begun = self.end.database.serve(now, cost, Cause::Batches);
            let row = &mut self.batches[batch as usize];
            self.end.twice += u64::from(row.tries > 0);
            row.tries = row.tries.saturating_add(1);
            self.end.waits.push(begun - row.ready);
            self.slots.hold(slot, batch, begun);
            let life = self.slots.life_of(slot);
            let played = begun + self.luck.scattered(self.plan.play);
            self.events.at(played, Event::Played { slot, life, batch, begun });
        }
    }

    fn played(&mut self, now: Time, slot: u32, life: u32, batch: u32, begun: Time) {
        if self.slots.life_of(slot) != life {
            return;
        }
        let cut_until = self.cut_until[self.slots.machine_of(slot)];
        if now < cut_until {
            // Retried until it succeeds, or until another machine may have had the batch for a long
            // time.
            let again = cut_until + self.luck.below(PAUSE);
            let counts = again < begun + 2 * LEASE.0;
            self.events.at(again, Event::Told { slot, life, batch, counts });
            return;
        }
        let told = self.end.database.serve(now, self.plan.job * 35 / 100, Cause::Batches);
        self.events.at(told, Event::Told { slot, life, batch, counts: true });
    }

    fn told(&mut self, now: Time, slot: u32, life: u32, batch: u32, counts: bool) {
        if self.slots.life_of(slot) != life {
            return;
        }
        let row = &mut self.batches[batch as usize];
        if counts && row.is_done {
            self.end.late += 1;
        } else if counts {
            row.is_done = true;
            let seen = now + self.luck.below(LOOKS.0);
            self.events.at(seen, Event::Seen(batch));
            self.heal(now, batch);
        }
        self.slots.set_free(slot);
        self.dispatch(now);
    }

    /// Counts down the batches that lost machines held.
    fn heal(&mut self, now: Time, batch: u32) {
        if let (true, Some(loss)) = (self.batches[batch as usize].was_hit, self.plan.loss) {
            self.hit -= 1;
            if self.hit == 0 {
                self.end.recovered = Some(now - loss.at);
            }
        }
    }

    fn seen(&mut self, now: Time, batch: u32) {
        let read = self.readers.serve(now, self.plan.read, Cause::Batches);
        let row = &mut self.submissions[self.batches[batch as usize].submission as usize];
        row.left -= 1;
        if row.left == 0 {
            self.end.results.push(read - row.came);
        }
    }

    /// The waiting run sends another hint for a batch without a lease.
    fn lease_over(&mut self, now: Time, batch: u32, tries: u8) {
        let row = self.batches[batch as usize];
        if !row.is_done && row.tries == tries {
            let hinted = self.end.database.serve(now, self.plan.job / 10, Cause::Batches);
            self.events.at(hinted, Event::Ready(batch));
        }
    }

    /// Ends a machine with all batches that it plays.
    fn lose(&mut self, now: Time, machine: u32, away: Time) {
        if self.slots.is_lost(machine) || now < self.cut_until[machine as usize] {
            return;
        }
        for (batch, begun) in self.slots.lose(machine) {
            self.plan_lease_over(now, batch, begun);
        }
        self.events.at(now + away, Event::Back(machine));
    }

    fn plan_lease_over(&mut self, now: Time, batch: u32, begun: Time) {
        let renewed = begun + now.saturating_sub(begun) / LEASE.1 * LEASE.1;
        let looked_at = renewed + LEASE.0 + self.luck.below(LOOKS.1);
        let tries = self.batches[batch as usize].tries;
        self.events.at(looked_at, Event::LeaseOver { batch, tries });
    }

    fn lose_many(&mut self, now: Time) {
        let Some(loss) = self.plan.loss else { return };
        for machine in 0..self.plan.machines / loss.part {
            let number = index(machine);
            let held = self.slots.held(number);
            for (batch, begun) in &held {
                self.batches[*batch as usize].was_hit = true;
                self.hit += 1;
                if loss.is_cut {
                    self.plan_lease_over(now, *batch, *begun);
                }
            }
            if loss.is_cut {
                self.cut_until[machine] = now + loss.back_after;
                self.slots.close(number);
                let back = now + loss.back_after + self.luck.below(PAUSE);
                self.events.at(back, Event::Back(number));
            } else {
                self.lose(now, number, loss.back_after);
            }
        }
    }

    /// Adds a portion of the database's constant load.
    fn portion(&mut self, now: Time) {
        let (free, all) =
            (self.slots.free() as Time, (self.plan.machines * self.plan.slots) as Time);
        let often = [
            (self.asking(), self.plan.asking.every(), Cause::Polls),
            (all - free, LEASE.1, Cause::Renewals),
            (self.plan.machines as Time, SIGN, Cause::Signs),
        ];
        for (who, every, cause) in often {
            self.end.database.serve_many(now, who * self.plan.statement * PORTION / every, cause);
        }
        self.events.at(now + PORTION, Event::Portion);
    }
}

/// A position as `u32`: there are far fewer than four thousand million.
fn index(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
