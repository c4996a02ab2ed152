//! A program's environment: a clock of fuel, seeded random bytes, three terminals, and nothing
//! else.

use super::*;
use judge_core::Verdict;

/// Runs `call` and returns its error number as a letter: `a` for 0, `b` for 1, …
fn errno(name: &str, parameters: &str, arguments: &str) -> u8 {
    let body = each_line(&format!(
        "(i32.store8 (i32.const 1024) (i32.add (i32.const 33) (call ${name} {arguments})))
         (i32.store8 (i32.const 1025) (i32.const 10))
         (call $print (i32.const 1024) (i32.const 2))"
    ));
    let compiled = compile(&import(name, parameters), &body);
    first_answer(&compiled).unwrap().as_bytes()[0] - 33
}

fn arguments(values: &[i32]) -> String {
    values.iter().map(|value| format!("(i32.const {value})")).collect()
}

#[test]
fn a_program_finds_no_files() {
    let (success, badf, spipe, notsup) = (0, 8, 70, 58);
    let one = |name, fd| errno(name, "i32", &arguments(&[fd]));
    assert_eq!(errno("fd_prestat_get", "i32 i32", &arguments(&[3, 64])), badf);
    let zero = "(i32.const 0)";
    let path_open = format!(
        "(i32.const 3) {zero} {zero} {zero} {zero} (i64.const 0) (i64.const 0) {zero} {zero}"
    );
    assert_eq!(errno("path_open", "i32 i32 i32 i32 i32 i64 i64 i32 i32", &path_open), badf);
    for (fd, expected) in [(0, spipe), (1, spipe), (2, spipe), (3, badf), (-1, badf)] {
        let seek = format!("(i32.const {fd}) (i64.const 0) (i32.const 0) (i32.const 64)");
        assert_eq!(errno("fd_seek", "i32 i64 i32 i32", &seek), expected);
    }
    assert_eq!(errno("fd_renumber", "i32 i32", &arguments(&[1, 0])), notsup);
    assert_eq!(
        (one("fd_close", 2), one("fd_close", 3), one("fd_close", -1)),
        (success, badf, badf)
    );
}

#[test]
fn a_closed_descriptor_cannot_be_used() {
    let closes = compile(
        &import("fd_close", "i32"),
        "(drop (call $read)) (drop (call $fd_close (i32.const 0)))
         (if (i32.ne (i32.const 8) (call $fd_close (i32.const 0))) (then unreachable))
         (if (i32.ne (i32.const 8)
                (call $fd_read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))
            (then unreachable))
         (call $exit (i32.const 42))",
    );
    assert!(
        fault(&closes).detail.as_str().starts_with("ended with exit code 42"),
        "{}",
        fault(&closes)
    );
}

#[test]
fn the_standard_streams_are_terminals() {
    // Kind 2 without the right to seek, which libraries recognize as a terminal.
    let checks = compile(
        &[import("fd_fdstat_get", "i32 i32"), import("fd_filestat_get", "i32 i32")].concat(),
        "(local.set $i (i32.const 0))
         (loop $next
            (if (call $fd_fdstat_get (local.get $i) (i32.const 64)) (then unreachable))
            (if (i32.ne (i32.load8_u (i32.const 64)) (i32.const 2)) (then unreachable))
            (if (i64.ne (i64.const 0) (i64.and (i64.const 36) (i64.load (i32.const 72))))
                (then unreachable))
            (if (call $fd_filestat_get (local.get $i) (i32.const 128)) (then unreachable))
            (if (i32.ne (i32.load8_u (i32.const 144)) (i32.const 2)) (then unreachable))
            (local.set $i (i32.add (local.get $i) (i32.const 1)))
            (br_if $next (i32.lt_u (local.get $i) (i32.const 3))))
         (if (i32.ne (i32.const 8) (call $fd_fdstat_get (i32.const 3) (i32.const 64)))
            (then unreachable))
         (drop (call $read)) (call $exit (i32.const 42))",
    );
    assert!(
        fault(&checks).detail.as_str().starts_with("ended with exit code 42"),
        "{}",
        fault(&checks)
    );
}

