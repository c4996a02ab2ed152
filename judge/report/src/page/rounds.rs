//! The page of a run's rounds: sums, and a row per round, worst first, with the command that
//! replays it.

use askama::Template;
use judge_core::{Culprit, Seat, SeatResult};

use super::sheet::{Sheet, tame};
use crate::rounds::{RoundLine, how};
use crate::units::{fuel_as_ms, kib};

/// The usual order.
const WORST_FIRST: &str = "Worst first: faults, then losses by decreasing margin. Commands are for \
                           a shell in this page's folder.";

/// The content of a page of rounds.
#[derive(Debug, Clone, Default)]
pub struct RoundsPage {
    /// The game's name for people.
    pub title: String,
    /// The players, or the single player of these rounds.
    pub subject: String,
    /// Rules and seeds.
    pub setting: String,
    /// Figures over all rounds: names and values.
    pub figures: Vec<(String, String)>,
    /// Remarks below the figures.
    pub remarks: Vec<String>,
    /// The rounds, in display order.
    pub lines: Vec<RoundLine>,
    /// A sentence about their order, unless it is the usual one: worst first, with commands.
    pub order: Option<String>,
    /// Number of all rounds, including those that are not shown.
    pub of: u64,
    /// The command that lists all rounds, ready for a shell in the folder of the page.
    pub all: Option<String>,
    /// Facts about the players and the run: names and values.
    pub facts: Vec<(String, String)>,
}

impl RoundsPage {
    /// Renders the page as one HTML document.
    pub fn to_html(&self) -> String {
        let sheet = Sheet::new(&[include_str!("tournament.css"), include_str!("rounds.css")], "");
        Page::new(self, sheet).render().expect("writing to a text does not fail") + "\n"
    }
}

#[derive(Template)]
#[template(path = "rounds.html")]
struct Page {
    sheet: Sheet,
    heading: String,
    title: String,
    subject: String,
    setting: String,
    figures: Vec<(String, String)>,
    remarks: Vec<String>,
    order: String,
    of: u64,
    lines: Vec<ShownRound>,
    all: Option<String>,
    facts: Vec<(String, String)>,
}

/// A row, ready for display.
pub(super) struct ShownRound {
    pub(super) round: u64,
    pub(super) seed: String,
    pub(super) players: [String; 2],
    pub(super) seat: u8,
    pub(super) kind: &'static str,
    pub(super) result: &'static str,
    pub(super) score: String,
    pub(super) how: String,
    pub(super) plies: u64,
    pub(super) time: [String; 2],
    pub(super) memory: [String; 2],
    pub(super) page: Option<String>,
    pub(super) command: Option<String>,
}

impl Page {
    fn new(rounds: &RoundsPage, sheet: Sheet) -> Page {
        let pairs = |pairs: &[(String, String)]| {
            pairs.iter().map(|(name, value)| (tame(name), tame(value))).collect()
        };
        let (title, subject) = (tame(&rounds.title), tame(&rounds.subject));
        Page {
            heading: format!("{subject}: {title}"),
            setting: tame(&rounds.setting),
            figures: pairs(&rounds.figures),
            remarks: rounds.remarks.iter().map(|remark| tame(remark)).collect(),
            order: tame(rounds.order.as_deref().unwrap_or(WORST_FIRST)),
            of: rounds.of,
            lines: rounds.lines.iter().map(ShownRound::new).collect(),
            all: rounds.all.as_deref().map(tame),
            facts: pairs(&rounds.facts),
            title,
            subject,
            sheet,
        }
    }
}

impl ShownRound {
    pub(super) fn new(line: &RoundLine) -> ShownRound {
        let RoundLine { row, seat, page, command } = line;
        let time = |seat: Seat| row.fuel(seat).map_or_else(|| "–".to_owned(), fuel_as_ms);
        let memory = |seat: Seat| row.memory(seat).map_or_else(|| "–".to_owned(), kib);
        let result = row.result_for(*seat);
        let failed = row.blame.and_then(Culprit::seat) == Some(*seat);
        ShownRound {
            round: row.round,
            seed: row.seed.to_string(),
            players: Seat::BOTH.map(|seat| tame(row.name(seat))),
            seat: u8::from(*seat),
            kind: match result {
                _ if failed => "fault",
                SeatResult::Loss => "loss",
                SeatResult::Draw => "draw",
                SeatResult::Win => "win",
            },
            result: result.label(),
            score: format!("{} : {}", row.score(*seat), row.score(seat.other())),
            how: tame(&how(row)),
            plies: row.plies,
            time: Seat::BOTH.map(time),
            memory: Seat::BOTH.map(memory),
            page: page.clone(),
            command: command.as_deref().map(tame),
        }
    }
}

#[cfg(test)]
mod tests {
    use judge_core::Verdict;

    use super::*;
    use crate::test_data::samples::round_row;
    use judge_core::RoundRow;

    fn line(row: RoundRow, page: Option<&str>) -> RoundLine {
        let command = Some(format!("judge replay m.journal --round {}", row.round));
        RoundLine { seat: row.a, page: page.map(str::to_owned), command, row }
    }

    #[test]
    fn a_round_has_a_link_to_its_page_or_its_command() {
        let mut failed = round_row(1, Seat::One, [0, 1]);
        failed.blame = Some(Culprit::SeatOne);
        failed.fault = Some(Verdict::RuntimeError);
        failed.detail = Some("a trap".to_owned());
        let lines = vec![
            line(failed, Some("m-rounds/round-1.html")),
            line(round_row(2, Seat::Two, [5, 2]), None),
        ];
        let html = RoundsPage { of: 7, lines, ..RoundsPage::default() }.to_html();
        assert!(html.contains("2 of 7 rounds are shown."), "{html}");
        let [first, second] = ["<tr class=\"fault\">", "<tr class=\"loss\">"]
            .map(|row| html.split(row).nth(1).and_then(|rest| rest.split("</tr>").next()));
        let (first, second) = (first.expect("a fault"), second.expect("a loss"));
        assert!(
            first.contains("<a href=\"m-rounds/round-1.html\" title=\"Watch this round\">1</a>"),
            "{first}"
        );
        assert!(first.contains("Runtime error, seat 1: a trap") && !first.contains("<code>"));
        assert!(second.contains("<code>judge replay m.journal --round 2</code>"), "{second}");
        // A sits in seat 2, and its score comes first.
        assert!(second.contains("<td>2 : 5</td>"), "{second}");
        assert!(second.contains("<td class=\"text own\"><bdi>bob</bdi>"), "{second}");
    }

    #[test]
    fn names_of_players_are_escaped() {
        let mut row = round_row(1, Seat::One, [1, 0]);
        row.seat_1 = "<i>\u{202e}".to_owned();
        row.reason = "</td><script>".to_owned();
        let mut lines = vec![line(row, None)];
        lines[0].command = Some("judge replay '<b>'".to_owned());
        let subject = "<u>".to_owned();
        let html = RoundsPage { subject, lines, ..RoundsPage::default() }.to_html();
        for tag in ["<i>", "<u>", "</td><script>", "<b>", "\u{202e}"] {
            assert!(!html.contains(tag), "{tag}: {html}");
        }
        assert!(html.contains("&#60;i&#62;\\u{202e}"), "{html}");
    }
}
