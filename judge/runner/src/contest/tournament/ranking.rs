//! The ranked players of a tournament: ratings, results and faults.

use std::collections::{BTreeMap, BTreeSet};

use judge_core::{Seat, SeatSpec, Verdict};
use judge_statistics::{self as statistics, Estimate, PairTable, Ratings};
use serde::{Serialize, Serializer};

use super::schedule::{Meeting, PairKind, PlayedMeetings};

/// A sentence that explains the ratings, which are relative to the player `first`.
pub(super) fn about_ratings(first: &str) -> String {
    format!(
        "Ratings: Elo points above {first}, fitted to all rounds at once (Bradley and Terry), with \
         their 95 % intervals."
    )
}

fn fitted(players: usize, meetings: &[Meeting]) -> Vec<Estimate> {
    let single = starts(meetings).len() < 2;
    let meeting = |meeting: &Meeting| {
        // If all pairs start alike, only exactly equal pairs count as one piece of evidence.
        let number = |kind: PairKind| if single { kind.course } else { kind.start };
        let pairs = meeting.counted().map(|(kind, [one, two])| (number(kind), one + two));
        statistics::RatedMeeting { players: meeting.fixture.players, pairs: pairs.collect() }
    };
    let ratings = Ratings::fit(players, &meetings.iter().map(meeting).collect::<Vec<_>>());
    (0..players).map(|player| ratings.above(player, 0)).collect()
}

/// The different starts of all pairs that count.
pub(super) fn starts(meetings: &[Meeting]) -> BTreeSet<u64> {
    meetings.iter().flat_map(Meeting::counted).map(|(kind, _)| kind.start).collect()
}

/// All players, best first.
#[derive(Debug)]
pub struct Ranking {
    /// One row per player.
    pub rows: Vec<RankedPlayer>,
    /// Results of all players against each other, by their positions in the request.
    pub(super) cross: CrossTable,
}

/// A player's results over all meetings.
#[derive(Debug, Serialize)]
pub struct RankedPlayer {
    /// The rank. Equal players share it, and a player without a round that counts has none.
    pub rank: Option<usize>,
    /// The position in the request.
    pub player: usize,
    /// The player's name.
    pub name: String,
    /// The rating with its interval.
    pub rating: Estimate,
    /// The player's mean share of the points per meeting.
    pub score: f64,
    /// Rounds won, drawn and lost in seat 1 and in seat 2.
    pub seats: [[u64; 3]; 2],
    /// Number of rounds that ended with this player's fault.
    pub faults: u64,
    /// Number of these faults by kind.
    #[serde(serialize_with = "by_name")]
    pub kinds: Vec<(Verdict, u64)>,
    /// The first of these faults.
    pub first_fault: Option<String>,
    /// Number of meetings that ended early because this player failed in every round.
    pub ended_early: u64,
}

