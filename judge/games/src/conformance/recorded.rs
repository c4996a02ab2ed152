//! Output that must be equal on every machine: the states of a game, and its pictures.

use std::fmt::Write as _;

use judge_core::{Seat, digest};
use quick_xml::Reader;
use quick_xml::events::Event;

use super::driver::play_visiting;
use super::{SEEDS, between, seated, start, weakest};
use crate::{Game, View};

/// One random game as states, frames and pictures, each folded into a hash.
fn hashes(game: &dyn Game) -> String {
    let [mut one, mut two] = seated(weakest(game), SEEDS.start);
    let mut shown = [const { String::new() }; 3];
    let mut running = start(game, SEEDS.start).expect("default options");
    let played = play_visiting(&mut *running, &mut [&mut one, &mut two], |running| {
        let parts =
            [running.state(), running.frame(View::Everything), running.svg(View::Everything)];
        for (shown, part) in shown.iter_mut().zip(parts) {
            shown.push_str(&part);
        }
    });
    played.expect("legal play");
    let mut line = game.name().to_owned();
    for (name, text) in ["states", "frames", "pictures"].into_iter().zip(&shown) {
        // Writing to a string cannot fail.
        let _ = write!(line, " {name} {}", digest(text.as_bytes()).short());
    }
    line
}

#[test]
fn a_game_is_the_same_on_every_machine() {
    let lines: Vec<String> = crate::all().iter().map(|game| hashes(*game)).collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn pictures_are_well_formed() {
    for game in crate::all() {
        let [mut one, mut two] = seated(weakest(*game), SEEDS.start);
        let mut running = start(*game, SEEDS.start).expect("default options");
        let played = play_visiting(&mut *running, &mut [&mut one, &mut two], |running| {
            for view in [View::Everything, View::Seat(Seat::One), View::Seat(Seat::Two)] {
                let svg = running.svg(view);
                let elements = elements(&svg).unwrap_or_else(|error| panic!("{error} in {svg}"));
                assert!(elements > 10, "{}: {svg}", game.name());
                assert!(!svg.contains("http") || svg.matches("http").count() == 1, "{svg}");
            }
        });
        played.expect("legal play");
    }
}

#[test]
fn every_end_has_a_reason() {
    for game in crate::all() {
        let seats = weakest(*game);
        let ends = SEEDS.map(|seed| {
            let played = between(*game, seats, seed).expect("legal play");
            played.outcome.reason
        });
        let running = start(*game, SEEDS.start).expect("default options");
        for end in ends.chain([running.forfeit(Seat::One).reason]) {
            let meaning = game.endings().iter().find(|(word, _)| *word == end);
            assert!(meaning.is_some_and(|(_, text)| !text.is_empty()), "{}: {end}", game.name());
        }
    }
}

/// Number of elements of a document, all of them closed.
fn elements(svg: &str) -> Result<usize, quick_xml::Error> {
    let mut reader = Reader::from_str(svg);
    let (mut count, mut open) = (0, 0);
    loop {
        match reader.read_event()? {
            Event::Start(_) => (count, open) = (count + 1, open + 1),
            Event::End(_) => open -= 1,
            Event::Empty(_) => count += 1,
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(open, 0, "every element is closed");
    Ok(count)
}
