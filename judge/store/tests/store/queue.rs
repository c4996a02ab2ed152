use std::collections::BTreeMap;
use std::time::Duration;

use judge_store::{
    GradingJob, MOST_CUTS, MOST_TRIES, PersonId, ResultState, RunKey, Scope, Showing, Store,
    Submission, Suite, SuiteSettings, Timestamp,
};
use proptest::prelude::*;

use crate::made::{self, NOW, later, report, submit};
use crate::support::conformance;
use crate::support::{EmptyDatabase, run};

const LEASE: Duration = Duration::from_secs(60);

fn open_to_many() -> SuiteSettings {
    SuiteSettings { pending_at_most: 5000, ..SuiteSettings::default() }
}

async fn next(store: &Store, at: i64) -> Option<GradingJob> {
    store.next_job("worker", LEASE, later(at)).await.unwrap()
}

/// Ends a job with a result that took this many milliseconds of processor time.
async fn finish(store: &Store, job: &GradingJob, ms: u64, at: i64) {
    // The more time it took, the less fuel, because fuel must not count.
    let report = report(&job.submission.module, 5, (1 << 50) - ms);
    store.note_cost(job, Duration::from_millis(ms)).await.unwrap();
    store.write_result(&job.submission, job.generation, &report, later(at)).await.unwrap();
}

async fn a_thousand_submissions_of_one_account_do_not_delay_another(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, [ada, bob]) = made::scene(&store, open_to_many()).await;
    for number in 0..1000_i64 {
        submit(&store, &suite, &ada, &number.to_le_bytes(), later(number)).await;
    }
    // Two lanes grade hers, and one was graded.
    let [first, _second] = [next(&store, 1000).await.unwrap(), next(&store, 1000).await.unwrap()];
    finish(&store, &first, 10, 1001).await;
    next(&store, 1001).await.unwrap();
    let hers = submit(&store, &suite, &bob, b"bob", later(1002)).await;
    assert_eq!(next(&store, 1003).await.unwrap().submission, hers);
    let state = store.queue_state(later(1004)).await.unwrap();
    assert_eq!((state.new, state.again, state.running), (1000, 0, 3));
    assert_eq!(state.oldest, Some(NOW));
}

async fn the_account_with_less_processor_time_goes_first_and_its_newest(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, [ada, bob]) = made::scene(&store, open_to_many()).await;
    let course = store.course(&suite.course).await.unwrap().unwrap();
    let eve = made::member(&store, &course, "Eve", judge_store::Role::Student).await;
    let mut modules = 0_u8;
    let mut submit = async |person: &PersonId, at| {
        modules += 1;
        submit(&store, &suite, person, &[modules], later(at)).await
    };
    for (number, (person, ms)) in [(&ada, 500), (&bob, 400), (&eve, 7000)].iter().enumerate() {
        let at = 3 * number as i64;
        submit(person, at).await;
        finish(&store, &next(&store, at + 1).await.unwrap(), *ms, at + 2).await;
    }
    let [ada_old, ada_new] = [submit(&ada, 9).await, submit(&ada, 10).await];
    let [bobs, eves] = [submit(&bob, 11).await, submit(&eve, 8).await];
    for (number, expected) in [bobs, ada_new, eves, ada_old].into_iter().enumerate() {
        let job = next(&store, 12 + number as i64).await.unwrap();
        assert_eq!(job.submission, expected, "{number}");
        finish(&store, &job, 1, 12 + number as i64).await;
    }
    assert_eq!(next(&store, 20).await, None);
    // Processor time of more than a day ago does not count: the person who waits longer goes first.
    let day = 24 * 3600 * 1000 + 20;
    let [first, second] = [submit(&bob, day).await, submit(&ada, day + 1).await];
    assert_eq!(next(&store, day + 2).await.unwrap().submission, first);
    assert_eq!(next(&store, day + 2).await.unwrap().submission, second);
}

