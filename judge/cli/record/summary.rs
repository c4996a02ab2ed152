//! What was recorded, in a line, and what its reader should know besides.

use judge_core::{Fault, RecordedGame, Seat, printable};
use judge_report::kib;

use crate::failure::Exit;

/// Counts over the parts that this run has written.
#[derive(Debug, Default)]
pub(super) struct Summary {
    /// Whether the original project's form is written, which has no faults.
    csv: bool,
    parts: usize,
    pub(super) games: u64,
    plies: u64,
    bytes: u64,
    /// Games won by the first player and by the other.
    wins: [u64; 2],
    drawn: u64,
    faulted: u64,
    /// The first fault.
    fault: Option<(u64, String)>,
    /// Games in which the judge failed, and the parts that were not written for them.
    lost: u64,
    lost_parts: usize,
    first_lost: Option<String>,
}

impl Summary {
    pub(super) fn new(csv: bool) -> Summary {
        Summary { csv, ..Summary::default() }
    }

    /// Takes in a part that was written: its games, and the bytes that it takes.
    pub(super) fn add(&mut self, games: &[RecordedGame], bytes: u64) {
        self.parts += 1;
        self.bytes += bytes;
        games.iter().for_each(|game| self.add_game(game));
    }

    /// Takes in a part that was not written, for the judge failed in games of it.
    pub(super) fn lose(&mut self, lost: &[Fault]) {
        self.lost_parts += 1;
        self.lost += lost.len() as u64;
        if self.first_lost.is_none() {
            self.first_lost = lost.first().map(|fault| fault.detail.clone());
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
        // Parts come in in any order.
        if self.fault.as_ref().is_none_or(|(number, _)| *number > game.game) {
            let name = &game.players[fault.seat.index()];
            let what =
                format!("{name} in seat {}: {}: {}", fault.seat, fault.verdict, fault.detail);
            self.fault = Some((game.game, what));
        }
    }

    /// The line at the end.
    pub(super) fn line(&self, names: [&str; 2], there: usize) -> String {
        let [one, other] = self.wins;
        let twins = names[0] == names[1];
        let name = |at: usize| {
            let place = ["first", "second"][at];
            let name = printable(names[at], 60);
            if twins { format!("{name} ({place})") } else { name }
        };
        let before = if there == 0 { String::new() } else { format!(" ({there} were there)") };
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

    /// What is missing from the recording or special about it.
    pub(super) fn warnings(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some((number, what)) = &self.fault {
            let apart = if self.csv { ", and left out of `csv`" } else { "" };
            let count = counted(self.faulted, "game");
            lines.push(format!(
                "note: {count} ended with a player's fault: flagged{apart}; the first is {number}: {what}"
            ));
        }
        if let Some(what) = &self.first_lost {
            let games = counted(self.lost, "game");
            let parts = counted(self.lost_parts as u64, "part");
            lines.push(format!("error: the judge failed in {games}, {parts} not written: {what}"));
            lines.push("hint: no bot is to blame; `--resume` plays them again".to_owned());
        }
        lines
    }

    /// How to exit: a recording that lacks games is not done, and one in which every game ended
    /// because somebody failed teaches nothing.
    pub(super) fn exit(&self) -> Exit {
        if self.lost > 0 {
            Exit::JudgeError
        } else if self.games > 0 && self.faulted == self.games {
            Exit::Failed
        } else {
            Exit::Passed
        }
    }
}

/// Which of the two players sits there in the game of that number.
fn player_in(seat: Seat, game: u64) -> usize {
    let swapped = !game.is_multiple_of(2);
    if swapped { seat.other().index() } else { seat.index() }
}

/// Bytes as people read them, rounded up.
fn size(bytes: u64) -> String {
    if bytes < 10 << 20 { kib(bytes) } else { format!("{} MiB", bytes.div_ceil(1 << 20)) }
}

fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
