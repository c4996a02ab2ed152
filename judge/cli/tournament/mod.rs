//! `judge tournament`: many players, each two of them in pairs of rounds, and who is best.

mod standing;
mod tables;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};
use judge_arena::{End, Pairing, Pool, Tally};
use judge_core::{SeatSpec, printable};
use serde_json::{Value, json};

use crate::contest::{self, Players, Setting};
use crate::failure::{Exit, Failure};
use crate::match_bots::report;
use crate::{output, worker};
use standing::Standing;

/// Version of the JSON document.
const VERSION: u32 = 1;

/// Most players: each two of them meet.
const MOST: usize = 256;

/// Let bots and reference opponents play each other, and rate them.
///
/// Each two players meet in pairs of rounds: the same seed twice, with the seats swapped. All
/// meetings have the same seeds. Everything printed but the time repeats with the same arguments,
/// whatever `--jobs` is.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The players: WebAssembly modules, reference opponents (see `judge games`) and
    /// `trained:TABLE` (see `judge train`). The first one has the rating 0.
    #[arg(required = true, num_args = 2.., value_name = "PLAYER")]
    players: Vec<String>,
    /// Who meets whom: each two, or the first player all others.
    #[arg(long, value_enum, default_value_t = Format::RoundRobin)]
    format: Format,
    /// How many rounds to play in each meeting, two to a pair.
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    rounds: u64,
    /// Write the standing as CSV to a file.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the tables, which are Markdown, to a file.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    #[command(flatten)]
    setting: Setting,
}

/// Who meets whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Each two players.
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
}

impl Format {
    /// The meetings of so many players.
    fn meetings(self, players: usize) -> Vec<[usize; 2]> {
        let firsts = match self {
            Format::RoundRobin => players,
            Format::Gauntlet => 1,
        };
        (0..firsts).flat_map(|one| (one + 1..players).map(move |other| [one, other])).collect()
    }
}

/// Two players and what came of their rounds.
struct Meeting {
    players: [usize; 2],
    tally: Tally,
    end: End,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let setting = &arguments.setting;
    let pairs = contest::pairs(arguments.rounds)?;
    let players = Players::read(&arguments.players, setting.game.as_deref())?;
    refuse_what_cannot_be(&players)?;
    let pairing = setting.pairing(&players)?;
    let files = [&setting.json, &arguments.csv, &arguments.markdown];
    files.into_iter().flatten().try_for_each(|path| output::can_write(path))?;
    let pool = setting.pool(&contest::plan("tournament", &pairing, &players), &players)?;
    let note = contest::note_of_luck(players.game, &pairing);
    note.iter().for_each(|note| contest::tell(&format!("note: {note}")));
    let begin = Instant::now();
    let meetings = play(arguments.format, &pool, &players, &pairing, pairs)?;
    let standing = Standing::new(&players, &meetings);
    let mut json = document(&pool, &players, &pairing, &meetings, &standing);
    json["notes"] = json!(Vec::from_iter(note));
    json["timing"] = report::timing(begin.elapsed(), pool.workers);
    setting.write_json(&json)?;
    let text = tables::markdown(&pairing, pairs, &standing, &meetings);
    if let Some(path) = &arguments.csv {
        output::write(path, &tables::csv(&standing)?)?;
    }
    if let Some(path) = &arguments.markdown {
        output::write(path, &text)?;
    }
    if !setting.json_only() {
        output::unless_reader_left(output::print(&text))?;
        contest::tell_time(begin.elapsed(), pool.workers);
    }
    worker::warn_of_missing_walls(&pool);
    exit(&meetings)
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
            Err(Failure::usage(what, "name each player once"))
        }
    }
}

/// Plays one meeting after the other. A player who always fails ends that meeting and no other.
fn play(
    format: Format,
    pool: &Pool,
    players: &Players,
    pairing: &Pairing,
    pairs: u64,
) -> Result<Vec<Meeting>, Failure> {
    let (modules, meetings) = (players.modules(), format.meetings(players.count()));
    let bar = ProgressBar::new(pairs * meetings.len() as u64);
    let style = ProgressStyle::with_template("{bar:20} {pos}/{len} pairs  {msg}  {eta} left");
    let bar = style.map_or(bar.clone(), |style| bar.with_style(style));
    let mut played = Vec::new();
    for (number, players_here) in (0_u64..).zip(meetings) {
        let pairing = Pairing {
            players: players_here.map(|player| players.seat(player)),
            modules: players_here.map(|player| players.module(player)),
            ..pairing.clone()
        };
        let names = pairing.players.each_ref().map(SeatSpec::name);
        bar.set_message(printable(&names.join(" against "), 60));
        let (mut tally, mut end) = (Tally::default(), End::Played);
        pairing.play(pool, &modules, pairs, &mut |pair| -> ControlFlow<()> {
            bar.inc(1);
            tally.take(pair, None).map_break(|reason| end = reason)
        })?;
        bar.set_position((number + 1) * pairs);
        played.push(Meeting { players: players_here, tally, end });
    }
    bar.finish_and_clear();
    if let Some(journal) = &pool.journal {
        journal.sync()?;
    }
    Ok(played)
}

fn document(
    pool: &Pool,
    players: &Players,
    pairing: &Pairing,
    meetings: &[Meeting],
    standing: &Standing,
) -> Value {
    let seats = (0..players.count()).map(|player| contest::player(&players.seat(player)));
    let meetings = meetings.iter().map(|meeting| {
        let mut counted = report::counted(&meeting.tally, meeting.end);
        counted["players"] = json!(meeting.players);
        counted
    });
    json!({
        "version": VERSION,
        "fingerprint": pool.fingerprint,
        "game": pairing.game,
        "options": pairing.options,
        "seed": pairing.seed,
        "limits": pairing.limits,
        "players": seats.collect::<Vec<_>>(),
        "standing": standing.rows,
        "meetings": meetings.collect::<Vec<_>>(),
    })
}

/// A tournament is played to its end whoever fails in it; only if nothing counts there is none.
fn exit(meetings: &[Meeting]) -> Result<Exit, Failure> {
    if meetings.iter().any(|meeting| meeting.tally.table.pairs() > 0) {
        return Ok(Exit::Passed);
    }
    let first = meetings.iter().find_map(|meeting| meeting.tally.first_failure.as_deref());
    let first = first.unwrap_or_default();
    Err(Failure::Judge(format!("no pair counts, as the judge failed in each: {first}")))
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn each_two_meet_once_or_the_first_meets_all() {
        assert_eq!(Format::RoundRobin.meetings(3), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(Format::Gauntlet.meetings(3), [[0, 1], [0, 2]]);
    }
}
