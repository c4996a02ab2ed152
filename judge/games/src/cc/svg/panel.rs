//! Next to the board: the side on turn or the winner, the men of both sides, the last move in
//! words.

use judge_core::Seat;
use svg::node::element::Group;

use super::board::man;
use super::{circle, line_class};
use crate::cc::Contest;
use crate::cc::contest::Last;
use crate::cc::standing::steps;
use crate::picture::{Anchor, rectangle, text};

/// Left edge of the texts.
const LEFT: i32 = 728;

/// Men in a row of a side's army.
const PER_ROW: u32 = 10;

/// Distance from one man of the army to the next.
const PITCH: i32 = 20;

/// Characters of a path that fit into a line.
const LINE: usize = 18;

/// Lines of a path that fit.
const LINES: usize = 8;

/// The panel.
pub(super) fn panel(contest: &Contest) -> Group {
    let mut column = Column::new();
    column.headline(contest);
    let limit = contest.rules().max_plies;
    column.line("j-muted", 24, &format!("ply {} of at most {limit}", contest.plies()));
    for seat in Seat::BOTH {
        column.army(contest, seat);
    }
    if let Some(last) = contest.last() {
        column.last_move(contest.position().turn().other(), last);
    }
    column.group
}

/// Lines from top to bottom.
struct Column {
    group: Group,
    /// Base line of the last text.
    y: i32,
}

impl Column {
    fn new() -> Column {
        let ground = rectangle("j-panel", [704, 44], [236, 640]).set("rx", 10);
        Column { group: Group::new().add(ground), y: 44 }
    }

    /// Adds a line of text at that distance below the previous one.
    fn line(&mut self, class: &str, below: i32, content: &str) {
        self.y += below;
        let line = text(class, [LEFT, self.y], 15, Anchor::Start, content);
        self.group = std::mem::take(&mut self.group).add(line);
    }

    /// The side on turn, or the winner, next to one of its men; below it the reason for the end.
    fn headline(&mut self, contest: &Contest) {
        let finish = contest.finish();
        let (side, words) = match finish {
            None => (Some(contest.position().turn()), "to move"),
            Some(finish) => (finish.winner(), "won"),
        };
        self.y += 44;
        let mut left = LEFT;
        if let Some(seat) = side {
            let disc = man(seat, [LEFT + 12, self.y - 7], 13);
            self.group = std::mem::take(&mut self.group).add(disc);
            left += 34;
        }
        let words = side.map_or("drawn".to_owned(), |seat| format!("seat {seat} {words}"));
        let headline = text("j-ink", [left, self.y], 18, Anchor::Start, words);
        self.group = std::mem::take(&mut self.group).add(headline.set("font-weight", 600));
        if let Some(finish) = finish {
            self.line("j-ink", 30, &format!("reason: {}", finish.reason()));
        }
    }

    /// The men of a side, with rings for the captured ones, and the steps left to its corner.
    fn army(&mut self, contest: &Contest, seat: Seat) {
        let position = contest.position();
        let left = position.men(seat).len();
        let all = contest.rules().start().men(seat).len().max(left);
        self.line("j-ink", 46, &format!("seat {seat}: {left} of {all} men"));
        let mut group = std::mem::take(&mut self.group);
        for index in 0..all {
            let (row, place) = ((index / PER_ROW) as i32, (index % PER_ROW) as i32);
            let at = [LEFT + 8 + PITCH * place, self.y + 20 + PITCH * row];
            group = group.add(if index < left { man(seat, at, 8) } else { gap(seat, at) });
        }
        self.group = group;
        self.y += PITCH * all.div_ceil(PER_ROW) as i32 + 10;
        let corner = position.target(seat);
        let steps = steps(position, seat);
        self.line("j-muted", 22, &format!("steps to {corner}: {steps}"));
    }

    fn last_move(&mut self, mover: Seat, last: &Last) {
        self.line("j-muted", 46, &format!("seat {mover} moved"));
        for words in wrapped(&last.path.to_string()) {
            self.line("j-ink", 22, &words);
        }
        if let Some(captured) = last.captured {
            self.line("j-ink", 22, &format!("and took {captured}"));
        }
    }
}

/// A gap in the army for a captured man.
fn gap(seat: Seat, at: [i32; 2]) -> Group {
    let ring = circle(at, 7).set("class", line_class(seat)).set("opacity", ".5");
    Group::new().add(ring)
}

/// A path in lines that fit, broken between squares.
fn wrapped(path: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for square in path.split_inclusive('>') {
        if lines.last().is_some_and(|line| line.len() + square.len() > LINE) {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(square);
        }
    }
    if lines.len() > LINES {
        lines.truncate(LINES - 1);
        lines.push("…".to_owned());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_paths_are_broken_and_cut() {
        assert_eq!(wrapped("0,1>2,3>2,5"), ["0,1>2,3>2,5"]);
        assert_eq!(wrapped("4,3>2,1>0,1>0,3>2,5>4,5"), ["4,3>2,1>0,1>0,3>", "2,5>4,5"]);
        let endless = wrapped(&vec!["10,10"; 200].join(">"));
        assert_eq!((endless.len(), endless[LINES - 1].as_str()), (LINES, "…"));
        assert!(endless.iter().all(|line| line.len() <= LINE));
    }
}
