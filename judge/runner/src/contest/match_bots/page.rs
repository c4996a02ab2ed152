//! The page of a match: the result, and the rounds with the worst for A first.

use std::path::Path;

use judge_arena::{Job, Pairing, Run};
use judge_core::{RoundRow, SeatSpec};
use judge_report::page::RoundsPage;

use super::lost::WORST;
use super::report::MatchReport;
use super::{only, rounds_again, text};
use crate::Error;
use crate::contest::{self, ContestRequest, PageRequest, Players, RoundTable, WhichPages};
use crate::rounds::round_pages::{self, RoundPages};

/// Maximum number of rounds on a page.
const MOST: usize = 1000;

/// Makes the page, and writes the pages of the selected rounds.
pub(super) fn of_match(
    contest: &ContestRequest,
    request: &PageRequest,
    (run, players): (&Run, &Players),
    report: &MatchReport,
    table: &RoundTable,
) -> Result<String, Error> {
    let (path, rows) = (&request.path, table.worst(MOST)?);
    let wanted = match request.pages {
        WhichPages::None => 0,
        WhichPages::Worst => WORST,
        WhichPages::All => rows.len(),
    };
    let job = |row: &RoundRow| (row.round, rounds_again::job(&report.pairing, row.round));
    let jobs: Vec<(u64, Job)> = rows.iter().take(wanted).map(job).collect();
    let written = match jobs.is_empty() {
        true => Vec::new(),
        false => {
            RoundPages::next_to(path).keep_all(run, &players.modules(), &jobs, &mut |_, _| {})?
        }
    };
    let mut page = match &report.start {
        None => page(contest, path, players, &report.pairing, rows, &written),
        Some(_) => page_from_position(&report.pairing, rows),
    };
    page.setting = text::heading(report);
    page.figures =
        text::lines(report).into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    page.remarks =
        text::early_end(report).into_iter().chain(report.notes.iter().cloned()).collect();
    page.of = table.len();
    page.all = contest.journal_beside(path).map(|journal| format!("judge rounds {journal}"));
    page.facts = contest::facts(&report.fingerprint, &report.pairing, &players.seats());
    Ok(page.to_html())
}

/// A page without the commands that play its rounds again, because those start at the beginning of
/// the game.
fn page_from_position(pairing: &Pairing, rows: Vec<RoundRow>) -> RoundsPage {
    let lines = rows.into_iter().map(|row| {
        let seat = row.a;
        round_pages::line(row, seat, &[], None)
    });
    let order = Some("Worst first: faults, then losses by decreasing margin.".to_owned());
    RoundsPage { lines: lines.collect(), order, ..empty_page(pairing) }
}

/// A page with only the names of game and players.
fn empty_page(pairing: &Pairing) -> RoundsPage {
    let [a, b] = pairing.players.each_ref().map(SeatSpec::name);
    RoundsPage {
        title: judge_games::find(&pairing.game).map_or("", judge_games::Game::title).to_owned(),
        subject: format!("A {a} against B {b}"),
        ..RoundsPage::default()
    }
}

/// Makes the page of a few rounds that were replayed.
pub(super) fn of_rounds(
    contest: &ContestRequest,
    path: &Path,
    players: &Players,
    pairing: &Pairing,
    rows: Vec<RoundRow>,
    written: &[(u64, String)],
) -> String {
    let of = rows.len() as u64;
    let page = page(contest, path, players, pairing, rows, written);
    RoundsPage { of, ..page }.to_html()
}

fn page(
    contest: &ContestRequest,
    path: &Path,
    players: &Players,
    pairing: &Pairing,
    rows: Vec<RoundRow>,
    written: &[(u64, String)],
) -> RoundsPage {
    let words = [0, 1].map(|player| players.word_beside(player, path));
    let words = words.each_ref().map(String::as_str);
    let journal = contest.journal_beside(path);
    let again = contest::match_command(words, pairing);
    let command = |round: u64| match &journal {
        Some(journal) => {
            format!("judge replay {journal} --round {round} --html round-{round}.html")
        }
        None => format!("{again} {} --html round-{round}.html", only(&[round])),
    };
    let lines = rows.into_iter().map(|row| {
        let (seat, command) = (row.a, command(row.round));
        round_pages::line(row, seat, written, Some(command))
    });
    RoundsPage { lines: lines.collect(), ..empty_page(pairing) }
}
