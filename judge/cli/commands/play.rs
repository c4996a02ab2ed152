//! `judge play`: plays one round, shows it line by line on request, and saves it as a replay.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use judge_core::Blame;
use judge_report::quoted;
use judge_runner::Error;
use judge_runner::rounds::play::{
    self, Ended, HUMAN, NativeRequest, Outcome, PersonRequest, Request, ShownLog,
};

use crate::args::{DefineArgs, FromArgs, NativeArgs, RoundArgs, SHARED_TIME, Walls};
use crate::exit::Exit;
use crate::human::Human;
use crate::show::{Terminal, browser, output, paint, tell};

/// Play one round, exactly as grading plays it.
///
/// The same bot, game, seed, opponent, seat and limits give the same round, byte for byte. With
/// `human` instead of a bot you play yourself, at the terminal or from a file of answers; with
/// `human --against human` two people take turns there. With `--native` a program of this machine
/// plays, under a debugger if you like.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Bot: a WebAssembly module, a source (see `judge build`), or `human` to play yourself.
    #[arg(value_name = "BOT.wasm|human", required_unless_present = "native")]
    bot: Option<PathBuf>,
    #[command(flatten)]
    round: RoundArgs,
    #[command(flatten)]
    from: FromArgs,
    /// Show every line between judge and players, with its cost.
    #[arg(long)]
    trace: bool,
    /// Save the round for `judge replay`.
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
    /// Write the round as a page for a browser, with moving pictures, every line and its cost; `-`
    /// is standard output, which then gets nothing else.
    #[arg(long, value_name = "FILE|-", conflicts_with = "trace")]
    html: Option<PathBuf>,
    /// Open the page in a browser. Without `--html` it goes to a temporary file.
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    native: NativeArgs,
    #[command(flatten)]
    walls: Walls,
    #[command(flatten)]
    defines: DefineArgs,
    /// Set your name when you play yourself. Default: `human`. For two people give it twice.
    #[arg(long = "name", value_name = "NAME", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    names: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    check_outputs(arguments)?;
    arguments.defines.apply();
    let workers = arguments.walls.workers()?;
    let events = &mut Terminal::default();
    let native = arguments.native.setup();
    let setting = arguments.round.setting_from(&arguments.from, arguments.bot.as_deref())?;
    if is_person(arguments) {
        let request = PersonRequest { names: arguments.names.clone(), native, setting };
        let ended = play::run_with_person(&request, &mut Human::new()?, &workers, events)?;
        return end(arguments, &ended);
    }
    if !arguments.names.is_empty() {
        return Err(play::person_not_first());
    }
    let outcome = match (native, arguments.bot.clone()) {
        (Some(native), bot) => {
            play::run_native(&NativeRequest { native, bot, setting }, &workers, events)?
        }
        (None, bot) => {
            let request = Request { bot: bot.unwrap_or_default(), setting };
            play::run(&request, &workers, events)?
        }
    };
    finish(arguments, &outcome)
}

/// Ends a session with a person.
fn end(arguments: &Arguments, ended: &Ended) -> Result<Exit, Error> {
    match ended {
        Ended::Unbegun => Ok(Exit::Passed),
        Ended::Round(outcome) => finish(arguments, outcome),
        Ended::Interrupted(outcome) => break_off(arguments, outcome.as_ref()),
    }
}

/// Leaves at once: saves the round if `--replay` asks for it, and shows nothing more.
fn break_off(arguments: &Arguments, outcome: Option<&Outcome>) -> Result<Exit, Error> {
    let Some(outcome) = outcome else {
        tell("left by Ctrl-C, before the first answer");
        return Ok(Exit::Interrupted);
    };
    match keep(arguments, outcome)? {
        Some(path) => {
            tell(&format!(
                "left by Ctrl-C: you resigned; the round is saved in `{}`",
                path.display()
            ));
        }
        None => tell("left by Ctrl-C: you resigned; the round was not saved"),
    }
    Ok(Exit::Interrupted)
}

