//! Plays many meetings at once. Each worker stays with one meeting until it has no rounds left, so
//! that few workers are started and none waits for the last round of a meeting.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};

use judge_core::Seat;

use crate::pairs::{InOrder, PairFlow, PairStep, Pairing, place};
use crate::pool::{ArenaError, Believed, Finished, Job, JobStep, Run};
use crate::station::Station;

/// Number of rounds sent to other machines at once.
const BLOCK: usize = 1 << 16;

/// Plays up to the given number of pairs of each meeting and reports every step to `listen`, with
/// the number of the meeting. The pairs of one meeting come in order, until `listen` ends it.
/// Progress between meetings shows only in the order of these calls.
///
/// # Errors
/// When a round cannot begin at all, the journal fails, or `listen` does. No further round begins
/// then.
pub fn play_meetings(
    run: &Run,
    modules: &[&[u8]],
    meetings: &[Pairing],
    pairs: u64,
    listen: &mut dyn FnMut(usize, PairStep<'_>) -> PairFlow,
) -> Result<(), ArenaError> {
    let run = &run.believing();
    let mut desk = Desk::new(meetings, listen);
    if run.pool().machines().is_some() && !run.is_stored_only() {
        return play_elsewhere(run, modules, pairs, &mut desk);
    }
    let workers = run.pool().workers().max(1);
    let schedule = Mutex::new(Schedule::new(meetings.len(), pairs, workers));
    let (sender, results) = channel();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (schedule, sender) = (&schedule, sender.clone());
            let station = run.station(modules);
            scope.spawn(move || work(station, meetings, schedule, &sender));
        }
        drop(sender);
        let (mut outcome, mut is_heard) = (Ok(()), true);
        for result in results {
            let is_told = result.is_ok();
            let heard = match result {
                // No reports after a failed one.
                Ok(_) if !is_heard => continue,
                Ok((meeting, step)) => {
                    let heard = desk.hear(meeting, step);
                    if desk.is_closed(meeting) {
                        with(&schedule, |schedule| schedule.close(meeting));
                    }
                    heard
                }
                Err(error) => Err(error),
            };
            if let Err(error) = heard {
                is_heard &= !is_told;
                with(&schedule, Schedule::stop);
                outcome = outcome.and(Err(error));
            }
        }
        outcome
    })
}

/// Plays all meetings on other machines, one after the other, because these take many rounds at a
/// time.
fn play_elsewhere(
    run: &Run,
    modules: &[&[u8]],
    pairs: u64,
    desk: &mut Desk<'_>,
) -> Result<(), ArenaError> {
    let meetings = desk.meetings;
    let all = (0..meetings.len()).flat_map(|meeting| (0..2 * pairs).map(move |job| (meeting, job)));
    let mut all = all.peekable();
    let closed: Vec<AtomicBool> = meetings.iter().map(|_| AtomicBool::new(false)).collect();
    let is_closed = |meeting: usize| closed[meeting].load(Ordering::Relaxed);
    while all.peek().is_some() {
        let open = all.by_ref().filter(|(meeting, _)| !is_closed(*meeting));
        let places: Vec<(usize, u64)> = open.take(BLOCK).collect();
        let job = |&(meeting, job): &(usize, u64)| {
            meetings[meeting].job(job / 2, Seat::BOTH[(job % 2) as usize])
        };
        let jobs: Vec<Job> = places.iter().map(job).collect();
        run.play_steps(modules, &jobs, &|number| is_closed(places[number].0), &mut |step| {
            let own = |number: usize| (places[number].0, places[number].1 as usize);
            let (meeting, step) = match step {
                JobStep::Begun(number) => (own(number).0, JobStep::Begun(own(number).1)),
                JobStep::Finished(Finished { job: number, played }) => {
                    let (meeting, job) = own(number);
                    (meeting, JobStep::Finished(Finished { job, played }))
                }
                JobStep::Believed(Believed { job: number, outline }) => {
                    let (meeting, job) = own(number);
                    (meeting, JobStep::Believed(Believed { job, outline }))
                }
            };
            let heard = desk.hear(meeting, step);
            closed[meeting].store(desk.is_closed(meeting), Ordering::Relaxed);
            heard.map(|()| Vec::new())
        })?;
    }
    Ok(())
}

/// Receives the results of rounds, and reports them in order.
struct Desk<'a> {
    meetings: &'a [Pairing],
    queues: Vec<InOrder>,
    listen: &'a mut dyn FnMut(usize, PairStep<'_>) -> PairFlow,
}

