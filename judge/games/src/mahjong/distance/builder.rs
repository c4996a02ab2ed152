//! Makes the tables of `generated/mod.rs`, and checks them.
//!
//! After a change here: `cargo test -p judge-games regenerate_distance_tables -- --ignored`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use super::profile::{PROFILES, ROW};

/// Most melds and partners that count together.
const MAX_BLOCKS: usize = 4;

/// The most that a state can take off the distance, with a pair allowed or not, and with 0 to 4
/// blocks (melds and partners); negative when that is impossible.
type Gains = [[i8; MAX_BLOCKS + 1]; 2];

const IMPOSSIBLE: i8 = -100;

/// Tiles still demanded by blocks that already count: of the next rank only, of the next two, and
/// of the rank after the next only.
type Demand = [u8; 3];

/// The outcomes still open after the ranks read so far. Suits in equal states are alike from here.
type State = BTreeMap<Demand, Gains>;

/// One way to use those tiles of one rank that no block demands.
struct Use {
    sequences: u8,
    partners_next: u8,
    partners_gap: u8,
    pair: bool,
    /// Blocks, and their part of the distance together with the pair.
    blocks: usize,
    gain: i8,
}

/// Every way to use some of `count` equal tiles.
fn uses(count: u8) -> Vec<Use> {
    let mut found = Vec::new();
    for code in 0..5_u32.pow(6) {
        let [sequences, partners_next, partners_gap, triplets, doubles, pair] =
            std::array::from_fn(|place| (code / 5_u32.pow(place as u32) % 5) as u8);
        let taken = sequences + partners_next + partners_gap + 3 * triplets + 2 * (doubles + pair);
        if taken <= count && pair <= 1 {
            let partners = partners_next + partners_gap + doubles;
            found.push(Use {
                sequences,
                partners_next,
                partners_gap,
                pair: pair == 1,
                blocks: usize::from(sequences + triplets + partners),
                gain: (2 * (sequences + triplets) + partners + pair) as i8,
            });
        }
    }
    found
}

/// Adds the gain of one way of use to `gains`; `None` when it allows no outcome at all.
fn used(gains: &Gains, way: &Use) -> Option<Gains> {
    let mut result = [[IMPOSSIBLE; MAX_BLOCKS + 1]; 2];
    for pair in usize::from(way.pair)..2 {
        for blocks in way.blocks..=MAX_BLOCKS {
            let before = gains[pair - usize::from(way.pair)][blocks - way.blocks];
            if before > IMPOSSIBLE {
                result[pair][blocks] = before + way.gain;
            }
        }
    }
    (result != [[IMPOSSIBLE; MAX_BLOCKS + 1]; 2]).then_some(result)
}

/// Reads one more rank with `count` tiles.
fn read_rank(state: &State, count: u8) -> State {
    static USES: LazyLock<[Vec<Use>; 5]> = LazyLock::new(|| [0, 1, 2, 3, 4].map(uses));
    let mut next = State::new();
    for (&[once, twice, later], gains) in state {
        let Some(free) = count.checked_sub(once + twice) else { continue };
        for way in &USES[usize::from(free)] {
            let demand = [twice + later + way.partners_next, way.sequences, way.partners_gap];
            if let Some(gains) = used(gains, way) {
                let entry = next.entry(demand).or_insert(gains);
                *entry = best_of(entry, &gains);
            }
        }
    }
    next.into_iter().map(|(demand, gains)| (demand, allow_less(gains))).collect()
}

fn best_of(a: &Gains, b: &Gains) -> Gains {
    std::array::from_fn(|p| std::array::from_fn(|blocks| a[p][blocks].max(b[p][blocks])))
}

/// Lets every number mean "at most": fewer blocks or no pair are allowed too.
fn allow_less(mut gains: Gains) -> Gains {
    for by_blocks in &mut gains {
        for blocks in 1..=MAX_BLOCKS {
            by_blocks[blocks] = by_blocks[blocks].max(by_blocks[blocks - 1]);
        }
    }
    gains[1] = std::array::from_fn(|blocks| gains[1][blocks].max(gains[0][blocks]));
    gains
}

/// The gains of a suit that ends in this state: two empty ranks meet no demand.
fn profile(state: &State) -> Gains {
    read_rank(&read_rank(state, 0), 0)[&[0; 3]]
}

/// The gains of two suits together.
fn join(a: &Gains, b: &Gains) -> Gains {
    let mut result = [[IMPOSSIBLE; MAX_BLOCKS + 1]; 2];
    for (pair_a, pair_b) in [(0, 0), (0, 1), (1, 0)] {
        for from_a in 0..=MAX_BLOCKS {
            for from_b in 0..=MAX_BLOCKS - from_a {
                let best = &mut result[pair_a + pair_b][from_a + from_b];
                *best = (*best).max(a[pair_a][from_a] + b[pair_b][from_b]);
            }
        }
    }
    result
}

