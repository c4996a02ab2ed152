//! Worker processes that crash. The module is at fault if that happens twice in separate processes
//! that hold nothing else. The workers are shell scripts that send the first messages of a worker.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Duration;

use judge_arena::{Bounds, Entrant, Job, Pool, Run, grade};
use judge_core::{
    Blame, BotIdentity, Fault, Fingerprint, Limits, Options, Points, RoundSpec, Seat, SeatSpec,
    Seed, Verdict, digest,
};
use judge_grading::Suite;
use judge_sandbox::worker::WorkerCommand;

const MODULE: &[u8] = b"module";

/// Reads `Hello` and replies without a name or walls, and with enough memory.
const HELLO: &str = r"head -c 5 >/dev/null; printf '\004\000\000\000\000\000\000\000';";

/// Compiles [`MODULE`] to one byte if requested; otherwise loads that byte and reads the next
/// request.
const READY: &str = r"
    kind=$(head -c 5 | tail -c 1 | od -An -tu1 | tr -d ' ')
    if [ $kind = 2 ]; then
        head -c 10 >/dev/null; printf '\001\000\000\000\002\001\000\000\000x'; exec cat >/dev/null
    fi
    head -c 5 >/dev/null; printf '\001\000\000\000\003'; head -c 5 >/dev/null;";

/// For two modules: the one of `v`s is seated and waits, the other one crashes its process when it
/// is seated.
const TWO: &str = r"
    kind=$(head -c 5 | tail -c 1 | od -An -tu1 | tr -d ' ')
    if [ $kind = 2 ]; then
        name=$(head -c 10 | tail -c 1)
        printf '\001\000\000\000\002\001\000\000\000%s' $name; exec cat >/dev/null
    fi
    name=$(head -c 5 | tail -c 1)
    printf '\001\000\000\000\003'; head -c 5 >/dev/null
    if [ $name = v ]; then printf '\007\000\000\000\007\001\000\000\000\000\000'; exec cat >/dev/null; fi
    kill -6 $$";

/// A round of two bots, with the one that crashes the compiler or its process in either seat.
fn blamed(script: &str, verdict: Verdict) {
    for seat in Seat::BOTH {
        let modules: [&[u8]; 2] = [b"vvvvvv", b"module"];
        let mut seats =
            modules.map(|module| SeatSpec::Bot { name: "bot".to_owned(), sha256: digest(module) });
        let mut positions = [Some(0), Some(1)];
        if seat == Seat::One {
            seats.reverse();
            positions.reverse();
        }
        let (options, seed, limits) = (Options::new(), Seed(1), Limits::COURSE);
        let spec = RoundSpec { game: "mahjong".to_owned(), options, seed, seats, limits };
        let job = Job { spec, modules: positions.into() };
        let played = run(script).play(&modules, &job).unwrap();
        let fault = played.record.trailer.fault.clone().unwrap();
        assert_eq!((fault.seat, fault.verdict), (Some(seat), verdict), "{}", fault.detail);
        let winner = played.record.trailer.outcome.winner;
        assert_eq!(winner, Some(seat.other()), "the match is lost");
        judge_referee::check_by_rules(&played.record).unwrap();
    }
}

#[test]
fn a_bot_that_breaks_its_process_is_blamed_in_either_seat() {
    blamed(&format!("{HELLO} {TWO}"), Verdict::RuntimeError);
}

#[test]
fn a_bot_that_cannot_be_compiled_is_blamed_in_either_seat() {
    let compiles = r"printf '\001\000\000\000\002";
    let broken = TWO.replace(compiles, &format!("[ $name = v ] || kill -6 $$; {compiles}"));
    assert_ne!(broken, TWO);
    blamed(&format!("{HELLO} {broken}"), Verdict::InvalidModule);
}

fn run(script: &str) -> Run {
    let command = WorkerCommand {
        program: "/bin/sh".into(),
        arguments: vec!["-c".into(), script.into()],
        identity: String::new(),
    };
    let fingerprint = Fingerprint { judge: "test".to_owned(), engine: "none".to_owned() };
    Run::new(Pool::new(command, 1, fingerprint))
}

