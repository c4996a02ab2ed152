//! A player's view must not depend on hidden tiles.

use judge_core::{Purpose, Random, Seat, Seed};

use super::rounds::{each_question, resumed};
use crate::mahjong::{Hand, Round};
use crate::{GameState, View};

/// A state as a seat sees it, in text and as a picture.
fn seen(match_: &dyn GameState, seat: Seat) -> [String; 2] {
    [match_.frame(View::Seat(seat)), match_.svg(View::Seat(seat))]
}

/// Another state that `seat` cannot distinguish from this one: the other hand and the wall are
/// mixed. A question to the other side, or its win by a drawn tile, becomes a question for a tile
/// to throw.
fn alike(round: &Round, seat: Seat, random: &mut Random) -> Option<String> {
    let state = round.state();
    let mut words: Vec<String> = state.split(' ').map(str::to_owned).collect();
    let other_has_drawn = round.turn() != seat;
    let hand = 3 + seat.other().index();
    let mut hidden = format!("{}{}", words[hand], words[7]);
    match words[0].as_str() {
        "win-self" if other_has_drawn => {
            words[0] = "discard".to_owned();
            hidden.push_str(&words[2]);
        }
        "discard" | "win-self" => {}
        _ => return None,
    }
    let hidden: Hand = hidden.replace('-', "").parse().expect("tiles");
    let mut tiles: Vec<_> = hidden.iter().collect();
    random.shuffle(&mut tiles);
    let (held, wall) = tiles.split_at(13 + usize::from(other_has_drawn));
    let row = |tiles: &[crate::mahjong::Tile]| tiles.iter().map(|tile| tile.name()).collect();
    (words[hand], words[7]) = (row(held), row(wall));
    if other_has_drawn {
        words[2] = held[0].name().to_owned();
    }
    if words[7].is_empty() {
        words[7].push('-');
    }
    Some(words.join(" "))
}

#[test]
fn a_view_does_not_depend_on_hidden_tiles() {
    let mut compared = [0, 0];
    for seed in 0..20 {
        let mut random = Seed(seed).random(Purpose::Chance);
        each_question(seed, seed % 2 == 1, |round| {
            for seat in Seat::BOTH {
                let Some(alike) = alike(round, seat, &mut random) else { continue };
                assert_eq!(seen(&*resumed(&alike), seat), seen(round, seat), "`{alike}`");
                compared[usize::from(round.state().starts_with("win-self"))] += 1;
            }
        });
    }
    assert!(compared[0] > 500 && compared[1] > 20, "{compared:?}");
}

#[test]
fn the_discarding_player_does_not_see_a_possible_win() {
    let mut compared = 0;
    for seed in 0..20 {
        each_question(seed, true, |round| {
            if round.state().starts_with("win-discard") {
                let mut declined = round.clone();
                declined.answer("no").expect("legal");
                assert_eq!(seen(&declined, round.turn()), seen(round, round.turn()));
                compared += 1;
            }
        });
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn a_view_hides_the_other_hand() {
    let state = "discard 2 9d 1112345678999c 1245789b147c147d9d 3d - ?";
    insta::assert_snapshot!(resumed(state).frame(View::Seat(Seat::One)), @r"
      seat 1  1112345678999c
      river   3d
    > seat 2  14 hidden tiles
      river
      wall    80 tiles left
      seat 2 drew a tile
    ");
    insta::assert_snapshot!(resumed(state).frame(View::Seat(Seat::Two)), @r"
      seat 1  13 hidden tiles
      river   3d
    > seat 2  1245789b147c1479d
      river
      wall    80 tiles left
      seat 2 drew 9d
    ");
    let won = "won-self 2 4d 245b1235678c579d 1122b3355c7788d4d 3d8c6d 4b5b ?";
    insta::assert_snapshot!(resumed(won).frame(View::Seat(Seat::One)), @r"
      seat 1  245b1235678c579d
      river   3d 8c 6d
    > seat 2  13 hidden tiles
      river   4b 5b
      wall    76 tiles left
      seat 2 won by drawing a tile: 4 faan, 88 points
    ");
}
