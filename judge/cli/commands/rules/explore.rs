//! `judge rules perft|legal|show|apply|score`: explores the rules from a state, as text or JSON.

use std::io::{self, Write};
use std::path::PathBuf;

use judge_core::{Seat, printable};
use judge_games::{IllegalMove, View};
use judge_runner::Error;
use judge_runner::tools::rules::{RulesSession, START, kind};
use serde_json::Value;

use super::setting::RulesSetting;
use crate::exit::Exit;
use crate::show::{output, tell};

/// Count the sequences of answers from a state (perft).
///
/// Plays out every sequence. The game's README says what counts as one move.
#[derive(clap::Args)]
pub(super) struct Perft {
    /// Depth: the number of moves.
    #[arg(value_parser = clap::value_parser!(u32).range(0..=64))]
    depth: u32,
    /// State in the game's notation, `start`, or `-` for standard input.
    #[arg(default_value = START, allow_hyphen_values = true)]
    state: String,
    #[command(flatten)]
    setting: RulesSetting,
    /// Count below each legal answer separately.
    #[arg(long)]
    divide: bool,
}

/// List the legal answers to the pending question.
#[derive(clap::Args)]
pub(super) struct Legal {
    /// State in the game's notation, `start`, or `-` for standard input.
    #[arg(default_value = START, allow_hyphen_values = true)]
    state: String,
    #[command(flatten)]
    setting: RulesSetting,
}

/// Show a state as text or as a picture.
#[derive(clap::Args)]
pub(super) struct Show {
    /// State in the game's notation, `start`, or `-` for standard input.
    #[arg(default_value = START, allow_hyphen_values = true)]
    state: String,
    #[command(flatten)]
    setting: RulesSetting,
    /// Write a picture (SVG) instead; `-` is standard output.
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    svg: Option<PathBuf>,
    /// Show only what the player in this seat knows.
    #[arg(long, value_name = "SEAT", value_parser = clap::value_parser!(u8).range(1..=2))]
    view: Option<u8>,
}

/// Apply answers to a state, and print the new state.
///
/// Exits with 1 when one of them is not legal, and says why.
#[derive(clap::Args)]
pub(super) struct Apply {
    /// State in the game's notation, `start`, or `-` for standard input.
    #[arg(allow_hyphen_values = true)]
    state: String,
    /// Answers in the game's notation, in order.
    #[arg(required = true, value_name = "MOVE")]
    moves: Vec<String>,
    #[command(flatten)]
    setting: RulesSetting,
}

/// Print the score of a state, as if the game ended there, and its parts.
#[derive(clap::Args)]
pub(super) struct ScoreArguments {
    /// State in the game's notation, `start`, or `-` for standard input.
    #[arg(default_value = START, allow_hyphen_values = true)]
    state: String,
    #[command(flatten)]
    setting: RulesSetting,
}

/// Prints lines as soon as they are ready: a deep count takes a while.
fn print(lines: impl IntoIterator<Item = String>) -> Result<Exit, Error> {
    let mut out = io::stdout().lock();
    let written =
        lines.into_iter().try_for_each(|line| writeln!(out, "{}", printable(&line, usize::MAX)));
    output::unless_reader_left(written)?;
    Ok(Exit::Passed)
}

fn print_json(value: &Value) -> Result<Exit, Error> {
    print([format!("{value:#}")].iter().flat_map(|text| text.lines().map(str::to_owned)))
}

pub(super) fn perft(arguments: &Perft) -> Result<Exit, Error> {
    let (session, depth) = (arguments.setting.open(&arguments.state)?, arguments.depth);
    match (arguments.divide, arguments.setting.json) {
        (false, false) => {
            print((1..=depth).map(|depth| format!("{depth} {}", session.perft(depth))))
        }
        (false, true) => print_json(&session.perft_json(depth)),
        (true, false) => {
            let counts = session.divide(depth)?;
            let sum: u64 = counts.iter().map(|(_, count)| count).sum();
            let lines = counts.into_iter().map(|(answer, count)| format!("{answer} {count}"));
            print(lines.chain([format!("sum {sum}")]))
        }
        (true, true) => print_json(&session.divide_json(depth)?),
    }
}

pub(super) fn legal(arguments: &Legal) -> Result<Exit, Error> {
    let session = arguments.setting.open(&arguments.state)?;
    if arguments.setting.json {
        return print_json(&session.legal_json());
    }
    let legal = session.legal();
    if legal.is_empty() {
        tell(&session.status());
    }
    print(legal)
}

pub(super) fn show(arguments: &Show) -> Result<Exit, Error> {
    let session = arguments.setting.open(&arguments.state)?;
    let seat = arguments.view.and_then(|number| Seat::try_from(number).ok());
    let view = seat.map_or(View::Everything, View::Seat);
    if let Some(path) = &arguments.svg {
        output::write(path, &session.svg(view))?;
        return Ok(Exit::Passed);
    }
    if arguments.setting.json {
        return print_json(&session.frame_json(seat));
    }
    let rest = match seat {
        Some(_) => vec![],
        None => vec![format!("state: {}", session.state()), session.status()],
    };
    print(session.frame(view).lines().map(str::to_owned).chain(rest))
}

pub(super) fn apply(arguments: &Apply) -> Result<Exit, Error> {
    let mut session = arguments.setting.open(&arguments.state)?;
    for (number, answer) in (1..).zip(&arguments.moves) {
        if let Err(error) = session.apply(answer) {
            return refused(arguments, &session, number, &error);
        }
    }
    if arguments.setting.json {
        return print_json(&session.to_json());
    }
    print([session.state()])
}

/// Reports the first illegal answer, its position and the reason.
fn refused(
    arguments: &Apply,
    session: &RulesSession,
    number: usize,
    error: &IllegalMove,
) -> Result<Exit, Error> {
    if arguments.setting.json {
        print_json(&session.refused_json(number, &arguments.moves[number - 1], error))?;
    } else {
        let which = match arguments.moves.len() {
            1 => String::new(),
            all => format!("answer {number} of {all}: "),
        };
        let (kind, reason) = kind(error);
        tell(&format!("{which}{kind}: {reason}"));
    }
    Ok(Exit::Failed)
}

pub(super) fn score(arguments: &ScoreArguments) -> Result<Exit, Error> {
    let session = arguments.setting.open(&arguments.state)?;
    if arguments.setting.json {
        return print_json(&session.to_json());
    }
    print(session.score_table().into_iter().chain([session.status()]))
}