/// Checks that the files can be written and are different.
fn check_outputs(arguments: &Arguments) -> Result<(), Error> {
    let Arguments { replay, html, open, .. } = arguments;
    if html.is_some() && html == replay {
        return Err(Error::usage("page and replay cannot go to the same file", "name two"));
    }
    if *open && html.as_deref().is_some_and(output::is_stdout) {
        return Err(Error::usage("a page on standard output cannot be opened", "leave `-` out"));
    }
    replay.iter().chain(html).try_for_each(|path| output::can_write(path))
}

fn finish(arguments: &Arguments, outcome: &Outcome) -> Result<Exit, Error> {
    keep(arguments, outcome)?;
    arguments.from.remark().iter().for_each(|remark| tell(remark));
    if !arguments.html.as_deref().is_some_and(output::is_stdout) {
        output::unless_reader_left(output::print(&text(arguments, outcome)?))?;
    }
    show_page(arguments, outcome)?;
    if arguments.round.is_without_testcase() && outcome.is_slow() {
        tell(&format!("hint: {SHARED_TIME}"));
    }
    Ok(match outcome.blame() {
        None => Exit::Passed,
        Some(Blame::Bot | Blame::Opponent) => Exit::Failed,
        Some(Blame::Judge) => Exit::JudgeError,
    })
}

/// The text of the round: every line with `--trace`, otherwise an account of it, unless a page
/// shows it or a person played it.
fn text(arguments: &Arguments, outcome: &Outcome) -> Result<String, Error> {
    let mut text = String::new();
    let watched = arguments.html.is_some() || arguments.open || is_person(arguments);
    let (mut trace, mut shown) = (Vec::new(), ShownLog::None);
    if arguments.trace {
        (trace, shown) = (outcome.trace(), ShownLog::ALL);
    } else if !watched {
        text += &paint::text(&outcome.account()?);
        shown = outcome.log_in_account();
    }
    for line in trace.iter().chain(&outcome.summary(shown)) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{line}");
    }
    Ok(text)
}

/// Writes and opens the page, if one is asked for.
fn show_page(arguments: &Arguments, outcome: &Outcome) -> Result<(), Error> {
    if arguments.html.is_none() && !arguments.open {
        return Ok(());
    }
    let page = outcome.page(check(arguments).as_deref(), arguments.from.remark())?;
    let path = match &arguments.html {
        Some(path) => {
            output::write(path, &page)?;
            path.clone()
        }
        None => browser::temporary("judge-round-", &page)?,
    };
    if output::is_stdout(&path) {
        return Ok(());
    }
    let opened = arguments.open && browser::open(&path);
    let hint = match arguments.open {
        true if opened => "",
        true => "; no browser was found: open it yourself",
        false => "; `--open` shows it in a browser",
    };
    tell(&format!("the round's page: `{}`{hint}", path.display()));
    Ok(())
}

/// The command that checks the round's file.
fn check(arguments: &Arguments) -> Option<String> {
    let file = arguments.replay.as_deref().filter(|path| !output::is_stdout(path))?;
    let against = arguments.round.against().filter(|name| play::is_file(name));
    let bot = arguments.bot.as_ref().filter(|_| !is_person(arguments));
    // The judge runs no native program again, so no player can be checked next to one.
    // Nor does it know which answers of a saved round the players were given.
    let is_repeatable = arguments.native.setup().is_none() && arguments.from.remark().is_none();
    let bot = bot.filter(|_| is_repeatable).map(|bot| bot.to_string_lossy());
    let against = against.filter(|_| is_repeatable);
    let players = bot.into_iter().chain(against.map(Into::into));
    let files = std::iter::once(file.to_string_lossy()).chain(players);
    let words: Vec<String> = files.map(|path| quoted(&path)).collect();
    Some(format!("judge verify {}", words.join(" ")))
}

fn is_person(arguments: &Arguments) -> bool {
    arguments.bot.as_deref() == Some(Path::new(HUMAN))
}

/// Saves a round to the requested file, and returns its path.
fn keep<'a>(arguments: &'a Arguments, outcome: &Outcome) -> Result<Option<&'a Path>, Error> {
    let Some(path) = &arguments.replay else { return Ok(None) };
    output::write(path, &outcome.replay())?;
    Ok(Some(path))
}