async fn one_lane_alternates_between_two_accounts(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, [ada, bob]) = made::scene(&store, open_to_many()).await;
    for number in 0..4_u8 {
        submit(&store, &suite, &ada, &[b'a', number], later(i64::from(number))).await;
        submit(&store, &suite, &bob, &[b'b', number], later(i64::from(number))).await;
    }
    let mut order = Vec::new();
    for at in 10..18 {
        let job = next(&store, at).await.unwrap();
        let is_hers = job.submission.person == ada;
        order.push(is_hers);
        // All of hers together take less than one of his.
        finish(&store, &job, if is_hers { 1 } else { 90_000 }, at).await;
    }
    assert!(order.windows(2).all(|two| two[0] != two[1]), "{order:?}");
}

async fn the_latest_grading_of_an_account_with_all_lanes_is_paused(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, [ada, bob]) = made::scene(&store, open_to_many()).await;
    for number in 0..3_u8 {
        submit(&store, &suite, &ada, &[number], later(i64::from(number))).await;
    }
    let [one, two] = [next(&store, 10).await.unwrap(), next(&store, 11).await.unwrap()];
    let ways = async |lanes, at| {
        let way = async |job| store.is_in_the_way(job, "worker", lanes, later(at)).await.unwrap();
        [way(&one).await, way(&two).await]
    };
    assert_eq!(ways(2, 12).await, [false, false], "her own third one may wait");
    let his = submit(&store, &suite, &bob, b"his", later(13)).await;
    assert_eq!(ways(3, 14).await, [false, false], "a third lane is free");
    assert_eq!(ways(2, 14).await, [false, true]);
    store.note_cost(&two, Duration::from_secs(5)).await.unwrap();
    store.hand_back(&two, later(15)).await.unwrap();
    let job = next(&store, 16).await.unwrap();
    assert_eq!(job.submission, his);
    assert_eq!(ways(2, 17).await, [false, false], "each has a lane");
    // Hers continues afterwards, and the attempt does not count as failed.
    finish(&store, &job, 1, 18).await;
    let again = next(&store, 19).await.unwrap();
    assert!(again.submission.person == ada && !again.is_last);
}

async fn new_submissions_come_before_rejudged_ones(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, [ada, bob]) = made::scene(&store, open_to_many()).await;
    let old = submit(&store, &suite, &ada, b"old", NOW).await;
    finish(&store, &next(&store, 1).await.unwrap(), 0, 2).await;
    store.rejudge(&suite.id, &Scope::All, Showing::Complete, NOW).await.unwrap();
    // The amount that was spent does not matter.
    let spent = submit(&store, &suite, &bob, b"spent", later(3)).await;
    let job = next(&store, 4).await.unwrap();
    assert_eq!((&job.submission, job.is_again), (&spent, false));
    finish(&store, &job, 1 << 40, 5).await;
    let new = submit(&store, &suite, &bob, b"new", later(6)).await;
    let job = next(&store, 7).await.unwrap();
    assert_eq!((job.submission, job.is_again, job.generation), (new, false, 2));
    let job = next(&store, 7).await.unwrap();
    assert_eq!((job.submission, job.is_again, job.generation), (old, true, 2));
}

async fn equal_modules_wait_for_each_other(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, [ada, bob]) = made::scene(&store, open_to_many()).await;
    submit(&store, &suite, &ada, b"same", NOW).await;
    submit(&store, &suite, &bob, b"same", later(1)).await;
    let job = next(&store, 2).await.unwrap();
    assert_eq!(next(&store, 2).await, None, "its rounds are about to be there");
    finish(&store, &job, 1, 3).await;
    assert!(next(&store, 4).await.is_some());
}

async fn leases_expire_are_renewed_and_returned(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, [ada, _]) = made::scene(&store, open_to_many()).await;
    submit(&store, &suite, &ada, b"a", NOW).await;
    let first = next(&store, 0).await.unwrap();
    assert_eq!(next(&store, 59_999).await, None);
    assert!(store.renew(&first, LEASE, later(59_999)).await.unwrap());
    assert_eq!(next(&store, 119_998).await, None);
    let second = next(&store, 119_999).await.unwrap();
    assert_eq!((second.attempt, &second.submission), (2, &first.submission));
    assert!(!store.renew(&first, LEASE, later(119_999)).await.unwrap(), "it is another's now");
    assert!(store.renew(&second, LEASE, later(119_999)).await.unwrap());
    store.hand_back(&second, later(120_000)).await.unwrap();
    let third = next(&store, 120_001).await.unwrap();
    store.end_leases("another worker", later(120_002)).await.unwrap();
    assert_eq!(next(&store, 120_002).await, None);
    store.end_leases("worker", later(120_002)).await.unwrap();
    let fourth = next(&store, 120_003).await.unwrap();
    assert_eq!([third.attempt, fourth.attempt], [3, 4]);
}