impl<'a> Desk<'a> {
    fn new(
        meetings: &'a [Pairing],
        listen: &'a mut dyn FnMut(usize, PairStep<'_>) -> PairFlow,
    ) -> Desk<'a> {
        Desk { meetings, queues: meetings.iter().map(|_| InOrder::default()).collect(), listen }
    }

    fn hear(&mut self, meeting: usize, step: JobStep) -> Result<(), ArenaError> {
        match step {
            JobStep::Begun(job) => {
                let (pair, seat) = place(job);
                (self.listen)(meeting, PairStep::Begun { pair, seat }).map(drop)
            }
            JobStep::Finished(done) => {
                let seed = |pair| self.meetings[meeting].seed(pair);
                self.queues[meeting].take(done, seed, &mut |step| (self.listen)(meeting, step))
            }
            JobStep::Believed(believed) => {
                let seed = |pair| self.meetings[meeting].seed(pair);
                let listen = &mut |step: PairStep<'_>| (self.listen)(meeting, step);
                self.queues[meeting].take_believed(&believed, seed, listen)
            }
        }
    }

    /// True if a meeting needs no more pairs.
    fn is_closed(&self, meeting: usize) -> bool {
        self.queues[meeting].is_closed()
    }
}

/// Plays rounds until none is left to begin.
fn work(
    mut station: Station<'_>,
    meetings: &[Pairing],
    schedule: &Mutex<Schedule>,
    results: &Sender<Result<(usize, JobStep), ArenaError>>,
) {
    let mut seated = None;
    while let Some((meeting, first)) = with(schedule, |schedule| schedule.next(&mut seated)) {
        let wanted = |round: u64| meetings[meeting].job(round / 2, place(round as usize).1);
        let most = station.at_a_time(&wanted(first)) as u64 - 1;
        let more = with(schedule, |schedule| schedule.more(seated, meeting, most));
        let rounds: Vec<u64> = std::iter::once(first).chain(more).collect();
        let jobs: Vec<Job> = rounds.iter().map(|round| wanted(*round)).collect();
        for round in &rounds {
            if results.send(Ok((meeting, JobStep::Begun(*round as usize)))).is_err() {
                return;
            }
        }
        let played = match station.play_batch(&jobs.iter().collect::<Vec<_>>()) {
            Ok(played) => played,
            Err(error) => {
                // After an error the receiver is gone; so above.
                let _ = results.send(Err(error));
                return;
            }
        };
        for (at, early) in played.into_iter().enumerate() {
            let step = station.settle(rounds[at] as usize, &jobs[at], early);
            let left = rounds[at..].iter().map(|round| (meeting, *round));
            if station.cannot_start(&jobs[at])
                && with(schedule, |schedule| schedule.give_back(&mut seated, left))
            {
                return;
            }
            let failed = step.is_err();
            if results.send(step.map(|step| (meeting, step))).is_err() || failed {
                return;
            }
        }
    }
}

