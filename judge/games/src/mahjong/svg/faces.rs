//! The faces of tiles: bone with bamboo sticks, characters and dots, and green backs. Each is a
//! symbol of 60 × 80 units that a picture can use many times.

use svg::node::element::{Circle, Path, Rectangle, Symbol, Use};

use crate::mahjong::{Suit, Tile};
use crate::picture::{Anchor, rectangle, text};

/// Classes of the tiles. Bone keeps its colour in the dark mode, but dimmer.
pub(super) const STYLE: &str = "\
.j-mahjong-base{fill:#2c7a59}.j-mahjong-edge{fill:#d8cca9}.j-mahjong-bone{fill:#fdf9ed}\
.j-mahjong-rim{fill:none;stroke:#b5a987;stroke-width:2}\
.j-mahjong-lid{fill:#3a916c}.j-mahjong-weave{fill:none;stroke:#7fc0a1;stroke-width:2}\
.j-mahjong-green{fill:#1c7c48}.j-mahjong-red{fill:#c62f2b}.j-mahjong-blue{fill:#2256a3}\
.j-mahjong-navy{fill:#22315c}.j-mahjong-strokes{fill:none;stroke:#c62f2b;stroke-width:4}\
.j-mahjong-digit{font-weight:700}\
@media(prefers-color-scheme:dark){.j-mahjong-bone{fill:#e6decb}.j-mahjong-edge{fill:#b3a888}\
.j-mahjong-rim{stroke:#8d8265}.j-mahjong-lid{fill:#2c7556}.j-mahjong-base{fill:#1d5940}\
.j-mahjong-weave{stroke:#5a9c7d}}";

/// A tile at a place, with the given width and a height one third larger.
pub(super) fn tile(face: Option<Tile>, [x, y]: [i32; 2], width: i32) -> Use {
    let at = Use::new().set("href", format!("#{}", id(face))).set("x", x).set("y", y);
    at.set("width", width).set("height", height(width))
}

/// Height of a tile of that width.
pub(super) fn height(width: i32) -> i32 {
    width * 4 / 3
}

fn id(face: Option<Tile>) -> String {
    format!("j-mahjong-{}", face.map_or("back", Tile::name))
}

/// The symbols of [`tile`]: a face, or the back.
pub(super) fn symbol(face: Option<Tile>) -> Symbol {
    let block = Symbol::new()
        .set("id", id(face))
        .set("viewBox", "0 0 60 80")
        .add(rectangle("j-mahjong-base", [0, 8], [60, 72]).set("rx", 9))
        .add(rectangle("j-mahjong-edge", [0, 4], [60, 71]).set("rx", 9));
    let Some(tile) = face else {
        return block
            .add(rectangle("j-mahjong-lid", [0, 0], [60, 72]).set("rx", 9))
            .add(rectangle("j-mahjong-weave", [8, 8], [44, 56]).set("rx", 5))
            .add(
                Path::new().set("class", "j-mahjong-weave").set("d", "M30 20L44 36L30 52L16 36Z"),
            );
    };
    let block = block
        .add(rectangle("j-mahjong-bone", [0, 0], [60, 72]).set("rx", 9))
        .add(rectangle("j-mahjong-rim", [1, 1], [58, 70]).set("rx", 8));
    match tile.suit() {
        Suit::Bamboo => bamboo(index(block, tile, "green"), tile.rank()),
        Suit::Characters => characters(block, tile.rank()),
        Suit::Dots => dots(index(block, tile, "blue"), tile.rank()),
    }
}

/// The rank in the corner, so that viewers need not count.
fn index(block: Symbol, tile: Tile, colour: &str) -> Symbol {
    let class = format!("j-mahjong-digit j-mahjong-{colour}");
    block.add(text(&class, [5, 17], 16, Anchor::Start, tile.rank().to_string()))
}

/// The rank, and a red sign below it.
fn characters(block: Symbol, rank: u8) -> Symbol {
    let sign = "M12 47H48M23 42V52M37 42V52M19 55H41V61H19ZM30 52V67M14 67V64H46V67";
    let class = "j-mahjong-digit j-mahjong-navy";
    block
        .add(text(class, [30, 37], 36, Anchor::Middle, rank.to_string()))
        .add(Path::new().set("class", "j-mahjong-strokes").set("d", sign))
}

