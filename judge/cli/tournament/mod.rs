//! `judge tournament`: many players in pairs of rounds, and who is best.

mod document;
mod openings;
mod page;
mod schedule;
mod shard;
mod standing;
mod tables;
mod words;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use judge_arena::Pairing;
use judge_core::Fingerprint;
use serde_json::json;

use crate::contest::{self, Outlook, Players, Setting};
use crate::course::Shard;
use crate::failure::{Exit, Failure};
use crate::match_bots::report;
use crate::{output, worker};
use openings::Openings;
use schedule::{Format, Hall, Played};
pub(crate) use shard::merge;
use standing::{Rating, Standing};

/// Most players: each two of them may meet.
const MOST: usize = 256;

/// Let bots and reference opponents play each other, and rate them.
///
/// Two players meet in pairs of rounds: the same seed twice, with the seats swapped. All meetings
/// have the same seeds. Everything printed but the time repeats with the same arguments and the same
/// `--seed`, whatever `--jobs` is.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The players: WebAssembly modules, reference opponents (see `judge games`) and
    /// `trained:TABLE` (see `judge train`).
    #[arg(required = true, num_args = 2.., value_name = "PLAYER")]
    players: Vec<String>,
    /// Who meets whom.
    #[arg(long, value_enum, default_value_t = Format::RoundRobin)]
    format: Format,
    /// With `--format swiss`: how many meetings each player has. Default: as many as it takes to
    /// single out one player by halving.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=255))]
    cycles: Option<u64>,
    /// How many rounds to play in each meeting, two to a pair.
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    rounds: u64,
    /// How to rate the players.
    #[arg(long, value_enum, default_value_t = Rating::BradleyTerry)]
    rating: Rating,
    /// Write the standing as CSV to a file.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the tables, which are Markdown, to a file.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Write everything as one page for a browser to a file.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write a picture of the ratings with their intervals to a file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Play only the I-th of N parts of the meetings, to be joined by `judge merge`. All parts need
    /// the same `--seed`.
    #[arg(long, value_name = "I/N", requires = "journal",
          conflicts_with_all = ["csv", "markdown", "html", "svg", "json", "rating"])]
    shard: Option<Shard>,
    #[command(flatten)]
    setting: Setting,
}

/// All that came of a tournament.
struct Report<'a> {
    /// What it was played with.
    fingerprint: &'a Fingerprint,
    players: &'a Players,
    pairing: &'a Pairing,
    format: Format,
    /// Pairs of each meeting.
    pairs: u64,
    played: Played,
    standing: Standing,
    openings: Openings,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let setting = &arguments.setting;
    let pairs = contest::pairs(arguments.rounds)?;
    let players = Players::read(&arguments.players, setting.game.as_deref())?;
    refuse_what_cannot_be(&players)?;
    let cycles = cycles(arguments, players.count())?;
    if let Some(part) = arguments.shard {
        shard::check(arguments, part, players.count())?;
    }
    arguments.check_files()?;
    let pairing = setting.pairing(&players)?;
    let plan = contest::plan("tournament", &pairing, &players);
    if let Some(part) = arguments.shard {
        return shard::play(arguments, part, &players, &pairing, plan);
    }
    let pool = setting.pool(&plan, &players)?;
    let note = Outlook::new(players.game, &pairing, pairs).note(players.game);
    note.iter().for_each(|note| contest::tell(&format!("note: {note}")));
    let begin = Instant::now();
    let hall = Hall::new(&pool, &players, &pairing, pairs);
    let played = match arguments.format {
        Format::Swiss => hall.play_swiss(cycles)?,
        format => hall.play(&format.fixtures(players.count()))?,
    };
    let report = Report {
        fingerprint: &pool.fingerprint,
        standing: Standing::new(arguments.rating, &players, &played),
        openings: Openings::new(players.game, &pairing, &played.meetings),
        players: &players,
        pairing: &pairing,
        format: arguments.format,
        pairs,
        played,
    };
    let mut json = document::of(&report);
    json["notes"] = json!(Vec::from_iter(note));
    json["timing"] = report::timing(begin.elapsed(), pool.workers);
    setting.write_json(&json)?;
    arguments.write(&report)?;
    if !setting.json_only() {
        contest::tell_time(begin.elapsed(), pool.workers);
    }
    worker::warn_of_missing_walls(&pool);
    exit(&report.played)
}

