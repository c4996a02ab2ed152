//! Lines that a program may print, and when.

use super::*;
use judge_core::Verdict;

#[test]
fn a_whole_round_is_played() {
    let echo = for_each_line(ECHO);
    let mut player = player(&echo);
    player.notice("game test seat 1").unwrap();
    assert_eq!(ask(&mut player, "discard?").unwrap().0, "discard?");
    player.notice("opponent 5c").unwrap();
    assert_eq!(ask(&mut player, "d? x").unwrap().0, "d? x");
    player.notice("end win 3 1").unwrap();
    assert_eq!(player.usage().peak_memory_bytes, 65_536);
}

#[test]
fn each_round_starts_fresh() {
    let counts = compile_with(
        "",
        r#"(data (i32.const 8192) "0\n")"#,
        "(i32.store8 (i32.const 8192) (i32.add (i32.load8_u (i32.const 8192)) (i32.const 1)))
         (drop (call $read)) (call $print (i32.const 8192) (i32.const 2)) (drop (call $read))",
    );
    for _ in 0..5 {
        assert_eq!(first_answer(&counts).unwrap(), "1");
    }
}

#[test]
fn the_longest_line_passes_both_ways() {
    let echo = for_each_line(ECHO);
    let longest = format!("d? {}", "x".repeat(4093));
    assert_eq!(ask(&mut player(&echo), &longest).unwrap().0, longest);
}

#[test]
fn a_line_can_be_read_by_bytes_and_printed_in_pieces() {
    // Reads single bytes to address 1024; prints each at once, except question marks.
    let slow = compile(
        "",
        "(i32.store (i32.const 0) (i32.const 1024)) (i32.store (i32.const 4) (i32.const 1))
         (loop $next
            (drop (call $fd_read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))
            (if (i32.ne (i32.load8_u (i32.const 1024)) (i32.const 63))
                (then (call $print (i32.const 1024) (i32.const 1))))
            (br $next))",
    );
    let mut player = player(&slow);
    assert_eq!(ask(&mut player, "discard?").unwrap().0, "discard");
    assert_eq!(ask(&mut player, "move?").unwrap().0, "move");
}

#[test]
fn lists_of_pieces_are_gathered_and_scattered() {
    // Reads into two buffers of 3 and 90 bytes; prints the second, then the first.
    let pieces = r#"(data (i32.const 0) "\00\04\00\00\03\00\00\00\00\05\00\00\5a\00\00\00")
        (data (i32.const 32) "\00\05\00\00\06\00\00\00\00\04\00\00\03\00\00\00")"#;
    let swaps = compile_with(
        "",
        pieces,
        "(drop (call $fd_read (i32.const 0) (i32.const 0) (i32.const 2) (i32.const 64)))
         (if (i32.ne (i32.load (i32.const 64)) (i32.const 9)) (then unreachable))
         (i32.store8 (i32.const 1285) (i32.const 45))
         (i32.store8 (i32.const 1026) (i32.const 10))
         (drop (call $fd_write (i32.const 1) (i32.const 32) (i32.const 2) (i32.const 64)))
         (if (i32.ne (i32.load (i32.const 64)) (i32.const 9)) (then unreachable))
         (drop (call $read))",
    );
    assert_eq!(first_answer(&swaps).unwrap(), "card?-di");
}

const ONLY_ANSWERS: &str =
    "only answers are printed, one line each; all else belongs on standard error";