async fn a_submission_failing_three_times_does_not_block_others(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, [ada, bob]) = made::scene(&store, open_to_many()).await;
    let bad = submit(&store, &suite, &ada, b"bad", NOW).await;
    let mut at = 1;
    for attempt in 1..=MOST_TRIES {
        at += 1;
        let job = next(&store, at).await.unwrap();
        assert_eq!((job.attempt, job.is_last), (attempt, attempt == MOST_TRIES));
        store.job_failed(&job, later(at)).await.unwrap();
    }
    submit(&store, &suite, &bob, b"good", later(at)).await;
    assert_eq!(next(&store, at + 1).await.unwrap().submission.person, bob);
    assert_eq!(next(&store, at + 1).await, None, "it is given up in its turn");
    let result = store.result(&bad.id).await.unwrap().unwrap();
    assert_eq!((result.state, result.max_points), (ResultState::JudgeError, 20.into()));
    let failed = store.failed_results(&suite.id).await.unwrap();
    assert_eq!(failed, std::slice::from_ref(&result), "an instructor sees it");
    // The third one comes back after all.
    let report = report(&bad.module, 5, 1);
    let written = store.write_result(&bad, 1, &report, later(at + 3)).await.unwrap();
    assert_eq!(written, judge_store::Written::GivenUp);
    assert_eq!(store.result(&bad.id).await.unwrap(), Some(result));
    store
        .rejudge(&suite.id, &Scope::Listed(vec![bad.id.clone()]), Showing::Complete, NOW)
        .await
        .unwrap();
    assert_eq!(next(&store, at + 120_010).await.unwrap().submission, bad);
}

async fn a_submission_with_progress_is_not_given_up_despite_kills(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, [ada, _]) = made::scene(&store, open_to_many()).await;
    submit(&store, &suite, &ada, b"a bot", NOW).await;
    let key = RunKey { suite: suite.id, generation: 1, module: conformance::module() };
    for number in 0..8 {
        let job = next(&store, number).await.expect("it is not given up");
        let rounds = store.rounds(&key, &made::fingerprint(), NOW).await.unwrap();
        let add = move || {
            let (record, transcript) = conformance::round("ada", number as u64);
            conformance::add(&rounds, &record, &transcript);
        };
        tokio::task::spawn_blocking(add).await.unwrap();
        assert_eq!(job.attempt, number + 1);
        store.end_leases("worker", later(number)).await.unwrap();
    }
    for number in 0..MOST_CUTS {
        let job = next(&store, 100 + number).await.expect("in vain, and not by its own doing");
        assert!(!job.is_last, "nothing failed");
        store.end_leases("worker", later(100 + number)).await.unwrap();
    }
    assert_eq!(next(&store, 200).await, None);
}

async fn a_submission_cut_off_by_kills_is_given_up_later_than_a_failing_one(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, [ada, _]) = made::scene(&store, open_to_many()).await;
    let bad = submit(&store, &suite, &ada, b"bad", NOW).await;
    // The end of these is not reported: their leases run out.
    for number in 1..=MOST_CUTS {
        assert_eq!(next(&store, number * 60_001).await.unwrap().attempt, number);
    }
    assert_eq!(store.result(&bad.id).await.unwrap(), None);
    assert_eq!(next(&store, (MOST_CUTS + 1) * 60_001).await, None);
    let result = store.result(&bad.id).await.unwrap().unwrap();
    assert_eq!(result.state, ResultState::JudgeError);
}