#[test]
fn arguments_and_environment_are_empty() {
    for what in ["args", "environ"] {
        let sizes = format!("{what}_sizes_get");
        let get = format!("{what}_get");
        let body = each_line(&format!(
            "(i64.store (i32.const 64) (i64.const -1))
             (drop (call ${sizes} (i32.const 64) (i32.const 68)))
             (drop (call ${get} (i32.const -1) (i32.const -1)))
             (if (i64.ne (i64.load (i32.const 64)) (i64.const 0)) (then unreachable))
             (call $print (i32.const 1024) (local.get $n))"
        ));
        let imports = [import(&sizes, "i32 i32"), import(&get, "i32 i32")].concat();
        assert_eq!(first_answer(&compile(&imports, &body)).unwrap(), "discard?");
    }
}

/// Answers each line with the clock's value as 16 letters, after `start`.
fn clock(start: &str) -> Compiled {
    let body = each_line(
        "(drop (call $clock_time_get (i32.const 1) (i64.const 0) (i32.const 64)))
         (local.set $i (i32.const 0))
         (loop $digit
            (i32.store8 (i32.add (i32.const 1024) (local.get $i))
                (i32.add (i32.const 65) (i32.and (i32.const 15) (i32.wrap_i64 (i64.shr_u
                    (i64.load (i32.const 64)) (i64.extend_i32_u
                        (i32.sub (i32.const 60) (i32.mul (i32.const 4) (local.get $i)))))))))
            (local.set $i (i32.add (local.get $i) (i32.const 1)))
            (br_if $digit (i32.lt_u (local.get $i) (i32.const 16))))
         (i32.store8 (i32.const 1040) (i32.const 10))
         (call $print (i32.const 1024) (i32.const 17))",
    );
    compile(&import("clock_time_get", "i32 i64 i32"), &format!("{start} {body}"))
}

fn time(answer: &str) -> u64 {
    answer.bytes().fold(0, |value, letter| value << 4 | u64::from(letter - b'A'))
}

#[test]
fn the_clock_counts_fuel_including_the_start() {
    let compiled = clock("");
    let play = || {
        let mut bot = player(&compiled);
        std::array::from_fn(|_| {
            let (answer, fuel) = ask(&mut bot, "discard?").unwrap();
            (time(&answer), fuel)
        })
    };
    let [one, two, three]: [(u64, u64); 3] = play();
    assert_eq!(play(), [one, two, three], "the same every time");
    let fuel = one.1 + two.1;
    let mut bot = BotPlayer::new(&compiled, Limits { fuel, ..Limits::COURSE });
    assert_eq!(time(&ask(&mut bot, "discard?").unwrap().0), one.0, "whatever the budget");
    assert_eq!(time(&ask(&mut bot, "discard?").unwrap().0), two.0);
    let busy = "(local.set $i (i32.const 1000))
        (loop $more (br_if $more (local.tee $i (i32.sub (local.get $i) (i32.const 1)))))";
    let later = time(&first_answer(&clock(busy)).unwrap());
    assert!(later > one.0 + 1000, "{later} after a busy start, {} after none", one.0);
    // The program reads the clock at the same point of each turn.
    assert_eq!(two.0 - one.0, one.1);
    assert_eq!(three.0 - two.0, two.1);
}

#[test]
fn a_sleep_returns_at_once() {
    // A year, then the event: the caller's number, no error, the clock's kind.
    let data = r#"(data (i32.const 8192) "12345678\00")"#;
    let body = each_line(
        "(i64.store (i32.const 8216) (i64.const 31536000000000000))
         (if (call $poll_oneoff (i32.const 8192) (i32.const 9000) (i32.const 1) (i32.const 64))
            (then unreachable))
         (if (i32.ne (i32.load (i32.const 64)) (i32.const 1)) (then unreachable))
         (i32.store8 (i32.const 9008) (i32.const 10))
         (call $print (i32.const 9000) (i32.const 9))",
    );
    let compiled = compile_with(&import("poll_oneoff", "i32 i32 i32 i32"), data, &body);
    assert_eq!(first_answer(&compiled).unwrap(), "12345678");
    let polls = |count| errno("poll_oneoff", "i32 i32 i32 i32", &arguments(&[64, 256, count, 32]));
    assert_eq!((polls(0), polls(2), polls(1025), polls(-1)), (28, 0, 28, 28));
}

