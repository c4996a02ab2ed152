//! The rule switches as text: in a testcase's options, and in the bots' first line.

use judge_core::Options;

use super::{Edge2428, Mapping, State};
use crate::{OptionError, OptionInfo};

const BOARD: &str = "board";
const MAPPING: &str = "mapping";
const EDGE_2428: &str = "edge_2428";
const REDRAW: &str = "redraw";

/// All switches, in the order of the bots' first line.
pub(super) static OPTIONS: [OptionInfo; 4] = [
    OptionInfo {
        key: BOARD,
        default: "standard",
        summary: "which board: standard (32 nodes) or loom (33 nodes)",
    },
    OptionInfo {
        key: MAPPING,
        default: "LSEF",
        summary: "types of the Loom's classes A to D: four letters of SLFE, or seed for a random one",
    },
    OptionInfo {
        key: EDGE_2428,
        default: "a",
        summary: "class of the Loom's edge 2428: a as the course's description prints it, or b as on \
                  its example board",
    },
    OptionInfo {
        key: REDRAW,
        default: "ask",
        summary: "weavers drawn in a side's first two turns: never put back, ask, or auto",
    },
];

/// The rules that may differ from round to round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// The board.
    pub board: BoardChoice,
    /// Types of the Loom's classes; `None` lets the seed choose.
    pub mapping: Option<Mapping>,
    /// Class of the Loom's edge 2428.
    pub edge_2428: Edge2428,
    /// Treatment of weavers drawn early.
    pub redraw: Redraw,
}

/// One of the two boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoardChoice {
    /// 32 nodes, 49 edges.
    Standard,
    /// 33 nodes, 66 edges, some of them empty.
    Loom,
}

impl std::fmt::Display for BoardChoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(name(&BOARDS, *self))
    }
}

/// The treatment of a Weft or a Warp that is drawn in one of a side's first two turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redraw {
    /// It is kept.
    Never,
    /// The side is asked, and asked again for a weaver drawn instead.
    Ask,
    /// Only tiles other than weavers are drawn.
    Auto,
}

const BOARDS: [(&str, BoardChoice); 2] =
    [("standard", BoardChoice::Standard), ("loom", BoardChoice::Loom)];

const EDGES_2428: [(&str, Edge2428); 2] = [("a", Edge2428::A), ("b", Edge2428::B)];

const REDRAWS: [(&str, Redraw); 3] =
    [("never", Redraw::Never), ("ask", Redraw::Ask), ("auto", Redraw::Auto)];

impl Rules {
    /// The default rules with these options set. Unknown keys are ignored.
    ///
    /// # Errors
    /// When an option has a value that it cannot have.
    pub fn from_options(options: &Options) -> Result<Rules, OptionError> {
        let [board, mapping, edge_2428, redraw] = [0, 1, 2, 3].map(|at| {
            let info = &OPTIONS[at];
            options.get(info.key).map_or(info.default, String::as_str)
        });
        Ok(Rules {
            board: choice(&BOARDS, board)
                .ok_or_else(|| refused(BOARD, board, "`standard` or `loom`"))?,
            mapping: read_mapping(mapping)?,
            edge_2428: choice(&EDGES_2428, edge_2428)
                .ok_or_else(|| refused(EDGE_2428, edge_2428, "`a` or `b`"))?,
            redraw: choice(&REDRAWS, redraw)
                .ok_or_else(|| refused(REDRAW, redraw, "`never`, `ask` or `auto`"))?,
        })
    }

    /// The empty board; the mapping is for the Loom.
    pub(super) fn start(&self, mapping: Mapping) -> State {
        match self.board {
            BoardChoice::Standard => State::standard(),
            BoardChoice::Loom => State::loom(mapping, self.edge_2428),
        }
    }

    /// These rules on every board, the most similar first: by the number of switches that differ.
    pub(super) fn on_every_board(&self) -> Vec<Rules> {
        let mappings = || std::iter::once(self.mapping).chain(Mapping::all().map(Some));
        let mut rules = Vec::new();
        for (_, board) in BOARDS {
            for mapping in mappings() {
                let with = |(_, edge_2428)| Rules { board, mapping, edge_2428, ..*self };
                rules.extend(EDGES_2428.map(with));
            }
        }
        rules.sort_by_key(|other| self.differences(other).len());
        rules
    }