/// Every state that some suit reaches, with the five that follow it.
fn reachable() -> (Vec<State>, Vec<[usize; 5]>) {
    let start = State::from([([0; 3], allow_less(start_gains()))]);
    let mut numbers = BTreeMap::from([(start.clone(), 0)]);
    let (mut states, mut follow) = (vec![start], Vec::new());
    while let Some(state) = states.get(follow.len()).cloned() {
        follow.push([0, 1, 2, 3, 4].map(|count| {
            let next = read_rank(&state, count);
            *numbers.entry(next.clone()).or_insert_with(|| {
                states.push(next);
                states.len() - 1
            })
        }));
    }
    (states, follow)
}

fn start_gains() -> Gains {
    let mut gains = [[IMPOSSIBLE; MAX_BLOCKS + 1]; 2];
    gains[0][0] = 0;
    gains
}

/// Merges states that no suit distinguishes (Moore's algorithm); returns the class of each state,
/// with classes numbered by first appearance.
fn merged(labels: &[usize], follow: &[[usize; 5]]) -> Vec<usize> {
    let mut classes = labels.to_vec();
    let mut count = 0;
    loop {
        let mut numbers = BTreeMap::new();
        classes = (0..classes.len())
            .map(|state| {
                let seen = (classes[state], follow[state].map(|next| classes[next]));
                let fresh = numbers.len();
                *numbers.entry(seen).or_insert(fresh)
            })
            .collect();
        if numbers.len() == count {
            return classes;
        }
        count = numbers.len();
    }
}

/// The three tables.
struct Tables {
    automaton: Vec<[usize; ROW]>,
    join: Vec<Vec<usize>>,
    ordinary: Vec<i8>,
}

fn build() -> Tables {
    let (states, follow) = reachable();
    let ends: Vec<Gains> = states.iter().map(profile).collect();
    let mut profiles = ends.clone();
    profiles.sort_unstable();
    profiles.dedup();
    let number = |gains: &Gains| profiles.binary_search(gains).expect("joins stay in the set");
    let labels: Vec<usize> = ends.iter().map(number).collect();
    let classes = merged(&labels, &follow);
    let mut automaton = Vec::new();
    for state in 0..states.len() {
        if classes[state] == automaton.len() {
            let next = follow[state].map(|next| classes[next] * ROW);
            automaton.push([next[0], next[1], next[2], next[3], next[4], labels[state]]);
        }
    }
    Tables {
        automaton,
        join: profiles
            .iter()
            .map(|a| profiles.iter().map(|b| number(&join(a, b))).collect())
            .collect(),
        ordinary: profiles.iter().map(|gains| 8 - gains[1][MAX_BLOCKS]).collect(),
    }
}

/// The source of `generated/mod.rs`.
fn source(tables: &Tables) -> String {
    let mut text = String::from(
        "//! The tables of `profile.rs`, made by `builder.rs`. Do not edit.\n\n\
         use super::profile::{PROFILES, ROW};\n\n",
    );
    let mut put = |name: &str, comment: &str, kind: &str, rows: Vec<String>| {
        let rows: String = rows.iter().map(|row| format!("    {row},\n")).collect();
        write!(
            text,
            "/// {comment}\n#[rustfmt::skip]\npub(super) static {name}: {kind} = [\n{rows}];\n\n"
        )
        .expect("a string takes everything");
    };
    let list = |row: &[usize]| row.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    put(
        "AUTOMATON",
        "For each state, the place of the next one for 0 to 4 tiles, then the profile.",
        &format!("[u16; {} * ROW]", tables.automaton.len()),
        tables.automaton.iter().map(|row| list(row)).collect(),
    );
    put(
        "JOIN",
        "The profile of two profiles together.",
        "[[u8; PROFILES]; PROFILES]",
        tables.join.iter().map(|row| format!("[{}]", list(row))).collect(),
    );
    put(
        "ORDINARY",
        "The ordinary distance of a hand of that profile.",
        "[i8; PROFILES]",
        vec![tables.ordinary.iter().map(i8::to_string).collect::<Vec<_>>().join(", ")],
    );
    text.trim_end().to_owned() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_tables_match_their_builder() {
        let tables = build();
        assert_eq!(tables.ordinary.len(), PROFILES);
        assert_eq!(source(&tables), include_str!("generated/mod.rs"));
    }

    #[test]
    #[ignore = "writes the tables into the source"]
    fn regenerate_distance_tables() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/mahjong/distance/generated/mod.rs");
        std::fs::write(path, source(&build())).expect("the source folder can be written");
    }
}
