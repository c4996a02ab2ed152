// judge: game=agamemnon
//! A bot for Agamemnon in Rust.

use std::collections::BTreeMap;
use std::io::stdin;

/// The empty nodes, each with the nodes at the other ends of its edges.
type Nodes<'a> = BTreeMap<&'a str, Vec<&'a str>>;

/// YOUR STRATEGY: how good it is to place a tile of this kind (`a` to `j`) on this node. The best
/// empty node is taken.
fn value(nodes: &Nodes<'_>, kind: char, node: &str) -> i32 {
    let edges = nodes[node].len() as i32;
    if kind == 'i' || kind == 'j' { -edges } else { edges }
}

/// A Weft (`i`) or Warp (`j`) was drawn: do you put it back for another tile?
fn puts_back(kind: &str) -> bool {
    kind == "i"
}

// What follows talks with the judge. `eprintln!` writes to your log.

fn read<'a>(tiles: &'a str, edges: &'a str) -> Nodes<'a> {
    let mut nodes = Nodes::new();
    for at in (0..edges.len() / 5).map(|edge| 5 * edge) {
        let (one, two) = (&edges[at + 1..at + 3], &edges[at + 3..at + 5]);
        nodes.entry(one).or_default().push(two);
        nodes.entry(two).or_default().push(one);
    }
    for at in (0..tiles.len() / 4).map(|tile| 4 * tile) {
        nodes.remove(&tiles[at + 2..at + 4]);
    }
    nodes
}

fn place(nodes: &mut Nodes<'_>, me: char, kind: char) -> String {
    let best = nodes.keys().copied().max_by_key(|node| value(nodes, kind, node));
    let node = best.expect("two nodes stay empty");
    let ends = nodes.remove(node).unwrap_or_default();
    // A Warp exchanges the types of two edges at its node; the same edge twice changes nothing.
    let edges = if kind == 'j' { ends[0].repeat(2) } else { String::new() };
    format!("{me}{kind}{node}{edges}")
}

fn main() {
    let mut me = 'O';
    for line in stdin().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "game" => me = if words[3] == "1" { 'O' } else { 'B' },
            "redraw?" => println!("{}", if puts_back(words[1]) { "yes" } else { "no" }),
            "move?" => {
                let mut nodes = read(words[2], words[3]);
                let placed = words[1].chars().map(|kind| place(&mut nodes, me, kind));
                println!("{}", placed.collect::<String>());
            }
            _ => {}
        }
    }
}
