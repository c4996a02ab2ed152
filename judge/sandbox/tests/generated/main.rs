//! Thousands of generated modules. Intake and engine agree on each, every accepted module answers
//! or fails, and none makes the judge fail.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "figures are shown with a failure or `--nocapture`")]

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use judge_core::{Limits, Player, PlayerFault, Seat, Seed, Verdict};
use judge_sandbox::intake::{IntakeRefusal, inspect};
use judge_sandbox::{BotPlayer, Compiled, Measured, Profile, Sandbox};
use judge_test_support::modules::{ModuleKind, kind, module};

/// Number of modules; with `JUDGE_TESTS=all` ten times as many, and `GENERATED_MODULES` sets any
/// other number.
const MODULES: u64 = 2_000;

/// One module in this many is compiled to other machine code as well. Not a multiple of the cycle
/// of kinds.
const TWICE: u64 = 5;

/// One module in this many is compiled to count its fuel by function as well. Not a multiple of the
/// cycle either.
const COUNTED: u64 = 3;

const LIMITS: Limits = Limits { fuel: 3_000_000, memory_bytes: 2 << 20, log_bytes: 1024 };

/// The notices and questions to every player.
const LINES: [&str; 4] = ["seat 1", "discard? 1 2 3", "tile 5b", "discard? 5b"];

/// Number of modules by kind and result.
type ResultCounts = BTreeMap<(ModuleKind, String), u64>;

/// A module's response to the lines: each answer with its fuel, then the failure, if any.
#[derive(Debug, PartialEq)]
struct ModuleRun {
    answers: Vec<(String, u64)>,
    fault: Option<PlayerFault>,
    peak_memory_bytes: u64,
    log: Vec<u8>,
}

impl ModuleRun {
    fn overflows(&self) -> bool {
        self.fault.as_ref().is_some_and(|fault| fault.detail.as_str().contains("stack overflow"))
    }
}

fn play(compiled: &Compiled) -> ModuleRun {
    play_measured(compiled, None).0
}

fn play_measured(compiled: &Compiled, measured: Option<Measured>) -> (ModuleRun, Option<Profile>) {
    let player = BotPlayer::new(compiled, LIMITS).seeded(Seed(7), Seat::One);
    let mut player = player.measured(measured);
    let (mut answers, mut fault) = (Vec::new(), None);
    for line in LINES {
        match tell(&mut player, line) {
            Ok(answer) => answers.push(answer),
            Err(failed) => {
                fault = Some(failed);
                break;
            }
        }
    }
    let (usage, profile) = (player.usage(), player.profile());
    let played =
        ModuleRun { answers, fault, peak_memory_bytes: usage.peak_memory_bytes, log: usage.log };
    (played, profile)
}

fn tell(player: &mut BotPlayer<'_>, line: &str) -> Result<(String, u64), PlayerFault> {
    let mut answer = String::new();
    let fuel = match judge_protocol::is_question(line) {
        true => player.ask(line, &mut answer)?,
        false => player.notice(line)?,
    };
    Ok((answer, fuel.unwrap()))
}

/// Checks that intake and engine agree; returns the compiled module if they accept it.
fn decide(sandbox: &Sandbox, number: u64, bytes: &[u8]) -> Result<Compiled, &'static str> {
    let engine = sandbox.validate(bytes);
    match inspect(bytes) {
        Ok(_) => Ok(Compiled::new(sandbox, bytes).unwrap_or_else(|e| panic!("{number}: {e}"))),
        Err(refusal @ (IntakeRefusal::Malformed { .. } | IntakeRefusal::SwitchedOff { .. })) => {
            assert!(engine.is_err(), "module {number}: only intake refuses it: {refusal}");
            Err("invalid")
        }
        Err(_) => Err("refused"),
    }
}

/// Prints the module's number if the thread panics.
struct Over(u64);

impl Drop for Over {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("panicked over module {}", self.0);
        }
    }
}

