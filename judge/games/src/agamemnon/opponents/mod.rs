//! The reference opponents: players that speak the protocol's lines like any bot, and know only the
//! lines to their seat.

mod effects;
mod greedy;
mod random;
mod search;

use judge_core::{Player, PlayerFault, Purpose, Seat, Verdict};

use super::{Action, Board, Draw, Position, State, score};
use crate::OpponentInfo;

/// From weak to strong.
pub(super) static OPPONENTS: [OpponentInfo; 3] = [
    OpponentInfo {
        name: "random",
        summary: "plays any legal action, and puts weavers back as a coin falls",
        create: |seat, seed| {
            Box::new(Speaker(random::Random::new(seed.random(Purpose::Opponent(seat)))))
        },
    },
    OpponentInfo {
        name: "greedy",
        summary: "plays what gives it the largest lead at once, and keeps its weavers",
        create: |seat, seed| {
            Box::new(Speaker(greedy::Greedy::new(seed.random(Purpose::Opponent(seat)))))
        },
    },
    OpponentInfo {
        name: "search",
        summary: "plays out the best actions with random tiles to come, and puts weavers back",
        create: |seat, seed| {
            Box::new(Speaker(search::Search::new(seed.random(Purpose::Opponent(seat)))))
        },
    },
];

/// An opponent's way of playing, without the lines.
trait Strategy {
    /// True to put a weaver back.
    fn puts_back(&mut self) -> bool;

    /// A legal action with the drawn tiles; `None` when there is none.
    fn choose(&mut self, state: &State, draw: &Draw) -> Option<Action>;
}

/// A strategy that reads and writes lines.
struct Speaker<S>(S);

impl<S: Strategy> Player for Speaker<S> {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        let known = ["game ", "end ", "edges ", "opponent "];
        if known.iter().any(|start| line.starts_with(start)) { Ok(None) } else { Err(lost(line)) }
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        if ["redraw? i", "redraw? j"].contains(&line) {
            answer.push_str(if self.0.puts_back() { "yes" } else { "no" });
            return Ok(None);
        }
        let (state, draw) = read_move(line).ok_or_else(|| lost(line))?;
        let action = self.0.choose(&state, &draw).ok_or_else(|| lost(line))?;
        action.write(answer);
        Ok(None)
    }
}

/// Reads `move? <drawn kinds> <tiles, or -> <edges>`.
fn read_move(line: &str) -> Option<(State, Draw)> {
    let mut tokens = line.strip_prefix("move? ")?.split(' ');
    let draw = tokens.next()?.parse().ok()?;
    let tiles = tokens.next().map(|tiles| if tiles == "-" { "" } else { tiles })?;
    let state = State::parse(tiles, tokens.next()?).ok()?;
    tokens.next().is_none().then_some((state, draw))
}

/// The error for a line that the opponent does not understand: a fault of the judge, not of a bot.
fn lost(line: &str) -> PlayerFault {
    PlayerFault::new(Verdict::JudgeError, format!("a reference opponent cannot follow: `{line}`"))
}

/// Lead of a seat in won edges.
fn lead(board: &Board, position: &Position, seat: Seat) -> i64 {
    let scores = score(board, position).map(i64::from);
    scores[seat.index()] - scores[seat.other().index()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agamemnon::STANDARD_EDGES;
    use crate::agamemnon::tests::games::between;
    use judge_core::Seed;

    fn player(name: &str, seed: u64) -> Box<dyn Player> {
        let info = OPPONENTS.iter().find(|info| info.name == name).expect("a known name");
        (info.create)(Seat::Two, Seed(seed))
    }

    fn answer(player: &mut dyn Player, question: &str) -> String {
        let mut answer = String::new();
        player.ask(question, &mut answer).expect("a question of the protocol");
        answer
    }

    #[test]
    fn every_draw_is_played_legally() {
        let state = State::parse("Oa14", STANDARD_EDGES).expect("a state");
        for info in &OPPONENTS {
            for text in ["ff", "fg", "ij", "jj"] {
                let question = format!("move? {text} Oa14 {STANDARD_EDGES}");
                let answer = answer(&mut *player(info.name, 3), &question);
                let (draw, action) = (text.parse().expect("a draw"), answer.parse());
                let action = action.expect("an action");
                assert_eq!(state.position.check(&state.board, &draw, &action), Ok(()));
            }
        }
    }

    #[test]
    fn opponents_put_weavers_back_as_documented() {
        assert_eq!(answer(&mut *player("greedy", 1), "redraw? i"), "no");
        assert_eq!(answer(&mut *player("search", 1), "redraw? j"), "yes");
        let mut random = player("random", 1);
        let answers: Vec<_> = (0..20).map(|_| answer(&mut *random, "redraw? i")).collect();
        assert!(answers.contains(&"yes".to_owned()) && answers.contains(&"no".to_owned()));
    }

    #[test]
    fn malformed_lines_are_a_judge_error() {
        for info in &OPPONENTS {
            let mut player = player(info.name, 1);
            for line in ["redraw? i", "edge", "hello", ""] {
                let fault = player.notice(line).expect_err("no notice");
                assert_eq!(fault.verdict, Verdict::JudgeError, "{line}");
            }
            let cut = format!("move? ff Oa1 {STANDARD_EDGES}");
            for line in ["redraw? a", "redraw?", "move? f -", "move? f - S0001 x", &cut] {
                assert!(player.ask(line, &mut String::new()).is_err(), "{line}");
            }
        }
    }

    #[test]
    fn opponents_are_listed_from_weak_to_strong() {
        for pair in OPPONENTS.windows(2) {
            let [weak, strong] = [pair[0].name, pair[1].name];
            let leads = (1..=2).map(|seed| {
                let [one, two] = between([strong, weak], Seed(seed)).outcome.scores;
                let [three, four] = between([weak, strong], Seed(seed)).outcome.scores;
                one - two + four - three
            });
            let leads: Vec<i64> = leads.collect();
            assert!(leads.iter().sum::<i64>() > 0, "{strong} against {weak}: {leads:?}");
        }
    }
}
