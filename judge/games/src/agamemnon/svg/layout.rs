//! Positions of the nodes of both boards: no edges cross, and no edge runs through a number. Each
//! node has the centre of its tile and the centre of the number next to it.

use crate::agamemnon::Board;

/// The position of a node.
pub(in crate::agamemnon) struct Spot {
    /// The centre of its tile.
    pub(in crate::agamemnon) at: [i32; 2],
    /// The centre of its number while there is a tile.
    pub(super) label: [i32; 2],
}

/// The position of a node of a board. Both boards have nodes 00 to 31; the Loom has one more.
pub(in crate::agamemnon) fn spot(board: &Board, node: u8) -> Spot {
    let spots: &[[i32; 4]] = if board.nodes() == LOOM.len() { &LOOM } else { &STANDARD };
    let [x, y, label_x, label_y] = spots[usize::from(node) % spots.len()];
    Spot { at: [x, y], label: [label_x, label_y] }
}

#[rustfmt::skip]
const STANDARD: [[i32; 4]; 32] = [
    [48, 144, 23, 169], [91, 44, 58, 30], [48, 311, 15, 297], [49, 436, 16, 450],
    [128, 222, 128, 186], [204, 45, 179, 70], [142, 376, 156, 343], [73, 557, 87, 590],
    [231, 159, 256, 134], [230, 277, 266, 277], [322, 44, 347, 19], [250, 393, 275, 418],
    [182, 514, 157, 489], [345, 191, 378, 205], [352, 320, 319, 306], [428, 100, 442, 67],
    [290, 524, 315, 549], [230, 628, 216, 661], [460, 251, 435, 226], [383, 442, 350, 428],
    [537, 157, 562, 132], [406, 555, 439, 541], [340, 650, 340, 686], [541, 329, 566, 354],
    [494, 443, 469, 468], [628, 248, 653, 223], [461, 650, 486, 675], [600, 457, 625, 482],
    [543, 563, 507, 563], [681, 367, 714, 353], [698, 493, 662, 493], [652, 606, 685, 620],
];

#[rustfmt::skip]
const LOOM: [[i32; 4]; 33] = [
    [157, 48, 124, 34], [270, 44, 245, 19], [117, 156, 84, 142], [48, 257, 15, 271],
    [228, 146, 214, 179], [371, 44, 396, 19], [157, 269, 171, 236], [92, 370, 59, 384],
    [354, 152, 368, 185], [275, 254, 289, 287], [465, 78, 479, 45], [225, 360, 261, 360],
    [168, 462, 135, 476], [465, 188, 498, 202], [385, 275, 371, 242], [567, 124, 592, 99],
    [283, 461, 297, 494], [220, 568, 195, 593], [488, 305, 488, 341], [392, 393, 359, 379],
    [588, 243, 613, 218], [390, 511, 404, 544], [320, 618, 306, 651], [582, 359, 615, 373],
    [496, 445, 496, 409], [683, 296, 708, 271], [495, 556, 520, 531], [423, 650, 423, 686],
    [606, 471, 581, 496], [698, 415, 665, 401], [610, 585, 635, 610], [533, 649, 547, 682],
    [698, 533, 723, 558],
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agamemnon::{Edge2428, Mapping, State};

    type Point = [i32; 2];

    /// The side of the line from `a` to `b` on which the point `c` is.
    fn side([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point) -> i32 {
        ((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)).signum()
    }

    fn cross([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
        side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
    }

    #[test]
    fn no_edges_cross_and_no_tiles_touch() {
        for board in [State::standard().board, State::loom(Mapping::DEFAULT, Edge2428::A).board] {
            let at = |node| spot(&board, node).at;
            let lines: Vec<_> = board.ends().iter().map(|(a, b)| [at(*a), at(*b)]).collect();
            for (number, one) in lines.iter().enumerate() {
                assert!(lines[..number].iter().all(|other| !cross(*one, *other)), "edge {number}");
            }
            for one in 0..board.nodes() as u8 {
                for other in 0..one {
                    let [[ax, ay], [bx, by]] = [at(one), at(other)];
                    let apart = (ax - bx).pow(2) + (ay - by).pow(2);
                    assert!(apart > 60 * 60, "{one} {other}");
                }
            }
        }
    }
}
