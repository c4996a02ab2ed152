//! `judge rules perft|legal|show|apply|score`: what is possible from a state, as text or JSON.

use std::io::{self, Write};
use std::path::PathBuf;

use judge_core::{Seat, printable};
use judge_games::{IllegalMove, View};
use serde_json::{Value, json};

use super::place::{Place, START, Setting, text};
use crate::failure::{Exit, Failure};
use crate::output;

/// Count the sequences of answers from a state, by playing out every one of them.
///
/// What counts as a move of its own stands in the game's README.
#[derive(clap::Args)]
pub(super) struct Perft {
    /// Up to how many moves.
    #[arg(value_parser = clap::value_parser!(u32).range(0..=64))]
    depth: u32,
    /// The state in the game's notation, `start`, or `-` for standard input.
    #[arg(default_value = START, allow_hyphen_values = true)]
    state: String,
    #[command(flatten)]
    setting: Setting,
    /// Count below each legal answer apart.
    #[arg(long)]
    divide: bool,
}

/// List the legal answers to the pending question.
#[derive(clap::Args)]
pub(super) struct Legal {
    /// The state in the game's notation, `start`, or `-` for standard input.
    #[arg(default_value = START, allow_hyphen_values = true)]
    state: String,
    #[command(flatten)]
    setting: Setting,
}

/// Show a state as text, or as a picture.
#[derive(clap::Args)]
pub(super) struct Show {
    /// The state in the game's notation, `start`, or `-` for standard input.
    #[arg(default_value = START, allow_hyphen_values = true)]
    state: String,
    #[command(flatten)]
    setting: Setting,
    /// Write a picture to a file (`-` for standard output).
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    svg: Option<PathBuf>,
    /// Show only what the player in this seat knows.
    #[arg(long, value_name = "SEAT", value_parser = clap::value_parser!(u8).range(1..=2))]
    view: Option<u8>,
}

/// Give answers, and print the state after them.
///
/// Exits with 1 when one of them is not legal, and says why.
#[derive(clap::Args)]
pub(super) struct Apply {
    /// The state in the game's notation, `start`, or `-` for standard input.
    #[arg(allow_hyphen_values = true)]
    state: String,
    /// Answers in the game's notation, in order.
    #[arg(required = true, value_name = "MOVE")]
    moves: Vec<String>,
    #[command(flatten)]
    setting: Setting,
}

/// Print the score of a state, as if the game ended there, and what it is made of.
#[derive(clap::Args)]
pub(super) struct Score {
    /// The state in the game's notation, `start`, or `-` for standard input.
    #[arg(default_value = START, allow_hyphen_values = true)]
    state: String,
    #[command(flatten)]
    setting: Setting,
}

/// Prints text, each line as soon as it is there: a deep count takes its time.
fn print(lines: impl IntoIterator<Item = String>) -> Result<Exit, Failure> {
    let mut out = io::stdout().lock();
    let written =
        lines.into_iter().try_for_each(|line| writeln!(out, "{}", printable(&line, usize::MAX)));
    output::unless_reader_left(written)?;
    Ok(Exit::Passed)
}

fn print_json(value: &Value) -> Result<Exit, Failure> {
    print([format!("{value:#}")].iter().flat_map(|text| text.lines().map(str::to_owned)))
}

pub(super) fn perft(arguments: &Perft) -> Result<Exit, Failure> {
    // Read once: standard input does not come again.
    let text = text(&arguments.state)?;
    let place = Place::open(&arguments.setting, &text)?;
    if arguments.divide {
        return divide(arguments, &place, &text);
    }
    let counts = (0..=arguments.depth).map(|depth| (depth, place.running().perft(depth)));
    if arguments.setting.json {
        let counts: Vec<u64> = counts.map(|(_, count)| count).collect();
        return print_json(&json!({ "state": place.running().state(), "counts": counts }));
    }
    print(counts.skip(1).map(|(depth, count)| format!("{depth} {count}")))
}