/// Runs a program that polls with this subscription at 8192 and answers with the milliseconds that
/// the clock advanced. Returns them and the fuel of the turn.
fn slept(subscription: &str, count: u32) -> (u64, u64) {
    let body = each_line(&format!(
        "(drop (call $clock_time_get (i32.const 1) (i64.const 0) (i32.const 64)))
         {subscription}
         (drop (call $poll_oneoff (i32.const 8192) (i32.const 9000) (i32.const {count})
            (i32.const 80)))
         (drop (call $clock_time_get (i32.const 1) (i64.const 0) (i32.const 72)))
         (i64.store (i32.const 64) (i64.div_u
            (i64.sub (i64.load (i32.const 72)) (i64.load (i32.const 64))) (i64.const 1000000)))
         (local.set $i (i32.const 1040))
         (i32.store8 (i32.const 1040) (i32.const 10))
         (loop $digit
            (local.set $i (i32.sub (local.get $i) (i32.const 1)))
            (i32.store8 (local.get $i) (i32.wrap_i64
                (i64.add (i64.const 48) (i64.rem_u (i64.load (i32.const 64)) (i64.const 10)))))
            (i64.store (i32.const 64) (i64.div_u (i64.load (i32.const 64)) (i64.const 10)))
            (br_if $digit (i64.ne (i64.load (i32.const 64)) (i64.const 0))))
         (call $print (local.get $i) (i32.sub (i32.const 1041) (local.get $i)))"
    ));
    let imports =
        import("poll_oneoff", "i32 i32 i32 i32") + &import("clock_time_get", "i32 i64 i32");
    let compiled = compile(&imports, &body);
    let (answer, fuel) = ask(&mut player(&compiled), "discard?").unwrap();
    (answer.parse().unwrap(), fuel)
}

/// A subscription to clock 1 at this address: kind, clock, time, and whether the time is absolute.
fn alarm(place: u32, nanoseconds: i64, is_absolute: bool) -> String {
    let at = 8192 + 48 * place;
    format!(
        "(i32.store8 (i32.const {}) (i32.const 0)) (i32.store (i32.const {}) (i32.const 1))
         (i64.store (i32.const {}) (i64.const {nanoseconds}))
         (i32.store16 (i32.const {}) (i32.const {}))",
        at + 8,
        at + 16,
        at + 24,
        at + 40,
        u32::from(is_absolute)
    )
}

#[test]
fn a_sleep_moves_the_clock_and_takes_no_fuel() {
    let (none, fuel) = slept(&alarm(0, 0, false), 1);
    assert_eq!(none, 0);
    let second = slept(&alarm(0, 1_000_000_000, false), 1);
    assert_eq!(second.0, 1000);
    assert!(second.1 < fuel + 1000, "{} against {fuel}", second.1);
    let both = alarm(0, 3_000_000, false) + &alarm(1, 7_000_000, false);
    assert_eq!(slept(&both, 2).0, 7, "the latest");
    assert_eq!(slept(&alarm(0, 5_000_000, true), 1).0, 4, "absolute: some fuel was spent before");
    assert_eq!(slept(&alarm(0, 1, true), 1).0, 0, "in the past");
    let input =
        alarm(1, 0, false).replace("(i32.const 0)) (i32.store (", "(i32.const 1)) (i32.store (");
    let input = alarm(0, 5_000_000, false) + &input;
    assert_eq!(slept(&input, 2).0, 0, "input is there at once");
    // Even the longest sleep leaves a valid time.
    let ages = slept(&alarm(0, -1, false), 1).0;
    assert!(ages > 1_000_000_000 && ages <= (1 << 62) / 1_000_000, "{ages}");
}

/// Answers with 16 letters from the random source.
fn random() -> Compiled {
    let body = each_line(
        "(drop (call $random_get (i32.const 1024) (i32.const 16)))
         (local.set $i (i32.const 1024))
         (loop $letter
            (i32.store8 (local.get $i)
                (i32.add (i32.const 65) (i32.and (i32.const 15) (i32.load8_u (local.get $i)))))
            (local.set $i (i32.add (local.get $i) (i32.const 1)))
            (br_if $letter (i32.lt_u (local.get $i) (i32.const 1040))))
         (i32.store8 (i32.const 1040) (i32.const 10))
         (call $print (i32.const 1024) (i32.const 17))",
    );
    compile(&import("random_get", "i32 i32"), &body)
}