impl Arguments {
    /// Everything that is written beside standard output.
    fn files(&self) -> impl Iterator<Item = &Path> {
        let files = [&self.setting.json, &self.csv, &self.markdown, &self.html, &self.svg];
        files.into_iter().flatten().map(PathBuf::as_path)
    }

    /// Makes sure, before anything is played, that all of it can be written.
    fn check_files(&self) -> Result<(), Failure> {
        let mut seen = BTreeSet::new();
        for path in self.files() {
            if !seen.insert(path) {
                let what = format!("`{}` would be two results in one file", path.display());
                return Err(Failure::usage(what, "name another file for one of them"));
            }
            output::can_write(path)?;
        }
        Ok(())
    }

    /// Writes what was asked for, but for the JSON.
    fn write(&self, report: &Report<'_>) -> Result<(), Failure> {
        let text = tables::markdown(report);
        if let Some(path) = &self.csv {
            output::write(path, &tables::csv(&report.standing)?)?;
        }
        if let Some(path) = &self.markdown {
            output::write(path, &text)?;
        }
        if self.html.is_some() || self.svg.is_some() {
            let shown = page::of(report);
            let page = self.html.as_ref().map(|path| (path, shown.to_html()));
            let picture = self.svg.as_ref().map(|path| (path, shown.to_svg()));
            for (path, text) in page.into_iter().chain(picture) {
                output::write(path, &text)?;
            }
        }
        if !self.setting.json_only() {
            output::unless_reader_left(output::print(&text))?;
        }
        Ok(())
    }
}

fn refuse_what_cannot_be(players: &Players) -> Result<(), Failure> {
    if players.count() > MOST {
        let what = format!("{} players are too many: at most {MOST}", players.count());
        return Err(Failure::usage(what, "play groups first"));
    }
    match players.twins() {
        None => Ok(()),
        Some([one, other]) => {
            let what = format!("`{one}` and `{other}` are the same player");
            Err(Failure::usage(what, "modules with the same bytes are one player: name each once"))
        }
    }
}

/// How many cycles a Swiss tournament has.
fn cycles(arguments: &Arguments, players: usize) -> Result<usize, Failure> {
    let swiss = arguments.format == Format::Swiss;
    let Some(cycles) = arguments.cycles else {
        return Ok((players - 1).ilog2() as usize + 1);
    };
    if !swiss {
        let what = "`--cycles` is for Swiss tournaments: here who meets whom is settled";
        return Err(Failure::usage(what, "`--format swiss`, or leave it out"));
    }
    let most = players as u64 - 1;
    if cycles > most {
        let what = format!("{players} players have {most} others to meet, not {cycles}");
        let hint = format!("`--cycles {most}` at most; `--format round-robin` is all against all");
        return Err(Failure::usage(what, hint));
    }
    Ok(cycles as usize)
}

/// A tournament is played to its end whoever fails in it; only if nothing counts there is none.
/// Where the judge failed in some rounds, the tables stand for the others.
fn exit(played: &Played) -> Result<Exit, Failure> {
    let meetings = &played.meetings;
    if meetings.iter().any(|meeting| meeting.tally.table.pairs() > 0) {
        let left_out = meetings.iter().any(|meeting| meeting.tally.left_out > 0);
        return Ok(if left_out { Exit::JudgeError } else { Exit::Passed });
    }
    let first = meetings.iter().find_map(|meeting| meeting.tally.first_failure.as_deref());
    let first = first.unwrap_or_default();
    Err(Failure::Judge(format!("no pair counts, as the judge failed in each: {first}")))
}
