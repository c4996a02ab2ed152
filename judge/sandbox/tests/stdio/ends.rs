//! Ends of programs, voluntary and forced.

use super::*;
use judge_core::Verdict;

#[test]
fn ending_too_early_is_a_runtime_error_with_the_exit_code() {
    for code in ["0", "1", "125", "126", "4294967295"] {
        let exits = for_each_line(&format!("(call $exit (i32.const {code}))"));
        let fault = fault(&exits);
        assert_eq!(fault.verdict, Verdict::RuntimeError);
        let hint = if code == "0" { ": a program reads on until the line `end …`" } else { "" };
        let when = "after `discard?`, before the round was over";
        let expected = format!("ended with exit code {code} {when}{hint}");
        assert_eq!(fault.detail.as_str(), expected);
    }
    let returns = compile("", "(drop (call $read))");
    let fault = player(&returns).notice("draw 3b").unwrap_err();
    let expected = "ended with exit code 0 after `draw 3b`, before the round was over: a program \
                    reads on until the line `end …`";
    assert_eq!(fault.detail.as_str(), expected);
    let fault = self::fault(&compile("", "(call $exit (i32.const 3))"));
    assert_eq!(fault.detail.as_str(), "ended with exit code 3 before it read its first line");
}

#[test]
fn an_abort_for_lack_of_memory_is_a_memory_fault() {
    let exits = |code: u32| {
        for_each_line(&format!(
            "(drop (memory.grow (i32.const 9999))) (call $exit (i32.const {code}))"
        ))
    };
    let fault = fault(&exits(2));
    assert_eq!(fault.verdict, Verdict::MemoryLimitExceeded);
    let start = "ended with exit code 2 after `discard?`, before the round was over, after the";
    assert!(fault.detail.as_str().starts_with(start), "{fault}");
    assert_eq!(self::fault(&exits(0)).verdict, Verdict::RuntimeError, "it did not fail");
}

#[test]
fn a_program_that_ends_after_one_answer_fails() {
    let once =
        compile("", "(local.set $n (call $read)) (call $print (i32.const 1024) (local.get $n))");
    assert_eq!(fault(&once).verdict, Verdict::RuntimeError);
}

#[test]
fn a_failed_program_answers_no_further_line() {
    let exits = for_each_line("(call $exit (i32.const 3))");
    let mut player = player(&exits);
    assert!(player.notice("draw 3b").is_err());
    assert_eq!(player.notice("draw 3b").unwrap_err().verdict, Verdict::RuntimeError);
}

#[test]
fn a_program_may_end_after_the_last_line_in_any_way() {
    let bodies = [
        // At the last line, at the end of the input, with an exit code, or never.
        "(drop (call $read))".to_owned(),
        "(drop (call $read)) (call $exit (i32.const 7))".to_owned(),
        each_line(""),
        format!("{} (call $exit (i32.const 7))", each_line("")),
    ];
    for body in bodies {
        let compiled = compile("", &body);
        let fuel = player(&compiled).notice("end win 3 1").unwrap().unwrap();
        assert!(fuel > 0, "{body}");
    }
}

#[test]
fn output_before_an_end_is_kept_in_the_log() {
    let logs = compile_with(
        "",
        r#"(data (i32.const 8192) "bye")"#,
        &format!("{} (call $say (i32.const 2) (i32.const 8192) (i32.const 3))", each_line("")),
    );
    let mut bot = player(&logs);
    bot.notice("draw 3b").unwrap();
    bot.notice("end loss 0 0").unwrap();
    let usage = bot.usage();
    assert_eq!(usage.log, b"bye");
    assert_eq!(parts(&usage), [(1, 3)]);

    let dies = compile_with(
        "",
        r#"(data (i32.const 8192) "why")"#,
        "(call $say (i32.const 2) (i32.const 8192) (i32.const 3)) unreachable",
    );
    let mut bot = player(&dies);
    assert!(bot.notice("draw 3b").is_err());
    let usage = bot.usage();
    assert_eq!(usage.log, b"why");
    assert_eq!(usage.log_parts, Some(vec![]), "it was no call's");

    let dies =
        for_each_line("(call $say (i32.const 2) (i32.const 1024) (i32.const 4)) unreachable");
    let mut bot = player(&dies);
    assert!(bot.notice("draw 3b").is_err());
    let usage = bot.usage();
    assert_eq!(usage.log, b"draw");
    assert_eq!(parts(&usage), [(0, 4)]);
}