    /// The switches of the board that differ in `other`, as `key=value`.
    pub(super) fn differences(&self, other: &Rules) -> Vec<String> {
        let switches = |rules: &Rules| {
            let edge_2428 = name(&EDGES_2428, rules.edge_2428);
            [
                format!("{BOARD}={}", rules.board),
                format!("{MAPPING}={}", mapping_value(rules.mapping)),
                format!("{EDGE_2428}={edge_2428}"),
            ]
        };
        let pairs = std::iter::zip(switches(self), switches(other));
        pairs.filter(|(own, other)| own != other).map(|(_, other)| other).collect()
    }
}

fn read_mapping(text: &str) -> Result<Option<Mapping>, OptionError> {
    if text == "seed" {
        return Ok(None);
    }
    let expected = "the letters S, L, F and E in some order, or `seed`";
    Mapping::from_letters(text).map(Some).ok_or_else(|| refused(MAPPING, text, expected))
}

fn choice<T: Copy>(choices: &[(&str, T)], value: &str) -> Option<T> {
    choices.iter().find(|(name, _)| *name == value).map(|(_, choice)| *choice)
}

fn name<T: Copy + PartialEq>(choices: &[(&'static str, T)], value: T) -> &'static str {
    choices.iter().find(|(_, choice)| *choice == value).map_or("", |(name, _)| name)
}

fn refused(key: &'static str, value: &str, expected: &'static str) -> OptionError {
    OptionError::Value { key, value: value.to_owned(), expected }
}

/// The value of the switch for the mapping.
fn mapping_value(mapping: Option<Mapping>) -> String {
    mapping.map_or("seed".to_owned(), |mapping| mapping.to_string())
}

/// All switches as `key=value`, in the order of [`OPTIONS`]; the class of edge 2428 only on the Loom.
pub(super) fn facts(rules: &Rules) -> String {
    let (mapping, redraw) = (mapping_value(rules.mapping), name(&REDRAWS, rules.redraw));
    let edge_2428 = match rules.board {
        BoardChoice::Standard => String::new(),
        BoardChoice::Loom => format!(" {EDGE_2428}={}", name(&EDGES_2428, rules.edge_2428)),
    };
    format!("{BOARD}={} {MAPPING}={mapping}{edge_2428} {REDRAW}={redraw}", rules.board)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(pairs: &[(&str, &str)]) -> Options {
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn defaults_match_their_list() {
        let listed: Vec<_> = OPTIONS.iter().map(|o| (o.key, o.default)).collect();
        let loom = Rules::from_options(&options(&[("board", "loom")])).expect("the defaults");
        let told = listed.iter().map(|(key, default)| format!("{key}={default}"));
        let told: Vec<_> = told.collect();
        assert_eq!(facts(&loom), told.join(" ").replace("standard", "loom"));
        let standard = Rules::from_options(&options(&[])).expect("the defaults");
        assert_eq!(facts(&standard), "board=standard mapping=LSEF redraw=ask");
        assert_eq!(Rules::from_options(&options(&listed)), Ok(standard));
    }

    #[test]
    fn every_value_can_be_set() {
        for board in ["standard", "loom"] {
            for mapping in ["SLFE", "EFLS", "seed"] {
                for edge_2428 in ["a", "b"] {
                    for redraw in ["never", "ask", "auto"] {
                        let set = [
                            (BOARD, board),
                            (MAPPING, mapping),
                            (EDGE_2428, edge_2428),
                            (REDRAW, redraw),
                        ];
                        let rules = Rules::from_options(&options(&set)).expect("allowed values");
                        let edge = format!(" edge_2428={edge_2428}");
                        let edge = if board == "loom" { edge.as_str() } else { "" };
                        let told = format!("board={board} mapping={mapping}{edge} redraw={redraw}");
                        assert_eq!(facts(&rules), told);
                    }
                }
            }
        }
    }

    #[test]
    fn other_values_are_refused() {
        for (key, value) in [
            ("board", "Loom"),
            ("board", ""),
            ("mapping", "SLF"),
            ("mapping", "SLFF"),
            ("mapping", "slfe"),
            ("edge_2428", "A"),
            ("edge_2428", "c"),
            ("redraw", "yes"),
        ] {
            assert!(Rules::from_options(&options(&[(key, value)])).is_err(), "{key}={value}");
        }
        let message =
            Rules::from_options(&options(&[("mapping", "ABCD")])).expect_err("classes").to_string();
        insta::assert_snapshot!(message, @"option `mapping` is `ABCD`: expected the letters S, L, F and E in some order, or `seed`");
    }
}