#[test]
fn random_numbers_depend_only_on_seed_and_seat() {
    let compiled = random();
    let draw = |seed, seat| {
        let mut bot = BotPlayer::new(&compiled, Limits::COURSE).seeded(Seed(seed), seat);
        ask(&mut bot, "discard?").unwrap().0 + &ask(&mut bot, "discard?").unwrap().0
    };
    let drawn = draw(1, Seat::One);
    // From another implementation of the documentation, in another language: acb5f0f4…
    assert_eq!(&drawn[..16], "MFAEBGMDFJKEGIBM");
    assert_eq!(drawn, draw(1, Seat::One));
    assert_ne!(drawn, draw(1, Seat::Two));
    assert_ne!(drawn, draw(2, Seat::One));
    assert_ne!(drawn[..16], drawn[16..]);
}

#[test]
fn addresses_outside_of_the_memory_end_the_program() {
    let imports = [
        import("random_get", "i32 i32"),
        import("clock_time_get", "i32 i64 i32"),
        import("fd_fdstat_get", "i32 i32"),
        import("poll_oneoff", "i32 i32 i32 i32"),
        import("args_sizes_get", "i32 i32"),
    ]
    .concat();
    let calls = [
        "(drop (call $random_get (i32.const 0) (i32.const -1)))",
        "(drop (call $random_get (i32.const -16) (i32.const 32)))",
        "(drop (call $random_get (i32.const 65535) (i32.const 2)))",
        "(drop (call $clock_time_get (i32.const 0) (i64.const 0) (i32.const 65529)))",
        "(drop (call $fd_fdstat_get (i32.const 0) (i32.const -24)))",
        "(drop (call $poll_oneoff (i32.const -1) (i32.const 0) (i32.const 1) (i32.const 0)))",
        "(drop (call $poll_oneoff (i32.const 0) (i32.const -1) (i32.const 1) (i32.const 0)))",
        "(drop (call $poll_oneoff (i32.const 0) (i32.const 64) (i32.const 1) (i32.const -1)))",
        "(drop (call $args_sizes_get (i32.const 65533) (i32.const 0)))",
        "(call $print (i32.const 65536) (i32.const 1))",
        "(call $print (i32.const -16) (i32.const 32))",
        "(call $print (i32.const 0) (i32.const -1))",
        "(drop (call $fd_write (i32.const 1) (i32.const -4) (i32.const 1) (i32.const 8)))",
        "(drop (call $fd_write (i32.const 1) (i32.const 0) (i32.const 0) (i32.const -2)))",
        "(drop (call $fd_read (i32.const 0) (i32.const 65530) (i32.const 1) (i32.const 8)))",
        "(drop (call $fd_read (i32.const 0) (i32.const 0) (i32.const 0) (i32.const -2)))",
    ];
    for call in calls {
        let fault = fault(&compile(&imports, &format!("(drop (call $read)) {call}")));
        assert_eq!(fault.verdict, Verdict::RuntimeError, "{call}: {fault}");
        assert!(fault.detail.as_str().contains("outside of the memory"), "{call}: {fault}");
    }
    // Lists of the largest possible length, and descriptors that do not exist.
    let body = "(drop (call $read))
        (if (i32.ne (i32.const 28)
                (call $fd_write (i32.const 1) (i32.const 0) (i32.const -1) (i32.const 8)))
            (then unreachable))
        (if (i32.ne (i32.const 8)
                (call $fd_write (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))
            (then unreachable))
        (call $exit (i32.const 42))";
    assert!(fault(&compile("", body)).detail.as_str().starts_with("ended with exit code 42"));
}

#[test]
fn a_start_function_cannot_read_or_print() {
    for body in [
        "(drop (call $read))",
        "(call $print (i32.const 0) (i32.const 1))",
        "(call $exit (i32.const 1))",
    ] {
        let fields = format!("(func $early {body}) (start $early)");
        let fault = fault(&compile_with("", &fields, &each_line(ECHO)));
        assert_eq!(fault.verdict, Verdict::RuntimeError);
        let detail = fault.detail.as_str();
        assert!(detail.starts_with("made a system call from a start function"), "{detail}");
    }
}
