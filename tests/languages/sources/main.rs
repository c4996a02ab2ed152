// judge: game=mahjong
use std::io::stdin;
fn main() {
    let mut drawn = String::new();
    for line in stdin().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "draw" => drawn = words[1].to_owned(),
            "discard?" => println!("{drawn}"),
            "win?" => println!("yes"),
            _ => {}
        }
    }
}
