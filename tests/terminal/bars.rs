//! Progress bars disappear at the end, and are never wider than the window.

use crate::Test;
use crate::screen::Screen;
use crate::support::{sample, write};

pub(crate) const TESTS: &[Test] = &[
    ("the_bar_disappears_before_the_tables", gone),
    ("bars_fit_a_smaller_window", smaller),
    ("messages_next_to_a_bar_have_separate_lines", beside),
    ("a_dumb_terminal_gets_no_bar", dumb),
];

/// The lines that contain a part of a bar.
fn bars(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.contains(['█', '░'])).collect()
}

/// A window with a slow bot, and a testcase for it.
fn with_slow_bot(columns: u16) -> Screen {
    let screen = Screen::new(columns);
    let seeds: Vec<u32> = (1..=80).collect();
    let case = format!(
        "title = \"x\"\ngame = \"patchwork\"\nopponent = \"random\"\nseeds = {seeds:?}\n\
         min_score = 0\npoints = 10\nlimits = {{ time_ms = 10000000 }}\n"
    );
    write(screen.path(), "a-testcase-with-a-long-name.toml", case);
    let slow = std::fs::read(sample("patchwork-quilter")).unwrap();
    write(screen.path(), "a.wasm", &slow);
    // The same program with another hash, by an empty custom section, because copies of a module
    // are played only once.
    write(screen.path(), "c.wasm", [slow.as_slice(), &[0, 2, 1, b'x']].concat());
    std::fs::copy(sample("patchwork-first-fit"), screen.path().join("b.wasm")).unwrap();
    screen
}

fn gone() {
    let screen = with_slow_bot(100);
    screen.line("clear; judge grade a.wasm c.wasm --testcase a-testcase-with-a-long-name.toml");
    // Another bot is graded below the table of the first.
    let between = screen
        .until("a table above a bar", |text| text.contains("digest") && !bars(text).is_empty());
    assert_eq!(bars(&between).len(), 1, "{between}");
    assert!(
        between.trim_end().lines().last().is_some_and(|line| !bars(line).is_empty()),
        "{between}"
    );
    let (_, text) = screen.ended();
    assert!(text.contains("1 of 1 passed"), "{text}");
    assert!(bars(&text).is_empty() && !text.contains("/160 rounds"), "{text}");
}

/// Slow commands, each with the unit of its bar.
const COMMANDS: [(&str, &str); 6] = [
    ("judge grade a.wasm a.wasm a.wasm --testcase a-testcase-with-a-long-name.toml", "rounds"),
    ("judge match a.wasm b.wasm --rounds 20000 --sprt elo0=0,elo1=1", "pairs"),
    ("judge tournament a.wasm b.wasm greedy --rounds 20000", "pairs"),
    ("judge record --game patchwork --players search,search --games 100000 --out r", "games"),
    ("judge train amazons --board 6x6 --games 1000000 --out t", "games"),
    ("judge selftest", "cases"),
];

fn smaller() {
    for (command, unit) in COMMANDS {
        // No program can prevent that a window changes between the look at its width and the
        // drawing. Then a line is left, so one of three tries has to be clean.
        assert!(
            (0..3).any(|_| has_one_bar(command, unit)),
            "{command}: bars for an old width stay"
        );
    }
}

/// True if a command shows one bar, and nothing is left of it in a window that changes its width.
fn has_one_bar(command: &str, unit: &str) -> bool {
    let screen = with_slow_bot(110);
    screen.line(&format!("clear; {command}"));
    screen.until("a bar", |text| bars(text).iter().any(|line| line.contains(unit)));
    let fits_in = |columns: u16| {
        screen.resize(columns);
        // Lines for the old width stay until the next drawing.
        let fits = |text: &str| {
            let bars = bars(text);
            bars.len() == 1 && bars[0].chars().count() < usize::from(columns)
        };
        let stays = |_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            bars(&screen.text()).len() < 2
        };
        screen.comes(fits) && (0..20).all(stays)
    };
    let all_fit = [60, 34, 20, 90, 34].into_iter().all(fits_in);
    screen.key("C-c");
    screen.until("the prompt", |text| text.trim_end().ends_with("ready>"));
    all_fit
}

fn beside() {
    let screen = with_slow_bot(100);
    screen.line("clear; judge match a.wasm b.wasm --rounds 20000 --seed 1");
    screen.until("a bar", |text| !bars(text).is_empty());
    screen.key("C-c");
    let (code, text) = screen.ended();
    assert_eq!(code, 130, "{text}");
    assert!(bars(&text).is_empty(), "{text}");
    let begins = |start: &str| text.lines().any(|line| line.starts_with(start));
    assert!(begins("UNFINISHED: interrupted after "), "{text}");
    assert!(begins("  judge match a.wasm b.wasm --rounds 20000 --seed 1 --journal "), "{text}");
}

fn dumb() {
    let screen = with_slow_bot(100);
    // Long enough for a bar to appear, which it does on other terminals.
    screen.line("clear; TERM=dumb judge grade a.wasm --testcase a-testcase-with-a-long-name.toml");
    screen.until("the table", |text| {
        assert!(bars(text).is_empty() && !text.contains("rounds a:"), "{text}");
        text.contains("1 of 1 passed")
    });
}