/// A coloured place on a face.
type Spot = (&'static str, i32, i32);

const GREEN: &str = "j-mahjong-green";
const RED: &str = "j-mahjong-red";
const BLUE: &str = "j-mahjong-blue";

/// Centres of the dots of each rank from 2, and their radius.
const DOTS: [(i32, &[Spot]); 8] = [
    (10, &[(GREEN, 30, 25), (BLUE, 30, 53)]),
    (8, &[(BLUE, 44, 20), (RED, 30, 39), (GREEN, 16, 58)]),
    (8, &[(BLUE, 19, 30), (GREEN, 41, 30), (GREEN, 19, 55), (BLUE, 41, 55)]),
    (7, &[(BLUE, 17, 29), (GREEN, 43, 24), (RED, 30, 41), (GREEN, 17, 57), (BLUE, 43, 57)]),
    (
        7,
        &[
            (GREEN, 21, 25),
            (GREEN, 41, 25),
            (RED, 21, 43),
            (RED, 41, 43),
            (RED, 21, 60),
            (RED, 41, 60),
        ],
    ),
    (
        6,
        &[
            (GREEN, 45, 13),
            (GREEN, 31, 20),
            (GREEN, 17, 27),
            (RED, 21, 45),
            (RED, 40, 45),
            (RED, 21, 61),
            (RED, 40, 61),
        ],
    ),
    (
        6,
        &[
            (BLUE, 23, 17),
            (BLUE, 41, 17),
            (BLUE, 23, 32),
            (BLUE, 41, 32),
            (BLUE, 23, 47),
            (BLUE, 41, 47),
            (BLUE, 23, 62),
            (BLUE, 41, 62),
        ],
    ),
    (
        6,
        &[
            (BLUE, 15, 27),
            (BLUE, 30, 27),
            (BLUE, 45, 27),
            (RED, 15, 44),
            (RED, 30, 44),
            (RED, 45, 44),
            (GREEN, 15, 61),
            (GREEN, 30, 61),
            (GREEN, 45, 61),
        ],
    ),
];

fn dots(block: Symbol, rank: u8) -> Symbol {
    let Some((radius, spots)) = usize::from(rank).checked_sub(2).map(|at| DOTS[at]) else {
        return [("j-mahjong-blue", 19), ("j-mahjong-bone", 15), ("j-mahjong-green", 12)]
            .into_iter()
            .chain([("j-mahjong-bone", 8), ("j-mahjong-red", 5)])
            .fold(block, |block, (class, radius)| block.add(circle((class, 32, 41), radius)));
    };
    spots.iter().fold(block, |block, (class, x, y)| {
        block.add(circle((class, *x, *y), radius)).add(circle(("j-mahjong-bone", *x, *y), 2))
    })
}

fn circle((class, x, y): Spot, radius: i32) -> Circle {
    Circle::new().set("class", class).set("cx", x).set("cy", y).set("r", radius)
}

/// Centres of the sticks of each rank from 2, and their length.
const STICKS: [(i32, &[Spot]); 8] = [
    (24, &[(BLUE, 30, 24), (GREEN, 30, 53)]),
    (24, &[(BLUE, 30, 24), (GREEN, 19, 53), (GREEN, 41, 53)]),
    (22, &[(BLUE, 19, 30), (GREEN, 41, 30), (GREEN, 19, 56), (BLUE, 41, 56)]),
    (22, &[(GREEN, 19, 30), (BLUE, 42, 30), (RED, 30, 43), (BLUE, 19, 56), (GREEN, 42, 56)]),
    (
        22,
        &[
            (GREEN, 17, 31),
            (GREEN, 30, 31),
            (GREEN, 43, 31),
            (BLUE, 17, 57),
            (BLUE, 30, 57),
            (BLUE, 43, 57),
        ],
    ),
    (
        16,
        &[
            (RED, 30, 17),
            (GREEN, 17, 38),
            (BLUE, 30, 38),
            (GREEN, 43, 38),
            (GREEN, 17, 59),
            (BLUE, 30, 59),
            (GREEN, 43, 59),
        ],
    ),
    (
        15,
        &[
            (GREEN, 17, 27),
            (GREEN, 30, 27),
            (GREEN, 43, 27),
            (BLUE, 23, 44),
            (BLUE, 37, 44),
            (GREEN, 17, 61),
            (GREEN, 30, 61),
            (GREEN, 43, 61),
        ],
    ),
    (
        15,
        &[
            (GREEN, 17, 27),
            (RED, 30, 27),
            (BLUE, 43, 27),
            (GREEN, 17, 44),
            (RED, 30, 44),
            (BLUE, 43, 44),
            (GREEN, 17, 61),
            (RED, 30, 61),
            (BLUE, 43, 61),
        ],
    ),
];

fn bamboo(block: Symbol, rank: u8) -> Symbol {
    let Some((length, spots)) = usize::from(rank).checked_sub(2).map(|at| STICKS[at]) else {
        return shoot(block);
    };
    spots.iter().fold(block, |block, spot| {
        let [stick, joint] = stick(*spot, length);
        block.add(stick).add(joint)
    })
}

/// A stick and the joint in its middle.
fn stick((class, x, y): Spot, length: i32) -> [Rectangle; 2] {
    [
        rectangle(class, [x - 4, y - length / 2], [8, length]).set("rx", 4),
        rectangle("j-mahjong-bone", [x - 4, y - 1], [8, 2]),
    ]
}

/// The one of bamboo is a shoot with two leaves.
fn shoot(block: Symbol) -> Symbol {
    let leaves = "M34 42Q36 27 50 22Q51 38 34 42ZM28 52Q25 37 11 33Q11 48 28 52Z";
    block
        .add(rectangle(GREEN, [27, 14], [8, 52]).set("rx", 4))
        .add(rectangle("j-mahjong-bone", [27, 30], [8, 2]))
        .add(rectangle("j-mahjong-bone", [27, 48], [8, 2]))
        .add(Path::new().set("class", RED).set("d", leaves))
}
