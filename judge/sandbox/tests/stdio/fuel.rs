//! Fuel of lines, and the end of a program that runs out of it.

use super::*;
use judge_core::Verdict;

const WORK: &str = "(local.set $i (i32.const 1000))
    (loop $again (br_if $again (local.tee $i (i32.sub (local.get $i) (i32.const 1)))))";

fn with_fuel(compiled: &Compiled, fuel: u64) -> BotPlayer<'_> {
    BotPlayer::new(compiled, Limits { fuel, ..Limits::COURSE })
}

#[test]
fn fuel_is_the_same_every_time_and_exact_at_the_edge() {
    let echo = for_each_line(&format!("{WORK} {ECHO}"));
    let (_, fuel) = ask(&mut player(&echo), "discard?").unwrap();
    for _ in 0..100 {
        assert_eq!(ask(&mut with_fuel(&echo, fuel), "discard?").unwrap().1, fuel);
        let short = ask(&mut with_fuel(&echo, fuel - 1), "discard?");
        assert_eq!(short.unwrap_err(), PlayerFault::out_of_time());
    }
}

#[test]
fn the_budget_is_for_all_lines_together() {
    let echo = for_each_line(ECHO);
    let mut bot = player(&echo);
    let (first, second) =
        (ask(&mut bot, "discard?").unwrap().1, ask(&mut bot, "discard?").unwrap().1);
    let mut bot = with_fuel(&echo, first + 2 * second);
    for _ in 0..3 {
        ask(&mut bot, "discard?").unwrap();
    }
    assert_eq!(ask(&mut bot, "discard?").unwrap_err(), PlayerFault::out_of_time());
}

#[test]
fn the_start_is_bounded_but_not_counted() {
    let plain = for_each_line(ECHO);
    let busy = compile("", &format!("{WORK} {}", each_line(ECHO)));
    let cost = |compiled| ask(&mut player(compiled), "discard?").unwrap().1;
    assert_eq!(cost(&plain), cost(&busy));

    let fault = fault(&compile("", "(loop $again (br $again))"));
    assert_eq!(fault.verdict, Verdict::TimeLimitExceeded);
    assert_eq!(
        fault.detail.as_str(),
        "still starting up after 100 ms: it has not asked for its first line"
    );
}

#[test]
fn the_last_line_counts_up_to_the_end_of_the_input() {
    let at_once = compile("", &format!("{} (return)", each_line("")));
    let later = compile("", &format!("{} {WORK}", each_line("")));
    let cost = |compiled| player(compiled).notice("end win 3 1").unwrap();
    assert_eq!(cost(&at_once), cost(&later));
    let edge = cost(&later).unwrap();
    assert!(with_fuel(&later, edge).notice("end win 3 1").is_ok());
    assert!(with_fuel(&later, edge - 1).notice("end win 3 1").is_err());

    let exits = for_each_line(&format!("{WORK} (call $exit (i32.const 0))"));
    let edge = cost(&exits).unwrap();
    assert!(edge > 1000, "an exit is counted, too: {edge}");
    assert!(with_fuel(&exits, edge).notice("end win 3 1").is_ok());
    assert!(with_fuel(&exits, edge - 1).notice("end win 3 1").is_err());
}

#[test]
fn an_infinite_loop_runs_out_of_time() {
    for body in ["(loop $again (br $again))", "(loop $again (drop (call $read)) (br $again))"] {
        let spin = for_each_line(body);
        let mut bot = with_fuel(&spin, 10_000_000);
        let fault = (0..100_000).find_map(|_| bot.notice("draw 3b").err()).unwrap();
        assert_eq!(fault, PlayerFault::out_of_time(), "{body}");
    }
}

#[test]
fn reading_and_printing_cost_by_the_byte() {
    let echo = for_each_line(ECHO);
    let mut bot = player(&echo);
    ask(&mut bot, "d?").unwrap();
    let (_, short) = ask(&mut bot, "d? 12").unwrap();
    let (_, long) = ask(&mut bot, "d? 1234567").unwrap();
    // Five more bytes of input, five more of output.
    assert_eq!(long - short, 10);
}

#[test]
fn a_loop_of_system_calls_costs_at_least_a_plain_loop() {
    let imports = [
        import("sched_yield", ""),
        import("random_get", "i32 i32"),
        import("clock_time_get", "i32 i64 i32"),
        import("path_unlink_file", "i32 i32 i32"),
    ]
    .concat();
    let calls = [
        "(drop (call $sched_yield))",
        "(drop (call $random_get (i32.const 0) (i32.const 65536)))",
        "(drop (call $clock_time_get (i32.const 0) (i64.const 0) (i32.const 0)))",
        "(drop (call $path_unlink_file (i32.const 0) (i32.const 0) (i32.const 0)))",
        "(call $say (i32.const 2) (i32.const 0) (i32.const 65536))",
        "(call $say (i32.const 7) (i32.const 0) (i32.const 65536))",
        "(drop (call $fd_read (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 8)))",
    ];
    for call in calls {
        let spin = compile(&imports, &each_line(&format!("(loop $again {call} (br $again))")));
        let fault = with_fuel(&spin, 10_000_000).notice("draw 3b").unwrap_err();
        assert_eq!(fault, PlayerFault::out_of_time(), "{call}");
    }
}