/// One count for each legal answer, and their sum.
fn divide(arguments: &Perft, place: &Place, text: &str) -> Result<Exit, Failure> {
    let Some(below) = arguments.depth.checked_sub(1) else {
        return Err(Failure::usage("`--divide` needs a depth of 1 or more", "try depth 1"));
    };
    let state = place.running().state();
    let mut counts = Vec::new();
    for answer in place.running().legal() {
        let mut after = Place::open(&arguments.setting, text)?;
        after.apply(&answer).map_err(|error| {
            Failure::Judge(format!("the legal answer `{answer}` at `{state}` is refused: {error}"))
        })?;
        counts.push((answer, after.running().perft(below)));
    }
    let sum: u64 = counts.iter().map(|(_, count)| count).sum();
    if arguments.setting.json {
        let counts: serde_json::Map<String, Value> =
            counts.into_iter().map(|(answer, count)| (answer, json!(count))).collect();
        return print_json(&json!({ "state": state, "divide": counts, "sum": sum }));
    }
    let lines = counts.into_iter().map(|(answer, count)| format!("{answer} {count}"));
    print(lines.chain([format!("sum {sum}")]))
}

pub(super) fn legal(arguments: &Legal) -> Result<Exit, Failure> {
    let place = Place::open(&arguments.setting, &text(&arguments.state)?)?;
    let legal = place.running().legal();
    if !arguments.setting.json {
        if legal.is_empty() {
            // A standard error that is gone changes nothing.
            let _ = writeln!(io::stderr(), "{}", printable(&place.news(), usize::MAX));
        }
        return print(legal);
    }
    let mut value = place.json();
    value["legal"] = json!(legal);
    print_json(&value)
}

pub(super) fn show(arguments: &Show) -> Result<Exit, Failure> {
    let place = Place::open(&arguments.setting, &text(&arguments.state)?)?;
    let seat = arguments.view.and_then(|number| Seat::try_from(number).ok());
    let view = seat.map_or(View::Everything, View::Seat);
    if let Some(path) = &arguments.svg {
        output::write(path, &place.running().svg(view))?;
        return Ok(Exit::Passed);
    }
    let frame = place.running().frame(view);
    if arguments.setting.json {
        // State, question and scores hold what one player may not know.
        let mut value = match seat {
            Some(seat) => json!({ "game": place.game(), "view": seat }),
            None => place.json(),
        };
        value["frame"] = json!(frame);
        return print_json(&value);
    }
    let state = format!("state: {}", place.running().state());
    let rest = if seat.is_some() { vec![] } else { vec![state, place.news()] };
    print(frame.lines().map(str::to_owned).chain(rest))
}

pub(super) fn apply(arguments: &Apply) -> Result<Exit, Failure> {
    let mut place = Place::open(&arguments.setting, &text(&arguments.state)?)?;
    for (number, answer) in (1..).zip(&arguments.moves) {
        if let Err(error) = place.apply(answer) {
            return refused(arguments, &place, number, &error);
        }
    }
    if arguments.setting.json {
        return print_json(&place.json());
    }
    print([place.running().state()])
}

/// Says which answer is not legal at which place, and why.
fn refused(
    arguments: &Apply,
    place: &Place,
    number: usize,
    error: &IllegalMove,
) -> Result<Exit, Failure> {
    let (kind, reason) = match error {
        IllegalMove::Malformed(reason) => ("malformed", reason),
        IllegalMove::Forbidden(reason) => ("illegal", reason),
    };
    if arguments.setting.json {
        let mut value = place.json();
        let answer = &arguments.moves[number - 1];
        value["refused"] =
            json!({ "number": number, "answer": answer, "kind": kind, "reason": reason });
        print_json(&value)?;
    } else {
        let which = match arguments.moves.len() {
            1 => String::new(),
            all => format!("answer {number} of {all}: "),
        };
        let line = printable(&format!("{which}{kind}: {reason}"), usize::MAX);
        // A standard error that is gone changes nothing about the exit code.
        let _ = writeln!(io::stderr(), "{line}");
    }
    Ok(Exit::Failed)
}

pub(super) fn score(arguments: &Score) -> Result<Exit, Failure> {
    let place = Place::open(&arguments.setting, &text(&arguments.state)?)?;
    if arguments.setting.json {
        return print_json(&place.json());
    }
    let standing = place.running().standing();
    let rows: Vec<(&str, [i64; 2])> = [("score", standing.scores)]
        .into_iter()
        .chain(standing.terms.iter().map(|term| (term.name, term.values)))
        .collect();
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let heading = format!("{:width$}  {:>8}  {:>8}", "", "seat 1", "seat 2");
    let lines = rows.iter().map(|(name, [one, two])| format!("{name:width$}  {one:>8}  {two:>8}"));
    print([heading].into_iter().chain(lines).chain([place.news()]))
}
