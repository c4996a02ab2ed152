//! Colors appear on a terminal that allows them.

use crate::Test;
use crate::screen::Screen;
use crate::support::sample;

pub(crate) const TESTS: &[Test] = &[
    ("a_replay_has_colours_in_a_terminal_with_colours", replay),
    ("a_persons_terminal_colours_both_seats", person),
];

/// Seats 1 and 2 in the terminal's color codes.
const SEATS: [&str; 2] = ["\u{1b}[36m", "\u{1b}[33m"];

fn has_colors(text: &str) -> bool {
    let [one, two] = SEATS.map(|seat| text.contains(seat) || text.contains(&seat[2..]));
    text.contains('\u{1b}') && one && two
}

fn replay() {
    let screen = Screen::new(100);
    std::fs::copy(sample("agamemnon-crossroads"), screen.path().join("a.wasm")).unwrap();
    screen.line("judge play a.wasm --replay r");
    assert_eq!(screen.ended().0, 0);
    for (command, colors) in [
        ("judge replay r --move 5", true),
        ("NO_COLOR=1 judge replay r --move 5", false),
        ("NO_COLOR= judge replay r --move 5", true),
        ("TERM=dumb judge replay r --move 5", false),
        ("judge replay r --move 5 | cat", false),
        ("judge replay r --move 5 --trace", true),
    ] {
        // The output of the previous command ends like this one.
        screen.line("clear");
        screen.until("an empty window", |text| text.trim() == "ready>");
        screen.line(command);
        let text = screen.until("the end", |text| {
            text.contains("digest ") && text.trim_end().ends_with("ready>")
        });
        assert_eq!(has_colors(&screen.colored()), colors, "{command}:\n{}", screen.colored());
        // The lines of the protocol may have any length.
        let drawn = text.lines().skip_while(|line| !line.starts_with("  "));
        let drawn = drawn.take_while(|line| !line.starts_with("move 5"));
        assert!(drawn.clone().count() > 25 && drawn.clone().all(|line| line.len() <= 80), "{text}");
    }
}

fn person() {
    for (command, colors) in
        [("judge play human --game cc", true), ("NO_COLOR=1 judge play human --game cc", false)]
    {
        let screen = Screen::new(100);
        screen.line(&format!("clear; {command}"));
        screen.until("the question", |text| text.contains("move>"));
        assert_eq!(has_colors(&screen.colored()), colors, "{command}:\n{}", screen.colored());
    }
}
