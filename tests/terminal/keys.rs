//! Keys: Ctrl-C and Ctrl-D leave a round with a person, and Enter passes it to another person.

use crate::Test;
use crate::screen::Screen;

pub(crate) const TESTS: &[Test] = &[
    ("ctrl_c_before_the_first_answer_ends_the_command", unbegun),
    ("ctrl_c_within_a_line_ends_the_command_and_keeps_the_round", begun),
    ("ctrl_c_prints_that_no_round_is_kept", unkept),
    ("ctrl_d_ends_like_quit", end),
    ("enter_shows_the_hand_to_the_next_person", two_people),
];

fn asked() -> Screen {
    let screen = Screen::new(100);
    screen.line("clear; judge play human --game cc --option size=5 --replay round");
    screen.until("the question", |text| text.contains("move>"));
    screen
}

/// Answers, and waits for the next question.
fn answer(screen: &Screen) {
    screen.line("1");
    screen.until("another question", |text| text.matches("move>").count() > 1);
}

fn unbegun() {
    let screen = asked();
    screen.key("C-c");
    let (code, text) = screen.ended();
    assert_eq!(code, 130, "{text}");
    assert!(text.contains("\nleft by Ctrl-C, before the first answer\n"), "{text}");
    assert!(!screen.path().join("round").exists());
}

fn begun() {
    let screen = asked();
    answer(&screen);
    screen.write("moves 1");
    screen.key("C-c");
    let (code, text) = screen.ended();
    assert_eq!(code, 130, "{text}");
    assert!(
        text.contains("\nleft by Ctrl-C: you resigned; the round is saved in `round`\n"),
        "{text}"
    );
    assert!(!text.contains("digest"), "at once, without tables: {text}");
    screen.line("clear; judge replay round");
    let (code, text) = screen.ended();
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("\nResigned: seat 1 (human)"), "{text}");
}

fn unkept() {
    let screen = Screen::new(100);
    screen.line("clear; judge play human --game cc --option size=5");
    screen.until("the question", |text| text.contains("move>"));
    answer(&screen);
    screen.key("C-c");
    let (code, text) = screen.ended();
    assert_eq!(code, 130, "{text}");
    assert!(text.contains("you resigned; the round was not saved\n"), "{text}");
}

fn end() {
    let screen = asked();
    answer(&screen);
    screen.key("C-d");
    let (code, text) = screen.ended();
    assert_eq!(code, 0, "{text}");
    assert!(
        text.contains("\nleft by Ctrl-D\n") && text.contains("by the score so far, "),
        "{text}"
    );
    assert!(screen.path().join("round").exists());
}

/// The screen and its history show nothing of a hand before its owner presses Enter.
fn two_people() {
    let screen = Screen::new(100);
    screen.line("clear; judge play human --against human --game mahjong --name Ada --name Bob");
    for (number, who) in [(1, "Ada"), (2, "Bob"), (1, "Ada")] {
        let next = format!("seat {number} ({who}) is next: hide the screen from seat ");
        let text = screen.until("the next person", |text| {
            text.contains(&next) && text.contains("press Enter to see it")
        });
        assert!(!text.contains("you drew") && !text.contains("discard>"), "{text}");
        screen.line("");
        let prompt = format!("seat {number}, discard>");
        let text = screen.until("the question", |text| text.contains(&prompt));
        assert!(text.contains("you drew") && !text.contains("press Enter"), "{text}");
        screen.line("1");
    }
}
