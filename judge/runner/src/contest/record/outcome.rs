//! The outcome of a recording: counts, and their text.

use std::time::Duration;

use judge_core::{Fault, RecordedGame, Seat, printable};
use judge_report::kib;

/// The outcome of a recording.
#[derive(Debug)]
pub struct Outcome {
    /// Names of the two players.
    pub players: [String; 2],
    /// Number of parts that existed before.
    pub present: usize,
    /// Counts of this run's games; none if no part was missing.
    pub counts: Option<Counts>,
    /// Elapsed time.
    pub wall: Duration,
}

/// Counts of the parts that a run has written.
#[derive(Debug, Default)]
pub struct Counts {
    /// True if the original project's format is written, which cannot hold faults.
    csv: bool,
    /// Number of parts that were written.
    pub parts: usize,
    /// Number of games in them.
    pub games: u64,
    /// Number of questions in these games.
    pub plies: u64,
    /// Size of the files in bytes.
    pub bytes: u64,
    /// Number of games that the first and the second player won.
    pub wins: [u64; 2],
    /// Number of drawn games.
    pub drawn: u64,
    /// Number of games that ended with a player's fault.
    pub faulted: u64,
    /// Number and description of the first such game.
    pub first_fault: Option<(u64, String)>,
    /// Number of games in which the judge failed.
    pub lost: u64,
    /// Number of parts that were not written because of a judge error.
    pub lost_parts: usize,
    /// The first judge error.
    pub first_lost: Option<String>,
}

impl Outcome {
    /// Summarizes the recording in one line.
    pub fn to_text(&self) -> String {
        match (&self.counts, self.present) {
            (Some(counts), present) => {
                counts.line(self.players.each_ref().map(String::as_str), present)
            }
            (None, 0) => "nothing to record: this shard has no part\n".to_owned(),
            (None, parts) => {
                format!("nothing to record: all parts are there, {parts} of them\n")
            }
        }
    }

    /// Time and speed; none without a recorded game.
    pub fn speed(&self) -> Option<String> {
        let games = self.counts.as_ref().map_or(0, |counts| counts.games);
        let seconds = self.wall.as_secs_f64();
        let rate = games as f64 / seconds.max(0.001);
        (games > 0).then(|| format!("{seconds:.1} s, {rate:.0} games a second"))
    }

    /// Error and hint, if games are missing because the judge failed.
    pub fn failure(&self) -> Option<[String; 2]> {
        self.counts.as_ref()?.failure()
    }

    /// True if every game ended with a player's fault, which makes the recording useless.
    pub fn is_faults_only(&self) -> bool {
        let counts = self.counts.as_ref();
        counts.is_some_and(|counts| counts.games > 0 && counts.faulted == counts.games)
    }
}

impl Counts {
    /// Creates empty counts; `csv` for the original project's format.
    pub(super) fn new(csv: bool) -> Counts {
        Counts { csv, ..Counts::default() }
    }

    /// Adds a part that was written: its games, and its size in bytes.
    pub(super) fn add(&mut self, games: &[RecordedGame], bytes: u64) {
        self.parts += 1;
        self.bytes += bytes;
        games.iter().for_each(|game| self.add_game(game));
    }

    /// Adds a part that was not written, because the judge failed in some of its games.
    pub(super) fn lose(&mut self, lost: &[Fault]) {
        self.lost_parts += 1;
        self.lost += lost.len() as u64;
        if self.first_lost.is_none() {
            self.first_lost = lost.first().map(|fault| fault.detail.to_string());
        }
    }

    fn add_game(&mut self, game: &RecordedGame) {
        self.games += 1;
        self.plies += game.plies.len() as u64;
        match game.outcome.winner {
            None => self.drawn += 1,
            Some(winner) => self.wins[player_in(winner, game.game)] += 1,
        }
        let Some(fault) = &game.fault else { return };
        self.faulted += 1;
        // Parts are added in any order.
        if self.first_fault.as_ref().is_none_or(|(number, _)| *number > game.game) {
            let name = &game.players[fault.seat.index()];
            let what =
                format!("{name} in seat {}: {}: {}", fault.seat, fault.verdict, fault.detail);
            self.first_fault = Some((game.game, what));
        }
    }

    /// The summary line.
    fn line(&self, names: [&str; 2], present: usize) -> String {
        let [one, other] = self.wins;
        let twins = names[0] == names[1];
        let name = |at: usize| {
            let place = ["first", "second"][at];
            let name = printable(names[at], 60);
            if twins { format!("{name} ({place})") } else { name }
        };
        let before = if present == 0 { String::new() } else { format!(" ({present} were there)") };
        format!(
            "recorded {}, {}, in {}{before}, {}: {} won {one}, {} won {other}, {} drawn\n",
            counted(self.games, "game"),
            counted(self.plies, "row"),
            counted(self.parts as u64, "part"),
            size(self.bytes),
            name(0),
            name(1),
            self.drawn,
        )
    }

    /// A note on games that ended with a player's fault.
    pub(super) fn note_of_faults(&self) -> Option<String> {
        let (number, what) = self.first_fault.as_ref()?;
        let apart = if self.csv { ", and left out of `csv`" } else { "" };
        let count = counted(self.faulted, "game");
        Some(format!(
            "{count} ended with a player's fault: flagged{apart}; the first is {number}: {what}"
        ))
    }

    fn failure(&self) -> Option<[String; 2]> {
        let what = self.first_lost.as_ref()?;
        let games = counted(self.lost, "game");
        let parts = counted(self.lost_parts as u64, "part");
        let hint = "no bot is to blame; `--resume` plays them again";
        Some([format!("the judge failed in {games}, {parts} not written: {what}"), hint.to_owned()])
    }
}

/// The index of the player in that seat, in the game with that number.
fn player_in(seat: Seat, game: u64) -> usize {
    let swapped = !game.is_multiple_of(2);
    if swapped { seat.other().index() } else { seat.index() }
}

/// Formats a size in bytes, rounded up.
fn size(bytes: u64) -> String {
    if bytes < 10 << 20 { kib(bytes) } else { format!("{} MiB", bytes.div_ceil(1 << 20)) }
}

fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