fn fault(script: &str) -> Fault {
    let bot = SeatSpec::Bot { name: "bot".to_owned(), sha256: digest(MODULE) };
    let opponent = SeatSpec::Reference { name: "random".to_owned() };
    let spec = RoundSpec {
        game: "mahjong".to_owned(),
        options: Options::new(),
        seed: Seed(1),
        seats: [opponent, bot],
        limits: Limits::COURSE,
    };
    let job = Job { spec, modules: [None, Some(0)].into() };
    run(script).play(&[MODULE], &job).unwrap().record.trailer.fault.unwrap()
}

#[test]
fn a_module_that_breaks_the_compiler_twice_is_invalid() {
    let fault = fault(&format!("{HELLO} echo memory allocation of 9 bytes failed >&2; kill -6 $$"));
    assert_eq!((fault.seat, fault.verdict), (Some(Seat::Two), Verdict::InvalidModule));
    assert!(fault.detail.as_str().contains("more than 1 GiB of memory"), "{}", fault.detail);
    assert!(fault.detail.as_str().contains("\nhint: "), "{}", fault.detail);
}

#[test]
fn a_process_that_ends_twice_in_play_is_the_bots_fault() {
    let fault = fault(&format!("{HELLO} {READY} kill -6 $$"));
    assert_eq!((fault.seat, fault.verdict), (Some(Seat::Two), Verdict::RuntimeError));
    assert!(fault.detail.as_str().contains("crashed its worker process"), "{}", fault.detail);
}

#[test]
fn an_invalid_reply_of_a_process_with_one_bot_is_the_bots_fault() {
    let fault = fault(&format!("{HELLO} {READY} printf 'xxxxxxxxxxxx'; cat >/dev/null"));
    assert_eq!((fault.seat, fault.verdict), (Some(Seat::Two), Verdict::RuntimeError));
}

#[test]
fn a_process_killed_from_outside_is_a_judge_error() {
    for script in [format!("{HELLO} kill -9 $$"), format!("{HELLO} {READY} kill -9 $$")] {
        let fault = fault(&script);
        assert_eq!((fault.seat, fault.verdict), (None, Verdict::JudgeError), "{}", fault.detail);
    }
}

#[test]
fn a_process_that_ends_before_a_module_is_a_judge_error() {
    for script in ["kill -6 $$", "exit 3", "printf 'xxxxxxxxxxxx'; cat >/dev/null"] {
        let fault = fault(script);
        assert_eq!((fault.seat, fault.verdict), (None, Verdict::JudgeError), "{}", fault.detail);
    }
}

#[test]
fn a_submission_beyond_its_processor_time_is_refused() {
    let case = "title = 'x'\ngame = 'mahjong'\nopponent = 'random'\nseeds = [1, 2]\n\
                min_score = 1\npoints = 1";
    let files = [("suite.toml", "title = 'x'"), ("a.toml", case), ("b.toml", case)];
    let suite = Suite::from_files("suite", files).unwrap();
    let bot = BotIdentity { name: "bot".to_owned(), sha256: digest(MODULE), author: None };
    let submission = Entrant { bot, module: MODULE.to_vec(), refused: None };
    let bounds = Bounds { processor: Duration::from_secs(1), journal_bytes: 1 << 30 };
    let spinning = format!("{HELLO} {READY} while :; do :; done");
    let run = run(&spinning).with_bounds(Some(bounds));
    let report = grade(&run, &suite, &[submission], &mut judge_core::IgnoreEvents).unwrap();
    let refused = report.bots[0].refused.clone().unwrap();
    assert_eq!((refused.verdict, refused.blame), (Verdict::TimeLimitExceeded, Blame::Bot));
    let reason = refused.why.reason;
    assert!(reason.contains("more than 1 s of processor time"), "{reason}");
    assert_eq!(report.bots[0].points, Points::ZERO);
}