async fn a_clock_jump_neither_duplicates_nor_delays_gradings(place: EmptyDatabase) {
    const DAY: i64 = 24 * 3600 * 1000;
    let store = place.open().await;
    let (suite, [ada, _]) = made::scene(&store, open_to_many()).await;
    submit(&store, &suite, &ada, b"a bot", NOW).await;
    let first = next(&store, 0).await.unwrap();
    // A day later its lease seems to have expired: another lane begins, and both end with the same
    // result.
    let second = next(&store, DAY).await.unwrap();
    assert_eq!(second.submission, first.submission);
    assert!(!store.renew(&first, LEASE, later(DAY)).await.unwrap());
    finish(&store, &first, 10, DAY).await;
    finish(&store, &second, 10, DAY).await;
    assert_eq!(store.results_of(&first.submission.id).await.unwrap().len(), 1);
    // The clock jumps back a day while a lease began in the future; the server is started again.
    let late = submit(&store, &suite, &ada, b"another", later(DAY)).await;
    assert_eq!(next(&store, DAY).await.unwrap().submission, late);
    assert_eq!(next(&store, 0).await, None, "it is under way");
    store.end_leases("worker", later(0)).await.unwrap();
    assert_eq!(next(&store, 0).await.unwrap().submission, late);
}

/// Something that happens to a queue.
#[derive(Debug, Clone)]
enum Happens {
    Submits { person: usize },
    Takes,
    Finishes { which: usize, ms: u64 },
    Fails { which: usize },
    Rejudge,
    Passes { minutes: i64 },
}

fn happens() -> impl Strategy<Value = Happens> {
    prop_oneof![
        4 => (0..3_usize).prop_map(|person| Happens::Submits { person }),
        4 => Just(Happens::Takes),
        3 => (any::<usize>(), 0..5_000_u64)
            .prop_map(|(which, ms)| Happens::Finishes { which, ms }),
        1 => any::<usize>().prop_map(|which| Happens::Fails { which }),
        1 => Just(Happens::Rejudge),
        1 => (0..600_i64).prop_map(|minutes| Happens::Passes { minutes }),
    ]
}

/// A queue, with a model of its expected state.
struct Model {
    store: Store,
    suite: Suite,
    people: Vec<PersonId>,
    now: Timestamp,
    submissions: Vec<Submission>,
    /// Person, processor time and beginning of each attempt.
    attempts: Vec<(PersonId, u64, Timestamp)>,
    running: Vec<(GradingJob, usize)>,
}

impl Model {
    async fn new(place: &EmptyDatabase) -> Model {
        let store = place.open().await;
        let (suite, [ada, bob]) = made::scene(&store, open_to_many()).await;
        let course = store.course(&suite.course).await.unwrap().unwrap();
        let eve = made::member(&store, &course, "Eve", judge_store::Role::Student).await;
        let (people, submissions) = (vec![ada, bob, eve], Vec::new());
        Model {
            store,
            suite,
            people,
            now: NOW,
            submissions,
            attempts: Vec::new(),
            running: Vec::new(),
        }
    }

    async fn happens(&mut self, what: &Happens) {
        self.now = self.now.after(Duration::from_millis(1));
        match what {
            Happens::Submits { person } => {
                let module = (self.submissions.len() as u64).to_le_bytes();
                let person = &self.people[*person];
                let new = submit(&self.store, &self.suite, person, &module, self.now).await;
                self.submissions.push(new);
            }
            Happens::Takes => {
                self.take().await;
            }
            Happens::Finishes { which, ms } if !self.running.is_empty() => {
                let (job, attempt) = self.running.remove(which % self.running.len());
                self.finish(&job, attempt, *ms).await;
            }
            Happens::Fails { which } if !self.running.is_empty() => {
                let (job, attempt) = self.running.remove(which % self.running.len());
                self.store.hand_back(&job, self.now).await.unwrap();
                // Only attempts that end otherwise cost a second more.
                self.attempts[attempt].1 = 0;
            }
            Happens::Finishes { .. } | Happens::Fails { .. } => {}
            Happens::Rejudge => {
                self.store
                    .rejudge(&self.suite.id, &Scope::All, Showing::Complete, self.now)
                    .await
                    .unwrap();
            }
            Happens::Passes { minutes } => {
                self.now = self.now.after(Duration::from_secs(*minutes as u64 * 60));
                for (job, _) in &self.running {
                    assert!(self.store.renew(job, LEASE, self.now).await.unwrap());
                }
            }
        }
    }

    async fn finish(&mut self, job: &GradingJob, attempt: usize, ms: u64) {
        let report = report(&job.submission.module, 5, 1);
        self.store.note_cost(job, Duration::from_millis(ms)).await.unwrap();
        let (submission, generation) = (&job.submission, job.generation);
        self.store.write_result(submission, generation, &report, self.now).await.unwrap();
        self.attempts[attempt].1 = ms + 1000;
    }

