//! The table of questions: the state before each, the answer, and the game's result for that
//! player.

use std::io;

use judge_core::{Ply, RecordedGame, Seat};

use super::columns::{Column, Values, file};

/// A question, its position in the game, and the game.
#[derive(Debug, Clone, Copy)]
struct PlyRow<'a> {
    game: &'a RecordedGame,
    number: usize,
    ply: &'a Ply,
}

impl PlyRow<'_> {
    fn own(&self) -> Seat {
        self.ply.seat
    }

    fn other(&self) -> Seat {
        self.ply.seat.other()
    }
}

fn columns<'a>() -> [Column<PlyRow<'a>>; 16] {
    let column = |name, values: Values<PlyRow<'a>>| Column { name, values };
    [
        column("game", Values::Unsigned(|row| row.game.game)),
        column("seed", Values::Unsigned(|row| row.game.seed.0)),
        column("ply", Values::Int(|row| i32::try_from(row.number).unwrap_or(i32::MAX))),
        column("seat", Values::Tiny(|row| u8::from(row.ply.seat).into())),
        column("player", Values::Text(|row| &row.game.players[row.own().index()])),
        column("question", Values::Text(|row| &row.ply.question)),
        column("state", Values::Growing(|row| &row.ply.state)),
        column("move", Values::Text(|row| &row.ply.answer)),
        column("legal", Values::Int(|row| i32::try_from(row.ply.legal).unwrap_or(i32::MAX))),
        column("own_score", Values::Long(|row| row.ply.scores[row.own().index()])),
        column("other_score", Values::Long(|row| row.ply.scores[row.other().index()])),
        column("own_final", Values::Long(|row| row.game.outcome.score(row.own()))),
        column("other_final", Values::Long(|row| row.game.outcome.score(row.other()))),
        column("result", Values::Tiny(|row| row.game.result_for(row.own()))),
        column("faulted", Values::Flag(|row| row.game.fault.is_some())),
        column("fuel", Values::MaybeLong(|row| Some(row.ply.fuel?.cast_signed()))),
    ]
}

pub(super) fn render(games: &[RecordedGame], about: &[(&str, String)]) -> io::Result<Vec<u8>> {
    let rows: Vec<PlyRow<'_>> = games.iter().flat_map(rows).collect();
    file("plies", &columns(), &rows, about)
}

fn rows(game: &RecordedGame) -> impl Iterator<Item = PlyRow<'_>> {
    game.plies.iter().enumerate().map(move |(number, ply)| PlyRow { game, number, ply })
}
