//! Rounds that are played at the same time by the same two workers: each is the round that would be
//! played alone, whatever a bot does in it or in another one.

use judge_arena::{Job, JobStep, Run};
use judge_core::{BySeat, Limits, Options, RoundRecord, RoundSpec, Seat, SeatSpec, Seed, digest};

use super::workers;

/// A bot that discards the drawn tile and never wins. `fault` runs at the given line of a round
/// (counted from 1) if the rank of its first tile leaves that rest by 4, so in some rounds of many.
fn bot(fault: &str, line: u32, rest: u32) -> Vec<u8> {
    let text = format!(
        r#"(module
            (import "judge" "log" (func $log (param i32 i32)))
            (memory (export "memory") 1)
            (global $lines (mut i32) (i32.const 0))
            (global $first (mut i32) (i32.const {rest}))
            (func $again (result i32) (i32.add (call $again) (i32.const 1)))
            (func (export "judge_buffer") (result i32) (i32.const 1024))
            (func (export "judge_line") (param i32) (result i32)
                (local $letter i32)
                (local.set $letter (i32.load8_u (i32.const 1024)))
                (global.set $lines (i32.add (global.get $lines) (i32.const 1)))
                (call $log (i32.const 1024) (i32.const 1))
                ;; the first `draw 3b` after `game …`
                (if (i32.eq (global.get $lines) (i32.const 2)) (then
                    (global.set $first (i32.and (i32.load8_u (i32.const 1029)) (i32.const 3)))))
                (if (i32.and
                        (i32.eq (global.get $lines) (i32.const {line}))
                        (i32.eq (global.get $first) (i32.const {rest})))
                    (then {fault}))
                ;; `draw 3b`, `discard?`
                (if (i32.eq (local.get $letter) (i32.const 100)) (then
                    (if (i32.eq (i32.load8_u (i32.const 1025)) (i32.const 114)) (then
                        (i32.store16 (i32.const 512) (i32.load16_u (i32.const 1029)))
                        (return (i32.const 0))))
                    (i32.store16 (i32.const 1024) (i32.load16_u (i32.const 512)))
                    (return (i32.const 2))))
                ;; `win? …`
                (if (i32.eq (local.get $letter) (i32.const 119)) (then
                    (i32.store16 (i32.const 1024) (i32.const 0x6f6e))
                    (return (i32.const 2))))
                (i32.const 0)))"#
    );
    wat::parse_str(text).unwrap()
}

/// Everything that a bot can do wrong, and two things that are not wrong.
const FAULTS: [&str; 9] = [
    "(unreachable)",
    "(loop $on (br $on))",
    "(if (i32.eq (memory.grow (i32.const 4000)) (i32.const -1)) (then (unreachable)))",
    "(drop (call $again))",
    "(return (i32.const 1))",
    "(return (i32.const 9000))",
    "(i32.store16 (i32.const 512) (i32.const 0x7878)) (i32.store16 (i32.const 1024) \
     (i32.const 0x7878)) (return (i32.const 2))",
    "(drop (memory.grow (i32.const 7)))",
    "(call $log (i32.const 0) (i32.const 65536))",
];

/// Two rounds on each of four seeds, with swapped seats.
fn jobs(modules: [&[u8]; 2]) -> Vec<Job> {
    let bots =
        modules.map(|module| SeatSpec::Bot { name: "bot".to_owned(), sha256: digest(module) });
    let limits = Limits { fuel: 20_000_000, ..Limits::COURSE };
    let job = |seed, seat| {
        let (mut seats, mut places) = (bots.clone(), [Some(0), Some(1)]);
        if seat == Seat::Two {
            seats.reverse();
            places.reverse();
        }
        let (game, options) = ("mahjong".to_owned(), Options::new());
        let spec = RoundSpec { game, options, seed: Seed(seed), seats, limits };
        Job { spec, modules: BySeat::from(places) }
    };
    (1..=4).flat_map(|seed| Seat::BOTH.map(|seat| job(seed, seat))).collect()
}

/// The records of the jobs, and the most rounds that were under way at a time.
fn together(run: &Run, modules: &[&[u8]], jobs: &[Job]) -> (Vec<RoundRecord>, usize) {
    let mut records = vec![None; jobs.len()];
    let (mut under_way, mut most) = (0_usize, 0);
    run.play_steps(modules, jobs, &|_| false, &mut |step| {
        match step {
            JobStep::Begun(_) => under_way += 1,
            JobStep::Believed(_) => panic!("there is no journal"),
            JobStep::Finished(done) => {
                most = most.max(under_way);
                under_way -= 1;
                records[done.job] = Some(done.played.unwrap().record);
            }
        }
        Ok(Vec::new())
    })
    .unwrap();
    (records.into_iter().map(Option::unwrap).collect(), most)
}

/// Plays the rounds of two bots at the same time and one by one, and returns how many ended by a
/// fault.
fn compare(modules: [&[u8]; 2], what: &str) -> usize {
    let run = workers().with_jobs(1).run();
    let jobs = jobs(modules);
    let (records, most) = together(&run, &modules, &jobs);
    assert!(most > 1, "{what}: no rounds were played at the same time");
    for (record, job) in std::iter::zip(&records, &jobs) {
        let alone = run.play(&modules, job).unwrap().record;
        assert_eq!(*record, alone, "{what}, seed {}", job.spec.seed);
        assert!(record.trailer.fault.as_ref().is_none_or(|fault| fault.seat.is_some()), "{what}");
    }
    records.iter().filter(|record| record.trailer.fault.is_some()).count()
}

#[test]
fn a_fault_in_any_line_gives_the_same_rounds_in_a_shared_process() {
    let honest = bot("", 1, 0);
    let mut faults = 0;
    for (kind, fault) in FAULTS.iter().enumerate() {
        // `game`, a tile that is dealt, the first turn, later turns.
        for line in [1, 9, 15, 16, 40] {
            let (faulty, rest) = (bot(fault, line, 1), format!("fault {kind} at line {line}"));
            let modules: [&[u8]; 2] =
                if kind % 2 == 0 { [&faulty, &honest] } else { [&honest, &faulty] };
            faults += compare(modules, &rest);
        }
    }
    assert!(faults > 60, "{faults} faults");
}

#[test]
fn two_failing_bots_are_blamed_as_in_separate_rounds() {
    let lines = [(9, 9), (9, 15), (16, 15), (17, 40), (18, 16)];
    for (one, two) in lines {
        let (first, second) = (bot(FAULTS[0], one, 1), bot(FAULTS[1], two, 2));
        compare([&first, &second], &format!("lines {one} and {two}"));
    }
}
