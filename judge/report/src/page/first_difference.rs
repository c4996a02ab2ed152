//! The page on the first difference of two rounds: the position before the first move that differs,
//! and the position after it in each round.

use askama::Template;

use super::pictures::Lines;
use super::sheet::{Sheet, tame};

/// Input of the page on the first difference of two rounds.
#[derive(Debug)]
pub struct DifferencePage {
    /// The game's name for people.
    pub title: String,
    /// The seed.
    pub seed: u64,
    /// A sentence on the part that the rounds have in common.
    pub remark: String,
    /// The last position that both rounds have, as SVG; none if they begin with different ones.
    pub before: Option<String>,
    /// Each round from there on.
    pub sides: [DifferenceSide; 2],
}

/// One of two different rounds.
#[derive(Debug)]
pub struct DifferenceSide {
    /// Its file.
    pub file: String,
    /// The evidence that the file was changed after it was written, if it was.
    pub changed: Option<String>,
    /// The first line that differs, with its answer.
    pub line: String,
    /// The result of the round.
    pub result: String,
    /// The position after that line, as SVG.
    pub picture: String,
    /// The address of the round's page at that line.
    pub page: String,
}

#[derive(Template)]
#[template(path = "first_difference.html")]
struct Page {
    sheet: Sheet,
    heading: String,
    page: DifferencePage,
}

impl DifferencePage {
    /// Renders the page as one HTML document.
    pub fn to_html(self) -> String {
        let mut lines = Lines::default();
        let side = |side: DifferenceSide, lines: &mut Lines| DifferenceSide {
            file: tame(&side.file),
            changed: side.changed.as_deref().map(tame),
            line: tame(&side.line),
            result: tame(&side.result),
            picture: lines.without_style(&side.picture),
            page: side.page,
        };
        let before = self.before.map(|before| lines.without_style(&before));
        let sides = self.sides.map(|one| side(one, &mut lines));
        let style = lines.style();
        let page = DifferencePage { before, sides, remark: tame(&self.remark), ..self };
        let sheet = Sheet::new(&[include_str!("first_difference.css"), &style], "");
        let heading = format!("{}, seed {}: where two rounds part", page.title, page.seed);
        Page { sheet, heading, page }.render().expect("writing to a text does not fail") + "\n"
    }
}
