//! `judge watch`: grades a bot again whenever its file changes, and shows the differences.

use std::io;
use std::path::PathBuf;

use judge_core::{BotReport, Digest, Event, Explanation, GradeReport, Listener};
use judge_report::{SinceLooks, TerminalReporter, since, tame};
use judge_runner::Error;
use judge_runner::grade::watch::{self, News, ResultPage, Watcher};

use crate::args::{DefineArgs, SuiteArgs, WorkerArgs, sources};
use crate::exit::Exit;
use crate::show::{Terminal, browser, output, tell};

/// Grade a bot now, and again whenever its file changes.
///
/// Shows the whole result once, and then what got better or worse: testcases and, paired by seed,
/// rounds. Waits for a file that is still being written. A refused module is reported and otherwise
/// ignored. If the file changes during grading, grading starts over. Runs until you stop it with
/// Ctrl-C or a signal (exit code 130).
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Bot: a source (see `judge build`), which is built whenever it or a file next to it changes,
    /// or a WebAssembly module. Its folder must exist; the file may come later.
    #[arg(value_name = "BOT")]
    bot: PathBuf,
    #[command(flatten)]
    on: SuiteArgs,
    #[command(flatten)]
    workers: WorkerArgs,
    #[command(flatten)]
    defines: DefineArgs,
    /// Show this many changed rounds of each testcase, worst first.
    #[arg(long, value_name = "N", default_value_t = 3)]
    rounds: usize,
    /// Also compare each version with the one before, on at most this many fresh seeds per
    /// testcase: `judge compare`.
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true,
          default_missing_value = "100", value_parser = clap::value_parser!(u64).range(10..=100_000))]
    compare: Option<u64>,
    /// Also write each result as a page, which reloads itself in a browser, with pages of the
    /// rounds that decided its failed testcases in a folder next to it.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Open the page in a browser after the first result.
    #[arg(long, requires = "html")]
    open: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    if arguments.html.as_deref().is_some_and(output::is_stdout) {
        return Err(Error::usage("the page goes to a file", "`--html result.html`"));
    }
    arguments.html.iter().try_for_each(|path| output::can_write(path))?;
    arguments.defines.apply();
    let bot = sources::named(&arguments.bot.to_string_lossy());
    let request = watch::Request {
        bot: arguments.bot.clone(),
        suite: arguments.on.choice(),
        compare: arguments.compare,
        page: arguments.html.clone().map(|path| ResultPage {
            path,
            file: arguments.bot.clone(),
            bot,
        }),
    };
    watch::run(&request, &arguments.workers.workers()?, &mut WatchScreen::new(arguments))?;
    Ok(Exit::Passed)
}

/// Shows results on standard output, and everything else on standard error.
struct WatchScreen {
    terminal: Terminal,
    /// The file, as given.
    file: String,
    rounds: usize,
    /// The result to compare the next one with.
    last: Option<BotReport>,
    shown: usize,
    /// The page, until its path has been printed, and whether to open it.
    page: Option<(PathBuf, bool)>,
}

impl WatchScreen {
    fn new(arguments: &Arguments) -> WatchScreen {
        let (file, rounds) = (arguments.bot.display().to_string(), arguments.rounds);
        let page = arguments.html.clone().map(|path| (path, arguments.open));
        WatchScreen { terminal: Terminal::default(), file, rounds, last: None, shown: 0, page }
    }

    /// Prints the page's path once; it does not change.
    fn page(&mut self) {
        let Some((path, opens)) = self.page.take() else { return };
        let hint = match opens {
            true if browser::open(&path) => "",
            true => "; no browser was found: open it yourself",
            false => "; `--open` shows it in a browser",
        };
        tell(&format!("the result as a page: `{}`{hint}", path.display()));
    }

    /// Shows the whole result the first time, and later only the changes.
    fn graded(&mut self, report: &GradeReport) -> io::Result<()> {
        let bot = &report.bots[0];
        self.shown += 1;
        match &self.last {
            None => self.tables(report)?,
            Some(last) => {
                let file = sources::named(&self.file);
                let looks = SinceLooks { rounds: self.rounds, color: output::color(), file: &file };
                let changes = since(last, bot, &looks);
                let traces = judge_report::traces(bot);
                let heading = heading(self.shown, &bot.bot.sha256);
                output::print(&format!("\n{heading}{changes}{traces}"))?;
            }
        }
        // A judge error is not a result to compare with.
        if bot.judge_errors() == 0 {
            self.last = Some(bot.clone());
        }
        tell(&format!("graded in {} ms; watching", report.timing.wall_us / 1000));
        Ok(())
    }

    fn tables(&self, report: &GradeReport) -> io::Result<()> {
        let paths = vec![self.file.clone()];
        let mut tables =
            TerminalReporter::new(io::stdout(), output::color(), paths).with_words(sources::own);
        tables.event(&Event::SubmissionDecided { report: Box::new(report.bots[0].clone()) })?;
        tables.event(&Event::Graded { report: Box::new(report.clone()) })
    }
}

impl Listener for WatchScreen {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.terminal.event(event)
    }
}

impl Watcher for WatchScreen {
    fn news(&mut self, news: &News) -> io::Result<()> {
        match news {
            News::Watching => tell(&format!("watching `{}`; Ctrl-C stops", self.file)),
            News::Gone { similar } => {
                let similar =
                    similar.as_ref().map(|path| format!("; did you mean `{}`?", path.display()));
                tell(&format!("waiting for `{}`{}", self.file, similar.unwrap_or_default()));
            }
            News::Grading { sha256 } => tell(&format!("grading module {}…", sha256.short())),
            News::Dropped => tell("the file changed while it was graded; that result is dropped"),
            News::Refused { why } => output::print(&refused(why))?,
            News::SameBytes => output::print("same bytes as before: nothing graded\n")?,
            News::Graded { report } => self.graded(report)?,
            News::Page => self.page(),
            News::Compared { text } => {
                output::print(&format!("against the version before: {text}\n"))?;
            }
        }
        Ok(())
    }
}

fn heading(number: usize, sha256: &Digest) -> String {
    format!("run {number}, module {}…\n", sha256.short())
}

/// The text for a module that was refused.
fn refused(why: &Explanation) -> String {
    format!("\nnot graded: {}\n", tame(&why.to_string()).replace('\n', "\n  "))
}