    /// Takes a job, and compares it with the job that the model expects.
    async fn take(&mut self) -> bool {
        // Long enough for the whole test.
        let lease = Duration::from_secs(3600 * 24 * 365);
        let job = self.store.next_job("worker", lease, self.now).await.unwrap();
        let waiting = self.waiting().await;
        let Some(job) = job else {
            assert!(waiting.is_empty(), "{waiting:?} starve");
            return false;
        };
        let same =
            |(one, again): &&(Submission, bool)| *one == job.submission && *again == job.is_again;
        assert!(waiting.iter().any(|one| same(&one)), "{job:?} does not wait");
        let rank = |one: &Submission, again: bool| {
            let lanes = self.running.iter().filter(|(job, _)| job.submission.person == one.person);
            let was_last = self.attempts.last().is_some_and(|(last, ..)| *last == one.person);
            (again, lanes.count(), was_last, self.cost(&one.person))
        };
        let best = waiting.iter().map(|(one, again)| rank(one, *again)).min();
        assert_eq!(Some(rank(&job.submission, job.is_again)), best, "{job:?}");
        let newer = waiting.iter().filter(|(one, again)| {
            let is_newer = one.received_at > job.submission.received_at;
            one.person == job.submission.person && *again == job.is_again && is_newer
        });
        assert_eq!(newer.count(), 0, "{job:?}");
        self.attempts.push((job.submission.person.clone(), 1000, self.now));
        self.running.push((job, self.attempts.len() - 1));
        true
    }

    fn cost(&self, person: &PersonId) -> u64 {
        let day = self.now.before(Duration::from_secs(24 * 3600));
        let own = self.attempts.iter().filter(|(one, _, at)| one == person && *at > day);
        own.map(|(_, ms, _)| ms).sum()
    }

    /// The waiting submissions, with true for those to grade again.
    async fn waiting(&self) -> Vec<(Submission, bool)> {
        let present = self.store.suite(&self.suite.id).await.unwrap().unwrap().generation;
        let mut waiting = Vec::new();
        for one in &self.submissions {
            let results = self.store.results_of(&one.id).await.unwrap();
            let is_done = results.iter().any(|result| result.generation == present);
            let runs = self.running.iter().any(|(job, _)| job.submission.id == one.id);
            if !is_done && !runs {
                waiting.push((one.clone(), !results.is_empty()));
            }
        }
        waiting
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn the_queue_matches_its_model_in_any_order_of_events(
        what in prop::collection::vec(happens(), 1..40)
    ) {
        run(async {
            let place = EmptyDatabase::sqlite();
            let mut model = Model::new(&place).await;
            for one in &what {
                model.happens(one).await;
            }
            // In the end all submissions are graded, each once in the present generation.
            loop {
                model.now = model.now.after(Duration::from_millis(1));
                if model.running.is_empty() && !model.take().await {
                    break;
                }
                let (job, attempt) = model.running.remove(0);
                model.finish(&job, attempt, 7).await;
            }
            let suite = model.store.suite(&model.suite.id).await.unwrap().unwrap();
            assert_eq!(suite.generation, suite.shown);
            let mut seen = BTreeMap::new();
            for one in &model.submissions {
                for result in model.store.results_of(&one.id).await.unwrap() {
                    *seen.entry((one.id.clone(), result.generation)).or_insert(0) += 1;
                }
                assert_eq!(seen[&(one.id.clone(), suite.generation)], 1);
            }
        });
    }
}

on_both! {
    a_thousand_submissions_of_one_account_do_not_delay_another
    the_account_with_less_processor_time_goes_first_and_its_newest
    one_lane_alternates_between_two_accounts
    the_latest_grading_of_an_account_with_all_lanes_is_paused
    new_submissions_come_before_rejudged_ones
    equal_modules_wait_for_each_other
    leases_expire_are_renewed_and_returned
    a_submission_failing_three_times_does_not_block_others
    a_submission_with_progress_is_not_given_up_despite_kills
    a_submission_cut_off_by_kills_is_given_up_later_than_a_failing_one
    a_clock_jump_neither_duplicates_nor_delays_gradings
}
