//! The table of games: players, result, and fault.

use std::io;

use judge_core::{RecordedFault, RecordedGame, Verdict};
use serde_json::{Value, json};

use super::columns::{Column, Values, file};

/// A game, and the kind of fault as in JSON.
struct GameRow<'a> {
    game: &'a RecordedGame,
    verdict: Option<String>,
}

impl GameRow<'_> {
    fn new(game: &RecordedGame) -> GameRow<'_> {
        GameRow { game, verdict: game.fault.as_ref().and_then(|fault| word(fault.verdict)) }
    }

    fn fault(&self) -> Option<&RecordedFault> {
        self.game.fault.as_ref()
    }

    /// The winner's seat, 0 for a draw.
    fn winner(&self) -> i32 {
        self.game.outcome.winner.map_or(0, |seat| u8::from(seat).into())
    }
}

fn word(verdict: Verdict) -> Option<String> {
    match json!(verdict) {
        Value::String(word) => Some(word),
        _ => None,
    }
}

fn columns<'a>() -> [Column<GameRow<'a>>; 13] {
    let column = |name, values: Values<GameRow<'a>>| Column { name, values };
    [
        column("game", Values::Unsigned(|row| row.game.game)),
        column("seed", Values::Unsigned(|row| row.game.seed.0)),
        column("player_1", Values::Text(|row| &row.game.players[0])),
        column("player_2", Values::Text(|row| &row.game.players[1])),
        column("score_1", Values::Long(|row| row.game.outcome.scores[0])),
        column("score_2", Values::Long(|row| row.game.outcome.scores[1])),
        column("winner", Values::Tiny(GameRow::winner)),
        column("reason", Values::Text(|row| &row.game.outcome.reason)),
        column("plies", Values::Int(|row| i32::try_from(row.game.plies.len()).unwrap_or(i32::MAX))),
        column("fault", Values::MaybeText(|row| row.verdict.as_deref())),
        column("fault_seat", Values::MaybeTiny(|row| Some(u8::from(row.fault()?.seat).into()))),
        column("fault_detail", Values::MaybeText(|row| Some(&row.fault()?.detail))),
        column("fault_answer", Values::MaybeText(|row| row.fault()?.answer.as_deref())),
    ]
}

pub(super) fn render(games: &[RecordedGame], about: &[(&str, String)]) -> io::Result<Vec<u8>> {
    let rows: Vec<GameRow<'_>> = games.iter().map(GameRow::new).collect();
    file("games", &columns(), &rows, about)
}
