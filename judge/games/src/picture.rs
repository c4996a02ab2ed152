//! Parts that the pictures of all games share: the document, its colours in light and dark, and
//! text. Whole numbers only, so that a picture has the same bytes everywhere.

use svg::Document;
use svg::node::element::{Rectangle, Style, Text, Title};

/// Classes for the elements of a picture. Seats are blue and orange, which most colour-blind people
/// can distinguish; `j-` keeps the names apart from those of a page around the picture.
const STYLE: &str = "\
.j-paper{fill:#faf7f0}.j-panel{fill:#f0eadc}.j-ink{fill:#2a2a31}.j-muted{fill:#77736a}\
.j-line{fill:none;stroke:#b9b19f;stroke-width:1}.j-rule{fill:none;stroke:#2a2a31;stroke-width:2}\
.j-one{fill:#2464b4}.j-two{fill:#d9641e}.j-on{fill:#fff}.j-last{fill:#f6d860}\
.j-one-line{fill:none;stroke:#2464b4}.j-two-line{fill:none;stroke:#d9641e}\
text{font-family:ui-sans-serif,system-ui,'Segoe UI',Helvetica,Arial,sans-serif}\
@media(prefers-color-scheme:dark){.j-paper{fill:#1d1e23}.j-panel{fill:#2a2c33}.j-ink{fill:#ece9e2}\
.j-muted{fill:#a09c92}.j-line{stroke:#55565f}.j-rule{stroke:#ece9e2}.j-one{fill:#5a9bea}\
.j-two{fill:#f08a46}.j-on{fill:#16171a}.j-last{fill:#8a7420}.j-one-line{stroke:#5a9bea}\
.j-two-line{stroke:#f08a46}}";

/// Position of a text relative to its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// The text begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

/// An empty picture of that size, with a title for screen readers. `style` has the rules for the
/// game's own classes, which begin with `j-` and the game's name.
pub(crate) fn document(width: i32, height: i32, title: &str, style: &str) -> Document {
    Document::new()
        .set("viewBox", format!("0 0 {width} {height}"))
        .set("role", "img")
        .add(Title::new(title))
        .add(Style::new(format!("{STYLE}{style}")))
        .add(rectangle("j-paper", [0, 0], [width, height]))
}

/// The text of a picture, which ends with its one line feed.
pub(crate) fn finish(picture: &Document) -> String {
    format!("{picture}\n")
}

/// A rectangle of a class.
pub(crate) fn rectangle(class: &str, [x, y]: [i32; 2], [width, height]: [i32; 2]) -> Rectangle {
    let rectangle = Rectangle::new().set("class", class).set("x", x).set("y", y);
    rectangle.set("width", width).set("height", height)
}

/// A text on a base line, `size` units high.
pub(crate) fn text(
    class: &str,
    [x, y]: [i32; 2],
    size: i32,
    anchor: Anchor,
    content: impl Into<String>,
) -> Text {
    let text = Text::new(content).set("class", class).set("x", x).set("y", y);
    let text = text.set("font-size", size);
    match anchor {
        Anchor::Start => text,
        Anchor::Middle => text.set("text-anchor", "middle"),
        Anchor::End => text.set("text-anchor", "end"),
    }
}

/// The class that fills in the colour of a seat.
pub(crate) fn seat_class(seat: judge_core::Seat) -> &'static str {
    ["j-one", "j-two"][seat.index()]
}
