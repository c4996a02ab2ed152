//! The paper agrees with the rules, and the plans are better than greed.

use judge_bot::Bot;
use judge_bot::patchwork::{Adapter, Brain as _, Circle, Move, Position, Rules, Seat};
use judge_core::{Options, Player, PlayerFault, Seed};
use judge_games::Game as _;
use judge_games::patchwork::GAME;

use crate::Quilter;
use crate::ledger::Ledger;

/// The quilter as the referee's player.
#[derive(Default)]
struct Native(Adapter<Quilter>);

impl Player for Native {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        self.0.line(line, &mut String::new());
        Ok(None)
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        self.0.line(line, answer);
        Ok(None)
    }
}

fn start(seed: u64) -> Position {
    Position::new(Rules::default(), Circle::shuffled(Seed(seed)))
}

#[test]
fn the_model_of_the_game_matches_the_rules() {
    for seed in 1..=20 {
        let mut position = start(seed);
        let mut ledger = Ledger::from_position(&position);
        for step in 0.. {
            if position.is_over() {
                break;
            }
            let count = position.moves().count();
            let made = position.moves().nth(step * 37 % count).unwrap();
            position.play(made).unwrap();
            match made {
                Move::Advance => ledger.advance(),
                // On paper a special patch is laid as soon as it is earned.
                Move::Place(placement) => {
                    if let Some(place) = ledger.place_of(placement.patch) {
                        ledger.buy(place);
                    }
                }
            }
            for seat in Seat::BOTH {
                let (side, paper) = (position.side(seat), ledger.sides[seat.index()]);
                assert_eq!((side.time, i32::from(side.buttons)), (paper.time, paper.buttons));
                let due = i32::from(position.special_pending() && position.turn() == seat);
                assert_eq!(81 - side.quilt.len() as i32, paper.empty + due);
            }
            assert!(position.special_pending() || position.turn().index() == ledger.turn);
            // The same patches come next, as far as they fit and can be paid.
            let offered = ledger.offer().map(|(_, patch)| patch);
            assert!(
                position.special_pending()
                    || offered.into_iter().all(|patch| { position.offer().contains(patch) })
            );
        }
        assert!(ledger.is_over());
    }
}

#[test]
fn the_quilter_makes_only_legal_moves() {
    let mut position = start(3);
    while !position.is_over() {
        position.play(Quilter.choose(&position)).unwrap();
    }
    assert!(Seat::BOTH.iter().all(|seat| position.score(*seat) > -20));
}

/// Wins and lead over a reference opponent, over both seats of some seeds.
fn against(name: &str, seeds: std::ops::RangeInclusive<u64>) -> (usize, i64) {
    let (mut wins, mut lead) = (0, 0);
    for seed in seeds.map(Seed) {
        for seat in Seat::BOTH {
            let info = GAME.opponents().iter().find(|info| info.name == name).unwrap();
            let mut other = (info.create)(seat.other(), seed);
            let mut own = Native::default();
            let running = GAME.start(&Options::new(), seed).unwrap();
            let outcome = play(running, seat, &mut own, &mut *other);
            wins += usize::from(outcome.winner == Some(seat));
            lead += outcome.score(seat) - outcome.score(seat.other());
        }
    }
    (wins, lead)
}

fn play(
    mut running: Box<dyn judge_games::GameState>,
    seat: Seat,
    own: &mut dyn Player,
    other: &mut dyn Player,
) -> judge_core::RoundResult {
    own.notice(&format!("game patchwork seat {seat} {}", running.facts())).unwrap();
    loop {
        let (mut line, mut answer) = (String::new(), String::new());
        match running.step(&mut line) {
            judge_games::Step::End(outcome) => return outcome,
            judge_games::Step::Tell(told) => {
                let player: &mut dyn Player = if told == seat { own } else { other };
                player.notice(&line).unwrap();
            }
            judge_games::Step::Ask(asked) => {
                let player: &mut dyn Player = if asked == seat { own } else { other };
                player.ask(&line, &mut answer).unwrap();
                running.answer(&answer).unwrap();
            }
        }
    }
}

#[test]
fn planning_beats_the_greedy_opponent() {
    let (wins, lead) = against("greedy", 1..=4);
    assert!(wins >= 6 && lead > 0, "{wins} of 8, {lead} points ahead");
}

#[test]
#[ignore = "a measurement, to be read"]
fn measure() {
    for name in ["first", "greedy", "search"] {
        let (wins, lead) = against(name, 101..=120);
        println!("{name}: {wins} of 40, {lead} points ahead");
    }
}