/// Locks the schedule for one step. No thread panics during one.
fn with<T>(schedule: &Mutex<Schedule>, step: impl FnOnce(&mut Schedule) -> T) -> T {
    step(&mut schedule.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
}

/// Rounds that have not started yet.
struct Schedule {
    tables: Vec<MeetingProgress>,
    /// The first meeting that has not started.
    unbegun: usize,
    /// Rounds of each meeting.
    rounds: u64,
    /// Rounds that a thread returned because it could not start a worker.
    returned: Vec<(usize, u64)>,
    /// Number of remaining workers.
    workers: usize,
}

/// Progress of a meeting.
#[derive(Clone)]
struct MeetingProgress {
    next: u64,
    workers: usize,
}

impl Schedule {
    fn new(meetings: usize, pairs: u64, workers: usize) -> Schedule {
        let tables = vec![MeetingProgress { next: 0, workers: 0 }; meetings];
        Schedule { tables, unbegun: 0, rounds: 2 * pairs, returned: Vec::new(), workers }
    }

    /// The next meeting and round for a worker at meeting `seated`. A worker that gets none leaves.
    fn next(&mut self, seated: &mut Option<usize>) -> Option<(usize, u64)> {
        let next = self.returned.pop().or_else(|| self.next_new(seated));
        self.workers -= usize::from(next.is_none());
        next
    }

    /// Up to `most` rounds more of this meeting for a worker that stays with it. They are never more
    /// than its share of the remaining ones.
    fn more(&mut self, seated: Option<usize>, meeting: usize, most: u64) -> Range<u64> {
        let rounds = self.rounds;
        let table = &mut self.tables[meeting];
        let share = rounds.saturating_sub(table.next) / table.workers.max(1) as u64;
        let many = if seated == Some(meeting) { share.min(most) } else { 0 };
        table.next += many;
        table.next - many..table.next
    }

    /// Returns rounds to the other workers and leaves, unless this is the last one.
    fn give_back(
        &mut self,
        seated: &mut Option<usize>,
        rounds: impl IntoIterator<Item = (usize, u64)>,
    ) -> bool {
        if self.workers < 2 {
            return false;
        }
        if let Some(left) = seated.take() {
            self.tables[left].workers -= 1;
        }
        self.returned.extend(rounds);
        self.workers -= 1;
        true
    }

    fn next_new(&mut self, seated: &mut Option<usize>) -> Option<(usize, u64)> {
        if !seated.is_some_and(|meeting| self.is_open(meeting)) {
            if let Some(left) = seated.take() {
                self.tables[left].workers -= 1;
            }
            *seated = self.choose();
            self.tables[(*seated)?].workers += 1;
        }
        let meeting = (*seated)?;
        let table = &mut self.tables[meeting];
        table.next += 1;
        Some((meeting, table.next - 1))
    }

    /// A meeting that has not started, or else the open one with the fewest workers.
    fn choose(&mut self) -> Option<usize> {
        let mut unbegun = self.unbegun..self.tables.len();
        if let Some(meeting) = unbegun.find(|meeting| self.is_open(*meeting)) {
            self.unbegun = meeting + 1;
            return Some(meeting);
        }
        let open = (0..self.tables.len()).filter(|meeting| self.is_open(*meeting));
        open.min_by_key(|meeting| self.tables[*meeting].workers)
    }

    /// True if it has rounds that have not started.
    fn is_open(&self, meeting: usize) -> bool {
        self.tables[meeting].next < self.rounds
    }

    /// Ends a meeting.
    fn close(&mut self, meeting: usize) {
        self.tables[meeting].next = self.rounds;
    }

    fn stop(&mut self) {
        self.returned.clear();
        (0..self.tables.len()).for_each(|meeting| self.close(meeting));
    }
}

#[cfg(test)]
mod tests {
    use super::Schedule;

    #[test]
    fn workers_stay_with_a_meeting_and_share_the_last_one() {
        let mut schedule = Schedule::new(3, 1, 2);
        let (mut ada, mut bob) = (None, None);
        assert_eq!(schedule.next(&mut ada), Some((0, 0)));
        assert_eq!(schedule.next(&mut bob), Some((1, 0)));
        assert_eq!(schedule.next(&mut ada), Some((0, 1)));
        assert_eq!(schedule.next(&mut ada), Some((2, 0)));
        assert_eq!(schedule.next(&mut bob), Some((1, 1)));
        assert_eq!(schedule.next(&mut bob), Some((2, 1)), "the last one is played by both");
        assert_eq!([schedule.next(&mut ada), schedule.next(&mut bob)], [None, None]);
    }

    #[test]
    fn a_lane_without_a_worker_returns_its_round_and_ends() {
        let mut schedule = Schedule::new(2, 1, 2);
        let (mut ada, mut bob) = (None, None);
        assert_eq!(schedule.next(&mut ada), Some((0, 0)));
        assert_eq!(schedule.next(&mut bob), Some((1, 0)));
        assert!(schedule.give_back(&mut ada, [(0, 0)]));
        let rest: Vec<_> = std::iter::from_fn(|| schedule.next(&mut bob)).collect();
        assert_eq!(rest, [(0, 0), (1, 1), (0, 1)]);
        assert!(!schedule.give_back(&mut bob, [(0, 1)]), "no other worker is left");
    }

    #[test]
    fn a_worker_takes_its_share_of_its_meeting() {
        let mut schedule = Schedule::new(1, 10, 2);
        let (mut ada, mut bob) = (None, None);
        assert_eq!(schedule.next(&mut ada), Some((0, 0)));
        assert_eq!(schedule.more(ada, 0, 3), 1..4);
        assert_eq!(schedule.next(&mut bob), Some((0, 4)));
        assert_eq!(schedule.more(bob, 0, 100), 5..12, "half of the rest");
        assert_eq!(schedule.more(None, 0, 3), 12..12, "a round that was given back");
        schedule.close(0);
        assert_eq!(schedule.more(ada, 0, 3), 20..20);
    }

    #[test]
    fn workers_leave_a_finished_meeting() {
        let mut schedule = Schedule::new(2, 50, 1);
        let mut ada = None;
        assert_eq!(schedule.next(&mut ada), Some((0, 0)));
        schedule.close(0);
        assert_eq!(schedule.next(&mut ada), Some((1, 0)));
        schedule.stop();
        assert_eq!(schedule.next(&mut ada), None);
    }
}