#[test]
fn a_program_running_after_the_end_of_input_is_a_fault() {
    let spins = compile("", "(loop $again (drop (call $read)) (br $again))");
    let fault = player(&spins).notice("end win 3 1").unwrap_err();
    assert_eq!(fault.verdict, Verdict::TimeLimitExceeded);
    assert_eq!(
        fault.detail.as_str(),
        "still running after 100 ms: it does not stop when there is no more input"
    );
    assert!(fault != PlayerFault::out_of_time(), "not the testcase's time");
}

#[test]
fn printing_after_the_end_is_a_fault() {
    let talks =
        compile("", &format!("{} (call $print (i32.const 1024) (i32.const 4))", each_line("")));
    let fault = player(&talks).notice("end win 3 1").unwrap_err();
    let start = "printed `end ` without being asked, after `end win 3 1`: only answers";
    assert!(fault.detail.as_str().starts_with(start), "{fault}");
}

#[test]
fn traps_are_runtime_errors_with_their_line() {
    let fault = fault(&for_each_line("unreachable"));
    assert_eq!(fault.verdict, Verdict::RuntimeError);
    assert!(fault.detail.as_str().starts_with("aborted: `unreachable` reached"), "{fault}");
    assert!(fault.detail.as_str().ends_with(" after `discard?`"), "{fault}");
}

#[test]
fn endless_recursion_is_a_stack_overflow() {
    let deep = compile_with("", "(func $deep (call $deep))", "(drop (call $read)) (call $deep)");
    let fault = fault(&deep);
    assert_eq!(fault.verdict, Verdict::RuntimeError);
    assert!(fault.detail.as_str().starts_with("stack overflow"), "{fault}");
    // Host functions called near the end of the guest's stack have separate room.
    let prints = compile_with(
        "",
        "(func $deep (call $say (i32.const 2) (i32.const 8192) (i32.const 1)) (call $deep))",
        "(drop (call $read)) (call $deep)",
    );
    assert!(self::fault(&prints).detail.as_str().starts_with("stack overflow"));
    let waits = compile_with(
        "",
        "(func $deep (call $print (i32.const 1024) (call $read)) (call $deep))",
        "(call $deep)",
    );
    let mut player = player(&waits);
    let fault = (0..1_000_000).find_map(|_| ask(&mut player, "move?").err()).unwrap();
    assert!(fault.detail.as_str().starts_with("stack overflow"), "{fault}");
}

#[test]
fn a_failure_after_refused_memory_is_a_memory_fault() {
    let grows = for_each_line(
        "(loop $again (br_if $again (i32.ne (memory.grow (i32.const 1)) (i32.const -1))))
         unreachable",
    );
    let mut player = player(&grows);
    let fault = player.notice("draw 3b").unwrap_err();
    assert_eq!(fault.verdict, Verdict::MemoryLimitExceeded);
    assert_eq!(player.usage().peak_memory_bytes, 2 << 20);
}

#[test]
fn a_dropped_waiting_program_leaves_no_thread() {
    // Overwrites all of its memory, then waits. The pool has two slots.
    let marks = for_each_line(
        "(local.set $i (i32.const 8192))
         (loop $more
            (if (i32.load (local.get $i)) (then unreachable))
            (i32.store (local.get $i) (i32.const -1))
            (local.set $i (i32.add (local.get $i) (i32.const 4)))
            (br_if $more (i32.lt_u (local.get $i) (i32.const 65536))))",
    );
    for _ in 0..200 {
        let mut one = player(&marks);
        let mut two = player(&marks);
        one.notice("draw 3b").unwrap();
        two.notice("draw 3b").unwrap();
    }
}

#[test]
fn two_programs_play_side_by_side() {
    let echo = for_each_line(ECHO);
    let (mut one, mut two) = (player(&echo), player(&echo));
    for i in 0..10 {
        assert_eq!(ask(&mut one, &format!("d? {i}")).unwrap().0, format!("d? {i}"));
        assert_eq!(ask(&mut two, &format!("d? -{i}")).unwrap().0, format!("d? -{i}"));
    }
}
