//! `judge match`: two players in pairs of rounds, until it is clear which one is stronger.

use std::path::{Path, PathBuf};

use judge_runner::Error;
use judge_runner::contest::match_bots::{self, Finished, Outcome, RoundsAgainRequest};
use judge_runner::rounds::play::SavedMove;
use judge_statistics::Sprt;

use crate::args::{ContestArgs, SHARED_TIME, tell_time};
use crate::exit::Exit;
use crate::show::{Terminal, output, tell};

/// Play two bots against each other, and find out which one is stronger.
///
/// Rounds come in pairs: the same seed twice, so the same tiles, circle, order or opening, with the
/// seats swapped. The result has 95 % intervals. With the same arguments and `--seed`, everything
/// printed except the time is the same, whatever `--jobs` is.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Player A: a WebAssembly module or a source, a reference opponent (see `judge games`), or
    /// `trained:TABLE` (see `judge train`).
    #[arg(value_name = "A")]
    first: String,
    /// Player B, in any of the same forms; or `previous`, `@1`, `@2`, … for an earlier version of
    /// player A (see `judge compare`).
    #[arg(value_name = "B")]
    second: String,
    /// Play this many rounds, two per pair. Default: 200; with `--sprt` at most 20000.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    rounds: Option<u64>,
    /// Stop as soon as it is clear whether A is stronger by `elo1` (H1) rather than by `elo0` (H0):
    /// `elo0=0,elo1=10`; in normalized Elo `nelo0=0,nelo1=10`. The error probabilities `alpha` and
    /// `beta` are 0.05 unless given. Exit code: 0 for H1, 1 for H0, 5 if undecided.
    #[arg(long, value_name = "elo0=N,elo1=N")]
    sprt: Option<Sprt>,
    /// Start every round from a move of a saved round, counted as in `judge replay --move`: both
    /// players get the same lines up to there and the saved answers are played; from there on,
    /// their own. Takes game, rule switches and limits from the saved round. Each pair deals the
    /// tiles again that neither player has seen; in a game without such tiles one pair is played.
    #[arg(long, value_name = "ROUND.jsonl:MOVE",
          conflicts_with_all = ["game", "options", "time_ms", "memory_kib", "fuel", "testcase",
                                "journal", "resume", "only", "pages"])]
    from: Option<SavedMove>,
    /// Write the result and the rounds, worst first, as a page for a browser.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Play only these rounds of the match again, by number, and write each as a page, into a
    /// folder next to the page of `--html`, which lists them.
    #[arg(long, value_name = "N,N…", value_delimiter = ',', requires_all = ["html", "seed"],
          conflicts_with_all = ["sprt", "json", "rounds_to", "journal", "pages"],
          value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    only: Vec<u64>,
    #[command(flatten)]
    contest: ContestArgs,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    let contest = &arguments.contest;
    contest.check_files(&[arguments.html.as_ref()])?;
    if let Some(page) = arguments.html.as_ref().filter(|_| !arguments.only.is_empty()) {
        return play_again(arguments, page);
    }
    match play(arguments)? {
        Outcome::Finished(finished) => show(arguments, *finished),
        Outcome::Unfinished(unfinished) if arguments.from.is_some() => {
            contest.tell_unkept(&unfinished.text(), unfinished.report.pairing.seed)
        }
        Outcome::Unfinished(unfinished) => {
            let (seed, kept) = (unfinished.report.pairing.seed, unfinished.kept.as_ref());
            contest.tell_unfinished(&unfinished.text(), seed, kept, &[arguments.html.as_ref()])
        }
    }
}

/// Plays the match, and removes the bar afterwards.
fn play(arguments: &Arguments) -> Result<Outcome, Error> {
    let contest = &arguments.contest;
    let workers = contest.workers.interruptible()?;
    let request = match_bots::Request {
        players: arguments.players(),
        rounds: arguments.rounds,
        sprt: arguments.sprt,
        from: arguments.from.clone(),
        page: contest.page(arguments.html.as_ref()),
        contest: contest.request(&arguments.players())?,
    };
    match_bots::run(&request, &workers, &mut Terminal::of_run(&workers.stop))
}

fn play_again(arguments: &Arguments, page: &Path) -> Result<Exit, Error> {
    let workers = arguments.contest.workers.interruptible()?;
    let request = RoundsAgainRequest {
        players: arguments.players(),
        rounds: arguments.only.clone(),
        of: arguments.rounds,
        page: page.to_owned(),
        contest: arguments.contest.request(&arguments.players())?,
    };
    let mut terminal = Terminal::of_run(&workers.stop);
    let again = match_bots::play_rounds_again(&request, &workers, &mut terminal)?;
    output::write(page, &again.page)?;
    let pages = match again.pages {
        1 => "1 round, as a page".to_owned(),
        pages => format!("{pages} rounds, as pages"),
    };
    tell(&format!("{pages}: `{}`", page.display()));
    Ok(Exit::Passed)
}

impl Arguments {
    fn players(&self) -> [String; 2] {
        [self.first.clone(), self.second.clone()]
    }
}

fn show(arguments: &Arguments, mut finished: Finished) -> Result<Exit, Error> {
    let contest = &arguments.contest;
    contest.write_json(&finished.json())?;
    if !contest.json_only() {
        output::unless_reader_left(output::print(&finished.text()))?;
        tell_time(finished.report.wall, finished.report.workers);
    }
    if let (Some(path), Some(page)) = (&arguments.html, finished.page.take()) {
        output::write(path, &page?)?;
    }
    for line in [finished.lost_line(), finished.undecided_line()].into_iter().flatten() {
        tell(&line);
    }
    if contest.is_without_testcase() && finished.report.tally.has_timed_out() {
        tell(&format!("hint: {SHARED_TIME}"));
    }
    Ok(finished.answer()?.into())
}
