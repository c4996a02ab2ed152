//! Vectors that play a whole round from an explicit wall, with players set by the vector.

use judge_core::Seat;
use serde_json::Value;

use super::super::{Hand, Round, Tile, Wall, lines::Line, round_score};
use super::{expect, rules};
use crate::vectors::VectorError;
use crate::vectors::fields::{Fields, wrong};
use crate::{GameState, Step};

/// A call of the lab's engine, as the vectors write it: name, player, tile, the answer, and for a
/// win a flag for self draw.
type Callback = Vec<String>;

/// A player of a vector: throws its largest tile, and answers every `win?` alike.
struct Scripted {
    hand: Hand,
    wins: bool,
}

/// Plays the round of a vector and compares all its values.
pub(super) fn check(fields: Fields<'_>) -> Result<(), VectorError> {
    let wall = Wall::explicit(&fields.all_parsed::<Tile>("wall")?)
        .map_err(|error| VectorError::Malformed(format!("field `wall`: {error}")))?;
    let players = fields.list("players")?.iter().map(|player| read_player(Fields(player)));
    let mut players: [Scripted; 2] = players
        .collect::<Result<Vec<_>, _>>()?
        .try_into()
        .map_err(|_| VectorError::Malformed("field `players`: expected two".to_owned()))?;
    let mut round = Round::new(rules(fields.flag("void_suit")?), wall);
    let (callbacks, result) = play(&mut round, &mut players)?;
    compare(fields, &round, &callbacks, result)
}

fn read_player(fields: Fields<'_>) -> Result<Scripted, VectorError> {
    fields.choice("discard", &["largest"])?;
    let wins = fields.choice("win", &["always", "never"])? == "always";
    Ok(Scripted { hand: Hand::EMPTY, wins })
}

/// Plays to the end; gives every call and the result in the words of the vectors.
fn play(
    round: &mut Round,
    players: &mut [Scripted; 2],
) -> Result<(Vec<Callback>, &'static str), VectorError> {
    let mut callbacks = Vec::new();
    loop {
        let mut line = String::new();
        match round.step(&mut line) {
            Step::Tell(seat) => callbacks.push(told(seat, &line, &mut players[seat.index()])),
            Step::Ask(seat) => {
                let (callback, answer) = asked(seat, &line, &mut players[seat.index()]);
                round.answer(&answer).map_err(|error| VectorError::Mismatch {
                    what: format!("answer to `{line}`"),
                    expected: answer,
                    found: error.to_string(),
                })?;
                callbacks.push(callback);
            }
            Step::End(outcome) => {
                let result = match outcome.reason.as_str() {
                    "self draw" => "self_draw",
                    "discard" => "discard",
                    _ => "draw",
                };
                return Ok((callbacks, result));
            }
        }
    }
}

/// A call in the words of the vectors; seats are counted from 0 there.
fn callback(name: &str, seat: Seat, rest: &[&str]) -> Callback {
    let seat = seat.index().to_string();
    [name, &seat].into_iter().chain(rest.iter().copied()).map(str::to_owned).collect()
}

fn told(seat: Seat, line: &str, player: &mut Scripted) -> Callback {
    match Line::read(line) {
        Some(Line::Draw(tile)) => {
            player.hand.add(tile);
            callback("getDraw", seat, &[tile.name()])
        }
        Some(Line::Opponent(tile)) => callback("getOppDiscard", seat, &[tile.name()]),
        _ => callback(line, seat, &[]),
    }
}

fn asked(seat: Seat, line: &str, player: &mut Scripted) -> (Callback, String) {
    let mut tokens = line.split(' ');
    if tokens.next() == Some("win?") {
        let tile = tokens.next().unwrap_or_default();
        let by_self = if tokens.next() == Some("self") { "True" } else { "False" };
        let (told, answer) = if player.wins { ("True", "yes") } else { ("False", "no") };
        return (callback("requestWin", seat, &[tile, by_self, told]), answer.to_owned());
    }
    let tile = player.hand.largest().filter(|tile| player.hand.remove(*tile));
    let name = tile.map_or("", Tile::name);
    (callback("requestDiscard", seat, &[name]), name.to_owned())
}

fn compare(
    fields: Fields<'_>,
    round: &Round,
    callbacks: &[Callback],
    result: &str,
) -> Result<(), VectorError> {
    let found = round.winner();
    let faan = found.map_or(0, |(_, faan)| faan);
    expect("result", &fields.choice("result", &["draw", "self_draw", "discard"])?, &result)?;
    expect("winner", &player_or_null(fields, "winner")?, &found.map(|(seat, _)| seat.index()))?;
    expect("faan", &fields.number("faan")?, &faan.into())?;
    expect("wall_left", &fields.number("wall_left")?, &(round.wall().left() as u64))?;
    expect("callbacks", &fields.number("callbacks")?, &(callbacks.len() as u64))?;
    let points = round_score(faan, round.wall().left());
    expect("round_score", &fields.signed("round_score")?, &points)?;
    compare_last(fields.list("last_callbacks")?, callbacks)
}

/// A player, counted from 0, or null.
fn player_or_null(fields: Fields<'_>, name: &str) -> Result<Option<usize>, VectorError> {
    let value = fields.field(name)?;
    match value.as_u64() {
        Some(player @ 0..=1) => Ok(Some(player as usize)),
        None if value.is_null() => Ok(None),
        _ => Err(wrong(name, "0, 1 or null")),
    }
}

/// Compares the last calls, as many as the vector gives.
fn compare_last(expected: &[Value], callbacks: &[Callback]) -> Result<(), VectorError> {
    let found = &callbacks[callbacks.len().saturating_sub(expected.len())..];
    let found: Vec<Value> = found.iter().map(|callback| callback.as_slice().into()).collect();
    expect("last_callbacks", &expected, &found.as_slice())
}
