//! The rule switches as text: in a testcase's options, and in the bots' first line.

use judge_core::Options;

use super::{Mapping, State};
use crate::{OptionError, OptionInfo};

const BOARD: &str = "board";
const MAPPING: &str = "mapping";
const REDRAW: &str = "redraw";

/// All switches, in the order in which bots are told of them.
pub(super) static OPTIONS: [OptionInfo; 3] = [
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
        key: REDRAW,
        default: "ask",
        summary: "weavers drawn in a side's first two turns: never put back, ask, or auto",
    },
];

/// What may differ between matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// Which board.
    pub board: BoardChoice,
    /// Types of the Loom's classes; `None` lets the seed choose.
    pub mapping: Option<Mapping>,
    /// What becomes of weavers drawn early.
    pub redraw: Redraw,
}

/// Which of the two boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoardChoice {
    /// 32 nodes, 49 edges.
    Standard,
    /// 33 nodes, 66 edges, some of them empty.
    Loom,
}

impl BoardChoice {
    /// The empty board; the mapping is the Loom's alone.
    pub(super) fn start(self, mapping: Mapping) -> State {
        match self {
            BoardChoice::Standard => State::standard(),
            BoardChoice::Loom => State::loom(mapping),
        }
    }
}

impl std::fmt::Display for BoardChoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(name(&BOARDS, *self))
    }
}

/// What becomes of a Weft or a Warp that is drawn in one of a side's first two turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redraw {
    /// It is kept.
    Never,
    /// The side is asked, and asked again for a weaver drawn instead.
    Ask,
    /// Only tiles that are no weavers are drawn.
    Auto,
}

const BOARDS: [(&str, BoardChoice); 2] =
    [("standard", BoardChoice::Standard), ("loom", BoardChoice::Loom)];

const REDRAWS: [(&str, Redraw); 3] =
    [("never", Redraw::Never), ("ask", Redraw::Ask), ("auto", Redraw::Auto)];

impl Rules {
    /// The rules that the options make of the default ones. Unknown keys are passed over.
    ///
    /// # Errors
    /// When an option has a value that it cannot have.
    pub fn from_options(options: &Options) -> Result<Rules, OptionError> {
        let [board, mapping, redraw] = [0, 1, 2].map(|at| {
            let info = &OPTIONS[at];
            options.get(info.key).map_or(info.default, String::as_str)
        });
        Ok(Rules {
            board: choice(&BOARDS, board)
                .ok_or_else(|| refused(BOARD, board, "`standard` or `loom`"))?,
            mapping: read_mapping(mapping)?,
            redraw: choice(&REDRAWS, redraw)
                .ok_or_else(|| refused(REDRAW, redraw, "`never`, `ask` or `auto`"))?,
        })
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

/// All switches as `key=value`, in the order of [`OPTIONS`].
pub(super) fn facts(rules: &Rules) -> String {
    let mapping = rules.mapping.map_or("seed".to_owned(), |mapping| mapping.to_string());
    let (board, redraw) = (rules.board, name(&REDRAWS, rules.redraw));
    format!("{BOARD}={board} {MAPPING}={mapping} {REDRAW}={redraw}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(pairs: &[(&str, &str)]) -> Options {
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn defaults_are_as_listed() {
        let rules = Rules::from_options(&options(&[])).expect("the defaults");
        let told: Vec<_> = OPTIONS.iter().map(|o| format!("{}={}", o.key, o.default)).collect();
        assert_eq!(facts(&rules), told.join(" "));
    }

    #[test]
    fn every_value_can_be_set() {
        for board in ["standard", "loom"] {
            for mapping in ["SLFE", "EFLS", "seed"] {
                for redraw in ["never", "ask", "auto"] {
                    let set = [(BOARD, board), (MAPPING, mapping), (REDRAW, redraw)];
                    let rules = Rules::from_options(&options(&set)).expect("allowed values");
                    let told = format!("board={board} mapping={mapping} redraw={redraw}");
                    assert_eq!(facts(&rules), told);
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
            ("redraw", "yes"),
        ] {
            assert!(Rules::from_options(&options(&[(key, value)])).is_err(), "{key}={value}");
        }
        let message =
            Rules::from_options(&options(&[("mapping", "ABCD")])).expect_err("classes").to_string();
        insta::assert_snapshot!(message, @"option `mapping` is `ABCD`: expected the letters S, L, F and E in some order, or `seed`");
    }
}
