//! Marks in a bot's log (`@mark e4 red`), drawn on the pictures of a round. `sdk/PROTOCOL.md`
//! describes them.

use judge_core::printable;
use judge_games::Target;

/// Maximum number of marks on a picture.
const MOST: usize = 200;

/// Longest text of a value.
const LONGEST: usize = 12;

/// Colours that are visible on light and dark boards, the default first.
const COLOURS: [(&str, &str); 6] = [
    ("red", "#e03131"),
    ("orange", "#f08c00"),
    ("yellow", "#f2c200"),
    ("green", "#2f9e44"),
    ("blue", "#1c7ed6"),
    ("purple", "#9c36b5"),
];

/// The marks that a bot wrote during one of its calls.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct BoardMarks<'a> {
    drawn: Vec<BoardMark<'a>>,
    /// The texts of `@text`, in order.
    texts: Vec<&'a str>,
}

/// A mark on the board. Places are named as in answers; unknown places are not drawn.
#[derive(Debug, PartialEq, Eq)]
enum BoardMark<'a> {
    Place { place: &'a str, colour: &'static str },
    Arrow { from: &'a str, to: &'a str, colour: &'static str },
    Value { place: &'a str, text: &'a str },
}

impl<'a> BoardMarks<'a> {
    /// Reads the lines of a log that are marks.
    pub(crate) fn read(log: &'a str) -> BoardMarks<'a> {
        let mut marks = BoardMarks::default();
        for line in log.lines().filter(|line| line.starts_with('@')) {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            let rest = rest.trim();
            match word {
                "@text" if !rest.is_empty() => marks.texts.push(rest),
                _ if marks.drawn.len() < MOST => marks.drawn.extend(BoardMark::read(word, rest)),
                _ => {}
            }
        }
        marks
    }

    /// The texts for below the picture; none without any.
    pub(crate) fn text(&self) -> Option<String> {
        (!self.texts.is_empty()).then(|| self.texts.join(" · "))
    }

    /// Draws the marks on a picture with these places.
    pub(crate) fn draw(&self, picture: &str, targets: &[Target]) -> String {
        let shapes: Vec<String> = self.drawn.iter().flat_map(|mark| mark.shapes(targets)).collect();
        match picture.rsplit_once("</svg>") {
            Some((before, after)) if !shapes.is_empty() => {
                format!("{before}{}\n</svg>{after}", shapes.join("\n"))
            }
            _ => picture.to_owned(),
        }
    }
}

impl<'a> BoardMark<'a> {
    fn read(word: &str, rest: &'a str) -> Option<BoardMark<'a>> {
        let mut words = rest.split_whitespace();
        match word {
            "@mark" => {
                Some(BoardMark::Place { place: words.next()?, colour: colour(words.next()) })
            }
            "@arrow" => {
                let (from, to) = (words.next()?, words.next()?);
                Some(BoardMark::Arrow { from, to, colour: colour(words.next()) })
            }
            "@value" => {
                let (place, text) = rest.split_once(char::is_whitespace)?;
                Some(BoardMark::Value { place, text: text.trim() })
            }
            _ => None,
        }
    }

    /// The mark as elements of SVG. A tile that a hand holds twice is marked twice.
    fn shapes(&self, targets: &[Target]) -> Vec<String> {
        let at = |place: &str| {
            let place = place.to_owned();
            targets.iter().filter(move |target| target.part == place)
        };
        match self {
            BoardMark::Place { place, colour } => {
                at(place).map(|target| frame(target, colour)).collect()
            }
            BoardMark::Arrow { from, to, colour } => match (at(from).next(), at(to).next()) {
                (Some(from), Some(to)) if middle(from) != middle(to) => {
                    vec![arrow(middle(from), middle(to), colour)]
                }
                _ => Vec::new(),
            },
            BoardMark::Value { place, text } => {
                at(place).map(|target| value(target, text)).collect()
            }
        }
    }
}

fn colour(word: Option<&str>) -> &'static str {
    let known = COLOURS.iter().find(|(name, _)| Some(*name) == word);
    known.unwrap_or(&COLOURS[0]).1
}

fn middle(target: &Target) -> [i32; 2] {
    [0, 1].map(|axis| target.at[axis] + target.size[axis] / 2)
}

fn frame(target: &Target, colour: &str) -> String {
    let ([x, y], [width, height]) =
        (target.at.map(|edge| edge + 2), target.size.map(|side| side - 4));
    format!(
        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"4\" fill=\"{colour}\" \
         fill-opacity=\".3\" stroke=\"{colour}\" stroke-width=\"3\"/>"
    )
}

/// A line with a head of sixteen units. Whole numbers only, like the pictures.
fn arrow([x, y]: [i32; 2], [to_x, to_y]: [i32; 2], colour: &str) -> String {
    let (along, across) = (i64::from(to_x - x), i64::from(to_y - y));
    let length = (along * along + across * across).isqrt().max(1);
    let back = |part: i64, of: i64| i64::from([to_x, to_y][part as usize]) - of / length;
    let (left, right) = (
        [back(0, 16 * along - 8 * across), back(1, 16 * across + 8 * along)],
        [back(0, 16 * along + 8 * across), back(1, 16 * across - 8 * along)],
    );
    let [end_x, end_y] = [back(0, 12 * along), back(1, 12 * across)];
    format!(
        "<line x1=\"{x}\" y1=\"{y}\" x2=\"{end_x}\" y2=\"{end_y}\" stroke=\"{colour}\" \
         stroke-width=\"5\" stroke-opacity=\".8\"/><path d=\"M{to_x} {to_y}L{} {}L{} {}z\" \
         fill=\"{colour}\"/>",
        left[0], left[1], right[0], right[1]
    )
}

fn value(target: &Target, text: &str) -> String {
    let ([x, y], size) = (middle(target), (target.size[1] / 3).clamp(10, 18));
    let text = printable(text, LONGEST);
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!(
        "<text x=\"{x}\" y=\"{}\" font-size=\"{size}\" font-weight=\"700\" text-anchor=\"middle\" \
         fill=\"#111\" stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\">{text}</text>",
        y + size / 3
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(part: &str, at: [i32; 2]) -> Target {
        Target { part: part.to_owned(), at, size: [30, 30] }
    }

    fn drawn(log: &str) -> String {
        let targets = [target("a1", [0, 0]), target("b1", [30, 0]), target("b1", [60, 0])];
        BoardMarks::read(log).draw("<svg>\n<g/>\n</svg>\n", &targets)
    }

    #[test]
    fn every_kind_of_mark_is_drawn_inside_the_picture() {
        let picture = drawn("thinking\n@mark a1 blue\n@arrow a1 b1\n@value b1 0.83\n@text hello");
        assert!(picture.starts_with("<svg>\n<g/>\n<rect x=\"2\""), "{picture}");
        assert!(picture.contains("fill=\"#1c7ed6\"") && picture.ends_with("</svg>\n"));
        assert!(picture.contains("<path d=\"M45 15L29 7L29 23z\" fill=\"#e03131\"/>"), "{picture}");
        assert_eq!(picture.matches(">0.83</text>").count(), 2, "each place of that name");
        assert!(!picture.contains("hello"), "a text is shown below the picture");
    }

    #[test]
    fn unknown_places_words_and_colours_are_ignored() {
        let plain = "<svg>\n<g/>\n</svg>\n";
        for log in
            ["@mark z9", "@mark", "@arrow a1", "@arrow a1 a1", "@value a1", "@x a1", " @mark a1"]
        {
            assert_eq!(drawn(log), plain, "{log}");
        }
        assert!(drawn("@mark a1 \"/><script>").contains("stroke=\"#e03131\""));
        let picture = drawn("@value a1 <b>&amp;\u{202e}");
        assert!(picture.contains(">&lt;b&gt;&amp;amp;"), "{picture}");
        assert!(!picture.contains('\u{202e}'));
        let many = "@mark a1\n".repeat(1000);
        assert_eq!(drawn(&many).matches("<rect").count(), MOST);
    }

    #[test]
    fn texts_are_joined() {
        assert_eq!(
            BoardMarks::read("@text one\n@text\n@text two ").text().as_deref(),
            Some("one · two")
        );
        assert_eq!(BoardMarks::read("text").text(), None);
    }
}