/// Prints this text once, in answer to the first line, then waits for the next.
fn prints(text: &str) -> Compiled {
    let data = format!(r#"(data (i32.const 8192) "{text}")"#);
    let length = text.replace("\\n", "n").replace("\\1b", "e").replace("\\0d", "r").len();
    let body = format!(
        "(drop (call $read)) (call $print (i32.const 8192) (i32.const {length}))
         (drop (call $read))"
    );
    compile_with("", &data, &body)
}

#[test]
fn an_answer_that_is_not_one_line_is_a_fault() {
    let cases = [
        (
            r"9d\n8d\n",
            "printed two lines, `9d` and `8d`, in answer to `discard?`: only answers are printed, \
             one line each; all else belongs on standard error",
        ),
        (
            r"9d\n8d\n7d\n",
            "printed 3 lines, `9d`, `8d`, …, in answer to `discard?`: only answers are printed, \
             one line each; all else belongs on standard error",
        ),
        (
            r"9d\0d\n",
            "printed `9d\\r` in answer to `discard?`: a line ends in `\\n`, without `\\r`",
        ),
        (r"\n", "printed an empty line in answer to `discard?`"),
        (
            "9d",
            "printed `9d` in answer to `discard?`, without a line end: did you forget `\\n`, or \
             to flush?",
        ),
        (
            r"9d\n8",
            "printed `9d\\n8` in answer to `discard?`, without a line end: did you forget `\\n`, \
             or to flush?",
        ),
        (
            "",
            "no answer to `discard?`: asked for the next line instead, without having printed \
             anything (or without a flush)",
        ),
        (r"\1b9\n", "answered `\\x1b9` to `discard?`: only printable ASCII may be sent"),
    ];
    for (text, expected) in cases {
        let fault = fault(&prints(text));
        assert_eq!(fault.verdict, Verdict::ProtocolError, "{text}");
        assert_eq!(fault.detail.as_str(), expected);
    }
}

#[test]
fn printing_without_being_asked_is_a_fault() {
    let fault = player(&prints(r"9d\n")).notice("draw 3b").unwrap_err();
    assert_eq!(fault.verdict, Verdict::ProtocolError);
    assert_eq!(
        fault.detail.as_str(),
        format!("printed `9d` without being asked, after `draw 3b`: {ONLY_ANSWERS}")
    );

    let hello = compile_with(
        "",
        r#"(data (i32.const 8192) "hello\n")"#,
        "(call $print (i32.const 8192) (i32.const 6)) (drop (call $read))",
    );
    let fault = self::fault(&hello);
    assert_eq!(fault.verdict, Verdict::ProtocolError);
    assert_eq!(
        fault.detail.as_str(),
        format!("printed `hello` without being asked, before the first line: {ONLY_ANSWERS}")
    );
}

#[test]
fn a_flood_of_output_is_stopped_at_one_line() {
    let flood = "(loop $again (call $print (i32.const 8192) (i32.const 1000)) (br $again))";
    let cases = [
        (flood.to_owned(), " while starting up"),
        (format!("(drop (call $read)) {flood}"), " after `discard?`"),
        // One byte too many in a single buffer, and a buffer as large as the memory.
        (
            "(drop (call $read)) (call $print (i32.const 8192) (i32.const 4098))".to_owned(),
            " after `discard?`",
        ),
        (
            "(drop (call $read)) (call $print (i32.const 0) (i32.const 65536))".to_owned(),
            " after `discard?`",
        ),
    ];
    for (body, when) in cases {
        let fault = fault(&compile_with("", r#"(data (i32.const 8192) "x")"#, &body));
        assert_eq!(fault.verdict, Verdict::OutputLimitExceeded, "{fault}");
        let start = format!("printed more than 4096 bytes{when}, beginning `");
        assert!(fault.detail.as_str().starts_with(&start), "{fault}");
    }
}

#[test]
fn standard_error_is_the_log_up_to_its_limit() {
    let logs = for_each_line("(call $say (i32.const 2) (i32.const 1024) (local.get $n))");
    let limits = Limits { log_bytes: 12, ..Limits::COURSE };
    let mut player = BotPlayer::new(&logs, limits);
    player.notice("draw 3b").unwrap();
    player.notice("draw 4c").unwrap();
    let usage = player.usage();
    assert_eq!(usage.log, b"draw 3b\ndraw");
    assert_eq!(usage.log_dropped, 4);
    assert_eq!(parts(&usage), [(0, 8), (1, 4)], "cut off in the second call");
}

#[test]
fn log_output_between_two_lines_belongs_to_the_first() {
    // Before any line, before and after each answer, and at the end of the input.
    let body = format!(
        "(call $say (i32.const 2) (i32.const 8192) (i32.const 6)) {} {}",
        each_line(
            "(if (i32.eq (i32.load8_u (i32.const 1024)) (i32.const 100)) (then
                (call $say (i32.const 2) (i32.const 8198) (i32.const 3))
                (call $print (i32.const 1024) (local.get $n))
                (call $say (i32.const 2) (i32.const 8201) (i32.const 4))))"
        ),
        "(call $say (i32.const 2) (i32.const 8205) (i32.const 3))"
    );
    let logs = compile_with("", r#"(data (i32.const 8192) "begin,to,and,bye")"#, &body);
    let mut player = player(&logs);
    player.notice("game test seat 1").unwrap();
    assert_eq!(ask(&mut player, "discard?").unwrap().0, "discard?");
    player.notice("opponent 5c").unwrap();
    assert_eq!(ask(&mut player, "d? x").unwrap().0, "d? x");
    player.notice("end win 3 1").unwrap();
    let usage = player.usage();
    assert_eq!(usage.log, b"begin,to,and,to,and,bye");
    assert_eq!(parts(&usage), [(1, 7), (3, 7), (4, 3)]);
}
