//! The picture of a tournament's ratings, with a line for each player's interval.

use askama::Template;

use super::sheet::tame;
use crate::text::shorten;
use crate::tournament::{Axis, Ranked, Tournament};

/// Width of the picture, and the left and right end of the plot in it.
const WIDTH: f64 = 800.0;
const FROM: f64 = 260.0;
const TO: f64 = 660.0;

/// Height of a player's row, and of the space above the first.
const LINE: usize = 24;
const HEAD: usize = 76;

/// Maximum length of a name; a name that is still too wide is cut off.
const LONGEST: usize = 25;

impl Tournament {
    /// Renders the ratings with their intervals as one SVG document, light or dark as the reader
    /// prefers.
    pub fn to_svg(&self) -> String {
        Picture::new(self).render().expect("writing to a text does not fail") + "\n"
    }
}

#[derive(Template)]
#[template(path = "ratings.svg")]
struct Picture {
    title: String,
    about: String,
    width: f64,
    height: usize,
    marks: Vec<Mark>,
    lines: Vec<RatingLine>,
}

/// A labelled number on the axis.
struct Mark {
    x: String,
    text: String,
}

struct RatingLine {
    rank: usize,
    name: String,
    whole: String,
    y: usize,
    at: String,
    ends: Option<[String; 2]>,
    rating: String,
    faults: u64,
}

impl Picture {
    fn new(tournament: &Tournament) -> Picture {
        let axis = tournament.axis();
        let mark = |(number, text)| Mark { x: x(&axis, number), text };
        let lines = std::iter::zip(tournament.ranks(), &tournament.players).enumerate();
        let failed = tournament.players.iter().any(|player| player.faults > 0);
        let failed = if failed { "; ! marks who failed in some rounds" } else { "" };
        Picture {
            title: tame(&format!("{}: ratings", tournament.title)),
            about: tame(&format!("{}; lines are 95 % intervals{failed}", tournament.format)),
            width: WIDTH,
            height: HEAD + LINE * tournament.players.len() + LINE,
            marks: axis.marks().into_iter().map(mark).collect(),
            lines: lines.map(|(at, (rank, player))| line(at, rank, player, &axis)).collect(),
        }
    }

    /// End of the grid.
    fn bottom(&self) -> usize {
        self.height - LINE
    }
}

fn line(at: usize, rank: usize, player: &Ranked, axis: &Axis) -> RatingLine {
    let whole = tame(&player.name).replace('\n', " ");
    RatingLine {
        rank,
        name: shorten(&whole, LONGEST),
        whole,
        y: HEAD + LINE * at,
        at: x(axis, player.rating),
        ends: player.interval.map(|ends| ends.map(|end| x(axis, end))),
        rating: player.rating_text(),
        faults: player.faults,
    }
}

fn x(axis: &Axis, number: f64) -> String {
    format!("{:.1}", FROM + (TO - FROM) * axis.place(number))
}
