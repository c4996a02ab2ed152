//! The page of a tournament: ratings with their intervals, ranking, cross table, openings, faults.

use askama::Template;

use super::rounds::ShownRound;
use super::sheet::{Sheet, tame};
use crate::tournament::{Axis, OpeningRow, Ranked, Tournament, WorstRounds};
use crate::units::per_cent;

/// Shades of the cross table on each side of one half.
const SHADES: f64 = 5.0;

impl Tournament {
    /// Renders the page as one HTML document.
    pub fn to_html(&self) -> String {
        let sheet = Sheet::new(&[include_str!("tournament.css"), include_str!("rounds.css")], "");
        Page::new(self, sheet).render().expect("writing to a text does not fail") + "\n"
    }
}

#[derive(Template)]
#[template(path = "tournament.html")]
struct Page {
    sheet: Sheet,
    heading: String,
    title: String,
    format: String,
    setting: String,
    about_ratings: String,
    meetings: usize,
    rounds: u64,
    faults: u64,
    marks: Vec<(String, String)>,
    players: Vec<TournamentPlayer>,
    cross: Vec<Vec<Option<Met>>>,
    seats: Vec<String>,
    openings: Vec<Opening>,
    remarks: Vec<String>,
    facts: Vec<(String, String)>,
    worst: Vec<Worst>,
    all_rounds: Option<String>,
}

/// The worst rounds of a player.
struct Worst {
    name: String,
    lines: Vec<ShownRound>,
}

struct TournamentPlayer {
    rank: usize,
    name: String,
    at: String,
    ends: Option<[String; 2]>,
    rating: String,
    score: String,
    results: [u64; 3],
    seats: [String; 2],
    faults: u64,
    kinds: String,
    first_fault: Option<String>,
}

/// The result of one player against another.
struct Met {
    share: String,
    results: String,
    shade: String,
}

struct Opening {
    seed: String,
    seeds: u64,
    rounds: u64,
    share: String,
    low: String,
    high: String,
}

impl Page {
    fn new(tournament: &Tournament, sheet: Sheet) -> Page {
        let axis = tournament.axis();
        let title = tame(&tournament.title);
        let marks = axis.marks();
        let texts = |lines: &[String]| lines.iter().map(|line| tame(line)).collect();
        Page {
            heading: format!("{title}: tournament"),
            format: tame(&tournament.format),
            setting: tame(&tournament.setting),
            about_ratings: tame(&tournament.about_ratings),
            meetings: tournament.meetings,
            rounds: tournament.rounds,
            faults: tournament.players.iter().map(|player| player.faults).sum(),
            marks: marks.into_iter().map(|(number, text)| (percent(&axis, number), text)).collect(),
            players: std::iter::zip(tournament.ranks(), &tournament.players)
                .map(|(rank, player)| TournamentPlayer::new(rank, player, &axis))
                .collect(),
            cross: tournament
                .cross
                .iter()
                .map(|row| row.iter().map(|one| one.map(met)).collect())
                .collect(),
            seats: texts(&tournament.seats),
            openings: tournament.openings.iter().map(Opening::new).collect(),
            remarks: texts(&tournament.remarks),
            facts: tournament.facts.iter().map(|(name, value)| (tame(name), tame(value))).collect(),
            worst: tournament.worst.iter().map(Worst::new).collect(),
            all_rounds: tournament.all_rounds.as_deref().map(tame),
            title,
            sheet,
        }
    }

    /// The players with faults.
    fn failing(&self) -> impl Iterator<Item = &TournamentPlayer> {
        self.players.iter().filter(|player| player.faults > 0)
    }
}

impl Worst {
    fn new(WorstRounds { name, lines }: &WorstRounds) -> Worst {
        Worst { name: tame(name), lines: lines.iter().map(ShownRound::new).collect() }
    }
}

impl TournamentPlayer {
    fn new(rank: usize, player: &Ranked, axis: &Axis) -> TournamentPlayer {
        let kinds = player.kinds.iter().map(|(kind, count)| format!("{count} × {}", tame(kind)));
        TournamentPlayer {
            rank,
            name: tame(&player.name),
            at: percent(axis, player.rating),
            ends: player.interval.map(|ends| ends.map(|end| percent(axis, end))),
            rating: player.rating_text(),
            score: share(player.score),
            results: player.results,
            seats: player.seats.map(share),
            faults: player.faults,
            kinds: kinds.collect::<Vec<_>>().join(", "),
            first_fault: player.first_fault.as_deref().map(tame),
        }
    }
}

impl Opening {
    fn new(row: &OpeningRow) -> Opening {
        let [value, low, high] = row.seat_one.map(share);
        let (seed, seeds, rounds) = (tame(&row.seed), row.seeds, row.rounds);
        Opening { seed, seeds, rounds, share: value, low, high }
    }
}

fn met([won, drawn, lost]: [u64; 3]) -> Met {
    let points = (2 * won + drawn) as f64 / (2 * (won + drawn + lost).max(1)) as f64;
    // Rounded away from one half, so that only an even score has no shade.
    let step = ((points - 0.5).abs() * 2.0 * SHADES).ceil().min(SHADES);
    let side = if points < 0.5 { 'l' } else { 'w' };
    let shade = if step > 0.0 { format!("{side}{step}") } else { "even".to_owned() };
    Met { share: per_cent(points, 0), results: format!("{won}-{drawn}-{lost}"), shade }
}

fn share(points: f64) -> String {
    per_cent(points, 1)
}

fn percent(axis: &Axis, number: f64) -> String {
    format!("{:.2}", 100.0 * axis.place(number))
}

#[cfg(test)]
mod tests {
    use super::met;

    #[test]
    fn shades_distinguish_wins_from_losses() {
        let shades: Vec<String> =
            [[0, 0, 9], [4, 1, 5], [3, 4, 3], [101, 0, 99], [61, 0, 39], [9, 0, 0]]
                .into_iter()
                .map(|results| met(results).shade)
                .collect();
        assert_eq!(shades, ["l5", "l1", "even", "w1", "w2", "w5"]);
        assert_eq!(met([4, 1, 5]).results, "4-1-5");
    }
}