/// The result of a module as text.
fn fate(sandboxes: &[Sandbox; 2], number: u64) -> String {
    let _over = Over(number);
    let bytes = module(number);
    let compiled = match decide(&sandboxes[0], number, &bytes) {
        Ok(compiled) => compiled,
        Err(refused) => return refused.to_owned(),
    };
    let played = play(&compiled);
    if number.is_multiple_of(TWICE) {
        let other = play(&Compiled::new(&sandboxes[1], &bytes).unwrap());
        // Machine code decides only the depth at which a recursion overflows.
        if !played.overflows() && !other.overflows() {
            assert_eq!(other, played, "module {number} in other machine code");
        }
    }
    if number.is_multiple_of(COUNTED) {
        is_counted(&sandboxes[0], number, &bytes, &played);
    }
    match played.fault {
        None => "played".to_owned(),
        Some(fault) => {
            assert_ne!(fault.verdict, Verdict::JudgeError, "module {number}: {}", fault.detail);
            fault.verdict.to_string()
        }
    }
}

/// Checks that counting fuel by function changes neither behavior nor cost, and counts everything.
fn is_counted(sandbox: &Sandbox, number: u64, bytes: &[u8], plain: &ModuleRun) {
    let compiled = Compiled::instrumented(sandbox, bytes).unwrap();
    let (counted, profile) = play_measured(&compiled, Some(Measured::Every));
    if plain.overflows() || counted.overflows() {
        return;
    }
    assert_eq!(&counted, plain, "module {number}, counted");
    let profile = profile.unwrap();
    assert_eq!(profile.outside, 0, "module {number}");
    let spent: u64 = plain.answers.iter().map(|(_, fuel)| fuel).sum();
    match plain.fault {
        None => assert_eq!(profile.fuel(), spent, "module {number}"),
        // A failed call has no price, but its fuel up to the failure is measured.
        Some(_) => assert!(profile.fuel() >= spent, "module {number}"),
    }
}

fn count_all(total: u64) -> ResultCounts {
    let next = AtomicU64::new(0);
    let work = || {
        let sandboxes = [Sandbox::new().unwrap(), Sandbox::without_optimising().unwrap()];
        let mut count = ResultCounts::new();
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= total {
                return count;
            }
            *count.entry((kind(number), fate(&sandboxes, number))).or_default() += 1;
        }
    };
    std::thread::scope(|scope| {
        let threads = [scope.spawn(work), scope.spawn(work)];
        let mut all = ResultCounts::new();
        for (fate, number) in threads.into_iter().flat_map(|thread| thread.join().unwrap()) {
            *all.entry(fate).or_default() += number;
        }
        all
    })
}

#[test]
fn generated_modules_never_crash_the_sandbox() {
    let all = std::env::var_os("JUDGE_TESTS").is_some_and(|which| which == "all");
    let number = std::env::var("GENERATED_MODULES").ok().map(|text| text.parse().unwrap());
    let total = number.unwrap_or(if all { 10 * MODULES } else { MODULES });
    let begin = Instant::now();
    let count = count_all(total);
    let seconds = begin.elapsed().as_secs_f64();
    println!("{total} modules in {seconds:.1} s: {:.0} a second", total as f64 / seconds);
    println!("{count:?}");
    let of = |kinds: &[ModuleKind], fates: &[&str]| {
        let fits = |(kind, fate): &&(ModuleKind, String)| {
            kinds.contains(kind) && (fates.is_empty() || fates.contains(&fate.as_str()))
        };
        count.iter().filter(|(key, _)| fits(key)).map(|(_, number)| number).sum::<u64>()
    };
    let refused = ["invalid", "refused"];
    let own = [ModuleKind::Bot, ModuleKind::Program];
    assert!(of(&own, &refused) * 3 < of(&own, &[]), "most of them must run");
    assert!(of(&own, &["played"]) * 5 > of(&own, &[]), "many must play to the end");
    assert!(of(&own, &["Runtime error"]) * 20 > of(&own, &[]), "and some must trap");
    for kind in [ModuleKind::Foreign, ModuleKind::Damaged] {
        assert!(of(&[kind], &refused) * 2 > of(&[kind], &[]), "most {kind:?} ones are refused");
        assert!(of(&[kind], &refused) < of(&[kind], &[]), "but not every one");
    }
}