fn by_name<S: Serializer>(kinds: &[(Verdict, u64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(kinds.iter().map(|(verdict, count)| (verdict, count)))
}

impl RankedPlayer {
    /// True if any of the player's rounds counts.
    fn has_played(&self) -> bool {
        self.results() != [0; 3]
    }

    /// The rank as text.
    pub(super) fn place(&self) -> String {
        self.rank.map_or("–".to_owned(), |rank| rank.to_string())
    }

    /// Rounds won, drawn and lost.
    pub fn results(&self) -> [u64; 3] {
        let [one, two] = self.seats;
        std::array::from_fn(|at| one[at] + two[at])
    }
}

/// The mean share of the points per meeting.
#[derive(Debug, Default)]
struct MeanShare {
    /// Half points by the length of their meetings in rounds. For meetings of equal length the mean
    /// is then exactly the share of all points.
    half_points: BTreeMap<u64, u64>,
    meetings: u64,
}

impl MeanShare {
    /// Adds a meeting with these rounds won, drawn and lost; an empty one is ignored.
    fn add(&mut self, [won, drawn, lost]: [u64; 3]) {
        let rounds = won + drawn + lost;
        if rounds > 0 {
            *self.half_points.entry(rounds).or_default() += 2 * won + drawn;
            self.meetings += 1;
        }
    }

    /// The mean; one half without meetings.
    fn mean(&self) -> f64 {
        let share = |(rounds, half_points): (&u64, &u64)| {
            *half_points as f64 / (2 * rounds * self.meetings) as f64
        };
        if self.meetings == 0 { 0.5 } else { self.half_points.iter().map(share).sum() }
    }
}

/// The share of the points in rounds won, drawn and lost; one half without rounds.
pub(super) fn share([won, drawn, lost]: [u64; 3]) -> f64 {
    let rounds = won + drawn + lost;
    if rounds == 0 { 0.5 } else { (2 * won + drawn) as f64 / (2 * rounds) as f64 }
}

impl Ranking {
    /// Adds up the meetings and rates the players.
    pub(super) fn new(seats: &[SeatSpec], played: &PlayedMeetings) -> Ranking {
        let meetings = &played.meetings;
        let mut rows: Vec<RankedPlayer> = std::iter::zip(0.., fitted(seats.len(), meetings))
            .map(|(player, rating)| row(player, seats, rating, meetings))
            .collect();
        rank(&mut rows);
        Ranking { rows, cross: CrossTable::new(seats.len(), meetings) }
    }

    /// The name of that player.
    pub(super) fn name(&self, player: usize) -> &str {
        self.rows.iter().find(|row| row.player == player).map_or("", |row| &row.name)
    }
}

/// Sorts and ranks the rows. Equal players keep their order, and unrated ones come last.
fn rank(rows: &mut [RankedPlayer]) {
    rows.sort_by(|one, other| {
        let known = other.has_played().cmp(&one.has_played());
        known.then(other.rating.value.total_cmp(&one.rating.value))
    });
    let played = rows.iter().filter(|row| row.has_played());
    let ratings: Vec<f64> = played.map(|row| row.rating.value).collect();
    for (row, rank) in rows.iter_mut().zip(judge_report::ranks(&ratings)) {
        row.rank = Some(rank);
    }
}

fn row(player: usize, seats: &[SeatSpec], rating: Estimate, meetings: &[Meeting]) -> RankedPlayer {
    let mut table = PairTable::default();
    let mut shares = MeanShare::default();
    let mut kinds: BTreeMap<usize, u64> = BTreeMap::new();
    let (mut first_fault, mut ended_early) = (None, 0);
    for meeting in meetings {
        let tally = &meeting.tally;
        let at = meeting.fixture.players.iter().position(|one| *one == player);
        let Some(at) = at else { continue };
        let own = if at == 0 { tally.table } else { tally.table.mirrored() };
        table.join(&own);
        shares.add(own.results());
        tally.faults[at].iter().for_each(|(kind, count)| *kinds.entry(*kind).or_default() += count);
        first_fault = first_fault.or_else(|| {
            let opponent = &seats[meeting.fixture.players[1 - at]];
            let first = tally.first_faults[at].as_ref()?;
            Some(format!("against {}: {first}", opponent.name()))
        });
        ended_early += u64::from(meeting.always_failed() == Some(at));
    }
    RankedPlayer {
        rank: None,
        player,
        name: seats[player].name().to_owned(),
        rating,
        score: shares.mean(),
        seats: Seat::BOTH.map(|seat| table.in_seat(seat)),
        faults: kinds.values().sum(),
        kinds: kinds.into_iter().map(|(kind, count)| (Verdict::ALL[kind], count)).collect(),
        first_fault,
        ended_early,
    }
}

/// Rounds won, drawn and lost by each player against each other player.
#[derive(Debug)]
pub(super) struct CrossTable(Vec<Vec<[u64; 3]>>);

impl CrossTable {
    pub(super) fn new(players: usize, meetings: &[Meeting]) -> CrossTable {
        let mut cells = vec![vec![[0; 3]; players]; players];
        for meeting in meetings {
            let [one, other] = meeting.fixture.players;
            for (at, count) in meeting.tally.table.results().into_iter().enumerate() {
                cells[one][other][at] += count;
                cells[other][one][2 - at] += count;
            }
        }
        CrossTable(cells)
    }

    /// One player's share of the points against another; none if they have not met.
    pub(super) fn share(&self, one: usize, other: usize) -> Option<f64> {
        self.results(one, other).map(share)
    }

    /// Rounds that one player won, drew and lost against another; none if they have not met.
    pub(super) fn results(&self, one: usize, other: usize) -> Option<[u64; 3]> {
        Some(self.0[one][other]).filter(|results| *results != [0; 3])
    }
}

#[cfg(test)]
mod tests {
    use judge_arena::{PairTally, TestEnd};

    use super::super::schedule::Fixture;
    use super::*;

    fn meeting(players: [usize; 2], cycle: usize, pairs: &[[u8; 2]]) -> Meeting {
        let mut tally = PairTally::default();
        pairs.iter().for_each(|pair| tally.table.add(pair.map(usize::from)));
        let kinds =
            (0..pairs.len() as u64).map(|pair| PairKind { start: pair, course: pair }).collect();
        let pairs = pairs.iter().copied().map(Some).collect();
        let fixture = Fixture { players, cycle, first: 0 };
        Meeting { fixture, tally, pairs, kinds, end: TestEnd::Played }
    }

    #[test]
    fn a_draw_scores_half_a_point() {
        assert_eq!(share([1, 2, 1]), 0.5);
        assert_eq!(share([3, 0, 1]), 0.75);
        assert_eq!(share([0, 0, 0]), 0.5);
    }

    #[test]
    fn each_meeting_has_the_same_weight_in_a_score() {
        let mean = |meetings: &[[u64; 3]]| {
            let mut shares = MeanShare::default();
            meetings.iter().for_each(|results| shares.add(*results));
            shares.mean()
        };
        assert_eq!(mean(&[[16, 0, 0], [0, 0, 60]]), 0.5, "one of them ended early");
        assert_eq!(mean(&[[16, 0, 0], [0, 0, 60], [0, 0, 0]]), 0.5, "one was not played");
        assert_eq!(mean(&[[7, 0, 3], [4, 1, 5]]), share([11, 1, 8]), "to the last digit");
        assert_eq!(mean(&[]), 0.5);
    }

    #[test]
    fn repeated_meetings_share_a_cell_of_the_cross_table() {
        let meetings = [meeting([0, 2], 0, &[[2, 1]]), meeting([2, 0], 1, &[[2, 2], [0, 0]])];
        let cross = CrossTable::new(3, &meetings);
        assert_eq!((cross.share(0, 2), cross.share(2, 0)), (Some(3.5 / 6.0), Some(2.5 / 6.0)));
        assert_eq!((cross.share(0, 1), cross.share(1, 1)), (None, None));
    }

    #[test]
    fn a_player_without_a_counting_round_has_no_rank() {
        let row = |player, value, rounds| RankedPlayer {
            rank: None,
            player,
            name: String::new(),
            rating: Estimate { value, low: value, high: value },
            score: 0.5,
            seats: [[0, rounds, 0], [0; 3]],
            faults: 0,
            kinds: Vec::new(),
            first_fault: None,
            ended_early: 0,
        };
        let mut rows = [row(0, 0.0, 2), row(1, 100.0, 0), row(2, 50.0, 2), row(3, 50.0, 1)];
        rank(&mut rows);
        let order = rows.each_ref().map(|row| (row.player, row.rank));
        assert_eq!(order, [(2, Some(1)), (3, Some(1)), (0, Some(3)), (1, None)]);
        assert_eq!(rows[3].place(), "–");
    }

    #[test]
    fn zero_has_no_minus_sign_in_files() {
        let estimate = Estimate { value: -0.0, low: -1.5, high: f64::INFINITY };
        let json = serde_json::to_string(&estimate).expect("numbers");
        assert_eq!(json, r#"{"value":0.0,"low":-1.5,"high":null}"#);
    }
}
