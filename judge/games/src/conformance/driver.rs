//! A small referee: enough to play a round inside this crate. The real one is a crate above.

use judge_core::{Player, RoundResult, Seat};

use crate::{GameState, Step};

/// Longest line of the protocol, in bytes.
pub(super) const MAX_LINE: usize = 4096;

/// No round of any game has more lines than this.
const MAX_STEPS: usize = 100_000;

/// A line to a player, and the answer if it was a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Exchange {
    /// The seat of the line.
    pub(crate) seat: Seat,
    /// The line.
    pub(crate) line: String,
    /// The answer; `None` for a notice.
    pub(crate) answer: Option<String>,
}

/// A round that was played to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Played {
    /// All lines, in order.
    pub(crate) exchanges: Vec<Exchange>,
    /// The result.
    pub(crate) outcome: RoundResult,
}

/// Plays a round to its end.
pub(crate) fn play(
    running: &mut dyn GameState,
    players: &mut [&mut dyn Player; 2],
) -> Result<Played, String> {
    play_visiting(running, players, |_| {})
}

/// Plays a round to its end, with a visit at each question before it is answered.
pub(crate) fn play_visiting(
    running: &mut dyn GameState,
    players: &mut [&mut dyn Player; 2],
    mut visit: impl FnMut(&mut dyn GameState),
) -> Result<Played, String> {
    let facts = running.facts();
    for seat in Seat::BOTH {
        let greeting = format!("game conformance seat {seat} {facts}");
        tell(players[seat.index()], greeting.trim_end())?;
    }
    let mut exchanges = Vec::new();
    while exchanges.len() < MAX_STEPS {
        let mut line = String::new();
        let exchange = match running.step(&mut line) {
            Step::End(outcome) => return Ok(Played { exchanges, outcome }),
            Step::Tell(seat) => {
                protocol_line(&line, false)?;
                tell(players[seat.index()], &line)?;
                Exchange { seat, line, answer: None }
            }
            Step::Ask(seat) => {
                protocol_line(&line, true)?;
                visit(running);
                let answer = ask(running, players[seat.index()], &line)?;
                Exchange { seat, line, answer: Some(answer) }
            }
        };
        exchanges.push(exchange);
    }
    Err(format!("no end after {MAX_STEPS} lines"))
}

fn tell(player: &mut dyn Player, line: &str) -> Result<(), String> {
    player.notice(line).map(|_| ()).map_err(|fault| format!("at `{line}`: {fault}"))
}

fn ask(running: &mut dyn GameState, player: &mut dyn Player, line: &str) -> Result<String, String> {
    let mut answer = String::new();
    player.ask(line, &mut answer).map_err(|fault| format!("at `{line}`: {fault}"))?;
    running
        .answer(&answer)
        .map_err(|error| format!("the answer `{answer}` to `{line}` is refused: {error}"))?;
    Ok(answer)
}

/// Checks that a line fits the protocol, and that it has the form of a question only if it asks.
fn protocol_line(line: &str, question: bool) -> Result<(), String> {
    let mut tokens = line.split(' ');
    let first = tokens.next().unwrap_or_default();
    let printable = line.bytes().all(|b| b.is_ascii_graphic() || b == b' ');
    let spaced = !first.is_empty() && tokens.all(|token| !token.is_empty());
    let reserved = ["game", "end"].contains(&first);
    if printable
        && spaced
        && !reserved
        && line.len() <= MAX_LINE
        && first.ends_with('?') == question
    {
        return Ok(());
    }
    Err(format!("not a {} of the protocol: {line:?}", if question { "question" } else { "notice" }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_driver_sends_lines_of_the_protocol() {
        for (line, question) in [("draw 3b", false), ("win? 3b self", true), ("move?", true)] {
            assert_eq!(protocol_line(line, question), Ok(()));
            assert!(protocol_line(line, !question).is_err());
        }
        for line in ["", " ", "a  b", "a ", " a", "ä", "a\n", "a\tb", "game x", "end win 1 0"] {
            assert!(protocol_line(line, false).is_err(), "{line:?}");
        }
        assert_eq!(protocol_line(&"x".repeat(MAX_LINE), false), Ok(()));
        assert!(protocol_line(&"x".repeat(MAX_LINE + 1), false).is_err());
    }
}
