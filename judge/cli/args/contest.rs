//! Arguments that matches and tournaments share, and the message of an interrupted run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use judge_core::Seed;
use judge_report::{tame, write_json};
use judge_runner::Error;
use judge_runner::contest::{ContestRequest, KeptRounds, PageRequest, WhichPages};
use serde::Serialize;

use super::again::{given, with};
use super::{LimitArgs, WorkerArgs, option};
use crate::exit::Exit;
use crate::show::{output, tell};

/// Journal to suggest for a run without one.
const JOURNAL: &str = "judge.journal";

/// Arguments that matches and tournaments share.
#[derive(clap::Args)]
pub(crate) struct ContestArgs {
    /// Choose the game. Default: the one that the bots say they play.
    #[arg(long)]
    game: Option<String>,
    /// Set a rule switch; may be repeated.
    #[arg(long = "option", value_name = "KEY=VALUE", value_parser = option)]
    options: Vec<(String, String)>,
    /// Set the seed of the first pair; the next pairs have the next seeds. Default: with `--resume`
    /// the seed of the journal, otherwise a random one, which is printed.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    pub(crate) workers: WorkerArgs,
    /// Record every round in this file before it counts.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Continue an interrupted run, or play more rounds: rounds in the journal are not played
    /// again.
    #[arg(long, requires = "journal")]
    resume: bool,
    /// Write the result as JSON, instead of the table; `-` is standard output. Two runs differ only
    /// under the key `timing`.
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
    /// Write a table of all rounds: seed, seats, opening, result, scores, length and cost of each
    /// (`judge rounds` makes it from a journal).
    #[arg(long, value_name = "FILE.csv|FILE.jsonl")]
    rounds_to: Option<PathBuf>,
    /// With `--html`: choose the rounds to write as pages, into a folder next to the page.
    #[arg(long, value_enum, default_value_t, requires = "html")]
    pages: PageChoice,
}

/// Rounds of a match or tournament that are written as pages.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
enum PageChoice {
    /// None; each row has the command that shows its round.
    #[default]
    None,
    /// The ten worst rounds of each selected player.
    Worst,
    /// All rounds that are shown; 100 kB or more each.
    All,
}

impl ContestArgs {
    /// The rounds of these players.
    ///
    /// # Errors
    /// If the testcase does not exist or does not fit.
    pub(crate) fn request(&self, players: &[String]) -> Result<ContestRequest, Error> {
        let testcase = self.limits.testcase(self.game.as_deref(), players)?;
        let testcase = testcase.as_ref();
        let options = testcase.map(|one| one.options.clone()).unwrap_or_default();
        Ok(ContestRequest {
            game: self.game.clone().or_else(|| Some(testcase?.game.clone())),
            options: options.into_iter().chain(self.options.iter().cloned()).collect(),
            seed: self.seed,
            limits: self.limits.limits(testcase),
            journal: self.journal.clone(),
            resume: self.resume,
            rounds_to: self.rounds_to.clone(),
            rows: self.json.is_some(),
        })
    }

    /// True if no testcase limits the rounds.
    pub(crate) fn is_without_testcase(&self) -> bool {
        self.limits.testcase.is_none()
    }

    /// The page to write, if `--html` asks for one.
    pub(crate) fn page(&self, html: Option<&PathBuf>) -> Option<PageRequest> {
        let pages = match self.pages {
            PageChoice::None => WhichPages::None,
            PageChoice::Worst => WhichPages::Worst,
            PageChoice::All => WhichPages::All,
        };
        html.map(|path| PageRequest { path: path.clone(), pages })
    }

    /// All files to write, including `more`.
    fn files<'a>(&'a self, more: &[Option<&'a PathBuf>]) -> Vec<&'a PathBuf> {
        let own = [self.json.as_ref(), self.rounds_to.as_ref()];
        more.iter().copied().chain(own).flatten().collect()
    }

    /// Checks that all files can be written and that no two are the same, before the first round.
    pub(crate) fn check_files(&self, more: &[Option<&PathBuf>]) -> Result<(), Error> {
        let mut seen: BTreeSet<&PathBuf> = self.journal.iter().collect();
        for path in self.files(more) {
            if !seen.insert(path) {
                let what = format!("`{}` is named for two results", path.display());
                return Err(Error::usage(what, "name another file for one of them"));
            }
            output::can_write(path)?;
        }
        Ok(())
    }

    /// True if standard output is reserved for JSON.
    pub(crate) fn json_only(&self) -> bool {
        self.json.as_deref() == Some(Path::new("-"))
    }

    /// Writes the JSON result if `--json` asks for it.
    pub(crate) fn write_json(&self, json: &impl Serialize) -> Result<(), Error> {
        let Some(path) = &self.json else { return Ok(()) };
        Ok(output::unless_reader_left(write_json(output::open(path)?, json))?)
    }

    /// Shows the result so far of an unfinished run, and the command that resumes it. Result files
    /// are not written, because they would look final.
    pub(crate) fn tell_unfinished(
        &self,
        standing: &str,
        seed: Seed,
        kept: Option<&KeptRounds>,
        more: &[Option<&PathBuf>],
    ) -> Result<Exit, Error> {
        self.show_standing(standing)?;
        let files = self.files(more).into_iter().filter(|path| path.as_path() != Path::new("-"));
        let files: Vec<String> = files.map(|path| format!("`{}`", path.display())).collect();
        if !files.is_empty() {
            tell(&format!("not written, as the run is not finished: {}", files.join(", ")));
        }
        tell(&unfinished_note(kept));
        tell(&format!("  judge {}", self.command(seed)));
        Ok(Exit::Interrupted)
    }

    /// Shows the result so far of an unfinished run without a journal.
    pub(crate) fn tell_unkept(&self, standing: &str, seed: Seed) -> Result<Exit, Error> {
        self.show_standing(standing)?;
        tell("interrupted; no round is kept. To play the same rounds again:");
        let seed = self.seed.is_none().then(|| format!("--seed {seed}"));
        tell(&format!("  judge {}", with(&given(), seed.into_iter())));
        Ok(Exit::Interrupted)
    }

    fn show_standing(&self, standing: &str) -> Result<(), Error> {
        if self.json_only() {
            standing.lines().for_each(tell);
            return Ok(());
        }
        output::unless_reader_left(output::print(&tame(standing)))?;
        Ok(())
    }

    /// The arguments of this process, plus those needed to resume: the drawn seed and a journal.
    fn command(&self, seed: Seed) -> String {
        let seed = self.seed.is_none().then(|| format!("--seed {seed}"));
        let journal = match &self.journal {
            None => Some(format!("--journal {JOURNAL}")),
            Some(_) => (!self.resume).then(|| "--resume".to_owned()),
        };
        with(&given(), seed.into_iter().chain(journal))
    }
}

/// Reports the run's duration.
pub(crate) fn tell_time(wall: Duration, workers: usize) {
    let noun = if workers == 1 { "worker" } else { "workers" };
    tell(&format!("{:.1} s with {workers} {noun}", wall.as_secs_f64()));
}

/// The sentence on the rounds in the journal.
fn unfinished_note(kept: Option<&KeptRounds>) -> String {
    match kept {
        None => "interrupted; without `--journal FILE` no round is kept. To play the same rounds \
                 again and keep them:"
            .to_owned(),
        Some(KeptRounds { path, rounds, counted }) => {
            let counts = match *rounds as u64 == *counted {
                true => String::new(),
                false => format!(", of which {counted} count so far; other pairs are incomplete"),
            };
            format!(
                "interrupted; rounds kept in `{}`: {rounds}{counts}. To resume:",
                path.display()
            )
        }
    }
}
