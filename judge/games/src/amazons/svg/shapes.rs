//! The amazon and the burnt square as symbols of 100 × 100 units, and the colours of the picture.

use svg::node::element::{Circle, Definitions, Path, Rectangle, Symbol, Use};

/// The game's own classes: the two kinds of squares, the pieces, ash and flame, and the tints.
pub(super) const STYLE: &str = "\
.j-amazons-light{fill:#e9e6dc}.j-amazons-dark{fill:#c3c6b4}\
.j-amazons-last{fill:#f2cf4a;fill-opacity:.55}\
.j-amazons-tint{fill-opacity:.3}\
.j-amazons-white{fill:#fdfcf8;stroke:#22232a;stroke-width:4;stroke-linejoin:round}\
.j-amazons-black{fill:#24252c;stroke:#efece2;stroke-width:2;stroke-linejoin:round}\
.j-amazons-char{fill:#4a4038}.j-amazons-ash{fill:#73675c}\
.j-amazons-flame{fill:#f07a1c}.j-amazons-core{fill:#ffd75e}\
.j-amazons-way{fill:none;stroke:#8a6d00;stroke-linecap:round}\
.j-amazons-shot{fill:none;stroke:#c2410c;stroke-linecap:round}.j-amazons-head{fill:#c2410c}\
.j-amazons-strong{font-weight:600}\
@media(prefers-color-scheme:dark){.j-amazons-light{fill:#8b9388}.j-amazons-dark{fill:#717a6f}\
.j-amazons-last{fill:#d9b32c;fill-opacity:.5}.j-amazons-tint{fill-opacity:.42}\
.j-amazons-char{fill:#2b2621}.j-amazons-ash{fill:#574d44}\
.j-amazons-way{stroke:#4d3c00}.j-amazons-shot{stroke:#8f2a00}.j-amazons-head{fill:#8f2a00}}";

/// Body and base of an amazon: a crown with an arrow as its middle point.
const CROWN: &str = "M12 36L29 54L32 28L43 48L45 48L45 31L36 31L50 9L64 31L55 31L55 48L57 48L68 28\
L71 54L88 36L79 76Q50 68 21 76Z";
const BASE: &str = "M22 80Q50 72 78 80L80 90Q50 98 20 90Z";

/// Tips of the crown.
const TIPS: [(i32, i32); 4] = [(12, 33), (32, 24), (68, 24), (88, 33)];

/// A flame, and the bright middle of a fresh one.
const FLAME: &str = "M52 16C56 34 76 42 74 63C73 77 62 85 50 85C37 85 27 76 27 62C27 51 34 46 37 36\
C42 40 44 44 45 49C51 41 54 30 52 16Z";
const CORE: &str = "M52 50C55 58 62 61 62 69C62 76 57 80 50 80C43 80 39 76 39 69C39 63 43 61 45 56\
C48 58 49 59 49 62C52 59 53 55 52 50Z";

/// The name of a symbol, unique in a page around the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// An amazon; its class gives the side.
    Amazon,
    /// A square burnt some time ago.
    Ashes,
    /// The square burnt last.
    Fire,
}

impl Shape {
    fn id(self) -> &'static str {
        match self {
            Shape::Amazon => "j-amazons-amazon",
            Shape::Ashes => "j-amazons-ashes",
            Shape::Fire => "j-amazons-fire",
        }
    }

    /// The shape in a square of the picture.
    pub(super) fn at(self, class: &str, [x, y]: [i32; 2], side: i32) -> Use {
        let shape = Use::new().set("href", format!("#{}", self.id())).set("class", class);
        shape.set("x", x).set("y", y).set("width", side).set("height", side)
    }
}

/// All symbols.
pub(super) fn definitions() -> Definitions {
    Definitions::new().add(amazon()).add(burnt(Shape::Ashes)).add(burnt(Shape::Fire))
}

fn symbol(shape: Shape) -> Symbol {
    Symbol::new().set("id", shape.id()).set("viewBox", "0 0 100 100")
}

/// Has no colours: the elements that use it have them.
fn amazon() -> Symbol {
    let body = symbol(Shape::Amazon).add(Path::new().set("d", CROWN));
    let body = body.add(Path::new().set("d", BASE));
    TIPS.into_iter()
        .fold(body, |body, (x, y)| body.add(Circle::new().set("cx", x).set("cy", y).set("r", 6)))
}

fn burnt(shape: Shape) -> Symbol {
    let ground = Rectangle::new().set("class", "j-amazons-char").set("x", 7).set("y", 7);
    let ground = ground.set("width", 86).set("height", 86).set("rx", 16);
    let flame = |class: &str, path: &str| Path::new().set("class", class).set("d", path);
    let symbol = symbol(shape).add(ground);
    if shape == Shape::Fire {
        return symbol.add(flame("j-amazons-flame", FLAME)).add(flame("j-amazons-core", CORE));
    }
    symbol.add(flame("j-amazons-ash", FLAME))
}
