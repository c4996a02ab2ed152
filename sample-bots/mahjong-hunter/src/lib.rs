//! Weighs Faan against speed.

use judge_bot::mahjong::{Brain, Hand, Tile};

#[derive(Default)]
struct Hunter {
    hand: Hand,
}

impl Brain for Hunter {
    fn draw(&mut self, tile: Tile) {
        self.hand.insert(tile).expect("the judge deals at most four of a tile");
    }

    fn discard(&mut self) -> Tile {
        let largest = self.hand.largest().expect("asked with 14 tiles");
        self.hand.remove(largest);
        largest
    }
}

judge_bot::mahjong_bot!(Hunter, name: "hunter", author: "judge");
